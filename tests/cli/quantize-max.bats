#!/usr/bin/env bats
# quantize bits=max: the number of bits, and that sums with that number are right.

load common

TOOL=hagg-plan
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    unset HAGG_PLAN
}

# of_clients N QUANTIZE [FIELD]: a topology of N clients.
of_clients() {
    printf '%s\n' "field ${3:-m31}" "collude partial stations=1" "quantize $2" "stations 2" "client 1-$1 via 1 2"
}

# round_of PLAN CLIENTS EXPRESSION: a round in which each client shares the value of a Python expression.
round_of() {
    local i

    for ((i = 1; i <= $2; i++)); do
        npy v.npy "$3"
        hagg-share --plan "$1" --client "$i" --round 1 v.npy
    done >all.cbor
    hagg-aggregate --plan "$1" all.cbor | hagg-decode --plan "$1" -o sum.npy
}

@test "the plan has the number, and every command computes the same" {
    # 32 (2^25 - 1) is below 2^30, 33 (2^25 - 1) is not
    of_clients 32 "bits=max clip=1" >max.topo
    of_clients 32 "bits=26 clip=1" >number.topo
    of_clients 33 "bits=max clip=1" >more.topo
    run -0 --separate-stderr hagg-plan max.topo
    assert_line "quantize bits=26 clip=1 rounding=nearest"
    refute_output --partial max
    assert_equal "$output" "$(hagg-plan -q number.topo)"
    assert_equal "$(hagg-plan --digest max.topo)" "$(hagg-plan --digest number.topo)"
    run -0 hagg-plan -q more.topo
    assert_line "quantize bits=25 clip=1 rounding=nearest"
    # one bit more is refused, and the message has the right number
    of_clients 32 "bits=27 clip=1" >over.topo
    unchanged 3 hagg-plan over.topo
    assert_message "over.topo: a sum over 32 clients of 27 bits overflows field 'm31': use bits=max, which is 26 here, or a larger field"
}

@test "hagg-plan reports the bytes of an element, and what other bits would cost" {
    # 20 (2^26 - 2) is below 2^31 - 1; 20 (2^11 - 2) and 20 (2^3 - 2) are below 65521 and 251
    shorter="bits=11 would fit prime:p=65521 and halve the bytes; bits=3 would fit prime:p=251 and quarter the bytes"
    of_clients 20 "bits=16 clip=1" >t.topo
    run -0 --separate-stderr hagg-plan t.topo -o t.plan
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field m31: 4 bytes an element; up to bits=26 at the same cost; $shorter"
    run -0 --separate-stderr hagg-plan --keep t.plan
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field m31: 4 bytes an element; up to bits=26 at the same cost; $shorter"
    for bits in 26 max; do
        of_clients 20 "bits=$bits clip=1" >t.topo
        run -0 --separate-stderr hagg-plan t.topo
        assert_equal "${stderr_lines[-1]}" "hagg-plan: field m31: 4 bytes an element; $shorter"
    done
    # more bits than a double has are not recommended
    shorter="bits=26 would fit m31 and halve the bytes; bits=11 would fit prime:p=65521 and quarter the bytes; bits=3 would fit prime:p=251 and need an eighth of the bytes"
    of_clients 20 "bits=40 clip=1" m61 >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field m61: 8 bytes an element; up to bits=53 at the same cost; $shorter"
    of_clients 20 "bits=55 clip=1" m61 >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field m61: 8 bytes an element; $shorter"
    # a field that was named although a shorter one would do
    of_clients 20 "bits=3 clip=1" >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field m31: 4 bytes an element; up to bits=26 at the same cost; prime:p=65521 would hold the sums and halve the bytes; prime:p=251 would hold the sums and quarter the bytes"
    # the shortest, full
    of_clients 20 "bits=3 clip=1" auto >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_line "field prime:p=251"
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field prime:p=251: 1 byte an element"
    # without a quantisation there is nothing to report
    grep -v quantize t.topo >integers.topo
    run -0 --separate-stderr hagg-plan integers.topo
    assert_line "field m31"
    refute_regex "$stderr" "byte"
}

