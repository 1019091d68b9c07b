#include "secrets/dealing.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_aligned.h"
#include "plan/plan_seeds.h"
#include "sharing/expand.h"
#include "sharing/uniform.h"

/* The values of all holders in the current interval of each, and the records that they go to. */
struct dealer {
    const struct dealing *d;
    const struct plan_aligned *a;
    size_t size;         /* bytes of an element */
    size_t row_elems;    /* of a value */
    unsigned char *rows; /* by holder; zeros for those without a mask */
    struct writer **writers;
    unsigned char (*seeds)[EXPAND_SEED_BYTES]; /* by holder */
    /* By holder, for those whose mask is a seed; NULL for the others. */
    struct expand **expansions;
    uint64_t *n_expanded; /* elements */
    /* If all records go to one file: by holder its payload, and how much of it is there. */
    unsigned char **payloads;
    size_t *len_bytes;
    const void **from;
    void **to;
    bool remembered;
    struct header header;
    struct header_range dealer;
    struct header_tier route;
};

int dealing_check_plan(const struct plan *plan, struct hagg_err *err)
{
    return plan->topology.aligned
               ? 0
               : err_set(err, HAGG_E_USAGE,
                         "%s: stations have no masks with protocol keys: use --client", plan->name);
}

static int check(const struct dealing *d, struct hagg_err *err)
{
    const struct topology *t = &d->plan->topology;

    if (dealing_check_plan(d->plan, err))
        return -1;
    if (plan_check_nodes(d->plan, d->station, 0, err) ||
        (t->computational && plan_seeds_check(d->plan, err)))
        return -1;
    if (plan_aligned_dealer(d->plan, d->station) == t->dealers.n)
        return err_set(err, HAGG_E_USAGE, "%s: station %u is not a dealer%s", d->plan->name,
                       d->station, t->dealers.n > 0 ? "" : ": the plan needs no masks");
    return 0;
}

struct random *dealing_random(const struct dealing *d, struct hagg_err *err)
{
    static const char what[] = "dealing";
    uint64_t numbers[] = { d->station, d->round, d->length };
    uint8_t seed[RANDOM_SEED_BYTES];
    struct random *random = NULL;
    struct mac *mac;

    _Static_assert(RANDOM_SEED_BYTES == MAC_BYTES, "a digest is a seed");
    if (d->random_source)
        return random_open(d->random_source, err);
    if (!state_remembers(d->state))
        return random_new(err);
    mac = state_mac(d->state, err);
    if (mac && mac_add(mac, what, sizeof what, err) == 0 &&
        mac_add(mac, d->plan->digest, sizeof d->plan->digest, err) == 0 &&
        mac_add_numbers(mac, numbers, sizeof numbers / sizeof *numbers, err) == 0 &&
        mac_end(mac, seed, err) == 0)
        random = random_seeded(seed, err);
    explicit_bzero(seed, sizeof seed);
    mac_free(mac);
    return random;
}

static unsigned char *row_of(const struct dealer *s, uint32_t holder)
{
    return s->rows + holder * s->row_elems * s->size;
}

static uint64_t n_elems_of(const struct dealer *s, uint32_t holder)
{
    return (uint64_t)s->a->n_rows[holder] * s->row_elems;
}

static void set_header(struct dealer *s)
{
    const struct plan *p = s->d->plan;
    struct header *h = &s->header;

    s->dealer = (struct header_range){ s->d->station, s->d->station };
    s->route = plan_aligned_route(p);
    *h = (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_MASK,
        .length = s->d->length,
        .samples = p->topology.samples,
        .has_round = true,
        .round = s->d->round,
        .has_plan = true,
        .has_id = true,
        .from = { .tier = "station", .number = s->d->station },
        .to = { .tier = "station" },
        .route = &s->route,
        .n_route = 1,
        .chunks = s->a->chunks,
        .dealers = &s->dealer,
        .n_dealers = 1,
    };
    memcpy(h->field, p->field->spec, sizeof h->field);
    memcpy(h->plan, p->digest, sizeof h->plan);
}

static int begin(struct dealer *s, uint32_t holder, struct hagg_err *err)
{
    const struct blocks *b = &s->a->blocks[holder];
    uint32_t counts[LIMIT_COUNTS];
    struct header h = s->header;

    memcpy(counts, b->counts, b->n_counts * sizeof *counts);
    h.blocks = counts;
    h.n_blocks = b->n_counts;
    h.to.number = s->a->stations.numbers[holder];
    plan_aligned_describe(s->d->plan, holder, &h);
    h.seed = s->expansions[holder] != NULL;
    return h.seed ? writer_begin(s->writers[holder], &h, 1, EXPAND_SEED_BYTES, err)
                  : writer_begin(s->writers[holder], &h, s->size, n_elems_of(s, holder), err);
}

