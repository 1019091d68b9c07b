#!/usr/bin/env bats
# collude ... tolerate: promises about more stations than learn nothing.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# network TOLERATE [MINIMUM]: the paper's example, in which one station learns nothing.
network() {
    cat <<END
collude full clients=1 stations=1 $1
minimum ${2:-3}
stations 5
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
client 5 via 1 2 4 5
client 6 via 1 2 5
END
}

@test "shares are as small as the promise allows" {
    network "tolerate 1/3 at 2" 6 >city.topo
    run -0 --separate-stderr hagg-plan city.topo -o city.plan
    # five of the six clients in a total are honest, so nothing may be learnt about two others. Client 6 has
    # only one part anyway, and client 3 saves least: with three parts of two vectors, and four of three,
    # 4 * 4/3 + 5/3 + 3
    [[ "$stderr" == *"clients to stations 10, "* ]]
    [[ "$stderr" == *"tolerating 1/3 at 2 stations saves 34/9 = 3.778 against stations=2, with which all of them learn nothing"* ]]
    run -0 cat city.plan
    assert_line "collude full clients=1 stations=1 relays=0 tolerate 1/3 at 2"
    run -0 hagg-audit city.plan
    assert_line "2 stations and the federator learn at most 1/3 of any vector (promised: 1/3)"
    run -0 hagg-audit --json city.plan
    [[ "$output" == *'"tolerated":[{"stations":2,"promised":"1/3","learnt":"1/3","kept":true}]'* ]]
    run -0 hagg-audit --report - city.plan
    assert_output --partial "at most 1/3 of the vector of any other client"
    # without the federator
    sed 's/full/partial/' city.topo >apart.topo
    run -0 hagg-audit apart.topo
    assert_line "2 stations learn at most 1/3 of any vector (promised: 1/3)"
}

# clients_send: what clients send under the plan on standard input.
clients_send() {
    sed 's/^stations/segments 12\n&/' | hagg-cost - | awk '$1 == "aligned" && $2 == "reached" { print $4; exit }'
}

@test "a smaller total needs longer shares" {
    # clients 3 and 6: 5/3 + 3. With the default, something may be learnt only about two clients with the same
    # stations: 2 * 4/3 + 2 * 2; then about one more, and about two more
    assert_equal "$(network "tolerate 1/3 at 2" 3 | clients_send)" 11.333
    assert_equal "$(network "tolerate 1/3 at 2" 4 | clients_send)" 11.333
    assert_equal "$(network "tolerate 1/3 at 2" 5 | clients_send)" 10.667
    assert_equal "$(network "tolerate 1/3 at 2" 6 | clients_send)" 10
    # one client may be left out, so five remain
    assert_equal "$(network $'tolerate 1/3 at 2\ndrop clients=1' | clients_send)" 10.667
    # stations that do not know the total: 5/4 + 4 * 4/3 + 3
    assert_equal "$(network "tolerate 1/3 at 2" | sed s/full/partial/ | clients_send)" 9.583
    # more is promised than shares and the total reveal: 5/4 + 4 * 4/3 + 3/2
    assert_equal "$(network "tolerate 5/6 at 2" | clients_send)" 8.083
    # half of this promise is kept by the shares of clients 1 to 5
    assert_equal "$(network "tolerate 2/3 at 2" | clients_send)" 9.583
}

@test "a promise that changes nothing, and one that saves nothing" {
    # a half of client 6, and a third of clients 1 to 5
    network "tolerate 5/6 at 2" >all.topo
    network "tolerate 1/5 at 2" >fifth.topo
    run -0 --separate-stderr hagg-plan all.topo -o all.plan
    [[ "$stderr" == *"clients to stations 97/12 = 8.083"* ]] # as with one colluding station
    run -0 hagg-audit all.plan
    assert_line "2 stations and the federator learn at most 5/6 of any vector (promised: 5/6)"
    run -0 --separate-stderr hagg-plan fifth.topo -o fifth.plan
    [[ "$stderr" == *"aligned, strict"*" chosen"* ]]
    [[ "$stderr" == *"tolerate saves nothing here: the plan has stations=2 instead, with which all of them learn nothing"* ]]
    run -0 cat fifth.plan
    assert_line "collude full clients=1 stations=2 relays=0"
    network "" | sed 's/stations=1/stations=2/' >strict.topo
    assert_equal "$(cat fifth.plan)" "$(hagg-plan -q strict.topo)"
}

