#include "planner/joint/joint_coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct coarse {
    const struct choice *c;
    uint32_t *left; /* clients without a group */
    uint32_t n_left;
    uint64_t *set;
};

/* The index in left of the client whose reach has most stations in common with the set; n_left if
 * these are too few for a sharing. */
static uint32_t nearest(const struct coarse *w)
{
    const struct instance *in = w->c->in;
    uint32_t best = w->n_left, most = 0;

    for (uint32_t k = 0; k < w->n_left; k++) {
        const uint64_t *reach = choice_reach(w->c, w->left[k]);
        uint32_t meet = 0;

        for (size_t i = 0; i < in->n_words; i++)
            meet += (uint32_t)__builtin_popcountll(w->set[i] & reach[i]);
        if (meet > most) {
            most = meet;
            best = k;
        }
    }
    return isinf(in->rate[most]) ? w->n_left : best;
}

/* Each group grows from a random client until no other client fits. */
static bool fill(struct coarse *w, struct effort *e, uint32_t *of)
{
    const struct instance *in = w->c->in;
    uint32_t n_groups = 0;

    for (w->n_left = 0; w->n_left < in->n_clients; w->n_left++)
        w->left[w->n_left] = w->n_left;
    for (; w->n_left > 0; n_groups++) {
        uint32_t next = effort_random(e, w->n_left);

        if (n_groups == w->c->room || !effort_may_continue(e))
            return false;
        memset(w->set, 0xff, in->n_words * sizeof *w->set);
        do {
            uint32_t client = w->left[next];

            set_intersect(w->set, w->set, choice_reach(w->c, client), in->n_words);
            of[client] = n_groups;
            w->left[next] = w->left[--w->n_left];
            next = nearest(w);
        } while (next < w->n_left);
    }
    return true;
}

int joint_coarse(struct choice *c, struct effort *e, struct hagg_err *err)
{
    uint32_t n = c->in->n_clients;
    struct coarse w = { .c = c };
    uint32_t *of = malloc(2 * (size_t)n * sizeof *of);
    int status = -1;

    w.left = malloc(n * sizeof *w.left);
    w.set = malloc(c->in->n_words * sizeof *w.set);
    if (!of || !w.left || !w.set) {
        err_errno(err, "no memory to plan for full collusion");
    } else {
        status = fill(&w, e, of) && fill(&w, e, of + n);
        if (status == 1 && choice_assign(c, of, of + n, err))
            status = -1;
    }
    free(of);
    free(w.left);
    free(w.set);
    return status;
}
