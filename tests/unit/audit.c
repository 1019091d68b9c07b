#include "audit/audit.h"

#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "audit/model_build.h"
#include "audit/sets.h"

static uint64_t state = 1;

/* A number below n. */
static uint32_t below(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % n);
}

static int load(struct plan *p, struct model *m, const char *text)
{
    struct hagg_err err = { 0 };

    if (!CHECK(plan_load(p, feed_keys(text), &err) == 0)) {
        fprintf(stderr, "%s\n%s", err.text, text);
        return -1;
    }
    CHECK(model_build(m, p, 0, &err) == 0);
    return 0;
}

static struct audit_options options(bool each, size_t max_leaks)
{
    return (struct audit_options){ .each = each,
                                   .max_leaks = max_leaks,
                                   .max_columns = LEARNT_COLUMNS };
}

/* Prints k random numbers of 1 .. n. */
static void put_some(struct text *t, uint32_t n, uint32_t k, bool ascending)
{
    uint32_t numbers[8];

    for (uint32_t i = 0; i < n; i++)
        numbers[i] = i + 1;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = below(i), keep = numbers[i - 1];

        numbers[i - 1] = numbers[j];
        numbers[j] = keep;
    }
    for (uint32_t number = 1; ascending && number <= n; number++)
        for (uint32_t i = 0; i < k; i++)
            if (numbers[i] == number)
                text_printf(t, " %u", number);
    for (uint32_t i = 0; !ascending && i < k; i++)
        text_printf(t, " %u", numbers[i]);
}

/* A small plan with random sets, so that many are not private. */
static void random_plan(struct text *t)
{
    uint32_t z_s = below(2), z_r = below(2), relays = below(2) * 3, n = 3 + below(3);
    bool full = below(3) > 0, transforms = relays > 0 && below(2) > 0;
    uint32_t least = relays == 0 || transforms ? z_s + 1 : full ? z_s + z_r + 1 : 2;

    text_printf(t, "field prime:p=31\ncollude %s clients=%u stations=%u", full ? "full" : "partial",
                below(3), z_s);
    if (relays > 0)
        text_printf(t, " relays=%u\nrelays 3\nstation 1-3 via 1-3", z_r);
    text_printf(t, "\nminimum 1\nstations 3\n%sdrop clients=%u\n",
                transforms ? "transform direct\n" : "", below(2));
    for (uint32_t i = 1; i <= n; i++) {
        /* as many relays as stations if shares are passed on unchanged; otherwise the same for
         * all */
        uint32_t k = least + below(4 - least);

        text_printf(t, "client %u via 1-3 shares", i);
        put_some(t, 3, k, relays == 0 || transforms);
        if (relays > 0) {
            text_printf(t, " relays");
            if (transforms)
                text_printf(t, " 1-3");
            else
                put_some(t, 3, k, true);
        }
        text_printf(t, " keys");
        k = full ? least + below(4 - least) : 1;
        put_some(t, 3, k, relays == 0 || transforms);
        if (relays > 0 && full) {
            text_printf(t, " key-relays");
            if (transforms)
                text_printf(t, " 1-3");
            else
                put_some(t, 3, k, true);
        }
        text_printf(t, "\n");
    }
}

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;

    for (; x > 0; x &= x - 1)
        n++;
    return n;
}

/* True if the bounds allow this set of colluders. */
static bool is_allowed(const struct audit_bounds *b, bool federator, unsigned stations,
                       unsigned relays, unsigned clients, unsigned missing)
{
    if (count_bits(clients) > b->clients || count_bits(missing) > b->missing ||
        (clients & missing) || count_bits(stations) > b->stations || count_bits(relays) > b->relays)
        return false;
    return b->full || stations == 0 || (!federator && relays == 0);
}

