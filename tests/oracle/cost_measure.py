"""Rounds of protocol aligned with missing nodes, measured: cost_measure.py BIN COUNT [SEED [INDEX]].

The commands run a round of a random topology without some clients, dealers, stations and relays. What
hagg-cost --measure counts and what it predicts must both be the messages of cost_aligned.py between the
nodes that were present. Then a file is lost, or added, and the difference must be found.
"""

import json
import os
import random
import shutil
import sys
import tempfile
from fractions import Fraction

from commands import Commands
from cost import parse, symbol_bytes
from cost_aligned import AlignedCase, AlignedModel
from cost_model import Network
from prices import Prices
from report import Report
from topology import numbers

ROUND = 3


def listed(nodes):
    return ",".join(map(str, sorted(nodes)))


class MeasuredRound:
    def __init__(self, rng, index, commands, report):
        self.rng, self.commands, self.report = rng, commands, report
        text = AlignedCase(rng, index).text
        self.t, drop_clients, lines = parse(text)
        self.length = self.t.length or rng.choice((1, rng.randint(2, 9), rng.randint(10, 70)))
        own = random.Random(f"prices of {text}")
        self.prices = Prices(own, self.t.n_stations, self.t.n_relays) if index % 2 else None
        commands.write("plan", "\n".join([text, *self.prices.lines] if self.prices else [text]).encode())
        for folder in ("sums", "relayed"):
            os.makedirs(commands.path(f"sent/{folder}"))
        self.net = Network(self.t, drop_clients, self.length)
        if not self.t.length:
            self.net.known_length = 0  # the plan does not know it
        given = {}
        if "segments" in lines:
            given["segments"] = int(lines["segments"][0])
        if "dealers" in lines:
            given["dealers"] = numbers(list(lines["dealers"]))
        self.model = AlignedModel(self.net, {i: c.shares for i, c in self.t.clients.items()}, self.t.full,
                                  **given)
        self.choose_missing(drop_clients)

    def choose_missing(self, drop_clients):
        rng, model = self.rng, self.model
        everybody = list(self.t.clients)
        most = min(len(everybody) - self.t.minimum, drop_clients or len(everybody))
        self.clients = sorted(rng.sample(everybody, len(everybody) - rng.randint(0, most)))
        self.missing = set(rng.sample(model.used, rng.choice((self.t.drop, rng.randint(0, self.t.drop)))))
        # a station may have failed before the round, or after it has received everything
        self.deaf = {u for u in self.missing if rng.random() < 0.5}
        self.dealers = [u for u in model.dealers if u not in self.missing]
        self.missing_relays = set(rng.sample(range(1, self.t.n_relays + 1), rng.randint(0, self.t.n_relays)))
        if rng.random() < 0.5:
            self.missing_relays = set()

        self.relays, self.usual_relays = {}, {}
        if self.t.n_relays:
            self.relays, _ = model.choose_relays(self.missing, self.missing_relays)
            self.usual_relays, _ = model.choose_relays()

    def is_cut_off(self, station):
        return self.t.n_relays > 0 and station not in self.relays

    # What is sent

    def expected(self):
        """By sender's tier, receiver's tier and content: records and symbols."""
        counts = {}
        for sender, to, _, symbols in self.model.messages():
            if not self.is_sent(sender, to):
                continue
            what = "masks" if sender[0] == to[0] == "station" else "vectors"
            line = counts.setdefault((sender[0], to[0], what), [0, 0])
            line[0] += 1
            line[1] += symbols
        return counts

    def check_prices(self, got):
        """What was sent to stations costs what its messages cost, and everything what was predicted."""
        size, sent = symbol_bytes(self.t.field), {}
        for message in self.model.messages():
            if message[1][0] == "station" and self.is_sent(*message[:2]):
                sent.setdefault(message[0][0], []).append(message)
        found = {x["from"]: Fraction(x["symbol_price"]) for x in got["links"] if x["to"] == "station"}
        self.report.equal(found, {tier: self.prices.symbol_price(messages, size) for tier, messages in sent.items()},
                          "prices")
        for x in (*got["links"], got["in_all"]):
            self.report.equal(x["symbol_price"], x["predicted_symbol_price"], f"prices of {x}")

    def is_sent(self, sender, to):
        if sender[0] == "client":
            return sender[1] in self.clients and to[1] not in self.deaf
        if to[0] == "station":
            return sender[1] in self.dealers and to[1] not in self.deaf
        return True  # sums: see below

    def expected_sums(self, counts):
        """Sums of the stations that are present and, with relays, have one that is present."""
        for line in [key for key in counts if key[0] != "client" and key[1] != "station"]:
            del counts[line]
        symbols = {sender[1]: n for sender, to, _, n in self.model.messages()
                   if sender[0] == "station" and to[0] != "station"}
        sent = [u for u in symbols if u in self.sums]
        if sent:
            to = "relay" if self.t.n_relays else "federator"
            counts["station", to, "vectors"] = [len(sent), sum(symbols[u] for u in sent)]
        for relay in {self.relays[u] for u in sent if self.relays}:
            received = [u for u in sent if self.relays[u] == relay]
            combines = len(self.missing) == self.t.drop and \
                sum(self.model.rows[u] for u in received) > self.model.segments
            line = counts.setdefault(("relay", "federator", "vectors"), [0, 0])
            line[0] += 1 if combines else len(received)
            line[1] += self.net.length if combines else sum(symbols[u] for u in received)
        return counts

    def share(self, client):
        samples = ["--samples", self.rng.randint(0, 1)] if self.t.samples else []
        vector = "\n".join(str(self.rng.randint(0, 1)) for _ in range(self.length)).encode()
        self.commands.run("share", "--plan", "plan", "--client", client, "--round", ROUND, "--type", "u1",
                          "--format", "text", *samples, "-o", f"sent/station-{{}}/client-{client}", "-",
                          stdin=vector)

    def add_up(self, station):
        """Returns False if the station has nothing to send."""
        relay = self.relays.get(station)
        folder = f"sent/station-{station}"
        files = [f"{folder}/{name}" for name in sorted(os.listdir(self.commands.path(folder)))] \
            if self.commands.exists(folder) else []
        if not any(self.belongs(file) for file in files):
            return False
        options = [] if len(self.clients) == len(self.t.clients) else ["--clients", listed(self.clients)]
        options += [] if len(self.dealers) == len(self.model.dealers) else ["--dealers", listed(self.dealers)]
        options += ["--via", relay] if relay and relay != self.usual_relays[station] else []
        self.commands.run("aggregate", "--plan", "plan", "--station", station, "--round", ROUND, *options, "-o",
                          f"sent/sums/{station}", *files)
        return True

    def pass_on(self, relay):
        files = [f"sent/sums/{u}" for u in self.sums if self.relays[u] == relay]
        options = ["--missing", listed(self.missing)] if self.missing else []
        self.commands.run("aggregate", "--plan", "plan", "--relay", relay, "--round", ROUND, *options, "-o",
                          f"sent/relayed/{relay}", *files)

    def belongs(self, file):
        """True if the file is a mask or a share of a client that takes part."""
        kind, number = os.path.basename(file).split("-")
        return kind == "mask" or int(number) in self.clients

    def run(self):
        for dealer in self.dealers:
            self.commands.run("keygen", "--plan", "plan", "--station", dealer, "--round", ROUND, "--length",
                              self.length, "-o", f"sent/station-{{}}/mask-{dealer}")
        for client in self.t.clients:
            self.share(client)
        self.sums = []
        for u in self.model.used:
            if u not in self.missing and not self.is_cut_off(u) and self.add_up(u):
                self.sums.append(u)
        for relay in sorted({self.relays[u] for u in self.sums if self.relays}):
            self.pass_on(relay)
        for u in self.deaf:
            shutil.rmtree(self.commands.path(f"sent/station-{u}"), ignore_errors=True)

    # What is measured

    def measure(self, status=0):
        without = [f"stations={listed(self.missing)}"] if self.missing else []
        without += [f"relays={listed(self.missing_relays)}"] if self.missing_relays else []
        options = ["--without", ",".join(without)] if without else []
        if len(self.clients) < len(self.t.clients):
            options += ["--clients", listed(self.clients)]
        out, _ = self.commands.run("cost", "--measure", "--plan", "plan", "--format", "json", *options, "sent",
                                   status=status)
        return json.loads(out) if out else None

    def silent(self):
        """Stations that should have sent a sum but had nothing to add up."""
        return [u for u in self.model.used if u not in self.sums and u not in self.missing
                and not self.is_cut_off(u)]

    def check(self):
        self.run()
        want = self.expected_sums(self.expected())
        silent = self.silent()
        got = self.measure(status=4 if silent else 0)
        if not got:
            return
        sent = {(x["from"], x["to"], x["carries"]): [x["records"], x["symbols"]] for x in got["links"]
                if x["records"]}
        predicted = {(x["from"], x["to"], x["carries"]): [x["predicted_records"], x["predicted_symbols"]]
                     for x in got["links"] if x["predicted_records"]}
        self.report.equal(sent, want, "sent")
        if silent:
            return  # a bare station without clients sends nothing, and the measurement says so
        self.report.equal(predicted, want, "predicted")
        if self.prices:
            self.check_prices(got)
        self.report.equal(got["differences"], [], "differences")
        self.lose_one()

    def lose_one(self):
        """A message that was certainly sent is missing."""
        certain = [f"sent/station-{u}/client-{i}" for i in self.clients
                   for u in self.model.sets[i] if u not in self.missing]
        certain += [f"sent/station-{u}/mask-{w}" for w in self.dealers for u in self.model.used
                    if u not in self.model.bare and u not in self.missing and u != w]
        if not self.missing_relays and not (self.t.n_relays and self.missing):
            standing_by = self.model.standing_by(self.missing) if self.model.has_stand_by() else ()
            certain += [f"sent/sums/{u}" for u in self.sums if u not in standing_by]
            certain += [f"sent/relayed/{m}" for m in set(self.relays.values())]
        name = self.rng.choice(certain)
        data = self.commands.read(name)
        os.unlink(self.commands.path(name))
        got = self.measure(status=4)
        self.report.equal(len(got["differences"]), 1, f"differences without {name}")
        self.commands.write(name, data)
        self.measure()


def main(bin_dir, count, seed=1, only=None):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for index in range(int(count)) if only is None else [int(only)]:
        rng = random.Random(f"measure {seed} {index}")
        with tempfile.TemporaryDirectory(dir=scratch) as work, report.part(f"seed {seed}, case {index}"):
            MeasuredRound(rng, index, Commands(bin_dir, work, report), report).check()
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
