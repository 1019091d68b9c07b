#include "vector/npy.h"

#include <string.h>

#include "vector/vector.h"

/* A Python literal, parsed from left to right. Functions return 0, or -1 with err set. */
struct literal {
    const char *text;
    size_t len, at;
    bool has_long; /* True if integers may end in L. */
    const char *name;
    struct hagg_err *err;
};

struct word {
    const char *text;
    size_t len;
};

static int fail(const struct literal *l, const char *what)
{
    return err_set(l->err, HAGG_E_MALFORMED, "%s: byte %zu of the .npy header: %s", l->name, l->at,
                   what);
}

/* Returns the next character that is not white space; 0 at the end. */
static char next(struct literal *l)
{
    while (l->at < l->len && l->text[l->at] != 0 && strchr(" \t\n\r\f", l->text[l->at]))
        l->at++;
    return l->at < l->len ? l->text[l->at] : 0;
}

static bool word_is(const struct word *word, const char *text)
{
    return word->len == strlen(text) && memcmp(word->text, text, word->len) == 0;
}

static int take_char(struct literal *l, char c, const char *otherwise)
{
    if (next(l) != c)
        return fail(l, otherwise);
    l->at++;
    return 0;
}

/* Expects a comma after an item, unless the list ends here. */
static int take_comma(struct literal *l, char end)
{
    if (next(l) == end)
        return 0;
    return take_char(l, ',', "a comma is missing");
}

static int take_string(struct literal *l, struct word *word)
{
    char quote = next(l);

    if (quote != '\'' && quote != '"')
        return fail(l, "a string is missing");
    word->text = l->text + ++l->at;
    while (l->at < l->len && l->text[l->at] != quote) {
        if (l->text[l->at] == '\\' || (unsigned char)l->text[l->at] < 0x20)
            return fail(l, "a string has a character that is not allowed");
        l->at++;
    }
    word->len = (size_t)(l->text + l->at - word->text);
    return take_char(l, quote, "a string does not end");
}

static int take_bool(struct literal *l, bool *value)
{
    struct word word;

    next(l);
    word.text = l->text + l->at;
    while (l->at < l->len && ((l->text[l->at] >= 'a' && l->text[l->at] <= 'z') ||
                              (l->text[l->at] >= 'A' && l->text[l->at] <= 'Z')))
        l->at++;
    word.len = (size_t)(l->text + l->at - word.text);
    *value = word_is(&word, "True");
    if (!*value && !word_is(&word, "False"))
        return fail(l, "'fortran_order' must be True or False");
    return 0;
}

static int take_number(struct literal *l, uint64_t *value)
{
    char first = next(l);
    size_t start = l->at;

    *value = 0;
    while (l->at < l->len && l->text[l->at] >= '0' && l->text[l->at] <= '9') {
        *value = *value * 10 + (uint64_t)(l->text[l->at++] - '0');
        if (*value > LIMIT_LENGTH)
            return fail(l, "'shape' has a dimension that exceeds 2^48");
    }
    if (l->at == start || (first == '0' && l->at > start + 1))
        return fail(l, "'shape' must be a tuple of non-negative integers");
    if (l->has_long && l->at < l->len && l->text[l->at] == 'L')
        l->at++;
    return 0;
}

static int take_shape(struct literal *l, struct npy_header *h)
{
    static const char no_tuple[] = "'shape' must be a tuple of non-negative integers";
    bool comma = true;

    if (take_char(l, '(', no_tuple))
        return -1;
    for (h->n_shape = 0; next(l) != ')'; h->n_shape++) {
        size_t before;

        if (h->n_shape == LIMIT_DIMENSIONS)
            return fail(l, "'shape' has more than 32 dimensions");
        if (take_number(l, &h->shape[h->n_shape]))
            return -1;
        next(l);
        before = l->at;
        if (take_comma(l, ')'))
            return -1;
        comma = l->at > before;
    }
    /* (5) is not a tuple in Python */
    if (h->n_shape == 1 && !comma)
        return fail(l, no_tuple);
    l->at++;
    return 0;
}

