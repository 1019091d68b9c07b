#include "audit/learnt.h"

#include <stdlib.h>
#include <string.h>

#include "audit/affected.h"
#include "audit/exposed.h"
#include "audit/view.h"

/* What is learnt about sums, and about single clients from their own messages. */
struct decision {
    const struct model *m;
    const struct coalition *c;
    bool *present;            /* by class: has honest clients */
    bool *profile_present;    /* by profile: has honest clients */
    struct view_forms *sums;  /* by component */
    struct view_forms *alone; /* by class: about each member, from its messages */
    uint32_t cut;             /* common cut of all forms; 0: too large */
    size_t n_honest;          /* honest clients */
};

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory to compute what a coalition learns");
}

static void decision_free(struct decision *d)
{
    for (size_t i = 0; d->sums && i < d->m->n_components; i++)
        view_forms_free(&d->sums[i]);
    for (size_t i = 0; d->alone && i < d->m->n_classes; i++)
        view_forms_free(&d->alone[i]);
    free(d->sums);
    free(d->alone);
    free(d->present);
    free(d->profile_present);
}

static void find_present(struct decision *d)
{
    for (size_t i = 0; i < d->m->n_profiles; i++) {
        size_t n = coalition_count(d->c, d->m, i, COALITION_HONEST);

        d->profile_present[i] = n > 0;
        d->n_honest += n;
    }
    for (size_t i = 0; i < d->m->n_classes; i++)
        for (size_t j = 0; j < d->m->classes[i].n_members; j++)
            if (d->profile_present[d->m->classes[i].members[j].profile])
                d->present[i] = true;
}

static uint32_t join_cut(uint32_t cut, const struct view_forms *f)
{
    return cut > 0 && f->rows.rank > 0 ? view_common_cut(cut, f->cut) : cut;
}

static int collect_views(struct decision *d, struct hagg_err *err)
{
    const struct model *m = d->m;
    struct view_of of = { .nodes = d->c->nodes };

    d->cut = 1;
    d->present = calloc(m->n_classes + 1, sizeof *d->present);
    d->profile_present = calloc(m->n_profiles + 1, sizeof *d->profile_present);
    d->sums = calloc(m->n_components + 1, sizeof *d->sums);
    d->alone = calloc(m->n_classes + 1, sizeof *d->alone);
    if (!d->present || !d->profile_present || !d->sums || !d->alone)
        return no_memory(err);
    find_present(d);
    of.present = d->present;
    for (size_t i = 0; i < m->n_components; i++)
        if (view_learn(m, i, &of, &d->sums[i], err))
            return -1;
    for (size_t i = 0; i < m->n_classes; i++)
        if (view_alone(m, i, d->c->nodes, &d->alone[i], err))
            return -1;
    for (size_t i = 0; i < m->n_components; i++)
        d->cut = join_cut(d->cut, &d->sums[i]);
    for (size_t i = 0; i < m->n_classes; i++)
        d->cut = join_cut(d->cut, &d->alone[i]);
    return 0;
}

/* The columns of keys come first, then those of vectors, segment by segment. */
static void add_member(const struct decision *d, struct echelon *e,
                       const struct model_member *member, size_t element, const void *factor)
{
    size_t n = d->m->n_profiles;

    if (member->key)
        echelon_term(e, member->profile * (size_t)d->cut + element, factor);
    if (member->vector)
        echelon_term(e, n * d->cut + element * n + member->profile, factor);
}

/* Adds a combination of secrets as combinations of vectors and keys, over all profiles present or,
 * if profile is not UINT32_MAX, over this one only. */
static int add_form(const struct decision *d, struct echelon *e, const struct view_forms *f,
                    const struct echelon_row *row, const uint32_t *classes, uint32_t profile,
                    struct hagg_err *err)
{
    size_t size = field_elem_size(d->m->field), length = d->cut / f->cut;

    for (size_t i = 0; i < length; i++) {
        for (size_t j = 0; j < row->n; j++) {
            const struct model_class *c = &d->m->classes[classes[row->cols[j] % f->n_secrets]];
            size_t element = row->cols[j] / f->n_secrets * length + i;

            for (size_t k = 0; k < c->n_members; k++)
                if (profile != UINT32_MAX ? c->members[k].profile == profile
                                          : d->profile_present[c->members[k].profile])
                    add_member(d, e, &c->members[k], element, row->factors + j * size);
        }
        if (echelon_add_row(e, NULL, err) || model_check_time(d->m, err))
            return -1;
    }
    return 0;
}

