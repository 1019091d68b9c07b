/*
 * selection.h - what the nodes that are present require of a node: the symbols of its shares, if
 * the scheme has prefixes; with protocol aligned, its sum or nothing.
 */
#ifndef HAGG_SELECTION_H
#define HAGG_SELECTION_H

#include "aggregate/aggregate.h"
#include "header.h"

struct selection;

/* For options->present and options->after, which must outlive it. With protocol aligned,
 * HAGG_E_TOO_FEW if they name too few stations for a total. */
struct selection *selection_new(const struct aggregate_options *options, struct hagg_err *err);

/* s may be NULL. */
void selection_free(struct selection *s);

/* The elements of a share: n_symbols for each column, of which those from first to end - 1 are
 * sent. */
struct selection_symbols {
    uint32_t n_symbols, first, end;
};

/* Sends everything. */
extern const struct selection_symbols selection_all;

/* Determines what is sent of a share with this header. s may be NULL: everything. HAGG_E_MISMATCH
 * if the share was sent in part already; HAGG_E_TOO_FEW if too few holders are present. Nothing is
 * left to send if end is not above first. */
int selection_choose(const struct selection *s, const struct header *h,
                     struct selection_symbols *symbols, struct hagg_err *err);

/* With protocol aligned: what a station does with its sum. */
enum selection_sum { SELECTION_SEND, SELECTION_STANDS_BY, SELECTION_SENT_BEFORE };

/* For a station in use. s may be NULL: it sends the sum. */
enum selection_sum selection_of_sum(const struct selection *s, uint32_t station);

/* Moves the selected ones of n elements, which are whole columns, to the front. Returns how many
 * they are. */
size_t selection_keep(const struct selection_symbols *symbols, void *elems, size_t n, size_t size);

#endif
