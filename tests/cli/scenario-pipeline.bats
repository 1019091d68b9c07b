#!/usr/bin/env bats
# A round as files in folders and as one pipeline.

load common

TOOL=hagg-decode
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    printf '%s\n' "# six phones, five base stations; any two stations may be curious" "field m31" \
        "collude partial clients=1 stations=2" "quantize bits=16 clip=1.0" >city.plan
    six_clients >>city.plan
    export HAGG_PLAN=city.plan
    for i in 1 2 3 4 5 6; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, 1000).astype('f4')"
    done
}

# The step of every client, as one stream of all records.
all_clients() {
    local i

    for i in 1 2 3 4 5 6; do
        hagg-keygen --plan city.plan --client $i --round 1 --length 1000 |
            hagg-share --plan city.plan --client $i --round 1 --key - grad$i.npy
    done
}

in_files() {
    local i u before=()

    for i in 1 2 3 4 5 6; do
        hagg-keygen --plan city.plan --client $i --round 1 --length 1000 -o k$i.cbor
        hagg-share --plan city.plan --client $i --round 1 --key k$i.cbor \
            -o "station-{}/client-$i.cbor" grad$i.npy
    done
    for u in 1 2 3 4 5; do
        hagg-aggregate --plan city.plan --station $u --only shares station-$u/*.cbor >from-station-$u.cbor
        hagg-aggregate --plan city.plan --station $u --only keys "${before[@]}" station-$u/*.cbor >keys-$u.cbor
        before=(keys-$u.cbor)
    done
    hagg-decode from-station-*.cbor keys-5.cbor "$@"
}

@test "the pipeline and the files give the same mean, which is right" {
    pipeline() {
        all_clients | hagg-aggregate | hagg-decode --mean -o mean.npy
    }
    report="hagg-decode: round 1: total of 6 clients: 1-6
hagg-decode: the quantisation error is at most 1.53e-05"
    run -0 --separate-stderr pipeline
    assert_output ""
    assert_equal "$stderr" "$report"
    forget
    run -0 --separate-stderr in_files --mean -o files.npy
    assert_output ""
    assert_equal "$stderr" "$report"
    run -0 cmp mean.npy files.npy
    assert_numpy 'np.array_equal(load("mean.npy"),
        (sum(np.rint(load(f"grad{i}.npy").astype("f8") * 32767) for i in range(1, 7)) * (1 / 32767) / 6).astype("f4"))'
    assert_numpy 'np.abs(load("mean.npy") - sum(load(f"grad{i}.npy").astype("f8") for i in range(1, 7)) / 6).max() < 1.54e-5'
}

@test "the pipeline leaves no files" {
    mkdir elsewhere
    before=$(ls)
    all_clients | hagg-aggregate | hagg-decode -q --format text >/dev/null
    assert_equal "$(ls)" "$before"
}

@test "aggregation in steps agrees with aggregation at once" {
    all_clients >uploads.cbor
    hagg-aggregate uploads.cbor | hagg-aggregate | hagg-aggregate >thrice.cbor
    hagg-aggregate uploads.cbor >once.cbor
    run -0 cmp once.cbor thrice.cbor
    hagg-decode -q -o a.npy once.cbor
    # clients 1-3 and 4-6 separately
    { hagg-aggregate --no-state --clients 1-3 uploads.cbor &&
        hagg-aggregate --no-state --clients 4-6 uploads.cbor; } |
        hagg-aggregate --no-state | hagg-decode -q -o b.npy
    run -0 cmp a.npy b.npy
}

@test "every field and every scheme gives the same sum of integers" {
    for i in 1 2 3; do
        npy ints$i.npy "np.random.default_rng($i).integers(-100000, 100000, 1001)"
    done
    for field in m31 m61 goldilocks prime:p=4611686018427387847; do
        for scheme in ramp additive; do
            printf '%s\n' "field $field" "scheme $scheme" "collude partial stations=1" \
                "stations 4" "client 1 via 1-4" "client 2 via 1 3 4" "client 3 via 2 4" "protocol keys" >any.plan
            for i in 1 2 3; do
                hagg-keygen --plan any.plan --client $i --round 1 --length 1001 |
                    hagg-share --again --plan any.plan --client $i --round 1 --key - ints$i.npy
            done | hagg-aggregate --plan any.plan | hagg-decode --plan any.plan -q -o sum.npy
            assert_numpy 'np.array_equal(load("sum.npy"), sum(load(f"ints{i}.npy") for i in (1, 2, 3)))'
        done
    done
}

@test "over gf256 the total is the XOR of the clients' bytes" {
    printf '%s\n' "field gf256" "collude partial stations=1" "stations 3" "client 1-3 via 1-3" "protocol keys" >bytes.plan
    for i in 1 2 3; do
        npy bytes$i.npy "np.random.default_rng($i).integers(0, 256, 1001).astype('u1')"
        hagg-keygen --plan bytes.plan --client $i --round 1 --length 1001 |
            hagg-share --plan bytes.plan --client $i --round 1 --key - bytes$i.npy
    done | hagg-aggregate --plan bytes.plan | hagg-decode --plan bytes.plan -q -o xor.npy
    assert_numpy 'np.array_equal(load("xor.npy"), load("bytes1.npy") ^ load("bytes2.npy") ^ load("bytes3.npy"))'
}
