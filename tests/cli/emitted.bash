# emitted.bash - what the .bats files about rounds that hagg-round wrote share; load it after round.

# Vectors of some clients, all within the clip: make_vectors CLIENT...
make_vectors() {
    "$HAGG_PYTHON" -c '
import sys
import numpy as np

for i in sys.argv[1:]:
    np.save(f"grad{i}.npy", np.random.default_rng(int(i)).uniform(-1, 1, (4, 5)))
' "$@"
}

# Round 1 of those vectors in work: emit LANGUAGE OPTION... PLAN.
emit() {
    hagg-round --emit "$1" --round 1 --vectors 'grad{}.npy' --workdir work "${@:2}"
}

# That the total of round 1 is the sum over these clients, to within a rounding of 16 bits each.
assert_total_of() {
    assert_numpy "np.abs(load('work/round-1/federator/total.npy') - sum(load(f'grad{i}.npy') for i in ($1))).max() <= len(($1)) * 0.5 / 32767 + 1e-12"
}

# Four stations and six relays, each tier with sharings of its own: write_transforming COLLUSION
# [LINE...]. Of the stations, one may collude, of the relays two.
write_transforming() {
    local keys="keys 4"

    [ "$1" = partial ] || keys="keys 2-4 key-relays 1-6"
    printf '%s\n' "collude $1 clients=1 stations=1 relays=2" "quantize bits=16 clip=1.0" "stations 4" \
        "relays 6" "transform direct" "station 1-4 via 1-6" \
        "client 1 2 4 via 1-4 shares 1-4 relays 1-6 $keys" \
        "client 3 via 1-4 shares 1-3 relays 1-6 $keys" "${@:2}" >transforming.plan
}
