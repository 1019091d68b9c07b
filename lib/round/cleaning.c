#include "round/cleaning.h"

#include "round/node_name.h"

static void word(struct commands *c, const char *text)
{
    step_word(c->layer, STEP_TEXT, "%s", text);
}

static void check_total(struct commands *c, uint32_t federator)
{
    step_add(c->layer, federator);
    word(c, "test");
    step_option(c->layer, "-e", "%s", c->result);
}

/* Begins a command that replaces files by empty ones. A file that was removed would be made again.
 * Files in an inbox may belong to their senders, so they are not emptied in place. With -C, the
 * shell does not write through a link that somebody creates meanwhile. */
static void begin_empty(struct commands *c, uint32_t node)
{
    step_add(c->layer, node);
    word(c, "sh");
    step_option(c->layer, "-c", "%s",
                "umask 077; set -C; left=0; for file; do [ ! -e \"$file\" ] || { rm -f \"$file\" "
                "&& : >\"$file\"; } || left=1; done; exit $left");
    word(c, "empty");
}

static void empty_key(struct commands *c, uint32_t node)
{
    struct node_name home = node_name_home(c->layer->tier, node);

    begin_empty(c, node);
    step_word(c->layer, STEP_TEXT, "%s/%s/private/key.cbor", c->base, home.text);
    step_word(c->layer, STEP_FILES, "%s/%s/out/station-*.cbor", c->base, home.text);
    step_word(c->layer, STEP_FILES, "%s/%s/out/shares*.sent", c->base, home.text);
}

/* What a courier passed on. */
static void empty_passed(struct commands *c, uint32_t station)
{
    const char *kind = node_name_kind(commands_client_tier(c));
    size_t n;

    links_of(&c->deliveries.passed, station, &n);
    if (n == 0)
        return;
    begin_empty(c, station);
    step_word(c->layer, STEP_FILES, "%s/station-%u/out/%s-*.cbor", c->base, station, kind);
    step_word(c->layer, STEP_FILES, "%s/station-%u/out/%s-*.sent", c->base, station, kind);
}

static void empty_shares(struct commands *c, uint32_t station)
{
    begin_empty(c, station);
    step_word(c->layer, STEP_FILES, "%s/station-%u/in/%s-*.cbor", c->base, station,
              node_name_kind(commands_client_tier(c)));
    step_word(c->layer, STEP_TEXT, "%s/station-%u/in/keys.cbor", c->base, station);
    step_word(c->layer, STEP_FILES, "%s/station-%u/out/keys-*.cbor", c->base, station);
    if (!c->topology->aligned)
        return;
    step_word(c->layer, STEP_FILES, "%s/station-%u/out/mask-*.cbor", c->base, station);
    step_word(c->layer, STEP_FILES, "%s/station-%u/out/masks*.sent", c->base, station);
    step_word(c->layer, STEP_FILES, "%s/station-%u/in/mask-*.cbor", c->base, station);
}

/* After the round, in this order. A client's shares are emptied after its key, then the notes that
 * they were sent, then the same of couriers, and then the copies. So each is newer than the one
 * before, and make neither shares nor sends again. */
const struct commands_layer cleaning_layers[ROUND_CLEANING] = {
    { "cleancheck", "the total was decoded", STEP_FEDERATOR, STEP_ALWAYS, check_total },
    { "cleankeys", "clients remove their shares and keys", STEP_CLIENT, STEP_ALWAYS, empty_key },
    { "cleanpassed", "couriers remove what they passed on", STEP_STATION, STEP_ALWAYS,
      empty_passed },
    { "cleanshares", "stations remove shares, masks and keys", STEP_STATION, STEP_ALWAYS,
      empty_shares },
};
