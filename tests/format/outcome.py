"""Counts passed and failed checks; the last line is `N passed, N failed`."""

import sys


class Outcome:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, name, text):
        """Counts the check, and prints the fault if it failed."""
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {text}")
        return bool(holds)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
