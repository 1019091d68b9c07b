"""The nodes of a plan, as folders of one machine: what they compute in a round, and how much they send."""

import logging

import numpy as np

import hagg


class Network:
    """The files of the nodes are in DIRECTORY/nodes, and what the nodes remember is in DIRECTORY/state."""

    def __init__(self, plan, directory, keys):
        self.plan, self.directory, self.keys = plan, directory, keys
        (directory / "state").mkdir(mode=0o700)
        self.before = None  # the round before

    def round(self, number):
        return hagg.Round(self.plan, number, self.directory / "nodes", state=self.directory / "state",
                          identity=self.keys / "{tier}-{}.pem")

    def lose(self, round, clients):
        """These clients disappeared after their first share had arrived: their other stations have none."""
        for i in clients:
            for u in self.plan.stations_of(i)[1:]:
                (round.directory / f"station-{u}/in/client-{i}.cbor").unlink()

    def mean(self, round, without):
        """The mean that the federator decodes, over the clients whose shares arrived, or over all their samples
        if these are counted."""
        mean = round.total(without=without, mean=True)
        samples = "" if round.report.samples is None else f", of {round.report.samples} samples"
        logging.info("round %d: total of clients %s%s", round.number, round.report.clients, samples)
        np.save(self.directory / f"round-{round.number}.npy", mean)
        return mean

    def end(self, round):
        """The files of a round, but not its masks, are kept until the next round, for inspection."""
        for mask in round.directory.glob("station-*/in/mask-*.cbor"):
            mask.unlink()
        if self.before:
            self.before.clear()
        self.before = round


def bytes_sent(round):
    """The sizes of all files that one node sent to another in this round, and of the roster, which has a
    record for each node. A dealer keeps the mask that it made for itself."""
    received = [path for path in round.directory.glob("*/in/*.cbor")
                if path.parts[-3:] not in {(f"station-{u}", "in", f"mask-{u}.cbor") for u in round.plan.stations}]
    return sum(path.stat().st_size for path in [*received, round.directory / "federator/out/roster.cbor"])


def bytes_sent_by_clients(round):
    return sum(path.stat().st_size for path in round.directory.glob("station-*/in/client-*.cbor"))
