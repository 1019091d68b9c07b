#include "records/tally.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const struct tally_word *x = a, *y = b;

    return strcmp(x->word, y->word);
}

static struct tally_word *new_word(const char *word)
{
    struct tally_word *w = calloc(1, sizeof *w);

    if (w && !(w->word = strdup(word))) {
        free(w);
        return NULL;
    }
    return w;
}

static void ignore(void *word)
{
    (void)word;
}

int tally_add(struct tally *t, const char *word, struct hagg_err *err)
{
    struct tally_word *w = new_word(word), **found;

    if (!w)
        return err_errno(err, "no memory to count '%s'", word);
    found = tsearch(w, &t->tree, compare);
    if (found && *found == w) {
        if (!t->last)
            t->last = &t->first;
        *t->last = w;
        t->last = &w->next;
        t->n_words++;
        w->count = 1;
        return 0;
    }
    free(w->word);
    free(w);
    if (!found)
        return err_errno(err, "no memory to count '%s'", word);
    (*found)->count++;
    return 0;
}

void tally_free(struct tally *t)
{
    tdestroy(t->tree, ignore);
    while (t->first) {
        struct tally_word *next = t->first->next;

        free(t->first->word);
        free(t->first);
        t->first = next;
    }
    *t = (struct tally){ 0 };
}
