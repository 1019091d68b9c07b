#!/usr/bin/env bats
# Protocol aligned: costs, whole rounds, and what nodes refuse.

load common
load aligned

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    cat >city.topo <<'END'
protocol aligned
collude full clients=1 stations=2
stations 5
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
client 5 via 1 2 4 5
client 6 via 1 2 5
END
    make_spare
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp "$BATS_FILE_TMPDIR"/*.topo .
}

# Copies the records of the round of spare.topo, which no node remembers.
take_spare() {
    cp -r "$BATS_FILE_TMPDIR/spare" .
}

@test "the paper's example costs 205/9 under full and 55/3 under partial collusion" {
    run -0 hagg-cost --format tsv city.topo
    assert_line --regexp '^plan.*205/9'
    sed s/full/partial/ city.topo >partial.topo
    run -0 hagg-cost --format tsv partial.topo
    assert_line --regexp '^plan.*55/3'
}

@test "the audit proves both kinds of collusion private" {
    run -0 hagg-audit city.topo
    assert_output "private: 120 coalitions checked
each station alone learns nothing
the federator alone learns only the total
8 random coalitions confirmed by elimination"
    sed s/full/partial/ city.topo >partial.topo
    run -0 hagg-audit partial.topo
    assert_line --index 0 "private: 66 coalitions checked"
}

@test "a topology has default numbers, and is its own plan" {
    hagg-plan -q --keep city.topo >city.plan
    run -0 grep -E "^(scheme|protocol|segments|dealers)" city.plan
    assert_output "scheme aligned
protocol aligned
segments 6
dealers 1-5"
    run -0 hagg-plan -q --keep city.plan
    assert_output "$(cat city.plan)"
    assert_equal "$(hagg-plan --digest city.topo)" "$(hagg-plan --digest city.plan)"
}

@test "a round that make runs decodes, and its records are those that hagg-cost predicts" {
    for i in 1 2 3 4 5 6; do
        python3 -c "import numpy; numpy.save('v$i.npy', $i * numpy.arange(1, 12))"
    done
    hagg-round --emit make --round 1 --workdir . --vectors 'v{}.npy' city.topo >Makefile
    run -0 make -s
    run -0 total round-1/federator/total.npy
    assert_output "21 42 63 84 105 126 147 168 189 210 231"
    run -0 --separate-stderr hagg-cost --plan city.topo --measure round-1/*/in/*.cbor
    assert_line --regexp '^client to station +vectors +24 +152 +152 '
    assert_line --regexp '^station to station +masks +20 +104 +104 '
    assert_line --regexp '^station to federator +vectors +5 +52 +52 '
}

@test "any four of six stations decode, three do not" {
    take_spare
    run -0 hagg-decode --plan spare.topo -o total.npy spare/sum-[1245]
    run -0 total total.npy
    assert_output "10 20 30 40 50 60 70 80 90"
    run -5 hagg-decode --plan spare.topo -o none.npy spare/sum-[124]
    assert_output --partial "only 3 of the shares of station 1-6 arrived, but 4 are needed"
    assert_file_not_exists none.npy
}

@test "a wrong sum is found, named and corrected" {
    take_spare
    rewrite spare/sum-3 'elements[4] = (int(elements[4]) + 1) % (2**31 - 1)'
    run -3 hagg-decode --plan spare.topo -o total.npy spare/sum-*
    assert_output --partial "spare/sum-3: the share of station 3 is wrong"
    run -3 hagg-decode --plan spare.topo -o total.npy spare/sum-[1-5]
    assert_output --partial "too few surplus shares (1) to identify it"
    run -0 hagg-decode --correct --plan spare.topo -o total.npy spare/sum-*
    assert_output --partial "station 3"
    run -0 total total.npy
    assert_output "10 20 30 40 50 60 70 80 90"
}

@test "a station without a share or a mask sends nothing" {
    take_spare
    rm spare/station-3/client-2
    run -5 hagg-aggregate --plan spare.topo --station 3 -o none spare/station-3/*
    assert_output "hagg-aggregate: station 3: the share of client 2 is missing: if no sum of this round was sent yet, agree on the remaining clients with hagg-roster and use --roster at every station, otherwise send no sum"
    hagg-roster --plan spare.topo --round 1 --clients 1-4 -o roster
    run -5 hagg-aggregate --plan spare.topo --station 3 --roster roster -o none spare/station-3/*
    assert_output "hagg-aggregate: station 3: the share of client 2, who is in the roster, is missing: get it from the client again, or send no sum"
    rm spare/station-4/mask-6
    run -5 hagg-aggregate --plan spare.topo --station 4 -o none spare/station-4/*
    assert_output "hagg-aggregate: station 4: the mask of dealer 6 is missing: get it, or, if no sum of this round was sent yet, agree on the remaining dealers and use --dealers at every station"
    assert_file_not_exists none
}

@test "stations agree on the dealers, and decode checks it" {
    take_spare
    for u in 1 2 3 4; do
        hagg-aggregate --plan spare.topo --station $u --dealers 1-5 -o sum-$u spare/station-$u/*
    done
    run -0 hagg-decode --plan spare.topo -o total.npy sum-*
    run -0 total total.npy
    assert_output "10 20 30 40 50 60 70 80 90"
    run -4 hagg-decode --plan spare.topo -o none.npy sum-[123] spare/sum-4
    assert_output --partial "contains the mask of dealer 6, but sum-1 does not"
    # e = 6 - 1 - 2 chunks and one colluder need four dealers
    run -6 hagg-aggregate --plan spare.topo --station 5 --dealers 1-3 -o none spare/station-5/*
    assert_output --partial "the masks of 3 dealers do not hide the sums: at least 4 are needed"
    run -2 hagg-aggregate --plan spare.topo --station 5 --dealers 1-7 -o none spare/station-5/*
    assert_output --partial "--dealers names stations that are not dealers in the plan"
}

@test "a station sends sums over one set of clients and dealers" {
    take_spare
    hagg-aggregate --plan spare.topo --station 2 -o sum-2 spare/station-2/*
    cmp sum-2 spare/sum-2
    run -6 hagg-aggregate --plan spare.topo --station 2 --dealers 1-5 -o none spare/station-2/*
    assert_output --partial "station 2 already sent a sum of round 1 with other records"
    run -6 hagg-aggregate --plan spare.topo --station 2 --clients 1-3 -o none spare/station-2/*
    assert_output --partial "station 2 already sent sums of round 1 over clients 1-4, and this is over 1-3"
    rm spare/station-*/mask-3
    hagg-keygen --no-state --plan spare.topo --station 3 --round 1 --length 9 -o 'spare/station-{}/mask-3'
    run -6 hagg-aggregate --plan spare.topo --station 2 -o none spare/station-2/*
    assert_output --partial "with other records"
    assert_file_not_exists none
}

@test "one process that adds up for all stations, into a pipe, remembers all of them" {
    take_spare
    cat spare/station-*/client-* spare/station-*/mask-* | hagg-aggregate --plan spare.topo | cat >sums
    cmp sums <(cat spare/sum-?)
    run -0 hagg-inspect --state
    assert_equal "$(awk '$2 ~ /station/ { print $2, $5 }' <<<"$output" | tr '\n' ,)" \
        "station-1 1-4,station-2 1-4,station-3 1-4,station-4 1-4,station-5 1-4,station-6 1-4,"
    # of one plan, given by its digest; another is refused
    entries=$output
    run -0 hagg-inspect --state --plan "$(hagg-plan --digest spare.topo)"
    assert_output "$entries"
    run -4 hagg-inspect --state --plan "dead BEEF"
    assert_output --partial "the digests of 0 plans begin with 'deadbeef': use the digest of one that is listed"
    run -2 hagg-inspect --state --plan spare.topo
    assert_output --partial "--plan must be a digest, or its first digits, as hagg-plan --digest prints it, not 'spare.topo'"
    run -6 hagg-aggregate --plan spare.topo --station 5 --dealers 1-5 -o none spare/station-5/*
    assert_output --partial "station 5 already sent a sum of round 1 with other records"
}

@test "sums with masks of two dealings do not belong together" {
    take_spare
    rm spare/station-*/mask-3
    hagg-keygen --no-state --plan spare.topo --station 3 --round 1 --length 9 -o 'spare/station-{}/mask-3'
    hagg-aggregate --plan spare.topo --station 2 -o sum-2 spare/station-2/*
    run -4 hagg-decode --plan spare.topo -o none.npy spare/sum-[134] sum-2
    assert_output --partial "contains masks of another dealing than"
}

@test "masks of two dealings are noticed, although the first station has no masks" {
    printf '%s\n' 'collude partial stations=1' 'stations 5' 'segments 4' 'dealers 2' \
        'client 1 2 via 1-5' 'client 3 4 via 1-3' 'client 5 via 2-4' >bare.topo
    export HAGG_PLAN=bare.topo
    for i in 1 2 3 4 5; do
        printf '%s\n' $i ${i}0 ${i}00 >vector-$i
        hagg-share --client $i --round 1 --type i4 --format text -o "station-{}/client-$i" vector-$i
    done
    hagg-keygen --station 2 --round 1 --length 3 -o 'station-{}/mask'
    hagg-keygen --no-state --station 2 --round 1 --length 3 -o 'other-{}'
    assert_not_exists station-1/mask
    for u in 1 2 3 4 5; do hagg-aggregate --station $u -o sum-$u station-$u/*; done
    hagg-aggregate --no-state --station 5 -o sum-other station-5/client-* other-5
    run -4 hagg-decode -o none.npy sum-[1234] sum-other
    assert_output --partial "sum-other: contains masks of another dealing than sum-2"
    assert_not_exists none.npy
    run -0 --separate-stderr hagg-decode --format text sum-[12345]
    assert_output $'15\n150\n1500'
}

@test "a plan with too many segments for its stations is refused" {
    printf '%s\n' 'stations 3000' 'segments 65535' 'client 1 2 via 1-3000' 'client 3 via 1-2' >large.topo
    run -3 hagg-keygen --plan large.topo --station 1 --round 1 --length 6 -o 'none-{}'
    assert_output "hagg-keygen: large.topo: 65535 segments are too many for 3000 stations: use at most 11184"
}

@test "a dealer that deals again deals the same masks; each round has its own" {
    deal() {
        hagg-keygen --plan spare.topo --station 3 --length 9 "$@"
    }
    deal --round 1 -o 'first-{}'
    deal --round 1 -o 'again-{}'
    deal --round 2 -o 'second-{}'
    run -0 --separate-stderr deal --no-state --round 1 -o 'fresh-{}'
    assert_equal "$stderr" "hagg-keygen: --no-state: nothing stops a second total of this round"
    for u in 1 2 3; do
        cmp first-$u again-$u
        run -1 cmp -s first-$u second-$u
        run -1 cmp -s first-$u fresh-$u
    done
}

@test "masks that lie beside the shares are not in the report of a station" {
    take_spare
    run -0 hagg-roster --plan spare.topo --station 1 --round 1 -o report.cbor spare/station-1/*
    assert_output --partial "round 1, station 1: report of "
}

@test "the picture has the masks in the labels of stations, without those that a dealer keeps" {
    run -0 --separate-stderr hagg-plan -q --keep --dot city.topo
    # sums of 1 and 2/3 in all, 3 chunks: a dealer sends a third of the other sums, and a station gets a
    # third of its own sum from each of four others
    assert_line '  s1 [label="station 1\nmasks: gets 4/3, sends 10/9"]'
    assert_line '  s4 [label="station 4\nmasks: gets 8/9, sends 11/9"]'
    refute_line --regexp ' s[0-9] -> s[0-9] .*label'
    assert_line --regexp '^  label="city.topo: 205/9 = 22.778 times the vector\\nblue: shares, black: sums of shares; numbers'
    sed s/full/partial/ city.topo >partial.topo
    run -0 --separate-stderr hagg-plan -q --keep --dot partial.topo
    # one dealer, and two stations without a mask
    assert_equal "$(grep -c 'masks: sends' <<<"$output") $(grep -c 'masks: gets' <<<"$output")" "1 2"
    assert_line --regexp '^  label="partial.topo: 55/3 '
}

@test "sums, shares and masks have their places" {
    take_spare
    run -4 hagg-decode --plan spare.topo -o none.npy spare/station-1/client-1
    assert_output --partial "is a share of client 1: add it up at its station with hagg-aggregate"
    run -4 hagg-decode --plan spare.topo -o none.npy spare/station-1/mask-1
    assert_output --partial "is a mask for station 1, which adds it to its sum with hagg-aggregate"
    run -4 hagg-aggregate --plan spare.topo -o none spare/sum-1
    assert_output --partial "is the sum of station 1 already: decode it with hagg-decode"
}

@test "keys and masks are not mixed up" {
    sed 's/^protocol.*/protocol keys/' city.topo >keys.topo
    run -2 hagg-keygen --plan city.topo --client 1 --round 1 --length 9 -o none
    assert_output --partial "clients have no keys with protocol aligned: use --station for the masks of a dealer"
    run -2 hagg-keygen --plan keys.topo --station 1 --round 1 --length 9 -o none
    assert_output --partial "stations have no masks with protocol keys: use --client"
    run -2 hagg-keygen --plan city.topo --station 1 --client 1 --round 1 --length 9 -o none
    assert_output --partial "one of --client, --clients, --station and --stations"
    sed 's/^stations/dealers 1-3\nstations/' city.topo >few.topo
    run -2 hagg-keygen --plan few.topo --station 4 --round 1 --length 9 -o none
    assert_output --partial "station 4 is not a dealer"
    python3 -c 'import numpy; numpy.save("v.npy", numpy.arange(9))'
    run -2 hagg-share --plan city.topo --client 1 --round 1 --key none -o none v.npy
    assert_output --partial "protocol aligned has no keys: omit --key"
}
