#include "audit/model_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "protocol/protocol.h"

/* The arrays are by message id, except `before`; values are an index plus one; 0: none yet. */
struct builder {
    struct model *m;
    struct protocol *p;
    uint32_t *first_row;  /* its first row; each row is a message of the model */
    uint32_t *first_draw; /* its first random vector; each is a block */
    /* True if each group of clients has classes of its own. Then first_row and first_draw are those
     * of the group that was added last. */
    bool apart;
    uint32_t group;     /* of the message that is being added */
    uint32_t *draws_of; /* the group that first_draw belongs to */
    uint32_t *before;   /* by first row: the first row of the same message of the group before */
    size_t max_before;
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

/* True if terms are not added any more. */
static bool is_full(const struct model *m)
{
    return m->failed || m->too_large;
}

/* Adds a segment of an earlier row, expanded into secrets and random vectors. */
static void add_received(struct model *m, const struct term *t, size_t message)
{
    for (size_t i = 0; i < m->messages[message].n && !is_full(m); i++) {
        struct model_term received = m->terms[m->messages[message].first + i];
        unsigned char product[8];

        field_mul(m->field, product, t->factor, received.factor);
        model_add_term(m, received.block, received.segment * t->n_segments + t->segment, product);
    }
}

/* The class of the model for a class of the protocol that clients of the group belong to. */
static uint32_t class_of(const struct builder *b, uint64_t class)
{
    struct protocol_classes classes;

    if (!b->apart)
        return (uint32_t) class;
    classes = protocol_classes_of(b->p, b->group);
    return classes.key == PROTOCOL_NO_CLASS ? b->group : 2 * b->group + (class == classes.key);
}

static const unsigned char zero[8];

static int add_term(void *builder, const struct term *t, struct hagg_err *err)
{
    struct builder *b = builder;
    struct model *m = b->m;

    (void)err;
    /* matrices of schemes with several symbols are mostly zero */
    if (is_full(m) || memcmp(t->factor, zero, field_elem_size(m->field)) == 0)
        return 0;
    switch (t->of) {
    case TERM_SECRET:
        model_add_term(m, m->classes[class_of(b, t->id)].secret, t->segment, t->factor);
        break;
    case TERM_DRAW:
        model_add_term(m, b->first_draw[t->id] - 1 + t->row, t->segment, t->factor);
        break;
    case TERM_MESSAGE:
        for (uint32_t row = b->first_row[t->id]; row > 0; row = b->apart ? b->before[row - 1] : 0)
            add_received(m, t, row - 1 + t->row);
        break;
    }
    return 0;
}

static int add_rows(struct builder *b, const struct message *s, bool open, struct hagg_err *err)
{
    struct model *m = b->m;
    uint32_t cut = s->cuts[0] * s->cuts[1], from = node_of(m, s->from), to = node_of(m, s->to);

    if (model_check_time(m, err))
        return -1;
    if (s->n_draws > 0 && b->first_draw[s->draws] == 0) {
        b->first_draw[s->draws] = (uint32_t)m->n_blocks + 1;
        for (uint32_t i = 0; i < s->n_draws; i++)
            model_add_draw(m, from, class_of(b, s->class), cut);
    }
    b->first_row[s->id] = (uint32_t)m->n_messages + 1;
    for (uint32_t row = 0; row < s->n_rows && !is_full(m); row++) {
        model_add_message(m, from, to, cut, open);
        if (protocol_made_of(b->p, s, row, add_term, b, err))
            return -1;
    }
    return 0;
}

/* One message represents those of all clients of its class. */
static int add_message(void *builder, const struct message *s, struct hagg_err *err)
{
    struct builder *b = builder;

    return b->first_row[s->id] > 0 ? 0 : add_rows(b, s, false, err);
}

/* One message represents those of all clients of its group. */
static int add_message_of_group(void *builder, const struct message *s, uint64_t n,
                                struct hagg_err *err)
{
    struct builder *b = builder;
    struct model *m = b->m;
    /* what a dealer keeps is not sent */
    bool open = s->seed && (s->from.tier != s->to.tier || s->from.number != s->to.number);

    (void)n;
    if (ARRAY_RESERVE(b->before, m->n_messages + 1, b->max_before))
        return err_errno(err, "%s", protocol_plan(b->p)->name);
    b->before[m->n_messages] = 0;
    if (s->from.tier == NODE_CLIENT) {
        b->group = topology_client(&protocol_plan(b->p)->topology, s->from.number)->group;
        b->before[m->n_messages] = b->first_row[s->id];
        if (s->n_draws > 0 && b->draws_of[s->draws] != b->group + 1) {
            b->first_draw[s->draws] = 0;
            b->draws_of[s->draws] = b->group + 1;
        }
    }
    return add_rows(b, s, open, err);
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

