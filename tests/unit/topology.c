#include "topology/topology.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "crypto/sha256.h"
#include "feed.h"
#include "hex.h"
#include "reference.h"

static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
    return (uint32_t)(reference_next(&state) % n);
}

/* A topology as plain tables, which can be written in many ways. */
enum { STATIONS = 12, RELAYS = 8, CLIENTS = 30 };

struct numbers {
    uint32_t at[CLIENTS];
    size_t n;
};

struct model {
    bool aligned, full, samples, quant, stochastic;
    bool says_minimum; /* False for the default. */
    uint32_t relays, length, minimum, collude, drop, collude_clients, drop_clients, drop_relays;
    double clip;
    struct numbers station_via[STATIONS];
    struct numbers via[CLIENTS], shares[CLIENTS], keys[CLIENTS];
    struct numbers relays_of[CLIENTS], key_relays_of[CLIENTS];
    uint32_t number[CLIENTS]; /* ascending */
    size_t n_clients;
};

/* Draws m distinct numbers of those given, in any order. */
static void draw(struct numbers *out, const struct numbers *from, size_t m)
{
    struct numbers pool = *from;

    out->n = 0;
    while (out->n < m) {
        uint32_t i = below((uint32_t)pool.n);

        out->at[out->n++] = pool.at[i];
        pool.at[i] = pool.at[--pool.n];
    }
}

