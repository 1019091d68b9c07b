#!/usr/bin/env bats
# docs/howto/many-machines.md: each machine is a home directory of its own, reached over ssh.

load common
load sessions
load sshd

setup_file() {
    local bin=$BATS_FILE_TMPDIR/bin tool

    common_setup_file
    # without a password, as the page requires
    for tool in ssh scp; do
        printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v $tool)" "$BATS_FILE_TMPDIR/ssh/config" >"$bin/$tool"
        chmod +x "$bin/$tool"
    done
    start_sshd client-{1,2,3,4} station-{1,2,3} federator
}

teardown_file() {
    stop_sshd
}

@test "docs/howto/many-machines.md: its sessions" {
    local before

    cd "$BATS_TEST_TMPDIR"
    unset HAGG_PLAN PARALLEL CLIENT STATION RELAY FEDERATOR
    before=$(n_logins)
    run_page docs/howto/many-machines.md
    # a station has what clients and the federator sent, and no more
    run -0 find "$BATS_FILE_TMPDIR/machines/station-2" -name .local -prune -o -type f -printf '%P\n'
    assert_equal "$(sort <<<"$output")" "cron.sh
report.sh
round-1/in/client-1.cbor
round-1/in/client-2.cbor
round-1/in/client-3.cbor
round-1/in/client-4.cbor
round-1/in/roster.cbor
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
small.plan
station.sh"
    # it remembers the clients of its rounds, also of those that make and parallel ran there
    run -0 hagg-inspect --state="$BATS_FILE_TMPDIR/machines/station-2/.local/state/hagg"
    assert_line --regexp 'station-2 +shares +1 1-4$'
    assert_line --regexp 'station-2 +shares +2 1-2,4$'
    assert_line --regexp 'station-2 +shares +4 1-4$'
    # the rounds of make and parallel are run there, too
    [ $(($(n_logins) - before)) -ge 80 ]
}
