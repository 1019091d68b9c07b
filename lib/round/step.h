/*
 * step.h - the steps of a round: the commands of nodes, with their input and output files.
 */
#ifndef HAGG_ROUND_STEP_H
#define HAGG_ROUND_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A batch does the steps of several clients. */
enum step_tier { STEP_CLIENT, STEP_BATCH, STEP_STATION, STEP_RELAY, STEP_FEDERATOR };

/* How the shell treats a word of a command. */
enum step_word_kind {
    STEP_TEXT,    /* literally */
    STEP_FILES,   /* all matching files; only "*" is special */
    STEP_SETTING, /* replaced by the words in the variable of this name, which the user can set */
    STEP_AND,     /* the end of a command; the next one runs if it succeeded */
};

struct step_word {
    enum step_word_kind kind;
    char *text;
};

struct step_names {
    char **names;
    size_t n, capacity;
};

/* One command of one node, or several, one after the other. */
struct step {
    uint32_t node; /* number in its tier */
    struct step_word *words;
    size_t n_words, word_capacity;
    struct step_names inputs, outputs; /* files */
    struct step_names settled;         /* files that must exist first, however new they are */
    struct step_names expected;        /* files that the step waits for until the deadline */
    char *offered;  /* in a node's part: file without which the step is not done, and for which it
                       waits until the deadline; or NULL */
    char *receiver; /* of a step that sends its input with a command of the user: "station-2" */
};

/* How the steps of a layer are run. A step is skipped if all its outputs exist, except as
 * stated. */
enum step_run {
    STEP_TOGETHER, /* in parallel; again if an input is newer, in languages that support it */
    STEP_ONCE,     /* in parallel; existing outputs are never made again, however often the round is
                      started */
    STEP_IN_ORDER, /* once; each step needs the one before */
    STEP_ALWAYS,   /* even if the outputs exist: the step checks its inputs again */
};

struct step_layer {
    const char *name; /* "shares": letters only */
    const char *what; /* for people: "clients share their vectors" */
    enum step_tier tier;
    enum step_run run;
    struct step *steps;
    size_t n, capacity;
    bool failed; /* memory ran out: the steps are incomplete */
};

/* "CLIENT", also for batches, as in the names of variables for the tier */
const char *step_tier_name(enum step_tier tier);

/* Adds a step without words and files. */
void step_add(struct step_layer *l, uint32_t node);

/* The following functions apply to the step that was added last. */
void step_word(struct step_layer *l, enum step_word_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Two words: an option and its value. */
void step_option(struct step_layer *l, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void step_input(struct step_layer *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void step_settled(struct step_layer *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void step_expected(struct step_layer *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void step_output(struct step_layer *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void step_free_layer(struct step_layer *l);

#endif
