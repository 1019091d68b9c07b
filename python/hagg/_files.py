"""Files that appear complete or not at all, and directories of one user."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from typing import Any, Iterable, Union

Path = Union[str, "os.PathLike[str]"]


def private(directory: pathlib.Path) -> pathlib.Path:
    """Makes a directory that only its owner can use, unless it exists. One that exists keeps its mode: another
    program may have made it, to deliver files there."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return directory


def replace(path: Path, buffers: Iterable[Any], mode: int = 0o600) -> None:
    """Writes a file beside its final name, syncs it, and renames it."""
    target = pathlib.Path(path)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f"{target.name}.")
    try:
        with open(descriptor, "wb") as file:
            for buffer in buffers:
                file.write(buffer)
            os.fchmod(descriptor, mode)
            file.flush()
            os.fsync(descriptor)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
