"""Random networks for the tests of hagg-plan, and runs of the command."""

import json
import os
import random
import re
import subprocess
from fractions import Fraction

from report import Report


def some(rng, n, least, most=None):
    """A random set of the numbers 1 to n, as a list in a topology."""
    return " ".join(map(str, sorted(rng.sample(range(1, n + 1), rng.randint(least, most or n)))))


def with_relays(seed, colluding_relays=None):
    """A network with relays, under partial or full collusion, with many links or few."""
    rng = random.Random(f"relays {seed}")
    n_stations, n_relays, n_clients = rng.randint(4, 8), rng.randint(3, 6), rng.randint(5, 12)
    z, z_relays = rng.randint(1, 2), colluding_relays
    if z_relays is None:
        z_relays = rng.randint(1, 2)
    kind = ("partial", "full")[seed % 2]
    lines = [f"collude {kind} clients={rng.randint(0, 2)} stations={z} relays={z_relays}",
             f"stations {n_stations}", f"relays {n_relays}"]
    least = rng.choice((n_relays - 1, z_relays + 1))
    lines += [f"station {u} via {some(rng, n_relays, max(1, least))}" for u in range(1, n_stations + 1)]
    reaches = [some(rng, n_stations, min(n_stations, z + 2)) for _ in range(rng.randint(1, 5))]
    lines += [f"client {i} via {rng.choice(reaches)}" for i in range(1, n_clients + 1)]
    return "\n".join(lines) + "\n"


def many_reaches(seed, kind):
    """A network with relays that is too large to be searched exhaustively: hardly two clients reach the
    same stations."""
    rng = random.Random(f"big {seed}")
    n_stations, n_relays, n_clients = rng.randint(8, 14), rng.randint(4, 8), rng.randint(20, 45)
    lines = [f"collude {kind} clients=1 stations={rng.randint(1, 2)} relays=1",
             f"stations {n_stations}", f"relays {n_relays}"]
    lines += [f"station {u} via {some(rng, n_relays, max(2, n_relays - 3))}"
              for u in range(1, n_stations + 1)]
    lines += [f"client {i} via {some(rng, n_stations, n_stations // 2 + 1)}"
              for i in range(1, n_clients + 1)]
    return "\n".join(lines) + "\n"


def without_relays(seed, kind="full", n_clients=(3, 14)):
    rng = random.Random(f"stations {kind} {seed}")
    z = rng.randint(1, 2)
    n_stations = rng.randint(z + 2, 6)
    lines = [f"collude {kind} clients={rng.randint(0, 2)} stations={z}", f"stations {n_stations}"]
    if rng.random() < 0.3:
        lines.append("drop clients=1")
    reaches = [some(rng, n_stations, z + 1 + (rng.random() < 0.7)) for _ in range(rng.randint(1, 6))]
    lines += [f"client {i} via {rng.choice(reaches)}" for i in range(1, rng.randint(*n_clients) + 1)]
    return "\n".join(lines) + "\n"


class Planner:
    """Runs hagg-plan and hagg-audit on texts."""

    def __init__(self, bin_dir):
        self.bin_dir = bin_dir

    def run(self, tool, text, *options):
        return subprocess.run([os.path.join(self.bin_dir, f"hagg-{tool}"), *options], check=False,
                              input=text.encode(), capture_output=True)

    def plan(self, text, *options):
        """Returns the plan, its cost and the report; plan and cost are None if there is no plan."""
        done = self.run("plan", text, *options)
        said = done.stderr.decode()
        if done.returncode:
            return None, None, said
        cost = re.search(r"^hagg-plan: cost (\d+(?:/\d+)?) ", said, re.M).group(1)
        return done.stdout.decode(), Fraction(cost), said

    def count(self, plan):
        """Returns what hagg-cost counts: the cost of the plan, and its seeds."""
        done = self.run("cost", plan, "--only", "plan", "--format", "json")
        total = json.loads(done.stdout)["protocols"][0]["total"]
        return Fraction(total["times"]), total.get("seeds", 0)


def check_networks(bin_dir, count, check, tally, rare=()):
    """Calls check(report, planner, seed) for each seed below count; check adds to the tally what occurred. Returns the
    exit status, which is 1 if something that is not rare did not occur."""
    report, planner = Report(), Planner(bin_dir)
    for seed in range(int(count)):
        with report.part(f"network {seed}"):
            check(report, planner, seed)
    print(tally)
    with report.part("all networks"):
        report.check(all(tally[name] > 0 for name in tally if name not in rare), f"too one-sided: {tally}")
    return report.end()
