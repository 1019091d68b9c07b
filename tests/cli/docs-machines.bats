#!/usr/bin/env bats
# docs/howto/many-machines.md: each machine is a home directory of its own, reached over ssh.

load common
load sessions
load sshd

setup_file() {
    local bin=$BATS_FILE_TMPDIR/bin tool

    common_setup_file
    # without a password, as the page requires
    for tool in ssh scp sftp; do
        printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v $tool)" "$BATS_FILE_TMPDIR/ssh/config" >"$bin/$tool"
        chmod +x "$bin/$tool"
    done
    start_sshd client-{1,2,3,4} station-{1,2,3} new-station-2 federator
}

teardown_file() {
    stop_sshd
}

@test "docs/howto/many-machines.md: its sessions" {
    local before

    MACHINES=$BATS_FILE_TMPDIR/machines
    cd "$BATS_TEST_TMPDIR"
    unset HAGG_PLAN PARALLEL CLIENT STATION RELAY FEDERATOR
    before=$(n_logins)
    run_page docs/howto/many-machines.md
    # a station has what clients and the federator sent, and no more; shares of closed rounds are deleted
    run -0 find "$MACHINES/station-1" -name .local -prune -o -type f -printf '%P\n'
    assert_equal "$(sort <<<"$output")" "clean.sh
cron.sh
part.sh
report.sh
round-1/in/roster.cbor
round-1/out/closed
round-1/out/report.cbor
round-1/out/sent
round-1/out/sum.cbor
round-2/in/client-1.cbor
round-2/in/client-2.cbor
round-2/in/client-4.cbor
round-2/in/roster.cbor
round-2/out/report.cbor
round-2/out/sent
round-2/out/sum.cbor
round-6/station-1/in/client-1.cbor
round-6/station-1/in/client-2.cbor
round-6/station-1/in/client-3.cbor
round-6/station-1/in/client-4.cbor
round-6/station-1/in/roster.cbor
round-6/station-1/out/closed
round-6/station-1/out/report-federator.sent
round-6/station-1/out/report.cbor
round-6/station-1/out/sum.cbor
round-6/station-1/out/sums-federator.sent
round-6/station-1/private/lock
send.sh
small.plan
station.sh"
    run -0 find "$MACHINES" -path '*/round-6/*' -name 'client-*.cbor' -size +0
    assert_output ""
    assert_not_exist "$MACHINES/client-1/round-1/out/station-1.cbor"
    assert_exist "$MACHINES/client-1/round-2/out/station-1.cbor"
    # the new station 2 remembers the clients of its rounds, also of those that make and parallel ran there
    assert_not_exist "$MACHINES/station-2/.local/state/hagg"
    run -0 hagg-inspect --state="$MACHINES/new-station-2/.local/state/hagg"
    assert_line --regexp 'station-2 +shares +1 1-4$'
    assert_line --regexp 'station-2 +shares +2 1-2,4$'
    assert_line --regexp 'station-2 +shares +4 1-4$'
    # the rounds of make and parallel are run there, too
    [ $(($(n_logins) - before)) -ge 80 ]
}

# on HOST NUMBER PATTERN: runs the only line of the page's crontabs that contains PATTERN, with the number of a
# node instead of 2.
on() {
    local line

    line=$(sed -n '/^## cron/,/^## make/p' "$HAGG_SOURCE_DIR/docs/howto/many-machines.md" |
        grep -E '^[0-9*]' | grep -F "$3" | sort -u)
    [ -n "$line" ]
    [ "$(wc -l <<<"$line")" = 1 ]
    ssh "$1" "$(sed -E "s/^(\S+ +){5}//; s/\.sh 2( |$)/.sh $2\1/; s/\\\\%/%/g" <<<"$line")"
}

@test "docs/howto/many-machines.md: its crontabs, after its sessions" {
    local machines=$BATS_FILE_TMPDIR/machines host i u

    cd "$machines"
    mkdir -m 700 -p station-2/.local/state/hagg
    cat >"$BATS_FILE_TMPDIR/bin/date" <<'END'
#!/bin/sh
case $* in
+%Y%m) echo 202602 ;;
+%Y-%m) echo 2026-02 ;;
+%s) echo 1770357599 ;; # a second before the deadline
*) exit 1 ;;
esac
END
    chmod +x "$BATS_FILE_TMPDIR/bin/date"
    for host in station-{1,2,3} federator; do on $host 0 'hagg-round --prepare'; done
    for i in 1 2 3 4; do
        printf '%s\n' 202602 $i 0 >client-$i/vector.txt
        on client-$i $i client.sh
    done
    for u in 1 2 3; do on station-$u $u report.sh; done
    on federator 0 roster.sh
    # station 1 lacks a share in another round: it continues with this one, and the other one can be given up
    rm station-1/round-2/{out/sent,in/client-4.cbor}
    run -5 --separate-stderr on station-1 1 cron.sh
    assert_equal "${#stderr_lines[@]}" 1
    assert_exist station-1/round-202602/out/sent
    ssh station-1 sh clean.sh 2
    for u in 1 2 3; do on station-$u $u cron.sh; done
    on federator 0 decode.sh
    assert_equal "$(cat federator/total-202602.txt)" "810408
10
0"
    for host in client-{1,2,3,4} station-{1,2,3}; do on $host 0 clean.sh; done
    # the part that hagg-round writes
    on station-2 2 'hagg-round --emit'
    on station-2 2 '*/5 * * * *   sh part'
    assert_equal "$(ssh station-2 sh part-202602.sh)" "round 202602: station-2: waits for ./round-202602/station-2/in/client-*.cbor"
    assert_equal "$(grep ^DEADLINE= station-2/part-202602.sh)" 'DEADLINE=${DEADLINE-1770357600}'
    on station-2 2 'part-$(date +\%Y\%m).sh clean-keys'
    assert_exist station-2/round-202602/station-2/out/closed
    run -0 find . -path '*/round-202602/*' -name '*.cbor' -printf '%P\n'
    assert_equal "$(sort <<<"$output" | grep -v federator)" "$(printf '%s\n' \
        station-{1,2,3}/round-202602/{in/roster,out/{report,sum}}.cbor)"
}
