#!/usr/bin/env bats
# Shares that are sent in part: hagg-aggregate --present and --after, and hagg-transform --from and --after, as their
# manual pages describe it. Rounds are in staircase-round.bats, and those of hagg-round in round-prefixes.bats.

load common
load round

TOOL=hagg-aggregate

setup_file() {
    common_setup_file
}

# Five holders, one of which may be missing and one may collude: a share has four symbols, of which all five
# together send three. Clients share 13 numbers: twelve parts, and two columns.
setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    unset HAGG_PLAN
    printf '%s\n' "collude partial stations=1" "drop stations=1" "scheme staircase" "stations 5" \
        "client 1-3 via 1-5 keys 1" "protocol keys" >p.plan
}

numbers() {
    seq -f '%.0f' $(($1 * 10)) "$1" $(($1 * 22))
}

TOTAL=$(seq 60 6 132)

# share_all PLAN: the clients share, to station-U/client-I.cbor.
share_all() {
    local i

    export HAGG_PLAN=$PWD/$1
    for i in 1 2 3; do
        hagg-keygen --client $i --round 1 --length 13 -o key-$i.cbor
        numbers $i | hagg-share --client $i --round 1 --key key-$i.cbor --type i4 --format text \
            -o "station-{}/client-$i.cbor"
    done
}

