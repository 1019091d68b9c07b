"""The networks of the benchmarks of whole rounds."""

BITS = 16


def write_topology(path, lines, n_clients, n_elements, protocol="keys"):
    with open(path, "w") as file:
        for line in lines:
            print("relays 10\nstation 1-30 via 1-10" if line == "relays" else line, file=file)
        print(f"protocol {protocol}\nquantize bits={BITS} clip=1.0\nlength {n_elements}\nstations 30", file=file)
        for i in range(1, n_clients + 1):
            first = 6 * (i % 4)
            print(f"client {i} via", *sorted((first + j) % 30 + 1 for j in range(12)), file=file)
