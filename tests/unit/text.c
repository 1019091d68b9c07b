#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>

#include "alloc.h"
#include "check.h"

static void grows(void)
{
    struct text t = { 0 };
    char want[40000] = "", piece[16];

    CHECK(text_ok(&t) && t.bytes == NULL && t.len == 0);
    text_printf(&t, "%s", "");
    CHECK_STR(t.bytes, "");
    for (int i = 0; i < 5000; i++) {
        snprintf(piece, sizeof piece, "%d,", i);
        strcat(want, piece);
        text_printf(&t, "%d%c", i, ',');
    }
    CHECK_STR(t.bytes, want);
    CHECK(t.len == strlen(want));
    CHECK(t.len < t.capacity);
    text_free(&t);
    CHECK(t.bytes == NULL && t.len == 0 && t.capacity == 0 && !t.failed);
    text_free(&t);
}

/* Pieces of every length at every length of the text, to test every limit of the capacity. */
static void grows_at_every_border(void)
{
    for (int first = 0; first < 40; first++)
        for (int second = 0; second < 40; second++) {
            struct text t = { 0 };
            char want[100];

            snprintf(want, sizeof want, "%0*d%0*d", first + 1, 0, second + 1, 0);
            text_printf(&t, "%0*d", first + 1, 0);
            text_printf(&t, "%0*d", second + 1, 0);
            CHECK_STR(t.bytes, want);
            text_free(&t);
        }
}

static void appends_numbers(void)
{
    const uint64_t numbers[] = { 0, 9, 10, 4294967295, 9999999999, UINT64_MAX };

    for (int before = 0; before < 40; before++)
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            struct text t = { 0 };
            char want[100];

            snprintf(want, sizeof want, "%0*d-%llu", before + 1, 0, (unsigned long long)numbers[i]);
            text_printf(&t, "%0*d", before + 1, 0);
            text_number(&t, '-', numbers[i]);
            CHECK_STR(t.bytes, want);
            CHECK(t.len == strlen(want) && t.len < t.capacity);
            text_free(&t);
        }
}

static void holds_nul(void)
{
    struct text t = { 0 };

    text_printf(&t, "a%cb", 0);
    CHECK(t.len == 3 && memcmp(t.bytes, "a\0b", 4) == 0);
    text_free(&t);
}

static void starts_again(void)
{
    struct text t = { 0 };
    size_t capacity;

    text_reset(&t);
    CHECK(t.bytes == NULL && t.len == 0);
    text_printf(&t, "%s", "a long beginning");
    capacity = t.capacity;
    text_reset(&t);
    CHECK_STR(t.bytes, "");
    CHECK(t.len == 0 && t.capacity == capacity);
    text_printf(&t, "short");
    CHECK_STR(t.bytes, "short");
    text_free(&t);
}

/* After the first failure nothing is added, so that the text has no gap. */
static void stays_as_it_is_without_memory(void)
{
    struct text t = { 0 };

    text_printf(&t, "kept");
    alloc_refuse(0);
    text_printf(&t, "%1000d", 1);
    CHECK(alloc_refused() && !text_ok(&t));
    text_printf(&t, "x");
    CHECK_STR(t.bytes, "kept");
    CHECK(t.len == 4);
    text_free(&t);
    CHECK(text_ok(&t));

    alloc_refuse(0);
    text_printf(&t, "x");
    CHECK(!text_ok(&t) && t.bytes == NULL);
    text_free(&t);
}

/* A wide character that cannot be encoded is a failure. */
static void notices_what_cannot_be_printed(void)
{
    static const wchar_t impossible[] = { 0x7fffffff, 0 };
    struct text t = { 0 };

    text_printf(&t, "kept");
    text_printf(&t, "%ls", impossible);
    CHECK(!text_ok(&t));
    CHECK_STR(t.bytes, "kept");
    text_free(&t);
}

int main(void)
{
    grows();
    grows_at_every_border();
    appends_numbers();
    holds_nul();
    starts_again();
    stays_as_it_is_without_memory();
    notices_what_cannot_be_printed();
    return check_end();
}
