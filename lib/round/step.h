/*
 * step.h - the steps of a round: commands of nodes, what they read and what they write.
 */
#ifndef HAGG_ROUND_STEP_H
#define HAGG_ROUND_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step_tier { STEP_CLIENT, STEP_STATION, STEP_RELAY, STEP_FEDERATOR };

/* What a word of a command is to the shell. */
enum step_word_kind {
    STEP_TEXT,    /* itself */
    STEP_FILES,   /* all files that "*" in it may stand for; no other character is special */
    STEP_CONTENT, /* what the file of this name holds */
};

struct step_word {
    enum step_word_kind kind;
    char *text;
};

struct step_names {
    char **names;
    size_t n, capacity;
};

/* One command of one node. */
struct step {
    uint32_t node; /* its number in the tier */
    struct step_word *words;
    size_t n_words, word_capacity;
    struct step_names inputs, outputs; /* files */
};

/* How the steps of a layer are run. A step whose outputs are all there has nothing to do. */
enum step_run {
    STEP_TOGETHER, /* at the same time, and again if an input is newer, in a language that can tell
                    */
    STEP_ONCE,     /* at the same time; what is there is never made anew, however often the round is
                      begun */
    STEP_IN_ORDER, /* once, and each needs the one before */
    STEP_ALWAYS,   /* also if the outputs are there: the step checks what they were made of */
};

struct step_layer {
    const char *name; /* "shares": letters only */
    const char *what; /* for a reader: "clients share their vectors" */
    enum step_tier tier;
    enum step_run run;
    struct step *steps;
    size_t n, capacity;
    bool failed; /* memory ran out, and steps are not as they should be */
};

/* "CLIENT", as in variables that are about the tier */
const char *step_tier_name(enum step_tier tier);

/* A step more, without words and files yet. */
void step_add(struct step_layer *l, uint32_t node);

/* What follows is for the step that was added last. */
void step_word(struct step_layer *l, enum step_word_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Two words: an option and its value. */
void step_option(struct step_layer *l, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void step_input(struct step_layer *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void step_output(struct step_layer *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void step_free_layer(struct step_layer *l);

#endif