/* Draws the seeds of masks of which every value is drawn. */
static int draw_seeds(struct dealer *s, const struct masks *masks, struct random *random,
                      struct hagg_err *err)
{
    for (uint32_t i = 0; s->d->plan->topology.computational && i < s->a->sharing.n; i++) {
        if (!masks->all_drawn[i])
            continue;
        if (random_bytes(random, s->seeds[i], EXPAND_SEED_BYTES, err))
            return -1;
        s->expansions[i] = expand_new(s->d->plan->field, s->seeds[i], err);
        if (!s->expansions[i])
            return -1;
    }
    return 0;
}

static int write_seed(struct dealer *s, uint32_t holder, struct hagg_err *err)
{
    if (begin(s, holder, err) ||
        writer_elems(s->writers[holder], s->seeds[holder], EXPAND_SEED_BYTES, err))
        return -1;
    return writer_end(s->writers[holder], err);
}

/* Writes the records with seeds, and opens all others; if they go to one file, makes room for their
 * payloads instead. */
static int open_records(struct dealer *s, struct outfiles *out, struct hagg_err *err)
{
    for (uint32_t i = 0; i < s->a->sharing.n; i++) {
        if (s->a->bare[i])
            continue;
        s->writers[i] = outfiles_writer(out, s->a->stations.numbers[i], err);
        if (!s->writers[i])
            return -1;
        progress_expect(s->d->progress, n_elems_of(s, i) * s->size);
        if (s->expansions[i]) {
            if (write_seed(s, i, err))
                return -1;
        } else if (outfiles_is_single(out)) {
            s->payloads[i] = calloc((size_t)n_elems_of(s, i) + 1, s->size);
            if (!s->payloads[i])
                return err_errno(err, "no memory for masks");
        } else if (begin(s, i, err))
            return -1;
    }
    return 0;
}

static int close_records(struct dealer *s, struct hagg_err *err)
{
    for (uint32_t i = 0; i < s->a->sharing.n; i++)
        if (s->writers[i] && !s->expansions[i] &&
            ((s->payloads[i] &&
              (begin(s, i, err) ||
               writer_elems(s->writers[i], s->payloads[i], (size_t)n_elems_of(s, i), err))) ||
             writer_end(s->writers[i], err)))
            return -1;
    return 0;
}

/* Passes on the current value of a holder. */
static int put(struct dealer *s, uint32_t holder, struct hagg_err *err)
{
    size_t len_bytes = s->row_elems * s->size;

    progress_add(s->d->progress, len_bytes);
    if (s->expansions[holder])
        return 0;
    if (!s->payloads[holder])
        return writer_elems(s->writers[holder], row_of(s, holder), s->row_elems, err);
    memcpy(s->payloads[holder] + s->len_bytes[holder], row_of(s, holder), len_bytes);
    s->len_bytes[holder] += len_bytes;
    return 0;
}

/* Makes an entry in the state for masks from a random source: its first bytes, unless fewer were
 * used, so that other sources may well begin with the same. The generator never repeats itself. */
static int remember(struct dealer *s, const struct random *random, struct hagg_err *err)
{
    static const char what[] = "identity of masks"; /* so that this is no multiple of 8 bytes */
    const struct dealing *d = s->d;
    struct state_key entry = {
        .plan = d->plan->digest,
        .node = { .tier = "station", .number = d->station },
        .what = STATE_KEY,
        .round = d->round,
    };
    unsigned char first[RANDOM_FIRST_BYTES];
    uint8_t digest[MAC_BYTES];
    struct mac *mac;
    int status;

    if (s->remembered || !state_remembers(d->state) || !random_first(random, first))
        return 0;
    mac = state_mac(d->state, err);
    status = mac && mac_add(mac, what, sizeof what - 1, err) == 0 &&
                     mac_add(mac, first, sizeof first, err) == 0 &&
                     mac_end(mac, digest, err) == 0 &&
                     state_claim_key(d->state, &entry, digest, d->random_source, err) == 0
                 ? state_commit(d->state, err)
                 : -1;
    explicit_bzero(first, sizeof first);
    mac_free(mac);
    s->remembered = status == 0;
    return status;
}

/* Draws the next value of a holder. */
static int draw(struct dealer *s, uint32_t holder, struct random *random, struct hagg_err *err)
{
    uint64_t at = s->n_expanded[holder];

    if (!s->expansions[holder])
        return uniform_elems(s->d->plan->field, random, row_of(s, holder), s->row_elems, err);
    s->n_expanded[holder] += s->row_elems;
    return expand_elems(s->expansions[holder], at, row_of(s, holder), s->row_elems, err);
}

