/* Sharings of the scheme under test, and loops over all that are tried. */
#ifndef SHARING_H
#define SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hagg/plugin.h>

struct subject;

struct form {
    uint32_t n, k, z;
};

#define FORM_TEXT "(n, k, z) = (%u, %u, %u)"

/* The points of the holders. */
enum points { FIRST, LAST, SCATTERED, ONE_ZERO, TWO_EQUAL };

struct sharing {
    struct form form;
    enum points points;
    struct hagg_scheme_shape shape;
    struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES];
    uint32_t n_prefixes;
    size_t n_rows, n_cols;
    unsigned char *matrix; /* NULL: refused */
};

const char *sharing_points_name(const struct sharing *sh);

/* Fills the shape and the prefixes. False if the scheme refuses the form. */
bool sharing_shape(const struct subject *s, const struct form *f, struct sharing *sh);

/* The matrix stays NULL if the scheme refuses or the field has no such points. */
void sharing_init(const struct subject *s, struct sharing *sh, const struct form *f,
                  enum points kind);

/* Returns the rank of the first n_symbols rows of each of these holders, from the given column on.
 */
size_t sharing_rank(const struct subject *s, const struct sharing *sh, uint64_t holders,
                    size_t n_symbols, size_t column);

/* Calls holds for sets of `size` holders: all of them for small n, else random ones. Returns the
 * first set for which it is false, or 0. */
uint64_t sharing_find_set(const struct subject *s, const struct sharing *sh, uint32_t size,
                          bool (*holds)(const struct subject *, const struct sharing *,
                                        uint64_t set, size_t arg),
                          size_t arg);

/* Writes the holders of a set as text. */
#define SHARING_LIST_SIZE 160
void sharing_list(uint64_t set, char out[SHARING_LIST_SIZE]);

/* Calls try for every form until one finds something wrong. */
void sharing_every_form(const struct subject *s,
                        bool (*try)(const struct subject *, const struct form *));

/* Calls holds for the sharing with each kind of points. False if something wrong was found. */
bool sharing_with_points(const struct subject *s, const struct form *f, enum points from,
                         enum points to,
                         bool (*holds)(const struct subject *, const struct sharing *));

#endif
