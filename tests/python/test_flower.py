"""examples/python/flower_strategy.py, with a stand-in for Flower, against federated averaging in NumPy."""

import inspect
import pathlib
import sys

import numpy as np

from case import SOURCE, Case

sys.path[:0] = [str(SOURCE / "examples/python"), str(pathlib.Path(__file__).parent / "stand_in")]
import flower_strategy
from flwr.client import NumPyClient
from flwr.common import Code, FitRes, Status, ndarrays_to_parameters, parameters_to_ndarrays

import hagg

PLAN = """
collude  full clients=1 stations=1
drop     clients=1
quantize bits=24 clip=64
samples
stations 4
client   1-4 via 1-4
client   5   via 1-3
"""


class Trainer(NumPyClient):
    """One step of linear regression on data of its own."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.normal(size=(10 + 5 * seed, 3))
        self.y = self.x @ [1.0, -2.0, 0.5] + 0.3

    def fit(self, parameters, config):
        assert config["rate"] == 0.1
        weights, bias = parameters
        errors = self.x @ weights + bias - self.y
        step = [weights - 0.1 * self.x.T @ errors / len(self.y), (bias - 0.1 * errors.mean()).astype("f4")]
        return step, len(self.y), {"loss": float((errors**2).mean())}


    def get_properties(self, config):
        return {"samples": len(self.y)}

    def get_parameters(self, config):
        return [self.x.mean(axis=0), np.zeros(())]

    def evaluate(self, parameters, config):
        return 0.5, len(self.y), {"accuracy": 0.9}


class Proxy:
    """A client as the server sees it: it keeps everything that the client sends."""

    def __init__(self, cid, client):
        self.cid, self.client, self.sent = str(cid), client, []

    def fit(self, ins):
        parameters, n_examples, metrics = self.client.fit(parameters_to_ndarrays(ins.parameters), ins.config)
        self.sent.append((parameters, n_examples, metrics))
        return FitRes(Status(Code.OK, ""), ndarrays_to_parameters(parameters), n_examples, metrics)


class Manager:
    def __init__(self, proxies):
        self.proxies = proxies

    def num_available(self):
        return len(self.proxies)

    def sample(self, num_clients, min_num_clients=None, criterion=None):
        return self.proxies[:num_clients]


class Flower(Case):
    def setUp(self):
        super().setUp()
        plan = hagg.Plan(PLAN)
        self.trainers = [Trainer(seed) for seed in range(1, 6)]

        def open_round(number):
            return hagg.Round(plan, number, "work", sealed=True)

        self.proxies = [Proxy(i, flower_strategy.SharingClient(trainer, i, open_round))
                        for i, trainer in enumerate(self.trainers, 1)]
        self.strategy = flower_strategy.DecodingStrategy(
            open_round, ndarrays_to_parameters([np.zeros(3), np.zeros((), "f4")]), min_fit_clients=5,
            min_available_clients=5, on_fit_config_fn=lambda number: {"rate": 0.1})

    def play(self, number, parameters, failing=()):
        """A round of the server's loop."""
        results, failures = [], []
        sent = ndarrays_to_parameters(parameters)
        for proxy, ins in self.strategy.configure_fit(number, sent, Manager(self.proxies)):
            if proxy.cid in failing:
                failures.append(RuntimeError("lost"))
            else:
                results.append((proxy, proxy.fit(ins)))
        parameters, metrics = self.strategy.aggregate_fit(number, results, failures)
        return parameters_to_ndarrays(parameters), metrics

    def averaged(self, parameters, clients):
        """FedAvg by its definition: the mean of the trained models, weighted by the numbers of samples."""
        fits = [self.trainers[i - 1].fit(parameters, {"rate": 0.1}) for i in clients]
        total = sum(n for _, n, _ in fits)
        return [sum(n * trained[k].astype("f8") for trained, n, _ in fits) / total for k in range(2)], total

    def test_rounds_agree_with_federated_averaging(self):
        parameters = [np.zeros(3), np.zeros((), "f4")]
        for number, failing in ((1, ()), (2, "3"), (3, ())):
            clients = [i for i in range(1, 6) if str(i) not in failing]
            expected, n_samples = self.averaged(parameters, clients)
            parameters, metrics = self.play(number, parameters, failing)
            self.assertEqual([(p.shape, p.dtype) for p in parameters], [((3,), np.dtype("f8")), ((), np.dtype("f4"))])
            for got, want in zip(parameters, expected):
                np.testing.assert_allclose(got, want, atol=metrics["error_bound"] + 1e-7)
            self.assertEqual((metrics["clients"], metrics["samples"]), (len(clients), n_samples))
            self.assertLess(metrics["error_bound"], 1e-6)

    def test_the_server_sees_nothing_of_a_client(self):
        self.play(1, [np.zeros(3), np.zeros((), "f4")])
        for proxy in self.proxies:
            self.assertEqual(proxy.sent, [([], 0, {})])
        shares = list(pathlib.Path("work/round-1").glob("station-*/in/client-*.cbor"))
        self.assertEqual(len(shares), 4 * 4 + 3)
        self.assertTrue(all(record.sealed for path in shares for record in hagg.read(path)))

    def test_a_client_answers_nothing_else(self):
        self.play(1, [np.zeros(3), np.zeros((), "f4")])
        for proxy in self.proxies:
            self.assertEqual(proxy.client.get_properties({}), {})
            with self.assertRaisesRegex(RuntimeError, "set initial_parameters"):
                proxy.client.get_parameters({})
            with self.assertRaisesRegex(RuntimeError, "set evaluate_fn"):
                proxy.client.evaluate([np.zeros(3), np.zeros((), "f4")], {})
        self.assertEqual(self.strategy.fraction_evaluate, 0.0)
        # every method by which the server can ask a client is one of those that were tried
        asked = {name for name in vars(NumPyClient) if not name.startswith("_")}
        self.assertEqual(asked, {"get_properties", "get_parameters", "fit", "evaluate"})
        self.assertLessEqual(asked, set(vars(flower_strategy.SharingClient)))

    def test_an_update_beyond_the_clip_is_an_error(self):
        with self.assertRaisesRegex(hagg.DamagedError, "clip"):
            self.play(1, [np.full(3, 1e6), np.zeros((), "f4")])

    def test_a_client_that_sends_its_parameters_is_refused(self):
        self.proxies[2].client = self.trainers[2]
        with self.assertRaisesRegex(ValueError, "client 3 returned its parameters in plain"):
            self.play(1, [np.zeros(3), np.zeros((), "f4")])

    def test_too_many_failures(self):
        with self.assertRaisesRegex(hagg.PrivacyError, "2 clients are missing"):
            self.play(1, [np.zeros(3), np.zeros((), "f4")], failing="12")
        self.assertEqual(self.strategy.aggregate_fit(2, [], []), (None, {}))

    def test_the_methods_have_the_documented_signatures(self):
        strategy, client = flower_strategy.DecodingStrategy, flower_strategy.SharingClient
        for method, names in ((strategy.configure_fit, ["server_round", "parameters", "client_manager"]),
                              (strategy.aggregate_fit, ["server_round", "results", "failures"]),
                              (client.fit, ["parameters", "config"]), (client.evaluate, ["parameters", "config"])):
            self.assertEqual(list(inspect.signature(method).parameters), ["self", *names])
