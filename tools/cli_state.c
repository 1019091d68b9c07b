#include "cli_state.h"

#include <stdlib.h>

#include "base/text.h"
#include "cli.h"

/* Returns the value of a variable of the environment; NULL if it is empty or not set. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

bool cli_state_find(const char *directory, struct text *path)
{
    const char *base = variable("XDG_STATE_HOME"), *home = variable("HOME");

    if (!directory)
        directory = variable("HAGG_STATE");
    if (directory)
        text_printf(path, "%s", directory);
    /* as the XDG specification requires, a relative path is ignored */
    else if (base && *base == '/')
        text_printf(path, "%s/hagg", base);
    else if (home)
        text_printf(path, "%s/.local/state/hagg", home);
    return !directory;
}

struct state *cli_state_open_directory(const char *directory, struct hagg_err *err)
{
    struct text path = { 0 };
    bool is_default = cli_state_find(directory, &path);
    struct state *s = NULL;

    if (!text_ok(&path))
        err_errno(err, "no memory for the state");
    else if (!path.bytes)
        err_set(err, HAGG_E_SYSTEM,
                "there is no default state directory, because HOME is not set: use --state");
    else
        s = state_new(path.bytes, is_default, err);
    text_free(&path);
    return s;
}

struct state *cli_state_open(const struct cli_options *o, struct hagg_err *err)
{
    return o->no_state ? state_new(NULL, false, err) : cli_state_open_directory(o->state, err);
}

void cli_state_close(struct state *s)
{
    if (state_new_directory(s))
        cli_note("state: new directory %s", state_new_directory(s));
    if (state_was_asked(s))
        cli_note("--no-state: nothing stops a second total of this round");
    state_free(s);
}
