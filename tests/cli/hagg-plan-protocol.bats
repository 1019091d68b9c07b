#!/usr/bin/env bats
# hagg-plan: the choice of the protocol.

load common

TOOL=hagg-plan
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    cat >city.topo <<'END'
collude full clients=1 stations=2
stations 5
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
client 5 via 1 2 4 5
client 6 via 1 2 5
END
    { cat city.topo; printf '%s\n' "relays 5" "station 1-5 via 1-5"; } >relays.topo
}

# rows: the table of the report, without the name of the command.
rows() {
    sed -nE 's/^hagg-plan: ((protocol|keys|aligned)( .*|,.*))/\1/p' <<<"$stderr"
}

@test "keys with relays: both ways are tried, and the cheaper one is kept" {
    run -0 --separate-stderr hagg-plan --protocol keys relays.topo
    assert_equal "$(rows)" "\
protocol                       cost  ratio
keys                             54  3.240
keys with transform  103/2 = 51.500  3.044  chosen"
    assert_line "transform direct"
    run -0 --separate-stderr hagg-plan --protocol keys --transform never relays.topo
    assert_equal "$(rows)" ""
    assert_regex "$stderr" "^hagg-plan: cost 54 "
    refute_line "transform direct"
}

@test "the protocol of the topology, and --protocol" {
    run -0 --separate-stderr hagg-plan city.topo
    assert_line "protocol aligned"
    assert_regex "$(rows)" "
keys +at least 94/3 = 31.333  2.000  not searched: cannot cost less\$"
    run -0 --separate-stderr hagg-plan <(echo "protocol keys" | cat - city.topo)
    assert_line "protocol keys"
    assert_regex "$stderr" "^hagg-plan: cost 44 "
    # a plan of one protocol is a topology for the other
    hagg-plan -q --protocol keys city.topo -o keys.plan
    hagg-plan -q --protocol aligned keys.plan -o aligned.plan
    run -0 --separate-stderr hagg-plan -q --protocol keys aligned.plan
    assert_output "$(cat keys.plan)"
    run -0 --separate-stderr hagg-plan -q --protocol auto keys.plan
    assert_output "$(cat aligned.plan)"
}

@test "standard input is read once, and planned with all protocols" {
    run -0 --separate-stderr bash -c 'cat city.topo | hagg-plan --protocol auto'
    assert_line "protocol aligned"
    assert_regex "$(rows)" "at least"
}

@test "a protocol that is not possible is in the table, with the reason" {
    run -0 --separate-stderr hagg-plan <(printf '%s\n' "scheme additive" | cat - city.topo)
    assert_regex "$(rows)" "
aligned +-      -  not used: scheme 'additive' cannot be used with protocol aligned: .*
keys +48  3.064  chosen\$"
    run -0 --separate-stderr hagg-plan <(printf '%s\n' "transform direct" | cat - relays.topo)
    assert_regex "$(rows)" "
aligned +-      -  not used: transform is not needed with protocol aligned: .*
keys with transform +103/2 = 51.500  3.044  chosen\$"
    run -0 --separate-stderr hagg-plan <(sed '/client 6/s/$/ keys 1 2 5/' city.topo)
    assert_regex "$(rows)" "
aligned +-      -  not used: line 7: 'keys': is not used with protocol aligned: .*
keys +44  2.809  chosen\$"
}

@test "if no protocol is possible, there is one message and no table" {
    sed 's/stations=2/stations=3/' city.topo >many.topo
    run -3 --separate-stderr hagg-plan many.topo -o many.plan
    assert_message "many.topo:7: 'via': 3 stations are too few: 3 may collude and 0 may be missing, so at least 4 are needed: for computational privacy instead, add a line fallback computational"
    assert_file_not_exists many.plan
}

@test "usage errors of --protocol" {
    run -2 --separate-stderr hagg-plan --protocol paper city.topo
    assert_regex "$stderr" "^hagg-plan: --protocol must be auto, keys or aligned, not 'paper'"
    for option in --keep --digest; do
        run -2 --separate-stderr hagg-plan --protocol keys $option city.topo
        assert_regex "$stderr" "^hagg-plan: --protocol cannot be combined with --digest, --json or --keep"
        assert_output ""
    done
}

