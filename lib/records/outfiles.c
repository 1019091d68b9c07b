#include "records/outfiles.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/marks.h"
#include "crypto/random.h"

#define OUTPUT_MODE 0600 /* shares and keys are secret */

struct destination {
    uint32_t number;
    struct outfile file;
    struct writer *writer;
};

struct outfiles {
    const char *template;
    bool single, allow_terminal, exclusive;
    bool in_memory;                    /* True if there are no files: the records are collected. */
    bool makes_folders;                /* True to create missing folders. */
    struct destination **destinations; /* in order of first use */
    size_t n, capacity;
    char **folders; /* created and not yet kept, parents first */
    size_t n_folders, folders_capacity;
    int (*gate)(void *arg, struct hagg_err *err); /* NULL once it was called */
    void *gate_arg;
    struct sealer *sealer; /* or NULL */
    uint8_t seed[SEAL_SEED_BYTES];
    bool has_seed;
};

struct outfiles *outfiles_new(const char *template, bool allow_terminal, struct hagg_err *err)
{
    struct outfiles *s = calloc(1, sizeof *s);

    if (!s) {
        err_errno(err, "%s", template);
        return NULL;
    }
    s->template = template;
    s->single = !strstr(template, "{}");
    s->makes_folders = !s->single;
    s->allow_terminal = allow_terminal;
    return s;
}

struct outfiles *outfiles_new_memory(const struct outfiles *like, struct hagg_err *err)
{
    struct outfiles *s = outfiles_new(like->template, false, err);

    if (s) {
        s->in_memory = true;
        s->sealer = like->sealer;
    }
    return s;
}

void outfiles_free(struct outfiles *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++) {
        writer_free(s->destinations[i]->writer);
        outfile_discard(&s->destinations[i]->file);
        free(s->destinations[i]);
    }
    free(s->destinations);
    /* a folder that is no longer empty is not removed */
    while (s->n_folders > 0) {
        rmdir(s->folders[--s->n_folders]);
        free(s->folders[s->n_folders]);
    }
    free(s->folders);
    explicit_bzero(s->seed, sizeof s->seed);
    free(s);
}

void outfiles_set_exclusive(struct outfiles *s)
{
    s->exclusive = true;
}

void outfiles_set_folders(struct outfiles *s)
{
    s->makes_folders = true;
}

void outfiles_set_sealer(struct outfiles *s, struct sealer *sealer)
{
    s->sealer = sealer;
}

/* The seed of writers that are open is this copy, so it changes for them too. */
int outfiles_set_seed(struct outfiles *s, const struct random *random, struct hagg_err *err)
{
    _Static_assert(RANDOM_SEED_BYTES == SEAL_SEED_BYTES, "a derived secret is a seed");

    if (!s->sealer)
        return 0;
    if (random_derive(random, "seal", s->seed, err))
        return -1;
    s->has_seed = true;
    for (size_t i = 0; i < s->n; i++)
        writer_set_sealer(s->destinations[i]->writer, s->sealer, s->seed);
    return 0;
}

bool outfiles_is_single(const struct outfiles *s)
{
    return s->single;
}

bool outfiles_is_empty(const struct outfiles *s)
{
    return s->n == 0;
}

char *outfiles_replace(const char *template, const char *mark, uint32_t number)
{
    char digits[12];
    struct marks_value value = { mark, digits };
    struct text path = { 0 };

    snprintf(digits, sizeof digits, "%u", number);
    marks_replace(&path, template, &value, 1);
    if (text_ok(&path))
        return path.bytes ? path.bytes : strdup("");
    text_free(&path);
    return NULL;
}

char *outfiles_path(const char *template, uint32_t number)
{
    return outfiles_replace(template, "{}", number);
}

bool outfiles_is_readable(const struct outfiles *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->destinations[i]->file.readable)
            return true;
    return false;
}

/* Records a folder before it is created, so that it cannot be left behind. */
static int note_folder(struct outfiles *s, const char *path)
{
    if (ARRAY_RESERVE(s->folders, s->n_folders + 1, s->folders_capacity))
        return -1;
    s->folders[s->n_folders] = strdup(path);
    if (!s->folders[s->n_folders])
        return -1;
    s->n_folders++;
    return 0;
}

static int make_folder(struct outfiles *s, const char *path, struct hagg_err *err)
{
    struct stat st;
    int cause;

    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            return 0;
        return err_set(err, HAGG_E_SYSTEM,
                       "%s: is not a directory: move it away, or name another output", path);
    }
    if (note_folder(s, path))
        return err_errno(err, "%s", path);
    if (mkdir(path, 0777) == 0)
        return 0;
    cause = errno;
    free(s->folders[--s->n_folders]);
    errno = cause;
    /* EEXIST: another process created it first */
    return cause == EEXIST ? 0 : err_errno(err, "%s", path);
}

/* Creates the missing folders of path. */
static int make_folders(struct outfiles *s, char *path, struct hagg_err *err)
{
    /* from the second byte, because the root exists */
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        int status;

        *slash = 0;
        status = make_folder(s, path, err);
        *slash = '/';
        if (status)
            return -1;
    }
    return 0;
}

