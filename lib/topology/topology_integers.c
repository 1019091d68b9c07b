#include "topology/topology_integers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Types of 8 bytes are too wide for any sum. */
static const struct {
    const char *name;
    struct topology_integers bounds;
} types[] = {
    { "i1", { INT8_MIN, INT8_MAX } },   { "i2", { INT16_MIN, INT16_MAX } },
    { "i4", { INT32_MIN, INT32_MAX } }, { "u1", { 0, UINT8_MAX } },
    { "u2", { 0, UINT16_MAX } },        { "u4", { 0, UINT32_MAX } },
};

/* Parses a decimal integer without a leading zero or plus sign. Returns the end, or NULL. */
static const char *parse_integer(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-');
    size_t n = strspn(digits, "0123456789");
    char *end;

    if (n == 0 || (digits[0] == '0' && (n > 1 || digits > text)))
        return NULL;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno || *value < -TOPOLOGY_MAX_INTEGER || *value > TOPOLOGY_MAX_INTEGER ? NULL : end;
}

static int parse_range(struct words *w, const char *word, struct topology_integers *bounds)
{
    const char *at = parse_integer(word, &bounds->lo);

    if (at && strncmp(at, "..", 2) == 0)
        at = parse_integer(at + 2, &bounds->hi);
    else
        at = NULL;
    if (!at || *at)
        return words_fail(
            w, word,
            "must be two integers from -2^62 to 2^62, as in 0..5, or one of the types "
            "i1, i2, i4, u1, u2 and u4");
    if (bounds->lo >= bounds->hi)
        return words_fail(w, word, "must be a smaller and a larger integer, as in 0..5");
    return 0;
}

int topology_integers_line(struct words *w, struct topology_integers *bounds)
{
    const char *word = w->word[1];

    if (!word)
        return words_fail(w, w->word[0], "needs a range or a type after it, as in 0..5 or u1");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i].name) == 0) {
            *bounds = types[i].bounds;
            return words_end(w, 2);
        }
    return parse_range(w, word, bounds) ? -1 : words_end(w, 2);
}

int topology_integers_samples(struct words *w, uint64_t *most)
{
    static const char *const names[] = { "most=", NULL };
    struct pair pair;

    if (!w->word[1])
        return 0;
    pair = pairs_of(w->word[1]);
    if (words_pair(w, &pair, names) < 0 ||
        words_number(w, pair.text, pair.value, 1, TOPOLOGY_MAX_INTEGER, most))
        return -1;
    return words_end(w, 2);
}
