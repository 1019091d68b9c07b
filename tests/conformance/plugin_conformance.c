/*
 * plugin-conformance: tests a plugin against the contract of hagg/plugin.h.
 *
 *     plugin-conformance hagg-field-NAME.so [PARAMETERS]
 *     plugin-conformance hagg-scheme-NAME.so hagg-field-NAME.so [PARAMETERS]
 *
 * PARAMETERS are those of the field, as in p=1000003. Prints one line per failed check, then the
 * counts.
 */
#include <stdio.h>

#include "checks.h"
#include "report.h"
#include "subject.h"

/* Arguments of the command line, for the checks. */
static const char *plugin_path, *field_path;
static char *params;

static void load_plugin(struct subject *s)
{
    subject_load(s, plugin_path);
}

static void read_params(struct subject *s)
{
    subject_params(s, params);
}

/* The field over which a scheme is tested is assumed to be correct: it has its own run. */
static void load_field(struct subject *s)
{
    const struct hagg_scheme *scheme = s->scheme;

    if (!subject_load(s, field_path))
        return;
    if (!s->field)
        report_wrong("%s is not a field", field_path);
    else if (subject_params(s, params))
        subject_init_field(s);
    s->scheme = scheme;
}

static void run_field(struct subject *s)
{
    report_check("arguments", read_params, s);
    if (report_found() || !setup_run(s))
        return;
    axioms_run(s);
    vectors_run(s);
    apply_run(s);
    canonical_run(s);
    checked_run(s);
    sampling_run(s);
    integers_run(s);
    repeat_run(s);
}

static void run_scheme(struct subject *s)
{
    report_check("field", load_field, s);
    if (!report_found())
        sharing_run(s);
}

static int usage(void)
{
    fputs("usage: plugin-conformance FIELD.so [PARAMETERS]\n"
          "       plugin-conformance SCHEME.so FIELD.so [PARAMETERS]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct subject s = { 0 };

    if (argc < 2 || argc > 4)
        return usage();
    plugin_path = argv[1];
    report_check("loading", load_plugin, &s);
    if (!report_found()) {
        if (s.field ? argc > 3 : argc < 3)
            return usage();
        if (s.scheme)
            field_path = argv[2];
        params = s.field ? argv[2] : argv[3];
        if (!identity_run(&s))
            return report_close();
        if (s.field)
            run_field(&s);
        else
            run_scheme(&s);
    }
    subject_free(&s);
    return report_close();
}
