#!/usr/bin/env bats
# Plans in which relays have sharings of their own: hagg-plan, and rounds with hagg-transform.

load common
load round
load full
load relays

TOOL=hagg-transform

setup_file() {
    common_setup_file
}

# Four stations, of which two may collude, and six relays, of which four may. Shares that relays pass on
# would need five stations.
setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    unset HAGG_PLAN
    cat >t.topo <<END
collude partial clients=1 stations=2 relays=4
stations 4
relays 6
station 1-4 via 1-6
client 1 2 via 1-3
client 3 via 1-4
client 4 via 2-4
protocol keys
END
}

full_plan() {
    printf '%s\n' "collude full clients=1 stations=2 relays=4" "stations 4" "relays 6" \
        "transform direct" "station 1-4 via 1-6" \
        "client 1 2 via 1-3 shares 1-3 keys 1-3 relays 1-6 key-relays 1-6" \
        "client 3 via 1-4 shares 1-3 keys 1-4 relays 1-6 key-relays 1-6" \
        "client 4 via 2-4 shares 2-4 keys 2-4 relays 1-6 key-relays 1-6" "protocol keys" >t.plan
}

# One of four stations and two of seven relays may be missing.
spare_plan() {
    printf '%s\n' "collude partial clients=1 stations=1 relays=2" "drop stations=1 relays=2" \
        "stations 4" "relays 7" "transform direct" "station 1-4 via 1-7" \
        "client 1-4 via 1-4 keys 4 relays 1-7" "protocol keys" >t.plan
}

# share_all PLAN [ROUND]: clients share the integers i, i * i, 7 and 3 i, to station-U/client-I.cbor.
share_all() {
    local i

    export HAGG_PLAN=$PWD/$1
    for i in 1 2 3 4; do
        rm -f key-$i.cbor
        hagg-keygen --client $i --round ${2:-1} --length 4 -o key-$i.cbor
        printf '%s\n' $i $((i * i)) 7 $((3 * i)) |
            hagg-share --again --client $i --round ${2:-1} --key key-$i.cbor --type i4 --format text \
                -o "station-{}/client-$i.cbor"
    done
}

TOTAL=$'10\n30\n28\n30'

# contribute_all OPTION...: stations contribute, to relay-M/from-U.cbor, with options of hagg-transform.
contribute_all() {
    local u

    for u in 1 2 3 4; do
        hagg-aggregate --station $u --only shares station-$u/client-*.cbor -o sum-$u.cbor
        hagg-transform --step contribute --station $u "$@" sum-$u.cbor -o "relay-{}/from-$u.cbor"
    done
}

# The chain of keys under partial collusion; the total is keys.cbor.
chain() {
    local u before=()

    for u in 1 2 3 4; do
        hagg-aggregate --station $u --only keys "${before[@]}" station-$u/client-*.cbor \
            -o keys-$u.cbor
        [ ! -e keys-$u.cbor ] || before=(keys-$u.cbor)
    done
    hagg-aggregate --relay 1 --only keys keys-4.cbor -o keys.cbor
}

# Relays finish and add up, to from-M.cbor.
finish_all() {
    local m

    for m in "$@"; do
        hagg-transform --step finish --relay $m relay-$m/from-*.cbor |
            hagg-aggregate --relay $m -o from-$m.cbor
    done
}

assert_total() {
    run -0 --separate-stderr hagg-decode --format text "$@"
    assert_output "$TOTAL"
    assert_equal "$stderr" "hagg-decode: round 1: total of 4 clients: 1-4"
}

@test "a station that is not needed writes an empty file, which the next step accepts" {
    spare_plan
    share_all t.plan
    for u in 1 2 3 4; do
        hagg-aggregate --station $u --only shares station-$u/client-*.cbor -o sum-$u.cbor
    done
    run -0 --separate-stderr hagg-transform --step contribute --station 4 sum-4.cbor -o 'relay-{}/from-4.cbor'
    assert_output ""
    assert_message "nothing to transform: no share belongs to a holder that takes part"
    run -0 find . -name 'from-4*' -o -name 'relay-*'
    assert_output ""
    # its output is empty, and --step finish accepts it with the others
    for u in 1 2 3 4; do
        hagg-transform --step contribute --station $u sum-$u.cbor >transfers-$u.cbor
    done
    assert_equal $(stat -c %s transfers-4.cbor) 0
    chain
    hagg-transform --step finish transfers-?.cbor | hagg-aggregate >from-all.cbor
    assert_total from-all.cbor keys.cbor
}

