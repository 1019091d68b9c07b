#include "crypto/random.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crypto/mac.h"
#include "infile.h"

#define CHUNK_BYTES 262144 /* bytes of output per key */

/* Uniform bytes are all the same this many times with probability 2^-120. */
#define EQUAL_BYTES 16

/* Bytes at the start of a file that are examined. */
#define EXAMINED_BYTES 65536

/* Encrypting zeros gives the key stream. */
static const unsigned char zeros[65536];

struct random {
    EVP_CIPHER_CTX *cipher; /* NULL if bytes are read from file */
    bool is_stream;         /* the key stays */
    size_t left;            /* bytes until the next key */
    FILE *file;
    char *name;
    bool examine;        /* all bytes of a pipe or device so far were the same */
    unsigned char first; /* that byte */
    size_t n_equal;
    unsigned char begin[RANDOM_FIRST_BYTES]; /* of the file */
    size_t n_begin;
    /* A digest of the seed, so that it reveals nothing about the random bytes. */
    unsigned char root[RANDOM_SEED_BYTES];
};

/* getrandom(2) returns this many bytes in one call once the kernel is seeded. */
int random_kernel(void *out, size_t n, struct hagg_err *err)
{
    ssize_t got;

    do
        got = getrandom(out, n, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)n)
        return err_errno(err, "cannot get random bytes from the kernel");
    return 0;
}

static int fail_cipher(struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM, "libcrypto refuses AES-256 in counter mode");
}

static int set_key(struct random *r, const unsigned char *key, struct hagg_err *err)
{
    static const unsigned char counter[16];

    if (EVP_EncryptInit_ex2(r->cipher, EVP_aes_256_ctr(), key, counter, NULL) != 1)
        return fail_cipher(err);
    r->left = r->is_stream ? SIZE_MAX : CHUNK_BYTES;
    return 0;
}

static int key_stream(struct random *r, unsigned char *out, size_t n, struct hagg_err *err)
{
    while (n > 0) {
        size_t now = n < sizeof zeros ? n : sizeof zeros;
        int made;

        if (EVP_EncryptUpdate(r->cipher, out, &made, zeros, (int)now) != 1 || (size_t)made != now)
            return fail_cipher(err);
        out += now;
        n -= now;
    }
    return 0;
}

static int next_key(struct random *r, struct hagg_err *err)
{
    unsigned char key[RANDOM_SEED_BYTES];
    int status = key_stream(r, key, sizeof key, err);

    if (status == 0)
        status = set_key(r, key, err);
    explicit_bzero(key, sizeof key);
    return status;
}

