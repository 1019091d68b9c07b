#!/usr/bin/env bats
# What hagg-roster refuses, and rosters that other commands refuse.

load common

TOOL=hagg-roster
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    cat >five.plan <<END
collude  full stations=1
drop     clients=1 stations=1
length   2
stations 5
client   1-4 via 1-5 shares 1-4 keys 2-5
client   5 via 1-5 shares 2-5 keys 2-5
protocol keys
END
    export HAGG_PLAN=five.plan
}

# share ROUND CLIENT...: these clients share, to station-U/client-I.cbor.
share() {
    local i

    for i in "${@:2}"; do
        printf '%s\n' "$i" "$1" >v.txt
        hagg-keygen --client $i --round $1 -o key-$1-$i.cbor
        hagg-share --client $i --round $1 --key key-$1-$i.cbor --type i4 --format text \
            -o "station-{}/client-$i.cbor" v.txt
    done
}

# Prints what is wrong with a record of five.plan if the plan is other.plan.
different_plan() {
    echo "was made under a different plan than other.plan: plan digest" \
        "$(hagg-plan --digest five.plan | cut -c 1-19)..., not $(hagg-plan --digest other.plan | cut -c 1-19)..."
}

report() {
    local u

    for u; do
        hagg-roster -q --station $u --round 1 -o report-$u.cbor station-$u/*.cbor
    done
}

@test "a damaged record is an error, and nothing is reported" {
    share 1 1 2 3
    for file in station-2/client-3.cbor; do
        # the last byte of a payload: the digest no longer matches
        "$HAGG_PYTHON" -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[-18] ^= 1
open(sys.argv[1], "wb").write(data)' $file
        unchanged 3 hagg-roster --station 2 --round 1 -o report.cbor station-2/*.cbor
        [[ "$stderr" == "hagg-roster: $file: record 2 (byte "*"): digest does not match, so the record is damaged: get it again" ]]
        truncate -s -40 $file
        unchanged 3 hagg-roster --station 2 --round 1 -o report.cbor station-2/*.cbor
        [[ "$stderr" == "hagg-roster: $file: record 2 (byte "*"): ends too early"* ]]
        : >$file
        unchanged 3 hagg-roster --station 2 --round 1 -o report.cbor station-2/*.cbor
        assert_message "$file: is empty: it contains no record"
        rm $file
    done
    run -0 --separate-stderr hagg-roster -q --station 2 --round 1 --clients 1-3 -o report.cbor station-2/*.cbor
    assert_message "client 3: missing at station 2"
}

@test "records of another round, plan, station or tier" {
    share 1 1 2 3
    unchanged 4 hagg-roster --station 2 --round 7 station-2/*.cbor
    assert_message "station-2/client-1.cbor: record 1 (byte 0): is of round 1, but this is round 7"
    unchanged 4 hagg-roster --station 2 --round 1 station-3/*.cbor
    assert_message "station-3/client-1.cbor: record 1 (byte 0): is for station 3, but this is station 2"
    sed 's/^length .*/&\nminimum 3/' five.plan >other.plan
    unchanged 4 hagg-roster --plan other.plan --station 2 --round 1 station-2/*.cbor
    assert_message "station-2/client-1.cbor: record 1 (byte 0): $(different_plan)"
    report 2
    unchanged 4 hagg-roster --plan other.plan --round 1 report-2.cbor
    assert_message "report-2.cbor: record 1 (byte 0): $(different_plan)"
    unchanged 4 hagg-roster --round 7 report-2.cbor
    assert_message "report-2.cbor: record 1 (byte 0): is of round 1, but this is round 7"
    unchanged 4 hagg-roster --station 2 --round 1 report-2.cbor
    assert_message "report-2.cbor: record 1 (byte 0): is a roster, which contains no vector: remove it from the input files"
    hostile hagg-aggregate --clients 1-3 --station 2 station-2/*.cbor -o sum.cbor
    unchanged 4 hagg-roster --round 1 sum.cbor
    assert_message "sum.cbor: record 1 (byte 0): is not from a client: remove it from the input files"
}

@test "the same record or report twice, and two runs of hagg-share" {
    share 1 1 2 3
    unchanged 4 hagg-roster --round 1 station-1/*.cbor station-1/client-2.cbor
    assert_message "station-1/client-2.cbor: record 1 (byte 0): is a second copy of the vector of client 2 for station 1: see station-1/client-2.cbor"
    report 1 2
    unchanged 4 hagg-roster --round 1 report-1.cbor report-2.cbor report-1.cbor
    assert_message "report-1.cbor: record 1 (byte 0): station 1 has already reported, or its records were read: see report-1.cbor"
    unchanged 4 hagg-roster --round 1 report-1.cbor station-1/client-1.cbor
    assert_message "station-1/client-1.cbor: record 1 (byte 0): station 1 has already reported, or its records were read: see report-1.cbor"
    unchanged 4 hagg-roster --round 1 station-1/client-1.cbor report-1.cbor
    assert_message "report-1.cbor: record 1 (byte 0): station 1 has already reported, or its records were read: see station-1/client-1.cbor"
    # client 2 starts again with another key, and one of its old shares is left
    cp station-3/client-2.cbor old.cbor
    rm key-1-2.cbor*
    HAGG_STATE=$BATS_TEST_TMPDIR/new-state share 1 2
    mv old.cbor station-3/client-2.cbor
    unchanged 4 hagg-roster --round 1 station-?/*.cbor
    assert_message "station-3/client-2.cbor: record 1 (byte 0): is from another run of hagg-share than station-1/client-2.cbor: get all records of client 2 from one run"
}

@test "clients whose vectors differ in length" {
    sed -i '/^length/d' five.plan
    for i in 1 2; do
        seq $((i + 1)) >v.txt
        hagg-keygen --client $i --round 1 --length $((i + 1)) -o key-$i.cbor
        hagg-share --client $i --round 1 --key key-$i.cbor --type i4 --format text -o "station-{}/client-$i.cbor" v.txt
    done
    unchanged 4 hagg-roster --station 2 --round 1 station-2/*.cbor
    [[ "$stderr" == *"station-2/client-2.cbor"*"station-2/client-1.cbor"* ]]
}

@test "reports that do not fit the plan" {
    share 1 1 2 3 4 5
    report 1 2 3 4 5
    # client 5 does not send to station 1; there is no client 6, no station 6
    rewrite report-1.cbor 'h["clients"] = [1, 5]; e = e.repeat(2)[:80]'
    unchanged 4 hagg-roster --round 1 report-?.cbor
    assert_message "report-1.cbor: record 1 (byte 0): lists client 5, which does not send to station 1 in the plan"
    rewrite report-1.cbor 'h["clients"] = [1, 4294967295]; e = e[:0]'
    unchanged 4 hagg-roster --round 1 report-?.cbor
    assert_message "report-1.cbor: record 1 (byte 0): lists clients that are not in the plan"
    rewrite report-1.cbor 'h["from"] = ["station", 6]'
    unchanged 4 hagg-roster --round 1 report-?.cbor
    assert_message "report-1.cbor: record 1 (byte 0): is from station 6, which is not in the plan"
    report 1
    hagg-roster -q --round 1 -o roster.cbor report-?.cbor
    unchanged 4 hagg-roster --round 1 roster.cbor report-?.cbor
    assert_message "roster.cbor: record 1 (byte 0): is a roster from federator 1, not the report of a station"
}

@test "too few clients, too many missing, or a set that is not private" {
    share 1 1 2 3 4 5
    rm station-1/client-[12].cbor
    report 1 2 3 4 5
    run -6 --separate-stderr hagg-roster --round 1 -o roster.cbor report-?.cbor
    assert_equal "$stderr" "hagg-roster: client 1: missing at station 1
hagg-roster: client 2: missing at station 1
hagg-roster: five.plan: 2 clients are missing, but the plan tolerates only 1 (drop line): wait for the others"
    assert_not_exists roster.cbor
    echo "minimum 5" >>five.plan
    sed -i '/^drop/d' five.plan
    unchanged 6 hagg-roster --round 1 --clients 1-4
    assert_message "a total of 4 clients would reveal too much: at least 5 are needed"
    # without client 3 the ring is a path, which one colluding client cuts
    write_ring
    unchanged 6 hagg-roster --plan ring.plan --round 1 --clients 1-2,4-6
    message=$stderr
    run -6 --separate-stderr hagg-round --emit make --round 1 --length 2 --vectors 'v{}' --workdir w --clients 1-2,4-6 ring.plan
    assert_equal "$message" "${stderr/hagg-round/hagg-roster}"
    run -0 hagg-roster -q --plan ring.plan --round 1 --clients 1-2,4-6 --unsafe-plan -o roster.cbor
}

@test "nobody is complete, or has delivered to the station" {
    share 1 5
    unchanged 5 hagg-roster --round 1 --clients 1-4 --station 2 station-2/client-5.cbor
    assert_equal "${stderr##*$'\n'}" "hagg-roster: no client has delivered everything to station 2, so there is nothing to report"
    printf '%s\n' 'collude partial stations=1' 'stations 4' 'client 1-3 via 1-3' >unused.topo
    unchanged 5 hagg-roster --plan unused.topo --round 1 --station 4 </dev/null
    assert_message "unused.topo: no client uses station 4, so it has nothing to report, and nobody waits for its report"
    # client 5 sends nothing to station 1
    unchanged 5 hagg-roster --round 1 --station 1 --clients 5 </dev/null
    share 1 1 2
    rm station-2/client-5.cbor station-3/client-1.cbor station-4/client-2.cbor
    unchanged 5 hagg-roster --round 1 station-?/*.cbor
    assert_equal "${stderr##*$'\n'}" "hagg-roster: no client has delivered everything to its stations"
}

@test "rosters that other commands refuse" {
    share 1 1 2 3 4 5
    report 1 2 3 4 5
    hagg-roster -q --round 1 -o roster.cbor report-?.cbor
    hagg-roster -q --round 2 --clients 1-5 -o later.cbor
    for tool in "hagg-aggregate --station 2" hagg-decode; do
        TOOL=${tool%% *}
        unchanged 4 $tool --roster report-2.cbor station-2/*.cbor
        assert_message "report-2.cbor: record 1 (byte 0): is the report of station 2, not the roster: make the roster from all reports with hagg-roster"
        unchanged 4 $tool --roster station-2/client-1.cbor station-2/*.cbor
        assert_message "station-2/client-1.cbor: record 1 (byte 0): is not a roster: make one with hagg-roster"
        cat roster.cbor later.cbor >two.cbor
        unchanged 4 $tool --roster two.cbor station-2/*.cbor
        [[ "$stderr" == "$TOOL: two.cbor: record 2 (byte "*"): is a second roster, but a round has one set of clients" ]]
        unchanged 4 $tool --roster later.cbor station-2/*.cbor
        assert_message "station-2/client-1.cbor: record 1 (byte 0): is of round 1, but this is round 2"
        sed 's/^length .*/&\nminimum 3/' five.plan >other.plan
        unchanged 4 $tool --plan other.plan --roster roster.cbor station-2/*.cbor
        assert_message "roster.cbor: record 1 (byte 0): $(different_plan)"
        unchanged 2 $tool --plan '' --roster roster.cbor station-2/*.cbor
        assert_message "--roster requires a plan: use --plan or HAGG_PLAN"
        unchanged 2 $tool --clients 1-5 --roster roster.cbor station-2/*.cbor
        assert_message "use only one of --clients and --roster"
        unchanged 1 $tool --roster absent.cbor station-2/*.cbor
        assert_message "absent.cbor: No such file or directory"
        cp roster.cbor cut.cbor
        truncate -s -3 cut.cbor
        unchanged 3 $tool --roster cut.cbor station-2/*.cbor
        cp roster.cbor wrong.cbor
        rewrite wrong.cbor 'h["clients"] = [1, 9]; e = e[:0]'
        unchanged 4 $tool --roster wrong.cbor station-2/*.cbor
        assert_message "wrong.cbor: record 1 (byte 0): lists clients that are not in the plan"
    done
}

@test "a second roster of a round never replaces the first" {
    hagg-roster -q --round 1 --clients 1-5 -o roster.cbor
    before=$(stat -c %i roster.cbor)
    hagg-roster -q --round 1 --clients 1-5 -o roster.cbor
    assert_equal "$(stat -c %i roster.cbor)" "$before"
    unchanged 6 hagg-roster --round 1 --clients 1-4 -o roster.cbor
    assert_message "roster.cbor: the roster of round 1 has clients 1-5, not 1-4: a round has one set of clients, so use this roster"
    # nor is there a second one under another name; JSON is only a report
    unchanged 6 hagg-roster --round 1 --clients 1-4 -o other.cbor
    assert_message "federator 1 already issued the roster of round 1 over clients 1-5, and this is over 1-4: two totals reveal their difference, so use the roster of the round if there is one, or start a new round, with new vectors or with the clients of the old round (state in $HAGG_STATE)"
    unchanged 6 hagg-roster --round 1 --clients 1-4
    run -0 hagg-roster -q --round 1 --clients 1-4 --json
    run -0 --separate-stderr hagg-roster -q --no-state --round 1 --clients 1-4 -o other.cbor
    assert_message "--no-state: nothing stops a second total of this round"
    # another round, another plan and other files do not matter
    run -0 hagg-roster -q --round 2 --clients 1-4 -o roster.cbor
    run -0 hagg-roster -q --round 1 --clients 1-5 -o roster.cbor
    sed 's/^length .*/&\nminimum 3/' five.plan >other.plan
    run -0 hagg-roster -q --plan other.plan --round 1 --clients 1-5 -o roster.cbor
    : >empty.cbor
    run -0 hagg-roster -q --round 1 --clients 1-5 -o empty.cbor
    echo text >text.cbor
    unchanged 3 hagg-roster -q --round 1 --clients 1-5 -o text.cbor
}