static void up_to(struct numbers *out, uint32_t n)
{
    out->n = n;
    for (uint32_t i = 0; i < n; i++)
        out->at[i] = i + 1;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void sort(struct numbers *list)
{
    qsort(list->at, list->n, sizeof *list->at, compare);
}

/* Finds for each station a different relay that it reaches; relays is empty if that fails. */
static void match(const struct model *m, const struct numbers *stations, struct numbers *relays)
{
    bool taken[RELAYS + 1] = { 0 };

    for (size_t i = 0; i < stations->n; i++) {
        const struct numbers *reached = &m->station_via[stations->at[i] - 1];
        struct numbers left = { .n = 0 };

        for (size_t j = 0; j < reached->n; j++)
            if (!taken[reached->at[j]])
                left.at[left.n++] = reached->at[j];
        if (left.n == 0) {
            *relays = (struct numbers){ .n = 0 };
            return;
        }
        relays->at[i] = left.at[below((uint32_t)left.n)];
        relays->n = i + 1;
        taken[relays->at[i]] = true;
    }
}

static void make_model(struct model *m)
{
    struct numbers all, relays;

    *m = (struct model){ .aligned = below(2), .full = below(2), .samples = below(2) };
    m->quant = below(2);
    m->stochastic = below(2);
    m->clip = (double)(1 + below(1000)) / (double)(1 + below(1000));
    m->relays = below(2) ? RELAYS : 0;
    m->length = below(2) * below(100000);
    m->drop = below(2);
    m->drop_relays = m->drop * below(2);
    m->collude = below(m->drop_relays > 0 ? 1 : 3); /* sets have at least five stations */
    up_to(&all, STATIONS);
    up_to(&relays, RELAYS);
    for (size_t u = 0; u < STATIONS; u++) {
        draw(&m->station_via[u], &relays, 1 + below(RELAYS));
        sort(&m->station_via[u]);
    }
    m->n_clients = 1 + below(CLIENTS);
    m->collude_clients = below(4);
    m->minimum = m->collude_clients + 2;
    m->says_minimum = m->minimum > m->n_clients || below(2);
    if (m->says_minimum)
        m->minimum = 1 + below((uint32_t)m->n_clients);
    m->drop_clients = below(2) * below((uint32_t)m->n_clients - m->minimum + 1);
    for (size_t i = 0; i < m->n_clients; i++) {
        m->number[i] = (i > 0 ? m->number[i - 1] : 0) + 1 + below(2) * below(50);
        if (i > 0 && below(2)) { /* same as the one before */
            m->via[i] = m->via[i - 1];
            m->shares[i] = m->shares[i - 1];
            m->keys[i] = m->keys[i - 1];
            m->relays_of[i] = m->relays_of[i - 1];
            m->key_relays_of[i] = m->key_relays_of[i - 1];
            continue;
        }
        draw(&m->via[i], &all, 5 + below(STATIONS - 4));
        sort(&m->via[i]);
        if (below(2))
            draw(&m->shares[i], &m->via[i], 5);
        if (m->aligned) { /* the order has no meaning */
            sort(&m->shares[i]);
            continue;
        }
        if (below(2))
            draw(&m->keys[i], &m->via[i], m->full ? 5 : 1);
        if (m->relays > 0 && below(4))
            match(m, m->shares[i].n > 0 ? &m->shares[i] : &m->via[i], &m->relays_of[i]);
        if (m->relays > 0 && m->full && below(4))
            match(m, m->keys[i].n > 0 ? &m->keys[i] : &m->via[i], &m->key_relays_of[i]);
    }
}

static void write_list(struct text *t, const char *word, const struct numbers *list, bool any_order)
{
    struct numbers l;

    if (list->n == 0)
        return;
    if (any_order)
        draw(&l, list, list->n);
    else
        l = *list;
    text_printf(t, "%s%s", below(2) ? " " : " \t ", word);
    for (size_t i = 0; i < l.n; i++) {
        size_t end = i;

        while (end + 1 < l.n && l.at[end + 1] == l.at[end] + 1 && below(3))
            end++;
        if (end > i)
            text_printf(t, " %u-%u", l.at[i], l.at[end]);
        else
            text_printf(t, below(2) ? " %u" : "  %u", l.at[i]);
        i = end;
    }
}

static void end_line(struct text *t)
{
    static const char *const ends[] = { "\n", "\r\n", " # why \xc3\xa9\n", "\t\n\n#\n", "\n" };

    text_printf(t, "%s", ends[below(5)]);
}

/* Writes one of the lines other than client lines. */
static void write_setting(struct text *t, const struct model *m, unsigned which)
{
    if (which == 0)
        text_printf(t, "stations %d", STATIONS);
    else if (which == 1 && (m->says_minimum || below(2)))
        text_printf(t, "minimum %u", m->minimum);
    else if (which == 2)
        text_printf(t,
                    below(2) ? "collude %s clients=%u stations=%u"
                             : "collude %s clients=%u relays=0 stations=%u",
                    m->full ? "full" : "partial", m->collude_clients, m->collude);
    else if (which == 3 && (m->drop_clients > 0 || below(2)))
        text_printf(t, "drop stations=%u clients=%u relays=%u", m->drop, m->drop_clients,
                    m->drop_relays);
    else if (which == 3 && (m->drop > 0 || below(2)))
        text_printf(t, "drop relays=%u stations=%u", m->drop_relays, m->drop);
    else if (which == 4 && m->quant)
        text_printf(t, "quantize clip=%.17e%s bits=9", m->clip,
                    m->stochastic ? " rounding=stochastic"
                    : below(2)    ? ""
                                  : " rounding=nearest");
    else if (which == 5 && m->samples)
        text_printf(t, "samples");
    else if (which == 6 && m->length > 0)
        text_printf(t, "length %u", m->length);
    else if (which == 7 && below(2))
        text_printf(t, "field auto");
    else if (which == 8 && below(2))
        text_printf(t, "scheme %s", m->aligned ? "aligned" : "ramp");
    else if (which == 9 && !m->aligned)
        text_printf(t, "protocol keys");
    else if (which == 9 && below(2))
        text_printf(t, "protocol aligned");
    else if (which == 10 && m->relays > 0)
        text_printf(t, "relays %u", m->relays);
    else if (which == 11 && m->relays > 0)
        for (uint32_t u = 0; u < STATIONS; u++) {
            text_printf(t, "station %u", u + 1);
            write_list(t, "via", &m->station_via[u], true);
            end_line(t);
        }
}

/* Writes clients one by one, or several equal ones in one line. */
static void write_clients(struct text *t, const struct model *m)
{
    bool done[CLIENTS] = { 0 };

    for (size_t left = m->n_clients; left > 0;) {
        size_t i = below((uint32_t)m->n_clients);
        struct numbers ids = { .n = 0 };

        if (done[i])
            continue;
        for (size_t j = i; j < m->n_clients; j++)
            if (!done[j] && memcmp(&m->via[i], &m->via[j], sizeof m->via[i]) == 0 &&
                memcmp(&m->shares[i], &m->shares[j], sizeof m->shares[i]) == 0 &&
                memcmp(&m->keys[i], &m->keys[j], sizeof m->keys[i]) == 0 &&
                memcmp(&m->relays_of[i], &m->relays_of[j], sizeof m->relays_of[i]) == 0 &&
                memcmp(&m->key_relays_of[i], &m->key_relays_of[j], sizeof m->key_relays_of[i]) ==
                    0 &&
                (j == i || below(2))) {
                ids.at[ids.n++] = m->number[j];
                done[j] = true;
                left--;
            }
        write_list(t, "client", &ids, true);
        write_list(t, "via", &m->via[i], true);
        if (below(2)) {
            write_list(t, "keys", &m->keys[i], false);
            write_list(t, "shares", &m->shares[i], m->aligned);
        } else {
            write_list(t, "shares", &m->shares[i], m->aligned);
            write_list(t, "keys", &m->keys[i], false);
        }
        write_list(t, "relays", &m->relays_of[i], false);
        write_list(t, "key-relays", &m->key_relays_of[i], false);
        end_line(t);
    }
}

static void write_model(struct text *t, const struct model *m)
{
    struct numbers settings, order;

    up_to(&settings, 13);
    draw(&order, &settings, 13);
    for (size_t i = 0; i < 13; i++)
        if (order.at[i] == 13)
            write_clients(t, m);
        else {
            write_setting(t, m, order.at[i] - 1);
            end_line(t);
        }
}

static bool same(const struct topology_list *a, const struct numbers *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->numbers, b->at, a->n * sizeof *b->at) == 0);
}

