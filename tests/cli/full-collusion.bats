#!/usr/bin/env bats
# Rounds under full collusion: keys are shared like vectors, and no station waits for another.

load common

TOOL=hagg-decode
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    write_ring
    write_cheapest
    export HAGG_PLAN=ring.plan
}

@test "the paper's sets: files at stations give the sum" {
    share_floats 1 2 3 4 5 6
    add
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
    assert_output ""
    assert_equal "$stderr" "hagg-decode: round 1: total of 6 clients: 1-6
hagg-decode: the quantisation error is at most 9.16e-05"
    assert_sum_of 1,2,3,4,5,6
}

@test "the cheapest sets: files at stations give the sum" {
    export HAGG_PLAN=cheapest.plan
    share_floats 1 2 3 4 5 6
    add
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
    assert_output ""
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_sum_of 1,2,3,4,5,6
}

@test "clients and stations send 48 and 44 times the vector in total, as in theory" {
    # a multiple of 2, so that one and two parts have no remainder
    for plan in ring:48 cheapest:44; do
        export HAGG_PLAN=${plan%:*}.plan
        rm -rf station-* k?.cbor*
        share_floats 1 2 3 4 5 6
        add
        run -0 hagg-inspect --json station-*/*.cbor from-?.cbor
        assert_json "sum(r['elements'] for r in lines[:-1]) == 50 * ${plan#*:}"
    done
}

@test "a client sends shares of its key, but never the key itself" {
    share_floats 3
    run -0 hagg-inspect --json station-*/client-3.cbor
    assert_json 'sorted((r["of"], r["kind"], r["to"][1]) for r in lines[:-1]) == \
        sorted([("padded", "share", u) for u in (2, 3, 4, 5)] + [("key", "share", u) for u in (1, 2, 3, 5)])'
    assert_json 'all("type" not in r for r in lines[:-1] if r["of"] == "key")'
    assert_json 'len({r["id"] for r in lines[:-1]}) == 1'
}

@test "one pipe from the clients to the sum" {
    pipeline() {
        for i in 1 2 3 4 5 6; do
            npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, 50)"
            hagg-keygen --client $i --round 1 --length 50 |
                hagg-share --client $i --round 1 --key - grad$i.npy
        done | hagg-aggregate "$@" | hagg-decode -o sum.npy
    }
    for options in "" "--threads=2"; do
        rm -f sum.npy
        forget
        run -0 --separate-stderr pipeline $options
        assert_output ""
        assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
        assert_sum_of 1,2,3,4,5,6
    done
}

@test "sums of vectors and of keys may be made by separate commands" {
    share_floats 1 2 3 4 5 6
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o shares-$u.cbor
        hagg-aggregate --station $u --only keys station-$u/*.cbor -o keys-$u.cbor
    done
    run -0 --separate-stderr hagg-decode -o sum.npy shares-?.cbor keys-?.cbor
    assert_sum_of 1,2,3,4,5,6
    run -5 --separate-stderr hagg-decode -o none.npy shares-?.cbor
    assert_message "the keys are missing: the stations also send sums of their shares"
    assert_file_not_exists none.npy
    run -5 --separate-stderr hagg-decode -o none.npy shares-?.cbor keys-[1345].cbor
    assert_message "only 2 of the shares of station 1-2 5 arrived, but 3 are needed: for example, the share of station 2 is missing"
    assert_file_not_exists none.npy
}

@test "samples and the mean over them" {
    sed -i '$a samples' ring.plan
    for i in 1 2 3 4 5 6; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, 33)"
        hagg-keygen --client $i --round 1 --length 33 |
            hagg-share --client $i --round 1 --samples $((10 * i)) --key - grad$i.npy
    done >uploads.cbor
    hagg-aggregate uploads.cbor -o sums.cbor
    run -0 --separate-stderr hagg-decode --mean -o mean.npy sums.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_equal "${stderr_lines[1]}" "hagg-decode: of 210 samples"
    assert_numpy 'np.abs(load("mean.npy") - sum(np.rint(load(f"grad{i}.npy") * 32767) for i in range(1, 7)) / 32767 / 210).max() < 1e-12'
}

@test "over gf256 the total is the XOR" {
    sed -i -e 's/^quantize.*/field gf256/' ring.plan
    for i in 1 2 3 4 5 6; do
        npy bytes$i.npy "np.random.default_rng($i).integers(0, 256, 1001).astype('u1')"
        hagg-keygen --client $i --round 1 --length 1001 |
            hagg-share --client $i --round 1 --key - bytes$i.npy
    done | hagg-aggregate | hagg-decode -q -o xor.npy
    assert_numpy 'np.array_equal(load("xor.npy"), np.bitwise_xor.reduce([load(f"bytes{i}.npy") for i in range(1, 7)]))'
}

@test "every field and the additive scheme give the same sum of integers" {
    for i in 1 2 3 4 5 6; do
        npy ints$i.npy "np.random.default_rng($i).integers(-100000, 100000, 101)"
    done
    for field in m31 m61 goldilocks prime:p=4611686018427387847; do
        for scheme in ramp additive; do
            sed -e "s/^quantize.*/field $field/" -e "\$a scheme $scheme" ring.plan >any.plan
            rm -f sum.npy
            for i in 1 2 3 4 5 6; do
                hagg-keygen --plan any.plan --client $i --round 1 --length 101 |
                    hagg-share --again --plan any.plan --client $i --round 1 --key - ints$i.npy
            done | hagg-aggregate --plan any.plan | hagg-decode --plan any.plan -q -o sum.npy
            assert_numpy 'np.array_equal(load("sum.npy"), sum(load(f"ints{i}.npy") for i in range(1, 7)))'
        done
    done
}

