"""The version is that of the commands, in the CMakeLists.txt above, or in a source distribution, which does
not have that file, the one of its PKG-INFO. Everything else is in pyproject.toml."""

import pathlib
import re

import setuptools

HERE = pathlib.Path(__file__).resolve().parent
STATED = ((HERE / "PKG-INFO", r"^Version: (\S+)$"),
          (HERE.parent / "CMakeLists.txt", r"^project\(hagg VERSION (\S+)"))


def version():
    for path, pattern in STATED:
        if path.exists():
            return re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE).group(1)
    raise SystemExit("setup.py: no version: neither PKG-INFO nor ../CMakeLists.txt exists")


setuptools.setup(version=version())
