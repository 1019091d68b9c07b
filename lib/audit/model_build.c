#include "audit/model_build.h"

#include <stdlib.h>

#include "protocol/protocol.h"

/* The arrays are by message id; values are an index plus one; 0: none yet. */
struct builder {
    struct model *m;
    struct protocol *p;
    uint32_t *first_row;  /* its first row; each row is a message of the model */
    uint32_t *first_draw; /* its first random vector; each is a block */
};

static uint32_t node_of(const struct model *m, struct node node)
{
    switch (node.tier) {
    case NODE_CLIENT:
        return MODEL_CLIENT;
    case NODE_STATION:
        return model_station(node.number);
    case NODE_RELAY:
        return model_relay(m, node.number);
    default:
        return MODEL_FEDERATOR;
    }
}

/* Adds a segment of an earlier row, expanded into secrets and random vectors. */
static void add_received(struct model *m, const struct term *t, size_t message)
{
    for (size_t i = 0; i < m->messages[message].n && !m->failed; i++) {
        struct model_term received = m->terms[m->messages[message].first + i];
        unsigned char product[8];

        field_mul(m->field, product, t->factor, received.factor);
        model_add_term(m, received.block, received.segment * t->n_segments + t->segment, product);
    }
}

static int add_term(void *builder, const struct term *t, struct hagg_err *err)
{
    struct builder *b = builder;
    struct model *m = b->m;

    (void)err;
    if (m->failed)
        return 0;
    switch (t->of) {
    case TERM_SECRET:
        model_add_term(m, m->classes[t->id].secret, t->segment, t->factor);
        break;
    case TERM_DRAW:
        model_add_term(m, b->first_draw[t->id] - 1 + t->row, t->segment, t->factor);
        break;
    case TERM_MESSAGE:
        add_received(m, t, b->first_row[t->id] - 1 + t->row);
        break;
    }
    return 0;
}

/* One message represents those of all clients of its class. */
static int add_message(void *builder, const struct message *s, struct hagg_err *err)
{
    struct builder *b = builder;
    struct model *m = b->m;
    uint32_t cut = s->cuts[0] * s->cuts[1], from = node_of(m, s->from), to = node_of(m, s->to);

    if (b->first_row[s->id] > 0)
        return 0;
    if (s->n_draws > 0 && b->first_draw[s->draws] == 0) {
        b->first_draw[s->draws] = (uint32_t)m->n_blocks + 1;
        for (uint32_t i = 0; i < s->n_draws; i++)
            model_add_draw(m, from, s->class, cut);
    }
    b->first_row[s->id] = (uint32_t)m->n_messages + 1;
    for (uint32_t row = 0; row < s->n_rows && !m->failed; row++) {
        model_add_message(m, from, to, cut);
        if (protocol_made_of(b->p, s, row, add_term, b, err))
            return -1;
    }
    return 0;
}

/* Groups with the same classes are one profile, even if their clients reach different stations. */
struct group_classes {
    struct protocol_classes classes;
    size_t group;
};

static int compare_classes(const struct group_classes *x, const struct group_classes *y)
{
    const struct protocol_classes *a = &x->classes, *b = &y->classes;

    if (a->vector != b->vector)
        return a->vector < b->vector ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static int compare_groups(const void *a, const void *b)
{
    const struct group_classes *x = a, *y = b;
    int order = compare_classes(x, y);

    return order ? order : (x->group > y->group) - (x->group < y->group);
}

static void add_member(struct builder *b, uint32_t class, uint32_t profile)
{
    struct protocol_secret held = protocol_class_holds(b->p, class);

    model_add_member(b->m, class, (struct model_member){ profile, held.vector, held.key });
}

/* Profiles are numbered in the order of their first clients, like groups. */
static int add_clients(struct builder *b, const struct topology *t, struct hagg_err *err)
{
    struct group_classes *groups = calloc(t->n_groups + 1, sizeof *groups);
    struct group_classes **first =
        calloc(t->n_groups + 1, sizeof *first); /* by group: the first of its profile */
    uint32_t *profile = calloc(t->n_groups + 1, sizeof *profile); /* by group */
    bool ready = groups && first && profile;

    for (size_t g = 0; g < t->n_groups && ready; g++)
        groups[g] = (struct group_classes){ protocol_classes_of(b->p, (uint32_t)g), g };
    if (ready)
        qsort(groups, t->n_groups, sizeof *groups, compare_groups);
    for (size_t i = 0; i < t->n_groups && ready; i++) {
        bool same = i > 0 && compare_classes(&groups[i - 1], &groups[i]) == 0;

        first[groups[i].group] = same ? first[groups[i - 1].group] : &groups[i];
    }
    for (size_t g = 0; g < t->n_groups && ready; g++) {
        const struct group_classes *a = first[g];

        profile[g] = a->group < g ? profile[a->group] : model_add_profile(b->m);
        if (a->group == g) {
            add_member(b, a->classes.vector, profile[g]);
            if (a->classes.key != PROTOCOL_NO_CLASS)
                add_member(b, a->classes.key, profile[g]);
        }
    }
    for (size_t i = 0; i < t->n_clients && ready; i++)
        model_add_client(b->m, profile[t->clients[i].group], t->clients[i].number);
    free(groups);
    free(first);
    free(profile);
    return ready ? 0 : err_errno(err, "no memory for the clients of a plan");
}

static int build(struct model *m, const struct plan *plan, size_t most_terms, bool with_messages,
                 struct hagg_err *err)
{
    const struct topology *t = &plan->topology;
    struct builder b = { .m = m, .p = protocol_open(plan, NULL, err) };
    int status = -1;

    *m = (struct model){ .field = plan->field,
                         .n_stations = t->n_stations,
                         .n_relays = t->n_relays,
                         .most_terms = most_terms };
    if (b.p) {
        b.first_row = calloc(protocol_n_ids(b.p), sizeof *b.first_row);
        b.first_draw = calloc(protocol_n_ids(b.p), sizeof *b.first_draw);
        for (uint32_t i = 0; i < protocol_n_classes(b.p); i++)
            model_add_class(m);
        status = !b.first_row || !b.first_draw ? err_errno(err, "%s", plan->name)
                 : with_messages               ? protocol_each(b.p, add_message, &b, err)
                                               : 0;
    }
    if (status == 0 && (add_clients(&b, t, err) || model_finish(m, err)))
        status = -1;
    protocol_free(b.p);
    free(b.first_row);
    free(b.first_draw);
    if (status)
        model_free(m);
    return status;
}

int model_build(struct model *m, const struct plan *plan, size_t most_terms, struct hagg_err *err)
{
    return build(m, plan, most_terms, true, err);
}

int model_build_clients(struct model *m, const struct plan *plan, struct hagg_err *err)
{
    return build(m, plan, 0, false, err);
}
