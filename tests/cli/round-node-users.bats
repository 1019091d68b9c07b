#!/usr/bin/env bats
# hagg-round --node: every node is a Unix user of its own, with nothing in common with the others but a directory
# for new files, or an account at the receiver that accepts files and has no shell.

load common
load round
load emitted
load parts
load sshd

TOOL=hagg-round

setup_file() {
    local node

    common_setup_file
    [ "$(id -u)" = 0 ] || return 0
    chmod a+rx "$BATS_FILE_TMPDIR" "$BATS_FILE_TMPDIR/.." "$BATS_FILE_TMPDIR/../.."
    export USERS=hagg$BASHPID NET=$BATS_FILE_TMPDIR/net
    mkdir "$NET"
    for node in $(nodes_of 4 3); do
        # '*' is not a password, and the account is not locked
        useradd --no-create-home --home-dir "$NET/nodes/$node" --shell /usr/sbin/nologin --user-group \
            --password '*' "$USERS-$node"
    done
    export SSHD_EXTRA="Match User $USERS-*
    AuthorizedKeysFile $NET/authorized
    ForceCommand internal-sftp"
    start_sshd
    cp "$BATS_FILE_TMPDIR/ssh/user.pub" "$NET/authorized"
    for node in $(nodes_of 4 3); do
        printf 'Host %s\n    User %s\n' $node "$USERS-$node"
    done >"$NET/config"
    sed '/^ *User \|^ *IdentityFile \|SendEnv/d' "$SSH_CONFIG" >>"$NET/config"
}

teardown_file() {
    local node

    [ -n "${USERS-}" ] || return 0
    stop_sshd
    for node in $(nodes_of 4 3); do userdel "$USERS-$node"; done
}

setup() {
    [ "$(id -u)" = 0 ] || skip "only root can act as other users"
    begin_round
    make_vectors 1 2 3 4
    unset CARRY INBOX DEADLINE
    NODES=$(nodes_of 4 3)
}

# begin_users MODE SEND: writes the parts for these users; MODE is that of their home directories
begin_users() {
    local node

    rm -rf "$NET/nodes"
    mkdir "$NET/nodes"
    ln -s "$NET/nodes" nodes
    for node in $NODES; do
        write_part sh $node --send "$2" small.topo
        install -m 600 "$BATS_FILE_TMPDIR/ssh/user" nodes/$node/id
        chown -R "$USERS-$node:$USERS-$node" "$NET/nodes/$node"
        chmod "$1" nodes/$node
        [ ! -e nodes/$node/grad.npy ] || chmod 600 nodes/$node/grad.npy
    done
}

# as NODE COMMAND: runs a command of the shell as the user of a node, at home
as() {
    runuser -u "$USERS-$1" -- env HAGG_STATE="$NET/nodes/$1/state" NET="$NET" sh -c "cd '$NET/nodes/$1' && $2"
}

# run_part for these users, with an inbox of this mode
run_part() {
    as "$1" "INBOX=${INBOX:-0700} sh part"
}

@test "parts of different users, with a directory for new files" {
    begin_users 711 'to=$NET/nodes/{to}/work/round-1/{to}/in && install -m 0640 -T {file} $to/.{name}.part && mv -T $to/.{name}.part $to/{name}'
    export INBOX=3733
    # the directories do not exist yet: sending fails, and works in a later run
    run -1 --separate-stderr run_part client-1
    assert_output ""
    assert_equal "$(grep -c 'was not sent to station-[123] (status 1): run the script again$' <<<"$stderr")" 3
    for node in $NODES; do run_part $node >log.txt 2>err.txt || true; done
    until_finished $NODES
    assert_part_total_of 1,2,3,4
    run -0 find "$NET/nodes/station-2/work" -name 'client-*.cbor' -printf '%m %u %g %f\n'
    assert_equal "$(sort -k 4 <<<"$output")" "$(for i in 1 2 3 4; do echo "640 $USERS-client-$i $USERS-station-2 client-$i.cbor"; done)"
    # nobody reads the files of another node, or lists or replaces what others sent
    for file in client-1/{grad.npy,work/round-1/client-1/{private/key.cbor,out/station-1.cbor}} station-1/work/round-1/station-1/{in/client-1.cbor,out/sum.cbor}; do
        assert_exists nodes/$file
        run -1 as station-2 "cat '$NET/nodes/$file'"
        assert_output --partial "Permission denied"
    done
    run -2 as client-4 "ls '$NET/nodes/station-1/work/round-1/station-1/in'"
    run -1 as client-4 "mv grad.npy '$NET/nodes/station-1/work/round-1/station-1/in/client-1.cbor'"
}

@test "parts of different users over a real sshd: accounts that accept files and have no shell" {
    begin_users 700 'in=work/round-1/{to}/in; printf "put %s $in/.{name}.part\nrename $in/.{name}.part $in/{name}\n" {file} | sftp -q -b - -F "$NET/config" -i id {to} >/dev/null'
    run -1 as client-1 'ssh -F "$NET/config" -i id station-1 id'
    assert_output "This service allows sftp connections only."
    for node in $NODES; do as $node "hagg-round --prepare work/round-1/$node"; done
    before=$(n_logins)
    until_finished $NODES
    assert_part_total_of 1,2,3,4
    # 12 shares, 3 reports, 3 rosters, 3 sums and 3 links of the chain, each sent once
    assert_equal $(($(n_logins) - before)) 24
    run -0 find "$NET/nodes" -name '*.part'
    assert_output ""
    # the server is away: nothing is lost
    rm nodes/client-2/work/round-1/client-2/out/shares-station-3.sent
    cp "$NET/config" config
    sed -i 's/Port .*/Port 1/' "$NET/config"
    run -1 --separate-stderr run_part client-2
    assert_equal "$(tail -n 1 <<<"$stderr")" "round 1: client-2: work/round-1/client-2/out/station-3.cbor was not sent to station-3 (status 255): run the script again"
    cat config >"$NET/config"
    run -0 --separate-stderr run_part client-2
    assert_output "round 1: client-2: finished"
}
