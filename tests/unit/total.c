#include "decode/total.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "little_endian.h"
#include "scratch.h"

#define MOST 5000 /* more than a block of 4096 */

/* The decoded total. With n = k = 1 a share is the vector itself. */
struct sum {
    const char *field;
    const char *type;
    struct header_quant quant;
    bool samples;
    uint32_t n_clients; /* 0 for none in the header */
    const int64_t *ints;
    size_t n;
    uint64_t shape[2];
    size_t n_shape; /* 0 for no shape */
};

static void fill_header(struct header *h, const struct sum *sum, struct header_tier *tier,
                        struct header_range *clients, uint64_t *shape)
{
    static uint32_t holder = 1;

    *h = (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_PLAIN,
        .scheme = { .name = "ramp", .n = 1, .k = 1, .has_point = true, .point = 1 },
        .route = tier,
        .n_route = 1,
        .length = sum->n,
        .samples = sum->samples,
        .quant = sum->quant,
        .clients = clients,
        .n_clients = sum->n_clients > 0,
        .has_shape = sum->n_shape > 0,
        .shape = shape,
        .n_shape = sum->n_shape,
    };
    *tier = (struct header_tier){ .name = "holder", .numbers = &holder, .n_numbers = 1 };
    *clients = (struct header_range){ 1, sum->n_clients };
    strcpy(h->field, sum->field);
    strcpy(h->type, sum->type);
}

static struct decode *decode_sum(const struct sum *sum)
{
    static const struct decode_options options = { .minimum = 1 };
    struct hagg_err err = { 0 };
    struct field *f = field_open(sum->field, &err);
    struct decode *d = decode_new(&options, &err);
    static uint64_t elems[MOST];
    uint64_t shape[2] = { sum->shape[0], sum->shape[1] };
    const char *path = scratch_path("sum");
    struct header_range clients;
    struct header_tier tier;
    struct header h;

    unlink(path);
    for (size_t i = 0; i < sum->n; i++) {
        unsigned char packed[8];

        CHECK(field_from_int(f, packed, &sum->ints[i], 1) == 1);
        elems[i] = hagg_load(packed, 0, field_elem_size(f));
    }
    fill_header(&h, sum, &tier, &clients, shape);
    scratch_record(path, &h, field_elem_size(f), elems, sum->n);
    CHECK(decode_add(d, path, &err) == 0 && decode_run(d, &err) == 0);
    CHECK_STR(err.text, "");
    field_free(f);
    return d;
}

/* Writes the total in raw form, or returns the message. */
static int write_total(const struct sum *sum, const struct total_options *o,
                       struct total_report *report, void *out, size_t *n, struct hagg_err *err)
{
    struct decode *d = decode_sum(sum);
    int fd = memfd_create("total", MFD_CLOEXEC);
    int status = total_write(d, o, fd, "out", report, err);

    if (status == 0)
        *n = (size_t)pread(fd, out, MOST * 8, 0);
    close(fd);
    decode_free(d);
    return status;
}

/* want has n bytes: text, or numbers in the byte order of this machine. */
static void gives(const struct sum *sum, const struct total_options *o, const void *want, size_t n)
{
    size_t n_elems = sum->n - sum->samples;
    struct total_report report;
    struct hagg_err err = { 0 };
    unsigned char out[MOST * 8];
    size_t got = 0;

    CHECK(write_total(sum, o, &report, out, &got, &err) == 0);
    CHECK_STR(err.text, "");
    if (strcmp(o->format, "raw") == 0 && n_elems > 0)
        little_endian(out, n_elems, n / n_elems);
    CHECK(got == n && memcmp(out, want, n) == 0);
}

static void refuses(const struct sum *sum, const struct total_options *o, enum hagg_status status,
                    const char *want)
{
    struct total_report report;
    struct hagg_err err = { 0 };
    unsigned char out[MOST * 8];
    size_t got = 0;

    CHECK(write_total(sum, o, &report, out, &got, &err) == -1 && err.status == status);
    CHECK_STR(err.text, want);
}

/* Three clients share at most three times the integer for clip, or three times the bounds of the
 * type. */
