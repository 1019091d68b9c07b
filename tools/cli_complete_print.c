#include "cli_complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "cli_options.h"
#include "cli_state.h"
#include "protocol/node.h"
#include "sharing/plugin.h"
#include "topology/topology.h"

/* Values are file names, which usually look like this. */
static const struct {
    const char *metavariable, *patterns;
} files[] = {
    { "FILE", "" },
    { "KEY", "\t*.cbor" },
    { "PEM", "\t*.pem" },
    { "PLAN", "\t*.plan\t*.topo" },
    { "RECORDS", "\t*.cbor" },
    { "ROSTER", "\t*.cbor" },
    { "TOPOLOGY", "\t*.topo" },
    { "VECTOR", "\t*.npy\t*.txt" },
};

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=,.+_-"

/* Prints the prefix, the first n characters of the unfinished value, and a word. */
static void print(const struct cli_complete_value *v, size_t n, const char *word,
                  const char *description)
{
    char *whole;

    /* a word from a file, or what the user has typed, is printed only if no shell could mistake it
     * for something else */
    if (strspn(v->text, PLAIN) < n || word[strspn(word, PLAIN)] ||
        asprintf(&whole, "%s%.*s%s", v->prefix, (int)n, v->text, word) < 0)
        return;
    cli_complete_word(whole, description);
    free(whole);
}

static void print_number(const struct cli_complete_value *v, size_t n, uint64_t number,
                         const char *description)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    print(v, n, digits, description);
}

/* Reads the plan. Returns false for standard input, pipes and the like, which can be read once. */
static bool load(struct topology *t, const struct cli_complete_line *line)
{
    const char *path = cli_options_plan(&(struct cli_options){ .plan = line->plan });
    struct hagg_err err;
    struct stat st;

    *t = (struct topology){ 0 };
    return path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && topology_load(t, path, &err) == 0;
}

/* Prints the numbers of the nodes of a tier, after the first n characters of the value. */
static void print_nodes(const struct cli_complete_line *line, const struct cli_complete_value *v,
                        size_t n, enum node_tier tier)
{
    struct topology t;

    if (!load(&t, line))
        return;
    for (size_t i = 0; tier == NODE_CLIENT && i < t.n_clients; i++)
        print_number(v, n, t.clients[i].number, NULL);
    for (uint32_t u = 1; tier == NODE_STATION && u <= t.n_stations; u++)
        print_number(v, n, u, NULL);
    for (uint32_t u = 1; tier == NODE_RELAY && u <= t.n_relays; u++)
        print_number(v, n, u, NULL);
    topology_free(&t);
}

/* Returns the tier of "station" or "stations=", whatever the case of the letters; NODE_FEDERATOR if
 * it is none that has numbers. *several is true for the plural. */
static enum node_tier find_tier(const char *name, size_t n, bool *several)
{
    int tier = 0;

    for (; tier < NODE_FEDERATOR; tier++) {
        const char *known = node_tier_name((enum node_tier)tier);
        size_t len = strlen(known);

        *several = n == len + 1;
        if ((n == len || (*several && strchr("sS", name[len]))) && !strncasecmp(name, known, len))
            break;
    }
    return (enum node_tier)tier;
}

/* Returns the length of the value up to and with the last of these characters. */
static size_t after_last(const char *text, const char *characters)
{
    size_t n = strlen(text);

    while (n > 0 && !strchr(characters, text[n - 1]))
        n--;
    return n;
}

/* Prints the words that the parser offered, and numbers of nodes after a word such as "stations="
 */
static void print_words(const struct cli_complete_line *line, const struct cli_complete_value *v)
{
    size_t item = v->several ? after_last(v->text, ",") : 0;
    size_t equals = after_last(v->text, "="), name;
    bool several;

    for (size_t i = 0; v->words[i] && equals <= item; i++)
        print(v, item, v->words[i], NULL);
    if (equals == 0)
        return;
    for (name = equals - 1; name > 0 && v->text[name - 1] != ','; name--)
        ;
    print_nodes(line, v, v->several ? after_last(v->text, "=,-") : equals,
                find_tier(v->text + name, equals - 1 - name, &several));
}

