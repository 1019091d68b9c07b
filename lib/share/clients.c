#include "share/clients.h"

#include <stdlib.h>
#include <string.h>

#include "records/batch.h"
#include "secrets/keyfile.h"
#include "share/samples_file.h"
#include "share/sharings.h"
#include "vector/vector_rows.h"

struct clients {
    const struct clients_options *o;
    struct sharings sharings;
    struct vector_rows *rows; /* NULL if each client has a file */
    struct reader *keys;      /* NULL if each client has a file, or none has a key */
    uint64_t *samples;        /* by client; NULL if each has a file, or all have the same */
    struct clients_report *report;
};

/* One client of a batch. */
struct node {
    struct client_options o;
    struct vector v;
    struct client_mark mark;
    struct client_report report;
    struct keyfile_key key; /* if it was loaded */
};

static bool has_braces(const char *name)
{
    return name && strstr(name, "{}");
}

static int open_inputs(struct clients *c, struct hagg_err *err)
{
    const struct clients_options *o = c->o;

    if (!has_braces(o->vectors)) {
        c->rows = vector_rows_open(o->vectors, o->type, err);
        if (!c->rows)
            return -1;
        if (vector_rows_count(c->rows) != o->n)
            return err_set(err, HAGG_E_MISMATCH,
                           "%s: has %llu rows, but there are %zu clients: give a row for each, or "
                           "use {} in the name for a file of each client",
                           o->vectors, (unsigned long long)vector_rows_count(c->rows), o->n);
    }
    if (o->keys && !has_braces(o->keys) && !(c->keys = reader_open(o->keys, NULL, err)))
        return -1;
    if (o->samples_file && !has_braces(o->samples_file)) {
        c->samples = calloc(o->n + 1, sizeof *c->samples);
        if (!c->samples)
            return err_errno(err, "%s", o->samples_file);
        return samples_file_load_lines(c->samples, o->n, o->samples_file, err);
    }
    return 0;
}

static int load_vector(const struct clients *c, struct node *n, struct hagg_err *err)
{
    char *path;
    int status;

    if (c->rows)
        return vector_rows_next(c->rows, &n->v, err);
    path = outfiles_path(c->o->vectors, n->o.client);
    status = path ? vector_load(&n->v, path, c->o->format, c->o->type, err)
                  : err_errno(err, "%s", c->o->vectors);
    free(path);
    return status;
}

static int load_samples(const struct clients *c, size_t i, struct node *n, struct hagg_err *err)
{
    char *path;
    int status;

    if (!c->o->samples_file)
        return 0;
    n->o.has_samples = true;
    if (c->samples) {
        n->o.samples = c->samples[i];
        return 0;
    }
    path = outfiles_path(c->o->samples_file, n->o.client);
    status = path ? samples_file_load(&n->o.samples, path, err)
                  : err_errno(err, "%s", c->o->samples_file);
    free(path);
    return status;
}

/* Reads the next of all keys. */
static int take_key(const struct clients *c, size_t i, struct node *n, struct hagg_err *err)
{
    struct keyfile_need need = {
        .plan = n->o.plan,
        .client = n->o.client,
        .round = n->o.round,
        .length = n->v.n_elems + n->o.has_samples,
    };
    struct plan_client place;

    if (plan_client(n->o.plan, n->o.client, &place, err))
        return -1;
    need.room = sharings_padded(sharings_keys(&c->sharings, &place), (size_t)need.length);
    if (keyfile_next(c->keys, &need, &n->key, err))
        return -1;
    n->o.loaded_key = &n->key;
    return i + 1 < c->o->n ? 0 : keyfile_end(c->keys, err);
}

static int load(const struct clients *c, size_t i, struct node *n, struct hagg_err *err)
{
    n->o = c->o->client;
    n->o.client = c->o->numbers[i];
    n->o.sharings = &c->sharings;
    return load_vector(c, n, err) || load_samples(c, i, n, err) ||
                   (c->keys && take_key(c, i, n, err))
               ? -1
               : 0;
}

static int take(void *clients, size_t i, void *node, struct hagg_err *err)
{
    const struct clients *c = clients;

    return c->rows || c->keys ? load(c, i, node, err) : 0;
}

