#!/usr/bin/env bats
# hagg-plan with relays that pass shares on: the relays it chooses, and the reasons if there is no plan.

load common
load round

TOOL=hagg-plan

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# topology FILE LINE...: writes a topology with keys.
topology() {
    printf '%s\n' "${@:2}" "protocol keys" >"$1"
}

# Prints the client lines of the plan of a topology.
client_lines() {
    hagg-plan -q --transform never "$1" | grep '^client'
}

# assert_round TOPOLOGY N: plans a round of N clients, runs it, and checks the sums of i and of i * i.
assert_round() {
    local i n=$2

    hagg-plan -q --transform never "$1" -o round.plan
    for ((i = 1; i <= n; i++)); do
        hagg-keygen --plan round.plan --client $i --round 1 --length 2 |
            hagg-share --again --plan round.plan --client $i --round 1 --key - --type i4 --format text \
                <(printf '%s\n' $i $((i * i)))
    done | hagg-aggregate --plan round.plan | hagg-aggregate --plan round.plan >sums.cbor
    run -0 --separate-stderr hagg-decode --plan round.plan --format text sums.cbor
    assert_output "$((n * (n + 1) / 2))
$((n * (n + 1) * (2 * n + 1) / 6))"
}

@test "stations add up clients that reach the same stations, relays add up the others" {
    topology t "collude partial clients=1 stations=1 relays=1" "stations 4" "relays 4" \
        "station 1 2 via 1-3" "station 3 via 2-4" "station 4 via 1 3-4" \
        "client 1 2 via 1-3" "client 3 via 2-4" "client 4 via 1 2 4"
    run -0 --separate-stderr hagg-plan --transform never t
    assert_output "field m31
scheme ramp
collude partial clients=1 stations=1 relays=1
protocol keys
minimum 3
stations 4
relays 4
station 1 via 1-3
station 2 via 1-3
station 3 via 2-4
station 4 via 1 3-4
client 1 via 1-3 shares 1-3 keys 1 relays 1-3
client 2 via 1-3 shares 1-3 keys 2 relays 1-3
client 3 via 2-4 shares 2-4 keys 3 relays 1-3
client 4 via 1-2 4 shares 1-2 4 keys 4 relays 1-3"
    # by hand: r(3, 1) = 3/2; four sharings and four keys, three patterns and a key, one pattern and a key
    assert_equal "${stderr_lines[0]}" "hagg-plan: cost 21 times the vector: clients to stations 10, station to station 3, stations to relays 11/2 = 5.500, relays to federator 5/2 = 2.500 in 1 pattern"
    assert_round t 4
}

@test "stations need not be in the order of their relays" {
    topology t "collude partial stations=1 relays=1" "stations 3" "relays 3" "station 1 via 3" \
        "station 2 via 2" "station 3 via 1" "client 1-3 via 1-3"
    run -0 client_lines t
    assert_output "client 1 via 1-3 shares 3 2 1 keys 1 relays 1-3
client 2 via 1-3 shares 3 2 1 keys 2 relays 1-3
client 3 via 1-3 shares 3 2 1 keys 3 relays 1-3"
    assert_round t 3
}

@test "a station without a relay of its own is left out" {
    # stations 1 and 2 have one relay together, so one of them is enough
    topology t "collude partial stations=1 relays=1" "stations 4" "relays 3" "station 1 2 via 1" \
        "station 3 via 2" "station 4 via 3" "client 1-3 via 1-4"
    run -0 client_lines t
    assert_line --regexp "^client 1 via 1-4 shares [12] 3-4 keys . relays 1-3$"
    assert_round t 3
}

@test "matchings that need a chain of reassignments are found" {
    # station 1 reaches relays 1 and 2, station 2 relays 2 and 3, and so on; the last only relay 1
    topology t "collude partial stations=3 relays=3" "stations 5" "relays 5" "station 1 via 1 2" \
        "station 2 via 2 3" "station 3 via 3 4" "station 4 via 4 5" "station 5 via 1" \
        "client 1-2 via 1-5"
    run -0 client_lines t
    assert_output "client 1 via 1-5 shares 5 1-4 keys 1 relays 1-5
client 2 via 1-5 shares 5 1-4 keys 2 relays 1-5"
    assert_round t 2
}

