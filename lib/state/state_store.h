/*
 * state_store.h - internals shared by state.c, which opens the directory and its files,
 * state_claim.c and state_list.c.
 *
 * The directory has these files:
 *   lock             locked while the others are read and written
 *   index            the secret, and a line "plan NUMBER DIGEST FIRST" for each plan; rounds before
 *                    FIRST are no longer remembered
 *   DIGEST/          a folder for each plan:
 *     station-2.shares.0   what a node did in the first STATE_ROUNDS rounds, a line for each round
 *     clients-0.vector.0   the same for STATE_CLIENTS_OF_FILE clients and STATE_VECTOR_ROUNDS
 * rounds, a line for each round and client vectors/ 3f               the vectors and keys whose
 * digests begin with these digits; of keys, those made from a random source DIGEST/files,
 * vectors/files  the names of the other files in the folder So a lost file is an error, not a new
 * beginning.
 */
#ifndef HAGG_STATE_STORE_H
#define HAGG_STATE_STORE_H

#include "base/text.h"
#include "state/sheet.h"
#include "state/state.h"

/* Rounds in one file. So few that it is replaced quickly, so many that there are few files. */
#define STATE_ROUNDS 1024

/* Clients whose vectors are in one file, so that many clients have few files, and rounds. */
#define STATE_CLIENTS_OF_FILE 256
#define STATE_VECTOR_ROUNDS   128

/* of the digest of a plan */
#define STATE_PLAN_BYTES sizeof(((struct header *)0)->plan)

#define STATE_INDEX   "index"
#define STATE_VECTORS "vectors"
#define STATE_FILES   "files" /* in a folder: the list of the others */

struct state {
    char *directory; /* NULL to remember nothing */
    bool is_default, is_new, was_asked;
    int lock; /* -1 while not locked */
    bool has_secret;
    uint8_t secret[MAC_KEY_BYTES];
    struct sheet **sheets; /* loaded since the lock */
    size_t n_sheets, capacity;
    struct sheet names; /* their names, a line each; without a file */
};

/* Locks the directory, checks it and loads the index, unless that was done already. If create is
 * true, a missing directory is created. */
int state_lock(struct state *s, bool create, struct hagg_err *err);

/* Forgets all sheets and changes. */
void state_unlock(struct state *s);

/* Returns the sheet, loaded on first use; NULL on failure. An unlisted sheet of a folder is listed
 * when it is committed; a listed one that is missing is an error. */
struct sheet *state_sheet(struct state *s, const char *folder, const char *name,
                          struct hagg_err *err);

/* Returns the list of the files in a folder; NULL on failure. */
struct sheet *state_files(struct state *s, const char *folder, struct hagg_err *err);

/* Loads a listed sheet without keeping it. The caller must call sheet_free, also on failure. */
int state_load_listed(const struct state *s, const char *folder, const char *name,
                      struct sheet *sheet, struct hagg_err *err);

/* Returns the index; NULL on failure. */
struct sheet *state_index(struct state *s, struct hagg_err *err);

/* A plan in the index. */
struct state_plan {
    unsigned number;
    char digest[2 * STATE_PLAN_BYTES + 1]; /* also the name of its folder */
    uint64_t first;                        /* round that is remembered */
};

/* Reads a line of the index. Returns false if it is not about a plan. */
bool state_read_plan(const char *line, struct state_plan *plan);

/* Finds a plan in the index. If it is new, it is added and its folder is created. */
int state_find_plan(struct state *s, const uint8_t *digest, struct state_plan *plan,
                    struct hagg_err *err);

int state_write_plan(struct state *s, const struct state_plan *plan, struct hagg_err *err);

/* Syncs a folder of the directory; "." is the directory itself. */
int state_sync_folder(const struct state *s, const char *folder, struct hagg_err *err);

/* Writes all changed sheets, and syncs their folders. */
int state_write(struct state *s, struct hagg_err *err);

#endif
