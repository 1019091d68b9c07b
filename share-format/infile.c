#include "infile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The inputs of the process, as a hash table; an entry with number 0 is free. */
struct identity {
    dev_t device;
    ino_t number;
    bool is_input; /* false if it was forgotten */
};

static struct {
    pthread_mutex_t lock;
    struct identity *files;
    size_t n, capacity; /* the capacity is a power of two */
} inputs = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Returns the entry of a file, or the free one where it belongs. There is a free one. */
static struct identity *find(struct identity *files, size_t capacity, dev_t device, ino_t number)
{
    size_t i = (size_t)((number ^ device * 31) * UINT64_C(0x9e3779b97f4a7c15) >> 20);

    for (;; i++) {
        struct identity *f = &files[i & (capacity - 1)];

        if (f->number == 0 || (f->number == number && f->device == device))
            return f;
    }
}

static int grow(void)
{
    size_t capacity = inputs.capacity > 0 ? 2 * inputs.capacity : 16;
    struct identity *files = calloc(capacity, sizeof *files);

    if (!files)
        return -1;
    for (size_t i = 0; i < inputs.capacity; i++)
        if (inputs.files[i].number > 0)
            *find(files, capacity, inputs.files[i].device, inputs.files[i].number) =
                inputs.files[i];
    free(inputs.files);
    inputs.files = files;
    inputs.capacity = capacity;
    return 0;
}

int infile_note(int fd, const char *name, struct hagg_err *err)
{
    struct stat st;
    int status = 0;

    /* a closed standard input is found when it is read */
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino == 0)
        return 0;
    pthread_mutex_lock(&inputs.lock);
    if (inputs.n >= inputs.capacity / 2)
        status = grow();
    if (status == 0) {
        struct identity *f = find(inputs.files, inputs.capacity, st.st_dev, st.st_ino);

        inputs.n += f->number == 0;
        *f = (struct identity){ st.st_dev, st.st_ino, true };
    }
    pthread_mutex_unlock(&inputs.lock);
    return status ? err_errno(err, "%s", name) : 0;
}

bool infile_was_read(const struct stat *st)
{
    bool found;

    if (!S_ISREG(st->st_mode) || st->st_ino == 0)
        return false;
    pthread_mutex_lock(&inputs.lock);
    found = inputs.n > 0 && find(inputs.files, inputs.capacity, st->st_dev, st->st_ino)->is_input;
    pthread_mutex_unlock(&inputs.lock);
    return found;
}

void infile_forget(const struct stat *st)
{
    pthread_mutex_lock(&inputs.lock);
    if (inputs.n > 0)
        find(inputs.files, inputs.capacity, st->st_dev, st->st_ino)->is_input = false;
    pthread_mutex_unlock(&inputs.lock);
}

int infile_descriptor(const char *path)
{
    static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

    for (int i = 0; i < 3; i++)
        if (strcmp(path, names[i]) == 0)
            return i;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *digits = path + strlen(folders[i]);

        if (strncmp(path, folders[i], strlen(folders[i])) == 0 && *digits && strlen(digits) < 7 &&
            strspn(digits, "0123456789") == strlen(digits))
            return atoi(digits);
    }
    return -1;
}

bool infile_is_device(const char *path)
{
    struct stat st;

    return strncmp(path, "/dev/", 5) == 0 && lstat(path, &st) == 0 &&
           (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode));
}

/* Checks a file that is open. may_wait is true if the path says that it is a pipe or a device. */
static int check(int fd, const char *path, bool may_wait, struct hagg_err *err)
{
    struct stat st;

    if (fstat(fd, &st))
        return err_errno(err, "%s", path);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return err_errno(err, "%s", path);
    }
    if (!S_ISREG(st.st_mode) && !may_wait)
        return err_set(err, HAGG_E_SYSTEM,
                       "%s: is not a regular file: a pipe or a device in its place could stop the "
                       "command; read a pipe from standard input",
                       path);
    return infile_note(fd, path, err);
}

int infile_open(const char *path, struct hagg_err *err)
{
    bool may_wait = infile_descriptor(path) >= 0 || infile_is_device(path);
    int fd;

    if (strcmp(path, "-") == 0)
        return infile_note(STDIN_FILENO, "standard input", err) ? -1 : STDIN_FILENO;
    /* without O_NONBLOCK, opening a FIFO would wait for a writer */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (may_wait ? 0 : O_NONBLOCK));
    if (fd < 0)
        return err_errno(err, "%s", path);
    if (check(fd, path, may_wait, err)) {
        close(fd);
        return -1;
    }
    return fd;
}

void infile_close(int fd)
{
    if (fd > STDIN_FILENO)
        close(fd);
}

int infile_check_private(int fd, const char *name, struct hagg_err *err)
{
    struct stat st;

    if (fstat(fd, &st))
        return err_errno(err, "%s", name);
    if (!S_ISREG(st.st_mode) || (st.st_mode & 077) == 0)
        return 0;
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: is secret, but others have permissions for it (mode %04o): if nobody has "
                   "read it, use chmod 600 %s; otherwise make a new one",
                   name, st.st_mode & 07777u, strcmp(name, "standard input") ? name : "FILE");
}
