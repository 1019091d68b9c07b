"""Compares hagg-cost with exact fractions, over random networks: cost.py BIN COUNT [SEED [INDEX]]."""

import json
import math
import random
import re
import sys
import tempfile
from fractions import Fraction

import couriers
import cost_draws
import cost_peers
import topology as language
from commands import Commands
from cost_aligned import AlignedCase, AlignedModel
from cost_model import Network, rate
from fields import field_of
from generate import Case
from generate_full import FullCase
from generate_relays import RelayCase
from generate_seeds import with_seeds
from prices import Prices
from report import Report

# Rows with the messages of a round that commands carry out, so that the bytes of its records are known.
COMPLETE = {"plan", "plan stand-by", "aligned", "c1", "c2", "c3", "direct"}

LINKS = {
    ("client", "station"): "clients to stations",
    ("station", "station"): "station to station",
    ("station", "relay"): "stations to relays",
    ("relay", "relay"): "relay to relay",
    ("station", "federator"): "stations to federator",
    ("relay", "federator"): "relays to federator",
}


def add_up(messages):
    """By link, and in total: multiples of the vector, messages, symbols, seeds."""
    lines = {name: [Fraction(0), 0, 0, 0] for name in (*LINKS.values(), "total")}
    for sender, receiver, times, symbols, *seeds in messages:
        for line in (lines[LINKS[sender[0], receiver[0]]], lines["total"]):
            line[0] += times
            line[1] += 1
            line[2] += symbols
            line[3] += sum(seeds)
    return lines


def read_line(line):
    return [Fraction(line["times"]), line.get("messages", 0), line.get("symbols", 0), line.get("seeds", 0)]


