#include "audit/require.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pairs.h"
#include "identity/identities.h"
#include "plan/plan_identities.h"

#define SEPARATORS ", \t"
#define BLANKS     " \t"
#define SIGNS      "<>=!~"

/* What a condition can be about. */
struct row {
    const char *name;         /* ends with = if there is a value, as in pairs.h */
    const char *const *words; /* the values, if they are not numbers */
    bool ordered;             /* True if a word includes all words before it. */
    bool needs_proof;         /* True if only what is proved counts. */
    struct require_range (*find)(const struct plan *p); /* 0 or 1 if there is no value */
};

static struct require_range exactly(uint64_t n)
{
    return (struct require_range){ n, n };
}

static struct require_range find_clients(const struct plan *p)
{
    return exactly(p->topology.collude_clients);
}

static struct require_range find_stations(const struct plan *p)
{
    return exactly(p->topology.collude_stations);
}

/* With protocol aligned, relays see only what the federator may see. */
static struct require_range find_relays(const struct plan *p)
{
    const struct topology *t = &p->topology;

    return exactly(t->aligned || t->n_relays == 0 ? REQUIRE_ALL : t->collude_relays);
}

static struct require_range find_collusion(const struct plan *p)
{
    return exactly(p->topology.full);
}

static struct require_range find_minimum(const struct plan *p)
{
    return exactly(p->topology.minimum);
}

/* Without a number in the drop line, clients may be left out down to the minimum; with protocol
 * keys under full collusion, only if the plan is private for those that remain. */
static struct require_range find_drop_clients(const struct plan *p)
{
    const struct topology *t = &p->topology;
    uint64_t most = t->n_clients > t->minimum ? t->n_clients - t->minimum : 0;

    if (t->drop_clients > 0)
        return exactly(t->drop_clients);
    return (struct require_range){ t->aligned || !t->full ? most : 0, most };
}

static struct require_range find_drop_stations(const struct plan *p)
{
    return exactly(p->topology.drop_stations);
}

static struct require_range find_drop_relays(const struct plan *p)
{
    return exactly(p->topology.n_relays == 0 ? REQUIRE_ALL : p->topology.drop_relays);
}

static struct require_range find_protocol(const struct plan *p)
{
    return exactly(p->topology.aligned ? 0 : 1);
}

/* A file that is missing, incomplete or not the one of the plan does not count. */
static struct require_range find_identities(const struct plan *p)
{
    struct hagg_err err;
    struct identities *ids = plan_identities_given(p) ? identities_load(p, &err) : NULL;
    bool valid = ids != NULL;

    identities_free(ids);
    return exactly(valid);
}

static struct require_range find_privacy(const struct plan *p)
{
    return exactly(!topology_has_seeds(&p->topology));
}

/* who colludes with whom: full collusion includes partial collusion */
static const char *const collusions[] = { "partial", "full", NULL };
static const char *const privacies[] = { "computational", "information-theoretic", NULL };
static const char *const protocols[] = { "aligned", "keys", NULL };

static const struct row rows[] = {
    { "clients=", .needs_proof = true, .find = find_clients },
    { "stations=", .needs_proof = true, .find = find_stations },
    { "relays=", .needs_proof = true, .find = find_relays },
    { "collusion=", collusions, .ordered = true, .needs_proof = true, .find = find_collusion },
    { "privacy=", privacies, .ordered = true, .needs_proof = true, .find = find_privacy },
    { "minimum=", .find = find_minimum },
    { "drop-clients=", .find = find_drop_clients },
    { "drop-stations=", .find = find_drop_stations },
    { "drop-relays=", .find = find_drop_relays },
    { "protocol=", protocols, .find = find_protocol },
    { "identities", .find = find_identities },
};

#define N_ROWS (sizeof rows / sizeof rows[0])

static const char *const signs[] = { [REQUIRE_AT_LEAST] = ">=",
                                     [REQUIRE_AT_MOST] = "<=",
                                     [REQUIRE_EQUAL] = "=",
                                     [REQUIRE_PRESENT] = "" };

/* The words of a condition, all of which end with NUL. */
struct words {
    const char *name, *sign, *value;
};

/* Cuts the next condition off *rest. Blanks around the sign are accepted. Returns false at the
 * end. */
static bool next_condition(char **rest, struct text *sign, struct words *w)
{
    char *name = *rest + strspn(*rest, SEPARATORS);
    char *name_end = name + strcspn(name, SEPARATORS SIGNS);
    char *at = name_end + strspn(name_end, BLANKS), *value, *value_end;
    size_t n = strspn(at, SIGNS);

    if (!*name)
        return false;
    text_reset(sign);
    text_printf(sign, "%.*s", (int)n, at);
    value = n > 0 ? at + n + strspn(at + n, BLANKS) : name_end;
    value_end = value + strcspn(value, SEPARATORS);
    *rest = *value_end ? value_end + 1 : value_end;
    *value_end = *name_end = 0;
    *w = (struct words){ name, sign->bytes, n > 0 ? value : "" };
    return true;
}

