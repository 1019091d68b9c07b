#include "records/verify.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "sample.h"

static struct verifier verifier;
static struct hagg_err err;

/* Verifies the only record of a stream. Returns the result, or -1. */
static int verify(const char *path)
{
    enum verify_result result = (enum verify_result)99;
    struct reader *r;
    int status = -1;

    err = (struct hagg_err){ 0 };
    r = reader_open(path, NULL, &err);
    if (r && reader_next(r, &err) == 1 && verify_record(&verifier, r, &result, &err) == 0) {
        status = (int)result;
        CHECK(reader_next(r, &err) == 0); /* it was read to the end */
    }
    reader_free(r);
    return status;
}

/* Checks the result, or the message, for a record with this header and payload. */
static void verifies(const struct header *h, unsigned tag, const void *payload, size_t n_payload,
                     int result, const char *message)
{
    uint8_t *header, *record;
    size_t n_header, len;
    const char *path;
    char want[300];

    if (!CHECK(header_encode(h, &header, &n_header, &err) == 0))
        return;
    record = sample_record(header, n_header, tag, payload, n_payload, &len);
    path = feed_file(record, len);
    CHECK(verify(path) == result);
    if (message) {
        snprintf(want, sizeof want, "%s: record 1 (byte 0): %s", path, message);
        CHECK(err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, want);
    }
    free(record);
    free(header);
}

static void accepts_the_samples(void)
{
    CHECK(verify(feed_file(sample_vector, SAMPLE_VECTOR_BYTES)) == VERIFY_OK);
    CHECK(verify(feed_file(sample_share, SAMPLE_SHARE_BYTES)) == VERIFY_OK);
    CHECK(verify(feed_file(sample_transfer, SAMPLE_TRANSFER_BYTES)) == VERIFY_OK);
    CHECK(verify(feed_file(sample_vector, SAMPLE_VECTOR_BYTES)) == VERIFY_OK);
}

static void finds_every_flipped_bit(void)
{
    for (size_t bit = 0; bit < 8 * SAMPLE_SHARE_BYTES; bit++) {
        uint8_t bytes[SAMPLE_SHARE_BYTES];

        memcpy(bytes, sample_share, sizeof bytes);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(verify(feed_file(bytes, sizeof bytes)) == -1 && err.status == HAGG_E_MALFORMED);
    }
}

/* The element 2^31 - 1 at indices in and after the first block. */
static void finds_what_is_no_element(void)
{
    static const size_t places[] = { 0, 1, 31, 32767, 32768, 65535, 65536, 69999 };
    enum { N = 70000 };
    struct header h = { .field = "m31", .length = N };
    uint8_t *payload = calloc(N, 4);
    char message[100];

    verifies(&h, 70, payload, 4 * N, VERIFY_OK, NULL);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        memcpy(payload + 4 * places[i], "\xff\xff\xff\x7f", 4);
        memset(payload + 4 * (N - 1), 0xff, 4); /* the first one is reported */
        snprintf(message, sizeof message, "element %zu is not an element of field 'm31'",
                 places[i]);
        verifies(&h, 70, payload, 4 * N, -1, message);
        memset(payload, 0, 4 * N);
    }
    free(payload);
}

/* A damaged record is reported as damaged, even if an element is not canonical. */
static void tells_damage_first(void)
{
    uint8_t bytes[SAMPLE_SHARE_BYTES];
    const char *path;
    char want[200];

    memcpy(bytes, sample_share, sizeof bytes);
    memset(bytes + SAMPLE_SHARE_BYTES - 37, 0xff, 4);
    path = feed_file(bytes, sizeof bytes);
    snprintf(want, sizeof want,
             "%s: record 1 (byte 0): digest does not match, so the record is damaged: get it again",
             path);
    CHECK(verify(path) == -1);
    CHECK_STR(err.text, want);
}