class Expected:
    """The expected rows: {(name, sets, against): messages}; and, by the same names, what is drawn at random, and what
    is sent before the round."""

    def __init__(self, net, lines):
        self.net, self.rows, self.lines = net, {}, lines
        self.draws, self.dealt = {}, {}
        self.is_aligned = lines.get("protocol") == ["aligned"]
        t = net.t
        clients = net.clients
        couriers.settle(t, self.is_aligned)
        self.seeded = net.with_seeds()
        self.reach = {i: c.reach or c.via for i, c in clients.items()}
        self.chosen = {i: sorted(c.shares) if self.is_aligned else c.shares for i, c in clients.items()}
        self.key_sets = {i: c.keys for i, c in clients.items()}
        self.routed = self.is_aligned or not t.n_relays or all(c.relays for c in clients.values())
        self.is_chosen = any(c.said_shares for c in clients.values())
        # the first station with a key. Sets of keys apply to full collusion only; under partial
        # collusion they are ignored
        self.first = min(c.via[0] if t.full else c.key_station for c in clients.values())
        if self.routed:
            self.add_plan()
        for mode in (net, self.seeded):
            if self.is_chosen:
                self.add_aligned("chosen", self.chosen, True, mode)
            self.add_aligned("reached", self.reach, not self.is_chosen, mode)
        if self.routed and (self.is_chosen or t.n_relays) and not t.transform and not (
                self.is_aligned and t.n_relays):
            self.add_choice("chosen", self.chosen, self.key_sets if t.full else None)
        if not t.n_relays:
            self.add_choice("reached", self.reach, self.reach)
        else:
            self.add_resharing()

    def ways(self):
        t = self.net.t
        if not t.n_relays:
            return None, None
        return ({i: c.relays for i, c in self.net.clients.items()},
                {i: c.key_relays for i, c in self.net.clients.items()})

    def strength(self, sets, key_sets, relays=None, key_relays=None):
        seen = (relays, key_relays) if relays else (sets, key_sets)
        return self.against(self.net, True) if self.net.is_private(*seen) else "not private"

    @staticmethod
    def against(net, full):
        return ("full" if full else "partial") + (
            ", computational" if net.t.computational else ", some computational" if net.has_seeds() else "")

    def aligned(self, sets, is_plan, net=None):
        """With the plan's segments and dealers, if these are the plan's sets."""
        given = {}
        if self.is_aligned and is_plan:
            if "segments" in self.lines:
                given["segments"] = int(self.lines["segments"][0])
            if "dealers" in self.lines:
                given["dealers"] = language.numbers(list(self.lines["dealers"]))
        return AlignedModel(net or self.net, sets, self.net.t.full, **given)

    def add_aligned(self, name, sets, is_plan, net):
        model = self.aligned(sets, is_plan, net)
        protocol = "aligned seeds" if net is self.seeded else "aligned"
        if model.is_possible():
            self.add((protocol, name, self.against(net, self.net.t.full)), model.messages(),
                     cost_draws.aligned(model), model.masks())

    def add(self, key, messages, draws, dealt=()):
        self.rows[key], self.draws[key], self.dealt[key] = list(messages), list(draws), list(dealt)

    def add_plan(self):
        net, (relays, key_relays), dealt = self.net, self.ways(), ()
        if self.is_aligned:
            against = self.against(net, net.t.full)
            model = self.aligned(self.chosen, True)
            self.plan, draws, dealt = list(model.messages()), list(cost_draws.aligned(model)), list(model.masks())
        elif net.t.transform and net.t.full:
            against = self.strength(*(
                {i: (tuple(ways[i]), net.own(0, len(s)).parts) for i, s in sets.items()}
                for sets, ways in ((self.chosen, relays), (self.key_sets, key_relays))))
            self.plan = [*net.direct(self.chosen, relays), *net.direct(self.key_sets, key_relays)]
            draws = [*cost_draws.direct(net, self.chosen, relays), *cost_draws.direct(net, self.key_sets, key_relays),
                     *cost_draws.whole_keys(net)]
        elif net.t.transform:
            against = self.against(net, False)
            self.plan = [*net.direct(self.chosen, relays), *net.keys(self.first)]
            draws = [*cost_draws.direct(net, self.chosen, relays), *cost_draws.keys(net)]
        elif net.t.full:
            against = self.strength(self.chosen, self.key_sets, relays, key_relays)
            self.plan = net.shared_keys(self.chosen, self.key_sets, relays, key_relays)
            draws = cost_draws.shared_keys(net, self.chosen, self.key_sets)
        else:
            against = self.against(net, False)
            self.plan = net.client_keys(self.chosen, relays, self.first)
            draws = cost_draws.client_keys(net, self.chosen)
        sets = "chosen" if self.is_chosen else "reached"
        self.add(("plan", sets, against), self.plan, draws, dealt)
        if self.is_aligned and model.has_stand_by():
            self.add(("plan stand-by", sets, against), model.messages_without_stand_by(), draws, dealt)

    def add_choice(self, name, sets, key_sets):
        net, t = self.net, self.net.t
        relays, key_relays = self.ways()
        if net.suffices(sets, False):
            self.add(("c3" if relays else "c1", name, self.against(net, False)),
                     net.client_keys(sets, relays, self.first), cost_draws.client_keys(net, sets))
            if not relays:
                self.add(("c1 seeds", name, "partial, computational"),
                         self.seeded.client_keys(sets, None, self.first), cost_draws.client_keys(self.seeded, sets))
        # couriers do not pass on shares of keys
        if key_sets and not any(c.reach for c in net.clients.values()) and all(
                net.suffices(one, True) for one in (sets, key_sets)):
            against = self.strength(sets, key_sets, relays, key_relays)
            self.add(("c2", name, against), net.shared_keys(sets, key_sets, relays, key_relays),
                     cost_draws.shared_keys(net, sets, key_sets))
        seen = {tuple(s) for s in (relays or sets).values()}
        if len(seen) == 1 and not (relays and t.full) and net.suffices(sets, t.full) and not (
                t.full and any(c.reach for c in net.clients.values())):
            self.add(("bare", name, self.against(net, t.full)), net.bare(sets, t.full, relays),
                     cost_draws.shares(net, sets, t.full))

    def add_resharing(self):
        net, name = self.net, "chosen" if self.is_chosen else "reached"
        key_sets = self.key_sets if net.t.full else self.reach
        if any(c.reach for c in net.clients.values()):
            return
        if net.can_reshare(self.chosen):
            keys = list(net.keys(self.first))
            partial = self.against(net, False)
            drawn = cost_draws.keys(net)
            self.add(("direct", name, partial), [*net.direct(self.chosen), *keys],
                     [*cost_draws.direct(net, self.chosen), *drawn])
            self.add(("transport", name, partial), [*net.transport(self.chosen), *keys],
                     [*cost_draws.transport(net, self.chosen), *drawn])
        if net.can_reshare(self.chosen) and net.can_reshare(key_sets):
            seen = [{i: (net.common(s), net.own(0, len(s)).parts) for i, s in sets.items()}
                    for sets in (self.chosen, key_sets)]
            self.add(("direct", name, self.strength(*seen)), [*net.direct(self.chosen), *net.direct(key_sets)],
                     [*cost_draws.direct(net, self.chosen), *cost_draws.direct(net, key_sets),
                      *cost_draws.whole_keys(net)])


