/*
 * plan_record.h - whether a record is one that the plan gives rise to.
 *
 * The plan's digest in a header is a claim. Here everything else that the header says is held
 * against the plan itself, so that no record can name other clients, another scheme or another
 * route.
 */
#ifndef HAGG_PLAN_RECORD_H
#define HAGG_PLAN_RECORD_H

#include "plan/plan.h"
#include "base/rangeset.h"
#include "reader.h"

/* Of the record that the reader stands at. HAGG_E_MISMATCH names the file and what differs. */
int plan_record_check(const struct plan *p, const struct reader *r, struct hagg_err *err);

/* The same unless p is NULL, and that it is addressed to this node; number 0 stands for any. */
int plan_record_check_here(const struct plan *p, const struct reader *r, const char *tier,
                           uint32_t number, struct hagg_err *err);

/* The plan's clients, or those of them that are in the set, which may be NULL. */
int plan_record_clients(const struct plan *p, const struct rangeset *among,
                        struct rangeset *clients, struct hagg_err *err);

/* That the plan has all clients that --clients names. HAGG_E_USAGE otherwise. */
int plan_record_check_clients(const struct plan *p, const struct rangeset *named,
                              struct hagg_err *err);

#endif
