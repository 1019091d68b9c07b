#include "prng.h"

#include <string.h>

uint64_t prng_next(struct prng *g)
{
    uint64_t x = g->state += 0x9e3779b97f4a7c15;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

uint64_t prng_below(struct prng *g, uint64_t bound)
{
    uint64_t rest = -bound % bound, x; /* 2^64 mod bound: the number of surplus values */

    do
        x = prng_next(g);
    while (x < rest);
    return x % bound;
}

void prng_bytes(struct prng *g, void *out, size_t len_bytes)
{
    unsigned char *o = out;

    while (len_bytes > 0) {
        uint64_t x = prng_next(g);
        size_t len = len_bytes < sizeof x ? len_bytes : sizeof x;

        memcpy(o, &x, len);
        o += len;
        len_bytes -= len;
    }
}
