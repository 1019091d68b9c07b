#!/usr/bin/env bats
# hagg-share, as hagg-share(1) describes it. Keys are tested in hagg-share-key.bats.

load common

TOOL=hagg-share
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# Shares without a plan; 2 of 3 shares decode.
plainly() {
    hagg-share -n 3 -k 2 -z 1 "$@"
}

# Shares integers from text.
share_text() {
    plainly --type i4 --format text "$@"
}

# --- without a plan

@test "any k of n shares decode" {
    npy v.npy 'np.arange(-3, 4, dtype="i4")'
    hagg-share -n 5 -k 3 -z 2 -o 's{}.cbor' v.npy
    for set in "1 2 3" "5 3 1" "2 4 5" "1 2 3 4 5"; do
        files=()
        for u in $set; do
            files+=("s$u.cbor")
        done
        run -0 --separate-stderr hagg-decode -o out.npy "${files[@]}"
        assert_equal "$stderr" ""
        assert_numpy '(load("out.npy") == load("v.npy")).all() and load("out.npy").dtype == "i4"'
    done
    run -5 --separate-stderr hagg-decode -o out.npy s1.cbor s4.cbor
}

@test "shares have scheme, holder and index, but no client or round unless given" {
    seq 5 | share_text -o s.cbor
    run -0 --separate-stderr hagg-inspect --json s.cbor
    assert_json 'len(lines) == 4 and all(r["kind"] == "share" and r["of"] == "plain" for r in lines[:3])'
    assert_json '[r["scheme"]["index"] for r in lines[:3]] == [0, 1, 2]'
    assert_json '[r["to"] for r in lines[:3]] == [["holder", 1], ["holder", 2], ["holder", 3]]'
    assert_json '"clients" not in lines[0] and "round" not in lines[0] and "plan" not in lines[0]'
    assert_json 'lines[0]["shape"] == [5] and lines[0]["type"] == "i4"'
}

@test "client and round may be given without a plan" {
    seq 5 | share_text --client 7 --round 9 -o s.cbor
    run -0 --separate-stderr hagg-inspect --json s.cbor
    assert_json 'all(r["clients"] == [[7, 7]] and r["round"] == 9 and r["from"] == ["client", 7] for r in lines[:3])'
}

@test "-n, -k and -z override HAGG_PLAN" {
    seq 5 >v.txt
    HAGG_PLAN=nowhere.topo run -0 --separate-stderr share_text -o s.cbor v.txt
    assert_equal "$stderr" ""
}

@test "--field and --scheme" {
    seq 5 >v.txt
    hagg-share -n 3 -k 3 -z 2 --scheme additive --field m61 --type i8 --format text -o s.cbor v.txt
    run -0 hagg-inspect --json s.cbor
    assert_json 'all(r["field"] == "m61" and r["scheme"]["name"] == "additive" for r in lines[:3])'
    run -0 --separate-stderr hagg-decode --format text s.cbor
    assert_output "$(seq 5)"
}

@test "gf256 uses bytes unchanged, and sums are XOR" {
    head -c 300 /dev/urandom >a
    head -c 300 /dev/urandom >b
    for i in a b; do
        hagg-share -n 5 -k 3 -z 2 --field gf256 --type u1 -o "$i{}.cbor" $i
    done
    hagg-decode --format raw -o a.out a2.cbor a3.cbor a5.cbor
    run -0 cmp a a.out
    for u in 1 3 4; do
        hagg-aggregate a$u.cbor b$u.cbor -o sum$u.cbor
    done
    hagg-decode --format raw -o sum.out sum1.cbor sum3.cbor sum4.cbor
    "$HAGG_PYTHON" -c '
a, b, c = (open(f, "rb").read() for f in ("a", "b", "sum.out"))
assert bytes(x ^ y for x, y in zip(a, b)) == c'
}

@test "-z shares are uniform: those of a constant vector are not constant" {
    npy v.npy 'np.zeros(10000, dtype="i4")'
    plainly -o 's{}.cbor' v.npy
    # with z = 1 each share is uniform: few of the 256 values of a byte do not occur
    "$HAGG_PYTHON" -c '
for u in (1, 2, 3):
    body = open(f"s{u}.cbor", "rb").read()[-40017:-17]
    assert len(set(body[0::4])) == 256 and body.count(0) < 400'
}

