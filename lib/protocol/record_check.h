/*
 * record_check.h - whether a record is one that the plan gives rise to.
 *
 * The plan's digest in a header is a claim. Here everything else that the header says is held
 * against the plan itself, so that no record can name other clients, another scheme or another
 * route.
 */
#ifndef HAGG_RECORD_CHECK_H
#define HAGG_RECORD_CHECK_H

#include "protocol/protocol.h"
#include "reader.h"

/* Of the record that the reader stands at: that its vector is as the plan wants it, and that
 * protocol_find finds it. Otherwise says why not: HAGG_E_MISMATCH, or HAGG_E_PRIVACY, names the
 * file and what differs. */
int record_check(const struct protocol *round, const struct reader *r, struct hagg_err *err);

/* The same unless round is NULL, and that it is addressed to this node; number 0 stands for any. */
int record_check_here(const struct protocol *round, const struct reader *r, struct node here,
                      struct hagg_err *err);

#endif
