/*
 * roster.h - the clients of a round: reports of stations, and the roster made from them.
 *
 * A report lists the clients that have delivered to one station everything that the plan makes them
 * send to it. The roster lists the clients that have delivered to all their stations, all of it
 * from one run of hagg-share. Both name these runs. They are records of kind roster:
 * share-format/FORMAT.md.
 */
#ifndef HAGG_ROSTER_H
#define HAGG_ROSTER_H

#include "base/rangeset.h"
#include "base/text.h"
#include "plan/plan.h"
#include "records/runs.h"
#include "state/state.h"

struct roster_options {
    const struct plan *plan;
    uint64_t round;
    uint32_t station;               /* the station that reports; 0 to issue the roster */
    const struct rangeset *clients; /* clients that may be in the roster; NULL for all */
    const struct rangeset *without; /* missing stations, whose reports are not needed; or NULL */
    bool unsafe_plan;               /* True to accept a plan that is not private. */
    struct opener *opener;          /* of sealed records; NULL for a plan without identities */
    struct sealer *sealer;          /* of the roster or report; NULL likewise */
};

struct roster;

/* The options must outlive the result. HAGG_E_USAGE if the plan lacks a node that they name;
 * HAGG_E_TOO_FEW if the drop line of the plan allows fewer missing stations. */
struct roster *roster_new(const struct roster_options *options, struct hagg_err *err);

/* r may be NULL. */
void roster_free(struct roster *r);

/* Adds the records of a file; "-" is standard input. A station that reports accepts the records
 * that clients send to it. The issuer accepts reports and also the records that clients send to any
 * station. The whole payload of each record is read and verified. HAGG_E_MISMATCH for a record that
 * does not belong here, or that was already added. */
int roster_add(struct roster *r, const char *path, struct hagg_err *err);

/* Finds the clients that are complete. If no file was added, the issuer trusts the options: all
 * clients that they name are complete. HAGG_E_TOO_FEW if a station has not reported. */
int roster_find(struct roster *r, struct hagg_err *err);

/* After roster_find: checks that the set is not empty and, if the roster is issued, that its total
 * is private. HAGG_E_TOO_FEW or HAGG_E_PRIVACY. */
int roster_check(const struct roster *r, struct hagg_err *err);

/* After roster_find: the clients that are complete. */
const struct rangeset *roster_clients(const struct roster *r);

/* A client that is not complete. Initialise to all zero. */
struct roster_gap {
    uint32_t client;
    struct rangeset missing; /* stations at which something of it is missing */
    struct rangeset mixed;   /* stations with shares of another run of hagg-share than `like` */
    uint32_t like;
};

/* Finds the next client that is not complete; *at is 0 for the first call. Returns 1, 0 if there is
 * none, or -1 on failure. Free the gap before the next call. */
int roster_next_gap(const struct roster *r, size_t *at, struct roster_gap *gap,
                    struct hagg_err *err);

void roster_gap_free(struct roster_gap *gap);

/* Returns 1 if the file is an issued roster of this plan and round with the same clients, so that
 * it need not be written again; 0 if it does not exist or is something else. HAGG_E_PRIVACY if it
 * has other clients. */
int roster_find_issued(const struct roster *r, const char *path, struct hagg_err *err);

/* Enters the clients of a roster that is issued into the state, before it is written.
 * HAGG_E_PRIVACY if another roster of the round was issued. Reports are not remembered. */
int roster_remember(const struct roster *r, struct state *state, struct hagg_err *err);

/* Writes the report or roster as a record; if it is sealed, as one record for each node that reads
 * it. name is for messages. */
int roster_write(const struct roster *r, int fd, const char *name, struct hagg_err *err);

/* Appends it as a JSON object on one line, with the clients that are not complete. */
int roster_json(const struct roster *r, struct text *t, struct hagg_err *err);

/* Reads an issued roster from a file: one record, of this plan; if rosters are sealed, the one for
 * this node. Adds its clients to the set, and sets *round and the runs, which the caller frees.
 * runs and opener may be NULL. */
int roster_load(const char *path, const struct plan *plan, struct opener *opener,
                struct rangeset *clients, uint64_t *round, struct runs *runs, struct hagg_err *err);

#endif
