/*
 * total.h - a decoded total as numbers of the vectors' own type and shape.
 */
#ifndef HAGG_TOTAL_H
#define HAGG_TOTAL_H

#include "decode/decode.h"

struct total_options {
    bool mean;          /* divided by the clients, or by the samples where they are counted */
    const char *type;   /* NULL: the vectors' own; f8 for the mean of integers */
    const char *format; /* npy, raw or text */
};

/* What the federator is told. */
struct total_report {
    uint64_t n_clients; /* 0: the records do not say */
    bool has_samples;
    int64_t samples;
    double worst_error; /* of the sum or the mean; 0 for integers */
};

/* Writes the total of a decoding that ran. What was written before a failure is of no use. */
int total_write(const struct decode *d, const struct total_options *options, int fd,
                const char *name, struct total_report *report, struct hagg_err *err);

#endif
