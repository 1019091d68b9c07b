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

@test "protocol aligned, relays that combine: the sum" {
    write_combining
    emit parallel combining.topo >round.sh
    sh round.sh
    assert_total_of 1,2,3,4
    assert_combined
}

@test "a list for each layer, and one for each link of the chain" {
    run -0 emit parallel small.topo
    assert_equal "$(grep '^layer ' <<<"$output" | cut -d' ' -f2-3)" 'cleancheck "${FEDERATOR-}"
cleankeys "${CLIENT-}"
cleanshares "${STATION-}"
clientdirs "${CLIENT-}"
stationdirs "${STATION-}"
federatordirs "${FEDERATOR-}"
keys "${CLIENT-}"
shares "${CLIENT-}"
sendshares "${CLIENT-}"
reports "${STATION-}"
sendreports "${STATION-}"
roster "${FEDERATOR-}"
sendroster "${FEDERATOR-}"
sums "${STATION-}"
sendsums "${STATION-}"
chain-1 "${STATION-}"
chain-2 "${STATION-}"
chain-3 "${STATION-}"
chain-4 "${STATION-}"
chain-5 "${STATION-}"
chain-6 "${STATION-}"
total "${FEDERATOR-}"'
    assert_line $'3\thagg-round --inbox ${INBOX} --prepare work/round-1/client-3'
    assert_line $'3\ttest -e work/round-1/client-3/private/key.cbor || hagg-keygen --plan small.topo --client 3 --round 1 --length 20 -o work/round-1/client-3/private/key.cbor'
    assert_line $'3\ttest -e work/round-1/client-3/out/station-1.cbor && test -e work/round-1/client-3/out/station-2.cbor && test -e work/round-1/client-3/out/station-3.cbor || hagg-share --plan small.topo --client 3 --round 1 --key work/round-1/client-3/private/key.cbor -o \'work/round-1/client-3/out/station-{}.cbor\' grad3.npy'
    assert_line $'2\ttest -e work/round-1/station-2/out/sums.sent && test -e work/round-1/federator/in/from-station-2.cbor || { ${CARRY} work/round-1/station-2/out/sum.cbor work/round-1/federator/in/from-station-2.cbor && touch work/round-1/station-2/out/sums.sent; }'
}

@test "clean-keys empties keys and shares once the total is decoded" {
    emit parallel small.topo >round.sh
    run -1 --separate-stderr sh round.sh clean-keys
    sh round.sh
    sh round.sh clean-keys
    run -0 find work '(' -path '*/client-*' -o -name 'client-*' -o -name 'keys*' ')' -name '*.cbor' -size +0 ! -path '*/federator/*'
    assert_output ""
    run -0 find work -path '*/client-*' -name '*.cbor' -size 0
    assert_equal ${#lines[@]} 28
    sh round.sh
    assert_total_of 1,2,3,4
}

@test "run again after a failure: only the remaining steps, with the same keys" {
    emit parallel small.topo >round.sh
    mv grad3.npy away.npy
    run -1 --separate-stderr sh round.sh
    run -0 grep -c "grad3.npy: No such file or directory" <<<"$stderr"
    assert_not_exists work/round-1/federator/in/from-station-1.cbor
    md5sum work/round-1/client-?/private/key.cbor >keys
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
    rm work/round-1/federator/in/from-station-2.cbor
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
    run -0 grep -c "^hagg-roster: work/round-1/federator/out/roster.cbor: the roster of round 1 has clients 1-4, not 1-3: a round has one set of clients, so use this roster" <<<"$stderr"
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
    assert_exists work/round-1/station-5/out/sum.cbor
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
    # 41 jobs with one login each, and logins of parallel itself
    [ $(($(n_logins) - before)) -ge 41 ]
}

@test "the nodes are other machines, given by tier" {
    emit parallel --state "$HAGG_STATE" --workdir "$PWD/a b" --vectors "$PWD/grad{}.npy" -o "$PWD/sum.npy" "$PWD/small.topo" >round.sh
    before=$(n_logins)
    STATION="ssh -F $SSH_CONFIG station-{1}" sh round.sh
    assert_numpy "np.abs(load('sum.npy') - sum(load(f'grad{i}.npy') for i in (1, 2, 3, 4))).max() < 1e-4"
    # directories, a report, a sum and a link of the chain for each of three stations, and the last three are sent
    assert_equal $(($(n_logins) - before)) 21
}

@test "make over ssh" {
    emit make --state "$HAGG_STATE" --workdir "$PWD/work" --vectors "$PWD/grad{}.npy" "$PWD/small.topo" >Makefile
    before=$(n_logins)
    make -s -j2 CLIENT-2="ssh -F $SSH_CONFIG phone" STATION="ssh -F $SSH_CONFIG station-\$(NODE)"
    assert_total_of 1,2,3,4
    # as above, and directories, a key, shares and sending them for client 2
    assert_equal $(($(n_logins) - before)) 25
}

# --- what a second shell must not execute

# over_ssh LANGUAGE OPTION...: emits a round and runs it, with every node on another machine.
over_ssh() {
    local language=$1

    shift
    emit "$language" --state "$HAGG_STATE" "$@" >round.script
    case $language in
    make)
        run make -s -j2 -f round.script CLIENT="ssh -F $SSH_CONFIG client-\$(NODE)" STATION="ssh -F $SSH_CONFIG station-\$(NODE)" \
            FEDERATOR="ssh -F $SSH_CONFIG federator"
        ;;
    parallel)
        run env CLIENT="ssh -F $SSH_CONFIG client-{1}" STATION="ssh -F $SSH_CONFIG station-{1}" \
            FEDERATOR="ssh -F $SSH_CONFIG federator" sh round.script
        ;;
    esac
}

