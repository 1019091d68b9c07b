/*
 * total.h - writes a decoded total as numbers, in the type and shape of the vectors.
 */
#ifndef HAGG_TOTAL_H
#define HAGG_TOTAL_H

#include "decode/decode.h"
#include "vector/quantize.h"

struct total_options {
    bool mean; /* True to divide by the sample count or, without one, the number of clients. */
    const char *type;   /* NULL for that of the vectors, or f8 for the mean of integers */
    const char *format; /* npy, raw or text */
};

/* Facts about the total, to be reported to the federator. */
struct total_report {
    uint64_t n_clients; /* 0 if the records do not list them */
    bool has_samples;
    int64_t samples;
    int64_t max_samples;         /* that one client can share */
    struct quantize_error error; /* of the sum or the mean; 0 for integers */
    double up_to; /* the largest value that the error is for; 0 for all that were shared */
};

/* Writes the total after decode_run. HAGG_E_MALFORMED, before anything is written, if an element or
 * the number of samples is one that honest clients cannot have. On failure, discard the output. */
int total_write(const struct decode *d, const struct total_options *options, int fd,
                const char *name, struct total_report *report, struct hagg_err *err);

#endif