def check_draws(report, row, draws, dealt, what):
    """What is drawn, by whom and in total; and what is sent before the round."""
    for who, want in cost_draws.add_up(draws).items():
        got = row["drawn"].get(who, {"times": 0})
        report.equal(cost_draws.read_line(got), want, f"{what}: drawn by {who}")
    report.equal(read_line(row["dealt"]), add_up(dealt)["total"], f"{what}: dealt")


def check_rows(report, net, expected, got):
    private = {(row["name"], row["sets"], row["against"]): row for row in got["protocols"]
               if "links" in row and row["name"] not in ("no privacy", *cost_peers.NAMES)}
    report.equal(set(private), set(expected.rows), "rows")
    has_seeds = any("computational" in key[2] and not key[0].endswith("seeds") for key in private)
    for key in set(private) & set(expected.rows):
        want, row = add_up(expected.rows[key]), private[key]
        report.equal(read_line(row["total"]), want["total"], f"{key}")
        check_draws(report, row, expected.draws[key], expected.dealt[key], key)
        for link, line in row["links"].items():
            report.equal(read_line(line), want[link], f"{key}: {link}")
        total = want["total"]
        report.equal(Fraction(row["total"]["filling"]), total[2] - total[0] * net.length,
                     f"{key}: filling")
        # record_bytes.py has the exact number; records with seeds are sealed, which needs identities
        report.check(("bytes" in row["total"]) == (key[0] in COMPLETE and not has_seeds), f"{key}: bytes")
        report.check(row["total"].get("bytes", total[2] * got["symbol_bytes"] + 1) > total[2] * got["symbol_bytes"],
                     f"{key}: fewer bytes than its elements have")
        # exactly the links that some row uses are printed
        report.check(all(want[link][1] == 0 or link in row["links"] for link in LINKS.values()),
                     f"{key}: {list(row['links'])}")
    others = {row["name"]: row["total"] for row in got["protocols"]
              if "links" not in row and row["name"] not in cost_peers.NAMES}
    report.equal(Fraction(others.pop("bound")["times"]), net.bound(), "bound")
    # cost_bound.py has its value
    report.check(Fraction(others.pop("sharper")["times"]) >= net.bound(), "sharper bound")
    want = {name: (times, symbols) for name, times, symbols in net.peers(got["symbol_bytes"])}
    report.equal({name: (Fraction(line["times"]), line["symbols"]) for name, line in others.items()},
                 want, "peers")
    is_even = cost_peers.spreads_evenly({i: c.via for i, c in net.clients.items()}, net.t.n_stations)
    cost_peers.check(report, net, is_even, got)


