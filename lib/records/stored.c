#include "records/stored.h"

#include <stdlib.h>
#include <string.h>

#include "payload.h"
#include "records/seed.h"
#include "sharing/expand.h"

/* Elements of a pipe that are read at once, so that memory grows with the bytes received and not
 * with the length claimed in the record. */
#define CHUNK_ELEMS 262144

static int grow(struct stored *s, size_t n, const char *name, struct hagg_err *err)
{
    unsigned char *larger = reallocarray(NULL, n, s->elem_size);

    if (!larger)
        return err_errno(err, "%s: cannot store a payload from a pipe", name);
    if (s->elems) {
        memcpy(larger, s->elems, s->n_kept * s->elem_size);
        explicit_bzero(s->elems, s->n_kept * s->elem_size);
        free(s->elems);
    }
    s->elems = larger;
    return 0;
}

static int keep_elems(struct stored *s, struct reader *r, struct hagg_err *err)
{
    size_t capacity = 0, n;

    do {
        if (capacity - s->n_kept < CHUNK_ELEMS) {
            capacity = 2 * capacity + CHUNK_ELEMS;
            if (grow(s, capacity, reader_name(r), err))
                return -1;
        }
        if (reader_read(r, s->elems + s->n_kept * s->elem_size, CHUNK_ELEMS, &n, err))
            return -1;
        s->n_kept += n;
    } while (n > 0);
    return 0;
}

int stored_place(struct stored *s, size_t file, struct reader *r, struct hagg_err *err)
{
    *s = (struct stored){
        .file = file,
        .elem_size = reader_elem_size(r),
        .n_elems = reader_n_elems(r),
    };
    *err = (struct hagg_err){ 0 };
    s->payload = reader_detach(r, err);
    return s->payload ? 1 : err->status ? -1 : 0;
}

int stored_keep(struct stored *s, size_t file, struct reader *r, struct hagg_err *err)
{
    int placed = stored_place(s, file, r, err);

    if (placed == 0 && keep_elems(s, r, err)) {
        stored_free(s);
        return -1;
    }
    return placed < 0 ? -1 : 0;
}

int stored_zeros(struct stored *s, size_t file, size_t elem_size, uint64_t n, struct hagg_err *err)
{
    *s = (struct stored){ .file = file, .elem_size = elem_size, .n_elems = n, .n_kept = n };
    s->elems = n < SIZE_MAX ? calloc((size_t)n + 1, elem_size) : NULL;
    return s->elems ? 0 : err_errno(err, "no memory for a sum of zeros");
}

int stored_seed(struct stored *s, size_t file, struct reader *r, size_t elem_size, uint64_t n,
                struct hagg_err *err)
{
    *s = (struct stored){ .file = file, .elem_size = elem_size, .n_elems = n };
    s->seed = malloc(EXPAND_SEED_BYTES);
    if (!s->seed)
        return err_errno(err, "%s", reader_name(r));
    if (seed_read(r, s->seed, err) == 0)
        return 0;
    stored_free(s);
    return -1;
}

/* Thousands of records may be seeds, so nothing but the seed is kept from one call to the next. */
static const void *expand(const struct stored *s, const struct field *f, void *buf, size_t n,
                          struct hagg_err *err)
{
    struct expand *e = expand_new(f, s->seed, err);
    int status = e ? expand_elems(e, s->at, buf, n, err) : -1;

    expand_free(e);
    return status ? NULL : buf;
}

/* Returns the next n elements, unchecked, either in buf or in the copy; NULL on failure. */
static const void *fetch(struct stored *s, struct filecache *cache, const struct field *f,
                         void *buf, size_t n, size_t *got, struct hagg_err *err)
{
    int fd, status;

    *got = n;
    if (s->seed)
        return expand(s, f, buf, n, err);
    if (!s->payload)
        return s->elems + s->at * s->elem_size;
    fd = filecache_acquire(cache, s->file, err);
    if (fd < 0)
        return NULL;
    status = payload_read(s->payload, fd, buf, n, got, err);
    filecache_release(cache, s->file, fd);
    return status ? NULL : buf;
}

/* Advances by n elements. Only the first good of them are known to be elements of the field. */
static int advance(struct stored *s, const struct filecache *cache, const struct field *f,
                   size_t good, size_t n, struct hagg_err *err)
{
    if (good < n)
        return err_set(err, HAGG_E_MALFORMED, "%s: element %llu is not an element of field '%s'",
                       filecache_name(cache, s->file), (unsigned long long)(s->at + good), f->spec);
    s->at += n;
    return 0;
}

int stored_read(struct stored *s, struct filecache *cache, const struct field *f, void *buf,
                size_t n, struct hagg_err *err)
{
    size_t got;
    const void *elems = fetch(s, cache, f, buf, n, &got, err);

    if (!elems)
        return -1;
    if (elems != buf)
        memcpy(buf, elems, got * s->elem_size);
    return advance(s, cache, f, field_check(f, buf, got), got, err);
}

int stored_add(struct stored *s, struct filecache *cache, const struct field *f, void *sum,
               void *buf, size_t n, struct hagg_err *err)
{
    size_t got;
    const void *elems = fetch(s, cache, f, buf, n, &got, err);

    if (!elems)
        return -1;
    return advance(s, cache, f, field_add_checked(f, sum, sum, elems, got), got, err);
}

void stored_free(struct stored *s)
{
    payload_free(s->payload);
    if (s->elems)
        explicit_bzero(s->elems, s->n_kept * s->elem_size);
    if (s->seed)
        explicit_bzero(s->seed, EXPAND_SEED_BYTES);
    free(s->elems);
    free(s->seed);
    *s = (struct stored){ 0 };
}
