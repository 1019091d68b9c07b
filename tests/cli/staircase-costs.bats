#!/usr/bin/env bats
# Shares that are sent in part: what hagg-plan chooses, what hagg-cost counts and what it measures.

load common

TOOL=hagg-cost
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    printf '%s\n' 'stations 5' 'protocol keys' 'collude partial stations=1' 'drop stations=1' \
        'length 24' 'minimum 2' 'client 1-3 via 1-5' >net.topo
    hagg-plan -q net.topo -o net.plan
    export HAGG_PLAN=net.plan
}

# share_all: all clients share; their keys go along the chain of stations, whatever happens to sums.
share_all() {
    local i u before=() to

    mkdir -p kept sent
    for i in 1 2 3; do
        hagg-keygen --client $i --round 1 -o kept/k$i.cbor
        seq 24 | hagg-share --client $i --round 1 --key kept/k$i.cbor --type i4 --format text \
            -o "sent/client-$i-to-{}.cbor" -
    done
    for u in 1 2 3 4 5; do
        to=sent/keys-of-$u.cbor
        hagg-aggregate --station $u --round 1 --only keys "${before[@]}" sent/client-*-to-$u.cbor -o $to
        before=("$to")
    done
}

# send_sums NAME 'STATION...' OPTION...: these stations send their sums with these options, to
# sent/NAME-STATION.cbor
send_sums() {
    local u

    for u in $2; do
        hagg-aggregate --station "$u" --round 1 --only shares "${@:3}" sent/client-*-to-"$u".cbor \
            -o sent/"$1"-"$u".cbor
    done
}

# sums_sent: 'RECORDS SYMBOLS PREDICTED' of the sums of vectors
sums_sent() {
    printf '%s\n' "$output" | awk -F '\t' '$1 == "station" && $2 == "federator" && $3 == "vectors" { print $4, $5, $6 }'
}

@test "hagg-plan chooses staircase if stations may be missing, and says what it saves" {
    run -0 --separate-stderr hagg-plan net.topo -o again.plan
    # 3 clients send 5/3 and a key each; the chain and its total are 5; sums are 5/4, with ramp 5/3
    assert_regex "$stderr" 'keys +44/3 = 14\.667 +352 '
    assert_regex "$stderr" 'keys, staircase +57/4 = 14\.250 +342 .*chosen'
    assert_regex "$stderr" 'scheme staircase saves 5/12 = 0\.417 \(10 symbols\): with scheme ramp the same sets cost 44/3 = 14\.667 \(352 symbols\)'
    # one holder has sent 1/4 and is lost, and four send 1/3
    assert_regex "$stderr" 'a round costs at most 175/12 = 14\.583 \(350 symbols\)'
    assert_regex "$stderr" 'proved: no other private choice of station sets costs less, with scheme staircase'
    run -0 grep '^scheme' again.plan
    assert_output "scheme staircase"
    hagg-audit again.plan
}

@test "hagg-plan keeps the scheme of the topology, and ramp if nobody may be missing" {
    { cat net.topo; echo 'scheme ramp'; } >ramp.topo
    run -0 --separate-stderr hagg-plan ramp.topo -o ramp.plan
    refute_regex "$stderr" staircase
    run -0 grep '^scheme' ramp.plan
    assert_output "scheme ramp"
    { cat net.topo; echo 'scheme staircase'; } >given.topo
    run -0 --separate-stderr hagg-plan given.topo -o given.plan
    assert_regex "$stderr" 'saves 5/12'
    sed '/^drop/d' net.topo >all.topo
    run -0 --separate-stderr hagg-plan all.topo -o all.plan
    refute_regex "$stderr" staircase
    run -0 grep '^scheme' all.plan
    assert_output "scheme ramp"
}

@test "hagg-plan keeps ramp where the more numerous parts of staircase are padded too much" {
    sed 's/^length .*/length 9/' net.topo >short.topo # 3 parts of 3 elements, or 12 parts of 1
    run -0 --separate-stderr hagg-plan short.topo -o short.plan
    # ramp: 15 shares of 3, 3 keys, 5 sums of keys, 5 sums of 3; staircase: 15 of 4, and 5 sums of 3
    assert_regex "$stderr" 'keys +44/3 = 14\.667 +132 .*chosen'
    assert_regex "$stderr" 'keys, staircase +57/4 = 14\.250 +147 '
    assert_regex "$stderr" 'proved: no other private choice of station sets costs less, with scheme ramp'
}

