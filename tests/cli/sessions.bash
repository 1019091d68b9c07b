# sessions.bash - runs the console sessions of a page of Markdown; load it after common.

# Extracts the sessions of a page into $BATS_TEST_TMPDIR/sessions: take_sessions PAGE, as in docs/errata.md.
take_sessions() {
    SESSIONS=$BATS_TEST_TMPDIR/sessions
    rm -rf "$SESSIONS"
    mkdir "$SESSIONS"
    "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/doc_examples.py" "$HAGG_SOURCE_DIR/$1" "$SESSIONS"
}

# Runs all sessions of the page in order, in one shell and in the current directory, and compares what
# they print.
run_page() {
    take_sessions "$1"
    bash "$SESSIONS/page.sh" </dev/null >"$SESSIONS/printed.txt" 2>&1
    diff -u --label "$1" --label printed "$SESSIONS/page.txt" "$SESSIONS/printed.txt"
}
