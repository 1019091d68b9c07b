"""Runs vector-rewrite, whose path is the first argument of the script."""

import subprocess
import sys


def rewrite(data, output="npy", format="-", type="-", file=None):
    """What it makes of the bytes, or of a file: exit status, standard output, message."""
    command = [sys.argv[1], format, type, output] + ([file] if file else [])
    done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
    message = done.stderr.decode().removeprefix("vector-rewrite: ").removesuffix("\n")
    return done.returncode, done.stdout, message
