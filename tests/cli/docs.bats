#!/usr/bin/env bats
# The sessions of the pages in docs, run as a reader would: in order, in one shell, in one directory.
# docs/howto/many-machines.md, which needs other machines, is in docs-machines.bats.

load common
load sessions

setup_file() {
    common_setup_file
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/reader"
    cd "$BATS_TEST_TMPDIR/reader"
    unset HAGG_PLAN PARALLEL CLIENT STATION RELAY FEDERATOR
}

@test "every page with sessions is run" {
    run -0 bash -c "cd '$HAGG_SOURCE_DIR' && grep -rl '^\`\`\`console' docs | sort"
    assert_output "docs/errata.md
docs/howto/choose-numbers.md
docs/howto/dropouts.md
docs/howto/few-stations.md
docs/howto/get-approval.md
docs/howto/keys.md
docs/howto/many-machines.md
docs/howto/several-organisations.md
docs/howto/simulation.md
docs/howto/write-a-plugin.md
docs/related.md
docs/tutorial.md"
}

@test "docs/tutorial.md: its sessions" {
    run_page docs/tutorial.md
}

@test "docs/errata.md: its sessions" {
    ln -s "$HAGG_SOURCE_DIR/examples" examples
    run_page docs/errata.md
}

@test "docs/related.md: its sessions" {
    run_page docs/related.md
}

@test "docs/howto/choose-numbers.md: its sessions" {
    run_page docs/howto/choose-numbers.md
}

@test "docs/howto/dropouts.md: its sessions" {
    run_page docs/howto/dropouts.md
}

@test "docs/howto/few-stations.md: its sessions" {
    run_page docs/howto/few-stations.md
}

@test "docs/howto/get-approval.md: its sessions" {
    run_page docs/howto/get-approval.md
}

@test "docs/howto/keys.md: its sessions" {
    run_page docs/howto/keys.md
}

@test "docs/howto/several-organisations.md: its sessions" {
    run_page docs/howto/several-organisations.md
}

@test "docs/howto/simulation.md: its sessions" {
    run_page docs/howto/simulation.md
}

@test "docs/howto/write-a-plugin.md: its sessions, with an installed hagg" {
    local prefix=$BATS_TEST_TMPDIR/prefix

    cmake --install "$HAGG_BUILD_DIR" --prefix "$prefix" >install.log
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hagg.pc)")
    export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH
    ln -s "$HAGG_SOURCE_DIR/examples" examples
    run_page docs/howto/write-a-plugin.md
}

@test "blocks of shell that no test can run are at least shell" {
    for page in README.md docs/howto/many-machines.md docs/howto/several-organisations.md; do
        take_sessions $page
        assert_file_exists "$SESSIONS/sh-01.sh"
        for block in "$SESSIONS"/sh-*.sh; do
            run -0 bash -n "$block"
            assert_output ""
        done
    done
}
