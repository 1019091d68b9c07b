#!/usr/bin/env bats
# hagg-aggregate, as hagg-aggregate(1) describes it.

load common

TOOL=hagg-aggregate
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# plain FILE NUMBERS OPTION...: shares integers without a plan.
plain() {
    printf '%s\n' $2 | hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o "$1" "${@:3}"
}

# The uploads of three clients.
three_clients() {
    share_ints 1 1 10 100
    share_ints 2 2 20 200
    share_ints 3 3 30 300
}

# The same, as if they had been made without a plan.
loose_clients() {
    three_clients
    unplanned station-*/*.cbor
}

# --- sums

@test "shares of the same holder are added, and the sum lists their clients" {
    loose_clients
    run -0 --separate-stderr hagg-aggregate station-2/*.cbor -o out.cbor
    assert_output ""
    assert_equal "$stderr" ""
    run -0 hagg-inspect --json out.cbor
    assert_json 'len(lines) == 2 and lines[0]["clients"] == [[1, 3]] and lines[0]["kind"] == "share"'
    assert_json 'lines[0]["from"] == ["station", 2] and lines[0]["to"] == ["federator", 1]'
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

def payload(path):
    return hagg_format.read_stream(open(path, "rb").read())[0].elements.astype("u8")

total = sum(payload(f"station-2/client-{i}.cbor") for i in (1, 2, 3)) % (2**31 - 1)
assert (payload("out.cbor") == total).all()
END
}

@test "records that cannot be added are written as separate sums, in order of arrival" {
    loose_clients
    cat station-*/*.cbor | hagg-aggregate >out.cbor
    run -0 hagg-inspect --json out.cbor
    assert_json '[(r["of"], r.get("scheme", {}).get("index")) for r in lines[:-1]] == [
        ("padded", 0), ("key", None), ("padded", 1), ("padded", 2)]'
    assert_json 'all(r["clients"] == [[1, 3]] for r in lines[:-1])'
}

