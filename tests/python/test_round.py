"""Whole rounds, compared with sums that NumPy computes."""

import logging
import os
import pathlib
import shutil

import numpy as np

import hagg
from case import Case

SAME = """
collude  full clients=1 stations=1
drop     clients=2 stations=1
quantize bits=20 clip=4
stations 4
client   1-6 via 1-4
"""
DIFFERENT = """
collude  full clients=1 stations=1
drop     clients=2 stations=1
quantize bits=20 clip=4
stations 5
client   1-3 via 1-5
client   4-6 via 1-4
"""
RELAYS = """
collude  full clients=1 stations=1
drop     clients=2 stations=1 relays=1
quantize bits=20 clip=4
stations 5
relays   4
station  1 2 via 1 2
station  3   via 2 3
station  4 5 via 3 4
client   1-3 via 1-5
client   4-6 via 1-4
"""
KEYS_FULL = """
collude  full clients=1 stations=1
protocol keys
drop     clients=1 stations=1
quantize bits=20 clip=4
stations 4
client   1-6 via 1-4
"""
KEYS_PARTIAL = """
collude  partial stations=1
protocol keys
drop     stations=1
quantize bits=20 clip=4
stations 4
client   1-3 via 1-4 keys 1
client   4-6 via 1-4 keys 2
"""
STAIRCASE = KEYS_FULL.replace("protocol keys", "protocol keys\nscheme   staircase")
KEYS_RELAYS = """
collude  partial stations=1
protocol keys
quantize bits=20 clip=4
stations 3
relays   3
station  1-3 via 1-3
client   1-6 via 1-3
"""
ALL = {"same": SAME, "different": DIFFERENT, "relays": RELAYS, "keys full": KEYS_FULL, "keys partial": KEYS_PARTIAL,
       "keys relays": KEYS_RELAYS, "staircase": STAIRCASE}
STEP = 4 / (2**19 - 1)


def vectors(seed, shape=(3, 5), kind="f8", n=6):
    return np.random.default_rng(seed).uniform(-4, 4, (n, *shape)).astype(kind)


def share_each(round, arrays, clients=None, samples=None):
    for i in clients or round.plan.clients:
        round.share(i, arrays[i - 1], samples=None if samples is None else samples[i - 1])


def plan_of(text):
    """The sets are the ones stated, or the default, except those that only a planner can choose."""
    return hagg.Plan.from_topology(text) if text in (KEYS_FULL, KEYS_RELAYS) else hagg.Plan(text)


