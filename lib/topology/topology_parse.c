#include "topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "spec.h"
#include "topology/topology_integers.h"
#include "topology/topology_price_lines.h"
#include "topology/topology_quantize.h"
#include "topology/topology_resolve.h"
#include "topology/topology_tolerate.h"
#include "topology/words.h"

/* Bits for directives that may appear only once. */
enum {
    SEEN_FIELD = 1 << 0,
    SEEN_SCHEME = 1 << 1,
    SEEN_COLLUDE = 1 << 2,
    SEEN_DROP = 1 << 3,
    SEEN_QUANTIZE = 1 << 4,
    SEEN_SAMPLES = 1 << 5,
    SEEN_LENGTH = 1 << 6,
    SEEN_MINIMUM = 1 << 7,
    SEEN_STATIONS = 1 << 8,
    SEEN_RELAYS = 1 << 9,
    SEEN_TRANSFORM = 1 << 10,
    SEEN_PROTOCOL = 1 << 11,
    SEEN_SEGMENTS = 1 << 12,
    SEEN_DEALERS = 1 << 13,
    SEEN_IDENTITIES = 1 << 14,
    SEEN_PRIVACY = 1 << 15,
    SEEN_FALLBACK = 1 << 16,
    SEEN_INTEGERS = 1 << 17,
};

struct parser {
    struct topology *t;
    struct words w;
    unsigned seen;
    size_t max_groups, max_clients;
    struct topology_station *stations; /* in order of appearance */
    size_t n_stations, max_stations;
    struct topology_price_lines prices;
};

/* Parses a list whose order has no meaning, and sorts it. */
static int parse_set(struct parser *p, size_t *at, uint32_t max, struct topology_list *list)
{
    if (words_list(&p->w, at, max, max, list))
        return -1;
    topology_sort(list);
    return 0;
}

/* Fails because the word is none of the names; suggests a similar one. */
static int fail_unknown(struct parser *p, const char *word, const char *const *names,
                        const char *otherwise)
{
    const char *nearest = pairs_nearest(word, strlen(word), names);

    if (nearest)
        return words_fail(&p->w, word, "unknown word: did you mean '%s'?", nearest);
    return words_fail(&p->w, word, "%s", otherwise);
}

/* Parses words such as "clients=1". Sets *relays_stated if relays= is one of them. */
static int parse_counts(struct parser *p, size_t at, uint32_t *clients, uint32_t *stations,
                        uint32_t *relays, bool *relays_stated)
{
    static const char *const names[] = { "clients=", "stations=", "relays=", NULL };
    uint32_t *const counts[] = { clients, stations, relays };
    unsigned seen = 0;

    if (!p->w.word[at])
        return words_fail(&p->w, p->w.word[at - 1], "needs a count after it, as in stations=1");
    for (; p->w.word[at]; at++) {
        struct pair pair = pairs_of(p->w.word[at]);
        uint64_t count = 0;
        int i = words_pair(&p->w, &pair, names);

        if (i < 0)
            return -1;
        if (seen & 1u << i)
            return words_fail(&p->w, pair.text, "appears twice");
        seen |= 1u << i;
        if (strchr(pair.value, ','))
            return words_fail(&p->w, pair.text,
                              "contains a comma: separate words with spaces or tabs");
        if (words_number(&p->w, pair.text, pair.value, 0, TOPOLOGY_MAX_CLIENTS, &count))
            return -1;
        *counts[i] = (uint32_t)count;
        *relays_stated = *relays_stated || i == 2;
    }
    return 0;
}

