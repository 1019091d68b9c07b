"""Shows that commands.py finds what it looks for.

    command_control.py BIN

hagg-decode is replaced with a script that misbehaves in one way, and some cases must then be found. With a
script that only calls the real command, nothing must be found.
"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import command_rounds as rounds  # noqa: E402
from commands import Fuzzer, run_all  # noqa: E402

RUNS = 25
# The script, in which REAL is the real command, and part of the finding.
REFUSE = "echo 'hagg-decode: no' >&2; exit 3"
PLANTS = {
    "a signal": ("kill -SEGV $$", "signal 11"),
    "the status of a signal": ("exit 139", "status 139 is not documented"),
    "another status": ("echo 'hagg-decode: no' >&2; exit 7", "status 7 is not documented"),
    "AddressSanitizer": ("echo '==1==ERROR: AddressSanitizer: heap-buffer-overflow' >&2; exit 1", "report of a sanitizer"),
    "undefined behaviour": ('REAL "$@"; s=$?; echo "a.c:1:2: runtime error: overflow" >&2; exit $s', "report of a sanitizer"),
    "a hang": ("exec sleep 60", "no end after"),
    "an output after a failure": ("echo x >left.cbor; " + REFUSE, "files changed: ['left.cbor']"),
    "a directory after a failure": ("mkdir left; " + REFUSE, "files changed: ['left']"),
    "an input overwritten": ("echo x >sum-2.cbor; " + REFUSE, "files changed: ['sum-2.cbor']"),
    "standard output after a failure": ("echo 1; " + REFUSE, "with output"),
    "no message": ("exit 3", "without a message"),
    "two messages": ("echo 'hagg-decode: no' >&2; " + REFUSE, "with 2 messages"),
    "a message without a name": ("echo no >&2; exit 3", "without the name of the command"),
    "a control character": ("printf 'hagg-decode: \\033[31m\\n' >&2; exit 3", "control characters"),
    "a wrong total": ("printf '1\\n2\\n3\\n'", "wrong total"),
    "a damaged record accepted": ("printf '3\\n5\\n-21\\n'", "which the independent reader refuses"),
    "an output that is no record": ('REAL "$@" && echo x >new.cbor', "wrote new.cbor"),
}


def plant(directory, real, script):
    """A directory with the commands, in which hagg-decode is a script."""
    directory.mkdir()
    for command in real.glob("hagg*"):
        if command.name != "hagg-decode":
            (directory / command.name).symlink_to(command)
    path = directory / "hagg-decode"
    path.write_text("#!/bin/sh\n" + script.replace("REAL", str(real / "hagg-decode")) + "\n")
    path.chmod(0o755)
    return directory


def main():
    real = pathlib.Path(sys.argv[1]).resolve()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="hagg-fuzz-") as directory:
        fuzzer = Fuzzer(1, real, directory, builds=(rounds.plain,))
        fuzzer.by_command = {"hagg-decode": fuzzer.by_command["hagg-decode"]}
        for i, (name, (script, wanted)) in enumerate({"nothing": ('exec REAL "$@"', None), **PLANTS}.items()):
            fuzzer.commands = str(plant(pathlib.Path(directory) / f"bin-{i}", real, script))
            hangs = name == "a hang"
            fuzzer.time_limit = 1 if hangs else 30
            _, findings = run_all(fuzzer, iter(range(2 if hangs else RUNS)), None, 2, report=lambda text: None)
            right = any(wanted in text for text in findings) if wanted else not findings
            passed, failed = passed + right, failed + (not right)
            if not right:
                print(f"failed: planted {name}, found {findings[:3]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