static size_t n_relays, n_key_relays; /* number of clients that have them */

static void check_model(const struct topology *t, const struct model *m)
{
    size_t wrong = 0, n_groups = 0;

    CHECK(t->aligned == m->aligned && t->full == m->full && t->samples == m->samples);
    CHECK_STR(t->scheme, m->aligned ? "aligned" : "ramp");
    CHECK(t->quant.bits == (m->quant ? 9 : 0) && t->quant.clip == (m->quant ? m->clip : 0));
    CHECK(!m->quant || (t->quant.rounding == HEADER_STOCHASTIC) == m->stochastic);
    CHECK(t->length == m->length && t->minimum == m->minimum && t->n_relays == m->relays);
    CHECK(t->collude_stations == m->collude && t->drop_stations == m->drop);
    CHECK(t->drop_relays == m->drop_relays);
    CHECK(t->collude_clients == m->collude_clients && t->drop_clients == m->drop_clients);
    CHECK(t->n_clients == m->n_clients && t->n_stations == STATIONS);
    for (uint32_t u = 0; u < STATIONS && m->relays > 0; u++)
        wrong += !same(&t->station_via[u], &m->station_via[u]);
    for (size_t i = 0; i < m->n_clients; i++) {
        const struct topology_group *g = &t->groups[t->clients[i].group];

        wrong += t->clients[i].number != m->number[i] || !same(&g->via, &m->via[i]) ||
                 !same(&g->shares, &m->shares[i]) || !same(&g->keys, &m->keys[i]) ||
                 !same(&g->relays, &m->relays_of[i]) || !same(&g->key_relays, &m->key_relays_of[i]);
        n_relays += g->relays.n > 0;
        n_key_relays += g->key_relays.n > 0;
        /* groups are in the order of their first clients */
        wrong += t->clients[i].group > n_groups;
        n_groups += t->clients[i].group == n_groups;
    }
    CHECK(wrong == 0 && n_groups == t->n_groups);
}

static void parse(struct topology *t, const struct text *text)
{
    struct hagg_err err = { 0 };

    if (!CHECK(topology_parse(t, "t", text->bytes, text->len, &err) == 0)) {
        fprintf(stderr, "%s\n%s\n", err.text, text->bytes);
        exit(1);
    }
}

/* Two spellings of a topology, and the canonical form of the first, give the same topology. */
static void prints_what_it_parsed(void)
{
    for (int trial = 0; trial < 300; trial++) {
        struct text a = { 0 }, b = { 0 }, printed_a = { 0 }, printed_b = { 0 }, again = { 0 };
        uint8_t digests[3][HEADER_PLAN_BYTES], want[HEADER_PLAN_BYTES];
        struct topology t, u, v;
        struct hagg_err err = { 0 };
        struct model m;

        make_model(&m);
        write_model(&a, &m);
        write_model(&b, &m);
        parse(&t, &a);
        check_model(&t, &m);
        parse(&u, &b);
        check_model(&u, &m);
        topology_print(&t, &printed_a);
        topology_print(&u, &printed_b);
        CHECK_STR(printed_b.bytes, printed_a.bytes);
        parse(&v, &printed_a);
        check_model(&v, &m);
        topology_print(&v, &again);
        CHECK_STR(again.bytes, printed_a.bytes);
        CHECK(topology_digest(&t, digests[0], &err) == 0);
        CHECK(topology_digest(&u, digests[1], &err) == 0);
        CHECK(topology_digest(&v, digests[2], &err) == 0);
        CHECK(sha256_bytes(want, printed_a.bytes, printed_a.len, &err) == 0);
        for (int i = 0; i < 3; i++)
            CHECK(memcmp(digests[i], want, sizeof want) == 0);
        topology_free(&t);
        topology_free(&u);
        topology_free(&v);
        text_free(&a);
        text_free(&b);
        text_free(&printed_a);
        text_free(&printed_b);
        text_free(&again);
    }
    CHECK(n_relays > 300 && n_key_relays > 300);
}

