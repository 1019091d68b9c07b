#include "planner/aligned/selection.h"

#include <stdlib.h>
#include <string.h>

int selection_new(struct selection *s, const struct network *net, struct hagg_err *err)
{
    size_t n = 0;

    *s = (struct selection){
        .net = net,
        .parts = calloc(net->n_classes, sizeof *s->parts),
        .begins = calloc(net->n_classes + (size_t)1, sizeof *s->begins),
        .ranked = calloc(net->n_stations + (size_t)1, sizeof *s->ranked),
    };
    for (uint32_t c = 0; c < net->n_classes && s->begins; c++)
        s->begins[c + 1] = n += network_reach(net, c)->n;
    s->stations = calloc(n, sizeof *s->stations);
    if (!s->parts || !s->begins || !s->stations || !s->ranked) {
        selection_free(s);
        return err_errno(err, "no memory to plan");
    }
    for (uint32_t c = 0; c < net->n_classes; c++) {
        const struct topology_list *reach = network_reach(net, c);

        s->parts[c] = network_most_parts(net, c);
        memcpy(selection_stations(s, c), reach->numbers, reach->n * sizeof *reach->numbers);
    }
    return 0;
}

void selection_free(struct selection *s)
{
    free(s->parts);
    free(s->begins);
    free(s->stations);
    free(s->ranked);
    *s = (struct selection){ 0 };
}

void selection_copy(struct selection *to, const struct selection *from)
{
    uint32_t n = from->net->n_classes;

    memcpy(to->parts, from->parts, n * sizeof *to->parts);
    memcpy(to->stations, from->stations, from->begins[n] * sizeof *to->stations);
}