static void refuses_what_clients_cannot_have_sent(void)
{
    static const struct {
        const char *type;
        uint32_t bits;
        int64_t least, most;
    } cases[] = {
        { "f8", 8, -381, 381 }, { "f4", 2, -3, 3 },     { "i1", 0, -384, 381 },
        { "u1", 0, 0, 765 },    { "u2", 0, 0, 196605 }, { "u8", 0, 0, (INT64_C(1) << 60) - 1 },
    };
    struct total_options raw = { .format = "raw", .type = "f8" };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ints[] = { 0, cases[i].least, cases[i].most };
        struct sum sum = { .field = "m61", .ints = ints, .n = 3, .n_clients = 3 };
        double want[] = { 0, -3, 3 };

        sum.type = cases[i].type;
        if (cases[i].bits > 0)
            sum.quant = (struct header_quant){ .bits = cases[i].bits, .clip = 1 };
        for (size_t k = 0; k < 3 && cases[i].bits == 0; k++)
            want[k] = (double)ints[k];
        gives(&sum, &raw, want, sizeof want);
        for (int side = 0; side < 2; side++) {
            if (side == 1 && cases[i].most == (INT64_C(1) << 60) - 1)
                continue; /* the field ends there */
            ints[2] = side == 0 ? cases[i].least - 1 : cases[i].most + 1;
            refuses(&sum, &raw, HAGG_E_MALFORMED,
                    "element 2 of the total is outside the range of a total of 3 clients: a share "
                    "was changed, or a client shared a wrong vector: get the shares again, or "
                    "start a new round");
        }
    }
}

/* Two clients share 0 to 510 in bytes, which 521 elements represent, although the field's own
 * integers are -260 to 260. Three clients share too much for this field. */
static void lifts_sums_into_their_range(void)
{
    static const int64_t ints[] = { 260, -260, -121, -11 };
    static const int64_t want[] = { 260, 261, 400, 510 };
    struct sum sum = { .field = "prime:p=521", .type = "u1", .n_clients = 2, .ints = ints, .n = 4 };
    struct total_options raw = { .format = "raw", .type = "i8" };

    gives(&sum, &raw, want, sizeof want);
    sum.ints = (const int64_t[]){ 0, -10 };
    sum.n = 2;
    refuses(&sum, &raw, HAGG_E_MALFORMED,
            "element 1 of the total is outside the range of a total of 2 clients: a share "
            "was changed, or a client shared a wrong vector: get the shares again, or "
            "start a new round");
    sum.n_clients = 3;
    refuses(&sum, &raw, HAGG_E_MALFORMED,
            "element 1 of the total is outside the range of a total of 3 clients: a share "
            "was changed, or a client shared a wrong vector: get the shares again, or "
            "start a new round");
    sum.n_clients = 0;
    gives(&sum, &raw, (const int64_t[]){ 0, -10 }, 16);
}

/* Each type accepts its bounds; integers beyond them are refused, with their index. */
static void knows_the_bounds(void)
{
    static const struct {
        const char *type;
        int64_t min, max;
    } types[] = {
        { "i1", -128, 127 },
        { "u1", 0, 255 },
        { "i2", -32768, 32767 },
        { "u2", 0, 65535 },
        { "i4", INT32_MIN, INT32_MAX },
        { "u4", 0, UINT32_MAX },
    };
    static const struct total_options raw = { .format = "raw" };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        int64_t ints[] = { types[i].min, types[i].max, 1, 0 }, bad[] = { 0, 1, 0 };
        struct sum sum = { .field = "m61", .type = types[i].type, .ints = ints, .n = 4 };
        size_t size = (size_t)(types[i].type[1] - '0');
        unsigned char want[16];
        char text[100];

        for (size_t j = 0; j < 4; j++)
            hagg_store(want, j, size, (uint64_t)ints[j]);
        little_endian(want, 4, size);
        gives(&sum, &raw, want, 4 * size);
        snprintf(text, sizeof text, "element 2 of the sum does not fit type %s: use --type i8",
                 types[i].type);
        sum.ints = bad;
        sum.n = 3;
        bad[2] = types[i].max + 1;
        refuses(&sum, &raw, HAGG_E_MISMATCH, text);
        bad[2] = types[i].min - 1;
        refuses(&sum, &raw, HAGG_E_MISMATCH, text);
        /* the user may choose a wider type */
        gives(&sum, &(struct total_options){ .format = "raw", .type = "i8" }, bad, sizeof bad);
    }
    {
        int64_t ints[] = { -(INT64_C(1) << 60) + 1, (INT64_C(1) << 60) - 1 }, minus[] = { 5, -1 };
        struct sum sum = { .field = "m61", .type = "i8", .ints = ints, .n = 2 };

        gives(&sum, &raw, ints, sizeof ints);
        sum.type = "";
        gives(&sum, &raw, ints, sizeof ints);
        sum.type = "u8";
        sum.ints = minus;
        refuses(&sum, &raw, HAGG_E_MISMATCH,
                "element 1 of the sum does not fit type u8: use --type i8");
    }
}

