/* Output files and batches with a sealer: which seed the records are sealed with. */
#include "records/outfiles.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "crypto/random.h"
#include "feed.h"
#include "identity/sealing.h"
#include "nodes.h"
#include "records/batch.h"
#include "reader.h"
#include "scratch.h"
#include "writer.h"

static struct plan plan;
static struct keyring *marked;
static struct sealing sealing;

enum { LENGTH = 20000 }; /* two chunks */

/* Writes a share of a client for a station. */
static int write_share(struct outfiles *out, uint32_t client, uint32_t station,
                       struct hagg_err *err)
{
    static uint32_t all[] = { 1, 2, 3 };
    static const uint8_t elems[4 * LENGTH] = { 1, 2, 3 };
    struct header_tier tier = { "station", all, 3 };
    struct header_range clients = { client, client };
    struct header h = {
        .kind = HEADER_SHARE,
        .secret = HEADER_PLAIN,
        .field = "m31",
        .scheme = { "ramp", 3, 2, 1, station - 1, true, station },
        .route = &tier,
        .n_route = 1,
        .from = { "client", client },
        .to = { "station", station },
        .has_round = true,
        .round = 3,
        .length = LENGTH,
        .clients = &clients,
        .n_clients = 1,
        .has_plan = true,
    };
    struct writer *w = outfiles_writer(out, station, err);

    memcpy(h.plan, plan.digest, sizeof h.plan);
    return w && writer_begin(w, &h, 4, LENGTH, err) == 0 &&
                   writer_elems(w, elems, LENGTH, err) == 0 && writer_end(w, err) == 0
               ? 0
               : -1;
}

/* The ephemeral keys of all records of a file, which must be sealed; their number. */
static size_t read_encs(const char *path, uint8_t encs[][SEAL_ENC_BYTES])
{
    struct hagg_err err = { 0 };
    struct reader *r = reader_open(path, NULL, &err);
    unsigned char *bytes;
    size_t n = 0, len;

    bytes = feed_content(path, &len);
    while (r && reader_next(r, &err) == 1) {
        uint8_t key[X25519_BYTES], id[SEAL_KEY_ID_BYTES];
        const struct header *h = reader_header(r);
        struct node from = { 0 };
        unsigned char *at;

        CHECK(reader_is_sealed(r) && keyring_node(&h->from, &from) == 0);
        nodes_public(key, from, false);
        CHECK(identities_key_id(id, key, &err) == 0);
        /* two ids with a head between them, then the head of enc */
        at = memmem(bytes + reader_offset(r), len - reader_offset(r), id, sizeof id);
        if (CHECK(at != NULL))
            memcpy(encs[n++], at + 8 + 1 + 8 + 2, SEAL_ENC_BYTES);
    }
    CHECK_STR(err.text, "");
    reader_free(r);
    free(bytes);
    return n;
}

/* The seed of a run. */
enum source { NO_SEED, SEED, OTHER_SEED, FILE_SOURCE };

static struct random *source_of(enum source source, struct hagg_err *err)
{
    unsigned char seed[RANDOM_SEED_BYTES] = { source == SEED ? 1 : 2 };

    return source == FILE_SOURCE ? random_open("/proc/self/exe", err) : random_seeded(seed, err);
}

/* Writes shares for three stations, directly or collected in memory, and returns the contents. */
static uint8_t *write_all(enum source source, bool in_memory, bool late, size_t *n)
{
    struct hagg_err err = { 0 };
    struct random *random = source_of(source, &err);
    struct outfiles *files = outfiles_new(scratch_path("to-{}"), false, &err), *out = files;
    uint8_t *all = NULL;

    outfiles_set_sealer(files, &sealing.base);
    if (in_memory)
        out = outfiles_new_memory(files, &err);
    /* writers that are open get the seed too */
    if (late)
        CHECK(outfiles_writer(out, 1, &err) && outfiles_writer(out, 2, &err));
    if (source != NO_SEED)
        CHECK(outfiles_set_seed(out, random, &err) == 0);
    for (uint32_t u = 1; u <= 3; u++)
        CHECK(write_share(out, 1, u, &err) == 0);
    if (in_memory) {
        CHECK(outfiles_move(files, out, &err) == 0);
        outfiles_free(out);
    }
    CHECK(outfiles_publish(files, &err) == 0);
    CHECK_STR(err.text, "");
    outfiles_free(files);
    random_free(random);
    *n = 0;
    for (int u = 1; u <= 3; u++) {
        char name[16];
        size_t len;
        unsigned char *bytes;

        snprintf(name, sizeof name, "to-%d", u);
        bytes = feed_content(scratch_path(name), &len);
        all = realloc(all, *n + len);
        memcpy(all + *n, bytes, len);
        *n += len;
        free(bytes);
        unlink(scratch_path(name));
    }
    return all;
}

