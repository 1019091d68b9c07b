#!/usr/bin/env bats
# hagg-inspect, as hagg-inspect(1) describes it.

load common

HEADING=" REC KIND     OF     FIELD         ROUND       LENGTH SCHEME         HOLDER       CLIENTS      CHECK  FILE"

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    ln -s "$VECTORS/good" "$VECTORS/bad" .
}

inspect_stdin() {
    hagg-inspect "${@:2}" <"$1"
}

inspect_to_full() {
    hagg-inspect "$@" >/dev/full
}

# many_records N: writes 100 records, of clients 1 to 100 in rounds 0 to 9, and multiplies their number
# by ten N times.
many_records() {
    local words=() i

    for i in {1..100}; do
        words+=(+ "round=$((i % 10))" "clients=[$i,$i]")
    done
    record "${words[@]}" >many.cbor
    for ((i = 0; i < $1; i++)); do
        cat many.cbor many.cbor many.cbor many.cbor many.cbor >half
        cat half half >many.cbor
    done
}

# Checks that standard error is exactly this message.
assert_message() {
    assert_equal "$stderr" "hagg-inspect: $1"
}

# --- table

@test "a table has a heading, one line per record, and a summary" {
    record share round=3 'clients=[1,4,6,6]' + of=key >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor
    assert_output "$HEADING
   1 share    padded gf256             3            3 ramp 3,2,1     station 2    1-4 6        ok     a.cbor
   2 vector   key    gf256             -            3 -              -            -            ok     a.cbor

2 records in 1 file
kinds     share of padded (1)
          vector of key (1)
fields    gf256 (2)
rounds    3 (1)
patterns  station 1-2 5 (1)
clients   1-4 6"
    assert_equal "$stderr" ""
}

@test "a transfer is distinguished from a share, and shows its final holder" {
    run -0 --separate-stderr hagg-inspect good/transfer-direct.cbor good/transfer-carried.cbor
    assert_output "$HEADING
   1 transfer padded m31               -           12 ramp 3,2,1     relay 1      -            ok     good/transfer-direct.cbor
   1 transfer padded m31               -           12 ramp 3,2,1     relay 1      -            ok     good/transfer-carried.cbor

2 records in 2 files
kinds     transfer of padded (2)
fields    m31 (2)
patterns  relay 4 1 9 (2)
clients   -"
    assert_equal "$stderr" ""
}

@test "an entry that is too wide shifts the others to the right" {
    run -0 --separate-stderr hagg-inspect good/limits-of-a-share.cbor
    assert_line --partial " 281474976710656 a-scheme-of-the-future 65535,65535,65534 station 65535 - "
    assert_equal "$stderr" ""
}

@test "the summary counts kinds, fields, rounds and patterns in order of first occurrence" {
    record round=9 + share round=2 + field=other round=9 + share \
        'route=[["station",[1,2,5]],["relay",[2,1,4]]]' >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor
    assert_output --partial "
4 records in 1 file, 1 not fully checked because a plugin is missing
kinds     vector of plain (2)
          share of padded (2)
fields    gf256 (3)
          other (1)
rounds    9 (2)
          2 (1)
patterns  station 1-2 5 (1)
          station 1-2 5 > relay 2 1 4 (1)
clients   -"
    assert_equal "$stderr" ""
}

@test "the summary joins the clients of all records" {
    record 'clients=[4,6]' + 'clients=[1,2,9,9]' + 'clients=[3,3,5,7]' >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor
    assert_line --index 7 "clients   1-7 9"
    assert_equal "$stderr" ""
}

@test "a roster has clients and the node that issued it, and no vector" {
    run -0 --separate-stderr hagg-inspect good/roster.cbor good/roster-report.cbor
    assert_output "$HEADING
   1 roster   -      -                12            - -              federator 1  1-4 6        ok     good/roster.cbor
   1 roster   -      -                12            - -              station 2    3            ok     good/roster-report.cbor

2 records in 2 files
kinds     roster (2)
rounds    12 (2)
clients   1-4 6"
    assert_equal "$stderr" ""
}