@test "a relay that is not used may have no transfers; one that is used must have some" {
    spare_plan
    sed -i 's/^\(.*\)relays 7/\1relays 8/; s/^client.*/client 1-4 via 1-4 keys 4 relays 1-7/; s/1-4 via 1-7/1-4 via 1-8/' t.plan
    share_all t.plan
    contribute_all
    chain
    finish_all 1 2 3 4 5 6 7
    : >nothing.cbor
    run -0 --separate-stderr hagg-transform --step finish --relay 8 nothing.cbor -o shares-8.cbor
    assert_output ""
    assert_message "nothing to finish: no transfers arrived"
    assert_equal "$(stat -c %s shares-8.cbor)" 0
    TOOL=hagg-aggregate
    run -0 --separate-stderr hagg-aggregate --relay 8 nothing.cbor -o from-8.cbor
    assert_message "nothing to add up: no record of the input was selected"
    assert_equal "$(stat -c %s from-8.cbor)" 0
    assert_total from-?.cbor nothing.cbor keys.cbor
    TOOL=hagg-transform
    unchanged 5 hagg-transform --step finish --relay 6 nothing.cbor -o shares-6.cbor
    assert_message "no transfers arrived: get the transfers that the stations make with --step contribute"
}

@test "hagg-plan transforms if relays cannot pass shares on, and reports the reason" {
    run -0 --separate-stderr hagg-plan t.topo
    assert_line "transform direct"
    assert_line "client 1 via 1-3 shares 1-3 keys 1 relays 1-6"
    assert_line "client 4 via 2-4 shares 2-4 keys 3 relays 1-6"
    # 4 clients x 3 and keys; two patterns of 3 x 6 / (1 x 2); one sum of 6 / 2
    assert_regex "$stderr" "
hagg-plan: keys +-      -  not used: client 1 reaches 3 stations, but shares that relays pass on need at least 5: stations=2 and relays=4 may collude and 0 may be missing
hagg-plan: keys with transform    42  2.471  chosen
hagg-plan: cost 42 times the vector: clients to stations 16, station to station 3, stations to relays 19, relays to federator 4 in 1 pattern
"
    assert_regex "$stderr" "
hagg-plan: stations make new shares for the relays: hagg-transform
"
}

@test "hagg-plan --transform: never and always" {
    TOOL=hagg-plan
    unchanged 3 hagg-plan --transform never t.topo
    assert_message "t.topo: client 1 reaches 3 stations, but shares that relays pass on need at least 5: stations=2 and relays=4 may collude and 0 may be missing"
    sed -i 's/relays=4/relays=1/' t.topo
    run -0 hagg-plan -q --transform never t.topo
    refute_line "transform direct"
    run -0 hagg-plan -q --transform always t.topo
    assert_line "transform direct"
    assert_line "client 4 via 2-4 shares 2-4 keys 3 relays 1-6"
    run -2 --separate-stderr hagg-plan --transform sometimes t.topo
    assert_usage "--transform must be auto, never or always, not 'sometimes'"
}

@test "relays that not all stations reach: the other stations are left out" {
    TOOL=hagg-plan
    printf '%s\n' "collude partial stations=1 relays=2" "stations 4" "relays 5" \
        "station 1 2 via 1-4" "station 3 via 1 5" "station 4 via 1-5" "client 1-3 via 1-4" "protocol keys" >odd.topo
    run -0 hagg-plan -q --transform always odd.topo
    assert_output --partial "shares 1-2 4 keys 1 relays 1-4"
    sed -i 's/^station 4 .*/station 4 via 5/; s/^station 2 .*//; s/^station 1 2/station 1/; s/^station 3/station 2 3/' odd.topo
    unchanged 6 hagg-plan --transform always odd.topo
    assert_message "odd.topo: found no stations of client 1 that have 3 relays in common: add links, or let fewer nodes collude or be missing"
}