@test "hagg-plan does not call more symbols a saving" {
    sed 's/^length .*/length 9/; $a scheme staircase' net.topo >short.topo
    run -0 --separate-stderr hagg-plan short.topo -o short.plan
    # the symbols of the test above
    assert_regex "$stderr" 'scheme staircase costs 15 symbols more than ramp, because the vectors are short: with scheme ramp the same sets cost 44/3 = 14\.667 \(132 symbols\)'
    refute_regex "$stderr" saves
    # ramp: 3 parts of 7, 15 * 7 + 8 * 19 + 5 * 7 = 292; staircase: 12 parts of 2, 15 * 8 + 8 * 19 + 5 * 6 = 302
    sed 's/^length .*/length 19/' short.topo >other.topo
    run -0 --separate-stderr hagg-plan other.topo -o other.plan
    assert_regex "$stderr" 'costs 10 symbols more than ramp, .* \(292 symbols\)'
    # 15 * 8 + 8 * 22 + 5 * 8 = 336; 15 * 8 + 8 * 22 + 5 * 6 = 326
    sed 's/^length .*/length 22/' short.topo >saves.topo
    run -0 --separate-stderr hagg-plan saves.topo -o saves.plan
    assert_regex "$stderr" 'saves 5/12 = 0\.417 \(10 symbols\): .* \(336 symbols\)'
    # without a length nothing is padded
    sed '/^length/d' short.topo >any.topo
    run -0 --separate-stderr hagg-plan any.topo -o any.plan
    assert_regex "$stderr" 'saves 5/12 = 0\.417: with scheme ramp the same sets cost 44/3 = 14\.667'
}

@test "hagg-plan prints the scheme's reason for a sharing that it does not support" {
    sed '/^drop/d; $a scheme staircase' net.topo >none.topo
    run -3 --separate-stderr hagg-plan none.topo -o none.plan
    assert_equal "$stderr" "hagg-plan: none.topo: scheme 'staircase' with n = 5, k = 5, z = 1: all holders are needed, so none can be missing: use ramp, or a smaller k"
    sed '$a scheme staircase:missing=1' net.topo >one.topo
    run -3 --separate-stderr hagg-plan one.topo -o one.plan
    assert_equal "$stderr" "hagg-plan: one.topo: scheme 'staircase:missing=1' with n = 5, k = 4, z = 1: with 1 holder missing, the others send whole shares: use numbers below 1"
    assert [ ! -e none.plan ]
    assert [ ! -e one.plan ]
}

@test "hagg-cost leaves out rows that scheme staircase does not support, and has no number for them in a sweep" {
    local numbers=(--clients 3 --stations 5 --collude partial,stations=1 --scheme staircase --only c1,aligned)

    run -0 --separate-stderr hagg-cost "${numbers[@]}" --sweep drop-stations=0..1 --format tsv
    # aligned: 3 clients and the total, each 5/4 and 5/3
    assert_output $'drop-stations\taligned fewest\tc1 fewest\n0\t5\t\n1\t6.66666666666667\t14.25'
    run -0 --separate-stderr hagg-cost "${numbers[@]}" --format tsv
    refute_line --regexp '^c1[[:space:]]fewest'
    assert_line --regexp '^aligned'
    assert_equal "$stderr" "hagg-cost: rows with sharings that the scheme does not support are left out: parameters: scheme 'staircase' with n = 5, k = 5, z = 1: all holders are needed, so none can be missing: use ramp, or a smaller k; k is n minus the nodes that may be missing (--drop)"
}