@test "usage errors" {
    run -2 --separate-stderr hagg-roster --station 1 x.cbor
    assert_usage "--round and a plan are required: use --plan or HAGG_PLAN"
    run -2 --separate-stderr hagg-roster --plan '' --round 1 x.cbor
    assert_usage "--round and a plan are required: use --plan or HAGG_PLAN"
    run -2 --separate-stderr hagg-roster --round 1 --without relays=1 x.cbor
    assert_usage "--without: unknown word 'relays': use stations="
    run -2 --separate-stderr hagg-roster --round 1 --without '' x.cbor
    assert_usage "--without needs stations=SET"
    run -2 --separate-stderr hagg-roster --round 1 --station 1 --without stations=1 x.cbor
    assert_usage "--without and --unsafe-plan are for the roster, not for a report"
    unchanged 2 hagg-roster --round 1 --station 6 x.cbor
    assert_message "five.plan: has no station 6"
    unchanged 2 hagg-roster --round 1 --without stations=6 x.cbor
    assert_message "five.plan: has no station 6"
    unchanged 2 hagg-roster --round 1 --clients 1-6
    assert_message "five.plan: --clients names clients that are not in the plan"
    run -2 on_terminal hagg-roster --round 1 --clients 1-5
    assert_output --partial "standard output"
    run -1 --separate-stderr hagg-roster --round 1 --clients 1-5 -o /dev/full
    assert_message "/dev/full: No space left on device"
}
