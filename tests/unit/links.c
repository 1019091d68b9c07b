#include "round/links.h"

#include "alloc.h"
#include "check.h"

static void finds_pairs(void)
{
    static const struct link pairs[] = { { 3, 1, 0 }, { 1, 9, 0 }, { 3, 7, 0 },
                                         { 1, 2, 0 }, { 3, 1, 0 }, { 8, 1, 0 } };
    struct hagg_err err = { 0 };
    struct links l = { 0 }, back = { 0 };
    const struct link *found;
    size_t n;

    links_sort(&l);
    found = links_of(&l, 1, &n);
    CHECK(n == 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        CHECK(links_add(&l, pairs[i].of, pairs[i].with, &err) == 0);
    links_sort(&l);
    CHECK(l.n == 5);
    found = links_of(&l, 3, &n);
    CHECK(n == 2 && found[0].with == 1 && found[1].with == 7);
    found = links_of(&l, 1, &n);
    CHECK(n == 2 && found[0].with == 2 && found[1].with == 9);
    links_of(&l, 2, &n);
    CHECK(n == 0);
    links_of(&l, 9, &n);
    CHECK(n == 0);
    CHECK(links_reverse(&l, &back, &err) == 0);
    found = links_of(&back, 1, &n);
    CHECK(n == 2 && found[0].with == 3 && found[1].with == 8);
    links_free(&l);
    links_free(&back);
}

/* The third node tells pairs apart, and is ordered last. */
static void finds_third_nodes(void)
{
    struct hagg_err err = { 0 };
    struct links l = { 0 }, back = { 0 };
    const struct link *found;
    size_t n;

    CHECK(links_add_third(&l, 2, 7, 5, &err) == 0 && links_add_third(&l, 2, 7, 3, &err) == 0);
    CHECK(links_add_third(&l, 2, 4, 9, &err) == 0 && links_add_third(&l, 2, 7, 5, &err) == 0);
    CHECK(links_add(&l, 2, 7, &err) == 0);
    links_sort(&l);
    found = links_of(&l, 2, &n);
    CHECK(n == 4 && found[0].with == 4 && found[0].third == 9);
    CHECK(n == 4 && found[1].third == 0 && found[2].third == 3 && found[3].third == 5);
    CHECK(links_reverse(&l, &back, &err) == 0);
    found = links_of(&back, 7, &n);
    CHECK(n == 3 && found[2].with == 2 && found[2].third == 5);
    links_free(&l);
    links_free(&back);
}

static void fails_without_memory(void)
{
    struct hagg_err err = { 0 };
    struct links l = { 0 };

    alloc_refuse(0);
    CHECK(links_add(&l, 1, 1, &err) == -1 && err.status == HAGG_E_SYSTEM);
    alloc_watch();
    links_free(&l);
}

int main(void)
{
    finds_pairs();
    finds_third_nodes();
    fails_without_memory();
    return check_end();
}