static int parse_collude(struct parser *p)
{
    char **tolerate = p->w.word + 1, *kept;
    struct topology *t = p->t;
    const char *mode = p->w.word[1];
    int status;

    if (!mode || (strcmp(mode, "partial") && strcmp(mode, "full")))
        return words_fail(&p->w, mode ? mode : p->w.word[0], "must be partial or full");
    t->full = strcmp(mode, "full") == 0;
    t->collude_line = p->w.line;
    if (topology_tolerate_check_order(&p->w))
        return -1;
    while (*tolerate && strcmp(*tolerate, "tolerate"))
        tolerate++;
    kept = *tolerate;
    *tolerate = NULL;
    status = parse_counts(p, 2, &t->collude_clients, &t->collude_stations, &t->collude_relays,
                          &t->relays_stated);
    *tolerate = kept;
    if (status || !kept)
        return status;
    if (topology_tolerate_parse(t, &p->w, (size_t)(tolerate - p->w.word) + 1))
        return -1;
    if (t->tolerated[0].stations > t->collude_stations)
        return 0;
    return words_fail(&p->w, kept, "must be about more stations than the %u that learn nothing",
                      t->collude_stations);
}

static int parse_drop(struct parser *p)
{
    bool stated = false;

    p->t->drop_line = p->w.line;
    return parse_counts(p, 1, &p->t->drop_clients, &p->t->drop_stations, &p->t->drop_relays,
                        &stated);
}

/* Reads the name of a plugin, with its parameters, into name. The word of the line is its kind. */
static int parse_plugin(struct parser *p, char name[LIMIT_SPEC + 1])
{
    struct hagg_err cause;
    struct spec spec;

    if (!p->w.word[1])
        return words_fail(&p->w, p->w.word[0], "needs the name of a %s", p->w.word[0]);
    if (spec_parse(&spec, p->w.word[0], p->w.word[1], &cause))
        return words_fail(&p->w, p->w.word[1], "%s", cause.text);
    snprintf(name, LIMIT_SPEC + 1, "%s", p->w.word[1]);
    return words_end(&p->w, 2);
}

static int parse_transform(struct parser *p)
{
    const char *method = p->w.word[1];

    if (!method || strcmp(method, "direct"))
        return words_fail(&p->w, method ? method : p->w.word[0], "must be direct");
    p->t->transform = true;
    return words_end(&p->w, 2);
}

static int parse_protocol(struct parser *p)
{
    const char *name = p->w.word[1];

    if (!name || (strcmp(name, "keys") && strcmp(name, "aligned")))
        return words_fail(&p->w, name ? name : p->w.word[0], "must be keys or aligned");
    p->t->aligned = strcmp(name, "aligned") == 0;
    return words_end(&p->w, 2);
}

/* The order has a meaning: it determines the factors of the dealers' masks. */
static int parse_dealers(struct parser *p)
{
    size_t at = 1;

    p->t->dealers_line = p->w.line;
    if (words_list(&p->w, &at, TOPOLOGY_MAX_NODES, TOPOLOGY_MAX_NODES, &p->t->dealers))
        return -1;
    return words_end(&p->w, at);
}

/* The name of a file in the directory of the plan: never a path, because plans come from others. */
static bool is_file_name(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    return name[0] != '.' && name[0] != '-' && strlen(name) <= LIMIT_NAME &&
           strspn(name, letters) == strlen(name);
}

/* identities FILE [SHA256] */
static int parse_identities(struct parser *p)
{
    struct topology *t = p->t;
    const char *name = p->w.word[1], *digest = name ? p->w.word[2] : NULL;

    if (!name || !is_file_name(name))
        return words_fail(&p->w, name ? name : p->w.word[0],
                          "needs the name of a file in the same directory, of at most %d letters, "
                          "digits, '.', '_' and '-'",
                          LIMIT_NAME);
    snprintf(t->identities, sizeof t->identities, "%s", name);
    t->has_identities_digest = digest;
    if (!digest)
        return 0;
    if (text_unhex(t->identities_digest, sizeof t->identities_digest, digest))
        return words_fail(&p->w, digest, "is not a SHA-256, which has %zu hexadecimal digits",
                          2 * sizeof t->identities_digest);
    return words_end(&p->w, 3);
}

static int parse_one_number(struct parser *p, uint64_t min, uint64_t max, uint64_t *value)
{
    if (words_number(&p->w, p->w.word[1] ? p->w.word[1] : p->w.word[0], p->w.word[1], min, max,
                     value))
        return -1;
    return words_end(&p->w, 2);
}

static int parse_u32(struct parser *p, uint64_t max, uint32_t *value)
{
    uint64_t wide;

    if (parse_one_number(p, 1, max, &wide))
        return -1;
    *value = (uint32_t)wide;
    return 0;
}

