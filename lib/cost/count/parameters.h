/*
 * parameters.h - a network given in numbers: how many nodes of each tier there are, how many nodes
 * each of them reaches, and how many may collude or be missing.
 */
#ifndef HAGG_COST_PARAMETERS_H
#define HAGG_COST_PARAMETERS_H

#include "plan/plan.h"

enum parameter {
    PARAMETER_CLIENTS,
    PARAMETER_STATIONS,
    PARAMETER_RELAYS,
    PARAMETER_REACH,       /* stations that each client reaches */
    PARAMETER_REACH_MOST,  /* random networks: the maximum number of these */
    PARAMETER_V,           /* reach, given as the number of parts of a sharing */
    PARAMETER_RELAY_REACH, /* relays that each station reaches */
    PARAMETER_PATTERNS,    /* different sets of stations */
    PARAMETER_LENGTH,
    PARAMETER_COLLUDE_CLIENTS,
    PARAMETER_COLLUDE_STATIONS,
    PARAMETER_COLLUDE_RELAYS,
    PARAMETER_DROP_CLIENTS,
    PARAMETER_DROP_STATIONS,
    PARAMETER_DROP_RELAYS,
    PARAMETER_SEED,
    N_PARAMETERS,
};

struct parameters {
    uint64_t values[N_PARAMETERS];
    bool given[N_PARAMETERS];
    bool full, has_kind;          /* has_kind: "partial" or "full" was given */
    struct ratio prices[N_LINKS]; /* by kind of link; den is 0 if it is not given */
    char field[LIMIT_SPEC + 1], scheme[LIMIT_SPEC + 1]; /* empty: the default */
};

/* "collude-stations" */
const char *parameters_name(enum parameter parameter);

/* N_PARAMETERS if there is none of this name. */
enum parameter parameters_find(const char *name);

/* HAGG_E_USAGE for a value out of range; the message names the parameter. */
int parameters_set(struct parameters *p, enum parameter parameter, uint64_t value,
                   struct hagg_err *err);

/* Parses a decimal number and sets it. */
int parameters_parse(struct parameters *p, enum parameter parameter, const char *digits,
                     struct hagg_err *err);

/* Parses the words of a collude line, "full,clients=1,stations=2", separated by commas or blanks,
 * or those of a drop line, without "full", if base is PARAMETER_DROP_CLIENTS. */
int parameters_set_tolerance(struct parameters *p, enum parameter base, const char *text,
                             struct hagg_err *err);

/* True if the price of some link is given. */
bool parameters_have_price(const struct parameters *p);

/* A plan without clients, but with all numbers that numbers.h needs. HAGG_E_USAGE if the parameters
 * contradict each other. The caller frees the plan. */
int parameters_plan(const struct parameters *p, struct plan *plan, struct hagg_err *err);

/* Replaces values of the plan by the parameters that were given: the length, prices, and how many
 * may collude or be missing. HAGG_E_USAGE if another parameter was given. */
int parameters_override(const struct parameters *p, struct plan *plan, struct hagg_err *err);

/* The number of stations that each client reaches. */
uint64_t parameters_reach(const struct parameters *p, const struct topology *t);

#endif
