#include "cost/report/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pairs.h"
#include "cost/report/align.h"
#include "cost/count/fraction.h"
#include "cost/report/gnuplot.h"

#define MOST_POINTS 100000u

/* Parses the number at *text and advances *text; false if there is none. */
static bool parse_number(const char **text, uint64_t *value)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static bool skip_word(const char **text, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*text, word, n) != 0)
        return false;
    *text += n;
    return true;
}

/* Checks the step of ascending values and their number. */
static bool is_possible(const struct sweep *s)
{
    return s->step > (s->geometric ? 1u : 0u) && (!s->geometric || s->first > 0) &&
           (s->geometric || (s->last - s->first) / s->step < MOST_POINTS);
}

static bool parse_values(struct sweep *s, const char *text)
{
    s->step = 1;
    if (!parse_number(&text, &s->first) || !skip_word(&text, "..") ||
        !parse_number(&text, &s->last))
        return false;
    if (*text) {
        if (!skip_word(&text, ".."))
            return false;
        s->geometric = skip_word(&text, "x");
        if (!parse_number(&text, &s->step))
            return false;
    }
    return !*text;
}

/* Parses a price up to the next dots, or to the end, and advances *text past them. */
static bool parse_price(const char **text, struct ratio *price)
{
    const char *dots = strstr(*text, "..");
    size_t n = dots ? (size_t)(dots - *text) : strlen(*text);
    bool ok = ratio_parse(*text, n, price) == RATIO_OK;

    *text += n + (dots ? 2 : 0);
    return ok && (!dots || **text);
}

/* Makes *den a multiple of the price's. */
static bool add_denominator(uint32_t *den, struct ratio price)
{
    uint64_t common = *den / ratio_gcd(*den, price.den) * price.den;

    *den = (uint32_t)common;
    return common <= RATIO_MOST;
}

static bool parse_prices(struct sweep *s, const char *text)
{
    struct ratio first, last, step = { 1, 1 };

    if (!parse_price(&text, &first) || !parse_price(&text, &last))
        return false;
    s->geometric = *text == 'x';
    text += s->geometric;
    if (*text && (!parse_price(&text, &step) || *text))
        return false;
    if ((s->geometric && step.den != 1) || !add_denominator(&s->den, first) ||
        !add_denominator(&s->den, last) || (!s->geometric && !add_denominator(&s->den, step)))
        return false;
    s->first = (uint64_t)first.num * (s->den / first.den);
    s->last = (uint64_t)last.num * (s->den / last.den);
    s->step = s->geometric ? step.num : (uint64_t)step.num * (s->den / step.den);
    return true;
}

#define PRICE "price-"

/* Finds the parameter, or the price, of this name. */
static bool find_name(struct sweep *s)
{
    size_t n = strlen(s->name) - (sizeof PRICE - 1);

    s->parameter = parameters_find(s->name);
    if (s->parameter < N_PARAMETERS || strncmp(s->name, PRICE, sizeof PRICE - 1) != 0)
        return s->parameter < N_PARAMETERS;
    for (s->link = 0; s->link < N_LINKS; s->link++) {
        const char *word = topology_price_words[s->link];

        if (strlen(word) == n + 1 && strncmp(word, s->name + sizeof PRICE - 1, n) == 0)
            return true;
    }
    return false;
}

