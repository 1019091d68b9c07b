"""Arrays in pipes, in the .npy format, and sets of numbers in arguments."""

from __future__ import annotations

import io
import itertools
from collections.abc import Set
from typing import IO, Any, Iterable, Iterator, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._errors import UsageError

Array = npt.NDArray[Any]


def npy(array: npt.ArrayLike) -> tuple[Array, list[Any]]:
    """The array, and the parts of its .npy file. The elements are not copied if they are in C order."""
    if isinstance(array, np.ma.MaskedArray):
        raise UsageError("a masked array would be shared with the values behind its mask: use its method filled", 2)
    try:
        values = np.asarray(array, order="C")
    except ValueError as error:
        raise UsageError(f"this is not one array: {error}; to share arrays of different shapes together, flatten and "
                         "concatenate them, as in np.concatenate([a.ravel(), b.ravel()])", 2) from None
    if values.dtype.hasobject:
        raise UsageError(f"an array of type {values.dtype} has no numbers to share", 2)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(  # type: ignore[no-untyped-call]
        header, np.lib.format.header_data_from_array_1_0(values))  # type: ignore[no-untyped-call]
    return values, [header.getvalue(), values.reshape(-1).view("u1") if values.size else b""]


def type_option(dtype: Optional[npt.DTypeLike]) -> list[str]:
    """The option of hagg-decode for this type.

    >>> type_option(np.int64), type_option(None)
    (['--type', 'i8'], [])
    """
    return ["--type", np.dtype(dtype).str[1:]] if dtype is not None else []


class _Pipe:
    """Only the method that NumPy needs: it would seek in a file."""

    def __init__(self, pipe: IO[bytes]):
        self.read = pipe.read


def read_npy(pipe: IO[bytes]) -> Array:
    """Reads the array that a command writes, directly into its memory."""
    array: Array = np.lib.format.read_array(_Pipe(pipe), allow_pickle=False)  # type: ignore[no-untyped-call]
    return array


def spelt(numbers: Union[str, Iterable[int]]) -> str:
    """A set as the commands read it. Text is returned unchanged.

    >>> spelt([5, 1, 2, 3])
    '1-3,5'
    """
    if isinstance(numbers, str):
        return numbers
    ranges: list[list[int]] = []
    for number in sorted(set(numbers)):
        if ranges and ranges[-1][1] + 1 == number:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return _join(ranges)


def _join(ranges: Iterable[Sequence[int]]) -> str:
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in ranges)


class Numbers(Set[int]):
    """A set of numbers, kept as ranges: a header can name four billion clients.

    >>> numbers = Numbers([[1, 3], [5, 5]])
    >>> numbers, sorted(numbers), len(numbers), 4 in numbers, numbers == {1, 2, 3, 5}
    (Numbers('1-3,5'), [1, 2, 3, 5], 4, False, True)
    """

    def __init__(self, ranges: Iterable[Sequence[int]]):
        self._ranges = [range(first, last + 1) for first, last in ranges]

    @classmethod
    def _from_iterable(cls, numbers: Iterable[Any]) -> frozenset[Any]:
        return frozenset(numbers)

    def __contains__(self, number: object) -> bool:
        return any(number in part for part in self._ranges)

    def __iter__(self) -> Iterator[int]:
        return itertools.chain.from_iterable(self._ranges)

    def __len__(self) -> int:
        return sum(len(part) for part in self._ranges)

    def __str__(self) -> str:
        return _join((part[0], part[-1]) for part in self._ranges)

    def __repr__(self) -> str:
        return f"Numbers({str(self)!r})"
