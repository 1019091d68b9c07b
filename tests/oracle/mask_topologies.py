"""Rounds with masks of stations over random topologies: mask_topologies.py BIN COUNT [SEED [INDEX]].

Partial and full collusion, with relays, for which hagg-plan chooses, and without.
"""

import re
import sys
from fractions import Fraction

from generate_masks import MaskCase, MaskRelayCase
from mask_round import MaskRound
from relay_topologies import for_each_topology
from report import Report
from result import TOO_FEW, Result
from topology import parse

tally = {"partial": 0, "full": 0, "partial, relays": 0, "full, relays": 0, "no masks": 0,
         "masks and relays": 0, "idle": 0, "dropped": 0}


def plan(case, commands, report):
    """What the plan costs, as hagg-plan says; None when it finds none. With relays it chooses."""
    commands.write("topology", case.text.encode())
    topology = parse(case.text)
    has_relays = topology.n_relays > 0
    is_chosen = not has_relays or any(client.relays for client in topology.clients.values())
    keep = ["--keep"] if is_chosen else []
    _, said = commands.run("plan", *keep, "topology", "-o", "plan", status=None)
    if not commands.exists("plan"):
        report.check(has_relays and "can send to relays" in said, said)
        return None
    if not is_chosen:
        case.text = commands.read("plan").decode()
    commands.write("plan", case.text.encode())
    return Fraction(re.search(r"cost (\d+(?:/\d+)?)", said).group(1)) if "about" not in said else None


def check_refusals(this, files, everybody):
    """Nothing is decoded without all of the masks, and they serve once."""
    named = [f for f in files if "total" in f]
    if not this.is_masked() or this.topology.n_relays or not named:
        return
    this.decode([f for f in files if f not in named], status=TOO_FEW)
    station = this.masking(everybody)[0]
    some = [i for i in everybody if station in this.way(i)[0]]
    if len(everybody) > this.topology.minimum:
        fewer = ",".join(str(i) for i in everybody if i != some[0])
        _, said = this.commands.run("aggregate", "--plan", "plan", "--station", station, "--masks",
                                    f"masks-all/{station}", "--only", "masks", "--clients", fewer,
                                    "-o", "again-{}", status=None)
        this.report.check(not this.commands.exists("again-1"), "masks have served twice")
        this.report.check("has already masked sums of other clients" in said
                          or "it has no part in the total" in said, said)


def check_dropped(this, everybody):
    """One client is left out by agreement, and the masks are made anew."""
    dropped = this.rng.choice(everybody)
    remaining = [i for i in everybody if i != dropped]
    if len(remaining) < this.topology.minimum:
        return
    Result(this, remaining).check_sum(this.run_nodes(remaining, "some"))
    this.measure(remaining, this.names_of("some"))
    tally["dropped"] += 1


def run_round(case, commands, report, rng):
    cost = plan(case, commands, report)
    if not commands.exists("plan"):
        return
    this = MaskRound(case, commands, report, rng)
    everybody = list(this.topology.clients)
    report.check(cost is None or cost == this.multiples(), f"costs {this.multiples()}, hagg-plan says {cost}")
    for client in everybody:
        this.run_client(client)
    files = this.run_nodes(everybody, "all")
    this.check_counts()
    this.check_measured()
    Result(this, everybody).check_all(files)
    check_refusals(this, files, everybody)
    check_dropped(this, everybody)
    tally[("full" if this.topology.full else "partial") + (", relays" if this.topology.n_relays else "")] += 1
    tally["no masks"] += not this.is_masked()
    tally["masks and relays"] += this.is_masked() and this.topology.n_relays > 0
    tally["idle"] += this.is_masked() and len(this.masking(everybody)) < this.topology.n_stations


def make_case(rng, index):
    return (MaskCase if index % 4 < 2 else MaskRelayCase)(rng, index)


def main(bin_dir, count, seed=20240601, only=None):
    report = Report()
    for_each_topology(report, bin_dir, count, seed, only, make_case, run_round)
    print(tally)
    if only is None:
        with report.part(f"all topologies of seed {seed}"):
            report.check(min(tally.values()) > 0, f"too one-sided: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
