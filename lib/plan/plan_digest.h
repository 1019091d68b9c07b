/*
 * plan_digest.h - the digest of a plan, as people compare it and as records carry it.
 */
#ifndef HAGG_PLAN_DIGEST_H
#define HAGG_PLAN_DIGEST_H

#include "plan/plan.h"
#include "reader.h"

/* Parses all hexadecimal digits of a digest; blanks and colons are ignored. Returns -1 if text is
 * not that. Part of a digest is not accepted: of two plans with the same first 128 bits, both can
 * be found with about 2^64 trials. */
int plan_digest_parse(uint8_t digest[HEADER_PLAN_BYTES], const char *text);

/* Checks that the plan has this digest. HAGG_E_PRIVACY otherwise. */
int plan_digest_check(const struct plan *p, const uint8_t digest[HEADER_PLAN_BYTES],
                      struct hagg_err *err);

/* Returns true if the header has the digest of this plan. */
bool plan_digest_is(const struct plan *p, const struct header *h);

/* Reports that the record was made under a plan and needs it, and returns -1: HAGG_E_PRIVACY,
 * because only the plan shows whether the result may be revealed. The record has a plan. */
int plan_digest_missing(const struct reader *r, struct hagg_err *err);

/* Reports that the record was made under another plan, with the first digits of both digests, and
 * returns -1. The record has a plan. what is the subject of the message, "" or "key ". */
int plan_digest_fail(const struct plan *p, const struct reader *r, const char *what,
                     struct hagg_err *err);

#endif
