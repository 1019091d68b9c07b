#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state/state_store.h"

/* With more sheets than this, the file system is synced once instead of every file. */
#define FEW_SHEETS 16

/* Returns true if the sheet is a list of the files of a folder. */
static bool is_list(const struct sheet *sheet)
{
    const char *slash = strchr(sheet->name, '/');

    return slash && strcmp(slash + 1, STATE_FILES) == 0;
}

/* Returns the length of the folder in the name of a sheet. */
static size_t len_folder(const char *name)
{
    const char *slash = strchr(name, '/');

    return slash ? (size_t)(slash - name) : 0;
}

static bool is_same_folder(const struct sheet *a, const struct sheet *b)
{
    return len_folder(a->name) == len_folder(b->name) &&
           strncmp(a->name, b->name, len_folder(a->name)) == 0;
}

/* Syncs everything on the file system of the directory. */
static int sync_all(const struct state *s, struct hagg_err *err)
{
    int fd = open(s->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = fd < 0 || syncfs(fd) ? err_errno(err, "%s", s->directory) : 0;

    if (fd >= 0)
        close(fd);
    return status;
}

static int sync_folder_of(const struct state *s, const struct sheet *sheet, struct hagg_err *err)
{
    char *folder = strndup(sheet->name, len_folder(sheet->name));
    int status = folder ? state_sync_folder(s, folder, err) : err_errno(err, "%s", s->directory);

    free(folder);
    return status;
}

/* Syncs the folder of each sheet once. */
static int sync_folders(const struct state *s, struct sheet *const *sheets, size_t n,
                        struct hagg_err *err)
{
    const struct sheet *done[2] = { 0 }; /* mostly there are a plan and the vectors */
    size_t next = 0;

    for (size_t i = 0; i < n; i++) {
        bool known = false;

        for (size_t j = 0; j < 2; j++)
            known = known || (done[j] && is_same_folder(done[j], sheets[i]));
        if (known)
            continue;
        if (sync_folder_of(s, sheets[i], err))
            return -1;
        done[next++ % 2] = sheets[i];
    }
    return 0;
}

/* The new files are on disk before the first of them is renamed. */
static int replace_sheets(struct state *s, struct sheet *const *sheets, size_t n,
                          struct hagg_err *err)
{
    bool few = n <= FEW_SHEETS;

    for (size_t i = 0; i < n; i++)
        if (sheet_prepare(sheets[i], few, err))
            return -1;
    if (!few && sync_all(s, err))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (sheet_rename(sheets[i], err))
            return -1;
    return 0;
}

static int write_sheets(struct state *s, struct sheet *const *sheets, size_t n,
                        struct hagg_err *err)
{
    if (replace_sheets(s, sheets, n, err) == 0)
        return sync_folders(s, sheets, n, err);
    for (size_t i = 0; i < n; i++)
        if (sheets[i]->changed)
            sheet_discard(sheets[i]);
    return -1;
}

/* Writes the changed sheets that are lists of files, or all others. */
static int write_kind(struct state *s, bool lists, struct hagg_err *err)
{
    struct sheet **sheets = calloc(s->n_sheets + 1, sizeof(struct sheet *));
    size_t n = 0;
    int status;

    if (!sheets)
        return err_errno(err, "%s", s->directory);
    for (size_t i = 0; i < s->n_sheets; i++)
        if (s->sheets[i]->changed && is_list(s->sheets[i]) == lists)
            sheets[n++] = s->sheets[i];
    status = write_sheets(s, sheets, n, err);
    free(sheets);
    return status;
}

int state_write(struct state *s, struct hagg_err *err)
{
    /* a file exists before it is listed, otherwise a crash would make it a lost one */
    return write_kind(s, false, err) || write_kind(s, true, err) ? -1 : 0;
}
