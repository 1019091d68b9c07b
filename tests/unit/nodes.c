#include "nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "scratch.h"

static const char topology[] =
    "collude partial stations=1 relays=1\nlength 4\ntransform direct\nprotocol keys\n"
    "minimum 2\nstations 3\nrelays 2\nstation 1-3 via 1 2\n"
    "client 1 via 1-3 shares 1-3 keys 1 relays 1 2\n"
    "client 2 via 1-3 shares 1-3 keys 2 relays 1 2\n"
    "client 3 via 1-3 shares 1-3 keys 3 relays 1 2\nidentities ids.txt\n";

/* Ends the program, because a test that cannot be set up has failed. */
static void need(bool held, const struct hagg_err *err)
{
    if (!held) {
        fprintf(stderr, "nodes: %s\n", err->text);
        exit(1);
    }
}

void nodes_private(uint8_t key[X25519_BYTES], struct node node, bool other)
{
    for (uint8_t i = 0; i < X25519_BYTES; i++)
        key[i] = (uint8_t)(i * 7 + node.tier * 41 + node.number * 3 + other * 101 + 1);
}

void nodes_public(uint8_t key[X25519_BYTES], struct node node, bool other)
{
    struct hagg_err err = { 0 };
    uint8_t private_key[X25519_BYTES];
    struct x25519 *pair;

    nodes_private(private_key, node, other);
    pair = x25519_new(private_key, &err);
    need(pair != NULL, &err);
    memcpy(key, x25519_public(pair), X25519_BYTES);
    x25519_free(pair);
}

const char *nodes_line(struct node node, const uint8_t public_key[X25519_BYTES])
{
    static char line[128];
    char key[X25519_TEXT_ROOM], number[16] = "";

    x25519_print(key, public_key);
    if (node.tier != NODE_FEDERATOR)
        snprintf(number, sizeof number, " %u", node.number);
    snprintf(line, sizeof line, "%s%s %s\n", node_tier_name(node.tier), number, key);
    return line;
}

void nodes_write_key(const char *path, const uint8_t private_key[X25519_BYTES], unsigned mode)
{
    struct hagg_err err = { 0 };
    struct x25519 *pair = x25519_new(private_key, &err);
    char *text = NULL;
    size_t n = 0;

    need(pair && x25519_to_pem(pair, &text, &n, &err) == 0, &err);
    scratch_write(path, text, n);
    chmod(path, (mode_t)mode);
    free(text);
    x25519_free(pair);
}

struct keyring *nodes_keyring(const struct plan *plan, const char *name)
{
    static struct {
        char name[64], path[256];
    } paths[16]; /* which the keyrings need */
    struct hagg_err err = { 0 };
    struct keyring *k;
    size_t i = 0;

    while (paths[i].name[0] && strcmp(paths[i].name, name))
        i++;
    snprintf(paths[i].name, sizeof paths[i].name, "%s", name);
    snprintf(paths[i].path, sizeof paths[i].path, "%s", scratch_path(name));
    k = keyring_new(plan, paths[i].path, &err);
    need(k != NULL, &err);
    return k;
}

static void add(struct text *ids, struct node node, bool other)
{
    uint8_t key[X25519_BYTES];
    char name[64];

    nodes_public(key, node, other);
    text_printf(ids, "%s", nodes_line(node, key));
    nodes_private(key, node, other);
    snprintf(name, sizeof name, "%s-%u.pem", node_tier_name(node.tier), node.number);
    nodes_write_key(scratch_path(other ? NODES_OTHER_KEY : name), key, 0600);
}

void nodes_load(struct plan *plan)
{
    static const unsigned counts[N_NODE_TIERS] = { 3, 3, 2, 1 };
    struct hagg_err err = { 0 };
    struct text ids = { 0 };

    for (int tier = 0; tier < N_NODE_TIERS; tier++)
        for (uint32_t n = 1; n <= counts[tier]; n++)
            add(&ids, (struct node){ (enum node_tier)tier, n }, false);
    add(&ids, (struct node){ NODE_STATION, 2 }, true);
    scratch_write(scratch_path(NODES_IDENTITIES), ids.bytes, ids.len);
    scratch_write(scratch_path(NODES_PLAN), topology, strlen(topology));
    text_free(&ids);
    need(plan_load(plan, scratch_path(NODES_PLAN), &err) == 0, &err);
}