/* Examines every set, with clients counted individually. */
static bool leaks_somewhere(const struct model *m, const struct audit_bounds *b)
{
    unsigned n = (unsigned)m->n_clients;
    struct hagg_err err = { 0 };
    struct coalition c;
    bool leaks = false;

    CHECK(coalition_new(&c, m, &err) == 0);
    for (unsigned set = 0; set < 1u << (1 + m->n_stations + m->n_relays + 2 * n) && !leaks; set++) {
        unsigned stations = set >> 1 & ((1u << m->n_stations) - 1);
        unsigned relays = set >> (1 + m->n_stations) & ((1u << m->n_relays) - 1);
        unsigned clients = set >> (1 + m->n_stations + m->n_relays) & ((1u << n) - 1);
        unsigned missing = set >> (1 + m->n_stations + m->n_relays + n);

        if (!is_allowed(b, set & 1, stations, relays, clients, missing) ||
            count_bits(clients | missing) == n)
            continue;
        for (uint32_t u = 0; u < m->n_stations; u++)
            c.nodes[model_station(u + 1)] = stations >> u & 1;
        for (uint32_t r = 0; r < m->n_relays; r++)
            c.nodes[model_relay(m, r + 1)] = relays >> r & 1;
        c.nodes[MODEL_FEDERATOR] = set & 1;
        for (unsigned i = 0; i < n; i++)
            c.clients[i] = clients >> i & 1   ? COALITION_MEMBER
                           : missing >> i & 1 ? COALITION_MISSING
                                              : COALITION_HONEST;
        leaks = learnt_leaks(m, &c, LEARNT_COLUMNS, &err) == 1;
    }
    CHECK(err.status == HAGG_OK);
    coalition_free(&c);
    return leaks;
}

/* All four methods give the same answer: every set, maximal sets up to equivalence, a proof by
 * elimination, and a proof by structure. */
static void agrees_with_every_set(void)
{
    size_t n_private = 0, n_leaking = 0, n_refused = 0;

    for (size_t i = 0; i < 400 && n_private + n_leaking < 90; i++) {
        struct audit_options each = options(true, 1), proof = options(false, 1);
        struct audit_result a, b, c;
        struct audit_bounds bounds;
        struct hagg_err err = { 0 };
        struct text text = { 0 };
        struct model m, sums;
        struct plan p;
        bool leaks;

        random_plan(&text);
        /* some of them are not valid plans */
        if (plan_load(&p, feed_keys(text.bytes), &err)) {
            CHECK(err.status == HAGG_E_MALFORMED);
            n_refused++;
            text_free(&text);
            continue;
        }
        CHECK(model_build(&m, &p, 0, &err) == 0 && model_build_sums(&sums, &p, 0, &err) == 0);
        bounds = audit_bounds_of(&p);
        leaks = leaks_somewhere(&m, &bounds);
        CHECK(audit_run(&a, &m, &bounds, &each, &err) == 0);
        CHECK(audit_run(&b, &m, &bounds, &proof, &err) == 0);
        CHECK(audit_run(&c, &sums, &bounds, &proof, &err) == 0);
        if (!CHECK((a.n_leaks > 0) == leaks && (b.n_leaks > 0) == leaks &&
                   (c.n_leaks > 0) == leaks))
            fprintf(stderr, "%s: %d, each %zu, proof %zu, structure %zu\n%s", err.text, leaks,
                    a.n_leaks, b.n_leaks, c.n_leaks, text.bytes);
        *(leaks ? &n_leaking : &n_private) += 1;
        audit_result_free(&a);
        audit_result_free(&b);
        audit_result_free(&c);
        model_free(&m);
        model_free(&sums);
        plan_free(&p);
        text_free(&text);
    }
    CHECK(n_private > 20 && n_leaking > 20 && n_refused < 300);
}

/* There is exactly one leak, with this leakage and these colluders; 0: none. */
static void has_one_leak(const struct model *m, const struct audit_bounds *bounds, size_t rank,
                         uint32_t cut, uint32_t client, uint32_t station, uint32_t relay)
{
    struct audit_options o = options(false, 100);
    struct hagg_err err = { 0 };
    struct audit_result r;
    bool found = false;

    CHECK(audit_run(&r, m, bounds, &o, &err) == 0);
    for (size_t i = 0; i < r.n_leaks; i++) {
        const struct audit_leak *leak = &r.leaks[i];

        found = found || (leak->learnt.rank == rank && leak->learnt.cut == cut &&
                          leak->learnt.n_terms > 0 && leak->learnt.terms[0].client == client &&
                          (station == 0 || leak->who.nodes[model_station(station)]) &&
                          (relay == 0 || leak->who.nodes[model_relay(m, relay)]));
    }
    CHECK(found);
    audit_result_free(&r);
}

