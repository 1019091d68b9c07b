#include "header.h"

#include <stdlib.h>

#include "check.h"

static struct header_range clients[] = { { 1, 4 } }, dealers[] = { { 1, 1 }, { 3, 3 } };
static struct header_range stations[] = { { 2, 2 }, { 6, 7 } }, basis[] = { { 1, 3 }, { 5, 7 } };

/* What relay 2 sends instead of the sums of stations 2, 6 and 7. */
static struct header good(void)
{
    return (struct header){
        .kind = HEADER_SUMMAND,
        .secret = HEADER_PLAIN,
        .field = "m31",
        .length = 9,
        .has_plan = true,
        .has_round = true,
        .has_mix = true,
        .from = { "relay", 2 },
        .clients = clients,
        .n_clients = 1,
        .dealers = dealers,
        .n_dealers = 2,
        .stations = stations,
        .n_stations = 2,
        .basis = basis,
        .n_basis = 2,
    };
}

static void survives(void)
{
    struct hagg_err err = { 0 };
    struct header h = good(), again = { 0 };
    uint8_t *bytes = NULL;
    size_t n = 0, used = 0;

    CHECK(!header_is_sharing(&h) && header_is_whole(&h));
    CHECK(header_encode(&h, &bytes, &n, &err) == 0);
    CHECK(header_decode(&again, bytes, n, &used, &err) == 1 && used == n);
    CHECK(again.kind == HEADER_SUMMAND && again.n_stations == 2 && again.n_basis == 2);
    CHECK(again.stations[1].first == 6 && again.stations[1].last == 7);
    CHECK(again.basis[0].first == 1 && again.basis[0].last == 3 && again.n_dealers == 2);
    header_clear(&again);
    for (size_t i = 0; i < n; i++) {
        CHECK(header_decode(&again, bytes, i, &used, &err) == 0);
        header_clear(&again);
    }
    free(bytes);
}

static void refuses(const struct header *h, const char *message)
{
    struct hagg_err err = { 0 };
    uint8_t *bytes;
    size_t n;

    CHECK(header_encode(h, &bytes, &n, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, message);
}

static void refuses_what_does_not_fit(void)
{
    static struct header_range out[] = { { 3, 5 } }, touching[] = { { 1, 3 }, { 4, 7 } };
    static uint32_t part = 2;
    struct header h = good();

    h.n_stations = 0;
    refuses(&h, "a summand needs 'plan', 'round', 'clients', 'from', 'stations' and 'basis'");
    h = good();
    h.n_basis = 0;
    refuses(&h, "a summand needs 'plan', 'round', 'clients', 'from', 'stations' and 'basis'");
    h = good();
    h.stations = out;
    h.n_stations = 1;
    refuses(&h, "'stations' has numbers that 'basis' lacks");
    h = good();
    h.basis = touching;
    refuses(&h, "'basis' must be ascending ranges with gaps between them, from 1 on");
    h = good();
    h.secret = HEADER_PADDED;
    refuses(&h, "a summand is of plain vectors");
    h = good();
    h.n_segments = 3;
    refuses(&h, "field 'segments' of the header does not belong in a summand");
    h = good();
    h.layout = &part;
    h.n_layout = 1;
    refuses(&h, "field 'layout' of the header does not belong in a summand");
    h = good();
    h.kind = HEADER_VECTOR;
    h.has_mix = false;
    refuses(&h, "'stations' and 'basis' belong to a summand only");
}

int main(void)
{
    survives();
    refuses_what_does_not_fit();
    return check_end();
}