@test "sums can be added to sums" {
    loose_clients
    hagg-aggregate station-2/client-1.cbor station-2/client-3.cbor -o part.cbor
    hagg-aggregate part.cbor station-2/client-2.cbor -o a.cbor
    hagg-aggregate station-2/*.cbor -o b.cbor
    run -0 cmp a.cbor b.cbor
}

@test "pipes, files and threads give the same bytes" {
    npy v.npy 'np.random.default_rng(1).integers(-1000, 1000, 1200001)'
    for i in 1 2 3 4 5; do
        hagg-share -n 3 -k 2 -z 1 --client $i -o "s$i.cbor" v.npy
    done
    hagg-aggregate -o files.cbor s?.cbor
    cat s?.cbor | hagg-aggregate -o pipe.cbor
    cat s1.cbor s2.cbor | hagg-aggregate -o mixed.cbor - s3.cbor s4.cbor s5.cbor
    hagg-aggregate --threads 3 -o threads.cbor s?.cbor
    run -0 cmp files.cbor pipe.cbor
    run -0 cmp files.cbor mixed.cbor
    run -0 cmp files.cbor threads.cbor
}

@test "more files than can be open at once" {
    plain s.cbor "1 2 3"
    files=()
    for i in {1..300}; do
        cp s.cbor "s$i.cbor"
        files+=("s$i.cbor")
    done
    few() {
        ulimit -n 64
        hagg-aggregate -o out.cbor "${files[@]}"
    }
    run -0 --separate-stderr few
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-decode --format text out.cbor
    assert_output $'300\n600\n900'
}

@test "--only shares and --only keys" {
    loose_clients
    hagg-aggregate --only shares station-1/*.cbor -o shares.cbor
    hagg-aggregate --only keys station-1/*.cbor -o keys.cbor
    run -0 hagg-inspect --json shares.cbor keys.cbor
    assert_json 'len(lines) == 3 and lines[0]["of"] == "padded" and lines[1]["of"] == "key"'
}

@test "keys are sent from station to station and from the last to the federator" {
    three_clients
    hagg-aggregate --plan small.topo --station 1 --only keys --clients 1-3 station-1/*.cbor -o keys-1.cbor
    hagg-aggregate --plan small.topo --station 2 --only keys --clients 1-3 keys-1.cbor station-2/*.cbor -o keys-2.cbor
    # every station of the chain checks the keys
    for line in "1 station-1/client-1.cbor station-1/client-2.cbor station-1/client-3.cbor" "2 keys-1.cbor" "3 keys-2.cbor"; do
        unchanged 5 hagg-aggregate --plan small.topo --only keys -o keys-3.cbor --station $line
        assert_message "the key of client 4 is missing: get it, add the sum from the previous station, or agree on the clients with hagg-roster and use --roster"
    done
    hagg-aggregate --plan small.topo --station 3 --only keys --clients 1-3 keys-2.cbor \
        station-3/*.cbor -o keys-3.cbor
    run -0 hagg-inspect --json keys-1.cbor keys-2.cbor keys-3.cbor
    assert_json '[(r["from"][1], r["to"]) for r in lines[:3]] == [
        (1, ["station", 2]), (2, ["station", 3]), (3, ["federator", 1])]'
    assert_json 'all(r["clients"] == [[1, 3]] for r in lines[:3])'
}

@test "a station does not write keys and sums of shares to one file" {
    three_clients
    unchanged 6 hagg-aggregate --plan small.topo --station 1 station-1/*.cbor -o out.cbor
    assert_message "keys and shares have different destinations: use --only keys or --only shares, or {} in -o"
    run -0 --separate-stderr hagg-aggregate --plan small.topo --station 1 --clients 1-3 station-1/*.cbor -o 'to-{}.cbor'
    run -0 hagg-inspect --json to-1.cbor to-2.cbor
    assert_json '[(r["of"], r["to"]) for r in lines[:2]] == [
        ("padded", ["federator", 1]), ("key", ["station", 2])]'
}

@test "stations do not send sums for a total of too few clients" {
    three_clients
    for only in keys shares; do
        unchanged 6 hagg-aggregate --plan small.topo --station 1 --only $only --clients 3 -o out.cbor station-1/*.cbor
        assert_message "a total of 1 client would reveal too much: at least 2 are needed"
    done
    unchanged 6 hagg-aggregate --plan small.topo --only keys --clients 3 -o out.cbor station-1/client-3.cbor
    assert_message "a total of 1 client would reveal too much: at least 2 are needed"
}

@test "the chain adds up keys that different stations received" {
    cat >small.topo <<END
collude  partial stations=1
stations 3
client   1 via 1-3 keys 3
client   2 via 1-3 keys 2
client   3 via 1-3 keys 1
protocol keys
END
    three_clients
    add_stations
    run -0 hagg-inspect --json keys-1.cbor keys-2.cbor keys-3.cbor
    assert_json '[r["clients"] for r in lines[:3]] == [[[3, 3]], [[2, 3]], [[1, 3]]]'
    run -0 --separate-stderr hagg-decode --plan small.topo -q --format text from-?.cbor keys-3.cbor
    assert_output $'6\n60\n600'
}

@test "without a plan a sum of keys has no addressee" {
    loose_clients
    hagg-aggregate --only keys station-1/*.cbor -o keys.cbor
    run -0 hagg-inspect --json keys.cbor
    assert_json '"to" not in lines[0] and "from" not in lines[0]'
}

@test "the plan is read from HAGG_PLAN" {
    three_clients
    HAGG_PLAN=small.topo hagg-aggregate --station 1 --only keys --clients 1-3 station-1/*.cbor -o keys.cbor
    run -0 hagg-inspect --json keys.cbor
    assert_json 'lines[0]["to"] == ["station", 2]'
}

# --- sums over exactly the agreed clients

@test "under a plan a sum of shares that lacks a client is refused" {
    three_clients
    for line in "--station 1 station-1/client-1.cbor station-1/client-2.cbor" "station-2/client-1.cbor station-2/client-2.cbor"; do
        unchanged 5 hagg-aggregate --plan small.topo --only shares --clients 1-3 -o out.cbor $line
        assert_message "the share of the vector of client 3 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
    done
    unchanged 5 hagg-aggregate --plan small.topo --only shares -o out.cbor --station 1 station-1/*.cbor
    assert_message "the share of the vector of client 4 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
    hagg-aggregate --plan small.topo --only shares --clients 1,2 -o out.cbor --station 1 station-1/*.cbor
    run -0 hagg-inspect --json out.cbor
    assert_json 'lines[0]["clients"] == [[1, 2]]'
}

@test "--skip-incomplete: a station sends nothing for a sum that lacks a client" {
    cat >small.topo <<END
collude  partial stations=1
drop     stations=1
stations 5
client   1 2 via 1-4
client   3 via 2-5
protocol keys
END
    three_clients
    rm station-2/client-2.cbor
    unchanged 5 hagg-aggregate --plan small.topo --station 2 --only shares -o out.cbor station-2/*.cbor
    assert_message "the share of the vector of client 2 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors, or leave out its sum with --skip-incomplete"
    run -0 --separate-stderr hagg-aggregate --plan small.topo --station 2 --only shares --skip-incomplete -o from-2.cbor station-2/*.cbor
    assert_message "1 sum that lacks a client was left out"
    run -0 hagg-inspect --json from-2.cbor
    assert_json 'len(lines) == 2 and lines[0]["clients"] == [[3, 3]]'
    for u in 1 3 4 5; do
        hagg-aggregate --plan small.topo --station $u --only shares -o from-$u.cbor station-$u/*.cbor
    done
    hagg-aggregate --plan small.topo --only keys -o keys.cbor station-[12]/*.cbor
    run -0 --separate-stderr hagg-decode --plan small.topo --format text from-?.cbor keys.cbor
    assert_output $'6\n60\n600'
}

@test "drop clients=N: no more than N clients may be left out" {
    sed -i '$a drop clients=1' small.topo
    three_clients
    share_ints 4 4 40 400
    for only in shares keys; do
        hagg-aggregate --plan small.topo --station 1 --only $only --clients 1-3 -o out.cbor station-1/*.cbor
        rm out.cbor
        unchanged 6 hagg-aggregate --plan small.topo --station 1 --only $only --clients 1,2 -o out.cbor station-1/*.cbor
        assert_message "small.topo: 2 clients are missing, but the plan tolerates only 1 (drop line): wait for the others"
    done
}

# --- --clients

@test "--clients adds these clients and skips others" {
    loose_clients
    hagg-aggregate --clients 1,3 station-2/*.cbor -o out.cbor
    run -0 hagg-inspect --json out.cbor
    assert_json 'lines[0]["clients"] == [[1, 1], [3, 3]]'
    hagg-aggregate station-2/client-1.cbor station-2/client-3.cbor -o same.cbor
    run -0 cmp out.cbor same.cbor
    forget
    hagg-aggregate --clients '2-3 7' station-2/*.cbor -o out.cbor
    run -0 hagg-inspect --json out.cbor
    assert_json 'lines[0]["clients"] == [[2, 3]]'
}

@test "a sum with a client that is left out is refused" {
    loose_clients
    hagg-aggregate station-2/*.cbor -o sum.cbor
    unchanged 4 hagg-aggregate --clients 1,3 -o out.cbor sum.cbor
    assert_message "sum.cbor: record 1 (byte 0): is a sum that includes clients outside --clients: add up the records of the remaining clients"
}

@test "if no record is wanted, the output is empty and a note is printed" {
    loose_clients
    for line in "--clients 4" "--only keys"; do
        # the output of an earlier run must be replaced
        echo old >out.cbor
        run -0 --separate-stderr hagg-aggregate $line -o out.cbor station-2/client-1.cbor
        assert_message "nothing to add up: no record of the input was selected"
        assert_equal "$(stat -c %s out.cbor)" 0
    done
    # without a plan it is unknown whether records should have arrived
    unchanged 5 hagg-aggregate -o out.cbor </dev/null
    assert_message "nothing to add up: the input has no records"
}

@test "under a plan an empty input is accepted only if no record should have arrived" {
    sed -i 's/1-3/1-3 keys 2/; s/stations 3/stations 4/' small.topo
    three_clients
    # station 1 gets no keys, and station 4 gets no shares
    hagg-aggregate --plan small.topo --station 1 --only keys station-1/*.cbor >keys-1.cbor
    assert_equal $(stat -c %s keys-1.cbor) 0
    run -0 --separate-stderr hagg-aggregate --plan small.topo --station 4 --only shares -o out.cbor </dev/null
    assert_equal "$(stat -c %s out.cbor)" 0
    assert_message "nothing to add up: no record of the input was selected"
    # the empty sum is passed along the chain to the first station that has keys
    hagg-aggregate --plan small.topo --station 2 --clients 1-3 --only keys -o keys-2.cbor keys-1.cbor station-2/*.cbor
    unchanged 5 hagg-aggregate --plan small.topo --station 3 --clients 1-3 --only keys -o keys-3.cbor keys-1.cbor station-3/*.cbor
    assert_message "nothing to add up: the key of client 1 is missing: get it, or agree on the remaining clients with hagg-roster and use --roster"
    hagg-aggregate --plan small.topo --station 3 --clients 1-3 --only keys -o keys-3.cbor keys-2.cbor station-3/*.cbor
    hagg-aggregate --plan small.topo --station 4 --clients 1-3 --only keys -o keys-4.cbor keys-3.cbor
    for u in 1 2 3; do
        hagg-aggregate --plan small.topo --station $u --clients 1-3 --only shares -o from-$u.cbor station-$u/*.cbor
    done
    hagg-decode --plan small.topo -q --format text from-?.cbor keys-4.cbor
    # station 2 should have received shares, and so should a command without --station
    unchanged 5 hagg-aggregate --plan small.topo --station 2 --clients 2-4 --only shares -o out.cbor </dev/null
    assert_message "the share of the vector of client 2 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
    unchanged 5 hagg-aggregate --plan small.topo -o out.cbor </dev/null
    assert_message "nothing to add up: the vector of client 1 is missing: get it, or agree on the remaining clients with hagg-roster and use --roster"
}

# --- what does not belong together

@test "the same client twice is refused, and the message names both files" {
    loose_clients
    cp station-1/client-1.cbor copy.cbor
    unchanged 4 hagg-aggregate -o out.cbor station-1/client-1.cbor station-1/client-2.cbor copy.cbor
    assert_message "copy.cbor: client 1 is already in the sum (from station-1/client-1.cbor)"
    unchanged 4 hagg-aggregate -o out.cbor station-1/client-1.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: client 1 is already in the sum (from station-1/client-1.cbor)"
}

@test "a client that already is in a sum is refused" {
    loose_clients
    hagg-aggregate station-2/*.cbor -o sum.cbor
    unchanged 4 hagg-aggregate -o out.cbor sum.cbor station-2/client-2.cbor
    assert_message "station-2/client-2.cbor: client 2 is already in the sum (from sum.cbor)"
    unchanged 4 hagg-aggregate -o out.cbor station-2/client-2.cbor sum.cbor
    assert_message "sum.cbor: client 2 is already in the sum (from station-2/client-2.cbor)"
}

@test "a client twice in a pipe" {
    loose_clients
    twice() {
        cat station-2/client-1.cbor station-2/client-1.cbor | hagg-aggregate -o out.cbor
    }
    unchanged 4 twice
    assert_message "standard input: client 1 is already in the sum (from standard input)"
}

@test "mixed rounds" {
    plain a.cbor "1 2 3" --round 1
    plain b.cbor "1 2 3" --round 2
    plain c.cbor "1 2 3"
    unchanged 4 hagg-aggregate -o out.cbor a.cbor b.cbor
    assert_message "b.cbor: round is 2, but a.cbor has 1"
    unchanged 4 hagg-aggregate -o out.cbor a.cbor c.cbor
    assert_message "c.cbor: round is none, but a.cbor has 1"
}

@test "a record that names a plan needs this plan" {
    three_clients
    HAGG_PLAN=small.topo assert_needs_plan hagg-aggregate -o out.cbor station-2/client-1.cbor
    HAGG_PLAN=small.topo assert_needs_plan hagg-aggregate --unsafe-plan --only keys --clients 1 -o out.cbor station-1/*.cbor
    # even if another record does not name one
    cp station-2/client-2.cbor loose.cbor
    unplanned loose.cbor
    unchanged 6 hagg-aggregate -o out.cbor loose.cbor station-2/client-1.cbor
    unchanged 4 hagg-aggregate --plan small.topo -o out.cbor loose.cbor
    assert_message "loose.cbor: record 1 (byte 0): was made without a plan: use --plan '' or unset HAGG_PLAN"
}

@test "mixed fields" {
    plain a.cbor "1 2 3"
    plain b.cbor "1 2 3" --field m61
    plain c.cbor "1 2 3" --field prime:p=1000003
    unchanged 4 hagg-aggregate -o out.cbor a.cbor b.cbor
    assert_message "b.cbor: field is m61, but a.cbor has m31"
    unchanged 4 hagg-aggregate -o out.cbor a.cbor c.cbor
    assert_message "c.cbor: field is prime:p=1000003, but a.cbor has m31"
}

@test "mixed lengths, shapes, types" {
    plain a.cbor "1 2 3 4"
    plain b.cbor "1 2 3"
    unchanged 4 hagg-aggregate -o out.cbor a.cbor b.cbor
    assert_message "b.cbor: length is 3, but a.cbor has 4"
    npy v.npy 'np.array([[1, 2], [3, 4]], dtype="i4")'
    hagg-share -n 3 -k 2 -z 1 -o c.cbor v.npy
    unchanged 4 hagg-aggregate -o out.cbor a.cbor c.cbor
    assert_message "c.cbor: shape is (2, 2), but a.cbor has (4)"
    npy v.npy 'np.array([1, 2, 3, 4], dtype="i2")'
    hagg-share -n 3 -k 2 -z 1 -o d.cbor v.npy
    unchanged 4 hagg-aggregate -o out.cbor a.cbor d.cbor
    assert_message "d.cbor: type is i2, but a.cbor has i4"
}

@test "mixed quantisations" {
    for bits in 8 9; do
        echo 0.5 | hagg-share -n 3 -k 2 -z 1 --quantize bits=$bits,clip=0.1 --clip -o q$bits.cbor 2>/dev/null
    done
    echo 0.5 | hagg-share -n 3 -k 2 -z 1 --quantize bits=8,clip=1,rounding=stochastic -o s.cbor
    unchanged 4 hagg-aggregate -o out.cbor q8.cbor q9.cbor
    assert_message "q9.cbor: quantisation is 9 bits, clip 0.10000000000000001, nearest, but q8.cbor has 8 bits, clip 0.10000000000000001, nearest"
    unchanged 4 hagg-aggregate -o out.cbor q8.cbor s.cbor
    assert_message "s.cbor: quantisation is 8 bits, clip 1, stochastic, but q8.cbor has 8 bits, clip 0.10000000000000001, nearest"
}

@test "mixed records with and without a sample count" {
    plain a.cbor "1 2 3"
    plain b.cbor "1 2" --samples 3
    unchanged 4 hagg-aggregate -o out.cbor a.cbor b.cbor
    assert_message "b.cbor: shape is (2), but a.cbor has (3)"
}

@test "records with and without clients" {
    plain a.cbor "1 2 3"
    plain b.cbor "1 2 3" --client 3
    unchanged 4 hagg-aggregate -o out.cbor a.cbor b.cbor
    assert_message "b.cbor: record 1 (byte 0): lists its clients, but other records of this sum do not"
    unchanged 4 hagg-aggregate -o out.cbor b.cbor a.cbor
    assert_message "a.cbor: record 1 (byte 0): does not list its clients, but other records of this sum do"
}

@test "a record for another station" {
    share_ints 1 1 2
    unplanned station-*/*.cbor
    cp key-1.cbor loose-key.cbor
    unplanned loose-key.cbor
    unchanged 4 hagg-aggregate --station 2 -o out.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: record 1 (byte 0): is for station 1, but this is station 2"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: record 1 (byte 0): is for station 1, but this is relay 1"
    unchanged 2 hagg-aggregate --plan small.topo --relay 1 -o out.cbor station-1/client-1.cbor
    assert_message "small.topo: has no relay 1"
    unchanged 4 hagg-aggregate --station 1 -o out.cbor loose-key.cbor
    assert_message "loose-key.cbor: record 1 (byte 0): is not addressed to station 1"
}

