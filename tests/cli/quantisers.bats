#!/usr/bin/env bats
# quantize levels, ternary and sign: integers, totals, reports and refusals.

load common

TOOL=hagg-share
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# of_clients N QUANTIZE [LINE...]: a topology of N clients, any three of which may be missing.
of_clients() {
    printf '%s\n' "collude partial stations=1" "drop clients=3" "quantize $2" "stations 3" "client 1-$1 via 1-3" "${@:3}"
}

# round_of CLIENTS [OPTION...]: a round of t.topo, in which client I shares v-I.npy. $samples is "yes" for
# a topology that counts them.
round_of() {
    local i

    for i in $1; do
        hagg-share --plan t.topo --client "$i" --round 1 ${samples:+--samples "$i"} "v-$i.npy"
    done >all.cbor
    hagg-aggregate --plan t.topo --clients "$1" all.cbor | hagg-decode --plan t.topo --type f8 -o sum.npy "${@:2}"
}

# vectors N CLIP TYPE: of N clients, with ends, zeros and random numbers.
vectors() {
    "$HAGG_PYTHON" - "$@" <<'END'
import sys

import numpy as np

for i in range(1, int(sys.argv[1]) + 1):
    clip = float(sys.argv[2])
    values = np.random.default_rng(i).uniform(-clip, clip, (6, 7))
    values[0] = [clip, -clip, 0.0, -0.0, clip / 2, -clip / 2, 5e-324]
    np.save(f"v-{i}.npy", values.astype(sys.argv[3]))
END
}

# assert_total QUANTIZE CLIENTS DIVISOR: sum.npy is what the integers of quantiser.py add up to.
assert_total() {
    PYTHONPATH=$BATS_TEST_DIRNAME "$HAGG_PYTHON" -B - "$@" <<'END' || fail "another total"
import sys

import numpy as np
from quantiser import Quantiser

quantiser, clients = Quantiser(sys.argv[1]), sys.argv[2].split()
totals = [sum(column) for column in zip(*(quantiser.integers(np.load(f"v-{i}.npy")) for i in clients))]
got = np.load("sum.npy")
assert got.shape == (6, 7)
for total, number in zip(totals, got.reshape(-1)):
    want = quantiser.number(total, len(clients)) / int(sys.argv[3])
    assert abs(float(want) - number) <= abs(float(want)) * 2**-50, (float(want), number)
END
}

@test "the integers are those that NumPy computes from the same random bytes" {
    PYTHONPATH=$BATS_TEST_DIRNAME run -0 "$HAGG_PYTHON" -B "$BATS_TEST_DIRNAME/quantise_check.py" "$HAGG_SOURCE_DIR/tests/format"
    assert_output ""
}

@test "totals of all clients and of some, with and without a sample count" {
    vectors 9 0.7 f4
    for quantize in "levels=2 clip=0.7" "levels=3 clip=0.7" "levels=4 clip=0.7" "levels=28 clip=0.7" "ternary clip=0.7 rounding=nearest" "sign clip=0.7"; do
        for samples in "" yes; do
            for clients in "1 2 3 4 5 6 7 8 9" "1 3 4 6 7 9"; do
                forget
                of_clients 9 "$quantize" "field prime:p=251" ${samples:+samples} >t.topo
                run -0 round_of "$clients" ${samples:+--mean}
                # 45 samples, or 30
                case "$samples,$clients" in
                ,*) divisor=1 ;;
                *2*) divisor=45 ;;
                *) divisor=30 ;;
                esac
                assert_total "$quantize" "$clients" "$divisor"
            done
        done
    done
}

@test "the control: with another clip, or one level more, the total is another one" {
    vectors 4 0.7 f8
    of_clients 5 "levels=4 clip=0.7" >t.topo
    run -0 round_of "1 2 3 4"
    assert_total "levels=4 clip=0.7" "1 2 3 4" 1
    run ! assert_total "levels=5 clip=0.7" "1 2 3 4" 1
    run ! assert_total "levels=4 clip=0.71" "1 2 3 4" 1
}

