#!/usr/bin/env bats
# hagg-aggregate --pass-on: stations that pass on, as couriers, what clients send to stations that they do not reach.

load common
load round
load sealed
load couriers

TOOL=hagg-aggregate

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    export LENGTH=11 HAGG_PLAN=the.plan
    unset HAGG_IDENTITY
    make_courier_plan
    clients 1 2 3 4 7 8
    dealers 1 2 3 4 5
    # the same client in another round, and under another plan
    as client-7 hagg-share --again --client 7 --round 2 -o 'second-{}' v7.npy
    sed 's/^client 3 .*/client 3 via 1-4/' the.topo >other.topo
    as client-7 hagg-share --again --plan other.topo --client 7 --round 3 -o 'other-{}' v7.npy
}

# Changes to a directory with everything that the clients and dealers have sent. record-3 is the record of client 7
# for station 3, and so on.
setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt,the.*,v?.npy,station-?,second-2,other-2} .
    export LENGTH=11 HAGG_PLAN=the.plan
    unset HAGG_IDENTITY
    parts_of station-2/client-7 record
}

AUTHENTIC="is not what its sender sealed: it was damaged or changed: get it again from its sender"

# Checks that there is this message and nothing else, and no output.
assert_refused() {
    assert_equal "$stderr" "$1"
    assert_output ""
    run -1 compgen -G 'out*'
}

# refused STATUS MESSAGE FILE...: as a courier, station 2 refuses these files.
refused() {
    run "-$1" --separate-stderr hagg-aggregate --pass-on --station 2 -o 'out-{}' "${@:3}"
    assert_refused "hagg-aggregate: $2"
}

# --- what is passed on

@test "--pass-on copies the records for other stations, byte for byte, and needs no private key" {
    # what client 7 sends: a share, and two seeds to be passed on
    cat record-3 record-4 record-2 | cmp - station-2/client-7
    run -0 hagg-inspect --json record-?
    assert_json '[line.get("seed", False) for line in lines[:-1]] == [False, True, True]'
    assert_json 'lines[-1]["summary"]["sealed"] == 3'
    rm -r keys
    run -0 --separate-stderr hagg-aggregate --pass-on --station 2 --round 1 -o 'to-{}/from-2' station-2/*
    assert_equal "$stderr$output" ""
    assert_equal "$(echo to-*/*)" "to-3/from-2 to-4/from-2"
    cmp to-3/from-2 record-3
    cmp to-4/from-2 record-4
    assert_equal "$(stat -c %a to-3/from-2)" 600
}

