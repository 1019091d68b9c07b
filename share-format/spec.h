/*
 * spec.h - names of plugins and tiers, and the "name:key=value,..." of a plugin with parameters.
 *
 * They are read from files, so the alphabet excludes paths and control characters.
 */
#ifndef HAGG_SPEC_H
#define HAGG_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "format_limits.h"

#define SPEC_MAX_PARAMS 8

struct spec {
    char text[LIMIT_SPEC + 1]; /* the pointers below point into this */
    const char *name;
    struct {
        const char *key, *value;
    } params[SPEC_MAX_PARAMS];
    size_t n_params;
};

/* [a-z0-9][a-z0-9-]{0,63} */
bool spec_is_plugin_name(const char *name);

/* [a-z][a-z0-9-]{0,15} */
bool spec_is_tier_name(const char *name);

/* Parses the specification of a plugin of this kind, "field" or "scheme". Keys must ascend, so that
 * it has only one spelling. The error is HAGG_E_USAGE; a caller that read the text from a file
 * changes it. */
int spec_parse(struct spec *spec, const char *kind, const char *text, struct hagg_err *err);

#endif
