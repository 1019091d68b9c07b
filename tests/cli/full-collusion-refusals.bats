#!/usr/bin/env bats
# What stations and clients refuse under full collusion because it would reveal more than the sum.

load common

TOOL=hagg-aggregate
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    write_ring
    write_cheapest
    export HAGG_PLAN=cheapest.plan
}

# A topology without chosen sets: every client shares vector and key over all stations it reaches.
write_unplanned() {
    sed 's/ *shares.*//' ring.plan >unplanned.topo
}

# --- clients that drop out

@test "a station detects and names a client whose shares are partly missing" {
    share_floats 1 2 3 4 5 6
    rm station-5/client-2.cbor
    unchanged 5 hagg-aggregate --station 5 station-5/*.cbor -o from-5.cbor
    assert_message "the share of the vector of client 2 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
    # station 3 has only the share of the key of client 2
    rm station-3/client-2.cbor
    unchanged 5 hagg-aggregate --station 3 station-3/*.cbor -o from-3.cbor
    assert_message "the share of the key of client 2 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
}

@test "a station detects that all shares of a group are missing" {
    share_floats 1 2 3 4 5 6
    # client 6 is alone in its group of keys
    rewrite station-1/client-6.cbor 'if h["of"] == "key": e = None'
    unchanged 5 hagg-aggregate --station 1 station-1/*.cbor -o from-1.cbor
    assert_message "the share of the key of client 6 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
    run -0 --separate-stderr hagg-aggregate --station 1 --only shares station-1/*.cbor -o from-1.cbor
    # without --station it is unknown which sums are expected, but an incomplete sum is refused
    run -0 --separate-stderr hagg-aggregate station-1/*.cbor -o from-1.cbor
    rm station-1/client-5.cbor
    unchanged 5 hagg-aggregate station-1/*.cbor -o from-1.cbor
    assert_message "the share of the vector of client 5 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
}

@test "--clients leaves out a client that reached only some stations" {
    share_floats 1 2 3 4 5 6
    rm station-5/client-2.cbor
    add --clients 1,3-6
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 5 clients: 1 3-6"
    assert_sum_of 1,3,4,5,6
}

@test "--clients may leave out a whole group" {
    share_floats 1 2 3 4 5
    add --clients 1-5
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 5 clients: 1-5"
    assert_sum_of 1,2,3,4,5
}

@test "no client of --clients may be missing" {
    share_floats 1 3 4 5
    unchanged 5 hagg-aggregate --station 1 --clients 1,3-6 station-1/*.cbor -o from-1.cbor
    assert_message "the share of the vector of client 6 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
}

@test "every station refuses a set of clients whose graph leaks, and names who would learn what" {
    share_floats 1 2 4 5 6
    # client 5 is the only connection of client 4 to the others
    for u in 1 2 3 4 5; do
        unchanged 6 hagg-aggregate --station $u --clients 1,2,4-6 station-$u/*.cbor -o from-$u.cbor
        assert_message "cheapest.plan: with the other clients missing, the federator with client 5 would learn the vector of client 4: make a plan with drop clients=N, where N is how many may be missing"
    done
    add --clients 1,2,4-6 --unsafe-plan
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
    assert_sum_of 1,2,4,5,6
}

@test "a ring without any one of its clients leaks" {
    export HAGG_PLAN=ring.plan
    share_floats 1 2 3 4 5 6
    for without in 2-6 1,3-6 1-2,4-6 1-3,5-6 1-4,6 1-5; do
        unchanged 6 hagg-aggregate --station 5 --clients $without station-5/*.cbor -o from-5.cbor
        assert_regex "$stderr" "^hagg-aggregate: ring.plan: with the other clients missing, the federator with client [1-6] would learn the vector of client [1-6]: make a plan with drop clients=N, where N is how many may be missing$"
    done
}

@test "too few clients are refused, whatever the sets" {
    share_floats 1 2 3 4 5 6
    for unsafe in "" --unsafe-plan; do
        unchanged 6 hagg-aggregate --station 1 --clients 1,2 $unsafe station-1/*.cbor -o from-1.cbor
        assert_message "a total of 2 clients would reveal too much: at least 3 are needed"
    done
}

@test "clients of --clients that are not in the plan do not count" {
    share_floats 1 2
    unchanged 2 hagg-aggregate --station 1 --clients 1,2,7-99 station-1/*.cbor -o from-1.cbor
    assert_message "cheapest.plan: --clients names clients that are not in the plan"
}

@test "--unsafe-plan does not permit a missing client" {
    share_floats 1 2 3 4 5 6
    rm station-5/client-2.cbor
    unchanged 5 hagg-aggregate --unsafe-plan --station 5 station-5/*.cbor -o from-5.cbor
    assert_message "the share of the vector of client 2 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise start a new round with new vectors"
}

@test "sums of stations that left out different clients are not decoded together" {
    TOOL=hagg-decode
    share_floats 1 2 3 4 5 6
    add
    hagg-aggregate --no-state --station 5 --clients 1,3-6 station-5/*.cbor -o from-5.cbor
    unchanged 4 hagg-decode -o sum.npy from-?.cbor
    assert_message "from-1.cbor: contains client 2, but from-5.cbor does not: all sums of a round must be over the same clients, so use the same --roster at every station"
}

# --- sets that are not private

@test "a topology without chosen sets is refused by the client, before its key is used" {
    TOOL=hagg-share
    write_unplanned
    export HAGG_PLAN=unplanned.topo
    npy grad3.npy "np.zeros(50)"
    hagg-keygen --client 3 --round 1 --length 50 -o k3.cbor
    unchanged 6 hagg-share --client 3 --round 1 --key k3.cbor -o "station-{}/client-3.cbor" grad3.npy
    assert_regex "$stderr" "^$TOOL: unplanned.topo: the federator would learn the vector of client [3-6]: choose other station sets with hagg-plan$"
}

@test "a topology without chosen sets is refused by the station" {
    write_unplanned
    export HAGG_PLAN=unplanned.topo
    for i in 1 2 3 4 5 6; do
        hagg-keygen --client $i --round 1 --length 2 |
            hagg-share --unsafe-plan --client $i --round 1 --key - --format text --type f8 \
                -o "station-{}/client-$i.cbor" <(printf '0.%d\n' $i 1)
    done
    unchanged 6 hagg-aggregate --station 5 station-5/*.cbor -o from-5.cbor
    assert_regex "$stderr" "^$TOOL: unplanned.topo: the federator would learn the vector of client [3-6]: choose other station sets with hagg-plan$"
    add --unsafe-plan
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor
    assert_numpy 'np.abs(load("sum.npy") - [2.1, 0.6]).max() < 1e-4'
}

@test "the message names the colluders and the clients whose sum they would learn" {
    # clients 4 and 5 are the only connections between clients 1-3 and clients 6-9
    cat >bridge.plan <<END
collude  full clients=2 stations=1
stations 4
client   1-3 via 1-4 shares 1 2 keys 1 2
client   4   via 1-4 shares 1 2 keys 3 4
client   5   via 1-4 shares 3 4 keys 1 2
client   6-9 via 1-4 shares 3 4 keys 3 4
protocol keys
END
    TOOL=hagg-share
    export HAGG_PLAN=bridge.plan
    hagg-keygen --client 1 --round 1 --length 1 -o k1.cbor
    echo 1 >one.txt
    unchanged 6 hagg-share --client 1 --round 1 --key k1.cbor --format text --type i4 one.txt -o s.cbor
    assert_message "bridge.plan: the federator with clients 4 5 would learn the sum of clients 1 2 3: choose other station sets with hagg-plan"
    sed -i 's/clients=2/clients=1/' bridge.plan
    rm k1.cbor
    hagg-keygen --client 1 --round 1 --length 1 -o k1.cbor
    run -0 --separate-stderr hagg-share --client 1 --round 1 --key k1.cbor --format text --type i4 one.txt -o s.cbor
    assert_equal "$stderr" ""
}

@test "--unsafe-plan changes nothing under a private plan" {
    share_floats 3
    cat station-*/client-3.cbor >safe.cbor
    hagg-share --unsafe-plan --client 3 --round 1 --key k3.cbor -o "station-{}/client-3.cbor" grad3.npy
    cat station-*/client-3.cbor | cmp - safe.cbor
}

