"""One round of aggregation by the real commands; every file they write is checked.

Headers are checked against the topology. Values are computed again from the vectors, the keys and the
shares.
"""

import glob
import hashlib
import io
import json
import os
import re

import numpy

from fields import field_of
from quantise import is_allowed
from seeds import expanded, seeds_of
from sharing import Sharing, ceil_div, parameters
from topology import parse

SAMPLED = 300  # elements of a long vector that are checked with fractions


def raw_records(data, records):
    return [data[r.offset : r.offset + r.len_bytes] for r in records]


def in_order(records):
    """Of one stream, in which seeds come first: shares of the vector, shares of the key, then the key."""
    return sorted(records, key=lambda r: (r.header["kind"] != "share", r.header["of"] == "key",
                                          r.header.get("scheme", {}).get("index")))


class Round:
    def __init__(self, case, commands, report, rng):
        self.case, self.commands, self.report, self.rng = case, commands, report, rng
        self.topology = parse(case.text)
        self.unsafe = [] if self.topology.protected else ["--unsafe-plan"]
        self.field = field_of(self.topology.field)
        self.length = case.length + self.topology.samples
        self.keys, self.elements, self.integers, self.shares = {}, {}, {}, {}
        self.counts = {"client": 0, "chain": 0, "federator": 0}
        commands.write_plan("plan", case.text)

    # What the topology requires.

    def pattern(self, client):
        return tuple(self.topology.clients[client].shares)

    def patterns(self, clients):
        return sorted({self.pattern(i) for i in clients})

    def parameters(self, n):
        return parameters(self.topology.scheme, n, self.topology.colluders, self.topology.spares)

    def members(self, pattern, clients):
        return [i for i in clients if self.pattern(i) == pattern]

    def check_common(self, record, clients, what):
        """Checks the fields that all records of the round have, and the clients."""
        h, report = record.header, self.report
        said = h["clients"]
        report.equal([i for a, b in zip(said[::2], said[1::2]) for i in range(a, b + 1)],
                     sorted(clients), f"{what}: clients")
        report.equal(h.get("round"), self.case.round, f"{what}: round")
        report.equal(h["field"], self.topology.field, f"{what}: field")
        report.equal(h["length"], self.length, f"{what}: length")
        report.equal(h.get("samples", False), self.topology.samples, f"{what}: samples")
        report.equal(h["plan"], self.plan_digest, f"{what}: plan")

    def route(self, pattern, secret):
        """The remaining route of shares for this pattern."""
        return [["station", list(pattern)]]

    def check_share_header(self, record, pattern, index, what, secret="padded"):
        h, report, case = record.header, self.report, self.case
        k, z, parts = self.parameters(len(pattern))
        report.equal(h["route"], self.route(pattern, secret), f"{what}: route")
        scheme = {name: h["scheme"][name] for name in ("name", "n", "k", "z", "index")}
        report.equal(scheme, {"name": self.topology.scheme, "n": len(pattern), "k": k, "z": z,
                              "index": index}, f"{what}: scheme")
        is_key = secret == "key"
        report.equal((h["kind"], h["of"], h.get("type"), h.get("shape")),
                     ("share", secret, None if is_key else case.type,
                      None if is_key else list(case.shape)), f"{what}: kind, type, shape")
        quant = self.topology.quant if case.type[0] == "f" and not is_key else None
        report.equal(h.get("quant"), quant and quant.header, f"{what}: quant")
        report.equal(len(record.elements), ceil_div(self.length, parts), f"{what}: elements")

    # Seeds.

    def records(self, name):
        """The records of a file, with the expansions of seeds. Exactly those of the plan are seeds."""
        return [self.expand(record, name) for record in self.commands.records(name)]

    def expand(self, record, name):
        h = record.header
        from_client = h.get("from", ["client"])[0] == "client"  # a client's own key is from nobody
        n, is_seed = self.length, self.topology.computational and from_client
        if h["kind"] == "share":
            _, z, parts = self.parameters(h["scheme"]["n"])
            n, stations = ceil_div(self.length, parts), h["route"][0][1]
            is_seed = is_seed and h["to"][1] in seeds_of(stations, stations, z)
        elif self.topology.full:
            is_seed = False  # a key that is shared
        self.report.equal(h.get("seed", False), is_seed, f"{name}: seed")
        return expanded(record, n)

    # The clients.

    def write_vector(self, client):
        """Writes the vector as .npy, raw numbers or text; returns the arguments that name it."""
        vector, name = self.case.vectors[client], f"vector-{client}"
        form = self.rng.choice(("npy", "npy", "raw", "text")) if vector.ndim == 1 else "npy"
        if form == "npy":
            numpy.save(self.commands.path(name + ".npy"), vector)
            return [name + ".npy"]
        if form == "raw":
            self.commands.write(name, vector.astype(vector.dtype.newbyteorder("<")).tobytes())
            return ["--format", "raw", "--type", self.case.type, name]
        lines = "".join(f"{float(x)!r}\n" if self.case.type[0] == "f" else f"{x}\n" for x in vector)
        self.commands.write(name, lines.encode())
        return ["--format", "text", "--type", self.case.type, name]

    def share_options(self):
        """Further options of every client."""
        return self.unsafe

    def run_client(self, client):
        run, case = self.commands.run, self.case
        own = ["--plan", "plan", "--client", client, "--round", case.round]
        length = [] if self.topology.length else ["--length", case.length]
        key = f"key-{client}"
        run("keygen", *own, *length, "-o", key)
        if self.topology.samples:
            own += ["--samples", case.samples[client]]
        if self.rng.random() < 0.3:
            own += ["--threads", 2]
        own += [*self.share_options(), "--key", key, *self.write_vector(client)]
        run("share", *own, "-o", f"station-{{}}/client-{client}")
        self.check_key(client, key)
        self.check_client(client)
        if self.rng.random() < 0.2:
            self.check_again(client, own)

    def check_key(self, client, name):
        records = self.records(name)
        self.report.equal(len(records), 1, f"{name}: records")
        header = records[0].header
        if not self.keys:
            self.plan_digest = header["plan"]
            self.check_plan_digest()
        self.report.equal((header["kind"], header["of"]), ("vector", "key"), f"{name}: kind")
        self.check_common(records[0], [client], name)
        self.keys[client] = self.field.vector(records[0].elements)

    def check_plan_digest(self):
        """The digest is the SHA-256 of the canonical form, which hagg-plan prints unless it is not private."""
        canonical, _ = self.commands.run("plan", "-q", "--keep", "plan", status=None)
        if canonical:
            self.report.equal(self.plan_digest, hashlib.sha256(canonical).digest(), "digest of the plan")

    def check_client(self, client):
        """The shares go to the right stations, and any k of them decode to vector and key."""
        report, place = self.report, self.topology.clients[client]
        found = {int(path.split("-")[-2].split("/")[0])
                 for path in glob.glob(self.commands.path(f"station-*/client-{client}"))}
        report.equal(found, {*place.shares, place.key_station}, f"client {client}: stations reached")
        shares, points, n_keys = {}, {}, 0
        for station in sorted(found):
            name = f"station-{station}/client-{client}"
            for record in self.records(name):
                header = record.header
                self.counts["client"] += len(record.elements)
                self.check_common(record, [client], name)
                report.equal((header["from"], header["to"]),
                             (["client", client], ["station", station]), f"{name}: from and to")
                if header["kind"] == "vector":
                    n_keys += 1
                    report.equal((station, header["of"]), (place.key_station, "key"), f"{name}: key")
                    report.check((self.field.vector(record.elements) == self.keys[client]).all(),
                                 f"{name}: is not the key of the client")
                    continue
                index = place.shares.index(station)
                self.check_share_header(record, place.shares, index, name)
                report.check(index not in shares, f"{name}: a second share")
                shares[index] = self.field.vector(record.elements)
                points[index] = header["scheme"].get("point")
        report.equal(n_keys, 1, f"client {client}: keys sent")
        if report.equal(sorted(shares), list(range(len(place.shares))), f"client {client}: shares"):
            self.shares[client] = shares
            self.check_sharing(client, shares, [points[u] for u in range(len(shares))])

    def check_sharing(self, client, shares, points):
        padded = self.check_shares(client, shares, points)
        self.elements[client] = self.field.sub(padded, self.keys[client])
        self.integers[client] = self.lifted(self.field.to_ints(self.elements[client]))
        self.check_integers(client)

    def lifted(self, integers):
        """Levels of a vector are from 0; other integers, also the sample count, are as near to 0 as possible."""
        n, quant = self.case.length, self.topology.quant
        levels = quant and quant.levels and self.case.type[0] == "f"
        return [i % self.field.order for i in integers[:n]] + integers[n:] if levels else integers

    def check_shares(self, client, shares, points):
        """The vector that the shares decode to, the same for any k of them."""
        report, n = self.report, len(shares)
        k, z, _ = self.parameters(n)
        if self.topology.scheme == "ramp":
            report.check(len(set(points)) == n and all(0 < p < self.field.order for p in points),
                         f"client {client}: points {points}")
        else:
            report.equal(set(points), {None}, f"client {client}: points")
        sharing = Sharing(self.field, self.topology.scheme, n, k, z, points)
        secrets = sharing.decode({u: shares[u] for u in self.rng.sample(range(n), k)})
        for u in range(n):
            report.check((sharing.share(u, secrets) == shares[u]).all(),
                         f"client {client}: share {u} is not on the polynomial of the others")
        vector, rest = sharing.secret(secrets, self.length)
        report.check(not rest.any(), f"client {client}: is not filled up with zeros")
        return vector

    def check_integers(self, client):
        """The padded values are the vector, quantised if it is of floats, and the sample count."""
        got, vector = self.integers[client], self.case.vectors[client].reshape(-1)
        if self.topology.samples:
            self.report.equal(got[-1], self.case.samples[client], f"client {client}: samples")
        if self.case.type[0] != "f":
            self.report.check(got[: self.case.length] == [int(x) for x in vector],
                              f"client {client}: integers differ from the vector")
            return
        for i in self.sample():
            self.report.check(is_allowed(self.topology.quant, float(vector[i]), got[i]),
                              lambda: f"client {client}: element {i}, {vector[i]!r}, became {got[i]}")

    def sample(self):
        n = self.case.length
        return range(n) if n <= SAMPLED else sorted(self.rng.sample(range(n), SAMPLED))

    def check_again(self, client, arguments):
        """Sharing the same vector again gives the same shares, also with one thread and in one stream."""
        name = f"again-{client}"
        self.commands.run("share", *arguments, "--threads", 1, "-o", name)
        records = in_order(self.records(name))
        self.report.equal([r.header["kind"] for r in records],
                          ["share"] * len(self.pattern(client)) + ["vector"], f"{name}: records")
        for u, record in enumerate(records[:-1]):
            self.report.check((self.field.vector(record.elements) == self.shares[client][u]).all(),
                              f"{name}: share {u} differs from that of the first time")

    # The stations.

    def aggregate(self, output, arguments, files):
        """Passes the files as arguments, or their concatenation through a pipe."""
        if not self.topology.protected and "--unsafe-plan" not in arguments:
            arguments = [*arguments, "--unsafe-plan"]
        if self.rng.random() < 0.3:
            data = b"".join(map(self.commands.read, files))
            self.commands.run("aggregate", *arguments, "-o", output, stdin=data)
        else:
            threads = self.rng.choice(([], [], ["--threads", 2]))
            self.commands.run("aggregate", *arguments, *threads, "-o", output, *files)

    def station_files(self, station):
        files = glob.glob(self.commands.path(f"station-{station}/client-*"))
        return sorted(f"station-{station}/{os.path.basename(path)}" for path in files)

    def run_stations(self, clients, tag):
        """Runs the sums of shares and the chain of keys; returns the records of the sums and the total
        of the keys."""
        sums, before = {}, None
        chosen = ["--clients", ",".join(map(str, clients))] if clients != list(self.keys) else []
        for station in range(1, self.topology.n_stations + 1):
            common = ["--plan", "plan", "--station", station, *chosen]
            files = self.station_files(station)
            if any(station in self.pattern(i) for i in clients):
                name = f"{tag}-sums-{station}"
                self.aggregate(name, common + ["--only", "shares"], files)
                self.check_sums(name, station, clients, sums)
            has_keys = any(self.topology.clients[i].key_station == station for i in clients)
            if before or has_keys:
                name = f"{tag}-keys-{station}"
                self.aggregate(name, common + ["--only", "keys"], ([before] if before else []) + files)
                self.check_keys(name, station, clients)
                before = name
        return sums, before

    def check_sums(self, name, station, clients, sums):
        """The station's sums, one per pattern it is in, are the sums of its shares."""
        records, data = self.commands.records(name), self.commands.read(name)
        expected = [p for p in self.patterns(clients) if station in p]
        got = []
        for record, raw in zip(records, raw_records(data, records)):
            pattern = tuple(record.header["route"][0][1])
            got.append(pattern)
            members = self.members(pattern, clients)
            index = pattern.index(station)
            self.check_common(record, members, name)
            self.check_share_header(record, pattern, index, name)
            self.report.equal((record.header["from"], record.header["to"]),
                              (["station", station], ["federator", 1]), f"{name}: from and to")
            total = self.total(self.shares[i][index] for i in members)
            self.report.check((self.field.vector(record.elements) == total).all(),
                              f"{name}: is not the sum of the shares of {pattern}")
            self.counts["federator"] += len(record.elements)
            sums[pattern, index] = raw
        self.report.equal(sorted(got), expected, f"{name}: patterns")

    def check_keys(self, name, station, clients):
        """The chain so far: the sum of all keys at this station and the stations before it."""
        records, last = self.commands.records(name), station == self.topology.n_stations
        members = [i for i in clients if self.topology.clients[i].key_station <= station]
        if not self.report.equal(len(records), 1, f"{name}: records"):
            return
        header = records[0].header
        self.check_common(records[0], members, name)
        self.report.equal((header["kind"], header["of"], header["from"], header["to"]),
                          ("vector", "key", ["station", station],
                           ["federator", 1] if last else ["station", station + 1]), f"{name}: header")
        self.report.check((self.field.vector(records[0].elements)
                           == self.total(self.keys[i] for i in members)).all(),
                          f"{name}: is not the sum of the keys")
        self.counts["federator" if last else "chain"] += len(records[0].elements)

    def total(self, vectors):
        total = None
        for vector in vectors:
            total = vector if total is None else self.field.add(total, vector)
        return total

    def check_counts(self):
        """docs/theory.md section 9, C1, in whole symbols. The chain begins at the first station with a key."""
        d, clients = self.length, list(self.keys)
        self.costs = dict(self.counts)

        def symbols(pattern):
            return len(pattern) * ceil_div(d, self.parameters(len(pattern))[2])

        first = min(self.topology.clients[i].key_station for i in clients)
        self.report.equal(self.counts["client"],
                          sum(symbols(self.pattern(i)) for i in clients) + len(clients) * d,
                          "symbols from clients to stations")
        self.report.equal(self.counts["chain"], (self.topology.n_stations - first) * d,
                          "symbols from station to station")
        self.report.equal(self.counts["federator"],
                          d + sum(map(symbols, self.patterns(clients))), "symbols to the federator")

    def names_of(self, tag):
        return [name for name in sorted(os.listdir(self.commands.work_dir))
                if name.startswith(f"{tag}-")]

    def measure(self, clients, files, *options):
        """Checks with hagg-cost that the clients, and the other nodes with these files, have sent what
        the plan states; returns the symbols by link. Seeds are counted in another way."""
        if self.topology.computational:
            return None
        if clients != list(self.topology.clients):
            options += "--clients", ",".join(map(str, clients))
        out, _ = self.commands.run("cost", "--measure", "--plan", "plan", "--format", "json", *options,
                                   *self.names_of("station"), *files)
        counts = {}
        for link in json.loads(out)["links"]:
            name = "client" if link["from"] == "client" else \
                "chain" if link["to"] == "station" else link["to"]
            counts[name] = counts.get(name, 0) + link["symbols"]
        return counts

    def check_measured(self):
        """The nodes have sent exactly what was counted here."""
        measured = self.measure(list(self.topology.clients), self.names_of("all"))
        self.report.equal(measured, None if measured is None else
                          {name: n for name, n in self.counts.items() if n > 0}, "symbols measured")

    # The federator.

    def decode(self, files, *options, status=0):
        """The vector that hagg-decode writes, and its messages."""
        out = self.commands.path("out.npy")
        if os.path.exists(out):
            os.unlink(out)
        _, said = self.commands.run("decode", "--plan", "plan", *options, "-o", "out.npy", *files,
                                    status=status)
        self.report.equal(os.path.exists(out), status == 0, f"decode {options}: an output")
        if not os.path.exists(out):
            return None, said
        with open(out, "rb") as file:
            return numpy.load(io.BytesIO(file.read())), said

    def write_subset(self, sums, name, fewer=0):
        """Writes a random k of the shares of each pattern; of one pattern `fewer` less."""
        chosen = b""
        for at, pattern in enumerate(sorted({pattern for pattern, _ in sums})):
            k, _, _ = self.parameters(len(pattern))
            for index in self.rng.sample(range(len(pattern)), k - (fewer if at == 0 else 0)):
                chosen += sums[pattern, index]
        self.commands.write(name, chosen)

    @staticmethod
    def reported_error(said):
        found = re.search(r"the quantisation error is at most ([-+.0-9e]+)", said)
        return found and float(found.group(1))
