"""Rounds of protocol aligned over random topologies: aligned_topologies.py BIN COUNT [SEED [INDEX]].

Every record that the commands write is compared with the polynomials of aligned.py: shares with the
random bytes that the client had, masks by what they decode to, sums as the sum of both. Then clients drop
out, dealers and stations are missing, and sums are wrong.
"""

import io
import os
import random
import sys
import tempfile

import numpy

from aligned import Aligned, intervals
from commands import Commands
from fields import field_of
from hagg_format import write_record
from report import Report

FIELDS = ("m31", "m61", "goldilocks", "gf256", "prime:p=31", "prime:p=257", "prime:p=65521",
          "prime:p=4611686018427387847")
SOURCE_BYTES = 1 << 16


def ceil_div(a, b):
    return -(-a // b)


def listed(numbers):
    return ",".join(map(str, sorted(numbers)))


class Case:
    """A random plan and vectors."""

    def __init__(self, rng, index):
        self.rng, self.spec = rng, FIELDS[index % len(FIELDS)]
        self.field = field_of(self.spec)
        self.size = next(size for size in (1, 2, 4, 8) if self.field.order <= 256**size)
        while True:
            self.full = rng.random() < 0.5
            self.n_stations = rng.randint(3, 8)
            self.z, self.t = rng.randint(1, 2), rng.choice((0, 0, 1, 2))
            if self.n_stations <= self.z + 2 * self.t:
                continue
            self.clients = {}
            for i in sorted(rng.sample(range(1, 40), rng.randint(3, 6))):
                n = rng.randint(self.z + self.t + 1, self.n_stations)
                self.clients[i] = sorted(rng.sample(range(1, self.n_stations + 1), n))
            used = sorted({u for stations in self.clients.values() for u in stations})
            if len(used) > self.z + 2 * self.t:
                break
        self.n_segments = rng.randint(1, min(12, self.field.order - self.n_stations))
        self.aligned = Aligned(self.spec, self.clients, self.z, self.t, self.n_segments)
        hidden = (self.z if self.full else 0) + self.t
        self.dealers = rng.sample(used, rng.randint(hidden + 1, len(used))) if hidden < len(used) else []
        self.n_chunks = len(self.dealers) - hidden
        self.has_samples = self.field.is_numeric and rng.random() < 0.3
        self.n_elems = rng.choice((1, rng.randint(2, 9), rng.randint(10, 60)))
        self.length = self.n_elems + self.has_samples
        self.row = ceil_div(self.length, self.n_segments)
        self.mask_row = ceil_div(self.row, self.n_chunks)
        most = min(self.field.int_max // len(self.clients), 2**40) if self.field.is_numeric else 255
        self.vectors = {i: [rng.randint(-most if self.field.is_numeric else 0, most)
                            for _ in range(self.n_elems)] for i in self.clients}
        self.samples = {i: rng.randint(0, most) for i in self.clients}

    def text(self):
        lines = [f"field {self.spec}", "protocol aligned", "minimum 2", f"stations {self.n_stations}",
                 f"segments {self.n_segments}", f"drop stations={self.t}",
                 f"collude {'full' if self.full else 'partial'} stations={self.z}",
                 "dealers " + " ".join(map(str, self.dealers))] + ["samples"] * self.has_samples
        lines += [f"client {i} via {' '.join(map(str, e))}" for i, e in self.clients.items()]
        return "\n".join(lines) + "\n"

    def segments(self, client):
        """The vector as elements, cut into rows: by segment and column."""
        values = self.vectors[client] + [self.samples[client]] * self.has_samples
        elements = [x % self.field.order for x in values]
        elements += [0] * (self.row * self.n_segments - len(elements))
        return [elements[c * self.row : (c + 1) * self.row] for c in range(self.n_segments)]


class Round:
    def __init__(self, case, commands, report):
        self.case, self.commands, self.report = case, commands, report
        self.shares, self.masks = {}, {}

    def source(self, name):
        data = self.case.rng.randbytes(SOURCE_BYTES)
        self.commands.write(f"random-{name}", data)
        return ["--random-source", f"random-{name}"], io.BytesIO(data)

    def sample(self, source, n):
        """Elements from random bytes, by rejection: hagg-plugin(3)."""
        order, found = self.case.field.order, []
        bits = (order - 1).bit_length()
        while len(found) < n:
            tried = int.from_bytes(source.read(self.case.size), "little") & ((1 << bits) - 1)
            if tried < order:
                found.append(tried)
        return found

    def rows(self, record, n_columns):
        elements = [int(x) for x in record.elements]
        return [elements[i : i + n_columns] for i in range(0, len(elements), n_columns)] if n_columns else []

    # Clients

    def share(self, client):
        case, a = self.case, self.case.aligned
        dtype = "i8" if case.field.is_numeric else "u1"
        numpy.save(self.commands.path(f"{client}.npy"), numpy.array(case.vectors[client], dtype=dtype))
        option, source = self.source(f"client-{client}")
        samples = ["--samples", case.samples[client]] if case.has_samples else []
        self.commands.run("share", "--plan", "plan", "--client", client, "--round", 7, *samples, *option,
                          "-o", f"station-{{}}/client-{client}", f"{client}.npy")
        segments, values = case.segments(client), {u: [] for u in case.clients[client]}
        for first, end in intervals(case.n_segments, [a.parts(client)]):
            randoms = [self.sample(source, case.row) for _ in range(case.z)]
            columns = [a.block(client, first, end, [segments[c][j] for c in range(first, end)],
                               [r[j] for r in randoms]) for j in range(case.row)]
            for u in values:
                values[u].append([a.polynomials.value(f, a.point(u)) for f in columns])
        self.shares[client] = values
        for u, want in values.items():
            record, = self.commands.records(f"station-{u}/client-{client}")
            self.report.equal(self.rows(record, case.row), want, f"share of client {client} for {u}")
            self.report.equal(record.header["blocks"], [a.parts(client)], "blocks")
        there = sorted(u for u in range(1, case.n_stations + 1)
                       if self.commands.exists(f"station-{u}/client-{client}"))
        self.report.equal(there, case.clients[client], f"stations of client {client}")

    # Dealers

    def deal(self, dealer):
        case, a = self.case, self.case.aligned
        self.commands.run("keygen", "--plan", "plan", "--station", dealer, "--round", 7, "--length",
                          case.n_elems, "-o", f"station-{{}}/mask-{dealer}")
        values = {}
        for u in a.stations:
            values[u] = [[0] * case.mask_row for _ in a.intervals_of(u)]
            if self.commands.exists(f"station-{u}/mask-{dealer}"):
                record, = self.commands.records(f"station-{u}/mask-{dealer}")
                values[u] = self.rows(record, case.mask_row)
                self.report.equal(len(values[u]), len(a.intervals_of(u)), f"rows of the mask for {u}")
        bare = [u for u in a.stations if not self.commands.exists(f"station-{u}/mask-{dealer}")]
        self.report.equal(len(bare), 0 if case.full else min(case.z, len(a.stations) - len(case.dealers)),
                          "stations without a mask")
        for column in range(case.mask_row):
            mask = {u: [row[column] for row in rows] for u, rows in values.items()}
            self.report.check(a.is_mask(mask), f"the mask of {dealer} does not decode to zero")
        self.masks[dealer] = values

    # Stations

    def wanted_sum(self, station, clients, dealers):
        case, a, add = self.case, self.case.aligned, self.case.field.add
        rows = []
        for index, (first, _) in enumerate(a.intervals_of(station)):
            row = [0] * case.row
            for i in clients:
                if station in self.shares[i]:
                    row = list(map(add, row, self.shares[i][station][first // a.parts(i)]))
            for dealer in dealers:
                mask, factor = self.masks[dealer][station][index], 1
                element = case.dealers.index(dealer)
                for chunk in range(case.n_chunks):
                    for j in range(case.mask_row):
                        at = chunk * case.mask_row + j
                        if at < case.row:
                            row[at] = add(row[at], case.field.multiply(factor, mask[j]))
                    factor = case.field.multiply(factor, element)
            rows.append(row)
        return rows

    def add_up(self, tag, clients, dealers, stations):
        case = self.case
        options = [] if clients == list(case.clients) else ["--clients", listed(clients)]
        options += [] if len(dealers) == len(case.dealers) else ["--dealers", listed(dealers)]
        sent = []
        for u in stations:
            files = [f"station-{u}/{name}" for name in os.listdir(self.commands.path(f"station-{u}"))]
            case.rng.shuffle(files)
            empty = not any(u in self.shares[i] for i in clients) and \
                not any(self.commands.exists(f"station-{u}/mask-{d}") for d in dealers)
            self.commands.run("aggregate", "--plan", "plan", "--station", u, "--round", 7, *options,
                              "-o", f"{tag}-{u}", *files, status=5 if empty else 0)
            if empty:
                continue
            sent.append(u)
            record, = self.commands.records(f"{tag}-{u}")
            self.report.equal(self.rows(record, case.row), self.wanted_sum(u, clients, dealers),
                              f"sum of station {u}")
            self.report.equal(record.header["blocks"], case.aligned.counts[u], f"blocks of {u}")
        return sent

    # The federator

    def total(self, clients):
        return [sum(self.case.vectors[i][j] for i in clients) if self.case.field.is_numeric
                else self.xor([self.case.vectors[i][j] for i in clients])
                for j in range(self.case.n_elems)]

    @staticmethod
    def xor(values):
        total = 0
        for x in values:
            total ^= x
        return total

    def decode(self, tag, clients, stations, *options, status=0):
        files = [f"{tag}-{u}" for u in stations]
        self.case.rng.shuffle(files)
        _, said = self.commands.run("decode", "--plan", "plan", *options, "-o", "total.npy", *files,
                                    status=status)
        if status == 0:
            found = [int(x) for x in numpy.load(self.commands.path("total.npy"))]
            self.report.equal(found, self.total(clients), f"total from {stations}")
        return said

    def spoil(self, tag, station):
        """Changes one element of a sum, and its digest with it."""
        record, = self.commands.records(f"{tag}-{station}")
        elements = record.elements.copy()
        at = self.case.rng.randrange(len(elements))
        elements[at] = (int(elements[at]) + 1) % self.case.field.order
        self.commands.write(f"{tag}-{station}", write_record(record.header, elements))

    def check_wrong(self, tag, clients, sent):
        case, n_surplus = self.case, len(sent) - self.case.aligned.k
        if n_surplus == 0 or case.row == 0:
            return
        wrong = case.rng.choice(sent)
        self.spoil(tag, wrong)
        said = self.decode(tag, clients, sent, status=3)
        self.report.check(n_surplus < 2 or f"station {wrong}" in said, f"blames another: {said}")
        if n_surplus >= 2:
            said = self.decode(tag, clients, sent, "--correct")
            self.report.check(f"station {wrong}" in said, f"does not name station {wrong}: {said}")

    def run(self):
        case, a = self.case, self.case.aligned
        self.commands.write("plan", case.text().encode())
        for client in case.clients:
            self.share(client)
        for dealer in case.dealers:
            self.deal(dealer)
        everybody = list(case.clients)
        sent = self.add_up("all", everybody, case.dealers, a.stations)
        self.decode("all", everybody, sent)
        self.decode("all", everybody, case.rng.sample(sent, a.k))
        if case.t:
            self.decode("all", everybody, case.rng.sample(sent, a.k - 1), status=5)
        self.check_wrong("all", everybody, sent)
        self.commands.forget()
        # fewer clients, and as many missing dealers and stations as the plan allows
        some = sorted(case.rng.sample(everybody, case.rng.randint(2, len(everybody) - 1)))
        missing = case.rng.sample(a.stations, case.rng.randint(0, case.t))
        dealers = [d for d in case.dealers if d not in missing]
        stations = [u for u in a.stations if u not in missing]
        sent = self.add_up("some", some, dealers, stations)
        # a station that has nothing to send is as good as missing
        self.decode("some", some, sent, status=0 if len(sent) >= a.k else 5)


def main(bin_dir, count, seed=20, only=None):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for index in range(int(count)):
        if only is not None and index != int(only):
            continue
        case = Case(random.Random(f"{seed} {index}"), index)
        failed = report.failed
        with tempfile.TemporaryDirectory(dir=scratch) as temporary, \
                report.part(f"topology {index} of seed {seed}"):
            Round(case, Commands(bin_dir, temporary, report), report).run()
        if report.failed > failed:
            print(f"{report.where}:\n{case.text()}", file=sys.stderr)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
