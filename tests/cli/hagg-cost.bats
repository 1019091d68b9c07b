#!/usr/bin/env bats
# hagg-cost: known answers, formats, sweeps, refusals. --measure is tested in hagg-cost-measure.bats,
# random networks in tests/oracle/cost.py.

load common

TOOL=hagg-cost
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    six partial >part.topo
    six full >full.topo
}

# times NAME SETS AGAINST WHAT OPTION...: prints a number of the report.
times() {
    hagg-cost --format tsv "${@:5}" |
        awk -F '\t' -v key="$1/$2/$3/$4" '$1 "/" $2 "/" $3 "/" $4 == key { print $5 }'
}

# assert_times WANT NAME SETS AGAINST WHAT OPTION...: checks a number of the report.
assert_times() {
    run -0 times "${@:2}"
    assert_output "$1"
}

# --- known answers from the theory

@test "the example under partial collusion: bound 47/3, C1 103/3 link by link" {
    assert_times 47/3 bound "" "" total part.topo
    assert_times 56/3 c1 reached partial "clients to stations" part.topo
    assert_times 4 c1 reached partial "station to station" part.topo
    assert_times 35/3 c1 reached partial "stations to federator" part.topo
    assert_times 103/3 c1 reached partial total part.topo
    assert_times 103/3 plan reached partial total part.topo
}

@test "the example under full collusion: 48 with the paper's sets, which are private" {
    write_ring
    assert_times 48 plan chosen full total ring.plan
    assert_times 48 c2 chosen full total ring.plan
    assert_times "" plan chosen "not private" total ring.plan
    # 48 = gamma 32, and 32 against twice 38/3
    assert_times 3/2 gamma chosen "" value ring.plan
    assert_times 24/19 xi chosen "" value ring.plan
}

@test "the example's cheapest plans: 45 and 44; using all stations is not private" {
    hagg-plan -q --condition paper full.topo -o ring.plan
    hagg-plan -q full.topo -o exact.plan
    assert_times 45 plan chosen full total ring.plan
    assert_times 44 plan chosen full total exact.plan
    assert_times 140/3 c2 reached "not private" total exact.plan
    # with one colluding client and another one missing, the plan is not private
    assert_times 44 plan chosen "not private" total --drop clients=1 exact.plan
    assert_times 44 plan chosen full total --collude clients=0 --drop clients=1 exact.plan
}

@test "C1 with the best sets: 32" {
    hagg-plan -q part.topo -o part.plan
    assert_times 32 plan chosen partial total part.plan
}

@test "rows with the same sets have the same total: keys are counted from the first station that has one" {
    printf '%s\n' "protocol keys" "collude partial stations=1" "stations 4" \
        "client 1-3 via 1-4 shares 1-4 keys 3" >late.plan
    # 3 clients and one pattern, 4/3 each; 3 keys, station 3 to station 4, station 4 to the federator
    for link in "clients to stations=7" "station to station=1" "stations to federator=7/3" total=31/3; do
        for row in "plan chosen" "c1 chosen" "c1 reached"; do
            read -r name sets <<<"$row"
            assert_times "${link#*=}" "$name" "$sets" partial "${link%=*}" late.plan
        done
    done
    # 16/3 of 16/3 + 5 are shares
    assert_times 4/3 beta chosen "" value late.plan
    assert_times 16/3 bare chosen partial total late.plan
    # by default keys start at the first station
    sed 's/ keys 3//' late.plan >early.plan
    assert_times 37/3 plan chosen partial total early.plan
    assert_times 37/3 c1 chosen partial total early.plan
}

@test "rows with the same sets have the same total with relays, by all methods" {
    printf '%s\n' "protocol keys" "collude partial stations=1 relays=1" "stations 3" "relays 3" "station 1-3 via 1-3" \
        "client 1-4 via 1-3 shares 1-3 keys 3 relays 1-3" >late.plan
    # 4 x 3/2 + 4 keys; 3/2 and the total of the keys on each of two links; none between stations
    assert_times 15 plan chosen partial total late.plan
    assert_times 15 c3 chosen partial total late.plan
    # 6 + 4 of clients; 3 x 3 / (2 x 2) + 1; 3/2 + 1
    assert_times 63/4 direct chosen partial total late.plan
    # 3 x 9 / (2 x 2) + 1 and 6 / (2 x 2) among relays, and the rest as before
    assert_times 87/4 transport chosen partial total late.plan
}

@test "beta of the example is 35/19, between 7/6 and 2; the range of C1" {
    assert_times 35/19 beta reached "" value part.topo
    assert_times 7/6 beta reached "" least part.topo
    assert_times 2 beta reached "" most part.topo
    assert_times 68/3 c1 "" "" least part.topo
    assert_times 47 c1 "" "" most part.topo
}

@test "one pattern: no key is needed, and that is the lower bound" {
    numbers=(--clients 10000 --stations 100 --reach 28 --collude stations=3)
    assert_times 280028/25 bare fewest partial total "${numbers[@]}"
    assert_times 280028/25 bound "" "" total "${numbers[@]}"
}

@test "figure 3: the curves, digit by digit; those of C1 have the paper's coordinates" {
    run -0 --separate-stderr hagg-cost --clients 10000 --stations 100 --collude stations=3 \
        --sweep v=1..25 --per-client --only c1,aligned,bound --format tsv
    assert_equal "$stderr" ""
    assert_equal "$output" "$(cat "$HAGG_SOURCE_DIR/tests/cli/figure-3.tsv")"
}

@test "a sweep divided by the bound, and columns that are not private" {
    sweep() {
        hagg-cost --random --stations 8 --reach 5 --collude full,stations=2 --only aligned,c2,bound \
            --sweep clients=10..160..x2 --format tsv "$@"
    }
    run -0 sweep
    assert_line --index 0 $'clients\taligned reached\tc2 reached (not private)\tbound'
    divided=$(awk -F '\t' 'NR > 1 { printf "%.9f %.9f %d\n", $2 / $4, $3 / $4, 1 }' <<<"$output")
    run -0 sweep --of-bound
    assert_equal "$(awk -F '\t' 'NR > 1 { printf "%.9f %.9f %d\n", $2, $3, $4 }' <<<"$output")" "$divided"
    run -0 sweep --of-bound --format gnuplot
    assert_line "set ylabel 'sent / lower bound'"
}

