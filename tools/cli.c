#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli_complete.h"

const char *cli_version(void)
{
    return HAGG_VERSION;
}

static void print_version(FILE *stream, struct argp_state *state)
{
    fprintf(stream, "%s (hagg) %s\n", state->name, cli_version());
}

static bool parsing;

/* argp exits after --help and similar options without checking for write errors. */
static void check_help(void)
{
    if (parsing && (fflush(stdout) || ferror(stdout))) {
        fprintf(stderr, "%s: standard output: %s\n", program_invocation_short_name,
                strerror(errno));
        _exit(HAGG_E_SYSTEM);
    }
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *args)
{
    if (argc > 1 && strcmp(argv[1], CLI_COMPLETE) == 0)
        exit(cli_complete(argp, args, argv + 2));
    parsing = atexit(check_help) == 0;
    argp_program_version_hook = print_version;
    argp_err_exit_status = HAGG_E_USAGE;
    argp_parse(argp, argc, argv, 0, NULL, args);
    parsing = false;
}

/* The report of --json. facts are the members of the object, each after a comma. */
static struct {
    bool is_on;
    struct timespec start;
    struct text facts, notes;
    struct json to_facts, to_notes;
} report;

void cli_json_begin(void)
{
    report.is_on = true;
    clock_gettime(CLOCK_MONOTONIC, &report.start);
    report.to_facts = (struct json){ .text = &report.facts, .comma = true };
    report.to_notes = (struct json){ .text = &report.notes };
}

struct json *cli_json(void)
{
    return report.is_on ? &report.to_facts : NULL;
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

/* error is NULL on success. */
static void print_report(int status, const char *error)
{
    struct text line = { 0 };
    struct json j = { .text = &line };
    char seconds[32];

    snprintf(seconds, sizeof seconds, "%.3f", seconds_since(&report.start));
    json_open(&j, NULL, '{');
    json_string(&j, "command", program_invocation_short_name);
    json_string(&j, "version", cli_version());
    json_uint(&j, "status", (uint64_t)status);
    if (error)
        json_string(&j, "error", error);
    else
        json_null(&j, "error");
    text_printf(&line, "%s,\"notes\":[%s]", report.facts.len > 0 ? report.facts.bytes : "",
                report.notes.len > 0 ? report.notes.bytes : "");
    json_number(&j, "seconds", seconds);
    json_close(&j, '}');
    text_printf(&line, "\n");
    if (text_ok(&line) && text_ok(&report.facts) && text_ok(&report.notes))
        fwrite(line.bytes, 1, line.len, stderr);
    else
        fprintf(stderr,
                "{\"command\":\"%s\",\"status\":%d,\"error\":\"no memory for the report\"}\n",
                program_invocation_short_name, status);
    text_free(&line);
    text_free(&report.facts);
    text_free(&report.notes);
    report.is_on = false;
}

int cli_fail(const struct hagg_err *err)
{
    if (report.is_on) {
        print_report(err->status, err->text);
        return err->status;
    }
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->text);
    return err->status;
}

void cli_note(const char *format, ...)
{
    char *line;
    va_list ap;
    int n;

    va_start(ap, format);
    n = vasprintf(&line, format, ap);
    va_end(ap);
    if (n < 0)
        report.notes.failed = true;
    else if (report.is_on)
        json_string(&report.to_notes, NULL, line);
    else
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
    if (n >= 0)
        free(line);
}

int cli_print(struct text *t, struct hagg_err *err)
{
    if (!text_ok(t))
        return err_errno(err, "no memory for the output");
    if (t->len > 0 && fwrite(t->bytes, 1, t->len, stdout) != t->len)
        return err_errno(err, "standard output");
    text_reset(t);
    return 0;
}

int cli_close_stdout(void)
{
    int told = ferror(stdout); /* already reported by the caller of cli_print */
    struct hagg_err err;

    if (fclose(stdout) == 0 && !told) {
        if (report.is_on)
            print_report(HAGG_OK, NULL);
        return HAGG_OK;
    }
    if (told)
        return HAGG_E_SYSTEM;
    err_errno(&err, "standard output");
    return cli_fail(&err);
}
