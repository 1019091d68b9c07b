/*
 * seal_info.h - how HPKE is used for a record: FORMAT.md, "Sealed records".
 */
#ifndef HAGG_SEAL_INFO_H
#define HAGG_SEAL_INFO_H

#include "crypto/hpke.h"
#include "crypto/sha256.h"
#include "seal.h"

#define SEAL_INFO_LABEL "hagg-seal-1"
#define SEAL_INFO_BYTES (sizeof SEAL_INFO_LABEL - 1 + SHA256_BYTES + 1 + 8)

/* The info of HPKE, which binds the payload to its header, its width and its length. */
int seal_info(uint8_t info[SEAL_INFO_BYTES], const struct header *h, const struct seal_head *head,
              struct hagg_err *err);

/* Makes the seal of a record from a context, which it takes over, and which is freed on failure. */
struct seal *seal_info_seal(struct hpke *context, struct hagg_err *err);
struct seal *seal_info_open(struct hpke *context, struct hagg_err *err);

#endif
