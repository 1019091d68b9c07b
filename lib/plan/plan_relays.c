#include "plan/plan_relays.h"

#include <string.h>

static const struct topology_list *reached_by(const struct plan_relays_input *in, uint32_t i)
{
    return &in->topology->station_via[in->stations[i] - 1];
}

static bool is_present(const struct plan_relays_input *in, uint32_t i)
{
    return !in->missing || !in->missing[i];
}

static bool has_relay(const struct plan_relays_input *in, uint32_t relay)
{
    return !in->missing_on || !in->missing_on[relay];
}

static bool reaches(const struct plan_relays_input *in, uint32_t i, uint32_t relay)
{
    const struct topology_list *via = reached_by(in, i);

    for (size_t j = 0; j < via->n; j++)
        if (via->numbers[j] == relay)
            return true;
    return false;
}

/* Adds the rows of a station without a relay to all relays that it could use, or takes them away.
 */
static void weigh(const struct plan_relays_input *in, uint32_t i, bool take_away, uint64_t *weights)
{
    const struct topology_list *via = reached_by(in, i);
    uint64_t n_rows = in->n_rows[i];

    for (size_t j = 0; j < via->n; j++)
        weights[via->numbers[j]] += take_away ? -n_rows : n_rows;
}

/* Returns the relay that is present and could get the most rows, the first of several; 0 if none
 * would combine them. */
static uint32_t heaviest(const struct plan_relays_input *in, const uint64_t *weights)
{
    uint32_t best = 0;

    for (uint32_t m = 1; m <= in->topology->n_relays; m++)
        if (has_relay(in, m) && weights[m] > in->n_segments &&
            (best == 0 || weights[m] > weights[best]))
            best = m;
    return best;
}

/* One relay after the other gets all stations that reach it and have no relay yet, as long as this
 * makes the messages to the federator shorter. */
static void choose_combining(const struct plan_relays_input *in, uint32_t *of, bool *combines,
                             uint64_t *weights)
{
    uint32_t relay;

    memset(weights, 0, (in->topology->n_relays + (size_t)1) * sizeof *weights);
    for (uint32_t i = 0; i < in->n; i++)
        if (is_present(in, i))
            weigh(in, i, false, weights);
    while ((relay = heaviest(in, weights)) > 0) {
        combines[relay] = true;
        for (uint32_t i = 0; i < in->n; i++) {
            if (of[i] > 0 || !is_present(in, i) || !reaches(in, i, relay))
                continue;
            of[i] = relay;
            weigh(in, i, true, weights);
        }
    }
}

void plan_relays_choose(const struct plan_relays_input *in, uint32_t *of, bool *combines,
                        uint64_t *weights)
{
    memset(of, 0, in->n * sizeof *of);
    memset(combines, 0, (in->topology->n_relays + (size_t)1) * sizeof *combines);
    if (in->may_combine)
        choose_combining(in, of, combines, weights);
    /* the others take turns; if a relay is missing, its stations use the next one they reach */
    for (uint32_t i = 0; i < in->n; i++) {
        const struct topology_list *via = reached_by(in, i);

        for (size_t j = 0; j < via->n && of[i] == 0; j++)
            if (has_relay(in, via->numbers[(i + j) % via->n]))
                of[i] = via->numbers[(i + j) % via->n];
    }
}
