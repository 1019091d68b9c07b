"""Bounds on the difference that quantisation makes between private and plain training; the README
derives them."""

import math

import model


def of_mean(plan, n_clients, n_samples):
    """Bound on the error of one element of a mean: half a quantum for each client."""
    return n_clients * plan.quantize.step / 2 / n_samples


def of_parameters(before, mean_error, size):
    """Bound on the distance of the parameters after a step, given the bound before it. If the rate is
    small enough for the curvature (see holds), a gradient step brings points closer together; each of
    the `size` parameters then adds its own error."""
    return (1 - model.RATE * model.DECAY) * before + model.RATE * math.sqrt(size) * mean_error


def holds(x):
    """True if a step over samples with these features brings points closer together."""
    return model.RATE * (model.curvature(x) + model.DECAY) <= 2
