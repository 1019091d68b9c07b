/*
 * data.h - any file, sealed as records of kind data: FORMAT.md, "Data".
 */
#ifndef HAGG_DATA_H
#define HAGG_DATA_H

#include "identity/keyring.h"
#include "records/input.h"
#include "writer.h"

/* Who sends a file to whom; round is NULL if it belongs to none. */
struct data_route {
    struct node from, to;
    const uint64_t *round;
};

/* Reads the input to its end and writes it as sealed records. Constant memory. */
int data_seal(struct input *in, struct keyring *keyring, const struct data_route *route,
              struct writer *w, struct hagg_err *err);

/* What was opened. */
struct data_content {
    const struct node *only; /* the sender must be this node; NULL for any */
    struct header_node from; /* the sender */
    uint64_t n_bytes;
};

/* Opens the records of a file and writes their content to fd, which is called out in messages. Each
 * part is authentic before it is written. HAGG_E_PRIVACY if the sender is another one, or if a part
 * is missing, repeated or of another file; what was written before that must not be used. */
int data_open(const char *path, struct opener *opener, struct data_content *content, int fd,
              const char *out, struct hagg_err *err);

#endif
