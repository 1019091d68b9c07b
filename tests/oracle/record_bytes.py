"""Whole rounds of all kinds, run by make: record_bytes.py BIN COUNT [SEED [INDEX]].

hagg-cost predicts the bytes on each kind of link from the plan alone. The sizes of the files, as the system
gives them, must be the same to the byte, and hagg-cost --measure must find them. Then one record becomes one
byte longer, which both must notice.
"""

import collections
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

import hagg_format
from commands import Commands
from identities import KEYS
from report import Report

ROUNDS = (0, 7, 23, 24, 255, 256, 65535, 65536, 2**32, 2**53 - 1)
FIRST_CLIENTS = (1, 1, 20, 250, 65530)
INTEGERS = {"i1": "b", "i2": "<h", "i4": "<i", "i8": "<q", "u1": "B", "u2": "<H", "u4": "<I", "u8": "<Q"}
FLOATS = {"f4": "<f", "f8": "<d"}
SHARED = (("client", "station"), ("station", "station"), ("station", "relay"), ("relay", "relay"),
          ("station", "federator"), ("relay", "federator"))
NAMES = {"clients to stations": SHARED[0], "station to station": SHARED[1], "stations to relays": SHARED[2],
         "relay to relay": SHARED[3], "stations to federator": SHARED[4], "relays to federator": SHARED[5]}

# Lines of a topology, and the numbers of stations and relays. Rounds whose names end in "sealed" have
# identities; others have them at random.
KINDS = {
    "aligned": (["protocol aligned", "collude partial clients=1 stations=1"], 4, 0),
    "aligned full": (["protocol aligned", "collude full clients=1 stations=2"], 5, 0),
    "aligned spare": (["protocol aligned", "collude full stations=1", "drop stations=1"], 5, 0),
    "aligned relays": (["protocol aligned", "collude full clients=1 stations=1"], 4, 3),
    "aligned spare relays": (["protocol aligned", "collude partial stations=1", "drop stations=1 relays=1"], 5, 3),
    "aligned tolerate": (["protocol aligned", "collude full stations=1 tolerate 1/2 at 2"], 5, 0),
    "aligned many": (["protocol aligned", "collude full stations=2"], 26, 0),
    "c1": (["protocol keys", "collude partial clients=1 stations=1"], 4, 0),
    "c1 spare": (["protocol keys", "collude partial stations=1", "drop stations=1"], 5, 0),
    "c1 many": (["protocol keys", "collude partial stations=1"], 25, 0),
    "c2": (["protocol keys", "collude full stations=1"], 3, 0),
    "c3": (["protocol keys", "collude partial stations=1 relays=1"], 4, 4),
    "c3 full": (["protocol keys", "collude full stations=1 relays=1"], 3, 3),
    "transform": (["protocol keys", "transform direct", "collude partial stations=1 relays=1"], 4, 3),
    "transform many": (["protocol keys", "transform direct", "collude partial stations=1 relays=1"], 26, 3),
    "transform full": (["protocol keys", "transform direct", "collude full stations=1 relays=1"], 3, 4),
    "staircase": (["protocol keys", "scheme staircase", "collude partial stations=1", "drop stations=1"], 5, 0),
    "staircase relays": (["protocol keys", "scheme staircase", "collude partial stations=1 relays=1",
                          "drop stations=1 relays=1"], 4, 4),
    "additive": (["protocol keys", "scheme additive", "collude partial stations=1"], 3, 0),
    "seeds sealed": (["protocol aligned", "privacy computational", "collude full stations=2"], 5, 0),
    "key seeds sealed": (["protocol keys", "privacy computational", "collude partial stations=1"], 4, 0),
    "couriers sealed": (["protocol aligned", "fallback computational", "collude full stations=1"], 4, 0),
    "spare couriers sealed": (["protocol aligned", "fallback computational", "collude partial stations=1",
                               "drop stations=1"], 4, 0),
    "key couriers sealed": (["protocol keys", "fallback computational", "collude partial stations=1"], 3, 0),
}


