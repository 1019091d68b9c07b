#include "round/node_name.h"

#include <stdarg.h>
#include <stdio.h>

struct node_name node_name_of(const char *format, ...)
{
    struct node_name name;
    va_list args;

    va_start(args, format);
    vsnprintf(name.text, sizeof name.text, format, args);
    va_end(args);
    return name;
}

const char *node_name_kind(enum step_tier tier)
{
    static const char *const kinds[] = { "client", "batch", "station", "relay", "federator" };

    return kinds[tier];
}

struct node_name node_name_home(enum step_tier tier, uint32_t node)
{
    return tier == STEP_FEDERATOR ? node_name_of("%s", node_name_kind(tier))
                                  : node_name_of("%s-%u", node_name_kind(tier), node);
}