# --- quantisation

@test "NaN, infinity and values beyond the clip are errors that name the index" {
    printf '%s\n' 0.5 nan >nan.txt
    printf '%s\n' 0.5 0.25 -inf >inf.txt
    printf '%s\n' 0.5 0.25 1 -1.5 >big.txt
    npy nan.npy 'np.array([[0, 1], [np.nan, 0]], dtype="f4")'
    unchanged 3 plainly --quantize bits=16,clip=1 -o s.cbor nan.txt
    assert_message "nan.txt: element 1 is not a number"
    unchanged 3 plainly --quantize bits=16,clip=1 -o s.cbor nan.npy
    assert_message "nan.npy: element 2 is not a number"
    unchanged 3 plainly --quantize bits=16,clip=1 --clip -o s.cbor inf.txt
    assert_message "inf.txt: element 2 is infinite"
    unchanged 3 plainly --quantize bits=16,clip=1 -o s.cbor big.txt
    assert_message "big.txt: element 3 is beyond the clip of 1: scale the vector or use --clip"
}

@test "an index beyond the first block is reported correctly" {
    npy v.npy 'np.where(np.arange(100000) == 77777, np.inf, 0)'
    unchanged 3 plainly --quantize bits=16,clip=1 -o s.cbor v.npy
    assert_message "v.npy: element 77777 is infinite"
}

@test "--clip clips values and reports how many" {
    printf '%s\n' 0.5 7 -1.5 >v.txt
    run -0 --separate-stderr plainly --quantize bits=16,clip=1 --clip -o s.cbor v.txt
    assert_message "2 elements were clipped"
    run -0 --separate-stderr hagg-decode --format text s.cbor
    assert_line --index 1 1
    assert_line --index 2 -- -1
    printf '%s\n' 0.5 7 >v.txt
    run -0 --separate-stderr plainly --quantize bits=16,clip=1 --clip -o s.cbor v.txt
    assert_message "1 element was clipped"
    run -0 --separate-stderr plainly --quantize bits=16,clip=1 --clip --quiet -o s.cbor v.txt
    assert_equal "$stderr" ""
    printf '%s\n' 0.5 1 >v.txt
    run -0 --separate-stderr plainly --quantize bits=16,clip=1 --clip -o s.cbor v.txt
    assert_equal "$stderr" ""
}

@test "quantised values are those that NumPy computes" {
    npy v.npy 'np.random.default_rng(5).uniform(-2, 2, (7, 11)).astype("f4")'
    plainly --quantize bits=12,clip=2 -o s.cbor v.npy
    hagg-decode -q -o out.npy s.cbor
    assert_numpy 'load("out.npy").shape == (7, 11) and load("out.npy").dtype == "f4"'
    assert_numpy 'np.array_equal(load("out.npy"),
        (np.rint(load("v.npy").astype("f8") / 2 * 2047) * (2 / 2047)).astype("f4"))'
}

@test "numbers become the elements listed in FORMAT.md" {
    local field number quant element n=0

    while IFS='|' read -r field number quant element; do
        # the only share of a constant polynomial is the vector
        printf '%s\n' "$number" >v.txt
        if [ -n "$quant" ]; then
            hagg-share -n 1 -k 1 -z 0 --client 1 --field "$field" --quantize "$quant" v.txt >s.cbor
        else
            hagg-share -n 1 -k 1 -z 0 --field "$field" --type i8 --format text v.txt >s.cbor
        fi
        run -0 "$HAGG_PYTHON" -c '
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

record, = hagg_format.read_stream(open("s.cbor", "rb").read())
print(record.header["to"], *record.elements)' "$HAGG_SOURCE_DIR/tests/format"
        assert_output "['holder', 1] $element"
        n=$((n + 1))
    done < <(awk -F ' *[|] *' '/^## / { here = $0 == "## Numbers" }
        here && /^\| `/ {
            gsub("`", "", $2)
            gsub(", ", ",", $4)
            print $2 "|" $3 "|" $4 "|" $6
        }' "$HAGG_SOURCE_DIR/share-format/FORMAT.md")
    assert_equal "$n" 18
}