static int deal_step(struct dealer *s, const struct masks_step *step, struct random *random,
                     struct hagg_err *err)
{
    const struct field *f = s->d->plan->field;

    for (uint32_t i = 0; i < step->n_drawn; i++) {
        if (draw(s, step->drawn[i], random, err) || put(s, step->drawn[i], err))
            return -1;
    }
    for (uint32_t i = 0; i < step->n_from; i++)
        s->from[i] = row_of(s, step->from[i]);
    for (uint32_t i = 0; i < step->n_computed; i++)
        s->to[i] = row_of(s, step->computed[i]);
    matrix_apply(&step->matrix, f, s->to, s->from, s->row_elems);
    for (uint32_t i = 0; i < step->n_computed; i++)
        if (put(s, step->computed[i], err))
            return -1;
    return 0;
}

static int deal(struct dealer *s, struct random *random, struct outfiles *out, struct hagg_err *err)
{
    struct masks masks;
    int status = masks_new(&masks, &s->a->sharing, s->a->blocks, s->a->bare, err);

    /* a seed is written at once, so its source must not have been used before */
    if (status == 0 && (draw_seeds(s, &masks, random, err) || remember(s, random, err) ||
                        open_records(s, out, err)))
        status = -1;
    for (size_t i = 0; status == 0 && i < masks.n_steps; i++) {
        status = masks_fill(&masks, i, err);
        if (status == 0)
            status = deal_step(s, &masks.steps[i], random, err);
        matrix_free(&masks.steps[i].matrix);
    }
    masks_free(&masks);
    return status;
}

static int dealer_new(struct dealer *s, const struct dealing *d, struct hagg_err *err)
{
    size_t n = d->plan->aligned->sharing.n + (size_t)1;

    *s = (struct dealer){
        .d = d,
        .a = d->plan->aligned,
        .size = field_elem_size(d->plan->field),
    };
    s->row_elems = (size_t)blocks_segment_length(
        s->a->chunks, blocks_segment_length(s->a->sharing.n_segments, d->length));
    s->rows = calloc(n * (s->row_elems + 1), s->size);
    s->writers = calloc(n, sizeof *s->writers);
    s->payloads = calloc(n, sizeof *s->payloads);
    s->len_bytes = calloc(n, sizeof *s->len_bytes);
    s->seeds = calloc(n, sizeof *s->seeds);
    s->expansions = calloc(n, sizeof *s->expansions);
    s->n_expanded = calloc(n, sizeof *s->n_expanded);
    s->from = calloc(n, sizeof *s->from);
    s->to = calloc(n, sizeof *s->to);
    if (!s->rows || !s->writers || !s->payloads || !s->len_bytes || !s->seeds || !s->expansions ||
        !s->n_expanded || !s->from || !s->to)
        return err_errno(err, "no memory for masks");
    return 0;
}

static void dealer_free(struct dealer *s)
{
    if (s->rows)
        explicit_bzero(s->rows, s->a->sharing.n * s->row_elems * s->size);
    for (uint32_t i = 0; s->payloads && i < s->a->sharing.n; i++) {
        if (s->payloads[i])
            explicit_bzero(s->payloads[i], s->len_bytes[i]);
        free(s->payloads[i]);
    }
    for (uint32_t i = 0; s->expansions && i < s->a->sharing.n; i++)
        expand_free(s->expansions[i]);
    if (s->seeds)
        explicit_bzero(s->seeds, s->a->sharing.n * sizeof *s->seeds);
    free(s->seeds);
    free(s->expansions);
    free(s->n_expanded);
    free(s->rows);
    free(s->writers);
    free(s->payloads);
    free(s->len_bytes);
    free(s->from);
    free(s->to);
}

int dealing_write(const struct dealing *d, struct random *random, struct outfiles *out,
                  struct hagg_err *err)
{
    struct dealer s;
    int status = -1;

    if (check(d, err))
        return -1;
    if (dealer_new(&s, d, err) == 0) {
        set_header(&s);
        /* no id with a random source given by the user, all of whose bytes are for the masks */
        s.header.has_id = !random_is_file(random);
        if (outfiles_set_seed(out, random, err) == 0 &&
            (!s.header.has_id || random_bytes(random, s.header.id, sizeof s.header.id, err) == 0) &&
            deal(&s, random, out, err) == 0 && remember(&s, random, err) == 0)
            status = close_records(&s, err);
    }
    dealer_free(&s);
    return status;
}
