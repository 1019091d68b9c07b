"""What the federator and colluding stations learn if stations add up different sets of clients:
quorum.py BIN.

Exact linear algebra over a small field, for every sharing among up to six stations and every way in
which honest stations add up all clients, or all clients except one, or stay silent. Two totals can be
decoded if and only if 2k - n <= z, and hagg-plan refuses exactly these plans. Silence reveals nothing;
a smaller sum beside complete ones does. Finally the commands perform the attack without a plan, and
fail with one.
"""

import itertools
import sys
import tempfile

import numpy

from commands import Commands
from fields import field_of
from rank import rank_modulo
from report import Report
from sharing import Sharing

P = 13
MOST = 6  # stations
ALL, FEWER = (1, 2, 3), (1, 2)  # client 3 is only in the first set


class Round:
    """Clients share g + key and key over n stations, each with parts of one symbol. Columns are the
    symbols of the vectors, then everything that clients draw."""

    def __init__(self, n, k, z):
        self.n, self.parts = n, k - z
        self.sharing = Sharing(field_of(f"prime:p={P}"), "ramp", n, k, z, range(1, n + 1))
        names = [("vector", i, j) for i in ALL for j in range(self.parts)]
        self.n_secret = len(names)
        names += [("key", i, j) for i in ALL for j in range(self.parts)]
        names += [(of, i, "random", j) for of in ("padded", "key") for i in ALL for j in range(z)]
        self.column = {name: c for c, name in enumerate(names)}

    def form(self, terms):
        row = numpy.zeros(len(self.column), dtype="i8")
        for name, factor in terms:
            row[self.column[name]] += factor
        return row

    def shares(self, u, i):
        """The shares of client i at station u: of its padded vector and of its key."""
        matrix = self.sharing.rows[u]
        secret = [(("key", i, j), matrix[j]) for j in range(self.parts)]
        vector = [(("vector", i, j), matrix[j]) for j in range(self.parts)]
        random = {of: [((of, i, "random", j), factor) for j, factor in enumerate(matrix[self.parts:])]
                  for of in ("padded", "key")}
        return [self.form(vector + secret + random["padded"]), self.form(secret + random["key"])]

    def total(self, clients):
        return [self.form((("vector", i, j), 1) for i in clients) for j in range(self.parts)]

    def seen(self, colluding, sets):
        """Colluding stations know the shares of every client; sets[u] is what station u adds up."""
        rows = [row for u in colluding for i in ALL for row in self.shares(u, i)]
        for u, clients in sets.items():
            if clients:
                rows += list(numpy.sum([self.shares(u, i) for i in clients], axis=0))
        return rows

    def learnt(self, rows):
        """The number of independent forms in the vectors that the rows determine."""
        table = numpy.array(rows).reshape(len(rows), len(self.column))
        return rank_modulo(table.copy(), P) - rank_modulo(table[:, self.n_secret:].copy(), P)

    def knows(self, rows, forms):
        return self.learnt(rows + forms) == self.learnt(rows)

    def leak(self, rows):
        """Symbols that are learnt beyond the total of all clients."""
        return self.learnt(rows + self.total(ALL)) - self.parts


def sharings():
    for n in range(1, MOST + 1):
        for k in range(1, n + 1):
            for z in range(k):
                yield n, k, z


def choices(this, z, sets):
    """Every set of colluding stations, and every choice of the others."""
    for colluding in itertools.combinations(range(this.n), z):
        honest = [u for u in range(this.n) if u not in colluding]
        for chosen in itertools.product(sets, repeat=len(honest)):
            yield colluding, dict(zip(honest, chosen))


def two_totals(this, z):
    """Whether some choice reveals both totals, and so the vector of client 3."""
    for colluding, sets in choices(this, z, (ALL, FEWER)):
        rows = this.seen(colluding, sets)
        if this.knows(rows, this.total(ALL) + this.total(FEWER)):
            return True
    return False


def check_totals(report, commands):
    found = {False: 0, True: 0}
    for n, k, z in sharings():
        with report.part(f"two totals, n = {n}, k = {k}, z = {z}"):
            possible = two_totals(Round(n, k, z), z)
            found[possible] += 1
            report.equal(possible, 2 * k - n <= z, "two totals can be decoded")
            text = f"collude full stations={z}\nstations {n}\ndrop stations={n - k}\n" \
                   f"client 1-3 via 1-{n}\n".replace("1-1\n", "1\n")
            for protocol in ("aligned", "keys"):
                commands.write("topology", f"protocol {protocol}\n{text}".encode())
                _, said = commands.run("plan", "-q", "topology", "-o", "plan", status=6 if possible else 0)
                report.equal("two totals of one round could be decoded" in said, possible, said)
    report.check(min(found.values()) > 10, f"one-sided: {found}")


