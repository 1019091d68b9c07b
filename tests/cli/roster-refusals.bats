#!/usr/bin/env bats
# Commands that add up or decode vectors refuse a roster among their input files.

load common

TOOL=hagg-aggregate
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    cp "$HAGG_SOURCE_DIR/share-format/vectors/good/roster.cbor" roster.cbor
    WHY="roster.cbor: record 1 (byte 0): is a roster, which contains no vector: remove it from the input files"
}

# refuses COMMAND ARGUMENT...: the command fails with status 4 and changes no file.
refuses() {
    unchanged 4 "$@"
    assert_equal "$stderr" "$1: $WHY"
}

@test "with a plan" {
    share_ints 1 1 2 3
    share_ints 2 4 5 6
    refuses hagg-aggregate --plan small.topo --station 1 -o out.cbor station-1/*.cbor roster.cbor
    refuses hagg-decode --plan small.topo -o out.npy roster.cbor
}

@test "without a plan" {
    printf '1\n2\n' | hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o 's{}.cbor'
    refuses hagg-aggregate -o out.cbor s1.cbor roster.cbor
    refuses hagg-decode -o out.npy s1.cbor s2.cbor roster.cbor
    refuses hagg-transform --step contribute --holders 1-5 -k 4 -z 2 -o out.cbor roster.cbor
    for step in collect finish; do
        refuses hagg-transform --step $step -o out.cbor roster.cbor
    done
}

@test "a roster after shares in the same stream" {
    printf '1\n2\n' | hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o s.cbor
    WHY="standard input: record 4 (byte $(stat -c %s s.cbor)): is a roster, which contains no vector: remove it from the input files"
    cat s.cbor roster.cbor >all.cbor
    unchanged 4 hagg-aggregate -o out.cbor - <all.cbor
    assert_message "$WHY"
}

@test "a roster is not a key" {
    echo 0.5 >v.txt
    unchanged 4 hagg-share --plan small.topo --client 1 --round 1 --key roster.cbor -o s.cbor v.txt
    assert_equal "$stderr" "hagg-share: roster.cbor: record 1 (byte 0): is not a key: make one with hagg-keygen"
}
