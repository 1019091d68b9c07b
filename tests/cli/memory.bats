#!/usr/bin/env bats
# Short rounds and refusals under valgrind, in which every command runs. scripts/test valgrind runs all
# other files under valgrind too.

load common
load round
load sealed
load couriers

setup_file() {
    export HAGG_VALGRIND=1
    common_setup_file
}

setup() {
    begin_round
}

@test "plans for partial and full collusion" {
    run -0 --separate-stderr hagg-plan -q small.topo -o small.plan
    printf '%s\n' "collude full clients=1 stations=1" "stations 4" "client 1 2 via 1-3" \
        "client 3 4 via 2-4" "protocol keys" >full.topo
    run -0 --separate-stderr hagg-plan full.topo -o full.plan
    run -0 --separate-stderr hagg-plan --dot --keep full.plan -o full.dot
    run -6 --separate-stderr hagg-plan --keep full.topo
}

@test "costs of plans, of numbers, of random networks" {
    printf '%s\n' "collude partial stations=1 relays=1" "length 100" "stations 4" "relays 4" \
        "station 1-4 via 1-4" "client 1 2 via 1-3" "client 3 4 via 2-4" "protocol keys" >relays.topo
    hagg-plan -q relays.topo -o relays.plan
    for line in relays.plan "--format json relays.topo" "--only c1,c2 --format tsv small.topo" \
        "--clients 9 --stations 4 --relays 4 --format gnuplot --sweep reach=2..4" \
        "--random --clients 9 --stations 5 --sweep seed=1..2" \
        "--random --clients 9 --stations 5 --relays 4 --topology"; do
        # shellcheck disable=SC2086 # a line of words
        run -0 --separate-stderr hagg-cost $line
        assert_equal "$stderr" ""
    done
    run -2 --separate-stderr hagg-cost --clients 9 --stations 4 --sweep reach=3..5
    assert_equal "$stderr" "hagg-cost: reach=5: each client would reach 5 stations, but there are 4"
    run -3 --separate-stderr hagg-cost --collude stations=3 small.topo
}

@test "audits of plans that are private and of plans that are not" {
    printf '%s\n' "collude full clients=1 stations=1" "stations 3" "client 1 2 via 1-3 shares 1 2 keys 1-3" \
        "client 3 via 1-3 shares 1 2 keys 2 3" "protocol keys" >full.plan
    run -0 --separate-stderr hagg-audit full.plan
    assert_line "private: 18 coalitions checked"
    run -0 --separate-stderr hagg-audit --max --threads 2 full.plan
    run -5 --separate-stderr hagg-audit --sample 20 --threads 2 --json full.plan
    sed 's/shares 1 2 keys 2 3/shares 1 3 keys 2 3/' full.plan >leaks.plan
    run -0 --separate-stderr hagg-audit --report page.html full.plan
    run -6 --separate-stderr hagg-audit --report page.html leaks.plan
    assert_line "  client 3: its whole vector"
    run -6 --separate-stderr hagg-audit --colluders 'stations=1,3 clients=1 federator missing=2' leaks.plan
    run -2 --separate-stderr hagg-audit --colluders 'clients=7' leaks.plan
    printf '%s\n' "collude partial stations=1" "stations 3" "fallback computational" "client 1 2 via 1-3" \
        "client 3 via 1" "client 4 via 2 3 computational" >seeds.plan
    run -0 --separate-stderr hagg-audit --report page.html seeds.plan
    assert_line --partial "information-theoretic: clients 1 and 2,"
    run -0 --separate-stderr hagg-audit --json --colluders stations=1 seeds.plan
}

@test "a round as a Makefile" {
    for i in 1 2 3 4; do
        printf '%s\n' 0.5 0.25 >v$i.txt
    done
    run -0 --separate-stderr hagg-round --emit make --round 1 --vectors 'v{}.txt' --workdir "a b" \
        --clients 1,3 small.topo
    assert_line --partial "client-3/out/station-{}.cbor' v3.txt"
    for language in parallel slurm; do
        run -0 --separate-stderr hagg-round --emit $language --round 1 --vectors 'v{}.txt' --workdir "a b" small.topo
    done
    for node in client=2 federator; do
        run -0 --separate-stderr hagg-round --emit sh --node $node --round 1 --vectors v2.txt --workdir "a b" \
            --send 'send {file} {to} {name}' --identity '{tier}-{}' small.topo
    done
    run -0 --separate-stderr hagg-round --prepare a/b/station-1
    chmod 755 a/b/station-1/private
    run -6 --separate-stderr hagg-round --prepare a/b/station-1
    run -5 --separate-stderr hagg-round --emit make --round 1 --vectors 'v{}.txt' --workdir w \
        --without stations=2 small.topo
}

