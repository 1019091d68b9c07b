#include "identity/keyring.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/marks.h"
#include "identity/private_key.h"

struct entry {
    struct node node;
    struct x25519 *key;
};

struct keyring {
    const struct plan *plan;
    const char *path;
    struct identities *identities;
    bool has_marks;
    pthread_mutex_t lock;
    struct entry *entries; /* without marks, the only one */
    size_t n, capacity;
};

static const char tier_mark[] = "{tier}", number_mark[] = "{}";

char *keyring_path(const char *path, struct node node)
{
    char number[12];
    const struct marks_value values[] = { { tier_mark, node_tier_name(node.tier) },
                                          { number_mark, number } };
    struct text text = { 0 };

    snprintf(number, sizeof number, "%u", node.number);
    marks_replace(&text, path, values, 2);
    if (text_ok(&text))
        return text.bytes ? text.bytes : strdup("");
    text_free(&text);
    return NULL;
}

/* Takes over the key. */
static int add(struct keyring *k, struct node node, struct x25519 *key, struct hagg_err *err)
{
    if (ARRAY_RESERVE(k->entries, k->n + 1, k->capacity)) {
        x25519_free(key);
        return err_errno(err, "%s", k->path);
    }
    k->entries[k->n++] = (struct entry){ node, key };
    return 0;
}

/* Loads the only key, whose owner the identities name. */
static int load_self(struct keyring *k, struct hagg_err *err)
{
    struct x25519 *key = private_key_load(k->path, err);
    const struct identity *owner = key ? identities_owner(k->identities, x25519_public(key)) : NULL;

    if (owner)
        return add(k, owner->node, key, err);
    if (key)
        err_set(err, HAGG_E_PRIVACY,
                "%s: is not the private key of any node in %s: use one whose public key is in it",
                k->path, identities_name(k->identities));
    x25519_free(key);
    return -1;
}

struct keyring *keyring_new(const struct plan *plan, const char *path, struct hagg_err *err)
{
    struct keyring *k = calloc(1, sizeof *k);

    if (!k) {
        err_errno(err, "%s", path);
        return NULL;
    }
    *k = (struct keyring){
        .plan = plan,
        .path = path,
        .has_marks = strstr(path, number_mark) || strstr(path, tier_mark),
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    k->identities = identities_load(plan, err);
    if (k->identities && (k->has_marks || load_self(k, err) == 0))
        return k;
    keyring_free(k);
    return NULL;
}

void keyring_free(struct keyring *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < k->n; i++)
        x25519_free(k->entries[i].key);
    free(k->entries);
    identities_free(k->identities);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

const struct identities *keyring_identities(const struct keyring *k)
{
    return k->identities;
}

const struct plan *keyring_plan(const struct keyring *k)
{
    return k->plan;
}

bool keyring_acts_as(const struct keyring *k, struct node node)
{
    return k->has_marks || node_equal(k->entries[0].node, node);
}

int keyring_self(const struct keyring *k, struct node *node, struct hagg_err *err)
{
    if (k->has_marks)
        return err_set(err, HAGG_E_USAGE, "%s: names several private keys: name one", k->path);
    *node = k->entries[0].node;
    return 0;
}

int keyring_node(const struct header_node *named, struct node *node)
{
    for (int i = 0; i < N_NODE_TIERS; i++) {
        *node = (struct node){ (enum node_tier)i, named->number };
        if (node_is(named, *node))
            return 0;
    }
    return -1;
}

/* Returns the key if it is one of the node's; otherwise frees it. */
static struct x25519 *check_owner(const struct keyring *k, struct node node, const char *path,
                                  struct x25519 *key, struct hagg_err *err)
{
    const struct identity *owner = identities_owner(k->identities, x25519_public(key));

    if (owner && node_equal(owner->node, node))
        return key;
    err_set(err, HAGG_E_PRIVACY, "%s: is not a private key of %s %u in %s", path,
            node_tier_name(node.tier), node.number, identities_name(k->identities));
    x25519_free(key);
    return NULL;
}

static const struct x25519 *load(struct keyring *k, struct node node, struct hagg_err *err)
{
    char *path = keyring_path(k->path, node);
    struct x25519 *key = NULL;

    if (!path)
        err_errno(err, "%s", k->path);
    else if ((key = private_key_load(path, err)))
        key = check_owner(k, node, path, key, err);
    free(path);
    return key && add(k, node, key, err) == 0 ? key : NULL;
}

const struct x25519 *keyring_private(struct keyring *k, struct node node, struct hagg_err *err)
{
    const struct x25519 *key = NULL;

    if (!keyring_acts_as(k, node)) {
        err_set(err, HAGG_E_PRIVACY, "%s is the private key of %s %u, not of %s %u", k->path,
                node_tier_name(k->entries[0].node.tier), k->entries[0].node.number,
                node_tier_name(node.tier), node.number);
        return NULL;
    }
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < k->n && !key; i++)
        if (node_equal(k->entries[i].node, node))
            key = k->entries[i].key;
    if (!key)
        key = load(k, node, err);
    pthread_mutex_unlock(&k->lock);
    return key;
}
