#include "decode/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "decode/pattern_job.h"

/* Bytes of all shares and parts that a thread decodes at once: they stay in the second-level
 * cache. */
#define TILE_BYTES (512u * 1024)

static const char *file_of(const struct pattern_job *j, size_t share)
{
    return filecache_name(j->tools->files, j->p->shares[share].stored.file);
}

int pattern_job_points(const struct pattern_job *j, unsigned char *points, struct hagg_err *err)
{
    for (size_t i = 0; i < j->p->n_shares; i++) {
        const struct header_scheme *s = &j->p->shares[i].header.scheme;

        if (!s->has_point || s->point >= j->field->info.order)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s: share has no point that is an element of field '%s'", file_of(j, i),
                           j->field->spec);
        hagg_store(points, i, field_elem_size(j->field), s->point);
    }
    return 0;
}

/* The sharing is set up for the shares that are present. */
static int new_sharing(struct pattern_job *j, struct hagg_err *err)
{
    const struct header_scheme *s = &j->p->shares[0].header.scheme;
    struct hagg_scheme_shape shape;
    struct scheme_prefixes prefixes;
    size_t n = j->p->n_shares;
    uint32_t *holders = calloc(n, sizeof *holders);
    unsigned char *points = calloc(n, field_elem_size(j->field));
    struct sharing_part part = { s->n, s->k, s->z, &j->p->prefix, holders, 0, points };
    int status = scheme_prefixes(j->tools->scheme, s->n, s->k, s->z, &shape, &prefixes, err);

    if (status == 0 && pattern_choose_prefix(j->p, &prefixes) > 0)
        status = err_set(err, HAGG_E_TOO_FEW, "only %zu of the shares arrived, but %u are needed",
                         n, s->k);
    if (status == 0 && (!holders || !points))
        status = err_errno(err, "no memory for %zu points", n);
    j->n_symbols = shape.symbols;
    n = j->p->n_shares;
    part.n_holders = (uint32_t)n;
    for (size_t i = 0; i < n && status == 0; i++)
        holders[i] = j->p->shares[i].header.scheme.index;
    if (status == 0 && shape.uses_points)
        status = pattern_job_points(j, points, err);
    else
        part.points = NULL;
    if (status == 0)
        status = sharing_new_part(&j->sharing, j->field, j->tools->scheme, &part, err);
    free(holders);
    free(points);
    return status;
}

/* If the scheme refuses its parameters, the records are wrong, not the command line. */
static int set_up_sharing(struct pattern_job *j, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };

    if (new_sharing(j, &cause) == 0)
        return 0;
    if (cause.status == HAGG_E_USAGE)
        return err_set(err, HAGG_E_MALFORMED, "%s: %s", file_of(j, 0), cause.text);
    *err = cause;
    return -1;
}

int pattern_job_allocate(struct pattern_job *j, size_t n_in, size_t n_out, struct hagg_err *err)
{
    size_t size = field_elem_size(j->field), n_threads = parallel_threads(j->tools->pool);

    j->out = malloc(n_out * j->tile_elems * size + 1);
    j->errs = calloc(j->p->n_shares, sizeof *j->errs);
    j->from = calloc(n_in, sizeof *j->from);
    j->to = calloc(n_out, sizeof *j->to);
    j->max_rows = n_out;
    j->piece_from = calloc(n_threads * n_in, sizeof *j->piece_from);
    j->piece_to = calloc(n_threads * j->max_rows, sizeof *j->piece_to);
    j->sparse_from = calloc(n_threads * n_in, sizeof *j->sparse_from);
    j->sparse_to = calloc(n_threads * j->max_rows, sizeof *j->sparse_to);
    if (!j->piece_from || !j->piece_to || !j->sparse_from || !j->sparse_to || !j->out || !j->errs ||
        !j->from || !j->to)
        return err_errno(err, "no memory to decode");
    return 0;
}

size_t pattern_job_tile(const struct pattern_job *j, size_t n_rows)
{
    return parallel_threads(j->tools->pool) * TILE_BYTES / n_rows / field_elem_size(j->field) + 64;
}

static int make_combine(struct pattern_job *j, const bool *left_out, struct combine *c,
                        struct hagg_err *err)
{
    if (combine_new(c, &j->sharing, left_out, err))
        return -1;
    sparse_free(&j->sparse);
    if (j->sharing.shape.symbols == 1 || sparse_new(&j->sparse, j->field, &c->matrix, err) == 0)
        return 0;
    combine_free(c);
    return -1;
}

