#!/usr/bin/env bats
# The lines integers and samples most=: what they accept, what clients may share, and sums at the edges of a field.

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

# plan_of CLIENTS LINE...: writes t.topo and t.plan.
plan_of() {
    printf '%s\n' "collude partial stations=1" "stations 3" "client 1-$1 via 1-3" "${@:2}" >t.topo
    hagg-plan -q t.topo -o t.plan
}

# round_of CLIENTS EXPRESSION OPTION...: a round in which client i shares the value of a Python expression.
round_of() {
    local i

    for ((i = 1; i <= $1; i++)); do
        npy v.npy "(lambda i: $2)($i)"
        hagg-share --plan t.plan --client "$i" --round 1 "${@:3}" v.npy
    done >all.cbor
    hagg-aggregate --plan t.plan all.cbor >sums.cbor
}

@test "sums of declared integers are exact at both edges of the range" {
    local case n lo hi field

    # 25 * 10 = 250, one less than the order; 5 * 13104 = 65520; all negative; none near 0
    for case in "25 -3 7 prime:p=251" "25 -13 -3 prime:p=251" "25 1000 1010 prime:p=251" "5 -1 13103 prime:p=65521"; do
        read -r n lo hi field <<<"$case"
        export HAGG_STATE="$PWD/state$lo"
        rm -f t.plan sum.npy
        plan_of "$n" "integers $lo..$hi"
        assert_equal "$(head -n 1 t.plan)" "field $field"
        round_of "$n" "np.array([$lo, $hi, $lo + i % 2, $hi - (i == 1)], dtype='i4')"
        run -0 --separate-stderr hagg-decode --plan t.plan -o sum.npy sums.cbor
        assert_numpy "load('sum.npy').tolist() == [$n * $lo, $n * $hi, $n * $lo + ($n + 1) // 2, $n * $hi - 1]"
    done
}

@test "one more than the field holds needs the next field" {
    plan_of 250 "integers 0..1"
    assert_equal "$(head -n 1 t.plan)" "field prime:p=251"
    plan_of 251 "integers 0..1"
    assert_equal "$(head -n 1 t.plan)" "field prime:p=65521"
    printf '%s\n' "field prime:p=251" "stations 3" "client 1-251 via 1-3" "integers 0..1" >over.topo
    unchanged 3 hagg-plan over.topo
    assert_message "over.topo: a sum over 251 clients of integers from 0 to 1 overflows field 'prime:p=251': use a larger field, or a smaller range"
    printf '%s\n' "field prime:p=251" "stations 3" "client 1-25 via 1-3" "integers 0..1" "samples most=11" >over.topo
    unchanged 3 hagg-plan over.topo
    assert_message "over.topo: a sum over 25 clients of up to 11 samples overflows field 'prime:p=251': use a larger field, or fewer samples"
    printf '%s\n' "field gf256" "stations 3" "client 1-25 via 1-3" "integers 0..1" >over.topo
    unchanged 3 hagg-plan over.topo
    assert_message "over.topo: addition in field 'gf256' is not integer addition: use a prime field or remove integers"
}

@test "hagg-plan reports which integers and sample counts would need fewer bytes" {
    # 65520 / 25 = 2620.8, 250 / 25 = 10
    for case in "integers -5..3000|m31: 4 bytes an element; a range of 2621 integers would fit prime:p=65521 and halve the bytes; a range of 11 integers would fit prime:p=251 and quarter the bytes" \
        "integers -5..6|prime:p=65521: 2 bytes an element; a range of 11 integers would fit prime:p=251 and halve the bytes" \
        "integers -5..5|prime:p=251: 1 byte an element"; do
        printf '%s\n' "stations 3" "client 1-25 via 1-3" "${case%|*}" >t.topo
        run -0 --separate-stderr hagg-plan t.topo
        assert_equal "${stderr_lines[-1]}" "hagg-plan: field ${case#*|}"
    done
    printf '%s\n' "stations 3" "client 1-25 via 1-3" "integers 0..1" "samples most=11" >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field prime:p=65521: 2 bytes an element; samples most=10 would fit prime:p=251 and halve the bytes"
    printf '%s\n' "stations 3" "client 1-25 via 1-3" "integers 0..11" "samples most=11" >t.topo
    run -0 --separate-stderr hagg-plan t.topo
    assert_equal "${stderr_lines[-1]}" "hagg-plan: field prime:p=65521: 2 bytes an element; a range of 11 integers and samples most=10 would fit prime:p=251 and halve the bytes"
}

