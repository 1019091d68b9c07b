/*
 * open.c - opens sealed records: open KEYS FILE...
 *
 * KEYS has a line "TIER NUMBER PRIVATE" for each key, in hexadecimal. For each FILE it prints a
 * line: the bytes of all elements in hexadecimal, or "refused STATUS" if the file is not accepted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/hpke.h"
#include "identity/identities.h"
#include "identity/seal_info.h"
#include "reader.h"

#define MAX_KEYS    16
#define BLOCK_ELEMS 1021

struct key {
    struct header_node node;
    struct x25519 *pair;
    uint8_t id[SEAL_KEY_ID_BYTES];
};

struct keys {
    struct opener opener;
    struct key list[MAX_KEYS];
    size_t n;
};

static void need(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "open: %s\n", what);
    exit(1);
}

static void load_keys(struct keys *k, const char *path)
{
    FILE *f = fopen(path, "r");
    struct hagg_err err = { 0 };
    char digits[2 * X25519_BYTES + 1];
    uint8_t private_key[X25519_BYTES];

    need(f != NULL, path);
    while (k->n < MAX_KEYS && fscanf(f, "%15s %u %64s", k->list[k->n].node.tier,
                                     &k->list[k->n].node.number, digits) == 3) {
        struct key *key = &k->list[k->n++];

        for (size_t i = 0; i < X25519_BYTES; i++)
            need(sscanf(digits + 2 * i, "%2hhx", &private_key[i]) == 1, "a key is malformed");
        key->pair = x25519_new(private_key, &err);
        need(key->pair && identities_key_id(key->id, x25519_public(key->pair), &err) == 0,
             err.text);
    }
    fclose(f);
}

static const struct key *find(const struct keys *k, const struct header_node *node,
                              const uint8_t id[SEAL_KEY_ID_BYTES])
{
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->list[i].node.tier, node->tier) == 0 &&
            k->list[i].node.number == node->number &&
            memcmp(k->list[i].id, id, SEAL_KEY_ID_BYTES) == 0)
            return &k->list[i];
    return NULL;
}

static int begin(struct opener *o, const struct header *h, const struct seal_head *head,
                 struct seal **seal, struct hagg_err *err)
{
    const struct keys *k = (const struct keys *)o;
    const struct key *from = head ? find(k, &h->from, head->from_key) : NULL;
    const struct key *to = head ? find(k, &h->to, head->to_key) : NULL;
    uint8_t info[SEAL_INFO_BYTES];
    struct hpke *context;
    int status;

    if (!from || !to)
        return err_set(err, HAGG_E_PRIVACY, "no key");
    if (seal_info(info, h, head, err))
        return -1;
    status = hpke_receive(&context, to->pair, x25519_public(from->pair), info, sizeof info,
                          head->enc, err);
    if (status == 0)
        return err_set(err, HAGG_E_PRIVACY, "enc is unusable");
    return status > 0 && (*seal = seal_info_open(context, err)) ? 0 : -1;
}

/* Reads the elements of all records to a stream. */
static int read_file(struct keys *k, const char *path, FILE *out, struct hagg_err *err)
{
    struct reader *r = reader_open(path, &k->opener, err);
    unsigned char block[BLOCK_ELEMS * 8];
    int more = -1;
    size_t n;

    while (r && (more = reader_next(r, err)) > 0)
        do {
            if ((more = reader_read(r, block, BLOCK_ELEMS, &n, err)) < 0)
                goto out;
            for (size_t i = 0; i < n * reader_elem_size(r); i++)
                fprintf(out, "%02x", block[i]);
        } while (n > 0);
out:
    reader_free(r);
    return more;
}

int main(int argc, char **argv)
{
    struct keys keys = { .opener = { begin } };

    need(argc > 2, "usage: open KEYS FILE...");
    load_keys(&keys, argv[1]);
    for (int i = 2; i < argc; i++) {
        struct hagg_err err = { 0 };
        char *text = NULL;
        size_t n;
        FILE *out = open_memstream(&text, &n);
        int status;

        need(out != NULL, "no memory");
        status = read_file(&keys, argv[i], out, &err);
        fclose(out);
        if (status < 0)
            printf("refused %d\n", (int)err.status);
        else
            printf("%s\n", text);
        free(text);
    }
    for (size_t i = 0; i < keys.n; i++)
        x25519_free(keys.list[i].pair);
    return 0;
}
