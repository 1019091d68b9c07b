#include "aggregate/aggregate_rows.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the sum of all clients with one part count, and of the masks of all dealers, that are
 * computed at once. More would save calls, but page faults and caches cost more than that. */
#define SUM_BYTES  (256u * 1024)
#define MASK_BYTES (1024u * 1024)

/* The masks of the next rows, combined: chunk after chunk, and in each the rows one after the
 * other. */
struct mixer {
    size_t n_dealers, n_chunks;
    size_t mask_elems;           /* of a dealer in a row, and of a chunk */
    size_t max_rows, at, n_rows; /* that there is room for; the next one; how many are there */
    uint32_t left;               /* rows that were not read yet */
    struct matrix extraction;    /* by chunk and dealer */
    unsigned char *in, *out;
    const void **from;
    void **to;
};

struct job {
    struct aggregate *a;
    const struct plan_aligned *p;
    struct aggregate_inputs *inputs;
    size_t size;                   /* bytes of an element */
    size_t row_elems, piece_elems; /* of a row, and how many of them are added up at once */
    unsigned char *row;            /* a piece of the sum */
    struct mixer mixer;
    struct writer *w;
};

static size_t row_elems_of(const struct plan_aligned *p, uint64_t length)
{
    return (size_t)blocks_segment_length(p->sharing.n_segments, length);
}

uint64_t aggregate_rows_elems(const struct plan_aligned *p, uint32_t holder, uint64_t length)
{
    return (uint64_t)p->n_rows[holder] * row_elems_of(p, length);
}

int aggregate_rows_read(void *input, void *to, size_t n_elems, struct hagg_err *err)
{
    struct aggregate_input *in = input;
    size_t size = field_elem_size(in->a->field), max = AGGREGATE_BLOCK_BYTES / size, at = 0;

    /* at least once, so that digests are verified even for empty vectors */
    do {
        size_t n = n_elems - at < max ? n_elems - at : max;

        if (aggregate_next(in->a, in->g, in->at, n, (unsigned char *)to + at * size, err))
            return -1;
        in->at += n;
        at += n;
    } while (at < n_elems);
    return 0;
}

/* The powers of the dealer's position: docs/aligned.md, "Who draws it". */
static void set_column(const struct job *j, size_t column, size_t dealer)
{
    unsigned char element[8] = { 0 }, *before = NULL;

    hagg_store(element, 0, j->size, dealer);
    for (size_t k = 0; k < j->mixer.n_chunks; k++) {
        unsigned char *to = matrix_at(&j->mixer.extraction, k, column);

        hagg_store(to, 0, j->size, 1);
        if (before)
            field_mul(j->a->field, to, before, element);
        before = to;
    }
}

static int mixer_new(struct job *j, uint32_t n_rows, struct hagg_err *err)
{
    struct mixer *m = &j->mixer;
    size_t row_bytes;

    m->n_dealers = j->inputs->n - j->inputs->n_clients;
    if (m->n_dealers == 0)
        return 0;
    m->n_chunks = j->p->chunks;
    m->mask_elems = (size_t)blocks_segment_length(j->p->chunks, j->row_elems);
    m->left = n_rows;
    row_bytes = m->n_dealers * m->mask_elems * j->size;
    m->max_rows = row_bytes == 0 || row_bytes > MASK_BYTES ? 1 : MASK_BYTES / row_bytes;
    if (m->max_rows > n_rows)
        m->max_rows = n_rows;
    m->in = calloc(m->max_rows * row_bytes + 1, 1);
    m->out = calloc(m->n_chunks * m->max_rows * m->mask_elems + 1, j->size);
    m->from = calloc(m->n_dealers, sizeof *m->from);
    m->to = calloc(m->n_chunks, sizeof *m->to);
    if (!m->in || !m->out || !m->from || !m->to)
        return err_errno(err, "no memory for a sum");
    for (size_t i = 0; i < m->n_dealers; i++)
        m->from[i] = m->in + i * m->max_rows * m->mask_elems * j->size;
    for (size_t k = 0; k < m->n_chunks; k++)
        m->to[k] = m->out + k * m->max_rows * m->mask_elems * j->size;
    if (matrix_new(&m->extraction, j->a->field, m->n_chunks, m->n_dealers, err))
        return -1;
    for (size_t i = 0; i < m->n_dealers; i++)
        set_column(j, i, j->inputs->inputs[j->inputs->n_clients + i].dealer);
    return 0;
}

static void mixer_free(struct mixer *m, size_t size)
{
    if (m->in)
        explicit_bzero(m->in, m->n_dealers * m->max_rows * m->mask_elems * size);
    if (m->out)
        explicit_bzero(m->out, m->n_chunks * m->max_rows * m->mask_elems * size);
    free(m->in);
    free(m->out);
    free(m->from);
    free(m->to);
    matrix_free(&m->extraction);
}