/* By hand, and with sha256sum: the form and the digest are part of the format. The two texts differ
 * only in what depends on the protocol. */
static void has_a_known_form(void)
{
    static const struct {
        const char *with, *protocol, *want, *digest;
    } cases[] = {
        { "keys 4", "protocol keys",
          "field auto\nscheme ramp\ncollude partial clients=1 stations=2 relays=0\n"
          "quantize bits=16 clip=0.10000000000000001 rounding=nearest\nprotocol keys\nminimum 3\n"
          "stations 5\nclient 1-3 6 via 1-2 5\nclient 4 via 1 3-4 keys 4\n"
          "client 9-11 via 1-3 shares 3 1-2\n",
          "ff4ce77528bc129c15a91f8acdc20dac24e6ad042ad7e14f839c4679cf7e1064" },
        { "", "",
          "field auto\nscheme aligned\ncollude partial clients=1 stations=2 relays=0\n"
          "quantize bits=16 clip=0.10000000000000001 rounding=nearest\nprotocol aligned\n"
          "minimum 3\nstations 5\nclient 1-3 6 via 1-2 5\nclient 4 via 1 3-4\n"
          "client 9-11 via 1-3 shares 1-3\n",
          "694c54593084884f6ecda0c9df5dd8ce17faf731f2249811e96b966abe1a198e" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t digest[HEADER_PLAN_BYTES], known[HEADER_PLAN_BYTES];
        struct hagg_err err = { 0 };
        struct text text = { 0 }, printed = { 0 };
        struct topology t;

        text_printf(&text,
                    "stations 5\nclient 6 2-3 via 5 1-2 # x\nclient 4 via 1 3-4 %s\n"
                    "client 1 via 1 2 5\ncollude partial stations=2 clients=1\n%s\n"
                    "quantize clip=0.1 bits=16\nclient 9-11 via 1-3 shares 3 1 2\n",
                    cases[i].with, cases[i].protocol);
        parse(&t, &text);
        topology_print(&t, &printed);
        CHECK_STR(printed.bytes, cases[i].want);
        CHECK(topology_digest(&t, digest, &err) == 0);
        CHECK(hex_bytes(known, cases[i].digest) == sizeof known);
        CHECK(memcmp(digest, known, sizeof known) == 0);
        text_free(&text);
        text_free(&printed);
        topology_free(&t);
    }
}

/* bits=max is kept, because the number of bits depends on the field. */
static void keeps_open_bits(void)
{
    static const char text[] = "stations 2\nclient 1 2 via 1 2\nquantize clip=2 bits=max\n";
    struct hagg_err err = { 0 };
    struct text printed = { 0 };
    struct topology t = { 0 }, again = { 0 };

    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
    CHECK(t.bits_max && t.quant.bits == 0 && t.quant.clip == 2);
    topology_print(&t, &printed);
    CHECK(strstr(printed.bytes, "\nquantize bits=max clip=2 rounding=nearest\n"));
    CHECK(topology_parse(&again, "t", printed.bytes, printed.len, &err) == 0);
    CHECK(again.bits_max && again.quant.bits == 0 && again.quant.clip == 2);
    text_free(&printed);
    topology_free(&t);
    topology_free(&again);
}

/* Every change of a topology changes the digest. */
static void tells_topologies_apart(void)
{
    static const char *const lines[] = {
        "",
        "field m61",
        "scheme additive",
        "protocol keys",
        "protocol keys\nscheme additive",
        "segments 3",
        "dealers 1 2",
        "dealers 2 1",
        "collude full stations=0",
        "samples",
        "collude partial clients=1\nminimum 2",
        "collude partial relays=1",
        "collude partial stations=0",
        "collude partial stations=2",
        "collude partial stations=0\ndrop relays=1",
        "drop clients=1\nminimum 1",
        "length 7",
        "collude partial stations=0\ndrop stations=1",
        "quantize bits=8 clip=1",
        "quantize bits=8 clip=1.1",
        "minimum 1",
        "quantize bits=8 clip=1 rounding=stochastic",
        "quantize bits=9 clip=1",
        "quantize bits=max clip=1",
        "client 9 via 1-3",
        "client 9 via 1 2",
        "client 9 via 1-3 shares 1-3",
        "protocol keys\nclient 9 via 1-3",
        "protocol keys\nclient 9 via 1-3 shares 1-3",
        "protocol keys\nclient 9 via 1-3 shares 1 3 2",
        "protocol keys\nclient 9 via 1-3 keys 1",
        "relays 3\nstation 1-3 via 1-3",
        "relays 3\nstation 1-2 via 1-3\nstation 3 via 2-3",
        "protocol keys\nrelays 3\nstation 1-3 via 1-3\nclient 9 via 1-3 relays 1-3",
        "protocol keys\nrelays 3\nstation 1-3 via 1-3\nclient 9 via 1-3 relays 1 3 2",
        "protocol keys\nrelays 3\nstation 1-3 via 1-3\nclient 9 via 1-3 relays 1 3 2 key-relays "
        "1-3\n"
        "collude full stations=0",
        "protocol keys\nrelays 3\nstation 1-3 via 1-3\nclient 9 via 1-3 relays 1 3 2 key-relays 3 "
        "1 2\n"
        "collude full stations=0",
    };
    enum { N = sizeof lines / sizeof *lines };
    uint8_t digests[N][HEADER_PLAN_BYTES];

    for (size_t i = 0; i < N; i++) {
        struct hagg_err err = { 0 };
        struct topology t;
        char text[250];

        snprintf(text, sizeof text, "stations 3\nclient 1 2 via 1-3\n%s", lines[i]);
        CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
        CHECK_STR(err.text, "");
        CHECK(topology_digest(&t, digests[i], &err) == 0);
        topology_free(&t);
        for (size_t j = 0; j < i; j++)
            CHECK(memcmp(digests[i], digests[j], sizeof digests[i]) != 0);
    }
}

static double seconds_for(size_t n_clients)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    struct topology t;
    clock_t start;

    text_printf(&text, "stations 200\n");
    for (size_t i = 0; i < n_clients; i++) {
        text_printf(&text, "client %zu via", i + 1);
        for (uint32_t u = 0; u < 100; u++)
            text_printf(&text, " %u", 2 * u + 1 + below(2));
        text_printf(&text, "\n");
    }
    start = clock();
    CHECK(topology_parse(&t, "t", text.bytes, text.len, &err) == 0);
    start = clock() - start;
    CHECK(t.n_groups == n_clients && t.n_clients == n_clients);
    topology_free(&t);
    text_free(&text);
    return (double)start / CLOCKS_PER_SEC;
}