def check_prices(report, net, expected, prices, got):
    """What every row costs at these prices, and the lower bound."""
    size, rows = got["symbol_bytes"], {}
    for row in got["protocols"]:
        rows.setdefault((row["name"], row["sets"], row["against"]), row)
    report.check(all(("price" in row["total"]) ==
                     (row["against"] != "users" and row["name"] not in cost_peers.NAMES) for row in got["protocols"]),
                 "rows with prices")
    bound = Fraction(rows["bound", "", ""]["total"]["price"])
    report.equal(bound, prices.bound(net), "bound of the price")
    sharper = Fraction(rows["sharper", "", ""]["total"]["price"])
    report.check(sharper >= bound, "sharper bound of the price")
    for key, messages in expected.rows.items():
        total = rows[key]["total"]
        report.equal(Fraction(total["price"]), prices.price(messages), f"{key}: price")
        report.equal(Fraction(total["symbol_price"]), prices.symbol_price(messages, size), f"{key}: symbol price")
        for link, line in rows[key]["links"].items():
            sent = [m for m in messages if LINKS[m[0][0], m[1][0]] == link]
            report.equal(Fraction(line["price"]), prices.price(sent), f"{key}: price of {link}")
    # protocols with the privacy of the plan; relays may learn the total with protocol aligned
    for key, messages in expected.rows.items():
        if key[0] == "plan" and not (expected.is_aligned and net.t.n_relays) and key[2] != "not private":
            report.check(prices.price(messages) >= sharper, f"{key}: cheaper than the bound")


def smallest_cover(lists):
    nodes = sorted({u for one in lists for u in one})
    best = len(nodes)
    for mask in range(1 << len(nodes)):
        taken = {u for i, u in enumerate(nodes) if mask >> i & 1}
        if len(taken) < best and all(taken & set(one) for one in lists):
            best = len(taken)
    return best


def check_unprotected(report, net, got):
    """A greedy cover is not smaller than the smallest, and larger by at most a logarithmic factor."""
    row = next(row for row in got["protocols"] if row["name"] == "no privacy")
    links = {name: int(line["times"]) for name, line in row["links"].items()}
    n, reaches = len(net.clients), [c.via for c in net.clients.values()]
    report.equal(links["clients to stations"], n, "no privacy: clients")
    up = links["stations to relays" if net.t.n_relays else "stations to federator"]
    least = smallest_cover(reaches)
    report.check(least <= up <= least * (1 + math.log(n)), f"no privacy: {up} stations, {least} do")
    if net.t.n_relays:
        report.check(1 <= links["relays to federator"] <= up, "no privacy: relays")


def check_loads(report, expected, got):
    if not expected.routed:
        report.check("loads" not in got, "loads without a plan")
        return
    sent, received, links = {}, {}, {}
    for sender, receiver, times, *_ in expected.plan:
        sent[sender] = sent.get(sender, 0) + times
        received[receiver] = received.get(receiver, 0) + times
        links[sender, receiver] = links.get((sender, receiver), 0) + times
    for load in got["loads"]:
        if load["name"] == "busiest link":
            ends = tuple((load[end]["tier"], load[end]["number"]) for end in ("from", "to"))
            report.equal(Fraction(load["sent"]["times"]), links[ends], "busiest link")
            report.equal(links[ends], max(links.values()), f"{ends} against the busiest link")
            continue
        node = load["node"]["tier"], load["node"]["number"]
        ours = (sent.get(node, 0), received.get(node, 0))
        report.equal((Fraction(load["sent"]["times"]), Fraction(load["received"]["times"])), ours,
                     f"load of {node}")
        report.equal(sum(ours), max(sent.get(other, 0) + received.get(other, 0)
                                    for other in {*sent, *received} if other[0] == node[0]),
                     f"{node} against the busiest of its tier")


def total_of(messages):
    return add_up(messages)["total"][0]


