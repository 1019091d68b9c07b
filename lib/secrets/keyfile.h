/*
 * keyfile.h - a client's key for one round: a uniform vector that pads one vector of the client.
 */
#ifndef HAGG_KEYFILE_H
#define HAGG_KEYFILE_H

#include "plan/plan.h"
#include "base/progress.h"
#include "sharing/random.h"
#include "writer.h"

/* Whose key, for what. */
struct keyfile_need {
    const struct plan *plan;
    uint32_t client;
    uint64_t round;
    uint64_t length;           /* the sample count included */
    struct progress *progress; /* NULL: nobody looks */
    uint64_t room;             /* a loaded key is filled up with zeros to so many elements */
};

/* Writes a fresh key with a random identity. */
int keyfile_write(const struct keyfile_need *need, struct random *random, struct writer *w,
                  struct hagg_err *err);

/* Reads a key, "-" from standard input, and checks that it is this one. *elems is malloc'ed for the
 * caller, to wipe and free. HAGG_E_MISMATCH for the key of another client, round, plan or length.
 */
int keyfile_load(const char *path, const struct keyfile_need *need, unsigned char **elems,
                 uint8_t id[16], struct hagg_err *err);

#endif