@test "equal stations get equal relays, and planning a plan again does not change it" {
    topology t "collude partial stations=2 relays=1" "drop relays=1" "stations 8" "relays 6" \
        "station 1-4 via 1-6" "station 5-8 via 2-6" "client 1-9 via 1-6" "client 10-12 via 3-8" \
        "client 13 via 1-8" "client 14 via 2-7"
    hagg-plan -q --transform never t -o t.plan
    run -0 python3 - t.plan <<'END'
import sys

relays_of, links, sets = {}, {}, set()
for line in open(sys.argv[1]):
    words = line.split()
    lists, name = {}, None
    for word in words:
        if word[0].isdigit():
            first, _, last = word.partition("-")
            lists.setdefault(name, []).extend(range(int(first), int(last or first) + 1))
        else:
            name = word
    if words[0] == "station":
        for station in lists["station"]:
            links[station] = set(lists["via"])
    if words[0] == "client":
        stations, relays = tuple(lists["shares"]), tuple(lists["relays"])
        assert list(relays) == sorted(set(relays)) and len(relays) == len(stations) >= 4
        assert all(r in links[s] for s, r in zip(stations, relays)), line
        assert set(stations) <= set(lists["via"])
        assert relays_of.setdefault(frozenset(stations), (stations, relays)) == (stations, relays)
        sets.add(relays)
print(len(sets))
END
    assert_output 1
    run -0 hagg-plan -q --transform never t.plan
    assert_output "$(cat t.plan)"
    run -0 --separate-stderr hagg-plan -q --keep t.plan
    assert_output "$(cat t.plan)"
    assert_round t 14
}

@test "too few relays behind a client's stations: the message names them" {
    topology t "collude partial stations=1 relays=1" "stations 4" "relays 4" "station 1-3 via 2" \
        "station 4 via 1-4" "client 1-3 via 1-4" "client 4 via 1-3"
    unchanged 6 hagg-plan t -o t.plan
    assert_message "t: only 1 of the stations of client 4 can send to different relays, and 2 must: its stations 1 2 reach only 1 relay in all: add links, or let fewer nodes collude or be missing"
    # one more link is enough
    sed -i 's/^station 1-3 via 2$/station 1-2 via 2\nstation 3 via 4/' t
    run -0 hagg-plan -q t -o t.plan
    run -0 grep "^client 4" t.plan
    assert_output --regexp "^client 4 via 1-3 shares [12] 3 keys . relays 2 4$"
}

@test "the message names stations that have too few relays together, wherever they are" {
    topology t "collude partial stations=2 relays=2" "stations 6" "relays 6" "station 1 via 1-6" \
        "station 2 via 1-6" "station 3-6 via 5 6" "client 1 2 via 3-6" "client 3 via 1-6"
    unchanged 6 hagg-plan t
    assert_message "t: only 2 of the stations of client 1 can send to different relays, and 3 must: its stations 3 4 5 reach only 2 relays in all: add links, or let fewer nodes collude or be missing"
}

@test "full collusion: keys have relays, too, and sharings withstand stations and relays together" {
    topology t "collude full clients=1 stations=1 relays=1" "stations 4" "relays 4" \
        "station 1-4 via 1-4" "client 1-2 via 1-3" "client 3-4 via 2-4" "client 5 via 1-4"
    run -0 client_lines t
    assert_output "client 1-2 via 1-3 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3
client 3-4 via 2-4 shares 4 2-3 keys 4 2-3 relays 1-3 key-relays 1-3
client 5 via 1-4 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3"
    assert_round t 5
    # at least z_BS + z_R + 1 stations are needed
    topology small "collude full clients=1 stations=1 relays=1" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1-5 via 1-2"
    unchanged 3 hagg-plan --transform never small
    assert_message "small: client 1 reaches 2 stations, but shares that relays pass on need at least 3: stations=1 and relays=1 may collude and 0 may be missing"
}

