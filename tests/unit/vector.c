#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "little_endian.h"

/* A file of 1 and -2.5, and a buffer for others. */
static unsigned char two_floats[128], file[128];
static size_t n_two_floats;

/* Makes a file of magic bytes, version, length, dictionary and data. Returns its length. */
static size_t make(unsigned char *to, unsigned version, const char *dictionary, const void *data,
                   size_t n)
{
    size_t at = version == 1 ? 10 : 12, len = strlen(dictionary);

    memcpy(to, "\x93NUMPY", 6);
    memset(to + 6, 0, 6);
    to[6] = (unsigned char)version;
    to[8] = (unsigned char)len;
    memcpy(to + at, dictionary, len);
    memcpy(to + at + len, data, n);
    return at + len + n;
}

static void load_bytes(const void *bytes, size_t n, const char *format, const char *type,
                       struct vector *v)
{
    struct hagg_err err = { 0 };

    CHECK(vector_load(v, feed_file(bytes, n), format, type, &err) == 0);
    CHECK_STR(err.text, "");
}

/* Checks that a file is refused; want is the message after its name. */
static void check_bad(const void *bytes, size_t n, const char *format, const char *type,
                      enum hagg_status status, const char *why)
{
    const char *path = feed_file(bytes, n);
    struct hagg_err err = { 0 };
    struct vector v;
    char want[256];

    CHECK(vector_load(&v, path, format, type, &err) == -1);
    CHECK(err.status == status);
    snprintf(want, sizeof want, "%s: %s", path, why);
    CHECK_STR(err.text, want);
    CHECK(v.data == NULL && v.name == NULL && v.n_elems == 0);
}

static void loads_npy(void)
{
    static const char *const formats[] = { NULL, "npy" };
    static const char *const types[] = { NULL, "f4" };
    struct vector v;

    for (size_t i = 0; i < 4; i++) {
        load_bytes(two_floats, n_two_floats, formats[i / 2], types[i % 2], &v);
        CHECK_STR(v.type, "f4");
        CHECK(v.n_shape == 1 && v.shape[0] == 2 && v.n_elems == 2);
        CHECK(((float *)v.data)[0] == 1.0f && ((float *)v.data)[1] == -2.5f);
        vector_free(&v);
        CHECK(v.data == NULL && v.name == NULL && v.n_elems == 0);
        vector_free(&v);
    }
}

static void loads_big_endian(void)
{
    static const char dictionary[] = "{'descr':'>i2','fortran_order':True,'shape':(1,2,)}";
    size_t n = make(file, 2, dictionary, "\x01\x02\xff\xfe", 4);
    struct vector v;

    load_bytes(file, n, NULL, NULL, &v);
    CHECK_STR(v.type, "i2");
    CHECK(v.n_shape == 2 && v.shape[0] == 1 && v.shape[1] == 2 && v.n_elems == 2);
    CHECK(((int16_t *)v.data)[0] == 0x102 && ((int16_t *)v.data)[1] == -2);
    vector_free(&v);
}

static void loads_raw(void)
{
    static const unsigned char bytes[] = { 1, 0, 0, 0, 0, 0, 0, 0x80 };
    struct vector v;

    load_bytes(bytes, 8, NULL, "u8", &v);
    CHECK_STR(v.type, "u8");
    CHECK(v.n_elems == 1 && *(uint64_t *)v.data == 0x8000000000000001u);
    vector_free(&v);
    load_bytes(bytes, 8, "raw", "i4", &v);
    CHECK(v.n_shape == 1 && v.shape[0] == 2 && v.n_elems == 2);
    CHECK(((int32_t *)v.data)[0] == 1 && ((int32_t *)v.data)[1] == INT32_MIN);
    vector_free(&v);
    load_bytes(two_floats, n_two_floats, "raw", "u1", &v);
    CHECK(v.n_elems == n_two_floats && memcmp(v.data, two_floats, n_two_floats) == 0);
    vector_free(&v);
    load_bytes("", 0, NULL, "f4", &v);
    CHECK(v.n_shape == 1 && v.shape[0] == 0 && v.n_elems == 0);
    vector_free(&v);
    check_bad(bytes, 7, NULL, "i2", HAGG_E_MALFORMED,
              "has 7 bytes, which is not a multiple of 2, the size of type i2");
    check_bad(bytes, 8, "raw", NULL, HAGG_E_USAGE,
              "raw numbers need a type, for instance --type f4");
}