/* Several blocks, the last of which is not full. */
static void goes_from_block_to_block(void)
{
    static const struct total_options raw = { .format = "raw" };
    static const struct total_options mean = { .format = "raw", .mean = true, .type = "f4" };
    static int64_t ints[MOST];
    static int16_t want[MOST];
    static float floats[MOST];
    struct sum sum = { .field = "m31", .type = "i2", .n_clients = 4, .ints = ints, .n = MOST };

    for (size_t i = 0; i < MOST; i++) {
        ints[i] = (int64_t)(i * 13) - 32768;
        want[i] = (int16_t)ints[i];
        floats[i] = (float)((double)ints[i] / 4);
    }
    gives(&sum, &raw, want, sizeof want);
    gives(&sum, &mean, floats, sizeof floats);
    ints[4097] = 32768;
    ints[MOST - 1] = -32769;
    refuses(&sum, &raw, HAGG_E_MISMATCH,
            "element 4097 of the sum does not fit type i2: use --type i8");
    ints[4097] = 0;
    refuses(&sum, &raw, HAGG_E_MISMATCH,
            "element 4999 of the sum does not fit type i2: use --type i8");
}

static void takes_means(void)
{
    static const int64_t ints[] = { 10, -7, 1, 0 }, counted[] = { 10, -7, 1, 4 };
    static const double by_3[] = { 10 / 3.0, -7 / 3.0, 1 / 3.0, 0 }, by_4[] = { 2.5, -1.75, 0.25 };
    static const float floats[] = { 2.5f, -1.75f, 0.25f };
    struct total_options mean = { .mean = true, .format = "raw" };
    struct sum sum = { .field = "m31", .type = "i4", .n_clients = 3, .ints = ints, .n = 4 };
    struct total_report report;
    struct hagg_err err = { 0 };
    unsigned char out[MOST * 8];
    size_t got;

    gives(&sum, &mean, by_3, sizeof by_3);
    sum.n_clients = 0;
    refuses(&sum, &mean, HAGG_E_MISMATCH,
            "there is no mean: the records do not list their clients");
    sum.n_clients = 3;
    mean.type = "i8";
    refuses(&sum, &mean, HAGG_E_USAGE, "type i8 cannot represent a mean: use f4 or f8");
    mean.type = NULL;
    /* the sample count is the divisor, and not part of the vector */
    sum.samples = true;
    sum.ints = counted;
    gives(&sum, &mean, by_4, sizeof by_4);
    mean.type = "f4";
    gives(&sum, &mean, floats, sizeof floats);
    mean.type = NULL;
    CHECK(write_total(&sum, &mean, &report, out, &got, &err) == 0);
    CHECK(report.has_samples && report.samples == 4 && report.n_clients == 3);
    CHECK(report.error.worst == 0);
    gives(&sum, &(struct total_options){ .format = "raw" }, (const int32_t[]){ 10, -7, 1 }, 12);
    sum.ints = ints;
    refuses(&sum, &mean, HAGG_E_MISMATCH, "there is no mean: the total number of samples is 0");
    sum.ints = (const int64_t[]){ 1, 1, 1, -1 };
    refuses(&sum, &mean, HAGG_E_MALFORMED,
            "the number of samples, -1, is outside the range of a total of 3 clients: a share was "
            "changed, or a client shared a wrong vector: get the shares again, or start a new "
            "round");
    /* without a list of clients nothing is known */
    sum.n_clients = 0;
    refuses(&sum, &mean, HAGG_E_MISMATCH, "there is no mean: the total number of samples is 0");
    sum = (struct sum){ .field = "gf256", .type = "u1", .n_clients = 2, .ints = ints + 2, .n = 2 };
    gives(&sum, &(struct total_options){ .format = "raw" }, "\1\0", 2);
    refuses(&sum, &mean, HAGG_E_MISMATCH,
            "addition in field 'gf256' is not integer addition, so there is no mean");
}

