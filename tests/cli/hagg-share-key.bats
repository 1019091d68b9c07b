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
protocol keys
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
}

@test "the sample count is one more element" {
    echo samples >>small.topo
    make_key 1 3
    run -0 --separate-stderr share --samples 12 -o s.cbor v.txt
    assert_equal "$stderr" ""
    run -0 hagg-inspect --json s.cbor
    assert_json 'all(r["samples"] and r["length"] == 4 for r in lines[:4])'
}

# --- one vector in a round, with one key

refused() {
    echo "$1: client 1 has already shared another vector, type or sample count, or used another key, in round 1: repeat it with those of the first time, or use a new round for a new vector (state in $HAGG_STATE)"
}

@test "sharing the same vector again gives the same bytes" {
    share -o a.cbor v.txt
    run -0 --separate-stderr share -o b.cbor v.txt
    assert_equal "$stderr" ""
    run -0 cmp a.cbor b.cbor
    # also with other output files, with threads, and with the same numbers in another format
    share -o 's{}.cbor' --threads 2 v.txt
    run -0 hagg-inspect --json a.cbor s1.cbor s2.cbor s3.cbor
    assert_json 'sorted(r["digest"] for r in lines[:4]) == sorted(r["digest"] for r in lines[4:8])'
    share -o c.cbor <(printf '%s\n' 5e-1 -.25 1.0)
    run -0 cmp a.cbor c.cbor
}

@test "without the state, or with another one, the shares of the same vector are other ones" {
    share -o a.cbor v.txt
    share --no-state -o b.cbor v.txt
    share --state other -o c.cbor v.txt
    run -0 hagg-inspect --json a.cbor b.cbor c.cbor
    assert_json 'len({r["id"] for r in lines if "id" in r}) == 3'
    assert_json 'len({r["digest"] for r in lines if r.get("kind") == "share"}) == 9'
}

@test "sharing the same vector again gives the same bytes with stochastic rounding too" {
    sed -i 's/clip=1.0/clip=1.0 rounding=stochastic/' small.topo
    make_key 1 3
    share -o a.cbor v.txt
    share -o b.cbor v.txt
    run -0 cmp a.cbor b.cbor
}

@test "the random vectors are others in another round, for another client and with another key" {
    # the same vector and, by the same random source, the same key
    head -c 16 /dev/zero >zeros
    head -c 200 /dev/urandom >>zeros
    for own in "1 1" "1 2" "2 1"; do
        read -r client round <<<"$own"
        hagg-keygen --plan small.topo --client $client --round $round --length 3 --random-source zeros --no-state -o k-$client-$round.cbor
        hagg-share --again --plan small.topo --client $client --round $round --key k-$client-$round.cbor -o s-$client-$round.cbor v.txt
    done
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

shares = [[tuple(int(x) for x in r.elements) for r in hagg_format.read_stream(open(f"s-{name}.cbor", "rb").read())]
          for name in ("1-1", "1-2", "2-1")]
assert shares[0][3] == shares[1][3] == shares[2][3], "the keys are the same"
assert len({share for run in shares for share in run[:3]}) == 9
END
}