def check_parameters(report, net, expected, got):
    t, n, b = net.t, len(net.clients), net.t.n_stations
    values = {(v["name"], v["sets"]): v for v in got["parameters"]}
    if net.has_seeds():  # the others are for sharings without seeds
        report.equal(set(values), {("sharper", "")}, "parameters with seeds")
        return
    whole = sum(rate(len(s), t.z) for s in expected.reach.values())
    keys = n + b + 1 - expected.first
    want = {}
    for (name, sets, against), messages in expected.rows.items():
        shared = sum(m[2] for m in messages if m[0][0] == "client")
        if name == "c1":
            want["beta", sets] = (total_of(messages) - keys) / (shared - n)
        elif name == "c3":
            want["beta'", sets] = (total_of(messages) - keys - 1) / (shared - n)
            want["tau", sets] = max(
                Fraction(len(c.via), net.share(len(c.shares), t.full).parts)
                for c in net.clients.values())
        elif name == "c2" and not t.n_relays and against == "full":
            want["gamma", sets] = total_of(messages) / shared
            want["xi", sets] = shared / (2 * whole)
    found = {key: Fraction(v["value"]) for key, v in values.items() if "value" in v}
    report.equal(found, want, "parameters")
    # the paper's ranges apply to sharings that need all shares
    for key, v in values.items():
        if t.spares == 0 and t.scheme == "ramp" and key in found and "least" in v:
            if key[0] in ("beta", "beta'"):
                report.check(Fraction(v["least"]) <= found[key] <= Fraction(v["most"]), f"{key}: {v}")
    check_ranges(report, net, expected, values)


def check_ranges(report, net, expected, values):
    t, n, b = net.t, len(net.clients), net.t.n_stations
    if t.spares:
        report.check(("c1", "") not in values and ("c3", "") not in values, "ranges with spares")
        return
    if not t.n_relays:
        least, most = n + b + (n + 1) * rate(b, t.z), n + b + 2 * n * (t.z + 1)
        name = "c1"
    else:
        z, w = max(t.z, t.z_relays), min(b, t.n_relays)
        if w <= z:
            return
        harmonic = sum(Fraction(1, i) for i in range(1, w - z + 1))
        least = n + b + 1 + (n + 2) * rate(w, z)
        most = n * (2 * z + 3) + 2 * b + 1 + z * (harmonic - 1)
        name = "c3"
    report.equal((Fraction(values[name, ""]["least"]), Fraction(values[name, ""]["most"])),
                 (least, most), f"range of {name}")
    if t.scheme == "ramp" and name == "c1":
        for key, messages in expected.rows.items():
            if key[0] == name:
                # the range is for keys that pass through all stations
                total = total_of(messages) + expected.first - 1
                report.check(least <= total <= most, f"{key} is out of its range")


def parse(text):
    """The topology, with the clients whose sets are given in it; the number of clients that may drop out;
    and the words of the lines that concern the protocol."""
    lines, others = {"protocol": ["aligned"]}, []
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words and words[0] in ("protocol", "segments", "dealers"):
            lines[words[0]] = words[1:]
        elif words != ["scheme", "aligned"]:  # the same lengths as ramp, the default
            others.append(line)
    found = language.parse("\n".join(others))
    dropped = re.search(r"^\s*drop\b[^#\n]*clients=(\d+)", text, re.M)
    return found, int(dropped[1]) if dropped else 0, lines


def symbol_bytes(field):
    """Bytes per element of the narrowest typed array for the field."""
    return next(size for size in (1, 2, 4, 8) if field_of(field).order <= 256**size)


def check_network(report, commands, text, rng):
    topology, drop_clients, lines = parse(text)
    length = topology.length or rng.choice((1, 7, 100, 12345, 10**9 + 7))
    # of its own, so that the other choices are those without prices
    own = random.Random(f"prices of {text}")
    prices = Prices(own, topology.n_stations, topology.n_relays) if own.random() < 0.5 else None
    commands.write("network", "\n".join([text, *prices.lines] if prices else [text]).encode())
    out, _ = commands.run("cost", "--format", "json", "--length", length, "network")
    got = json.loads(out)
    net = Network(topology, drop_clients, length)
    expected = Expected(net, lines)
    report.equal(got["symbol_bytes"], symbol_bytes(topology.field), "bytes of a symbol")
    check_rows(report, net, expected, got)
    if prices:
        check_prices(report, net, expected, prices, got)
    check_unprotected(report, net, got)
    check_loads(report, expected, got)
    check_parameters(report, net, expected, got)


