"""Who learns more than the sum under full collusion, by trying all colluders: theory.md section 6."""

import itertools


def parts(edges):
    """How many parts, not connected with each other, the edges [(y, x)] make."""
    root = {}

    def find(vertex):
        while root.setdefault(vertex, vertex) != vertex:
            vertex = root[vertex]
        return vertex

    for y, x in edges:
        root[find(("y", y))] = find(("x", x))
    return len({find(("y", y)) for y, _ in edges})


def is_private(edges, z):
    """Whether the others stay in one part, whichever clients, z at most, put their heads together."""
    return all(parts([edge for i, edge in enumerate(edges) if i not in colluders]) <= 1
               for size in range(min(z, len(edges)) + 1)
               for colluders in itertools.combinations(range(len(edges)), size))
