#include "vector/vector_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vector/vector.h"
#include "vector/vector_type.h"

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

static bool is_integer(const char *s)
{
    const char *digits = s + (*s == '+' || *s == '-');
    const char *end = skip_digits(digits);

    return end > digits && *end == 0;
}

/* strtod alone would also accept hexadecimal numbers and NaNs with a payload. */
static bool is_number(const char *s)
{
    const char *digits = s + (*s == '+' || *s == '-');
    const char *end = skip_digits(digits);
    bool any = end > digits;

    if (strcasecmp(digits, "nan") == 0 || strcasecmp(digits, "inf") == 0 ||
        strcasecmp(digits, "infinity") == 0)
        return true;
    if (*end == '.') {
        digits = end + 1;
        end = skip_digits(digits);
        any = any || end > digits;
    }
    if (!any)
        return false;
    return *end == 0 || ((*end == 'e' || *end == 'E') && is_integer(end + 1));
}

/* A number that became infinite was too large, unless it was written as infinity. */
static bool fits_float(const char *s, bool became_infinite)
{
    return !became_infinite || strpbrk(s, "iI");
}

static bool to_signed(const char *s, size_t size, uint64_t *bits)
{
    int64_t max = INT64_MAX >> (64 - 8 * size);
    int64_t value;

    errno = 0;
    value = strtoll(s, NULL, 10);
    *bits = (uint64_t)value;
    return errno == 0 && value <= max && value >= -max - 1;
}

static bool to_unsigned(const char *s, size_t size, uint64_t *bits)
{
    errno = 0;
    *bits = strtoull(s, NULL, 10);
    /* strtoull accepts -1 as its largest value */
    return errno == 0 && *s != '-' && *bits <= UINT64_MAX >> (64 - 8 * size);
}

/* Stores the low bytes as element i, of a signed or unsigned type. */
static void put_bits(uint64_t bits, size_t size, void *data, size_t i)
{
    if (size == 1)
        ((uint8_t *)data)[i] = (uint8_t)bits;
    else if (size == 2)
        ((uint16_t *)data)[i] = (uint16_t)bits;
    else if (size == 4)
        ((uint32_t *)data)[i] = (uint32_t)bits;
    else
        ((uint64_t *)data)[i] = bits;
}

/* Returns false if the number does not fit the type. */
static bool store(const char *s, enum vector_type type, size_t size, void *data, size_t i)
{
    uint64_t bits;
    bool fits;

    if (type == VECTOR_F4) {
        float value = strtof(s, NULL);

        ((float *)data)[i] = value;
        return fits_float(s, isinf(value));
    }
    if (type == VECTOR_F8) {
        double value = strtod(s, NULL);

        ((double *)data)[i] = value;
        return fits_float(s, isinf(value));
    }
    fits = type >= VECTOR_U1 ? to_unsigned(s, size, &bits) : to_signed(s, size, &bits);
    put_bits(bits, size, data, i);
    return fits;
}

/* Returns the number in the line from start to stop, NUL-terminated in place; empty if there is
 * none. Returns "?", which is not a number, if the line contains a NUL. */
static const char *trim(char *start, char *stop)
{
    static const char space[] = " \t\r\f\v";
    char *comment = memchr(start, '#', (size_t)(stop - start));

    if (comment)
        stop = comment;
    *stop = 0;
    if (strlen(start) < (size_t)(stop - start))
        return "?";
    start += strspn(start, space);
    while (stop > start && strchr(space, stop[-1]))
        *--stop = 0;
    return start;
}

static size_t count_lines(const char *text, const char *end)
{
    size_t n = 1;

    while ((text = memchr(text, '\n', (size_t)(end - text)))) {
        text++;
        n++;
    }
    return n;
}

/* Parses all lines into data, which has room for one number per line. */
static int parse_lines(char *text, char *end, const char *type_name, const char *name, void *data,
                       size_t *n_elems, struct hagg_err *err)
{
    enum vector_type type = vector_type(type_name);
    size_t size = vector_type_size(type_name);
    bool is_float = type_name[0] == 'f';
    char *newline;

    for (size_t line = 1; text < end; line++, text = newline + 1) {
        const char *s;

        newline = memchr(text, '\n', (size_t)(end - text));
        if (!newline)
            newline = end;
        s = trim(text, newline);
        if (*s == 0)
            continue;
        if (!(is_float ? is_number(s) : is_integer(s)))
            return err_set(err, HAGG_E_MALFORMED, "%s: line %zu: is not %s", name, line,
                           is_float ? "a number" : "an integer");
        if (!store(s, type, size, data, (*n_elems)++))
            return err_set(err, HAGG_E_MALFORMED, "%s: line %zu: does not fit type %s", name, line,
                           type_name);
    }
    return 0;
}

int vector_text_parse(char *text, size_t len, const char *type, const char *name, void **data,
                      size_t *n_elems, struct hagg_err *err)
{
    *n_elems = 0;
    *data = calloc(count_lines(text, text + len), vector_type_size(type));
    if (!*data)
        return err_errno(err, "%s", name);
    return parse_lines(text, text + len, type, name, *data, n_elems, err);
}

/* Prints the fewest digits, from 15 to 17, that give the number back. */
static int print_double(char *out, double value)
{
    int len = 0;

    for (int digits = 15; digits <= 17; digits++) {
        len = snprintf(out, VECTOR_TEXT_LINE, "%.*g\n", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    return len;
}

static int print_float(char *out, float value)
{
    int len = 0;

    for (int digits = 6; digits <= 9; digits++) {
        len = snprintf(out, VECTOR_TEXT_LINE, "%.*g\n", digits, (double)value);
        if (strtof(out, NULL) == value)
            break;
    }
    return len;
}

static int print(char *out, const void *elems, size_t i, enum vector_type type)
{
    switch (type) {
    case VECTOR_F4:
        return print_float(out, ((const float *)elems)[i]);
    case VECTOR_F8:
        return print_double(out, ((const double *)elems)[i]);
    case VECTOR_I1:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRId8 "\n", ((const int8_t *)elems)[i]);
    case VECTOR_I2:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRId16 "\n", ((const int16_t *)elems)[i]);
    case VECTOR_I4:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRId32 "\n", ((const int32_t *)elems)[i]);
    case VECTOR_I8:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRId64 "\n", ((const int64_t *)elems)[i]);
    case VECTOR_U1:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRIu8 "\n", ((const uint8_t *)elems)[i]);
    case VECTOR_U2:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRIu16 "\n", ((const uint16_t *)elems)[i]);
    case VECTOR_U4:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRIu32 "\n", ((const uint32_t *)elems)[i]);
    case VECTOR_U8:
        return snprintf(out, VECTOR_TEXT_LINE, "%" PRIu64 "\n", ((const uint64_t *)elems)[i]);
    default:
        return 0;
    }
}

size_t vector_text_format(const void *elems, size_t n, const char *type_name, char *out,
                          size_t size, size_t *done)
{
    enum vector_type type = vector_type(type_name);
    size_t len = 0;

    for (*done = 0; *done < n && size - len >= VECTOR_TEXT_LINE; (*done)++)
        len += (size_t)print(out + len, elems, *done, type);
    return len;
}
