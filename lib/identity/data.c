#include "identity/data.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/random.h"
#include "fd.h"
#include "identity/sealing.h"
#include "records/stream.h"

/* Bytes of a part. Both sides keep one part in memory. */
#define PART_BYTES ((size_t)1 << 20)

static int seal_part(const struct header *h, const void *bytes, size_t n, struct writer *w,
                     struct hagg_err *err)
{
    return writer_begin(w, h, 1, n, err) || writer_elems(w, bytes, n, err) || writer_end(w, err)
               ? -1
               : 0;
}

int data_seal(struct input *in, struct keyring *keyring, const struct data_route *route,
              struct writer *w, struct hagg_err *err)
{
    struct header h = {
        .kind = HEADER_DATA,
        .from = node_in_header(route->from),
        .to = node_in_header(route->to),
        .has_round = route->round != NULL,
        .round = route->round ? *route->round : 0,
        .has_plan = true,
        .has_id = true,
        .has_part = true,
    };
    uint8_t *bytes = malloc(PART_BYTES);
    struct sealing sealing;
    size_t n = 0;
    int status;

    if (!bytes)
        return err_errno(err, "no memory for a part of a file");
    memcpy(h.plan, keyring_plan(keyring)->digest, sizeof h.plan);
    sealing_init(&sealing, keyring);
    writer_set_sealer(w, &sealing.base, NULL);
    status = random_kernel(h.id, sizeof h.id, err);
    for (; status == 0 && !h.last; h.part++) {
        int end;

        status = input_read(in, bytes, PART_BYTES, &n, err);
        end = status == 0 ? input_at_end(in, err) : -1;
        h.last = end > 0;
        status = end < 0 ? -1 : seal_part(&h, bytes, n, w, err);
    }
    writer_set_sealer(w, NULL, NULL);
    explicit_bzero(bytes, PART_BYTES);
    free(bytes);
    return status;
}

struct unsealing {
    struct data_content *content;
    struct header first; /* of the first part */
    uint64_t n_parts;
    bool complete; /* True once the last part was read. */
    uint8_t *bytes;
    int fd;
    const char *out;
};

static bool same_file(const struct header *a, const struct header *b)
{
    return strcmp(a->from.tier, b->from.tier) == 0 && a->from.number == b->from.number &&
           strcmp(a->to.tier, b->to.tier) == 0 && a->to.number == b->to.number &&
           a->has_round == b->has_round && a->round == b->round &&
           memcmp(a->id, b->id, sizeof a->id) == 0;
}

/* The header is authentic only once the payload was opened. */
static int check_part(const struct unsealing *u, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct node *only = u->content->only;

    if (h->kind != HEADER_DATA)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a %s, not a file: the commands of a round open it themselves",
                           header_kind_name(h->kind));
    if (only && !node_is(&h->from, *only))
        return reader_fail(r, err, HAGG_E_PRIVACY, "is from %s %u, not from %s %u", h->from.tier,
                           h->from.number, node_tier_name(only->tier), only->number);
    if (u->complete || (u->n_parts > 0 && !same_file(h, &u->first)))
        return reader_fail(r, err, HAGG_E_PRIVACY, "belongs to another file");
    if (h->part != u->n_parts)
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           "is part %llu of its file, but part %llu is expected: get the file "
                           "again from its sender",
                           (unsigned long long)h->part, (unsigned long long)u->n_parts);
    return 0;
}

static int open_part(void *unsealing, struct reader *r, struct hagg_err *err)
{
    struct unsealing *u = unsealing;
    const struct header *h = reader_header(r);
    size_t n;

    if (check_part(u, r, err))
        return -1;
    if (u->n_parts == 0) {
        u->first = (struct header){
            .from = h->from, .to = h->to, .has_round = h->has_round, .round = h->round
        };
        memcpy(u->first.id, h->id, sizeof h->id);
    }
    u->n_parts++;
    u->complete = h->last;
    do {
        if (reader_read(r, u->bytes, PART_BYTES, &n, err) ||
            fd_write(u->fd, u->out, u->bytes, n, err))
            return -1;
        u->content->n_bytes += n;
    } while (n > 0);
    return 0;
}

int data_open(const char *path, struct opener *opener, struct data_content *content, int fd,
              const char *out, struct hagg_err *err)
{
    struct unsealing u = { .content = content, .fd = fd, .out = out };
    int status;

    u.bytes = malloc(PART_BYTES);
    if (!u.bytes)
        return err_errno(err, "no memory for a part of a file");
    content->n_bytes = 0;
    status = stream_each(path, STREAM_ANY_KIND, opener, open_part, &u, err);
    if (status == 0 && !u.complete)
        status = err_set(err, HAGG_E_PRIVACY,
                         "%s: ends before the last part of the file: get it again from its sender",
                         strcmp(path, "-") ? path : "standard input");
    content->from = u.first.from;
    explicit_bzero(u.bytes, PART_BYTES);
    free(u.bytes);
    return status;
}
