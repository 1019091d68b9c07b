#include "seal.h"

#include "check.h"

/* The length as FORMAT.md states it: a tag of 16 bytes for every 65536 bytes begun, and at least
 * one. */
static uint64_t length_by_chunks(uint64_t n_bytes)
{
    uint64_t length = 0;

    do {
        uint64_t now = n_bytes < 65536 ? n_bytes : 65536;

        length += now + 16;
        n_bytes -= now;
    } while (n_bytes > 0);
    return length;
}

static void agrees(uint64_t n_bytes)
{
    uint64_t length = length_by_chunks(n_bytes), content = 99;

    CHECK(seal_length(n_bytes) == length);
    CHECK(seal_content(length, &content) == 0 && content == n_bytes);
}

/* All lengths up to three chunks: those of a number of bytes have that content, all others none. */
static void knows_every_small_length(void)
{
    enum { MOST = 3 * 65536 + 100 };
    uint64_t next = 0, n_refused = 0;
    size_t wrong = 0;

    for (uint64_t length = 0; length <= length_by_chunks(MOST); length++) {
        uint64_t content = 99;
        int status = seal_content(length, &content);

        if (length == length_by_chunks(next)) {
            wrong += status != 0 || content != next || seal_length(next) != length;
            next++;
        } else {
            wrong += status != -1 || content != 99;
            n_refused++;
        }
    }
    CHECK(wrong == 0);
    CHECK(next == MOST + 1);
    /* less than a tag, and after each full chunk a last one without a byte */
    CHECK(n_refused == 4 * 16);
}

static void knows_lengths_near_whole_chunks(void)
{
    for (uint64_t chunks = 0; chunks < 200; chunks++)
        for (uint64_t more = 0; more < 3; more++)
            if (chunks + more > 0)
                agrees(chunks * 65536 + more - 1);
}

/* Around the largest payload, 2^52 bytes, the number of chunks is computed, not counted. */
static void knows_the_largest(void)
{
    for (int power = 17; power <= 52; power++)
        for (int64_t more = -2; more <= 2; more++) {
            uint64_t n = (uint64_t)((INT64_C(1) << power) + more), content = 0;
            uint64_t length = n + 16 * (n / 65536 + (n % 65536 > 0));

            CHECK(seal_length(n) == length);
            CHECK(seal_content(length, &content) == 0 && content == n);
            /* n is a whole number of chunks: the next 16 lengths would have an empty last one */
            if (more == 0)
                for (uint64_t extra = 1; extra <= 16; extra++)
                    CHECK(seal_content(length + extra, &content) == -1);
        }
}

/* Whatever a file declares, the computation does not overflow. */
static void survives_any_length(void)
{
    size_t wrong = 0;

    for (uint64_t below = 0; below < 200000; below++) {
        uint64_t length = UINT64_MAX - below, content = 0;

        wrong += seal_content(length, &content) == 0 && seal_length(content) != length;
    }
    CHECK(wrong == 0);
}

static void needs_sender_receiver_and_plan(void)
{
    struct header whole = { .from = { "client", 1 }, .to = { "station", 2 }, .has_plan = true };
    struct hagg_err err = { 0 };

    CHECK(seal_check(&whole, &err) == 0 && err.status == HAGG_OK);
    for (int without = 0; without < 3; without++) {
        struct header h = whole;

        if (without == 0)
            h.from.tier[0] = 0;
        if (without == 1)
            h.to.tier[0] = 0;
        if (without == 2)
            h.has_plan = false;
        err = (struct hagg_err){ 0 };
        CHECK(seal_check(&h, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, "a sealed record needs 'from', 'to' and 'plan'");
    }
}

static void open_check(const struct header *h, const char *message)
{
    struct hagg_err err = { 0 };

    CHECK(seal_check_open(h, &err) == (message ? -1 : 0));
    CHECK(err.status == (message ? HAGG_E_MALFORMED : HAGG_OK));
    CHECK_STR(err.text, message ? message : "");
}

static void knows_what_must_be_sealed(void)
{
    static const char roster[] = "a roster that is not sealed has no 'to'";
    static const char seed[] = "a record with 'seed' must be sealed, except a key without 'to'";
    struct header h = { .kind = HEADER_ROSTER };

    open_check(&h, NULL);
    h.to = (struct header_node){ "station", 2 };
    open_check(&h, roster);
    h.kind = HEADER_SHARE;
    open_check(&h, NULL);
    h.seed = true;
    open_check(&h, seed);
    h.to.tier[0] = 0;
    open_check(&h, seed);
    h.kind = HEADER_VECTOR;
    h.secret = HEADER_KEY;
    open_check(&h, NULL);
    h.to = (struct header_node){ "station", 2 };
    open_check(&h, seed);
    h.seed = false;
    open_check(&h, NULL);
}

int main(void)
{
    knows_every_small_length();
    knows_lengths_near_whole_chunks();
    knows_the_largest();
    survives_any_length();
    needs_sender_receiver_and_plan();
    knows_what_must_be_sealed();
    seal_free(NULL);
    return check_end();
}
