#include "cost/count/peers.h"

/* Bits of a public key and of a share of a seed, as in Bonawitz et al. */
#define KEY_BITS 256

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* One group, K = n - T - D: each of n users sends n shares of 1 / K, one of them to the server. */
static bool swiftagg_plus(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t n = s->n_clients, parts = n - s->n_colluding - s->n_missing;

    if (s->n_colluding + s->n_missing >= n)
        return false;
    sheet_line_add(&sheet->total, n * n, 1, parts, ceil_div(s->length, parts));
    return true;
}

/* U = n - D: coded masks of 1 / (U - T) among all users, masked vectors from all, and a sum of
 * coded masks from U of them. */
static bool lightsecagg(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t n = s->n_clients, survivors = n - s->n_missing, parts = survivors - s->n_colluding;

    if (s->n_colluding + s->n_missing >= n)
        return false;
    sheet_line_add(&sheet->total, n * (n - 1) + survivors, 1, parts, ceil_div(s->length, parts));
    sheet_line_add(&sheet->total, n, 1, 1, s->length);
    return true;
}

/* Masked vectors, and per user 2n keys and 5n - 4 shares of seeds, whatever the vector's length. */
static bool bonawitz(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t n = s->n_clients, symbols = ceil_div(KEY_BITS, 8 * s->elem_bytes);

    sheet_line_add(&sheet->total, n, 1, 1, s->length);
    if (s->length > 0)
        sheet_line_add(&sheet->total, n * (7 * n - 4), symbols, s->length, symbols);
    return true;
}

/* clang-format off */
const struct peer peers[] = {
    /* name             against                  links   draws */
    { "hsa common",     "one node, key dealer",    true,  true,  peers_hsa_common },
    { "hsa pairs",      "one node, pairwise keys", true,  true,  peers_hsa_pairs },
    { "zhao-sun",       "users, key dealer",       false, true,  peers_zhao_sun },
    { "zhao-sun pairs", "users, pairwise keys",    false, true,  peers_zhao_sun_pairs },
    { "zhao-sun drop",  "users, key dealer",       false, false, peers_zhao_sun_drop },
    { "swiftagg+",      "users",                   false, false, swiftagg_plus },
    { "lightsecagg",    "users",                   false, false, lightsecagg },
    { "bonawitz",       "users",                   false, false, bonawitz },
};
/* clang-format on */
const size_t n_peers = sizeof peers / sizeof *peers;
