#include <stdlib.h>
#include <string.h>

#include "decode/locate.h"
#include "decode/locate_trial.h"
#include "decode/pattern_job.h"

/* Returns true if a surplus share disagrees in the column. */
static bool is_wrong(const struct pattern_job *j, size_t column)
{
    static const unsigned char zero[8];
    size_t size = field_elem_size(j->field);

    for (size_t r = 0; r < j->combine.n_surplus; r++)
        if (memcmp((unsigned char *)j->to[j->combine.n_parts + r] + column * size, zero, size))
            return true;
    return false;
}

/* Returns the first wrong column from start, or n. Whole rows are examined first, because almost
 * always nothing is wrong. */
static size_t find_wrong(const struct pattern_job *j, size_t start, size_t n)
{
    size_t size = field_elem_size(j->field);
    bool any = false;

    for (size_t r = 0; r < j->combine.n_surplus && !any; r++) {
        const unsigned char *row = j->to[j->combine.n_parts + r];

        any = n > 0 && (row[0] || memcmp(row, row + 1, n * size - 1));
    }
    if (!any)
        return n;
    while (start < n && !is_wrong(j, start))
        start++;
    return start;
}

/* A share that disagrees with the others was changed by its holder, or was wrong when it arrived
 * there: the shares do not show which. */
static const char *other_cause(const char *tier)
{
    if (strcmp(tier, "station") == 0)
        return "a client sent it a wrong share";
    return strcmp(tier, "relay") == 0 ? "a station or client sent a wrong share"
                                      : "it was wrong when it was made";
}

static int fail_wrong(const struct pattern_job *j, const bool *suspects, struct hagg_err *err)
{
    const struct pattern_share *blamed = NULL;
    struct text holders = { 0 };
    int status;

    for (size_t i = 0; i < j->p->n_shares && suspects && !blamed; i++)
        if (suspects[i])
            blamed = &j->p->shares[i];
    if (blamed) {
        const struct header *h = &blamed->header;

        uint32_t number = h->route[0].numbers[h->scheme.index];

        return err_set(err, HAGG_E_MALFORMED,
                       "%s: the share of %s %u is wrong: %s %u changed it, or %s: get it again, "
                       "leave it out, or use --correct",
                       filecache_name(j->tools->files, blamed->stored.file), h->route[0].name,
                       number, h->route[0].name, number, other_cause(h->route[0].name));
    }
    pattern_describe(j->p, &holders);
    status = err_set(err, HAGG_E_MALFORMED,
                     "a share of %s is wrong, but there are too few surplus shares (%zu) to "
                     "identify it: get the shares again, or get more of them",
                     holders.bytes ? holders.bytes : "",
                     j->combine.n_surplus / j->sharing.shape.symbols);
    text_free(&holders);
    return status;
}

/* Finds the shares that are wrong in the column, at most half as many as there are surplus ones.
 * Returns 1; 0 if they cannot be determined; -1 on failure. */
static int locate(const struct pattern_job *j, size_t column, bool *suspects, struct hagg_err *err)
{
    const struct sharing *s = &j->sharing;
    size_t size = field_elem_size(j->field), n = s->n * (size_t)s->shape.symbols;
    unsigned char *values;
    int status;

    if (s->n - s->k < 2)
        return 0;
    values = malloc(n * size);
    if (!values)
        return err_errno(err, "no memory to find a wrong share");
    for (size_t i = 0; i < n; i++)
        memcpy(values + i * size, (const unsigned char *)j->from[i] + column * size, size);
    status = j->is_polynomial
                 ? locate_errors(j->field, s->points, values, s->n, s->k, suspects, err)
                 : locate_trial(s, values, suspects, err);
    explicit_bzero(values, n * size);
    free(values);
    return status;
}

/* Leaves out the suspects from now on, and decodes the tile again from this column. */
static int leave_out(struct pattern_job *j, const bool *suspects, size_t column, size_t n,
                     struct hagg_err *err)
{
    struct combine combine;

    if (j->make_combine(j, suspects, &combine, err))
        return -1;
    combine_free(&j->combine);
    j->combine = combine;
    memcpy(j->suspects, suspects, j->sharing.n * sizeof *suspects);
    pattern_job_combine(j, column, n);
    return 0;
}

/* Leaves out the earlier suspects too, if all together are so few that the others still show every
 * wrong share: holders that take turns must not cause a search in every column. */
static int leave_out_all(struct pattern_job *j, const bool *suspects, size_t column, size_t n,
                         struct hagg_err *err)
{
    uint32_t n_shares = j->sharing.n, n_all = 0;
    bool *all = calloc(n_shares, sizeof *all);
    int status;

    if (!all)
        return err_errno(err, "no memory to find a wrong share");
    for (uint32_t i = 0; i < n_shares; i++) {
        all[i] = suspects[i] || j->suspects[i];
        n_all += all[i];
    }
    status = leave_out(j, 2 * n_all <= n_shares - j->sharing.k ? all : suspects, column, n, err);
    free(all);
    return status;
}

/* Corrects the tile, or fails. The suspects of one column are left out in all further columns,
 * until a column disagrees and gives other suspects. */
int pattern_job_correct(struct pattern_job *j, size_t n, struct hagg_err *err)
{
    bool *suspects = calloc(j->sharing.n, sizeof *suspects);
    size_t column = find_wrong(j, 0, n);
    int status = suspects ? 0 : err_errno(err, "no memory to find a wrong share");

    while (status == 0 && column < n) {
        int found = locate(j, column, suspects, err);

        if (found < 0)
            status = -1;
        else if (found == 0 || !j->tools->correct)
            status = fail_wrong(j, found ? suspects : NULL, err);
        else
            status = leave_out_all(j, suspects, column, n, err);
        if (status == 0 && is_wrong(j, column))
            status = fail_wrong(j, NULL, err);
        for (uint32_t i = 0; i < j->sharing.n && status == 0; i++)
            j->p->shares[i].n_wrong += suspects[i];
        if (status == 0)
            column = find_wrong(j, column + 1, n);
    }
    free(suspects);
    return status;
}