/* Stops outfiles_free from removing the folders. */
static void keep_folders(struct outfiles *s)
{
    while (s->n_folders > 0)
        free(s->folders[--s->n_folders]);
}

static struct destination *find(const struct outfiles *s, uint32_t number)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->single || s->destinations[i]->number == number)
            return s->destinations[i];
    return NULL;
}

/* Sets the writer, unless it is NULL. */
static int set_writer(const struct outfiles *s, struct destination *d, struct writer *w)
{
    d->writer = w;
    if (!w)
        return -1;
    writer_set_sealer(w, s->sealer, s->has_seed ? s->seed : NULL);
    return 0;
}

static int open_destination(struct outfiles *s, struct destination *d, struct hagg_err *err)
{
    char *path;
    int status;

    if (s->in_memory)
        return set_writer(s, d, writer_new_memory(s->template, err));
    path = s->single ? strdup(s->template) : outfiles_path(s->template, d->number);
    if (!path)
        return err_errno(err, "%s", s->template);
    status = s->makes_folders ? make_folders(s, path, err) : 0;
    if (status == 0)
        status = outfile_open(&d->file, path, OUTPUT_MODE, s->allow_terminal, err);
    free(path);
    if (status == 0 && s->exclusive)
        status = outfile_set_exclusive(&d->file, err);
    if (status)
        return -1;
    return set_writer(s, d, writer_new(d->file.fd, d->file.path, err));
}

void outfiles_set_gate(struct outfiles *s, int (*gate)(void *arg, struct hagg_err *err), void *arg)
{
    s->gate = gate;
    s->gate_arg = arg;
}

static int pass_gate(struct outfiles *s, struct hagg_err *err)
{
    int (*gate)(void *, struct hagg_err *) = s->gate;

    s->gate = NULL;
    return gate ? gate(s->gate_arg, err) : 0;
}

struct writer *outfiles_writer(struct outfiles *s, uint32_t number, struct hagg_err *err)
{
    struct destination *d = find(s, number);

    if (d)
        return d->writer;
    d = ARRAY_RESERVE(s->destinations, s->n + 1, s->capacity) ? NULL : calloc(1, sizeof *d);
    if (!d) {
        err_errno(err, "%s", s->template);
        return NULL;
    }
    d->number = number;
    d->file.fd = -1;
    s->destinations[s->n++] = d;
    if (open_destination(s, d, err) || (!d->file.is_new && pass_gate(s, err)))
        return NULL;
    return d->writer;
}

size_t outfiles_collected(const struct outfiles *s)
{
    size_t n_bytes = 0;

    for (size_t i = 0; i < s->n; i++)
        n_bytes += writer_collected(s->destinations[i]->writer);
    return n_bytes;
}

int outfiles_move(struct outfiles *to, struct outfiles *from, struct hagg_err *err)
{
    for (size_t i = 0; i < from->n; i++) {
        struct destination *d = from->destinations[i];
        struct writer *w;

        /* it may have been used for another item */
        if (writer_collected(d->writer) == 0)
            continue;
        w = outfiles_writer(to, d->number, err);
        if (!w || writer_move(w, d->writer, err))
            return -1;
    }
    return 0;
}

void outfiles_cut(struct outfiles *s)
{
    struct hagg_err err;

    for (size_t i = 0; i < s->n; i++)
        if (s->destinations[i]->writer && !s->destinations[i]->file.is_new)
            writer_cut(s->destinations[i]->writer, &err);
}

void outfiles_reserve(const struct outfiles *s, uint64_t n_bytes)
{
    for (size_t i = 0; i < s->n; i++)
        outfile_reserve(&s->destinations[i]->file, n_bytes);
}

void outfiles_start_sync(const struct outfiles *s)
{
    for (size_t i = 0; i < s->n; i++)
        outfile_start_sync(&s->destinations[i]->file);
}

int outfiles_publish(struct outfiles *s, struct hagg_err *err)
{
    struct outfile **files;
    int status = 0;

    if (s->n == 0 && s->single && !outfiles_writer(s, 0, err))
        return -1;
    for (size_t i = 0; i < s->n; i++)
        if (writer_flush(s->destinations[i]->writer, err))
            return -1;
    /* start writing all of them before waiting for the first */
    outfiles_start_sync(s);
    for (size_t i = 0; i < s->n; i++)
        if (outfile_sync(&s->destinations[i]->file, err))
            return -1;
    files = calloc(s->n + 1, sizeof *files);
    if (!files)
        return err_errno(err, "%s", s->template);
    status = pass_gate(s, err);
    /* a concurrent run that failed may have removed folders that were still empty */
    for (size_t i = 0; i < s->n && status == 0; i++) {
        files[i] = &s->destinations[i]->file;
        status = s->makes_folders ? make_folders(s, files[i]->path, err) : 0;
    }
    if (status == 0)
        status = outfile_publish(files, s->n, err);
    free(files);
    if (status == 0)
        keep_folders(s);
    return status;
}
