#include "instance.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "infile.h"
#include "share/client.h"
#include "secrets/keyfile.h"
#include "reader.h"

#define ROUND     1
#define ID_BYTES  16 /* drawn by hagg-keygen before the key */
#define MAX_DRAWN (ID_BYTES + INSTANCE_LENGTH * (INSTANCE_SECRETS * INSTANCE_STATIONS + 1))

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

/* Makes the key of a point with the real generator, from a file of chosen bytes. */
static int make_key(const struct instance *in, const struct instance_client *c, const char *source,
                    const char *path, struct hagg_err *err)
{
    struct keyfile_need need = {
        .plan = &in->plan, .client = c->number, .round = ROUND, .length = in->length
    };
    struct random *random = random_open(source, err);
    struct outfiles *out = random ? outfiles_new(path, true, err) : NULL;
    struct writer *w = out ? outfiles_writer(out, c->number, err) : NULL;
    int status = w ? keyfile_write(&need, random, w, err) : -1;

    if (status == 0)
        status = outfiles_publish(out, err);
    outfiles_free(out);
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
        .unsafe_plan = true,
    };
    struct client_report report;
    struct outfiles *out = outfiles_new(template, true, err);
    int status;

    for (size_t i = 0; i < in->length; i++)
        values[i] = (int8_t)instance_input(in, input, i);
    status = out ? client_share(&options, &v, out, &report, err) : -1;
    if (status == 0)
        status = outfiles_publish(out, err);
    outfiles_free(out);
    return status;
}

/* Lets this process replace files that it has read: each call stands for a process of its own. */
static int forget_inputs(const struct instance *in, struct hagg_err *err)
{
    DIR *folder = opendir(in->folder);
    struct dirent *entry;
    struct stat st;

    if (!folder)
        return err_errno(err, "%s", in->folder);
    while ((entry = readdir(folder)))
        if (fstatat(dirfd(folder), entry->d_name, &st, 0) == 0)
            infile_forget(&st);
    closedir(folder);
    return 0;
}

int instance_run_client(const struct instance *in, size_t client, size_t input, size_t point,
                        const char *name, struct hagg_err *err)
{
    const struct instance_client *c = &in->clients[client];
    char source[100], key[100], template[100];
    uint8_t drawn[MAX_DRAWN] = { 1 }; /* the id, which is not secret: equal bytes are refused */

    snprintf(source, sizeof source, "%s/source", in->folder);
    snprintf(key, sizeof key, "%s/key", in->folder);
    snprintf(template, sizeof template, "%s/%s-{}", in->folder, name);
    for (size_t i = 0; i < c->n_digits; i++, point /= in->p)
        drawn[ID_BYTES + i] = (uint8_t)(point % in->p);
    if (forget_inputs(in, err) || write_file(source, drawn, ID_BYTES + in->length, err) ||
        make_key(in, c, source, key, err) ||
        write_file(source, drawn + ID_BYTES + in->length, c->n_digits - in->length, err))
        return -1;
    return share(in, c, input, source, key, template, err);
}

/* Reads the records of one file into the cell. */
static int read_cell(const struct instance *in, const struct instance_client *c, const char *path,
                     size_t station, struct instance_cell *cell, struct hagg_err *err)
{
    struct reader *r = reader_open(path, NULL, err);
    uint8_t elems[INSTANCE_LENGTH + 1];
    int got = r ? 1 : -1;

    while (got > 0 && (got = reader_next(r, err)) > 0) {
        const struct header *h = reader_header(r);
        bool is_whole = h->kind == HEADER_VECTOR;
        enum instance_secret secret = h->secret == HEADER_KEY ? INSTANCE_KEY : INSTANCE_VECTOR;
        size_t expected = is_whole ? in->length : c->of[secret].share_length, n;

        if (is_whole ? in->n_secrets > 1 || station != c->key_station
                     : secret >= in->n_secrets || !c->of[secret].holds[station])
            got = reader_fail(r, err, HAGG_E_MISMATCH, "has no place at station %zu", station + 1);
        else if (reader_read(r, elems, sizeof elems, &n, err))
            got = -1;
        else if (n != expected)
            got = reader_fail(r, err, HAGG_E_MISMATCH, "has %zu elements, not %zu", n, expected);
        else
            memcpy(is_whole ? cell->key : cell->shares[secret][station], elems, n);
    }
    reader_free(r);
    return got;
}

int instance_send(const struct instance *in, size_t client, size_t input, size_t point,
                  struct instance_cell *cell, struct hagg_err *err)
{
    const struct instance_client *c = &in->clients[client];
    char path[100];

