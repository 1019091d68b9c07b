#!/usr/bin/env bats
# examples/learning: training with hagg agrees with plain training.

load common
load instead_of

setup_file() {
    unset HAGG_BIN # the tests replace commands on PATH
    # training runs hundreds of commands, each of which is tested under valgrind elsewhere
    HAGG_VALGRIND=0 common_setup_file
    # round 11 is the first without a station and a relay
    export ROUNDS=12 RUN=$BATS_FILE_TMPDIR/run
    "$HAGG_SOURCE_DIR/examples/learning/run" --rounds $ROUNDS "$RUN" >"$RUN.out" 2>"$RUN.err"
}

setup() {
    unset HAGG_BIN
    cd "$BATS_TEST_TMPDIR" || exit 1
    learning=$HAGG_SOURCE_DIR/examples/learning
}

@test "private and plain training agree up to quantisation, and learn" {
    run -0 "$HAGG_PYTHON" -B "$HAGG_SOURCE_DIR/tests/cli/learning_check.py" "$learning" "$RUN"
    assert_output --regexp "^$ROUNDS rounds: accuracy 0\.[0-9]+, 0\.9[0-9]+ at best\$"
}

@test "clients, a station and a relay are missing, as reported" {
    run -0 cat "$RUN.out"
    assert_line --regexp '^ +2 +10 stations=[1-5] '
    assert_line --regexp '^ +3 +10 relays=[1-4] '
    station=$(sed -n 's/^ *2 .*stations=\([0-9]\).*/\1/p' "$RUN.out")
    relay=$(sed -n 's/^ *3 .*relays=\([0-9]\).*/\1/p' "$RUN.out")
    grep -e "--round 2 " "$RUN/commands.log" >round-2
    grep -e "--round 3 " "$RUN/commands.log" >round-3
    for u in 1 2 3 4 5; do
        [ "$u" = "$station" ] || grep -q "hagg-aggregate .*--station $u " round-2
    done
    run -1 grep -e "--station $station " round-2
    # no sum passes through the missing relay, and all sums pass through one
    run -1 grep -e "--relay $relay " -e "/relay-$relay[./]" round-3
    for u in 1 2 3 4 5; do
        grep -q "relay-[1-4]/in/from-station-$u\.cbor\|--station $u .*--via [1-4] " round-3
    done
}

@test "no mask outlives its round" {
    run -0 grep -c "^hagg-keygen .*--round $ROUNDS .*--stations " "$RUN/commands.log"
    assert_output 1
    run -0 find "$RUN" -name 'mask-*.cbor'
    assert_output ""
    run -0 ls "$RUN/nodes"
    assert_output "round-$ROUNDS"
}

@test "all records are sealed, and private keys are private" {
    run -0 find "$RUN/nodes" -name '*.cbor' -size +0
    assert_output
    # shellcheck disable=SC2046 # names without blanks
    run -0 hagg-inspect --json $(find "$RUN/nodes" -name '*.cbor' -size +0)
    refute_output --partial '"check":"ok"'
    assert_output --partial '"check":"sealed"'
    run -0 find "$RUN/keys" -perm /077 -name '*.pem'
    assert_output ""
}

@test "the plot has all three panels" {
    run -0 grep -c 'loss<\|accuracy on test data<\|greatest difference of a parameter<' "$RUN/learning.svg"
    assert_output 3
    run -0 "$HAGG_PYTHON" -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$RUN/learning.svg"
}

@test "a slightly wrong sum is detected" {
    instead_of hagg-decode <<'END'
"$real" "$@" >decoded || exit
case " $* " in *" --round 1 "*) ;; *) exec cat decoded ;; esac
exec "$HAGG_PYTHON" -c '
import sys
import numpy as np
mean = np.load("decoded")
mean[30, 4] += 5e-6
np.save(sys.stdout.buffer, mean)'
END
    run -1 --separate-stderr "$learning/run" --rounds 2
    assert_regex "$stderr" 'train: round 1: mean: [0-9.]*e-0[56] from plain training, and quantisation explains 2\.[0-9]*e-06 at most$'
    assert_not_exists learning-run/learning.svg
}

@test "a client that is missing from a sum is detected" {
    instead_of hagg-roster <<'END'
exec "$real" --clients 1-5,7-12 "$@"
END
    run -1 --separate-stderr "$learning/run" --rounds 2
    assert_regex "$stderr" 'train: round 0: mean: 0\.[0-9]* from plain training, and quantisation explains 2\.[0-9]*e-06 at most$'
}

@test "a command that fails stops the training, and its message is printed" {
    instead_of hagg-keygen <<'END'
case " $* " in *" --round "*) set -- "$@" --nonsense ;; esac
exec "$real" "$@"
END
    run -1 --separate-stderr "$learning/run" --rounds 2 here
    assert_regex "$stderr" "train: hagg-keygen: unrecognized option '--nonsense'\$"
}

@test "run prints its usage, and does not overwrite an existing directory" {
    for words in "--rounds" "--rounds 0" "--rounds two" "a b"; do
        # shellcheck disable=SC2086 # words
        run -2 --separate-stderr "$learning/run" $words
        assert_equal "$stderr" "usage: run [--rounds N] [DIRECTORY]"
        assert_output ""
    done
    mkdir there
    run -1 --separate-stderr "$learning/run" there
    assert_regex "$stderr" "there.*File exists"
}
