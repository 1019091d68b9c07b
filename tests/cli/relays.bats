#!/usr/bin/env bats
# Rounds with relays: sums, routes, and missing nodes.

load common
load round
load full
load relays

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    write_figure
    export HAGG_PLAN=figure.plan
}

@test "clients send every share with its complete route" {
    share_floats 3
    run -0 hops station-2/client-3.cbor station-3/client-3.cbor station-4/client-3.cbor
    assert_output "padded; 3; share 0; client 3; to station 2; station 2,3,4; relay 1,2,3
padded; 3; share 1; client 3; to station 3; station 2,3,4; relay 1,2,3
key; 3; client 3; to station 3
padded; 3; share 2; client 3; to station 4; station 2,3,4; relay 1,2,3"
    run -0 ls -d station-*
    assert_output "station-2
station-3
station-4"
}

@test "stations add up shares with the same route, relays add up shares for the same relays" {
    share_floats 1 2 3 4
    to_relays
    run -0 hops relay-1/from-station-1.cbor relay-4/from-station-1.cbor
    assert_output "padded; 1-2; share 0; station 1; to relay 1; relay 1,2,3
padded; 4; share 2; station 1; to relay 4; relay 1,3,4"
    run -0 hops relay-1/from-station-2.cbor relay-2/from-station-2.cbor
    assert_output "padded; 3; share 0; station 2; to relay 1; relay 1,2,3
padded; 4; share 0; station 2; to relay 1; relay 1,3,4
padded; 1-2; share 1; station 2; to relay 2; relay 1,2,3"
    run -0 hops relay-2/from-station-3.cbor relay-3/from-station-3.cbor
    assert_output "padded; 3; share 1; station 3; to relay 2; relay 1,2,3
padded; 1-2; share 2; station 3; to relay 3; relay 1,2,3"
    run -0 hops relay-3/from-station-4.cbor
    assert_output "padded; 3; share 2; station 4; to relay 3; relay 1,2,3
padded; 4; share 1; station 4; to relay 3; relay 1,3,4"
    run -0 ls relay-1 relay-2 relay-3 relay-4
    assert_output "relay-1:
from-station-1.cbor
from-station-2.cbor

relay-2:
from-station-2.cbor
from-station-3.cbor

relay-3:
from-station-3.cbor
from-station-4.cbor
keys.cbor

relay-4:
from-station-1.cbor"
    from_relays
    run -0 hops from-relay-1.cbor
    assert_output "padded; 1-3; share 0; relay 1; to federator 1; relay 1,2,3
padded; 4; share 0; relay 1; to federator 1; relay 1,3,4"
    run -0 hops from-relay-2.cbor
    assert_output "padded; 1-3; share 1; relay 2; to federator 1; relay 1,2,3"
    run -0 hops from-relay-3.cbor
    assert_output "padded; 1-3; share 2; relay 3; to federator 1; relay 1,2,3
padded; 4; share 1; relay 3; to federator 1; relay 1,3,4
key; 1-4; relay 3; to federator 1"
    run -0 hops from-relay-4.cbor
    assert_output "padded; 4; share 2; relay 4; to federator 1; relay 1,3,4"
    run -0 --separate-stderr hagg-decode from-relay-*.cbor -o sum.npy
    assert_output ""
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 4 clients: 1-4"
    assert_sum_of 1,2,3,4
}

