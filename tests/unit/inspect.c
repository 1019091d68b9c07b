#include "records/inspect.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "sample.h"

static struct hagg_err err;

/* Returns a reader of the three samples, at the end of the record with this number. */
static struct reader *at_record(int number)
{
    uint8_t all[SAMPLE_VECTOR_BYTES + SAMPLE_SHARE_BYTES + SAMPLE_TRANSFER_BYTES];
    struct reader *r;

    memcpy(all, sample_vector, SAMPLE_VECTOR_BYTES);
    memcpy(all + SAMPLE_VECTOR_BYTES, sample_share, SAMPLE_SHARE_BYTES);
    memcpy(all + SAMPLE_VECTOR_BYTES + SAMPLE_SHARE_BYTES, sample_transfer, SAMPLE_TRANSFER_BYTES);
    r = reader_open(feed_file(all, sizeof all), NULL, &err);
    for (int i = 0; i < number; i++) {
        uint8_t buf[64];
        size_t n;

        CHECK(reader_next(r, &err) == 1 && reader_read(r, buf, 8, &n, &err) == 0);
    }
    return r;
}

static void has_a_heading(void)
{
    struct text t = { 0 };

    inspect_heading(&t);
    CHECK_STR(t.bytes,
              " REC KIND     OF     FIELD         ROUND       LENGTH SCHEME         HOLDER       "
              "CLIENTS      CHECK  FILE\n");
    text_free(&t);
}

static void row(int record, const char *file, enum verify_result result, const char *want)
{
    struct reader *r = at_record(record);
    struct text t = { 0 };

    inspect_row(&t, file, r, result);
    CHECK_STR(t.bytes, want);
    text_free(&t);
    reader_free(r);
}

static void writes_rows(void)
{
    row(1, "a.cbor", VERIFY_OK,
        "   1 vector   plain  gf256             -            3 -              -            -      "
        "      ok     a.cbor\n");
    row(2, "b", VERIFY_NO_PLUGIN,
        "   2 share    padded m31              12            5 ramp 3,2,1     station 2    1-3 7  "
        "      digest b\n");
    row(3, "c", VERIFY_OK,
        "   3 transfer key    m31               -            9 ramp 3,3,1     relay 9      -      "
        "      ok     c\n");
    /* blanks, and the characters around the second block of control characters */
    row(1, "a \xc2\x80\xc2\x9f\xc2\xa0\xc1\x80", VERIFY_OK,
        "   1 vector   plain  gf256             -            3 -              -            -      "
        "      ok     a ??\xc2\xa0\xc1\x80\n");
    /* a name with control sequences */
    row(1, "\x1b[31m\n\x7f\xc2\x9b\xc2\xa0\xc3\xa9", VERIFY_OK,
        "   1 vector   plain  gf256             -            3 -              -            -      "
        "      ok     ?[31m???\xc2\xa0\xc3\xa9\n");
}

static void json(int record, const char *file, enum verify_result result, const char *want)
{
    struct reader *r = at_record(record);
    struct text t = { 0 };

    inspect_json(&t, file, r, result);
    CHECK_STR(t.bytes, want);
    text_free(&t);
    reader_free(r);
}

