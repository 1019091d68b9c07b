/*
 * input.h - a file or pipe that is read once, from its start, into memory that grows with what
 * really comes.
 */
#ifndef HAGG_INPUT_H
#define HAGG_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define INPUT_AHEAD 4096

/* Begins with input_open. Members are input.c's own, except that name is there to be read. */
struct input {
    const char *name; /* as messages have it */
    int fd;
    bool at_end;
    uint64_t left;              /* bytes of a regular file not yet read; 0 when nobody knows */
    uint8_t ahead[INPUT_AHEAD]; /* bytes begin .. end were read and not yet used */
    size_t begin, end;
};

/* "-" is standard input. The path must outlive the input. */
int input_open(struct input *in, const char *path, struct hagg_err *err);

/* Wipes what was read ahead. */
void input_close(struct input *in);

/* The next bytes, without using them: INPUT_AHEAD of them, or fewer when the end comes before. They
 * stay where they are until the next call. */
int input_peek(struct input *in, const uint8_t **bytes, size_t *n, struct hagg_err *err);

/* Uses up to n bytes; *got is less only at the end. */
int input_read(struct input *in, void *to, size_t n, size_t *got, struct hagg_err *err);

/* All that is left, but at most max bytes. *bytes is malloc'ed for the caller, with one byte to
 * spare behind the *got ones. Memory is proportional to bytes present, whatever max says, and what
 * was moved while growing is wiped. */
int input_rest(struct input *in, uint64_t max, void **bytes, size_t *got, struct hagg_err *err);

/* 1: nothing is left, 0: something is, -1: failed. */
int input_at_end(struct input *in, struct hagg_err *err);

#endif
