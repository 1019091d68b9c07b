/* Protocol aligned: docs/aligned.md. */
#include <stdlib.h>
#include <string.h>

#include "protocol/protocol_aligned.h"
#include "plan/plan_seeds.h"
#include "protocol/protocol_masks.h"

/* The rows of the table below. */
enum row { SHARES, MASKS, SUMS, SUMS_ON, RELAYED, SUMMANDS, N_ROWS };

static const struct stage stages[N_ROWS];

static const struct plan_aligned *aligned_of(const struct protocol *p)
{
    return p->plan->aligned;
}

static const struct protocol_sums *classes_of(const struct protocol *p)
{
    return &p->sums[PLAN_SHARES][0];
}

static const struct topology_list *dealers_of(const struct protocol *p)
{
    return &p->plan->topology.dealers;
}

/* Returns the number of chunks of a row of a sum; without masks a row is one chunk. */
static uint32_t chunks_of(const struct protocol *p)
{
    return aligned_of(p)->chunks > 0 ? aligned_of(p)->chunks : 1;
}

static uint64_t share_id(const struct protocol *p, size_t class, size_t index)
{
    return p->first_ids[SHARES] + classes_of(p)->begins[class] + index;
}

static uint64_t mask_id(const struct protocol *p, size_t dealer, uint32_t holder)
{
    return p->first_ids[MASKS] + dealer * aligned_of(p)->sharing.n + holder;
}

static uint32_t n_blocks_of(const struct protocol *p, uint32_t class)
{
    const struct plan_aligned *a = aligned_of(p);

    return (a->sharing.n_segments - 1) / a->parts[class] + 1;
}

/* A share has one row per block, a mask one row per interval. A sum has the chunks of one row per
 * interval. A summand is as long as a vector: the chunks of one row per segment, joined. */
void protocol_set_aligned_size(struct message *s, uint32_t n_segments, uint32_t n_rows,
                               uint32_t n_chunks)
{
    enum row row = (enum row)(s->stage - stages);
    uint32_t cut = row == SHARES || n_chunks == 0 ? 1 : n_chunks;

    s->n_joined = row == SHARES || row == MASKS ? 0 : row == SUMMANDS ? 2 : 1;
    s->n_rows = row == SUMMANDS ? n_segments * cut : s->n_joined > 0 ? n_rows * cut : n_rows;
    s->cuts[0] = n_segments;
    s->cuts[1] = cut;
}

static void set_size(const struct protocol *p, uint32_t n_rows, struct message *s)
{
    protocol_set_aligned_size(s, aligned_of(p)->sharing.n_segments, n_rows, aligned_of(p)->chunks);
}

void protocol_aligned_share(const struct protocol *p, uint32_t class, uint32_t client, size_t index,
                            struct message *s)
{
    const struct plan_aligned *a = aligned_of(p);
    const struct topology *t = &p->plan->topology;
    const struct topology_group *g = &t->groups[topology_client(t, client)->group];
    const struct topology_list *stations = a->classes.routes[class].lists[0];
    uint32_t station = stations->numbers[index];

    *s = (struct message){
        .stage = &stages[SHARES],
        .from = { NODE_CLIENT, client },
        .to = { NODE_STATION, station },
        .id = share_id(p, class, index),
        .class = class,
        .index = a->holder_of[station],
        .draws = share_id(p, class, 0),
        .n_draws = a->randoms[class] * n_blocks_of(p, class),
        .complete = true,
        .seed = plan_is_seed(g, stations, a->sharing.z, index),
        .courier = protocol_courier(p, g, station),
    };
    set_size(p, n_blocks_of(p, class), s);
}

static int send_shares(const struct walk *w, const struct stage *stage, size_t unit)
{
    const struct topology_client *client = &w->p->plan->topology.clients[unit];
    uint32_t class = classes_of(w->p)->patterns.of_group[client->group];
    const struct topology_list *stations = classes_of(w->p)->patterns.routes[class].lists[0];

    (void)stage;
    for (size_t i = 0; i < stations->n; i++) {
        struct message s;

        protocol_aligned_share(w->p, class, client->number, i, &s);
        if (protocol_arrives(w->p, &s) && walk_send(w, &s))
            return -1;
    }
    return 0;
}

static void clear_blocks(struct protocol_aligned *c)
{
    for (uint32_t i = 0; i < c->n_blocks; i++)
        sharing_free(&c->blocks[i]);
    free(c->blocks);
    c->blocks = NULL;
    c->n_blocks = 0;
}

