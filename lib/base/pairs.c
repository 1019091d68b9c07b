#include "base/pairs.h"

#include <string.h>

#include "base/text.h"

#define SEPARATORS ", \t"
#define LONGEST    24 /* longer words and names are not compared */
#define MOST_WRONG 2  /* edit distance up to which a name is suggested */

struct pair pairs_of(const char *word)
{
    size_t len = strcspn(word, "=");

    return (struct pair){ word, len, word[len] ? word + len + 1 : NULL };
}

bool pairs_next(char **rest, struct pair *pair)
{
    char *word = *rest + strspn(*rest, SEPARATORS), *end = word;

    for (;;) {
        char *next;

        end += strcspn(end, SEPARATORS);
        next = end + strspn(end, SEPARATORS);
        *rest = next;
        if (*next < '0' || *next > '9' || !memchr(word, '=', (size_t)(end - word)))
            break;
        end = next;
    }
    *end = 0;
    *pair = pairs_of(word);
    return *word != 0;
}

static size_t name_length(const char *name)
{
    return strcspn(name, "=");
}

/* Levenshtein distance: insertions, deletions and replacements of letters. */
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t row[LONGEST + 1];

    for (size_t j = 0; j <= n_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t before = row[0]; /* the entry above and to the left */

        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            size_t least = before + (a[i - 1] != b[j - 1]);

            before = row[j];
            least = row[j] + 1 < least ? row[j] + 1 : least;
            row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
        }
    }
    return row[n_b];
}

const char *pairs_nearest(const char *word, size_t len, const char *const *names)
{
    const char *nearest = NULL;
    size_t least = MOST_WRONG + 1;

    for (; *names && len <= LONGEST; names++) {
        size_t n = name_length(*names);
        size_t d = n <= LONGEST ? distance(word, len, *names, n) : least;

        /* more than half of a short name must agree */
        if (d < least && 2 * d < n) {
            least = d;
            nearest = *names;
        }
    }
    return nearest;
}

/* "full, clients= or stations=" */
static void list_names(struct text *text, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        text_printf(text, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
}

static int fail_unknown(const struct pair *pair, const char *const *names, struct hagg_err *err)
{
    const char *nearest = pairs_nearest(pair->text, pair->name_len, names);
    int len = (int)(pair->name_len < 40 ? pair->name_len : 40);
    struct text text = { 0 };

    if (nearest)
        err_set(err, HAGG_E_USAGE, "unknown word '%.*s': did you mean '%.*s'?", len, pair->text,
                (int)name_length(nearest), nearest);
    else {
        list_names(&text, names);
        err_set(err, HAGG_E_USAGE, "unknown word '%.*s': use %s", len, pair->text,
                text_ok(&text) ? text.bytes : "another");
        text_free(&text);
    }
    return -1;
}

int pairs_find(const struct pair *pair, const char *const *names, struct hagg_err *err)
{
    for (int i = 0; names[i]; i++) {
        size_t n = name_length(names[i]);

        if (n != pair->name_len || memcmp(pair->text, names[i], n))
            continue;
        if (names[i][n] && !pair->value)
            return err_set(err, HAGG_E_USAGE, "'%s' needs a value, as in %s1", pair->text,
                           names[i]);
        if (!names[i][n] && pair->value)
            return err_set(err, HAGG_E_USAGE, "'%s' does not accept a value", names[i]);
        return i;
    }
    return fail_unknown(pair, names, err);
}
