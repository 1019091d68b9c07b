#include "header.h"

#include "check.h"

static struct header_range clients[] = { { 1, 4 }, { 6, UINT32_MAX } };
static uint32_t number = 1, layout = 2;
static uint64_t dimension = 0;
static struct header_tier tier = { "station", &number, 1 };

static struct header good(void)
{
    return (struct header){
        .kind = HEADER_ROSTER,
        .has_plan = true,
        .has_round = true,
        .round = LIMIT_ROUND,
        .clients = clients,
        .n_clients = 2,
        .from = { "federator", 1 },
    };
}

static void refuses(const struct header *h, const char *message)
{
    struct hagg_err err = { 0 };

    CHECK(header_check(h, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, message);
}

static void accepts_rosters(void)
{
    struct header h = good();
    struct hagg_err err = { 0 };

    CHECK(header_check(&h, &err) == 0);
    CHECK(!header_is_sharing(&h));
    h.from = (struct header_node){ "station", UINT32_MAX };
    h.round = 0;
    CHECK(header_check(&h, &err) == 0);
}

static void refuses_incomplete_rosters(void)
{
    static const char message[] = "a roster needs 'plan', 'round', 'clients' and 'from'";
    struct header h = good();

    h.has_plan = false;
    refuses(&h, message);
    h = good();
    h.has_round = false;
    refuses(&h, message);
    h = good();
    h.n_clients = 0;
    refuses(&h, message);
    h = good();
    h.from.tier[0] = 0;
    refuses(&h, message);
}

static void refuses_bad_values(void)
{
    struct header_range touching[] = { { 1, 4 }, { 5, 6 } };
    struct header h = good();

    h.round = LIMIT_ROUND + 1;
    refuses(&h, "'round' exceeds 2^53 - 1");
    h = good();
    h.clients = touching;
    refuses(&h, "'clients' must be ascending ranges with gaps between them, from 1 on");
    h = good();
    h.from.number = 0;
    refuses(&h, "'from' is not a valid node");
    h = good();
    h.n_extensions = LIMIT_EXTENSIONS + 1;
    refuses(&h, "more than 16 extensions");
}

#define FOREIGN(key, change)                                                                       \
    do {                                                                                           \
        h = good();                                                                                \
        change;                                                                                    \
        refuses(&h, "field '" key "' of the header does not belong in a roster");                  \
    } while (0)

static void refuses_keys_of_other_kinds(void)
{
    struct header h;

    FOREIGN("of", h.secret = HEADER_KEY);
    FOREIGN("field", strcpy(h.field, "m31"));
    FOREIGN("length", h.length = 1);
    FOREIGN("scheme", strcpy(h.scheme.name, "ramp"));
    FOREIGN("route", (h.route = &tier, h.n_route = 1));
    FOREIGN("layout", (h.layout = &layout, h.n_layout = 1));
    FOREIGN("source", strcpy(h.source.name, "ramp"));
    FOREIGN("carrier", h.has_carrier = true);
    FOREIGN("shape", (h.has_shape = true, h.shape = &dimension));
    FOREIGN("type", strcpy(h.type, "f4"));
    FOREIGN("samples", h.samples = true);
    FOREIGN("quant", h.quant.bits = 16);
    FOREIGN("id", h.has_id = true);
    FOREIGN("mix", h.has_mix = true);
}

int main(void)
{
    accepts_rosters();
    refuses_incomplete_rosters();
    refuses_bad_values();
    refuses_keys_of_other_kinds();
    return check_end();
}
