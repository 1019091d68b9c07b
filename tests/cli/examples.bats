#!/usr/bin/env bats
# The examples that are shell and plans; those of plugins are tested where hagg is installed.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "the plan of the city is the cheapest there is" {
    run -0 --separate-stderr hagg-plan "$HAGG_SOURCE_DIR/examples/city/city.topo" -o city.plan
    assert_output ""
    assert_regex "$stderr" "cost 44 times the vector"
    assert_regex "$stderr" "proved: no other station sets cost less"
}

@test "a round through relays gives the sum" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/relays/round"
    assert_output $'10\n100\n1000'
    assert_regex "$stderr" "hagg-decode: total of 4 clients: 1-4"
    run -0 cat relays-round/sum.txt
    assert_output $'10\n100\n1000'
}

@test "all clients of the relays' example come together at the relays" {
    "$HAGG_SOURCE_DIR/examples/relays/round" 2>/dev/null
    for relay in 1 2 3; do
        run -0 hagg-inspect "relays-round/from-relay-$relay.cbor"
        assert_line --regexp "share +padded .* relay $relay +1-4 "
    done
}

@test "a round of the city gives the mean" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/city/round"
    assert_regex "$stderr" "hagg-decode: total of 6 clients: 1-6"
    assert_numpy 'abs(load("city-round/mean.npy")
        - sum(load(f"city-round/grad{i}.npy").astype("f8") for i in range(1, 7)) / 6).max() < 3.4e-8'
}
