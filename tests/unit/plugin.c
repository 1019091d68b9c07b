#include "sharing/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "hagg/plugin.h"

#define BAD    BAD_PLUGINS "/bad"
#define FIRST  BAD_PLUGINS "/first"
#define SECOND BAD_PLUGINS "/second"

static bool privileged;

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);

unsigned long __wrap_getauxval(unsigned long type)
{
    return type == AT_SECURE && privileged ? 1 : __real_getauxval(type);
}

static bool looked_in_root;

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode)
{
    looked_in_root = looked_in_root || strncmp(path, "/hagg-", 6) == 0;
    return __real_access(path, mode);
}

/* Opens the plugin of a field with the struct of this release. */
static int open_field(struct plugin *p, const char *name, struct hagg_field *ops,
                      struct hagg_err *err)
{
    *err = (struct hagg_err){ 0 };
    return plugin_open(p, "field", name, ops, sizeof *ops, sizeof *ops, err);
}

static void opens(const char *path, const char *name, const char *want)
{
    struct plugin p = { 0 };
    struct hagg_field ops;
    struct hagg_err err;

    if (path)
        setenv("HAGG_PLUGIN_PATH", path, 1);
    else
        unsetenv("HAGG_PLUGIN_PATH");
    if (!CHECK(open_field(&p, name, &ops, &err) == 0)) {
        fprintf(stderr, "  %s\n", err.text);
        return;
    }
    CHECK_STR(p.path, want);
    CHECK_STR(ops.name, name);
    CHECK(ops.abi == 1 && ops.size == sizeof ops && ops.add && !ops.mat_apply);
    plugin_close(&p);
    CHECK(p.handle == NULL && p.path == NULL);
    plugin_close(&p);
}

static void fails(const char *path, const char *name, enum hagg_status status, const char *message)
{
    struct plugin p;
    struct hagg_field ops;
    struct hagg_err err;

    setenv("HAGG_PLUGIN_PATH", path, 1);
    CHECK(open_field(&p, name, &ops, &err) == -1 && err.status == status);
    CHECK_STR(err.text, message);
    CHECK(p.handle == NULL && p.path == NULL);
    plugin_close(&p);
}

static void has_no_plugin(const char *path, const char *name)
{
    char message[300];

    snprintf(message, sizeof message,
             "no plugin for field '%s': install hagg-field-%s.so, or add its directory to "
             "HAGG_PLUGIN_PATH",
             name, name);
    fails(path, name, HAGG_E_SYSTEM, message);
}

static void refuses_names_that_are_none(void)
{
    static const char *const names[] = { "",    "../x", "/x",      "A",      "a/b", "a.b",
                                         ".",   "..",   "five/",   "./five", "-a",  "a b",
                                         "a\n", "fivE", "five.so", "*" };
    char longer[201], message[300];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(message, sizeof message,
                 "'%s' is not a valid name of a field: use 1 to 64 characters from a-z, 0-9 and -",
                 strcmp(names[i], "a\n") ? names[i] : "a?");
        fails(BAD, names[i], HAGG_E_USAGE, message);
    }
    for (size_t len = 65; len <= 200; len += 135) {
        memset(longer, 'a', len);
        longer[len] = 0;
        snprintf(
            message, sizeof message,
            "'%.80s' is not a valid name of a field: use 1 to 64 characters from a-z, 0-9 and -",
            longer);
        fails(BAD, longer, HAGG_E_USAGE, message);
    }
    longer[64] = 0;
    has_no_plugin(BAD, longer);
}

static void looks_in_order(void)
{
    opens(FIRST ":" SECOND, "twin", FIRST "/hagg-field-twin.so");
    opens(SECOND ":" FIRST, "twin", SECOND "/hagg-field-twin.so");
    opens(BAD ":" SECOND ":" FIRST, "twin", SECOND "/hagg-field-twin.so");
    opens("/nonexistent:" FIRST, "twin", FIRST "/hagg-field-twin.so");
    opens(FIRST "/", "twin", FIRST "//hagg-field-twin.so");
    has_no_plugin(BAD, "twin");
    has_no_plugin("", "twin");
}

