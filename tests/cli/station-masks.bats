#!/usr/bin/env bats
# Rounds with masks of stations, as docs/station-masks.md and hagg-aggregate(1) describe them.

load common
load masks

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# --- whole rounds

@test "partial collusion: masked sums and the total along the stations give the sum" {
    write_masks partial
    share_plainly 1 2 3 4 5 6
    make_masks 1 2 3 4 5
    mask_sums 5
    chain_masks 5
    run -0 --separate-stderr hagg-decode --format text from-*.cbor total-5.cbor
    assert_output $'91\n-210'
    assert_equal "$stderr" "hagg-decode: total of 6 clients: 1-6"
}

@test "full collusion: shares of the totals among the stations give the sum" {
    write_masks full
    share_plainly 1 2 3 4 5 6
    make_masks 1 2 3 4 5
    mask_sums 5
    share_masks 5
    run -0 --separate-stderr hagg-decode --format text from-*.cbor total-*.cbor
    assert_output $'91\n-210'
    assert_equal "$stderr" "hagg-decode: total of 6 clients: 1-6"
}

@test "relays: sums are masked before them, and the total passes one" {
    write_relayed partial
    share_plainly 1 2 3 4
    make_masks 1 2 3 4
    mask_sums 4
    chain_masks 4
    mv total-4.cbor relay-1/
    for m in 1 2 3 4; do
        hagg-aggregate --relay $m -o from-relay-$m.cbor relay-$m/*.cbor
    done
    run -0 hagg-inspect --json from-relay-2.cbor
    assert_json 'sorted((line["of"], line["clients"], line["stations"]) for line in lines if "of" in line) == [("masked", [[1, 3]], [[2, 3]]), ("masked", [[4, 4]], [[2, 2]])]'
    run -0 --separate-stderr hagg-decode --format text from-relay-*.cbor
    assert_output $'30\n-100'
}

@test "relays under full collusion, where a station has two places" {
    write_relayed full
    share_plainly 1 2 3 4
    make_masks 1 2 3 4
    mask_sums 4
    share_masks 4
    for u in 1 2 3 4; do
        mv total-$u.cbor relay-1/
    done
    for m in 1 2 3 4; do
        hagg-aggregate --relay $m -o from-relay-$m.cbor relay-$m/*.cbor
    done
    run -0 --separate-stderr hagg-decode --format text from-relay-*.cbor
    assert_output $'30\n-100'
}

@test "floats and samples: the mean" {
    write_masks full "quantize bits=16 clip=1.0
samples"
    for i in 1 2 3 4 5 6; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, (5, 10))"
        hagg-share --client $i --round 1 --samples $((10 * i)) -o "station-{}/client-$i.cbor" grad$i.npy
    done
    for u in 1 2 3 4 5; do
        hagg-keygen --station $u --round 1 --length 50 -o m$u.cbor
    done
    mask_sums 5
    share_masks 5
    run -0 --separate-stderr hagg-decode --mean -o mean.npy from-*.cbor total-*.cbor
    assert_regex "$stderr" "of 210 samples"
    assert_numpy "np.abs(load('mean.npy') - sum(np.rint(load(f'grad{i}.npy') * 32767) for i in range(1, 7)) / 32767 / 210).max() < 1e-12"
}

@test "one pattern: no masks, and the sums say so" {
    printf '%s\n' "collude full clients=1 stations=1" "masks stations" "stations 3" "client 1-4 via 1-3" >one.plan
    export HAGG_PLAN=one.plan
    share_plainly 1 2 3 4
    for u in 1 2 3; do
        hagg-aggregate --station $u -o from-$u.cbor station-$u/*.cbor
    done
    run -0 hagg-inspect --json from-1.cbor
    assert_json 'lines[0]["of"] == "plain" and "stations" not in lines[0]'
    run -0 --separate-stderr hagg-decode --format text from-*.cbor
    assert_output $'30\n-100'
    run -2 --separate-stderr hagg-keygen --station 1 --round 1 --length 2 -o m1.cbor
    assert_equal "$stderr" "hagg-keygen: one.plan: all clients share alike, so the federator sees their sum only and no masks are needed"
}

@test "after a dropout, a pattern that is gone is not masked" {
    write_masks partial
    share_plainly 1 2 3 4 5
    make_masks 1 2 3 4 5
    mask_sums 5 --clients 1-5
    chain_masks 5 --clients 1-5
    run -0 hagg-inspect --json from-1.cbor total-5.cbor
    assert_json 'len(lines) == 5 and lines[3]["clients"] == [[1, 5]] and lines[3]["stations"] == [[1, 5]]'
    run -0 --separate-stderr hagg-decode --format text from-*.cbor total-5.cbor
    assert_output $'55\n-150'
}

@test "a station that no client shares over is left out of the chain" {
    printf '%s\n' "collude partial stations=1" "masks stations" "stations 4" "client 1 2 via 1 2" \
        "client 3 4 via 2 4" >gap.plan
    export HAGG_PLAN=gap.plan
    share_plainly 1 2 3 4
    make_masks 1 2 4
    run -2 --separate-stderr hagg-keygen --station 3 --round 1 --length 2 -o m3.cbor
    assert_equal "$stderr" "hagg-keygen: gap.plan: no client shares over station 3, so it needs no masks"
    for u in 1 2 4; do
        hagg-aggregate --station $u --masks m$u.cbor --only shares -o from-$u.cbor station-$u/*.cbor
    done
    hagg-aggregate --station 1 --masks m1.cbor --only masks -o total-1.cbor
    hagg-aggregate --station 2 --masks m2.cbor --only masks -o total-2.cbor total-1.cbor
    run -0 hagg-inspect --json total-2.cbor
    assert_json 'lines[0]["to"] == ["station", 4] and lines[0]["stations"] == [[1, 2]]'
    hagg-aggregate --station 4 --masks m4.cbor --only masks -o total-4.cbor total-2.cbor
    run -0 --separate-stderr hagg-decode --format text from-*.cbor total-4.cbor
    assert_output $'30\n-100'
}

@test "masks and shares through pipes, in one run" {
    write_masks partial
    share_plainly 1 2 3 4 5 6
    make_masks 2 3 4 5
    hagg-keygen --station 1 --round 1 --length 2 | hagg-aggregate --station 1 --masks - \
        -o 'run-{}.cbor' station-1/*.cbor
    mv run-1.cbor from-1.cbor
    for u in 2 3 4; do
        cat station-$u/*.cbor run-$u.cbor | hagg-aggregate --station $u --masks m$u.cbor -o 'run-{}.cbor'
        mv run-1.cbor from-$u.cbor
    done
    hagg-aggregate --station 5 --masks m5.cbor -o from-5.cbor station-5/*.cbor run-5.cbor
    run -0 --separate-stderr hagg-decode --format text from-*.cbor
    assert_output $'91\n-210'
}

@test "the total may go through another relay" {
    write_relayed partial
    make_masks 1 2 3 4
    chain_masks 3
    hagg-aggregate --station 4 --masks m4.cbor --only masks --via 3 -o 'relay-{}.cbor' total-3.cbor
    run -0 hagg-inspect --json relay-3.cbor
    assert_json 'lines[0]["to"] == ["relay", 3] and lines[0]["from"] == ["station", 4]'
}

@test "what was sent is what hagg-cost says of the plan" {
    write_masks full
    share_plainly 1 2 3 4 5 6
    make_masks 1 2 3 4 5
    mask_sums 5
    share_masks 5
    run -0 --separate-stderr hagg-cost --measure --plan masks.plan --format json station-* from-* for-* total-*
    # shares of two elements in one, two or three parts have 2, 1 and 1
    assert_json '{(k["from"], k["to"], k["carries"]): k["symbols"] for k in lines[0]["links"]} == {("client", "station", "vectors"): 4 * 4 + 5 + 3 * 2, ("station", "station", "masks"): 5 * 4, ("station", "federator", "vectors"): 3 * 4 + 5 + 3 * 2, ("station", "federator", "masks"): 5}'
    assert_json 'lines[0]["differences"] == []'
    run -0 --separate-stderr hagg-cost --only plan --format json masks.plan
    assert_output --partial '95/3'
}

# --- planning

@test "the plans of the paper's example, and what they cost" {
    write_masks full
    unset HAGG_PLAN
    run -0 --separate-stderr hagg-plan --keep masks.plan
    assert_regex "$stderr" "cost 95/3 = 31.667 times the vector: clients to stations 38/3 = 12.667, station to station 20/3 = 6.667, stations to federator 37/3 = 12.333"
    run -0 --separate-stderr hagg-plan masks.plan
    assert_regex "$stderr" "cost 88/3 = 29.333 times the vector"
    assert_regex "$stderr" "proved: no other sets cost less"
    assert_regex "$stderr" "private whichever clients collude or are missing"
    write_masks partial
    unset HAGG_PLAN
    run -0 --separate-stderr hagg-plan --keep masks.plan
    assert_regex "$stderr" "cost 85/3 = 28.333 times the vector"
    run -0 --separate-stderr hagg-plan masks.plan
    assert_regex "$stderr" "cost 26 times the vector"
    assert_regex "$stderr" "proved: no other sets cost less"
}

@test "ten thousand clients: 1.13 n against 2.13 n" {
    { echo "collude partial stations=3"; echo "stations 100"
      for g in 0 1 2 3; do
          echo "client $((2500 * g + 1))-$((2500 * g + 2500)) via $((24 * g + 1))-$((24 * g + 28))"
      done; } >many.topo
    run -0 --separate-stderr hagg-plan --keep many.topo -o many.plan
    assert_regex "$stderr" "cost 532612/25 = 21304.480 times"
    { cat many.topo; echo "masks stations"; } >masks.topo
    run -0 --separate-stderr hagg-plan --keep masks.topo -o masks.plan
    assert_regex "$stderr" "cost 282612/25 = 11304.480 times"
}

@test "auto takes the cheaper one and says why" {
    write_masks full
    unset HAGG_PLAN
    grep -v masks masks.plan >plain.topo
    run -0 --separate-stderr hagg-plan --masks auto plain.topo -o auto.plan
    assert_regex "$stderr" "station masks: 88/3 = 29.333 against 44 with client keys"
    run -0 grep -c "^masks stations" auto.plan
    run -0 --separate-stderr hagg-plan --masks clients masks.plan -o clients.plan
    run -1 grep masks clients.plan
    # three clients share less among themselves than nineteen stations do
    printf '%s\n' "collude full stations=1" "stations 19" "client 1 via 1-10" "client 2 via 1-19" \
        "client 3 via 10-19" >few.topo
    run -0 --separate-stderr hagg-plan --masks auto few.topo -o few.plan
    assert_regex "$stderr" "client keys: 100/9 = 11.111 against 461/18 = 25.611 with station masks"
    run -1 grep masks few.plan
    printf '%s\n' "collude partial stations=1" "drop stations=1" "stations 4" "client 1-4 via 1-4" >drop.topo
    run -0 --separate-stderr hagg-plan --masks auto drop.topo -o drop.plan
    assert_regex "$stderr" "client keys: drop.topo: with masks of stations no station may be missing"
    run -3 --separate-stderr hagg-plan --masks stations drop.topo
    assert_equal "$stderr" "hagg-plan: drop.topo: with masks of stations no station may be missing, for masks would stay in the sum: leave out drop stations, or say masks clients"
}

@test "masks where no plan with keys is private" {
    printf '%s\n' "collude full clients=2 stations=1" "minimum 2" "stations 6" "client 1 2 via 1-3" \
        "client 3 4 via 4-6" >apart.topo
    run -6 --separate-stderr hagg-plan apart.topo
    run -0 --separate-stderr hagg-plan --masks auto apart.topo -o apart.plan
    assert_regex "$stderr" "station masks: apart.topo: "
    run -0 grep -c "^masks stations" apart.plan
}
