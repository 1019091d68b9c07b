/*
 * draws.h - adds up the random vectors that nodes draw for a round: those of sharings, keys and
 * masks.
 *
 * A random vector counts once, however many messages it is used in. Identifiers of records and the
 * key pairs of seals do not count.
 */
#ifndef HAGG_COST_DRAWS_H
#define HAGG_COST_DRAWS_H

#include "cost/count/sheet.h"

/* n nodes of the sender's tier each draw n_rows random vectors as long as a row of the message. */
void draws_add_rows(struct sheet *sheet, const struct message *s, uint64_t n, uint64_t n_rows,
                    uint64_t length);

/* The same for all random vectors of the message. */
static inline void draws_add(struct sheet *sheet, const struct message *s, uint64_t n,
                             uint64_t length)
{
    draws_add_rows(sheet, s, n, s->n_draws, length);
}

/* n clients each draw a key, as long as the vector. */
void draws_add_keys(struct sheet *sheet, uint64_t n, uint64_t length);

/* Consecutive messages of a sender that use the same random vectors. Initialise to all zero. */
struct draws_run {
    struct message first; /* stage is NULL before the first message */
    uint64_t n;           /* senders */
    uint64_t n_seeds;     /* of each sender */
    uint64_t n_expanded;  /* rows that are expansions of these seeds, and so are not drawn */
};

/* Adds the next message of a round, of n senders of the same kind. Their random vectors are added
 * up when the next run begins. */
void draws_next(struct draws_run *run, struct sheet *sheet, const struct message *s, uint64_t n,
                uint64_t length);

/* Adds up the last run. */
void draws_end(struct draws_run *run, struct sheet *sheet, uint64_t length);

#endif
