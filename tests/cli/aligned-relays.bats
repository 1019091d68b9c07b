#!/usr/bin/env bats
# Protocol aligned with relays: relays combine sums or pass them on, and what relays and federator refuse.

load common
load aligned

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    # relay 1 combines the sums of stations 1-4, and relay 3 passes on those of 5 and 6; relay 2 may replace
    # relay 1
    cat >mixed.topo <<'END'
protocol aligned
collude full clients=1 stations=1
drop relays=1
stations 6
relays 3
station 1-4 via 1 2
station 5 6 via 3
segments 4
client 1 via 1-4
client 2 via 1-6
client 3 via 1 2
client 4 via 1-4 6
END
    # one station may be missing
    cat >spare.topo <<'END'
protocol aligned
collude full clients=1 stations=1
drop stations=1
stations 6
relays 2
station 1-4 via 1
station 5 6 via 2
segments 4
client 1 via 1-4
client 2 via 2-6
client 3 4 via 1-6
END
    for name in mixed spare; do
        forget
        share_all $name
        deal_all $name 1 2 3 4 5 6
        add_all $name 1 2 3 4 5 6
    done
    relay mixed 1 -o mixed/relay-1 mixed/sum-[1-4]
    relay mixed 3 -o mixed/relay-3 mixed/sum-[56]
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/*.topo "$BATS_FILE_TMPDIR/mixed" "$BATS_FILE_TMPDIR/spare" .
}

TOTAL="10 20 30 40 50 60 70 80 90"

# relay PLAN NUMBER OPTION...
relay() {
    local name=$1 number=$2

    shift 2
    hagg-aggregate --plan "$name.topo" --relay "$number" "$@"
}

# decodes PLAN FILE...: the total is right.
decodes() {
    local name=$1

    shift
    run -0 hagg-decode --no-state --plan "$name.topo" -o total.npy "$@"
    run -0 total total.npy
    assert_output "$TOTAL"
}

# refused STATUS MESSAGE FILE...: the federator refuses the files of the round of mixed.topo.
refused() {
    local status=$1 message=$2

    shift 2
    run "-$status" hagg-decode --no-state --plan mixed.topo --round 1 -o none.npy "$@"
    assert_output --partial "$message"
    assert_file_not_exists none.npy
}

# Prints the kind of the records, and the node that each is from.
kinds() {
    hagg-inspect --json "$@" | python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    if "kind" in r:
        station = r["route"][0][1][r["scheme"]["index"]] if "route" in r else ""
        print(r["kind"], station, *r["from"])'
}

# Sends the sums of stations through relay 2 instead of relay 1, to on-U.
send_through_2() {
    local u

    for u; do
        hagg-aggregate --no-state --plan mixed.topo --station "$u" --via 2 -o "on-$u" mixed/station-"$u"/*
    done
}

@test "a relay combines sums that are longer than a vector, and passes others on" {
    run -0 kinds mixed/relay-1 mixed/relay-3
    assert_output "summand  relay 1
share 5 relay 3
share 6 relay 3"
    run -0 hagg-inspect --json mixed/relay-1
    assert_line --index 0 --partial '"stations":[[1,4]],"basis":[[1,6]]'
    assert_line --index 0 --partial '"elements":9'
    run -0 hagg-inspect mixed/relay-1
    assert_line --regexp '^ +1 summand  plain .* relay 1 +1-4 '
    decodes mixed mixed/relay-1 mixed/relay-3
}

@test "the cost is that of the shorter messages, and the audit proves them private" {
    # of 4 rows: 4 at each of stations 1 and 2, 2 at 3 and 4, 1 at 5 and 6
    run -0 hagg-cost --format tsv mixed.topo
    assert_line --regexp '^plan.*stations to relays	7/2	'
    assert_line --regexp '^plan.*relays to federator	3/2	'
    run -0 hagg-audit mixed.topo
    assert_line --index 0 --regexp "^private: "
    assert_line "each relay learns nothing that the federator does not learn"
}

@test "the paper's example: one relay that combines everything, or two without it" {
    cat >city.topo <<'END'
protocol aligned
collude full clients=1 stations=2
stations 5
relays 3
drop relays=1
station 1 2 via 1 2
station 3-5 via 2 3
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
client 5 via 1 2 4 5
client 6 via 1 2 5
END
    run -0 hagg-cost --format tsv city.topo
    assert_line --regexp '^plan.*214/9' # 205/9 without relays
    for i in 1 2 3 4 5 6; do
        python3 -c "import numpy; numpy.save('v$i.npy', $i * numpy.arange(1, 12))"
    done
    for without in "" "--without relays=2"; do
        forget
        rm -rf round-1
        hagg-round --emit make --round 1 --workdir . --vectors 'v{}.npy' $without city.topo >Makefile
        run -0 make -s
        run -0 total round-1/federator/total.npy
        assert_output "21 42 63 84 105 126 147 168 189 210 231"
        run -0 --separate-stderr hagg-cost --plan city.topo $without --measure round-1/*/in/*.cbor
        assert_line --regexp '^station to relay +vectors +5 +52 +52 '
        if [ -z "$without" ]; then
            assert_line --regexp '^relay to federator +vectors +1 +11 +11 '
        else
            assert_line --regexp '^relay to federator +vectors +2 +22 +22 '
        fi
    done
    run -4 hagg-aggregate --plan city.topo --relay 1 -o none round-1/relay-3/in/from*
    assert_output --partial "is for relay 3, but this is relay 1"
}

@test "another relay can do it, and a station may name it" {
    send_through_2 1 2 3 4
    run -4 relay mixed 1 -o none on-1
    assert_output --partial "is for relay 2, but this is relay 1"
    relay mixed 2 -o relay-2 on-*
    decodes mixed relay-2 mixed/relay-3
    relay mixed 1 -o low mixed/sum-[12]
    relay mixed 2 -o high on-[34]
    run -0 kinds low high
    assert_output "summand  relay 1
share 3 relay 2
share 4 relay 2"
    decodes mixed low high mixed/relay-3
}

@test "one process for all relays, in a pipeline" {
    cat mixed/sum-* | hagg-aggregate --plan mixed.topo -o both
    run -0 kinds both
    assert_output "summand  relay 1
share 5 relay 3
share 6 relay 3"
    cmp <(cat mixed/relay-1 mixed/relay-3) both
    decodes mixed both
}

@test "a station counts once" {
    send_through_2 1 2 3 4
    relay mixed 2 -o relay-2 on-*
    refused 4 "relay-2: contains the sum of station 1, like mixed/relay-1: each station counts once, so leave one out, or get it from the relay without this station" \
        mixed/relay-1 mixed/relay-3 relay-2
    relay mixed 2 -o part on-[234]
    refused 4 "part: contains the sum of station 2, like mixed/relay-1" mixed/relay-1 mixed/relay-3 part
    cp mixed/sum-2 passed
    rewrite passed 'header["from"], header["to"] = ["relay", 1], ["federator", 1]'
    refused 4 "mixed/relay-1: contains the sum of station 2, like passed" mixed/relay-1 mixed/relay-3 passed
    refused 4 "contains share 5 of the same sharing" mixed/relay-1 mixed/relay-3 mixed/relay-3
}

@test "every station counts" {
    relay mixed 1 -o part mixed/sum-[124]
    refused 5 "the sum of station 3 is missing: it is in no record of a relay" part mixed/relay-3
    refused 5 "the sum of station 5 is missing" mixed/relay-1
}

@test "summands of other clients, dealers, rounds and plans are refused" {
    for i in 1 2 3 4 5; do cp mixed/relay-1 other-$i; done
    rewrite other-1 'header["clients"] = [1, 3]'
    refused 4 "mixed/relay-3: contains client 4, but other-1 does not" other-1 mixed/relay-3
    rewrite other-2 'header["dealers"] = [1, 5]'
    refused 4 "other-2: record 1 (byte 0): lists the masks of 5 dealers, but at least 6 are needed" other-2 mixed/relay-3
    rewrite other-3 'header["round"] = 2'
    refused 4 "is of round 2, but this is round 1" other-3 mixed/relay-3
    rewrite other-4 'header["plan"] = bytes(32)'
    refused 4 "other-4" other-4 mixed/relay-3
    assert_output --partial "plan"
    rewrite other-5 'header["mix"] = bytes(16)'
    refused 4 "contains masks of another dealing" other-5 mixed/relay-3
    run -6 hagg-decode --plan '' -o none.npy mixed/relay-1
    assert_output --partial "plan"
    assert_file_not_exists none.npy
}

@test "summands that the plan does not have are refused" {
    for i in 1 2 3 4 5 6 7 8 9; do cp mixed/relay-1 other-$i; done
    rewrite other-1 'header["stations"] = [1, 5]'
    refused 4 "contains the sum of station 5, which does not reach relay 1 in the plan" other-1
    rewrite other-2 'header["basis"] = [1, 5]'
    refused 4 "is for decoding from 5 stations, but the plan decodes from 6 of those in use" other-2
    rewrite other-3 'header["basis"] = [1, 5, 7, 7]'
    refused 4 "is for decoding from 6 stations, but the plan decodes from 6 of those in use" other-3
    rewrite other-4 'header["stations"] = [3, 4]'
    refused 4 "is not shorter than the sums of its stations, which a relay then passes on" other-4
    rewrite other-5 'header["from"] = ["relay", 4]'
    refused 4 "is from relay 4, but summands are from relays of the plan" other-5
    rewrite other-6 'header["from"] = ["station", 1]'
    refused 4 "is from station 1, but summands are from relays of the plan" other-6
    rewrite other-7 'header["to"] = ["relay", 1]'
    refused 4 "must be addressed to federator 1, not to relay 1" other-7
    rewrite other-8 'header["clients"] = [1, 5]'
    refused 4 "lists clients that are not in the plan" other-8
    rewrite other-9 'header["dealers"] = [1, 7]'
    refused 4 "lists dealer 7, which is not a dealer in the plan" other-9
    run -4 hagg-aggregate --plan mixed.topo -o none mixed/relay-1
    assert_output --partial "is the summand of relay 1 already: decode it with hagg-decode"
    sed '/relays\|^station /d' mixed.topo >plain.topo
    run -4 hagg-decode --plan plain.topo -o none.npy mixed/relay-1
    assert_file_not_exists none.npy
}

@test "a relay refuses sums that do not belong together" {
    cp mixed/sum-2 other
    rewrite other 'header["clients"] = [1, 3]'
    run -4 relay mixed 1 -o none mixed/sum-1 other
    assert_output --partial "mixed/sum-1: contains client 4, but other does not"
    cp mixed/sum-2 other
    rewrite other 'header["dealers"] = [1, 5]'
    run -4 relay mixed 1 -o none mixed/sum-1 other
    assert_output --partial "other: record 1 (byte 0): lists the masks of 5 dealers, but at least 6 are needed"
    cp mixed/sum-2 other
    rewrite other 'header["mix"] = bytes(16)'
    run -4 relay mixed 1 -o none mixed/sum-1 other
    assert_output --partial "other: contains masks of another dealing than mixed/sum-1"
    run -4 relay mixed 1 -o none mixed/sum-1 mixed/sum-1
    assert_output --partial "client 1 is already in the sum"
    run -4 relay mixed 1 --clients 1-3 -o none mixed/sum-1
    assert_output --partial "includes client 4, unlike the roster"
    assert_file_not_exists none
}

@test "a relay sends sums over one set of clients in a round" {
    relay mixed 1 -o first mixed/sum-[1-4]
    cmp first mixed/relay-1
    for u in 1 2 3 4; do
        hagg-aggregate --no-state --plan mixed.topo --station $u --clients 1-3 -o fewer-$u mixed/station-$u/*
    done
    run -6 relay mixed 1 -o none fewer-*
    assert_output --partial "round 1 already has clients 1-4, and this is over 1-3"
    assert_file_not_exists none
    # the sums of other stations are no other total
    relay mixed 1 -o second mixed/sum-[13]
}

@test "a damaged sum is noticed while it is combined" {
    python3 -c '
data = bytearray(open("mixed/sum-4", "rb").read())
data[-20] ^= 1
open("mixed/sum-4", "wb").write(data)'
    run -3 relay mixed 1 -o none mixed/sum-[1-4]
    assert_output --partial "mixed/sum-4"
    assert_file_not_exists none
}

@test "with spare stations, relays pass sums on, so that wrong ones are found" {
    rewrite spare/sum-2 'elements[0] = (int(elements[0]) + 1) % (2**31 - 1)'
    relay spare 1 -o one spare/sum-[1-4]
    relay spare 2 -o two spare/sum-[56]
    run -0 kinds one two
    assert_line --index 5 "share 6 relay 2"
    run -3 hagg-decode --no-state --plan spare.topo -o none.npy one two
    assert_output --partial "a share of station 1-6 is wrong"
    relay spare 1 -o one spare/sum-[134]
    decodes spare one two
}

@test "with a missing station that all relays know, they combine" {
    relay spare 1 --missing 6 -o one spare/sum-[1-4]
    relay spare 2 --missing 6 -o two spare/sum-5
    run -0 kinds one two
    assert_output "summand  relay 1
share 5 relay 2"
    decodes spare one two
    # a relay that was not told
    relay spare 2 -o all spare/sum-[56]
    run -4 hagg-decode --plan spare.topo -o none.npy one all
    assert_output --partial "all: is the sum of station 6, but one is for decoding without it: leave it out"
    run -4 relay spare 2 --missing 6 -o none spare/sum-[56]
    assert_output --partial "spare/sum-6: is the sum of station 6, which --missing names: leave it out, or change --missing at all relays"
    run -5 relay spare 2 --missing 5,6 -o none spare/sum-5
    assert_output --partial "2 stations are missing, but the plan tolerates only 1"
    assert_file_not_exists none
}

@test "relays that decode from different stations do not belong together" {
    sed -i 's/^station 1-4 via 1/station 1-3 via 1/; s/^station 5 6 via 2/station 4-6 via 2/; s/^client 2 .*/client 2 via 4-6/' \
        spare.topo
    rm -r spare
    share_all spare
    deal_all spare 1 2 3 4 5 6
    add_all spare 1 2 3 4 5 6
    relay spare 1 --missing 6 -o one spare/sum-[123]
    relay spare 2 --missing 3 -o two spare/sum-[4-6]
    run -0 kinds one two
    assert_output "summand  relay 1
