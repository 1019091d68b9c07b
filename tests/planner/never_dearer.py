"""hagg-plan keeps the cheapest plan of all that it tries: never_dearer.py BIN COUNT.

--transform auto never costs more than always or never, and more effort never costs more than less, with
every protocol. A topology that has a plan with less effort, or with one way to use relays, is not refused.
"""

import sys

from networks import Planner, many_reaches, with_relays, without_relays
from report import Report

tally = {"transform is cheaper": 0, "no transform is cheaper": 0, "effort helps": 0}


def least(costs):
    return min((cost for cost in costs if cost is not None), default=None)


def check_transform(report, planner, text):
    for protocol in ("keys", "auto"):
        auto, always, never = (planner.plan(text, "--protocol", protocol, "--transform", when,
                                            "--effort", "1")[1] for when in ("auto", "always", "never"))
        report.equal(auto, least((always, never)), f"{protocol}: cost, with always {always}, never {never}")
        if protocol == "keys" and always and never:
            tally["transform is cheaper"] += always < never
            tally["no transform is cheaper"] += never < always


def check_unprotected(report, planner, text):
    """Other commands refuse a plan with transformations if no relay may collude. So auto does not choose
    one while there is another, and states the reason; and always warns."""
    _, auto, said = planner.plan(text, "--protocol", "keys", "--effort", "1")
    _, never, _ = planner.plan(text, "--protocol", "keys", "--effort", "1", "--transform", "never")
    if never is not None:
        report.equal(auto, never, "cost if relays=0")
        report.check("not used: the collude line has relays=0" in said, said)


def check_effort(report, planner, text, *options):
    costs = [planner.plan(text, "--effort", str(level), *options)[1] for level in (1, 2, 3)]
    for less, more in zip(costs, costs[1:]):
        report.check(less is None or more is not None and more <= less, f"{options}: costs by effort {costs}")
    tally["effort helps"] += costs[0] != costs[-1]


def main(bin_dir, count):
    report, planner = Report(), Planner(bin_dir)
    for seed in range(int(count)):
        with report.part(f"network {seed} with relays"):
            text = with_relays(seed)
            check_transform(report, planner, text)
            check_effort(report, planner, text, "--protocol", "keys")
            check_effort(report, planner, text, "--protocol", "aligned")
            if seed % 4 == 0:
                check_unprotected(report, planner, with_relays(seed, colluding_relays=0))
        with report.part(f"network {seed} without relays"):
            kind = ("partial", "full")[seed % 2]
            text = without_relays(seed, kind, n_clients=(16, 40)) + f"length {7 + seed}\n"
            check_effort(report, planner, text, "--protocol", "keys")
            check_effort(report, planner, text, "--protocol", "aligned")
    # in the first of these, the third level alone finds a more expensive plan than the second
    for seed in range(5, 5 + int(count) // 8):
        with report.part(f"large network {seed}"):
            check_effort(report, planner, many_reaches(seed, "full"), "--protocol", "keys",
                         "--transform", "never")
            check_effort(report, planner, many_reaches(seed, "partial"), "--protocol", "keys")
    print(tally)
    with report.part("all networks"):
        report.check(min(tally.values()) > 0, f"too one-sided: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
