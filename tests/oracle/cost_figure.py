"""The curves of scripts/figure-3 by formulas, for both kinds of collusion: cost_figure.py BIN.

`cost_figure.py --print` prints tests/cli/figure-3.tsv.
"""

import json
import sys
import tempfile
from fractions import Fraction

from commands import Commands
from cost_over_bound import write_decimal
from report import Report

N, B, Z = 10000, 100, 3


def curves(v, full=False):
    """Cost per client: docs/theory.md section 9, docs/aligned.md. Every client reaches v + 3 stations."""
    r, rate = Fraction(v + Z, v), Fraction(1, v)
    if full:
        masks = B * rate * (B - 1) / (B - Z)
    else:
        masks = (B - Z - 1) * rate  # for all stations but the dealer and three others
    return {
        ("aligned", "fewest"): (N * r + r) / N,
        ("c1", "fewest"): (N + B + (N + 1) * r) / N,
        ("aligned", "most"): (N * r + B * rate + masks) / N,
        ("c1", "most"): (N + B + 2 * N * r) / N,
        ("bound", ""): r * (N + 1) / N,
    }


def print_table():
    print("\t".join(["v"] + [" ".join(key).strip() for key in curves(1)]))
    for v in range(1, 26):
        print("\t".join([str(v)] + [write_decimal(x) for x in curves(v).values()]))
    return 0


def main(bin_dir):
    report = Report()
    for full in (False, True):
        with tempfile.TemporaryDirectory() as work, report.part("full" if full else "partial"):
            out, _ = Commands(bin_dir, work, report).run(
                "cost", "--clients", N, "--stations", B, "--sweep", "v=1..25", "--only", "c1,aligned,bound",
                "--collude", f"{'full' if full else 'partial'},stations={Z}", "--format", "json")
            points = [json.loads(line) for line in out.splitlines()]
            report.equal([point["sweep"]["v"] for point in points], list(range(1, 26)), "points")
            for point in points:
                found = {(row["name"], row["sets"]): Fraction(row["total"]["times"]) / N
                         for row in point["protocols"]}
                report.equal(found, curves(point["sweep"]["v"], full), point["sweep"])
    return report.end()


if __name__ == "__main__":
    sys.exit(print_table() if sys.argv[1:] == ["--print"] else main(*sys.argv[1:]))
