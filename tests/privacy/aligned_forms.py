"""What the commands send in rounds of protocol aligned, as linear forms observed from real records.

The variables are the elements of all vectors and the random elements of all clients and dealers. The
columns of a vector are independent of each other, apart from the chunks of masks, so that one run of each
command shows everything: in column x of each chunk variable x is 1 and all others are 0. In the last
columns all variables are random. There the records must be what the forms give, so that a command that
is not linear, or mixes columns, is found.
"""

import itertools
import os
import random

import numpy

from aligned import Aligned
from hagg_format import write_record
from rank import rank_modulo

N_CHECKED = 4  # columns with random variables


class Plan:
    """clients: {number: stations}. dealers: a list, or None if all clients have the same stations."""

    def __init__(self, p, clients, n_segments, z=1, t=0, full=True, dealers=None, n_stations=None, relays=None):
        self.p, self.clients, self.n_segments = p, clients, n_segments
        self.z, self.t, self.full, self.relays = z, t, full, relays
        self.aligned = Aligned(f"prime:p={p}", clients, z, t, n_segments)
        self.stations = self.aligned.stations
        self.n_stations = n_stations or max(self.stations)
        self.dealers = dealers or []
        self.hidden = (z if full else 0) + t
        self.n_chunks = len(self.dealers) - self.hidden if self.dealers else 1

    def bare(self):
        """Stations that get no masks: those with the most rows that do not deal."""
        others = [u for u in self.stations if u not in self.dealers]
        others.sort(key=lambda u: -len(self.aligned.intervals_of(u)))
        return [] if self.full or not self.dealers else others[: self.z]

    def text(self):
        lines = [f"field prime:p={self.p}", "protocol aligned", "minimum 2", f"stations {self.n_stations}",
                 f"collude {'full' if self.full else 'partial'} stations={self.z}",
                 f"drop stations={self.t}", f"segments {self.n_segments}"]
        lines += ["dealers " + " ".join(map(str, self.dealers))] if self.dealers else []
        if self.relays:
            lines.append(f"relays {max(itertools.chain(*self.relays.values()))}")
            lines += [f"station {u} via {' '.join(map(str, m))}" for u, m in self.relays.items()]
        lines += [f"client {i} via {' '.join(map(str, e))}" for i, e in self.clients.items()]
        return "\n".join(lines) + "\n"


class Variables:
    """The variables of one or several rounds. A name is (kind, owner, tag of its round, ...)."""

    def __init__(self, p, seed=1):
        self.p, self.names, self.rng = p, {}, random.Random(seed)

    def add(self, name):
        return self.names.setdefault(name, len(self.names))

    def table(self, largest):
        """By variable and column its value; those of vectors are integers of this absolute value at most."""
        values = numpy.zeros((len(self.names), len(self.names) + N_CHECKED), dtype="i8")
        values[:, : len(self.names)] = numpy.eye(len(self.names), dtype="i8")
        for name, at in self.names.items():
            low, high = (-largest, largest) if name[0] == "g" else (0, self.p - 1)
            values[at, len(self.names) :] = [self.rng.randint(low, high) for _ in range(N_CHECKED)]
        return values


