"""The package builds without a network, imports from its wheel, has the version of the commands, and its
type hints and docstrings are true."""

import contextlib
import doctest
import importlib
import io
import os
import pathlib
import pkgutil
import shutil
import subprocess
import sys
import tarfile
import zipfile

import hagg
from case import SOURCE, Case
from hagg._command import run_bytes

BUILD = "import sys, setuptools.build_meta as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"


class Package(Case):
    def build(self, what, directory):
        """Builds in the directory, and returns the path of the result."""
        result = subprocess.run([sys.executable, "-c", BUILD, what, os.getcwd()], cwd=directory, text=True,
                                capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return pathlib.Path(os.getcwd(), result.stdout.splitlines()[-1])

    def test_sdist_wheel_and_version(self):
        version = run_bytes("hagg", "--version").decode().split()[-1]
        shutil.copytree(SOURCE / "python", "source/python", ignore=shutil.ignore_patterns("build", "*.egg-info"))
        shutil.copy(SOURCE / "CMakeLists.txt", "source")
        sdist = self.build("build_sdist", "source/python")
        self.assertEqual(sdist.name, f"hagg-{version}.tar.gz")
        with tarfile.open(sdist) as archive:
            archive.extractall("unpacked")
        wheels = [self.build("build_wheel", directory) for directory in ("source/python", f"unpacked/hagg-{version}")]
        for wheel in wheels:
            self.assertEqual(wheel.name, f"hagg-{version}-py3-none-any.whl")
        with zipfile.ZipFile(wheels[1]) as archive:
            archive.extractall("installed")
        modules = {path.name for path in (SOURCE / "python/hagg").glob("*.py")} | {"py.typed"}
        self.assertEqual({path.name for path in pathlib.Path("installed/hagg").iterdir()}, modules)
        printed = subprocess.run([sys.executable, "-c", "import hagg; print(hagg.__file__, hagg.__version__)"],
                                 env={**os.environ, "PYTHONPATH": "installed", "HAGG_BIN": "/nowhere"}, text=True,
                                 capture_output=True, check=True).stdout.split()
        self.assertEqual(printed, [f"{os.getcwd()}/installed/hagg/__init__.py", version])

    def test_version_in_a_source_tree(self):
        self.assertEqual(hagg.__version__, run_bytes("hagg", "--version").decode().split()[-1])
        self.assertRaises(AttributeError, getattr, hagg, "nonsense")

    def test_docstrings(self):
        attempted = 0
        for module in pkgutil.iter_modules(hagg.__path__):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                result = doctest.testmod(importlib.import_module(f"hagg.{module.name}"))
            self.assertEqual(result.failed, 0, printed.getvalue())
            attempted += result.attempted
        self.assertGreater(attempted, 30)
        for name in hagg.__all__:
            self.assertTrue(getattr(hagg, name).__doc__, name)

    def test_type_hints(self):
        # a wrong call of a user is the only error
        pathlib.Path("user.py").write_text("import hagg\nhagg.Plan('a').cost(length='b')\n")
        result = subprocess.run(["mypy", "--cache-dir", os.getcwd(), "--config-file", SOURCE / "python/pyproject.toml",
                                 SOURCE / "python/hagg", "user.py"], text=True, capture_output=True,
                                env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
        self.assertEqual(result.stderr, "")
        self.assertEqual([line.partition(" has incompatible")[0] for line in result.stdout.splitlines()],
                         ['user.py:2: error: Argument "length" to "cost" of "Plan"', result.stdout.splitlines()[-1]])
        self.assertIn("Found 1 error in 1 file (checked 9 source files)", result.stdout)
