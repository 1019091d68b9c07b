/*
 * beyond.h - how much larger coalitions learn than those that a plan allows: docs/audit.md.
 */
#ifndef HAGG_BEYOND_H
#define HAGG_BEYOND_H

#include "audit/audit.h"
#include "base/json.h"

/* num / den of the length of a vector. */
struct beyond_amount {
    uint64_t num, den;
    bool at_most;         /* an upper bound; otherwise the coalition learns exactly this much */
    uint32_t client;      /* whose vector it is; 0: all, or an upper bound, or nothing */
    struct coalition who; /* one that learns as much; empty if nothing is learnt or at_most */
};

/* The worst coalitions with so many stations, or relays, and with as many of all others as the plan
 * allows. */
struct beyond_row {
    enum audit_party party; /* AUDIT_STATIONS or AUDIT_RELAYS */
    uint32_t colluders;
    bool federator;
    struct beyond_amount single; /* about the vector of one client */
    struct beyond_amount total;  /* in all, beyond the sum that is allowed */
};

struct beyond {
    struct beyond_row *rows;
    size_t n_rows, max_rows;
};

/* The numbers of colluders are those of the bounds plus 1 .. more, as far as there are so many
 * nodes. m is from model_build_sums, or has all messages. The caller frees *b with beyond_free,
 * also if it fails. */
int beyond_new(struct beyond *b, const struct model *m, const struct audit_bounds *bounds,
               uint32_t more, struct hagg_err *err);
void beyond_free(struct beyond *b);

/* The steps of beyond_new. 1: the amounts of the row are set, and *exact is true if they are not
 * upper bounds; 0: this method does not apply; -1: failure. Amounts that were set before are
 * replaced. */

/* By counting: all coalitions at once, by the structure of the plan. */
int beyond_count(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                 bool *exact, struct hagg_err *err);

/* By elimination: every coalition of the side. */
int beyond_search(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                  struct hagg_err *err);

/* Replaces an amount. */
void beyond_set(struct beyond_amount *a, uint64_t num, uint64_t den, bool at_most);

/* The words of a row of the table for people: who colludes, and what is learnt by whom. */
#define BEYOND_COLUMNS 5

struct beyond_cells {
    struct text text[BEYOND_COLUMNS];
};

/* The headings if row is NULL. ASCII, without characters that have a meaning in HTML. The caller
 * checks and frees the texts. */
void beyond_cells(struct beyond_cells *c, const struct beyond_row *row, const struct model *m);
void beyond_cells_free(struct beyond_cells *c);

/* A table for people, and a member "beyond" of an object. */
void beyond_put(const struct beyond *b, const struct model *m, struct text *text);
void beyond_json(const struct beyond *b, const struct model *m, struct json *j);

#endif
