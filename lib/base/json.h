/*
 * json.h - writes JSON (RFC 8259) on one line, into growing text.
 *
 * Commas are set by themselves; that names stand in objects only is up to the caller.
 */
#ifndef HAGG_JSON_H
#define HAGG_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct json {
    struct text *text;
    bool comma; /* the next item needs one before it */
};

/* name is NULL inside an array and at the top. */
void json_open(struct json *j, const char *name, char bracket);
void json_close(struct json *j, char bracket);
void json_uint(struct json *j, const char *name, uint64_t value);
void json_number(struct json *j, const char *name, const char *digits); /* as JSON writes them */
void json_double(struct json *j, const char *name, double value);       /* finite */
void json_bool(struct json *j, const char *name, bool value);
void json_hex(struct json *j, const char *name, const uint8_t *bytes, size_t n);

/* What is not UTF-8 becomes U+FFFD. */
void json_string(struct json *j, const char *name, const char *value);

#endif
