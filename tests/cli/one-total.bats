#!/usr/bin/env bats
# A round has one total, in every protocol: the attack that makes the sums again with one client less
# fails at the roster, at every station and relay, and at the federator. With --no-state it works.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    unset HAGG_PLAN
}

# begin PIPELINE LINE...: plans a round with these lines of a topology, and five clients share. The
# pipeline is what stations and relays do.
begin() {
    local i

    PIPELINE=$1
    printf '%s\n' "length 3" "protocol keys" "${@:2}" >five.topo
    hagg-plan -q $PLANNING five.topo -o five.plan
    export HAGG_PLAN=$PWD/five.plan
    for i in 1 2 3 4 5; do
        printf '%s\n' $i ${i}0 ${i}77 >v$i.txt
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --client $i --round 1 --key k$i.cbor --type i4 --format text -o "up-{}/c$i.cbor" v$i.txt
    done
}

ADD='hagg-aggregate $STATE --clients $CLIENTS'
STATIONS="cat up-*/*.cbor | $ADD"
RELAYS="$STATIONS | $ADD"
TRANSFORM="$STATIONS | hagg-transform \$STATE --step contribute | hagg-transform \$STATE --step finish | $ADD"

# sums CLIENTS [OPTION]: prints the records that the federator gets.
sums() {
    CLIENTS=$1 STATE=$2 bash -o pipefail -c "$PIPELINE"
}

