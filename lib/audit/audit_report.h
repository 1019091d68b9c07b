/*
 * audit_report.h - prints the result of an audit, for people and for programs.
 */
#ifndef HAGG_AUDIT_REPORT_H
#define HAGG_AUDIT_REPORT_H

#include "audit/audit.h"

/* "clients 1 3 + stations 2 5 + federator learn g2 + g4 (leakage d symbols)" for each leak, or
 * "private: 60 colluding sets checked" if there is none. */
void audit_report_text(const struct audit_result *r, const struct model *m, struct text *text);

/* The same as one JSON object. */
void audit_report_json(const struct audit_result *r, const struct model *m, struct text *text);

/* How many of each party may collude, by audit_max: lines such as "clients 1, asked for 1", or
 * JSON. */
int audit_report_max(const struct model *m, const struct audit_bounds *bounds,
                     const struct audit_options *options, bool as_json, struct text *text,
                     struct hagg_err *err);

/* The verdict in one line: "12 sets of colluders learn more than they may". */
void audit_report_verdict(const struct audit_result *r, struct text *text);

#endif
