"""Prints how many numbers a vector has, and then how many exceed each threshold in absolute value.

Usage: count.py THRESHOLDS VECTOR.npy
"""

import sys

import numpy as np

thresholds = [float(line) for line in open(sys.argv[1])]
sizes = np.abs(np.load(sys.argv[2]).astype("f8"))
if not np.isfinite(sizes).all():
    sys.exit(f"count.py: {sys.argv[2]}: has a number that is not finite")
print(sizes.size)
for threshold in thresholds:
    print(np.count_nonzero(sizes > threshold))
