#!/usr/bin/env bats
# Right and wrong plans, as hagg-topology(5) describes them, tested with hagg-plan --digest.

load common

TOOL=hagg-plan
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# digest_of LINE...: prints the digest of a plan of these lines.
digest_of() {
    printf '%s\n' "$@" >this.topo
    hagg-plan --digest this.topo | tr -d ' '
}

# refused STATUS MESSAGE LINE...: checks that a plan of these lines is refused.
refused() {
    printf '%s\n' "${@:3}" >wrong.topo
    run "-$1" --separate-stderr hagg-plan --digest wrong.topo
    assert_message "$2"
    assert_output ""
}

malformed() {
    refused 3 "$@"
}

# malformed_line MESSAGE LINE [LINE...]: the same for one line, added to a valid plan, and lines after it.
malformed_line() {
    malformed "wrong.topo:3: $1" "stations 4" "client 1-6 via 1-4" "$2" "${@:3}"
}

# --- valid plans

@test "comments, tabs, carriage returns and empty lines are ignored" {
    plain=$(digest_of "stations 3" "client 1-4 via 1-3")
    run -0 digest_of "# a plan" "" $'  stations\t3\r' "client 1-4   via 1-3 # all" $'\r'
    assert_output "$plain"
}

@test "the order of lines and the spelling of lists do not change the digest" {
    plain=$(digest_of "stations 3" "field m31" "client 1-4 via 1-3")
    run -0 digest_of "client 4 2 via 3 1-2" "field m31" "client 1 3 via 1 2 3" "stations 3"
    assert_output "$plain"
}

@test "explicit default values do not change the digest" {
    plain=$(digest_of "stations 3" "client 1-4 via 1-3")
    run -0 digest_of "stations 3" "client 1-4 via 1-3" "field m31" "scheme aligned" "minimum 2" \
        "collude partial clients=0 stations=1 relays=0" "drop clients=0 stations=0"
    assert_output "$plain"
    plain=$(digest_of "stations 3" "client 1-4 via 1-3" "protocol keys")
    run -0 digest_of "stations 3" "client 1-4 via 1-3" "scheme ramp" "protocol keys"
    assert_output "$plain"
}

@test "other values change the digest" {
    plain=$(digest_of "stations 3" "client 1-4 via 1-3")
    for line in "collude partial stations=0" "collude partial stations=2" "quantize bits=8 clip=1" "samples" "length 1" \
        "minimum 3" "field m61" "segments 3" "drop clients=1" "protocol keys"; do
        run -0 digest_of "stations 3" "client 1-4 via 1-3" "$line"
        refute_output "$plain"
        assert_output --regexp '^[0-9a-f]{64}$'
    done
    plain=$(digest_of "stations 3" "client 1-4 via 1-3" "protocol keys")
    for line in "client 1-4 via 1-3 shares 3 1 2" "client 1-4 via 1-3"$'\n'"scheme additive"; do
        run -0 digest_of "stations 3" "$line" "protocol keys"
        refute_output "$plain"
        assert_output --regexp '^[0-9a-f]{64}$'
    done
}

@test "a topology without a protocol line means protocol aligned" {
    plain=$(digest_of "stations 3" "client 1-4 via 1-3")
    run -0 digest_of "protocol aligned" "stations 3" "client 1-4 via 1-3"
    assert_output "$plain"
    # the scheme and the number of segments follow from the protocol
    expected=$(printf '%s\n' "field m31" "scheme aligned" "collude partial clients=0 stations=1 relays=0" \
        "protocol aligned" "segments 2" "minimum 2" "stations 3" "client 1-4 via 1-3" | sha256sum)
    assert_equal "$plain" "${expected%% *}"
    run -2 --separate-stderr hagg-keygen --plan this.topo --client 1 --round 1 --length 1
    assert_equal "${stderr_lines[0]}" \
        "hagg-keygen: this.topo: clients have no keys with protocol aligned: use --station for the masks of a dealer"
}

