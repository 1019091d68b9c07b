#!/usr/bin/env bats
# Protocol aligned: hostile masks, shares and sums at stations, relays and the federator.

load common
load aligned

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    make_spare
}

# Every test begins with the records of round 1, which no node remembers.
setup() {
    cd "$BATS_TEST_TMPDIR"
    cp "$BATS_FILE_TMPDIR"/*.topo .
    cp -r "$BATS_FILE_TMPDIR/spare" spare
}

# Checks that the command fails with this status, this message alone, and no output "none".
refuses() {
    local status=$1 message=$2

    shift 2
    run "-$status" --separate-stderr "$@"
    assert_output ""
    assert_equal "$stderr" "$1: $message"
    assert_file_not_exists none
}

# each_refused FILE COMMAND...: for each line "STATUS | MESSAGE | STATEMENT" of standard input, changes FILE by the
# Python statement and checks that the command refuses the result, "changed", with this message about it. In a
# statement, header and elements are those of the record, and data is its encoding, if that is to be changed.
each_refused() {
    local file=$1 line status message rest n=0

    shift
    cat >table
    python3 -B - "$file" "$HAGG_SOURCE_DIR/tests/format" <<'END'
import copy, sys
sys.path.insert(0, sys.argv[2])
import hagg_format, numpy
with open(sys.argv[1], "rb") as file:
    record, = hagg_format.read_stream(file.read())
with open("table") as table:
    for number, line in enumerate(table, 1):
        header, elements, data = copy.deepcopy(record.header), record.elements.copy(), None
        exec(line.split(" | ", 2)[2].strip().replace("DATA", "hagg_format.write_record(header, elements)"))
        with open(f"changed-{number}", "wb") as file:
            file.write(hagg_format.write_record(header, elements) if data is None else data)
END
    while IFS= read -r line; do
        n=$((n + 1))
        status=${line%% | *}
        rest=${line#* | }
        message=${rest%% | *}
        mv "changed-$n" changed
        refuses "$status" "changed: $message" "$@"
    done <table
    [ "$n" -gt 0 ]
}

other_plan() {
    echo "was made under a different plan than spare.topo: plan digest 0000 0000 0000 0000..., not $(hagg-plan --digest spare.topo | cut -c 1-19)..."
}

# The mask of dealer 2 for station 1 is changed; everything else is there.
change_mask() {
    each_refused spare/station-1/mask-2 hagg-aggregate --plan spare.topo --station 1 -o none \
        spare/station-1/client-* spare/station-1/mask-[13456] changed
}

@test "masks of another round, plan, dealer or station are refused" {
    local r="record 1 (byte 0):"

    change_mask <<END
4 | round is 2, but spare/station-1/client-1 has 1 | header["round"] = 2
4 | round is none, but spare/station-1/client-1 has 1 | del header["round"]
4 | $r $(other_plan) | header["plan"] = bytes(32)
4 | $r was made without a plan: use --plan '' or unset HAGG_PLAN | del header["plan"]
4 | $r is a mask of station 9, which is not a dealer in the plan | header["dealers"] = [9, 9]; header["from"] = ["station", 9]
4 | $r is a mask of dealer 3, but from station 2 | header["dealers"] = [3, 3]
4 | $r is a mask of dealer 2, but from station 3 | header["from"] = ["station", 3]
4 | $r is a mask of dealer 2, but from relay 2 | header["from"] = ["relay", 2]
4 | $r is a mask of dealer 2, but from no node | del header["from"]
4 | $r must be addressed to station 1, not to station 2 | header["to"] = ["station", 2]
4 | $r must be addressed to station 1, not to no node | del header["to"]
4 | $r its stations differ from those of the plan | header["route"] = [["station", [1, 2, 3, 4, 6, 5]]]
4 | $r its stations differ from those of the plan | header["route"] = [["relay", [1, 2, 3, 4, 5, 6]]]
END
    refuses 4 "spare/station-2/mask-2: $r is for station 2, but this is station 1" \
        hagg-aggregate --plan spare.topo --station 1 -o none spare/station-2/mask-2
    rewrite spare/station-2/mask-2 'header["to"] = ["station", 1]'
    refuses 4 "spare/station-2/mask-2: $r must be addressed to station 2, not to station 1" \
        hagg-aggregate --plan spare.topo --station 1 -o none spare/station-2/mask-2
}

@test "masks with other rows, and damaged ones, are refused" {
    local r="record 1 (byte 0):"

    change_mask <<END
4 | $r is cut into 2 chunks, but the plan has 3 | header["chunks"] = 2
4 | $r is cut into 65535 chunks, but the plan has 3 | header["chunks"] = 65535
4 | $r its blocks or chunks differ from those of the plan | header["blocks"] = [1, 2, 3]
4 | $r its blocks or chunks differ from those of the plan | header["blocks"] = [1]
4 | $r scheme differs from that of the plan | header["segments"] = 3
4 | $r scheme differs from that of the plan | header["segments"] = 65535; header["scheme"]["point"] = 65535
4 | $r scheme differs from that of the plan | header["scheme"]["z"] = 2
4 | $r scheme differs from that of the plan | header["scheme"]["k"] = 5
4 | $r scheme differs from that of the plan | header["scheme"]["index"] = 1
4 | $r scheme differs from that of the plan | header["scheme"]["point"] = 5
4 | $r scheme differs from that of the plan | header["scheme"]["name"] = "ramp"
4 | $r field is m61, but the plan has m31 | header["field"] = "m61"
4 | $r has a sample count, unlike the plan | header["samples"] = True
4 | $r is for station 1, but is not from a client | header["of"] = "plain"; del header["chunks"]
4 | length is 10, but spare/station-1/client-1 has 9 | header["length"] = 10
3 | $r payload has 4 elements, but its segments and blocks require 93824992236888 | header["length"] = 2**48
3 | $r payload has 3 elements, but its segments and blocks require 4 | elements = elements[1:]
3 | $r payload has 5 elements, but its segments and blocks require 4 | elements = numpy.append(elements, elements[:1])
3 | $r payload has 0 elements, but its segments and blocks require 4 | elements = elements[:0]
3 | $r a mask has one dealer and no clients | header["clients"] = [1, 1]
3 | element 3 is not an element of field 'm31' | elements[3] = 2**31 - 1
3 | $r ends too early, in its payload: get it again | data = DATA[:-20]
3 | $r ends too early, in its header: get it again | data = DATA[:40]
3 | $r digest does not match, so the record is damaged: get it again | data = DATA[:-1] + b"?"
3 | is empty: it contains no record | data = b""
END
}

@test "a mask is added once, also if it is from another run" {
    cp spare/station-1/mask-2 again
    hagg-keygen --no-state --plan spare.topo --station 2 --round 1 --length 9 -o 'other-{}' 2>/dev/null
    for file in again other-1; do
        refuses 4 "$file: record 1 (byte 0): dealer 2 is already in the sum (from spare/station-1/mask-2): a dealer deals once in a round" \
            hagg-aggregate --plan spare.topo --station 1 -o none spare/station-1/* $file
    done
}

# The share of client 1 for station 1 is changed; everything else is there.
change_share() {
    each_refused spare/station-1/client-1 hagg-aggregate --plan spare.topo --station 1 -o none \
        spare/station-1/client-[34] spare/station-1/mask-* changed
}

@test "shares of another round, plan, client or station are refused" {
    local r="record 1 (byte 0):"

    change_share <<END
4 | round is 2, but spare/station-1/client-3 has 1 | header["round"] = 2
4 | $r $(other_plan) | header["plan"] = bytes(32)
4 | $r client 2 does not use station 1 in the plan | header["clients"] = [2, 2]; header["from"] = ["client", 2]
4 | $r is from client 9, which is not in the plan | header["clients"] = [9, 9]; header["from"] = ["client", 9]
4 | $r is from client 1, but lists other clients | header["clients"] = [1, 3]
4 | $r is from client 1, but lists other clients | header["clients"] = [3, 3]
4 | $r does not list its clients | del header["clients"]
4 | $r is from client 1, but lists dealers | header["dealers"] = [1, 6]
4 | $r is for station 1, but is not from a client | header["from"] = ["station", 1]
4 | $r is for station 1, but is not from a client | header["from"] = ["federator", 1]
4 | $r is for station 1, but is not from a client | del header["from"]
4 | $r must be addressed to station 1, not to station 2 | header["to"] = ["station", 2]
4 | $r must be addressed to station 1, not to federator 1 | header["to"] = ["federator", 1]
4 | $r must be addressed to station 1, not to no node | del header["to"]
4 | $r its stations differ from those of the plan | header["route"] = [["station", [1, 2, 3, 4, 6, 5]]]
END
    refuses 2 "spare.topo: has no station 7" \
        hagg-aggregate --plan spare.topo --station 7 -o none spare/station-1/client-1
    sed 's/^stations 6/stations 7/' spare.topo >seven.topo
    refuses 2 "seven.topo: no client uses station 7" hagg-aggregate --plan seven.topo --station 7 -o none
    refuses 4 "spare/station-2/client-1: $r is for station 2, but this is station 1" \
        hagg-aggregate --plan spare.topo --station 1 -o none spare/station-2/client-1
}

@test "shares with other segments, blocks and lengths, and damaged ones, are refused" {
    local r="record 1 (byte 0):"

    change_share <<END
4 | $r has 2 segments in a block, but client 1 has 1 in the plan | header["blocks"] = [2]
4 | $r has 1 segment in a block, but client 3 has 3 in the plan | header["clients"] = [3, 3]; header["from"] = ["client", 3]
4 | $r is from client 1, but has blocks of 2 different lengths | header["blocks"] = [1, 3]
4 | $r scheme differs from that of the plan | header["segments"] = 3
4 | $r scheme differs from that of the plan | header["scheme"]["z"] = 2
4 | $r scheme differs from that of the plan | header["scheme"]["k"] = 6
4 | $r scheme differs from that of the plan | header["scheme"]["index"] = 1
4 | $r scheme differs from that of the plan | header["scheme"]["index"] = 4; header["scheme"]["point"] = 4
4 | $r is not an aligned share, but the plan has protocol aligned | header["of"] = "padded"; del header["segments"], header["blocks"]
4 | type is f8, but spare/station-1/client-3 has i8 | header["type"] = "f8"
4 | shape is (3, 3), but spare/station-1/client-3 has (9) | header["shape"] = [3, 3]
4 | length is 8, but spare/station-1/client-3 has 9 | header["length"] = 8; header["shape"] = [8]; elements = elements[:8]
3 | $r payload has 12 elements, but its segments and blocks require 281474976710656 | header["length"] = 2**48; del header["shape"]
3 | $r payload has 11 elements, but its segments and blocks require 12 | elements = elements[1:]
3 | $r payload has 13 elements, but its segments and blocks require 12 | elements = numpy.append(elements, elements[:1])
3 | element 0 is not an element of field 'm31' | elements[0] = 2**32 - 1
3 | $r ends too early, in its payload: get it again | data = DATA[:-20]
3 | $r digest does not match, so the record is damaged: get it again | data = DATA[:-1] + b"?"
END
}

@test "a client is added once, also if its share is from another run" {
    cp spare/station-1/client-1 again
    cp "$BATS_FILE_TMPDIR/v1.npy" .
    hagg-share --no-state --plan spare.topo --client 1 --round 1 -o 'other-{}' v1.npy 2>/dev/null
    for file in again other-1; do
        refuses 4 "$file: client 1 is already in the sum (from spare/station-1/client-1)" \
            hagg-aggregate --plan spare.topo --station 1 -o none spare/station-1/* $file
    done
}

@test "shares of two runs of a client are noticed by the roster, and by surplus sums" {
    cp "$BATS_FILE_TMPDIR/v1.npy" .
    hagg-share --no-state --plan spare.topo --client 1 --round 1 -o 'other-{}' v1.npy 2>/dev/null
    refuses 4 "other-2: record 1 (byte 0): is from another run of hagg-share than spare/station-1/client-1: get all records of client 1 from one run" \
        hagg-roster --plan spare.topo --round 1 -o none spare/station-1/client-1 other-2
    cp other-2 spare/station-2/client-1
    hagg-aggregate --plan spare.topo --station 2 -o sum-2 spare/station-2/*
    refuses 3 "sum-2: the share of station 2 is wrong: station 2 changed it, or a client sent it a wrong share: get it again, leave it out, or use --correct" \
        hagg-decode --plan spare.topo -o none spare/sum-[13456] sum-2
}

# The sum of station 2 is changed; the others are there.
change_sum() {
    each_refused spare/sum-2 hagg-decode --plan spare.topo -o none spare/sum-[13456] changed
}

@test "sums of another round, plan, station or set are refused" {
    local r="record 1 (byte 0):"

    change_sum <<END
4 | round is 2, but spare/sum-1 has 1 | header["round"] = 2
4 | $r $(other_plan) | header["plan"] = bytes(32)
4 | $r lists clients that are not in the plan | header["clients"] = [1, 9]
4 | $r lists clients that are not in the plan | header["clients"] = [1, 2**32 - 1]
4 | $r does not list its clients | del header["clients"]
4 | $r lists dealer 7, which is not a dealer in the plan | header["dealers"] = [1, 7]
4 | $r lists dealer 7, which is not a dealer in the plan | header["dealers"] = [1, 2**32 - 1]
4 | $r lists the masks of 0 dealers, but at least 4 are needed | del header["dealers"]
4 | $r lists the masks of 3 dealers, but at least 4 are needed | header["dealers"] = [1, 3]
4 | $r must be from station 2, not from station 3 | header["from"] = ["station", 3]
4 | $r must be from station 2, not from relay 1 | header["from"] = ["relay", 1]
4 | $r must be from station 2, not from no node | del header["from"]
4 | $r is from client 1, but lists dealers | header["from"] = ["client", 1]; header["clients"] = [1, 1]
4 | $r is for station 1, but is not from a client | header["to"] = ["station", 1]
4 | $r must be addressed to federator 1, not to relay 1 | header["to"] = ["relay", 1]
4 | $r must be addressed to federator 1, not to federator 2 | header["to"] = ["federator", 2]
4 | contains masks of another dealing than spare/sum-1: use the masks of one run of hagg-keygen by each dealer | header["mix"] = bytes(16)
4 | contains share 3 of the same sharing as spare/sum-3: leave one out, or, if they belong to different clients, add them up with hagg-aggregate | header["from"] = ["station", 3]; header["scheme"].update(index=2, point=6)
END
    rewrite spare/sum-2 'header["clients"] = [1, 3]'
    refuses 4 "spare/sum-1: contains client 4, but spare/sum-2 does not: all sums of a round must be over the same clients, so use the same --roster at every station" \
        hagg-decode --plan spare.topo -o none spare/sum-*
    rewrite spare/sum-2 'header["clients"] = [1, 4]; header["dealers"] = [2, 6]'
    refuses 4 "spare/sum-1: contains the mask of dealer 1, but spare/sum-2 does not: all sums of a round have the same dealers, so use the same --dealers at every station" \
        hagg-decode --plan spare.topo -o none spare/sum-*
}

@test "sums with other rows, and damaged ones, are refused" {
    local r="record 1 (byte 0):"

    change_sum <<END
4 | $r its blocks or chunks differ from those of the plan | header["blocks"] = [1, 2, 4]
4 | $r its blocks or chunks differ from those of the plan | header["blocks"] = [3]
4 | $r scheme differs from that of the plan | header["segments"] = 3
4 | $r scheme differs from that of the plan | header["segments"] = 65535; header["scheme"]["point"] = 65536
4 | $r scheme differs from that of the plan | header["scheme"]["k"] = 3
4 | $r scheme differs from that of the plan | header["scheme"]["point"] = 1
4 | $r must be from station 3, not from station 2 | header["scheme"].update(index=2, point=6)
4 | type is i4, but spare/sum-1 has i8 | header["type"] = "i4"
4 | length is 10, but spare/sum-1 has 9 | header["length"] = 10; header["shape"] = [10]
3 | $r 'chunks' must be from 1 to 65535 in a mask, and absent elsewhere | header["chunks"] = 3
3 | $r payload has 12 elements, but its segments and blocks require 281474976710656 | header["length"] = 2**48; del header["shape"]
3 | $r payload has 11 elements, but its segments and blocks require 12 | elements = elements[1:]
3 | $r payload has 13 elements, but its segments and blocks require 12 | elements = numpy.append(elements, elements[:1])
3 | element 11 is not an element of field 'm31' | elements[11] = 2**31 - 1
3 | $r ends too early, in its payload: get it again | data = DATA[:-20]
3 | $r digest does not match, so the record is damaged: get it again | data = DATA[:-1] + b"?"
END
}

# Makes all elements of these sums wrong.
spoil() {
    local u

    for u; do
        rewrite spare/sum-$u "elements[:] = [(int(x) + $u * (7 + i)) % (2**31 - 1) for i, x in enumerate(elements)]"
    done
}

@test "wrong sums are detected, named, and corrected while two for each and one for each missing one are to spare" {
    local few="a share of station 1-6 is wrong, but there are too few surplus shares"

    spoil 3
    refuses 3 "spare/sum-3: the share of station 3 is wrong: station 3 changed it, or a client sent it a wrong share: get it again, leave it out, or use --correct" \
        hagg-decode --plan spare.topo -o none spare/sum-*
    run -0 --separate-stderr hagg-decode --correct --plan spare.topo -o total.npy spare/sum-*
    assert_equal "$stderr" "hagg-decode: spare/sum-3: the share of station 3 was wrong and was corrected
hagg-decode: round 1: total of 4 clients: 1-4"
    run -0 total total.npy
    assert_output "10 20 30 40 50 60 70 80 90"
    # one wrong and one missing
    refuses 3 "$few (1) to identify it: get the shares again, or get more of them" \
        hagg-decode --correct --plan spare.topo -o none spare/sum-[1-5]
    # two wrong
    spoil 5
    for option in "" --correct; do
        refuses 3 "$few (2) to identify it: get the shares again, or get more of them" \
            hagg-decode $option --plan spare.topo -o none spare/sum-*
    done
    # without them there are just enough
    run -0 hagg-decode --plan spare.topo -o total.npy spare/sum-[1246]
    run -0 total total.npy
    assert_output "10 20 30 40 50 60 70 80 90"
}

@test "hagg-roster refuses hostile shares and masks beside them" {
    local r="record 1 (byte 0):"

    each_refused spare/station-1/client-1 hagg-roster --plan spare.topo --station 1 --round 1 -o none \
        spare/station-1/client-[34] spare/station-1/mask-* changed <<END
4 | $r is of round 2, but this is round 1 | header["round"] = 2
4 | $r $(other_plan) | header["plan"] = bytes(32)
4 | $r client 2 does not use station 1 in the plan | header["clients"] = [2, 2]; header["from"] = ["client", 2]
4 | $r has 2 segments in a block, but client 1 has 1 in the plan | header["blocks"] = [2]
4 | $r must be addressed to station 1, not to station 2 | header["to"] = ["station", 2]
4 | $r is from another run of hagg-share than spare/station-1/client-3: get all records of client 3 from one run | header["from"] = ["client", 3]; header["clients"] = [3, 3]; header["blocks"] = [3]; elements = elements[:6]
3 | $r payload has 12 elements, but its segments and blocks require 281474976710656 | header["length"] = 2**48; del header["shape"]
3 | $r digest does not match, so the record is damaged: get it again | data = DATA[:-1] + b"?"
END
    each_refused spare/station-1/mask-2 hagg-roster --plan spare.topo --station 1 --round 1 -o none \
        spare/station-1/client-* changed <<END
4 | $r is of round 2, but this is round 1 | header["round"] = 2
4 | $r $(other_plan) | header["plan"] = bytes(32)
4 | $r is a mask of station 9, which is not a dealer in the plan | header["dealers"] = [9, 9]; header["from"] = ["station", 9]
4 | $r must be addressed to station 1, not to station 2 | header["to"] = ["station", 2]
3 | $r payload has 3 elements, but its segments and blocks require 4 | elements = elements[1:]
3 | $r digest does not match, so the record is damaged: get it again | data = DATA[:-1] + b"?"
END
    cp spare/station-1/client-1 again
    refuses 4 "again: $r is a second copy of the vector of client 1 for station 1: see spare/station-1/client-1" \
        hagg-roster --plan spare.topo --station 1 --round 1 -o none spare/station-1/* again
    refuses 4 "spare/sum-1: $r is for federator 1, but this is station 1" \
        hagg-roster --plan spare.topo --station 1 --round 1 -o none spare/sum-1
}

@test "fields of a mask or share that mean nothing there do not reach the sum" {
    # stations 5 and 6 lose their clients
    printf '%s\n' 'protocol aligned' 'collude full stations=1' 'stations 5' 'segments 2' 'client 1 2 via 1-3' \
        'client 3 via 3-5' >lost.topo
    for i in 1 2 3; do
        hagg-share --plan lost.topo --client $i --round 1 -o "lost/station-{}/client-$i" "$BATS_FILE_TMPDIR/v$i.npy"
    done
    for u in 1 2 3 4 5; do
        hagg-keygen --plan lost.topo --station $u --round 1 --length 9 -o "lost/station-{}/mask-$u"
    done
    for u in 4 5; do
        rewrite lost/station-$u/mask-1 'header["type"] = "u1"; header["shape"] = [3, 3]; header["mix"] = bytes(range(16))'
    done
    rewrite lost/station-1/client-1 'header["mix"] = bytes(range(16))'
    for u in 1 2 3 4 5; do
        hagg-aggregate --plan lost.topo --station $u --clients 1,2 -o sum-$u lost/station-$u/*
    done
    run -0 hagg-inspect --json sum-4
    assert_json '"type" not in lines[0] and "shape" not in lines[0]'
    run -0 hagg-decode --quiet --plan lost.topo --clients 1,2 -o total.npy sum-[45] sum-[123]
    run -0 total total.npy
    assert_output "3 6 9 12 15 18 21 24 27"
}

@test "records of protocol keys and of protocol aligned are not mixed up" {
    sed 's/aligned/keys/; /^segments/d; /^drop/d' spare.topo >keys.topo
    refuses 4 "spare/station-1/client-1: record 1 (byte 0): was made under a different plan than keys.topo: plan digest $(hagg-plan --digest spare.topo | cut -c 1-19)..., not $(hagg-plan --digest keys.topo | cut -c 1-19)..." \
        hagg-aggregate --unsafe-plan --plan keys.topo --station 1 -o none spare/station-1/client-1
    rewrite spare/station-1/client-1 "header['plan'] = bytes.fromhex('$(hagg-plan --digest keys.topo)')"
    refuses 4 "spare/station-1/client-1: record 1 (byte 0): is a share of a secret that the plan does not share" \
        hagg-aggregate --unsafe-plan --plan keys.topo --station 1 -o none spare/station-1/client-1
}

@test "many segments and part counts in small records take little time" {
    python3 -B - "$HAGG_SOURCE_DIR/tests/format" >hostile <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import hagg_format, numpy
header = {"v": 2, "kind": "share", "of": "plain", "field": "m31", "length": 0, "route": [["station", [1, 2, 3]]],
          "scheme": {"name": "aligned", "n": 3, "k": 3, "z": 1, "index": 1, "point": 65535},
          "segments": 65535, "blocks": list(range(2, 258))}
sys.stdout.buffer.write(1000 * hagg_format.write_record(header, numpy.array([], dtype="<u4")))
END
    run -0 bash -c 'ulimit -t 10; hagg-inspect hostile'
    assert_line "1000 records in 1 file"
}

@test "plans with too many segments, or too few stations for two totals, are refused" {
    sed 's/^segments 4/segments 65536/' spare.topo >many.topo
    refuses 3 "many.topo:5: '65536': number must be at most 65535" hagg-plan --digest many.topo
    sed '1ifield gf256' spare.topo | sed 's/^segments 4/segments 251/' >many.topo
    refuses 3 "many.topo: field 'gf256' has too few points for 251 segments and 6 stations: use a larger one or fewer segments" \
        hagg-plan --digest many.topo
    # two sets of three of the four stations have only two in common, and both may collude
    printf '%s\n' 'protocol aligned' 'collude full stations=2' 'drop stations=1' 'stations 4' 'client 1-4 via 1-4' >two.topo
    refuses 6 "two.topo: 4 stations are too few: 2 may collude and 1 may be missing, so two totals of one round could be decoded: use drop stations=0, or at least 5 stations" \
        hagg-plan --digest two.topo
}

@test "a random source is not used for two dealings" {
    head -c 10000 /dev/urandom >bytes
    local deal="hagg-keygen --plan spare.topo --random-source bytes"
    local used="bytes: its bytes were already used, for the masks of dealer 1 in round 1 of this plan: two sums under one mask reveal their difference, so give other random bytes (state in $HAGG_STATE)"
    $deal --station 1 --round 1 --length 100 -o 'first-{}'
    $deal --station 1 --round 1 --length 100 -o 'again-{}'
    cmp first-3 again-3
    refuses 6 "$used" $deal --station 1 --round 2 --length 100 -o none
    refuses 6 "$used" $deal --station 1 --round 2 --length 90 -o none
    refuses 6 "$used" $deal --station 2 --round 1 --length 100 -o none
    run -0 $deal --no-state --station 1 --round 2 --length 100 -o 'unchecked-{}'
}
