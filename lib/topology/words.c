#include "topology/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void words_free(struct words *w)
{
    free(w->word);
    w->word = NULL;
    w->max_words = 0;
}

int words_fail(struct words *w, const char *word, const char *format, ...)
{
    char reason[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(reason, sizeof reason, format, ap);
    va_end(ap);
    return err_set(w->err, HAGG_E_MALFORMED, "%s:%zu: '%.40s': %s", w->name, w->line,
                   word ? word : "", reason);
}

int words_no_memory(struct words *w)
{
    return err_errno(w->err, "%s", w->name);
}

int words_grow(struct words *w, void *array, size_t n, size_t *max, size_t size)
{
    return array_reserve(array, n + 1, max, size) ? words_no_memory(w) : 0;
}

int words_split(struct words *w, char *line)
{
    size_t n = 0;
    char *word, *rest = line;

    line[strcspn(line, "#")] = 0;
    for (const char *c = line; *c; c++)
        if (((unsigned char)*c < 0x20 && *c != '\t') || (unsigned char)*c > 0x7e)
            return words_fail(w, line, "contains characters that are not printable ASCII");
    do {
        if (words_grow(w, &w->word, n, &w->max_words, sizeof *w->word))
            return -1;
        do
            word = strsep(&rest, " \t");
        while (word && !*word);
        w->word[n++] = word;
    } while (word);
    return 0;
}

int words_end(struct words *w, size_t at)
{
    return w->word[at] ? words_fail(w, w->word[at], "is an extra word") : 0;
}

/* Parses decimal digits without leading zeros, up to max. *end points after them. */
static int parse_digits(struct words *w, const char *word, const char *digits, uint64_t max,
                        uint64_t *value, const char **end)
{
    uint64_t v = 0;
    const char *c = digits;

    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');

        /* v * 10 + digit > max, without overflow */
        if (digit > max || v > (max - digit) / 10)
            return words_fail(w, word, "number must be at most %llu", (unsigned long long)max);
        v = v * 10 + digit;
        if (c > digits && digits[0] == '0')
            return words_fail(w, word, "number has a leading zero");
    }
    if (c == digits)
        return words_fail(w, word, "is not a number");
    *value = v;
    *end = c;
    return 0;
}

int words_number(struct words *w, const char *word, const char *digits, uint64_t min, uint64_t max,
                 uint64_t *value)
{
    const char *end = digits;

    if (!digits)
        return words_fail(w, word, "needs a number after it");
    if (parse_digits(w, word, digits, max, value, &end))
        return -1;
    if (*end)
        return words_fail(w, word, "is not a number");
    if (*value < min)
        return words_fail(w, word, "number must be at least %llu", (unsigned long long)min);
    return 0;
}

/* "7" or "3-9" */
static int parse_range(struct words *w, const char *word, uint32_t max, uint64_t *first,
                       uint64_t *last)
{
    const char *end = word;

    if (parse_digits(w, word, word, max, first, &end))
        return -1;
    *last = *first;
    if (*end == '-' && parse_digits(w, word, end + 1, max, last, &end))
        return -1;
    if (*end)
        return words_fail(w, word, "is neither a number nor a range");
    if (*first == 0)
        return words_fail(w, word, "numbers start at 1");
    if (*first > *last)
        return words_fail(w, word, "range runs backwards");
    return 0;
}

static bool is_number_word(const char *word)
{
    return word && word[0] >= '0' && word[0] <= '9';
}

int words_list(struct words *w, size_t *at, uint32_t max, uint32_t max_n,
               struct topology_list *list)
{
    const char *before = w->word[*at - 1];
    size_t n = 0, end = *at;
    uint64_t first, last;

    for (; is_number_word(w->word[end]); end++) {
        if (parse_range(w, w->word[end], max, &first, &last))
            return -1;
        n += last - first + 1;
        if (n > max_n)
            return words_fail(w, w->word[end], "makes the list longer than %u numbers", max_n);
        if (w->n_numbers + n > TOPOLOGY_MAX_NUMBERS)
            return words_fail(w, w->word[end], "the lists of this topology are too long");
    }
    if (n == 0)
        return words_fail(w, before, "needs numbers after it");
    w->n_numbers += n;
    list->numbers = malloc(n * sizeof *list->numbers);
    if (!list->numbers)
        return words_no_memory(w);
    for (; *at < end; (*at)++) {
        if (parse_range(w, w->word[*at], max, &first, &last))
            return -1;
        for (uint64_t number = first; number <= last; number++)
            list->numbers[list->n++] = (uint32_t)number;
    }
    return 0;
}

int words_pair(struct words *w, const struct pair *pair, const char *const *names)
{
    struct hagg_err cause = { 0 };
    int i = pairs_find(pair, names, &cause);

    return i < 0 ? words_fail(w, pair->text, "%s", cause.text) : i;
}
