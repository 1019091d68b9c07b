#include "audit/proof.h"

#include <stdlib.h>
#include <string.h>

#include "plan/collusion.h"
#include "audit/view.h"

/* Maximum number of views for one side; with more, the answer is PROOF_OPEN. */
#define MAX_VIEWS 4000000u
/* The same for views times the sizes of their components, which takes about a minute. */
#define MAX_WORK 2e9

/* Enumerates the sets of nodes that see messages of one or two classes. */
struct prover {
    const struct model *m;
    const struct audit_side *side;
    bool *nodes, *present;
    bool *involved;                /* by node */
    uint32_t *stations, *relays;   /* those involved */
    uint32_t n_stations, n_relays; /* their numbers */
    uint32_t *chosen;
    uint64_t n_views;
    double work;
    struct progress *progress;
};

static int prover_new(struct prover *p, const struct model *m, const struct audit_side *s,
                      struct hagg_err *err)
{
    size_t n = model_n_nodes(m);

    *p = (struct prover){
        .m = m,
        .side = s,
        .nodes = calloc(n, sizeof *p->nodes),
        .present = calloc(m->n_classes + 1, sizeof *p->present),
        .involved = calloc(n, sizeof *p->involved),
        .stations = calloc(n, sizeof *p->stations),
        .relays = calloc(n, sizeof *p->relays),
        .chosen = calloc(n, sizeof *p->chosen),
    };
    if (!p->nodes || !p->present || !p->involved || !p->stations || !p->relays || !p->chosen)
        return err_errno(err, "no memory for a proof");
    p->nodes[MODEL_FEDERATOR] = s->federator;
    return 0;
}

static void prover_free(struct prover *p)
{
    free(p->nodes);
    free(p->present);
    free(p->involved);
    free(p->stations);
    free(p->relays);
    free(p->chosen);
}

/* True if the message has a term of a class that is present, or a random vector of a node. */
static bool involves_present(const struct prover *p, const struct model_message *message)
{
    for (size_t i = 0; i < message->n; i++) {
        const struct model_block *b = &p->m->blocks[p->m->terms[message->first + i].block];

        if (b->owner != MODEL_CLIENT || p->present[b->class])
            return true;
    }
    return false;
}

static void find_involved(struct prover *p, const struct model_component *c)
{
    memset(p->involved, 0, model_n_nodes(p->m) * sizeof *p->involved);
    for (size_t i = 0; i < c->n_messages; i++) {
        const struct model_message *message = &p->m->messages[c->messages[i]];

        if (!involves_present(p, message))
            continue;
        p->involved[message->to] = true;
        if (message->from != MODEL_CLIENT)
            p->involved[message->from] = true;
    }
    p->n_stations = p->n_relays = 0;
    for (uint32_t u = 1; u <= p->m->n_stations; u++)
        if (p->involved[model_station(u)])
            p->stations[p->n_stations++] = model_station(u);
    for (uint32_t r = 1; r <= p->m->n_relays; r++)
        if (p->involved[model_relay(p->m, r)])
            p->relays[p->n_relays++] = model_relay(p->m, r);
}

/* What must be true of the combinations that are learnt. */
enum claim {
    NOTHING,   /* nothing about the only class present */
    ONLY_SUMS, /* nothing but the sum of the two classes present */
    ALONE,     /* nothing about a single member of the class */
};

/* True if in every segment both classes have the same factor. */
static bool only_sums(const struct view_forms *f, uint32_t a, uint32_t b)
{
    size_t size = field_elem_size(f->rows.field);

    for (size_t i = 0; i < f->rows.n_cols; i++) {
        const struct echelon_row *r = f->rows.rows[i];

        /* a row has at most these two columns per segment, next to each other */
        for (size_t j = 0; r && j < r->n; j += 2)
            if (j + 1 == r->n || r->cols[j] % f->n_secrets != a ||
                r->cols[j + 1] != r->cols[j] + (b - a) ||
                memcmp(r->factors + j * size, r->factors + (j + 1) * size, size))
                return false;
    }
    return true;
}

