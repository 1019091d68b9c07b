"""Prints the smallest threshold that at most a fraction of all numbers exceed.

Usage: choose.py THRESHOLDS COUNTS FRACTION

COUNTS has the total of the counts that count.py prints. The fraction is exact: 0.01 is 1/100.
"""

import sys
from fractions import Fraction

thresholds = open(sys.argv[1]).read().split()
n, *beyond = (int(line) for line in open(sys.argv[2]))
if len(beyond) != len(thresholds):
    sys.exit(f"choose.py: {sys.argv[2]}: has {len(beyond)} counts for {len(thresholds)} thresholds")
for threshold, count in zip(thresholds, beyond):
    if count <= Fraction(sys.argv[3]) * n:
        print(threshold)
        break
else:
    sys.exit(f"choose.py: {beyond[-1]} of {n} numbers exceed the largest threshold: add larger ones")
