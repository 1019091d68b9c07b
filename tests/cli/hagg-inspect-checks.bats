#!/usr/bin/env bats
# What hagg-inspect refuses, and how it uses plugins, as hagg-inspect(1) describes it.

load common

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

# Checks that standard error is exactly this message.
assert_message() {
    assert_equal "$stderr" "hagg-inspect: $1"
}

# Checks that standard error is one line that matches a pattern.
assert_message_like() {
    assert_equal "${#stderr_lines[@]}" 1
    assert_regex "$stderr" "^hagg-inspect: $1\$"
}

# --- wrong files

@test "an empty file is malformed" {
    : >nothing
    run -3 --separate-stderr hagg-inspect nothing
    assert_message "nothing: is empty: it contains no record"
    assert_equal "${#lines[@]}" 3
    assert_line --index 1 "0 records in 1 file"
    assert_line --index 2 "clients   -"
}

@test "empty standard input is malformed" {
    run -3 --separate-stderr inspect_stdin /dev/null
    assert_message "standard input: is empty: it contains no record"
    assert_line "0 records in 1 file"
}

@test "a missing file" {
    run -1 --separate-stderr hagg-inspect nowhere.cbor
    assert_message "nowhere.cbor: No such file or directory"
    assert_line "0 records in 0 files"
}

@test "a directory" {
    mkdir dir
    run -1 --separate-stderr hagg-inspect dir
    assert_message "dir: is a directory: name the files in it, for instance dir/*.cbor"
    assert_line "0 records in 0 files"
}

@test "a damaged record is detected by its digest" {
    run -3 --separate-stderr hagg-inspect bad/digest-payload-changed.cbor
    assert_message "bad/digest-payload-changed.cbor: record 1 (byte 0): digest does not match, so the record is damaged: get it again"
    assert_line "0 records in 1 file"
}

@test "records before a damaged one are listed" {
    run -3 --separate-stderr hagg-inspect bad/second-damaged.cbor
    assert_message "bad/second-damaged.cbor: record 2 (byte 146): digest does not match, so the record is damaged: get it again"
    assert_line --index 1 --regexp '^   1 share .* ok     bad/second-damaged.cbor$'
    assert_line "1 record in 1 file"
}

@test "a truncated payload" {
    record 'elements=[1,2,3,4,5,6,7,8]' >a.cbor
    truncate -s -20 a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): ends too early, in its payload: get it again"
    assert_line "0 records in 1 file"
}

@test "a truncated header" {
    run -3 --separate-stderr hagg-inspect bad/truncated-key.cbor
    assert_message "bad/truncated-key.cbor: record 1 (byte 0): ends too early, in its header: get it again"
    assert_line "0 records in 1 file"
}

@test "a truncated stream on standard input" {
    truncated() {
        record + | head -c 40 | hagg-inspect
    }
    run -3 --separate-stderr truncated
    assert_message "standard input: record 1 (byte 0): ends too early, in its header: get it again"
    assert_line "0 records in 1 file"
}

@test "a file of another format" {
    echo "REC KIND OF FIELD" >table.txt
    run -3 --separate-stderr hagg-inspect table.txt
    assert_message "table.txt: is not a hagg file"
    assert_line "0 records in 1 file"
}

@test "bytes after the last record" {
    record >a.cbor
    size=$(stat -c %s a.cbor)
    echo >>a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: the data after record 1, from byte $size on, is not a record"
    assert_line "1 record in 1 file"
}

@test "another version of the format" {
    record v=3 >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): unknown format version 3: this hagg reads version 2"
    assert_line "0 records in 1 file"
    run -3 --separate-stderr hagg-inspect bad/version-1-of-its-own.cbor
    assert_message "bad/version-1-of-its-own.cbor: record 1 (byte 0): unknown format version 1: this hagg reads version 2; make the records again"
}

@test "an unknown header field" {
    record surprise=1 >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): field 'surprise' of the header is unknown in this version"
    assert_line "0 records in 1 file"
}

@test "a payload that is shorter than declared" {
    run -3 --separate-stderr hagg-inspect bad/payload-declares-2-30.cbor
    assert_message "bad/payload-declares-2-30.cbor: record 1 (byte 0): ends too early, in its payload: get it again"
    assert_line "0 records in 1 file"
}

