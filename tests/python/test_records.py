"""Records, compared with the independent reader in tests/format."""

import pathlib
import stat
import sys

import numpy as np

import hagg
from case import SOURCE, Case

sys.path.insert(0, str(SOURCE / "tests/format"))
import hagg_format

GOOD = SOURCE / "share-format/vectors/good"


class Reading(Case):
    def test_every_known_answer_file(self):
        n_sealed = n_arrays = 0
        for path in sorted(GOOD.glob("*.cbor")):
            with self.subTest(path.name):
                theirs = list(hagg_format.read_stream(path.read_bytes()))
                ours = hagg.read(path) if theirs else []
                self.assertEqual(len(ours), len(theirs))
                for record, other in zip(ours, theirs):
                    self.assertEqual(record.kind, other.header["kind"])
                    self.assertEqual(record.round, other.header.get("round"))
                    self.assertEqual(record.field, other.header.get("field"))
                    if record.sealed:
                        n_sealed += 1
                        self.assert_fails(hagg.PrivacyError, 6, "is sealed", getattr, record, "array")
                    else:
                        n_arrays += 1
                        self.assert_same(record.array, np.array(other.elements, f"u{other.width}"))
        self.assertGreater(n_sealed, 3)
        self.assertGreater(n_arrays, 20)

    def test_every_bad_file_is_refused(self):
        bad = sorted((GOOD.parent / "bad").glob("*.cbor"))
        self.assertGreater(len(bad), 50)
        for path in bad[::7]:
            with self.subTest(path.name):
                self.assert_fails(hagg.DamagedError, 3, f"hagg-inspect: {path}: ", hagg.read, path)

    def test_attributes(self):
        record = hagg.read(GOOD / "share-every-field.cbor")[0]
        self.assertEqual((record.kind, record.of, record.field, record.round), ("share", "padded", "m31", 12))
        self.assertEqual((record.length, record.clients, record.sealed), (7, {3}, False))
        self.assertEqual((record.scheme["n"], record.scheme["k"], record.scheme["z"]), (3, 2, 1))
        self.assertEqual(len(record.digest), 32)
        self.assertFalse(record.array.flags.writeable)

    def test_an_open_file_and_an_empty_one(self):
        with open(GOOD / "share-minimal.cbor", "rb") as file:
            self.assertEqual(len(hagg.read(file)), 1)
        pathlib.Path("empty.cbor").touch()
        self.assert_fails(hagg.DamagedError, 3, "empty.cbor", hagg.read, "empty.cbor")


class Writing(Case):
    def test_records_are_written_as_they_are(self):
        records = hagg.share([1, 2, 3], 3, 2, 1)
        hagg.write("all.cbor", records)
        self.assertEqual(stat.S_IMODE(pathlib.Path("all.cbor").stat().st_mode), 0o600)
        again = hagg.read("all.cbor")
        self.assertEqual([bytes(r.data) for r in again], [bytes(r.data) for r in records])
        hagg.write("all.cbor", again[:1])
        self.assertEqual(len(hagg.read("all.cbor")), 1)
        hagg.write("all.cbor", records[2])
        self.assertEqual([bytes(r.data) for r in hagg.read("all.cbor")], [bytes(records[2].data)])
        self.assertEqual([p.name for p in pathlib.Path(".").iterdir()], ["all.cbor"])

    def test_a_directory_that_does_not_exist(self):
        self.assertRaises(FileNotFoundError, hagg.write, "nowhere/all.cbor", hagg.share([1], 3, 2, 1))