@test "stochastic rounding: the total is within the bounds that are reported" {
    of_clients 9 "ternary clip=1.5" "field prime:p=251" >t.topo
    for i in 1 2 3 4 5 6 7 8 9; do
        npy "v-$i.npy" "np.full(3000, -1.5 + $i / 4)"
    done
    run -0 --separate-stderr round_of "1 2 3 4 5 6 7 8 9" --json
    # a step is 1.5; nine clients: 9 * 1.5, and sqrt(9) * 1.5 / 2
    assert_numpy 'np.abs(load("sum.npy") + 2.25).max() < 13.5'
    # variance of a client: step^2 f (1 - f)
    assert_numpy 'abs(load("sum.npy").var() - 2.25 * sum((i / 6 % 1) * (1 - i / 6 % 1) for i in range(1, 10))) < 0.3'
    assert_numpy 'load("sum.npy").std() <= 2.25 * 1.02'
    # six standard deviations of a mean
    assert_numpy 'abs(load("sum.npy").mean() + 2.25) < 6 * 2.25 / 3000**0.5'
    assert_numpy 'set(np.rint(np.unique(load("sum.npy") / 1.5 * 1e6) / 1e6 % 1)) == {0}'
    "$HAGG_PYTHON" -c '
import json, sys

r = json.loads(sys.argv[1])
assert 13.5 <= r["error_bound"] < 13.5001 and r["error_deviation"] == 2.25 and 0 < r["error_bias"] < 1e-12' "${stderr_lines[-1]}"
}

@test "the report of every quantiser" {
    vectors 4 0.5 f8
    TOOL=hagg-decode
    while IFS='|' read -r quantize want; do
        forget
        of_clients 5 "$quantize" >t.topo
        run -0 --separate-stderr round_of "1 2 3 4"
        assert_equal "${stderr_lines[-1]}" "hagg-decode: the quantisation error is at most $want"
    done <<'END'
bits=2 clip=0.5|1.01
bits=2 clip=0.5 rounding=stochastic|2.01; it is 0 on average, with a standard deviation of at most 0.5
levels=3 clip=0.5|1.01
levels=5 clip=0.5 rounding=stochastic|1.01; it is 0 on average, with a standard deviation of at most 0.25
ternary clip=0.5|2.01; it is 0 on average, with a standard deviation of at most 0.5
sign clip=0.5|2.01 if no absolute value exceeds 1, and not 0 on average
END
}

@test "the sign of values of any magnitude; NaN and infinity are errors" {
    npy v.npy 'np.array([1e308, -1e308, 3, -3, 0.0, -0.0, 5e-324, -5e-324])'
    for i in 1 2; do
        hagg-share -n 3 -k 2 -z 1 --client $i --quantize sign,clip=0.25 v.npy
    done >all.cbor
    hagg-aggregate all.cbor | hagg-decode -q --format text >sum.txt
    run -0 cat sum.txt
    assert_output $'0.5\n-0.5\n0.5\n-0.5\n0.5\n0.5\n0.5\n-0.5'
    npy nan.npy 'np.array([1, np.nan])'
    unchanged 3 hagg-share -n 3 -k 2 -z 1 --client 1 --quantize sign,clip=1 -o s.cbor nan.npy
    assert_message "nan.npy: element 1 is not a number"
    npy inf.npy 'np.array([-np.inf])'
    unchanged 3 hagg-share -n 3 -k 2 -z 1 --client 1 --quantize sign,clip=1 --clip -o s.cbor inf.npy
    assert_message "inf.npy: element 0 is infinite"
}