static void holds_fields_to_their_elements(void)
{
    static const uint8_t zeros[64];
    struct header h = { .field = "m31", .length = 4 };

    verifies(&h, 71, zeros, 32, -1, "payload has elements of 8 bytes, but field 'm31' has 4");
    verifies(&h, 64, zeros, 4, -1, "payload has elements of 1 bytes, but field 'm31' has 4");
    strcpy(h.field, "goldilocks");
    verifies(&h, 71, zeros, 32, VERIFY_OK, NULL);
    strcpy(h.field, "prime:p=251");
    verifies(&h, 64, zeros, 4, VERIFY_OK, NULL);
    verifies(&h, 64, "\x00\xfa\xfb\x00", 4, -1,
             "element 2 is not an element of field 'prime:p=251'");
    strcpy(h.field, "gf256");
    verifies(&h, 64, "\x00\xff\xfe\xfd", 4, VERIFY_OK, NULL);
    h.length = 0;
    verifies(&h, 64, NULL, 0, VERIFY_OK, NULL);
}

/* A field that is not installed may exist elsewhere; one with wrong parameters cannot. */
static void tells_unknown_from_impossible(void)
{
    struct header h = { .field = "nonesuch", .length = 4 };
    uint8_t *header, *record;
    size_t n_header, len;

    verifies(&h, 70, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16,
             VERIFY_NO_PLUGIN, NULL);
    strcpy(h.field, "gf256:p=7");
    verifies(&h, 64, "\x00\x00\x00\x00", 4, -1, "field 'gf256:p=7': takes no parameters: remove p");
    /* the digest is verified nevertheless */
    strcpy(h.field, "nonesuch");
    CHECK(header_encode(&h, &header, &n_header, &err) == 0);
    record = sample_record(header, n_header, 64, "abcd", 4, &len);
    record[len - 18] ^= 1;
    CHECK(verify(feed_file(record, len)) == -1 && strstr(err.text, "digest does not match"));
    free(record);
    free(header);
}

/* A share of the vector of seven elements among three holders. */
static struct header share(const char *scheme, uint32_t k, uint32_t z, bool has_point,
                           uint64_t point)
{
    static uint32_t numbers[] = { 1, 2, 3 };
    static struct header_tier route = { .name = "station", .numbers = numbers, .n_numbers = 3 };
    struct header h = {
        .kind = HEADER_SHARE,
        .field = "m31",
        .length = 7,
        .route = &route,
        .n_route = 1,
        .scheme = { .n = 3, .k = k, .z = z, .has_point = has_point, .point = point },
    };

    strcpy(h.scheme.name, scheme);
    return h;
}

static void holds_shares_to_their_scheme(void)
{
    static const uint8_t zeros[64];
    struct header h = share("ramp", 3, 1, true, 1);

    verifies(&h, 70, zeros, 16, VERIFY_OK, NULL); /* two parts of four */
    verifies(&h, 70, zeros, 12, -1, "payload has 3 elements, but its scheme requires 4");
    verifies(&h, 70, zeros, 28, -1, "payload has 7 elements, but its scheme requires 4");
    h = share("ramp", 3, 0, true, 1);
    verifies(&h, 70, zeros, 12, VERIFY_OK, NULL);
    h = share("ramp", 3, 0, false, 0);
    verifies(&h, 70, zeros, 12, -1, "scheme 'ramp' needs a point");
    h = share("additive", 3, 2, false, 0);
    verifies(&h, 70, zeros, 28, VERIFY_OK, NULL);
    h = share("additive", 3, 2, true, 1);
    verifies(&h, 70, zeros, 28, -1, "scheme 'additive' has no points");
    h = share("additive", 2, 1, false, 0);
    verifies(&h, 70, zeros, 28, -1,
             "scheme 'additive' with n = 3, k = 2, z = 1: additive sharing among 3 needs k = 3 and "
             "z = 2, not k = 2 and z = 1");
}

static void holds_points_to_the_field(void)
{
    static const uint8_t zeros[64];
    struct header h = share("ramp", 3, 1, true, (1ull << 31) - 2);

    verifies(&h, 70, zeros, 16, VERIFY_OK, NULL);
    h.scheme.point++;
    verifies(&h, 70, zeros, 16, -1, "its point is not an element of field 'm31'");
    h.scheme.point = UINT64_MAX;
    verifies(&h, 70, zeros, 16, -1, "its point is not an element of field 'm31'");
    strcpy(h.field, "nonesuch"); /* an unknown field */
    verifies(&h, 70, zeros, 16, VERIFY_NO_PLUGIN, NULL);
    verifies(&h, 70, zeros, 12, -1, "payload has 3 elements, but its scheme requires 4");
}

