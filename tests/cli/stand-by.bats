#!/usr/bin/env bats
# Stand-by sums of protocol aligned: which stations send, what they remember, what is counted, and whole rounds.

load common
load round
load emitted

TOOL=hagg-aggregate

# Six stations, two of which may be missing. Client 4 has one part, so its stations, 3 to 6, have four rows; the
# other clients have three parts, so stations 1 and 2 have two. Station 7 has no clients.
setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    printf '%s\n' 'protocol aligned' 'collude full stations=1' 'drop stations=2' 'stations 7' 'segments 4' 'length 8' \
        'dealers 1-4 6' 'client 1-3 via 1-6' 'client 4 via 3-6' 'client 5 via 1-6' >six.plan
    export HAGG_PLAN=$PWD/six.plan
    for i in 1 2 3 4 5; do
        seq $i $((i + 7)) | hagg-share --client $i --round 1 --type i4 --format text -o "up-{}/client-$i.cbor" -
    done
    for u in 1 2 3 4 6; do
        hagg-keygen --station $u --round 1 -o "up-{}/mask-$u.cbor"
    done
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    cp -r "$BATS_FILE_TMPDIR"/up-* .
}

# send STATION OUTPUT OPTION...
send() {
    hagg-aggregate --station "$1" --round 1 -o "$2" "${@:3}" "up-$1"/*.cbor
}

# send_all TAG 'STATION...' OPTION...: to TAG-STATION.cbor
send_all() {
    local u

    for u in $2; do
        send "$u" "$1-$u.cbor" "${@:3}"
    done
}

# assert_sent TAG 'STATION...': these stations have sent a sum, and the other files are empty.
assert_sent() {
    assert_equal "$(find . -name "$1-*.cbor" -size +0 | sed 's/.*-\(.\)\.cbor/\1/' | sort | paste -sd ' ')" "$2"
}

# assert_total FILE...: the total of all five clients
assert_total() {
    run -0 --separate-stderr hagg-decode --no-state --quiet --format text "$@"
    assert_output "$(seq 15 5 50)"
}

@test "the sums of the stations with the fewest rows are sent, and the others stand by" {
    # stations 3 to 6 have blocks of 1 and of 3 segments, so four rows; 1 and 2 have two
    send_all all '1 2 3 4 5 6'
    run -0 hagg-inspect --json all-?.cbor
    assert_json '[line["elements"] for line in lines[:-1]] == [4, 4, 8, 8, 8, 8]'
    send_all a '1 2 3 4 5 6' --present 1-6 2>notes
    assert_sent a '1 2 3 4'
    for u in 1 2 3 4; do
        cmp a-$u.cbor all-$u.cbor
    done
    assert_equal "$(sort -u notes)" "hagg-aggregate: nothing to send: the sum stands by; if one of another station does not arrive, use --present without that station, and --after"
    assert_total a-?.cbor
}

@test "stations without more rows are not preferred for their numbers" {
    printf '%s\n' 'protocol aligned' 'collude full stations=1' 'drop stations=1' 'stations 5' 'segments 2' 'length 8' \
        'dealers 1-3' 'client 1 via 1-3' 'client 2 via 1-5' >few.plan
    export HAGG_PLAN=few.plan
    for i in 1 2; do
        seq 8 | hagg-share --client $i --round 1 --type i4 --format text -o "few-{}/client-$i.cbor" -
    done
    for u in 1 2 3; do
        hagg-keygen --station $u --round 1 -o "few-{}/mask-$u.cbor"
    done
    # client 1 has one part, client 2 three: stations 4 and 5 have one row, the others two
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u --present 1-5 -o few-$u.cbor few-$u/*.cbor
    done
    assert_sent few '1 2 4 5'
    run -0 --separate-stderr hagg-decode --quiet --format text few-?.cbor
    assert_output "$(seq 2 2 16)"
}

@test "two stations are lost, one after the other, and nothing is sent twice" {
    send_all a '1 2 3 4 5 6' --present 1-6
    # station 2 is lost: station 5 sends
    send_all b '1 3 4 5 6' --present 1,3-6 --after 1-6
    assert_sent b 5
    # and then station 5: station 6 sends
    send_all c '1 3 4 6' --present 1,3,4,6 --after 1,3-6
    assert_sent c 6
    assert_total a-[134].cbor c-6.cbor
    # empty files are no obstacle, and what the lost stations have sent may be used
    assert_total a-?.cbor b-?.cbor c-?.cbor
}

@test "each pair of lost stations, at once: four sums are sent in all of those that are left" {
    send_all a '1 2 3 4 5 6' --present 1-6 --no-state
    for lost in '1 2' '1 3' '1 4' '1 5' '1 6' '2 3' '2 4' '2 5' '2 6' '3 4' '3 5' '3 6' '4 5' '4 6' '5 6'; do
        left=$(printf '%s\n' 1 2 3 4 5 6 | grep -vx "${lost% *}" | grep -vx "${lost#* }" | paste -sd ' ')
        rm -rf b && mkdir b
        send_all b/s "$left" --present "${left// /,}" --after 1-6 --no-state
        files=()
        for u in $left; do
            files+=("a-$u.cbor" "b/s-$u.cbor")
            # either now or before, and not both
            assert_equal "$(find "a-$u.cbor" "b/s-$u.cbor" -size +0 | wc -l)" 1
        done
        assert_total "${files[@]}"
    done
}

@test "a station that was not there before sends" {
    send_all a '2 3 4 5 6' --present 2-6
    assert_sent a '2 3 4 5'
    send_all b '1 2 3 4 6' --present 1-4,6 --after 2-6
    assert_sent b 1
    assert_total a-[234].cbor b-1.cbor
}

@test "the default is to send all sums" {
    send_all a '1 2 3 4 5 6'
    assert_sent a '1 2 3 4 5 6'
}

@test "a pipe: nothing on standard output, and one process that plays all stations" {
    run -0 --separate-stderr hagg-aggregate --station 6 --present 1-6 up-6/*.cbor
    assert_output ""
    assert_message "nothing to send: the sum stands by; if one of another station does not arrive, use --present without that station, and --after"
    cat up-*/*.cbor | hagg-aggregate --present 1-6 >all.cbor
    run -0 hagg-inspect --json all.cbor
    assert_json '[line["from"] for line in lines[:-1]] == [["station", u] for u in (1, 2, 3, 4)]'
    # stations that are not present send nothing, although their records are there
    cat up-*/*.cbor | hagg-aggregate --present 2,4-6 >some.cbor
    run -0 hagg-inspect --json some.cbor
    assert_json '[line["from"] for line in lines[:-1]] == [["station", u] for u in (2, 4, 5, 6)]'
    assert_total all.cbor
    assert_total some.cbor
}

@test "--json reports sums that stand by" {
    run -0 --separate-stderr hagg-aggregate --json --station 6 --present 1-6 -o six.cbor up-6/*.cbor
    assert_equal "$(jq -c '[.standing_by, .sums]' <<<"$stderr")" "[1,0]"
    run -0 --separate-stderr hagg-aggregate --json --station 1 --present 1-6 -o one.cbor up-1/*.cbor
    assert_equal "$(jq -c '[.standing_by, .sums]' <<<"$stderr")" "[0,1]"
}

@test "an earlier sum is replaced by an empty file" {
    send 6 out.cbor
    assert [ -s out.cbor ]
    send 6 out.cbor --present 1-6
    assert [ -f out.cbor ]
    assert [ ! -s out.cbor ]
}

@test "too few stations are present" {
    run -5 --separate-stderr send 1 out.cbor --present 1-3
    assert_message "--present names only 3 of the stations in use, but the sums of 4 are needed: wait for more of them"
    # station 7 has no clients
    run -5 --separate-stderr send 1 out.cbor --present 1-3,7
    assert_message "--present names only 3 of the stations in use, but the sums of 4 are needed: wait for more of them"
    run -5 --separate-stderr send 1 out.cbor --present 1-5 --after 1-3
    assert_message "--after names only 3 of the stations in use, but the sums of 4 are needed: omit it, because nothing was sent then"
    assert_file_not_exists out.cbor
}

@test "wrong sets of stations" {
    run -2 --separate-stderr send 1 out.cbor --present 2-6
    assert_usage "--present must name the station itself"
    run -2 --separate-stderr send 1 out.cbor --after 1-6
    assert_usage "--after requires --present"
    run -2 --separate-stderr send 1 out.cbor --present 1-9
    assert_message "$HAGG_PLAN: has no station 9"
    run -2 --separate-stderr send 1 out.cbor --present 1-6 --after 1-6,8
    assert_message "$HAGG_PLAN: has no station 8"
    assert_file_not_exists out.cbor
}

@test "with relays all stations send" {
    printf '%s\n' 'protocol aligned' 'collude full stations=1' 'drop stations=1' 'stations 5' 'relays 1' \
        'station 1-5 via 1' 'client 1-3 via 1-5' >relays.plan
    export HAGG_PLAN=relays.plan
    for i in 1 2 3; do
        seq 4 | hagg-share --client $i --round 1 --type i4 --format text -o "on-{}/client-$i.cbor" -
    done
    for options in "--station 1" "--relay 1"; do
        # shellcheck disable=SC2086
        run -2 --separate-stderr hagg-aggregate $options --present 1-5 -o out.cbor on-1/*.cbor
        assert_message "relays.plan: with protocol aligned and relays, all stations send their sums: omit --present"
    done
    assert_file_not_exists out.cbor
    run -2 --separate-stderr hagg-round --stand-by --emit make --round 1 --vectors 'v{}.npy' --workdir work relays.plan
    assert_equal "$stderr" "hagg-round: relays.plan: --stand-by is for protocol aligned without relays, with stations that may be missing: omit it"
    assert_output ""
}

@test "a station that keeps its sum back refuses another set of clients" {
    send 6 out.cbor --present 1-6
    for options in "--present 1,2,5,6 --after 1-6" "--present 1-6" ""; do
        # shellcheck disable=SC2086
        run -6 --separate-stderr send 6 other.cbor --clients 1-4 $options
        assert_message "station 6 already sent sums of round 1 over clients 1-5, and this is over 1-4: two totals reveal their difference, so use the roster of the round if there is one, or start a new round, with new vectors or with the clients of the old round (state in $HAGG_STATE)"
        assert_file_not_exists other.cbor
    done
    # the same set again
    send 6 out.cbor --present 1,2,5,6 --after 1-6
    assert [ -s out.cbor ]
}

@test "a station that keeps its sum back refuses other dealers" {
    send 6 out.cbor --present 1-6
    run -6 --separate-stderr send 6 other.cbor --dealers 1-4 --present 1,2,5,6 --after 1-6
    assert_output ""
    assert_file_not_exists other.cbor
}

@test "a station that lacks a share has no sum to keep back" {
    rm up-6/client-2.cbor
    run -5 --separate-stderr send 6 out.cbor --present 1-6
    assert [ "${stderr#*client 2}" != "$stderr" ]
    assert_file_not_exists out.cbor
}

@test "a wrong sum is not detected among exactly enough, and is when the others are sent" {
    send_all a '1 2 3 4 5 6' --present 1-6
    tamper a-3.cbor 0=5
    run -0 --separate-stderr hagg-decode --no-state --quiet --format text a-?.cbor
    refute_output "$(seq 15 5 50)"
    send_all b '5 6'
    run -3 --separate-stderr hagg-decode --no-state --quiet --format text a-?.cbor b-?.cbor
    assert_output ""
    assert [ "${stderr#*the share of station 3 is wrong}" != "$stderr" ]
    assert_total --correct a-?.cbor b-?.cbor
}

@test "hagg-cost counts the sums that are sent, and measures them" {
    run -0 hagg-cost --only 'plan,plan stand-by' --format tsv
    run -0 awk -F '\t' '$4 == "stations to federator" { print $1 ":", $5, $8 }' <<<"$output"
    assert_output "plan: 5 40
plan stand-by: 3 24"
    send_all a '1 2 3 4 5 6' --present 1-6
    run -0 hagg-cost --measure --format tsv up-? a-?.cbor
    run -0 awk -F '\t' '$1 == "station" && $2 == "federator" { print $4, $5, $6 }' <<<"$output"
    assert_output "4 24 24"
    # a sum that had to be sent
    run -4 --separate-stderr hagg-cost --measure --format tsv up-? a-[1245].cbor
    assert_regex "$stderr" '^hagg-cost: station 3 to federator( 1)?: no vectors were sent, predicted 8 symbols'
    # station 2 is lost after it has sent: 5 is needed, 6 is not
    send_all b '1 3 4 5 6' --present 1,3-6 --after 1-6
    run -0 hagg-cost --measure --without stations=2 --format tsv up-? a-?.cbor b-?.cbor
    run -0 awk -F '\t' '$1 == "station" && $2 == "federator" { print $4, $5, $6 }' <<<"$output"
    assert_output "5 32 32"
    run -4 --separate-stderr hagg-cost --measure --without stations=2 --format tsv up-? a-?.cbor
    assert_regex "$stderr" '^hagg-cost: station 5 to federator( 1)?: no vectors were sent, predicted 8 symbols'
}

@test "hagg-plan prints what stand-by sums save" {
    run -0 --separate-stderr hagg-plan --keep "$HAGG_PLAN" -o kept.plan
    assert_regex "$stderr" 'if no station is missing, stand-by sums save 2 \(16 symbols\), but then no wrong sum is detected: hagg-round --stand-by'
    sed '/^drop/d' "$HAGG_PLAN" >all.plan
    run -0 --separate-stderr hagg-plan --keep all.plan -o kept.plan
    refute_regex "$stderr" 'stand-by'
}

# round_of OPTION...: writes a round of the plan as a Makefile, and runs it.
round_of() {
    emit make --stand-by "$@" "$HAGG_PLAN" >Makefile
    make -s -j2
}

make_numbers() {
    for i in 1 2 3 4 5; do
        npy "grad$i.npy" "np.arange($i, $i + 8)"
    done
}

assert_decoded() {
    assert_numpy "(load('work/round-1/federator/total.npy') == np.arange(15, 55, 5)).all()"
}

@test "hagg-round --stand-by: all stations add up, four send, and after losses the others" {
    make_numbers
    round_of
    assert_decoded
    run -0 ls work/round-1/federator/in
    assert_output "$(printf '%s\n' from-station-{1,2,3,4}.cbor report-station-{1,2,3,4,5,6}.cbor)"
    for u in 1 2 3 4 5 6; do
        assert [ -s work/round-1/station-$u/out/sum.cbor ]
    done
    run -0 hagg-cost --measure --format tsv work/round-1/*/in
    assert_line --regexp $'^station\tfederator\tvectors\t4\t24\t24'
    # what station 2 has sent is lost
    rm -r work/round-1/station-2 work/round-1/federator/{total.npy,in/from-station-2.cbor}
    emit make --stand-by --without stations=2 "$HAGG_PLAN" >Makefile
    run -0 --separate-stderr make
    assert_decoded
    # nothing is added up, and only station 5 sends
    refute_line --regexp '^hagg-aggregate'
    assert_equal "$(grep -c '/federator/in/from-station-.*sent$' <<<"$output")" 1
    assert_line --regexp 'from-station-5.cbor .*sums.sent$'
    rm -r work/round-1/station-5 work/round-1/federator/{total.npy,in/from-station-5.cbor}
    round_of --without stations=2,5
    assert_decoded
    assert [ -s work/round-1/federator/in/from-station-6.cbor ]
}

