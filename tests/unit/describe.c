#include "records/describe.h"

#include "check.h"

static void ranges(const struct header_range *r, size_t n, const char *want)
{
    struct text t = { 0 };

    describe_ranges(&t, r, n);
    CHECK_STR(t.bytes, want);
    text_free(&t);
}

static void describes_ranges(void)
{
    static const struct header_range some[] = {
        { 1, 3 }, { 5, 5 }, { 7, 8 }, { 4294967290, UINT32_MAX }
    };

    ranges(NULL, 0, "-");
    ranges(some, 1, "1-3");
    ranges(some + 1, 1, "5");
    ranges(some, 4, "1-3 5 7-8 4294967290-4294967295");
}

static void describes_digests(void)
{
    uint8_t digest[32];
    char got[DESCRIBE_DIGEST_ROOM(32)];

    for (uint8_t i = 0; i < 32; i++)
        digest[i] = (uint8_t)(0xe8 + i);
    describe_digest(got, digest, 2);
    CHECK_STR(got, "e8e9");
    describe_digest(got, digest, 32);
    CHECK_STR(got,
              "e8e9 eaeb eced eeef f0f1 f2f3 f4f5 f6f7 f8f9 fafb fcfd feff 0001 0203 0405 0607");
}

static void describes_bytes(void)
{
    uint8_t all[256];
    struct text t = { 0 };
    char want[513];

    for (int i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
        snprintf(want + 2 * i, 3, "%02x", (unsigned)i);
    }
    text_hex(&t, all, 0);
    CHECK(t.len == 0 && text_ok(&t));
    text_hex(&t, all, 256);
    CHECK_STR(t.bytes, want);
    text_free(&t);
}

/* Checks the three descriptions of a header, separated by bars. */
static void header(const struct header *h, const char *want)
{
    struct text t = { 0 };

    describe_scheme(&t, h);
    text_printf(&t, "|");
    describe_route(&t, h);
    text_printf(&t, "|");
    describe_holder(&t, h);
    CHECK_STR(t.bytes, want);
    text_free(&t);
}

static void describes_sharings(void)
{
    uint32_t stations[] = { 1, 2, 3, 5 }, relays[] = { 2, 1, 4, 3 },
             high[] = { 9, 10, UINT32_MAX, 1 };
    struct header_tier route[] = { { "station", stations, 4 },
                                   { "relay", relays, 4 },
                                   { "x", high, 4 } };
    struct header h = {
        .kind = HEADER_SHARE,
        .scheme = { .name = "ramp", .n = 4, .k = 3, .z = 1, .index = 3 },
        .route = route,
        .n_route = 1,
    };

    header(&h, "ramp 4,3,1|station 1-3 5|station 5");
    h.n_route = 2;
    h.scheme.index = 0;
    header(&h, "ramp 4,3,1|station 1-3 5 > relay 2 1 4 3|station 1");
    h.n_route = 3;
    h.scheme.k = 4;
    header(&h, "ramp 4,4,1|station 1-3 5 > relay 2 1 4 3 > x 9-10 4294967295 1|station 1");
    route[0].n_numbers = 1;
    h.n_route = 1;
    header(&h, "ramp 4,4,1|station 1|station 1");
    h.kind = HEADER_TRANSFER;
    strcpy(h.source.name, "additive");
    header(&h, "ramp 4,4,1|station 1|station 1");
}

static void says_nothing_of_a_vector(void)
{
    struct header h = { .kind = HEADER_VECTOR };

    header(&h, "-||-");
}

static void describes_a_roster_by_its_sender(void)
{
    struct header h = { .kind = HEADER_ROSTER, .from = { "station", 4 } };

    header(&h, "-||station 4");
}

int main(void)
{
    describes_ranges();
    describes_bytes();
    describes_digests();
    describes_sharings();
    says_nothing_of_a_vector();
    describes_a_roster_by_its_sender();
    return check_end();
}
