"""Messages between server and clients."""

import io
from dataclasses import dataclass
from enum import Enum

import numpy as np


class Code(Enum):
    OK = 0


@dataclass
class Status:
    code: Code
    message: str


@dataclass
class Parameters:
    tensors: list
    tensor_type: str


@dataclass
class FitIns:
    parameters: Parameters
    config: dict


@dataclass
class FitRes:
    status: Status
    parameters: Parameters
    num_examples: int
    metrics: dict


def ndarrays_to_parameters(ndarrays):
    tensors = []
    for array in ndarrays:
        file = io.BytesIO()
        np.save(file, array, allow_pickle=False)
        tensors.append(file.getvalue())
    return Parameters(tensors=tensors, tensor_type="numpy.ndarray")


def parameters_to_ndarrays(parameters):
    return [np.load(io.BytesIO(tensor), allow_pickle=False) for tensor in parameters.tensors]
