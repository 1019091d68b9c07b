#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "records/outfiles.h"
#include "round/commands_steps.h"
#include "round/node_name.h"
#include "round/sending.h"

static struct node_name home_of(const struct commands *c, uint32_t node)
{
    return node_name_home(commands_client_tier(c), node);
}

/* Adds the option that names the clients of the step: --client 3, or --clients 1-3,5. */
static void name_clients(struct commands *c, uint32_t node)
{
    struct text set = { 0 };
    size_t n;
    const uint32_t *clients = batches_of(&c->batches, node, &n);

    if (c->o->batch == 0) {
        step_option(c->layer, "--client", "%u", node);
        return;
    }
    for (size_t i = 0, last; i < n; i = last + 1) {
        for (last = i; last + 1 < n && clients[last + 1] == clients[last] + 1;)
            last++;
        text_printf(&set, last > i ? "%s%u-%u" : "%s%u", i > 0 ? "," : "", clients[i],
                    clients[last]);
    }
    c->layer->failed = c->layer->failed || !text_ok(&set);
    step_option(c->layer, "--clients", "%s", text_ok(&set) ? set.bytes : "");
    text_free(&set);
}

void commands_client_key(struct commands *c, uint32_t node)
{
    if (c->topology->aligned)
        return;
    commands_begin(c, node, "hagg-keygen");
    name_clients(c, node);
    commands_keygen(c);
    COMMANDS_WRITES(c, "%s/%s/private/key.cbor", c->base, home_of(c, node).text);
}

/* Adds the files of the user's pattern to the inputs. Returns the name for the command, which for a
 * batch is the pattern; the caller frees it. If memory is short, returns NULL and marks the layer
 * as failed. */
static char *client_files(struct commands *c, const char *pattern, uint32_t node)
{
    size_t n;
    const uint32_t *clients = batches_of(&c->batches, node, &n);
    char *path = NULL;

    for (size_t i = 0; i < n; i++) {
        free(path);
        path = outfiles_path(pattern, clients[i]);
        if (path)
            step_input(c->layer, "%s", path);
        c->layer->failed = c->layer->failed || !path;
    }
    if (c->o->batch > 0) {
        free(path);
        path = strdup(pattern);
    }
    c->layer->failed = c->layer->failed || !path;
    return path;
}

void commands_client_share(struct commands *c, uint32_t node)
{
    struct node_name home = home_of(c, node), reroute = commands_reroute(c, node);
    size_t n;
    const struct link *stations = links_of(&c->deliveries.uploads, node, &n);
    char *vector, *samples = NULL;

    commands_begin_once(c, node, "hagg-share");
    name_clients(c, node);
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    if (!c->topology->aligned) {
        step_option(c->layer, "--key", "%s/%s/private/key.cbor", c->base, home.text);
        step_input(c->layer, "%s/%s/private/key.cbor", c->base, home.text);
    }
    if (c->topology->samples) {
        samples = client_files(c, c->o->samples, node);
        step_option(c->layer, "--samples-file", "%s", samples ? samples : "");
    }
    if (c->o->type)
        step_option(c->layer, "--type", "%s", c->o->type);
    if (c->o->format)
        step_option(c->layer, "--format", "%s", c->o->format);
    if (c->o->again)
        commands_text(c, "--again");
    if (c->o->clip) {
        commands_text(c, "--clip");
        /* others may read the messages, and the number of clipped elements depends on the vector */
        commands_text(c, "--quiet");
    }
    if (c->o->unsafe_plan)
        commands_text(c, "--unsafe-plan");
    if (reroute.text[0])
        step_option(c->layer, "--missing", "%s", c->missing);
    step_option(c->layer, "-o", "%s/%s/out/station-{}%s.cbor", c->base, home.text, reroute.text);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/%s/out/station-%u%s.cbor", c->base, home.text, stations[i].with,
                    reroute.text);
    vector = client_files(c, c->o->vectors, node);
    commands_text(c, vector ? vector : "");
    free(samples);
    free(vector);
}

void commands_client_send(struct commands *c, uint32_t node)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.uploads, node, &n);
    struct node_name reroute = commands_reroute(c, node),
                     what = node_name_of("shares%s", reroute.text);

    sending_begin(c, node, what.text);
    for (size_t i = 0; i < n; i++)
        sending_file(c, node_name_of("station-%u%s.cbor", stations[i].with, reroute.text).text,
                     STEP_STATION, stations[i].with,
                     node_name_of("%s.cbor", home_of(c, node).text).text);
    sending_end(c);
}
