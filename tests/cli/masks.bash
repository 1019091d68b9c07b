# masks.bash - what the .bats files of masks of stations share; load it after common.

load round
load full

# The six clients of the paper's example over all stations they reach: write_masks COLLUSION LINES.
write_masks() {
    { echo "collude $1 clients=1 stations=2"; echo "masks stations"; echo "${2:-}"; six_clients; } >masks.plan
    export HAGG_PLAN=masks.plan
}

# Two patterns through relays; station 2 has two places at relays 1 to 3: write_relayed COLLUSION.
write_relayed() {
    cat >relayed.plan <<END
collude  $1 clients=1 stations=1 relays=1
masks    stations
stations 4
relays   4
station  1-4 via 1-4
client   1 2 via 1-3 relays 1-3
client   3   via 2-4 relays 1-3
client   4   via 2-4 relays 2-4
END
    export HAGG_PLAN=relayed.plan
}

# Clients share two integers: share_plainly CLIENT...
share_plainly() {
    local i

    for i; do
        printf '%s\n' $((i * i)) $((-10 * i)) |
            hagg-share --client $i --round 1 --type i4 --format text -o "station-{}/client-$i.cbor"
    done
}

# Fresh masks of stations: make_masks STATION...
make_masks() {
    local u

    for u; do
        hagg-keygen --station $u --round 1 --length 2 -o m$u.cbor
    done
}

# Masked sums of stations to from-U.cbor, or with relays to relay-M/from-U.cbor: mask_sums LAST OPTION...
mask_sums() {
    local u to=from-

    for u in $(seq 1 $1); do
        [ "$HAGG_PLAN" = masks.plan ] || to=relay-{}/from-
        hagg-aggregate --station $u --masks m$u.cbor --only shares "${@:2}" -o "$to$u.cbor" station-$u/*.cbor
    done
}

# The totals along the stations to total-U.cbor: chain_masks LAST OPTION...
chain_masks() {
    local u before=()

    for u in $(seq 1 $1); do
        hagg-aggregate --station $u --masks m$u.cbor --only masks "${@:2}" -o total-$u.cbor "${before[@]}"
        before=(total-$u.cbor)
    done
}

# The totals as shares, to for-V/masks-U.cbor, and their sums to total-U.cbor: share_masks LAST OPTION...
share_masks() {
    local u

    for u in $(seq 1 $1); do
        hagg-aggregate --station $u --masks m$u.cbor --only masks "${@:2}" -o "for-{}/masks-$u.cbor"
    done
    for u in $(seq 1 $1); do
        hagg-aggregate --station $u --only masks "${@:2}" -o total-$u.cbor for-$u/*.cbor
    done
}