# sums NAME STATIONS OPTION...: these stations write their sums to NAME-U.cbor.
sums() {
    local u

    for u in $2; do
        hagg-aggregate --station $u --only shares "${@:3}" station-$u/*.cbor -o "$1-$u.cbor"
    done
}

# chain STATIONS OPTION...: the stations add up the keys, to keys.cbor.
chain() {
    local u before=()

    for u in $1; do
        hagg-aggregate --station $u --only keys "${@:2}" "${before[@]}" station-$u/*.cbor -o keys-$u.cbor
        before=(keys-$u.cbor)
    done
    mv "keys-$u.cbor" keys.cbor
}

# Without a plan: two clients share among holders 1-5, of which three decode; to np-U-I.cbor.
share_unplanned() {
    local i

    for i in 1 2; do
        numbers $i | hagg-share -n 5 -k 3 -z 1 --scheme staircase --client $i --round 1 --type i4 --format text \
            -o "np-{}-$i.cbor"
    done
}

@test "whole shares: four of the stations are enough" {
    share_all p.plan
    sums from "1 2 3 4 5"
    chain "1 2 3 4 5"
    run -0 --separate-stderr hagg-inspect --json from-?.cbor
    assert_json 'all("symbols" not in r and r["elements"] == 8 for r in lines[:5]) and len(lines) == 6'
    run -0 --separate-stderr hagg-decode --format text from-[1345].cbor keys.cbor
    assert_output "$TOTAL"
    # a station that knows of the loss sends the same
    sums same "1 3 4 5" --present 1,3-5
    cmp from-4.cbor same-4.cbor
}

@test "a station that was missing at first sends everything" {
    share_all p.plan
    sums from "1 2 3 5" --present 1-3,5
    sums late "4" --present 1-5 --after 1-3,5
    run -0 --separate-stderr hagg-inspect --json late-4.cbor
    assert_json 'lines[0]["symbols"] == [0, 3]'
}

@test "nothing is left to send" {
    share_all p.plan
    for after in 1-5 1-4; do
        run -0 --separate-stderr hagg-aggregate --station 1 --only shares --present 1-5 --after $after \
            station-1/*.cbor -o none.cbor
        assert_output ""
        assert_message "nothing to send: the run with --after sent what these nodes require"
        assert_file_empty none.cbor
    done
}

@test "hagg-inspect: the table has the symbols" {
    share_unplanned
    hagg-aggregate --present 1-5 np-2-?.cbor -o part.cbor
    hagg-aggregate --present 2-4 --after 1-5 np-2-?.cbor -o rest.cbor
    run -0 --separate-stderr hagg-inspect part.cbor rest.cbor np-2-1.cbor
    assert_line --regexp "^ +1 share .* staircase 5,3,1 symbols 0-1 holder 2 .* part.cbor$"
    assert_line --regexp "^ +1 share .* staircase 5,3,1 symbols 2-3 holder 2 .* rest.cbor$"
    assert_line --regexp "^ +1 share .* staircase 5,3,1 +holder 2 .* np-2-1.cbor$"
    assert_equal "$stderr" ""
}

@test "without a plan: any number of holders that the scheme supports, and the numbers between" {
    local u

    share_unplanned
    for u in 1 2 3 4 5; do
        hagg-aggregate --present 1-5 np-$u-?.cbor -o all-$u.cbor
        hagg-aggregate --present 1-4 --after 1-5 np-$u-?.cbor -o four-$u.cbor
    done
    run -0 --separate-stderr hagg-decode --format text all-?.cbor
    assert_output "$(seq 30 3 66)"
    # four are no more than three for this scheme
    run -0 --separate-stderr hagg-decode --format text all-[235].cbor four-[235].cbor
    assert_output "$(seq 30 3 66)"
    unchanged 5 hagg-decode --format text all-[1-4].cbor
    assert_equal "$stderr" "hagg-decode: all-1.cbor: the shares of holder 1-5 were sent in part, and those of 1 more holder are needed: get them, or let the present ones send the rest of their shares with hagg-aggregate --present and --after"
    unchanged 5 hagg-decode --format text all-[12].cbor four-[12].cbor
    assert_equal "$stderr" "hagg-decode: only 2 of the shares of holder 1-5 arrived, but 3 are needed: for example, the share of holder 3 is missing"
}

@test "other schemes send whole shares for any stations" {
    sed -i '/scheme/d' p.plan
    share_all p.plan
    sums whole "1"
    sums present "1" --present 1-4
    cmp whole-1.cbor present-1.cbor
}

@test "usage of --present and --after" {
    share_all p.plan
    unchanged 2 hagg-aggregate --station 1 --only shares --after 1-5 station-1/*.cbor
    assert_usage "--after requires --present"
    unchanged 2 hagg-aggregate --station 1 --only shares --present x station-1/*.cbor
    assert_usage "--present must be numbers and ranges such as 1-5,7, not 'x'"
    unchanged 2 hagg-aggregate --station 1 --only shares --present 2-5 station-1/*.cbor
    assert_usage "--present must name the station itself"
    unchanged 2 hagg-aggregate --relay 1 --present 2-5 station-1/*.cbor
    assert_usage "--present must name the relay itself"
    for options in "--present 1-6" "--present 1-5 --after 1-6"; do
        # shellcheck disable=SC2086 # two words, or four
        unchanged 2 hagg-aggregate --station 1 --only shares $options station-1/*.cbor
        assert_message "$HAGG_PLAN: has no station 6"
        # shellcheck disable=SC2086
        unchanged 5 hagg-aggregate --station 1 --only shares ${options/%6/3} station-1/*.cbor
        options=${options% *}
        assert_message "${options##* } names only 3 of the holders of a share, but 4 are needed: wait for more of them"
    done
}

@test "--present does not apply to relays that pass on shares" {
    share_all p.plan
    printf '%s\n' "relays 5" "station 1-5 via 1-5" "collude partial stations=1 relays=1" |
        cat - <(sed '/collude/d; s/keys 1/relays 1-5 keys 1/' p.plan) >relays.plan
    unchanged 2 hagg-aggregate --plan relays.plan --relay 1 --present 1-5 station-1/*.cbor
    assert_message "relays.plan: relays pass on what the stations send: use --present at the stations"
}

@test "a share that was sent in part is not cut again" {
    share_unplanned
    hagg-aggregate --present 1-5 np-1-?.cbor -o part.cbor
    unchanged 4 hagg-aggregate --present 1-5 part.cbor
    assert_message "part.cbor: has some symbols of a share only, to which --present does not apply: pass them on as they are"
    unchanged 4 hagg-transform --step contribute --holders 1-5 -k 3 -z 1 -o "t-{}.cbor" part.cbor
    assert_equal "$stderr" "hagg-transform: part.cbor: record 1 (byte 0): has some symbols of a share only: transform whole shares"
}

@test "a full disk" {
    share_unplanned
    unchanged 1 sh -c 'hagg-aggregate --present 1-5 np-1-?.cbor >/dev/full'
    assert_message "standard output: No space left on device"
}

@test "a damaged prefix is refused" {
    share_all p.plan
    sums from "1 2 3 4 5" --present 1-5
    chain "1 2 3 4 5"
    printf '\377' | dd of=from-2.cbor bs=1 seek=$(($(stat -c %s from-2.cbor) - 30)) conv=notrunc status=none
    unchanged 3 hagg-decode --format text from-?.cbor keys.cbor
    assert_equal "$stderr" "hagg-decode: from-2.cbor: record 1 (byte 0): digest does not match, so the record is damaged: get it again"
    # symbols that nobody sends
    sums from "2" --present 1-5
    rewrite from-2.cbor 'h["symbols"] = [0, 4]'
    unchanged 4 hagg-decode --format text from-?.cbor keys.cbor
    assert_equal "$stderr" "hagg-decode: from-2.cbor: record 1 (byte 0): does not match any message of the plan"
}

@test "parameters of schemes that are wrong" {
    share() {
        echo 1 | hagg-share -n "${2:-5}" -k "${3:-3}" -z 1 --scheme "$1" --client 1 --round 1 --type i4 \
            --format text -o "x-{}.cbor"
    }

    TOOL=hagg-share
    while IFS='|' read -r scheme said; do
        unchanged 2 share "$scheme"
        assert_message "$said"
    done <<'END'
staircase:missing=0|scheme 'staircase:missing=0' with n = 5, k = 3, z = 1: missing=0 is the default: omit it
staircase:missing=1.0|scheme 'staircase:missing=1.0' with n = 5, k = 3, z = 1: '1.0' is not one to 3 ascending numbers of missing holders, such as 0.2
staircase:missing=00|scheme 'staircase:missing=00' with n = 5, k = 3, z = 1: '00' is not one to 3 ascending numbers of missing holders, such as 0.2
staircase:missing=0.1.2.3|scheme 'staircase:missing=0.1.2.3' with n = 5, k = 3, z = 1: '0.1.2.3' is not one to 3 ascending numbers of missing holders, such as 0.2
staircase:missing=2|scheme 'staircase:missing=2' with n = 5, k = 3, z = 1: with 2 holders missing, the others send whole shares: use numbers below 2
staircase:x=1|scheme 'staircase:x=1' with n = 5, k = 3, z = 1: the only parameter is missing=NUMBERS
staircase:|scheme 'staircase:' has a parameter that is not KEY=VALUE
staircase:missing=|scheme 'staircase:missing=' has a parameter that is not KEY=VALUE
staircase:missing=0,missing=1|the parameters of scheme 'staircase:missing=0,missing=1' are not in ascending order
ramp:missing=1|scheme 'ramp:missing=1': it has no parameters
END
    unchanged 2 share staircase 5 5
    assert_message "scheme 'staircase' with n = 5, k = 5, z = 1: all holders are needed, so none can be missing: use ramp, or a smaller k"
    unchanged 2 share staircase:missing=0.1.2 200
    assert_message "scheme 'staircase:missing=0.1.2' with n = 200, k = 3, z = 1: a share would have too many symbols: use fewer holders, or fewer numbers of missing ones"
}

@test "plans whose sharings the scheme cannot make" {
    TOOL=hagg-plan
    sed 's/staircase/&:missing=1/' p.plan >one.plan
    unchanged 3 hagg-plan --keep one.plan
    assert_message "one.plan: scheme 'staircase:missing=1' with n = 5, k = 4, z = 1: with 1 holder missing, the others send whole shares: use numbers below 1"
    sed '/drop/d' p.plan >none.plan
    unchanged 3 hagg-plan --keep none.plan
    assert_message "none.plan: scheme 'staircase' with n = 5, k = 5, z = 1: all holders are needed, so none can be missing: use ramp, or a smaller k"
}

# Without a plan, two sums among holders 1-5 are transformed to relays 1-4; the options of the new sharing.
NEW=(--holders 1-4 -k 3 -z 1)

# contribute TAG HOLDERS OPTION...: to relay-M/TAG-U.cbor.
contribute() {
    local u

    for u in $2; do
        hagg-transform --step contribute "${NEW[@]}" "${@:3}" -o "relay-{}/$1-$u.cbor" sum-$u.cbor
    done
}

finish() {
    local m

    for m in 1 2 3 4; do
        hagg-transform --step finish relay-$m/*.cbor -o new-$m.cbor
    done
}

begin_transform() {
    local u

    share_unplanned
    for u in 1 2 3 4 5; do
        hagg-aggregate np-$u-?.cbor -o sum-$u.cbor
    done
}

@test "hagg-transform: five holders contribute two of four symbols each" {
    begin_transform
    contribute all "1 2 3 4 5" --from 1-5
    run -0 --separate-stderr hagg-inspect --json relay-2/*.cbor
    # two parts in each symbol, and a symbol has two elements
    assert_json 'all(r["symbols"] == [0, 2] and r["scheme"]["name"] == "staircase" for r in lines[:5])'
    finish
    run -0 --separate-stderr hagg-decode --format text new-[124].cbor
    assert_output "$(seq 30 3 66)"
}

@test "hagg-transform: after a loss the others contribute the rest" {
    begin_transform
    contribute all "1 2 3 4 5" --from 1-5
    rm relay-?/all-2.cbor
    TOOL=hagg-transform unchanged 5 hagg-transform --step finish relay-1/*.cbor
    assert_equal "$stderr" "hagg-transform: relay-1/all-1.cbor: the holders contributed parts of their shares, which more of them must do: get the other transfers, or, if a holder is missing, let the others contribute the rest with --from and --after"
    contribute rest "1 3 4 5" --from 1,3-5 --after 1-5
    # three of them are enough
    assert_file_not_exists relay-1/rest-5.cbor
    finish
    run -0 --separate-stderr hagg-decode --format text new-[234].cbor
    assert_output "$(seq 30 3 66)"
    # the relays send prefixes of their new shares, too
    for m in 1 2 3 4; do
        hagg-aggregate --present 1-4 new-$m.cbor -o part-$m.cbor
    done
    run -0 --separate-stderr hagg-decode --format text part-?.cbor
    assert_output "$(seq 30 3 66)"
    unchanged 5 hagg-decode --format text part-[123].cbor
}

@test "hagg-transform: from staircase to ramp, and from ramp to staircase" {
    begin_transform
    contribute all "1 2 3 4 5" --from 1-5 --scheme ramp
    finish
    run -0 --separate-stderr hagg-decode --format text new-[134].cbor
    assert_output "$(seq 30 3 66)"
    rm -r relay-? new-?.cbor
    for i in 1 2; do
        numbers $i | hagg-share -n 3 -k 2 -z 1 --client $i --round 2 --type i4 --format text -o "ramp-{}-$i.cbor"
    done
    for u in 1 2; do
        hagg-aggregate ramp-$u-?.cbor -o sum-$u.cbor
    done
    contribute ramp "1 2" --scheme staircase
    finish
    run -0 --separate-stderr hagg-decode --format text new-[124].cbor
    assert_output "$(seq 30 3 66)"
}

@test "hagg-transform: refusals" {
    begin_transform
    TOOL=hagg-transform
    for method in forward transport; do
        unchanged 4 contribute all 1 --method $method
        assert_message "sum-1.cbor: record 1 (byte 0): shares of scheme 'staircase' have several symbols: use --method direct"
    done
    unchanged 2 contribute all 1 --after 1-5
    assert_usage "--after requires --from"
    unchanged 5 contribute all 1 --from 1-2
    assert_message "sum-1.cbor: record 1 (byte 0): only 2 of the old holders take part, but 3 are needed"
    run -0 --separate-stderr contribute all 1 --from 1-5 --after 1-5
    assert_message "nothing to transform: no share belongs to a holder that takes part, or the run with --after sent what is required"
    assert_dir_not_exists relay-1
    unchanged 2 hagg-transform --step finish --after 1-5 sum-1.cbor
    assert_usage "options of the new sharing require --step contribute"
}
