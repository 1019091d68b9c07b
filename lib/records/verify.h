/*
 * verify.h - reads a record to its end and checks all that can be checked without a key: the
 * digest, that every element is canonical, and that the payload has the length that the scheme
 * gives.
 */
#ifndef HAGG_VERIFY_H
#define HAGG_VERIFY_H

#include "sharing/field.h"
#include "reader.h"
#include "sharing/scheme.h"

/* Keeps the plugins that were used last. Begins all zero. */
struct verifier {
    struct field *field;
    struct scheme *scheme;
    void *block;
};

enum verify_result {
    VERIFY_OK,
    VERIFY_NO_PLUGIN, /* the digest is right; the field or scheme is not installed here */
};

/* Reads the payload of the record that reader_next has found. -1 for a record that is wrong. */
int verify_record(struct verifier *v, struct reader *r, enum verify_result *result,
                  struct hagg_err *err);

void verify_free(struct verifier *v);

#endif
