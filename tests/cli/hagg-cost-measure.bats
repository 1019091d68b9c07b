#!/usr/bin/env bats
# hagg-cost --measure: compares the records sent with those of the plan.

load common

TOOL=hagg-cost
load round
load full
load relays

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# share_numbers LENGTH CLIENT...: these clients share under HAGG_PLAN, to station-U/client-I.cbor; their
# keys are in kept/.
share_numbers() {
    local i

    mkdir -p kept
    for i in "${@:2}"; do
        hagg-keygen --client "$i" --round 1 --length "$1" -o "kept/k$i.cbor"
        seq "$1" | hagg-share --client "$i" --round 1 --key "kept/k$i.cbor" --type i4 \
            --format text "${SHARE[@]}" -o "station-{}/client-$i.cbor" -
    done
}
SHARE=()

# add_up OPTION...: the stations' step without relays under partial collusion, with these options of
# hagg-aggregate; to federator/from-U.cbor, keys/of-U.cbor and federator/keys.cbor.
add_up() {
    local u n before=() to

    n=$(sed -n 's/^stations *//p' "$HAGG_PLAN")
    mkdir -p keys federator
    for ((u = 1; u <= n; u++)); do
        hagg-aggregate --station $u --only shares "$@" station-$u/*.cbor -o federator/from-$u.cbor
        to=keys/of-$u.cbor
        [ $u != "$n" ] || to=federator/keys.cbor
        hagg-aggregate --station $u --only keys "$@" "${before[@]}" station-$u/*.cbor -o $to
        before=("$to")
    done
}

# assert_sent 'FROM TO CARRIES RECORDS SYMBOLS'...: checks that exactly these were sent and predicted,
# and as many bytes predicted as sent, after a command with --format tsv.
assert_sent() {
    local got want

    got=$(printf '%s\n' "$output" | awk -F '\t' 'NR > 1 { print $1, $2, $3, $4, $5, $6, ($7 > 0), $8 - $7 }')
    want=$(printf '%s\n' "$@" | awk '{ print $0, $5, 1, 0 }')
    assert_equal "$got" "$want"
}

# assert_counts PATH...: checks that hagg-cost without a plan counts the same as the reader in Python.
assert_counts() {
    local files

    mapfile -t files < <(find "$@" -name '*.cbor')
    run -0 --separate-stderr hagg-cost --measure --plan '' --format tsv "$@"
    assert_equal "${lines[0]}" $'from\tto\tcarries\trecords\tsymbols\tbytes'
    assert_equal "$(printf '%s\n' "${lines[@]:1}")" \
        "$("$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/sent.py" "${files[@]}")"
}

measure() {
    hagg-cost --measure --format tsv "$@"
}

write_six() {
    echo collude partial clients=1 stations=2 >six.plan
    six_clients >>six.plan
    export HAGG_PLAN=six.plan
}

@test "partial collusion: 56/3, 4 and 35/3 times the vector" {
    write_six
    share_numbers 12 1 2 3 4 5 6
    add_up
    run -0 --separate-stderr measure .
    # 38/3 and 6, 32/3 and 1 times 12
    assert_sent "client station vectors 24 152" "client station keys 6 72" \
        "station station keys 4 48" "station federator vectors 20 128" "station federator keys 1 12"
    assert_equal "$stderr" ""
    assert_counts .
}

@test "partial collusion: the zeros that fill up parts are counted" {
    write_six
    share_numbers 13 1 2 3 4 5 6
    add_up
    run -0 --separate-stderr measure .
    # ceil(13 / 2) = 7 in the four sharings over four stations, ceil(13 / 3) = 5 in that over five
    assert_sent "client station vectors 24 176" "client station keys 6 78" \
        "station station keys 4 52" "station federator vectors 20 148" "station federator keys 1 13"
    run -0 --separate-stderr hagg-cost --measure .
    assert_output "\
LINK                     CARRIES      RECORDS        SYMBOLS      PREDICTED          BYTES      PREDICTED
client to station        vectors           24            176            176 $(both client station vectors)
client to station        keys               6             78             78 $(both client station keys)
station to station       keys               4             52             52 $(both station station keys)
station to federator     vectors           20            148            148 $(both station federator vectors)
station to federator     keys               1             13             13 $(both station federator keys)
in all                                     55            467            467 $(both '[a-z]*' '[a-z]*' '[a-z]*')
6 records that are not sent to another node were not counted
2 files without records were skipped"
    assert_equal "$stderr" ""
}

# both FROM TO CARRIES: prints the bytes of all records of a kind, as counted by Python, twice.
both() {
    "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/sent.py" */*.cbor |
        awk -F '\t' -v like="^$1 $2 $3\$" '$1 " " $2 " " $3 ~ like { n += $6 } END { printf "%14d %14d", n, n }'
}

