/*
 * view.h - what stations and the federator see of one outcome of an instance.
 */
#ifndef PRIVACY_VIEW_H
#define PRIVACY_VIEW_H

#include "instance.h"

/* Instances that are enumerated outcome by outcome are smaller still. */
#define VIEW_CLIENTS  3
#define VIEW_STATIONS 3

/* One outcome: an input and a point for each client. */
struct view_outcome {
    size_t inputs[VIEW_CLIENTS];
    size_t points[VIEW_CLIENTS];
};

/* The sums of an outcome: shares by pattern and station, and under partial collusion the sum of
 * keys that each station passes on. */
struct view {
    uint8_t sums[INSTANCE_SECRETS][VIEW_CLIENTS][VIEW_STATIONS][INSTANCE_LENGTH];
    uint8_t chain[VIEW_STATIONS][INSTANCE_LENGTH];
};

/* Computes the sums modulo p from what the clients send. */
void view_compute(const struct instance *in, const struct view_outcome *o, struct view *v);

/* Runs the real stations and the real federator on the files NAME1-u, NAME2-u, NAME3-u that
 * instance_run_client wrote for clients 1, 2, 3. *total is the decoded total, modulo p. */
int view_observe(const struct instance *in, const char *const *names, struct view *v,
                 uint8_t total[INSTANCE_LENGTH], struct hagg_err *err);

/* The colluders. */
struct observer {
    const char *name;
    unsigned stations; /* bit u: station u + 1 */
    unsigned clients;  /* bit i: client i + 1, including its randomness */
    bool federator;
    bool chain; /* partial collusion: also the sums of keys between stations */
};

/* The number of elements that they see. */
size_t view_count(const struct instance *in, const struct observer *who);

/* What they see, as a number below p to the power of view_count. */
size_t view_number(const struct instance *in, const struct observer *who,
                   const struct view_outcome *o, const struct view *v);

#endif
