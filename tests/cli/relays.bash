# relays.bash - functions for the .bats files about relays; load it after round and full.

# Four clients, four stations, four relays. Stations add up clients 1 and 2, relays also add client 3,
# and client 4 has other relays.
write_figure() {
    cat >figure.plan <<END
collude  partial clients=1 stations=1 relays=1
quantize bits=16 clip=1.0
stations 4
relays   4
station  1  via 1 4
station  2  via 1 2
station  3  via 2 3
station  4  via 3 4
client   1  via 1-3    shares 1-3    keys 1  relays 1-3
client   2  via 1-3    shares 1-3    keys 2  relays 1-3
client   3  via 2-4    shares 2-4    keys 3  relays 1-3
client   4  via 1 2 4  shares 2 4 1  keys 1  relays 1 3 4
protocol keys
END
}

# write_meeting COLLUSION [LINE...]: two patterns of stations, 1-4 and 5 2-4, which relays 1-4 add up.
# Keys do not use station 1; under full collusion they have relays 1-4, too.
write_meeting() {
    local keys="keys 2" kind=${1#collude }

    [ "${kind%% *}" = partial ] || keys="keys 5 2-4 key-relays 1-4"
    printf '%s\n' "$1" "quantize bits=16 clip=1.0" "stations 5" "relays 5" "station 1-5 via 1-5" \
        "client 1 2 via 1-5 shares 1-4 relays 1-4 $keys" \
        "client 3 4 via 1-5 shares 5 2-4 relays 1-4 $keys" "protocol keys" "${@:2}" >meeting.plan
}

# Relays with sharings of their own, of one and of two parts, for all relays and for five: three patterns
# at the relays.
write_transform() {
    printf '%s\n' "collude partial clients=1 stations=2 relays=4" "stations 4" "relays 6" \
        "transform direct" "station 1-4 via 1-6" \
        "client 1 2 via 1-3 shares 1-3 keys 1 relays 1-6" \
        "client 3 via 1-4 shares 1-4 keys 4 relays 1-6" \
        "client 4 via 2-4 shares 2-4 keys 3 relays 1-5" "protocol keys" >t.plan
}

# Prints one line per record of a file: secret, clients, share, sender, addressee, route.
hops() {
    "$HAGG_PYTHON" - "$HAGG_SOURCE_DIR/tests/format" "$@" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import hagg_format

for name in sys.argv[2:]:
    with open(name, "rb") as file:
        for record in hagg_format.read_stream(file.read()):
            h = record.header
            spans = zip(h["clients"][::2], h["clients"][1::2])
            words = [h["of"], ",".join(f"{a}-{b}" if a < b else str(a) for a, b in spans)]
            if h["kind"] == "share":
                words += [f"share {h['scheme']['index']}"]
            words += [f"{before}{h[key][0]} {h[key][1]}"
                      for key, before in (("from", ""), ("to", "to ")) if key in h]
            words += ["%s %s" % (tier, ",".join(map(str, numbers))) for tier, numbers in h.get("route", [])]
            print("; ".join(words))
END
}

# to_relays OPTION...: the stations' step under partial collusion. Sums are written to
# relay-R/from-station-U.cbor, the total of the keys to relay-R/keys.cbor.
to_relays() {
    local u n before=() keys

    n=$(sed -n 's/^stations *//p' "$HAGG_PLAN")
    mkdir -p keys
    for ((u = 1; u <= n; u++)); do
        [ ! -d station-$u ] || hagg-aggregate --station $u --only shares "$@" station-$u/*.cbor \
            -o "relay-{}/from-station-$u.cbor"
        keys=("${before[@]}")
        [ ! -d station-$u ] || keys+=(station-$u/*.cbor)
        [ ${#keys[@]} -gt 0 ] || continue
        if [ $u = "$n" ]; then
            hagg-aggregate --station $u --only keys "$@" "${keys[@]}" -o "relay-{}/keys.cbor"
        else
            hagg-aggregate --station $u --only keys "$@" "${keys[@]}" -o keys/of-$u.cbor
            [ ! -e keys/of-$u.cbor ] || before=(keys/of-$u.cbor)
        fi
    done
}

# from_relays OPTION...: the relays' step, from relay-R/* to from-relay-R.cbor.
from_relays() {
    local folder

    for folder in relay-*; do
        hagg-aggregate --relay "${folder#relay-}" "$@" -o "from-$folder.cbor" "$folder"/*.cbor
    done
}
