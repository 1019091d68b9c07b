/*
 * sweep.h - costs while one parameter takes many values.
 */
#ifndef HAGG_COST_SWEEP_H
#define HAGG_COST_SWEEP_H

#include "cost/report/report.h"

struct sweep {
    enum parameter parameter;
    uint64_t first, last;
    uint64_t step; /* added, or multiplied with */
    bool geometric;
};

/* Reads "v=1..25", "length=0..100..10" with a step, or "clients=10..10000..x10" with a factor. */
int sweep_parse(struct sweep *s, const char *text, struct hagg_err *err);

/* Moves on from *value; false after the last one. */
bool sweep_next(const struct sweep *s, uint64_t *value);

/* The totals of every protocol at every point: a row a point, a column a protocol. */
struct sweep_table;

struct sweep_table *sweep_table_new(const struct sweep *s, struct hagg_err *err);

/* NULL is fine. */
void sweep_table_free(struct sweep_table *t);

/* The report of the next point. With per_client, totals are divided by the number of clients. */
int sweep_table_add(struct sweep_table *t, uint64_t value, const struct report *r, bool per_client,
                    struct hagg_err *err);

/* Columns under each other; tabs and digits for programs; a script for gnuplot, which holds its
 * data. */
void sweep_table_print(const struct sweep_table *t, struct text *text);
void sweep_table_print_tsv(const struct sweep_table *t, struct text *text);
void sweep_table_print_gnuplot(const struct sweep_table *t, bool per_client, struct text *text);

#endif
