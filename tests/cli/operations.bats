#!/usr/bin/env bats
# hagg-operations(7): its month, with a directory for each hospital and a drop directory between them.

load common

setup_file() {
    common_setup_file
    # half an hour after the deadline of February 2026, or what CLOCK says
    printf '#!/bin/sh\n[ "$*" = +%%s ] && echo ${CLOCK:-1770359400}\n' >"$BATS_FILE_TMPDIR/bin/date"
    chmod +x "$BATS_FILE_TMPDIR/bin/date"
    mkdir "$BATS_FILE_TMPDIR/sessions"
    page_text "$HAGG_SOURCE_DIR/man/hagg-operations.7" >"$BATS_FILE_TMPDIR/page.txt"
    "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/man_sessions.py" "$BATS_FILE_TMPDIR/page.txt" \
        "$BATS_FILE_TMPDIR/sessions"
}

setup() {
    SESSIONS=$BATS_FILE_TMPDIR/sessions
    mkdir "$BATS_TEST_TMPDIR/here"
    cd "$BATS_TEST_TMPDIR/here"
    unset HAGG_PLAN HAGG_STATE HAGG_IDENTITY CLOCK DEADLINE INBOX CARRY
}

# prepare: what the page does before the first round, and the figures of all five hospitals
prepare() {
    local i

    bash "$SESSIONS/07.sh" >prepared.txt 2>&1
    mkdir -p drop/202602/station-{1,2,3,4,5} drop/202602/federator
    for i in 1 2 3 4 5; do printf '%s\n' 202601 $i 1$i >hospital-$i/vector-202602.txt; done
}

# job HOSPITAL NODE ROUND
job() {
    (cd hospital-$1 && sh job.sh $2 $3 2>>hagg.log)
}

# clients_share ROUND
clients_share() {
    for i in 1 2 3 4 5; do job $i client-$i $1 >>out.txt; done
}

# The members of the last report in a log that have these names, one per line: last_report FILE NAME...
last_report() {
    grep '^{' "$1" | tail -n 1 | "$HAGG_PYTHON" -c '
import json, sys

report = json.load(sys.stdin)
for name in sys.argv[1:]:
    print(report[name])
' "${@:2}"
}

@test "hagg-operations(7): its sessions" {
    bash "$SESSIONS/page.sh" </dev/null >printed.txt 2>&1
    diff -u --label hagg-operations.7 --label printed "$SESSIONS/page.txt" printed.txt
    # nothing of a client is left in the drop directory or, after the cleaning, at a station
    assert_not_exist drop/202602
    run -0 find . -path '*/round-202602/*' -name 'client-*.cbor' -size +0
    assert_output ""
}

@test "hagg-operations(7): before the deadline a station waits for the late hospital, with its crontab" {
    local line

    prepare
    rm hospital-3/vector-202602.txt
    clients_share 202602
    export CLOCK=1770357599
    run -0 --separate-stderr job 2 station-2 202602
    assert_output "round 202602: station-2: waits for work/round-202602/station-2/in/client-3.cbor"
    CLOCK=1770357600 run -0 --separate-stderr job 2 station-2 202602
    assert_output "round 202602: station-2: waits for work/round-202602/station-2/in/roster.cbor"
    # the lines of the crontab, in the month of the sessions
    printf '#!/bin/sh\ncase $* in +%%%%s) echo 1770359400 ;; *) echo 202602 ;; esac\n' >date
    chmod +x date
    sed -n 's|^ *\*/10 \* 1-12 \* \* ||p; s|^ *0 5 28 \* \* ||p' "$BATS_FILE_TMPDIR/page.txt" | sed 's/\\%/%/g' >crontab
    assert_equal "$(wc -l <crontab)" 3
    while read -r line; do
        PATH=$PWD:$PATH run -0 sh -c "$line" </dev/null
        assert_output ""
    done <<<"$(head -n 2 crontab)"
    run -0 tail -n 1 hospital-2/hagg.log
    assert_output "round 202602: station-2: waits for work/round-202602/station-2/in/roster.cbor"
    # a failure is what cron mails: the private key can be read by others
    chmod 644 hospital-2/client.pem
    rm -r hospital-2/work/round-202602/client-2
    PATH=$PWD:$PATH run -0 sh -c "$(head -n 1 crontab)"
    assert_output "client-2: status 6"
}

