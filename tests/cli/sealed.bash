# sealed.bash - functions for the .bats files about plans with identities; load it after common.

# make_keys CLIENTS STATIONS [RELAYS]: writes the private keys to keys/TIER-NUMBER.pem, and ids.txt. The
# arguments are sets such as 1-4, but RELAYS is a number.
make_keys() {
    local m

    mkdir keys
    {
        echo "# the identities of a test"
        hagg-keygen --identity 'keys/{tier}-{}.pem' --clients "$1"
        hagg-keygen --identity 'keys/{tier}-{}.pem' --stations "$2"
        for ((m = 1; m <= ${3:-0}; m++)); do
            hagg-keygen --identity 'keys/{tier}-{}.pem' --relay $m
        done
        hagg-keygen --identity keys/federator.pem --federator
    } >ids.txt
}

# keep_ids TOPOLOGY: removes the lines of ids.txt that are for other nodes.
keep_ids() {
    python3 - "$1" <<'END'
import sys

nodes = {"#", "federator"}
for line in open(sys.argv[1]):
    words = line.split()
    if words[:1] == ["client"]:
        for word in words[1 : words.index("via")]:
            first, _, last = word.partition("-")
            nodes |= {f"client {i}" for i in range(int(first), int(last or first) + 1)}
    elif words[:1] in (["stations"], ["relays"]):
        nodes |= {f"{words[0][:-1]} {i}" for i in range(1, int(words[1]) + 1)}
lines = open("ids.txt").readlines()
with open("ids.txt", "w") as file:
    file.writelines(line for line in lines
                    if " ".join(line.split()[:2]) in nodes or line.split()[0] in ("#", "federator"))
END
}

# as NODE COMMAND...: runs a command with the private key and the state of one node, for instance client-3.
# If UNSEALED is set, it has no key.
as() {
    mkdir -p -m 700 "$HAGG_STATE/$1"
    if [ -n "${UNSEALED:-}" ]; then
        HAGG_STATE=$HAGG_STATE/$1 "${@:2}"
    else
        HAGG_STATE=$HAGG_STATE/$1 HAGG_IDENTITY=keys/$1.pem "${@:2}"
    fi
}

# sealed_python CODE ARGUMENT...: runs Python with functions that read, open, seal and write records
# independently of the commands; see sealed_records.py.
sealed_python() {
    PYTHONPATH=$HAGG_SOURCE_DIR/tests/format:$HAGG_SOURCE_DIR/tests/cli "$HAGG_PYTHON" -B -c \
        "from sealed_records import *
$1" "${@:2}"
}

# forge FILE CODE [NEW]: writes the only record of FILE again with a change of its header (a dict) or its
# payload (Sealed), as Python, and the right digest, to NEW or to the same file.
forge() {
    sealed_python "
header, payload = only(sys.argv[1])
$2
save(sys.argv[2], header, payload)" "$1" "${3:-$1}"
}

# For a round, in the current directory, of the plan HAGG_PLAN. Each node runs with its own key, and files
# are where hagg-round puts them: station-U/* is sent to station U, relay-R/* to relay R, federator/* to the
# federator, and private/* is not sent.

# clients NUMBER... -- OPTION...: shares v1.npy, v2.npy, ...; with a key if the plan has protocol keys.
clients() {
    local i key=() who=()

    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        who+=("$1")
        shift
    done
    mkdir -p private
    for i in "${who[@]}"; do
        if grep -q '^protocol keys' "$HAGG_PLAN"; then
            as client-$i hagg-keygen --client $i --round 1 --length "$LENGTH" -o private/key-$i
            key=(--key private/key-$i)
        fi
        as client-$i hagg-share --client $i --round 1 "${key[@]}" "${@:2}" -o "station-{}/client-$i" v$i.npy
    done
}

# dealers NUMBER...: makes masks.
dealers() {
    local u

    for u; do
        as station-$u hagg-keygen --station $u --round 1 --length "$LENGTH" -o "station-{}/mask-$u"
    done
}

# stations NUMBER... -- OPTION...: adds up at stations, and sends to the federator.
stations() {
    local u who=()

    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        who+=("$1")
        shift
    done
    mkdir -p federator
    for u in "${who[@]}"; do
        as station-$u hagg-aggregate --station $u "${@:2}" -o federator/station-$u station-$u/*
    done
}

# The same, but to relays.
stations_to_relays() {
    local u

    for u; do
        as station-$u hagg-aggregate --station $u -o "relay-{}/station-$u" station-$u/*
    done
}

# relays NUMBER...: adds up at relays.
relays() {
    local r

    mkdir -p federator
    for r; do
        as relay-$r hagg-aggregate --relay $r -o federator/relay-$r relay-$r/*
    done
}

# chain OUTPUT OPTION...: adds up the keys along stations 1 to N, as under partial collusion. The total is
# written to OUTPUT.
chain() {
    local u n

    n=$(sed -n 's/^stations *//p' "$HAGG_PLAN")
    for ((u = 1; u < n; u++)); do
        mkdir -p station-$((u + 1))
        as station-$u hagg-aggregate --station $u --only keys "${@:2}" -o station-$((u + 1))/keys station-$u/*
        # the first stations may have no keys
        [ -s station-$((u + 1))/keys ] || rm -f station-$((u + 1))/keys
    done
    as station-$n hagg-aggregate --station $n --only keys "${@:2}" -o "$1" station-$n/*
}

# decode OPTION...: writes total.npy.
decode() {
    as federator hagg-decode -q "$@" -o total.npy federator/*
}
