# full.bash - functions for the .bats files about full collusion; load it after round.

# write_ring [N]: the six clients of the paper's example with the paper's sets: the graph is a ring of six
# edges. N clients may collude, by default one.
write_ring() {
    cat >ring.plan <<END
collude  full clients=${1:-1} stations=2
quantize bits=16 clip=1.0
stations 5
client   1  via 1 2 3 5  shares 1 3 5  keys 1 2 5
client   2  via 1 2 3 5  shares 1 3 5  keys 1 2 3 5
client   3  via 1-5      shares 2-5    keys 1 2 3 5
client   4  via 2-5      shares 2-5    keys 2 4 5
client   5  via 1 2 4 5  shares 1 2 5  keys 2 4 5
client   6  via 1 2 5    shares 1 2 5  keys 1 2 5
protocol keys
END
}

# The same clients with the cheapest sets. Client 6 is alone in its group of keys.
write_cheapest() {
    cat >cheapest.plan <<END
collude  full clients=1 stations=2
quantize bits=16 clip=1.0
stations 5
client   1 2  via 1 2 3 5  shares 1 2 5  keys 1 2 3 5
client   3    via 1-5      shares 2-5    keys 1 2 3 5
client   4    via 2-5      shares 2-5    keys 2 4 5
client   5    via 1 2 4 5  shares 1 2 5  keys 2 4 5
client   6    via 1 2 5    shares 1 2 5  keys 1 2 5
protocol keys
END
}

# write_crossing LINES: a plan with these additional lines, with two groups of vectors and two of keys
# and clients in each of the four combinations.
write_crossing() {
    cat >crossing.plan <<END
collude  full clients=1 stations=1
$1
stations 5
client   1 5  via 1-5  shares 1-4  keys 1-4
client   2 6  via 1-5  shares 1-4  keys 2-5
client   3    via 1-5  shares 2-5  keys 1-4
client   4    via 1-5  shares 2-5  keys 2-5
protocol keys
END
}

# share_floats CLIENT...: makes gradients of these clients and shares them under HAGG_PLAN.
share_floats() {
    local i

    for i; do
        npy grad$i.npy "np.random.default_rng($i).uniform(-1, 1, (5, 10))"
        rm -f k$i.cbor
        hagg-keygen --client $i --round 1 --length 50 -o k$i.cbor
        hagg-share --again --client $i --round 1 --key k$i.cbor -o "station-{}/client-$i.cbor" grad$i.npy
    done
}

# add OPTION...: every station adds up its records, to from-U.cbor.
add() {
    local folder

    for folder in station-*; do
        hagg-aggregate --station "${folder#station-}" "$@" -o "from-${folder#station-}.cbor" \
            "$folder"/*.cbor
    done
}

# Checks that sum.npy is the sum of the quantised gradients of these clients, as computed by NumPy.
assert_sum_of() {
    assert_numpy "np.abs(load('sum.npy') - sum(np.rint(load(f'grad{i}.npy') * 32767) for i in [$1]) / 32767).max() < 1e-12"
}

# Sixty clients whose stations have different places in the sums of the relays, so no proof applies, with
# more than 10^8 coalitions.
write_shuffled() {
    python3 - >shuffled.plan <<'EOF'
print("protocol keys\ncollude full clients=2 stations=3 relays=1\nstations 20\nrelays 8\nstation 1-20 via 1-8")
for i in range(60):
    shares = [1 + (7 * i + j * (1 + i % 4)) % 20 for j in range(5)]
    keys = [1 + (3 * i + 11 + j * (1 + i % 3)) % 20 for j in range(5)]
    print("client", i + 1, "via 1-20 shares", *shares, "relays 1-5 keys", *keys, "key-relays 2-6")
EOF
}
