#include "cost/report/report_print.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "cost/report/scenario.h"

#define RELAYS                                                                                     \
    "collude full clients=1 stations=1 relays=1\nlength 100\nstations 4\nrelays 4\n"               \
    "station 1-4 via 1-4\n"                                                                        \
    "client 1-3 via 1-3 relays 1-3 key-relays 2-4\n"                                               \
    "client 4-6 via 2-4 relays 1-3 key-relays 2-4\n"

/* Makes a complete report of a plan and prints it in every format. */
static int report_everything(const char *text, struct hagg_err *err)
{
    struct scenario s = { 0 };
    struct text out = { 0 };
    struct json json = { .text = &out };
    struct report r;
    int status = scenario_load(&s, feed_keys(text), err);

    if (status == 0)
        status = scenario_report(&s, &r, err);
    if (status == 0) {
        report_print_table(&r, &out);
        report_print_tsv(&r, &out);
        report_print_json(&r, &json);
        report_print_gnuplot(&r, &out);
        report_free(&r);
        /* the user of the text must notice that printing failed */
        if (!text_ok(&out)) {
            status = -1;
            err->status = HAGG_E_SYSTEM;
        }
    }
    text_free(&out);
    scenario_free(&s);
    return status;
}

static int add_point(void *table, uint64_t value, const struct report *r, struct hagg_err *err)
{
    return sweep_table_add(table, value, r, err);
}

static int sweep_everything(const char *text, struct hagg_err *err)
{
    struct scenario s = { .is_random = strcmp(text, "random") == 0 };
    struct sweep sweep = { 0 };
    struct sweep_table *table = NULL;
    struct text out = { 0 };
    int status = sweep_parse(&sweep, "collude-stations=0..2", err);

    if (status == 0)
        status = parameters_set(&s.parameters, PARAMETER_CLIENTS, 5, err);
    if (status == 0)
        status = parameters_set(&s.parameters, PARAMETER_STATIONS, 4, err);
    if (status == 0)
        status = parameters_set(&s.parameters, PARAMETER_RELAYS, 4, err);
    if (status == 0)
        status = (table = sweep_table_new(&sweep, SWEEP_BOUND, err)) ? 0 : -1;
    if (status == 0)
        status = scenario_sweep(&s, &sweep, add_point, table, err);
    if (status == 0) {
        sweep_table_print(table, &out);
        sweep_table_print_tsv(table, &out);
        sweep_table_print_gnuplot(table, &out);
        if (!text_ok(&out)) {
            status = -1;
            err->status = HAGG_E_SYSTEM;
        }
    }
    sweep_table_free(table);
    text_free(&out);
    return status;
}

/* If an allocation fails, there is an error and no leak. Fails every step-th allocation in turn. */
static void fails_cleanly_without_memory(int (*make)(const char *, struct hagg_err *),
                                         const char *text, unsigned step)
{
    struct hagg_err err = { 0 };
    unsigned long n = 0;

    alloc_watch();
    CHECK(make(text, &err) == 0);
    CHECK_STR(err.text, "");
    for (;; n += step) {
        int status;

        err = (struct hagg_err){ 0 };
        alloc_refuse(n);
        status = make(text, &err);
        if (!alloc_refused())
            break;
        CHECK(status == -1 && err.status == HAGG_E_SYSTEM);
    }
    alloc_watch();
    CHECK(n > 20);
}

/* report_keep keeps the named rows and their values. */
static void keeps_named_rows(void)
{
    struct parameters p = { 0 };
    struct hagg_err err = { 0 };
    struct report r;

    CHECK(parameters_set(&p, PARAMETER_CLIENTS, 9, &err) == 0);
    CHECK(parameters_set(&p, PARAMETER_STATIONS, 3, &err) == 0);
    CHECK(report_uniform(&r, &p, &err) == 0);
    CHECK(report_find(&r, "c1", "fewest") && report_find(&r, "c2", "fewest"));
    report_keep(&r, "c2,bound");
    CHECK(r.n_rows == 2);
    CHECK(!report_find(&r, "c1", "fewest") && report_find(&r, "c2", "fewest"));
    CHECK(report_find(&r, "bound", ""));
    CHECK(r.n_values == 2); /* gamma and xi */
    /* names must match completely */
    report_keep(&r, "c,2,bounds");
    CHECK(r.n_rows == 0 && r.n_values == 0);
    report_free(&r);
    CHECK(report_check_names("c1", &err) == 0 && report_check_names("no privacy,bound", &err) == 0);
    CHECK(report_check_names("", &err) == -1 && report_check_names("c1,", &err) == -1);
    CHECK(report_check_names(",c1", &err) == -1 && report_check_names("c", &err) == -1);
}

/* Nothing is written beyond the last row or value. */
static void refuses_too_many_rows(void)
{
    struct hagg_err err = { 0 };
    struct report *r = calloc(1, sizeof *r);

    CHECK(r != NULL);
    mpq_inits(r->bound, r->sharper_low, r->sharper_high, NULL);
    for (size_t i = 0; i < REPORT_ROWS; i++)
        CHECK(report_add(r, "row", "", "", &err) == &r->rows[i]);
    CHECK(!report_add(r, "one more", "", "", &err));
    CHECK_STR(err.text, "one more: a report has no room for more than 64 rows");
    CHECK(report_finish(r, &(struct topology){ 0 }, &err) == -1);
    for (size_t i = 0; i < REPORT_VALUES; i++)
        CHECK(report_add_value(r, "value", "row", "", &err) == &r->values[i]);
    CHECK(!report_add_value(r, "one more", "row", "", &err));
    CHECK_STR(err.text, "one more: a report has no room for more than 16 values");
    CHECK(r->n_rows == REPORT_ROWS && r->n_values == REPORT_VALUES);
    report_free(r);
    free(r);
}

int main(int argc, char **argv)
{
    unsigned step = argc > 1 && strcmp(argv[1], "quick") == 0 ? 29 : 1;

    keeps_named_rows();
    refuses_too_many_rows();
    fails_cleanly_without_memory(report_everything, RELAYS, step);
    fails_cleanly_without_memory(
        report_everything, "collude partial stations=1\nstations 3\nclient 1-4 via 1-3\n", step);
    fails_cleanly_without_memory(sweep_everything, "uniform", step);
    fails_cleanly_without_memory(sweep_everything, "random", step);
    return check_end();
}
