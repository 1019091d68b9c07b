#include "audit/audit_report.h"

#include "audit/findings.h"
#include "records/describe.h"

/* Kinds of clients that are named; if there are more, they are put together. */
#define KINDS_NAMED 12

static void put_members(const char *one, const struct rangeset *set, struct text *text)
{
    text_printf(text, "%s%s ", one, rangeset_count(set) > 1 ? "s" : "");
    findings_put_numbers(set, text);
}

/* Names the couriers if they could learn the vector by opening what they pass on: they have the
 * computed share, or pass it on. */
static void put_couriers(const struct unlimited_kind *k, struct text *text)
{
    const char *whose = rangeset_count(&k->clients) > 1 ? "their" : "its";
    bool holds = k->couriers.n == 1 && rangeset_overlap(&k->computed, k->couriers.ranges[0].first,
                                                        k->couriers.ranges[0].first);

    if (holds && rangeset_count(&k->computed) == 1)
        text_printf(text, ", %s courier", whose);
    else if (holds)
        text_printf(text, " (%u is %s courier)", k->couriers.ranges[0].first, whose);
    else if (k->carried) {
        text_printf(text, " or %s courier, ", whose);
        put_members("station", &k->couriers, text);
    }
}

void audit_report_against(const struct unlimited_kind *k, bool relays, struct text *text)
{
    text_printf(text, "coalitions with ");
    if (k->federator)
        text_printf(text, "the federator%s", relays ? " or a relay" : "");
    if (k->federator && k->computed.n > 0)
        text_printf(text, k->key_computed.n > 0 ? ", or with " : " or ");
    if (k->key_computed.n > 0) {
        text_printf(text, "computed shares of both the vector (");
        put_members("station", &k->computed, text);
        text_printf(text, ") and the key (");
        put_members("station", &k->key_computed, text);
        text_printf(text, ")");
    } else if (k->computed.n > 0) {
        text_printf(text, rangeset_count(&k->computed) > 1 ? "one of " : "");
        put_members("station", &k->computed, text);
    }
    put_couriers(k, text);
}

void audit_report_assumption(const struct unlimited *u, struct text *text)
{
    text_printf(text,
                "expansions of seeds of honest nodes cannot be distinguished from uniform elements "
                "(AES-256 in counter mode)");
    if (u->has_couriers)
        text_printf(text, ", and couriers cannot open what is sealed for others");
}

static void put_kind(const struct unlimited_kind *k, bool relays, struct text *text)
{
    text_printf(text, "computational: ");
    put_members("client", &k->clients, text);
    text_printf(text, ": against ");
    audit_report_against(k, relays, text);
    text_printf(text, "\n");
}

/* Kinds are alike if the same words describe them without numbers. */
static unsigned likeness(const struct unlimited_kind *k)
{
    return k->federator | (k->computed.n > 0) << 1 | (k->key_computed.n > 0) << 2 | k->carried << 3;
}

/* The same for all clients of the kinds that are alike. */
static void put_alike(const struct unlimited *u, unsigned like, bool relays, struct text *text)
{
    struct rangeset all = { 0 };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < u->n_kinds; i++)
        for (size_t r = 0; r < u->kinds[i].clients.n && likeness(&u->kinds[i]) == like; r++)
            if (rangeset_append(&all, u->kinds[i].clients.ranges[r].first,
                                u->kinds[i].clients.ranges[r].last, &err))
                text->failed = true;
    rangeset_settle(&all);
    if (all.n > 0) {
        text_printf(text, "computational: ");
        put_members("client", &all, text);
        text_printf(text, ": against coalitions with ");
        text_printf(text, like & 1 ? "the federator" : "");
        text_printf(text, like & 1 && relays ? " or a relay" : "");
        text_printf(text, (like & 3) == 3 ? " or " : "");
        text_printf(text, like & 4   ? "computed shares of both vector and key"
                          : like & 2 ? "a computed share"
                                     : "");
        text_printf(text, like & 8 ? ", or a courier" : "");
        text_printf(text, " (--json lists the stations)\n");
    }
    rangeset_free(&all);
}

static void put_kinds(const struct unlimited *u, bool relays, struct text *text)
{
    for (size_t i = 0; i < u->n_kinds && u->n_kinds <= KINDS_NAMED; i++)
        put_kind(&u->kinds[i], relays, text);
    for (unsigned like = 0; like < 16 && u->n_kinds > KINDS_NAMED; like++)
        put_alike(u, like, relays, text);
}

/* True if something holds against coalitions with the federator. */
static bool needs_total(const struct unlimited *u)
{
    bool found = u->proved.n > 0;

    for (size_t i = 0; i < u->n_kinds; i++)
        found = found || !u->kinds[i].federator;
    return found;
}

void audit_report_proved(const struct unlimited *u, struct text *text)
{
    if (u->minimum > 0)
        text_printf(text, ", in totals with at least %u of them (minimum %llu ensures that)",
                    u->fewest, (unsigned long long)u->minimum);
}

void audit_report_total(const struct unlimited *u, struct text *text)
{
    if (!needs_total(u))
        return;
    if (u->proved.n == 0)
        text_printf(text, ", in totals with at least %u clients for which this holds", u->fewest);
    else if (u->minimum > 0)
        text_printf(text, ", in the same totals");
    if (u->few_missing && u->most_missing == 0)
        text_printf(text, ", if no client is missing");
    else if (u->few_missing)
        text_printf(text, ", if at most %u client%s missing", u->most_missing,
                    u->most_missing == 1 ? " is" : "s are");
}

void audit_report_seeds(const struct unlimited *u, bool relays, struct text *text)
{
    text_printf(text, "assumed: ");
    audit_report_assumption(u, text);
    text_printf(text, "\n");
    if (u->open) {
        text_printf(text, "not decided: against whom this assumption is needed\n");
        return;
    }
    if (u->proved.n > 0) {
        text_printf(text, "information-theoretic: ");
        put_members("client", &u->proved, text);
        audit_report_proved(u, text);
        text_printf(text, "\n");
    }
    put_kinds(u, relays, text);
    text_printf(text, "against all other coalitions: information-theoretic");
    audit_report_total(u, text);
    text_printf(text, "\n");
}

static void json_set(struct json *j, const char *name, const struct rangeset *set)
{
    describe_ranges_json(j, name, set->ranges, set->n);
}

void audit_report_seeds_json(const struct unlimited *u, struct json *j)
{
    struct text words = { 0 };

    audit_report_assumption(u, &words);
    json_open(j, "privacy", '{');
    json_string(j, "assumed", text_ok(&words) ? words.bytes : "");
    j->text->failed = j->text->failed || words.failed;
    text_free(&words);
    json_bool(j, "decided", !u->open);
    json_uint(j, "fewest", u->fewest);
    json_uint(j, "minimum", u->minimum);
    if (u->few_missing)
        json_uint(j, "most_missing", u->most_missing);
    else
        json_null(j, "most_missing");
    json_set(j, "information_theoretic", u->open ? &(struct rangeset){ 0 } : &u->proved);
    json_open(j, "computational", '[');
    for (size_t i = 0; i < u->n_kinds && !u->open; i++) {
        const struct unlimited_kind *k = &u->kinds[i];

        json_open(j, NULL, '{');
        json_set(j, "clients", &k->clients);
        json_bool(j, "federator", k->federator);
        json_set(j, "stations", &k->computed);
        json_set(j, "key_stations", &k->key_computed);
        json_set(j, "couriers", &k->couriers);
        json_bool(j, "carried", k->carried);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}