static void writes_json(void)
{
    json(1, "a.cbor", VERIFY_NO_PLUGIN,
         "{\"file\":\"a.cbor\",\"record\":1,\"offset\":0,\"v\":2,\"kind\":\"vector\",\"of\":"
         "\"plain\","
         "\"field\":\"gf256\",\"length\":3,\"elements\":3,\"elem_size\":1,"
         "\"digest\":\"d75b7f950844c1dfc8ae5e0c6ae84a9d\",\"check\":\"digest\"}\n");
    json(2, "\"\xff\n", VERIFY_OK,
         "{\"file\":\"\\\"\\ufffd\\u000a\",\"record\":2,\"offset\":74,\"v\":2,\"kind\":\"share\","
         "\"of\":\"padded\",\"field\":\"m31\",\"length\":5,\"shape\":[2,2],\"type\":\"f4\","
         "\"samples\":true,\"quant\":{\"bits\":16,\"clip\":1.5,\"rounding\":\"stochastic\"},"
         "\"scheme\":{\"name\":\"ramp\",\"n\":3,\"k\":2,\"z\":1,\"index\":1,\"point\":2},"
         "\"route\":[[\"station\",[1,2,5]],[\"relay\",[2,1,4]]],\"from\":[\"client\",3],"
         "\"to\":[\"station\",2],\"round\":12,\"clients\":[[1,3],[7,7]],"
         "\"plan\":\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\","
         "\"id\":\"f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff\",\"extensions\":[\"x-note\",\"x-size\"],"
         "\"elements\":5,\"elem_size\":4,\"digest\":\"c0bf18787c888e891d8131bec1ca28cb\","
         "\"check\":\"ok\"}\n");
    json(3, "c", VERIFY_OK,
         "{\"file\":\"c\",\"record\":3,\"offset\":430,\"v\":2,\"kind\":\"transfer\","
         "\"of\":\"key\",\"field\":\"m31\",\"length\":9,"
         "\"scheme\":{\"name\":\"ramp\",\"n\":3,\"k\":3,\"z\":1,\"index\":2,\"point\":7},"
         "\"route\":[[\"relay\",[4,1,9]]],\"layout\":[2,300],"
         "\"source\":{\"name\":\"ramp\",\"n\":5,\"k\":4,\"z\":1,\"index\":3,\"point\":4},"
         "\"carrier\":1,\"from\":[\"station\",6],\"to\":[\"relay\",1],"
         "\"mix\":\"202122232425262728292a2b2c2d2e2f\",\"elements\":3,\"elem_size\":4,"
         "\"digest\":\"64f2f184da56010e3f115f32c40c4926\",\"check\":\"ok\"}\n");
}

static void sums_up(void)
{
    struct inspect_summary s = { .n_files = 2 };
    struct text t = { 0 };
    struct reader *r;

    r = at_record(1);
    CHECK(inspect_count(&s, r, VERIFY_OK, &err) == 0);
    reader_free(r);
    r = at_record(2);
    CHECK(inspect_count(&s, r, VERIFY_NO_PLUGIN, &err) == 0);
    CHECK(inspect_count(&s, r, VERIFY_OK, &err) == 0);
    reader_free(r);
    r = at_record(3);
    CHECK(inspect_count(&s, r, VERIFY_OK, &err) == 0);
    reader_free(r);
    CHECK(s.n_records == 4 && s.n_unchecked == 1);
    inspect_summary_table(&t, &s);
    CHECK_STR(t.bytes,
              "\n4 records in 2 files, 1 not fully checked because a plugin is missing\nkinds     "
              "vector of plain (1)\n          share of padded (2)\n          transfer of key "
              "(1)\nfields    gf256 (1)\n          m31 (3)\nrounds    12 (2)\npatterns  station "
              "1-2 5 > relay 2 1 4 (2)\n          relay 4 1 9 (1)\nclients   1-3 7\n");
    text_reset(&t);
    inspect_summary_json(&t, &s);
    CHECK_STR(t.bytes, "{\"summary\":{\"files\":2,\"records\":4,\"unchecked\":1,\"sealed\":0,"
                       "\"kinds\":{\"vector of plain\":1,\"share of padded\":2,"
                       "\"transfer of key\":1},"
                       "\"fields\":{\"gf256\":1,\"m31\":3},\"rounds\":{\"12\":2},"
                       "\"patterns\":{\"station 1-2 5 > relay 2 1 4\":2,\"relay 4 1 9\":1},"
                       "\"clients\":[[1,3],[7,7]]}}\n");
    text_free(&t);
    inspect_summary_free(&s);
    CHECK(s.n_records == 0 && s.kinds.first == NULL && s.clients.ranges == NULL);
    inspect_summary_free(&s);
}

