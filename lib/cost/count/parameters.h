/*
 * parameters.h - a network in numbers: how many of each there are, whom each reaches, and what is
 * to be tolerated.
 */
#ifndef HAGG_COST_PARAMETERS_H
#define HAGG_COST_PARAMETERS_H

#include "plan/plan.h"

enum parameter {
    PARAMETER_CLIENTS,
    PARAMETER_STATIONS,
    PARAMETER_RELAYS,
    PARAMETER_REACH,       /* stations that each client reaches */
    PARAMETER_REACH_MOST,  /* of networks drawn at random: up to so many */
    PARAMETER_V,           /* the same as parts of a sharing */
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
    bool full, has_kind; /* has_kind: "partial" or "full" was said */
    char field[LIMIT_FIELD_SPEC + 1], scheme[LIMIT_NAME + 1]; /* empty: the default */
};

/* "collude-stations" */
const char *parameters_name(enum parameter parameter);

/* N_PARAMETERS when there is none of this name. */
enum parameter parameters_find(const char *name);

/* HAGG_E_USAGE for a value out of range, in words that name the parameter. */
int parameters_set(struct parameters *p, enum parameter parameter, uint64_t value,
                   struct hagg_err *err);

/* The same from digits. */
int parameters_parse(struct parameters *p, enum parameter parameter, const char *digits,
                     struct hagg_err *err);

/* Reads "full,clients=1,stations=2", with commas or blanks, as after the word collude, or after
 * drop if base is PARAMETER_DROP_CLIENTS, which has no "full". */
int parameters_set_tolerance(struct parameters *p, enum parameter base, const char *text,
                             struct hagg_err *err);

/* A plan without clients, but with all their numbers: what uniform.h needs. HAGG_E_USAGE when the
 * parameters contradict each other. */
int parameters_plan(const struct parameters *p, struct plan *plan, struct hagg_err *err);

/* Lets the parameters that were given take the place of what a plan says: its length, and who may
 * collude and be missing. HAGG_E_USAGE for any other. */
int parameters_override(const struct parameters *p, struct plan *plan, struct hagg_err *err);

/* How many stations each client reaches. */
uint64_t parameters_reach(const struct parameters *p, const struct topology *t);

#endif
