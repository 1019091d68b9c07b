#!/usr/bin/env bats
# hagg-plan: plans, reports, and refusals.

load common

TOOL=hagg-plan
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    six full >city.topo
    six partial >part.topo
}

# geometric SEED CLIENTS STATIONS LINE...: a topology in which clients reach nearby stations.
geometric() {
    python3 - "$@" <<'PYTHON'
import math, random, sys
seed, n, b = map(int, sys.argv[1:4])
rng = random.Random(seed)
place = lambda: (rng.random(), rng.random())
stations = [place() for _ in range(b)]
print(*sys.argv[4:], f"stations {b}", "protocol keys", sep="\n")
for i in range(1, n + 1):
    at = place()
    near = sorted(range(b), key=lambda s: math.dist(at, stations[s]))[: rng.randint(5, 8)]
    print(f"client {i} via", *sorted(s + 1 for s in near))
PYTHON
}

# Prints the first number after "cost" in the report.
cost_said() {
    sed -nE 's/^hagg-plan: cost ([^ ]+).*/\1/p' <<<"$stderr"
}

@test "full collusion: 44 under the exact condition, proved" {
    run -0 --separate-stderr hagg-plan city.topo -o city.plan
    assert_output ""
    assert_equal "$stderr" "hagg-plan: cost 44 times the vector: clients to stations 31, stations to federator 13 in 5 patterns
hagg-plan: for comparison, with all stations that clients reach: cost 140/3 = 46.667, but not private
hagg-plan: lower bound for any private protocol: 47/3 = 15.667, ratio 2.809
hagg-plan: sharper lower bound for this network: 50/3 = 16.667, ratio 2.640
hagg-plan: proved: no other private choice of station sets costs less
hagg-plan: clients that may collude or be missing: 1 (required: 1)"
}

@test "full collusion: 45 under the paper's condition, 48 with the paper's sets" {
    run -0 --separate-stderr hagg-plan --condition paper city.topo
    assert_equal "$(cost_said)" 45
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
    write_ring
    run -0 --separate-stderr hagg-plan --keep ring.plan
    assert_equal "$(cost_said)" 48
    assert_line "client 4 via 2-5 shares 2-5 keys 2 4-5"
}

@test "partial collusion: 32, against 103/3 with all stations" {
    run -0 --separate-stderr hagg-plan part.topo
    assert_equal "$stderr" "hagg-plan: cost 32 times the vector: clients to stations 22, station to station 4, stations to federator 6 in 2 patterns
hagg-plan: for comparison, with all stations that clients reach: cost 103/3 = 34.333
hagg-plan: lower bound for any private protocol: 47/3 = 15.667, ratio 2.043
hagg-plan: sharper lower bound for this network: 50/3 = 16.667, ratio 1.920
hagg-plan: proved: no other private choice of station sets costs less
hagg-plan: stations pass on the total of the keys from one to the next: if they cannot send to each other, use collude full"
    assert_line "client 4 via 2-5 shares 2-5 keys 4"
}

@test "--keep reproduces a plan, and planning a plan again does not change it" {
    hagg-plan -q city.topo >city.plan
    run -0 --separate-stderr hagg-plan -q --keep city.plan
    assert_output "$(cat city.plan)"
    run -0 --separate-stderr hagg-plan -q city.plan
    assert_output "$(cat city.plan)"
    hagg-plan -q part.topo | hagg-plan -q >again.plan
    run -0 --separate-stderr hagg-plan -q part.topo
    assert_output "$(cat again.plan)"
}

@test "a planned round gives the sum, under both kinds of collusion" {
    for kind in city part; do
        hagg-plan -q $kind.topo -o $kind.plan
        export HAGG_PLAN=$kind.plan
        for i in 1 2 3 4 5 6; do
            hagg-keygen --client $i --round 1 --length 2 |
                hagg-share --again --client $i --round 1 --key - --type i4 --format text \
                    <(printf '%s\n' $i $((i * i)))
        done | hagg-aggregate >sums.cbor
        run -0 --separate-stderr hagg-decode --format text sums.cbor
        assert_output $'21\n91'
    done
}

