# common.bash - what every .bats file here begins with.
#
# CTest sets PATH and the variables below; run by hand, a .bats file needs only the directory of the
# commands first on PATH. With HAGG_VALGRIND=1 the commands run under valgrind, and a test fails if it
# finds anything in one of them, wherever in a pipeline.

bats_require_minimum_version 1.5.0
bats_load_library bats-support
bats_load_library bats-assert
bats_load_library bats-file

: "${HAGG_SOURCE_DIR:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
: "${HAGG_PYTHON:=/usr/bin/python3}"
export HAGG_SOURCE_DIR HAGG_PYTHON

VECTORS=$HAGG_SOURCE_DIR/share-format/vectors

# The names of all commands, one a line.
tool_names() {
    local source

    for source in "$HAGG_SOURCE_DIR"/tools/hagg*.c; do
        basename "$source" .c
    done
}

# For setup_file: a directory that comes first on PATH, so that the commands of the build are run
# through valgrind when asked, and python3 is the interpreter that has the libraries.
common_setup_file() {
    local bin=$BATS_FILE_TMPDIR/bin tool

    mkdir "$bin"
    ln -s "$HAGG_PYTHON" "$bin/python3"
    if [ "${HAGG_VALGRIND:-}" = 1 ]; then
        for tool in $(tool_names); do
            # By its bare name, which is what messages begin with. A process that a signal ends
            # still has its memory, so only what nothing points to has leaked. A log that valgrind
            # opens itself takes the place of a standard output that is closed.
            cat >"$bin/$tool" <<END
#!/bin/sh
PATH=$(dirname "$(command -v "$tool")"):\$PATH
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

# Shows what valgrind found during the test.
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

# Writes records that are not among the vectors; record.py says how.
record() {
    "$HAGG_PYTHON" "$HAGG_SOURCE_DIR/tests/cli/record.py" "$@"
}

# The rendered manual page, as plain text.
page_text() {
    mandoc -T ascii "$1" | sed 's/.\x08//g'
}

# Whether a Python expression is true of lines, the JSON values on the lines of $output.
assert_json() {
    printf '%s\n' "$output" | "$HAGG_PYTHON" -c '
import json, sys

lines = [json.loads(line) for line in sys.stdin]
sys.exit(not eval(sys.argv[1]))
' "$1" || fail "not so: $1
$output"
}
