#!/usr/bin/env bats
# The directories of the nodes in a round that hagg-round writes: what others put into an inbox is never
# taken for a node's own file, and nodes can be different users.

load common
load round
load emitted

TOOL=hagg-round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    make_vectors 1 2 3 4
}

# refused PATH MESSAGE: checks that the round is refused with this message, and that nothing changed
refused() {
    emit make small.topo >Makefile
    before=$(find work/round-1/station-1 -printf '%p %m %u %T@\n' | sort)
    run -2 --separate-stderr make -s
    assert_equal "${stderr_lines[0]}" "hagg-round: $1: $2"
    assert_regex "${stderr_lines[1]}" "^make: \*\*\* \[Makefile:[0-9]+: [^ ]*/private\] Error 6\$"
    assert_equal "$(find work/round-1/station-1 -printf '%p %m %u %T@\n' | sort)" "$before"
    run -0 find work -name '*.cbor'
    assert_output ""
    unchanged 6 hagg-round --prepare work/round-1/station-1
    assert_message "$1: $2"
}

# --- --prepare

@test "--prepare creates the directories with their modes, whatever the umask, and again changes nothing" {
    for mask in 000 022 077; do
        (umask $mask && hagg-round --prepare a/b/station-1 && hagg-round --prepare a/b/station-2/ --inbox 3733)
        run -0 find a -mindepth 2 -printf '%P %m\n'
        assert_equal "$(sort <<<"$output")" "b/station-1 711
b/station-1/in 700
b/station-1/out 700
b/station-1/private 700
b/station-2 711
b/station-2/in 3733
b/station-2/out 700
b/station-2/private 700"
        before=$(find a -printf '%p %m %i %T@\n')
        run -0 hagg-round --prepare a/b/station-1
        assert_equal "$(find a -printf '%p %m %i %T@\n')" "$before"
        rm -r a
    done
}

@test "--prepare: usage" {
    for mode in 7 0600 070 0777 0722 10700 x 0o700 -700 '' ' 700' 00000700; do
        run -2 --separate-stderr hagg-round --prepare a --inbox "$mode"
        assert_usage "--inbox must be an octal mode with all permissions for the owner, and with the sticky bit if others can write, such as 0700 or 3733, not '$mode'"
    done
    assert_not_exists a
    run -2 --separate-stderr emit make --prepare a small.topo
    assert_usage "--prepare does not write a round: omit --emit and the plan"
}

@test "a private directory that others can read or write is refused" {
    hagg-round --prepare work/round-1/station-1
    for mode in 755 710 701 770 1777; do
        chmod $mode work/round-1/station-1/private
        refused work/round-1/station-1/private "other users have access to it: make sure that they changed nothing, then use chmod 700"
    done
    chmod 700 work/round-1/station-1/private
    for name in /out ''; do
        chmod g+w work/round-1/station-1$name
        refused work/round-1/station-1$name "other users have access to it: make sure that they changed nothing, then use chmod go-w"
        chmod g-w work/round-1/station-1$name
    done
    make -s
    assert_total_of 1,2,3,4
}

@test "a link or a file instead of a directory is refused" {
    hagg-round --prepare work/round-1/station-1
    mkdir -m 700 elsewhere
    for name in /private /out /in; do
        mv work/round-1/station-1$name away
        ln -s "$PWD/elsewhere" work/round-1/station-1$name
        refused work/round-1/station-1$name "is not a directory, or is a symbolic link: move it away"
        rm work/round-1/station-1$name
        : >work/round-1/station-1$name
        refused work/round-1/station-1$name "is not a directory, or is a symbolic link: move it away"
        rm work/round-1/station-1$name
        mv away work/round-1/station-1$name
    done
}

@test "directories that others can replace are refused" {
    hagg-round --prepare work/round-1/station-1
    for dir in work/round-1 work; do
        chmod 777 $dir
        refused $dir "other users could replace the directories in it: use chmod go-w, or chmod +t if they may create their own"
        chmod 1777 $dir
        hagg-round --prepare work/round-1/station-1
        chmod 755 $dir
    done
}

# --- what others write to an inbox