@test "stochastic rounding gives one of the two neighbours, and is unbiased" {
    npy v.npy 'np.full(20000, 0.3)'
    plainly --quantize bits=3,clip=1,rounding=stochastic -o s.cbor v.npy
    hagg-decode -q -o out.npy s.cbor
    assert_numpy 'set(np.rint(load("out.npy") * 3)) == {0, 1}'
    assert_numpy 'abs(load("out.npy").mean() - 0.3) < 0.01'
}

@test "integers are exact, with or without a quantisation" {
    npy v.npy 'np.array([-1000000, 0, 3, 1000000], dtype="i8")'
    plainly --quantize bits=4,clip=1 -o s.cbor v.npy
    hagg-decode -o out.npy s.cbor
    assert_numpy 'np.array_equal(load("out.npy"), load("v.npy")) and load("out.npy").dtype == "i8"'
}

@test "text with a type: by its name, or by --format, but never read as raw numbers" {
    printf '%s\n' 1 2 3 4 >v.txt
    cp v.txt v
    plainly --type i4 -o s.cbor v.txt
    run -0 hagg-decode -q --format text s.cbor
    assert_output $'1\n2\n3\n4'
    unchanged 2 plainly --type i4 -o s.cbor v
    assert_message "v: looks like text, but would be read as raw numbers: use --format text, or --format raw"
    plainly --type i4 --format text -o s.cbor v
    run -0 hagg-decode -q --format text s.cbor
    assert_output $'1\n2\n3\n4'
    # eight bytes are two integers
    plainly --type i4 --format raw -o s.cbor v
    run -0 hagg-decode -q --format text s.cbor
    assert_output $'171051569\n171182643'
    printf '\1\0\0\0\2\0\0\0' >raw
    plainly --type i4 -o s.cbor raw
    run -0 hagg-decode -q --format text s.cbor
    assert_output $'1\n2'
}

@test "real numbers need a quantisation" {
    echo 0.5 >v.txt
    unchanged 4 plainly -o s.cbor v.txt
    assert_message "v.txt: has type f8, which needs quantisation: use --quantize, or share integers, for instance text with --type i8"
    plainly --quantize bits=8,clip=1 -o s.cbor v.txt
    plainly --type i4 --format text -o s.cbor <(echo 5)
    # under a plan the command line cannot set one
    sed -i /^quantize/d small.topo
    make_key 1 1
    planned() {
        hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor -o s.cbor "$@"
    }
    unchanged 4 planned v.txt
    assert_message "v.txt: has type f8, which needs quantisation: add a quantize line to small.topo, or share integers, for instance text with --type i8"
    planned --type i4 --format text <(echo 5)
    sed -i '$a quantize bits=8 clip=1' small.topo
    make_key 1 1
    planned v.txt
}

@test "integers that do not fit the field are errors that name the index" {
    printf '%s\n' 0 1073741823 -1073741823 1073741824 >v.txt
    unchanged 3 plainly --type i8 --format text -o s.cbor v.txt
    assert_message "v.txt: element 3 is too large: sums in field 'm31' could overflow"
    seq 254 257 >v.txt
    unchanged 3 plainly --field gf256 --type u2 --format text -o s.cbor v.txt
    assert_message "v.txt: element 2 is too large: sums in field 'gf256' could overflow"
}

@test "integers whose sum over the plan's clients could overflow are errors" {
    # (2^31 - 2) / 2 / 4 clients
    printf '%s\n' 268435455 -268435455 >fits.txt
    printf '%s\n' 0 268435456 >over.txt
    make_key 1 2
    hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor --type i4 --format text \
        -o s.cbor fits.txt
    make_key 2 2
    unchanged 3 hagg-share --plan small.topo --client 2 --round 1 --key key-2.cbor --type i4 \
        --format text -o s.cbor over.txt
    assert_message "over.txt: element 1 is too large: sums in field 'm31' could overflow"
}

