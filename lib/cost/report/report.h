/*
 * report.h - the costs of a network under every protocol that applies, side by side.
 */
#ifndef HAGG_COST_REPORT_H
#define HAGG_COST_REPORT_H

#include "cost/count/loads.h"
#include "cost/count/parameters.h"
#include "cost/count/setsizes.h"
#include "cost/count/sheet.h"

#define REPORT_ROWS   64
#define REPORT_VALUES 16

/* One protocol with one choice of sets. */
struct report_row {
    const char *name;    /* "c1" */
    const char *sets;    /* "chosen", "reached", "fewest", "most", "given"; or "" */
    const char *against; /* "partial", "full", "not private", "nobody"; as in peers.h; or "" */
    /* after "partial" and "full": ", computational" or ", some computational" */
    bool has_links; /* false: only the total is known */
    bool has_draws; /* false: the amount of randomness is not known */
    bool has_bound; /* false: the bound does not apply, because the protocol has other links or
                       keys from before the round */
    struct sheet sheet;
};

/* A parameter of the network and its range (ratios.h). */
struct report_value {
    const char *name;
    const char *row;  /* the name of its row */
    const char *sets; /* of its row; "" for a range over all sets */
    mpq_t value;
    bool has_value, has_range;
    mpq_t low, high;
};

struct report {
    char *title;
    const char *names; /* of the rows that are needed, as in report_keep; NULL: all */
    uint64_t n_clients;
    uint64_t length;              /* of vectors, including the sample count; 0: unknown */
    bool samples;                 /* the length includes one */
    struct bytes_options records; /* what the records show whose bytes are counted */
    const char *record_type;      /* of their vectors; NULL: bytes are not counted */
    size_t elem_bytes;            /* bytes of a symbol in a record */
    struct report_row rows[REPORT_ROWS];
    size_t n_rows;
    mpq_t bound;
    bool has_sharper; /* then the sharper bound is in this range: see bound_sharper */
    mpq_t sharper_low, sharper_high;
    /* Prices: see sheet.h and price_bound.h. */
    const struct topology_prices *prices; /* while rows are added */
    uint32_t price_unit;                  /* 0 without prices */
    mpq_t price_bound, sharper_price;
    struct report_value values[REPORT_VALUES];
    size_t n_values;
    struct loads loads; /* of the plan; not known without one */
    /* Why requested rows are missing: those of protocol keys, that of protocol aligned, and those
     * with sharings that the scheme does not support. Empty if none is. */
    char left_out[256];
    struct hagg_err no_aligned, no_scheme;
};

/* For a plan, or for a topology, whose clients then share over all stations they reach. names are
 * those of the rows that the caller needs, as in report_keep, or NULL for all; rows that take long
 * may be omitted if they are not among them. The caller frees *r with report_free. The options must
 * outlive it. */
int report_of_plan(struct report *r, const struct plan *p, const char *names,
                   const struct bytes_options *records, struct hagg_err *err);

/* True if the row is in the list of names, as in report_keep. */
bool report_lists(const char *names, const char *name);

/* True if every sharing has a complete route to the federator. Otherwise there is no round whose
 * messages could be counted, but bounds and ranges are known. */
bool report_is_routed(const struct plan *p);

/* For a network given in numbers: all clients reach the same number of stations. */
int report_uniform(struct report *r, const struct parameters *parameters, struct hagg_err *err);

void report_free(struct report *r);

/* Adds a row with an empty sheet. The names must outlive the report. NULL if the report is full. */
struct report_row *report_add(struct report *r, const char *name, const char *sets,
                              const char *against, struct hagg_err *err);

/* Removes the row that was added last. */
void report_drop_last(struct report *r);

/* Adds a value, all zero. The names must outlive the report. NULL if the report is full. */
struct report_value *report_add_value(struct report *r, const char *name, const char *row,
                                      const char *sets, struct hagg_err *err);

/* Keeps the rows named in the list, "c1,c2,bound", and their values, and drops all others. */
void report_keep(struct report *r, const char *names);

/* The name of the row for the worst case of a row with this name: "plan worst case". */
const char *report_worst_name(const char *name);

/* The names of all rows, which end with NULL. */
extern const char *const report_names[];

/* HAGG_E_USAGE if the list has anything other than names of rows. */
int report_check_names(const char *names, struct hagg_err *err);

/* The row with this name and these sets; NULL if there is none. */
const struct report_row *report_find(const struct report *r, const char *name, const char *sets);

/* True if the row has a price: there are prices, and the bound applies to it. */
bool report_has_price(const struct report *r, const struct report_row *row);

/* Begins a report, with nothing in it. The prices are those of the topology, which must outlive the
 * adding of rows. */
void report_begin(struct report *r, const struct plan *p);

/* Closes the sheets and adds the bound and the rows of other protocols. */
int report_finish(struct report *r, const struct topology *t, struct hagg_err *err);

#endif
