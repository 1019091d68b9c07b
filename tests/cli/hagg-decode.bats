#!/usr/bin/env bats
# hagg-decode, as hagg-decode(1) describes it.

load common

TOOL=hagg-decode
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# plain N FILE NUMBERS OPTION...: shares integers without a plan, 2 of N shares decode.
plain() {
    printf '%s\n' $3 | hagg-share -n "$1" -k 2 -z 1 --type i4 --format text -o "$2" "${@:4}"
}

# Three clients share.
share_three() {
    local i

    export HAGG_PLAN=small.topo
    for i in 1 2 3; do
        share_ints $i $i ${i}0 ${i}00
    done
}

# Sums over three clients, and the total of their keys.
three_sums() {
    share_three
    add_stations "$@"
}

# share_among STATIONS MISSING: three clients share among so many stations, of which some may be missing.
share_among() {
    printf '%s\n' "collude partial stations=1" "drop stations=$2" "stations $1" "client 1-3 via 1-$1" \
        "protocol keys" >small.topo
    share_three
}

# sum_up STATIONS NAME: stations add up their shares, to NAME-U.cbor, and the first one the keys.
sum_up() {
    local u

    for ((u = 1; u <= $1; u++)); do
        hagg-aggregate --only shares -o $2-$u.cbor station-$u/*.cbor
    done
    hagg-aggregate --only keys -o keys-$2.cbor station-1/*.cbor
}

# --- totals

@test "the total of three clients" {
    three_sums
    run -0 --separate-stderr hagg-decode --format text from-?.cbor keys-3.cbor
    assert_output $'6\n60\n600'
    assert_message "round 1: total of 3 clients: 1-3"
}

@test "files may be in any order, concatenated, and piped" {
    three_sums
    run -0 --separate-stderr hagg-decode -q --format text keys-3.cbor from-3.cbor from-1.cbor from-2.cbor
    assert_output $'6\n60\n600'
    piped() {
        cat from-2.cbor keys-3.cbor from-1.cbor from-3.cbor | hagg-decode -q --format text "$@"
    }
    run -0 --separate-stderr piped
    assert_output $'6\n60\n600'
    run -0 --separate-stderr piped -
    assert_output $'6\n60\n600'
}

@test "the name of the output chooses the format, unless --format is given" {
    three_sums
    hagg-decode -q -o total.txt from-?.cbor keys-3.cbor
    assert_equal "$(cat total.txt)" $'6\n60\n600'
    hagg-decode -q -o total from-?.cbor keys-3.cbor
    hagg-decode -q --format npy -o npy.txt from-?.cbor keys-3.cbor
    cmp total npy.txt
    assert_equal "$(head -c 6 total | tail -c 5)" NUMPY
}

@test "--quiet prints nothing" {
    three_sums
    run -0 --separate-stderr hagg-decode -q --format text from-?.cbor keys-3.cbor
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-decode --quiet --format text from-?.cbor keys-3.cbor
    assert_equal "$stderr" ""
}

@test "several patterns are decoded and added" {
    cat >small.topo <<END
collude  partial stations=1
stations 3
client   1 via 1-3
client   2 via 1 3
client   3 via 2-3
protocol keys
END
    three_sums
    run -0 --separate-stderr hagg-decode --format text from-?.cbor keys-3.cbor
    assert_output $'6\n60\n600'
    assert_message "round 1: total of 3 clients: 1-3"
}

@test "quantised vectors, and the error bound of the total" {
    for i in 1 2 3; do
        npy v$i.npy "np.random.default_rng($i).uniform(-1, 1, (4, 5)).astype('f4')"
        make_key $i 20
        hagg-share --plan small.topo --client $i --round 1 --key key-$i.cbor \
            -o "station-{}/client-$i.cbor" v$i.npy
    done
    add_stations
    export HAGG_PLAN=small.topo
    run -0 --separate-stderr hagg-decode -o sum.npy from-?.cbor keys-3.cbor
    assert_equal "$stderr" "hagg-decode: round 1: total of 3 clients: 1-3
hagg-decode: the quantisation error is at most 4.58e-05"
    assert_output ""
    assert_numpy 'load("sum.npy").dtype == "f4" and load("sum.npy").shape == (4, 5)'
    assert_numpy 'np.abs(load("sum.npy") - sum(load(f"v{i}.npy").astype("f8") for i in (1, 2, 3))).max() < 4.6e-5'
    assert_numpy 'np.array_equal(load("sum.npy"), (sum(np.rint(load(f"v{i}.npy").astype("f8") * 32767)
        for i in (1, 2, 3)) * (1 / 32767)).astype("f4"))'
}

@test "the mean over clients" {
    three_sums
    hagg-decode -q --mean -o mean.npy from-?.cbor keys-3.cbor
    assert_numpy 'load("mean.npy").dtype == "f8" and (load("mean.npy") == [2, 20, 200]).all()'
    run -0 --separate-stderr hagg-decode -q --mean --type f4 -o mean.npy from-?.cbor keys-3.cbor
    assert_numpy 'load("mean.npy").dtype == "f4" and (load("mean.npy") == [2, 20, 200]).all()'
}

@test "the mean over samples" {
    echo samples >>small.topo
    for i in 1 2 3; do
        printf '%s\n' $((i * 7)) $i >v$i.txt
        make_key $i 2
        hagg-share --plan small.topo --client $i --round 1 --key key-$i.cbor --type i4 \
            --format text --samples $((i + 2)) -o "station-{}/client-$i.cbor" v$i.txt
    done
    add_stations
    export HAGG_PLAN=small.topo
    run -0 --separate-stderr hagg-decode --mean -o mean.npy from-?.cbor keys-3.cbor
    assert_equal "$stderr" "hagg-decode: round 1: total of 3 clients: 1-3
hagg-decode: of 12 samples"
    assert_numpy '(load("mean.npy") == [42 / 12, 6 / 12]).all()'
    # the sample count is not printed as an element of the sum
    run -0 --separate-stderr hagg-decode -q --format text from-?.cbor keys-3.cbor
    assert_output $'42\n6'
}

@test "--threads changes nothing in the output" {
    npy v.npy 'np.random.default_rng(1).integers(-1000, 1000, 300001)'
    hagg-share -n 5 -k 3 -z 1 -o s.cbor v.npy
    for threads in 1 2 3; do
        hagg-decode --threads $threads -o t$threads.npy s.cbor
    done
    run -0 cmp t1.npy t2.npy
    run -0 cmp t1.npy t3.npy
    assert_numpy 'np.array_equal(load("t1.npy"), load("v.npy"))'
}

# --- types and formats

@test "types and shapes are preserved" {
    for type in i1 i2 i4 i8 u1 u2 u4 u8; do
        npy v.npy "np.arange(24, dtype='$type').reshape(2, 3, 4)"
        hagg-share -n 3 -k 2 -z 1 -o s.cbor v.npy
        run -0 --separate-stderr hagg-decode -o out.npy s.cbor
        assert_numpy "load('out.npy').dtype == '$type' and np.array_equal(load('out.npy'), load('v.npy'))"
    done
    for type in f4 f8; do
        npy v.npy "np.array(0.5, dtype='$type')"
        hagg-share -n 3 -k 2 -z 1 --quantize bits=2,clip=0.5 -o s.cbor v.npy
        hagg-decode -q -o out.npy s.cbor
        assert_numpy "load('out.npy').dtype == '$type' and load('out.npy').shape == () and load('out.npy') == 0.5"
    done
}

@test "a sum that does not fit its type is an error that names the index" {
    npy v.npy 'np.array([1, 100, 200], dtype="u1")'
    for i in 1 2; do
        hagg-share -n 3 -k 2 -z 1 --client $i -o s$i.cbor v.npy
    done
    hagg-aggregate -o sum.cbor s1.cbor s2.cbor
    unchanged 4 hagg-decode -o out.npy sum.cbor
    assert_message "element 2 of the sum does not fit type u1: use --type i8"
    run -0 --separate-stderr hagg-decode -q --type i8 -o out.npy sum.cbor
    assert_numpy 'load("out.npy").dtype == "i8" and (load("out.npy") == [2, 200, 400]).all()'
    run -0 --separate-stderr hagg-decode -q --type u2 -o out.npy sum.cbor
    assert_numpy 'load("out.npy").dtype == "u2" and (load("out.npy") == [2, 200, 400]).all()'
    plain 3 neg.cbor "5 -1"
    unchanged 4 hagg-decode --type u4 -o out.npy neg.cbor
    assert_message "element 1 of the sum does not fit type u4: use --type i8"
}

@test "types that cannot represent the result" {
    echo 0.5 | hagg-share -n 3 -k 2 -z 1 --quantize bits=8,clip=1 -o q.cbor
    unchanged 2 hagg-decode --type i4 -o out.npy q.cbor
    assert_message "type i4 cannot represent quantised values: use f4 or f8"
    plain 3 s.cbor "1 2" --client 1
    plain 3 t.cbor "1 2" --client 2
    hagg-aggregate -o sum.cbor s.cbor t.cbor
    unchanged 2 hagg-decode --mean --type i4 -o out.npy sum.cbor
    assert_message "type i4 cannot represent a mean: use f4 or f8"
}

@test "--format raw is little endian and has no header" {
    plain 3 s.cbor "1 -2 258"
    hagg-decode --format raw s.cbor >out.raw
    assert_equal "$(od -An -v -tx1 out.raw)" " 01 00 00 00 fe ff ff ff 02 01 00 00"
    hagg-decode --format raw --type i8 s.cbor >out.raw
    assert_equal "$(stat -c %s out.raw)" 24
}

@test "no mean of bytes, of records without clients, or of zero samples" {
    printf abc >v
    hagg-share -n 3 -k 2 -z 1 --field gf256 --type u1 --client 1 -o a.cbor v
    hagg-share -n 3 -k 2 -z 1 --field gf256 --type u1 --client 2 -o b.cbor v
    hagg-aggregate -o sum.cbor a.cbor b.cbor
    unchanged 4 hagg-decode --mean -o out.npy sum.cbor
    assert_message "addition in field 'gf256' is not integer addition, so there is no mean"
    plain 3 s.cbor "1 2"
    unchanged 4 hagg-decode --mean -o out.npy s.cbor
    assert_message "there is no mean: the records do not list their clients"
    plain 3 s.cbor "1 2" --samples 0
    unchanged 4 hagg-decode --mean -o out.npy s.cbor
    assert_message "there is no mean: the total number of samples is 0"
}

# --- missing records, and records that do not belong together

@test "too few shares: the message names a missing station" {
    three_sums
    unchanged 5 hagg-decode -o out.npy from-1.cbor from-3.cbor keys-3.cbor
    assert_message "only 2 of the shares of station 1-3 arrived, but 3 are needed: for example, the share of station 2 is missing"
    unchanged 5 hagg-decode -o out.npy keys-3.cbor
    assert_message "there are no shares to decode"
}

@test "sums over different clients: the message names the client" {
    three_sums
    hostile hagg-aggregate --clients 1,3 --only shares station-2/*.cbor -o from-2.cbor
    unchanged 4 hagg-decode -o out.npy from-?.cbor keys-3.cbor
    assert_message "from-1.cbor: contains client 2, but from-2.cbor does not: all sums of a round must be over the same clients, so use the same --roster at every station"
    hostile hagg-aggregate --clients 1,3 --only shares station-1/*.cbor -o from-1.cbor
    unchanged 4 hagg-decode -o out.npy from-?.cbor keys-3.cbor
    assert_message "from-3.cbor: contains client 2, but from-1.cbor does not: all sums of a round must be over the same clients, so use the same --roster at every station"
}

@test "shares of different runs are reported before a share is called wrong or a client missing" {
    for run in old new; do
        rm -rf station-? key-?.cbor
        export HAGG_STATE=$BATS_TEST_TMPDIR/$run-state
        share_among 5 1
        sum_up 5 $run
    done
    # four of five shares are enough, and the fifth would be wrong or corrected
    for correct in "" --correct; do
        unchanged 4 hagg-decode $correct -o out.npy new-[1245].cbor old-3.cbor keys-new.cbor
        assert_message "old-3.cbor: contains shares from a different run of hagg-share than new-1.cbor: use shares from one run"
    done
    # two runs of clients 1-3, and a sum that lacks client 3
    hostile hagg-aggregate --only shares --clients 1,2 station-1/*.cbor -o few.cbor
    unchanged 4 hagg-decode -o out.npy few.cbor new-[24].cbor old-[35].cbor keys-new.cbor
    assert_message "old-3.cbor: contains shares from a different run of hagg-share than new-2.cbor: use shares from one run"
    run -0 --separate-stderr hagg-decode --format text new-?.cbor keys-new.cbor
    assert_output $'6\n60\n600'
}

@test "drop clients=N: more missing clients are refused" {
    sed -i '$a drop clients=1' small.topo
    for i in 1 2 3 4; do
        share_ints $i $i ${i}0 ${i}00
    done
    export HAGG_PLAN=small.topo
    # an honest station would refuse the second set
    for set in 1-3 1,3; do
        for u in 1 2 3; do
            hostile hagg-aggregate --only shares --clients $set station-$u/*.cbor -o from-$u.cbor
        done
        hostile hagg-aggregate --only keys --clients $set station-1/*.cbor -o keys-$set.cbor
        [ $set = 1,3 ] || hagg-decode -q -o sum.npy from-?.cbor keys-1-3.cbor
    done
    unchanged 6 hagg-decode -o out.npy from-?.cbor keys-1,3.cbor
    assert_message "small.topo: 2 clients are missing, but the plan tolerates only 1 (drop line): wait for the others"
}

@test "--clients: sums over other clients are refused" {
    three_sums
    run -0 --separate-stderr hagg-decode --clients 1-3 --format text from-?.cbor keys-3.cbor
    assert_output $'6\n60\n600'
    assert_message "round 1: total of 3 clients: 1-3"
    for set in 1-2 1,2 "1 2"; do
        unchanged 4 hagg-decode --clients "$set" -o out.npy from-?.cbor keys-3.cbor
        assert_message "from-1.cbor: the sums are over clients 1-3, but --clients is 1-2: a round has one set of clients, so use the set of the sums, or start a new round with new vectors"
    done
    unchanged 4 hagg-decode --plan small.topo --clients 1-4 -o out.npy from-?.cbor keys-3.cbor
    assert_message "from-1.cbor: the sums are over clients 1-3, but --clients is 1-4: a round has one set of clients, so use the set of the sums, or start a new round with new vectors"
    # the same message as of hagg-aggregate
    unchanged 2 hagg-decode --plan small.topo --clients 1-3,5 -o out.npy from-?.cbor keys-3.cbor
    assert_message "small.topo: --clients names clients that are not in the plan"
    unchanged 2 hagg-decode --clients 3-1 from-?.cbor keys-3.cbor
    assert_usage "--clients must be numbers and ranges such as 1-5,7, not '3-1'"
    plain 3 'p{}.cbor' "1 2 3"
    HAGG_PLAN='' unchanged 4 hagg-decode --clients 1-3 -o out.npy p1.cbor p2.cbor
    assert_message "p1.cbor: does not record its clients: omit --clients to decode it"
}

@test "the total of the keys is missing" {
    three_sums
    unchanged 5 hagg-decode -o out.npy from-?.cbor
    assert_message "the keys are missing: the last station of the chain sends their total"
}

@test "keys of fewer or more clients than the shares" {
    three_sums
    hostile hagg-aggregate --clients 1,3 --only keys station-1/*.cbor -o keys.cbor
    unchanged 4 hagg-decode -o out.npy from-?.cbor keys.cbor
    assert_message "keys.cbor: client 2 is in the shares but not in the keys: add up both over the same clients, and never send a second total of the keys"
    for u in 1 2 3; do
        hostile hagg-aggregate --clients 1-2 --only shares station-$u/*.cbor -o from-$u.cbor
    done
    unchanged 4 hagg-decode -o out.npy from-?.cbor keys-3.cbor
    assert_message "keys-3.cbor: client 3 is in the keys but not in the shares: add up both over the same clients, and never send a second total of the keys"
}

@test "a client that shared again in between" {
    share_ints 1 1 10
    share_ints 2 2 20
    export HAGG_PLAN=small.topo
    hagg-aggregate --clients 1,2 --only keys station-1/*.cbor -o keys-3.cbor
    forget
    share_ints 1 1 10
    for u in 1 2 3; do
        hagg-aggregate --clients 1,2 --only shares -o from-$u.cbor station-$u/*.cbor
    done
    unchanged 4 hagg-decode -o out.npy from-?.cbor keys-3.cbor
    assert_message "keys-3.cbor: contains keys from a different run of hagg-share than the shares: a client has shared again, and all stations must use the same run"
    hagg-aggregate --clients 1,2 --only keys station-1/*.cbor -o keys-3.cbor
    run -0 --separate-stderr hagg-decode --format text from-?.cbor keys-3.cbor
    assert_output $'3\n30'
}

@test "shares of different runs are not decoded together" {
    plain 3 'a{}.cbor' "1 2"
    plain 3 'b{}.cbor' "1 2"
    unchanged 4 hagg-decode -o out.npy a1.cbor b2.cbor
    assert_message "b2.cbor: contains shares from a different run of hagg-share than a1.cbor: use shares from one run"
}

@test "keys other than their total are refused" {
    three_sums
    unchanged 6 hagg-decode -o out.npy from-?.cbor keys-1.cbor
    assert_message "keys-1.cbor: record 1 (byte 0): contains keys addressed to station 2: the federator accepts only the total of the keys, from the last station of the chain"
    hostile hagg-aggregate --clients 1 --only keys station-1/*.cbor -o a.cbor
    hostile hagg-aggregate --clients 2-3 --only keys station-1/*.cbor -o b.cbor
    unchanged 6 hagg-decode -o out.npy from-?.cbor a.cbor b.cbor
    assert_message "b.cbor: contains a second sum of keys (the first is in a.cbor): only the total of the keys can be decoded, so add them up along the chain with hagg-aggregate --only keys"
}

@test "keys for vectors that are not padded" {
    plain 3 a.cbor "1 2" --client 1
    plain 3 b.cbor "1 2" --client 2
    hagg-aggregate -o sum.cbor a.cbor b.cbor
    record of=key field=m31 size=4 'elements=[1,2]' >key.cbor
    unchanged 4 hagg-decode -o out.npy sum.cbor key.cbor
    assert_message "key.cbor: contains keys, but no vector is padded"
}

@test "the same share twice" {
    three_sums
    cp from-1.cbor copy.cbor
    unchanged 4 hagg-decode -o out.npy from-?.cbor copy.cbor keys-3.cbor
    assert_message "copy.cbor: contains share 1 of the same sharing as from-1.cbor: leave one out, or, if they belong to different clients, add them up with hagg-aggregate"
}

@test "records of another round, field, plan" {
    plain 3 'a{}.cbor' "1 2" --round 1
    plain 3 'b{}.cbor' "1 2" --round 2
    plain 3 'c{}.cbor' "1 2" --round 1 --field m61
    unchanged 4 hagg-decode -o out.npy a1.cbor b2.cbor
    assert_message "b2.cbor: round is 2, but a1.cbor has 1"
    unchanged 4 hagg-decode -o out.npy a1.cbor c2.cbor
    assert_message "c2.cbor: field is m61, but a1.cbor has m31"
    unchanged 4 hagg-decode --plan small.topo -o out.npy a1.cbor a2.cbor
    assert_message "a1.cbor: record 1 (byte 0): was made without a plan: use --plan '' or unset HAGG_PLAN"
}

@test "a vector in the clear is not a share" {
    record field=m31 size=4 >v.cbor
    unchanged 4 hagg-decode -o out.npy v.cbor
    assert_message "v.cbor: record 1 (byte 0): is a vector in the clear, not a share"
}

# --- the minimum

# Adds up as hostile stations do, because honest ones would refuse too few clients.
add_too_few() {
    export HAGG_PLAN=small.topo
    for u in 1 2 3; do
        hostile hagg-aggregate --only shares station-$u/*.cbor -o from-$u.cbor
    done
    hostile hagg-aggregate --only keys station-?/*.cbor -o keys-3.cbor
}

@test "a total of one client is refused" {
    share_ints 1 1 10 100
    add_too_few
    unchanged 6 hagg-decode -o out.npy from-?.cbor keys-3.cbor
    assert_message "a total of 1 client would reveal too much: at least 2 are needed"
    plain 3 s.cbor "1 2" --client 1
    HAGG_PLAN='' unchanged 6 hagg-decode -o out.npy s.cbor
    assert_message "a total of 1 client would reveal too much: at least 2 are needed"
}

@test "the minimum of the plan" {
    echo minimum 4 >>small.topo
    for i in 1 2 3; do
        share_ints $i $i 1
    done
    add_too_few
    unchanged 6 hagg-decode --plan small.topo -o out.npy from-?.cbor keys-3.cbor
    assert_message "a total of 3 clients would reveal too much: at least 4 are needed"
    HAGG_PLAN=small.topo unchanged 6 hagg-decode -o out.npy from-?.cbor keys-3.cbor
    assert_message "a total of 3 clients would reveal too much: at least 4 are needed"
}

# --- wrong shares

@test "one surplus share detects a wrong share" {
    plain 3 's{}.cbor' "1 2 3"
    tamper s2.cbor 1=12345
    unchanged 3 hagg-decode -o out.npy s1.cbor s2.cbor s3.cbor
    assert_message "a share of holder 1-3 is wrong, but there are too few surplus shares (1) to identify it: get the shares again, or get more of them"
    unchanged 3 hagg-decode --correct -o out.npy s1.cbor s2.cbor s3.cbor
    assert_message "a share of holder 1-3 is wrong, but there are too few surplus shares (1) to identify it: get the shares again, or get more of them"
    # without the wrong share, decoding succeeds
    run -0 --separate-stderr hagg-decode --format text s1.cbor s3.cbor
    assert_output $'1\n2\n3'
}

@test "two surplus shares identify a wrong share" {
    plain 4 's{}.cbor' "1 2 3"
    tamper s3.cbor 2=7
    unchanged 3 hagg-decode -o out.npy s?.cbor
    assert_message "s3.cbor: the share of holder 3 is wrong: holder 3 changed it, or it was wrong when it was made: get it again, leave it out, or use --correct"
}

@test "--correct corrects a wrong share and names its holder" {
    plain 4 's{}.cbor' "1 2 3"
    tamper s3.cbor 0=7 2=9
    run -0 --separate-stderr hagg-decode --correct --format text s?.cbor
    assert_output $'1\n2\n3'
    assert_message "s3.cbor: the share of holder 3 was wrong and was corrected"
    # a warning is not part of the report
    run -0 --separate-stderr hagg-decode -q --correct --format text s?.cbor
    assert_output $'1\n2\n3'
    assert_message "s3.cbor: the share of holder 3 was wrong and was corrected"
}

@test "--correct prints nothing if all shares are right" {
    plain 4 's{}.cbor' "1 2 3"
    run -0 --separate-stderr hagg-decode --correct --format text s?.cbor
    assert_output $'1\n2\n3'
    assert_equal "$stderr" ""
}

@test "different shares may be wrong in each position" {
    npy v.npy 'np.arange(-50000, 50000, dtype="i4")'
    hagg-share -n 7 -k 3 -z 2 -o 's{}.cbor' v.npy
    tamper s1.cbor 0=1 99999=5
    tamper s4.cbor 0=2 70000=3
    tamper s6.cbor 12=1
    tamper s7.cbor 70000=4
    run -0 --separate-stderr hagg-decode --correct -o out.npy s?.cbor
    assert_equal "${#stderr_lines[@]}" 4
    for u in 1 4 6 7; do
        assert_regex "$stderr" "s$u.cbor: the share of holder $u was wrong and was corrected"
    done
    assert_numpy 'np.array_equal(load("out.npy"), load("v.npy"))'
}

@test "more wrong shares than can be corrected" {
    plain 4 's{}.cbor' "1 2 3"
    tamper s1.cbor 1=5
    tamper s3.cbor 1=77
    unchanged 3 hagg-decode --correct -o out.npy s?.cbor
    assert_message "a share of holder 1-4 is wrong, but there are too few surplus shares (2) to identify it: get the shares again, or get more of them"
}

@test "the station of a wrong sum is named" {
    share_among 6 2
    sum_up 6 from
    tamper from-2.cbor 0=42
    unchanged 3 hagg-decode -o out.npy from-?.cbor keys-from.cbor
    assert_message "from-2.cbor: the share of station 2 is wrong: station 2 changed it, or a client sent it a wrong share: get it again, leave it out, or use --correct"
    run -0 --separate-stderr hagg-decode --correct --format text from-?.cbor keys-from.cbor
    assert_output $'6\n60\n600'
    assert_equal "$stderr" "hagg-decode: from-2.cbor: the share of station 2 was wrong and was corrected
hagg-decode: round 1: total of 3 clients: 1-3"
}

@test "a client that sends one station a wrong share looks like a station that changed it" {
    share_among 6 2
    rewrite station-4/client-2.cbor 'e[0] ^= 1'
    sum_up 6 from
    unchanged 3 hagg-decode -o out.npy from-?.cbor keys-from.cbor
    assert_message "from-4.cbor: the share of station 4 is wrong: station 4 changed it, or a client sent it a wrong share: get it again, leave it out, or use --correct"
    # what decides it: a station that has changed nothing sends the same sum again
    hagg-aggregate --only shares -o again-4.cbor station-4/*.cbor
    run -0 cmp from-4.cbor again-4.cbor
    rewrite from-4.cbor 'e[0] ^= 2'
    run -1 cmp from-4.cbor again-4.cbor
}

# --- totals that honest clients cannot have

NOT_HONEST="a share was changed, or a client shared a wrong vector: get the shares again, or start a new round"

@test "a total beyond the clip of the clients is refused" {
    for i in 1 2 3; do
        npy v$i.npy "np.full(5000, [0.25, -1.0, 1.0][$i - 1])"
        make_key $i 5000
        hagg-share --plan small.topo --client $i --round 1 --key key-$i.cbor \
            -o "station-{}/client-$i.cbor" v$i.npy
    done
    add_stations
    export HAGG_PLAN=small.topo
    hagg-decode -q -o sum.npy from-?.cbor keys-3.cbor
    assert_numpy 'np.abs(load("sum.npy") - 0.25).max() < 1e-4'
    # without surplus shares nothing else would detect this
    rewrite from-2.cbor 'e[1] = (int(e[1]) + 1000000) % (2**31 - 1)'
    for options in "-o out.npy" "--mean -o out.npy" "--format raw" "--correct --type f4"; do
        unchanged 3 hagg-decode $options from-?.cbor keys-3.cbor
        assert_message "element 1 of the total is outside the range of a total of 3 clients: $NOT_HONEST"
    done
}

@test "a total at the bounds of its range is accepted, and one beyond is not" {
    # the share at 1 counts twice in the value at 0 of a line through the points 1 and 2
    for line in "i1 -128 127 -128 127" "u1 255 0 0 255" "i2 32767 1 -32768 32767" "u2 0 65535 0 65535"; do
        read -r type a b least most <<<"$line"
        for i in 1 2; do
            printf '%s\n' $a $b | hagg-share -n 2 -k 2 -z 1 --type $type --format text --client $i -o "s$i-{}.cbor"
        done
        for u in 1 2; do
            hagg-aggregate -o sum-$u.cbor s?-$u.cbor
        done
        run -0 hagg-decode -q --type i8 --format text sum-?.cbor
        assert_output "$((2 * a))"$'\n'"$((2 * b))"
        for change in 1 -1; do
            cp sum-1.cbor wrong-1.cbor
            half=$(((2147483647 + change) / 2))
            # 2 * half = change modulo p
            rewrite wrong-1.cbor "e[0] = (int(e[0]) + $half) % (2**31 - 1)"
            total=$((2 * a + change))
            if [ $total -lt $((2 * least)) ] || [ $total -gt $((2 * most)) ]; then
                unchanged 3 hagg-decode --type i8 -o out.npy wrong-1.cbor sum-2.cbor
                assert_message "element 0 of the total is outside the range of a total of 2 clients: $NOT_HONEST"
            else
                run -0 hagg-decode -q --type i8 --format text wrong-1.cbor sum-2.cbor
                assert_line --index 0 "$total"
            fi
        done
    done
}

@test "a number of samples that clients cannot have is refused" {
    for i in 1 2; do
        seq 2 | hagg-share -n 2 -k 2 -z 1 --type i4 --format text --samples 5 --client $i -o "s$i-{}.cbor"
    done
    for u in 1 2; do
        hagg-aggregate -o sum-$u.cbor s?-$u.cbor
    done
    run -0 --separate-stderr hagg-decode --format text sum-?.cbor
    assert_equal "${stderr_lines[1]}" "hagg-decode: of 10 samples"
    # 2 * 1073741812 = -23 modulo p
    rewrite sum-1.cbor "e[2] = (int(e[2]) + 1073741812) % (2**31 - 1)"
    unchanged 3 hagg-decode -o out.npy sum-?.cbor
    assert_message "the number of samples, -13, is outside the range of a total of 2 clients: $NOT_HONEST"
}

# --- files

@test "a file without records is accepted, from a node that had nothing to send" {
    three_sums
    : >empty
    run -0 --separate-stderr hagg-decode --format text empty from-?.cbor keys-3.cbor
    assert_output $'6\n60\n600'
    unchanged 5 hagg-decode -o out.npy empty
    assert_message "there are no shares to decode"
}

@test "damage is detected" {
    plain 3 's{}.cbor' "1 2 3"
    printf '\1\1' | dd of=s1.cbor bs=1 seek=$(($(stat -c %s s1.cbor) - 20)) conv=notrunc status=none
    unchanged 3 hagg-decode -o out.npy s1.cbor s2.cbor
    assert_regex "$stderr" "^hagg-decode: s1.cbor: (record 1 \(byte 0\): )?digest does not match, so the record is damaged: get it again\$"
    unchanged 1 hagg-decode -o out.npy nowhere
    assert_message "nowhere: No such file or directory"
}

@test "the mode of the output follows the umask" {
    plain 3 s.cbor "1 2 3"
    umask 027
    hagg-decode -o out.npy s.cbor
    assert_file_permission 640 out.npy
    assert_no_temporaries
}

@test ".npy output to a terminal is refused, text is not" {
    plain 3 s.cbor "1 2 3"
    run -2 on_terminal hagg-decode s.cbor
    assert_output "hagg-decode: standard output is a terminal: redirect it, or use -o FILE, or -o - to write there anyway"$'\r'
    run -0 on_terminal hagg-decode --format text s.cbor
    assert_output $'1\r\n2\r\n3\r'
    run -0 on_terminal hagg-decode --format npy -o - s.cbor
    assert_output --partial NUMPY
}

@test "a full device, and a closed pipe" {
    npy v.npy 'np.zeros(1000000, dtype="i4")'
    hagg-share -n 3 -k 2 -z 1 -o s.cbor v.npy
    to_full() {
        hagg-decode s.cbor >/dev/full
    }
    to_closed_pipe() {
        hagg-decode s.cbor | head -c 100 >/dev/null
        return "${PIPESTATUS[0]}"
    }
    unchanged 1 hagg-decode -o /dev/full s.cbor
    assert_message "/dev/full: No space left on device"
    unchanged 1 to_full
    assert_message "standard output: No space left on device"
    unchanged 141 to_closed_pipe
    assert_equal "$stderr" ""
    unchanged 1 hagg-decode -o nowhere/out.npy s.cbor
    assert_message "nowhere/out.npy: cannot be written, because its directory does not exist"
}

@test "usage errors" {
    run -2 --separate-stderr hagg-decode --type x
    assert_usage "unknown type 'x': use f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8"
    run -2 --separate-stderr hagg-decode --format x
    assert_usage "unknown format 'x': use npy, raw or text"
    run -2 --separate-stderr hagg-decode --threads x
    assert_usage "--threads must be a number from 1 to 256, not 'x'"
    run -2 --separate-stderr hagg-decode --nowhere
    assert_usage "unrecognized option '--nowhere'"
}

@test "--progress and --no-progress are accepted, and short runs show no progress" {
    plain 3 s.cbor "1 2 3"
    run -0 --separate-stderr hagg-decode --progress -o out.npy s.cbor
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-decode --no-progress -o out.npy s.cbor
    assert_equal "$stderr" ""
}
