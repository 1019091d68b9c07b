#include "identity/identities.h"

#include <stdlib.h>
#include <time.h>

#include "alloc.h"
#include "check.h"
#include "crypto/sha256.h"
#include "nodes.h"
#include "scratch.h"

#define CLIENT(n)  ((struct node){ NODE_CLIENT, n })
#define STATION(n) ((struct node){ NODE_STATION, n })
#define RELAY(n)   ((struct node){ NODE_RELAY, n })

static struct plan plan;
static bool quick;

static const struct node all[] = { CLIENT(1),  CLIENT(2), CLIENT(3), STATION(1),        STATION(2),
                                   STATION(3), RELAY(1),  RELAY(2),  NODE_THE_FEDERATOR };
#define N_ALL (sizeof all / sizeof *all)

/* Any 32 bytes are a key of some node here. */
static const uint8_t *any_key(uint32_t number)
{
    static uint8_t key[X25519_BYTES];

    memset(key, 0x40, sizeof key);
    for (int i = 0; i < 4; i++)
        key[i] = (uint8_t)(number >> 8 * i);
    return key;
}

/* The lines of all nodes but one. */
static void add_all(struct text *t, size_t without)
{
    for (size_t i = 0; i < N_ALL; i++)
        if (i != without)
            text_printf(t, "%s", nodes_line(all[i], any_key((uint32_t)i)));
}

static struct identities *parse(const struct text *t, struct hagg_err *err)
{
    *err = (struct hagg_err){ 0 };
    return identities_parse(&plan, "ids", t->bytes, t->len, err);
}

static void accepts(struct text *t)
{
    struct hagg_err err;
    struct identities *ids = parse(t, &err);

    CHECK_STR(err.text, "");
    if (CHECK(ids != NULL))
        for (size_t i = 0; i < N_ALL; i++) {
            const struct identity *id = identities_of(ids, all[i]);

            CHECK(id && memcmp(id->key, any_key((uint32_t)i), X25519_BYTES) == 0);
        }
    identities_free(ids);
    text_free(t);
}

static void refuses(struct text *t, const char *message)
{
    struct hagg_err err;
    struct identities *ids = parse(t, &err);

    CHECK(ids == NULL && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, message);
    identities_free(ids);
    text_free(t);
}

static void reads_all_forms(void)
{
    struct text t = { 0 };
    char key[X25519_TEXT_ROOM];

    add_all(&t, N_ALL);
    accepts(&t);
    /* comments, empty lines, tabs, an end without a newline */
    text_printf(&t, "# keys\n\n   \t\n\t# more\n");
    add_all(&t, 8);
    x25519_print(key, any_key(8));
    text_printf(&t, "  federator\t \t%s # the last", key);
    accepts(&t);
    /* lines of another system */
    for (size_t i = 0; i < N_ALL; i++) {
        const char *line = nodes_line(all[i], any_key((uint32_t)i));

        text_printf(&t, "%.*s\r\n", (int)strlen(line) - 1, line);
    }
    text_printf(&t, "\r\n# comment\r\n");
    accepts(&t);
    /* nodes that the plan does not have, up to the largest number */
    add_all(&t, N_ALL);
    text_printf(&t, "%s", nodes_line(CLIENT(4), any_key(100)));
    text_printf(&t, "%s", nodes_line(RELAY(LIMIT_NUMBER), any_key(101)));
    accepts(&t);
}

