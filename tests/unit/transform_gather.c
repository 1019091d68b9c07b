#include "transform/transform_gather.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "transform/mix.h"
#include "scratch.h"

static uint32_t relays[] = { 7, 3 };
static struct header_tier route[] = { { "relay", relays, 2 } };

/* Returns the header of a transfer from station u for the relay with this index. */
static struct header transfer(uint32_t u, uint32_t index)
{
    return (struct header){
        .kind = HEADER_TRANSFER,
        .field = "m31",
        .length = 4,
        .has_round = true,
        .round = 1,
        .scheme = { .name = "ramp",
                    .n = 2,
                    .k = 2,
                    .z = 1,
                    .index = index,
                    .has_point = true,
                    .point = index + 1 },
        .source = { .name = "ramp",
                    .n = 5,
                    .k = 3,
                    .z = 1,
                    .index = u - 1,
                    .has_point = true,
                    .point = u },
        .route = route,
        .n_route = 1,
        .from = { "station", u },
        .to = { "relay", relays[index] },
    };
}

static struct header carried(uint32_t u, uint32_t index, uint32_t carrier)
{
    struct header h = transfer(u, index);

    h.has_carrier = true;
    h.carrier = carrier;
    h.to.number = relays[carrier];
    return h;
}

static struct header collected(uint32_t index, uint32_t carrier)
{
    struct header h = carried(1, index, carrier);

    h.source = (struct header_scheme){ 0 };
    h.from = (struct header_node){ "relay", relays[carrier] };
    h.to.number = relays[index];
    return h;
}

static void put(const char *name, const struct header *h, size_t n_elems)
{
    const uint64_t elems[] = { 11, 12, 13, 14 };

    scratch_record(scratch_path(name), h, 4, elems, n_elems);
}

static const char *fresh(const char *name)
{
    unlink(scratch_path(name));
    return name;
}

/* Checks that the file is refused; want is the message after its path. */
static void refused(struct gather *g, const char *name, enum hagg_status status, const char *want)
{
    struct hagg_err err = { 0 };
    const char *path = scratch_path(name);

    CHECK(gather_add(g, path, &err) == -1);
    CHECK(err.status == status);
    CHECK(strncmp(err.text, path, strlen(path)) == 0);
    CHECK_STR(err.text + strlen(path), want);
}

/* Transfers are grouped by the share they become and sorted by sender, whatever the order of
 * arrival. */