@test "a round of integers" {
    share_ints 1 1 10 100
    share_ints 2 2 20 200
    add_stations
    run -0 --separate-stderr hagg-decode --plan small.topo --format text from-?.cbor keys-3.cbor
    assert_output $'3\n30\n300'
    assert_equal "$stderr" "hagg-decode: round 1: total of 2 clients: 1-2"
    run -0 hagg-inspect from-1.cbor keys-3.cbor
    assert_line --partial "station 1-3"
}

@test "protocol aligned: a pipeline with masks, and relays that combine and pass on" {
    printf '%s\n' "collude full clients=1 stations=1" "stations 4" "relays 2" "station 1-3 via 1" "station 4 via 2" \
        "client 1 2 via 1-4" "client 3 via 1-3" >aligned.topo
    for u in 1 2 3 4; do
        hagg-keygen --plan aligned.topo --station $u --round 1 --length 2
    done >records.cbor
    for i in 1 2 3; do
        printf '%s\n' $i 1$i | hagg-share --plan aligned.topo --client $i --round 1 --type i4 --format text
    done >>records.cbor
    hagg-aggregate --plan aligned.topo records.cbor | hagg-aggregate --plan aligned.topo -o relays.cbor
    run -0 --separate-stderr hagg-decode --plan aligned.topo --format text relays.cbor
    assert_output $'6\n36'
    run -0 hagg-inspect --json relays.cbor
    assert_line --index 0 --partial '"kind":"summand"'
    run -4 hagg-decode --plan aligned.topo --format text relays.cbor relays.cbor
}

@test "protocol aligned: sums that stand by" {
    printf '%s\n' "collude full clients=1 stations=1" "drop stations=1" "stations 4" "client 1-3 via 1-4" >spare.topo
    for i in 1 2 3; do
        printf '%s\n' $i 1$i | hagg-share --plan spare.topo --client $i --round 1 --type i4 --format text
    done >records.cbor
    hagg-aggregate --plan spare.topo --present 1-4 -o first.cbor records.cbor
    hagg-aggregate --plan spare.topo --present 1,2,4 --after 1-4 -o rest.cbor records.cbor
    run -0 hagg-inspect --json first.cbor rest.cbor
    assert_json '[line["from"][1] for line in lines[:-1]] == [1, 2, 3, 4]'
    run -0 --separate-stderr hagg-decode --plan spare.topo --format text first.cbor rest.cbor
    assert_output $'6\n36'
    run -5 --separate-stderr hagg-aggregate --plan spare.topo --present 1,2 -o few.cbor records.cbor
    run -0 --separate-stderr hagg-cost --plan spare.topo --only 'plan,plan stand-by' --format tsv
    run -0 --separate-stderr hagg-round --emit make --stand-by --round 1 --length 2 --vectors 'v{}' --workdir work spare.topo
}

@test "seeds of shares and masks, a courier, and what is refused" {
    make_keys 1-4 1-4
    cp keys/federator.pem keys/federator-1.pem
    printf '%s\n' "collude full clients=1 stations=1" "stations 4" "privacy computational" "client 1 2 via 1-4" \
        "client 3 via 1-3" "client 4 via 2" "identities ids.txt" "dealers 1-4" >seeds.topo
    export HAGG_IDENTITY='keys/{tier}-{}.pem' HAGG_PLAN=seeds.plan
    hagg-plan -q --keep seeds.topo -o seeds.plan
    for u in 1 2 3 4; do
        hagg-keygen --station $u --round 1 --length 2
    done >records.cbor
    for i in 1 2 3 4; do
        printf '%s\n' $i 1$i | hagg-share --client $i --round 1 --type i4 --format text
    done >>records.cbor
    run -0 --separate-stderr bash -c 'set -o pipefail; hagg-aggregate records.cbor | hagg-decode --format text'
    assert_output $'10\n50'
    run -0 hagg-inspect records.cbor
    assert_output --partial "as a seed"
    run -4 hagg-decode records.cbor
    grep -v '^identities' seeds.plan >bare.plan
    run -6 env -u HAGG_IDENTITY hagg-keygen --plan bare.plan --station 1 --round 1 --length 2
}