@test "stations and clients that are not in the plan" {
    three_clients
    unchanged 2 hagg-aggregate --plan small.topo --station 4 -o out.cbor station-1/client-1.cbor
    assert_message "small.topo: has no station 4"
    unchanged 2 hagg-aggregate --plan small.topo --clients 1,9 -o out.cbor station-1/client-1.cbor
    assert_message "small.topo: --clients names clients that are not in the plan"
}

@test "a record with the digest of the plan that does not belong to it" {
    three_clients
    # the record is valid, but the plan has no client 77
    "$HAGG_PYTHON" - <<'PYTHON'
import os, sys
sys.path.insert(0, os.path.join(os.environ["HAGG_SOURCE_DIR"], "tests", "format"))
from hagg_format import read_stream, write_record
record = read_stream(open("station-1/client-1.cbor", "rb").read())[0]
record.header["clients"] = [77, 77]
record.header["from"] = ["client", 77]
open("forged.cbor", "wb").write(write_record(record.header, record.elements))
record.header["clients"] = [1, 1]
record.header["from"] = ["client", 1]
record.header["scheme"]["point"] = 77
open("point.cbor", "wb").write(write_record(record.header, record.elements))
PYTHON
    unchanged 4 hagg-aggregate --plan small.topo -o out.cbor forged.cbor
    assert_message "forged.cbor: record 1 (byte 0): lists clients that are not in the plan"
    unchanged 4 hagg-aggregate --plan small.topo -o out.cbor point.cbor
    assert_message "point.cbor: record 1 (byte 0): scheme differs from that of the plan"
}

