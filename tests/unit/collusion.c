#include "plan/collusion.h"

#include "alloc.h"
#include "check.h"
#include "collusion_instance.h"

/* Nobody is exposed, but without the colluders a group becomes empty. */
static void check_paper_cut(const struct instance *in, uint32_t z, const struct collusion_cut *cut)
{
    uint64_t colluders = set_of(cut->colluders, cut->n_colluders);
    bool emptied = false;

    CHECK(cut->n_colluders <= z && cut->n_colluders > 0);
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t y = 0, x = 0;

        for (uint32_t j = 0; j < in->n; j++) {
            y |= (uint64_t)(in->edges[i].y == in->edges[j].y) << j;
            x |= (uint64_t)(in->edges[i].x == in->edges[j].x) << j;
        }
        emptied = emptied || (y & ~colluders) == 0 || (x & ~colluders) == 0;
    }
    CHECK(emptied);
}

/* Returns the codeword of a set of groups: one bit per client. */
static unsigned codeword(const struct instance *in, unsigned set, bool of_y)
{
    unsigned word = 0;

    for (uint32_t i = 0; i < in->n; i++)
        word |= (set >> (of_y ? in->edges[i].y : in->edges[i].x) & 1) << i;
    return word;
}

/* Computes the paper's distance of the two codes: the minimum over all pairs of codewords that are
 * not both zero or both all ones. */
static unsigned distance(const struct instance *in)
{
    unsigned ones = (1u << in->n) - 1, least = in->n;

    for (unsigned u = 0; u < 1u << in->n_y; u++)
        for (unsigned w = 0; w < 1u << in->n_x; w++) {
            unsigned c1 = codeword(in, u, true), c2 = codeword(in, w, false);
            unsigned weight = (unsigned)__builtin_popcount(c1 ^ c2);

            if (((c1 != 0 && c1 != ones) || c1 != c2) && weight < least)
                least = weight;
        }
    return least;
}

static void agrees_with_the_distance_of_codes(void)
{
    unsigned seen[SMALL + 1] = { 0 };

    for (int round = 0; round < 1000; round++) {
        struct collusion_cut cut;
        struct instance in;
        unsigned d;

        draw(&in, SMALL, 5);
        d = distance(&in);
        seen[d]++;
        CHECK(strength(&in, COLLUSION_PAPER, SMALL + 3) == (int64_t)d - 1);
        for (uint32_t z = 0; z < SMALL + 3; z++) {
            CHECK(private(&in, z, COLLUSION_PAPER, &cut) == (d >= 1 + z));
            if (d >= 1 + z)
                CHECK(cut.n_colluders == 0 && cut.colluders == NULL && cut.exposed == NULL);
            else if (private(&in, z, COLLUSION_EXACT, NULL) == 1)
                check_paper_cut(&in, z, &cut);
            else
                check_cut(&in, z, &cut);
            CHECK(private(&in, z, COLLUSION_EXACT, NULL) >= (d >= 1 + z));
            collusion_cut_free(&cut);
        }
    }
    CHECK(seen[0] > 50 && seen[1] > 50 && seen[2] > 20 && seen[3] > 5);
}

/* Counts the clients between vertices in the set and vertices outside. */
static uint32_t clients_cut(const struct instance *in, unsigned set, uint32_t n_in[2])
{
    uint32_t n_cut = 0;

    n_in[0] = n_in[1] = 0;
    for (uint32_t i = 0; i < in->n; i++) {
        unsigned y = set >> in->edges[i].y & 1, x = set >> (in->n_y + in->edges[i].x) & 1;

        if (y != x)
            n_cut++;
        else
            n_in[y]++;
    }
    return n_cut;
}

static void check_classes(const struct instance *in, uint32_t z, const unsigned *apart)
{
    uint32_t label[2 * GROUPS], n_classes, n_seen = 0;
    struct hagg_err err = { 0 };

    CHECK(collusion_classes(in->edges, in->n, in->n_y, in->n_x, z, label, &n_classes, &err) == 0);
    for (uint32_t v = 0; v < in->n_y + in->n_x; v++) {
        CHECK(label[v] <= n_seen);
        n_seen += label[v] == n_seen;
        for (uint32_t w = 0; w < v; w++)
            CHECK((label[v] == label[w]) == !(apart[v] >> w & 1));
    }
    CHECK(n_classes == n_seen);
}

/* Divides the groups into two halves, with only a few clients between them, so that only larger
 * cuts leak. */
static void draw_halves(struct instance *in)
{
    uint32_t renumber[GROUPS] = { 0 }, n_between = 1 + below(10);

    for (uint32_t i = 0; i < GROUPS; i++) {
        uint32_t at = below(i + 1);

        renumber[i] = renumber[at];
        renumber[at] = i;
    }
    in->n_y = in->n_x = GROUPS;
    in->n = 18 + below(CLIENTS - 17);
    for (uint32_t i = 0; i < in->n; i++) {
        uint32_t y = i % GROUPS, half = GROUPS / 2, x = i / GROUPS % half + (y < half ? 0 : half);

        if (i + n_between >= in->n)
            x = (x + half) % GROUPS;
        in->edges[i] = (struct collusion_edge){ renumber[y], renumber[x] };
    }
}

