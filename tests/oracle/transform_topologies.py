"""Rounds in which relays have sharings of their own: transform_topologies.py BIN COUNT [SEED [INDEX]].

hagg-plan makes plans for random topologies. Each plan is checked against the definition and compared
with the best that an exhaustive search finds; a refusal is checked by that search, too. Then the round
is run.
"""

import re
import sys
from fractions import Fraction

from generate_relays import TransformCase
from relay_topologies import check_dropped, for_each_topology, run_everybody
from report import Report
from topology import parse
from transform_plan import can_meet, check_plan, least_cost, stuck
from transform_round import TransformRound

# Counts of the results by topology.
tally = {"partial": 0, "full": 0, "no choice": 0, "auto": 0, "stations lost": 0, "relays lost": 0,
         "merged": 0, "several parts": 0}

# Topologies under full collusion for which no plan was found, and those of them for which one exists.
missed = {"no plan": 0, "relays to meet at": 0}

ratios = {"partial": [], "full": []}  # of the cost of a plan to the least cost known


def plan(case, commands, report, rng):
    """Makes a plan with transformations, which replaces the text of the case, and returns its cost;
    None if there is none."""
    commands.write_plan("topology", case.text)
    topology = parse(case.text)
    auto = rng.random() < 0.3
    _, said = commands.run("plan", "--transform", "auto" if auto else "always", "topology", "-o", "plan",
                           status=None)
    text = commands.read("plan").decode() if commands.exists("plan") else None
    if auto and text and not parse(text).transform:
        commands.run("plan", "--transform", "never", "topology", "-o", "same")
        report.equal(commands.read("same").decode(), text, "a plan that needs no transformation")
        return None
    without = stuck(topology)
    if without:
        report.check(text is None, f"a plan although clients {without} have no choice")
        named = re.search(r"client (\d+)", said)
        report.check(auto or "too few" in said or topology.full and "private" in said
                     or named and int(named.group(1)) in without, said)
        tally["no choice"] += 1
        return None
    if text is None:
        report.check(topology.full and "private" in said, said)
        missed["no plan"] += 1
        missed["relays to meet at"] += can_meet(topology)
        return None
    tally["auto"] += auto
    case.text = text
    check_plan(report, topology, parse(text))
    cost = Fraction(re.search(r"cost (\d+(?:/\d+)?)", said).group(1))
    return cost


def note_ratio(report, topology, cost):
    """cost is without keys in the clear."""
    kinds = {tuple(client.via) for client in topology.clients.values()}
    if len(kinds) > 3:
        return
    best = least_cost(topology)
    if topology.full:
        best *= 2
    report.check(cost >= best, f"costs {cost}, and the least is {best}")
    ratios["full" if topology.full else "partial"].append(float(cost / best))


def check_one_pipe(this, result):
    """Everything in one stream; under partial collusion the keys bypass the relays."""
    data = b"".join(this.commands.read(name) for u in range(1, this.topology.n_stations + 1)
                    for name in this.station_files(u))
    keys, only = b"", []
    if not this.topology.full:
        keys, _ = this.commands.run("aggregate", "--plan", "plan", *this.unsafe, "--only", "keys",
                                    stdin=data)
        only = ["--only", "shares"]
        if this.commands.identities:
            # it is sealed to a relay, which seals it to the federator
            keys, _ = this.commands.run("aggregate", "--plan", "plan", *this.unsafe, stdin=keys)
    for tool, *options in (("aggregate", "--plan", "plan", *this.unsafe, *only),
                           ("transform", "--plan", "plan", "--step", "contribute", "--threads", "2"),
                           ("transform", "--plan", "plan", "--step", "finish"),
                           ("aggregate", "--plan", "plan", *this.unsafe)):
        data, _ = this.commands.run(tool, *options, stdin=data)
    this.commands.write("summed", data + keys)
    result.check_sum(["summed"])


def check_lost(this, everybody, result):
    """Loses stations without keys and relays, as many as may be missing, and then one relay more."""
    topology, rng = this.topology, this.rng
    keys = set() if topology.full else {c.key_station for c in topology.clients.values()}
    idle = sorted(set(range(1, topology.n_stations)) - keys)
    absent = rng.sample(idle, min(topology.drop, len(idle)))
    if absent:
        _, names = this.run_nodes(everybody, "lost", absent)
        result.check_sum(names)
        this.measure(everybody, this.names_of("lost"), "--without",
                     f"stations={','.join(map(str, absent))}")
        tally["stations lost"] += 1
    else:
        names = [f"all-from-{m}" for m in range(1, topology.n_relays + 1)
                 if this.commands.exists(f"all-from-{m}")]
    if topology.drop_relays:
        holders = sorted({m for group in this.groups(everybody) for m in group[1]} - {this.key_relay()})
        gone = rng.sample(holders, min(topology.drop_relays, len(holders)))
        left = [name for name in names if int(name.rpartition("-")[2]) not in gone]
        result.check_sum(left)
        this.measure(everybody, [name for name in this.names_of("all")
                                 if int(name.rpartition("-")[2]) not in gone or "-from-" not in name],
                     "--without", f"relays={','.join(map(str, gone))}")
        tally["relays lost"] += 1
    group = rng.choice(this.groups(everybody))
    gone = rng.sample(group[1], topology.drop_relays + 1)
    left = [name for name in names if int(name.rpartition("-")[2]) not in gone]
    if left:
        _, said = this.commands.run("decode", "--plan", "plan", "-o", "nothing", *left, status=None)
        this.report.check(not this.commands.exists("nothing"), f"decoded without relays {gone}: {said}")


def run_round(case, commands, report, rng):
    cost = plan(case, commands, report, rng)
    if not cost:
        return
    this = TransformRound(case, commands, report, rng)
    report.equal(cost, this.cost(), "what hagg-plan says it costs")
    note_ratio(report, this.topology, cost - this.cost_of_keys())
    everybody = list(this.topology.clients)
    result = run_everybody(this, everybody)
    if not result:
        return
    tally["full" if this.topology.full else "partial"] += 1
    tally["merged"] += len(this.groups(everybody)) < len(this.ways(everybody))
    tally["several parts"] += any(cut > 1 for _, _, cut in this.groups(everybody))
    check_one_pipe(this, result)
    check_lost(this, everybody, result)
    check_dropped(this, everybody)


def main(bin_dir, count, seed=2, only=None):
    report = Report()
    for_each_topology(report, bin_dir, count, seed, only, TransformCase, run_round)
    print(tally, missed, {name: (round(max(found), 3), round(sum(found) / len(found), 3))
                          for name, found in ratios.items() if found})
    if only is None:
        with report.part(f"all topologies of seed {seed}"):
            report.check(min(tally["partial"], tally["full"]) * 5 >= int(count)
                         and min(tally.values()) > 0, f"too one-sided: {tally}")
            report.equal(missed["relays to meet at"], 0, "plans not found")
            report.check(all(max(found) < 1.25 for found in ratios.values()), f"dear plans: {ratios}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
