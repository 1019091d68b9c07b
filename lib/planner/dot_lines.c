#include "dot_lines.h"

#include <search.h>
#include <stdlib.h>

#include "messages.h"
#include "plan_patterns.h"

/* More lines from clients than these cannot be told apart. */
#define MOST_LINES 60

/* Which clients are one node, from fine to coarse. */
enum fold { FOLD_NONE, FOLD_SAME, FOLD_SAME_SHARES, FOLD_ALL };

struct folding {
    const struct plan *p;
    struct plan_patterns shares, keys; /* keys: under full collusion */
    enum fold fold;
    bool too_many;
    size_t n_from_clients;
    void *tree; /* of the lines */
    struct dot_lines *d;
};

/* Where the key of a client goes: a pattern or a station. */
static uint32_t key_of(const struct folding *f, const struct topology_client *client)
{
    struct plan_client c = { 0 };

    if (f->keys.n > 0)
        return f->keys.of_group[client->group];
    plan_client(f->p, client->number, &c, NULL); /* cannot fail: the plan has the client */
    return c.key_station;
}

static bool is_one_node(const struct folding *f, size_t i, size_t j)
{
    const struct topology_client *a = &f->p->topology.clients[i], *b = &f->p->topology.clients[j];

    if (f->fold == FOLD_NONE || f->fold == FOLD_ALL)
        return f->fold == FOLD_ALL;
    return f->shares.of_group[a->group] == f->shares.of_group[b->group] &&
           (f->fold == FOLD_SAME_SHARES || key_of(f, a) == key_of(f, b));
}

/* Gives up early, because every node has a line. */
static void fold_clients(struct folding *f)
{
    size_t nodes[MOST_LINES], n = 0;

    for (size_t i = 0; i < f->p->topology.n_clients && !f->too_many; i++) {
        size_t at = 0;

        while (at < n && !is_one_node(f, i, nodes[at]))
            at++;
        f->too_many = at == MOST_LINES;
        if (at == n && !f->too_many)
            nodes[n++] = i;
        if (!f->too_many)
            f->d->node[i] = nodes[at];
    }
    f->d->n_client_nodes = n;
}

static int compare_lines(const void *a, const void *b)
{
    const struct dot_line *x = a, *y = b;

    return flow_compare(&x->flow, &y->flow);
}

static int compare_places(const void *a, const void *b)
{
    return compare_lines(*(struct dot_line *const *)a, *(struct dot_line *const *)b);
}

static struct dot_line *add_line(struct folding *f, const struct flow *flow)
{
    struct dot_lines *d = f->d;
    struct dot_line *line;

    if (d->n == d->capacity) {
        size_t capacity = d->capacity ? 2 * d->capacity : 64;
        struct dot_line **lines = reallocarray(d->lines, capacity, sizeof *lines);

        if (!lines)
            return NULL;
        d->lines = lines;
        d->capacity = capacity;
    }
    line = malloc(sizeof *line);
    if (!line)
        return NULL;
    line->flow = *flow;
    sheet_line_init(&line->sent);
    d->lines[d->n++] = line;
    return tsearch(line, &f->tree, compare_lines) ? line : NULL;
}

static int add_message(void *arg, const struct plan_message *m, struct hagg_err *err)
{
    struct folding *f = arg;
    const struct topology *t = &f->p->topology;
    struct dot_line key, **found, *line;

    if (flow_of(&key.flow, &f->d->tiers, &m->from, &m->to, flow_what_of(HEADER_SHARE, m->secret),
                err))
        return -1;
    if (m->link == LINK_CLIENT_STATION)
        key.flow.from =
            t->clients[f->d->node[topology_client(t, m->from.number) - t->clients]].number;
    found = tfind(&key, &f->tree, compare_lines);
    line = found ? *found : add_line(f, &key.flow);
    if (!line)
        return err_errno(err, "%s", f->p->name);
    f->n_from_clients += !found && m->link == LINK_CLIENT_STATION;
    f->too_many = f->fold < FOLD_ALL && f->n_from_clients > MOST_LINES;
    sheet_line_add(&line->sent, 1, m->num, m->den, m->n_symbols);
    return f->too_many ? -1 : 0;
}

static void keep_line(void *line)
{
    (void)line; /* d->lines owns it */
}

static void clear_lines(struct dot_lines *d)
{
    for (; d->n > 0; d->n--) {
        sheet_line_clear(&d->lines[d->n - 1]->sent);
        free(d->lines[d->n - 1]);
    }
}

/* With as little folding as leaves few lines. */
static int add_lines(struct folding *f, struct hagg_err *err)
{
    int status;

    for (f->fold = FOLD_NONE;; f->fold++) {
        f->too_many = false;
        f->n_from_clients = 0;
        fold_clients(f);
        status = f->too_many ? -1 : plan_messages_each(f->p, 1, add_message, f, err);
        tdestroy(f->tree, keep_line);
        f->tree = NULL;
        if (!f->too_many)
            break;
        clear_lines(f->d);
    }
    for (size_t i = 0; i < f->d->n; i++) {
        sheet_line_close(&f->d->lines[i]->sent);
        mpq_add(f->d->total, f->d->total, f->d->lines[i]->sent.times);
    }
    if (status == 0)
        qsort(f->d->lines, f->d->n, sizeof *f->d->lines, compare_places);
    return status;
}

int dot_lines_new(struct dot_lines *d, const struct plan *p, struct hagg_err *err)
{
    struct folding f = { .p = p, .d = d };
    int status;

    *d = (struct dot_lines){ .node = calloc(p->topology.n_clients, sizeof *d->node) };
    mpq_init(d->total);
    status = d->node ? 0 : err_errno(err, "%s", p->name);
    if (status == 0)
        status = plan_patterns_new(&f.shares, p, PLAN_SHARES, 0, err);
    if (status == 0 && p->topology.full)
        status = plan_patterns_new(&f.keys, p, PLAN_KEYS, 0, err);
    if (status == 0)
        status = add_lines(&f, err);
    plan_patterns_free(&f.shares);
    plan_patterns_free(&f.keys);
    if (status)
        dot_lines_free(d);
    return status;
}

void dot_lines_free(struct dot_lines *d)
{
    clear_lines(d);
    free(d->lines);
    free(d->node);
    mpq_clear(d->total);
}
