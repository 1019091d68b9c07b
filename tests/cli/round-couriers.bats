#!/usr/bin/env bats
# hagg-round for plans with couriers: stations that pass on what clients send to stations that they do not reach.

load common
load round
load sealed
load couriers
load emitted
load parts

TOOL=hagg-round

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    export LENGTH=20
    make_courier_plan
    mv keys/federator.pem keys/federator-1.pem
    # client 7 has a second courier, and client 8 is through station 4; station 2 may be missing
    sed 's/^drop .*/drop stations=1/; s/^client 7 .*/client 7 via 2 3/; s/^client 1 2 .*/client 1 2 via 1-5/;
        s/^client 4 .*/client 4 via 1-5/' the.topo >spare.topo
    hagg-plan -q spare.topo -o spare.plan
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt,*.plan} .
    for i in 1 2 3 4 7 8; do cp "$BATS_FILE_TMPDIR/v$i.npy" grad$i.npy; done
    unset HAGG_PLAN HAGG_IDENTITY CARRY INBOX DEADLINE
    KEYS='keys/{tier}-{}.pem'
}

# by_make OPTION... PLAN: runs round 1 with make.
by_make() {
    emit make --identity "$KEYS" "$@" >Makefile
    make -s -j2 2>log || { cat log; return 1; }
}

# Checks that the total of round 1 is the sum of the vectors of these clients.
assert_exact_total() {
    assert_numpy "np.array_equal(load('${2:-work/round-1/federator/total.npy}'), sum(load(f'grad{i}.npy').astype('i8') for i in [$1]))"
}

# --- whole rounds

@test "what a client cannot deliver itself goes to its courier, which passes it on before the reports" {
    run -0 emit make --identity "$KEYS" the.plan
    assert_line "hagg-aggregate --plan the.plan --pass-on --station 2 --round 1 -o 'work/round-1/station-2/out/client-7-station-{}.cbor' work/round-1/station-2/in/client-7.cbor"
    assert_line "hagg-aggregate --plan the.plan --pass-on --station 4 --round 1 -o 'work/round-1/station-4/out/client-8-station-{}.cbor' work/round-1/station-4/in/client-8.cbor"
    assert_equal "$(grep -c -- --pass-on <<<"$output")" 2
    assert_line --regexp "^work/round-1/client-7/out/station-2.cbor: "
    assert_line --regexp "^work/round-1/station-2/out/client-7.sent work/round-1/station-3/in/client-7-via-2.cbor work/round-1/station-4/in/client-7-via-2.cbor &: "
    assert_line --regexp "^work/round-1/station-3/out/report.cbor: .* work/round-1/station-3/in/client-7-via-2.cbor work/round-1/station-3/in/client-8-via-4.cbor "
    assert_line --regexp "^all-reports: .*all-sendpassed "
    for language in parallel slurm; do
        run -0 emit $language --identity "$KEYS" the.plan
        assert_equal "$(grep -oE '^(layer|submit) (sendshares|passon|sendpassed|reports|cleanpassed|cleanshares) ' <<<"$output" | cut -d' ' -f2 | paste -sd' ')" \
            "cleanpassed cleanshares sendshares passon sendpassed reports"
    done
    assert_line --regexp '^submit passon .*\$sendshares"'
    assert_line --regexp '^submit sendpassed .*\$passon"'
    assert_line --regexp '^submit reports .*\$sendpassed"'
    assert_equal "$(sed -n '/^if.*clean-keys/,/^fi/p' <<<"$output" | grep -oE '^(submit [a-z]+ [^ ]+ "[^"]*"|before=.*)' | paste -sd' ')" \
        'submit cleancheck 0-0 "" before=$cleancheck submit cleankeys 0-5 "$before" before=$cleankeys submit cleanpassed 0-1 "$before" before=$cleanpassed submit cleanshares 0-4 "$before" before=$cleanshares'
}

@test "a plan without couriers has no step for them" {
    write_topology
    for language in make parallel slurm; do
        run -0 emit $language small.topo
        refute_output --partial pass
    done
    # the layers that are left wait for each other
    assert_equal "$(grep -c '^before=' <<<"$output")" 3
}

@test "a round with couriers, by make; nothing is done twice, and clean-keys empties what was passed on" {
    by_make the.plan
    assert_exact_total 1,2,3,4,7,8
    cmp work/round-1/station-2/out/client-7-station-3.cbor work/round-1/station-3/in/client-7-via-2.cbor
    run -0 hagg-inspect --json work/round-1/station-3/in/client-7-via-2.cbor
    assert_json 'len(lines) == 2 and lines[0]["from"] == ["client", 7] and lines[0]["to"] == ["station", 3] and lines[0]["seed"]'
    run -0 make
    refute_output --partial pass-on
    run -0 make -s clean-keys
    run -0 find work -size +0 -name 'client-*.cbor'
    assert_output ""
    run -0 find work -name 'client-*-station-*.cbor'
    assert_equal "${#lines[@]}" 4
    run -0 make
    refute_output --regexp 'pass-on|hagg-share|install .*client-'
}