class Sharing(Case):
    def test_shapes_and_types(self):
        rng = np.random.default_rng(2)
        for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
            for shape in ((), (1,), (0,), (5,), (2, 3), (2, 0, 3), (2, 1, 3)):
                array = rng.integers(0, 100, shape).astype(kind)
                self.assert_same(hagg.decode(hagg.share(array, 4, 3, 1)[1:]), array)

    def test_real_numbers(self):
        array = np.random.default_rng(3).uniform(-2, 2, (7, 3))
        for kind in ("f4", "f8"):
            values = array.astype(kind)
            got = hagg.decode(hagg.share(values, 3, 2, 1, quantize=hagg.Quantize(24, 2.0)))
            self.assertEqual(got.dtype, values.dtype)
            self.assert_close(got, values, 2 / (2**23 - 1))
        self.assert_fails(hagg.MismatchError, 4, "array: ", hagg.share, array, 3, 2, 1)

    def test_levels(self):
        values = np.array([-2, -1.25, 0, 0.75, 2])
        quantize = hagg.Quantize(levels=5, clip=2.0)
        records = [record for client in (1, 2) for record in hagg.share(values, 3, 2, 1, client=client, quantize=quantize)]
        self.assertEqual(records[0].quantize, quantize)
        self.assert_same(hagg.decode(hagg.aggregate(records)), np.array([-4.0, -2, 0, 2, 4]))

    def test_clip(self):
        quantize = hagg.Quantize(24, 2.0)
        self.assert_fails(hagg.DamagedError, 3, "(in Python: clip=True)", hagg.share, [3.0, -1], 3, 2, 1,
                          quantize=quantize)
        with self.assertWarnsRegex(hagg.HaggWarning, "clip"):
            records = hagg.share([3.0, -1], 3, 2, 1, quantize=quantize, clip=True)
        self.assert_close(hagg.decode(records), [2, -1], quantize.step)

    def test_other_memory_layouts(self):
        array = np.arange(24).reshape(2, 3, 4)
        for other in (np.asfortranarray(array), array[::-1, :, ::2], array.astype(">i8"), array.transpose(2, 0, 1)):
            self.assert_same(hagg.decode(hagg.share(other, 3, 2, 1)), np.array(other, dtype="<i8"))

    def test_types_that_are_not_numbers(self):
        self.assert_fails(hagg.UsageError, 2, "type object", hagg.share, np.array([None]), 3, 2, 1)
        self.assert_fails(hagg.DamagedError, 3, "array: ", hagg.share, np.array(["a"]), 3, 2, 1)
        self.assert_fails(hagg.DamagedError, 3, "array: ", hagg.share, np.array([1j]), 3, 2, 1)

    def test_a_share_is_a_polynomial(self):
        # Shamir: with k = z + 1 = 2 a share is secret + point * random, modulo 2^31 - 1
        p, secret = 2**31 - 1, np.array([5, 7, 11])
        records = hagg.share(secret, 3, 2, 1)
        points = [record.scheme["point"] for record in records]
        slope = ((records[1].array.astype(object) - records[0].array.astype(object))
                 * pow(points[1] - points[0], -1, p)) % p
        for record, point in zip(records, points):
            expected = (records[0].array.astype(object) + slope * (point - points[0])) % p
            np.testing.assert_array_equal(record.array.astype(object), expected)
        self.assertEqual(hagg.decode(records[1:]).tolist(), secret.tolist())

    def test_sums(self):
        arrays = np.random.default_rng(4).integers(-1000, 1000, (6, 9))
        records = [record for i, array in enumerate(arrays) for record in hagg.share(array, 5, 3, 2, client=i + 1)]
        sums = hagg.aggregate(records)
        self.assertEqual(len(sums), 5)
        self.assertEqual(sums[0].clients, {1, 2, 3, 4, 5, 6})
        self.assert_same(hagg.decode(sums[2:]), arrays.sum(axis=0))
        self.assert_same(hagg.decode(sums, mean=True), arrays.sum(axis=0) / 6)
        self.assert_fails(hagg.MismatchError, 4, "client 1", hagg.aggregate, records + records[:1])
        self.assertEqual(hagg.decode(hagg.aggregate(
            hagg.share(np.uint8([1, 2]), 3, 2, 1, field="gf256") +
            hagg.share(np.uint8([3, 6]), 3, 2, 1, field="gf256"))).tolist(), [2, 4])

    def test_a_wrong_share(self):
        records = hagg.share([1, 2, 3], 4, 2, 1)
        other = hagg.share([1, 2, 3], 4, 2, 1)
        with self.assertRaises(hagg.Error):
            hagg.decode([*records[:3], other[3]])
