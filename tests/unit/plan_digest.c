#include "plan/plan_digest.h"

#include "check.h"
#include "feed.h"
#include "hex.h"

/* SHA-256 of the canonical form, by sha256sum. */
#define DIGEST "b3946ff0035cd7edaf05807b688596414fb0c19328edf55dc3dd92fdec613b48"

static const char topology[] = "stations 3\nclient 1-4 via 1-3\ncollude partial stations=1\n";

static void parses_digits(void)
{
    uint8_t got[HEADER_PLAN_BYTES], want[HEADER_PLAN_BYTES];
    char text[200], *end = text;

    hex_bytes(want, DIGEST);
    CHECK(plan_digest_parse(got, DIGEST) == 0 && memcmp(got, want, sizeof got) == 0);
    /* in groups, with colons, in upper case, with a newline */
    for (int i = 0; i < HEADER_PLAN_BYTES; i++)
        end += sprintf(end, "%02X%s", want[i], i % 4 == 3 ? " : " : i % 2 ? "\t" : "");
    sprintf(end, "\r\n");
    CHECK(plan_digest_parse(got, text) == 0 && memcmp(got, want, sizeof got) == 0);
    CHECK(plan_digest_parse(got, "") == -1);
    snprintf(text, sizeof text, "%.63s", DIGEST);
    CHECK(plan_digest_parse(got, text) == -1);
    snprintf(text, sizeof text, "%s0", DIGEST);
    CHECK(plan_digest_parse(got, text) == -1);
    snprintf(text, sizeof text, "%.63sg", DIGEST);
    CHECK(plan_digest_parse(got, text) == -1);
    snprintf(text, sizeof text, "0x%.62s", DIGEST);
    CHECK(plan_digest_parse(got, text) == -1);
}

static void compares_with_a_plan(void)
{
    struct hagg_err err = { 0 };
    struct header h = { .has_plan = true };
    uint8_t digest[HEADER_PLAN_BYTES];
    struct plan p;

    CHECK(plan_load(&p, feed_file(topology, sizeof topology - 1), &err) == 0);
    CHECK(plan_digest_parse(digest, DIGEST) == 0);
    CHECK(plan_digest_check(&p, digest, &err) == 0);
    memcpy(h.plan, digest, sizeof digest);
    CHECK(plan_digest_is(&p, &h));
    h.has_plan = false;
    CHECK(!plan_digest_is(&p, &h));
    h.has_plan = true;
    for (size_t bit = 0; bit < 8 * sizeof digest; bit++) {
        digest[bit / 8] ^= (uint8_t)(1 << bit % 8);
        h.plan[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(plan_digest_check(&p, digest, &err) == -1 && err.status == HAGG_E_PRIVACY);
        CHECK(!plan_digest_is(&p, &h));
        digest[bit / 8] ^= (uint8_t)(1 << bit % 8);
        h.plan[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK(strstr(
        err.text,
        ": is not the plan of --plan-digest: its digest is "
        "b394 6ff0 035c d7ed af05 807b 6885 9641 4fb0 c193 28ed f55d c3dd 92fd ec61 3b48: get"));
    plan_free(&p);
}

int main(void)
{
    parses_digits();
    compares_with_a_plan();
    return check_end();
}
