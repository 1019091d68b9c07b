#include "base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "alloc.h"
#include "check.h"

struct triple {
    uint64_t a, b, c;
};

static void grows_by_doubling(void)
{
    struct triple *t = NULL;
    size_t capacity = 0, n_times = 0;

    alloc_watch();
    for (size_t i = 0; i < 100000; i++) {
        size_t before = capacity;

        if (!CHECK(ARRAY_RESERVE(t, i + 1, capacity) == 0 && capacity > i))
            break;
        if (capacity != before) {
            CHECK(i == before && capacity >= 2 * before);
            n_times++;
        }
        t[i] = (struct triple){ i, 3 * i, ~i };
    }
    for (size_t i = 0; i < 100000; i++)
        if (!CHECK(t[i].a == i && t[i].b == 3 * i && t[i].c == ~i))
            break;
    CHECK(n_times <= 17);
    /* each array is at most half as large as the next, and the last at most twice as large as
     * needed */
    CHECK(alloc_bytes() >= 100000 * sizeof *t && alloc_bytes() < 400100 * sizeof *t);
    free(t);
}

static void reserves_many_at_once(void)
{
    unsigned char *bytes = NULL;
    size_t capacity = 0;

    alloc_watch();
    CHECK(ARRAY_RESERVE(bytes, 0, capacity) == 0 && !bytes && capacity == 0);
    CHECK(alloc_bytes() == 0);
    CHECK(ARRAY_RESERVE(bytes, 1000, capacity) == 0 && bytes && capacity == 1000);
    CHECK(alloc_bytes() == 1000);
    CHECK(ARRAY_RESERVE(bytes, 1000, capacity) == 0 && capacity == 1000);
    CHECK(alloc_bytes() == 1000);
    CHECK(ARRAY_RESERVE(bytes, 1001, capacity) == 0 && capacity >= 2000);
    free(bytes);
}

/* Checks that the array is unchanged and can still grow. */
static void check_unchanged(uint32_t *items, const uint32_t *before, size_t capacity, size_t n)
{
    CHECK(errno == ENOMEM);
    CHECK(items == before && capacity == n);
    for (size_t i = 0; i < n; i++)
        CHECK(items[i] == 7 * i);
    CHECK(ARRAY_RESERVE(items, n + 1, capacity) == 0 && capacity > n &&
          items[n - 1] == 7 * (n - 1));
    free(items);
}

static uint32_t *five(size_t *capacity)
{
    uint32_t *items = NULL;

    *capacity = 0;
    CHECK(ARRAY_RESERVE(items, 5, *capacity) == 0 && *capacity == 5);
    for (uint32_t i = 0; i < 5; i++)
        items[i] = 7 * i;
    return items;
}

static void survives_refused_memory(void)
{
    size_t capacity;
    uint32_t *items = five(&capacity), *before = items, *none = NULL;

    alloc_refuse(0);
    errno = 0;
    CHECK(ARRAY_RESERVE(items, 6, capacity) == -1 && alloc_refused());
    check_unchanged(items, before, capacity, 5);

    capacity = 0;
    alloc_refuse(0);
    CHECK(ARRAY_RESERVE(none, 1, capacity) == -1 && !none && capacity == 0);
    alloc_watch();
}

static void refuses_sizes_that_overflow(void)
{
    /* the second is 4 bytes modulo 2^64 */
    const size_t sizes[] = { SIZE_MAX, SIZE_MAX / sizeof(uint32_t) + 2, SIZE_MAX / 2 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t capacity;
        uint32_t *items = five(&capacity), *before = items;

        errno = 0;
        CHECK(ARRAY_RESERVE(items, sizes[i], capacity) == -1);
        check_unchanged(items, before, capacity, 5);
    }
}

/* With a capacity whose double overflows, the array must not become smaller. */
static void never_shrinks_when_the_double_overflows(void)
{
    const size_t capacities[] = { SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1 };

    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        unsigned char *bytes = NULL;
        size_t capacity = capacities[i];

        errno = 0;
        CHECK(ARRAY_RESERVE(bytes, capacity + 1, capacity) == -1 && errno == ENOMEM);
        CHECK(!bytes && capacity == capacities[i]);
    }
}

int main(void)
{
    grows_by_doubling();
    reserves_many_at_once();
    survives_refused_memory();
    refuses_sizes_that_overflow();
    never_shrinks_when_the_double_overflows();
    return check_end();
}
