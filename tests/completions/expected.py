"""What --help documents, and a count of checks, for the tests of completion."""

import os
import re
import subprocess

PLAN = "field m31\ncollude full stations=1\nstations 3\nclient 1 2 7 via 1-3\n"


def commands(bin_dir):
    return sorted(os.listdir(bin_dir))


def documented(command):
    """Returns the long options of a command, with = if they have a value, and its short options."""
    text = subprocess.run([command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    found = set()
    for line in text.splitlines():
        match = re.match(r" {2}(?:(-.)(?:, | [A-Z]+ ))? *(?:(--[a-z-]+)(\[?=)?.*)?", line)
        if not match or not (match[1] or match[2]):
            continue
        if match[1] and match[1] != "-?":  # which is special in a shell, and --help is the same
            found.add(match[1])
        if match[2]:
            found.add(match[2] + ("=" if match[3] else ""))
        if match[3] == "[=":
            found.add(match[2])
    return found


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def equal(self, got, want, what):
        if got == want:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{what}: {got!r}, not {want!r}")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
