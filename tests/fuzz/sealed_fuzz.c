/*
 * sealed_fuzz.c - the reader on sealed records, from a stream and detached.
 *
 * With a toy seal, both must return the bytes of the chunks that opened and no others. Each input
 * is read as it is, and again with correct tags and digests. The elements of each record are then
 * sealed with HPKE and must be the same when opened, and must not open after a change of any bit.
 */
#include <xxhash.h>

#include "crypto/hpke.h"
#include "digest_mutator.h"
#include "fuzz_io.h"
#include "identity/seal_info.h"
#include "reader.h"
#include "toy_seal.h"
#include "writer.h"

#define DIGEST_BYTES 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes that grow. */
struct bytes {
    uint8_t *at;
    size_t n;
};

static void append(struct bytes *b, const void *bytes, size_t n)
{
    if (n == 0)
        return;
    b->at = realloc(b->at, b->n + n);
    need(b->at != NULL);
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
}

static void drop(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){ 0 };
}

/* Opens chunks with a correct toy tag, and keeps what it opened in a record. */
struct toy {
    struct opener opener;
    struct seal seal;
    uint64_t number, left; /* of the next chunk, and bytes from it on */
    uint64_t n_bytes;      /* of the record */
    bool refused, was_last;
    struct bytes opened;
};

#define TOY(pointer, member) ((struct toy *)((char *)(pointer)-offsetof(struct toy, member)))

static int open_chunk(struct seal *s, bool last, const void *in, size_t n, void *out,
                      struct hagg_err *err)
{
    struct toy *t = TOY(s, seal);
    uint8_t tag[SEAL_TAG_BYTES];

    (void)err;
    need(!t->refused && !t->was_last); /* nothing is opened after that */
    need(n == (t->left < SEAL_CHUNK_BYTES ? t->left : SEAL_CHUNK_BYTES));
    t->left -= n;
    need(last == (t->left == 0));
    toy_tag(tag, t->number++, last, in, n);
    t->was_last = last;
    t->refused = memcmp(tag, (const uint8_t *)in + n, sizeof tag) != 0;
    if (t->refused) {
        memset(out, 0xee, n);
        return 0;
    }
    append(&t->opened, in, n);
    memmove(out, in, n);
    return 1;
}

/* Begins a record, or begins it again. */
static void rewind_toy(struct seal *s)
{
    struct toy *t = TOY(s, seal);

    drop(&t->opened);
    t->number = 0;
    t->left = t->n_bytes;
    t->refused = t->was_last = false;
}

static void keep(struct seal *s)
{
    (void)s;
}

static int begin_opening(struct opener *o, const struct header *h, const struct seal_head *head,
                         struct seal **seal, struct hagg_err *err)
{
    struct toy *t = TOY(o, opener);

    (void)h;
    (void)err;
    t->n_bytes = head ? head->n_bytes : 0;
    rewind_toy(&t->seal);
    if (head)
        *seal = &t->seal;
    return 0;
}

/* Reads the elements of a record from its stream, or from p and fd. Returns -1 if it is refused. */
static int read_elems(struct reader *r, struct payload *p, int fd, uint64_t choice,
                      struct bytes *elems, struct hagg_err *err)
{
    static const size_t blocks[] = { 20000, 1, 7000, 13, 65536 };
    static uint8_t block[65536 * 8];
    size_t size = reader_elem_size(r), n;
    int status;

    for (uint64_t i = choice % 5;; i = (i + 1) % 5) {
        status = p ? payload_read(p, fd, block, blocks[i], &n, err)
                   : reader_read(r, block, blocks[i], &n, err);
        if (status < 0)
            return -1;
        append(elems, block, n * size);
        if (n == 0)
            return 0;
    }
}