static void sums_up_nothing(void)
{
    struct inspect_summary s = { 0 };
    struct text t = { 0 };

    inspect_summary_json(&t, &s);
    CHECK_STR(t.bytes,
              "{\"summary\":{\"files\":0,\"records\":0,\"unchecked\":0,\"sealed\":0,\"kinds\":{},"
              "\"fields\":{},\"rounds\":{},\"patterns\":{},\"clients\":[]}}\n");
    text_reset(&t);
    inspect_summary_table(&t, &s);
    CHECK_STR(t.bytes, "\n0 records in 0 files\nclients   -\n");
    text_reset(&t);
    s.n_records = s.n_files = 1;
    inspect_summary_table(&t, &s);
    CHECK_STR(t.bytes, "\n1 record in 1 file\nclients   -\n");
    text_free(&t);
}

/* Without memory for the columns there is an error, not an incomplete row. */
static void fails_cleanly_without_memory(void)
{
    struct reader *r = at_record(2);
    unsigned long at = 0;

    for (;; at++) {
        struct text t = { 0 };

        alloc_refuse(at);
        inspect_row(&t, "file", r, VERIFY_OK);
        CHECK(text_ok(&t) == !alloc_refused());
        text_free(&t);
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 4);
    for (at = 0;; at++) {
        struct inspect_summary s = { 0 };
        int status;

        err = (struct hagg_err){ 0 };
        alloc_refuse(at);
        status = inspect_count(&s, r, VERIFY_OK, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        inspect_summary_free(&s);
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 9);
    alloc_watch();
    reader_free(r);
}

/* A reader of the key of client 7 as a seed, at the end of the record. */
static struct reader *at_seed(void)
{
    static struct header_range client = { 7, 7 };
    struct header h = {
        .kind = HEADER_VECTOR,
        .secret = HEADER_KEY,
        .field = "m61",
        .length = 1000000,
        .clients = &client,
        .n_clients = 1,
        .seed = true,
    };
    uint8_t *header = NULL, *record, seed[32] = { 1, 2, 3 };
    struct reader *r;
    size_t n = 0, len;

    CHECK(header_encode(&h, &header, &n, &err) == 0);
    record = sample_record(header, n, 64, seed, sizeof seed, &len);
    r = reader_open(feed_file(record, len), NULL, &err);
    CHECK(reader_next(r, &err) == 1 && reader_finish(r, &err) == 0);
    free(record);
    free(header);
    return r;
}

static void shows_seeds(void)
{
    struct inspect_summary s = { .n_files = 1 };
    struct reader *r = at_seed();
    struct text t = { 0 };

    inspect_row(&t, "key", r, VERIFY_OK);
    CHECK_STR(t.bytes, "   1 seed     key    m61               -      1000000 -              -     "
                       "       7            ok     key\n");
    text_reset(&t);
    inspect_json(&t, "key", r, VERIFY_OK);
    CHECK(strstr(t.bytes, "\"kind\":\"vector\",\"of\":\"key\",") != NULL);
    CHECK(strstr(t.bytes, ",\"seed\":true,\"elements\":32,\"elem_size\":1,") != NULL);
    text_reset(&t);
    CHECK(inspect_count(&s, r, VERIFY_OK, &err) == 0);
    inspect_summary_table(&t, &s);
    CHECK_STR(t.bytes, "\n1 record in 1 file\nkinds     vector of key, as a seed (1)\n"
                       "fields    m61 (1)\nclients   7\n");
    text_free(&t);
    inspect_summary_free(&s);
    reader_free(r);
}

int main(void)
{
    has_a_heading();
    writes_rows();
    writes_json();
    sums_up();
    sums_up_nothing();
    shows_seeds();
    fails_cleanly_without_memory();
    return check_end();
}
