#!/usr/bin/env bats
# Rounds that hagg-round writes for Slurm, run by a Slurm that is started here. With
# HAGG_SLURM_PATIENT=1 the test waits until Slurm itself detects that a node is down.

load common
load round
load relays
load emitted
load slurm
load sshd

TOOL=hagg-round

setup_file() {
    common_setup_file
    start_slurm
    start_sshd
}

teardown_file() {
    stop_slurm
    stop_sshd
}

setup() {
    begin_round
    make_vectors 1 2 3 4
    unset CLIENT STATION RELAY FEDERATOR
    export STATION_OPTIONS=--partition=stations RELAY_OPTIONS=--partition=stations
}

# Waits until no job is left. sbatch --wait would check only twice a minute.
wait_for_jobs() {
    local tries

    for tries in $(seq 400); do
        [ -n "$(squeue -h)" ] || return 0
        sleep 0.2
    done
    squeue
    return 1
}

@test "relays, partial collusion: layers one after the other, in their partitions" {
    write_figure
    emit slurm figure.plan >round.sh
    STATION='echo "$NODE" "$SLURM_JOB_PARTITION" >>stations; sh -c' STATION_2='echo two >>stations; sh -c' sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    assert_equal "$(sort -u stations)" "1 stations
3 stations
4 stations
two"
    run -0 cat work/round-1/logs/total-*.log
    assert_line --index 0 "hagg-decode: round 1: total of 4 clients: 1-4"
}

@test "batches of clients" {
    emit slurm --batch 3 small.topo >round.sh
    sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    assert_equal "$(ls -d work/round-1/batch-* work/round-1/client-* 2>/dev/null | tr '\n' ' ')" "work/round-1/batch-1 work/round-1/batch-2 "
}

@test "protocol aligned, relays that combine" {
    write_combining
    emit slurm combining.topo >round.sh
    sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    assert_combined
}

@test "a node fails in the middle of the round: its jobs are run elsewhere, and the sum is right" {
    write_transforming partial
    # the first command on node n3 never ends
    cat >stall <<'END'
#!/bin/sh
[ "$SLURMD_NODENAME" != n3 ] || ! mkdir stalled 2>/dev/null || exec sleep 1000
exec "$@"
END
    chmod +x stall
    emit slurm transforming.plan >round.sh
    STATION='./stall sh -c' sh round.sh
    for tries in $(seq 300); do
        [ ! -d stalled ] || break
        sleep 0.1
    done
    assert_dir_exists stalled
    kill_node n3
    # Slurm detects this itself in half a minute; an administrator can report it sooner
    [ "${HAGG_SLURM_PATIENT:-}" = 1 ] || scontrol update nodename=n3 state=down reason=killed
    wait_for_jobs
    start_node n3
    assert_total_of 1,2,3,4
    run -0 scontrol show job
    assert_output --partial "Restarts=1"
}

@test "a job fails: jobs that depend on it are not run, and a second run continues with the same keys" {
    emit slurm small.topo >round.sh
    mv grad3.npy away.npy
    run -1 --separate-stderr timeout 60 sh round.sh --wait
    run -0 grep -h "grad3" work/round-1/logs/shares-*.log
    assert_output "hagg-share: grad3.npy: No such file or directory"
    run -0 find work/round-1/federator -type f
    assert_output ""
    wait_for_jobs
    md5sum work/round-1/client-?/private/key.cbor >keys
    mv away.npy grad3.npy
    sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    md5sum --quiet -c keys
}

@test "a finished round, then other clients: refused, and the total is unchanged" {
    emit slurm small.topo >round.sh
    sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    find work -name '*.cbor' -printf '%i %p\n' | sort >before
    emit slurm --clients 1-3 small.topo >fewer.sh
    rm work/round-1/logs/*
    sh fewer.sh
    wait_for_jobs
    run -0 cat work/round-1/logs/roster-*.log
    assert_output "hagg-roster: work/round-1/federator/out/roster.cbor: the roster of round 1 has clients 1-4, not 1-3: a round has one set of clients, so use this roster"
    run -0 find work/round-1/logs -name 'total-*'
    assert_output ""
    run -0 scontrol show job
    assert_output --partial "JobState=FAILED Reason=NonZeroExitCode Dependency=(null)
"
    assert_output --partial "ExitCode=6:0"
    find work -name '*.cbor' -printf '%i %p\n' | sort | cmp - before
    assert_total_of 1,2,3,4
}

@test "CARRY, INBOX and clean-keys" {
    printf '%s\n' '#!/bin/sh' 'echo "$1" >>carried' '[ $# = 3 ] && cp "$2" "$3"' >'carry it'
    chmod +x 'carry it'
    emit slurm small.topo >round.sh
    CARRY="'./carry it' \"it's\"" INBOX=3733 sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    assert_equal "$(sort carried | uniq -c | tr -s ' ')" " 24 it's"
    run -0 find work/round-1 -name in -printf '%m\n'
    assert_equal "$(sort -u <<<"$output")" 3733
    sh round.sh clean-keys
    wait_for_jobs
    run -0 find work '(' -path '*/client-*' -o -name 'client-*' -o -name 'keys*' ')' -name '*.cbor' -size +0 ! -path '*/federator/*'
    assert_output ""
    run -0 find work -path '*/client-*' -name '*.cbor' -size 0
    assert_equal ${#lines[@]} 28
}