@test "hagg-plan reports how many levels cost the same, and how many would need fewer bytes" {
    # 65520 / 20 = 3276, 250 / 20 = 12.5, 2147483646 / 20 = 107374182.3
    of_clients 20 "levels=4000 clip=1" auto >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field m31: 4 bytes an element; up to levels=107374183 at the same cost; levels=3277 would fit prime:p=65521 and halve the bytes; levels=13 would fit prime:p=251 and quarter the bytes"
    of_clients 20 "levels=13 clip=1" auto >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field prime:p=251: 1 byte an element"
    # ternary is a number of levels, signs are not
    of_clients 20 "ternary clip=1" auto >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field prime:p=251: 1 byte an element; up to levels=13 at the same cost"
    of_clients 20 "sign clip=1" prime:p=65521 >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field prime:p=65521: 2 bytes an element; prime:p=251 would hold the sums and halve the bytes"
}

@test "all clients at the clip, in each field that is chosen: the sum is exact" {
    # 5 clients: 5 (2^b - 2) is below the order
    for case in "5 prime:p=251 1" "13 prime:p=65521 2" "28 m31 4" "58 m61 8" "60 goldilocks 8"; do
        read -r bits field size <<<"$case"
        export HAGG_STATE="$PWD/state-$bits"
        rm -f t.plan sum.npy
        of_clients 5 "bits=$bits clip=1" auto >t.topo
        hagg-plan -q t.topo -o t.plan
        assert_equal "$(head -n 1 t.plan)" "field $field"
        run -0 --separate-stderr round_of t.plan 5 "np.array([1.0, -1.0, 0, 1.0])"
        assert_numpy 'np.array_equal(load("sum.npy"), [5, -5, 0, 5])'
        run -0 hagg-inspect --json all.cbor
        assert_output --partial "\"elem_size\":$size,"
        # one bit more needs the next field
        if [ "$bits" -lt 58 ]; then
            of_clients 5 "bits=$((bits + 1)) clip=1" auto >t.topo
            run -0 hagg-plan -q t.topo
            refute_line "field $field"
        fi
    done
}

@test "all clients at the clip or at its negative: the sum is exact" {
    of_clients 32 "bits=max clip=0.5" >t.topo
    hagg-plan -q t.topo -o t.plan
    run -0 --separate-stderr round_of t.plan 32 "np.array([0.5, -0.5, 0, 0.5 / (2**25 - 1)])"
    assert_regex "$stderr" "total of 32 clients"
    # in steps: 32 times the largest integer, its negative, 0, and 32
    assert_numpy 'np.array_equal(np.rint(load("sum.npy") / 0.5 * (2**25 - 1)), [32 * (2**25 - 1), -32 * (2**25 - 1), 0, 32])'
    assert_numpy 'np.allclose(load("sum.npy")[:3], [16, -16, 0], rtol=2**-51, atol=0)'
}

@test "a field with room for more bits than a double has" {
    of_clients 3 "bits=max clip=1" goldilocks >t.topo
    run -0 hagg-plan -q t.topo
    assert_line "quantize bits=53 clip=1 rounding=nearest"
    run -0 --separate-stderr round_of t.topo 3 "np.array([1.0, -1.0, 0.1, -1e-9])"
    # at most half a step for each client, and the rounding of doubles
    assert_regex "$stderr" "the quantisation error is at most 3e-15"
    assert_numpy 'abs(load("sum.npy") - [3, -3, 0.30000000000000004, -3e-9]).max() < 3e-15'
}

@test "without a plan the number of vectors in the sum is unknown, so bits=max is refused" {
    printf '%s\n' 0.5 >v.txt
    TOOL=hagg-share
    unchanged 2 hagg-share -n 3 -k 2 -z 1 --quantize bits=max,clip=1 -o s.cbor v.txt
    assert_message "--quantize: bits=max needs a plan, which sets how many vectors are summed: use a number of bits"
}
