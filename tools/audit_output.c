#include "audit_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "audit/promise.h"
#include "certificate/certificate.h"
#include "cli.h"
#include "cli_write.h"

/* The date that SOURCE_DATE_EPOCH asks for, in seconds since 1970; an empty string without it. */
static int find_date(char *date, size_t room, struct hagg_err *err)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end;
    struct tm tm;
    time_t seconds;

    date[0] = '\0';
    if (!epoch || !*epoch)
        return 0;
    errno = 0;
    seconds = (time_t)strtoll(epoch, &end, 10);
    if (errno || *end || seconds < 0 || !gmtime_r(&seconds, &tm) ||
        strftime(date, room, "%Y-%m-%d", &tm) == 0)
        return err_set(err, HAGG_E_USAGE,
                       "the variable SOURCE_DATE_EPOCH must be a number of seconds since "
                       "1970, or be unset");
    return 0;
}

static int write_report(const struct audit_output *o, const struct plan *p, const struct model *m,
                        const struct audit_result *r, struct hagg_err *err)
{
    char date[32];
    struct text text = { 0 };
    struct certificate c = { .plan = p, .model = m, .result = r, .version = cli_version() };
    int status = find_date(date, sizeof date, err);

    c.date = date[0] ? date : NULL;
    if (status == 0)
        status = certificate_print(&c, &text, err);
    if (status == 0)
        status = cli_write(o->report, &text, err);
    text_free(&text);
    return status;
}

static int print_findings(const struct audit_output *o, const struct model *m,
                          const struct audit_result *r, struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    if (o->json)
        audit_report_json(r, m, &text);
    else
        audit_report_text(r, m, o->forms, &text);
    status = cli_print(&text, err);
    text_free(&text);
    /* the findings must precede the message even if both have the same destination */
    return status == 0 && fflush(stdout) ? err_errno(err, "standard output") : status;
}

/* Sets the error if the plan is not private, or if that is not decided. */
static void find_fault(const struct audit_result *r, const struct plan *p, struct hagg_err *err)
{
    struct text verdict = { 0 };

    if (r->n_leaks > 0 && !promise_tolerates(r)) {
        audit_report_verdict(r, &verdict);
        err_set(err, HAGG_E_PRIVACY, "%s: %s", p->name, verdict.bytes ? verdict.bytes : "");
    } else if (!r->one && audit_report_decide(r) == AUDIT_UNDECIDED)
        err_set(err, HAGG_E_TOO_FEW, "%s: is not decided: %s", p->name,
                r->sampled ? "only random coalitions were checked"
                           : "the time was up before all coalitions were covered");
    text_free(&verdict);
}

/* Adds the conditions that are not met to the error. Without a proof, the plan is refused even if
 * there is none. */
static void name_unmet(const struct require *required, const struct plan *p, struct hagg_err *err)
{
    struct hagg_err fault = *err;
    struct text unmet = { 0 };

    require_put_list(required, false, &unmet);
    if (!fault.status)
        err_set(err, HAGG_E_PRIVACY, "%s: is weaker than required: %s", p->name,
                unmet.len > 0 ? unmet.bytes : "");
    else if (unmet.len > 0)
        err_set(err, HAGG_E_PRIVACY, "%s; required and not met: %s", fault.text, unmet.bytes);
    else
        err->status = HAGG_E_PRIVACY;
    text_free(&unmet);
}

/* Finds out why the plan is not private although no coalition that it allows learns too much. */
static int object(struct audit_result *r, const struct plan *p, const struct model *m,
                  struct promises *promises, struct hagg_err *objection, struct hagg_err *err)
{
    struct text why = { 0 };
    int kept = promise_prove(promises, m, &why, err);

    if (kept == 0)
        err_set(objection, HAGG_E_PRIVACY, "%s: %s", p->name, text_ok(&why) ? why.bytes : "");
    if (kept == 0 || topology_check_minimum(&p->topology, p->name, objection))
        r->objection = objection->text;
    text_free(&why);
    return kept < 0 ? -1 : 0;
}

int audit_output_write(const struct audit_output *o, const struct plan *p, const struct model *m,
                       const struct audit_result *r, struct hagg_err *err)
{
    struct audit_result judged = *r; /* owns nothing */
    struct hagg_err objection = { 0 };
    struct promises promises;

    if (r->one)
        promise_compare(&promises, r, m);
    else if (object(&judged, p, m, &promises, &objection, err))
        return -1;
    if (promises.n > 0)
        judged.promises = &promises;
    if (o->required) {
        require_judge(o->required, p, audit_report_decide(&judged) == AUDIT_PRIVATE);
        judged.required = o->required;
    }
    if (o->report && write_report(o, p, m, &judged, err))
        return -1;
    if ((!o->report || strcmp(o->report, "-")) && print_findings(o, m, &judged, err))
        return -1;
    *err = (struct hagg_err){ 0 };
    find_fault(&judged, p, err);
    if (!err->status)
        *err = objection;
    if (o->required && !require_is_met(o->required))
        name_unmet(o->required, p, err);
    return err->status ? -1 : 0;
}

int audit_output_max(const struct audit_output *o, const struct plan *p, const struct model *m,
                     const struct audit_options *options, struct hagg_err *err)
{
    struct audit_bounds bounds = audit_bounds_of(p);
    struct text text = { 0 };
    int status = audit_report_max(m, &bounds, options, o->json, &text, err);

    if (status == 0)
        status = cli_print(&text, err);
    text_free(&text);
    return status;
}