# --- keys sent in the wrong form or to the wrong stations

@test "a key in the clear is refused under full collusion" {
    share_floats 1 2 3 4 5 6
    unchanged 6 hagg-aggregate -o sums.cbor k1.cbor
    assert_message "k1.cbor: record 1 (byte 0): is a vector in the clear: under full collusion keys are sent as shares"
    # addressed as under partial collusion
    cp k1.cbor station-1/key-1.cbor
    rewrite station-1/key-1.cbor 'h["from"] = ["client", 1]; h["to"] = ["station", 1]'
    unchanged 6 hagg-aggregate --station 1 station-1/*.cbor -o from-1.cbor
    assert_message "station-1/key-1.cbor: record 1 (byte 0): is a vector in the clear: under full collusion keys are sent as shares"
    rm station-1/key-1.cbor
    add
    TOOL=hagg-decode
    unchanged 6 hagg-decode -o sum.npy from-?.cbor k1.cbor
    assert_message "k1.cbor: record 1 (byte 0): is a vector in the clear: under full collusion keys are sent as shares"
}

@test "shares of keys are refused under partial collusion" {
    sed 's/full clients=1/partial clients=1/; /^client/s/keys.*//' cheapest.plan >partial.plan
    export HAGG_PLAN=partial.plan
    share_floats 1 2 3 4 5 6
    rewrite station-3/client-3.cbor 'h["of"] = "key"; [h.pop(name) for name in ("type", "shape", "quant")]'
    unchanged 4 hagg-aggregate --station 3 station-3/*.cbor -o from-3.cbor
    assert_message "station-3/client-3.cbor: record 1 (byte 0): is a share of a secret that the plan does not share"
    TOOL=hagg-decode
    unchanged 4 hagg-decode -o sum.npy station-3/client-3.cbor
    assert_message "station-3/client-3.cbor: record 1 (byte 0): is a share of a secret that the plan does not share"
}

@test "a share of a key over the stations of the vector is refused" {
    share_floats 1 2 3 4 5 6
    rewrite station-4/client-3.cbor 'h["of"] = "key"; [h.pop(name) for name in ("type", "shape", "quant")]'
    unchanged 4 hagg-aggregate --station 4 station-4/*.cbor -o from-4.cbor
    assert_message "station-4/client-3.cbor: record 1 (byte 0): client 3 does not share its key over these stations in the plan"
}