/* Without the scheme the length cannot be checked, but elements can. */
static void checks_what_it_can_without_a_scheme(void)
{
    static const uint8_t zeros[64];
    struct header h = share("nonesuch", 3, 1, true, 1);

    verifies(&h, 70, zeros, 40, VERIFY_NO_PLUGIN, NULL);
    verifies(&h, 70, "\xff\xff\xff\x7f", 4, -1, "element 0 is not an element of field 'm31'");
    strcpy(h.field, "nonesuch");
    verifies(&h, 70, "\xff\xff\xff\x7f", 4, VERIFY_NO_PLUGIN, NULL);
}

static void holds_blocks_to_their_layout(void)
{
    static const uint8_t zeros[400];
    uint32_t layout[] = { 2, 3 };
    struct header h = share("ramp", 3, 1, true, 1);

    h.layout = layout;
    h.n_layout = 1;
    verifies(&h, 70, zeros, 16, VERIFY_OK, NULL); /* two blocks of four, of each two parts of two */
    verifies(&h, 70, zeros, 20, -1, "payload has 5 elements, but its scheme requires 4");
    h.n_layout = 2;
    verifies(&h, 70, zeros, 24, VERIFY_OK, NULL); /* six blocks of two, a part has one */
    verifies(&h, 70, zeros, 16, -1, "payload has 4 elements, but its scheme requires 6");
    h = share("additive", 3, 2, false, 0);
    h.layout = layout;
    h.n_layout = 2;
    verifies(&h, 70, zeros, 48, VERIFY_OK, NULL); /* six blocks of two */
    layout[0] = layout[1] = 9;
    verifies(&h, 70, zeros, 324, VERIFY_OK, NULL); /* 81 blocks of one */
    h.length = 0;
    verifies(&h, 70, NULL, 0, VERIFY_OK, NULL);
}

/* A transfer of a share of seven elements in two parts. */
static struct header transfer(const char *scheme, uint32_t k, uint32_t z, bool has_point,
                              uint64_t point)
{
    struct header h = share(scheme, k, z, has_point, point);

    h.kind = HEADER_TRANSFER;
    h.source = (struct header_scheme){ "ramp", .n = 5, .k = 4, .z = 2, .has_point = true };
    h.source.point = 3;
    return h;
}

static void holds_transfers_to_their_schemes(void)
{
    static const uint8_t zeros[400];
    uint32_t layout[] = { 3 };
    struct header h = transfer("ramp", 3, 1, true, 1);

    verifies(&h, 70, zeros, 8, VERIFY_OK, NULL); /* a source of four, in two parts */
    verifies(&h, 70, zeros, 16, -1, "payload has 4 elements, but its scheme requires 2");
    h.layout = layout;
    h.n_layout = 1;
    verifies(&h, 70, zeros, 12, VERIFY_OK, NULL); /* three blocks of three, a source of two */
    verifies(&h, 70, zeros, 8, -1, "payload has 2 elements, but its scheme requires 3");
    h = transfer("additive", 3, 2, false, 0);
    verifies(&h, 70, zeros, 16, VERIFY_OK, NULL);
    strcpy(h.source.name, "additive");
    verifies(&h, 70, zeros, 28, -1,
             "source: scheme 'additive' with n = 5, k = 4, z = 2: additive sharing among 5 needs k "
             "= 5 and z = 4, not k = 4 and z = 2");
    h.source.k = 5;
    h.source.z = 4;
    verifies(&h, 70, zeros, 28, -1, "source 'additive' has no points");
    h.source.has_point = false;
    verifies(&h, 70, zeros, 28, VERIFY_OK, NULL);
    h = transfer("ramp", 3, 1, true, 1);
    h.source.has_point = false;
    verifies(&h, 70, zeros, 8, -1, "source 'ramp' needs a point");
    h = transfer("ramp", 3, 1, true, 1);
    h.source.point = (1ull << 31) - 1;
    verifies(&h, 70, zeros, 8, -1, "its source's point is not an element of field 'm31'");
    h = transfer("ramp", 3, 1, true, (1ull << 31) - 1);
    verifies(&h, 70, zeros, 8, -1, "its point is not an element of field 'm31'");
}

