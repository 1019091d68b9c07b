#!/usr/bin/env bats
# The output of hagg-round, and rounds run by make. The other languages are tested in round-*.bats.

load common
load round
load full
load relays
load emitted

TOOL=hagg-round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    make_vectors 1 2 3 4 5 6
    write_ring
}

# by_make OPTION... PLAN: runs a round with make, in work.
by_make() {
    emit make "$@" >Makefile
    make -s -j2
}

# Runs make and sets lines to the commands that it printed, without the checks of directories.
make_again() {
    run "${1:--0}" --separate-stderr make "${@:2}"
    output=$(grep -v '^hagg-round .*--prepare' <<<"$output") || true
}

# Checks that for a complete round make only compares the roster and decodes.
assert_only_decodes() {
    make_again
    assert_equal "$(cut -d' ' -f1 <<<"$output")" "hagg-roster
hagg-decode"
}

@test "partial collusion: the sum" {
    by_make small.topo
    assert_total_of 1,2,3,4
}

@test "full collusion: the sum" {
    by_make ring.plan
    assert_total_of 1,2,3,4,5,6
}

@test "relays, partial collusion: the sum" {
    write_figure
    by_make figure.plan
    assert_total_of 1,2,3,4
}

@test "relays, full collusion: the sum" {
    write_meeting "collude full stations=1 relays=1"
    by_make --unsafe-plan meeting.plan
    assert_total_of 1,2,3,4
}

@test "relays with sharings of their own: the sum" {
    write_transforming partial
    by_make transforming.plan
    assert_total_of 1,2,3,4
    rm -r work
    forget
    write_transforming full
    by_make transforming.plan
    assert_total_of 1,2,3,4
}

