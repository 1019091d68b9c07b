#!/usr/bin/env bats
# Rounds that hagg-round writes for GNU parallel, on this machine and over ssh; and make over ssh.

load common
load round
load full
load relays
load emitted
load sshd

TOOL=hagg-round

setup_file() {
    common_setup_file
    start_sshd
}

teardown_file() {
    stop_sshd
}

setup() {
    begin_round
    make_vectors 1 2 3 4 5 6
    unset PARALLEL CLIENT STATION RELAY FEDERATOR
}

# Prints the files of the round with their inode numbers, which change if a file is made again.
inodes() {
    find work -name '*.cbor' -printf '%i %p\n' | sort
}

@test "partial collusion: the sum" {
    emit parallel small.topo >round.sh
    sh round.sh
    assert_total_of 1,2,3,4
}

@test "full collusion: the sum" {
    write_ring
    emit parallel ring.plan >round.sh
    sh round.sh
    assert_total_of 1,2,3,4,5,6
}

@test "relays with sharings of their own: the sum" {
    write_transforming partial
    emit parallel transforming.plan >round.sh
    sh round.sh
    assert_total_of 1,2,3,4
}

@test "a list for each layer, and one for each link of the chain" {
    run -0 emit parallel small.topo
    assert_equal "$(grep '^layer ' <<<"$output" | cut -d' ' -f2-3)" 'keys "${CLIENT-}"
shares "${CLIENT-}"
reports "${STATION-}"
roster "${FEDERATOR-}"
sums "${STATION-}"
chain-1 "${STATION-}"
chain-2 "${STATION-}"
chain-3 "${STATION-}"
total "${FEDERATOR-}"'
    assert_line $'3\ttest -e work/round-1/station-1/client-3.cbor && test -e work/round-1/station-2/client-3.cbor && test -e work/round-1/station-3/client-3.cbor || hagg-share --plan small.topo --client 3 --round 1 --key work/round-1/client-3/key.cbor -o \'work/round-1/station-{}/client-3.cbor\' grad3.npy'
    assert_line $'3\ttest -e work/round-1/client-3/key.cbor || hagg-keygen --plan small.topo --client 3 --round 1 --length 20 -o \'work/round-1/client-{}/key.cbor\''
}

@test "run again after a failure: only the remaining steps, with the same keys" {
    emit parallel small.topo >round.sh
    mv grad3.npy away.npy
    run -1 --separate-stderr sh round.sh
    run -0 grep -c "grad3.npy: No such file or directory" <<<"$stderr"
    assert_not_exists work/round-1/federator/from-station-1.cbor
    md5sum work/round-1/client-?/key.cbor >keys
    mv away.npy grad3.npy
    inodes >before
    sh round.sh
    assert_total_of 1,2,3,4
    md5sum --quiet -c keys
    # existing keys and shares were not made again
    inodes >after
    run -1 grep -vxFf after before
    assert_output ""
    # only the sums are decoded again; this needs no job log
    rm work/round-1/*.joblog
    sh round.sh
    assert_total_of 1,2,3,4
    inodes | cmp - after
    # a lost sum
    rm work/round-1/federator/from-station-2.cbor
    sh round.sh
    assert_total_of 1,2,3,4
    run -0 grep -vxFf <(inodes) after
    assert_line --partial from-station-2.cbor
    assert_equal ${#lines[@]} 1
}

@test "a finished round, then other clients: refused, and the total is unchanged" {
    emit parallel small.topo >round.sh
    sh round.sh
    emit parallel --clients 1-3 small.topo >fewer.sh
    inodes >before
    run -6 --separate-stderr sh fewer.sh
    run -0 grep -c "^hagg-roster: work/round-1/roster.cbor: the roster of round 1 has clients 1-4, not 1-3: a round has one set of clients, so use this roster" <<<"$stderr"
    inodes | cmp - before
    assert_total_of 1,2,3,4
    # a round of some clients, then of all
    forget
    emit parallel --round 2 --clients 1-3 small.topo >fewer.sh
    sh fewer.sh
    emit parallel --round 2 small.topo >round.sh
    run -0 --separate-stderr sh round.sh
    assert_equal "$stderr" "hagg-roster: client 4: missing at stations 1-3
hagg-decode: round 2: total of 3 clients: 1-3
hagg-decode: the quantisation error is at most 4.58e-05"
}

@test "a station fails during the round: the others continue without it, with the existing files" {
    sed -i 's/1-3/1-5/; s/stations 3/stations 5/; $a drop stations=1' small.topo
    emit parallel small.topo >round.sh
    # station 2 reports, and then fails
    printf '%s\n' '[ "$1" != 2 ] || [ "${2#*hagg-aggregate}" = "$2" ] || { sleep 2; exit 1; }' 'sh -c "$2"' >failing
    run -1 --separate-stderr env STATION='sh ./failing {1}' PARALLEL="--jobs 5" sh round.sh
    assert_exists work/round-1/federator/from-station-5.cbor
    inodes >before
    emit parallel --without stations=2 small.topo >rest.sh
    run -1 grep -E "station-2/|(from|report)-station-2" rest.sh
    STATION='test {1} != 2 && sh -c' sh rest.sh
    assert_total_of 1,2,3,4
    run -1 grep -vxFf <(inodes) before
    assert_output ""
}

@test "names with spaces, quotes and special characters of shells" {
    strange="a b'c\"d\$e#f:g=h*i[j]k\$(l)m?n\`o!p{q,r}s%t;u|v&w~x"
    mkdir "$strange"
    mv grad?.npy "$strange"
    mv small.topo "$strange/small topo"
    emit parallel --vectors "$strange/grad{}.npy" --workdir "$strange/work" "$strange/small topo" >round.sh
    sh round.sh
    mv "$strange" plain
    cd plain
    assert_total_of 1,2,3,4
}

@test "the nodes are other machines, chosen by parallel" {
    emit parallel --state "$HAGG_STATE" small.topo >round.sh
    before=$(n_logins)
    PARALLEL="--ssh 'ssh -F $SSH_CONFIG' -S 2/left,2/right" sh round.sh
    assert_total_of 1,2,3,4
    # 19 jobs with one login each, and logins of parallel itself
    [ $(($(n_logins) - before)) -ge 19 ]
}

@test "the nodes are other machines, given by tier" {
    emit parallel --state "$HAGG_STATE" --workdir "$PWD/a b" --vectors "$PWD/grad{}.npy" -o "$PWD/sum.npy" "$PWD/small.topo" >round.sh
    before=$(n_logins)
    STATION="ssh -F $SSH_CONFIG station-{1}" sh round.sh
    assert_numpy "np.abs(load('sum.npy') - sum(load(f'grad{i}.npy') for i in (1, 2, 3, 4))).max() < 1e-4"
    # a report, a sum and a link of the chain for each of three stations
    assert_equal $(($(n_logins) - before)) 9
}

@test "make over ssh" {
    emit make --state "$HAGG_STATE" --workdir "$PWD/work" --vectors "$PWD/grad{}.npy" "$PWD/small.topo" >Makefile
    before=$(n_logins)
    make -s -j2 CLIENT-2="ssh -F $SSH_CONFIG phone" STATION="ssh -F $SSH_CONFIG station-\$(NODE)"
    assert_total_of 1,2,3,4
    assert_equal $(($(n_logins) - before)) 11
}
