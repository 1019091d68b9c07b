"""Flips every bit of a sealed record in turn, and runs hagg-aggregate --station 1 on it and the other files:
flip_bits.py RECORD KEY STATE FILE...

With HAGG_FLIP_STATION, it is another station. Each run must fail with status 3 or 6, and write nothing. With HAGG_FEW_FLIPS=1, only one bit of each byte is
flipped, which one depends on the position.
"""

import collections
import concurrent.futures
import os
import subprocess
import sys

record, key, state, *others = sys.argv[1:]
with open(record, "rb") as file:
    data = file.read()


def run(position):
    changed = bytearray(data)
    changed[position // 8] ^= 1 << position % 8
    line = ["hagg-aggregate", "--station", station, "--identity", key, "--state", state, "-o", f"flip-{position}", "-", *others]
    done = subprocess.run(line, input=changed, capture_output=True, check=False)
    written = bool(done.stdout) or os.path.exists(f"flip-{position}")
    return position, done.returncode, written, done.stderr.decode(errors="replace")


station = os.environ.get("HAGG_FLIP_STATION", "1")
few = os.environ.get("HAGG_FEW_FLIPS") == "1"
positions = [8 * i + i % 8 for i in range(len(data))] if few else range(8 * len(data))
counts = collections.Counter()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for position, status, written, said in pool.map(run, positions):
        counts[status] += 1
        if status not in (3, 6) or written or said.count("\n") != 1:
            print(f"bit {position % 8} of byte {position // 8}: status {status}, output {written}: {said}")
            counts["wrong"] += 1
print(f"{len(positions)} flips: status 3 {counts[3]}, status 6 {counts[6]}")
sys.exit(counts["wrong"] > 0)