@test "an unsigned integer above 2^63 - 1" {
    npy v.npy 'np.array([1, 2**63], dtype="u8")'
    unchanged 3 plainly --field goldilocks -o s.cbor v.npy
    assert_message "v.npy: element 1 exceeds 2^63 - 1"
}

@test "more bits than fit the field are refused" {
    echo 0.5 >v.txt
    unchanged 2 plainly --quantize bits=40,clip=1 -o s.cbor v.txt
    assert_message "values of 40 bits do not fit field 'm31'"
    unchanged 2 plainly --field gf256 --quantize bits=4,clip=1 -o s.cbor v.txt
    assert_message "values of 4 bits do not fit field 'gf256'"
}

@test "--quantize is checked" {
    echo 0.5 >v.txt
    unchanged 2 plainly --quantize bits=8 -o s.cbor v.txt
    assert_message "--quantize:1: 'quantize': needs clip=.."
    unchanged 2 plainly --quantize bits=8,clip=1,foo=2 -o s.cbor v.txt
    assert_message "--quantize:1: 'foo=2': unknown word 'foo': use bits=, levels=, clip=, rounding=, ternary or sign"
}

# --- vectors

@test "raw numbers and text, from standard input too" {
    printf '\1\0\2\0\377\377' >v.raw
    plainly --type i2 -o s.cbor v.raw
    run -0 --separate-stderr hagg-decode --format text s.cbor
    assert_output $'1\n2\n-1'
    plainly --type i2 -o t.cbor - <v.raw
    run -0 --separate-stderr hagg-decode --format text t.cbor
    assert_output $'1\n2\n-1'
}

@test "an empty vector" {
    npy v.npy 'np.zeros((0, 3), dtype="i4")'
    plainly -o s.cbor v.npy
    hagg-decode -o out.npy s.cbor
    assert_numpy 'load("out.npy").shape == (0, 3)'
}

@test "a vector that cannot be read" {
    unchanged 1 plainly -o s.cbor nowhere.npy
    assert_message "nowhere.npy: No such file or directory"
    printf '\1\2\3' >v.raw
    unchanged 3 plainly --type i2 -o s.cbor v.raw
    assert_message "v.raw: has 3 bytes, which is not a multiple of 2, the size of type i2"
    unchanged 3 plainly -o s.cbor v.raw
    assert_message "v.raw: is neither .npy nor text: raw numbers need a type, for instance --type f4"
    npy v.npy 'np.zeros(3, dtype="f4")'
    unchanged 2 plainly --type f8 -o s.cbor v.npy
    assert_message "v.npy: is a .npy file of type f4, not f8: omit --type, or convert the file"
    npy f.npy 'np.asfortranarray(np.zeros((3, 2), dtype="i4"))'
    unchanged 3 plainly -o s.cbor f.npy
    assert_message "f.npy: is in Fortran order: convert it with np.ascontiguousarray and save it again"
    printf '1\nx\n' >v.txt
    unchanged 3 share_text -o s.cbor v.txt
    assert_message "v.txt: line 2: is not an integer"
}

# --- outputs

@test "shares have mode 0600, whatever the umask, and folders with {} are created" {
    umask 000
    seq 5 | share_text -o 'holder-{}/deep-{}/s.cbor'
    for u in 1 2 3; do
        assert_file_permission 600 holder-$u/deep-$u/s.cbor
    done
    assert_no_temporaries
}

@test "one file has the same records as separate files" {
    seq 5 >v.txt
    head -c 100000 /dev/urandom >bytes
    share_text --random-source bytes -o 's{}.cbor' v.txt
    share_text --random-source bytes -o all.cbor v.txt
    share_text --random-source bytes v.txt >out.cbor
    cat s1.cbor s2.cbor s3.cbor >joined.cbor
    run -0 cmp joined.cbor all.cbor
    run -0 cmp joined.cbor out.cbor
}

@test "binary output to a terminal is refused unless -o - is given" {
    seq 5 >v.txt
    run -2 on_terminal hagg-share -n 3 -k 2 -z 1 --type i4 --format text v.txt
    assert_output "hagg-share: standard output is a terminal: redirect it, or use -o FILE, or -o - to write there anyway"$'\r'
    run -0 on_terminal hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o - v.txt
    assert [ "${#output}" -gt 100 ]
}