class Totals(Case):
    def test_every_kind_of_plan_sealed_and_not(self):
        self.assertEqual(plan_of(SAME).dealers, ())
        self.assertEqual(plan_of(RELAYS).dealers, (1, 2, 3, 4, 5))
        for name, text in ALL.items():
            for sealed in (False, True):
                with self.subTest(name, sealed=sealed):
                    arrays = vectors(len(name) + sealed)
                    round = hagg.Round(plan_of(text), 1, f"{name} {sealed}", sealed=sealed)
                    share_each(round, arrays)
                    self.assertEqual(round.survivors(), {1, 2, 3, 4, 5, 6})
                    total = round.total()
                    self.assertEqual(total.dtype, arrays.dtype)
                    self.assert_close(total, arrays.sum(axis=0), 3 * STEP)
                    self.assertEqual(round.report.clients, {1, 2, 3, 4, 5, 6})
                    self.assertTrue(2.9 * STEP < round.report.error_bound < 3.1 * STEP)
                    records = [record for path in round.directory.rglob("*.cbor") if path.name != "key.cbor"
                               if path.stat().st_size for record in hagg.read(path)]
                    self.assertGreater(len(records), 25)
                    self.assertEqual({record.sealed for record in records}, {sealed})

    def test_quanta_are_summed_exactly(self):
        arrays = vectors(9)
        quanta = np.rint(arrays / 4 * (2**19 - 1)).astype("i8").sum(axis=0)
        round = hagg.Round(plan_of(DIFFERENT), 1, "work")
        share_each(round, arrays)
        np.testing.assert_allclose(round.total(), quanta * STEP, rtol=1e-14)

    def test_levels_and_signs(self):
        arrays = vectors(10)
        for number, (words, levels) in enumerate((("levels=9 clip=4 rounding=stochastic", 9), ("ternary clip=4", 3),
                                                  ("sign clip=4", 2), ("levels=9 clip=4", 9)), 1):
            plan = plan_of(DIFFERENT.replace("quantize bits=20 clip=4", f"quantize {words}"))
            self.assertEqual(plan.quantize, hagg.Quantize(clip=4.0, levels=levels, rounding=plan.quantize.rounding))
            round = hagg.Round(plan, number, f"work-{number}")
            share_each(round, arrays)
            error = np.abs(round.total() - arrays.sum(axis=0))
            report, step = round.report, plan.quantize.step
            self.assertEqual(step, 8 / (levels - 1))
            self.assertTrue(error.max() > step / 8)
            self.assertTrue(error.max() <= report.error_bound)
            if plan.quantize.rounding == "stochastic":
                self.assertAlmostEqual(report.error_bound, 6 * step)
                self.assertAlmostEqual(report.error_deviation, 6**0.5 / 2 * step)
                self.assertLess(report.error_bias, 1e-9)
            else:
                self.assertAlmostEqual(report.error_bound, 3 * step)
                self.assertEqual((report.error_deviation, report.error_bias), (0, report.error_bound))

    def test_integers_shapes_and_types(self):
        number = 0
        for kind, shape in (("i1", (4,)), ("i8", (2, 3)), ("u4", ()), ("u2", (0,)), ("i4", (1, 2, 0)), ("u8", (7, 1))):
            number += 1
            arrays = np.random.default_rng(number).integers(0, 20, (6, *shape)).astype(kind)
            # empty arrays are the same in all rounds, and have no masks
            round = hagg.Round(plan_of(SAME if 0 in shape else DIFFERENT), number, f"work-{number}")
            share_each(round, arrays)
            self.assert_same(round.total(), arrays.sum(axis=0, dtype="i8").astype(kind))
            self.assertEqual(round.report.error_bound, 0)
            self.assert_same(round.total(mean=True), arrays.astype("f8").sum(axis=0) / 6)
            round.clear()
            self.assertFalse(round.directory.exists())

    def test_declared_integers_in_elements_of_one_and_two_bytes(self):
        for number, (low, high, kind, size) in enumerate(((0, 41, "u1", 1), (-20, 21, "i2", 1), (0, 10000, "u2", 2))):
            text = DIFFERENT.replace("quantize bits=20 clip=4", f"integers {low}..{high}\nsamples most=41")
            arrays = np.random.default_rng(number).integers(low, high, (6, 500), endpoint=True).astype(kind)
            arrays[:, 0], arrays[:, 1] = low, high
            round = hagg.Round(plan_of(text), number, f"work-{number}")
            share_each(round, arrays, samples=[41] * 6)
            sizes = {record.array.dtype.itemsize for path in round.directory.rglob("*.cbor")
                     for record in hagg.read(path)}
            self.assertEqual(sizes, {size})
            self.assert_same(round.total(), arrays.sum(axis=0, dtype="i8").astype(kind))
            self.assertEqual(round.report.samples, 246)
            self.assert_same(round.total(mean=True), arrays.sum(axis=0, dtype="f8") / 246)
            arrays[0, 7] = high + 1
            self.assert_fails(hagg.DamagedError, 3, f"element 7 is not from {low} to {high}, the integers of the plan",
                              hagg.Round(round.plan, number + 10, "other").share, 1, arrays[0], samples=1)

    def test_clip_and_again(self):
        plan, arrays = plan_of(SAME), vectors(5)
        for number, together in ((1, False), (2, True)):
            def share(round, values, **options):
                if together:
                    round.share_all(values, **options)
                else:
                    round.share(1, values[0], **options)
            round = hagg.Round(plan, number, f"{together}")
            arrays[0, 0, 0] = 5
            self.assert_fails(hagg.DamagedError, 3, "use --clip (in Python: clip=True)", share, round, arrays)
            with self.assertWarnsRegex(hagg.HaggWarning, "clip"):
                share(round, arrays, clip=True)
            later = hagg.Round(plan, number + 2, f"{together}")
            arrays[0, 0, 0] = 4
            error = self.assert_fails(hagg.PrivacyError, 6, "(in Python: again=True, Round(state=...))", share, later,
                                      arrays)
            self.assertEqual(error.message, str(error))
            share(later, arrays, again=True)
            if together:
                self.assert_close(later.total(), arrays.sum(axis=0), 3 * STEP)

    def test_a_sum_that_does_not_fit_the_type(self):
        round = hagg.Round(plan_of(SAME), 1, "work")
        round.share_all(np.arange(200, 206, dtype="u1").reshape(6, 1))
        self.assert_fails(hagg.MismatchError, 4, "does not fit type u1: use --type i8 (in Python: dtype=...)",
                          round.total)
        for kind in ("i8", np.uint16, np.dtype("<i4")):
            self.assert_same(round.total(dtype=kind), np.array([1215], kind))
            self.assert_same(round.decode(dtype=kind), np.array([1215], kind))
        self.assert_same(round.decode(dtype="f4", mean=True), np.array([202.5], "f4"))
        records = hagg.share(np.uint8([200]), 3, 2, 1) + hagg.share(np.uint8([100]), 3, 2, 1)
        self.assert_fails(hagg.MismatchError, 4, "does not fit type u1", hagg.decode, hagg.aggregate(records))
        self.assert_same(hagg.decode(hagg.aggregate(records), dtype=np.int16), np.int16([300]))

    def test_single_precision(self):
        arrays = vectors(1, kind="f4")
        round = hagg.Round(plan_of(SAME), 1, "work")
        share_each(round, arrays)
        mean = round.total(mean=True)
        self.assertEqual(mean.dtype, np.dtype("f4"))
        self.assert_close(mean, arrays.astype("f8").mean(axis=0), STEP)

    def test_mean_over_samples(self):
        arrays, samples = vectors(2), [3, 1, 4, 1, 5, 9]
        for number, all_at_once in ((1, False), (2, True)):
            round = hagg.Round(plan_of(DIFFERENT + "samples\n"), number, "work")
            with self.assertLogs("hagg", logging.DEBUG) as logged:
                if all_at_once:
                    round.share_all(arrays / 2, samples=samples)
                else:
                    share_each(round, arrays, samples=samples)
            # others can read arguments in the list of processes
            self.assertIn("--samples-file /dev/fd/", logged.output[0])
            self.assertNotRegex(" ".join(logged.output), r"--samples\b[^-]")
            mean = round.total(mean=True)
            self.assert_close(mean, arrays.sum(axis=0) / number / 23, 3 * STEP / 23)
            self.assertEqual(round.report.samples, 23)
        self.assert_fails(hagg.UsageError, 2, "has a samples line: use --samples (in Python: samples=...)",
                          hagg.Round(round.plan, 3, "work").share, 1, arrays[0] / 3)

    def test_samples_that_are_not_counts(self):
        round = hagg.Round(plan_of(SAME + "samples\n"), 1, "work")
        for bad, message in ((3.9, "samples of client 3 must be a whole number, not 3.9"),
                             ("4", "samples of client 3 must be a whole number, not '4'"),
                             (-1, "samples of client 3 must not be negative, but are -1"),
                             (2**63, "hagg-share: samples: must contain ")):
            kind, status = (hagg.DamagedError, 3) if bad == 2**63 else (hagg.UsageError, 2)
            self.assert_fails(kind, status, message, round.share, 3, [0.5], samples=bad)
            self.assert_fails(kind, status, message, round.share_all, np.full((6, 1), 0.5), [1, 2, bad, 4, 5, 6])
        for bad, n in (([1, 2], 2), (range(7), 7), (5, 5)):
            self.assert_fails(hagg.UsageError, 2, f"samples must have one number for each of 6 clients, not {n}",
                              round.share_all, np.full((6, 1), 0.5), samples=bad)
        self.assertEqual(list(pathlib.Path("work").rglob("*.cbor")), [])
        round.share(3, [0.5], samples=np.int32(4))

    def test_all_clients_at_once(self):
        arrays = vectors(3, shape=(20,), n=200)
        plan = hagg.Plan.from_topology("collude full clients=1 stations=2\nquantize bits=20 clip=4\nstations 6\n"
                                       "client 1-100 via 1-5\nclient 101-200 via 2-6\n")
        round = hagg.Round(plan, 1, "work")
        round.share_all(arrays)
        self.assertEqual(round.survivors(), set(range(1, 201)))
        self.assert_close(round.total(mean=True), arrays.mean(axis=0), STEP)
        # the shares are those that separate processes make
        other = hagg.Round(plan, 1, "other", state=round.state)
        other.share(150, arrays[149])
        one = hagg.read("other/round-1/station-3/in/client-150.cbor")[0]
        among = [r for r in hagg.read("work/round-1/station-3/in/clients-1.cbor") if r.clients == {150}]
        self.assertEqual([bytes(r.data) for r in among], [bytes(one.data)])
        self.assert_fails(hagg.UsageError, 2, "shape (200, 20) does not have a row for each of 3 clients",
                          round.share_all, arrays, clients=[1, 2, 3])

    def test_arrays_of_another_kind(self):
        for number, text in enumerate((SAME, KEYS_FULL), 1):
            plan = plan_of(text)
            for sealed in (False, True):
                directory = f"{number} {sealed}"
                round = hagg.Round(plan, 1, directory, sealed=sealed)
                # an array that is refused does not decide the kind
                self.assert_fails(hagg.DamagedError, 3, "", round.share, 1, np.full((2, 2), np.nan))
                round.share(1, np.full(4, 0.25, "f4"))
                state = sorted(path for path in round.state.rglob("*"))
                for again in (round, hagg.Round(plan, 1, directory, sealed=sealed)):  # the other one reads the files
                    for other, found in ((np.ones(3), "(3,) and type float64"), (np.ones(4), "(4,) and type float64"),
                                         (np.ones((2, 2), "f4"), "(2, 2) and type float32"),
                                         (np.float32(1), "() and type float32"),
                                         (np.ones(4, "i4"), "(4,) and type int32")):
                        message = f"client 4: array of shape {found}, but this round has (4,) and float32"
                        self.assert_fails(hagg.MismatchError, 4, message, again.share, 4, other)
                    self.assert_fails(hagg.MismatchError, 4, "clients 2-3: array of shape (3,) and type float32, but",
                                      again.share_all, np.ones((2, 3), "f4"), clients=[2, 3])
                self.assertEqual(sorted(path for path in round.state.rglob("*")), state)
                again.share(4, np.full(4, 0.75, ">f4"))
                again.share_all(np.arange(16, dtype="f4").reshape(4, 4) / 16, clients=[2, 3, 5, 6])
                self.assert_close(again.total(), np.arange(16).reshape(4, 4).sum(axis=0) / 16 + 1, 3 * STEP)

    def test_a_client_is_in_one_file(self):
        plan, arrays = plan_of(DIFFERENT), vectors(4)
        round = hagg.Round(plan, 1, "work")
        round.share_all(arrays[:3], clients=[1, 2, 3])
        round.share(4, arrays[3])
        for again in (round, hagg.Round(plan, 1, "work")):
            self.assert_fails(hagg.UsageError, 2, "client 2 has already shared in this round, with share_all",
                              again.share, 2, arrays[1])
            for clients, who in ((range(1, 7), "client 4"), ([4, 5], "client 4"), ([1], "client 2"),
                                 ([2, 3], "client 2")):
                self.assert_fails(hagg.UsageError, 2, f"{who} has already shared in this round", again.share_all,
                                  arrays[[i - 1 for i in clients]], clients=clients)
        again.share_all(arrays[:3], clients=[1, 2, 3])
        again.share(4, arrays[3])
        (again.directory / "station-1/in/client-4.cbor").write_bytes(b"damaged")
        hagg.Round(plan, 1, "work").share(4, arrays[3])
        again.share_all(arrays[4:], clients=[5, 6])
        self.assert_close(again.total(), arrays.sum(axis=0), 3 * STEP)
        again.clear()
        again.share_all(arrays)

    def test_more_files_than_a_command_line_holds(self):
        import hagg._round
        before, hagg._round._MOST_NAMES = hagg._round._MOST_NAMES, 3
        self.addCleanup(setattr, hagg._round, "_MOST_NAMES", before)
        arrays = vectors(8)
        round = hagg.Round(plan_of(RELAYS), 1, "work", sealed=True)
        share_each(round, arrays)
        self.assertEqual(round.survivors(), {1, 2, 3, 4, 5, 6})
        self.assert_close(round.total(), arrays.sum(axis=0), 3 * STEP)


