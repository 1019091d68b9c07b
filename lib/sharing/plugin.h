/*
 * plugin.h - finds and loads hagg-KIND-NAME.so.
 *
 * Looked for in the directories of $HAGG_PLUGIN_PATH (separated by colons; ignored for a privileged
 * process), then beside the running command at the installation's relative path, which serves the
 * build tree too, then in the directory that was configured. A name is never a path.
 */
#ifndef HAGG_LIB_PLUGIN_H
#define HAGG_LIB_PLUGIN_H

#include <stddef.h>

#include "err.h"

struct plugin {
    void *handle;
    char *path;
};

/* Loads a plugin of kind "field" or "scheme" and copies the struct behind its symbol into ops,
 * which has ops_size bytes: members that the plugin is too old to have are zero. A plugin whose
 * struct is smaller than min_size is refused. HAGG_E_USAGE: the name is no name; HAGG_E_SYSTEM: it
 * is not there or cannot be used. */
int plugin_open(struct plugin *plugin, const char *kind, const char *name, void *ops,
                size_t ops_size, size_t min_size, struct hagg_err *err);

/* Unloads it; a plugin that is all zero is fine. */
void plugin_close(struct plugin *plugin);

#endif
