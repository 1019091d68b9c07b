/*
 * Full collusion on plans too large to count out, by linear algebra (docs/theory.md, section 10):
 * everything that anybody sees is a linear form in the clients' vectors and in what they draw. The
 * forms are those of the real client, which runs once for each of its unknowns. A set of colluders
 * learns what is left of its forms when all draws of the others are eliminated; that must be the
 * sum of the others' vectors and nothing else, exactly when the plan is said to be private.
 */
#include <stdio.h>
#include <string.h>

#include "../unit/check.h"
#include "instance.h"
#include "plan_collusion.h"

#define HEAD "field prime:p=13\ncollude full clients=1 stations=2\nstations 5\n"

static const struct test {
    const char *name, *topology;
    bool is_private;
} tests[] = {
    { "the paper's sets",
      HEAD "client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5\n"
           "client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5\n"
           "client 3 via 1-5 shares 2-5 keys 1 2 3 5\nclient 4 via 2-5 keys 2 4 5\n"
           "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\nclient 6 via 1 2 5\n",
      true },
    { "the cheapest sets",
      HEAD "client 1 2 via 1 2 3 5 shares 1 2 5 keys 1 2 3 5\n"
           "client 3 via 1-5 shares 2-5 keys 1 2 3 5\nclient 4 via 2-5 keys 2 4 5\n"
           "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\nclient 6 via 1 2 5\n",
      true },
    { "a row of five",
      HEAD "client 1 via 1-5 shares 1-3 keys 1-4\nclient 2 via 1-5 shares 1-4 keys 1-4\n"
           "client 3 via 1-5 shares 1-4 keys 2-5\nclient 4 via 1-5 shares 2-5 keys 2-5\n"
           "client 5 via 1-5 shares 2-5 keys 3-5\n",
      false },
    { "one alone", HEAD "client 1-4 via 1-4\nclient 5 via 2-5\n", false },
    { "a spare station",
      "field prime:p=13\ncollude full clients=1 stations=1\ndrop stations=1\nstations 5\n"
      "client 1 2 via 1-5 shares 1-4 keys 1-4\nclient 3 4 via 1-5 shares 1-4 keys 2-5\n"
      "client 5 via 1-5 shares 2-5 keys 1-4\n",
      true },
    { "additive",
      "field prime:p=13\nscheme additive\ncollude full clients=1 stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 1 2 keys 2 3\n"
      "client 3 via 1-3 shares 2 3 keys 2 3\nclient 4 via 1-3 shares 2 3 keys 1 2\n",
      true },
};

/* Unknowns of a client: what it draws, then its vector. Forms: the most that is sent by all. */
enum {
    DRAWN = 24,
    UNKNOWNS = DRAWN + INSTANCE_LENGTH,
    COLUMNS = INSTANCE_CLIENTS * UNKNOWNS,
    ROWS = 2 * INSTANCE_CLIENTS * INSTANCE_SECRETS * INSTANCE_STATIONS * INSTANCE_LENGTH,
};

static const char *where;

/* By client and unknown: what is sent when it is 1 and all others are 0. */
static struct instance_cell unit[INSTANCE_CLIENTS][UNKNOWNS];

struct forms {
    unsigned p;
    size_t n;
    uint8_t rows[ROWS][COLUMNS];
};

static size_t column_of_draw(size_t client, size_t i)
{
    return client * DRAWN + i;
}

static size_t column_of_vector(size_t client, size_t i)
{
    return INSTANCE_CLIENTS * DRAWN + client * INSTANCE_LENGTH + i;
}

/* The input whose elements are 0 but for this one, which is 1; all are 0 beyond the last. */
static size_t unit_input(const struct instance *in, size_t at)
{
    size_t n_values = 2 * in->max_int + 1, number = 0;

    for (size_t i = in->length; i-- > 0;)
        number = number * n_values + in->max_int + (i == at);
    return number;
}

