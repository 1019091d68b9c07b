"""Rounds over random plans for full collusion: full_topologies.py BIN COUNT [SEED [INDEX]].

A search over all sets of colluders decides which plans are private. The commands must refuse the
others, and must compute the correct sum under all of them with --unsafe-plan.
"""

import os
import random
import shutil
import sys
import tempfile

from commands import Commands
from full_round import SECRETS, FullRound
from generate_full import FullCase
from report import Report
from result import PRIVACY, TOO_FEW, Result
from seeds import LINE, has_seeds

# Sets of clients that were checked, by the result of the search.
tally = {(who, private): 0 for who in ("all", "survivors") for private in (False, True)}


def check_refused(this):
    """A plan that is not private is refused by the first client and by the first station."""
    everybody = list(this.topology.clients)
    tally["all", this.is_private(everybody)] += 1
    if this.unsafe:
        this.commands.write("vector", b"0\n")
        own = ["--plan", "plan", "--client", everybody[0], "--round", 1]
        this.commands.run("keygen", *own, "--length", this.topology.length or 1, "-o", "key")
        _, said = this.commands.run("share", *own, "--key", "key", "--format", "text", "--type", "i1",
                                    "-o", "share", "vector", status=PRIVACY)
        this.report.check("the federator" in said and "would learn the" in said
                          or not this.topology.protected and "the collude line" in said, said)
        this.report.check(not this.commands.exists("share"), "shares under a plan that leaks")


def refuse_stations(this, clients, status, *options):
    """Every station that has shares of these clients refuses."""
    for station in range(1, this.topology.n_stations + 1):
        if any(station in stations for _, stations in this.groups(clients)):
            line = [word for word in this.station_options(clients, station) if word != "--unsafe-plan"]
            this.commands.run("aggregate", *line, *options, "-o", "refused",
                              *this.station_files(station), status=status)
            this.report.check(not this.commands.exists("refused"), "a sum that was refused")


def check_missing(this, everybody):
    """A missing file is noticed, whatever its content."""
    client = this.rng.choice(everybody)
    station = this.rng.choice(this.stations_of(client, this.rng.choice(SECRETS)))
    files = [name for name in this.station_files(station) if not name.endswith(f"/client-{client}")]
    if files:
        _, said = this.commands.run("aggregate", *this.station_options(everybody, station), "-o", "part",
                                    *files, status=TOO_FEW)
        this.report.check(f"of client {client} is missing" in said, said)


def check_dropped(this, everybody):
    """Some clients are left out by agreement, usually one."""
    n = min(this.rng.choice((1, 1, 2)), len(everybody) - 1)
    remaining = sorted(this.rng.sample(everybody, len(everybody) - n))
    if not this.topology.allows(len(remaining)):
        refuse_stations(this, remaining, PRIVACY, "--unsafe-plan")
        return
    tally["survivors", this.is_private(remaining)] += 1
    if not this.is_private(remaining):
        refuse_stations(this, remaining, PRIVACY)
    sums, names = this.run_stations(remaining, "some")
    this.measure(remaining, this.names_of("some"))
    Result(this, remaining).check_sum(names)
    this.write_subset(sums, "subset")
    Result(this, remaining).check_sum(["subset"])


def check_one_pipe(this, result):
    data = b"".join(this.commands.read(name) for u in range(1, this.topology.n_stations + 1)
                    for name in this.station_files(u))
    summed, _ = this.commands.run("aggregate", "--plan", "plan", *this.unsafe, stdin=data)
    this.commands.write("summed", summed)
    result.check_sum(["summed"])


def run_round(case, commands, report, rng):
    shutil.rmtree(commands.work_dir, ignore_errors=True)
    os.mkdir(commands.work_dir)
    this = FullRound(case, commands, report, rng)
    check_refused(this)
    everybody = list(this.topology.clients)
    for client in everybody:
        this.run_client(client)
    if sorted(this.key_shares) != everybody:
        return
    if this.unsafe:
        refuse_stations(this, everybody, PRIVACY)
    sums, names = this.run_stations(everybody, "all")
    this.check_counts()
    this.check_measured()
    result = Result(this, everybody)
    result.check_all(names)
    this.write_subset(sums, "subset")
    result.check_sum(["subset"])
    check_one_pipe(this, result)
    check_missing(this, everybody)
    commands.forget()
    check_dropped(this, everybody)


def main(bin_dir, count, seed=20240601, only=None):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        commands = Commands(bin_dir, os.path.join(temporary, "round"), report)
        for index in range(int(count)):
            if only is not None and index != int(only):
                continue
            rng = random.Random(f"full {seed} {index}")
            case = FullCase(rng, index)
            failed = report.failed
            commands.begin(index, has_seeds(index))
            case.text += LINE * has_seeds(index)
            with report.part(f"topology {index} of seed {seed}"):
                run_round(case, commands, report, rng)
            if report.failed > failed:
                print(f"{report.where}:\n{case.text}", file=sys.stderr)
    if only is None:
        with report.part(f"all topologies of seed {seed}"):
            report.check(min(tally.values()) * 12 >= int(count), f"too one-sided: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
