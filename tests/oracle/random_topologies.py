"""Rounds over random topologies: random_topologies.py BIN COUNT [SEED [INDEX]]."""

import os
import random
import sys
import tempfile

from commands import Commands
from generate import Case
from report import Report
from seeds import LINE, has_seeds
from whole_round import run_round

LONG = ("m31", "gf256")  # one case each with vectors of several tiles and blocks


def main(bin_dir, count, seed=20240601, only=None):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        commands = Commands(bin_dir, os.path.join(temporary, "round"), report)
        for index in range(int(count)):
            if only is not None and index != int(only):
                continue
            rng = random.Random(f"{seed} {index}")
            first_long = int(count) - len(LONG)
            case = Case(rng, index, LONG[index - first_long] if index >= first_long else None)
            failed = report.failed
            commands.begin(index, has_seeds(index))
            case.text += LINE * has_seeds(index)
            with report.part(f"topology {index} of seed {seed}"):
                run_round(case, commands, report, rng)
            if report.failed > failed:
                print(f"{report.where}:\n{case.text}", file=sys.stderr)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
