#include "spec.h"

#include <string.h>

#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* True if text is one character of first followed by characters of rest, 1 to max in total. */
static bool matches(const char *text, const char *first, const char *rest, size_t max)
{
    size_t len = strlen(text);

    return len >= 1 && len <= max && strchr(first, text[0]) && strspn(text, rest) == len;
}

bool spec_is_plugin_name(const char *name)
{
    return matches(name, LOWER DIGITS, LOWER DIGITS "-", LIMIT_NAME);
}

bool spec_is_tier_name(const char *name)
{
    return matches(name, LOWER, LOWER DIGITS "-", LIMIT_TIER);
}

static bool is_key(const char *text)
{
    return matches(text, LOWER, LOWER DIGITS, 16);
}

static bool is_value(const char *text)
{
    const char *alphabet = LOWER UPPER DIGITS "._-";

    return matches(text, alphabet, alphabet, 64);
}

int spec_parse(struct spec *spec, const char *kind, const char *text, struct hagg_err *err)
{
    size_t len = strlen(text);
    char *rest, *param;

    *spec = (struct spec){ .name = spec->text };
    if (len > LIMIT_SPEC)
        return err_set(err, HAGG_E_USAGE, "%s '%.40s...' is longer than %d bytes", kind, text,
                       LIMIT_SPEC);
    memcpy(spec->text, text, len + 1);
    rest = strchr(spec->text, ':');
    if (rest)
        *rest++ = 0;
    if (!spec_is_plugin_name(spec->name))
        return err_set(err, HAGG_E_USAGE,
                       "%s '%s' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -",
                       kind, text);
    while (rest) {
        char *value;

        param = rest;
        rest = strchr(param, ',');
        if (rest)
            *rest++ = 0;
        value = strchr(param, '=');
        if (value)
            *value++ = 0;
        if (!value || !is_key(param) || !is_value(value))
            return err_set(err, HAGG_E_USAGE, "%s '%s' has a parameter that is not KEY=VALUE", kind,
                           text);
        if (spec->n_params == SPEC_MAX_PARAMS)
            return err_set(err, HAGG_E_USAGE, "%s '%s' has more than %d parameters", kind, text,
                           SPEC_MAX_PARAMS);
        if (spec->n_params > 0 && strcmp(spec->params[spec->n_params - 1].key, param) >= 0)
            return err_set(err, HAGG_E_USAGE,
                           "the parameters of %s '%s' are not in ascending order", kind, text);
        spec->params[spec->n_params].key = param;
        spec->params[spec->n_params].value = value;
        spec->n_params++;
    }
    return 0;
}