/* A relative or empty entry would load code from the current directory. */
static void refuses_relative_entries(void)
{
    static const struct {
        const char *path, *entry;
    } cases[] = {
        { ".", "." },
        { "../second", "../second" },
        { ":", "" },
        { ":" FIRST, "" },
        { FIRST ":", "" },
        { FIRST "::" SECOND, "" },
        { FIRST ":first", "first" },
    };
    char *before = getcwd(NULL, 0), message[300];

    CHECK(before && chdir(FIRST) == 0);
    has_no_plugin("", "twin");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(message, sizeof message,
                 "HAGG_PLUGIN_PATH: '%s' is not an absolute path: plugins are code, and are not "
                 "loaded from a path that depends on the current directory",
                 cases[i].entry);
        fails(cases[i].path, "twin", HAGG_E_PRIVACY, message);
    }
    CHECK(before && chdir(before) == 0);
    CHECK(!looked_in_root);
    opens("/:" FIRST, "twin", FIRST "/hagg-field-twin.so");
    CHECK(!looked_in_root); /* that was "//hagg-field-twin.so" */
    free(before);
}

static void ignores_the_path_when_privileged(void)
{
    privileged = true;
    has_no_plugin(FIRST, "twin");
    privileged = false;
    opens(FIRST, "twin", FIRST "/hagg-field-twin.so");
}

static void refuses_plugins_with_faults(void)
{
    char small[200];

    fails(BAD, "other-abi", HAGG_E_SYSTEM,
          BAD "/hagg-field-other-abi.so: has plugin interface 2, but this hagg has 1");
    fails(BAD, "no-abi", HAGG_E_SYSTEM,
          BAD "/hagg-field-no-abi.so: has plugin interface 0, but this hagg has 1");
    snprintf(small, sizeof small,
             BAD "/hagg-field-small.so: its plugin struct is too small (16 of %zu bytes)",
             sizeof(struct hagg_field));
    fails(BAD, "small", HAGG_E_SYSTEM, small);
    snprintf(small, sizeof small,
             BAD "/hagg-field-one-less.so: its plugin struct is too small (%zu of %zu bytes)",
             offsetof(struct hagg_field, add_checked) - 1, sizeof(struct hagg_field));
    fails(BAD, "one-less", HAGG_E_SYSTEM, small);
    fails(BAD, "misnamed", HAGG_E_SYSTEM,
          BAD "/hagg-field-misnamed.so: contains plugin 'named', which does not match the name of "
              "the file");
    fails(BAD, "nameless", HAGG_E_SYSTEM,
          BAD "/hagg-field-nameless.so: contains plugin 'nothing', which does not match the name "
              "of the file");
    fails(BAD, "no-symbol", HAGG_E_SYSTEM,
          BAD "/hagg-field-no-symbol.so: exports no hagg_field_plugin");
}

/* A scheme is not found as a field, nor a field as a scheme. */
static void tells_the_kinds_apart(void)
{
    struct hagg_scheme ops;
    struct hagg_err err = { 0 };
    struct plugin p;

    has_no_plugin(BAD, "odd");
    CHECK(plugin_open(&p, "scheme", "odd", &ops, sizeof ops, sizeof ops, &err) == 0);
    CHECK_STR(ops.name, "odd");
    plugin_close(&p);
    CHECK(plugin_open(&p, "scheme", "five", &ops, sizeof ops, sizeof ops, &err) == -1);
    CHECK_STR(err.text, "no plugin for scheme 'five': install hagg-scheme-five.so, or add its "
                        "directory to HAGG_PLUGIN_PATH");
}

/* The struct of the host is older: members that it does not have are not copied. */
static void accepts_a_struct_that_has_grown(void)
{
    struct {
        struct hagg_field known;
        unsigned char guard[64];
    } host;
    struct hagg_err err = { 0 };
    struct plugin p;

    memset(&host, 0xee, sizeof host);
    setenv("HAGG_PLUGIN_PATH", BAD, 1);
    CHECK(open_field(&p, "grown", &host.known, &err) == 0);
    CHECK(host.known.size == sizeof host.known + 32 && host.known.add && host.known.to_int);
    for (size_t i = 0; i < sizeof host.guard; i++)
        CHECK(host.guard[i] == 0xee);
    plugin_close(&p);
}

