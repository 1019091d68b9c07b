/*
 * make-record.c - writes one record to standard output: a share of a uniform vector, with the field
 * and the number of elements given on the command line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "sharing/scheme.h"
#include "sharing/uniform.h"
#include "writer.h"

/* The number of bytes of one write. */
#define BLOCK_BYTES 1048576

static int write_payload(struct writer *w, const struct field *f, uint64_t n_elems,
                         struct hagg_err *err)
{
    struct random *random = random_new(err);
    unsigned char *block = malloc(BLOCK_BYTES);
    size_t max = BLOCK_BYTES / field_elem_size(f);
    int status = random && block ? 0 : -1;

    for (uint64_t left = n_elems; left > 0 && status == 0;) {
        size_t n = left < max ? (size_t)left : max;

        status = uniform_elems(f, random, block, n, err);
        if (status == 0)
            status = writer_elems(w, block, n, err);
        left -= n;
    }
    free(block);
    random_free(random);
    return status;
}

/* The first of three shares, two of which decode; it has as many elements as the vector. */
static int write_record(struct writer *w, const struct field *f, uint64_t n_elems,
                        struct hagg_err *err)
{
    uint32_t stations[] = { 1, 2, 3 };
    struct header_tier route = { .name = "station", .numbers = stations, .n_numbers = 3 };
    struct header_range client = { 1, 1 };
    struct header h = {
        .kind = HEADER_SHARE,
        .secret = HEADER_PADDED,
        .scheme = { .name = "ramp", .n = 3, .k = 2, .z = 1, .has_point = true, .point = 1 },
        .route = &route,
        .n_route = 1,
        .has_round = true,
        .round = 1,
        .length = n_elems,
        .clients = &client,
        .n_clients = 1
    };

    snprintf(h.field, sizeof h.field, "%s", f->spec);
    if (writer_begin(w, &h, field_elem_size(f), n_elems, err) || write_payload(w, f, n_elems, err))
        return -1;
    return writer_end(w, err);
}

int main(int argc, char **argv)
{
    struct hagg_err err = { .text = "cannot write a record" };
    unsigned long long n_elems;
    struct writer *w;
    struct field *f;
    char *end;

    if (argc != 3 || (errno = 0, n_elems = strtoull(argv[2], &end, 10), *end || errno)) {
        fprintf(stderr, "usage: %s FIELD ELEMENTS >FILE\n", argv[0]);
        return 2;
    }
    f = field_open(argv[1], &err);
    w = writer_new(STDOUT_FILENO, "standard output", &err);
    if (!f || !w || write_record(w, f, n_elems, &err))
        report_die(&err);
    writer_free(w);
    field_free(f);
    return 0;
}
