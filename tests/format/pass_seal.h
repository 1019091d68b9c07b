/*
 * pass_seal.h - a seal without keys: opening removes the tags and keeps them, and sealing puts them
 * back. So a record can be rewritten as the same bytes, and every chunk opens.
 */
#ifndef HAGG_PASS_SEAL_H
#define HAGG_PASS_SEAL_H

#include "seal.h"

/* For one record at a time, which is read and then, or at the same time, written. */
struct pass_seal {
    struct opener opener;
    struct sealer sealer;
    struct seal opens, seals;
    bool is_sealed; /* True if the record that was read last is sealed. */
    struct seal_head head;
    uint8_t (*tags)[SEAL_TAG_BYTES]; /* of the chunks opened, the first n_put of which are used */
    size_t n_tags, n_put, room;
    bool was_last; /* True if the last chunk was opened. */
};

void pass_seal_init(struct pass_seal *p);
void pass_seal_clear(struct pass_seal *p);

#endif
