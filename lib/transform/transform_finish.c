#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/agree.h"
#include "sharing/layout.h"
#include "protocol/protocol.h"
#include "sharing/sharing.h"
#include "base/text.h"
#include "transform/transform.h"
#include "transform/transform_finish.h"

/* Fails unless there is a plan under which this relay receives nothing. */
static int check_nothing(const struct gather *g, struct hagg_err *err)
{
    struct node here = { NODE_RELAY, g->relay };

    if (g->round && protocol_first_client(g->round, PLAN_SHARES, here) == 0 &&
        (!protocol_plan(g->round)->topology.full ||
         protocol_first_client(g->round, PLAN_KEYS, here) == 0))
        return 0;
    return err_set(
        err, HAGG_E_TOO_FEW,
        "no transfers arrived: get the transfers that the stations make with --step contribute");
}

/* Longest list of holders in a message, so that there is room for the rest of it. */
#define MAX_LIST 100

static int gather_all(struct gather *g, const char *const *paths, size_t n_paths,
                      struct hagg_err *err)
{
    for (size_t i = 0; i < n_paths; i++)
        if (gather_add(g, paths[i], err))
            return -1;
    return g->sums || g->n_shares > 0 ? 0 : check_nothing(g, err);
}

/* Finds out whether transfers are missing because those of the same sum are in another group, since
 * the stations added up different shares. */
static int check_agreed(const struct gather *g, const struct gather_sum *group,
                        struct hagg_err *err)
{
    const struct gather_member *first = &group->members[0], *other = NULL;
    enum gather_differs differs = GATHER_SAME;
    const struct gather_sum *found = NULL;
    struct header_range missing = { 0 };
    bool in_first = false;

    while (!found && differs++ < GATHER_CLIENTS)
        if (gather_find_like(g, group, differs, &found, err))
            return -1;
    if (!found)
        return 0;
    other = &found->members[0];
    if (differs == GATHER_ROUND)
        return agree_on_round(&first->header, gather_file(g, first), &other->header,
                              gather_file(g, other), err);
    if (differs == GATHER_RUN)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: was made from a different run of hagg-share than %s: all stations must "
                       "add up shares from one run",
                       gather_file(g, other), gather_file(g, first));
    rangeset_difference(first->header.clients, first->header.n_clients, other->header.clients,
                        other->header.n_clients, &missing, &in_first);
    return err_set(err, HAGG_E_MISMATCH,
                   "%s: client %u is missing, but is in %s: use the same --roster with "
                   "hagg-aggregate at all stations",
                   gather_file(g, in_first ? other : first), missing.first,
                   gather_file(g, in_first ? first : other));
}

int finish_too_few(const struct gather *g, const struct gather_sum *group, uint32_t needed,
                   const char *remedy, struct hagg_err *err)
{
    const struct header *h = &group->members[0].header;
    struct text came = { 0 };
    int status;

    if (check_agreed(g, group, err))
        return -1;
    for (size_t i = 0; i < group->n; i++) {
        const struct header_node *from = &group->members[i].header.from;

        text_printf(&came, "%s %s %u", i > 0 ? "," : "", from->tier[0] ? from->tier : "holder",
                    from->number);
    }
    status = err_set(err, HAGG_E_TOO_FEW,
                     "%s: for %s %u, only %zu of %u transfers of one sum arrived, from%.*s%s: %s",
                     gather_file(g, &group->members[0]), h->route[0].name,
                     h->route[0].numbers[h->scheme.index], group->n, needed, MAX_LIST,
                     text_ok(&came) && came.bytes ? came.bytes : "",
                     came.len > MAX_LIST ? "..." : "", remedy);
    text_free(&came);
    return status;
}

unsigned char **finish_load(struct gather *g, struct gather_sum *group, const bool *used,
                            struct hagg_err *err)
{
    size_t size = field_elem_size(g->field);
    unsigned char **rows = calloc(group->n + 1, sizeof *rows);
    int status = rows ? 0 : err_errno(err, "no memory for transfers");

    for (size_t i = 0; i < group->n && status == 0; i++) {
        struct stored *s = &group->members[i].stored;

        if (used && !used[i])
            continue;
        rows[i] = malloc(((size_t)s->n_elems + 1) * size);
        status = rows[i] ? stored_read(s, &g->files, g->field, rows[i], (size_t)s->n_elems, err)
                         : err_errno(err, "no memory for transfers");
    }
    if (status == 0)
        return rows;
    finish_unload(g, group, rows);
    return NULL;
}

void finish_unload(const struct gather *g, const struct gather_sum *group, unsigned char **rows)
{
    for (size_t i = 0; i < group->n && rows; i++) {
        if (rows[i])
            explicit_bzero(rows[i],
                           (size_t)group->members[i].stored.n_elems * field_elem_size(g->field));
        free(rows[i]);
    }
    free(rows);
}

void finish_set_mix(const struct gather_sum *group, const bool *used, struct header *h)
{
    memset(h->mix, 0, sizeof h->mix);
    h->has_mix = true;
    for (size_t i = 0; i < group->n; i++) {
        const struct header *from = &group->members[i].header;

        if (used && !used[i])
            continue;
        h->has_mix = h->has_mix && from->has_mix;
        for (size_t j = 0; j < sizeof h->mix; j++)
            h->mix[j] ^= from->mix[j];
    }
    if (!h->has_mix)
        memset(h->mix, 0, sizeof h->mix);
}

int finish_write(const struct gather *g, const struct header *h, struct outfiles *out,
                 const void *elems, uint64_t n, struct hagg_err *err)
{
    struct writer *w = outfiles_writer(out, h->to.number, err);

    if (!w || writer_begin(w, h, field_elem_size(g->field), n, err) ||
        writer_elems(w, elems, (size_t)n, err))
        return -1;
    return writer_end(w, err);
}

static void set_node(struct header_node *node, const struct header *h, uint32_t index)
{
    memcpy(node->tier, h->route[0].name, sizeof node->tier);
    node->number = h->route[0].numbers[index];
}

/* Writes forwarded shares unchanged. */
static int pass_shares(struct gather *g, struct outfiles *out, struct hagg_err *err)
{
    for (size_t i = 0; i < g->n_shares; i++) {
        struct gather_member *m = &g->shares[i];
        size_t size = field_elem_size(g->field), n = (size_t)m->stored.n_elems;
        unsigned char *elems = malloc((n + 1) * size);
        int status = elems ? stored_read(&m->stored, &g->files, g->field, elems, n, err)
                           : err_errno(err, "no memory for a share");

        if (status == 0)
            status = finish_write(g, &m->header, out, elems, n, err);
        if (elems)
            explicit_bzero(elems, n * size);
        free(elems);
        if (status)
            return -1;
    }
    return 0;
}

/* Adds up a carrier's transfers for one holder. */
static int collect_group(struct gather *g, struct gather_sum *group, struct outfiles *out,
                         struct hagg_err *err)
{
    struct header h = group->members[0].header;
    size_t n_elems = (size_t)group->members[0].stored.n_elems;
    unsigned char **rows;
    int status;

    if (group->n < h.source.k)
        return finish_too_few(
            g, group, h.source.k,
            h.source.n > h.source.k
                ? "get the others, or, if a holder is missing, let all contribute again "
                  "with --from and the numbers of the holders that take part"
                : "get the others: all are needed",
            err);
    if (group->n > h.source.k)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: %zu transfers of one sum arrived, but only %u holders take part",
                       gather_file(g, &group->members[group->n - 1]), group->n, h.source.k);
    rows = finish_load(g, group, NULL, err);
    if (!rows)
        return -1;
    for (size_t i = 1; i < group->n; i++)
        field_add(g->field, rows[0], rows[0], rows[i], n_elems);
    finish_set_mix(group, NULL, &h);
    h.source = (struct header_scheme){ 0 };
    h.n_extensions = 0;
    set_node(&h.from, &h, h.carrier);
    set_node(&h.to, &h, h.scheme.index);
    status = finish_write(g, &h, out, rows[0], n_elems, err);
    finish_unload(g, group, rows);
    return status;
}

int transform_collect(const char *const *paths, size_t n_paths, struct outfiles *out,
                      struct hagg_err *err)
{
    struct gather g = { .by_carrier = false };
    int status = gather_all(&g, paths, n_paths, err);

    for (struct gather_sum *group = g.sums; group && status == 0; group = group->next)
        status = collect_group(&g, group, out, err);
    if (status == 0)
        status = pass_shares(&g, out, err);
    gather_free(&g);
    return status;
}

int finish_share_length(const struct header *h, uint64_t *n, struct hagg_err *err)
{
    struct scheme *scheme = scheme_open(h->scheme.name, err);
    struct hagg_scheme_shape shape;
    struct layout layout;
    int status = -1;

    layout_of(h, &layout);
    if (scheme)
        status = scheme_shape(scheme, h->scheme.n, h->scheme.k, h->scheme.z, &shape, err);
    if (status == 0)
        *n = layout.n_blocks * scheme_share_length(&shape, layout.block_length);
    scheme_free(scheme);
    return status;
}

/* Computes the matrix that decodes the pieces of a share from the carriers' sums. */
static int transport_inverse(const struct gather *g, const struct header *h, struct matrix *inverse,
                             struct hagg_err *err)
{
    struct scheme *ramp = scheme_open("ramp", err);
    uint32_t n = h->scheme.n, *places = calloc(n, sizeof *places);
    struct sharing s = { 0 };
    int status = -1;

    if (ramp && !places)
        err_errno(err, "no memory for %u carriers", n);
    for (uint32_t i = 0; i < n && places; i++)
        places[i] = i;
    if (ramp && places)
        status = sharing_new(&s, g->field, ramp, n, n, h->scheme.z, NULL, NULL, err);
    if (status == 0)
        status = sharing_inverse(&s, places, inverse, err);
    if (status == 0)
        inverse->rows = s.shape.parts;
    sharing_free(&s);
    scheme_free(ramp);
    free(places);
    return status;
}

/* Method transport: decodes the share from the carriers' sums. */
static int finish_transport(struct gather *g, struct gather_sum *group, struct header *h,
                            struct outfiles *out, struct hagg_err *err)
{
    size_t size = field_elem_size(g->field), piece = (size_t)group->members[0].stored.n_elems;
    struct hagg_err cause = { 0 };
    struct matrix inverse = { 0 };
    unsigned char **rows = NULL, *share = NULL;
    void **to = NULL;
    uint64_t n_elems;
    int status = -1;

    if (group->n < h->scheme.n)
        return finish_too_few(g, group, h->scheme.n, "get the others: all are needed", err);
    for (size_t i = 1; i < group->n; i++)
        if (group->members[i].header.has_mix && group->members[0].header.has_mix &&
            memcmp(group->members[i].header.mix, group->members[0].header.mix, sizeof h->mix))
            return err_set(
                err, HAGG_E_MISMATCH,
                "%s: was collected from different transfers than %s: use transfers from one run",
                gather_file(g, &group->members[i]), gather_file(g, &group->members[0]));
    if (finish_share_length(h, &n_elems, &cause) || transport_inverse(g, h, &inverse, &cause))
        return err_set(err, cause.status == HAGG_E_SYSTEM ? HAGG_E_SYSTEM : HAGG_E_MALFORMED,
                       "%s: %s", gather_file(g, &group->members[0]), cause.text);
    if (piece * inverse.rows < n_elems || piece * inverse.rows - n_elems >= inverse.rows) {
        err_set(err, HAGG_E_MALFORMED,
                "%s: has %zu elements, which is not a piece of a share of %llu",
                gather_file(g, &group->members[0]), piece, (unsigned long long)n_elems);
        goto out;
    }
    rows = finish_load(g, group, NULL, err);
    share = calloc(piece * inverse.rows + 1, size);
    to = calloc(inverse.rows, sizeof *to);
    if (!rows)
        goto out;
    if (!share || !to) {
        err_errno(err, "no memory for a share");
        goto out;
    }
    for (size_t i = 0; i < inverse.rows; i++)
        to[i] = share + i * piece * size;
    matrix_apply(&inverse, g->field, to, (const void *const *)rows, piece);
    h->has_carrier = false;
    h->carrier = 0;
    status = finish_write(g, h, out, share, n_elems, err);
out:
    if (share)
        explicit_bzero(share, piece * inverse.rows * size);
    finish_unload(g, group, rows);
    free(share);
    free(to);
    matrix_free(&inverse);
    return status;
}

static int finish_group(struct gather *g, struct gather_sum *group, struct outfiles *out,
                        struct hagg_err *err)
{
    struct header h = group->members[0].header; /* a shallow copy */

    h.kind = HEADER_SHARE;
    h.n_extensions = 0;
    set_node(&h.to, &h, h.scheme.index);
    /* it stays with its maker, who seals it to itself */
    h.from = g->opener ? h.to : (struct header_node){ 0 };
    return h.has_carrier ? finish_transport(g, group, &h, out, err)
                         : finish_direct(g, group, &h, out, err);
}

int transform_finish(const struct transform_options *options, uint32_t relay,
                     const char *const *paths, size_t n_paths, struct outfiles *out,
                     struct hagg_err *err)
{
    const struct plan *plan = options->plan;
    struct protocol *round = plan ? protocol_open(plan, NULL, err) : NULL;
    struct gather g = {
        .round = round,
        .relay = relay,
        .clients = options->clients,
        .asked_round = options->asked_round,
        .opener = options->opener,
        .by_carrier = true,
    };
    int status = plan && !round ? -1 : gather_all(&g, paths, n_paths, err);

    for (struct gather_sum *group = g.sums; group && status == 0; group = group->next)
        status = finish_group(&g, group, out, err);
    if (status == 0)
        status = pass_shares(&g, out, err);
    gather_free(&g);
    protocol_free(round);
    return status;
}
