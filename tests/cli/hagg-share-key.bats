#!/usr/bin/env bats
# hagg-share with a plan and a key, as hagg-share(1) describes it: above all, that a key pads only one
# vector.

load common

TOOL=hagg-share
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    printf '%s\n' 0.5 -0.25 1 >v.txt
    printf '%s\n' 0.5 -0.25 0 >w.txt
    make_key 1 3
}

share() {
    hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor "$@"
}

# --- records

@test "every station gets a share, and the first station also the key" {
    run -0 --separate-stderr share -o 'station-{}/c1.cbor' v.txt
    assert_output ""
    assert_equal "$stderr" ""
    run -0 hagg-inspect --json station-1/c1.cbor station-2/c1.cbor station-3/c1.cbor
    assert_json '[(r["kind"], r["of"], r["to"]) for r in lines[:4]] == [
        ("share", "padded", ["station", 1]), ("vector", "key", ["station", 1]),
        ("share", "padded", ["station", 2]), ("share", "padded", ["station", 3])]'
    assert_json 'all(r["clients"] == [[1, 1]] and r["round"] == 1 and r["from"] == ["client", 1] for r in lines[:4])'
    assert_json 'lines[0]["quant"] == {"bits": 16, "clip": 1, "rounding": "nearest"} and "quant" not in lines[1]'
    # shares and key have the same id
    assert_json 'lines[1]["id"] == lines[0]["id"] and lines[1]["length"] == 3'
}

@test "the plan determines which stations get shares and the key" {
    cat >chosen.topo <<END
collude  partial stations=1
quantize bits=16 clip=1.0
stations 4
client   1-2 via 1-4 shares 4 2 3 keys 3
END
    make_key 1 3 1 chosen.topo
    hagg-share --plan chosen.topo --client 1 --round 1 --key key-1.cbor -o 's{}.cbor' v.txt
    run -0 bash -c 'ls s?.cbor'
    assert_output $'s2.cbor\ns3.cbor\ns4.cbor'
    run -0 hagg-inspect --json s4.cbor s2.cbor s3.cbor
    assert_json '[r["scheme"]["index"] for r in lines if "scheme" in r] == [0, 1, 2]'
    assert_json 'lines[3]["of"] == "key" and lines[3]["to"] == ["station", 3]'
}

@test "the padded vector is the vector plus the key" {
    share -o s.cbor v.txt
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

P = 2**31 - 1
records = hagg_format.read_stream(open("s.cbor", "rb").read())
shares, key = records[:3], records[3]
x = [s.header["scheme"]["point"] for s in shares]
y = [[int(v) for v in s.elements] for s in shares]
# k = 3, z = 1: two parts of two elements, coefficients of 1 and of x
def coefficients(column):
    out = [0, 0, 0]
    for i in range(3):
        others = [x[j] for j in range(3) if j != i]
        scale = y[i][column] * pow((x[i] - others[0]) * (x[i] - others[1]), -1, P)
        out[0] += scale * others[0] * others[1]
        out[1] -= scale * (others[0] + others[1])
        out[2] += scale
    return [c % P for c in out]
c = [coefficients(0), coefficients(1)]
padded = [c[0][0], c[1][0], c[0][1], c[1][1]]
vector = [(padded[i] - int(key.elements[i])) % P for i in range(3)]
assert vector == [16384, P - 8192, 32767], vector
assert padded[3] == 0
END
}

@test "the plan is read from HAGG_PLAN" {
    HAGG_PLAN=small.topo run -0 --separate-stderr hagg-share --client 1 --round 1 --key key-1.cbor -o s.cbor v.txt
    assert_equal "$stderr" ""
}

@test "the key is read from a pipe" {
    piped() {
        make_key 2 3
        cat key-2.cbor | hagg-share --plan small.topo --client 2 --round 1 --key - v.txt
    }
    piped >s.cbor
    run -0 hagg-inspect --json s.cbor
    assert_json 'lines[0]["clients"] == [[2, 2]] and len(lines) == 5'
    assert_file_not_exists -.used
    run -1 compgen -G "key-2.cbor.*.used"
}

@test "the sample count is one more element" {
    echo samples >>small.topo
    make_key 1 3
    run -0 --separate-stderr share --samples 12 -o s.cbor v.txt
    assert_equal "$stderr" ""
    run -0 hagg-inspect --json s.cbor
    assert_json 'all(r["samples"] and r["length"] == 4 for r in lines[:4])'
}

# --- one key, one vector

