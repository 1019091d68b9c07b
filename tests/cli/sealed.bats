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

# plan: makes the.plan from the topology on standard input, without identities in ../plain, and with them here.
plan() {
    cat >../plain/the.topo
    { cat ../plain/the.topo && echo "identities ids.txt"; } >the.topo
    hagg-plan -q the.topo -o the.plan
    grep -v '^identities' the.plan >../plain/the.plan
}

# The same for a topology whose sets are chosen, and stay as they are.
plan_kept() {
    cat >../plain/the.plan
    { cat ../plain/the.plan && echo "identities ids.txt"; } >the.topo
    hagg-plan -q --keep the.topo -o the.plan
}

# both FUNCTION CLIENTS [OPTION...]: runs a round sealed and unsealed, and compares the totals with each other
# and with the sum of the vectors of these clients. Everything that is sent must be sealed, and must be what
# hagg-cost predicts, with these options.
both() {
    "$1"
    (cd ../plain && HAGG_STATE=$HAGG_STATE.plain UNSEALED=1 && mkdir "$HAGG_STATE" && "$1")
    cmp total.npy ../plain/total.npy
    assert_numpy "np.array_equal(load('total.npy')[:$LENGTH], sum(load(f'v{i}.npy').astype('i8') for i in [$2]))"
    assert_sealed station-*/* federator/*
    measure_both "${@:3}"
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
    plan_kept <<'END'
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
    (cd ../plain && HAGG_STATE=$HAGG_STATE.plain UNSEALED=1 && mkdir "$HAGG_STATE" && spare_round)
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
    plan_kept <<'END'
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
    plan_kept <<'END'
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
    plan_kept <<'END'
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
    plan_kept <<'END'
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