/* Returns the most symbols of a record. */
static size_t most_symbols(const struct pattern_job *j)
{
    size_t most = 0;

    for (size_t i = 0; i < j->p->n_shares; i++)
        for (const struct pattern_share *s = &j->p->shares[i]; s; s = s->later) {
            struct header_symbols own = scheme_symbols(&s->header.symbols, j->n_symbols);

            most = own.end - own.first > most ? own.end - own.first : most;
        }
    return most;
}

static size_t mixed_bytes(const struct pattern_job *j)
{
    return j->p->n_shares * j->max_symbols * j->tile_elems * field_elem_size(j->field);
}

/* Allocates the rows of the shares, and of their payloads if these have several symbols. */
static int allocate_input(struct pattern_job *j, size_t n_in, struct hagg_err *err)
{
    size_t row_bytes = j->tile_elems * field_elem_size(j->field);

    j->in = malloc(n_in * row_bytes + 1);
    j->max_symbols = most_symbols(j);
    if (j->max_symbols > 1)
        j->mixed = malloc(mixed_bytes(j) + 1);
    if (!j->in || (j->max_symbols > 1 && !j->mixed))
        return err_errno(err, "no memory to decode");
    for (size_t i = 0; i < n_in; i++)
        j->from[i] = j->in + i * row_bytes;
    return 0;
}

static int set_up(struct pattern_job *j, struct hagg_err *err)
{
    const struct matrix *m = &j->combine.matrix;

    if (set_up_sharing(j, err))
        return -1;
    j->make_combine = make_combine;
    j->is_polynomial = j->sharing.is_polynomial;
    j->suspects = calloc(j->sharing.n, sizeof *j->suspects);
    if (!j->suspects)
        return err_errno(err, "no memory to decode");
    if (j->make_combine(j, j->suspects, &j->combine, err))
        return -1;
    layout_of(&j->p->shares[0].header, &j->layout);
    j->part_length = (size_t)sharing_part_length(&j->sharing, j->layout.block_length);
    j->tile_elems = pattern_job_tile(j, m->rows + m->cols);
    return pattern_job_allocate(j, m->cols, m->rows, err) || allocate_input(j, m->cols, err) ? -1
                                                                                             : 0;
}

void pattern_job_free(struct pattern_job *j)
{
    size_t size = field_elem_size(j->field);

    if (j->in)
        explicit_bzero(j->in,
                       (size_t)j->sharing.n * j->sharing.shape.symbols * j->tile_elems * size);
    if (j->out)
        explicit_bzero(j->out, j->max_rows * j->tile_elems * size);
    if (j->mixed)
        explicit_bzero(j->mixed, mixed_bytes(j));
    free(j->mixed);
    free(j->errs);
    free(j->piece_from);
    free(j->piece_to);
    free(j->sparse_from);
    free(j->sparse_to);
    sparse_free(&j->sparse);
    free(j->in);
    free(j->out);
    free(j->from);
    free(j->to);
    free(j->suspects);
    combine_free(&j->combine);
    sharing_free(&j->sharing);
}

/* Columns start .. start + n - 1 of a tile, processed by several threads. */
struct tile {
    struct pattern_job *j;
    size_t start, n, n_pieces;
};

static void read_share(void *tile, size_t i)
{
    const struct tile *t = tile;
    struct pattern_job *j = t->j;
    size_t size = field_elem_size(j->field), n_rows = j->sharing.shape.symbols;
    size_t row_bytes = j->tile_elems * size;
    unsigned char *rows = j->in + i * n_rows * row_bytes;

    for (struct pattern_share *s = &j->p->shares[i]; s; s = s->later) {
        struct header_symbols own = scheme_symbols(&s->header.symbols, j->n_symbols);
        size_t symbols = own.end - own.first;
        unsigned char *to;

        if (own.first >= n_rows)
            return;
        to = j->mixed ? j->mixed + i * j->max_symbols * row_bytes : rows + own.first * row_bytes;
        if (stored_read(&s->stored, j->tools->files, j->field, to, t->n * symbols, &j->errs[i]))
            return;
        for (size_t e = 0; e < t->n * symbols && j->mixed; e++)
            if (own.first + e % symbols < n_rows)
                memcpy(rows + (own.first + e % symbols) * row_bytes + e / symbols * size,
                       to + e * size, size);
    }
}

int pattern_job_failed(const struct pattern_job *j, struct hagg_err *err)
{
    for (size_t i = 0; i < j->p->n_shares; i++)
        if (j->errs[i].status) {
            *err = j->errs[i];
            return -1;
        }
    return 0;
}

