/*
 * batch.h - does the same for many nodes: on several threads, with the output in order, and in
 * memory that does not depend on their number.
 */
#ifndef HAGG_BATCH_H
#define HAGG_BATCH_H

#include "base/parallel.h"
#include "base/progress.h"
#include "records/outfiles.h"

/* The functions have the argument of the job, the index of the node in numbers, and memory of the
 * node that is all zero in the beginning. */
struct batch_job {
    const char *tier; /* of the nodes, for messages */
    const uint32_t *numbers;
    size_t n;
    /* A mark in the template of the output, such as "{client}", that is replaced by the number of
     * the node. If the template has it, each node has files of its own. */
    const char *mark;
    const char *output; /* the template; "-" is standard output */
    bool allow_terminal, exclusive;
    struct sealer *sealer; /* of the records; may be NULL */
    size_t size;           /* bytes of memory for a node */
    /* Reads what has to be read in order. Called in order. May be NULL. */
    int (*take)(void *arg, size_t i, void *node, struct hagg_err *err);
    /* Writes the records of the node. Called by any thread. */
    int (*make)(void *arg, size_t i, void *node, struct outfiles *out, struct hagg_err *err);
    /* Called in order, before any record of the batch is written. May be NULL. */
    int (*enter)(void *arg, size_t i, void *node, struct hagg_err *err);
    /* Called once for a batch, after that. May be NULL. */
    int (*commit)(void *arg, struct hagg_err *err);
    /* Releases what the memory of a node refers to. May be NULL. */
    void (*drop)(void *arg, void *node);
    void *arg;
    struct parallel *pool;     /* may be NULL */
    struct progress *progress; /* may be NULL */
};

/* Runs the job. Messages begin with the node. Nothing is written of a batch in which a node fails.
 * Files that several nodes write to then do not appear, and standard output, if something was
 * written to it, ends with the beginning of a record. *readable is true if an output is a file that
 * others can read. */
int batch_run(const struct batch_job *job, bool *readable, struct hagg_err *err);

#endif
