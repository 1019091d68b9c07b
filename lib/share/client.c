#include "share/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vector/elements.h"
#include "secrets/keyfile.h"
#include "base/large.h"
#include "plan/plan_collusion.h"
#include "plan/plan_promises.h"
#include "plan/plan_seeds.h"
#include "records/describe.h"
#include "vector/quantize.h"
#include "vector/residues.h"
#include "records/spread.h"
#include "share/client_remember.h"
#include "share/sharings.h"

struct client {
    const struct client_options *o;
    const struct field *field;
    const char *scheme_name;
    struct plan_client place;                  /* with a plan */
    uint32_t *holders;                         /* without a plan: 1 .. n */
    struct sharing own;                        /* without a plan */
    struct sharings own_sharings;              /* with a plan, unless they are given */
    const struct sharings_ramp *shares, *keys; /* protocol keys; the latter under full collusion */
    const struct client_aligned *aligned;
    struct header header; /* common to all records */
    size_t length;        /* of the vector, including the sample count */
    unsigned char *elems; /* the vector, filled up with zeros to whole parts */
    size_t n_elems;
    /* Protocol keys; if it is shared, filled up with zeros to whole parts. */
    const struct keyfile_key *key;
    struct keyfile_key own_key; /* unless it was loaded already */
    struct random *random;      /* for the shares */
};

static void client_free(struct client *s)
{
    size_t size = field_elem_size(s->field);

    if (s->elems)
        explicit_bzero(s->elems, s->n_elems * size);
    free(s->elems);
    keyfile_forget(&s->own_key);
    free(s->holders);
    random_free(s->random);
    header_clear(&s->header);
    sharing_free(&s->own);
    sharings_free(&s->own_sharings);
}

static bool is_aligned(const struct client *s)
{
    return s->o->plan && s->o->plan->topology.aligned;
}

/* Returns true if the client pads its vector with a key. */
static bool has_key(const struct client *s)
{
    return s->o->plan && !is_aligned(s);
}

/* Finds the sharings of the plan, and makes them if they are not given. */
static int find_sharings(struct client *s, struct hagg_err *err)
{
    const struct client_options *o = s->o;
    const struct sharings *all = o->sharings;

    if (!all) {
        if (sharings_new(&s->own_sharings, o->plan, o->missing, err) ||
            sharings_add(&s->own_sharings, o->client, err))
            return -1;
        all = &s->own_sharings;
    }
    s->aligned = sharings_aligned(all, o->client);
    s->shares = sharings_shares(all, &s->place);
    s->keys = sharings_keys(all, &s->place);
    return 0;
}

static int set_sharing(struct client *s, struct hagg_err *err)
{
    const struct client_options *o = s->o;

    if (!o->plan) {
        s->scheme_name = o->scheme->name;
        s->holders = calloc(o->n, sizeof *s->holders);
        if (!s->holders)
            return err_errno(err, "no memory for %u shares", o->n);
        for (uint32_t u = 0; u < o->n; u++)
            s->holders[u] = u + 1;
        return sharing_new(&s->own, o->field, o->scheme, o->n, o->k, o->z, NULL, NULL, err);
    }
    s->scheme_name = o->plan->scheme->name;
    return plan_client(o->plan, o->client, &s->place, err) || find_sharings(s, err) ? -1 : 0;
}

/* Sets the header fields common to all records: vector, round, plan, client. */
static int set_header(struct client *s, const struct vector *v, struct hagg_err *err)
{
    const struct client_options *o = s->o;
    struct header *h = &s->header;

    memcpy(h->field, s->field->spec, sizeof h->field);
    h->length = s->length;
    h->samples = o->has_samples;
    h->has_shape = true;
    h->n_shape = v->n_shape;
    memcpy(h->type, v->type, sizeof h->type);
    if (v->type[0] == 'f')
        h->quant = o->plan ? o->plan->topology.quant : o->quant;
    h->has_round = o->has_round;
    h->round = o->round;
    h->shape = calloc(v->n_shape + 1, sizeof *h->shape);
    h->clients = calloc(1, sizeof *h->clients);
    if (!h->shape || !h->clients)
        return err_errno(err, "%s", v->name);
    for (size_t i = 0; i < v->n_shape; i++)
        h->shape[i] = v->shape[i];
    if (o->client > 0) {
        h->n_clients = 1;
        h->clients[0] = (struct header_range){ o->client, o->client };
        h->from = (struct header_node){ .tier = "client", .number = o->client };
    }
    if (o->plan) {
        h->has_plan = true;
        memcpy(h->plan, o->plan->digest, sizeof h->plan);
    }
    return 0;
}

