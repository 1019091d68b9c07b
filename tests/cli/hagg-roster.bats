#!/usr/bin/env bats
# hagg-roster, as hagg-roster(1) describes it: reports and rosters, and the commands that use them.

load common

TOOL=hagg-roster
load round
load full
load relays
load emitted

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# Six clients share under the ring, whose sets all differ.
share_ring() {
    write_ring
    export HAGG_PLAN=ring.plan
    share_floats 1 2 3 4 5 6
}

# report STATION...: each writes report-U.cbor from its files.
report() {
    local u

    for u; do
        hagg-roster -q --station $u --round 1 -o report-$u.cbor station-$u/*.cbor
    done
}

# Prints the header of the only record of a file, as an independent reader sees it.
header() {
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" "$1" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

record, = hagg_format.read_stream(open(sys.argv[2], "rb").read())
h = record.header
print(h["kind"], *h["from"], "round", h["round"], "clients", *h["clients"], "plan", h["plan"].hex(), len(record.elements))
END
}

# Prints the plan digest: SHA-256 of the canonical plan.
plan_digest() {
    hagg-plan -q --keep "$1" | sha256sum | cut -d' ' -f1
}

# --- what is written

@test "reports and the roster: plan, round, clients, and who issued it" {
    share_ring
    rm station-3/client-2.cbor
    report 1 2 4 5
    run -0 --separate-stderr hagg-roster --station 3 --round 1 -o report-3.cbor station-3/*.cbor
    assert_output ""
    # clients 1 to 4 send to station 3
    assert_equal "$stderr" "hagg-roster: client 2: missing at station 3
hagg-roster: round 1, station 3: report of 3 clients: 1 3-4"
    assert_equal "$(header report-3.cbor)" "roster station 3 round 1 clients 1 1 3 4 plan $(plan_digest ring.plan) 48"
    run -6 --separate-stderr hagg-roster --round 1 report-?.cbor
    assert_output ""
    run -0 --separate-stderr hagg-roster --unsafe-plan --round 1 -o roster.cbor report-?.cbor
    assert_equal "$stderr" "hagg-roster: client 2: missing at station 3
hagg-roster: round 1: roster of 5 clients: 1 3-6"
    assert_equal "$(header roster.cbor)" "roster federator 1 round 1 clients 1 1 3 6 plan $(plan_digest ring.plan) 80"
}

@test "the files of all stations instead of reports give the same bytes" {
    share_ring
    report 1 2 3 4 5
    hagg-roster -q --round 1 report-?.cbor >from-reports.cbor
    hagg-roster -q --round 1 station-*/*.cbor >from-files.cbor
    cat station-*/*.cbor | hagg-roster -q --round 1 >from-pipe.cbor
    cat report-?.cbor | hagg-roster -q --round 1 - >from-reports-pipe.cbor
    hagg-roster -q --round 1 report-[124].cbor station-3/*.cbor station-5/*.cbor >mixed.cbor
    for file in from-files.cbor from-pipe.cbor from-reports-pipe.cbor mixed.cbor; do
        cmp from-reports.cbor $file
    done
    # by hand, the runs are not known
    hagg-roster -q --round 1 --clients 1-6 >by-hand.cbor
    assert_equal "$(header by-hand.cbor)" "$(header from-reports.cbor | sed 's/ 96$/ 0/')"
}

@test "random losses: the set and the list of the missing are those of the plan" {
    share_ring
    cat >expected.py <<'END'
# Removes random files, and prints what hagg-roster must find, as JSON.
import json, pathlib, random, sys

SETS = {1: "135125", 2: "1351235", 3: "23451235", 4: "2345245", 5: "125245", 6: "125125"}
random.seed(int(sys.argv[1]))
clients, missing = [], []
for i, text in SETS.items():
    gone = []
    for u in sorted(set(map(int, text))):
        if random.random() < 0.08:
            pathlib.Path(f"trial/station-{u}/client-{i}.cbor").unlink()
            gone.append([u, u])
    if gone:
        missing.append([i, [u for u, _ in gone]])
    else:
        clients.append(i)
print(json.dumps([clients, missing]))
END
    found=0
    for seed in $(seq 12); do
        rm -rf trial
        mkdir trial
        cp -r station-? trial
        want=$("$HAGG_PYTHON" expected.py $seed)
        run --separate-stderr hagg-roster --unsafe-plan --round 1 --json trial/station-?/*.cbor
        if [ "$status" = 6 ]; then
            continue # too few clients; the sets are compared below
        fi
        assert_equal "$status" 0
        found=$((found + 1))
        got=$("$HAGG_PYTHON" -c '
import json, sys
o = json.loads(sys.argv[1])
numbers = lambda ranges: [n for a, b in ranges for n in range(a, b + 1)]
print(json.dumps([numbers(o["clients"]), [[m["client"], numbers(m["stations"])] for m in o["missing"]]]))' "$output")
        assert_equal "$got" "$want"
    done
    [ $found -ge 6 ]
}

@test "a client that delivered its vector and not its key is not complete" {
    share_ring
    # station 5 gets both from client 1
    rewrite station-5/client-1.cbor 'e = None if h["of"] == "key" else e'
    run -0 --separate-stderr hagg-roster --json --station 5 --round 1 station-5/*.cbor
    assert_json 'lines[0]["clients"] == [[2, 6]] and lines[0]["missing"] == [{"client": 1, "stations": [[5, 5]]}]'
    assert_json 'lines[0]["from"] == ["station", 5] and lines[0]["round"] == 1'
}

@test "partial collusion: the key in the clear is needed, at its station only" {
    share_ints 1 1 2
    share_ints 2 1 2
    share_ints 3 1 2
    share_ints 4 1 2
    export HAGG_PLAN=small.topo
    rewrite station-1/client-3.cbor 'e = None if h["of"] == "key" else e'
    rm station-2/client-4.cbor
    run -0 --separate-stderr hagg-roster --round 1 -o roster.cbor station-?/*.cbor
    assert_equal "$stderr" "hagg-roster: client 3: missing at station 1
hagg-roster: client 4: missing at station 2
hagg-roster: round 1: roster of 2 clients: 1-2"
}

@test "--json has what the record has, and who is missing; -o writes it to a file" {
    share_ring
    rm station-1/client-6.cbor station-2/client-6.cbor station-5/client-6.cbor
    run -0 --separate-stderr hagg-roster --unsafe-plan -q --round 1 --json -o roster.json station-?/*.cbor
    assert_output ""
    assert_equal "$stderr" "hagg-roster: client 6: missing at stations 1-2 5"
    run -0 cat roster.json
    assert_output '{"plan":"'"$(plan_digest ring.plan)"'","round":1,"from":["federator",1],"clients":[[1,5]],"missing":[{"client":6,"stations":[[1,2],[5,5]]}]}'
    run -0 on_terminal hagg-roster --unsafe-plan -q --round 1 --json station-?/*.cbor
    assert_output --partial '"clients":[[1,5]]'
}

@test "--clients restricts the roster, and stations of other clients need not report" {
    printf '%s\n' "collude partial stations=1" "length 2" "stations 5" "client 1-3 via 1-3" "client 4 5 via 3-5" "protocol keys" >two.plan
    export HAGG_PLAN=two.plan
    for i in 1 2 3 4 5; do
        printf '%s\n' $i $i >v
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --client $i --round 1 --key k$i.cbor --type i4 --format text -o "station-{}/client-$i.cbor" v
    done
    report 1 2 3
    run -5 --separate-stderr hagg-roster --round 1 report-?.cbor
    assert_message "the report of station 4-5 is missing: get it, or leave out the clients of the station with --clients"
    run -0 --separate-stderr hagg-roster --round 1 --clients 1,2 --json report-?.cbor
    assert_json 'lines[0]["clients"] == [[1, 2]] and lines[0]["missing"] == []'
    run -0 --separate-stderr hagg-roster --round 1 --clients 1-2 --json --station 3 station-3/*.cbor
    assert_json 'lines[0]["clients"] == [[1, 2]]'
}

@test "--without: a missing station is not waited for, and its report is not used" {
    printf '%s\n' "collude full clients=1 stations=1" "drop clients=1 stations=1" "length 2" "stations 4" \
        "client 1-5 via 1-4" "protocol keys" >spare.plan
    export HAGG_PLAN=spare.plan
    for i in 1 2 3 4 5; do
        printf '%s\n' $i $i >v
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --client $i --round 1 --key k$i.cbor --type i4 --format text -o "station-{}/client-$i.cbor" v
    done
    rm station-3/client-2.cbor
    report 1 2 3 4
    rm report-1.cbor
    run -5 --separate-stderr hagg-roster --round 1 report-?.cbor
    assert_message "the report of station 1 is missing: get it, or leave out the station with --without"
    run -0 --separate-stderr hagg-roster --round 1 --without stations=1 --json report-?.cbor
    assert_json 'lines[0]["clients"] == [[1, 1], [3, 5]]'
    # station 3 lacks a share, so that the client is complete only if the station is left out
    report 1
    run -0 --separate-stderr hagg-roster --round 1 --without stations=3 --json report-?.cbor
    assert_json 'lines[0]["clients"] == [[1, 5]] and lines[0]["missing"] == []'
    run -5 --separate-stderr hagg-roster --round 1 --without stations=1,3 report-?.cbor
    assert_message "spare.plan: 2 stations are missing, but the plan tolerates only 1 (drop line): start the round when more are available"
}

@test "--without, partial collusion: keys at the missing station are lost" {
    printf '%s\n' "collude partial stations=1" "drop stations=1" "length 2" "stations 4" \
        "client 1-3 via 1-4 keys 1" "client 4 5 via 1-4 keys 2" "protocol keys" >chain.plan
    export HAGG_PLAN=chain.plan
    for i in 1 2 3 4 5; do
        printf '%s\n' $i $i >v
        hagg-keygen --client $i --round 1 -o k$i.cbor
        hagg-share --client $i --round 1 --key k$i.cbor --type i4 --format text -o "station-{}/client-$i.cbor" v
    done
    report 1 2 3 4
    run -0 --separate-stderr hagg-roster --round 1 --without stations=3 --json report-?.cbor
    assert_json 'lines[0]["clients"] == [[1, 5]]'
    run -0 --separate-stderr hagg-roster --round 1 --without stations=2 --json report-?.cbor
    assert_json 'lines[0]["clients"] == [[1, 3]] and [m["client"] for m in lines[0]["missing"]] == [4, 5]'
    run -0 --separate-stderr hagg-roster --round 1 --without stations=2 --clients 1-4 --json
    assert_json 'lines[0]["clients"] == [[1, 3]]'
}

# --- commands that use it

@test "stations and federator use the roster: the total is over its clients" {
    share_ring
    rm station-2/client-6.cbor
    hagg-roster -q --unsafe-plan --round 1 -o roster.cbor station-?/*.cbor
    add --unsafe-plan --roster roster.cbor
    run -0 --separate-stderr hagg-decode --roster roster.cbor -o sum.npy from-?.cbor
    assert_regex "$stderr" "total of 5 clients: 1-5"
    assert_sum_of 1,2,3,4,5
    # the same bytes as with --clients
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --unsafe-plan --clients 1-5 -o by-hand-$u.cbor station-$u/*.cbor
        cmp by-hand-$u.cbor from-$u.cbor
    done
    # sums over other clients
    hagg-roster -q --no-state --unsafe-plan --round 1 --clients 1-4 -o other.cbor
    TOOL=hagg-decode
    unchanged 4 hagg-decode --no-state --roster other.cbor -o sum2.npy from-?.cbor
    [[ "$stderr" == *"the sums are over clients 1-5, but --clients is 1-4"* ]]
}

@test "relays that transform use the roster" {
    make_vectors 1 2 3 4
    for collusion in partial full; do
        rm -rf work
        forget
        write_transforming $collusion
        export HAGG_PLAN=transforming.plan
        make -s -f <(emit make --unsafe-plan transforming.plan) all-sendtransfers
        hagg-roster -q --unsafe-plan --round 1 --clients 1-4 -o roster.cbor
        hagg-roster -q --no-state --unsafe-plan --round 1 --clients 1-2,4 -o fewer.cbor
        hagg-roster -q --unsafe-plan --round 2 --clients 1-4 -o later.cbor
        cd work/round-1
        hagg-transform --plan ../../transforming.plan --step contribute --station 2 --roster ../../roster.cbor -o again.cbor station-2/private/sum.cbor
        run -4 --separate-stderr hagg-transform --no-state --plan ../../transforming.plan --step contribute --station 2 --roster ../../fewer.cbor -o x.cbor station-2/private/sum.cbor
        assert_equal "${stderr_lines[1]}" "hagg-transform: station-2/private/sum.cbor: record 2 (byte $(byte_of station-2/private/sum.cbor 2)): includes client 3, unlike the roster"
        run -4 --separate-stderr hagg-transform --plan ../../transforming.plan --step contribute --station 2 --roster ../../later.cbor -o x.cbor station-2/private/sum.cbor
        assert_equal "$stderr" "hagg-transform: station-2/private/sum.cbor: record 1 (byte 0): is of round 1, but this is round 2"
        hagg-transform --plan ../../transforming.plan --step finish --relay 3 --roster ../../roster.cbor -o again.cbor relay-3/in/from-station-*.cbor
        run -4 --separate-stderr hagg-transform --no-state --plan ../../transforming.plan --step finish --relay 3 --roster ../../fewer.cbor -o x.cbor relay-3/in/from-station-*.cbor
        [[ "$stderr" == *": includes client 3, unlike the roster" ]]
        assert_not_exists x.cbor
        cd ../..
    done
}

# byte_of FILE RECORD: prints the offset of a record.
byte_of() {
    hagg-inspect --json "$1" | "$HAGG_PYTHON" -c 'import json, sys
print([json.loads(line) for line in sys.stdin][int(sys.argv[1]) - 1]["offset"])' "$2"
}

# --- runs

# Protocol aligned without spare stations: nothing in the sums shows that shares are from different runs.
# Client 2 shares twice, the second time without its state, and station 3 has the share of the second run.
share_mixed() {
    local i

    printf '%s\n' "collude full clients=1 stations=1" "stations 4" "client 1 2 via 1-4" "client 3 4 via 2-4" >mixed.topo
    export HAGG_PLAN=mixed.topo
    for i in 1 2 3 4; do
        printf '%s\n' $i 2$i | hagg-share --client $i --round 1 --type i4 --format text -o "station-{}/client-$i.cbor"
    done
    printf '%s\n' 2 22 | hagg-share --no-state --client 2 --round 1 --type i4 --format text -o "again-{}.cbor"
    for i in 1 2 3 4; do
        hagg-keygen --station $i --round 1 --length 2 -o "station-{}/mask-$i.cbor"
    done
    cp station-3/client-2.cbor first.cbor
    cp again-3.cbor station-3/client-2.cbor
}

@test "mixed runs: the reports show them, and the roster leaves the client out" {
    share_mixed
    report 1 2 3 4
    run -0 --separate-stderr hagg-roster --round 1 -o roster.cbor report-?.cbor
    assert_equal "$stderr" "hagg-roster: client 2: from another run of hagg-share at station 3 than at station 1: get all its records from one run
hagg-roster: round 1: roster of 3 clients: 1 3-4"
    run -0 --separate-stderr hagg-roster --round 1 --json report-?.cbor
    assert_output --partial '"missing":[{"client":2,"stations":[],"mixed":[[3,3]]}]'
    for u in 1 2 3 4; do
        hagg-aggregate --station $u --roster roster.cbor -o sum-$u.cbor station-$u/*.cbor
    done
    run -0 --separate-stderr hagg-decode --roster roster.cbor --format text sum-?.cbor
    assert_output $'8\n68'
    # the client has delivered the share of the first run: nothing is mixed any more
    cp first.cbor station-3/client-2.cbor
    report 3
    forget
    run -0 --separate-stderr hagg-roster --round 1 -o all.cbor report-?.cbor
    assert_equal "$stderr" "hagg-roster: round 1: roster of 4 clients: 1-4"
}

@test "mixed runs: a record of another run than that of the roster is refused" {
    share_mixed
    cp first.cbor station-3/client-2.cbor
    report 1 2 3 4
    hagg-roster -q --round 1 -o roster.cbor report-?.cbor
    cp again-3.cbor station-3/client-2.cbor
    run -4 --separate-stderr hagg-aggregate --station 3 --roster roster.cbor -o none.cbor station-3/*.cbor
    assert_equal "$stderr" "hagg-aggregate: station-3/client-2.cbor: record 1 (byte 0): is from another run of hagg-share than the one in the roster: get the record of that run from client 2"
    assert_file_not_exists none.cbor
    cp first.cbor station-3/client-2.cbor
    for u in 1 2 3 4; do
        hagg-aggregate --station $u --roster roster.cbor -o sum-$u.cbor station-$u/*.cbor
    done
    run -0 --separate-stderr hagg-decode --roster roster.cbor --format text sum-?.cbor
    assert_output $'10\n90'
}

@test "mixed runs: if all records of a client are from a new run, the roster is issued again with it" {
    share_mixed
    cp first.cbor station-3/client-2.cbor
    report 1 2 3 4
    hagg-roster -q --round 1 -o roster.cbor report-?.cbor
    cp roster.cbor old.cbor
    for u in 1 2 3 4; do
        cp again-$u.cbor station-$u/client-2.cbor
    done
    report 1 2 3 4
    hagg-roster -q --round 1 -o roster.cbor report-?.cbor
    run -1 cmp -s old.cbor roster.cbor
    assert_equal "$(header old.cbor)" "$(header roster.cbor)"
    hagg-aggregate --station 3 --roster roster.cbor -o sum-3.cbor station-3/*.cbor
}

@test "a report without runs is refused" {
    share_mixed
    report 1 2 3 4
    rewrite report-2.cbor 'e = e[:0]'
    run -4 --separate-stderr hagg-roster --round 1 -o roster.cbor report-?.cbor
    assert_equal "$stderr" "hagg-roster: report-2.cbor: record 1 (byte 0): does not name the runs of hagg-share: make the report from the records of the clients with hagg-roster --station"
    assert_file_not_exists roster.cbor
}