@test "the chain of keys begins at the first station that gets a key" {
    printf '%s\n' "collude partial stations=1" "stations 4" "client 1 2 via 1-3 keys 3" \
        "client 3 via 2-4 keys 2" "protocol keys" >late.plan
    export HAGG_PLAN=late.plan
    share_numbers 4 1 2 3
    mkdir keys
    for u in 1 2 3 4; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o from-$u.cbor
    done
    hagg-aggregate --station 2 --only keys station-2/*.cbor -o keys/2.cbor
    hagg-aggregate --station 3 --only keys station-3/*.cbor keys/2.cbor -o keys/3.cbor
    hagg-aggregate --station 4 --only keys keys/3.cbor -o keys/4.cbor
    run -0 --separate-stderr measure station-* keys from-?.cbor
    assert_sent "client station vectors 9 18" "client station keys 3 12" \
        "station station keys 2 8" "station federator vectors 6 12" "station federator keys 1 4"
}

@test "full collusion: the paper's sets, 48 times the vector" {
    write_ring
    export HAGG_PLAN=ring.plan
    share_floats 1 2 3 4 5 6
    add
    run -0 --separate-stderr measure .
    # 16 times the vector, of length 50, of each kind to stations, and 8 of each to the federator
    assert_sent "client station vectors 20 800" "client station keys 20 800" \
        "station federator vectors 10 400" "station federator keys 10 400"
    assert_counts .
}

@test "relays, partial collusion" {
    write_figure
    export HAGG_PLAN=figure.plan
    share_numbers 7 1 2 3 4
    to_relays
    from_relays
    run -0 --separate-stderr measure .
    # shares of ceil(7 / 2); three patterns at stations, two at relays
    assert_sent "client station vectors 12 48" "client station keys 4 28" \
        "station station keys 3 21" "station relay vectors 9 36" "station relay keys 1 7" \
        "relay federator vectors 6 24" "relay federator keys 1 7"
    assert_counts .
}

# go_full OPTION...: the steps of stations and relays under full collusion.
go_full() {
    local folder

    for folder in station-*; do
        hagg-aggregate --station "${folder#station-}" "$@" -o "relay-{}/from-$folder.cbor" \
            "$folder"/*.cbor
    done
    for folder in relay-*; do
        hagg-aggregate --relay "${folder#relay-}" "$@" -o "from-$folder.cbor" "$folder"/*.cbor ||
            [ $? = 5 ]
    done
}

@test "relays, full collusion" {
    write_meeting "collude full clients=1 stations=1 relays=1"
    export HAGG_PLAN=meeting.plan
    share_numbers 7 1 2 3 4
    go_full
    run -0 --separate-stderr measure .
    # k - z = 2 parts, shares of 4; vectors in two patterns of stations, keys in one; one at relays
    assert_sent "client station vectors 16 64" "client station keys 16 64" \
        "station relay vectors 8 32" "station relay keys 4 16" \
        "relay federator vectors 4 16" "relay federator keys 4 16"
    assert_counts .
}

@test "the sample count is one more symbol to share" {
    printf '%s\n' "collude partial stations=1" samples "stations 3" "client 1-3 via 1-3" "protocol keys" >counted.plan
    export HAGG_PLAN=counted.plan
    SHARE=(--samples 5)
    share_numbers 4 1 2 3
    add_up
    run -0 --separate-stderr measure .
    # ceil(5 / 2)
    assert_sent "client station vectors 9 27" "client station keys 3 15" \
        "station station keys 2 10" "station federator vectors 3 9" "station federator keys 1 5"
}

# Six clients, one share of each of whom may be missing: 3 of 4 or 4 of 5 shares decode. These have two
# or three parts.
write_sparing() {
    printf '%s\n' "collude partial stations=1" "drop stations=1" >sparing.plan
    sparing_clients >>sparing.plan
    export HAGG_PLAN=sparing.plan
}

@test "with --clients, records of other clients are not predicted" {
    write_sparing
    share_numbers 6 1 2 3 4 5 6
    # client 4 is alone in its pattern; some shares of client 2 are missing
    rm station-*/client-4.cbor station-[35]/client-2.cbor
    add_up --clients 1,3,5-6
    run -0 --separate-stderr measure --clients 1,3,5-6 .
    # over four stations two parts of 3 symbols, over five three parts of 2
    assert_sent "client station vectors 17 46" "client station keys 4 24" \
        "station station keys 4 24" "station federator vectors 17 46" "station federator keys 1 6"
    run -0 --separate-stderr hagg-cost --measure --clients 1,3,5-6 .
    # two shares and the key
    assert_line "3 records of clients outside --clients were not counted"
    assert_equal "$stderr" ""

    run -4 --separate-stderr measure .
    assert_message "client 2 to station 3: no vectors were sent, predicted 3 symbols, and 15 more differences: if clients dropped out, name the remaining ones with --clients"
}

