"""Files that appear complete or not at all."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from typing import Any, Iterable, Union

Path = Union[str, "os.PathLike[str]"]


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