@test "a full device is an error" {
    seq 5 >v.txt
    to_full() {
        share_text v.txt >/dev/full
    }
    unchanged 1 share_text -o /dev/full v.txt
    assert_message "/dev/full: No space left on device"
    unchanged 1 to_full
    assert_message "standard output: No space left on device"
}

@test "a closed pipe ends the command" {
    npy v.npy 'np.zeros(1000000, dtype="i4")'
    to_closed_pipe() {
        plainly v.npy | head -c 100 >/dev/null
        return "${PIPESTATUS[0]}"
    }
    run -141 --separate-stderr to_closed_pipe
    assert_equal "$stderr" ""
}

@test "if an output cannot be created, the others are unchanged" {
    seq 5 >v.txt
    mkdir s-1 s-3
    echo old >s-1/x.cbor
    echo in the way >s-2
    unchanged 1 share_text -o 's-{}/x.cbor' v.txt
    assert_message "s-2: is not a directory: move it away, or name another output"
}

@test "the end of the random source is an error, and no output is left" {
    seq 5 >v.txt
    printf abc >bytes
    unchanged 1 share_text --random-source bytes -o 's{}.cbor' v.txt
    assert_message "bytes: ends too early: give a random source with more bytes"
}

@test "no byte of the random source is used for both rounding and shares" {
    # rounding uses 4 bytes per element, and shares at least as many
    npy v.npy 'np.full(1000, 0.3)'
    head -c 4100 /dev/urandom >bytes
    plainly --quantize bits=8,clip=1 --random-source bytes -o s.cbor v.npy
    unchanged 1 plainly --quantize bits=8,clip=1,rounding=stochastic --random-source bytes -o s.cbor v.npy
    assert_message "bytes: ends too early: give a random source with more bytes"
}

@test "--threads changes nothing in the output" {
    npy v.npy 'np.random.default_rng(1).integers(-1000, 1000, 300001)'
    head -c 8000000 /dev/urandom >bytes
    for threads in 1 2 3; do
        hagg-share -n 5 -k 4 -z 2 --random-source bytes --threads $threads -o "t$threads.cbor" v.npy
    done
    run -0 cmp t1.cbor t2.cbor
    run -0 cmp t1.cbor t3.cbor
}

@test "--progress and --no-progress are accepted, and short runs show no progress" {
    seq 5 >v.txt
    run -0 --separate-stderr share_text --progress -o s.cbor v.txt
    assert_equal "$stderr" ""
    run -0 --separate-stderr share_text --no-progress -o s.cbor v.txt
    assert_equal "$stderr" ""
}

# --- usage errors

@test "combinations of options" {
    run -2 --separate-stderr hagg-share v
    assert_usage "use --plan (or HAGG_PLAN), or -n, -k and -z"
    run -2 --separate-stderr hagg-share --plan small.topo -n 3 v
    assert_usage "-n, -k, -z, --field, --scheme and --quantize are set by the plan: omit them, or use --plan '' to share without a plan"
    for line in "-z 1" "--field m31" "--scheme ramp" "--quantize bits=8,clip=1"; do
        run -2 --separate-stderr hagg-share --plan small.topo $line v
        assert_usage "-n, -k, -z, --field, --scheme and --quantize are set by the plan: omit them, or use --plan '' to share without a plan"
    done
    for line in "-n 3 -k 2" "-n 3 -z 1" "-k 2 -z 1" "-z 1" "--field m31"; do
        run -2 --separate-stderr hagg-share $line v
        assert_usage "without a plan, -n, -k and -z are required"
    done
    # HAGG_PLAN sets them too, unless -n, -k and -z are given
    export HAGG_PLAN=small.topo
    echo 5 >v
    for line in "--field m31" "--quantize bits=8,clip=1"; do
        run -2 --separate-stderr hagg-share $line v
        assert_usage "-n, -k, -z, --field, --scheme and --quantize are set by the plan: omit them, or use --plan '' to share without a plan"
    done
    run -2 --separate-stderr hagg-share --plan '' --field m31 v
    assert_usage "without a plan, -n, -k and -z are required"
    hagg-share --plan '' -n 3 -k 2 -z 1 --type i4 --format text -o one.cbor v
    hagg-share -n 3 -k 2 -z 1 --type i4 --format text -o two.cbor v
    rm one.cbor two.cbor
    unset HAGG_PLAN
    run -2 --separate-stderr hagg-share -n 3 -k 2 -z 1 --key k v
    assert_usage "--key requires a plan"
    run -2 --separate-stderr hagg-share --plan small.topo --client 1 --key k v
    assert_usage "with a plan, --round and either --client or --clients are required"
    run -2 --separate-stderr hagg-share --plan small.topo --client 1 --round 1 v
    assert_message "small.topo: has protocol keys, so --key is required: make a key with hagg-keygen"
    assert_output ""
    run -2 --separate-stderr hagg-share --plan small.topo --client 1 --round 1 --key -
    assert_usage "key and vector cannot both be read from standard input"
    run -2 --separate-stderr plainly a b
    assert_usage "only one vector is accepted: 'b' is extra"
}

