/*
 * mask_use.h - masks serve once. Files beside them, MASKS.ID.clients.used and MASKS.ID.used,
 * remember for which clients, and for which shares; see keyuse.h.
 */
#ifndef HAGG_MASK_USE_H
#define HAGG_MASK_USE_H

#include "rangeset.h"

struct mask_use {
    const char *path;  /* of the masks; "-" is standard input */
    const uint8_t *id; /* 16 bytes, of the run that made them */
    const struct rangeset *clients;
    bool adds; /* they are added to shares now, and not only to each other */
};

/* Claims the masks for these clients and, where they are added to shares, for those with this
 * digest. HAGG_E_PRIVACY if they were used for others. Masks that come through a pipe are not
 * remembered. */
int mask_use_claim(const struct mask_use *use, const uint8_t digest[16], struct hagg_err *err);

#endif
