"""The rows of hagg-cost(1) for protocols with keys from before the round. hagg-cost(1) names the sources."""

import math
from fractions import Fraction

from sharing import ceil_div

NAMES = ("hsa common", "hsa pairs", "zhao-sun", "zhao-sun pairs", "zhao-sun drop")


def spreads_evenly(reach, n_stations):
    """True if the clients can be given one of the stations that they reach so that all stations have equally many:
    places at stations, and one client after the other gets one, if need be by moving others."""
    if len(reach) % n_stations:
        return False
    places = [(u, i) for u in range(1, n_stations + 1) for i in range(len(reach) // n_stations)]
    client_at = {}

    def settle(client, seen):
        for place in places:
            if place[0] in reach[client] and place not in seen:
                seen.add(place)
                if place not in client_at or settle(client_at[place], seen):
                    client_at[place] = client
                    return True
        return False

    return all(settle(client, set()) for client in reach)


def of_keys(n, rate, length):
    """n keys of this fraction of a vector, which is cut into as many parts as the denominator says."""
    return n * rate, n * rate.numerator * ceil_div(length, rate.denominator)


def expected(net, is_even):
    """{name: (sent, drawn, dealt)}, each as multiples of the vector and symbols; drawn and dealt may be None."""
    t, n, length = net.t, len(net.clients), net.length
    missing, colluding = net.drop_clients, max(t.colluding_clients, t.z)
    rows = {}
    if is_even and t.n_stations > 1 and not (t.n_relays or t.drop or missing):
        relays, size = t.n_stations, n // t.n_stations  # U and V
        sent = of_keys(n + relays, Fraction(1), length)
        # groups of G = n and of G = 2
        for name, group, held in (("hsa common", n, n), ("hsa pairs", 2, 1)):
            rate = max(Fraction(size, math.comb(n, group) - math.comb(n - size, group)),
                       Fraction(relays - 1, math.comb(n, group) - relays * math.comb(size, group)))
            n_keys = math.comb(n, group)
            rows[name] = sent, of_keys(n_keys, rate, length), of_keys(n_keys * held, rate, length)
    if not missing and n - colluding >= 2:
        sent, honest = of_keys(n, Fraction(1), length), n - colluding
        rows["zhao-sun"] = sent, of_keys(n - 1, Fraction(1), length), of_keys(n, Fraction(1), length)
        pairs = of_keys(math.comb(n, 2), Fraction(honest - 1, math.comb(honest, 2)), length)
        rows["zhao-sun pairs"] = sent, pairs, pairs
    if n - missing > colluding:
        second = of_keys(n - missing, Fraction(1, n - missing - colluding), length)
        rows["zhao-sun drop"] = (n + second[0], n * length + second[1]), None, None
    return rows


def check(report, net, is_even, got):
    def amount(line):
        return Fraction(line["times"]), line.get("symbols", 0)

    found = {}
    for row in got["protocols"]:
        if row["name"] in NAMES:
            found[row["name"]] = (amount(row["total"]), *(
                (amount(row["drawn"]["total"]), amount(row["dealt"])) if "drawn" in row else (None, None)))
            if "links" in row:
                report.equal({name: line["times"] for name, line in row["links"].items() if line["times"] != "0"},
                             {"clients to stations": str(len(net.clients)),
                              "stations to federator": str(net.t.n_stations)}, row["name"])
    report.equal(found, expected(net, is_even), "peers with keys")