static void seals_with_the_seed(void)
{
    size_t n, n_again;
    uint8_t *first = write_all(SEED, false, false, &n), *again;

    for (int how = 1; how < 4; how++) {
        again = write_all(SEED, how & 1, how & 2, &n_again);
        CHECK(n == n_again && memcmp(first, again, n) == 0);
        free(again);
    }
    for (enum source source = NO_SEED; source <= FILE_SOURCE; source++) {
        uint8_t *second;

        again = write_all(source, false, false, &n_again);
        CHECK(n == n_again && (memcmp(first, again, n) == 0) == (source == SEED));
        second = write_all(source, true, false, &n_again);
        CHECK((memcmp(second, again, n) == 0) == (source == SEED || source == OTHER_SEED));
        free(second);
        free(again);
    }
    free(first);
}

/* Without a sealer the seed is not needed, and the records are not sealed. */
static void needs_no_seed_without_a_sealer(void)
{
    struct hagg_err err = { 0 };
    struct random *random = source_of(SEED, &err);
    struct outfiles *out = outfiles_new(scratch_path("plain"), false, &err);
    struct reader *r;

    CHECK(outfiles_set_seed(out, random, &err) == 0 && write_share(out, 1, 1, &err) == 0);
    CHECK(outfiles_publish(out, &err) == 0);
    outfiles_free(out);
    random_free(random);
    r = reader_open(scratch_path("plain"), NULL, &err);
    CHECK(reader_next(r, &err) == 1 && !reader_is_sealed(r) && reader_next(r, &err) == 0);
    reader_free(r);
}

/* A record that cannot be sealed: no file appears. */
static void publishes_nothing_if_refused(void)
{
    struct keyring *other = nodes_keyring(&plan, "station-1.pem");
    struct hagg_err err = { 0 };
    struct outfiles *out = outfiles_new(scratch_path("refused-{}"), false, &err);
    struct sealing s;

    sealing_init(&s, other);
    outfiles_set_sealer(out, &s.base);
    CHECK(write_share(out, 1, 1, &err) == -1 && err.status == HAGG_E_PRIVACY);
    outfiles_free(out);
    CHECK(scratch_count("refused-") == 0);
    keyring_free(other);
}

enum { MOST_NODES = 60 };
static size_t n_nodes = MOST_NODES;

/* The seed of each node in a batch. */
struct seeds {
    bool same; /* True for a seed that depends on the node only. */
};

static int make(void *arg, size_t i, void *node, struct outfiles *out, struct hagg_err *err)
{
    const struct seeds *seeds = arg;
    unsigned char seed[RANDOM_SEED_BYTES] = { 7, (unsigned char)i };
    struct random *random = seeds->same ? random_seeded(seed, err) : random_new(err);
    int status = random ? outfiles_set_seed(out, random, err) : -1;

    (void)node;
    for (uint32_t u = 1; u <= 3 && status == 0; u++)
        status = write_share(out, (uint32_t)i % 3 + 1, u, err);
    random_free(random);
    return status;
}

static void run_batch(const char *output, unsigned n_threads, bool same, uint8_t **bytes, size_t *n)
{
    static uint32_t numbers[MOST_NODES];
    struct seeds seeds = { same };
    struct hagg_err err = { 0 };
    struct parallel *pool = n_threads > 1 ? parallel_new(n_threads, &err) : NULL;
    struct batch_job job = {
        .tier = "client",
        .numbers = numbers,
        .n = n_nodes,
        .mark = "{client}",
        .output = output,
        .sealer = &sealing.base,
        .size = 8,
        .make = make,
        .arg = &seeds,
        .pool = pool,
    };
    bool readable;

    for (uint32_t i = 0; i < n_nodes; i++)
        numbers[i] = i + 1;
    CHECK(batch_run(&job, &readable, &err) == 0);
    CHECK_STR(err.text, "");
    parallel_free(pool);
    *bytes = feed_content(output, n);
}

/* Every node of a batch has its own seed, on any number of threads. */
static void seals_batches(bool quick)
{
    static uint8_t encs[3 * MOST_NODES][SEAL_ENC_BYTES];
    char output[4096];
    uint8_t *first, *again;
    size_t n, n_again, same = 0;

    snprintf(output, sizeof output, "%s", scratch_path("batch"));
    run_batch(output, 1, true, &first, &n);
    run_batch(output, 1, false, &again, &n_again);
    CHECK(n == n_again && memcmp(first, again, n) != 0);
    free(again);
    for (unsigned threads = 2; threads <= (quick ? 2 : 4); threads++) {
        run_batch(output, threads, true, &again, &n_again);
        CHECK(n == n_again && memcmp(first, again, n) == 0);
        free(again);
    }
    free(first);
    /* now the file is an input */
    CHECK(read_encs(output, encs) == 3 * n_nodes);
    for (size_t i = 0; i < 3 * n_nodes; i++)
        for (size_t j = 0; j < i; j++)
            same += memcmp(encs[i], encs[j], SEAL_ENC_BYTES) == 0;
    CHECK(same == 0);
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;

    if (quick)
        n_nodes = 12;
    nodes_load(&plan);
    marked = nodes_keyring(&plan, NODES_KEYS);
    sealing_init(&sealing, marked);
    seals_with_the_seed();
    needs_no_seed_without_a_sealer();
    publishes_nothing_if_refused();
    seals_batches(quick);
    keyring_free(marked);
    plan_free(&plan);
    return check_end();
}