@test "one coalition may learn what is promised, and no more" {
    cat >nine.topo <<END
collude full clients=1 stations=2 tolerate 1/4 at 3
minimum 8
stations 8
client 1-5 via 1-6
client 6-9 via 1-8
END
    run -0 --separate-stderr hagg-audit --colluders stations=1-3,federator nine.topo
    assert_output "stations 1-3, and the federator learn:
  clients 1-5: a quarter of each vector
  clients 6-9: a sixth of each vector
the plan tolerates this: up to 3 stations may learn 1/4 of each vector"
    assert_equal "$stderr" ""
    run -0 hagg-audit --json --colluders stations=1-3,clients=1 nine.topo
    [[ "$output" == '{"private":null,"objection":null,"coalition":true,'*'"tolerated":[{"stations":3,"promised":"1/4","learnt":"1/4","kept":true}]}' ]]
    run -0 hagg-audit --colluders stations=1,2 nine.topo
    assert_output "this coalition learns no more than it may"
    # as many clients may be missing as the smallest total allows
    run -0 hagg-audit --colluders stations=1-3,federator,clients=6,missing=7 nine.topo
    assert_line "the plan tolerates this: up to 3 stations may learn 1/4 of each vector"
    # too many stations, clients or missing clients: nothing is promised about these
    for who in stations=1-4 stations=1-3,clients=1,2 stations=1-3,missing=1,2; do
        run -6 --separate-stderr hagg-audit --colluders "$who" nine.topo
        refute_output --partial "the plan tolerates"
        assert_equal "$stderr" "hagg-audit: nine.topo: is not private: 1 coalition learns more than allowed"
    done
    # under partial collusion stations do not collude with the federator
    sed s/full/partial/ nine.topo >apart.topo
    run -0 hagg-audit --colluders stations=1-3 apart.topo
    run -6 hagg-audit --colluders stations=1-3,federator apart.topo
}

@test "a promise includes what the total adds to shares" {
    cat >single.topo <<END
collude full clients=1 stations=2 tolerate 1/2 at 3
stations 8
client 1-5 via 1-6
client 6 via 1-8
END
    # a quarter is known of clients 1-5 and can be subtracted from the total: 1/6 + 1/4
    run -0 --separate-stderr hagg-audit --colluders stations=1-3,federator single.topo
    assert_output "stations 1-3, and the federator learn:
  client 6: 5/12 of its vector
  clients 1-5: a quarter of each vector
the plan tolerates this: up to 3 stations may learn 1/2 of each vector"
    run -0 hagg-audit --json single.topo
    [[ "$output" == *'"tolerated":[{"stations":3,"promised":"1/2","learnt":"5/12","kept":true}]'* ]]
    # with a promise of a quarter, shares of client 6 reveal nothing
    sed -i 's/1\/2/1\/4/' single.topo
    run -0 --separate-stderr hagg-audit --colluders stations=1-3,federator single.topo
    assert_output "stations 1-3, and the federator learn:
  clients 1-6: a quarter of each vector
the plan tolerates this: up to 3 stations may learn 1/4 of each vector"
    run -0 hagg-audit --json --colluders stations=1-3,federator single.topo
    [[ "$output" == *'"tolerated":[{"stations":3,"promised":"1/4","learnt":"1/4","kept":true}]}' ]]
}

