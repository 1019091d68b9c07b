#include "state/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "records/outfile.h"
#include "state/state_store.h"

#define LOCK "lock"

struct state *state_new(const char *directory, bool is_default, struct hagg_err *err)
{
    struct state *s = calloc(1, sizeof *s);

    if (!s || (directory && !(s->directory = strdup(directory)))) {
        err_errno(err, "no memory for the state");
        free(s);
        return NULL;
    }
    s->is_default = is_default;
    s->lock = -1;
    return s;
}

void state_free(struct state *s)
{
    if (!s)
        return;
    state_unlock(s);
    explicit_bzero(s->secret, sizeof s->secret);
    free(s->directory);
    free(s);
}

bool state_remembers(struct state *s)
{
    /* written once, before there are threads */
    if (s && !s->directory && !s->was_asked)
        s->was_asked = true;
    return s && s->directory;
}

bool state_has_directory(const struct state *s)
{
    return s && s->directory;
}

bool state_was_asked(const struct state *s)
{
    return s && s->was_asked;
}

const char *state_new_directory(const struct state *s)
{
    return s && s->is_new ? s->directory : NULL;
}

static int lost(const char *path, const char *name, struct hagg_err *err)
{
    return err_set(err, HAGG_E_MALFORMED,
                   "%s/%s: is missing, so it is unknown what was done before: restore the state "
                   "directory from a backup",
                   path, name);
}

/* Creates the directories above the default one. */
static int make_parents(const struct state *s, struct hagg_err *err)
{
    char *path = strdup(s->directory);
    int status = path ? 0 : err_errno(err, "%s", s->directory);

    for (char *slash = path ? strchr(path + 1, '/') : NULL; slash && status == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0700) && errno != EEXIST)
            status = err_errno(err, "%s: cannot create the directory for the state", path);
        *slash = '/';
    }
    free(path);
    return status;
}

static int make_directory(struct state *s, struct hagg_err *err)
{
    if (s->is_default && make_parents(s, err))
        return -1;
    if (mkdir(s->directory, 0700) == 0)
        s->is_new = true;
    else if (errno != EEXIST)
        return err_errno(err, "%s: cannot create the state directory", s->directory);
    return s->is_new ? outfile_sync_directory(s->directory, err) : 0;
}

/* Anyone who can write to the directory could remove entries, and anyone who can read it could test
 * guesses of the vectors. */
static int check_directory(const struct state *s, struct hagg_err *err)
{
    struct stat st;

    if (stat(s->directory, &st))
        return err_errno(err, "%s: cannot use the state directory", s->directory);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, HAGG_E_SYSTEM, "%s: is not a directory: name another one with --state",
                       s->directory);
    if (st.st_uid != geteuid())
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: belongs to another user: use a state directory of your own or, if you "
                       "take over this node, let its owner or root give you the directory with "
                       "chown -R, because a new one forgets its rounds",
                       s->directory);
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: other users can write to the state directory: make sure that they "
                       "removed nothing, then use chmod 700",
                       s->directory);
    if (st.st_mode & (S_IRWXG | S_IRWXO))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: other users can read the state directory: use chmod 700", s->directory);
    return 0;
}

static int take_lock(struct state *s, struct hagg_err *err)
{
    char *path;
    int status;

    if (asprintf(&path, "%s/" LOCK, s->directory) < 0)
        return err_errno(err, "%s", s->directory);
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    status = s->lock < 0 ? -1 : 0;
    while (status == 0 && (status = flock(s->lock, LOCK_EX)) && errno == EINTR)
        status = 0;
    if (status)
        err_errno(err, "%s", path);
    free(path);
    return status;
}

bool state_is_idle(const struct state *s)
{
    char *path;
    int lock;
    bool idle;

    if (!s->directory || asprintf(&path, "%s/" LOCK, s->directory) < 0)
        return false;
    lock = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    free(path);
    idle = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (lock >= 0)
        close(lock);
    return idle;
}

static struct sheet *find_sheet(const struct state *s, const char *name)
{
    size_t i = sheet_find(&s->names, name, 0);

    return i < s->names.n ? s->sheets[i] : NULL;
}

/* Returns the sheet with this name, loaded on first use; NULL on failure. */
static struct sheet *load(struct state *s, const char *name, struct hagg_err *err)
{
    struct sheet *sheet = find_sheet(s, name);

    if (sheet)
        return sheet;
    sheet =
        ARRAY_RESERVE(s->sheets, s->n_sheets + 1, s->capacity) ? NULL : calloc(1, sizeof *sheet);
    if (!sheet) {
        err_errno(err, "%s", s->directory);
        return NULL;
    }
    if (sheet_load(sheet, s->directory, name, err) || sheet_set(&s->names, s->names.n, name, err)) {
        sheet_free(sheet);
        free(sheet);
        return NULL;
    }
    s->sheets[s->n_sheets++] = sheet;
    return sheet;
}