static int parse_privacy(struct parser *p)
{
    const char *level = p->w.word[1];

    if (!level || (strcmp(level, "computational") && strcmp(level, "information-theoretic")))
        return words_fail(&p->w, level ? level : p->w.word[0],
                          "must be information-theoretic or computational");
    p->t->computational = strcmp(level, "computational") == 0;
    return words_end(&p->w, 2);
}

static int parse_fallback(struct parser *p)
{
    const char *level = p->w.word[1];

    if (!level || strcmp(level, "computational"))
        return words_fail(&p->w, level ? level : p->w.word[0], "must be computational");
    p->t->fallback = true;
    return words_end(&p->w, 2);
}

/* client IDS via STATIONS [computational] [shares STATIONS] [keys STATIONS] [relays RELAYS]
 * [key-relays RELAYS] */
static int parse_client(struct parser *p)
{
    static const char *const choices[] = { "computational", "shares",     "keys",
                                           "relays",        "key-relays", NULL };
    struct topology *t = p->t;
    struct topology_list ids = { 0 };
    struct topology_group *g;
    size_t at = 1;
    int status;

    if (words_grow(&p->w, &t->groups, t->n_groups, &p->max_groups, sizeof *t->groups))
        return -1;
    g = &t->groups[t->n_groups++];
    *g = (struct topology_group){ .line = p->w.line };
    status = words_list(&p->w, &at, LIMIT_NUMBER, TOPOLOGY_MAX_CLIENTS, &ids);
    for (size_t i = 0; i < ids.n && status == 0; i++) {
        status = words_grow(&p->w, &t->clients, t->n_clients, &p->max_clients, sizeof *t->clients);
        if (status == 0 && t->n_clients == TOPOLOGY_MAX_CLIENTS)
            status = words_fail(&p->w, p->w.word[1], "more than %u clients", TOPOLOGY_MAX_CLIENTS);
        if (status == 0)
            t->clients[t->n_clients++] =
                (struct topology_client){ ids.numbers[i], (uint32_t)(t->n_groups - 1) };
    }
    free(ids.numbers);
    if (status)
        return -1;
    if (!p->w.word[at] || strcmp(p->w.word[at], "via"))
        return words_fail(&p->w, p->w.word[at] ? p->w.word[at] : p->w.word[at - 1],
                          "expected via and stations after the clients");
    at++;
    if (parse_set(p, &at, TOPOLOGY_MAX_NODES, &g->via))
        return -1;
    while (p->w.word[at]) {
        const char *word = p->w.word[at];
        bool level = strcmp(word, "computational") == 0;
        struct topology_list *list = strcmp(word, "shares") == 0       ? &g->shares
                                     : strcmp(word, "keys") == 0       ? &g->keys
                                     : strcmp(word, "relays") == 0     ? &g->relays
                                     : strcmp(word, "key-relays") == 0 ? &g->key_relays
                                                                       : NULL;

        if (!list && !level)
            return fail_unknown(p, word, choices,
                                "is neither a station nor computational, shares, keys, relays or "
                                "key-relays");
        if (level ? g->computational : list->n > 0)
            return words_fail(&p->w, word, "appears twice");
        at++;
        g->computational = g->computational || level;
        if (!level && words_list(&p->w, &at, TOPOLOGY_MAX_NODES, TOPOLOGY_MAX_NODES, list))
            return -1;
    }
    return 0;
}

/* station IDS via RELAYS */
static int parse_station(struct parser *p)
{
    struct topology_station *s;
    size_t at = 1;

    if (words_grow(&p->w, &p->stations, p->n_stations, &p->max_stations, sizeof *p->stations))
        return -1;
    s = &p->stations[p->n_stations++];
    *s = (struct topology_station){ .line = p->w.line };
    if (words_list(&p->w, &at, TOPOLOGY_MAX_NODES, TOPOLOGY_MAX_NODES, &s->stations))
        return -1;
    if (!p->w.word[at] || strcmp(p->w.word[at], "via"))
        return words_fail(&p->w, p->w.word[at] ? p->w.word[at] : p->w.word[at - 1],
                          "expected via and relays after the stations; to set the number of "
                          "stations, write stations N");
    at++;
    if (parse_set(p, &at, TOPOLOGY_MAX_NODES, &s->via))
        return -1;
    return words_end(&p->w, at);
}