/* Adds, for one profile, everything that the messages of a member of the class reveal. */
static int add_single_views(const struct decision *d, struct echelon *e, uint32_t class,
                            uint32_t profile, struct hagg_err *err)
{
    const struct view_forms *f = &d->alone[class];

    for (size_t i = 0; i < f->rows.n_cols; i++)
        if (f->rows.rows[i] && add_form(d, e, f, f->rows.rows[i], &class, profile, err))
            return -1;
    return 0;
}

static int add_all(const struct decision *d, struct echelon *e, struct hagg_err *err)
{
    const struct model *m = d->m;

    for (size_t i = 0; i < m->n_components; i++) {
        const struct view_forms *f = &d->sums[i];

        for (size_t j = 0; j < f->rows.n_cols; j++)
            if (f->rows.rows[j] &&
                add_form(d, e, f, f->rows.rows[j], m->components[i].classes, UINT32_MAX, err))
                return -1;
    }
    for (uint32_t i = 0; i < m->n_classes; i++)
        for (size_t j = 0; d->alone[i].rows.rank > 0 && j < m->classes[i].n_members; j++)
            if (d->profile_present[m->classes[i].members[j].profile] &&
                add_single_views(d, e, i, m->classes[i].members[j].profile, err))
                return -1;
    return 0;
}

/* Adds the sum over the honest clients, one row per segment. */
static int add_allowed(const struct decision *d, struct echelon *e, struct hagg_err *err)
{
    unsigned char one[8] = { 0 };
    size_t n = d->m->n_profiles;

    hagg_store(one, 0, field_elem_size(d->m->field), 1);
    for (size_t i = 0; i < d->cut; i++) {
        for (size_t profile = 0; profile < n; profile++)
            if (d->profile_present[profile])
                echelon_term(e, n * d->cut + i * n + profile, one);
        if (echelon_add_row(e, NULL, err))
            return -1;
    }
    return 0;
}

static int rows_new(const struct decision *d, struct exposed_rows *r, struct hagg_err *err)
{
    *r = (struct exposed_rows){
        .m = d->m, .c = d->c, .profile_present = d->profile_present, .cut = d->cut
    };
    return echelon_init(&r->rows, d->m->field, 2 * d->m->n_profiles * d->cut, err);
}

/* Adds everything that the messages of a single client of the profile reveal about it. */
static int own_rows(const struct decision *d, uint32_t profile, struct exposed_rows *r,
                    struct hagg_err *err)
{
    int status = rows_new(d, r, err);

    for (uint32_t i = 0; i < d->m->n_classes && status == 0; i++)
        if (d->alone[i].rows.rank > 0)
            status = add_single_views(d, &r->rows, i, profile, err);
    return status ? -1 : echelon_reduce(&r->rows, d->m->n_profiles * d->cut, err);
}

/* Begins to divide what is learnt by clients, with all that is learnt about them alone. */
static int begin_affected(const struct decision *d, struct affected *a,
                          const struct exposed_rows *sums, struct learnt *l, struct hagg_err *err)
{
    bool any = false;

    for (size_t i = 0; i < d->m->n_classes; i++)
        any = any || d->alone[i].rows.rank > 0;
    if (affected_begin(a, sums, err) || affected_forms(sums, l, err))
        return -1;
    for (uint32_t i = 0; any && i < d->m->n_profiles; i++) {
        struct exposed_rows r = { 0 };
        int status = own_rows(d, i, &r, err);

        if (status == 0)
            status = affected_own(a, &r, i, l, err);
        echelon_free(&r.rows);
        if (status)
            return -1;
    }
    return 0;
}

/* Divides what is learnt by clients if parts is true. */
static int decide_sums(const struct decision *d, struct learnt *l, bool parts, struct hagg_err *err)
{
    size_t first = d->m->n_profiles * d->cut;
    bool total = d->c->nodes[MODEL_FEDERATOR] || d->c->total, allowed = total && d->n_honest > 1;
    struct exposed_rows r;
    struct affected a = { 0 };
    int status = -1;

    if (rows_new(d, &r, err) || add_all(d, &r.rows, err) || echelon_reduce(&r.rows, first, err))
        goto out;
    l->only_one = total && d->n_honest == 1;
    l->rank = echelon_rank_from(&r.rows, first);
    if (!l->terms && exposed_sum(&r, !total || l->only_one, l, err))
        goto out;
    if (parts && begin_affected(d, &a, &r, l, err))
        goto out;
    if (allowed) {
        if (add_allowed(d, &r.rows, err))
            goto out;
        l->rank = echelon_rank_from(&r.rows, first) - d->cut;
    }
    if (parts && (echelon_reduce(&r.rows, first, err) || affected_parts(&a, &r, allowed, l, err)))
        goto out;
    status = 0;
out:
    affected_free(&a);
    echelon_free(&r.rows);
    return status;
}

