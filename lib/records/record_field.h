/*
 * record_field.h - the field of the records that are worked on together: the first one chooses it.
 */
#ifndef HAGG_RECORD_FIELD_H
#define HAGG_RECORD_FIELD_H

#include "sharing/field.h"
#include "reader.h"

/* Opens the field of the record that the reader stands at if *field is NULL, and checks that the
 * record is over *field and has elements of its size. */
int record_field(struct field **field, const struct reader *r, struct hagg_err *err);

#endif