class Observed:
    """One round. Its records are arrays of rows and columns, by (kind, sender, receiver)."""

    def __init__(self, commands, report, plan, variables, tag="", dealing="", n_chunks=None):
        self.commands, self.report, self.plan, self.variables = commands, report, plan, variables
        self.tag, self.dealing, self.round = tag, dealing, 1 + len(tag)
        self.n_chunks = n_chunks or plan.n_chunks  # of shares
        self.records, self.headers, a = {}, {}, plan.aligned
        self.draws = {i: plan.z * len(a.blocks_of(i)) for i in plan.clients}
        for i in plan.clients:
            for k in range(self.n_chunks):
                for c in range(plan.n_segments):
                    variables.add(("g", ("client", i), tag, c, k))
                for q in range(self.draws[i]):
                    variables.add(("r", ("client", i), tag, q, k))
        for w in plan.dealers:
            for q in range(a.n_draws(plan.bare())):
                variables.add(("r", ("station", w), dealing, q))

    def run(self, stations=True):
        """Clients, dealers and stations, when all variables are known."""
        self.set_values(self.variables.table((self.plan.p - 1) // 2 // len(self.plan.clients)))
        for i in self.plan.clients:
            self.run_client(i)
        for w in self.plan.dealers:
            self.run_dealer(w)
        if stations:
            self.run_stations()

    def set_values(self, values):
        self.values, self.width = values, values.shape[1]
        self.commands.write_plan("plan", self.plan.text())

    def row(self, *name):
        """The values of a variable in all columns of a chunk."""
        return self.values[self.variables.names[name]]

    def check_draws(self, data, tool, *arguments):
        """The command draws all of these bytes: with one less it fails."""
        self.commands.write("source", data[:-1])
        _, said = self.commands.run(tool, *arguments, "--random-source", "source", "-o", "none", status=1)
        self.report.check("source" in said and not self.commands.exists("none"), f"draws less: {said}")

    @staticmethod
    def bytes_of(drawn):
        """Elements have one byte each."""
        return numpy.concatenate(drawn).astype("u1").tobytes() if drawn else b""

    def run_drawing(self, data, tool, *arguments):
        """Runs a command that draws these bytes."""
        self.check_draws(data, tool, *arguments)
        # a source is refused if all its bytes are the same
        self.commands.write("source", data + b"\0\1")
        self.commands.run(tool, *arguments, "--random-source", "source", "-o",
                          f"{self.tag}at-{{}}/{tool}-{arguments[3]}")

    def run_client(self, i):
        client, chunks = ("client", i), range(self.n_chunks)
        vector = [self.row("g", client, self.tag, c, k) for c in range(self.plan.n_segments) for k in chunks]
        numpy.save(self.commands.path(f"{i}.npy"), numpy.concatenate(vector).astype("i2"))
        self.run_drawing(self.drawn_by_client(i), "share", "--plan", "plan", "--client", i, "--round", self.round,
                         f"{i}.npy")
        self.read_shares(i)

    def drawn_by_client(self, i):
        return self.bytes_of([self.row("r", ("client", i), self.tag, q, k)
                              for q in range(self.draws[i]) for k in range(self.n_chunks)])

    def read_shares(self, i):
        self.read("share", ("client", i), [f"{self.tag}at-{u}/share-{i}" for u in self.plan.clients[i]])

    def drawn_by_dealer(self, w):
        n = self.plan.aligned.n_draws(self.plan.bare())
        return self.bytes_of([self.row("r", ("station", w), self.dealing, q) for q in range(n)])

    def run_dealer(self, w):
        self.run_drawing(self.drawn_by_dealer(w), "keygen", "--plan", "plan", "--station", w, "--round", self.round, "--no-state",
                         "--length", self.plan.n_segments * self.plan.n_chunks * self.width)
        masked = [u for u in self.plan.stations if u not in self.plan.bare()]
        self.read("mask", ("station", w), [f"{self.tag}at-{u}/keygen-{w}" for u in masked])

    def files(self, station):
        directory = f"{self.tag}at-{station}"
        return [f"{directory}/{name}" for name in sorted(os.listdir(self.commands.path(directory)))]

    def run_station(self, u, name, *options, status=0):
        return self.commands.run("aggregate", "--plan", "plan", "--station", u, *options, "-o", name,
                                 *self.files(u), status=status)

    def run_stations(self, *options, kind="sum"):
        """kind names the sums, if a station sends several."""
        at_relays = {}
        for u in self.plan.stations:
            name = f"{self.tag}{kind}-{u}"
            self.run_station(u, name, *options)
            self.read(kind, ("station", u), [name])
            if self.plan.relays:
                at_relays.setdefault(self.headers[kind, ("station", u)]["to"][1], []).append(name)
        for relay, names in at_relays.items():
            name = f"{self.tag}{kind}-from-relay-{relay}"
            self.commands.run("aggregate", "--plan", "plan", "--relay", relay, "-o", name, *names)
            for number, record in enumerate(self.commands.records(name)):
                self.keep(record, f"{record.header['kind']} {number}", ("relay", relay), name)

    def read(self, kind, sender, names):
        for name in names:
            record, = self.commands.records(name)
            self.keep(record, kind, sender, name)

    def keep(self, record, kind, sender, name):
        to = tuple(record.header["to"])
        self.report.equal(record.header["from"], list(sender), f"{name}: from")
        width = self.width * (1 if kind == "mask" else self.n_chunks)
        self.records[kind, sender, to] = record.elements.reshape(-1, width).astype("i8")
        self.headers[kind, sender] = record.header
        self.check_linear(self.records[kind, sender, to], name)

    def forms(self, record):
        """The forms of the elements of a record, one after the other: by variable."""
        return record.reshape(-1, self.width)[:, : len(self.variables.names)]

    def check_linear(self, record, what):
        got = record.reshape(-1, self.width)[:, len(self.variables.names) :]
        want = self.forms(record).dot(self.values[:, len(self.variables.names) :]) % self.plan.p
        self.report.check((got == want).all(), f"{what}: is not what its forms give")

    # Stations that do not do what they should

    def sum_of(self, station, clients, dealers):
        """What the station would send: the sum of these shares and masks, with plain arithmetic on the
        records. Row by row, as docs/aligned.md has it."""
        plan, rows = self.plan, []
        for index, (first, _) in enumerate(plan.aligned.intervals_of(station)):
            row = numpy.zeros(self.n_chunks * self.width, dtype="i8")
            for i in clients:
                if station in plan.clients[i]:
                    row += self.records["share", ("client", i), ("station", station)][first // plan.aligned.parts(i)]
            for w in dealers:
                mask = self.records.get(("mask", ("station", w), ("station", station)))
                for k in range(self.n_chunks) if mask is not None else ():
                    factor = plan.dealers.index(w) ** k
                    row[k * self.width : (k + 1) * self.width] += factor * mask[index]
            rows.append(row % plan.p)
        return numpy.array(rows)

    def write_sum(self, station, rows, name):
        """As a record, with the header of the station's real sum."""
        self.commands.write(name, write_record(self.headers["sum", ("station", station)],
                                               rows.reshape(-1).astype("u1")))


class Coalition:
    """What nodes and clients know together: forms, by kind of records."""

    def __init__(self, plan, stations=(), clients=(), federator=False):
        self.plan, self.federator, self.clients = plan, federator, clients
        self.nodes = {("station", u) for u in stations} | {("client", i) for i in clients}
        if federator:
            self.nodes |= {("federator", 1)}
            # any number of relays may collude with the federator
            self.nodes |= {("relay", m) for relays in (plan.relays or {}).values() for m in relays}

    def __str__(self):
        return " ".join(f"{tier} {number}" for tier, number in sorted(self.nodes)) or "nobody"

    def sees(self, observed):
        return [observed.forms(record) for (_, sender, to), record in observed.records.items()
                if sender in self.nodes or to in self.nodes]

    def learns(self, rows, variables, totals=()):
        """The number of symbols that follow from these forms beyond the totals: theory.md, section 10.
        totals: by round, its tag, its clients and its numbers of segments and chunks."""
        hidden = {name: at for name, at in variables.names.items() if name[1] not in self.nodes}
        rows, allowed = numpy.concatenate(rows) if rows else numpy.zeros((0, len(variables.names)), "i8"), 0
        if self.federator:
            for tag, clients, n_segments, n_chunks in totals:
                total = numpy.zeros((n_segments * n_chunks, len(variables.names)), dtype="i8")
                honest = [i for i in clients if i not in self.clients]
                for i in honest:
                    for at, (c, k) in enumerate(itertools.product(range(n_segments), range(n_chunks))):
                        total[at, variables.names["g", ("client", i), tag, c, k]] = 1
                rows = numpy.concatenate([rows, total])
                allowed += len(total) if honest else 0
        noise = [at for name, at in hidden.items() if name[0] == "r"]
        return (rank_modulo(rows[:, list(hidden.values())], variables.p)
                - (rank_modulo(rows[:, noise], variables.p) if noise else 0) - allowed)


def coalitions(plan, sizes=None):
    """All that the plan allows, with clients of these numbers, by default none up to all but two. Smaller sets
    of stations know less than larger ones."""
    numbers = range(len(plan.clients) - 1) if sizes is None else sizes
    for clients in itertools.chain(*(itertools.combinations(plan.clients, n) for n in numbers)):
        for stations in itertools.combinations(plan.stations, min(plan.z, len(plan.stations))):
            yield Coalition(plan, stations, clients, federator=plan.full)
        if not plan.full:
            yield Coalition(plan, (), clients, federator=True)
