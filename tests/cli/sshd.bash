# sshd.bash - a server for ssh on this machine, for tests of commands that go over ssh.

# For setup_file: starts it in $BATS_FILE_TMPDIR/ssh. `ssh -F $SSH_CONFIG NAME` comes to this machine,
# whatever the name; commands find what is on PATH here. With start_sshd NAME..., each of these names
# is a machine whose home directory is $BATS_FILE_TMPDIR/machines/NAME. SSHD_EXTRA has more lines for the server.
start_sshd() {
    local folder=$BATS_FILE_TMPDIR/ssh machines=$BATS_FILE_TMPDIR/machines port tries name

    mkdir -m 700 "$folder"
    ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
    ssh-keygen -q -t ed25519 -N '' -f "$folder/user"
    # The server requires it when root starts it, and for every connection. It stays, because another
    # test may be using it.
    [ "$(id -u)" != 0 ] || mkdir -p -m 755 /run/sshd
    export SSH_CONFIG=$folder/config SSHD_LOG=$folder/log
    for tries in 1 2 3; do
        port=$("$HAGG_PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
        cat >"$folder/sshd_config" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $folder/host
AuthorizedKeysFile $folder/user.pub
PidFile $folder/pid
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
PermitUserEnvironment no
MaxStartups 100
LogLevel INFO
SetEnv PATH=$PATH HOME=$folder
AcceptEnv BATS_TEST_TMPDIR HAGG_MACHINE
Subsystem sftp /usr/lib/openssh/sftp-server
END
        if [ $# != 0 ]; then
            echo "ForceCommand cd $machines/\$HAGG_MACHINE && HOME=\$PWD exec sh -c \"\$SSH_ORIGINAL_COMMAND\"" \
                >>"$folder/sshd_config"
        fi
        printf '%s\n' "${SSHD_EXTRA:-}" >>"$folder/sshd_config"
        /usr/sbin/sshd -f "$folder/sshd_config" -E "$SSHD_LOG" && break
    done
    for name; do
        mkdir -p "$machines/$name"
        printf 'Host %s\n    SetEnv HAGG_MACHINE=%s\n' "$name" "$name"
    done >"$SSH_CONFIG"
    cat >>"$SSH_CONFIG" <<END
Host *
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $folder/user
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
    SendEnv BATS_TEST_TMPDIR
END
    for tries in $(seq 50); do
        ! ssh -F "$SSH_CONFIG" "${1:-here}" true || return 0
        sleep 0.1
    done
    cat "$SSHD_LOG" >&2
    return 1
}

# For teardown_file.
stop_sshd() {
    local folder=$BATS_FILE_TMPDIR/ssh

    [ ! -e "$folder/pid" ] || kill "$(cat "$folder/pid")"
}

# How many have come in so far.
n_logins() {
    grep -c 'Accepted publickey' "$SSHD_LOG"
}