@test "seeds of keys" {
    make_keys 1-3 1-3
    cp keys/federator.pem keys/federator-1.pem
    printf '%s\n' "protocol keys" "collude partial stations=1" "stations 3" "privacy computational" \
        "client 1-3 via 1-3" "identities ids.txt" >seeds.topo
    export HAGG_IDENTITY='keys/{tier}-{}.pem' HAGG_PLAN=seeds.plan
    hagg-plan -q seeds.topo -o seeds.plan
    for i in 1 2 3; do
        hagg-keygen --client $i --round 1 --length 2 -o key-$i
        printf '%s\n' $i 1$i | hagg-share --client $i --round 1 --key key-$i --type i4 --format text
    done >records.cbor
    run -0 --separate-stderr bash -c 'set -o pipefail; hagg-aggregate records.cbor | hagg-decode --format text'
    assert_output $'6\n36'
    seq 2 >other.txt
    run -4 hagg-share --client 1 --round 2 --key key-1 --type i4 other.txt
}

@test "a pipeline of floats, with surplus shares" {
    npy v.npy "np.array([0.5, -0.25, 1.0])"
    run -0 --separate-stderr hagg-share -n 4 -k 2 -z 1 --quantize bits=16,clip=1.0 -o 's{}.cbor' v.npy
    assert_equal "$stderr" ""
    cat s?.cbor | hagg-aggregate >sums.cbor
    run -0 --separate-stderr hagg-decode --correct -o sum.npy sums.cbor
    assert_numpy "abs(load('sum.npy') - [0.5, -0.25, 1.0]).max() < 1e-4"
}

@test "hagg-cost --measure, with and without differences" {
    share_ints 1 1 10 100
    share_ints 2 2 20 200
    add_stations
    run -0 --separate-stderr hagg-cost --measure --plan small.topo --clients 1-2 --format json \
        station-* from-?.cbor keys-?.cbor from-1.cbor
    # shares of ceil(3 / 2) from two clients to three stations and their sums, and five keys of 3
    assert_json 'lines[0]["in_all"]["symbols"] == lines[0]["in_all"]["predicted_symbols"] == 33'
    rm station-2/client-1.cbor
    run -4 --separate-stderr hagg-cost --measure --plan small.topo --without stations=3 .
    assert_line "client 1 to station 2: no vectors were sent, predicted 2 symbols"
    run -0 --separate-stderr hagg-cost --measure --format tsv station-1
    assert_line --regexp $'^client\tstation\tkeys\t2\t6\t'
    assert_equal "$(awk 'NR > 1 { n += $6 } END { print n }' <<<"$output")" "$(cat station-1/* | wc -c)"
}