summand  relay 2"
    run -4 hagg-decode --plan spare.topo -o none.npy one two
    assert_output --partial "one: is for decoding with station 3, and two without it: name the same stations with --missing at all relays"
    relay spare 2 --missing 6 -o two spare/sum-[45]
    decodes spare one two
}

@test "rounds that hagg-round writes name missing stations, and measure agrees" {
    for i in 1 2 3 4; do
        python3 -c "import numpy; numpy.save('v$i.npy', $i * numpy.arange(1, 10))"
    done
    hagg-round --emit make --round 2 --workdir . --vectors 'v{}.npy' --without stations=3 spare.topo >Makefile
    run -0 make -s
    run -0 total round-2/federator/total.npy
    assert_output "$TOTAL"
    run -0 kinds round-2/federator/in/from*
    assert_output "summand  relay 1
share 5 relay 2
share 6 relay 2"
    run -0 hagg-cost --plan spare.topo --without stations=3 --measure round-2/*/in/*.cbor
    assert_line --regexp '^relay to federator +vectors +3 +'
    sed 's/^drop stations=1/drop stations=1 relays=1/' spare.topo >lost.topo
    run -5 hagg-round --emit make --round 3 --workdir . --vectors 'v{}.npy' --without relays=2 lost.topo
    assert_output --partial "without the missing nodes only 4 sums reach the federator, and 5 are needed"
}

@test "no masks, and vectors without elements" {
    cat >equal.topo <<'END'
protocol aligned
collude full clients=1 stations=1
stations 4
relays 1
station 1-4 via 1
client 1-3 via 1-4
END
    python3 -c "import numpy; numpy.save('v.npy', numpy.zeros(0, dtype='i4'))"
    for i in 1 2 3; do
        hagg-share --no-state --plan equal.topo --client $i --round 2 v.npy
    done | hagg-aggregate --plan equal.topo | hagg-aggregate --plan equal.topo -o both
    run -0 kinds both
    assert_output "summand  relay 1"
    hagg-decode --plan equal.topo -o total.npy both
    run -0 total total.npy
    assert_output ""
}
