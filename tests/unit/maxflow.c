#include "plan/maxflow.h"

#include "alloc.h"
#include "check.h"

enum { VERTICES = 7, EDGES = 14 };

static uint64_t state = 5;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

/* Returns the capacity of the cut around the set; an edge that drains counts if it has an end in
 * the set. */
static uint64_t cut_of(const struct maxflow_edge *edges, uint32_t n, unsigned set)
{
    uint64_t sum = 0;

    for (uint32_t e = 0; e < n; e++) {
        unsigned a = set >> edges[e].end[0] & 1, b = set >> edges[e].end[1] & 1;

        if (edges[e].drains ? a || b : a != b)
            sum += edges[e].capacity;
    }
    return sum;
}

static uint64_t least_cut(const struct maxflow_edge *edges, uint32_t n, unsigned from, unsigned to)
{
    uint64_t least = UINT64_MAX;

    for (unsigned set = 0; set < 1u << VERTICES; set++)
        if ((set & from) == from && (set & to) == 0 && cut_of(edges, n, set) < least)
            least = cut_of(edges, n, set);
    return least;
}

static unsigned reached(const struct maxflow *m)
{
    unsigned set = 0;

    for (uint32_t i = 0; i < m->n_reached; i++)
        set |= 1u << m->reached[i];
    return set;
}

/* Several flows in one graph, with changing goals and draining edges. */
static void is_as_large_as_the_least_cut(void)
{
    unsigned n_below = 0, n_drained = 0;

    for (int round = 0; round < 1500; round++) {
        uint32_t n = below(EDGES + 1);
        struct maxflow_edge edges[EDGES];
        struct hagg_err err = { 0 };
        struct maxflow m;

        for (uint32_t e = 0; e < n; e++) {
            uint32_t a = below(VERTICES);

            edges[e] =
                (struct maxflow_edge){ .end = { a, (a + 1 + below(VERTICES - 1)) % VERTICES },
                                       .capacity = 1 + below(3) };
        }
        CHECK(maxflow_init(&m, VERTICES, edges, n, &err) == 0);
        for (int flow = 0; flow < 6; flow++) {
            uint32_t a = below(VERTICES), b = below(VERTICES), bound = 1 + below(9);
            unsigned from = 1u << a | 1u << b, to = 0;
            uint64_t want, got;

            for (uint32_t v = 0; v < VERTICES; v++) {
                m.goal[v] = from >> v & 1 ? MAXFLOW_NO_GOAL : below(4);
                to |= (unsigned)(m.goal[v] == 0) << v;
            }
            for (uint32_t e = 0; e < n; e++) {
                edges[e].drains = below(4) == 0;
                n_drained += edges[e].drains;
            }
            want = least_cut(edges, n, from, to);
            got = maxflow_bounded(&m, a, b, 0, bound);
            CHECK(want < bound ? got == want : got >= bound && got <= want);
            if (want < bound && ++n_below)
                CHECK((reached(&m) & from) == from && (reached(&m) & to) == 0 &&
                      cut_of(edges, n, reached(&m)) == want);
        }
        maxflow_free(&m);
    }
    CHECK(n_below > 1000 && n_drained > 1000);
}

static void fails_cleanly_without_memory(void)
{
    struct maxflow_edge edge = { .end = { 0, 1 }, .capacity = 1 };
    struct hagg_err err = { 0 };
    struct maxflow m;

    alloc_refuse(0);
    CHECK(maxflow_init(&m, 2, &edge, 1, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "no memory for a graph of 1 edges: Cannot allocate memory");
    alloc_watch();
    maxflow_free(&m);
}

int main(void)
{
    is_as_large_as_the_least_cut();
    fails_cleanly_without_memory();
    return check_end();
}