@test "reports, a roster, and what is refused" {
    share_ints 1 1 10 100
    share_ints 2 2 20 200
    share_ints 3 3 30 300
    rm station-2/client-3.cbor
    for u in 1 2 3; do
        run -0 --separate-stderr hagg-roster --plan small.topo --station $u --round 1 --clients 1-3 -o report-$u.cbor station-$u/*.cbor
    done
    run -0 --separate-stderr hagg-roster --plan small.topo --round 1 --clients 1-3 -o roster.cbor report-?.cbor
    assert_equal "$stderr" "hagg-roster: client 3: missing at station 2
hagg-roster: round 1: roster of 2 clients: 1-2"
    run -0 --separate-stderr hagg-roster --plan small.topo --round 1 --json --clients 1-3 station-?/*.cbor
    add_stations --roster roster.cbor
    run -0 --separate-stderr hagg-decode --plan small.topo --roster roster.cbor --format text from-?.cbor keys-3.cbor
    assert_output $'3\n30\n300'
    run -5 --separate-stderr hagg-roster --plan small.topo --round 1 --clients 1-3 report-[12].cbor
    run -4 --separate-stderr hagg-roster --plan small.topo --round 1 report-1.cbor report-1.cbor
    run -4 --separate-stderr hagg-decode --plan small.topo --roster report-1.cbor from-?.cbor keys-3.cbor
}

@test "sharings transformed by every method" {
    printf '%s\n' 1 2 3 4 5 | hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o old.cbor
    run -0 --separate-stderr hagg-transform --step contribute --holders 1-4 -k 3 -z 1 -o sent.cbor old.cbor
    run -0 --separate-stderr hagg-transform --step finish -o direct.cbor sent.cbor
    # transform the result again, with transport; then extend it
    hagg-transform --step contribute --holders 1-3 -k 2 -z 1 --method transport direct.cbor |
        hagg-transform --step collect | hagg-transform --step finish >anew.cbor
    hagg-transform --step contribute --holders 1-5 -k 2 -z 1 --method transport anew.cbor |
        hagg-transform --step collect | hagg-transform --step finish >extended.cbor
    hagg-transform --step contribute --holders 1-4 -k 2 -z 1 --method forward extended.cbor >forwarded.cbor
    run -0 --separate-stderr hagg-decode -q --format text forwarded.cbor
    assert_output $'1\n2\n3\n4\n5'
    run -4 --separate-stderr hagg-transform --step finish sent.cbor sent.cbor
    assert_equal "$stderr" "hagg-transform: sent.cbor: holder 1 has already contributed (see sent.cbor)"
    head -c 500 sent.cbor >cut.cbor
    run -3 --separate-stderr hagg-transform --step finish cut.cbor
    assert_equal "$stderr" "hagg-transform: cut.cbor: record 2 (byte 266): ends too early, in its payload: get it again"
}

@test "a sealed round with masks, a roster and two chunks, and what is refused" {
    make_keys 1-3 1-3
    printf '%s\n' "protocol aligned" "collude full clients=1 stations=1" "stations 3" "client 1 2 via 1-3" \
        "client 3 via 1 2" "identities ids.txt" >sealed.topo
    export HAGG_PLAN=sealed.topo LENGTH=40000
    for i in 1 2 3; do
        npy v$i.npy "np.arange($LENGTH, dtype='i4') * $i"
    done
    clients 1 2 3
    dealers 1 2 3
    for u in 1 2 3; do
        as station-$u hagg-roster -q --round 1 --station $u -o report-$u station-$u/client-*
    done
    as federator hagg-roster -q --round 1 -o roster report-?
    stations 1 2 3 -- --roster roster
    decode --roster roster
    assert_numpy "np.array_equal(load('total.npy'), np.arange($LENGTH) * 6)"
    as federator hagg-seal --to client=2 -o total.sealed total.npy
    run -0 --separate-stderr as client-2 hagg-open --from federator -o opened.npy total.sealed
    cmp total.npy opened.npy
    run -6 --separate-stderr as client-3 hagg-open -o no.npy total.sealed
    forge station-1/client-1 'payload = chunks(payload, *reversed(range(len(payload.pieces()))))' forged
    run -6 --separate-stderr as station-1 hagg-roster --round 1 --station 1 -o out forged
    for file in station-2/client-1 report-1; do
        run --separate-stderr as station-1 hagg-aggregate --station 1 -o out $file
        assert_regex "$status" '^[46]$'
    done
    run -6 --separate-stderr as station-2 hagg-aggregate --station 1 -o out station-1/*
    hagg-keygen --identity new.pem --client 1
    chmod 644 new.pem
    run -6 --separate-stderr hagg-keygen --identity new.pem --client 1
    run -3 --separate-stderr hagg-keygen --identity - --client 1 </dev/null
}

@test "couriers, and what they refuse" {
    export LENGTH=20000 HAGG_PLAN=the.plan
    make_courier_plan
    clients 7 8
    for u in 2 4; do
        run -0 --separate-stderr hagg-aggregate --json --pass-on --station $u -o "station-{}/client-from-$u" station-$u/client-?
    done
    run -0 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'piped-{}' < <(cat station-2/client-7)
    cmp piped-3 station-3/client-from-2
    as station-2 hagg-roster -q --round 1 --station 2 -o report station-2/client-*
    head -c -9 station-2/client-7 >cut
    run -3 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'out-{}' cut
    run -4 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'out-{}' station-2/client-7 station-2/client-7
    run -4 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'out-{}' station-4/client-8
    for language in make parallel slurm; do
        hagg-round --emit $language --round 1 --vectors 'v{}.npy' --workdir w the.plan >round
        hagg-round --emit $language --batch 4 --round 1 --vectors 'v{}.npy' --workdir w the.plan >round
    done
    for language in make sh; do
        hagg-round --emit $language --node station=2 --send 'x {file} {to} {name}' --length 3 --round 1 --workdir w the.plan >round
    done
    sed 's/^drop .*/drop stations=1/; s/^client 7 .*/client 7 via 2 3/' the.topo >spare.topo
    hagg-round --emit make --without stations=2 --round 1 --vectors 'v{}.npy' --workdir w spare.topo >round
    as client-7 hagg-share --again --plan spare.topo --client 7 --round 2 --missing 2 -o 'spare-{}' v7.npy
}