static int check_once(struct parser *p, unsigned bit)
{
    if (p->seen & bit)
        return words_fail(&p->w, p->w.word[0], "appears twice");
    p->seen |= bit;
    return 0;
}

static int parse_words(struct parser *p)
{
    static const char *const lines[] = { "client",     "station",  "field",    "scheme",
                                         "collude",    "drop",     "quantize", "length",
                                         "minimum",    "stations", "relays",   "transform",
                                         "samples",    "protocol", "segments", "dealers",
                                         "identities", "privacy",  "fallback", "price",
                                         "integers",   NULL };
    struct topology *t = p->t;
    const char *w = p->w.word[0];

    if (strcmp(w, "client") == 0)
        return parse_client(p);
    if (strcmp(w, "station") == 0)
        return parse_station(p);
    if (strcmp(w, "price") == 0)
        return topology_price_lines_add(&p->prices, &p->w);
    if (strcmp(w, "field") == 0)
        return check_once(p, SEEN_FIELD) ? -1 : parse_plugin(p, p->t->field);
    if (strcmp(w, "scheme") == 0)
        return check_once(p, SEEN_SCHEME) ? -1 : parse_plugin(p, p->t->scheme);
    if (strcmp(w, "collude") == 0)
        return check_once(p, SEEN_COLLUDE) ? -1 : parse_collude(p);
    if (strncmp(w, "tolerate", 8) == 0)
        return topology_tolerate_misplaced(&p->w, w);
    if (strcmp(w, "drop") == 0)
        return check_once(p, SEEN_DROP) ? -1 : parse_drop(p);
    if (strcmp(w, "quantize") == 0)
        return check_once(p, SEEN_QUANTIZE)
                   ? -1
                   : topology_quantize_line(&p->w, &t->quant, &t->bits_max);
    if (strcmp(w, "transform") == 0)
        return check_once(p, SEEN_TRANSFORM) ? -1 : parse_transform(p);
    if (strcmp(w, "length") == 0)
        return check_once(p, SEEN_LENGTH) ? -1 : parse_one_number(p, 1, LIMIT_LENGTH, &t->length);
    if (strcmp(w, "minimum") == 0)
        return check_once(p, SEEN_MINIMUM) ? -1 : parse_u32(p, TOPOLOGY_MAX_CLIENTS, &t->minimum);
    if (strcmp(w, "stations") == 0)
        return check_once(p, SEEN_STATIONS) ? -1 : parse_u32(p, TOPOLOGY_MAX_NODES, &t->n_stations);
    if (strcmp(w, "relays") == 0)
        return check_once(p, SEEN_RELAYS) ? -1 : parse_u32(p, TOPOLOGY_MAX_NODES, &t->n_relays);
    if (strcmp(w, "protocol") == 0)
        return check_once(p, SEEN_PROTOCOL) ? -1 : parse_protocol(p);
    if ((strcmp(w, "segments") == 0 || strcmp(w, "dealers") == 0) && t->aligned_line == 0)
        t->aligned_line = p->w.line;
    if (strcmp(w, "segments") == 0) {
        t->segments_line = p->w.line;
        return check_once(p, SEEN_SEGMENTS) ? -1
                                            : parse_u32(p, TOPOLOGY_MAX_SEGMENTS, &t->segments);
    }
    if (strcmp(w, "dealers") == 0)
        return check_once(p, SEEN_DEALERS) ? -1 : parse_dealers(p);
    if (strcmp(w, "identities") == 0)
        return check_once(p, SEEN_IDENTITIES) ? -1 : parse_identities(p);
    if (strcmp(w, "privacy") == 0)
        return check_once(p, SEEN_PRIVACY) ? -1 : parse_privacy(p);
    if (strcmp(w, "fallback") == 0)
        return check_once(p, SEEN_FALLBACK) ? -1 : parse_fallback(p);
    if (strcmp(w, "samples") == 0) {
        t->samples = true;
        return check_once(p, SEEN_SAMPLES) ? -1
                                           : topology_integers_samples(&p->w, &t->most_samples);
    }
    if (strcmp(w, "integers") == 0)
        return check_once(p, SEEN_INTEGERS) ? -1 : topology_integers_line(&p->w, &t->integers);
    return fail_unknown(p, w, lines, "is not a keyword: see hagg-topology(5)");
}