@test "an element that is not in the field" {
    run -3 --separate-stderr hagg-inspect bad/element-m31-p.cbor
    assert_message "bad/element-m31-p.cbor: record 1 (byte 0): element 16 is not an element of field 'm31'"
    assert_line "0 records in 1 file"
}

@test "elements of a size that differs from that of the field" {
    record size=2 >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): payload has elements of 2 bytes, but field 'gf256' has 1"
    assert_line "0 records in 1 file"
}

@test "a field whose plugin refuses the parameters" {
    record field=gf256:p=3 >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): field 'gf256:p=3': takes no parameters: remove p"
    assert_line "0 records in 1 file"
}

@test "a share whose length does not fit its scheme" {
    record share length=5 >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): payload has 3 elements, but its scheme requires 5"
    assert_line "0 records in 1 file"
}

@test "a share whose scheme needs a point" {
    record share 'scheme={"name":"ramp","n":3,"k":2,"z":1,"index":1}' >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): scheme 'ramp' needs a point"
    assert_line "0 records in 1 file"
}

@test "a share whose scheme has no points" {
    record share 'scheme={"name":"additive","n":3,"k":3,"z":2,"index":1,"point":2}' >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): scheme 'additive' has no points"
    assert_line "0 records in 1 file"
}

@test "a share whose point is not an element" {
    record share 'scheme={"name":"ramp","n":3,"k":2,"z":1,"index":1,"point":256}' >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): its point is not an element of field 'gf256'"
    assert_line "0 records in 1 file"
}

@test "a share with parameters that its scheme does not support" {
    record share 'scheme={"name":"additive","n":3,"k":2,"z":1,"index":1}' >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message_like "a.cbor: record 1 \(byte 0\): scheme 'additive' with n = 3, k = 2, z = 1: .+"
    assert_line "0 records in 1 file"
}

@test "every bad file gives one line that names it" {
    run -3 --separate-stderr bash -c 'hagg-inspect bad/*.cbor >/dev/null'
    assert_output ""
    sed -E 's/^hagg-inspect: (bad\/[a-z0-9-]+\.cbor): .+/\1/' <<<"$stderr" >told
    ls bad/*.cbor >there
    run -0 diff told there
}

@test "after a bad file the others are inspected" {
    record >a.cbor
    run -3 --separate-stderr hagg-inspect a.cbor bad/digest-wrong.cbor a.cbor
    assert_message "bad/digest-wrong.cbor: record 1 (byte 0): digest does not match, so the record is damaged: get it again"
    assert_line "2 records in 3 files"
}

@test "the exit status is that of the first failure" {
    run -1 --separate-stderr hagg-inspect nowhere.cbor bad/digest-wrong.cbor
    assert_equal "${stderr_lines[0]}" "hagg-inspect: nowhere.cbor: No such file or directory"
    assert_equal "${#stderr_lines[@]}" 2
    run -3 --separate-stderr hagg-inspect bad/digest-wrong.cbor nowhere.cbor
    assert_equal "${stderr_lines[1]}" "hagg-inspect: nowhere.cbor: No such file or directory"
    assert_equal "${#stderr_lines[@]}" 2
}

# --- plugins

@test "for a field without a plugin the digest is checked" {
    record field=nowhere >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor
    assert_line --index 1 --regexp ' nowhere .* digest a.cbor$'
    assert_line "1 record in 1 file, 1 not fully checked because a plugin is missing"
    assert_equal "$stderr" ""
}

@test "for a scheme without a plugin the digest is checked" {
    record share 'scheme={"name":"nowhere","n":3,"k":2,"z":1,"index":1}' >a.cbor
    run -0 --separate-stderr hagg-inspect --json a.cbor
    assert_json 'lines[0]["check"] == "digest" and lines[1]["summary"]["unchecked"] == 1'
    assert_equal "$stderr" ""
}

@test "a damaged record is detected without a plugin too" {
    record field=nowhere 'elements=[7,7,7,7]' >a.cbor
    printf '\x08' | dd of=a.cbor bs=1 seek=$(($(stat -c %s a.cbor) - 18)) conv=notrunc status=none
    run -3 --separate-stderr hagg-inspect a.cbor
    assert_message "a.cbor: record 1 (byte 0): digest does not match, so the record is damaged: get it again"
    assert_line "0 records in 1 file"
}

# Builds a shared object that creates a file called loaded when it is opened.
build_trap() {
    export HAGG_NO_CONFINEMENT=1 # which lets no plugin create a file
    echo '#include <fcntl.h>
__attribute__((constructor)) static void leave_trace(void) { open("loaded", O_CREAT | O_WRONLY, 0600); }' |
        "${CC:-cc}" -x c -shared -fPIC -o "$1" -
}

@test "HAGG_PLUGIN_PATH is searched for plugins first" {
    mkdir plugins
    build_trap plugins/hagg-field-gf256.so
    record >a.cbor
    HAGG_PLUGIN_PATH=$PWD/empty:$PWD/plugins run -0 --separate-stderr hagg-inspect a.cbor
    assert_file_exists loaded
    assert_line --index 1 --regexp ' digest a.cbor$'
    assert_equal "$stderr" ""
}

@test "a relative or empty entry of HAGG_PLUGIN_PATH is refused, and nothing is loaded" {
    mkdir plugins
    build_trap plugins/hagg-field-gf256.so
    cp plugins/hagg-field-gf256.so .
    record >a.cbor
    for entry in plugins . ./plugins ../"${PWD##*/}"/plugins ''; do
        for path in "$entry:" ":$entry" "$PWD/empty:$entry" "$entry:$PWD/empty"; do
            HAGG_PLUGIN_PATH=$path run -6 --separate-stderr hagg-inspect a.cbor
            assert_regex "$stderr" "^hagg-inspect: a.cbor: record 1 \\(byte 0\\): HAGG_PLUGIN_PATH: '.*' is not an absolute path: "
            assert_file_not_exists loaded
        done
    done
    # a variable that is empty as a whole counts as not set
    HAGG_PLUGIN_PATH= run -0 --separate-stderr hagg-inspect a.cbor
    assert_equal "$stderr" ""
}