static const char *kind_of_descr(const struct word *descr)
{
    static const struct {
        const char *letters, *kind;
    } kinds[] = {
        { "b?", "booleans" },       { "f", "floating-point numbers of another width" },
        { "c", "complex numbers" }, { "O", "Python objects" },
        { "Sa", "byte strings" },   { "U", "strings" },
        { "M", "dates" },           { "m", "time differences" },
        { "V", "records" },         { "iu", "integers of another width" },
    };
    size_t at = descr->len > 0 && memchr("<>|=", descr->text[0], 4) ? 1 : 0;
    bool spelled_out = at + 1 < descr->len && descr->text[at + 1] >= 'a';

    if (at < descr->len && !spelled_out)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (strchr(kinds[i].letters, descr->text[at]))
                return kinds[i].kind;
    return "elements of an unknown type";
}

static int refuse_descr(const struct literal *l, const struct word *descr, const char *kind)
{
    int len = descr->len < 40 ? (int)descr->len : 40;

    return err_set(l->err, HAGG_E_MALFORMED,
                   "%s: contains %s (%.*s): convert with astype to f4, f8, i1 to i8 or u1 to u8",
                   l->name, kind, len, descr->text);
}

static int take_descr(struct literal *l, struct npy_header *h)
{
    struct word descr;
    char order, start = next(l);

    if (start == '[' || start == '(')
        return refuse_descr(l, &(struct word){ "structured", 10 }, "records");
    if (take_string(l, &descr))
        return -1;
    memset(h->type, 0, sizeof h->type);
    if (descr.len == 3)
        memcpy(h->type, descr.text + 1, 2);
    else if (descr.len == 2)
        memcpy(h->type, descr.text, 2);
    if (vector_type_size(h->type) == 0)
        return refuse_descr(l, &descr, kind_of_descr(&descr));
    order = descr.len == 3 ? descr.text[0] : '=';
    if (order != '<' && order != '>' && (order != '|' || h->type[1] != '1'))
        return fail(l, "'descr' does not specify the byte order");
    h->big_endian = order == '>';
    return 0;
}

static int take_value(struct literal *l, struct npy_header *h, const struct word *key,
                      unsigned *seen)
{
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    unsigned which = 0;

    while (which < 3 && !word_is(key, keys[which]))
        which++;
    if (which == 3)
        return fail(l, "a key is unknown");
    if (*seen & 1u << which)
        return fail(l, "a key appears twice");
    *seen |= 1u << which;
    if (take_char(l, ':', "a colon is missing"))
        return -1;
    return which == 0   ? take_descr(l, h)
           : which == 1 ? take_bool(l, &h->fortran_order)
                        : take_shape(l, h);
}

/* Returns true if Fortran order differs from C order for this shape. */
static bool order_matters(const struct npy_header *h)
{
    size_t n_elems, longer = 0;

    for (size_t i = 0; i < h->n_shape; i++)
        longer += h->shape[i] > 1;
    return longer > 1 && !(vector_count(h->shape, h->n_shape, &n_elems) && n_elems == 0);
}

int npy_parse(struct npy_header *h, const char *text, size_t len, unsigned version,
              const char *name, struct hagg_err *err)
{
    struct literal l = {
        .text = text, .len = len, .has_long = version < 3, .name = name, .err = err
    };
    struct word key;
    unsigned seen = 0;

    if (take_char(&l, '{', "a dictionary must begin here"))
        return -1;
    while (next(&l) != '}')
        if (take_string(&l, &key) || take_value(&l, h, &key, &seen) || take_comma(&l, '}'))
            return -1;
    l.at++;
    if (seen != 7)
        return fail(&l, "'descr', 'fortran_order' or 'shape' is missing");
    next(&l);
    if (l.at < len)
        return fail(&l, "something follows the dictionary");
    h->fortran_order = h->fortran_order && order_matters(h);
    return 0;
}