class Dropouts(Case):
    def test_a_client_whose_share_is_lost(self):
        for text in (SAME, DIFFERENT, RELAYS, KEYS_FULL, KEYS_PARTIAL):
            for sealed in (False, True):
                with self.subTest(text, sealed=sealed):
                    arrays = vectors(len(text))
                    round = hagg.Round(plan_of(text), 1, f"{len(text)} {sealed}", sealed=sealed)
                    share_each(round, arrays)
                    (round.directory / "station-2/in/client-4.cbor").unlink()
                    self.assertEqual(round.survivors(), {1, 2, 3, 5, 6})
                    self.assert_close(round.total(), np.delete(arrays, 3, axis=0).sum(axis=0), 2.5 * STEP)
                    self.assertEqual(round.report.clients, {1, 2, 3, 5, 6})

    def test_fewer_clients_by_agreement(self):
        arrays = vectors(4)
        round = hagg.Round(plan_of(DIFFERENT), 1, "work")
        share_each(round, arrays)
        self.assert_close(round.total(clients=[1, 2, 4, 6]), arrays[[0, 1, 3, 5]].sum(axis=0), 2 * STEP)
        self.assert_fails(hagg.PrivacyError, 6, "", round.total)
        self.assert_fails(hagg.PrivacyError, 6, "", round.total, clients=[1, 2, 4, 5])
        self.assert_close(round.total(clients=[1, 2, 4, 6]), arrays[[0, 1, 3, 5]].sum(axis=0), 2 * STEP)

    def test_too_many_are_missing(self):
        round = hagg.Round(plan_of(SAME), 1, "work")
        self.assertEqual(round.survivors(), set())
        self.assert_fails(hagg.UsageError, 2, "no client has shared", round.total)
        share_each(round, vectors(5), clients=[1, 2, 3])
        self.assert_fails(hagg.PrivacyError, 6, "3 clients are missing, but the plan tolerates only 2", round.survivors)
        self.assert_fails(hagg.PrivacyError, 6, "3 clients are missing, but the plan tolerates only 2", round.total)

    def test_missing_stations_and_relays(self):
        cases = [(text, "stations=3", {"stations": [3]})
                 for text in (SAME, DIFFERENT, RELAYS, KEYS_FULL, KEYS_PARTIAL, STAIRCASE)]
        cases += [(RELAYS, "relays=2", {"relays": [2]}),
                  (RELAYS, "stations=2,relays=3", {"stations": {2}, "relays": [3]})]
        for text, words, mapping in cases:
            for sealed, without in ((False, words), (True, mapping)):
                with self.subTest(text, without=without):
                    arrays = vectors(len(text))
                    round = hagg.Round(plan_of(text), 1, f"{len(text)} {words} {sealed}", sealed=sealed)
                    share_each(round, arrays)
                    for u in mapping.get("stations", ()):
                        for path in (round.directory / f"station-{u}/in").glob("*"):
                            path.unlink()
                    self.assertEqual(round.survivors(without), {1, 2, 3, 4, 5, 6})
                    self.assert_close(round.total(without=without), arrays.sum(axis=0), 3 * STEP)

    def test_shares_that_are_sent_in_part(self):
        arrays = vectors(7)
        round = hagg.Round(hagg.Plan(STAIRCASE), 1, "work")
        share_each(round, arrays)
        self.assert_close(round.total(), arrays.sum(axis=0), 3 * STEP)
        incoming = round.directory / "federator" / "in"

        def symbols(name):
            return {tuple(record.header.get("symbols", ())) for record in hagg.read(incoming / f"{name}.cbor")}

        # n = 4, k = 3, z = 1: three symbols, of which four stations send two
        self.assertEqual(symbols("from-station-2"), {(0, 2)})
        (incoming / "from-station-3.cbor").unlink()
        self.assert_fails(hagg.NotEnoughError, 5, "were sent in part", round.decode)
        for station in (1, 2, 4):
            round.sum(station, present=[1, 2, 4], after=range(1, 5))
        self.assertEqual(symbols("from-station-2-rest"), {(2, 3)})
        self.assert_close(round.decode(), arrays.sum(axis=0), 3 * STEP)
        # whole shares, after which nothing is left of earlier attempts
        self.assert_close(round.total(without="stations=1"), arrays.sum(axis=0), 3 * STEP)
        self.assertEqual(symbols("from-station-2"), {()})
        self.assertFalse((incoming / "from-station-2-rest.cbor").exists())
        self.assert_fails(hagg.UsageError, 2, "--after requires --present", round.sum, 1, after=[1, 2])
        self.assert_fails(hagg.UsageError, 2, "must name the station itself", round.sum, 1, present=[2, 3, 4])
        self.assert_fails(hagg.NotEnoughError, 5, "names only 2 of the holders", round.sum, 1, present=[1, 2])

    def test_stand_by_sums(self):
        for sealed in (False, True):
            with self.subTest(sealed=sealed):
                arrays = vectors(8)
                round = hagg.Round(hagg.Plan(DIFFERENT), 1, f"work {sealed}", sealed=sealed)
                share_each(round, arrays)
                round.deal()
                round.roster()
                incoming = round.directory / "federator" / "in"

                def sent():
                    return {path.stem for path in incoming.glob("from-*") if path.stat().st_size > 0}

                # stations 1 to 4 have clients with two and with three parts, so more rows than station 5
                for station in range(1, 6):
                    round.sum(station, present=range(1, 6))
                self.assertEqual(sent(), {f"from-station-{u}" for u in (1, 2, 3, 5)})
                self.assert_close(round.decode(), arrays.sum(axis=0), 3 * STEP)
                (incoming / "from-station-5.cbor").unlink()
                self.assert_fails(hagg.NotEnoughError, 5, "only 3 of the shares", round.decode)
                for station in (1, 2, 3, 4):
                    round.sum(station, present=[1, 2, 3, 4], after=range(1, 6))
                self.assertEqual(sent(), {f"from-station-{u}" for u in (1, 2, 3)} | {"from-station-4-rest"})
                self.assert_close(round.decode(), arrays.sum(axis=0), 3 * STEP)
                self.assert_fails(hagg.NotEnoughError, 5, "names only 3 of the stations", round.sum, 1, present=[1, 2, 3])
                # all sums, as a check
                round.sum(5)
                self.assert_close(round.decode(), arrays.sum(axis=0), 3 * STEP)

    def test_stand_by_sums_of_another_set_of_clients(self):
        round = hagg.Round(hagg.Plan(SAME), 1, "work")
        share_each(round, vectors(9))
        round.roster()
        round.sum(4, present=range(1, 5))
        roster = round.directory / "federator" / "out" / "roster.cbor"
        self.assertEqual((round.directory / "federator/in/from-station-4.cbor").stat().st_size, 0)
        roster.unlink()
        other = hagg.Round(hagg.Plan(SAME), 1, "work", state="another")
        other.roster(clients="1-5")
        self.assert_fails(hagg.PrivacyError, 6, "already", round.sum, 4, present=[1, 2, 4], after=range(1, 5))

    def test_a_relay_that_vanishes_after_an_attempt(self):
        arrays = vectors(6)
        round = hagg.Round(plan_of(RELAYS), 1, "work")
        share_each(round, arrays)
        self.assert_close(round.total(), arrays.sum(axis=0), 3 * STEP)
        self.assert_close(round.total(without="relays=1"), arrays.sum(axis=0), 3 * STEP)

    def test_more_missing_than_the_plan_tolerates(self):
        round = hagg.Round(plan_of(SAME), 1, "work")
        share_each(round, vectors(7))
        self.assert_fails(hagg.NotEnoughError, 5, "", round.total, without="stations=1-2")
        self.assert_fails(hagg.UsageError, 2, "'clients' cannot be missing", round.total, without={"clients": [1]})
        self.assert_fails(hagg.UsageError, 2, "is not like", round.total, without="stations=x")
        round = hagg.Round(plan_of(RELAYS), 1, "relays")
        share_each(round, vectors(8))
        self.assert_fails(hagg.UsageError, 2, "all relays that station 1 reaches are missing", round.total,
                          without="relays=1,2")