@test "sharing the same vector again gives the same bytes" {
    share -o a.cbor v.txt
    run -0 --separate-stderr share -o b.cbor v.txt
    assert_equal "$stderr" ""
    run -0 cmp a.cbor b.cbor
    # also with other output files, and with threads
    share -o 's{}.cbor' --threads 2 v.txt
    run -0 hagg-inspect --json a.cbor s1.cbor s2.cbor s3.cbor
    assert_json 'sorted(r["digest"] for r in lines[:4]) == sorted(r["digest"] for r in lines[4:8])'
}

@test "sharing the same vector again gives the same bytes with stochastic rounding too" {
    sed -i 's/clip=1.0/clip=1.0 rounding=stochastic/' small.topo
    make_key 1 3
    share -o a.cbor v.txt
    share -o b.cbor v.txt
    run -0 cmp a.cbor b.cbor
}

@test "another vector is refused" {
    share -o s.cbor v.txt
    unchanged 6 share -o s.cbor w.txt
    assert_message "key-1.cbor: has already padded another vector: make a new key with hagg-keygen"
    unchanged 6 share -o t.cbor w.txt
    assert_message "key-1.cbor: has already padded another vector: make a new key with hagg-keygen"
    # the first vector is still accepted
    run -0 --separate-stderr share -o t.cbor v.txt
    assert_equal "$stderr" ""
}

@test "another vector is refused after a failure to write shares" {
    run -1 --separate-stderr share -o /dev/full v.txt
    assert_message "/dev/full: No space left on device"
    unchanged 6 share -o s.cbor w.txt
    run -0 --separate-stderr share -o s.cbor v.txt
    assert_equal "$stderr" ""
}

@test "a failure before the vector is padded leaves the key unused" {
    echo 7 >>w.txt
    unchanged 4 share -o s.cbor w.txt
    printf '%s\n' 0.5 nan 1 >nan.txt
    unchanged 3 share -o s.cbor nan.txt
    run -1 compgen -G "key-1.cbor.*.used"
    run -0 --separate-stderr share -o s.cbor v.txt
}

@test "another number of samples is another vector" {
    echo samples >>small.topo
    make_key 1 3
    share --samples 12 -o s.cbor v.txt
    unchanged 6 share --samples 13 -o s.cbor v.txt
    assert_message "key-1.cbor: has already padded another vector: make a new key with hagg-keygen"
}

@test "a new key in the same file is unused" {
    share -o s.cbor v.txt
    make_key 1 3
    run -0 --separate-stderr share -o s.cbor w.txt
    unchanged 6 share -o s.cbor v.txt
    assert_message "key-1.cbor: has already padded another vector: make a new key with hagg-keygen"
}

@test "another name for the file of a key does not permit a second use" {
    share -o s.cbor v.txt
    ln -s key-1.cbor link.cbor
    unchanged 6 hagg-share --plan small.topo --client 1 --round 1 --key link.cbor -o s.cbor w.txt
    assert_message "link.cbor: has already padded another vector: make a new key with hagg-keygen"
    from_redirection() {
        hagg-share --plan small.topo --client 1 --round 1 --key - -o s.cbor w.txt <key-1.cbor
    }
    unchanged 6 from_redirection
    assert_message "standard input: has already padded another vector: make a new key with hagg-keygen"
    ln key-1.cbor hard.cbor
    unchanged 6 hagg-share --plan small.topo --client 1 --round 1 --key hard.cbor -o s.cbor v.txt
    assert_message "hard.cbor: has 2 hard links, so its use cannot be recorded under one name: remove the others"
}

@test "of two concurrent processes with different vectors exactly one succeeds" {
    for i in {1..20}; do
        make_key 1 3
        share -o v.cbor v.txt 2>v.err &
        first=$!
        share -o w.cbor w.txt 2>w.err &
        second=$!
        a=0 b=0
        wait $first || a=$?
        wait $second || b=$?
        assert [ $((a + b)) = 6 ]
        assert [ $((a * b)) = 0 ]
        if [ $a = 6 ]; then
            loser=v winner=w
        else
            loser=w winner=v
        fi
        assert_equal "$(cat $loser.err)" \
            "hagg-share: key-1.cbor: has already padded another vector: make a new key with hagg-keygen"
        assert_equal "$(cat $winner.err)" ""
        assert_file_not_exists $loser.cbor
        assert_file_exists $winner.cbor
        rm $winner.cbor
    done
    assert_no_temporaries
}

