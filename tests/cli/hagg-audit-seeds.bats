#!/usr/bin/env bats
# hagg-audit: plans with seeds, for whom privacy is information-theoretic and against whom it is computational.

load common

TOOL=hagg-audit
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# city COLLUSION: six clients, and a seventh that reaches one station only.
city() {
    six "$1" aligned
    printf '%s\n' "fallback computational" "client 7 via 2"
}

GENERATOR="assumed: expansions of seeds of honest nodes cannot be distinguished from uniform elements (AES-256 in counter mode)"
COURIERS=", and couriers cannot open what is sealed for others"

# assert_seeds LINE..: checks that the output is that of a private plan, with these lines about its seeds.
assert_seeds() {
    assert_line --index 0 --regexp '^private: [0-9]* coalitions checked$'
    assert_line --index 3 --regexp '^8 random coalitions confirmed by elimination'
    assert_equal "$(tail -n +5 <<<"$output")" "$(printf '%s\n' "$@")"
}

@test "a client with too few stations is computational against the station with its computed share" {
    city full >city.topo
    run -0 --separate-stderr hagg-audit city.topo
    assert_equal "$stderr" ""
    assert_seeds "$GENERATOR$COURIERS" \
        "information-theoretic: clients 1-6, in totals with at least 3 of them (minimum 4 ensures that)" \
        "computational: client 7: against coalitions with station 2, its courier" \
        "against all other coalitions: information-theoretic, in the same totals"
    (cat city.topo && echo minimum 4) >enough.topo
    run -0 --separate-stderr hagg-audit enough.topo
    assert_seeds "$GENERATOR$COURIERS" \
        "information-theoretic: clients 1-6" \
        "computational: client 7: against coalitions with station 2, its courier" \
        "against all other coalitions: information-theoretic"
}

@test "under partial collusion also against the federator, if that gets its computed share without a mask" {
    city partial >city.topo
    run -0 hagg-audit city.topo
    assert_line "computational: client 7: against coalitions with the federator or station 2, its courier"
    printf '%s\n' "collude partial stations=1" "stations 4" "client 1-4 via 1-3" "client 5 6 via 1 4" \
        "client 7 via 2 4 computational" >bare.topo
    run -0 hagg-audit bare.topo
    assert_line "computational: client 7: against coalitions with the federator or station 2"
    run -0 hagg-audit --colluders federator bare.topo
    assert_output "this coalition learns no more than it may
with the seeds of all other nodes, it would learn:
  client 7: a half of its vector"
    # station 3, with the computed share of client 7, has a mask
    printf '%s\n' "collude partial stations=1" "stations 4" "client 1-4 via 1 2" "client 5 6 via 1 3" \
        "client 7 via 3 4 computational" >masked.topo
    run -0 hagg-audit masked.topo
    assert_line "computational: client 7: against coalitions with station 3"
    run -0 hagg-audit --colluders federator masked.topo
    assert_output "this coalition learns no more than it may
whatever its computing power, it learns no more"
}

@test "with masks as seeds, everybody is computational against the federator" {
    (six full aligned; echo privacy computational) >city.topo
    run -0 hagg-audit city.topo
    assert_seeds "$GENERATOR" \
        "computational: clients 1, 2 and 5: against coalitions with the federator or one of stations 1 and 2" \
        "computational: client 3: against coalitions with the federator or one of stations 1-3" \
        "computational: client 4: against coalitions with the federator or one of stations 2 and 3" \
        "computational: client 6: against coalitions with the federator or station 1" \
        "against all other coalitions: information-theoretic"
}

@test "protocol keys: in the clear, and shared" {
    (city partial; echo protocol keys) | sed '/protocol aligned/d' >clear.topo
    run -0 hagg-audit clear.topo
    assert_line --regexp "^information-theoretic: clients 1-6"
    assert_line "computational: client 7: against coalitions with the federator or station 2, its courier"
    printf '%s\n' "protocol keys" "collude full clients=1 stations=1" "stations 4" \
        "client 1 via 1-4 shares 1-3 keys 2-4" "client 2-4 via 1-4 shares 1-3 keys 1-3" \
        "client 5 via 1-4 computational shares 1-3 keys 2-4" "client 6 7 via 1-4 shares 2-4 keys 1-3" >shared.topo
    run -0 hagg-audit shared.topo
    assert_seeds "$GENERATOR" \
        "information-theoretic: clients 1-4, 6 and 7, in totals with at least 3 of them (minimum 4 ensures that)" \
        "computational: client 5: against coalitions with the federator, or with computed shares of both the vector (stations 1 and 2) and the key (stations 2 and 3)" \
        "against all other coalitions: information-theoretic, in the same totals, if no client is missing"
}

@test "too few clients without seeds are computational, too" {
    printf '%s\n' "collude full clients=1 stations=1" "stations 3" "client 1 2 via 1 2" \
        "client 3 4 via 2 3 computational" >few.topo
    run -0 hagg-audit few.topo
    assert_line "computational: clients 1 and 2: against coalitions with the federator"
    assert_line "computational: clients 3 and 4: against coalitions with station 2"
    # the federator and station 2, with client 2 and the seeds of clients 3 and 4
    run -0 hagg-audit --colluders 'clients=2 stations=2 federator' few.topo
    assert_output "this coalition learns no more than it may
with the seeds of all other nodes, it would learn:
  clients 1, 3 and 4: their whole vectors"
}