@test "hagg-cost: another number of stations replaces the promise" {
    network "tolerate 1/3 at 2" >city.topo
    network "" >plain.topo
    run -0 hagg-cost city.topo
    assert_line --index 0 "6 clients, 5 stations, full collusion of 1 client and 1 station, tolerating 1/3 at 2, field m31"
    for sweep in "--sweep collude-stations=1..2" "--collude stations=1" "--collude full,stations=2"; do
        run -0 hagg-cost $sweep city.topo
        assert_equal "$output" "$(hagg-cost $sweep plain.topo)"
    done
    # other words do not
    run -0 hagg-cost --collude clients=0 city.topo
    assert_line --index 0 "6 clients, 5 stations, full collusion of 1 station, tolerating 1/3 at 2, field m31"
    # as many as a client reaches, and more than the promise is about
    run -3 --separate-stderr hagg-cost --sweep collude-stations=3..3 city.topo
    [[ "$stderr" == *"3 stations are too few: 3 may collude and 0 may be missing, so at least 4 are needed" ]]
    run -2 --separate-stderr hagg-cost --collude "stations=1,tolerate" city.topo
    [[ "$stderr" == "hagg-cost: --collude: unknown word 'tolerate': use partial, full, clients=, stations= or relays="* ]]
}

@test "a round gives the total" {
    { echo "quantize bits=16 clip=1.0"; network "tolerate 1/3 at 2"; } >city.topo
    hagg-plan -q city.topo -o city.plan
    export HAGG_PLAN=city.plan
    # with seven elements the blocks of the second half are filled up with zeros, which everybody knows
    printf '0.5\n%.0s' 1 2 3 4 5 6 7 >seven.txt
    TOOL=hagg-share
    unchanged 6 hagg-share --client 1 --round 1 -o "s-{}.cbor" seven.txt
    assert_message "city.plan: of a vector of 7 elements, filled up with zeros to 6 segments of 2, 2 stations could learn more than the promised 1/3: use segments that divide the length, or at most a hundredth of it"
    hagg-keygen --stations all --round 1 --length 6 -o "station-{}/mask.cbor"
    for i in 1 2 3 4 5 6; do
        printf '0.%d\n' "$i" "$i" 1 2 3 4 >"v$i.txt"
        hagg-share --client "$i" --round 1 -o "station-{}/client-$i.cbor" "v$i.txt"
    done
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u station-$u/*.cbor -o "from-$u.cbor"
    done
    run -0 hagg-decode from-?.cbor -o sum.txt
    run -0 python3 -c '
want = [2.1, 2.1, .6, 1.2, 1.8, 2.4]
got = [float(x) for x in open("sum.txt")]
assert len(got) == 6 and all(abs(a - b) < 1e-3 for a, b in zip(got, want)), got'
}

@test "a plan for short vectors has segments with which its promises hold" {
    cat >one.topo <<END
collude partial clients=1 stations=1 tolerate 1/4 at 2
field m31
stations 6
client 1-4 via 1-6
END
    # five parts in a block: of a single element, four zeros are known
    for length in 1:1 2:2 7:7 13:13 10007:5; do
        { cat one.topo; echo "length ${length%:*}"; } >short.topo
        run -0 hagg-plan -q short.topo
        assert_line "segments ${length#*:}"
    done
    { cat one.topo; echo "length 1"; echo "segments 5"; } >short.topo
    run -6 --separate-stderr hagg-audit short.topo
    [[ "$stderr" == "hagg-audit: short.topo: of a vector of 1 elements, filled up with zeros to 5 segments of 1, 2 stations could learn more than the promised 1/4: "* ]]
    # the control: without the promise any length will do
    sed -i 's/ tolerate.*//' short.topo
    run -0 hagg-audit short.topo
}

