#!/usr/bin/env bats
# What hagg-transform refuses, and that it then changes nothing.

load common

TOOL=hagg-transform
load round
load transform

setup_file() {
    common_setup_file
}

setup() {
    begin_transform
}

# --- records that do not belong together

@test "too few contributions: the message names those that arrived" {
    contribute "${NEW[@]}"
    unchanged 5 hagg-transform --step finish relay-2/from-1.cbor relay-2/from-3.cbor -o new-2.cbor
    assert_message "relay-2/from-1.cbor: for relay 2, only 2 of 3 transfers of one sum arrived, from holder 1, holder 3: get the others, or, if a holder is missing, let another contribute with --from and the numbers of the holders that take part"
    # following the message works, and gives the same sum
    hagg-transform --step contribute "${NEW[@]}" --from 1,3,4 sum-4.cbor -o 'relay-{}/from-4.cbor'
    rm relay-*/from-2.cbor
    finish relay 1 2 3 4 5
    assert_total new-?.cbor
}

@test "too few contributions to collect, too few carriers to finish" {
    contribute "${NEW[@]}" --method transport
    unchanged 5 hagg-transform --step collect relay-2/from-2.cbor -o 'to-{}/by-2.cbor'
    assert_message "relay-2/from-2.cbor: for relay 1, only 1 of 3 transfers of one sum arrived, from holder 2: get the others, or, if a holder is missing, let all contribute again with --from and the numbers of the holders that take part"
    collect 1 2 3 4 5
    unchanged 5 hagg-transform --step finish to-4/by-[1245].cbor -o new-4.cbor
    assert_message "to-4/by-1.cbor: for relay 4, only 4 of 5 transfers of one sum arrived, from relay 1, relay 2, relay 4, relay 5: get the others: all are needed"
}

@test "too many contributions cannot be collected" {
    contribute "${NEW[@]}" --method transport
    hagg-transform --step contribute "${NEW[@]}" --method transport --from 2-4 sum-4.cbor \
        -o 'relay-{}/from-4.cbor'
    unchanged 4 hagg-transform --step collect relay-1/from-?.cbor -o 'to-{}/by-1.cbor'
    assert_message "relay-1/from-4.cbor: 4 transfers of one sum arrived, but only 3 holders take part"
}

@test "contributions from sums of different clients are refused" {
    contribute "${NEW[@]}"
    hagg-transform --step contribute "${NEW[@]}" station-3/client-1.cbor -o 'relay-{}/from-3.cbor'
    unchanged 4 hagg-transform --step finish relay-1/from-?.cbor -o new-1.cbor
    assert_message "relay-1/from-3.cbor: client 2 is missing, but is in relay-1/from-1.cbor: use the same --roster with hagg-aggregate at all stations"
    unchanged 4 hagg-transform --step finish relay-1/from-[32].cbor relay-1/from-1.cbor -o new-1.cbor
}

