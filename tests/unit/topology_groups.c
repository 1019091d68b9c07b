#include <string.h>

#include "check.h"
#include "topology/topology.h"

static void states(const char *text, enum topology_protocol want)
{
    CHECK(topology_stated(text) == want);
}

static void finds_the_protocol_line(void)
{
    states("", TOPOLOGY_ANY);
    states("stations 5\n# protocol keys\nprotocols keys\n", TOPOLOGY_ANY);
    states("protocol keys", TOPOLOGY_KEYS);
    states("stations 5\n \t protocol \t keys # paper\nclient 1 via 1\n", TOPOLOGY_KEYS);
    states("stations 5\r\nprotocol aligned\r\n", TOPOLOGY_ALIGNED);
    states("\n\nprotocol\n", TOPOLOGY_ANY);
}

/* Checks the form of a topology that is parsed to choose, or the message if it is refused. */
static void parses(enum topology_protocol protocol, const char *text, const char *want)
{
    struct hagg_err err = { 0 };
    struct text printed = { 0 };
    struct topology t;

    if (topology_parse_to_choose(&t, protocol, "t", text, strlen(text), &err) == 0)
        topology_print(&t, &printed);
    CHECK_STR(printed.bytes ? printed.bytes : err.text, want);
    text_free(&printed);
    topology_free(&t);
}

#define HEAD(scheme, protocol, relays)                                                             \
    "field auto\nscheme " scheme "\ncollude partial clients=0 stations=1 relays=" relays           \
    "\nprotocol " protocol "\nminimum 2\n"

/* Clients that differ only in what was chosen become one group. */
static void discards_choices(void)
{
    static const char keys[] = "protocol keys\nstations 3\nclient 1 via 1-3 shares 1 2 keys 1\n"
                               "client 2 via 1-3 keys 2\nclient 3 via 2 3\n",
                      aligned[] = "protocol aligned\nstations 3\nsegments 4\ndealers 2\n"
                                  "client 1 via 1-3 shares 1 2\nclient 2 via 1-3\n";

    parses(TOPOLOGY_ANY, keys,
           HEAD("ramp", "keys", "0") "stations 3\nclient 1-2 via 1-3\nclient 3 via 2-3\n");
    parses(TOPOLOGY_KEYS, keys,
           HEAD("ramp", "keys", "0") "stations 3\nclient 1-2 via 1-3\nclient 3 via 2-3\n");
    parses(TOPOLOGY_ALIGNED, aligned,
           HEAD("aligned", "aligned", "0") "stations 3\nclient 1-2 via 1-3\n");
    /* they are checked first */
    parses(TOPOLOGY_KEYS, "protocol keys\nstations 3\nclient 1 2 via 1 2 shares 1 3\n",
           "t:3: '3': shares names a station that these clients do not reach");
}

/* What only the stated protocol has is discarded, and nothing else. */
static void changes_the_protocol(void)
{
    parses(TOPOLOGY_ALIGNED,
           "protocol keys\nscheme ramp\ntransform direct\nstations 2\nrelays 2\n"
           "station 1 2 via 1 2\nclient 1 2 via 1 2 shares 2 1 keys 1 relays 1 2\n",
           HEAD("aligned", "aligned", "0") "stations 2\nrelays 2\nstation 1 via 1-2\n"
                                           "station 2 via 1-2\nclient 1-2 via 1-2\n");
    parses(TOPOLOGY_KEYS,
           "protocol aligned\nscheme aligned\nsegments 3\ndealers 1\nstations 2\n"
           "client 1 2 via 1 2 shares 2 1\n",
           HEAD("ramp", "keys", "0") "stations 2\nclient 1-2 via 1-2\n");
    parses(TOPOLOGY_ALIGNED, "protocol keys\nscheme additive\nstations 2\nclient 1 2 via 1 2\n",
           HEAD("additive", "aligned", "0") "stations 2\nclient 1-2 via 1-2\n");
    /* without a line nothing is discarded */
    parses(TOPOLOGY_KEYS,
           "transform direct\nstations 2\nrelays 2\nstation 1 2 via 1 2\nclient 1 2 via 1 2\n",
           "field auto\nscheme ramp\ncollude partial clients=0 stations=1 relays=1\n"
           "transform direct\nprotocol keys\nminimum 2\nstations 2\nrelays 2\nstation 1 via 1-2\n"
           "station 2 via 1-2\nclient 1-2 via 1-2\n");
    parses(TOPOLOGY_ALIGNED, "stations 2\nclient 1 2 via 1 2 keys 1\n",
           "t:2: 'keys': is not used with protocol aligned: remove it, or add a line protocol "
           "keys");
    parses(TOPOLOGY_KEYS, "segments 3\nstations 2\nclient 1 2 via 1 2\n",
           "t:1: 'segments': is not used with protocol keys: remove it, or the line protocol keys");
}

int main(void)
{
    finds_the_protocol_line();
    discards_choices();
    changes_the_protocol();
    return check_end();
}
