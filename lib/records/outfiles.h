/*
 * outfiles.h - the output files of a command with several destinations. They appear all or not at
 * all.
 */
#ifndef HAGG_OUTFILES_H
#define HAGG_OUTFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "records/outfile.h"
#include "writer.h"

struct outfiles;

/* "{}" in the template stands for the number of the destination, and the folders of such a template
 * are made where they are missing. Without it everything goes to one file; "-" is standard output.
 * The template must outlive the set. */
struct outfiles *outfiles_new(const char *template, bool allow_terminal, struct hagg_err *err);

/* The template with the number for every "{}", malloc'ed for the caller; NULL without memory. */
char *outfiles_path(const char *template, uint32_t number);

/* NULL is fine. Removes what was not published, and folders that were made for it. */
void outfiles_free(struct outfiles *s);

/* Whether all destinations are one file, whose records must be written one after the other. */
bool outfiles_is_single(const struct outfiles *s);

/* Whether there is no destination yet: nothing was written. */
bool outfiles_is_empty(const struct outfiles *s);

/* The writer of a destination, opened when it is first asked for; it belongs to the set. */
struct writer *outfiles_writer(struct outfiles *s, uint32_t number, struct hagg_err *err);

/* Says how large every file will be, about, before anything is in them. */
void outfiles_reserve(const struct outfiles *s, uint64_t n_bytes);

/* Asks the kernel to begin writing to disk what has come so far, so that outfiles_publish need not
 * wait for all of it. */
void outfiles_start_sync(const struct outfiles *s);

/* Syncs all files, then gives all of them their names. A single file appears even if nothing was
 * written, empty: what was there under its name is of another run. */
int outfiles_publish(struct outfiles *s, struct hagg_err *err);

#endif
