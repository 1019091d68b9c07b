"""Checks hagg-audit --beyond from the statement of lib/protocol alone: beyond.py BIN STATEMENT COUNT [SEED].

The statement of each of COUNT random plans is expanded into linear forms in the clients' vectors, keys and
all random vectors. For every coalition of more stations than the plan allows, the amounts are computed again,
by rank. Amounts that hagg-audit prints as exact must be the largest of them; upper bounds must not be less.

Plans that promise how much more stations learn must keep the promise for every coalition and for the smallest
totals. The same plans without it must not, in some cases: because shares are smaller, because masks are made for
fewer colluders, and because what shares reveal of all other vectors is subtracted from the total.

For tiny fields the mutual information is counted: all values of all unknowns are enumerated, and with them
what coalitions see.
"""

import collections
import fractions
import itertools
import json
import math
import random
import subprocess
import sys
import tempfile

import numpy

from rank import rank_modulo
from report import Report

P = 101

# Plans with so few unknowns that all their values can be enumerated: the field, the text, and the largest
# amounts by hand, by number of stations: without the federator and with it, of one vector and in all.
RAMP = "stations 6\nclient 1 2 via 1-6\n"
TINY = [
    (11, "collude partial stations=2\nsegments 4\n" + RAMP, {(3, False): ("1/4", "1/2"), (4, False): ("1/2", "1")}),
    (7, "protocol keys\nscheme ramp\ncollude partial stations=2\n" + RAMP, {(3, False): ("1/4", "1/2")}),
    (7, "collude partial stations=1\nstations 3\nsegments 2\nclient 1 2 via 1-3\n",
     {(2, False): ("1/2", "1"), (3, False): ("1", "2")}),
    (7, "collude full stations=1\nstations 3\nsegments 2\nclient 1 2 via 1-3\n",
     {(2, False): ("1/2", "1"), (2, True): ("1/2", "1/2")}),
    # the last block is short, so two of three segments are learnt by a second station
    (7, "collude partial stations=1\nstations 3\nsegments 3\nclient 1 via 1-3\nclient 2 via 1-3\n",
     {(2, False): ("2/3", "4/3")}),
    (7, "collude full stations=1\nstations 3\nsegments 1\ndealers 1 2\nclient 1 3 via 1-3\nclient 2 via 1 2\n", {}),
    (5, "collude full stations=1\nstations 3\nsegments 1\ndealers 1 2\nclient 1 via 1-3\nclient 2 via 1 2\n", {}),
    (5, "protocol keys\nscheme ramp\ncollude partial stations=1\nstations 3\nclient 1 via 1 2 keys 1\n"
     "client 2 via 2 3 keys 2\n", {(2, False): ("1", "1")}),
    (5, "protocol keys\nscheme ramp\ncollude full stations=1\nstations 2\nclient 1 2 via 1 2\n",
     {(2, False): ("1", "2"), (2, True): ("1", "1")}),
    # a third station learns one of two parts; with the federator nothing more
    (7, "collude partial stations=1 tolerate 1/2 at 2\nstations 3\nsegments 2\nclient 1 2 via 1-3\n",
     {(2, False): ("1/2", "1")}),
    # the short block would be learnt as a whole, so there is one part only
    (7, "collude partial stations=1 tolerate 1/2 at 2\nstations 3\nsegments 3\nclient 1 2 via 1-3\n",
     {(2, False): ("0", "0")}),
    (11, "collude full stations=1\nstations 2\nsegments 1\nclient 1 2 via 1 2\n",
     {(2, False): ("1", "2"), (2, True): ("1", "1")}),
]