@test "a sum with clients that are not in --clients is refused" {
    write_sparing
    share_numbers 6 1 2 3 4 5 6
    add_up
    run -4 --separate-stderr measure --clients 1-5 .
    assert_message "./federator/from-1.cbor: record 4 (byte $(offset 4 federator/from-1.cbor)): is a sum that includes clients outside --clients: name all clients in the sums"
    assert_output ""
}

# offset RECORD FILE: prints the offset of a record.
offset() {
    hagg-inspect --json "$2" | sed -n "$1s/.*\"offset\":\([0-9]*\).*/\1/p"
}

@test "with --without, records of missing stations are not predicted" {
    write_sparing
    share_numbers 6 1 2 3 4 5 6
    add_up
    rm federator/from-3.cbor
    run -4 --separate-stderr measure .
    # clients 1 and 2, 3, 4 and 6 have four patterns there
    assert_message "station 3 to federator: no vectors were sent, predicted 11 symbols: if stations or relays failed, name them with --without"
    assert_equal "$(printf '%s\n' "$output" | grep federator.vectors | cut -f 4-6)" $'17\t47\t58'
    run -0 --separate-stderr measure --without stations=3 .
    assert_sent "client station vectors 25 70" "client station keys 6 36" \
        "station station keys 4 24" "station federator vectors 17 47" "station federator keys 1 6"
    # missing from the start: neither records to it nor records from it are predicted
    rm -r station-3 keys/of-3.cbor
    run -0 --separate-stderr measure --without stations=3 .
    assert_sent "client station vectors 20 56" "client station keys 6 36" \
        "station station keys 3 18" "station federator vectors 17 47" "station federator keys 1 6"
    # another station is not exempt
    rm federator/from-4.cbor
    run -4 --separate-stderr measure --without stations=3 .
    assert_message "station 4 to federator: no vectors were sent, predicted 11 symbols: if stations or relays failed, name them with --without"
}

