#!/usr/bin/env bats
# Clients and stations that drop out of a round.

load common

TOOL=hagg-decode
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    printf '%s\n' "# six phones, five base stations; any station may be curious" \
        "collude partial stations=1" "drop stations=1" "quantize bits=16 clip=1.0" "length 50" >city.topo
    sparing_clients >>city.topo
    export HAGG_PLAN=city.topo
    for i in 1 2 3 4 5 6; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, (5, 10))"
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --client $i --round 1 --key k$i.cbor -o "station-{}/client-$i.cbor" grad$i.npy
    done
}

# add OPTION...: every station adds up its shares, and the keys along the chain.
add() {
    local u before=()

    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --only shares "$@" station-$u/*.cbor -o from-$u.cbor
        hagg-aggregate --station $u --only keys "$@" "${before[@]}" station-$u/*.cbor -o keys-$u.cbor
        before=(keys-$u.cbor)
    done
}

# Checks that sum.npy is the sum of the gradients of these clients, up to quantisation.
assert_sum_of() {
    assert_numpy "np.abs(load('sum.npy') - sum(load(f'grad{i}.npy') for i in ($1))).max() <= len(($1)) * 0.5 / 32767 + 1e-12"
}

@test "nobody drops out" {
    add
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-5.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_sum_of 1,2,3,4,5,6
}

MISSING="if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors, or leave out its sum with --skip-incomplete"

@test "a client that reached only some stations is detected by the other stations" {
    TOOL=hagg-aggregate
    rm station-3/client-6.cbor station-5/client-6.cbor
    for u in 3 5; do
        unchanged 5 hagg-aggregate --station $u --only shares station-$u/*.cbor -o from-$u.cbor
        assert_message "the share of the vector of client 6 is missing: $MISSING"
    done
    for u in 1 2 4; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o from-$u.cbor
    done
}

@test "a station that lacks a share sends nothing, and the others are enough" {
    rm station-3/client-2.cbor
    add --skip-incomplete
    # client 3 has a pattern of its own there
    run -0 hagg-inspect --json from-3.cbor
    assert_json '[r["clients"] for r in lines[:-1]] == [[[3, 3]], [[4, 4]], [[6, 6]]]'
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-5.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_sum_of 1,2,3,4,5,6
}

@test "if two stations lack a share of a pattern, the others are not enough" {
    rm station-3/client-2.cbor station-5/client-2.cbor
    add --skip-incomplete
    run -5 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-5.cbor
    assert_message "only 2 of the shares of station 1-3 5 arrived, but 3 are needed: for example, the share of station 3 is missing"
    assert_file_not_exists sum.npy
}

@test "sums over different clients are refused, whichever has more" {
    add
    for u in 1 2 3 5; do
        # an honest station would refuse the second set
        hostile hagg-aggregate --only shares --clients 1,3-6 station-$u/*.cbor -o less-$u.cbor
    done
    run -4 --separate-stderr hagg-decode -o sum.npy from-[124].cbor less-[35].cbor keys-5.cbor
    assert_message "from-1.cbor: contains client 2, but less-3.cbor does not: all sums of a round must be over the same clients, so use the same --roster at every station"
    run -4 --separate-stderr hagg-decode -o sum.npy less-[123].cbor from-[45].cbor keys-5.cbor
    assert_message "from-5.cbor: contains client 2, but less-1.cbor does not: all sums of a round must be over the same clients, so use the same --roster at every station"
    # three would be enough, but a fourth is over other clients
    run -4 --separate-stderr hagg-decode -q -o sum.npy from-[1234].cbor less-5.cbor keys-5.cbor
    assert_message "from-1.cbor: contains client 2, but less-5.cbor does not: all sums of a round must be over the same clients, so use the same --roster at every station"
    assert_file_not_exists sum.npy
}

@test "--clients leaves out a client that reached only some stations" {
    rm station-3/client-2.cbor station-5/client-2.cbor
    add --clients 1,3-6
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-5.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 5 clients: 1 3-6"
    assert_sum_of 1,3,4,5,6
}

@test "--clients leaves out a client whose key was lost" {
    rm station-2/client-4.cbor
    add --clients 1-3,5-6
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-5.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 5 clients: 1-3 5-6"
    assert_sum_of 1,2,3,5,6
}

@test "any one station may be missing after the chain of keys" {
    add
    for gone in 1 2 3 4 5; do
        mkdir away
        mv from-$gone.cbor away
        run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-5.cbor
        assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
        assert_sum_of 1,2,3,4,5,6
        mv away/from-$gone.cbor .
        rmdir away
    done
}

@test "a station that gets no keys may be missing from the start" {
    rm -r station-4
    before=()
    for u in 1 2 3 5; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o from-$u.cbor
    done
    # station 1 has the keys of clients 1-3, 5 and 6, station 2 that of client 4; the chain skips station 4
    hagg-aggregate --only keys station-1/*.cbor station-2/*.cbor -o keys.cbor
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_sum_of 1,2,3,4,5,6
}

# chain MISSING STATION...: the chain of keys with these stations, in order; the total is keys-LAST.cbor.
chain() {
    local u before=()

    for u in "${@:2}"; do
        hagg-aggregate --station $u --only keys --missing "$1" "${before[@]}" station-$u/*.cbor -o keys-$u.cbor
        before=(keys-$u.cbor)
    done
}

@test "the chain of keys skips a missing station, also if it is the last" {
    add
    chain 4 1 2 3 5
    run -0 hagg-inspect --json keys-3.cbor keys-5.cbor
    assert_json "[lines[i]['to'] for i in (0, 1)] == [['station', 5], ['federator', 1]]"
    hagg-decode -q -o sum.npy from-[1235].cbor keys-5.cbor
    assert_sum_of 1,2,3,4,5,6
    chain 5 1 2 3 4
    hagg-decode -q -o sum.npy from-[1234].cbor keys-4.cbor
    assert_sum_of 1,2,3,4,5,6
    # the last station of the chain, whichever it is, refuses an incomplete total
    TOOL=hagg-aggregate
    unchanged 5 hagg-aggregate --station 2 --only keys --missing 3-5 station-2/*.cbor -o keys.cbor
    assert_message "the key of client 1 is missing: get it, add the sum from the previous station, or agree on the clients with hagg-roster and use --roster"
}

@test "--missing must not include the station itself" {
    TOOL=hagg-aggregate
    run -2 --separate-stderr hagg-aggregate --station 2 --missing 1-3 station-2/client-1.cbor
    assert_usage "--missing names the station itself"
}

@test "two missing stations are too many" {
    add
    run -5 --separate-stderr hagg-decode -o sum.npy from-1.cbor from-3.cbor from-4.cbor keys-5.cbor
    assert_message "only 2 of the shares of station 1-3 5 arrived, but 3 are needed: for example, the share of station 2 is missing"
    assert_file_not_exists sum.npy
}

@test "too few clients are refused" {
    echo minimum 3 >>city.topo
    for i in 1 2 3 4 5 6; do
        rm k$i.cbor
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --again --client $i --round 1 --key k$i.cbor -o "station-{}/client-$i.cbor" grad$i.npy
    done
    # an honest station would refuse these sums
    for u in 1 2 3 5; do
        hostile hagg-aggregate --only shares --clients 1,2 station-$u/*.cbor -o from-$u.cbor
    done
    hostile hagg-aggregate --only keys --clients 1,2 station-1/*.cbor -o keys.cbor
    run -6 --separate-stderr hagg-decode -o sum.npy from-[1235].cbor keys.cbor
    assert_message "a total of 2 clients would reveal too much: at least 3 are needed"
    assert_file_not_exists sum.npy
}
