/*
 * Measures the cost of plans for full collusion by effort: for each level the mean cost of the
 * choices, in multiples of the largest lower bound that any level proved, and the number of
 * topologies for which a private choice was found.
 *   bench-joint MOST TITLE TOPOLOGY...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "planner/joint/joint.h"
#include "report.h"

struct level {
    double ratio, seconds; /* sums */
    unsigned n_found;
};

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The costs at levels 1 to most, INFINITY if no private choice was found, and the best bound. */
static int choose(const struct instance *in, const struct plan *plan, unsigned most,
                  struct level *levels, double *costs, double *bound, struct hagg_err *err)
{
    *bound = 0;
    for (unsigned l = 1; l <= most; l++) {
        struct joint joint;
        struct effort e;
        double start = cpu_seconds();
        int status;

        effort_start(&e, l, 1, 0, NULL);
        status =
            joint_find(in, COLLUSION_EXACT, &e, plan->name, plan->topology.clients, &joint, err);
        levels[l].seconds += cpu_seconds() - start;
        if (status && err->status != HAGG_E_PRIVACY)
            return -1;
        costs[l] = status ? INFINITY : joint.cost;
        if (status)
            continue;
        *bound = fmax(*bound, joint.bound);
        joint_free(&joint);
    }
    return 0;
}

static int measure(const char *path, unsigned most, struct level *levels, struct hagg_err *err)
{
    struct plan plan = { 0 };
    struct instance in = { 0 };
    double costs[EFFORT_MOST + 1], bound;
    int status = -1;

    if (plan_load_to_choose(&plan, path, err) == 0 && instance_new(&in, &plan, err) == 0)
        status = choose(&in, &plan, most, levels, costs, &bound, err);
    for (unsigned l = 1; l <= most && status == 0; l++)
        if (!isinf(costs[l])) {
            levels[l].ratio += costs[l] / bound;
            levels[l].n_found++;
        }
    instance_free(&in);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct level levels[EFFORT_MOST + 1] = { 0 };
    unsigned most = argc > 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;

    if (most < 1 || most > EFFORT_MOST) {
        fprintf(stderr, "usage: bench-joint MOST TITLE TOPOLOGY...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        struct hagg_err err = { 0 };

        if (measure(argv[i], most, levels, &err))
            report_die(&err);
    }
    for (unsigned l = 1; l <= most; l++) {
        printf("%-36s %6u ", argv[2], l);
        if (levels[l].n_found > 0)
            printf("%10.5f", levels[l].ratio / levels[l].n_found);
        else
            printf("%10s", "-");
        printf(" %6u/%-3d %8.2f s\n", levels[l].n_found, argc - 3, levels[l].seconds / (argc - 3));
    }
    return 0;
}