@test "logs contain neither the number of clipped elements nor a sample count, and only their owner can read them" {
    sed -i '$a samples' small.topo
    for i in 1 2 3 4; do
        echo 3141$i >samples-$i
    done
    npy grad2.npy "np.full((4, 5), 7.5)"
    emit slurm --clip --samples 'samples-{}' small.topo >round.sh
    sh round.sh
    wait_for_jobs
    assert_numpy "np.abs(load('work/round-1/federator/total.npy') - sum(load(f'grad{i}.npy').clip(-1, 1) for i in range(1, 5))).max() < 1e-4"
    run -1 grep -rE 'clipped|3141' work/round-1/logs
    assert_output ""
    assert_equal "$(stat -c %a work/round-1/logs)" 700
    # a count that is refused
    forget
    echo 999999999999 >samples-3
    emit slurm --round 2 --clip --samples 'samples-{}' small.topo >round.sh
    sh round.sh
    wait_for_jobs
    run -0 cat work/round-2/logs/shares-*.log
    assert_output "hagg-share: the sample count is too large: the sum of all counts could overflow field 'm31'"
}

@test "over ssh: neither names nor contents of files are executed" {
    hostile="$PWD/a'b\"c\$(touch PWNED)\`touch PWNED\`#d>e;touch PWNED;&touch PWNED&|touch PWNED|"
    mkdir "$hostile"
    cp grad?.npy "$hostile"
    sed -i '$a samples' small.topo
    cp small.topo "$hostile/small;touch PWNED;topo"
    for i in 1 2 3 4; do
        echo 5 >"$hostile/samples-$i"
    done
    echo "5; touch $PWD/PWNED; :" >"$hostile/samples-3"
    export CLIENT="ssh -F $SSH_CONFIG client-\$NODE" STATION="ssh -F $SSH_CONFIG station-\$NODE"
    emit slurm --state "$HAGG_STATE" --workdir "$hostile/work" --vectors "$hostile/grad{}.npy" --samples "$hostile/samples-{}" \
        -o "$hostile/total.npy" "$hostile/small;touch PWNED;topo" >round.sh
    sh round.sh
    wait_for_jobs
    run -0 cat "$hostile"/work/round-1/logs/shares-*.log
    assert_output "hagg-share: $hostile/samples-3: must contain one number from 0 to 9223372036854775807 and nothing else"
    echo 5 >"$hostile/samples-3"
    sh round.sh
    wait_for_jobs
    mv "$hostile" plain
    assert_numpy "np.abs(load('plain/total.npy') - sum(load(f'grad{i}.npy') for i in (1, 2, 3, 4))).max() < 1e-4"
    # names that others put into an inbox
    export HAGG_STATE=$HAGG_STATE.2
    mkdir -m 700 "$HAGG_STATE"
    hagg-round --prepare "$PWD/work/round-1/station-1"
    : >"work/round-1/station-1/in/client-;touch PWNED;.cbor"
    : >'work/round-1/station-1/in/client-$(touch PWNED).cbor'
    emit slurm --state "$HAGG_STATE" --workdir "$PWD/work" --vectors "$PWD/grad{}.npy" --samples "$PWD/plain/samples-{}" "$PWD/small.topo" >round.sh
    sh round.sh
    wait_for_jobs
    run -0 cat work/round-1/logs/reports-*.log
    assert_line --partial "hagg-roster: $PWD/work/round-1/station-1/in/client-\$(touch PWNED).cbor: "
    run -0 find . ~ "$BATS_FILE_TMPDIR" -maxdepth 3 -name 'PWNED*'
    assert_output ""
}