def check_silence(report):
    """All stations that send add up the same clients: nothing is revealed, whoever is silent."""
    for n, k, z in sharings():
        with report.part(f"silence, n = {n}, k = {k}, z = {z}"):
            this = Round(n, k, z)
            leaking = [sets for colluding, sets in choices(this, z, (ALL, ()))
                       if this.leak(this.seen(colluding, sets)) > 0]
            report.equal(leaking, [], "silent stations")


def check_smaller(report):
    """One honest station adds up one client less. With spare stations the federator learns the total and
    a symbol more, although no second total can be decoded; without them, a sum that is no total."""
    for n, k, z in sharings():
        with report.part(f"one smaller sum, n = {n}, k = {k}, z = {z}"):
            this, found = Round(n, k, z), set()
            for colluding in itertools.combinations(range(n), z):
                honest = [u for u in range(n) if u not in colluding]
                for other in honest:
                    rows = this.seen(colluding, {u: FEWER if u == other else ALL for u in honest})
                    found.add((this.leak(rows), this.knows(rows, this.total(ALL))))
            report.equal(found, {(1, n > k)}, "symbols that are learnt, and the total")


VECTORS = {i: [7 * i, -i, i * i] for i in range(1, 6)}


def decoded(commands, *arguments, status=0):
    out, _ = commands.run("decode", "-q", "--format", "text", *arguments, status=status)
    return [int(x) for x in out.split()]


def check_attack(report, commands):
    """Stations 1 and 2 add up clients 1 to 5, stations 3 and 4 clients 1 to 4."""
    with report.part("the attack without a plan"):
        for i, vector in VECTORS.items():
            commands.run("share", "-n", 4, "-k", 2, "-z", 1, "--client", i, "--round", 1, "--type", "i4",
                         "--format", "text", "-o", f"station-{{}}/{i}",
                         stdin="".join(f"{x}\n" for x in vector).encode())
        for u in range(1, 5):
            commands.run("aggregate", "--clients", "1-5" if u < 3 else "1-4", "-o", f"sum-{u}",
                         *(f"station-{u}/{i}" for i in VECTORS))
        more, less = decoded(commands, "sum-1", "sum-2"), decoded(commands, "sum-3", "sum-4")
        report.equal([a - b for a, b in zip(more, less)], VECTORS[5], "the difference of two totals")


def check_prevented(report, commands):
    """The same with the plan that has most spare stations: no sums of these can be decoded."""
    with report.part("the attack with a plan"):
        text = "protocol keys\ncollude full clients=1 stations=1\ndrop clients=1 stations={}\nstations 4\n" \
               "client 1-5 via 1-4\n"
        commands.write("two", text.format(2).encode())
        _, said = commands.run("plan", "two", status=6)
        report.check("use drop stations=1 at most, or at least 6 stations" in said, said)
        commands.write("one", text.format(1).encode())
        commands.run("plan", "-q", "one", "-o", "plan")
        for i, vector in VECTORS.items():
            own = ["--plan", "plan", "--client", i, "--round", 1]
            commands.run("keygen", *own, "--length", 3, "-o", f"key-{i}")
            commands.run("share", *own, "--key", f"key-{i}", "--type", "i4", "--format", "text",
                         "-o", f"planned-{{}}/{i}", stdin="".join(f"{x}\n" for x in vector).encode())
        for u in range(1, 5):
            commands.run("aggregate", "--no-state", "--plan", "plan", "--station", u,
                         "--clients", "1-5" if u < 3 else "1-4", "-o", f"sum-{u}",
                         *(f"planned-{u}/{i}" for i in VECTORS))
        for n in range(1, 5):
            for chosen in itertools.combinations(range(1, 5), n):
                agree = chosen[-1] < 3 or chosen[0] > 2
                got = decoded(commands, "--plan", "plan", *(f"sum-{u}" for u in chosen),
                              status=5 if agree else 4)
                report.equal(got, [], f"decoded from stations {chosen}")


def main(bin_dir):
    report = Report()
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, temporary, report)
        check_totals(report, commands)
        check_silence(report)
        check_smaller(report)
        check_attack(report, commands)
        check_prevented(report, commands)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
