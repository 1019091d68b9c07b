#!/usr/bin/env bats
# Runs the examples in the manual pages, and compares the output.

load common

setup_file() {
    common_setup_file
}

# Extracts the examples of a page into the current directory.
take_examples() {
    page_text "$HAGG_SOURCE_DIR/man/$1" >"$BATS_TEST_TMPDIR/page.txt"
    "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/man_examples.py" "$BATS_TEST_TMPDIR/page.txt" .
}

# Runs all sessions of the current directory in the given directory.
run_sessions() {
    local here=$PWD session

    for session in "$here"/*.sh; do
        cd "$1"
        run -0 bash "$session"
        cd "$here"
        assert_equal "$output" "$(cat "${session%.sh}.txt")"
    done
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/examples"
    cd "$BATS_TEST_TMPDIR/examples"
}

@test "every page with examples is tested below" {
    run -0 bash -c "cd '$HAGG_SOURCE_DIR/man' && grep -l '^\.Sh EXAMPLES' *.[0-9]"
    assert_output "hagg-aggregate.1
hagg-audit.1
hagg-cost.1
hagg-decode.1
hagg-format.5
hagg-identities.5
hagg-inspect.1
hagg-keygen.1
hagg-open.1
hagg-plan.1
hagg-plugin.3
hagg-roster.1
hagg-round.1
hagg-scheme-staircase.7
hagg-seal.1
hagg-share.1
hagg-topology.5
hagg-transform.1
hagg.1"
}

@test "hagg(1): examples" {
    take_examples hagg.1
    run_sessions "$PWD"
}

@test "hagg-scheme-staircase(7): examples" {
    take_examples hagg-scheme-staircase.7
    run_sessions "$PWD"
}

@test "hagg-transform(1): examples" {
    take_examples hagg-transform.1
    run_sessions "$PWD"
}

@test "hagg-cost(1): examples" {
    take_examples hagg-cost.1
    run_sessions "$PWD"
}

@test "hagg-roster(1): examples" {
    take_examples hagg-roster.1
    run_sessions "$PWD"
}

@test "hagg-round(1): examples" {
    take_examples hagg-round.1
    run_sessions "$PWD"
}

@test "hagg-plan(1): examples" {
    take_examples hagg-plan.1
    run_sessions "$PWD"
}

@test "hagg-audit(1): examples" {
    take_examples hagg-audit.1
    run_sessions "$PWD"
}

@test "hagg-inspect(1): examples" {
    take_examples hagg-inspect.1
    cp -r "$VECTORS" vectors
    run_sessions "$PWD/vectors"
}

@test "hagg-keygen(1): examples" {
    take_examples hagg-keygen.1
    run_sessions "$PWD"
}

@test "hagg-seal(1): examples" {
    take_examples hagg-seal.1
    run_sessions "$PWD"
}

@test "hagg-open(1): examples" {
    take_examples hagg-open.1
    run_sessions "$PWD"
}

@test "hagg-share(1): examples" {
    take_examples hagg-share.1
    run_sessions "$PWD"
}

@test "hagg-aggregate(1): examples" {
    take_examples hagg-aggregate.1
    run_sessions "$PWD"
}

@test "hagg-decode(1): examples" {
    take_examples hagg-decode.1
    run_sessions "$PWD"
}

@test "hagg-identities(5): examples" {
    take_examples hagg-identities.5
    run_sessions "$PWD"
}

@test "hagg-topology(5): examples" {
    take_examples hagg-topology.5
    run_sessions "$PWD"
}

@test "hagg-format(5): examples" {
    take_examples hagg-format.5
    run_sessions "$VECTORS"
}

# Builds the plugins of hagg-plugin(3) with the commands given there.
build_plugins() {
    cat >hagg.pc <<END
conformance=${HAGG_CONFORMANCE:?is the path of plugin-conformance}
Name: hagg
Description: the headers of the source tree
Version: 0
Cflags: -I$HAGG_SOURCE_DIR/plugins/include
END
    export PKG_CONFIG_PATH=$PWD
    take_examples hagg-plugin.3
    run_sessions "$PWD"
    assert_file_exists hagg-field-m17.so
    assert_file_exists hagg-scheme-shamir.so
}

@test "hagg-plugin(3): its plugins compile without a warning" {
    take_examples hagg-plugin.3
    for source in hagg-field-m17.c hagg-scheme-shamir.c; do
        run -0 "${CC:-cc}" -std=c17 -O2 -Wall -Wextra -Wshadow -Wcast-qual -Wvla \
            -Wmissing-prototypes -I"$HAGG_SOURCE_DIR/plugins/include" -fsyntax-only "$source"
        assert_output ""
    done
}

@test "hagg-plugin(3): its commands build its plugins, and these conform" {
    build_plugins
    run -0 tail -n 1 report
    assert_output --regexp '^[1-9][0-9]* passed, 0 failed$'
}

@test "hagg-plugin(3): hagg-inspect uses its field and scheme" {
    build_plugins
    record share field=m17 size=4 'elements=[0,1,131070]' \
        'scheme={"name":"shamir","n":3,"k":2,"z":1,"index":1,"point":2}' >share.cbor
    run -0 --separate-stderr hagg-inspect --json share.cbor
    assert_json 'lines[0]["check"] == "digest"'
    HAGG_PLUGIN_PATH=$PWD run -0 --separate-stderr hagg-inspect --json share.cbor
    assert_json 'lines[0]["check"] == "ok"'
    assert_equal "$stderr" ""
}

@test "hagg-plugin(3): its field detects an element that is not canonical" {
    build_plugins
    record field=m17 size=4 'elements=[5,131071]' >vector.cbor
    HAGG_PLUGIN_PATH=$PWD run -3 --separate-stderr hagg-inspect --json vector.cbor
    assert_equal "$stderr" \
        "hagg-inspect: vector.cbor: record 1 (byte 0): element 1 is not an element of field 'm17'"
}

@test "hagg-plugin(3) names every member of the structures in the header" {
    # a member is the last name of a declaration, or the name in (*name)
    awk '/^struct hagg_/ { inside = 1; next } /^}/ { inside = 0 } inside' \
        "$HAGG_SOURCE_DIR/plugins/include/hagg/plugin.h" |
        sed -n -e 's/.*(\*\([a-z_]*\))(.*/\1/p' \
            -e 's/^    \(const \)\{0,1\}[a-z0-9_]* \*\{0,1\}\([a-z_]*\);.*/\2/p' >members
    assert [ "$(wc -l <members)" -ge 32 ]
    while read -r member; do
        run -0 grep -E "^\.It .*(Va|Fn) ([a-z_]+ , )?$member( |\$)|^\.Va $member( |\$)" \
            "$HAGG_SOURCE_DIR/man/hagg-plugin.3"
    done <members
}
