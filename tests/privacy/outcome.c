#include "outcome.h"

#include <string.h>

void outcome_set_inputs(const struct instance *in, size_t number, struct view_outcome *o)
{
    for (size_t i = 0; i < in->n_clients; i++, number /= in->n_inputs)
        o->inputs[i] = number % in->n_inputs;
}

size_t outcome_count_inputs(const struct instance *in)
{
    size_t n = 1;

    for (size_t i = 0; i < in->n_clients; i++)
        n *= in->n_inputs;
    return n;
}

bool outcome_next_points(const struct instance *in, unsigned fixed, struct view_outcome *o)
{
    for (size_t i = 0; i < in->n_clients; i++) {
        if (fixed >> i & 1)
            continue;
        if (++o->points[i] < in->clients[i].n_points)
            return true;
        o->points[i] = 0;
    }
    return false;
}

size_t outcome_class(const struct instance *in, const struct observer *who, size_t inputs)
{
    struct view_outcome o;
    size_t class = 0;

    outcome_set_inputs(in, inputs, &o);
    for (size_t i = 0; i < in->n_clients; i++)
        if (who->clients >> i & 1)
            class = class * in->n_inputs + o.inputs[i];
    for (size_t e = 0; e < in->length && who->federator; e++) {
        size_t sum = 0;

        for (size_t i = 0; i < in->n_clients; i++)
            if (!(who->clients >> i & 1))
                sum += (size_t)(instance_input(in, o.inputs[i], e) + (int)in->max_int);
        class = class * (2 * in->max_int * in->n_clients + 1) + sum;
    }
    return class;
}

int outcome_is_real(const struct instance *in, const struct view_outcome *o,
                    const struct view_outcome *before, struct hagg_err *err)
{
    static const char *const names[] = { "one", "two", "three" };
    uint8_t total[INSTANCE_LENGTH];
    struct view computed, real;

    for (size_t i = 0; i < in->n_clients; i++)
        if ((!before || before->inputs[i] != o->inputs[i] || before->points[i] != o->points[i]) &&
            instance_run_client(in, i, o->inputs[i], o->points[i], names[i], err))
            return -1;
    if (view_observe(in, names, &real, total, err))
        return -1;
    view_compute(in, o, &computed);
    if (memcmp(&computed, &real, sizeof real))
        return err_set(err, HAGG_E_MISMATCH, "the stations send other sums");
    for (size_t e = 0; e < in->length; e++) {
        int sum = 0;

        for (size_t i = 0; i < in->n_clients; i++)
            sum += instance_input(in, o->inputs[i], e);
        if (total[e] != (unsigned)(sum + (int)in->p) % in->p)
            return err_set(err, HAGG_E_MISMATCH, "the total is wrong");
    }
    return 0;
}