@test "hagg-round without --stand-by sends the other sums, and decodes again as a check" {
    make_numbers
    round_of
    tamper work/round-1/federator/in/from-station-3.cbor 0=5
    emit make "$HAGG_PLAN" >Makefile
    run ! --separate-stderr make -s
    assert_regex "$stderr" 'the share of station 3 is wrong'
    assert [ -s work/round-1/federator/in/from-station-6.cbor ]
}

@test "hagg-round --stand-by: the part of a node, other languages, and a graph" {
    common=(--round 1 --workdir work --send 'send {file} {to} {name}' --stand-by "$HAGG_PLAN")
    run -0 hagg-round --emit sh --node station=5 "${common[@]}"
    assert_line --regexp "hagg-aggregate .*--station 5 .*sum.cbor"
    refute_output --partial from-station-5
    run -0 hagg-round --emit sh --node station=5 --without stations=2 "${common[@]}"
    assert_output --partial from-station-5
    run -0 hagg-round --emit sh --node federator "${common[@]}"
    assert_output --partial from-station-4
    refute_output --partial from-station-5
    for language in parallel slurm; do
        run -0 --separate-stderr emit $language --stand-by "$HAGG_PLAN"
        assert_output --partial from-station-4
        refute_output --partial from-station-5
    done
    run -0 hagg-round --emit dot "$HAGG_PLAN"
    assert_output --regexp 's6 -> f'
    run -0 hagg-round --emit dot --stand-by "$HAGG_PLAN"
    refute_output --regexp 's6 -> f'
}
