# common.bash - setup and functions for every .bats file here.
#
# CTest sets PATH and the variables below. To run a .bats file by hand, put the directory of the commands
# first on PATH. With HAGG_VALGRIND=1 the commands run under valgrind, and a test fails if valgrind
# reports an error in any of them, even in a pipeline.

bats_require_minimum_version 1.5.0
bats_load_library bats-support
bats_load_library bats-assert
bats_load_library bats-file

: "${HAGG_SOURCE_DIR:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
: "${HAGG_PYTHON:=/usr/bin/python3}"
export HAGG_SOURCE_DIR HAGG_PYTHON

VECTORS=$HAGG_SOURCE_DIR/share-format/vectors

# Every test has a state directory of its own, and so has every setup_file.
HAGG_STATE=${BATS_TEST_TMPDIR:-${BATS_FILE_TMPDIR:-}}
if [ -n "$HAGG_STATE" ]; then
    export HAGG_STATE=$HAGG_STATE.state
    mkdir -p -m 700 "$HAGG_STATE"
fi

# Forgets what the nodes of this test did, for a test that repeats rounds.
forget() {
    rm -r "$HAGG_STATE"
    mkdir -m 700 "$HAGG_STATE"
}

# Prints the names of all commands, one per line.
tool_names() {
    local source

    for source in "$HAGG_SOURCE_DIR"/tools/hagg*.c; do
        basename "$source" .c
    done
}

# For setup_file: puts a directory first on PATH, so that commands are run through valgrind if requested,
# and python3 is the interpreter that has the libraries.
common_setup_file() {
    local bin=$BATS_FILE_TMPDIR/bin tool

    mkdir "$bin"
    ln -s "$HAGG_PYTHON" "$bin/python3"
    if [ "${HAGG_VALGRIND:-}" = 1 ]; then
        for tool in $(tool_names); do
            # Run by its bare name, with which its messages begin. Only definite leaks count,
            # because a process ended by a signal has not freed its memory. The log has its own
            # descriptor, because one opened by valgrind would replace a closed standard output.
            cat >"$bin/$tool" <<END
#!/bin/sh
PATH=$(dirname "$(command -v "$tool")"):\$PATH
export HAGG_NO_CONFINEMENT=1 # valgrind needs system calls of its own
exec 9>"\$BATS_TEST_TMPDIR.valgrind.\$\$"
exec valgrind --log-fd=9 --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \\
    --errors-for-leak-kinds=definite -- $tool "\$@"
END
            chmod +x "$bin/$tool"
        done
    fi
    export PATH=$bin:$PATH LC_ALL=C
    unset HAGG_PLUGIN_PATH
}

# Prints the errors that valgrind found during the test.
teardown() {
    local log bad=0

    [ "${HAGG_VALGRIND:-}" = 1 ] || return 0
    for log in "$BATS_TEST_TMPDIR".valgrind.*; do
        if [ -e "$log" ] && grep -q 'ERROR SUMMARY: [1-9]' "$log"; then
            cat "$log"
            bad=1
        fi
    done
    return $bad
}

# Writes records that are not among the known-answer files; see record.py.
record() {
    "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/record.py" "$@"
}

# Prints a manual page as plain text.
page_text() {
    mandoc -T ascii "$1" | sed 's/.\x08//g'
}

# Checks that a Python expression is true; in it, lines are the JSON values on the lines of $output.
assert_json() {
    printf '%s\n' "$output" | "$HAGG_PYTHON" -c '
import json, sys

lines = [json.loads(line) for line in sys.stdin]
sys.exit(not eval(sys.argv[1]))
' "$1" || fail "not so: $1
$output"
}
