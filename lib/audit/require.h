/*
 * require.h - conditions that a plan must meet before an organisation agrees to it, as in
 * "stations>=1 clients>=1 minimum>=5".
 *
 * Conditions on colluding nodes are about what the audit has proved, the others about the plan
 * alone. hagg-audit(1) lists them; require.c has a table with one row for each.
 */
#ifndef HAGG_REQUIRE_H
#define HAGG_REQUIRE_H

#include "base/json.h"
#include "plan/plan.h"

enum require_relation { REQUIRE_AT_LEAST, REQUIRE_AT_MOST, REQUIRE_EQUAL, REQUIRE_PRESENT };

/* Numbers from low to high; REQUIRE_ALL as low: all nodes of a tier. For a condition on a word,
 * both are the index of the word. */
struct require_range {
    uint64_t low, high;
};

#define REQUIRE_ALL UINT64_MAX

struct require_condition {
    size_t row; /* of the table */
    enum require_relation relation;
    uint64_t value;
    /* set by require_judge */
    struct require_range has;
    bool proved; /* False if the condition needs a proof, and there is none. */
    bool met;
};

/* Initialise to all zero. */
struct require {
    struct require_condition *conditions;
    size_t n, capacity;
    bool proved; /* set by require_judge: the plan is private */
};

/* Appends the conditions in text, which commas or blanks separate. HAGG_E_USAGE if one is wrong, or
 * if there is none. */
int require_parse(struct require *r, const char *text, struct hagg_err *err);

void require_free(struct require *r);

/* Decides all conditions, and adds one: that privacy is information-theoretic, if the plan has
 * seeds and no condition is about it. proved: it is proved that the plan is private. */
void require_judge(struct require *r, const struct plan *p, bool proved);

/* Returns true if the plan is proved private and all conditions are met. */
bool require_is_met(const struct require *r);

/* "stations>=2" */
void require_put_condition(const struct require_condition *c, struct text *text);

/* "1", "full", "all", "0 to 4" or "not proved" */
void require_put_has(const struct require_condition *c, struct text *text);

/* The conditions that are met, or those that are not, with what the plan has: "stations>=2 (has 1),
 * collusion=full (has partial)". */
void require_put_list(const struct require *r, bool met, struct text *text);

/* The same as members "meets" and "required" of an object. */
void require_json(const struct require *r, struct json *j);

#endif