@test "a round with couriers, by parallel" {
    emit parallel --identity "$KEYS" the.plan >script
    run -0 --separate-stderr sh script
    assert_exact_total 1,2,3,4,7,8
    run -0 sh script clean-keys
    run -0 find work -size +0 -name 'client-*.cbor'
    assert_output ""
}

@test "a round with couriers, in batches" {
    by_make --batch 5 the.plan
    assert_exact_total 1,2,3,4,7,8
    # batch 1 sends to station 3 itself, and through the courier of client 7
    assert_exist work/round-1/station-3/in/batch-1.cbor
    assert_exist work/round-1/station-3/in/batch-1-via-2.cbor
    assert_exist work/round-1/station-3/in/batch-2-via-4.cbor
    assert_not_exist work/round-1/station-3/in/batch-2.cbor
}

@test "a round with couriers under protocol keys" {
    printf '%s\n' "protocol keys" "collude partial clients=1 stations=2" "fallback computational" "stations 5" \
        "client 1-4 via 1-5" "client 7 via 2" "client 8 via 4 5" "identities ids.txt" >keys.plan
    by_make keys.plan
    assert_exact_total 1,2,3,4,7,8
    run -0 compgen -G 'work/round-1/*/in/client-7-via-2.cbor'
    run -0 compgen -G 'work/round-1/*/in/client-8-via-4.cbor'
}

@test "a courier that holds no share of the client, and one that holds no share at all" {
    sed -i 's/^client 7 .*/client 7 via 2-3 computational shares 3-5/' the.plan
    by_make the.plan
    assert_exact_total 1,2,3,4,7,8
    assert_exist work/round-1/station-5/in/client-7-via-2.cbor
    rm -r work
    forget
    printf '%s\n' "collude full clients=1 stations=1" "fallback computational" "stations 4" "client 1-4 via 1 3 4" \
        "client 7 via 2 shares 3-4" "client 8 via 1 3" "identities few.txt" >few.topo
    grep -v "^station 5" ids.txt >few.txt
    by_make few.topo
    assert_exact_total 1,2,3,4,7,8
    assert_exist work/round-1/station-4/in/client-7-via-2.cbor
    assert_not_exist work/round-1/station-2/out/report.cbor
}

# --- missing stations

@test "without its courier, a client uses another one" {
    by_make --without stations=2 spare.plan
    assert_exact_total 1,2,3,4,7,8
    assert_exist work/round-1/station-4/in/client-7-via-3.cbor
    run -1 compgen -G 'work/round-1/*/in/*-via-2.cbor'
    rm -r work
    forget
    by_make --batch 3 --without stations=2 spare.plan
    assert_exact_total 1,2,3,4,7,8
}

@test "a courier that fails after the clients have shared is replaced" {
    emit make --identity "$KEYS" spare.plan >Makefile
    make -s all-sendshares
    rm -r work/round-1/station-2
    run -0 hagg-inspect --json work/round-1/client-7/out/station-3.cbor
    assert_json 'len(lines) == 2'
    by_make --without stations=2 spare.plan
    assert_exact_total 1,2,3,4,7,8
    # the client has sent the same records, in other files
    sealed_python '
def bodies(*stations):
    return sorted(write_record(r.header, r.payload) for s in stations for r in records(f"work/round-1/client-7/out/station-{s}.cbor"))
assert bodies(2, 3) == bodies("2-via-3", "3-via-3")'
    run -0 make -s clean-keys
    run -0 find work -size +0 -name 'client-*.cbor'
    assert_output ""
}

@test "a client all of whose stations are missing cannot take part" {
    run -5 --separate-stderr emit make --identity "$KEYS" --without stations=4 spare.plan
    assert_message "spare.plan: every station that client 8 reaches is missing: leave the client out, or start the round when one is available"
    assert_output ""
    by_make --without stations=4 --clients 1-4,7 spare.plan
    assert_exact_total 1,2,3,4,7
}

# --- the parts of nodes

# begin_parts LANGUAGE OPTION...: writes the parts of all nodes of the.plan. Each has only its own private key.
begin_parts() {
    NODES="client-1 client-2 client-3 client-4 client-7 client-8 $(nodes_of 0 5)"
    for node in $NODES; do
        mkdir -p nodes/$node
        name=keys/$node.pem
        [ $node != federator ] || name=keys/federator-1.pem
        cp $name ids.txt nodes/$node
    done
    write_parts "$1" "$NODES" "${@:2}" --identity '{tier}-{}.pem' the.plan
}

