#include "cli.h"
#include "cli_confine.h"
#include "cost_args.h"
#include "cost/report/report_print.h"

static void print_report(const struct cost_args *args, const struct report *r, struct text *text)
{
    struct json json = { .text = text };

    if (args->format == FORMAT_TABLE)
        report_print_table(r, text);
    else if (args->format == FORMAT_TSV)
        report_print_tsv(r, text);
    else if (args->format == FORMAT_GNUPLOT)
        report_print_gnuplot(r, text);
    else {
        json_open(&json, NULL, '{');
        report_print_json(r, &json);
        json_close(&json, '}');
        text_printf(text, "\n");
    }
}

/* State of a sweep. */
struct run {
    const struct cost_args *args;
    struct sweep_table *table;
    struct text text;
};

/* A price may be a fraction, and is a string like other fractions. */
static void put_value(struct json *j, const struct sweep *sweep, uint64_t value)
{
    struct text text = { 0 };

    if (sweep->parameter < N_PARAMETERS) {
        json_uint(j, sweep->name, value);
        return;
    }
    sweep_print_value(sweep, value, &text);
    j->text->failed = j->text->failed || !text_ok(&text);
    json_string(j, sweep->name, text_ok(&text) ? text.bytes : "");
    text_free(&text);
}

static int add_point(void *run, uint64_t value, const struct report *r, struct hagg_err *err)
{
    struct run *s = run;
    struct json json = { .text = &s->text };

    if (s->args->format != FORMAT_JSON)
        return sweep_table_add(s->table, value, r, err);
    json_open(&json, NULL, '{');
    json_open(&json, "sweep", '{');
    put_value(&json, &s->args->sweep, value);
    json_close(&json, '}');
    report_print_json(r, &json);
    json_close(&json, '}');
    text_printf(&s->text, "\n");
    return cli_print(&s->text, err);
}

static int run_sweep(struct cost_args *args, struct text *text, struct hagg_err *err)
{
    struct run run = { args, sweep_table_new(&args->sweep, args->unit, err), { 0 } };
    int status = run.table ? 0 : -1;

    if (status == 0)
        status = scenario_sweep(&args->scenario, &args->sweep, add_point, &run, err);
    if (status == 0 && args->format == FORMAT_TABLE)
        sweep_table_print(run.table, text);
    else if (status == 0 && args->format == FORMAT_TSV)
        sweep_table_print_tsv(run.table, text);
    else if (status == 0 && args->format == FORMAT_GNUPLOT)
        sweep_table_print_gnuplot(run.table, text);
    sweep_table_free(run.table);
    text_free(&run.text);
    return status;
}

static int run_report(struct cost_args *args, struct text *text, struct hagg_err *err)
{
    struct report r;

    if (scenario_report(&args->scenario, &r, err))
        return -1;
    print_report(args, &r, text);
    if (r.left_out[0])
        cli_note("%s", r.left_out);
    if (r.length == 0 && cost_records_given(&args->records, &args->common))
        cli_note("bytes are left out, because the length of the vectors is unknown: use --length "
                 "or --shape");
    if (r.no_aligned.status)
        cli_note("rows of protocol aligned are left out: %s", r.no_aligned.text);
    if (r.n_rows == 0 && !r.left_out[0] && !r.no_aligned.status && !r.no_scheme.status)
        cli_note("this network has no row %s: without --only all rows that it has are printed",
                 args->scenario.only);
    if (r.no_scheme.status)
        cli_note("rows with sharings that the scheme does not support are left out: %s; k is n "
                 "minus the nodes that may be missing (--drop)",
                 r.no_scheme.text);
    report_free(&r);
    return 0;
}

/* Loads the plan given as an argument, by option or environment, or from standard input. */
static int load_plan(struct cost_args *args, struct hagg_err *err)
{
    const bool *given = args->scenario.parameters.given;
    const char *path =
        args->measured.n_paths > 0 ? args->measured.paths[0] : cli_options_plan(&args->common);

    if (args->measured.n_paths == 0 && !args->common.plan &&
        (given[PARAMETER_CLIENTS] || given[PARAMETER_STATIONS] || args->scenario.is_random))
        return 0;
    return scenario_load(&args->scenario, path ? path : "-", err);
}

static int run(struct cost_args *args, struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    if (args->measure) {
        args->measured.plan = cli_options_plan(&args->common);
        args->measured.format = (enum cost_measure_format)args->format;
        return cost_measure_run(&args->measured, err);
    }
    status = load_plan(args, err);
    if (status == 0)
        status = args->topology    ? scenario_print_topology(&args->scenario, &text, err)
                 : args->has_sweep ? run_sweep(args, &text, err)
                                   : run_report(args, &text, err);
    if (status == 0)
        status = cli_print(&text, err);
    text_free(&text);
    return status;
}

int main(int argc, char **argv)
{
    struct cost_args args = { 0 };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&cost_argp, argc, argv, &args);
    cli_confine(&(struct cli_options){ .no_state = true }); /* it reads records, and writes none */
    status = run(&args, &err);
    scenario_free(&args.scenario);
    cost_measure_free(&args.measured);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
