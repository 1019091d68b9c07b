/*
 * single.h - finds quickly that colluding stations learn something about a single client from its
 * own messages, whatever the other clients do.
 */
#ifndef HAGG_SINGLE_H
#define HAGG_SINGLE_H

#include "audit/audit.h"

/* 1: some set of this many stations learns something about the vector of a client from the shares
 * and the key that this client sends. 0: none was found, but there may be one. -1: failure. m is
 * from model_build_sums. */
int single_leaks(const struct model *m, uint32_t stations, struct hagg_err *err);

#endif
