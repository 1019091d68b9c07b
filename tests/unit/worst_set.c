#include "audit/worst_set.h"

#include <stdlib.h>

#include "audit/sets.h"
#include "base/splitmix.h"
#include "check.h"

#define MAX_CLASSES 6u
#define MAX_SIZE    5u

static uint64_t state = 3;

static uint32_t below(uint32_t n)
{
    return splitmix_below(&state, n);
}

static uint64_t weigh(const struct worst_set_class *classes, size_t n_classes, const uint32_t *set,
                      uint32_t size)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n_classes; i++) {
        uint32_t count = 0;

        for (uint32_t j = 0; j < size; j++)
            for (uint32_t k = 0; k < classes[i].n_stations; k++)
                count += classes[i].stations[k] == set[j];
        sum += classes[i].weights[count];
    }
    return sum;
}

/* The set that is found weighs as much as the heaviest of all. */
static void finds(void)
{
    uint32_t n = 2 + below(7), size = 1 + below(n < MAX_SIZE ? n : MAX_SIZE);
    uint32_t stations[MAX_CLASSES][16], set[MAX_SIZE], n_classes = 1 + below(MAX_CLASSES);
    uint64_t weights[MAX_CLASSES][MAX_SIZE + 1], most = 0, found;
    struct worst_set_class classes[MAX_CLASSES];
    struct hagg_err err = { 0 };
    bool exact;

    for (uint32_t i = 0; i < n_classes; i++) {
        uint64_t weight = 0;
        uint32_t k = 0, hidden = below(size + 1);

        for (uint32_t u = 1; u <= n; u++)
            if (below(2))
                stations[i][k++] = u;
        for (uint32_t a = 0; a <= size; a++)
            weights[i][a] = weight += a > hidden ? below(9) : 0;
        classes[i] = (struct worst_set_class){ stations[i], k, weights[i] };
    }
    for (uint64_t i = 0; i < sets_choose(n, size); i++) {
        uint64_t weight;

        sets_unrank(i, n, size, set);
        for (uint32_t j = 0; j < size; j++)
            set[j]++;
        weight = weigh(classes, n_classes, set, size);
        most = weight > most ? weight : most;
    }
    CHECK(worst_set_find(classes, n_classes, n, size, set, &found, &exact, &err) == 0);
    CHECK(exact && found == most && weigh(classes, n_classes, set, size) == most);
    for (uint32_t j = 0; j < size; j++)
        CHECK(set[j] >= 1 && set[j] <= n && (j == 0 || set[j] > set[j - 1]));
}

/* A search that takes too long ends with an upper bound. */
static void gives_up(void)
{
    enum { STATIONS = 60, CLASSES = 2000, SIZE = 12, HELD = 20 };
    struct worst_set_class *classes = calloc(CLASSES, sizeof *classes);
    uint32_t(*stations)[HELD] = calloc(CLASSES, sizeof *stations), set[SIZE];
    uint64_t weights[SIZE + 1] = { 0 }, found, some = 0;
    struct hagg_err err = { 0 };
    bool exact;

    for (uint32_t a = 4; a <= SIZE; a++)
        weights[a] = a - 3;
    for (uint32_t i = 0; i < CLASSES; i++) {
        uint32_t k = 0;

        for (uint32_t u = 1; u <= STATIONS; u++)
            if (k < HELD && below(STATIONS + 1 - u) < HELD - k)
                stations[i][k++] = u;
        classes[i] = (struct worst_set_class){ stations[i], k, weights };
    }
    CHECK(worst_set_find(classes, CLASSES, STATIONS, SIZE, set, &found, &exact, &err) == 0);
    CHECK(!exact);
    for (uint32_t i = 0; i < 200; i++) {
        uint64_t weight;

        for (uint32_t j = 0; j < SIZE; j++)
            set[j] = 1 + j * (STATIONS / SIZE) + below(STATIONS / SIZE);
        weight = weigh(classes, CLASSES, set, SIZE);
        some = weight > some ? weight : some;
    }
    CHECK(some > 0 && some <= found && found <= (uint64_t)CLASSES * weights[SIZE]);
    free(classes);
    free(stations);
}

int main(void)
{
    for (int i = 0; i < 500; i++)
        finds();
    gives_up();
    return check_end();
}
