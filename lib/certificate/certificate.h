/*
 * certificate.h - the result of an audit as one HTML page, for people who have to approve a study:
 * what is promised against whom, what was proved and how, what it costs, and what is not promised.
 *
 * The page has no scripts and refers to nothing outside. The same plan gives the same bytes.
 */
#ifndef HAGG_CERTIFICATE_H
#define HAGG_CERTIFICATE_H

#include "audit/audit_report.h"

struct certificate {
    const struct plan *plan;
    const struct model *model;
    const struct audit_result *result; /* from audit_run and audit_alone */
    const char *version;               /* of hagg */
    const char *date;                  /* "2026-11-17", or NULL: none */
};

/* Appends the page to text. */
int certificate_print(const struct certificate *c, struct text *text, struct hagg_err *err);

#endif
