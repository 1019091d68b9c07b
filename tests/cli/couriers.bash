# couriers.bash - functions for the .bats files about couriers; load it after sealed.

# For setup_file: keys of the clients 1-4, 7 and 8 and of five stations, the vectors v1.npy, v2.npy, ..., and a plan
# in which client 7 reaches only station 2, and client 8 only station 4. Both share over stations 2-4, and what they
# send to stations that they do not reach is a seed.
make_courier_plan() {
    local i

    make_keys 1-8 1-5
    printf '%s\n' "collude full clients=1 stations=2" "drop clients=1" "fallback computational" "stations 5" \
        "client 1 2 via 1 2 3 5" "client 3 via 1-5" "client 4 via 2-5" "client 7 via 2" "client 8 via 4" \
        "identities ids.txt" >the.topo
    keep_ids the.topo
    hagg-plan -q the.topo -o the.plan
    for i in 1 2 3 4 7 8; do
        npy v$i.npy "np.random.default_rng($i).integers(-1000, 1000, $LENGTH).astype('i4')"
    done
}

# pass_on STATION: passes on what clients sent to the station, to the files from-STATION of the others.
pass_on() {
    hagg-aggregate --pass-on --station "$1" -o "station-{}/from-$1" station-$1/client-*
}

# parts_of FILE NAME: cuts the records out of FILE, as NAME-3 for the one that is addressed to station 3.
parts_of() {
    sealed_python '
data = open(sys.argv[1], "rb").read()
for record in records(sys.argv[1]):
    with open(f"{sys.argv[2]}-{record.header['"'to'"'][1]}", "wb") as file:
        file.write(data[record.offset : record.offset + record.len_bytes])' "$1" "$2"
}

# key_id_of TIER NUMBER: the id of the key of a node, in hexadecimal digits.
key_id_of() {
    sealed_python 'print(key_id(public([sys.argv[1], int(sys.argv[2])])).hex())' "$1" "$2"
}
