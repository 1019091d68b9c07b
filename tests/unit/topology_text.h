/*
 * topology_text.h - texts that are, or are not, topologies.
 */
#ifndef HAGG_TOPOLOGY_TEXT_H
#define HAGG_TOPOLOGY_TEXT_H

#include "check.h"
#include "topology/topology.h"

/* Checks that the text is malformed, with this message about a file t. */
static inline void refuses(const char *text, const char *want)
{
    struct hagg_err err = { 0 };
    struct topology t;

    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, want);
    CHECK(t.groups == NULL && t.clients == NULL && t.station_via == NULL && t.n_clients == 0);
}

/* The same for a topology with keys. */
static inline void refuses_keys(const char *text, const char *want)
{
    struct text with = { 0 };

    text_printf(&with, "%s\nprotocol keys\n", text);
    refuses(with.bytes, want);
    text_free(&with);
}

static inline void accepts(struct topology *t, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(topology_parse(t, "t", text, strlen(text), &err) == 0);
    CHECK_STR(err.text, "");
}

#endif
