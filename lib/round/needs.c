#include "round/needs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* An output file and the layer that makes it. */
struct product {
    const char *name;
    size_t layer;
};

static int compare_products(const void *left, const void *right)
{
    const struct product *a = left, *b = right;

    return strcmp(a->name, b->name);
}

/* All output files, sorted by name. The caller frees the array. */
static struct product *list_products(const struct round *r, size_t *n)
{
    struct product *products;
    size_t n_all = 0;

    for (size_t i = 0; i < r->n_layers; i++)
        for (size_t j = 0; j < r->layers[i].n; j++)
            n_all += r->layers[i].steps[j].outputs.n;
    products = calloc(n_all, sizeof *products);
    *n = 0;
    for (size_t i = 0; i < r->n_layers && products; i++)
        for (size_t j = 0; j < r->layers[i].n; j++) {
            const struct step_names *outputs = &r->layers[i].steps[j].outputs;

            for (size_t k = 0; k < outputs->n; k++)
                products[(*n)++] = (struct product){ outputs->names[k], i };
        }
    if (products)
        qsort(products, *n, sizeof *products, compare_products);
    return products;
}

static const struct product *find(const struct product *products, size_t n, const char *name)
{
    struct product wanted = { .name = name };

    return bsearch(&wanted, products, n, sizeof *products, compare_products);
}

/* Returns true if some of the steps may never be done in a node's part, while the others are: a
 * receiver may be unavailable, and a client may not send what is to be passed on. */
static bool is_partial(const struct step_layer *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->steps[i].receiver || l->steps[i].offered)
            return true;
    return false;
}

/* Marks the layers that make these files as needed by the layer. */
static void add_needs(struct round *r, size_t layer, const struct step_names *names,
                      const struct product *products, size_t n)
{
    for (size_t i = 0; i < names->n; i++) {
        const struct product *found = find(products, n, names->names[i]);

        if (found && !(r->options->node && is_partial(&r->layers[found->layer])))
            r->needs[layer][found->layer] = true;
    }
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static int add_awaited(struct round *r, const struct step_names *names,
                       const struct product *products, size_t n, size_t *capacity)
{
    for (size_t i = 0; i < names->n; i++) {
        if (find(products, n, names->names[i]))
            continue;
        if (ARRAY_RESERVE(r->awaited, r->n_awaited + 1, *capacity))
            return -1;
        r->awaited[r->n_awaited++] = names->names[i];
    }
    return 0;
}

/* Lists the files that no step makes, each once. */
static int find_awaited(struct round *r, const struct product *products, size_t n,
                        struct hagg_err *err)
{
    size_t capacity = 0, n_all;

    for (size_t i = 0; i < r->n_layers; i++)
        for (size_t j = 0; j < r->layers[i].n; j++) {
            const struct step *s = &r->layers[i].steps[j];

            if (add_awaited(r, &s->inputs, products, n, &capacity) ||
                add_awaited(r, &s->settled, products, n, &capacity) ||
                add_awaited(r, &s->expected, products, n, &capacity))
                return err_errno(err, "no memory for the files of the round");
        }
    if (r->n_awaited == 0)
        return 0;
    qsort(r->awaited, r->n_awaited, sizeof *r->awaited, compare_names);
    n_all = r->n_awaited;
    r->n_awaited = 1;
    for (size_t i = 1; i < n_all; i++)
        if (strcmp(r->awaited[i], r->awaited[r->n_awaited - 1]) != 0)
            r->awaited[r->n_awaited++] = r->awaited[i];
    return 0;
}

bool needs_awaits(const struct round *r, const char *name)
{
    return r->n_awaited > 0 &&
           bsearch(&name, r->awaited, r->n_awaited, sizeof *r->awaited, compare_names);
}

int needs_find(struct round *r, struct hagg_err *err)
{
    size_t n;
    struct product *products = list_products(r, &n);
    int status = 0;

    if (!products)
        return err_errno(err, "no memory for the files of the round");
    for (size_t i = 0; i < r->n_layers; i++)
        for (size_t j = 0; j < r->layers[i].n; j++) {
            const struct step *s = &r->layers[i].steps[j];

            add_needs(r, i, &s->inputs, products, n);
            add_needs(r, i, &s->settled, products, n);
        }
    if (r->options->node)
        status = find_awaited(r, products, n, err);
    free(products);
    return status;
}
