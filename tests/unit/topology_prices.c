#include "topology/topology.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "cost/count/prices.h"
#include "topology_text.h"

#define NETWORK "stations 3\nclient 1 2 via 1-3\n"
#define RELAYS  "relays 2\nstation 1-3 via 1 2\n"

/* Checks the price lines of the canonical form, and that they are read as they are written. */
static void prints(const char *lines, const char *want)
{
    struct text text = { 0 }, printed = { 0 }, again = { 0 };
    struct topology t;
    const char *first, *end;

    text_printf(&text, "%s%s", NETWORK, lines);
    accepts(&t, text.bytes);
    topology_print(&t, &printed);
    topology_free(&t);
    first = strstr(printed.bytes, "price");
    end = first ? strstr(first, "\nstation ") : NULL;
    end = end ? end : first ? strstr(first, "\nclient ") : NULL;
    CHECK(first && end && strlen(want) == (size_t)(end - first));
    CHECK(first && strncmp(first, want, strlen(want)) == 0);
    accepts(&t, printed.bytes);
    topology_print(&t, &again);
    CHECK_STR(printed.bytes, again.bytes);
    topology_free(&t);
    text_free(&text);
    text_free(&printed);
    text_free(&again);
}

static void has_a_canonical_form(void)
{
    prints("price stations=0.1", "price clients-stations=1 stations=0.1 stations-federator=1");
    prints("price stations-federator=3/9 clients-stations=2.0",
           "price clients-stations=2 stations=1 stations-federator=1/3");
    prints(RELAYS "price relays=2",
           "price clients-stations=1 stations=1 stations-relays=1 relays=2 relays-federator=1");
    prints("price station 3 1 send=5\nprice station 2 receive=1/2 send=5\nprice stations=0",
           "price clients-stations=1 stations=0 stations-federator=1\n"
           "price station 1 send=5 receive=0\nprice station 2 send=5 receive=0.5\n"
           "price station 3 send=5 receive=0");
    prints(RELAYS "price relay 1-2 receive=4",
           "price clients-stations=1 stations=1 stations-relays=1 relays=1 relays-federator=1\n"
           "price relay 1-2 send=0 receive=4");
}

static struct node node(enum node_tier tier, uint32_t number)
{
    return (struct node){ tier, number };
}

/* In units of 1/30. */
static void adds_up_a_hop(void)
{
    struct topology t;

    accepts(&t, NETWORK RELAYS "price clients-stations=1/3 stations=1/10 stations-relays=0\n"
                               "price station 2 send=1/5 receive=2\nprice relay 1 receive=1/2\n");
    CHECK(prices_unit(&t.prices) == 30);
    CHECK(prices_hop(&t.prices, node(NODE_CLIENT, 1), node(NODE_STATION, 1)) == 10);
    CHECK(prices_hop(&t.prices, node(NODE_CLIENT, 1), node(NODE_STATION, 2)) == 10 + 60);
    CHECK(prices_hop(&t.prices, node(NODE_STATION, 2), node(NODE_STATION, 1)) == 3 + 6);
    CHECK(prices_hop(&t.prices, node(NODE_STATION, 2), node(NODE_RELAY, 1)) == 6 + 15);
    CHECK(prices_hop(&t.prices, node(NODE_RELAY, 1), node(NODE_RELAY, 2)) == 30);
    CHECK(prices_hop(&t.prices, node(NODE_RELAY, 2), NODE_THE_FEDERATOR) == 30);
    topology_free(&t);
    accepts(&t, NETWORK);
    CHECK(t.prices.unit == 0 && prices_unit(&t.prices) == 1);
    CHECK(prices_hop(&t.prices, node(NODE_STATION, 2), NODE_THE_FEDERATOR) == 1);
    topology_free(&t);
}

static void refuses_bad_lines(void)
{
    refuses("price", "t:1: 'price': needs a price after it, as in clients-stations=0.5");
    refuses("price station=2",
            "t:1: 'station=2': unknown word 'station': did you mean 'stations'?");
    refuses("price stations=-1", "t:1: 'stations=-1': a price is a number such as 2, 0.25 or 1/3");
    refuses("price stations=1e9",
            "t:1: 'stations=1e9': a price is a number such as 2, 0.25 or 1/3");
    refuses("price stations=1/0",
            "t:1: 'stations=1/0': a price is a number such as 2, 0.25 or 1/3");
    refuses("price stations=1 stations=1", "t:1: 'stations=1': appears twice");
    refuses("price stations=1\nprice relays=1", "t:2: 'price': appears twice");
    refuses("price stations=99999999999",
            "t:1: 'stations=99999999999': has more than 18 digits, or a numerator or denominator "
            "above 1073741824");
    refuses("price station 1", "t:1: '1': needs a price after it, as in send=0.5");
    refuses("price station send=1", "t:1: 'station': needs numbers after it");
    refuses("price station 1 send=1 send=2", "t:1: 'send=2': appears twice");
    refuses(NETWORK "price relays=1",
            "t:3: 'relays=': there are no relays: omit this price, or add relays");
    refuses(NETWORK "price relay 1 send=2",
            "t:3: '1': there are no relays: remove the line, or add a line relays N");
    refuses(NETWORK RELAYS "price stations-federator=1",
            "t:5: 'stations-federator=': with relays, stations send nothing to the federator: use "
            "stations-relays=");
    refuses(NETWORK "price station 4 send=2", "t:3: '4': there are only 3 stations");
    refuses(NETWORK "price client 1 send=2",
            "t:3: 'client': only stations and relays have prices of their own: use price station "
            "LIST or price relay LIST");
    refuses(NETWORK "price federator receive=2",
            "t:3: 'federator': only stations and relays have prices of their own: use price "
            "station LIST or price relay LIST");
    refuses(NETWORK "price station 1 2 send=2\nprice station 2 receive=1",
            "t:4: '2': this node has a price already");
    refuses(NETWORK "price station 1 1 send=2", "t:3: '1': this node has a price already");
    /* 32768 is 2^15, and both denominators are coprime to it */
    refuses(NETWORK "price stations=1/32768 clients-stations=1/32769",
            "t:3: 'stations=': all prices, written with a common denominator, need a number above "
            "1073741824: use fewer digits or smaller numbers");
    refuses(NETWORK "price station 1 send=1/32768 receive=1/32769",
            "t:3: '1': all prices, written with a common denominator, need a number above "
            "1073741824: use fewer digits or smaller numbers");
    refuses(NETWORK "price clients-stations=1000000000 stations=0.1",
            "t:3: 'stations=': all prices, written with a common denominator, need a number above "
            "1073741824: use fewer digits or smaller numbers");
}

static void survives_failed_allocations(void)
{
    static const char text[] = NETWORK RELAYS "price stations=0.1\nprice station 2 send=1\n"
                                              "price relay 1 receive=1/7\n";
    bool refused = true;

    for (unsigned long n = 0; refused; n++) {
        struct hagg_err err = { 0 };
        struct topology t;
        int status;

        alloc_refuse(n);
        status = topology_parse(&t, "t", text, strlen(text), &err);
        refused = alloc_refused();
        CHECK(status == (refused ? -1 : 0));
        CHECK(err.status == (refused ? HAGG_E_SYSTEM : HAGG_OK));
        if (!refused)
            topology_free(&t);
    }
    alloc_watch();
}

int main(void)
{
    has_a_canonical_form();
    adds_up_a_hop();
    refuses_bad_lines();
    survives_failed_allocations();
    return check_end();
}