@test "hagg-operations(7): a file that was changed in the drop directory is refused, and the round continues without it" {
    prepare
    clients_share 202602
    cp drop/202602/station-1/client-4.cbor good.cbor
    # any byte of the payload, with the digest replaced as an attacker would
    "$HAGG_PYTHON" - drop/202602/station-1/client-4.cbor <<'END'
import sys

import xxhash

name = sys.argv[1]
data = bytearray(open(name, "rb").read())
data[-30] ^= 1
body = bytes(data[6:-17])
data[-16:] = xxhash.xxh3_128_digest(body)
open(name, "wb").write(data)
END
    run -0 hagg-inspect drop/202602/station-1/client-4.cbor
    run -6 --separate-stderr job 1 station-1 202602
    assert_output ""
    run -0 tail -n 1 hospital-1/hagg.log
    assert_output --partial "in/client-4.cbor"
    # as the page says: remove it, and get it again
    rm hospital-1/work/round-202602/station-1/in/client-4.cbor
    cp good.cbor drop/202602/station-1/client-4.cbor
    run -0 --separate-stderr job 1 station-1 202602
    assert_output "round 202602: station-1: waits for work/round-202602/station-1/in/roster.cbor"
}

@test "hagg-operations(7): a file of another month or for another hospital is refused" {
    prepare
    clients_share 202602
    mkdir -p drop/202603/station-{1,2,3,4,5} drop/202603/federator
    for i in 1 2 3 4 5; do printf '%s\n' 202602 $i 1$i >hospital-$i/vector-202603.txt; done
    clients_share 202603
    cp drop/202602/station-1/client-4.cbor drop/202603/station-1/client-4.cbor
    run -6 --separate-stderr job 1 station-1 202603
    assert_output ""
    cp drop/202602/station-2/client-4.cbor drop/202602/station-1/client-4.cbor
    run -6 --separate-stderr job 1 station-1 202602
    assert_output ""
}

@test "hagg-operations(7): nothing in the drop directory reveals figures, and the stations' keys are needed" {
    prepare
    clients_share 202602
    run -0 bash -c "hagg-inspect --json drop/202602/*/*.cbor | grep -c '\"check\":\"sealed\"'"
    assert_output 25
    # five stations' files do not decode without their keys
    for u in 1 2 3 4 5; do
        run -2 --separate-stderr hagg-aggregate --plan hospital-5/five.plan --no-state --station $u \
            -o sum-$u.cbor drop/202602/station-$u/client-*.cbor
        assert_not_exist sum-$u.cbor
        run -6 --separate-stderr hagg-aggregate --plan hospital-5/five.plan --no-state --identity hospital-5/federator.pem \
            -o sum-$u.cbor drop/202602/station-$u/client-*.cbor
        assert_not_exist sum-$u.cbor
    done
}

@test "hagg-operations(7): logs have one JSON line for each run of share, aggregate and decode" {
    prepare
    clients_share 202602
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    job 5 federator 202602 >>out.txt
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 last_report hospital-2/hagg.log command status round clients
    assert_output "hagg-aggregate
0
202602
[[1, 5]]"
    job 5 federator 202602 >>out.txt
    run -0 last_report hospital-5/hagg.log command status round clients
    assert_output "hagg-decode
0
202602
[[1, 5]]"
}

# without_station_3: lets the federator continue without station 3
without_station_3() {
    HAGG_ROUND_OPTIONS='--without stations=3' job 5 federator 202602
}

@test "hagg-operations(7): the federator continues without a station whose report is missing" {
    prepare
    clients_share 202602
    for i in 1 2 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 --separate-stderr job 5 federator 202602
    assert_output "round 202602: federator: waits for work/round-202602/federator/in/report-station-3.cbor"
    without_station_3 >>out.txt
    for i in 1 2 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 --separate-stderr job 5 federator 202602
    assert_output "round 202602: federator: finished"
    assert_equal "$(cat hospital-5/total-202602.txt)" $'1013005\n15\n65'
}

@test "hagg-operations(7): the federator continues without a station whose sum is missing" {
    prepare
    clients_share 202602
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    job 5 federator 202602 >>out.txt
    for i in 1 2 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 --separate-stderr job 5 federator 202602
    assert_output "round 202602: federator: waits for work/round-202602/federator/in/from-station-3.cbor"
    run -0 without_station_3
    assert_output "round 202602: federator: finished"
    assert_equal "$(cat hospital-5/total-202602.txt)" $'1013005\n15\n65'
}

