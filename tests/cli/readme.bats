#!/usr/bin/env bats
# The commands and outputs in the README.

load common

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir sessions
    "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/doc_examples.py" "$HAGG_SOURCE_DIR/README.md" sessions
}

# Runs the session whose first command has this name, in the current directory, and compares the output.
run_session() {
    local session name

    for session in "$BATS_TEST_TMPDIR"/sessions/*.txt; do
        read -r _ name _ <"$session"
        if [ "$name" = "$1" ]; then
            run -0 bash "${session%.txt}.sh"
            assert_equal "$output" "$(cat "$session")"
            return
        fi
    done
    fail "the README has no session that begins with $1"
}

# Prints the packages of a section of scripts/packages, one per line.
packages() {
    awk -v section="$1" '/^# / { wanted = $0 == "# " section; next } wanted { sub(":.*", ""); print }' \
        "$HAGG_SOURCE_DIR/scripts/packages"
}

@test "the first example" {
    run_session printf
}

@test "the output of hagg-inspect" {
    cd "$VECTORS"
    run_session hagg-inspect
}

@test "the report of hagg-plan" {
    cp "$HAGG_SOURCE_DIR/examples/city/city.topo" .
    run_session hagg-plan
}

@test "the packages listed are those needed to build" {
    run -0 sed -n 's/^sudo apt-get install --no-install-recommends //p' "$HAGG_SOURCE_DIR/README.md"
    assert_equal "$(tr ' ' '\n' <<<"$output" | sort)" "$(packages build | sort)"
    assert [ "${#lines[@]}" = 1 ]
    assert [ "$(packages build | wc -l)" -ge 10 ]
}

@test "CONTRIBUTING.md and tests/README.md name every folder of tests" {
    cd "$HAGG_SOURCE_DIR/tests"
    for folder in */; do
        run -0 grep -F "| \`tests/${folder%/}\` |" ../CONTRIBUTING.md
        run -0 grep "^## ${folder%/}: " README.md
    done
}

@test "the demo builds like the README" {
    run -0 grep -F "cmake --preset plain && cmake --build --preset plain" "$HAGG_SOURCE_DIR/README.md"
    run -0 sed -n 's/^\(cmake .*\) >.*/\1/p' "$HAGG_SOURCE_DIR/scripts/demo"
    assert_output $'cmake --preset plain\ncmake --build --preset plain'
}
