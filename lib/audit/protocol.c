#include "protocol.h"

#include <stdlib.h>

/* Where the vectors and the keys of each group of clients go. */
struct outline {
    struct plan_patterns shares, keys;
    uint32_t *share_class,
        *key_class; /* by pattern, or by station for keys under partial collusion */
    uint32_t *kind; /* by group */
};

/* The classes of a client, and the group that it is like in everything that matters: groups may
 * still differ in the stations that their clients reach. */
struct manner {
    uint32_t share_class, key_class;
    size_t group;
};

static int compare_manners(const void *a, const void *b)
{
    const struct manner *x = a, *y = b;

    if (x->share_class != y->share_class)
        return x->share_class < y->share_class ? -1 : 1;
    if (x->key_class != y->key_class)
        return x->key_class < y->key_class ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static int list_manners(const struct plan *p, const struct outline *o, struct manner *manners,
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t group = t->clients[i].group;
        struct plan_client client;

        if (plan_client(p, t->clients[i].number, &client, err))
            return -1;
        manners[group] = (struct manner){
            .share_class = o->share_class[o->shares.of_group[group]],
            .key_class = o->key_class[t->full ? o->keys.of_group[group] : client.key_station],
            .group = group,
        };
    }
    qsort(manners, t->n_groups, sizeof *manners, compare_manners);
    return 0;
}

/* Kinds come in the order of their first clients, as groups do. */
static int add_clients(struct model *m, const struct plan *p, struct outline *o,
                       struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct manner *manners = calloc(t->n_groups + 1, sizeof *manners);
    struct manner **first = calloc(t->n_groups + 1, sizeof *first); /* by group: of its kind */
    int status =
        manners && first ? list_manners(p, o, manners, err) : err_errno(err, "%s", p->name);

    for (size_t i = 0; i < t->n_groups && status == 0; i++) {
        struct manner *a = &manners[i], *before = i > 0 ? first[a[-1].group] : NULL;
        bool same =
            before && before->share_class == a->share_class && before->key_class == a->key_class;

        first[a->group] = same ? before : a;
    }
    for (size_t g = 0; g < t->n_groups && status == 0; g++) {
        const struct manner *a = first[g];

        if (a->group < g) {
            o->kind[g] = o->kind[a->group];
            continue;
        }
        o->kind[g] = model_add_kind(m);
        model_add_member(m, a->share_class, (struct model_member){ o->kind[g], true, true });
        model_add_member(m, a->key_class, (struct model_member){ o->kind[g], false, true });
    }
    for (size_t i = 0; i < t->n_clients && status == 0; i++)
        model_add_client(m, o->kind[t->clients[i].group], t->clients[i].number);
    free(manners);
    free(first);
    return status;
}

static int fill(struct model *m, const struct plan *p, struct outline *o, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    o->share_class = calloc(o->shares.n + 1, sizeof *o->share_class);
    o->key_class = calloc(o->keys.n + t->n_stations + 1, sizeof *o->key_class);
    o->kind = calloc(t->n_groups + 1, sizeof *o->kind);
    if (!o->share_class || !o->key_class || !o->kind)
        return err_errno(err, "%s", p->name);
    if (protocol_shares(m, p, PLAN_SHARES, &o->shares, o->share_class, err))
        return -1;
    if (t->full && protocol_shares(m, p, PLAN_KEYS, &o->keys, o->key_class, err))
        return -1;
    if (!t->full)
        protocol_chain(m, p, o->key_class);
    return add_clients(m, p, o, err) ? -1 : model_finish(m, err);
}

int protocol_model(struct model *m, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct outline o = { 0 };
    int status = -1;

    *m = (struct model){ .field = p->field, .n_stations = t->n_stations, .n_relays = t->n_relays };
    if (plan_patterns_new(&o.shares, p, PLAN_SHARES, 0, err) == 0 &&
        (!t->full || plan_patterns_new(&o.keys, p, PLAN_KEYS, 0, err) == 0))
        status = fill(m, p, &o, err);
    plan_patterns_free(&o.shares);
    plan_patterns_free(&o.keys);
    free(o.share_class);
    free(o.key_class);
    free(o.kind);
    if (status)
        model_free(m);
    return status;
}
