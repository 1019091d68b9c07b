"""The table of scripts/cost-over-bound for two small networks, by formulas: cost_over_bound.py BIN."""

import csv
import decimal
import functools
import os
import subprocess
import sys
import tempfile

from cost import parse, total_of
from cost_aligned import AlignedModel
from cost_bound import GENERATOR, optimum_step_by_step
from cost_model import Network, rate
from report import Report

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
SIZES = (20, 50)


def write_decimal(value):
    """15 significant digits, without trailing zeros."""
    if value is None:
        return "?"
    quotient = decimal.Context(prec=15).divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))
    return f"{quotient.normalize():f}"


@functools.cache
def sharper_part(sets, z):
    """The same for both kinds of collusion."""
    return optimum_step_by_step(sets, z)


def expected(n_clients, full):
    """The columns that do not depend on a search."""
    options = ["--collude-clients", "1"] if full else []
    text = subprocess.run([sys.executable, GENERATOR, "--clients", str(n_clients), "--seed", "5", *options],
                          check=True, capture_output=True, text=True).stdout
    t, _, _ = parse(text)
    net = Network(t, 0, 0)
    sets = {i: c.via for i, c in t.clients.items()}
    clients = sum(rate(len(s), t.z) for s in sets.values())
    first = min(c.via[0] for c in t.clients.values())
    return {
        "bound": net.bound(),
        "sharper": clients + sharper_part(frozenset(map(frozenset, sets.values())), t.z),
        "c1": None if full else total_of(net.client_keys(sets, first=first)),
        "aligned": total_of(AlignedModel(net, sets, full).messages()),
    }


def check_row(report, row):
    want = expected(int(row["clients"]), row["collusion"] == "full")
    for name, value in want.items():
        report.equal(row[name], write_decimal(value), f"{row['collusion']} {row['clients']}: {name}")
    # a plan costs no more than all stations, and no less than the bound
    planned = float(row["planned"])
    report.check(float(want["sharper"]) <= planned <= float(want["aligned"]) * (1 + 1e-9), f"planned: {row}")
    if row["keys"] != "?":
        most = float(want["c1"]) * (1 + 1e-9) if want["c1"] else float("inf")
        report.check(float(want["sharper"]) <= float(row["keys"]) <= most, f"keys: {row}")
    report.check(row["collusion"] == "full" or row["keys"] != "?", "there is always a plan under partial collusion")


def main(bin_dir):
    report = Report()
    with tempfile.TemporaryDirectory() as work, report.part("small networks"):
        environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}")
        done = subprocess.run([os.path.join(ROOT, "scripts", "cost-over-bound"), work, *map(str, SIZES)],
                              check=False, capture_output=True, text=True, env=environment)
        report.equal((done.returncode, done.stdout), (0, ""), f"status and output: {done.stderr}")
        with open(os.path.join(work, "cost-over-bound.tsv"), encoding="ascii") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        report.equal([(row["collusion"], int(row["clients"])) for row in rows],
                     [(kind, n) for kind in ("partial", "full") for n in SIZES], "rows")
        for row in rows:
            check_row(report, row)
        with open(os.path.join(work, "cost-over-bound.svg"), encoding="utf-8") as file:
            picture = file.read()
        for title in ("partial collusion", "full collusion", "aligned, planned", "client keys, planned"):
            report.check(f">{title}<" in picture, f"no title '{title}'")
    check_documented(report)
    return report.end()


def check_documented(report):
    """The table of the picture in the documentation is up to date."""
    with report.part("docs"), open(os.path.join(ROOT, "docs", "cost-over-bound.tsv"), encoding="ascii") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
        report.equal([row["collusion"] for row in rows], ["partial"] * 9 + ["full"] * 9, "rows")
        for row in rows[:1] + rows[9:10]:
            check_row(report, row)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
