"""The exit statuses of the commands as exceptions; hagg(7) lists the statuses."""

from __future__ import annotations

import re
from typing import Sequence


class Error(Exception):
    """A command failed, and its message is the text of the exception.

    `message` is the same, `status` the exit status, and `command` the command with its arguments.
    `notes` are the lines that the command printed before the message.
    """

    def __init__(self, message: str, status: int, command: Sequence[str] = (), notes: Sequence[str] = ()):
        super().__init__(message)
        self.message = message
        self.status = status
        self.command = list(command)
        self.notes = list(notes)

    def __reduce__(self) -> tuple[type[Error], tuple[str, int, list[str], list[str]]]:
        # an exception that cannot be copied from one process to another hangs a pool of processes
        return type(self), (self.message, self.status, self.command, self.notes)


class CommandError(Error):
    """Status 1: a file could not be read or written, a command or a plugin is missing, or a system call
    failed. If the command was killed, the status is minus the number of the signal."""


class UsageError(Error):
    """Status 2: an argument is wrong, or names a node that is not in the plan."""


class DamagedError(Error):
    """Status 3: a file or the state is malformed or damaged, or an array has an element that is not
    finite, exceeds the clip, or is too large."""


class MismatchError(Error):
    """Status 4: the inputs do not belong together."""


class NotEnoughError(Error):
    """Status 5: shares, keys or clients are missing."""


class PrivacyError(Error):
    """Status 6: refused, because it would harm privacy."""


class HaggWarning(UserWarning):
    """A note of a command that succeeded."""


for _kind in (Error, *Error.__subclasses__(), HaggWarning):
    _kind.__module__ = __package__  # the name under which users know it, in tracebacks too

_BY_STATUS = {2: UsageError, 3: DamagedError, 4: MismatchError, 5: NotEnoughError, 6: PrivacyError}


# the arguments in Python that set an option to which messages of a command refer
_OF_ROUND = {"--identity": "Round(identity=...)", "--state": "Round(state=...)"}
_ARGUMENTS = {
    "hagg-share": {"--samples": "samples=...", "--clip": "clip=True", "--again": "again=True",
                   "--quantize": "quantize=Quantize(...)", **_OF_ROUND},
    "hagg-keygen": _OF_ROUND,
    "hagg-aggregate": {"--missing": "without=...", "--dealers": "without=...", "--present": "present=...",
                       "--after": "after=...", **_OF_ROUND},
    "hagg-roster": {"--clients": "clients=...", "--without": "without=...", **_OF_ROUND},
    "hagg-decode": {"--type": "dtype=...", **_OF_ROUND},
    "hagg-plan": {"--effort": "effort=...", "--keep": "keep=True", "--protocol": "protocol=..."},
}


def failure(status: int, lines: Sequence[str], command: Sequence[str]) -> Error:
    """The exception for a command that ended with this status and printed these lines."""
    message = lines[-1] if lines else f"ended with status {status}"
    known = _ARGUMENTS.get(command[0], {})
    arguments = [known[option] for option in re.findall(r"--[a-z-]+", message) if option in known]
    if arguments:
        message += f" (in Python: {', '.join(dict.fromkeys(arguments))})"
    return _BY_STATUS.get(status, CommandError)(f"{command[0]}: {message}", status, command, lines[:-1])


def message_lines(name: str, stderr: str) -> list[str]:
    """The lines on standard error, without the name of the command and the hint after usage errors."""
    prefix = re.compile(rf"^(\S*/)?{re.escape(name)}: ")
    return [prefix.sub("", line) for line in stderr.splitlines() if line and not line.startswith("Try ")]
