#!/usr/bin/env bats
# What commands refuse where stations mask: masks that were used, sums without masks, totals that do
# not fit.

load common
load masks

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    write_masks partial
}

# Masked sums of all stations, and their totals.
run_round() {
    share_plainly 1 2 3 4 5 6
    make_masks 1 2 3 4 5
    mask_sums 5
    chain_masks 5
}

# --- keys and masks

@test "clients have no keys, and say none" {
    run -2 --separate-stderr hagg-keygen --client 1 --round 1 --length 2
    assert_equal "$stderr" "hagg-keygen: masks.plan: says masks stations, so clients have no keys: stations have masks, which --station makes"
    echo 1 >v.txt
    run -2 --separate-stderr hagg-share --client 1 --round 1 --key k --type i4 --format text -o s v.txt
    assert_equal "$stderr" "hagg-share: masks.plan: says masks stations, so clients have no keys: leave out --key"
    run -2 --separate-stderr hagg-keygen --client 1 --station 1 --round 1 --length 2
    assert_regex "$stderr" "say --client or --station, not both"
}

@test "where clients pad, stations have no masks" {
    run -2 --separate-stderr hagg-keygen --plan small.topo --station 1 --round 1 --length 2
    assert_equal "$stderr" "hagg-keygen: small.topo: does not say masks stations: clients have keys instead"
    run -2 --separate-stderr hagg-keygen --station 6 --round 1 --length 2
    assert_equal "$stderr" "hagg-keygen: masks.plan: has no station 6"
}

@test "masks of another station, round, plan or length" {
    share_plainly 1 2 3 4 5 6
    make_masks 1 2
    unchanged 4 hagg-aggregate --station 1 --masks m2.cbor --only shares -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: m2.cbor: record 1 (byte 0): mask is of station 2, this is station 1"
    hagg-keygen --station 1 --round 2 --length 2 -o later.cbor
    unchanged 4 hagg-aggregate --station 1 --masks later.cbor --only shares -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: station-1/client-1.cbor: round is 1, but later.cbor has 2"
    hagg-keygen --station 1 --round 1 --length 3 -o longer.cbor
    unchanged 4 hagg-aggregate --station 1 --masks longer.cbor --only shares -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: station-1/client-1.cbor: length is 2, but longer.cbor has 3"
    sed 's/clients=1/clients=2/' masks.plan >other.plan
    hagg-keygen --plan other.plan --station 1 --round 1 --length 2 -o other.cbor
    unchanged 4 hagg-aggregate --station 1 --masks other.cbor --only shares -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: other.cbor: record 1 (byte 0): mask was made under another plan than masks.plan"
    unchanged 4 hagg-aggregate --station 1 --masks station-1/client-1.cbor --only shares -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: station-1/client-1.cbor: record 1 (byte 0): is not a station's mask: make one with hagg-keygen --station"
}

@test "masks that are not all, or of two runs" {
    make_masks 1
    rewrite m1.cbor 'e = None if h["scheme"]["n"] == 5 else e'
    unchanged 4 hagg-aggregate --station 1 --masks m1.cbor --only masks -o total.cbor
    assert_equal "$stderr" "hagg-aggregate: m1.cbor: is not all of the station's masks: make them again, with hagg-keygen --station 1"
    make_masks 1
    cp m1.cbor first.cbor
    make_masks 1
    cat first.cbor m1.cbor >both.cbor
    unchanged 4 hagg-aggregate --station 1 --masks both.cbor --only masks -o total.cbor
    assert_regex "$stderr" "is of another run of hagg-keygen than those before it"
    cat first.cbor first.cbor >twice.cbor
    unchanged 4 hagg-aggregate --station 1 --masks twice.cbor --only masks -o total.cbor
    assert_regex "$stderr" "is a second mask for one pattern"
}

# --- one use

@test "the same sums again give the same, other sums are refused" {
    run_round
    hagg-aggregate --station 1 --masks m1.cbor --only shares -o again.cbor $(ls -r station-1/*.cbor)
    hagg-inspect --json again.cbor | grep -o '"digest.*' | sort >a
    hagg-inspect --json from-1.cbor | grep -o '"digest.*' | sort >b
    cmp a b
    cat station-1/*.cbor | hagg-aggregate --station 1 --masks m1.cbor --only shares -o again.cbor
    printf '%s\n' 5 5 | hagg-share --client 1 --round 1 --type i4 --format text -o "station-{}/client-1.cbor"
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor --only shares -o again.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: m1.cbor: station 1 has already masked other sums in round 1: begin a new round, in which clients share anew"
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor --only shares -o - station-1/*.cbor
}

@test "new masks in the same round, or a copy of the old ones, are for the same sums" {
    run_round
    cp m1.cbor copy.cbor
    unchanged 6 hagg-aggregate --station 1 --masks copy.cbor --only shares --clients 1-5 -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: copy.cbor: station 1 has already masked sums of other clients in round 1: begin a new round, in which clients share anew"
    # sums of clients 1 to 6 less sums of clients 1 to 5 are what client 6 alone has
    make_masks 1
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor --only shares --clients 1-5 -o from.cbor station-1/*.cbor
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor --only masks --clients 1-5 -o total.cbor
    hagg-aggregate --station 1 --masks m1.cbor --only shares -o again.cbor station-1/*.cbor
    run -1 cmp again.cbor from-1.cbor
    hagg-keygen --station 1 --round 2 --length 2 -o m1.cbor
    hagg-aggregate --station 1 --masks m1.cbor --only masks --clients 1-5 -o total.cbor
}

@test "a share of the wrong size does not spend the round" {
    share_plainly 1 2 3 4 5 6
    make_masks 1
    cp station-1/client-6.cbor short.cbor
    rewrite short.cbor 'e = e[:0]'
    unchanged 4 hagg-aggregate --station 1 --masks m1.cbor --only shares -o from.cbor station-1/client-[1-5].cbor short.cbor
    assert_equal "$stderr" "hagg-aggregate: m1.cbor: a mask has 2 elements, the sum has 0"
    hagg-aggregate --station 1 --masks m1.cbor --only shares -o from.cbor station-1/*.cbor
}

@test "sums and totals are of the same clients, always" {
    share_plainly 1 2 3 4 5 6
    make_masks 1 2 3 4 5
    mask_sums 5
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor --only masks --clients 1-5 -o total.cbor
    assert_equal "$stderr" "hagg-aggregate: m1.cbor: station 1 has already masked sums of other clients in round 1: begin a new round, in which clients share anew"
    ln -s m1.cbor link.cbor
    unchanged 6 hagg-aggregate --station 1 --masks link.cbor --only masks --clients 1-5 -o total.cbor
    unchanged 6 hagg-aggregate --station 1 --masks - --only masks --clients 1-5 -o total.cbor <m1.cbor
}

@test "a station all of whose clients are gone has no part in the total" {
    printf '%s\n' "collude partial stations=1" "masks stations" "stations 4" "client 1 2 via 1 2" \
        "client 3 via 3 4" >parts.plan
    HAGG_PLAN=parts.plan
    make_masks 3
    unchanged 5 hagg-aggregate --station 3 --masks m3.cbor --only masks --clients 1,2 -o total.cbor
    assert_equal "$stderr" "hagg-aggregate: no client that remains shares over station 3: it has no part in the total of the masks"
}

@test "the records of use have mode 0600" {
    run_round
    run -0 stat -c %a masks.station-1.round-1.*.used
    assert_output $'600\n600'
}

# --- nothing unmasked

@test "sums of a plan with masks leave masked, or not at all" {
    share_plainly 1 2 3 4 5 6
    unchanged 6 hagg-aggregate --station 1 -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: masks.plan: says masks stations, so no sum may leave unmasked: say --station and --masks, with masks from hagg-keygen"
    unchanged 6 hagg-aggregate -o from.cbor station-*/*.cbor
    HAGG_PLAN= unchanged 6 hagg-aggregate -o from.cbor station-1/*.cbor
    assert_regex "$stderr" "is of a plan with masks stations, which says what may leave unmasked: say --plan"
    run -2 --separate-stderr hagg-aggregate --masks m1.cbor station-1/*.cbor
    assert_regex "$stderr" "--masks needs --plan and --station"
}

@test "without the plan nobody hands on masks, or shares that are not masked" {
    run_round
    HAGG_PLAN= unchanged 6 hagg-aggregate --station 5 --only masks -o part.cbor total-4.cbor
    assert_equal "$stderr" "hagg-aggregate: total-4.cbor: record 1 (byte 0): is of a plan with masks stations, which says what may leave unmasked: say --plan"
    HAGG_PLAN= unchanged 6 hagg-aggregate -o part.cbor m1.cbor
    HAGG_PLAN= unchanged 6 hagg-transform --step contribute --holders 1-4 -k 4 -z 1 -o 'relay-{}.cbor' station-1/client-6.cbor
    assert_equal "$stderr" "hagg-transform: station-1/client-6.cbor: record 1 (byte 0): is of a plan with masks stations, which is not transformed: add it up with hagg-aggregate --masks"
    HAGG_PLAN= hagg-aggregate -o masked.cbor from-1.cbor
}

@test "a sum must hold all clients of its pattern" {
    share_plainly 1 2 3 4 5 6
    make_masks 1
    rm station-1/client-2.cbor
    unchanged 5 hagg-aggregate --station 1 --masks m1.cbor --only shares -o from.cbor station-1/*.cbor
    assert_regex "$stderr" "the share of the vector of client 2 has not come"
}

@test "nobody stands for other clients, who would be missing from the total" {
    share_plainly 1 2 3 4 5 6
    make_masks 1
    rm station-1/client-1.cbor
    rewrite station-1/client-2.cbor 'h["clients"] = [1, 2]'
    unchanged 4 hagg-aggregate --station 1 --masks m1.cbor --only shares -o from.cbor station-1/*.cbor
    assert_regex "$stderr" "comes from client 2 but claims to hold others"
    rewrite station-1/client-2.cbor 'del h["from"]'
    unchanged 4 hagg-aggregate --station 1 --masks m1.cbor --only shares -o from.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: station-1/client-2.cbor: record 1 (byte 0): is for station 1, but does not come from a client"
}

@test "masks and shares go to different places" {
    share_plainly 1 2 3 4 5 6
    make_masks 1
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor -o all.cbor station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: masks and shares go to different places: say --only masks or --only shares, or {} in -o"
    write_masks full
    rm -r station-*
    share_plainly 1 2 3 4 5 6
    make_masks 1
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor -o 'to-{}.cbor' station-1/*.cbor
    assert_equal "$stderr" "hagg-aggregate: masks and shares go to different places: say --only masks or --only shares"
    unchanged 6 hagg-aggregate --station 1 --masks m1.cbor --only masks -o all.cbor
    assert_equal "$stderr" "hagg-aggregate: shares of the masks go to different stations: say {} in -o, for the number of the station"
}

# --- totals

@test "the last station sends the total of all that mask" {
    make_masks 1 2 3 4 5
    unchanged 5 hagg-aggregate --station 5 --masks m5.cbor --only masks -o total.cbor
    assert_equal "$stderr" "hagg-aggregate: the masks of station 1 are not in their total, without which nothing could be decoded but much be learnt: add what has come from the other stations"
    hagg-aggregate --station 1 --masks m1.cbor --only masks -o total-1.cbor
    hagg-aggregate --station 2 --masks m2.cbor --only masks -o total-2.cbor total-1.cbor
    unchanged 4 hagg-aggregate --station 3 --masks m3.cbor --only masks -o total-3.cbor total-2.cbor total-2.cbor
    assert_regex "$stderr" "total-2.cbor: record 1 .byte 0.: holds masks of stations that are in the total already"
    unchanged 4 hagg-aggregate --station 3 --masks m3.cbor --only masks -o total-3.cbor total-1.cbor
    assert_regex "$stderr" "is for station 2, this is station 3"
}

@test "stations that disagree about the clients" {
    make_masks 1 2
    hagg-aggregate --station 1 --masks m1.cbor --only masks --clients 1-5 -o total-1.cbor
    unchanged 4 hagg-aggregate --station 2 --masks m2.cbor --only masks -o total-2.cbor total-1.cbor
    assert_regex "$stderr" "a total of masks is for sums without client 6: agree on the clients"
}

@test "under full collusion a station adds up the shares of all that mask" {
    write_masks full
    make_masks 1 2 3 4 5
    share_masks 5
    unchanged 5 hagg-aggregate --station 2 --only masks -o total.cbor for-2/masks-[1-4].cbor
    assert_regex "$stderr" "the masks of station 5 are not in their total"
    unchanged 2 hagg-aggregate --station 2 --masks m2.cbor --only masks -o 'total-{}.cbor' for-2/*.cbor
    assert_equal "$stderr" "hagg-aggregate: shares of masks have come from stations: add them up in a run without --masks"
}

@test "under full collusion no station speaks for others, who would then be alone in the total" {
    write_masks full
    make_masks 4 5
    hagg-aggregate --station 4 --masks m4.cbor --only masks -o 'for-{}/masks-4.cbor'
    hagg-aggregate --station 5 --masks m5.cbor --only masks -o 'for-{}/masks-5.cbor'
    rewrite for-2/masks-5.cbor 'h["stations"] = [1, 3, 5, 5]; e[:] = 0'
    unchanged 4 hagg-aggregate --station 2 --only masks -o total.cbor for-2/*.cbor
    assert_equal "$stderr" "hagg-aggregate: for-2/masks-5.cbor: record 1 (byte 0): is a share of other masks than those of the station it comes from"
    rewrite for-2/masks-5.cbor 'h["stations"] = [5, 5]; del h["from"]'
    unchanged 4 hagg-aggregate --station 2 --only masks -o total.cbor for-2/*.cbor
    assert_regex "$stderr" "is a share of other masks than those of the station it comes from"
}

@test "all shares of the total are of the masks of the same stations" {
    write_masks full
    share_plainly 1 2 3 4 5 6
    make_masks 1 2 3 4 5
    mask_sums 5
    share_masks 5
    for u in 1 2 3 4 5; do
        rewrite total-$u.cbor 'del h["masks"]'
    done
    rewrite total-3.cbor 'h["stations"] = [1, 4]'
    unchanged 4 hagg-decode --format text from-*.cbor total-*.cbor
    assert_equal "$stderr" "hagg-decode: total-3.cbor: holds a share of other masks than total-1.cbor"
}

@test "the federator needs the total of the masks, and the right one" {
    run_round
    unchanged 5 hagg-decode --format text from-*.cbor
    assert_equal "$stderr" "hagg-decode: the masks are missing: their total comes from the last station of the chain"
    HAGG_PLAN= unchanged 5 hagg-decode --format text from-*.cbor
    unchanged 6 hagg-decode --format text from-*.cbor total-4.cbor
    assert_regex "$stderr" "holds masks on their way to station 5: only their total may come here"
    unchanged 6 hagg-decode --format text from-*.cbor total-5.cbor m1.cbor
    assert_regex "$stderr" "m1.cbor: record 1 .byte 0.: is what a station masks with"
    cp total-5.cbor less.cbor
    rewrite less.cbor 'h["stations"] = [1, 4]'
    unchanged 4 hagg-decode --format text from-*.cbor less.cbor
    assert_equal "$stderr" "hagg-decode: less.cbor: station 5 has masked sums, but is not in the total of the masks: get the total from the last station again"
    make_masks 1 2 3 4 5
    chain_masks 5
    unchanged 4 hagg-decode --format text from-*.cbor total-5.cbor
    assert_equal "$stderr" "hagg-decode: total-5.cbor: is a total of other masks than those in the sums: a station has used masks of two runs of hagg-keygen"
    make_masks 1 2 3 4 5
    rm masks.station-*.used
    chain_masks 5 --clients 1-5
    unchanged 4 hagg-decode --format text from-*.cbor total-5.cbor
    assert_regex "$stderr" "client 6 is in the shares but not in the masks"
}

@test "sums that a station did not mask do not get through a relay" {
    write_relayed partial
    rm -rf station-*
    share_plainly 1 2 3 4
    hagg-inspect --json station-1/client-1.cbor >/dev/null
    cp station-1/client-1.cbor bare.cbor
    rewrite bare.cbor 'h["route"] = h["route"][1:]; h["from"] = ["station", 1]; h["to"] = ["relay", 1]'
    unchanged 6 hagg-aggregate --relay 1 -o from.cbor bare.cbor
    assert_regex "$stderr" "was not masked by its station: use hagg-aggregate --masks there"
}

@test "masks that end early, are empty, or declare more than their pattern has" {
    share_plainly 1 2 3 4 5 6
    make_masks 1
    : >empty.cbor
    head -c 70 m1.cbor >short.cbor
    "$HAGG_PYTHON" - m1.cbor <<'END'
import sys

data = open(sys.argv[1], "rb").read()
# the first typed array of 32-bit numbers: its length, of one byte, becomes one of 2^34
at = data.index(b"\xd8\x46") + 2
open("huge.cbor", "wb").write(data[:at] + b"\x5b" + (1 << 34).to_bytes(8, "big") + data[at + 1:])
END
    for file in empty short huge; do
        run -3 --separate-stderr hagg-aggregate --station 1 --masks $file.cbor --only shares \
            station-1/*.cbor -o out.cbor
        assert_regex "$stderr" "^hagg-aggregate: $file.cbor: .*(is empty|ends too early|has 4294967296 elements, not)"
        assert_not_exist out.cbor
    done
}
