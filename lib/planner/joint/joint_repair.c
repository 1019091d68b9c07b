#include "planner/joint/joint_repair.h"

#include <stdlib.h>
#include <string.h>

#include "planner/joint/leaks.h"
#include "planner/joint/smallest.h"

#define MOST_SETS   100000
#define MOST_VISITS 200000 /* to count the leaks of one choice */
#define SAMPLE      24     /* moves that are tried in one step */
#define REST        8      /* steps for which a client that was moved stays */

struct move {
    uint32_t client, set;
    unsigned side;
};

struct repair {
    const struct choice *c;
    struct effort *e;
    struct smallest smallest;
    struct leaks leaks;
    uint32_t n;
    uint32_t *of[2];   /* the set of each client on both sides */
    uint32_t *rest[2]; /* the step until which it stays */
    uint8_t *part;     /* of each client: leaks_divide */
    uint8_t *parts[2]; /* of each set: bit 0 or 1 if clients of that part use it */
    uint32_t *count;   /* of each set, scratch */
    uint32_t *free;    /* clients, scratch */
};

static const uint32_t *sets_of(const struct repair *r, uint32_t client, uint32_t *n)
{
    const struct smallest *s = &r->smallest;
    uint32_t class = r->c->in->reach_class[client];

    *n = s->begins[class + 1] - s->begins[class];
    return s->lists + s->begins[class];
}

/* The set that most of the clients without one reach, with some noise. */
static uint32_t popular(struct repair *r, uint32_t n_free)
{
    uint32_t best = UINT32_MAX, n;
    uint64_t most = 0;

    memset(r->count, 0, r->smallest.n * sizeof *r->count);
    for (uint32_t k = 0; k < n_free; k++) {
        const uint32_t *sets = sets_of(r, r->free[k], &n);

        for (uint32_t i = 0; i < n; i++)
            r->count[sets[i]]++;
    }
    for (uint32_t set = 0; set < r->smallest.n; set++) {
        uint64_t score = (uint64_t)r->count[set] * (64 + effort_random(r->e, 64));

        if (score > most) {
            most = score;
            best = set;
        }
    }
    return best;
}

/* Few large groups, different ones in each call. */
static void start(struct repair *r, unsigned side)
{
    uint32_t n_free = r->n;

    for (uint32_t i = 0; i < r->n; i++)
        r->free[i] = i;
    while (n_free > 0) {
        uint32_t set = popular(r, n_free), kept = 0, n;

        for (uint32_t k = 0; k < n_free; k++) {
            const uint32_t *sets = sets_of(r, r->free[k], &n);
            uint32_t i = 0;

            while (i < n && sets[i] != set)
                i++;
            if (i < n)
                r->of[side][r->free[k]] = set;
            else
                r->free[kept++] = r->free[k];
        }
        n_free = kept;
    }
    memset(r->rest[side], 0, r->n * sizeof *r->rest[side]);
}

/* Marks which part of the leak uses which set. */
static void mark_parts(struct repair *r)
{
    leaks_divide(&r->leaks, r->part);
    for (unsigned s = 0; s < 2; s++) {
        memset(r->parts[s], 0, r->smallest.n);
        for (uint32_t i = 0; i < r->n; i++)
            if (r->part[i] < 2)
                r->parts[s][r->of[s][i]] |= (uint8_t)(1 << r->part[i]);
    }
}

/* Lists moves of a client into a group of the other part, up to SAMPLE of them, at random. */
static uint32_t list_moves(struct repair *r, uint32_t step, struct move *moves)
{
    uint32_t n_seen = 0, n;

    for (uint32_t i = 0; i < r->n; i++) {
        const uint32_t *sets = sets_of(r, i, &n);

        for (unsigned s = 0; s < 2 && r->part[i] < 2; s++)
            for (uint32_t k = 0; k < n && r->rest[s][i] <= step; k++) {
                uint32_t at;

                if (!(r->parts[s][sets[k]] >> (1 - r->part[i]) & 1) || sets[k] == r->of[s][i])
                    continue;
                at = n_seen++ < SAMPLE ? n_seen - 1 : effort_random(r->e, n_seen);
                if (at < SAMPLE)
                    moves[at] = (struct move){ i, sets[k], s };
            }
    }
    return n_seen < SAMPLE ? n_seen : SAMPLE;
}

static void apply(struct repair *r, const struct move *m, uint32_t step)
{
    r->of[m->side][m->client] = m->set;
    r->rest[m->side][m->client] = step + 1 + effort_random(r->e, REST);
}

/* No client can move into a group of the other part: a client of each part moves into a new one.
 * Returns false if no set allows it. */
