#include "vector/npy.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* NumPy refuses longer headers too. */
#define MAX_HEADER 10000

#define PREFIX_BYTES 10 /* magic bytes, version, and length field of version 1.0 */
#define ALIGN        64 /* alignment of the data in the file */
#define GROWTH       21 /* digits that NumPy reserves for the first dimension */

static const uint8_t magic[6] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

bool npy_is_magic(const uint8_t *bytes, size_t n)
{
    return n >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static int take(struct input *in, void *to, size_t n, struct hagg_err *err)
{
    size_t got;

    if (input_read(in, to, n, &got, err))
        return -1;
    if (got < n)
        return err_set(err, HAGG_E_MALFORMED, "%s: ends too early, in the .npy header", in->name);
    return 0;
}

/* Reads the version and length, between the magic bytes and the dictionary. */
static int read_length(struct input *in, unsigned *version, uint32_t *len, struct hagg_err *err)
{
    uint8_t bytes[4] = { 0 };

    if (take(in, bytes, 2, err))
        return -1;
    if (bytes[0] < 1 || bytes[0] > 3 || bytes[1] != 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: has .npy version %u.%u, but only 1.0, 2.0 and 3.0 are supported",
                       in->name, bytes[0], bytes[1]);
    *version = bytes[0];
    bytes[0] = 0;
    if (take(in, bytes, *version == 1 ? 2 : 4, err))
        return -1;
    *len = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (*len > MAX_HEADER)
        return err_set(err, HAGG_E_MALFORMED, "%s: has a .npy header of more than %d bytes",
                       in->name, MAX_HEADER);
    return 0;
}

int npy_read(struct npy_header *h, struct input *in, struct hagg_err *err)
{
    char text[MAX_HEADER];
    uint8_t start[sizeof magic];
    unsigned version = 0;
    uint32_t len = 0;
    size_t got;

    if (input_read(in, start, sizeof start, &got, err))
        return -1;
    if (memcmp(start, magic, got) != 0)
        return err_set(err, HAGG_E_MALFORMED, "%s: is not a .npy file", in->name);
    if (got < sizeof start)
        return err_set(err, HAGG_E_MALFORMED, "%s: ends too early, in the .npy header", in->name);
    if (read_length(in, &version, &len, err) || take(in, text, len, err))
        return -1;
    return npy_parse(h, text, len, version, in->name, err);
}

int npy_read_type(struct npy_header *h, struct input *in, const char *type, struct hagg_err *err)
{
    if (npy_read(h, in, err))
        return -1;
    if (type && strcmp(type, h->type))
        return err_set(err, HAGG_E_USAGE,
                       "%s: is a .npy file of type %s, not %s: omit --type, or convert the file",
                       in->name, h->type, type);
    if (h->fortran_order)
        return err_set(
            err, HAGG_E_MALFORMED,
            "%s: is in Fortran order: convert it with np.ascontiguousarray and save it again",
            in->name);
    return 0;
}

static size_t format_shape(char *out, size_t size, const uint64_t *shape, size_t n_shape)
{
    size_t len = (size_t)snprintf(out, size, "(");

    for (size_t i = 0; i < n_shape; i++)
        len += (size_t)snprintf(out + len, size - len, i ? ", %" PRIu64 : "%" PRIu64, shape[i]);
    return len + (size_t)snprintf(out + len, size - len, n_shape == 1 ? ",)" : ")");
}

size_t npy_format(uint8_t *out, const char *type, const uint64_t *shape, size_t n_shape)
{
    char *text = (char *)out + PREFIX_BYTES;
    size_t size = NPY_FORMAT_MAX - PREFIX_BYTES;
    size_t len, total;

    assert(n_shape <= LIMIT_DIMENSIONS);
    len = (size_t)snprintf(text, size, "{'descr': '%c%s', 'fortran_order': False, 'shape': ",
                           type[1] == '1' ? '|' : '<', type);
    len += format_shape(text + len, size - len, shape, n_shape);
    len += (size_t)snprintf(text + len, size - len, ", }");
    if (n_shape > 0)
        len += (size_t)snprintf(text + len, size - len, "%*s",
                                GROWTH - snprintf(NULL, 0, "%" PRIu64, shape[0]), "");
    /* like NumPy, adds 64 spaces if the newline already ends on the boundary */
    total = (PREFIX_BYTES + len + 1) / ALIGN * ALIGN + ALIGN;
    memset(text + len, ' ', total - PREFIX_BYTES - len);
    out[total - 1] = '\n';
    memcpy(out, magic, sizeof magic);
    out[6] = 1;
    out[7] = 0;
    out[8] = (uint8_t)((total - PREFIX_BYTES) & 255);
    out[9] = (uint8_t)((total - PREFIX_BYTES) >> 8);
    return total;
}