@test "few values: a part of the elements may be all of the bits" {
    promised() {
        printf '%s\n' "collude partial clients=1 stations=1 tolerate 1/4 at 2" "field $1" "$2" "stations 6" \
            "segments 5" "client 1-4 via 1-6" >few.topo
        run -0 hagg-audit few.topo
        assert_line "2 stations learn at most 1/5 of any vector (promised: 1/4)"
    }
    promised m31 "quantize sign clip=1"
    assert_line "a value has 1 of the 31 bits of an element, so this may be enough to find the whole vector"
    # 31 / 8 / 5
    promised m31 "integers 0..255"
    assert_line "a value has 8 of the 31 bits of an element, so this may be up to 78% of the bits of a vector"
    # every byte is a value
    promised gf256 ""
    refute_output --partial "bits of an element"
    # so it is: two stations find a vector of signs, because sums of its parts with different factors differ
    promised prime:p=65521 "quantize sign clip=1"
    printf '%d\n' 1 -1 -1 1 1 >v.txt
    hagg-share --plan few.topo --client 1 --round 1 --type f4 -o "s-{}.cbor" v.txt
    run -0 python3 - s-1.cbor s-2.cbor <<'END'
import itertools, struct, sys
import cbor2
p, points = 65521, range(5)
shares = []
for name in sys.argv[1:]:
    with open(name, "rb") as f:
        _, payload, _ = cbor2.load(f).value
    shares.append(struct.unpack("<H", payload.value if hasattr(payload, "value") else payload)[0])
def value(parts, x):
    total = 0
    for c in points:
        term = parts[c]
        for m in points:
            if m != c:
                term = term * (x - m) * pow(c - m, -1, p) % p
        total += term
    return total
def factor(x):
    y = 1
    for c in points:
        y = y * (x - c) % p
    return y
# a share is that of the parts, and the random number times the polynomial that is zero at their points
left = [parts for parts in itertools.product((0, 1), repeat=5)
        if (shares[0] - value(parts, 5)) * factor(6) % p == (shares[1] - value(parts, 6)) * factor(5) % p]
assert len(left) <= 3 and (1, 0, 0, 1, 1) in left, left
END
}

@test "promises that make no sense" {
    while IFS='|' read -r words message; do
        network "$words" >bad.topo
        run -3 --separate-stderr hagg-audit bad.topo
        assert_equal "$stderr" "hagg-audit: bad.topo:$message"
    done <<'END'
tolerate|1: 'tolerate': needs a promise after it, as in tolerate 1/4 at 3
tolerate 1/3|1: '1/3': must be followed by at and a number of stations
tolerate 1/3 at|1: 'at': needs a number of stations after it
tolerate 1 at 2|1: '1': must be a fraction of a vector between 0 and 1, as in 1/4
tolerate x at 2|1: 'x': must be a fraction of a vector between 0 and 1, as in 1/4
tolerate 1/3 at 1|1: 'tolerate': must be about more stations than the 1 that learn nothing
tolerate 1/3 at 2 1/3 at 3|1: '1/3': must be more than the 1/3 before: more stations learn more
tolerate 1/4 at 2 1/8 at 3|1: '1/8': must be more than the 1/4 before: more stations learn more
tolerate 1/4 at 3 1/2 at 3|1: '3': must be more stations than the 3 before
tolerate 1/4 at 2 relays=0|1: 'relays=0': must be before tolerate, which is the end of the line, as in collude full stations=2 tolerate 1/4 at 3
tolerate=1/4|1: 'tolerate=1/4': belongs at the end of the collude line, as in collude full stations=2 tolerate 1/4 at 3
tolerate 1/3 at 3|8: 'via': 3 stations are too few: tolerate is about 3 stations and 0 may be missing, so at least 4 are needed
END
    # in the wrong place
    network "" | sed '1s/.*/collude full tolerate 1\/4 at 3 stations=2/' >bad.topo
    run -3 --separate-stderr hagg-audit bad.topo
    assert_equal "$stderr" "hagg-audit: bad.topo:1: 'stations=2': must be before tolerate, which is the end of the line, as in collude full stations=2 tolerate 1/4 at 3"
    { network ""; echo "tolerate 1/4 at 3"; } >bad.topo
    run -3 --separate-stderr hagg-audit bad.topo
    assert_equal "$stderr" "hagg-audit: bad.topo:9: 'tolerate': belongs at the end of the collude line, as in collude full stations=2 tolerate 1/4 at 3"
    for line in "protocol keys" "privacy computational"; do
        { network "tolerate 1/3 at 2"; echo "$line"; } >bad.topo
        run -3 --separate-stderr hagg-audit bad.topo
        [[ "$stderr" == "hagg-audit: bad.topo:1: 'tolerate': is for protocol aligned without seeds: remove it, or "* ]]
    done
}