# The attack, after which client 5 must not be known.
attack() {
    local tool node

    hagg-roster -q --round 1 --clients 1-5 -o roster.cbor
    sums 1-5 >all.cbor
    run -0 --separate-stderr hagg-decode --roster roster.cbor --format text all.cbor
    assert_output $'15\n150\n1885'
    assert_equal "$stderr" "hagg-decode: round 1: total of 5 clients: 1-5"

    # the same again is accepted and gives the same bytes
    sums 1-5 | cmp - all.cbor
    hagg-roster -q --round 1 --clients 1-5 -o again.cbor
    cmp again.cbor roster.cbor

    # everything that was sent is deleted and made again without client 5
    rm roster.cbor again.cbor
    TOOL=hagg-roster
    unchanged 6 hagg-roster -q --round 1 --clients 1-4 -o roster.cbor
    refused "federator 1 already issued the roster of round 1"
    TOOL=hagg-aggregate
    for u in up-*; do
        unchanged 6 hagg-aggregate --station ${u#up-} --only shares --clients 1-4 $u/*.cbor -o second.cbor
        refused "station ${u#up-} already sent sums of round 1"
    done
    run ! --separate-stderr sums 1-4
    [[ "$stderr" == "hagg-aggregate: station "[1-4]" already sent sums of round 1 over clients 1-5, and this is over 1-4:"* ]]
    assert_output ""

    # colluding stations and relays ignore their state, but the federator remembers the total
    sums 1-4 --no-state >four.cbor 2>/dev/null
    TOOL=hagg-decode
    unchanged 6 hagg-decode --format text four.cbor
    refused "federator 1 already decoded the total of round 1"

    # a copy of the files elsewhere does not help
    cp -r . ../elsewhere
    cd ../elsewhere
    TOOL=hagg-aggregate
    unchanged 6 hagg-aggregate --station 1 --only shares --clients 1-4 up-1/*.cbor -o second.cbor
    refused "station 1 already sent sums of round 1"

    # nor does a second round with the same vectors
    TOOL=hagg-share
    hagg-keygen --client 1 --round 2 -o new.cbor
    unchanged 6 hagg-share --client 1 --round 2 --key new.cbor --type i4 --format text -o "again-{}" v1.txt
    assert_message "v1.txt: this vector was already shared, in round 1 of this plan: two totals of the same vectors over different clients reveal vectors; share a new vector, or use --again if hagg-share(1) allows it, in 'One vector per round'; in a simulation, use another --state (state in $HAGG_STATE)"

    # control: nobody remembers anything, and the difference of two totals is the vector of client 5
    run -0 --separate-stderr hagg-decode --no-state --format text four.cbor
    assert_output $'10\n100\n1308'
    assert_equal "${stderr_lines[-1]}" "hagg-decode: --no-state: nothing stops a second total of this round"
}

# refused BEGINNING: checks the message about a second set.
refused() {
    assert_message "$1 over clients 1-5, and this is over 1-4: two totals reveal their difference, so use the roster of the round if there is one, or start a new round, with new vectors or with the clients of the old round (state in $HAGG_STATE)"
}

@test "partial collusion" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    attack
}

@test "partial collusion, a station and a client to spare" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "drop stations=1 clients=1" "stations 4" "client 1-5 via 1-4"
    attack
}

@test "partial collusion, several patterns" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 4" "client 1-3 via 1-3" "client 4 5 via 2-4"
    attack
}

@test "full collusion" {
    begin "$STATIONS" "collude full clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    attack
}

@test "full collusion, a station and a client to spare" {
    begin "$STATIONS" "collude full clients=1 stations=1" "drop stations=1 clients=1" "stations 4" "client 1-5 via 1-4"
    attack
}

@test "partial collusion, relays" {
    PLANNING="--transform never"
    begin "$RELAYS" "collude partial clients=1 stations=1 relays=1" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1-5 via 1-3"
    attack
}

@test "full collusion, relays" {
    PLANNING="--transform never"
    begin "$RELAYS" "collude full clients=1 stations=1 relays=1" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1-5 via 1-3"
    attack
}

@test "partial collusion, transformation for relays" {
    PLANNING="--transform always"
    # the keys are not transformed
    begin "${TRANSFORM/ --clients/ --only shares --clients}; $STATIONS --only keys | $ADD" "collude partial clients=1 stations=1 relays=2" "stations 3" "relays 4" \
        "station 1-3 via 1-4" "client 1-5 via 1-3"
    attack
}

@test "full collusion, transformation for relays" {
    PLANNING="--transform always"
    begin "$TRANSFORM" "collude full clients=1 stations=1 relays=2" "stations 3" "relays 4" \
        "station 1-3 via 1-4" "client 1-5 via 1-3"
    attack
}

# a_round LINE...: a round over clients 1-5, station by station, with a roster.
a_round() {
    local u

    begin "$STATIONS" "$@"
    hagg-roster -q --round 1 --clients 1-5 -o roster.cbor
}

@test "sums of keys have the clients of the sums of shares, under any name of the node" {
    TOOL=hagg-aggregate
    begin "$STATIONS" "collude full clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    hagg-aggregate --station 1 --only shares --clients 1-5 up-1/*.cbor -o s1.cbor
    unchanged 6 hagg-aggregate --station 1 --only keys --clients 1-4 up-1/*.cbor -o k1.cbor
    already_has
    hagg-aggregate --station 1 --only keys --clients 1-5 up-1/*.cbor -o k1.cbor
}

@test "all stations together cannot add up keys of other clients than each of them" {
    TOOL=hagg-aggregate
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 4" "client 1-4 via 1-3" "client 5 via 2-4"
    for u in 1 2 3 4; do
        hagg-aggregate --station $u --only shares up-$u/*.cbor -o s$u.cbor
    done
    unchanged 6 hagg-aggregate --only keys --clients 1-4 up-?/*.cbor -o keys.cbor
    already_has
    # nor the other way round
    forget
    hagg-aggregate --only keys --clients 1-5 up-?/*.cbor -o keys.cbor
    unchanged 6 hagg-aggregate --station 1 --only keys --clients 1-4 up-1/*.cbor -o k1.cbor
    already_has
}

@test "a station that lacks a share of the roster's clients sends no smaller sum later" {
    TOOL=hagg-aggregate
    a_round "collude full clients=1 stations=1" "drop stations=1 clients=1" "stations 4" "client 1-5 via 1-4"
    rm -r "$HAGG_STATE" # this is another machine
    mkdir -m 700 "$HAGG_STATE"
    rm up-2/c5.cbor
    unchanged 5 hagg-aggregate --station 2 --roster roster.cbor up-2/*.cbor -o s2.cbor
    assert_message "the share of the vector of client 5, who is in the roster, is missing: get it from the client again, or send no sum"
    unchanged 6 hagg-aggregate --station 2 --clients 1-4 up-2/*.cbor -o s2.cbor
    already_has
}

@test "a station that left out a sum sends no smaller one later" {
    TOOL=hagg-aggregate
    begin "$STATIONS" "collude full clients=1 stations=1" "drop stations=1 clients=1" "stations 4" "client 1-5 via 1-4"
    rm up-2/c5.cbor
    run -0 hagg-aggregate --station 2 --skip-incomplete --clients 1-5 up-2/*.cbor -o s2.cbor
    unchanged 6 hagg-aggregate --station 2 --clients 1-4 up-2/*.cbor -o s2.cbor
    already_has
}

@test "the federator decodes the clients of its roster" {
    TOOL=hagg-decode
    a_round "collude partial clients=1 stations=1" "drop clients=1" "stations 3" "client 1-5 via 1-3"
    sums 1-4 --no-state 2>/dev/null >four.cbor
    unchanged 6 hagg-decode --format text four.cbor
    already_has
}

@test "nothing is remembered of sums that could not be made" {
    TOOL=hagg-aggregate
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    # client 5 uploads a damaged file with another id
    cp up-1/c5.cbor good.cbor
    "$HAGG_PYTHON" - up-1/c5.cbor "$HAGG_SOURCE_DIR/tests/format" <<'END'
import sys

sys.path.insert(0, sys.argv[2])
import hagg_format

data = bytearray(open(sys.argv[1], "rb").read())
id = hagg_format.read_stream(bytes(data))[0].header["id"]
at = data.find(id)
data[at] ^= 1
open(sys.argv[1], "wb").write(data)
END
    unchanged 3 hagg-aggregate --station 1 --only shares up-1/*.cbor -o s1.cbor
    cp good.cbor up-1/c5.cbor
    run -1 hagg-aggregate --station 1 --only shares up-1/*.cbor -o absent/s1.cbor
    run -1 hagg-roster -q --round 1 --clients 1-5 -o absent/roster.cbor
    # so the clients may still agree on another set
    hagg-roster -q --round 1 --clients 1-4 -o roster.cbor
    hagg-aggregate --station 1 --only shares --roster roster.cbor up-1/*.cbor -o s1.cbor
    # on standard output, a part may have been seen before the damage was
    printf 'XX' | dd of=up-2/c4.cbor bs=1 seek=400 conv=notrunc status=none
    run -3 hagg-aggregate --station 2 --only shares --roster roster.cbor up-2/*.cbor
}

@test "the same numbers of another type or with other digits are other shares" {
    TOOL=hagg-share
    begin "$STATIONS" "collude partial clients=1 stations=1" "field m61" "quantize bits=16 clip=1000" "stations 3" "client 1-5 via 1-3"
    # station 2 could compute the vector from the difference, without any key
    unchanged 6 hagg-share --client 1 --round 1 --key k1.cbor --type f8 --format text -o 'f-{}.cbor' v1.txt
    assert_message "v1.txt: client 1 has already shared another vector, type or sample count, or used another key, in round 1: repeat it with those of the first time, or use a new round for a new vector (state in $HAGG_STATE)"
    # integers that are equal as floating-point numbers
    hagg-keygen --client 1 --round 2 -o second.cbor
    printf '%s\n' 9007199254740992 0 1 >large.txt
    printf '%s\n' 9007199254740993 0 1 >larger.txt
    hagg-share --client 1 --round 2 --key second.cbor --type i8 --format text -o 'a-{}.cbor' large.txt
    unchanged 6 hagg-share --client 1 --round 2 --key second.cbor --type i8 --format text -o 'b-{}.cbor' larger.txt
}

@test "a vector is recognised in another type, and clipped; a repeat needs no --again" {
    TOOL=hagg-share
    begin "$STATIONS" "collude partial clients=1 stations=1" "quantize bits=16 clip=2" "stations 3" "client 1-5 via 1-3"
    share() { # ROUND TYPE FILE OPTION...
        [ -e key-$1.cbor ] || hagg-keygen --client 1 --round $1 -o key-$1.cbor
        hagg-share --client 1 --round $1 --key key-$1.cbor --type $2 --format text --clip "${@:4}" -o "r$1-{}.cbor" $3
    }
    printf '%s\n' 0.1 -0.3 9 >x.txt
    printf '%s\n' 0.1 -0.3 8 >y.txt
    printf '%s\n' 0.1 -0.3 1.5 >z.txt
    share 2 f4 x.txt
    run -6 share 3 f8 x.txt
    run -6 share 3 f4 y.txt
    run -0 share 3 f4 z.txt
    run -0 share 4 f8 x.txt --again
    # crash recovery: the very commands again
    run -0 share 2 f4 x.txt
    run -0 share 4 f8 x.txt
}

# Checks the message about a set that another node has not used.
already_has() {
    assert_message "round 1 already has clients 1-5, and this is over 1-4: two totals reveal their difference, so use the roster of the round if there is one, or start a new round, with new vectors or with the clients of the old round (state in $HAGG_STATE)"
}

@test "a client shares one vector with one key in a round" {
    begin "$STATIONS" "collude partial clients=1 stations=1" "stations 3" "client 1-5 via 1-3"
    TOOL=hagg-share
    printf '%s\n' 5 6 7 >other.txt
    unchanged 6 hagg-share --client 1 --round 1 --key k1.cbor --type i4 --format text -o "again-{}" other.txt
    # a key under another name, or a copy of it
    cp k1.cbor copy.cbor
    unchanged 6 hagg-share --client 1 --round 1 --key copy.cbor --type i4 --format text -o "again-{}" other.txt
    assert_message "other.txt: client 1 has already shared another vector, type or sample count, or used another key, in round 1: repeat it with those of the first time, or use a new round for a new vector (state in $HAGG_STATE)"
}

@test "a state directory of another version is refused, not ignored" {
    begin "$STATIONS" "collude full stations=1" "stations 4" "client 1-5 via 1-4"
    cp -r "$HAGG_STATE" kept
    "$HAGG_PYTHON" - "$HAGG_STATE/index" <<'PYTHON'
import sys
import xxhash

*lines, _ = open(sys.argv[1]).read().splitlines()
lines[0] = lines[0].replace("hagg-state 2", "hagg-state 1")
text = "".join(line + "\n" for line in lines)
open(sys.argv[1], "w").write(text + f"digest {xxhash.xxh3_128(text.encode()).hexdigest()}\n")
PYTHON
    printf '%s\n' 9 9 9 >other.txt
    hagg-keygen --client 1 --round 1 -o other.cbor
    TOOL=hagg-share
    unchanged 3 hagg-share --client 1 --round 1 --key other.cbor --type i4 -o "again-{}" other.txt
    assert_message "$HAGG_STATE/index: is of another version of hagg: finish its rounds with that version, then use a new state directory, new rounds and new vectors"
    run -3 hagg-inspect --state
    # control: with the right version the second vector is refused
    rm -r "$HAGG_STATE"
    cp -r kept "$HAGG_STATE"
    unchanged 6 hagg-share --client 1 --round 1 --key other.cbor --type i4 -o "again-{}" other.txt
}
