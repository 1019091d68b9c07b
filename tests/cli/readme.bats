#!/usr/bin/env bats
# What the README shows and asks to be typed.

load common

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir sessions
    "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/doc_examples.py" "$HAGG_SOURCE_DIR/README.md" sessions
}

# Runs the session whose first command has this name, in the current directory, and compares what it
# shows.
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

# The packages of a section of scripts/packages, one a line.
packages() {
    awk -v section="$1" '/^# / { wanted = $0 == "# " section; next } wanted { sub(":.*", ""); print }' \
        "$HAGG_SOURCE_DIR/scripts/packages"
}

@test "the first mean" {
    run_session printf
}

@test "what hagg-inspect prints" {
    cd "$VECTORS"
    run_session hagg-inspect
}

@test "what hagg-plan reports" {
    cp "$HAGG_SOURCE_DIR/examples/city/city.topo" .
    run_session hagg-plan
}

@test "the line of packages has those that building needs" {
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

@test "the demo builds as the README does" {
    run -0 grep -F "cmake --preset plain && cmake --build --preset plain" "$HAGG_SOURCE_DIR/README.md"
    run -0 sed -n 's/^\(cmake .*\) >.*/\1/p' "$HAGG_SOURCE_DIR/scripts/demo"
    assert_output $'cmake --preset plain\ncmake --build --preset plain'
}