/* All divisions of the groups, for more clients and larger z than in the tests above. */
static void agrees_with_all_divisions(void)
{
    for (int round = 0; round < 400; round++) {
        uint32_t z = below(12), fewest = CLIENTS + 1;
        unsigned apart[2 * GROUPS] = { 0 };
        struct collusion_cut cut;
        struct instance in;

        if (round % 2)
            draw(&in, CLIENTS, GROUPS);
        else
            draw_halves(&in);
        for (unsigned set = 0; set < 1u << (in.n_y + in.n_x); set++) {
            uint32_t n_in[2], n_cut = clients_cut(&in, set, n_in);

            if (n_in[0] > 0 && n_in[1] > 0 && n_cut < fewest)
                fewest = n_cut;
            for (uint32_t v = 0; n_cut <= z && v < in.n_y + in.n_x; v++)
                apart[v] |= set >> v & 1 ? ~set : set;
        }
        CHECK(strength(&in, COLLUSION_EXACT, CLIENTS) == (int64_t)fewest - 1);
        CHECK(strength(&in, COLLUSION_EXACT, UINT32_MAX) ==
              (fewest > CLIENTS ? UINT32_MAX : (int64_t)fewest - 1));
        check_classes(&in, z, apart);
        for (z = 0; z <= in.n; z++) {
            CHECK(private(&in, z, COLLUSION_EXACT, &cut) == (z < fewest));
            if (z >= fewest)
                check_cut(&in, z, &cut);
            collusion_cut_free(&cut);
        }
    }
}

/* The sets of the paper's example, and the cheapest for it that are private. */
static const struct instance paper_plan = {
    { { 0, 2 }, { 0, 0 }, { 1, 0 }, { 1, 1 }, { 2, 1 }, { 2, 2 } }, 6, 3, 3
};
static const struct instance cheapest_plan = {
    { { 0, 0 }, { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 2 } }, 6, 2, 3
};

static void knows_the_example(void)
{
    struct collusion_cut cut;

    CHECK(private(&paper_plan, 1, COLLUSION_PAPER, NULL) == 1);
    CHECK(private(&paper_plan, 1, COLLUSION_EXACT, NULL) == 1);
    CHECK(private(&paper_plan, 2, COLLUSION_EXACT, NULL) == 0);
    CHECK(private(&paper_plan, UINT32_MAX, COLLUSION_EXACT, NULL) == 0);
    CHECK(private(&paper_plan, UINT32_MAX, COLLUSION_PAPER, NULL) == 0);
    CHECK(private(&cheapest_plan, 1, COLLUSION_EXACT, &cut) == 1);
    CHECK(private(&cheapest_plan, 1, COLLUSION_PAPER, &cut) == 0);
    CHECK(cut.n_exposed == 0 && cut.n_colluders == 1 && cut.colluders[0] == 5);
    collusion_cut_free(&cut);
    CHECK(private(&cheapest_plan, 2, COLLUSION_PAPER, &cut) == 0);
    check_cut(&cheapest_plan, 2, &cut);
    collusion_cut_free(&cut);
}

static void takes_no_clients(void)
{
    static const struct instance empty[] = { { .n = 0 }, { .n_y = 2, .n_x = 1 } };
    uint32_t label[3], n_classes = 9;
    struct hagg_err err = { 0 };

    for (int i = 0; i < 2; i++)
        for (uint32_t z = 0; z < 2; z++) {
            CHECK(private(&empty[i], z, COLLUSION_EXACT, NULL) == 1);
            CHECK(private(&empty[i], z, COLLUSION_PAPER, NULL) == 1);
        }
    CHECK(strength(&empty[1], COLLUSION_EXACT, 4) == 4);
    CHECK(collusion_classes(NULL, 0, 2, 1, 0, label, &n_classes, &err) == 0);
    CHECK(n_classes == 3 && label[0] == 0 && label[1] == 1 && label[2] == 2);
}

static void fails_cleanly_without_memory(void)
{
    const struct instance *in = &paper_plan;
    uint32_t label[6], n_classes;
    struct collusion_cut cut;
    struct hagg_err err;
    int status = -1;
    unsigned long at;
    int64_t z;

    for (at = 0; status < 0 && at < 100; at++) {
        err = (struct hagg_err){ 0 };
        alloc_refuse(at);
        status = collusion_private(in->edges, in->n, 3, 3, 2, COLLUSION_EXACT, &cut, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        if (status < 0)
            CHECK(cut.colluders == NULL && cut.exposed == NULL);
        collusion_cut_free(&cut);
    }
    CHECK(at > 5);
    alloc_refuse(0);
    CHECK(collusion_strength(in->edges, in->n, 3, 3, COLLUSION_EXACT, 2, &z, &err) == -1);
    CHECK_STR(err.text, "no memory for a graph of 6 clients: Cannot allocate memory");
    alloc_refuse(0);
    CHECK(collusion_classes(in->edges, in->n, 3, 3, 2, label, &n_classes, &err) == -1);
    alloc_watch();
}

int main(void)
{
    agrees_with_the_distance_of_codes();
    agrees_with_all_divisions();
    knows_the_example();
    takes_no_clients();
    fails_cleanly_without_memory();
    return check_end();
}