@test "contributions from different runs of hagg-share are refused" {
    mv station-3 before
    share 1 "1 2 3 4 5 6 7"
    mv before/client-1.cbor station-3/client-1.cbor
    mv before/client-2.cbor station-3/client-2.cbor
    # station 3 added up the first shares of client 1, the other stations its second shares
    for u in 1 2 4; do
        hagg-aggregate station-$u/*.cbor -o sum-$u.cbor
    done
    for method in direct transport; do
        step=$([ $method = direct ] && echo finish || echo collect)
        contribute "${NEW[@]}" --method $method
        unchanged 4 hagg-transform --step $step relay-1/from-?.cbor -o new-1.cbor
        assert_message "relay-1/from-3.cbor: was made from a different run of hagg-share than relay-1/from-1.cbor: all stations must add up shares from one run"
    done
    # a station that contributed to two sums: they are different sums, and both are incomplete
    hagg-transform --step contribute "${NEW[@]}" sum-1.cbor -o one.cbor
    hagg-transform --step contribute "${NEW[@]}" sum-2.cbor -o two.cbor
    mv sum-1.cbor other-1.cbor
    share 1 "1 2 3 4 5 6 7"
    hagg-aggregate station-1/*.cbor -o sum-1.cbor
    hagg-transform --step contribute "${NEW[@]}" sum-1.cbor -o another.cbor
    unchanged 5 hagg-transform --step finish one.cbor two.cbor another.cbor -o x.cbor
    assert_regex "$stderr" "^hagg-transform: one.cbor: for relay 1, only 2 of 3 transfers of one sum arrived, from holder 1, holder 2: get the others"
}

@test "a duplicate contribution" {
    contribute "${NEW[@]}"
    cp relay-1/from-2.cbor again.cbor
    unchanged 4 hagg-transform --step finish relay-1/from-?.cbor again.cbor -o new-1.cbor
    assert_message "again.cbor: holder 2 has already contributed (see relay-1/from-2.cbor)"
    contribute "${NEW[@]}" --method transport
    cp relay-1/from-2.cbor again.cbor
    unchanged 4 hagg-transform --step collect again.cbor relay-1/from-?.cbor -o 'to-{}/by-1.cbor'
    assert_message "relay-1/from-2.cbor: holder 2 has already contributed (see again.cbor)"
    collect 1 2 3 4 5
    unchanged 4 hagg-transform --step finish to-1/*.cbor to-1/by-3.cbor -o new-1.cbor
    assert_message "to-1/by-3.cbor: relay 3 has already contributed (see to-1/by-3.cbor)"
}

@test "each step accepts only records of the step before" {
    contribute "${NEW[@]}"
    unchanged 4 hagg-transform --step collect relay-1/*.cbor
    assert_message "relay-1/from-1.cbor: record 1 (byte 0): does not need --step collect: its holder finishes it"
    unchanged 4 hagg-transform --step contribute "${NEW[@]}" relay-1/from-1.cbor
    assert_message "relay-1/from-1.cbor: record 1 (byte 0): is not a share: only shares can be transformed"
    contribute "${NEW[@]}" --method transport
    unchanged 4 hagg-transform --step finish relay-1/*.cbor
    assert_message "relay-1/from-1.cbor: record 1 (byte 0): is not collected: its carrier must run --step collect first"
    collect 1
    unchanged 4 hagg-transform --step collect to-1/by-1.cbor
    assert_message "to-1/by-1.cbor: record 1 (byte 0): is already collected"
    record >vector.cbor
    unchanged 4 hagg-transform --step finish vector.cbor
    assert_message "vector.cbor: record 1 (byte 0): is not a transfer: make transfers with --step contribute"
}

@test "hagg-aggregate and hagg-decode refuse transfers" {
    contribute "${NEW[@]}"
    unchanged 4 hagg-aggregate relay-1/from-1.cbor
    assert_equal "$stderr" "hagg-aggregate: relay-1/from-1.cbor: record 1 (byte 0): is a transfer: finish it first with hagg-transform --step finish"
    unchanged 4 hagg-decode relay-1/*.cbor
    assert_equal "$stderr" "hagg-decode: relay-1/from-1.cbor: record 1 (byte 0): is a transfer: finish it first with hagg-transform --step finish"
}

@test "shares finished from different contributions are not decoded together" {
    contribute --holders 1-3 -k 3 -z 1 --method direct
    finish relay 1 2
    hagg-transform --step contribute --holders 1-3 -k 3 -z 1 --method direct sum-2.cbor \
        -o 'relay-{}/from-2.cbor'
    finish relay 3
    unchanged 4 hagg-decode --format text new-?.cbor
    assert_equal "$stderr" "hagg-decode: new-3.cbor: was made from different transfers than new-1.cbor: use shares from one run of hagg-transform by the same holders"
}

@test "sums collected from different contributions are not finished together" {
    contribute "${NEW[@]}" --method transport
    collect 1 2 3 4
    hagg-transform --step contribute "${NEW[@]}" --method transport sum-2.cbor \
        -o 'relay-{}/from-2.cbor'
    collect 5
    unchanged 4 hagg-transform --step finish to-2/*.cbor -o new-2.cbor
    assert_message "to-2/by-5.cbor: was collected from different transfers than to-2/by-1.cbor: use transfers from one run"
}

@test "shares of different runs are not transformed together" {
    local m

    contribute --holders 1-3 -k 3 -z 1 --method direct
    finish relay 1 2
    hagg-transform --step contribute --holders 1-3 -k 3 -z 1 --method direct sum-2.cbor \
        -o 'relay-{}/from-2.cbor'
    finish relay 3
    for m in 1 2 3; do
        hagg-transform --step contribute --holders 1-4 -k 3 -z 2 --tier cloud new-$m.cbor \
            -o "cloud-{}/from-$m.cbor"
    done
    unchanged 4 hagg-transform --step finish cloud-1/*.cbor -o last-1.cbor
    assert_message "cloud-1/from-3.cbor: its share was made from different transfers than the share of cloud-1/from-1.cbor: use transfers from one run"
}

@test "mixed fields and schemes are refused" {
    share 3 "1 2 3" --field m61
    share 4 "1 2 3" --scheme additive -n 3 -k 3 -z 2
    unchanged 4 hagg-transform --step contribute "${NEW[@]}" sum-1.cbor station-1/client-3.cbor -o x.cbor
    assert_message "station-1/client-3.cbor: record 1 (byte 0): is over field 'm61', but others are over 'm31'"
    unchanged 4 hagg-transform --step contribute "${NEW[@]}" sum-1.cbor station-1/client-4.cbor -o x.cbor
    assert_message "station-1/client-4.cbor: record 1 (byte 0): is in scheme 'additive', but others are in 'ramp'"
    hagg-transform --step contribute "${NEW[@]}" sum-1.cbor -o a.cbor
    hagg-transform --step contribute "${NEW[@]}" station-1/client-3.cbor -o b.cbor
    unchanged 4 hagg-transform --step finish a.cbor b.cbor
    assert_message "b.cbor: record 1 (byte 0): is over field 'm61', but others are over 'm31'"
}

@test "nobody takes part, or too few do" {
    echo old >x.cbor
    run -0 --separate-stderr hagg-transform --step contribute "${NEW[@]}" sum-4.cbor -o x.cbor
    assert_equal "$(stat -c %s x.cbor)" 0
    assert_message "nothing to transform: no share belongs to a holder that takes part"
    unchanged 5 hagg-transform --step contribute "${NEW[@]}" --from 1-2 sum-1.cbor -o x.cbor
    assert_message "sum-1.cbor: record 1 (byte 0): only 2 of the old holders take part, but 3 are needed"
    unchanged 5 hagg-transform --step contribute "${NEW[@]}" --from 1-2 --method transport sum-1.cbor
    assert_message "sum-1.cbor: record 1 (byte 0): only 2 of the old holders take part, but 3 are needed"
}

@test "transport refuses points other than 1, 2, 3" {
    cat sum-?.cbor | hagg-transform --step contribute "${NEW[@]}" --points 5-9 |
        hagg-transform --step finish >odd.cbor
    unchanged 4 hagg-transform --step contribute "${NEW[@]}" --method transport odd.cbor
    assert_message "odd.cbor: record 1 (byte 0): transport works only if the points of the old holders are 1, 2, 3, ..: use --method direct"
}

# --- usage errors and damaged files

@test "wrong options" {
    unchanged 2 hagg-transform sum-1.cbor
    assert_usage "use --step contribute, collect or finish"
    unchanged 2 hagg-transform --step begin sum-1.cbor
    assert_usage "--step must be contribute, collect or finish, not 'begin'"
    unchanged 2 hagg-transform --step contribute --holders 1-5 -k 4 sum-1.cbor
    assert_usage "--step contribute requires --plan (or HAGG_PLAN), or --holders, -k and -z"
    unchanged 2 hagg-transform --step contribute --holders 1-5 -k 6 -z 2 sum-1.cbor
    assert_usage "for 5 holders, -k must be at most 5 and -z less than -k"
    unchanged 2 hagg-transform --step contribute --holders 1-5 -k 4 -z 4 sum-1.cbor
    assert_usage "for 5 holders, -k must be at most 5 and -z less than -k"
    unchanged 2 hagg-transform --step contribute --holders 1-3,2 -k 2 -z 1 sum-1.cbor
    assert_usage "--holders: '1-3,2' contains a number twice, or too many numbers"
    unchanged 2 hagg-transform --step contribute "${NEW[@]}" --points 1-4 sum-1.cbor
    assert_usage "--points and --holders must have the same length"
    unchanged 2 hagg-transform --step contribute "${NEW[@]}" --method walk sum-1.cbor
    assert_usage "--method must be direct, forward or transport, not 'walk'"
    unchanged 2 hagg-transform --step contribute "${NEW[@]}" --tier 'a b' sum-1.cbor
    assert_usage "--tier: 'a b' is not the name of a tier"
    unchanged 2 hagg-transform --step finish -k 4 sum-1.cbor
    assert_usage "options of the new sharing require --step contribute"
    unchanged 2 hagg-transform --step finish --tier cloud sum-1.cbor
    assert_usage "options of the new sharing require --step contribute"
}

@test "an impossible new sharing" {
    unchanged 2 hagg-transform --step contribute "${NEW[@]}" --method forward sum-1.cbor
    assert_message "forwarding keeps k, z, the scheme and the points, and cannot add holders: use --method direct"
    unchanged 2 hagg-transform --step contribute "${NEW[@]}" --points 1-4,2147483647 sum-1.cbor
    assert_message "point 2147483647 is not a nonzero element of field 'm31'"
    unchanged 2 hagg-transform --step contribute "${NEW[@]}" --scheme additive sum-1.cbor
    assert_message "scheme 'additive' with n = 5, k = 4, z = 2: additive sharing among 5 needs k = 5 and z = 4, not k = 4 and z = 2"
    unchanged 1 hagg-transform --step contribute "${NEW[@]}" --scheme nosuch sum-1.cbor
    assert_message "sum-1.cbor: record 1 (byte 0): no plugin for scheme 'nosuch': install hagg-scheme-nosuch.so, or add its directory to HAGG_PLUGIN_PATH"
}

@test "no input, in every step" {
    local step

    for step in "contribute ${NEW[*]}" collect finish; do
        unchanged 5 hagg-transform --step $step /dev/null -o x.cbor
        assert_regex "$stderr" "^hagg-transform: (nothing to transform: the input has no shares|no transfers arrived: .*)$"
        unchanged 5 hagg-transform --step $step </dev/null
    done
}

@test "damaged input, in every step" {
    local step

    contribute "${NEW[@]}" --method transport
    collect 1
    head -c 150 sum-1.cbor >cut.cbor
    for step in "contribute ${NEW[*]}" collect finish; do
        unchanged 3 hagg-transform --step $step cut.cbor -o x.cbor
        assert_message "cut.cbor: record 1 (byte 0): ends too early, in its header: get it again"
    done
    flip sum-1.cbor
    unchanged 3 hagg-transform --step contribute "${NEW[@]}" bad.cbor -o x.cbor
    assert_message "bad.cbor: record 1 (byte 0): digest does not match, so the record is damaged: get it again"
    flip relay-1/from-2.cbor
    unchanged 3 hagg-transform --step collect relay-1/from-[13].cbor bad.cbor -o x.cbor
    assert_message "bad.cbor: record 5 (byte 1160): digest does not match, so the record is damaged: get it again"
}

@test "transfers of another length than the vector's" {
    # a share of 7 elements in 2 parts has 4, and its shares in 2 parts have 2; these have 3
    for u in 1 2 3; do
        record kind=transfer field=m31 size=4 length=7 elements='[1, 2, 3]' \
            route='[["relay", [1, 2, 3, 4, 5]]]' to='["relay", 1]' from="[\"station\", $u]" \
            scheme='{"name": "ramp", "n": 5, "k": 4, "z": 2, "index": 0, "point": 1}' \
            source="{\"name\": \"ramp\", \"n\": 4, \"k\": 3, \"z\": 1, \"index\": $((u - 1)), \"point\": $u}" \
            >odd-$u.cbor
    done
    unchanged 3 hagg-transform --step finish odd-?.cbor -o new.cbor
    assert_message "odd-1.cbor: transfer has 3 elements, not 2"
}

# Writes a file to bad.cbor with the last byte of the last payload changed; a digest of 17 bytes follows.
flip() {
    "$HAGG_PYTHON" -c '
import sys

data = bytearray(open(sys.argv[1], "rb").read())
data[-18] ^= 1
open("bad.cbor", "wb").write(data)' "$1"
}

@test "if one of several output files fails, none is written" {
    unchanged 3 hagg-transform --step contribute "${NEW[@]}" -o 'relay-{}/all.cbor' sum-1.cbor \
        "$VECTORS/bad/layout-zero.cbor"
    assert_no_temporaries
    contribute "${NEW[@]}" --method transport
    unchanged 4 hagg-transform --step collect relay-1/*.cbor relay-1/from-1.cbor -o 'to-{}/by-1.cbor'
    assert_no_temporaries
    unchanged 1 hagg-transform --step contribute "${NEW[@]}" -o 'sum-1.cbor/{}' sum-1.cbor
    assert_message "sum-1.cbor: is not a directory: move it away, or name another output"
}

@test "a layout of nine cuts is refused" {
    local i

    printf '%s\n' 5 6 7 | hagg-share -n 2 -k 2 -z 1 --type i4 --format text -o layer-0.cbor
    for i in 0 1 2 3 4 5 6 7; do
        hagg-transform --step contribute --holders 1-2 -k 2 -z 1 --method direct layer-$i.cbor |
            hagg-transform --step finish -o layer-$((i + 1)).cbor
    done
    run -0 hagg-decode -q --format text layer-8.cbor
    assert_output $'5\n6\n7'
    hagg-transform --step contribute --holders 1-2 -k 2 -z 1 --method direct layer-8.cbor -o sent.cbor
    unchanged 3 hagg-transform --step finish sent.cbor -o layer-9.cbor
    assert_message "layer-9.cbor: 'layout' has more than 8 numbers"
}

@test "a length that a pipe only declares uses no memory" {
    printf '%s\n' 1 2 3 | hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o 'declared-{}.cbor'
    PYTHONPATH=$HAGG_SOURCE_DIR/tests/format run -0 --separate-stderr python3 - <<'PYTHON'
import resource, subprocess
import cbor2
from hagg_format import read_stream

header = dict(next(iter(read_stream(open("declared-1.cbor", "rb").read()))).header)
header.pop("shape")
header["length"] = n = 1 << 28  # a gigabyte of elements, of which 16 come
record = b"\xda" + b"HAGG" + b"\x83" + cbor2.dumps(header, canonical=True)
record += b"\xd8\x46\x5a" + (4 * n).to_bytes(4, "big") + bytes(64)
done = subprocess.run("hagg-transform --step contribute --holders 1-3 -k 2 -z 1 | wc -c",
                      shell=True, input=record, capture_output=True)
print(done.stdout.decode().strip(), done.stderr.decode().strip(), sep="\n")
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 500_000
PYTHON
    assert_output "0
hagg-transform: standard input: record 1 (byte 0): ends too early, in its payload: get it again"
}
