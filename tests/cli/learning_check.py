"""Compares a run of examples/learning with training computed here, from scikit-learn and definitions.

    learning_check.py EXAMPLE DIRECTORY

Only the data of the example are used. The clients of a round are those that hagg-decode reported.
"""

import pathlib
import re
import sys
from fractions import Fraction

import numpy as np
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.preprocessing import LabelBinarizer

sys.path.insert(0, sys.argv[1])
import digits

RATE, DECAY = 2.5, 0.001
QUANTUM = Fraction(256, 2**19 - 1)
DIRECTORY = pathlib.Path(sys.argv[2])


def load(name):
    return np.load(DIRECTORY / name)


def numbers(text):
    """The numbers in a list of numbers and ranges."""
    ends = [[int(end) for end in item.split("-")] for item in text.split()]
    return [i for end in ends for i in range(end[0], end[-1] + 1)]


def n_stations():
    """How many stations each client uses, by the plan."""
    lines = re.findall(r"^client ([\d -]+) via ([\d -]+)(?: shares ([\d -]+))?$",
                       (DIRECTORY / "learning.plan").read_text(), re.M)
    return {i: len(numbers(shares or via)) for clients, via, shares in lines for i in numbers(clients)}


def survivors(number):
    """The clients and the sample count of a round, as reported to the federator."""
    log = (DIRECTORY / "commands.log").read_text()
    pattern = rf"^round {number}: total of clients (.*), of (\d+) samples$"
    clients, n_samples = re.search(pattern, log, re.M).groups()
    return numbers(clients.replace(",", " ")), int(n_samples)


def mean_gradient(w, x, y):
    onehot = LabelBinarizer().fit(range(10)).transform(y)
    return np.einsum("si,sj->ij", x, softmax(x @ w, axis=1) - onehot) / len(y)


def close(a, b, tolerance):
    assert np.shape(a) == np.shape(b)
    assert np.max(np.abs(np.asarray(a) - b)) <= tolerance, (np.max(np.abs(np.asarray(a) - b)), tolerance)


parts, (test_images, test_y) = digits.load(12)
table = np.genfromtxt(DIRECTORY / "table.tsv", names=True, delimiter="\t")
private, plain = load("private.npy"), load("plain.npy")
n_rounds = len(table)

# round 0: the mean of all training images, of which the clients have different numbers
clients, n_samples = survivors(0)
everybody = np.vstack([images for images, _ in parts])
assert clients == list(range(1, 13)) and n_samples == len(everybody)
assert len({len(y) for _, y in parts}) > 6 and max(len(y) for _, y in parts) <= 256
mean_image = load("mean-image.npy")
close(mean_image, everybody.mean(axis=0), float(12 * QUANTUM / 2 / n_samples))


def features(images):
    return np.column_stack([images - mean_image, np.ones(len(images))])


data = {i: (features(images), y) for i, (images, y) in enumerate(parts, 1)}
x = features(everybody)
y = np.concatenate([labels for _, labels in parts])
test_x = features(test_images)

w = np.zeros((65, 10))
before = w
distance = 0.0
for number in range(1, n_rounds + 1):
    row = table[number - 1]
    clients, n_samples = survivors(number)
    there_x, there_y = (np.concatenate([data[i][part] for i in clients]) for part in (0, 1))
    assert n_samples == len(there_y) == row["samples"] and len(clients) == row["clients"]

    error = float(len(clients) * QUANTUM / 2 / n_samples)
    close(load(f"round-{number}.npy"), mean_gradient(before, there_x, there_y), error + 1e-12)
    before = private[number - 1]

    w = w - RATE * (mean_gradient(w, there_x, there_y) + DECAY * w)
    close(plain[number - 1], w, 1e-9)

    # the bound assumes that a step does not increase the distance of two points
    assert RATE * (np.linalg.norm(there_x, 2) ** 2 / n_samples / 2 + 2 * DECAY) <= 2
    distance = distance * (1 - RATE * DECAY) + RATE * error * 650**0.5
    close(row["bound"], distance, 1e-9 * distance)
    close(row["difference"], np.abs(private[number - 1] - plain[number - 1]).max(), 1e-12)
    assert row["difference"] <= distance

    for name, parameters in (("private", private[number - 1]), ("plain", w)):
        close(row[f"{name}_loss"], log_loss(y, softmax(x @ parameters, axis=1)), 1e-9)
        close(row[f"{name}_accuracy"], accuracy_score(test_y, (test_x @ parameters).argmax(axis=1)), 1e-9)

# the last round exactly: the summands are whole quanta
sums = dict(enumerate(load("gradients.npy"), 1))
assert all(np.abs(sums[i]).max() <= len(parts[i - 1][1]) for i in clients)
quanta = sum(np.rint(sums[i] * ((2**19 - 1) / 256)).astype(int) for i in clients)
exact = [float(int(q) * QUANTUM / n_samples) for q in quanta.flat]
close(load(f"round-{n_rounds}.npy").ravel(), exact, 1e-15)

# a client that is missing reached only one of its stations, and was left out
used = n_stations()
assert sorted(used) == list(range(1, 13)) and min(used.values()) >= 3
for i in used:
    arrived = list(DIRECTORY.glob(f"nodes/round-{n_rounds}/station-*/in/client-{i}.cbor"))
    assert len(arrived) == (used[i] if i in clients else 1), (i, arrived)
assert len(clients) < 12

# it learns: the loss decreases in every round, and the model is soon nearly as good as the best one for
# pooled data
best = LogisticRegression(C=1 / (DECAY * len(y)), fit_intercept=False, tol=1e-6, max_iter=2000).fit(x, y)
loss, accuracy = table["private_loss"], table["private_accuracy"]
assert np.all(np.diff(loss, prepend=np.log(10)) < 0)
assert log_loss(y, best.predict_proba(x)) < loss[-1] < np.log(10) / 4
assert best.score(test_x, test_y) - 0.08 < accuracy[-1] and accuracy[-1] > accuracy[0]
print(f"{n_rounds} rounds: accuracy {accuracy[-1]:.3f}, {best.score(test_x, test_y):.3f} at best")
