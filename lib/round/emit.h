/*
 * emit.h - a round in the language of a program that runs it.
 *
 * Each appends to the text, and the same round gives the same text. HAGG_E_USAGE for names that the
 * language has no way to write. Whether memory sufficed, text_ok says.
 */
#ifndef HAGG_ROUND_EMIT_H
#define HAGG_ROUND_EMIT_H

#include "round/round.h"
#include "base/text.h"

/* A Makefile for GNU make 4.3 or newer. */
int emit_make(const struct round *r, struct text *out, struct hagg_err *err);

/* A shell script that gives GNU parallel a list of jobs for each layer. */
int emit_parallel(const struct round *r, struct text *out, struct hagg_err *err);

/* A shell script that submits each layer to Slurm as job arrays that wait for those before. */
int emit_slurm(const struct round *r, struct text *out, struct hagg_err *err);

#endif