/* Reads the next n columns of every share. */
static int read_tile(struct pattern_job *j, size_t n, struct hagg_err *err)
{
    struct tile tile = { .j = j, .n = n };

    parallel_run(j->tools->pool, read_share, &tile, j->p->n_shares);
    return pattern_job_failed(j, err);
}

/* Decodes one thread's columns of the tile. */
static void combine_piece(void *tile, size_t piece)
{
    const struct tile *t = tile;
    const struct pattern_job *j = t->j;
    const struct matrix *m = &j->combine.matrix;
    size_t size = field_elem_size(j->field);
    size_t first = t->start + t->n * piece / t->n_pieces;
    size_t end = t->start + t->n * (piece + 1) / t->n_pieces;
    const void **from = j->piece_from + piece * m->cols;
    void **to = j->piece_to + piece * j->max_rows;

    for (size_t i = 0; i < m->cols; i++)
        from[i] = (const unsigned char *)j->from[i] + first * size;
    for (size_t i = 0; i < m->rows; i++)
        to[i] = (unsigned char *)j->to[i] + first * size;
    if (j->sparse.n_groups > 0)
        sparse_apply(&j->sparse, j->field, to, from, end - first, j->sparse_from + piece * m->cols,
                     j->sparse_to + piece * j->max_rows);
    else
        matrix_apply(m, j->field, to, from, end - first);
}

/* Decodes columns start .. n - 1 with the current combine. */
void pattern_job_combine(struct pattern_job *j, size_t start, size_t n)
{
    struct tile tile = { j, start, n - start, parallel_threads(j->tools->pool) };

    parallel_run(j->tools->pool, combine_piece, &tile, tile.n_pieces);
}

static unsigned char *out_row(const struct pattern_job *j, size_t row)
{
    return j->out + row * j->tile_elems * field_elem_size(j->field);
}

void pattern_job_aim(struct pattern_job *j, const struct pattern_target *target, size_t at,
                     size_t n)
{
    for (size_t row = 0; row < j->combine.matrix.rows; row++) {
        uint64_t start = row * (uint64_t)j->part_length + at;
        bool direct =
            target->use == PATTERN_SET && row < j->combine.n_parts && start + n <= target->length;

        j->to[row] = direct ? target->total + start * field_elem_size(j->field) : out_row(j, row);
    }
}

void pattern_job_put(const struct pattern_job *j, const struct pattern_target *target, size_t at,
                     size_t n)
{
    const struct field *f = j->field;

    for (size_t part = 0; part < j->combine.n_parts; part++) {
        uint64_t start = part * (uint64_t)j->part_length + at, length = target->length;
        /* the last parts end with zeros that are not in the vector */
        size_t now = start >= length ? 0 : length - start < n ? (size_t)(length - start) : n;
        unsigned char *to = target->total + start * field_elem_size(f);

        if (now == 0 || j->to[part] == to)
            continue;
        if (target->use == PATTERN_SET)
            memcpy(to, j->to[part], now * field_elem_size(f));
        else if (target->use == PATTERN_SUBTRACT)
            field_sub(f, to, to, j->to[part], now);
        else
            field_add(f, to, to, j->to[part], now);
    }
}

/* Decodes one block into its position in the vector. */
static int decode_block(struct pattern_job *j, uint64_t block, enum pattern_use use,
                        unsigned char *total, struct hagg_err *err)
{
    struct pattern_target target = { .use = use };
    size_t size = field_elem_size(j->field), at = 0;
    uint64_t start;

    layout_block(&j->layout, block, &start, &target.length);
    target.total = total + start * size;
    /* once even for an empty vector, so that digests are verified */
    do {
        size_t n = j->part_length - at < j->tile_elems ? j->part_length - at : j->tile_elems;

        if (read_tile(j, n, err))
            return -1;
        pattern_job_aim(j, &target, at, n);
        pattern_job_combine(j, 0, n);
        if (pattern_job_correct(j, n, err))
            return -1;
        pattern_job_put(j, &target, at, n);
        progress_add(j->tools->progress, j->p->n_shares * n * j->sharing.shape.symbols * size);
        at += n;
    } while (at < j->part_length);
    return 0;
}

int pattern_decode(struct pattern *p, const struct pattern_tools *tools, enum pattern_use use,
                   unsigned char *total, struct hagg_err *err)
{
    struct pattern_job j = { .p = p, .tools = tools, .field = tools->field };
    int status = set_up(&j, err);

    for (uint64_t block = 0; block < j.layout.n_blocks && status == 0; block++)
        status = decode_block(&j, block, use, total, err);
    pattern_job_free(&j);
    return status;
}