@test "figure 3: the bound is r (1 + 1/n), and not the r + b/n of the paper" {
    hagg-cost --clients 10000 --stations 100 --collude stations=3 --sweep v=1..25 --only bound \
        --format json >bounds.jsonl
    run -0 "$HAGG_PYTHON" -c '
import json
from fractions import Fraction
for line in open("bounds.jsonl"):
    point = json.loads(line)
    (row,), v = point["protocols"], point["sweep"]["v"]
    assert Fraction(row["total"]["times"]) == Fraction(v + 3, v) * 10001, point
    print(v, end=" ")
'
    assert_output "$(seq -s ' ' 1 25) "
}

@test "with relays: cost 4z + 6 for one client, the corrected upper end of the range" {
    for z in 1 2 5; do
        numbers=(--clients 1 --stations $((z + 1)) --relays $((z + 1)) --collude "stations=$z,relays=$z")
        assert_times $((4 * z + 6)) c3 fewest partial total "${numbers[@]}"
        assert_times $((4 * z + 6)) c3 "" "" most "${numbers[@]}"
        assert_times 3 "beta'" fewest "" value "${numbers[@]}"
    done
}

@test "transformations: (13,13,3) to (13,13,3) takes 23.53 by transport, 1.69 directly" {
    numbers=(--clients 10 --stations 13 --relays 13 --collude stations=3,relays=3)
    # of the symbols that stations send to relays, one vector is keys
    assert_times 269/100 direct fewest partial "stations to relays" "${numbers[@]}"
    assert_times 2297/100 transport fewest partial "stations to relays" "${numbers[@]}"
    assert_times 39/25 transport fewest partial "relay to relay" "${numbers[@]}"
    # v = 10 and v' = 4 distinguish the two: (25 14 - 5) / (4 4) = 345/16
    numbers=(--clients 10 --stations 13 --relays 5 --collude stations=3,relays=1)
    assert_times 341/16 transport fewest partial "stations to relays" "${numbers[@]}"
    assert_times 5/4 transport fewest partial "relay to relay" "${numbers[@]}"
    assert_times 21/8 direct fewest partial "stations to relays" "${numbers[@]}"
}

@test "too few relays to pass shares on: a transformation costs the same as the plan" {
    local numbers=(--clients 20 --stations 6 --relays 3 --reach 4
        --collude full,clients=1,stations=2,relays=1)
    local reason="rows against full collusion in which relays pass shares on are left out: stations=2 and relays=1 may collude and 0 may be missing, so 4 relays are needed, but there are 3"

    run -0 --separate-stderr hagg-cost --format tsv "${numbers[@]}"
    assert_message "$reason"
    refute_output --partial $'c2\t'
    refute_output --partial $'bare\t'
    # 2 x 20 sharings of 4 / 2; 2 x 4 x 3 shares of 1 / (2 x 2); 2 x 3 shares of 1 / 2
    assert_line --partial $'direct\tfewest\tfull\tclients to stations\t80\t'
    assert_line --partial $'direct\tfewest\tfull\tstations to relays\t6\t'
    assert_line --partial $'direct\tfewest\tfull\trelays to federator\t3\t'
    assert_line --partial $'direct\tfewest\tfull\ttotal\t89\t'
    printf '%s\n' "protocol keys" "collude full clients=1 stations=2 relays=1" "stations 6" "relays 3" \
        "station 1-6 via 1-3" "client 1-20 via 1-4" >one.topo
    hagg-plan -q one.topo -o one.plan
    grep -qx "transform direct" one.plan
    assert_times 89 plan chosen full total one.plan
    # two patterns, which the relays add up
    sed 's/^client.*/client 1-10 via 1-4\nclient 11-20 via 3-6/' one.topo >two.topo
    hagg-plan -q two.topo -o two.plan
    assert_times 95 plan chosen full total two.plan
    run -0 --separate-stderr times direct given full total "${numbers[@]}" --patterns 2
    assert_output 95
    # with enough relays all rows are present
    run -0 --separate-stderr hagg-cost --format tsv "${numbers[@]}" --relays 4
    assert_equal "$stderr" ""
    assert_line --partial $'c2\tfewest\tfull\ttotal\t'
}

@test "too few stations for shares that relays pass on, under partial collusion too" {
    run -0 --separate-stderr hagg-cost --clients 5 --stations 4 --relays 9 --collude partial,stations=1,relays=5
    assert_message "rows against partial collusion in which relays pass shares on are left out: stations=1 and relays=5 may collude and 0 may be missing, so 6 stations are needed, but each client reaches 4"
    refute_line --partial "c3 "
    assert_line --regexp "^direct +fewest +partial"
    # in a sweep such a point is empty
    run -0 --separate-stderr hagg-cost --clients 20 --stations 6 --reach 4 --only c2,direct --patterns 1 \
        --collude full,clients=1,stations=2,relays=1 --sweep relays=3..4 --format tsv
    assert_equal "$stderr" ""
    assert_output $'relays\tdirect given partial\tdirect given full\tc2 given\n3\t71.5\t89\t\n4\t71\t88\t176'
}

@test "other protocols, for 100 users of whom 10 collude and 20 drop out" {
    numbers=(--clients 100 --stations 20 --collude clients=10 --drop clients=20)
    assert_times 1000/7 swiftagg+ "" users total "${numbers[@]}"
    assert_times 1698/7 lightsecagg "" users total "${numbers[@]}" # 100 + (9900 + 80) / 70
    assert_times 100 bonawitz "" users total "${numbers[@]}"
    # 100 (700 - 4) keys and shares of 8 symbols of 4 bytes
    assert_times 3284/5 bonawitz "" users total "${numbers[@]}" --length 1000
    # the protocol does not exist if all clients collude
    assert_times "" swiftagg+ "" users total --clients 10 --stations 20 --collude clients=10
}

# --- protocols with keys from before the round: values computed by hand from the formulas of hagg-cost(1)

@test "one station for each client: a vector each, and keys for any two clients or for all" {
    printf '%s\n' "collude partial stations=1" "stations 5" "client 1-2 via 1-3" "client 3-4 via 2-5" \
        "client 5-6 via 1 4 5" "client 7-10 via 1-5" >ten.topo
    assert_times 10 "hsa pairs" "" "one node, pairwise keys" "clients to stations" ten.topo
    assert_times 5 "hsa pairs" "" "one node, pairwise keys" "stations to federator" ten.topo
    assert_times 15 "hsa pairs" "" "one node, pairwise keys" total ten.topo
    # U = 5, V = 2: 45 keys of max(2 / (45 - 28), 4 / (45 - 5 x 1)) = 2/17
    assert_times 90/17 "hsa pairs" "" "one node, pairwise keys" "drawn by clients" ten.topo
    assert_times 90/17 "hsa pairs" "" "one node, pairwise keys" dealt ten.topo
    # one key of max(2, 4) for each of ten clients
    assert_times 15 "hsa common" "" "one node, key dealer" total ten.topo
    assert_times 4 "hsa common" "" "one node, key dealer" "drawn by dealer" ten.topo
    assert_times 40 "hsa common" "" "one node, key dealer" dealt ten.topo
    # the other term is larger with few clients for each station: 3 keys of max(1/2, 2/3)
    assert_times 2 "hsa pairs" "" "one node, pairwise keys" drawn --clients 3 --stations 3
}

