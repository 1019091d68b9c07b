"""One round in which relays have sharings of their own: docs/theory.md section 8, general, in a plan.

Every transfer is compared with the share that it is a share of, every share that a relay makes with the
combination of its transfers, and every sum that it sends with the sum of these shares.
"""

from fractions import Fraction

from relay_round import RelayRound
from resharing import decoding_rows, matrix_times, vector_of
from round import raw_records
from sharing import Sharing, ceil_div, parameters


class TransformRound(RelayRound):
    # What the plan requires.

    def numbers(self, tier, n):
        """(k, z, parts) of a sharing among n stations, or n relays."""
        return parameters(self.topology.scheme, n, *self.topology.tiers[tier])

    def parameters(self, n):
        return self.numbers(int(self.at_relays), n)

    def cut(self, stations):
        return self.numbers(0, len(stations))[2]

    def group_of(self, client, secret):
        """Relays add up sharings with the same relays and the same number of parts before."""
        return self.relays_of(client, secret), self.cut(self.stations_of(client, secret))

    def route(self, pattern, secret):
        return [["relay" if self.at_relays else "station", list(pattern)]]

    def contributors(self, way, present):
        """The indices of the stations that contribute."""
        k = self.numbers(0, len(way[1]))[0]
        return [i for i, u in enumerate(way[1]) if u in present][:k]

    def points(self, n):
        return list(range(1, n + 1)) if self.topology.scheme == "ramp" else [None] * n

    def scheme_said(self, tier, n, index):
        k, z, _ = self.numbers(tier, n)
        said = {"name": self.topology.scheme, "n": n, "k": k, "z": z, "index": index}
        return said if self.topology.scheme != "ramp" else {**said, "point": index + 1}

    def new_length(self, way):
        """The length of a share of one part of the stations' sharing."""
        return ceil_div(ceil_div(self.length, self.cut(way[1])), self.numbers(1, len(way[2]))[2])

    # Stations.

    def run_station(self, station, clients, tag):
        ways = [way for way in self.ways(clients) if station in way[1]]
        if not ways:
            return
        only = [] if self.topology.full else ["--only", "shares"]
        name, got = f"{tag}-sums-{station}", []
        self.aggregate(name, ["--plan", "plan", "--station", station, *only, *self.chosen(clients)],
                       self.station_files(station))
        for record in self.commands.records(name):
            way = self.way_of(record)
            got.append(way)
            self.check_share(record, self.on_way(way, clients), way[0], way[1],
                             way[1].index(station), name)
            self.report.equal((record.header["from"], record.header["to"]),
                              (["station", station], ["station", station]), f"{name}: from and to")
        self.report.equal(sorted(got), ways, f"{name}: sums")
        self.contribute(station, ways, clients, tag)

    def way_of(self, record):
        """The route of a record, by the first of its clients."""
        secret, client = record.header["of"], record.header["clients"][0]
        return secret, self.stations_of(client, secret), self.relays_of(client, secret)

    def contribute(self, station, ways, clients, tag):
        """Runs the step in which the station sends transfers to relays."""
        expected = {(way, relay) for way in ways for relay in way[2]
                    if way[1].index(station) in self.contributors(way, self.present)}
        away = len(self.present) < self.topology.n_stations
        said = ["--from", ",".join(map(str, self.present))] if away or self.rng.random() < 0.2 else []
        _, told = self.commands.run("transform", "--step", "contribute", "--plan", "plan", "--station",
                                    station, *said, "-o", f"{tag}-relay-{{}}/from-{station}",
                                    f"{tag}-sums-{station}")
        self.report.equal("nothing to transform" in told, not expected, f"station {station}: {told}")
        for relay in sorted({relay for _, relay in expected}):
            name = f"{tag}-relay-{relay}/from-{station}"
            for record in self.commands.records(name):
                way = self.way_of(record)
                self.report.check((way, relay) in expected, f"{name}: one transfer more: {way}")
                expected.discard((way, relay))
                self.check_transfer(record, way, station, relay, clients, name)
        self.report.equal(expected, set(), f"station {station}: transfers that lack")

    def check_transfer(self, record, way, station, relay, clients, name):
        header, index = record.header, way[2].index(relay)
        self.check_common(record, self.on_way(way, clients), name)
        self.report.equal(
            (header["kind"], header["route"], header["scheme"], header["source"], header["from"],
             header["to"], header.get("layout")),
            ("transfer", [["relay", list(way[2])]], self.scheme_said(1, len(way[2]), index),
             self.scheme_said(0, len(way[1]), way[1].index(station)), ["station", station],
             ["relay", relay], None), f"{name}: header")
        self.counts["relay"] += len(record.elements)
        self.transfers[way, way[1].index(station), index] = vector_of(self.field, record.elements)

    def check_transfers(self, clients):
        """The transfers of one station are shares of its share; any k of them decode to it."""
        for way in self.ways(clients):
            n = len(way[2])
            k, z, _ = self.numbers(1, n)
            sharing = Sharing(self.field, self.topology.scheme, n, k, z, self.points(n))
            shares = self.shares if way[0] == "padded" else self.key_shares
            for u in self.contributors(way, self.present):
                sent = {m: self.transfers[way, u, m] for m in range(n)}
                secrets = sharing.decode({m: sent[m] for m in self.rng.sample(range(n), k)})
                want = self.total(shares[i][u] for i in self.on_way(way, clients))
                got, rest = sharing.secret(secrets, len(want))
                self.report.check((got == want).all() and not rest.any(),
                                  f"{way}: what station {way[1][u]} shares is not its share")
                self.report.check(all((sharing.share(m, secrets) == sent[m]).all() for m in sent),
                                  f"{way}: station {way[1][u]} shares over no polynomial")

    # Relays.

    def share_of(self, way, index):
        """The share that the relay makes from its transfers."""
        n, taking = len(way[1]), tuple(self.contributors(way, self.present))
        k, z, _ = self.numbers(0, n)
        points = self.points(n)
        rows = decoding_rows(self.topology.field, self.topology.scheme, n, k, z, taking,
                             tuple(points[u] for u in taking))
        return matrix_times(self.field, rows, [self.transfers[way, u, index] for u in taking]).ravel()

    def run_relay(self, relay, clients, tag, sums):
        files, name = self.relay_files(relay, tag), f"{tag}-new-{relay}"
        transfers = [file for file in files if not file.endswith("/keys")]
        keys = [file for file in files if file.endswith("/keys")]
        if transfers:
            self.commands.run("transform", "--step", "finish", "--plan", "plan", "--relay", relay,
                              "-o", name, *transfers)
            self.check_new(name, relay, clients)
        self.aggregate(f"{tag}-from-{relay}", ["--plan", "plan", "--relay", relay, *self.chosen(clients)],
                       keys + [name] * bool(transfers))
        self.check_from_relay(f"{tag}-from-{relay}", relay, clients, sums)
        return f"{tag}-from-{relay}"

    def check_relays_share(self, record, members, group, relay, elements, name):
        header = record.header
        self.check_common(record, members, name)
        self.report.equal((header["kind"], header["route"], header["scheme"], header["layout"]),
                          ("share", [["relay", list(group[1])]],
                           self.scheme_said(1, len(group[1]), group[1].index(relay)), [group[2]]),
                          f"{name}: header")
        self.report.check((vector_of(self.field, record.elements) == elements).all(),
                          f"{name}: {group}: is not what its transfers make")

    def check_new(self, name, relay, clients):
        got = []
        for record in self.commands.records(name):
            way = self.way_of(record)
            got.append(way)
            self.report.equal((record.header.get("from"), record.header["to"]),
                              (["relay", relay] if self.commands.identities else None, ["relay", relay]),
                              f"{name}: from and to")
            self.check_relays_share(record, self.on_way(way, clients), (way[0], way[2], self.cut(way[1])),
                                    relay, self.share_of(way, way[2].index(relay)), name)
        self.report.equal(sorted(got), [way for way in self.ways(clients) if relay in way[2]],
                          f"{name}: shares made")

    def check_from_relay(self, name, relay, clients, sums):
        records, got = self.commands.records(name), []
        for record, raw in zip(records, raw_records(self.commands.read(name), records)):
            header = record.header
            self.counts["federator"] += len(record.elements)
            self.report.equal((header["from"], header["to"]), (["relay", relay], ["federator", 1]),
                              f"{name}: from and to")
            if header["kind"] == "vector":
                self.check_key_sum(record, clients, ["relay", relay], ["federator", 1], name)
                got.append("keys")
                sums["keys"] = raw
                continue
            group = (header["of"], *self.group_of(header["clients"][0], header["of"]))
            index = group[1].index(relay)
            got.append(group)
            merged = [way for way in self.ways(clients)
                      if (way[0], way[2], self.cut(way[1])) == group]
            self.check_relays_share(record, self.group_members(group, clients), group, relay,
                                    self.total(self.share_of(way, index) for way in merged), name)
            sums[group, index] = raw
        wanted = [group for group in self.groups(clients) if relay in group[1]]
        if relay == self.key_relay() and not self.topology.full:
            wanted.append("keys")
        self.report.equal(sorted(got, key=str), sorted(wanted, key=str), f"{name}: groups")

    def run_nodes(self, clients, tag, absent=()):
        """The absent stations have sent nothing and have no keys."""
        self.present = [u for u in range(1, self.topology.n_stations + 1) if u not in absent]
        self.transfers = {}
        for station in self.present:
            self.run_station(station, clients, tag)
        self.check_transfers(clients)
        if not self.topology.full:
            self.run_chain(clients, tag)
        sums = {}
        return sums, [self.run_relay(relay, clients, tag, sums)
                      for relay in range(1, self.topology.n_relays + 1) if self.relay_files(relay, tag)]

    def write_subset(self, sums, name, fewer=0):
        self.at_relays = True
        super().write_subset(sums, name, fewer)
        self.at_relays = False

    # What it costs.

    def check_counts(self):
        clients, d, full = list(self.keys), self.length, self.topology.full
        shares = sum(len(e) * ceil_div(d, self.cut(e))
                     for e in (self.stations_of(i, s) for i in clients for s in self.secrets))
        of_group = {(way[0], way[2], self.cut(way[1])): self.new_length(way) for way in self.ways(clients)}
        self.report.equal(self.counts, {
            "client": shares + (0 if full else len(clients) * d),
            "chain": 0 if full else (self.topology.n_stations - self.chain_start()) * d,
            "relay": (0 if full else d) + sum(
                self.numbers(0, len(way[1]))[0] * len(way[2]) * self.new_length(way)
                for way in self.ways(clients)),
            "federator": (0 if full else d) + sum(
                len(group[1]) * group[2] * length for group, length in of_group.items()),
        }, "symbols over each kind of link")

    def cost(self):
        clients = list(self.topology.clients)
        total = sum(Fraction(len(e), self.cut(e))
                    for e in (self.stations_of(i, s) for i in clients for s in self.secrets))
        for way in self.ways(clients):
            k, _, parts = self.numbers(0, len(way[1]))
            total += Fraction(k * len(way[2]), parts * self.numbers(1, len(way[2]))[2])
        total += sum(Fraction(len(m), self.numbers(1, len(m))[2]) for _, m, _ in self.groups(clients))
        return total + self.cost_of_keys()
