/*
 * sheet.h - adds up what is sent over each kind of link: messages, symbols, seeds, and multiples of
 * the vector.
 *
 * A seed counts as a message without symbols. A record that a courier passes on is sent twice: from
 * the client to the courier, and from the courier to the station.
 */
#ifndef HAGG_COST_SHEET_H
#define HAGG_COST_SHEET_H

#include <gmp.h>

#include "protocol/protocol.h"

enum sheet_link {
    LINK_CLIENT_STATION,
    LINK_STATION_STATION,
    LINK_STATION_RELAY,
    LINK_RELAY_RELAY,
    LINK_STATION_FEDERATOR,
    LINK_RELAY_FEDERATOR,
    N_LINKS,
};

#define SHEET_SEED_BYTES 32

/* Equal messages arrive in runs. A run is added up when it ends, because arithmetic with fractions
 * is slow. */
struct sheet_line {
    mpq_t times;                      /* multiples of the vector, as if it could be split anywhere,
                                         without seeds */
    mpz_t n_messages;                 /* including seeds */
    mpz_t n_symbols;                  /* including the zeros that pad parts */
    mpz_t n_seeds;                    /* SHEET_SEED_BYTES each */
    uint64_t n_run, num, den, n_each; /* the current run; num is 0 for seeds */
};

struct sheet {
    struct sheet_line links[N_LINKS];
    struct sheet_line total;
    uint64_t n_keys, n_client_keys; /* messages with one key or a sum of keys in the clear, and
                                       those sent by clients; without seeds */
};

void sheet_line_init(struct sheet_line *line);
void sheet_line_clear(struct sheet_line *line);

/* Adds n messages of num / den of the vector, n_symbols symbols each; den is not 0. If num is 0,
 * they are seeds. */
void sheet_line_add(struct sheet_line *line, uint64_t n, uint64_t num, uint64_t den,
                    uint64_t n_symbols);

/* The same for n_times * n messages; the product may exceed 64 bits. */
void sheet_line_add_times(struct sheet_line *line, uint64_t n_times, uint64_t n, uint64_t num,
                          uint64_t den, uint64_t n_symbols);

/* The size of a message, as sheet_line_add takes it; num is 0 for a seed. */
struct sheet_size {
    uint64_t num, den, n_symbols;
};
struct sheet_size sheet_size_of(const struct message *s, uint64_t length);

/* Adds n messages of this size. */
static inline void sheet_line_add_size(struct sheet_line *line, uint64_t n, struct sheet_size size)
{
    sheet_line_add(line, n, size.num, size.den, size.n_symbols);
}

/* Adds the numbers of a line that is closed to another one. */
void sheet_line_add_line(struct sheet_line *line, const struct sheet_line *added);

/* Sets bytes to the size of symbols of elem_bytes bytes, and of seeds. */
void sheet_line_bytes(mpz_t bytes, const struct sheet_line *line, size_t elem_bytes);

/* Ends the run. The numbers are valid only after this. */
void sheet_line_close(struct sheet_line *line);

void sheet_init(struct sheet *sheet);
void sheet_clear(struct sheet *sheet);

static inline void sheet_add(struct sheet *sheet, enum sheet_link link, uint64_t n, uint64_t num,
                             uint64_t den, uint64_t n_symbols)
{
    sheet_line_add(&sheet->links[link], n, num, den, n_symbols);
}

/* Closes all lines and sets the total. */
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

/* Adds all messages of a round of the plan. If length is 0, symbols are not counted. counts may be
 * NULL: all stages count. */
int sheet_add_round(struct sheet *sheet, const struct plan *p, uint64_t length,
                    sheet_counts_fn *counts, struct hagg_err *err);

#endif