@test "too many colluding or missing relays: the message has the line and the largest number" {
    local rest=("stations 6" "relays 3" "station 1-6 via 1-3" "client 1-5 via 1-4")

    for kind in partial full; do
        topology t "field m31" "collude $kind clients=1 stations=1 relays=3" "${rest[@]}"
        unchanged 3 hagg-plan t
        assert_message "t:2: 'relays=3': there are 3 relays, and not all of them may collude: use relays=2 at most, or more relays"
        sed -i 's/relays=3/relays=2/' t
        run -0 --separate-stderr hagg-plan t
    done
    topology t "collude full clients=1 stations=1 relays=2" "drop relays=1" "${rest[@]}"
    unchanged 3 hagg-plan t
    assert_message "t:1: 'relays=2': there are 3 relays, 1 of which may be missing, and not all others may collude: use relays=1 at most, or more relays"
    sed -i 's/relays=2/relays=1/' t
    unchanged 6 hagg-plan t
    assert_message "t:2: 'relays=1': 3 relays are too few: 1 may collude and 1 may be missing, so two totals of one round could be decoded: use drop relays=0, or at least 4 relays"
    sed -i 's/relays=1$/relays=0/' t
    run -0 --separate-stderr hagg-plan t
    topology t "collude full stations=1 relays=1" "drop relays=3" "${rest[@]}"
    unchanged 3 hagg-plan t
    assert_message "t:2: 'relays=3': there are 3 relays, and not all of them may be missing: use relays=2 at most, or more relays"
}

@test "too few links to relays: the message does not ask for more stations" {
    # shares that are passed on need four stations; transformed ones need two, but three relays
    topology t "collude full clients=1 stations=1 relays=2" "stations 6" "relays 3" \
        "station 1-6 via 1 2" "client 1-5 via 1 2"
    unchanged 6 hagg-plan t
    assert_message "t: found no stations of client 1 that have 3 relays in common: add links, or let fewer nodes collude or be missing"
    sed -i 's/^station .*/station 1-6 via 1-3/' t
    run -0 --separate-stderr hagg-plan t
    assert_line "transform direct"
}

@test "full collusion: too few relays behind a client's stations" {
    topology t "collude full clients=1 stations=1 relays=1" "stations 4" "relays 4" \
        "station 1-3 via 2" "station 4 via 1-4" "client 1-4 via 1-4"
    unchanged 6 hagg-plan t
    assert_message "t: only 2 of the stations of client 1 can send to different relays, and 3 must: its stations 1 2 reach only 1 relay in all: add links, or let fewer nodes collude or be missing"
}

@test "full collusion: a plan whose relays' sums leak is refused" {
    # two groups that are never added up, neither at stations nor at relays
    topology t "collude full clients=1 stations=1 relays=0" "stations 4" "relays 4" \
        "station 1 2 via 1 2" "station 3 4 via 3 4" "client 1-3 via 1 2" "client 4-6 via 3 4"
    unchanged 6 hagg-plan t
    assert_message "t: found no plan that is private: whichever stations are chosen, no chain of clients, each with at least 2 stations in common with the next, connects client 1 to client 4; let one of them, or a client in between, reach more stations"
    sed 's/^client 1-3 .*/& relays 1 2 key-relays 1 2/; s/^client 4-6 .*/& relays 3 4 key-relays 3 4/' t >t.plan
    unchanged 6 hagg-plan --keep t.plan
    assert_equal "${stderr_lines[-1]}" \
        "hagg-plan: t.plan: the federator would learn the sum of clients 1 2 3: choose other station sets with hagg-plan"
    # with common relays, these add them up as one group
    sed 's/^station .*//' t >common
    echo "station 1-4 via 1-4" >>common
    assert_round common 6
    run -0 hagg-plan -q common
    assert_line "client 4-6 via 3-4 shares 3-4 keys 3-4 relays 1-2 key-relays 1-2"
}
