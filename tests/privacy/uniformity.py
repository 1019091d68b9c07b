"""Keys and shares of real runs look uniform and independent: uniformity.py BIN.

A smoke test. It finds a generator that is not used, used twice or truncated. It does not prove what the
exhaustive counts prove. The vectors are zero, so any trace of them in the shares would be visible.

Every statistic is a chi-square of 256 cells over the same number of samples: the expected value is 255
and the standard deviation 22.6. The bounds are more than six standard deviations away, on both sides,
because too even is wrong as well. A correct build is outside less than once in ten million statistics.
"""

import sys
import tempfile

import numpy

from commands import Commands
from fields import field_of
from report import Report

SAMPLES = 1 << 16
LOW, HIGH = 110, 450
FIELDS = ("m31", "m61", "goldilocks", "gf256", "prime:p=1000003", "prime:p=251")
PLAN = """\
field {spec}
protocol keys
collude partial stations=2
stations 3
client 1 2 via 1-3
"""


def chi_square(cells, expected):
    return float((((cells - expected) ** 2) / expected).sum())


def bucket(field, elements, n):
    """The index of the part that each element is in, with the field divided into n parts as evenly as
    possible."""
    return (field.vector(elements).astype(object) * n // field.order).astype("i8")


def expected_cells(field, n):
    """The fraction of the field's elements in each part."""
    edges = [-(-i * field.order // n) for i in range(n + 1)]
    return numpy.array([(b - a) / field.order for a, b in zip(edges, edges[1:])])


class Look:
    def __init__(self, report, field):
        self.report, self.field = report, field

    def bounds(self, value, what):
        self.report.check(LOW < value < HIGH, lambda: f"{what}: chi-square {value:.1f}")

    def uniform(self, elements, what):
        n = min(256, self.field.order)
        cells = numpy.bincount(bucket(self.field, elements, n), minlength=n)
        value = chi_square(cells, expected_cells(self.field, n) * len(elements))
        self.bounds(value * 255 / (n - 1), what)

    def unrelated(self, a, b, what):
        each = expected_cells(self.field, 16)
        pairs = bucket(self.field, a, 16) * 16 + bucket(self.field, b, 16)
        cells = numpy.bincount(pairs, minlength=256)
        self.bounds(chi_square(cells, numpy.outer(each, each).reshape(-1) * len(a)), what)


def run_client(commands, client):
    """The key and the three shares of one client's run."""
    own = ["--plan", "plan", "--client", client, "--round", 1]
    commands.run("keygen", *own, "--length", SAMPLES, "-o", f"key-{client}")
    commands.run("share", *own, "--key", f"key-{client}", "-o", f"{{}}-of-{client}", "zeros.npy")
    key = commands.records(f"key-{client}")[0].elements
    return [key] + [commands.records(f"{u}-of-{client}")[0].elements for u in (1, 2, 3)]


def check_field(commands, report, spec):
    look = Look(report, field_of(spec))
    commands.write("plan", PLAN.format(spec=spec).encode())
    numpy.save(commands.path("zeros.npy"), numpy.zeros(SAMPLES, "u1"))
    names = ["key", "share 1", "share 2", "share 3"]
    first, second = run_client(commands, 1), run_client(commands, 2)
    for name, a, b in zip(names, first, second):
        report.equal(len(a), SAMPLES, f"{name}: elements")
        look.uniform(a, f"{name} of client 1")
        look.uniform(b, f"{name} of client 2")
        look.unrelated(a, b, f"{name} of client 1 and of client 2")
        look.unrelated(a[:-1], a[1:], f"{name} and its next element")
    for i, j in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        look.unrelated(first[i], first[j], f"{names[i]} and {names[j]}")


def main(bin_dir):
    report = Report()
    for spec in FIELDS:
        with tempfile.TemporaryDirectory() as temporary:
            with report.part(spec):
                check_field(Commands(bin_dir, temporary, report), report, spec)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