/* A sealed record returns only what was opened, and everything if it was accepted. */
static void check_opened(const struct toy *t, const struct bytes *elems, int status,
                         const struct hagg_err *err)
{
    need(elems->n <= t->opened.n);
    need(elems->n == 0 || memcmp(elems->at, t->opened.at, elems->n) == 0);
    if (t->refused)
        need(status < 0 && err->status == HAGG_E_PRIVACY);
    if (status == 0)
        need(t->was_last && elems->n == t->opened.n);
    else
        need(err->status == (t->refused ? HAGG_E_PRIVACY : HAGG_E_MALFORMED));
}

static const uint8_t from_key[SEAL_KEY_ID_BYTES] = "from key",
                     to_key[SEAL_KEY_ID_BYTES] = "to  key";

/* Seals and opens with HPKE between two fixed key pairs. */
struct pair {
    struct opener opener;
    struct sealer sealer;
    struct x25519 *from, *to;
    uint8_t ikm[X25519_BYTES];
};

#define PAIR(pointer, member) ((struct pair *)((char *)(pointer)-offsetof(struct pair, member)))

static int begin_hpke(struct opener *o, const struct header *h, const struct seal_head *head,
                      struct seal **seal, struct hagg_err *err)
{
    struct pair *p = PAIR(o, opener);
    uint8_t info[SEAL_INFO_BYTES];
    struct hpke *context;

    if (!head || memcmp(head->from_key, from_key, sizeof from_key) != 0 ||
        memcmp(head->to_key, to_key, sizeof to_key) != 0)
        return err_set(err, HAGG_E_PRIVACY, "is not sealed with these keys");
    need(seal_info(info, h, head, err) == 0);
    if (hpke_receive(&context, p->to, x25519_public(p->from), info, sizeof info, head->enc, err) <=
        0)
        return err_set(err, HAGG_E_PRIVACY, "enc is unusable");
    return (*seal = seal_info_open(context, err)) ? 0 : -1;
}

static int begin_sealing(struct sealer *s, const struct header *h, const uint8_t *seed,
                         struct seal_head *head, struct seal **seal, struct hagg_err *err)
{
    struct pair *p = PAIR(s, sealer);
    uint8_t info[SEAL_INFO_BYTES];
    struct hpke *context;

    (void)seed;
    memcpy(head->from_key, from_key, sizeof from_key);
    memcpy(head->to_key, to_key, sizeof to_key);
    need(seal_info(info, h, head, err) == 0);
    need(hpke_send(&context, p->from, x25519_public(p->to), info, sizeof info, p->ikm, head->enc,
                   err) == 1);
    return (*seal = seal_info_seal(context, err)) ? 1 : -1;
}

/* Reads the only record of a file. Returns -1 if it is refused. */
static int open_record(struct pair *p, int fd, struct bytes *elems)
{
    struct hagg_err err = { 0 };
    char path[FD_PATH_BYTES];
    struct reader *r = reader_open(fd_path(path, fd), &p->opener, &err);
    int status;

    need(r != NULL);
    status = reader_next(r, &err) == 1 ? read_elems(r, NULL, -1, 4, elems, &err) : -1;
    if (status == 0)
        need(reader_next(r, &err) == 0);
    reader_free(r);
    return status;
}

/* Changes a bit of the header or the payload, and corrects the digest. */
static void change(int fd, size_t size, uint64_t choice)
{
    size_t at = 6 + choice % (size - 6 - 1 - DIGEST_BYTES);
    uint8_t *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    XXH128_canonical_t digest;

    need(bytes != MAP_FAILED);
    bytes[at] ^= (uint8_t)(1 << choice / size % 8);
    XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes + 6, size - 6 - 1 - DIGEST_BYTES));
    memcpy(bytes + size - DIGEST_BYTES, digest.digest, DIGEST_BYTES);
    munmap(bytes, size);
}