int state_sync_folder(const struct state *s, const char *folder, struct hagg_err *err)
{
    char *path;
    int status;

    if (asprintf(&path, "%s/%s/" STATE_FILES, s->directory, folder) < 0)
        return err_errno(err, "%s", s->directory);
    status = outfile_sync_directory(path, err);
    free(path);
    return status;
}

/* Creates a folder with an empty list of files. A crash may have left it. */
static int make_folder(struct state *s, const char *folder, struct hagg_err *err)
{
    char *path, name[2 * STATE_PLAN_BYTES + sizeof "/" STATE_FILES];
    struct sheet *files;
    int status;

    if (asprintf(&path, "%s/%s", s->directory, folder) < 0)
        return err_errno(err, "%s", s->directory);
    status = mkdir(path, 0700) && errno != EEXIST ? err_errno(err, "%s", path) : 0;
    free(path);
    snprintf(name, sizeof name, "%s/" STATE_FILES, folder);
    if (status || !(files = load(s, name, err)))
        return -1;
    if (!files->exists && (sheet_write(files, err) || state_sync_folder(s, folder, err)))
        return -1;
    return state_sync_folder(s, ".", err);
}

/* Checks that no state was lost: that a directory without an index has no plans. */
static int check_unused(const struct state *s, struct hagg_err *err)
{
    static const char *const made_before[] = { ".", "..", LOCK, STATE_VECTORS, STATE_INDEX ".new" };
    DIR *directory = opendir(s->directory);
    struct dirent *entry;
    int status = directory ? 0 : err_errno(err, "%s", s->directory);

    while (status == 0 && (errno = 0, entry = readdir(directory))) {
        bool known = false;

        for (size_t i = 0; i < sizeof made_before / sizeof *made_before; i++)
            known = known || strcmp(entry->d_name, made_before[i]) == 0;
        if (!known)
            status = lost(s->directory, STATE_INDEX, err);
    }
    if (status == 0 && errno)
        status = err_errno(err, "%s", s->directory);
    if (directory)
        closedir(directory);
    return status;
}

/* Makes the secret, and the index with it. The index is written last: once it exists, everything
 * else must exist. */
static int initialise(struct state *s, struct sheet *index, struct hagg_err *err)
{
    char line[sizeof "secret " + 2 * sizeof s->secret] = "secret ";
    int status = check_unused(s, err);

    if (status == 0)
        status = make_folder(s, STATE_VECTORS, err);
    if (status == 0 && find_sheet(s, STATE_VECTORS "/" STATE_FILES)->n > 0)
        status = lost(s->directory, STATE_INDEX, err);
    if (status == 0 && getrandom(s->secret, sizeof s->secret, 0) != (ssize_t)sizeof s->secret)
        status = err_errno(err, "cannot get random bytes from the kernel");
    if (status == 0) {
        for (size_t i = 0; i < sizeof s->secret; i++)
            sprintf(line + strlen(line), "%02x", s->secret[i]);
        status = sheet_set(index, 0, line, err);
    }
    if (status == 0)
        status = sheet_write(index, err);
    if (status == 0)
        status = state_sync_folder(s, ".", err);
    explicit_bzero(line, sizeof line);
    return status;
}

static int read_secret(struct state *s, const struct sheet *index, struct hagg_err *err)
{
    size_t at = sheet_find(index, "secret", 0);
    const char *hex = at < index->n ? index->lines[at] + sizeof "secret " - 1 : "";

    if (strlen(hex) != 2 * sizeof s->secret)
        return lost(s->directory, STATE_INDEX, err);
    for (size_t i = 0; i < sizeof s->secret; i++)
        sscanf(hex + 2 * i, "%2hhx", &s->secret[i]);
    s->has_secret = true;
    return 0;
}

/* Reads the index. A directory without one is initialised or, if create is false, has no
 * entries. */
static int open_index(struct state *s, bool create, struct hagg_err *err)
{
    struct sheet *index = load(s, STATE_INDEX, err);

    if (!index)
        return -1;
    if (!index->exists && !create)
        return check_unused(s, err);
    return (!index->exists && initialise(s, index, err)) || read_secret(s, index, err) ? -1 : 0;
}

int state_lock(struct state *s, bool create, struct hagg_err *err)
{
    if (s->lock >= 0)
        return 0;
    if ((create && make_directory(s, err)) || check_directory(s, err) || take_lock(s, err) ||
        open_index(s, create, err)) {
        state_unlock(s);
        return -1;
    }
    return 0;
}

