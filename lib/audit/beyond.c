#include "audit/beyond.h"

#include <stdlib.h>

#include "audit/sets.h"
#include "base/array.h"

void beyond_set(struct beyond_amount *a, uint64_t num, uint64_t den, bool at_most)
{
    coalition_free(&a->who);
    *a = (struct beyond_amount){ .num = num, .den = den, .at_most = at_most };
}

/* What is true of every coalition: it learns no more than all vectors. */
static void set_all(struct beyond_row *row, const struct model *m)
{
    beyond_set(&row->single, 1, 1, true);
    beyond_set(&row->total, m->n_clients, 1, true);
}

static int fill(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                struct hagg_err *err)
{
    bool exact = false;
    int counted = beyond_count(row, m, s, &exact, err), searched;

    if (counted < 0 || exact)
        return counted < 0 ? -1 : 0;
    searched = beyond_search(row, m, s, err);
    if (searched == 0 && counted == 0)
        set_all(row, m);
    return searched < 0 ? -1 : 0;
}

/* Adds the rows for so many colluders of a party. */
static int add_rows(struct beyond *b, const struct model *m, const struct audit_bounds *bounds,
                    enum audit_party party, uint32_t colluders, struct hagg_err *err)
{
    struct audit_side sides[SETS_SIDES];
    size_t n = sets_sides(m, bounds, sides);

    for (size_t i = 0; i < n; i++) {
        struct beyond_row *row;

        if ((party == AUDIT_STATIONS ? sides[i].stations : sides[i].relays) != colluders)
            continue;
        if (ARRAY_RESERVE(b->rows, b->n_rows + 1, b->max_rows))
            return err_errno(err, "no memory for what coalitions learn");
        row = &b->rows[b->n_rows++];
        *row = (struct beyond_row){ .party = party,
                                    .colluders = colluders,
                                    .federator = sides[i].federator };
        if (fill(row, m, &sides[i], err))
            return -1;
    }
    return 0;
}

int beyond_new(struct beyond *b, const struct model *m, const struct audit_bounds *bounds,
               uint32_t more, struct hagg_err *err)
{
    *b = (struct beyond){ 0 };
    for (int party = AUDIT_STATIONS; party <= AUDIT_RELAYS; party++) {
        struct audit_bounds larger = *bounds;
        uint32_t *n = party == AUDIT_STATIONS ? &larger.stations : &larger.relays;
        uint32_t most = party == AUDIT_STATIONS ? m->n_stations : m->n_relays;

        if (party == AUDIT_RELAYS && bounds->relays_see_total)
            continue;
        for (uint32_t i = 0; i < more && *n < most; i++) {
            ++*n;
            if (add_rows(b, m, &larger, party, *n, err))
                return -1;
        }
    }
    return 0;
}

void beyond_free(struct beyond *b)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        coalition_free(&b->rows[i].single.who);
        coalition_free(&b->rows[i].total.who);
    }
    free(b->rows);
    *b = (struct beyond){ 0 };
}
