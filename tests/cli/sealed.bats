#!/usr/bin/env bats
# Whole rounds of plans with identities. Every node has only its own private key.

load common
load round
load sealed

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    make_keys 1-6 1-6 6
}

# Changes to sealed/, with the keys and the vectors of six clients. plain/ is for the same round without keys.
setup() {
    local i

    cd "$BATS_TEST_TMPDIR"
    mkdir sealed plain
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt} sealed
    export LENGTH=11 HAGG_PLAN=the.plan
    unset HAGG_IDENTITY
    for i in 1 2 3 4 5 6; do
        npy sealed/v$i.npy "np.random.default_rng($i).integers(-1000, 1000, $LENGTH).astype('i4')"
        cp sealed/v$i.npy plain
    done
    cd sealed
}

# plan [OPTION...]: makes the.plan from the topology on standard input, with options of hagg-plan; in ../plain
# the same plan without identities.
plan() {
    { cat && echo "identities ids.txt"; } >the.topo
    keep_ids the.topo
    hagg-plan -q "$@" the.topo -o the.plan
    grep -v '^identities' the.plan >../plain/the.plan
}

# both FUNCTION CLIENTS [OPTION...]: runs a round sealed and unsealed, and compares the totals with each other
# and with the sum of the vectors of these clients. Everything that is sent must be sealed, and must be what
# hagg-cost predicts, with these options.
both() {
    "$1"
    unsealed "$1"
    cmp total.npy ../plain/total.npy
    assert_numpy "np.array_equal(load('total.npy')[:$LENGTH], sum(load(f'v{i}.npy').astype('i8') for i in [$2]))"
    assert_sealed station-*/* federator/*
    measure_both "${@:3}"
}

# unsealed FUNCTION: runs the round in ../plain.
unsealed() {
    (cd ../plain && HAGG_STATE=$HAGG_STATE.plain UNSEALED=1 && mkdir "$HAGG_STATE" && "$1")
}

# Checks that all records in these files are sealed.
assert_sealed() {
    run -0 --separate-stderr hagg-inspect --json "$@"
    assert_equal "$stderr" ""
    output=$(tail -1 <<<"$output")
    assert_json '0 < lines[0]["summary"]["records"] == lines[0]["summary"]["sealed"]'
}

# Checks that exactly the predicted symbols were sent, and as many as without keys.
measure_both() {
    local files=(station-*/* federator/*) links

    [ ! -d relay-1 ] && [ ! -d relay-2 ] || files+=(relay-*/*)
    run -0 --separate-stderr hagg-cost --measure --format json "$@" "${files[@]}"
    assert_json 'all(link["symbols"] == link["predicted_symbols"] for line in lines for link in line["links"])'
    links=$(symbols <<<"$output")
    run -0 --separate-stderr hagg-cost --measure --format json "$@" --plan ../plain/the.plan \
        $(printf '../plain/%s ' "${files[@]}")
    assert_equal "$(symbols <<<"$output")" "$links"
}

symbols() {
    python3 -c 'import json, sys
for link in json.load(sys.stdin)["links"]:
    print(link["from"], link["to"], link["records"], link["symbols"])'
}

aligned_full() {
    clients 1 2 3 4
    dealers $(sed -n 's/^dealers //p' the.plan | sed 's/1-5/1 2 3 4 5/')
    stations 1 2 3 4 5
    decode
}

@test "aligned, full collusion" {
    plan <<'END'
protocol aligned
collude full clients=1 stations=2
stations 5
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
END
    grep -q '^dealers 1-5' the.plan
    both aligned_full 1,2,3,4
}

aligned_partial() {
    local u

    clients 1 2 3 4
    for u in 1 2 3 4 5; do
        ! list dealers | grep -qx $u || dealers $u
    done
    stations 1 2 3 4 5
    decode
}

# list WORD: the numbers on a line of the plan, one per line.
list() {
    python3 -c '
import sys
for line in open("the.plan"):
    words = line.split()
    if words and words[0] == sys.argv[1]:
        for word in words[1:]:
            first, _, last = word.partition("-")
            print(*range(int(first), int(last or first) + 1), sep="\n")' "$1"
}

@test "aligned, partial collusion" {
    plan --keep <<'END'
protocol aligned
collude partial clients=1 stations=1
stations 5
segments 4
client 1 2 via 1-3
client 3 via 1-5
client 4 via 2-5
END
    run -0 list dealers
    refute_output ""
    both aligned_partial 1,2,3,4
}

