"""The runner of commands: pipes, exit statuses and notes."""

import logging
import os
import pathlib
import pickle
import threading

import numpy as np

import hagg
from case import Case
from hagg._command import Feed, run_bytes

PLAN = """
collude  full clients=1 stations=1
quantize bits=16 clip=1
stations 3
client   1-4 via 1-3
"""


class Statuses(Case):
    """Every exception, as a real command raises it."""

    def test_1_a_file_is_missing(self):
        self.assert_fails(hagg.CommandError, 1, "nowhere.topo: No such file or directory",
                          hagg.Plan.from_topology, "nowhere.topo")
        self.assert_fails(hagg.CommandError, 1, "nowhere.plan: No such file or directory", hagg.Plan, "nowhere.plan")
        self.assert_fails(hagg.CommandError, 1, "nowhere.cbor: No such file or directory", hagg.read, "nowhere.cbor")

    def test_1_a_command_is_missing(self):
        self.set_environment("HAGG_BIN", os.getcwd())
        error = self.assert_fails(hagg.CommandError, 1, f"hagg-share is not in {os.getcwd()} (HAGG_BIN)",
                                  hagg.share, [1], 3, 2, 1)
        self.assertEqual(error.command, ["hagg-share"])
        self.set_environment("HAGG_BIN", None)
        self.set_environment("PATH", os.getcwd())
        self.assert_fails(hagg.CommandError, 1, "hagg-share is not on PATH", hagg.share, [1], 3, 2, 1)

    def test_1_a_command_is_killed(self):
        script = pathlib.Path("hagg-share")
        script.write_text("#!/bin/sh\nkill -9 $$\n")
        script.chmod(0o755)
        self.set_environment("HAGG_BIN", os.getcwd())
        self.assert_fails(hagg.CommandError, -9, "hagg-share: ended with status -9", hagg.share, [1], 3, 2, 1)

    def test_1_an_input_cannot_be_read_to_its_end(self):
        """The command must not take the part that it got for the whole."""
        ours, theirs = hagg.share([1, 2], 3, 2, 1), hagg.share([3, 4], 3, 2, 1)
        pathlib.Path("folder").mkdir()

        def buffers():
            yield from (record.data for record in ours)
            yield pathlib.Path("folder").read_bytes()
            yield from (record.data for record in theirs)

        whole = [record.data for record in ours + theirs]
        self.assertGreater(len(run_bytes("hagg-aggregate", "--plan", "", "-o", "-", stdin=whole)), 0)
        with self.assertRaises(hagg.CommandError) as caught:
            run_bytes("hagg-aggregate", "--plan", "", "-o", "sum.cbor", stdin=buffers())
        self.assertEqual(str(caught.exception), "folder: Is a directory")
        self.assertFalse(pathlib.Path("sum.cbor").exists())

    def test_1_no_descriptor_is_lost_without_the_command(self):
        self.set_environment("HAGG_BIN", os.getcwd())
        before = os.listdir("/proc/self/fd")
        for _ in range(3):
            with self.assertRaises(hagg.CommandError):
                run_bytes("hagg-share", feeds=[Feed("samples", [b"1"])])
        self.assertEqual(len(os.listdir("/proc/self/fd")), len(before))

    def test_exceptions_can_be_copied_to_another_process(self):
        error = self.assert_fails(hagg.NotEnoughError, 5, "", hagg.decode, hagg.share([1], 3, 2, 1)[:1])
        copy = pickle.loads(pickle.dumps(error))
        self.assertIs(type(copy), hagg.NotEnoughError)
        self.assertEqual((str(copy), copy.status, copy.command, copy.notes),
                         (str(error), 5, error.command, error.notes))

    def test_2_a_masked_array(self):
        array = np.ma.array([1, 999], mask=[False, True])
        self.assert_fails(hagg.UsageError, 2, "use its method filled", hagg.share, array, 3, 2, 1)
        self.assert_same(hagg.decode(hagg.share(array.filled(0), 3, 2, 1)), [1, 0])

    def test_2_numbers_that_the_scheme_does_not_allow(self):
        error = self.assert_fails(hagg.UsageError, 2, "hagg-share: ", hagg.share, [1, 2], 3, 4, 1)
        self.assertEqual(error.command[:7], ["hagg-share", "-n", "3", "-k", "4", "-z", "1"])

    def test_2_a_wrong_option_without_the_hint(self):
        with self.assertRaises(hagg.UsageError) as caught:
            run_bytes("hagg-plan", "--nonsense")
        self.assertEqual(str(caught.exception), "hagg-plan: unrecognized option '--nonsense'")

    def test_2_a_client_that_is_not_in_the_plan(self):
        for sealed in (False, True):
            round = hagg.Round(hagg.Plan(PLAN), 1, f"{sealed}", sealed=sealed)
            for client in (0, 5):
                message = f"the plan has no client {client}"
                self.assert_fails(hagg.UsageError, 2, message, round.share, client, [0.5])
                self.assert_fails(hagg.UsageError, 2, message, round.share_all, [[0.5], [1]], clients=[1, client])

    def test_3_values_that_cannot_be_shared(self):
        round = hagg.Round(hagg.Plan(PLAN), 1, "work")
        for value, message in ((np.nan, "element 3 is not a number"), (np.inf, "element 3 is infinite"),
                               (1.5, "element 3")):
            vector = np.zeros((2, 3))
            vector[1, 0] = value
            self.assert_fails(hagg.DamagedError, 3, f"array of client 2: {message}", round.share, 2, vector)
        self.assertEqual(list(pathlib.Path("work").rglob("*.cbor")), [])

    def test_3_a_damaged_file(self):
        records = hagg.share([1, 2, 3], 3, 2, 1)
        data = bytearray(records[0].data)
        data[-20] ^= 1
        pathlib.Path("damaged.cbor").write_bytes(data)
        self.assert_fails(hagg.DamagedError, 3, "hagg-inspect: damaged.cbor: record 1", hagg.read, "damaged.cbor")

    def test_4_vectors_of_different_lengths(self):
        records = hagg.share([1, 2, 3], 3, 2, 1) + hagg.share([1, 2], 3, 2, 1)
        self.assert_fails(hagg.MismatchError, 4, "records: ", hagg.aggregate, records)

    def test_5_too_few_shares(self):
        records = hagg.share([1, 2, 3], 5, 4, 2)
        self.assert_fails(hagg.NotEnoughError, 5, "", hagg.decode, records[:3])

    def test_6_another_vector_in_the_same_round(self):
        round = hagg.Round(hagg.Plan(PLAN), 1, "work")
        round.share(1, [0.5, 0.25])
        error = self.assert_fails(hagg.PrivacyError, 6, "array of client 1: client 1 has already shared another vector",
                                  round.share, 1, [0.5, 0.75])
        self.assertTrue(error.message.startswith("hagg-share: "))
        self.assert_fails(hagg.PrivacyError, 6, "this vector was already shared, in round 1",
                          hagg.Round(hagg.Plan(PLAN), 2, "work").share, 1, [0.5, 0.25])

    def test_the_base_class_catches_all(self):
        for kind in (hagg.CommandError, hagg.UsageError, hagg.DamagedError, hagg.MismatchError, hagg.NotEnoughError,
                     hagg.PrivacyError):
            self.assertTrue(issubclass(kind, hagg.Error))
        # a traceback has the name that users import
        for kind in (hagg.Error, *hagg.Error.__subclasses__(), hagg.HaggWarning):
            self.assertEqual(kind.__module__, "hagg")