@test "a seed is shown as such: a client's own key, and a sealed share" {
    run -0 --separate-stderr hagg-inspect good/seed-own-key.cbor good/sealed-seed-share.cbor
    assert_output "$HEADING
   1 seed     key    m31              12         1000 -              -            3            ok     good/seed-own-key.cbor
   1 seed     padded m31               -       100000 ramp 3,2,1     station 2    3            sealed good/sealed-seed-share.cbor

2 records in 2 files, 1 sealed
kinds     vector of key, as a seed (1)
          share of padded, as a seed (1)
fields    m31 (2)
rounds    12 (1)
patterns  station 1-2 5 (1)
clients   3"
    assert_equal "$stderr" ""
}

@test "a seed that is not sealed is refused, and so is one of another length, sealed or not" {
    run -3 --separate-stderr hagg-inspect bad/seed-share-unsealed.cbor
    assert_message "bad/seed-share-unsealed.cbor: record 1 (byte 0): a record with 'seed' must be sealed, except a key without 'to'"
    for file in seed-of-31-in-1 sealed-seed-of-31-in-1; do
        run -3 --separate-stderr hagg-inspect bad/$file.cbor
        assert_message "bad/$file.cbor: record 1 (byte 0): payload of a record with 'seed' is not 32 elements of 1 byte"
    done
}

# --- JSON

@test "--json of a seed has its mark and the size of the seed" {
    run -0 --separate-stderr hagg-inspect --json good/seed-own-key.cbor good/sealed-seed-share.cbor
    assert_json '[lines[0][key] for key in ("kind", "of", "length", "seed", "elements", "elem_size", "check")] == [
        "vector", "key", 1000, True, 32, 1, "ok"]'
    assert_json '[lines[1][key] for key in ("kind", "of", "length", "seed", "sealed", "elements", "elem_size")] == [
        "share", "padded", 100000, True, True, 32, 1]'
    assert_json '"sealed" not in lines[0] and lines[1]["check"] == "sealed"'
    assert_equal "$stderr" ""
}

@test "--json of a roster has its keys and no others" {
    run -0 --separate-stderr hagg-inspect --json good/roster-report.cbor
    assert_json 'lines[0] == {
        "file": "good/roster-report.cbor", "record": 1, "offset": 0, "v": 2, "kind": "roster",
        "from": ["station", 2], "round": 12, "clients": [[3, 3]], "plan": bytes(range(32)).hex(),
        "elements": 16, "elem_size": 1, "digest": lines[0]["digest"], "check": "ok"}'
    assert_json 'lines[1]["summary"]["kinds"] == {"roster": 1} and lines[1]["summary"]["fields"] == {}'
    assert_equal "$stderr" ""
}

@test "--json prints one object per record, with every header field, and one for the summary" {
    run -0 --separate-stderr hagg-inspect --json good/share-every-field.cbor
    assert_json 'len(lines) == 2'
    assert_json 'lines[0] == {
        "file": "good/share-every-field.cbor", "record": 1, "offset": 0, "v": 2,
        "kind": "share", "of": "padded", "field": "m31", "length": 7, "shape": [2, 3], "type": "f4",
        "samples": True, "quant": {"bits": 16, "clip": 1.0, "rounding": "stochastic"},
        "scheme": {"name": "ramp", "n": 3, "k": 2, "z": 1, "index": 1, "point": 2},
        "route": [["station", [1, 2, 5]]], "from": ["client", 3], "to": ["station", 2], "round": 12,
        "clients": [[3, 3]], "plan": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "id": "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "extensions": ["x-note"], "elements": 7,
        "elem_size": 4, "digest": lines[0]["digest"], "check": "ok"}'
    assert_json 'lines[1] == {"summary": {
        "files": 1, "records": 1, "unchecked": 0, "sealed": 0, "kinds": {"share of padded": 1},
        "fields": {"m31": 1}, "rounds": {"12": 1}, "patterns": {"station 1-2 5": 1},
        "clients": [[3, 3]]}}'
    assert_equal "$stderr" ""
}

@test "--json has layout, source, carrier and mix where the header has them" {
    run -0 --separate-stderr hagg-inspect --json good/transfer-every-field.cbor \
        good/layout-of-two-cuts.cbor good/transfer-collected.cbor
    assert_json '[lines[0][key] for key in ("layout", "source", "carrier", "mix")] == [
        [3, 2], {"name": "ramp", "n": 5, "k": 4, "z": 1, "index": 3, "point": 4}, 2,
        "0708090a0b0c0d0e0f10111213141516"]'
    assert_json 'lines[1]["layout"] == [3, 2] and lines[1]["elements"] == 12'
    assert_json '[sorted({"layout", "source", "carrier", "mix"} & set(line)) for line in lines[1:3]] == [
        ["layout", "mix"], ["carrier"]]'
    assert_equal "$stderr" ""
}