# --- protocol aligned

@test "the stations that must send to others are reported, and what to use if they cannot" {
    run -0 --separate-stderr hagg-plan <(sed s/full/partial/ city.topo)
    assert_regex "$stderr" "
hagg-plan: station 5 sends masks to other stations: if it cannot, use collude full and --protocol keys
"
    run -0 --separate-stderr hagg-plan --protocol keys <(sed s/full/partial/ city.topo)
    assert_regex "$stderr" "
hagg-plan: stations pass on the total of the keys from one to the next: if they cannot send to each other, use collude full\$"
    # no masks if all clients use the same stations, and no keys from station to station
    run -0 --separate-stderr hagg-plan <(sed '/^client/s/via.*/via 1-5/' city.topo)
    refute_regex "$stderr" "masks|each other"
    run -0 --separate-stderr hagg-plan --protocol keys city.topo
    refute_regex "$stderr" "masks|each other"
}

@test "stations that would be cut off by missing relays: aligned is not used" {
    printf '%s\n' "collude full clients=1 stations=1 relays=1" "drop relays=1" "stations 6" "relays 4" \
        "station 1-5 via 1-4" "station 6 via 2" "client 1-8 via 1-6" >cut.topo
    run -3 --separate-stderr hagg-plan --protocol aligned cut.topo -o cut.plan
    assert_message "cut.topo: station 6 reaches 1 relay, and 1 may be missing: let it reach more relays, or let fewer be missing"
    assert_file_not_exists cut.plan
    run -0 --separate-stderr hagg-plan cut.topo
    assert_regex "$(rows)" "aligned +- +-  not used: station 6 reaches 1 relay, and 1 may be missing: "
    assert_line "protocol keys"
    # a station that no client reaches does not count
    run -0 --separate-stderr hagg-plan --protocol aligned <(sed 's/via 1-6/via 1-5/' cut.topo)
    assert_regex "$stderr" "
hagg-plan: lower bound for any private protocol that hides the total from relays: "
    run -0 --separate-stderr hagg-plan --protocol aligned <(sed 's/6 via 2/6 via 2 3/' cut.topo)
}

@test "the paper's example: 18 and 67/3, proved, against 55/3 and 205/9 with all stations" {
    run -0 --separate-stderr hagg-plan city.topo -o city.plan
    assert_equal "$(rows)" "\
protocol                                 cost  ratio
aligned                         67/3 = 22.333  1.426  chosen
aligned, all stations          205/9 = 22.778  1.454
keys                   at least 94/3 = 31.333  2.000  not searched: cannot cost less"
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
    assert_regex "$stderr" "
hagg-plan: stations 1-5 send masks to other stations: if they cannot, use --protocol keys
hagg-plan: clients that may collude or be missing: any number \(required: 1\)"
    run -0 --separate-stderr hagg-plan <(sed s/full/partial/ city.topo)
    assert_equal "$(rows)" "\
protocol                                 cost  ratio
aligned                                    18  1.149  chosen
aligned, all stations           55/3 = 18.333  1.170
keys                   at least 68/3 = 22.667  1.447  not searched: cannot cost less"
    # planning a plan again does not change it
    run -0 hagg-plan -q city.plan
    assert_output "$(cat city.plan)"
    hagg-audit city.plan
}

# decimals ROW: the cost in a row of the table, rounded.
decimals() {
    rows | sed -nE "s/^$1 +([^ ]+ = )?([0-9.]+)  [0-9.]+( .*)?$/\2/p"
}

