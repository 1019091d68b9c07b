#!/usr/bin/env bats
# Records with seeds that the commands refuse: changed, replayed, or of another form than in the plan.

load common
load round
load sealed

setup_file() {
    local i

    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    make_keys 1-4 1-4 4
    mv ids.txt all.txt
    grep -v '^relay' all.txt >ids.txt
    cat >the.topo <<'END'
protocol aligned
collude full clients=1 stations=1
stations 4
segments 2
dealers 1 4
client 1 2 via 1-3
client 3 via 1-4
client 4 via 2-4
privacy computational
identities ids.txt
END
    hagg-plan -q --keep the.topo -o the.plan
    sed 's/^minimum 3/minimum 4/' the.plan >other.plan
    sed '/^privacy/d; s/^client 3 via 1-4/& computational/' the.plan >one.plan
    cat >keys.topo <<'END'
protocol keys
collude partial clients=1 stations=1
stations 4
client 1-3 via 1-3
client 4 via 1-4
privacy computational
identities ids.txt
END
    hagg-plan -q keys.topo -o keys.plan
    cat >transform.topo <<'END'
protocol keys
collude partial clients=1 stations=1 relays=1
stations 4
relays 4
transform direct
station 1-4 via 1-4
client 1 2 via 1-3 shares 1-3 keys 1 relays 1-3
client 3 via 1-4 shares 1-4 keys 4 relays 1-3
client 4 via 2-4 shares 2-4 keys 3 relays 1-3
privacy computational
identities all.txt
END
    hagg-plan -q --keep transform.topo -o transform.plan
    for i in 1 2 3 4; do
        npy v$i.npy "np.arange(7, dtype='i4') * $i"
        as client-$i hagg-share --plan the.plan --client $i --round 1 -o "station-{}/client-$i" v$i.npy
        as client-$i hagg-share --plan the.plan --again --client $i --round 2 -o "second-{}/client-$i" v$i.npy
        as client-$i hagg-share --plan other.plan --again --client $i --round 1 -o "other-{}/client-$i" v$i.npy
        for plan in keys transform; do
            as client-$i hagg-keygen --plan $plan.plan --client $i --round 1 --length 7 -o key-$plan-$i
            as client-$i hagg-share --plan $plan.plan --again --client $i --round 1 --key key-$plan-$i \
                -o "$plan-{}/client-$i" v$i.npy
        done
    done
    for i in 1 4; do
        as station-$i hagg-keygen --plan the.plan --station $i --round 1 --length 7 -o "station-{}/mask-$i"
    done
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt,all.txt,*.plan,station-?,second-?,other-?,keys-?,transform-?} .
    export HAGG_PLAN=the.plan
    unset HAGG_IDENTITY
}

AUTHENTIC="is not what its sender sealed: it was damaged or changed: get it again from its sender"

