"""Runs a command and searches its memory when it exits for bytes of a secret.

    traces.py BYTES FILE COMMAND...

The secret is the payload of BYTES bytes at the end of the record in FILE. Exits with 1, and prints where it was
found, if any 16 consecutive bytes of it are in the memory of the process at its exit. Otherwise it exits with the
status of the command. The process is traced like by a debugger, which HAGG_NO_CONFINEMENT allows to any user.
"""

import ctypes
import os
import re
import signal
import sys

WINDOW = 16
TRACEME, CONT, SETOPTIONS = 0, 7, 0x4200
TRACEEXIT, EXITKILL, EVENT_EXIT = 0x40, 0x100000, 6

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, pid, data=0):
    if libc.ptrace(request, pid, None, data) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def start(command):
    """Returns the process, stopped at its first instruction."""
    pid = os.fork()
    if pid == 0:
        os.environ["HAGG_NO_CONFINEMENT"] = "1"
        ptrace(TRACEME, 0)
        os.execvp(command[0], command)
    os.waitpid(pid, 0)
    ptrace(SETOPTIONS, pid, TRACEEXIT | EXITKILL)
    return pid


def run_to_exit(pid):
    """Continues until the process is about to exit, with its memory still in place."""
    pending = 0
    while True:
        ptrace(CONT, pid, pending)
        _, status = os.waitpid(pid, 0)
        assert os.WIFSTOPPED(status), f"ended with {status} before its exit"
        if status >> 8 == signal.SIGTRAP | EVENT_EXIT << 8:
            return
        pending = os.WSTOPSIG(status)


def memory(pid):
    """Yields name and bytes of every private, writable mapping."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            low, high, rights, name = re.match(r"(\w+)-(\w+) (\S+) \S+ \S+ \S+ *(.*)", line).groups()
            if rights[:2] == "rw" and not name.startswith("[vv"):
                mem.seek(int(low, 16))
                yield name or "anonymous", mem.read(int(high, 16) - int(low, 16))


def payload(n_bytes, path):
    """The elements of the last record of a file, before its digest of 17 bytes."""
    with open(path, "rb") as file:
        return file.read()[-17 - n_bytes:-17]


def main(n_bytes, path, command):
    secret = payload(n_bytes, path)
    assert len(secret) == n_bytes and len(set(secret)) > 32, "the secret must not look like anything else"
    windows = {secret[i:i + WINDOW] for i in range(len(secret) - WINDOW + 1)}
    pid = start(command)
    run_to_exit(pid)
    found = {}
    searched = 0
    for name, data in memory(pid):
        searched += len(data)
        n = sum(window in data for window in windows)
        if n > 0:
            found[name] = n
    ptrace(CONT, pid)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert searched > 100000, f"only {searched} bytes were searched"
    for name, n in found.items():
        print(f"{command[0]}: {n} of {len(windows)} pieces of {path} are still in memory ({name})", file=sys.stderr)
    sys.exit(1 if found else status)


main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
