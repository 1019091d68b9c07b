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

@test "hagg-plan reports that more bits would cost nothing" {
    of_clients 20 "bits=16 clip=1" >t.topo
    run -0 --separate-stderr hagg-plan t.topo -o t.plan
    assert_equal "${stderr_lines[-1]}" "hagg-plan: quantize bits=16: up to bits=26 fit in field m31 at the same cost"
    run -0 --separate-stderr hagg-plan --keep t.plan
    assert_equal "${stderr_lines[-1]}" "hagg-plan: quantize bits=16: up to bits=26 fit in field m31 at the same cost"
    for bits in 26 max; do
        of_clients 20 "bits=$bits clip=1" >t.topo
        run -0 --separate-stderr hagg-plan t.topo
        refute_regex "$stderr" "bits="
    done
    # more bits than a double has are not recommended
    of_clients 20 "bits=40 clip=1" m61 >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: quantize bits=40: up to bits=53 fit in field m61 at the same cost"
    of_clients 20 "bits=55 clip=1" m61 >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    refute_regex "$stderr" "bits="
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
