/*
 * sheet.h - a file of a state directory: lines of text, which are replaced as a whole.
 *
 * The first line of the file names the sheet, and the last one has a digest. So a file that is
 * damaged, cut off or in the wrong place is an error. A changed sheet is written under the name of
 * the file and ".new", synced, and renamed: after a crash the file is the old one or the new one.
 */
#ifndef HAGG_SHEET_H
#define HAGG_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* The lines may be secret. */
struct sheet {
    char *name; /* relative to the state directory */
    char *path;
    char **lines; /* without newlines, each malloc'ed */
    size_t n, capacity;
    uint32_t *index; /* of many lines, a hash table of their first words: line + 1, or 0 */
    size_t index_size;
    bool exists;  /* True if there is a file. */
    bool changed; /* True if the lines differ from the file. */
};

/* Reads a sheet. If there is no file, there are no lines. HAGG_E_MALFORMED if the file is damaged.
 * The caller must call sheet_free, also on failure. */
int sheet_load(struct sheet *s, const char *directory, const char *name, struct hagg_err *err);

/* Returns the index of the first line that begins with these words, from index `from`; s->n if
 * there is none. */
size_t sheet_find(const struct sheet *s, const char *words, size_t from);

/* Replaces line i, or adds a line if i is s->n. */
int sheet_set(struct sheet *s, size_t i, const char *line, struct hagg_err *err);

void sheet_remove(struct sheet *s, size_t i);

/* Replaces the file and syncs it. The caller must sync its directory. */
int sheet_write(struct sheet *s, struct hagg_err *err);

/* sheet_write in two steps, for many sheets: writes the new file, which is synced only if sync is
 * true; and renames it, once it is synced. */
int sheet_prepare(struct sheet *s, bool sync, struct hagg_err *err);
int sheet_rename(struct sheet *s, struct hagg_err *err);

/* Removes the new file, if it was not renamed. */
void sheet_discard(const struct sheet *s);

/* Wipes the lines. */
void sheet_free(struct sheet *s);

#endif
