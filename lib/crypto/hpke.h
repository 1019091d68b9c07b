/*
 * hpke.h - hybrid public-key encryption, RFC 9180, in authenticated mode (2) with
 * DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM.
 *
 * A sender and a receiver derive the same context from the private key of one and the public key of
 * the other. The context seals or opens messages in order. A message that opens was sealed by
 * somebody with the private key of the sender, or with that of the receiver.
 */
#ifndef HAGG_HPKE_H
#define HAGG_HPKE_H

#include "crypto/aead.h"
#include "crypto/x25519.h"

#define HPKE_ENC_BYTES X25519_BYTES

struct hpke;

/* As the sender: draws an ephemeral key pair from 32 secret bytes, ikm, and sets enc, which is not
 * secret, for the receiver. ikm must not be used with another receiver, another info or other
 * messages. Returns 1; 0 if the public key of the receiver is unusable; -1 on failure. */
int hpke_send(struct hpke **context, const struct x25519 *sender,
              const uint8_t receiver[X25519_BYTES], const void *info, size_t n_info,
              const uint8_t ikm[X25519_BYTES], uint8_t enc[HPKE_ENC_BYTES], struct hagg_err *err);

/* As the receiver. Returns 1; 0 if enc or the public key of the sender is unusable; -1 on failure.
 */
int hpke_receive(struct hpke **context, const struct x25519 *receiver,
                 const uint8_t sender[X25519_BYTES], const void *info, size_t n_info,
                 const uint8_t enc[HPKE_ENC_BYTES], struct hagg_err *err);

/* Wipes the keys. context may be NULL. */
void hpke_free(struct hpke *context);

/* Of a receiver: opens the first message next. A sender must never go back. */
void hpke_rewind(struct hpke *context);

/* Seal and open the next message, as aead_seal and aead_open. */
int hpke_seal(struct hpke *context, const void *aad, size_t n_aad, const void *plain, size_t n,
              void *sealed, struct hagg_err *err);
int hpke_open(struct hpke *context, const void *aad, size_t n_aad, const void *sealed, size_t n,
              void *plain, struct hagg_err *err);

#endif
