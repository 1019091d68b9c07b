"""Who is missing in which round: as many as the plan can spare, and no more."""

import numpy as np


def of_round(plan, number):
    """The clients that are lost, and for hagg-round what it has to do without, or None. Clients go
    as they like, a station every third round, a relay every fourth."""
    rng = np.random.default_rng(number)
    n_lost = rng.integers(0, plan.drop["clients"], endpoint=True)
    lost = [int(i) + 1 for i in rng.choice(plan.n_clients, n_lost, replace=False)]
    without = []
    if number % 3 == 2 and plan.drop["stations"] > 0:
        without.append(f"stations={rng.integers(1, plan.n_stations, endpoint=True)}")
    if number % 4 == 3 and plan.drop["relays"] > 0:
        without.append(f"relays={rng.integers(1, plan.n_relays, endpoint=True)}")
    return lost, " ".join(without) or None