void state_unlock(struct state *s)
{
    while (s->n_sheets > 0) {
        sheet_free(s->sheets[--s->n_sheets]);
        free(s->sheets[s->n_sheets]);
    }
    free(s->sheets);
    sheet_free(&s->names);
    s->sheets = NULL;
    s->capacity = 0;
    if (s->lock >= 0) {
        flock(s->lock, LOCK_UN); /* even if close fails */
        close(s->lock);
    }
    s->lock = -1;
}

struct sheet *state_index(struct state *s, struct hagg_err *err)
{
    return load(s, STATE_INDEX, err);
}

struct sheet *state_files(struct state *s, const char *folder, struct hagg_err *err)
{
    struct sheet *files;
    char *name;

    if (asprintf(&name, "%s/" STATE_FILES, folder) < 0) {
        err_errno(err, "%s", s->directory);
        return NULL;
    }
    files = load(s, name, err);
    if (files && !files->exists) {
        lost(s->directory, name, err);
        files = NULL;
    }
    free(name);
    return files;
}

int state_load_listed(const struct state *s, const char *folder, const char *name,
                      struct sheet *sheet, struct hagg_err *err)
{
    char *path;
    int status;

    *sheet = (struct sheet){ 0 };
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return err_errno(err, "%s", s->directory);
    status = sheet_load(sheet, s->directory, path, err);
    if (status == 0 && !sheet->exists)
        status = lost(s->directory, path, err);
    free(path);
    return status;
}

/* Loads a sheet, and lists it if it is new. */
static struct sheet *load_listing(struct state *s, struct sheet *files, const char *path,
                                  const char *name, struct hagg_err *err)
{
    bool listed = sheet_find(files, name, 0) < files->n;
    struct sheet *sheet = load(s, path, err);

    if (sheet && listed && !sheet->exists) {
        lost(s->directory, path, err);
        return NULL;
    }
    return sheet && (listed || sheet_set(files, files->n, name, err) == 0) ? sheet : NULL;
}

struct sheet *state_sheet(struct state *s, const char *folder, const char *name,
                          struct hagg_err *err)
{
    struct sheet *files, *sheet;
    char *path;

    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        err_errno(err, "%s", s->directory);
        return NULL;
    }
    sheet = find_sheet(s, path);
    if (!sheet) {
        files = state_files(s, folder, err);
        sheet = files ? load_listing(s, files, path, name, err) : NULL;
    }
    free(path);
    return sheet;
}

bool state_read_plan(const char *line, struct state_plan *plan)
{
    int begin = 0, end = 0;

    if (sscanf(line, "plan %u %n%*s%n %" SCNu64, &plan->number, &begin, &end, &plan->first) != 2 ||
        end - begin != (int)sizeof plan->digest - 1 ||
        strspn(line + begin, "0123456789abcdef") < sizeof plan->digest - 1)
        return false;
    memcpy(plan->digest, line + begin, sizeof plan->digest - 1);
    plan->digest[sizeof plan->digest - 1] = 0;
    return true;
}

int state_write_plan(struct state *s, const struct state_plan *plan, struct hagg_err *err)
{
    struct sheet *index = load(s, STATE_INDEX, err);
    struct state_plan other;
    struct text line = { 0 };
    size_t at = 0;
    int status;

    if (!index)
        return -1;
    while (at < index->n &&
           !(state_read_plan(index->lines[at], &other) && strcmp(other.digest, plan->digest) == 0))
        at++;
    text_printf(&line, "plan %u %s %" PRIu64, plan->number, plan->digest, plan->first);
    status =
        text_ok(&line) ? sheet_set(index, at, line.bytes, err) : err_errno(err, "%s", s->directory);
    text_free(&line);
    if (status == 0)
        status = sheet_write(index, err);
    return status ? -1 : state_sync_folder(s, ".", err);
}

int state_find_plan(struct state *s, const uint8_t *digest, struct state_plan *plan,
                    struct hagg_err *err)
{
    struct sheet *index = load(s, STATE_INDEX, err);
    char hex[2 * STATE_PLAN_BYTES + 1];
    unsigned number = 0;

    if (!index)
        return -1;
    for (size_t i = 0; i < STATE_PLAN_BYTES; i++)
        sprintf(hex + 2 * i, "%02x", digest[i]);
    for (size_t i = 0; i < index->n; i++)
        if (state_read_plan(index->lines[i], plan)) {
            number = plan->number;
            if (strcmp(plan->digest, hex) == 0)
                return 0;
        }
    *plan = (struct state_plan){ .number = number + 1 };
    memcpy(plan->digest, hex, sizeof hex);
    return make_folder(s, hex, err) || state_write_plan(s, plan, err) ? -1 : 0;
}

void state_drop(struct state *s)
{
    if (s)
        state_unlock(s);
}

int state_commit(struct state *s, struct hagg_err *err)
{
    int status = 0;

    if (!s || s->lock < 0)
        return 0;
    status = state_write(s, err);
    state_unlock(s);
    return status;
}
