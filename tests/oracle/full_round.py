"""One round under full collusion by the real commands, every file checked as in round.py."""

import glob

from graph import is_private
from round import Round, in_order, raw_records
from sharing import ceil_div

SECRETS = ("padded", "key")


class FullRound(Round):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.key_shares = {}
        if not self.is_private(list(self.topology.clients)):
            self.unsafe = ["--unsafe-plan"]

    # What the topology requires.

    def stations_of(self, client, secret):
        place = self.topology.clients[client]
        return tuple(place.shares if secret == "padded" else place.keys)

    def groups(self, clients):
        return sorted({(s, self.stations_of(i, s)) for i in clients for s in SECRETS})

    def group_members(self, group, clients):
        return [i for i in clients if self.stations_of(i, group[0]) == group[1]]

    def is_private(self, clients):
        edges = [tuple(self.stations_of(i, s) for s in SECRETS) for i in clients]
        return is_private(edges, self.topology.colluding_clients)

    # The clients.

    def check_client(self, client):
        """Both sharings go to the right stations. One decodes to the key, the other minus the key to
        the vector. The key itself is not sent."""
        report = self.report
        found = {int(path.split("-")[-2].split("/")[0])
                 for path in glob.glob(self.commands.path(f"station-*/client-{client}"))}
        lists = {s: self.stations_of(client, s) for s in SECRETS}
        report.equal(found, {*lists["padded"], *lists["key"]}, f"client {client}: stations reached")
        shares, points = {s: {} for s in SECRETS}, {s: {} for s in SECRETS}
        for station in sorted(found):
            name = f"station-{station}/client-{client}"
            for record in self.records(name):
                header, secret = record.header, record.header["of"]
                self.counts["client"] += len(record.elements)
                self.check_common(record, [client], name)
                report.equal((header["from"], header["to"]),
                             (["client", client], ["station", station]), f"{name}: from and to")
                index = lists[secret].index(station)
                self.check_share_header(record, lists[secret], index, name, secret)
                report.check(index not in shares[secret], f"{name}: a second share of {secret}")
                shares[secret][index] = self.field.vector(record.elements)
                points[secret][index] = header["scheme"].get("point")
        for secret in SECRETS:
            if not report.equal(sorted(shares[secret]), list(range(len(lists[secret]))),
                                f"client {client}: shares of {secret}"):
                return
        ordered = {s: [points[s][u] for u in range(len(points[s]))] for s in SECRETS}
        self.shares[client], self.key_shares[client] = shares["padded"], shares["key"]
        self.check_sharing(client, shares["padded"], ordered["padded"])
        report.check((self.check_shares(client, shares["key"], ordered["key"])
                      == self.keys[client]).all(), f"client {client}: shares are of another key")

    def check_again(self, client, arguments):
        name = f"again-{client}"
        self.commands.run("share", *arguments, "--threads", 1, "-o", name)
        before = [self.shares[client][u] for u in range(len(self.shares[client]))]
        before += [self.key_shares[client][u] for u in range(len(self.key_shares[client]))]
        records = in_order(self.records(name))
        self.report.equal(len(records), len(before), f"{name}: records")
        for u, (record, share) in enumerate(zip(records, before)):
            self.report.check((self.field.vector(record.elements) == share).all(),
                              f"{name}: record {u} differs from that of the first time")

    # The stations.

    def station_options(self, clients, station):
        """The options of a station; --unsafe-plan is given only if the plan is not private for exactly
        these clients."""
        options = ["--plan", "plan", "--station", station]
        if clients != list(self.topology.clients):
            options += ["--clients", ",".join(map(str, clients))]
        private = self.topology.protected and self.is_private(clients)
        return options + ([] if private else ["--unsafe-plan"])

    def run_stations(self, clients, tag):
        """The records of the sums by group and index, and the names of the files."""
        sums, names = {}, []
        for station in range(1, self.topology.n_stations + 1):
            if any(station in stations for _, stations in self.groups(clients)):
                names.append(f"{tag}-sums-{station}")
                self.aggregate(names[-1], self.station_options(clients, station),
                               self.station_files(station))
                self.check_sums(names[-1], station, clients, sums)
        return sums, names

    def check_sums(self, name, station, clients, sums):
        records, got = self.commands.records(name), []
        for record, raw in zip(records, raw_records(self.commands.read(name), records)):
            group = (record.header["of"], tuple(record.header["route"][0][1]))
            members, index = self.group_members(group, clients), group[1].index(station)
            got.append(group)
            self.check_common(record, members, name)
            self.check_share_header(record, group[1], index, name, group[0])
            self.report.equal((record.header["from"], record.header["to"]),
                              (["station", station], ["federator", 1]), f"{name}: from and to")
            shares = self.shares if group[0] == "padded" else self.key_shares
            self.report.check((self.field.vector(record.elements)
                               == self.total(shares[i][index] for i in members)).all(),
                              f"{name}: is not the sum of the shares of {group}")
            self.counts["federator"] += len(record.elements)
            sums[group, index] = raw
        self.report.equal(sorted(got), [g for g in self.groups(clients) if station in g[1]],
                          f"{name}: groups")

    def check_counts(self):
        """docs/theory.md section 9, C2, in whole symbols."""
        clients = list(self.keys)

        def symbols(stations):
            return len(stations) * ceil_div(self.length, self.parameters(len(stations))[2])

        self.report.equal(self.counts["client"],
                          sum(symbols(self.stations_of(i, s)) for i in clients for s in SECRETS),
                          "symbols from clients to stations")
        self.report.equal(self.counts["federator"],
                          sum(symbols(stations) for _, stations in self.groups(clients)),
                          "symbols to the federator")

    # The federator.

    def write_subset(self, sums, name, fewer=0):
        chosen = b""
        for at, group in enumerate(sorted({group for group, _ in sums})):
            k, _, _ = self.parameters(len(group[1]))
            for index in self.rng.sample(range(len(group[1])), k - (fewer if at == 0 else 0)):
                chosen += sums[group, index]
        self.commands.write(name, chosen)