static void loads_text(void)
{
    struct vector v;

    load_bytes("1\n-2.5 # x\n", 11, NULL, NULL, &v);
    CHECK_STR(v.type, "f8");
    CHECK(v.n_shape == 1 && v.shape[0] == 2 && v.n_elems == 2);
    CHECK(((double *)v.data)[0] == 1.0 && ((double *)v.data)[1] == -2.5);
    vector_free(&v);
    load_bytes("7\n8", 3, "text", "u2", &v);
    CHECK_STR(v.type, "u2");
    CHECK(v.n_elems == 2 && ((uint16_t *)v.data)[1] == 8);
    vector_free(&v);
    load_bytes("# \xc3\xa9t\xc3\xa9\n", 8, NULL, NULL, &v);
    CHECK(v.n_elems == 0 && v.n_shape == 1);
    vector_free(&v);
    check_bad("1\nx", 3, NULL, NULL, HAGG_E_MALFORMED, "line 2: is not a number");
    check_bad("1\n300\n", 6, "text", "u1", HAGG_E_MALFORMED, "line 2: does not fit type u1");
    check_bad("1\n\0", 3, NULL, NULL, HAGG_E_MALFORMED,
              "is neither .npy nor text: raw numbers need a type, for instance --type f4");
    check_bad("1\n\0", 3, "text", NULL, HAGG_E_MALFORMED, "line 2: is not a number");
}

static void refuses_damaged_npy(void)
{
    static const unsigned char version[] = "\x93NUMPY\x04\0\x10\0";
    static const unsigned char minor[] = "\x93NUMPY\x01\x01\x10\0";
    static const unsigned char long_header[] = "\x93NUMPY\x02\0\x11\x27\0\0";
    static const char fortran[] = "{'descr':'<f4','fortran_order':True,'shape':(2,2)}";
    static const char many[] = "{'descr':'|u1','fortran_order':False,'shape':(281474976710656,2)}";
    unsigned char longer[sizeof two_floats + 1];
    char why[128];

    for (size_t n = 1; n < n_two_floats; n++) {
        snprintf(why, sizeof why, "ends too early: its header declares 2 elements, but it has %u",
                 n >= n_two_floats - 4);
        check_bad(two_floats, n, "npy", NULL, HAGG_E_MALFORMED,
                  n < n_two_floats - 8 ? "ends too early, in the .npy header" : why);
    }
    memcpy(longer, two_floats, n_two_floats);
    longer[n_two_floats] = 0;
    check_bad(longer, n_two_floats + 1, NULL, NULL, HAGG_E_MALFORMED,
              "has bytes after its last element");
    check_bad("1\n2\n", 4, "npy", NULL, HAGG_E_MALFORMED, "is not a .npy file");
    check_bad(version, sizeof version - 1, NULL, NULL, HAGG_E_MALFORMED,
              "has .npy version 4.0, but only 1.0, 2.0 and 3.0 are supported");
    check_bad(minor, sizeof minor - 1, NULL, NULL, HAGG_E_MALFORMED,
              "has .npy version 1.1, but only 1.0, 2.0 and 3.0 are supported");
    check_bad(long_header, sizeof long_header - 1, NULL, NULL, HAGG_E_MALFORMED,
              "has a .npy header of more than 10000 bytes");
    check_bad(file, make(file, 1, fortran, "", 0), NULL, NULL, HAGG_E_MALFORMED,
              "is in Fortran order: convert it with np.ascontiguousarray and save it again");
    check_bad(file, make(file, 3, many, "", 0), NULL, NULL, HAGG_E_MALFORMED,
              "has a shape of more than 2^48 elements");
    check_bad(two_floats, n_two_floats, NULL, "u1", HAGG_E_USAGE,
              "is a .npy file of type f4, not u1: omit --type, or convert the file");
}

