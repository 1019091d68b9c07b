/*
 * npy.h - the header of a .npy file, as numpy.lib.format describes it.
 *
 * Versions 1.0, 2.0 and 3.0 are read. The header is a Python dictionary with exactly the keys
 * descr, fortran_order and shape, in any order and with any white space, whose values are a plain
 * string, True or False, and a tuple of integers; other Python syntax for the same values is
 * refused. Version 1.0 is written, identical to the output of numpy.save.
 */
#ifndef HAGG_NPY_H
#define HAGG_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"
#include "records/input.h"

/* Upper bound for a header of npy_format. With LIMIT_DIMENSIONS numbers up to LIMIT_LENGTH it is
 * far below the 65535 bytes of version 1.0, so no later version is needed. */
#define NPY_FORMAT_MAX 1024

struct npy_header {
    char type[LIMIT_TYPE + 1];
    bool big_endian;
    bool fortran_order; /* True only if it differs from C order for this shape. */
    uint64_t shape[LIMIT_DIMENSIONS];
    size_t n_shape;
};

/* Returns true if these are the first bytes of a .npy file. */
bool npy_is_magic(const uint8_t *bytes, size_t n);

/* Reads the header, after which the input is at the data. */
int npy_read(struct npy_header *h, struct input *in, struct hagg_err *err);

/* The same, and checks that the file is in C order and, unless type is NULL, of this type. */
int npy_read_type(struct npy_header *h, struct input *in, const char *type, struct hagg_err *err);

/* Parses the dictionary alone. Before version 3, integers may end in L, as Python 2 wrote them.
 * Messages begin with the name. */
int npy_parse(struct npy_header *h, const char *text, size_t len, unsigned version,
              const char *name, struct hagg_err *err);

/* Writes the header of a little-endian array in C order. Returns its length, at most
 * NPY_FORMAT_MAX. */
size_t npy_format(uint8_t *out, const char *type, const uint64_t *shape, size_t n_shape);

#endif
