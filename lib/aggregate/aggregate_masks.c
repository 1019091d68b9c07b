#include "aggregate_masks.h"

#include <stdlib.h>
#include <string.h>

#include "aggregate_masks_state.h"
#include "digest.h"
#include "mask_total.h"
#include "mask_use.h"

static void add_identity(uint8_t sum[16], const uint8_t id[16])
{
    for (size_t i = 0; i < 16; i++)
        sum[i] ^= id[i];
}

/* Header and elements of the total of the masks that are used. */
static int work_out_total(struct aggregate *a, unsigned char *total, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    const struct header *any = &m->any->header;
    struct header *h = &m->header;
    size_t n_used = 0;

    *h = (struct header){
        .secret = HEADER_MASK,
        .length = any->length,
        .samples = any->samples,
        .has_round = true,
        .round = any->round,
        .has_plan = true,
        .from = { .tier = "station", .number = a->options->station },
        .clients = m->clients.ranges,
        .n_clients = m->clients.n,
        .stations = &m->self,
        .n_stations = 1,
        .has_masks = true,
    };
    memcpy(h->field, any->field, sizeof h->field);
    memcpy(h->plan, any->plan, sizeof h->plan);
    for (size_t i = 0; i < m->patterns.n; i++) {
        struct mask *mask = &m->masks[i];
        struct stored copy;
        int status;

        if (!mask->there || !mask->used)
            continue;
        /* it is read once more when it is added to a sum */
        if (stored_copy(&copy, &mask->stored, err))
            return -1;
        status = mask_total_add(a->options->plan, &mask->header, &copy, &a->files, total, err);
        stored_free(&copy);
        if (status)
            return -1;
        add_identity(h->masks, mask->header.masks);
        n_used++;
    }
    if (n_used == 0)
        return err_set(err, HAGG_E_TOO_FEW,
                       "no client that remains shares over station %u: it has no part in the total "
                       "of the masks",
                       a->options->station);
    return 0;
}

/* Partial collusion: the total joins what has come from stations before. */
static int join_chain(struct aggregate *a, unsigned char **total, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    size_t length = (size_t)m->header.length;
    struct aggregate_group *g =
        aggregate_group(a, &m->header, length, filecache_name(&a->files, m->file), err);

    if (!g)
        return -1;
    if (rangeset_overlap(&g->stations, m->self.first, m->self.first) > 0)
        return err_set(err, HAGG_E_MISMATCH,
                       "the masks of station %u are in the total already, which has come: leave "
                       "out --masks, or the total",
                       m->self.first);
    if (rangeset_add(&g->stations, m->self.first, m->self.first, err))
        return -1;
    add_identity(g->masks, m->header.masks);
    if (g->from_pipes) {
        field_add(a->field, g->from_pipes, g->from_pipes, *total, length);
        return 0;
    }
    g->from_pipes = *total;
    g->n_touched = length;
    *total = NULL;
    return 0;
}

static int make_total(struct aggregate *a, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    bool full = a->options->plan->topology.full;
    size_t n = full ? m->n_total : (size_t)m->any->header.length, size = field_elem_size(a->field);
    unsigned char *total = calloc(n + 1, size);
    int status = total ? 0 : err_errno(err, "no memory for the total of the masks");

    if (status == 0)
        status = work_out_total(a, total, err);
    if (status == 0 && full) {
        m->total = total;
        return 0;
    }
    if (status == 0)
        status = join_chain(a, &total, err);
    if (total)
        explicit_bzero(total, n * size);
    free(total);
    return status;
}

bool aggregate_masks_has(const struct aggregate *a, enum header_secret secret)
{
    for (const struct aggregate_group *g = a->groups; g; g = g->next)
        if (g->header.secret == secret)
            return true;
    return false;
}

int aggregate_masks_prepare(struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;

    if (!o->plan || !o->plan->masked)
        return 0;
    if (!a->masks && aggregate_masks_has(a, HEADER_PLAIN))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: says masks stations, so no sum may leave unmasked: say --station and "
                       "--masks, with masks from hagg-keygen",
                       o->plan->name);
    if (!a->masks || o->only == AGGREGATE_SHARES)
        return 0;
    if (o->plan->topology.full && aggregate_masks_has(a, HEADER_MASK))
        return err_set(err, HAGG_E_USAGE,
                       "shares of masks have come from stations: add them up in a run without "
                       "--masks");
    return make_total(a, err);
}

bool aggregate_masks_spreads(const struct aggregate *a)
{
    return a->masks && a->masks->total;
}

