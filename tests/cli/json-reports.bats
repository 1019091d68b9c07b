#!/usr/bin/env bats
# --json of hagg-share, hagg-aggregate and hagg-decode: one line on standard error.

load common
load round

setup_file() {
    common_setup_file
}

# Six clients and five stations, which deal masks.
setup() {
    begin_round
    { echo "quantize bits=16 clip=1.0"; six full aligned; } >city.topo
    hagg-plan -q city.topo -o city.plan
    export HAGG_PLAN=city.plan
    DIGEST=$(hagg-plan --digest city.plan | tr -d ' ')
}

# assert_report EXPRESSION: checks that standard error is one line of JSON, for which the Python expression
# is true; in it, r is the object, without the members that every report has.
assert_report() {
    printf '%s\n' "$stderr" | python3 -c '
import json, sys

lines = sys.stdin.read().split("\n")
assert len(lines) == 2 and lines[1] == "", lines
pairs = json.loads(lines[0], object_pairs_hook=lambda pairs: pairs)
assert len({name for name, _ in pairs}) == len(pairs), "a name is there twice"
r = json.loads(lines[0])
assert 0 <= r.pop("seconds") < 600 and r.pop("version")
sys.exit(not eval(sys.argv[1], {"r": r, "digest": sys.argv[2]}))
' "$1" "$DIGEST" || fail "not so: $1
$stderr"
}

# write_masks ROUND: the masks of all dealers.
write_masks() {
    hagg-keygen --stations all --round "$1" --length 2 -o "station-{}/mask.cbor"
}

# write_shares ROUND: vectors and shares of all clients.
write_shares() {
    for i in 1 2 3 4 5 6; do
        printf '%s\n' "0.$1$i" 0.5 >"v$i.txt"
        hagg-share --client "$i" --round "$1" -o "station-{}/client-$i.cbor" "v$i.txt"
    done
}

# write_sums ROUND: everything up to the sums.
write_sums() {
    write_masks "$1"
    write_shares "$1"
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u station-$u/*.cbor -o "from-$u.cbor"
    done
}

@test "share: one client" {
    printf '%s\n' 0.25 -0.5 >v.txt
    run -0 --separate-stderr hagg-share --json --client 4 --round 7 -o "out/{}-{client}.cbor" v.txt
    assert_output ""
    assert_report "[r['command'], r['status'], r['error'], r['notes']] == ['hagg-share', 0, None, []]"
    assert_report "[r['plan'], r['round'], r['client'], r['length'], r['clipped']] == [digest, 7, 4, 2, 0]"
    assert_report "r['output'] == 'out/{}-{client}.cbor' and 'clients' not in r"
    # the report agrees with what was written
    run -0 bash -c 'for f in out/*; do stat -c "%n %s" "$f"; done'
    files=$output
    stderr=$stderr run -0 python3 -c '
import json, os
for f in json.loads(os.environ["stderr"])["files"]: print(f["name"], f["bytes"])'
    assert_equal "$output" "$files"
    assert_report "[f['to'] for f in r['files']] == [n for a, b in r['to'] for n in range(a, b + 1)]"
}

@test "share: protocol keys, where the key goes to another station" {
    write_topology
    sed -i 's/^client .*/client 1-4 via 1-3 shares 1 2 keys 3/' small.topo
    export HAGG_PLAN=small.topo
    hagg-keygen --client 1 --round 1 --length 1 -o key.cbor
    echo 0.5 >v.txt
    run -0 --separate-stderr hagg-share -j --client 1 --round 1 --key key.cbor -o "k-{}.cbor" v.txt
    assert_file_exists k-3.cbor
    assert_report "r['to'] == [[1, 3]] and [f['name'] for f in r['files']] == ['k-1.cbor', 'k-2.cbor', 'k-3.cbor']"
}

@test "share: many clients" {
    for i in 1 2 3 5; do printf '%s\n' "0.$i" 0.5 1 >"v$i.txt"; done
    run -0 --separate-stderr hagg-share --json --clients 1-3,5 --round 1 -o "s{}.cbor" "v{}.txt"
    assert_report "r['clients'] == [[1, 3], [5, 5]] and 'client' not in r and r['length'] == 3"
    assert_report "r['to'] == [[1, 5]] and [f['name'] for f in r['files']] == ['s1.cbor', 's2.cbor', 's3.cbor', 's4.cbor', 's5.cbor']"
    forget
    run -0 --separate-stderr hagg-share --json --clients 1-3,5 --round 1 -o "s{}-{client}.cbor" "v{}.txt"
    assert_report "'files' not in r and r['output'] == 's{}-{client}.cbor'"
}

