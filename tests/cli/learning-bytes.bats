#!/usr/bin/env bats
# examples/learning/run-bytes: training with few bits, and the bytes that it sends.

load common
load instead_of

setup_file() {
    unset HAGG_BIN # the tests replace commands on PATH
    # training runs hundreds of commands, each of which is tested under valgrind elsewhere
    HAGG_VALGRIND=0 common_setup_file
    # in round 2 a station is missing, in round 3 a relay
    export ROUNDS=6 RUN=$BATS_FILE_TMPDIR/run KEPT=$BATS_FILE_TMPDIR/kept
    (
        instead_of hagg-decode <<'END'
for word; do
    case $word in
    */nodes/round-*/federator/out/roster.cbor)
        round=${word%/federator/out/roster.cbor}
        kept=$KEPT/$(basename "${round%/nodes/*}")
        mkdir -p "$kept" && cp -rl "$round" "$kept" || exit ;;
    esac
done
exec "$real" "$@"
END
        "$HAGG_SOURCE_DIR/examples/learning/run-bytes" --rounds $ROUNDS "$RUN" >"$RUN.out" 2>"$RUN.err"
    )
}

setup() {
    unset HAGG_BIN
    cd "$BATS_TEST_TMPDIR" || exit 1
    learning=$HAGG_SOURCE_DIR/examples/learning
}

@test "sums, residuals, parameters, accuracy and bytes are as computed from the opened shares" {
    export PYTHONPATH=$HAGG_SOURCE_DIR/tests/format:$HAGG_SOURCE_DIR/tests/cli:$HAGG_SOURCE_DIR/tests/oracle
    run -0 "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/learning_bytes_check.py" "$learning" "$RUN" "$KEPT" \
        "$HAGG_SOURCE_DIR/docs/learning-bytes.tsv"
    assert_output --regexp '^full 0\.[89][0-9]+, 8-bits 0\.[89][0-9]+, 4-bits 0\.[89][0-9]+, ternary 0\.[89][0-9]+, sign 0\.[89][0-9]+$'
}

@test "a line of output for each precision, and nothing on standard error" {
    run -0 sort "$RUN.out"
    assert_equal "${#lines[@]}" 5
    for i in 0 1 2 3 4; do
        assert_regex "${lines[i]}" "^[a-z0-9-]+: accuracy [0-9.]+% after $ROUNDS rounds; clients sent [0-9.]+ MB, all nodes [0-9.]+ MB\$"
    done
    assert_equal "$(cat "$RUN.err")" ""
}

@test "the table has all rounds of all precisions, and the plot has all curves" {
    run -0 awk 'NR > 1 { n[$1]++ } END { for (name in n) print name, n[name] }' "$RUN/learning-bytes.tsv"
    assert_equal "$(sort <<<"$output" | paste -s -d' ')" "4-bits 6 8-bits 6 full 6 sign 6 ternary 6"
    run -0 grep -c 'by round<\|sent by clients<\|sent by all nodes<' "$RUN/learning-bytes.svg"
    assert_output 3
    for name in full 8-bits 4-bits ternary sign; do
        grep -q ">$name<" "$RUN/learning-bytes.svg"
    done
    run -0 "$HAGG_PYTHON" -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$RUN/learning-bytes.svg"
}

@test "the README states the bytes of the table in docs, for an accuracy of 96 per cent" {
    run -0 awk 'NR > 1 && $6 >= 0.96 && !n[$1]++ { printf "%s %.0f\n", $1, $5 / 1e6 }' "$HAGG_SOURCE_DIR/docs/learning-bytes.tsv"
    assert_output "full 88
8-bits 51
4-bits 26
ternary 24
sign 21"
    run -0 grep -c "88 MB with full precision, 51 MB with 8 bits and 21 to 26 MB with the others" "$HAGG_SOURCE_DIR/README.md"
}

@test "one client with a wrong vector is detected with every precision" {
    instead_of hagg-share <<'END'
case " $* " in *" --client 5 "*) ;; *) exec "$real" "$@" ;; esac
"$HAGG_PYTHON" -c '
import io, sys
import numpy as np
np.save(sys.stdout.buffer, -np.load(io.BytesIO(sys.stdin.buffer.read())))' | "$real" "$@"
END
    run -1 --separate-stderr "$learning/run-bytes" --rounds 1 wrong
    for name in full 8-bits 4-bits ternary sign; do
        assert_regex "$stderr" "train_precision: $name: round 1: [1-9][0-9]* of 21450 elements of the mean are wrong"
    done
    assert_not_exists wrong/learning-bytes.svg
}

@test "a client that is missing from a sum is detected" {
    instead_of hagg-roster <<'END'
exec "$real" --clients 1-4,6-12 "$@"
END
    run -1 --separate-stderr "$learning/run-bytes" --rounds 1 few
    assert_regex "$stderr" "train_precision: full: round 1: the total has clients 1-4,6,8-12"
}

@test "run-bytes prints its usage, and does not overwrite an existing directory" {
    for words in "--rounds" "--rounds 0" "a b"; do
        # shellcheck disable=SC2086 # words
        run -2 --separate-stderr "$learning/run-bytes" $words
        assert_equal "$stderr" "usage: run-bytes [--rounds N] [DIRECTORY]"
        assert_output ""
    done
    mkdir there
    run -1 --separate-stderr "$learning/run-bytes" there
    assert_regex "$stderr" "there.*File exists"
}
