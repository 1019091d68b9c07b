#!/usr/bin/env bats
# Sixty clients under full collusion, three of whom may collude with a station and the federator.

load common

TOOL=hagg-decode
load round
load full

# The uploads are made once; every test uses its own copy.
setup_file() {
    common_setup_file
    mkdir "$BATS_FILE_TMPDIR/sixty"
    cd "$BATS_FILE_TMPDIR/sixty"
    # fifteen clients on each of the four edges between two groups of vectors and two of keys
    cat >sixty.plan <<END
collude  full clients=3 stations=1
drop     stations=1
quantize bits=20 clip=1.0
length   100
stations 6
client   1-15   via 1-6  shares 1-5  keys 1-4
client   16-30  via 1-6  shares 1-5  keys 3-6
client   31-45  via 1-6  shares 2-6  keys 1-4
client   46-60  via 1-6  shares 2-6  keys 3-6
protocol keys
END
    for i in {1..60}; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, 100).astype('f4')"
        hagg-keygen --plan sixty.plan --client $i --round 7 |
            hagg-share --plan sixty.plan --client $i --round 7 --key - \
                -o "station-{}/client-$i.cbor" grad$i.npy
    done
}

setup() {
    cp -r "$BATS_FILE_TMPDIR/sixty" "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    export HAGG_PLAN=sixty.plan
}

# assert_total FILE CLIENTS: checks that FILE is the sum of the quantised gradients of the clients,
# given as a Python expression.
assert_total() {
    assert_numpy "np.abs(load('$1') - sum(np.rint(load(f'grad{i}.npy').astype('f8') * 524287) for i in $2) / 524287).max() < 1e-10"
}

@test "files at stations and one pipe give the same sum, which is right" {
    add
    run -0 --separate-stderr hagg-decode --type f8 -o files.npy from-?.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 7: total of 60 clients: 1-60"
    assert_total files.npy 'range(1, 61)'
    cat station-*/*.cbor | hagg-aggregate | hagg-decode -q --type f8 -o pipe.npy
    cmp files.npy pipe.npy
    # one sum per group and station: 2 x 5 of vectors, 2 x 4 of keys
    run -0 hagg-inspect --json from-?.cbor
    assert_json '[r["scheme"]["n"] for r in lines[:-1]].count(5) == 10'
    assert_json '[r["scheme"]["n"] for r in lines[:-1]].count(4) == 8'
    assert_json 'all(sum(b - a + 1 for a, b in r["clients"]) == 30 for r in lines[:-1])'
}

@test "the mean" {
    add
    run -0 --separate-stderr hagg-decode --mean -o mean.npy from-?.cbor
    assert_numpy 'load("mean.npy").dtype == "f4"'
    assert_numpy 'np.abs(load("mean.npy") - sum(load(f"grad{i}.npy").astype("f8") for i in range(1, 61)) / 60).max() < 1.1e-6'
}

@test "ten clients and a station drop out" {
    # some clients reached no station, others a few
    for i in 1 2 17 33 60; do
        rm station-?/client-$i.cbor
    done
    rm station-1/client-5.cbor station-2/client-20.cbor station-[345]/client-40.cbor \
        station-6/client-{50,51}.cbor
    TOOL=hagg-aggregate
    unchanged 5 hagg-aggregate --station 1 station-1/*.cbor -o from-1.cbor
    assert_message "the share of the vector of client 1 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors, or leave out its sum with --skip-incomplete"
    unchanged 5 hagg-aggregate --station 1 --clients 3-16,18-32,34-59 station-1/*.cbor -o from-1.cbor
    assert_message "the share of the vector of client 5 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors, or leave out its sum with --skip-incomplete"
    add --clients 3-4,6-16,18-19,21-32,34-39,41-49,52-59
    TOOL=hagg-decode
    gone='(1, 2, 5, 17, 20, 33, 40, 50, 51, 60)'
    run -0 --separate-stderr hagg-decode --type f8 -o all.npy from-?.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 7: total of 50 clients: 3-4 6-16 18-19 21-32 34-39 41-49 52-59"
    assert_total all.npy "set(range(1, 61)) - set($gone)"
    for u in 1 2 3 4 5 6; do
        mv from-$u.cbor away
        run -0 --separate-stderr hagg-decode --type f8 -o fewer.npy from-?.cbor
        cmp all.npy fewer.npy
        mv away from-$u.cbor
    done
}

@test "a set of clients that three colluders could separate is refused" {
    TOOL=hagg-aggregate
    # only clients 16, 31 and 32 connect clients 1-14 with clients 46-60
    unchanged 6 hagg-aggregate --station 3 --clients 1-14,16,31,32,46-60 station-3/*.cbor -o from-3.cbor
    assert_message "sixty.plan: with the other clients missing, the federator with clients 16 31 32 would learn the sum of clients 1 2 3 4 5 6 7 8 9 10 11 12 and 2 more: make a plan with drop clients=N, where N is how many may be missing"
    # four connecting clients are enough
    add --clients 1-14,16,17,31,32,46-60
    run -0 --separate-stderr hagg-decode --type f8 -o sum.npy from-?.cbor
    assert_total sum.npy '[*range(1, 15), 16, 17, 31, 32, *range(46, 61)]'
}