@test "another vector is refused" {
    share -o s.cbor v.txt
    unchanged 6 share -o s.cbor w.txt
    assert_message "$(refused w.txt)"
    unchanged 6 share -o t.cbor w.txt
    assert_message "$(refused w.txt)"
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

@test "a failure before the vector is padded leaves no entry" {
    echo 7 >>w.txt
    unchanged 4 share -o s.cbor w.txt
    printf '%s\n' 0.5 nan 1 >nan.txt
    unchanged 3 share -o s.cbor nan.txt
    assert_equal "$(ls "$HAGG_STATE")" ""
    run -0 --separate-stderr share -o s.cbor v.txt
}

@test "another number of samples is another vector" {
    echo samples >>small.topo
    make_key 1 3
    share --samples 12 -o s.cbor v.txt
    unchanged 6 share --samples 13 -o s.cbor v.txt
    assert_message "$(refused v.txt)"
}

@test "another key does not permit another vector, nor the same one" {
    share -o s.cbor v.txt
    make_key 1 3
    unchanged 6 share -o s.cbor w.txt
    assert_message "$(refused w.txt)"
    unchanged 6 share -o s.cbor v.txt
    assert_message "$(refused v.txt)"
}

@test "a copy of a key, or a key from a pipe, does not permit a second use" {
    share -o s.cbor v.txt
    cp key-1.cbor copy.cbor
    unchanged 6 hagg-share --plan small.topo --client 1 --round 1 --key copy.cbor -o s.cbor w.txt
    assert_message "$(refused w.txt)"
    from_pipe() {
        cat key-1.cbor | hagg-share --plan small.topo --client 1 --round 1 --key - -o s.cbor w.txt
    }
    unchanged 6 from_pipe
    assert_message "$(refused w.txt)"
    # the same vector with a copy of the key is the same again
    run -0 --separate-stderr hagg-share --plan small.topo --client 1 --round 1 --key copy.cbor -o s.cbor v.txt
}

@test "a vector of another round is refused without --again" {
    share -o s.cbor v.txt
    make_key 1 3 2
    cp v.txt same.txt
    again() {
        hagg-share --plan small.topo --client 1 --round 2 --key key-1.cbor -o t.cbor "$@"
    }
    unchanged 6 again same.txt
    assert_message "same.txt: this vector was already shared, in round 1 of this plan: two totals of the same vectors over different clients reveal vectors; share a new vector, or use --again if hagg-share(1) allows it, in 'One vector per round'; in a simulation, use another --state (state in $HAGG_STATE)"
    # the same numbers in another form
    npy same.npy "np.array([0.5, -0.25, 1], dtype='f4')"
    unchanged 6 again same.npy
    run -0 --separate-stderr again --again same.txt
    assert_equal "$stderr" ""
    # under another plan
    sed 's/clip=1.0/clip=2.0/' small.topo >other.topo
    make_key 1 3 1 other.topo
    unchanged 6 hagg-share --plan other.topo --client 1 --round 1 --key key-1.cbor -o t.cbor v.txt
    assert_regex "$stderr" "^hagg-share: v.txt: this vector was already shared, in round [12] of another plan: "
    # the vector of another client is not this one's
    make_key 2 3 2
    run -0 --separate-stderr hagg-share --plan small.topo --client 2 --round 2 --key key-2.cbor -o t.cbor v.txt
}

@test "--no-state remembers nothing and prints a note" {
    run -0 --separate-stderr share --no-state -o s.cbor v.txt
    assert_message "--no-state: nothing stops a second total of this round"
    run -0 --separate-stderr share --no-state -o s.cbor w.txt
    assert_equal "$(ls "$HAGG_STATE")" ""
    run -2 --separate-stderr share --no-state --state s -o s.cbor v.txt
    assert_usage "use --state or --no-state, not both"
    # without a plan there is nothing to remember
    run -0 --separate-stderr hagg-share --no-state -n 3 -k 2 -z 1 --quantize bits=16,clip=1 -o s.cbor v.txt
    assert_equal "$stderr" ""
}

@test "the state directory: --state, HAGG_STATE, XDG_STATE_HOME, HOME" {
    run -0 --separate-stderr share --state mine -o s.cbor v.txt
    assert_message "state: new directory mine"
    run -0 --separate-stderr share --state mine -o s.cbor v.txt
    assert_equal "$stderr" ""
    HAGG_STATE=other run -0 --separate-stderr share -o s.cbor v.txt
    assert_message "state: new directory other"
    unset HAGG_STATE
    export HOME=$PWD/home XDG_STATE_HOME=$PWD/xdg
    run -0 --separate-stderr share -o s.cbor v.txt
    assert_message "state: new directory $PWD/xdg/hagg"
    XDG_STATE_HOME=relative run -0 --separate-stderr share -o s.cbor v.txt
    assert_message "state: new directory $PWD/home/.local/state/hagg"
    for directory in mine other xdg/hagg home/.local/state/hagg; do
        assert_file_permission 700 $directory
        assert_file_permission 600 $directory/index
        run -6 share --state $directory -o s.cbor w.txt
    done
    unset HOME XDG_STATE_HOME
    unchanged 1 share -o s.cbor v.txt
    assert_message "there is no default state directory, because HOME is not set: use --state"
}

@test "a state directory that cannot be used is an error" {
    : >file
    unchanged 1 share --state file -o s.cbor v.txt
    assert_message "file: is not a directory: name another one with --state"
    unchanged 1 share --state no/where -o s.cbor v.txt
    assert_message "no/where: cannot create the state directory: No such file or directory"
    mkdir open
    chmod 777 open
    unchanged 6 share --state open -o s.cbor v.txt
    assert_message "open: other users can write to the state directory: make sure that they removed nothing, then use chmod 700"
    share -o s.cbor v.txt
    rm -r "$HAGG_STATE"/*/clients-0.vector.0
    unchanged 3 share -o s.cbor w.txt
    assert_regex "$stderr" "^hagg-share: $HAGG_STATE/[0-9a-f]+/clients-0.vector.0: is missing, so it is unknown what was done before: restore the state directory from a backup$"
}

@test "of two concurrent processes with different vectors exactly one succeeds" {
    for i in {1..20}; do
        forget
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
        assert_equal "$(cat $loser.err)" "hagg-share: $(refused $loser.txt)"
        assert_equal "$(cat $winner.err)" ""
        assert_file_not_exists $loser.cbor
        assert_file_exists $winner.cbor
        rm $winner.cbor
    done
    assert_no_temporaries
}

@test "two concurrent processes with the same vector both succeed" {
    for i in {1..10}; do
        forget
        share -o a.cbor v.txt &
        first=$!
        share -o b.cbor v.txt
        wait $first
    done
}

@test "the state contains neither key nor vector, only their digests" {
    umask 000
    share -o s.cbor v.txt
    run -0 find "$HAGG_STATE" -type f ! -perm 600
    assert_output ""
    run -0 cat "$HAGG_STATE"/*/clients-0.vector.0
    assert_line --index 1 --regexp '^1 1 [0-9a-f]{32}$'
    run -0 bash -c "cat '$HAGG_STATE'/vectors/??"
    assert_line --index 1 --regexp '^[0-9a-f]{32} 1 1 1$'
    # the digests depend on a secret of the directory
    first=$(sed -n 2p "$HAGG_STATE"/*/clients-0.vector.0)
    forget
    share -o s.cbor v.txt
    assert_not_equal "$(sed -n 2p "$HAGG_STATE"/*/clients-0.vector.0)" "$first"
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
    chmod 600 two.cbor
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
    assert_message "the sample count is too large: the sum of all counts could overflow field 'm31'"
    unchanged 2 share --samples 3 --samples-file n -o s.cbor v.txt
    assert_usage "--samples and --samples-file both set the sample count: omit one"
}

@test "--samples-file: the same shares as --samples, and only a number is accepted" {
    echo samples >>small.topo
    make_key 1 3
    share --random-source <(yes) --samples 12 -o s.cbor v.txt
    printf '12\n' >n
    share --random-source <(yes) --samples-file n -o again.cbor v.txt
    cmp s.cbor again.cbor
    printf 12 | share --random-source <(yes) --samples-file - -o again.cbor v.txt
    cmp s.cbor again.cbor
    for content in '' '\n' '12\n\n' ' 12' '12 ' '+12' '-1' '0x12' '1e1' '12.0' '12; touch PWNED' '$(touch PWNED)' '12\r\n' \
        '12\n13\n' '9223372036854775808' '99999999999999999999' '12\0'; do
        printf -- "$content" >n
        unchanged 3 share --samples-file n -o again.cbor v.txt
        assert_message "n: must contain one number from 0 to 9223372036854775807 and nothing else"
    done
    { printf 12; head -c 5000 /dev/zero | tr '\0' '\n'; } >n
    unchanged 3 share --samples-file n -o again.cbor v.txt
    assert_message "n: must contain one number from 0 to 9223372036854775807 and nothing else"
    rm n
    unchanged 1 share --samples-file n -o again.cbor v.txt
    assert_message "n: No such file or directory"
    # the message does not contain the count, because others may read the log
    echo 268435456 >n
    unchanged 2 share --samples-file n -o again.cbor v.txt
    assert_message "the sample count is too large: the sum of all counts could overflow field 'm31'"
    run -2 --separate-stderr share --samples-file - -o again.cbor
    assert_usage "the sample count and another input cannot both be read from standard input"
}
