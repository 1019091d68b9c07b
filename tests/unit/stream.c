#include "records/stream.h"

#include <unistd.h>

#include "check.h"
#include "sample.h"
#include "scratch.h"

static unsigned n_taken, fail_at;

static int take(void *arg, struct reader *r, struct hagg_err *err)
{
    CHECK(arg == &n_taken && reader_record(r) == n_taken + 1);
    CHECK(reader_header(r)->length == (reader_header(r)->kind == HEADER_ROSTER ? 0 : 3));
    n_taken++;
    return n_taken == fail_at ? reader_fail(r, err, HAGG_E_MISMATCH, "is not wanted") : 0;
}

static int go(const char *path, struct hagg_err *err)
{
    *err = (struct hagg_err){ 0 };
    n_taken = 0;
    return stream_each(path, 0, NULL, take, &n_taken, err);
}

int main(void)
{
    const char *path = scratch_path("records");
    uint64_t elems[] = { 1, 2, 255 };
    struct header_range clients = { 1, 4 };
    struct header roster = {
        .kind = HEADER_ROSTER,
        .has_plan = true,
        .has_round = true,
        .clients = &clients,
        .n_clients = 1,
        .from = { "federator", 1 },
    };
    struct hagg_err err;
    struct header h;
    char want[8192];

    sample_vector_header(&h);
    for (int i = 0; i < 4; i++)
        scratch_record(path, &h, 1, elems, 3);
    CHECK(go(path, &err) == 0 && n_taken == 4 && err.status == HAGG_OK);
    fail_at = 3;
    CHECK(go(path, &err) == -1 && n_taken == 3 && err.status == HAGG_E_MISMATCH);
    snprintf(want, sizeof want, "%s: record 3 (byte %d): is not wanted", path,
             2 * SAMPLE_VECTOR_BYTES);
    CHECK_STR(err.text, want);
    fail_at = 0;
    /* payloads that were not read are verified, except the last, which the caller must read */
    CHECK(truncate(path, 3 * SAMPLE_VECTOR_BYTES + 30) == 0);
    CHECK(go(path, &err) == -1 && n_taken == 3 && err.status == HAGG_E_MALFORMED);
    /* a roster has no vector: only the function for any kind passes it on */
    scratch_write(path, sample_vector, SAMPLE_VECTOR_BYTES);
    scratch_record(path, &roster, 1, elems, 0);
    CHECK(go(path, &err) == -1 && n_taken == 1 && err.status == HAGG_E_MISMATCH);
    snprintf(want, sizeof want,
             "%s: record 2 (byte %d): is a roster, which contains no vector: remove it from the "
             "input files",
             path, SAMPLE_VECTOR_BYTES);
    CHECK_STR(err.text, want);
    n_taken = 0;
    CHECK(stream_each(path, STREAM_EMPTY, NULL, take, &n_taken, &err) == -1 && n_taken == 1);
    CHECK_STR(err.text, want);
    n_taken = 0;
    CHECK(stream_each(path, STREAM_ANY_KIND, NULL, take, &n_taken, &err) == 0 && n_taken == 2);
    scratch_write(path, "", 0);
    CHECK(go(path, &err) == -1 && n_taken == 0 && err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want, "%s: is empty: it contains no record", path);
    CHECK_STR(err.text, want);
    CHECK(stream_each(path, STREAM_EMPTY, NULL, take, &n_taken, &err) == 0 && n_taken == 0);
    CHECK(go(scratch_path("missing"), &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(go(scratch_path(""), &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: is a directory: name the files in it, for instance %s*.cbor",
             scratch_path(""), scratch_path(""));
    CHECK_STR(err.text, want);
    CHECK(go("/", &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/: is a directory: name the files in it, for instance /*.cbor");
    CHECK(go("..", &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "..: is a directory: name the files in it, for instance ../*.cbor");
    return check_end();
}
