/*
 * report.h - what a network costs under every protocol that applies, side by side.
 */
#ifndef HAGG_COST_REPORT_H
#define HAGG_COST_REPORT_H

#include "cost/count/loads.h"
#include "cost/count/parameters.h"
#include "cost/count/setsizes.h"
#include "cost/count/sheet.h"

#define REPORT_ROWS   32
#define REPORT_VALUES 16

/* One protocol with one choice of sets. */
struct report_row {
    const char *name;    /* "c1" */
    const char *sets;    /* "chosen", "reached", "fewest", "most", "given"; or "" */
    const char *against; /* "partial", "full", "not private", "users", "nobody"; or "" */
    bool has_links;      /* or else the total alone is known */
    struct sheet sheet;
};

/* A number that says how the network lies between extremes. */
struct report_value {
    const char *name;
    const char *row;  /* the name of the row it is about */
    const char *sets; /* of that row; "" for a range over all of them */
    mpq_t value;
    bool has_value, has_range;
    mpq_t low, high;
};

struct report {
    char *title;
    uint64_t n_clients;
    uint64_t length;   /* of vectors, the sample count included; 0: not known */
    size_t elem_bytes; /* of a symbol on the wire */
    struct report_row rows[REPORT_ROWS];
    size_t n_rows;
    mpq_t bound;
    struct report_value values[REPORT_VALUES];
    size_t n_values;
    struct loads loads; /* of the plan itself; none without one */
    char left_out[256]; /* why rows are missing that were asked for; empty: none are */
};

/* Of a plan, or of a topology, whose clients then share over all stations that they reach. */
int report_of_plan(struct report *r, const struct plan *p, struct hagg_err *err);

/* Whether every sharing has a whole way to the federator: without, there is no round to count
 * message by message, but bounds and ranges are known. */
bool report_is_routed(const struct plan *p);

/* Of clients that all reach as many stations, as the parameters say. */
int report_uniform(struct report *r, const struct parameters *parameters, struct hagg_err *err);

void report_free(struct report *r);

/* The next row, with an empty sheet; the names must outlive the report. NULL when it is full. */
struct report_row *report_add(struct report *r, const char *name, const char *sets,
                              const char *against, struct hagg_err *err);

/* The next value, all zero; NULL when the report is full. */
struct report_value *report_add_value(struct report *r, const char *name, const char *row,
                                      const char *sets, struct hagg_err *err);

/* Keeps the rows whose names are in the list, "c1,c2,bound", and what is about them, and drops
 * the others. */
void report_keep(struct report *r, const char *names);

/* HAGG_E_USAGE for a list that has anything but names of rows. */
int report_check_names(const char *names, struct hagg_err *err);

/* The row with this name and these sets; NULL when there is none. */
const struct report_row *report_find(const struct report *r, const char *name, const char *sets);

/* Closes the sheets and adds the bound and the rows of other protocols. */
int report_finish(struct report *r, const struct topology *t, struct hagg_err *err);

#endif
