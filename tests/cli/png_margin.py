"""Prints the widths in pixels of the white margins (left, right, top, bottom) of a PNG on standard input.

The PNG has 8 bits per channel, in RGB, and is not interlaced, like those of gnuplot's pngcairo.
"""

import struct
import sys
import zlib

import numpy

PNG = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(PNG)
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += 12 + size


def paeth(left, above, corner):
    estimate = left + above - corner
    return min((abs(estimate - x), i, x) for i, x in enumerate((left, above, corner)))[2]


FILTERS = (
    lambda left, above, corner: 0,
    lambda left, above, corner: left,
    lambda left, above, corner: above,
    lambda left, above, corner: (left + above) // 2,
    paeth,
)


def unfilter(kind, line, above):
    """Decodes one line of bytes, from the differences to the bytes 3 to the left and the line above."""
    guess = FILTERS[kind]
    for i in range(len(line)):
        left, corner = (line[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        line[i] = (line[i] + guess(left, above[i], corner)) & 255
    return line


def pixels(data):
    assert data.startswith(PNG)
    parts = list(chunks(data))
    width, height, *form = struct.unpack(">IIBBBBB", dict(parts)[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]
    raw = zlib.decompress(b"".join(body for name, body in parts if name == b"IDAT"))
    lines = [bytearray(3 * width)]
    for i in range(height):
        start = i * (3 * width + 1)
        lines.append(unfilter(raw[start], bytearray(raw[start + 1 : start + 3 * width + 1]), lines[-1]))
    return numpy.frombuffer(b"".join(lines[1:]), numpy.uint8).reshape(height, width, 3)


def main():
    ink = (pixels(sys.stdin.buffer.read()) != 255).any(axis=2)
    columns, rows = ink.any(axis=0).nonzero()[0], ink.any(axis=1).nonzero()[0]
    print(columns[0], ink.shape[1] - 1 - columns[-1], rows[0], ink.shape[0] - 1 - rows[-1])


main()
