/*
 * pattern_job.h - internals of decoding: shares are read tile by tile, combined, checked and
 * corrected. For pattern_decode.c and pattern_aligned.c.
 */
#ifndef HAGG_PATTERN_JOB_H
#define HAGG_PATTERN_JOB_H

#include "decode/pattern.h"
#include "sharing/combine.h"
#include "sharing/layout.h"
#include "sharing/sparse.h"

struct pattern_job {
    struct pattern *p;
    const struct pattern_tools *tools;
    const struct field *field; /* of the tools */
    struct sharing sharing; /* of the shares that are present, by their position in the pattern */
    bool is_polynomial;     /* True if the shares are values of a polynomial of degree below k. */
    struct combine combine;
    /* Makes the matrix for the shares that are not left out. */
    int (*make_combine)(struct pattern_job *j, const bool *left_out, struct combine *c,
                        struct hagg_err *err);
    bool *suspects; /* shares that are left out because they were wrong */
    struct layout layout;
    size_t part_length, tile_elems; /* of a block */
    unsigned char *in, *out;        /* shares, and the output of combine, row by row */
    uint32_t n_symbols;             /* of a whole share */
    size_t max_symbols;             /* most symbols of a record */
    unsigned char *mixed;  /* symbols of the shares, interleaved as in their payloads; or NULL */
    struct hagg_err *errs; /* one per share */
    const void **from;     /* rows of the shares, and of out */
    void **to;
    const void **piece_from; /* the same for the columns of each thread */
    void **piece_to;
    struct sparse sparse; /* the matrix of combine, if shares have several symbols */
    const void **sparse_from;
    void **sparse_to;
    size_t max_rows; /* of out */
};

/* Writes the points of the shares as packed elements. */
int pattern_job_points(const struct pattern_job *j, unsigned char *points, struct hagg_err *err);

/* Allocates everything for tile_elems columns, except the rows of the shares. */
int pattern_job_allocate(struct pattern_job *j, size_t n_in, size_t n_out, struct hagg_err *err);

/* Returns the number of columns of a tile with this number of rows, of shares and of output, so
 * that the tile of each thread stays in the second-level cache. */
size_t pattern_job_tile(const struct pattern_job *j, size_t n_rows);

/* Wipes and frees everything. */
void pattern_job_free(struct pattern_job *j);

/* Returns -1 and the error of the first share that has one. */
int pattern_job_failed(const struct pattern_job *j, struct hagg_err *err);

/* Decodes columns start .. n - 1 with the current combine. */
void pattern_job_combine(struct pattern_job *j, size_t start, size_t n);

/* Checks n columns that were decoded, and corrects them or fails. */
int pattern_job_correct(struct pattern_job *j, size_t n, struct hagg_err *err);

/* Where columns of all parts are in the vector, or in one block of it, and what happens to them. */
struct pattern_target {
    unsigned char *total; /* the vector or block */
    uint64_t length;      /* its elements */
    enum pattern_use use;
};

/* Lets the current combine write n columns, of which the first is column `at` of the parts: to the
 * total itself if it is to be set. */
void pattern_job_aim(struct pattern_job *j, const struct pattern_target *target, size_t at,
                     size_t n);

/* Puts these columns, once they are correct, into the total, unless they are there. */
void pattern_job_put(const struct pattern_job *j, const struct pattern_target *target, size_t at,
                     size_t n);

#endif
