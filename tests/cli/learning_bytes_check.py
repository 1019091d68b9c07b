"""Compares a run of examples/learning/run-bytes with training computed here, from the opened shares of the
clients, from definitions, and with scikit-learn.

    learning_bytes_check.py EXAMPLE DIRECTORY KEPT TABLE

TABLE is that of the documentation. KEPT/NAME/round-N has the files of round N as they were when the federator decoded. Of the example, only the
data and the choice of the missing nodes are used.
"""

import os
import pathlib
import re
import sys
from types import SimpleNamespace

import numpy as np
from scipy.special import softmax
from sklearn.metrics import accuracy_score, log_loss
from sklearn.preprocessing import LabelBinarizer

from client_integers import N_SEGMENTS, ClientIntegers

sys.path.insert(0, sys.argv[1])
import digits
import dropouts

DIRECTORY, KEPT = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
RATE, DECAY, FIRST_CLIP, N_PARAMETERS = 1.0, 0.001, 0.1, 21450
# the bytes of an element, its field, and the half number of steps from -clip to clip
NAMES = {"full": (4, "m31", 2**23 - 1), "8-bits": (2, "prime:p=65521", 127), "4-bits": (1, "prime:p=251", 7),
         "ternary": (1, "prime:p=251", 1), "sign": (1, "prime:p=251", 1)}
PLAN = SimpleNamespace(clients=range(1, 13), stations=range(1, 6), relays=range(1, 5),
                       drop=SimpleNamespace(clients=2, stations=1, relays=1))


def numbers(text):
    """The numbers in a list of numbers and ranges."""
    ends = [[int(end) for end in item.split("-")] for item in text.split(",")]
    return [i for end in ends for i in range(end[0], end[-1] + 1)]


def close(a, b, tolerance):
    assert np.shape(a) == np.shape(b)
    assert np.max(np.abs(np.asarray(a) - b)) <= tolerance, (np.max(np.abs(np.asarray(a) - b)), tolerance)


def features(images):
    x = images - 0.3
    pairs = [x[:, i] * x[:, j] for i in range(64) for j in range(i, 64)]
    return np.column_stack([x, *pairs, np.ones(len(x))])


parts, (test_images, test_y) = digits.load(12)
data = {i: (features(images), LabelBinarizer().fit(range(10)).transform(y)) for i, (images, y) in enumerate(parts, 1)}
test_x = features(test_images)
os.chdir(DIRECTORY)  # sealed_records expects the private keys in keys


def mean_gradient(w, client):
    x, onehot = data[client]
    return x.T @ (softmax(x @ w, axis=1) - onehot) / len(x)