class Arguments(Case):
    def test_of_a_round(self):
        plan = plan_of(SAME)
        for arguments, message in (((3, plan), "plan must be a hagg.Plan, not 3"),
                                   (("text", 1), "plan must be a hagg.Plan, not 'text'"),
                                   ((plan, "1"), "number must be a whole number, not '1'"),
                                   ((plan, 1.5), "number must be a whole number, not 1.5")):
            with self.assertRaises(TypeError) as caught:
                hagg.Round(*arguments, "work")
            self.assertEqual(str(caught.exception), message)
        self.assert_fails(hagg.UsageError, 2, "must not be negative, but is -1", hagg.Round, plan, -1, "work")
        pathlib.Path("file").touch()
        for name in ("file", "file/below"):
            self.assert_fails(hagg.CommandError, 1, f"{name}: is not a directory", hagg.Round, plan, 1, name)
        self.assertEqual(os.listdir("."), ["file"])
        self.assertEqual(repr(hagg.Round(plan, np.int64(3), "work")),
                         f"<hagg.Round: round 3 in {os.getcwd()}/work, not sealed>")
        self.assertEqual(repr(hagg.Round(plan, 0, "keys", sealed=True)),
                         f"<hagg.Round: round 0 in {os.getcwd()}/keys, sealed>")

    def test_numbers_of_clients(self):
        round = hagg.Round(plan_of(SAME), 1, "work")
        for share in (lambda: round.share("1", [0.5]), lambda: round.share_all(np.zeros((3, 1)), clients="1-3")):
            self.assertRaisesRegex(TypeError, "^client must be a whole number, not '1'$", share)

    def test_arrays_of_different_shapes(self):
        round = hagg.Round(plan_of(SAME), 1, "work")
        ragged = [np.zeros(3), np.zeros((2, 2))]
        for share in (lambda: round.share(1, ragged), lambda: round.share_all(ragged, clients=[1, 2]),
                      lambda: hagg.share([[1, 2], [3]], 3, 2, 1)):
            self.assert_fails(hagg.UsageError, 2, "flatten and concatenate them", share)

    def test_of_a_total(self):
        arrays = vectors(3)
        round = hagg.Round(plan_of(SAME), 1, "work")
        share_each(round, arrays)
        for call in (round.decode, lambda: round.sum(1), lambda: round.relay(1)):
            self.assert_fails(hagg.UsageError, 2, "roster.cbor: is missing: call roster() first", call)
        self.assert_fails(hagg.UsageError, 2, "without: [3] is not like {'stations': [3]} or", round.total, without=[3])
        self.assert_close(round.total(clients="1-3,5"), arrays[[0, 1, 2, 4]].sum(axis=0), 2 * STEP)
        self.assertEqual(round.report.clients, {1, 2, 3, 5})
        self.assert_fails(hagg.UsageError, 2, "1-x", round.total, clients="1-x")