/* Makes the sharings of all blocks of a class, unless they are there. */
static int use_blocks(struct protocol *p, uint32_t class, struct hagg_err *err)
{
    const struct plan_aligned *a = aligned_of(p);
    struct protocol_aligned *c = p->aligned;
    uint32_t n = n_blocks_of(p, class), n_holders, v = a->parts[class];
    const struct aligned sharing = plan_aligned_class(a, class);

    if (c->n_blocks > 0 && c->class == class)
        return 0;
    clear_blocks(c);
    c->blocks = calloc(n, sizeof *c->blocks);
    if (!c->blocks)
        return err_errno(err, "%s", p->plan->name);
    c->class = class;
    n_holders = plan_aligned_holders(a, class, p->sources);
    for (uint32_t first = 0; c->n_blocks < n; first += v) {
        uint32_t end = a->sharing.n_segments - first > v ? first + v : a->sharing.n_segments;

        if (aligned_block(&sharing, p->plan->scheme, p->sources, n_holders, first, end, NULL,
                          &c->blocks[c->n_blocks], err))
            return -1;
        c->n_blocks++;
    }
    return 0;
}

static int share(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                 void *arg, struct hagg_err *err)
{
    const struct aligned *sharing = &aligned_of(p)->sharing;
    size_t index = s->id - s->draws;
    struct term t = { .of = TERM_SECRET, .id = s->class, .n_segments = sharing->n_segments };
    const struct sharing *block;

    if (use_blocks(p, s->class, err))
        return -1;
    block = &p->aligned->blocks[row];
    for (uint32_t j = 0; j < block->shape.parts; j++) {
        t.segment = row * aligned_of(p)->parts[s->class] + j;
        t.factor = matrix_at(&block->matrix, index, j);
        if (fn(arg, &t, err))
            return -1;
    }
    for (uint32_t j = 0; j < block->shape.randoms; j++) {
        t = (struct term){
            .of = TERM_DRAW,
            .id = s->draws,
            .row = row * block->shape.randoms + j,
            .n_segments = 1,
            .factor = matrix_at(&block->matrix, index, block->shape.parts + j),
        };
        if (fn(arg, &t, err))
            return -1;
    }
    return 0;
}

void protocol_aligned_mask(const struct protocol *p, size_t dealer, uint32_t holder, bool seed,
                           struct message *s)
{
    const struct plan_aligned *a = aligned_of(p);

    *s = (struct message){
        .stage = &stages[MASKS],
        .from = { NODE_STATION, dealers_of(p)->numbers[dealer] },
        .to = { NODE_STATION, a->stations.numbers[holder] },
        .id = mask_id(p, dealer, holder),
        .index = holder,
        .draws = mask_id(p, dealer, 0),
        .complete = true,
        .seed = seed,
    };
    set_size(p, a->n_rows[holder], s);
}

static int send_masks(const struct walk *w, const struct stage *stage, size_t dealer)
{
    const struct plan_aligned *a = aligned_of(w->p);
    const struct masks *masks = protocol_masks(w->p, w->err);
    struct message s;

    (void)stage;
    if (!masks)
        return -1;
    for (uint32_t holder = 0; holder < a->sharing.n; holder++) {
        protocol_aligned_mask(w->p, dealer, holder,
                              w->p->plan->topology.computational && masks->all_drawn[holder], &s);
        s.n_draws = masks->n_draws;
        if (!a->bare[holder] && protocol_has(w->p, s.from) && protocol_has(w->p, s.to) &&
            walk_send(w, &s))
            return -1;
    }
    return 0;
}

static int mask(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                void *arg, struct hagg_err *err)
{
    static const unsigned char zero[8];
    struct term t = { .of = TERM_DRAW, .id = s->draws, .n_segments = 1 };

    if (protocol_masks_expand(p, err))
        return -1;
    for (; t.row < p->aligned->masks.n_draws; t.row++) {
        t.factor = matrix_at(&p->aligned->factors, p->aligned->first_value[s->index] + row, t.row);
        if (memcmp(t.factor, zero, p->aligned->factors.elem_size) && fn(arg, &t, err))
            return -1;
    }
    return 0;
}

struct node protocol_sum_hop(const struct protocol *p, uint32_t station)
{
    if (p->plan->topology.n_relays == 0)
        return NODE_THE_FEDERATOR;
    return (struct node){ NODE_RELAY, p->aligned->relays.of[aligned_of(p)->holder_of[station]] };
}

/* A sum goes to the federator, to a relay, or from there to the federator. */
void protocol_aligned_sum(const struct protocol *p, uint32_t holder, uint32_t relay, bool passed_on,
                          struct message *s)
{
    const struct plan_aligned *a = aligned_of(p);
    struct node station = { NODE_STATION, a->stations.numbers[holder] };
    enum row row = relay == 0 ? SUMS : passed_on ? RELAYED : SUMS_ON;

