#!/usr/bin/env bats
# hagg-plan: what it reports and writes if clients have computational privacy.

load common

TOOL=hagg-plan
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# topology LINE...: network.topo has these lines, and clients that reach all of five stations.
topology() {
    printf '%s\n' "stations 5" "client 1-3 via 1-5" "$@" >network.topo
}

SEALED="seeds are only sent sealed, and the plan has no identities line: add one before the first round"

@test "clients that reach too few stations, by number reached, with their couriers" {
    topology "collude full stations=2" "fallback computational" "client 4 6 7 via 2" "client 5 via 1" "client 9 via 3 4"
    run -0 --separate-stderr hagg-plan network.topo
    assert_regex "$stderr" "hagg-plan: clients 4-7: computational privacy only: reach 1 of the 3 stations that z = 2 needs; courier to other stations: stations 1-2"$'\n'
    assert_regex "$stderr" "hagg-plan: client 9: computational privacy only: reaches 2 of the 3 stations that z = 2 needs; courier to other stations: station 3"$'\n'
    assert_regex "$stderr" "hagg-plan: $SEALED"$'\n'
    assert_regex "$stderr" " times the vector and [0-9]+ seeds: clients to stations "
    assert_regex "$stderr" "lower bound for any protocol with this privacy, information-theoretic for 3 of 8 clients: "
    # it claims no proof, because other stations could have been chosen for them
    assert_regex "$stderr" "the best plan found; there may be a cheaper one"
    # the plan of a plan is the same
    hagg-plan -q network.topo -o a.plan
    hagg-plan -q a.plan | cmp - a.plan
    run -0 --separate-stderr hagg-plan -q network.topo
    assert_equal "$stderr" ""
}

@test "the same by word and with spare stations; with protocol keys a client needs more" {
    topology "collude partial stations=1" "drop stations=1" "client 4 via 5 computational"
    run -0 --separate-stderr hagg-plan network.topo
    assert_regex "$stderr" "hagg-plan: client 4: computational privacy only: reaches 1 of the 3 stations that z = 1 and drop stations=1 need; courier to other stations: station 5"$'\n'
    run -0 --separate-stderr hagg-plan --protocol keys network.topo
    assert_regex "$stderr" "hagg-plan: client 4: computational privacy only: reaches 1 of the 4 stations that z = 1 and drop stations=1 need; "
    # the key of client 4 is not passed on
    assert_line "client 4 via 5 computational shares 1-3 5 keys 5"
}

@test "many clients: the line stays short" {
    topology "collude partial stations=1" "fallback computational" \
        "$(for i in {10..2000..2}; do echo "client $i via $((i % 5 + 1))"; done)"
    run -0 --separate-stderr hagg-plan network.topo
    assert_regex "$stderr" "hagg-plan: clients 10 12 14 16 18 20 22 24 ... \(996\): computational privacy only: reach 1 of the 2 stations that z = 1 needs; courier to other stations: stations 1-5"$'\n'
}

@test "privacy computational: one line, and no proof; none of it without seeds" {
    topology "collude full stations=2" "client 4 via 1-4" "privacy computational"
    run -0 --separate-stderr hagg-plan network.topo
    assert_regex "$stderr" "hagg-plan: privacy computational: colluding stations learn nothing, unless they break AES-256 or the seals of records"$'\n'
    assert_regex "$stderr" "lower bound for any protocol with this privacy, computational: 5, ratio "
    assert_regex "$stderr" "there may be a cheaper one"
    hagg-plan -q network.topo -o a.plan
    hagg-plan -q a.plan | cmp - a.plan
    run -0 --separate-stderr hagg-plan --keep a.plan
    assert_regex "$stderr" "hagg-plan: privacy computational: "
    topology "collude full stations=2" "client 4 via 1-4"
    run -0 --separate-stderr hagg-plan network.topo
    refute_regex "$stderr" "computational|seed"
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
}

@test "clients with computational privacy that reach enough: the choice is proved" {
    topology "collude partial stations=1" "client 4 via 1-3 computational" "client 5 via 2 3"
    run -0 --separate-stderr hagg-plan network.topo
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
    refute_regex "$stderr" "computational privacy only"
}

@test "with an identities line, seeds are not mentioned again" {
    topology "collude partial stations=1" "fallback computational" "client 4 via 5" "identities keys.ids"
    hagg-keygen --plan network.topo --identity '{tier}-{}.pem' --all >keys.ids
    run -0 --separate-stderr hagg-plan network.topo
    assert_regex "$stderr" "client 4: computational privacy only"
    refute_regex "$stderr" "seeds are only sent sealed"
}

@test "a protocol in which fewer clients fall back is preferred to a cheaper one" {
    printf '%s\n' "collude partial stations=1" "drop stations=1" "stations 4" "fallback computational" \
        "client 1 2 via 1-4" "client 3 via 1 2 3" "client 4 via 2" >network.topo
    run -0 --separate-stderr hagg-plan network.topo
    assert_line "protocol aligned"
    assert_line "client 3 via 1-3"
    assert_regex "$stderr" "hagg-plan: aligned +16 +2.400  chosen"$'\n'
    assert_regex "$stderr" "hagg-plan: keys +15 +2.500  not used: computational privacy for 2 of 4 clients"$'\n'
    run -0 --separate-stderr hagg-plan --protocol keys network.topo
    assert_line "client 3 via 1-3 computational shares 1-4 keys 2"
}

@test "--json: privacy, fallback, computational groups and their couriers" {
    topology "collude partial stations=1" "fallback computational" "client 4 via 5" "client 5 via 1-4 computational"
    run -0 hagg-plan --json network.topo
    assert_json "lines[0]['privacy'] == 'information-theoretic' and lines[0]['fallback'] is True"
    assert_json "[(g['computational'], g['courier'], g['shares']) for g in lines[0]['groups']] == [
        (False, None, [1, 2, 3, 4, 5]), (True, 5, [1, 5]), (True, None, [1, 2, 3, 4])]"
    sed -i 's/^fallback.*/privacy computational/' network.topo
    run -0 hagg-plan --json network.topo
    assert_json "lines[0]['privacy'] == 'computational' and lines[0]['fallback'] is False"
    assert_json "all(g['computational'] for g in lines[0]['groups'])"
}
