/*
 * keyfile.h - reads and writes a client's key for one round. A key is secret.
 */
#ifndef HAGG_KEYFILE_H
#define HAGG_KEYFILE_H

#include "plan/plan.h"
#include "base/progress.h"
#include "crypto/random.h"
#include "state/state.h"
#include "reader.h"
#include "sharing/expand.h"
#include "writer.h"

/* The key that is needed. */
struct keyfile_need {
    const struct plan *plan;
    uint32_t client;
    uint64_t round;
    uint64_t length;           /* including the sample count */
    struct progress *progress; /* may be NULL */
    const char *random_source; /* name of the random source, or NULL for the generator */
    struct state *state;       /* where keys from a random source are remembered; may be NULL */
    uint64_t room;             /* a loaded key is filled up with zeros to this many elements */
};

/* A key, all of which is secret. */
struct keyfile_key {
    unsigned char *elems; /* malloc'ed */
    size_t len_bytes;     /* of elems, without what fills it up */
    uint8_t id[16];
    uint8_t seed[EXPAND_SEED_BYTES]; /* that elems are the expansion of, if the client sends it */
};

/* Wipes and frees the elements, and wipes the rest. */
void keyfile_forget(struct keyfile_key *key);

/* Writes a fresh key with a random id: as a seed if the client sends seeds. HAGG_E_PRIVACY if the
 * records of such a plan are not sealed, or if the random source gives the id of a key that was
 * made for another client, round or plan. */
int keyfile_write(const struct keyfile_need *need, struct random *random, struct writer *w,
                  struct hagg_err *err);

/* Reads a key from a file, or from standard input if path is "-", and checks that it is the one
 * needed. The caller must forget the key. HAGG_E_MISMATCH if it is
 * the key of another client, round, plan or length; HAGG_E_PRIVACY if others have permissions for
 * the file. */
int keyfile_load(const char *path, const struct keyfile_need *need, struct keyfile_key *key,
                 struct hagg_err *err);

/* keyfile_load in two steps, for a file with the keys of several clients: reads the next key; and
 * checks that there is no other one. */
int keyfile_next(struct reader *r, const struct keyfile_need *need, struct keyfile_key *key,
                 struct hagg_err *err);
int keyfile_end(struct reader *r, struct hagg_err *err);

#endif
