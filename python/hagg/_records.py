"""Records: shares and sums in files, with their headers and their elements as arrays."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import IO, Any, Iterable, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from ._arrays import Array, Numbers, npy, read_npy, type_option
from ._command import run, run_bytes
from ._errors import CommandError, PrivacyError
from ._files import Path, replace
from ._plan import Quantize, quantize_of

_DIGEST_BYTES = 17  # at the end of a record: the head of a byte string, and the digest


@dataclasses.dataclass(frozen=True, repr=False)
class Record:
    """A record, verified by hagg-inspect(1). `data` are its bytes, and `header` is everything that
    hagg-inspect --json prints of it. The attributes are the usual parts of the header; those that the
    record does not have are None.
    """

    data: memoryview
    header: Mapping[str, Any]

    kind: str
    of: Optional[str]
    field: Optional[str]
    round: Optional[int]
    length: Optional[int]
    shape: Optional[tuple[int, ...]]
    type: Optional[str]
    quantize: Optional[Quantize]
    scheme: Optional[Mapping[str, Any]]
    clients: Optional[Numbers]
    sender: Optional[tuple[str, int]]
    receiver: Optional[tuple[str, int]]
    plan: Optional[str]
    sealed: bool
    digest: str

    @property
    def array(self) -> Array:
        """The elements, as unsigned integers. It is not writable: it is the memory of `data`. PrivacyError
        if the record is sealed."""
        if self.sealed:
            raise PrivacyError(f"{self.header['file']}: record {self.header['record']} is sealed, so only the "
                               "command of its receiver can open it", 6)
        n_bytes = self.header["elements"] * self.header["elem_size"]
        end = len(self.data) - _DIGEST_BYTES
        return np.frombuffer(self.data[end - n_bytes:end], f"<u{self.header['elem_size']}")

    def __repr__(self) -> str:
        what = f"{self.kind} of {self.of}" if self.of else self.kind
        holder = f" for {self.receiver[0]} {self.receiver[1]}" if self.receiver else ""
        return f"<hagg.Record: {what}{holder}, {self.header['elements']} elements{', sealed' if self.sealed else ''}>"


def read(source: Union[Path, IO[bytes]]) -> list[Record]:
    """Reads and verifies all records of a file: a path, or an open binary file.

    DamagedError if a record is not in the format, or its digest is wrong.

    >>> write("shares.cbor", share(np.array([3, 1, 4]), n=3, k=2, z=1))
    >>> for record in read("shares.cbor"):
    ...     print(record, record.field, record.array.dtype, record.scheme["index"])
    <hagg.Record: share of plain for holder 1, 3 elements> m31 uint32 0
    <hagg.Record: share of plain for holder 2, 3 elements> m31 uint32 1
    <hagg.Record: share of plain for holder 3, 3 elements> m31 uint32 2
    """
    if isinstance(source, (str, os.PathLike)):
        try:
            data = pathlib.Path(source).read_bytes()
        except OSError as error:
            raise CommandError(f"{os.fspath(source)}: {error.strerror}", 1) from error
        return records_of(data, os.fspath(source))
    return records_of(source.read(), getattr(source, "name", "file"))


def write(path: Path, records: Union[Record, Iterable[Record]]) -> None:
    """Writes a record or several to a file, which appears complete or not at all, with mode 0600."""
    replace(path, [record.data for record in ([records] if isinstance(records, Record) else records)])


def share(array: npt.ArrayLike, n: int, k: int, z: int, *, quantize: Optional[Quantize] = None, field: str = "m31",
          scheme: str = "ramp", client: Optional[int] = None, clip: bool = False) -> list[Record]:
    """Shares an array among n holders, without a plan: any k of them can decode it, any z learn nothing.

    Integers are shared exactly; real numbers need `quantize`. With `client`, which a quantisation with levels
    needs, the records name the client, so that its vector is not added twice. With `clip`, numbers that are too large are clipped.

    >>> secret = np.array([[0.5, -0.25], [1.0, 0.0]])
    >>> records = share(secret, n=5, k=3, z=2, quantize=Quantize(bits=16, clip=1.0))
    >>> np.abs(decode(records[1:4]) - secret).max() < 1 / 2**15
    True
    """
    options = ["--field", field, "--scheme", scheme]
    options += ["--client", str(client)] if client is not None else []
    options += ["--clip"] if clip else []
    if quantize:
        options += ["--quantize", quantize.words.replace(" ", ",")]
    _, parts = npy(array)
    return records_of(run_bytes("hagg-share", "-n", n, "-k", k, "-z", z, *options, "--no-progress", "-o", "-", "-",
                                stdin=parts, stdin_name="array"), "shares")


def aggregate(records: Iterable[Record]) -> list[Record]:
    """Adds up what may be added, without a plan: for each holder, the sum of its shares.

    >>> ours = share([1, 20], n=3, k=2, z=1)
    >>> theirs = share([3, 40], n=3, k=2, z=1)
    >>> decode(aggregate(ours + theirs))
    array([ 4, 60])
    """
    return records_of(run_bytes("hagg-aggregate", "--plan", "", "--no-progress", "-o", "-",
                                stdin=[record.data for record in records], stdin_name="records"), "sums")


def decode(records: Iterable[Record], *, mean: bool = False, dtype: Optional[npt.DTypeLike] = None) -> Array:
    """The array that shares or sums of shares contain, with its shape, and with its type unless `dtype` is
    another one. NotEnoughError if there are fewer shares than needed, DamagedError if surplus shares
    contradict the others, MismatchError if the sum does not fit the type."""
    options = type_option(dtype) + (["--mean"] if mean else [])
    return run("hagg-decode", "--plan", "", "--quiet", "--no-progress", *options, "-o", "-", read=read_npy,
               stdin=[record.data for record in records], stdin_name="records")


def records_of(data: bytes, name: str) -> list[Record]:
    """Verifies records. The bytes that are verified are the ones that are used."""
    lines = run_bytes("hagg-inspect", "--json", "-", stdin=[data], stdin_name=name).splitlines()
    headers = [dict(json.loads(line), file=name) for line in lines[:-1]]
    ends = [header["offset"] for header in headers[1:]] + [len(data)]
    return [_record(memoryview(data)[header["offset"]:end], header) for header, end in zip(headers, ends)]


def _record(data: memoryview, header: dict[str, Any]) -> Record:
    def node(key: str) -> Optional[tuple[str, int]]:
        return (header[key][0], header[key][1]) if key in header else None

    return Record(data=data, header=header, kind=header["kind"], of=header.get("of"), field=header.get("field"),
                  round=header.get("round"), length=header.get("length"),
                  shape=tuple(header["shape"]) if "shape" in header else None, type=header.get("type"),
                  quantize=quantize_of(header.get("quant")),
                  scheme=header.get("scheme"),
                  clients=Numbers(header["clients"]) if "clients" in header else None,
                  sender=node("from"), receiver=node("to"), plan=header.get("plan"),
                  sealed=header.get("sealed", False), digest=header["digest"])
