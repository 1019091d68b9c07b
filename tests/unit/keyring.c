#include "identity/keyring.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "nodes.h"
#include "scratch.h"

#define CLIENT(n)  ((struct node){ NODE_CLIENT, n })
#define STATION(n) ((struct node){ NODE_STATION, n })
#define RELAY(n)   ((struct node){ NODE_RELAY, n })

static const struct node all[] = { CLIENT(1),  CLIENT(2), CLIENT(3), STATION(1),        STATION(2),
                                   STATION(3), RELAY(1),  RELAY(2),  NODE_THE_FEDERATOR };
#define N_ALL (sizeof all / sizeof *all)

static struct plan plan;

static bool is_key_of(const struct x25519 *key, struct node node, bool other)
{
    uint8_t want[X25519_BYTES];

    nodes_public(want, node, other);
    return key && memcmp(x25519_public(key), want, sizeof want) == 0;
}

static void fills_in_marks(void)
{
    static const struct {
        const char *path;
        struct node node;
        const char *want;
    } cases[] = {
        { "k.pem", CLIENT(3), "k.pem" },
        { "{}.pem", CLIENT(3), "3.pem" },
        { "{tier}/{}.pem", STATION(12), "station/12.pem" },
        { "{tier}{tier}-{}{}", RELAY(2), "relayrelay-22" },
        { "{tier}.pem", NODE_THE_FEDERATOR, "federator.pem" },
        { "{tier/{}}{}", CLIENT(1), "{tier/1}1" },
        { "{{tier}}", CLIENT(1), "{client}" },
        { "", CLIENT(1), "" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = keyring_path(cases[i].path, cases[i].node);

        CHECK_STR(path, cases[i].want);
        free(path);
    }
}

/* One file: the identities name its owner. */
static void acts_as_one_node(void)
{
    struct hagg_err err = { 0 };
    struct keyring *k;
    struct node self = CLIENT(1);
    char want[400];

    for (int other = 0; other < 2; other++) {
        const char *path = scratch_path(other ? NODES_OTHER_KEY : "station-2.pem");

        k = keyring_new(&plan, path, &err);
        if (!CHECK(k != NULL))
            return;
        CHECK(keyring_plan(k) == &plan && keyring_identities(k) != NULL);
        CHECK(keyring_self(k, &self, &err) == 0 && node_equal(self, STATION(2)));
        for (size_t i = 0; i < N_ALL; i++)
            CHECK(keyring_acts_as(k, all[i]) == node_equal(all[i], STATION(2)));
        CHECK(is_key_of(keyring_private(k, STATION(2), &err), STATION(2), other));
        CHECK(keyring_private(k, CLIENT(1), &err) == NULL && err.status == HAGG_E_PRIVACY);
        snprintf(want, sizeof want, "%s is the private key of station 2, not of client 1", path);
        CHECK_STR(err.text, want);
        keyring_free(k);
    }
    keyring_free(NULL);
}

static void acts_as_all_with_marks(void)
{
    struct hagg_err err = { 0 };
    const char *path = scratch_path(NODES_KEYS);
    struct keyring *k = keyring_new(&plan, path, &err);
    const struct x25519 *first[N_ALL];
    struct node self;
    char want[400];

    if (!CHECK(k != NULL))
        return;
    for (size_t i = 0; i < N_ALL; i++) {
        CHECK(keyring_acts_as(k, all[i]));
        first[i] = keyring_private(k, all[i], &err);
        CHECK(is_key_of(first[i], all[i], false));
    }
    for (size_t i = 0; i < N_ALL; i++)
        CHECK(keyring_private(k, all[i], &err) == first[i]);
    CHECK(keyring_self(k, &self, &err) == -1 && err.status == HAGG_E_USAGE);
    snprintf(want, sizeof want, "%s: names several private keys: name one", path);
    CHECK_STR(err.text, want);
    err = (struct hagg_err){ 0 };
    CHECK(keyring_private(k, CLIENT(4), &err) == NULL && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: No such file or directory", scratch_path("client-4.pem"));
    CHECK_STR(err.text, want);
    keyring_free(k);
}

/* With marks too, a file must have a key of the node that it is for. */
static void refuses_the_key_of_another(void)
{
    uint8_t key[X25519_BYTES];
    struct hagg_err err = { 0 };
    const char *path = scratch_path(NODES_KEYS), *file = scratch_path("client-1.pem");
    struct keyring *k = keyring_new(&plan, path, &err);
    char want[400];

    for (int stranger = 0; stranger < 2; stranger++) {
        nodes_private(key, stranger ? CLIENT(77) : CLIENT(2), false);
        nodes_write_key(file, key, 0600);
        CHECK(keyring_private(k, CLIENT(1), &err) == NULL && err.status == HAGG_E_PRIVACY);
        snprintf(want, sizeof want, "%s: is not a private key of client 1 in %s", file,
                 scratch_path(NODES_IDENTITIES));
        CHECK_STR(err.text, want);
    }
    /* a failure is not remembered */
    nodes_private(key, CLIENT(1), false);
    nodes_write_key(file, key, 0600);
    CHECK(is_key_of(keyring_private(k, CLIENT(1), &err), CLIENT(1), false));
    keyring_free(k);
    /* one file that nobody owns */
    nodes_private(key, CLIENT(77), false);
    file = scratch_path("stranger.pem");
    nodes_write_key(file, key, 0600);
    CHECK(keyring_new(&plan, file, &err) == NULL && err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "%s: is not the private key of any node in %s: use one whose public key is in it",
             file, scratch_path(NODES_IDENTITIES));
    CHECK_STR(err.text, want);
}

static void refuses_permissions_for_others(void)
{
    static const mode_t modes[] = { 0640, 0604, 0620, 0602, 0610, 0601, 0644, 0660, 0777 };
    const char *file = scratch_path("client-3.pem"), *path = scratch_path(NODES_KEYS);
    struct hagg_err err = { 0 };
    char want[600];

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct keyring *k = keyring_new(&plan, path, &err);

        CHECK(chmod(file, modes[i]) == 0);
        snprintf(want, sizeof want,
                 "%s: is secret, but others have permissions for it (mode %04o): if nobody has "
                 "read it, use chmod 600 %s; otherwise make a new one",
                 file, (unsigned)modes[i], file);
        CHECK(keyring_private(k, CLIENT(3), &err) == NULL && err.status == HAGG_E_PRIVACY);
        CHECK_STR(err.text, want);
        err = (struct hagg_err){ 0 };
        CHECK(keyring_new(&plan, file, &err) == NULL && err.status == HAGG_E_PRIVACY);
        CHECK_STR(err.text, want);
        keyring_free(k);
    }
    for (int i = 0; i < 2; i++) {
        struct keyring *k;

        CHECK(chmod(file, i ? 0400 : 0600) == 0);
        k = keyring_new(&plan, file, &err);
        CHECK(k != NULL);
        keyring_free(k);
    }
}

/* A file that is no private key is malformed, and so is one that is too large. */
static void refuses_other_files(void)
{
    static char large[20000];
    const char *file = scratch_path("wrong.pem");
    struct hagg_err err = { 0 };
    char want[400];

    scratch_write(file, "client 1\n", 9);
    chmod(file, 0600);
    CHECK(keyring_new(&plan, file, &err) == NULL && err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want,
             "%s: is not a private key in PEM: make one with hagg-keygen --identity", file);
    CHECK_STR(err.text, want);
    memset(large, '\n', sizeof large);
    scratch_write(file, large, 16384);
    CHECK(keyring_new(&plan, file, &err) == NULL && err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want, "%s: is too large for a private key", file);
    CHECK_STR(err.text, want);
    CHECK(keyring_new(&plan, scratch_path("nowhere.pem"), &err) == NULL);
    CHECK(err.status == HAGG_E_SYSTEM);
    /* a directory, and a file without a byte */
    CHECK(keyring_new(&plan, scratch_path("."), &err) == NULL);
    scratch_write(file, "", 0);
    CHECK(keyring_new(&plan, file, &err) == NULL && err.status == HAGG_E_MALFORMED);
}

static void converts_nodes_of_headers(void)
{
    struct header_node named;
    struct node node;

    for (size_t i = 0; i < N_ALL; i++) {
        named = node_in_header(all[i]);
        CHECK(keyring_node(&named, &node) == 0 && node_equal(node, all[i]));
    }
    CHECK(keyring_node(&(struct header_node){ "holder", 1 }, &node) == -1);
    CHECK(keyring_node(&(struct header_node){ "", 0 }, &node) == -1);
}

struct visitor {
    struct keyring *k;
    const struct x25519 *keys[N_ALL];
    size_t begin;
};

static void *visit(void *arg)
{
    struct visitor *v = arg;
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < N_ALL; i++) {
        size_t at = (v->begin + i) % N_ALL;

        v->keys[at] = keyring_private(v->k, all[at], &err);
    }
    return NULL;
}

