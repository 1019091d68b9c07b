#!/usr/bin/env bats
# The texts that commands print. `tests/cli/message_catalogue.py .` prints all of them, to be read in one go.

load common

catalogue() {
    "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/message_catalogue.py" "$@"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "every message follows the rules for prose" {
    run -0 catalogue "$HAGG_SOURCE_DIR" --check
    assert_output --regexp '^[0-9]{3,} passed, 0 failed$'
}

@test "the catalogue has each message once, with all its places" {
    catalogue "$HAGG_SOURCE_DIR" >all.txt
    run -0 grep -c "^only one plan is accepted: '%s' is extra$" all.txt
    assert_output 1
    run -0 grep -A1 "^only one plan is accepted" all.txt
    assert_line --index 1 --regexp 'tools/audit_args.c:[0-9]+ tools/cost_args.c:[0-9]+ tools/round_args.c:[0-9]+'
}

@test "a message that breaks a rule is found" {
    mkdir lib tools
    cat >lib/wrong.c <<'END'
int f(struct hagg_err *err)
{
    err_set(err, 1, "the key of client 3 "
                    "has not come"); /* the name of a comment does not count: say so. */
    err_set(err, 1, "Too few shares");
    err_set(err, 1, "too few shares.");
    err_set(err, 1, "%s: is no share", name);
    return err_set(err, 1, "the key is missing: make one with hagg-keygen");
}
END
    run -1 catalogue . --check
    assert_line "lib/wrong.c:3: 'the key of client 3 has not come': 'come': write arrive, is from, is missing"
    assert_line "lib/wrong.c:5: 'Too few shares': begins with a capital"
    assert_line "lib/wrong.c:6: 'too few shares.': ends with a full stop"
    assert_line "lib/wrong.c:7: '%s: is no share': 'is no s': write is not a"
    assert_line "1 passed, 4 failed"
}
