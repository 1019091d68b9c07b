#!/usr/bin/env bats
# Files after failed system calls, or after a command was killed; see inject.py.

load ../cli/common

setup_file() {
    common_setup_file
}

setup() {
    unset HAGG_PLAN
}

# inject COMMAND errors|signals|kills COUNT [named] [sealed] [seeds]: checks that at least COUNT calls are tested.
inject() {
    run -0 "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/faults/inject.py" "$1" "$2" "${@:4}"
    assert_output --regexp "^[0-9]+ $2(, [0-9]+ refused)?\$"
    assert [ "${output%% *}" -ge "$3" ]
}

@test "strace is installed and can inject errors" {
    run -1 strace -e inject=unlink:error=EIO -o /dev/null unlink nowhere
    assert_output --partial "Input/output error"
}

@test "hagg-keygen: errors leave no file" {
    inject keygen errors 12
}

@test "hagg-keygen: killed anywhere, it leaves no file or the whole one" {
    inject keygen kills 8
}

@test "hagg-keygen --identity: errors leave no file" {
    inject identity errors 15
}

@test "hagg-keygen --identity: killed anywhere, it leaves no private key or the whole one, and none that others can read" {
    inject identity kills 12
}

@test "hagg-keygen --identity without support for files without a name: errors" {
    inject identity errors 10 named
}

@test "hagg-keygen --identity without support for files without a name: killed anywhere" {
    inject identity kills 8 named
}

@test "hagg-share, sealed: errors leave all files as they were" {
    inject share errors 55 sealed
}

@test "hagg-share, sealed: killed anywhere, it leaves old files or new ones, and another run gives the same bytes" {
    inject share kills 35 sealed
}

@test "hagg-keygen, a key that is a seed: killed anywhere, it leaves no file or the whole one" {
    inject keygen kills 8 sealed seeds
}

@test "hagg-share, seeds: errors leave all files as they were" {
    inject share errors 55 sealed seeds
}

@test "hagg-share, seeds: killed anywhere, it leaves old files or new ones, and another run gives the same bytes" {
    inject share kills 35 sealed seeds
}

@test "hagg-aggregate, seeds: errors leave all files as they were" {
    inject station errors 40 sealed seeds
}

@test "hagg-aggregate, sealed: errors leave all files as they were" {
    inject station errors 40 sealed
}

@test "hagg-aggregate, sealed: killed anywhere, it leaves old files or new ones, and no sum without an entry in the state" {
    inject station kills 24 sealed
}

@test "hagg-aggregate --pass-on: errors leave all files as they were" {
    inject courier errors 20 sealed
}

@test "hagg-aggregate --pass-on: terminated anywhere, it leaves all old files or all new ones" {
    inject courier signals 12 sealed
}

@test "hagg-aggregate --pass-on: killed anywhere, it leaves old files or new ones" {
    inject courier kills 12 sealed
}

@test "hagg-roster, sealed: errors leave no file" {
    inject roster errors 45 sealed
}

@test "hagg-roster, sealed: killed anywhere, it leaves no file or the whole one, and no roster without an entry" {
    inject roster kills 26 sealed
}

@test "hagg-decode, sealed: errors leave the file as it was" {
    inject decode errors 28 sealed
}

@test "hagg-share: errors leave all files as they were" {
    inject share errors 150
}

@test "hagg-share: terminated anywhere, it leaves all old files or all new ones" {
    inject share signals 90
}

@test "hagg-share: killed anywhere, it leaves old files or new ones, and no share without an entry in the state" {
    inject share kills 90
}

@test "hagg-share of many clients: errors leave all files as they were, and no sheet behind" {
    inject many errors 80
}

@test "hagg-share of many clients: killed anywhere, it leaves old files or new ones, and no share without an entry" {
    inject many kills 60
}

@test "hagg-aggregate: errors leave all files as they were" {
    inject aggregate errors 90
}

@test "hagg-aggregate: terminated anywhere, it leaves all old files or all new ones" {
    inject aggregate signals 50
}

@test "hagg-aggregate: killed anywhere, it leaves old files or new ones, and no sum without an entry in the state" {
    inject aggregate kills 50
}

@test "hagg-roster: errors leave no file" {
    inject roster errors 30
}

@test "hagg-roster: killed anywhere, it leaves no file or the whole one, and no roster without an entry in the state" {
    inject roster kills 20
}

@test "hagg-decode: errors leave the file as it was" {
    inject decode errors 45
}

@test "hagg-decode: killed anywhere, it leaves the old file or the new one, and no total without an entry in the state" {
    inject decode kills 28
}

@test "hagg-share without support for files without a name: errors" {
    inject share errors 100 named
}

@test "hagg-share without support for files without a name: killed anywhere" {
    inject share kills 60 named
}

@test "hagg-decode without support for files without a name: errors" {
    inject decode errors 30 named
}

@test "hagg-decode without support for files without a name: killed anywhere" {
    inject decode kills 18 named
}

@test "hagg-cost --measure: a directory that cannot be read completely is an error" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p sent/deep
    seq 3 | hagg-share -n 2 -k 2 -z 1 --type i4 --format text -o "sent/deep/{}.cbor" -
    # the leak detector does not work in a traced process
    export ASAN_OPTIONS=detect_leaks=0
    # two calls for each directory: the entries, and the end
    for n in 1 2 3 4; do
        run -1 --separate-stderr strace -o trace -e inject=getdents64:error=EIO:when=$n \
            hagg-cost --measure sent
        assert_output ""
        assert_regex "$stderr" "^hagg-cost: sent(/deep)?: Input/output error\$"
    done
    run -0 --separate-stderr strace -o trace -e inject=getdents64:error=EIO:when=5 hagg-cost --measure sent
    assert_line --regexp "^in all +2 +6 "
}
