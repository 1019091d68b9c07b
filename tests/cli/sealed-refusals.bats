#!/usr/bin/env bats
# What the commands refuse under a plan with identities. Each refusal has no output and changes no state:
# the right file is accepted afterwards.

load common
load round
load sealed

setup_file() {
    local i

    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    make_keys 1-4 1-4 6
    mv ids.txt all.txt
    grep -v '^relay' all.txt >ids.txt
    cat >the.topo <<'END'
protocol aligned
collude full clients=1 stations=1
drop clients=1
stations 4
segments 2
client 1 2 via 1-3
client 3 via 1-4
client 4 via 2-4
identities ids.txt
END
    hagg-plan -q --keep the.topo -o the.plan
    # the same nodes and keys
    sed 's/drop clients=1/drop clients=0/' the.topo >other.topo
    hagg-plan -q --keep other.topo -o other.plan
    grep -v '^identities' the.plan >bare.plan
    # stations transform sharings; client 3 sends to all of them
    cat >transform.topo <<'END'
collude partial clients=1 stations=2 relays=4
stations 4
relays 6
transform direct
station 1-4 via 1-6
client 1 2 via 1-3 shares 1-3 keys 1 relays 1-6
client 3 via 1-4 shares 1-4 keys 4 relays 1-6
client 4 via 2-4 shares 2-4 keys 3 relays 1-5
protocol keys
identities all.txt
END
    hagg-plan -q --keep transform.topo -o transform.plan
    export HAGG_PLAN=the.plan
    for i in 1 2 3 4; do
        npy v$i.npy "np.arange(7, dtype='i4') * $i"
        npy long$i.npy "np.arange(120000, dtype='i4') * $i"
        as client-$i hagg-share --client $i --round 1 -o "station-{}/client-$i" v$i.npy
        as client-$i hagg-share --again --client $i --round 2 -o "second-{}/client-$i" v$i.npy
        as client-$i hagg-share --client $i --round 3 -o "long-{}/client-$i" long$i.npy
        as client-$i hagg-share --again --plan other.plan --client $i --round 1 -o "other-{}/client-$i" v$i.npy
        UNSEALED=1 as unsealed-$i hagg-share --plan bare.plan --client $i --round 1 -o "bare-{}/client-$i" v$i.npy
        as station-$i hagg-keygen --station $i --round 1 --length 7 -o "station-{}/mask-$i"
        as station-$i hagg-keygen --station $i --round 3 --length 120000 -o "long-{}/mask-$i"
    done
    for i in 1 2 3 4; do
        as station-$i hagg-roster -q --round 1 --station $i -o report-$i station-$i/client-*
        as station-$i hagg-roster -q --round 2 --station $i -o report-2-$i second-$i/client-*
    done
    as federator hagg-roster -q --round 1 -o roster report-[1-4]
    as federator hagg-roster -q --round 2 -o roster-2 report-2-*
    rm -r "$HAGG_STATE"
    mkdir -m 700 "$HAGG_STATE"
    for i in 1 2 3 4; do
        as station-$i hagg-aggregate --station $i -o sum-$i station-$i/*
    done
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt,all.txt,*.plan,*.topo,*.npy,station-?,second-?,long-?,other-?,bare-?,report-*,roster*,sum-?} .
    export HAGG_PLAN=the.plan
    unset HAGG_IDENTITY
}

AUTHENTIC="is not what its sender sealed: it was damaged or changed: get it again from its sender"

# refused STATUS MESSAGE NODE COMMAND...: the command of this node fails with this message, without an output.
refused() {
    rm -f out
    run "-$1" --separate-stderr as "${@:3}" -o out
    assert_output ""
    assert_equal "$stderr" "$4: $2"
    assert_not_exist out
    run -1 compgen -G 'out*'
}

# accepted NODE COMMAND...: the same with right files works.
accepted() {
    run -0 --separate-stderr as "$@" -o out
    assert_exist out
    rm out
}

# station_refuses STATUS MESSAGE FILE: station 1 refuses FILE instead of the share of client 1, and then
# accepts that one.
station_refuses() {
    local others=(station-1/client-[23] station-1/mask-*)

    rm -rf "$HAGG_STATE/station-1" # it has sent no sum yet
    refused "$1" "$3: $2" station-1 hagg-aggregate --station 1 "$3" "${others[@]}"
    # whatever is read first
    refused "$1" "$3: $2" station-1 hagg-aggregate --station 1 "${others[@]}" "$3"
    accepted station-1 hagg-aggregate --station 1 station-1/*
}

@test "the right files are accepted" {
    accepted station-1 hagg-aggregate --station 1 station-1/*
    accepted station-1 hagg-aggregate --station 1 --round 3 long-1/*
    accepted federator hagg-decode sum-*
}

@test "aggregate: a share that is not sealed" {
    for i in 1 2; do
        # with the right plan in its header
        sealed_python 'header, payload = only(sys.argv[1])
save("unsealed", header, opened(header, payload))' station-1/client-1
        station_refuses 6 "record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender" unsealed
    done
}

@test "aggregate: a share of the same plan without identities" {
    station_refuses 6 "record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender" bare-1/client-1
}

@test "aggregate: a mask that is not sealed" {
    sealed_python 'header, payload = only("station-1/mask-2")
save("unsealed", header, opened(header, payload))'
    refused 6 "unsealed: record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender" \
        station-1 hagg-aggregate --station 1 station-1/client-* station-1/mask-[134] unsealed
}

@test "roster: a share that is not sealed, and a report that is not sealed" {
    local message="record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender"

    refused 6 "bare-1/client-1: $message" station-1 hagg-roster --round 1 --station 1 bare-1/client-1 station-1/client-[23]
    UNSEALED=1 HAGG_PLAN=bare.plan as unsealed-5 hagg-roster -q --round 1 --station 1 -o unsealed bare-1/client-*
    refused 6 "unsealed: $message" federator hagg-roster --round 1 unsealed report-[234]
    accepted federator hagg-roster --round 1 report-[1-4]
}

@test "decode: a sum that is not sealed" {
    sealed_python 'header, payload = only("sum-1")
save("unsealed", header, opened(header, payload))'
    refused 6 "unsealed: record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender" \
        federator hagg-decode unsealed sum-[234]
    accepted federator hagg-decode sum-*
}

# For a plan with transformed sharings: sum-U and to-R/U, and keys in station-U/*.
transform_round() {
    local i u

    export HAGG_PLAN=transform.plan
    for i in 1 2 3 4; do
        as client-$i hagg-keygen --client $i --round 1 --length 7 -o key-$i
        as client-$i hagg-share --again --client $i --round 1 --key key-$i -o "t-{}/client-$i" v$i.npy
    done
    for u in 1 2 3 4; do
        as station-$u hagg-aggregate --station $u --only shares -o t-sum-$u t-$u/*
        as station-$u hagg-transform --step contribute --station $u -o "to-{}/$u" t-sum-$u
    done
}

@test "transform: sums and transfers that are not sealed, or from another node" {
    local message="record 1 (byte 0): is not sealed, but the nodes of transform.plan have identities: get it sealed from its sender"

    transform_round
    for file in t-sum-1 to-1/1; do
        sealed_python 'with open("unsealed", "wb") as file:
    for record in records(sys.argv[1]):
        file.write(write_record(record.header, opened(record.header, record.payload)))' $file
        case $file in
        t-sum-1) refused 6 "unsealed: $message" station-1 hagg-transform --step contribute --station 1 unsealed ;;
        *) refused 6 "unsealed: $message" relay-1 hagg-transform --step finish --relay 1 unsealed to-1/[234] ;;
        esac
    done
    refused 6 "to-2/1: record 1 (byte 0): is sealed to relay 2, but this is relay 1" \
        relay-1 hagg-transform --step finish --relay 1 to-2/1 to-1/[234]
    accepted relay-1 hagg-transform --step finish --relay 1 to-1/*
}

@test "a sender that is not in the plan" {
    local id

    hagg-keygen --identity keys/client-9.pem --client 9 >line
    id=$(sed 's/.* # //' line)
    # it says so, or claims to be client 1
    sealed_python 'header, payload = only("station-1/client-1")
values = opened(header, payload)
save("claimed", header, sealed_by(["client", 9], header, values))
header["from"], header["clients"] = ["client", 9], [9, 9]
save("honest", header, sealed_by(["client", 9], header, values))'
    station_refuses 6 "record 1 (byte 0): is sealed with key $id, which is not a key of client 1 in ids.txt" claimed
    station_refuses 6 "record 1 (byte 0): is sealed with key $id, which is not a key of client 9 in ids.txt" honest
}

@test "a record that claims to be from client 1, sealed with the key of client 2" {
    local id

    id=$(sed -n 's/^client 2 .* # //p' ids.txt)
    sealed_python 'header, payload = only("station-1/client-1")
made = sealed_by(["client", 2], header, opened(header, payload))
save("honest", header, made)
save("claimed", header, replace(made, sender=key_id(public(["client", 1]))))'
    station_refuses 6 "record 1 (byte 0): is sealed with key $id, which is not a key of client 1 in ids.txt" honest
    station_refuses 6 "record 1 (byte 0): $AUTHENTIC" claimed
    # the report does not list it either
    refused 6 "claimed: record 1 (byte 0): $AUTHENTIC" \
        station-1 hagg-roster --round 1 --station 1 claimed station-1/client-[23]
    refused 6 "honest: record 1 (byte 0): is sealed with key $id, which is not a key of client 1 in ids.txt" \
        station-1 hagg-roster --round 1 --station 1 station-1/client-[23] honest
}

@test "the same, made by the independent writer with the right key, is accepted" {
    sealed_python 'header, payload = only("station-1/client-1")
save("station-1/client-1", header, sealed_by(["client", 1], header, opened(header, payload)))'
    accepted station-1 hagg-aggregate --station 1 station-1/*
}

@test "a station that claims to be another one, to the federator" {
    sealed_python 'header, payload = only("sum-1")
made = sealed_by(["station", 2], header, opened(header, payload))
save("claimed", header, replace(made, sender=key_id(public(["station", 1]))))'
    refused 6 "claimed: record 1 (byte 0): $AUTHENTIC" federator hagg-decode claimed sum-[234]
    accepted federator hagg-decode sum-*
}

@test "a record for somebody else" {
    station_refuses 6 "record 1 (byte 0): is sealed to station 2, but this is station 1" station-2/client-1
    # with the address changed
    forge station-2/client-1 'header["to"] = ["station", 1]
header["scheme"] = only("station-1/client-1")[0]["scheme"]' forged
    station_refuses 6 "record 1 (byte 0): is sealed to key $(sed -n 's/^station 2 .* # //p' ids.txt), which is not a key of station 1 in ids.txt" forged
    forge forged 'payload = replace(payload, receiver=key_id(public(["station", 1])))'
    station_refuses 6 "record 1 (byte 0): $AUTHENTIC" forged
    refused 4 "report-1: record 1 (byte 0): is a roster, which contains no vector: remove it from the input files" \
        station-1 hagg-roster --round 1 --station 1 report-1 station-1/client-[123]
}

@test "a replay from another round" {
    local message="record 1 (byte 0): was sealed in round 2, but this is round 1: get the record of this round"

    refused 6 "second-1/client-1: $message" station-1 hagg-aggregate --station 1 --round 1 second-1/client-1 station-1/client-[23] station-1/mask-*
    refused 6 "second-1/client-1: $message" station-1 hagg-aggregate --station 1 station-1/client-[23] second-1/client-1 station-1/mask-*
    refused 6 "second-1/client-1: $message" station-1 hagg-roster --round 1 --station 1 second-1/client-1 station-1/client-[23]
    refused 6 "second-1/client-1: $message" station-1 hagg-aggregate --station 1 --roster roster second-1/client-1 station-1/client-[23] station-1/mask-*
    refused 6 "report-2-1: $message" federator hagg-roster --round 1 report-2-1 report-[234]
    # with the round changed in the header
    forge second-1/client-1 'header["round"] = 1' forged
    station_refuses 6 "record 1 (byte 0): $AUTHENTIC" forged
}

@test "a replay from another plan with the same nodes and keys" {
    station_refuses 6 "record 1 (byte 0): was sealed under a different plan than the.plan: get the record of this plan" other-1/client-1
    # and the other way round, so that it was a right file there
    run -0 --separate-stderr as station-1 hagg-roster -q --plan other.plan --round 1 --station 1 -o out other-1/client-*
    rm out
    forge other-1/client-1 'header["plan"] = only("station-1/client-1")[0]["plan"]' forged
    station_refuses 6 "record 1 (byte 0): $AUTHENTIC" forged
}

@test "the payload of one record under the header of another" {
    sealed_python '(header, payload), (other, more) = only("station-1/client-1"), only("second-1/client-1")
save("older", header, more)
save("id", {**header, "id": bytes(16)}, payload)'
    station_refuses 6 "record 1 (byte 0): $AUTHENTIC" older
    station_refuses 6 "record 1 (byte 0): $AUTHENTIC" id
}

# long_refuses STATUS MESSAGE: the same for "forged", a long record of four chunks.
long_refuses() {
    refused "$1" "forged: $2" station-1 hagg-aggregate --station 1 --round 3 forged long-1/client-[23] long-1/mask-*
    refused "$1" "forged: $2" station-1 hagg-aggregate --station 1 long-1/client-[23] long-1/mask-* forged
    # through a pipe, too
    run "-$1" --separate-stderr as station-1 pipe_to_station forged
    assert_output ""
    assert_equal "$stderr" "hagg-aggregate: standard input: $2"
    accepted station-1 hagg-aggregate --station 1 --round 3 long-1/*
}

pipe_to_station() {
    cat "$1" long-1/client-[23] long-1/mask-* | hagg-aggregate --station 1
}

@test "chunks dropped, reordered, repeated or of another record, with the right framing and digest" {
    local n

    run -0 sealed_python 'print(len(only("long-1/client-1")[1].pieces()))'
    assert_output 4
    for order in 1,0,2,3 0,2,1,3 2,1,0,3 0,0,2,3 0,1,1,3; do
        forge long-1/client-1 "payload = chunks(payload, $order)" forged
        refused 6 "forged: record 1 (byte 0): $AUTHENTIC" station-1 hagg-aggregate --station 1 --round 3 forged long-1/client-[23] long-1/mask-*
    done
    long_refuses 6 "record 1 (byte 0): $AUTHENTIC"
    for at in 0 1 2 3; do
        forge long-1/client-1 "pieces, others = payload.pieces(), only('long-1/client-2')[1].pieces()
pieces[$at] = others[$at]
payload = replace(payload, chunks=b''.join(pieces))" forged
        refused 6 "forged: record 1 (byte 0): $AUTHENTIC" station-1 hagg-aggregate --station 1 --round 3 forged long-1/client-[23] long-1/mask-*
    done
}

@test "chunks missing, too many or cut, with the right framing and digest" {
    while read -r change; do
        forge long-1/client-1 "payload = $change" forged
        long_refuses 6 "record 1 (byte 0): $AUTHENTIC"
        # with a header of a vector of this length
        forge forged "header['length'] = 2 * payload.n_bytes // 4
header['shape'] = [header['length']]"
        run -0 hagg-inspect forged
        refused 6 "forged: record 1 (byte 0): $AUTHENTIC" station-1 hagg-roster --round 3 --station 1 forged
    done <<'END'
chunks(payload, 0, 1, 2)
chunks(payload, 0, 1, 3)
chunks(payload, 1, 2, 3)
chunks(payload, 0, 1, 2, 2, 3)
replace(payload, chunks=payload.chunks[:-4])
replace(payload, chunks=payload.chunks[:-4000])
END
}

@test "a bit flipped in each of the chunks, with the right digest" {
    for at in 0 65535 65536 65551 65552 131104 196655 196656 200000 -17 -16 -1; do
        forge long-1/client-1 "raw = bytearray(payload.chunks)
raw[$at] ^= 1
payload = replace(payload, chunks=bytes(raw))" forged
        refused 6 "forged: record 1 (byte 0): $AUTHENTIC" station-1 hagg-aggregate --station 1 --round 3 long-1/client-[23] long-1/mask-* forged
    done
    long_refuses 6 "record 1 (byte 0): $AUTHENTIC"
}

@test "a file that ends early" {
    local size

    size=$(stat -c %s long-1/client-1)
    for n in 1 17 20 100 70000 200000; do
        head -c $((size - n)) long-1/client-1 >cut
        run -3 --separate-stderr as station-1 hagg-aggregate --station 1 --round 3 -o out cut long-1/client-[23] long-1/mask-*
        assert_output ""
        assert_regex "$stderr" '^hagg-aggregate: cut: record 1 \(byte 0\): ends too early, in its (payload|digest): get it again$'
        assert_not_exist out
    done
    accepted station-1 hagg-aggregate --station 1 --round 3 long-1/*
}

@test "the digest of a record that opens is wrong" {
    python3 -c 'data = bytearray(open("station-1/client-1", "rb").read()); data[-1] ^= 1; open("bad", "wb").write(data)'
    station_refuses 3 "record 1 (byte 0): digest does not match, so the record is damaged: get it again" bad
}

@test "the same record twice" {
    station_refuses 4 "client 2 is already in the sum (from station-1/client-2)" station-1/client-2
}

@test "a roster for others, one that is not sealed, forged ones, and one of another round" {
    local add=(station-1 hagg-aggregate --station 1 station-1/*)

    sealed_python '
for record in records("roster"):
    if record.header["to"] == ["station", 1]:
        header, payload = record.header, record.payload
save("own", header, payload)
with open("others", "wb") as file:
    for record in records("roster"):
        if record.header["to"] != ["station", 1]:
            file.write(write_record(record.header, record.payload))
values = opened(header, payload)
bare = {key: value for key, value in header.items() if key != "to"}
save("unsealed", bare, values)
# by station 2, as the federator
made = sealed_by(["station", 2], header, values)
save("by-station", header, made)
save("claimed", header, replace(made, sender=key_id(public(["federator", 1]))))
# without client 3
save("changed", {**header, "clients": [1, 2]}, payload)
save("renumbered", {**header, "round": 2}, payload)
# an honest report of a station, as a roster
save("report", {**header, "from": ["station", 2]}, sealed_by(["station", 2], {**header, "from": ["station", 2]}, values))'
    refused 6 "others: has no roster for this node: get it from the federator" "${add[@]}" --roster others
    refused 6 "unsealed: record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender" "${add[@]}" --roster unsealed
    refused 6 "by-station: record 1 (byte 0): is sealed with key $(sed -n 's/^station 2 .* # //p' ids.txt), which is not a key of federator 1 in ids.txt" "${add[@]}" --roster by-station
    refused 6 "claimed: record 1 (byte 0): $AUTHENTIC" "${add[@]}" --roster claimed
    refused 3 "changed: record 1 (byte 0): payload of a roster is neither empty nor 16 bytes for each client" "${add[@]}" --roster changed
    refused 6 "renumbered: record 1 (byte 0): $AUTHENTIC" "${add[@]}" --roster renumbered
    refused 4 "report: record 1 (byte 0): is the report of station 2, not the roster: make the roster from all reports with hagg-roster" "${add[@]}" --roster report
    refused 6 "roster-2: record 1 (byte 0): was sealed in round 2, but this is round 1: get the record of this round" "${add[@]}" --round 1 --roster roster-2
    refused 6 "station-1/client-1: record 1 (byte 0): was sealed in round 1, but this is round 2: get the record of this round" "${add[@]}" --roster roster-2
    # the part for this station is enough
    accepted "${add[@]}" --roster own
    accepted "${add[@]}" --roster roster
}

@test "a roster of other clients with the same number of runs" {
    as federator hagg-roster -q --round 1 --clients 1-3 report-[1-4] -o three
    sealed_python '
for record in records("three"):
    if record.header["to"] == ["station", 1]:
        save("changed", {**record.header, "clients": [2, 4]}, record.payload)'
    refused 6 "changed: record 1 (byte 0): $AUTHENTIC" station-1 hagg-aggregate --station 1 --roster changed station-1/*
}

@test "the identity of another node, a key that is not in the plan, and none" {
    local share=(hagg-share --client 1 --round 9 -o "out-{}" v1.npy)

    run -6 --separate-stderr as client-2 "${share[@]}"
    assert_equal "$stderr" "hagg-share: keys/client-2.pem is the private key of client 2, not of client 1"
    run -6 --separate-stderr as station-1 "${share[@]}"
    assert_equal "$stderr" "hagg-share: keys/station-1.pem is the private key of station 1, not of client 1"
    hagg-keygen --identity keys/client-9.pem --client 1
    run -6 --separate-stderr as client-9 "${share[@]}"
    assert_equal "$stderr" "hagg-share: keys/client-9.pem: is not the private key of any node in ids.txt: use one whose public key is in it"
    cp keys/client-2.pem keys/client-1.copy
    HAGG_IDENTITY='keys/client-{}.copy' run -6 --separate-stderr "${share[@]}"
    assert_equal "$stderr" "hagg-share: keys/client-1.copy: is not a private key of client 1 in ids.txt"
    run -1 --separate-stderr as client-8 "${share[@]}"
    assert_equal "$stderr" "hagg-share: keys/client-8.pem: No such file or directory"
    assert_output ""
    run -1 compgen -G 'out-*'
    for command in "hagg-aggregate --station 1 -o out station-1/client-1" "hagg-aggregate -o out station-1/client-1" \
        "hagg-roster --round 1 --station 1 -o out station-1/client-1" "hagg-decode -o out sum-1" \
        "hagg-keygen --station 1 --round 9 --length 7 -o out-{}" "hagg-share --client 1 --round 9 -o out-{} v1.npy" \
        "hagg-transform --step contribute --station 1 -o out-{} sum-1"; do
        # shellcheck disable=SC2086 # a line of words
        run -2 --separate-stderr $command
        assert_output ""
        assert_equal "$stderr" "${command%% *}: the.plan: has identities, so records are sealed: give the private key of the node with --identity (or HAGG_IDENTITY)"
        run -1 compgen -G 'out*'
    done
    run -6 --separate-stderr as station-2 hagg-decode -o out sum-1
    assert_equal "$stderr" "hagg-decode: keys/station-2.pem is the private key of station 2, not of federator 1"
    run -0 --separate-stderr as client-1 "${share[@]}"
}

@test "--identity with a plan that has no identities, and without a plan" {
    run -2 --separate-stderr hagg-share --plan bare.plan --identity keys/client-1.pem --client 1 --round 9 -o "out-{}" v1.npy
    assert_equal "$stderr" "hagg-share: bare.plan: has no identities, so records would not be sealed: omit --identity, or add an identities line to the topology"
    run -2 --separate-stderr hagg-aggregate --plan '' --identity keys/station-1.pem -o out bare-1/client-1
    assert_equal "$stderr" "hagg-aggregate: --identity requires a plan with identities: use --plan or HAGG_PLAN"
    HAGG_IDENTITY=keys/client-1.pem run -2 --separate-stderr hagg-share --plan bare.plan --client 1 --round 9 -o "out-{}" v1.npy
    assert_equal "$stderr" "hagg-share: bare.plan: has no identities, so records would not be sealed: unset HAGG_IDENTITY, or add an identities line to the topology"
    run -1 compgen -G 'out*'
    run -0 --separate-stderr hagg-share --plan bare.plan --client 1 --round 9 -o "out-{}" v1.npy
    run -0 hagg-inspect --json out-1
    assert_json '"sealed" not in lines[0]'
}

@test "--identity comes before HAGG_IDENTITY" {
    HAGG_IDENTITY=nowhere run -0 --separate-stderr hagg-share --identity keys/client-1.pem --client 1 --round 9 -o "out-{}" v1.npy
    HAGG_IDENTITY='' run -2 --separate-stderr hagg-share --client 1 --round 9 -o "no-{}" v1.npy
}

@test "a refusal leaves the state as it was" {
    forge station-1/client-1 'header["id"] = bytes(16)' forged
    refused 6 "forged: record 1 (byte 0): $AUTHENTIC" station-1 hagg-aggregate --station 1 forged station-1/client-[23] station-1/mask-*
    # this one makes the state, which is still without entries
    forge station-1/mask-2 'header["id"] = bytes(16)' mask
    run -6 --separate-stderr as station-1 hagg-aggregate --station 1 -o out station-1/client-* mask
    find "$HAGG_STATE" -type f -exec sha256sum {} + | sort >before
    for file in forged second-1/client-1 other-1/client-1 bare-1/client-1 station-2/client-1; do
        run -6 --separate-stderr as station-1 hagg-aggregate --station 1 --round 1 -o out $file station-1/client-[23] station-1/mask-*
    done
    # on standard output, where the first byte would be seen at once, and with a forged mask
    for file in forged "station-1/client-1 mask"; do
        # shellcheck disable=SC2086 # two words
        run -6 --separate-stderr as station-1 hagg-aggregate --station 1 --round 1 $file station-1/client-[23] station-1/mask-[134]
        assert_output ""
    done
    find "$HAGG_STATE" -type f -exec sha256sum {} + | sort >after
    diff before after
    accepted station-1 hagg-aggregate --station 1 station-1/*
    find "$HAGG_STATE" -type f -exec sha256sum {} + | sort >after
    run -1 diff before after
}

# Every bit of a small record, one after the other. The other records of the station do not change, so a
# broken check would give a sum.
@test "a flipped bit at any position of a sealed record is refused" {
    mkdir -p -m 700 "$HAGG_STATE/station-1"
    run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/flip_bits.py" station-1/client-1 keys/station-1.pem "$HAGG_STATE/station-1" \
        station-1/client-2 station-1/client-3 station-1/mask-1 station-1/mask-2 station-1/mask-3 station-1/mask-4
    assert_line --regexp '^[0-9]+ flips: status 3 [1-9][0-9]*, status 6 [1-9][0-9]*$'
    accepted station-1 hagg-aggregate --station 1 station-1/*
}
