/*
 * Measures the cost of the planner's choices over several topologies: the cost of whole reaches and
 * of the choice, in multiples of the simple lower bound, and the cost of the choice in multiples of
 * the bound that the planner proves. For full collusion both bounds are twice those of one side.
 *   bench-cover TITLE TOPOLOGY...
 */
#include <stdio.h>
#include <time.h>

#include "planner/cover/cover.h"
#include "planner/joint/joint.h"
#include "report.h"

struct mean {
    double whole, found, proven, reach, kinds, seconds;
    unsigned n, n_proved, n_without; /* n_without: no private choice was found */
};

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The choice for a topology, under partial or full collusion. */
struct chosen {
    double cost, bound, seconds;
    bool proved;
};

static int choose_partial(const struct instance *in, struct chosen *c, struct hagg_err *err)
{
    struct cover cover;
    struct effort e;
    double start = cpu_seconds();

    effort_start(&e, EFFORT_DEFAULT, 1, 0, NULL);
    if (cover_find(in, &e, &cover, err))
        return -1;
    *c = (struct chosen){ cover.cost, cover.bound, cpu_seconds() - start, cover.proved };
    cover_free(&cover);
    return 0;
}

static int choose_full(const struct instance *in, const struct plan *plan, struct chosen *c,
                       struct hagg_err *err)
{
    struct joint joint;
    struct effort e;
    double start = cpu_seconds();

    effort_start(&e, EFFORT_DEFAULT, 1, 0, NULL);
    if (joint_find(in, COLLUSION_EXACT, &e, plan->name, plan->topology.clients, &joint, err))
        return -1;
    *c = (struct chosen){ joint.cost, joint.bound, cpu_seconds() - start, joint.proved };
    joint_free(&joint);
    return 0;
}

static void add(struct mean *m, const struct instance *in, const struct cover *whole,
                const struct chosen *c, unsigned sides)
{
    m->seconds += c->seconds;
    m->whole += whole->cost / whole->bound;
    m->found += c->cost / (sides * whole->bound);
    m->proven += c->cost / c->bound;
    m->n_proved += c->proved;
    m->kinds += in->n_reach_classes;
    for (uint32_t i = 0; i < in->n_clients; i++)
        m->reach +=
            (double)set_count(instance_reach(in, in->reach_class[i]), in->n_words) / in->n_clients;
    m->n++;
}

static int measure(const char *path, struct mean *m, struct hagg_err *err)
{
    struct plan plan = { 0 };
    struct instance in = { 0 };
    struct cover whole = { 0 };
    struct chosen c;
    int rc = -1;

    if (plan_load_to_choose(&plan, path, err) || instance_new(&in, &plan, err) ||
        cover_whole(&in, &whole, err))
        goto out;
    rc = plan.topology.full ? choose_full(&in, &plan, &c, err) : choose_partial(&in, &c, err);
    if (rc == 0) {
        add(m, &in, &whole, &c, plan.topology.full ? 2 : 1);
    } else if (err->status == HAGG_E_PRIVACY) {
        m->n_without++;
        rc = 0;
    }
out:
    cover_free(&whole);
    instance_free(&in);
    plan_free(&plan);
    return rc;
}

int main(int argc, char **argv)
{
    struct mean m = { 0 };

    if (argc < 3) {
        fprintf(stderr, "usage: bench-cover TITLE TOPOLOGY...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct hagg_err err = { 0 };

        if (measure(argv[i], &m, &err))
            report_die(&err);
    }
    printf("%-28s", argv[1]);
    if (m.n > 0)
        printf(" %6.1f %7.0f %10.4f %10.4f %11.5f %6u/%-3u %8.2f s", m.reach / m.n, m.kinds / m.n,
               m.whole / m.n, m.found / m.n, m.proven / m.n, m.n_proved, m.n, m.seconds / m.n);
    if (m.n_without > 0)
        printf("  no private choice for %u more", m.n_without);
    printf("\n");
    return 0;
}
