#!/usr/bin/env bats
# Shares, masks and keys that are sent as seeds: who makes them, and that no seed is used twice.

load common
load round
load sealed

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    make_keys 1-4 1-4
    cat >the.topo <<'END'
protocol aligned
collude full clients=1 stations=1
stations 4
segments 2
dealers 1 4
client 1 2 via 1-3
client 3 via 1-4
client 4 via 2-4
privacy computational
identities ids.txt
END
    hagg-plan -q --keep the.topo -o the.plan
    sed 's/^minimum 3/minimum 4/' the.plan >other.plan
    sed '/^privacy/d; s/^client 3 via 1-4/& computational/' the.plan >one.plan
    grep -v '^identities' the.plan >bare.plan
    grep -v '^identities' one.plan >bare-one.plan
    cat >keys.topo <<'END'
protocol keys
collude partial clients=1 stations=1
stations 4
client 1-3 via 1-3
client 4 via 1-4
privacy computational
identities ids.txt
END
    hagg-plan -q keys.topo -o keys.plan
    grep -v '^privacy' keys.plan >keys-in-full.plan
    grep -v '^identities' keys.plan >bare-keys.plan
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt,*.plan} .
    export HAGG_PLAN=the.plan LENGTH=7
    unset HAGG_IDENTITY
    for i in 1 2 3 4; do
        npy v$i.npy "np.arange(7, dtype='i4') * $i"
    done
}

SEALED="seeds must be sealed: add a line identities FILE to the topology"

# seeds FILE...: prints the seeds in these files, each with its sender, receiver and round.
seeds() {
    sealed_python '
for name in sys.argv[1:]:
    for r in records(name):
        if "seed" in r.header:
            print(*r.header["from"], *r.header["to"], r.header["round"], opened(r.header, r.payload).tobytes().hex())
' "$@"
}

# elements FILE...: prints the elements of all records, sorted.
elements() {
    sealed_python '
for name in sys.argv[1:]:
    for r in records(name):
        print(*r.header["from"], *r.header["to"], r.header["of"], elements(r.header, r.payload).tobytes().hex())
' "$@" | sort
}

@test "without identities, no share is made as a seed" {
    run -6 --separate-stderr hagg-share --plan bare.plan --client 1 --round 1 -o 'out-{}' v1.npy
    assert_output ""
    assert_equal "$stderr" "hagg-share: bare.plan: $SEALED"
    run -6 --separate-stderr hagg-share --plan bare.plan --client 1 --round 1 v1.npy
    assert_output ""
    assert_equal "$stderr" "hagg-share: bare.plan: $SEALED"
    run -6 --separate-stderr hagg-share --plan bare.plan --clients all --round 1 -o 'out-{}/{client}' v{}.npy
    assert_output ""
    assert_equal "$stderr" "hagg-share: bare.plan: $SEALED"
    run ls
    refute_output --partial out
}

@test "without identities, other clients of the plan share as usual" {
    hagg-share --plan bare-one.plan --client 1 --round 1 -o 'out-{}' v1.npy
    assert_file_exist out-3
    run -6 --separate-stderr hagg-share --plan bare-one.plan --client 3 --round 1 -o 'three-{}' v3.npy
    assert_equal "$stderr" "hagg-share: bare-one.plan: $SEALED"
    run -6 --separate-stderr hagg-share --plan bare-one.plan --clients all --round 2 -o 'all-{}/{client}' v{}.npy
    assert_equal "$stderr" "hagg-share: bare-one.plan: $SEALED"
    assert_not_exist three-1 all-1
}

@test "without identities, no mask and no key is made as a seed" {
    run -6 --separate-stderr hagg-keygen --plan bare.plan --station 1 --round 1 --length 7 -o 'out-{}'
    assert_output ""
    assert_equal "$stderr" "hagg-keygen: bare.plan: $SEALED"
    run -6 --separate-stderr hagg-keygen --plan bare-keys.plan --client 1 --round 1 --length 7 -o out
    assert_output ""
    assert_equal "$stderr" "hagg-keygen: bare-keys.plan: $SEALED"
    assert_not_exist out out-1
    # masks are not seeds if only some clients send seeds
    hagg-keygen --plan bare-one.plan --station 1 --round 1 --length 7 -o 'out-{}'
    assert_exist out-1
}

@test "the last stations get seeds, which are 32 bytes" {
    clients 1 2 3 4
    seeds station-?/client-* | cut -d' ' -f 1-5 >got
    printf '%s\n' "client 1 station 3 1" "client 2 station 3 1" "client 3 station 4 1" "client 4 station 4 1" >want
    diff want got
    run seeds station-3/client-1
    assert_output --regexp '^client 1 station 3 1 [0-9a-f]{64}$'
}

