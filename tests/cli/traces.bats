#!/usr/bin/env bats
# What commands that hold secrets leave behind: bytes in their memory, core files, access for debuggers.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    seq 50 | awk '{ print $1 / 77 }' >v.txt
    make_key 1 50
    make_key 2 50
}

# no_traces FILE COMMAND...: nothing of the key in FILE, 50 elements of 4 bytes, is in memory at the exit.
no_traces() {
    run -0 --separate-stderr "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/traces.py" 200 "$@"
    assert_equal "$stderr" ""
}

share() {
    hagg-share --plan small.topo --client "$1" --round 1 --key "key-$1.cbor" -o "station-{}/client-$1.cbor" v.txt
}

@test "the search finds a key in memory" {
    run -1 --separate-stderr "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/traces.py" 200 key-1.cbor \
        "$HAGG_PYTHON" -c 'import os, sys; key = open("key-1.cbor", "rb").read(); os._exit(0)'
    assert_regex "$stderr" "185 of 185 pieces of key-1.cbor are still in memory"
}

@test "hagg-keygen leaves nothing of the key in memory" {
    head -c 1000 /dev/urandom >bytes
    hagg-keygen --plan small.topo --client 3 --round 1 --length 50 --random-source bytes -o key-3.cbor
    no_traces key-3.cbor hagg-keygen --plan small.topo --client 3 --round 1 --length 50 --random-source bytes -o again.cbor
    run -0 cmp key-3.cbor again.cbor
}

@test "hagg-share leaves nothing of the key in memory" {
    no_traces key-1.cbor hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor -o s.cbor v.txt
}

@test "hagg-aggregate leaves nothing of a client's key in memory" {
    share 1
    share 2
    no_traces key-1.cbor hagg-aggregate --plan small.topo --clients 1,2 station-?/client-?.cbor -o sum.cbor
    cat station-?/client-?.cbor >all.cbor
    run -0 --separate-stderr "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/traces.py" 200 key-1.cbor \
        hagg-aggregate --plan small.topo --clients 1,2 -o sum-2.cbor <all.cbor
    assert_equal "$stderr" ""
}