@test "keys are spread evenly under partial collusion" {
    { echo "collude partial stations=1"; echo "stations 4"; echo "client 1-40 via 1-4"; echo "protocol keys"; } >even.topo
    hagg-plan -q even.topo >even.plan
    for u in 1 2 3 4; do
        run -0 python3 -c "
import sys
count = 0
for line in open('even.plan'):
    words = line.split()
    if words[0] == 'client' and words[-1] == '$u':
        for word in words[1:words.index('via')]:
            a, _, b = word.partition('-')
            count += int(b or a) - int(a) + 1
print(count)"
        assert_output 10
    done
}

@test "the same seed gives the same plan, for large topologies too" {
    geometric 1 400 30 "collude full clients=2 stations=2" >many.topo
    hagg-plan -q --seed 5 many.topo >a.plan
    hagg-plan -q --seed 5 many.topo >b.plan
    cmp a.plan b.plan
    run -0 --separate-stderr hagg-plan --keep a.plan
    assert_regex "$stderr" "clients that may collude or be missing: [2-9] \(required: 2\)"
}

@test "planning never costs more than all stations, nor less than the bound" {
    for seed in 1 2 3 4; do
        geometric $seed 200 20 "collude partial stations=2" >near.topo
        run -0 --separate-stderr hagg-plan near.topo
        python3 - "$stderr" <<'PYTHON'
import re, sys
decimal = r"(?:about )?(?:[0-9/]+ = )?([0-9.]+)"
cost, whole, bound = (float(re.search(f"{word}:? {decimal}", sys.argv[1]).group(1))
                      for word in ("cost", "reach: cost", "protocol"))
assert bound < cost < whole, (bound, cost, whole)
PYTHON
    done
}

@test "clients that may be missing count like colluding clients" {
    { six full; echo "drop clients=1"; } >drop.topo
    run -0 --separate-stderr hagg-plan drop.topo -o drop.plan
    assert_regex "$stderr" "clients that may collude or be missing: 2 \(required: 2, 1 colluding and 1 missing\)"
    assert_equal "$(cost_said)" 45
}

@test "if there is no private plan, the message gives the reason" {
    sed s/clients=1/clients=3/ city.topo >three.topo
    run -6 --separate-stderr hagg-plan three.topo -o three.plan
    assert_message "three.topo: no plan is private against 3 clients: all station sets were tried; a plan against 2 was found"
    assert_file_not_exists three.plan
    printf '%s\n' "collude full stations=1" "stations 6" "client 1 2 via 1-3" "client 3 via 4-6" "protocol keys" >apart.topo
    run -6 --separate-stderr hagg-plan apart.topo
    assert_output ""
    assert_regex "$stderr" "^hagg-plan: apart.topo: no plan is private.*client 3"
}

@test "--keep of sets that are not private is refused, and --dot still draws them" {
    run -6 --separate-stderr hagg-plan --keep city.topo -o kept.plan
    assert_equal "${stderr_lines[-1]}" \
        "hagg-plan: city.topo: the federator would learn the vector of client 6: choose other station sets with hagg-plan"
    assert_file_not_exists kept.plan
    run -0 --separate-stderr hagg-plan --keep --dot -q city.topo
    assert_line "digraph round {"
    run -0 --separate-stderr hagg-plan --keep --dot=patterns -q city.topo
    assert_line "graph plan {"
}