static int refuse_quant(const struct client *s, const struct header_quant *q, struct hagg_err *err)
{
    struct text levels = { 0 };

    describe_levels(&levels, q);
    err_set(err, HAGG_E_USAGE, "values of %s do not fit field '%s'",
            text_ok(&levels) ? levels.bytes : "--quantize", s->field->spec);
    text_free(&levels);
    return -1;
}

/* Checks that floats have a quantisation, and that it fits the field. For the quantisation of a
 * plan, plan_load has checked the latter. */
static int check_quant(const struct client *s, const struct vector *v, struct hagg_err *err)
{
    const struct plan *plan = s->o->plan;
    const struct header_quant *q = plan ? &plan->topology.quant : &s->o->quant;
    int64_t lo, hi;

    if (v->type[0] == 'f' && plan && topology_integers_given(&plan->topology.integers))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: has type %s, but %s has an integers line: share integers, for instance "
                       "text with --type i8",
                       v->name, v->type, plan->name);
    if (v->type[0] == 'f' && !header_has_quant(q))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: has type %s, which needs quantisation: %s%s, or share integers, for "
                       "instance text with --type i8",
                       v->name, v->type, plan ? "add a quantize line to " : "use --quantize",
                       plan ? plan->name : "");
    if (plan || !header_has_quant(q))
        return 0;
    if (v->type[0] == 'f' && q->bits == 0 && s->o->client == 0)
        return err_set(err, HAGG_E_USAGE,
                       "a sum of levels can be decoded only if its records list the clients: use "
                       "--client, or bits= in --quantize");
    quantize_range(q, &lo, &hi);
    return residues_fit(s->field, lo, hi, 1) ? 0 : refuse_quant(s, q, err);
}

/* Returns true if the client, or without one any client, sends seeds. */
static bool sends_seeds(const struct plan *p, uint32_t client)
{
    const struct topology_client *c = topology_client(&p->topology, client);

    return c ? p->topology.groups[c->group].computational : topology_has_seeds(&p->topology);
}

int client_accept(const struct client_options *o, struct hagg_err *err)
{
    if (o->plan && sends_seeds(o->plan, o->client) && plan_seeds_check(o->plan, err))
        return -1;
    if (o->plan && o->no_seeds && sends_seeds(o->plan, o->client))
        return err_set(
            err, HAGG_E_PRIVACY,
            "%s: shares are sent as seeds, so privacy is computational only: get another "
            "plan, or accept this one without --no-seeds",
            o->plan->name);
    return o->plan ? plan_collusion_accept(o->plan, NULL, o->unsafe_plan, err) : 0;
}

static int check_length(const struct client *s, const struct vector *v, struct hagg_err *err)
{
    uint64_t planned = s->o->plan ? s->o->plan->topology.length : 0;

    if (s->o->plan && s->o->plan->topology.samples != s->o->has_samples)
        return err_set(err, HAGG_E_USAGE, "%s: %s", s->o->plan->name,
                       s->o->has_samples ? "has no samples line: omit --samples"
                                         : "has a samples line: use --samples");
    if (planned > 0 && planned != v->n_elems)
        return err_set(err, HAGG_E_MISMATCH, "%s: has %zu elements, but the plan has %llu", v->name,
                       v->n_elems, (unsigned long long)planned);
    return is_aligned(s) ? plan_promises_check_length(s->o->plan, &s->o->plan->aligned->classes,
                                                      s->o->plan->aligned->randoms, s->length, err)
                         : 0;
}

static int load_key(struct client *s, struct hagg_err *err)
{
    struct keyfile_need need = {
        .plan = s->o->plan,
        .client = s->o->client,
        .round = s->o->round,
        .length = s->length,
        .room = sharings_padded(s->keys, s->length),
    };

    if (s->key)
        return 0;
    s->key = &s->own_key;
    return keyfile_load(s->o->key, &need, &s->own_key, err);
}

static int open_random(struct client *s, struct hagg_err *err)
{
    if (!s->random)
        s->random = s->o->random_source ? random_open(s->o->random_source, err) : random_new(err);
    return s->random ? 0 : -1;
}

/* Opens the random source for rounding. With a key it is seeded by the id of the key, and without
 * one from the state, so that the same vector is rounded in the same way when it is shared again. A
 * random source given by the user is also used for the shares afterwards, so that no byte is used
 * for both. */
