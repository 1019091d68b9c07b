"""The field that hagg-plan chooses for random topologies, compared with a choice in Python: field_auto.py BIN COUNT.

The field is the first of a list that holds the sums and has enough points. Of these fields, those before it that have
the points cannot hold the sums, as hagg-plan says itself, and the others send no fewer bytes. What the report says
about other fields is true: with these bits they are chosen, and with one bit more they are not.
"""

import math
import random
import re
import sys

from networks import Planner, some
from report import Report

FIELDS = (("prime:p=251", 251, 1), ("prime:p=65521", 65521, 2), ("m31", 2**31 - 1, 4), ("m61", 2**61 - 1, 8),
          ("goldilocks", 2**64 - 2**32 + 1, 8))
SIZE = {name: size for name, _, size in FIELDS}
SAVING = {2: "halve", 4: "quarter", 8: "need an eighth of"}
tally = {name: 0 for name, _, _ in FIELDS} | {"chosen for points": 0, "shorter": 0, "integers": 0, "open": 0}


class Network:
    """Many stations in half of all networks, of which a client may reach nearly all."""

    def __init__(self, seed):
        rng = random.Random(f"field {seed}")
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
        self.samples = rng.choice((None,) * 5 + ("open", rng.randint(1, 9)))
        self.integers = None
        if rng.random() < 0.4:  # often at the edge of a field: n (hi - lo) is its order less 1, or more
            span = max(1, (rng.choice(FIELDS[:3])[1] - 1) // self.n_clients + rng.randint(-1, 1))
            low = rng.randint(-2 * span, 2 * span)
            self.bits, self.integers = None, (low, low + span)

    def text(self, bits, field=None):
        lines = [f"collude {self.kind} clients=0 stations={self.z}", f"stations {self.n_stations}", self.protocol]
        lines += [f"field {field}"] if field else []
        lines += [f"drop stations={self.drop}"] if self.drop else []
        lines += [f"quantize bits={bits} clip=1"] if bits else []
        lines += [f"integers {self.integers[0]}..{self.integers[1]}"] if self.integers else []
        lines += ["samples" if self.samples == "open" else f"samples most={self.samples}"] if self.samples else []
        lines += [f"client {i + 1} via {via}" for i, via in enumerate(self.vias)]
        return "\n".join(lines) + "\n"

    def has_points(self, order):
        parts = self.most - self.z - self.drop
        return self.n_stations + max(1, math.ceil(parts / 2)) <= order

    def is_open(self):
        return self.bits == "max" or self.bits is self.integers is None or self.samples == "open"

    def holds(self, order, bits):
        """Every total is another element, and so is every number of samples."""
        largest = 2 ** (bits - 1) - 1 if isinstance(bits, int) else 1
        low, high = self.integers or (-largest, largest)
        most = self.samples if isinstance(self.samples, int) else 1
        return all(len(range(self.n_clients * a, self.n_clients * b + 1)) <= order for a, b in ((low, high), (0, most)))

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


def check_report(report, planner, net, chosen, said):
    line = re.search(r"^hagg-plan: field (\S+): (\d+) bytes? an element(.*)$", said, re.M)
    report.equal(line is not None, net.bits is not None or net.integers is not None, said)
    if not line:
        return
    tally["integers"] += net.integers is not None
    report.equal((line[1], int(line[2])), (chosen, SIZE[chosen]), "field and size")
    claims = re.findall(r"; bits=(\d+) would fit (\S+) and (halve|quarter|need an eighth of) the bytes", line[3])
    report.equal("would hold the sums" in line[3], False, said)
    if net.integers:
        report.equal((line[1], int(line[2]), line[3]), (chosen, SIZE[chosen], ""), "field and size")
        return
    bits = int(re.search(r"quantize bits=(\d+)", planner.run("plan", net.text(net.bits), "-q").stdout.decode())[1])
    want = []
    for name, order, size in reversed(FIELDS):
        fits = [b for b in range(2, bits) if net.holds(order, b) and net.has_points(order)]
        if size < SIZE[chosen] and fits and not (net.samples == "open" and size < 4):
            want.append((str(fits[-1]), name, SAVING[SIZE[chosen] // size]))
    report.equal(claims, want, "alternatives")
    tally["shorter"] += len(want)


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


def main(bin_dir, count):
    report, planner = Report(), Planner(bin_dir)
    for seed in range(int(count)):
        with report.part(f"network {seed}"):
            check(report, planner, seed)
    print(tally)
    with report.part("all networks"):
        report.check(min(count for name, count in tally.items() if name != "goldilocks") > 0, f"too one-sided: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