@test "--dot draws who sends how much to whom" {
    run -0 --separate-stderr hagg-plan --dot -q city.topo
    assert_equal "$stderr" ""
    assert_line --regexp '^  label="city.topo: 44 times the vector'
    assert_line --regexp '^  c3 -> s4 \[taillabel="1/2" style=solid '
    assert_line --regexp '^  c4 -> s4 \[taillabel="1" style=dashed '
    assert_line --regexp '^  s5 -> f1 \[taillabel="5/2" style=dashed '
    { echo "collude partial stations=1"; echo "stations 3"; echo "client 1-70 via 1-3 keys 2"; echo "protocol keys"; } >many.topo
    run -0 --separate-stderr hagg-plan --dot=round --keep -q many.topo
    assert_line '  c1 [label="clients 1-70"]'
    assert_line --regexp '^  c1 -> s3 \[headlabel="35" style=solid '
    assert_line --regexp '^  c1 -> s2 \[headlabel="70" style=dashed '
    # the chain of keys starts at the first station that has keys
    assert_line --regexp '^  s2 -> s3 \[xlabel="1" style=dashed '
    refute_line --regexp '^  s1 -> s2'
    # 70 clients send 3/2 and a key each, three stations 1/2, and the chain has two links
    run -0 --separate-stderr bash -c 'hagg-plan --dot --keep -q <many.topo'
    assert_line --regexp '^  label="standard input: 357/2 = 178.500 times the vector'
}

@test "--dot=patterns draws clients between their patterns" {
    run -0 --separate-stderr hagg-plan --dot=patterns -q city.topo
    assert_line '  l0 [label="shares 1 2 5"]'
    assert_line '  r2 [label="keys 1 2 3 5"]'
    assert_line '  l0 -- r2 [label="1 2" penwidth=2.0]'
    run -0 --separate-stderr hagg-plan --dot=patterns -q part.topo
    assert_line '  l4 -- r1 [label="3" penwidth=1.0]'
    { echo "stations 2"; echo "client 1-20 via 1 2"; echo "protocol keys"; } >many.topo
    run -0 --separate-stderr hagg-plan --dot=patterns -q many.topo
    assert_line '  l0 -- r0 [label="20 clients" penwidth=6.0]'
}

@test "a field with few points gets small sets" {
    { echo "field prime:p=5"; echo "collude partial stations=1"; echo "minimum 2"; echo "stations 8"; echo "client 1 2 via 1-8"; echo "protocol keys"; } >few.topo
    run -0 --separate-stderr hagg-plan -q few.topo -o few.plan
    run -0 hagg-plan -q --keep few.plan
    run -0 --separate-stderr hagg-keygen --plan few.plan --client 1 --round 1 --length 1
}

@test "additive sharing uses the fewest stations that are private" {
    { echo "scheme additive"; echo "collude partial stations=2"; echo "stations 6"; echo "client 1-4 via 1-6"; echo "protocol keys"; } >add.topo
    run -0 --separate-stderr hagg-plan add.topo
    assert_line --regexp "^client .* via 1-6 shares 1-3 "
}

@test "usage errors" {
    for wrong in "--condition both" "--dot=all" "--effort 0" "--effort 10" "--time-limit 0" "--time-limit soon" \
        "--seed -1" "city.topo part.topo"; do
        # shellcheck disable=SC2086 # words
        run -2 --separate-stderr hagg-plan $wrong
        assert_output ""
    done
}

@test "files that cannot be read or written" {
    run -1 --separate-stderr hagg-plan absent.topo
    assert_message "absent.topo: No such file or directory"
    echo "stations" >wrong.topo
    run -3 --separate-stderr hagg-plan wrong.topo
    assert_regex "$stderr" "^hagg-plan: wrong.topo:1: "
    run -1 --separate-stderr hagg-plan city.topo -o /dev/full
    assert_regex "$stderr" "/dev/full: No space left on device"
    echo old >kept
    run -1 --separate-stderr hagg-plan city.topo -o missing/plan
    run -6 --separate-stderr hagg-plan --keep city.topo -o kept
    assert_equal "$(cat kept)" old
}

@test "a time limit stops the search and is reported" {
    geometric 1 3000 60 "collude partial stations=2" >many.topo
    run -0 --separate-stderr hagg-plan --effort 9 --time-limit 0.2 many.topo -o many.plan
    assert_regex "$stderr" "the search was stopped by --time-limit"
    run -0 --separate-stderr hagg-plan -q --keep many.plan -o again.plan
}