class Couriers(Case):
    SEEDS = """
        collude  full clients=1 stations=2
        fallback computational
        quantize bits=20 clip=4
        stations 4
        client   1-3 via 1-4
        client   4 5 via 2-4
        client   6   via 2
        """

    def test_a_client_with_one_station(self):
        for protocol, lines in (("aligned", ""), ("aligned", "privacy computational"), ("keys", "protocol keys")):
            with self.subTest(protocol, lines=lines):
                text = self.SEEDS + lines + "\n"
                text = text.replace("full clients=1", "partial") if protocol == "keys" else text
                plan = hagg.Plan.from_topology(text)
                self.assertEqual((plan.protocol, plan.couriers), (protocol, (2,)))
                arrays = vectors(len(text))
                round = hagg.Round(plan, 1, f"{protocol} {lines}", sealed=True)
                with self.assertWarnsRegex(hagg.HaggWarning, "computational only"):
                    share_each(round, arrays)
                self.assertEqual([path.parent.parent.name for path in round.directory.rglob("client-6.cbor")
                                  if "station" in str(path)], ["station-2"])
                self.assertEqual(round.survivors(), {1, 2, 3, 4, 5, 6})
                self.assert_close(round.total(), arrays.sum(axis=0), 3 * STEP)
                self.assertTrue(any(round.directory.rglob("client-6-via-2.cbor")))
                self.assertEqual(round.survivors(), {1, 2, 3, 4, 5, 6})

    def test_what_is_said_about_privacy(self):
        plan = hagg.Plan.from_topology(self.SEEDS)
        audit = plan.audit()
        self.assertTrue(audit.private)
        self.assertEqual(audit.computational, (6,))
        self.assertIn("AES-256", audit.assumed)
        self.assertFalse(plan.audit("privacy=information-theoretic").meets)
        self.assertIn("computational privacy of 1 client>", repr(plan))
        self.assertEqual(plan.cost().seeds, 4)  # two, and each of them twice: through the courier
        plain = hagg.Plan.from_topology(self.SEEDS.replace("client   6   via 2", "client   6   via 2-4"))
        self.assertEqual((plain.audit().computational, plain.audit().assumed, plain.cost().seeds), ((), None, 0))

    def test_another_courier(self):
        text = self.SEEDS.replace("via 2\n", "via 2 4\n").replace("stations 4", "drop stations=1\n stations 5").replace(
            "via 1-4", "via 1-5").replace("via 2-4", "via 1-4")
        arrays = vectors(8)
        round = hagg.Round(hagg.Plan.from_topology(text), 1, "another", sealed=True)
        share_each(round, arrays, clients=[1, 2, 3, 4, 5])
        with self.assertWarnsRegex(hagg.HaggWarning, "computational only"):
            round.share(6, arrays[5], missing=[2])
        for path in (round.directory / "station-2/in").glob("*"):
            path.unlink()
        self.assert_close(round.total(without="stations=2"), arrays.sum(axis=0), 3 * STEP)

    def test_seeds_are_not_sent_in_the_clear(self):
        round = hagg.Round(hagg.Plan.from_topology(self.SEEDS), 1, "open")
        self.assert_fails(hagg.PrivacyError, 6, "seeds must be sealed", round.share, 6, vectors(1)[5])

    def test_a_courier_that_drops_records(self):
        arrays = vectors(3)
        round = hagg.Round(hagg.Plan.from_topology(self.SEEDS), 1, "drops", sealed=True)
        with self.assertWarnsRegex(hagg.HaggWarning, "computational only"):
            share_each(round, arrays)
        for u in {u for i in round.plan.clients for u in round.plan.stations_of(i)}:
            round.report_clients(u)
        self.assertEqual(round.roster(), {1, 2, 3, 4, 5})


