"""Rounds of protocol aligned over random plans: aligned_topologies.py BIN COUNT [SEED [KIND [INDEX]]].

COUNT rounds of each kind of generate_aligned.py, checked as aligned_round.py describes: all clients,
dealers and stations; then any k stations, wrong sums, and fewer clients, dealers and stations.
"""

import os
import random
import sys
import tempfile

from aligned_round import run_round
from commands import Commands
from generate_aligned import KINDS
from report import Report

# From this number of rounds with relays on, every case must have occurred.
ENOUGH = 10


def main(bin_dir, count, seed=20, only_kind=None, only=None):
    report, relays = Report(), []
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for kind in KINDS if only_kind is None else [only_kind]:
        for index in range(int(count)) if only is None else [int(only)]:
            # each kind begins with another field
            field = index + 3 * list(KINDS).index(kind)
            case = KINDS[kind](random.Random(f"{seed} {kind} {index}"), field)
            failed = report.failed
            with tempfile.TemporaryDirectory(dir=scratch) as temporary, \
                    report.part(f"{kind} {index} of seed {seed}"):
                commands = Commands(bin_dir, temporary, report)
                commands.begin(index + list(KINDS).index(kind), case.has_seeds)
                relays += run_round(case, commands, report)
            if report.failed > failed:
                print(f"{report.where}:\n{case.text()}", file=sys.stderr)
    if len(relays) >= ENOUGH:
        check_relays(report, relays)
    return report.end()


def check_relays(report, relays):
    """Relays combined sums in some rounds, passed them on in some, and did both in some."""
    with report.part("relays"):
        report.check(any(n for n, _ in relays), "no relay combines sums")
        report.check(any(n for _, n in relays), "no relay passes sums on")
        report.check(any(a and b for a, b in relays), "relays never do both")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
