#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "aggregate/aggregate.h"
#include "decode/decode.h"
#include "reader.h"
#include "view.h"

#define PATH_SIZE 256

static int aggregate(const struct aggregate_options *options, const char *const *files, size_t n,
                     const char *output, struct hagg_err *err)
{
    struct aggregate *a = aggregate_new(options, err);
    struct outfiles *out = a ? outfiles_new(output, true, err) : NULL;
    int status = out ? 0 : -1;

    for (size_t i = 0; i < n && status == 0; i++)
        status = aggregate_add(a, files[i], err);
    if (status == 0)
        status = aggregate_write(a, out, err);
    if (status == 0)
        status = outfiles_publish(out, err);
    outfiles_free(out);
    aggregate_free(a);
    return status;
}

/* The entry of the view for a sum of shares. Its pattern is that of any client in it. */
static uint8_t *place_of(const struct instance *in, const struct header *h, size_t station,
                         struct view *v)
{
    enum instance_secret secret = h->secret == HEADER_KEY ? INSTANCE_KEY : INSTANCE_VECTOR;
    size_t i = 0;

    if (h->kind == HEADER_VECTOR)
        return v->chain[station];
    while (in->clients[i].number != h->clients[0].first)
        i++;
    return v->sums[secret][in->clients[i].of[secret].pattern][station];
}

/* Reads the sums that a station sent into the view. */
static int read_sums(const struct instance *in, const char *path, size_t station, struct view *v,
                     struct hagg_err *err)
{
    struct reader *r = reader_open(path, NULL, err);
    uint8_t elems[INSTANCE_LENGTH + 1];
    int got = r ? 1 : -1;

    while (got > 0 && (got = reader_next(r, err)) > 0) {
        const struct header *h = reader_header(r);
        uint8_t *to = place_of(in, h, station, v);
        size_t n;

        if (reader_read(r, elems, sizeof elems, &n, err))
            got = -1;
        else if (n > INSTANCE_LENGTH)
            got = reader_fail(r, err, HAGG_E_MISMATCH, "has %zu elements", n);
        else
            memcpy(to, elems, n);
    }
    reader_free(r);
    return got;
}

/* Lists the files from clients that have keys or shares, as requested, for the station. */
static size_t list_files(const struct instance *in, const char *const *names, size_t station,
                         bool keys, char (*paths)[PATH_SIZE])
{
    size_t n = 0;

    for (size_t i = 0; i < in->n_clients; i++) {
        const struct instance_client *c = &in->clients[i];

        if (keys ? c->key_station == station
                 : c->of[INSTANCE_VECTOR].holds[station] || c->of[INSTANCE_KEY].holds[station])
            snprintf(paths[n++], PATH_SIZE, "%s/%s-%zu", in->folder, names[i], station + 1);
    }
    return n;
}

/* Runs one station for keys in the clear or for shares, which include shares of keys. 0 if there is
 * nothing to add. */
static int run_station(const struct instance *in, const char *const *names, size_t station,
                       bool keys, const char *before, char output[PATH_SIZE], struct view *v,
                       struct hagg_err *err)
{
    struct aggregate_options options = {
        .plan = &in->plan,
        .station = (uint32_t)station + 1,
        .only = keys                ? AGGREGATE_KEYS
                : in->n_secrets > 1 ? AGGREGATE_ALL
                                    : AGGREGATE_SHARES,
        .unsafe_plan = true,
    };
    char paths[INSTANCE_CLIENTS][PATH_SIZE];
    const char *files[INSTANCE_CLIENTS + 1];
    size_t n = list_files(in, names, station, keys, paths);

    for (size_t i = 0; i < n; i++)
        files[i] = paths[i];
    if (before)
        files[n++] = before;
    if (n == 0)
        return 0;
    snprintf(output, PATH_SIZE, "%s/%s-of-%zu", in->folder, keys ? "keys" : "sums", station + 1);
    if (aggregate(&options, files, n, output, err) || read_sums(in, output, station, v, err))
        return -1;
    return 1;
}

static int decode(const struct instance *in, const char *const *files, size_t n,
                  uint8_t total[INSTANCE_LENGTH], struct hagg_err *err)
{
    struct decode_options options = {
        .plan = &in->plan,
        .minimum = in->plan.topology.minimum,
    };
    struct decode *d = decode_new(&options, err);
    int status = d ? 0 : -1;

    for (size_t i = 0; i < n && status == 0; i++)
        status = decode_add(d, files[i], err);
    if (status == 0)
        status = decode_run(d, err);
    if (status == 0)
        memcpy(total, decode_total(d), in->length);
    decode_free(d);
    return status;
}

int view_observe(const struct instance *in, const char *const *names, struct view *v,
                 uint8_t total[INSTANCE_LENGTH], struct hagg_err *err)
{
    char sums[INSTANCE_STATIONS][PATH_SIZE], keys[INSTANCE_STATIONS][PATH_SIZE];
    const char *files[INSTANCE_STATIONS + 1], *before = NULL;
    size_t n = 0;

    memset(v, 0, sizeof *v);
    for (size_t u = 0; u < in->n_stations; u++) {
        int shares_came = run_station(in, names, u, false, NULL, sums[u], v, err);
        int keys_came = 0;

        if (shares_came >= 0 && in->n_secrets == 1)
            keys_came = run_station(in, names, u, true, before, keys[u], v, err);
        if (shares_came < 0 || keys_came < 0)
            return -1;
        if (shares_came > 0)
            files[n++] = sums[u];
        if (keys_came > 0)
            before = keys[u];
    }
    if (before)
        files[n++] = before;
    return decode(in, files, n, total, err);
}
