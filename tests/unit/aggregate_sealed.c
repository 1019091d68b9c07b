/* Sums under a plan with identities. */
#include "aggregate/aggregate.h"

#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "identity/opening.h"
#include "identity/sealing.h"
#include "nodes.h"
#include "reader.h"
#include "scratch.h"
#include "writer.h"

static struct plan plan;
static struct keyring *marked;
static struct sealing sealing;

/* The key of a client, sealed to the station of the same number. */
static void write_key(FILE *file, uint32_t client)
{
    struct header_range clients = { client, client };
    const uint8_t elems[16] = { (uint8_t)client, 0, 0, 0, 2, 0, 0, 0, 3 };
    struct header h = {
        .kind = HEADER_VECTOR,
        .secret = HEADER_KEY,
        .field = "m31",
        .from = { "client", client },
        .to = { "station", client },
        .has_round = true,
        .round = 3,
        .length = 4,
        .clients = &clients,
        .n_clients = 1,
        .has_plan = true,
        .has_id = true,
        .id = { (uint8_t)client },
    };
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fileno(file), "keys", &err);

    memcpy(h.plan, plan.digest, sizeof h.plan);
    writer_set_sealer(w, &sealing.base, NULL);
    CHECK(writer_begin(w, &h, 4, 4, &err) == 0 && writer_elems(w, elems, 4, &err) == 0 &&
          writer_end(w, &err) == 0);
    writer_free(w);
}

/* Adds up the keys of these clients as a station; 0 is all stations at once. */
static int add_up(uint32_t station, uint32_t first, uint32_t last, const char *output,
                  struct hagg_err *err)
{
    struct opening opening;
    struct aggregate_options o = {
        .opener = &opening.base, .plan = &plan, .station = station, .only = AGGREGATE_KEYS
    };
    const char *path = scratch_path("keys");
    struct outfiles *out;
    struct aggregate *a;
    FILE *file = fopen(path, "w");
    int status;

    for (uint32_t i = first; i <= last; i++)
        write_key(file, i);
    fclose(file);
    *err = (struct hagg_err){ 0 };
    opening_init(&opening, marked, NULL);
    out = outfiles_new(output, false, err);
    outfiles_set_sealer(out, &sealing.base);
    a = aggregate_new(&o, err);
    status = a && aggregate_add(a, path, err) == 0 && aggregate_write(a, out, err) == 0
                 ? outfiles_publish(out, err)
                 : -1;
    aggregate_free(a);
    outfiles_free(out);
    return status;
}

/* Adds up the keys of some clients, and checks from whom to whom the sum is sealed. */
static void seals(uint32_t station, uint32_t first, uint32_t last, uint32_t from,
                  const char *to_tier, uint32_t to)
{
    const char *path = scratch_path("sum");
    struct hagg_err err = { 0 };
    struct reader *r;

    CHECK(add_up(station, first, last, path, &err) == 0);
    CHECK_STR(err.text, "");
    r = reader_open(path, NULL, &err);
    CHECK(r && reader_next(r, &err) == 1 && reader_is_sealed(r));
    CHECK_STR(reader_header(r)->from.tier, "station");
    CHECK_STR(reader_header(r)->to.tier, to_tier);
    CHECK(reader_header(r)->from.number == from && reader_header(r)->to.number == to);
    reader_free(r);
    unlink(path);
}

int main(void)
{
    nodes_load(&plan);
    marked = nodes_keyring(&plan, NODES_KEYS);
    sealing_init(&sealing, marked);
    /* a station seals its sum to the next one */
    seals(1, 1, 1, 1, "station", 2);
    /* one process with the keys of all clients is the last station */
    seals(0, 1, 3, plan.topology.n_stations, "relay", 1);
    keyring_free(marked);
    plan_free(&plan);
    return check_end();
}
