#include "planner/joint/compatible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NONE UINT32_MAX

int compatible_new(struct compatible *c, const struct instance *in, struct hagg_err *err)
{
    uint32_t n = in->n_reach_classes;

    *c = (struct compatible){ .in = in, .n_words = (n + 63) / 64 };
    c->rows = calloc(n * c->n_words, sizeof *c->rows);
    c->degree = malloc(n * sizeof *c->degree);
    if (!c->rows || !c->degree) {
        compatible_free(c);
        return err_errno(err, "no memory to plan for full collusion");
    }
    for (uint32_t a = 0; a < n; a++)
        c->degree[a] = in->weight[a] - 1;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            const uint64_t *x = instance_reach(in, a), *y = instance_reach(in, b);
            uint32_t meet = 0;

            for (size_t i = 0; i < in->n_words; i++)
                meet += (uint32_t)__builtin_popcountll(x[i] & y[i]);
            if (isinf(in->rate[meet]))
                continue;
            c->rows[a * c->n_words + b / 64] |= UINT64_C(1) << b % 64;
            c->rows[b * c->n_words + a / 64] |= UINT64_C(1) << a % 64;
            c->degree[a] += in->weight[b];
            c->degree[b] += in->weight[a];
        }
    return 0;
}

void compatible_free(struct compatible *c)
{
    free(c->rows);
    free(c->degree);
    *c = (struct compatible){ 0 };
}

void compatible_cut_free(struct compatible_cut *cut)
{
    free(cut->reach_classes);
    *cut = (struct compatible_cut){ 0 };
}

/* Maximum flow with vertex capacities. State v * 2 is the entrance of reach class v, v * 2 + 1 its
 * exit. A path enters v at its entrance and leaves it at its exit, unless it undoes flow. */
struct search {
    const struct compatible *c;
    uint32_t *used;     /* number of clients of each reach class that carry flow */
    uint32_t *previous; /* the state before each state on the path */
    uint64_t *entered;  /* reach classes whose entrance has been visited */
    bool *seen;         /* states */
    uint32_t *queue;
    struct step {
        uint32_t from, to, amount;
    } * steps; /* flow between reach classes */
    size_t n_steps, steps_room;
};

static void meet(struct search *s, uint32_t state, uint32_t before, uint32_t *tail)
{
    if (s->seen[state])
        return;
    s->seen[state] = true;
    s->previous[state] = before;
    if (state % 2 == 0)
        s->entered[state / 128] |= UINT64_C(1) << state / 2 % 64;
    s->queue[(*tail)++] = state;
}

/* Finds an augmenting path from reach class a to reach class b and leaves it in previous. */
static bool walk(struct search *s, uint32_t a, uint32_t b)
{
    const struct compatible *c = s->c;
    uint32_t head = 0, tail = 0;

    memset(s->seen, 0, 2 * (size_t)c->in->n_reach_classes * sizeof *s->seen);
    memset(s->entered, 0, c->n_words * sizeof *s->entered);
    s->entered[a / 64] |= UINT64_C(1) << a % 64;
    s->seen[a * 2] = true;
    meet(s, a * 2 + 1, NONE, &tail);
    while (head < tail) {
        uint32_t state = s->queue[head++], v = state / 2;

        if (state % 2 == 0) {
            if (s->used[v] < c->in->weight[v])
                meet(s, state + 1, state, &tail);
            for (size_t i = 0; s->used[v] > 0 && i < s->n_steps; i++)
                if (s->steps[i].to == v && s->steps[i].amount > 0 && s->steps[i].from != a)
                    meet(s, s->steps[i].from * 2 + 1, state, &tail);
            continue;
        }
        if (v != a && s->used[v] > 0)
            meet(s, state - 1, state, &tail);
        for (size_t i = 0; i < c->n_words; i++)
            for (uint64_t left = c->rows[v * c->n_words + i] & ~s->entered[i]; left;
                 left &= left - 1) {
                uint32_t to = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(left);

                meet(s, to * 2, state, &tail);
                if (to == b)
                    return true;
            }
    }
    return false;
}

static struct step *find_step(struct search *s, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].from == from && s->steps[i].to == to)
            return &s->steps[i];
    if (ARRAY_RESERVE(s->steps, s->n_steps + 1, s->steps_room))
        return NULL;
    s->steps[s->n_steps] = (struct step){ from, to, 0 };
    return &s->steps[s->n_steps++];
}