/* Reads and combines the masks of the next rows. */
static int mix(struct job *j, struct hagg_err *err)
{
    struct mixer *m = &j->mixer;
    struct aggregate_input *dealers = j->inputs->inputs + j->inputs->n_clients;

    m->at = 0;
    m->n_rows = m->left < m->max_rows ? m->left : m->max_rows;
    m->left -= (uint32_t)m->n_rows;
    for (size_t i = 0; i < m->n_dealers; i++)
        if (aggregate_rows_read(&dealers[i], m->in + i * m->max_rows * m->mask_elems * j->size,
                                m->n_rows * m->mask_elems, err))
            return -1;
    matrix_apply(&m->extraction, j->a->field, m->to, m->from, m->n_rows * m->mask_elems);
    return 0;
}

/* Sets the row to the sum of the given one, which may be the row itself, and its mask. */
static int add_mask(struct job *j, const unsigned char *from, struct hagg_err *err)
{
    struct mixer *m = &j->mixer;

    if (m->at == m->n_rows && mix(j, err))
        return -1;
    for (size_t k = 0; k * m->mask_elems < j->row_elems; k++) {
        size_t column = k * m->mask_elems, left = j->row_elems - column;

        field_add(j->a->field, j->row + column * j->size, from + column * j->size,
                  (unsigned char *)m->to[k] + m->at * m->mask_elems * j->size,
                  left < m->mask_elems ? left : m->mask_elems);
    }
    m->at++;
    return 0;
}

/* Writes n elements of the row of the interval that begins with this segment. */
static int write_piece(struct job *j, uint32_t segment, size_t column, size_t n,
                       struct hagg_err *err)
{
    const unsigned char *sum = NULL;

    for (size_t i = 0; i < j->inputs->n_clients; i++) {
        struct aggregate_input *in = &j->inputs->inputs[i];
        const unsigned char *elems = rows_at(&in->rows, segment % in->parts == 0, column, n, err);

        if (!elems)
            return -1;
        if (sum)
            field_add(j->a->field, j->row, sum, elems, n);
        sum = sum ? j->row : elems;
    }
    if (!sum)
        memset(j->row, 0, n * j->size);
    sum = sum ? sum : j->row;
    if (j->mixer.n_dealers > 0) {
        if (add_mask(j, sum, err))
            return -1;
        sum = j->row;
    }
    return writer_elems(j->w, sum, n, err);
}

static int write_rows(struct job *j, const struct blocks *blocks, struct hagg_err *err)
{
    for (uint32_t segment = 0; segment < blocks->n_segments;
         segment = blocks_next(blocks, segment)) {
        size_t column = 0;

        do {
            size_t left = j->row_elems - column, n = left < j->piece_elems ? left : j->piece_elems;

            if (write_piece(j, segment, column, n, err))
                return -1;
            column += n;
        } while (column < j->row_elems);
    }
    return writer_end(j->w, err);
}

/* A client's row is used several times if the station has smaller intervals than its blocks. */
static int open_rows(struct job *j, bool keeps, struct hagg_err *err)
{
    for (size_t i = 0; i < j->inputs->n_clients; i++) {
        struct aggregate_input *in = &j->inputs->inputs[i];
        const struct blocks own = { j->p->sharing.n_segments, &in->parts, 1 };
        const struct rows_shape shape = {
            .elem_size = j->size,
            .row_elems = j->row_elems,
            .n_rows = blocks_before(&own, own.n_segments),
            .piece_elems = j->piece_elems,
            .keeps = keeps,
        };

        if (rows_new(&in->rows, &shape, SUM_BYTES, aggregate_rows_read, in, err))
            return -1;
    }
    return 0;
}

int aggregate_rows_write(struct aggregate *a, uint32_t holder, uint64_t length,
                         struct aggregate_inputs *inputs, struct writer *w, struct hagg_err *err)
{
    const struct plan_aligned *p = a->options->plan->aligned;
    struct job j = {
        .a = a,
        .p = p,
        .inputs = inputs,
        .size = field_elem_size(a->field),
        .row_elems = row_elems_of(p, length),
        .piece_elems = AGGREGATE_BLOCK_BYTES / field_elem_size(a->field),
        .w = w,
    };
    int status = -1;

    /* the chunks of a mask are spread over the whole row */
    if (inputs->n > inputs->n_clients && j.piece_elems < j.row_elems)
        j.piece_elems = j.row_elems;
    for (size_t i = 0; i < inputs->n; i++)
        inputs->inputs[i].a = a;
    j.row = calloc((j.row_elems < j.piece_elems ? j.row_elems : j.piece_elems) + 1, j.size);
    if (!j.row)
        err_errno(err, "no memory for a sum");
    else if (open_rows(&j, p->blocks[holder].n_counts > 1, err) == 0 &&
             mixer_new(&j, p->n_rows[holder], err) == 0)
        status = write_rows(&j, &p->blocks[holder], err);
    mixer_free(&j.mixer, j.size);
    for (size_t i = 0; i < inputs->n_clients; i++)
        rows_free(&inputs->inputs[i].rows);
    if (j.row)
        explicit_bzero(j.row, (j.row_elems < j.piece_elems ? j.row_elems : j.piece_elems) * j.size);
    free(j.row);
    return status;
}
