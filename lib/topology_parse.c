#include "topology.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"
#include "topology_settle.h"

/* Directives that may stand once, by bit. */
enum {
    SEEN_FIELD = 1 << 0,
    SEEN_SCHEME = 1 << 1,
    SEEN_COLLUDE = 1 << 2,
    SEEN_DROP = 1 << 3,
    SEEN_QUANTIZE = 1 << 4,
    SEEN_SAMPLES = 1 << 5,
    SEEN_MASKS = 1 << 6,
    SEEN_LENGTH = 1 << 7,
    SEEN_MINIMUM = 1 << 8,
    SEEN_STATIONS = 1 << 9,
    SEEN_RELAYS = 1 << 10,
};

struct parser {
    struct topology *t;
    const char *name;
    size_t line;
    char **words; /* of the line, NULL at their end */
    size_t max_words;
    unsigned seen;
    size_t n_numbers; /* in all lists so far */
    size_t max_groups, max_clients;
    struct topology_station *stations; /* as they came */
    size_t n_stations, max_stations;
    struct hagg_err *err;
};

static int fail(struct parser *p, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct parser *p, const char *word, const char *format, ...)
{
    char reason[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(reason, sizeof reason, format, ap);
    va_end(ap);
    return err_set(p->err, HAGG_E_MALFORMED, "%s:%zu: '%.40s': %s", p->name, p->line,
                   word ? word : "", reason);
}

static int no_memory(struct parser *p)
{
    return err_errno(p->err, "%s", p->name);
}

/* Makes room for one more item in an array that doubles. */
static int grow(struct parser *p, void *array, size_t n, size_t *max, size_t size)
{
    void **items = array, *larger;

    if (n < *max)
        return 0;
    larger = reallocarray(*items, 2 * *max + 16, size);
    if (!larger)
        return no_memory(p);
    *items = larger;
    *max = 2 * *max + 16;
    return 0;
}

/* Decimal digits with no leading zero, up to max; *end is what follows them. */
static int parse_digits(struct parser *p, const char *word, const char *digits, uint64_t max,
                        uint64_t *value, const char **end)
{
    uint64_t v = 0;
    const char *c = digits;

    for (; *c >= '0' && *c <= '9'; c++) {
        v = v * 10 + (uint64_t)(*c - '0');
        if (v > max)
            return fail(p, word, "number is over %llu", (unsigned long long)max);
        if (c > digits && digits[0] == '0')
            return fail(p, word, "number has a leading zero");
    }
    if (c == digits)
        return fail(p, word, "is not a number");
    *value = v;
    *end = c;
    return 0;
}

static int parse_number(struct parser *p, const char *word, const char *digits, uint64_t min,
                        uint64_t max, uint64_t *value)
{
    const char *end = digits;

    if (!digits)
        return fail(p, word, "needs a number after it");
    if (parse_digits(p, word, digits, max, value, &end))
        return -1;
    if (*end)
        return fail(p, word, "is not a number");
    if (*value < min)
        return fail(p, word, "number is below %llu", (unsigned long long)min);
    return 0;
}

/* "7" or "3-9" */
static int parse_range(struct parser *p, const char *word, uint32_t max, uint64_t *first,
                       uint64_t *last)
{
    const char *end = word;

    if (parse_digits(p, word, word, max, first, &end))
        return -1;
    *last = *first;
    if (*end == '-' && parse_digits(p, word, end + 1, max, last, &end))
        return -1;
    if (*end)
        return fail(p, word, "is neither a number nor a range");
    if (*first == 0)
        return fail(p, word, "numbers begin at 1");
    if (*first > *last)
        return fail(p, word, "range runs backwards");
    return 0;
}

static bool is_number_word(const char *word)
{
    return word && word[0] >= '0' && word[0] <= '9';
}

/* The numbers and ranges from words[*at] on, written out in their order. At least one, and no more
 * than max_n: what comes twice is found later, but must not take memory before. */
static int parse_list(struct parser *p, size_t *at, uint32_t max, uint32_t max_n,
                      struct topology_list *list)
{
    const char *before = p->words[*at - 1];
    size_t n = 0, end = *at;
    uint64_t first, last;

    for (; is_number_word(p->words[end]); end++) {
        if (parse_range(p, p->words[end], max, &first, &last))
            return -1;
        n += last - first + 1;
        if (n > max_n)
            return fail(p, p->words[end], "makes more than %u numbers in one list", max_n);
        if (p->n_numbers + n > TOPOLOGY_MAX_NUMBERS)
            return fail(p, p->words[end], "the lists of this topology are too long");
    }
    if (n == 0)
        return fail(p, before, "needs numbers after it");
    p->n_numbers += n;
    list->numbers = malloc(n * sizeof *list->numbers);
    if (!list->numbers)
        return no_memory(p);
    for (; *at < end; (*at)++) {
        if (parse_range(p, p->words[*at], max, &first, &last))
            return -1;
        for (uint64_t number = first; number <= last; number++)
            list->numbers[list->n++] = (uint32_t)number;
    }
    return 0;
}

/* Sorted: for lists whose order says nothing. */
static int parse_set(struct parser *p, size_t *at, uint32_t max, struct topology_list *list)
{
    if (parse_list(p, at, max, max, list))
        return -1;
    topology_sort(list);
    return 0;
}

/* "key=value" with this key; NULL when it is another one. */
static const char *value_of(const char *word, const char *key)
{
    size_t len = strlen(key);

    return strncmp(word, key, len) == 0 && word[len] == '=' ? word + len + 1 : NULL;
}

/* Words "clients=1" and so on; which of them may stand is said by non-NULL pointers. */
static int parse_counts(struct parser *p, size_t at, uint32_t *clients, uint32_t *stations,
                        uint32_t *relays)
{
    static const char *const keys[] = { "clients", "stations", "relays" };
    uint32_t *const counts[] = { clients, stations, relays };
    unsigned seen = 0;

    if (!p->words[at])
        return fail(p, p->words[at - 1], "needs a count after it, as in stations=1");
    for (; p->words[at]; at++) {
        const char *value = NULL;
        uint64_t count = 0;
        unsigned i = 0;

        for (; i < 3; i++)
            if (counts[i] && (value = value_of(p->words[at], keys[i])))
                break;
        if (!value)
            return fail(p, p->words[at], "is not a count that belongs here");
        if (seen & 1u << i)
            return fail(p, p->words[at], "is there twice");
        seen |= 1u << i;
        if (parse_number(p, p->words[at], value, 0, TOPOLOGY_MAX_CLIENTS, &count))
            return -1;
        *counts[i] = (uint32_t)count;
    }
    return 0;
}

static int parse_collude(struct parser *p)
{
    struct topology *t = p->t;
    const char *mode = p->words[1];

    if (!mode || (strcmp(mode, "partial") && strcmp(mode, "full")))
        return fail(p, mode ? mode : p->words[0], "say partial or full");
    t->full = strcmp(mode, "full") == 0;
    return parse_counts(p, 2, &t->collude_clients, &t->collude_stations, &t->collude_relays);
}

static int parse_drop(struct parser *p)
{
    return parse_counts(p, 1, NULL, &p->t->drop_stations, &p->t->drop_relays);
}

static int parse_clip(struct parser *p, const char *word, const char *value, double *clip)
{
    char *end;

    /* strtod alone would take white space, hexadecimal, "inf" and "nan" */
    if (!*value || strspn(value, "0123456789.eE+-") != strlen(value))
        return fail(p, word, "is not a number");
    *clip = strtod(value, &end);
    if (*end || !isfinite(*clip) || *clip <= 0)
        return fail(p, word, "clip must be a finite number above 0");
    return 0;
}

static int parse_quantize(struct parser *p)
{
    struct header_quant *q = &p->t->quant;
    uint64_t bits = 0;
    bool rounding = false;

    for (size_t at = 1; p->words[at]; at++) {
        const char *word = p->words[at], *value;

        if ((value = value_of(word, "bits")) && bits == 0) {
            if (parse_number(p, word, value, 2, LIMIT_BITS, &bits))
                return -1;
        } else if ((value = value_of(word, "clip")) && q->clip == 0) {
            if (parse_clip(p, word, value, &q->clip))
                return -1;
        } else if ((value = value_of(word, "rounding")) && !rounding) {
            rounding = true;
            if (strcmp(value, "nearest") && strcmp(value, "stochastic"))
                return fail(p, word, "say nearest or stochastic");
            q->rounding = strcmp(value, "nearest") ? HEADER_STOCHASTIC : HEADER_NEAREST;
        } else
            return fail(p, word, "say bits=.. clip=.. and rounding=.. once each");
    }
    if (bits == 0 || q->clip == 0)
        return fail(p, p->words[0], "needs bits=.. and clip=..");
    q->bits = (uint32_t)bits;
    return 0;
}

static int parse_field(struct parser *p)
{
    struct hagg_err cause;
    struct spec spec;

    if (!p->words[1])
        return fail(p, p->words[0], "needs the name of a field");
    if (spec_parse(&spec, p->words[1], &cause))
        return fail(p, p->words[1], "%s", cause.text);
    snprintf(p->t->field, sizeof p->t->field, "%s", p->words[1]);
    return p->words[2] ? fail(p, p->words[2], "is one word too many") : 0;
}

static int parse_scheme(struct parser *p)
{
    if (!p->words[1] || !spec_is_plugin_name(p->words[1]))
        return fail(p, p->words[1] ? p->words[1] : p->words[0], "needs the name of a scheme");
    snprintf(p->t->scheme, sizeof p->t->scheme, "%s", p->words[1]);
    return p->words[2] ? fail(p, p->words[2], "is one word too many") : 0;
}

static int parse_masks(struct parser *p)
{
    const char *who = p->words[1];

    if (!who || (strcmp(who, "clients") && strcmp(who, "stations")))
        return fail(p, who ? who : p->words[0], "say clients or stations");
    p->t->station_masks = strcmp(who, "stations") == 0;
    return p->words[2] ? fail(p, p->words[2], "is one word too many") : 0;
}

static int parse_one_number(struct parser *p, uint64_t min, uint64_t max, uint64_t *value)
{
    if (parse_number(p, p->words[1] ? p->words[1] : p->words[0], p->words[1], min, max, value))
        return -1;
    return p->words[2] ? fail(p, p->words[2], "is one word too many") : 0;
}

static int parse_u32(struct parser *p, uint64_t max, uint32_t *value)
{
    uint64_t wide;

    if (parse_one_number(p, 1, max, &wide))
        return -1;
    *value = (uint32_t)wide;
    return 0;
}

/* client IDS via STATIONS [shares STATIONS] [keys STATIONS] [relays RELAYS] */
static int parse_client(struct parser *p)
{
    struct topology *t = p->t;
    struct topology_list ids = { 0 };
    struct topology_group *g;
    size_t at = 1;
    int status;

    if (grow(p, &t->groups, t->n_groups, &p->max_groups, sizeof *t->groups))
        return -1;
    g = &t->groups[t->n_groups++];
    *g = (struct topology_group){ .line = p->line };
    status = parse_list(p, &at, LIMIT_NUMBER, TOPOLOGY_MAX_CLIENTS, &ids);
    for (size_t i = 0; i < ids.n && status == 0; i++) {
        status = grow(p, &t->clients, t->n_clients, &p->max_clients, sizeof *t->clients);
        if (status == 0 && t->n_clients == TOPOLOGY_MAX_CLIENTS)
            status = fail(p, p->words[1], "more than %u clients", TOPOLOGY_MAX_CLIENTS);
        if (status == 0)
            t->clients[t->n_clients++] =
                (struct topology_client){ ids.numbers[i], (uint32_t)(t->n_groups - 1) };
    }
    free(ids.numbers);
    if (status)
        return -1;
    if (!p->words[at] || strcmp(p->words[at], "via"))
        return fail(p, p->words[at] ? p->words[at] : p->words[at - 1],
                    "after the clients, say via and their stations");
    at++;
    if (parse_set(p, &at, TOPOLOGY_MAX_NODES, &g->via))
        return -1;
    while (p->words[at]) {
        const char *word = p->words[at];
        struct topology_list *list = strcmp(word, "shares") == 0   ? &g->shares
                                     : strcmp(word, "keys") == 0   ? &g->keys
                                     : strcmp(word, "relays") == 0 ? &g->relays
                                                                   : NULL;

        if (!list)
            return fail(p, word, "is neither a station nor shares, keys or relays");
        if (list->n > 0)
            return fail(p, word, "is there twice");
        at++;
        if (parse_list(p, &at, TOPOLOGY_MAX_NODES, TOPOLOGY_MAX_NODES, list))
            return -1;
    }
    return 0;
}

/* station IDS via RELAYS */
static int parse_station(struct parser *p)
{
    struct topology_station *s;
    size_t at = 1;

    if (grow(p, &p->stations, p->n_stations, &p->max_stations, sizeof *p->stations))
        return -1;
    s = &p->stations[p->n_stations++];
    *s = (struct topology_station){ .line = p->line };
    if (parse_list(p, &at, TOPOLOGY_MAX_NODES, TOPOLOGY_MAX_NODES, &s->stations))
        return -1;
    if (!p->words[at] || strcmp(p->words[at], "via"))
        return fail(p, p->words[at] ? p->words[at] : p->words[at - 1],
                    "after the stations, say via and their relays");
    at++;
    if (parse_set(p, &at, TOPOLOGY_MAX_NODES, &s->via))
        return -1;
    return p->words[at] ? fail(p, p->words[at], "is one word too many") : 0;
}

/* Takes care that a directive which may stand once does. */
static int once(struct parser *p, unsigned bit)
{
    if (p->seen & bit)
        return fail(p, p->words[0], "is there a second time");
    p->seen |= bit;
    return 0;
}

static int parse_words(struct parser *p)
{
    struct topology *t = p->t;
    const char *w = p->words[0];

    if (strcmp(w, "client") == 0)
        return parse_client(p);
    if (strcmp(w, "station") == 0)
        return parse_station(p);
    if (strcmp(w, "field") == 0)
        return once(p, SEEN_FIELD) ? -1 : parse_field(p);
    if (strcmp(w, "scheme") == 0)
        return once(p, SEEN_SCHEME) ? -1 : parse_scheme(p);
    if (strcmp(w, "collude") == 0)
        return once(p, SEEN_COLLUDE) ? -1 : parse_collude(p);
    if (strcmp(w, "drop") == 0)
        return once(p, SEEN_DROP) ? -1 : parse_drop(p);
    if (strcmp(w, "quantize") == 0)
        return once(p, SEEN_QUANTIZE) ? -1 : parse_quantize(p);
    if (strcmp(w, "masks") == 0)
        return once(p, SEEN_MASKS) ? -1 : parse_masks(p);
    if (strcmp(w, "length") == 0)
        return once(p, SEEN_LENGTH) ? -1 : parse_one_number(p, 1, LIMIT_LENGTH, &t->length);
    if (strcmp(w, "minimum") == 0)
        return once(p, SEEN_MINIMUM) ? -1 : parse_u32(p, TOPOLOGY_MAX_CLIENTS, &t->minimum);
    if (strcmp(w, "stations") == 0)
        return once(p, SEEN_STATIONS) ? -1 : parse_u32(p, TOPOLOGY_MAX_NODES, &t->n_stations);
    if (strcmp(w, "relays") == 0)
        return once(p, SEEN_RELAYS) ? -1 : parse_u32(p, TOPOLOGY_MAX_NODES, &t->n_relays);
    if (strcmp(w, "samples") == 0) {
        t->samples = true;
        if (once(p, SEEN_SAMPLES))
            return -1;
        return p->words[1] ? fail(p, p->words[1], "is one word too many") : 0;
    }
    return fail(p, w, "is not a word of this language: see hagg-topology(5)");
}

/* Splits a line, which is changed, and parses it. */
static int parse_line(struct parser *p, char *line)
{
    size_t n = 0;
    char *word, *rest = line;

    line[strcspn(line, "#")] = 0;
    for (const char *c = line; *c; c++)
        if (((unsigned char)*c < 0x20 && *c != '\t') || (unsigned char)*c > 0x7e)
            return fail(p, line, "has characters that are not printable ASCII");
    while ((word = strsep(&rest, " \t"))) {
        if (!*word)
            continue;
        if (grow(p, &p->words, n + 1, &p->max_words, sizeof *p->words))
            return -1;
        p->words[n++] = word;
        p->words[n] = NULL;
    }
    return n > 0 ? parse_words(p) : 0;
}

static int parse_text(struct parser *p, char *text, size_t n)
{
    char *rest = text, *line;

    if (strlen(text) != n) {
        p->line = 1;
        for (const char *c = text; *c; c++)
            p->line += *c == '\n';
        return fail(p, "", "has a NUL byte: this is not a topology");
    }
    while ((line = strsep(&rest, "\n"))) {
        size_t len = strlen(line);

        p->line++;
        if (len > 0 && line[len - 1] == '\r')
            line[len - 1] = 0;
        if (parse_line(p, line))
            return -1;
    }
    return 0;
}

int topology_quantize(struct header_quant *quant, const char *text, struct hagg_err *err)
{
    struct topology t = { 0 };
    struct parser p = { .t = &t, .name = "--quantize", .line = 1, .err = err };
    char *line, *comma;
    int status;

    if (asprintf(&line, "quantize %s", text) < 0)
        return no_memory(&p);
    while ((comma = strchr(line, ',')))
        *comma = ' ';
    status = parse_line(&p, line);
    *quant = t.quant;
    free(p.words);
    free(line);
    if (status)
        err->status = HAGG_E_USAGE;
    return status;
}

int topology_parse(struct topology *t, const char *name, const char *text, size_t n,
                   struct hagg_err *err)
{
    struct parser p = { .t = t, .name = name, .err = err };
    char *copy = malloc(n + 1);
    int status;

    *t = (struct topology){ .field = "m31", .scheme = "ramp", .minimum = 2 };
    if (!copy)
        return no_memory(&p);
    memcpy(copy, text, n);
    copy[n] = 0;
    status = parse_text(&p, copy, n);
    if (status == 0)
        status = topology_settle(t, name, p.stations, p.n_stations, err);
    for (size_t i = 0; i < p.n_stations; i++) {
        free(p.stations[i].stations.numbers);
        free(p.stations[i].via.numbers);
    }
    free(p.stations);
    free(p.words);
    free(copy);
    if (status)
        topology_free(t);
    return status;
}