static void sums(void)
{
    struct gather g = { .by_carrier = true };
    struct hagg_err err = { 0 };
    const uint32_t order[] = { 4, 1, 3 };

    fresh("all");
    for (size_t i = 0; i < 3; i++)
        for (uint32_t index = 0; index < 2; index++) {
            struct header h = transfer(order[i], 1 - index);

            put("all", &h, 2);
        }
    CHECK(gather_add(&g, scratch_path("all"), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(g.sums && g.sums->next && !g.sums->next->next);
    CHECK(g.sums->members[0].header.scheme.index == 1);
    CHECK(g.sums->next->members[0].header.scheme.index == 0);
    for (struct gather_sum *group = g.sums; group; group = group->next) {
        CHECK(group->n == 3 && group->members[0].stored.n_elems == 2);
        CHECK(group->members[0].header.from.number == 1);
        CHECK(group->members[1].header.from.number == 3);
        CHECK(group->members[2].header.from.number == 4);
    }
    gather_free(&g);
    CHECK(!g.sums && !g.field);
}

/* Transfers of another round, sum or carrier are in another group; forwarded shares are in none. */
static void keeps_apart(void)
{
    struct gather g = { .by_carrier = false };
    struct hagg_err err = { 0 };
    struct header_range clients = { 2, 5 };
    struct header h = carried(1, 0, 0);
    size_t n = 0;

    fresh("apart");
    put("apart", &h, 2);
    h.round = 2;
    put("apart", &h, 2);
    h = carried(1, 0, 1);
    put("apart", &h, 2);
    h = carried(1, 0, 0);
    h.clients = &clients;
    h.n_clients = 1;
    put("apart", &h, 2);
    h = transfer(1, 0);
    h.kind = HEADER_SHARE;
    h.source = (struct header_scheme){ 0 };
    put("apart", &h, 4);
    CHECK(gather_add(&g, scratch_path("apart"), &err) == 0);
    CHECK_STR(err.text, "");
    for (struct gather_sum *group = g.sums; group; group = group->next, n++)
        CHECK(group->n == 1);
    CHECK(n == 4 && g.n_shares == 1 && g.shares[0].stored.n_elems == 4);
    gather_free(&g);
}

/* Collected transfers are from different carriers, and are sorted by carrier. */
static void orders_carriers(void)
{
    struct gather g = { .by_carrier = true };
    struct hagg_err err = { 0 };
    struct header h = collected(0, 1);

    put(fresh("carriers"), &h, 1);
    h = collected(0, 0);
    put("carriers", &h, 1);
    CHECK(gather_add(&g, scratch_path("carriers"), &err) == 0);
    CHECK(g.sums && g.sums->n == 2 && !g.sums->next);
    CHECK(g.sums->members[0].header.carrier == 0 && g.sums->members[1].header.carrier == 1);
    gather_free(&g);
}

static void refuses(void)
{
    struct gather g = { .by_carrier = true };
    struct hagg_err err = { 0 };
    struct header h = transfer(2, 0);
    char want[256];

    put(fresh("first"), &h, 2);
    put(fresh("again"), &h, 2);
    CHECK(gather_add(&g, scratch_path("first"), &err) == 0);
    snprintf(want, sizeof want, ": station 2 has already contributed (see %s)",
             scratch_path("first"));
    refused(&g, "again", HAGG_E_MISMATCH, want);
    h = transfer(3, 0);
    put(fresh("long"), &h, 3);
    snprintf(want, sizeof want, ": has 3 elements, but %s has 2", scratch_path("first"));
    refused(&g, "long", HAGG_E_MISMATCH, want);
    h = carried(3, 0, 0);
    put(fresh("carried"), &h, 2);
    refused(&g, "carried", HAGG_E_MISMATCH,
            ": record 1 (byte 0): is not collected: its carrier must run --step collect first");
    h = transfer(3, 0);
    strcpy(h.field, "m61");
    put(fresh("field"), &h, 2);
    refused(&g, "field", HAGG_E_MISMATCH,
            ": record 1 (byte 0): is over field 'm61', but others are over 'm31'");
    CHECK(g.sums && g.sums->n == 1 && !g.sums->next);
    gather_free(&g);

    g = (struct gather){ .by_carrier = false };
    refused(&g, "first", HAGG_E_MISMATCH,
            ": record 1 (byte 0): does not need --step collect: its holder finishes it");
    h = collected(0, 0);
    put(fresh("collected"), &h, 2);
    refused(&g, "collected", HAGG_E_MISMATCH, ": record 1 (byte 0): is already collected");
    gather_free(&g);
}

/* The random halves of mix may differ, but not the halves derived from the transformed shares. */
static void tells_origins_apart(void)
{
    struct gather g = { .by_carrier = true };
    struct hagg_err err = { 0 };
    const uint8_t first[MIX_HALF_BYTES] = { 1, 2 }, second[MIX_HALF_BYTES] = { 3 };
    struct header h = transfer(1, 0), other = transfer(2, 0), strange = transfer(3, 0);
    char want[256];

    h.has_mix = other.has_mix = strange.has_mix = true;
    h.mix[1] = other.mix[1] = strange.mix[1] = 40;
    h.mix[9] = other.mix[9] = 2;
    strange.mix[9] = 3;
    mix_transfer(&h, first);
    mix_transfer(&other, second);
    mix_transfer(&strange, first);
    CHECK(h.has_mix && h.mix[1] == 42 && h.mix[8] == 1 && h.mix[9] == 2);
    CHECK(mix_same_origin(&h, &other) && !mix_same_origin(&h, &strange));
    put(fresh("origin"), &h, 2);
    put("origin", &other, 2);
    CHECK(gather_add(&g, scratch_path("origin"), &err) == 0);
    put(fresh("strange"), &strange, 2);
    snprintf(want, sizeof want,
             ": its share was made from different transfers than the share of %s: use transfers "
             "from one run",
             scratch_path("origin"));
    refused(&g, "strange", HAGG_E_MISMATCH, want);
    gather_free(&g);

    strange = transfer(3, 0);
    mix_transfer(&strange, first);
    CHECK(strange.mix[1] == 0 && strange.mix[8] == 1);
    strange.has_mix = false;
    CHECK(mix_same_origin(&h, &strange) && mix_same_origin(&strange, &h));
}

int main(void)
{
    sums();
    keeps_apart();
    orders_carriers();
    refuses();
    tells_origins_apart();
    return check_end();
}