    *s = (struct message){
        .stage = &stages[row],
        .from = row == RELAYED ? (struct node){ NODE_RELAY, relay } : station,
        .to = row == SUMS_ON ? (struct node){ NODE_RELAY, relay } : NODE_THE_FEDERATOR,
        .id = p->first_ids[row] + holder,
        .index = holder,
        .complete = true,
    };
    set_size(p, a->n_rows[holder], s);
}

size_t protocol_aligned_index(const struct protocol *p, size_t class, uint32_t station)
{
    const struct topology_list *list = classes_of(p)->patterns.routes[class].lists[0];
    size_t i = 0;

    while (i < list->n && list->numbers[i] != station)
        i++;
    return i;
}

bool protocol_aligned_has_clients(const struct protocol *p, uint32_t station)
{
    const struct protocol_sums *classes = classes_of(p);

    for (size_t class = 0; class < classes->patterns.n; class ++)
        if (classes->n_clients[class] > 0 &&
            protocol_aligned_index(p, class, station) < classes->patterns.routes[class].lists[0]->n)
            return true;
    return false;
}

bool protocol_is_idle(const struct protocol *p, uint32_t station)
{
    return aligned_of(p)->bare[aligned_of(p)->holder_of[station]] &&
           !protocol_aligned_has_clients(p, station);
}

/* A station without clients still sends its mask, if it has one. With relays, a relay that does not
 * combine passes the sum on unchanged. */
static int send_sums(const struct walk *w, const struct stage *stage, size_t holder)
{
    const struct protocol_relays *relays = &w->p->aligned->relays;
    uint32_t station = aligned_of(w->p)->stations.numbers[holder];
    bool passed_on = stage == &stages[RELAYED];
    uint32_t relay = stage == &stages[SUMS] ? 0 : relays->of[holder];
    struct message s;

    if (!protocol_has(w->p, (struct node){ NODE_STATION, station }) ||
        protocol_is_idle(w->p, station) || protocol_stands_by(w->p, station) ||
        (stage != &stages[SUMS] && relay == 0) || (passed_on && relays->combines[relay]))
        return 0;
    protocol_aligned_sum(w->p, (uint32_t)holder, relay, passed_on, &s);
    return walk_send(w, &s);
}

void protocol_aligned_summand(const struct protocol *p, uint32_t relay, struct message *s)
{
    *s = (struct message){
        .stage = &stages[SUMMANDS],
        .from = { NODE_RELAY, relay },
        .to = NODE_THE_FEDERATOR,
        .id = p->first_ids[SUMMANDS] + relay - 1,
        .complete = true,
    };
    set_size(p, 0, s);
}

static int send_summand(const struct walk *w, const struct stage *stage, size_t unit)
{
    struct message s;

    (void)stage;
    if (!w->p->aligned->relays.combines[unit + 1])
        return 0;
    protocol_aligned_summand(w->p, (uint32_t)unit + 1, &s);
    return walk_send(w, &s);
}

/* The clients' terms of a chunk of the interval that begins with this segment. */
static int add_shares(const struct protocol *p, const struct message *s, uint32_t segment,
                      struct term t, protocol_term_fn *fn, void *arg, struct hagg_err *err)
{
    const struct protocol_sums *classes = classes_of(p);

    t.factor = protocol_one;
    for (size_t class = 0; class < classes->patterns.n; class ++) {
        size_t index = protocol_aligned_index(p, class, s->from.number);

        if (classes->n_clients[class] == 0 || index == classes->patterns.routes[class].lists[0]->n)
            continue;
        t.id = share_id(p, class, index);
        t.row = segment / aligned_of(p)->parts[class];
        if (fn(arg, &t, err))
            return -1;
    }
    return 0;
}

/* By dealer: 1, x, x^2, .. for its element x, its index in the list. */
static int use_extraction(struct protocol *p, struct hagg_err *err)
{
    struct protocol_aligned *c = p->aligned;
    size_t size = field_elem_size(p->plan->field), n = dealers_of(p)->n;
    unsigned char *elements;
    int status;

    if (c->has_extraction)
        return 0;
    elements = calloc(n + 1, size);
    if (!elements)
        return err_errno(err, "%s", p->plan->name);
    for (size_t i = 0; i < n; i++)
        hagg_store(elements, i, size, i);
    status = matrix_vandermonde(&c->extraction, p->plan->field, elements, n, chunks_of(p), err);
    free(elements);
    c->has_extraction = status == 0;
    return status;
}

