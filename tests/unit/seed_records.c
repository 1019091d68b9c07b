/* Records with a seed: the reader, the writer and the verifier. */
#include "records/verify.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "records/record_field.h"
#include "sample.h"
#include "toy_seal.h"
#include "writer.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint8_t plain[256];
static struct header_range client[] = { { 7, 7 } };
static uint32_t numbers[] = { 1, 2, 3 }, blocks[] = { 2 };
static struct header_tier route[] = { { "station", numbers, 3 } };

/* The share that client 7 sends to station 1. With ramp 3,2,1 it has 100 elements. */
static struct header share(void)
{
    return (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_PADDED,
        .field = "m31",
        .length = 100,
        .scheme = { .name = "ramp", .n = 3, .k = 2, .z = 1, .has_point = true, .point = 9 },
        .route = route,
        .n_route = 1,
        .from = { "client", 7 },
        .to = { "station", 1 },
        .clients = client,
        .n_clients = 1,
        .has_plan = true,
        .seed = true,
    };
}

static struct header aligned(void)
{
    struct header h = share();

    h.secret = HEADER_PLAIN;
    h.n_segments = 4;
    h.blocks = blocks;
    h.n_blocks = 1;
    return h;
}

/* The key of client 7: sent to a station, or its own. */
static struct header key(bool sent)
{
    struct header h = {
        .kind = HEADER_VECTOR,
        .secret = HEADER_KEY,
        .field = "m61",
        .length = 100,
        .clients = client,
        .n_clients = 1,
        .has_plan = true,
        .seed = true,
    };

    if (sent) {
        h.from = (struct header_node){ "client", 7 };
        h.to = (struct header_node){ "station", 1 };
    }
    return h;
}

/* A file with one record, made without the writer. */
static const char *file_of(const struct header *h, bool sealed, unsigned width, size_t n_bytes)
{
    static const unsigned tags[] = { 0, 64, 69, 0, 70, 0, 0, 0, 71 };
    struct hagg_err err = { 0 };
    uint8_t *header = NULL, *record;
    size_t n_header = 0, len;
    const char *path;

    CHECK(header_encode(h, &header, &n_header, &err) == 0);
    record = sealed ? toy_seal_record(header, n_header, width, plain, n_bytes, &len)
                    : sample_record(header, n_header, tags[width], plain, n_bytes, &len);
    path = feed_file(record, len);
    free(record);
    free(header);
    return path;
}

/* Reads and verifies the record. Returns the result, or -1. */
static int verify(const char *path, bool opened, struct hagg_err *err)
{
    enum verify_result result = (enum verify_result)99;
    struct verifier verifier = { 0 };
    struct field *field = NULL;
    struct toy_opener toy;
    struct reader *r;
    int status = -1;

    toy_seal_opener(&toy);
    toy.leave = !opened;
    r = reader_open(path, &toy.base, err);
    if (r && reader_next(r, err) == 1) {
        CHECK(reader_header(r)->seed && reader_elem_size(r) == 1 && reader_n_elems(r) == 32);
        CHECK(record_field(&field, r, err) == 0);
        status = verify_record(&verifier, r, &result, err) ? -1 : (int)result;
    }
    field_free(field);
    verify_free(&verifier);
    reader_free(r);
    return status;
}

static void accepts_seeds(void)
{
    struct header headers[] = { share(), aligned(), key(true), key(false) };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < COUNT(headers); i++) {
        bool sealed = headers[i].to.tier[0] != 0;
        const char *path = file_of(&headers[i], sealed, 1, 32);

        CHECK(verify(path, true, &err) == VERIFY_OK);
        CHECK(verify(path, false, &err) == (sealed ? VERIFY_SEALED : VERIFY_OK));
        CHECK_STR(err.text, "");
    }
}

static void reads_the_seed(void)
{
    struct header h = share();
    struct hagg_err err = { 0 };
    uint8_t seed[40] = { 0 };
    struct toy_opener toy;
    struct reader *r;
    size_t n = 0;

    toy_seal_opener(&toy);
    r = reader_open(file_of(&h, true, 1, 32), &toy.base, &err);
    CHECK(reader_next(r, &err) == 1 && reader_read(r, seed, sizeof seed, &n, &err) == 0);
    CHECK(n == 32 && memcmp(seed, plain, 32) == 0 && reader_next(r, &err) == 0);
    reader_free(r);
}

