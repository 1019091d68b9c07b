"""Runs the unittest modules that are named, each test in an empty directory of its own.

    run.py MODULE...

The last line is the count. A skipped test counts as failed, and so does a run without tests.
"""

import sys
import unittest

import hagg


def main(names):
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    wrong = [test for test, _ in result.failures + result.errors + result.skipped] + result.unexpectedSuccesses
    failed = len({getattr(test, "test_case", test).id() for test in wrong})  # a subtest counts as its test
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed or not result.testsRun else 0


if __name__ == "__main__":
    print("hagg", hagg.__version__, "from", hagg.__path__[0])
    sys.exit(main(sys.argv[1:]))