static void measure_client(const struct instance *in, size_t client)
{
    static const struct instance_cell none;
    const struct instance_client *c = &in->clients[client];
    struct hagg_err err = { 0 };
    struct instance_cell cell;
    size_t point = 1;

    CHECK(c->n_digits <= DRAWN && in->length <= INSTANCE_LENGTH);
    CHECK(instance_send(in, client, unit_input(in, in->length), 0, &cell, &err) == 0);
    CHECK(memcmp(&cell, &none, sizeof cell) == 0);
    for (size_t i = 0; i < c->n_digits; i++, point *= in->p)
        CHECK(instance_send(in, client, unit_input(in, in->length), point, &unit[client][i],
                            &err) == 0);
    for (size_t i = 0; i < in->length; i++)
        CHECK(instance_send(in, client, unit_input(in, i), 0, &unit[client][DRAWN + i], &err) == 0);
    CHECK_STR(err.text, "");
}

/* That what the client sends is linear: a few values of all unknowns at once. */
static void check_linear(const struct instance *in, size_t client)
{
    const struct instance_client *c = &in->clients[client];

    for (size_t try = 0; try < 8; try++) {
        size_t point = (size_t)(UINT64_C(0x9e3779b97f4a7c15) * (try + 1) % c->n_points);
        size_t input = try * 7 % in->n_inputs, rest = point;
        struct instance_cell cell, sum = { 0 };
        uint8_t *to = &sum.shares[0][0][0];
        struct hagg_err err = { 0 };

        for (size_t i = 0; i < UNKNOWNS; i++) {
            unsigned factor = 0;

            if (i < c->n_digits) {
                factor = (unsigned)(rest % in->p);
                rest /= in->p;
            } else if (i >= DRAWN && i - DRAWN < in->length)
                factor = ((unsigned)instance_input(in, input, i - DRAWN) + in->p) % in->p;
            for (size_t e = 0; factor > 0 && e < sizeof sum.shares; e++)
                to[e] = (uint8_t)((to[e] + factor * (&unit[client][i].shares[0][0][0])[e]) % in->p);
        }
        CHECK(instance_send(in, client, input, point, &cell, &err) == 0);
        CHECK(memcmp(&cell, &sum, sizeof sum) == 0);
    }
}

/* Adds what the client sends to a form that has nothing of it yet. */
static void add_sent(const struct instance *in, uint8_t *row, size_t client, size_t secret,
                     size_t station, size_t e)
{
    for (size_t i = 0; i < in->clients[client].n_digits; i++)
        row[column_of_draw(client, i)] = unit[client][i].shares[secret][station][e];
    for (size_t i = 0; i < in->length; i++)
        row[column_of_vector(client, i)] = unit[client][DRAWN + i].shares[secret][station][e];
}

/* Whether no honest client before this one has the same pattern. */
static bool is_first(const struct instance *in, unsigned colluders, size_t client, size_t secret)
{
    for (size_t i = 0; i < client; i++)
        if (!(colluders >> i & 1) &&
            in->clients[i].of[secret].pattern == in->clients[client].of[secret].pattern)
            return false;
    return true;
}

/* What the client sends to the station, if that is curious, and the sum of its pattern for the
 * federator. */
static void see_share(const struct instance *in, bool curious, unsigned colluders, size_t client,
                      size_t secret, size_t station, struct forms *f)
{
    const struct instance_sharing *own = &in->clients[client].of[secret];

    for (size_t e = 0; e < own->share_length; e++) {
        if (curious)
            add_sent(in, f->rows[f->n++], client, secret, station, e);
        if (!is_first(in, colluders, client, secret))
            continue;
        for (size_t i = client; i < in->n_clients; i++)
            if (!(colluders >> i & 1) && in->clients[i].of[secret].pattern == own->pattern)
                add_sent(in, f->rows[f->n], i, secret, station, e);
        f->n++;
    }
}

/* What stations and colluders see of the others, with the federator. */
static void see(const struct instance *in, unsigned stations, unsigned colluders, struct forms *f)
{
    *f = (struct forms){ .p = in->p };
    for (size_t s = 0; s < INSTANCE_SECRETS; s++)
        for (size_t u = 0; u < in->n_stations; u++)
            for (size_t i = 0; i < in->n_clients; i++)
                if (!(colluders >> i & 1) && in->clients[i].of[s].holds[u])
                    see_share(in, stations >> u & 1, colluders, i, s, u, f);
}