@test "the commands are those that a user would type" {
    emit make --clients 1,3-4 small.topo >Makefile
    run -0 make -n
    assert_line "mkdir -p -m 755 work/round-1"
    assert_line "hagg-round --inbox 0700 --prepare work/round-1/client-3"
    assert_line "hagg-round --inbox 0700 --prepare work/round-1/station-2"
    assert_line "hagg-round --inbox 0700 --prepare work/round-1/federator"
    assert_line "hagg-keygen --plan small.topo --client 3 --round 1 --length 20 -o work/round-1/client-3/private/key.cbor"
    assert_line "hagg-share --plan small.topo --client 3 --round 1 --key work/round-1/client-3/private/key.cbor -o 'work/round-1/client-3/out/station-{}.cbor' grad3.npy"
    assert_line "install -m 0600 -T work/round-1/client-3/out/station-1.cbor work/round-1/station-1/in/client-3.cbor && install -m 0600 -T work/round-1/client-3/out/station-2.cbor work/round-1/station-2/in/client-3.cbor && install -m 0600 -T work/round-1/client-3/out/station-3.cbor work/round-1/station-3/in/client-3.cbor && touch work/round-1/client-3/out/shares.sent"
    assert_line "hagg-roster --plan small.topo --round 1 --clients 1,3-4 --quiet --station 2 -o work/round-1/station-2/out/report.cbor work/round-1/station-2/in/client-*.cbor"
    assert_line "install -m 0600 -T work/round-1/station-2/out/report.cbor work/round-1/federator/in/report-station-2.cbor && touch work/round-1/station-2/out/report.sent"
    assert_line "hagg-roster --plan small.topo --round 1 --clients 1,3-4 --quiet -o work/round-1/federator/out/roster.cbor work/round-1/federator/in/report-station-1.cbor work/round-1/federator/in/report-station-2.cbor work/round-1/federator/in/report-station-3.cbor"
    assert_line "install -m 0600 -T work/round-1/federator/out/roster.cbor work/round-1/station-1/in/roster.cbor && install -m 0600 -T work/round-1/federator/out/roster.cbor work/round-1/station-2/in/roster.cbor && install -m 0600 -T work/round-1/federator/out/roster.cbor work/round-1/station-3/in/roster.cbor && touch work/round-1/federator/out/roster.sent"
    assert_line "hagg-aggregate --plan small.topo --station 2 --roster work/round-1/station-2/in/roster.cbor --round 1 --only shares -o work/round-1/station-2/out/sum.cbor work/round-1/station-2/in/client-*.cbor"
    assert_line "install -m 0600 -T work/round-1/station-2/out/sum.cbor work/round-1/federator/in/from-station-2.cbor && touch work/round-1/station-2/out/sums.sent"
    assert_line "hagg-aggregate --plan small.topo --station 1 --roster work/round-1/station-1/in/roster.cbor --round 1 --only keys -o work/round-1/station-1/out/keys-station-2.cbor work/round-1/station-1/in/client-*.cbor"
    assert_line "install -m 0600 -T work/round-1/station-1/out/keys-station-2.cbor work/round-1/station-2/in/keys.cbor && touch work/round-1/station-1/out/keys-station-2.sent"
    assert_line "hagg-aggregate --plan small.topo --station 2 --roster work/round-1/station-2/in/roster.cbor --round 1 --only keys -o work/round-1/station-2/out/keys-station-3.cbor work/round-1/station-2/in/keys.cbor"
    assert_line "hagg-aggregate --plan small.topo --station 3 --roster work/round-1/station-3/in/roster.cbor --round 1 --only keys -o work/round-1/station-3/out/keys-federator.cbor work/round-1/station-3/in/keys.cbor"
    assert_line "hagg-decode --plan small.topo --roster work/round-1/federator/out/roster.cbor --round 1 -o work/round-1/federator/total.npy work/round-1/federator/in/from-station-1.cbor work/round-1/federator/in/from-station-2.cbor work/round-1/federator/in/from-station-3.cbor work/round-1/federator/in/keys.cbor"
    assert_equal ${#lines[@]} 38
}

@test "--identity: each command gets the name of the private key of its own node only" {
    write_meeting "collude full stations=1 relays=1"
    for language in make parallel slurm; do
        run -0 emit $language --unsafe-plan --identity '/etc/hagg/{tier}-{}.pem' meeting.plan
        commands=$(grep -oE 'hagg-[a-z]+ --plan .*' <<<"$output")
        run -1 grep -v "^[a-z-]* --plan meeting.plan --identity /etc/hagg/" <<<"$commands"
        for tier in client station relay; do
            own=$(sed -nE "s/^hagg-[a-z]+ --plan [^ ]+ --identity ([^ ]+) .*--$tier ([0-9]+).*/\1 \/etc\/hagg\/$tier-\2.pem/p" <<<"$commands")
            [ -n "$own" ]
            run -0 awk '$1 != $2' <<<"$own"
            assert_output ""
        done
        assert_equal "$(grep -oE '^.*federator-[^ ]*' <<<"$commands")" "hagg-roster --plan meeting.plan --identity /etc/hagg/federator-1.pem
hagg-decode --plan meeting.plan --identity /etc/hagg/federator-1.pem"
        run -0 emit $language --unsafe-plan meeting.plan
        refute_output --partial identity
    done
}

@test "--identity: a round of a plan with identities, also with batches" {
    echo "identities everybody" >>small.topo
    mkdir keys
    for node in client={1,2,3,4} station={1,2,3} federator; do
        hagg-keygen --identity 'keys/{tier}-{}.pem' --$node
    done >everybody
    by_make --identity 'keys/{tier}-{}.pem' small.topo
    assert_total_of 1,2,3,4
    run -0 hagg-inspect --json work/round-1/*/in/*.cbor
    assert_json 'lines[-1]["summary"]["sealed"] == lines[-1]["summary"]["records"] > 20'
    rm -r work
    forget
    by_make --batch 3 --identity 'keys/{tier}-{}.pem' small.topo
    assert_total_of 1,2,3,4
}

@test "--identity: the commands of a batch get a pattern for its clients" {
    run -0 emit make --batch 2 --identity 'my keys/{tier}{}' small.topo
    assert_equal "$(grep -oE "^hagg-(keygen|share) .* --clients [0-9-]+" <<<"$output")" "hagg-keygen --plan small.topo --identity 'my keys/client{}' --clients 1-2
hagg-keygen --plan small.topo --identity 'my keys/client{}' --clients 3-4
hagg-share --plan small.topo --identity 'my keys/client{}' --clients 1-2
hagg-share --plan small.topo --identity 'my keys/client{}' --clients 3-4"
    assert_line --partial "hagg-aggregate --plan small.topo --identity 'my keys/station2' --station 2"
    run -2 --separate-stderr emit make --identity -k small.topo
    assert_message "--identity: '-k' cannot be part of a command: it must not be empty, begin with a hyphen or contain control characters"
}

@test "the same options give the same text" {
    emit make ring.plan >one
    emit make ring.plan >two
    cmp one two
}

@test "with --clients only these take part" {
    by_make --clients 1,3-4 small.topo
    assert_total_of 1,3,4
    run -0 ls work/round-1/station-1/in
    assert_output "client-1.cbor
client-3.cbor
client-4.cbor
roster.cbor"
}

@test "a finished round, then other clients: refused, and the total is unchanged" {
    by_make small.topo
    emit make --clients 1-3 small.topo >fewer.mk
    message="hagg-roster: work/round-1/federator/out/roster.cbor: the roster of round 1 has clients 1-4, not 1-3: a round has one set of clients, so use this roster"
    for target in all work/round-1/federator/total.npy; do
        before=$(state)
        make_again -2 -f fewer.mk $target
        assert_equal "$(cut -d' ' -f1 <<<"$output")" hagg-roster
        assert_regex "$stderr" "^$message
make: \*\*\* \[fewer.mk:[0-9]+: work/round-1/federator/out/roster.cbor\] Error 6$"
        assert_equal "$(state)" "$before"
    done
    make -s
    assert_total_of 1,2,3,4
    # a round of some clients, then of all
    forget
    make -s -f <(emit make --round 2 --clients 1-3 small.topo)
    run -0 --separate-stderr make -s -f <(emit make --round 2 small.topo)
    # the stations have reported, and client 4 is late
    assert_equal "$stderr" "hagg-roster: client 4: missing at stations 1-3
hagg-decode: round 2: total of 3 clients: 1-3
hagg-decode: the quantisation error is at most 4.58e-05"
    assert_numpy "np.abs(load('work/round-2/federator/total.npy') - sum(load(f'grad{i}.npy') for i in (1, 2, 3))).max() < 1e-4"
}

@test "relays: a finished round, then other clients: refused" {
    for collusion in partial full; do
        write_transforming $collusion
        by_make --unsafe-plan transforming.plan
        run -2 --separate-stderr make -s -f <(emit make --unsafe-plan --clients 1,2,4 transforming.plan)
        run -0 grep -c "^hagg-roster: .*: the roster of round 1 has clients 1-4, not 1-2 4: " <<<"$stderr"
        assert_total_of 1,2,3,4
        rm -r work
        forget
    done
}

@test "a client that does not share is left out with --clients, and the barrier is the roster" {
    mv grad2.npy away.npy
    emit make --length 20 small.topo >Makefile
    run -2 --separate-stderr make -s -k -j2 all-roster
    run -0 grep -c "grad2.npy" <<<"$stderr"
    assert_exists work/round-1/client-4/out/station-1.cbor
    run -0 find work -name 'report*' -o -name 'roster*' -o -name 'from-*'
    assert_output ""
    find work -path '*/client-[134]/out/*.cbor' -exec md5sum {} + >before
    assert_equal "$(wc -l <before)" 9
    emit make --length 20 --clients 1,3-4 small.topo >Makefile
    make -s -j2 all-roster
    run -0 hagg-inspect --json work/round-1/federator/out/roster.cbor
    assert_json 'lines[0]["clients"] == [[1, 1], [3, 4]] and lines[0]["round"] == 1'
    run -0 find work -name 'from-*' -o -name 'keys*' -o -name 'sum*'
    assert_output ""
    make -s -j2
    assert_total_of 1,3,4
    md5sum --quiet -c before
}

@test "a share that is lost at one station: the roster, all sums and the total lack the client" {
    emit make small.topo >Makefile
    make -s -j2 all-sendshares
    rm work/round-1/station-3/in/client-2.cbor
    # make would send it again, so its other commands are run without it
    make -n | grep -v client-2/out >rest.sh
    run -0 --separate-stderr sh -e rest.sh
    assert_equal "$stderr" "hagg-roster: client 2: missing at station 3
hagg-roster: client 2: missing at station 3
hagg-decode: round 1: total of 3 clients: 1 3-4
hagg-decode: the quantisation error is at most 4.58e-05"
    assert_total_of 1,3,4
    for file in work/round-1/federator/in/from-station-?.cbor work/round-1/federator/in/keys.cbor; do
        run -0 hagg-inspect --json $file
        assert_json 'lines[-1]["summary"]["clients"] == [[1, 1], [3, 4]]'
    done
}

@test "clean-keys empties keys and shares once the total is decoded, and make does not share again" {
    emit make small.topo >Makefile
    make -s all-sums
    run -2 --separate-stderr make -s clean-keys
    run -0 find work -name '*.cbor' -size 0
    assert_output ""
    make -s -j2
    run -0 make -n -j2 clean-keys
    assert_line --index 0 "test -e work/round-1/federator/total.npy"
    # the keys are emptied before the shares
    assert_equal "$(grep -n 'client-4/private/key.cbor ' <<<"$output" | cut -d: -f1)" 5
    assert_equal "$(grep -n 'station-1/in/client' <<<"$output" | cut -d: -f1)" 6
    make -s -j2 clean-keys
    run -0 find work -name '*.cbor' -size +0 ! -path '*/federator/*' -printf '%P\n'
    assert_equal "$(sort <<<"$output")" "round-1/station-1/in/roster.cbor
round-1/station-1/out/report.cbor
round-1/station-1/out/sum.cbor
round-1/station-2/in/roster.cbor
round-1/station-2/out/report.cbor
round-1/station-2/out/sum.cbor
round-1/station-3/in/roster.cbor
round-1/station-3/out/report.cbor
round-1/station-3/out/sum.cbor"
    run -0 find work -name '*[*]*'
    assert_output ""
    assert_only_decodes
    assert_total_of 1,2,3,4
    # again, as after an interruption
    make -s clean-keys
    assert_only_decodes
    # no step makes a key or a share for a vector that has changed
    npy grad2.npy "np.full((4, 5), 0.25)"
    before=$(find work -type f -exec md5sum {} + | sort)
    run -2 --separate-stderr make -s
    run -0 grep -c "work/round-1/client-2/private/key.cbor: is empty" <<<"$stderr"
    assert_equal "$(find work -type f -exec md5sum {} + | sort)" "$before"
    unchanged 2 emit make -o clean-keys small.topo
    assert_message "clean-keys: the Makefile has a target of this name: use ./clean-keys"
}

@test "clean-keys: relays and full collusion" {
    for collusion in partial full; do
        write_transforming $collusion
        by_make --unsafe-plan transforming.plan
        make -s clean-keys
        assert_only_decodes
        assert_total_of 1,2,3,4
        rm -r work
        forget
    done
}

@test "the mean of a round whose sum exists" {
    by_make small.topo
    by_make --mean small.topo
    assert_numpy "np.abs(load('work/round-1/federator/total.npy') - sum(load(f'grad{i}.npy') for i in (1, 2, 3, 4)) / 4).max() < 1e-4"
}

@test "without a station: no command is for it, and no existing file is made again" {
    sed -i 's/1-3/1-5/; s/stations 3/stations 5/; $a drop stations=1' small.topo
    by_make small.topo
    rm work/round-1/federator/total.npy
    # the files of the missing station are lost
    rm -r work/round-1/station-4 work/round-1/federator/in/from-station-4.cbor
    emit make --without stations=4 small.topo >Makefile
    run -1 grep -E "station-4" Makefile
    # station 3 had sent its keys to station 4, and now sends them to station 5
    make_again
    assert_equal "$(cut -d' ' -f1,5 <<<"$output")" "hagg-roster 1
hagg-aggregate 3
install work/round-1/station-3/out/keys-station-5.cbor
hagg-decode work/round-1/federator/out/roster.cbor"
    assert_total_of 1,2,3,4
    assert_not_exists work/round-1/station-4
    assert_only_decodes
    # station 5 did not send the keys
    rm work/round-1/federator/{total.npy,in/keys.cbor} work/round-1/station-5/{in/keys.cbor,out/keys-*}
    make_again
    assert_equal "$(cut -d' ' -f1,5 <<<"$output")" "hagg-roster 1
install work/round-1/station-3/out/keys-station-5.cbor
hagg-aggregate 5
install work/round-1/station-5/out/keys-federator.cbor
hagg-decode work/round-1/federator/out/roster.cbor"
    assert_total_of 1,2,3,4
}

@test "without a relay: no command is for it, and no existing file is made again" {
    write_meeting "collude partial stations=1 relays=1" "drop relays=1"
    by_make meeting.plan
    rm -r work/round-1/relay-1 work/round-1/federator/{in/from-relay-1.cbor,total.npy}
    emit make --without relays=1 meeting.plan >Makefile
    run -1 grep "relay-1" Makefile
    make_again
    # relay 1 had passed on the keys, which are now sent through another relay
    assert_equal "$(cut -d' ' -f1,4,5 <<<"$output")" "hagg-roster --round 1
hagg-aggregate --station 5
install -T work/round-1/station-5/out/keys-relay-2.cbor
hagg-aggregate --relay 2
install -T work/round-1/relay-2/out/sum.cbor
hagg-decode --roster work/round-1/federator/out/roster.cbor"
    assert_total_of 1,2,3,4
    write_sparing_transforming
    rm -r work
    forget
    by_make transforming.plan
    rm -r work/round-1/relay-[25] work/round-1/federator/{in/from-relay-[25].cbor,total.npy}
    emit make --without relays=2,5 transforming.plan >Makefile
    run -1 grep -E "relay-[25]" Makefile
    assert_only_decodes
    assert_total_of 1,2,3,4
}

@test "without all relays of a station: it sends nothing" {
    cat >figure.plan <<END
collude  partial clients=1 stations=1 relays=1
drop     relays=1
quantize bits=16 clip=1.0
stations 4
relays   4
station  1  via 1 4
station  2  via 1 2
station  3  via 2 3
station  4  via 3 4
client   1-4  via 1-4  shares 2-4 1  keys 1  relays 1-4
protocol keys
END
    # station 4 sends only to relay 3
    emit make --without relays=3 figure.plan >Makefile
    run -0 make -n all-sums
    refute_line --regexp "^hagg-aggregate .*--station 4"
    assert_equal "$(grep -c -- "--station [123] --roster [^ ]* --round 1 --only shares" <<<"$output")" 3
    make -s -j2
    assert_total_of 1,2,3,4
}

@test "hagg-cost --measure confirms the round, also if the chain of keys skips stations" {
    printf '%s\n' "collude partial stations=1" "drop stations=1" "quantize bits=16 clip=1.0" \
        "stations 4" "client 1-4 via 1-4 keys 2" "protocol keys" >chain.plan
    for gone in 1 3 4; do
        by_make --without stations=$gone chain.plan
        assert_total_of 1,2,3,4
        run -0 hagg-cost --measure --plan chain.plan --without stations=$gone work
        # with all stations present the chain would be another
        run -4 hagg-cost --measure --plan chain.plan work
        rm -r work
        forget
    done
}

@test "hagg-cost --measure counts reports and the roster apart, and vectors as without them" {
    by_make small.topo
    run -0 hagg-cost --measure --plan small.topo work
    # three reports and their copies, the roster and three copies
    assert_line "10 reports and rosters, which contain no vectors, were not counted"
    run -0 hagg-cost --measure --plan small.topo --format json work
    assert_json 'lines[0]["rosters"] == 10 and lines[0]["differences"] == []'
    # every message is in an outbox and in an inbox, and counts once
    assert_json 'lines[0]["met_twice"] == sum(link["records"] for link in lines[0]["links"]) > 0'
    with=$(sed 's/"rosters":10/"rosters":0/; s/"files":[0-9]*//' <<<"$output")
    find work -name 'roster.cbor' -delete -o -name 'report*.cbor' -delete
    run -0 hagg-cost --measure --plan small.topo --format json work
    assert_equal "$(sed 's/"files":[0-9]*//' <<<"$output")" "$with"
}

@test "a station is missing, also the last of the chain of keys" {
    sed -i 's/1-3/1-5/; s/stations 3/stations 5/; $a drop stations=1' small.topo
    by_make --without stations=3 small.topo
    assert_total_of 1,2,3,4
    rm -r work
    forget
    by_make --without stations=5 small.topo
    assert_total_of 1,2,3,4
    run -0 ls work/round-1/federator/in
    assert_output "from-station-1.cbor
from-station-2.cbor
from-station-3.cbor
from-station-4.cbor
keys.cbor
report-station-1.cbor
report-station-2.cbor
report-station-3.cbor
report-station-4.cbor"
}

@test "a relay is missing, also that of the keys" {
    write_meeting "collude partial stations=1 relays=1" "drop relays=1"
    for gone in 1 3; do
        by_make --without relays=$gone meeting.plan
        assert_total_of 1,2,3,4
        assert_not_exists work/round-1/federator/in/from-relay-$gone.cbor
        rm -r work
        forget
    done
}

@test "full collusion: a station and a relay are missing" {
    printf '%s\n' "collude full stations=0 relays=1" "drop stations=1 relays=1" "quantize bits=16 clip=1.0" "stations 6" "relays 6" \
        "station 1-6 via 1-6" "client 1-4 via 1-6 relays 1-6 keys 3 2 5 4 1 6 key-relays 1-6" "protocol keys" >meeting.plan
    # relay 1 gets all vectors, but not the keys from station 3
    by_make --unsafe-plan --without stations=3,relays=2 meeting.plan
    assert_total_of 1,2,3,4
}

@test "relays with sharings of their own: stations and relays are missing" {
    write_sparing_transforming
    by_make --without 'stations=2 relays=2,5' transforming.plan
    assert_total_of 1,2,3,4
    run -0 hagg-cost --measure --plan transforming.plan --without stations=2,relays=2,5 work
}

@test "sample counts are read from files when the client shares, and are not in the commands" {
    sed -i '$a samples' small.topo
    for i in 1 2 3 4; do
        echo $((i * 37)) >samples-$i
    done
    by_make --samples 'samples-{}' --mean -o mean.npy small.topo
    assert_numpy "np.abs(load('mean.npy') - sum(np.rint(load(f'grad{i}.npy') * 32767) for i in range(1, 5)) / 32767 / 370).max() < 1e-12"
    run -1 grep -E '37|74|111|148' Makefile
    # with a corrected count it is another vector, which the client must not share in this round
    echo 38 >samples-1
    run -2 --separate-stderr make
    assert_line --regexp "^hagg-share .* --samples-file samples-1 "
    run -0 grep -c "client 1 has already shared another vector, type or sample count, or used another key, in round 1: " <<<"$stderr"
}

@test "vectors of other types" {
    sed -i '/^quantize/d' small.topo
    for i in 1 2 3 4; do
        printf '%s\n' $i $((10 * i)) -$i >ints-$i
    done
    by_make --vectors 'ints-{}' --type i4 --format text small.topo
    assert_numpy "load('work/round-1/federator/total.npy').tolist() == [10, 100, -10]"
    sed -i '$a quantize bits=16 clip=0.5' small.topo
    by_make --round 2 --vectors 'grad{}.npy' --clip small.topo
    assert_numpy "np.abs(load('work/round-2/federator/total.npy') - sum(load(f'grad{i}.npy').clip(-.5, .5) for i in range(1, 5))).max() < 1e-4"
}

@test "the length is that of the plan, of the first vector, or of --length" {
    rm grad1.npy
    unchanged 1 emit make small.topo
    assert_message "grad1.npy: No such file or directory: so the length is unknown: use --length"
    run -0 emit make --clients 2-4 small.topo
    assert_output --partial "--client 2 --round 1 --length 20 -o"
    run -0 emit make --length 17 small.topo
    assert_output --partial "--client 1 --round 1 --length 17 -o"
    sed -i '$a length 20' small.topo
    run -0 emit make small.topo
    refute_output --partial "--length"
    unchanged 4 emit make --length 17 small.topo
    assert_message "small.topo: sets length 20: omit --length"
}

@test "files have mode 600, except reports and rosters that are not copies; directories are the node's own" {
    (umask 022 && by_make small.topo)
    run -0 find work -name '*.cbor' ! -perm 600
    assert_equal "$(sort <<<"$output")" "work/round-1/federator/out/roster.cbor
work/round-1/station-1/out/report.cbor
work/round-1/station-2/out/report.cbor
work/round-1/station-3/out/report.cbor"
    run -0 find work/round-1 -mindepth 1 -type d -printf '%m %f\n'
    assert_equal "$(sed 's/-.*//' <<<"$output" | sort -u)" "700 in
700 out
700 private
711 client
711 federator
711 station"
}

@test "run again: only missing files are made" {
    by_make ring.plan
    assert_only_decodes
    rm work/round-1/federator/in/from-station-4.cbor work/round-1/station-4/out/sum.cbor
    make_again
    assert_equal "$(cut -d' ' -f1,5 <<<"$output")" "hagg-roster 1
hagg-aggregate 4
install work/round-1/station-4/out/sum.cbor
hagg-decode work/round-1/federator/out/roster.cbor"
    # a lost copy is sent again
    cp work/round-1/station-3/in/client-1.cbor before
    rm work/round-1/station-3/in/client-1.cbor
    make_again
    assert_equal "$(cut -d' ' -f1 <<<"$output")" "install
hagg-roster
hagg-decode"
    cmp before work/round-1/station-3/in/client-1.cbor
    # a lost share is made again, identically; existing sums are not
    rm work/round-1/station-3/in/client-1.cbor work/round-1/client-1/out/station-3.cbor
    make_again
    assert_equal "$(cut -d' ' -f1 <<<"$output")" "hagg-share
install
hagg-roster
hagg-decode"
    cmp before work/round-1/station-3/in/client-1.cbor
    assert_total_of 1,2,3,4,5,6
    assert_only_decodes
}

@test "run again: transfers that one relay lost are made again for all relays" {
    write_transforming partial
    by_make transforming.plan
    for relay in 1 6; do
        rm work/round-1/relay-$relay/in/from-station-2.cbor work/round-1/federator/total.npy
        make -s -j2
        assert_total_of 1,2,3,4
    done
}

@test "a client killed after its entry in the state and before writing its shares can be run again" {
    emit make small.topo >Makefile
    make -s work/round-1/client-1/out/station-1.cbor work/round-1/client-2/private/key.cbor
    # the first four renames are of the state; strace kills it at the next, which would publish a share
    run -2 --separate-stderr make -s \
        CLIENT-2='env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o trace -e trace=rename,renameat,renameat2 -e inject=rename,renameat,renameat2:signal=KILL:when=5 sh -c'
    run -0 hagg-inspect --state
    assert_line --regexp ' client-2 +vector +1 -$'
    assert_not_exists work/round-1/client-2/out/station-3.cbor
    make -s
    assert_total_of 1,2,3,4
}

@test "a vector that has changed is refused, also with a new key" {
    emit make small.topo >Makefile
    make -s work/round-1/client-2/out/station-1.cbor
    cp grad2.npy first.npy
    npy grad2.npy "np.full((4, 5), 0.25)"
    message="grad2.npy: client 2 has already shared another vector, type or sample count, or used another key, in round 1: "
    cp work/round-1/client-2/private/key.cbor key.cbor
    run -2 --separate-stderr make -s -k
    run -0 grep -c "$message" <<<"$stderr"
    assert_not_exists work/round-1/federator/in/from-station-1.cbor
    rm -r work/round-1/client-2
    run -2 --separate-stderr make -s -k
    run -0 grep -c "$message" <<<"$stderr"
    # the first vector with the first key
    hagg-round --prepare work/round-1/client-2
    cp key.cbor work/round-1/client-2/private/key.cbor
    cp first.npy grad2.npy
    make -s
    assert_total_of 1,2,3,4
}

@test "--again is passed to hagg-share: the same vectors in another round" {
    emit make small.topo | make -s -f -
    emit make small.topo | sed 's/--round 1/--round 2/g; s/round-1/round-2/g' >again.mk
    run -2 --separate-stderr make -s -f again.mk
    [[ "$stderr" == *"this vector was already shared, in round 1 of this plan"* ]]
    emit make --again small.topo | sed 's/--round 1/--round 2/g; s/round-1/round-2/g' >again.mk
    run -0 make -s -f again.mk
    assert_total_of 1,2,3,4
}

@test "--state and --round are passed to the commands that have them" {
    emit make --state 'my state' small.topo >Makefile
    run -0 make -n
    assert_equal "$(grep -c -e "--state 'my state'" <<<"$output")" 15
    run -1 grep 'hagg-keygen.*--state' <<<"$output"
    mkdir -m 700 'my state'
    make -s
    run -0 hagg-inspect --state='my state'
    assert_line --regexp ' federator-1 +total +1 1-4$'
    run -0 hagg-inspect --state
    assert_equal ${#lines[@]} 1
    # a dealer remembers its masks, a client no key
    printf '%s\n' 'collude full stations=1' 'stations 4' 'client 1-2 via 1-3' 'client 3-4 via 2-4' >masks.topo
    emit make --state 'my state' masks.topo >masks.mk
    run -0 make -n -f masks.mk
    assert_equal "$(grep -c -e "hagg-keygen.*--state 'my state'" <<<"$output")" 4
    assert_equal "$(grep -c hagg-keygen <<<"$output")" 4
    run -2 --separate-stderr emit make --state '' small.topo
    assert_usage "--state must not be empty: use --no-state to remember nothing"
}

@test "programs that run the commands, by tier and by node" {
    write_figure
    emit make figure.plan >Makefile
    run -0 make -n CLIENT='on client-$(NODE)' STATION='on station-$(NODE)' RELAY='on relay-$(NODE)' \
        FEDERATOR='on federator' STATION-2='on big' CLIENT-3=
    assert_line --regexp '^hagg-share --plan figure.plan --client 3 '
    for line in "on client-2 'hagg-keygen --plan figure.plan --client 2" "on client-4 'hagg-share --plan figure.plan --client 4" \
        "on station-1 'hagg-aggregate --plan figure.plan --station 1" "on big 'hagg-aggregate --plan figure.plan --station 2" \
        "on relay-4 'hagg-aggregate --plan figure.plan --relay 4" "on federator 'hagg-decode --plan figure.plan" \
        "on client-1 'install -m 0600 -T work/round-1/client-1/out/station-1.cbor" \
        "on station-3 'hagg-round --inbox 0700 --prepare"; do
        assert_line --regexp "^$line .*'\$"
    done
    # it gets each command as one word
    printf '%s\n' '#!/bin/sh' 'echo "$1 $#" >>on.log' 'exec sh -c "$2"' >on
    chmod +x on
    make -s STATION='./on station-$(NODE)'
    assert_total_of 1,2,3,4
    assert_equal "$(sort -u on.log)" "station-1 2
station-2 2
station-3 2
station-4 2"
}

@test "CARRY carries all files between nodes, and INBOX is the mode of their inboxes" {
    printf '%s\n' '#!/bin/sh' 'echo "$1" >>carried' '[ $# = 3 ] && cp "$2" "$3"' >'carry it'
    chmod +x 'carry it'
    emit make small.topo >Makefile
    make -s CARRY="'./carry it' \"it's\"" INBOX=3733
    assert_total_of 1,2,3,4
    # 12 files of shares, 3 reports, 3 copies of the roster, 3 sums, 3 files of keys
    assert_equal "$(sort carried | uniq -c | tr -s ' ')" " 24 it's"
    run -0 find work/round-1 -name in -printf '%m\n'
    assert_equal "$(sort -u <<<"$output")" 3733
}

@test "names with spaces, quotes and special characters of make and shells" {
    strange="a b'c\"d\$e#f:g=h*i[j]k\$(l)m?n\`o!p{q,r}s"
    mkdir "$strange"
    mv grad?.npy "$strange"
    mv small.topo "$strange/small topo"
    by_make --vectors "$strange/grad{}.npy" --workdir "$strange/work" -o "$strange/result 1.npy" "$strange/small topo"
    assert_only_decodes
    mv "$strange" plain
    assert_numpy "np.abs(load('plain/result 1.npy') - sum(load(f'plain/grad{i}.npy') for i in range(1, 5))).max() < 1e-4"
    run -0 ls
    assert_output "Makefile
plain
ring.plan"
}

@test "names that make cannot represent are refused" {
    for name in 'a%b' 'a;b' 'a|b' 'a&b' 'a\b' '~/a'; do
        unchanged 2 emit make --workdir "$name" small.topo
        assert_message "$name/round-1: make cannot use this file name: it must not contain %, ;, |, & or \\, begin with ~, or end with a space or (...)"
    done
    unchanged 2 emit make -o all-sums small.topo
    assert_message "all-sums: the Makefile has a target of this name: use ./all-sums"
    for name in 'a ' 'a(b)'; do
        unchanged 2 emit make -o "$name" small.topo
        assert_message "$name: make cannot use this file name: it must not contain %, ;, |, & or \\, begin with ~, or end with a space or (...)"
    done
}

@test "names that no command accepts are refused" {
    unchanged 2 emit make --workdir $'a\nb' small.topo
    assert_message "--workdir: 'a?b' cannot be part of a command: it must not be empty, begin with a hyphen or contain control characters"
    unchanged 2 emit make -o -x small.topo
    assert_message "--output: '-x' cannot be part of a command: it must not be empty, begin with a hyphen or contain control characters"
    unchanged 2 emit make --workdir 'a{}' small.topo
    assert_message "--workdir: 'a{}' must not contain {} or {client}"
    unchanged 2 emit make --vectors grad.npy small.topo
    assert_message "--vectors: 'grad.npy' is the same file for all clients: use {} for the number of the client"
}

@test "missing nodes without which a round is impossible" {
    sed -i 's/1-3/1-5/; s/stations 3/stations 5/; $a drop stations=1' small.topo
    unchanged 5 emit make --without stations=1 small.topo
    assert_message "small.topo: client 1 sends its key to station 1, which is missing: leave the client out with --clients, or plan another station for the key"
    unchanged 5 emit make --without stations=2,4 small.topo
    assert_message "small.topo: 2 stations are missing, but the plan tolerates only 1 (drop line): start the round when more are available"
    unchanged 2 emit make --without stations=9 small.topo
    assert_message "small.topo: has no station 9"
    unchanged 2 emit make --without relays=1 small.topo
    assert_message "small.topo: has no relay 1"
    unchanged 2 emit make --clients 1-9 small.topo
    assert_message "small.topo: --clients names clients that are not in the plan"
    unchanged 6 emit make --clients 2 small.topo
    assert_message "a total of 1 client would reveal too much: at least 2 are needed"
    sed -i 's/drop stations=1/drop clients=1/' small.topo
    unchanged 6 emit make --clients 1,2 small.topo
    assert_message "small.topo: 2 clients are missing, but the plan tolerates only 1 (drop line): wait for the others"
    run -0 emit make --clients 1-3 small.topo
}

@test "a missing station that two relays need is refused" {
    write_meeting "collude partial stations=1" "drop stations=1"
    sed -i 's/shares 5 2-4/shares 2 5 3-4/; s/keys 2/keys 3/' meeting.plan
    unchanged 5 emit make --without stations=2 meeting.plan
    assert_message "meeting.plan: without the missing nodes only 2 shares of a sum reach the federator, and 3 are needed: start the round when more nodes are available"
    by_make --without stations=5 meeting.plan
    assert_total_of 1,2,3,4
}

@test "sets that are not private are refused" {
    sed -i 's/^client   1 .*/client 1 via 1-5 shares 1 2 3 keys 2 3 4/' ring.plan
    unchanged 6 emit make ring.plan
    assert_output ""
    run -0 emit make --unsafe-plan ring.plan
    assert_output --partial "hagg-share --plan ring.plan --client 1 --round 1 --key work/round-1/client-1/private/key.cbor --unsafe-plan"
}

@test "Slurm arrays have at most a thousand tasks, and layers depend on each other" {
    printf '%s\n' "collude partial stations=1" "length 1" "stations 3" "client 1-2001 via 1-3 keys 2" "protocol keys" >many.topo
    run -0 emit slurm many.topo
    assert_equal "$(grep '^submit ' <<<"$output" | cut -d' ' -f2-4)" 'cleancheck 0-0 ""
cleankeys 0-999 "$before"
cleankeys 0-999 "$before"
cleankeys 0-0 "$before"
cleanshares 0-2 "$before"
clientdirs 0-999 ""
clientdirs 0-999 ""
clientdirs 0-0 ""
stationdirs 0-2 ""
federatordirs 0-0 ""
keys 0-999 "$clientdirs"
keys 0-999 "$clientdirs"
keys 0-0 "$clientdirs"
shares 0-999 "$clientdirs$keys"
shares 0-999 "$clientdirs$keys"
shares 0-0 "$clientdirs$keys"
sendshares 0-999 "$clientdirs$stationdirs$shares"
sendshares 0-999 "$clientdirs$stationdirs$shares"
sendshares 0-0 "$clientdirs$stationdirs$shares"
reports 0-2 "$stationdirs$sendshares"
sendreports 0-2 "$stationdirs$federatordirs$reports"
roster 0-0 "$federatordirs$sendreports"
sendroster 0-0 "$stationdirs$federatordirs$roster"
sums 0-2 "$stationdirs$sendshares$sendroster"
sendsums 0-2 "$stationdirs$federatordirs$sums"
chain 0-0 "$stationdirs$federatordirs$sendshares$sendroster"
chain 0-0 "$chain"
chain 0-0 "$chain"
chain 0-0 "$chain"
total 0-0 "$federatordirs$roster$sendsums$chain"'
    assert_line "0) on STATION 2 'test -e work/round-1/station-2/out/keys-station-3.cbor || hagg-aggregate --plan many.topo --station 2 --roster work/round-1/station-2/in/roster.cbor --round 1 --only keys -o work/round-1/station-2/out/keys-station-3.cbor work/round-1/station-2/in/client-*.cbor' ;;"
    assert_line "0) on STATION 2 'test -e work/round-1/station-2/out/keys-station-3.sent && test -e work/round-1/station-3/in/keys.cbor || { \${CARRY} work/round-1/station-2/out/keys-station-3.cbor work/round-1/station-3/in/keys.cbor && touch work/round-1/station-2/out/keys-station-3.sent; }' ;;"
    unchanged 2 emit slurm --workdir 'a%b' many.topo
    assert_message 'a%b/round-1: Slurm cannot write logs in a directory of this name: it must not contain % or \'
}

@test "usage errors" {
    run -2 --separate-stderr emit cmake small.topo
    assert_usage "--emit must be make, sh, parallel, slurm or dot, not 'cmake'"
    run -2 --separate-stderr hagg-round --emit make --round 1 --vectors 'x{}' small.topo
    assert_usage "--emit, --round, --vectors and --workdir are required"
    run -2 --separate-stderr emit make
    assert_usage "a plan is required: name one, or set HAGG_PLAN"
    run -2 --separate-stderr emit make small.topo ring.plan
    assert_usage "only one plan is accepted: 'ring.plan' is extra"
    run -2 --separate-stderr emit make --without '' small.topo
    assert_usage "--without needs stations=SET, relays=SET or both"
    run -2 --separate-stderr emit make --without station=1 small.topo
    assert_usage "--without: unknown word 'station': did you mean 'stations'?"
    run -2 --separate-stderr emit make --without 'stations=1 clients=2' small.topo
    assert_usage "--without: unknown word 'clients': use stations= or relays="
    unchanged 2 emit make --samples 'n{}' small.topo
    assert_message "small.topo: has no samples line: omit --samples"
    sed -i '$a samples' small.topo
    unchanged 2 emit make small.topo
    assert_message "small.topo: has a samples line: use --samples"
    HAGG_PLAN=ring.plan run -0 emit make
    assert_output --partial "hagg-share --plan ring.plan"
}

@test "dot: the picture of hagg-plan with the nodes that take part" {
    write_figure
    run -0 --separate-stderr hagg-round --emit dot figure.plan
    assert_equal "$stderr" ""
    assert_equal "$output" "$(hagg-plan -q --keep --dot figure.plan)"
    assert_line --regexp '^  s2 -> r1 '
    write_meeting "collude partial stations=1 relays=1" "drop relays=1"
    run -0 hagg-round --emit dot meeting.plan
    assert_line --regexp '^  s[0-9] -> r3 '
    assert_line --regexp '^  r3 -> f1 '
    run -0 hagg-round --emit dot --without relays=3 meeting.plan
    assert_line --regexp '^  s[0-9] -> r2 '
    refute_line --regexp '^  s[0-9] -> r3 '
    refute_line --regexp '^  r3 -> '
    run -5 --separate-stderr hagg-round --emit dot --without relays=2,3 meeting.plan
    assert_message "meeting.plan: 2 relays are missing, but the plan tolerates only 1 (drop line): start the round when more are available"
    assert_output ""
}