static int compare_digests(const void *a, const void *b)
{
    return memcmp(a, b, AGGREGATE_DIGEST_BYTES);
}

static size_t count_members(const struct aggregate *a)
{
    size_t n = 0;

    for (const struct aggregate_group *g = a->groups; g; g = g->next)
        n += g->n_members;
    return n;
}

static int member_digest(struct aggregate *a, const struct stored *member, uint8_t *digest,
                         struct hagg_err *err)
{
    int fd = filecache_acquire(&a->files, member->file, err), status;

    if (fd < 0)
        return -1;
    status = payload_digest(member->payload, fd, digest, err);
    filecache_release(&a->files, member->file, fd);
    return status;
}

/* Of all shares that the masks are to be added to, in whatever order they came. */
static int digest_shares(struct aggregate *a, uint8_t digest[AGGREGATE_DIGEST_BYTES],
                         struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    size_t n = m->n_digests, n_most = n + count_members(a);
    uint8_t(*all)[AGGREGATE_DIGEST_BYTES] = calloc(n_most + 1, sizeof *all);
    int status = all ? 0 : err_errno(err, "no memory for %zu records", n_most);

    if (status == 0 && n > 0)
        memcpy(all, m->digests, n * sizeof *all);
    for (const struct aggregate_group *g = a->groups; g && status == 0; g = g->next)
        for (size_t i = 0; g->header.secret == HEADER_PLAIN && i < g->n_members && status == 0; i++)
            status = member_digest(a, &g->members[i], all[n++], err);
    if (status == 0) {
        qsort(all, n, sizeof *all, compare_digests);
        digest_bytes(digest, all, n * sizeof *all);
    }
    free(all);
    return status;
}

/* Which clients remain decides which masks are in the total; what the masks are added to must be
 * the same always, or the federator would learn the difference. */
static int claim(struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_masks *m = a->masks;
    const struct mask_use use = {
        .path = m->path,
        .plan = m->any->header.plan,
        .station = a->options->station,
        .round = m->any->header.round,
        .clients = &m->clients,
        .adds = aggregate_masks_has(a, HEADER_PLAIN),
    };
    uint8_t digest[AGGREGATE_DIGEST_BYTES] = { 0 };

    if (use.adds && digest_shares(a, digest, err))
        return -1;
    return mask_use_claim(&use, digest, err);
}

static struct mask *mask_of(const struct aggregate *a, const struct aggregate_group *g)
{
    return &a->masks->masks[plan_patterns_find(&a->masks->patterns, &g->header)];
}

/* Before the masks are claimed, so that a share that is too short does not spend the round. */
static int check_sizes(const struct aggregate *a, struct hagg_err *err)
{
    for (const struct aggregate_group *g = a->groups; g; g = g->next)
        if (g->header.secret == HEADER_PLAIN && mask_of(a, g)->stored.n_elems != g->n_elems)
            return err_set(err, HAGG_E_MISMATCH, "%s: a mask has %llu elements, the sum has %llu",
                           filecache_name(&a->files, a->masks->file),
                           (unsigned long long)mask_of(a, g)->stored.n_elems,
                           (unsigned long long)g->n_elems);
    return 0;
}

int aggregate_masks_apply(struct aggregate *a, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;

    if (!m)
        return 0;
    if (check_sizes(a, err) || claim(a, err))
        return -1;
    for (struct aggregate_group *g = a->groups; g; g = g->next) {
        struct mask *mask;

        if (g->header.secret != HEADER_PLAIN)
            continue;
        mask = mask_of(a, g);
        if (aggregate_group_take(g, &mask->stored, err) ||
            rangeset_add(&g->stations, m->self.first, m->self.first, err))
            return -1;
        g->header.secret = HEADER_MASKED;
        g->has_masks = true;
        memcpy(g->masks, mask->header.masks, sizeof g->masks);
    }
    return 0;
}

int aggregate_masks_spread(struct aggregate *a, struct outset *out, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    size_t size = field_elem_size(a->field);
    unsigned char *noise;
    int status;

    if (!aggregate_masks_spreads(a))
        return 0;
    noise = calloc(m->n_noise + 1, size);
    status = noise ? stored_read(&m->noise, &a->files, a->field, noise, m->n_noise, err)
                   : err_errno(err, "no memory to share masks");
    if (status == 0)
        status = mask_total_spread(a->options->plan, &m->header, m->total, noise, out, err);
    if (noise)
        explicit_bzero(noise, m->n_noise * size);
    free(noise);
    return status;
}
