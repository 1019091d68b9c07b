#!/usr/bin/env bats
# hagg-share --clients, and hagg-keygen --clients and --stations: many nodes in one process.

load common

TOOL=hagg-share
load round

setup_file() {
    common_setup_file
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    six full aligned >six.topo
    printf '%s\n' "quantize bits=16 clip=1.0" >>six.topo
    hagg-plan -q six.topo -o six.plan
    export HAGG_PLAN=six.plan
    npy rows.npy 'np.arange(-9, 9).reshape(6, 3) / 10'
    "$HAGG_PYTHON" -c 'import numpy as np
for i, row in enumerate(np.load("rows.npy")):
    np.save(f"row-{i + 1}.npy", row)'
}

share() {
    hagg-share --round 1 "$@"
}

# Shares in a pipe, where a failure may come after records.
piped() {
    hagg-share --round 1 "$@" | cat >records.cbor
    return "${PIPESTATUS[0]}"
}

# use_keys LINE...: the same clients with keys and these lines more.
use_keys() {
    { cat six.topo && printf '%s\n' "$@" "length 3"; } | sed 's/^protocol .*/protocol keys/' >keys.topo
    hagg-plan -q keys.topo -o keys.plan
    export HAGG_PLAN=keys.plan
}

# --- the same as one client after the other

@test "records are those of a process for each client, and those of an array" {
    for i in 1 2 3 4 5 6; do
        share --client $i row-$i.npy
    done >alone.cbor
    share --clients all 'row-{}.npy' >files.cbor
    share --clients 1-6 rows.npy >array.cbor
    share --clients all <rows.npy >piped.cbor
    cmp files.cbor alone.cbor
    cmp array.cbor alone.cbor
    cmp piped.cbor alone.cbor
    run -0 hagg-inspect --json alone.cbor
    assert_json '[l["clients"][0][0] for l in lines[:-1]] == sorted(l["clients"][0][0] for l in lines[:-1])'
}

@test "the number of threads does not change a byte" {
    npy many.npy 'np.arange(3000.0).reshape(300, 10) / 3000 - 0.5'
    { six full aligned | sed 's/^client   6.*/client 6-300 via 1 2 5/'; echo "quantize bits=16 clip=1.0"; } >many.topo
    hagg-plan -q many.topo -o many.plan
    for threads in 1 2 7; do
        share --plan many.plan --clients all --threads $threads many.npy >$threads.cbor
    done
    cmp 1.cbor 2.cbor
    cmp 1.cbor 7.cbor
}

@test "the entries in the state are those of a process for each client" {
    share --clients all 'row-{}.npy' >/dev/null
    run -0 hagg-inspect --state
    all=$output
    forget
    for i in 1 2 3 4 5 6; do
        share --client $i row-$i.npy >/dev/null
    done
    run -0 hagg-inspect --state
    assert_equal "$output" "$all"
    assert_equal "$(grep -c 'client-[1-6] *vector *1' <<<"$output")" 6
}

@test "{} in the output collects the records of a station, {client} separates them" {
    share --clients all -o 'station-{}.cbor' rows.npy
    share --clients all -o 'own/{client}/to-{}.cbor' rows.npy
    share --clients 2-3 -o 'one-{client}.cbor' 'row-{}.npy'
    for i in 1 2 3 4 5 6; do
        share --client $i -o 'alone/{client}/to-{}.cbor' row-$i.npy
    done
    diff -r own alone
    for u in 1 2 3 4 5; do
        cat alone/[1-6]/to-$u.cbor | cmp - station-$u.cbor
    done
    cat one-2.cbor one-3.cbor | cmp - <(share --clients 2,3 'row-{}.npy')
    run -0 find . -name '*.cbor' ! -perm 600
    assert_output ""
}

@test "a whole round in one pipeline, with both protocols" {
    for protocol in aligned keys; do
        if [ $protocol = keys ]; then
            use_keys
        fi
        if [ $protocol = keys ]; then
            hagg-keygen --clients all --round 1 | share --clients all --again --key - rows.npy
        else
            hagg-keygen --stations all --round 1 --length 3
            share --clients all rows.npy
        fi | hagg-aggregate | hagg-decode -q -o total.npy
        assert_numpy 'abs(load("total.npy") - load("rows.npy").sum(axis=0)).max() <= 6 * 0.5 / 32767 + 1e-9'
    done
}

