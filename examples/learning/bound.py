"""How far quantisation can take private training from plain training; the README derives it."""

import math

import model


def of_mean(plan, n_clients, n_samples):
    """Of an element of a mean: half a quantum for each client."""
    quantum = plan.clip / (2 ** (plan.bits - 1) - 1)
    return n_clients * quantum / 2 / n_samples


def of_parameters(before, mean_error, size):
    """The distance of the parameters after a step, from that before it. Gradient steps bring points
    closer if curvature allows the rate; the error comes on top, in each of so many parameters."""
    return (1 - model.RATE * model.DECAY) * before + model.RATE * math.sqrt(size) * mean_error


def holds(x):
    """Whether a step over samples with these features brings points closer."""
    return model.RATE * (model.curvature(x) + model.DECAY) <= 2