spare_round() {
    local u

    clients 1 2 3 4
    dealers 1 2 3 4 5 6
    rm station-2/client-4 # which drops out
    mkdir -p reports
    for u in 1 2 3 4 5 6; do
        as station-$u hagg-roster -q --round 1 --station $u -o reports/$u station-$u/client-*
    done
    as federator hagg-roster -q --round 1 -o roster reports/* 2>said
    stations 1 2 4 6 -- --roster roster
    decode --roster roster
}

@test "aligned with two missing stations, a dropped client and a roster" {
    plan <<'END'
protocol aligned
collude full clients=1 stations=1
drop clients=1 stations=2
stations 6
client 1 via 1-4
client 2 via 2-6
client 3 4 via 1-6
END
    spare_round
    assert_equal "$(cat said)" "hagg-roster: client 4: missing at station 2"
    assert_sealed reports/* roster
    assert_equal "$(hagg-inspect --json roster | wc -l)" 8 # six stations, the federator, and the summary
    unsealed spare_round
    cmp total.npy ../plain/total.npy
    assert_numpy "np.array_equal(load('total.npy'), sum(load(f'v{i}.npy').astype('i8') for i in [1, 2, 3]))"
    assert_sealed station-*/* federator/*
}

relay_round() {
    local u

    clients 1 2 3 4
    for u in $(list dealers); do
        dealers $u
    done
    stations_to_relays 1 2 3 4 5 6
    relays $(ls -d relay-* | grep -o '[0-9]*')
    decode
}

@test "aligned with relays that combine sums and relays that pass them on" {
    plan --keep <<'END'
protocol aligned
collude full clients=1 stations=1
stations 6
relays 3
station 1-4 via 1
station 5 6 via 3
client 1 via 1-4
client 2 via 1-6
client 3 via 1 2
client 4 via 1-4 6
END
    both relay_round 1,2,3,4
    assert_sealed relay-*/*
    run -0 hagg-inspect --json federator/*
    assert_json '{line["kind"] for line in lines[:-1]} == {"summand", "share"}'
}

keys_partial() {
    clients 1 2 3 4 -- "${SAMPLES[@]}"
    stations 1 2 3 -- --only shares
    chain federator/keys
    decode
}

@test "keys, partial collusion, with the chain of keys" {
    SAMPLES=()
    plan <<'END'
protocol keys
collude partial clients=1 stations=1
stations 3
client 1-4 via 1-3
END
    both keys_partial 1,2,3,4
    assert_exist station-3/keys
}

@test "samples" {
    SAMPLES=(--samples 7)
    plan <<'END'
protocol keys
collude partial clients=1 stations=1
stations 3
samples
client 1-4 via 1-3
END
    both keys_partial 1,2,3,4
    run -0 --separate-stderr as federator hagg-decode --mean -o mean.npy federator/*
    assert_line_of_stderr "hagg-decode: of 28 samples"
}

assert_line_of_stderr() {
    printf '%s\n' "$stderr" | grep -qxF "$1" || fail "not in standard error: $1
$stderr"
}

keys_full() {
    clients 1 2 3 4 5 6
    stations 1 2 3 4 5
    decode
}

@test "keys, full collusion" {
    plan --keep <<'END'
collude  full clients=1 stations=2
stations 5
client   1  via 1 2 3 5  shares 1 3 5  keys 1 2 5
client   2  via 1 2 3 5  shares 1 3 5  keys 1 2 3 5
client   3  via 1-5      shares 2-5    keys 1 2 3 5
client   4  via 2-5      shares 2-5    keys 2 4 5
client   5  via 1 2 4 5  shares 1 2 5  keys 2 4 5
client   6  via 1 2 5    shares 1 2 5  keys 1 2 5
protocol keys
END
    both keys_full 1,2,3,4,5,6
}

keys_relays() {
    local u r

    clients 1 2 3 4
    for u in 1 2 3 4; do
        as station-$u hagg-aggregate --station $u --only shares -o "relay-{}/station-$u" station-$u/*
    done
    chain "relay-{}/keys"
    relays $(ls -d relay-* | grep -o '[0-9]*')
    decode
}

@test "keys with relays" {
    plan --keep <<'END'
collude  partial clients=1 stations=1 relays=1
stations 4
relays   4
station  1  via 1 4
station  2  via 1 2
station  3  via 2 3
station  4  via 3 4
client   1  via 1-3    shares 1-3    keys 1  relays 1-3
client   2  via 1-3    shares 1-3    keys 2  relays 1-3
client   3  via 2-4    shares 2-4    keys 3  relays 1-3
client   4  via 1 2 4  shares 2 4 1  keys 1  relays 1 3 4
protocol keys
END
    both keys_relays 1,2,3,4
    assert_sealed relay-*/*
}