class Forms:
    """All messages of a statement as forms: maps from variables to factors. A variable is (kind, node, ..)."""

    def __init__(self, statement, p):
        self.p, self.classes = p, statement["classes"]
        self.length = math.lcm(*(s["cuts"][0] * s["cuts"][1] for s in statement["sendings"]))
        self.by_id, self.messages = collections.defaultdict(list), []
        for s in statement["sendings"]:
            rows = [self.row(s, terms) for terms in s["rows"]]
            self.by_id[s["id"]].append(rows)
            self.messages.append((tuple(s["from"]), tuple(s["to"]), [f for row in rows for f in row]))
        self.clients = sorted({s["from"][1] for s in statement["sendings"] if s["from"][0] == "client"})

    def row(self, s, terms):
        node, n = tuple(s["from"]), self.length // s["cuts"][0] // s["cuts"][1]
        forms = [collections.Counter() for _ in range(n)]
        for of, number, row, segment, _, factor in terms:
            for j, form in enumerate(forms):
                at = segment * n + j
                if of == "draw":
                    form[("r", node, number, row, at)] += factor
                elif of == "secret":
                    for kind in ("vector", "key"):
                        if self.classes[number][kind]:
                            form[(kind, node, at)] += factor
                else:
                    for rows in self.by_id[number]:
                        for variable, x in rows[row][at].items():
                            form[variable] += factor * x
        return forms

    def matrix(self, nodes, colluding):
        """What the nodes and the clients see: columns of unknown randomness, then of each honest vector."""
        known = set(nodes) | {("client", i) for i in colluding}
        honest = [i for i in self.clients if i not in colluding]
        seen = [form for sender, to, forms in self.messages if known & {sender, to} for form in forms]
        noise = sorted({v for form in seen for v in form if v[0] != "vector" and v[1] not in known})
        vectors = [("vector", ("client", i), j) for i in honest for j in range(self.length)]
        columns = {v: at for at, v in enumerate(noise + vectors)}
        rows = numpy.zeros((len(seen), len(columns)), dtype=numpy.int64)
        for at, form in enumerate(seen):
            for variable, x in form.items():
                if variable in columns:
                    rows[at, columns[variable]] = x % self.p
        return rows, len(noise), honest


def rank(rows, p):
    return int(rank_modulo(rows, p)) if rows.size else 0


def by_rank(forms, nodes, colluding, told=False):
    """What is learnt of each honest vector, and in all beyond the sum, in lengths of a vector. If told is true,
    somebody tells the coalition the total."""
    rows, n_noise, honest = forms.matrix(nodes, colluding)
    p, length, total = forms.p, forms.length, (told or ("federator", 1) in nodes) and len(honest) > 1
    if total:
        sums = numpy.zeros((length, rows.shape[1]), dtype=numpy.int64)
        for j in range(length):
            sums[j, n_noise + j:: length] = 1
        rows = numpy.concatenate([rows, sums])
    whole = rank(rows, p)
    each = [whole - rank(numpy.delete(rows, range(n_noise + i * length, n_noise + (i + 1) * length), 1), p)
            for i in range(len(honest))]
    in_all = whole - rank(rows[:, :n_noise], p) - total * length
    return fractions.Fraction(max(each, default=0), length), fractions.Fraction(in_all, length)


def entropy(values, p):
    """The entropy of uniform values in elements of the field; None if they are not uniform."""
    _, counts = numpy.unique(values, return_counts=True)
    n = round(math.log(len(counts), p))
    return n if len(set(counts.tolist())) == 1 and p**n == len(counts) else None


def by_counting(report, forms, nodes, colluding):
    """The same, by mutual information. None if there are too many unknowns to enumerate."""
    rows, n_noise, honest = forms.matrix(nodes, colluding)
    p, length, n = forms.p, forms.length, rows.shape[1]
    if p**n > 400000:
        return None
    values = numpy.zeros((p**n, n), dtype=numpy.int8)
    for i in range(n):
        values[:, i] = numpy.arange(p**n) // p**i % p

    def number(columns):
        """A number for each row of values."""
        result = numpy.zeros(p**n, dtype=numpy.int64)
        for column in columns:
            result = result * p + column
        # small again, so that another number can be attached
        return numpy.unique(result, return_inverse=True)[1]

    view = numpy.zeros(p**n, dtype=numpy.int64)
    for row in rows:
        view = number([view * 0, view]) * p + (values @ row.astype(numpy.int64)) % p
    view = number([view])
    each = []
    for i in range(len(honest)):
        columns = [values[:, n_noise + i * length + j] for j in range(length)]
        joint = view * p**length + number(columns)
        each.append(length + entropy(view, p) - entropy(joint, p))
    everything = view * p**(n - n_noise) + number([values[:, i] for i in range(n_noise, n)])
    in_all = n - n_noise + entropy(view, p) - entropy(everything, p)
    if ("federator", 1) in nodes and len(honest) > 1:
        total = number([sum(values[:, n_noise + i * length + j].astype(numpy.int64) for i in range(len(honest))) % p
                        for j in range(length)])
        report.equal(entropy(view * p**length + total, p), entropy(view, p), "the total is learnt")
        in_all -= length
    return fractions.Fraction(max(each), length), fractions.Fraction(in_all, length)


