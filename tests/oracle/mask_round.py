"""One round with masks of stations by the real commands, every file checked as in round.py:
docs/station-masks.md."""

import glob
import os
from fractions import Fraction

import numpy

from round import Round
from sharing import Sharing, ceil_div


def ranges(numbers):
    """As a header has them."""
    found = []
    for number in sorted(numbers):
        if found and found[-1] == number - 1:
            found[-1] = number
        else:
            found += [number, number]
    return found


def xor(identities):
    total = 0
    for identity in identities:
        total ^= int.from_bytes(identity, "big")
    return total.to_bytes(16, "big")


class MaskRound(Round):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.counts = {"client": 0, "chain": 0, "relay": 0, "federator": 0}
        self.masks, self.identities, self.noise, self.totals = {}, {}, {}, {}
        self.plan_digest = None

    # What the plan asks for.

    def way(self, client):
        """Stations and relays, in order of the shares."""
        place = self.topology.clients[client]
        return tuple(place.shares), tuple(place.relays or ())

    def ways(self, clients):
        return sorted({self.way(i) for i in clients})

    def on_way(self, way, clients):
        return [i for i in clients if self.way(i) == way]

    def groups(self, clients):
        """What the federator gets sums of: relays, or stations where there are none."""
        return sorted({way[1] or way[0] for way in self.ways(clients)})

    def is_masked(self):
        """theory.md section 7: one pattern at the federator's needs no mask; but there a station
        that may collude must have one place, section 6."""
        ways = self.ways(self.topology.clients)
        if len(self.groups(self.topology.clients)) > 1:
            return True
        places = {(u, i) for stations, relays in ways if relays for i, u in enumerate(stations)}
        return self.topology.full and self.topology.z > 0 and len({u for u, _ in places}) < len(places)

    def masking(self, clients):
        return sorted({u for stations, _ in self.ways(clients) for u in stations})

    def total_sharing(self):
        n = self.topology.n_stations
        k, z, _ = (n, n - 1, 1) if self.topology.scheme == "additive" else (n, self.topology.z, 0)
        return Sharing(self.field, self.topology.scheme, n, k, z, range(1, n + 1)), k, z

    def route(self, pattern, secret):
        way = next(w for w in self.ways(self.topology.clients) if (w[1] if self.at_relays else w[0]) == tuple(pattern))
        tiers = [["station", list(way[0])]] + [["relay", list(way[1])]] * bool(way[1])
        return tiers[self.at_relays :]

    at_relays = False

    # The clients.

    def run_client(self, client):
        own = ["--plan", "plan", "--client", client, "--round", self.case.round]
        if self.topology.samples:
            own += ["--samples", self.case.samples[client]]
        if self.rng.random() < 0.3:
            own += ["--threads", 2]
        own += self.write_vector(client)
        self.commands.run("share", *own, "-o", f"station-{{}}/client-{client}")
        self.check_client(client)

    def check_client(self, client):
        stations = list(self.way(client)[0])
        shares, points = {}, {}
        found = glob.glob(self.commands.path(f"station-*/client-{client}"))
        self.report.equal(len(found), len(stations), f"client {client}: stations reached")
        for index, station in enumerate(stations):
            name = f"station-{station}/client-{client}"
            record, = self.commands.records(name)
            header = record.header
            self.plan_digest = self.plan_digest or header["plan"]
            self.counts["client"] += len(record.elements)
            self.check_common(record, [client], name)
            self.check_share_header(record, stations, index, name, "plain")
            self.report.equal((header["from"], header["to"]),
                              (["client", client], ["station", station]), f"{name}: from and to")
            shares[index] = self.field.vector(record.elements)
            points[index] = header["scheme"].get("point")
        self.shares[client] = shares
        self.elements[client] = self.check_shares(client, shares, [points[u] for u in range(len(shares))])
        self.integers[client] = self.field.to_ints(self.elements[client])
        self.check_integers(client)

    # The masks.

    def make_masks(self, station, tag):
        length = [] if self.topology.length else ["--length", self.case.length]
        name = f"masks-{tag}/{station}"
        # a directory of their own, for in that of others they would have to mask the same sums
        os.makedirs(self.commands.path(f"masks-{tag}"), exist_ok=True)
        self.commands.run("keygen", "--plan", "plan", "--station", station, "--round", self.case.round,
                          *length, "-o", name)
        records, full = self.commands.records(name), self.topology.full
        ways = [way for way in self.ways(self.topology.clients) if station in way[0]]
        self.report.equal(len(records), len(ways) + full, f"{name}: records")
        got = []
        for record in records[: len(ways)]:
            header = record.header
            way = tuple(tuple(tier[1]) for tier in header["route"]) + ((),) * (len(header["route"]) == 1)
            got.append(way)
            _, _, parts = self.parameters(len(way[0]))
            self.report.equal((header["kind"], header["of"], header["stations"], header["length"],
                               header["scheme"]["index"], len(record.elements)),
                              ("share", "mask", [station, station], self.length,
                               way[0].index(station), ceil_div(self.length, parts)), f"{name}: header")
            self.masks[station, way] = self.field.vector(record.elements)
            self.identities[station, way] = header["masks"]
        self.report.equal(sorted(got), ways, f"{name}: patterns")
        if full:
            sharing, k, _ = self.total_sharing()
            noise = self.field.vector(records[-1].elements)
            self.report.equal(len(noise), (k - sharing.parts) * ceil_div(self.length, sharing.parts), f"{name}: noise")
            self.noise[station] = noise

    def work_out_total(self, station, clients):
        """What the station's masks decode to, pattern by pattern, when the others' are zeros."""
        total = self.field.vector([0] * self.length)
        for way in self.ways(clients):
            if station not in way[0]:
                continue
            n, mask = len(way[0]), self.masks[station, way]
            k, z, _ = self.parameters(n)
            sharing = Sharing(self.field, self.topology.scheme, n, k, z, range(1, n + 1))
            zeros = self.field.sub(mask, mask)
            secrets = sharing.decode({i: mask if u == station else zeros for i, u in enumerate(way[0])})
            total = self.field.add(total, sharing.secret(secrets, self.length)[0])
        return total

    def identity(self, stations, clients):
        return xor([self.identities[u, way] for way in self.ways(clients) for u in way[0] if u in stations]
                   + [bytes(16)])

    # The stations.

    def chosen(self, clients):
        everybody = clients == list(self.topology.clients)
        return [] if everybody else ["--clients", ",".join(map(str, clients))]

    def check_total_header(self, record, clients, stations, sender, to, name):
        header = record.header
        self.check_common(record, clients, name)
        self.report.equal((header["of"], header["stations"], header["masks"], header["from"], header["to"]),
                          ("mask", ranges(stations), self.identity(stations, clients), sender, to),
                          f"{name}: header")

    def onward(self, station):
        """Where what a station sends to the federator goes first, if it is of masks."""
        if self.topology.n_relays:
            return ["relay", min(self.topology.links[station])]
        return ["federator", 1]

    def run_sums(self, station, clients, tag):
        ways = [way for way in self.ways(clients) if station in way[0]]
        masked = self.is_masked()
        output = f"{tag}-relay-{{}}/from-{station}" if self.topology.n_relays else f"{tag}-sums-{station}"
        masks = ["--masks", f"masks-{tag}/{station}", "--only", "shares"] if masked else []
        self.aggregate(output, ["--plan", "plan", "--station", station, *masks, *self.chosen(clients)],
                       self.station_files(station))
        got = []
        for name in glob.glob(self.commands.path(output.replace("{}", "*"))):
            for record in self.commands.records(name):
                got.append(self.check_sum(record, station, clients, masked, name))
        self.report.equal(sorted(got), ways, f"station {station}: patterns")

    def check_sum(self, record, station, clients, masked, name):
        header, n_relays = record.header, self.topology.n_relays
        tail = tuple(header["route"][0][1])
        index = header["scheme"]["index"]
        members = [i for a, b in zip(header["clients"][::2], header["clients"][1::2]) for i in range(a, b + 1)]
        way = self.way(members[0])
        self.check_common(record, self.on_way(way, clients), name)
        self.at_relays = bool(n_relays)
        self.check_share_header(record, tail, index, name, "masked" if masked else "plain")
        self.at_relays = False
        self.report.equal((way[0][index], tail, header["from"], header["to"]),
                          (station, way[1] or way[0], ["station", station],
                           ["relay", way[1][index]] if n_relays else ["federator", 1]), f"{name}: way")
        want = self.total(self.shares[i][index] for i in members)
        if masked:
            want = self.field.add(want, self.masks[station, way])
            self.report.equal((header["stations"], header["masks"]),
                              ([station, station], self.identities[station, way]), f"{name}: masks")
        self.report.check((self.field.vector(record.elements) == want).all(), f"{name}: is not the masked sum")
        self.counts["relay" if n_relays else "federator"] += len(record.elements)
        return way

    def aggregate_masks(self, output, station, arguments, files):
        self.commands.run("aggregate", "--plan", "plan", "--station", station, "--only", "masks",
                          *arguments, "-o", output, *files)

    def run_chain(self, clients, tag):
        """Partial collusion."""
        masking, before, total = self.masking(clients), [], None
        for at, station in enumerate(masking):
            last = at + 1 == len(masking)
            name = f"{tag}-total-{station}"
            if last and self.topology.n_relays:
                name = f"{tag}-relay-{self.onward(station)[1]}/total"
            self.aggregate_masks(name.replace(f"relay-{self.onward(station)[1]}/", "relay-{}/") if last else name,
                                 station, ["--masks", f"masks-{tag}/{station}", *self.chosen(clients)], before)
            record, = self.commands.records(name)
            own = self.work_out_total(station, clients)
            total = own if total is None else self.field.add(total, own)
            self.check_total_header(record, clients, masking[: at + 1], ["station", station],
                                    self.onward(station) if last else ["station", masking[at + 1]], name)
            self.report.equal(record.header["kind"], "vector", f"{name}: kind")
            self.report.check((self.field.vector(record.elements) == total).all(), f"{name}: is not the total")
            kind = "chain" if not last else "relay" if self.topology.n_relays else "federator"
            self.counts[kind] += len(record.elements)
            before = [name]
        return before

    def run_sharing(self, clients, tag):
        """Full collusion: totals are shared among all stations, who add up and send on."""
        masking, names = self.masking(clients), []
        sharing, k, z = self.total_sharing()
        part = ceil_div(self.length, sharing.parts)
        shares = {}
        for station in masking:
            self.aggregate_masks(f"{tag}-for-{{}}/masks-{station}", station,
                                 ["--masks", f"masks-{tag}/{station}", *self.chosen(clients)], [])
            own = self.work_out_total(station, clients)
            filled = numpy.concatenate([own, self.field.vector([0] * (sharing.parts * part - self.length))])
            secrets = [filled[i * part : (i + 1) * part] for i in range(sharing.parts)]
            secrets += [self.noise[station][i * part : (i + 1) * part] for i in range(k - sharing.parts)]
            for u in range(1, self.topology.n_stations + 1):
                name = f"{tag}-for-{u}/masks-{station}"
                record, = self.commands.records(name)
                self.check_total_header(record, clients, [station], ["station", station], ["station", u], name)
                self.report.equal((record.header["kind"], record.header["route"], record.header["scheme"]["index"],
                                   record.header["scheme"]["z"]),
                                  ("share", [["station", list(range(1, self.topology.n_stations + 1))]], u - 1, z),
                                  f"{name}: sharing")
                want = sharing.share(u - 1, secrets)
                self.report.check((self.field.vector(record.elements) == want).all(), f"{name}: is not the share")
                shares.setdefault(u, []).append(want)
                self.counts["chain"] += len(record.elements) if u != station else 0
        for u in range(1, self.topology.n_stations + 1):
            to = self.onward(u)
            name = f"{tag}-relay-{to[1]}/total-{u}" if self.topology.n_relays else f"{tag}-total-{u}"
            self.aggregate_masks(f"{tag}-relay-{{}}/total-{u}" if self.topology.n_relays else name, u,
                                 self.chosen(clients), [f"{tag}-for-{u}/masks-{s}" for s in masking])
            record, = self.commands.records(name)
            self.check_total_header(record, clients, masking, ["station", u], to, name)
            self.report.check((self.field.vector(record.elements) == self.total(shares[u])).all(),
                              f"{name}: is not the sum of the shares")
            self.counts["relay" if self.topology.n_relays else "federator"] += len(record.elements)
            names.append(name)
        return names

    def run_relays(self, clients, tag):
        names = []
        for relay in range(1, self.topology.n_relays + 1):
            files = sorted(glob.glob(self.commands.path(f"{tag}-relay-{relay}/*")))
            if not files:
                continue
            name = f"{tag}-from-{relay}"
            self.aggregate(name, ["--plan", "plan", "--relay", relay, *self.chosen(clients)],
                           [os.path.relpath(path, self.commands.work_dir) for path in files])
            for record in self.commands.records(name):
                self.counts["federator"] += len(record.elements)
                self.report.equal((record.header["from"], record.header["to"]),
                                  (["relay", relay], ["federator", 1]), f"{name}: from and to")
                if record.header["of"] != "mask":
                    self.check_merged(record, clients, name)
            names.append(name)
        return names

    def check_merged(self, record, clients, name):
        header = record.header
        relays, index = tuple(header["route"][0][1]), header["scheme"]["index"]
        ways = [way for way in self.ways(clients) if way[1] == relays]
        members = [i for i in clients if self.way(i) in ways]
        self.check_common(record, members, name)
        want = self.total(self.shares[i][index] for i in members)
        if self.is_masked():
            want = self.field.add(want, self.total(self.masks[way[0][index], way] for way in ways))
            self.report.equal((header["stations"], header["masks"]),
                              (ranges({way[0][index] for way in ways}),
                               xor([self.identities[way[0][index], way] for way in ways])), f"{name}: masks")
        self.report.check((self.field.vector(record.elements) == want).all(), f"{name}: is not the merged sum")

    def run_nodes(self, clients, tag):
        """All stations and relays; the files for the federator."""
        masked, totals = self.is_masked(), []
        for station in self.masking(self.topology.clients) if masked else []:
            self.make_masks(station, tag)
        for station in self.masking(clients):
            self.run_sums(station, clients, tag)
        if masked:
            totals = self.run_sharing(clients, tag) if self.topology.full else self.run_chain(clients, tag)
        if self.topology.n_relays:
            return self.run_relays(clients, tag)
        return [f"{tag}-sums-{u}" for u in self.masking(clients)] + totals

    # What it costs: theory.md section 7.

    def cost(self, measure):
        """By link. measure(n, parts) is what n shares of a vector in so many parts cost."""
        everybody, n_stations = list(self.topology.clients), self.topology.n_stations

        def of(pattern):
            return measure(len(pattern), self.parameters(len(pattern))[2])

        n_masking = len(self.masking(everybody)) if self.is_masked() else 0
        chain, total = measure(max(n_masking - 1, 0), 1), measure(min(n_masking, 1), 1)
        if self.topology.full:
            parts = self.total_sharing()[0].parts
            chain, total = measure(n_masking * (n_stations - 1), parts), measure(n_stations * bool(n_masking), parts)
        cost = {"client": sum(of(self.way(i)[0]) for i in everybody), "chain": chain, "relay": 0,
                "federator": sum(map(of, self.groups(everybody))) + total}
        if self.topology.n_relays:
            cost["relay"] = sum(of(way[0]) for way in self.ways(everybody)) + total
        return cost

    def check_counts(self):
        self.report.equal(self.counts, self.cost(lambda n, parts: n * ceil_div(self.length, parts)),
                          "symbols over each kind of link")

    def multiples(self):
        return sum(self.cost(Fraction).values())