@test "a time limit too short to find a private plan is reported" {
    geometric 1 3000 60 "collude full clients=1 stations=2" >many.topo
    run -6 --separate-stderr hagg-plan --time-limit 0.02 many.topo -o many.plan
    assert_message "many.topo: the time limit ended the search before it found a plan that is private against 1 client: allow more time"
    assert_output ""
    assert_file_not_exists many.plan
}

@test "--progress shows the progress of a long search and clears it" {
    geometric 1 3000 60 "collude partial stations=2" >many.topo
    run -0 --separate-stderr hagg-plan -q --progress --effort 9 --time-limit 1.6 many.topo -o many.plan
    assert_regex "$stderr" $'\r\\[#* *\\] +[0-9]+%\r'
    refute_regex "$stderr" MB
    # -q does not hide a warning
    assert_regex "$stderr" $'\r +\rhagg-plan: the search was stopped by --time-limit$'
    run -0 --separate-stderr hagg-plan -q --effort 9 --time-limit 1.6 many.topo -o many.plan
    assert_message "the search was stopped by --time-limit"
    run -0 --separate-stderr hagg-plan -q --no-progress --effort 9 --time-limit 1.6 many.topo -o many.plan
    assert_message "the search was stopped by --time-limit"
}

# With few kinds of clients, sets of stations for one secret are found at once, and the remaining time is
# spent on the sets for vectors and keys together.
@test "--progress continues while the sets for vectors and keys are searched together" {
    {
        echo "collude full clients=2 stations=1"
        echo "stations 12"
        echo "protocol keys"
        for i in {0..11}; do
            echo "client $((40 * i + 1))-$((40 * i + 40)) via $(printf '%d\n' $((i + 1)) $(((i + 1) % 12 + 1)) \
                $(((i + 2) % 12 + 1)) $(((i + 3) % 12 + 1)) | sort -n | tr '\n' ' ')"
        done
    } >ring.topo
    run -0 --separate-stderr hagg-plan -q --progress --effort 9 --time-limit 1.8 ring.topo -o ring.plan
    # the bar is redrawn at most five times a second, and only if it changes
    bars=$(tr '\r' '\n' <<<"$stderr" | grep -c '%$')
    ((bars > 2))
}

@test "if stations may be missing, keys are sent to few of them" {
    printf '%s\n' "collude partial stations=1" "drop stations=1" "stations 5" "client 1-3 via 1-4" \
        "client 4-6 via 2-5" "client 7 via 1 3-5" "protocol keys" >t.topo
    run -0 hagg-plan -q t.topo
    # all clients reach stations 3 and 4
    assert_equal "$(grep -c 'keys 3$' <<<"$output")" "$(grep -c '^client' <<<"$output")"
    run -0 hagg-plan -q <(sed '/^drop/d' t.topo)
    assert [ "$(grep -c 'keys 3$' <<<"$output")" -lt "$(grep -c '^client' <<<"$output")" ]
}

@test "without a collude line one station may collude, and the plan states it" {
    printf '%s\n' "stations 3" "client 1-4 via 1-3" "protocol keys" >open.topo
    run -0 --separate-stderr hagg-plan -q open.topo
    assert_equal "$stderr" ""
    assert_line "collude partial clients=0 stations=1 relays=0"
    hagg-plan -q open.topo -o open.plan
    hagg-audit --colluders stations=1 open.plan
    hagg-audit open.plan
}

