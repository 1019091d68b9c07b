/*
 * findings.h - describes in words who learns what, for a reader who knows no linear algebra.
 *
 * All words are ASCII, without characters that have a meaning in HTML.
 */
#ifndef HAGG_FINDINGS_H
#define HAGG_FINDINGS_H

#include "audit/audit.h"

/* The members of a coalition, by tier, and the clients that are missing. */
enum findings_tier {
    FINDINGS_CLIENTS,
    FINDINGS_STATIONS,
    FINDINGS_RELAYS,
    FINDINGS_MISSING,
    FINDINGS_TIERS
};

struct findings_who {
    struct rangeset tiers[FINDINGS_TIERS];
    bool federator;
};

/* The caller frees *w with findings_who_free, also if it fails. */
int findings_who_new(struct findings_who *w, const struct coalition *c, const struct model *m,
                     struct hagg_err *err);
void findings_who_free(struct findings_who *w);

/* The number of members. */
uint64_t findings_who_count(const struct findings_who *w);

/* "clients 1 and 3, station 2, and the federator" */
void findings_put_who(const struct findings_who *w, struct text *text);

/* "clients 1-5: a third of each vector", "the sum of the vectors of clients 2 and 4" */
void findings_put_part(const struct learnt *l, const struct learnt_part *part, struct text *text);

/* Reduces the fraction *a / *b to lowest terms. */
void findings_lowest(size_t *a, size_t *b);

/* "1-3, 5 and 7"; after many ranges only how many numbers are left. */
void findings_put_numbers(const struct rangeset *set, struct text *text);

/* Findings of one kind: as many members in each tier, and as much learnt about as many clients. */
struct findings_group {
    size_t *leaks; /* indices into the leaks of the result */
    size_t n, capacity;
};

struct findings {
    struct findings_who *who; /* of each leak */
    size_t n_leaks;
    struct findings_group *groups; /* in order of their first leak */
    size_t n_groups, max_groups;
};

/* The caller frees *f with findings_free, also if it fails. */
int findings_new(struct findings *f, const struct audit_result *r, const struct model *m,
                 struct hagg_err *err);
void findings_free(struct findings *f);

#endif
