#!/usr/bin/env python3
"""Times hagg-plan, hagg-cost and hagg-audit on large networks, next to hagg-plan --keep, which reads and
checks the same plan: answers.py FOLDER [ROUNDS].

Times are CPU times, medians over the rounds, and memory is the largest of the rounds. The ratio is the median
of the ratios within a round. The output is compared with the known correct answers.
"""
import os
import random
import statistics
import subprocess
import sys
from fractions import Fraction

SIX = ["protocol keys", "stations 5", "client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5", "client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5",
       "client 3 via 1-5 shares 2-5 keys 1 2 3 5", "client 4 via 2-5 shares 2-5 keys 2 4 5",
       "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5", "client 6 via 1 2 5 shares 1 2 5 keys 1 2 5"]


def sixty():
    """Sixty clients, each with a profile of its own."""
    lines = ["protocol keys", "collude full clients=2 stations=2", "stations 10"]
    for i in range(60):
        shares = [1 + (i // 6 + j) % 10 for j in range(5 + i // 30)]
        keys = [1 + (i % 10 + 3 * j) % 10 for j in range(4 + i % 2)]
        lines.append(f"client {i + 1} via 1-10 shares {' '.join(map(str, shares))} keys {' '.join(map(str, keys))}")
    return lines


def drawn():
    """Ten thousand clients, of which hardly two reach the same stations."""
    return subprocess.run(["hagg-cost", "--random", "--clients", "10000", "--stations", "100", "--reach", "28",
                           "--collude", "stations=3", "--topology"], check=True, capture_output=True,
                          text=True).stdout.splitlines()


def geometric(clients, stations, radius):
    """Clients and stations in the plane; each client reaches about ten stations."""
    script = os.path.join(os.path.dirname(__file__), "geometric_topology.py")
    return subprocess.run([sys.executable, script, "--clients", str(clients), "--stations", str(stations),
                           "--radius", str(radius), "--seed", "5"], check=True, capture_output=True,
                          text=True).stdout.splitlines()


def windows(relays, transform):
    """10^5 clients, 100 stations and a plan of protocol keys for full collusion with ten clients: 700 sets of
    consecutive stations for vectors, and as many for keys; or thousands, if relays pass shares on."""
    rng = random.Random(5)
    lines = ["protocol keys", "stations 100",
             f"collude full clients=10 stations={2 if relays else 3}" + (" relays=1" if relays else "")]
    if relays:
        lines += [f"relays {relays}", f"station 1-100 via 1-{relays}"]
    if transform:
        lines.append("transform direct")

    def sharing(number):
        if relays and not transform:  # every station has one place
            return [1 + place + relays * rng.randrange(100 // relays) for place in range(relays)]
        return sorted(1 + (number % 100 + j) % 100 for j in range(6 + number // 100 % 7))

    for i in range(10000):
        shares, keys = sharing(i), sharing(37 * i + i // 700)
        line = (f"client {10 * i + 1}-{10 * i + 10} via {' '.join(map(str, sorted({*shares, *keys})))}"
                f" shares {' '.join(map(str, shares))} keys {' '.join(map(str, keys))}")
        lines.append(line + (f" relays 1-{relays} key-relays 1-{relays}" if relays else ""))
    return lines


def count(words):
    """The number of numbers in a list with ranges."""
    return sum(int(word.split("-")[-1]) - int(word.split("-")[0]) + 1 for word in words)


def bound(lines):
    """The lower bound, from the lines of a geometric topology with three colluding stations."""
    sizes = {}
    for line in lines:
        if line.startswith("client"):
            clients, _, via = line[len("client"):].partition("via")
            m = count(via.split())
            sizes[m] = sizes.get(m, 0) + count(clients.split())
    least = min(sizes)
    return sum(n * Fraction(m, m - 3) for m, n in sizes.items()) + Fraction(least, least - 3)


FINE = "segments 9240"  # as hagg-plan chooses
PRIVATE = "8 random coalitions confirmed by elimination"  # after a proof only
COST = ["hagg-cost", "--format", "tsv"]
CITY = geometric(100000, 100, 0.19)
COUNTRY = geometric(1000000, 1000, 0.0565)

# title, lines of the plan, command, text that its output must contain, targets in seconds and GB
CASES = [
    ("hagg-plan, 10^5 clients, 100 stations", CITY, ["hagg-plan"], "\nprotocol aligned\n", 2, 2),
    ("hagg-plan, 10^6 clients, 1000 stations", COUNTRY, ["hagg-plan"], "\nprotocol aligned\n", 30, 2),
    ("hagg-cost, 10000 clients", drawn(), COST, "c1\treached\tpartial\ttotal\t32500", 1, 2),
    ("hagg-cost, 10^5 clients, 100 stations", CITY, COST, f"bound\t\t\ttotal\t{bound(CITY)}\t", 2, 2),
    ("hagg-cost, 10^6 clients, 1000 stations", COUNTRY, COST, f"bound\t\t\ttotal\t{bound(COUNTRY)}\t", 30, 2),
    ("hagg-audit, 10^5 clients, aligned", [*CITY, FINE], ["hagg-audit"], PRIVATE, 10, 1),
    ("hagg-audit, 10^5 clients, aligned, full", ["collude full clients=100 stations=3", *CITY[1:], FINE],
     ["hagg-audit"], PRIVATE, 10, 1),
    ("hagg-audit --max, 10^5 clients, aligned", [*CITY, FINE], ["hagg-audit", "--max"], "up to 99998 with a larger minimum,", 10, 1),
    ("hagg-audit, 10^5 clients, keys", ["protocol keys", *CITY], ["hagg-audit"], PRIVATE, 10, 1),
    ("hagg-audit, 10^5 clients, keys, full", windows(0, False), ["hagg-audit"], PRIVATE, 10, 1),
    ("hagg-audit, 10^5 clients, relays", windows(10, False), ["hagg-audit"], PRIVATE, 10, 1),
    ("hagg-audit, 10^5 clients, transform", windows(8, True), ["hagg-audit"], PRIVATE, 10, 1),
    ("hagg-audit, the paper's six clients", ["collude full clients=1 stations=2"] + SIX, ["hagg-audit"],
     "private: 120 coalitions checked", 0.5, 2),
    ("hagg-audit, 60 clients, z = 2/2", sixty(), ["hagg-audit"], "private: 159300 coalitions checked", 60, 2),
]


def run(command):
    """CPU seconds, gigabytes and standard output."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: status {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6, said


def main(folder, rounds=5):
    os.makedirs(folder, exist_ok=True)
    print(f"{'answers about networks':40}{'CPU time':>10}{'target':>8}{'memory':>12}{'target':>8}{'/ hagg-plan --keep':>20}")
    for title, lines, command, answer, target, most in CASES:
        path = f"{folder}/plan"
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        times, ratios, memory = [], [], 0
        for _ in range(int(rounds)):
            took, size, said = run([*command, path])
            beside, _, _ = run(["hagg-plan", "--keep", "-q", path])
            memory = max(memory, size)
            if answer not in said:
                sys.exit(f"{title}: '{answer}' is not in the output:\n{said}")
            times.append(took)
            ratios.append(took / max(beside, 1e-4))
        print(f"{title:40}{statistics.median(times):8.3f} s{target:6} s{memory:9.3f} GB{most:5} GB"
              f"{statistics.median(ratios):20.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
