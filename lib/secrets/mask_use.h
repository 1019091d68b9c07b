/*
 * mask_use.h - a station sends one set of sums in a round. Files in the directory of its masks,
 * masks.station-U.round-R.PLAN.clients.used and masks.station-U.round-R.PLAN.used, remember over
 * which clients and of which shares; see keyuse.h.
 *
 * They are of the round and not of the masks: two sums under fresh masks each, one of them without
 * a client, would tell the federator that client's vector as well.
 */
#ifndef HAGG_MASK_USE_H
#define HAGG_MASK_USE_H

#include "rangeset.h"

struct mask_use {
    const char *path;    /* of the masks; "-" is standard input */
    const uint8_t *plan; /* its digest, 16 bytes */
    uint32_t station;
    uint64_t round;
    const struct rangeset *clients;
    bool adds; /* they are added to shares now, and not only to each other */
};

/* Claims the round for these clients and, where masks are added to shares, for those with this
 * digest. HAGG_E_PRIVACY if there were others in it. Masks that come through a pipe are not
 * remembered. */
int mask_use_claim(const struct mask_use *use, const uint8_t digest[16], struct hagg_err *err);

#endif
