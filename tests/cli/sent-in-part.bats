#!/usr/bin/env bats
# Shares of scheme staircase that are sent in part: records with different symbols of a share, put together or refused.

load common

TOOL=hagg-decode

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit
    seq 1 7 > numbers
}

# in_parts SCHEME N K Z: shares s1.. of the numbers, their prefixes p1.. for all holders, and the rests r1.. for the first K.
in_parts() {
    hagg-share --scheme "$1" -n "$2" -k "$3" -z "$4" --type i8 --format text -o 's{}' numbers
    for i in $(seq "$2"); do
        hagg-aggregate --present "1-$2" -o "p$i" "s$i"
        hagg-aggregate --present "1-$3" --after "1-$2" -o "r$i" "s$i"
    done
}

assert_numbers() {
    run -0 hagg-decode --format text -o - "$@"
    assert_output "$(cat numbers)"
}

@test "records with one symbol each are put together" {
    in_parts staircase 3 2 1
    assert_numbers p1 p2 p3
    for order in 'p1 r1 p2 r2' 'r3 r1 p3 p1' 'p2 s3 r2' 'p1 p2 p3 r1 r2 r3'; do
        # shellcheck disable=SC2086
        assert_numbers $order
    done
}

@test "records with several symbols each are put together" {
    in_parts staircase 5 2 1
    assert_numbers p1 p2 p3 p4 p5
    assert_numbers p5 r5 p1 r1
    in_parts staircase 6 4 0
    assert_numbers p1 p2 p3 p4 p5 p6
    assert_numbers r1 r2 r3 r6 p1 p2 p3 p6
}
