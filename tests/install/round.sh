#!/bin/sh
# round.sh: runs whole rounds with the hagg commands on PATH, in the current directory, which must be empty:
# with files, as one pipeline, and sealed. Checks the totals. It uses only these commands and what every
# shell has, so that it also runs where nothing else is installed.
set -eu
passed=0
failed=0

# equal WHAT FOUND EXPECTED
equal() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n  found:    %s\n  expected: %s\n' "$1" "$2" "$3"
    fi
}

# plan NAME: makes NAME.plan from NAME.topo and uses it from now on. The same vectors are summed under all
# plans, which hagg refuses in one state.
plan() {
    hagg-plan --quiet "$1.topo" -o "$1.plan"
    export HAGG_PLAN="$PWD/$1.plan" HAGG_STATE="$PWD/state-$1"
}

unset HAGG_IDENTITY HAGG_PLUGIN_PATH
newline='
'
for i in 1 2 3 4 5 6; do
    printf '%s\n' $i $((10 * i)) $((-1000 * i * i)) >vector$i.txt
done
total="21${newline}210${newline}-91000"

# the network of examples/city, in which all stations make masks
for field in m31 m61 goldilocks prime:p=4611686018427387847; do
    printf '%s\n' "field $field" 'collude full clients=1 stations=2' 'stations 5' 'client 1 2 via 1 2 3 5' \
        'client 3 via 1-5' 'client 4 via 2-5' 'client 5 via 1 2 4 5' 'client 6 via 1 2 5' >"$field.topo"
    plan "$field"
    for u in 1 2 3 4 5; do
        hagg-keygen --station $u --round 1 --length 3 -o "$field-at-{}-mask-$u.cbor"
    done
    for i in 1 2 3 4 5 6; do
        hagg-share --client $i --round 1 --type i4 -o "$field-at-{}-client-$i.cbor" vector$i.txt
    done
    for u in 1 2 3 4 5; do
        hagg-aggregate --station $u "$field-at-$u"-*.cbor -o "$field-sum-$u.cbor"
    done
    equal "the total over $field, with files" \
        "$(hagg-decode --quiet --format text "$field"-sum-*.cbor)" "$total"
done
hagg-audit "$HAGG_PLAN" >audit.txt
read -r verdict _ <audit.txt
equal "the audit of the plan" "$verdict" private:

printf '%s\n' 'collude full stations=1' 'stations 3' 'client 1-6 via 1-3' >pipe.topo
plan pipe
equal "the total of a pipeline" "$(for i in 1 2 3 4 5 6; do
    hagg share --client $i --round 1 --type i4 vector$i.txt
done | hagg aggregate | hagg decode --quiet --format text)" "$total"

unset HAGG_PLAN
printf 'a secret' >secret
hagg-share -n 3 -k 2 -z 1 --field gf256 --type u1 --format raw -o 'byte-{}.cbor' secret
equal "two of three shares over gf256" "$(hagg-decode --quiet --format raw byte-1.cbor byte-3.cbor)" "a secret"

for node in client-1 client-2 client-3 client-4 client-5 client-6 station-1 station-2 station-3; do
    hagg-keygen --identity $node.pem --${node%-*} ${node#*-}
done >sealed.keys
hagg-keygen --identity federator.pem --federator >>sealed.keys
printf '%s\n' 'collude full stations=1' 'identities sealed.keys' 'stations 3' 'client 1-6 via 1-3' >sealed.topo
plan sealed
for i in 1 2 3 4 5 6; do
    hagg-share --identity client-$i.pem --client $i --round 1 --type i4 -o "sealed-at-{}-$i.cbor" vector$i.txt
done
for u in 1 2 3; do
    hagg-aggregate --identity station-$u.pem --station $u sealed-at-$u-*.cbor -o sealed-sum-$u.cbor
done
equal "the total of a sealed round" \
    "$(hagg-decode --identity federator.pem --quiet --format text sealed-sum-*.cbor)" "$total"
status=0
hagg-decode --identity client-1.pem --quiet --format text sealed-sum-*.cbor >refused.txt 2>&1 || status=$?
equal "the status of somebody else who opens it" $status 6

echo "$passed passed, $failed failed"
[ $failed = 0 ]
