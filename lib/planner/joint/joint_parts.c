#include "joint_parts.h"

#include <stdlib.h>
#include <string.h>

#define HAS_DENSE (JOINT_PARTS_NONE - 1) /* of a component: a part of it is dense */

int joint_parts_new(struct joint_parts *p, const struct choice *c, struct hagg_err *err)
{
    size_t n = 2 * (size_t)c->room;

    *p = (struct joint_parts){ .c = c };
    p->of = malloc(n * sizeof *p->of);
    p->parts = malloc(n * sizeof *p->parts);
    p->parent = malloc(n * sizeof *p->parent);
    p->label = malloc(n * sizeof *p->label);
    p->inner = malloc(n * sizeof *p->inner);
    if (p->of && p->parts && p->parent && p->label && p->inner)
        return 0;
    joint_parts_free(p);
    return err_errno(err, "planning for full collusion");
}

void joint_parts_free(struct joint_parts *p)
{
    free(p->of);
    free(p->parts);
    free(p->parent);
    free(p->label);
    free(p->inner);
    *p = (struct joint_parts){ 0 };
}

static uint32_t add_part(struct joint_parts *p, bool dense)
{
    p->parts[p->n] = (struct joint_part){ .dense = dense };
    return p->n++;
}

/* Counts in inner the clients within each class, and puts components into parent. Vertices are
 * numbered as collusion_classes does, those of the second side after all of the first. */
static void count_clients(struct joint_parts *p, const struct collusion_edge *edges)
{
    uint32_t room = p->c->room;

    memset(p->inner, 0, 2 * (size_t)room * sizeof *p->inner);
    for (uint32_t v = 0; v < 2 * room; v++)
        p->parent[v] = v;
    for (uint32_t i = 0; i < p->c->in->n_clients; i++) {
        uint32_t y = edges[i].y, x = edges[i].x + room;

        p->inner[p->label[y]] += p->label[y] == p->label[x];
        p->parent[joint_parts_root(p->parent, y)] = joint_parts_root(p->parent, x);
    }
}

/* First the dense parts, by class; then components in which nothing has a part. */
static void number_parts(struct joint_parts *p, uint32_t *of_class, uint32_t *of_component)
{
    const struct choice *c = p->c;
    uint32_t n_vertices = 2 * c->room;

    p->n = 0;
    memset(p->of, 0xff, n_vertices * sizeof *p->of);
    for (uint32_t v = 0; v < n_vertices; v++) {
        uint32_t class = p->label[v];

        if (p->inner[class] == 0)
            continue;
        if (of_class[class] == JOINT_PARTS_NONE)
            of_class[class] = add_part(p, true);
        of_component[joint_parts_root(p->parent, v)] = HAS_DENSE;
    }
    for (uint32_t v = 0; v < n_vertices; v++) {
        unsigned side = v >= c->room;
        uint32_t group = v - side * c->room, r = joint_parts_root(p->parent, v);
        uint32_t *part = &p->of[choice_vertex(side, group)];

        if (c->side[side].clients[group] == 0)
            continue;
        if (p->inner[p->label[v]] > 0) {
            *part = of_class[p->label[v]];
        } else if (of_component[r] != HAS_DENSE) {
            if (of_component[r] == JOINT_PARTS_NONE)
                of_component[r] = add_part(p, false);
            *part = of_component[r];
        }
    }
}

int joint_parts_find(struct joint_parts *p, struct hagg_err *err)
{
    const struct choice *c = p->c;
    uint32_t n = c->in->n_clients, n_classes;
    size_t n_vertices = 2 * (size_t)c->room;
    struct collusion_edge *edges = malloc(n * sizeof *edges);
    uint32_t *numbers = malloc(2 * n_vertices * sizeof *numbers);
    int status = -1;

    if (!edges || !numbers) {
        err_errno(err, "planning for full collusion");
        goto out;
    }
    for (uint32_t i = 0; i < n; i++)
        edges[i] = (struct collusion_edge){ c->side[0].of[i], c->side[1].of[i] };
    status = collusion_classes(edges, n, c->room, c->room, c->z, p->label, &n_classes, err);
    if (status != 0)
        goto out;
    count_clients(p, edges);
    memset(numbers, 0xff, 2 * n_vertices * sizeof *numbers);
    number_parts(p, numbers, numbers + n_vertices);
out:
    free(edges);
    free(numbers);
    return status;
}
