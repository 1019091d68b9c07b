"""Runs the commands. Vectors pass through pipes only."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
import warnings
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Sequence, TypeVar

from ._errors import CommandError, HaggWarning, failure, message_lines

T = TypeVar("T")
Buffers = Iterable[Any]  # bytes, memoryviews and contiguous arrays


def find(name: str) -> str:
    """The path of a command: in the directory HAGG_BIN if that is set, otherwise on PATH."""
    directory = os.environ.get("HAGG_BIN")
    path = shutil.which(name, path=directory) if directory else shutil.which(name)
    if path is None:
        where = f"in {directory} (HAGG_BIN)" if directory else "on PATH: install hagg, or set HAGG_BIN"
        raise CommandError(f"{name} is not {where}", 1, [name])
    return path


class Feed:
    """A pipe from which a command reads bytes of this process, under a name such as /dev/fd/7."""

    def __init__(self, buffers: Buffers):
        self.buffers = buffers
        self.end, self._start = os.pipe()
        self.name = f"/dev/fd/{self.end}"

    def write(self) -> None:
        with open(self._start, "wb", buffering=0) as pipe:
            write_all(pipe, self.buffers)

    def close(self) -> None:
        os.close(self.end)


def write_all(pipe: BinaryIO, buffers: Buffers) -> None:
    # a command that fails does not read to the end; its exit status and message say why
    with contextlib.suppress(BrokenPipeError):
        for buffer in buffers:
            rest = memoryview(buffer).cast("B")
            while rest:
                rest = rest[pipe.write(rest):]


def read_all(pipe: BinaryIO) -> bytes:
    return pipe.read()


def run(name: str, *arguments: object, stdin: Buffers = (), feeds: Sequence[Feed] = (),
        read: Callable[[BinaryIO], T] = read_all,  # type: ignore[assignment]
        accept: Sequence[int] = (0,)) -> T:
    """Runs a command and returns what `read` makes of its standard output. Notes become warnings, and a
    status that is not accepted an exception."""
    command = [name, *map(str, arguments)]
    with running([find(name), *command[1:]], feeds) as process:
        assert process.stdin and process.stdout and process.stderr
        writers = [threading.Thread(target=feed_stdin, args=(process.stdin, stdin))]
        writers += [threading.Thread(target=feed.write) for feed in feeds]
        errors: list[bytes] = []
        stderr = process.stderr
        threads = [*writers, threading.Thread(target=lambda: errors.append(stderr.read()))]
        for thread in threads:
            thread.start()
        output, unreadable = None, None
        try:
            output = read(process.stdout)
        except (ValueError, EOFError) as error:
            unreadable = error
        process.stdout.read()  # a command that fails may have written more than was understood
        for thread in threads:
            thread.join()
        status = process.wait()
    text = b"".join(errors).decode(errors="replace")
    if status not in accept:
        raise failure(status, text, command)
    if unreadable:
        raise unreadable
    for line in message_lines(name, text):
        warnings.warn(line, HaggWarning, stacklevel=3)
    return output  # type: ignore[return-value]


def feed_stdin(pipe: BinaryIO, buffers: Buffers) -> None:
    write_all(pipe, buffers)
    with contextlib.suppress(BrokenPipeError):
        pipe.close()


@contextlib.contextmanager
def running(command: Sequence[str], feeds: Sequence[Feed]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, bufsize=0,
                                   pass_fds=[feed.end for feed in feeds])
    finally:
        for feed in feeds:
            feed.close()
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise
