#include <string.h>
#include <sys/stat.h>

#include "infile.h"
#include "plan/plan_digest.h"
#include "records/describe.h"
#include "records/stream.h"
#include "roster/roster_state.h"

struct loading {
    const struct plan *plan;
    struct rangeset *clients;
    uint64_t *round;
    struct runs *runs;
    bool found;
};

/* Only the digest in the header connects a roster with the plan, so its clients are checked too. */
static int take_clients(const struct loading *l, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    for (size_t i = 0; i < h->n_clients; i++) {
        struct header_range range = h->clients[i];

        if (!topology_clients(&l->plan->topology, range.first, range.last))
            return reader_fail(r, err, HAGG_E_MISMATCH, "lists clients that are not in the plan");
        if (rangeset_add(l->clients, range.first, range.last, err))
            return -1;
    }
    return 0;
}

/* Returns true if the header is that of the roster that was found, for another node. */
static bool is_same(const struct loading *l, const struct header *h)
{
    struct header_range range;
    bool in_first;

    return h->round == *l->round && plan_digest_is(l->plan, h) &&
           !rangeset_difference(h->clients, h->n_clients, l->clients->ranges, l->clients->n, &range,
                                &in_first);
}

static int load_record(void *loading, struct reader *r, struct hagg_err *err)
{
    struct loading *l = loading;
    const struct header *h = reader_header(r);

    if (h->kind != HEADER_ROSTER)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is not a roster: make one with hagg-roster");
    /* a sealed roster is there once for each node */
    if (reader_is_closed(r))
        return reader_skip(r, err);
    if (l->found && reader_is_sealed(r) && is_same(l, h))
        return reader_skip(r, err);
    if (l->found)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a second roster, but a round has one set of clients");
    if (!plan_digest_is(l->plan, h))
        return plan_digest_fail(l->plan, r, "", err);
    if (!node_is(&h->from, NODE_THE_FEDERATOR))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is the report of %s %u, not the roster: make the roster from all "
                           "reports with hagg-roster",
                           h->from.tier, h->from.number);
    *l->round = h->round;
    l->found = true;
    /* the runs are read even if nobody wants them: they show that a sealed roster is complete */
    return take_clients(l, r, err) || runs_read(l->runs, r, err) ? -1 : 0;
}

int roster_load(const char *path, const struct plan *plan, struct opener *opener,
                struct rangeset *clients, uint64_t *round, struct runs *runs, struct hagg_err *err)
{
    struct runs ignored = { 0 };
    struct loading l = { plan, clients, round, runs ? runs : &ignored, false };
    int status = stream_each(path, STREAM_ANY_KIND, opener, load_record, &l, err);

    runs_free(&ignored);
    if (status == 0 && !l.found)
        status = err_set(err, HAGG_E_PRIVACY,
                         "%s: has no roster for this node: get it from the federator", path);
    return status;
}

struct issued {
    const struct roster *roster;
    bool found; /* True if the file has this roster. */
};

/* Returns 1 if the roster in the file has the runs of this one, 0 if not, -1 on failure. */
static int has_runs(const struct roster *roster, struct reader *r, struct hagg_err *err)
{
    const struct topology *t = &roster->options->plan->topology;
    struct runs runs = { 0 };
    int same = runs_read(&runs, r, err) ? -1 : 1;

    for (size_t i = 0; i < t->n_clients && same > 0; i++) {
        static const uint8_t unknown[HEADER_RUN_BYTES];
        const uint8_t *id = runs_of(&runs, t->clients[i].number);

        if (rangeset_overlap(&roster->complete, t->clients[i].number, t->clients[i].number) > 0 &&
            memcmp(id ? id : unknown, roster->clients[i].id, sizeof unknown))
            same = 0;
    }
    runs_free(&runs);
    return same;
}

/* A second roster is a second total. The same roster with other runs replaces it. */
static int compare_issued(void *issued, struct reader *r, struct hagg_err *err)
{
    struct issued *i = issued;
    const struct header *h = reader_header(r);
    const struct roster_options *o = i->roster->options;
    const struct rangeset *set = &i->roster->complete;
    struct text old = { 0 }, new = { 0 };
    struct header_range range;
    bool in_old;
    int same;

    if (h->kind != HEADER_ROSTER || !plan_digest_is(o->plan, h) || h->round != o->round ||
        !node_is(&h->from, NODE_THE_FEDERATOR))
        return reader_skip(r, err);
    if (!rangeset_difference(h->clients, h->n_clients, set->ranges, set->n, &range, &in_old)) {
        if (reader_is_closed(r)) /* that for another node; the federator has one too */
            return reader_skip(r, err);
        same = has_runs(i->roster, r, err);
        i->found = same > 0;
        return same < 0 ? -1 : 0;
    }
    describe_ranges(&old, h->clients, h->n_clients);
    describe_ranges(&new, set->ranges, set->n);
    err_set(err, HAGG_E_PRIVACY,
            "%s: the roster of round %llu has clients %.160s, not %.160s: a round has one set of "
            "clients, so use this roster",
            reader_name(r), (unsigned long long)o->round, text_ok(&old) ? old.bytes : "",
            text_ok(&new) ? new.bytes : "");
    text_free(&old);
    text_free(&new);
    return -1;
}

int roster_find_issued(const struct roster *r, const char *path, struct hagg_err *err)
{
    struct issued i = { .roster = r };
    struct stat st;
    int status;

    if (r->options->station > 0 || strcmp(path, "-") == 0 || stat(path, &st) ||
        !S_ISREG(st.st_mode) || st.st_size == 0 || infile_was_read(&st))
        return 0;
    status = stream_each(path, STREAM_ANY_KIND, r->options->opener, compare_issued, &i, err);
    infile_forget(&st);
    return status ? -1 : i.found;
}