static int fail_unknown(const struct words *w, struct hagg_err *err)
{
    const struct pair pair = { w->name, strlen(w->name), w->value };
    const char *names[N_ROWS + 1] = { NULL };

    for (size_t i = 0; i < N_ROWS; i++)
        names[i] = rows[i].name;
    return pairs_find(&pair, names, err);
}

static int find_row(const struct words *w, size_t *found, struct hagg_err *err)
{
    size_t n = strlen(w->name);

    for (size_t i = 0; i < N_ROWS; i++)
        if (strcspn(rows[i].name, "=") == n && memcmp(rows[i].name, w->name, n) == 0) {
            *found = i;
            return 0;
        }
    return fail_unknown(w, err);
}

static int parse_relation(const struct row *row, const struct words *w,
                          enum require_relation *relation, struct hagg_err *err)
{
    bool has_value = strchr(row->name, '='), is_known = false;

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strcmp(w->sign, signs[i]) == 0) {
            *relation = (enum require_relation)i;
            is_known = true;
        }
    if (!has_value && *w->sign)
        return err_set(err, HAGG_E_USAGE, "'%s' does not accept a value", w->name);
    /* the shell takes > in an argument without quotes for a redirection */
    if (has_value && !*w->sign)
        return err_set(err, HAGG_E_USAGE,
                       "'%s' needs a value, as in '%s%s%s': quote it for the shell", w->name,
                       w->name, row->words ? "=" : ">=", row->words ? row->words[1] : "1");
    if (!is_known || (row->words && *relation != REQUIRE_EQUAL))
        return err_set(err, HAGG_E_USAGE, "'%s%s%s': use %s", w->name, w->sign, w->value,
                       row->words ? "=" : ">=, <= or =");
    return 0;
}

static int parse_word(const struct row *row, const struct words *w, uint64_t *value,
                      struct hagg_err *err)
{
    const char *nearest = pairs_nearest(w->value, strlen(w->value), row->words);

    for (size_t i = 0; row->words[i]; i++)
        if (strcmp(row->words[i], w->value) == 0) {
            *value = i;
            return 0;
        }
    if (nearest)
        return err_set(err, HAGG_E_USAGE, "'%s%s%s': did you mean '%s'?", w->name, w->sign,
                       w->value, nearest);
    return err_set(err, HAGG_E_USAGE, "'%s%s%s': use %s or %s", w->name, w->sign, w->value,
                   row->words[0], row->words[1]);
}

static int parse_number(const struct words *w, uint64_t *value, struct hagg_err *err)
{
    const char *c = w->value;

    *value = 0;
    for (; *c >= '0' && *c <= '9' && *value <= UINT32_MAX; c++)
        *value = *value * 10 + (uint64_t)(*c - '0');
    if (*c || c == w->value || *value > UINT32_MAX)
        return err_set(err, HAGG_E_USAGE, "'%s%s%s': the value must be a number from 0 to %u",
                       w->name, w->sign, w->value, UINT32_MAX);
    return 0;
}

static int add_condition(struct require *r, const struct words *w, struct hagg_err *err)
{
    struct require_condition c = { 0 };

    if (find_row(w, &c.row, err) || parse_relation(&rows[c.row], w, &c.relation, err))
        return -1;
    if (c.relation != REQUIRE_PRESENT &&
        (rows[c.row].words ? parse_word(&rows[c.row], w, &c.value, err)
                           : parse_number(w, &c.value, err)))
        return -1;
    if (ARRAY_RESERVE(r->conditions, r->n + 1, r->capacity))
        return err_errno(err, "no memory for conditions");
    r->conditions[r->n++] = c;
    return 0;
}

int require_parse(struct require *r, const char *text, struct hagg_err *err)
{
    char *copy = strdup(text), *rest = copy;
    size_t before = r->n;
    struct text sign = { 0 };
    struct words w;
    int status = copy ? 0 : err_errno(err, "no memory for conditions");

    while (status == 0 && next_condition(&rest, &sign, &w))
        status =
            text_ok(&sign) ? add_condition(r, &w, err) : err_errno(err, "no memory for conditions");
    /* room for the condition that require_judge may add */
    if (status == 0 && ARRAY_RESERVE(r->conditions, r->n + 1, r->capacity))
        status = err_errno(err, "no memory for conditions");
    if (status == 0 && r->n == before)
        status = err_set(err, HAGG_E_USAGE,
                         "there is no condition: give some, as in 'stations>=1 clients>=1'");
    text_free(&sign);
    free(copy);
    return status;
}

