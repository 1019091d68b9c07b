"""Masks of stations that are wrong, or where they do not belong."""

from bad_cases import SHARE, TOTAL, VECTOR, Bad


def cases():
    for base, of in ((VECTOR, "plain"), (SHARE, "padded")):
        for key in ("stations", "masks"):
            data = base.having(key, TOTAL.header[key])
            yield Bad(f"{of}-with-{key}", "kind", key, data, f"what is {of} and has {key}")
    for name, failure, value, description in (
        ("type", "type", 1, "stations that are an integer"),
        ("empty", "range", [], "no station"),
        ("odd", "ranges", [1, 2, 5], "three numbers of stations"),
        ("touching", "ranges", [1, 2, 3, 4], "ranges of stations that touch"),
        ("descending", "ranges", [3, 1], "a range of stations that ends before it begins"),
        ("zero", "range", [0, 3], "station 0"),
        ("large", "range", [1, 2**32], "station 2^32"),
    ):
        yield Bad(f"stations-{name}", failure, "stations", TOTAL.having("stations", value), description)
    for name, failure, value, description in (
        ("type", "type", "0123456789abcdef", "masks that are text"),
        ("of-15", "range", bytes(15), "an identity of masks of 15 bytes"),
        ("of-17", "range", bytes(17), "an identity of masks of 17 bytes"),
    ):
        yield Bad(f"masks-{name}", failure, "masks", TOTAL.having("masks", value), description)
