"""Sums of vectors that reveal none of them: the hagg commands for NumPy."""

from __future__ import annotations

from ._errors import (CommandError, DamagedError, Error, HaggWarning, MismatchError, NotEnoughError,
                      PrivacyError, UsageError)

__all__ = ["CommandError", "DamagedError", "Error", "HaggWarning", "MismatchError", "NotEnoughError",
           "PrivacyError", "UsageError"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'hagg' has no attribute {name!r}")


def _version() -> str:
    """That of the installed package or, in a source tree, of the commands."""
    from importlib import metadata

    from ._command import run

    try:
        return metadata.version("hagg")
    except metadata.PackageNotFoundError:
        return run("hagg", "--version").decode().split()[-1]
