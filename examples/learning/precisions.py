"""The precisions in which clients can send their gradients, and how each changes the topology.

    precisions.py NAME TOPOLOGY    prints the topology with this precision
    precisions.py                  prints the names
"""

import dataclasses
import math
import pathlib
import re
import sys

FIRST_CLIP = 0.1


@dataclasses.dataclass(frozen=True)
class Precision:
    """A client divides its vector by the clip of the round. An element from -1 to 1 then becomes one of the
    integers from -steps to steps, by this rounding: nearest, stochastic or sign."""

    quantize: str  # the words of the line in the topology
    steps: int
    rounding: str
    clips: bool = True

    def clip(self, number):
        """The clip of a round. It depends on nothing but the number of the round, so it reveals nothing.
        Gradients become smaller while the model learns, and so does the clip."""
        return FIRST_CLIP / math.sqrt(number) if self.clips else 1.0

    def topology(self, text):
        """The topology with this precision. It names no field, so hagg-plan chooses the smallest that holds the
        sum of all clients. A small one has no room for the number of all samples, so samples are not counted."""
        for word, line in (("field", ""), ("quantize", f"quantize {self.quantize}\n"), ("samples", "")):
            text, n_lines = re.subn(rf"^{word}\b.*\n", line, text, flags=re.M)
            if n_lines != 1:
                raise ValueError(f"{n_lines} lines '{word}' in the topology, not one")
        return text


PRECISIONS = {
    "full": Precision("bits=24 clip=1", 2**23 - 1, "nearest", clips=False),
    "8-bits": Precision("bits=8 clip=1", 127, "nearest"),
    "4-bits": Precision("bits=4 clip=1 rounding=stochastic", 7, "stochastic"),
    "ternary": Precision("ternary clip=1", 1, "stochastic"),
    "sign": Precision("sign clip=1", 1, "sign"),
}


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(*PRECISIONS, sep="\n")
    else:
        print(PRECISIONS[sys.argv[1]].topology(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")), end="")