@test "shares that are sent in part, and transformed" {
    local i

    for i in 1 2; do
        printf '%s\n' 1 2 3 4 5 6 7 | hagg-share -n 4 -k 2 -z 1 --scheme staircase --client $i --round 1 --type i4 \
            --format text -o $i.cbor
    done
    hagg-aggregate 1.cbor 2.cbor -o whole.cbor
    hagg-aggregate --present 1-4 1.cbor 2.cbor -o part.cbor
    hagg-aggregate --present 2-4 --after 1-4 1.cbor 2.cbor -o rest.cbor
    run -0 --separate-stderr hagg-decode --format text part.cbor rest.cbor
    assert_output $'2\n4\n6\n8\n10\n12\n14'
    run -5 --separate-stderr hagg-decode --format text rest.cbor
    hagg-transform --step contribute --holders 1-3 -k 2 -z 1 --from 1-4 whole.cbor >first.cbor
    hagg-transform --step contribute --holders 1-3 -k 2 -z 1 --from 1,2 --after 1-4 whole.cbor >more.cbor
    hagg-transform --step finish first.cbor more.cbor | hagg-aggregate --present 1-3 >new.cbor
    run -0 --separate-stderr hagg-decode --format text new.cbor
    assert_output $'2\n4\n6\n8\n10\n12\n14'
    run -4 --separate-stderr hagg-aggregate --present 1-3 new.cbor
    run -5 --separate-stderr hagg-aggregate --present 2 1.cbor
}

@test "a sealed round with keys and transformed sharings, in one pipeline" {
    make_keys 1-3 1-3 3
    mv keys/federator.pem keys/federator-1.pem
    printf '%s\n' "protocol keys" "collude partial stations=1 relays=1" "transform direct" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1-3 via 1-3 shares 1-3 keys 3 relays 1-3" "identities ids.txt" >keys.topo
    export HAGG_PLAN=keys.topo HAGG_IDENTITY='keys/{tier}-{}.pem'
    for i in 1 2 3; do
        hagg-keygen --client $i --round 1 --length 2 -o key-$i
        printf '%s\n' $i 1$i | hagg-share --client $i --round 1 --key key-$i --type i4 --format text
    done >records
    hagg-aggregate --only shares records | hagg-transform --step contribute | hagg-transform --step finish |
        hagg-aggregate >shares
    hagg-aggregate --only keys records | hagg-aggregate >keys.cbor
    run -0 --separate-stderr hagg-decode -q --format text shares keys.cbor
    assert_output $'6\n36'
}

@test "errors in a plan, a vector, a record" {
    printf 'stations 3\nclient 1 2 via 1-3 shares 1 9\n' >wrong.topo
    run -3 --separate-stderr hagg-keygen --plan wrong.topo --client 1 --round 1 --length 1
    assert_equal "$stderr" "hagg-keygen: wrong.topo:2: '9': there are only 3 stations"
    make_key 1 3
    echo 1 2 x >text
    run -3 --separate-stderr hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor \
        --type i4 --format text -o 's{}.cbor' text
    assert_equal "$stderr" "hagg-share: text: line 1: is not an integer"
    share_ints 2 1 2 3
    run -4 --separate-stderr hagg-aggregate --plan small.topo station-1/client-2.cbor station-1/client-2.cbor
    assert_equal "$stderr" \
        "hagg-aggregate: station-1/client-2.cbor: client 2 is already in the sum (from station-1/client-2.cbor)"
    run -6 --separate-stderr hagg-decode -o sum.npy key-1.cbor
    unplanned key-1.cbor
    run -5 --separate-stderr hagg-decode -o sum.npy key-1.cbor
    assert_equal "$stderr" "hagg-decode: there are no shares to decode"
    head -c 100 station-1/client-2.cbor >cut.cbor
    run -3 --separate-stderr hagg-inspect cut.cbor
    assert_equal "$stderr" "hagg-inspect: cut.cbor: record 1 (byte 0): ends too early, in its header: get it again"
}

@test "hagg runs another command, or fails" {
    run -0 --separate-stderr hagg share --version
    assert_output --partial "hagg-share (hagg)"
    run -2 --separate-stderr hagg agregate
    assert_equal "$stderr" "hagg: unknown command 'agregate': did you mean 'aggregate'?"
    run -2 --separate-stderr hagg help agregate
}

@test "every command was run" {
    local tool

    for tool in $(tool_names); do
        grep -q "Command: $tool " "$(dirname "$BATS_TEST_TMPDIR")"/*.valgrind.* ||
            fail "$tool did not run: add it to memory.bats"
    done
}
