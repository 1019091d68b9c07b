"""Sums of vectors that reveal none of them: the hagg commands for NumPy.

`Plan` describes a network, `Round` is a round of private aggregation in it, and `read`, `write`, `share`,
`aggregate` and `decode` are for single records. The commands are found in the directory HAGG_BIN, if that
is set, and otherwise on PATH. Arrays are passed to them and from them through pipes.

A command that fails raises an `Error` with its message; each exit status has a subclass. Notes of a
successful command become warnings of class `HaggWarning`. The logger "hagg" gets every command line, as DEBUG.
"""

from __future__ import annotations

from ._errors import (CommandError, DamagedError, Error, HaggWarning, MismatchError, NotEnoughError,
                      PrivacyError, UsageError)
from ._plan import Audit, Beyond, Cost, Counts, Leak, Plan, Quantize
from ._records import Record, aggregate, decode, read, share, write
from ._round import Report, Round

__all__ = ["Audit", "Beyond", "CommandError", "Cost", "Counts", "DamagedError", "Error", "HaggWarning", "Leak",
           "MismatchError", "NotEnoughError", "Plan", "PrivacyError", "Quantize", "Record", "Report", "Round",
           "UsageError", "aggregate", "decode", "read", "share", "write"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'hagg' has no attribute {name!r}")


def _version() -> str:
    """That of the installed package or, in a source tree, of the commands."""
    from importlib import metadata

    from ._command import run_bytes

    try:
        return metadata.version("hagg")
    except metadata.PackageNotFoundError:
        return run_bytes("hagg", "--version").decode().split()[-1]