@test "a record of another plan" {
    share_ints 1 1 2
    sed 's/clip=1.0/clip=2.0/' small.topo >other.topo
    unchanged 4 hagg-aggregate --plan other.topo -o out.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: record 1 (byte 0): $(different_plan small.topo other.topo)"
}

# --- damage

@test "a damaged record is detected, in a file and in a pipe, and nothing is written" {
    loose_clients
    bad=station-2/client-2.cbor
    size=$(stat -c %s $bad)
    printf '\1\1' | dd of=$bad bs=1 seek=$((size - 20)) conv=notrunc status=none
    unchanged 3 hagg-aggregate -o out.cbor station-2/*.cbor
    assert_regex "$stderr" "^hagg-aggregate: $bad: (record 1 \(byte 0\): )?digest does not match, so the record is damaged: get it again\$"
    piped() {
        cat station-2/*.cbor | hagg-aggregate -o out.cbor
    }
    unchanged 3 piped
    assert_regex "$stderr" "^hagg-aggregate: standard input: record 2 .*: digest does not match, so the record is damaged: get it again\$"
}

@test "an element that is not in the field" {
    cp "$VECTORS/bad/element-m31-p.cbor" bad.cbor
    unchanged 3 hagg-aggregate -o out.cbor bad.cbor
    assert_message "bad.cbor: element 16 is not an element of field 'm31'"
}

@test "files that are empty, truncated, of another format, or missing" {
    plain a.cbor "1 2 3"
    : >empty
    unchanged 3 hagg-aggregate -o out.cbor a.cbor empty
    assert_message "empty: is empty: it contains no record"
    head -c 60 a.cbor >cut.cbor
    unchanged 3 hagg-aggregate -o out.cbor cut.cbor
    assert_message "cut.cbor: record 1 (byte 0): ends too early, in its header: get it again"
    echo text >text
    unchanged 3 hagg-aggregate -o out.cbor text
    assert_message "text: is not a hagg file"
    unchanged 1 hagg-aggregate -o out.cbor a.cbor nowhere
    assert_message "nowhere: No such file or directory"
    unchanged 1 hagg-aggregate -o out.cbor .
    assert_message ".: is a directory: name the files in it, for instance ./*.cbor"
    mkdir station-2
    unchanged 1 hagg-aggregate -o out.cbor station-2
    assert_message "station-2: is a directory: name the files in it, for instance station-2/*.cbor"
    unchanged 1 hagg-aggregate -o out.cbor station-2/
    assert_message "station-2/: is a directory: name the files in it, for instance station-2/*.cbor"
    unchanged 1 hagg-aggregate -o station-2 a.cbor
    assert_message "station-2: is a directory: name a file in it"
}

# --- outputs

@test "sums have mode 0600, and {} is the number of the addressee" {
    loose_clients
    umask 000
    hagg-aggregate -o 'to-{}/sum.cbor' station-1/*.cbor
    assert_file_permission 600 to-1/sum.cbor
    # without a plan the sum of keys has no addressee
    assert_file_permission 600 to-0/sum.cbor
    assert_no_temporaries
}

@test "an output that is an input is refused" {
    loose_clients
    ln station-2/client-1.cbor same.cbor
    for name in station-2/client-1.cbor "$PWD/station-2/../station-2/client-1.cbor" same.cbor; do
        unchanged 2 hagg-aggregate -o "$name" station-2/*.cbor
        assert_message "$name: is also an input of this command: name another output"
    done
}

@test "binary output to a terminal is refused unless -o - is given" {
    plain a.cbor "1 2 3"
    run -2 on_terminal hagg-aggregate a.cbor
    assert_output "hagg-aggregate: standard output is a terminal: redirect it, or use -o FILE, or -o - to write there anyway"$'\r'
    run -0 on_terminal hagg-aggregate -o - a.cbor
    assert [ "${#output}" -gt 100 ]
}

@test "a full device, and a closed pipe" {
    npy v.npy 'np.zeros(1000000, dtype="i4")'
    hagg-share -n 3 -k 2 -z 1 -o a.cbor v.npy
    to_full() {
        hagg-aggregate a.cbor >/dev/full
    }
    to_closed_pipe() {
        hagg-aggregate a.cbor | head -c 100 >/dev/null
        return "${PIPESTATUS[0]}"
    }
    unchanged 1 hagg-aggregate -o /dev/full a.cbor
    assert_message "/dev/full: No space left on device"
    unchanged 1 to_full
    assert_message "standard output: No space left on device"
    unchanged 141 to_closed_pipe
    assert_equal "$stderr" ""
}

# --- usage errors

@test "option values are checked" {
    run -2 --separate-stderr hagg-aggregate --only foo
    assert_usage "--only must be shares or keys, not 'foo'"
    for set in 5-1 "" 1, 0 1-x 4294967296; do
        run -2 --separate-stderr hagg-aggregate --clients "$set"
        assert_usage "--clients must be numbers and ranges such as 1-5,7, not '$set'"
    done
    run -2 --separate-stderr hagg-aggregate --station 0
    assert_usage "--station must be a number from 1 to 65535, not '0'"
    run -2 --separate-stderr hagg-aggregate --relay 65536
    assert_usage "--relay must be a number from 1 to 65535, not '65536'"
    run -2 --separate-stderr hagg-aggregate --station 1 --relay 1
    assert_usage "use only one of --station and --relay"
    run -2 --separate-stderr hagg-aggregate --threads 257
    assert_usage "--threads must be a number from 1 to 256, not '257'"
    run -2 --separate-stderr hagg-aggregate --nowhere
    assert_usage "unrecognized option '--nowhere'"
}

@test "--progress and --no-progress are accepted, and short runs show no progress" {
    plain a.cbor "1 2 3"
    run -0 --separate-stderr hagg-aggregate --progress -o out.cbor a.cbor
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-aggregate --no-progress -o out.cbor a.cbor
    assert_equal "$stderr" ""
}

# --- hostile inputs

@test "many ranges of clients, in descending order, are added in little time" {
    # every list has a gap after each client until the other half of the records arrives; with a list that
    # is shifted for each range, this takes minutes
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" >many.cbor <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format
import numpy

for first in (2, 1):
    for part in range(7, -1, -1):
        clients = [n for i in range(first, 120001, 2) for n in 2 * [120000 * part + i]]
        header = {"v": hagg_format.VERSION, "kind": "share", "of": "plain", "field": "gf256", "length": 1,
                  "scheme": {"name": "ramp", "n": 2, "k": 2, "z": 1, "index": 0, "point": 1},
                  "route": [["holder", [1, 2]]], "clients": clients}
        sys.stdout.buffer.write(hagg_format.write_record(header, numpy.array([part], dtype="<u1")))
END
    run -0 --separate-stderr hagg-aggregate -o sum.cbor many.cbor
    run -0 hagg-inspect --json sum.cbor
    assert_json 'lines[0]["clients"] == [[1, 960000]]'
    hagg-inspect --json many.cbor | tail -n 1 >summary.json
    run -0 cat summary.json
    assert_json 'lines[0]["summary"]["clients"] == [[1, 960000]]'
}