class Training:
    """Follows a training from its records."""

    def __init__(self, name):
        self.name, self.directory, (_, field, self.steps) = name, DIRECTORY / name, NAMES[name]
        assert f"field {field}\n" in (DIRECTORY / f"{name}.plan").read_text()
        self.integers = ClientIntegers(field, self.steps, {"sign": 2, "ternary": 3}.get(name))
        self.table = np.genfromtxt(self.directory / "table.tsv", names=True, dtype=None, encoding="ascii")
        self.log = (self.directory / "commands.log").read_text()
        self.parameters = np.load(self.directory / "parameters.npy")
        self.w = np.zeros((N_PARAMETERS // 10, 10))
        self.residuals = {i: np.zeros_like(self.w) for i in data}
        self.error = self.variance = self.client_bytes = self.bytes = 0
        self.clients = []  # of each round
        for row in self.table:
            self.check_round(row, KEPT / name / f"round-{row['round']}")
        self.check_end()

    def check_round(self, row, directory):
        number = row["round"]
        clip = 1.0 if self.name == "full" else FIRST_CLIP / number**0.5
        clients = numbers(re.search(rf"^round {number}: total of clients (.*)$", self.log, re.M)[1])
        self.clients.append(clients)
        assert row["precision"] == self.name and number == len(self.clients) and row["clients"] == len(clients)
        found = {i: self.integers.of(directory, i) for i in clients}
        for i in clients:
            self.check_integers(i, found[i], clip)
        total = self.check_total(found, np.load(self.directory / f"round-{number}.npy"))
        self.check_step(row, clip * total / len(clients) / self.steps)
        self.check_bytes(row, directory)
        check_missing(number, clients, directory)

    def check_integers(self, client, found, clip):
        """They are allowed roundings of the gradient plus the residual."""
        gradient = mean_gradient(self.w, client)
        wanted = ((gradient + self.residuals[client]) / clip).ravel()
        assert np.abs(found).max() <= self.steps
        scaled = np.clip(wanted, -1, 1) * self.steps
        if self.name == "sign":
            # signs of almost nothing depend on the order of summation
            clear = np.abs(wanted) > 1e-9
            assert np.mean(clear) > 0.999 and np.all((found == np.where(wanted >= 0, 1, -1))[clear])
            if np.any(self.residuals[client]):  # control: without its residual it would send other signs
                assert np.mean(np.where(gradient >= 0, 1, -1).ravel() != found) > 0.01
            self.residuals[client] += gradient - clip * found.reshape(gradient.shape)
        elif self.name in ("full", "8-bits"):
            assert np.abs(found - scaled).max() <= 0.5 + 1e-6
        else:
            assert np.abs(found - scaled).max() < 1 + 1e-9
            fraction = scaled - np.floor(scaled)
            self.error += np.sum(found - scaled)
            self.variance += np.sum(fraction * (1 - fraction))

    def check_total(self, found, mean):
        """hagg found the sum of these integers. Only its conversion to a double is rounded."""
        total = sum(found.values())
        exact = mean.ravel() * (len(found) * self.steps)
        assert np.all(np.rint(exact) == total)
        assert np.abs(exact - total).max() <= 2**-50 * len(found) * self.steps
        # control: with the vector of another client it would be another sum
        first, second, *_ = found.values()
        assert np.any(np.rint(exact) != total - first + second)
        return total

    def check_step(self, row, mean):
        after = self.w - RATE * (mean.reshape(self.w.shape) + DECAY * self.w)
        close(self.parameters[row["round"] - 1], after, 1e-12)
        self.w = self.parameters[row["round"] - 1]
        close(row["accuracy"], accuracy_score(test_y, (test_x @ self.w).argmax(axis=1)), 1e-9)
        close(row["loss"], log_loss(test_y, softmax(test_x @ self.w, axis=1)), 1e-9)

    def check_bytes(self, row, directory):
        """All files but the masks that dealers made for themselves."""
        files = {path: path.stat().st_size for path in directory.rglob("*.cbor")}
        own = {directory / f"station-{u}/in/mask-{u}.cbor" for u in PLAN.stations}
        assert own & set(files) and directory / "federator/out/roster.cbor" in files
        self.bytes += sum(size for path, size in files.items() if path not in own)
        self.client_bytes += sum(size for path, size in files.items() if path.name.startswith("client-"))
        assert row["client_bytes"] == self.client_bytes and row["bytes"] == self.bytes

    def check_end(self):
        """What a client has sent and its residual add up to its gradients; and stochastic rounding is unbiased,
        to six standard deviations."""
        stored = np.load(self.directory / "residuals.npy")
        close(stored, [self.residuals[i] for i in sorted(data)], 1e-12)
        assert np.all(np.abs(stored).max(axis=(1, 2)) > 0) == (self.name == "sign")
        assert (self.variance > 1000) == (self.name in ("4-bits", "ternary"))
        assert abs(self.error) <= 6 * self.variance**0.5


def check_missing(number, clients, directory):
    """A lost client reached one station; of a missing station or relay there is nothing."""
    lost, without = dropouts.of_round(PLAN, number)
    assert clients == [i for i in data if i not in lost]
    for i in lost:
        assert len(list(directory.glob(f"station-*/in/client-{i}.cbor"))) == 1
    gone = dict(word.split("=") for word in (without or "").split())
    summed = {path.stem for path in directory.glob("relay-*/in/*.cbor")}
    assert summed == {f"from-station-{u}" for u in PLAN.stations if str(u) != gone.get("stations")}
    assert not (directory / f"relay-{gone.get('relays')}").exists()


trainings = {name: Training(name) for name in NAMES}
full = trainings["full"]
n_rounds = len(full.clients)
assert any(len(clients) < 12 for clients in full.clients) and n_rounds >= 3  # a station and a relay are missing
assert all(training.clients == full.clients for training in trainings.values())

# the shares have elements of 4, 2 and 1 bytes, and little else; fewer bytes are more accurate than full precision
n_shares = sum(4 * len(clients) + 12 - len(clients) for clients in full.clients)
n_elements = n_shares * N_PARAMETERS // N_SEGMENTS
for name, training in trainings.items():
    others = training.client_bytes - NAMES[name][0] * n_elements
    assert 0 < others < 0.06 * n_elements, (name, others)
    if name != "full":
        within = full.table[full.table["bytes"] <= training.bytes]
        assert 0 < len(within) < n_rounds, (name, within)
        assert training.table["accuracy"][-1] > within["accuracy"].max(), (name, within)

# the table of the documentation is from a run like this one, but for the chances of rounding and lengths in headers
documented = np.genfromtxt(sys.argv[4], names=True, dtype=None, encoding="ascii")
for name, training in trainings.items():
    begin = documented[documented["precision"] == name][:n_rounds]
    for column in ("client_bytes", "bytes"):
        assert np.all(abs(begin[column] / training.table[column] - 1) < 0.01), (name, column)
    assert np.all(abs(begin["loss"] / training.table["loss"] - 1) < 0.05), name
print(", ".join(f"{name} {training.table['accuracy'][-1]:.3f}" for name, training in trainings.items()))