    *cell = (struct instance_cell){ 0 };
    if (instance_run_client(in, client, input, point, "cell", err))
        return -1;
    for (size_t u = 0; u < in->n_stations; u++) {
        if (!c->of[INSTANCE_VECTOR].holds[u] && !c->of[INSTANCE_KEY].holds[u] &&
            (in->n_secrets > 1 || u != c->key_station))
            continue;
        snprintf(path, sizeof path, "%s/cell-%zu", in->folder, u + 1);
        if (read_cell(in, c, path, u, cell, err))
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

int instance_tabulate(struct instance *in, struct hagg_err *err)
{
    for (size_t client = 0; client < in->n_clients; client++) {
        struct instance_client *c = &in->clients[client];

        c->cells = calloc(in->n_inputs * c->n_points, sizeof *c->cells);
        if (!c->cells)
            return err_errno(err, "no memory for the cells");
        for (size_t i = 0; i < in->n_inputs * c->n_points; i++)
            if (instance_send(in, client, i / c->n_points, i % c->n_points, &c->cells[i], err))
                return -1;
    }
    return 0;
}

/* True if shares of the same index go to the same relay. */
static bool same_relays(const struct instance_sharing *a, const struct instance_sharing *b)
{
    for (size_t u = 0; u < INSTANCE_STATIONS; u++)
        for (size_t w = 0; w < INSTANCE_STATIONS; w++)
            if (a->holds[u] && b->holds[w] &&
                (a->index[u] == b->index[w]) != (a->relay[u] == b->relay[w]))
                return false;
    return a->n_holders == b->n_holders;
}

/* Sets one sharing of a client from the plan. */
static int set_sharing(struct instance *in, size_t client, enum instance_secret secret,
                       const struct plan_route *way, struct hagg_err *err)
{
    const struct topology_list *stations = way->lists[0];
    struct instance_client *c = &in->clients[client];
    struct instance_sharing *s = &c->of[secret];
    struct sharing sharing;

    if (plan_sharing(&in->plan, 0, (uint32_t)stations->n, NULL, &sharing, err))
        return -1;
    s->n_holders = stations->n;
    for (size_t i = 0; i < stations->n; i++) {
        uint32_t station = stations->numbers[i] - 1;

        s->holds[station] = true;
        s->index[station] = i;
        s->relay[station] = way->n > 1 ? way->lists[1]->numbers[i] : 0;
    }
    s->share_length = (size_t)scheme_share_length(&sharing.shape, in->length);
    c->n_digits += sharing.shape.randoms * s->share_length;
    sharing_free(&sharing);
    s->pattern = in->n_patterns[secret];
    s->group = client;
    for (size_t i = 0; i < client; i++) {
        const struct instance_sharing *other = &in->clients[i].of[secret];

        if (memcmp(s->holds, other->holds, sizeof s->holds) == 0 &&
            memcmp(s->index, other->index, sizeof s->index) == 0 &&
            memcmp(s->relay, other->relay, sizeof s->relay) == 0)
            s->pattern = other->pattern;
        if (way->n > 1 ? same_relays(s, other) : s->pattern == other->pattern)
            s->group = other->group;
    }
    in->n_patterns[secret] += s->pattern == in->n_patterns[secret];
    return 0;
}

static int set_client(struct instance *in, size_t client, struct hagg_err *err)
{
    struct instance_client *c = &in->clients[client];
    struct plan_client place;

    c->number = in->plan.topology.clients[client].number;
    c->n_digits = in->length;
    if (plan_client(&in->plan, c->number, &place, err) ||
        set_sharing(in, client, INSTANCE_VECTOR, &place.shares, err) ||
        (in->n_secrets > 1 && set_sharing(in, client, INSTANCE_KEY, &place.keys, err)))
        return -1;
    c->key_station = place.key_station - 1;
    c->n_points = power(in->p, c->n_digits);
    return 0;
}

static int load(struct instance *in, const char *topology, struct hagg_err *err)
{
    struct text text = { 0 };
    int64_t lo, hi;
    char path[100];
    int status;

    text_printf(&text, "protocol keys\n%s", topology);
    snprintf(path, sizeof path, "%s/plan", in->folder);
    status =
        write_file(path, text.bytes, text.len, err) || plan_load(&in->plan, path, err) ? -1 : 0;
    text_free(&text);
    if (status)
        return -1;
    in->p = (unsigned)in->plan.field->info.order;
    plan_integers(&in->plan, &lo, &hi);
    in->max_int = (unsigned)hi;
    in->n_secrets = in->plan.topology.full ? INSTANCE_SECRETS : 1;
    in->n_clients = in->plan.topology.n_clients;
    in->n_stations = in->plan.topology.n_stations;
    in->n_inputs = power(2 * in->max_int + 1, in->length);
    for (size_t i = 0; i < in->n_clients; i++)
        if (set_client(in, i, err))
            return -1;
    return 0;
}

int instance_new(struct instance *in, const char *topology, size_t length, struct hagg_err *err)
{
    *in = (struct instance){ .length = length };
    /* in memory if possible, because there are many small files */
    snprintf(in->folder, sizeof in->folder, "%s/hagg-privacy.XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(in->folder))
        return err_errno(err, "%s", in->folder);
    if (load(in, topology, err)) {
        instance_free(in);
        return -1;
    }
    return 0;
}

void instance_free(struct instance *in)
{
    DIR *dir = opendir(in->folder);
    struct dirent *entry;
    char path[400];

    while (dir && (entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s/%s", in->folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(in->folder);
    for (size_t i = 0; i < in->n_clients; i++)
        free(in->clients[i].cells);
    plan_free(&in->plan);
    in->n_clients = 0;
}
