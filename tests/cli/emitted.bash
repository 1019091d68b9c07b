# emitted.bash - functions for the .bats files about the output of hagg-round; load it after round.

# make_vectors CLIENT...: makes vectors of these clients, all within the clip.
make_vectors() {
    "$HAGG_PYTHON" -c '
import sys
import numpy as np

for i in sys.argv[1:]:
    np.save(f"grad{i}.npy", np.random.default_rng(int(i)).uniform(-1, 1, (4, 5)))
' "$@"
}

# emit LANGUAGE OPTION... PLAN: prints round 1 of these vectors, in work.
emit() {
    hagg-round --emit "$1" --round 1 --vectors 'grad{}.npy' --workdir work "${@:2}"
}

# Checks that the total of round 1 is the sum over these clients, up to quantisation with 16 bits.
assert_total_of() {
    assert_numpy "np.abs(load('work/round-1/federator/total.npy') - sum(load(f'grad{i}.npy') for i in ($1))).max() <= len(($1)) * 0.5 / 32767 + 1e-12"
}

# Protocol aligned: relay 1 combines the sums of stations 1-3, and relay 2 passes on that of station 4.
write_combining() {
    printf '%s\n' "collude full clients=1 stations=1" "quantize bits=16 clip=1.0" "stations 4" "relays 2" \
        "station 1-3 via 1" "station 4 via 2" "client 1 2 4 via 1-4" "client 3 via 1-3" >combining.topo
}

# Checks that relays have done so.
assert_combined() {
    run -0 hagg-inspect work/round-1/federator/in/from-relay-*.cbor
    assert_line --regexp "^kinds +summand of plain \(1\)"
    assert_line --regexp "^ +share of plain \(1\)"
    run -0 hagg-cost --plan combining.topo --measure work/round-1/*/in/*.cbor
}

# write_transforming COLLUSION [LINE...]: four stations, of which one may collude, and six relays, of
# which two may, with sharings of their own.
write_transforming() {
    local keys="keys 4"

    [ "$1" = partial ] || keys="keys 2-4 key-relays 1-6"
    printf '%s\n' "collude $1 clients=1 stations=1 relays=2" "quantize bits=16 clip=1.0" "stations 4" \
        "relays 6" "transform direct" "station 1-4 via 1-6" \
        "client 1 2 4 via 1-4 shares 1-4 relays 1-6 $keys" \
        "client 3 via 1-4 shares 1-3 relays 1-6 $keys" "protocol keys" "${@:2}" >transforming.plan
}

# The same with five stations and seven relays, of which one station and two relays may be missing.
write_sparing_transforming() {
    printf '%s\n' "collude partial clients=1 stations=1 relays=2" "drop stations=1 relays=2" \
        "quantize bits=16 clip=1.0" "stations 5" "relays 7" "transform direct" "station 1-5 via 1-7" \
        "client 1 2 4 via 1-5 shares 1-5 relays 1-7 keys 4" \
        "client 3 via 1-5 shares 1-4 relays 1-7 keys 4" "protocol keys" >transforming.plan
}