/* Suggests the most similar name, or lists all of them. */
static int fail_name(const char *name, size_t n, struct hagg_err *err)
{
    char prices[N_LINKS][40];
    const char *names[N_PARAMETERS + N_LINKS + 1] = { NULL }, *nearest;
    struct text list = { 0 };

    for (size_t i = 0; i < N_PARAMETERS; i++)
        names[i] = parameters_name((enum parameter)i);
    for (size_t i = 0; i < N_LINKS; i++) {
        snprintf(prices[i], sizeof prices[i], PRICE "%.*s",
                 (int)strcspn(topology_price_words[i], "="), topology_price_words[i]);
        names[N_PARAMETERS + i] = prices[i];
    }
    nearest = pairs_nearest(name, n, names);
    if (nearest)
        return err_set(err, HAGG_E_USAGE,
                       "unknown parameter '%.*s' for --sweep: did you mean '%s'?", (int)n, name,
                       nearest);
    for (size_t i = 0; names[i]; i++)
        text_printf(&list, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
    err_set(err, HAGG_E_USAGE, "unknown parameter '%.*s' for --sweep: use %s", (int)n, name,
            text_ok(&list) ? list.bytes : "another");
    text_free(&list);
    return -1;
}

int sweep_parse(struct sweep *s, const char *text, struct hagg_err *err)
{
    size_t n = strcspn(text, "=");
    bool price, ok;

    *s = (struct sweep){ .den = 1 };
    if (n < sizeof s->name)
        memcpy(s->name, text, n);
    if (!find_name(s))
        return fail_name(text, n, err);
    price = s->parameter == N_PARAMETERS;
    if (text[n] == '=' && (text[n + 1] == '-' || strstr(text + n, "..-")))
        return err_set(err, HAGG_E_USAGE, "the values of a sweep cannot be negative: '%s'", text);
    ok = text[n] == '=' && (price ? parse_prices : parse_values)(s, text + n + 1);
    if (ok && s->first > s->last)
        return err_set(err, HAGG_E_USAGE,
                       "the values of a sweep must ascend: write the smaller one first in '%s'",
                       text);
    if (!ok || !is_possible(s))
        return err_set(err, HAGG_E_USAGE,
                       "a sweep is written %s=FIRST..LAST, FIRST..LAST..STEP or "
                       "FIRST..LAST..xFACTOR, of at most %u points, not '%s'",
                       s->name, MOST_POINTS, text);
    return 0;
}

int sweep_set(const struct sweep *s, struct parameters *p, uint64_t value, struct hagg_err *err)
{
    uint64_t common = ratio_gcd(value, s->den);

    if (s->parameter < N_PARAMETERS)
        return parameters_set(p, s->parameter, value, err);
    if (value / common > RATIO_MOST)
        return err_set(err, HAGG_E_USAGE, "%s: a price must be at most %u", s->name, RATIO_MOST);
    p->prices[s->link] = (struct ratio){ (uint32_t)(value / common), s->den / (uint32_t)common };
    return 0;
}

void sweep_print_value(const struct sweep *s, uint64_t value, struct text *text)
{
    ratio_print(value, s->den, text);
}

bool sweep_next(const struct sweep *s, uint64_t *value)
{
    if (s->geometric ? *value > s->last / s->step : s->last - *value < s->step)
        return false;
    *value = s->geometric ? *value * s->step : *value + s->step;
    return true;
}

struct column {
    const char *name, *sets, *against;
};

struct point {
    uint64_t value;
    bool has[REPORT_ROWS];
    mpq_t totals[REPORT_ROWS];
};

struct sweep_table {
    struct sweep sweep;
    enum sweep_unit unit;
    bool has_price; /* totals are prices */
    struct column columns[REPORT_ROWS];
    size_t n_columns;
    struct point *points;
    size_t n_points, capacity;
};

struct sweep_table *sweep_table_new(const struct sweep *s, enum sweep_unit unit,
                                    struct hagg_err *err)
{
    struct sweep_table *t = calloc(1, sizeof *t);

    if (!t)
        err_errno(err, "sweep");
    else
        *t = (struct sweep_table){ .sweep = *s, .unit = unit };
    return t;
}

void sweep_table_free(struct sweep_table *t)
{
    for (size_t i = 0; t && i < t->n_points; i++)
        for (size_t c = 0; c < REPORT_ROWS; c++)
            mpq_clear(t->points[i].totals[c]);
    if (t)
        free(t->points);
    free(t);
}

/* The column of a row; adds it if it is new, because not every protocol applies at every point. */
static size_t find_column(struct sweep_table *t, const struct report_row *row)
{
    size_t c = 0;

    while (c < t->n_columns && (strcmp(t->columns[c].name, row->name) != 0 ||
                                strcmp(t->columns[c].sets, row->sets) != 0 ||
                                strcmp(t->columns[c].against, row->against) != 0))
        c++;
    if (c == t->n_columns && c < REPORT_ROWS)
        t->columns[t->n_columns++] = (struct column){ row->name, row->sets, row->against };
    return c;
}

/* What the totals are divided by. */
static void divisor_of(mpq_t n, const struct sweep_table *t, const struct report *r)
{
    if (t->unit == SWEEP_BOUND)
        mpq_set(n, t->has_price ? r->price_bound : r->bound);
    else
        fraction_add(n, t->unit == SWEEP_CLIENTS ? r->n_clients : 1, 1, 1);
}

int sweep_table_add(struct sweep_table *t, uint64_t value, const struct report *r,
                    struct hagg_err *err)
{
    struct point *point;
    mpq_t n;

    if (ARRAY_RESERVE(t->points, t->n_points + 1, t->capacity))
        return err_errno(err, "sweep");
    point = &t->points[t->n_points++];
    *point = (struct point){ .value = value };
    for (size_t c = 0; c < REPORT_ROWS; c++)
        mpq_init(point->totals[c]);
    mpq_init(n);
    t->has_price = r->price_unit > 0;
    divisor_of(n, t, r);
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct report_row *row = &r->rows[i];
        size_t c = t->has_price && !report_has_price(r, row) ? REPORT_ROWS : find_column(t, row);

        if (c == REPORT_ROWS || mpq_sgn(n) == 0)
            continue;
        point->has[c] = true;
        if (t->has_price)
            sheet_line_price(point->totals[c], &row->sheet.total, r->price_unit);
        else
            mpq_set(point->totals[c], row->sheet.total.times);
        mpq_div(point->totals[c], point->totals[c], n);
    }
    mpq_clear(n);
    return 0;
}