class Case:
    def __init__(self, rng, index):
        self.name = list(KINDS)[index % len(KINDS)]
        self.rng = rng
        lines, n_stations, n_relays = KINDS[self.name]
        self.sealed = self.name.endswith("sealed") or rng.random() < 0.3
        self.round = rng.choice(ROUNDS)
        self.shape = rng.choice(([rng.randint(1, 40)], [rng.randint(1, 5), rng.randint(1, 30)], [2, 3, 1, 4], []))
        self.length = 1
        for dimension in self.shape:
            self.length *= dimension
        self.samples = rng.random() < 0.3
        quantised = rng.random() < 0.5
        self.type = rng.choice(list(FLOATS if quantised and rng.random() < 0.8 else INTEGERS))
        first = rng.choice(FIRST_CLIENTS)
        self.clients = list(range(first, first + rng.randint(4, 9)))
        if rng.random() < 0.5:  # more than one range
            self.clients.remove(self.clients[2])
        self.text = "\n".join(self.lines(lines, n_stations, n_relays, quantised)) + "\n"

    def lines(self, lines, n_stations, n_relays, quantised):
        rng = self.rng
        fewest = n_stations if n_stations < 4 or "relays" in self.name else n_stations - 1
        many = [f"field {rng.choice(('m31', 'm61', 'goldilocks', 'prime:p=1000003', 'm31'))}", *lines]
        if quantised:
            kind = rng.choice(("bits=12", "bits=12", "levels=3", "levels=300", "sign"))
            many.append(f"quantize {kind} clip={rng.choice(('1.0', '0.1', '16'))}"
                        f"{rng.choice(('', ' rounding=stochastic')) if kind != 'sign' else ''}")
        if self.samples:
            many.append("samples")
        if rng.random() < 0.3:
            many.append(f"length {self.length}")
        many.append(f"stations {n_stations}")
        if n_relays:
            many += [f"relays {n_relays}", f"station 1-{n_stations} via 1-{n_relays}"]
        lonely = self.clients[-1] if "couriers" in self.name else None
        for i in self.clients:
            via = rng.sample(range(1, n_stations + 1), 1 if i == lonely else rng.randint(fewest, n_stations))
            many.append(f"client {i} via {' '.join(map(str, sorted(via)))}")
        return many


def write_npy(path, case):
    """A vector as NumPy writes it, but without NumPy."""
    form = {**FLOATS, **INTEGERS}[case.type]
    values = [case.rng.randint(0, 1) * (0.05 if case.type in FLOATS else 1) for _ in range(case.length)]
    shape = "(" + "".join(f"{n}, " for n in case.shape) + ")"
    kind = case.type if case.type[1] == "1" else "<" + case.type
    kind = "|" + kind if case.type[1] == "1" else kind
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
    path.write_bytes(data + b"".join(struct.pack(form, value) for value in values))


def link_of(path):
    """The tiers of the sender and of the receiver of a file, or None if it contains no vector, or did not move."""
    to, name = path.parts[-3], path.name.removesuffix(".cbor")
    if name.startswith(("report", "roster")) or name == f"mask-{to.rpartition('-')[2]}":
        return None
    if name.startswith(("mask", "keys")) or "-via-" in name:
        sender = "station"
    else:
        sender = name.removeprefix("from-").split("-")[0].replace("batch", "client")
    return sender, to.split("-")[0]