static bool make_group(struct repair *r, uint32_t step)
{
    uint32_t members[2], n, n_found = 0, set = 0;
    unsigned side = effort_random(r->e, 2);

    for (unsigned part = 0; part < 2; part++) {
        uint32_t n_seen = 0;

        for (uint32_t i = 0; i < r->n; i++)
            if (r->part[i] == part && effort_random(r->e, ++n_seen) == 0)
                members[part] = i;
        if (n_seen == 0)
            return false;
    }
    memset(r->count, 0, r->smallest.n * sizeof *r->count);
    const uint32_t *sets = sets_of(r, members[0], &n);
    for (uint32_t k = 0; k < n; k++)
        r->count[sets[k]] = 1;
    sets = sets_of(r, members[1], &n);
    for (uint32_t k = 0; k < n; k++)
        if (r->count[sets[k]] && effort_random(r->e, ++n_found) == 0)
            set = sets[k];
    for (unsigned part = 0; part < 2 && n_found > 0; part++)
        apply(r, &(struct move){ members[part], set, side }, step);
    return true;
}

/* Makes the best of some moves that link the two parts of a leak. */
static void repair_leak(struct repair *r, uint32_t step)
{
    struct move moves[SAMPLE];
    uint64_t least = UINT64_MAX;
    uint32_t n, best = 0;

    mark_parts(r);
    n = list_moves(r, step, moves);
    if (n == 0) {
        make_group(r, step);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t *of = &r->of[moves[k].side][moves[k].client], kept = *of;

        *of = moves[k].set;
        uint64_t count = leaks_count(&r->leaks, least, NULL);
        *of = kept;
        if (count < least) {
            least = count;
            best = k;
        }
    }
    apply(r, &moves[best], step);
}

/* Starts again when many steps have not lowered the number of leaks. */
static bool search(struct repair *r, uint64_t n_visits)
{
    while (r->leaks.n_visits < n_visits && effort_may_continue(r->e)) {
        uint64_t least = UINT64_MAX;
        uint32_t patience = 40 + 2 * r->n;

        start(r, 0);
        start(r, 1);
        for (uint32_t step = 1, last = 1; step - last < patience; step++) {
            uint64_t count = leaks_count(&r->leaks, UINT64_MAX - 1, r->e);

            if (count == 0)
                return true;
            if (count < least) {
                least = count;
                last = step;
            }
            if (r->leaks.n_visits > n_visits)
                return false;
            repair_leak(r, step);
        }
    }
    return false;
}

/* Numbers the sets in use as groups. Returns their number. */
static uint32_t number_groups(struct repair *r, unsigned side)
{
    uint32_t n = 0;

    memset(r->count, 0, r->smallest.n * sizeof *r->count);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t *set = &r->of[side][i];

        if (r->count[*set] == 0)
            r->count[*set] = ++n;
        *set = r->count[*set] - 1;
    }
    return n;
}

static int prepare(struct repair *r, uint32_t z, struct hagg_err *err)
{
    size_t n_sets = r->smallest.n;

    for (unsigned s = 0; s < 2; s++) {
        r->of[s] = calloc(r->n + (size_t)1, sizeof *r->of[s]);
        r->rest[s] = calloc(r->n + (size_t)1, sizeof *r->rest[s]);
        r->parts[s] = calloc(n_sets + 1, sizeof *r->parts[s]);
    }
    r->part = calloc(r->n + (size_t)1, sizeof *r->part);
    r->count = calloc(n_sets + 1, sizeof *r->count);
    r->free = calloc(r->n + (size_t)1, sizeof *r->free);
    if (!r->of[0] || !r->of[1] || !r->rest[0] || !r->rest[1] || !r->parts[0] || !r->parts[1] ||
        !r->part || !r->count || !r->free)
        return err_errno(err, "no memory to plan for full collusion");
    return leaks_new(&r->leaks, r->n, z, r->of[0], r->of[1], r->smallest.n, err);
}

int joint_repair(struct choice *c, uint64_t n_visits, struct effort *e, struct hagg_err *err)
{
    struct repair r = { .c = c, .e = e, .n = c->in->n_clients };
    uint32_t z = r.n < 2 ? 0 : c->z < r.n - 2 ? c->z : r.n - 2;
    int status;

    if (c->condition != COLLUSION_EXACT || r.n < 2 || z > LEAKS_MOST ||
        leaks_visits(r.n, z) > MOST_VISITS)
        return 0;
    status = smallest_new(&r.smallest, c->in, MOST_SETS, err);
    if (status < 1)
        return status;
    status = prepare(&r, z, err);
    if (status == 0 && search(&r, n_visits) && number_groups(&r, 0) <= c->room &&
        number_groups(&r, 1) <= c->room)
        status = choice_assign(c, r.of[0], r.of[1], err) ? -1 : choice_private(c, NULL, err);
    leaks_free(&r.leaks);
    smallest_free(&r.smallest);
    for (unsigned s = 0; s < 2; s++) {
        free(r.of[s]);
        free(r.rest[s]);
        free(r.parts[s]);
    }
    free(r.part);
    free(r.count);
    free(r.free);
    return status;
}