class Parties(Case):
    def test_each_node_runs_its_own_part_with_its_own_key(self):
        arrays = vectors(1)
        made = hagg.Round(plan_of(DIFFERENT), 1, "keys", sealed=True)
        plan = hagg.Plan("keys/sealed.plan")
        self.assertEqual(plan.digest, made.plan.digest)

        def node(tier, number):
            """A node with a directory, a state and a private key of its own."""
            return hagg.Round(plan, 1, f"{tier}-{number}", identity=f"keys/keys/{tier}-{number}.pem")

        def carry(sender, receiver, what):
            for path in pathlib.Path(sender).glob(f"round-1/{what}"):
                copy = pathlib.Path(receiver, *path.parts[1:])
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())

        for i in plan.clients:
            node("client", i).share(i, arrays[i - 1])
            for u in plan.stations:
                carry(f"client-{i}", f"station-{u}", f"station-{u}/in/*")
        for u in plan.stations:
            node("station", u).deal([u])
            for v in plan.stations:
                carry(f"station-{u}", f"station-{v}", f"station-{v}/in/mask-{u}.cbor")
        pathlib.Path("station-3/round-1/station-3/in/client-2.cbor").unlink()
        for u in plan.stations:
            node("station", u).report_clients(u)
            carry(f"station-{u}", "federator-1", "federator/in/*")
        federator = node("federator", 1)
        self.assertEqual(federator.roster(), {1, 3, 4, 5, 6})
        for u in plan.stations:
            carry("federator-1", f"station-{u}", "federator/out/*")
            node("station", u).sum(u)
            carry(f"station-{u}", "federator-1", "federator/in/from-*")
        self.assert_close(federator.decode(mean=True), np.delete(arrays, 1, axis=0).mean(axis=0), STEP)
        self.assertEqual(federator.report.clients, {1, 3, 4, 5, 6})
        # a node cannot do the part of another
        self.assert_fails(hagg.PrivacyError, 6, "", node("station", 1).sum, 2)
        self.assert_fails(hagg.PrivacyError, 6, "", node("client", 1).share, 2, arrays[1])


