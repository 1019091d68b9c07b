#!/usr/bin/env bats
# hagg-transform, as hagg-transform(1) describes it.

load common

TOOL=hagg-transform
load round
load transform

setup_file() {
    common_setup_file
}

setup() {
    begin_transform
}

@test "direct: with files between nodes, and any k of the new shares decode" {
    contribute "${NEW[@]}"
    assert_file_not_exists relay-1/from-4.cbor
    finish relay 1 2 3 4 5
    run -0 hagg-inspect --json new-?.cbor
    assert_json 'all(r["layout"] == [2] and r["kind"] == "share" for r in lines[:5])'
    assert_json '[(r["to"], r["scheme"]["index"]) for r in lines[:5]] == [
        (["relay", m], m - 1) for m in range(1, 6)]'
    assert_json 'all([r["scheme"][x] for x in "nkz"] == [5, 4, 2] for r in lines[:5])'
    assert_total new-?.cbor
    assert_total new-1.cbor new-2.cbor new-4.cbor new-5.cbor
    run -5 --separate-stderr hagg-decode --format text new-1.cbor new-3.cbor new-5.cbor
    assert_output ""
}

@test "transport: contributions are collected and passed on before they are finished" {
    contribute "${NEW[@]}" --method transport
    collect 1 2 3 4 5
    finish to 1 2 3 4 5
    run -0 hagg-inspect --json new-?.cbor
    assert_json 'all("layout" not in r and r["kind"] == "share" for r in lines[:5])'
    assert_total new-?.cbor
    assert_total new-2.cbor new-3.cbor new-4.cbor new-5.cbor
}

@test "transport to more holders with the same k and z keeps the old shares" {
    contribute --holders 1-6 -k 3 -z 1 --method transport
    collect 1 2 3 4 5 6
    finish to 1 2 3 4 5 6
    assert_total new-?.cbor
    assert_total new-1.cbor new-5.cbor new-6.cbor
    hagg-inspect --json sum-?.cbor new-?.cbor >all.json
    run -0 cat all.json
    assert_json 'len(lines) > 10 and all(lines[u]["scheme"]["point"] == lines[4 + u]["scheme"]["point"]
        and lines[u]["elements"] == lines[4 + u]["elements"] for u in range(4))'
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" <<'END_PYTHON'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

def payload(path):
    return hagg_format.read_stream(open(path, "rb").read())[0].elements.tolist()

assert all(payload(f"sum-{u}.cbor") == payload(f"new-{u}.cbor") for u in (1, 2, 3, 4))
END_PYTHON
}

