/*
 * npy_fuzz.c - any bytes as a .npy file. The result must be the same from a file and from a pipe.
 * The elements of an accepted file must be its last bytes, and writing and reading the vector again
 * must give the same vector.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vector/vector.h"
#include "vector/vector_writer.h"

/* Less than the capacity of a pipe, which is filled before it is read. */
#define PIPE_BYTES 32768

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int held)
{
    if (!held)
        abort();
}

/* Returns one of two files in memory, emptied. Each is always the same file, because the process
 * remembers its inputs. */
static int empty_memfd(int which)
{
    static int files[2] = { -1, -1 };
    int fd;

    if (files[which] < 0)
        files[which] = memfd_create("fuzz", 0);
    need(files[which] >= 0 && ftruncate(files[which], 0) == 0 &&
         lseek(files[which], 0, SEEK_SET) == 0);
    fd = dup(files[which]);
    need(fd >= 0);
    return fd;
}

/* Loads a vector from fd. On failure why is the message without the name of the file. */
static int load_fd(struct vector *v, int fd, char *why)
{
    struct hagg_err err = { 0 };
    char path[32];
    size_t len;
    int status;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    len = strlen(path);
    status = vector_load(v, path, "npy", NULL, &err);
    if (status) {
        need(err.status == HAGG_E_MALFORMED && strncmp(err.text, path, len) == 0);
        strcpy(why, err.text + len);
    } else
        need(err.status == HAGG_OK);
    return status;
}

static int load_file(struct vector *v, const uint8_t *data, size_t size, char *why)
{
    int fd = empty_memfd(0);
    int status;

    need(write(fd, data, size) == (ssize_t)size);
    status = load_fd(v, fd, why);
    close(fd);
    return status;
}

static int load_pipe(struct vector *v, const uint8_t *data, size_t size, char *why)
{
    int ends[2];
    int status;

    need(pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size);
    close(ends[1]);
    status = load_fd(v, ends[0], why);
    close(ends[0]);
    return status;
}

static size_t n_bytes(const struct vector *v)
{
    return v->n_elems * vector_type_size(v->type);
}

static void check_same(const struct vector *a, const struct vector *b)
{
    need(strcmp(a->type, b->type) == 0 && a->n_shape == b->n_shape && a->n_elems == b->n_elems);
    need(memcmp(a->shape, b->shape, a->n_shape * sizeof *a->shape) == 0);
    need(memcmp(a->data, b->data, n_bytes(a)) == 0);
}

/* Checks that the elements are the end of the file, in the same or in the other byte order. */
static void check_data(const struct vector *v, const uint8_t *data, size_t size)
{
    size_t width = vector_type_size(v->type), n = n_bytes(v);
    const uint8_t *elems = v->data, *end;
    int same = 1, swapped = 1;

    need(n <= size);
    end = data + size - n;
    for (size_t i = 0; i < n; i++) {
        same &= elems[i] == end[i];
        swapped &= elems[i] == end[i / width * width + width - 1 - i % width];
    }
    need(same || swapped);
}

static void check_rewritten(const struct vector *v)
{
    struct hagg_err err = { 0 };
    int fd = empty_memfd(1);
    struct vector_writer *w =
        vector_writer_new(fd, "copy", "npy", v->type, v->shape, v->n_shape, &err);
    struct vector again;
    char why[sizeof err.text];

    need(w && vector_writer_elems(w, v->data, v->n_elems, &err) == 0);
    need(vector_writer_end(w, &err) == 0);
    vector_writer_free(w);
    need(load_fd(&again, fd, why) == 0);
    check_same(v, &again);
    vector_free(&again);
    close(fd);
}

static void check_converted(const struct vector *v)
{
    double *doubles = malloc(v->n_elems * sizeof *doubles + 1);
    int64_t *ints = malloc(v->n_elems * sizeof *ints + 1);
    struct hagg_err err = { 0 };

    need(doubles && ints);
    vector_to_double(v, 0, v->n_elems, doubles);
    if (vector_to_int(v, 0, v->n_elems, ints, &err) == 0)
        for (size_t i = 0; i < v->n_elems; i++)
            need((double)ints[i] == doubles[i]);
    else
        need(v->type[0] == 'f' || strcmp(v->type, "u8") == 0);
    free(doubles);
    free(ints);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hagg_err err;
    char why[sizeof err.text] = "", why_piped[sizeof err.text] = "";
    struct vector v, piped;
    int status = load_file(&v, data, size, why);

    if (size <= PIPE_BYTES) {
        need(load_pipe(&piped, data, size, why_piped) == status);
        need(strcmp(why, why_piped) == 0);
        if (status == 0)
            check_same(&v, &piped);
        vector_free(&piped);
    }
    if (status == 0) {
        check_data(&v, data, size);
        check_rewritten(&v);
        check_converted(&v);
    }
    vector_free(&v);
    return 0;
}