@test "--json omits fields that the header does not have" {
    record >a.cbor
    run -0 --separate-stderr hagg-inspect --json a.cbor
    assert_json 'list(lines[0]) == ["file", "record", "offset", "v", "kind", "of", "field", "length",
        "elements", "elem_size", "digest", "check"]'
    assert_equal "$stderr" ""
}

@test "--json has the digest of the record" {
    record >a.cbor
    run -0 --separate-stderr hagg-inspect --json a.cbor
    assert_json 'lines[0]["digest"] == open("a.cbor", "rb").read()[-16:].hex()'
    assert_equal "$stderr" ""
}

@test "--json has the offset of the record in its file" {
    record >a.cbor
    cat a.cbor a.cbor >b.cbor
    run -0 --separate-stderr hagg-inspect --json a.cbor b.cbor
    assert_json '[(x["file"], x["record"], x["offset"]) for x in lines[:3]] == [
        ("a.cbor", 1, 0), ("b.cbor", 1, 0), ("b.cbor", 2, '"$(stat -c %s a.cbor)"')]'
    assert_equal "$stderr" ""
}

@test "--json keeps numbers of 64 bits exact" {
    run -0 --separate-stderr hagg-inspect --json good/limits-of-a-share.cbor
    assert_json 'lines[0]["scheme"]["point"] == 2**64 - 1 and lines[0]["length"] == 2**48'
    assert_equal "$stderr" ""
}

@test "--json is valid for every good file" {
    run -0 --separate-stderr bash -c 'hagg-inspect --json $(ls good/*.cbor | grep -v empty)'
    assert_json 'lines[-1]["summary"]["records"] == len(lines) - 1 > 90'
    assert_equal "$stderr" ""
}

@test "-j is --json, also after the files" {
    record >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor -j
    assert_json 'lines[0]["file"] == "a.cbor" and len(lines) == 2'
    assert_equal "$stderr" ""
}

# --- input

@test "without a file it reads standard input" {
    record >a.cbor
    run -0 --separate-stderr inspect_stdin a.cbor
    assert_line --index 1 --regexp ' ok     -$'
    assert_line "1 record in 1 file"
    assert_equal "$stderr" ""
}

@test "- is standard input, among other files" {
    record >a.cbor
    run -0 --separate-stderr inspect_stdin a.cbor good/vector-uint8-gf256.cbor - a.cbor
    assert_line --index 1 --regexp ' good/vector-uint8-gf256.cbor$'
    assert_line --index 2 --regexp ' -$'
    assert_line --index 3 --regexp ' a.cbor$'
    assert_line "3 records in 3 files"
    assert_equal "$stderr" ""
}

@test "it reads from a pipe" {
    piped() {
        record share + share | cat | hagg-inspect
        return "${PIPESTATUS[2]}"
    }
    run -0 --separate-stderr piped
    assert_line "2 records in 1 file"
    assert_equal "$stderr" ""
}

@test "files concatenated by cat are a file" {
    record >a.cbor
    record share >b.cbor
    cat a.cbor b.cbor a.cbor >all.cbor
    run -0 --separate-stderr hagg-inspect all.cbor
    assert_line --index 3 --regexp '^   3 vector '
    assert_line "3 records in 1 file"
    assert_line "kinds     vector of plain (2)"
    assert_equal "$stderr" ""
}

@test "a stream of 100000 records" {
    tens=3
    # under valgrind this test would take as long as all others together
    [ "${HAGG_VALGRIND:-}" != 1 ] || tens=2
    many_records "$tens"
    run -0 --separate-stderr inspect_stdin many.cbor --json
    output=${lines[-1]}
    assert_json "lines[0]['summary'] == {
        'files': 1, 'records': 10**(2 + $tens), 'unchecked': 0, 'sealed': 0,
        'kinds': {'vector of plain': 10**(2 + $tens)}, 'fields': {'gf256': 10**(2 + $tens)},
        'rounds': {str(i % 10): 10**(1 + $tens) for i in range(1, 11)}, 'patterns': {},
        'clients': [[1, 100]]}"
    assert_equal "$stderr" ""
}

@test "-- ends the options" {
    record >--json
    run -0 --separate-stderr hagg-inspect -- --json
    assert_line --index 1 --regexp ' --json$'
    assert_equal "$stderr" ""
}

