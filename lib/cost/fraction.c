#include "fraction.h"

#include <stdlib.h>

/* Digits of numerator and denominator together that a person reads. */
#define MOST_DIGITS 24
#define DECIMALS    3

static void set_u64(mpz_t z, uint64_t value)
{
    mpz_import(z, 1, 1, sizeof value, 0, 0, &value);
}

void fraction_add(mpq_t sum, uint64_t times, uint64_t num, uint64_t den)
{
    mpq_t term;
    mpz_t factor;

    mpq_init(term);
    mpz_init(factor);
    set_u64(mpq_numref(term), num);
    set_u64(factor, times);
    mpz_mul(mpq_numref(term), mpq_numref(term), factor);
    set_u64(mpq_denref(term), den);
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
    /* floor(2 q unit + 1) / 2: half away from zero, and no cost is below it */
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
