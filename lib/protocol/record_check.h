/*
 * record_check.h - checks that a record belongs to the plan.
 *
 * The plan's digest in a header is only a claim. Everything else in the header is checked against
 * the plan itself, so that no record can have other clients, another scheme or another route.
 */
#ifndef HAGG_RECORD_CHECK_H
#define HAGG_RECORD_CHECK_H

#include "protocol/protocol.h"
#include "reader.h"

/* Checks the reader's current record: its vector must be described as in the plan, and
 * protocol_find must find it. Otherwise HAGG_E_MISMATCH or HAGG_E_PRIVACY names the file and the
 * difference. round is NULL without a plan: then HAGG_E_PRIVACY if the record was made under one,
 * because only that plan shows what may be done with it. */
int record_check(const struct protocol *round, const struct reader *r, struct hagg_err *err);

/* The same, and also checks that the record is addressed to this node; number 0 means any. Returns
 * 1 if it is a sealed record for another station that this one passes on as a courier, and which is
 * therefore to be ignored. */
int record_check_here(const struct protocol *round, const struct reader *r, struct node here,
                      struct hagg_err *err);

/* The same as record_check, for a record that is addressed to another station than this one:
 * HAGG_E_PRIVACY if it is not sealed, because a courier must not be able to read it, and
 * HAGG_E_MISMATCH if the plan does not let its sender use this station as a courier to that one. */
int record_check_carried(const struct protocol *round, const struct reader *r, uint32_t courier,
                         struct hagg_err *err);

/* HAGG_E_MISMATCH if the record does not belong to the asked round. asked may be NULL. */
int record_check_round(const uint64_t *asked, const struct reader *r, struct hagg_err *err);

/* If clients is not NULL, checks that a sum of the stations, or a transfer of it, has exactly those
 * of these clients that share over its stations; otherwise HAGG_E_MISMATCH. The record has passed
 * record_check. */
int record_check_clients(const struct protocol *round, const struct rangeset *clients,
                         const struct reader *r, struct hagg_err *err);

/* Adds the clients that the record's sum of the stations lacks to `missing`. HAGG_E_PRIVACY if more
 * are then missing than the plan's drop line allows. The record has passed record_check. */
int record_check_dropped(const struct protocol *round, const struct reader *r,
                         struct rangeset *missing, struct hagg_err *err);

#endif