@test "--pass-on copies from pipes and to pipes" {
    run -0 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'to-{}' - < <(cat station-2/*)
    cmp to-3 record-3
    cmp to-4 record-4
    cat station-2/client-7 | hagg-aggregate --pass-on --station 2 | cmp - <(cat record-3 record-4)
    hagg-aggregate --pass-on --station 2 -o all station-2/client-7
    cmp all <(cat record-3 record-4)
}

@test "--pass-on copies records of several chunks" {
    # a station may be missing, so a station that the client does not reach gets a share that is no seed
    sed 's/^drop .*/drop stations=1/' the.topo >long.topo
    npy long.npy "np.arange(50000, dtype='i4')"
    as client-7 hagg-share --plan long.topo --client 7 --round 1 -o 'long-{}' long.npy
    run -0 hagg-inspect --json long-2
    assert_json 'sorted(line["elements"] for line in lines[:-1] if line["to"] != ["station", 2]) == [32, 32, 50000]'
    parts_of long-2 long-to
    hagg-aggregate --plan long.topo --pass-on --station 2 -o 'to-{}' long-2
    hagg-aggregate --plan long.topo --pass-on --station 2 -o 'piped-{}' < <(cat long-2)
    rm long-to-2
    for file in long-to-*; do
        cmp $file ${file#long-}
        cmp $file ${file/long-to/piped}
    done
    assert_equal "$(echo to-? | wc -w)" 3
}

@test "--pass-on needs no more memory for longer records" {
    sed 's/^drop .*/drop stations=1/' the.topo >long.topo
    for n in 1000 5000000; do
        npy long.npy "np.arange($n, dtype='i4')"
        as client-7 hagg-share --plan long.topo --client 7 --round $n -o "long-{}-$n" long.npy
    done
    run -0 python3 -c '
import os, subprocess, sys

def used(name, piped):
    command = ["hagg-aggregate", "--plan", "long.topo", "--pass-on", "--station", "2", "-o", "to-{}"]
    source = subprocess.Popen(["cat", name], stdout=subprocess.PIPE).stdout if piped else None
    child = subprocess.Popen(command + ([] if piped else [name]), stdin=source)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0
    return usage.ru_maxrss

for piped in False, True:
    few, many = used("long-2-1000", piped), used("long-2-5000000", piped)
    assert many < few + 4000, (few, many)'
}

@test "--pass-on with nothing to pass on writes no file, or an empty one without {}" {
    local nothing="hagg-aggregate: nothing to pass on: no record of the input is for another station"

    run -0 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'to-{}' station-2/client-[124] station-2/mask-*
    assert_equal "$stderr" "$nothing"
    run -0 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'to-{}' </dev/null
    assert_equal "$stderr" "$nothing"
    run -1 compgen -G 'to-*'
    run -0 --separate-stderr hagg-aggregate --pass-on --station 2 -o one record-2
    assert_equal "$(stat -c %s one)" 0
}

@test "--pass-on --json reports the clients and the stations" {
    run -0 --separate-stderr hagg-aggregate --pass-on --json --station 2 -o 'to-{}' station-2/client-7
    output=$stderr
    assert_json 'lines[0]["node"] == ["station", 2] and lines[0]["round"] == 1 and lines[0]["clients"] == [[7, 7]]'
    assert_json 'lines[0]["passed_on"] == 2 and lines[0]["to"] == {"stations": [[3, 4]]} and lines[0]["output"] == "to-{}"'
    run -4 --separate-stderr hagg-aggregate --pass-on --json --station 2 -o 'no-{}' station-4/client-8
    output=$stderr
    assert_json 'lines[0]["node"] == ["station", 2] and "passed_on" not in lines[0]'
}

# --- what a courier refuses

@test "--pass-on requires a plan and a station, and no option for adding up" {
    run -2 --separate-stderr hagg-aggregate --pass-on record-3
    assert_usage "--pass-on requires --plan (or HAGG_PLAN) and --station"
    HAGG_PLAN='' run -2 --separate-stderr hagg-aggregate --pass-on --station 2 record-3
    assert_usage "--pass-on requires --plan (or HAGG_PLAN) and --station"
    for option in --relay=1 --clients=7 --roster=r --identity=k --only=keys --dealers=1 --via=1 --missing=3 \
        --skip-incomplete; do
        run -2 --separate-stderr hagg-aggregate --pass-on --station 2 $option record-3
        assert_usage "--pass-on opens no record and adds nothing up: omit --relay, --clients, --roster, --identity, --only, --dealers, --via, --missing and --skip-incomplete"
    done
    run -2 --separate-stderr hagg-aggregate --pass-on --station 6 record-3
    assert_equal "$stderr" "hagg-aggregate: the.plan: has no station 6"
}

@test "--pass-on refuses a damaged record, whoever it is for" {
    for i in 2 3 4; do
        cp record-$i damaged
        printf '\0\0\0' | dd of=damaged bs=1 seek=$(($(wc -c <damaged) - 20)) conv=notrunc status=none
        message="digest does not match, so the record is damaged: get it again"
        refused 3 "damaged: record 1 (byte 0): $message" damaged
        refused 3 "standard input: record 1 (byte 0): $message" < <(cat damaged)
    done
    head -c -1 record-4 >cut
    refused 3 "cut: record 1 (byte 0): ends too early, in its digest: get it again" record-3 cut
    : >empty
    refused 3 "empty: is empty: it contains no record" empty
    # what was written to a pipe before that is refused by its reader
    run -3 hagg-inspect <(hagg-aggregate --pass-on --station 2 record-3 cut)
}

@test "--pass-on refuses a record for another station that it could read" {
    local unsealed="is for station 3 but not sealed, so its courier could read it: get it sealed from its sender"

    forge record-3 'payload = opened(header, payload); header.pop("seed")' unsealed
    refused 6 "unsealed: record 1 (byte 0): $unsealed" unsealed
    refused 6 "unsealed: record 1 (byte 0): $unsealed" record-4 unsealed
    # the same as a station that adds up
    run -6 --separate-stderr as station-2 hagg-aggregate --station 2 -o out station-2/client-? unsealed
    assert_refused "hagg-aggregate: unsealed: record 1 (byte 0): is not sealed, but the nodes of the.plan have identities: get it sealed from its sender"
}

@test "--pass-on refuses records of another round or plan" {
    run -4 --separate-stderr hagg-aggregate --pass-on --station 2 --round 1 -o 'out-{}' second-2
    assert_refused "hagg-aggregate: second-2: record 1 (byte 0): is of round 2, but this is round 1"
    run -4 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'out-{}' other-2
    assert_regex "$stderr" "^hagg-aggregate: other-2: record 1 \(byte 0\): .* plan"
    run -1 compgen -G 'out*'
}

@test "--pass-on refuses records whose sender does not use this station as a courier" {
    # client 8 reaches station 4 only
    parts_of station-4/client-8 eight
    refused 4 "eight-3: record 1 (byte 0): station 2 is not a courier from client 8 to station 3 in the plan" eight-3
    # a client that reaches the station itself, and the mask of a dealer
    refused 4 "station-3/client-3: record 1 (byte 0): station 2 is not a courier from client 3 to station 3 in the plan" station-3/client-3
    refused 4 "station-3/mask-1: record 1 (byte 0): station 2 is not a courier from station 1 to station 3 in the plan" station-3/mask-1
    # a header that is not in the plan: another station, another client, no seed
    forge record-3 'header["to"] = ["station", 5]' changed
    refused 4 "changed: record 1 (byte 0): must be addressed to station 3, not to station 5" changed
    forge record-3 'header["from"] = ["client", 5]; header["clients"] = [5, 5]' changed
    refused 4 "changed: record 1 (byte 0): is from client 5, which is not in the plan" changed
    forge record-3 'header["from"] = ["client", 3]; header["clients"] = [3, 3]' changed
    run -4 --separate-stderr hagg-aggregate --pass-on --station 2 -o 'out-{}' changed
    run -1 compgen -G 'out*'
}

@test "--pass-on refuses a second record of a client for the same station" {
    cp station-2/client-7 twice
    refused 4 "twice: record 1 (byte 0): is a second record of client 7 for station 3: see station-2/client-7, and remove one of them" station-2/client-7 twice
    cat record-4 >>twice
    refused 4 "twice: record 4 (byte $(wc -c <station-2/client-7)): is a second record of client 7 for station 4: see twice, and remove one of them" twice
}

# --- couriers that add up

@test "a courier ignores what it passes on, in its report and in its sum" {
    pass_on 2
    pass_on 4
    run -0 --separate-stderr as station-2 hagg-roster --round 1 --station 2 -o report station-2/*
    assert_equal "$stderr" "hagg-roster: round 1, station 2: report of 5 clients: 1-2 4 7-8"
    run -0 --separate-stderr as station-2 hagg-aggregate --round 1 --station 2 -o sum station-2/*
    # the same sum as without these records
    as station-2 hagg-aggregate --no-state --station 2 -o without record-2 station-2/client-[124] station-2/from-4 station-2/mask-*
    sealed_python 'assert (opened(*only("sum")) == opened(*only("without"))).all()'
    # also if the process could open them
    HAGG_IDENTITY='keys/{tier}-{}.pem' run -0 --separate-stderr hagg-roster --json --round 1 --station 2 station-2/*
    assert_json 'lines[0]["clients"] == [[1, 2], [4, 4], [7, 8]]'
    # and from a pipe
    as station-2 hagg-aggregate --no-state --station 2 -o piped < <(cat station-2/*)
    sealed_python 'assert (opened(*only("sum")) == opened(*only("piped"))).all()'
}

@test "a courier that adds up refuses every other record for another station" {
    parts_of station-4/client-8 eight
    for file in station-3/client-3 station-3/mask-1 eight-3; do
        for command in hagg-aggregate "hagg-roster --round 1"; do
            run -6 --separate-stderr as station-2 $command --station 2 -o out station-2/client-? $file
            assert_refused "${command%% *}: $file: record 1 (byte 0): is sealed to station 3, but this is station 2"
        done
    done
    # of another round or plan, with a false key, or with a header that is not in the plan
    run -6 --separate-stderr as station-2 hagg-aggregate --station 2 --round 1 -o out station-2/client-? second-2
    assert_refused "hagg-aggregate: second-2: record 1 (byte 0): was sealed in round 2, but this is round 1: get the record of this round"
    run -6 --separate-stderr as station-2 hagg-aggregate --station 2 -o out station-2/client-? other-2
    assert_refused "hagg-aggregate: other-2: record 1 (byte 0): was sealed under a different plan than the.plan: get the record of this plan"
    forge record-3 'payload = replace(payload, sender=bytes(8))' changed
    run -6 --separate-stderr as station-2 hagg-aggregate --station 2 -o out station-2/client-? changed
    assert_refused "hagg-aggregate: changed: record 1 (byte 0): is sealed with key 0000000000000000, which is not a key of client 7 in ids.txt"
    forge record-3 'header["blocks"] = [2]' changed
    run -4 --separate-stderr as station-2 hagg-aggregate --station 2 -o out station-2/client-? changed
    run -1 compgen -G 'out*'
    # only what the station opens determines the round: the last record of the file, but not the first
    run -6 --separate-stderr as station-2 hagg-aggregate --station 2 -o out second-2 station-2/client-?
    assert_refused "hagg-aggregate: station-2/client-1: record 1 (byte 0): was sealed in round 1, but this is round 2: get the record of this round"
    pass_on 4
    parts_of second-2 second
    run -0 --separate-stderr as station-2 hagg-aggregate --station 2 -o sum second-3 station-2/*
}

# --- couriers that do something else

# receiver_refuses STATUS MESSAGE FILE...: station 3 refuses these files of its courier.
receiver_refuses() {
    for command in hagg-aggregate "hagg-roster --round 1"; do
        run "-$1" --separate-stderr as station-3 $command --station 3 -o out station-3/client-? "${@:3}"
        assert_refused "${command%% *}: $2"
    done
}

@test "what a courier changes, exchanges or replays is refused by the receiver" {
    pass_on 2
    pass_on 4
    cmp station-3/from-2 record-3
    # the record of another station, of another round, and of another client, which goes through another courier
    receiver_refuses 6 "record-4: record 1 (byte 0): is sealed to station 4, but this is station 3" station-3/from-? record-4
    receiver_refuses 6 "second-2: record 1 (byte 0): was sealed in round 2, but this is round 1: get the record of this round" station-3/from-4 second-2
    forge record-3 'header, _ = only("station-3/from-4")' changed
    receiver_refuses 6 "changed: record 1 (byte 0): is sealed with key $(key_id_of client 7), which is not a key of client 8 in ids.txt" station-3/from-2 changed
    forge record-3 'payload = replace(payload, chunks=only("station-3/from-4")[1].chunks)' changed
    receiver_refuses 6 "changed: record 1 (byte 0): $AUTHENTIC" station-3/from-4 changed
    forge record-3 'payload = only("record-4")[1]' changed
    receiver_refuses 6 "changed: record 1 (byte 0): is sealed to key $(key_id_of station 4), which is not a key of station 3 in ids.txt" station-3/from-4 changed
    forge record-3 'header["id"] = bytes(16)' changed
    receiver_refuses 6 "changed: record 1 (byte 0): $AUTHENTIC" station-3/from-4 changed
    # a record of its own, sealed by the courier
    forge record-3 'payload = replace(sealed_by(["station", 2], header, opened(header, payload)), sender=payload.sender)' changed
    receiver_refuses 6 "changed: record 1 (byte 0): $AUTHENTIC" station-3/from-4 changed
    # twice
    run -4 --separate-stderr as station-3 hagg-roster --round 1 --station 3 -o out station-3/client-? station-3/from-? record-3
    assert_refused "hagg-roster: record-3: record 1 (byte 0): is a second copy of the vector of client 7 for station 3: see station-3/from-2"
    run -4 --separate-stderr as station-3 hagg-aggregate --station 3 -o out station-3/client-? station-3/from-? record-3
    assert_refused "hagg-aggregate: record-3: client 7 is already in the sum (from station-3/from-2)"
}

# The roster of round 1, and the total of its clients.
finish() {
    local u

    for u in 1 2 3 4 5; do
        as station-$u hagg-roster -q --round 1 --station $u -o report-$u station-$u/client-* $(ls station-$u/from-* 2>/dev/null)
    done
    as federator hagg-roster --round 1 -o roster report-?
    stations 1 2 3 4 5 -- --roster roster
    decode --roster roster
}

# Checks that the total is the sum of the vectors of these clients.
assert_sum_of() {
    assert_numpy "np.array_equal(load('total.npy'), sum(load(f'v{i}.npy').astype('i8') for i in [$1]))"
}

@test "a round with two couriers" {
    pass_on 2
    pass_on 4
    run -0 --separate-stderr finish
    assert_sum_of 1,2,3,4,7,8
}

@test "a courier drops a record: the client is missing, and the round is finished without it" {
    pass_on 2
    pass_on 4
    rm station-3/from-2
    run -0 --separate-stderr finish
    assert_equal "$stderr" "hagg-roster: client 7: missing at station 3
hagg-roster: client 7: missing at station 3
hagg-roster: round 1: roster of 5 clients: 1-4 8"
    assert_sum_of 1,2,3,4,8
}

@test "a courier under protocol keys, which also sends keys as seeds" {
    rm -r station-? the.*
    printf '%s\n' "protocol keys" "collude partial clients=1 stations=2" "fallback computational" "stations 5" \
        "client 1-4 via 1-5" "client 7 via 2" "client 8 via 4 5" "identities ids.txt" >the.plan
    forget
    clients 1 2 3 4 7 8
    pass_on 2
    pass_on 4
    stations 1 2 3 4 5 -- --only shares
    chain federator/keys
    decode
    assert_sum_of 1,2,3,4,7,8
}

@test "hagg-share --json lists the files that a client with a courier has written" {
    as client-7 hagg-share --state=s --json --client 7 --round 4 -o 'j-{}' v7.npy 2>report
    run -0 grep -o '"files":.*' report
    assert_output --regexp '^"files":\[\{"name":"j-2","to":2,"bytes":[0-9]+\}\]'
    run -0 grep -o '"to":\[\[[^]]*\]' report
    assert_output '"to":[[2,4]'
}

@test "hagg-share --missing: without a station that is present a client cannot take part, and nothing is remembered" {
    sed 's/^drop .*/& stations=1/; s/^client 8 .*/client 8 via 3 4/' the.topo >spare.topo
    hagg-plan -q spare.topo -o spare.plan
    run -5 --separate-stderr as client-7 hagg-share --state=s --plan spare.plan --missing 2 --client 7 --round 4 -o 'm-{}' v7.npy
    assert_equal "${stderr_lines[-1]}" "hagg-share: spare.plan: every station that client 7 reaches is missing: leave the client out, or start the round when one is available"
    run -1 bash -c 'ls m-* 2>/dev/null; hagg-inspect --state=s 2>/dev/null | grep "client 7"'
    assert_output ""
    as client-8 hagg-share --state=s --plan spare.plan --missing 3 --client 8 --round 4 -o 'm-{}' v8.npy
    run -0 bash -c 'echo m-*'
    assert_output "m-3 m-4"
    run -0 bash -c 'hagg-inspect m-4 | grep -c "station [1-5]"'
    refute_output 1
}

@test "a share that its courier has not passed on: the message names the courier" {
    run -5 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum station-3/*
    assert_message "station 3: the share of client 7, which station 2 passes on, is missing: let that station use --pass-on, or send no sum before all stations agree to leave the client out"
    assert_file_not_exists sum
}

@test "hagg-round refuses a plan with seeds and without identities" {
    grep -v identities the.plan >open.plan
    run -6 --separate-stderr hagg-round --emit make --round 5 --vectors 'v{}.npy' --length 11 --workdir w open.plan
    assert_equal "$stderr" "hagg-round: open.plan: seeds must be sealed: add a line identities FILE to the topology"
    assert_output ""
}

@test "hagg-audit --require accepts seeds only if computational privacy is enough" {
    run -6 --separate-stderr hagg-audit --require 'stations>=2 identities' the.plan
    assert_equal "$stderr" "hagg-audit: the.plan: is weaker than required: privacy=information-theoretic (has computational)"
    run -0 --separate-stderr hagg-audit --require 'stations>=2 privacy=computational' the.plan
    assert_line "required and met: stations>=2 (has 2), privacy=computational (has computational)"
}

@test "a client learns that its privacy is computational only, and can refuse that" {
    run -0 --separate-stderr as client-7 hagg-share --state="$HAGG_STATE-new" --again --client 7 --round 4 -o 'n-{}' v7.npy
    assert_equal "${stderr_lines[0]}" "hagg-share: the privacy of this client is computational only, because shares are sent as seeds: see 'Computational privacy' in hagg-topology(5)"
    run -6 --separate-stderr as client-7 hagg-share --state=s --no-seeds --client 7 --round 4 -o 'no-{}' v7.npy
    assert_equal "${stderr_lines[-1]}" "hagg-share: the.plan: shares are sent as seeds, so privacy is computational only: get another plan, or accept this one without --no-seeds"
    run -0 bash -c 'shopt -s nullglob; echo no-*'
    assert_output ""
    run -0 --separate-stderr as client-3 hagg-share --state="$HAGG_STATE-new" --again --no-seeds --client 3 --round 4 -o 'yes-{}' v3.npy
    assert_equal "$stderr" ""
}

@test "hagg-plan keeps the stations that are given for a client with a courier" {
    sed 's/^client 7 .*/client 7 via 2 shares 1 2 5/' the.topo >chosen.topo
    run -0 --separate-stderr hagg-plan -q chosen.topo
    assert_line "client 7 via 2 computational shares 1-2 5"
    sed 's/^client 7 .*/client 7 via 2 shares 1 2/' the.topo >few.topo # too few, so it chooses
    run -3 --separate-stderr hagg-plan -q few.topo
    assert_equal "$stderr" "hagg-plan: few.topo:8: 'shares': 2 stations are too few: 2 may collude and 0 may be missing, so at least 3 are needed"
}

@test "hagg-audit names every station that may be a courier" {
    printf '%s\n' "collude full clients=1 stations=2" "drop stations=1" "fallback computational" "stations 6" \
        "client 1-6 via 1-6" "client 7 via 1 2 shares 3-6" >miss.topo
    run -0 --separate-stderr hagg-audit miss.topo
    assert_line --regexp "^computational: client 7: against coalitions with .*couriers?, stations 1 and 2"
}

@test "a seed alone does not make a station write without end" {
    sed -i '/^length/d' the.topo
    printf '%s\n' "collude partial stations=1" "fallback computational" "stations 3" "client 1 2 via 1 2" \
        "client 3 via 1 shares 1 3" "identities ids.txt" >alone.topo
    hagg-plan --keep -q alone.topo -o alone.plan
    export HAGG_PLAN=alone.plan
    as client-3 hagg-share --quiet --again --client 3 --round 9 -o 'a-{}' v3.npy
    hagg-aggregate --pass-on --station 1 -o 'b-{}' a-1
    sealed_python '
header, payload = only("b-3")
header = {**header, "length": 2**40, "shape": [2**40]}
save("bad", header, sealed_by(["client", 3], header, opened(*only("b-3"))))'
    run -4 --separate-stderr as station-3 hagg-aggregate --station 3 -o sum bad
    assert_equal "${stderr_lines[-1]}" "hagg-aggregate: bad: record 1 (byte 0): is the seed of a vector of 1099511627776 elements, and no other record confirms this length: add a line length N to the topology"
    assert_file_not_exists sum
}
