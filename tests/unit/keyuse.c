#include "secrets/keyuse.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "crypto/random.h"
#include "scratch.h"

static int claim(const char *key, uint8_t first, uint8_t seed[KEYUSE_SEED_BYTES],
                 struct hagg_err *err)
{
    struct random *random = random_new(err);
    uint8_t digest[16] = { first };
    int status = random_bytes(random, seed, KEYUSE_SEED_BYTES, err);

    if (status == 0)
        status = keyuse_claim(key, digest, seed, err);

    random_free(random);
    return status;
}

static void remembers_one_vector(void)
{
    const char *key = scratch_path("key"), *used = scratch_path("key.used");
    uint8_t seed[32], again[32];
    struct hagg_err err = { 0 };
    char want[8192];
    struct stat st;

    CHECK(claim(key, 1, seed, &err) == 0);
    CHECK(stat(used, &st) == 0 && (st.st_mode & 07777) == 0600 && st.st_nlink == 1);
    CHECK(scratch_count("key") == 1);
    for (int i = 0; i < 3; i++) {
        CHECK(claim(key, 1, again, &err) == 0);
        CHECK(memcmp(seed, again, sizeof seed) == 0);
    }
    CHECK(claim(key, 2, again, &err) == -1 && err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "%s: has already padded another vector: make a new key with hagg-keygen", key);
    CHECK_STR(err.text, want);
    CHECK(claim(key, 1, again, &err) == 0 && memcmp(seed, again, sizeof seed) == 0);
    CHECK(scratch_count("key") == 1);
    unlink(used);
}

/* A process that is killed before it claims the key leaves a temporary file, which has no
 * effect. */
static void survives_crashes(void)
{
    uint8_t seed[32], again[32];
    struct hagg_err err = { 0 };

    scratch_write(scratch_path("key.used.AbCdEf"), "hagg key", 8);
    CHECK(claim(scratch_path("key"), 1, seed, &err) == 0);
    CHECK(claim(scratch_path("key"), 1, again, &err) == 0);
    CHECK(memcmp(seed, again, sizeof seed) == 0);
    /* one that is killed directly afterwards leaves a second name for the same file */
    unlink(scratch_path("key.used.AbCdEf"));
    CHECK(link(scratch_path("key.used"), scratch_path("key.used.AbCdEf")) == 0);
    CHECK(claim(scratch_path("key"), 2, again, &err) == -1 && err.status == HAGG_E_PRIVACY);
    unlink(scratch_path("key.used.AbCdEf"));
    unlink(scratch_path("key.used"));
}

