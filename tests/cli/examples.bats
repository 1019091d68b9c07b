#!/usr/bin/env bats
# The examples of shell scripts and plans. Those of plugins are tested in tests/install.

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "the city: the default protocol costs half as much as keys" {
    run -0 --separate-stderr hagg-plan "$HAGG_SOURCE_DIR/examples/city/city.topo" -o city.plan
    assert_output ""
    # 205/9 with all stations, 67/3 with the cheapest sets: docs/aligned.md
    assert_regex "$stderr" "cost 67/3 = 22.333 times the vector"
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
    run -0 --separate-stderr hagg-plan --protocol keys "$HAGG_SOURCE_DIR/examples/city/city.topo" -o keys.plan
    assert_regex "$stderr" "cost 44 times the vector"
    assert_regex "$stderr" "proved: no other private choice of station sets costs less"
}

@test "a round through relays gives the sum" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/relays/round"
    assert_output $'10\n100\n1000'
    assert_regex "$stderr" "hagg-decode: round 1: total of 4 clients: 1-4"
    run -0 cat relays-round/sum.txt
    assert_output $'10\n100\n1000'
}

@test "in the example with relays, the relays add up all clients" {
    "$HAGG_SOURCE_DIR/examples/relays/round" 2>/dev/null
    for relay in 1 2 3; do
        run -0 hagg-inspect "relays-round/from-relay-$relay.cbor"
        assert_line --regexp "share +padded .* relay $relay +1-4 "
    done
}

@test "a round of the city gives the mean" {
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/city/round"
    assert_regex "$stderr" "hagg-decode: round 1: total of 6 clients: 1-6"
    assert_numpy 'abs(load("city-round/mean.npy")
        - sum(load(f"city-round/grad{i}.npy").astype("f8") for i in range(1, 7)) / 6).max() < 3.4e-8'
}

@test "an example can be run again" {
    "$HAGG_SOURCE_DIR/examples/relays/round" first 2>/dev/null
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/relays/round" second
    assert_output $'10\n100\n1000'
}

# clip_in_the_clear DIRECTORY FRACTION CLIENT...: from the values themselves
clip_in_the_clear() {
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/examples/clip/thresholds" "$@" <<'END'
import sys
from fractions import Fraction

import numpy as np

thresholds, directory, fraction, *clients = sys.argv[1:]
values = sorted(abs(float(x)) for i in clients for x in np.load(f"{directory}/vector-{i}.npy").flat)
for text in open(thresholds).read().split():
    if sum(v > float(text) for v in values) <= Fraction(fraction) * len(values):
        print(text)
        break
END
}

# clip_vectors DIRECTORY SEED: heavy tails of various weights; client 12 has larger values
clip_vectors() {
    mkdir "$1"
    "$HAGG_PYTHON" - "$@" <<'END'
import sys

import numpy as np

rng = np.random.default_rng(int(sys.argv[2]))
for i in range(1, 13):
    values = rng.standard_t(rng.integers(1, 5), 400) * (100 if i == 12 else 0.3)
    values[:4] = [0, 0.25, -0.25, 2**-0.5]  # at thresholds, which are not beyond them
    np.save(f"{sys.argv[1]}/vector-{i}.npy", np.clip(values, -1000, 1000).astype("f4"))
END
}

@test "a clip that is found privately is the one that all values give" {
    for case in "1 0.01" "2 0.05" "3 0.2" "4 0.5" "5 0"; do
        read -r seed fraction <<<"$case"
        clip_vectors "d$seed" "$seed"
        run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/clip/round" "d$seed" "$fraction"
        clip=$(clip_in_the_clear "d$seed" "$fraction" {1..12})
        assert_output "clip $clip: at most $fraction of all values are beyond it"
        assert_regex "$stderr" "hagg-decode: round 2: total of 12 clients: 1-12"
        # as many values are clipped as the first round counted
        n=$(paste -d' ' "$HAGG_SOURCE_DIR/examples/clip/thresholds" <(tail -n +2 "d$seed/counts.txt") | sed -n "s/^$clip //p")
        if [ "$n" -gt 0 ]; then
            assert_regex "$stderr" "hagg-share: $n element"
        fi
        # the total of the clipped values, to within the bound: a step for each client
        assert_numpy "np.abs(load('d$seed/sum.npy') - sum(np.clip(load(f'd$seed/vector-{i}.npy').astype('f8'), -$clip, $clip) for i in range(1, 13))).max() < 12 * 2 * $clip / 15"
    done
}

@test "the control: without one client the values give another clip" {
    clip_vectors d 1
    run -0 --separate-stderr "$HAGG_SOURCE_DIR/examples/clip/round" d 0.05
    refute_output "clip $(clip_in_the_clear d 0.05 {1..11}): at most 0.05 of all values are beyond it"
}

@test "a directory of an earlier run is left as it is" {
    clip_vectors d 1
    mkdir d/state
    run -1 --separate-stderr "$HAGG_SOURCE_DIR/examples/clip/round" d
    assert_equal "$stderr" "round: d has the files of an earlier run: remove its directory state, or name another directory"
    assert_output ""
    run -0 ls d/state
    assert_output ""
}

@test "a clip beyond all thresholds is an error" {
    mkdir d
    "$HAGG_PYTHON" -c 'import numpy as np
for i in range(1, 13): np.save(f"d/vector-{i}.npy", np.full(400, 5000.0))'
    run -1 --separate-stderr "$HAGG_SOURCE_DIR/examples/clip/round" d
    assert_equal "${stderr_lines[-1]}" "choose.py: 4800 of 4800 numbers exceed the largest threshold: add larger ones"
}
