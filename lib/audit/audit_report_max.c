#include "audit/audit_report.h"

#include <string.h>

#include "base/json.h"

struct party {
    enum audit_party party;
    const char *name;
    uint32_t n, asked;
};

#define PARTIES 3

/* True if a total of the fewest clients reveals a vector even with 0 of the party. */
static bool minimum_leaks(const struct audit_bounds *b, enum audit_party party)
{
    return b->minimum < (party == AUDIT_CLIENTS ? 0 : b->clients) + 2;
}

/* The number with the minimum of the plan: a total of so few clients must have two honest ones. */
static struct audit_most limit(const struct audit_most *any, const struct audit_bounds *b,
                               enum audit_party party)
{
    struct audit_most most = *any;

    if (minimum_leaks(b, party))
        return (struct audit_most){ .none = true };
    if (party == AUDIT_CLIENTS && most.n >= b->minimum - 2) {
        most.n = b->minimum - 2;
        most.at_least = false;
    }
    return most;
}

/* The plan is not private even with 0 of the party: what else there is that may cause it. */
static void put_none(const struct party *parties, size_t at, const struct audit_bounds *b,
                     struct text *text)
{
    const char *before = ", with the ";

    text_printf(text, "not private even with 0 %s", parties[at].name);
    if (minimum_leaks(b, parties[at].party)) {
        text_printf(text, ", because the plan's minimum is only %u", b->minimum);
        return;
    }
    for (size_t i = 0; i < PARTIES; i++) {
        if (i == at || parties[i].asked == 0)
            continue;
        text_printf(text, "%s%u %.*s", before, parties[i].asked,
                    (int)strlen(parties[i].name) - (parties[i].asked == 1), parties[i].name);
        before = " and ";
    }
    if (b->missing > 0) {
        text_printf(text, "%s%u missing client%s", before, b->missing, b->missing == 1 ? "" : "s");
        before = " and ";
    }
    if (before[0] == ' ')
        text_printf(text, " of the plan");
}

static void put_number(const struct audit_most *most, struct text *text)
{
    text_printf(text, "%s%u", most->at_least ? "at least " : "", most->n);
}

static void put_most(const struct party *parties, size_t at, const struct audit_bounds *b,
                     const struct audit_most *any, struct text *text)
{
    const struct party *p = &parties[at];
    struct audit_most most = limit(any, b, p->party);
    bool more = p->party == AUDIT_CLIENTS && !any->none && (most.none || any->n > most.n);

    text_printf(text, "%s: ", p->name);
    if (p->party == AUDIT_RELAYS && b->relays_see_total && !most.none) {
        text_printf(text, "all, they learn nothing that the federator does not learn\n");
        return;
    }
    if (most.none)
        put_none(parties, at, b, text);
    else {
        put_number(&most, text);
        text_printf(text, " of %u", p->n);
        if (more)
            text_printf(text, " with the plan's minimum %u", b->minimum);
    }
    if (more) {
        text_printf(text, any->at_least ? ", " : ", up to ");
        put_number(any, text);
        text_printf(text, " with a larger minimum");
    }
    text_printf(text, ", the plan requires %u\n", p->asked);
}

static void json_number_of(struct json *j, const struct audit_most *most)
{
    json_bool(j, "private", !most->none);
    json_uint(j, "most", most->n);
    json_bool(j, "at_least", most->at_least);
}

static void json_most(struct json *j, const struct party *p, const struct audit_bounds *b,
                      const struct audit_most *any)
{
    struct audit_most most = limit(any, b, p->party);

    json_open(j, p->name, '{');
    json_number_of(j, &most);
    json_uint(j, "asked", p->asked);
    if (p->party == AUDIT_CLIENTS) {
        json_uint(j, "minimum", b->minimum);
        json_open(j, "larger_minimum", '{');
        json_number_of(j, any);
        json_close(j, '}');
    }
    json_close(j, '}');
}

int audit_report_max(const struct model *m, const struct audit_bounds *bounds,
                     const struct audit_options *options, bool as_json, struct text *text,
                     struct hagg_err *err)
{
    const struct party parties[PARTIES] = {
        { AUDIT_CLIENTS, "clients", (uint32_t)m->n_clients, bounds->clients },
        { AUDIT_STATIONS, "stations", m->n_stations, bounds->stations },
        { AUDIT_RELAYS, "relays", m->n_relays, bounds->relays },
    };
    struct json j = { .text = text };

    if (as_json)
        json_open(&j, NULL, '{');
    for (size_t i = 0; i < PARTIES; i++) {
        struct audit_most any;

        if (parties[i].n == 0)
            continue;
        if (audit_max(&any, m, bounds, parties[i].party, options, err))
            return -1;
        if (as_json)
            json_most(&j, &parties[i], bounds, &any);
        else
            put_most(parties, i, bounds, &any, text);
    }
    if (as_json) {
        json_close(&j, '}');
        text_printf(text, "\n");
    }
    return 0;
}
