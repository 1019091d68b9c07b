#!/usr/bin/env bats
# Routes with three tiers, which the commands support without a plan.

load common
load round
load full
load relays

setup_file() {
    common_setup_file
}

# Three clients share integers among three holders, and the route is then extended to three tiers. All
# shares are sent to the same hubs. Clients 1 and 2 are added up at the edges, client 3 at the hubs.
setup() {
    local i

    begin_round
    export HAGG_PLAN=
    for i in 1 2 3; do
        printf '%s\n' $i $((10 * i)) $((i * i)) $((7 - i)) >vector-$i.txt
        hagg-share -n 3 -k 3 -z 1 --client $i --round 1 \
            --type i4 --format text -o shares-$i.cbor vector-$i.txt
    done
    for i in 1 2; do
        rewrite shares-$i.cbor "
h['route'] = [['edge', [4, 5, 6]], ['metro', [2, 3, 1]], ['hub', [9, 8, 7]]]
h['to'] = ['edge', [4, 5, 6][h['scheme']['index']]]"
    done
    rewrite shares-3.cbor "
h['route'] = [['edge', [6, 5, 4]], ['metro', [1, 4, 2]], ['hub', [9, 8, 7]]]
h['to'] = ['edge', [6, 5, 4][h['scheme']['index']]]"
}

@test "running the same command three times gives the sum" {
    cat shares-*.cbor | hagg-aggregate >to-metros.cbor
    run -0 hops to-metros.cbor
    assert_output "plain; 1-2; share 0; edge 4; to metro 2; metro 2,3,1; hub 9,8,7
plain; 1-2; share 1; edge 5; to metro 3; metro 2,3,1; hub 9,8,7
plain; 1-2; share 2; edge 6; to metro 1; metro 2,3,1; hub 9,8,7
plain; 3; share 0; edge 6; to metro 1; metro 1,4,2; hub 9,8,7
plain; 3; share 1; edge 5; to metro 4; metro 1,4,2; hub 9,8,7
plain; 3; share 2; edge 4; to metro 2; metro 1,4,2; hub 9,8,7"
    hagg-aggregate <to-metros.cbor >to-hubs.cbor
    run -0 hops to-hubs.cbor
    assert_output "plain; 1-2; share 0; metro 2; to hub 9; hub 9,8,7
plain; 1-2; share 1; metro 3; to hub 8; hub 9,8,7
plain; 1-2; share 2; metro 1; to hub 7; hub 9,8,7
plain; 3; share 0; metro 1; to hub 9; hub 9,8,7
plain; 3; share 1; metro 4; to hub 8; hub 9,8,7
plain; 3; share 2; metro 2; to hub 7; hub 9,8,7"
    hagg-aggregate <to-hubs.cbor >from-hubs.cbor
    run -0 hops from-hubs.cbor
    assert_output "plain; 1-3; share 0; hub 9; to federator 1; hub 9,8,7
plain; 1-3; share 1; hub 8; to federator 1; hub 9,8,7
plain; 1-3; share 2; hub 7; to federator 1; hub 9,8,7"
    run -0 --separate-stderr hagg-decode --format text from-hubs.cbor
    assert_output $'6\n60\n14\n15'
    assert_equal "$stderr" "hagg-decode: round 1: total of 3 clients: 1-3"
}

@test "with files, one for each addressee" {
    hagg-aggregate -o 'metro-{}.cbor' shares-*.cbor
    run -0 ls
    assert_line "metro-4.cbor"
    hagg-aggregate -o 'hub-{}.cbor' metro-*.cbor
    for hub in 7 8 9; do
        hagg-aggregate -o from-$hub.cbor hub-$hub.cbor
    done
    run -0 --separate-stderr hagg-decode --format text from-*.cbor
    assert_output $'6\n60\n14\n15'
}

@test "sums that have not passed all tiers are refused" {
    TOOL=hagg-decode
    cat shares-*.cbor | hagg-aggregate >to-metros.cbor
    unchanged 4 hagg-decode to-metros.cbor
    assert_message "to-metros.cbor: record 1 (byte 0): is addressed to metro 2: add it up there first with hagg-aggregate"
    # a fourth run changes nothing
    hagg-aggregate <to-metros.cbor | hagg-aggregate >from-hubs.cbor
    hagg-aggregate <from-hubs.cbor | cmp - from-hubs.cbor
}