/* Every thread gets the same key pairs, each of which is loaded once. */
static void serves_threads(void)
{
    enum { THREADS = 8 };
    struct visitor visitors[THREADS];
    pthread_t threads[THREADS];
    struct hagg_err err = { 0 };
    struct keyring *k = keyring_new(&plan, scratch_path(NODES_KEYS), &err);
    size_t wrong = 0;

    for (size_t i = 0; i < THREADS; i++) {
        visitors[i] = (struct visitor){ .k = k, .begin = i };
        CHECK(pthread_create(&threads[i], NULL, visit, &visitors[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (size_t i = 0; i < THREADS; i++)
        for (size_t j = 0; j < N_ALL; j++)
            wrong += visitors[i].keys[j] != visitors[0].keys[j] ||
                     !is_key_of(visitors[i].keys[j], all[j], false);
    CHECK(wrong == 0);
    keyring_free(k);
}

static void reports_missing_memory(void)
{
    /* the memory of libcrypto is not refused */
    for (int marks = 0; marks < 2; marks++) {
        const char *path = scratch_path(marks ? NODES_KEYS : "relay-1.pem");
        unsigned long at = 0;

        for (bool refused = true; refused; at++) {
            struct hagg_err err = { 0 };
            struct keyring *k;
            const struct x25519 *key;

            alloc_refuse(at);
            k = keyring_new(&plan, path, &err);
            key = k ? keyring_private(k, RELAY(1), &err) : NULL;
            refused = alloc_refused();
            alloc_watch();
            CHECK((key == NULL) == refused);
            CHECK(refused ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
            keyring_free(k);
        }
        CHECK(at > 6);
    }
}

static void needs_the_identities_of_the_plan(void)
{
    struct hagg_err err = { 0 };

    scratch_write(scratch_path(NODES_IDENTITIES), "#\n", 2);
    CHECK(keyring_new(&plan, scratch_path("client-1.pem"), &err) == NULL);
    CHECK(err.status == HAGG_E_PRIVACY && strstr(err.text, "does not have the SHA-256"));
}

int main(void)
{
    nodes_load(&plan);
    fills_in_marks();
    acts_as_one_node();
    acts_as_all_with_marks();
    refuses_the_key_of_another();
    refuses_permissions_for_others();
    refuses_other_files();
    converts_nodes_of_headers();
    serves_threads();
    reports_missing_memory();
    needs_the_identities_of_the_plan();
    plan_free(&plan);
    return check_end();
}