@test "sharing the same vector again gives the same bytes, for the key too" {
    share_floats 3
    cp -r . ../before
    hagg-share --client 3 --round 1 --key k3.cbor -o "station-{}/client-3.cbor" grad3.npy
    run -0 diff -r . ../before
    # without the state all records differ
    hagg-share --no-state --client 3 --round 1 --key k3.cbor -o "station-{}/client-3.cbor" grad3.npy
    cat station-?/client-3.cbor ../before/station-?/client-3.cbor >both.cbor
    run -0 hagg-inspect --json both.cbor
    assert_json 'len({r["digest"] for r in lines if "digest" in r}) == 16'
    assert_json 'len({r["id"] for r in lines if "id" in r}) == 2'
}

@test "a key does not pad a second vector" {
    TOOL=hagg-share
    share_floats 3
    npy other.npy "np.zeros((5, 10))"
    unchanged 6 hagg-share --client 3 --round 1 --key k3.cbor -o "station-{}/client-3.cbor" other.npy
    assert_message "other.npy: client 3 has already shared another vector, type or sample count, or used another key, in round 1: repeat it with those of the first time, or use a new round for a new vector (state in $HAGG_STATE)"
}

@test "shares of a key and of a vector from different runs are refused" {
    share_floats 1 2 3 4 5 6
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --only keys station-$u/*.cbor -o keys-$u.cbor
    done
    forget
    share_floats 4
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o shares-$u.cbor
    done
    unchanged 4 hagg-decode -o sum.npy shares-?.cbor keys-?.cbor
    assert_message "keys-1.cbor: contains keys from a different run of hagg-share than the shares: a client has shared again, and all stations must use the same run"
}

# --- stations that are missing or send wrong shares

# The same groups over six of seven stations, of which two may be missing.
write_wide() {
    write_crossing "drop stations=2
quantize bits=16 clip=1.0"
    sed -i 's/stations 5/stations 7/; s/via 1-5/via 1-7/; s/1-4/1-6/g; s/2-5/2-7/g' crossing.plan
}

@test "any one station may be missing if the plan allows it" {
    write_crossing "drop stations=1
quantize bits=16 clip=1.0"
    export HAGG_PLAN=crossing.plan
    share_floats 1 2 3 4 5 6
    for gone in 1 2 3 4 5; do
        rm -rf sum.npy from-?.cbor
        mv station-$gone away
        add
        run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
        assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
        assert_sum_of 1,2,3,4,5,6
        mv away station-$gone
    done
}

@test "two missing stations are too many, and without drop none may be missing" {
    write_crossing "drop stations=1
quantize bits=16 clip=1.0"
    export HAGG_PLAN=crossing.plan
    share_floats 1 2 3 4 5 6
    add
    unchanged 5 hagg-decode -o sum.npy from-[135].cbor
    assert_message "only 2 of the shares of station 1-4 arrived, but 3 are needed: for example, the share of station 2 is missing"
    rm -rf station-* from-?.cbor k?.cbor*
    export HAGG_PLAN=ring.plan
    share_floats 1 2 3 4 5 6
    add
    unchanged 5 hagg-decode -o sum.npy from-[1235].cbor
    assert_regex "$stderr" "^hagg-decode: only [23] of the shares of station (2-5|2 4-5) arrived, but [34] are needed: for example, the share of station 4 is missing$"
}

@test "one surplus share detects a wrong share of a key, two identify its station" {
    write_crossing "drop stations=1
quantize bits=16 clip=1.0"
    export HAGG_PLAN=crossing.plan
    share_floats 1 2 3 4 5 6
    add
    rewrite from-1.cbor 'if h["of"] == "key": e[1] ^= 1'
    unchanged 3 hagg-decode -o sum.npy from-?.cbor
    assert_message "a share of station 1-4 is wrong, but there are too few surplus shares (1) to identify it: get the shares again, or get more of them"
    rm -rf station-* from-?.cbor k?.cbor*
    write_wide
    share_floats 1 2 3 4 5 6
    add
    # only in the sharing over stations 1-6
    rewrite from-3.cbor 'if h["of"] == "key" and h["route"][0][1][0] == 1: e[1] ^= 1'
    unchanged 3 hagg-decode -o sum.npy from-?.cbor
    assert_message "from-3.cbor: the share of station 3 is wrong: station 3 changed it, or a client sent it a wrong share: get it again, leave it out, or use --correct"
}

@test "--correct corrects a wrong share of a key and names its station" {
    write_wide
    export HAGG_PLAN=crossing.plan
    share_floats 1 2 3 4 5 6
    add
    rewrite from-3.cbor 'if h["of"] == "key" and h["route"][0][1][0] == 1: e[1] ^= 1'
    run -0 --separate-stderr hagg-decode --correct -o sum.npy from-?.cbor
    assert_equal "$stderr" "hagg-decode: from-3.cbor: the share of station 3 was wrong and was corrected
hagg-decode: round 1: total of 6 clients: 1-6
hagg-decode: the quantisation error is at most 9.16e-05"
    assert_sum_of 1,2,3,4,5,6
}
