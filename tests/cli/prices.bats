#!/usr/bin/env bats
# Prices of links and nodes: hagg-cost and hagg-plan. Random networks are in tests/oracle/cost.py, plans in tests/planner/priced.py.

load common

TOOL=hagg-cost

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit
    cp "$HAGG_SOURCE_DIR/examples/city/city.topo" .
}

# price NAME SETS WHAT OPTION...: price, its decimal form and symbol price of a row.
price() {
    hagg-cost --format tsv "${@:4}" |
        awk -F '\t' -v key="$1/$2/$3" '
            NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
            $1 "/" $2 "/" $4 == key { print $column["price"], $column["price_decimal"], $column["symbol_price"] }' |
        sed 's/ *$//'
}

# assert_price 'PRICE DECIMAL [SYMBOL_PRICE]' NAME SETS WHAT OPTION...
assert_price() {
    run -0 price "${@:2}"
    assert_output "$1"
}

# --- known answers: the phones send 38/3, stations 52/9 to each other and 13/3 to the federator

@test "without prices there are no columns of prices" {
    run -0 hagg-cost city.topo
    refute_output --partial PRICE
    run -0 hagg-cost --format tsv city.topo
    refute_output --partial price
    run -0 hagg-cost --format json city.topo
    refute_output --partial price
}

@test "the price of each kind of link" {
    assert_price "17 17" aligned reached total city.topo --price stations=0
    assert_price "673/9 74.7777777777778" aligned reached total city.topo --price stations=10
    # 38/3 / 3 + 52/9 / 10 + 13/3 / 5
    assert_price "17/3 5.66666666666667" aligned reached total city.topo \
        --price clients-stations=1/3,stations=0.1,stations-federator=1/5
    assert_price "26/45 0.577777777777778" aligned reached "station to station" city.topo --price stations=0.1
}

@test "prices of 1 are the costs, and prices of 0 cost nothing" {
    assert_price "205/9 22.7777777777778" aligned reached total city.topo --price stations=1
    assert_price "47/3 15.6666666666667" bound "" total city.topo --price stations=1
    assert_price "50/3 16.6666666666667" sharper "" total city.topo --price stations=1
    assert_price "0 0" aligned reached total city.topo --price clients-stations=0,stations=0,stations-federator=0
    run -0 hagg-cost city.topo --price clients-stations=0,stations=0,stations-federator=0
    assert_line --regexp '^bound .* 1.000 +0$'
}

@test "a station that pays" {
    # station 2 receives 10/3 from phones and 4/3 in masks, and sends 1 and 10/9 in masks
    (cat city.topo; echo "price station 2 receive=1") >pays.topo
    assert_price "247/9 27.4444444444444" aligned reached total pays.topo
    (cat city.topo; echo "price station 2 send=1") >pays.topo
    assert_price "224/9 24.8888888888889" aligned reached total pays.topo
}

@test "the symbol price has filling and seeds" {
    # 1000 / 2 and 1000 / 3, rounded up: 12692 symbols from phones, 5824 between stations, 4342 to the federator
    assert_price "17 17 17034" aligned reached total city.topo --price stations=0 --length 1000
    (cat city.topo; echo privacy computational) >seeds.topo
    # 12 seeds of 8 symbols from phones cost 12 * 8 * 2, and 16 between stations 16 * 8 / 3
    run -0 price plan reached "clients to stations" seeds.topo --price clients-stations=2 --length 1000
    assert_output "12 12 12216"
    run -0 price plan reached "station to station" seeds.topo --price stations=1/3 --length 1000
    assert_output "4/9 0.444444444444444 1472/3"
}

@test "the bound of the price is between those of its links" {
    # 38/3 and at least 1 to the federator, if stations send to each other for nothing
    assert_price "41/3 13.6666666666667" bound "" total city.topo --price stations=0
    # 38/3, 3 from stations at 1/2, and 1 to the federator at 1/2 more
    assert_price "44/3 14.6666666666667" bound "" total city.topo --price stations=1/2
    assert_price "47/3 15.6666666666667" bound "" total city.topo --price stations=10
}

@test "prices of a network without a plan" {
    run -0 hagg-cost --clients 100 --stations 10 --collude stations=2 --price stations=1/3 --only aligned,c1,bound
    assert_line --regexp '^aligned .* 505/4 = 126.250 +1.001$'
    # 225, 9 / 3 and 9/4
    assert_line --regexp '^c1 .* 921/4 = 230.250 +1.826$'
    # 125, and 1/3 of 5/4 and 2/3 more to the federator
    assert_line --regexp '^bound .* 1513/12 = 126.083 +1.000$'
    run -0 hagg-cost --clients 9 --stations 5 --relays 4 --price stations-relays=2,relays-federator=1/2 --only c3
    assert_line --partial PRICE
}