@test "the same command again gives the same bytes" {
    clients 1 3
    dealers 1
    for u in 1 2 3 4; do
        cp -r station-$u before-$u
        rm -f station-$u/mask-1
    done
    clients 1 3
    dealers 1
    for u in 1 2 3 4; do
        diff -r before-$u station-$u
    done
}

@test "whatever changes, there are other seeds" {
    clients 1 2 3 4
    dealers 1 4
    cp v1.npy w1.npy
    as client-1 hagg-share --client 1 --round 2 --again -o 'round-{}' v1.npy
    as client-1 hagg-share --plan other.plan --client 1 --round 1 --again -o 'plan-{}' v1.npy
    npy w1.npy "np.arange(7, dtype='i4') * 5"
    as client-1 hagg-share --client 1 --round 3 -o 'vector-{}' w1.npy
    as elsewhere true
    HAGG_STATE=$HAGG_STATE/elsewhere HAGG_IDENTITY=keys/client-1.pem hagg-share --client 1 --round 1 -o 'state-{}' v1.npy
    as client-1 hagg-share --no-state --client 1 --round 1 -o 'free-{}' v1.npy
    as client-1 hagg-share --no-state --client 1 --round 1 -o 'again-{}' v1.npy
    as station-1 hagg-keygen --station 1 --round 2 --length 7 -o 'masks-{}'
    as station-1 hagg-keygen --station 1 --round 1 --length 8 -o 'longer-{}'
    seeds station-?/* {round,plan,vector,state,free,again,masks,longer}-? >all
    [ "$(wc -l <all)" -ge 16 ]
    assert_equal "$(cut -d' ' -f 6 all | sort -u | wc -l)" "$(wc -l <all)"
}

@test "seeds are the first bytes of a random source" {
    head -c 4096 /dev/urandom >source
    as client-3 hagg-share --client 3 --round 1 --random-source source -o 'one-{}' v3.npy
    assert_equal "$(seeds one-?)" "client 3 station 4 1 $(head -c 32 source | xxd -p -c 64)"
    as client-3 hagg-share --client 3 --round 1 --random-source source -o 'two-{}' v3.npy
    diff <(elements one-?) <(elements two-?)
    # no other byte is drawn
    head -c 32 source >exact
    as client-3 hagg-share --client 3 --round 1 --random-source exact -o 'three-{}' v3.npy
    diff <(elements one-?) <(elements three-?)
    head -c 31 source >short
    run -1 --separate-stderr as client-3 hagg-share --client 3 --round 1 --random-source short -o 'four-{}' v3.npy
    assert_output ""
    assert_not_exist four-1
}

@test "one stream has the same records, and so has a batch, on any number of threads" {
    umask 077
    clients 1 2 3 4
    dealers 1 4
    for i in 1 2 3 4; do
        as client-$i hagg-share --threads 3 --client $i --round 1 v$i.npy >>stream
    done
    diff <(elements station-?/client-*) <(elements stream)
    mkdir -m 700 "$HAGG_STATE/all"
    HAGG_STATE=$HAGG_STATE/all HAGG_IDENTITY='keys/{tier}-{}.pem' hagg-share --clients all --threads 3 --round 1 \
        -o 'batch-{}/{client}' v{}.npy
    assert_equal "$(seeds batch-?/* | cut -d' ' -f 1-5)" "$(seeds station-?/client-* | cut -d' ' -f 1-5)"
    for u in 1 2 3 4; do
        cp station-$u/mask-* batch-$u
        as station-$u hagg-aggregate --station $u -o sum-$u batch-$u/*
        cat batch-$u/mask-* >>stream
    done
    as federator hagg-decode -q --format text sum-? >batch.txt
    seq 0 10 60 | diff - batch.txt
    cp keys/federator.pem keys/federator-1.pem
    mkdir -m 700 "$HAGG_STATE/pipe"
    HAGG_STATE=$HAGG_STATE/pipe HAGG_IDENTITY='keys/{tier}-{}.pem' bash -c \
        'set -o pipefail; hagg-aggregate <stream | hagg-decode -q --format text' >stream.txt
    diff batch.txt stream.txt
}

@test "a client's own key is a seed, and its station gets the same 32 bytes" {
    export HAGG_PLAN=keys.plan
    clients 1
    run hagg-inspect private/key-1
    assert_line --regexp '^ +1 seed +key +m31 +1 +7 .* ok +private/key-1$'
    sealed_python '
header, key = only("private/key-1")
assert header["seed"] is True and len(key) == 32, header
assert not {"from", "to"} & set(header)
sent = [r for r in records("station-1/client-1") if r.header["of"] == "key"]
assert len(sent) == 1 and sent[0].header["seed"] is True
assert opened(sent[0].header, sent[0].payload).tobytes() == key.tobytes()
'
}

@test "a key of another plan, or of another form, is refused" {
    export HAGG_PLAN=keys.plan
    as client-1 hagg-keygen --plan keys-in-full.plan --client 1 --round 1 --length 7 -o full
    run -4 --separate-stderr as client-1 hagg-share --client 1 --round 1 --key full -o 'out-{}' v1.npy
    assert_output ""
    assert_regex "$stderr" '^hagg-share: full: record 1 \(byte 0\): key .*plan'
    as client-1 hagg-keygen --client 1 --round 1 --length 7 -o seed
    for form in seed full; do
        python3 -c "
import sys; sys.path.insert(0, '$HAGG_SOURCE_DIR/tests/format')
from hagg_format import *
full, seed = (read_stream(open(name, 'rb').read())[0] for name in ('full', 'seed'))
record = full if '$form' == 'full' else seed
other = seed if '$form' == 'full' else full
open('forged-$form', 'wb', ).write(write_record({**record.header, 'plan': other.header['plan']}, record.payload))"
        chmod 600 forged-$form
    done
    run -4 --separate-stderr as client-1 hagg-share --client 1 --round 1 --key forged-full -o 'out-{}' v1.npy
    assert_equal "$stderr" "hagg-share: forged-full: record 1 (byte 0): key is no seed, unlike those of this plan: make one with hagg-keygen"
    run -4 --separate-stderr as client-1 hagg-share --plan keys-in-full.plan --client 1 --round 1 --key forged-seed -o 'out-{}' v1.npy
    assert_equal "$stderr" "hagg-share: forged-seed: record 1 (byte 0): key is a seed, unlike those of this plan: make one with hagg-keygen"
    assert_not_exist out-1
}

@test "a whole round with keys that are seeds" {
    export HAGG_PLAN=keys.plan
    clients 1 2 3 4
    stations 1 2 3 -- --only shares
    chain federator/keys
    decode
    python3 -c "
import numpy
assert (numpy.load('total.npy') == 10 * numpy.arange(7)).all()"
}

@test "a random source makes the seeds of one dealing only, whatever the length, and none is sent before" {
    head -c 100000 /dev/urandom >source
    as station-1 hagg-keygen --state=s --station 1 --round 11 --length 4 --random-source source -o 'a-{}'
    run -6 --separate-stderr as station-1 hagg-keygen --state=s --station 1 --round 14 --length 400 \
        --random-source source -o 'b-{}'
    run -6 --separate-stderr as station-1 hagg-keygen --state=s --station 1 --round 14 --length 400 --random-source source
    assert_output ""
    # the same source for masks that are not seeds
    run -6 --separate-stderr as station-1 hagg-keygen --state=s --plan one.plan --station 1 --round 14 --length 400 \
        --random-source source -o 'c-{}'
    run -0 bash -c 'shopt -s nullglob; echo b-* c-*'
    assert_output ""
}

@test "a key that is shared is no seed" {
    sed 's/^collude .*/collude full stations=1/' "$BATS_FILE_TMPDIR/keys.topo" | sed 's/^client 4 .*/client 4 via 1-3/' >full.topo
    hagg-plan -q full.topo -o full.plan
    hagg-keygen --state=s --plan full.plan --client 1 --round 1 --length 100 -o key
    run -0 hagg-inspect key
    refute_output --partial seed
}

@test "hagg-plan sends keys to stations that clients reach without a courier" {
    printf '%s\n' "protocol keys" "collude partial clients=1 stations=2" "fallback computational" "stations 5" \
        "client 1-4 via 1-4" "client 5 via 2 3" "client 6 7 via 5" >few.topo
    for drop in 0 1; do
        { cat few.topo; echo "drop stations=$drop"; } >drop.topo
        run -0 --separate-stderr hagg-plan -q drop.topo
        # each key goes to a station of via
        python3 -c "
import sys
def numbers(words):
    return {n for w in words for n in range(int(w.split('-')[0]), int(w.split('-')[-1]) + 1)}
lines = [line.split() for line in sys.argv[1].splitlines() if line.startswith('client ')]
assert len(lines) >= 3, lines
for words in lines:
    at = [i for i, w in enumerate(words) if w.isalpha()] + [len(words)]
    lists = {words[a]: numbers(words[a + 1 : b]) for a, b in zip(at, at[1:])}
    assert lists['keys'] <= lists['via'], words
" "$output"
    done
}
