"""The round that tests/format/good_aligned.py works out by hand, by the commands: aligned_by_hand.py BIN VECTORS.

The commands draw the numbers of that page. Every record that they write is the one in
VECTORS/good/aligned-round.cbor, apart from the digest of the plan.
"""

import pathlib
import sys
import tempfile

import numpy

import good_aligned
from commands import Commands
from hagg_format import read_stream
from report import Report

PLAN = b"""field prime:p=11
protocol aligned
collude full stations=1
stations 3
segments 2
dealers 1-3
client 1 via 1-3
client 2 via 2 3
"""


def drawing(commands, numbers):
    commands.write("source", bytes(numbers))
    return ["--random-source", "source"]


def run(commands):
    common = ["--plan", "plan", "--round", good_aligned.ROUND]
    commands.write("plan", PLAN)
    for i, vector in good_aligned.VECTORS.items():
        numpy.save(commands.path("vector.npy"), numpy.array(vector, dtype="i1"))
        commands.run("share", *common, "--client", i, *drawing(commands, good_aligned.CLIENT_DRAWS[i]),
                     "-o", f"station-{{}}/client-{i}", "vector.npy")
    for w, draws in good_aligned.DEALER_DRAWS.items():
        commands.run("keygen", *common, "--station", w, "--length", 4, *drawing(commands, draws),
                     "-o", f"station-{{}}/mask-{w}")
    names = [f"station-{u}/client-{i}" for i, shares in good_aligned.SHARES.items() for u in shares]
    names += [f"station-{u}/mask-{w}" for w in good_aligned.MASKS for u in good_aligned.MASKS[w]]
    for u in good_aligned.SUMS:
        own = [name for name in names if name.startswith(f"station-{u}/")]
        commands.run("aggregate", *common, "--station", u, "-o", f"sum-{u}", *own)
    return names + [f"sum-{u}" for u in good_aligned.SUMS]


def main(bin_dir, vectors):
    report = Report()
    wanted = read_stream((pathlib.Path(vectors) / "good" / "aligned-round.cbor").read_bytes())
    with report.part("a round by hand"), tempfile.TemporaryDirectory() as directory:
        commands = Commands(bin_dir, directory, report)
        names = run(commands)
        report.equal(len(names), len(wanted), "number of records")
        for name, want in zip(names, wanted):
            record, = commands.records(name)
            report.equal(record.elements.tolist(), want.elements.tolist(), f"{name}: elements")
            report.equal({**record.header, "plan": want.header["plan"]}, want.header, f"{name}: header")
        commands.run("decode", "--plan", "plan", "-o", "total.npy", *(f"sum-{u}" for u in good_aligned.SUMS))
        report.equal(numpy.load(commands.path("total.npy")).tolist(), good_aligned.TOTAL, "the total")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
