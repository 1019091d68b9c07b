#include "round/needs.h"

#include <stdlib.h>
#include <string.h>

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

/* Marks the layers that make these files as needed by the layer. */
static void add_needs(struct round *r, size_t layer, const struct step_names *names,
                      const struct product *products, size_t n)
{
    for (size_t i = 0; i < names->n; i++) {
        struct product wanted = { .name = names->names[i] };
        const struct product *found =
            bsearch(&wanted, products, n, sizeof *products, compare_products);

        if (found)
            r->needs[layer][found->layer] = true;
    }
}

int needs_find(struct round *r, struct hagg_err *err)
{
    size_t n;
    struct product *products = list_products(r, &n);

    if (!products)
        return err_errno(err, "no memory for the files of the round");
    for (size_t i = 0; i < r->n_layers; i++)
        for (size_t j = 0; j < r->layers[i].n; j++) {
            const struct step *s = &r->layers[i].steps[j];

            add_needs(r, i, &s->inputs, products, n);
            add_needs(r, i, &s->settled, products, n);
        }
    free(products);
    return 0;
}
