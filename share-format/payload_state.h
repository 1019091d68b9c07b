/*
 * payload_state.h - the state of a payload, for payload.c and for reader.c, which creates it.
 */
#ifndef HAGG_PAYLOAD_STATE_H
#define HAGG_PAYLOAD_STATE_H

#include <stdbool.h>

#include "chunks.h"
#include "digest.h"
#include "payload.h"

struct payload {
    char *name;
    uint64_t record, start;   /* for messages */
    uint64_t offset;          /* of the next byte in the file */
    uint64_t n_elems, n_read; /* elements of the payload, and those returned */
    size_t elem_size;
    bool sealed, verified;
    struct chunks chunks; /* of a record that is sealed and can be opened */
    struct digest *hash;  /* of all bytes before offset */
};

#endif
