"""Runs vector-rewrite, whose path is the first argument of the script."""

import subprocess
import sys


def rewrite(data, output="npy", format="-", type="-", file=None):
    """Runs it on the bytes, or on a file. Returns exit status, standard output and message."""
    command = [sys.argv[1], format, type, output] + ([file] if file else [])
    done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
    message = done.stderr.decode().removeprefix("vector-rewrite: ").removesuffix("\n")
    return done.returncode, done.stdout, message
