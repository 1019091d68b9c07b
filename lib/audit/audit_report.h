/*
 * audit_report.h - prints the result of an audit, in words and for programs.
 */
#ifndef HAGG_AUDIT_REPORT_H
#define HAGG_AUDIT_REPORT_H

#include "audit/audit.h"
#include "audit/unlimited.h"

/* The answer to whether the plan is private, with the objection of the result. Undecided: no leak
 * was found, but not all sets were examined. */
enum audit_verdict { AUDIT_PRIVATE, AUDIT_NOT_PRIVATE, AUDIT_UNDECIDED };

enum audit_verdict audit_report_decide(const struct audit_result *r);

/* Who learns how much of whose vectors, findings of the same kind together, or "private: 60
 * coalitions checked" if there are none. With forms, each finding has a line with one exact
 * combination. */
void audit_report_text(const struct audit_result *r, const struct model *m, bool forms,
                       struct text *text);

/* One combination that is learnt: "g1[1/2] + 3 g1[2/2]". */
void audit_report_form(const struct model *m, const struct learnt *l, struct text *text);

/* A number of sets, which is not exact if it is too large. */
void audit_report_count(uint64_t n, struct text *text);

/* Marks the nodes that learn too much alone. The caller frees the marks; NULL: no memory. */
bool *audit_report_single(const struct audit_result *r, const struct model *m);

struct findings_who;

/* Members of a JSON object: the nodes of each tier, and whether the federator is one. */
void audit_report_who(struct json *j, const struct findings_who *who);

/* The same as one JSON object, with all forms. */
void audit_report_json(const struct audit_result *r, const struct model *m, struct text *text);

/* For a private plan with seeds: the assumption, and against whom it is needed. relays: the plan
 * has relays. */
void audit_report_seeds(const struct unlimited *u, bool relays, struct text *text);

/* The same as member "privacy" of an object. */
void audit_report_seeds_json(const struct unlimited *u, struct json *j);

/* "expansions of seeds of honest nodes cannot .." */
void audit_report_assumption(const struct unlimited *u, struct text *text);

/* "coalitions with the federator or one of stations 1 and 2, and against its courier, station 2" */
void audit_report_against(const struct unlimited_kind *k, bool relays, struct text *text);

/* ", in totals with at least 3 of them (minimum 5 ensures that)", the condition for what is said
 * about clients for which privacy is information-theoretic, or nothing. */
void audit_report_proved(const struct unlimited *u, struct text *text);

/* ", in the same totals", the condition for what is said about all other coalitions, or nothing. */
void audit_report_total(const struct unlimited *u, struct text *text);

/* How many of each party may collude, by audit_max: lines such as "clients: 1 of 6, the plan
 * requires 1", or JSON. Because other clients than the colluders may be left out of a total down to
 * the minimum of the bounds, at most two fewer clients than this may collude. */
int audit_report_max(const struct model *m, const struct audit_bounds *bounds,
                     const struct audit_options *options, bool as_json, struct text *text,
                     struct hagg_err *err);

/* The verdict in one line: "12 sets of colluders learn more than they may". */
void audit_report_verdict(const struct audit_result *r, struct text *text);

#endif
