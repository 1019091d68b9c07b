#include "planner/relays/side.h"

#include <stdlib.h>
#include <string.h>

#include "planner/relays/matching.h"

int side_new(struct side *side, const struct instance *in, const uint64_t *patterns,
             size_t n_patterns, const uint32_t *of, struct hagg_err *err)
{
    *side = (struct side){
        .n_patterns = n_patterns,
        /* room for one more per reach class, see replace_unmatched */
        .patterns =
            calloc((n_patterns + in->n_reach_classes) * in->n_words, sizeof *side->patterns),
        .of = calloc(in->n_clients, sizeof *side->of),
    };
    if (!side->patterns || !side->of) {
        side_free(side);
        return err_errno(err, "no memory for a plan");
    }
    memcpy(side->patterns, patterns, n_patterns * in->n_words * sizeof *patterns);
    memcpy(side->of, of, in->n_clients * sizeof *of);
    return 0;
}

void side_free(struct side *side)
{
    if (side->relayed)
        relaying_free(side->relayed, side->n_patterns);
    free(side->relayed);
    free(side->patterns);
    free(side->of);
    *side = (struct side){ 0 };
}

/* True if enough stations of the set can be matched with relays. */
static bool has_relays(struct matching *m, const struct instance *in, const uint64_t *set)
{
    matching_start(m, set);
    for (uint32_t relay = 1; relay <= m->t->n_relays; relay++)
        matching_join(m, relay);
    return in->size[m->n] > 0;
}

static void print_set(struct text *text, const uint64_t *set, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++)
        if (set_has(set, i))
            text_printf(text, " %u", i);
}

/* m is the matching of the client's whole reach. */
static int refuse(struct matching *m, const struct plan *p, const struct instance *in,
                  uint32_t client, struct hagg_err *err)
{
    uint64_t *crowd = calloc(in->n_words, sizeof *crowd);
    struct text text = { 0 };
    uint32_t n_relays, need = 1;
    int status;

    while (in->size[need] == 0)
        need++;
    if (crowd && matching_shortage(m, crowd, &n_relays)) {
        text_printf(&text, ": its stations");
        print_set(&text, crowd, in->n_stations);
        text_printf(&text, " reach only %u relay%s in all", n_relays, n_relays == 1 ? "" : "s");
    }
    status = err_set(err, HAGG_E_PRIVACY,
                     "%s: only %u of the stations of client %u can send to different relays, and "
                     "%u must%s: add links, or let fewer nodes collude or be missing",
                     p->name, m->n, p->topology.clients[client].number, need,
                     text_ok(&text) && text.bytes ? text.bytes : "");
    text_free(&text);
    free(crowd);
    return status;
}

/* Clients of patterns that cannot be matched use their whole reach. */
static int replace_unmatched(struct side *side, struct matching *m, const struct plan *p,
                             const struct instance *in, struct hagg_err *err)
{
    size_t n_patterns = side->n_patterns;
    bool *matched = calloc(n_patterns + 1, sizeof *matched);
    uint32_t *whole = calloc(in->n_reach_classes,
                             sizeof *whole); /* by reach class: 1 + pattern of its whole reach */
    int status = matched && whole ? 0 : err_errno(err, "no memory for a plan");

    for (size_t i = 0; i < n_patterns && status == 0; i++)
        matched[i] = has_relays(m, in, side->patterns + i * in->n_words);
    for (uint32_t i = 0; i < in->n_clients && status == 0; i++) {
        uint32_t reach_class = in->reach_class[i];

        if (matched[side->of[i]])
            continue;
        if (whole[reach_class] == 0) {
            const uint64_t *reach = instance_reach(in, reach_class);

            if (!has_relays(m, in, reach)) {
                status = refuse(m, p, in, i, err);
                break;
            }
            memcpy(side->patterns + side->n_patterns * in->n_words, reach,
                   in->n_words * sizeof *reach);
            whole[reach_class] = (uint32_t)++side->n_patterns;
        }
        side->of[i] = whole[reach_class] - 1;
    }
    free(matched);
    free(whole);
    return status;
}

/* An unused pattern that cannot be matched must not make the search fail. */
static void drop_unused(struct side *side, const struct instance *in, uint64_t *weights)
{
    size_t kept = 0;

    for (size_t i = 0; i < side->n_patterns; i++) {
        if (weights[i] == 0)
            continue;
        memmove(side->patterns + kept * in->n_words, side->patterns + i * in->n_words,
                in->n_words * sizeof *side->patterns);
        for (uint32_t c = 0; c < in->n_clients && kept < i; c++)
            if (side->of[c] == i)
                side->of[c] = (uint32_t)kept;
        weights[kept++] = weights[i];
    }
    side->n_patterns = kept;
}

int side_relay(struct side *side, const struct plan *p, const struct instance *in, struct effort *e,
               struct hagg_err *err)
{
    uint64_t *weights = NULL;
    struct matching m;
    int status;

    if (matching_new(&m, &p->topology, err))
        return -1;
    status = replace_unmatched(side, &m, p, in, err);
    matching_free(&m);
    if (status)
        return -1;
    weights = calloc(side->n_patterns, sizeof *weights);
    side->relayed = calloc(side->n_patterns, sizeof *side->relayed);
    if (weights && side->relayed) {
        for (uint32_t i = 0; i < in->n_clients; i++)
            weights[side->of[i]]++;
        drop_unused(side, in, weights);
        status = (side->one_set ? relaying_find_one : relaying_find)(
            &p->topology, in, side->patterns, side->n_patterns, weights, e, side->relayed, err);
    } else {
        status = err_errno(err, "no memory for a plan");
    }
    free(weights);
    return status;
}
