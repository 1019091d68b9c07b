#!/usr/bin/env bats
# hagg-plan: the choice of the protocol.

load common

TOOL=hagg-plan
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    cat >city.topo <<'END'
collude full clients=1 stations=2
stations 5
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
client 5 via 1 2 4 5
client 6 via 1 2 5
END
    { cat city.topo; printf '%s\n' "relays 5" "station 1-5 via 1-5"; } >relays.topo
}

# rows: the table of the report, without the name of the command.
rows() {
    sed -nE 's/^hagg-plan: ((protocol|keys|aligned)( .*|,.*))/\1/p' <<<"$stderr"
}

@test "keys with relays: both ways are tried, and the cheaper one is kept" {
    run -0 --separate-stderr hagg-plan --protocol keys relays.topo
    assert_equal "$(rows)" "\
protocol                       cost  ratio
keys                             54  3.240
keys with transform  209/4 = 52.250  3.089  chosen"
    assert_line "transform direct"
    run -0 --separate-stderr hagg-plan --protocol keys --transform never relays.topo
    assert_equal "$(rows)" ""
    assert_regex "$stderr" "^hagg-plan: cost 54 "
    refute_line "transform direct"
}

@test "the protocol of the topology, and --protocol" {
    run -0 --separate-stderr hagg-plan city.topo
    assert_line "protocol aligned"
    assert_regex "$(rows)" "
keys +at least 94/3 = 31.333  2.000\$"
    run -0 --separate-stderr hagg-plan <(echo "protocol keys" | cat - city.topo)
    assert_line "protocol keys"
    assert_regex "$stderr" "^hagg-plan: cost 44 "
    # a plan of one protocol is a topology for the other
    hagg-plan -q --protocol keys city.topo -o keys.plan
    hagg-plan -q --protocol aligned keys.plan -o aligned.plan
    run -0 --separate-stderr hagg-plan -q --protocol keys aligned.plan
    assert_output "$(cat keys.plan)"
    run -0 --separate-stderr hagg-plan -q --protocol auto keys.plan
    assert_output "$(cat aligned.plan)"
}

@test "standard input is read once, and planned with all protocols" {
    run -0 --separate-stderr bash -c 'cat city.topo | hagg-plan --protocol auto'
    assert_line "protocol aligned"
    assert_regex "$(rows)" "at least"
}

@test "a protocol that is not possible is in the table, with the reason" {
    run -0 --separate-stderr hagg-plan <(printf '%s\n' "scheme additive" | cat - city.topo)
    assert_regex "$(rows)" "
aligned +-      -  not possible: scheme 'additive' cannot be used with protocol aligned: .*
keys +48  3.064  chosen\$"
    run -0 --separate-stderr hagg-plan <(printf '%s\n' "transform direct" | cat - relays.topo)
    assert_regex "$(rows)" "
aligned +-      -  not possible: transform is not needed with protocol aligned: .*
keys with transform +209/4 = 52.250  3.089  chosen\$"
    run -0 --separate-stderr hagg-plan <(sed '/client 6/s/$/ keys 1 2 5/' city.topo)
    assert_regex "$(rows)" "
aligned +-      -  not possible: line 7: 'keys': is not used with protocol aligned: .*
keys +44  2.809  chosen\$"
}

@test "if no protocol is possible, there is one message and no table" {
    sed 's/stations=2/stations=3/' city.topo >many.topo
    run -3 --separate-stderr hagg-plan many.topo -o many.plan
    assert_message "many.topo:7: 'via': 3 stations are too few: 3 may collude and 0 may be missing, so at least 4 are needed"
    assert_file_not_exists many.plan
}

@test "usage errors of --protocol" {
    run -2 --separate-stderr hagg-plan --protocol paper city.topo
    assert_regex "$stderr" "^hagg-plan: --protocol must be auto, keys or aligned, not 'paper'"
    for option in --keep --digest; do
        run -2 --separate-stderr hagg-plan --protocol keys $option city.topo
        assert_regex "$stderr" "^hagg-plan: --protocol cannot be combined with --digest or --keep"
        assert_output ""
    done
}
