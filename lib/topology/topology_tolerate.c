#include "topology/topology_tolerate.h"

#include <string.h>

uint32_t topology_tolerate_most(const struct topology *t)
{
    return t->n_tolerated > 0 ? t->tolerated[t->n_tolerated - 1].stations : t->collude_stations;
}

static uint32_t at_most(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

uint32_t topology_tolerate_learnt(uint32_t stations, uint32_t parts, uint32_t z, uint32_t segments)
{
    uint32_t more = stations > z ? stations - z : 0;

    /* the last block may be short */
    return segments / parts * at_most(more, parts) + at_most(more, segments % parts);
}

uint32_t topology_tolerate_randoms(const struct topology *t,
                                   const struct topology_tolerated *promise, uint32_t n, uint32_t z,
                                   uint32_t segments)
{
    for (uint64_t spares = topology_spares(t, 0); z + spares < n; z++) {
        uint32_t parts = n - (uint32_t)spares - z, of = segments > 0 ? segments : parts;

        if ((uint64_t)topology_tolerate_learnt(promise->stations, parts, z, of) * promise->den <=
            (uint64_t)promise->num * of)
            return z;
    }
    return n;
}

void topology_tolerate_strict(struct topology *t)
{
    t->collude_stations = topology_tolerate_most(t);
    t->n_tolerated = 0;
}

#define EXAMPLE "as in collude full stations=2 tolerate 1/4 at 3"

int topology_tolerate_misplaced(struct words *words, const char *word)
{
    return words_fail(words, word, "belongs at the end of the collude line, " EXAMPLE);
}

int topology_tolerate_check_order(struct words *words)
{
    bool tolerate = false;

    for (size_t i = 1; words->word[i]; i++) {
        const char *w = words->word[i];

        if (strncmp(w, "tolerate=", 9) == 0)
            return topology_tolerate_misplaced(words, w);
        if (tolerate && strchr(w, '='))
            return words_fail(words, w,
                              "must be before tolerate, which is the end of the line, " EXAMPLE);
        tolerate = tolerate || strcmp(w, "tolerate") == 0;
    }
    return 0;
}

int topology_tolerate_parse(struct topology *t, struct words *words, size_t at)
{
    const char *const *w = (const char *const *)words->word;

    if (!w[at])
        return words_fail(words, w[at - 1], "needs a promise after it, as in tolerate 1/4 at 3");
    for (t->n_tolerated = 0; w[at]; at += 3, t->n_tolerated++) {
        struct topology_tolerated *now = &t->tolerated[t->n_tolerated], *last = now - 1;
        uint64_t stations;
        struct ratio r;

        if (t->n_tolerated == TOPOLOGY_MAX_TOLERATED)
            return words_fail(words, w[at], "is too much: a plan has up to %u promises",
                              TOPOLOGY_MAX_TOLERATED);
        if (ratio_parse(w[at], strlen(w[at]), &r) != RATIO_OK || r.num == 0 || r.num >= r.den)
            return words_fail(words, w[at],
                              "must be a fraction of a vector between 0 and 1, as in 1/4");
        if (!w[at + 1] || strcmp(w[at + 1], "at"))
            return words_fail(words, w[at], "must be followed by at and a number of stations");
        if (!w[at + 2])
            return words_fail(words, w[at + 1], "needs a number of stations after it");
        if (words_number(words, w[at + 2], w[at + 2], 1, TOPOLOGY_MAX_NODES, &stations))
            return -1;
        *now = (struct topology_tolerated){ (uint32_t)stations, r.num, r.den };
        if (t->n_tolerated > 0 && now->stations <= last->stations)
            return words_fail(words, w[at + 2], "must be more stations than the %u before",
                              last->stations);
        if (t->n_tolerated > 0 && (uint64_t)now->num * last->den <= (uint64_t)last->num * now->den)
            return words_fail(words, w[at],
                              "must be more than the %u/%u before: more stations learn more",
                              last->num, last->den);
    }
    return 0;
}