class Directories(Case):
    def test_everything_is_in_the_working_directory(self):
        round = hagg.Round(plan_of(DIFFERENT), 1, "deep/work", sealed=True)
        share_each(round, vectors(1))
        round.total()
        self.assertEqual(os.listdir("."), ["deep"])
        self.assertEqual(sorted(os.listdir("deep/work")),
                         [".used", "hagg.ids", "hagg.topo", "keys", "round-1", "sealed.plan", "state"])
        self.assertEqual(os.stat("deep/work").st_mode & 0o777, 0o700)
        files = [*round.directory.rglob("in/*.cbor"), *pathlib.Path("deep/work/keys").iterdir()]
        self.assertGreater(len(files), 40)
        for path in files:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_other_users_have_no_access(self):
        self.addCleanup(os.umask, os.umask(0))
        os.mkdir("work")
        for number, text in enumerate((SAME, KEYS_FULL, RELAYS), 1):
            os.mkdir(f"work/{number}")
            round = hagg.Round(plan_of(text), 1, f"work/{number}", sealed=True)
            share_each(round, vectors(number))
            for name in ("state", "keys", "round-1"):
                self.assertEqual((round.workdir / name).stat().st_mode & 0o777, 0o700)
            self.assertEqual(round.workdir.stat().st_mode & 0o777, 0o777)
        hagg.Round(hagg.Plan(DIFFERENT + "length 3\n"), 1, "dealers").deal()
        self.assertEqual(os.stat("dealers/round-1").st_mode & 0o777, 0o700)

    def test_a_directory_of_another_plan(self):
        for sealed in (False, True):
            hagg.Round(plan_of(SAME), 1, f"{sealed}", sealed=sealed)
            hagg.Round(plan_of(SAME), 2, f"{sealed}", sealed=sealed)
            self.assert_fails(hagg.UsageError, 2, "this directory is used with another plan", hagg.Round,
                              plan_of(DIFFERENT), 3, f"{sealed}", sealed=sealed)

    def test_one_total_for_all_rounds_of_a_working_directory(self):
        plan, arrays = plan_of(SAME), vectors(2)
        round = hagg.Round(plan, 1, "work")
        share_each(round, arrays)
        round.total(clients=[1, 2, 3, 4])
        round.clear()
        round = hagg.Round(plan, 1, "work")
        share_each(round, arrays)
        self.assert_fails(hagg.PrivacyError, 6, "", round.total)

    def test_plans_that_a_round_cannot_carry_out(self):
        text = "collude full stations=1 relays=1\nprotocol keys\ntransform direct\nstations 3\nrelays 3\n" \
               "station 1-3 via 1-3\nclient 1-3 via 1-3\n"
        self.assert_fails(hagg.UsageError, 2, "use hagg-round", hagg.Round, hagg.Plan.from_topology(text), 1, "work")
        hagg.Round(plan_of(SAME), 1, "sealed", sealed=True)
        os.chdir("sealed")
        plan = hagg.Plan(pathlib.Path("sealed.plan").read_text())
        self.assert_fails(hagg.UsageError, 2, "plan.save", hagg.Round, plan, 1, "work")
        round = hagg.Round(hagg.Plan("sealed.plan"), 1, "work")
        self.assert_fails(hagg.UsageError, 2, "--identity", round.share, 1, [0.5])