@test "values beyond the clip of levels" {
    npy v.npy 'np.array([0.5, -1.01])'
    for quantize in levels=5,clip=1 levels=5,clip=1,rounding=stochastic ternary,clip=1; do
        unchanged 3 hagg-share -n 3 -k 2 -z 1 --client 1 --quantize $quantize -o s.cbor v.npy
        assert_message "v.npy: element 1 is beyond the clip of 1: scale the vector or use --clip"
        run -0 --separate-stderr hagg-share -n 3 -k 2 -z 1 --client 1 --quantize $quantize --clip -o s.cbor v.npy
        assert_message "1 element was clipped"
    done
}

@test "a total of levels needs the list of clients" {
    npy v.npy 'np.array([0.5, -1])'
    unchanged 2 hagg-share -n 3 -k 2 -z 1 --quantize ternary,clip=1 -o s.cbor v.npy
    assert_message "a sum of levels can be decoded only if its records list the clients: use --client, or bits= in --quantize"
    hagg-share -n 3 -k 2 -z 1 --client 1 --quantize ternary,clip=1 -o s.cbor v.npy
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

with open("none.cbor", "wb") as out:
    for record in hagg_format.read_stream(open("s.cbor", "rb").read()):
        del record.header["clients"]
        out.write(hagg_format.write_record(record.header, record.elements))
END
    TOOL=hagg-decode
    unchanged 4 hagg-decode -o sum.npy none.cbor
    assert_message "the records do not list their clients, so the number of vectors in a sum of levels is unknown"
}

@test "a sum that overflows the field is refused when the plan is made, and without a plan when it is decoded" {
    TOOL=hagg-plan
    of_clients 10 "levels=26 clip=1" "field prime:p=251" >t.topo
    run -0 hagg-plan -q t.topo
    assert_line "quantize levels=26 clip=1 rounding=nearest"
    of_clients 10 "levels=27 clip=1" "field prime:p=251" >t.topo
    unchanged 3 hagg-plan t.topo
    assert_message "t.topo: a sum over 10 clients of 27 levels overflows field 'prime:p=251': use at most levels=26, or a field of more than 260 elements"
    of_clients 250 "sign clip=1" "field prime:p=251" >t.topo
    run -0 hagg-plan -q t.topo
    assert_line "quantize sign clip=1"
    of_clients 251 "sign clip=1" "field prime:p=251" >t.topo
    unchanged 3 hagg-plan t.topo
    assert_message "t.topo: a sum over 251 clients of signs overflows field 'prime:p=251': use a field of more than 251 elements"
    # sample counts are at most (p - 1) / 2, divided by the clients: no room for any
    of_clients 250 "sign clip=1" "field prime:p=251" samples >t.topo
    unchanged 3 hagg-plan t.topo
    assert_message "t.topo: field 'prime:p=251' is too small for a sum over 250 clients: use a larger one"
    npy v.npy 'np.array([0.5, -1])'
    TOOL=hagg-share
    unchanged 2 hagg-share -n 3 -k 2 -z 1 --client 1 --field prime:p=251 --quantize levels=252,clip=1 -o s.cbor v.npy
    assert_message "values of 252 levels do not fit field 'prime:p=251'"
    for i in 1 2; do
        hagg-share -n 3 -k 2 -z 1 --client $i --field prime:p=251 --quantize levels=251,clip=1 v.npy
    done | hagg-aggregate >sums.cbor
    TOOL=hagg-decode
    unchanged 4 hagg-decode -o sum.npy sums.cbor
    assert_message "a sum over 2 clients of integers from 0 to 250 overflows field 'prime:p=251'"
}

@test "field auto is the smallest field that holds the sum" {
    TOOL=hagg-plan
    while IFS='|' read -r n quantize field; do
        of_clients "$n" "$quantize" >t.topo
        run -0 hagg-plan -q t.topo
        assert_line "field $field"
    done <<'END'
250|sign clip=1|prime:p=251
251|sign clip=1|prime:p=65521
125|ternary clip=1|prime:p=251
126|ternary clip=1|prime:p=65521
10|levels=26 clip=1|prime:p=251
10|levels=27 clip=1|prime:p=65521
10|levels=6553 clip=1|prime:p=65521
10|levels=6554 clip=1|m31
10|levels=214748365 clip=1|m31
10|levels=214748366 clip=1|m61
10|levels=9007199254740992 clip=1|m61
END
}