/* plan_load rejects such a plan, so the list of relays is changed afterwards. */
static void finds_two_shares_at_a_relay(void)
{
    struct hagg_err err = { 0 };
    struct audit_options o = options(false, 100);
    struct audit_result r;
    struct audit_bounds bounds;
    struct model m;
    struct plan p;

    if (load(&p, &m,
             "collude full stations=0 relays=1\nstations 3\nrelays 2\nstation 1-3 via 1 2\n"
             "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
             "client 2 via 1-3 shares 2 3 keys 2 3 relays 1 2 key-relays 1 2\n"))
        return;
    bounds = audit_bounds_of(&p);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0 && r.n_leaks == 0);
    audit_result_free(&r);
    model_free(&m);
    p.topology.groups[0].relays.numbers[1] = 1;
    p.topology.groups[0].key_relays.numbers[1] = 1;
    CHECK(model_build(&m, &p, 0, &err) == 0);
    /* relay 1 has both shares of client 1's vector and of its key */
    has_one_leak(&m, &bounds, 1, 1, 1, 0, 1);
    model_free(&m);
    plan_free(&p);
}

/* Shares a vector in two parts with one random vector among three stations at these points. */
static void share_at(struct model *m, const struct field *f, const uint32_t points[3])
{
    uint32_t class, draw, kind;
    unsigned char packed[3 * 4];
    struct hagg_err err = { 0 };
    struct matrix g;

    *m = (struct model){ .field = f, .n_stations = 3 };
    for (size_t i = 0; i < 3; i++)
        hagg_store(packed, i, 4, points[i]);
    CHECK(matrix_vandermonde(&g, f, packed, 3, 3, &err) == 0);
    class = model_add_class(m);
    draw = model_add_draw(m, MODEL_CLIENT, class, 2);
    for (uint32_t u = 0; u < 3; u++) {
        model_add_message(m, MODEL_CLIENT, model_station(u + 1), 2, false);
        for (uint32_t i = 0; i < 3; i++)
            model_add_term(m, i < 2 ? m->classes[class].secret : draw, i < 2 ? i : 0,
                           matrix_at(&g, u, i));
    }
    kind = model_add_profile(m);
    model_add_member(m, class, (struct model_member){ kind, true, false });
    model_add_client(m, kind, 4);
    model_add_client(m, kind, 9);
    CHECK(model_finish(m, &err) == 0);
    matrix_free(&g);
}

static void finds_a_point_that_is_zero(void)
{
    static const uint32_t good[] = { 1, 2, 3 }, bad[] = { 1, 0, 3 };
    struct audit_bounds bounds = { .stations = 1 };
    struct audit_options o = options(false, 100);
    struct hagg_err err = { 0 };
    struct field *f = field_open("m31", &err);
    struct audit_result r;
    struct model m;

    if (!CHECK(f))
        return;
    share_at(&m, f, good);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0 && r.n_leaks == 0);
    audit_result_free(&r);
    model_free(&m);
    share_at(&m, f, bad);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0);
    /* station 2 has the first half of either vector */
    if (CHECK(r.n_leaks == 1)) {
        const struct learnt *l = &r.leaks[0].learnt;

        CHECK(l->rank == 2 && l->cut == 2 && l->term_cut == 2);
        CHECK(l->n_terms == 1 && l->terms[0].client == 4 && l->terms[0].segment == 0);
        CHECK(r.leaks[0].who.nodes[model_station(2)] && !r.leaks[0].who.nodes[MODEL_FEDERATOR]);
    }
    audit_result_free(&r);
    model_free(&m);
    field_free(f);
}

static void counts_sets(void)
{
    uint32_t chosen[3];

    CHECK(sets_choose(60, 2) == 1770 && sets_choose(5, 0) == 1 && sets_choose(3, 4) == 0);
    CHECK(sets_choose(61, 30) == UINT64_C(232714176627630544));
    CHECK(sets_choose(80, 40) == UINT64_MAX && sets_choose(1000000, 999999) == 1000000);
    CHECK(sets_times(UINT64_MAX / 2, 3) == UINT64_MAX && sets_times(6, 7) == 42);
    sets_unrank(0, 5, 3, chosen);
    CHECK(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 2);
    sets_unrank(6, 5, 3, chosen);
    CHECK(chosen[0] == 1 && chosen[1] == 2 && chosen[2] == 3);
    sets_unrank(9, 5, 3, chosen);
    CHECK(chosen[0] == 2 && chosen[1] == 3 && chosen[2] == 4);
}

