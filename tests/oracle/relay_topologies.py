"""Rounds with relays over random topologies: relay_topologies.py BIN COUNT [SEED [INDEX]].

hagg-plan makes the plan, which is checked against the definition; if it finds none, that is checked by
a search. Then the round is run.
"""

import os
import random
import re
import shutil
import sys
import tempfile
from fractions import Fraction

from commands import Commands
from generate_relays import RelayCase
from relay_plan import check_plan, meeting_relays, short_of_relays
from relay_round import RelayRound
from report import Report
from result import Result
from seeds import LINE, has_seeds
from topology import parse

# Counts of the rounds that were run and of the topologies without a plan.
tally = {"partial": 0, "full": 0, "too few relays": 0, "a station lost": 0}

# Topologies under full collusion for which no plan was found, and those of them for which one exists.
missed = {"no plan": 0, "relays to meet at": 0}


def plan(case, commands, report):
    """Makes the plan, which replaces the text of the case, and returns its cost; None if there is none."""
    commands.write_plan("topology", case.text)
    topology = parse(case.text)
    short = short_of_relays(topology)
    # the search under full collusion may fail; how often it does is checked at the end
    _, said = commands.run("plan", "--transform", "never", "topology", "-o", "plan", status=None)
    if short:
        report.check(not commands.exists("plan"), f"a plan although clients {short} have too few relays")
        named = re.search(r"of the stations of client (\d+) can send to different relays", said)
        report.check(named and int(named.group(1)) in short or topology.full and "private" in said, said)
        tally["too few relays"] += 1
        return None
    if not commands.exists("plan"):
        report.check(topology.full and "private" in said, said)
        missed["no plan"] += 1
        missed["relays to meet at"] += meeting_relays(topology) is not None
        return None
    case.text = commands.read("plan").decode()
    check_plan(report, topology, parse(case.text))
    return re.search(r"cost (\d+(?:/\d+)?)", said).group(1)


def check_one_pipe(this, result):
    """All records of all clients in one stream, added up twice."""
    data = b"".join(this.commands.read(name) for u in range(1, this.topology.n_stations + 1)
                    for name in this.station_files(u))
    for _ in range(2):
        data, _ = this.commands.run("aggregate", "--plan", "plan", *this.unsafe, stdin=data)
    this.commands.write("summed", data)
    result.check_sum(["summed"])


def check_dropped(this, everybody):
    """One client is left out by agreement, if enough clients remain."""
    dropped = this.rng.choice(everybody)
    remaining = [i for i in everybody if i != dropped]
    this.commands.forget()
    if this.topology.allows(len(remaining)) and this.is_private(remaining):
        sums, names = this.run_nodes(remaining, "some")
        this.measure(remaining, this.names_of("some"))
        Result(this, remaining).check_sum(names)
        this.write_subset(sums, "subset")
        Result(this, remaining).check_sum(["subset"])


def places_of(this, group, station):
    """Indices of the group's shares whose sums lack a client if the station is missing."""
    return {way[1].index(station) for way in this.ways(list(this.topology.clients))
            if (way[0], way[2]) == group and station in way[1]}


def check_lost_station(this, everybody, result):
    """A station without keys sends nothing; relays use the sums of the others where possible."""
    keys = set() if this.topology.full else {c.key_station for c in this.topology.clients.values()}
    groups = this.groups(everybody)
    for station in set(range(1, this.topology.n_stations)) - keys:
        if any(len(places_of(this, group, station)) > this.topology.spares for group in groups) or \
                not any(places_of(this, group, station) for group in groups):
            continue
        names, came = [], this.names_of("all-keys")
        for relay in range(1, this.topology.n_relays + 1):
            files = [f for f in this.relay_files(relay, "all") if not f.endswith(f"/from-{station}")]
            came += files
            if files:
                _, said = this.commands.run("aggregate", "--plan", "plan", "--relay", relay,
                                            "--skip-incomplete", "-o", f"lost-{relay}", *files, status=None)
                if this.commands.exists(f"lost-{relay}"):
                    names.append(f"lost-{relay}")
                else:
                    this.report.check("nothing to send" in said, said)
        result.check_sum(names)
        this.measure(everybody, came + names, "--without", f"stations={station}")
        tally["a station lost"] += 1
        return


def run_everybody(this, everybody):
    """Runs the round with all clients, stations and relays and returns its result."""
    for client in everybody:
        this.run_client(client)
    if sorted(this.shares) != everybody:
        return None
    sums, names = this.run_nodes(everybody, "all")
    this.check_counts()
    this.check_measured()
    result = Result(this, everybody)
    result.check_all(names)
    this.write_subset(sums, "subset")
    result.check_sum(["subset"])
    return result


def run_round(case, commands, report, rng):
    cost = plan(case, commands, report)
    if not cost:
        return
    this = RelayRound(case, commands, report, rng)
    # seeds cost no symbols, which cost_*.py check
    report.check(Fraction(cost) == this.cost() or this.topology.computational, f"hagg-plan says it costs {cost}")
    everybody = list(this.topology.clients)
    result = run_everybody(this, everybody)
    if not result:
        return
    tally["full" if this.topology.full else "partial"] += 1
    check_one_pipe(this, result)
    if this.topology.drop:
        check_lost_station(this, everybody, result)
    check_dropped(this, everybody)


def for_each_topology(report, bin_dir, count, seed, only, kind, run, with_seeds=False):
    """Runs each case in an empty directory. with_seeds: some have seeds."""
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        commands = Commands(bin_dir, os.path.join(temporary, "round"), report)
        for index in range(int(count)):
            if only is not None and index != int(only):
                continue
            rng = random.Random(f"relays {seed} {index}")
            case = kind(rng, index)
            failed = report.failed
            shutil.rmtree(commands.work_dir, ignore_errors=True)
            os.mkdir(commands.work_dir)
            seeds = with_seeds and has_seeds(index)
            commands.begin(index, seeds)
            case.text += LINE * seeds
            with report.part(f"topology {index} of seed {seed}"):
                run(case, commands, report, rng)
            if report.failed > failed:
                print(f"{report.where}:\n{case.text}", file=sys.stderr)


def main(bin_dir, count, seed=20240601, only=None):
    report = Report()
    for_each_topology(report, bin_dir, count, seed, only, RelayCase, run_round, with_seeds=True)
    print(tally, missed)
    if only is None:
        with report.part(f"all topologies of seed {seed}"):
            report.check(min(tally["partial"], tally["full"]) * 5 >= int(count)
                         and min(tally.values()) > 0, f"too one-sided: {tally}")
            report.check(missed["relays to meet at"] * 10 <= tally["full"], f"plans not found: {missed}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