static void refused(const char *path, const char *message)
{
    char want[300];

    snprintf(want, sizeof want, "%s: record 1 (byte 0): %s", path, message);
    for (int opened = 0; opened < 2; opened++) {
        struct hagg_err err = { 0 };

        CHECK(verify(path, opened, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, want);
    }
}

static void refuses_unsealed_seeds(void)
{
    static const char message[] = "a record with 'seed' must be sealed, except a key without 'to'";
    struct header headers[] = { share(), share(), aligned(), key(true) };

    headers[1].to.tier[0] = 0;
    for (size_t i = 0; i < COUNT(headers); i++)
        refused(file_of(&headers[i], false, 1, 32), message);
}

/* The length is known without the key, so that a sealed record is refused before it is opened. */
static void refuses_other_payloads(void)
{
    static const char message[] = "payload of a record with 'seed' is not 32 elements of 1 byte";
    static const struct {
        unsigned width;
        size_t n_bytes;
    } bad[] = {
        { 1, 0 }, { 1, 31 }, { 1, 33 }, { 2, 32 }, { 4, 32 }, { 8, 32 }, { 2, 64 }, { 8, 256 },
    };

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct header sealed = share(), own = key(false);

        refused(file_of(&sealed, true, bad[i].width, bad[i].n_bytes), message);
        refused(file_of(&own, false, bad[i].width, bad[i].n_bytes), message);
    }
}

/* What does not concern the length of the payload is checked as in other records. */
static void checks_field_and_scheme(void)
{
    struct header h = share();
    struct hagg_err err = { 0 };
    struct verifier verifier = { 0 };
    enum verify_result result;
    struct reader *r;

    h.scheme.point = (1ull << 31) - 1;
    refused(file_of(&h, true, 1, 32), "its point is not an element of field 'm31'");
    h.scheme.point = 9;
    h.scheme.has_point = false;
    refused(file_of(&h, true, 1, 32), "scheme 'ramp' needs a point");
    h = aligned();
    h.scheme.point = 3;
    refused(file_of(&h, true, 1, 32), "its point belongs to a segment, not to a station");
    h = key(false);
    strcpy(h.field, "nonesuch");
    r = reader_open(file_of(&h, false, 1, 32), NULL, &err);
    CHECK(reader_next(r, &err) == 1 && verify_record(&verifier, r, &result, &err) == 0);
    CHECK(result == VERIFY_NO_PLUGIN);
    verify_free(&verifier);
    reader_free(r);
}

/* Writes a record with a seed, and compares it with one made without the writer. */
static void writes(const struct header *h)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    bool sealed = h->to.tier[0] != 0;
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out.cbor", &err);
    struct toy_sealer toy;
    unsigned char *got, *want;
    size_t n_got, n_want;

    toy_seal_sealer(&toy);
    toy.leave = !sealed;
    writer_set_sealer(w, &toy.base, NULL);
    CHECK(writer_begin(w, h, 1, 32, &err) == 0 && writer_elems(w, plain, 32, &err) == 0);
    CHECK(writer_end(w, &err) == 0);
    got = feed_content(feed_path(fd), &n_got);
    want = feed_content(file_of(h, sealed, 1, 32), &n_want);
    CHECK(n_got == n_want && memcmp(got, want, n_want) == 0);
    free(got);
    free(want);
    writer_free(w);
    close(fd);
}

/* Nothing is written if no seal covers the seed. */
static void writes_no_unsealed_seed(const struct header *h, bool with_sealer)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out.cbor", &err);
    struct toy_sealer toy;
    size_t n;

    toy_seal_sealer(&toy);
    toy.leave = true;
    writer_set_sealer(w, with_sealer ? &toy.base : NULL, NULL);
    CHECK(writer_begin(w, h, 1, 32, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, "out.cbor: a record with 'seed' must be sealed, except a key without 'to'");
    err = (struct hagg_err){ 0 };
    CHECK(writer_flush(w, &err) == 0);
    free(feed_content(feed_path(fd), &n));
    CHECK(n == 0);
    writer_free(w);
    close(fd);
}

static void writes_seeds(void)
{
    struct header headers[] = { share(), aligned(), key(true), key(false) };

    for (size_t i = 0; i < COUNT(headers); i++) {
        writes(&headers[i]);
        if (headers[i].to.tier[0]) {
            writes_no_unsealed_seed(&headers[i], false);
            writes_no_unsealed_seed(&headers[i], true);
        }
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof plain; i++)
        plain[i] = (uint8_t)(0xa0 + i);
    accepts_seeds();
    reads_the_seed();
    refuses_unsealed_seeds();
    refuses_other_payloads();
    checks_field_and_scheme();
    writes_seeds();
    return check_end();
}