@test "hagg-cost counts the round with all stations, and the worst case, in all formats" {
    run -0 hagg-cost --only 'plan,plan worst case' --format tsv
    run -0 awk -F '\t' '$4 == "total" || $4 == "stations to federator" { print $1 ":", $4, $5, $8 }' <<<"$output"
    assert_output "plan: stations to federator 9/4 54
plan: total 57/4 342
plan worst case: stations to federator 31/12 62
plan worst case: total 175/12 350"
    run -0 hagg-cost --only 'plan,plan worst case' --format json
    run -0 jq -r '.protocols[] | [.name, .total.times, .total.symbols] | join(" ")' <<<"$output"
    assert_output "plan 57/4 342
plan worst case 175/12 350"
    run -0 hagg-cost --only 'plan worst case'
    assert_line --regexp '^plan worst case +chosen +partial .* 175/12 = 14\.583 '
    run -0 hagg-cost --clients 3 --stations 5 --collude partial,stations=1 --drop stations=1 \
        --scheme staircase --length 24 --only 'c1,c1 worst case' --format tsv
    run -0 awk -F '\t' '$4 == "total" { print $1, $5, $8 }' <<<"$output"
    assert_output "c1 57/4 342
c1 worst case 175/12 350"
    run -0 hagg-cost --clients 1 --stations 20 --collude partial,stations=3 --drop stations=0 --scheme staircase \
        --sweep drop-stations=1..2 --only 'bare,bare worst case' --format tsv
    # 20/16 and 20/17; 1/17 + 19/16 in the worst case; with 2: 20/15 and 20/17; 1/17 + 19/15
    assert_line --regexp '^1[[:space:]]2\.42647'
    assert_line --regexp '^2[[:space:]]2\.50980'
}

@test "hagg-cost --measure agrees to the symbol if all stations send prefixes" {
    share_all
    send_sums prefix '1 2 3 4 5' --present 1-5
    run -0 hagg-cost --measure --format tsv sent
    assert_equal "$(sums_sent)" "5 30 30"
    assert_equal "$(printf '%s\n' "$output" | awk -F '\t' 'NR > 1 { n += $5 } END { print n }')" 342
    rm sent/prefix-2.cbor
    run -4 --separate-stderr hagg-cost --measure --format tsv sent
    assert_regex "$stderr" '^hagg-cost: station 2 to federator( 1)?: no vectors were sent, predicted 6 symbols'
    send_sums whole 2
    run -4 --separate-stderr hagg-cost --measure --format tsv sent
    assert_regex "$stderr" 'station 2 to federator( 1)?: 8 symbols of vectors, predicted 6'
}

@test "hagg-cost --measure agrees to the symbol after a fallback, which costs what the worst case says" {
    share_all
    send_sums prefix '1 2 3 4 5' --present 1-5
    send_sums rest '1 2 4 5' --present 1,2,4,5 --after 1-5
    run -0 hagg-cost --measure --without stations=3 --format tsv sent
    assert_equal "$(sums_sent)" "9 38 38"
    assert_equal "$(printf '%s\n' "$output" | awk -F '\t' 'NR > 1 { n += $5 } END { print n }')" 350
    # the total is that of the clients without the lost station
    hagg-decode --round 1 sent/prefix-[1245].cbor sent/rest-*.cbor sent/keys-of-5.cbor -o sum.txt --format text
    assert_equal "$(cat sum.txt)" "$(seq 3 3 72)"
    # without the name of the lost station, the rest is too much; and each rest counts
    run -4 --separate-stderr hagg-cost --measure --format tsv sent
    assert_regex "$stderr" 'station 1 to federator( 1)?: 8 symbols of vectors, predicted 6'
    rm sent/rest-4.cbor
    run -4 --separate-stderr hagg-cost --measure --without stations=3 --format tsv sent
    assert_regex "$stderr" 'station 4 to federator( 1)?: 6 symbols of vectors, predicted 8'
}

@test "hagg-cost --measure compares with whole shares if none was sent in part" {
    share_all
    send_sums whole '1 2 3 4 5'
    run -0 hagg-cost --measure --format tsv sent
    assert_equal "$(sums_sent)" "5 40 40"
    rm sent/whole-3.cbor
    run -0 hagg-cost --measure --without stations=3 --format tsv sent
    assert_equal "$(sums_sent)" "4 32 32"
}