# --- names of files

@test "control characters in a file's name do not reach the terminal" {
    name=$'a\nb\e[31m.cbor'
    record >"$name"
    run -0 --separate-stderr hagg-inspect "$name"
    assert_line --index 1 --regexp ' ok     a\?b\?\[31m\.cbor$'
    assert_equal "$stderr" ""
    echo damage >>"$name"
    run -3 --separate-stderr hagg-inspect "$name"
    assert_equal "${#stderr_lines[@]}" 1
    assert_regex "$stderr" '^hagg-inspect: a\?b\?\[31m\.cbor: the data after record 1'
}

@test "--json preserves any file name" {
    name=$'quote " back\\slash \n \e \x7f ü.cbor'
    record >"$name"
    run -0 --separate-stderr hagg-inspect --json "$name"
    assert_json 'lines[0]["file"] == "quote \" back\\slash \n \x1b \x7f \u00fc.cbor"'
    assert_equal "$stderr" ""
}

@test "--json replaces bytes of a file's name that are not UTF-8" {
    name=$'a\xffb\xc3.cbor'
    record >"$name"
    run -0 --separate-stderr hagg-inspect --json "$name"
    assert_json 'lines[0]["file"] == "a\ufffdb\ufffd.cbor"'
    assert_equal "$stderr" ""
}

# --- output

@test "a full disk is reported once" {
    record >a.cbor
    run -1 --separate-stderr inspect_to_full a.cbor
    assert_message "standard output: No space left on device"
    assert_output ""
}

@test "a disk that fills up in the middle is reported once" {
    many_records 1
    run -1 --separate-stderr inspect_to_full many.cbor many.cbor
    assert_message "standard output: No space left on device"
    assert_output ""
}

@test "closed standard output is reported once" {
    closed() {
        hagg-inspect a.cbor >&-
    }
    record >a.cbor
    run -1 --separate-stderr closed
    assert_message "standard output: Bad file descriptor"
    assert_output ""
}

@test "a closed pipe ends the command without a message" {
    one_line() {
        env --default-signal=PIPE hagg-inspect many.cbor | head -n 1
        return "${PIPESTATUS[0]}"
    }
    many_records 1
    run -141 --separate-stderr one_line
    assert_output "$HEADING"
    # valgrind reports memory in use at the signal as a leak
    assert_equal "$(grep -v '^==' <<<"$stderr")" ""
}

@test "a closed pipe is reported once if SIGPIPE is ignored" {
    one_line() {
        env --ignore-signal=PIPE hagg-inspect many.cbor | head -n 1
        return "${PIPESTATUS[0]}"
    }
    many_records 1
    run -1 --separate-stderr one_line
    assert_output "$HEADING"
    assert_message "standard output: Broken pipe"
}

# --- the command line

@test "--help" {
    run -0 --separate-stderr hagg-inspect --help
    assert_line --index 0 "Usage: hagg-inspect [OPTION...] [RECORDS...]"
    assert_line --index 1 "List and verify the records in share files."
    assert_equal "$stderr" ""
    help=$output
    run -0 --separate-stderr hagg-inspect '-?'
    assert_output "$help"
}

@test "--usage" {
    run -0 --separate-stderr hagg-inspect --usage
    assert_output "Usage: hagg-inspect [-j?V] [--json] [--plan=DIGEST] [--prune-before=ROUND]
            [--state[=DIRECTORY]] [--help] [--usage] [--version] [RECORDS...]"
    assert_equal "$stderr" ""
}

@test "--version" {
    version=$(sed -n 's/^project(hagg VERSION \([0-9.]*\) .*/\1/p' "$HAGG_SOURCE_DIR/CMakeLists.txt")
    for option in --version -V; do
        run -0 --separate-stderr hagg-inspect "$option"
        assert_output "hagg-inspect (hagg) $version"
        assert_equal "$stderr" ""
    done
}

@test "an unknown option" {
    run -2 --separate-stderr hagg-inspect --nonsense
    assert_equal "${stderr_lines[0]}" "hagg-inspect: unrecognized option '--nonsense'"
    assert_output ""
}

@test "a value for an option that accepts none" {
    run -2 --separate-stderr hagg-inspect --json=yes
    assert_equal "${stderr_lines[0]}" "hagg-inspect: option '--json' doesn't allow an argument"
    assert_output ""
}
