#!/usr/bin/env bats
# Records at the wrong node in a round with relays, and wrong plans with relays.

load common
load round
load full
load relays

TOOL=hagg-aggregate

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    write_figure
    export HAGG_PLAN=figure.plan
}

# Makes all records that are sent before the relays' step.
sent() {
    share_floats 1 2 3 4
    to_relays
}

@test "a plan without chosen relays" {
    TOOL=hagg-share
    share_floats 1
    sed 's/ *relays 1-3$//' figure.plan >none.plan
    unchanged 3 hagg-share --plan none.plan --client 1 --round 1 --key k1.cbor -o out.cbor grad1.npy
    assert_message "none.plan:9: no relays are chosen for these shares: choose them with hagg-plan"
}

@test "a relay that would get two shares of one sharing" {
    TOOL=hagg-share
    share_floats 1
    sed 's/relays 1 3 4$/relays 1 3 3/' figure.plan >twice.plan
    unchanged 3 hagg-share --plan twice.plan --client 1 --round 1 --key k1.cbor -o out.cbor grad1.npy
    assert_message "twice.plan:12: '3': relay appears twice"
    TOOL=hagg-aggregate
    # such a record is refused, with a plan or without
    rewrite station-1/client-1.cbor "h.get('route') and h['route'][1].__setitem__(1, [1, 1, 3])"
    unchanged 3 hagg-aggregate --plan '' -o out.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: record 1 (byte 0): 'route' lists a holder twice, or holder 0, in tier 'relay'"
}

@test "a missing link" {
    TOOL=hagg-share
    share_floats 1
    sed 's/relays 1 3 4$/relays 2 3 1/; s/shares 2 4 1/shares 2 1 4/' figure.plan >link.plan
    unchanged 3 hagg-share --plan link.plan --client 1 --round 1 --key k1.cbor -o out.cbor grad1.npy
    assert_message "link.plan:12: '3': relays matches this relay with station 1, which does not reach it"
}

@test "records for another relay, or for a station" {
    sent
    unchanged 4 hagg-aggregate --relay 2 -o out.cbor relay-1/from-station-1.cbor
    assert_message "relay-1/from-station-1.cbor: record 1 (byte 0): is for relay 1, but this is relay 2"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: record 1 (byte 0): is for station 1, but this is relay 1"
    unchanged 4 hagg-aggregate --station 1 -o out.cbor relay-1/from-station-1.cbor
    assert_message "relay-1/from-station-1.cbor: record 1 (byte 0): is for relay 1, but this is station 1"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor relay-3/keys.cbor
    assert_message "relay-3/keys.cbor: record 1 (byte 0): is for relay 3, but this is relay 1"
    unchanged 2 hagg-aggregate --relay 5 -o out.cbor relay-1/from-station-1.cbor
    assert_message "figure.plan: has no relay 5"
    unchanged 2 hagg-aggregate --relay 1 --station 1 -o out.cbor relay-1/from-station-1.cbor
    assert_usage "use only one of --station and --relay"
}

@test "the same sum twice at a relay" {
    sent
    cp relay-1/from-station-1.cbor again.cbor
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor relay-1/from-station-[12].cbor again.cbor
    assert_message "again.cbor: client 1 is already in the sum (from relay-1/from-station-1.cbor)"
}

@test "keys and shares in one file, and shares for different relays in one file" {
    share_floats 1 2 3 4
    unchanged 6 hagg-aggregate --station 1 -o 'to-{}.cbor' station-1/client-1.cbor station-1/client-4.cbor
    assert_message "keys and shares have different destinations: use --only keys or --only shares"
    # shares for different relays must not be in one file either
    unchanged 6 hagg-aggregate --station 1 --only shares -o out.cbor station-1/*.cbor
    assert_message "sums go to different relays: use {} in -o for the number of the relay"
    # the last station sends the total, which is for the federator
    to_relays
    hagg-aggregate --station 4 -o 'last-{}.cbor' station-4/*.cbor keys/of-3.cbor
    run -0 hops last-3.cbor
    assert_output "padded; 3; share 2; station 4; to relay 3; relay 1,2,3
padded; 4; share 1; station 4; to relay 3; relay 1,3,4
key; 1-4; station 4; to relay 3"
}

@test "an incomplete total of the keys" {
    sent
    unchanged 4 hagg-aggregate --station 4 --only keys -o out.cbor station-4/*.cbor keys/of-2.cbor
    assert_message "keys/of-2.cbor: record 1 (byte 0): is for station 3, but this is station 4"
    # a relay checks this, too
    rewrite relay-3/keys.cbor "h['clients'] = [1, 3]"
    unchanged 5 hagg-aggregate --relay 3 -o out.cbor relay-3/*.cbor
    assert_message "the key of client 4 is missing: get it, add the sum from the previous station, or agree on the clients with hagg-roster and use --roster"
}

@test "the federator refuses keys that are addressed to a relay or a station" {
    sent
    from_relays
    TOOL=hagg-decode
    unchanged 6 hagg-decode -o sum.npy from-relay-[124].cbor relay-3/keys.cbor
    assert_message "relay-3/keys.cbor: record 1 (byte 0): contains keys addressed to relay 3: the federator accepts only the total of the keys, from the last station of the chain"
    unchanged 6 hagg-decode -o sum.npy from-relay-[124].cbor keys/of-3.cbor
    assert_message "keys/of-3.cbor: record 1 (byte 0): contains keys addressed to station 4: the federator accepts only the total of the keys, from the last station of the chain"
}

@test "the federator refuses sums that have not passed the relays" {
    sent
    TOOL=hagg-decode
    unchanged 4 hagg-decode -o sum.npy relay-*/from-*.cbor
    assert_message "relay-1/from-station-1.cbor: record 1 (byte 0): is addressed to relay 1: add it up there first with hagg-aggregate"
}