@test "a warning if a single station or relay may learn something, or if the minimum is too low" {
    printf '%s\n' "collude partial clients=1 stations=0" "stations 3" "client 1-4 via 1-3" "protocol keys" >open.topo
    run -0 --separate-stderr hagg-plan -q open.topo
    assert_message "warning: open.topo: the collude line has stations=0, so a single station may learn vectors or parts of them: use stations=1 or more"
    # the warning is true
    hagg-plan -q open.topo -o open.plan
    run -6 hagg-audit --colluders stations=1 open.plan
    assert_line "station 1 learns:"
    printf '%s\n' "collude full clients=1 stations=1" "stations 3" "relays 3" "station 1-3 via 1-3" \
        "client 1-4 via 1-3" "protocol keys" >relayed.topo
    # one station and its relay have the same share
    run -0 --separate-stderr hagg-plan -q relayed.topo
    assert_equal "$stderr" ""
    assert_line "collude full clients=1 stations=1 relays=0"
    # with a sharing of their own, one relay may collude
    run -0 --separate-stderr hagg-plan -q --transform always relayed.topo
    assert_equal "$stderr" ""
    assert_line "collude full clients=1 stations=1 relays=1"
    sed -i 's/stations=1/& relays=0/' relayed.topo
    run -0 --separate-stderr hagg-plan -q --transform always relayed.topo -o relayed.plan
    assert_message "warning: relayed.topo: the collude line has relays=0, so a single relay may learn sums or parts of them: use relays=1 or more"
    run -6 hagg-audit --colluders relays=1 relayed.plan
    assert_line "  the sum of the vectors of clients 1-4"
    printf '%s\n' "collude full clients=1" "minimum 2" "stations 3" "client 1-4 via 1-3" "protocol keys" >low.topo
    run -0 --separate-stderr hagg-plan -q low.topo
    assert_message "warning: low.topo: with minimum 2 and clients=1 in the collude line, a total may reveal the vector of one client: use minimum 3 or more"
}

# --- the digest

# groups: the hexadecimal digits on standard input, in groups of four.
groups() {
    sed 's/ .*//; s/..../& /g; s/ $//'
}

@test "--digest prints the SHA-256 of the canonical form, in groups of four digits" {
    printf '%s\n' "stations 3" "client 4 1-3 via 3 1 2 # all" "collude partial stations=1" "protocol keys" >a.topo
    printf '%s\n' "field m31" "scheme ramp" "collude partial clients=0 stations=1 relays=0" "protocol keys" \
        "minimum 2" "stations 3" "client 1-4 via 1-3" >canonical
    expected=$("$HAGG_PYTHON" -c '
import hashlib
digits = hashlib.sha256(open("canonical", "rb").read()).hexdigest()
print(*(digits[i : i + 4] for i in range(0, 64, 4)))')
    run -0 --separate-stderr hagg-plan --digest a.topo
    assert_output "$expected"
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-plan --digest <a.topo
    assert_output "$expected"
    run -0 --separate-stderr hagg-plan --digest -o out canonical
    assert_output ""
    assert_equal "$(cat out)" "$expected"
}

@test "--digest of a plan is that of its records, and no sets are chosen" {
    hagg-plan -q city.topo -o city.plan
    run -0 --separate-stderr hagg-plan --digest city.plan
    assert_output "$(sha256sum city.plan | groups)"
    expected=$output
    hagg-keygen --plan city.plan --client 1 --round 1 --length 1 -o key.cbor
    run -0 hagg-inspect --json key.cbor
    assert_json "lines[0]['plan'] == '${expected// /}'"
    # these sets are not private, but they have a digest
    run -0 --separate-stderr hagg-plan --digest city.topo
    refute_output "$expected"
    assert_equal "$stderr" ""
}

@test "plans that differ only in the minimum have different digests of 256 bits" {
    for minimum in 1 6; do
        { cat part.topo; echo "minimum $minimum"; } >"$minimum.topo"
        run -0 hagg-plan --digest "$minimum.topo"
        assert_regex "$output" "^([0-9a-f]{4} ){15}[0-9a-f]{4}\$"
    done
    assert_not_equal "$(hagg-plan --digest 1.topo)" "$(hagg-plan --digest 6.topo)"
}

@test "--digest with --dot or --keep, and of a topology that is wrong" {
    for option in --dot --keep; do
        run -2 --separate-stderr hagg-plan --digest $option city.topo
        assert_output ""
        assert_regex "$stderr" "^hagg-plan: --digest cannot be combined with --dot or --keep"
    done
    echo "stations x" >wrong.topo
    unchanged 3 hagg-plan --digest -o out wrong.topo
    unchanged 1 hagg-plan --digest -o out missing.topo
}

# --- JSON

@test "--json writes the contents of a plan, with its defaults, and chooses nothing" {
    printf '%s\n' "collude full clients=1 stations=2" "drop clients=1" "quantize bits=max clip=0.5" "length 7" "samples" \
        "stations 5" "client 2 4-6 via 1-3 5" "client 3 via 5 1-4 shares 4 3 1" >a.topo
    run -0 --separate-stderr hagg-plan --json a.topo
    assert_equal "$stderr" ""
    assert_equal "${#lines[@]}" 1
    digest=$(hagg-plan --digest a.topo | tr -d ' ')
    assert_json "lines == [{'digest': '$digest', 'protocol': 'aligned', 'field': 'm31', 'scheme': 'aligned',
        'collusion': 'full', 'collude': {'clients': 1, 'stations': 2, 'relays': 0},
        'drop': {'clients': 1, 'stations': 0, 'relays': 0}, 'minimum': 3,
        'quantize': {'bits': 28, 'clip': 0.5, 'rounding': 'nearest'}, 'integers': None, 'samples': True,
        'most_samples': None, 'length': 7,
        'transform': False, 'privacy': 'information-theoretic', 'fallback': False,
        'identities': None, 'dealers': [1, 2, 3, 4, 5], 'stations': 5, 'relays': 0, 'price': None,
        'clients': [[2, 2, 0], [3, 3, 1], [4, 6, 0]],
        'groups': [{'via': [1, 2, 3, 5], 'shares': [1, 2, 3, 5], 'computational': False, 'courier': None},
                   {'via': [1, 2, 3, 4, 5], 'shares': [1, 3, 4], 'computational': False, 'courier': None}],
        'station_via': []}]"
}

