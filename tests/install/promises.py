"""Whether every test that docs/security.md names as the test of a promise exists.

    promises.py BUILD SOURCE

The last column of the table under "Promises and tests" has names of tests of ctest and, for BATS files, names
of tests in the file. Every row must have a test.
"""

import json
import pathlib
import re
import subprocess
import sys


def rows(page):
    """The last cells of the table, without the heading."""
    section = page.read_text().partition("\n## Promises and tests\n")[2].partition("\n## ")[0]
    return [line.strip("| ").rpartition(" | ") for line in section.splitlines() if line.startswith("| ")][1:]


def ctest_names(build, source):
    """The tests of this build, and those with fixed names that only other presets have."""
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    names = {test["name"] for test in json.loads(listing.stdout)["tests"]}
    for lists in source.glob("tests/*/CMakeLists.txt"):
        names |= set(re.findall(r"add_test\(NAME ([\w/-]+)\s", lists.read_text()))
    return names


def bats_names(source, name):
    """The names of the tests in the BATS file of a test of ctest."""
    file = source / "tests" / (f"{name}.bats" if "/" in name else f"{name}/{name}.bats")
    return set(re.findall(r'^@test "(.*)" \{$', file.read_text(), re.M)) if file.exists() else set()


def main(build, source):
    source = pathlib.Path(source)
    known, passed, failures = ctest_names(build, source), 0, []
    for promise, _, cell in rows(source / "docs" / "security.md"):
        named = re.findall(r'`([\w/-]+)`(?: "([^"]*)")?', cell)
        if not named:
            failures.append(f"{promise}: no test")
        for name, test in named:
            if name not in known:
                failures.append(f"{promise}: there is no test {name}")
            elif test and test not in bats_names(source, name):
                failures.append(f'{promise}: {name} has no test "{test}"')
            else:
                passed += 1
    for failure in failures:
        print(f"failed: {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(bool(failures) or passed < 30)


main(*sys.argv[1:])
