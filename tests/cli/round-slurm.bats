#!/usr/bin/env bats
# Rounds that hagg-round writes for Slurm, run by a Slurm that is started here. With
# HAGG_SLURM_PATIENT=1 the test waits until Slurm itself detects that a node is down.

load common
load round
load relays
load emitted
load slurm

TOOL=hagg-round

setup_file() {
    common_setup_file
    start_slurm
}

teardown_file() {
    stop_slurm
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
    STATION='echo "$NODE" "$SLURM_JOB_PARTITION" >>stations; ' STATION_2='echo two >>stations; ' sh round.sh
    wait_for_jobs
    assert_total_of 1,2,3,4
    assert_equal "$(sort -u stations)" "1 stations
3 stations
4 stations
two"
    run -0 cat work/round-1/logs/total-*.log
    assert_line --index 0 "hagg-decode: round 1: total of 4 clients: 1-4"
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
    STATION=./stall sh round.sh
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
    run -0 ls work/round-1/federator
    assert_output ""
    wait_for_jobs
    md5sum work/round-1/client-?/key.cbor >keys
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
    assert_output "hagg-roster: work/round-1/roster.cbor: the roster of round 1 has clients 1-4, not 1-3: a round has one set of clients, so use this roster"
    run -0 find work/round-1/logs -name 'total-*'
    assert_output ""
    run -0 scontrol show job
    assert_output --partial "JobState=FAILED Reason=NonZeroExitCode Dependency=(null)
"
    assert_output --partial "ExitCode=6:0"
    find work -name '*.cbor' -printf '%i %p\n' | sort | cmp - before
    assert_total_of 1,2,3,4
}
