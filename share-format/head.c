#include "head.h"

int head_read(struct head *h, const uint8_t *bytes, size_t n)
{
    unsigned info;

    if (n == 0)
        return 0;
    h->major = (enum head_major)(bytes[0] >> 5);
    info = bytes[0] & 0x1f;
    if (info < 24) {
        h->value = info;
        h->len_bytes = 1;
        return 1;
    }
    if (info > 27)
        return -1;
    h->len_bytes = 1 + ((size_t)1 << (info - 24));
    if (n < h->len_bytes)
        return 0;
    h->value = 0;
    for (size_t i = 1; i < h->len_bytes; i++)
        h->value = h->value << 8 | bytes[i];
    return 1;
}

size_t head_shortest(uint64_t value)
{
    if (value < 24)
        return 1;
    if (value <= UINT8_MAX)
        return 2;
    if (value <= UINT16_MAX)
        return 3;
    return value <= UINT32_MAX ? 5 : 9;
}
