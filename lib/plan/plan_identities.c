#include "plan/plan_identities.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crypto/sha256.h"

bool plan_identities_given(const struct plan *p)
{
    return p->topology.identities[0] != 0;
}

/* Reads the file beside the plan, and computes its digest. */
static int read_file(const struct plan *p, struct text *text, char **path,
                     uint8_t digest[SHA256_BYTES], struct hagg_err *err)
{
    const char *slash = strrchr(p->name, '/');
    int n = slash ? (int)(slash - p->name) + 1 : 0;

    if (asprintf(path, "%.*s%s", n, p->name, p->topology.identities) < 0) {
        *path = NULL;
        return err_errno(err, "%s", p->name);
    }
    if (access(*path, F_OK) && errno == ENOENT)
        return err_set(err, HAGG_E_SYSTEM,
                       "%s: is missing: %s names it, so get it from the author of the plan, into "
                       "the same directory",
                       *path, p->name);
    if (topology_read(text, *path, err))
        return -1;
    return sha256_bytes(digest, text->bytes, text->len, err);
}

int plan_identities_settle(struct plan *p, struct hagg_err *err)
{
    struct text text = { 0 };
    char *path = NULL;
    int status;

    if (!plan_identities_given(p) || p->topology.has_identities_digest)
        return 0;
    status = read_file(p, &text, &path, p->topology.identities_digest, err);
    p->topology.has_identities_digest = status == 0;
    text_free(&text);
    free(path);
    return status;
}

int plan_identities_read(const struct plan *p, struct text *text, char **path, struct hagg_err *err)
{
    uint8_t digest[SHA256_BYTES];

    if (read_file(p, text, path, digest, err))
        return -1;
    if (memcmp(digest, p->topology.identities_digest, sizeof digest))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: does not have the SHA-256 of the identities in %s: get the file that "
                       "the plan was made with",
                       *path, p->name);
    return 0;
}