# evil_round PLAN [OPTION...]: runs round 1 of the plan with other vectors, in the directory evil
evil_round() {
    mkdir evil evil/state
    chmod 700 evil/state
    cp "$1" evil
    (
        cd evil
        export HAGG_STATE=$PWD/state
        for i in 1 2 3 4; do
            npy grad$i.npy "np.full((4, 5), 0.9)"
        done
        emit make "$@" >Makefile
        make -s 2>/dev/null
    )
}

@test "planted shares: a client's own shares replace them" {
    evil_round small.topo
    for u in 1 2 3; do
        hagg-round --prepare work/round-1/station-$u
        cp evil/work/round-1/station-$u/in/client-2.cbor work/round-1/station-$u/in
        # newer than all files that make would compare it with
        touch -d '1 hour' work/round-1/station-$u/in/client-2.cbor
    done
    emit make small.topo >Makefile
    make -s
    assert_total_of 1,2,3,4
    # also with parallel
    rm -r work
    forget
    for u in 1 2 3; do
        hagg-round --prepare work/round-1/station-$u
        cp evil/work/round-1/station-$u/in/client-2.cbor work/round-1/station-$u/in
    done
    emit parallel small.topo >round.sh
    sh round.sh
    assert_total_of 1,2,3,4
}

@test "planted keys, sums and notes in inboxes are not used" {
    for collusion in partial full; do
        write_transforming $collusion
        evil_round transforming.plan --unsafe-plan
        # every file of each node of the other round, under its own name, in the inbox of the node
        for node in evil/work/round-1/*/; do
            node=${node%/}
            hagg-round --prepare work/round-1/${node##*/}
            for box in in out private; do
                for file in $node/$box/*; do
                    [ ! -e "$file" ] || cp "$file" work/round-1/${node##*/}/in
                done
            done
        done
        assert_exists work/round-1/client-2/in/key.cbor
        assert_exists work/round-1/station-2/in/sum.cbor
        assert_exists work/round-1/relay-2/in/shares.cbor
        assert_exists work/round-1/client-2/in/shares.sent
        emit make --unsafe-plan transforming.plan >Makefile
        make -s
        assert_total_of 1,2,3,4
        run -1 cmp work/round-1/client-2/in/key.cbor work/round-1/client-2/private/key.cbor
        rm -r work evil
        forget
    done
}

@test "a directory or a link in the place of a copy: nothing is written through it" {
    hagg-round --prepare work/round-1/station-1
    mkdir work/round-1/station-1/in/client-1.cbor elsewhere
    ln -s "$PWD/elsewhere/file" work/round-1/station-1/in/client-2.cbor
    emit make small.topo >Makefile
    run -2 --separate-stderr make -s -k
    run -0 grep -c "install: cannot overwrite directory 'work/round-1/station-1/in/client-1.cbor' with non-directory" <<<"$stderr"
    run -0 find elsewhere work/round-1/station-1/in/client-1.cbor -mindepth 1
    assert_output ""
    rmdir work/round-1/station-1/in/client-1.cbor
    make -s
    assert_total_of 1,2,3,4
    assert [ ! -L work/round-1/station-1/in/client-2.cbor ]
}

# --- nodes that are different users

# Lets every node be a user of its own, with a state directory of its own: as USER COMMAND.
begin_users() {
    [ "$(id -u)" = 0 ] || skip "only root can act as other users"
    chmod a+rx . .. ../.. ../../..
    cat >as <<'END'
#!/bin/sh
export HAGG_STATE="$PWD/state-$1"
[ -d "$HAGG_STATE" ] || install -d -m 700 -o "$1" -g "$1" "$HAGG_STATE"
exec setpriv --reuid "$1" --regid "$1" --clear-groups --inh-caps=-all --bounding-set=-all sh -c "$2"
END
    chmod +x as
    mkdir -p -m 755 work
    mkdir -m 1777 work/round-1
    emit make small.topo >Makefile
    for i in 1 2 3 4; do
        chown 7010$i grad$i.npy
        chmod 600 grad$i.npy
    done
    USERS=(CLIENT='./as 7010$(NODE)' STATION='./as 7020$(NODE)' FEDERATOR='./as 70301')
}

