#!/usr/bin/env python3
"""Times hagg-plan, hagg-cost and hagg-audit on large networks, next to hagg-plan --keep, which reads and
checks the same plan: answers.py FOLDER [ROUNDS].

Times are CPU times, medians over the rounds. The ratio is the median of the ratios within a round. The
output is compared with the known correct answers.
"""
import os
import resource
import statistics
import subprocess
import sys

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
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "geometric_topology.py")
    return subprocess.run([sys.executable, script, "--clients", str(clients), "--stations", str(stations), "--radius",
                           str(radius), "--seed", "5"], check=True, capture_output=True, text=True).stdout.splitlines()


# title, lines of the plan, command, text that its output must contain, target in seconds
CASES = [
    ("hagg-plan, 10^5 clients, 100 stations", geometric(10**5, 100, 0.19), ["hagg-plan"], "\nprotocol aligned\n", 2),
    ("hagg-plan, 10^6 clients, 1000 stations", geometric(10**6, 1000, 0.06), ["hagg-plan"], "\nprotocol aligned\n", 30),
    ("hagg-cost, 10000 clients", drawn(), ["hagg-cost", "--format", "tsv"], "c1\treached\tpartial\ttotal\t32500", 1),
    ("hagg-audit, the paper's six clients", ["collude full clients=1 stations=2"] + SIX, ["hagg-audit"],
     "private: 120 coalitions checked", 0.5),
    ("hagg-audit, 60 clients, z = 2/2", sixty(), ["hagg-audit"], "private: 159300 coalitions checked", 60),
]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main(folder, rounds=5):
    os.makedirs(folder, exist_ok=True)
    print(f"{'answers about networks':38}{'CPU time':>10}{'/ hagg-plan --keep':>20}{'target':>10}")
    for title, lines, command, answer, target in CASES:
        path = f"{folder}/plan"
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        times, ratios = [], []
        for _ in range(int(rounds)):
            took, said = seconds([*command, path])
            beside, _ = seconds(["hagg-plan", "--keep", "-q", path])
            if answer not in said:
                sys.exit(f"{title}: '{answer}' is not in the output:\n{said}")
            times.append(took)
            ratios.append(took / max(beside, 1e-4))
        print(f"{title:38}{statistics.median(times):8.3f} s{statistics.median(ratios):20.2f}{target:8} s")
        if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 2 * 2**20:
            sys.exit(f"{title}: needs more than 2 GB")


if __name__ == "__main__":
    main(*sys.argv[1:])
