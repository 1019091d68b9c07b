# transform.bash - functions for the .bats files about hagg-transform; load it after round.

# For setup: two clients share vectors among four stations; sum-U.cbor is the sum of station U.
begin_transform() {
    local u

    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    unset HAGG_PLAN
    share 1 "1 2 3 4 5 6 7"
    share 2 "10 20 30 40 50 60 70"
    for u in 1 2 3 4; do
        hagg-aggregate station-$u/*.cbor -o sum-$u.cbor
    done
}

TOTAL=$'11\n22\n33\n44\n55\n66\n77'
SAID="hagg-decode: round 1: total of 2 clients: 1-2"
NEW=(--holders 1-5 -k 4 -z 2)

# share CLIENT NUMBERS OPTION...: shares numbers, to station-U/client-I.cbor.
share() {
    printf '%s\n' $2 | hagg-share -n 4 -k 3 -z 1 --client "$1" --round 1 --type i4 --format text \
        -o "station-{}/client-$1.cbor" "${@:3}"
}

# contribute OPTION...: every station contributes its file, to relay-M/from-U.cbor.
contribute() {
    local u

    for u in 1 2 3 4; do
        hagg-transform --step contribute "$@" -o "relay-{}/from-$u.cbor" sum-$u.cbor
    done
}

# collect RELAY...: these relays collect, to to-M/by-C.cbor.
collect() {
    local m

    for m in "$@"; do
        hagg-transform --step collect "relay-$m"/*.cbor -o "to-{}/by-$m.cbor"
    done
}

# finish DIRECTORY RELAY...: these relays finish, to new-M.cbor.
finish() {
    local m

    for m in "${@:2}"; do
        hagg-transform --step finish "$1-$m"/*.cbor -o "new-$m.cbor"
    done
}

# Checks that these files decode to the sum of both clients.
assert_total() {
    run -0 --separate-stderr hagg-decode --format text "$@"
    assert_output "$TOTAL"
    assert_equal "$stderr" "$SAID"
}
