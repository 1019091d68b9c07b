"""Clients."""

from abc import ABC


class NumPyClient(ABC):
    def get_properties(self, config):
        return {}

    def get_parameters(self, config):
        return []

    def fit(self, parameters, config):
        return [], 0, {}

    def evaluate(self, parameters, config):
        return 0.0, 0, {}
