/*
 * emit.h - writes a round in the language of a program that runs it.
 *
 * Each function appends to the text. The same round gives the same text. HAGG_E_USAGE for names
 * that cannot be written in the language. If memory is short, text_ok returns false.
 */
#ifndef HAGG_ROUND_EMIT_H
#define HAGG_ROUND_EMIT_H

#include "round/round.h"
#include "base/text.h"

/* A Makefile for GNU make 4.3 or newer. */
int emit_make(const struct round *r, struct text *out, struct hagg_err *err);

/* A shell script for the part of one node, to be run again and again, for example by cron. */
int emit_sh(const struct round *r, struct text *out, struct hagg_err *err);

/* A shell script that runs the jobs of each layer with GNU parallel. */
int emit_parallel(const struct round *r, struct text *out, struct hagg_err *err);

/* A shell script that submits each layer to Slurm as job arrays, which wait for the layers they
 * need. */
int emit_slurm(const struct round *r, struct text *out, struct hagg_err *err);

#endif
