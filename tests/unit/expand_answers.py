"""Prints the known answers of tests/unit/expand.c, with openssl(1) for AES and Python integers for the fields.

The seed is the bytes 0, 7, 14, .. For each field: elements at some places of the expansion, and the sum of
(i + 1) times element i, modulo 2^64, over the first N.
"""

import subprocess

PIECE, N = 4096, 10000
PLACES = (0, 1, 2, 4095, 4096, 8191, 8192, 9999)
SEED = bytes(7 * i % 256 for i in range(32))
FIELDS = {"m31": 2**31 - 1, "m61": 2**61 - 1, "goldilocks": 2**64 - 2**32 + 1, "gf256": 256, "prime:p=65521": 65521,
          "prime:p=5": 5}


def key_stream(j, n_bytes):
    counter = j.to_bytes(8, "big") + bytes(8)
    return subprocess.run(["openssl", "enc", "-aes-256-ctr", "-K", SEED.hex(), "-iv", counter.hex()],
                          input=bytes(n_bytes), capture_output=True, check=True).stdout


def piece(order, j):
    """A word gives its low bits, as many as the largest element has, unless they are not an element."""
    bits, found = (order - 1).bit_length(), []
    size = next(s for s in (1, 2, 4, 8) if 8 * s >= bits)
    stream = key_stream(j, 4 * PIECE * size)
    for at in range(0, len(stream), size):
        x = int.from_bytes(stream[at : at + size], "little") % 2**bits
        if x < order and len(found) < PIECE:
            found.append(x)
    assert len(found) == PIECE
    return found


def main():
    for spec, order in FIELDS.items():
        elements = [x for j in range(-(-N // PIECE)) for x in piece(order, j)][:N]
        total = sum((i + 1) * x for i, x in enumerate(elements)) % 2**64
        far = piece(order, 2**40)[5]
        print(f'{{ "{spec}", {{ {", ".join(hex(elements[i]) for i in PLACES)} }}, {total:#x}, {far:#x} }},')


if __name__ == "__main__":
    main()