@test "option values are checked" {
    run -2 --separate-stderr hagg-share -n 0
    assert_usage "-n must be a number from 1 to 65535, not '0'"
    run -2 --separate-stderr hagg-share -k x
    assert_usage "-k must be a number from 1 to 65535, not 'x'"
    run -2 --separate-stderr hagg-share -z -1
    assert_usage "-z must be a number from 0 to 65535, not '-1'"
    run -2 --separate-stderr hagg-share --samples x
    assert_usage "--samples must be a number from 0 to 9223372036854775807, not 'x'"
    run -2 --separate-stderr hagg-share --threads 0
    assert_usage "--threads must be a number from 1 to 256, not '0'"
    run -2 --separate-stderr hagg-share --type q
    assert_usage "unknown type 'q': use f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8"
    run -2 --separate-stderr hagg-share --format q
    assert_usage "unknown format 'q': use npy, raw or text"
}

@test "numbers that the scheme or the field does not support" {
    seq 5 >v.txt
    unchanged 2 hagg-share -n 3 -k 2 -z 2 --type i4 --format text -o s.cbor v.txt
    assert_message "scheme 'ramp' with n = 3, k = 2, z = 2: n must be at most 65535, k from 1 to n, and z below k"
    unchanged 2 hagg-share -n 256 -k 2 -z 1 --field gf256 --type u1 --format text -o s.cbor v.txt
    assert_message "field 'gf256' does not have 256 distinct points other than zero"
    unchanged 2 share_text --field prime:p=8 -o s.cbor v.txt
    assert_message "field 'prime:p=8': p is not prime"
    unchanged 1 share_text --field nowhere -o s.cbor v.txt
    assert_message "no plugin for field 'nowhere': install hagg-field-nowhere.so, or add its directory to HAGG_PLUGIN_PATH"
    unchanged 1 share_text --scheme nowhere -o s.cbor v.txt
    assert_message "no plugin for scheme 'nowhere': install hagg-scheme-nowhere.so, or add its directory to HAGG_PLUGIN_PATH"
}

# --- the digest of the plan

@test "--plan-digest accepts the plan with this digest, however it is written" {
    make_key 1 3
    seq 3 >v.txt
    digits=$(hagg-plan --digest small.topo)
    for digest in "$digits" "${digits// /}" "${digits// /:}" "${digits^^}" " ${digits// / : } "; do
        run -0 --separate-stderr hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor \
            --plan-digest "$digest" --type i4 --format text -o 's-{}.cbor' v.txt
        assert_equal "$stderr" ""
        assert [ -e s-1.cbor ]
        rm s-?.cbor
    done
}