@test "keys are sent along the chain, through one relay, to the federator" {
    share_floats 1 2 3 4
    to_relays
    run -0 hops keys/of-1.cbor keys/of-2.cbor keys/of-3.cbor relay-3/keys.cbor
    assert_output "key; 1,4; station 1; to station 2
key; 1-2,4; station 2; to station 3
key; 1-4; station 3; to station 4
key; 1-4; station 4; to relay 3"
    # with --only keys the relay passes on only the total of the keys
    hagg-aggregate --relay 3 --only keys relay-3/*.cbor -o total.cbor
    run -0 hops total.cbor
    assert_output "key; 1-4; relay 3; to federator 1"
    run -0 hagg-inspect --json total.cbor
    assert_json "lines[0]['from'] == ['relay', 3] and lines[0]['to'] == ['federator', 1]"
}

@test "one pipe gives the same, with the same command for both tiers" {
    local i

    for i in 1 2 3 4; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, 7)"
        hagg-keygen --client $i --round 1 --length 7 |
            hagg-share --client $i --round 1 --key - grad$i.npy
    done >shares.cbor
    hagg-aggregate <shares.cbor | tee to-relays.cbor | hagg-aggregate | tee from-relays.cbor |
        hagg-decode -q >sum.npy
    assert_sum_of 1,2,3,4
    run -0 hops to-relays.cbor
    assert_equal ${#lines[@]} 10
    run -0 hops from-relays.cbor
    assert_equal ${#lines[@]} 7
    # every command needs the plan that the records name
    for command in "hagg-aggregate -o x" "hagg-decode -o x" "hagg-transform --step finish -o x" \
        "hagg-transform --step contribute --holders 1-3 -k 3 -z 1 -o x"; do
        TOOL=${command%% *} assert_needs_plan $command from-relays.cbor
    done
}

@test "--clients with fewer clients, at stations and relays" {
    share_floats 1 2 3 4
    to_relays --clients 1,3,4
    from_relays --clients 1,3,4
    run -0 hops from-relay-1.cbor
    assert_output "padded; 1,3; share 0; relay 1; to federator 1; relay 1,2,3
padded; 4; share 0; relay 1; to federator 1; relay 1,3,4"
    run -0 --separate-stderr hagg-decode from-relay-*.cbor -o sum.npy
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 3 clients: 1 3-4"
    assert_sum_of 1,3,4
}

@test "a relay may be missing, but no more than the plan allows" {
    write_meeting "collude partial stations=1 relays=1" "drop relays=1"
    export HAGG_PLAN=meeting.plan
    share_floats 1 2 3 4
    to_relays
    from_relays
    run -0 ls -d relay-*
    assert_output "relay-1
relay-2
relay-3
relay-4"
    hagg-decode -q -o sum.npy from-relay-[134].cbor
    assert_sum_of 1,2,3,4
    rm sum.npy
    TOOL=hagg-decode
    unchanged 5 hagg-decode -o other.npy from-relay-[13].cbor
    assert_message "only 2 of the shares of relay 1-4 arrived, but 3 are needed: for example, the share of relay 2 is missing"
    # if the relay with the total of the keys is missing, the total is lost unless it is sent again
    unchanged 5 hagg-decode -o other.npy from-relay-[234].cbor
    assert_message "the keys are missing: the last station of the chain sends their total"
    rm -r relay-1 from-relay-*
    hagg-aggregate --station 5 --only keys --via 2 keys/of-4.cbor station-5/*.cbor -o "relay-{}/keys.cbor"
    from_relays
    run -0 hops from-relay-2.cbor
    assert_line "key; 1-4; relay 2; to federator 1"
    hagg-decode -q -o sum.npy from-relay-[234].cbor
    assert_sum_of 1,2,3,4
}

@test "a station may be missing: its relay sends nothing for the incomplete sum" {
    write_meeting "collude partial stations=1 relays=1" "drop stations=1"
    export HAGG_PLAN=meeting.plan
    share_floats 1 2 3 4
    rm -r station-1
    to_relays
    TOOL=hagg-aggregate
    unchanged 5 hagg-aggregate --relay 1 relay-1/*.cbor -o from-relay-1.cbor
    assert_message "the sum from station 1 that contains the vector of client 1 is missing: get it, or continue without it with --skip-incomplete"
    from_relays --skip-incomplete
    # only the total of the keys
    run -0 hops from-relay-1.cbor
    assert_output "key; 1-4; relay 1; to federator 1"
    run -0 hops from-relay-2.cbor
    assert_output "padded; 1-4; share 1; relay 2; to federator 1; relay 1,2,3,4"
    run -0 --separate-stderr hagg-decode from-relay-*.cbor -o sum.npy
    assert_output ""
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 4 clients: 1-4"
    assert_sum_of 1,2,3,4
    # if another sum is missing, the others are not enough
    TOOL=hagg-decode
    unchanged 5 hagg-decode -o other.npy from-relay-[134].cbor
    assert_message "only 2 of the shares of relay 1-4 arrived, but 3 are needed: for example, the share of relay 1 is missing"
}

@test "full collusion: shares of keys have their own relays" {
    write_meeting "collude full clients=1 stations=1 relays=1"
    export HAGG_PLAN=meeting.plan
    share_floats 1 2 3 4
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u station-$u/*.cbor -o "relay-{}/from-station-$u.cbor"
    done
    run -0 hops relay-1/from-station-1.cbor relay-1/from-station-5.cbor
    assert_output "padded; 1-2; share 0; station 1; to relay 1; relay 1,2,3,4
key; 1-4; share 0; station 5; to relay 1; relay 1,2,3,4
padded; 3-4; share 0; station 5; to relay 1; relay 1,2,3,4"
    from_relays
    run -0 hops from-relay-1.cbor from-relay-4.cbor
    assert_output "padded; 1-4; share 0; relay 1; to federator 1; relay 1,2,3,4
key; 1-4; share 0; relay 1; to federator 1; relay 1,2,3,4
padded; 1-4; share 3; relay 4; to federator 1; relay 1,2,3,4
key; 1-4; share 3; relay 4; to federator 1; relay 1,2,3,4"
    run -0 --separate-stderr hagg-decode from-relay-*.cbor -o sum.npy
    assert_equal "${stderr_lines[0]}" "hagg-decode: round 1: total of 4 clients: 1-4"
    assert_sum_of 1,2,3,4
    cat station-*/*.cbor | hagg-aggregate | hagg-aggregate | hagg-decode -q >sum.npy
    assert_sum_of 1,2,3,4
}