class Pipes(Case):
    def test_large_arrays_in_both_directions(self):
        # the shares, 96 MB in all, are more than pipes hold while the array is being written
        array = np.random.default_rng(1).integers(-(2**20), 2**20, 6_000_000, dtype="i4")
        records = hagg.share(array, 4, 3, 2)
        self.assertEqual([len(record.array) for record in records], 4 * [len(array)])
        self.assert_same(hagg.decode(records[1:]), array)

    def test_a_command_that_fails_before_it_has_read_everything(self):
        array = np.zeros(5_000_000)
        array[10] = np.nan
        before, threads = threading.active_count(), []
        self.addCleanup(setattr, threading, "excepthook", threading.excepthook)
        threading.excepthook = threads.append
        self.assert_fails(hagg.DamagedError, 3, "array: element 10 is not a number", hagg.share, array, 3, 2, 1,
                          quantize=hagg.Quantize(16, 1.0))
        # this one reads nothing
        with self.assertRaises(hagg.UsageError):
            run_bytes("hagg-plan", "--nonsense", stdin=[bytes(1 << 20)])
        self.assertEqual(threading.active_count(), before)
        self.assertEqual(threads, [])

    def test_descriptors_are_closed(self):
        hagg.share([1], 3, 2, 1)
        before = sorted(os.listdir("/proc/self/fd"))
        for _ in range(3):
            hagg.share([1], 3, 2, 1)
            feed = Feed("plan", [b"stations 3\nclient 1-3 via 1-3\n"])
            self.assertIn(b"minimum 2", run_bytes("hagg-plan", "-q", "--keep", feed.name, feeds=[feed]))
            feed = Feed("unread", [b"unread" * 100000])
            with self.assertRaises(hagg.UsageError):
                run_bytes("hagg-plan", "--nonsense", feeds=[feed])
        self.assertEqual(sorted(os.listdir("/proc/self/fd")), before)

    def test_arguments_are_not_interpreted(self):
        name = "a $(touch made); *.topo"
        pathlib.Path(name).write_text(PLAN)
        self.assertEqual(hagg.Plan(name).digest, hagg.Plan(PLAN).digest)
        self.assertEqual(os.listdir("."), [name])
        pathlib.Path("--version").write_text(PLAN)
        self.assertEqual(hagg.Plan.from_topology("--version").digest, hagg.Plan.from_topology(PLAN).digest)


class Notes(Case):
    def test_a_warning_of_a_command_is_a_warning_at_the_caller(self):
        with self.assertWarnsRegex(hagg.HaggWarning, "^hagg-plan: warning: .*stations=0") as caught:
            hagg.Plan.from_topology("collude full stations=0\nstations 3\nclient 1-3 via 1-3\n")
        self.assertEqual(caught.filename, __file__)

    def test_the_commands_are_logged(self):
        with self.assertLogs("hagg", logging.DEBUG) as logged:
            hagg.share([1], 3, 2, 1)
        self.assertTrue(logged.records[0].getMessage().startswith("hagg-share -n 3 -k 2 -z 1 "))
