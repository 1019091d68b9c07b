"""A cursor over CBOR bytes that accepts only the deterministic encoding (RFC 8949, 4.2.1)."""

import math
import struct

UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE = range(8)
MAJOR_NAMES = ("unsigned integer", "negative integer", "byte string", "text string", "array", "map", "tag", "simple")


class Reject(Exception):
    """Why a stream is refused. code and where are those of the manifest; record counts from 1."""

    def __init__(self, code, where, text, record=None):
        super().__init__(f"{where}: {text} [{code}]")
        self.code, self.where, self.record = code, where, record


class Cursor:
    def __init__(self, data):
        self.data, self.pos = data, 0
        self.limit = None  # an end that no head or string may exceed, and the Reject for it

    def at_end(self):
        return self.pos == len(self.data)

    def take(self, n, where):
        """The next n bytes. n is compared with the bytes present before anything is copied."""
        if self.limit is not None and self.pos + n > self.limit[0]:
            raise self.limit[1]
        if n > len(self.data) - self.pos:
            raise Reject("truncated", where, f"{n} bytes expected, {len(self.data) - self.pos} are there")
        self.pos += n
        return self.data[self.pos - n : self.pos]

    def head(self, where):
        """(major type, argument, additional information) of the next head."""
        first = self.take(1, where)[0]
        major, info = first >> 5, first & 31
        if info < 24:
            return major, info, info
        if info == 31 and major in (BYTES, TEXT, ARRAY, MAP):
            raise Reject("indefinite", where, "the length is not definite")
        if info > 27:
            raise Reject("malformed", where, f"additional information {info}")
        argument = int.from_bytes(self.take(1 << (info - 24), where), "big")
        if major == SIMPLE:
            if info == 24 and argument < 32:
                raise Reject("malformed", where, "a simple value below 32 in two bytes")
        elif info == 24 and argument < 24 or info > 24 and argument < 1 << (8 << (info - 25)):
            raise Reject("not-shortest", where, f"{argument} in {1 << (info - 24)} bytes")
        return major, argument, info

    def expect(self, major, where):
        found, argument, _ = self.head(where)
        if found != major:
            raise Reject("type", where, f"a {MAJOR_NAMES[major]} expected, not a {MAJOR_NAMES[found]}")
        return argument

    def uint(self, low, high, where):
        value = self.expect(UNSIGNED, where)
        if not low <= value <= high:
            raise Reject("range", where, f"{value} is not in {low} .. {high}")
        return value

    def count(self, major, low, high, where):
        """The number of members of an array or map."""
        n = self.expect(major, where)
        if not low <= n <= high:
            raise Reject("range", where, f"{n} members, not {low} .. {high}")
        return n

    def bytes(self, low, high, where):
        n = self.expect(BYTES, where)
        if not low <= n <= high:
            raise Reject("range", where, f"{n} bytes, not {low} .. {high}")
        return bytes(self.take(n, where))

    def text(self, high, where, too_long="range"):
        """Printable ASCII of at most high bytes; code too_long for more."""
        n = self.expect(TEXT, where)
        if n > high:
            raise Reject(too_long, where, f"{n} bytes, more than {high}")
        raw = bytes(self.take(n, where))
        if any(not 0x20 <= byte <= 0x7E for byte in raw):
            raise Reject("text", where, "a byte that is not printable ASCII")
        return raw.decode("ascii")

    def simple(self, where):
        """True or False."""
        value = self.expect(SIMPLE, where)
        if value not in (20, 21):
            raise Reject("type", where, "neither true nor false")
        return value == 21

    def float(self, where):
        major, argument, info = self.head(where)
        if major != SIMPLE or info not in (25, 26, 27):
            raise Reject("type", where, "a float expected")
        value = struct.unpack({25: ">e", 26: ">f", 27: ">d"}[info], argument.to_bytes(1 << (info - 24), "big"))[0]
        if math.isnan(value):
            raise Reject("range", where, "not a number")
        for shorter, form in ((25, ">e"), (26, ">f")):
            if shorter < info and fits(form, value):
                raise Reject("not-shortest", where, f"{value!r} in {1 << (info - 24)} bytes")
        return value


def fits(form, value):
    try:
        return struct.unpack(form, struct.pack(form, value))[0] == value
    except OverflowError:
        return False