/* Brings rows from begin on into echelon form in the columns from .. to; where those without a
 * leading entry there begin. */
static size_t eliminate(struct forms *f, size_t begin, size_t from, size_t to)
{
    for (size_t c = from; c < to && begin < f->n; c++) {
        uint8_t kept[COLUMNS];
        size_t pivot = begin;
        unsigned inverse = 1;

        while (pivot < f->n && f->rows[pivot][c] == 0)
            pivot++;
        if (pivot == f->n)
            continue;
        memcpy(kept, f->rows[pivot], sizeof kept);
        memcpy(f->rows[pivot], f->rows[begin], sizeof kept);
        memcpy(f->rows[begin], kept, sizeof kept);
        while (inverse * kept[c] % f->p != 1)
            inverse++;
        for (size_t i = begin + 1; i < f->n; i++) {
            unsigned factor = f->p - f->rows[i][c] * inverse % f->p;

            for (size_t j = c; factor < f->p && j < COLUMNS; j++)
                f->rows[i][j] = (uint8_t)((f->rows[i][j] + factor * kept[j]) % f->p);
        }
        begin++;
    }
    return begin;
}

/* How many symbols the colluders learn besides the sum of the others, which they must learn. */
static size_t count_leaks(const struct instance *in, unsigned stations, unsigned colluders)
{
    static struct forms f;
    size_t first, learnt;

    see(in, stations, colluders, &f);
    CHECK(f.n + in->length <= ROWS);
    first = eliminate(&f, 0, 0, INSTANCE_CLIENTS * DRAWN);
    learnt = eliminate(&f, first, INSTANCE_CLIENTS * DRAWN, COLUMNS) - first;
    /* rank stays as it is when the sum is added: it was learnt */
    f.n = first + learnt + in->length;
    for (size_t e = 0; e < in->length; e++) {
        uint8_t *row = f.rows[first + learnt + e];

        memset(row, 0, COLUMNS);
        for (size_t i = 0; i < in->n_clients; i++)
            if (!(colluders >> i & 1))
                row[column_of_vector(i, e)] = 1;
    }
    CHECK(eliminate(&f, first, INSTANCE_CLIENTS * DRAWN, COLUMNS) - first == learnt);
    return learnt - in->length;
}

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;

    for (; x > 0; x &= x - 1)
        n++;
    return n;
}

static void check_privacy(const struct instance *in, bool is_private)
{
    const struct topology *t = &in->plan.topology;
    unsigned all_stations = (1u << in->n_stations) - 1;
    size_t n_leaking = 0;

    for (unsigned clients = 0; clients < 1u << in->n_clients; clients++)
        for (unsigned stations = 0; stations <= all_stations; stations++)
            if (count_bits(clients) <= t->collude_clients &&
                count_bits(stations) <= t->collude_stations)
                n_leaking += count_leaks(in, stations, clients) > 0;
    if (!CHECK(is_private ? n_leaking == 0 : n_leaking > 0))
        fprintf(stderr, "%s: %zu sets of colluders learn more than the sum\n", where, n_leaking);
    /* all stations together know everything */
    CHECK(count_leaks(in, all_stations, 0) == (in->n_clients - 1) * in->length);
}

int main(void)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct hagg_err err = { 0 }, reason = { 0 };
        struct instance in;

        where = tests[i].name;
        memset(unit, 0, sizeof unit);
        if (!CHECK(instance_new(&in, tests[i].topology, INSTANCE_LENGTH, &err) == 0)) {
            fprintf(stderr, "%s: %s\n", where, err.text);
            continue;
        }
        CHECK(plan_collusion_check(&in.plan, NULL, &reason) == (tests[i].is_private ? 0 : -1));
        CHECK(reason.status == (tests[i].is_private ? HAGG_OK : HAGG_E_PRIVACY));
        for (size_t c = 0; c < in.n_clients; c++) {
            measure_client(&in, c);
            check_linear(&in, c);
        }
        check_privacy(&in, tests[i].is_private);
        instance_free(&in);
    }
    return check_end();
}
