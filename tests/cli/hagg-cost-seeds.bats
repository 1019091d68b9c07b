#!/usr/bin/env bats
# hagg-cost of plans with seeds and couriers: known answers, and real sealed rounds, measured. Random networks are in
# tests/oracle/cost.py.

load common

TOOL=hagg-cost
load round
load full
load sealed
load couriers

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    unset HAGG_IDENTITY
}

# line NAME SETS WHAT OPTION...: times, messages, symbols and seeds of a row.
line() {
    hagg-cost --format tsv "${@:4}" |
        awk -F '\t' -v key="$1/$2/$3" '$1 "/" $2 "/" $4 == key { print $5, $7, $8, $11 }' | sed 's/ *$//'
}

# assert_line_of 'TIMES MESSAGES SYMBOLS SEEDS' NAME SETS WHAT OPTION...
assert_line_of() {
    run -0 line "${@:2}"
    assert_output "$1"
}

# One client of four reaches a single station.
write_lonely() {
    printf '%s\n' "protocol aligned" "collude partial stations=1" "stations 4" "fallback computational" "$@" \
        "client 1 2 via 1-4" "client 3 via 1-3" "client 4 via 2" >lonely.topo
}

# --- known answers

@test "the example with privacy computational: clients send their vectors once" {
    for kind in partial full; do
        { six $kind | grep -v '^protocol'; echo "privacy computational"; } >$kind.topo
        # 12 of 24 shares are seeds. Segments of 1000 / 6 elements: 6012 symbols
        assert_line_of "6 24 6012 12" plan reached "clients to stations" --length 1000 $kind.topo
        assert_line_of "13/3 5 4342 0" plan reached "stations to federator" --length 1000 $kind.topo
        assert_line_of 7 bound "" total --length 1000 $kind.topo
    done
    # partial: station 1 deals, and its own mask is the only one that is computed; stations 2 and 5 need none
    assert_line_of "0 2 0 2" plan reached "station to station" --length 1000 partial.topo
    # full: 4 dealers send masks of 1/3 to station 5, and all 16 other masks are seeds
    assert_line_of "4/3 20 1344 16" plan reached "station to station" --length 1000 full.topo
}

@test "the example with protocol keys and privacy computational: 6 keys and 12 shares are seeds" {
    { six partial; echo "privacy computational"; } >part.topo
    # without seeds 56/3 + 4 + 35/3. Half vectors of 500, thirds of 334
    assert_line_of "6 30 6002 18" plan reached "clients to stations" --length 1000 part.topo
    assert_line_of "4 4 4000 0" plan reached "station to station" --length 1000 part.topo
    assert_line_of "65/3 55 21672 18" plan reached total --length 1000 part.topo
}

@test "rows with computational privacy, next to those of a plan without seeds" {
    six partial >part.topo
    run -0 hagg-cost --only "plan,c1 seeds,aligned seeds" part.topo
    assert_line "c1 seeds       reached  partial, computational               6                4             11.667   65/3 = 21.667     1.383     18"
    assert_line --regexp "^aligned seeds +reached  partial, computational +6 +0 +4.333 +31/3 = 10.333 +0.660 +14$"
    assert_line --regexp "^plan +reached  partial +18.667 +4 +11.667 +103/3 = 34.333 +2.191 +0$"
    # without such rows nothing mentions seeds
    for format in table tsv json gnuplot; do
        run -0 hagg-cost --length 10 --only plan,c1,bound --format $format part.topo
        refute_output --partial seed
    done
}

@test "a client at a single station: through its courier, a seed is sent twice" {
    write_lonely
    # client 4 sends its vector to station 2, and a seed for station 1; the others 4/3, 4/3 and 3/2
    assert_line_of "31/6 13 5177 1" plan reached "clients to stations" --length 1000 lonely.topo
    # the seed, and two masks of 1/2
    assert_line_of "1 3 1002 1" plan reached "station to station" --length 1000 lonely.topo
    # 4/3 + 4/3 + 3/2 + 1, and 3/2 once more; station 2 sends the vector of client 4, and of 1, 2 and 3 any two send 1
    assert_line_of 20/3 bound "" total --length 1000 lonely.topo
    assert_line_of 43/6 sharper "" total --length 1000 lonely.topo
}

@test "a client at a single station, with a spare station: a vector is sent twice, too" {
    write_lonely "drop stations=1"
    # client 4 sends 2 vectors and a seed to station 2; clients 1 and 2 send 4/2, client 3 sends 3
    assert_line_of "9 14 9000 1" plan reached "clients to stations" --length 1000 lonely.topo
    run -0 hagg-cost --only plan --length 1000 lonely.topo
    assert_line --regexp "^busiest link +client 4 to station 2 +2$"
    # and all of it but one vector goes on from there
    run -0 hagg-plan --keep --dot lonely.topo
    assert_line --partial 'c4 -> s2 [taillabel="2 + 1 seed"'
    assert_line --partial 's2 -> s1 [xlabel="1 seed" style=dashed'
    assert_line --partial 's2 -> s3 [xlabel="1" style=dashed'
}