/* The time is about proportional to the number of clients, not quadratic. */
static void parses_many(void)
{
    double few = seconds_for(1000), many = seconds_for(10000);

    printf("10^4 clients x 100 stations: %.0f ms\n", many * 1e3);
    CHECK(many < 40 * few + 0.02);
}

static void loads_files(void)
{
    static const char text[] = "stations 2\nclient 1 2 via 1 2\n";
    struct hagg_err err = { 0 };
    struct topology t = { 0 };
    const char *path = feed_file(text, strlen(text));
    char *large = malloc(300000);
    char want[100];
    int saved;

    CHECK(topology_load(&t, path, &err) == 0 && t.n_clients == 2);
    topology_free(&t);
    path = feed_file("stations 1\nx", 12);
    CHECK(topology_load(&t, path, &err) == -1);
    snprintf(want, sizeof want, "%s:2: 'x': is not a keyword: see hagg-topology(5)", path);
    CHECK_STR(err.text, want);
    /* larger than the first buffer */
    memset(large, '#', 300000);
    memcpy(large + 300000 - sizeof text, "\n", 1);
    memcpy(large + 300000 - sizeof text + 1, text, sizeof text - 1);
    CHECK(topology_load(&t, feed_file(large, 300000), &err) == 0 && t.n_clients == 2);
    topology_free(&t);
    free(large);
    CHECK(topology_load(&t, "/nonexistent", &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/nonexistent: No such file or directory");
    CHECK(topology_load(&t, "/", &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/: is a directory: name a file in it");
    saved = dup(STDIN_FILENO);
    CHECK(dup2(open(feed_file("y", 1), O_RDONLY), STDIN_FILENO) == STDIN_FILENO);
    CHECK(topology_load(&t, "-", &err) == -1);
    CHECK_STR(err.text, "standard input:1: 'y': is not a keyword: see hagg-topology(5)");
    dup2(saved, STDIN_FILENO);
}

int main(void)
{
    prints_what_it_parsed();
    has_a_known_form();
    keeps_open_bits();
    tells_topologies_apart();
    parses_many();
    loads_files();
    return check_end();
}
