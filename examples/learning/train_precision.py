"""Trains through hagg with one precision, and counts the bytes that are sent.

    train_precision.py NAME DIRECTORY ROUNDS

The plan is DIRECTORY/NAME.plan, and the key pairs are in DIRECTORY/keys. Creates DIRECTORY/NAME, with the
files of all nodes, their commands in commands.log, the mean of each round, the parameters after each round in
parameters.npy, the residuals of the clients at the end in residuals.npy, and a line for each round in
table.tsv. Exits with status 1 if a mean is not the sum of the vectors of its clients.
"""

import logging
import pathlib
import sys

import numpy as np

import digits
import dropouts
import hagg
import model
import reference
from network import Network, bytes_sent, bytes_sent_by_clients
from precisions import PRECISIONS
from sender import Sender

RATE = 1.0
COLUMNS = ("precision", "round", "clients", "client_bytes", "bytes", "accuracy", "loss")


class TrainingError(Exception):
    pass


def private_mean(network, precision, number, senders, parameters):
    """The mean of the clients on the roster, and the bytes that clients and all nodes have sent."""
    clip = precision.clip(number)
    lost, without = dropouts.of_round(network.plan, number)
    round = network.round(number)
    vectors = {i: sender.vector(parameters, clip) for i, sender in senders.items()}
    for i, vector in vectors.items():
        round.share(i, vector)
    network.lose(round, lost)
    mean = network.mean(round, without)
    counted = list(round.report.clients)
    if counted != [i for i in senders if i not in lost]:
        raise TrainingError(f"round {number}: the total has clients {round.report.clients}")
    n_wrong = reference.n_wrong(precision, mean, [vectors[i] for i in counted])
    if n_wrong:
        raise TrainingError(f"round {number}: {n_wrong} of {mean.size} elements of the mean are wrong")
    for i in counted:
        senders[i].was_counted(clip)
    n_bytes = np.array([bytes_sent_by_clients(round), bytes_sent(round)])
    network.end(round)
    return mean * clip, counted, n_bytes


def train(network, precision, n_rounds):
    """For each round: its clients, the bytes sent so far, and the parameters after it."""
    parts, _ = digits.load(len(network.plan.clients))
    senders = {i: Sender(*part, precision) for i, part in enumerate(parts, 1)}
    parameters = np.zeros((senders[1].x.shape[1], digits.N_CLASSES))
    so_far = 0
    for number in range(1, n_rounds + 1):
        mean, counted, n_bytes = private_mean(network, precision, number, senders, parameters)
        parameters = model.step(parameters, mean, RATE)
        so_far = so_far + n_bytes
        yield counted, so_far, parameters
    residuals = [np.broadcast_to(sender.residual, parameters.shape) for sender in senders.values()]
    np.save(network.directory / "residuals.npy", residuals)


def main(name, directory, n_rounds):
    precision = PRECISIONS[name]
    plan, own = hagg.Plan(directory / f"{name}.plan"), directory / name
    own.mkdir()
    logging.basicConfig(filename=own / "commands.log", format="%(message)s", level=logging.DEBUG)
    images, labels = digits.load(len(plan.clients))[1]
    x = model.pair_features(images)
    history = []
    with open(own / "table.tsv", "w", encoding="ascii") as table:
        print(*COLUMNS, sep="\t", file=table)
        for counted, so_far, parameters in train(Network(plan, own, directory / "keys"), precision, n_rounds):
            history.append(parameters)
            accuracy = model.accuracy(parameters, x, labels)
            print(name, len(history), len(counted), *so_far, accuracy, model.loss(parameters, x, labels),
                  sep="\t", file=table, flush=True)
    np.save(own / "parameters.npy", history)
    print(f"{name}: accuracy {accuracy:.1%} after {n_rounds} rounds; clients sent "
          f"{so_far[0] / 1e6:.1f} MB, all nodes {so_far[1] / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3]))
    except (TrainingError, hagg.Error) as error:
        sys.exit(f"train_precision: {sys.argv[1]}: {error}")