@test "records whose route has other relays than the plan" {
    local route why="does not share its vector over these"

    sent
    from_relays
    # other relays, the same relays in another order, one tier too many, one too few
    for route in "[1, 2, 4]" "[2, 1, 3]"; do
        cp station-2/client-3.cbor c.cbor
        rewrite c.cbor "h['route'][1][1] = $route"
        unchanged 4 hagg-aggregate --station 2 -o out.cbor c.cbor
        assert_message "c.cbor: record 1 (byte 0): client 3 $why relays in the plan"
    done
    cp station-2/client-3.cbor c.cbor
    rewrite c.cbor "h['route'] += [['hub', [1, 2, 3]]]"
    unchanged 4 hagg-aggregate --station 2 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): client 3 $why stations in the plan"
    cp station-2/client-3.cbor c.cbor
    rewrite c.cbor "del h['route'][1]"
    unchanged 4 hagg-aggregate --station 2 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): client 3 $why stations in the plan"
    # at a relay and at the federator: client 3 alone, and with others
    cp relay-1/from-station-2.cbor c.cbor
    rewrite c.cbor "h['route'][0][1] = [1, 2, 4] if h['clients'] == [3, 3] else h['route'][0][1]"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): client 3 $why relays in the plan"
    TOOL=hagg-decode
    cp from-relay-1.cbor c.cbor
    rewrite c.cbor "h['route'][0][1] = [1, 2, 4] if h['clients'] == [1, 3] else h['route'][0][1]"
    unchanged 4 hagg-decode -o sum.npy c.cbor from-relay-[234].cbor
    assert_message "c.cbor: record 1 (byte 0): client 1 $why relays in the plan"
}