def check_seeds(report, commands, text, rng):
    topology, _, lines = parse(text)
    is_aligned = lines["protocol"] == ["aligned"]
    # relays that are chosen do not fit other clients
    if is_aligned or not topology.n_relays or not any(c.relays for c in topology.clients.values()):
        check_network(report, commands, with_seeds(rng, text, topology, is_aligned), rng)


def check_case(report, commands, rng, index):
    text = AlignedCase(rng, index).text
    check_network(report, commands, text, rng)
    check_seeds(report, commands, text, random.Random(f"seeds of {text}"))
    kind = (Case, FullCase, RelayCase, RelayCase)[index % 4]
    text = kind(rng, index).text
    check_network(report, commands, text, rng)
    check_seeds(report, commands, text, random.Random(f"seeds of {text}"))
    if index % 4 < 2:
        return
    commands.write("open", text.encode())
    how = "always" if index % 8 == 3 else "never"
    plan, _ = commands.run("plan", "-q", "--transform", how, "open", status=None)
    if plan and b"\nscheme staircase\n" not in plan:  # for those see cost_staircase.py
        check_network(report, commands, plan.decode(), rng)


def check_drawn(report, commands, rng):
    """A random network costs as much as its topology, and has the requested numbers."""
    b, z = rng.randint(3, 9), rng.randint(0, 2)
    reach = rng.randint(z + 1, b)
    most = rng.randint(reach, b)
    line = ["--random", "--clients", rng.randint(2, 9), "--stations", b, "--reach", reach,
            "--reach-most", most, "--collude", f"stations={z}", "--seed", rng.getrandbits(64)]
    if rng.random() < 0.4:
        line += ["--relays", rng.randint(z + 1, 6)]
    text, _ = commands.run("cost", *line, "--topology")
    drawn, _ = commands.run("cost", *line, "--format", "json")
    again, _ = commands.run("cost", "--format", "json", stdin=text)
    report.equal(drawn, again, "what was drawn against its topology")
    topology, _, _ = parse(text.decode())
    report.check(all(reach <= len(c.via) <= most for c in topology.clients.values()),
                 lambda: f"not from {reach} to {most}: {text}")
    check_network(report, commands, text.decode(), rng)


def check_even(report, commands, rng, evens):
    """As many clients as fit evenly, on stations where this may or may not be possible."""
    b = rng.randint(2, 5)
    reach = [rng.sample(range(1, b + 1), rng.choice((1, 1, 2, b))) for _ in range(b * rng.randint(1, 4))]
    text = f"length {rng.randint(1, 60)}\ncollude partial stations=0\nstations {b}\n" + "".join(
        f"client {i} via {' '.join(map(str, sorted(via)))}\n" for i, via in enumerate(reach, 1))
    commands.write("even", text.encode())
    out, _ = commands.run("cost", "--format", "json", "even")
    topology, _, _ = parse(text)
    net = Network(topology, 0, topology.length)
    evens.append(cost_peers.spreads_evenly({i: c.via for i, c in net.clients.items()}, b))
    cost_peers.check(report, net, evens[-1], json.loads(out))


def main(bin_dir, count, seed=1, only=None):
    report, evens = Report(), []
    for index in range(int(count)) if only is None else [int(only)]:
        rng = random.Random(f"cost {seed} {index}")
        with tempfile.TemporaryDirectory() as work, report.part(f"seed {seed}, case {index}"):
            commands = Commands(bin_dir, work, report)
            check_case(report, commands, rng, index)
            check_drawn(report, commands, rng)
            check_even(report, commands, rng, evens)
    report.check(only is not None or {True, False} == set(evens), "networks that are even, and others")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
