"""A client that sends its mean gradient with the precision of a plan."""

import numpy as np

import model
from client import Client


class Sender(Client):
    def __init__(self, images, labels, precision):
        super().__init__(images, labels)
        self.x = model.pair_features(images)
        self.feeds_back = precision.rounding == "sign"
        self.residual = 0.0  # what its signs have not represented so far; it never leaves the client
        self.wanted = None

    def vector(self, parameters, clip):
        """What it shares in this round, in units of the clip."""
        self.wanted = self.gradient_sum(parameters) / self.n_samples + self.residual
        return np.clip(self.wanted / clip, -1, 1)

    def was_counted(self, clip):
        """It is on the roster of this round, so the total has its vector. A client that is not keeps its
        residual as it was."""
        if self.feeds_back:
            self.residual = self.wanted - clip * np.where(self.wanted >= 0, 1, -1)
