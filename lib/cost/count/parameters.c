#include "cost/count/parameters.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "topology/topology_price_lines.h"

/* The product of this and two numbers of nodes fits in 64 bits. */
#define MOST_CLIENTS 1000000000u

static const struct {
    const char *name;
    uint64_t min, max;
} table[N_PARAMETERS] = {
    [PARAMETER_CLIENTS] = { "clients", 1, MOST_CLIENTS },
    [PARAMETER_STATIONS] = { "stations", 1, TOPOLOGY_MAX_NODES },
    [PARAMETER_RELAYS] = { "relays", 0, TOPOLOGY_MAX_NODES },
    [PARAMETER_REACH] = { "reach", 1, TOPOLOGY_MAX_NODES },
    [PARAMETER_REACH_MOST] = { "reach-most", 1, TOPOLOGY_MAX_NODES },
    [PARAMETER_V] = { "v", 1, TOPOLOGY_MAX_NODES },
    [PARAMETER_RELAY_REACH] = { "relay-reach", 1, TOPOLOGY_MAX_NODES },
    [PARAMETER_PATTERNS] = { "patterns", 1, MOST_CLIENTS },
    [PARAMETER_LENGTH] = { "length", 1, LIMIT_LENGTH },
    [PARAMETER_COLLUDE_CLIENTS] = { "collude-clients", 0, MOST_CLIENTS },
    [PARAMETER_COLLUDE_STATIONS] = { "collude-stations", 0, TOPOLOGY_MAX_NODES },
    [PARAMETER_COLLUDE_RELAYS] = { "collude-relays", 0, TOPOLOGY_MAX_NODES },
    [PARAMETER_DROP_CLIENTS] = { "drop-clients", 0, MOST_CLIENTS },
    [PARAMETER_DROP_STATIONS] = { "drop-stations", 0, TOPOLOGY_MAX_NODES },
    [PARAMETER_DROP_RELAYS] = { "drop-relays", 0, TOPOLOGY_MAX_NODES },
    [PARAMETER_SEED] = { "seed", 0, UINT64_MAX },
};

const char *parameters_name(enum parameter parameter)
{
    return table[parameter].name;
}

enum parameter parameters_find(const char *name)
{
    enum parameter i = 0;

    while (i < N_PARAMETERS && strcmp(table[i].name, name) != 0)
        i++;
    return i;
}

int parameters_set(struct parameters *p, enum parameter parameter, uint64_t value,
                   struct hagg_err *err)
{
    if (value < table[parameter].min || value > table[parameter].max)
        return err_set(err, HAGG_E_USAGE, "%s must be from %llu to %llu, not %llu",
                       table[parameter].name, (unsigned long long)table[parameter].min,
                       (unsigned long long)table[parameter].max, (unsigned long long)value);
    p->values[parameter] = value;
    p->given[parameter] = true;
    return 0;
}

int parameters_parse(struct parameters *p, enum parameter parameter, const char *digits,
                     struct hagg_err *err)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(digits, &end, 10);
    if (!isdigit((unsigned char)*digits) || *end || errno)
        return err_set(err, HAGG_E_USAGE, "%s must be a number, not '%s'", table[parameter].name,
                       digits);
    return parameters_set(p, parameter, value, err);
}

int parameters_set_tolerance(struct parameters *p, enum parameter base, const char *text,
                             struct hagg_err *err)
{
    static const char *const words[] = {
        "partial", "full", "clients=", "stations=", "relays=", NULL
    };
    const char *option = base == PARAMETER_DROP_CLIENTS ? "--drop" : "--collude";
    const unsigned kinds = base == PARAMETER_DROP_CLIENTS ? 0 : 2; /* partial and full */
    char *copy = strdup(text), *rest = copy;
    int status = copy ? 0 : err_errno(err, "%s", option);
    struct pair pair;

    while (status == 0 && pairs_next(&rest, &pair)) {
        struct hagg_err cause = { 0 };
        int i = pairs_find(&pair, words + 2 - kinds, &cause);

        if (i < 0)
            status = err_set(err, cause.status, "%s: %s", option, cause.text);
        else if (!pair.value) {
            p->full = strcmp(pair.text, "full") == 0;
            p->has_kind = true;
        } else
            status = parameters_parse(p, base + (unsigned)i - kinds, pair.value, err);
    }
    free(copy);
    return status;
}

bool parameters_have_price(const struct parameters *p)
{
    bool any = false;

    for (enum topology_link link = 0; link < N_LINKS; link++)
        any = any || p->prices[link].den > 0;
    return any;
}

static int set_prices(struct topology *t, const struct parameters *p, struct hagg_err *err)
{
    if (topology_price_lines_apply(t, p->prices, "price", err) == 0)
        return 0;
    err->status = HAGG_E_USAGE;
    return -1;
}

uint64_t parameters_reach(const struct parameters *p, const struct topology *t)
{
    if (p->given[PARAMETER_V])
        return p->values[PARAMETER_V] + topology_colluders(t, 0) + topology_spares(t, 0);
    return p->given[PARAMETER_REACH] ? p->values[PARAMETER_REACH] : t->n_stations;
}

/* Without relays a sharing needs this many stations. With relays it is enough if stations and
 * relays can each have sharings of their own. Shares that relays pass on unchanged need more, but
 * not every row has those. */
