#!/usr/bin/env bats
# A round has one total, in every protocol: the attack that makes the sums again with one client less
# fails at the roster, at every station and relay, and at the federator. With --no-state it works.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    unset HAGG_PLAN
}

# begin PIPELINE LINE...: plans a round with these lines of a topology, and five clients share. The
# pipeline is what stations and relays do.
begin() {
    local i

    PIPELINE=$1
    printf '%s\n' "length 3" "${@:2}" >five.topo
    hagg-plan -q $PLANNING five.topo -o five.plan
    export HAGG_PLAN=$PWD/five.plan
    for i in 1 2 3 4 5; do
        printf '%s\n' $i ${i}0 ${i}77 >v$i.txt
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --client $i --round 1 --key k$i.cbor --type i4 --format text -o "up-{}/c$i.cbor" v$i.txt
    done
}

ADD='hagg-aggregate $STATE --clients $CLIENTS'
STATIONS="cat up-*/*.cbor | $ADD"
RELAYS="$STATIONS | $ADD"
TRANSFORM="$STATIONS | hagg-transform \$STATE --step contribute | hagg-transform \$STATE --step finish | $ADD"

# sums CLIENTS [OPTION]: prints the records that the federator gets.
sums() {
    CLIENTS=$1 STATE=$2 bash -o pipefail -c "$PIPELINE"
}

# The attack, after which client 5 must not be known.
attack() {
    local tool node

    hagg-roster -q --round 1 --clients 1-5 -o roster.cbor
    sums 1-5 >all.cbor
    run -0 --separate-stderr hagg-decode --roster roster.cbor --format text all.cbor
    assert_output $'15\n150\n1885'
    assert_equal "$stderr" "hagg-decode: round 1: total of 5 clients: 1-5"

    # the same again is accepted and gives the same bytes
    sums 1-5 | cmp - all.cbor
    hagg-roster -q --round 1 --clients 1-5 -o again.cbor
    cmp again.cbor roster.cbor

    # everything that was sent is deleted and made again without client 5
    rm roster.cbor again.cbor
    TOOL=hagg-roster
    unchanged 6 hagg-roster -q --round 1 --clients 1-4 -o roster.cbor
    refused "federator 1 already issued the roster of round 1"
    TOOL=hagg-aggregate
    for u in up-*; do
        unchanged 6 hagg-aggregate --station ${u#up-} --only shares --clients 1-4 $u/*.cbor -o second.cbor
        refused "station ${u#up-} already sent sums of round 1"
    done
    run ! --separate-stderr sums 1-4
    [[ "$stderr" == "hagg-aggregate: station "[1-4]" already sent sums of round 1 over clients 1-5, and this is over 1-4:"* ]]
    assert_output ""

    # colluding stations and relays ignore their state, but the federator remembers the total
    sums 1-4 --no-state >four.cbor 2>/dev/null
    TOOL=hagg-decode
    unchanged 6 hagg-decode --format text four.cbor
    refused "federator 1 already decoded the total of round 1"

    # a copy of the files elsewhere does not help
    cp -r . ../elsewhere
    cd ../elsewhere
    TOOL=hagg-aggregate
    unchanged 6 hagg-aggregate --station 1 --only shares --clients 1-4 up-1/*.cbor -o second.cbor
    refused "station 1 already sent sums of round 1"

    # nor does a second round with the same vectors
    TOOL=hagg-share
    hagg-keygen --client 1 --round 2 -o new.cbor
    unchanged 6 hagg-share --client 1 --round 2 --key new.cbor --type i4 --format text -o "again-{}" v1.txt
    assert_message "v1.txt: this vector was already shared, in round 1 of this plan: two totals of the same vectors over different clients reveal vectors; share a new vector, or use --again if all clients of that round take part again (state in $HAGG_STATE)"

    # control: nobody remembers anything, and the difference of two totals is the vector of client 5
    run -0 --separate-stderr hagg-decode --no-state --format text four.cbor
    assert_output $'10\n100\n1308'
    assert_equal "${stderr_lines[-1]}" "hagg-decode: --no-state: nothing stops a second total of this round"
}

# refused BEGINNING: checks the message about a second set.
refused() {
    assert_message "$1 over clients 1-5, and this is over 1-4: two totals reveal their difference, so start a new round, with new vectors or with the clients of the old round (state in $HAGG_STATE)"
}

@test "partial collusion" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    attack
}

@test "partial collusion, a station and a client to spare" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "drop stations=1 clients=1" "stations 4" "client 1-5 via 1-4"
    attack
}

@test "partial collusion, several patterns" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 4" "client 1-3 via 1-3" "client 4 5 via 2-4"
    attack
}

@test "full collusion" {
    begin "$STATIONS" "collude full clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    attack
}

@test "full collusion, a station and a client to spare" {
    begin "$STATIONS" "collude full clients=1 stations=1" "drop stations=1 clients=1" "stations 4" "client 1-5 via 1-4"
    attack
}

@test "partial collusion, relays" {
    begin "$RELAYS" "collude partial clients=1 stations=1 relays=1" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1-5 via 1-3"
    attack
}

@test "full collusion, relays" {
    begin "$RELAYS" "collude full clients=1 stations=1 relays=1" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1-5 via 1-3"
    attack
}

@test "partial collusion, transformation for relays" {
    PLANNING="--transform always"
    # the keys are not transformed
    begin "${TRANSFORM/ --clients/ --only shares --clients}; $STATIONS --only keys | $ADD" "collude partial clients=1 stations=1 relays=2" "stations 3" "relays 4" \
        "station 1-3 via 1-4" "client 1-5 via 1-3"
    attack
}

@test "full collusion, transformation for relays" {
    PLANNING="--transform always"
    begin "$TRANSFORM" "collude full clients=1 stations=1 relays=2" "stations 3" "relays 4" \
        "station 1-3 via 1-4" "client 1-5 via 1-3"
    attack
}

@test "a client shares one vector with one key in a round" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    TOOL=hagg-share
    printf '%s\n' 5 6 7 >other.txt
    unchanged 6 hagg-share --client 1 --round 1 --key k1.cbor --type i4 --format text -o "again-{}" other.txt
    # a key under another name, or a copy of it
    cp k1.cbor copy.cbor
    unchanged 6 hagg-share --client 1 --round 1 --key copy.cbor --type i4 --format text -o "again-{}" other.txt
    assert_message "other.txt: client 1 has already shared another vector, or used another key, in round 1: repeat it with the vector and the key of the first time, or use a new round for a new vector (state in $HAGG_STATE)"
}