@test "if the largest field is too small, no larger one is recommended" {
    # 3 * 2^62 and 1025 * (2^53 - 1) are above 2^63
    for field in auto goldilocks m61; do
        printf '%s\n' "field $field" "minimum 1" "stations 3" "client 1-3 via 1-3" "integers 0..4611686018427387904" >over.topo
        said=${field/auto/goldilocks}
        unchanged 3 hagg-plan over.topo
        assert_message "over.topo: a sum over 3 clients of integers from 0 to 4611686018427387904 overflows field '$said': use a smaller range"
        printf '%s\n' "field $field" "minimum 1" "stations 3" "client 1-3 via 1-3" "integers 0..1" "samples most=4611686018427387904" >over.topo
        unchanged 3 hagg-plan over.topo
        assert_message "over.topo: a sum over 3 clients of up to 4611686018427387904 samples overflows field '$said': use fewer samples"
        printf '%s\n' "field $field" "minimum 1" "stations 3" "client 1-1025 via 1-3" "quantize levels=9007199254740992 clip=1" >over.topo
        unchanged 3 hagg-plan over.topo
        # one more than the largest sum over the clients; for goldilocks it is (order - 1) / 2
        [ "$field" = m61 ] && most=2305843009213693950 || most=9223372034707292160
        levels=$((most / 1025 + 1))
        assert_message "over.topo: a sum over 1025 clients of 9007199254740992 levels overflows field '$said': use at most levels=$levels"
    done
    # a sum that m61 cannot hold and goldilocks can
    printf '%s\n' "field m61" "minimum 1" "stations 3" "client 1 via 1-3" "integers 0..4611686018427387904" >over.topo
    unchanged 3 hagg-plan over.topo
    assert_message "over.topo: a sum over 1 clients of integers from 0 to 4611686018427387904 overflows field 'm61': use a larger field, or a smaller range"
}

@test "a type is another spelling of its range" {
    local case

    for case in "u1 0..255" "u2 0..65535" "u4 0..4294967295" "i1 -128..127" "i2 -32768..32767" "i4 -2147483648..2147483647"; do
        plan_of 3 "integers ${case% *}"
        run -0 grep integers t.plan
        assert_output "integers ${case#* }"
        cp t.plan type.plan
        plan_of 3 "integers ${case#* }"
        cmp t.plan type.plan
    done
}

@test "integers outside the declared range are refused, and nothing is written" {
    TOOL=hagg-share
    plan_of 4 "integers 2..5"
    for value in 1 6 -1 100000; do
        printf '%s\n' 2 5 "$value" >v.txt
        unchanged 3 hagg-share --plan t.plan --client 1 --round 1 --type i8 -o 's-{}.cbor' v.txt
        assert_message "v.txt: element 2 is not from 2 to 5, the integers of the plan"
    done
    printf '%s\n' 2 5 3 >v.txt
    run -0 --separate-stderr hagg-share --plan t.plan --client 1 --round 1 --type i8 -o 's-{}.cbor' v.txt
    # far into a long vector, too
    npy v.npy "np.where(np.arange(5000) == 4321, 1, 2)"
    unchanged 3 hagg-share --plan t.plan --client 2 --round 1 -o 's-{}.cbor' v.npy
    assert_message "v.npy: element 4321 is not from 2 to 5, the integers of the plan"
    printf '%s\n' 2 5 3 >v.txt
    # a plan of integers has no quantisation
    unchanged 4 hagg-share --plan t.plan --client 2 --round 1 --type f8 -o 'f-{}.cbor' v.txt
    assert_message "v.txt: has type f8, but t.plan has an integers line: share integers, for instance text with --type i8"
}