@test "share: without a plan, to standard output, with notes" {
    unset HAGG_PLAN
    printf '%s\n' 0.25 7 >v.txt
    run -0 --separate-stderr bash -c "umask 077; hagg-share -j -n 3 -k 2 -z 1 --quantize bits=8,clip=1 --clip v.txt | cat >s.cbor"
    assert_report "r == {'command': 'hagg-share', 'status': 0, 'error': None, 'length': 2, 'clipped': 1, 'to': [[1, 3]], 'output': '-', 'notes': ['1 element was clipped']}"
    run -0 --separate-stderr bash -c "hagg-share -q -j -n 3 -k 2 -z 1 --quantize bits=8,clip=1 --clip v.txt -o s.cbor"
    assert_report "'clipped' not in r and r['notes'] == [] and len(r['files']) == 1 and 'to' not in r['files'][0]"
}

@test "a new state directory is a note" {
    printf '%s\n' 0.25 -0.5 >v.txt
    run -0 --separate-stderr hagg-share --json --state "$PWD/fresh" --client 1 --round 1 -o "{}.cbor" v.txt
    assert_report "r['notes'] == ['state: new directory $PWD/fresh']"
}

@test "share: failures" {
    printf '%s\n' 0.25 -0.5 >v.txt
    run -1 --separate-stderr hagg-share --json --client 1 --round 1 -o "{}.cbor" absent.txt
    assert_output ""
    assert_report "r == {'command': 'hagg-share', 'status': 1, 'error': 'absent.txt: No such file or directory', 'plan': digest, 'round': 1, 'client': 1, 'notes': []}"
    run -2 --separate-stderr hagg-share --json --client 9 --round 1 -o "{}.cbor" v.txt
    assert_report "r['status'] == 2 and 'client 9' in r['error'] and 'files' not in r"
    echo "junk" >junk.txt
    run -3 --separate-stderr hagg-share --json --client 1 --round 1 -o "{}.cbor" junk.txt
    assert_report "r['status'] == 3 and r['error'].startswith('junk.txt: ')"
    hagg-share --client 1 --round 1 -o "{}.cbor" v.txt
    printf '%s\n' 0.75 -0.5 >w.txt
    run -6 --separate-stderr hagg-share --json --client 1 --round 1 -o "{}.cbor" w.txt
    assert_report "r['status'] == 6 and 'already shared another vector' in r['error'] and r['round'] == 1"
    # the plan itself
    run -1 --separate-stderr hagg-share --json --plan absent.plan --client 1 --round 1 v.txt
    assert_report "r == {'command': 'hagg-share', 'status': 1, 'error': 'absent.plan: No such file or directory', 'notes': []}"
}

@test "a name that is not UTF-8 or has quotes is still JSON" {
    run -1 --separate-stderr hagg-share --json --client 1 --round 1 -o "{}.cbor" $'a"b\\\xff.txt'
    assert_report "r['error'].startswith('a\"b')"
}

@test "a usage error is in words" {
    run -2 --separate-stderr hagg-share --json --round 1
    TOOL=hagg-share assert_usage "with a plan, --round and either --client or --clients are required"
}

