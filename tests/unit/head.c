#include "head.h"

#include "check.h"
#include "hex.h"

/* Heads from RFC 8949, appendix A, and the borders between the widths. */
static const struct {
    const char *hex;
    enum head_major major;
    uint64_t value;
} examples[] = {
    { "00", HEAD_UINT, 0 },
    { "17", HEAD_UINT, 23 },
    { "1818", HEAD_UINT, 24 },
    { "18ff", HEAD_UINT, 255 },
    { "190100", HEAD_UINT, 256 },
    { "1903e8", HEAD_UINT, 1000 },
    { "19ffff", HEAD_UINT, 65535 },
    { "1a00010000", HEAD_UINT, 65536 },
    { "1a000f4240", HEAD_UINT, 1000000 },
    { "1affffffff", HEAD_UINT, 4294967295 },
    { "1b0000000100000000", HEAD_UINT, 4294967296 },
    { "1b000000e8d4a51000", HEAD_UINT, 1000000000000 },
    { "1bffffffffffffffff", HEAD_UINT, UINT64_MAX },
    { "20", HEAD_NEGATIVE, 0 },
    { "3903e7", HEAD_NEGATIVE, 999 },
    { "40", HEAD_BYTES, 0 },
    { "5810", HEAD_BYTES, 16 },
    { "64", HEAD_TEXT, 4 },
    { "80", HEAD_ARRAY, 0 },
    { "9818", HEAD_ARRAY, 24 },
    { "a5", HEAD_MAP, 5 },
    { "da48414747", HEAD_TAG, 1212237639 },
    { "d840", HEAD_TAG, 64 },
    { "f4", HEAD_SIMPLE, 20 },
    { "f5", HEAD_SIMPLE, 21 },
    { "f93c00", HEAD_SIMPLE, 0x3c00 },
    { "fa47c35000", HEAD_SIMPLE, 0x47c35000 },
    { "fb3ff199999999999a", HEAD_SIMPLE, 0x3ff199999999999a },
};

static void reads_examples(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        uint8_t bytes[16] = { 0 };
        size_t n = hex_bytes(bytes, examples[i].hex);
        struct head h = { 0 };

        for (size_t cut = 0; cut < n; cut++)
            CHECK(head_read(&h, bytes, cut) == 0);
        CHECK(head_read(&h, bytes, n) == 1);
        CHECK(h.major == examples[i].major);
        CHECK(h.value == examples[i].value);
        CHECK(h.len_bytes == n);
        /* what stands behind it does not matter */
        CHECK(head_read(&h, bytes, sizeof bytes) == 1 && h.len_bytes == n);
    }
}

/* Every first byte: 0 to 23 in the low bits are the value, 24 to 27 widths, the rest is refused. */
static void sorts_first_bytes(void)
{
    for (unsigned first = 0; first < 256; first++) {
        const uint8_t bytes[9] = { (uint8_t)first, 1, 2, 3, 4, 5, 6, 7, 8 };
        static const uint64_t values[] = { 0x01, 0x0102, 0x01020304, 0x0102030405060708 };
        static const size_t lengths[] = { 2, 3, 5, 9 };
        unsigned info = first % 32;
        struct head h;
        int got = head_read(&h, bytes, sizeof bytes);

        if (info >= 28) {
            CHECK(got == -1);
            CHECK(head_read(&h, bytes, 1) == -1);
            continue;
        }
        CHECK(got == 1 && h.major == (enum head_major)(first / 32));
        CHECK(h.value == (info < 24 ? info : values[info - 24]));
        CHECK(h.len_bytes == (info < 24 ? 1 : lengths[info - 24]));
    }
}

static void knows_the_shortest(void)
{
    static const struct {
        uint64_t value;
        size_t len;
    } border[] = { { 0, 1 },          { 23, 1 },        { 24, 2 },    { 255, 2 },
                   { 256, 3 },        { 65535, 3 },     { 65536, 5 }, { UINT32_MAX, 5 },
                   { 1ull << 32, 9 }, { UINT64_MAX, 9 } };

    for (size_t i = 0; i < sizeof border / sizeof *border; i++)
        CHECK(head_shortest(border[i].value) == border[i].len);
}

int main(void)
{
    reads_examples();
    sorts_first_bytes();
    knows_the_shortest();
    return check_end();
}