def coalitions(plan, forms, j, federator):
    nodes = {("federator", 1)} if federator else set()
    for stations in itertools.combinations(range(1, plan["stations"] + 1), j):
        for colluding in [c for k in range(plan["clients"] + 1) for c in itertools.combinations(forms.clients, k)]:
            yield nodes | {("station", u) for u in stations}, colluding


def random_aligned(rng):
    while True:
        b, z = rng.choice(((4, 1), (5, 1), (5, 2)))
        t = rng.choice((0, 0, 1))
        sets = [rng.sample(range(1, b + 1), rng.randint(z + t + 1, b)) for _ in range(rng.randint(2, 3))]
        clients = [sets[rng.randrange(len(sets))] for _ in range(rng.randint(3, 4))]
        used = sorted(set().union(*clients))
        if len(used) - 2 * t > z:
            break
    full = rng.random() < 0.6
    least = (z if full else 0) + t + 1
    lines = [f"segments {rng.randint(1, 4)}", f"drop stations={t}"]
    if rng.random() < 0.6 and len(set(map(frozenset, clients))) > 1:
        lines.append("dealers " + " ".join(map(str, rng.sample(used, rng.randint(least, len(used))))))
    return make(full, rng.randint(0, 1), b, z, t, lines + [
        f"client {i} via {' '.join(map(str, sorted(s)))}" for i, s in enumerate(clients, 1)])


def random_keys(rng):
    b, z = rng.choice(((3, 1), (4, 1), (4, 2), (5, 2)))
    full = rng.random() < 0.5
    lines = ["protocol keys"]
    for i in range(1, rng.randint(3, 4) + 1):
        reach = sorted(rng.sample(range(1, b + 1), rng.randint(z + 1, b)))
        shares = rng.sample(reach, rng.randint(z + 1, len(reach)))
        keys = rng.sample(reach, rng.randint(z + 1, len(reach))) if full else [rng.choice(reach)]
        if full and rng.random() < 0.3:
            keys = shares
        lines.append(f"client {i} via {' '.join(map(str, reach))} shares {' '.join(map(str, shares))} "
                     f"keys {' '.join(map(str, keys))}")
    return make(full, rng.randint(0, 1), b, z, 0, lines)


def make(full, clients, stations, z, t, lines):
    text = "\n".join([f"collude {'full' if full else 'partial'} clients={clients} stations={z}",
                      f"stations {stations}", "minimum 3", *lines]) + "\n"
    return {"text": text, "full": full, "clients": clients, "stations": stations, "z": z, "t": t}


def run(bin_dir, program, path, *without):
    audit = subprocess.run([f"{bin_dir}/hagg-audit", "--json", "--beyond=9", path], capture_output=True, check=False)
    statements = [json.loads(subprocess.run([program, path, *missing], capture_output=True, check=True).stdout)
                  for missing in ([], *without)]
    return json.loads(audit.stdout)["beyond"], statements


def amount(of):
    return fractions.Fraction(of["numerator"], of["denominator"])


def check_row(report, plan, row, all_forms, counts):
    j, federator = row["stations"], row["federator"]
    found = [by_rank(forms, *who) for forms in all_forms for who in coalitions(plan, forms, j, federator)]
    for name, at in (("one_vector", 0), ("in_all", 1)):
        of, most = row[name], max(f[at] for f in found)
        counts[name, of["exact"]] += 1
        report.check(amount(of) == most if of["exact"] else amount(of) >= most,
                     f"{j} stations, federator {federator}: {name}: {amount(of)}, exact {of['exact']}; is {most}")
        if "coalition" in of:
            who = of["coalition"]
            nodes = {("station", u) for u in who["stations"]} | ({("federator", 1)} if who["federator"] else set())
            report.equal(by_rank(all_forms[0], nodes, who["clients"])[at], most, f"{name} of the coalition named")


