#!/usr/bin/env bats
# hagg-seal and hagg-open: any file, from one node to another.

load common

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    printf '%s\n' "collude full stations=1" "stations 3" "identities two.ids" "client 1 2 via 1-3" >two.topo
    {
        hagg-keygen --identity '{tier}-{}.pem' --clients 1-2
        hagg-keygen --identity '{tier}-{}.pem' --stations 1-3
        hagg-keygen --identity federator.pem --federator
    } >two.ids
    hagg-plan -q two.topo -o two.plan
    sed '/^identities/d' two.plan >bare.plan
    head -c 3000000 /dev/urandom >big
    HAGG_PLAN=two.plan hagg-seal --identity client-1.pem --to station=2 -o big.sealed big
}

setup() {
    cp -r "$BATS_FILE_TMPDIR"/*.{pem,ids,plan,sealed} "$BATS_FILE_TMPDIR/big" "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    export HAGG_PLAN=two.plan
}

# cut_parts FILE: writes the records of FILE to part-0, part-1, ...
cut_parts() {
    "$HAGG_PYTHON" -c '
import re, sys
data = open(sys.argv[1], "rb").read()
starts = [m.start() for m in re.finditer(b"\xdaHAGG\x83[\xa7\xa8]", data)] + [len(data)]
for i, (a, b) in enumerate(zip(starts, starts[1:])):
    open(f"part-{i}", "wb").write(data[a:b])' "$1"
}

# refuses STATUS MESSAGE ARGUMENT...: hagg-open fails and leaves no output
refuses() {
    run -"$1" --separate-stderr hagg-open "${@:3}" -o out
    assert_equal "$stderr" "hagg-open: $2"
    assert_output ""
    assert_not_exist out
}

@test "a file arrives as it was, and its sender is printed" {
    run -0 --separate-stderr hagg-open --identity station-2.pem -o out big.sealed
    assert_equal "$stderr" "hagg-open: 3000000 bytes from client 1"
    cmp big out
    assert_equal "$(stat -c %a out)" 600
}

@test "as filters, for lengths around those of chunks and parts" {
    local n

    export HAGG_IDENTITY=client-1.pem
    for n in 0 1 65535 65536 65537 1048575 1048576 1048577; do
        head -c "$n" big >in
        hagg-seal --to federator <in | hagg-open --identity federator.pem --from client=1 >out
        cmp in out
    done
}

@test "a node can seal a file to itself" {
    echo note | hagg-seal --identity station-3.pem --to station=3 >note.sealed
    run -0 --separate-stderr hagg-open --identity station-3.pem --from station=3 note.sealed
    assert_output note
    assert_equal "$stderr" ""
}

@test "nothing of the content is in the sealed file" {
    head -c 200 big >small
    hagg-seal --identity client-1.pem --to station=2 -o small.sealed small
    run -0 "$HAGG_PYTHON" -c 'small, sealed = open("small", "rb").read(), open("small.sealed", "rb").read()
print(any(small[i:i + 4] in sealed for i in range(len(small) - 3)))'
    assert_output False
}

@test "the same file is never sealed to the same bytes" {
    hagg-seal --identity client-1.pem --to station=2 -o again.sealed big
    run -1 cmp -s big.sealed again.sealed
}

@test "only the receiver opens it" {
    refuses 6 "big.sealed: record 1 (byte 0): is sealed to station 2, but this is station 3" \
        --identity station-3.pem big.sealed
    refuses 6 "big.sealed: record 1 (byte 0): is sealed to station 2, but this is client 1" \
        --identity client-1.pem big.sealed
}

@test "--from refuses other senders" {
    refuses 6 "big.sealed: record 1 (byte 0): is from client 1, not from client 2" \
        --identity station-2.pem --from client=2 big.sealed
}

@test "--round refuses other rounds" {
    echo total | hagg-seal --identity federator.pem --to client=1 --round 7 >total.sealed
    run -0 hagg-open --identity client-1.pem --from federator --round 7 total.sealed
    assert_output total
    refuses 6 "total.sealed: record 1 (byte 0): was sealed in round 7, but this is round 8: get the record of this round" \
        --identity client-1.pem --round 8 total.sealed
}

@test "another plan with the same identities refuses it" {
    { echo "length 7" && cat two.plan; } >other.plan
    refuses 6 "big.sealed: record 1 (byte 0): was sealed under a different plan than other.plan: get the record of this plan" \
        --plan other.plan --identity station-2.pem big.sealed
}

@test "a missing, repeated or moved part, or one of another file, is refused" {
    local get="get the file again from its sender"

    cut_parts big.sealed
    assert_exist part-2
    assert_not_exist part-3
    cat part-0 part-1 >cut
    refuses 6 "cut: ends before the last part of the file: get it again from its sender" --identity station-2.pem cut
    cat part-0 part-2 >hole
    run -6 --separate-stderr hagg-open --identity station-2.pem -o out hole
    assert_regex "$stderr" "is part 2 of its file, but part 1 is expected: $get\$"
    cat part-0 part-0 part-1 part-2 >twice
    run -6 --separate-stderr hagg-open --identity station-2.pem -o out twice
    assert_regex "$stderr" "is part 0 of its file, but part 1 is expected: $get\$"
    refuses 6 "part-1: record 1 (byte 0): is part 1 of its file, but part 0 is expected: $get" --identity station-2.pem part-1
    hagg-seal --identity client-1.pem --to station=2 -o again.sealed big
    cp part-0 first
    cut_parts again.sealed
    cat first part-1 part-2 >mixed
    run -6 --separate-stderr hagg-open --identity station-2.pem -o out mixed
    assert_regex "$stderr" "belongs to another file\$"
    cat again.sealed again.sealed >double
    run -6 --separate-stderr hagg-open --identity station-2.pem -o out double
    assert_regex "$stderr" "belongs to another file\$"
    assert_not_exist out
}

@test "a pipe that ends early is an error, after authentic bytes only" {
    head -c 2000000 big.sealed | hagg-open --identity station-2.pem --from client=1 >out 2>message && false
    assert_equal "$(cat message)" "hagg-open: standard input: record 2 (byte 1049020): ends too early, in its payload: get it again"
    cmp -n "$(stat -c %s out)" big out
}

@test "input that is not sealed, and records of a round" {
    cp "$VECTORS/good/data-one-part.cbor" plain 2>/dev/null || cp "$VECTORS/good/share-minimal.cbor" plain
    run -6 --separate-stderr hagg-open --identity station-2.pem -o out plain
    assert_regex "$stderr" "is not sealed, but the nodes of two.plan have identities: get it sealed from its sender\$"
    echo text >text
    refuses 3 "text: is not a hagg file" --identity station-2.pem text
    : >empty
    refuses 3 "empty: is empty: it contains no record" --identity station-2.pem empty
    printf '%s\n' 1 2 >v.txt
    hagg-share --identity client-1.pem --client 1 --round 1 --type i4 -o 'share-{}' v.txt
    refuses 4 "share-2: record 1 (byte 0): is a share, not a file: the commands of a round open it themselves" \
        --identity station-2.pem share-2
    run -4 --separate-stderr hagg-aggregate --identity station-2.pem --station 2 big.sealed
    assert_equal "$stderr" "hagg-aggregate: big.sealed: record 1 (byte 0): is part of a file, not of a vector: open it with hagg-open"
}

@test "usage errors" {
    run -2 --separate-stderr hagg-seal --identity client-1.pem
    assert_regex "$stderr" "^hagg-seal: --to and --plan \(or HAGG_PLAN\) are required"
    run -2 --separate-stderr hagg-seal --identity client-1.pem --to satellite=1
    assert_regex "$stderr" "^hagg-seal: --to must be client=NUMBER, station=NUMBER, relay=NUMBER or federator, not 'satellite=1'"
    run -2 --separate-stderr hagg-seal --identity client-1.pem --to client=0
    assert_regex "$stderr" "^hagg-seal: --to must be a number from 1 to 4294967295, not '0'"
    run -2 --separate-stderr hagg-seal --identity client-1.pem --to station=1 a b
    assert_regex "$stderr" "^hagg-seal: one file is sealed at a time"
    run -2 --separate-stderr hagg-open --identity client-1.pem a b
    assert_regex "$stderr" "^hagg-open: one file is opened at a time"
    run -2 --separate-stderr hagg-open big.sealed
    assert_equal "$stderr" "hagg-open: two.plan: has identities, so records are sealed: give the private key of the node with --identity (or HAGG_IDENTITY)"
    run -2 --separate-stderr hagg-seal --plan bare.plan --identity client-1.pem --to station=1 big
    assert_equal "$stderr" "hagg-seal: bare.plan: has no identities, so nothing can be sealed: add an identities line to the topology"
    run -2 --separate-stderr hagg-seal --identity '{tier}-{}.pem' --to station=1 big
    assert_equal "$stderr" "hagg-seal: {tier}-{}.pem: names several private keys: name one"
}

@test "a receiver that is not in the plan" {
    run -6 --separate-stderr hagg-seal --identity client-1.pem --to station=9 -o out big
    assert_equal "$stderr" "hagg-seal: out: cannot be sealed: two.ids has no key of station 9"
    assert_not_exist out
}

@test "an output that exists stays as it is if the input is refused" {
    echo old >out
    run -6 hagg-open --identity station-3.pem -o out big.sealed
    assert_equal "$(cat out)" old
}

@test "a full device is an error" {
    run -1 --separate-stderr hagg-seal --identity client-1.pem --to station=2 -o /dev/full big
    assert_equal "$stderr" "hagg-seal: /dev/full: No space left on device"
    run -1 --separate-stderr hagg-open --identity station-2.pem -o /dev/full big.sealed
    assert_equal "$stderr" "hagg-open: /dev/full: No space left on device"
}