@test "a round between different users" {
    begin_users
    make -s -j2 "${USERS[@]}" INBOX=3733 CARRY='install -m 0640 -T'
    assert_total_of 1,2,3,4
    run -0 find work/round-1 -path '*-2/*' -type f -printf '%m %U %G %P\n'
    assert_equal "$(sort -k 4 <<<"$output")" "644 70102 70102 client-2/out/shares.sent
600 70102 70102 client-2/out/station-1.cbor
600 70102 70102 client-2/out/station-2.cbor
600 70102 70102 client-2/out/station-3.cbor
600 70102 70102 client-2/private/key.cbor
640 70101 70202 station-2/in/client-1.cbor
640 70102 70202 station-2/in/client-2.cbor
640 70103 70202 station-2/in/client-3.cbor
640 70104 70202 station-2/in/client-4.cbor
640 70201 70202 station-2/in/keys.cbor
640 70301 70202 station-2/in/roster.cbor
600 70202 70202 station-2/out/keys-station-3.cbor
644 70202 70202 station-2/out/keys-station-3.sent
644 70202 70202 station-2/out/report.cbor
644 70202 70202 station-2/out/report.sent
600 70202 70202 station-2/out/sum.cbor
644 70202 70202 station-2/out/sums.sent"
    # no node can read the files of another one
    for file in client-1/private/key.cbor client-1/out/station-1.cbor station-1/in/client-1.cbor station-1/out/sum.cbor federator/in/keys.cbor; do
        assert_exists work/round-1/$file
        run -1 ./as 70202 "cat work/round-1/$file"
        assert_output --partial "Permission denied"
    done
    make -s "${USERS[@]}" clean-keys
    run -0 find work/round-1 -name 'client-*.cbor' -size +0 -o -name key.cbor -size +0
    assert_output ""
    make -s "${USERS[@]}" INBOX=3733 CARRY='install -m 0640 -T'
    assert_total_of 1,2,3,4
}

@test "between different users: an inbox is closed by default, and nobody can replace what others sent" {
    begin_users
    run -2 --separate-stderr make -s "${USERS[@]}"
    run -0 grep -c "^install: .*station-1/in/client-1.cbor': Permission denied" <<<"$stderr"
    rm -r work/round-1/* state-*
    # client 4 writes to the inbox of station 1, before client 2 does
    ./as 70201 'hagg-round --prepare work/round-1/station-1 --inbox 3733'
    ./as 70104 'echo planted >work/round-1/station-1/in/client-2.cbor'
    run -2 --separate-stderr make -s -k "${USERS[@]}" INBOX=3733 CARRY='install -m 0640 -T'
    run -0 grep -c "^install: cannot remove 'work/round-1/station-1/in/client-2.cbor': Operation not permitted" <<<"$stderr"
    run -0 find work -name 'report*' -o -name 'roster*'
    assert_output ""
    # station 1 removes it
    ./as 70201 'rm -f work/round-1/station-1/in/client-2.cbor'
    make -s "${USERS[@]}" INBOX=3733 CARRY='install -m 0640 -T'
    assert_total_of 1,2,3,4
}

@test "directories that another user made for a node are refused" {
    begin_users
    # client 4 wants to choose the key of client 2
    ./as 70104 'umask 000; mkdir -p work/round-1/client-2/private work/round-1/client-2/out; echo planted >work/round-1/client-2/private/key.cbor'
    run -2 --separate-stderr make -s -k "${USERS[@]}"
    run -0 grep -c "^hagg-round: work/round-1/client-2: belongs to another user: move it away, and use a directory of your own$" <<<"$stderr"
    assert_not_exists work/round-1/client-2/out/station-1.cbor
    # the same for the private directory alone
    rm -r work/round-1/client-2
    ./as 70102 'hagg-round --prepare work/round-1/client-2'
    chown 70104 work/round-1/client-2/private
    run -2 --separate-stderr make -s -k "${USERS[@]}"
    run -0 grep -c "^hagg-round: work/round-1/client-2/private: belongs to another user: move it away, and use a directory of your own$" <<<"$stderr"
    # and for the directory of the round
    rm -r work/round-1/client-2
    chown 70104 work/round-1
    run -2 --separate-stderr make -s -k "${USERS[@]}"
    run -0 grep -c "^hagg-round: work/round-1: belongs to another user, who could replace the directories in it: use a directory of your own or of root$" <<<"$stderr"
}
