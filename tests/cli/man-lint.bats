#!/usr/bin/env bats
# man/lint, on pages with deliberate errors.

load common

setup_file() {
    common_setup_file
}

setup() {
    cp -r "$HAGG_SOURCE_DIR/man" "$BATS_TEST_TMPDIR/man"
    cd "$BATS_TEST_TMPDIR/man"
}

# Keeps only these pages, so that references to others are broken.
only() {
    mkdir kept
    mv "$@" kept
    rm ./*.[0-9]
    mv kept/* .
}

@test "man-lint: silent on the unmodified pages, whatever the environment" {
    run -0 --separate-stderr env LC_ALL=C LANG=de_DE.UTF-8 MANWIDTH=40 MANROFFOPT=-rHY=0 \
        MANOPT=--ascii MAN_KEEP_FORMATTING=1 GROFF_NO_SGR=1 COLUMNS=30 ./lint
    assert_output ""
    assert_equal "$stderr" ""
}

@test "man-lint: a name that groff treats as a macro is found, although mandoc prints it" {
    only hagg-cost.1 hagg-decode.1
    sed -i 's/^\.%A \\&So$/.%A So/' hagg-cost.1
    run -0 mandoc -T lint -W error hagg-cost.1
    assert_output ""
    run -1 --separate-stderr ./lint
    assert_line --regexp '^hagg-cost\.1: troff: .*: cannot chop empty macro$'
    assert_output --partial "hagg-cost.1: groff and mandoc print other headings:"
    assert_output --partial "+OPTIONS"
    assert_output --partial "hagg-cost.1: groff and mandoc print other words:"
    refute_line --partial "hagg-decode.1: groff"
}

@test "man-lint: an option that only groff or only mandoc prints is found" {
    only hagg-decode.1
    # the register .y is groff's minor version, and 0 in mandoc
    sed -i 's/^\.Sh ENVIRONMENT$/.if \\n(.y=0 .Fl -median\n&/' hagg-decode.1
    run -1 --separate-stderr ./lint
    assert_line "hagg-decode.1: groff and mandoc print other words:"
    assert_line "+--median"
    refute_output --partial "headings"
}

@test "man-lint: errors that mandoc reports are found" {
    only hagg-field-m31.7
    sed -i '/^\.Sh SEE ALSO/,$d' hagg-field-m31.7
    echo '.Sy' >>hagg-field-m31.7
    run -1 --separate-stderr ./lint
    assert_line --regexp '^mandoc: \./hagg-field-m31\.7:[0-9]+:2: WARNING: skipping empty macro: Sy$'
}

@test "man-lint: a broken reference is found" {
    only hagg.7 hagg-field-m61.7
    run -1 --separate-stderr ./lint
    assert_line "hagg.7: refers to hagg-field-m31.7, which is not here"
    refute_line --partial "hagg.7: refers to hagg-field-m61.7"
}