@test "title, AGAINST, JSON and gnuplot tell computational privacy and seeds" {
    write_lonely
    run -0 hagg-cost --only plan lonely.topo
    assert_line "4 clients, 4 stations, partial collusion of 1 station, computational privacy of 1 client, field m31"
    assert_line --regexp "^plan +reached  partial, some computational "
    run -0 hagg-cost --only plan --format json --length 1000 lonely.topo
    assert_json "lines[0]['protocols'][0]['total']['seeds'] == 2"
    # seeds are in sealed records, and the plan has no identities
    assert_json "lines[0]['protocols'][0]['total']['symbols'] == 9185 and 'bytes' not in lines[0]['protocols'][0]['total']"
    # 2 seeds are 64 of 4000 bytes
    run -0 hagg-cost --only plan --format gnuplot --length 1000 lonely.topo
    assert_line --regexp $'^"plan reached partial, some computational".*\t0.016\t0$'
    hagg-cost --only plan --format gnuplot --length 1000 lonely.topo | gnuplot - >a.svg
    echo "privacy computational" >>lonely.topo
    run -0 hagg-cost --only plan lonely.topo
    assert_line "4 clients, 4 stations, partial collusion of 1 station, computational privacy, field m31"
    assert_line --regexp "^plan +reached  partial, computational "
}

# --- real rounds

# measured OPTION...: the lines of a measurement: from, to, what, records, symbols, predicted, seeds, predicted.
measured() {
    hagg-cost --measure --format tsv "$@" station-? federator |
        awk -F '\t' 'NR > 1 { print $1, $2, $3, $4, $5, $6, $9, $10 }'
}

@test "--measure: a sealed round with couriers, to the symbol and to the seed" {
    export LENGTH=101 HAGG_PLAN=the.plan
    make_courier_plan
    clients 1 2 3 4 7 8
    dealers 1 2 3 4 5
    for u in 1 2 3 4 5; do pass_on $u; done
    stations 1 2 3 4 5 --
    # 7 and 8 send a vector and two seeds each, which are passed on
    run -0 measured
    assert_output --partial "station station vectors 4 0 0 4 4"
    assert_output --regexp "client station vectors 22 [0-9]+ [0-9]+ 4 4"
    run -0 hagg-cost --measure --format json station-? federator
    assert_json "lines[0]['in_all']['symbols'] == lines[0]['in_all']['predicted_symbols'] > 0 and lines[0]['differences'] == []"
    assert_json "lines[0]['in_all']['seeds'] == lines[0]['in_all']['predicted_seeds'] == 8 and lines[0]['met_twice'] == 0"
    assert_json "lines[0]['in_all']['bytes'] == lines[0]['in_all']['predicted_bytes']"
    symbols=$(hagg-cost --only plan --length $LENGTH --format tsv the.plan | awk -F '\t' '$1 == "plan" && $4 == "total" { print $8, $11 }')
    assert_json "'$symbols' == f\"{lines[0]['in_all']['symbols']} {lines[0]['in_all']['seeds']}\""
    # what station 2 passed on is lost, or was never passed on
    rm station-3/from-2
    run -4 --separate-stderr hagg-cost --measure station-? federator
    assert_equal "$stderr" "hagg-cost: station 2 to station 3: no vectors were sent, predicted 1 seed: if stations or relays failed, name them with --without"
    # without a plan, couriers are not known
    run -0 hagg-cost --measure --plan "" --format tsv station-? federator
    assert_line --regexp $'^client\tstation\tvectors\t22\t.*\t4$'
}

@test "--measure: masks and shares that are seeds" {
    export LENGTH=40 HAGG_PLAN=the.plan
    make_keys 1-6 1-5
    { six full | grep -v '^protocol'; printf '%s\n' "privacy computational" "identities ids.txt"; } >the.topo
    hagg-plan -q the.topo -o the.plan
    for i in 1 2 3 4 5 6; do npy v$i.npy "np.arange($LENGTH, dtype='i4')"; done
    clients 1 2 3 4 5 6
    dealers 1 2 3 4 5
    stations 1 2 3 4 5 --
    run -0 measured
    assert_output "client station vectors 22 240 240 12 12
station station masks 20 56 56 16 16
station federator vectors 5 160 160 0 0"
    run -0 hagg-cost --measure station-? federator
    assert_line --regexp "^LINK +CARRIES +RECORDS +SYMBOLS +PREDICTED +SEEDS +PREDICTED +BYTES +PREDICTED$"
    rm station-4/mask-1
    run -4 --separate-stderr hagg-cost --measure station-? federator
    assert_line --regexp "^station 1 to station 4: no masks were sent, predicted 1 seed$"
}

@test "--measure: protocol keys with seeds and a courier" {
    export LENGTH=12 HAGG_PLAN=the.plan
    make_keys 1-5 1-3
    printf '%s\n' "protocol keys" "collude partial stations=1" "stations 3" "fallback computational" \
        "client 1-3 via 1 2 3" "client 4 5 via 3" "identities ids.txt" >the.topo
    hagg-plan -q the.topo -o the.plan
    for i in 1 2 3 4 5; do npy v$i.npy "np.arange($LENGTH, dtype='i4')"; done
    clients 1 2 3 4 5
    pass_on 3
    mkdir federator sums
    before=()
    for u in 1 2 3; do
        as station-$u hagg-aggregate --station $u --only shares -o federator/from-$u station-$u/*
        as station-$u hagg-aggregate --station $u --only keys -o sums/keys-$u station-$u/* "${before[@]}"
        before=(sums/keys-$u)
    done
    run -0 hagg-cost --measure --format json station-? federator sums
    assert_json "lines[0]['differences'] == [] and lines[0]['in_all']['symbols'] == lines[0]['in_all']['predicted_symbols']"
    # the keys and a share each of clients 4 and 5, and the same shares from station 3
    assert_json "lines[0]['in_all']['seeds'] == 6 == lines[0]['in_all']['predicted_seeds']"
}
