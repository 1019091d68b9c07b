#include "mask_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "keyuse.h"

/* In the directory of the masks: a copy beside them, or new ones there, are for the same sums. */
static int find_place(const struct mask_use *use, char **place, struct hagg_err *err)
{
    char *of_file = NULL;
    int status = keyuse_place(use->path, use->plan, &of_file, err);

    *place = NULL;
    if (status || !of_file)
        return status;
    /* a real name begins with a slash, and the plan's digits come last */
    if (asprintf(place, "%.*s/masks.station-%u.round-%llu%s",
                 (int)(strrchr(of_file, '/') - of_file), of_file, use->station,
                 (unsigned long long)use->round, strrchr(of_file, '.')) < 0) {
        *place = NULL;
        status = err_errno(err, "%s", use->path);
    }
    free(of_file);
    return status;
}

/* Nothing is drawn here, so there is no seed to remember. */
static int claim(const struct mask_use *use, const char *place, const uint8_t digest[16],
                 const char *what, struct hagg_err *err)
{
    uint8_t seed[KEYUSE_SEED_BYTES] = { 0 };
    int status = keyuse_claim(place, digest, seed, err);

    if (status && err->status == HAGG_E_PRIVACY)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: station %u has already masked %s in round %llu: begin a new round, in "
                       "which clients share anew",
                       strcmp(use->path, "-") ? use->path : "standard input", use->station, what,
                       (unsigned long long)use->round);
    return status;
}

int mask_use_claim(const struct mask_use *use, const uint8_t digest[16], struct hagg_err *err)
{
    const struct rangeset *clients = use->clients;
    uint8_t of_clients[16];
    char *place, *place_of_clients = NULL;
    int status = find_place(use, &place, err);

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
