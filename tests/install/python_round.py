"""Whether an installed package hagg runs whole rounds with the commands on PATH.

    python_round.py DIRECTORY

The package must be below DIRECTORY. Works in the current directory, which must be empty.
"""

import pathlib
import subprocess
import sys

import numpy as np

import hagg

TOPOLOGY = """
    collude  full clients=1 stations=1
    stations 3
    client   1-4 via 1-3
"""

failed = 0


def equal(what, found, expected):
    global failed
    if found != expected:
        failed += 1
        print(f"failed: {what}: {found!r} instead of {expected!r}")


def main(directory):
    equal("the package", pathlib.Path(directory) in pathlib.Path(hagg.__file__).parents, True)
    version = subprocess.run(["hagg", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[-1]
    equal("the version", hagg.__version__, version)
    plan = hagg.Plan.from_topology(TOPOLOGY)
    equal("the audit", bool(plan.audit()), True)
    for sealed in False, True:
        vectors = np.random.default_rng(7 + sealed).integers(-1000, 1000, (4, 6), dtype="i4")
        round = hagg.Round(plan, 1, workdir=f"sealed-{sealed}", sealed=sealed)
        for client in plan.clients:
            round.share(client, vectors[client - 1])
        total = round.total()
        equal(f"the total, sealed: {sealed}", total.tolist(), vectors.sum(axis=0).tolist())
    try:
        hagg.Plan.from_topology("stations none\n")
        equal("a bad topology", "accepted", "refused")
    except hagg.DamagedError:
        pass
    print(f"{6 - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main(*sys.argv[1:]))