static void undoes_quantisation(void)
{
    static const int64_t ints[] = { 6, -3, 0 };
    static const double sums[] = { 4, -2, 0 };
    static const float means[] = { 2, -1, 0 };
    struct sum sum = { .field = "m31", .type = "f8", .quant = { .bits = 3, .clip = 2 } };
    struct total_options o = { .format = "raw" };
    struct total_report report;
    struct hagg_err err = { 0 };
    unsigned char out[MOST * 8];
    size_t got;

    sum.n_clients = 2;
    sum.ints = ints;
    sum.n = 3;
    gives(&sum, &o, sums, sizeof sums);
    CHECK(write_total(&sum, &o, &report, out, &got, &err) == 0);
    CHECK(fabs(report.error.worst - 2 * 0.5 * 2 / 3.0) < 1e-9);
    o.type = "i4";
    refuses(&sum, &o, HAGG_E_USAGE, "type i4 cannot represent quantised values: use f4 or f8");
    o.type = NULL;
    o.mean = true;
    sum.type = "f4";
    gives(&sum, &o, means, sizeof means);
    CHECK(write_total(&sum, &o, &report, out, &got, &err) == 0);
    CHECK(fabs(report.error.worst - 0.5 * 2 / 3.0) < 1e-9);
}

static void keeps_the_shape(void)
{
    static const int64_t ints[] = { 1, 2, 3, 4, 5, 6 };
    struct total_options npy = { .format = "npy" }, text = { .format = "text" };
    struct sum sum = { .field = "m31", .type = "i2", .ints = ints, .n = 6 };
    struct total_report report;
    struct hagg_err err = { 0 };
    char out[MOST * 8];
    size_t got;

    CHECK(write_total(&sum, &npy, &report, out, &got, &err) == 0);
    CHECK(got == 128 + 12 && memmem(out, got, "'shape': (6,)", 13) != NULL);
    sum.n_shape = 2;
    sum.shape[0] = 2;
    sum.shape[1] = 3;
    CHECK(write_total(&sum, &npy, &report, out, &got, &err) == 0);
    CHECK(got == 128 + 12 && memmem(out, got, "'shape': (2, 3)", 15) != NULL);
    gives(&sum, &text, "1\n2\n3\n4\n5\n6\n", 12);
    /* an empty vector with a sample count */
    sum = (struct sum){ .field = "m31", .type = "i2", .samples = true, .ints = ints, .n = 1 };
    gives(&sum, &(struct total_options){ .format = "raw" }, "", 0);
}

static void reports_a_full_disk(void)
{
    static const int64_t ints[] = { 1 };
    struct sum sum = { .field = "m31", .type = "i2", .ints = ints, .n = 1 };
    struct decode *d = decode_sum(&sum);
    struct total_report report;
    struct hagg_err err = { 0 };
    FILE *full = fopen("/dev/full", "w");

    CHECK(total_write(d, &(struct total_options){ .format = "raw" }, fileno(full), "out", &report,
                      &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "out: No space left on device");
    fclose(full);
    decode_free(d);
}

int main(void)
{
    knows_the_bounds();
    refuses_what_clients_cannot_have_sent();
    lifts_sums_into_their_range();
    goes_from_block_to_block();
    takes_means();
    undoes_quantisation();
    keeps_the_shape();
    reports_a_full_disk();
    return check_end();
}
