"""Compares the randomness that hagg-cost(1) counts with the random bytes that the commands read: cost_random.py BIN.

The commands read no more random bytes from a pipe than they need, so what they leave there tells how many they read.
"""

import json
import os
import random
import sys
import tempfile

from commands import Commands
from report import Report

ID_BYTES = 16  # a key has an identifier, from the same bytes
SEED_BYTES = 32
PIPE_BYTES = 1 << 15  # fits into a pipe

PLANS = {
    "aligned, partial": """
        length 37
        collude partial stations=1
        stations 5
        client 1 via 1-3
        client 2 via 2-5
        client 3 via 1 4 5
        client 4 via 1-5""",
    "aligned, full, a spare": """
        length 23
        field gf256
        collude full stations=2
        drop stations=1
        stations 6
        client 1-2 via 1-6
        client 3 via 2-6""",
    "aligned, samples, relays": """
        length 12
        samples
        collude partial stations=1
        stations 4
        relays 2
        station 1-4 via 1-2
        client 1 via 1-3
        client 2 via 2-4""",
    "aligned, seeds": """
        length 37
        privacy computational
        collude partial stations=1
        stations 5
        client 1 via 1-3
        client 2 via 2-5
        client 3-4 via 1-5""",
    "keys, partial": """
        length 37
        protocol keys
        collude partial stations=2
        stations 5
        client 1-3 via 1-3
        client 4-5 via 1-5""",
    "keys, staircase, a spare": """
        length 37
        protocol keys
        scheme staircase
        collude partial stations=1
        drop stations=1
        stations 5
        client 1-3 via 1-4
        client 4-5 via 1-5""",
    "keys, full": """
        length 10
        protocol keys
        collude full stations=1
        stations 4
        client 1-3 via 1-3
        client 4-6 via 1-3""",
    "keys, seeds": """
        length 37
        protocol keys
        privacy computational
        collude partial stations=2
        stations 5
        client 1-2 via 1-4
        client 3 via 1-5""",
    "keys, transform": """
        length 25
        protocol keys
        transform direct
        collude partial stations=2 relays=3
        stations 4
        relays 5
        station 1-4 via 1-5
        client 1-2 via 1-3 shares 1-3 relays 1-5
        client 3 via 1-4 shares 1-4 relays 1-5""",
}


class Meter:
    """Runs commands of a round with random bytes from a pipe, and counts those that they read."""

    def __init__(self, commands):
        self.commands, self.rng = commands, random.Random("cost")
        os.mkfifo(commands.path("source"))
        self.pipe = os.open(commands.path("source"), os.O_RDWR | os.O_NONBLOCK)

    def run(self, tool, *arguments, stdin=b""):
        data = self.rng.randbytes(PIPE_BYTES)
        assert os.write(self.pipe, data) == PIPE_BYTES
        self.commands.run(tool, "--random-source", "source", *arguments, stdin=stdin)
        return PIPE_BYTES - len(os.read(self.pipe, PIPE_BYTES))

    def close(self):
        os.close(self.pipe)


def numbers_of(plan, word):
    """The numbers on the lines that begin with the word."""
    found = []
    for line in plan.splitlines():
        words = line.split()
        if words[:1] == [word]:
            first, _, last = words[1].partition("-")
            found += range(int(first), int(last or first) + 1)
    return found


def drawn(line, size):
    """Bytes of a line of the report."""
    return line.get("symbols", 0) * size + line.get("seeds", 0) * SEED_BYTES


