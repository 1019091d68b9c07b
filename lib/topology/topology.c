#include "topology/topology.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "fd.h"
#include "infile.h"
#include "topology/topology_tolerate.h"

static void free_list(struct topology_list *list)
{
    free(list->numbers);
}

void topology_clear_group(struct topology_group *g)
{
    free_list(&g->via);
    free_list(&g->shares);
    free_list(&g->keys);
    free_list(&g->relays);
    free_list(&g->key_relays);
    free_list(&g->reach);
}

void topology_free_groups(struct topology_group *groups, size_t n)
{
    for (size_t i = 0; groups && i < n; i++)
        topology_clear_group(&groups[i]);
    free(groups);
}

void topology_free(struct topology *t)
{
    topology_free_groups(t->groups, t->n_groups);
    for (uint32_t i = 0; t->station_via && i < t->n_stations; i++)
        free_list(&t->station_via[i]);
    free_list(&t->dealers);
    free(t->clients);
    free(t->station_via);
    topology_prices_free(&t->prices);
    *t = (struct topology){ 0 };
}

/* Reads a whole file or pipe. */
static int read_all(int fd, const char *name, struct text *text, struct hagg_err *err)
{
    ssize_t got = 1;

    while (got > 0) {
        if (text->len > TOPOLOGY_MAX_BYTES)
            return err_set(err, HAGG_E_MALFORMED, "%s: is too large for a topology", name);
        if (ARRAY_RESERVE(text->bytes, text->len + 65536, text->capacity))
            return err_errno(err, "%s", name);
        got = fd_read(fd, name, text->bytes + text->len, text->capacity - text->len - 1, err);
        text->len += got > 0 ? (size_t)got : 0;
        text->bytes[text->len] = 0;
    }
    return got < 0 ? -1 : 0;
}

enum topology_protocol topology_stated(const char *text)
{
    static const char word[] = "protocol", blanks[] = " \t";

    while (text) {
        const char *line = text + strspn(text, blanks), *name = line + sizeof word - 1;

        if (strncmp(line, word, sizeof word - 1) == 0 && strspn(name, blanks) > 0)
            return strncmp(name + strspn(name, blanks), "keys", 4) == 0 ? TOPOLOGY_KEYS
                                                                        : TOPOLOGY_ALIGNED;
        text = strchr(line, '\n');
        text = text ? text + 1 : NULL;
    }
    return TOPOLOGY_ANY;
}

const char *topology_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int topology_read(struct text *text, const char *path, struct hagg_err *err)
{
    int fd = infile_open(path, err);
    int status = fd < 0 ? -1 : read_all(fd, topology_name(path), text, err);

    if (fd >= 0)
        infile_close(fd);
    return status;
}

int topology_load(struct topology *t, const char *path, struct hagg_err *err)
{
    struct text text = { 0 };
    int status = topology_read(&text, path, err);

    if (status == 0)
        status = topology_parse(t, topology_name(path), text.bytes, text.len, err);
    text_free(&text);
    return status;
}

void topology_print_numbers(struct text *text, const struct topology_list *list)
{
    size_t i = 0;

    while (i < list->n) {
        size_t end = i + 1;

        while (end < list->n && list->numbers[end] == list->numbers[i] + (end - i))
            end++;
        text_number(text, ' ', list->numbers[i]);
        if (end - i > 1)
            text_number(text, '-', list->numbers[end - 1]);
        i = end;
    }
}

static void print_list(struct text *text, const char *word, const struct topology_list *list)
{
    if (list->n > 0)
        text_printf(text, " %s", word);
    topology_print_numbers(text, list);
}

static void print_quantize(const struct topology *t, struct text *text)
{
    const struct header_quant *q = &t->quant;

    if (!t->bits_max && !header_has_quant(q))
        return;
    if (t->bits_max)
        text_printf(text, "quantize bits=max");
    else if (q->bits > 0)
        text_printf(text, "quantize bits=%u", q->bits);
    else if (q->rounding == HEADER_SIGN)
        text_printf(text, "quantize sign");
    else
        text_printf(text, "quantize levels=%llu", (unsigned long long)q->levels);
    text_printf(text, " clip=%.17g", q->clip);
    if (q->rounding != HEADER_SIGN)
        text_printf(text, " rounding=%s", header_rounding_name(q->rounding));
    text_printf(text, "\n");
}

