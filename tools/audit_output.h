/*
 * audit_output.h - what hagg-audit writes: the findings or JSON, the report, and the exit status.
 */
#ifndef HAGG_AUDIT_OUTPUT_H
#define HAGG_AUDIT_OUTPUT_H

#include "audit/audit_report.h"

struct audit_output {
    bool json, forms;
    struct require *required; /* the conditions of --require, to be judged; NULL: none */
    const char *report;       /* the file for the HTML page; "-": standard output; NULL: none */
};

/* HAGG_E_PRIVACY if the plan is not private or is weaker than required, HAGG_E_TOO_FEW if that is
 * not decided and nothing is required. The outputs are written nevertheless. */
int audit_output_write(const struct audit_output *o, const struct plan *p, const struct model *m,
                       const struct audit_result *r, struct hagg_err *err);

/* Writes the largest numbers of nodes that may collude, by audit_max. */
int audit_output_max(const struct audit_output *o, const struct plan *p, const struct model *m,
                     const struct audit_options *options, struct hagg_err *err);

#endif
