#!/usr/bin/env bats
# What code in a command that reads records can still do; see hagg(7). A plugin tries it.

load common
load round
load sealed

setup_file() {
    common_setup_file
    "${CC:-cc}" -shared -fPIC -o "$BATS_FILE_TMPDIR/trap.so" -x c - <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void report(const char *what, int allowed)
{
    dprintf(2, "%s %s\n", what, allowed ? "yes" : "no");
}

static void *nothing(void *arg)
{
    return arg;
}

__attribute__((constructor)) static void try_everything(void)
{
    char byte, other;
    struct iovec to = { &byte, 1 }, from = { &other, 1 };
    struct rlimit core;
    pthread_t thread;
    pid_t child;

    report("fork", (child = fork()) >= 0);
    if (child == 0)
        _exit(0);
    report("exec", execl("/nowhere/nothing", "x", (char *)0) == -1 && errno == ENOENT);
    report("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    report("ptrace", ptrace(PTRACE_ATTACH, 1 << 22, 0, 0) == -1 && errno == ESRCH);
    report("memory", process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1);
    report("kill", kill(getpid(), 0) == 0);
    report("uring", syscall(SYS_io_uring_setup, 1, (void *)0) == -1 && errno == EFAULT);
    report("typing", ioctl(0, TIOCSTI, "x") == -1 && errno == ENOTTY);
    report("create", open("elsewhere/new", O_CREAT | O_WRONLY, 0600) >= 0);
    report("write", open("elsewhere/old", O_WRONLY) >= 0);
    report("truncate", truncate("elsewhere/old", 0) == 0);
    report("remove", unlink("elsewhere/old") == 0);
    report("link", symlink("x", "out/link") == 0);
    report("permissions", chmod("elsewhere", 0777) == 0);
    report("core", getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max > 0);
    report("debugger", prctl(PR_GET_DUMPABLE) == 1);
    report("privileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    /* what commands need */
    report("thread", pthread_create(&thread, 0, nothing, 0) == 0 && pthread_join(thread, 0) == 0);
    report("output", open("out/new", O_CREAT | O_WRONLY, 0600) >= 0 && unlink("out/new") == 0);
    report("device", open("/dev/null", O_WRONLY) >= 0);
}
END
}

setup() {
    begin_round
    mkdir plugins elsewhere out
    chmod 700 elsewhere
    echo old >elsewhere/old
    seq 3 | hagg-share -n 3 -k 2 -z 1 --field gf256 --type u1 --format text -o trap.cbor
    cp "$BATS_FILE_TMPDIR/trap.so" plugins/hagg-field-gf256.so
    sed 's/quantize.*/field gf256/' small.topo >trap.topo
    ulimit -c unlimited
    export HAGG_PLUGIN_PATH=$PWD/plugins
}

# Returns true if the kernel has Landlock (system call 444), without which files are not confined.
has_landlock() {
    "$HAGG_PYTHON" -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)'
}

# tries EXPECTED COMMAND...: checks which of the attempts are allowed; "yes" or "no" for all that are not needed.
tries() {
    run --separate-stderr "${@:2}" </dev/null
    local line files=()
    ! has_landlock || files=(create write remove link)
    for line in fork exec socket ptrace memory kill uring typing truncate permissions core debugger privileges \
        "${files[@]}"; do
        assert_regex "$stderr" $'(^|\n)'"$line $1"$'\n'
    done
    for line in thread output device; do
        assert_regex "$stderr" $'(^|\n)'"$line yes"$'\n'
    done
}

COMMANDS=(
    "hagg-aggregate -o out/sum.cbor trap.cbor"
    "hagg-aggregate -o out/{}/sum.cbor trap.cbor"
    "hagg-decode -o out/total.npy trap.cbor"
    "hagg-transform --step contribute --holders 1-3 -k 2 -z 1 -o out/{}.cbor trap.cbor"
    "hagg-roster --plan trap.topo --round 1 --station 1 -o out/report.cbor trap.cbor"
    "hagg-keygen --plan trap.topo --client 1 --round 1 --length 3 -o out/k.cbor"
    "hagg-share --plan trap.topo --client 1 --round 1 --key trap.cbor -o out/s{}.cbor trap.cbor"
    "hagg-share -n 3 -k 2 -z 1 --field gf256 --type i1 --format raw -o out/s{}.cbor trap.cbor"
)

@test "code in a command that reads records can start nothing, connect to nothing and write only outputs" {
    for command in "${COMMANDS[@]}"; do
        tries no $command
    done
    if has_landlock; then
        assert_equal "$(cat elsewhere/old)" old
        assert_equal "$(ls elsewhere)" old
    fi
    assert_equal "$(stat -c %a elsewhere)" 700
}

@test "hagg-inspect and hagg-cost write nothing at all" {
    for command in "hagg-inspect trap.cbor" "hagg-cost --measure --plan trap.topo trap.cbor"; do
        run --separate-stderr $command </dev/null
        for line in fork exec socket debugger $(! has_landlock || echo create write remove output); do
            assert_regex "$stderr" $'(^|\n)'"$line no"$'\n'
        done
        assert_regex "$stderr" $'\n'"thread yes"$'\n'
    done
}

@test "HAGG_NO_CONFINEMENT=1 switches it off" {
    for command in "${COMMANDS[0]}" "${COMMANDS[5]}"; do
        HAGG_NO_CONFINEMENT=1 tries yes $command
        rm -f out/link elsewhere/new
        echo old >elsewhere/old
    done
    HAGG_NO_CONFINEMENT=0 tries no ${COMMANDS[0]}
}

@test "without an output in files, no directory can be written to but the state" {
    has_landlock || return 0
    run --separate-stderr hagg-aggregate trap.cbor </dev/null
    assert_regex "$stderr" $'\n'"output no"$'\n'
    HAGG_STATE=$PWD/out run --separate-stderr hagg-aggregate trap.cbor </dev/null
    assert_regex "$stderr" $'\n'"output yes"$'\n'
}

@test "sealed records: the file of the private key can be made, and everything works" {
    unset HAGG_PLUGIN_PATH
    mkdir keys
    {
        hagg-keygen --identity 'keys/{tier}-{}.pem' --clients 1-2
        hagg-keygen --identity 'keys/{tier}-{}.pem' --stations 1-3
        hagg-keygen --identity keys/federator.pem --federator -o out/line
        cat out/line
    } >ids.txt
    printf '%s\n' "protocol aligned" "collude full stations=1" "stations 3" "client 1 2 via 1-3" "identities ids.txt" >sealed.topo
    export HAGG_PLAN=$PWD/sealed.topo LENGTH=3
    for i in 1 2; do
        npy v$i.npy "np.array([1, 2, 3], dtype='i4') * $i"
    done
    clients 1 2
    stations 1 2 3
    decode
    assert_numpy "np.array_equal(load('total.npy'), [3, 6, 9])"
}

@test "sealed records: code in a command can write no private key" {
    mkdir keys
    {
        HAGG_PLUGIN_PATH='' hagg-keygen --identity 'keys/{tier}-{}.pem' --clients 1-2
        HAGG_PLUGIN_PATH='' hagg-keygen --identity 'keys/{tier}-{}.pem' --stations 1-3
        HAGG_PLUGIN_PATH='' hagg-keygen --identity keys/federator.pem --federator
    } >ids.txt
    cp keys/station-1.pem elsewhere/old
    printf '%s\n' "protocol keys" "field gf256" "collude partial stations=1" "stations 3" "client 1 2 via 1-3" "identities ids.txt" >sealed.topo
    tries no hagg-aggregate --plan sealed.topo --identity elsewhere/old --station 1 -o out/sum.cbor trap.cbor
    if has_landlock; then
        cmp keys/station-1.pem elsewhere/old
    fi
}