@test "one station for each client: only if clients can be spread evenly, and nobody is missing" {
    printf '%s\n' "collude partial stations=0" "stations 2" "client 1 via 1-2" "client 2-3 via 1" "client 4 via 1-2" >even.topo
    assert_times 6 "hsa pairs" "" "one node, pairwise keys" total even.topo
    # station 1 is the only one of three of the four clients
    sed 's/client 4 via 1-2/client 4 via 1/' even.topo >uneven.topo
    assert_times "" "hsa pairs" "" "one node, pairwise keys" total uneven.topo
    sed 's/client 4/client 4-5/' even.topo >odd.topo
    assert_times "" "hsa common" "" "one node, key dealer" total odd.topo
    for more in "--drop clients=1" "--drop stations=1 --reach 10" "--relays 10" "--clients 101"; do
        # shellcheck disable=SC2086
        assert_times "" "hsa common" "" "one node, key dealer" total --clients 100 --stations 10 $more
    done
    assert_times 110 "hsa common" "" "one node, key dealer" total --clients 100 --stations 10
    # one station would see everything
    assert_times "" "hsa common" "" "one node, key dealer" total --clients 100 --stations 1
}

@test "one server: keys from a dealer, for any two users, and with dropouts" {
    numbers=(--clients 100 --stations 20 --collude clients=10)
    assert_times 100 zhao-sun "" "users, key dealer" total "${numbers[@]}"
    assert_times 99 zhao-sun "" "users, key dealer" "drawn by dealer" "${numbers[@]}"
    assert_times 100 zhao-sun "" "users, key dealer" dealt "${numbers[@]}"
    # 4950 keys of 89 / 4005 = 1/45
    assert_times 110 "zhao-sun pairs" "" "users, pairwise keys" drawn "${numbers[@]}"
    assert_times 910/9 "zhao-sun drop" "" "users, key dealer" total "${numbers[@]}" # 100 + 100 / 90
    numbers+=(--drop clients=20)
    assert_times "" zhao-sun "" "users, key dealer" total "${numbers[@]}"
    assert_times 708/7 "zhao-sun drop" "" "users, key dealer" total "${numbers[@]}" # 100 + 80 / 70
    # the size of its keys is not known
    assert_times "" "zhao-sun drop" "" "users, key dealer" drawn "${numbers[@]}"
    # two must not collude; three of them, so the numerator is 2: 10 keys of 2/3
    assert_times "" "zhao-sun pairs" "" "users, pairwise keys" total --clients 5 --stations 5 --collude clients=4
    assert_times 20/3 "zhao-sun pairs" "" "users, pairwise keys" dealt --clients 5 --stations 5 --collude clients=2
}

# --- randomness

@test "the example draws 38/3 under partial collusion: z / (m - z) for each client, and its key" {
    # 4 x 2/2 + 2/3 + 2/1 are random parts, and 6 keys
    assert_times 38/3 c1 reached partial "drawn by clients" part.topo
    assert_times 38/3 c1 reached partial drawn part.topo
    assert_times 0 c1 reached partial dealt part.topo
    # full collusion: the sharings of keys draw as much as those of vectors
    assert_times 58/3 c2 reached "not private" drawn full.topo
    # seeds are drawn instead of vectors: 2 for each client, and its key
    run -0 hagg-cost --only "c1 seeds" --format json part.topo
    run -0 jq -c '.protocols[] | [.drawn.total.times, .drawn.total.seeds, .dealt.times]' <<<"$output"
    assert_output '["0",18,"0"]'
}

@test "protocol aligned draws parts and masks, and deals the masks before the round" {
    # two clients draw two halves each; the masks of station 2 decode to zero
    printf '%s\n' "length 10" "collude partial stations=1" "stations 4" "client 1 via 1-3" "client 2 via 2-4" >two.topo
    hagg-cost --only plan --format json two.topo >two.json
    run -0 jq -r '.protocols[0] | .drawn.clients.times, .drawn.clients.symbols, .dealt.times, .links["station to station"].times' two.json
    assert_output "1
10
1
1"
    # with one pattern there are no masks
    sed 's/2-4/1-3/' two.topo >one.topo
    assert_times 0 plan reached partial dealt one.topo
    assert_times 1 plan reached partial drawn one.topo
}

@test "a round with relays that hold sharings of their own: the stations draw, the relays do not" {
    printf '%s\n' "protocol keys" "collude partial stations=1 relays=1" "stations 3" "relays 3" "station 1-3 via 1-3" \
        "client 1-4 via 1-3 shares 1-3 relays 1-3" >relays.plan
    # 4 x (1/2 + 1) of clients; 3 stations draw one part of a part
    assert_times 6 direct chosen partial "drawn by clients" relays.plan
    assert_times 3/4 direct chosen partial "drawn by stations" relays.plan
    # 3 stations draw a half for the new sharing, and a half of a half for each of three shares
    assert_times 15/4 transport chosen partial "drawn by stations" relays.plan
    run -0 hagg-cost --only direct,transport relays.plan
    refute_line --partial " RELAYS "
}

# --- the sharper bound; tests/oracle/cost_bound.py has random networks

@test "sharper bound: 50/3 for the example, under both kinds of collusion" {
    for topology in part.topo full.topo; do
        assert_times 50/3 sharper "" "" total $topology
        assert_times 50/3 sharper "" "" least $topology
        assert_times 50/3 sharper "" "" most $topology
    done
    run -0 --separate-stderr hagg-cost --only bound,sharper part.topo
    assert_equal "$stderr" ""
    assert_output "6 clients, 5 stations, partial collusion of 1 client and 2 stations, field m31

PROTOCOL  SETS  AGAINST          TOTAL  OF BOUND
bound                    47/3 = 15.667     1.000
sharper                  50/3 = 16.667     1.064

PARAMETER  SETS  VALUE           FROM             TO
sharper                 50/3 = 16.667  50/3 = 16.667"
    run -0 hagg-cost --only sharper --sweep collude-stations=0..2 --format tsv part.topo
    # what clients send, and 1, 2 or 4
    assert_output $'collude-stations\tsharper\n0\t7\n1\t10.0833333333333\n2\t16.6666666666667'
}