@test "partial collusion: a planned round" {
    hagg-plan -q t.topo -o t.plan
    share_all t.plan
    contribute_all
    chain
    finish_all 1 2 3 4 5 6
    assert_total from-?.cbor keys.cbor
}

@test "sharings with different numbers of parts and for different relays" {
    write_transform
    share_all t.plan
    contribute_all
    chain
    finish_all 1 2 3 4 5 6
    assert_total from-?.cbor keys.cbor
    # relay 6 has no share of client 4, and the parts of client 3 are shared separately
    run -0 hagg-inspect from-6.cbor
    assert_line --regexp "share +padded .* relay 6 +1-2 "
    assert_line --regexp "share +padded .* relay 6 +3 "
    refute_line --regexp " 4 +ok"
}

@test "full collusion: keys are transformed like vectors" {
    full_plan
    share_all t.plan
    for u in 1 2 3 4; do
        hagg-aggregate --station $u station-$u/client-*.cbor |
            hagg-transform --step contribute --station $u -o "relay-{}/from-$u.cbor"
    done
    finish_all 1 2 3 4 5 6
    assert_total from-?.cbor
}

@test "stations and relays may be missing, up to the limits of the plan" {
    spare_plan
    share_all t.plan
    for u in 1 3 4; do
        hagg-aggregate --station $u --only shares station-$u/client-*.cbor -o sum-$u.cbor
        hagg-transform --step contribute --station $u --from 1,3,4 sum-$u.cbor -o "relay-{}/from-$u.cbor"
    done
    hagg-aggregate --station 4 --only keys station-4/client-*.cbor -o keys-4.cbor
    hagg-aggregate --relay 1 --only keys keys-4.cbor -o keys.cbor
    finish_all 1 3 4 6 7
    assert_total from-[13467].cbor keys.cbor
    run -5 --separate-stderr hagg-decode --format text from-[1346].cbor keys.cbor
    assert_output ""
}

@test "drop clients=N: sums that lack more clients are refused" {
    spare_plan
    sed -i 's/drop /drop clients=1 /' t.plan
    share_all t.plan
    hagg-aggregate --station 1 --only shares --clients 1-3 station-1/client-*.cbor -o sum-1.cbor
    hagg-transform --step contribute --station 1 sum-1.cbor -o "relay-{}/from-1.cbor"
    # as if station 1 had added up two clients only
    rewrite sum-1.cbor 'h["clients"] = [1, 2]'
    rewrite relay-1/from-1.cbor 'h["clients"] = [1, 2]'
    unchanged 6 hagg-transform --step contribute --station 1 sum-1.cbor -o x
    assert_message "$HAGG_PLAN: 2 clients are missing, but the plan tolerates only 1 (drop line): wait for the others"
    unchanged 6 hagg-transform --step finish --relay 1 relay-1/from-1.cbor -o x
    assert_message "$HAGG_PLAN: 2 clients are missing, but the plan tolerates only 1 (drop line): wait for the others"
}

@test "a round in one pipeline" {
    full_plan
    share_all t.plan
    run -0 --separate-stderr bash -c 'cat station-?/client-*.cbor | hagg-aggregate |
        hagg-transform --step contribute | hagg-transform --step finish | hagg-aggregate |
        hagg-decode --format text'
    assert_output "$TOTAL"
}

