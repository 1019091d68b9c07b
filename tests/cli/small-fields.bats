#!/usr/bin/env bats
# Wrong shares in a field of 251 elements: what is promised does not depend on the size of the field.

load common

TOOL=hagg-decode
load round

setup_file() {
    common_setup_file
}

# Two surplus shares, in a round of three clients with 3000 numbers each.
setup() {
    begin_round
    printf '%s\n' "collude partial stations=1" "drop stations=2" "stations 6" "client 1-3 via 1-6" "integers 0..83" >t.topo
    hagg-plan -q t.topo -o t.plan
    export HAGG_PLAN=t.plan
    for i in 1 2 3; do
        npy v$i.npy "np.random.default_rng($i).integers(0, 84, 3000).astype('u1')"
        hagg-share --client $i --round 1 -o "to-{}-$i.cbor" v$i.npy
    done
    for u in 1 2 3 4 5 6; do
        hagg-aggregate --station $u -o from-$u.cbor to-$u-?.cbor
    done
}

# spoil STATION...: adds a random number other than 0 to every element of the sums of these stations.
spoil() {
    local u

    for u in "$@"; do
        rewrite from-$u.cbor "import numpy; r = numpy.random.default_rng($u).integers(1, 251, len(e)); e = ((e.astype(int) + r) % 251).astype(e.dtype)"
    done
}

is_sum() {
    assert_numpy 'np.array_equal(load("sum.npy"), sum(load(f"v{i}.npy").astype(int) for i in (1, 2, 3)))'
}

@test "the field is full, and the total is exact" {
    assert_equal "$(head -n 1 t.plan)" "field prime:p=251"
    hagg-decode -q -o sum.npy from-?.cbor
    is_sum
}

@test "one wrong share of two surplus ones is corrected at every position, whoever sent it" {
    for u in 1 4 6; do
        cp from-$u.cbor right.cbor
        spoil $u
        unchanged 3 hagg-decode -o sum.npy from-?.cbor
        assert_regex "$stderr" "the share of station $u is wrong"
        run -0 --separate-stderr hagg-decode --correct -o sum.npy from-?.cbor
        assert_regex "$stderr" "station $u"
        is_sum
        rm sum.npy
        mv right.cbor from-$u.cbor
    done
}

@test "two wrong shares are detected, at whichever single position they are" {
    # one position after the other, in a total that has no other mistake
    for at in 0 7 311; do
        for pair in "1 2" "2 6" "3 5"; do
            mkdir wrong
            cp from-?.cbor wrong
            for u in $pair; do
                rewrite wrong/from-$u.cbor "e[$at] = (int(e[$at]) + $u + $at) % 251"
            done
            unchanged 3 hagg-decode -o sum.npy wrong/from-?.cbor
            assert_regex "$stderr" "wrong"
            rm -r wrong
        done
    done
}

@test "beyond the promise: two wrong shares that agree pass with one surplus share, and not with two" {
    # by Lagrange: e_1 w_1 + e_2 w_2 = 0 for five points, with w_i = 1 / product of (x_i - x_j)
    for u in 1 2 3 4 5; do
        hagg-inspect --json from-$u.cbor | head -n 1
    done >points.json
    second=$("$HAGG_PYTHON" - <<END
import json, math
x = [json.loads(line)["scheme"]["point"] for line in open("points.json")]
w = [pow(math.prod(a - b for b in x if b != a), -1, 251) for a in x]
print(-w[0] * pow(w[1], -1, 251) % 251)
END
)
    rewrite from-1.cbor "e[5] = (int(e[5]) + 1) % 251"
    rewrite from-2.cbor "e[5] = (int(e[5]) + $second) % 251"
    unchanged 3 hagg-decode -o sum.npy from-?.cbor
    assert_regex "$stderr" "wrong"
    # the control: the same sums without the sixth
    HAGG_STATE="$PWD/other" run -0 hagg-decode -q -o sum.npy from-[1-5].cbor
    assert_numpy 'not np.array_equal(load("sum.npy"), sum(load(f"v{i}.npy").astype(int) for i in (1, 2, 3)))'
}