@test "aggregate: a station" {
    write_masks 3
    write_shares 3
    run -0 --separate-stderr hagg-aggregate --json --station 2 station-2/*.cbor -o from-2.cbor
    assert_output ""
    dealers=$(hagg-inspect --json from-2.cbor | head -1 | python3 -c 'import json, sys; print(json.load(sys.stdin)["dealers"])')
    assert_report "r == {'command': 'hagg-aggregate', 'status': 0, 'error': None, 'plan': digest, 'node': ['station', 2], 'round': 3, 'clients': [[1, 6]], 'dealers': $dealers, 'sums': 1, 'left_out': 0, 'standing_by': 0, 'to': {'federator': True, 'stations': [], 'relays': []}, 'output': 'from-2.cbor', 'notes': []}"
}

@test "aggregate: fewer clients, and all stations in a pipe" {
    write_masks 3
    write_shares 3
    rm station-?/client-2.cbor
    run -0 --separate-stderr bash -c "cat station-?/*.cbor | hagg-aggregate -j --round 3 --clients 1,3-6 >sums.cbor"
    assert_report "r['clients'] == [[1, 1], [3, 6]] and r['sums'] == $(ls -d station-? | wc -l) and 'node' not in r and r['output'] == '-'"
}

@test "aggregate: keys and shares for different addressees, and sums that are left out" {
    { echo "collude partial stations=1"; echo "drop stations=1"; echo "stations 4"; echo "client 1-4 via 1-4"; echo "protocol keys"; } >drop.topo
    export HAGG_PLAN=drop.topo
    for i in 1 2 3 4; do
        hagg-keygen --client $i --round 1 --length 1 -o key$i.cbor
        echo "$i" >v.txt
        hagg-share --client $i --round 1 --type i4 --key key$i.cbor -o "station-{}/$i.cbor" v.txt
    done
    rm station-2/4.cbor
    run -0 --separate-stderr hagg-aggregate --json --station 2 --skip-incomplete --only shares station-2/*.cbor -o out.cbor
    assert_report "r['sums'] == 0 and r['left_out'] == 1 and r['notes'] == ['nothing to send: every sum lacks a client'] and r['clients'] == []"
    run -0 --separate-stderr hagg-aggregate --json --station 1 --only keys station-1/*.cbor -o keys.cbor
    assert_report "r['to'] == {'federator': False, 'stations': [[2, 2]], 'relays': []} and r['sums'] == 1"
}

@test "aggregate: a relay" {
    { echo "collude full stations=1"; echo "stations 3"; echo "relays 2"; echo "client 1-4 via 1-3"; echo "station 1-3 via 1 2"; } >relays.topo
    hagg-plan -q relays.topo -o relays.plan
    export HAGG_PLAN=relays.plan
    hagg-keygen --stations all --round 1 --length 2 -o "station-{}/mask.cbor"
    for i in 1 2 3 4; do
        printf '%s\n' "$i" 2 >v.txt
        hagg-share --client $i --round 1 --type i4 -o "station-{}/$i.cbor" v.txt
    done
    for u in 1 2 3; do
        run -0 --separate-stderr hagg-aggregate --json --station $u station-$u/*.cbor -o "relay-{}/from-$u.cbor"
        assert_report "r['to']['relays'] and not r['to']['federator']"
    done
    m=$(basename "$(ls -d relay-? | head -1)"); m=${m#relay-}
    run -0 --separate-stderr hagg-aggregate --json --relay "$m" relay-"$m"/*.cbor -o "fed-$m.cbor"
    assert_report "r['node'] == ['relay', $m] and r['to'] == {'federator': True, 'stations': [], 'relays': []} and r['sums'] >= 1 and r['clients'] == [[1, 4]]"
}

@test "aggregate: failures" {
    write_masks 3
    write_shares 3
    rm station-2/client-1.cbor
    run -5 --separate-stderr hagg-aggregate --json --station 2 station-2/*.cbor -o from-2.cbor
    assert_report "r['status'] == 5 and 'client 1' in r['error'] and r['node'] == ['station', 2] and 'sums' not in r"
    run -4 --separate-stderr hagg-aggregate --json --station 2 --round 4 station-2/*.cbor -o from-2.cbor
    assert_report "r['status'] == 4 and r['round'] == 4"
    echo junk >junk.cbor
    run -3 --separate-stderr hagg-aggregate --json --station 2 junk.cbor -o from-2.cbor
    assert_report "r == {'command': 'hagg-aggregate', 'status': 3, 'error': 'junk.cbor: is not a hagg file', 'plan': digest, 'node': ['station', 2], 'notes': []}"
    assert_file_not_exists from-2.cbor
}

@test "decode: the total" {
    write_sums 3
    run -0 --separate-stderr hagg-decode --json --mean -o mean.npy from-?.cbor
    assert_output ""
    assert_report "r.pop('error_bias') == r['error_bound'] and r.pop('error_deviation') == 0 and abs(r.pop('error_bound') - 2 ** -16) < 2 ** -18 and r == {'command': 'hagg-decode', 'status': 0, 'error': None, 'plan': digest, 'round': 3, 'clients': [[1, 6]], 'missing': [], 'corrected': [], 'what': 'mean', 'output': 'mean.npy', 'notes': ['round 3: total of 6 clients: 1-6', r['notes'][1]]} and r['notes'][1].startswith('the quantisation error is at most ')"
    run -0 --separate-stderr hagg-decode --json --quiet --round 3 --format text from-?.cbor
    assert_equal "${#lines[@]}" 2
    assert_report "r['notes'] == [] and r['what'] == 'sum' and r['output'] == '-' and r['round'] == 3"
}

@test "decode: the number of samples" {
    printf '%s\n' "collude partial stations=1" "samples" "stations 3" "client 1-3 via 1-3" >samples.topo
    export HAGG_PLAN=samples.topo
    for i in 1 2 3; do
        printf '%s\n' $i | hagg-share --client $i --round 1 --samples ${i}0 --type i4 --format text
    done | hagg-aggregate >sums.cbor
    run -0 --separate-stderr hagg-decode --json --quiet --mean --format text sums.cbor
    assert_equal "${lines[0]}" 0.1
    digest=$(hagg-plan --digest samples.topo | tr -d ' ')
    assert_report "r['samples'] == 60 and r['notes'] == []"
}

@test "decode: missing and corrected holders" {
    unset HAGG_PLAN
    printf '%s\n' 5 7 >v.txt
    hagg-share -n 6 -k 2 -z 1 --type i4 -o "s{}.cbor" v.txt
    run -0 --separate-stderr hagg-decode --json --format text s1.cbor s3.cbor s4.cbor s6.cbor
    assert_output "5
7"
    assert_report "r['missing'] == [['holder', 2], ['holder', 5]] and r['corrected'] == [] and r['error_bound'] == 0 and 'plan' not in r and 'round' not in r"
    tamper s3.cbor 0=7
    run -0 --separate-stderr hagg-decode --json --correct --format text s1.cbor s3.cbor s4.cbor s6.cbor
    assert_output "5
7"
    assert_report "r['corrected'] == [{'holder': ['holder', 3], 'file': 's3.cbor'}] and r['notes'] == ['s3.cbor: the share of holder 3 was wrong and was corrected']"
    run -3 --separate-stderr hagg-decode --json --format text s1.cbor s3.cbor s4.cbor s6.cbor
    assert_output ""
    assert_report "r['status'] == 3 and r['error'].startswith('s3.cbor: the share of holder 3 is wrong')"
}

@test "decode: a missing station" {
    { echo "collude full stations=1"; echo "drop stations=1"; echo "stations 5"; echo "client 1-4 via 1-5"; } >spare.topo
    hagg-plan -q spare.topo -o spare.plan
    export HAGG_PLAN=spare.plan
    hagg-keygen --stations all --round 1 --length 2 -o "station-{}/mask.cbor"
    for i in 1 2 3 4; do
        printf '%s\n' "$i" 2 >v.txt
        hagg-share --client $i --round 1 --type i4 -o "station-{}/$i.cbor" v.txt
    done
    used=$(ls -d station-? | tr -d 'a-z-')
    for u in $used; do
        hagg-aggregate --station "$u" station-"$u"/*.cbor -o "from-$u.cbor"
    done
    gone=$(head -1 <<<"$used")
    rm "from-$gone.cbor"
    run -0 --separate-stderr hagg-decode --json --format text from-?.cbor
    assert_output "10
8"
    assert_report "r['missing'] == [['station', $gone]] and r['clients'] == [[1, 4]]"
}

@test "decode: a missing station, if a relay combines the sums" {
    { echo "collude full stations=1"; echo "drop stations=1"; echo "stations 6"; echo "relays 1"
      echo "client 1-4 via 1-6"; echo "station 1-6 via 1"; } >one.topo
    export HAGG_PLAN=one.topo
    hagg-keygen --stations all --round 1 --length 6 -o "station-{}/mask.cbor"
    for i in 1 2 3 4; do
        printf '%s\n' "$i" 2 3 4 5 6 >v.txt
        hagg-share --client $i --round 1 --type i4 -o "station-{}/$i.cbor" v.txt
    done
    for u in 1 2 4 5 6; do
        hagg-aggregate --station $u station-$u/*.cbor -o "from-$u.cbor"
    done
    hagg-aggregate --relay 1 --missing 3 from-?.cbor -o summand.cbor
    run -0 hagg-inspect --json summand.cbor
    assert_json "lines[0]['kind'] == 'summand'"
    run -0 --separate-stderr hagg-decode --json --format text summand.cbor
    assert_line --index 0 10
    assert_report "r['missing'] == [['station', 3]] and r['round'] == 1 and r['clients'] == [[1, 4]]"
}

@test "decode: failures" {
    write_sums 3
    run -5 --separate-stderr hagg-decode --json --round 3 -o total.npy from-1.cbor
    assert_report "r['status'] == 5 and r['plan'] == digest and r['round'] == 3 and 'clients' not in r"
    run -1 --separate-stderr hagg-decode --json -o absent/total.npy from-?.cbor
    assert_report "r['status'] == 1 and 'what' not in r"
    run -1 --separate-stderr bash -c "hagg-decode --json --format text from-?.cbor >/dev/full"
    assert_report "r['status'] == 1 and 'No space left on device' in r['error']"
}

@test "no report shows a value of a vector" {
    printf '%s\n' 0.123456 987654.25 >v.txt
    run -3 --separate-stderr hagg-share --json --client 1 --round 1 -o "{}.cbor" v.txt
    refute_regex "$stderr" '123456|987654'
    run -0 --separate-stderr hagg-share --json --clip --client 1 --round 1 -o "{}.cbor" v.txt
    assert_report "r['clipped'] == 1"
    refute_regex "$stderr" '123456|987654'
}

@test "with --json, no progress is shown" {
    write_sums 3
    run -0 --separate-stderr hagg-decode --json --progress -o total.npy from-?.cbor
    assert_report "r['status'] == 0"
}
