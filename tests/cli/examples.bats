#!/usr/bin/env bats
# The examples of shell scripts and plans. Those of plugins are tested in tests/install.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "the city: the default protocol costs half as much as keys" {
    run -0 --separate-stderr hagg-plan "$HAGG_SOURCE_DIR/examples/city/city.topo" -o city.plan
    assert_output ""
    # 205/9 with all stations, 67/3 with the cheapest sets: docs/aligned.md
    assert_regex "$stderr" "cost 67/3 = 22.333 times the vector"
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
    run -0 --separate-stderr hagg-plan --protocol keys "$HAGG_SOURCE_DIR/examples/city/city.topo" -o keys.plan
    assert_regex "$stderr" "cost 44 times the vector"
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
}

@test "a round through relays gives the sum" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/relays/round"
    assert_output $'10\n100\n1000'
    assert_regex "$stderr" "hagg-decode: round 1: total of 4 clients: 1-4"
    run -0 cat relays-round/sum.txt
    assert_output $'10\n100\n1000'
}

@test "in the example with relays, the relays add up all clients" {
    "$HAGG_SOURCE_DIR/examples/relays/round" 2>/dev/null
    for relay in 1 2 3; do
        run -0 hagg-inspect "relays-round/from-relay-$relay.cbor"
        assert_line --regexp "share +padded .* relay $relay +1-4 "
    done
}

@test "a round of the city gives the mean" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/city/round"
    assert_regex "$stderr" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_numpy 'abs(load("city-round/mean.npy")
        - sum(load(f"city-round/grad{i}.npy").astype("f8") for i in range(1, 7)) / 6).max() < 3.4e-8'
}

@test "an example can be run again" {
    "$HAGG_SOURCE_DIR/examples/relays/round" first 2>/dev/null
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/relays/round" second
    assert_output $'10\n100\n1000'
}
