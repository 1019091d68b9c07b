#!/usr/bin/env bats
# hagg-audit: proofs, leaks, and refusals.

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

# sixty COLLUDE-LINE: sixty clients with many patterns, each of few clients.
sixty() {
    python3 - "$1" <<'PYTHON'
import sys
print(sys.argv[1], "stations 10", "protocol keys", sep="\n")
for i in range(60):
    shares = [1 + (i // 6 + j) % 10 for j in range(5 + i // 30)]
    keys = [1 + (i % 10 + 3 * j) % 10 for j in range(4 + i % 2)]
    print(f"client {i + 1} via 1-10 shares", *shares, "keys", *keys)
PYTHON
}

# assert_unverified LINE: checks that the output is this line and that no node learns anything alone.
assert_unverified() {
    assert_output "$1
each station alone learns nothing
the federator alone learns only the total"
}

# assert_private LINE [WHERE]: the same after a proof, which is verified by elimination.
assert_private() {
    assert_output "$1
each station alone learns nothing
the federator alone learns only the total
8 random coalitions confirmed by elimination${2-}"
}

# leaks FILE COUNT TEXT: checks that hagg-audit reports exactly these leaks of the plan.
leaks() {
    run -6 --separate-stderr hagg-audit "$1"
    assert_equal "$(grep -v 'alone learns' <<<"$output")" "$3"
    s=s; if [ "$2" = 1 ]; then s=; fi
    v=; if [ "$2" = 1 ]; then v=s; fi
    assert_equal "$stderr" "hagg-audit: $1: is not private: $2 coalition$s learn$v more than allowed"
}

@test "the paper's example is private, with its sets and with those planned" {
    write_ring
    run -0 --separate-stderr hagg-audit ring.plan
    # 6 clients times 10 pairs of stations, with the federator and without
    assert_private "private: 120 coalitions checked"
    assert_equal "$stderr" ""
    six full >city.topo
    hagg-plan -q city.topo -o city.plan
    run -0 hagg-audit city.plan
    assert_private "private: 120 coalitions checked"
    six partial >part.topo
    run -0 hagg-audit part.topo
    # 60 with stations, 6 with the federator
    assert_private "private: 66 coalitions checked"
}

@test "two colluding clients break a ring unless they are neighbours" {
    write_ring 2
    # of 15 pairs, 6 are neighbours, which leave the rest connected; the others reveal two sums
    run -6 --separate-stderr hagg-audit --limit 100 --forms ring.plan
    assert_equal "$(grep -c ' learn:$' <<<"$output")" 9
    assert_output --partial "clients 1 and 3, and the federator learn:
  client 2: its whole vector
  form: g2 (leakage d symbols)
"
    assert_output --regexp "clients 1 and 4, and the federator learn:
  the sum of the vectors of clients 2 and 3
  the sum of the vectors of clients 5 and 6
  form: g(2 \+ g3|5 \+ g6) \(leakage d symbols\)
"
    # findings of the same kind are one
    run -6 --separate-stderr hagg-audit --limit 100 ring.plan
    assert_equal "$(grep -c ' learn:$' <<<"$output")" 2
    assert_equal "$(grep -c '^as much, of the same or other clients, is learnt by:$' <<<"$output")" 2
    assert_equal "$(grep -c '^  clients . and ., and the federator$' <<<"$output")" 7
    run -6 --separate-stderr hagg-audit --limit 4 ring.plan
    assert_line "each station alone learns nothing, as far as was checked"
    assert_equal "$stderr" "hagg-audit: ring.plan: is not private: at least 4 coalitions learn more than allowed"
}

@test "vectors and keys in the same groups" {
    six full >city.topo
    # the sum of the vectors of clients 1 and 2 follows from the total
    leaks city.topo 1 "the federator learns:
  clients 3-6: their whole vectors"
    run -6 hagg-audit --forms city.topo
    assert_line "  form: g3 (leakage 4 d symbols)"
}

@test "keys in the clear under full collusion" {
    six partial >part.topo
    run -6 --separate-stderr hagg-audit --colluders 'stations=1 federator' part.topo
    assert_output "station 1 and the federator learn:
  clients 3-6: their whole vectors"
    # the chain alone: station 3 gets no key, but sees the sum of the keys of clients 1 and 2
    printf '%s\n' "collude partial stations=1" "stations 4" "client 1 2 via 1 2" "client 3 4 via 3 4 keys 4" "protocol keys" >chain.plan
    run -0 hagg-audit chain.plan
    run -6 --separate-stderr hagg-audit --colluders 'stations=3 federator' chain.plan
    assert_output "station 3 and the federator learn:
  the sum of the vectors of clients 1 and 2
  the sum of the vectors of clients 3 and 4"
}

@test "one more colluding station than the sharing withstands" {
    printf '%s\n' "collude partial stations=2" "stations 4" "client 1 2 via 1-4 keys 4" "protocol keys" >z.plan
    run -0 hagg-audit z.plan
    assert_private "private: 7 coalitions checked"
    # stations 1-3 have no key
    run -0 hagg-audit --colluders stations=1-3 z.plan
    assert_output "this coalition learns no more than it may"
    run -0 hagg-audit --json --colluders stations=1-3 z.plan
    assert_json "lines[0]['private'] is None and lines[0]['coalition'] and lines[0]['leaks'] == []"
    # stations 2-4 have the key and the values of g + h x + r x^2 + s x^3 at x = 2, 3, 4; the second
    # difference of these values divided by x^2 does not depend on r and s
    factor=$(python3 -c '
p = 2**31 - 1
second = lambda power: sum(w * pow(x, -power, p) for w, x in ((1, 2), (-2, 3), (1, 4)))
factor = second(1) * pow(second(2), -1, p) % p
print(("+ %d" if factor <= p // 2 else "- %d") % min(factor, p - factor))')
    run -6 --separate-stderr hagg-audit --forms --colluders stations=2-4 z.plan
    assert_output "stations 2-4 learn:
  clients 1 and 2: a half of each vector
  form: g1[1/2] $factor g1[2/2] (leakage d symbols)"
    # if the keys are sent to station 1, they see only the sum of the keys along the chain
    sed -i 's/^client.*/client 1 2 via 1-4 keys 1/' z.plan
    run -6 --separate-stderr hagg-audit --forms --colluders stations=2-4 z.plan
    assert_output "stations 2-4 learn:
  a half of the sum of the vectors of clients 1 and 2
  form: g1[1/2] $factor g1[2/2] + g2[1/2] $factor g2[2/2] (leakage 1/2 d symbols)"
    run -0 hagg-audit --max z.plan
    assert_output "clients: 0 of 2, the plan requires 0
stations: 2 of 4, the plan requires 2"
}

@test "a station with two share indices in a sum of the relays" {
    printf '%s\n' "collude full clients=1 stations=1 relays=1" "stations 4" "relays 4" "station 1-4 via 1-4" \
        "client 1 2 via 1-4 shares 1-3 keys 2-4 relays 1-3 key-relays 1-3" \
        "client 3 via 1-4 shares 2-4 keys 1-3 relays 1-3 key-relays 1-3" \
        "client 4 via 1-4 shares 3 1 4 keys 4 1 2 relays 1-3 key-relays 1-3" "protocol keys" >places.plan
    leaks places.plan 2 "client 4, station 2, relay 3, and the federator learn:
  client 3: its whole vector
as much, of the same or other clients, is learnt by:
  client 4, station 3, relay 1, and the federator"
}

@test "a sum of one client" {
    printf '%s\n' "collude partial stations=1" "minimum 1" "stations 3" "client 7 via 1-3" "protocol keys" >one.plan
    leaks one.plan 1 "the federator learns:
  client 7: its whole vector, because the total is of this client alone"
    printf '%s\n' "collude partial clients=2 stations=1" "minimum 1" "stations 3" "client 7-9 via 1-3" "protocol keys" >two.plan
    leaks two.plan 1 "clients 7 and 8, and the federator learn:
  client 9: its whole vector, because the total is of this client alone"
}

@test "a missing client separates the others" {
    printf '%s\n' "collude full stations=1" "drop clients=1" "stations 3" "client 1 via 1-3 shares 1 2 keys 1 2" \
        "client 2 via 1-3 shares 2 3 keys 1 2" "client 3 4 via 1-3 shares 2 3 keys 1 3" "protocol keys" >row.plan
    leaks row.plan 1 "the federator, with client 2 missing, learns:
  client 1: its whole vector"
    sed -i 's/clients=1/clients=0/' row.plan
    run -0 hagg-audit row.plan
    run -6 --separate-stderr hagg-audit --colluders 'federator missing=2' row.plan
    assert_output "the federator, with client 2 missing, learns:
  client 1: its whole vector"
    # the shares that it sent are seen nevertheless
    run -6 --separate-stderr hagg-audit --colluders 'stations=1,2,3 missing=4' row.plan
    assert_output "stations 1-3, with client 4 missing, learn:
  clients 1-4: their whole vectors"
}

@test "what is learnt of a sum, and follows from what is learnt of single clients, is not named again" {
    printf '%s\n' "collude full clients=1 stations=1" "stations 8" "segments 3" "client 1-5 via 1-4" \
        "client 6 via 5-8" >sum.topo
    # stations 1 and 2 know a third of clients 1-5, and masks hide six of seven chunks of the sums: with the
    # total, 6/7 * 1/3 + 1/7 is known of client 6, and nothing else
    run -6 --separate-stderr hagg-audit --colluders stations=1-2,federator sum.topo
    assert_output "stations 1 and 2, and the federator learn:
  client 6: three sevenths of its vector
  clients 1-5: a third of each vector"
}

@test "relays, planned for every kind of collusion" {
    for mode in partial full; do
        for how in never always; do
            printf '%s\n' "collude $mode clients=1 stations=1 relays=1" "stations 4" "relays 4" \
                "station 1-4 via 1-4" "client 1 2 via 1-4" "client 3 via 2-4" "client 4 via 1 2 4" "protocol keys" >r.topo
            hagg-plan -q --transform $how r.topo -o r.plan
            run -0 hagg-audit r.plan
            assert_line --regexp "^private: (48|128) coalitions checked$"
            assert_line "each relay alone learns nothing"
            run -0 hagg-audit --max r.plan
            assert_line --regexp "^stations: [1-3] of 4, the plan requires 1$"
        done
    done
    # more relays than the new sharing withstands
    run -6 --separate-stderr hagg-audit --colluders 'relays=1-4 federator stations=1,2' r.plan
    assert_line --index 0 "stations 1 and 2, relays 1-4, and the federator learn:"
}

@test "sixty clients, ten stations, two of each" {
    sixty "collude full clients=2 stations=2" >sixty.plan
    SECONDS=0
    run -0 hagg-audit sixty.plan
    # C(60, 2) C(10, 2), twice
    assert_private "private: 159300 coalitions checked"
    assert [ $SECONDS -lt 60 ]
    run -5 --separate-stderr hagg-audit --sample 40 --threads 2 sixty.plan
    assert_unverified "no leak found in 40 random draws from 159300 coalitions: not a proof"
    assert_message "sixty.plan: is not decided: only random coalitions were checked"
    run -5 --separate-stderr hagg-audit --sample 41 --seed 7 --json sixty.plan
    assert_json "lines == [{'private': None, 'objection': None, 'coalition': False, 'sampled': True, 'sets': 159300, 'checked': 41, 'stopped': False, 'timed_out': False, 'verified': 0, 'verified_clients': 0, 'sides': [], 'alone': {'stations': [], 'relays': [], 'federator': False}, 'leaks': []}]"
}

@test "thousands of clients" {
    { printf '%s\n' "collude full clients=3 stations=2" "stations 12" "protocol keys"; for i in $(seq 0 11); do
        echo "client $((300 * i + 1))-$((300 * i + 300)) via 1-12 shares $((1 + i % 3))-$((6 + i % 3)) keys 1-$((8 + i % 4))"
    done; } >many.plan
    run -0 hagg-audit many.plan
    # 2 C(3600, 3) C(12, 2)
    assert_private "private: $((3600 * 3599 * 3598 / 6 * 66 * 2)) coalitions checked" \
        ", each in a part of the network with up to 6 clients"
    run -0 hagg-audit --max many.plan
    # a pattern of vectors has four edges of 300 clients, a pattern of keys three; the other edges of
    # both together cut off the edge between them
    assert_output "clients: 3 of 3600 with the plan's minimum 5, up to $((3 * 300 + 2 * 300 - 1)) with a larger minimum, the plan requires 3
stations: at least 2 of 12, the plan requires 2"
}

@test "fields and schemes of all kinds" {
    write_ring
    for field in m61 goldilocks gf256 prime:p=13; do
        sed "s/^quantize.*/field $field/" ring.plan >f.plan
        run -0 hagg-audit f.plan
        assert_private "private: 120 coalitions checked"
    done
    { echo "scheme additive"; six full; } >a.topo
    leaks a.topo 1 "the federator learns:
  clients 3-6: their whole vectors"
    { echo "field gf256"; six full; } >g.topo
    leaks g.topo 1 "the federator learns:
  clients 3-6: their whole vectors"
}

@test "JSON says the same" {
    write_ring 2
    run -6 --separate-stderr hagg-audit --json --limit 1 ring.plan
    assert_json "len(lines) == 1 and not lines[0]['private'] and lines[0]['stopped']"
    assert_json "all(leak['federator'] and len(leak['clients']) == 2 and leak['stations'] == [] and leak['rank'] == leak['parts'] == 1 for leak in lines[0]['leaks'])"
    write_ring
    run -0 hagg-audit --json ring.plan
    assert_json "[lines[0].pop('sides'), lines][1] == [{'private': True, 'objection': None, 'coalition': False, 'sampled': False, 'sets': 120, 'checked': 120, 'stopped': False, 'timed_out': False, 'verified': 8, 'verified_clients': 6, 'alone': {'stations': [], 'relays': [], 'federator': False}, 'leaks': []}]"
    run -0 hagg-audit --json ring.plan
    assert_json "sum(side['sets'] for side in lines[0]['sides']) == 120 and all(side['how'] == 'proof' for side in lines[0]['sides'])"
    run -0 hagg-audit --max --json ring.plan
    assert_json "lines[0]['clients'] == {'private': True, 'most': 1, 'at_least': False, 'asked': 1, 'minimum': 3, 'larger_minimum': {'private': True, 'most': 1, 'at_least': False}}"
    assert_json "lines[0]['stations']['most'] == 2 and 'relays' not in lines[0]"
}

@test "every example topology, planned" {
    for topo in "$HAGG_SOURCE_DIR"/examples/*/*.topo; do
        sed '/^identities/d' "$topo" >e.topo # the keys are made when the example runs
        hagg-plan -q e.topo -o e.plan
        run -0 hagg-audit e.plan
        assert_line --regexp "^private: [1-9][0-9]* coalitions checked$"
    done
}

@test "every topology of the manual and of the README, unplanned or planned" {
    n=0
    for page in "$HAGG_SOURCE_DIR"/man/*.[1-9]; do
        grep -q '^\.Sh EXAMPLES' "$page" || continue
        mkdir "$(basename "$page")"
        page_text "$page" >page.txt
        python3 "$HAGG_SOURCE_DIR/tests/cli/man_examples.py" page.txt "$(basename "$page")"
    done
    mkdir readme
    sed -n '/^> field     m31/,/^> END/s/^> //p' "$HAGG_SOURCE_DIR/README.md" | sed '$d' >readme/city.topo
    for topo in */*.topo */*.plan; do
        sed -i '/^identities/d' "$topo" # the keys are made in the examples
        hagg-plan -q "$topo" -o e.plan
        run -0 hagg-audit e.plan
        assert_line --regexp "^private: [1-9][0-9]* coalitions checked$"
        # without chosen sets only partial collusion is private
        if ! grep -q "collude *full" "$topo" || [ "${topo##*.}" = plan ]; then
            run -0 hagg-audit "$topo"
            assert_line --regexp "^private: "
        fi
        n=$((n + 1))
    done
    assert [ $n -ge 9 ]
}

@test "the plan is read from standard input" {
    write_ring
    run -0 hagg-audit <ring.plan
    assert_private "private: 120 coalitions checked"
    run -0 hagg-audit - <ring.plan
    assert_private "private: 120 coalitions checked"
}

@test "--max-terms limits the memory" {
    write_ring
    run -2 --separate-stderr hagg-audit --sample 1 --max-terms 50 ring.plan
    assert_equal "$stderr" "hagg-audit: the messages of the plan have more than 50 terms: audit a plan with fewer stations in a sharing, or use --max-terms and more memory"
    assert_output ""
    run -5 --separate-stderr hagg-audit --sample 1 --max-terms 1000 ring.plan
    run -2 --separate-stderr hagg-audit --max-terms 0 ring.plan
    [[ "$stderr" == "hagg-audit: --max-terms must be a number from 1 "* ]]
    # a proof needs no terms
    run -0 --separate-stderr hagg-audit --max-terms 1 ring.plan
    # thousands of stations would need gigabytes
    printf '%s\n' "stations 6000" "client 1 2 via 1-6000" "protocol keys" >wide.topo
    run -2 --separate-stderr hagg-audit --sample 1 wide.topo
    assert_equal "$stderr" "hagg-audit: the messages of the plan have more than 33554432 terms: audit a plan with fewer stations in a sharing, or use --max-terms and more memory"
}

# Five thousand clients, each with station sets of its own, behind eight relays: COLLUDE [LINE].
write_behind_relays() {
    python3 - "$@" <<'EOF'
import sys
print("protocol keys", "collude " + sys.argv[1], "stations 40", "relays 8", "station 1-40 via 1-8", *sys.argv[2:], sep="\n")
for i in range(5000):
    # every station has one place: its number modulo 8
    shares = [1 + j + 8 * (i // 5**j % 5) for j in range(8)]
    keys = [1 + j + 8 * (i // 5**(7 - j) % 5) for j in range(8)]
    print("client", i + 1, "via 1-40 shares", *shares, "relays 1-8 keys", *keys, "key-relays 1-8")
EOF
}

@test "thousands of clients behind relays" {
    for transform in "" "transform direct"; do
        write_behind_relays "full clients=7 stations=2 relays=1" "$transform" >behind.plan
        run -0 --separate-stderr hagg-audit behind.plan
        assert_line "each relay alone learns nothing"
        assert_line "8 random coalitions confirmed by elimination, each in a part of the network with up to 6 clients"
        run -0 --separate-stderr hagg-audit --max behind.plan
        assert_line "clients: 7 of 5000 with the plan's minimum 9, up to 4998 with a larger minimum, the plan requires 7"
    done
    # a client that relays do not add up with others
    write_behind_relays "full clients=7 stations=2 relays=1" >behind.plan
    sed -i '$s/relays 1-8 keys/relays 8 1-7 keys/; $s/key-relays 1-8/key-relays 8 1-7/' behind.plan
    run -6 --separate-stderr hagg-audit behind.plan
    assert_line "  client 5000: its whole vector"
}

@test "--verify: how many coalitions confirm a proof" {
    write_ring
    run -0 --separate-stderr hagg-audit --verify 0 ring.plan
    assert_unverified "private: 120 coalitions checked"
    run -0 --separate-stderr hagg-audit --verify 1 ring.plan
    assert_line "1 random coalition confirmed by elimination"
    run -2 --separate-stderr hagg-audit --verify some ring.plan
    [[ "$stderr" == "hagg-audit: --verify must be a number from 0 "* ]]
    # a search needs no verification
    run -6 --separate-stderr hagg-audit --colluders clients=1,3,federator ring.plan
    refute_output --partial "confirmed"
}

@test "--time-limit: a partial answer" {
    write_shuffled
    run -2 --separate-stderr hagg-audit shuffled.plan
    assert_equal "$stderr" "hagg-audit: there are too many coalitions to check all of them: use --time-limit to check as many as possible, or --sample to check some at random"
    assert_output ""
    run -5 --separate-stderr hagg-audit --time-limit 2 shuffled.plan
    assert_equal "$stderr" "hagg-audit: shuffled.plan: is not decided: the time was up before all coalitions were covered"
    assert_regex "${lines[0]}" "^no leak found: [0-9]+ of [0-9]+ coalitions checked before the time was up$"
    # the proof for coalitions without the federator is not lost
    assert_regex "${lines[1]}" "^still open: coalitions of up to 2 clients, 3 stations, 1 relay and the federator"
    assert_equal ${#lines[@]} 2
    run -5 --separate-stderr hagg-audit --json --time-limit 0.5 shuffled.plan
    python3 -c 'import json, sys; r = json.load(sys.stdin); assert r["private"] is None and r["timed_out"] and 0 < r["checked"] < r["sets"], r' <<<"$output"
}

@test "--time-limit: a leak that is found in time is reported" {
    write_shuffled
    # relays do not add up this client with others
    echo "client 61 via 1-20 shares 1-5 relays 4-8 keys 6-10 key-relays 3-7" >>shuffled.plan
    run -6 --separate-stderr hagg-audit --time-limit 60 --limit 1 shuffled.plan
    assert_equal "$stderr" "hagg-audit: shuffled.plan: is not private: at least 1 coalition learns more than allowed"
    assert_equal "${lines[1]}" "  client 61: its whole vector"
}

@test "--time-limit: a proof that is quick enough" {
    write_ring
    run -0 --separate-stderr hagg-audit --time-limit 60 ring.plan
    assert_private "private: 120 coalitions checked"
    run -0 --separate-stderr hagg-audit --time-limit 60 --max ring.plan
    run -2 --separate-stderr hagg-audit --time-limit 0 ring.plan
    assert_usage "--time-limit must be a positive number of seconds, not '0'"
}

@test "--progress while a search runs" {
    write_shuffled
    run -5 --separate-stderr hagg-audit --progress --time-limit 2.5 shuffled.plan
    assert_regex "$stderr" $'\r\[#* *\] +[0-9]+%'
}

@test "refusals" {
    write_ring
    run -2 --separate-stderr hagg-audit --colluders 'clients=7' ring.plan
    assert_equal "$stderr" "hagg-audit: --colluders names clients that are not in the plan"
    run -2 --separate-stderr hagg-audit --colluders 'stations=1-6' ring.plan
    assert_equal "$stderr" "hagg-audit: the plan has 5 stations: choose the colluders from these"
    run -2 --separate-stderr hagg-audit --colluders 'station=1' ring.plan
    assert_usage "--colluders: unknown word 'station': did you mean 'stations'?"
    run -2 --separate-stderr hagg-audit --max --sample 3 ring.plan
    assert_usage "use only one of --colluders, --max and --sample"
    run -2 --separate-stderr hagg-audit ring.plan ring.plan
    assert_usage "only one plan is accepted: 'ring.plan' is extra"
    run -1 --separate-stderr hagg-audit nowhere.plan
    assert_equal "$stderr" "hagg-audit: nowhere.plan: No such file or directory"
    echo nonsense >bad.plan
    run -3 --separate-stderr hagg-audit bad.plan
    assert_output ""
}

@test "without a collude line one station is curious" {
    printf '%s\n' "stations 3" "client 1-4 via 1-3" >plain.topo
    run -0 --separate-stderr hagg-audit plain.topo
    assert_private "private: 4 coalitions checked"
    assert_equal "$stderr" ""
}

@test "a single station or relay that learns something, although the plan allows none to collude" {
    printf '%s\n' "collude partial stations=0" "stations 3" "client 1-4 via 1-3" "protocol keys" >trusting.topo
    run -6 --separate-stderr hagg-audit trusting.topo
    # station u has the value at u of a polynomial whose coefficients are the thirds of a padded vector;
    # station 1 has every key, and the others see the sum of the keys
    assert_output "station 1 learns:
  clients 1-4: a third of each vector
station 2 learns:
  a third of the sum of the vectors of clients 1-4
as much, of the same or other clients, is learnt by:
  station 3
3 of 3 stations learn vectors, sums or parts of them alone
the federator alone learns only the total"
    assert_message "trusting.topo: is not private: 3 coalitions learn more than allowed"
    two= three=
    for i in 1 2 3 4; do
        two+="${two:+ + }g$i[1/3] + 2 g$i[2/3] + 4 g$i[3/3]"
        three+="${three:+ + }g$i[1/3] + 3 g$i[2/3] + 9 g$i[3/3]"
    done
    run -6 --separate-stderr hagg-audit --forms trusting.topo
    assert_line "  form: g1[1/3] + g1[2/3] + g1[3/3] (leakage 4/3 d symbols)"
    assert_line "  form: $two (leakage 1/3 d symbols)"
    assert_line "  form: $three (leakage 1/3 d symbols)"
    run -6 --separate-stderr hagg-audit --json trusting.topo
    assert_json "lines[0]['alone'] == {'stations': [1, 2, 3], 'relays': [], 'federator': False}"
    run -6 --separate-stderr hagg-audit --sample 1 trusting.topo
    assert_line "3 of 3 stations learn vectors, sums or parts of them alone"
    # the question about other coalitions remains
    run -0 --separate-stderr hagg-audit --max trusting.topo
    assert_line "stations: 0 of 3, the plan requires 0"
    printf '%s\n' "collude full stations=1 relays=0" "stations 3" "relays 3" "station 1-3 via 1-3" \
        "client 1-4 via 1-3" "protocol keys" >relayed.topo
    hagg-plan -q --transform always relayed.topo -o relayed.plan 2>/dev/null
    run -6 --separate-stderr hagg-audit relayed.plan
    assert_line "each station alone learns nothing"
    assert_line --regexp "^[1-3] of 3 relays learn vectors, sums or parts of them alone$"
    # with a smaller bound one relay is still examined
    hagg-plan -q --transform never relayed.topo -o relayed.plan
    run -0 --separate-stderr hagg-audit relayed.plan
    assert_line "each relay alone learns nothing"
}

@test "a minimum that is too low for the colluding clients" {
    printf '%s\n' "collude partial clients=2 stations=1" "minimum 3" "stations 3" "client 1-9 via 1-3" >low.topo
    why="low.topo: with minimum 3 and clients=2 in the collude line, a total may reveal the vector of one client: use minimum 4 or more"
    run -6 --separate-stderr hagg-audit low.topo
    assert_line --index 0 "not private: $why"
    assert_line --index 1 --regexp "^no leak found: [0-9]+ coalitions checked$"
    assert_message "$why"
    run -6 --separate-stderr hagg-audit --sample 3 low.topo
    assert_line --index 0 "not private: $why"
    run -6 --separate-stderr hagg-audit --json low.topo
    assert_json "lines[0]['private'] is False and lines[0]['objection'] == '$why' and lines[0]['leaks'] == []"
    run -0 --separate-stderr hagg-audit --max low.topo
    assert_output "clients: 1 of 9 with the plan's minimum 3, up to 7 with a larger minimum, the plan requires 2
stations: not private even with 0 stations, because the plan's minimum is only 3, the plan requires 1"
    run -0 --separate-stderr hagg-audit --max --json low.topo
    assert_json "lines[0]['stations']['private'] is False and lines[0]['clients']['most'] == 1"
    sed -i 's/minimum 3/minimum 4/' low.topo
    run -0 --separate-stderr hagg-audit low.topo
    assert_line --index 0 --regexp "^private: "
    run -0 --separate-stderr hagg-audit --max low.topo
    assert_line "stations: 1 of 3, the plan requires 1"
    sed -i 's/minimum 4/minimum 1/' low.topo
    run -0 --separate-stderr hagg-audit --max low.topo
    assert_line --index 0 "clients: not private even with 0 clients, because the plan's minimum is only 1, up to 7 with a larger minimum, the plan requires 2"
}

@test "--max: with the minimum of the plan, one client more is a leak" {
    six full aligned >city.topo
    run -0 --separate-stderr hagg-audit --max city.topo
    assert_line "clients: 1 of 6 with the plan's minimum 3, up to 4 with a larger minimum, the plan requires 1"
    # a total of three clients
    run -0 --separate-stderr hagg-audit --colluders clients=1,missing=4-6,federator city.topo
    run -6 --separate-stderr hagg-audit --colluders clients=1-2,missing=4-6,federator city.topo
    assert_line "  client 3: its whole vector, because the total is of this client alone"
    # the larger number holds with the minimum that it needs, and one more does not
    { sed 's/clients=1/clients=4/' city.topo; echo minimum 6; } >more.topo
    run -0 --separate-stderr hagg-audit more.topo
    sed -i 's/clients=4/clients=5/' more.topo
    run -6 --separate-stderr hagg-audit more.topo
}

@test "--max: the other colluders of the plan may be the reason" {
    write_ring 2
    run -0 --separate-stderr hagg-audit --max ring.plan
    assert_line --regexp "^clients: 1 of 6"
    assert_line --regexp "^stations: not private even with 0 stations, with the 2 clients of the plan, the plan requires [0-9]$"
    six full >keys.topo
    run -0 --separate-stderr hagg-audit --max keys.topo
    assert_line --regexp "^clients: not private even with 0 clients, with the 2 stations of the plan, "
}

@test "relays that pass on what the federator sees may learn the total" {
    printf '%s\n' "stations 3" "relays 3" "station 1-3 via 1-3" "client 1-4 via 1-3" "protocol aligned" >passing.topo
    run -0 --separate-stderr hagg-audit --max passing.topo
    assert_line "relays: all, they learn nothing that the federator does not learn"
    run -0 --separate-stderr hagg-audit --max --json passing.topo
    assert_json "lines[0]['relays'] == {'private': True, 'most': 3, 'at_least': False, 'asked': 0}"
    for who in relays=1 relays=1-3 relays=1-3,stations=1 relays=1-3,federator; do
        run -0 --separate-stderr hagg-audit --colluders $who passing.topo
        assert_output "this coalition learns no more than it may"
    done
    # but not more than the total, nor a total of one client
    run -6 --separate-stderr hagg-audit --colluders relays=1-3,stations=1-2 passing.topo
    assert_line "  clients 1-4: a half of each vector"
    run -6 --separate-stderr hagg-audit --colluders relays=1-3,clients=1-3 passing.topo
    assert_line "  client 4: its whole vector, because the total is of this client alone"
}

@test "colluders with commas, blanks and both are the same" {
    local who

    six partial >part.topo
    for who in 'stations=1 federator' stations=1,federator 'federator, stations=1' ' federator  stations=1 '; do
        run -6 --separate-stderr hagg-audit --colluders "$who" part.topo
        assert_output "station 1 and the federator learn:
  clients 3-6: their whole vectors"
    done
    for who in stations=1,2,5,clients=1,3-4 'stations=1, 2 5 clients=1 3 4' 'clients=3-4,1 stations=5,1-2'; do
        run -6 hagg-audit --json --colluders "$who" part.topo
        assert_output --partial '"clients":[1,3,4],"stations":[1,2,5]'
    done
    run -2 --separate-stderr hagg-audit --colluders federator=1 part.topo
    assert_usage "--colluders: 'federator' does not accept a value"
    run -2 --separate-stderr hagg-audit --colluders clients part.topo
    assert_usage "--colluders: 'clients' needs a value, as in clients=1"
}

@test "without an argument, the plan of HAGG_PLAN is audited" {
    printf '%s\n' "collude partial stations=1" "stations 3" "client 1-3 via 1-3" >env.topo
    HAGG_PLAN=env.topo run -0 --separate-stderr hagg-audit </dev/null
    assert_line --partial "private"
    HAGG_PLAN=nowhere run -1 --separate-stderr hagg-audit env.topo.missing
    assert_regex "$stderr" "^hagg-audit: env.topo.missing: "
}

@test "--collude is not an abbreviation of --colluders" {
    printf '%s\n' "collude partial stations=1" "stations 3" "client 1-3 via 1-3" >env.topo
    run -2 --separate-stderr hagg-audit --collude stations=2 env.topo
    assert_output ""
    assert_regex "$stderr" "^hagg-audit: --collude is an option of hagg-cost: use --colluders to name nodes"
}

@test "--beyond tabulates what more stations learn" {
    six partial aligned >part.topo
    run -0 --separate-stderr hagg-audit --beyond 1 part.topo
    assert_private "private: 66 coalitions checked" "
beyond the plan, at worst, in lengths of a vector:
colluding   of one vector  learnt by            in all  learnt by
3 stations  1 (client 6)   stations 1, 2 and 5  17/6    stations 1, 2 and 5"
    run -0 hagg-audit --beyond 9 --json part.topo
    python3 -c '
import json, sys
rows = json.loads(sys.argv[1])["beyond"]
assert [r["stations"] for r in rows] == [3, 4, 5] and not any(r["federator"] for r in rows)
one, all = rows[0]["one_vector"], rows[0]["in_all"]
assert (one["numerator"], one["denominator"], one["exact"], one["client"]) == (1, 1, True, 6)
assert (all["numerator"], all["denominator"], all["exact"]) == (17, 6, True)
assert all["coalition"] == {"clients": [], "stations": [1, 2, 5], "relays": [], "missing": [], "federator": False}
' "$output"
}

@test "--beyond marks upper bounds, and does not change the exit status" {
    { echo "collude full clients=1 stations=2"; echo "stations 40"; for i in {1..40}; do
        echo "client $i via $((1 + i % 20))-$((14 + i % 20 + i % 7))"; done; } >large.topo
    run -0 --separate-stderr hagg-audit --beyond 1 large.topo
    assert_line --regexp "^3 stations +1/[0-9]+ .client [0-9]+. +stations "
    assert_line --regexp "^3 stations and the federator +at most .* - +at most .* -$"
    assert_equal "$stderr" ""
    echo minimum 2 >>large.topo
    run -6 hagg-audit --beyond 1 large.topo
}

@test "--beyond is about the whole plan" {
    six partial aligned >part.topo
    for option in --max "--colluders federator"; do
        run -2 --separate-stderr hagg-audit --beyond 1 $option part.topo
        assert_equal "${stderr_lines[0]}" "hagg-audit: --beyond is about the whole plan: omit --colluders and --max"
    done
    run -2 --separate-stderr hagg-audit --beyond 0 part.topo
    assert_equal "${stderr_lines[0]}" "hagg-audit: --beyond must be a number from 1 to 4294967295, not '0'"
}
