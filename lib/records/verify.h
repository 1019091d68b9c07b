/*
 * verify.h - reads a record to its end and checks everything that can be checked without a key: the
 * digest, that every element is canonical, and that the payload has the length given by the scheme.
 */
#ifndef HAGG_VERIFY_H
#define HAGG_VERIFY_H

#include "sharing/field.h"
#include "reader.h"
#include "sharing/scheme.h"

/* Caches the plugins that were used last. Initialise to all zero. */
struct verifier {
    struct field *field;
    struct scheme *scheme;
    void *block;
};

enum verify_result {
    VERIFY_OK,
    VERIFY_SEALED,    /* the digest is right, but the elements are sealed */
    VERIFY_NO_PLUGIN, /* the digest is right, but the field or scheme is not installed */
};

/* Reads the payload of the reader's current record. Returns -1 if the record is wrong. */
int verify_record(struct verifier *v, struct reader *r, enum verify_result *result,
                  struct hagg_err *err);

void verify_free(struct verifier *v);

#endif