static int check_sharings(const struct topology *t, uint64_t reach, struct hagg_err *err)
{
    struct topology apart = topology_apart(t);
    struct hagg_err cause = { 0 };

    if (topology_check_holders(&apart, 0, reach, "each client", &cause) == 0 &&
        (t->n_relays == 0 || topology_check_holders(&apart, 1, t->n_relays, "relays", &cause) == 0))
        return 0;
    return err_set(err, cause.status == HAGG_E_MALFORMED ? HAGG_E_USAGE : cause.status, "%s",
                   cause.text);
}

static int check_reach(const struct parameters *p, const struct topology *t, struct hagg_err *err)
{
    uint64_t reach = parameters_reach(p, t);
    uint64_t most = p->given[PARAMETER_REACH_MOST] ? p->values[PARAMETER_REACH_MOST] : reach;

    if (p->given[PARAMETER_V] && p->given[PARAMETER_REACH])
        return err_set(err, HAGG_E_USAGE, "use only one of reach and v: each determines the other");
    if (most < reach)
        return err_set(err, HAGG_E_USAGE,
                       "reach-most is %llu, but each client reaches at least %llu",
                       (unsigned long long)most, (unsigned long long)reach);
    if (most > t->n_stations)
        return err_set(err, HAGG_E_USAGE, "each client would reach %llu stations, but there are %u",
                       (unsigned long long)most, t->n_stations);
    if (check_sharings(t, reach, err))
        return -1;
    if (p->values[PARAMETER_RELAY_REACH] > t->n_relays)
        return err_set(err, HAGG_E_USAGE, "each station would reach %llu relays, but there are %u",
                       (unsigned long long)p->values[PARAMETER_RELAY_REACH], t->n_relays);
    if (p->values[PARAMETER_PATTERNS] > t->n_clients)
        return err_set(err, HAGG_E_USAGE, "there cannot be more patterns than clients");
    return 0;
}

static void set_topology(struct topology *t, const struct parameters *p)
{
    const uint64_t *v = p->values;

    *t = (struct topology){
        .full = p->full,
        .collude_clients = (uint32_t)v[PARAMETER_COLLUDE_CLIENTS],
        .collude_stations = (uint32_t)v[PARAMETER_COLLUDE_STATIONS],
        .collude_relays = (uint32_t)v[PARAMETER_COLLUDE_RELAYS],
        .drop_clients = (uint32_t)v[PARAMETER_DROP_CLIENTS],
        .drop_stations = (uint32_t)v[PARAMETER_DROP_STATIONS],
        .drop_relays = (uint32_t)v[PARAMETER_DROP_RELAYS],
        .length = v[PARAMETER_LENGTH],
        .minimum = (uint32_t)v[PARAMETER_COLLUDE_CLIENTS] + 2,
        .n_stations = (uint32_t)v[PARAMETER_STATIONS],
        .n_relays = (uint32_t)v[PARAMETER_RELAYS],
        .n_clients = v[PARAMETER_CLIENTS],
    };
    snprintf(t->field, sizeof t->field, "%s", p->field[0] ? p->field : "m31");
    snprintf(t->scheme, sizeof t->scheme, "%s", p->scheme[0] ? p->scheme : "ramp");
}

int parameters_plan(const struct parameters *p, struct plan *plan, struct hagg_err *err)
{
    struct topology *t = &plan->topology;

    for (enum parameter i = 0; i <= PARAMETER_STATIONS; i++)
        if (!p->given[i])
            return err_set(err, HAGG_E_USAGE, "specify the number of %s with --%s", table[i].name,
                           table[i].name);
    *plan = (struct plan){ .name = strdup("parameters") };
    set_topology(t, p);
    if (!plan->name) {
        err_errno(err, "parameters");
        goto fail;
    }
    if (check_reach(p, t, err) || set_prices(t, p, err) ||
        !(plan->field = field_open(t->field, err)) || !(plan->scheme = scheme_open(t->scheme, err)))
        goto fail;
    if (parameters_reach(p, t) >= plan->field->info.order) {
        err_set(err, HAGG_E_USAGE,
                "field '%s' has too few points for %llu stations: use a larger one", t->field,
                (unsigned long long)parameters_reach(p, t));
        goto fail;
    }
    return 0;
fail:
    plan_free(plan);
    return -1;
}

int parameters_override(const struct parameters *p, struct plan *plan, struct hagg_err *err)
{
    struct topology *t = &plan->topology;
    uint32_t *const places[N_PARAMETERS] = {
        [PARAMETER_COLLUDE_CLIENTS] = &t->collude_clients,
        [PARAMETER_COLLUDE_STATIONS] = &t->collude_stations,
        [PARAMETER_COLLUDE_RELAYS] = &t->collude_relays,
        [PARAMETER_DROP_CLIENTS] = &t->drop_clients,
        [PARAMETER_DROP_STATIONS] = &t->drop_stations,
        [PARAMETER_DROP_RELAYS] = &t->drop_relays,
    };

    for (enum parameter i = 0; i < N_PARAMETERS; i++) {
        if (!p->given[i])
            continue;
        if (i == PARAMETER_LENGTH)
            t->length = p->values[i];
        else if (places[i])
            *places[i] = (uint32_t)p->values[i];
        else
            return err_set(err, HAGG_E_USAGE, "%s cannot be used with a plan: %s sets it",
                           table[i].name, plan->name);
    }
    /* promises are about more stations than the number of the plan */
    if (p->given[PARAMETER_COLLUDE_STATIONS])
        t->n_tolerated = 0;
    if (p->field[0] || p->scheme[0])
        return err_set(err, HAGG_E_USAGE, "%s sets its own field and scheme", plan->name);
    if (p->has_kind)
        t->full = p->full;
    return set_prices(t, p, err);
}