static struct random *open_coins(struct client *s, const struct vector *v, struct hagg_err *err)
{
    uint8_t seed[RANDOM_SEED_BYTES] = { 0 };
    struct random *coins;

    if (s->o->random_source)
        return open_random(s, err) ? NULL : s->random;
    if (!s->key && (!is_aligned(s) || !state_remembers(s->o->state)))
        return random_new(err);
    if (s->key)
        memcpy(seed, s->key->id, sizeof s->key->id);
    else if (client_rounding_seed(s->o, v, seed, err))
        return NULL;
    coins = random_seeded(seed, err);
    explicit_bzero(seed, sizeof seed);
    return coins;
}

/* Converts the vector to elements, and appends the sample count. */
static int make_elements(struct client *s, const struct vector *v, struct client_report *report,
                         struct hagg_err *err)
{
    const struct client_options *o = s->o;
    struct elements_options eo = {
        .quant = s->header.quant,
        .lo = s->field->info.int_min,
        .hi = s->field->info.int_max,
        .clip = o->clip,
    };
    size_t size = field_elem_size(s->field);
    int64_t samples = (int64_t)o->samples, most = s->field->info.int_max;
    int status;

    if (o->plan && residues_are_integers(s->field)) {
        plan_integers(o->plan, &eo.lo, &eo.hi);
        eo.declared = topology_integers_given(&o->plan->topology.integers);
        most = plan_most_samples(o->plan);
    }
    if (header_has_quant(&eo.quant) && eo.quant.rounding == HEADER_STOCHASTIC &&
        !(eo.coins = open_coins(s, v, err)))
        return -1;
    report->percent_filling = is_aligned(s) ? client_aligned_filling(s->aligned, s->length) : 0;
    s->n_elems = is_aligned(s) ? client_aligned_length(s->aligned, s->length)
                 : o->plan     ? sharings_padded(s->shares, s->length)
                           : s->own.shape.parts * (size_t)sharing_part_length(&s->own, s->length);
    s->elems = calloc(s->n_elems + 1, size);
    large_hint(s->elems, s->n_elems * size);
    status = s->elems ? 0 : err_errno(err, "%s", v->name);
    if (status == 0)
        status = elements_from_vector(s->field, v, &eo, s->elems, &report->n_clipped, err);
    if (status == 0 && o->has_samples) {
        if (o->plan && o->plan->topology.most_samples > 0 && samples > most)
            status = err_set(err, HAGG_E_USAGE,
                             "the sample count is too large: the samples line of the plan allows "
                             "%lld",
                             (long long)most);
        else if (o->samples > (uint64_t)most)
            status = err_set(err, HAGG_E_USAGE,
                             "the sample count is too large: the sum of all counts could overflow "
                             "field '%s'",
                             s->field->spec);
        else
            residues_from_int(s->field, s->elems + v->n_elems * size, &samples, 1, 0,
                              residues_most(s->field, 1));
    }
    if (eo.coins != s->random)
        random_free(eo.coins);
    return status;
}

static void pad(struct client *s)
{
    field_add(s->field, s->elems, s->elems, s->key->elems, s->length);
}

/* Makes the mark of the vector, and the generator of the random vectors from it. The elements and
 * the key are filled up with zeros, which do not count. */
static int set_mark(struct client *s, const struct vector *v, struct client_mark *mark,
                    struct hagg_err *err)
{
    struct client_use use = {
        .vector = v,
        .elems = s->elems,
        .key = s->key ? s->key->elems : NULL,
        .n_bytes = s->length * field_elem_size(s->field),
    };
    uint8_t seed[RANDOM_SEED_BYTES];
    int status = client_mark_use(s->o, &use, mark, seed, err);

    if (status == 0 && mark->is_set && !s->o->random_source &&
        !(s->random = random_seeded(seed, err)))
        status = -1;
    explicit_bzero(seed, sizeof seed);
    return status;
}

/* Shares the parts over the given route or, without a plan, over holders 1 .. n. */
static int spread(struct client *s, const struct sharings_ramp *ramp, const struct plan_route *way,
                  const void *parts, struct outfiles *out, struct hagg_err *err)
{
    const struct sharing *sharing = ramp ? &ramp->sharing : &s->own;
    struct header_tier tiers[PLAN_TIERS] = {
        { .name = "holder", .numbers = s->holders, .n_numbers = sharing->n },
    };
    struct spread_job job = {
        .header = &s->header,
        .scheme = s->scheme_name,
        .sharing = sharing,
        .route = tiers,
        .n_route = s->o->plan ? way->n : 1,
        .n_blocks = 1,
        .block_length = s->length,
        .parts = parts,
        .seeds = ramp ? ramp->seeds.are_seeds : NULL,
        .outputs = ramp ? ramp->seeds.outputs : NULL,
        .progress = s->o->progress,
    };

    if (s->o->plan)
        plan_route_tiers(way, tiers);
    return spread_shares(&job, s->random, s->o->pool, out, err);
}

