"""Multinomial logistic regression with a penalty on the size of the parameters, by gradient descent.

Parameters are a row for each pixel and one for the constant, a column for each digit.
"""

import numpy as np

RATE = 2.5
DECAY = 1e-3


def start(n_pixels, n_classes):
    return np.zeros((n_pixels + 1, n_classes))


def features(images, mean_image):
    """Pixels less their mean, and a constant. None is beyond 1, as pixels and means are in [0, 1]."""
    return np.hstack([images - mean_image, np.ones((len(images), 1))])


def log_probabilities(parameters, x):
    scores = x @ parameters
    scores -= scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def gradient_sum(parameters, x, labels):
    """Of the loss, summed over the samples. Each adds a feature times the difference of two
    probabilities, so no element is beyond the number of samples."""
    errors = np.exp(log_probabilities(parameters, x))
    errors[np.arange(len(labels)), labels] -= 1
    return x.T @ errors


def step(parameters, mean_gradient):
    return parameters - RATE * (mean_gradient + DECAY * parameters)


def loss(parameters, x, labels):
    """The mean over the samples, without the penalty."""
    return -log_probabilities(parameters, x)[np.arange(len(labels)), labels].mean()


def accuracy(parameters, x, labels):
    return (log_probabilities(parameters, x).argmax(axis=1) == labels).mean()


def curvature(x):
    """No second derivative of the mean loss with its penalty is greater: those of a sample's loss by
    its scores, diag(p) - p p', are at most 1/2, for that is what 2 p (1 - p), a sum over a row of
    sizes, is at most."""
    return np.linalg.eigvalsh(x.T @ x / len(x))[-1] / 2 + DECAY