@test "keys of many clients in one file, in a file each, and from a pipe" {
    use_keys
    hagg-keygen --clients all --round 1 -o keys.cbor
    run -0 hagg-inspect --json keys.cbor
    assert_json '[l["clients"] for l in lines[:-1]] == [[[i, i]] for i in range(1, 7)]'
    assert_json 'len({l["id"] for l in lines[:-1]}) == 6 and len({l["digest"] for l in lines[:-1]}) == 6'
    share --clients all --key keys.cbor rows.npy >a.cbor
    share --clients all --key - rows.npy <keys.cbor >b.cbor
    cmp a.cbor b.cbor
    hagg-keygen --clients 2-4 --round 2 --threads 2 -o 'key/{}.cbor'
    run -0 hagg-inspect --json key/2.cbor key/3.cbor key/4.cbor
    assert_json '[l["clients"] for l in lines[:-1]] == [[[i, i]] for i in range(2, 5)]'
    hagg-share --clients 2-4 --round 2 --again --key 'key/{}.cbor' 'row-{}.npy' >c.cbor
    for i in 2 3 4; do
        hagg-share --client $i --round 2 --again --key key/$i.cbor row-$i.npy
    done | cmp - c.cbor
}

@test "masks of many dealers are those of each" {
    dealers=$(sed -n 's/^dealers //p' six.plan)
    assert_equal "$dealers" 1-5
    for u in 1 2 3 4 5; do
        hagg-keygen --station $u --round 1 --length 3
    done >alone.cbor
    hagg-keygen --stations all --round 1 --length 3 --threads 2 | cmp - alone.cbor
    hagg-keygen --stations 2,4 --round 1 --length 3 -o 'to-{}/from-{dealer}.cbor'
    for u in 2 4; do
        hagg-keygen --station $u --round 1 --length 3 -o "alone-{}/from-$u.cbor"
    done
    for u in 1 2 3 4 5; do
        diff -r to-$u alone-$u
    done
    # a plan without dealers needs no masks
    printf '%s\n' "collude partial stations=1" "stations 3" "client 1-3 via 1-3" >same.topo
    run -0 --separate-stderr hagg-keygen --plan same.topo --stations all --round 1 --length 3
    assert_output ""
    assert_equal "$stderr" ""
}

@test "random rounds agree with NumPy and with a process for each client" {
    mkdir rounds
    cd rounds
    unset HAGG_PLAN
    "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/many_rounds.py" 1 6
}

@test "sample counts: one for all, a line for each, a file for each" {
    echo samples >>six.topo
    hagg-plan -q six.topo -o six.plan
    printf '%s\n' 10 20 30 40 50 60 >counts.txt
    for i in 1 2 3 4 5 6; do
        echo ${i}0 >count-$i.txt
        share --client $i --samples ${i}0 row-$i.npy
    done >alone.cbor
    share --clients all --samples-file counts.txt rows.npy | cmp - alone.cbor
    share --clients all --samples-file 'count-{}.txt' rows.npy | cmp - alone.cbor
    sed 5d counts.txt >short.txt
    unchanged 3 share --clients all --samples-file short.txt rows.npy
    assert_message "short.txt: must contain a number from 0 to 9223372036854775807 for each of the 6 clients, each on a line, and nothing else"
    echo 70 >>counts.txt
    unchanged 3 share --clients all --samples-file counts.txt rows.npy
}

# --- refusals

