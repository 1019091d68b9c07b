"""Runs rounds of a plan with the commands and collects the records that were sent."""

import glob
import io
import os

import numpy

from compare import clients_of, name_of
from seeds import expanded

SOURCE_BYTES = 65536


def listed(numbers):
    return ",".join(map(str, numbers))


class Rounds:
    """Clients share once; stations and relays run once for every choice of present nodes."""

    def __init__(self, plan, commands):
        self.plan, self.commands, self.rng = plan, commands, plan.rng
        self.unsafe = ["--unsafe-plan"]  # most of the plans are not private
        self.secrets, self.sources, self.sent = {}, {}, []
        self.places = {}  # by name of a client's message, the station that got its record
        commands.write_plan("plan", plan.text)
        for client in plan.numbers:
            self.run_client(client)

    def random_source(self, name):
        """The option for a file of random bytes, and these bytes."""
        data = self.rng.randbytes(SOURCE_BYTES)
        self.commands.write(f"random-{name}", data)
        return ["--random-source", f"random-{name}"], data

    def source(self, node, order):
        """The same for a node that shares: order lists the secrets, as (of, clients)."""
        option, data = self.random_source(f"{node[0]}-{node[1]}")
        self.sources[node] = io.BytesIO(data), order
        return option

    def run_client(self, client):
        plan, run = self.plan, self.commands.run
        own = ["--plan", "plan", "--client", client, "--round", 1]
        key = f"key-{client}"
        numpy.save(self.commands.path(f"vector-{client}.npy"),
                   numpy.array(plan.vectors[client], dtype="i8" if plan.is_numeric else "u1"))
        run("keygen", *own, *self.random_source(key)[0], "--length", plan.n_elems, "-o", key)
        source = self.source(("client", client), [("padded", (client,)), ("key", (client,))])
        own += ["--samples", plan.samples[client]] if plan.has_samples else []
        run("share", *own, *self.unsafe, *source, "--key", key, "-o", f"station-{{}}/client-{client}",
            f"vector-{client}.npy")
        self.sort_records(client)
        record = expanded(self.commands.records(key)[0], plan.length)
        self.secrets[client] = {"vector": plan.secret(client), "key": [int(x) for x in record.elements]}

    def sort_records(self, client):
        """Moves each record to the file of its station, and notes in whose file it was."""
        found, commands = {}, self.commands
        for u in range(1, self.plan.n_stations + 1):
            name = f"station-{u}/client-{client}"
            if not commands.exists(name):
                continue
            data = commands.read(name)
            for record in commands.records(name):
                to = record.header["to"][1]
                self.places[name_of(record.header)] = u
                found[to] = found.get(to, b"") + data[record.offset : record.offset + record.len_bytes]
            os.unlink(commands.path(name))
        for to, data in found.items():
            os.makedirs(commands.path(f"station-{to}"), exist_ok=True)
            commands.write(f"station-{to}/client-{client}", data)

    # One choice of present nodes.

    def run_nodes(self, tag, clients, stations, relays, prefixes=False):
        """Runs the nodes, with the clients that take part and the stations and relays that are present. With
        prefixes, nodes send only as much of their shares as those present require."""
        self.tag, self.clients, self.stations, self.relays = tag, clients, stations, relays
        self.present = {"station": self.present_stations() if prefixes else [],
                        "relay": ["--present", listed(relays)]
                        if prefixes and self.plan.relaying == "reshare" else []}
        self.missing = [u for u in range(1, self.plan.n_stations + 1) if u not in stations]
        self.chosen = [] if clients == self.plan.numbers else ["--clients", listed(clients)]
        self.sent = [f"station-{u}/client-{i}" for u in stations for i in clients
                     if self.commands.exists(f"station-{u}/client-{i}")]
        for station in stations:
            self.run_station(station)
        if not self.plan.full:
            self.run_chain()
        for relay in relays:
            self.run_relay(relay)

    def present_stations(self):
        """Stations send whole shares if relays that should pass them on are missing, and to transform them
        they keep whole ones."""
        some_gone = len(self.relays) < self.plan.n_relays
        if self.plan.relaying == "reshare" or (self.plan.relaying == "pass on" and some_gone):
            return []
        return ["--present", listed(self.stations)]

    def records(self):
        """All records sent between nodes that are present."""
        there = {("client", i) for i in self.clients} | {("station", u) for u in self.stations} | \
            {("relay", m) for m in self.relays} | {("federator", 1)}
        return [record for name in self.sent for record in self.commands.records(name)
                if tuple(record.header["to"]) in there]

    def files(self, pattern):
        """The files in random order: sums must not depend on it."""
        found = sorted(glob.glob(self.commands.path(pattern)))
        self.rng.shuffle(found)
        return [os.path.relpath(name, self.commands.work_dir) for name in found]

    def send(self, output, node, *arguments, status=0):
        """Runs hagg-aggregate; its output counts as sent."""
        self.commands.run("aggregate", "--plan", "plan", f"--{node[0]}", node[1], *self.chosen,
                          *self.unsafe, "-o", output, *arguments, status=status)
        self.sent += self.files(output.replace("{}", "*"))

    def station_files(self, station):
        """Also the files of clients that are left out: the station skips them."""
        return self.files(f"station-{station}/client-*")

    def has_shares(self, station):
        return any(station in chosen[i][0] for chosen in self.plan.chosen.values() for i in self.clients)

    def run_station(self, station):
        if not self.has_shares(station):
            return
        only = self.present["station"] + ([] if self.plan.full else ["--only", "shares"])
        files, node = self.station_files(station), ("station", station)
        if self.plan.relaying == "none":
            self.send(f"{self.tag}-from-station-{station}", node, *only, *files)
        elif self.plan.relaying == "pass on":
            self.send(f"{self.tag}-relay-{{}}/station-{station}", node, *only, *files)
        else:
            sums = f"{self.tag}-sums-{station}"
            self.send(sums, node, *only, *files)
            self.sent.remove(sums)  # they are not sent
            self.contribute(station, sums)

    def contribute(self, station, sums):
        """A station that is not needed exits with status 5. If it is needed, the missing transfers are
        noticed later."""
        order = [(r.header["of"], clients_of(r.header)) for r in self.commands.records(sums)]
        source = self.source(("station", station), order)
        those = ["--from", listed(self.stations)] if self.missing or self.present["relay"] else []
        output = f"{self.tag}-relay-{{}}/station-{station}"
        self.commands.run("transform", "--step", "contribute", "--plan", "plan", "--station", station,
                          *those, *source, "-o", output, sums, status=None)
        self.sent += self.files(output.replace("{}", "*"))

    def run_chain(self):
        before = []
        for station in self.stations:
            if not before and not any(self.plan.key_station[i] == station for i in self.clients):
                continue
            options = ["--only", "keys"] + (["--missing", listed(self.missing)] if self.missing else [])
            last = station == self.stations[-1]
            if last and self.plan.n_relays:
                via = [m for m in self.plan.links[station] if m in self.relays]
                if via[0] != self.plan.links[station][0]:
                    options += ["--via", via[0]]
                output = f"{self.tag}-relay-{{}}/keys"
            else:
                output = f"{self.tag}-keys-{station}"
            self.send(output, ("station", station), *options, *before, *self.station_files(station))
            before = [output]

    def run_relay(self, relay):
        files, node = self.files(f"{self.tag}-relay-{relay}/*"), ("relay", relay)
        if self.plan.relaying == "reshare":
            transfers = [name for name in files if not name.endswith("/keys")]
            files = [name for name in files if name.endswith("/keys")]
            if transfers:
                new = f"{self.tag}-new-{relay}"
                self.commands.run("transform", "--step", "finish", "--plan", "plan", "--relay", relay,
                                  "-o", new, *transfers)
                files.append(new)
        # sums without some client are left out, and there may be no others
        lenient = bool(self.missing)
        options = self.present["relay"] + (["--skip-incomplete"] if lenient else [])
        if files:
            self.send(f"{self.tag}-from-relay-{relay}", node, *options, *files,
                      status=None if lenient else 0)