@test "refused: shares of one client, of another station, and sums that are not transformed" {
    write_transform
    share_all t.plan
    unchanged 4 hagg-transform --step contribute --station 1 station-1/client-1.cbor -o "x-{}"
    assert_message "station-1/client-1.cbor: record 1 (byte 0): is the share of one client: add up the shares first with hagg-aggregate"
    contribute_all
    unchanged 4 hagg-transform --step contribute --station 2 sum-1.cbor -o "x-{}"
    assert_message "sum-1.cbor: record 1 (byte 0): is for station 1, but this is station 2"
    unchanged 4 hagg-transform --step finish --relay 2 relay-1/from-*.cbor -o x
    assert_message "relay-1/from-1.cbor: record 1 (byte 0): is for relay 1, but this is relay 2"
    unchanged 4 hagg-decode sum-*.cbor -o x
    assert_equal "$stderr" "hagg-decode: sum-1.cbor: record 1 (byte 0): is for relays that have sharings of their own: transform it first with hagg-transform"
    hostile hagg-transform --step contribute --holders 1-6 -k 6 -z 3 sum-1.cbor -o "weak-{}"
    unchanged 4 hagg-transform --step finish --relay 1 weak-1 -o x
    assert_message "weak-1: record 1 (byte 0): scheme differs from that of the plan"
    hostile hagg-transform --step contribute --holders 2-6,1 -k 6 -z 4 sum-1.cbor -o "order-{}"
    unchanged 4 hagg-transform --step finish --relay 1 order-1 -o x
    assert_message "order-1: record 1 (byte 0): client 1 does not share its vector over these relays in the plan"
}

@test "full collusion: a relay refuses to add up an incomplete sum" {
    full_plan
    share_all t.plan
    contribute_all
    hagg-transform --step finish --relay 1 relay-1/from-*.cbor -o own.cbor
    TOOL=hagg-aggregate
    unchanged 5 hagg-aggregate --relay 1 own.cbor -o x
    assert_message "the share of the sums that contain the key of client 1 is missing: finish the transfers from its stations with hagg-transform, or, if the stations left the client out, use the same --roster"
    unchanged 5 hagg-transform --step finish --relay 1 relay-1/from-[134].cbor -o x
    assert_equal "$stderr" "hagg-transform: relay-1/from-1.cbor: for relay 1, only 2 of 3 transfers of one sum arrived, from station 1, station 3: get the others: all are needed"
}

@test "full collusion: a relay needs the --clients that the stations used" {
    full_plan
    # client 2 has the same sets as client 1, and client 4 is alone in its pattern
    sed -i '$a client 5 via 1-3 shares 1-3 keys 1-3 relays 1-6 key-relays 1-6' t.plan
    share_all t.plan
    for u in 1 2 3 4; do
        hagg-aggregate --unsafe-plan --station $u --clients 1-4 station-$u/client-*.cbor |
            hagg-transform --step contribute --station $u -o "relay-{}/from-$u.cbor"
    done
    hagg-transform --step finish --relay 1 relay-1/from-*.cbor -o own.cbor
    TOOL=hagg-aggregate
    unchanged 5 hagg-aggregate --unsafe-plan --relay 1 own.cbor -o x
    assert_message "the sums from the stations lack the vector of client 5: use the same --roster as the stations"
    hagg-aggregate --unsafe-plan --relay 1 --clients 1-4 own.cbor -o x
}

@test "usage errors" {
    write_transform
    for line in "--step contribute --holders 1-3" "--step contribute -k 2" "--step contribute --method forward"; do
        run -2 --separate-stderr hagg-transform --plan t.plan $line x
        assert_usage "the new sharing is set by the plan: omit its options, or use --plan ''"
    done
    run -2 --separate-stderr hagg-transform --plan t.plan --step collect x
    assert_usage "transformations of a plan are direct, with nothing to collect: use --plan '' for others"
    run -2 --separate-stderr hagg-transform --plan t.plan --step contribute --relay 1 x
    assert_usage "--relay requires --step finish"
    run -2 --separate-stderr hagg-transform --plan t.plan --step finish --station 1 x
    assert_usage "options of the new sharing require --step contribute"
    unchanged 2 hagg-transform --plan t.plan --step contribute --station 5 x
    assert_message "t.plan: has no station 5"
    unchanged 2 hagg-transform --plan t.plan --step finish --relay 7 x
    assert_message "t.plan: has no relay 7"
    hagg-plan -q --transform never -o m.plan <(sed 's/relays=4/relays=1/' t.topo)
    unchanged 2 hagg-transform --plan m.plan --step contribute --station 1 x
    assert_message "m.plan: has no transformation: relays pass on the shares of the stations"
    sed -i 's/^client 4 .*/&\nclient 5 via 1-3 shares 1-3 keys 2 relays 1-5/' t.plan
    unchanged 3 hagg-transform --plan t.plan --step contribute --station 1 x
    assert_message "t.plan:9: shares with the same stations are added up, so they must have the same relays: choose them with hagg-plan"
}

