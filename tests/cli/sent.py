"""Counts the records in the given files with an independent reader. Prints one line for each kind of link
and of content, with the numbers of records, symbols and bytes."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "format"))
import hagg_format

TIERS = ["unknown", "client", "holder", "station", "relay", "federator"]
CARRIES = ["vectors", "keys", "transfers", "masks"]

seen, counts = set(), {}
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        records = hagg_format.read_stream(file.read())
    for record in records:
        h = record.header
        encoded = hagg_format.write_record(h, record.elements)
        made_here = "from" not in h and ("mix" in h or "layout" in h)
        if encoded in seen or "to" not in h or h["to"] == h.get("from") or made_here:
            continue
        seen.add(encoded)
        what = {"key": "keys", "mask": "masks"}.get(h["of"], "vectors")
        key = (TIERS.index(h.get("from", ["unknown"])[0]), TIERS.index(h["to"][0]),
               CARRIES.index("transfers" if h["kind"] == "transfer" else what))
        one = (1, len(record.elements), len(encoded))
        counts[key] = [a + b for a, b in zip(counts.get(key, [0] * 3), one)]
for key in sorted(counts):
    print(TIERS[key[0]], TIERS[key[1]], CARRIES[key[2]], *counts[key], sep="\t")
