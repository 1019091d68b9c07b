"""hagg-plan with prices, compared with all choices of tiny networks: priced.py BIN COUNT.

The messages of every choice are those of the oracle's models, and what they cost is added up in exact fractions. With
protocol aligned these are the sets of all clients, the segments and the dealers; with protocol keys the sets, and the
stations of the keys under partial collusion. No plan has a lower price than the cheapest choice. A plan that is said
to be proved has this price.
"""

import itertools
import random
import re
import sys

from cost_aligned import AlignedModel
from cost_model import Network
from networks import Planner, some
from prices import WORDS, Prices
from report import Report
from topology import parse

tally = {"aligned": 0, "keys": 0, "aligned proved": 0, "keys proved": 0, "aligned best": 0, "keys best": 0,
         "keys pay": 0, "keys pay best": 0, "aligned chosen": 0, "keys chosen": 0}


def network(seed):
    rng = random.Random(f"prices {seed}")
    full, wide = seed % 2 == 1, seed % 3 == 0
    n_stations, n_clients = (4, 2) if wide else (3, 3)
    lines = [f"collude {'full' if full else 'partial'} stations=1", "minimum 2", f"stations {n_stations}"]
    lines += [f"client {i} via {some(rng, n_stations, 2)}" for i in range(1, n_clients + 1)]
    prices = Prices(rng, n_stations, 0)
    if seed % 8 == 1:  # dear masks
        prices.nodes, prices.links["station", "station"] = {}, "100"
        prices.lines = ["price " + " ".join(f"{WORDS[pair]}={value}" for pair, value in prices.links.items())]
    elif seed % 4 < 2:  # links only
        prices.nodes = {}
        prices.lines = [line for line in prices.lines if "station " not in line] or ["price stations=1"]
    return "\n".join(lines) + "\n", prices


def subsets(numbers, least):
    return [list(s) for size in range(least, len(numbers) + 1) for s in itertools.combinations(numbers, size)]


def choices(net, least):
    """All sets of all clients. Clients that reach the same stations use the same: that is never worse."""
    reaches = sorted({tuple(c.via) for c in net.clients.values()})
    for sets in itertools.product(*(subsets(reach, least) for reach in reaches)):
        of = dict(zip(reaches, sets))
        yield {i: of[tuple(c.via)] for i, c in net.clients.items()}


def all_choices(net, least):
    """The same, for each client alone."""
    for sets in itertools.product(*(subsets(c.via, least) for c in net.clients.values())):
        yield dict(zip(net.clients, sets))


def cheapest_aligned(net, prices):
    best = None
    for sets in choices(net, net.t.z + 1):
        used = sorted(set().union(*map(set, sets.values())))
        one_class = len({tuple(s) for s in sets.values()}) == 1
        for segments in (1, 2, 3, 6):
            for dealers in [[]] if one_class else subsets(used, 1 + net.t.full * net.t.z):
                model = AlignedModel(net, sets, net.t.full, segments, dealers)
                if model.is_possible():
                    price = prices.price(model.messages())
                    best = price if best is None or price < best else best
    return best


def cheapest_keys(net, prices):
    full, z = net.t.full, net.t.z
    if full:
        both = [(prices.price([*net.shares(sets, True), *net.sums(sets, True)]), sets)
                for sets in all_choices(net, z + 1)]
        both.sort(key=lambda pair: pair[0])
        best = None
        for (a, shares), (b, keys) in itertools.product(both, both):
            if (best is None or a + b < best) and net.is_private(shares, keys):
                best = a + b
        return best
    sets = min(prices.price([*net.shares(sets, False), *net.sums(sets, False)]) for sets in choices(net, z + 1))
    keys = []
    for stations in itertools.product(*(c.via for c in net.clients.values())):
        for client, station in zip(net.clients.values(), stations):
            client.keys = [station]
        keys.append(prices.price(net.keys(min(stations))))
    return sets + min(keys)


def price_of(planner, plan):
    done = planner.run("cost", plan, "--only", "plan", "--format", "tsv")
    heading, *lines = (line.split("\t") for line in done.stdout.decode().splitlines())
    total = next(line for line in lines if line[3] == "total")
    return total[heading.index("price")]


def check(report, planner, seed):
    text, prices = network(seed)
    net = Network(parse(text), 0, 0)
    text += "\n".join(prices.lines) + "\n"
    found = {}
    for protocol, cheapest in (("aligned", cheapest_aligned), ("keys", cheapest_keys)):
        best = cheapest(Network(parse(text.split("price")[0]), 0, 0), prices)
        plan, _, said = planner.plan(text, "--protocol", protocol, "--effort", "1")
        report.equal(plan is None, best is None, f"{protocol}: {said}")
        if plan is None or best is None:
            continue
        price = found[protocol] = type(best)(price_of(planner, plan))
        proved = "proved: no other private choice of station sets has a lower price" in said
        tally[protocol] += 1
        tally[f"{protocol} proved"] += proved
        tally[f"{protocol} best"] += price == best
        report.check(price >= best, f"{protocol}: {price} is less than the cheapest, {best}")
        report.check(not proved or price == best, f"{protocol}: {price} is said to be proved, but {best} is possible")
        if protocol == "keys" and prices.nodes:
            tally["keys pay"] += 1
            tally["keys pay best"] += price == best
            report.check(not proved, "keys: proved although stations pay")
        elif protocol == "keys":
            report.check(price == best or not proved, f"keys: {price} instead of {best}")
    plan, _, said = planner.plan(text, "--protocol", "auto", "--effort", "1")
    chosen = re.search(r"^protocol (\w+)$", plan, re.M)[1]
    report.equal(type(next(iter(found.values())))(price_of(planner, plan)), min(found.values()), "the cheaper protocol")
    tally[f"{chosen} chosen"] += 1
    return net


def main(bin_dir, count):
    report, planner = Report(), Planner(bin_dir)
    for seed in range(int(count)):
        with report.part(f"network {seed}"):
            check(report, planner, seed)
    print(tally)
    report.check(tally["aligned best"] == tally["aligned"] and 2 * tally["aligned proved"] > tally["aligned"],
                 "aligned plans are the cheapest")
    report.check(tally["keys best"] - tally["keys pay best"] == tally["keys"] - tally["keys pay"],
                 "keys plans are the cheapest if only links have prices")
    report.check(tally["keys pay"] > 5 and 3 * tally["keys pay best"] > 2 * tally["keys pay"],
                 "keys plans are mostly the cheapest if stations pay")
    report.check(tally["keys proved"] > 5 and tally["aligned chosen"] > 5 and tally["keys chosen"] > 2, "all cases")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