@test "--json of a plan without quantisation, with relays, keys and identities" {
    printf '%s\n' "collude partial stations=1 relays=1" "drop relays=1" "protocol keys" "stations 5" "relays 5" \
        "station 1-4 via 1-5" "station 5 via 2 4" "client 1-3 via 1-5" "identities keys.ids" >a.topo
    hagg-keygen --plan a.topo --identity '{tier}-{}.pem' --all >keys.ids
    hagg-plan -q a.topo -o a.plan
    run -0 --separate-stderr hagg-plan --json -o out a.plan
    assert_output ""
    run -0 cat out
    assert_json "(lines[0]['quantize'] is None and lines[0]['length'] is None and lines[0]['samples'] is False
        and lines[0]['identities'] == 'keys.ids' and lines[0]['relays'] == 5 and lines[0]['station_via'] == 4 * [[1, 2, 3, 4, 5]] + [[2, 4]] and lines[0]['protocol'] == 'keys'
        and lines[0]['drop']['relays'] == 1 and lines[0]['collusion'] == 'partial' and lines[0]['dealers'] == []
        and lines[0]['clients'] == [[1, 1, 0], [2, 2, 1], [3, 3, 2]] and lines[0]['minimum'] == 2)"
}

@test "--json with --digest, --dot or --keep, and of a topology that is wrong" {
    for option in --digest --dot --keep; do
        run -2 --separate-stderr hagg-plan --json $option city.topo
        assert_output ""
        assert_regex "$stderr" "^hagg-plan: --json cannot be combined with --digest, --dot or --keep"
    done
    echo "stations x" >wrong.topo
    unchanged 3 hagg-plan --json -o out wrong.topo
}

@test "stations that are too many for the scheme are not called too few" {
    printf '%s\n' "protocol keys" "scheme staircase" "stations 1100" "drop stations=1" \
        "collude partial stations=1090" "client 1-5 via 1-1100" >large.topo
    run -3 --separate-stderr hagg-plan -q large.topo
    assert_message "large.topo: scheme 'staircase' with n = 1100, k = 1099, z = 1090: to decode it would take more than 4294967296 steps: use fewer holders, or a smaller k"
    sed -i 's/staircase/ramp/; s/1100/12000/g; s/1090/11990/' large.topo
    run -3 --separate-stderr hagg-plan -q large.topo
    assert_message "large.topo: scheme 'ramp' with n = 12000, k = 11999, z = 11990: its matrix would have more than 134217728 elements: use fewer holders, or a smaller k"
}
