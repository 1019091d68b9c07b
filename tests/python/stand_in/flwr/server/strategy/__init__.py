"""Strategies. FedAvg refuses to aggregate, because the test is about a strategy that does not use it."""

from flwr.common import FitIns


class FedAvg:
    def __init__(self, *, fraction_fit=1.0, fraction_evaluate=1.0, min_fit_clients=2, min_evaluate_clients=2,
                 min_available_clients=2, evaluate_fn=None, on_fit_config_fn=None, on_evaluate_config_fn=None,
                 accept_failures=True, initial_parameters=None, fit_metrics_aggregation_fn=None,
                 evaluate_metrics_aggregation_fn=None, inplace=True):
        self.fraction_fit, self.min_fit_clients = fraction_fit, min_fit_clients
        self.min_available_clients, self.fraction_evaluate = min_available_clients, fraction_evaluate
        self.on_fit_config_fn, self.accept_failures = on_fit_config_fn, accept_failures

    def configure_fit(self, server_round, parameters, client_manager):
        config = self.on_fit_config_fn(server_round) if self.on_fit_config_fn else {}
        n_clients = max(int(self.fraction_fit * client_manager.num_available()), self.min_fit_clients)
        clients = client_manager.sample(num_clients=n_clients, min_num_clients=self.min_available_clients)
        return [(client, FitIns(parameters, config)) for client in clients]

    def aggregate_fit(self, server_round, results, failures):
        raise AssertionError("plain aggregation")
