/*
 * outfiles.h - the output files of a command with several destinations. They appear all or not at
 * all; see outfile_publish.
 */
#ifndef HAGG_OUTFILES_H
#define HAGG_OUTFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "records/outfile.h"
#include "writer.h"

struct outfiles;
struct random;

/* "{}" in the template is replaced by the number of the destination, and missing folders of such a
 * template are created. Without "{}" all records are written to one file; "-" is standard output.
 * The template must outlive the set. */
struct outfiles *outfiles_new(const char *template, bool allow_terminal, struct hagg_err *err);

/* The same destinations as another set, without files: the records are collected in memory, for
 * outfiles_move. */
struct outfiles *outfiles_new_memory(const struct outfiles *like, struct hagg_err *err);

/* Returns the bytes of all records in memory. */
size_t outfiles_collected(const struct outfiles *s);

/* Appends the records in memory to the files of another set, and wipes them. */
int outfiles_move(struct outfiles *to, struct outfiles *from, struct hagg_err *err);

/* After a failure: ends what was written to standard output or a device with the beginning of a
 * record, so that its reader refuses it. */
void outfiles_cut(struct outfiles *s);

/* Returns the template with every mark replaced by the number, malloc'ed for the caller; NULL if
 * out of memory. */
char *outfiles_replace(const char *template, const char *mark, uint32_t number);

/* Returns the template with every "{}" replaced by the number, malloc'ed for the caller; NULL if
 * out of memory. */
char *outfiles_path(const char *template, uint32_t number);

/* Creates missing folders also without "{}" in the template. Call it before any file is opened. */
void outfiles_set_folders(struct outfiles *s);

/* Makes it an error if an output file exists already. Call it before any file is opened. */
void outfiles_set_exclusive(struct outfiles *s);

/* Calls gate once, before others can see any byte: when all files are complete and are about to be
 * published, or before the first byte is written to standard output or a device. If it fails,
 * nothing is published. Call it before any file is opened. */
void outfiles_set_gate(struct outfiles *s, int (*gate)(void *arg, struct hagg_err *err), void *arg);

/* Seals the records, as the sealer decides; see seal.h. It must outlive the set. Call it before any
 * file is opened. */
void outfiles_set_sealer(struct outfiles *s, struct sealer *sealer);

/* The following records, whose payloads depend only on their headers and on the generator, are
 * sealed to the same bytes if the generator has the same seed. */
int outfiles_set_seed(struct outfiles *s, const struct random *random, struct hagg_err *err);

/* Removes files that were not published, and the folders created for them. s may be NULL. */
void outfiles_free(struct outfiles *s);

/* Returns true if all destinations are one file, whose records must be written one after the
 * other. */
bool outfiles_is_single(const struct outfiles *s);

/* Returns true if no destination was opened yet. */
bool outfiles_is_empty(const struct outfiles *s);

/* Returns true if an output is a file that the shell has opened and others can read. */
bool outfiles_is_readable(const struct outfiles *s);

/* Returns the writer of a destination, which is opened on first use; NULL on failure. The set owns
 * the writer. */
struct writer *outfiles_writer(struct outfiles *s, uint32_t number, struct hagg_err *err);

/* Reserves space in every open file, before anything is written. n_bytes is the approximate size of
 * each. */
void outfiles_reserve(const struct outfiles *s, uint64_t n_bytes);

/* Makes the kernel start writing to disk, so that outfiles_publish has less to wait for. */
void outfiles_start_sync(const struct outfiles *s);

/* Syncs all files, then renames all of them to their final names. A single file is published even
 * if nothing was written to it, so that an empty file replaces the output of an earlier run. */
int outfiles_publish(struct outfiles *s, struct hagg_err *err);

#endif