@test "sharper bound: geometric networks of 100 stations, exactly" {
    # the optimum of the linear program is 667/15 and 463/9, by tests/oracle/cost_bound.py
    for case in 200=820440133/2042040 2000=2753672149/755820; do
        "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/bench/geometric_topology.py" --clients "${case%=*}" --seed 5 >geo.topo
        assert_times "${case#*=}" sharper "" "" least geo.topo
        assert_times "${case#*=}" sharper "" "" most geo.topo
    done
}

@test "sharper bound: a certified range if the optimum is not found" {
    run -0 hagg-cost --random --clients 300 --stations 5000 --reach 40 --collude stations=2 \
        --only bound,sharper --format tsv
    run -0 awk -F '\t' '{ v[$1 $4] = $6 }
        END { exit !(v["boundtotal"] < v["sharpertotal"] && v["sharpertotal"] == v["sharperleast"] &&
            v["sharperleast"] < v["sharpermost"]) }' <<<"$output"
}

@test "sharper bound: with relays, and not for networks in numbers" {
    printf '%s\n' "collude partial stations=1 relays=1" "stations 4" "relays 4" "station 1 2 via 1 2" \
        "station 3 4 via 3 4" "client 1 via 1 2" "client 2 via 3 4" >relays.topo
    # two clients of 2, and the same for stations and relays, whose sets are disjoint
    assert_times 12 sharper "" "" total relays.topo
    assert_times 8 bound "" "" total relays.topo
    run -0 hagg-cost --clients 10 --stations 5 --format tsv
    refute_line --regexp '^sharper'
}

# --- protocol aligned

@test "aligned: the example costs 55/3 under partial and 205/9 under full collusion, link by link" {
    six partial aligned >aligned.topo
    for topology in aligned.topo part.topo; do
        assert_times 38/3 aligned reached partial "clients to stations" $topology
        # rates 1, 1, 2/3, 2/3, 1: two stations get masks, from one of the others
        assert_times 4/3 aligned reached partial "station to station" $topology
        assert_times 13/3 aligned reached partial "stations to federator" $topology
        assert_times 55/3 aligned reached partial total $topology
    done
    assert_times 55/3 plan reached partial total aligned.topo
    # five dealers, e = 3: 4/3 of the rates
    assert_times 52/9 aligned reached full "station to station" full.topo
    assert_times 205/9 aligned reached full total full.topo
    assert_times 205/9 plan reached full total --collude full aligned.topo
}

@test "aligned: chosen sets and all stations that are reached, with their own segments and dealers" {
    printf '%s\n' "collude full stations=1" "stations 4" "segments 4" "dealers 4 1 2" \
        "client 1-3 via 1-4 shares 1 2 4" "client 4 via 1-4 shares 1 4" >chosen.topo
    # v is 2 and 1. Stations 1 and 4 have 4 intervals of 4, station 2 has 2 of 4; e = 2
    assert_times 13/2 aligned chosen full "clients to stations" chosen.topo
    assert_times 5/2 aligned chosen full "stations to federator" chosen.topo
    assert_times 5/2 aligned chosen full "station to station" chosen.topo
    assert_times 23/2 plan chosen full total chosen.topo
    # all clients use all stations: no masks, v is 3 and there are 3 segments
    assert_times 20/3 aligned reached full total chosen.topo
    # under partial collusion e = 3
    assert_times 32/3 aligned chosen partial total --collude partial chosen.topo
}

@test "aligned: n = 10^4, b = 100, z = 3, v = 25, and the same with links at random" {
    numbers=(--clients 10000 --stations 100 --reach 28)
    assert_times 280196/25 aligned most partial total "${numbers[@]}" --collude stations=3
    assert_times 1087184/97 aligned most full total "${numbers[@]}" --collude full,stations=3 # 1.12080825 n
    assert_times 280196/25 plan reached partial total "${numbers[@]}" --collude stations=3 --random
    # one pattern: nothing to hide, and the lower bound is reached
    assert_times 280028/25 aligned fewest full total "${numbers[@]}" --collude full,stations=3
    numbers=(--clients 1000 --stations 30 --reach 12)
    assert_times 12057/10 aligned most partial total "${numbers[@]}" --collude stations=2
    assert_times 33771/28 aligned most full total "${numbers[@]}" --collude full,stations=2 # 1206.107
    for kind in partial=12057/10 full=33771/28; do
        assert_times "${kind#*=}" aligned reached "${kind%=*}" total "${numbers[@]}" \
            --collude "${kind%=*},stations=2" --random --seed 3
    done
}

@test "aligned: segments, blocks, intervals and chunks are rounded up" {
    six full aligned >aligned.topo
    echo segments 4 >>aligned.topo
    run -0 hagg-cost --only aligned --length 10 --format json aligned.topo
    # 3 symbols a segment. v is 2 for four clients with four stations, 3 for one with five, 1 for one with three: 2, 2
    # and 4 blocks. Intervals: 4, 4, 3, 3 and 4. Three chunks of one symbol.
    assert_json 'lines[0]["protocols"][0]["links"]["clients to stations"]["symbols"] == 3 * (4 * 4 * 2 + 5 * 2 + 3 * 4)'
    assert_json 'lines[0]["protocols"][0]["links"]["stations to federator"]["symbols"] == 3 * 18'
    assert_json 'lines[0]["protocols"][0]["links"]["station to station"]["symbols"] == 4 * 18'
    assert_json 'lines[0]["protocols"][0]["total"]["times"] == "24"' # (54 + 18 + 4 x 18 / 3) / 4
}

@test "aligned: options of --collude, --drop and --length change the plan" {
    six partial aligned >aligned.topo
    run -0 hagg-cost --sweep collude-stations=0..2 --only plan,aligned --format tsv aligned.topo
    assert_output $'collude-stations\tplan reached\taligned reached\n0\t10.6\t10.6\n1\t12.75\t12.75\n2\t18.3333333333333\t18.3333333333333'
    # fewer segments than parts
    run -0 hagg-cost --sweep length=1..2 --only plan --format tsv aligned.topo
    assert_output $'length\tplan reached\n1\t31\n2\t18.5'
    # client 6 has one station more than may collude or be missing, and 5 stations are enough for one total
    run -0 hagg-cost --collude stations=1 --drop stations=1 --only plan,aligned,c1 --format tsv aligned.topo
    assert_line --partial $'plan\treached\tpartial\ttotal\t65/3\t'
    refute_line --partial $'c1\treached'
    run -3 --separate-stderr hagg-cost --collude stations=3 aligned.topo
    assert_message "aligned.topo: 3 stations are too few: 3 may collude and 0 may be missing, so at least 4 are needed"
    printf '%s\n' "stations 3" "client 1-3 via 1-3" >three.topo
    run -6 --separate-stderr hagg-cost --drop stations=1 three.topo
    assert_message "three.topo: 3 stations are too few: 1 may collude and 1 may be missing, so two totals of one round could be decoded: use drop stations=0, or at least 4 stations"
}