@test "the digest is that of the canonical form" {
    cat >canonical <<END
field m31
scheme ramp
collude partial clients=1 stations=1 relays=0
drop clients=0 stations=1 relays=0
quantize bits=16 clip=0.10000000000000001 rounding=stochastic
samples
length 1
protocol keys
minimum 3
stations 5
client 1-2 5 via 1-5
client 3 via 1-2 4-5 shares 5 4 1-2 keys 2
END
    expected=$("$HAGG_PYTHON" -c '
import hashlib
print(hashlib.sha256(open("canonical", "rb").read()).hexdigest())')
    run -0 digest_of "stations 5" "client 5 2 1 via 5 4 3 2 1" \
        "client 3 via 1 2 4 5 keys 2 shares 5 4 1 2" "samples" "length 1" \
        "drop stations=1" "collude partial stations=1 clients=1" \
        "quantize rounding=stochastic clip=1e-1 bits=16" "field m31" "protocol keys"
    assert_output "$expected"
}

@test "the default minimum is two more than the number of colluding clients" {
    for c in 0 1 2; do
        plain=$(digest_of "stations 3" "client 1-4 via 1-3" "collude partial clients=$c")
        run -0 digest_of "stations 3" "client 1-4 via 1-3" "collude partial clients=$c" \
            "minimum $((c + 2))"
        assert_output "$plain"
        run -0 digest_of "stations 3" "client 1-4 via 1-3" "collude partial clients=$c" \
            "minimum $((c + 1))"
        refute_output "$plain"
    done
    malformed "wrong.topo: has 4 clients, but a total must have at least 5: add clients or set a lower minimum" \
        "stations 3" "client 1-4 via 1-3" "collude partial clients=3"
    run -0 digest_of "stations 3" "client 1-4 via 1-3" "collude partial clients=3" "minimum 4"
}

@test "10000 clients and 100 stations" {
    "$HAGG_PYTHON" - >many.topo <<'END'
import random

generator = random.Random(3)
print("collude partial stations=9\nstations 100")
for client in range(1, 10001):
    stations = sorted(generator.sample(range(1, 101), generator.randint(10, 100)))
    print("client", client, "via", *stations)
END
    for protocol in aligned keys; do
        run -0 --separate-stderr hagg-plan --digest <(cat many.topo; echo "protocol $protocol")
        assert_equal "$stderr" ""
        assert_output --regexp '^[0-9a-f ]{79}$'
    done
}

# --- wrong plans

@test "an unknown word" {
    malformed_line "'foo': is not a keyword: see hagg-topology(5)" "foo bar"
}

@test "no stations, no clients" {
    malformed "wrong.topo: the number of stations is missing: add a line stations N" \
        "client 1-3 via 1"
    malformed "wrong.topo: has no clients: add a line client 1-6 via 1-5" "stations 3"
    malformed "wrong.topo: the number of stations is missing: add a line stations N" ""
}

@test "a line that may appear only once appears twice" {
    malformed_line "'stations': appears twice" "stations 4"
    for line in "field m31" "scheme ramp" "collude partial stations=1" "drop stations=1" \
        "quantize bits=8 clip=1" "samples" "length 5" "minimum 2" "relays 3"; do
        malformed "wrong.topo:2: '${line%% *}': appears twice" "$line" "$line"
    done
}

@test "numbers" {
    malformed "wrong.topo:1: 'x': is not a number" "stations x"
    malformed "wrong.topo:1: '3x': is not a number" "stations 3x"
    malformed "wrong.topo:1: '03': number has a leading zero" "stations 03"
    malformed "wrong.topo:1: '0': number must be at least 1" "stations 0"
    malformed "wrong.topo:1: '65536': number must be at most 65535" "stations 65536"
    malformed "wrong.topo:1: 'stations': needs a number after it" "stations"
    malformed "wrong.topo:1: '4': is an extra word" "stations 3 4"
    malformed "wrong.topo:1: '281474976710657': number must be at most 281474976710656" "length 281474976710657"
    # 2^64 + 1
    malformed "wrong.topo:1: 'most=18446744073709551617': number must be at most 4611686018427387904" \
        "samples most=18446744073709551617"
    malformed "wrong.topo:1: '99999999999999999999': number must be at most 281474976710656" \
        "length 99999999999999999999"
}

@test "lists" {
    malformed_line "'3-1': range runs backwards" "client 7 via 3-1"
    malformed_line "'0': numbers start at 1" "client 0 via 1"
    malformed_line "'1-x': is not a number" "client 1-x via 1"
    malformed_line "'7,8': is neither a number nor a range" "client 7,8 via 1"
    malformed_line "'client': needs numbers after it" "client via 1"
    malformed_line "'via': needs numbers after it" "client 7 via"
    malformed_line "'7': expected via and stations after the clients" "client 7"
    malformed_line "'x': is neither a station nor computational, shares, keys, relays or key-relays" "client 7 via 1-4 x"
    malformed_line "'shares': appears twice" "client 7 via 1-4 shares 1 shares 2"
    malformed_line "'4294967296': number must be at most 4294967295" "client 4294967296 via 1"
}

@test "clients and stations that do not exist or appear twice" {
    malformed_line "'5': there are only 4 stations" "client 7 via 1-5"
    malformed_line "'2': station appears twice" "client 7 via 1-3 2"
    malformed_line "'6': client already appears in line 2" "client 6 via 1-4"
    malformed_line "'7': client already appears in line 3" "client 7 7 via 1-4"
    malformed_line "'4': shares names a station that these clients do not reach" \
        "client 7 via 1-3 shares 2 4"
    malformed_line "'4': keys names a station that these clients do not reach" \
        "client 7 via 1-3 keys 4" "protocol keys"
    malformed_line "'keys': under partial collusion one station gets the key" \
        "client 7 via 1-3 keys 1 2" "protocol keys"
}

@test "too few stations for those that may collude or be missing" {
    malformed "wrong.topo:3: 'via': 3 stations are too few: 2 may collude and 1 may be missing, so at least 4 are needed: for computational privacy instead, add a line fallback computational" \
        "stations 4" "client 1-6 via 1-4" "client 7 via 2-4" "collude partial stations=2" "drop stations=1"
    # with keys, any two quorums of a sharing must have an honest station in common
    malformed "wrong.topo:3: 'via': 3 stations are too few: 2 may collude and 1 may be missing, so at least 5 are needed" \
        "stations 4" "client 1-6 via 1-4" "client 7 via 2-4" "collude partial stations=2" "drop stations=1" "protocol keys"
    malformed "wrong.topo:2: 'shares': 2 stations are too few: 2 may collude and 0 may be missing, so at least 3 are needed" \
        "stations 4" "client 1-6 via 1-4 shares 1 2" "collude partial stations=2"
}

@test "too few stations to have one total: the message has the largest drop" {
    refused 6 "wrong.topo:3: 'via': 4 stations are too few: 1 may collude and 2 may be missing, so two totals of one round could be decoded: use drop stations=1 at most, or at least 6 stations" \
        "stations 6" "client 1-5 via 1-6" "client 6 via 1-4" "collude partial stations=1" "drop stations=2" "protocol keys"
    refused 6 "wrong.topo:2: 'keys': 3 stations are too few: 1 may collude and 1 may be missing, so two totals of one round could be decoded: use drop stations=0, or at least 4 stations" \
        "stations 4" "client 1-6 via 1-4 keys 1-3" "collude full stations=1" "drop stations=1" "protocol keys"
    for drop in 0 1; do
        printf '%s\n' "stations 4" "client 1-6 via 1-4" "collude partial stations=1" "drop stations=$drop" "protocol keys" >right.topo
        hagg-keygen --plan right.topo --client 1 --round 1 --length 1 >key.cbor
    done
    # other commands that read a plan
    sed -i s/drop.*/drop\ stations=2/ right.topo
    for line in "hagg-plan right.topo" "hagg-plan --keep right.topo" "hagg-audit right.topo" "hagg-cost right.topo" \
        "hagg-round --emit make --round 1 --vectors v{} --workdir work right.topo" "hagg-aggregate --plan right.topo" "hagg-decode --plan right.topo" \
        "hagg-share --plan right.topo --client 1 --round 1 --key key.cbor" "hagg-transform --plan right.topo --step finish"; do
        run -6 --separate-stderr $line </dev/null
        assert_equal "$stderr" "${line%% *}: right.topo:2: 'via': 4 stations are too few: 1 may collude and 2 may be missing, so two totals of one round could be decoded: use drop stations=1 at most, or at least 6 stations"
        assert_output ""
    done
}

@test "collude and drop" {
    malformed_line "'collude': must be partial or full" "collude"
    malformed_line "'some': must be partial or full" "collude some"
    malformed_line "'partial': needs a count after it, as in stations=1" "collude partial"
    malformed_line "'stations=2': appears twice" "collude partial stations=1 stations=2"
    malformed_line "'vectors=1': unknown word 'vectors': use clients=, stations= or relays=" "drop vectors=1"
    malformed "wrong.topo: has 6 clients and 5 may drop out, but a total must have at least 2: add clients or set a lower minimum" \
        "stations 4" "client 1-6 via 1-4" "drop clients=5"
    malformed_line "'drop': needs a count after it, as in stations=1" "drop"
    malformed_line "'stations=x': is not a number" "drop stations=x"
}

@test "quantize" {
    malformed_line "'quantize': needs clip=.." "quantize bits=8"
    malformed_line "'quantize': needs bits=.., levels=.., ternary or sign" "quantize"
    malformed_line "'bits=1': number must be at least 2" "quantize bits=1 clip=1"
    malformed_line "'bits=63': number must be at most 62" "quantize bits=63 clip=1"
    malformed_line "'clip=0': clip must be a number from 1e-200 to 1e200" "quantize bits=8 clip=0"
    malformed_line "'clip=-1': clip must be a number from 1e-200 to 1e200" "quantize bits=8 clip=-1"
    malformed_line "'clip=1e999': clip must be a number from 1e-200 to 1e200" "quantize bits=8 clip=1e999"
    # the sum of three, or a step, would not be a normal double
    malformed_line "'clip=1e308': clip must be a number from 1e-200 to 1e200" "quantize bits=8 clip=1e308"
    malformed_line "'clip=1e-320': clip must be a number from 1e-200 to 1e200" "quantize bits=8 clip=1e-320"
    malformed_line "'clip=inf': is not a number" "quantize bits=8 clip=inf"
    malformed_line "'clip=0x1': is not a number" "quantize bits=8 clip=0x1"
    malformed_line "'rounding=up': must be nearest or stochastic" "quantize bits=8 clip=1 rounding=up"
    malformed_line "'bits=9': appears twice" \
        "quantize bits=8 clip=1 bits=9"
}

@test "samples, minimum" {
    malformed_line "'3': unknown word '3': use most=" "samples 3"
    malformed_line "'0': number must be at least 1" "minimum 0"
    malformed "wrong.topo: has 6 clients, but a total must have at least 7: add clients or set a lower minimum" \
        "stations 4" "client 1-6 via 1-4" "minimum 7"
}

@test "fields and schemes" {
    malformed_line "'field': needs the name of a field" "field"
    malformed_line "'scheme': needs the name of a scheme" "scheme"
    malformed_line "'../x': scheme '../x' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -" "scheme ../x"
    malformed_line "'m31:': field 'm31:' has a parameter that is not KEY=VALUE" "field m31:"
    malformed_line "'../x': field '../x' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -" "field ../x"
    refused 1 "wrong.topo: no plugin for field 'nowhere': install hagg-field-nowhere.so, or add its directory to HAGG_PLUGIN_PATH" \
        "stations 4" "client 1-6 via 1-4" "field nowhere"
    malformed "wrong.topo: field 'prime:p=10': p is not prime" \
        "stations 4" "client 1-6 via 1-4" "field prime:p=10"
}

@test "a field that is too small, for the sum or for the stations" {
    malformed "wrong.topo: a sum over 6 clients of 30 bits overflows field 'm31': use bits=max, which is 28 here, or a larger field" \
        "field m31" "stations 4" "client 1-6 via 1-4" "quantize bits=30 clip=1"
    malformed "wrong.topo: a sum over 6 clients of 62 bits overflows field 'goldilocks': use bits=max, which is 53 here" \
        "stations 4" "client 1-6 via 1-4" "quantize bits=62 clip=1"
    malformed "wrong.topo: field 'prime:p=5' has too few points for 5 stations: use a larger one" \
        "stations 5" "client 1-2 via 1-5" "field prime:p=5" "protocol keys"
    malformed "wrong.topo: field 'prime:p=5' has too few points for 4 segments and 5 stations: use a larger one or fewer segments" \
        "stations 5" "client 1-2 via 1-5" "field prime:p=5"
}

@test "a quantised sum that just fits the field" {
    # 2 * (2^29 - 1) is at most (2^31 - 2) / 2, 2 * (2^30 - 1) is not
    printf '%s\n' "field m31" "stations 4" "client 1-2 via 1-4" "quantize bits=30 clip=1" >fits.topo
    run -0 --separate-stderr hagg-plan --digest fits.topo
    assert_equal "$stderr" ""
    malformed "wrong.topo: a sum over 2 clients of 31 bits overflows field 'm31': use bits=max, which is 30 here, or a larger field" \
        "field m31" "stations 4" "client 1-2 via 1-4" "quantize bits=31 clip=1"
}

@test "a sharing that would need gigabytes is refused" {
    for tool in "hagg-keygen --plan wrong.topo --client 1 --round 1 --length 1" "hagg-audit wrong.topo" \
        "hagg-cost wrong.topo" "hagg-round --emit make --round 1 --vectors v{} --length 1 --workdir w wrong.topo"; do
        printf '%s\n' "stations 65535" "client 1 2 via 1-65535" "protocol keys" >wrong.topo
        TOOL=${tool%% *}
        unchanged 3 $tool
        assert_message "wrong.topo: scheme 'ramp' with n = 65535, k = 65535, z = 1: its matrix would have more than 134217728 elements: use fewer holders, or a smaller k"
    done
    # a plan for fewer of them is found
    run -0 --separate-stderr hagg-plan -q wrong.topo
    assert_line --regexp "^client 2 via 1-65535 shares 1-11585 keys [12]$"
}

@test "a scheme that does not support the number of stations" {
    malformed "wrong.topo: scheme 'additive' with n = 4, k = 3, z = 1: additive sharing among 4 needs k = 4 and z = 3, not k = 3 and z = 1" \
        "stations 4" "client 1-6 via 1-4" "scheme additive" "drop stations=1" "protocol keys"
}

@test "relays" {
    malformed "wrong.topo:1: 'station': the number of relays is missing: add a line such as relays 4" \
        "station 1-4 via 1" "stations 4" "client 1-6 via 1-4"
    malformed "wrong.topo: station 2 reaches no relay: add a line station 2 via .." \
        "station 1 via 1" "stations 2" "relays 2" "client 1-6 via 1-2"
    malformed "wrong.topo:2: '3': there are only 2 relays" \
        "stations 2" "station 1-2 via 3" "relays 2" "client 1-6 via 1-2"
    malformed "wrong.topo:4: 'relays': one relay is needed for every station that gets a share" \
        "stations 2" "station 1-2 via 1-2" "relays 2" "client 1-6 via 1-2 relays 1" "protocol keys"
}

@test "words of one protocol in a topology of the other" {
    local remedy="is not used with protocol aligned: remove it, or add a line protocol keys"

    for word in keys relays key-relays; do
        malformed_line "'$word': $remedy" "client 7 via 1-4 $word 1" "relays 4" "station 1-4 via 1-4"
    done
    malformed "wrong.topo: transform is not needed with protocol aligned: remove it, or add a line protocol keys" \
        "stations 4" "client 1-6 via 1-4" "transform direct" "relays 4" "station 1-4 via 1-4"
    for scheme in ramp additive; do
        malformed "wrong.topo: scheme '$scheme' cannot be used with protocol aligned: remove the scheme line, or add a line protocol keys" \
            "stations 4" "client 1-6 via 1-4" "scheme $scheme"
    done
    for line in "segments 4" "dealers 1-3"; do
        malformed "wrong.topo:3: '${line%% *}': is not used with protocol keys: remove it, or the line protocol keys" \
            "stations 4" "client 1-6 via 1-4" "$line" "protocol keys"
    done
}

@test "relays that are not chosen" {
    local why="no relays are chosen for these shares: choose them with hagg-plan"

    refused 3 "wrong.topo:4: $why" \
        "stations 2" "station 1-2 via 1-2" "relays 2" "client 1-6 via 1-2" "protocol keys"
    refused 3 "wrong.topo:5: $why" \
        "stations 2" "station 1-2 via 1-2" "relays 2" "client 1-5 via 1-2 relays 2 1" "client 6 via 1-2" "protocol keys"
    # under full collusion keys are sent through relays, too
    refused 3 "wrong.topo:5: $why" \
        "stations 2" "station 1-2 via 1-2" "relays 2" "collude full stations=1" "client 1-6 via 1-2 relays 2 1" "protocol keys"
}

@test "bytes that are not text" {
    malformed_line "'client 7 via ?1': contains characters that are not printable ASCII" $'client 7 via \e1'
    printf 'stations 4\0\n' >wrong.topo
    run -3 --separate-stderr hagg-plan --digest wrong.topo
    assert_message "wrong.topo:1: '': contains a NUL byte: this is not a topology"
    assert_output ""
}

@test "a plan that cannot be read" {
    run -1 --separate-stderr hagg-plan --digest nowhere.topo
    assert_message "nowhere.topo: No such file or directory"
    assert_output ""
    run -1 --separate-stderr hagg-plan --digest .
    assert_message ".: is a directory: name a file in it"
    assert_output ""
}

@test "messages about a plan on standard input" {
    run -3 --separate-stderr hagg-plan --digest - <<<foo
    assert_message "standard input:1: 'foo': is not a keyword: see hagg-topology(5)"
}

@test "every command reads the plan and prints the same message" {
    echo foo >wrong.topo
    : >v
    for command in hagg-keygen hagg-share hagg-aggregate hagg-decode; do
        args=()
        case $command in
        hagg-keygen) args=(--client 1 --round 1 --length 1) ;;
        hagg-share) args=(--client 1 --round 1 v) ;;
        *) args=(v) ;;
        esac
        run -3 --separate-stderr "$command" --plan wrong.topo "${args[@]}"
        assert_equal "$stderr" "$command: wrong.topo:1: 'foo': is not a keyword: see hagg-topology(5)"
        assert_output ""
    done
}
