/*
 * input.h - a file or pipe that is read once, sequentially, into memory that grows with the bytes
 * read.
 */
#ifndef HAGG_INPUT_H
#define HAGG_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define INPUT_AHEAD 4096

/* Initialised by input_open. Only name may be read from outside input.c. */
struct input {
    const char *name; /* for messages */
    int fd;
    bool at_end;
    uint64_t left;              /* bytes of a regular file not yet read; 0 if unknown */
    uint8_t ahead[INPUT_AHEAD]; /* bytes begin .. end - 1 were read ahead and not yet returned */
    size_t begin, end;
};

/* "-" is standard input. The path must outlive the input. */
int input_open(struct input *in, const char *path, struct hagg_err *err);

/* Wipes the bytes that were read ahead. */
void input_close(struct input *in);

/* Returns the next INPUT_AHEAD bytes, or fewer at the end, without consuming them. *bytes is valid
 * until the next call. */
int input_peek(struct input *in, const uint8_t **bytes, size_t *n, struct hagg_err *err);

/* Reads n bytes; *got is less than n only at the end. */
int input_read(struct input *in, void *to, size_t n, size_t *got, struct hagg_err *err);

/* Reads all remaining bytes, but at most max. *bytes is malloc'ed for the caller and has room for
 * one byte more than *got. The memory used is proportional to the bytes present, not to max, and
 * buffers that were outgrown are wiped. */
int input_rest(struct input *in, uint64_t max, void **bytes, size_t *got, struct hagg_err *err);

/* Returns 1 at the end, 0 if bytes remain, -1 on failure. */
int input_at_end(struct input *in, struct hagg_err *err);

#endif