class OneTotal(Case):
    """What would allow a second total, or another plan, without a warning."""

    def test_a_plan_that_changes_in_its_file(self):
        path = pathlib.Path("a.plan")
        path.write_text(SAME)
        round = hagg.Round(hagg.Plan(path), 1, "work")
        path.write_text(SAME.replace("full", "partial"))  # it would be accepted, if it were the plan
        self.assert_fails(hagg.PrivacyError, 6, "digest", round.share, 1, [0.5])
        self.assertEqual(list(pathlib.Path("work").rglob("*.cbor")), [])
        path.write_text(SAME)
        round.share(1, [0.5])

    def test_a_state_that_is_lost(self):
        round = hagg.Round(hagg.Plan(SAME), 1, "work")
        round.share_all(np.ones((6, 2)))
        self.assert_close(round.total(), [6, 6], 6 * STEP)
        shutil.rmtree("work/state")
        self.assert_fails(hagg.PrivacyError, 6, "work/state: is missing, and without it nothing stops",
                          hagg.Round, hagg.Plan(SAME), 1, "work")
        self.assertFalse(pathlib.Path("work/state").exists())

    def test_a_working_directory_that_changes(self):
        """A round stays where it was begun, with its plan, its state and its keys."""
        pathlib.Path("a.plan").write_text(SAME)
        round = hagg.Round(hagg.Plan("a.plan"), 1, "work", sealed=True)
        round.share_all(np.ones((6, 2)))
        pathlib.Path("other/work").mkdir(parents=True)
        os.chdir("other")
        self.assert_close(round.total(), [6, 6], 6 * STEP)
        self.assertEqual(os.listdir("work"), [])

    def test_braces_in_the_name_of_a_directory(self):
        for arguments in ({"workdir": "exp-{}"}, {"workdir": "work", "state": "{tier}"}):
            self.assert_fails(hagg.UsageError, 2, "replace braces", hagg.Round, hagg.Plan(SAME), 1, **arguments)
        self.assertEqual(sorted(os.listdir(".")), ["work"])