@test "full collusion: no plan if relays cannot add up clients that have no stations in common" {
    TOOL=hagg-plan
    # clients 1 and 2 can only use stations 1 and 3, the others 2 and 4, and these have no relay in common
    printf '%s\n' "collude full stations=1 relays=1" "stations 4" "relays 4" "station 1 3 via 1 2" \
        "station 2 4 via 3 4" "client 1 2 via 1-3" "client 3 4 via 1 2 4" "protocol keys" >apart.topo
    unchanged 6 hagg-plan --transform always apart.topo -o x
    assert_message "apart.topo: found no private plan that the links to relays allow: add links, or let fewer clients collude"
}

@test "full collusion: clients are added up at relays that only some of their stations reach" {
    # only three stations of client 1 reach both relays 1 and 3; the other clients, who could use four
    # stations, must also use three to be added up with it; then the keys may be added up separately
    printf '%s\n' "collude full clients=1 stations=2 relays=1" "stations 6" "relays 5" \
        "station 1 via 1-3 5" "station 2 via 1" "station 3 via 1-4" "station 4 via 2-4" \
        "station 5 via 1 3-5" "station 6 via 1 3 4" "client 1 via 2-6" "client 2-5 via 1-3 6" "protocol keys" >meet.topo
    hagg-plan -q --transform always meet.topo -o meet.plan
    run -0 grep ^client meet.plan
    assert_line "client 1 via 2-6 shares 3 5-6 keys 3-6 relays 1 3 key-relays 3-4"
    assert_line "client 2-5 via 1-3 6 shares 1 3 6 keys 1 3 6 relays 1 3 key-relays 1 3"
    hagg-audit meet.plan
}

# lie STATEMENT MESSAGE: checks that the transfer from station 1 with another header is refused.
lie() {
    cp relay-1/from-1.cbor lie.cbor
    rewrite lie.cbor "$1"
    unchanged 4 hagg-transform --step finish --relay 1 lie.cbor relay-1/from-[234].cbor -o x
    assert_message "lie.cbor: $2"
}

@test "transfers with a wrong sender or source" {
    write_transform
    share_all t.plan
    contribute_all
    at="record 1 (byte 0)"
    lie 'h["source"].update(index=1, point=2)' "$at: is from station 1, which does not hold share 2 of client 1 in the plan"
    lie 'h["source"]["index"] = 1' "$at: scheme differs from that of the plan"
    lie 'h["from"] = ["station", 2]' "$at: is from station 2, which does not hold share 1 of client 1 in the plan"
    lie 'h["from"] = ["relay", 1]' "$at: is from relay 1, which does not hold share 1 of client 1 in the plan"
    lie 'del h["from"]' "$at: does not name the station that sent it"
    lie 'h["layout"] = [1]' "$at: was transformed, unlike in the plan"
    lie 'h["to"] = ["relay", 2]' "$at: is for relay 2, but share 1 of this sharing goes to relay 1"
    lie 'h["route"][0][1][:2] = [2, 1]' "$at: is for relay 1, but share 1 of this sharing goes to relay 2"
    lie 'h["clients"] = [1, 4]' "$at: is from station 1, which does not hold share 1 of client 3 in the plan"
    lie 'h["plan"] = bytes(32)' "$at: was made under a different plan than $HAGG_PLAN: plan digest 0000 0000 0000 0000..., not $(hagg-plan --digest "$HAGG_PLAN" | cut -c 1-19)..."
    lie 'h["carrier"] = 0' "$at: is not collected: its carrier must run --step collect first"
    # a consistent header that belongs to another station
    cp relay-1/from-1.cbor lie.cbor
    rewrite lie.cbor 'h["from"] = ["station", 2]; h["source"].update(index=1, point=2)'
    unchanged 4 hagg-transform --step finish --relay 1 relay-1/from-[234].cbor lie.cbor -o x
    assert_message "lie.cbor: station 2 has already contributed (see relay-1/from-2.cbor)"
}

