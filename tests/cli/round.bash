# round.bash - functions for the .bats files about rounds; load it after common.

# The command under test, with which messages begin.
: "${TOOL:=}"

# Checks that standard error is exactly this message.
assert_message() {
    assert_equal "$stderr" "$TOOL: $1"
}

# The same for a usage error, after which argp refers to --help.
assert_usage() {
    assert_equal "$stderr" "$TOOL: $1
Try \`$TOOL --help' or \`$TOOL --usage' for more information."
    assert_output ""
}

# For setup: changes to an empty directory that bats does not use, and writes a plan there.
begin_round() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    write_topology
    unset HAGG_PLAN
}

# Three stations, one of which may collude, and four clients with keys.
write_topology() {
    cat >small.topo <<END
collude  partial stations=1
quantize bits=16 clip=1.0
stations 3
client   1-4 via 1-3
protocol keys
END
}

# The six clients of the paper's example, and the stations they reach, as lines of a topology with keys.
six_clients() {
    cat <<END
stations 5
client   1 2  via 1 2 3 5
client   3    via 1-5
client   4    via 2-5
client   5    via 1 2 4 5
client   6    via 1 2 5
protocol keys
END
}

# six partial|full [PROTOCOL]: these clients in a topology, any two stations and one client of which may
# collude. The default protocol is keys.
six() {
    echo "collude $1 clients=1 stations=2"
    six_clients | sed "s/^protocol .*/protocol ${2:-keys}/"
}

# The same clients, but client 6 reaches four stations, so that one may be missing and one may collude.
sparing_clients() {
    six_clients | sed 's/^client   6 .*/client   6    via 1 3-5/'
}

# npy FILE EXPRESSION: saves a NumPy array.
npy() {
    "$HAGG_PYTHON" -c 'import sys, numpy as np; np.save(sys.argv[1], eval(sys.argv[2]))' "$1" "$2"
}

# Checks that a Python expression is true; in it, load(FILE) is an array and np is NumPy.
assert_numpy() {
    "$HAGG_PYTHON" -c '
import sys
import numpy as np
from numpy import load

sys.exit(not eval(sys.argv[1]))
' "$1" || fail "not so: $1"
}

# make_key CLIENT LENGTH [ROUND [PLAN]]: makes a fresh key.
make_key() {
    rm -f "key-$1.cbor"
    hagg-keygen --plan "${4:-small.topo}" --client "$1" --round "${3:-1}" --length "$2" \
        -o "key-$1.cbor"
}

# share_ints CLIENT NUMBER...: the client shares these integers, to station-U/client-I.cbor.
share_ints() {
    printf '%s\n' "${@:2}" >"ints-$1.txt"
    make_key "$1" $(($# - 1))
    hagg-share --plan small.topo --client "$1" --round 1 --key "key-$1.cbor" --type i4 \
        --format text -o "station-{}/client-$1.cbor" "ints-$1.txt"
}

# Every station adds up its files, to from-U.cbor and keys-U.cbor; keys-3.cbor is the total of the keys.
add_stations() {
    local u before=()

    # the last station needs --clients unless all clients of the plan are present
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

# Runs a command with a terminal as its standard output, and captures that in $output.
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

# Checks that there is no file with a temporary name below the current directory.
assert_no_temporaries() {
    run -0 find . -regextype posix-extended -regex '.*\.[A-Za-z0-9]{6}'
    assert_output ""
}

# Prints all directories and files below the current directory, with digests of the files.
state() {
    find . -type d | sort
    find . -type f -exec md5sum {} + | sort -k 2
}

# unchanged STATUS COMMAND...: checks that the command fails with this status and changes no file.
unchanged() {
    local before after

    before=$(state)
    run "-$1" --separate-stderr "${@:2}"
    assert_output ""
    after=$(state)
    assert_equal "$after" "$before"
}

# different_plan FILE OTHER: the end of the message about a record made under FILE, where OTHER is used.
different_plan() {
    echo "was made under a different plan than $2: plan digest $(hagg-plan --digest "$1" | cut -c 1-19)..., not $(hagg-plan --digest "$2" | cut -c 1-19)..."
}

# assert_needs_plan COMMAND...: without the plan of HAGG_PLAN the command refuses records that name it.
assert_needs_plan() {
    local digest

    digest=$(hagg-plan --digest "$HAGG_PLAN" | cut -c 1-19)
    HAGG_PLAN='' unchanged 6 "$@"
    [[ "$stderr" == "$TOOL: "*": record 1 (byte 0): was made under a plan: use --plan (or HAGG_PLAN) with the plan whose digest is $digest..." ]] || fail "$stderr"
}

# rewrite FILE... STATEMENT: executes the statement for each record of the files, with its header h and
# its elements e. If e becomes None, the record is omitted.
rewrite() {
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" "$@" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

for name in sys.argv[2:-1]:
    with open(name, "rb") as file:
        records = hagg_format.read_stream(file.read())
    data = b""
    for record in records:
        h, e = record.header, record.elements.copy()
        exec(sys.argv[-1])
        data += hagg_format.write_record(h, e) if e is not None else b""
    with open(name, "wb") as file:
        file.write(data)
END
}

# Removes the plan from these records, so that no plan is needed for them.
unplanned() {
    rewrite "$@" 'h.pop("plan")'
}

# hostile COMMAND [OPTION...] FILE... -o OUTPUT: runs the command as a node does that ignores the plan of
# the records. It runs without the plan on copies that do not name one, and OUTPUT, which may contain {},
# then names the plan of HAGG_PLAN again.
hostile() {
    local word output=${*: -1} words=() digest

    mkdir -p hostile
    for word in "${@:1:$#-1}"; do
        if [ -f "$word" ]; then
            cp "$word" "hostile/${word//\//-}"
            word=hostile/${word//\//-}
            unplanned "$word"
        fi
        words+=("$word")
    done
    digest=$(hagg-plan --digest "$HAGG_PLAN")
    HAGG_PLAN='' "${words[@]}" "$output"
    rewrite ${output/"{}"/*} "h['plan'] = bytes.fromhex('$digest')"
}

# tamper FILE INDEX=VALUE...: changes elements of a record.
tamper() {
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" "$@" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

record = hagg_format.read_stream(open(sys.argv[2], "rb").read())[0]
elements = record.elements.copy()
for change in sys.argv[3:]:
    index, value = change.split("=")
    elements[int(index)] = int(value)
open(sys.argv[2], "wb").write(hagg_format.write_record(record.header, elements))
END
}
