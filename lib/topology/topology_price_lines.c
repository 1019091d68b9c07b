#include "topology/topology_price_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RATIO_MOST */
#define TOO_FINE                                                                                   \
    "all prices, written with a common denominator, need a number above 1073741824: use fewer "    \
    "digits or smaller numbers"

void topology_price_lines_free(struct topology_price_lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        free(lines->lines[i].nodes.numbers);
    free(lines->lines);
    *lines = (struct topology_price_lines){ 0 };
}

static int parse_price(struct words *w, const struct pair *pair, struct ratio *price)
{
    if (price->den > 0)
        return words_fail(w, pair->text, "appears twice");
    switch (ratio_parse(pair->value, strlen(pair->value), price)) {
    case RATIO_OK:
        return 0;
    case RATIO_TOO_LARGE:
        return words_fail(w, pair->text,
                          "has more than 18 digits, or a numerator or denominator above %u",
                          RATIO_MOST);
    default:
        return words_fail(w, pair->text, "a price is a number such as 2, 0.25 or 1/3");
    }
}

/* Parses the pairs from word[at] on, each into the price of its name. */
static int parse_pairs(struct words *w, size_t at, const char *const *names, struct ratio *prices)
{
    if (!w->word[at])
        return words_fail(w, w->word[at - 1], "needs a price after it, as in %s0.5", names[0]);
    for (; w->word[at]; at++) {
        struct pair pair = pairs_of(w->word[at]);
        int i = words_pair(w, &pair, names);

        if (i < 0 || parse_price(w, &pair, &prices[i]))
            return -1;
    }
    return 0;
}

/* Returns which nodes the word names; N_TOPOLOGY_PRICED if it is a word for a link. */
static int kind_of(const char *word)
{
    return word && strcmp(word, "station") == 0 ? TOPOLOGY_PRICED_STATIONS
           : word && strcmp(word, "relay") == 0 ? TOPOLOGY_PRICED_RELAYS
                                                : N_TOPOLOGY_PRICED;
}

static int parse_nodes(struct words *w, struct topology_price_line *line)
{
    static const char *const names[] = { "send=", "receive=", NULL };
    struct ratio prices[2] = { { 0 } };
    size_t at = 2;

    if (words_list(w, &at, TOPOLOGY_MAX_NODES, TOPOLOGY_MAX_NODES, &line->nodes) ||
        parse_pairs(w, at, names, prices))
        return -1;
    line->send = prices[0].den > 0 ? prices[0] : (struct ratio){ 0, 1 };
    line->receive = prices[1].den > 0 ? prices[1] : (struct ratio){ 0, 1 };
    return 0;
}

int topology_price_lines_add(struct topology_price_lines *lines, struct words *w)
{
    int kind = kind_of(w->word[1]);
    struct topology_price_line *line;

    if (w->word[1] && (strcmp(w->word[1], "client") == 0 || strcmp(w->word[1], "federator") == 0))
        return words_fail(w, w->word[1],
                          "only stations and relays have prices of their own: use price station "
                          "LIST or price relay LIST");
    if (words_grow(w, &lines->lines, lines->n, &lines->max, sizeof *lines->lines))
        return -1;
    line = &lines->lines[lines->n++];
    *line = (struct topology_price_line){ .of_links = kind == N_TOPOLOGY_PRICED,
                                          .kind = kind,
                                          .line = w->line };
    if (!line->of_links)
        return parse_nodes(w, line);
    if (lines->has_links)
        return words_fail(w, w->word[0], "appears twice");
    lines->has_links = true;
    return parse_pairs(w, 1, topology_price_words, line->links);
}

static int fail_number(const char *name, const struct topology_price_line *line, uint32_t number,
                       struct hagg_err *err, const char *reason)
{
    struct words w = { .name = name, .line = line->line, .err = err };
    char word[16];

    snprintf(word, sizeof word, "%u", number);
    return words_fail(&w, word, "%s", reason);
}

static int fail_beyond(const char *name, const struct topology_price_line *line, uint32_t number,
                       uint32_t n, struct hagg_err *err)
{
    char reason[64];

    snprintf(reason, sizeof reason, "there %s only %u %s%s", n == 1 ? "is" : "are", n,
             line->kind == TOPOLOGY_PRICED_STATIONS ? "station" : "relay", n == 1 ? "" : "s");
    return fail_number(name, line, number, err, reason);
}

