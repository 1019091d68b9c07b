#include "round/step.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

const char *step_tier_name(enum step_tier tier)
{
    static const char *const names[] = { "CLIENT", "CLIENT", "STATION", "RELAY", "FEDERATOR" };

    return names[tier];
}

void step_add(struct step_layer *l, uint32_t node)
{
    l->failed = l->failed || ARRAY_RESERVE(l->steps, l->n + 1, l->capacity);
    if (!l->failed)
        l->steps[l->n++] = (struct step){ .node = node };
}

__attribute__((format(printf, 3, 0))) static void
add_word(struct step_layer *l, enum step_word_kind kind, const char *format, va_list args)
{
    struct step *s;

    if (l->failed)
        return;
    s = &l->steps[l->n - 1];
    l->failed = ARRAY_RESERVE(s->words, s->n_words + 1, s->word_capacity);
    if (l->failed)
        return;
    s->words[s->n_words].kind = kind;
    l->failed = vasprintf(&s->words[s->n_words].text, format, args) < 0;
    s->n_words += !l->failed;
}

void step_word(struct step_layer *l, enum step_word_kind kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_word(l, kind, format, args);
    va_end(args);
}

void step_option(struct step_layer *l, const char *option, const char *format, ...)
{
    va_list args;

    step_word(l, STEP_TEXT, "%s", option);
    va_start(args, format);
    add_word(l, STEP_TEXT, format, args);
    va_end(args);
}

__attribute__((format(printf, 3, 0))) static void
add_name(struct step_layer *l, struct step_names *names, const char *format, va_list args)
{
    l->failed = ARRAY_RESERVE(names->names, names->n + 1, names->capacity);
    if (l->failed)
        return;
    l->failed = vasprintf(&names->names[names->n], format, args) < 0;
    names->n += !l->failed;
}

void step_input(struct step_layer *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!l->failed)
        add_name(l, &l->steps[l->n - 1].inputs, format, args);
    va_end(args);
}

void step_settled(struct step_layer *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!l->failed)
        add_name(l, &l->steps[l->n - 1].settled, format, args);
    va_end(args);
}

void step_expected(struct step_layer *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!l->failed)
        add_name(l, &l->steps[l->n - 1].expected, format, args);
    va_end(args);
}

void step_output(struct step_layer *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!l->failed)
        add_name(l, &l->steps[l->n - 1].outputs, format, args);
    va_end(args);
}

static void free_names(struct step_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->names[i]);
    free(names->names);
}

void step_free_layer(struct step_layer *l)
{
    for (size_t i = 0; i < l->n; i++) {
        struct step *s = &l->steps[i];

        for (size_t j = 0; j < s->n_words; j++)
            free(s->words[j].text);
        free(s->words);
        free_names(&s->inputs);
        free_names(&s->settled);
        free_names(&s->expected);
        free(s->offered);
        free(s->receiver);
        free_names(&s->outputs);
    }
    free(l->steps);
    l->steps = NULL;
    l->n = l->capacity = 0;
}
