"""Counts what passed and what failed; the closing line is `N passed, N failed`."""

import sys


class Outcome:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, name, text):
        """Says what is wrong, when something is, and goes on."""
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {text}")
        return bool(holds)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