@test "aligned: relays combine sums, or pass them on" {
    printf '%s\n' "collude partial stations=1" "stations 3" "relays 2" "station 1-3 via 2" "station 2 via 1 2" \
        "client 1 2 via 1-3" "client 3 via 1 2" >relays.topo
    sed -i 's/^station 1-3/station 1 3/' relays.topo
    # 2 x 3/2 + 2; rates 1, 1, 1/2, which relay 2 combines to one vector; one mask for station 3
    assert_times 9 plan reached partial total relays.topo
    assert_times 5/2 plan reached partial "stations to relays" relays.topo
    assert_times 1 plan reached partial "relays to federator" relays.topo
    assert_times 1/2 plan reached partial "station to station" relays.topo
    # with a relay for each station, no sum is longer than a vector
    sed -i 's/^relays 2/relays 3/; s/^station 1 3 .*/station 1 via 2\nstation 3 via 3/; s/^station 2 .*/station 2 via 1/' relays.topo
    assert_times 5/2 plan reached partial "relays to federator" relays.topo
}

@test "aligned: the row is left out with a reason if the field is too small" {
    printf '%s\n' "protocol keys" "field prime:p=7" "collude partial stations=1" "stations 7" \
        "client 1 via 1-4" "client 2 via 2-6" >small.topo
    run -0 --separate-stderr hagg-cost --format tsv small.topo
    assert_message "rows of protocol aligned are left out: small.topo: field 'prime:p=7' has too few points for 12 segments and 7 stations: use a larger one or fewer segments"
    refute_line --regexp '^aligned'
    assert_line --partial $'c1\treached\tpartial\ttotal'
    run -0 --separate-stderr hagg-cost --format tsv --only c1,bound small.topo
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-cost --clients 5 --stations 7 --reach 4 --field prime:p=7 --format tsv
    assert_message "rows of protocol aligned are left out: parameters: field 'prime:p=7' has too few points for 4 segments and 7 stations: use a larger one or fewer segments"
}

# --- symbols and bytes

@test "parts that do not divide the vector are filled up, and the overhead is shown" {
    run -0 --separate-stderr hagg-cost --only plan --length 100 part.topo
    assert_equal "$stderr" ""
    # client 3 has 5 shares of 34 symbols, each sent twice: 10 times 2/3 of a symbol
    assert_line --regexp '^clients to stations +30 +56/3 = 18\.667 +1870 +3\.333 +[0-9]+$'
    assert_line --regexp '^stations to federator +21 +35/3 = 11\.667 +1170 +3\.333 +[0-9]+$'
    assert_line --regexp '^total +55 +103/3 = 34\.333 +3440 +6\.667 +[0-9]+$'
}

@test "a symbol has the bytes of the field; the sample count is one more" {
    # sharings of clients 1, 2, 4, 5 (8 symbols each), 3 (5) and 6 (9), their keys, the chain, the sums
    # of five patterns and the key: 46 + 18 + 12 + 38 + 3
    run -0 hagg-cost --only plan --length 3 --format json part.topo
    assert_json 'lines[0]["protocols"][0]["total"]["symbols"] == 117 and lines[0]["symbol_bytes"] == 4'
    (six partial; echo field m61; echo samples; echo length 2) >wide.topo
    run -0 hagg-cost --only plan --format json wide.topo
    assert_json 'lines[0]["length"] == 3 and lines[0]["protocols"][0]["total"]["symbols"] == 117'
    assert_json 'lines[0]["symbol_bytes"] == 8 and lines[0]["records"] == {"round": 1, "type": "i8", "shape": [2]}'
}

