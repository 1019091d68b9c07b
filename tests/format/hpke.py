"""HPKE (RFC 9180) in mode_auth with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, written from the RFC.

The curve and the cipher are those of the cryptography package.
"""

import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MODE_AUTH = b"\x02"
KEM = b"KEM\x00\x20"
SUITE = b"HPKE\x00\x20\x00\x01\x00\x02"
KEY_BYTES, NONCE_BYTES, SECRET_BYTES = 32, 12, 32


class NotAuthentic(Exception):
    """A message that does not open, or a public key that is unusable."""


def labeled_extract(suite, salt, label, ikm):
    return hmac.new(salt, b"HPKE-v1" + suite + label + ikm, hashlib.sha256).digest()


def labeled_expand(suite, prk, label, info, length):
    """One block is enough for every length in this suite."""
    info = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.new(prk, info + b"\x01", hashlib.sha256).digest()[:length]


def derive_private(ikm):
    """DeriveKeyPair."""
    return labeled_expand(KEM, labeled_extract(KEM, b"", b"dkp_prk", ikm), b"sk", b"", SECRET_BYTES)


def public_of(private):
    public = X25519PrivateKey.from_private_bytes(private).public_key()
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(private, public):
    try:
        return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:  # the secret is zero
        raise NotAuthentic("a public key of low order") from error


class Context:
    """Seals or opens messages in order."""

    def __init__(self, dh, kem_context, info):
        prk = labeled_extract(KEM, b"", b"eae_prk", dh)
        shared = labeled_expand(KEM, prk, b"shared_secret", kem_context, SECRET_BYTES)
        hashes = labeled_extract(SUITE, b"", b"psk_id_hash", b"") + labeled_extract(SUITE, b"", b"info_hash", info)
        secret = labeled_extract(SUITE, shared, b"secret", b"")
        self.aead = AESGCM(labeled_expand(SUITE, secret, b"key", MODE_AUTH + hashes, KEY_BYTES))
        nonce = labeled_expand(SUITE, secret, b"base_nonce", MODE_AUTH + hashes, NONCE_BYTES)
        self.base_nonce, self.sequence = int.from_bytes(nonce, "big"), 0

    def next_nonce(self):
        self.sequence += 1
        return (self.base_nonce ^ (self.sequence - 1)).to_bytes(NONCE_BYTES, "big")

    def seal(self, aad, plain):
        return self.aead.encrypt(self.next_nonce(), plain, aad)

    def open(self, aad, sealed):
        try:
            return self.aead.decrypt(self.next_nonce(), sealed, aad)
        except InvalidTag as error:
            raise NotAuthentic("a message does not open") from error


def send(sender_private, receiver_public, info, ikm):
    """(enc, context) of a sender with the ephemeral key pair that ikm determines."""
    ephemeral = derive_private(ikm)
    enc = public_of(ephemeral)
    dh = agree(ephemeral, receiver_public) + agree(sender_private, receiver_public)
    return enc, Context(dh, enc + receiver_public + public_of(sender_private), info)


def receive(enc, receiver_private, sender_public, info):
    dh = agree(receiver_private, enc) + agree(receiver_private, sender_public)
    return Context(dh, enc + public_of(receiver_private) + sender_public, info)