# refused STATUS MESSAGE: station 3 refuses the record "bad" of client 1, and then accepts the right one.
refused() {
    run -"$1" --separate-stderr as station-3 hagg-aggregate --round 1 --station 3 -o sum bad station-3/client-[234] station-3/mask-*
    assert_output ""
    assert_equal "$stderr" "hagg-aggregate: bad: $2"
    assert_not_exist sum
    as station-3 hagg-aggregate --round 1 --station 3 -o sum station-3/*
}

@test "a bit of a seed record is changed" {
    as station-3 hagg-aggregate --round 1 --station 3 -o sum station-3/* # so that the state exists
    HAGG_FLIP_STATION=3 HAGG_FEW_FLIPS=1 run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/flip_bits.py" station-3/client-1 \
        keys/station-3.pem "$HAGG_STATE/station-3" station-3/client-[234] station-3/mask-*
    assert_output --regexp '^[0-9]+ flips: status 3 [1-9][0-9]*, status 6 [1-9][0-9]*$'
}

@test "a seed of another round" {
    cp second-3/client-1 bad
    refused 6 "record 1 (byte 0): was sealed in round 2, but this is round 1: get the record of this round"
}

@test "a seed of another plan" {
    cp other-3/client-1 bad
    refused 6 "record 1 (byte 0): was sealed under a different plan than the.plan: get the record of this plan"
}

@test "the seed of another round, under the header of this one" {
    sealed_python '
old, this = only("second-3/client-1"), only("station-3/client-1")
save("bad", this[0], old[1])'
    refused 6 "record 1 (byte 0): $AUTHENTIC"
}

@test "the seed of another client, under the header of this one" {
    sealed_python '
other, this = only("station-3/client-2"), only("station-3/client-1")
save("bad", this[0], replace(other[1], sender=this[1].sender))'
    refused 6 "record 1 (byte 0): $AUTHENTIC"
}

@test "the seed of another client, sealed by this one, is its own" {
    # nothing tells; the total is that of the other shares, and wrong for this client only
    sealed_python '
header, payload = only("station-3/client-1")
seed = opened(*only("station-3/client-2"))
save("bad", header, sealed_by(["client", 1], header, seed))'
    as station-3 hagg-aggregate --round 1 --station 3 -o sum bad station-3/client-[234] station-3/mask-*
}

@test "elements where the plan has a seed" {
    sealed_python '
header, payload = only("station-3/client-1")
del header["seed"]
save("bad", header, sealed_by(["client", 1], header, numpy.zeros(4, dtype="u4")))'
    refused 4 "record 1 (byte 0): is not a seed, unlike in the plan"
}

@test "a seed where the plan has elements" {
    sealed_python '
header, payload = only("station-2/client-1")
header["seed"] = True
save("bad", header, sealed_by(["client", 1], header, numpy.arange(32, dtype="u1")))'
    run -4 --separate-stderr as station-2 hagg-aggregate --round 1 --station 2 -o sum bad station-2/client-[234] station-2/mask-*
    assert_equal "$stderr" "hagg-aggregate: bad: record 1 (byte 0): is a seed, unlike in the plan"
    assert_not_exist sum
}

@test "a key in full where the plan has a seed, and the other way round" {
    export HAGG_PLAN=keys.plan
    sealed_python '
key, = [r for r in records("keys-1/client-1") if r.header["of"] == "key"]
header = {k: v for k, v in key.header.items() if k != "seed"}
save("bad", header, sealed_by(["client", 1], header, numpy.zeros(7, dtype="u4")))
share, = [r for r in records("keys-1/client-1") if r.header["of"] == "padded"]
header = {**share.header, "seed": True}
save("worse", header, sealed_by(["client", 1], header, numpy.arange(32, dtype="u1")))'
    run -4 --separate-stderr as station-1 hagg-aggregate --station 1 --only keys -o sum bad
    assert_equal "$stderr" "hagg-aggregate: bad: record 1 (byte 0): is not a seed, unlike in the plan"
    run -4 --separate-stderr as station-1 hagg-aggregate --station 1 --only shares -o sum worse
    assert_equal "$stderr" "hagg-aggregate: worse: record 1 (byte 0): is a seed, unlike in the plan"
    assert_not_exist sum
}

@test "a mask may have its elements instead of a seed" {
    PYTHONPATH=$HAGG_SOURCE_DIR/tests/format:$HAGG_SOURCE_DIR/tests/cli:$HAGG_SOURCE_DIR/tests/oracle python3 -B -c '
from aligned import intervals
from expansion import expand
from sealed_records import *
header, payload = only("station-2/mask-1")
assert header.pop("seed") is True
n = len(intervals(header["segments"], header["blocks"])) * -(-4 // header["chunks"])  # 7 elements in 2 segments
elements = expand(opened({**header, "seed": True}, payload).tobytes(), header["field"], n)
save("full", header, sealed_by(["station", 1], header, elements))'
    as station-2 hagg-aggregate --round 1 --station 2 -o one station-2/*
    as station-2 hagg-aggregate --round 1 --station 2 -o two station-2/client-* full station-2/mask-4
    sealed_python '
one, two = (opened(*only(name)) for name in ("one", "two"))
assert (one == two).all()'
}

@test "a mask that is a seed, without computational privacy of masks" {
    export HAGG_PLAN=one.plan
    as station-1 hagg-keygen --station 1 --round 1 --length 7 -o "masks-{}"
    sealed_python '
header, payload = only("masks-3")
assert "seed" not in header
header["seed"] = True
save("bad", header, sealed_by(["station", 1], header, numpy.arange(32, dtype="u1")))'
    run -4 --separate-stderr as station-3 hagg-aggregate --round 1 --station 3 -o sum bad
    assert_equal "$stderr" "hagg-aggregate: bad: record 1 (byte 0): is a seed, unlike in the plan"
}

@test "a seed of another length, or of wider elements" {
    for n in 0 31 33 64; do
        sealed_python '
header, _ = only("station-3/client-1")
save("bad", header, sealed_by(["client", 1], header, numpy.zeros(int(sys.argv[1]), dtype="u1")))' $n
        run -3 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum bad
        assert_regex "$stderr" "^hagg-aggregate: bad: record 1 \(byte 0\): payload of a record with 'seed' is not 32 elements of 1 byte$"
    done
    sealed_python '
header, _ = only("station-3/client-1")
save("bad", header, sealed_by(["client", 1], header, numpy.zeros(8, dtype="u4")))'
    run -3 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum bad
    assert_regex "$stderr" "^hagg-aggregate: bad: record 1 \(byte 0\): payload of a record with 'seed' is not 32 elements of 1 byte$"
    assert_not_exist sum
}

@test "a seed that is not sealed" {
    sealed_python '
header, payload = only("station-3/client-1")
save("bad", header, opened(header, payload))'
    run -3 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum bad
    assert_output ""
    assert_regex "$stderr" "^hagg-aggregate: bad: record 1 .*seal"
}

@test "a seed that claims a huge vector does not fit the others" {
    sealed_python '
header, payload = only("station-3/client-1")
header = {**header, "length": 2**40, "shape": [2**40]}
save("bad", header, sealed_by(["client", 1], header, opened(*only("station-3/client-1"))))'
    run -4 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum station-3/* bad
    assert_equal "$stderr" "hagg-aggregate: bad: length is 1099511627776, but station-3/client-1 has 7"
    run -4 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum bad station-3/client-[234]
    assert_equal "$stderr" "hagg-aggregate: bad: record 1 (byte 0): is the seed of a vector of 1099511627776 elements, and no other record confirms this length: add a line length N to the topology"
    assert_not_exist sum
}

@test "hagg-decode takes no seed for elements" {
    cp keys/federator.pem keys/federator-1.pem
    export HAGG_IDENTITY='keys/{tier}-{}.pem'
    run -4 --separate-stderr hagg-decode station-?/client-*
    assert_output ""
    assert_regex "$stderr" "^hagg-decode: .*add .*up"
    run -4 --separate-stderr hagg-decode station-3/client-1
    assert_regex "$stderr" "^hagg-decode: .*add .*up"
    run -6 --separate-stderr hagg-decode --plan keys.plan keys-?/client-*
    assert_output ""
    assert_regex "$stderr" "contains keys addressed to station 1: the federator accepts only the total"
}

@test "hagg-decode takes no seed for elements, even if there are 32 of one byte" {
    cat >bytes.topo <<'END'
field gf256
protocol keys
collude partial clients=1 stations=1
stations 6
client 1-3 via 1-3 shares 1-3 keys 1
client 4 via 4-6 shares 4-6 keys 4
privacy computational
identities bytes.txt
END
    cp keys/federator.pem keys/federator-1.pem
    export HAGG_IDENTITY='keys/{tier}-{}.pem' HAGG_PLAN=bytes.plan
    cp ids.txt bytes.txt
    hagg-keygen --identity 'keys/{tier}-{}.pem' --stations 5-6 >>bytes.txt
    hagg-plan -q --keep bytes.topo -o bytes.plan
    head -c 64 /dev/zero >zeros # two parts of 32
    for i in 1 2 3 4; do
        hagg-keygen --client $i --round 1 --length 64 -o key-$i
        hagg-share --client $i --round 1 --key key-$i --format raw --type u1 -o "bytes-{}/$i" zeros
    done
    for u in 1 2 3; do
        hagg-aggregate --station $u --only shares -o sum-$u bytes-$u/*
    done
    for u in 1 2 3 4 5 6; do
        hagg-aggregate --station $u --only keys -o chain-$u $(ls chain-$((u - 1)) 2>/dev/null) bytes-$u/*
    done
    # the share of client 4 alone, as its station got it
    sealed_python '
with open("bytes-4/4", "rb") as file:
    data = file.read()
share, = [r for r in records("bytes-4/4") if r.header["of"] == "padded"]
with open("share-4", "wb") as file:
    file.write(data[share.offset : share.offset + share.len_bytes])'
    run -4 --separate-stderr hagg-decode --format raw -o total sum-? share-4 bytes-5/4 bytes-6/4 chain-6
    assert_output ""
    assert_equal "$stderr" "hagg-decode: bytes-6/4: record 1 (byte 0): is a seed for station 6: add up its expansion there with hagg-aggregate"
    assert_not_exist total
}

@test "hagg-transform takes no seed for elements" {
    export HAGG_PLAN=transform.plan
    for u in 3 4; do
        run -4 --separate-stderr as station-$u hagg-transform --step contribute --station $u -o 'relay-{}/from' \
            transform-$u/client-3
        assert_output ""
        assert_equal "$stderr" "hagg-transform: transform-$u/client-3: record 1 (byte 0): is the share of one client: add up the shares first with hagg-aggregate"
        assert_not_exist relay-1
    done
}

@test "the roster counts clients with seeds" {
    run -0 --separate-stderr as station-3 hagg-roster --round 1 --station 3 -o report station-3/client-*
    assert_equal "$stderr" "hagg-roster: round 1, station 3: report of 4 clients: 1-4"
}
