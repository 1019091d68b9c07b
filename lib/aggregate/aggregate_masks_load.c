#include <stdlib.h>
#include <string.h>

#include "aggregate_masks_state.h"
#include "agree.h"
#include "mask_total.h"
#include "maskfile.h"
#include "plan_record.h"
#include "record_field.h"
#include "stream.h"

void aggregate_masks_free(struct aggregate_masks *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->patterns.n && m->masks; i++) {
        header_clear(&m->masks[i].header);
        stored_free(&m->masks[i].stored);
    }
    if (m->total)
        explicit_bzero(m->total, m->n_total * m->noise.elem_size);
    stored_free(&m->noise);
    rangeset_free(&m->clients);
    plan_patterns_free(&m->patterns);
    free(m->masks);
    free(m->total);
    free(m->digests);
    free(m);
}

static int take_noise(struct aggregate *a, struct reader *r, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;

    if (m->has_noise)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is there twice");
    m->has_noise = true;
    return stored_keep(&m->noise, m->file, r, err);
}

static int take_mask(struct aggregate *a, struct reader *r, size_t pattern, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    struct mask *mask = &m->masks[pattern];

    if (mask->there)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a second mask for one pattern");
    if (m->any &&
        agree_on_round(&m->any->header, reader_name(r), reader_header(r), reader_name(r), err))
        return -1;
    mask->there = true;
    m->any = mask;
    if (agree_copy(&mask->header, reader_header(r), err))
        return -1;
    return stored_keep(&mask->stored, m->file, r, err);
}

static int take_record(void *aggregate, struct reader *r, struct hagg_err *err)
{
    struct aggregate *a = aggregate;
    const struct header *h = reader_header(r);
    struct aggregate_masks *m = a->masks;
    bool first = !m->any && !m->has_noise;
    size_t pattern;

    if (maskfile_check(r, a->options->plan, a->options->station, &m->patterns, &pattern, err) ||
        record_field(&a->field, r, err))
        return -1;
    if (first)
        memcpy(m->id, h->id, sizeof m->id);
    else if (memcmp(m->id, h->id, sizeof m->id))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is of another run of hagg-keygen than those before it");
    return pattern == m->patterns.n ? take_noise(a, r, err) : take_mask(a, r, pattern, err);
}

static bool takes_part(const struct aggregate *a, size_t pattern)
{
    const struct topology_list *stations = a->masks->patterns.routes[pattern].lists[0];
    size_t i = 0;

    while (i < stations->n && stations->numbers[i] != a->options->station)
        i++;
    return i < stations->n;
}

static int check_loaded(struct aggregate *a, struct hagg_err *err)
{
    struct aggregate_masks *m = a->masks;
    bool complete = m->has_noise == a->options->plan->topology.full;

    for (size_t i = 0; i < m->patterns.n && complete; i++)
        complete = m->masks[i].there == takes_part(a, i);
    if (!complete)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: is not all of the station's masks: make them again, with hagg-keygen "
                       "--station %u",
                       filecache_name(&a->files, m->file), a->options->station);
    if (a->options->plan->topology.full) {
        if (mask_total_room(a->options->plan, m->any->header.length, &m->n_total, &m->n_noise, err))
            return -1;
        if (m->noise.n_elems != m->n_noise)
            return err_set(err, HAGG_E_MISMATCH,
                           "%s: has %llu elements to share its total with, "
                           "not %zu",
                           filecache_name(&a->files, m->file), (unsigned long long)m->noise.n_elems,
                           m->n_noise);
    }
    a->anchors[1].header = &m->any->header;
    a->anchors[1].file = m->file;
    return 0;
}

/* The clients that remain, and the patterns that they share over. */
static int find_clients(struct aggregate *a, struct hagg_err *err)
{
    const struct topology *t = &a->options->plan->topology;
    struct aggregate_masks *m = a->masks;

    if (plan_record_clients(a->options->plan, a->options->clients, &m->clients, err))
        return -1;
    for (size_t i = 0; i < t->n_clients; i++)
        if (rangeset_overlap(&m->clients, t->clients[i].number, t->clients[i].number) > 0)
            m->masks[m->patterns.of_group[t->clients[i].group]].used = true;
    return 0;
}

int aggregate_masks_load(struct aggregate *a, const char *path, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    struct aggregate_masks *m = calloc(1, sizeof *m);

    if (!m)
        return err_errno(err, "no memory for masks");
    a->masks = m;
    m->path = path;
    m->self = (struct header_range){ o->station, o->station };
    if (maskfile_check_need(o->plan, o->station, err) ||
        plan_patterns_new(&m->patterns, o->plan, PLAN_SHARES, 0, err))
        return -1;
    m->masks = calloc(m->patterns.n, sizeof *m->masks);
    if (!m->masks)
        return err_errno(err, "no memory for masks");
    if (filecache_add(&a->files, path, &m->file, err) || stream_each(path, take_record, a, err))
        return -1;
    return find_clients(a, err) ? -1 : check_loaded(a, err);
}

int aggregate_masks_note(struct aggregate_masks *m, const struct reader *r, struct hagg_err *err)
{
    if (m->n_digests == m->max_digests) {
        size_t max = 2 * m->max_digests + 16;
        uint8_t(*digests)[AGGREGATE_DIGEST_BYTES] = reallocarray(m->digests, max, sizeof *digests);

        if (!digests)
            return err_errno(err, "no memory for one more record");
        m->digests = digests;
        m->max_digests = max;
    }
    memcpy(m->digests[m->n_digests++], reader_digest(r), AGGREGATE_DIGEST_BYTES);
    return 0;
}