@test "a client that is not in the plan, a client twice, and other wrong sets" {
    unchanged 2 share --clients 5-8 -o '{}.cbor' 'row-{}.npy'
    assert_message "six.plan: has no client 7"
    unchanged 2 share --clients 1-4294967295 -o '{}.cbor' 'row-{}.npy'
    assert_message "six.plan: has no client 7"
    unchanged 2 share --clients 1-3,2 -o '{}.cbor' 'row-{}.npy'
    assert_usage "--clients: '1-3,2' contains a number twice"
    unchanged 2 share --clients every -o '{}.cbor' 'row-{}.npy'
    assert_usage "--clients must be numbers and ranges such as 1-5,7, not 'every'"
    unchanged 2 share --clients 1 --clients 2 'row-{}.npy'
    assert_usage "--clients was given twice: give one set, for instance 1-5,7"
    unchanged 2 share --clients 1 --client 1 'row-{}.npy'
    assert_usage "with a plan, --round and either --client or --clients are required"
    HAGG_PLAN='' unchanged 2 hagg-share -n 3 -k 3 -z 1 --clients 1 'row-{}.npy'
    assert_usage "--clients requires a plan"
    unchanged 2 share --clients 1 --random-source /dev/urandom 'row-{}.npy'
    assert_usage "--random-source is for one client: use --client"
    TOOL=hagg-keygen
    unchanged 2 hagg-keygen --round 1 --length 3 --stations 5-6
    assert_message "six.plan: has no station 6"
    unchanged 2 hagg-keygen --round 1 --length 3 --clients all
    assert_message "six.plan: clients have no keys with protocol aligned: use --station for the masks of a dealer"
    unchanged 2 hagg-keygen --round 1 --length 3 --stations all --random-source /dev/urandom
    assert_usage "--random-source is for one node: use --client or --station"
    unchanged 2 hagg-keygen --round 1 --stations all --client 1
    assert_usage "--plan (or HAGG_PLAN), --round, and one of --client, --clients, --station and --stations are required"
    use_keys
    unchanged 2 hagg-keygen --round 1 --stations all
    assert_message "keys.plan: stations have no masks with protocol keys: use --client"
}

@test "a missing file and a bad value name the client and the file" {
    rm row-4.npy
    unchanged 1 share --clients all -o 'station-{}.cbor' 'row-{}.npy'
    assert_message "client 4: row-4.npy: No such file or directory"
    npy row-4.npy '[0.1, 1.5, 0]'
    unchanged 3 share --clients all -o 'station-{}.cbor' 'row-{}.npy'
    assert_message "client 4: row-4.npy: element 1 is beyond the clip of 1: scale the vector or use --clip"
    npy rows.npy 'np.where(np.arange(18) == 16, np.nan, np.load("rows.npy").ravel()).reshape(6, 3)'
    unchanged 3 share --clients all -o 'station-{}.cbor' rows.npy
    assert_message "client 6: rows.npy: element 1 is not a number"
}

@test "vectors of different lengths" {
    npy row-5.npy '[0.1, 0.2]'
    unchanged 4 share --clients all -o 'station-{}.cbor' 'row-{}.npy'
    assert_message "client 5: row-5.npy: has 2 elements, but the vector of client 1 has 3: all vectors must have the same length"
}

@test "an array without a row for each client" {
    unchanged 4 share --clients 1-5 rows.npy
    assert_message "rows.npy: has 6 rows, but there are 5 clients: give a row for each, or use {} in the name for a file of each client"
    npy number.npy 3.0
    unchanged 3 share --clients 1-5 number.npy
    assert_message "number.npy: is a single number, not an array with a row for each client"
    echo 3 >text
    unchanged 3 share --clients 1-5 text
    assert_message "text: is not a .npy file with a row for each client: save one with numpy.save, or use {} in the name for a file of each client"
    head -c -8 rows.npy >cut.npy
    unchanged 3 share --clients 1-6 -o 's-{}.cbor' cut.npy
    assert_message "client 6: cut.npy: ends too early: its header declares 6 rows, but row 6 is not complete"
    { cat rows.npy && echo; } >more.npy
    unchanged 3 share --clients 1-6 -o 's-{}.cbor' more.npy
    assert_message "client 6: more.npy: has bytes after its last element"
}