@test "two concurrent processes with the same vector both succeed and agree" {
    for i in {1..10}; do
        make_key 1 3
        share -o a.cbor v.txt &
        first=$!
        share -o b.cbor v.txt
        wait $first
        run -0 cmp a.cbor b.cbor
    done
}

@test "the record of a key's use has mode 0600 and contains neither key nor vector" {
    umask 000
    share -o s.cbor v.txt
    used=$(echo key-1.cbor.*.used)
    assert_file_permission 600 "$used"
    assert_equal "$(head -n 1 "$used")" "hagg key use 1"
    assert_equal "$(stat -c %s "$used")" 64
}

@test "a damaged record of a key's use is an error" {
    share -o s.cbor v.txt
    used=$(echo key-1.cbor.*.used)
    for size in 0 10 63 65; do
        truncate -s $size "$used"
        unchanged 3 share -o s.cbor v.txt
        assert_message "$PWD/$used: is damaged, so it does not show what the key has padded: make a new key with hagg-keygen"
    done
}

# --- wrong keys

@test "a key of another client, round, plan or length" {
    unchanged 4 hagg-share --plan small.topo --client 2 --round 1 --key key-1.cbor -o s.cbor v.txt
    assert_message "key-1.cbor: record 1 (byte 0): key belongs to client 1, but this is client 2"
    unchanged 4 hagg-share --plan small.topo --client 1 --round 2 --key key-1.cbor -o s.cbor v.txt
    assert_message "key-1.cbor: record 1 (byte 0): key is for round 1, but this is round 2"
    sed 's/clip=1.0/clip=2.0/' small.topo >other.topo
    unchanged 4 hagg-share --plan other.topo --client 1 --round 1 --key key-1.cbor -o s.cbor v.txt
    assert_message "key-1.cbor: record 1 (byte 0): key $(different_plan small.topo other.topo)"
    echo 0.5 >short.txt
    unchanged 4 share -o s.cbor short.txt
    assert_message "key-1.cbor: record 1 (byte 0): key has 3 elements, but the vector has 1"
}

@test "a vector of another length than that of the plan" {
    echo length 4 >>small.topo
    make_key 1 4
    unchanged 4 share -o s.cbor v.txt
    assert_message "v.txt: has 3 elements, but the plan has 4"
}

@test "a file that is not a key, or has several" {
    share -o 's{}.cbor' v.txt
    unchanged 4 hagg-share --plan small.topo --client 1 --round 1 --key s2.cbor -o t.cbor v.txt
    assert_message "s2.cbor: record 1 (byte 0): is not a key: make one with hagg-keygen"
    unchanged 3 hagg-share --plan small.topo --client 1 --round 1 --key v.txt -o t.cbor v.txt
    assert_message "v.txt: is not a hagg file"
    : >empty
    unchanged 3 hagg-share --plan small.topo --client 1 --round 1 --key empty -o t.cbor v.txt
    assert_message "empty: is empty: it contains no key"
    unchanged 1 hagg-share --plan small.topo --client 1 --round 1 --key nowhere -o t.cbor v.txt
    assert_message "nowhere: No such file or directory"
    size=$(stat -c %s key-1.cbor)
    cat key-1.cbor key-1.cbor >two.cbor
    unchanged 4 hagg-share --plan small.topo --client 1 --round 1 --key two.cbor -o t.cbor v.txt
    assert_message "two.cbor: record 2 (byte $size): is an extra record: a key file contains one"
}

@test "a damaged key is detected" {
    printf '\1\1' | dd of=key-1.cbor bs=1 seek=$(($(stat -c %s key-1.cbor) - 20)) conv=notrunc status=none
    unchanged 3 share -o s.cbor v.txt
    assert_message "key-1.cbor: record 1 (byte 0): digest does not match, so the record is damaged: get it again"
}

@test "a client that is not in the plan" {
    unchanged 2 hagg-share --plan small.topo --client 9 --round 1 --key key-1.cbor -o s.cbor v.txt
    assert_message "small.topo: has no client 9"
}

@test "--samples is required if the plan has samples, and refused otherwise" {
    unchanged 2 share --samples 3 -o s.cbor v.txt
    assert_message "small.topo: has no samples line: omit --samples"
    echo samples >>small.topo
    make_key 1 3
    unchanged 2 share -o s.cbor v.txt
    assert_message "small.topo: has a samples line: use --samples"
    unchanged 2 share --samples 268435456 -o s.cbor v.txt
    assert_message "268435456 samples are too many: their sum could overflow field 'm31'"
}
