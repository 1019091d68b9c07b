/*
 * plugin-conformance: tests a plugin against the contract of hagg/plugin.h.
 *
 *     plugin-conformance hagg-field-NAME.so [PARAMETERS]
 *     plugin-conformance hagg-scheme-NAME.so hagg-field-NAME.so [PARAMETERS [OF-SCHEME]]
 *
 * PARAMETERS are those of the field, as in p=1000003, and OF-SCHEME those of the scheme; either may
 * be empty. Prints one line per failed check, then the counts.
 */
#include <stdio.h>

#include "checks.h"
#include "report.h"
#include "subject.h"

/* Arguments of the command line, for the checks. */
static const char *plugin_path, *field_path;
static char *params, *scheme_params;

static void load_plugin(struct subject *s)
{
    subject_load(s, plugin_path);
}

static void read_params(struct subject *s)
{
    subject_params(s->params, &s->n_params, params);
}

static void read_scheme_params(struct subject *s)
{
    if (subject_params(s->scheme_params, &s->n_scheme_params, scheme_params) &&
        s->n_scheme_params > 0 && !subject_has_prefixes(s))
        report_wrong("the scheme has no parameters");
}

/* The field over which a scheme is tested is assumed to be correct: it has its own run. */
static void load_field(struct subject *s)
{
    const struct hagg_scheme *scheme = s->scheme;

    if (!subject_load(s, field_path))
        return;
    if (!s->field)
        report_wrong("%s is not a field", field_path);
    else if (subject_params(s->params, &s->n_params, params))
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
    report_check("arguments", read_scheme_params, s);
    if (report_found())
        return;
    report_check("field", load_field, s);
    if (!report_found())
        sharing_run(s);
}

static int usage(void)
{
    fputs("usage: plugin-conformance FIELD.so [PARAMETERS]\n"
          "       plugin-conformance SCHEME.so FIELD.so [PARAMETERS [OF-SCHEME]]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct subject s = { 0 };

    if (argc < 2 || argc > 5)
        return usage();
    plugin_path = argv[1];
    report_check("loading", load_plugin, &s);
    if (!report_found()) {
        if (s.field ? argc > 3 : argc < 3)
            return usage();
        params = argv[2];
        if (s.scheme) {
            field_path = argv[2];
            params = argv[3];
            scheme_params = params ? argv[4] : NULL;
        }
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
