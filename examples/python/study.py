"""A notebook as a script: what a private mean costs, how exact it is, and what a station sees.

    study.py [--short] [DIRECTORY]

Every "# %%" begins a cell; editors for notebooks run them one by one. Needs the package hagg, its commands,
and matplotlib. Writes study.svg and study.json to DIRECTORY (default: the current directory). With --short,
networks are smaller.
"""

# %% [markdown]
# # The network
#
# Clients reach random sets of stations. Two stations and a client may collude with the federator.

# %%
import json
import pathlib
import sys
import tempfile

import matplotlib
import numpy as np

import hagg

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "hagg", "font.size": 9})
import matplotlib.pyplot as plt

arguments = sys.argv[1:]
short = "--short" in arguments
directory = pathlib.Path(next((word for word in arguments if word != "--short"), "."))
rng = np.random.default_rng(23)
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")


def topology(n_clients, n_stations=12, bits=16, drop=0):
    """Each client reaches five to nine stations."""
    lines = ["collude full clients=1 stations=2", f"drop clients={drop}", f"quantize bits={bits} clip=1",
             f"stations {n_stations}"]
    for client in range(1, n_clients + 1):
        stations = rng.choice(n_stations, rng.integers(5, 9, endpoint=True), replace=False) + 1
        lines.append(f"client {client} via {' '.join(map(str, sorted(stations)))}")
    return "\n".join(lines) + "\n"


# %% [markdown]
# # What does it cost?
#
# The cost divided by the lower bound for all private protocols falls with the number of clients. The audit
# proves that each plan is private.

# %%
sizes = [10, 20, 40] if short else [10, 20, 40, 80, 160, 320, 640]
ratios = []
for n_clients in sizes:
    plan = hagg.Plan.from_topology(topology(n_clients), effort=1)
    assert plan.audit().private
    ratios.append(plan.cost().ratio)

left.semilogx(sizes, [float(ratio) for ratio in ratios], "o-")
left.axhline(1, color="grey", linewidth=0.8)
left.set(title="cost / lower bound", xlabel="clients", ylim=(0.95, None))

# %% [markdown]
# # How exact is it?
#
# Vectors are quantised, so the mean has an error. hagg reports a bound on it, for every number of bits. Two of
# 40 clients drop out after they have sent some of their shares.

# %%
vectors = rng.uniform(-1, 1, (40, 200))
bits_tried = [8, 16] if short else [4, 8, 12, 16, 20, 24]
links = topology(40, drop=2)
errors, bounds = [], []
for bits in bits_tried:
    plan = hagg.Plan.from_topology(links.replace("bits=16", f"bits={bits}"), effort=1)
    with tempfile.TemporaryDirectory() as workdir:
        private_round = hagg.Round(plan, 1, workdir)
        private_round.share_all(vectors[:38], clients=range(1, 39))
        for client in (39, 40):
            private_round.share(client, vectors[client - 1])
            station = plan.stations_of(client)[0]
            (private_round.directory / f"station-{station}/in/client-{client}.cbor").unlink()
        assert private_round.survivors() == set(range(1, 39))
        mean = private_round.total(mean=True)
    errors.append(np.abs(mean - vectors[:38].mean(axis=0)).max())
    bounds.append(private_round.report.error_bound)

middle.semilogy(bits_tried, bounds, "--", label="bound")
middle.semilogy(bits_tried, errors, "o", label="found")
middle.set(title="error of the mean", xlabel="bits")
middle.legend()

# %% [markdown]
# # What does a station see?
#
# The vector of a client has values between -0.1 and 0.1. Its share is uniform over the whole field.

# %%
secret = rng.normal(0, 0.03, 20000).clip(-0.1, 0.1)
shares = hagg.share(secret, n=5, k=4, z=2, quantize=hagg.Quantize(bits=30, clip=0.5))
assert np.abs(hagg.decode(shares[1:]) - secret).max() < 1e-8
modulus = 2**31 - 1
elements = np.rint(secret / hagg.Quantize(30, 0.5).step) % modulus
counts = [np.histogram(values / modulus, bins=20, range=(0, 1))[0] / len(values)
          for values in (elements, shares[0].array)]
edges = np.linspace(0, 1, 21)
right.stairs(counts[0], edges, label="vector", fill=True, alpha=0.6)
right.stairs(counts[1], edges, label="share")
right.set(title="elements, as a part of the field", xlabel="value / (2^31 - 1)")
right.legend(loc="upper center")

# %%
figure.savefig(directory / "study.svg", metadata={"Date": None})
(directory / "study.json").write_text(json.dumps({
    "clients": sizes, "ratios": [str(ratio) for ratio in ratios], "bits": bits_tried,
    "errors": errors, "bounds": bounds, "vector": counts[0].tolist(), "share": counts[1].tolist()}, indent=1) + "\n")
print(f"{directory / 'study.svg'}: three figures; the numbers are in {directory / 'study.json'}")
print(f"cost / lower bound: {float(ratios[0]):.3f} with {sizes[0]} clients, {float(ratios[-1]):.3f} with {sizes[-1]}")
print(f"error of the mean: {errors[-1]:.1e} with {bits_tried[-1]} bits; the bound is {bounds[-1]:.1e}")
print(f"elements of a share: {min(counts[1]):.3f} to {max(counts[1]):.3f} of them in each of 20 equal intervals")
