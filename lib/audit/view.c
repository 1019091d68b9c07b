#include "audit/view.h"

#include <stdlib.h>
#include <string.h>

/* A larger system would take too long. */
#define MAX_COLUMNS (1u << 22)
#define MAX_CUT     (1u << 20)

/* A system of linear equations: the messages that the nodes see. */
struct system {
    const struct model *m;
    const struct model_component *component;
    struct view_of of;
    uint32_t only; /* view_alone: the class of the member; otherwise UINT32_MAX */
    uint32_t cut;
    size_t n_secrets, n_draws; /* n_draws: number of columns of random vectors, which come first */
    uint32_t *column;          /* by block of the component: first column, if unknown and random */
    bool *recovered;           /* by block: known because a message reveals it */
};

static const unsigned char zero[8];

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b > 0) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

uint32_t view_common_cut(uint32_t a, uint32_t b)
{
    uint64_t common = (uint64_t)a / gcd(a, b) * b;

    return common > MAX_CUT ? 0 : (uint32_t)common;
}

static bool is_seen(const struct system *l, const struct model_message *message)
{
    const struct model *m = l->m;

    if (l->only != UINT32_MAX && (message->from != MODEL_CLIENT ||
                                  m->blocks[m->terms[message->first].block].class != l->only))
        return false;
    return message->open || l->of.nodes[message->to] ||
           (message->from != MODEL_CLIENT && l->of.nodes[message->from]);
}

static bool is_known(const struct system *l, const struct model_block *b)
{
    if (l->recovered[b->place])
        return true;
    if (b->owner != MODEL_CLIENT)
        return l->of.nodes[b->owner];
    return l->only != UINT32_MAX ? b->class != l->only : !l->of.present[b->class];
}

/* A random vector is known if all other terms of some message are known. Removing these makes
 * systems much smaller: everything that involves only classes that are not present disappears. */
static int find_recovered(struct system *l, struct hagg_err *err)
{
    const struct model *m = l->m;
    bool again = true;

    while (again) {
        if (model_check_time(m, err))
            return -1;
        again = false;
        for (size_t i = 0; i < l->component->n_messages; i++) {
            const struct model_message *message = &m->messages[l->component->messages[i]];
            const struct model_term *only = NULL;
            size_t n = 0;

            for (size_t j = 0; is_seen(l, message) && j < message->n && n < 2; j++)
                if (!is_known(l, &m->blocks[m->terms[message->first + j].block])) {
                    only = &m->terms[message->first + j];
                    n++;
                }
            /* the message must reveal the whole block, and the factor must not be zero */
            if (n == 1 && !m->blocks[only->block].secret &&
                m->blocks[only->block].cut == message->cut &&
                memcmp(only->factor, zero, field_elem_size(m->field))) {
                l->recovered[m->blocks[only->block].place] = true;
                again = true;
            }
        }
    }
    return 0;
}

static int too_large(struct hagg_err *err)
{
    return err_set(err, HAGG_E_USAGE,
                   "the linear system is too large to solve: the vectors would have to be split "
                   "into too many parts");
}

/* True if the message has an unknown term. Otherwise its cut does not matter. */
static bool has_unknown(const struct system *l, const struct model_message *message)
{
    for (size_t j = 0; j < message->n; j++)
        if (!is_known(l, &l->m->blocks[l->m->terms[message->first + j].block]))
            return true;
    return false;
}

/* The cut is the least common multiple of the cuts of all messages seen that have unknown terms. */
static int set_cut(struct system *l, struct hagg_err *err)
{
    const struct model *m = l->m;

    l->cut = 1;
    for (size_t i = 0; i < l->component->n_messages; i++) {
        const struct model_message *message = &m->messages[l->component->messages[i]];

        if (is_seen(l, message) && has_unknown(l, message) &&
            (l->cut = view_common_cut(l->cut, message->cut)) == 0)
            return too_large(err);
    }
    return 0;
}

static int set_columns(struct system *l, struct hagg_err *err)
{
    const struct model *m = l->m;
    uint64_t n = 0;

    for (size_t i = 0; i < l->component->n_blocks; i++) {
        const struct model_block *b = &m->blocks[l->component->blocks[i]];

        if (b->secret || is_known(l, b) || l->cut % b->cut)
            continue; /* a block with another cut is in none of the messages seen */
        l->column[i] = (uint32_t)n;
        n += l->cut / b->cut;
        if (n > MAX_COLUMNS)
            return too_large(err);
    }
    l->n_draws = (size_t)n;
    return n + (uint64_t)l->n_secrets * l->cut > MAX_COLUMNS ? too_large(err) : 0;
}

