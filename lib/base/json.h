/*
 * json.h - writes JSON (RFC 8259) on one line, into growing text.
 *
 * Commas are inserted automatically. The caller must pass names inside objects and only there.
 */
#ifndef HAGG_JSON_H
#define HAGG_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct json {
    struct text *text;
    bool comma; /* True if the next item needs a comma before it. */
};

/* name is NULL inside an array and at the top level. */
void json_open(struct json *j, const char *name, char bracket);
void json_close(struct json *j, char bracket);
void json_uint(struct json *j, const char *name, uint64_t value);
void json_int(struct json *j, const char *name, int64_t value);
void json_number(struct json *j, const char *name, const char *digits); /* a valid JSON number */
void json_double(struct json *j, const char *name, double value);       /* null if not finite */
void json_bool(struct json *j, const char *name, bool value);
void json_null(struct json *j, const char *name);
void json_hex(struct json *j, const char *name, const uint8_t *bytes, size_t n);

/* Bytes that are not UTF-8 become U+FFFD. */
void json_string(struct json *j, const char *name, const char *value);

#endif