static void seal_again(struct reader *r, const struct bytes *elems, uint64_t choice)
{
    static struct pair p;
    struct hagg_err err = { 0 };
    struct bytes opened = { 0 };
    int fd = new_memfd();
    struct writer *w = writer_new(fd, "sealed", &err);
    size_t size;

    if (!p.from) {
        p.opener.begin = begin_hpke;
        p.sealer.begin = begin_sealing;
        p.from = x25519_generate(&err);
        p.to = x25519_generate(&err);
    }
    need(w && p.from && p.to);
    memcpy(p.ikm, &choice, sizeof choice);
    writer_set_sealer(w, &p.sealer, NULL);
    need(writer_begin(w, reader_header(r), reader_elem_size(r), reader_n_elems(r), &err) == 0);
    if (elems->n > 0) {
        size_t n = (size_t)reader_n_elems(r), n_first = (size_t)(choice % (n + 1));

        if (choice / 8 % 2) /* ends with a chunk */
            n_first -= n_first % (SEAL_CHUNK_BYTES / reader_elem_size(r));
        need(writer_elems(w, elems->at, n_first, &err) == 0);
        need(writer_elems(w, elems->at + n_first * reader_elem_size(r), n - n_first, &err) == 0);
    }
    need(writer_end(w, &err) == 0);
    size = (size_t)writer_size(w);
    writer_free(w);
    need(open_record(&p, fd, &opened) == 0 && opened.n == elems->n);
    need(elems->n == 0 || memcmp(opened.at, elems->at, elems->n) == 0);
    drop(&opened);
    change(fd, size, choice);
    need(open_record(&p, fd, &opened) == -1);
    drop(&opened);
    close(fd);
}

/* Reads all records with the toy seal, from the stream or detached. Returns a hash of all elements,
 * or 0 if a record was refused. *by_seal tells if the seal refused it. */
static uint64_t read_stream(int fd, bool detached, uint64_t choice, bool *by_seal)
{
    struct toy toy = { .opener = { begin_opening }, .seal = { open_chunk, rewind_toy, keep } };
    struct hagg_err err = { 0 };
    struct bytes elems = { 0 };
    char path[FD_PATH_BYTES];
    struct reader *r = reader_open(fd_path(path, fd), &toy.opener, &err);
    uint64_t hash = 1;
    int status = 0, more;

    need(r != NULL);
    while (status == 0 && (more = reader_next(r, &err)) == 1) {
        struct payload *p = detached ? reader_detach(r, &err) : NULL;

        if (detached && !p) { /* the end of the record is missing */
            need(err.status == HAGG_E_MALFORMED);
            status = -1;
            break;
        }
        status = read_elems(r, p, fd, choice, &elems, &err);
        if (reader_is_sealed(r))
            check_opened(&toy, &elems, status, &err);
        hash = XXH3_64bits_withSeed(elems.at, elems.n, hash) | 1;
        if (!detached && status == 0 && reader_is_sealed(r))
            seal_again(r, &elems, choice);
        payload_free(p);
        drop(&elems);
    }
    *by_seal = toy.refused;
    reader_free(r);
    drop(&toy.opened);
    return status == 0 && more == 0 ? hash : 0;
}

/* Returns true if all records have the right form and digest. Opens nothing. */
static bool is_well_formed(int fd)
{
    struct hagg_err err = { 0 };
    char path[FD_PATH_BYTES];
    struct reader *r = reader_open(fd_path(path, fd), NULL, &err);
    int more;

    need(r != NULL);
    while ((more = reader_next(r, &err)) == 1)
        continue;
    reader_free(r);
    return more == 0;
}

static void check(const uint8_t *data, size_t size)
{
    uint64_t choice = XXH3_64bits(data, size);
    int fd = new_memfd();
    bool by_seal, again;
    uint64_t hash;

    write_all(fd, data, size);
    hash = read_stream(fd, false, choice, &by_seal);
    need(hash == read_stream(fd, true, choice + 1, &again));
    need(by_seal ? hash == 0 : (hash != 0) == is_well_formed(fd));
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *mended = malloc(size + 1);

    need(mended != NULL);
    check(data, size);
    memcpy(mended, data, size);
    mend(mended, size, true);
    check(mended, size);
    free(mended);
    return 0;
}