@test "new shares with a wrong origin" {
    write_transform
    share_all t.plan
    contribute_all
    hagg-transform --step finish --relay 1 relay-1/from-*.cbor -o own.cbor
    rewrite own.cbor 'h["layout"] = [2] if h["clients"] == [1, 2] else h["layout"]'
    TOOL=hagg-aggregate
    unchanged 4 hagg-aggregate --relay 1 own.cbor -o x
    assert_message "own.cbor: record 1 (byte 0): was transformed from a sharing of 2 parts, but client 1 has 1 in the plan"
}

@test "transfers of another round, or of a sum of other clients, are refused" {
    write_transform
    share_all t.plan
    contribute_all
    mv relay-1 first
    share_all t.plan 2
    contribute_all
    cp first/from-2.cbor relay-1/from-2.cbor
    unchanged 4 hagg-transform --step finish --relay 1 relay-1/from-*.cbor -o x
    assert_message "relay-1/from-2.cbor: round is 1, but relay-1/from-1.cbor has 2"
    hagg-aggregate --no-state --station 2 --only shares --clients 2-4 station-2/client-*.cbor |
        hagg-transform --no-state --step contribute --station 2 -o "relay-{}/from-2.cbor"
    unchanged 4 hagg-transform --step finish --relay 1 relay-1/from-*.cbor -o x
    assert_message "relay-1/from-2.cbor: client 1 is missing, but is in relay-1/from-1.cbor: use the same --roster with hagg-aggregate at all stations"
}

@test "shares that relays made from different stations or runs are not decoded together" {
    spare_plan
    share_all t.plan
    contribute_all
    chain
    finish_all 1 2 3 4 5 7
    # relay 6 has no transfer from station 2, but one from station 4, which replaces it
    hagg-transform --step contribute --station 4 --from 1,3,4 sum-4.cbor -o "relay-{}/from-4.cbor"
    rm relay-6/from-2.cbor
    finish_all 6
    assert_total from-[12357].cbor keys.cbor
    TOOL=hagg-decode
    unchanged 4 hagg-decode from-[12356].cbor keys.cbor -o x
    assert_message "from-6.cbor: was made from different transfers than from-1.cbor: use shares from one run of hagg-transform by the same holders"
    # a station that contributes again sends the same bytes
    cp relay-1/from-1.cbor before.cbor
    contribute_all --from 1-3
    cmp relay-1/from-1.cbor before.cbor
    # unless it does not remember: then earlier shares of relays cannot be used with the new ones
    cp from-1.cbor before.cbor
    contribute_all --no-state --from 1-3
    finish_all 2 3 4 5
    unchanged 4 hagg-decode before.cbor from-[2345].cbor keys.cbor -o x
    assert_message "from-2.cbor: was made from different transfers than before.cbor: use shares from one run of hagg-transform by the same holders"
}

@test "stations with few relays do not prevent plans with others" {
    printf '%s\n' "collude partial stations=1 relays=2" "stations 5" "relays 5" "station 1 via 1-5" \
        "station 2 via 1 3-5" "station 3 5 via 2 3" "station 4 via 1 4 5" "client 1 2 via 1-5" "protocol keys" >few.topo
    run -0 hagg-plan -q --transform always few.topo
    # without keys 2 x 2 + 2 x 4 / (1 x 2) + 4 / 2 = 10; with station 4 and relays 1, 4 and 5 it would be 21 / 2
    assert_output --partial "shares 1-2 keys 1 relays 1 3-5"
}