static void print_settings(const struct topology *t, struct text *text)
{
    text_printf(text, "field %s\nscheme %s\n", t->field, t->scheme);
    text_printf(text, "collude %s clients=%u stations=%u relays=%u", t->full ? "full" : "partial",
                t->collude_clients, t->collude_stations, t->collude_relays);
    for (size_t i = 0; i < t->n_tolerated; i++)
        text_printf(text, "%s %u/%u at %u", i == 0 ? " tolerate" : "", t->tolerated[i].num,
                    t->tolerated[i].den, t->tolerated[i].stations);
    text_printf(text, "\n");
    if (t->drop_clients > 0 || t->drop_stations > 0 || t->drop_relays > 0)
        text_printf(text, "drop clients=%u stations=%u relays=%u\n", t->drop_clients,
                    t->drop_stations, t->drop_relays);
    print_quantize(t, text);
    if (topology_integers_given(&t->integers))
        text_printf(text, "integers %lld..%lld\n", (long long)t->integers.lo,
                    (long long)t->integers.hi);
    if (t->samples)
        text_printf(text, "samples");
    if (t->most_samples > 0)
        text_printf(text, " most=%llu", (unsigned long long)t->most_samples);
    if (t->samples)
        text_printf(text, "\n");
    if (t->length > 0)
        text_printf(text, "length %llu\n", (unsigned long long)t->length);
    if (t->computational)
        text_printf(text, "privacy computational\n");
    if (t->fallback)
        text_printf(text, "fallback computational\n");
    if (t->transform)
        text_printf(text, "transform direct\n");
    text_printf(text, "protocol %s\n", t->aligned ? "aligned" : "keys");
    if (t->segments > 0)
        text_printf(text, "segments %u\n", t->segments);
    if (t->dealers.n > 0) {
        text_printf(text, "dealers");
        topology_print_numbers(text, &t->dealers);
        text_printf(text, "\n");
    }
    text_printf(text, "minimum %u\nstations %u\n", t->minimum, t->n_stations);
    if (t->n_relays > 0)
        text_printf(text, "relays %u\n", t->n_relays);
    topology_prices_print(&t->prices, t->n_relays > 0, text);
    if (t->identities[0]) {
        text_printf(text, "identities %s", t->identities);
        if (t->has_identities_digest) {
            text_printf(text, " ");
            text_hex(text, t->identities_digest, sizeof t->identities_digest);
        }
        text_printf(text, "\n");
    }
}

/* Lists the client numbers group by group, ascending in each group. starts has n_groups + 1
 * entries, all zero. */
static void sort_by_group(const struct topology *t, uint32_t *numbers, size_t *starts)
{
    for (size_t i = 0; i < t->n_clients; i++)
        starts[t->clients[i].group + 1]++;
    for (size_t g = 0; g < t->n_groups; g++)
        starts[g + 1] += starts[g];
    for (size_t i = 0; i < t->n_clients; i++)
        numbers[starts[t->clients[i].group]++] = t->clients[i].number;
    /* each start was advanced to the start of the next group */
    memmove(starts + 1, starts, t->n_groups * sizeof *starts);
    starts[0] = 0;
}

void topology_print(const struct topology *t, struct text *text)
{
    uint32_t *numbers = calloc(t->n_clients + 1, sizeof *numbers);
    size_t *starts = calloc(t->n_groups + 1, sizeof *starts);

    if (!numbers || !starts) {
        text->failed = true;
        goto out;
    }
    print_settings(t, text);
    for (uint32_t u = 0; t->station_via && u < t->n_stations; u++) {
        text_printf(text, "station %u", u + 1);
        print_list(text, "via", &t->station_via[u]);
        text_printf(text, "\n");
    }
    sort_by_group(t, numbers, starts);
    for (size_t i = 0; i < t->n_groups; i++) {
        const struct topology_group *g = &t->groups[i];
        struct topology_list clients = { numbers + starts[i], starts[i + 1] - starts[i] };

        text_printf(text, "client");
        topology_print_numbers(text, &clients);
        print_list(text, "via", &g->via);
        if (g->computational && !t->computational)
            text_printf(text, " computational");
        print_list(text, "shares", g->reach.n > 0 ? topology_shares(g) : &g->shares);
        print_list(text, "keys", &g->keys);
        print_list(text, "relays", &g->relays);
        print_list(text, "key-relays", &g->key_relays);
        text_printf(text, "\n");
    }
out:
    free(numbers);
    free(starts);
}

uint32_t topology_colluders(const struct topology *t, size_t tier)
{
    if (t->n_relays == 0 || t->aligned)
        return t->collude_stations;
    if (t->transform)
        return tier == 0 ? t->collude_stations : t->collude_relays;
    if (t->full)
        return t->collude_stations + t->collude_relays;
    return t->collude_stations > t->collude_relays ? t->collude_stations : t->collude_relays;
}

uint32_t topology_colluding_dealers(const struct topology *t)
{
    return t->full ? topology_tolerate_most(t) : 0;
}

uint32_t topology_spares(const struct topology *t, size_t tier)
{
    if (t->aligned)
        return t->drop_stations;
    if (t->transform)
        return tier == 0 ? t->drop_stations : t->drop_relays;
    return t->drop_stations + t->drop_relays;
}

