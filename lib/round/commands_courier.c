#include <stdio.h>

#include "round/commands_steps.h"
#include "round/node_name.h"
#include "round/sending.h"

/* Counts the links from the first one on that are about the same client or batch. */
static size_t count_same(const struct link *links, size_t n)
{
    size_t same = 0;

    while (same < n && links[same].with == links[0].with)
        same++;
    return same;
}

static struct node_name home_of(const struct commands *c, const struct link *l)
{
    return node_name_home(commands_client_tier(c), l->with);
}

/* The name, without the receiver, of what is passed on. */
static struct node_name name_of(const struct commands *c, const struct link *l)
{
    return node_name_of("%s%s", home_of(c, l).text, commands_reroute(c, l->with).text);
}

/* Marks the steps of the layer from the given one on: in a node's part they are only done if the
 * client has sent something. */
static void set_offered(struct commands *c, size_t first, uint32_t station, const char *client)
{
    for (size_t i = first; i < c->layer->n && !c->layer->failed; i++)
        c->layer->failed = asprintf(&c->layer->steps[i].offered, "%s/station-%u/in/%s.cbor",
                                    c->base, station, client) < 0;
}

/* One step for each client, so that nobody waits for another client, and a file that is refused
 * affects only its sender. A courier needs no private key, and remembers nothing. */
void commands_courier_pass(struct commands *c, uint32_t station)
{
    size_t n, same;
    const struct link *links = links_of(&c->deliveries.passed, station, &n);

    for (; n > 0; links += same, n -= same) {
        struct node_name home = home_of(c, links), name = name_of(c, links);
        size_t first = c->layer->n;

        same = count_same(links, n);
        commands_add_step(c, station);
        commands_text(c, "hagg-aggregate");
        step_option(c->layer, "--plan", "%s", c->o->plan_path);
        commands_text(c, "--pass-on");
        step_option(c->layer, "--station", "%u", station);
        step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
        step_option(c->layer, "-o", "%s/station-%u/out/%s-station-{}.cbor", c->base, station,
                    name.text);
        for (size_t i = 0; i < same; i++)
            step_output(c->layer, "%s/station-%u/out/%s-station-%u.cbor", c->base, station,
                        name.text, links[i].third);
        COMMANDS_READS(c, "%s/station-%u/in/%s.cbor", c->base, station, home.text);
        set_offered(c, first, station, home.text);
    }
}

void commands_courier_send(struct commands *c, uint32_t station)
{
    size_t n, same;
    const struct link *links = links_of(&c->deliveries.passed, station, &n);

    for (; n > 0; links += same, n -= same) {
        struct node_name home = home_of(c, links), name = name_of(c, links);
        struct node_name copy = commands_copy_name(c, links->with, station);
        size_t first = c->layer->n;

        same = count_same(links, n);
        sending_begin(c, station, name.text);
        for (size_t i = 0; i < same; i++)
            sending_file(c, node_name_of("%s-station-%u.cbor", name.text, links[i].third).text,
                         STEP_STATION, links[i].third, node_name_of("%s.cbor", copy.text).text);
        sending_end(c);
        set_offered(c, first, station, home.text);
    }
}
