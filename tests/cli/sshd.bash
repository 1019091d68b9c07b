# sshd.bash - an ssh server on this machine, for tests of commands over ssh.

# For setup_file: starts it in $BATS_FILE_TMPDIR/ssh. `ssh -F $SSH_CONFIG NAME` connects to this machine,
# whatever the name; commands run with the current PATH.
start_sshd() {
    local folder=$BATS_FILE_TMPDIR/ssh port tries

    mkdir -m 700 "$folder"
    ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
    ssh-keygen -q -t ed25519 -N '' -f "$folder/user"
    # the server needs this directory if root starts it
    if [ "$(id -u)" = 0 ] && [ ! -e /run/sshd ]; then
        mkdir -m 755 /run/sshd
        touch "$folder/made-run-sshd"
    fi
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
SetEnv PATH=$PATH
AcceptEnv BATS_TEST_TMPDIR
END
        /usr/sbin/sshd -f "$folder/sshd_config" -E "$SSHD_LOG" && break
    done
    cat >"$SSH_CONFIG" <<END
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
        ! ssh -F "$SSH_CONFIG" here true || return 0
        sleep 0.1
    done
    cat "$SSHD_LOG" >&2
    return 1
}

# For teardown_file.
stop_sshd() {
    local folder=$BATS_FILE_TMPDIR/ssh

    [ ! -e "$folder/pid" ] || kill "$(cat "$folder/pid")"
    [ ! -e "$folder/made-run-sshd" ] || rmdir /run/sshd
}

# Prints the number of logins so far.
n_logins() {
    grep -c 'Accepted publickey' "$SSHD_LOG"
}
