/*
 * describe.h - prints the content of a header, for tables and messages.
 */
#ifndef HAGG_DESCRIBE_H
#define HAGG_DESCRIBE_H

#include "header.h"
#include "base/json.h"
#include "base/text.h"

/* "1-3 5", or "-" for none. */
void describe_ranges(struct text *t, const struct header_range *ranges, size_t n);

/* "1a2b 3c4d ...": n bytes of a digest in groups of four digits; n is even. out has room for
 * DESCRIBE_DIGEST_ROOM(n) characters. */
#define DESCRIBE_DIGEST_ROOM(n) (5 * (n) / 2)
void describe_digest(char *out, const uint8_t *digest, size_t n);

/* "16 bits", "5 levels" or "signs": the integers of a quantisation. */
void describe_levels(struct text *t, const struct header_quant *q);

/* Adds an object under this name. */
void describe_quant_json(struct json *j, const char *name, const struct header_quant *q);

/* "ramp 5,4,2", or "-" for a vector, summand or roster. */
void describe_scheme(struct text *t, const struct header *h);

/* "station 1-3 5 > relay 2 1 4 3": the holders of the sharing, tier by tier, in order of share
 * index. */
void describe_route(struct text *t, const struct header *h);

/* "station 2": the holder of the share, or of the share that a transfer becomes part of; the sender
 * of a summand or roster; "-" for a vector. */
void describe_holder(struct text *t, const struct header *h);

/* Adds ["station",2] under this name; nothing if the node is absent. */
void describe_node_json(struct json *j, const char *name, const struct header_node *node);

/* Adds [[1,3],[5,5]] under this name. */
void describe_ranges_json(struct json *j, const char *name, const struct header_range *ranges,
                          size_t n);

#endif