@test "forward: new holders get the same shares, through all steps" {
    contribute --holders 7,5,9 -k 3 -z 1 --tier cloud --method forward
    run -0 ls -d relay-*
    assert_output $'relay-5\nrelay-7\nrelay-9'
    run -0 hagg-inspect --json relay-7/from-1.cbor relay-5/from-2.cbor relay-9/from-3.cbor
    assert_json '[r["to"] for r in lines[:3]] == [["cloud", 7], ["cloud", 5], ["cloud", 9]]'
    assert_json 'all(r["scheme"]["n"] == 3 and r["scheme"]["point"] == i + 1
        for i, r in enumerate(lines[:3]))'
    assert_total relay-?/*.cbor
    cat relay-?/*.cbor | hagg-transform --step collect | hagg-transform --step finish >all.cbor
    cat relay-?/*.cbor | cmp - all.cbor
}

@test "shares are shared again by default, even with the same n, k and z" {
    hagg-transform --step contribute --holders 1-4 -k 3 -z 1 sum-1.cbor -o same.cbor
    hagg-transform --step contribute --holders 1-4 -k 3 -z 2 sum-1.cbor -o other.cbor
    hagg-transform --step contribute --holders 1-5 -k 3 -z 1 sum-1.cbor -o more.cbor
    hagg-transform --step contribute --holders 1-4 -k 3 -z 1 --points 2-5 sum-1.cbor -o points.cbor
    run -0 hagg-inspect --json same.cbor other.cbor more.cbor points.cbor
    assert_json '[r["kind"] for r in lines[:-1]] == ["transfer"] * 17'
    assert_json 'all("carrier" not in r for r in lines)'
}

@test "one pipeline for all nodes, by any method" {
    local method

    for method in direct transport; do
        cat sum-?.cbor | hagg-transform --step contribute "${NEW[@]}" --method $method >sent.cbor
        if [ $method = transport ]; then
            hagg-transform --step collect <sent.cbor | hagg-transform --step finish >new.cbor
        else
            hagg-transform --step finish <sent.cbor >new.cbor
        fi
        hagg-aggregate <new.cbor >sums.cbor
        assert_total sums.cbor
    done
}

@test "the sum of transformed shares is a transformed sum" {
    share 3 "100 100 100 100 100 100 100"
    cat station-?/client-3.cbor | hagg-transform --step contribute "${NEW[@]}" |
        hagg-transform --step finish >third.cbor
    cat sum-?.cbor | hagg-transform --step contribute "${NEW[@]}" |
        hagg-transform --step finish >two.cbor
    hagg-aggregate two.cbor third.cbor -o sums.cbor
    run -0 --separate-stderr hagg-decode --format text sums.cbor
    assert_output $'111\n122\n133\n144\n155\n166\n177'
    assert_equal "$stderr" "hagg-decode: round 1: total of 3 clients: 1-3"
}

@test "transformed shares can be transformed again, and then extended" {
    cat sum-?.cbor | hagg-transform --step contribute --holders 1-4 -k 3 -z 1 --method direct |
        hagg-transform --step finish >once.cbor
    hagg-transform --step contribute --holders 1-3 -k 3 -z 0 --tier cloud once.cbor |
        hagg-transform --step finish >twice.cbor
    run -0 hagg-inspect --json twice.cbor
    assert_json 'all(r["layout"] == [2, 2] and r["to"][0] == "cloud" for r in lines[:3])'
    assert_total twice.cbor
    hagg-transform --step contribute --holders 1-6 -k 3 -z 1 --method transport once.cbor |
        hagg-transform --step collect | hagg-transform --step finish -o 'extended-{}.cbor'
    # exactly k shares, some forwarded and some new
    assert_total extended-1.cbor extended-5.cbor extended-6.cbor
    assert_total extended-?.cbor
}

@test "--from names the old holders that take part" {
    contribute "${NEW[@]}" --from 1,3-4
    run -0 ls relay-1
    assert_output $'from-1.cbor\nfrom-3.cbor\nfrom-4.cbor'
    finish relay 1 2 3 4
    assert_total new-?.cbor
}

@test "--points and --scheme set those of the new sharing" {
    cat sum-?.cbor | hagg-transform --step contribute "${NEW[@]}" --points 9,7,1-2,2147483646 |
        hagg-transform --step finish >new.cbor
    run -0 hagg-inspect --json new.cbor
    assert_json '[r["scheme"]["point"] for r in lines[:5]] == [9, 7, 1, 2, 2147483646]'
    assert_total new.cbor
    cat sum-?.cbor | hagg-transform --step contribute --holders 1-3 -k 3 -z 2 --scheme additive |
        hagg-transform --step finish >new.cbor
    run -0 hagg-inspect --json new.cbor
    assert_json 'all(r["scheme"]["name"] == "additive" and "point" not in r["scheme"]
        for r in lines[:3])'
    assert_total new.cbor
}

@test "a random source is read in order, and transfers have no mix" {
    yes | head -c 8000 >bytes
    cat sum-?.cbor | hagg-transform --step contribute "${NEW[@]}" --random-source bytes >a.cbor
    cat sum-?.cbor | hagg-transform --step contribute "${NEW[@]}" --random-source bytes >b.cbor
    run -0 cmp a.cbor b.cbor
    run -0 hagg-inspect --json a.cbor
    assert_json 'all("mix" not in r for r in lines)'
    hagg-transform --step finish a.cbor -o new.cbor
    assert_total new.cbor
    head -c 3 bytes >short
    unchanged 1 hagg-transform --step contribute "${NEW[@]}" --random-source short -o x.cbor sum-1.cbor
    assert_message "short: ends too early: give a random source with more bytes"
}
