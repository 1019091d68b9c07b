#include "identity/seal_info.h"

#include <stdlib.h>
#include <string.h>

int seal_info(uint8_t info[SEAL_INFO_BYTES], const struct header *h, const struct seal_head *head,
              struct hagg_err *err)
{
    uint8_t *at = info, *header;
    size_t n;
    int status;

    memcpy(at, SEAL_INFO_LABEL, sizeof SEAL_INFO_LABEL - 1);
    at += sizeof SEAL_INFO_LABEL - 1;
    if (header_encode(h, &header, &n, err))
        return -1;
    status = sha256_bytes(at, header, n, err);
    free(header);
    at += SHA256_BYTES;
    *at++ = (uint8_t)head->width;
    for (int i = 0; i < 8; i++)
        *at++ = (uint8_t)(head->n_bytes >> (56 - 8 * i));
    return status;
}

struct hpke_seal {
    struct seal base;
    struct hpke *context;
};

static int seal_chunk(struct seal *seal, bool last, const void *in, size_t n, void *out,
                      struct hagg_err *err)
{
    const uint8_t aad[] = { last };

    return hpke_seal(((struct hpke_seal *)seal)->context, aad, sizeof aad, in, n, out, err) ? -1
                                                                                            : 1;
}

static int open_chunk(struct seal *seal, bool last, const void *in, size_t n, void *out,
                      struct hagg_err *err)
{
    const uint8_t aad[] = { last };

    return hpke_open(((struct hpke_seal *)seal)->context, aad, sizeof aad, in, n, out, err);
}

static void rewind_seal(struct seal *seal)
{
    hpke_rewind(((struct hpke_seal *)seal)->context);
}

static void free_seal(struct seal *seal)
{
    hpke_free(((struct hpke_seal *)seal)->context);
    free(seal);
}

static struct seal *make(struct hpke *context, struct seal base, struct hagg_err *err)
{
    struct hpke_seal *s = malloc(sizeof *s);

    if (!s) {
        err_errno(err, "no memory for a sealed record");
        hpke_free(context);
        return NULL;
    }
    *s = (struct hpke_seal){ base, context };
    return &s->base;
}

struct seal *seal_info_seal(struct hpke *context, struct hagg_err *err)
{
    return make(context, (struct seal){ seal_chunk, NULL, free_seal }, err);
}

struct seal *seal_info_open(struct hpke *context, struct hagg_err *err)
{
    return make(context, (struct seal){ open_chunk, rewind_seal, free_seal }, err);
}