static void names_what_is_wrong(void)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        { "clinet 1 KEY", "ids:10: 'clinet': must be client, station, relay or federator: did you "
                          "mean 'client'?" },
        { "x 1 KEY", "ids:10: 'x': must be client, station, relay or federator" },
        { "Client 1 KEY", "ids:10: 'Client': must be client, station, relay or federator: did you "
                          "mean 'client'?" },
        { "client", "ids:10: 'client': needs a number after it" },
        { "client KEY", "ids:10: 'KEY': is not a number" },
        { "client 0 KEY", "ids:10: '0': number must be at least 1" },
        { "client 01 KEY", "ids:10: '01': number has a leading zero" },
        { "client -1 KEY", "ids:10: '-1': is not a number" },
        { "client 1-3 KEY", "ids:10: '1-3': is not a number" },
        { "client 1,2 KEY", "ids:10: '1,2': is not a number" },
        { "client all KEY", "ids:10: 'all': is not a number" },
        { "client 99999999999999999999 KEY",
          "ids:10: '99999999999999999999': number must be at most 4294967295" },
        { "client 4", "ids:10: 'client': needs a public key of 44 characters, as hagg-keygen "
                      "--identity prints it" },
        { "client 4 KEY", "ids:10: 'KEY': needs a public key of 44 characters, as hagg-keygen "
                          "--identity prints it" },
        { "federator", "ids:10: 'federator': needs a public key of 44 characters, as hagg-keygen "
                       "--identity prints it" },
        { "federator 1 KEY", "ids:10: '1': needs a public key of 44 characters, as hagg-keygen "
                             "--identity prints it" },
        { "client 4 hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo= old",
          "ids:10: 'old': is an extra word" },
        { "federator hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo= 1",
          "ids:10: '1': is an extra word" },
        { "client 4 hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTm\xc3\xb6",
          "ids:10: 'client 4 hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr': contains characters that are not "
          "printable ASCII" },
        { "client 4\r5", "ids:10: 'client 4?5': contains characters that are not printable "
                         "ASCII" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = { 0 };

        add_all(&t, N_ALL);
        text_printf(&t, "%s\n", cases[i].line);
        refuses(&t, cases[i].message);
    }
}

static void refuses_nul(void)
{
    static const char message[] = "ids: contains a NUL byte: this is not a file of identities";

    for (size_t at = 0; at < 3; at++) {
        struct text t = { 0 };

        add_all(&t, N_ALL);
        t.bytes[at == 0 ? 0 : at == 1 ? 100 : t.len - 1] = 0;
        refuses(&t, message);
    }
}

static void refuses_equal_keys(void)
{
    struct text t = { 0 };

    add_all(&t, N_ALL);
    text_printf(&t, "%s", nodes_line(STATION(3), any_key(2)));
    refuses(&t, "ids: lines 3 and 10 have the same key: every node needs its own");
    /* also of one node */
    text_printf(&t, "# first\n");
    text_printf(&t, "%s", nodes_line(CLIENT(1), any_key(0)));
    add_all(&t, N_ALL);
    refuses(&t, "ids: lines 2 and 3 have the same key: every node needs its own");
}

static void needs_every_node(void)
{
    static const char *const names[N_ALL] = { "client 1",  "client 2",  "client 3",
                                              "station 1", "station 2", "station 3",
                                              "relay 1",   "relay 2",   "federator 1" };
    struct text t = { 0 };
    char want[400];

    for (size_t without = 0; without < N_ALL; without++) {
        add_all(&t, without);
        snprintf(want, sizeof want,
                 "ids: has no key of %s, which is in %s: add the line that hagg-keygen --identity "
                 "prints there, and plan again",
                 names[without], plan.name);
        refuses(&t, want);
    }
    /* an empty file has none */
    text_printf(&t, "%s", "");
    snprintf(want, sizeof want,
             "ids: has no key of federator 1, which is in %s: add the line that hagg-keygen "
             "--identity prints there, and plan again",
             plan.name);
    refuses(&t, want);
}

/* The id is the beginning of the SHA-256 of the key, computed by sha256sum. */
static void knows_the_id(void)
{
    static const uint8_t want[SEAL_KEY_ID_BYTES] = {
        0x66, 0x68, 0x7a, 0xad, 0xf8, 0x62, 0xbd, 0x77
    };
    uint8_t id[SEAL_KEY_ID_BYTES], key[X25519_BYTES] = { 0 };
    struct hagg_err err = { 0 };
    struct text t = { 0 };

    CHECK(identities_key_id(id, key, &err) == 0 && memcmp(id, want, sizeof id) == 0);
    CHECK(identities_print(&t, CLIENT(12), key, &err) == 0);
    CHECK(identities_print(&t, NODE_THE_FEDERATOR, key, &err) == 0);
    CHECK_STR(t.bytes, "client 12 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= # 66687aadf862bd77\n"
                       "federator AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= # "
                       "66687aadf862bd77\n");
    text_free(&t);
}

