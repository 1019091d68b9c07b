#include "round/options.h"

#include <ctype.h>
#include <string.h>

#include "plan/plan_collusion.h"

/* Checks that a file name can be written in a list of commands. */
static int check_name(const char *option, const char *name, struct hagg_err *err)
{
    bool strange = !name[0];

    for (const char *c = name; *c; c++)
        strange = strange || iscntrl((unsigned char)*c);
    if (strange || name[0] == '-')
        return err_set(err, HAGG_E_USAGE,
                       "%s: '%s' cannot be part of a command: it must not be empty, begin with a "
                       "hyphen or contain control characters",
                       option, name);
    return 0;
}

static int check_pattern(const char *option, const char *name, bool wanted, struct hagg_err *err)
{
    if (check_name(option, name, err))
        return -1;
    if (wanted && !strstr(name, "{}"))
        return err_set(
            err, HAGG_E_USAGE,
            "%s: '%s' is the same file for all clients: use {} for the number of the client",
            option, name);
    if (!wanted && (strstr(name, "{}") || strstr(name, "{client}")))
        return err_set(err, HAGG_E_USAGE, "%s: '%s' must not contain {} or {client}", option, name);
    return 0;
}

int options_check(const struct round_options *o, struct hagg_err *err)
{
    const struct topology *t = &o->plan->topology;

    if (check_name("the plan", o->plan_path, err) ||
        check_pattern("--vectors", o->vectors, true, err) ||
        check_pattern("--workdir", o->directory, false, err) ||
        (o->result && check_name("--output", o->result, err)) ||
        (o->state && check_name("--state", o->state, err)) ||
        (o->identity && check_name("--identity", o->identity, err)) ||
        (o->samples && check_pattern("--samples", o->samples, true, err)))
        return -1;
    if (t->samples != (o->samples != NULL))
        return err_set(err, HAGG_E_USAGE,
                       t->samples ? "%s: has a samples line: use --samples"
                                  : "%s: has no samples line: omit --samples",
                       o->plan->name);
    if (t->length > 0 && o->length > 0 && t->length != o->length)
        return err_set(err, HAGG_E_MISMATCH, "%s: sets length %llu: omit --length", o->plan->name,
                       (unsigned long long)t->length);
    return plan_collusion_accept(o->plan, o->presence.clients, o->unsafe_plan, err);
}
