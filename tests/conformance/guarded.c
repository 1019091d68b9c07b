#include "guarded.h"

#include <err.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Number of guard bytes before a vector; after it, the rest of the last page. */
#define MARGIN 128

#define AROUND 0xa5
#define FRESH  0x5a

static void map(struct guarded *g, size_t n_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    g->map_bytes = (n_bytes + page - 1) / page * page;
    g->map =
        mmap(NULL, g->map_bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g->map == MAP_FAILED || mprotect(g->map + g->map_bytes, page, PROT_NONE) != 0)
        err(1, "cannot map %zu bytes", g->map_bytes);
}

void guarded_free(struct guarded *g)
{
    if (g->map)
        munmap(g->map, g->map_bytes + (size_t)sysconf(_SC_PAGESIZE));
    *g = (struct guarded){ 0 };
}

unsigned char *guarded_place(struct guarded *g, size_t len_bytes, size_t shift)
{
    unsigned char *end;

    if (MARGIN + len_bytes + shift > g->map_bytes) {
        guarded_free(g);
        map(g, MARGIN + len_bytes + shift);
    }
    end = g->map + g->map_bytes;
    g->data = end - shift - len_bytes;
    g->len_bytes = len_bytes;
    memset(g->data - MARGIN, AROUND, MARGIN);
    memset(g->data, FRESH, len_bytes);
    memset(end - shift, AROUND, shift);
    return g->data;
}

bool guarded_intact(const struct guarded *g)
{
    const unsigned char *end = g->map + g->map_bytes;

    for (const unsigned char *p = g->data - MARGIN; p < g->data; p++)
        if (*p != AROUND)
            return false;
    for (const unsigned char *p = g->data + g->len_bytes; p < end; p++)
        if (*p != AROUND)
            return false;
    return true;
}