class RealRound:
    def __init__(self, case, commands, report):
        self.case, self.commands, self.report = case, commands, report
        self.work = pathlib.Path(commands.work_dir)

    def plan(self):
        """Returns False if there is no private plan."""
        commands = self.commands
        commands.seals = self.case.sealed
        commands.write_plan("topology", self.case.text)
        _, said = commands.run("plan", "--quiet", "-o", "plan", "topology", status=None)
        if commands.exists("plan"):
            return True
        self.report.check("no private plan" in said or "not private" in said, f"hagg-plan: {said}\n{self.case.text}")
        return False

    def options(self):
        return ["--round", self.case.round, "--type", self.case.type, "--shape",
                ",".join(map(str, self.case.shape))]

    def run(self):
        case, commands = self.case, self.commands
        for i in case.clients:
            write_npy(self.work / f"v{i}.npy", case)
            (self.work / f"n{i}.txt").write_text(f"{case.rng.randint(1, 9)}\n", encoding="ascii")
        options = ["--samples", "n{}.txt"] if case.samples else []
        if case.sealed:
            options += ["--identity", KEYS]
        if case.rng.random() < 0.3:
            options += ["--batch", case.rng.randint(1, 4)]
        makefile, _ = commands.run("round", "--emit", "make", "--round", case.round, "--workdir", ".", "--state",
                                   "state", "--vectors", "v{}.npy", *options, "plan")
        (self.work / "Makefile").write_bytes(makefile)
        path = f"{commands.bin_dir}{os.pathsep}{os.environ['PATH']}"
        made = subprocess.run(["make", "-s"], cwd=self.work, env=dict(os.environ, PATH=path), check=False,
                              capture_output=True)
        self.report.check(made.returncode == 0, lambda: f"make: {made.stderr.decode()}")

    def files(self):
        """The files that a node received from another one, and their kinds of link."""
        found = sorted((self.work / f"round-{self.case.round}").glob("*/in/*.cbor"))
        return {path: link_of(path) for path in found if link_of(path)}

    def sizes(self):
        sizes = collections.Counter()
        for path, link in self.files().items():
            sizes[link] += os.stat(path).st_size
        return dict(sizes)

    def predicted(self):
        out, _ = self.commands.run("cost", "--only", "plan", "--format", "json", *self.options(), "plan")
        links = json.loads(out)["protocols"][0]["links"]
        return {NAMES[name]: line["bytes"] for name, line in links.items() if line.get("bytes")}

    def measure(self, status=0):
        return self.commands.run("cost", "--measure", "--plan", "plan", "--format", "json", *self.files(),
                                 status=status)

    def measured(self):
        """Of each kind of link what was sent, if it is what was predicted."""
        sizes = collections.Counter()
        for line in json.loads(self.measure()[0])["links"]:
            self.report.equal(line["predicted_bytes"], line["bytes"], f"predicted for the records: {line}")
            sizes[line["from"], line["to"]] += line["bytes"]
        return dict(sizes)

    def make_longer(self):
        """A file is a byte longer, and then a record is, by an extension that readers ignore."""
        path = self.case.rng.choice(list(self.files()))
        data = path.read_bytes()
        path.write_bytes(data + b"\0")
        self.report.check(self.predicted() != self.sizes(), "a longer file is not noticed")
        path.write_bytes(data)
        if self.case.sealed:
            return
        record = hagg_format.read_stream(data)[0]
        record.header["x-a"] = 0
        longer = hagg_format.write_record(record.header, record.elements)
        path.write_bytes(longer + data[record.len_bytes:])
        _, said = self.measure(status=4)
        want = f"{len(longer)} bytes of "
        if len(hagg_format.read_stream(data)) == 1:
            self.report.check(want in said and f"predicted {record.len_bytes}" in said, f"a longer record: {said}")
        path.write_bytes(data)

    def check(self):
        if not self.plan():
            return False
        self.run()
        sizes = self.sizes()
        self.report.check(sizes, "no files")
        self.report.equal(self.predicted(), sizes, "predicted, and sizes of files")
        self.report.equal(self.measured(), sizes, "measured, and sizes of files")
        self.make_longer()
        return True


def main(bin_dir, count, seed=1, only=None):
    report, n_plans = Report(), 0
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for index in range(int(count)) if only is None else [int(only)]:
        case = Case(random.Random(f"record bytes {seed} {index}"), index)
        with tempfile.TemporaryDirectory(dir=scratch) as work, \
                report.part(f"seed {seed}, case {index}, {case.name}"):
            n_plans += RealRound(case, Commands(bin_dir, work, report), report).check()
    report.check(only or n_plans >= 0.8 * int(count), f"only {n_plans} plans are private")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
