"""What the tests have in common."""

import os
import pathlib
import tempfile
import unittest
import warnings

import numpy as np

import hagg

SOURCE = pathlib.Path(os.environ["HAGG_SOURCE_DIR"])


class Case(unittest.TestCase):
    """A test in an empty directory, which is also its home. Notes of commands are errors."""

    def setUp(self):
        # the commands sync what they write, which takes no time in memory
        memory = pathlib.Path("/dev/shm")
        directory = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(directory.name)
        for name, value in (("HOME", directory.name), ("XDG_STATE_HOME", None), ("HAGG_STATE", None),
                            ("HAGG_PLAN", None), ("HAGG_IDENTITY", None)):
            self.set_environment(name, value)
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", hagg.HaggWarning)

    def set_environment(self, name, value):
        before = os.environ.get(name)
        self.addCleanup(lambda: os.environ.pop(name, None) if before is None else os.environ.update({name: before}))
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = str(value)

    def assert_fails(self, kind, status, message, function, *arguments, **options):
        """The call raises exactly this exception, with this status, and a message with this part."""
        with self.assertRaises(hagg.Error) as caught:
            function(*arguments, **options)
        error = caught.exception
        self.assertIs(type(error), kind, error)
        self.assertEqual(error.status, status)
        self.assertIn(message, str(error))
        self.assertNotIn("\n", str(error))
        return error

    def assert_same(self, got, want):
        """The same numbers, shape and type."""
        want = np.asarray(want)
        self.assertEqual(got.dtype, want.dtype)
        self.assertEqual(got.shape, want.shape)
        np.testing.assert_array_equal(got, want)

    def assert_close(self, got, want, at_most):
        self.assertEqual(got.shape, np.shape(want))
        if got.size:
            self.assertLessEqual(np.abs(got.astype("f8") - want).max(), at_most)