    b->group = profile;
    model_add_member(b->m, class_of(b, class),
                     (struct model_member){ profile, held.vector, held.key });
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
        bool same = !b->apart && i > 0 && compare_classes(&groups[i - 1], &groups[i]) == 0;

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

/* A class, and the sum that it is part of. */
struct summed {
    uint32_t sum, class;
};

static int compare_summed(const void *a, const void *b)
{
    const struct summed *x = a, *y = b;

    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

/* Adds a message with the sum of all classes for each sum. */
static void add_sums(struct model *m, struct summed *summed, size_t n)
{
    static const unsigned char one[8] = { 1 };

    qsort(summed, n, sizeof *summed, compare_summed);
    for (size_t i = 0; i < n && !m->failed; i++) {
        if (i == 0 || summed[i].sum != summed[i - 1].sum)
            model_add_message(m, MODEL_FEDERATOR, MODEL_FEDERATOR, 1, false);
        if (i == 0 || compare_summed(&summed[i], &summed[i - 1]) != 0)
            model_add_term(m, m->classes[summed[i].class].secret, 0, one);
    }
}

/* The sums of vectors, or of keys. With protocol aligned, and of keys in the clear, there is one;
 * otherwise stations or relays make one for each pattern. */
static int add_sums_of(struct builder *b, enum plan_what what, struct hagg_err *err)
{
    const struct plan *plan = protocol_plan(b->p);
    const struct topology *t = &plan->topology;
    bool one = t->aligned || (what == PLAN_KEYS && !t->full);
    struct summed *summed = calloc(t->n_groups + 1, sizeof *summed);
    struct plan_patterns patterns = { 0 };
    int status = summed ? 0 : err_errno(err, "%s", plan->name);

    if (status == 0 && !one)
        status = plan_patterns_new(&patterns, plan, what, t->n_relays > 0, err);
    for (size_t g = 0; g < t->n_groups && status == 0; g++) {
        struct protocol_classes classes = protocol_classes_of(b->p, (uint32_t)g);

        summed[g].sum = one ? 0 : patterns.of_group[g];
        summed[g].class = what == PLAN_KEYS ? classes.key : classes.vector;
    }
    if (status == 0)
        add_sums(b->m, summed, t->n_groups);
    if (!one)
        plan_patterns_free(&patterns);
    free(summed);
    return status;
}

static int add_all_sums(struct builder *b, struct hagg_err *err)
{
    if (add_sums_of(b, PLAN_SHARES, err))
        return -1;
    return protocol_plan(b->p)->topology.aligned ? 0 : add_sums_of(b, PLAN_KEYS, err);
}

static int add_all_messages(struct builder *b, struct hagg_err *err)
{
    int status = -1;

    b->first_row = calloc(protocol_n_ids(b->p), sizeof *b->first_row);
    b->first_draw = calloc(protocol_n_ids(b->p), sizeof *b->first_draw);
    b->draws_of = calloc(protocol_n_ids(b->p), sizeof *b->draws_of);
    if (!b->first_row || !b->first_draw || !b->draws_of)
        err_errno(err, "%s", protocol_plan(b->p)->name);
    else
        status = b->apart ? protocol_each_group(b->p, add_message_of_group, b, err)
                          : protocol_each(b->p, add_message, b, err);
    free(b->first_row);
    free(b->first_draw);
    free(b->draws_of);
    free(b->before);
    return status;
}

static int add_all_apart(struct builder *b, struct hagg_err *err)
{
    const struct topology *t = &protocol_plan(b->p)->topology;

    b->apart = true;
    for (size_t i = 0; i < t->n_groups * (t->aligned ? 1 : 2); i++)
        model_add_class(b->m);
    return add_all_messages(b, err);
}

static int build(struct model *m, const struct plan *plan, size_t most_terms, double deadline,
                 int (*add_messages)(struct builder *b, struct hagg_err *err), struct hagg_err *err)
{
    const struct topology *t = &plan->topology;
    struct builder b = { .m = m, .p = protocol_open(plan, NULL, err) };
    int status = -1;

    *m = (struct model){ .field = plan->field,
                         .n_stations = t->n_stations,
                         .n_relays = t->n_relays,
                         .most_terms = most_terms,
                         .deadline = deadline };
    if (b.p) {
        for (uint32_t i = 0; add_messages != add_all_apart && i < protocol_n_classes(b.p); i++)
            model_add_class(m);
        status = add_messages(&b, err);
    }
    if (status == 0 && (add_clients(&b, t, err) || model_finish(m, err)))
        status = -1;
    protocol_free(b.p);
    if (status)
        model_free(m);
    return status;
}

int model_build(struct model *m, const struct plan *plan, size_t most_terms, struct hagg_err *err)
{
    return build(m, plan, most_terms, 0, add_all_messages, err);
}

int model_build_unlimited(struct model *m, const struct plan *plan, size_t most_terms,
                          struct hagg_err *err)
{
    return build(m, plan, most_terms, 0, add_all_apart, err);
}

int model_build_sums(struct model *m, const struct plan *plan, size_t most_terms,
                     struct hagg_err *err)
{
    if (build(m, plan, 0, 0, add_all_sums, err))
        return -1;
    m->rest = calloc(1, sizeof *m->rest);
    if (!m->rest) {
        model_free(m);
        return err_errno(err, "%s", plan->name);
    }
    *m->rest = (struct model_rest){ .plan = plan, .most_terms = most_terms, .aligned = -1 };
    return 0;
}

const struct model *model_messages(const struct model *m, struct hagg_err *err)
{
    struct model *messages;

    if (!m->rest || m->rest->messages)
        return m->rest ? m->rest->messages : m;
    messages = calloc(1, sizeof *messages);
    if (!messages)
        err_errno(err, "%s", m->rest->plan->name);
    else if (build(messages, m->rest->plan, m->rest->most_terms, m->deadline, add_all_messages,
                   err)) {
        free(messages);
        messages = NULL;
    }
    m->rest->messages = messages;
    return messages;
}