@test "a computed share that a courier passes on" {
    printf '%s\n' "collude full clients=1 stations=1" "stations 4" "drop stations=1" "client 1-4 via 1-4" \
        "client 5 via 1 computational shares 2-4" "client 6 via 1 computational" >spare.topo
    run -0 hagg-audit spare.topo
    assert_line "computational: client 5: against coalitions with one of stations 3 and 4 or its courier, station 1"
    assert_line "computational: client 6: against coalitions with one of stations 1 and 3 (1 is its courier)"
}

@test "what one coalition learns with the seeds of all others" {
    city full >city.topo
    run -0 hagg-audit --colluders stations=2,federator city.topo
    assert_output "this coalition learns no more than it may
with the seeds of all other nodes, it would learn:
  client 7: its whole vector"
    run -0 hagg-audit --colluders stations=1,5,federator city.topo
    assert_output "this coalition learns no more than it may
whatever its computing power, it learns no more"
    run -0 hagg-audit --json --colluders stations=2,federator city.topo
    assert_json "lines[0]['with_seeds'] == {'rank': 1, 'parts': 1, 'affected': [{'what': 'each', 'clients': [[7, 7]], 'rank': 1, 'words': 'client 7: its whole vector'}]}"
}

@test "JSON says the same" {
    city full >city.topo
    run -0 hagg-audit --json city.topo
    assert_json "lines[0]['privacy'].pop('assumed') == '${GENERATOR#assumed: }$COURIERS'"
    assert_json "[lines[0]['privacy'].pop('assumed'), lines[0]['privacy']][1] == {'decided': True, 'fewest': 3, 'minimum': 4, 'most_missing': None, 'information_theoretic': [[1, 6]], 'computational': [{'clients': [[7, 7]], 'federator': False, 'stations': [[2, 2]], 'key_stations': [], 'couriers': [[2, 2]], 'carried': False}]}"
}

@test "a plan without seeds has nothing of this" {
    six full aligned >city.topo
    run -0 hagg-audit city.topo
    assert_output "private: 120 coalitions checked
each station alone learns nothing
the federator alone learns only the total
8 random coalitions confirmed by elimination"
    run -0 hagg-audit --json city.topo
    assert_json "'privacy' not in lines[0] and 'with_seeds' not in lines[0]"
    run -0 hagg-audit --colluders stations=2 city.topo
    assert_output "this coalition learns no more than it may"
    hagg-audit --report page.html city.topo >/dev/null
    run -0 grep -c "the protection does not depend on computing power: what colluders see" page.html
    run ! grep "seed\|What this assumes" page.html
}

@test "a scheme without the premises of the theorem" {
    printf '%s\n' "protocol keys" "scheme additive" "collude partial stations=1" "stations 3" \
        "client 1-3 via 1-3" "client 4 via 1 2 computational" >additive.topo
    run -0 hagg-audit additive.topo
    assert_seeds "$GENERATOR" "not decided: against whom this assumption is needed"
    run -0 hagg-audit --json additive.topo
    assert_json "lines[0]['private'] and not lines[0]['privacy']['decided'] and lines[0]['privacy']['computational'] == []"
    hagg-audit --report page.html additive.topo >/dev/null
    run -0 grep "Against whom this is needed was not determined." page.html
}

@test "a plan with seeds that leaks is only that" {
    (six full | sed '/^protocol/d'; printf '%s\n' "protocol keys" "privacy computational") >leaks.topo
    run -6 --separate-stderr hagg-audit leaks.topo
    refute_output --partial "assumed:"
    refute_output --partial "information-theoretic"
}

@test "the page" {
    city full >city.topo
    hagg-audit --report page.html city.topo >/dev/null
    run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/certificate_page.py" page.html
    assert_json "lines[0]['verdict'] == 'Private' and 'This rests on an assumption about computing power' in lines[0]['text']"
    assert_json "lines[0]['headings'].index('What this assumes') == lines[0]['headings'].index('What is promised, and against whom') + 1"
    assert_json "lines[0]['tables'][2][1:] == [['clients 1-6', 'nobody, in totals with at least 3 of them (minimum 4 ensures that)'], ['client 7', 'coalitions with station 2, its courier']]"
    assert_json "'${GENERATOR#assumed: }$COURIERS.' in lines[0]['text']"
    assert_json "'does not depend on computing power, in the same totals.' in lines[0]['text']"
    assert_json "not any('what colluders see is' in item for item in lines[0]['items'])"
}

@test "thousands of clients, a third of which reach too few stations" {
    python3 - >many.topo <<'PYTHON'
import random
rng = random.Random(1)
print("collude full clients=3 stations=3\nfallback computational\nstations 100")
for i in range(1, 10001):
    n = rng.choice((2, 6, 12))
    print(f"client {i} via", *sorted(rng.sample(range(1, 101), n)))
PYTHON
    run -0 --separate-stderr timeout 60 hagg-audit many.topo
    assert_equal "${#lines[@]}" 8
    assert_line --index 5 --regexp '^information-theoretic: clients .* more, in totals with at least 5 of them'
    assert_line --index 6 --regexp '^computational: clients .* more: against coalitions with a computed share \(--json lists the stations\)$'
    # each client once, as the topology has it
    run -0 hagg-audit --json many.topo
    assert_json "(lambda p: sum(b - a + 1 for r in [p['information_theoretic']] + [k['clients'] for k in p['computational']] for a, b in r))(lines[0]['privacy']) == 10000"
    few=$(awk '/^client/ && NF == 5' many.topo | wc -l)
    assert_json "sum(b - a + 1 for k in lines[0]['privacy']['computational'] for a, b in k['clients']) == $few"
    run -0 hagg-audit --max many.topo
    assert_line --partial "stations: 3 of 100, the plan requires 3"
}
