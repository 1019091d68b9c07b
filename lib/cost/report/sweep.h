/*
 * sweep.h - costs as a function of one parameter.
 */
#ifndef HAGG_COST_SWEEP_H
#define HAGG_COST_SWEEP_H

#include "cost/report/report.h"

struct sweep {
    char name[32];
    enum parameter parameter; /* or N_PARAMETERS: */
    enum topology_link link;  /* the price of these links */
    uint64_t first, last;     /* in multiples of 1 / den */
    uint64_t step;            /* added; a factor if geometric */
    uint32_t den;             /* 1 for parameters */
    bool geometric;
};

/* Parses "v=1..25", "length=0..100..10" with a step, "clients=10..10000..x10" with a factor, or
 * "price-stations=0..2..0.25". */
int sweep_parse(struct sweep *s, const char *text, struct hagg_err *err);

/* Sets the parameter or the price to a value of the sweep. */
int sweep_set(const struct sweep *s, struct parameters *p, uint64_t value, struct hagg_err *err);

/* Prints a value. */
void sweep_print_value(const struct sweep *s, uint64_t value, struct text *text);

/* Advances *value; false after the last one. */
bool sweep_next(const struct sweep *s, uint64_t *value);

/* By what totals are divided. */
enum sweep_unit { SWEEP_VECTOR, SWEEP_CLIENTS, SWEEP_BOUND };

/* The totals of every protocol at every point: one row per point, one column per protocol. */
struct sweep_table;

struct sweep_table *sweep_table_new(const struct sweep *s, enum sweep_unit unit,
                                    struct hagg_err *err);

/* t may be NULL. */
void sweep_table_free(struct sweep_table *t);

/* Adds the report of the next point. */
int sweep_table_add(struct sweep_table *t, uint64_t value, const struct report *r,
                    struct hagg_err *err);

/* Aligned columns for people; tab-separated values for programs; a gnuplot script that contains its
 * data. */
void sweep_table_print(const struct sweep_table *t, struct text *text);
void sweep_table_print_tsv(const struct sweep_table *t, struct text *text);
void sweep_table_print_gnuplot(const struct sweep_table *t, struct text *text);

#endif