@test "--plan-digest refuses another plan" {
    make_key 1 3
    seq 3 >v.txt
    digits=$(hagg-plan --digest small.topo)
    { grep -v minimum small.topo; echo "minimum 1"; } >weak.topo
    weak=$(hagg-plan --digest weak.topo)
    unchanged 6 hagg-share --plan weak.topo --client 1 --round 1 --key key-1.cbor \
        --plan-digest "$digits" --type i4 --format text -o 's-{}.cbor' v.txt
    assert_message "weak.topo: is not the plan of --plan-digest: its digest is $weak: get the right plan"
    # also if only the last digit differs
    last=${digits: -1}
    unchanged 6 hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor \
        --plan-digest "${digits%?}$(printf %x $(((0x$last + 1) % 16)))" --type i4 --format text -o 's-{}.cbor' v.txt
    assert_message "small.topo: is not the plan of --plan-digest: its digest is $digits: get the right plan"
}

@test "--plan-digest needs all digits, and a plan" {
    seq 3 >v.txt
    digits=$(hagg-plan --digest small.topo)
    for digest in "" "${digits:0:39}" "${digits%?}" "${digits}0" "${digits%?}g" "0x${digits:2}" "${digits//?/-}"; do
        unchanged 2 hagg-share --plan small.topo --client 1 --round 1 --key k.cbor --plan-digest "$digest" -o s.cbor v.txt
        assert_regex "$stderr" "^hagg-share: --plan-digest must be the 64 hexadecimal digits that hagg-plan --digest prints, not '$digest'"
    done
    unchanged 2 plainly --plan-digest "$digits" -o s.cbor v.txt
    assert_regex "$stderr" "^hagg-share: --plan-digest requires a plan"
}

@test "a plan under which a single node or a total may reveal a vector needs --unsafe-plan" {
    local relayed="relays 3
station 1-3 via 1-3
transform direct"
    local ends=("stations 3
client 1-4 via 1-3" "stations 3
client 1-4 via 1-3 relays 1-3 keys 1")
    local case settings why

    seq 3 >v.txt
    while IFS='|' read -r case settings why; do
        [ "$case" = 0 ] && relays="" || relays=$relayed
        printf '%s\n' "$settings" "$relays" "${ends[case]}" "protocol keys" | sed 's/;/\n/' >weak.topo
        make_key 1 3 1 weak.topo
        TOOL=hagg-share
        unchanged 6 hagg-share --plan weak.topo --client 1 --round 1 --key key-1.cbor --type i4 --format text -o 's-{}.cbor' v.txt
        assert_message "weak.topo: $why"
        TOOL=hagg-round
        unchanged 6 hagg-round --emit make --round 1 --vectors 'v{}.txt' --length 3 --type i4 --format text --workdir w weak.topo
        assert_message "weak.topo: $why"
        run -0 hagg-round --unsafe-plan --emit make --round 1 --vectors 'v{}.txt' --length 3 --type i4 --format text --workdir w weak.topo
        for i in 1 2 3 4; do
            make_key $i 3 1 weak.topo
            hagg-share --unsafe-plan --plan weak.topo --client $i --round 1 --key key-$i.cbor --type i4 --format text -o "station-{}/$i.cbor" v.txt
        done
        for command in "hagg-aggregate --station 2 --only shares" "hagg-roster --clients 1-4 --round 1"; do
            TOOL=${command%% *}
            files=()
            [ $TOOL = hagg-roster ] || files=(station-2/*.cbor)
            unchanged 6 $command --plan weak.topo -o out.cbor "${files[@]}"
            assert_message "weak.topo: $why"
            $command --unsafe-plan --plan weak.topo -o out.cbor "${files[@]}"
            rm out.cbor
        done
        rm -r station-*
        forget
    done <<'END'
0|collude partial stations=0|the collude line has stations=0, so a single station may learn vectors or parts of them: use stations=1 or more
0|collude full stations=0|the collude line has stations=0, so a single station may learn vectors or parts of them: use stations=1 or more
1|collude partial stations=1 relays=0|the collude line has relays=0, so a single relay may learn sums or parts of them: use relays=1 or more
0|collude partial clients=1;minimum 2|with minimum 2 and clients=1 in the collude line, a total may reveal the vector of one client: use minimum 3 or more
0|minimum 1|with minimum 1 and clients=0 in the collude line, a total may reveal the vector of one client: use minimum 2 or more
END
}
