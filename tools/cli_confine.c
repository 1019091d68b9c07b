#include "cli_confine.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/confine.h"
#include "cli_state.h"

/* Returns the directory in which outputs are made, malloc'ed; NULL if there is none. With "{}" or
 * "{client}", it is the one before the first of them. */
static char *find_output(const char *output)
{
    char *path = output && strcmp(output, "-") ? strdup(output) : NULL, *braces, *folder;

    if (!path)
        return NULL;
    braces = strchr(path, '{');
    if (braces)
        braces[1] = 0; /* what follows is not there yet */
    folder = strdup(dirname(path));
    free(path);
    return folder;
}

void cli_confine(const struct cli_options *o)
{
    const char *off = getenv("HAGG_NO_CONFINEMENT");
    struct text state = { 0 };
    char *output, *identity;

    if (!HAGG_CONFINE || (off && strcmp(off, "1") == 0))
        return;
    output = find_output(o->output);
    identity = o->makes_identity ? find_output(o->identity) : NULL;
    if (!o->no_state)
        cli_state_find(o->state, &state);
    confine_memory();
    confine_files((const char *const[]){ output, identity, state.bytes }, 3);
    confine_calls();
    text_free(&state);
    free(identity);
    free(output);
}