/* The same with the stations of all promises. */
static uint32_t most_colluders(const struct topology *t, size_t tier)
{
    return t->n_tolerated > 0 && tier == 0 ? topology_tolerate_most(t)
                                           : topology_colluders(t, tier);
}

uint64_t topology_fewest(const struct topology *t, size_t tier)
{
    return (uint64_t)most_colluders(t, tier) + 2 * (uint64_t)topology_spares(t, tier) + 1;
}

uint64_t topology_smallest_total(const struct topology *t)
{
    uint64_t required =
        t->drop_clients > 0 && t->drop_clients < t->n_clients ? t->n_clients - t->drop_clients : 0;

    return required > t->minimum ? required : t->minimum;
}

/* Advises on the drop line: a sharing with n holders tolerates up to `most` missing ones. */
static void advise_drop(const struct topology *t, size_t tier, uint64_t most, struct text *text)
{
    bool both = !t->transform && t->drop_stations > 0 && t->drop_relays > 0;
    const char *word = t->drop_stations > 0 && (tier == 0 || !t->transform) ? "stations" : "relays";

    if (both)
        text_printf(text, "use drop stations and relays that add up to %llu",
                    (unsigned long long)most);
    else
        text_printf(text, "use drop %s=%llu", word, (unsigned long long)most);
    text_printf(text, "%s", most > 0 ? " at most" : "");
}

int topology_too_few(const struct topology *t, const char *where, uint64_t n, const char *what,
                     uint32_t colluders, uint32_t spares, uint64_t fewest, struct hagg_err *err)
{
    bool promised = t->n_tolerated > 0 && colluders == topology_tolerate_most(t);

    return err_set(err, HAGG_E_MALFORMED,
                   "%s: %llu %s%s too few: %s%u %s and %u may be missing, so at least %llu are "
                   "needed",
                   where, (unsigned long long)n, what, n == 1 ? " is" : "s are",
                   promised ? "tolerate is about " : "", colluders,
                   promised ? "stations" : "may collude", spares, (unsigned long long)fewest);
}

int topology_check_holders(const struct topology *t, size_t tier, uint64_t n, const char *where,
                           struct hagg_err *err)
{
    uint32_t colluders = most_colluders(t, tier), spares = topology_spares(t, tier);
    unsigned long long fewest = topology_fewest(t, tier);
    const char *what = tier == 0 ? "station" : "relay";
    struct text advice = { 0 };
    int status;

    if (n >= fewest)
        return 0;
    if (n <= (uint64_t)colluders + spares)
        return topology_too_few(t, where, n, what, colluders, spares, fewest, err);
    advise_drop(t, tier, (n - colluders - 1) / 2, &advice);
    status = err_set(err, HAGG_E_PRIVACY,
                     "%s: %llu %s%s too few: %u may collude and %u may be missing, so two totals "
                     "of one round could be decoded: %s, or at least %llu %ss",
                     where, (unsigned long long)n, what, n == 1 ? " is" : "s are", colluders,
                     spares, text_ok(&advice) ? advice.bytes : "use a smaller drop", fewest, what);
    text_free(&advice);
    return status;
}

struct topology topology_apart(const struct topology *t)
{
    struct topology apart = *t;

    apart.transform = t->n_relays > 0;
    return apart;
}

void topology_default_relays(struct topology *t)
{
    if (!t->relays_stated)
        t->collude_relays = t->transform;
}

int topology_check_minimum(const struct topology *t, const char *name, struct hagg_err *err)
{
    uint32_t least = t->collude_clients + 2;

    if (t->minimum >= least)
        return 0;
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: with minimum %u and clients=%u in the collude line, a total may reveal the "
                   "vector of one client: use minimum %u or more",
                   name, t->minimum, t->collude_clients, least);
}

int topology_check_protected(const struct topology *t, const char *name, struct hagg_err *err)
{
    if (topology_colluders(t, 0) == 0)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: the collude line has stations=0, so a single station may learn vectors "
                       "or parts of them: use stations=1 or more",
                       name);
    if (t->transform && t->collude_relays == 0)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: the collude line has relays=0, so a single relay may learn sums or "
                       "parts of them: use relays=1 or more",
                       name);
    return topology_check_minimum(t, name, err);
}

static int compare_number(const void *number, const void *client)
{
    uint32_t x = *(const uint32_t *)number, y = ((const struct topology_client *)client)->number;

    return (x > y) - (x < y);
}

const struct topology_client *topology_client(const struct topology *t, uint32_t number)
{
    return bsearch(&number, t->clients, t->n_clients, sizeof *t->clients, compare_number);
}

const struct topology_client *topology_clients(const struct topology *t, uint32_t first,
                                               uint32_t last)
{
    const struct topology_client *c = topology_client(t, first);
    size_t n = (size_t)last - first + 1;

    return c && (size_t)(t->clients + t->n_clients - c) >= n && c[n - 1].number == last ? c : NULL;
}
