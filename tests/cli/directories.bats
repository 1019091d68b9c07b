#!/usr/bin/env bats
# Directories, for all commands: those given instead of a file, and those created for outputs.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    export HAGG_PLAN=small.topo
    mkdir station-2
}

# keygen OPTION...: makes a key of client 1
keygen() {
    hagg-keygen --client 1 --round 1 --length 3 "$@"
}

# share OPTION...: shares three numbers of client 1
share() {
    seq 3 | hagg-share --client 1 --round 1 --key k.cbor --type i4 --format text "$@"
}

# refused COMMAND HINT ARGUMENT...: checks for status 1, this message, and that nothing changed
refused() {
    TOOL=$1
    unchanged 1 "$1" "${@:3}"
    assert_message "station-2: is a directory: $2"
}

@test "a directory instead of files of records: the message suggests the files in it" {
    for command in hagg-aggregate hagg-decode hagg-inspect "hagg-transform --step finish"; do
        run -1 --separate-stderr $command station-2
        assert_equal "$stderr" \
            "${command%% *}: station-2: is a directory: name the files in it, for instance station-2/*.cbor"
    done
}

@test "a directory instead of an input file: the message suggests a file in it" {
    local one="name a file in it"

    refused hagg-plan "$one" station-2
    refused hagg-audit "$one" station-2
    refused hagg-cost "$one" station-2
    refused hagg-round "$one" --emit make --round 1 --vectors station-2 --workdir w station-2
    refused hagg-keygen "$one" --plan station-2 --client 1 --round 1 --length 1
    refused hagg-keygen "$one" --client 1 --round 1 --length 1 --random-source station-2
    refused hagg-aggregate "$one" --plan station-2 x.cbor
    refused hagg-decode "$one" --plan station-2 x.cbor
    refused hagg-transform "$one" --plan station-2 --step finish x.cbor
    refused hagg-share "$one" -n 3 -k 2 -z 1 --type i4 station-2
    refused hagg-share "$one" --client 1 --round 1 --key station-2 /dev/null
}

@test "a directory instead of an output file: the message suggests a file in it" {
    local one="name a file in it"

    for i in 1 2 3 4; do
        share_ints $i $i 0 0
    done
    mv station-1 shares
    printf '7\n' | hagg-share -n 1 -k 1 -z 0 --type i4 --format text -o plain.cbor
    refused hagg-keygen "$one" --client 1 --round 1 --length 1 -o station-2
    refused hagg-plan "$one" -q small.topo -o station-2
    refused hagg-aggregate "$one" --station 1 shares/*.cbor --only shares -o station-2
    refused hagg-share "$one" -n 1 -k 1 -z 0 --type i4 --format text -o station-2 - <<<7
    export HAGG_PLAN=
    refused hagg-decode "$one" plain.cbor -o station-2
    refused hagg-transform "$one" --step contribute --holders 1-2 -k 2 -z 1 plain.cbor -o station-2
}

@test "an output with {} creates all missing folders" {
    local u

    run -0 --separate-stderr keygen -o 'keys/now/{}/k.cbor'
    assert_equal "$stderr" ""
    cp keys/now/1/k.cbor k.cbor
    run -0 --separate-stderr share -o 'a/b-{}/c/x.cbor'
    assert_equal "$stderr" ""
    for i in 2 3 4; do
        share_ints $i $i 0 0
    done
    run -0 --separate-stderr hagg-aggregate --only shares a/b-*/c/x.cbor station-*/*.cbor -o 'sums/today/for-{}.cbor'
    assert_equal "$stderr" ""
    export HAGG_PLAN=
    printf '7\n' | hagg-share -n 1 -k 1 -z 0 --type i4 --format text -o plain.cbor
    run -0 --separate-stderr hagg-transform --step contribute --holders 1-2 -k 2 -z 1 plain.cbor \
        -o "$PWD/new/relay-{}/x.cbor"
    assert_equal "$stderr" ""
    for u in 1 2 3; do
        assert_file_permission 600 a/b-$u/c/x.cbor
    done
    assert_file_exists sums/today/for-1.cbor
    assert_file_exists new/relay-2/x.cbor
    assert_no_temporaries
}

@test "on failure, folders that were created are removed, and others are kept" {
    keygen -o k.cbor
    printf abc >bytes
    mkdir -p old/b-2
    TOOL=hagg-share
    unchanged 1 hagg-share -n 3 -k 2 -z 1 --random-source bytes --type i4 --format text \
        -o 'old/b-{}/c/x.cbor' - <<<7
    assert_message "bytes: ends too early: give a random source with more bytes"
    unchanged 1 hagg-share -n 3 -k 2 -z 1 --random-source bytes --type i4 --format text \
        -o 'new/b-{}/x.cbor' - <<<7
    assert_message "bytes: ends too early: give a random source with more bytes"
    assert_dir_exists old/b-2
    assert_dir_not_exists old/b-1
    assert_dir_not_exists old/b-2/c
    assert_dir_not_exists new
}

@test "a file where a folder is needed is named" {
    echo in the way >a
    mkdir d
    echo in the way >d/b-1
    TOOL=hagg-keygen
    unchanged 1 hagg-keygen --client 1 --round 1 --length 1 -o 'a/b-{}/x'
    assert_message "a: is not a directory: move it away, or name another output"
    unchanged 1 hagg-keygen --client 1 --round 1 --length 1 -o 'd/b-{}/x'
    assert_message "d/b-1: is not a directory: move it away, or name another output"
}
