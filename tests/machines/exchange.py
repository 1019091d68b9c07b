"""exchange.py VECTORS BIN...: the commands of builds for different machines, each in one directory BIN, give the same bytes
and understand each other's files.

Same bytes: from the same inputs, random sources and state directory, every build makes the same files, and leaves the
same state. Exchange: in a round each node uses another build than its neighbours, in every rotation of the builds, and
the total is the one that NumPy computes. Known answers: hagg-inspect reports the same of the known-answer files, which
are in the directory VECTORS.
"""

import itertools
import os
import shutil
import sys
import tempfile

import numpy as np

from commands import Commands
from hagg_format import write_record
from report import Report

BITS, CLIP = 20, 0.7
TOPOLOGY = f"""field m31
collude full clients=1 stations=2
quantize bits={BITS} clip={CLIP}
stations 5
client 1 2 via 1 2 3 5
client 3 via 1-5
client 4 via 2-5
client 5 via 1 2 4 5
client 6 via 1 2 5
"""
CLIENTS, STATIONS, LENGTH = range(1, 7), range(1, 6), 3001
SEEDS = "with seeds"  # instead of True: a sealed round with seeds
FIELDS = ("m31", "m61", "goldilocks", "gf256", "prime:p=65521", "prime:p=4611686018427387847")


def vector(seed, kind):
    """A type of NumPy, in either byte order; integers are small."""
    values = np.random.default_rng(seed).uniform(-CLIP, CLIP, LENGTH)
    return (values if kind[1] == "f" else np.abs(values) * 100).astype(kind)


def of_client(i, sealed):
    """Doubles in sealed rounds, floats in others; every other client has a big-endian file."""
    return vector(i, "<>"[i % 2] + ("f8" if sealed else "f4"))


def prepare(commands, sealed):
    """Writes vectors, random sources and a plan, and makes the state directory with its secret."""
    for i in CLIENTS:
        np.save(commands.path(f"{i}.npy"), of_client(i, sealed))
    for kind in ("<i2", ">i2", "<u1"):
        np.save(commands.path(f"{kind[1:]}{'be' if kind[0] == '>' else ''}.npy"), vector(7, kind))
    commands.write("random", np.random.default_rng(8).bytes(1 << 20))
    for u in STATIONS:
        commands.write(f"random-{u}", np.random.default_rng(10 + u).bytes(1 << 20))
    commands.seals = sealed
    commands.write_plan("topo", TOPOLOGY + "privacy computational\n" * (sealed == SEEDS))
    commands.run("plan", "--quiet", "topo", "-o", "plan")
    np.save(commands.path("earlier.npy"), of_client(9, sealed))
    commands.run("share", "--plan", "plan", "--client", 1, "--round", 0, "-o", "earlier-{}.cbor", "earlier.npy")


def plain_sharings(commands):
    for n, field in enumerate(FIELDS):
        for name in ("u1",) if field == "gf256" else ("i2", "i2be"):
            commands.run("share", "--field", field, "-n", 5, "-k", 4, "-z", 2, "--random-source", "random",
                         "-o", f"plain-{n}-{name}-{{}}.cbor", f"{name}.npy")
    for rounding in ("nearest", "stochastic"):
        commands.run("share", "-n", 3, "-k", 3, "-z", 2, "--quantize", f"bits=24,clip={CLIP},rounding={rounding}",
                     "--random-source", "random", "-o", f"{rounding}-{{}}.cbor", "2.npy")


def node(commands, tier, number, round_number):
    """The step of a dealer, of a client or of a station."""
    common = ("--plan", "plan", "--round", round_number)
    if tier == "dealer":
        commands.run("keygen", *common, "--station", number, "--length", LENGTH, "--random-source", f"random-{number}",
                     "-o", f"mask-{number}-{{}}.cbor")
    elif tier == "client":
        commands.run("share", *common, "--client", number, "-o", f"share-{number}-{{}}.cbor", f"{number}.npy")
    else:
        received = [name for name in sorted(os.listdir(commands.work_dir))
                    if name.startswith(("mask-", "share-")) and name.endswith(f"-{number}.cbor")]
        commands.run("aggregate", *common, "--station", number, "-o", f"sum-{number}.cbor", *received)