@test "sample counts up to the declared number: their sum fills the field" {
    # 25 * 10 = 250
    plan_of 25 "integers 0..1" "samples most=10"
    assert_equal "$(head -n 1 t.plan)" "field prime:p=251"
    run -0 grep samples t.plan
    assert_output "samples most=10"
    round_of 25 "np.array([1, 0, i % 2], dtype='u1')" --samples 10
    run -0 --separate-stderr hagg-decode --plan t.plan --mean -o mean.npy sums.cbor
    assert_regex "$stderr" "250 samples"
    assert_numpy "np.allclose(load('mean.npy'), [25 / 250, 0, 13 / 250])"
    TOOL=hagg-share
    npy v.npy "np.array([1, 0, 1], dtype='u1')"
    unchanged 2 hagg-share --plan t.plan --client 1 --round 2 --samples 11 -o 's-{}.cbor' v.npy
    assert_message "the sample count is too large: the samples line of the plan allows 10"
}

@test "the plan as JSON has the declared numbers" {
    plan_of 4 "integers -1..5" "samples most=7"
    run -0 hagg-plan --json t.plan
    assert_json "[lines[0][key] for key in ('field', 'integers', 'samples', 'most_samples')] == ['prime:p=251', [-1, 5], True, 7]"
    plan_of 4 "samples"
    run -0 hagg-plan --json t.plan
    assert_json "[lines[0][key] for key in ('field', 'integers', 'samples', 'most_samples')] == ['m31', None, True, None]"
}

@test "a total that declared integers cannot have is refused" {
    TOOL=hagg-decode
    # with one segment, the total changes by what is added to all sums
    plan_of 4 "integers 0..5" "field prime:p=251" "samples most=3" "segments 1"
    cp t.topo t.plan
    round_of 4 "np.array([5, 0], dtype='u1')" --samples 3
    for case in "0 1 element 0 of the total" "0 -21 element 0 of the total" "1 -1 element 1 of the total" "2 1 the number of samples, 13," "2 -13 the number of samples, 250,"; do
        read -r at more what <<<"$case"
        cp sums.cbor wrong.cbor
        rewrite wrong.cbor "e[$at] = (int(e[$at]) + $more) % 251"
        unchanged 3 hagg-decode --plan t.plan -o out.npy wrong.cbor
        assert_message "$what is outside the range of a total of 4 clients: a share was changed, or a client shared a wrong vector: get the shares again, or start a new round"
    done
    run -0 --separate-stderr hagg-decode --plan t.plan --format text sums.cbor
    assert_output "20
0"
    assert_regex "$stderr" "12 samples"
}

@test "lines that are wrong" {
    local message

    for message in "integers|'integers': needs a range or a type after it, as in 0..5 or u1" \
        "integers 5|'5': must be two integers from -2^62 to 2^62, as in 0..5, or one of the types i1, i2, i4, u1, u2 and u4" \
        "integers 0..|'0..': must be two integers from -2^62 to 2^62, as in 0..5, or one of the types i1, i2, i4, u1, u2 and u4" \
        "integers 0..05|'0..05': must be two integers from -2^62 to 2^62, as in 0..5, or one of the types i1, i2, i4, u1, u2 and u4" \
        "integers -0..5|'-0..5': must be two integers from -2^62 to 2^62, as in 0..5, or one of the types i1, i2, i4, u1, u2 and u4" \
        "integers u8|'u8': must be two integers from -2^62 to 2^62, as in 0..5, or one of the types i1, i2, i4, u1, u2 and u4" \
        "integers 0..4611686018427387905|'0..4611686018427387905': must be two integers from -2^62 to 2^62, as in 0..5, or one of the types i1, i2, i4, u1, u2 and u4" \
        "integers 5..5|'5..5': must be a smaller and a larger integer, as in 0..5" \
        "integers 5..-5|'5..-5': must be a smaller and a larger integer, as in 0..5" \
        "integers 0..5 6|'6': is an extra word" \
        "samples most=0|'most=0': number must be at least 1" \
        "samples most=5 6|'6': is an extra word"; do
        printf '%s\n' "stations 3" "client 1-4 via 1-3" "${message%%|*}" >wrong.topo
        unchanged 3 hagg-plan wrong.topo
        assert_message "wrong.topo:3: ${message#*|}"
    done
    printf '%s\n' "stations 3" "client 1-4 via 1-3" "quantize bits=8 clip=1" "integers u1" >wrong.topo
    unchanged 3 hagg-plan wrong.topo
    assert_message "wrong.topo: has a quantize line for real numbers and an integers line: remove one of them"
}
