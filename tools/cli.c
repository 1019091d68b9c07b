#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    parsing = atexit(check_help) == 0;
    argp_program_version_hook = print_version;
    argp_err_exit_status = HAGG_E_USAGE;
    argp_parse(argp, argc, argv, 0, NULL, args);
    parsing = false;
}

int cli_fail(const struct hagg_err *err)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->text);
    return err->status;
}

void cli_note(const char *format, ...)
{
    va_list ap;

    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
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

    if (fclose(stdout) == 0 && !told)
        return HAGG_OK;
    if (told)
        return HAGG_E_SYSTEM;
    err_errno(&err, "standard output");
    return cli_fail(&err);
}