@test "bytes: the round, shape and type of records, and what is unknown" {
    { six partial; echo "quantize bits=8 clip=1"; } >quantised.topo
    total() { hagg-cost --only plan --format json "$@" | python3 -c 'import json, sys
print(json.load(sys.stdin)["protocols"][0]["total"].get("bytes"))'; }
    run -0 --separate-stderr hagg-cost --only plan --shape 2,50 --round 30 quantised.topo
    assert_line --index 1 "bytes of records in round 30, of vectors of type f4 and shape (2, 50)"
    # of 55 records, 4 + 6 + 1 are keys, which have no shape, type and quantisation
    base=$(total --length 100 quantised.topo)
    assert_equal "$(total --shape 2,50 quantised.topo)" $((base + 44)) # 100 has two bytes
    assert_equal "$(total --shape 1,2,50 quantised.topo)" $((base + 88))
    assert_equal "$(total --length 100 --round 23 quantised.topo)" "$base"
    assert_equal "$(total --length 100 --round 24 quantised.topo)" $((base + 55))
    # "quant": a map of "bits", "clip" as a number of 3 bytes, and "rounding": "nearest"
    assert_equal "$(total --length 100 --type i4 quantised.topo)" $((base - 44 * (6 + 1 + 5 + 1 + 5 + 3 + 9 + 8)))
    assert_equal "$(total --length 100 --type f8 quantised.topo)" "$base"
    run -0 --separate-stderr hagg-cost --only plan --round 2 part.topo
    assert_message "bytes are left out, because the length of the vectors is unknown: use --length or --shape"
    refute_output --partial BYTES
    run -2 --separate-stderr hagg-cost --length 100 --type f4 part.topo
    assert_message "part.topo: has no quantize line, which vectors of type f4 need: use another type"
    run -2 --separate-stderr hagg-cost --shape 3,4 --length 12 part.topo
    assert_usage "--shape sets the length: omit --length"
    run -2 --separate-stderr hagg-cost --shape 3,0 part.topo
    assert_usage "--shape: a vector has between 1 and 2^48 elements"
    run -2 --separate-stderr hagg-cost --shape 3,4 --sweep length=1..3 part.topo
    assert_usage "--shape sets the length, which --sweep varies"
    run -2 --separate-stderr hagg-cost --shape 3,four part.topo
    assert_equal "$output" ""
    run -2 --separate-stderr hagg-cost --clients 5 --stations 3 --length 4 --round 1
    assert_usage "--round, --type and --shape require a plan, a topology or --random: without one the bytes of records are unknown"
    run -0 hagg-cost --clients 5 --stations 3 --length 4
    assert_line --regexp "SYMBOLS  FILLING$"
    # one number has no dimension
    assert_equal $(($(total --length 1 quantised.topo) - $(total --shape= quantised.topo))) 44
    # a random network has records, and those for nobody do not
    run -0 hagg-cost --random --clients 5 --stations 3 --length 4 --format json --only "c1,bare,no privacy,bound,bonawitz"
    assert_json 'all(("bytes" in row["total"]) == (row["name"] == "c1") for row in lines[0]["protocols"])'
}

@test "numbers that do not fit a machine word are exact" {
    run -0 hagg-cost --clients 1000000000 --stations 65535 --collude stations=32768 \
        --length 281474976710656 --only bound,bare --format json
    assert_json 'lines[0]["protocols"][0]["total"]["times"] == "9362142866505/4681"' # 65535 (10^9 + 1) / 32767
    # ceil(2^48 / 32767) symbols per share, and 65535 shares of each client and of the sum
    assert_json 'lines[0]["protocols"][0]["total"]["symbols"] == -(-2**48 // 32767) * 65535 * 1000000001'
}

@test "products that do not fit a machine word are exact" {
    n=1000000000 m=60000
    run -0 hagg-cost --clients $n --stations 65535 --reach $m --relays 65535 --length 281474976710656 \
        --collude stations=7,relays=9 --only transport --patterns $n --format json
    # k n'^2 messages of a (v' (n' - z'))th for each pattern, and the keys
    assert_json "lines[0]['protocols'][0]['links']['stations to relays']['messages'] == $n * $m * 65535**2 + 1"
    assert_json "lines[0]['protocols'][0]['links']['stations to relays']['symbols'] == \
        $n * $m * 65535**2 * -(-(-(-2**48 // 65526)) // 65526) + 2**48"
}

# --- formats

@test "the complete table of a plan" {
    hagg-plan -q part.topo -o part.plan
    run -0 --separate-stderr hagg-cost --only plan,c1,bound part.plan
    assert_equal "$stderr" ""
    assert_output "6 clients, 5 stations, partial collusion of 1 client and 2 stations, field m31

PROTOCOL  SETS     AGAINST  CLIENT-STATION  STATION-STATION  STATION-FEDERATOR           TOTAL  OF BOUND
plan      chosen   partial              22                4                  6              32     2.043
c1        chosen   partial              22                4                  6              32     2.043
c1        reached  partial          18.667                4             11.667  103/3 = 34.333     2.191
bound                                                                            47/3 = 15.667     1.000

LOAD             OF                            SENDS  RECEIVES
busiest client   client 1                          4         0
busiest station  station 2               5/2 = 2.500         7
federator        federator                         0         6
busiest link     station 5 to federator  5/2 = 2.500

RANDOMNESS  SETS     AGAINST  CLIENTS          DRAWN  DEALT
plan        chosen   partial       16             16      0
c1          chosen   partial       16             16      0
c1          reached  partial   12.667  38/3 = 12.667      0

PARAMETER  SETS             VALUE           FROM  TO
beta       chosen   21/16 = 1.313    7/6 = 1.167   2
beta       reached  35/19 = 1.842    7/6 = 1.167   2
c1                                 68/3 = 22.667  47"
}

@test "tsv: ten columns in every line, and one more if a row has seeds" {
    run -0 hagg-cost --format tsv --length 10 part.topo
    assert_equal "${lines[0]}" $'name\tsets\tagainst\twhat\ttimes\tdecimal\tmessages\tsymbols\tbytes\trandom_bytes\tseeds'
    assert_line --regexp $'^c1\treached\tpartial\ttotal\t103/3\t34.3333333333333\t55\t350\t[0-9]+\t\t0$'
    run -0 awk -F '\t' 'NF != 11' <<<"$output"
    assert_output ""
    run -0 hagg-cost --format tsv --only plan,c1,bound,sharper --length 10 part.topo
    assert_equal "${lines[0]}" $'name\tsets\tagainst\twhat\ttimes\tdecimal\tmessages\tsymbols\tbytes\trandom_bytes'
    assert_line --regexp $'^c1\treached\tpartial\ttotal\t103/3\t34.3333333333333\t55\t350\t[0-9]+\t$'
    assert_line --regexp $'^busiest link\tstation 5 to federator 1\t\tsent\t23/6\t3.83333333333333\t6\t39\t[0-9]+\t$'
    run -0 awk -F '\t' 'NF != 10' <<<"$output"
    assert_output ""
}

@test "gnuplot accepts the script, for SVG and PNG, from a file and from standard input" {
    hagg-cost --format gnuplot part.topo >bars.gp
    hagg-cost --random --clients 20 --stations 6 --reach 3 --sweep collude-stations=0..2 \
        --format gnuplot >lines.gp
    hagg-cost --clients 10 --stations 6 --sweep clients=10..1000..x10 --format gnuplot >log.gp
    for script in bars lines log; do
        run -0 --separate-stderr gnuplot $script.gp
        assert_equal "$stderr" ""
        assert_regex "$output" '<svg .*</svg>'
        gnuplot $script.gp >$script.svg
        gnuplot <$script.gp | cmp - $script.svg
        gnuplot - <$script.gp | cmp - $script.svg
        gnuplot -e 'png = 1' $script.gp >$script.png
        run -0 bash -c "head -c 8 $script.png | od -A n -t x1"
        assert_output " 89 50 4e 47 0d 0a 1a 0a"
        gnuplot -e 'png = 1' - <$script.gp | cmp - $script.png
    done
    run -0 grep -c "logscale" log.gp
}

@test "the title of a picture fits, however long it is" {
    hagg-cost --clients 12345 --stations 600 --relays 340 --reach 50 --length 12345678 \
        --collude full,clients=123,stations=11,relays=9 --drop clients=12,stations=4,relays=3 \
        --field prime:p=1000000007 --format gnuplot >long.gp
    gnuplot long.gp >long.svg
    for line in "12345 clients, 600 stations, 340 relays," \
        "full collusion of 123 clients, 11 stations and 9 relays," \
        "12 clients, 4 stations and 3 relays may be missing," \
        "field prime:p=1000000007, vectors of 12345678 elements"; do
        run -0 grep -F ">$line<" long.svg
    done
    # text that is cut off would leave dark pixels at the edge
    gnuplot -e 'png = 1' long.gp >long.png
    run -0 "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/png_margin.py" <long.png
    for margin in $output; do
        [ "$margin" -ge 8 ]
    done
}

@test "scripts/figure-3 draws the figure: its curves, their names" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/scripts/figure-3" .
    assert_output ""
    assert_equal "$stderr" ""
    for title in "c1, one pattern" "c1, all patterns different" "aligned, all patterns different" bound; do
        run -0 grep -F ">$title<" figure-3.svg
        run -0 grep -F ">$title<" "$HAGG_SOURCE_DIR/docs/figure-3.svg"
    done
    PNG=1 run -0 "$HAGG_SOURCE_DIR/scripts/figure-3" .
    run -0 bash -c "head -c 4 figure-3.png | tail -c 3"
    assert_output PNG
}