/* Whatever the record contains, the key is not used again. */
static void refuses_damage(void)
{
    unsigned char good[65];
    struct hagg_err err = { 0 };
    char *used = strdup(scratch_path("key.used"));
    uint8_t seed[32];
    char want[8192];
    FILE *file;

    CHECK(claim(scratch_path("key"), 1, seed, &err) == 0);
    file = fopen(used, "rb");
    CHECK(file && fread(good, 1, sizeof good, file) == 64);
    fclose(file);
    snprintf(want, sizeof want,
             "%s: is damaged, so it does not show what the key has padded: make a new key with "
             "hagg-keygen",
             used);
    good[64] = 0;
    for (size_t n = 0; n <= 65; n++) {
        scratch_write(used, good, n);
        if (n == 64)
            continue;
        CHECK(claim(scratch_path("key"), 1, seed, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, want);
    }
    for (size_t i = 0; i < 16; i++) {
        good[i] ^= 1;
        scratch_write(used, good, 64);
        CHECK(claim(scratch_path("key"), 1, seed, &err) == -1 && err.status == HAGG_E_MALFORMED);
        good[i] ^= 1;
    }
    scratch_write(used, good, 64);
    CHECK(claim(scratch_path("key"), 1, seed, &err) == 0);
    unlink(used);
    CHECK(mkdir(used, 0700) == 0);
    CHECK(claim(scratch_path("key"), 1, seed, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(rmdir(used) == 0 && scratch_count("key") == 0);
    free(used);
}

static void says_what_cannot_be(void)
{
    struct hagg_err err = { 0 };
    uint8_t seed[32];

    CHECK(claim(scratch_path("missing/key"), 1, seed, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(strstr(err.text, "missing/key.used: No such file or directory") != NULL);
}

/* Two concurrent claims, for the same vector or for two. */
struct racer {
    pthread_t thread;
    pthread_barrier_t *start;
    char key[4096];
    uint8_t digest, seed[32];
    int status;
    struct hagg_err err;
};

static void *race(void *racer)
{
    struct racer *r = racer;

    pthread_barrier_wait(r->start);
    r->status = claim(r->key, r->digest, r->seed, &r->err);
    return NULL;
}

static void lets_one_win(void)
{
    for (int trial = 0; trial < 40; trial++) {
        struct racer r[3] = { 0 };
        pthread_barrier_t start;
        int n_won = 0, n_refused = 0;

        pthread_barrier_init(&start, NULL, 3);
        for (int i = 0; i < 3; i++) {
            r[i].start = &start;
            r[i].digest = (uint8_t)(trial % 2 ? 0 : i);
            snprintf(r[i].key, sizeof r[i].key, "%s", scratch_path("race"));
            CHECK(pthread_create(&r[i].thread, NULL, race, &r[i]) == 0);
        }
        for (int i = 0; i < 3; i++)
            pthread_join(r[i].thread, NULL);
        pthread_barrier_destroy(&start);
        for (int i = 0; i < 3; i++) {
            n_won += r[i].status == 0;
            n_refused += r[i].status == -1 && r[i].err.status == HAGG_E_PRIVACY;
        }
        CHECK(n_won == (trial % 2 ? 3 : 1) && n_won + n_refused == 3);
        if (trial % 2)
            CHECK(memcmp(r[0].seed, r[1].seed, 32) == 0 && memcmp(r[0].seed, r[2].seed, 32) == 0);
        CHECK(scratch_count("race") == 1);
        unlink(scratch_path("race.used"));
    }
}

static char *place_of(const char *key, uint8_t first)
{
    struct hagg_err err = { 0 };
    uint8_t id[16] = { first, 0xab, 1 };
    char *place = NULL;

    CHECK(keyuse_place(key, id, &place, &err) == 0);
    CHECK_STR(err.text, "");
    return place;
}

/* The place of a key does not depend on the name used for its file, but another key in the file has
 * another place. */
static void knows_the_file(void)
{
    char *direct, *through_link, *from_stdin, *other, *piped = (char *)1;
    uint8_t id[16] = { 0 };
    struct hagg_err err = { 0 };
    int saved = dup(STDIN_FILENO), file, ends[2];

    scratch_write(scratch_path("named"), "key", 3);
    CHECK(symlink("named", scratch_path("alias")) == 0);
    file = open(scratch_path("named"), O_RDONLY);
    CHECK(dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    direct = place_of(scratch_path("named"), 7);
    through_link = place_of(scratch_path("alias"), 7);
    from_stdin = place_of("-", 7);
    other = place_of(scratch_path("named"), 8);
    CHECK(strstr(direct, "/named.07ab010000000000") != NULL);
    CHECK_STR(through_link, direct);
    CHECK_STR(from_stdin, direct);
    CHECK(strcmp(other, direct) != 0);
    free(direct);
    free(through_link);
    free(from_stdin);
    free(other);
    /* a pipe is read once, but a named pipe could be filled again */
    CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    CHECK(keyuse_place("-", id, &piped, &err) == 0 && piped == NULL);
    CHECK(mkfifo(scratch_path("fifo"), 0600) == 0);
    CHECK(keyuse_place(scratch_path("fifo"), id, &piped, &err) == -1);
    CHECK(err.status == HAGG_E_PRIVACY && piped == NULL);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
    close(ends[1]);
    CHECK(link(scratch_path("named"), scratch_path("second")) == 0);
    CHECK(keyuse_place(scratch_path("named"), id, &piped, &err) == -1);
    CHECK(err.status == HAGG_E_PRIVACY && strstr(err.text, "has 2 hard links") != NULL);
    CHECK(keyuse_place(scratch_path("missing"), id, &piped, &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM && piped == NULL);
}

int main(void)
{
    knows_the_file();
    remembers_one_vector();
    survives_crashes();
    refuses_damage();
    says_what_cannot_be();
    lets_one_win();
    return check_end();
}
