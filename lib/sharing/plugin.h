/*
 * plugin.h - finds and loads hagg-KIND-NAME.so.
 *
 * The search order is: the directories of $HAGG_PLUGIN_PATH, separated by colons; the plugin
 * directory relative to the running command, in an installation or a build tree; the configured
 * directory. A process with more privileges than its user searches only the last. A name is never a
 * path.
 */
#ifndef HAGG_LIB_PLUGIN_H
#define HAGG_LIB_PLUGIN_H

#include <stddef.h>

#include "err.h"

struct plugin {
    void *handle;
    char *path;
};

/* Loads a plugin of kind "field" or "scheme" and copies the struct that it exports into ops, which
 * has ops_size bytes; members missing in the struct of an older plugin are set to zero. A plugin
 * whose struct is smaller than min_size is refused. HAGG_E_USAGE if the name is not valid;
 * HAGG_E_SYSTEM if the plugin is not found or cannot be used. */
int plugin_open(struct plugin *plugin, const char *kind, const char *name, void *ops,
                size_t ops_size, size_t min_size, struct hagg_err *err);

/* Calls visit with the name of every plugin of this kind that plugin_open would find. Loads none.
 */
void plugin_each(const char *kind, void (*visit)(void *arg, const char *name), void *arg);

/* Unloads the plugin, which may be all zero. */
void plugin_close(struct plugin *plugin);

#endif
