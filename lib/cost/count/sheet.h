/*
 * sheet.h - adds up what is sent over each kind of link, and what is drawn at random: messages,
 * symbols, seeds, multiples of the vector, bytes of records (record_sizes.h), and the prices of
 * what is sent (prices.h).
 *
 * A seed counts as a message without symbols; its price is that of its bytes. A record that a
 * courier passes on is sent twice: from the client to the courier, and from the courier to the
 * station.
 */
#ifndef HAGG_COST_SHEET_H
#define HAGG_COST_SHEET_H

#include <gmp.h>

#include "cost/count/prices.h"
#include "cost/count/record_sizes.h"

#define SHEET_SEED_BYTES 32

/* Equal messages arrive in runs. A run is added up when it ends, because arithmetic with fractions
 * is slow. */
struct sheet_line {
    mpq_t times;                      /* multiples of the vector, as if it could be split anywhere,
                                         without seeds */
    mpz_t n_messages;                 /* including seeds */
    mpz_t n_symbols;                  /* including the zeros that pad parts */
    mpz_t n_seeds;                    /* SHEET_SEED_BYTES each */
    mpz_t n_bytes;                    /* of records; 0 if they are not counted */
    mpq_t price;                      /* of `times`; prices are in units of prices_unit */
    mpz_t symbol_price;               /* of all symbols */
    mpz_t seed_price;                 /* of seeds, as if each were a symbol */
    uint64_t n_run, num, den, n_each; /* the current run; num is 0 for seeds */
    uint64_t each_price;
    uint64_t run_bytes; /* not yet in n_bytes; runs may have records of different sizes */
};

/* Who draws random vectors. The dealer is a trusted one outside the network, which only other
 * protocols have (peers.h). */
enum sheet_draws { DRAWS_CLIENTS, DRAWS_STATIONS, DRAWS_RELAYS, DRAWS_DEALER, N_DRAWS };

struct sheet {
    const struct topology_prices *prices; /* of what is added; NULL: prices are not added up */
    struct sheet_line links[N_LINKS];
    struct sheet_line total;
    struct sheet_line draws[N_DRAWS];    /* see draws.h; n_messages has no meaning */
    struct sheet_line drawn;             /* by all of them */
    struct sheet_line dealt;             /* masks and keys that are sent before the round */
    const struct bytes_options *records; /* what records show; NULL: bytes are not counted */
    bool has_bytes; /* bytes of records were counted, of everything that was added */
    bool in_part;   /* shares were added that are sent in part (docs/staircase.md) */
    uint64_t n_keys, n_client_keys; /* messages with one key or a sum of keys in the clear, and
                                       those sent by clients; without seeds */
};

void sheet_line_init(struct sheet_line *line);
void sheet_line_clear(struct sheet_line *line);

/* The size of a message: num / den of the vector, n_symbols symbols; den is not 0. If num is 0, it
 * is a seed. price is that of a symbol, or 0 if it does not count. n_bytes are those of its record,
 * or 0. */
struct sheet_size {
    uint64_t num, den, n_symbols, price, n_bytes;
};

/* The price is 0, and so are the bytes. */
struct sheet_size sheet_size_of(const struct message *s, uint64_t length);

/* Adds n messages of this size. */
void sheet_line_add_size(struct sheet_line *line, uint64_t n, struct sheet_size size);

/* The same for n_times * n messages; the product may exceed 64 bits. */
void sheet_line_add_times(struct sheet_line *line, uint64_t n_times, uint64_t n,
                          struct sheet_size size);

/* Adds n messages without a price. */
static inline void sheet_line_add(struct sheet_line *line, uint64_t n, uint64_t num, uint64_t den,
                                  uint64_t n_symbols)
{
    sheet_line_add_size(line, n,
                        (struct sheet_size){ .num = num, .den = den, .n_symbols = n_symbols });
}

/* Adds only the price of n messages of this size. */
void sheet_line_charge(struct sheet_line *line, uint64_t n, struct sheet_size size);

/* Adds the numbers of a line that is closed to another one. */
void sheet_line_add_line(struct sheet_line *line, const struct sheet_line *added);

/* Sets bytes to the random bytes that symbols of elem_bytes bytes and seeds are made from. */
void sheet_line_random_bytes(mpz_t bytes, const struct sheet_line *line, size_t elem_bytes);

/* The price of what the line has in multiples of the vector, without seeds; and the price of its
 * symbols and seeds, of which each costs as many symbols as it is long. unit is the prices' unit.
 */
void sheet_line_price(mpq_t price, const struct sheet_line *line, uint32_t unit);
void sheet_line_symbol_price(mpq_t price, const struct sheet_line *line, size_t elem_bytes,
                             uint32_t unit);

/* Ends the run. The numbers are valid only after this. */
void sheet_line_close(struct sheet_line *line);

void sheet_init(struct sheet *sheet);
void sheet_clear(struct sheet *sheet);

/* Adds n messages at the price of the link. size.price does not matter. */
void sheet_add(struct sheet *sheet, enum topology_link link, uint64_t n, struct sheet_size size);

/* The same for n_times * n messages; the product may exceed 64 bits. */
void sheet_add_times(struct sheet *sheet, enum topology_link link, uint64_t n_times, uint64_t n,
                     struct sheet_size size);

/* Closes all lines and sets the totals. */
void sheet_close(struct sheet *sheet);

/* Writes the nodes on the way of a message, from the sender to the receiver, and returns how often
 * it is sent: 0 times if a node keeps it, once, or twice through a courier. */
#define SHEET_MOST_HOPS 2
size_t sheet_hops(const struct message *s, struct node way[SHEET_MOST_HOPS + 1]);

/* Adds n messages over the links of their way, for vectors of this length. The link of their stage
 * is the first one, so the nodes themselves need not be known. */
void sheet_add_messages(struct sheet *sheet, const struct message *s, uint64_t n, uint64_t length);

/* True if the messages of a stage count. */
typedef bool sheet_counts_fn(const struct stage *s);

/* Counts all stages but those of keys. */
sheet_counts_fn sheet_without_keys;

/* Adds all messages of a round of the plan in which all nodes take part, and shares are sent in
 * part if the scheme allows it. If length is 0, symbols and bytes are not counted. counts may be
 * NULL: all stages count. Otherwise it is no round that commands carry out, and bytes are not
 * counted. */
int sheet_add_round(struct sheet *sheet, const struct plan *p, uint64_t length,
                    sheet_counts_fn *counts, struct hagg_err *err);

/* The same for the worst case: as many nodes have failed as the plan allows, one after the other,
 * and no round sends more (protocol_worst_prefix). A share that was sent in several parts counts as
 * one message. */
int sheet_add_worst(struct sheet *sheet, const struct plan *p, uint64_t length,
                    struct hagg_err *err);

/* The same as sheet_add_round, but stations keep back stand-by sums (protocol_stands_by). If nodes
 * fail, no round sends more than one in which all sums are sent. */
int sheet_add_stand_by(struct sheet *sheet, const struct plan *p, uint64_t length,
                       struct hagg_err *err);

#endif