class Plan:
    def __init__(self, commands, meter, text):
        self.commands, self.meter = commands, meter
        self.text = "\n".join(line.strip() for line in text.strip().splitlines()) + "\n"
        self.clients = numbers_of(self.text, "client")
        commands.begin(0, has_seeds="computational" in self.text)
        commands.write_plan("plan", self.text)
        report, _ = commands.run("cost", "--format", "json", "--only", "plan", "plan")
        self.cost = json.loads(report)
        self.row, = self.cost["protocols"]
        self.has_keys = "protocol keys" in self.text

    def length(self):
        return self.cost["length"] - ("samples" in self.text)

    def run_client(self, client):
        """Returns the bytes for the key and for the shares."""
        key, key_bytes = [], 0
        if self.has_keys:
            key = ["--key", f"key-{client}"]
            key_bytes = self.meter.run("keygen", "--plan", "plan", "--client", client, "--round", 1,
                                       "-o", f"key-{client}") - ID_BYTES
        samples = ["--samples", 3] if "samples" in self.text else []
        vector = "".join(f"{i % 2}\n" for i in range(self.length())).encode()
        return key_bytes + self.meter.run(
            "share", "--plan", "plan", "--client", client, "--round", 1, *key, *samples, "--type", "u1",
            "--format", "text", "-o", f"station-{{}}-client-{client}", stdin=vector)

    def dealers(self):
        """The stations with masks for others, found by asking all."""
        n = int(next(line.split()[1] for line in self.text.splitlines() if line.startswith("stations")))
        for u in range(1, n + 1):
            _, said = self.commands.run("keygen", "--plan", "plan", "--station", u, "--round", 2,
                                        "-o", f"tried-{u}-{{}}", status=None)
            if not said:
                yield u

    def run_dealer(self, station):
        return self.meter.run("keygen", "--plan", "plan", "--station", station, "--round", 1,
                              "-o", f"masks-{station}-for-{{}}")

    def dealt(self):
        """Elements and seeds of the masks that go to other stations."""
        symbols = seeds = 0
        for name in os.listdir(self.commands.work_dir):
            if name.startswith("masks-"):
                for record in self.commands.records(name):
                    if record.header["from"] != record.header["to"]:
                        is_seed = record.header.get("seed", False)
                        seeds += is_seed
                        symbols += 0 if is_seed else len(record.elements)
        return symbols, seeds

    def run_transfers(self):
        """Stations add up what they got, and share it among the relays."""
        total = 0
        for u in range(1, 5):
            names = [name for name in os.listdir(self.commands.work_dir) if name.startswith(f"station-{u}-")]
            self.commands.run("aggregate", "--plan", "plan", "--only", "shares", "--station", u,
                              "-o", f"sum-{u}", *names)
            total += self.meter.run("transform", "--plan", "plan", "--step", "contribute", "--station", u,
                                    "-o", f"relay-{{}}-{u}", f"sum-{u}")
        return total


def check_plan(report, commands, meter, name):
    plan = Plan(commands, meter, PLANS[name])
    size, row = plan.cost["symbol_bytes"], plan.row
    clients = sum(plan.run_client(client) for client in plan.clients)
    report.equal(clients, drawn(row["drawn"]["clients"], size), f"{name}: bytes drawn by clients")
    report.check(clients > 0, f"{name}: clients draw nothing")
    stations = 0
    if not plan.has_keys:
        stations = sum(plan.run_dealer(u) for u in plan.dealers())
        want = row["dealt"].get("symbols", 0), row["dealt"].get("seeds", 0)
        report.equal(plan.dealt(), want, f"{name}: masks for other stations")
        report.check(stations > 0, f"{name}: no masks")
    elif "transform" in plan.text:
        stations = plan.run_transfers()
        report.check(stations > 0, f"{name}: no transfers")
    report.equal(stations, drawn(row["drawn"].get("stations", {}), size), f"{name}: bytes drawn by stations")


def check_transport(report, commands, meter):
    """One vector, shared among 4 stations, which share it again among 5 relays."""
    out, _ = commands.run("cost", "--clients", 1, "--stations", 4, "--relays", 5, "--length", 41, "--field", "gf256",
                          "--collude", "stations=1,relays=2", "--only", "transport", "--format", "json")
    row, = json.loads(out)["protocols"]
    commands.run("share", "-n", 4, "-k", 4, "-z", 1, "--field", "gf256", "--type", "u1", "--format", "raw",
                 "-o", "holder-{}", stdin=bytes(range(41)))
    total = sum(meter.run("transform", "--step", "contribute", "--method", "transport", "--holders", "1-5", "-k", 5,
                          "-z", 2, "-o", f"new-{{}}-{i}", f"holder-{i}") for i in range(1, 5))
    report.equal(total, row["drawn"]["stations"]["symbols"], "transport: bytes drawn by stations")


def main(bin_dir):
    report = Report()
    for name in [*PLANS, "transport"]:
        with tempfile.TemporaryDirectory() as work, report.part(name):
            commands = Commands(bin_dir, work, report)
            meter = Meter(commands)
            if name == "transport":
                check_transport(report, commands, meter)
            else:
                check_plan(report, commands, meter, name)
            meter.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
