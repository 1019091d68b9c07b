#include "cost/count/fraction.h"

#include <stdlib.h>
#include <string.h>

/* Longer fractions, counting the digits of numerator and denominator, are not printed for
 * people. */
#define MOST_DIGITS 24
#define DECIMALS    3

void fraction_set_integer(mpz_t z, uint64_t value)
{
    mpz_import(z, 1, 1, sizeof value, 0, 0, &value);
}

void fraction_add_product(mpz_t sum, uint64_t a, uint64_t b)
{
    mpz_t x, y;

    mpz_inits(x, y, NULL);
    fraction_set_integer(x, a);
    fraction_set_integer(y, b);
    mpz_addmul(sum, x, y);
    mpz_clears(x, y, NULL);
}

void fraction_add(mpq_t sum, uint64_t times, uint64_t num, uint64_t den)
{
    mpq_t term;
    mpz_t factor;

    mpq_init(term);
    mpz_init(factor);
    fraction_set_integer(mpq_numref(term), num);
    fraction_set_integer(factor, times);
    mpz_mul(mpq_numref(term), mpq_numref(term), factor);
    fraction_set_integer(mpq_denref(term), den);
    mpq_canonicalize(term);
    mpq_add(sum, sum, term);
    mpz_clear(factor);
    mpq_clear(term);
}

void fraction_print_decimal(const mpq_t q, struct text *text)
{
    mpz_t scaled, unit;
    char *digits;

    mpz_inits(scaled, unit, NULL);
    mpz_ui_pow_ui(unit, 10, DECIMALS);
    /* floor(2 q unit + 1) / 2: rounds half away from zero; costs are never negative */
    mpz_mul(scaled, mpq_numref(q), unit);
    mpz_mul_2exp(scaled, scaled, 1);
    mpz_add(scaled, scaled, mpq_denref(q));
    mpz_fdiv_q(scaled, scaled, mpq_denref(q));
    mpz_fdiv_q_2exp(scaled, scaled, 1);
    mpz_fdiv_qr(scaled, unit, scaled, unit);
    digits = mpz_get_str(NULL, 10, scaled);
    text_printf(text, "%s.%0*lu", digits, DECIMALS, mpz_get_ui(unit));
    free(digits);
    mpz_clears(scaled, unit, NULL);
}

void fraction_print(const mpq_t q, struct text *text)
{
    char *digits;

    if (mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) > MOST_DIGITS) {
        text_printf(text, "about ");
        fraction_print_decimal(q, text);
        return;
    }
    digits = mpq_get_str(NULL, 10, q);
    text_printf(text, "%s", digits);
    free(digits);
    if (mpz_cmp_ui(mpq_denref(q), 1) != 0) {
        text_printf(text, " = ");
        fraction_print_decimal(q, text);
    }
}

/* value = round(q 10^shift), half away from zero; q is not negative. */
static void scale(mpz_t value, const mpq_t q, long shift)
{
    mpz_t power, den;

    mpz_inits(power, den, NULL);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
    mpz_set(den, mpq_denref(q));
    mpz_set(value, mpq_numref(q));
    mpz_mul(shift < 0 ? den : value, shift < 0 ? den : value, power);
    mpz_mul_2exp(value, value, 1);
    mpz_add(value, value, den);
    mpz_mul_2exp(den, den, 1);
    mpz_fdiv_q(value, value, den);
    mpz_clears(power, den, NULL);
}

/* Prints the digits with the last `shift` of them after the decimal point, without trailing
 * zeros. */
static void print_shifted(const char *digits, long shift, struct text *text)
{
    long n = (long)strlen(digits), end = n;

    while (end > n - shift && end > 0 && digits[end - 1] == '0')
        end--;
    if (n <= shift)
        text_printf(text, "0");
    else
        text_printf(text, "%.*s", (int)(n - shift), digits);
    if (end > n - shift)
        text_printf(text, ".");
    for (long zeros = shift - n; zeros > 0; zeros--)
        text_printf(text, "0");
    if (end > n - shift) {
        long from = n > shift ? n - shift : 0;

        text_printf(text, "%.*s", (int)(end - from), digits + from);
    }
}

static void print_significant(const mpq_t q, long n_digits, struct text *text)
{
    long shift = n_digits;
    char *digits;
    mpz_t value;

    if (mpq_sgn(q) == 0) {
        text_printf(text, "0");
        return;
    }
    mpz_init(value);
    /* the first guess may be off by one digit, and rounding up may add one */
    shift -= (long)mpz_sizeinbase(mpq_numref(q), 10) - (long)mpz_sizeinbase(mpq_denref(q), 10);
    for (;;) {
        scale(value, q, shift);
        digits = mpz_get_str(NULL, 10, value);
        if ((long)strlen(digits) == n_digits)
            break;
        shift += n_digits - (long)strlen(digits);
        free(digits);
    }
    if (shift < 0) {
        text_printf(text, "%s", digits);
        for (; shift < 0; shift++)
            text_printf(text, "0");
    } else
        print_shifted(digits, shift, text);
    free(digits);
    mpz_clear(value);
}

void fraction_print_digits(const mpq_t q, struct text *text)
{
    print_significant(q, 15, text);
}

void fraction_print_seven(const mpq_t q, struct text *text)
{
    print_significant(q, 7, text);
}

void fraction_print_exact(const mpq_t q, struct text *text)
{
    char *digits = mpq_get_str(NULL, 10, q);

    text_printf(text, "%s", digits);
    free(digits);
}

void fraction_print_integer(const mpz_t z, struct text *text)
{
    char *digits = mpz_get_str(NULL, 10, z);

    text_printf(text, "%s", digits);
    free(digits);
}

void fraction_print_short(const mpq_t q, struct text *text)
{
    if (mpz_cmp_ui(mpq_denref(q), 1) == 0)
        fraction_print_integer(mpq_numref(q), text);
    else
        fraction_print_decimal(q, text);
}
