#include "sharing/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/bindir.h"
#include "hagg/plugin.h"
#include "spec.h"
#include "base/text.h"

/* The first members of every plugin's struct. */
struct prefix {
    uint32_t abi;
    uint32_t size;
    const char *name;
};

/* Adds the directories of HAGG_PLUGIN_PATH. A relative one would load code from the current
 * directory, which may be somebody else's. */
static int list_path(struct text *dirs, const char *path, struct hagg_err *err)
{
    for (;; path++) {
        size_t len = strcspn(path, ":");

        if (*path != '/')
            return err_set(err, HAGG_E_PRIVACY,
                           "HAGG_PLUGIN_PATH: '%.*s' is not an absolute path: plugins are code, "
                           "and are not loaded from a path that depends on the current directory",
                           (int)len, path);
        text_printf(dirs, "%.*s%c", (int)len, path, 0);
        path += len;
        if (!*path)
            return 0;
    }
}

/* Lists the directories to search, each terminated by NUL, which no path contains. */
static int list_dirs(struct text *dirs, struct hagg_err *err)
{
    char bin[PATH_MAX];

    if (!getauxval(AT_SECURE)) {
        const char *path = getenv("HAGG_PLUGIN_PATH");

        if (path && *path && list_path(dirs, path, err))
            return -1;
        if (bindir_get(bin, sizeof bin) == 0)
            text_printf(dirs, "%s/%s%c", bin, PLUGIN_FROM_BIN, 0);
    }
    text_printf(dirs, "%s%c", PLUGIN_DIR, 0);
    return 0;
}

/* Returns the path of the first readable plugin, or NULL. The caller frees it. */
static char *find(const struct text *dirs, const char *kind, const char *name)
{
    for (size_t at = 0; at < dirs->len; at += strlen(dirs->bytes + at) + 1) {
        char *path;

        if (asprintf(&path, "%s/hagg-%s-%s.so", dirs->bytes + at, kind, name) < 0)
            return NULL;
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

/* Returns the name in "hagg-KIND-NAME.so", malloc'ed for the caller; NULL if it is none. */
static char *name_of(const char *file, const char *kind)
{
    char *name = NULL;
    int start = 0, end = 0;

    if (strncmp(file, "hagg-", 5) == 0 && strncmp(file + 5, kind, strlen(kind)) == 0)
        start = 5 + (int)strlen(kind);
    if (start == 0 || sscanf(file + start, "-%m[a-z0-9-].so%n", &name, &end) < 1 || end == 0 ||
        file[start + end] || !spec_is_plugin_name(name)) {
        free(name);
        return NULL;
    }
    return name;
}

/* Visits the plugins in a directory, without those that an earlier directory has. */
static void each_in(const struct text *dirs, const char *dir, const char *kind,
                    void (*visit)(void *arg, const char *name), void *arg)
{
    DIR *d = opendir(dir);
    const struct dirent *entry;

    while (d && (entry = readdir(d))) {
        char *name = name_of(entry->d_name, kind), *path = name ? find(dirs, kind, name) : NULL;

        if (path && strncmp(path, dir, strlen(dir)) == 0 && path[strlen(dir)] == '/' &&
            strcmp(path + strlen(dir) + 1, entry->d_name) == 0)
            visit(arg, name);
        free(path);
        free(name);
    }
    if (d)
        closedir(d);
}

void plugin_each(const char *kind, void (*visit)(void *arg, const char *name), void *arg)
{
    struct text dirs = { 0 };
    struct hagg_err err;

    if (list_dirs(&dirs, &err) == 0 && text_ok(&dirs))
        for (size_t at = 0; at < dirs.len; at += strlen(dirs.bytes + at) + 1)
            each_in(&dirs, dirs.bytes + at, kind, visit, arg);
    text_free(&dirs);
}

static int check_prefix(const struct prefix *p, const char *path, const char *name, size_t min_size,
                        struct hagg_err *err)
{
    if (p->abi != HAGG_PLUGIN_ABI)
        return err_set(err, HAGG_E_SYSTEM, "%s: has plugin interface %u, but this hagg has %u",
                       path, p->abi, HAGG_PLUGIN_ABI);
    if (p->size < min_size)
        return err_set(err, HAGG_E_SYSTEM, "%s: its plugin struct is too small (%u of %zu bytes)",
                       path, p->size, min_size);
    if (!p->name || strcmp(p->name, name))
        return err_set(err, HAGG_E_SYSTEM,
                       "%s: contains plugin '%s', which does not match the name of the file", path,
                       p->name ? p->name : "nothing");
    return 0;
}

int plugin_open(struct plugin *plugin, const char *kind, const char *name, void *ops,
                size_t ops_size, size_t min_size, struct hagg_err *err)
{
    struct text dirs = { 0 };
    const struct prefix *prefix;
    char symbol[32];

    *plugin = (struct plugin){ 0 };
    if (!spec_is_plugin_name(name))
        return err_set(
            err, HAGG_E_USAGE,
            "'%.80s' is not a valid name of a %s: use 1 to 64 characters from a-z, 0-9 and -", name,
            kind);
    if (list_dirs(&dirs, err)) {
        text_free(&dirs);
        return -1;
    }
    if (!text_ok(&dirs)) {
        text_free(&dirs);
        return err_errno(err, "cannot look for %s plugin '%s'", kind, name);
    }
    plugin->path = find(&dirs, kind, name);
    text_free(&dirs);
    if (!plugin->path)
        return err_set(err, HAGG_E_SYSTEM,
                       "no plugin for %s '%s': install hagg-%s-%s.so, or add its directory to "
                       "HAGG_PLUGIN_PATH",
                       kind, name, kind, name);
    plugin->handle = dlopen(plugin->path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->handle) {
        err_set(err, HAGG_E_SYSTEM, "%s: %s", plugin->path, dlerror());
        goto fail;
    }
    snprintf(symbol, sizeof symbol, "hagg_%s_plugin", kind);
    prefix = dlsym(plugin->handle, symbol);
    if (!prefix) {
        err_set(err, HAGG_E_SYSTEM, "%s: exports no %s", plugin->path, symbol);
        goto fail;
    }
    if (check_prefix(prefix, plugin->path, name, min_size, err))
        goto fail;
    memset(ops, 0, ops_size);
    memcpy(ops, prefix, prefix->size < ops_size ? prefix->size : ops_size);
    return 0;

fail:
    plugin_close(plugin);
    return -1;
}

void plugin_close(struct plugin *plugin)
{
    if (plugin->handle)
        dlclose(plugin->handle);
    free(plugin->path);
    *plugin = (struct plugin){ 0 };
}
