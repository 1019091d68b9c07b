#include "cost/report/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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
    return !*text && s->first <= s->last && s->step > (s->geometric ? 1u : 0u) &&
           (!s->geometric || s->first > 0) &&
           (s->geometric || (s->last - s->first) / s->step < MOST_POINTS);
}

int sweep_parse(struct sweep *s, const char *text, struct hagg_err *err)
{
    size_t n = strcspn(text, "=");
    char *name = strndup(text, n);

    *s = (struct sweep){ 0 };
    if (!name)
        return err_errno(err, "sweep");
    s->parameter = parameters_find(name);
    free(name);
    if (s->parameter == N_PARAMETERS)
        return err_set(err, HAGG_E_USAGE, "unknown parameter '%.*s' for --sweep", (int)n, text);
    if (text[n] != '=' || !parse_values(s, text + n + 1))
        return err_set(err, HAGG_E_USAGE,
                       "a sweep is written %s=FIRST..LAST, FIRST..LAST..STEP or "
                       "FIRST..LAST..xFACTOR, of at most %u points, not '%s'",
                       parameters_name(s->parameter), MOST_POINTS, text);
    return 0;
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
    if (t->unit == SWEEP_BOUND)
        mpq_set(n, r->bound);
    else
        fraction_add(n, t->unit == SWEEP_CLIENTS ? r->n_clients : 1, 1, 1);
    for (size_t i = 0; i < r->n_rows; i++) {
        size_t c = find_column(t, &r->rows[i]);

        if (c == REPORT_ROWS || mpq_sgn(n) == 0)
            continue;
        point->has[c] = true;
        mpq_div(point->totals[c], r->rows[i].sheet.total.times, n);
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
        text_printf(text, "%llu", (unsigned long long)t->points[i].value);
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
    text_printf(text, "%s", parameters_name(t->sweep.parameter));
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
    static const char *const units[] = { "sent / vector", "sent / (clients x vector)",
                                         "sent / lower bound" };

    gnuplot_begin(text);
    text_printf(text, "$costs << end_of_costs\n");
    print_tabs(t, ' ', "?", fraction_print_digits, text);
    text_printf(text, "end_of_costs\n\nset datafile separator tab\nset datafile missing '?'\n");
    text_printf(text, "set key outside right top\nset grid\nset xlabel '%s'\nset ylabel '%s'\n",
                parameters_name(t->sweep.parameter), units[t->unit]);
    if (t->sweep.geometric)
        text_printf(text, "set logscale %s\n", t->unit == SWEEP_BOUND ? "x" : "xy");
    text_printf(text,
                "plot for [i = 2:%zu] $costs using 1:i with lines linewidth 2 dashtype i - 1 title "
                "columnheader(i)\n",
                t->n_columns + 1);
}