@test "geometric networks: as cheap as the known plans, and more effort is never dearer" {
    geometric=$HAGG_SOURCE_DIR/bench/geometric_topology.py
    # clients, kind of collusion, the cost of known plans
    while read -r clients kind known; do
        "$HAGG_PYTHON" "$geometric" --clients "$clients" --seed 5 | sed "s/partial/$kind/" >g.topo
        before=$known
        for effort in 1 2 3; do
            run -0 --separate-stderr hagg-plan --effort $effort g.topo -o "$effort.plan"
            found=$(decimals "aligned")
            python3 -c "assert $found <= $before, ('$clients $kind $effort', $found, $before)"
            python3 -c "assert $found <= $(decimals "aligned, all stations")"
            before=$found
        done
        segments=$(sed -n 's/^segments //p' 3.plan)
        assert_regex "$stderr" "
hagg-plan: $segments segments, for long vectors: shorter ones are filled up to $segments elements; a line length N in the topology chooses segments for vectors of N elements"
        run -0 hagg-plan -q g.topo
        assert_output "$(cat 3.plan)"
    done <<END
200 partial 471.58
200 full 476.67
2000 partial 3748.7
2000 full 3754.0
10000 partial 18035.2
10000 full 18041.0
END
}

@test "with a length, the symbols that are sent are counted and minimised" {
    for length in 1 2 7 11 100; do
        { cat city.topo; echo "length $length"; } >short.topo
        run -0 --separate-stderr hagg-plan short.topo -o short.plan
        assert_regex "$(rows)" "^protocol +cost +symbols +ratio
aligned +[^ ].* +[0-9]+  [0-9.]+  chosen
aligned, all stations .*
keys .*\$"
        refute_regex "$stderr" "segments, chosen"
        said=$(rows | sed -nE 's/^aligned .* ([0-9]+)  [0-9.]+  chosen$/\1/p')
        run -0 hagg-cost --only plan --format tsv short.plan
        assert_regex "$output" "total[^
]*	$said(	|\$)"
    done
}

@test "a planned round decodes" {
    for i in 1 2 3 4 5 6; do
        python3 -c "import numpy; numpy.save('v$i.npy', $i * numpy.arange(1, 12))"
    done
    hagg-plan -q city.topo -o city.plan
    hagg-round --emit make --round 1 --workdir . --vectors 'v{}.npy' city.plan >Makefile
    run -0 make -s
    run -0 python3 -c "import numpy; print(*numpy.load('round-1/federator/total.npy'))"
    assert_output "21 42 63 84 105 126 147 168 189 210 231"
}

@test "hagg-share reports a plan that was not made for the length of the vector" {
    seq 1000 >v.txt
    { cat city.topo; echo "segments 840"; } >many.topo
    share() {
        hagg-share --no-state --plan "$1" --client 3 --round 1 --type i4 --format text v.txt "${@:2}" 2>&1 >out.cbor |
            grep longer
    }
    run -0 share many.topo
    assert_output "hagg-share: the shares are 67 % longer than necessary: add a line length 1000 to the topology and plan again with hagg-plan"
    run -1 share many.topo --quiet
    { cat city.topo; echo "length 1000"; } | hagg-plan -q >exact.plan
    run -1 share exact.plan
    assert_output ""
}

@test "more than 256 different part counts at a station" {
    {
        printf '%s\n' "collude full clients=1 stations=2" "stations 700"
        for i in {1..400}; do echo "client $i via 1-$((299 + i))"; done
    } >many.topo
    # a topology that is not planned can be used as well
    run -0 hagg-plan --keep -q many.topo
    assert_line "segments 512"
    run -3 --separate-stderr hagg-plan --keep -q <(echo "segments 840" | cat - many.topo)
    assert_regex "$stderr" "clients of station 1 have more than 256 different part counts: choose station sets with hagg-plan, or use at most 512 segments\$"
    run -0 --separate-stderr hagg-plan many.topo -o many.plan
    assert_regex "$(rows)" "aligned +119097/295 = 403.719  1.003  chosen"
}

@test "a field with few points has few segments" {
    { echo "field gf256"; sed 's/quantize.*//' city.topo; } >bytes.topo
    run -0 --separate-stderr hagg-plan bytes.topo
    assert_regex "$(rows)" "aligned +67/3 = 22.333  1.426  chosen"
    # one segment and 256 stations need 257 points
    printf '%s\n' "field gf256" "stations 256" "client 1-3 via 1-6" >many.topo
    run -0 --separate-stderr hagg-plan many.topo
    assert_regex "$(rows)" "aligned +- +-  not used: field 'gf256' has too few points for .*
keys .* chosen"
}