@test "missing relays: keys are sent through another one" {
    write_meeting "collude partial stations=1 relays=1" "drop relays=1"
    export HAGG_PLAN=meeting.plan
    share_numbers 8 1 2 3 4
    # by the plan the last station sends to relay 1, which is missing
    mkdir keys
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o "relay-{}/from-station-$u.cbor"
    done
    hagg-aggregate --station 2 --only keys station-2/*.cbor -o keys/2.cbor
    hagg-aggregate --station 3 --only keys keys/2.cbor -o keys/3.cbor
    hagg-aggregate --station 4 --only keys keys/3.cbor -o keys/4.cbor
    hagg-aggregate --station 5 --only keys --via 2 keys/4.cbor -o "relay-{}/keys.cbor"
    for m in 2 3 4; do
        hagg-aggregate --relay $m relay-$m/*.cbor -o from-relay-$m.cbor
    done
    # (4, 3, 1) has two parts; station 2 gets the keys
    SENT=("client station vectors 16 64" "client station keys 4 32" "station station keys 3 24"
        "station relay vectors 8 32" "station relay keys 1 8"
        "relay federator vectors 3 12" "relay federator keys 1 8")
    run -0 --separate-stderr measure --without relays=1 .
    assert_sent "${SENT[@]}"
    run -4 --separate-stderr measure .
    assert_message "station 5 to relay 1: no keys were sent, predicted 8 symbols, and 4 more differences: if stations or relays failed, name them with --without"
    run -4 --separate-stderr hagg-cost --measure .
    assert_line "relay 1 to federator: no vectors were sent, predicted 4 symbols"
    assert_line "relay 1 to federator: no keys were sent, predicted 8 symbols"
    assert_line "station 5 to relay 2: 8 symbols of keys, predicted none"
    assert_line "relay 2 to federator: 8 symbols of keys, predicted none"
}

@test "full collusion: incomplete sums are not predicted" {
    write_meeting "collude full clients=1 stations=0 relays=1" "drop relays=1"
    export HAGG_PLAN=meeting.plan
    share_numbers 6 1 2 3 4
    rm -r station-5
    go_full --skip-incomplete 2>said
    # k - z = 2 parts of 3 symbols. Station 5 has shares of the vectors of clients 3 and 4 and of every key, all for
    # relay 1. Without them that relay has no complete sum.
    run -0 --separate-stderr measure --without stations=5 station-* relay-* from-relay-*
    assert_sent "client station vectors 14 42" "client station keys 12 36" \
        "station relay vectors 7 21" "station relay keys 3 9" \
        "relay federator vectors 3 9" "relay federator keys 3 9"
    rm relay-2/from-station-2.cbor
    run -4 --separate-stderr measure --without stations=5 station-* relay-* from-relay-*
    assert_message "station 2 to relay 2: no vectors were sent, predicted 6 symbols, and 1 more difference: if stations or relays failed, name them with --without"
}

@test "transform direct in a plan" {
    write_transform
    export HAGG_PLAN=t.plan
    share_numbers 7 1 2 3 4
    mkdir kept/sums keys
    before=()
    for u in 1 2 3 4; do
        hagg-aggregate --station $u --only shares station-$u/*.cbor -o kept/sums/$u.cbor
        hagg-transform --step contribute --station $u kept/sums/$u.cbor -o "relay-{}/from-$u.cbor"
        hagg-aggregate --station $u --only keys "${before[@]}" station-$u/*.cbor -o keys/$u.cbor
        before=(keys/$u.cbor)
    done
    for m in 1 2 3 4 5 6; do
        hagg-transform --step finish --relay $m relay-$m/*.cbor -o kept/new-$m.cbor
        hagg-aggregate --relay $m kept/new-$m.cbor -o from-$m.cbor
    done
    hagg-aggregate --relay 1 --only keys keys/4.cbor -o from-keys.cbor
    run -0 --separate-stderr measure .
    # shares of 7 over three stations, of ceil(7 / 2) over four; to relays ceil(7 / 2), ceil(4 / 2) and 7
    assert_sent "client station vectors 13 79" "client station keys 4 28" \
        "station station keys 3 21" "station relay keys 1 7" "station relay transfers 57 225" \
        "relay federator vectors 17 83" "relay federator keys 1 7"
    assert_counts .
    rm relay-6/from-2.cbor
    run -4 --separate-stderr measure .
    # of the clients 1 and 2, and of 3
    assert_message "station 2 to relay 6: no transfers were sent, predicted 6 symbols: if stations or relays failed, name them with --without"
}

# begin_holders LENGTH: shares the vectors of two clients among four holders and adds them up, to
# sum-U.cbor.
begin_holders() {
    local u i

    for i in 1 2; do
        seq "$1" | hagg-share -n 4 -k 3 -z 1 --client $i --round 1 --type i4 --format text \
            -o "holder-{}/client-$i.cbor" -
    done
    for u in 1 2 3 4; do
        hagg-aggregate holder-$u/*.cbor -o sum-$u.cbor
    done
}

# transform HOLDERS K Z METHOD: transforms the sums, to relay-M and, with transport, to to-M.
transform() {
    local u m

    for u in 1 2 3 4; do
        hagg-transform --step contribute --holders "$1" -k "$2" -z "$3" --method "$4" \
            -o "relay-{}/from-$u.cbor" sum-$u.cbor 2>said || [ $? = 5 ]
    done
    [ "$4" = transport ] || return 0
    for m in relay-*; do
        hagg-transform --step collect $m/*.cbor -o "to-{}/by-$m.cbor"
    done
    for m in relay-*; do
        hagg-transform --step finish to-${m#relay-}/*.cbor -o new-$m.cbor
    done
}

# assert_moved HOLDERS RELAYS PATH...: checks the symbols sent from holders to relays and among relays.
assert_moved() {
    run -0 --separate-stderr hagg-cost --measure --format tsv "${@:3}"
    assert_equal "$(printf '%s\n' "$output" |
        awk -F '\t' '$1 == "holder" { h += $5 } $1 == "relay" { r += $5 } END { print h + 0, r + 0 }')" \
        "$1 $2"
    assert_equal "$stderr" ""
    assert_counts "${@:3}"
}

@test "without a plan: shares of any vector, and their sums" {
    begin_holders 7
    run -0 --separate-stderr hagg-cost --measure holder-* sum-*
    # shares of ceil(7 / 2), from two clients to four holders
    assert_line --regexp '^client to holder  +vectors +8 +32 +[0-9]+$'
    assert_line --regexp '^holder to federator  +vectors +4 +16 +[0-9]+$'
    assert_line --regexp '^in all  +12 +48 +[0-9]+$'
    assert_equal "${#lines[@]}" 4
    assert_counts holder-* sum-*
    # the sender may be unknown
    seq 7 | hagg-share -n 4 -k 3 -z 1 --type i4 --format text -o "nobody-{}.cbor" -
    run -0 --separate-stderr hagg-cost --measure nobody-?.cbor
    assert_line --regexp '^unknown to holder  +vectors +4 +16 '
    assert_counts nobody-?.cbor
}

@test "transformations by all methods send as many symbols as the formulas give" {
    # (4, 3, 1) to (5, 4, 2): v = v' = 2, and d = 12 has no remainders
    begin_holders 12
    transform 1-5 4 2 direct
    # k n' / (v v')
    assert_moved $((12 * 3 * 5 / 4)) 0 relay-*
    rm -r relay-*
    transform 1-5 4 2 transport
    # (n'^2 (k + 1) - n') / (v' (n' - z')), of which n' (n' - 1) among relays
    assert_moved $((12 * 25 * 3 / 6)) $((12 * 20 / 6)) relay-* to-* new-*
    rm -r relay-* to-* new-*
    transform 1-3 3 1 forward
    # n' / v'
    assert_moved $((12 * 3 / 2)) 0 relay-*
}

@test "transformations to more holders send as many symbols as the formula gives" {
    # n / v + (n' - n) (k n' + n' - 1) / (v (n' - z')): 4 to 6 holders, d = 20
    begin_holders 20
    transform 1-6 3 1 transport
    assert_moved $((20 * 4 / 2 + 20 * 2 * 18 / 10)) $((20 * 2 * 5 / 10)) relay-* to-* new-*
}

# A small round of three stations and four clients, in one directory.
small_round() {
    export HAGG_PLAN=small.topo
    share_numbers 8 1 2 3 4
    add_up
}
SMALL=("client station vectors 12 48" "client station keys 4 32" "station station keys 2 16"
    "station federator vectors 3 12" "station federator keys 1 8")

@test "records in several files, and files named twice, are counted once" {
    small_round
    cp -r station-2 copy
    cp federator/keys.cbor also-keys.cbor
    cat station-1/*.cbor >all-of-1.cbor
    run -0 --separate-stderr measure . station-1 federator/keys.cbor
    assert_sent "${SMALL[@]}"
    # two records per file at the station that gets keys, one at the others
    run -0 --separate-stderr hagg-cost --measure .
    assert_line "13 duplicate records were counted once"
}

@test "a missing share" {
    small_round
    rm station-2/client-3.cbor
    run -4 --separate-stderr measure .
    assert_equal "$(printf '%s\n' "$output" | sed -n 2p | cut -f 1-6)" \
        $'client\tstation\tvectors\t11\t44\t48'
    assert_message "client 3 to station 2: no vectors were sent, predicted 4 symbols: if clients dropped out, name the remaining ones with --clients"
}

@test "surplus shares: shared again, and with a wrong sender" {
    small_round
    # another key gives other shares
    hagg-keygen --client 3 --round 1 --length 8 -o kept/again.cbor
    seq 8 | hagg-share --no-state --client 3 --round 1 --key kept/again.cbor --type i4 --format text \
        -o "again-{}.cbor" -
    rm again-[13].cbor
    run -4 --separate-stderr measure .
    assert_message "client 3 to station 2: 8 symbols of vectors, predicted 4"
    rm again-2.cbor
    cp federator/from-1.cbor forged.cbor
    rewrite forged.cbor 'h["from"] = ["station", 2]'
    run -4 --separate-stderr hagg-cost --measure forged.cbor
    assert_message "forged.cbor: record 1 (byte 0): is from station 2, but share 1 of these clients is from station 1 in the plan"
    rm forged.cbor
    cp federator/from-2.cbor federator/from-1.cbor
    rewrite federator/from-1.cbor 'h["id"] = bytes(16)'
    run -4 --separate-stderr hagg-cost --measure .
    assert_message "station 1 to federator: no vectors were sent, predicted 4 symbols, and 1 more difference: if stations or relays failed, name them with --without"
    assert_line "station 2 to federator: 8 symbols of vectors, predicted 4"
}

@test "two records where one was predicted, for vectors without elements" {
    small_round
    cat station-*/*.cbor keys/*.cbor federator/*.cbor >all.cbor
    rewrite all.cbor 'h["length"] = 0; h.update({"shape": [0]} if "shape" in h else {}); e = e[:0]'
    run -0 --separate-stderr measure all.cbor
    assert_sent "client station vectors 12 0" "client station keys 4 0" "station station keys 2 0" \
        "station federator vectors 3 0" "station federator keys 1 0"
    rewrite federator/keys.cbor 'h["length"] = 0; h["id"] = bytes(16); e = e[:0]'
    run -4 --separate-stderr measure all.cbor federator/keys.cbor
    assert_message "station 3 to federator: 2 records of keys, predicted 1"
}

@test "records of another round, plan or length are refused" {
    small_round
    cp -r station-1 good
    make_key 1 8 2
    hagg-share --again --plan small.topo --client 1 --round 2 --key key-1.cbor --type i4 --format text \
        -o "round-{}.cbor" <(seq 8)
    run -4 --separate-stderr measure good round-1.cbor
    assert_message "round-1.cbor: round is 2, but good/client-1.cbor has 1"
    assert_output ""
    make_key 1 7
    hagg-share --no-state --plan small.topo --client 1 --round 1 --key key-1.cbor --type i4 --format text \
        -o "short-{}.cbor" <(seq 7)
    run -4 --separate-stderr measure good short-1.cbor
    assert_message "short-1.cbor: length is 7, but good/client-1.cbor has 8"
    # keys have no shape, whichever record is first
    cp station-2/client-2.cbor folded.cbor
    rewrite folded.cbor 'h["shape"] = [2, 4]'
    run -4 --separate-stderr measure keys/of-1.cbor station-1 folded.cbor
    assert_message "folded.cbor: shape is (2, 4), but station-1/client-1.cbor has (8)"
    sed 's/1-4 via/1-5 via/' small.topo >other.topo
    run -4 --separate-stderr measure --plan other.topo good
    assert_message "good/client-1.cbor: record 1 (byte 0): $(different_plan small.topo other.topo)"
    seq 8 | env -u HAGG_PLAN hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o "plain-{}.cbor" -
    run -4 --separate-stderr measure good plain-1.cbor
    assert_message "plain-1.cbor: record 1 (byte 0): was made without a plan: use --plan '' or unset HAGG_PLAN"
}

@test "the length of the plan is checked if it has one" {
    printf '%s\n' "length 8" >>small.topo
    export HAGG_PLAN=small.topo
    share_numbers 8 1
    rewrite station-1/client-1.cbor 'h["length"] = 7; h["shape"] = [7]; e = e if h["kind"] == "share" else None'
    run -4 --separate-stderr measure station-?
    assert_message "station-1/client-1.cbor: record 1 (byte 0): has 7 elements, but the plan has 8"
}

@test "files that cannot be read, are damaged, or have no record that was sent" {
    small_round
    run -1 --separate-stderr measure station-1 nowhere
    assert_message "nowhere: No such file or directory"
    assert_output ""
    run -3 --separate-stderr measure small.topo
    assert_message "small.topo: is not a hagg file"
    cp station-1/client-1.cbor cut.cbor
    truncate -s -3 cut.cbor
    run -3 --separate-stderr measure .
    assert_message "./cut.cbor: record 2 (byte $(offset 2 station-1/client-1.cbor)): ends too early, in its digest: get it again"
    rm cut.cbor
    # damage in the last element of the key
    "$HAGG_PYTHON" - station-1/client-1.cbor <<'END_PYTHON'
import sys

data = bytearray(open(sys.argv[1], "rb").read())
data[-19] ^= 1
open(sys.argv[1], "wb").write(data)
END_PYTHON
    run -3 --separate-stderr measure .
    assert_message "./station-1/client-1.cbor: record 2 (byte $(offset 2 station-1/client-2.cbor)): digest does not match, so the record is damaged: get it again"
    run -5 --separate-stderr measure kept
    assert_message "nothing to measure: no record names its addressee"
    mkdir empty
    run -5 --separate-stderr measure empty
    assert_message "nothing to measure: no record names its addressee"
}

@test "a directory without read permission" {
    [ "$(id -u)" != 0 ] || command -v setpriv >/dev/null
    small_round
    mkdir closed
    chmod 0 closed
    if [ "$(id -u)" = 0 ]; then
        chmod a+rx . .. ../..
        run -1 --separate-stderr setpriv --reuid 65534 --clear-groups --inh-caps=-all \
            --bounding-set=-all "$(command -v hagg-cost)" --measure --plan '' closed
    else
        run -1 --separate-stderr hagg-cost --measure --plan '' closed
    fi
    assert_message "closed: Permission denied"
}

@test "links and pipes below a directory are ignored, and standard input is read" {
    small_round
    mkfifo station-1/pipe
    ln -s ../station-2 station-1/others
    ln -s ../station-2/client-1.cbor station-1/other.cbor
    run -0 --separate-stderr measure .
    assert_sent "${SMALL[@]}"
    # links given as arguments are followed
    mkdir linked
    ln -s ../station-2 linked/two
    cat station-1/*.cbor station-3/*.cbor keys/*.cbor federator/*.cbor >most.cbor
    run -0 --separate-stderr bash -c 'hagg-cost --measure --format tsv - linked/two <most.cbor'
    assert_sent "${SMALL[@]}"
    cat station-*/*.cbor keys/*.cbor federator/*.cbor >all.cbor
    run -0 --separate-stderr bash -c 'cat all.cbor | hagg-cost --measure --format tsv'
    assert_sent "${SMALL[@]}"
}

@test "JSON output" {
    small_round
    lost=$("$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/sent.py" station-2/client-3.cbor | awk 'NR == 1 { print $6 }')
    rm station-2/client-3.cbor
    cp station-1/client-1.cbor copy.cbor
    run -4 --separate-stderr hagg-cost --measure --format json .
    assert_json 'len(lines) == 1 and lines[0]["length"] == 8'
    assert_json '[[l[x] for x in ("from", "to", "carries", "records", "symbols", "predicted_records",
        "predicted_symbols")] for l in lines[0]["links"]] == [
        ["client", "station", "vectors", 11, 44, 12, 48], ["client", "station", "keys", 4, 32, 4, 32],
        ["station", "station", "keys", 2, 16, 2, 16], ["station", "federator", "vectors", 3, 12, 3, 12],
        ["station", "federator", "keys", 1, 8, 1, 8]]'
    assert_json 'all(lines[0]["in_all"][x] == sum(l[x] for l in lines[0]["links"]) for x in lines[0]["in_all"])'
    assert_json 'lines[0]["differences"] == [{"from": ["client", 3], "to": ["station", 2],
        "carries": "vectors", "records": 0, "symbols": 0, "bytes": 0, "predicted_records": 1,
        "predicted_symbols": 4, "predicted_bytes": '"$lost"'}]'
    # not sent: the keys of four clients; other file: small.topo
    assert_json '(lines[0]["met_twice"], lines[0]["not_sent"], lines[0]["other_files"]) == (2, 4, 1)'
    run -0 --separate-stderr hagg-cost --measure --plan '' --format json station-1
    assert_json '"differences" not in lines[0] and "predicted_symbols" not in lines[0]["in_all"]'
    assert_json 'lines[0]["files"] == 4 and lines[0]["in_all"]["symbols"] == 48'
}

@test "--clients and --without need a plan, and their nodes must be in it" {
    small_round
    run -2 --separate-stderr measure --plan '' --clients 1 .
    assert_message "--clients and --without require a plan: use --plan or HAGG_PLAN"
    run -2 --separate-stderr measure --clients 4-5 .
    assert_message "small.topo: --clients names clients that are not in the plan"
    run -2 --separate-stderr measure --without stations=1,4 .
    assert_message "small.topo: has no station 4"
    run -2 --separate-stderr measure --without relays=1 .
    assert_message "small.topo: has no relay 1"
    run -2 --separate-stderr measure --without clients=1 .
    assert_usage "--without: unknown word 'clients': use stations= or relays="
}

# --- protocol aligned; random rounds are in tests/oracle/cost_measure.py

# aligned_round LENGTH: the six clients of aligned.topo share, five stations deal masks and add up,
# to station-U and sums.
aligned_round() {
    local i u

    export HAGG_PLAN=aligned.topo
    for u in 1 2 3 4 5; do
        hagg-keygen --station $u --round 1 --length "$1" -o "station-{}/mask-$u.cbor"
    done
    for i in 1 2 3 4 5 6; do
        seq "$1" | hagg-share --client $i --round 1 --type i4 --format text -o "station-{}/client-$i.cbor" -
    done
    mkdir sums
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u station-$u/*.cbor -o sums/$u.cbor
    done
}

@test "protocol aligned: blocks, intervals and chunks are rounded up" {
    (printf '%s\n' "collude full clients=1 stations=2" "segments 4" "protocol aligned"; six_clients |
        grep -v protocol) >aligned.topo
    aligned_round 10
    run -0 --separate-stderr measure station-* sums
    # 3 symbols a segment: 2, 2, 2, 2, 2 and 4 blocks for 4, 4, 5, 4, 4 and 3 stations; 4, 4, 3, 3 and 4 intervals.
    # Masks have three chunks, of one symbol a segment; each of five dealers keeps its own.
    assert_sent "client station vectors 24 162" "station station masks 20 72" "station federator vectors 5 54"
    assert_equal "$stderr" ""
    assert_counts station-* sums
    run -0 --separate-stderr hagg-cost --measure station-* sums
    assert_line "5 records that are not sent to another node were not counted"
    # the prediction without a round is the same
    run -0 hagg-cost --only plan --length 10 --format json aligned.topo
    assert_json '[lines[0]["protocols"][0]["links"][x]["symbols"] for x in
        ("clients to stations", "station to station", "stations to federator")] == [162, 72, 54]'
    rm station-3/mask-5.cbor
    run -4 --separate-stderr measure station-* sums
    assert_message "station 5 to station 3: no masks were sent, predicted 3 symbols: if stations or relays failed, name them with --without"
}

@test "protocol aligned: a missing dealer, a missing station, and clients that dropped out" {
    (printf '%s\n' "collude full clients=1 stations=1" "drop stations=1" "segments 2" "protocol aligned"
        sparing_clients | grep -v protocol) >aligned.topo
    aligned_round 8
    run -0 --separate-stderr measure station-* sums
    # v = 2 for clients with four stations, 3 for client 3 with five: one block of two segments; masks in three
    # chunks of 2 symbols
    assert_sent "client station vectors 25 100" "station station masks 20 40" "station federator vectors 5 20"
    # station 2 failed, and nobody used its masks
    forget
    rm station-*/mask-2.cbor sums/*
    for u in 1 3 4 5; do
        hagg-aggregate --station $u --clients 1-5 --dealers 1,3-5 station-$u/*.cbor -o sums/$u.cbor
    done
    run -0 --separate-stderr measure --clients 1-5 --without stations=2 station-* sums
    assert_sent "client station vectors 21 84" "station station masks 16 32" "station federator vectors 4 16"
    run -4 --separate-stderr measure --clients 1-5 station-* sums
    assert_message "station 2 to station 1: no masks were sent, predicted 2 symbols, and 8 more differences: if stations or relays failed, name them with --without"
}
