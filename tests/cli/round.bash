# round.bash - what the .bats files of a round of aggregation share; load it after common.

# The command that a file is about, for its messages.
: "${TOOL:=}"

# What is told on standard error, and that nothing else is.
assert_message() {
    assert_equal "$stderr" "$TOOL: $1"
}

# The same after a wrong line: argp adds where to look, and that is all.
assert_usage() {
    assert_equal "$stderr" "$TOOL: $1
Try \`$TOOL --help' or \`$TOOL --usage' for more information."
    assert_output ""
}

# For setup: an empty directory, which bats itself puts nothing into, with a plan in it.
begin_round() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    write_topology
    unset HAGG_PLAN
}

# Three stations, of which one may be curious; four clients.
write_topology() {
    cat >small.topo <<END
collude  partial stations=1
quantize bits=16 clip=1.0
stations 3
client   1-4 via 1-3
END
}

# What the six clients of the paper's example reach, as lines of a topology.
six_clients() {
    cat <<END
stations 5
client   1 2  via 1 2 3 5
client   3    via 1-5
client   4    via 2-5
client   5    via 1 2 4 5
client   6    via 1 2 5
END
}

# The same when all but a station of each are to be enough against two: 6 reaches another one.
sparing_clients() {
    six_clients | sed 's/^client   6 .*/client   6    via 1 3-5/'
}

# Saves a NumPy array: npy FILE EXPRESSION.
npy() {
    "$HAGG_PYTHON" -c 'import sys, numpy as np; np.save(sys.argv[1], eval(sys.argv[2]))' "$1" "$2"
}

# Whether an expression is true, in which load(FILE) is an array and np is NumPy.
assert_numpy() {
    "$HAGG_PYTHON" -c '
import sys
import numpy as np
from numpy import load

sys.exit(not eval(sys.argv[1]))
' "$1" || fail "not so: $1"
}

# A fresh key: make_key CLIENT LENGTH [ROUND [PLAN]].
make_key() {
    hagg-keygen --plan "${4:-small.topo}" --client "$1" --round "${3:-1}" --length "$2" \
        -o "key-$1.cbor"
}

# Clients share integers that are text: share_ints CLIENT NUMBER...; to station-U/client-I.cbor.
share_ints() {
    printf '%s\n' "${@:2}" >"ints-$1.txt"
    make_key "$1" $(($# - 1))
    hagg-share --plan small.topo --client "$1" --round 1 --key "key-$1.cbor" --type i4 \
        --format text -o "station-{}/client-$1.cbor" "ints-$1.txt"
}

# The stations' step for all files that are there: from-U.cbor, and keys-3.cbor at the chain's end.
add_stations() {
    local u before=()

    # the last station wants the clients named, unless all of the plan's are there
    if [ $# = 0 ]; then
        set -- --clients "$(ls station-*/client-* | grep -o '[0-9]*\.cbor' | sort -un | cut -d. -f1 | paste -sd,)"
    fi
    for u in 1 2 3; do
        hagg-aggregate --plan small.topo --station $u --only shares "$@" station-$u/*.cbor \
            -o from-$u.cbor
        hagg-aggregate --plan small.topo --station $u --only keys "$@" "${before[@]}" \
            station-$u/*.cbor -o keys-$u.cbor
        before=(keys-$u.cbor)
    done
}

# Runs a command with a terminal as its standard output, which is $output.
on_terminal() {
    "$HAGG_PYTHON" -c '
import os, pty, sys

pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    os.write(1, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
' "$@"
}

# That no file with a temporary name is below the current directory.
assert_no_temporaries() {
    run -0 find . -regextype posix-extended -regex '.*\.[A-Za-z0-9]{6}'
    assert_output ""
}

# What is below the current directory: names and contents, as one text.
state() {
    find . -type d | sort
    find . -type f -exec md5sum {} + | sort -k 2
}

# A failure of the command with this status and message changes nothing: unchanged STATUS COMMAND...
unchanged() {
    local before after

    before=$(state)
    run "-$1" --separate-stderr "${@:2}"
    assert_output ""
    after=$(state)
    assert_equal "$after" "$before"
}
