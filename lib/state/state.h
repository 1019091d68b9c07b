/*
 * state.h - what the nodes on this machine remember, so that they do nothing twice that may be done
 * only once.
 *
 * An entry is made, and synced to disk, before the output that it is about appears. The same entry
 * again is accepted, a different one is refused. Of two processes that make different entries, only
 * one succeeds. After a crash an entry is there completely or not at all. hagg-inspect(1) and
 * docs/state.md describe the directory.
 */
#ifndef HAGG_STATE_H
#define HAGG_STATE_H

#include "base/rangeset.h"
#include "crypto/mac.h"

struct state;

/* directory is NULL to remember nothing. is_default is true if nobody named the directory; then
 * missing parent directories are created too. No file is touched before something is to be
 * remembered. */
struct state *state_new(const char *directory, bool is_default, struct hagg_err *err);

/* Drops claims that were not committed. s may be NULL. */
void state_free(struct state *s);

/* Returns true if the functions below remember something; false if s is NULL or has no directory.
 * In the latter case state_was_asked returns true from then on. */
bool state_remembers(struct state *s);

/* The same, without that. */
bool state_has_directory(const struct state *s);

/* Returns true if something would have been remembered, but there is no directory. */
bool state_was_asked(const struct state *s);

/* Returns the directory if it was created by a function below; otherwise NULL. */
const char *state_new_directory(const struct state *s);

/* Makes a mac with the secret of the directory; NULL on failure. */
struct mac *state_mac(struct state *s, struct hagg_err *err);

/* Identifies an entry: a node does this in a round of a plan. */
struct state_key {
    const uint8_t *plan;     /* its digest, as in a record header */
    struct header_node node; /* number 0: all nodes of the tier together */
    const char *what;        /* for instance STATE_SHARES */
    uint64_t round;
};

#define STATE_SHARES    "shares"    /* a station or relay sends sums of shares */
#define STATE_KEYS      "keys"      /* a station or relay sends sums of keys */
#define STATE_TRANSFERS "transfers" /* a station sends transfers of sums of shares */
#define STATE_CLIENTS   "clients"   /* any node: the clients of a round */
#define STATE_ROSTER    "roster"    /* the federator issues the roster */
#define STATE_TOTAL     "total"     /* the federator decodes the total */
#define STATE_VECTOR    "vector"    /* a client shares its vector */
#define STATE_KEY       "key"       /* a client makes a key, or a dealer masks */

#define STATE_ID_BYTES     8
#define STATE_DIGEST_BYTES 16

/* A sum of a node. Both are made with state_mac. */
struct state_sum {
    uint8_t id[STATE_ID_BYTES];         /* which of the sums of the node */
    uint8_t digest[STATE_DIGEST_BYTES]; /* the clients in the sum, and the runs of their shares */
};

/* Claims that a round of a plan has this set of clients, whatever nodes do in it. HAGG_E_PRIVACY if
 * it is another set than before. Nothing is written before state_commit. */
int state_claim_clients(struct state *s, const uint8_t *plan, uint64_t round,
                        const struct rangeset *clients, struct hagg_err *err);

/* The same, and claims that a node sends sums over these clients, and that each of its sums has one
 * content. With sum NULL, that the federator decodes this set or issues the roster; with clients
 * NULL, only the content. HAGG_E_PRIVACY if the set or the content is another one than before. */
int state_claim_sum(struct state *s, const struct state_key *key, const struct rangeset *clients,
                    const struct state_sum *sum, struct hagg_err *err);

/* Claims that a client shares one vector, with one key or none, in a round. vector is the digest of
 * the vector alone, use that of vector, sample count and key; both are made with state_mac.
 * HAGG_E_PRIVACY if the client has shared another vector in this round, or used another key; or,
 * unless again is true, if the vector was shared in another round. name is the file of the vector,
 * for messages. */
int state_claim_vector(struct state *s, const struct state_key *key,
                       const uint8_t vector[MAC_BYTES], const uint8_t use[MAC_BYTES], bool again,
                       const char *name, struct hagg_err *err);

/* Claims that a key was made for this client and round alone, or masks for this dealer and round.
 * digest identifies them and is made with state_mac, over a number of bytes that is not a multiple
 * of 8, so that it is never that of a vector. HAGG_E_PRIVACY if the same key or masks were made for
 * another node, round or plan. name is the source of the random bytes, for messages. */
int state_claim_key(struct state *s, const struct state_key *key, const uint8_t digest[MAC_BYTES],
                    const char *name, struct hagg_err *err);

/* Makes the entries that were claimed, and syncs them to disk. */
int state_commit(struct state *s, struct hagg_err *err);

/* Drops what was claimed since the last commit, after a check. s may be NULL. */
void state_drop(struct state *s);

/* An entry, for listing. */
struct state_entry {
    const char *plan; /* hexadecimal */
    const char *node; /* "station-2" */
    const char *what;
    const char *round;
    const char *clients; /* "1-5,7"; NULL for the vector of a client */
};

/* Calls visit for every entry of the plans whose digests begin with these hexadecimal digits, plan
 * by plan and node by node. The directory must exist. HAGG_E_MISMATCH if there are digits and no
 * such plan. */
int state_each(struct state *s, const char *digits,
               int (*visit)(void *arg, const struct state_entry *entry, struct hagg_err *err),
               void *arg, struct hagg_err *err);

/* Returns true if state_each would create no file and wait for no other process. */
bool state_is_idle(const struct state *s);

/* Removes the entries of the plan whose digest begins with these hexadecimal digits that are about
 * rounds before this one. All claims of these rounds are refused from now on. The digests of
 * vectors are kept. *n_removed is how many were removed. HAGG_E_MISMATCH if there is no such plan,
 * or more than one. */
int state_prune(struct state *s, const char *digits, uint64_t before, size_t *n_removed,
                struct hagg_err *err);

#endif