def check_random(report, bin_dir, program, plan, counts):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(f"field prime:p={P}\n" + plan["text"])
        file.flush()
        without = [[f"stations={u}"] for u in range(1, plan["stations"] + 1)] if plan["t"] else []
        rows, statements = run(bin_dir, program, file.name, *without)
    forms = [Forms(s, P) for s in statements]
    stations = range(plan["z"] + 1, plan["stations"] + 1)
    report.equal([(r["stations"], r["federator"]) for r in rows],
                 [(j, f) for j in stations for f in ((False, True) if plan["full"] else (False,))], "rows")
    for row in rows:
        check_row(report, plan, row, forms, counts)


def random_tolerant(rng):
    """A random plan of protocol aligned that promises something about more stations than learn nothing."""
    while True:
        b, z = rng.choice(((5, 1), (6, 1), (6, 2)))
        at = z + rng.randint(1, 2)
        t = rng.choice((0, 0, 1))
        if at + 2 * t + 1 <= b:
            break
    promise = fractions.Fraction(*rng.choice(((1, 4), (1, 3), (1, 2), (2, 3))))
    full, colluding = rng.random() < 0.8, rng.randint(0, 1)
    sets = [range(1, b + 1)] + [sorted(rng.sample(range(1, b + 1), rng.randint(at + t + 1, b))) for _ in range(2)]
    sets += rng.choices(sets, k=rng.randint(0, 2))
    # the fewest clients in a total, by either line
    fewest = rng.randint(colluding + 2, len(sets))
    lines = [f"segments {rng.randint(1, 5)}", f"drop stations={t}" + rng.choice(("", f" clients={len(sets) - fewest}"))]
    lines += [f"client {i} via {' '.join(map(str, s))}" for i, s in enumerate(sets, 1)]
    minimum = fewest if "clients" not in lines[1] or fewest == len(sets) else colluding + 2
    plan = make(full, colluding, b, z, t, lines)
    strict = plan["text"].replace("minimum 3", f"minimum {minimum}", 1)
    tolerant = strict.replace(f"stations={z}", f"stations={z} tolerate {promise} at {at}", 1)
    return {**plan, "text": tolerant, "at": at, "promise": promise, "without": strict, "fewest": fewest,
            "n": len(sets)}


def fixed_tolerant(promise):
    """Two stations learn a half of clients 1 and 2, and a third of client 3. A total of two of them adds as much."""
    plan = make(True, 0, 4, 1, 0, ["segments 6", "dealers 1-3", "client 1 2 via 1-3", "client 3 via 1-4"])
    strict = plan["text"].replace("minimum 3", "minimum 2", 1)
    tolerant = strict.replace("stations=1", f"stations=1 tolerate {promise} at 2", 1)
    return {**plan, "text": tolerant, "at": 2, "promise": fractions.Fraction(promise), "without": strict, "fewest": 2,
            "n": 3}


def presences(plan, rng):
    """Words for who is present: everybody, all but one station, and some of the smallest totals."""
    words = [[]] + ([[f"stations={u}"] for u in range(1, plan["stations"] + 1)] if plan["t"] else [])
    totals = list(itertools.combinations(range(1, plan["n"] + 1), plan["fewest"]))
    for clients in rng.sample(totals, min(len(totals), 6)):
        words.append(["clients=" + ",".join(map(str, clients)), *rng.choice(words)])
    return words[1:]


def learnt_at_most(plan, name, all_forms):
    """Of one vector: by stations alone, with the federator, and if they are told the total; and what sums add."""
    alone, together, told, more = 0, 0, 0, 0
    for forms in all_forms:
        for nodes, colluding in coalitions(plan, forms, plan["at"], False):
            one, in_all = by_rank(forms, nodes, colluding)
            alone = max(alone, one)
            if plan["full"]:
                one, with_sums = by_rank(forms, nodes | {("federator", 1)}, colluding)
                together = max(together, one)
                # the sum is allowed, and may be known in part already
                more = max(more, with_sums - in_all)
                if name == "without":
                    told = max(told, by_rank(forms, nodes, colluding, told=True)[0])
    return alone, together, told, more