@test "a plugin with another name than its file is not used" {
    cp "$(find "${HAGG_BUILD_DIR:?is the build tree}" -name hagg-field-gf256.so -print -quit)" hagg-field-other.so
    record field=other >a.cbor
    HAGG_PLUGIN_PATH=$PWD run -0 --separate-stderr hagg-inspect a.cbor
    assert_line --index 1 --regexp ' other .* digest a.cbor$'
    assert_equal "$stderr" ""
}

# Creates shared objects that would be opened if a name were used as a path.
set_traps() {
    mkdir -p plugins/hagg-field-.. plugins/hagg-field- plugins/hagg-scheme-.. plugins/hagg-scheme-
    build_trap x.so
    for place in plugins/hagg-{field,scheme}-{../x,/x,x,}.so plugins/x.so hagg-{field,scheme}-x.so; do
        cp x.so "$place"
    done
    export HAGG_PLUGIN_PATH=$PWD/plugins
}

@test "the name of a field is never a path" {
    set_traps
    for name in ../x /x "" x.so . ./x "$PWD/x" "$(printf 'x%.0s' {1..200})"; do
        record "field=\"$name\"" >a.cbor
        run -3 --separate-stderr hagg-inspect a.cbor
        assert_message "a.cbor: record 1 (byte 0): field '$name' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -"
        assert_line "0 records in 1 file"
        assert_file_not_exists loaded
    done
    # the traps work if the name is valid
    record field=x >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor
    assert_file_exists loaded
}

@test "the name of a scheme is never a path" {
    set_traps
    for name in ../x /x "" x.so . ./x "$PWD/x" "$(printf 'x%.0s' {1..200})"; do
        record share "scheme={\"name\":\"$name\",\"n\":3,\"k\":2,\"z\":1,\"index\":1}" >a.cbor
        run -3 --separate-stderr hagg-inspect a.cbor
        assert_message_like "a.cbor: record 1 \(byte 0\): .*'scheme'.*"
        assert_line "0 records in 1 file"
        assert_file_not_exists loaded
    done
    record share 'scheme={"name":"x","n":3,"k":2,"z":1,"index":1}' >a.cbor
    run -0 --separate-stderr hagg-inspect a.cbor
    assert_file_exists loaded
}
