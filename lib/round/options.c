#include "round/options.h"

#include <ctype.h>
#include <string.h>

#include "plan/plan_collusion.h"
#include "plan/plan_seeds.h"
#include "round/part.h"
#include "round/sending.h"

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

/* Checks the name of a file of clients. One client has one file. */
static int check_pattern(const struct round_options *o, const char *option, const char *name,
                         struct hagg_err *err)
{
    if (check_name(option, name, err))
        return -1;
    if (!o->node && !strstr(name, "{}"))
        return err_set(
            err, HAGG_E_USAGE,
            "%s: '%s' is the same file for all clients: use {} for the number of the client",
            option, name);
    return 0;
}

static int check_directory(const char *name, struct hagg_err *err)
{
    if (check_name("--workdir", name, err))
        return -1;
    if (strstr(name, "{}") || strstr(name, "{client}"))
        return err_set(err, HAGG_E_USAGE, "--workdir: '%s' must not contain {} or {client}", name);
    return 0;
}

/* Other nodes than clients read no vectors. */
static int check_clients(const struct round_options *o, struct hagg_err *err)
{
    const struct topology *t = &o->plan->topology;

    if (!part_has_clients(o))
        return 0;
    if (check_pattern(o, "--vectors", o->vectors, err) ||
        (o->samples && check_pattern(o, "--samples", o->samples, err)))
        return -1;
    if (t->samples != (o->samples != NULL))
        return err_set(err, HAGG_E_USAGE,
                       t->samples ? "%s: has a samples line: use --samples"
                                  : "%s: has no samples line: omit --samples",
                       o->plan->name);
    return 0;
}

int options_check(const struct round_options *o, struct hagg_err *err)
{
    const struct topology *t = &o->plan->topology;

    if (check_name("the plan", o->plan_path, err) || check_directory(o->directory, err) ||
        (o->result && check_name("--output", o->result, err)) ||
        (o->state && check_name("--state", o->state, err)) ||
        (o->identity && check_name("--identity", o->identity, err)) ||
        (o->send && sending_check(o->send, err)) || check_clients(o, err))
        return -1;
    if (t->length > 0 && o->length > 0 && t->length != o->length)
        return err_set(err, HAGG_E_MISMATCH, "%s: sets length %llu: omit --length", o->plan->name,
                       (unsigned long long)t->length);
    if (o->presence.stand_by && !protocol_has_stand_by(o->plan))
        return err_set(err, HAGG_E_USAGE,
                       "%s: --stand-by is for protocol aligned without relays, with stations that "
                       "may be missing: omit it",
                       o->plan->name);
    if (topology_has_seeds(t) && plan_seeds_check(o->plan, err))
        return -1;
    return plan_collusion_accept(o->plan, o->presence.clients, o->unsafe_plan, err);
}