@test "hagg-operations(7): a roster of too few hospitals is refused" {
    prepare
    rm hospital-3/vector-202602.txt hospital-4/vector-202602.txt
    clients_share 202602
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    run -6 --separate-stderr job 5 federator 202602
    assert_output ""
    assert_not_exist hospital-5/work/round-202602/federator/out/roster.cbor
    # as the page says: the late hospital delivers, and all stations report again
    printf '%s\n' 202601 3 13 >hospital-3/vector-202602.txt
    job 3 client-3 202602 >>out.txt
    rm hospital-?/work/round-202602/station-?/out/report.cbor
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 --separate-stderr job 5 federator 202602
    assert_output "round 202602: federator: waits for work/round-202602/federator/in/from-station-1.cbor and 4 more"
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 --separate-stderr job 5 federator 202602
    assert_output "round 202602: federator: finished"
    assert_equal "$(cat hospital-5/total-202602.txt)" $'810404\n11\n51'
}

@test "hagg-operations(7): a hospital that used the old plan shares again under the new one" {
    prepare
    (cd hospital-5 && sed 's/^minimum .*/minimum 5/; s/^drop .*/drop stations=1/' five.topo >five-2.topo &&
        hagg-plan -q five-2.topo -o five-2.plan)
    for i in 1 3 4 5; do
        [ $i = 5 ] || cp hospital-5/five-2.plan hospital-$i
        sed -i s/five.plan/five-2.plan/ hospital-$i/job.sh
    done
    clients_share 202602
    run -6 --separate-stderr job 1 station-1 202602
    run -6 --separate-stderr job 2 station-2 202602
    # as the page says
    cp hospital-5/five-2.plan hospital-2
    sed -i s/five.plan/five-2.plan/ hospital-2/job.sh
    rm -f hospital-2/part-202602-* hospital-2/work/round-202602/station-2/out/report.cbor
    rm -r hospital-2/work/round-202602/client-2
    run -6 --separate-stderr job 2 client-2 202602
    export HAGG_ROUND_OPTIONS=--again
    run -0 --separate-stderr job 2 client-2 202602
    assert_output "round 202602: client-2: finished"
    unset HAGG_ROUND_OPTIONS
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    job 5 federator 202602 >>out.txt
    for i in 1 2 3 4 5; do job $i station-$i 202602 >>out.txt; done
    run -0 --separate-stderr job 5 federator 202602
    assert_output "round 202602: federator: finished"
    assert_equal "$(cat hospital-5/total-202602.txt)" $'1013005\n15\n65'
}

@test "hagg-operations(7): the cleaning of a hospital continues after a part that fails" {
    prepare
    printf '#!/bin/sh\nexit 1\n' >hospital-5/part-202602-a.sh
    sed -n '/clean.sh <</,/^ *> END/p' "$BATS_FILE_TMPDIR/page.txt" | sed '1d; $d; s/^ *> //' >hospital-5/clean.sh
    clients_share 202602
    assert_exists hospital-5/work/round-202602/client-5/out/station-1.cbor
    cd hospital-5
    run -1 sh clean.sh 202602
    assert_exists work/round-202602/client-5/out/closed
}

@test "hagg-operations(7): its check finds a false key of a hospital, however the line is written" {
    local check key line

    prepare
    check=$(sed -n 's/^ *\$ \(awk .* five\.keys | diff - public\.txt\)$/\1/p' "$BATS_FILE_TMPDIR/page.txt" | head -n 1)
    [ -n "$check" ]
    hagg-keygen --identity false.pem --station 2 >false.txt
    key=$(cut -d ' ' -f 3 false.txt)
    cp hospital-2/five.keys good.keys
    cp hospital-5/five.topo hospital-2
    cd hospital-2
    run -0 sh -c "$check"
    for line in "station 2 $key" "station  2 $key" $'station\t2 '"$key" " station 2 $key"; do
        { echo "$line" && cat ../good.keys; } >five.keys
        run -0 --separate-stderr hagg-plan -q five.topo -o false.plan
        assert_equal "$stderr" "hagg-plan: five.keys: station 2 has 2 keys: make sure that all of them are its own"
        run -1 sh -c "$check"
        assert_output --partial "$key"
    done
}
