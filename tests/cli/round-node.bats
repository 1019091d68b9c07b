#!/usr/bin/env bats
# hagg-round --node: rounds in which every node runs only its own part, in a directory of its own.

load common
load round
load relays
load emitted
load parts

TOOL=hagg-round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    make_vectors 1 2 3 4
    unset CARRY INBOX DEADLINE
    SEND='my-send {file} {to} {name}'
}

# part NODE OPTION...: the part of a node in round 1 of small.topo, for the tests of the text
part() {
    hagg-round --node "$1" --round 1 --workdir work --send "$SEND" --length 20 "${@:2}" small.topo
}

# begin_parts LANGUAGE OPTION... PLAN: writes the parts of four clients and three stations
begin_parts() {
    NODES=$(nodes_of 4 3)
    write_parts "$1" "$NODES" "${@:2}"
}

# in_turn COMMAND NODE...: runs the command for each node once, and succeeds
in_turn() {
    local node

    for node in "${@:2}"; do "$1" $node >>log.txt || return; done
}

# --- the text

@test "the part of a client has its own vector and directories, and nothing of others" {
    for language in make sh; do
        run -0 part client=3 --emit $language --vectors 'grad{}.npy' --state my-state
        assert_line --partial "hagg-keygen --plan small.topo --client 3 --round 1 --length 20 -o work/round-1/client-3/private/key.cbor"
        assert_line --partial "hagg-share --plan small.topo --state my-state --client 3 --round 1 --key work/round-1/client-3/private/key.cbor -o 'work/round-1/client-3/out/station-{}.cbor' grad3.npy"
        assert_line --partial "sh -c 'my-send work/round-1/client-3/out/station-2.cbor station-2 client-3.cbor' && touch work/round-1/client-3/out/shares-station-2.sent"
        refute_output --regexp 'grad[124]'
        refute_output --regexp 'round-1/(client-[124]|station|relay|federator)'
        # also with a name that has no number
        run -0 part client=3 --emit $language --vectors vector.npy
        assert_line --partial "client-3/out/station-{}.cbor' vector.npy"
    done
}

@test "the parts of a station and of the federator name no vector, and what they wait for and send" {
    run -0 part station=2 --emit sh
    refute_output --regexp 'round-1/(client|station-[13]|federator)|npy'
    assert_equal "$(grep -oE '&& (arrived|delivered) .*' <<<"$output" | grep -o '[^ /]*\.cbor\|arrived\|delivered' | paste -sd' ')" \
        "arrived client-*.cbor delivered client-1.cbor client-2.cbor client-3.cbor client-4.cbor arrived roster.cbor client-*.cbor arrived keys.cbor roster.cbor"
    assert_equal "$(grep -o 'my-send [^&]*' <<<"$output")" "my-send work/round-1/station-2/out/report.cbor federator report-station-2.cbor' 
my-send work/round-1/station-2/out/sum.cbor federator from-station-2.cbor' 
my-send work/round-1/station-2/out/keys-station-3.cbor station-3 keys.cbor' "
    run -0 part federator --emit make -o here/total.npy
    refute_output --regexp 'round-1/(client|station)'
    assert_equal "$(grep -o 'my-send .*\.cbor' <<<"$output")" "my-send work/round-1/federator/out/roster.cbor station-1 roster.cbor
my-send work/round-1/federator/out/roster.cbor station-2 roster.cbor
my-send work/round-1/federator/out/roster.cbor station-3 roster.cbor"
    assert_line "here/total.npy: work/round-1/federator/in/from-station-1.cbor work/round-1/federator/in/from-station-2.cbor work/round-1/federator/in/from-station-3.cbor work/round-1/federator/in/keys.cbor | \$(FOLDER) work/round-1/federator/private work/round-1/federator/out/roster.cbor all-federatordirs all-roster"
}