struct rounds {
    uint64_t *numbers; /* in the order of the state directory */
    size_t n, capacity;
    const struct cli_complete_value *digests; /* print these instead; NULL for rounds */
    char last[2 * HEADER_PLAN_BYTES + 1];
};

static int visit_entry(void *arg, const struct state_entry *e, struct hagg_err *err)
{
    struct rounds *r = arg;
    char *end;
    uint64_t round = strtoull(e->round, &end, 10);

    (void)err;
    if (r->digests && strncmp(r->last, e->plan, sizeof r->last)) {
        snprintf(r->last, sizeof r->last, "%s", e->plan);
        print(r->digests, 0, r->last, NULL);
    }
    if (r->digests || *end || end == e->round)
        return 0;
    if (ARRAY_RESERVE(r->numbers, r->n + 1, r->capacity))
        return -1;
    r->numbers[r->n++] = round;
    return 0;
}

static int descending(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return (*a < *b) - (*a > *b);
}

/* Visits the entries of the state directory, if there is one and nobody is using it. */
static void visit_state(const struct cli_complete_line *line, struct rounds *r)
{
    struct text path = { 0 };
    struct state *s = NULL;
    struct hagg_err err;

    cli_state_find(line->state, &path);
    if (text_ok(&path) && path.bytes)
        s = state_new(path.bytes, false, &err);
    if (s && state_is_idle(s))
        state_each(s, line->digest && !r->digests ? line->digest : "", visit_entry, r, &err);
    state_free(s);
    text_free(&path);
}

/* The rounds that the nodes on this machine remember, the last ones first, and the next one. */
static void print_rounds(const struct cli_complete_line *line, const struct cli_complete_value *v)
{
    enum { MOST = 100 };
    struct rounds r = { 0 };
    int n = 0;

    visit_state(line, &r);
    if (r.n > 0)
        qsort(r.numbers, r.n, sizeof *r.numbers, descending);
    if (r.n > 0 && r.numbers[0] < LIMIT_ROUND)
        print_number(v, 0, r.numbers[0] + 1, "the next round");
    for (size_t i = 0; i < r.n && n < MOST; i++)
        if (i == 0 || r.numbers[i] != r.numbers[i - 1]) {
            print_number(v, 0, r.numbers[i], "a round that this machine remembers");
            n++;
        }
    free(r.numbers);
}

static void print_plugin(void *value, const char *name)
{
    print(value, 0, name, NULL);
}

static void print_plugins(const struct cli_complete_value *v, const char *kind)
{
    struct cli_complete_value copy = *v;

    plugin_each(kind, print_plugin, &copy);
}

void cli_complete_print(const struct cli_complete_line *line, const struct cli_complete_value *v)
{
    const char *what = v->metavariable;
    bool several;
    enum node_tier tier = find_tier(what, strlen(what), &several);

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(what, files[i].metavariable) == 0)
            printf("file\t%s%s\n", v->prefix, files[i].patterns);
    if (v->words)
        print_words(line, v);
    if (strcmp(what, "DIRECTORY") == 0)
        printf("directory\t%s\n", v->prefix);
    else if (tier != NODE_FEDERATOR)
        print_nodes(line, v, several ? after_last(v->text, ",-") : 0, tier);
    else if (strcmp(what, "TIER") == 0)
        for (int i = 0; i < NODE_FEDERATOR; i++)
            print(v, 0, node_tier_name((enum node_tier)i), NULL);
    else if (strcmp(what, "ROUND") == 0)
        print_rounds(line, v);
    else if (strcmp(what, "DIGEST") == 0)
        visit_state(line, &(struct rounds){ .digests = v });
    else if (strcmp(what, "FIELD") == 0)
        print_plugins(v, "field");
    else if (strcmp(what, "SCHEME") == 0)
        print_plugins(v, "scheme");
}