/* Adds the terms of element i of the message, where the whole vectors have l->cut elements. */
static void add_element(const struct system *l, struct echelon *e,
                        const struct model_message *message, uint32_t i)
{
    uint32_t length = l->cut / message->cut; /* elements per segment */

    for (size_t j = 0; j < message->n; j++) {
        const struct model_term *term = &l->m->terms[message->first + j];
        const struct model_block *b = &l->m->blocks[term->block];
        size_t element = (size_t)term->segment * length + i;

        if (is_known(l, b))
            continue;
        if (b->secret)
            echelon_term(e,
                         l->n_draws + element * l->n_secrets +
                             (l->only == UINT32_MAX ? l->m->classes[b->class].place : 0),
                         term->factor);
        else
            echelon_term(e, l->column[b->place] + element, term->factor);
    }
}

static int add_messages(const struct system *l, struct echelon *e, struct hagg_err *err)
{
    for (size_t i = 0; i < l->component->n_messages; i++) {
        const struct model_message *message = &l->m->messages[l->component->messages[i]];

        if (!is_seen(l, message) || !has_unknown(l, message))
            continue;
        for (uint32_t j = 0; j < l->cut / message->cut; j++) {
            add_element(l, e, message, j);
            if (echelon_add_row(e, NULL, err) || model_check_time(l->m, err))
                return -1;
        }
    }
    return 0;
}

/* True if row b is row a shifted by one segment. */
static bool same_in_next_segment(const struct view_forms *f, const struct echelon_row *a,
                                 const struct echelon_row *b)
{
    size_t size = field_elem_size(f->rows.field);

    if (!a || !b || a->n != b->n || memcmp(a->factors, b->factors, a->n * size))
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->cols[i] + f->n_secrets != b->cols[i])
            return false;
    return true;
}

/* True if the same is known about every segment, and so about whole vectors. */
static bool is_whole(const struct view_forms *f)
{
    for (size_t i = 0; i < f->rows.n_cols; i++) {
        const struct echelon_row *r = f->rows.rows[i];
        const struct echelon_row *next =
            i + f->n_secrets < f->rows.n_cols ? f->rows.rows[i + f->n_secrets] : NULL;

        if (r && r->cols[r->n - 1] / f->n_secrets != i / f->n_secrets)
            return false;
        if (i + f->n_secrets < f->rows.n_cols && (r || next) && !same_in_next_segment(f, r, next))
            return false;
    }
    return true;
}

/* Copies the rows that are free of random vectors and begin in the first n_cols columns of
 * secrets. */
static int extract(const struct system *l, const struct echelon *e, size_t n_cols,
                   struct view_forms *forms, struct hagg_err *err)
{
    size_t size = field_elem_size(e->field);

    if (echelon_init(&forms->rows, e->field, n_cols, err))
        return -1;
    for (size_t i = 0; i < n_cols; i++) {
        const struct echelon_row *r = e->rows[l->n_draws + i];

        for (size_t j = 0; r && j < r->n; j++)
            echelon_term(&forms->rows, r->cols[j] - l->n_draws, r->factors + j * size);
        if (r && echelon_add_row(&forms->rows, NULL, err))
            return -1;
    }
    return 0;
}

static int solve(struct system *l, struct view_forms *forms, struct hagg_err *err)
{
    struct echelon e = { 0 };
    int status = -1;

    *forms = (struct view_forms){ .n_secrets = l->n_secrets };
    l->column = calloc(l->component->n_blocks + 1, sizeof *l->column);
    l->recovered = calloc(l->component->n_blocks + 1, sizeof *l->recovered);
    if (!l->column || !l->recovered)
        err_errno(err, "no memory for the linear system of a plan");
    else if (find_recovered(l, err) == 0 && set_cut(l, err) == 0 && set_columns(l, err) == 0 &&
             echelon_init(&e, l->m->field, l->n_draws + l->n_secrets * l->cut, err) == 0 &&
             add_messages(l, &e, err) == 0 && echelon_reduce(&e, l->n_draws, err) == 0)
        status = extract(l, &e, l->n_secrets * l->cut, forms, err);
    forms->cut = l->cut;
    if (status == 0 && l->cut > 1 && is_whole(forms)) {
        echelon_free(&forms->rows);
        forms->cut = 1;
        status = extract(l, &e, l->n_secrets, forms, err);
    }
    echelon_free(&e);
    free(l->column);
    free(l->recovered);
    if (status)
        view_forms_free(forms);
    return status;
}

int view_learn(const struct model *m, size_t component, const struct view_of *of,
               struct view_forms *forms, struct hagg_err *err)
{
    struct system l = {
        .m = m,
        .component = &m->components[component],
        .of = *of,
        .only = UINT32_MAX,
        .n_secrets = m->components[component].n_classes,
    };

    return solve(&l, forms, err);
}

int view_alone(const struct model *m, size_t class, const bool *nodes, struct view_forms *forms,
               struct hagg_err *err)
{
    struct system l = {
        .m = m,
        .component = &m->components[m->blocks[m->classes[class].secret].component],
        .of = { .nodes = nodes },
        .only = (uint32_t) class,
        .n_secrets = 1,
    };

    return solve(&l, forms, err);
}

void view_forms_free(struct view_forms *forms)
{
    echelon_free(&forms->rows);
    *forms = (struct view_forms){ 0 };
}
