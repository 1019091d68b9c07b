#include "mask_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "keyuse.h"

/* Nothing is drawn here, so there is no seed to remember. */
static int claim(const struct mask_use *use, const char *place, const uint8_t digest[16],
                 const char *what, struct hagg_err *err)
{
    uint8_t seed[KEYUSE_SEED_BYTES] = { 0 };
    int status = keyuse_claim(place, digest, seed, err);

    if (status && err->status == HAGG_E_PRIVACY)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: has already masked %s: begin a new round, with new masks from "
                       "hagg-keygen",
                       strcmp(use->path, "-") ? use->path : "standard input", what);
    return status;
}

int mask_use_claim(const struct mask_use *use, const uint8_t digest[16], struct hagg_err *err)
{
    const struct rangeset *clients = use->clients;
    uint8_t of_clients[16];
    char *place = NULL, *place_of_clients = NULL;
    int status = keyuse_place(use->path, use->id, &place, err);

    if (status || !place)
        return status;
    digest_bytes(of_clients, clients->ranges, clients->n * sizeof *clients->ranges);
    if (asprintf(&place_of_clients, "%s.clients", place) < 0) {
        place_of_clients = NULL;
        status = err_errno(err, "%s", use->path);
    }
    if (status == 0)
        status = claim(use, place_of_clients, of_clients, "sums of other clients", err);
    if (status == 0 && use->adds)
        status = claim(use, place, digest, "other sums", err);
    free(place_of_clients);
    free(place);
    return status;
}