/* "c1 fewest", with the kind of collusion added if only that distinguishes two columns, or if there
 * is no privacy. */
static void print_heading(const struct sweep_table *t, size_t c, char between, struct text *text)
{
    const struct column *column = &t->columns[c];
    bool twice = false;

    for (size_t i = 0; i < t->n_columns; i++)
        twice = twice || (i != c && strcmp(t->columns[i].name, column->name) == 0 &&
                          strcmp(t->columns[i].sets, column->sets) == 0);
    text_printf(text, "%s", column->name);
    if (column->sets[0])
        text_printf(text, "%c%s", between, column->sets);
    if (strcmp(column->against, "not private") == 0)
        text_printf(text, "%c(not private)", between);
    else if (twice)
        text_printf(text, "%c%s", between, column->against);
}

static void print_points(const struct sweep_table *t, const char *missing,
                         void (*print)(const mpq_t, struct text *), struct text *text)
{
    for (size_t i = 0; i < t->n_points; i++) {
        sweep_print_value(&t->sweep, t->points[i].value, text);
        for (size_t c = 0; c < t->n_columns; c++) {
            text_printf(text, "\t");
            if (t->points[i].has[c])
                print(t->points[i].totals[c], text);
            else
                text_printf(text, "%s", missing);
        }
        text_printf(text, "\n");
    }
}

static void print_tabs(const struct sweep_table *t, char between, const char *missing,
                       void (*print)(const mpq_t, struct text *), struct text *text)
{
    text_printf(text, "%s", t->sweep.name);
    for (size_t c = 0; c < t->n_columns; c++) {
        text_printf(text, "\t");
        print_heading(t, c, between, text);
    }
    text_printf(text, "\n");
    print_points(t, missing, print, text);
}

void sweep_table_print(const struct sweep_table *t, struct text *text)
{
    struct text lines = { 0 };

    print_tabs(t, ' ', "-", fraction_print_seven, &lines);
    text->failed = text->failed || !text_ok(&lines);
    if (text_ok(&lines))
        align_columns(text, lines.bytes);
    text_free(&lines);
}

void sweep_table_print_tsv(const struct sweep_table *t, struct text *text)
{
    print_tabs(t, ' ', "", fraction_print_digits, text);
}

void sweep_table_print_gnuplot(const struct sweep_table *t, struct text *text)
{
    static const char *const units[] = { "vector", "(clients x vector)", "lower bound" };

    gnuplot_begin(text);
    text_printf(text, "$costs << end_of_costs\n");
    print_tabs(t, ' ', "?", fraction_print_digits, text);
    text_printf(text, "end_of_costs\n\nset datafile separator tab\nset datafile missing '?'\n");
    text_printf(text,
                "set key outside right top\nset grid\nset xlabel '%s'\nset ylabel '%s / %s'\n",
                t->sweep.name, t->has_price ? "price" : "sent", units[t->unit]);
    if (t->sweep.geometric)
        text_printf(text, "set logscale %s\n", t->unit == SWEEP_BOUND ? "x" : "xy");
    text_printf(text,
                "plot for [i = 2:%zu] $costs using 1:i with lines linewidth 2 dashtype i - 1 title "
                "columnheader(i)\n",
                t->n_columns + 1);
}