@test "docs/errata.md: every command prints the output shown" {
    mkdir sessions
    ln -s "$HAGG_SOURCE_DIR/examples" examples
    "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/doc_examples.py" "$HAGG_SOURCE_DIR/docs/errata.md" sessions
    for session in sessions/*.sh; do
        run -0 bash "$session"
        assert_equal "$output" "$(cat "${session%.sh}.txt")"
    done
}

# --- sweeps and random networks

@test "sweeps: steps, factors, and points without a value" {
    run -0 hagg-cost --clients 10 --stations 6 --sweep reach=2..6..2 --only bound --format tsv
    assert_output $'reach\tbound\n2\t11\n4\t11\n6\t11'
    run -0 hagg-cost --clients 10 --stations 6 --sweep clients=3..50..x4 --only bound --format tsv
    assert_output $'clients\tbound\n3\t4\n12\t13\n48\t49'
    run -0 hagg-cost --clients 6 --stations 4 --sweep reach=3..4 --only c1 --format tsv
    assert_output $'reach\tc1 fewest\tc1 most\n3\t17\t20\n4\t17\t'
    run -0 hagg-cost --clients 6 --stations 4 --sweep reach=3..4 --only c1
    assert_line --regexp '^4 +17 +-$'
}

@test "sweeps of a plan over its length and over the number of colluders" {
    run -0 hagg-cost --sweep collude-stations=0..2 --only bound --format tsv part.topo
    assert_output $'collude-stations\tbound\n0\t7\n1\t9.58333333333333\n2\t15.6666666666667'
    run -0 hagg-cost --sweep length=2..4 --only c1 --format json part.topo
    assert_json '[line["protocols"][0]["total"]["symbols"] for line in lines] == [72, 117, 144]'
    run -0 times plan reached "not private" "station to station" --collude full part.topo
    assert_output 0
}

@test "the same seed draws the same network, another seed another one; its topology can be planned" {
    line=(--random --clients 30 --stations 9 --relays 6 --reach 4 --reach-most 7 --relay-reach 5
        --collude stations=1,relays=1 --topology)
    hagg-cost "${line[@]}" --seed 7 >a.topo
    hagg-cost "${line[@]}" --seed 7 >b.topo
    hagg-cost "${line[@]}" --seed 8 >c.topo
    run -0 cmp a.topo b.topo
    run -1 cmp -s a.topo c.topo
    run -0 --separate-stderr hagg-plan -q a.topo -o a.plan
    run -0 hagg-cost --only plan --format tsv a.plan
    assert_line --regexp $'^plan\t(chosen|reached)\tpartial\ttotal\t[0-9/]+\t'
}

@test "ten thousand clients, all different, in a second or so" {
    local start=$EPOCHREALTIME
    run -0 hagg-cost --random --clients 10000 --stations 100 --reach 28 --collude stations=3 --format tsv
    assert_line --regexp $'^plan\treached\tpartial\ttotal\t280196/25\t'
    assert_line --regexp $'^c1\treached\tpartial\ttotal\t32500\t'
    # sanitizers and busy machines take longer
    run -0 awk -v s="$start" -v e="$EPOCHREALTIME" 'BEGIN { exit !(e - s < 20) }'
}

@test "topologies whose relays are not chosen yet: no plan, but bound and transformations" {
    printf '%s\n' "protocol keys" "collude partial stations=1 relays=1" "stations 3" "relays 3" "station 1-3 via 1-3" \
        "client 1-4 via 1-3" >open.topo
    run -0 --separate-stderr hagg-cost --format tsv open.topo
    assert_equal "$stderr" ""
    refute_line --regexp $'^(plan|busiest|c3\tchosen)'
    # 4 times 3/2, and 3/2 for each of the two tiers above
    assert_times 9 bound "" "" total open.topo
    # k n' / (v v') = 9 / 4, and the keys
    assert_times 13/4 direct reached partial "stations to relays" open.topo
}

# --- refusals

@test "usage errors" {
    run -2 --separate-stderr hagg-cost --format xml part.topo
    assert_usage "--format must be table, tsv, json or gnuplot, not 'xml'"
    run -2 --separate-stderr hagg-cost part.topo full.topo
    assert_usage "only one plan is accepted: 'full.topo' is extra"
    run -2 --separate-stderr hagg-cost --only c1,c9 part.topo
    assert_usage "unknown protocol 'c9': use plan, plan worst case, plan stand-by, aligned, aligned seeds, c1, c1 worst case, c1 seeds, c2, c2 worst case, c3, c3 worst case, bare, bare worst case, direct, direct worst case, transport, no privacy, bound, sharper, hsa common, hsa pairs, zhao-sun, zhao-sun pairs, zhao-sun drop, swiftagg+, lightsecagg or bonawitz"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5x
    assert_usage "stations must be a number, not '5x'"
    run -2 --separate-stderr hagg-cost --clients 0 --stations 5
    assert_usage "clients must be from 1 to 1000000000, not 0"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --collude banks=2
    assert_usage "--collude: unknown word 'banks': use partial, full, clients=, stations= or relays="
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --collude full,station=2
    assert_usage "--collude: unknown word 'station': did you mean 'stations'?"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --collude 'full clients=1 2'
    assert_usage "collude-clients must be a number, not '1 2'"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --drop full
    assert_usage "--drop: unknown word 'full': use clients=, stations= or relays="
    run -2 --separate-stderr hagg-cost --per-client part.topo
    assert_usage "--per-client requires --sweep"
    run -2 --separate-stderr hagg-cost --of-bound part.topo
    assert_usage "--of-bound requires --sweep"
    run -2 --separate-stderr hagg-cost --of-bound --per-client --sweep seed=1..2 part.topo
    assert_usage "use only one of --of-bound and --per-client"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --seed 3
    assert_usage "seed requires --random"
    run -2 --separate-stderr hagg-cost --topology part.topo
    assert_usage "--topology requires --random"
    run -2 --separate-stderr hagg-cost --random part.topo
    assert_usage "--random draws its own network: omit the plan"
    run -2 --separate-stderr hagg-cost --random --clients 3 --stations 3 --patterns 2
    assert_usage "--patterns cannot be used with --random"
    run -2 --separate-stderr hagg-cost --random --clients 3 --stations 3 --topology --sweep seed=1..2
    assert_usage "--topology writes one network and cannot be used with --sweep"
    run -2 --separate-stderr hagg-cost --without stations=3 part.topo
    assert_usage "--without requires --measure"
    run -2 --separate-stderr hagg-cost --measure --length 3 part.topo
    assert_usage "--measure can be combined only with --plan, --clients, --without and --format"
    run -2 --separate-stderr hagg-cost --measure --format gnuplot part.topo
    assert_usage "--measure can write only a table, tsv or json"
}

@test "rows that the network does not have" {
    run -0 --separate-stderr hagg-cost --clients 10 --stations 5 --only direct
    assert_equal "$stderr" "hagg-cost: this network has no row direct: without --only all rows that it has are printed"
}

@test "wrong sweeps" {
    run -2 --separate-stderr hagg-cost --sweep colour=1..3 part.topo
    assert_usage "unknown parameter 'colour' for --sweep: use clients, stations, relays, reach, reach-most, v, relay-reach, patterns, length, collude-clients, collude-stations, collude-relays, drop-clients, drop-stations, drop-relays, seed, price-clients-stations, price-stations, price-stations-relays, price-relays, price-stations-federator or price-relays-federator"
    run -2 --separate-stderr hagg-cost --sweep statons=1..3 part.topo
    assert_usage "unknown parameter 'statons' for --sweep: did you mean 'stations'?"
    run -2 --separate-stderr hagg-cost --sweep reach=3..1 part.topo
    assert_usage "the values of a sweep must ascend: write the smaller one first in 'reach=3..1'"
    for values in -1..3 1..-3; do
        run -2 --separate-stderr hagg-cost --sweep "reach=$values" part.topo
        assert_usage "the values of a sweep cannot be negative: 'reach=$values'"
    done
    run -2 --separate-stderr hagg-cost --sweep length=1..3 --sweep length=1..4 part.topo
    assert_usage "only one --sweep is accepted: 'length=1..4' is extra"
    for values in "" 1 1.. 1..x 1..3..0 1..3.. 1..3..x1 0..3..x2 1..9..2..2 1..99999999999999999999 0..200000; do
        run -2 --separate-stderr hagg-cost --sweep "reach=$values" part.topo
        assert_usage "a sweep is written reach=FIRST..LAST, FIRST..LAST..STEP or FIRST..LAST..xFACTOR, of at most 100000 points, not 'reach=$values'"
    done
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --collude stations=2 --sweep v=2..5
    assert_message "v=4: each client would reach 6 stations, but there are 5"
    assert_output ""
}

@test "numbers that contradict each other" {
    run -2 --separate-stderr hagg-cost --clients 10
    assert_message "specify the number of stations with --stations"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --reach 2 --collude stations=1 --drop stations=1
    assert_message "each client: 2 stations are too few: 1 may collude and 1 may be missing, so at least 4 are needed"
    run -6 --separate-stderr hagg-cost --clients 10 --stations 5 --reach 3 --collude stations=1 --drop stations=1
    assert_message "each client: 3 stations are too few: 1 may collude and 1 may be missing, so two totals of one round could be decoded: use drop stations=0, or at least 4 stations"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --reach 6
    assert_message "each client would reach 6 stations, but there are 5"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --relays 2 --collude relays=2
    assert_message "relays: 2 relays are too few: 2 may collude and 0 may be missing, so at least 3 are needed"
    run -2 --separate-stderr hagg-cost --clients 10 --stations 5 --reach 2 --sweep v=1..2
    assert_message "v=1: use only one of reach and v: each determines the other"
    run -2 --separate-stderr hagg-cost --clients 3 --stations 5 --patterns 4
    assert_message "there cannot be more patterns than clients"
    run -2 --separate-stderr hagg-cost --clients 30 --stations 5 --reach 4 --patterns 6
    assert_message "there are only 5 different sets of 4 stations"
    run -2 --separate-stderr hagg-cost --random --clients 3 --stations 5 --reach 4 --reach-most 3
    assert_message "reach-most is 3, but each client reaches at least 4"
    run -2 --separate-stderr hagg-cost --random --clients 3 --stations 5 --relays 3 --relay-reach 4
    assert_message "each station would reach 4 relays, but there are 3"
    run -2 --separate-stderr hagg-cost --random --clients 1000001 --stations 5
    assert_message "at most 1000000 clients can be drawn"
    run -2 --separate-stderr hagg-cost --clients 3 --stations 300 --field gf256
    assert_message "field 'gf256' has too few points for 300 stations: use a larger one"
}

@test "options that contradict a plan are refused, and errors of a plan are reported" {
    run -2 --separate-stderr hagg-cost --reach 3 part.topo
    assert_message "reach cannot be used with a plan: part.topo sets it"
    run -2 --separate-stderr hagg-cost --field m61 part.topo
    assert_message "part.topo sets its own field and scheme"
    run -3 --separate-stderr hagg-cost --collude stations=3 part.topo
    assert_message "part.topo: 3 stations are too few: 3 may collude and 0 may be missing, so at least 4 are needed"
    printf 'stations 2\nclient 1 2 via 9\n' >wrong.topo
    run -3 --separate-stderr hagg-cost wrong.topo
    assert_message "wrong.topo:2: '9': there are only 2 stations"
    run -1 --separate-stderr hagg-cost nowhere.topo
    assert_message "nowhere.topo: No such file or directory"
    run -1 --separate-stderr hagg-cost --clients 3 --stations 3 --scheme nobody
    assert_output ""
}

@test "the plan is given as an argument, by option, by the environment, or on standard input" {
    for line in "part.topo" "--plan part.topo" "- <part.topo" "<part.topo"; do
        run -0 bash -c "hagg-cost --only bound --format tsv $line"
        assert_line --partial $'47/3'
    done
    HAGG_PLAN=part.topo run -0 hagg-cost --only bound --format tsv
    assert_line --partial $'47/3'
    # numbers override HAGG_PLAN
    HAGG_PLAN=part.topo run -0 hagg-cost --only bound --format tsv --clients 2 --stations 3
    assert_line --regexp $'^bound\t\t\ttotal\t3\t'
}

@test "--collude and --drop with commas and with blanks are the same" {
    local numbers=(--clients 10 --stations 9 --format json)

    run -0 hagg-cost "${numbers[@]}" --collude full,clients=1,stations=2 --drop clients=1,stations=1
    assert_output --partial "full collusion of 1 client and 2 stations, 1 client and 1 station may be missing"
    commas=$output
    run -0 hagg-cost "${numbers[@]}" --collude 'full clients=1  stations=2' --drop 'clients=1, stations=1'
    assert_output "$commas"
}