# What a station adds up before it transforms it, and what a relay makes of transfers before it adds it up,
# stays in private.
keys_transform() {
    local u r keys

    clients 1 2 3 4
    for u in 1 2 3 4; do
        as station-$u hagg-aggregate --station $u --only shares -o private/sum-$u station-$u/client-*
        as station-$u hagg-transform --step contribute --station $u -o "relay-{}/station-$u" private/sum-$u
    done
    chain "relay-{}/keys"
    mkdir -p federator
    for r in 1 2 3 4 5 6; do
        as relay-$r hagg-transform --step finish --relay $r -o private/shares-$r relay-$r/station-*
        keys=(relay-$r/key[s])
        [ -e "${keys[0]}" ] || keys=()
        as relay-$r hagg-aggregate --relay $r -o federator/relay-$r private/shares-$r "${keys[@]}"
    done
    decode
}

transform_plan() {
    plan --keep <<'END'
collude partial clients=1 stations=2 relays=4
stations 4
relays 6
transform direct
station 1-4 via 1-6
client 1 2 via 1-3 shares 1-3 keys 1 relays 1-6
client 3 via 1-4 shares 1-4 keys 4 relays 1-6
client 4 via 2-4 shares 2-4 keys 3 relays 1-5
protocol keys
END
}

@test "keys with transformed sharings" {
    transform_plan
    both keys_transform 1,2,3,4
    assert_sealed relay-*/*
    run -0 hagg-inspect --json relay-1/*
    assert_json 'any(line["kind"] == "transfer" for line in lines[:-1])'
}

@test "files that a node makes for itself can be opened by nobody else" {
    transform_plan
    keys_transform
    assert_sealed private/sum-* private/shares-*
    run -0 hagg-inspect --json private/sum-2 private/shares-3
    assert_json 'lines[0]["from"] == lines[0]["to"] == ["station", 2]'
    run -6 --separate-stderr as station-1 hagg-transform --step contribute --station 1 private/sum-2 -o "x-{}"
    assert_equal "$stderr" "hagg-transform: private/sum-2: record 1 (byte 0): is sealed to station 2, but this is station 1"
    run -6 --separate-stderr as relay-1 hagg-aggregate --relay 1 private/shares-3 -o x
    assert_equal "$stderr" "hagg-aggregate: private/shares-3: record 1 (byte 0): is sealed to relay 3, but this is relay 1"
    assert_equal "$(stat -c %a private/sum-2)" 600
}

city() {
    plan --keep <<'END'
protocol aligned
collude full clients=1 stations=1
stations 4
segments 2
client 1 2 via 1-3
client 3 via 1-4
client 4 via 2-4
END
}

# The whole round of city, in files.
city_round() {
    clients 1 2 3 4
    dealers $(list dealers)
    stations 1 2 3 4
    decode
}

@test "one process can act as many clients, or as all dealers, with {tier} and {}" {
    city
    mv keys/federator.pem keys/federator-1.pem
    export HAGG_IDENTITY='keys/{tier}-{}.pem'
    hagg-keygen --stations all --round 1 --length $LENGTH -o 'station-{}/mask-{dealer}'
    hagg-share --clients all --round 1 -o 'station-{}/client-{client}' 'v{}.npy'
    unset HAGG_IDENTITY
    assert_sealed station-*/*
    # each file opens with the key of its station, and of no other
    stations 1 2 3 4
    mv keys/federator-1.pem keys/federator.pem
    decode
    assert_numpy "np.array_equal(load('total.npy'), sum(load(f'v{i}.npy').astype('i8') for i in [1, 2, 3, 4]))"
}

