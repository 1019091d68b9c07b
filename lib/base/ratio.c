#include "base/ratio.h"

#include <stdbool.h>

#define MOST_DIGITS 18
#define DECIMALS    1000000u

uint64_t ratio_gcd(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Parses digits up to `end`, and appends them to *value. Returns how many there are. */
static size_t parse_digits(const char **text, const char *end, uint64_t *value)
{
    const char *begin = *text;

    for (; *text < end && **text >= '0' && **text <= '9'; ++*text)
        if (*text - begin < MOST_DIGITS)
            *value = *value * 10 + (uint64_t)(**text - '0');
    return (size_t)(*text - begin);
}

static bool has_leading_zero(const char *text, size_t n_digits)
{
    return n_digits > 1 && text[0] == '0';
}

enum ratio_result ratio_parse(const char *text, size_t n, struct ratio *r)
{
    const char *end = text + n, *at = text;
    uint64_t num = 0, den = 1, common;
    size_t n_digits = parse_digits(&at, end, &num), n_more = 0;

    if (n_digits == 0 || has_leading_zero(text, n_digits))
        return RATIO_MALFORMED;
    if (at < end && (*at == '.' || *at == '/')) {
        bool decimal = *at == '.';
        const char *digits = ++at;

        den = decimal ? 1 : 0;
        if (decimal && n_digits <= MOST_DIGITS) {
            while (at < end && *at >= '0' && *at <= '9' && n_digits + n_more < MOST_DIGITS) {
                num = num * 10 + (uint64_t)(*at++ - '0');
                den *= 10;
                n_more++;
            }
            n_more += parse_digits(&at, end, &(uint64_t){ 0 });
        } else
            n_more = parse_digits(&at, end, &den);
        if (n_more == 0 || (!decimal && has_leading_zero(digits, n_more)))
            return RATIO_MALFORMED;
    }
    if (at < end || den == 0)
        return RATIO_MALFORMED;
    common = ratio_gcd(num, den);
    if (n_digits + n_more > MOST_DIGITS || num / common > RATIO_MOST || den / common > RATIO_MOST)
        return RATIO_TOO_LARGE;
    *r = (struct ratio){ (uint32_t)(num / common), (uint32_t)(den / common) };
    return RATIO_OK;
}

void ratio_print(uint64_t num, uint64_t den, struct text *text)
{
    uint64_t common = ratio_gcd(num, den), decimals;
    int n_digits = 6;

    num /= common;
    den /= common;
    text_printf(text, "%llu", (unsigned long long)(DECIMALS % den == 0 ? num / den : num));
    if (den == 1)
        return;
    if (DECIMALS % den != 0) {
        text_printf(text, "/%llu", (unsigned long long)den);
        return;
    }
    decimals = num % den * (DECIMALS / den);
    for (; decimals % 10 == 0; decimals /= 10)
        n_digits--;
    text_printf(text, ".%0*llu", n_digits, (unsigned long long)decimals);
}