@test "a share that is addressed to the relay of another share" {
    sent
    cp relay-1/from-station-1.cbor c.cbor
    rewrite c.cbor "h['to'] = ['relay', 2]"
    unchanged 4 hagg-aggregate --relay 2 -o out.cbor c.cbor relay-2/*.cbor
    assert_message "c.cbor: record 1 (byte 0): is for relay 2, but share 1 of this sharing goes to relay 1"
    cp station-1/client-1.cbor c.cbor
    rewrite c.cbor "h['to'] = ['station', 2]"
    unchanged 4 hagg-aggregate --station 2 --only shares -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is for station 2, but share 1 of this sharing goes to station 1"
}

# forge FILE STATEMENT: copies a record with another header.
forge() {
    cp "$1" c.cbor
    rewrite c.cbor "$2"
}

@test "a sum with another station as its sender" {
    sent
    forge relay-1/from-station-1.cbor "h['from'] = ['station', 2]"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor relay-1/from-station-2.cbor
    assert_message "c.cbor: record 1 (byte 0): is from station 2, but share 1 of these clients is from station 1 in the plan"
    forge relay-2/from-station-2.cbor "h['from'] = ['station', 4]"
    unchanged 4 hagg-aggregate --relay 2 -o out.cbor c.cbor relay-2/from-station-3.cbor
    assert_message "c.cbor: record 1 (byte 0): is from station 4, but share 2 of these clients is from station 2 in the plan"
    # from a client, from the relay itself, from nobody
    forge relay-1/from-station-1.cbor "h['from'] = ['client', 1]; h['clients'] = [1, 1]"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is from client 1, but share 1 of these clients is from station 1 in the plan"
    forge relay-1/from-station-1.cbor "h['from'] = ['relay', 1]"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is from relay 1, but share 1 of these clients is from station 1 in the plan"
    forge relay-1/from-station-1.cbor "del h['from']"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): does not name its sender: it must be station 1, which sends share 1 of these clients in the plan"
}

@test "a sum at the federator with another relay as its sender, or without addressee" {
    sent
    from_relays
    TOOL=hagg-decode
    forge from-relay-2.cbor "h['from'] = ['relay', 1]"
    unchanged 4 hagg-decode -o sum.npy c.cbor from-relay-[134].cbor
    assert_message "c.cbor: record 1 (byte 0): is from relay 1, but share 2 of these clients is from relay 2 in the plan"
    forge from-relay-2.cbor "h['from'] = ['station', 2]"
    unchanged 4 hagg-decode -o sum.npy c.cbor from-relay-[134].cbor
    assert_message "c.cbor: record 1 (byte 0): is from station 2, but share 2 of these clients is from relay 2 in the plan"
    forge from-relay-2.cbor "del h['to']"
    unchanged 4 hagg-decode -o sum.npy c.cbor from-relay-[134].cbor
    assert_message "c.cbor: record 1 (byte 0): must be addressed to federator 1, which receives share 2 of these clients in the plan"
    forge from-relay-2.cbor "del h['from'], h['to']"
    unchanged 4 hagg-decode -o sum.npy c.cbor from-relay-[134].cbor
    assert_message "c.cbor: record 1 (byte 0): does not match any message of the plan"
}

@test "a sum from a station with clients that only relays add up" {
    sent
    # client 3 has the same relays as clients 1 and 2, but other stations
    forge relay-1/from-station-1.cbor "h['clients'] = [1, 3]"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): contains clients that station 1 does not add up in the plan"
}

@test "keys that leave the chain" {
    sent
    # client 2 sends its key to station 2
    forge station-2/client-2.cbor "e = e if h['of'] == 'key' else None; h['to'] = ['station', 3]"
    unchanged 4 hagg-aggregate --station 3 --only keys -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is for station 3, but the key of client 2 goes to station 2 in the plan"
    # backwards; to a relay that station 4 does not reach; past the relays
    forge keys/of-3.cbor "h['to'] = ['station', 2]"
    unchanged 4 hagg-aggregate --station 2 --only keys -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is for station 2, but a sum of keys goes to station 4 in the plan"
    forge relay-3/keys.cbor "h['to'] = ['relay', 1]"
    unchanged 4 hagg-aggregate --relay 1 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is for relay 1, but a sum of keys goes to relay 3 in the plan"
    forge relay-3/keys.cbor "h['to'] = ['federator', 1]"
    unchanged 4 hagg-aggregate --relay 3 -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): is for federator 1, but a sum of keys goes to relay 3 in the plan"
    # with a client whose key is sent to a later station
    forge keys/of-1.cbor "h['clients'] = [1, 3]"
    unchanged 4 hagg-aggregate --station 2 --only keys -o out.cbor c.cbor
    assert_message "c.cbor: record 1 (byte 0): contains clients that station 1 does not add up in the plan"
}

@test "full collusion: relays detect missing sums" {
    write_meeting "collude full clients=1 stations=1 relays=1"
    export HAGG_PLAN=meeting.plan
    share_floats 1 2 3 4
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u station-$u/*.cbor -o "relay-{}/from-station-$u.cbor"
    done
    unchanged 5 hagg-aggregate --relay 1 -o out.cbor relay-1/from-station-5.cbor
    assert_message "the sum from station 1 that contains the vector of client 1 is missing: get it"
    unchanged 5 hagg-aggregate --relay 1 -o out.cbor relay-1/from-station-1.cbor
    assert_message "the sum from station 5 that contains the vector of client 3 is missing: get it"
    unchanged 5 hagg-aggregate --relay 1 --only keys -o out.cbor relay-1/from-station-1.cbor
    assert_message "the sum from station 5 that contains the key of client 1 is missing: get it"
}

@test "full collusion: a relay needs the --clients that the stations used" {
    write_meeting "collude full clients=0 stations=1 relays=1"
    export HAGG_PLAN=meeting.plan
    share_floats 1 2 3 4
    for u in 1 2 3 4 5; do
        hagg-aggregate --unsafe-plan --station $u --clients 1-3 station-$u/*.cbor -o "relay-{}/from-station-$u.cbor"
    done
    unchanged 5 hagg-aggregate --unsafe-plan --relay 1 -o out.cbor relay-1/*.cbor
    assert_message "the sums from the stations lack the vector of client 4: use the same --roster as the stations"
    hagg-aggregate --unsafe-plan --relay 1 --clients 1-3 -o out.cbor relay-1/*.cbor
}

@test "full collusion: a station with different share indices in a sum of the relays" {
    TOOL=hagg-share
    write_meeting "collude full clients=1 stations=1 relays=1"
    sed 's/shares 5 2-4/shares 2-5/' meeting.plan >places.plan
    hagg-keygen --plan places.plan --client 1 --round 1 --length 3 -o k1.cbor
    npy grad1.npy "np.zeros(3)"
    unchanged 6 hagg-share --plan places.plan --client 1 --round 1 --key k1.cbor -o 'out-{}.cbor' grad1.npy
    assert_message "places.plan: relays add up clients 1 and 3, but station 2 has share 2 of one and share 1 of the other, so the station and the federator together would learn about each: choose other station sets with hagg-plan"
    # allowed if no station may collude
    sed -i 's/stations=1 relays=1/stations=0 relays=1/' places.plan
    rm k1.cbor
    hagg-keygen --plan places.plan --client 1 --round 1 --length 3 -o k1.cbor
    hagg-share --plan places.plan --client 1 --round 1 --key k1.cbor -o 'out-{}.cbor' grad1.npy
}

@test "the total of the keys cannot be sent through a relay that the station does not reach" {
    unchanged 2 hagg-aggregate --station 4 --only keys --via 1 x.cbor
    assert_message "figure.plan: the station does not reach relay 1"
}
