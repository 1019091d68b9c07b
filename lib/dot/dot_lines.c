#include "dot/dot_lines.h"

#include <search.h>
#include <stdlib.h>

#include "base/array.h"
#include "protocol/protocol.h"

/* More lines from clients than this cannot be distinguished. */
#define MOST_LINES 60

/* Which clients become one node, from fine to coarse. */
enum merging { MERGE_NONE, MERGE_SAME, MERGE_SAME_SHARES, MERGE_ALL };

struct merger {
    const struct topology *t;
    const struct protocol *round;
    enum merging merging;
    bool too_many;
    size_t n_from_clients;
    void *tree; /* index of the lines */
    struct dot_lines *d;
};

static bool is_one_node(const struct merger *f, size_t i, size_t j)
{
    struct protocol_classes a = protocol_classes_of(f->round, f->t->clients[i].group);
    struct protocol_classes b = protocol_classes_of(f->round, f->t->clients[j].group);

    if (f->merging == MERGE_NONE || f->merging == MERGE_ALL)
        return f->merging == MERGE_ALL;
    return a.vector == b.vector && (f->merging == MERGE_SAME_SHARES || a.key == b.key);
}

/* Stops early if there are too many nodes, because every node has a line. */
static void merge_clients(struct merger *f)
{
    size_t nodes[MOST_LINES], n = 0;

    for (size_t i = 0; i < f->t->n_clients && !f->too_many; i++) {
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

static int compare_nodes(struct node a, struct node b)
{
    return a.tier != b.tier ? (a.tier > b.tier) - (a.tier < b.tier)
                            : (a.number > b.number) - (a.number < b.number);
}

/* Orders lines by kind of link, content, and the two nodes. */
static int compare_lines(const void *a, const void *b)
{
    const struct dot_line *x = a, *y = b;
    int order = (x->from.tier > y->from.tier) - (x->from.tier < y->from.tier);

    order = order ? order : (x->to.tier > y->to.tier) - (x->to.tier < y->to.tier);
    order = order ? order : x->is_keys - y->is_keys;
    order = order ? order : x->is_passed_on - y->is_passed_on;
    order = order ? order : compare_nodes(x->from, y->from);
    return order ? order : compare_nodes(x->to, y->to);
}

static int compare_places(const void *a, const void *b)
{
    return compare_lines(*(struct dot_line *const *)a, *(struct dot_line *const *)b);
}

static struct dot_line *add_line(struct merger *f, const struct dot_line *like)
{
    struct dot_lines *d = f->d;
    struct dot_line *line;

    line = ARRAY_RESERVE(d->lines, d->n + 1, d->capacity) ? NULL : malloc(sizeof *line);
    if (!line)
        return NULL;
    *line = *like;
    sheet_line_init(&line->sent);
    d->lines[d->n++] = line;
    return tsearch(line, &f->tree, compare_lines) ? line : NULL;
}

static int add_to(struct merger *f, const struct dot_line *key, const struct message *s,
                  struct hagg_err *err)
{
    struct dot_line **found = tfind(key, &f->tree, compare_lines);
    struct dot_line *line = found ? *found : add_line(f, key);

    if (!line)
        return err_errno(err, "no memory for the lines of a picture");
    f->n_from_clients += !found && key->from.tier == NODE_CLIENT;
    sheet_line_add_size(&line->sent, 1, sheet_size_of(s, 1));
    return 0;
}

static int add_mask(struct merger *f, const struct message *s, struct hagg_err *err)
{
    struct node any = { .tier = NODE_STATION };
    struct dot_line sent = { .from = s->from, .to = any }, received = { .from = any, .to = s->to };

    if (s->from.number == s->to.number)
        return 0; /* a dealer keeps its own mask */
    return add_to(f, &sent, s, err) || add_to(f, &received, s, err) ? -1 : 0;
}

static int add_message(void *merger, const struct message *s, struct hagg_err *err)
{
    struct merger *f = merger;
    const struct topology *t = f->t;
    struct node way[SHEET_MOST_HOPS + 1];
    size_t n_hops = sheet_hops(s, way);

    if (s->stage->secret == HEADER_MASK)
        return add_mask(f, s, err);
    if (s->from.tier == NODE_CLIENT)
        way[0].number =
            t->clients[f->d->node[topology_client(t, s->from.number) - t->clients]].number;
    for (size_t i = 0; i < n_hops; i++) {
        struct dot_line key = { .from = way[i],
                                .to = way[i + 1],
                                .is_keys = s->stage->secret == HEADER_KEY,
                                .is_passed_on = i > 0 };

        if (add_to(f, &key, s, err))
            return -1;
    }
    f->too_many = f->merging < MERGE_ALL && f->n_from_clients > MOST_LINES;
    return f->too_many ? -1 : 0;
}

bool dot_lines_masks(const struct dot_line *line)
{
    return line->from.number == 0 || line->to.number == 0;
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

/* Uses the finest merging that gives few enough lines. */
static int add_lines(struct merger *f, struct hagg_err *err)
{
    int status;

    for (f->merging = MERGE_NONE;; f->merging++) {
        f->too_many = false;
        f->n_from_clients = 0;
        merge_clients(f);
        status = f->too_many ? -1 : protocol_each(f->round, add_message, f, err);
        tdestroy(f->tree, keep_line);
        f->tree = NULL;
        if (!f->too_many)
            break;
        clear_lines(f->d);
    }
    for (size_t i = 0; i < f->d->n; i++) {
        sheet_line_close(&f->d->lines[i]->sent);
        if (f->d->lines[i]->from.number > 0) /* masks are counted where they are sent */
            mpq_add(f->d->total, f->d->total, f->d->lines[i]->sent.times);
    }
    if (status == 0)
        qsort(f->d->lines, f->d->n, sizeof *f->d->lines, compare_places);
    return status;
}

int dot_lines_new(struct dot_lines *d, const struct plan *p,
                  const struct protocol_presence *presence, struct hagg_err *err)
{
    struct protocol *round = protocol_open(p, presence, err);
    struct merger f = { .t = &p->topology, .round = round, .d = d };
    int status = round ? 0 : -1;

    *d = (struct dot_lines){ .node = calloc(p->topology.n_clients, sizeof *d->node) };
    mpq_init(d->total);
    if (status == 0 && !d->node)
        status = err_errno(err, "%s", p->name);
    if (status == 0)
        status = add_lines(&f, err);
    protocol_free(round);
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