@test "the parts of a client and of a courier name what they send, and to whom" {
    local part=(hagg-round --emit sh --round 1 --workdir work --length 20 --send 'my-send {file} {to} {name}')

    run -0 "${part[@]}" --node client=7 --vectors v.npy the.plan
    assert_equal "$(grep -o 'my-send [^&]*' <<<"$output")" "my-send work/round-1/client-7/out/station-2.cbor station-2 client-7.cbor' "
    run -0 "${part[@]}" --node station=2 the.plan
    assert_line --partial "offered work/round-1/station-2/in/client-7.cbor; then"
    assert_line --partial "client-7-station-3.cbor station-3 client-7-via-2.cbor"
    assert_line --partial "touch work/round-1/station-2/out/client-7-station-3.sent"
    assert_line --partial "touch work/round-1/station-2/out/client-7-station-4.sent"
    refute_output --regexp 'client-7-station-[125]'
    # a station waits for what couriers pass on as it does for clients
    run -0 "${part[@]}" --node station=3 the.plan
    assert_line --regexp "delivered .* work/round-1/station-3/in/client-7-via-2.cbor work/round-1/station-3/in/client-8-via-4.cbor"
}

@test "all nodes run their own part, in directories of their own" {
    begin_parts sh
    until_finished $NODES
    assert_exact_total 1,2,3,4,7,8 nodes/federator/work/round-1/federator/total.npy
    for node in station-2 client-7; do
        run -0 run_part $node clean-keys
    done
    run -0 find nodes/station-2 nodes/client-7 -size +0 -name 'client-*.cbor'
    assert_output ""
}

@test "all nodes run their own part with make" {
    begin_parts make
    for turn in 1 2 3 4 5 6; do
        for node in $NODES; do make_part $node >>log.txt 2>&1 || true; done
    done
    for node in $NODES; do run -0 make_part $node; done
    assert_exact_total 1,2,3,4,7,8 nodes/federator/work/round-1/federator/total.npy
}

@test "a courier passes on what has arrived, while it waits for another client" {
    sed -i 's/^client 8 via 4/client 8 via 2/' the.plan
    for language in sh make; do
        rm -rf nodes
        begin_parts $language
        run_part=run_part
        [ $language = sh ] || run_part=make_part
        for node in client-7 station-2; do $run_part $node >out.txt 2>&1 || true; done
        assert_exist nodes/station-3/work/round-1/station-3/in/client-7-via-2.cbor
        assert_not_exist nodes/station-3/work/round-1/station-3/in/client-8-via-2.cbor
    done
}

@test "a client misses the deadline: its courier passes on nothing of it, and is finished" {
    for language in sh make; do
        rm -rf nodes
        begin_parts $language --deadline 2100-01-01T00:00Z
        run_part=run_part
        [ $language = sh ] || run_part=make_part
        all=$(tr ' ' '\n' <<<"$NODES" | grep -v client-7)
        for turn in 1 2; do
            for node in $all; do $run_part $node >out-$node 2>&1 || true; done
        done
        run cat out-station-2
        assert_output --partial "waits for work/round-1/station-2/in/client-7.cbor"
        # the deadline passes
        for node in $(nodes_of 0 5); do sed -i 's/^DEADLINE.*/DEADLINE=0/' nodes/$node/part; done
        for turn in 1 2 3 4; do
            for node in $all; do $run_part $node >out-$node 2>&1 || true; done
        done
        for node in $all; do run -0 $run_part $node; done
        assert_exact_total 1,2,3,4,8 nodes/federator/work/round-1/federator/total.npy
        # nobody waits once the roster is there
        sed -i 's/^DEADLINE.*/DEADLINE=/' nodes/station-2/part
        run -0 $run_part station-2
        refute_output --partial waits
        # and what arrives later changes nothing
        $run_part client-7
        for node in station-2 station-3 federator; do run -0 $run_part $node; done
        assert_exact_total 1,2,3,4,8 nodes/federator/work/round-1/federator/total.npy
    done
}

@test "a file of a client that is refused stops nothing else that its courier passes on" {
    sed -i 's/^client 8 via 4/client 8 via 2/' the.plan
    begin_parts sh
    for node in client-7 client-8; do run_part $node; done
    printf damaged >>nodes/station-2/work/round-1/station-2/in/client-7.cbor
    for turn in 1 2 3; do run run_part station-2; done
    assert_equal "$status" 3
    assert_exist nodes/station-3/work/round-1/station-3/in/client-8-via-2.cbor
    assert_not_exist nodes/station-3/work/round-1/station-3/in/client-7-via-2.cbor
}
