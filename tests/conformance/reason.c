#include "reason.h"

#include <string.h>

#include <hagg/plugin.h>

#include "report.h"

void reason_init(struct reason *r)
{
    r->buffer = (struct guarded){ 0 };
    r->why = (char *)guarded_place(&r->buffer, HAGG_WHY_SIZE, 1);
}

void reason_free(struct reason *r)
{
    guarded_free(&r->buffer);
}

bool reason_given(const struct reason *r, const char *what)
{
    size_t len = strnlen(r->why, HAGG_WHY_SIZE);

    if (!guarded_intact(&r->buffer))
        return report_wrong("%s wrote beyond the %d bytes of its reason", what, HAGG_WHY_SIZE);
    if (len == 0 || len == HAGG_WHY_SIZE)
        return report_wrong("%s was refused without a reason", what);
    if (strchr(r->why, '\n'))
        return report_wrong("%s was refused with a reason of several lines", what);
    if (r->why[len - 1] == '.')
        return report_wrong("%s was refused with a reason that ends in a full stop: %s", what,
                            r->why);
    return true;
}
