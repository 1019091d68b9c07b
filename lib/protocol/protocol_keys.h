/*
 * protocol_keys.h - internals shared by protocol_keys.c, which has the table of protocol keys, and
 * protocol_transfers.c, which has the stages of relays with sharings of their own.
 */
#ifndef HAGG_PROTOCOL_KEYS_H
#define HAGG_PROTOCOL_KEYS_H

#include "protocol/protocol_state.h"

/* The rows of the table. A row for keys directly follows that for vectors: see keys_id_of. */
enum keys_row {
    SHARES,
    KEY_SHARES,
    KEYS,
    SUMS,
    KEY_SUMS,
    SUMS_ON,
    KEY_SUMS_ON,
    TRANSFERS,
    KEY_TRANSFERS,
    RELAYED,
    KEY_RELAYED,
    RESHARED,
    KEY_RESHARED,
    CHAIN,
    TOTAL,
    TOTAL_ON,
    TOTAL_RELAYED,
    N_ROWS,
};

/* Returns the id of message number `place` of a row for vectors, or of the row for keys after
 * it. */
static inline uint64_t keys_id_of(const struct protocol *p, enum keys_row row, enum plan_what what,
                                  uint64_t place)
{
    return p->first_ids[row + (what == PLAN_KEYS)] + place;
}

static inline uint64_t keys_id_in(const struct protocol *p, const struct stage *s, uint64_t place)
{
    return p->first_ids[s - p->table->stages] + place;
}

/* Returns true if the sum has clients, so that messages are sent. */
static inline bool keys_is_needed(const struct walk *w, const struct protocol_sums *sums,
                                  size_t pattern)
{
    return w->all_possible || sums->n_clients[pattern] > 0;
}

/* Lists the terms of a row of the scheme's matrix times the parts of a secret and the random
 * vectors, of which the first is number first_draw of these draws. */
int keys_encode(const struct sharing *sharing, size_t at, struct term part, uint64_t draws,
                uint32_t first_draw, protocol_term_fn *fn, void *arg, struct hagg_err *err);

/* Returns the prefix that nodes of the tier send of their shares of a sum: whole shares unless the
 * round has prefixes. */
const struct hagg_scheme_prefix *keys_prefix(const struct protocol *p, size_t tier,
                                             const struct topology_list *holders,
                                             const struct protocol_sharing *sharing);

/* Sets the symbols of the message to what the holder with this index sends of its share of the
 * sum: the prefix, or in the worst case more. */
void keys_set_prefix(const struct protocol *p, struct message *s,
                     const struct hagg_scheme_prefix *prefix, size_t n_holders, uint32_t index,
                     const struct protocol_sharing *sharing);

/* Stages: see struct stage. */
int keys_send_transfers(const struct walk *w, const struct stage *stage, size_t unit);
int keys_transfer(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                  void *arg, struct hagg_err *err);
int keys_send_reshared(const struct walk *w, const struct stage *stage, size_t m);
int keys_reshared(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                  void *arg, struct hagg_err *err);

#endif