def check_promise(report, bin_dir, program, plan, counts, rng):
    """At most the promised part of each vector is learnt by stations and, with the federator, nothing but the
    total and what follows from it and from what the stations learn alone, which is no more. The same network
    without the promise is the control."""
    found, present = {}, presences(plan, rng)
    for name in ("text", "without"):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(f"field prime:p={P}\n" + plan[name])
            file.flush()
            _, statements = run(bin_dir, program, file.name, *present)
            if name == "text":
                audit = subprocess.run([f"{bin_dir}/hagg-audit", "--json", file.name], capture_output=True, check=False)
                answer = json.loads(audit.stdout)
                report.equal((audit.returncode, answer["private"]), (0, True), "hagg-audit")
        found[name] = learnt_at_most(plan, name, [Forms(s, P) for s in statements])
    alone, together, _, more = found["text"]
    most = max(alone, together)
    report.check(most <= plan["promise"] and more <= 0,
                 f"learnt: {alone}, with the federator {together}, promised {plan['promise']}; with sums {more}")
    (tolerated,) = answer["tolerated"]
    report.equal((tolerated["stations"], tolerated["kept"]), (plan["at"], True), "tolerated")
    report.check(most <= fractions.Fraction(tolerated["learnt"]) <= plan["promise"],
                 f"is {most}, hagg-audit: {tolerated['learnt']}")
    counts["promise"] += 1
    counts["promise, something is learnt"] += most > 0
    counts["promise, more with the federator"] += together > alone
    counts["promise, exactly as hagg-audit says"] += most == fractions.Fraction(tolerated["learnt"]) > 0
    alone, _, told, more = found["without"]
    counts["control: one vector"] += alone > plan["promise"]
    counts["control: the total"] += alone <= plan["promise"] < told
    counts["control: sums"] += more > 0


def check_tiny(report, bin_dir, program, p, text, by_hand, counts):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(f"field prime:p={p}\n" + text)
        file.flush()
        rows, statements = run(bin_dir, program, file.name)
    forms = Forms(statements[0], p)
    plan = {"stations": max(r["stations"] for r in rows), "clients": 0}
    for row in rows:
        j, federator = row["stations"], row["federator"]
        if (j, federator) in by_hand:
            report.equal((str(amount(row["one_vector"])), str(amount(row["in_all"]))), by_hand[j, federator], "by hand")
            counts["by hand"] += 1
        found = []
        for who in coalitions(plan, forms, j, federator):
            counted = by_counting(report, forms, *who)
            if counted:
                report.equal(counted, by_rank(forms, *who), f"counted for {who}")
                found.append(counted)
        if len(found) == math.comb(plan["stations"], j):
            counts[f"enumerated, {p}"] += 1
            for name, at in (("one_vector", 0), ("in_all", 1)):
                report.equal(amount(row[name]), max(f[at] for f in found), f"{name} for {j}, {federator}")


def main(bin_dir, program, count, seed=1):
    report, counts, rng = Report(), collections.Counter(), random.Random(int(seed))
    for index in range(int(count)):
        plan = (random_aligned, random_keys)[index % 2](rng)
        with report.part(f"plan {index}:\n{plan['text']}"):
            check_random(report, bin_dir, program, plan, counts)
    for index in range(int(count)):
        plan = fixed_tolerant(("5/6", "1/2")[index]) if index < 2 else random_tolerant(rng)
        with report.part(f"promise {index}:\n{plan['text']}"):
            check_promise(report, bin_dir, program, plan, counts, rng)
    for p, text, by_hand in TINY:
        with report.part(f"field of {p} elements:\n{text}"):
            check_tiny(report, bin_dir, program, p, text, by_hand, counts)
    with report.part("counts"):
        print(dict(counts))
        for name in ("promise, something is learnt", "promise, more with the federator",
                     "promise, exactly as hagg-audit says", "control: one vector", "control: the total",
                     "control: sums", "by hand", "enumerated, 5", "enumerated, 7", "enumerated, 11",
                     ("one_vector", True), ("in_all", True)):
            report.check(counts[name] > 0, f"{name}: none")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
