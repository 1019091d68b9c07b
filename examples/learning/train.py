"""Trains twice, privately through hagg and plainly, with the same clients in every round.

    train.py PLAN DIRECTORY ROUNDS

Prints a table and writes it in full precision to DIRECTORY/table.tsv, and the commands of all nodes to
commands.log. Writes the parameters after each round to DIRECTORY/private.npy and plain.npy, and the result
of round 0 to mean-image.npy. Exits with status 1 if private and plain training differ by more than
quantisation explains.
"""

import logging
import pathlib
import sys

import numpy as np

import bound
import digits
import dropouts
import hagg
import model
from client import Client
from network import Network

COLUMNS = ("round clients samples private_loss plain_loss private_accuracy plain_accuracy "
           "difference bound")
HEAD = "round clients without               loss   plain  accuracy  plain  apart    at most"
ROW = "{:5} {:7} {:19}{:7.4f} {:7.4f}   {:6.2%} {:6.2%}  {:.1e}  {:.1e}"


class TrainingError(Exception):
    pass


def check(what, apart, at_most):
    if not apart <= at_most:
        raise TrainingError(f"{what}: {apart:.3g} from plain training, and quantisation explains "
                            f"{at_most:.3g} at most")


def n_samples(clients):
    return sum(client.n_samples for client in clients.values())


def plain_mean(sums, clients):
    """The mean over the samples of these clients only."""
    return sum(sums[i] for i in clients) / n_samples(clients)


def private_mean(network, number, sums, clients, lost=(), without=None):
    """The federator's mean, and the bound on the error of its elements. Checks the mean against this
    bound, which is possible here because the sums of all clients are known."""
    round = network.round(number)
    for i, client in clients.items():
        round.share(i, sums[i], samples=client.n_samples)
    network.lose(round, lost)
    mean = network.mean(round, without)
    network.end(round)
    there = {i: client for i, client in clients.items() if i not in lost}
    error = bound.of_mean(network.plan, len(there), n_samples(there))
    check(f"round {number}: mean", abs(mean - plain_mean(sums, there)).max(), error)
    return mean, error


def agree_on_mean_image(network, clients):
    """Round 0, in which no node is missing. Training on pixels minus their mean is much faster."""
    sums = {i: client.pixel_sum() for i, client in clients.items()}
    mean_image, _ = private_mean(network, 0, sums, clients)
    for client in clients.values():
        client.take_mean_image(mean_image)
    return mean_image


def pooled(clients):
    return (np.vstack([client.x for client in clients.values()]),
            np.concatenate([client.labels for client in clients.values()]))


def rounds(network, clients, test, n_rounds):
    """For each round: its line of the table, the missing stations and relays, and both parameters."""
    private = plain = model.start(digits.N_PIXELS, digits.N_CLASSES)
    at_most = 0.0
    for number in range(1, n_rounds + 1):
        lost, without = dropouts.of_round(network.plan, number)
        there = {i: client for i, client in clients.items() if i not in lost}
        if not bound.holds(pooled(there)[0]):
            raise TrainingError(f"round {number}: model.RATE is too high for the bound")

        sums = {i: client.gradient_sum(private) for i, client in clients.items()}
        mean, error = private_mean(network, number, sums, clients, lost, without)
        private = model.step(private, mean)
        plain_sums = {i: client.gradient_sum(plain) for i, client in there.items()}
        plain = model.step(plain, plain_mean(plain_sums, there))

        at_most = bound.of_parameters(at_most, error, private.size)
        apart = abs(private - plain).max()
        check(f"round {number}: parameters", apart, at_most)
        both = (private, plain)
        line = [number, len(there), n_samples(there),
                *(model.loss(p, *pooled(clients)) for p in both),
                *(model.accuracy(p, *test) for p in both), apart, at_most]
        yield line, without, both


def main(plan_path, directory, n_rounds):
    directory = pathlib.Path(directory)
    logging.basicConfig(filename=directory / "commands.log", format="%(message)s", level=logging.DEBUG)
    network = Network(hagg.Plan(plan_path), directory, directory / "keys")
    parts, (images, labels) = digits.load(len(network.plan.clients))
    clients = {i: Client(*part) for i, part in enumerate(parts, 1)}
    mean_image = agree_on_mean_image(network, clients)
    test = (model.features(images, mean_image), labels)
    np.save(directory / "mean-image.npy", mean_image)
    history = []
    with open(directory / "table.tsv", "w", encoding="ascii") as table:
        print(*COLUMNS.split(), sep="\t", file=table)
        print(HEAD)
        for line, without, both in rounds(network, clients, test, n_rounds):
            print(*line[:3], *(repr(float(x)) for x in line[3:]), sep="\t", file=table)
            print(ROW.format(*line[:2], without or "", *line[3:]), flush=True)
            history.append(both)
    for name, parameters in zip(("private", "plain"), zip(*history)):
        np.save(directory / f"{name}.npy", parameters)
    # What no node of a real network could write, to compare shares with it: the gradients of the last round.
    before = history[-2][0] if n_rounds > 1 else model.start(digits.N_PIXELS, digits.N_CLASSES)
    np.save(directory / "gradients.npy", [client.gradient_sum(before) for client in clients.values()])


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    except (TrainingError, hagg.Error) as error:
        sys.exit(f"train: {error}")