/* Wipes the elements; name and length are still needed. */
static void forget_elems(struct vector *v)
{
    if (v->data)
        explicit_bzero(v->data, v->n_elems * vector_type_size(v->type));
    free(v->data);
    v->data = NULL;
}

static int make(void *clients, size_t i, void *node, struct outfiles *out, struct hagg_err *err)
{
    const struct clients *c = clients;
    struct node *n = node;
    char *key = NULL;
    int status = c->rows || c->keys ? 0 : load(c, i, n, err);

    if (status == 0 && has_braces(c->o->keys)) {
        key = outfiles_path(c->o->keys, n->o.client);
        n->o.key = key;
        status = key ? 0 : err_errno(err, "%s", c->o->keys);
    }
    if (status == 0) {
        status = client_share_unentered(&n->o, &n->v, out, &n->mark, &n->report, err);
        keyfile_forget(&n->key);
    }
    forget_elems(&n->v);
    free(key);
    return status;
}

/* All clients have vectors of the length of the first one. */
static int check_length(struct clients *c, size_t i, const struct node *n, struct hagg_err *err)
{
    if (i == 0)
        c->report->length = n->v.n_elems;
    if (n->v.n_elems == c->report->length)
        return 0;
    return err_set(err, HAGG_E_MISMATCH,
                   "%s: has %zu elements, but the vector of client %u has %zu: all vectors must "
                   "have the same length",
                   n->v.name, n->v.n_elems, c->o->numbers[0], c->report->length);
}

static int enter(void *clients, size_t i, void *node, struct hagg_err *err)
{
    struct clients *c = clients;
    const struct node *n = node;
    struct client_report *all = &c->report->all;

    all->n_clipped += n->report.n_clipped;
    all->n_computational += n->report.n_computational;
    if (all->percent_filling < n->report.percent_filling)
        all->percent_filling = n->report.percent_filling;
    return check_length(c, i, n, err) || client_enter(&n->o, &n->mark, n->v.name, err) ? -1 : 0;
}

static int commit(void *clients, struct hagg_err *err)
{
    const struct clients *c = clients;

    return state_commit(c->o->client.state, err);
}

static void drop(void *clients, void *node)
{
    struct node *n = node;

    (void)clients;
    keyfile_forget(&n->key); /* if it was loaded, but not used */
    vector_free(&n->v);
    explicit_bzero(n, sizeof *n);
}

/* Makes what all clients use: their sharings, and the secret of the state. */
static int prepare(struct clients *c, struct hagg_err *err)
{
    const struct client_options *o = &c->o->client;
    int status = client_accept(o, err);

    if (status == 0)
        status = sharings_new(&c->sharings, o->plan, o->missing, err);
    for (size_t i = 0; i < c->o->n && status == 0; i++)
        status = sharings_add(&c->sharings, c->o->numbers[i], err);
    if (status == 0 && state_remembers(o->state)) {
        struct mac *mac = state_mac(o->state, err);

        status = mac ? 0 : -1;
        mac_free(mac);
    }
    return status;
}

int clients_share(const struct clients_options *options, struct clients_report *report,
                  struct hagg_err *err)
{
    struct clients c = { .o = options, .report = report };
    const struct batch_job job = {
        .tier = "client",
        .numbers = options->numbers,
        .n = options->n,
        .mark = CLIENTS_MARK,
        .output = options->output,
        .allow_terminal = options->allow_terminal,
        .sealer = options->client.sealer,
        .size = sizeof(struct node),
        .take = take,
        .make = make,
        .enter = enter,
        .commit = commit,
        .drop = drop,
        .arg = &c,
        .pool = options->pool,
        .progress = options->progress,
    };
    int status;

    *report = (struct clients_report){ 0 };
    status = prepare(&c, err) || open_inputs(&c, err) || batch_run(&job, &report->readable, err)
                 ? -1
                 : 0;
    /* what was entered of a batch that failed */
    state_drop(options->client.state);
    vector_rows_free(c.rows);
    reader_free(c.keys);
    if (c.samples)
        explicit_bzero(c.samples, options->n * sizeof *c.samples);
    free(c.samples);
    sharings_free(&c.sharings);
    return status;
}