/* The length of a payload with a carrier depends on the method; everything else is checked. */
static void leaves_the_length_to_carriers(void)
{
    static const uint8_t zeros[400];
    struct header h = transfer("ramp", 3, 1, true, 1);

    h.has_carrier = true;
    verifies(&h, 70, zeros, 8, VERIFY_OK, NULL);
    verifies(&h, 70, zeros, 20, VERIFY_OK, NULL);
    verifies(&h, 70, "\xff\xff\xff\x7f", 4, -1, "element 0 is not an element of field 'm31'");
    h.source.has_point = false;
    verifies(&h, 70, zeros, 20, -1, "source 'ramp' needs a point");
    h.source.name[0] = 0;
    verifies(&h, 70, zeros, 20, VERIFY_OK, NULL);
    h.scheme.has_point = false;
    verifies(&h, 70, zeros, 20, -1, "scheme 'ramp' needs a point");
}

/* Either of the two schemes may be missing; the other one is checked. */
static void checks_transfers_without_a_scheme(void)
{
    static const uint8_t zeros[64];
    struct header h = transfer("nonesuch", 3, 1, true, 1);

    verifies(&h, 70, zeros, 40, VERIFY_NO_PLUGIN, NULL);
    h.source.has_point = false;
    verifies(&h, 70, zeros, 40, -1, "source 'ramp' needs a point");
    h = transfer("ramp", 3, 1, true, 1);
    strcpy(h.source.name, "nonesuch");
    verifies(&h, 70, zeros, 40, VERIFY_NO_PLUGIN, NULL);
    h.scheme.has_point = false;
    verifies(&h, 70, zeros, 40, -1, "scheme 'ramp' needs a point");
}

static void wipes_its_block(void)
{
    verify_free(&verifier);
    alloc_expect_wiped(65536, SIZE_MAX, SIZE_MAX); /* of that size, only the block */
    CHECK(verify(feed_file(sample_share, SAMPLE_SHARE_BYTES)) == VERIFY_OK);
    CHECK(verify(feed_file(sample_vector, SAMPLE_VECTOR_BYTES)) == VERIFY_OK);
    verify_free(&verifier);
    CHECK(alloc_n_wiped() == 1);
    CHECK(verifier.field == NULL && verifier.scheme == NULL && verifier.block == NULL);
    verify_free(&verifier);
}

/* Without memory for a plugin the result may be that there is none, but never that the record is
 * right. */
static void fails_cleanly_without_memory(void)
{
    const char *path = feed_file(sample_share, SAMPLE_SHARE_BYTES);
    unsigned long at = 0;

    for (;; at++) {
        int result;

        verify_free(&verifier);
        alloc_refuse(at);
        result = verify(path);
        if (!alloc_refused()) {
            CHECK(result == VERIFY_OK);
            break;
        }
        CHECK(result == VERIFY_NO_PLUGIN || (result == -1 && err.status == HAGG_E_SYSTEM));
    }
    CHECK(at >= 10);
    alloc_watch();
}

int main(void)
{
    accepts_the_samples();
    finds_every_flipped_bit();
    finds_what_is_no_element();
    tells_damage_first();
    holds_fields_to_their_elements();
    tells_unknown_from_impossible();
    holds_shares_to_their_scheme();
    holds_points_to_the_field();
    checks_what_it_can_without_a_scheme();
    holds_blocks_to_their_layout();
    holds_transfers_to_their_schemes();
    leaves_the_length_to_carriers();
    checks_transfers_without_a_scheme();
    wipes_its_block();
    fails_cleanly_without_memory();
    verify_free(&verifier);
    return check_end();
}