/* Adds one unit of flow along the path. */
static int augment(struct search *s, uint32_t b)
{
    for (uint32_t to = b * 2, from; (from = s->previous[to]) != NONE; to = from) {
        if (from / 2 == to / 2) {
            s->used[to / 2] += to % 2 ? 1 : UINT32_MAX;
        } else if (from % 2 == 1) {
            struct step *step = find_step(s, from / 2, to / 2);

            if (!step)
                return -1;
            step->amount++;
        } else {
            find_step(s, to / 2, from / 2)->amount--;
        }
    }
    return 0;
}

/* 1 if removing at most z clients of other reach classes separates a from b, with the marks of the
 * last walk in seen; 0 if not; -1 on error. */
static int separates(struct search *s, uint32_t a, uint32_t b, uint32_t z)
{
    memset(s->used, 0, s->c->in->n_reach_classes * sizeof *s->used);
    s->n_steps = 0;
    for (uint32_t flow = 0; flow <= z; flow++) {
        if (!walk(s, a, b))
            return 1;
        if (augment(s, b))
            return -1;
    }
    return 0;
}

static int take_cut(const struct search *s, struct compatible_cut *cut)
{
    uint32_t n = s->c->in->n_reach_classes;

    cut->reach_classes = malloc((n + (size_t)1) * sizeof *cut->reach_classes);
    if (!cut->reach_classes)
        return -1;
    for (uint32_t v = 0; v < n; v++)
        if (s->seen[v * 2] && !s->seen[v * 2 + 1])
            cut->reach_classes[cut->n_reach_classes++] = v;
    return 1;
}

static uint64_t weight_of_meet(const struct compatible *c, uint32_t v, const uint64_t *set)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->n_words; i++)
        for (uint64_t left = c->rows[v * c->n_words + i] & set[i]; left; left &= left - 1)
            sum += c->in->weight[i * 64 + (size_t)__builtin_ctzll(left)];
    return sum;
}

/* Marks in fast the reach classes that no z clients separate from reach class a. A reach class with
 * more than z neighbouring clients in marked reach classes is marked too, because one of these
 * clients is never removed. Only if this rule marks nothing more, a flow is computed. 1: some reach
 * class is separated from a, with *cut; 0: none is; -1: error. */
static int separate_from(struct search *s, uint32_t a, uint32_t z, uint64_t *fast,
                         struct compatible_cut *cut)
{
    const struct compatible *c = s->c;
    uint32_t n = c->in->n_reach_classes;
    bool more = true;

    memcpy(fast, c->rows + a * c->n_words, c->n_words * sizeof *fast);
    fast[a / 64] |= UINT64_C(1) << a % 64;
    while (more) {
        uint32_t first = NONE;

        do {
            more = false;
            first = NONE;
            for (uint32_t v = 0; v < n; v++) {
                if (fast[v / 64] >> v % 64 & 1)
                    continue;
                if (weight_of_meet(c, v, fast) > z) {
                    fast[v / 64] |= UINT64_C(1) << v % 64;
                    more = true;
                } else if (first == NONE) {
                    first = v;
                }
            }
        } while (more);
        if (first == NONE)
            return 0;
        int separated = separates(s, a, first, z);
        if (separated) {
            cut->separated[0] = a;
            cut->separated[1] = first;
            return separated < 0 ? -1 : take_cut(s, cut);
        }
        fast[first / 64] |= UINT64_C(1) << first % 64;
        more = true;
    }
    return 0;
}

int compatible_separated(const struct compatible *c, uint32_t z, struct compatible_cut *cut,
                         struct hagg_err *err)
{
    uint32_t n = c->in->n_reach_classes;
    struct search s = { .c = c };
    uint64_t *fast = malloc(c->n_words * sizeof *fast), weight = 0;
    int separated = 0;

    *cut = (struct compatible_cut){ 0 };
    s.used = malloc(n * sizeof *s.used);
    s.previous = malloc(2 * (size_t)n * sizeof *s.previous);
    s.entered = malloc(c->n_words * sizeof *s.entered);
    s.seen = malloc(2 * (size_t)n * sizeof *s.seen);
    s.queue = malloc(2 * (size_t)n * sizeof *s.queue);
    if (!fast || !s.used || !s.previous || !s.entered || !s.seen || !s.queue)
        separated = -1;
    /* starts from more than z clients, so one of them is never removed and is on one of the two
     * sides */
    for (uint32_t a = 0; a < n && weight <= z && separated == 0; a++) {
        separated = separate_from(&s, a, z, fast, cut);
        weight += c->in->weight[a];
    }
    if (separated < 0)
        err_errno(err, "no memory to plan for full collusion");
    free(fast);
    free(s.used);
    free(s.previous);
    free(s.entered);
    free(s.seen);
    free(s.queue);
    free(s.steps);
    return separated;
}
