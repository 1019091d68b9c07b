"""The field that hagg-plan chooses for random topologies, compared with a choice in Python: field_auto.py BIN COUNT.

The field is the first of a list that holds the sums and has enough points. Of these fields, those before it that have
the points cannot hold the sums, as hagg-plan says itself, and the others send no fewer bytes. What the report says
about other fields is true: they hold what it names, and not one bit, level, integer or sample more.
"""

import math
import random
import re
import sys

from networks import check_networks, some

FIELDS = (("prime:p=251", 251, 1), ("prime:p=65521", 65521, 2), ("m31", 2**31 - 1, 4), ("m61", 2**61 - 1, 8),
          ("goldilocks", 2**64 - 2**32 + 1, 8))
SIZE = {name: size for name, _, size in FIELDS}
SAVING = {2: "halve", 4: "quarter", 8: "need an eighth of"}
tally = {name: 0 for name, _, _ in FIELDS} | {"chosen for points": 0, "shorter": 0, "integers": 0, "open": 0,
                                                      "levels": 0, "samples": 0, "room": 0}


class Network:
    """Many stations in half of all networks, of which a client may reach nearly all."""

    def __init__(self, seed):
        self.rng = rng = random.Random(f"field {seed}")
        self.z, self.drop = rng.randint(1, 3), rng.choice((0, 0, 1))
        fewest = self.z + 2 * self.drop + 1
        self.n_stations = rng.choice((rng.randint(fewest, 9), rng.randint(150, 260)))
        self.n_clients = rng.choice((rng.randint(2, 6), rng.randint(2, 130)))
        self.kind = rng.choice(("partial", "full")) if self.n_stations < 10 else "partial"
        self.protocol = rng.choice(("", "", "protocol keys", "protocol aligned"))
        self.most = max(fewest, rng.choice((self.n_stations, self.n_stations // 2, rng.randint(1, self.n_stations))))
        reaches = [f"1-{self.most}"] + [some(rng, self.most, fewest, fewest + 1 if self.most > fewest else fewest)
                                        for _ in range(2)]
        self.vias = [reaches[0]] + [rng.choice(reaches) for _ in range(self.n_clients - 1)]
        self.bits = rng.choice((2, 2, 3, 5, rng.randint(2, 24), rng.randint(24, 50), "max", None))
        edge = max(1, self.edge(rng.choice((251, 65521))) + rng.randint(0, 1))
        self.samples = rng.choice((None,) * 5 + ("open", rng.randint(1, 9), edge))
        self.integers = self.levels = None
        if rng.random() < 0.4:  # often at the edge of a field: n (hi - lo) is its order less 1, or more
            span = max(1, (rng.choice(FIELDS[:3])[1] - 1) // self.n_clients + rng.randint(-1, 1))
            low = rng.randint(-2 * span, 2 * span)
            self.bits, self.integers = None, (low, low + span)
        elif rng.random() < 0.4:
            edge = min(self.edge() + rng.randint(0, 2), 2**53)
            self.bits, self.levels = None, max(2, rng.choice((3, rng.randint(2, 9), edge)))

    def edge(self, order=None):
        """The largest span of which a field of this order, or of a random one, holds the sum."""
        return ((order or self.rng.choice(FIELDS[:4])[1]) - 1) // self.n_clients

    def text(self, bits, field=None):
        lines = [f"collude {self.kind} clients=0 stations={self.z}", f"stations {self.n_stations}", self.protocol]
        lines += [f"field {field}"] if field else []
        lines += [f"drop stations={self.drop}"] if self.drop else []
        lines += [f"quantize bits={bits} clip=1"] if bits else []
        lines += [f"quantize levels={self.levels} clip=1".replace("levels=3 ", "ternary ")] if self.levels else []
        lines += [f"integers {self.integers[0]}..{self.integers[1]}"] if self.integers else []
        lines += ["samples" if self.samples == "open" else f"samples most={self.samples}"] if self.samples else []
        lines += [f"client {i + 1} via {via}" for i, via in enumerate(self.vias)]
        return "\n".join(lines) + "\n"

    def has_points(self, order):
        parts = self.most - self.z - self.drop
        return self.n_stations + max(1, math.ceil(parts / 2)) <= order

    def is_open(self):
        return self.bits == "max" or self.bits is self.integers is self.levels is None or self.samples == "open"

    def holds(self, order, bits):
        """Every total is another element, and so is every number of samples."""
        most = self.samples if isinstance(self.samples, int) else 1
        return self.fits(order, bits) and self.n_clients * most < order

    def fits(self, order, bits):
        largest = 2 ** (bits - 1) - 1 if isinstance(bits, int) else 1
        low, high = self.integers or ((0, self.levels - 1) if self.levels else (-largest, largest))
        return self.n_clients * (high - low) + 1 <= order

    def choose(self, bits):
        for name, order, size in FIELDS:
            if self.holds(order, bits) and self.has_points(order) and not (self.is_open() and size < 4):
                return name
        raise AssertionError(bits)


def check_others(report, planner, net, chosen, cost):
    """No other field of the list would send fewer bytes. If there are many stations, plans take long."""
    for name, order, size in FIELDS:
        if name == chosen or net.is_open() or net.n_stations > 10:
            continue
        _, other, said = planner.plan(net.text(net.bits, name), "--effort", "1")
        if not net.holds(order, net.bits):
            report.check(re.search(f"overflows field '{name}'|'{name}' is too small", said), said)
        elif other is not None:
            report.check(other * size >= cost * SIZE[chosen], f"{name} sends less than {chosen}: {other} and {cost}")


def less(net, bits, order):
    """What the report says that would fit a field of this order: None if nothing does, "" if all does."""
    edge, said = net.edge(order), []
    if net.levels and edge < net.levels - 1:
        said = [f"levels={edge + 1}"]
    elif net.integers and edge < net.integers[1] - net.integers[0]:
        said = [f"a range of {edge + 1} integers"]
    elif bits and not net.fits(order, bits):
        fewer = [b for b in range(2, bits) if net.fits(order, b)]
        edge, said = len(fewer), [f"bits={fewer[-1] if fewer else 0}"]
    if isinstance(net.samples, int) and net.edge(order) < net.samples:
        edge, said = min(edge, net.edge(order)), said + [f"samples most={net.edge(order)}"]
    return " and ".join(said) if edge > 0 else None


def check_report(report, planner, net, chosen, said):
    line = re.search(r"^hagg-plan: field (\S+): (\d+) bytes? an element(.*)$", said, re.M)
    report.equal(line is not None, any((net.bits, net.integers, net.levels)), said)
    if not line:
        return
    tally["integers"] += net.integers is not None
    tally["levels"] += net.levels is not None
    report.equal((line[1], int(line[2])), (chosen, SIZE[chosen]), "field and size")
    bits = net.bits and int(re.search(r"bits=(\d+)", planner.run("plan", net.text(net.bits), "-q").stdout.decode())[1])
    claims, order = line[3].split("; ")[1:], {name: order for name, order, _ in FIELDS}[chosen]
    most = claims.pop(0) if claims and "at the same cost" in claims[0] else None
    if net.levels:
        room = min(2**53, (2**63 - 2**31 if chosen == "goldilocks" else order - 1) // net.n_clients + 1)
        report.equal(most, f"up to levels={room} at the same cost" if room > net.levels else None, said)
        tally["room"] += most is not None
    want = []
    for name, order, size in reversed(FIELDS):
        fewer = less(net, bits, order)
        if size < SIZE[chosen] and net.has_points(order) and fewer and not (net.samples == "open" and size < 4):
            want.append(f"{fewer} would fit {name} and {SAVING[SIZE[chosen] // size]} the bytes")
    report.equal(claims, want, f"alternatives of {net.text(net.bits)}")
    tally["shorter"] += len(want)
    tally["samples"] += "samples most=" in line[3]


def check(report, planner, seed):
    net = Network(seed)
    chosen = net.choose(net.bits)
    plan, cost, said = planner.plan(net.text(net.bits), "--effort", "1")
    report.check(plan is not None, said)
    report.equal(plan.splitlines()[0], f"field {chosen}", f"field of {net.text(net.bits)}")
    report.equal(planner.plan(net.text(net.bits, "auto"), "--effort", "1")[0], plan, "with field auto")
    if net.n_stations < 10:  # the command that reads the topology itself makes the same choice
        counted = planner.run("cost", net.text(net.bits)).stdout.decode()
        report.check(f"field {chosen}" in counted.splitlines()[0], counted.splitlines()[0])
    check_others(report, planner, net, chosen, cost)
    check_report(report, planner, net, chosen, said)
    tally[chosen] += 1
    tally["chosen for points"] += not net.is_open() and net.holds(251, net.bits) and chosen != "prime:p=251"
    tally["open"] += net.is_open()


if __name__ == "__main__":
    sys.exit(check_networks(*sys.argv[1:], check, tally, rare=["goldilocks"]))