@test "over ssh: the content of a file of sample counts is never executed" {
    PWNED=$BATS_TEST_TMPDIR/PWNED
    sed -i '$a samples' small.topo
    echo 5 | tee samples-1 samples-2 samples-4 >samples-3
    for language in make parallel; do
        echo "5; touch $PWNED; :" >samples-3
        over_ssh $language --workdir "$PWD/$language" --vectors "$PWD/grad{}.npy" --samples "$PWD/samples-{}" "$PWD/small.topo"
        assert_not_equal $status 0
        assert_not_exists "$PWNED"
        assert_line --partial "hagg-share: $PWD/samples-3: must contain one number from 0 to 9223372036854775807 and nothing else"
        echo 5 >samples-3
        over_ssh $language --workdir "$PWD/$language" --vectors "$PWD/grad{}.npy" --samples "$PWD/samples-{}" "$PWD/small.topo"
        assert_equal $status 0
        assert_line --partial "of 20 samples"
        forget
    done
}

@test "over ssh: names of files are never executed" {
    for language in make parallel; do
        # / cannot be in a name
        hostile="$PWD/$language a'b\"c\$(touch PWNED)\`touch PWNED\`#d>e"
        [ $language = make ] || hostile="$hostile;touch PWNED;&touch PWNED&|touch PWNED|{=system(\"touch PWNED\")=}\\"
        mkdir "$hostile"
        cp grad?.npy "$hostile"
        cp small.topo "$hostile/small;touch PWNED;topo"
        over_ssh $language --workdir "$hostile/work" --vectors "$hostile/grad{}.npy" -o "$hostile/total.npy" "$hostile/small;touch PWNED;topo"
        assert_equal $status 0
        mv "$hostile" plain
        assert_numpy "np.abs(load('plain/total.npy') - sum(load(f'grad{i}.npy') for i in (1, 2, 3, 4))).max() < 1e-4"
        rm -r plain
        forget
    done
    run -0 find . ~ "$BATS_FILE_TMPDIR" -maxdepth 3 -name 'PWNED*'
    assert_output ""
}

@test "over ssh: names of files that others put into an inbox are never executed" {
    for language in make parallel; do
        work=$PWD/$language
        for name in 'client-;touch PWNED;.cbor' 'client-$(touch PWNED).cbor' 'client-`touch PWNED`.cbor' 'client-|touch PWNED|.cbor'; do
            hagg-round --prepare "$work/round-1/station-1"
            : >"$work/round-1/station-1/in/$name"
        done
        over_ssh $language --workdir "$work" --vectors "$PWD/grad{}.npy" "$PWD/small.topo"
        # the command gets the name as it is, and refuses the file
        assert_line --partial "hagg-roster: $work/round-1/station-1/in/client-\$(touch PWNED).cbor: "
        forget
    done
    run -0 find . ~ "$BATS_FILE_TMPDIR" -maxdepth 3 -name 'PWNED*'
    assert_output ""
}

@test "parallel: the name of the current directory is never executed" {
    dir='a{=system("touch PWNED")=}b'
    mkdir "$dir"
    mv grad?.npy small.topo "$dir"
    cd "$dir"
    emit parallel small.topo >round.sh
    run -2 --separate-stderr sh round.sh
    assert_equal "$stderr" "$PWD: parallel cannot run in a directory whose name contains {"
    run -0 ls
    assert_output "grad1.npy
grad2.npy
grad3.npy
grad4.npy
grad5.npy
grad6.npy
round.sh
small.topo"
}
