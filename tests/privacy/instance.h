/*
 * instance.h - an aggregation so small that everything can be tabulated: what each client sends for
 * every input and every value of its randomness, as the real client sends it.
 *
 * Elements are one byte. An input is a vector of integers from -max_int to max_int, all that the
 * commands accept under the plan. A point is one value of all random elements that the client
 * draws. Both are numbered by their digits, the first one the least significant.
 */
#ifndef PRIVACY_INSTANCE_H
#define PRIVACY_INSTANCE_H

#include "plan/plan.h"

#define INSTANCE_CLIENTS  6
#define INSTANCE_STATIONS 6
#define INSTANCE_LENGTH   2

/* The secrets that clients share: their vector and, under full collusion, their key. */
enum instance_secret { INSTANCE_VECTOR, INSTANCE_KEY, INSTANCE_SECRETS };

/* What one client sends: under partial collusion its key, and a share to each station. */
struct instance_cell {
    uint8_t key[INSTANCE_LENGTH];
    uint8_t shares[INSTANCE_SECRETS][INSTANCE_STATIONS][INSTANCE_LENGTH];
};

/* Stations, patterns and groups are numbered from 0. */
struct instance_sharing {
    bool holds[INSTANCE_STATIONS];   /* true if the station gets a share */
    size_t index[INSTANCE_STATIONS]; /* index of its share */
    size_t relay[INSTANCE_STATIONS]; /* the relay it sends to, from 1; 0 without relays */
    size_t pattern;                  /* clients with the same pattern are added up by stations */
    size_t group;                    /* clients with the same group are added up by relays */
    size_t n_holders, share_length;
};

struct instance_client {
    uint32_t number;
    size_t key_station; /* partial collusion */
    struct instance_sharing of[INSTANCE_SECRETS];
    size_t n_digits; /* random elements: those of the key, then those of the shares */
    size_t n_points; /* p to the power of n_digits */
    struct instance_cell *cells;
};

struct instance {
    char folder[64]; /* for files */
    struct plan plan;
    unsigned p, max_int;
    size_t n_secrets; /* number of secrets that are shared */
    size_t length, n_clients, n_stations, n_patterns[INSTANCE_SECRETS];
    size_t n_inputs; /* of one client */
    struct instance_client clients[INSTANCE_CLIENTS];
};

/* Loads a topology with keys, whose text lacks the protocol line. It need not be private. */
int instance_new(struct instance *in, const char *topology, size_t length, struct hagg_err *err);

/* Also removes its files. */
void instance_free(struct instance *in);

/* Runs every client for every input and point and stores what it sends, for instance_cell. */
int instance_tabulate(struct instance *in, struct hagg_err *err);

/* Runs the client now and reads what it sends. */
int instance_send(const struct instance *in, size_t client, size_t input, size_t point,
                  struct instance_cell *cell, struct hagg_err *err);

const struct instance_cell *instance_cell(const struct instance *in, size_t client, size_t input,
                                          size_t point);

/* Element i of an input, as an integer. */
int instance_input(const struct instance *in, size_t input, size_t i);

/* Runs the client. What it sends to station u is in the file FOLDER/NAME-u, u from 1. */
int instance_run_client(const struct instance *in, size_t client, size_t input, size_t point,
                        const char *name, struct hagg_err *err);

#endif