static int sum(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
               void *arg, struct hagg_err *err)
{
    const struct plan_aligned *a = aligned_of(p);
    uint32_t chunk = row % chunks_of(p), interval = row / chunks_of(p), segment = 0;
    struct term t = { .of = TERM_MESSAGE, .segment = chunk, .n_segments = chunks_of(p) };

    for (uint32_t i = 0; i < interval; i++)
        segment = blocks_next(&a->blocks[s->index], segment);
    if (add_shares(p, s, segment, t, fn, arg, err) || use_extraction(p, err))
        return -1;
    for (size_t dealer = 0; dealer < dealers_of(p)->n && !a->bare[s->index]; dealer++) {
        t = (struct term){
            .of = TERM_MESSAGE,
            .id = mask_id(p, dealer, s->index),
            .row = interval,
            .n_segments = 1,
            .factor = matrix_at(&p->aligned->extraction, dealer, chunk),
        };
        if (!protocol_is_missing(p, 0, dealers_of(p)->numbers[dealer]) && fn(arg, &t, err))
            return -1;
    }
    return 0;
}

static int relayed(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                   void *arg, struct hagg_err *err)
{
    const struct term t = {
        .of = TERM_MESSAGE,
        .id = p->first_ids[SUMS_ON] + s->index,
        .row = row,
        .n_segments = 1,
        .factor = protocol_one,
    };

    return fn(arg, &t, err) ? -1 : 0;
}

static int summand(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                   void *arg, struct hagg_err *err)
{
    const struct plan_aligned *a = aligned_of(p);
    uint32_t chunk = row % chunks_of(p), segment = row / chunks_of(p);

    for (uint32_t holder = 0; holder < a->sharing.n; holder++) {
        uint32_t interval = blocks_before(&a->blocks[holder], segment + 1) - 1;
        struct term t = {
            .of = TERM_MESSAGE,
            .id = p->first_ids[SUMS_ON] + holder,
            .row = interval * chunks_of(p) + chunk,
            .n_segments = 1,
        };

        if (p->aligned->relays.of[holder] != s->from.number ||
            !protocol_has(p, (struct node){ NODE_STATION, a->stations.numbers[holder] }) ||
            protocol_is_idle(p, a->stations.numbers[holder]))
            continue;
        t.factor = protocol_relays_factor(p, segment, holder, err);
        if (!t.factor || fn(arg, &t, err))
            return -1;
    }
    return 0;
}

#define CLIENT    NODE_CLIENT
#define STATION   NODE_STATION
#define RELAY     NODE_RELAY
#define FEDERATOR NODE_FEDERATOR
#define SHARE     HEADER_SHARE
#define SUMMAND   HEADER_SUMMAND
#define VECTOR    HEADER_PLAIN
#define MASK      HEADER_MASK
#define EITHER    (STAGE_PARTIAL | STAGE_FULL)
#define NONE      STAGE_NO_RELAYS
#define PASS_ON   STAGE_PASSED_ON
#define ANY       (NONE | PASS_ON)

/* clang-format off */
static const struct stage stages[N_ROWS] = {
    /*             from     to         record   of      collusion relays             */
    [SHARES]   = { CLIENT,  STATION,   SHARE,   VECTOR, EITHER,   ANY,     send_shares,  share },
    [MASKS]    = { STATION, STATION,   SHARE,   MASK,   EITHER,   ANY,     send_masks,   mask },
    [SUMS]     = { STATION, FEDERATOR, SHARE,   VECTOR, EITHER,   NONE,    send_sums,    sum },
    [SUMS_ON]  = { STATION, RELAY,     SHARE,   VECTOR, EITHER,   PASS_ON, send_sums,    sum },
    [RELAYED]  = { RELAY,   FEDERATOR, SHARE,   VECTOR, EITHER,   PASS_ON, send_sums,    relayed },
    [SUMMANDS] = { RELAY,   FEDERATOR, SUMMAND, VECTOR, EITHER,   PASS_ON, send_summand, summand },
};
/* clang-format on */

/* A unit is a client, a dealer, a station in use or a relay. */
static size_t units(const struct protocol *p, const struct stage *s)
{
    return s == &stages[SHARES]     ? p->plan->topology.n_clients
           : s == &stages[MASKS]    ? dealers_of(p)->n
           : s == &stages[SUMMANDS] ? p->plan->topology.n_relays
                                    : aligned_of(p)->sharing.n;
}

static uint64_t size(const struct protocol *p, const struct stage *s)
{
    const struct protocol_sums *classes = classes_of(p);

    return s == &stages[SHARES]  ? classes->begins[classes->patterns.n]
           : s == &stages[MASKS] ? dealers_of(p)->n * (uint64_t)aligned_of(p)->sharing.n
                                 : units(p, s);
}

const struct protocol_table protocol_aligned = { stages, N_ROWS, size, units,
                                                 protocol_aligned_find };

void protocol_aligned_free(struct protocol *p)
{
    struct protocol_aligned *c = p->aligned;

    if (!c)
        return;
    clear_blocks(c);
    masks_free(&c->masks);
    matrix_free(&c->factors);
    matrix_free(&c->extraction);
    free(c->first_value);
    protocol_relays_free(&c->relays);
    free(c->stands_by);
    free(c);
}