/* Fails each allocation in turn. */
static void fails_cleanly_without_memory(void)
{
    struct audit_options o = options(false, 3);
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;

    if (load(&p, &m,
             "collude full clients=1 stations=1\nstations 3\nclient 1 2 via 1-3 shares 1 2\n"
             "client 3 via 1-3 keys 2 3\n"))
        return;
    model_free(&m);
    bounds = audit_bounds_of(&p);
    for (unsigned long at = 0;; at++) {
        int status;

        alloc_refuse(at);
        status = model_build(&m, &p, 0, &err);
        if (status == 0) {
            status = audit_run(&r, &m, &bounds, &o, &err);
            model_free(&m);
        }
        CHECK(status == (alloc_refused() ? -1 : 0));
        if (status == 0) {
            CHECK(r.n_leaks > 0);
            audit_result_free(&r);
        }
        if (!alloc_refused())
            break;
        CHECK(err.status == HAGG_E_SYSTEM);
    }
    alloc_watch();
    plan_free(&p);
}

/* Returns true if a leak of the result needs this node, no other node and no client. */
static bool leaks_alone(const struct audit_result *r, const struct model *m, size_t node)
{
    for (size_t i = 0; i < r->n_leaks; i++) {
        size_t n = 0;

        for (size_t k = 0; k < model_n_nodes(m); k++)
            n += r->leaks[i].who.nodes[k];
        for (size_t k = 0; k < m->n_clients; k++)
            n += r->leaks[i].who.clients[k] == COALITION_MEMBER;
        if (n == 1 && r->leaks[i].who.nodes[node])
            return true;
    }
    return false;
}

/* What each single node learns is found, whatever the bounds allow. */
static void examines_each_single_node(void)
{
    size_t n_leaking = 0, n_private = 0;

    for (size_t i = 0; i < 120; i++) {
        struct audit_options o = options(false, 1000);
        struct hagg_err err = { 0 };
        struct text text = { 0 };
        struct audit_bounds bounds;
        struct audit_result r;
        struct coalition c;
        struct model m;
        struct plan p;

        random_plan(&text);
        if (plan_load(&p, feed_keys(text.bytes), &err)) {
            text_free(&text);
            continue;
        }
        text_free(&text);
        CHECK(model_build(&m, &p, 0, &err) == 0 && coalition_new(&c, &m, &err) == 0);
        bounds = audit_bounds_of(&p);
        CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0 && !r.alone);
        CHECK(audit_alone(&r, &m, &bounds, &o, &err) == 0 && r.alone && !r.stopped);
        for (size_t node = 0; node < model_n_nodes(&m); node++) {
            bool leaks = false;

            /* with nobody missing, or one client */
            c.nodes[node] = true;
            for (size_t gone = 0; gone <= bounds.missing * m.n_clients; gone++) {
                if (gone > 0)
                    c.clients[gone - 1] = COALITION_MISSING;
                leaks = leaks || learnt_leaks(&m, &c, LEARNT_COLUMNS, &err) == 1;
                if (gone > 0)
                    c.clients[gone - 1] = COALITION_HONEST;
            }
            c.nodes[node] = false;
            CHECK(leaks == leaks_alone(&r, &m, node));
            n_leaking += leaks;
            n_private += !leaks;
        }
        coalition_free(&c);
        audit_result_free(&r);
        model_free(&m);
        plan_free(&p);
    }
    CHECK(n_leaking > 20 && n_private > 20);
    printf("single nodes: %zu learn something, %zu do not\n", n_leaking, n_private);
}

static void limits_the_terms(void)
{
    static const char text[] = "stations 5\nclient 1-3 via 1-5\n";
    struct hagg_err err = { 0 };
    struct model m;
    struct plan p;
    size_t n;

    if (load(&p, &m, text))
        return;
    n = m.n_terms;
    model_free(&m);
    CHECK(model_build(&m, &p, n, &err) == 0 && m.n_terms == n);
    model_free(&m);
    CHECK(model_build(&m, &p, n - 1, &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK(strstr(err.text, "terms: audit a plan with fewer stations in a sharing"));
    plan_free(&p);
}

int main(void)
{
    counts_sets();
    finds_two_shares_at_a_relay();
    finds_a_point_that_is_zero();
    agrees_with_every_set();
    examines_each_single_node();
    limits_the_terms();
    fails_cleanly_without_memory();
    return check_end();
}