/* Sets the price of one node. */
static int set_node(struct topology *t, const struct topology_price_line *line, uint32_t number,
                    bool *seen, const char *name, struct hagg_err *err)
{
    const uint32_t n = line->kind == TOPOLOGY_PRICED_STATIONS ? t->n_stations : t->n_relays;

    if (n == 0)
        return fail_number(name, line, number, err,
                           "there are no relays: remove the line, or add a line relays N");
    if (number > n)
        return fail_beyond(name, line, number, n, err);
    if (seen[number])
        return fail_number(name, line, number, err, "this node has a price already");
    seen[number] = true;
    if (topology_prices_set_node(&t->prices, line->kind, number, n, line->send, line->receive) == 0)
        return 0;
    return errno ? err_errno(err, "%s", name) : fail_number(name, line, number, err, TOO_FINE);
}

static int set_nodes(struct topology *t, const struct topology_price_line *line, bool *seen,
                     const char *name, struct hagg_err *err)
{
    for (size_t i = 0; i < line->nodes.n; i++)
        if (set_node(t, line, line->nodes.numbers[i], seen, name, err))
            return -1;
    return 0;
}

int topology_price_lines_apply(struct topology *t, const struct ratio links[N_LINKS],
                               const char *where, struct hagg_err *err)
{
    for (enum topology_link link = 0; link < N_LINKS; link++) {
        const char *reason = NULL;

        if (links[link].den == 0)
            continue;
        if (!topology_prices_has_link(link, t->n_relays > 0))
            reason = t->n_relays > 0 ? "with relays, stations send nothing to the federator: use "
                                       "stations-relays="
                                     : "there are no relays: omit this price, or add relays";
        else if (topology_prices_set(&t->prices, link, links[link]))
            reason = TOO_FINE;
        if (reason)
            return err_set(err, HAGG_E_MALFORMED, "%s: '%s': %s", where, topology_price_words[link],
                           reason);
    }
    return 0;
}

static int set_links(struct topology *t, const struct topology_price_line *line, const char *name,
                     struct hagg_err *err)
{
    struct text where = { 0 };
    int status;

    text_printf(&where, "%s:%zu", name, line->line);
    status = text_ok(&where) ? topology_price_lines_apply(t, line->links, where.bytes, err)
                             : err_errno(err, "%s", name);
    text_free(&where);
    return status;
}

int topology_price_lines_resolve(const struct topology_price_lines *lines, struct topology *t,
                                 const char *name, struct hagg_err *err)
{
    bool *seen[N_TOPOLOGY_PRICED] = { NULL };
    int status = 0;

    if (lines->n == 0)
        return 0;
    for (int kind = 0; kind < N_TOPOLOGY_PRICED; kind++) {
        seen[kind] = calloc(TOPOLOGY_MAX_NODES + (size_t)1, sizeof *seen[kind]);
        if (!seen[kind])
            status = err_errno(err, "%s", name);
    }
    for (size_t i = 0; i < lines->n && status == 0; i++) {
        const struct topology_price_line *line = &lines->lines[i];

        status = line->of_links ? set_links(t, line, name, err)
                                : set_nodes(t, line, seen[line->kind], name, err);
    }
    for (int kind = 0; kind < N_TOPOLOGY_PRICED; kind++)
        free(seen[kind]);
    return status;
}

int topology_price_lines_option(struct ratio links[N_LINKS], const char *option, const char *text,
                                struct hagg_err *err)
{
    struct words w = { .name = option, .line = 1, .err = err };
    struct ratio given[N_LINKS] = { { 0 } };
    char *line, *comma;
    int status;

    if (asprintf(&line, "price %s", text) < 0)
        return words_no_memory(&w);
    while ((comma = strchr(line, ',')))
        *comma = ' ';
    status = words_split(&w, line) || parse_pairs(&w, 1, topology_price_words, given) ? -1 : 0;
    for (enum topology_link link = 0; link < N_LINKS && status == 0; link++)
        if (given[link].den > 0)
            links[link] = given[link];
    words_free(&w);
    free(line);
    if (status)
        err->status = HAGG_E_USAGE;
    return status;
}
