/*
 * plan_field.h - chooses the field of a topology with field auto, and compares it with others.
 */
#ifndef HAGG_PLAN_FIELD_H
#define HAGG_PLAN_FIELD_H

#include "topology/topology.h"

/* Replaces field auto by the first field of a short list, by the size of elements, that holds the
 * sum of all clients and has enough points; keeps any other field. If none is large enough, it is
 * the last of the list, and the checks of plan_load report what does not fit. The choice does not
 * depend on the protocol, so the symbols of all protocols have the same size. */
int plan_field_settle(struct topology *t, struct hagg_err *err);

/* A field for the same clients and stations. Its numbers are those of the topology, or the most
 * bits or levels, the longest range and the most samples that fit. */
struct plan_field_other {
    const char *field;
    size_t elem_size;
    struct header_quant quant;
    struct topology_integers integers; /* lo is that of the topology */
    uint64_t most_samples;
};

#define PLAN_FIELD_OTHERS 4

/* Finds fields with elements of fewer bytes than elem_size that hold the sum of all clients,
 * or would with fewer bits, levels, integers or samples, and writes them to others, the largest
 * first. Returns how many there are, or -1. The topology must quantise or declare integers. */
int plan_field_others(const struct topology *t, size_t elem_size,
                      struct plan_field_other others[PLAN_FIELD_OTHERS], struct hagg_err *err);

#endif
