"""No array is written to a disk in plain form, not even for a moment: all writes of a round are traced."""

import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

from case import Case

ROUND = """
import sys
import numpy as np
import hagg

plan = hagg.Plan('''
    collude  full clients=1 stations=1
    samples
    stations 4
    client   1-3 via 1-4
    client   4   via 1-3
''')
vectors = np.load(sys.stdin.buffer)
round = hagg.Round(plan, 1, "work", sealed=True)
for i in plan.clients:
    round.share(i, vectors[i - 1], samples=1000 + i)
total = round.total()
assert (total == vectors.sum(axis=0)).all()
"""
LEAKING = ROUND + """
np.save("plain.npy", vectors[0])
"""
# The name of the file, and the data, are hexadecimal. Pipes and files without a name look like this, too.
WRITE = re.compile(r"^(?:\d+ +)?p?writev?\d*\(\d+<(?P<path>[^>]*)>(?:\(deleted\))?, (?P<data>.*)$")


def from_hex(text):
    return bytes.fromhex("".join(re.findall(r"\\x([0-9a-f]{2})", text)))


class Plaintext(Case):
    def files_with(self, script, vectors, needles):
        """The files to which one of the byte strings is written, and the number of traced writes."""
        with open("vectors.in", "wb") as file:
            np.save(file, vectors)
        self.set_environment("HAGG_NO_CONFINEMENT", "1")  # otherwise the commands cannot be traced
        with open("vectors.in", "rb") as file:
            subprocess.run(["strace", "-f", "-y", "-xx", "-s", "1000000", "-o", "trace",
                            "-e", "trace=write,pwrite64,writev,pwritev,pwritev2", sys.executable, "-B", "-c", script],
                           stdin=file, check=True)
        found, n_writes = set(), 0
        for line in pathlib.Path("trace").read_text().splitlines():
            write = WRITE.match(line)
            path = from_hex(write["path"]).decode() if write else ""
            if path.startswith("/") and not path.startswith("/dev/pts/"):
                n_writes += 1
                data = from_hex(write["data"])
                found.update(pathlib.Path(path).name for needle in needles if needle in data)
        return found, n_writes

    def test_writes_of_a_round(self):
        vectors = np.random.default_rng(1).integers(-(2**28), 2**28, (4, 50), dtype="i4")
        parts = [*vectors, vectors.sum(axis=0, dtype="i4")]
        # as the arrays have them, and as elements of the field
        needles = [part[10:14].tobytes() for part in parts]
        needles += [(part[10:14].astype("i8") % (2**31 - 1)).astype("<u4").tobytes() for part in parts]
        needles += [str(1000 + i).encode() + b"\n" for i in range(1, 5)]
        found, n_writes = self.files_with(ROUND, vectors, needles)
        self.assertEqual(found, set())
        # 15 shares, 16 masks, 5 sums and the roster, the plan, the keys and the state
        self.assertGreater(n_writes, 60)
        # the control: a file is found
        shutil.rmtree("work")
        found, _ = self.files_with(LEAKING, vectors, needles)
        self.assertEqual(found, {"plain.npy"})