static int write_shares(struct client *s, struct outfiles *out, struct hagg_err *err)
{
    s->header.kind = HEADER_SHARE;
    s->header.secret = has_key(s) ? HEADER_PADDED : HEADER_PLAIN;
    /* no id with a random source given by the user, all of whose bytes are for the shares */
    s->header.has_id = !random_is_file(s->random);
    if (s->header.has_id && random_bytes(s->random, s->header.id, sizeof s->header.id, err))
        return -1;
    if (is_aligned(s))
        return client_aligned_spread(s->aligned, &s->header, s->elems, s->random, s->o->pool,
                                     s->o->progress, out, err);
    return spread(s, s->shares, &s->place.shares, s->elems, out, err);
}

/* Partial collusion: writes the key, not shared, to one station. */
static int write_whole_key(struct client *s, struct outfiles *out, struct hagg_err *err)
{
    struct header *h = &s->header;
    struct writer *w = outfiles_writer(out, s->place.key_station, err);

    h->kind = HEADER_VECTOR;
    h->to = (struct header_node){ .tier = "station", .number = s->place.key_station };
    h->seed = s->o->plan->topology.groups[s->place.group].computational;
    if (!w || (h->seed ? writer_begin(w, h, 1, sizeof s->key->seed, err) ||
                             writer_elems(w, s->key->seed, sizeof s->key->seed, err)
                       : writer_begin(w, h, field_elem_size(s->field), s->length, err) ||
                             writer_elems(w, s->key->elems, s->length, err)))
        return -1;
    return writer_end(w, err);
}

/* Uses the id of the shares, because it belongs to the same run. */
static int write_key(struct client *s, struct outfiles *out, struct hagg_err *err)
{
    struct header *h = &s->header;

    h->secret = HEADER_KEY;
    header_forget_vector(h);
    if (!s->keys)
        return write_whole_key(s, out, err);
    return spread(s, s->keys, &s->place.keys, s->key->elems, out, err);
}

static int prepare(struct client *s, const struct vector *v, struct client_mark *mark,
                   struct client_report *report, struct hagg_err *err)
{
    *report = (struct client_report){ .n_computational =
                                          s->o->plan && sends_seeds(s->o->plan, s->o->client) };
    *mark = (struct client_mark){ 0 };
    return check_length(s, v, err) || check_quant(s, v, err) || set_sharing(s, err) ||
                   set_header(s, v, err) || (has_key(s) && load_key(s, err)) ||
                   make_elements(s, v, report, err) || (s->o->plan && set_mark(s, v, mark, err))
               ? -1
               : 0;
}

static int write_all(struct client *s, struct outfiles *out, struct hagg_err *err)
{
    /* if the shares are the same again, they are sealed to the same bytes again */
    if (open_random(s, err) || outfiles_set_seed(out, s->random, err))
        return -1;
    if (has_key(s))
        pad(s);
    if (write_shares(s, out, err))
        return -1;
    return has_key(s) ? write_key(s, out, err) : 0;
}

static struct client client_of(const struct client_options *o, const struct vector *v)
{
    return (struct client){
        .o = o,
        .field = o->plan ? o->plan->field : o->field,
        .length = v->n_elems + o->has_samples,
        .key = o->loaded_key,
    };
}

int client_share_unentered(const struct client_options *options, const struct vector *v,
                           struct outfiles *out, struct client_mark *mark,
                           struct client_report *report, struct hagg_err *err)
{
    struct client s = client_of(options, v);
    int status = prepare(&s, v, mark, report, err) || write_all(&s, out, err) ? -1 : 0;

    client_free(&s);
    return status;
}

int client_share(const struct client_options *options, const struct vector *v, struct outfiles *out,
                 struct client_report *report, struct hagg_err *err)
{
    struct client s = client_of(options, v);
    struct client_mark mark;
    int status = client_accept(options, err) || prepare(&s, v, &mark, report, err) ||
                         client_enter(options, &mark, v->name, err) ||
                         (mark.is_set && state_commit(options->state, err)) ||
                         write_all(&s, out, err)
                     ? -1
                     : 0;

    explicit_bzero(&mark, sizeof mark);
    client_free(&s);
    return status;
}