void require_free(struct require *r)
{
    free(r->conditions);
    *r = (struct require){ 0 };
}

static bool is_met(const struct require_condition *c)
{
    if (!c->proved)
        return false;
    if (c->relation == REQUIRE_PRESENT)
        return c->has.low > 0;
    if (c->relation == REQUIRE_AT_LEAST || rows[c->row].ordered)
        return c->has.low >= c->value;
    if (c->relation == REQUIRE_AT_MOST)
        return c->has.high <= c->value;
    return c->has.low == c->value && c->has.high == c->value;
}

/* Whoever does not know of seeds must not accept a plan in which they make privacy weaker. */
static void require_privacy(struct require *r)
{
    size_t row = 0;

    while (rows[row].find != find_privacy)
        row++;
    for (size_t i = 0; i < r->n; i++)
        if (r->conditions[i].row == row)
            return;
    r->conditions[r->n++] =
        (struct require_condition){ .row = row, .relation = REQUIRE_EQUAL, .value = 1 };
}

void require_judge(struct require *r, const struct plan *p, bool proved)
{
    r->proved = proved;
    if (r->n > 0 && topology_has_seeds(&p->topology))
        require_privacy(r);
    for (size_t i = 0; i < r->n; i++) {
        struct require_condition *c = &r->conditions[i];

        c->has = rows[c->row].find(p);
        c->proved = proved || !rows[c->row].needs_proof;
        c->met = is_met(c);
    }
}

bool require_is_met(const struct require *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (!r->conditions[i].met)
            return false;
    return r->proved;
}

void require_put_condition(const struct require_condition *c, struct text *text)
{
    const struct row *row = &rows[c->row];

    text_printf(text, "%.*s%s", (int)strcspn(row->name, "="), row->name, signs[c->relation]);
    if (row->words)
        text_printf(text, "%s", row->words[c->value]);
    else if (c->relation != REQUIRE_PRESENT)
        text_printf(text, "%llu", (unsigned long long)c->value);
}

void require_put_has(const struct require_condition *c, struct text *text)
{
    const struct row *row = &rows[c->row];

    if (!c->proved)
        text_printf(text, "not proved");
    else if (c->relation == REQUIRE_PRESENT)
        text_printf(text, c->has.low > 0 ? "some" : "none");
    else if (row->words)
        text_printf(text, "%s", row->words[c->has.low]);
    else if (c->has.low == REQUIRE_ALL)
        text_printf(text, "all");
    else if (c->has.low == c->has.high)
        text_printf(text, "%llu", (unsigned long long)c->has.low);
    else
        text_printf(text, "%llu to %llu", (unsigned long long)c->has.low,
                    (unsigned long long)c->has.high);
}

void require_put_list(const struct require *r, bool met, struct text *text)
{
    const char *before = "";

    for (size_t i = 0; i < r->n; i++) {
        const struct require_condition *c = &r->conditions[i];

        if (c->met != met)
            continue;
        text_printf(text, "%s", before);
        require_put_condition(c, text);
        text_printf(text, c->proved ? " (has " : " (");
        require_put_has(c, text);
        text_printf(text, ")");
        before = ", ";
    }
}

static void json_has(struct json *j, const struct require_condition *c)
{
    bool is_number = c->relation != REQUIRE_PRESENT && !rows[c->row].words &&
                     c->has.low != REQUIRE_ALL && c->has.low == c->has.high;
    struct text words = { 0 };

    if (!c->proved)
        json_null(j, "has");
    else if (is_number)
        json_uint(j, "has", c->has.low);
    else {
        require_put_has(c, &words);
        json_string(j, "has", text_ok(&words) ? words.bytes : "");
    }
    j->text->failed = j->text->failed || words.failed;
    text_free(&words);
}

void require_json(const struct require *r, struct json *j)
{
    json_bool(j, "meets", require_is_met(r));
    json_open(j, "required", '[');
    for (size_t i = 0; i < r->n; i++) {
        struct text condition = { 0 };

        require_put_condition(&r->conditions[i], &condition);
        json_open(j, NULL, '{');
        json_string(j, "condition", text_ok(&condition) ? condition.bytes : "");
        json_has(j, &r->conditions[i]);
        json_bool(j, "met", r->conditions[i].met);
        json_close(j, '}');
        j->text->failed = j->text->failed || condition.failed;
        text_free(&condition);
    }
    json_close(j, ']');
}
