"""Privacy under full collusion, by trying all sets of colluders: docs/theory.md section 5."""

import itertools


def parts(edges):
    """The number of connected components of the edges [(y, x)]."""
    root = {}

    def find(vertex):
        while root.setdefault(vertex, vertex) != vertex:
            vertex = root[vertex]
        return vertex

    for y, x in edges:
        root[find(("y", y))] = find(("x", x))
    return len({find(("y", y)) for y, _ in edges})


def is_private(edges, z):
    """True if the other clients are connected whichever clients, at most z, collude."""
    return all(parts([edge for i, edge in enumerate(edges) if i not in colluders]) <= 1
               for size in range(min(z, len(edges)) + 1)
               for colluders in itertools.combinations(range(len(edges)), size))