def decode(commands, name):
    commands.run("decode", "--quiet", "--plan", "plan", "-o", name, *(f"sum-{u}.cbor" for u in STATIONS))


NODES = [(tier, number) for tier, numbers in (("dealer", STATIONS), ("client", CLIENTS), ("station", STATIONS))
         for number in numbers]


def files(commands):
    """The content of every file. Only shares are sealed in a way that can be repeated, so masks and sums are opened."""
    found = {}
    for folder, _, names in os.walk(commands.work_dir):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), commands.work_dir)
            opened = commands.identities and path.startswith(("mask-", "sum-"))
            found[path] = ([write_record(r.header, r.payload) for r in commands.records(path)] if opened
                           else commands.read(path))
    return found


def same_bytes(bins, scratch, report, sealed):
    first = Commands(bins[0], os.path.join(scratch, "prepared"), report)
    os.mkdir(first.work_dir)
    prepare(first, sealed)
    made = []
    for n, directory in enumerate(bins):
        work = shutil.copytree(first.work_dir, os.path.join(scratch, f"work-{n}"))
        commands = Commands(directory, work, report)
        commands.identities = first.identities
        if not sealed:
            plain_sharings(commands)
        for tier, number in NODES:
            node(commands, tier, number, 1)
        decode(commands, "total.npy")
        made.append(files(commands))
    for directory, others in zip(bins[1:], made[1:]):
        report.equal(sorted(others), sorted(made[0]), f"{directory}: names of files")
        for name, content in made[0].items():
            report.check(others.get(name) == content, f"{directory}: {name} differs from that of {bins[0]}")


def expected_total(sealed):
    """In the arithmetic of the manual: value / clip * max, to the nearest integer."""
    most = 2 ** (BITS - 1) - 1
    total = sum(np.rint(of_client(i, sealed).astype("f8") / CLIP * most).astype("i8") for i in CLIENTS)
    return total * (CLIP / most)


def exchange(bins, scratch, report, sealed):
    for first in range(len(bins)):
        commands = Commands(bins[first], os.path.join(scratch, f"round-{first}"), report)
        os.mkdir(commands.work_dir)
        prepare(commands, sealed)
        turns = itertools.cycle(bins[first:] + bins[:first])
        for tier, number in NODES:
            commands.bin_dir = next(turns)
            node(commands, tier, number, 1)
        for n, directory in enumerate(bins):
            commands.bin_dir = directory
            decode(commands, f"total-{n}.npy")
            total = np.load(commands.path(f"total-{n}.npy"))
            report.check(np.array_equal(total, expected_total(sealed).astype(total.dtype)), f"{directory}: the total")


def known_answers(vectors, bins, scratch, report):
    """Good and bad files. tests/format compares the report of one build with an independent reader."""
    for kind in ("good", "bad"):
        names = sorted(os.listdir(os.path.join(vectors, kind)))
        said = [Commands(directory, scratch, report).run("inspect", "--json", *(os.path.join(vectors, kind, name)
                                                                               for name in names), status=None)
                for directory in bins]
        report.check(len(said[0][kind == "bad"].splitlines()) >= len(names), f"{kind}: a line for each file")
        for directory, other in zip(bins[1:], said[1:]):
            report.equal(other, said[0], f"{directory}: {kind} files")


def main(vectors, *bins):
    report = Report()
    bins = list(map(os.path.abspath, bins))
    with tempfile.TemporaryDirectory() as scratch, report.part("known answers"):
        known_answers(os.path.abspath(vectors), bins, scratch, report)
    for sealed in (False, True, SEEDS):
        for part in (same_bytes, exchange):
            with tempfile.TemporaryDirectory() as scratch, report.part(f"{part.__name__}, sealed {sealed}"):
                part(bins, scratch, report, sealed)
    return report.end()


sys.exit(main(*sys.argv[1:]))
