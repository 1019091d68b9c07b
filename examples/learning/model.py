"""Multinomial logistic regression with a penalty on the size of the parameters, by gradient descent.

The parameters have one row for each feature and one column for each digit.
"""

import numpy as np

RATE = 2.5
DECAY = 1e-3


def start(n_pixels, n_classes):
    return np.zeros((n_pixels + 1, n_classes))


def features(images, mean_image):
    """Pixels minus their mean, and a constant. Pixels and means are in [0, 1], so no feature exceeds 1
    in size."""
    return np.hstack([images - mean_image, np.ones((len(images), 1))])


def pair_features(images):
    """Pixels, products of two pixels, and a constant. Pixels are in [0, 1] and 0.3 on average, so no feature
    exceeds 1 in size."""
    pixels = images - 0.3
    first, second = np.triu_indices(pixels.shape[1])
    return np.hstack([pixels, pixels[:, first] * pixels[:, second], np.ones((len(pixels), 1))])


def log_probabilities(parameters, x):
    scores = x @ parameters
    scores -= scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def gradient_sum(parameters, x, labels):
    """The gradient of the loss, summed over the samples. Each sample adds a feature times the
    difference of two probabilities, so no element exceeds the number of samples in size."""
    errors = np.exp(log_probabilities(parameters, x))
    errors[np.arange(len(labels)), labels] -= 1
    return x.T @ errors


def step(parameters, mean_gradient, rate=RATE):
    return parameters - rate * (mean_gradient + DECAY * parameters)


def loss(parameters, x, labels):
    """The mean loss over the samples, without the penalty."""
    return -log_probabilities(parameters, x)[np.arange(len(labels)), labels].mean()


def accuracy(parameters, x, labels):
    return (log_probabilities(parameters, x).argmax(axis=1) == labels).mean()


def curvature(x):
    """An upper bound on the second derivatives of the mean loss with its penalty. The second
    derivatives of one sample's loss by its scores are diag(p) - p p'. The absolute values in a row of
    this matrix add up to 2 p (1 - p), which is at most 1/2, and this bounds its eigenvalues."""
    return np.linalg.eigvalsh(x.T @ x / len(x))[-1] / 2 + DECAY