@test "keys in another order, too few and too many" {
    use_keys
    for i in 1 2 3 4 5 6; do
        hagg-keygen --client $i --round 1 -o k$i.cbor
    done
    (umask 077 && cat k1.cbor k3.cbor k2.cbor k4.cbor k5.cbor k6.cbor >order.cbor)
    unchanged 4 share --clients all --key order.cbor -o 's-{}.cbor' rows.npy
    assert_regex "$stderr" "^hagg-share: client 2: order.cbor: record 2 \(byte [0-9]+\): key belongs to client 3, but this is client 2$"
    (umask 077 && cat k[1-5].cbor >few.cbor)
    unchanged 3 share --clients all --key few.cbor -o 's-{}.cbor' rows.npy
    assert_message "client 6: few.cbor: ends too early: the key is missing"
    (umask 077 && cat k[1-6].cbor k6.cbor >more.cbor)
    unchanged 4 share --clients all --key more.cbor -o 's-{}.cbor' rows.npy
    assert_regex "$stderr" "^hagg-share: client 6: more.cbor: record 7 \(byte [0-9]+\): is an extra record"
    chmod 644 few.cbor
    unchanged 6 share --clients all --key few.cbor -o 's-{}.cbor' rows.npy
}

@test "a second run: the same is accepted, another vector is refused, alone and together" {
    share --clients all -o 'station-{}.cbor' 'row-{}.npy'
    npy row-3.npy '[0.3, 0.2, 0.1]'
    unchanged 6 share --clients all -o 'again-{}.cbor' 'row-{}.npy'
    assert_regex "$stderr" "^hagg-share: client 3: row-3.npy: client 3 has already shared another vector, type or sample count, or used another key, in round 1: "
    unchanged 6 share --client 3 -o 'again-{}.cbor' row-3.npy
    # a vector of another round, by a process that shared alone
    hagg-share --client 2 --round 7 -o 's-{}.cbor' row-3.npy
    cp row-3.npy new-2.npy
    npy new-1.npy '[0.9, 0.8, 0.7]'
    unchanged 6 hagg-share --clients 1-2 --round 8 -o 'again-{}.cbor' 'new-{}.npy'
    assert_regex "$stderr" "^hagg-share: client 2: new-2.npy: this vector was already shared, in round 7 of this plan: "
}

@test "a batch that fails enters nothing for its clients" {
    rm row-4.npy
    run -1 share --clients all -o 'station-{}.cbor' 'row-{}.npy'
    # client 1 is a batch of its own, the others are the second
    run -0 hagg-inspect --state
    assert_equal "$(grep -c client- <<<"$output")" 1
}

@test "after a failure standard output ends with an incomplete record, which hagg-aggregate refuses" {
    npy row-4.npy '[0.1, 1.5, 0]'
    run -3 --separate-stderr piped --clients all 'row-{}.npy'
    assert_equal "$(tail -c 1 records.cbor | od -An -tx1)" " da"
    TOOL=hagg-aggregate
    run -3 --separate-stderr hagg-aggregate records.cbor
    assert_output ""
    run -0 hagg-inspect --json <(head -c -1 records.cbor)
    assert_json 'all(l["clients"] == [[1, 1]] for l in lines[:-1])'
    # before the first record there is nothing to end
    cp row-4.npy row-1.npy
    run -3 --separate-stderr piped --clients all 'row-{}.npy'
    assert_equal "$(stat -c %s records.cbor)" 0
}

@test "keys and masks never replace a file" {
    use_keys
    hagg-keygen --client 3 --round 1 -o key-3.cbor
    TOOL=hagg-keygen
    unchanged 1 hagg-keygen --clients all --round 1 -o 'key-{}.cbor'
    assert_message "key-3.cbor: already exists and is not replaced: use another name, or remove it first"
    : >keys.cbor
    unchanged 1 hagg-keygen --clients all --round 1 -o keys.cbor
    export HAGG_PLAN=six.plan
    mkdir to-2
    : >to-2/from-4.cbor
    run -1 --separate-stderr hagg-keygen --stations 4 --round 1 --length 3 -o 'to-{}/from-{dealer}.cbor'
    assert_message "to-2/from-4.cbor: already exists and is not replaced: use another name, or remove it first"
    assert_equal "$(stat -c %s to-2/from-4.cbor)" 0
}

@test "an output that is also an input is refused" {
    cp rows.npy 1.npy
    unchanged 2 share --clients all -o '{}.npy' 1.npy
}
