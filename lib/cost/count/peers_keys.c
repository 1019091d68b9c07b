#include "cost/count/fraction.h"
#include "cost/count/peers.h"

/* n vectors of num / den of the vector. It is cut into den parts of equal length. */
static void add_keys(struct sheet_line *line, uint64_t n, uint64_t num, uint64_t den,
                     uint64_t length)
{
    sheet_line_add(line, n, num, den, num * (length / den + (length % den != 0)));
}

static uint64_t pairs(uint64_t n)
{
    return n * (n - 1) / 2;
}

/* A vector from each user to the server, which cannot do without any of them. One honest user would
 * have nobody to hide behind. */
static bool add_star(struct sheet *sheet, const struct peer_setting *s)
{
    if (s->n_missing > 0 || s->n_colluding + 2 > s->n_clients)
        return false;
    sheet_line_add(&sheet->total, s->n_clients, 1, 1, s->length);
    return true;
}

/* A key for each user. Together they have n - 1 independent ones. */
bool peers_zhao_sun(struct sheet *sheet, const struct peer_setting *s)
{
    if (!add_star(sheet, s))
        return false;
    add_keys(&sheet->draws[DRAWS_DEALER], s->n_clients - 1, 1, 1, s->length);
    add_keys(&sheet->dealt, s->n_clients, 1, 1, s->length);
    return true;
}

/* Groups of G = 2: with m = n - T, a key of (m - 1) / binom(m, 2) = 2 / m for every two users. One
 * of them draws it and sends it to the other. */
bool peers_zhao_sun_pairs(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t m = s->n_clients - s->n_colluding, num = m % 2 == 0 ? 1 : 2, den = m * num / 2;

    if (!add_star(sheet, s))
        return false;
    add_keys(&sheet->draws[DRAWS_CLIENTS], pairs(s->n_clients), num, den, s->length);
    add_keys(&sheet->dealt, pairs(s->n_clients), num, den, s->length);
    return true;
}

/* U = n - D: a vector from each user, and then 1 / (U - T) from U of them. */
bool peers_zhao_sun_drop(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t survivors = s->n_clients - s->n_missing, parts = survivors - s->n_colluding;

    if (s->n_colluding + s->n_missing >= s->n_clients)
        return false;
    sheet_line_add(&sheet->total, s->n_clients, 1, 1, s->length);
    add_keys(&sheet->total, survivors, 1, parts, s->length);
    return true;
}

/* A vector from each client, and one from each of U stations, which have V clients each. With one
 * station only, it would learn as much as the federator. */
static bool add_hierarchy(struct sheet *sheet, const struct peer_setting *s)
{
    struct sheet_size whole = { .num = 1, .den = 1, .n_symbols = s->length };

    if (s->n_clusters < 2 || s->n_missing > 0)
        return false;
    sheet_add(sheet, LINK_CLIENT_STATION, s->n_clients, whole);
    sheet_add(sheet, LINK_STATION_FEDERATOR, s->n_clusters, whole);
    return true;
}

/* One group of G = n: all clients get the same key, of max(V, U - 1). */
bool peers_hsa_common(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t others = s->n_clusters - 1, size;

    if (!add_hierarchy(sheet, s))
        return false;
    size = s->n_clients / s->n_clusters;
    size = size > others ? size : others;
    add_keys(&sheet->draws[DRAWS_DEALER], size, 1, 1, s->length);
    add_keys(&sheet->dealt, s->n_clients * size, 1, 1, s->length);
    return true;
}

/* Groups of G = 2: the key of every two clients has the larger one of V / (pairs(n) - pairs(n - V))
 * and (U - 1) / (pairs(n) - U pairs(V)). */
bool peers_hsa_pairs(struct sheet *sheet, const struct peer_setting *s)
{
    uint64_t n = s->n_clients, size, num, den;
    mpq_t relays, server;

    if (!add_hierarchy(sheet, s))
        return false;
    size = n / s->n_clusters;
    mpq_inits(relays, server, NULL);
    fraction_add(relays, 1, size, pairs(n) - pairs(n - size));
    fraction_add(server, 1, s->n_clusters - 1, pairs(n) - s->n_clusters * pairs(size));
    if (mpq_cmp(relays, server) < 0)
        mpq_swap(relays, server);
    num = mpz_get_ui(mpq_numref(relays));
    den = mpz_get_ui(mpq_denref(relays));
    mpq_clears(relays, server, NULL);
    add_keys(&sheet->draws[DRAWS_CLIENTS], pairs(n), num, den, s->length);
    add_keys(&sheet->dealt, pairs(n), num, den, s->length);
    return true;
}
