/*
 * clients.h - the steps of many clients in one process, as if each had run alone.
 */
#ifndef HAGG_CLIENTS_H
#define HAGG_CLIENTS_H

#include "share/client.h"

/* In the name of an input, "{}" is the number of the client. In the output it is the number of the
 * station, and CLIENTS_MARK is the number of the client. */
#define CLIENTS_MARK "{client}"

struct clients_options {
    /* The same for all. It has a plan and no random source. Client, key, sample count of a file,
     * sharings and progress are set for each client. */
    struct client_options client;
    const uint32_t *numbers; /* of the clients, ascending */
    size_t n;
    const char *vectors; /* without "{}": a .npy file with a row for each client */
    const char *type, *format;
    const char *keys;         /* without "{}": the keys of all clients, in order; may be NULL */
    const char *samples_file; /* without "{}": a line for each client; may be NULL */
    const char *output;
    bool allow_terminal;
    struct parallel *pool;     /* each client is shared on one thread */
    struct progress *progress; /* may be NULL */
};

struct clients_report {
    struct client_report all; /* the sum of clipped elements; the largest filling */
    size_t length;            /* of the vectors */
    bool readable;            /* True if an output is a file that others can read. */
};

/* Shares the vectors of all clients. Messages begin with the client. batch.h states what is written
 * if a client fails. */
int clients_share(const struct clients_options *options, struct clients_report *report,
                  struct hagg_err *err);

#endif