static void refuses_unknown_names(void)
{
    struct hagg_err err = { 0 };
    struct vector v;

    CHECK(vector_load(&v, "/dev/null", "csv", NULL, &err) == -1);
    CHECK(err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "unknown format 'csv': use npy, raw or text");
    CHECK(vector_load(&v, "/dev/null", NULL, "f2", &err) == -1);
    CHECK(err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "unknown type 'f2': use f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8");
    CHECK(vector_load(&v, "/nowhere/v.npy", NULL, NULL, &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/nowhere/v.npy: No such file or directory");
    CHECK(vector_load(&v, "/", NULL, NULL, &err) == -1);
    CHECK_STR(err.text, "/: is a directory: name a file in it");
    vector_free(&v);
}

/* A file whose name ends in .npy is npy, even if its first bytes are wrong. */
static void believes_the_name(void)
{
    char path[] = "vector-XXXXXX.npy";
    struct hagg_err err = { 0 };
    struct vector v;
    char want[64];
    int fd = mkstemps(path, 4);

    if (!CHECK(fd >= 0))
        return;
    CHECK(write(fd, "1\n", 2) == 2);
    close(fd);
    CHECK(vector_load(&v, path, NULL, NULL, &err) == -1);
    snprintf(want, sizeof want, "%s: is not a .npy file", path);
    CHECK_STR(err.text, want);
    CHECK(vector_load(&v, path, "text", NULL, &err) == 0);
    CHECK(v.n_elems == 1);
    vector_free(&v);
    unlink(path);
}

/* From a file, and from a pipe, whose size is unknown. */
static void takes_no_memory_for_promises(void)
{
    static const char promise[] = "{'descr':'<f8','fortran_order':False,'shape':(1099511627776,)}";
    size_t n = make(file, 1, promise, "12345678", 8);
    struct hagg_err err = { 0 };
    struct vector v;
    pid_t child;
    int fd;

    alloc_watch();
    check_bad(file, n, NULL, NULL, HAGG_E_MALFORMED,
              "ends too early: its header declares 1099511627776 elements, but it has 1");
    CHECK(alloc_bytes() < 100000);
    fd = feed_pipe(file, n, 1, &child);
    alloc_watch();
    CHECK(vector_load(&v, feed_path(fd), NULL, NULL, &err) == -1);
    CHECK(strstr(err.text, "ends too early: its header declares 1099511627776 elements") != NULL);
    CHECK(alloc_bytes() < 100000);
    close(fd);
    feed_wait(child);
}

static void loads_from_a_pipe(void)
{
    enum { N = 300000 };
    double *numbers = malloc(N * sizeof *numbers);
    struct hagg_err err = { 0 };
    struct vector v;
    pid_t child;
    int fd;

    for (size_t i = 0; i < N; i++)
        numbers[i] = (double)i / 7;
    little_endian(numbers, N, sizeof *numbers);
    fd = feed_pipe(numbers, N * sizeof *numbers, 10007, &child);
    CHECK(vector_load(&v, feed_path(fd), "raw", "f8", &err) == 0);
    little_endian(numbers, N, sizeof *numbers);
    CHECK(v.n_elems == N && memcmp(v.data, numbers, N * sizeof *numbers) == 0);
    vector_free(&v);
    close(fd);
    feed_wait(child);
    free(numbers);
}

/* Reads bytes as each type, and checks the first and last element. */
static void converts_every_type(void)
{
    static const unsigned char bytes[16] = { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                             0,    0,    0,    0,    0,    0,    0xf4, 0x3f };
    static const struct {
        const char *type;
        double first, last;
        int64_t first_int, last_int;
    } cases[] = {
        { "i1", -2, 63, -2, 63 },
        { "i2", -2, 16372, -2, 16372 },
        { "i4", -2, 1072955392, -2, 1072955392 },
        { "i8", -2, 4608308318706860032.0, -2, 4608308318706860032 },
        { "u1", 254, 63, 254, 63 },
        { "u2", 65534, 16372, 65534, 16372 },
        { "u4", 4294967294, 1072955392, 4294967294, 1072955392 },
    };
    double doubles[16];
    int64_t ints[16];
    struct hagg_err err = { 0 };
    struct vector v;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        load_bytes(bytes, 16, "raw", cases[i].type, &v);
        vector_to_double(&v, 0, v.n_elems, doubles);
        CHECK(doubles[0] == cases[i].first && doubles[v.n_elems - 1] == cases[i].last);
        CHECK(vector_to_int(&v, 0, v.n_elems, ints, &err) == 0);
        CHECK(ints[0] == cases[i].first_int && ints[v.n_elems - 1] == cases[i].last_int);
        vector_to_double(&v, v.n_elems - 1, 1, doubles);
        CHECK(doubles[0] == cases[i].last);
        CHECK(vector_to_int(&v, v.n_elems - 1, 1, ints, &err) == 0);
        CHECK(ints[0] == cases[i].last_int);
        CHECK(vector_to_int(&v, v.n_elems, 0, ints, &err) == 0);
        vector_free(&v);
    }
    load_bytes(bytes, 16, "raw", "u8", &v);
    vector_to_double(&v, 0, 2, doubles);
    CHECK(doubles[0] == 18446744073709551616.0 && doubles[1] == 4608308318706860032.0);
    vector_free(&v);
    load_bytes(bytes, 16, "raw", "f8", &v);
    vector_to_double(&v, 0, 2, doubles);
    CHECK(isnan(doubles[0]) && doubles[1] == 1.25);
    CHECK(vector_to_int(&v, 0, 2, ints, &err) == -1);
    CHECK(err.status == HAGG_E_MISMATCH);
    CHECK(strstr(err.text, ": contains numbers of type f8, but integers are needed") != NULL);
    vector_free(&v);
    load_bytes(bytes, 16, "raw", "f4", &v);
    vector_to_double(&v, 1, 3, doubles);
    CHECK(isnan(doubles[0]) && doubles[1] == 0.0 && doubles[2] == 1.90625);
    vector_free(&v);
}

static void names_the_integer_that_does_not_fit(void)
{
    static const char text[] = "9223372036854775807\n0\n1\n9223372036854775808\n2\n"
                               "18446744073709551615\n";
    struct hagg_err err = { 0 };
    struct vector v;
    int64_t ints[6];
    char want[128];

    load_bytes(text, sizeof text - 1, "text", "u8", &v);
    CHECK(vector_to_int(&v, 0, 3, ints, &err) == 0);
    CHECK(ints[0] == INT64_MAX && ints[1] == 0 && ints[2] == 1);
    CHECK(vector_to_int(&v, 1, 5, ints, &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want, "%s: element 3 exceeds 2^63 - 1", v.name);
    CHECK_STR(err.text, want);
    CHECK(vector_to_int(&v, 4, 2, ints, &err) == -1);
    snprintf(want, sizeof want, "%s: element 5 exceeds 2^63 - 1", v.name);
    CHECK_STR(err.text, want);
    vector_free(&v);
}

static void counts_elements(void)
{
    size_t n;

    CHECK(vector_count(NULL, 0, &n) && n == 1);
    CHECK(vector_count((const uint64_t[]){ 3, 4, 5 }, 3, &n) && n == 60);
    CHECK(vector_count((const uint64_t[]){ UINT64_MAX, 0 }, 2, &n) && n == 0);
    CHECK(vector_count((const uint64_t[]){ 1ull << 24, 1ull << 24 }, 2, &n) && n == 1ull << 48);
    CHECK(!vector_count((const uint64_t[]){ 1ull << 24, (1ull << 24) + 1 }, 2, &n));
    CHECK(!vector_count((const uint64_t[]){ 1ull << 32, 1ull << 32, 1 }, 3, &n));
    CHECK(!vector_count((const uint64_t[]){ UINT64_MAX }, 1, &n));
}

static void knows_sizes(void)
{
    CHECK(vector_type_size("f4") == 4 && vector_type_size("u1") == 1);
    CHECK(vector_type_size("i8") == 8 && vector_type_size("i2") == 2);
    CHECK(vector_type_size("") == 0 && vector_type_size("f") == 0 && vector_type_size("f2") == 0);
    CHECK(vector_type_size("f44") == 0 && vector_type_size("F4") == 0);
}

static void lives_without_memory(void)
{
    const struct {
        const void *bytes;
        size_t n;
        const char *format, *type;
    } cases[] = {
        { two_floats, n_two_floats, NULL, NULL },
        { "12345678", 8, "raw", "f8" },
        { "1\n2\n", 4, "text", "i1" },
    };

    for (size_t i = 0; i < 3; i++)
        for (unsigned long n = 0;; n++) {
            const char *path = feed_file(cases[i].bytes, cases[i].n);
            struct hagg_err err = { 0 };
            struct vector v;

            alloc_refuse(n);
            if (vector_load(&v, path, cases[i].format, cases[i].type, &err) == 0)
                CHECK(!alloc_refused());
            else
                CHECK(err.status == HAGG_E_SYSTEM && v.data == NULL && v.name == NULL);
            vector_free(&v);
            if (!alloc_refused()) {
                CHECK(n >= 2);
                break;
            }
        }
    alloc_watch();
}

int main(void)
{
    n_two_floats = make(two_floats, 1, "{'descr':'<f4','fortran_order':False,'shape':(2,)}",
                        "\0\0\x80\x3f\0\0\x20\xc0", 8);
    loads_npy();
    loads_big_endian();
    loads_raw();
    loads_text();
    refuses_damaged_npy();
    refuses_unknown_names();
    believes_the_name();
    takes_no_memory_for_promises();
    loads_from_a_pipe();
    converts_every_type();
    names_the_integer_that_does_not_fit();
    counts_elements();
    knows_sizes();
    lives_without_memory();
    return check_end();
}
