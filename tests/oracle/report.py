"""Counts checks, prints those that failed, and finally prints the count."""

import contextlib
import sys
import traceback


class Report:
    def __init__(self):
        self.passed = self.failed = 0
        self.where = ""

    def check(self, held, what):
        """what is a text, or a function that returns one if it is needed."""
        if held:
            self.passed += 1
            return True
        self.failed += 1
        print(f"{self.where}: {what() if callable(what) else what}", file=sys.stderr)
        return False

    def equal(self, got, want, what):
        return self.check(got == want, lambda: f"{what}: got {got!r}, want {want!r}")

    @contextlib.contextmanager
    def part(self, where):
        """Names the checks inside. An exception inside is one more failed check."""
        self.where = where
        try:
            yield
        except Exception:
            self.check(False, traceback.format_exc())

    def end(self):
        """Returns the exit status. A test without checks has failed."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
