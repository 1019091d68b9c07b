#!/usr/bin/env bats
# Rounds that hagg-round writes for plans whose shares are sent in part, run by make.

load common
load round
load emitted

TOOL=hagg-round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    make_vectors 1 2 3
    common=("quantize bits=16 clip=1.0" "scheme staircase" "stations 5" "protocol keys")
}

# by_make OPTION... PLAN: runs a round with make, in work.
by_make() {
    emit make "$@" >Makefile
    make -s -j2
}

# Five stations; with relays, five relays. One station may be missing, and with transform one relay.
write_none() {
    printf '%s\n' "${common[@]}" "collude $1 stations=1" "drop stations=1" "client 1-3 via 1-5 keys ${2:-2}" >none.plan
}

write_passing() {
    printf '%s\n' "${common[@]}" "collude partial stations=1 relays=1" "drop stations=1" "relays 5" \
        "station 1-5 via 1-5" "client 1-3 via 1-5 shares 1-5 relays 1-5 keys 2" >passing.plan
}

write_resharing() {
    printf '%s\n' "${common[@]}" "collude partial stations=1 relays=1" "drop stations=1 relays=1" "relays 5" \
        "transform direct" "station 1-5 via 1-5" "client 1-3 via 1-5 shares 1-5 relays 1-5 keys 2" >resharing.plan
}

# assert_sent FILE... EXPRESSION: each record of sums or transfers that arrived has these symbols, which are a
# Python list, or None for whole shares.
assert_sent() {
    run -0 --separate-stderr hagg-inspect --json "${@:1:$#-1}"
    assert_json "{str(r.get('symbols')) for r in lines if r.get('kind') in ('share', 'transfer')} == {'${*: -1}'}"
}

@test "everybody is present: stations send prefixes" {
    write_none partial
    by_make none.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-station-?.cbor "[0, 3]"
    run -0 hagg-cost --measure --plan none.plan work
    # a second run only compares the roster and decodes
    run -0 --separate-stderr make
    refute_line --regexp "^hagg-aggregate"
    assert_total_of 1,2,3
}

@test "full collusion: keys are sent in part, too" {
    write_none full 1-5
    by_make none.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-station-?.cbor "[0, 3]"
    run -0 hagg-inspect --json work/round-1/federator/in/from-station-1.cbor
    assert_json '[r["of"] for r in lines[:2]] == ["padded", "key"]'
    rm -r work
    forget
    by_make --without stations=5 none.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-station-?-without-5.cbor None
}

@test "a station is missing from the start" {
    write_none partial
    by_make --without stations=3 none.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-station-[1245]-without-3.cbor None
    run -0 ls work/round-1/federator/in
    assert_output "from-station-1-without-3.cbor
from-station-2-without-3.cbor
from-station-4-without-3.cbor
from-station-5-without-3.cbor
keys.cbor
report-station-1.cbor
report-station-2.cbor
report-station-4.cbor
report-station-5.cbor"
    run -0 hagg-cost --measure --plan none.plan --without stations=3 work
}

@test "a station is missing after everybody has sent a prefix" {
    write_none partial
    by_make none.plan
    # the file that arrived from station 3 is lost, and so is the total
    rm -r work/round-1/federator/{total.npy,in/from-station-3.cbor} work/round-1/station-3
    by_make --without stations=3 none.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-station-[1245]-without-3.cbor None
    assert_not_exists work/round-1/station-3
    # and everything is there already
    run -0 --separate-stderr make
    refute_line --regexp "^hagg-aggregate"
}

@test "relays that pass on shares" {
    write_passing
    by_make passing.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/relay-?/in/from-station-?.cbor "[0, 3]"
    assert_sent work/round-1/federator/in/from-relay-?.cbor "[0, 3]"
    rm work/round-1/federator/total.npy
    rm -r work/round-1/station-4
    by_make --without stations=4 passing.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-relay-?-without-4.cbor None
}

@test "relays that pass on shares: without a relay stations send whole shares" {
    write_passing
    sed -i 's/drop .*/drop relays=1/' passing.plan
    by_make --without relays=4 passing.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/federator/in/from-relay-?-without-r4.cbor None
    run -1 grep -e --present Makefile
}

@test "relays with sharings of their own" {
    write_resharing
    by_make resharing.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/relay-?/in/from-station-?.cbor "[0, 3]"
    assert_sent work/round-1/federator/in/from-relay-?.cbor "[0, 3]"
    run -0 hagg-cost --measure --plan resharing.plan work
    rm work/round-1/federator/total.npy
    by_make --without 'stations=5 relays=2' resharing.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/relay-?/in/from-station-?-without-5-r2.cbor None
    assert_sent work/round-1/federator/in/from-relay-?-without-5-r2.cbor None
}

@test "relays with sharings of their own: only a relay is missing" {
    write_resharing
    by_make --without relays=2 resharing.plan
    assert_total_of 1,2,3
    assert_sent work/round-1/relay-?/in/from-station-?-without-r2.cbor "[0, 3]"
    assert_sent work/round-1/federator/in/from-relay-?-without-r2.cbor None
    run -0 hagg-cost --measure --plan resharing.plan --without relays=2 work
}

@test "two stations may be missing, and the scheme supports one missing station" {
    printf '%s\n' "quantize bits=16 clip=1.0" "scheme staircase:missing=0.1" "stations 6" "protocol keys" \
        "collude partial stations=1" "drop stations=2" "client 1-3 via 1-6 keys 2" >none.plan
    by_make none.plan
    assert_total_of 1,2,3
    # twenty symbols, and three times as many parts: 60/5, 60/4 and 60/3 are sent
    assert_sent work/round-1/federator/in/from-station-?.cbor "[0, 12]"
    for gone in 1 1,4; do
        rm work/round-1/federator/total.npy
        by_make --without stations=$gone none.plan
        assert_total_of 1,2,3
    done
    assert_sent work/round-1/federator/in/from-station-?-without-1.cbor "[0, 15]"
    assert_sent work/round-1/federator/in/from-station-?-without-1,4.cbor None
}

@test "sealed records, and other languages than make" {
    write_none partial
    echo "identities hagg.ids" >>none.plan
    mkdir -m 700 keys
    hagg-keygen --plan none.plan --identity 'keys/{tier}-{}.pem' --all -o hagg.ids
    by_make --identity 'keys/{tier}-{}.pem' none.plan
    assert_total_of 1,2,3
    for language in parallel slurm; do
        run -0 --separate-stderr emit $language none.plan
        assert_output --regexp "hagg-aggregate .*--present 1-5"
    done
    run -0 --separate-stderr hagg-round --emit sh --node station=2 --round 1 --vectors v.npy --workdir work \
        --send 'send {file} {to} {name}' --identity '{tier}-{}' --without stations=3 none.plan
    assert_output --regexp "hagg-aggregate .*--station 2 .*--present 1-2,4-5"
    assert_output --regexp "send .*sum-without-3.cbor.* from-station-2-without-3.cbor"
}

@test "with any scheme, a station that is lost after its transfers were sent" {
    common[1]="scheme ramp"
    write_resharing
    emit make resharing.plan >Makefile
    make -s -j2 all-sendtransfers
    # it was one of those whose transfers the relays use
    rm -r work/round-1/station-3 work/round-1/relay-?/in/from-station-3.cbor
    by_make --without stations=3 resharing.plan
    assert_total_of 1,2,3
    run -0 ls work/round-1/relay-1/in
    assert_line "from-station-5-without-3.cbor"
}
