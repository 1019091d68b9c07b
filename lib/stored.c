#include "stored.h"

#include <stdlib.h>
#include <string.h>

#include "payload.h"

/* Elements of a pipe that are read at once: memory grows with what comes, not with what is said. */
#define CHUNK_ELEMS 262144

static int grow(struct stored *s, size_t n, const char *name, struct hagg_err *err)
{
    unsigned char *larger = reallocarray(NULL, n, s->elem_size);

    if (!larger)
        return err_errno(err, "%s: a payload that comes through a pipe", name);
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

int stored_read(struct stored *s, struct filecache *cache, const struct field *f, void *buf,
                size_t n, struct hagg_err *err)
{
    size_t got = n, bad;

    if (s->payload) {
        int fd = filecache_acquire(cache, s->file, err);
        int status = fd < 0 ? -1 : payload_read(s->payload, fd, buf, n, &got, err);

        if (fd >= 0)
            filecache_release(cache, s->file, fd);
        if (status)
            return -1;
    } else
        memcpy(buf, s->elems + s->at * s->elem_size, n * s->elem_size);
    bad = field_check(f, buf, got);
    if (bad < got)
        return err_set(err, HAGG_E_MALFORMED, "%s: element %llu is not an element of field '%s'",
                       filecache_name(cache, s->file), (unsigned long long)(s->at + bad), f->spec);
    s->at += got;
    return 0;
}

void stored_free(struct stored *s)
{
    payload_free(s->payload);
    if (s->elems)
        explicit_bzero(s->elems, s->n_kept * s->elem_size);
    free(s->elems);
    *s = (struct stored){ 0 };
}