static int digest(const unsigned char key[RANDOM_SEED_BYTES], const char *purpose,
                  unsigned char out[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    _Static_assert(RANDOM_SEED_BYTES == MAC_KEY_BYTES && MAC_KEY_BYTES == MAC_BYTES,
                   "a digest under a seed is a seed");
    struct mac *mac = mac_new(key, err);
    int status = mac ? mac_add(mac, purpose, strlen(purpose), err) : -1;

    if (status == 0)
        status = mac_end(mac, out, err);
    mac_free(mac);
    return status;
}

int random_derive(const struct random *r, const char *purpose,
                  unsigned char secret[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    return r->file ? random_kernel(secret, RANDOM_SEED_BYTES, err)
                   : digest(r->root, purpose, secret, err);
}

static struct random *with_key(const unsigned char seed[RANDOM_SEED_BYTES], bool is_stream,
                               struct hagg_err *err)
{
    struct random *r = calloc(1, sizeof *r);

    if (!r) {
        err_errno(err, "cannot set up the random generator");
        return NULL;
    }
    r->is_stream = is_stream;
    r->cipher = EVP_CIPHER_CTX_new();
    if (!r->cipher)
        fail_cipher(err);
    else if (digest(seed, "root", r->root, err) == 0 && set_key(r, seed, err) == 0)
        return r;
    random_free(r);
    return NULL;
}

struct random *random_seeded(const unsigned char seed[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    return with_key(seed, false, err);
}

struct random *random_stream(const unsigned char key[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    return with_key(key, true, err);
}

int random_at(struct random *stream, uint64_t n, struct hagg_err *err)
{
    unsigned char counter[16] = { 0 };

    for (size_t i = 0; i < 8; i++)
        counter[i] = (unsigned char)(n >> (56 - 8 * i));
    if (EVP_EncryptInit_ex2(stream->cipher, NULL, NULL, counter, NULL) != 1)
        return fail_cipher(err);
    stream->left = SIZE_MAX;
    return 0;
}

struct random *random_new(struct hagg_err *err)
{
    unsigned char seed[RANDOM_SEED_BYTES];
    struct random *r = NULL;

    if (random_kernel(seed, sizeof seed, err) == 0)
        r = random_seeded(seed, err);
    explicit_bzero(seed, sizeof seed);
    return r;
}

static bool are_all(const unsigned char *bytes, size_t n, unsigned char value)
{
    return n == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, n - 1) == 0);
}

static int fail_equal(const struct random *r, struct hagg_err *err)
{
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: all its bytes are the same: give a random source with random bytes",
                   r->name);
}

/* Refuses a file whose bytes are all the same. A pipe or device is examined while it is read. */
static int examine_file(struct random *r, struct hagg_err *err)
{
    int fd = fileno(r->file);
    unsigned char *bytes;
    struct stat st;
    ssize_t n;
    int status = 0;

    r->examine = fstat(fd, &st) || !S_ISREG(st.st_mode);
    if (r->examine)
        return 0;
    bytes = malloc(EXAMINED_BYTES);
    if (!bytes)
        return err_errno(err, "%s", r->name);
    n = pread(fd, bytes, EXAMINED_BYTES, 0);
    if (n >= EQUAL_BYTES && are_all(bytes, (size_t)n, bytes[0]))
        status = fail_equal(r, err);
    explicit_bzero(bytes, n > 0 ? (size_t)n : 0);
    free(bytes);
    return status;
}

static int examine(struct random *r, const unsigned char *bytes, size_t n, struct hagg_err *err)
{
    if (n == 0)
        return 0;
    if (r->n_equal == 0)
        r->first = bytes[0];
    r->examine = are_all(bytes, n, r->first);
    r->n_equal += n;
    return r->examine && r->n_equal >= EQUAL_BYTES ? fail_equal(r, err) : 0;
}

struct random *random_open(const char *path, struct hagg_err *err)
{
    struct random *r = calloc(1, sizeof *r);

    if (!r || !(r->name = strdup(path)) || !(r->file = fopen(path, "rbe"))) {
        err_errno(err, "%s", path);
        random_free(r);
        return NULL;
    }
    if (infile_note(fileno(r->file), path, err) || examine_file(r, err)) {
        random_free(r);
        return NULL;
    }
    /* unbuffered: read no more bytes than needed, from a device or pipe too */
    setvbuf(r->file, NULL, _IONBF, 0);
    return r;
}

void random_free(struct random *r)
{
    if (!r)
        return;
    EVP_CIPHER_CTX_free(r->cipher); /* libcrypto wipes the key */
    explicit_bzero(r->root, sizeof r->root);
    explicit_bzero(r->begin, sizeof r->begin);
    if (r->file)
        fclose(r->file);
    free(r->name);
    free(r);
}

bool random_is_file(const struct random *r)
{
    return r->file != NULL;
}

static void keep_begin(struct random *r, const unsigned char *bytes, size_t n)
{
    size_t room = sizeof r->begin - r->n_begin;

    memcpy(r->begin + r->n_begin, bytes, n < room ? n : room);
    r->n_begin += n < room ? n : room;
}

bool random_first(const struct random *r, unsigned char first[RANDOM_FIRST_BYTES])
{
    if (!r->file || r->n_begin < sizeof r->begin)
        return false;
    memcpy(first, r->begin, sizeof r->begin);
    return true;
}

int random_bytes(struct random *r, void *out, size_t n, struct hagg_err *err)
{
    unsigned char *to = out;

    if (r->file) {
        errno = 0;
        if (fread(to, 1, n, r->file) == n) {
            keep_begin(r, to, n);
            return r->examine ? examine(r, to, n, err) : 0;
        }
        if (ferror(r->file))
            return err_errno(err, "%s", r->name);
        return err_set(err, HAGG_E_SYSTEM,
                       "%s: ends too early: give a random source with more bytes", r->name);
    }
    while (n > 0) {
        size_t now = n < r->left ? n : r->left;

        if (key_stream(r, to, now, err))
            return -1;
        to += now;
        n -= now;
        r->left -= now;
        if (r->left == 0 && next_key(r, err))
            return -1;
    }
    return 0;
}
