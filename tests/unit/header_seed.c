#include "header.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct header_range client[] = { { 7, 7 } }, dealer[] = { { 2, 2 } };
static uint32_t numbers[] = { 1, 2 }, blocks[] = { 3 };
static struct header_tier route[] = { { "station", numbers, 2 } };

/* The share of a padded vector that client 7 sends to a station. */
static struct header share(void)
{
    return (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_PADDED,
        .field = "m31",
        .length = 100,
        .scheme = { .name = "ramp", .n = 2, .k = 2, .z = 1, .has_point = true, .point = 9 },
        .route = route,
        .n_route = 1,
        .from = { "client", 7 },
        .to = { "station", 1 },
        .clients = client,
        .n_clients = 1,
        .has_plan = true,
        .seed = true,
    };
}

static struct header aligned(void)
{
    struct header h = share();

    h.secret = HEADER_PLAIN;
    h.n_segments = 4;
    h.blocks = blocks;
    h.n_blocks = 1;
    return h;
}

static struct header mask(void)
{
    struct header h = aligned();

    h.secret = HEADER_MASK;
    h.chunks = 2;
    h.dealers = dealer;
    h.n_dealers = 1;
    h.clients = NULL;
    h.n_clients = 0;
    h.from = (struct header_node){ "station", 2 };
    return h;
}

/* The key of client 7, which stays with the client. */
static struct header own_key(void)
{
    return (struct header){
        .kind = HEADER_VECTOR,
        .secret = HEADER_KEY,
        .field = "m31",
        .length = 100,
        .clients = client,
        .n_clients = 1,
        .seed = true,
    };
}

/* The header is accepted, encoded with the pair "seed": true, and decoded to the same bytes. */
static void survives(const struct header *h)
{
    static const uint8_t pair[] = { 0x64, 's', 'e', 'e', 'd', 0xf5 };
    struct header again = { 0 }, full = *h;
    struct hagg_err err = { 0 };
    uint8_t *bytes = NULL, *without = NULL;
    size_t n = 0, n_without = 0, used = 0;

    CHECK(header_encode(h, &bytes, &n, &err) == 0);
    CHECK(memmem(bytes, n, pair, sizeof pair) != NULL);
    CHECK(header_decode(&again, bytes, n, &used, &err) == 1 && used == n && again.seed);
    header_clear(&again);
    CHECK(again.seed == false);
    full.seed = false;
    CHECK(header_encode(&full, &without, &n_without, &err) == 0 && n_without + sizeof pair == n);
    free(bytes);
    free(without);
}

static void accepts_what_is_drawn(void)
{
    struct header h = share();

    survives(&h);
    h.secret = HEADER_KEY;
    survives(&h);
    h = aligned();
    survives(&h);
    h = mask();
    survives(&h);
    h = own_key();
    survives(&h);
    CHECK(header_is_whole(&h));
    h.from = (struct header_node){ "client", 7 };
    h.to = (struct header_node){ "station", 1 };
    survives(&h);
}

static void refuses(const struct header *h, const char *message)
{
    struct hagg_err err = { 0 };
    struct header full = *h;

    CHECK(header_check(h, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, message);
    /* nothing else is wrong with it */
    full.seed = false;
    CHECK(header_check(&full, &err) == 0);
}

static void refuses_other_kinds(void)
{
    static const char message[] = "'seed' needs a share without a layout, or the vector of a key";
    static uint32_t layout[] = { 2 };
    struct header h = share();

    h.n_layout = 1;
    h.layout = layout;
    refuses(&h, message);
    h = share();
    h.kind = HEADER_TRANSFER;
    h.source = h.scheme;
    refuses(&h, message);
    h = own_key();
    h.secret = HEADER_PLAIN;
    refuses(&h, message);
    h.secret = HEADER_PADDED;
    refuses(&h, message);
    h.kind = HEADER_SUMMAND;
    h.secret = HEADER_PLAIN;
    h.has_plan = h.has_round = true;
    h.from = (struct header_node){ "relay", 1 };
    h.stations = h.basis = dealer;
    h.n_stations = h.n_basis = 1;
    refuses(&h, message);
    h = (struct header){ .kind = HEADER_ROSTER, .has_plan = true, .has_round = true, .seed = true };
    h.from = (struct header_node){ "station", 1 };
    h.clients = client;
    h.n_clients = 1;
    refuses(&h, "field 'seed' of the header does not belong in a roster");
    h = (struct header){ .kind = HEADER_DATA, .has_plan = true, .has_id = true, .seed = true };
    h.has_part = true;
    h.from = (struct header_node){ "station", 1 };
    h.to = (struct header_node){ "station", 2 };
    refuses(&h, "field 'seed' of the header does not belong in data");
}

static void refuses_sums(void)
{
    static const char message[] = "'seed' needs a mask, or exactly one client, which is the sender";
    static struct header_range two[] = { { 7, 8 } }, apart[] = { { 7, 7 }, { 9, 9 } };
    struct header h = share();

    h.clients = two;
    refuses(&h, message);
    h.clients = apart;
    h.n_clients = 2;
    refuses(&h, message);
    h.n_clients = 0;
    refuses(&h, message);
    h = own_key();
    h.clients = two;
    refuses(&h, message);
    h = share();
    h.from.number = 8;
    refuses(&h, message);
    h.from = (struct header_node){ "station", 7 };
    refuses(&h, message);
    h = aligned();
    h.dealers = dealer;
    h.n_dealers = 1;
    refuses(&h, message);
}

int main(void)
{
    accepts_what_is_drawn();
    refuses_other_kinds();
    refuses_sums();
    return check_end();
}
