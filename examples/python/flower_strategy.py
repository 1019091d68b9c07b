"""Private aggregation in Flower (flwr 1.x): a client that shares, and a strategy that decodes.

The hook of Flower's strategies, `aggregate_fit`, gets the plain updates of all clients, so it is too late
for privacy. Therefore the client shares its update itself, in `fit`, with the stations, and returns nothing
of it to the server. `aggregate_fit` then has the federator's step only: it gets the mean over all samples,
and the number of samples, from the sums of the stations.

The server has other ways to ask a client: for its parameters, its properties and its loss. Each answer would
reveal something of one client, so the client refuses them. The server brings the first parameters itself, and
evaluates the model on data of its own (`evaluate_fn`).

The classes are written against the documented interface: flwr.client.NumPyClient, flwr.server.strategy.FedAvg
and flwr.common. They are tested with a stand-in of the same signatures, tests/python/stand_in, because the
tests use Debian's packages only, and Flower is not one of them. They have not been run with Flower itself.

The plan needs a `quantize` line, whose clip bounds the update of a client times its number of samples, a
`samples` line, and a `drop clients` line if clients may fail. An update beyond the clip is an error of the
client, hagg.DamagedError: a clipped one would change the mean unnoticed.
"""

import numpy as np

import hagg
from flwr.client import NumPyClient
from flwr.common import FitIns, ndarrays_to_parameters, parameters_to_ndarrays
from flwr.server.strategy import FedAvg

ROUND = "hagg-round"  # in the configuration of a client: the number of the round


class SharingClient(NumPyClient):
    """Trains as another client does, and shares the result instead of returning it.

    `number` is the client's number in the plan, and `open_round(number)` returns a hagg.Round in which
    this client can share. A transport of your choice carries the files in its directory to the stations.
    """

    def __init__(self, client, number, open_round):
        self.client, self.number, self.open_round = client, number, open_round

    def get_properties(self, config):
        return {}

    def get_parameters(self, config):
        raise RuntimeError("a client shares its parameters and does not send them: set initial_parameters of the "
                           "strategy")

    def fit(self, parameters, config):
        trained, n_samples, _ = self.client.fit(parameters, config)
        update = n_samples * (flat(trained) - flat(parameters))
        self.open_round(int(config[ROUND])).share(self.number, update, samples=n_samples)
        # nothing about the data goes to the server: no parameters, no number of samples, no metrics
        return [], 0, {}

    def evaluate(self, parameters, config):
        raise RuntimeError("a client does not send its loss: set evaluate_fn of the strategy, and leave "
                           "fraction_evaluate at 0")


class DecodingStrategy(FedAvg):
    """FedAvg whose mean is decoded from sums of shares.

    `open_round(number)` returns the federator's hagg.Round, and `finish(round)` the mean update. By default
    all stations are simulated on the machine of the server. If they are elsewhere, `finish` issues the
    roster, waits for the sums of the stations, and returns round.decode(mean=True). The other arguments are
    those of FedAvg; no client is asked to evaluate the model.
    """

    def __init__(self, open_round, initial_parameters,
                 finish=lambda private_round: private_round.total(mean=True), **options):
        super().__init__(initial_parameters=initial_parameters, **{"fraction_evaluate": 0.0, **options})
        self.open_round, self.finish = open_round, finish
        self.parameters = None  # of the model before the round

    def configure_fit(self, server_round, parameters, client_manager):
        self.parameters = parameters_to_ndarrays(parameters)
        return [(client, FitIns(ins.parameters, {**ins.config, ROUND: server_round}))
                for client, ins in super().configure_fit(server_round, parameters, client_manager)]

    def aggregate_fit(self, server_round, results, failures):
        if not results or (failures and not self.accept_failures):
            return None, {}
        for client, result in results:
            if parameters_to_ndarrays(result.parameters):
                raise ValueError(f"client {client.cid} returned its parameters in plain: use SharingClient")
        private_round = self.open_round(server_round)
        mean = self.finish(private_round)
        updated = [old + new for old, new in zip(self.parameters, unflat(mean, self.parameters))]
        report = private_round.report
        return ndarrays_to_parameters(updated), {"clients": len(report.clients), "samples": report.samples,
                                                 "error_bound": report.error_bound}


def flat(arrays):
    """All numbers of a model in one vector."""
    return np.concatenate([np.ravel(array).astype("f8") for array in arrays])


def unflat(vector, like):
    """The vector cut into arrays of these shapes and types."""
    parts = np.split(vector, np.cumsum([array.size for array in like])[:-1])
    return [part.reshape(array.shape).astype(array.dtype) for part, array in zip(parts, like)]
