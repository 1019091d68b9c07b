/*
 * How cheap the planner's choice for partial collusion is, over several topologies: the cost with
 * whole reaches and with the choice, in multiples of the simple lower bound, and the choice in
 * multiples of the bound that the planner proves.
 *   bench-cover TITLE TOPOLOGY...
 */
#include <stdio.h>
#include <time.h>

#include "cover.h"
#include "report.h"

struct mean {
    double whole, found, proven, reach, kinds, seconds;
    unsigned n_proved;
};

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int measure(const char *path, struct mean *m, struct hagg_err *err)
{
    struct plan plan = { 0 };
    struct instance in = { 0 };
    struct cover whole = { 0 }, found = { 0 };
    struct effort e;
    int rc = -1;

    effort_start(&e, EFFORT_DEFAULT, 1, 0, NULL);
    if (plan_load_to_choose(&plan, path, err) || instance_new(&in, &plan, err) ||
        cover_whole(&in, &whole, err))
        goto out;
    double start = cpu_seconds();
    if (cover_find(&in, &e, &found, err))
        goto out;
    m->seconds += cpu_seconds() - start;
    m->whole += whole.cost / whole.bound;
    m->found += found.cost / whole.bound;
    m->proven += found.cost / found.bound;
    m->n_proved += found.proved;
    m->kinds += in.n_kinds;
    for (uint32_t i = 0; i < in.n_clients; i++)
        m->reach += (double)set_count(instance_reach(&in, in.kind[i]), in.n_words) / in.n_clients;
    rc = 0;
out:
    cover_free(&whole);
    cover_free(&found);
    instance_free(&in);
    plan_free(&plan);
    return rc;
}

int main(int argc, char **argv)
{
    struct mean m = { 0 };
    int n = argc - 2;

    if (n < 1) {
        fprintf(stderr, "usage: bench-cover TITLE TOPOLOGY...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct hagg_err err = { 0 };

        if (measure(argv[i], &m, &err))
            report_die(&err);
    }
    printf("%-28s %6.1f %7.0f %10.4f %10.4f %11.5f %6u/%-3d %8.2f s\n", argv[1], m.reach / n,
           m.kinds / n, m.whole / n, m.found / n, m.proven / n, m.n_proved, n, m.seconds / n);
    return 0;
}