/* Checks the claim for the nodes set in p. 1: true; 0: false; -1: error. */
static int holds_here(const struct prover *p, enum claim claim, uint32_t a, uint32_t b,
                      struct hagg_err *err)
{
    const struct model *m = p->m;
    struct view_of of = { p->nodes, p->present };
    uint32_t component = m->blocks[m->classes[a].secret].component;
    struct view_forms f;
    int held;

    if (claim == ALONE ? view_alone(m, a, p->nodes, &f, err)
                       : view_learn(m, component, &of, &f, err))
        return -1;
    held = f.rows.rank == 0 ||
           (claim == ONLY_SUMS && only_sums(&f, m->classes[a].place, m->classes[b].place));
    view_forms_free(&f);
    return held;
}

static void set_nodes(struct prover *p, uint64_t i, const uint32_t *nodes, uint32_t n, uint32_t k,
                      bool value)
{
    sets_unrank(i, n, k, p->chosen);
    for (uint32_t j = 0; j < k; j++)
        p->nodes[nodes[p->chosen[j]]] = value;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Checks the claim for all sets of involved nodes that the side allows. The largest sets are
 * enough, because their subsets see less. a is before b among the classes of their component. */
static int holds(struct prover *p, enum claim claim, uint32_t a, uint32_t b, struct hagg_err *err)
{
    const struct model_component *c =
        &p->m->components[p->m->blocks[p->m->classes[a].secret].component];
    uint32_t n_stations, n_relays;
    uint64_t n_s, n_r;
    int held = 1;

    p->present[a] = p->present[b] = true;
    find_involved(p, c);
    n_stations = smaller(p->side->stations, p->n_stations);
    n_relays = smaller(p->side->relays, p->n_relays);
    n_s = sets_choose(p->n_stations, n_stations);
    n_r = sets_choose(p->n_relays, n_relays);
    p->n_views += sets_times(n_s, n_r) < MAX_VIEWS ? n_s * n_r : MAX_VIEWS;
    p->work += (double)n_s * (double)n_r * (double)(c->n_blocks + c->n_messages);
    if (p->work > MAX_WORK)
        p->n_views = MAX_VIEWS;
    for (uint64_t i = 0; i < n_s && held == 1 && p->n_views < MAX_VIEWS; i++) {
        set_nodes(p, i, p->stations, p->n_stations, n_stations, true);
        for (uint64_t j = 0; j < n_r && held == 1; j++) {
            set_nodes(p, j, p->relays, p->n_relays, n_relays, true);
            held = holds_here(p, claim, a, b, err);
            set_nodes(p, j, p->relays, p->n_relays, n_relays, false);
        }
        set_nodes(p, i, p->stations, p->n_stations, n_stations, false);
    }
    p->present[a] = p->present[b] = false;
    progress_add(p->progress, 1);
    return p->n_views >= MAX_VIEWS && held == 1 ? 0 : held;
}

/* Sides without the federator: nothing is learnt about classes with vectors. */
static int holds_nothing(struct prover *p, struct hagg_err *err)
{
    const struct model *m = p->m;
    int held = 1;

    progress_expect(p->progress, m->n_classes);
    for (uint32_t i = 0; i < m->n_classes && held == 1; i++)
        if (m->components[m->blocks[m->classes[i].secret].component].has_vectors)
            held = holds(p, NOTHING, i, i, err);
    return held;
}

/* Sides with the federator: nothing is learnt about single members, and about two classes of a
 * component only their sum. */
static int holds_sums(struct prover *p, struct hagg_err *err)
{
    const struct model *m = p->m;
    uint64_t n_pairs = 0;
    double work = 0;
    int held = 1;

    for (size_t i = 0; i < m->n_components; i++) {
        const struct model_component *c = &m->components[i];
        uint64_t pairs = (uint64_t)c->n_classes * (c->n_classes - 1) / 2;

        n_pairs += pairs;
        work += (double)pairs * (double)(c->n_blocks + c->n_messages);
    }
    if (work > MAX_WORK)
        return 0;
    progress_expect(p->progress, m->n_classes + n_pairs);
    for (uint32_t i = 0; i < m->n_classes && held == 1; i++)
        held = holds(p, ALONE, i, i, err);
    for (size_t i = 0; i < m->n_components && held == 1; i++) {
        const struct model_component *c = &m->components[i];

        for (size_t a = 0; a < c->n_classes && held == 1; a++)
            for (size_t b = a + 1; b < c->n_classes && held == 1; b++)
                held = holds(p, ONLY_SUMS, c->classes[a], c->classes[b], err);
    }
    return held;
}

/* The graph of docs/theory.md, section 5: each component is a vertex for vectors and a vertex for
 * keys. Clients without a key are edges to an extra vertex of their component. */
static struct collusion_edge *make_edges(const struct model *m, struct hagg_err *err)
{
    struct collusion_edge *edges = calloc(m->n_clients + 1, sizeof *edges);
    struct collusion_edge *of_profile = calloc(m->n_profiles + 1, sizeof *of_profile);
    bool *has_key = calloc(m->n_profiles + 1, sizeof *has_key);

    if (!edges || !of_profile || !has_key) {
        err_errno(err, "no memory for a proof");
        free(edges);
        edges = NULL;
    }
    for (size_t i = 0; edges && i < m->n_classes; i++)
        for (size_t j = 0; j < m->classes[i].n_members; j++) {
            const struct model_member *member = &m->classes[i].members[j];
            uint32_t component = m->blocks[m->classes[i].secret].component;

            if (member->vector)
                of_profile[member->profile].y = component;
            else
                of_profile[member->profile].x = component;
            has_key[member->profile] = has_key[member->profile] || !member->vector;
        }
    for (size_t i = 0; edges && i < m->n_profiles; i++)
        for (size_t j = 0; j < m->profiles[i].n_clients; j++) {
            if (!has_key[i])
                of_profile[i].x = (uint32_t)m->n_components + of_profile[i].y;
            edges[m->profiles[i].first + j] = of_profile[i];
        }
    free(of_profile);
    free(has_key);
    return edges;
}

static int colluders_of_cut(const struct model *m, const struct audit_side *s,
                            const struct collusion_cut *cut, struct coalition *who,
                            struct hagg_err *err)
{
    if (coalition_new(who, m, err))
        return -1;
    who->nodes[MODEL_FEDERATOR] = true;
    for (size_t i = 0; i < cut->n_colluders; i++)
        who->clients[cut->colluders[i]] = i < s->clients ? COALITION_MEMBER : COALITION_MISSING;
    return 0;
}

static int decide_graph(const struct model *m, const struct audit_side *s, struct coalition *who,
                        struct hagg_err *err)
{
    struct collusion_edge *edges = make_edges(m, err);
    struct collusion_cut cut = { 0 };
    int answer;

    if (!edges)
        return PROOF_ERROR;
    answer = collusion_private(edges, m->n_clients, (uint32_t)m->n_components,
                               2 * (uint32_t)m->n_components, s->clients + s->missing,
                               COLLUSION_EXACT, &cut, err);
    free(edges);
    if (answer == 0 && colluders_of_cut(m, s, &cut, who, err))
        answer = PROOF_ERROR;
    collusion_cut_free(&cut);
    return answer;
}

int proof_decide_sums(const struct model *m, const struct audit_side *s, struct coalition *who,
                      struct hagg_err *err)
{
    *who = (struct coalition){ 0 };
    if (!s->federator)
        return PROOF_PRIVATE;
    /* with one honest client the sum is its vector, which the graph does not show */
    if (m->n_clients - s->clients - s->missing < 2)
        return PROOF_OPEN;
    return decide_graph(m, s, who, err);
}

int proof_decide(const struct model *m, const struct audit_side *s, struct progress *progress,
                 struct coalition *who, struct hagg_err *err)
{
    struct prover p;
    int held;

    *who = (struct coalition){ 0 };
    held = prover_new(&p, m, s, err);
    p.progress = progress;
    if (held == 0)
        held = s->federator ? holds_sums(&p, err) : holds_nothing(&p, err);
    prover_free(&p);
    if (held < 0)
        return PROOF_ERROR;
    return held == 0 ? PROOF_OPEN : proof_decide_sums(m, s, who, err);
}