/* The struct of the host is newer: members that the plugin does not have are NULL. */
static void fills_up_a_struct_that_is_older(void)
{
    struct {
        struct hagg_field known;
        void *later[4];
    } host;
    struct hagg_err err = { 0 };
    struct plugin p;

    memset(&host, 0xee, sizeof host);
    setenv("HAGG_PLUGIN_PATH", BAD, 1);
    CHECK(plugin_open(&p, "field", "five", &host, sizeof host, sizeof host.known, &err) == 0);
    CHECK(host.known.add && host.known.to_int && !host.known.mat_apply);
    for (size_t i = 0; i < 4; i++)
        CHECK(host.later[i] == NULL);
    plugin_close(&p);
    /* so is a member in the middle of which the struct of the plugin ends */
    CHECK(plugin_open(&p, "field", "one-less", &host, sizeof host,
                      offsetof(struct hagg_field, mat_apply), &err) == 0);
    CHECK(host.known.to_int && !host.known.mat_apply && host.later[3] == NULL);
    plugin_close(&p);
}

static void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static void copy_file(const char *from, const char *to, mode_t mode)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

    CHECK(in >= 0 && out >= 0);
    while (sendfile(out, in, NULL, 1 << 20) > 0)
        ;
    close(in);
    close(out);
}

/* Checks that a plugin in this directory is refused with a message that names the file. */
static void is_no_plugin(const char *dir, const char *name)
{
    struct plugin p;
    struct hagg_field ops;
    struct hagg_err err;
    char path[300];

    snprintf(path, sizeof path, "%s/hagg-field-%s.so", dir, name);
    setenv("HAGG_PLUGIN_PATH", dir, 1);
    CHECK(open_field(&p, name, &ops, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(strncmp(err.text, path, strlen(path)) == 0);
    CHECK(p.handle == NULL && p.path == NULL);
}

static void refuses_what_cannot_be_loaded(const char *dir)
{
    char path[300];

    snprintf(path, sizeof path, "%s/hagg-field-text.so", dir);
    write_text(path, "not a shared object\n");
    is_no_plugin(dir, "text");
    unlink(path);
    snprintf(path, sizeof path, "%s/hagg-field-empty.so", dir);
    write_text(path, "");
    is_no_plugin(dir, "empty");
    unlink(path);
    snprintf(path, sizeof path, "%s/hagg-field-cut.so", dir);
    copy_file(BAD "/hagg-field-five.so", path, 0600);
    CHECK(truncate(path, 40) == 0);
    is_no_plugin(dir, "cut");
    unlink(path);
    snprintf(path, sizeof path, "%s/hagg-field-dir.so", dir);
    CHECK(mkdir(path, 0700) == 0);
    is_no_plugin(dir, "dir");
    rmdir(path);
    is_no_plugin(BAD, "needs-host");
    snprintf(path, sizeof path, "%s/hagg-field-dangling.so", dir);
    CHECK(symlink("/nonexistent/file", path) == 0);
    has_no_plugin(dir, "dangling");
    unlink(path);
}

/* Even if a file would be found if the name were used as a path. */
static void never_takes_a_name_for_a_path(const char *dir)
{
    char above[300], below[300], target[300];

    snprintf(target, sizeof target, "%s/x.so", dir);
    copy_file(BAD "/hagg-field-five.so", target, 0700);
    snprintf(below, sizeof below, "%s/hagg-field-", dir);
    CHECK(mkdir(below, 0700) == 0);
    snprintf(above, sizeof above, "%s/hagg-field-/../x.so", dir);
    CHECK(access(above, R_OK) == 0);
    fails(dir, "/../x", HAGG_E_USAGE,
          "'/../x' is not a valid name of a field: use 1 to 64 characters from a-z, 0-9 and -");
    rmdir(below);
    unlink(target);
}

/* The name of a directory may have any characters except a colon. */
static void looks_in_directories_with_odd_names(const char *dir)
{
    static const char *const names[] = { "line\nbreak", "\nfirst", "per%scent", "sp ace", "\xff" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char odd[200], file[300], search[600];

        snprintf(odd, sizeof odd, "%s/%s", dir, names[i]);
        CHECK(mkdir(odd, 0700) == 0);
        snprintf(file, sizeof file, "%s/hagg-field-five.so", odd);
        copy_file(BAD "/hagg-field-five.so", file, 0700);
        opens(odd, "five", file);
        snprintf(search, sizeof search, "%s:%s", odd, FIRST);
        opens(search, "twin", FIRST "/hagg-field-twin.so");
        unlink(file);
        rmdir(odd);
    }
}

/* Creates the missing directories of a path. */
static void make_dirs(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0700) && errno != EEXIST)
            perror(path);
        *slash = '/';
    }
}

