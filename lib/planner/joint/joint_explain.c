#include "planner/joint/joint_explain.h"

#include <math.h>
#include <stdlib.h>

#include "planner/joint/compatible.h"
#include "base/text.h"

#define LISTED 8 /* numbers listed in one message */

/* Adds the number of colluders for which there is a plan. */
static void add_largest(const struct instance *in, const struct joint_failure *f, struct text *t)
{
    if (f->largest >= 0)
        text_printf(t, "; a plan against %lld was found", (long long)f->largest);
    else if (in->colluders > 0 && !f->largest_unsure)
        text_printf(t, "; none was found against fewer clients either");
}

static int fail(const struct joint_failure *f, struct text *t, struct hagg_err *err)
{
    if (text_ok(t))
        err_set(err, HAGG_E_PRIVACY, "%s: %s", f->name, t->bytes);
    else
        err_errno(err, "%s", f->name);
    text_free(t);
    return -1;
}

static void list_number(struct text *t, uint32_t number, uint32_t *n)
{
    if (*n < LISTED)
        text_printf(t, " %u", number);
    else if (*n == LISTED)
        text_printf(t, " ...");
    ++*n;
}

/* What it means if no choice of stations is private. */
static const char *verdict(const struct instance *in)
{
    return in->merges ? "found no plan that is private" : "no plan is private";
}

static uint32_t first_client(const struct instance *in, uint32_t reach_class)
{
    uint32_t i = 0;

    while (in->reach_class[i] != reach_class)
        i++;
    return i;
}

static uint32_t fewest_stations(const struct instance *in)
{
    uint32_t m = 0;

    while (m < in->n_stations && isinf(in->rate[m]))
        m++;
    return m;
}

/* Names a client that can be in no group with any other, and the client with which it has most
 * stations in common. */
static int fail_alone(const struct instance *in, const struct joint_failure *f, uint32_t client,
                      struct hagg_err *err)
{
    const uint64_t *reach = instance_reach(in, in->reach_class[client]);
    uint32_t most = 0, nearest = client == 0, n = 0;
    struct text t = { 0 };

    for (uint32_t i = 0; i < in->n_clients; i++) {
        const uint64_t *other = instance_reach(in, in->reach_class[i]);
        uint32_t meet = 0;

        for (size_t w = 0; w < in->n_words; w++)
            meet += (uint32_t)__builtin_popcountll(reach[w] & other[w]);
        if (i != client && meet > most) {
            most = meet;
            nearest = i;
        }
    }
    uint32_t missing = fewest_stations(in) - most;
    text_printf(&t,
                "%s: client %u has at most %u station%s in common with any other "
                "client, so it can have no pattern in common with one; it needs ",
                verdict(in), f->clients[client].number, most, most == 1 ? "" : "s");
    if (missing == 1)
        text_printf(&t, "one");
    else
        text_printf(&t, "%u", missing);
    text_printf(&t, " of the stations");
    for (uint32_t s = 1; s <= in->n_stations; s++) {
        size_t w = (s - 1) / 64;

        if ((instance_reach(in, in->reach_class[nearest])[w] & ~reach[w]) >> (s - 1) % 64 & 1)
            list_number(&t, s, &n);
    }
    text_printf(&t, " of client %u", f->clients[nearest].number);
    return fail(f, &t, err);
}

static int fail_separated(const struct instance *in, const struct joint_failure *f,
                          const struct compatible_cut *cut, struct hagg_err *err)
{
    uint32_t n = 0, n_cut = 0;
    struct text t = { 0 };

    for (size_t k = 0; k < cut->n_reach_classes; k++)
        n_cut += in->weight[cut->reach_classes[k]];
    if (n_cut > 0) {
        text_printf(&t, "%s against %u client%s: without client%s", verdict(in), in->colluders,
                    in->colluders == 1 ? "" : "s", n_cut == 1 ? "" : "s");
        for (uint32_t i = 0; i < in->n_clients; i++)
            for (size_t k = 0; k < cut->n_reach_classes; k++)
                if (in->reach_class[i] == cut->reach_classes[k])
                    list_number(&t, f->clients[i].number, &n);
    } else {
        text_printf(&t, "%s: whichever stations are chosen", verdict(in));
    }
    text_printf(
        &t,
        ", no chain of clients, each with at least %u stations in common with the next, connects "
        "client %u to client %u; let one of them, or a client in between, reach more stations",
        fewest_stations(in), f->clients[first_client(in, cut->separated[0])].number,
        f->clients[first_client(in, cut->separated[1])].number);
    if (n_cut > 0)
        add_largest(in, f, &t);
    return fail(f, &t, err);
}

int joint_explain_impossible(const struct instance *in, const struct joint_failure *f,
                             struct hagg_err *err)
{
    struct compatible c;
    struct compatible_cut cut;
    uint32_t z = in->colluders, n = in->n_clients;
    int status;

    if (f->condition == COLLUSION_PAPER && n <= z) {
        struct text t = { 0 };

        text_printf(&t,
                    "no plan meets the condition 'paper' against %u client%s: each pattern needs "
                    "%u clients, and there are %u",
                    z, z == 1 ? "" : "s", z + 1, n);
        add_largest(in, f, &t);
        fail(f, &t, err);
        return err->status == HAGG_E_PRIVACY ? 1 : -1;
    }
    if (n < 2 || in->n_reach_classes > COMPATIBLE_MOST)
        return 0;
    if (compatible_new(&c, in, err))
        return -1;
    for (uint32_t i = 0; i < n; i++)
        if (c.degree[in->reach_class[i]] == 0) {
            compatible_free(&c);
            fail_alone(in, f, i, err);
            return err->status == HAGG_E_PRIVACY ? 1 : -1;
        }
    status = compatible_separated(&c, z < n - 2 ? z : n - 2, &cut, err);
    if (status == 1) {
        fail_separated(in, f, &cut, err);
        status = err->status == HAGG_E_PRIVACY ? 1 : -1;
        compatible_cut_free(&cut);
    }
    compatible_free(&c);
    return status;
}

int joint_explain(const struct instance *in, const struct joint_failure *f, struct hagg_err *err)
{
    struct text t = { 0 };

    if (f->exhausted)
        text_printf(&t, "%s against %u client%s: all station sets were tried", verdict(in),
                    in->colluders, in->colluders == 1 ? "" : "s");
    else if (f->stopped)
        text_printf(&t,
                    "the time limit ended the search before it found a plan that is private "
                    "against %u client%s: allow more time",
                    in->colluders, in->colluders == 1 ? "" : "s");
    else
        text_printf(&t,
                    "found no plan that is private against %u client%s, though there may be one",
                    in->colluders, in->colluders == 1 ? "" : "s");
    add_largest(in, f, &t);
    if (f->largest < 0 && !f->stopped)
        text_printf(&t, "; let clients reach more stations in common");
    return fail(f, &t, err);
}
