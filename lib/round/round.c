#include "round/round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "round/cleaning.h"
#include "round/commands.h"
#include "round/needs.h"
#include "round/options.h"
#include "round/part.h"
#include "records/describe.h"
#include "records/outfiles.h"
#include "vector/vector.h"

static bool is_there(const struct commands *c, enum node_tier tier, uint32_t number)
{
    return protocol_has(c->deliveries.round, (struct node){ tier, number });
}

static void add_layer(struct commands *c, const struct commands_layer *kind,
                      struct step_layer *layer)
{
    const struct topology *t = c->topology;

    *layer = (struct step_layer){
        .name = kind->name,
        .what = kind->what,
        .tier = kind->tier == STEP_CLIENT ? commands_client_tier(c) : kind->tier,
        .run = kind->run,
    };
    c->layer = layer;
    switch (kind->tier) {
    case STEP_CLIENT:
    case STEP_BATCH:
        for (size_t i = 0; i < batches_count(&c->batches); i++)
            if (part_has(c->o, STEP_CLIENT, batches_node(&c->batches, i)))
                kind->add(c, batches_node(&c->batches, i));
        break;
    case STEP_STATION:
        for (uint32_t u = 1; u <= t->n_stations; u++)
            if (is_there(c, NODE_STATION, u) && part_has(c->o, STEP_STATION, u))
                kind->add(c, u);
        break;
    case STEP_RELAY:
        for (uint32_t m = 1; m <= t->n_relays; m++)
            if (is_there(c, NODE_RELAY, m) && part_has(c->o, STEP_RELAY, m))
                kind->add(c, m);
        break;
    case STEP_FEDERATOR:
        if (part_has(c->o, STEP_FEDERATOR, 1))
            kind->add(c, 1);
        break;
    }
}

static void add_folder(struct round *r)
{
    r->folder.tier = STEP_FEDERATOR;
    step_add(&r->folder, 1);
    step_word(&r->folder, STEP_TEXT, "mkdir");
    step_word(&r->folder, STEP_TEXT, "-p");
    step_option(&r->folder, "-m", "755");
    step_word(&r->folder, STEP_TEXT, "%s", r->base);
    step_output(&r->folder, "%s", r->base);
}

static int add_layers(struct round *r, struct commands *c, struct hagg_err *err)
{
    bool failed;

    add_folder(r);
    failed = r->folder.failed;
    for (size_t i = 0; i < ROUND_MAX_LAYERS && !failed; i++) {
        add_layer(c, &commands_layers[i], &r->layers[r->n_layers]);
        r->n_layers += c->layer->n > 0;
        failed = c->layer->failed;
    }
    for (size_t i = 0; i < ROUND_CLEANING && !failed; i++) {
        add_layer(c, &cleaning_layers[i], &r->cleaning[i]);
        failed = c->layer->failed;
    }
    return failed ? err_errno(err, "no memory for the steps of the round") : 0;
}

/* "1-3,5" */
static char *list(const struct rangeset *set, struct hagg_err *err)
{
    struct text t = { 0 };

    describe_ranges(&t, set->ranges, set->n);
    if (!text_ok(&t)) {
        err_errno(err, "no memory for a list");
        text_free(&t);
        return NULL;
    }
    for (size_t i = 0; i < t.len; i++)
        if (t.bytes[i] == ' ')
            t.bytes[i] = ',';
    return t.bytes;
}

/* Lists the dealers that are present, if some are missing. */
static int name_dealers(struct commands *c, struct hagg_err *err)
{
    const struct topology_list *dealers = &c->topology->dealers;
    struct rangeset there = { 0 };
    int status = 0;

    for (size_t i = 0; i < dealers->n && status == 0; i++)
        if (is_there(c, NODE_STATION, dealers->numbers[i]))
            status = rangeset_add(&there, dealers->numbers[i], dealers->numbers[i], err);
    if (status == 0 && rangeset_count(&there) < dealers->n && !(c->dealers = list(&there, err)))
        status = -1;
    rangeset_free(&there);
    return status;
}

static int add_present(const struct commands *c, enum node_tier tier, uint32_t n,
                       struct rangeset *there, struct hagg_err *err)
{
    for (uint32_t i = 1; i <= n; i++)
        if (is_there(c, tier, i) && rangeset_add(there, i, i, err))
            return -1;
    return 0;
}

/* Longest list of missing nodes in the name of a file. */
#define MAX_SUFFIX 24

/* "-without-3,5-r2": stations 3 and 5, and relay 2. */
static int name_suffix(struct commands *c, size_t n_tiers, struct hagg_err *err)
{
    struct text t = { 0 };
    uint64_t n = 0;

    for (size_t tier = 0; tier < n_tiers; tier++) {
        const struct rangeset *missing = c->o->presence.missing[tier];
        char *numbers = missing && missing->n > 0 ? list(missing, err) : NULL;

        if (missing && missing->n > 0 && !numbers) {
            text_free(&t);
            return -1;
        }
        if (numbers)
            text_printf(&t, "%s%s", tier == 0 ? "-" : "-r", numbers);
        n += missing ? rangeset_count(missing) : 0;
        free(numbers);
    }
    if (n > 0 && text_ok(&t))
        c->relay_suffix = t.len <= MAX_SUFFIX
                              ? node_name_of("-without%s", t.bytes)
                              : node_name_of("-without-%llu-nodes", (unsigned long long)n);
    text_free(&t);
    return 0;
}