static void remove_dirs(char *path, size_t keep)
{
    while (strlen(dirname(path)) > keep)
        rmdir(path);
}

/* Runs a copy of this program in the layout of an installation, without HAGG_PLUGIN_PATH. */
static void finds_what_lies_beside_the_command(const char *self, const char *dir)
{
    char probe[300], plugin[600], command[700], said[600] = "";
    FILE *pipe;

    snprintf(probe, sizeof probe, "%s/prefix/bin/probe", dir);
    make_dirs(probe);
    copy_file(self, probe, 0700);
    snprintf(plugin, sizeof plugin, "%s/prefix/bin/" PLUGIN_FROM_BIN "/hagg-field-five.so", dir);
    make_dirs(plugin);
    copy_file(BAD "/hagg-field-five.so", plugin, 0700);
    unsetenv("HAGG_PLUGIN_PATH");
    snprintf(command, sizeof command, "%s five", probe);
    pipe = popen(command, "re");
    CHECK(pipe && fgets(said, sizeof said, pipe) && pclose(pipe) == 0);
    CHECK_STR(said, plugin);
    unlink(plugin);
    unlink(probe);
    remove_dirs(plugin, strlen(dir));
    remove_dirs(probe, strlen(dir));
}

static void fails_cleanly_without_memory(void)
{
    unsigned long at = 0;

    setenv("HAGG_PLUGIN_PATH", BAD, 1);
    for (;; at++) {
        struct plugin p;
        struct hagg_field ops;
        struct hagg_err err;
        int status;

        alloc_refuse(at);
        status = open_field(&p, "five", &ops, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        plugin_close(&p);
        if (!alloc_refused())
            break;
        CHECK_STR(err.text, "cannot look for field plugin 'five': Cannot allocate memory");
        CHECK(err.status == HAGG_E_SYSTEM);
    }
    CHECK(at >= 1);
    alloc_watch();
}

int main(int argc, char **argv)
{
    char dir[] = "/tmp/hagg-unit-plugin-XXXXXX";

    if (argc > 1) { /* run as the copy, see above */
        struct plugin p;
        struct hagg_field ops;
        struct hagg_err err;

        if (open_field(&p, argv[1], &ops, &err))
            return 1;
        fputs(p.path, stdout);
        plugin_close(&p);
        return 0;
    }
    if (!CHECK(mkdtemp(dir) != NULL))
        return check_end();
    refuses_names_that_are_none();
    looks_in_order();
    refuses_relative_entries();
    ignores_the_path_when_privileged();
    refuses_plugins_with_faults();
    tells_the_kinds_apart();
    accepts_a_struct_that_has_grown();
    fills_up_a_struct_that_is_older();
    refuses_what_cannot_be_loaded(dir);
    never_takes_a_name_for_a_path(dir);
    looks_in_directories_with_odd_names(dir);
    finds_what_lies_beside_the_command(argv[0], dir);
    fails_cleanly_without_memory();
    CHECK(rmdir(dir) == 0);
    return check_end();
}
