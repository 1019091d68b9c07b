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

struct node_name node_name_home(enum step_tier tier, uint32_t node)
{
    static const char *const tiers[] = { "client", "station", "relay" };

    return tier == STEP_FEDERATOR ? node_name_of("federator")
                                  : node_name_of("%s-%u", tiers[tier], node);
}
