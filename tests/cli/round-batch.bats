#!/usr/bin/env bats
# Rounds of hagg-round --batch, whose jobs do the steps of several clients; on this machine, with make and
# GNU parallel. round-slurm.bats has one for Slurm.

load common
load round
load relays
load emitted

TOOL=hagg-round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    make_vectors 1 2 3 4 5 6
    six full aligned >aligned.topo
    echo "quantize bits=16 clip=1.0" >>aligned.topo
    hagg-plan -q aligned.topo -o aligned.plan
    unset PARALLEL CLIENT STATION RELAY FEDERATOR
}

# Prints the commands of a Makefile or script that begin so.
commands() {
    grep -o "$1 .*" round.mk
}

@test "make, protocol aligned: the sum, the same as without batches, and its cost" {
    emit make --batch 4 aligned.plan >round.mk
    make -s -j2 -f round.mk 2>log
    assert_total_of 1,2,3,4,5,6
    run -0 ls work/round-1
    assert_line batch-1
    assert_line batch-2
    refute_line --partial client
    refute_line batch-3
    hagg-cost --plan aligned.plan --measure work/round-1/*/in/*.cbor >cost.txt
    mv work batched
    emit make aligned.plan | make -s -j2 -f - 2>log
    cmp work/round-1/federator/total.npy batched/round-1/federator/total.npy
    for u in 1 2 3 4 5; do
        cat work/round-1/station-$u/in/client-[1-4].cbor | cmp - batched/round-1/station-$u/in/batch-1.cbor
    done
}

@test "make, protocol keys, partial and full collusion: the sum" {
    for collusion in partial full; do
        { six $collusion; echo "quantize bits=16 clip=1.0"; } >keys.topo
        hagg-plan -q keys.topo -o keys.plan
        emit make --batch 4 --again keys.plan >round.mk
        make -s -j2 -f round.mk 2>log
        assert_total_of 1,2,3,4,5,6
        hagg-cost --plan keys.plan --measure work/round-1/*/in/*.cbor >cost.txt
        run -0 hagg-inspect work/round-1/batch-2/private/key.cbor
        assert_line "kinds     vector of key (2)"
        rm -r work
    done
}

@test "make: the commands of a batch" {
    emit make --batch 2 --clients 1,3-5 aligned.plan >round.mk
    run -0 commands hagg-share
    assert_output "hagg-share --plan aligned.plan --clients 1,3 --round 1 -o 'work/round-1/batch-1/out/station-{}.cbor' 'grad{}.npy'
hagg-share --plan aligned.plan --clients 4-5 --round 1 -o 'work/round-1/batch-2/out/station-{}.cbor' 'grad{}.npy'"
    make -s -f round.mk 2>log
    assert_total_of 1,3,4,5
    # only the batch of a vector that is newer runs again, and is refused if the vector is another one
    touch grad4.npy
    run -0 make -n -f round.mk
    assert_equal "$(grep -c hagg-share <<<"$output")" 1
    npy grad4.npy 'np.zeros((4, 5))'
    run -2 make -s -f round.mk
    assert_output --partial "client 4: grad4.npy: client 4 has already shared another vector"
}

@test "make: sample counts, and a client that fails" {
    echo samples >>aligned.topo
    hagg-plan -q aligned.topo -o aligned.plan
    for i in 1 2 3 4 5 6; do
        echo ${i}0 >count$i.txt
    done
    emit make --batch 6 --mean --samples 'count{}.txt' aligned.plan >round.mk
    mv grad5.npy away.npy
    run -2 make -s -f round.mk
    assert_output --partial "grad5.npy"
    assert_not_exists work/round-1/federator/total.npy
    mv away.npy grad5.npy
    make -s -f round.mk 2>log
    assert_numpy "np.abs(load('work/round-1/federator/total.npy') - sum(load(f'grad{i}.npy') for i in range(1, 7)) / 210).max() <= 6 * 0.5 / 32767 / 210 + 1e-12"
}

@test "make: clean-keys empties the files of batches, and nothing is made again" {
    emit make --batch 3 small.topo >round.mk
    make -s -f round.mk 2>log
    make -s -f round.mk clean-keys
    run -0 find work -size +0 -path '*batch*' -name '*.cbor'
    assert_output ""
    run -0 make -n -f round.mk
    refute_output --partial hagg-share
}

@test "parallel: the sum, with both protocols" {
    emit parallel --batch 2 small.topo >round.sh
    sh round.sh 2>log
    assert_total_of 1,2,3,4
    assert_equal "$(grep -c '	.*hagg-share' round.sh)" 2
    rm -r work
    emit parallel --batch 4 --again aligned.plan >round.sh
    sh round.sh 2>log
    assert_total_of 1,2,3,4,5,6
}

@test "slurm: arrays have a task for each batch" {
    run -0 emit slurm --batch 2 aligned.plan
    assert_line --regexp '^submit shares 0-2 '
    run -0 emit slurm aligned.plan
    assert_line --regexp '^submit shares 0-5 '
}

@test "a batch larger than all clients, and wrong numbers" {
    emit make --batch 1000 small.topo >round.mk
    make -s -f round.mk 2>log
    assert_total_of 1,2,3,4
    run -2 --separate-stderr emit make --batch 0 small.topo
    assert_usage "--batch must be a number from 1 to 4294967295, not '0'"
    run -2 --separate-stderr hagg-round --emit make --round 1 --vectors 'g{}' --workdir 'w{client}' small.topo
    assert_message "--workdir: 'w{client}' must not contain {} or {client}"
}
