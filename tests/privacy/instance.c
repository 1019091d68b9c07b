#include "instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "keyfile.h"
#include "reader.h"

#define ROUND     1
#define ID_BYTES  16 /* that hagg-keygen draws before the key */
#define MAX_DRAWN (ID_BYTES + INSTANCE_LENGTH * (INSTANCE_STATIONS + 1))

static size_t power(size_t base, size_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static int write_file(const char *path, const void *bytes, size_t n, struct hagg_err *err)
{
    FILE *file = fopen(path, "wb");
    bool wrote;

    if (!file)
        return err_errno(err, "%s", path);
    wrote = n == 0 || fwrite(bytes, n, 1, file) == 1;
    if (fclose(file) || !wrote)
        return err_errno(err, "%s", path);
    return 0;
}

int instance_input(const struct instance *in, size_t input, size_t i)
{
    size_t n_values = 2 * in->max_int + 1;

    return (int)(input / power(n_values, i) % n_values) - (int)in->max_int;
}

/* The key of a point, made by the real generator from a file of chosen bytes. */
static int make_key(const struct instance *in, const struct instance_client *c, const char *source,
                    const char *path, struct hagg_err *err)
{
    struct keyfile_need need = {
        .plan = &in->plan, .client = c->number, .round = ROUND, .length = in->length
    };
    struct random *random = random_open(source, err);
    struct outset *out = random ? outset_new(path, true, err) : NULL;
    struct writer *w = out ? outset_writer(out, c->number, err) : NULL;
    int status = w ? keyfile_write(&need, random, w, err) : -1;

    if (status == 0)
        status = outset_publish(out, err);
    outset_free(out);
    random_free(random);
    return status;
}

static int share(const struct instance *in, const struct instance_client *c, size_t input,
                 const char *source, const char *key, const char *template, struct hagg_err *err)
{
    int8_t values[INSTANCE_LENGTH];
    char name[] = "input";
    struct vector v = {
        .name = name,
        .type = "i1",
        .shape = { in->length },
        .n_shape = 1,
        .n_elems = in->length,
        .data = values,
    };
    struct client_options options = {
        .plan = &in->plan,
        .client = c->number,
        .has_round = true,
        .round = ROUND,
        .key = key,
        .random_source = source,
    };
    struct client_report report;
    struct outset *out = outset_new(template, true, err);
    int status;

    for (size_t i = 0; i < in->length; i++)
        values[i] = (int8_t)instance_input(in, input, i);
    status = out ? client_share(&options, &v, out, &report, err) : -1;
    if (status == 0)
        status = outset_publish(out, err);
    outset_free(out);
    return status;
}

int instance_run_client(const struct instance *in, size_t client, size_t input, size_t point,
                        const char *name, struct hagg_err *err)
{
    const struct instance_client *c = &in->clients[client];
    char source[256], key[256], used[300], template[256];
    uint8_t drawn[MAX_DRAWN] = { 0 };

    snprintf(source, sizeof source, "%s/source", in->folder);
    snprintf(key, sizeof key, "%s/key", in->folder);
    /* beside the key, by the first bytes of its identity, which are zeros here */
    snprintf(used, sizeof used, "%s.0000000000000000.used", key);
    snprintf(template, sizeof template, "%s/%s-{}", in->folder, name);
    for (size_t i = 0; i < c->n_digits; i++, point /= in->p)
        drawn[ID_BYTES + i] = (uint8_t)(point % in->p);
    unlink(used); /* of another vector that this key has padded */
    if (write_file(source, drawn, ID_BYTES + in->length, err) ||
        make_key(in, c, source, key, err) ||
        write_file(source, drawn + ID_BYTES + in->length, c->n_digits - in->length, err))
        return -1;
    return share(in, c, input, source, key, template, err);
}

/* Takes the records of one file into the cell. */
static int read_cell(const struct instance_client *c, const char *path, size_t length,
                     size_t station, struct instance_cell *cell, struct hagg_err *err)
{
    struct reader *r = reader_open(path, err);
    uint8_t elems[INSTANCE_LENGTH + 1];
    int got = r ? 1 : -1;

    while (got > 0 && (got = reader_next(r, err)) > 0) {
        bool is_key = reader_header(r)->kind == HEADER_VECTOR;
        size_t expected = is_key ? length : c->share_length, n;

        if (is_key ? station != c->key_station : !c->holds[station])
            got = reader_fail(r, err, HAGG_E_MISMATCH, "has no place at station %zu", station + 1);
        else if (reader_read(r, elems, sizeof elems, &n, err))
            got = -1;
        else if (n != expected)
            got = reader_fail(r, err, HAGG_E_MISMATCH, "has %zu elements, not %zu", n, expected);
        else
            memcpy(is_key ? cell->key : cell->shares[station], elems, n);
    }
    reader_free(r);
    return got;
}

static int make_cell(const struct instance *in, size_t client, size_t input, size_t point,
                     struct instance_cell *cell, struct hagg_err *err)
{
    const struct instance_client *c = &in->clients[client];
    char path[256];

    if (instance_run_client(in, client, input, point, "cell", err))
        return -1;
    for (size_t u = 0; u < in->n_stations; u++) {
        if (!c->holds[u] && u != c->key_station)
            continue;
        snprintf(path, sizeof path, "%s/cell-%zu", in->folder, u + 1);
        if (read_cell(c, path, in->length, u, cell, err))
            return -1;
    }
    return 0;
}

const struct instance_cell *instance_cell(const struct instance *in, size_t client, size_t input,
                                          size_t point)
{
    const struct instance_client *c = &in->clients[client];

    return &c->cells[input * c->n_points + point];
}

static int make_cells(struct instance *in, size_t client, struct hagg_err *err)
{
    struct instance_client *c = &in->clients[client];

    c->cells = calloc(in->n_inputs * c->n_points, sizeof *c->cells);
    if (!c->cells)
        return err_errno(err, "no memory for the cells");
    for (size_t i = 0; i < in->n_inputs * c->n_points; i++)
        if (make_cell(in, client, i / c->n_points, i % c->n_points, &c->cells[i], err))
            return -1;
    return 0;
}

/* What the plan says of a client. */
static int set_client(struct instance *in, size_t client, struct hagg_err *err)
{
    struct instance_client *c = &in->clients[client];
    struct plan_client place;
    struct sharing sharing;

    c->number = in->plan.topology.clients[client].number;
    if (plan_client(&in->plan, c->number, &place, err) ||
        plan_sharing(&in->plan, (uint32_t)place.shares->n, &sharing, err))
        return -1;
    for (size_t i = 0; i < place.shares->n; i++)
        c->holds[place.shares->numbers[i] - 1] = true;
    c->key_station = place.key_station - 1;
    c->share_length = (size_t)sharing_share_length(&sharing, in->length);
    c->n_digits = in->length + sharing.shape.randoms * c->share_length;
    c->n_points = power(in->p, c->n_digits);
    sharing_free(&sharing);
    c->pattern = in->n_patterns;
    for (size_t i = 0; i < client; i++)
        if (memcmp(c->holds, in->clients[i].holds, sizeof c->holds) == 0)
            c->pattern = in->clients[i].pattern;
    in->n_patterns += c->pattern == in->n_patterns;
    return 0;
}

int instance_new(struct instance *in, const char *topology, size_t length, const char *folder,
                 struct hagg_err *err)
{
    char path[256];

    *in = (struct instance){ .folder = folder, .length = length };
    snprintf(path, sizeof path, "%s/plan", folder);
    if (write_file(path, topology, strlen(topology), err) || plan_load(&in->plan, path, err))
        return -1;
    in->p = (unsigned)in->plan.field->info.order;
    in->max_int = (unsigned)plan_max_int(&in->plan);
    in->n_clients = in->plan.topology.n_clients;
    in->n_stations = in->plan.topology.n_stations;
    in->n_inputs = power(2 * in->max_int + 1, length);
    for (size_t i = 0; i < in->n_clients; i++)
        if (set_client(in, i, err) || make_cells(in, i, err)) {
            instance_free(in);
            return -1;
        }
    return 0;
}

void instance_free(struct instance *in)
{
    for (size_t i = 0; i < in->n_clients; i++)
        free(in->clients[i].cells);
    plan_free(&in->plan);
    in->n_clients = 0;
}
