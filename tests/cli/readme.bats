#!/usr/bin/env bats
# What the README shows and asks to be typed.

load common
load sessions

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# The packages of a section of scripts/packages, one a line.
packages() {
    awk -v section="$1" '/^# / { wanted = $0 == "# " section; next } wanted { sub(":.*", ""); print }' \
        "$HAGG_SOURCE_DIR/scripts/packages"
}

@test "every session prints what the README shows" {
    run_page README.md
}

@test "the rounds that hagg-round writes for the README run" {
    sed -n '/^> field     m31/,/^> END/s/^> //p' "$HAGG_SOURCE_DIR/README.md" | sed '$d' >city.topo
    cmp <(grep -v '^#' "$HAGG_SOURCE_DIR/examples/city/city.topo") city.topo
    hagg-plan -q city.topo -o city.plan
    for i in 1 2 3 4 5 6; do printf '%s\n' 0.$i -0.5 0.25 >next$i.txt; done
    run -0 sed -n '/^hagg-round/p; /^make -j2/p' "$HAGG_SOURCE_DIR/README.md"
    assert_equal "${#lines[@]}" 2
    bash -euc "$output"
    assert_file_exists work/round-2/federator/total.npy
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
