"""The nodes that are missing in each round: at most as many as the plan allows."""

import numpy as np


def of_round(plan, number):
    """The clients that are lost, and the missing stations and relays, as Round.total names them. Clients
    are chosen at random in every round; a station is missing in every third round, a relay in every
    fourth."""
    rng = np.random.default_rng(number)
    n_lost = rng.integers(0, plan.drop.clients, endpoint=True)
    lost = [int(i) + 1 for i in rng.choice(len(plan.clients), n_lost, replace=False)]
    without = []
    if number % 3 == 2 and plan.drop.stations > 0:
        without.append(f"stations={rng.integers(1, len(plan.stations), endpoint=True)}")
    if number % 4 == 3 and plan.drop.relays > 0:
        without.append(f"relays={rng.integers(1, len(plan.relays), endpoint=True)}")
    return lost, " ".join(without) or None