@test "full collusion: a station may be missing, and its relay skips the incomplete sum" {
    write_meeting "collude full clients=1 stations=0 relays=1" "drop stations=1"
    export HAGG_PLAN=meeting.plan
    share_floats 1 2 3 4
    for u in 2 3 4 5; do
        hagg-aggregate --station $u station-$u/*.cbor -o "relay-{}/from-station-$u.cbor"
    done
    TOOL=hagg-aggregate
    unchanged 5 hagg-aggregate --relay 1 relay-1/*.cbor -o from-relay-1.cbor
    assert_message "the sum from station 1 that contains the vector of client 1 is missing: get it, or continue without it with --skip-incomplete"
    run -0 --separate-stderr hagg-aggregate --relay 1 --skip-incomplete relay-1/*.cbor -o from-relay-1.cbor
    assert_equal "$stderr" "hagg-aggregate: 1 sum that lacks a client was left out"
    run -0 hops from-relay-1.cbor
    assert_output "key; 1-4; share 0; relay 1; to federator 1; relay 1,2,3,4"
    for r in 2 3 4; do
        hagg-aggregate --relay $r relay-$r/*.cbor -o from-relay-$r.cbor
    done
    hagg-decode -q -o sum.npy from-relay-*.cbor
    assert_sum_of 1,2,3,4
}

@test "a relay that sends a wrong sum is named, and corrected if there are enough others" {
    printf '%s\n' "collude partial stations=1 relays=1" "quantize bits=16 clip=1.0" "drop relays=2" \
        "stations 6" "relays 6" "station 1-6 via 1-6" \
        "client 1 2 via 1-6 shares 1-6 relays 1-6 keys 1" \
        "client 3 via 1-6 shares 2 1 3-6 relays 1-6 keys 3" "protocol keys" >six.plan
    export HAGG_PLAN=six.plan
    share_floats 1 2 3
    to_relays
    from_relays
    rewrite from-relay-4.cbor "e[0] = (int(e[0]) + 5) % (2**31 - 1)"
    TOOL=hagg-decode
    unchanged 3 hagg-decode -o sum.npy from-relay-*.cbor
    assert_message "from-relay-4.cbor: the share of relay 4 is wrong: relay 4 changed it, or a station or client sent a wrong share: get it again, leave it out, or use --correct"
    run -0 --separate-stderr hagg-decode --correct from-relay-*.cbor -o sum.npy
    assert_equal "${stderr_lines[0]}" \
        "hagg-decode: from-relay-4.cbor: the share of relay 4 was wrong and was corrected"
    assert_sum_of 1,2,3
}

@test "sums for the same relay may be in one file" {
    printf '%s\n' "collude partial stations=1" "stations 2" "relays 2" "station 1-2 via 1-2" \
        "client 1-3 via 1-2 relays 2 1" "protocol keys" >one.plan
    for i in 1 2 3; do
        hagg-keygen --plan one.plan --client $i --round 1 --length 1 |
            hagg-share --plan one.plan --client $i --round 1 --key - --type i4 --format text \
                -o "station-{}/client-$i.cbor" <(echo $i)
    done
    run -0 hagg-aggregate --plan one.plan --station 1 --only shares station-1/*.cbor -o sum.cbor
    run -0 hops sum.cbor
    assert_output "padded; 1-3; share 0; station 1; to relay 2; relay 2,1"
}
