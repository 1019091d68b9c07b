"""Handwritten digits, 8 x 8 pixels from 0 to 1, divided unevenly among clients."""

import numpy as np
from sklearn.datasets import load_digits

N_PIXELS, N_CLASSES = 64, 10
N_TRAIN = 1437  # of 1797; the others are test data
MOST = 256  # samples per client at most; therefore also the clip: see model.gradient_sum


def load(n_clients, seed=4):
    """A list with a pair of images and labels for each client, and the pair of the test."""
    rng = np.random.default_rng(seed)
    images, labels = load_digits(return_X_y=True)
    order = rng.permutation(len(labels))
    images, labels = images[order] / 16, labels[order]
    owners = scatter(labels[:N_TRAIN], n_clients, rng)
    parts = [np.flatnonzero(owners == i)[:MOST] for i in range(n_clients)]
    return [(images[p], labels[p]) for p in parts], (images[N_TRAIN:], labels[N_TRAIN:])


def scatter(labels, n_clients, rng):
    """The owner of each sample. The owners of each digit follow a distribution of its own, so no
    client has a typical selection of the data, and some clients have many more samples than others."""
    owners = np.empty(len(labels), dtype=int)
    for digit in range(N_CLASSES):
        which = np.flatnonzero(labels == digit)
        owners[which] = rng.choice(n_clients, len(which), p=rng.dirichlet(np.full(n_clients, 0.5)))
    return owners
