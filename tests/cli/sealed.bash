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
