/*
 * payload_state.h - the state of a payload, for payload.c and for reader.c, which creates it.
 */
#ifndef HAGG_PAYLOAD_STATE_H
#define HAGG_PAYLOAD_STATE_H

#include <stdbool.h>

#include "digest.h"
#include "payload.h"

struct payload {
    char *name;
    uint64_t record, start; /* for messages */
    uint64_t offset, left;  /* bytes of payload not yet read */
    size_t elem_size;
    bool verified;
    struct digest *hash; /* of all bytes before offset */
};

#endif
