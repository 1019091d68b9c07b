#!/usr/bin/env bats
# --help agrees with the manual page.

load common

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# Prints the options of --help, one per line: "-j --json", "--usage", "-n".
help_options() {
    "$1" --help | sed -nE -e 's/^  (-.,)? +(--[a-z0-9-]+)(\[?=.*)?( .*)?$/\1 \2/p' -e 's/^  (-.) [A-Z]+ .*/\1/p' |
        sed 's/,//; s/^ //' | sort
}

# The same from the page: ".It Fl j , Fl -json".
page_options() {
    sed -n '/^\.Sh OPTIONS/,/^\.Sh [^O]/p' "$HAGG_SOURCE_DIR/man/$1.1" | grep '^\.It Fl' |
        sed -E 's/^\.It //; s/( Ns( Op)? = Ns)? Ar [^ ]+//g; s/\\&//g; s/ , / /; s/Fl /-/g' | sort
}

@test "every command has a page, and hagg(7) names it" {
    for tool in $(tool_names); do
        assert_file_exists "$HAGG_SOURCE_DIR/man/$tool.1"
        run -0 grep -F ".It Xr $tool 1" "$HAGG_SOURCE_DIR/man/hagg.7"
    done
}

@test "--help and the page have the same options" {
    for tool in $(tool_names); do
        run -0 help_options "$tool"
        assert_line --regexp '^-\? --help$'
        assert_equal "$output" "$(page_options "$tool")"
    done
}

# The names of values decide how a shell completes them, so they are precise and the same in both.
@test "--help and the page have the same names for the values of options" {
    for tool in $(tool_names); do
        run -0 bash -c "$tool --help | sed -nE 's/^  .*(--[a-z0-9-]+)\[?=([^] ]+).*/\1 \2/p' | tr A-Z a-z | sort"
        assert_equal "$output" "$(sed -n '/^\.Sh OPTIONS/,/^\.Sh [^O]/p' "$HAGG_SOURCE_DIR/man/$tool.1" |
            sed -nE 's/^\.It .*Fl (-[a-z0-9-]+) Ns( Op)? = Ns Ar ([^ ]+)$/-\1 \3/p' | sort)"
    done
}

@test "--usage has the options of --help" {
    for tool in $(tool_names); do
        run -0 help_options "$tool"
        long=$(sed 's/^-. //' <<<"$output" | grep '^--' | sort)
        run -0 bash -c "$tool --usage | tr ' ' '\n' | sed -nE 's/^\[?(--[a-z0-9-]+).*/\1/p' | sort"
        assert_equal "$output" "$long"
    done
}

@test "every plugin has a page, and hagg(7) names it" {
    for source in "$HAGG_SOURCE_DIR"/plugins/{field,scheme}s/*/; do
        kind=$(basename "$(dirname "$source")")
        page=hagg-${kind%s}-$(basename "$source")
        assert_file_exists "$HAGG_SOURCE_DIR/man/$page.7"
        run -0 grep -F ".It Xr $page 7" "$HAGG_SOURCE_DIR/man/hagg.7"
    done
}

@test "every page is installed" {
    run -0 bash -c "cd '$HAGG_SOURCE_DIR/man' && ls *.[0-9]"
    pages=$output
    run -0 bash -c "grep -oE '[a-z0-9-]+\.[0-9]\b' '$HAGG_SOURCE_DIR/man/CMakeLists.txt' | sort"
    assert_equal "$output" "$pages"
}

@test "help that cannot be written is an error" {
    for tool in $(tool_names); do
        for option in --help --usage --version; do
            run -1 --separate-stderr bash -c "$tool $option >/dev/full"
            assert_equal "$stderr" "$tool: standard output: No space left on device"
        done
    done
}

@test "results that cannot be written are an error" {
    printf '%s\n' "collude partial stations=1" "stations 3" "client 1-4 via 1-3" "protocol keys" >small.topo
    for line in "hagg-plan -q small.topo" "hagg-audit small.topo" "hagg-audit --max small.topo" \
        "hagg-cost small.topo" "hagg-cost --format json small.topo" \
        "hagg-cost --format gnuplot --clients 9 --stations 4 --sweep v=1..3" \
        "hagg-round --emit make --round 1 --length 4 --vectors v{} --workdir w small.topo" \
        "hagg-round --emit slurm --round 1 --length 4 --vectors v{} --workdir w small.topo"; do
        run -1 --separate-stderr bash -c "$line >/dev/full"
        assert_equal "$stderr" "${line%% *}: standard output: No space left on device"
    done
}