@test "--identity: the part of a node has the name of its own private key only" {
    for node in client=3 station=2 federator; do
        name=${node%=*}
        number=${node#$name} number=${number#=}
        run -0 part $node --emit sh --vectors v.npy --identity '/etc/hagg/{tier}-{}.pem'
        assert_equal "$(grep -o 'identity [^ ]*' <<<"$output" | sort -u)" "identity /etc/hagg/$name-${number:-1}.pem"
    done
}

@test "--deadline is in the script and the Makefile, as seconds" {
    for time in 2026-02-06T06:00Z 2026-02-06T06:00:00Z; do
        run -0 part station=2 --emit sh --deadline $time
        assert_line 'DEADLINE=${DEADLINE-1770357600}'
        run -0 part station=2 --emit make --deadline $time
        assert_line 'DEADLINE = 1770357600'
    done
    for time in '' tomorrow 2026-02-06 2026-02-06T06:00 2026-02-30T06:00Z 1969-12-31T23:59Z 2026-02-06T06:00Zulu; do
        run -2 --separate-stderr part station=2 --emit sh --deadline "$time"
        assert_usage "--deadline must be a time in UTC such as 2026-02-06T06:00Z, not '$time'"
    done
}

@test "refusals" {
    run -2 --separate-stderr part station=4 --emit sh
    assert_message "small.topo: has no station 4"
    run -2 --separate-stderr part station=4294967295 --emit sh
    assert_message "small.topo: has no station 4294967295"
    run -2 --separate-stderr part relay=1 --emit sh
    assert_message "small.topo: has no relay 1"
    run -2 --separate-stderr part client=5 --emit sh --vectors v.npy
    assert_message "small.topo: has no client 5"
    run -2 --separate-stderr part client=2 --clients 1,3-4 --emit sh --vectors v.npy
    assert_message "small.topo: client-2 does not take part in this round"
    for node in station station= station=x station=0 stations=1 federator=1 ''; do
        run -2 --separate-stderr part "$node" --emit sh
        assert_output ""
        assert_equal "${#stderr_lines[@]}" 2
    done
    assert_usage "--node must be client=NUMBER, station=NUMBER, relay=NUMBER or federator, not ''"
    for language in parallel slurm dot; do
        run -2 --separate-stderr part station=1 --emit $language
        assert_usage "--node needs --emit=make or --emit=sh"
    done
    run -2 --separate-stderr part station=1 --emit sh --batch 2
    assert_usage "--node does not work with --batch"
    run -2 --separate-stderr part client=1 --emit sh
    assert_usage "--emit, --round, --vectors and --workdir are required"
    run -2 --separate-stderr hagg-round --node station=1 --emit sh --round 1 --workdir work small.topo
    assert_usage "--node needs --send"
    for option in --emit=sh --send=x --deadline=2026-02-06T06:00Z; do
        run -2 --separate-stderr emit make $option small.topo
        assert_usage "--send, --deadline and --emit=sh need --node"
    done
    # a dealer needs the length of its masks, and no vector tells it
    write_combining
    run -2 --separate-stderr hagg-round --node station=1 --emit sh --round 1 --workdir work --send "$SEND" combining.topo
    assert_message "combining.topo: has no length line, so the length of the masks is unknown: use --length"
    run -0 hagg-round --node federator --emit sh --round 1 --workdir work --send "$SEND" combining.topo
}

@test "--send: the marks are required, and {file} is quoted" {
    for SEND in '' 'cp {file} {to}' 'cp {to} {name}' 'cp {file} {name}'; do
        run -2 --separate-stderr part station=1 --emit sh
        assert_message "--send: '$SEND' must contain {file}, {to} and {name}: the file, its receiver, and the name of the copy"
    done
    for SEND in 'cp "{file}" {to} {name}' "cp '{file}' {to} {name}" "x \"a\\\"{file}\" {to} {name}"; do
        run -2 --separate-stderr part station=1 --emit sh
        assert_message "--send: '$SEND' has {file} inside quotes: write it without them, because it is replaced by a quoted name"
    done
    SEND=$'cp {file} {to}\n{name}'
    run -2 --separate-stderr part station=1 --emit sh
    assert_message "--send: the command must not contain control characters"
    # in the directory of this name everything would be executed that is not quoted
    work="a b'c\"\$(touch PWNED)\`touch PWNED\`{to}"
    SEND="cat {file} >'in {name}' # \$HOME \"{to}\""
    for language in sh make; do
        mkdir -p "$work/round-1/station-1/out"
        echo report >"$work/round-1/station-1/out/report.cbor"
        part station=1 --emit $language --workdir "$work" >part
        [ $language = make ] || sh part >/dev/null
        [ $language = sh ] || run -2 make -s -k -f part
        assert_equal "$(cat 'in report-station-1.cbor')" report
        assert_exists "$work/round-1/station-1/out/report-federator.sent"
        rm -r "$work" 'in report-station-1.cbor'
    done
    assert_not_exists PWNED
}

# --- rounds

@test "a round of parts, run by sh: each waits, does what it can, and finishes" {
    begin_parts sh small.topo
    run -0 --separate-stderr run_part station-1
    assert_output "round 1: station-1: waits for work/round-1/station-1/in/client-*.cbor"
    assert_equal "$stderr" ""
    run -0 --separate-stderr run_part client-1
    assert_output "round 1: client-1: finished"
    assert_equal "$stderr" ""
    run -0 --separate-stderr run_part station-1
    assert_output "round 1: station-1: waits for work/round-1/station-1/in/client-2.cbor and 2 more"
    run -0 --separate-stderr run_part federator
    assert_output "round 1: federator: waits for work/round-1/federator/in/report-station-1.cbor and 2 more"
    until_finished $NODES
    assert_part_total_of 1,2,3,4
    # again: nothing is made or sent
    before=$(find nodes -name '*.cbor' -o -name total.npy -printf '%i %T@ %p\n')
    run -0 --separate-stderr run_part federator
    assert_output "round 1: federator: finished"
    assert_equal "$stderr" ""
    until_finished $NODES
    assert_equal "$(find nodes -name '*.cbor' -o -name total.npy -printf '%i %T@ %p\n')" "$before"
    # no node has a file of another one, except what was sent to it
    run -0 find nodes/station-2 -name '*.cbor' -printf '%P\n'
    assert_equal "$(sed 's,work/round-1/station-2/,,' <<<"$output" | sort)" "in/client-1.cbor
in/client-2.cbor
in/client-3.cbor
in/client-4.cbor
in/keys.cbor
in/roster.cbor
out/keys-station-3.cbor
out/report.cbor
out/sum.cbor"
}

@test "a round of parts, run by make" {
    begin_parts make small.topo
    run -2 --separate-stderr make_part station-1
    assert_equal "${stderr_lines[0]}" "round 1: station-1 waits for work/round-1/station-1/in/client-1.cbor"
    for node in $(nodes_of 4 0 | grep client); do make_part $node; done
    for turn in 1 2 3 4; do
        for node in $(nodes_of 0 3); do make_part $node 2>err.txt || true; done
    done
    assert_part_total_of 1,2,3,4
    for node in $NODES; do make_part $node; done
    run -0 make_part station-2 -n
    refute_output --regexp "hagg-aggregate|hagg-roster|sh -c"
}

@test "parts with masks and relays that combine, and with relays that have sharings of their own" {
    write_combining
    write_parts sh "$(nodes_of 4 4 2)" combining.topo
    until_finished $(nodes_of 4 4 2)
    assert_part_total_of 1,2,3,4
    # a dealer's own mask is not given to --send, and a station that is away does not delay its sum
    write_part make station-2 combining.topo
    run -0 grep '^work/round-1/station-2/out/relay-1.cbor: ' nodes/station-2/part
    assert_output --partial " work/round-1/station-2/in/mask-2.cbor "
    refute_output --partial all-send
    write_part sh station-2 combining.topo
    run -1 grep -E 'sh -c .*station-2/out/mask-2' nodes/station-2/part
    assert_exists nodes/station-2/work/round-1/station-2/in/mask-2.cbor
    rm -r nodes
    write_transforming full
    write_parts sh "$(nodes_of 4 4 6)" transforming.plan
    until_finished $(nodes_of 4 4 6)
    assert_part_total_of 1,2,3,4
}

@test "a plan with identities: each node has only its own private key, and what it sends is sealed" {
    sed -i '/^protocol/d; s/^collude .*/collude full clients=1 stations=1/' small.topo
    printf '%s\n' "client 5 via 1-2" "identities everybody" >>small.topo
    make_vectors 5
    NODES=$(nodes_of 5 3)
    for node in $NODES; do
        mkdir -p nodes/$node
        number=${node#*-}
        (cd nodes/$node && hagg-keygen --identity '{tier}-{}.pem' --${node%-*} ${number%federator})
    done >everybody
    hagg-plan --keep --quiet small.topo -o small.plan
    for node in $NODES; do cp everybody nodes/$node; done
    write_parts sh "$NODES" --identity '{tier}-{}.pem' small.plan
    until_finished $NODES
    assert_part_total_of 1,2,3,4,5
    run -0 hagg-inspect --json nodes/*/work/round-1/*/in/*.cbor
    assert_json 'lines[-1]["summary"]["sealed"] == lines[-1]["summary"]["records"] == 41'
    # the key of another node is refused, and the step is done with the right one
    rm nodes/federator/work/round-1/federator/total.npy
    mv nodes/federator/federator-1.pem own.pem
    cp nodes/station-1/station-1.pem nodes/federator/federator-1.pem
    run -6 --separate-stderr run_part federator
    assert_output ""
    mv own.pem nodes/federator/federator-1.pem
    run -0 --separate-stderr run_part federator
    assert_output "round 1: federator: finished"
}

@test "a client misses the deadline: the stations report without it, and what it sends later is not used" {
    begin_parts sh --deadline 2100-01-01T00:00Z small.topo
    in_turn run_part client-{1,2,4}
    run -0 --separate-stderr run_part station-2
    assert_output "round 1: station-2: waits for work/round-1/station-2/in/client-3.cbor"
    # the deadline
    for u in 1 2 3; do
        DEADLINE=0 run -0 --separate-stderr run_part station-$u
        assert_output "round 1: station-$u: waits for work/round-1/station-$u/in/roster.cbor"
        assert_equal "$stderr" "hagg-roster: client 3: missing at station $u"
    done
    in_turn run_part client-3
    run -0 --separate-stderr run_part federator
    assert_output "round 1: federator: waits for work/round-1/federator/in/from-station-1.cbor and 3 more"
    assert_equal "$stderr" "hagg-roster: client 3: missing at stations 1-3"
    # once is enough
    run -0 --separate-stderr run_part federator
    assert_equal "$stderr" ""
    until_finished $NODES
    assert_part_total_of 1,2,4
    # the same deadline, from the option, and with make
    rm -r nodes
    begin_parts make --deadline 2020-01-01T00:00Z small.topo
    for turn in 1 2 3 4 5; do
        for node in $NODES; do [ $node = client-3 ] || make_part $node 2>err.txt || true; done
    done
    assert_part_total_of 1,2,4
}

@test "a file that cannot be sent does not delay the others, and only it is sent again" {
    begin_parts sh small.topo
    touch nodes/station-2/offline
    run -1 --separate-stderr run_part client-1
    assert_output ""
    assert_equal "$stderr" "round 1: client-1: work/round-1/client-1/out/station-2.cbor was not sent to station-2 (status 1): run the script again"
    run -0 find nodes/client-1/work -name '*.sent' -printf '%f\n'
    assert_equal "$(sort <<<"$output")" "shares-station-1.sent
shares-station-3.sent"
    rm nodes/station-2/offline
    sed -i 's/sh -c /echo sending; &/' nodes/client-1/part
    run -0 --separate-stderr run_part client-1
    assert_output "sending
round 1: client-1: finished"
    # a lost file is sent again when its note is removed
    rm nodes/station-3/work/round-1/station-3/in/client-1.cbor nodes/client-1/work/round-1/client-1/out/shares-station-3.sent
    run -0 --separate-stderr run_part client-1
    assert_output "sending
round 1: client-1: finished"
    assert_exists nodes/station-3/work/round-1/station-3/in/client-1.cbor
}

@test "a file that is on its way is waited for; one that stays incomplete is an error" {
    begin_parts sh small.topo
    in_turn run_part client-1 client-2 client-3 client-4
    file=nodes/station-1/work/round-1/station-1/in/client-4.cbor
    cp $file whole
    : >$file
    run -0 --separate-stderr run_part station-1
    assert_output "round 1: station-1: waits for work/round-1/station-1/in/client-4.cbor"
    for size in 50 60; do
        head -c $size whole >$file
        run -0 --separate-stderr run_part station-1
        assert_output "round 1: station-1: waits for the rest of a file in work/round-1/station-1/in"
        assert_regex "$stderr" "^hagg-roster: work/round-1/station-1/in/client-4.cbor: "
    done
    run -3 --separate-stderr run_part station-1
    assert_output ""
    assert_not_exists nodes/station-1/work/round-1/station-1/out/report.cbor
    cp whole $file
    run -0 --separate-stderr run_part station-1
    assert_output "round 1: station-1: waits for work/round-1/station-1/in/roster.cbor"
    assert_equal "$stderr" ""
    until_finished $NODES
    assert_part_total_of 1,2,3,4
}

@test "a run that is killed at any place is continued by the next one" {
    begin_parts sh small.topo
    # every command of every node, also those of --send, kills the script in the first attempt, before or after it
    mkdir bin
    for tool in hagg-keygen hagg-share hagg-roster hagg-aggregate hagg-decode mv; do
        printf '%s\n' '#!/bin/sh' "mark=\$PWD/killed.$tool.\$(echo \"\$*\" | cksum | tr -d ' ')" \
            "kill_script() { [ -e \"\$mark.\$1\" ] || { touch \"\$mark.\$1\"; kill -9 \$(cat \"\$HAGG_STATE/../pid\"); exit 1; }; }" \
            "kill_script before" "PATH=\${PATH#*:} $tool \"\$@\" || exit" "kill_script after" >bin/$tool
        chmod +x bin/$tool
    done
    for node in $NODES; do sed -i '2i echo $$ >pid' nodes/$node/part; done
    kills=0
    for turn in $(seq 60); do
        busy=0
        for node in $NODES; do
            PATH=$PWD/bin:$PATH run_part $node >out.txt 2>err.txt || { busy=1; kills=$((kills + 1)); }
            grep -q ': finished$' out.txt || busy=1
        done
        [ $busy = 1 ] || break
    done
    assert_equal $busy 0
    [ $kills -gt 40 ]
    assert_part_total_of 1,2,3,4
}

@test "two runs at once: the second one does nothing" {
    begin_parts sh small.topo
    sed -i 's/sh -c /touch sending; for i in $(seq 100); do [ -e go ] || sleep 0.05; done; &/' nodes/client-1/part
    run_part client-1 >first.txt 3>&- &
    for i in $(seq 100); do [ -e nodes/client-1/sending ] || sleep 0.05; done
    assert_exists nodes/client-1/sending
    before=$(find nodes -type f -printf '%T@ %p\n' | grep -v lock)
    run -0 --separate-stderr run_part client-1
    assert_output "round 1: client-1: another run has not ended"
    run -0 --separate-stderr run_part client-1 clean-keys
    assert_output "round 1: client-1: another run has not ended"
    assert_equal "$(find nodes -type f -printf '%T@ %p\n' | grep -v lock)" "$before"
    touch nodes/client-1/go
    wait
    assert_equal "$(cat first.txt)" "round 1: client-1: finished"
    # a process that the command of --send leaves behind does not keep the lock
    sed -i "s/sh -c '/sh -c '(sleep 30 >\/dev\/null 2>\&1 3>\&- \& echo \$! >>\"\$HAGG_STATE\/..\/left\"); /" nodes/client-2/part
    in_turn run_part client-2
    run -0 --separate-stderr run_part client-2
    assert_output "round 1: client-2: finished"
    kill $(cat nodes/client-2/left)
}

@test "clean-keys empties what is secret, and closes the round" {
    begin_parts sh small.topo
    run -1 --separate-stderr run_part federator clean-keys
    run -2 --separate-stderr run_part client-1 clean
    assert_equal "$stderr" "round 1: client-1: the only argument is clean-keys, not 'clean'"
    until_finished $NODES
    for node in $NODES; do
        run -0 --separate-stderr run_part $node clean-keys
        assert_output ""
        run -0 --separate-stderr run_part $node
        assert_output "round 1: $node: closed"
    done
    run -0 find nodes '(' -path '*/client-*' -o -name 'client-*' -o -name 'keys*' ')' -name '*.cbor' -size +0 ! -path '*/federator/*'
    assert_output ""
    assert_part_total_of 1,2,3,4
    # the same with make, which then makes nothing again
    rm -r nodes
    begin_parts make small.topo
    for turn in 1 2 3 4 5; do
        for node in $NODES; do make_part $node 2>err.txt || true; done
    done
    for node in $NODES; do make_part $node clean-keys; done
    run -0 find nodes '(' -path '*/client-*' -o -name 'client-*' -o -name 'keys*' ')' -name '*.cbor' -size +0 ! -path '*/federator/*'
    assert_output ""
    for node in $NODES; do make_part $node; done
    run -0 find nodes '(' -path '*/client-*' -o -name 'client-*' ')' -name '*.cbor' -size +0
    assert_output ""
}

@test "other clients after the roster: refused with status 6" {
    begin_parts sh small.topo
    in_turn run_part client-{1,2,3,4} station-{1,2,3} federator
    write_part sh federator --clients 1-3 small.topo
    run -6 --separate-stderr run_part federator
    assert_output ""
    assert_equal "$stderr" "hagg-roster: work/round-1/federator/out/roster.cbor: the roster of round 1 has clients 1-4, not 1-3: a round has one set of clients, so use this roster"
}
