/*
 * record_field.h - the field of records that are processed together, set by the first record.
 */
#ifndef HAGG_RECORD_FIELD_H
#define HAGG_RECORD_FIELD_H

#include "sharing/field.h"
#include "reader.h"

/* Opens the field of the reader's current record if *field is NULL. Then checks that the record is
 * over *field and that its elements have the right size, unless it is a seed. */
int record_field(struct field **field, const struct reader *r, struct hagg_err *err);

#endif