/* With relays that pass on shares, these are sent in part only if no relay is missing. */
static int name_present(struct commands *c, struct hagg_err *err)
{
    const struct topology *t = c->topology;
    const struct rangeset *relays_gone = c->o->presence.missing[1];
    bool whole = t->n_relays > 0 && !t->transform && relays_gone && relays_gone->n > 0;
    struct rangeset there[PLAN_TIERS] = { { 0 } };
    int status = 0;

    /* with any scheme, the missing stations determine which others transform their shares */
    if (!plan_has_prefixes(c->o->plan))
        return t->transform ? name_suffix(c, 1, err) : 0;
    if (name_suffix(c, PLAN_TIERS, err))
        return -1;
    c->suffix = c->relay_suffix;
    if (add_present(c, NODE_STATION, t->n_stations, &there[0], err) ||
        add_present(c, NODE_RELAY, t->n_relays, &there[1], err))
        status = -1;
    for (size_t tier = 0; tier < PLAN_TIERS && status == 0 && !whole; tier++)
        if (tier == 0 || t->transform)
            status = (c->present[tier] = list(&there[tier], err)) ? 0 : -1;
    rangeset_free(&there[0]);
    rangeset_free(&there[1]);
    return status;
}

/* Sets the lists of nodes that are passed to commands. */
static int name_nodes(struct commands *c, struct hagg_err *err)
{
    const struct protocol_presence *presence = &c->o->presence;
    struct rangeset there = { 0 };
    int status = 0;

    if ((presence->clients && !(c->clients = list(presence->clients, err))) || name_present(c, err))
        return -1;
    if (!presence->missing[0] || presence->missing[0]->n == 0)
        return 0;
    if (name_dealers(c, err))
        return -1;
    status = add_present(c, NODE_STATION, c->topology->n_stations, &there, err);
    if (status == 0 &&
        (!(c->sources = list(&there, err)) || !(c->missing = list(presence->missing[0], err))))
        status = -1;
    rangeset_free(&there);
    return status;
}

/* Returns true if a command needs the length of the vectors: one that makes keys or masks. */
static bool wants_length(const struct commands *c)
{
    const struct node *node = c->o->node;
    size_t n;

    if (!node || node->tier == NODE_CLIENT)
        return !node || !c->topology->aligned;
    links_of(&c->deliveries.deals, node->number, &n);
    return node->tier == NODE_STATION && n > 0;
}

/* If neither the plan nor the user states the length, it is read from the first vector, or from
 * that of the client whose part this is. */
static int find_length(struct commands *c, struct hagg_err *err)
{
    const struct topology *t = c->topology;
    uint32_t client = c->o->node ? c->o->node->number : c->batches.clients[0];
    struct hagg_err cause = { 0 };
    struct vector v;
    char *path;
    int status;

    c->length = c->o->length;
    if (t->length > 0 || c->length > 0 || !wants_length(c))
        return 0;
    if (!part_has_clients(c->o))
        return err_set(err, HAGG_E_USAGE,
                       "%s: has no length line, so the length of the masks is unknown: use "
                       "--length",
                       c->o->plan->name);
    path = outfiles_path(c->o->vectors, client);
    if (!path)
        return err_errno(err, "%s", c->o->vectors);
    status = vector_load(&v, path, c->o->format, c->o->type, &cause);
    free(path);
    if (status)
        return err_set(err, cause.status, "%s: so the length is unknown: use --length", cause.text);
    c->length = v.n_elems;
    vector_free(&v);
    return 0;
}

static int name_files(struct round *r, const struct round_options *o, struct hagg_err *err)
{
    int len = asprintf(&r->base, "%s/round-%llu", o->directory, (unsigned long long)o->number);

    if (len < 0)
        r->base = NULL;
    else if (o->result)
        r->result = strdup(o->result);
    else if (asprintf(&r->result, "%s/federator/total.npy", r->base) < 0)
        r->result = NULL;
    if (r->result && o->node &&
        asprintf(&r->roster, "%s/%s/in/roster.cbor", r->base, part_home(o).text) < 0)
        r->roster = NULL;
    return r->result && (r->roster || !o->node) ? 0 : err_errno(err, "%s", o->directory);
}

int round_new(struct round *r, const struct round_options *options, struct hagg_err *err)
{
    struct commands c = { .o = options, .topology = &options->plan->topology };
    int status;

    *r = (struct round){ .options = options };
    if (options_check(options, err))
        return -1;
    status = name_files(r, options, err);
    c.base = r->base;
    c.result = r->result;
    if (status == 0)
        status = deliveries_new(&c.deliveries, options->plan, &options->presence, err);
    if (status == 0)
        status = part_check(options, &c.deliveries, err);
    if (status == 0)
        status = batches_new(&c.batches, &c.deliveries, options->batch, err);
    if (status == 0)
        status = find_length(&c, err);
    if (status == 0)
        status = name_nodes(&c, err);
    if (status == 0)
        status = add_layers(r, &c, err);
    if (status == 0)
        status = needs_find(r, err);
    batches_free(&c.batches);
    deliveries_free(&c.deliveries);
    free(c.clients);
    free(c.sources);
    free(c.missing);
    free(c.present[0]);
    free(c.present[1]);
    free(c.dealers);
    if (status)
        round_free(r);
    return status;
}

void round_free(struct round *r)
{
    step_free_layer(&r->folder);
    for (size_t i = 0; i < r->n_layers; i++)
        step_free_layer(&r->layers[i]);
    for (size_t i = 0; i < ROUND_CLEANING; i++)
        step_free_layer(&r->cleaning[i]);
    free(r->awaited);
    free(r->base);
    free(r->result);
    free(r->roster);
    *r = (struct round){ 0 };
}