@test "many clients in one process give the records of one process each" {
    city
    for i in 1 2 3 4; do
        HAGG_IDENTITY=keys/client-$i.pem hagg-share --client $i --round 1 -o "one-{}-$i" v$i.npy
    done
    for threads in 1 2; do
        HAGG_IDENTITY='keys/client-{}.pem' hagg-share --clients all --round 1 --threads $threads \
            -o 'all-{}-{client}' 'v{}.npy'
        for file in one-*; do
            cmp $file all-${file#one-}
        done
    done
}

@test "a round in one pipeline" {
    city
    mv keys/federator.pem keys/federator-1.pem
    export HAGG_IDENTITY='keys/{tier}-{}.pem'
    {
        hagg-keygen --stations all --round 1 --length $LENGTH
        hagg-share --clients all --round 1 'v{}.npy'
    } | tee all.cbor | hagg-aggregate | tee sums.cbor | hagg-decode -q -o total.npy
    assert_numpy "np.array_equal(load('total.npy'), sum(load(f'v{i}.npy').astype('i8') for i in [1, 2, 3, 4]))"
    assert_sealed all.cbor sums.cbor
}

@test "a process for many clients that does not have the key of one of them" {
    city
    rm keys/client-3.pem
    HAGG_IDENTITY='keys/client-{}.pem' run -1 --separate-stderr hagg-share --clients all --round 1 -o 'x-{}-{client}' 'v{}.npy'
    assert_equal "$stderr" "hagg-share: client 3: x-{}-{client}: keys/client-3.pem: No such file or directory"
    assert_output ""
    run -1 compgen -G 'x-?-[34]'
    # the other clients are complete or not there
    HAGG_IDENTITY='keys/client-{}.pem' run -0 hagg-share --clients 1,2,4 --round 1 -o 'x-{}-{client}' 'v{}.npy'
    assert_sealed x-*
}

@test "hagg-inspect and hagg-cost --measure read sealed files without keys" {
    city
    city_round
    rm -r keys ids.txt
    run -0 --separate-stderr hagg-inspect station-2/client-1
    assert_equal "$stderr" ""
    assert_line --regexp "^ +1 share +plain +m31 +1 +11 aligned [0-9,]+ +station 2 +1 +sealed +station-2/client-1$"
    assert_line "1 record in 1 file, 1 sealed"
    run -0 --separate-stderr hagg-cost --measure station-*/* federator/*
}

@test "a sealed file that was damaged on its way: hagg-inspect finds it without keys" {
    city
    clients 1
    python3 -c 'data = bytearray(open("station-1/client-1", "rb").read()); data[-30] ^= 1; open("bad", "wb").write(data)'
    run -3 --separate-stderr hagg-inspect bad
    assert_regex "$stderr" "bad: record 1 \\(byte 0\\): digest does not match"
}

# enc_of FILE...: the encapsulated key of each record, one per line.
enc_of() {
    sealed_python 'for name in sys.argv[1:]:
    for record in records(name):
        print(record.payload.enc.hex())' "$@"
}

@test "hagg-share repeated gives the same bytes, and different ephemeral keys to all stations" {
    city
    clients 1 2
    for i in 1 2; do
        as client-$i hagg-share --client $i --round 1 -o "again-{}-$i" v$i.npy
        for u in 1 2 3; do
            cmp station-$u/client-$i again-$u-$i
        done
    done
    enc_of station-?/client-[12] >enc
    assert_equal "$(wc -l <enc)" 6
    assert_equal "$(sort -u enc | wc -l)" 6
}

@test "another round, vector, plan, node or identity: another ephemeral key" {
    local n

    city
    clients 1
    enc_of station-?/client-1 >enc
    # another round, of another vector, because a vector is shared once
    as client-1 hagg-share --client 1 --round 2 -o "round-{}" v2.npy
    enc_of round-? >>enc
    # the same vector and round with a state that has another secret
    HAGG_STATE=$HAGG_STATE/other HAGG_IDENTITY=keys/client-1.pem hagg-share --client 1 --round 1 -o "state-{}" v1.npy
    enc_of state-? >>enc
    # another client
    as client-2 hagg-share --client 2 --round 1 -o "client-{}" v2.npy
    enc_of client-? >>enc
    # another plan: one comment more among the identities
    mkdir other
    { cat ids.txt && echo "# one more"; } >other/ids.txt
    hagg-plan -q --keep the.topo -o /dev/null
    cp the.topo other
    hagg-plan -q --keep other/the.topo -o other/the.plan
    as client-1 hagg-share --plan other/the.plan --client 1 --round 1 -o "plan-{}" v3.npy
    enc_of plan-? >>enc
    # another key of client 1, and of station 1
    hagg-keygen --identity new.pem --client 1 >>other/ids.txt
    hagg-plan -q --keep other/the.topo -o other/the.plan
    HAGG_STATE=$HAGG_STATE/client-1 hagg-share --identity new.pem --plan other/the.plan --client 1 --round 1 -o "key-{}" v4.npy
    enc_of key-? >>enc
    n=$(wc -l <enc)
    assert_equal "$n" 18
    assert_equal "$(sort -u enc | wc -l)" 18
}

@test "with random bytes from a file, or without a state, the ephemeral key is a new one" {
    city
    head -c 100000 /dev/urandom >random
    for n in 1 2; do
        as client-1 hagg-share --no-state --random-source random --client 1 --round 1 -o "random-$n-{}" v$n.npy
        as client-1 hagg-share --no-state --client 1 --round 1 -o "new-$n-{}" v1.npy
    done
    # the same random bytes for different vectors: what is inside differs, under the same header
    sealed_python '
(header, first), (other, second) = only("random-1-2"), only("random-2-2")
assert header == other
assert (opened(header, first) != opened(other, second)).any()'
    enc_of random-?-? new-?-? >enc
    assert_equal "$(wc -l <enc)" 12
    assert_equal "$(sort -u enc | wc -l)" 12
}

@test "masks repeated are the same bytes" {
    city
    dealers 1
    as station-1 hagg-keygen --station 1 --round 1 --length $LENGTH -o "again-{}"
    for u in 1 2 3 4; do
        cmp station-$u/mask-1 again-$u
    done
    as station-1 hagg-keygen --station 1 --round 2 --length $LENGTH -o "other-{}"
    enc_of again-? other-? >enc
    assert_equal "$(sort -u enc | wc -l)" 8
}

@test "sums repeated are the same inside, but sealed anew" {
    city
    city_round
    as station-2 hagg-aggregate --station 2 -o again station-2/*
    sealed_python '
first, second = only("federator/station-2"), only("again")
assert first[0] == second[0]
assert first[1].enc != second[1].enc and first[1].chunks != second[1].chunks
assert (opened(*first) == opened(*second)).all()'
}

# vector_of_client DIRECTORY: prints "found" if the vector of client 3 can be decoded from its files for the
# stations, as whoever sees the files of a drop server can try it: v3 is a polynomial of degree z through the
# values at k - z segments.
vector_of_client() {
    PYTHONPATH=$HAGG_SOURCE_DIR/tests/format:$HAGG_SOURCE_DIR/tests/cli python3 -B - "$1" v3.npy <<'END'
import sys

import numpy

from sealed_records import records, Sealed

P = 2**31 - 1
wanted = numpy.load(sys.argv[2])
rows = []
for u in range(1, 5):
    record, = records(f"{sys.argv[1]}/station-{u}/client-3")
    payload = record.payload
    raw = payload.chunks if isinstance(payload, Sealed) else payload.tobytes()
    rows.append((record.header, numpy.frombuffer(raw[: len(raw) // 4 * 4], dtype="<u4")))
header = rows[0][0]
n_segments, block, length = header["segments"], header["blocks"][0], header["length"]
size = -(-length // n_segments)
points = [h["scheme"]["point"] for h, _ in rows]


def at(x, values):
    """The value at x of the polynomial through the points."""
    total = 0
    for i, value in enumerate(values):
        top = bottom = 1
        for j, other in enumerate(points):
            if j != i:
                top, bottom = top * (x - other) % P, bottom * (points[i] - other) % P
        total += int(value) * top * pow(bottom, -1, P)
    return total % P


found = []
for segment in range(n_segments):
    row = segment // block
    for e in range(size):
        value = at(segment, [values[row * size + e] for _, values in rows])
        found.append(value - P if value > P // 2 else value)
print("found" if found[:length] == wanted.tolist() else "not found")
END
}

@test "nothing is readable without keys: the same attack finds a vector in unsealed files only" {
    city
    city_round
    unsealed city_round
    run -0 vector_of_client ../plain
    assert_output found
    run -0 vector_of_client .
    assert_output "not found"
    # no file has eight bytes of what the receivers find inside
    sealed_python '
everything = b"".join(open(name, "rb").read() for name in sys.argv[1:])
n = 0
for name in sys.argv[1:]:
    for record in records(name):
        inside = opened(record.header, record.payload).tobytes()
        for at in range(0, len(inside) - 7, 4):
            n += 1
            assert inside[at : at + 8] not in everything, name
assert n > 100, n' station-*/* federator/*
}

@test "a pipeline with the keys of partial collusion: their total is sealed, too" {
    plan <<'END'
protocol keys
collude partial clients=1 stations=1
stations 3
client 1-4 via 1-3
END
    mv keys/federator.pem keys/federator-1.pem
    export HAGG_IDENTITY='keys/{tier}-{}.pem'
    for i in 1 2 3 4; do
        hagg-keygen --client $i --round 1 --length $LENGTH | hagg-share --client $i --round 1 --key - v$i.npy
    done | hagg-aggregate >sums.cbor
    assert_sealed sums.cbor
    run -0 --separate-stderr hagg-decode -q -o total.npy sums.cbor
    assert_equal "$stderr" ""
    assert_numpy "np.array_equal(load('total.npy'), sum(load(f'v{i}.npy').astype('i8') for i in [1, 2, 3, 4]))"
}

@test "a node with two keys: others seal to the first, and accept both" {
    local first second

    hagg-keygen --identity keys/new.pem --station 2 >line
    cat ids.txt >>line # the new key is the first one
    mv line ids.txt
    hagg-keygen --identity keys/more.pem --client 1 >>ids.txt
    first=$(sed -n '1s/.* # //p' ids.txt)
    second=$(sed -n '2,$s/^station 2 .* # //p' ids.txt)
    city
    HAGG_IDENTITY=keys/more.pem hagg-share --client 1 --round 1 -o 'station-{}/client-1' v1.npy
    clients 2 3 4
    dealers 1 3 4
    HAGG_IDENTITY=keys/station-2.pem hagg-keygen --station 2 --round 1 --length $LENGTH -o 'station-{}/mask-2'
    run -0 sealed_python 'for record in records("station-2/client-1") + records("station-1/mask-2"):
    print(record.payload.sender.hex(), record.payload.receiver.hex())'
    assert_output "$(sed -n 's/^client 1 .* # //p' ids.txt | tail -1) $first
$second $(sed -n 's/^station 1 .* # //p' ids.txt)"
    run -6 --separate-stderr as station-2 hagg-aggregate --station 2 -o sum station-2/*
    assert_equal "$stderr" "hagg-aggregate: station-2/client-1: record 1 (byte 0): is sealed to another key of station 2: give the private key with the id $first; if the node never had it, the list of identities is false: stop, and compare it with the others"
    assert_not_exist sum
    cp keys/new.pem keys/station-2.pem
    stations 1 2 3 4
    decode
    assert_numpy "np.array_equal(load('total.npy'), sum(load(f'v{i}.npy').astype('i8') for i in [1, 2, 3, 4]))"
}

@test "private keys from pipes, and files with spaces in their names" {
    city
    mkdir "the keys"
    mv keys "the keys/all keys"
    cat "the keys/all keys/client-1.pem" | hagg-share --identity - --client 1 --round 1 -o "a {} b" v1.npy
    hagg-share --identity "the keys/all keys/client-1.pem" --client 1 --round 1 -o "c {} d" v1.npy
    hagg-share --identity <(cat "the keys/all keys/client-1.pem") --client 1 --round 1 -o "e {} f" v1.npy
    for u in 1 2 3; do
        cmp "a $u b" "c $u d"
        cmp "a $u b" "e $u f"
    done
}

@test "standard input is not the private key and the vector at once" {
    for file in "" -; do
        # shellcheck disable=SC2086 # a word or none
        run -2 --separate-stderr hagg-share --identity - --client 1 --round 1 --type i4 --format text -o 'x{}' $file <<<1
        assert_regex "$stderr" "^hagg-share: standard input is either the private key or the vector: name a file for one of them"
    done
    run -1 compgen -G 'x*'
}

@test "an output that cannot be written leaves the round as it was" {
    city
    clients 1 2 3 4
    dealers $(list dealers)
    run -1 --separate-stderr as station-1 hagg-aggregate --station 1 -o /dev/full station-1/*
    assert_equal "$stderr" "hagg-aggregate: /dev/full: No space left on device"
    run -1 --separate-stderr as station-1 bash -c 'hagg-aggregate --station 1 station-1/* >/dev/full'
    assert_equal "$stderr" "hagg-aggregate: standard output: No space left on device"
    stations 1 2 3 4
    decode
}

@test "several processes of a client at once write the same bytes" {
    city
    mkdir -m 700 "$HAGG_STATE/client-1"
    for k in 1 2 3 4 5 6; do
        as client-1 hagg-share --client 1 --round 1 -o "run-$k-{}" v1.npy &
    done
    wait
    for k in 2 3 4 5 6; do
        for u in 1 2 3; do
            cmp run-1-$u run-$k-$u
        done
    done
}
