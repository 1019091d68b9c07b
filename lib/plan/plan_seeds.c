#include "plan/plan_seeds.h"

#include "plan/plan_identities.h"

bool plan_is_seed(const struct topology_group *g, const struct topology_list *stations, uint32_t z,
                  size_t index)
{
    bool reached = g->reach.n == 0 || topology_reaches(g, stations->numbers[index]);
    size_t before = 0; /* shares that are preferred to this one */

    if (!g->computational)
        return false;
    if (g->reach.n == 0)
        return index + z >= stations->n;
    for (size_t i = 0; i < stations->n; i++) {
        bool other_reached = topology_reaches(g, stations->numbers[i]);

        before += reached ? !other_reached || i > index : !other_reached && i < index;
    }
    return before < z;
}

int plan_seeds_check(const struct plan *p, struct hagg_err *err)
{
    if (plan_identities_given(p))
        return 0;
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: seeds must be sealed: add a line identities FILE to the topology", p->name);
}
