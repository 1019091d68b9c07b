/*
 * record_check_aligned.h - checks a record of protocol aligned. For record_check.c only.
 */
#ifndef HAGG_RECORD_CHECK_ALIGNED_H
#define HAGG_RECORD_CHECK_ALIGNED_H

#include "protocol/protocol.h"
#include "reader.h"

/* Checks that the record is a message of the round, as protocol_find found, and has the length of
 * its header. The plan and the description of the vector are checked already. */
int record_check_aligned(const struct protocol *round, const struct reader *r, bool found,
                         struct hagg_err *err);

#endif
