/* The reason that a plugin must give when it refuses. */
#ifndef REASON_H
#define REASON_H

#include <stdbool.h>

#include "guarded.h"

struct reason {
    struct guarded buffer;
    char *why; /* HAGG_WHY_SIZE bytes for the plugin, none of them zero at first */
};

void reason_init(struct reason *r);
void reason_free(struct reason *r);

/* After a refusal: true if the reason is one line and not empty. Otherwise calls report_wrong,
 * where `what` names the call, for instance "init with no parameters". */
bool reason_given(const struct reason *r, const char *what);

#endif