/* Modifies the line. */
static int parse_line(struct parser *p, char *line)
{
    if (words_split(&p->w, line))
        return -1;
    return p->w.word[0] ? parse_words(p) : 0;
}

static int parse_text(struct parser *p, char *text, size_t n)
{
    char *rest = text, *line;

    if (strlen(text) != n) {
        p->w.line = 1;
        for (const char *c = text; *c; c++)
            p->w.line += *c == '\n';
        return words_fail(&p->w, "", "contains a NUL byte: this is not a topology");
    }
    while ((line = strsep(&rest, "\n"))) {
        size_t len = strlen(line);

        p->w.line++;
        if (len > 0 && line[len - 1] == '\r')
            line[len - 1] = 0;
        if (parse_line(p, line))
            return -1;
    }
    if ((p->seen & SEEN_INTEGERS) && (p->seen & SEEN_QUANTIZE))
        return err_set(p->w.err, HAGG_E_MALFORMED,
                       "%s: has a quantize line for real numbers and an integers line: remove one "
                       "of them",
                       p->w.name);
    return 0;
}

static const char *default_scheme(const struct topology *t)
{
    return t->aligned ? "aligned" : "ramp";
}

/* Replaces the stated protocol by the other one. */
static void change_protocol(struct topology *t)
{
    if (strcmp(t->scheme, default_scheme(t)) == 0)
        t->scheme[0] = 0;
    t->aligned = !t->aligned;
    t->transform = false;
    topology_discard_choices(t);
}

static int parse(struct topology *t, bool to_choose, enum topology_protocol protocol,
                 const char *name, const char *text, size_t n, struct hagg_err *err)
{
    struct parser p = { .t = t, .w = { .name = name, .err = err } };
    char *copy = malloc(n + 1);
    int status;

    *t = (struct topology){ .field = TOPOLOGY_FIELD_AUTO, .collude_stations = 1, .aligned = true };
    if (!copy)
        return words_no_memory(&p.w);
    if (n > 0)
        memcpy(copy, text, n);
    copy[n] = 0;
    status = parse_text(&p, copy, n);
    if (protocol != TOPOLOGY_ANY && (p.seen & SEEN_PROTOCOL) == 0)
        t->aligned = protocol == TOPOLOGY_ALIGNED;
    else if (protocol != TOPOLOGY_ANY && t->aligned != (protocol == TOPOLOGY_ALIGNED))
        change_protocol(t);
    t->scheme_stated = t->scheme[0] != 0;
    if (status == 0 && !t->scheme_stated)
        snprintf(t->scheme, sizeof t->scheme, "%s", default_scheme(t));
    if (status == 0)
        status = topology_resolve(t, name, p.stations, p.n_stations, to_choose, err);
    if (status == 0)
        status = topology_price_lines_resolve(&p.prices, t, name, err);
    for (size_t i = 0; i < p.n_stations; i++) {
        free(p.stations[i].stations.numbers);
        free(p.stations[i].via.numbers);
    }
    free(p.stations);
    topology_price_lines_free(&p.prices);
    words_free(&p.w);
    free(copy);
    if (status)
        topology_free(t);
    return status;
}

int topology_parse(struct topology *t, const char *name, const char *text, size_t n,
                   struct hagg_err *err)
{
    return parse(t, false, TOPOLOGY_ANY, name, text, n, err);
}

int topology_parse_to_choose(struct topology *t, enum topology_protocol protocol, const char *name,
                             const char *text, size_t n, struct hagg_err *err)
{
    return parse(t, true, protocol, name, text, n, err);
}