/* Others seal to the first key of a node in the file; all are found by their ids. */
static void knows_several_keys(void)
{
    struct identities *ids;
    struct hagg_err err;
    struct text t = { 0 };
    uint8_t id[SEAL_KEY_ID_BYTES];

    text_printf(&t, "%s", nodes_line(STATION(2), any_key(900)));
    add_all(&t, N_ALL);
    text_printf(&t, "%s", nodes_line(STATION(2), any_key(20)));
    ids = parse(&t, &err);
    if (!CHECK(ids != NULL))
        return;
    CHECK_STR(identities_name(ids), "ids");
    CHECK(memcmp(identities_of(ids, STATION(2))->key, any_key(900), X25519_BYTES) == 0);
    CHECK(identities_of(ids, STATION(2))->line == 1);
    for (size_t i = 0; i < 3; i++) {
        static const uint32_t keys[] = { 900, 4, 20 };
        const uint8_t *key = any_key(keys[i]);
        const struct identity *found;

        CHECK(identities_key_id(id, key, &err) == 0);
        found = identities_find(ids, STATION(2), id);
        CHECK(found && memcmp(found->key, key, X25519_BYTES) == 0);
        CHECK(identities_owner(ids, key) == found);
        /* the key of another node is not the node's */
        CHECK(identities_find(ids, STATION(1), id) == NULL);
        CHECK(identities_find(ids, STATION(3), id) == NULL);
        CHECK(identities_find(ids, RELAY(2), id) == NULL);
    }
    CHECK(identities_owner(ids, any_key(12345)) == NULL);
    CHECK(identities_of(ids, CLIENT(4)) == NULL && identities_of(ids, STATION(0)) == NULL);
    CHECK(identities_find(ids, CLIENT(4), id) == NULL);
    CHECK(identities_of(ids, (struct node){ NODE_FEDERATOR, 2 }) == NULL);
    identities_free(ids);
    text_free(&t);
}

static void reads_many_lines_quickly(void)
{
    uint32_t n = quick ? 1000 : 100000;
    struct identities *ids;
    struct timespec begin, end;
    struct text t = { 0 };
    struct hagg_err err;
    size_t wrong = 0;
    double seconds;

    /* the last first */
    for (uint32_t i = n; i > 3; i--)
        text_printf(&t, "%s", nodes_line(CLIENT(i), any_key(i + 10)));
    add_all(&t, N_ALL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    ids = parse(&t, &err);
    for (uint32_t i = 4; ids && i <= n; i++) {
        const struct identity *id = identities_of(ids, CLIENT(i));

        /* they are not in the plan */
        wrong += id || identities_owner(ids, any_key(i + 10));
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
    CHECK(ids != NULL && wrong == 0);
    if (!CHECK(seconds < 5))
        fprintf(stderr, "%g seconds\n", seconds);
    identities_free(ids);
    text_free(&t);
}

/* The file of the plan, by its digest. */
static void loads_the_file_of_the_plan(void)
{
    struct hagg_err err = { 0 };
    struct identities *ids = identities_load(&plan, &err);
    uint8_t key[X25519_BYTES];
    char want[400];

    if (CHECK(ids != NULL)) {
        CHECK_STR(identities_name(ids), scratch_path(NODES_IDENTITIES));
        for (size_t i = 0; i < N_ALL; i++) {
            nodes_public(key, all[i], false);
            CHECK(memcmp(identities_of(ids, all[i])->key, key, sizeof key) == 0);
        }
    }
    identities_free(ids);
    scratch_write(scratch_path(NODES_IDENTITIES), "# others\n", 9);
    CHECK(identities_load(&plan, &err) == NULL && err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "%s: does not have the SHA-256 of the identities in %s: get the file that the plan "
             "was made with",
             scratch_path(NODES_IDENTITIES), plan.name);
    CHECK_STR(err.text, want);
}

static void reports_missing_memory(void)
{
    struct text t = { 0 };
    unsigned long at = 0;

    add_all(&t, N_ALL);
    for (bool refused = true; refused; at++) {
        struct hagg_err err = { 0 };
        struct identities *ids;

        alloc_refuse(at);
        ids = identities_parse(&plan, "ids", t.bytes, t.len, &err);
        refused = alloc_refused();
        alloc_watch();
        CHECK((ids == NULL) == refused);
        CHECK(refused ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
        CHECK(!refused || strncmp(err.text, "ids: ", 5) == 0);
        identities_free(ids);
    }
    CHECK(at > 4);
    text_free(&t);
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    nodes_load(&plan);
    reads_all_forms();
    names_what_is_wrong();
    refuses_nul();
    refuses_equal_keys();
    needs_every_node();
    knows_the_id();
    knows_several_keys();
    reads_many_lines_quickly();
    loads_the_file_of_the_plan();
    reports_missing_memory();
    identities_free(NULL);
    plan_free(&plan);
    return check_end();
}
