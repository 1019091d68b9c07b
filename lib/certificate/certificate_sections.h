/*
 * certificate_sections.h - the sections of the page, each in a file of its own. Used by
 * certificate.c only.
 */
#ifndef HAGG_CERTIFICATE_SECTIONS_H
#define HAGG_CERTIFICATE_SECTIONS_H

#include "certificate/certificate.h"

/* "6 clients, 5 stations, 1 federator" */
void certificate_nodes(const struct topology *t, struct text *text);

/* The style sheet. */
const char *certificate_style(void);

/* The conditions that the plan had to meet, and whether it does; nothing if there are none. */
void certificate_required(const struct certificate *c, struct text *text);

/* What is promised against whom. */
void certificate_promise(const struct certificate *c, struct text *text);

/* What the promise assumes in a plan with seeds, and against whom. */
void certificate_seeds(const struct certificate *c, struct text *text);

/* The network, as a picture. */
int certificate_drawing(const struct certificate *c, struct text *text, struct hagg_err *err);

/* Who learns what, if the plan is not private. */
int certificate_findings(const struct certificate *c, struct text *text, struct hagg_err *err);

/* What was examined, and how. */
void certificate_evidence(const struct certificate *c, struct text *text);

/* What a round sends, and the lower bounds. */
int certificate_costs(const struct certificate *c, struct text *text, struct hagg_err *err);

/* What is not promised. */
void certificate_limits(const struct certificate *c, struct text *text);

#endif
