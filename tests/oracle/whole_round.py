"""A complete round with all its checks: all nodes, fewer shares, fewer clients, and one pipe."""

import os
import shutil

from result import MALFORMED, MISMATCH, PRIVACY, TOO_FEW, Result
from round import Round
from sharing import fewest


def run_round(case, commands, report, rng):
    shutil.rmtree(commands.work_dir, ignore_errors=True)
    os.mkdir(commands.work_dir)
    this = Round(case, commands, report, rng)
    check_drops(this)
    for client in this.topology.clients:
        this.run_client(client)
    everybody = list(this.topology.clients)
    if sorted(this.shares) != everybody:
        return this
    sums, keys = this.run_stations(everybody, "all")
    this.check_counts()
    this.check_measured()
    result = Result(this, everybody)
    result.check_all(sorted(set(station_files(commands, "all"))) + [keys])
    check_subsets(this, result, sums, keys)
    check_one_pipe(this, result)
    commands.forget()
    if len(everybody) > 1:
        check_dropped(this, everybody)
    return this


def check_drops(this):
    """The same plan with other drop lines: refused if two sets of stations could decode two totals."""
    topology, lines = this.topology, this.case.text.splitlines()
    if topology.scheme == "additive":
        return
    n = min(len(client.shares) for client in topology.clients.values())
    text = "".join(line + "\n" for line in lines if not line.split()[:1] == ["drop"])
    for drop in range(n + 1):
        this.commands.write_plan("other", text + f"drop stations={drop}\n")
        status = MALFORMED if topology.z + drop >= n else PRIVACY if n < fewest(topology.z, drop) else 0
        _, said = this.commands.run("keygen", "--plan", "other", "--client", next(iter(topology.clients)),
                                    "--round", 1, "--length", topology.length or 1, status=status)
        if status == PRIVACY:
            most = max(d for d in range(drop) if n >= fewest(topology.z, d))
            this.report.check(f"use drop stations={most}" in said, said)


def station_files(commands, tag):
    return [name for name in os.listdir(commands.work_dir) if name.startswith(f"{tag}-sums-")]


def check_subsets(this, result, sums, keys):
    """Any k shares of each pattern decode to the same total; k - 1 do not decode."""
    this.write_subset(sums, "subset")
    result.check_sum(["subset", keys])
    this.write_subset(sums, "too-few", fewer=1)
    patterns = sorted({pattern for pattern, _ in sums})
    k, _, _ = this.parameters(len(patterns[0]))
    # a pattern without any share is noticed by its missing clients, or because too few clients are left
    others = [c for c in this.topology.clients.values() if tuple(c.shares) != patterns[0]]
    status = TOO_FEW if k > 1 or not others else \
        MISMATCH if this.topology.allows(len(others)) else PRIVACY
    this.decode(["too-few"] * bool(this.commands.read("too-few")) + [keys], status=status)


def check_one_pipe(this, result):
    """All records of all clients in one stream, added up without a station."""
    data = b""
    for station in range(1, this.topology.n_stations + 1):
        data += b"".join(map(this.commands.read, this.station_files(station)))
    summed, _ = this.commands.run("aggregate", "--plan", "plan", *this.unsafe, stdin=data)
    this.commands.write("summed", summed)
    result.check_sum(["summed"], "--threads", "2")


def check_dropped(this, everybody):
    """One client is left out by agreement. The sum of one client alone is refused."""
    dropped = this.rng.choice(everybody)
    remaining = [i for i in everybody if i != dropped]
    if not this.topology.allows(len(remaining)):
        # refused even with all records in one place
        every = [f for u in range(1, this.topology.n_stations + 1) for f in this.station_files(u)]
        chosen = ",".join(map(str, remaining))
        this.commands.run("aggregate", "--plan", "plan", "--clients", chosen, "-o", "few", *every,
                          status=PRIVACY)
        this.report.check(not this.commands.exists("few"), "a sum of too few clients")
    else:
        sums, keys = this.run_stations(remaining, "some")
        this.measure(remaining, this.names_of("some"))
        files = sorted(station_files(this.commands, "some")) + [keys]
        Result(this, remaining).check_sum(files)
        this.write_subset(sums, "subset")
        Result(this, remaining).check_sum(["subset", keys])
