"""One round through relays by the real commands, every file checked as in round.py."""

import glob
import os
from fractions import Fraction

from full_round import SECRETS, FullRound
from graph import is_private
from round import Round, raw_records
from sharing import ceil_div


class RelayRound(FullRound):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.secrets = SECRETS if self.topology.full else SECRETS[:1]
        self.counts = {"client": 0, "chain": 0, "relay": 0, "federator": 0}
        self.at_relays = False  # false: checks the stage before the relays

    # What the plan requires.

    def relays_of(self, client, secret):
        place = self.topology.clients[client]
        return tuple(place.relays if secret == "padded" else place.key_relays)

    def group_of(self, client, secret):
        """What distinguishes groups of sums at the relays, besides the secret."""
        return (self.relays_of(client, secret),)

    def is_private(self, clients):
        if not self.topology.full:
            return True
        edges = [tuple(self.group_of(i, s) for s in SECRETS) for i in clients]
        return is_private(edges, self.topology.colluding_clients)

    def route(self, pattern, secret):
        if self.at_relays:
            return [["relay", list(pattern)]]
        relays = next(self.relays_of(i, secret) for i in self.topology.clients
                      if self.stations_of(i, secret) == tuple(pattern))
        return [["station", list(pattern)], ["relay", list(relays)]]

    def ways(self, clients):
        """The routes of sums that stations send: secret, stations, relays."""
        return sorted({(s, self.stations_of(i, s), self.relays_of(i, s))
                       for i in clients for s in self.secrets})

    def on_way(self, way, clients):
        return [i for i in clients
                if (self.stations_of(i, way[0]), self.relays_of(i, way[0])) == way[1:]]

    def groups(self, clients):
        """The groups of sums that relays send: secret, relays."""
        return sorted({(s, *self.group_of(i, s)) for i in clients for s in self.secrets})

    def group_members(self, group, clients):
        return [i for i in clients if self.group_of(i, group[0]) == group[1:]]

    def key_relay(self):
        return min(self.topology.links[self.topology.n_stations])

    # The clients: under partial collusion the key goes to one station in the clear.

    def check_client(self, client):
        (FullRound if self.topology.full else Round).check_client(self, client)

    def check_again(self, client, arguments):
        (FullRound if self.topology.full else Round).check_again(self, client, arguments)

    # Stations and relays.

    def chosen(self, clients):
        everybody = clients == list(self.topology.clients)
        return [] if everybody else ["--clients", ",".join(map(str, clients))]

    def check_share(self, record, members, secret, pattern, index, name):
        """Checks that the record is the sum of the shares with this index, and that its header is
        right."""
        self.check_common(record, members, name)
        self.check_share_header(record, pattern, index, name, secret)
        shares = self.shares if secret == "padded" else self.key_shares
        self.report.check((self.field.vector(record.elements)
                           == self.total(shares[i][index] for i in members)).all(),
                          f"{name}: is not the sum of the shares of {members}")

    def run_station(self, station, clients, tag):
        ways = [way for way in self.ways(clients) if station in way[1]]
        if not ways:
            return
        only = [] if self.topology.full else ["--only", "shares"]
        self.aggregate(f"{tag}-relay-{{}}/from-{station}",
                       ["--plan", "plan", "--station", station, *only, *self.chosen(clients)],
                       self.station_files(station))
        expected = {}
        for secret, stations, relays in ways:
            index = stations.index(station)
            members = self.on_way((secret, stations, relays), clients)
            expected.setdefault(relays[index], []).append((secret, relays, index, members))
        self.at_relays = True
        for relay, wanted in expected.items():
            self.check_sent(f"{tag}-relay-{relay}/from-{station}", station, relay, wanted)
        self.at_relays = False
        found = glob.glob(self.commands.path(f"{tag}-relay-*/from-{station}"))
        self.report.equal(len(found), len(expected), f"station {station}: relays sent to")

    def check_sent(self, name, station, relay, wanted):
        got = []
        for record in self.commands.records(name):
            header, said = record.header, record.header["clients"]
            members = [i for a, b in zip(said[::2], said[1::2]) for i in range(a, b + 1)]
            pattern, index = tuple(header["route"][0][1]), header["scheme"]["index"]
            got.append((header["of"], pattern, index, members))
            self.report.equal((header["from"], header["to"]),
                              (["station", station], ["relay", relay]), f"{name}: from and to")
            self.check_share(record, members, header["of"], pattern, index, name)
            self.counts["relay"] += len(record.elements)
        self.report.equal(sorted(got), sorted(wanted), f"{name}: sums")

    def run_chain(self, clients, tag):
        before = None
        for station in range(1, self.topology.n_stations + 1):
            last = station == self.topology.n_stations
            if not before and not any(self.topology.clients[i].key_station == station for i in clients):
                continue
            name = f"{tag}-relay-{self.key_relay()}/keys" if last else f"{tag}-keys-{station}"
            self.aggregate(f"{tag}-relay-{{}}/keys" if last else name,
                           ["--plan", "plan", "--station", station, "--only", "keys",
                            *self.chosen(clients)],
                           ([before] if before else []) + self.station_files(station))
            self.check_chain(name, station, last, clients)
            before = name

    def check_chain(self, name, station, last, clients):
        members = [i for i in clients if self.topology.clients[i].key_station <= station]
        record, = self.commands.records(name)
        self.check_key_sum(record, members, ["station", station],
                           ["relay", self.key_relay()] if last else ["station", station + 1], name)
        self.counts["relay" if last else "chain"] += len(record.elements)

    def check_key_sum(self, record, members, sender, to, name):
        header = record.header
        self.check_common(record, members, name)
        self.report.equal((header["kind"], header["of"], header["from"], header["to"]),
                          ("vector", "key", sender, to), f"{name}: header")
        self.report.check((self.field.vector(record.elements)
                           == self.total(self.keys[i] for i in members)).all(),
                          f"{name}: is not the sum of the keys")

    def relay_files(self, relay, tag):
        found = glob.glob(self.commands.path(f"{tag}-relay-{relay}/*"))
        return sorted(f"{tag}-relay-{relay}/{os.path.basename(path)}" for path in found)

    def run_relay(self, relay, clients, tag, sums):
        name = f"{tag}-from-{relay}"
        self.aggregate(name, ["--plan", "plan", "--relay", relay, *self.chosen(clients)],
                       self.relay_files(relay, tag))
        records, got = self.commands.records(name), []
        self.at_relays = True
        for record, raw in zip(records, raw_records(self.commands.read(name), records)):
            header = record.header
            self.counts["federator"] += len(record.elements)
            if header["kind"] == "vector":
                self.check_key_sum(record, clients, ["relay", relay], ["federator", 1], name)
                got.append("keys")
                sums["keys"] = raw
                continue
            group = (header["of"], tuple(header["route"][0][1]))
            index = group[1].index(relay)
            got.append(group)
            self.report.equal((header["from"], header["to"]),
                              (["relay", relay], ["federator", 1]), f"{name}: from and to")
            self.check_share(record, self.group_members(group, clients), *group, index, name)
            sums[group, index] = raw
        self.at_relays = False
        wanted = [group for group in self.groups(clients) if relay in group[1]]
        if relay == self.key_relay() and not self.topology.full:
            wanted.append("keys")
        self.report.equal(sorted(got, key=str), sorted(wanted, key=str), f"{name}: groups")
        return name

    def run_nodes(self, clients, tag):
        """Runs all stations, the chain and all relays; returns the records of the sums and the file
        names."""
        for station in range(1, self.topology.n_stations + 1):
            self.run_station(station, clients, tag)
        if not self.topology.full:
            self.run_chain(clients, tag)
        sums = {}
        names = [self.run_relay(relay, clients, tag, sums)
                 for relay in range(1, self.topology.n_relays + 1) if self.relay_files(relay, tag)]
        return sums, names

    def write_subset(self, sums, name, fewer=0):
        keys = sums.pop("keys", b"")
        super().write_subset(sums, name, fewer)
        self.commands.write(name, self.commands.read(name) + keys)

    # What it costs: docs/theory.md section 9, C3.

    def check_counts(self):
        """In whole symbols. The chain begins at the first station with a key."""
        clients, d, full = list(self.keys), self.length, self.topology.full

        def symbols(pattern):
            return len(pattern) * ceil_div(d, self.parameters(len(pattern))[2])

        shares = sum(symbols(self.stations_of(i, s)) for i in clients for s in self.secrets)
        chain = 0 if full else \
            self.topology.n_stations - min(self.topology.clients[i].key_station for i in clients)
        self.report.equal(self.counts, {
            "client": shares + (0 if full else len(clients) * d),
            "chain": chain * d,
            "relay": sum(symbols(way[1]) for way in self.ways(clients)) + (0 if full else d),
            "federator": sum(symbols(group[1]) for group in self.groups(clients)) + (0 if full else d),
        }, "symbols over each kind of link")

    def cost(self):
        """In multiples of a vector whose length all numbers of parts divide."""
        clients = list(self.topology.clients)

        def rate(pattern):
            return Fraction(len(pattern), self.parameters(len(pattern))[2])

        total = sum(rate(self.stations_of(i, s)) for i in clients for s in self.secrets)
        total += sum(rate(way[1]) for way in self.ways(clients))
        total += sum(rate(group[1]) for group in self.groups(clients))
        return total + self.cost_of_keys()

    def cost_of_keys(self):
        """The keys from every client, along the chain, and their total."""
        if self.topology.full:
            return 0
        return len(self.topology.clients) + self.topology.n_stations - self.chain_start() + 2

    def chain_start(self):
        """The first station with a key."""
        return min(client.key_station for client in self.topology.clients.values())
