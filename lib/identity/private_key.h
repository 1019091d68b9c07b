/*
 * private_key.h - the private key of a node in its file.
 */
#ifndef HAGG_PRIVATE_KEY_H
#define HAGG_PRIVATE_KEY_H

#include "crypto/x25519.h"

/* Reads a private key in PEM. HAGG_E_PRIVACY if others have permissions for the file. */
struct x25519 *private_key_load(const char *path, struct hagg_err *err);

/* The same; if there is no file, makes a key and writes the file, which only its owner can read.
 * "-" is standard input, and so a key that exists. */
struct x25519 *private_key_make(const char *path, struct hagg_err *err);

#endif
