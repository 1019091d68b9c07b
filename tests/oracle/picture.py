"""Compares hagg-plan --dot with the messages of cost_model.py: picture.py BIN COUNT [SEED [INDEX]].

The picture is read by a separate parser. Its lines, labels and styles must be exactly the messages of a
round, and clients must be merged into one node exactly as hagg-plan(1) states.
"""

import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction

import topology as language
from commands import Commands
from cost_model import Network
from report import Report

MOST_LINES = 60
NAME = 'a "plan" \\n.plan'  # characters that must be escaped
QUOTED = r'"((?:[^"\\]|\\.)*)"'


class Picture:
    """Clients of each node, lines {(from, to, style): label}, pen widths, and the title."""

    def __init__(self, text):
        self.nodes, self.lines, self.widths, self.ranks = {}, {}, {}, []
        head, *body, end = text.rstrip("\n").split("\n")
        assert (head, end) == ("digraph round {", "}"), text
        for line in body:
            self.read(line.strip())

    def read(self, line):
        if found := re.fullmatch(rf"label={QUOTED}", line):
            self.title = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], found[1])
        elif found := re.fullmatch(rf"([csrf]\d+) \[label={QUOTED}\]", line):
            assert found[1] not in self.nodes, line
            self.nodes[found[1]] = found[2].replace(r"\n", " ")
        elif found := re.fullmatch(r"\{ rank=same; edge \[style=invis\]; (.*) \}", line):
            self.ranks.append(found[1].split(" -> "))
        elif found := re.fullmatch(r"(\w+) -> (\w+) \[(.*)\]", line):
            given = dict(re.findall(r'(\w+)="?([^" ]*)', found[3]))
            (label,) = (v for k, v in given.items() if k in ("taillabel", "headlabel", "xlabel"))
            key = found[1], found[2], given["style"]
            assert key not in self.lines, line
            self.lines[key] = Fraction(label)
            self.widths[key] = float(given["penwidth"])
        else:
            assert re.fullmatch(r"(node|edge) \[.*\]|\w+=[\w.]+", line), line


def messages(net):
    """{style: messages}"""
    t, clients = net.t, net.clients
    shares, keys = ({i: getattr(c, name) for i, c in clients.items()} for name in ("shares", "keys"))
    relays, key_relays = (({i: getattr(c, name) for i, c in clients.items()} if t.n_relays else None)
                          for name in ("relays", "key_relays"))
    way = (lambda sets, through: list(net.direct(sets, through))) if t.transform else (
        lambda sets, through: net.bare(sets, t.full, through))
    dashed = way(keys, key_relays) if t.full else list(
        net.keys(min(c.key_station for c in clients.values())))
    return {"solid": way(shares, relays), "dashed": dashed}


def lines_of(sent, node_of):
    lines = defaultdict(Fraction)
    for style, those in sent.items():
        for (tier, number), receiver, times, _ in those:
            number = node_of[number] if tier == "client" else number
            lines[f"{tier[0]}{number}", f"{receiver[0][0]}{receiver[1]}", style] += times
    return dict(lines)


def folded(t, sent):
    """The level of merging, the first client of each client's node, and the lines."""
    def shares(c):
        return tuple(c.shares), tuple(c.relays or ())

    def keys(c):
        return (tuple(c.keys), tuple(c.key_relays or ())) if t.full else c.key_station

    ways = [lambda i, c: i, lambda i, c: (shares(c), keys(c)), lambda i, c: shares(c),
            lambda i, c: None]
    for level, way in enumerate(ways):
        first = {}
        node_of = {i: first.setdefault(way(i, c), i) for i, c in sorted(t.clients.items())}
        lines = lines_of(sent, node_of)
        if level == 3 or sum(key[0][0] == "c" for key in lines) <= MOST_LINES:
            return level, node_of, lines


def in_ranges(numbers):
    """The numbers as ranges: "1-3 5"."""
    starts = [i for i in numbers if i - 1 not in numbers]
    ends = [i for i in numbers if i + 1 not in numbers]
    return " ".join(f"{a}-{b}" if a < b else f"{a}" for a, b in zip(starts, ends))


def check_picture(report, commands, plan):
    t = language.parse(plan)
    sent = messages(Network(t, 0, 1))
    level, node_of, lines = folded(t, sent)
    commands.write(NAME, plan.encode())
    text, _ = commands.run("plan", "-q", "--keep", "--dot", NAME)
    picture = Picture(text.decode())
    report.equal(picture.lines, lines, "lines")

    members = defaultdict(list)
    for number, node in node_of.items():
        members[node].append(number)
    nodes = {f"c{node}": f"client{'s' if len(those) > 1 else ''} {in_ranges(sorted(those))}"
             for node, those in members.items()}
    nodes |= {f"s{i}": f"station {i}" for i in range(1, t.n_stations + 1)}
    nodes |= {f"r{i}": f"relay {i}" for i in range(1, t.n_relays + 1)}
    report.equal(picture.nodes, nodes | {"f1": "federator"}, "nodes")
    tiers = [[name for name in picture.nodes if name[0] == tier] for tier in "csr"]
    report.equal(picture.ranks, [tier for tier in tiers if tier], "columns")

    order = sorted(picture.lines, key=picture.lines.get)
    report.check(all(picture.widths[a] <= picture.widths[b] for a, b in zip(order, order[1:])),
                 "more is not thicker")
    total = sum(lines.values())
    report.check(picture.title.startswith(f"{NAME}: {total}"),
                 lambda: f"title {picture.title!r}, total {total}")
    return level


def draw_topology(rng, index):
    """A topology of every kind; half of them have many clients."""
    full, relays, transform = index % 2, index // 2 % 3 > 0, index // 2 % 3 == 2
    many = index // 6 % 2
    b = rng.randint(5, 9)
    lines = [f"collude {'full' if full else 'partial'} stations=1" + " relays=1" * relays,
             f"stations {b}", "protocol keys"] + ["transform direct"] * transform
    if relays:
        r = rng.randint(4, 6)
        lines += [f"relays {r}", f"station 1-{b} via 1-{r}"]
    number = 1
    for _ in range(rng.randint(1, 14) if many else rng.randint(1, 3)):
        n = rng.randint(1, 30) if many else rng.randint(1, 2)
        via = " ".join(map(str, sorted(rng.sample(range(1, b + 1), rng.randint(4, 5)))))
        lines.append(f"client {number}-{number + n} via {via}")
        number += n + rng.randint(1, 3)
    return "\n".join(lines) + "\n"


def main(bin_dir, count, seed=1, only=None):
    report = Report()
    levels = Counter()
    for index in range(int(count)) if only is None else [int(only)]:
        rng = random.Random(f"picture {seed} {index}")
        with tempfile.TemporaryDirectory() as work, report.part(f"seed {seed}, case {index}"):
            commands = Commands(bin_dir, work, report)
            text = draw_topology(rng, index)
            plan, said = commands.run("plan", "-q", "--effort", 1, stdin=text.encode(), status=None)
            if plan:
                levels[check_picture(report, commands, plan.decode())] += 1
            else:
                report.check("private" in said, said)
    if only is None:
        report.check(set(levels) == {0, 1, 2, 3}, lambda: f"not every folding was seen: {levels}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