static bool has_member(const struct model_class *c, uint32_t profile)
{
    for (size_t i = 0; i < c->n_members; i++)
        if (c->members[i].profile == profile)
            return true;
    return false;
}

/* What is learnt about a single client of a profile from its own messages: *rank of *cut segments.
 * Vectors only need to be cut for its own classes. */
static int decide_client(const struct decision *d, uint32_t profile, struct learnt *l, size_t *rank,
                         uint32_t *cut, struct hagg_err *err)
{
    struct decision own = *d;
    struct exposed_rows r;
    int status;

    own.cut = 1;
    for (size_t i = 0; i < d->m->n_classes; i++)
        if (d->alone[i].rows.rank > 0 && has_member(&d->m->classes[i], profile))
            own.cut = join_cut(own.cut, &d->alone[i]);
    *cut = own.cut;
    *rank = 0;
    if (own.cut == 0)
        return 0; /* then the common cut is too large as well, and check_columns fails */
    status = own_rows(&own, profile, &r, err);
    if (status == 0)
        *rank = echelon_rank_from(&r.rows, d->m->n_profiles * own.cut);
    if (*rank > 0 && !l->terms)
        status = exposed_single(&r, profile, l, err);
    echelon_free(&r.rows);
    return status;
}

/* Sums the leakage of single clients, except the part already counted by decide_sums:
 * docs/audit.md. */
static int decide_single(const struct decision *d, struct learnt *l, size_t *rank,
                         struct hagg_err *err)
{
    bool any = false;
    int status = 0;

    *rank = 0;
    for (size_t i = 0; i < d->m->n_classes; i++)
        any = any || d->alone[i].rows.rank > 0;
    for (uint32_t profile = 0; any && profile < d->m->n_profiles && status == 0; profile++) {
        size_t honest = coalition_count(d->c, d->m, profile, COALITION_HONEST), each;
        size_t missing = coalition_count(d->c, d->m, profile, COALITION_MISSING);
        uint32_t cut;

        if (honest + missing == 0)
            continue;
        status = decide_client(d, profile, l, &each, &cut, err);
        if (status == 0 && each > 0)
            *rank += each * (d->cut / cut) * (missing + honest - (honest > 0));
    }
    return status;
}

static int check_columns(const struct decision *d, size_t max_columns, struct hagg_err *err)
{
    if (d->cut > 0 && d->cut <= max_columns / (2 * d->m->n_profiles))
        return 0;
    return err_set(err, HAGG_E_USAGE,
                   "cannot compute what a coalition learns: its vectors are split into parts in "
                   "too many different ways");
}

int learnt_new(struct learnt *l, const struct model *m, const struct coalition *c,
               struct hagg_err *err)
{
    struct decision d = { .m = m, .c = c };
    size_t single = 0;
    int status;

    *l = (struct learnt){ 0 };
    status = collect_views(&d, err);
    if (status == 0)
        status = check_columns(&d, LEARNT_COLUMNS, err);
    if (status == 0)
        status = decide_single(&d, l, &single, err);
    if (status == 0)
        status = decide_sums(&d, l, true, err);
    l->rank += single;
    l->cut = d.cut;
    decision_free(&d);
    if (status)
        learnt_free(l);
    return status;
}

int learnt_leaks(const struct model *m, const struct coalition *c, size_t max_columns,
                 struct hagg_err *err)
{
    struct decision d = { .m = m, .c = c };
    struct learnt l = { 0 };
    size_t single = 0;
    int status = collect_views(&d, err);

    if (status == 0)
        status = decide_single(&d, &l, &single, err);
    /* a leak about a single client is a leak whatever is learnt about sums, unless it is the only
     * honest client; this check is much faster */
    if (status == 0 && l.terms && d.n_honest > 1)
        status = 1;
    else if (status == 0) {
        status = check_columns(&d, max_columns, err);
        if (status == 0)
            status = decide_sums(&d, &l, false, err);
        if (status == 0)
            status = l.rank + single > 0;
    }
    decision_free(&d);
    learnt_free(&l);
    return status;
}

int learnt_single(const struct model *m, const struct coalition *c, struct hagg_err *err)
{
    struct decision d = { .m = m, .c = c };
    struct learnt l = { 0 };
    size_t rank;
    int status = collect_views(&d, err);

    if (status == 0)
        status = decide_single(&d, &l, &rank, err);
    if (status == 0)
        status = l.terms != NULL;
    decision_free(&d);
    learnt_free(&l);
    return status;
}

void learnt_free(struct learnt *l)
{
    free(l->terms);
    for (size_t i = 0; i < l->n_parts; i++)
        rangeset_free(&l->parts[i].clients);
    free(l->parts);
    free(l->forms.terms);
    free(l->forms.ends);
    *l = (struct learnt){ 0 };
}