@test "a topology that is drawn has the prices" {
    run -0 hagg-cost --random --clients 3 --stations 4 --price stations=0.25 --topology
    assert_line "price clients-stations=1 stations=0.25 stations-federator=1"
}

# --- sweeps

@test "a sweep over a price" {
    run -0 hagg-cost city.topo --sweep price-stations=0..2..1/2 --only aligned,bound
    assert_output "price-stations  aligned reached     bound
0                            17  13.66667
0.5                    19.88889  14.66667
1                      22.77778  15.66667
1.5                    25.66667  15.66667
2                      28.55556  15.66667"
    run -0 hagg-cost city.topo --sweep price-stations=0.1..10..x10 --only aligned --format tsv
    assert_output "price-stations	aligned reached
0.1	17.5777777777778
1	22.7777777777778
10	74.7777777777778"
    run -0 hagg-cost city.topo --sweep price-stations=0..1/3..1/3 --only aligned --format json
    assert_line --index 1 --partial '{"sweep":{"price-stations":"1/3"}'
    assert_line --index 1 --partial '"price":"511/27"'
    run -0 hagg-cost city.topo --sweep price-stations=0..1 --only aligned --of-bound
    assert_line --index 1 --regexp '^0 +1.243902$'
    run -0 hagg-cost city.topo --sweep price-stations=0..1 --only aligned --format gnuplot
    assert_line "set ylabel 'price / vector'"
}

@test "a sweep with prices has prices" {
    run -0 hagg-cost --clients 10 --stations 5 --price clients-stations=2 --sweep length=1..1 --only no\ privacy
    assert_line --index 1 --regexp '^1 +21$'
}

@test "sweeps that are no prices are refused" {
    run -2 --separate-stderr hagg-cost city.topo --sweep price-station=0..1
    assert_equal "${stderr_lines[0]}" "hagg-cost: unknown parameter 'price-station' for --sweep: did you mean 'price-stations'?"
    run -2 --separate-stderr hagg-cost city.topo --sweep price-stations=1..1/2
    assert_equal "${stderr_lines[0]}" "hagg-cost: the values of a sweep must ascend: write the smaller one first in 'price-stations=1..1/2'"
    for range in 0..1..0 0..1/0 0 0.. 0..1..x2 1..2..x1/2 0..1..2..3 0..1..0.00000000001 0..1.5.; do
        run -2 --separate-stderr hagg-cost city.topo --sweep "price-stations=$range"
        assert_equal "${stderr_lines[0]}" "hagg-cost: a sweep is written price-stations=FIRST..LAST, FIRST..LAST..STEP or FIRST..LAST..xFACTOR, of at most 100000 points, not 'price-stations=$range'"
    done
}

# --- refusals

@test "a later option replaces the same price of an earlier one" {
    assert_price "17 17" aligned reached total city.topo --price stations=3,clients-stations=1 --price stations=0
}

@test "bad prices are refused" {
    run -2 --separate-stderr hagg-cost city.topo --price stations=1,stations=2
    assert_equal "${stderr_lines[0]}" "hagg-cost: --price:1: 'stations=2': appears twice"
    run -2 --separate-stderr hagg-cost city.topo --price ""
    assert_equal "${stderr_lines[0]}" "hagg-cost: --price:1: 'price': needs a price after it, as in clients-stations=0.5"
    run -2 --separate-stderr hagg-cost city.topo --price stations=cheap
    assert_equal "${stderr_lines[0]}" "hagg-cost: --price:1: 'stations=cheap': a price is a number such as 2, 0.25 or 1/3"
    run -2 --separate-stderr hagg-cost city.topo --price relays=1
    assert_equal "$stderr" "hagg-cost: price: 'relays=': there are no relays: omit this price, or add relays"
    run -2 --separate-stderr hagg-cost --clients 4 --stations 3 --price relays-federator=1
    assert_equal "$stderr" "hagg-cost: price: 'relays-federator=': there are no relays: omit this price, or add relays"
    (cat city.topo; echo "price stations=1/1000000007") >fine.topo
    run -2 --separate-stderr hagg-cost fine.topo --price clients-stations=1/3
    assert_equal "$stderr" "hagg-cost: price: 'clients-stations=': all prices, written with a common denominator, need a number above 1073741824: use fewer digits or smaller numbers"
    run -2 --separate-stderr hagg-cost --measure --price stations=1 city.topo
    assert_equal "${stderr_lines[0]}" "hagg-cost: --measure can be combined only with --plan, --clients, --without and --format"
}

@test "prices are in the plan and in its digest" {
    (cat city.topo; echo "price stations=1/7"; echo "price station 2-3 send=0.5") >priced.topo
    run -0 hagg-plan -q priced.topo
    assert_line "price clients-stations=1 stations=1/7 stations-federator=1"
    assert_line "price station 2-3 send=0.5 receive=0"
    run -0 hagg-plan --json priced.topo
    assert_output --partial '"price":{"clients-stations":"1","stations":"1/7","stations-federator":"1","station_prices":[{"number":2,"send":"0.5","receive":"0"},{"number":3,"send":"0.5","receive":"0"}],"relay_prices":[]}'
    run -0 hagg-plan --json city.topo
    assert_output --partial '"price":null'
    (cat city.topo; echo "price stations=2/7"; echo "price station 2-3 send=0.5") >other.topo
    [ "$(hagg-plan --digest priced.topo)" != "$(hagg-plan --digest other.topo)" ]
}

