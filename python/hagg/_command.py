"""Runs the commands. Arrays pass through pipes only, never through files."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shlex
import shutil
import subprocess
import threading
import warnings
from typing import IO, Any, Callable, Iterable, Iterator, Optional, Sequence, TypeVar

from ._errors import CommandError, HaggWarning, failure, message_lines

T = TypeVar("T")
Buffers = Iterable[Any]  # objects with contiguous memory: bytes, arrays, parts of them

log = logging.getLogger("hagg")


def find(name: str) -> str:
    """The path of a command: in the directory HAGG_BIN if that is set, otherwise on PATH."""
    directory = os.environ.get("HAGG_BIN")
    path = shutil.which(name, path=directory or None)
    if path is None:
        where = f"in {directory} (HAGG_BIN)" if directory else "on PATH: install it, or set HAGG_BIN"
        raise CommandError(f"{name} is not {where}", 1, [name])
    return path


class Feed:
    """A pipe with bytes of this process, for a command to read under the name `name`. Messages call it `label`."""

    def __init__(self, label: str, buffers: Buffers):
        self.label = label
        self.buffers = buffers
        self.read_end, self.write_end = os.pipe()
        self.name = f"/dev/fd/{self.read_end}"


def _write(process: subprocess.Popen[bytes], pipe: IO[bytes], buffers: Buffers, failures: list[Exception]) -> None:
    # a command that fails does not read to the end; its status and its message are reported
    with contextlib.suppress(BrokenPipeError), pipe:
        try:
            for buffer in buffers:
                rest = memoryview(buffer).cast("B")
                while rest:
                    rest = rest[pipe.write(rest):]
        except BrokenPipeError:
            raise
        except Exception as error:  # for instance, a file cannot be read
            failures.append(error)
            # before the pipe is closed: to the command, an input that ends early looks complete
            process.kill()
            process.wait()


def run(name: str, *arguments: object, read: Callable[[IO[bytes]], T], stdin: Buffers = (),
        stdin_name: str = "standard input", feeds: Sequence[Feed] = (), accept: Sequence[int] = (0,),
        notes: bool = True, facts: Optional[dict[str, Any]] = None) -> T:
    """Runs a command and returns what `read` makes of its standard output.

    A status that is not in `accept` becomes an exception, in whose message standard input is called
    `stdin_name`. With `notes`, what a command that succeeds prints on standard error becomes warnings.
    With `facts`, the command runs with --json, and its report is added to them.
    """
    command = [name, *(["--json"] if facts is not None else []), *map(str, arguments)]
    log.debug("%s", shlex.join(command))
    output: T
    unreadable = None
    printed: list[bytes] = []
    failures: list[Exception] = []
    with _started(command, feeds) as process:
        assert process.stdin and process.stdout and process.stderr
        stderr = process.stderr
        pipes = [(open(feed.write_end, "wb", buffering=0), feed.buffers) for feed in feeds]
        threads = [threading.Thread(target=_write, args=(process, pipe, buffers, failures))
                   for pipe, buffers in [*pipes, (process.stdin, stdin)]]
        threads.append(threading.Thread(target=lambda: printed.append(stderr.read())))
        for thread in threads:
            thread.start()
        try:
            output = read(process.stdout)
        except (ValueError, EOFError) as error:  # incomplete, perhaps because the command failed
            unreadable = error
        while process.stdout.read(1 << 16):
            pass
        for thread in threads:
            thread.join()
        status = process.wait()
    if failures:
        first = failures[0]
        if isinstance(first, OSError):
            raise CommandError(f"{first.filename}: {first.strerror}", 1, command) from first
        raise first
    lines = message_lines(name, printed[0].decode(errors="replace"))
    if facts is not None and lines and lines[-1].startswith("{"):
        facts.update(json.loads(lines[-1]))
        lines = facts["notes"] + ([facts["error"]] if facts["error"] else [])
    labels = [("standard input", stdin_name), *((f"{feed.name}:", f"{feed.label}:") for feed in feeds)]
    for spelling, label in labels:
        lines = [line.replace(spelling, label) for line in lines]
    if status not in accept:
        raise failure(status, lines, command)
    if unreadable:
        raise unreadable
    if notes:
        for line in lines:
            warnings.warn(f"{name}: {line}", HaggWarning, stacklevel=_outside())
    return output


def run_bytes(name: str, *arguments: object, **options: Any) -> bytes:
    """Runs a command and returns its standard output."""
    return run(name, *arguments, read=lambda pipe: pipe.read(), **options)


def _outside() -> int:
    """The stacklevel of the first caller outside this package."""
    import sys

    level, frame = 2, sys._getframe(2)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


@contextlib.contextmanager
def _started(command: Sequence[str], feeds: Sequence[Feed]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        process = subprocess.Popen([find(command[0]), *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, bufsize=0, pass_fds=[feed.read_end for feed in feeds])
    except BaseException:
        for feed in feeds:
            os.close(feed.write_end)
        raise
    finally:
        for feed in feeds:
            os.close(feed.read_end)
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise
