#!/usr/bin/env bats
# Rounds of protocol keys with scheme staircase: stations send prefixes of their sums, and the rest after a loss.
# The set of clients is frozen from the first prefix on.

load common
load round

TOOL=hagg-decode

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    printf '%s\n' "length 8" "protocol keys" "scheme staircase" "stations 6" "drop stations=2" \
        "collude partial stations=1" "client 1-5 via 1-6" >six.topo
    hagg-plan -q six.topo -o six.plan
    export HAGG_PLAN=$PWD/six.plan
    client_shares 1
    client_shares 2
    cat 1-up-*/*.cbor | hagg-aggregate --no-state --clients 1-5 --only keys -o keys.cbor
}

# client_shares ROUND: all clients share; in round 1, client i shares i, i + 1, .., i + 7.
client_shares() {
    local i

    for i in 1 2 3 4 5; do
        hagg-keygen --client $i --round "$1" -o "$1-k$i.cbor"
        seq $((i + 9 * $1 - 9)) $((i + 9 * $1 - 2)) | hagg-share --client $i --round "$1" --key "$1-k$i.cbor" --type i4 --format text \
            -o "$1-up-{}/c$i.cbor" -
    done
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    cp -r "$BATS_FILE_TMPDIR"/?-up-* "$BATS_FILE_TMPDIR/keys.cbor" .
}

# send STATION OUTPUT [OPTION...]: the station sends the sums of the clients, of round 1 unless ROUND is set.
send() {
    hagg-aggregate --only shares --station "$1" -o "$2" "${@:3}" "${ROUND:-1}-up-$1"/*.cbor
}

# Everybody sends a prefix: a1.cbor to a6.cbor.
send_prefixes() {
    for u in 1 2 3 4 5 6; do
        send $u a$u.cbor --clients 1-5 --present 1-6
    done
}

# Stations 3 and 5 are lost, and the others send the rest: b1.cbor, b2.cbor, b4.cbor and b6.cbor.
send_rest() {
    for u in 1 2 4 6; do
        send $u b$u.cbor --clients 1-5 --present 1,2,4,6 --after 1-6
    done
}

assert_total() {
    run -0 --separate-stderr hagg-decode --no-state --quiet --format text "$@"
    assert_output "$(seq 15 5 50)"
}

refuses() {
    run "-$1" --separate-stderr hagg-decode --no-state --quiet --format text "${@:2}"
    assert_output ""
}

# Changes an element of a record.
change() {
    PYTHONPATH=$HAGG_SOURCE_DIR/tests/format "$HAGG_PYTHON" -B - "$1" <<'END'
import sys
from hagg_format import read_stream, write_record
with open(sys.argv[1], "rb") as file:
    record = read_stream(file.read())[0]
elements = record.elements.copy()
elements[0] ^= 1
with open(sys.argv[1], "wb") as file:
    file.write(write_record(record.header, elements))
END
}

@test "all stations send prefixes, and after a loss four send the rest and nothing twice" {
    send_prefixes
    assert_total keys.cbor a?.cbor
    send_rest
    assert_total b?.cbor keys.cbor a[1246].cbor
    run -0 hagg-inspect --json a?.cbor b?.cbor
    # ceil(8 / 15) = 1 element for each of 5 symbols: 6 x 3 for all, then 4 x 2
    assert_json '[(line["symbols"], line["elements"]) for line in lines[:-1]] == [([0, 3], 3)] * 6 + [([3, 5], 2)] * 4'
}

@test "a station that has sent a prefix refuses another set of clients" {
    send 1 a1.cbor --clients 1-5 --present 1-6
    for options in "--present 1-4 --after 1-6" "--present 1-6" ""; do
        # shellcheck disable=SC2086
        run -6 --separate-stderr send 1 other.cbor --clients 1-4 $options
        assert_output ""
        assert_equal "$stderr" "hagg-aggregate: station 1 already sent sums of round 1 over clients 1-5, and this is\
 over 1-4: two totals reveal their difference, so use the roster of the round if there is one, or start a new round,\
 with new vectors or with the clients of the old round (state in $HAGG_STATE)"
        assert_file_not_exists other.cbor
    done
}

@test "a station that has sent whole shares refuses a prefix for another set of clients" {
    send 2 a2.cbor --clients 1-5
    run -6 --separate-stderr send 2 other.cbor --clients 2-5 --present 1-6
    assert_file_not_exists other.cbor
}

@test "the same again gives the same bytes, also if the output was deleted" {
    send 1 a1.cbor --clients 1-5 --present 1-6
    send 1 b1.cbor --clients 1-5 --present 1-4 --after 1-6
    send 1 again.cbor --clients 1-5 --present 1-6
    cmp again.cbor a1.cbor
    rm again.cbor
    send 1 again.cbor --clients 1-5 --present 1-6
    cmp again.cbor a1.cbor
    send 1 rest.cbor --clients 1-5 --present 1-4 --after 1-6
    cmp rest.cbor b1.cbor
}

@test "prefixes and whole shares are decoded together" {
    send_prefixes
    send_rest
    send 6 whole.cbor --clients 1-5
    assert_total keys.cbor a[124].cbor b[124].cbor whole.cbor
    assert_total keys.cbor a[12345].cbor whole.cbor
}

@test "the same symbols twice" {
    send_prefixes
    send_rest
    refuses 4 keys.cbor a?.cbor a1.cbor
    assert_message "a1.cbor: contains symbols of share 1 that are also in a1.cbor: leave one out, or make the second one\
 with hagg-aggregate --after"
    send 6 whole.cbor --clients 1-5
    refuses 4 keys.cbor a[1246].cbor b[1246].cbor whole.cbor
    assert_message "whole.cbor: contains symbols of share 6 that are also in a6.cbor: leave one out, or make the second\
 one with hagg-aggregate --after"
}

@test "symbols that are missing" {
    send_prefixes
    send_rest
    # without the prefixes, the rest is of no use
    refuses 5 keys.cbor b?.cbor
    # three whole shares and one prefix
    refuses 5 keys.cbor a[1246].cbor b[124].cbor
    # five prefixes for six stations
    refuses 5 keys.cbor a[12345].cbor
    assert_message "a1.cbor: the shares of station 1-6 were sent in part, and those of 1 more holder are needed: get\
 them, or let the present ones send the rest of their shares with hagg-aggregate --present and --after"
}

@test "the rest of another round" {
    send_prefixes
    for u in 1 2 4 6; do
        ROUND=2 send $u b$u.cbor --clients 1-5 --present 1,2,4,6 --after 1-6
    done
    refuses 4 keys.cbor a[1246].cbor b?.cbor
    assert [ "${stderr#*round}" != "$stderr" ]
}

@test "the rest of another set of clients" {
    send_prefixes
    for u in 1 2 4 6; do
        send $u b$u.cbor --no-state --clients 1-4 --present 1,2,4,6 --after 1-6
    done
    refuses 4 keys.cbor a[1246].cbor b?.cbor
    assert_message "a1.cbor: contains client 5, but b1.cbor does not: all sums of a round must be over the same\
 clients, so use the same --roster at every station"
}

@test "a wrong prefix is found by surplus shares, and corrected" {
    send_prefixes
    for u in 1 2 3 4 5 6; do
        # four stations, so that each sends the rest
        send $u b$u.cbor --clients 1-5 --present "$(printf '%s\n' 1 2 3 4 "$u" | sort -nru | head -n 4 | paste -sd,)" --after 1-6
    done
    change a3.cbor
    refuses 3 keys.cbor a?.cbor b?.cbor
    assert [ "${stderr#*the share of station 3 is wrong}" != "$stderr" ]
    assert_total --correct keys.cbor a?.cbor b?.cbor
    # the prefixes of all six alone have no surplus
    run -0 hagg-decode --no-state --quiet --format text keys.cbor a?.cbor
    refute_output "$(seq 15 5 50)"
}

@test "the shares of the format's specification decode, in part and whole" {
    unset HAGG_PLAN
    for files in staircase-shares staircase-prefixes "staircase-prefixes staircase-rest"; do
        run -0 --separate-stderr hagg-decode --quiet --format text $(printf "$VECTORS/good/%s.cbor\n" $files)
        assert_output $'5\n-4\n-2' # 5 7 9 modulo 11
    done
    refuses 5 "$VECTORS/good/staircase-rest.cbor"
}

@test "n = 20, k = 6, z = 3: 17 symbols, 2 times the vector against 20/17" {
    unset HAGG_PLAN
    seq 51 >vector
    hagg-share -n 20 -k 6 -z 3 --scheme staircase --type i4 --format text -o shares.cbor vector
    hagg-aggregate --present 1-20 -o all.cbor shares.cbor
    hagg-aggregate --present 3,5,7,11,13,17 --after 1-20 -o rest.cbor shares.cbor
    run -0 hagg-inspect --json shares.cbor
    assert_json 'sum(line["elements"] for line in lines[:6]) == 2 * 51 and lines[0]["elements"] == 17'
    run -0 hagg-inspect --json all.cbor
    assert_json 'sum(line["elements"] for line in lines[:-1]) * 17 == 20 * 51'
    run -0 hagg-inspect --json rest.cbor
    assert_json '{tuple(line["symbols"]) for line in lines[:-1]} == {(3, 17)}'
    run -0 hagg-decode --quiet --format text all.cbor
    assert_output "$(cat vector)"
    run -0 hagg-decode --quiet --format text all.cbor rest.cbor
    assert_output "$(cat vector)"
}