# --- plans

# chosen PRICE-LINE...: the protocol and the price of the plan
chosen() {
    (cat city.topo; printf '%s\n' "$@") | hagg-plan 2>said >chosen.plan
    awk '$1 == "protocol" { print $2 }' chosen.plan
    sed -n 's/^hagg-plan: price \([^ ]*\) .*/\1/p' said
}

# assert_chosen 'PROTOCOL PRICE' PRICE-LINE...
assert_chosen() {
    run -0 chosen "${@:2}"
    assert_output "${1/ /$'\n'}"
}

@test "the protocol follows from the price of links between stations" {
    # aligned: 17 and 16/3 between stations; keys: 44
    assert_chosen "aligned 17" "price stations=0"
    assert_chosen "aligned 67/3" "price stations=1"
    assert_chosen "aligned 131/3" "price stations=5"
    assert_chosen "aligned 44" "price stations=81/16"
    assert_chosen "keys 44" "price stations=5.1"
    assert_chosen "keys 44" "price stations=10"
    assert_chosen "keys 440" "price stations=100 clients-stations=10 stations-federator=10"
}

@test "a plan is proved at its price only" {
    chosen "price stations=1/3"
    run -0 cat said
    assert_line "hagg-plan: proved: no other private choice of station sets has a lower price"
    # stations that pay differently for receiving, under partial collusion
    sed -i s/full/partial/ city.topo
    chosen "price station 2 receive=3"
    run -0 cat said
    assert_line "hagg-plan: the best plan found; there may be a cheaper one"
    refute_line --partial proved
}

@test "a length line: the price of symbols" {
    # 26 and 8 halves from phones and to the federator; of 1001, with the segments for which this is least
    assert_chosen "aligned 17" "price stations=0" "length 1000"
    run -0 grep -c " 17000 for the symbols of a round" said
    assert_chosen "aligned 1548/91" "price stations=0" "length 1001"
    run -0 grep -c " 17028 for the symbols of a round" said
}

@test "keys avoid a dear chain of stations" {
    printf '%s\n' "protocol keys" "collude partial stations=1" "stations 4" "client 1 2 via 1 2 4" "client 3 via 1-3" \
        "price stations=9" >chain.topo
    run -0 hagg-plan -q chain.topo
    # station 3 is the last that all can use up to the end: one hop instead of three
    assert_line "client 3 via 1-3 shares 1-3 keys 3"
    assert_line "client 1-2 via 1-2 4 shares 1-2 4 keys 4"
}

@test "prices of zero, and prices that are as large as possible" {
    assert_chosen "aligned 0" "price clients-stations=0 stations=0 stations-federator=0"
    assert_chosen "aligned 71940702208/3" "price clients-stations=1073741824 stations=1073741824 stations-federator=1073741824"
    assert_chosen "aligned 67/3221225472" \
        "price clients-stations=1/1073741824 stations=1/1073741824 stations-federator=1/1073741824"
}

# --- a real round

@test "the measured price is the predicted one" {
    (cat city.topo; echo "price clients-stations=2 stations=1/3 stations-federator=0"; echo "price station 2 receive=1/7") >round.topo
    hagg-plan -q round.topo -o round.plan
    export HAGG_PLAN=round.plan
    for u in $(seq 5); do
        hagg-keygen --station "$u" --round 1 --length 10 -o "sent/station-{}/mask-$u.cbor"
    done
    for i in $(seq 6); do
        seq 10 | hagg-share --client "$i" --round 1 --type i4 --format text --clip -o "sent/station-{}/client-$i.cbor" -
    done
    for u in $(seq 5); do
        hagg-aggregate --station "$u" --round 1 -o "sent/from-$u.cbor" "sent/station-$u"/*.cbor
    done
    run -0 hagg-cost --measure --format tsv sent
    assert_line --index 0 --regexp "symbol_price	predicted_symbol_price$"
    awk -F '\t' 'NR > 1 && $(NF - 1) != $NF { exit 1 }' <<<"$output"
    want=$(hagg-cost --length 10 --format tsv --only plan | awk -F '\t' '$4 == "clients to stations" { print $NF }')
    run -0 awk -F '\t' '$1 == "client" { print $(NF - 1) }' <<<"$output"
    assert_output "$want"
    run -0 hagg-cost --measure sent
    assert_line --index 0 --regexp "BYTES +PREDICTED +SYMBOL PRICE +PREDICTED PRICE$"
}
