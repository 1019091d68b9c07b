/*
 * npy.h - the header of a .npy file, as numpy.lib.format describes it.
 *
 * Read: versions 1.0, 2.0 and 3.0. The header is a Python dictionary of exactly the keys descr,
 * fortran_order and shape, in any order and with any white space, of plain strings, True or False,
 * and a tuple of integers; other ways that Python has to write the same are refused. Written:
 * version 1.0, byte for byte what numpy.save writes.
 */
#ifndef HAGG_NPY_H
#define HAGG_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"
#include "records/input.h"

/* Of any header that npy_format writes. LIMIT_DIMENSIONS numbers up to LIMIT_LENGTH leave it far
 * below the 65535 bytes of version 1.0, so that no other version is ever needed. */
#define NPY_FORMAT_MAX 1024

struct npy_header {
    char type[LIMIT_TYPE + 1];
    bool big_endian;
    bool fortran_order; /* only where it differs from C order, which depends on the shape */
    uint64_t shape[LIMIT_DIMENSIONS];
    size_t n_shape;
};

/* Whether these are the first bytes of a .npy file. */
bool npy_is_magic(const uint8_t *bytes, size_t n);

/* Uses the header; the data comes next. */
int npy_read(struct npy_header *h, struct input *in, struct hagg_err *err);

/* The dictionary alone. Version 3 has no integers with an L at their end, as Python 2 wrote them.
 * Messages begin with the name. */
int npy_parse(struct npy_header *h, const char *text, size_t len, unsigned version,
              const char *name, struct hagg_err *err);

/* The header of a little-endian array in C order. Returns its length, at most NPY_FORMAT_MAX. */
size_t npy_format(uint8_t *out, const char *type, const uint64_t *shape, size_t n_shape);

#endif