@test "all clients at one end: the total is exact at the limit of the field" {
    of_clients 250 "sign clip=1" "field prime:p=251" >t.topo
    npy v.npy 'np.tile([1.0, -1.0], (250, 1))'
    hagg-share --plan t.topo --clients 1-250 --round 1 -o all.cbor v.npy
    hagg-aggregate --plan t.topo all.cbor | hagg-decode -q --plan t.topo --format text >sum.txt
    run -0 cat sum.txt
    assert_output $'250\n-250'
}

@test "ternary is another spelling, and both have the same digest" {
    of_clients 5 "ternary clip=1" >a.topo
    of_clients 5 "rounding=stochastic levels=3 clip=1.0" >b.topo
    of_clients 5 "ternary clip=1 rounding=nearest" >c.topo
    assert_equal "$(hagg-plan --digest a.topo)" "$(hagg-plan --digest b.topo)"
    refute [ "$(hagg-plan --digest a.topo)" = "$(hagg-plan --digest c.topo)" ]
    run -0 hagg-plan -q a.topo
    assert_line "quantize levels=3 clip=1 rounding=stochastic"
}

@test "sharing the same vector again gives the same bytes, by both protocols" {
    vectors 1 1 f4
    for protocol in aligned keys; do
        forget
        of_clients 5 "ternary clip=1" "protocol $protocol" >t.topo
        key=()
        if [ $protocol = keys ]; then
            hagg-keygen --plan t.topo --client 1 --round 1 --length 42 -o k.cbor
            key=(--key k.cbor)
        fi
        hagg-share --plan t.topo --client 1 --round 1 "${key[@]}" -o a.cbor v-1.npy
        hagg-share --plan t.topo --client 1 --round 1 "${key[@]}" -o b.cbor v-1.npy
        run -0 cmp a.cbor b.cbor
        # the control: without the state the rounding, too, is another one
        hagg-share --no-state --plan t.topo --client 1 --round 1 "${key[@]}" -o c.cbor v-1.npy
        run -1 cmp a.cbor c.cbor
    done
}

@test "records of different quantisers are not added" {
    echo 0.5 >v.txt
    for quantize in levels=5,clip=1 sign,clip=1; do
        hagg-share -n 3 -k 2 -z 1 --client 1 --quantize $quantize -o "$quantize.cbor" v.txt
    done
    TOOL=hagg-aggregate
    unchanged 4 hagg-aggregate -o sum.cbor levels=5,clip=1.cbor sign,clip=1.cbor
    assert_message "sign,clip=1.cbor: quantisation is signs, clip 1, but levels=5,clip=1.cbor has 5 levels, clip 1, nearest"
    run -0 hagg-inspect --json sign,clip=1.cbor levels=5,clip=1.cbor
    assert_json 'lines[0]["quant"] == {"clip": 1, "levels": 2, "rounding": "sign"}'
    assert_json 'lines[3]["quant"] == {"clip": 1, "levels": 5, "rounding": "nearest"}'
}

@test "10^7 elements: stochastic rounding and levels take as much memory as bits" {
    npy v.npy 'np.random.default_rng(1).uniform(-1, 1, 10**7).astype("f4")'
    run -0 "$HAGG_PYTHON" - <<'END'
import os
import subprocess


def peak(quantize):
    child = subprocess.Popen(["hagg-share", "-n", "2", "-k", "2", "-z", "1", "--client", "1", "--quantize",
                              f"{quantize},clip=1", "-o", "/dev/null", "v.npy"])  # fmt: skip
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0
    return usage.ru_maxrss


bits = peak("bits=16")
assert bits > 60000, bits  # the vector and its elements alone are 80 MB
for quantize in ("bits=16,rounding=stochastic", "levels=5", "ternary", "sign"):
    assert peak(quantize) < 1.05 * bits, quantize
END
}
