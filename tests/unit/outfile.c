#include "records/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "infile.h"
#include "scratch.h"

/* True to simulate a file system without support for files without a name. */
static bool no_tmpfile;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list ap;

    if ((flags & O_TMPFILE) == O_TMPFILE && no_tmpfile) {
        errno = EOPNOTSUPP;
        return -1;
    }
    va_start(ap, flags);
    if (flags & (O_CREAT | O_TMPFILE))
        mode = va_arg(ap, mode_t);
    va_end(ap);
    return __real_open(path, flags, mode);
}

static mode_t mode_of(const char *path)
{
    struct stat st;

    return stat(path, &st) ? 0 : st.st_mode & 07777;
}

static void open_it(struct outfile *f, const char *path, mode_t mode)
{
    struct hagg_err err = { 0 };

    CHECK(outfile_open(f, path, mode, false, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(f->fd >= 0 && strcmp(f->path, path) == 0);
}

static void publish(struct outfile *f)
{
    struct hagg_err err = { 0 };

    outfile_start_sync(f);
    CHECK(outfile_sync(f, &err) == 0);
    CHECK(outfile_publish(&f, 1, &err) == 0);
    CHECK_STR(err.text, "");
    outfile_discard(f);
    CHECK(f->path == NULL && f->temporary == NULL && f->fd == -1);
}

static void appears_complete(void)
{
    const char *path = scratch_path("new");
    struct outfile f;

    open_it(&f, path, 0640);
    CHECK(f.is_new && write(f.fd, "first", 5) == 5);
    CHECK(access(path, F_OK) == -1 && scratch_count("new") == no_tmpfile);
    publish(&f);
    CHECK(scratch_holds(path, "first", 5) && scratch_count("new") == 1);
    unlink(path);
}

static void keeps_what_was_there(void)
{
    const char *path = scratch_path("old");
    struct outfile f;

    scratch_write(path, "old", 3);
    chmod(path, 0604);
    open_it(&f, path, 0600);
    CHECK(write(f.fd, "new", 3) == 3);
    CHECK(scratch_holds(path, "old", 3));
    outfile_discard(&f);
    CHECK(scratch_holds(path, "old", 3) && mode_of(path) == 0604 && scratch_count("old") == 1);
    outfile_discard(&f);
    open_it(&f, path, 0600);
    CHECK(write(f.fd, "newer", 5) == 5);
    CHECK(scratch_holds(path, "old", 3));
    publish(&f);
    CHECK(scratch_holds(path, "newer", 5) && mode_of(path) == 0600 && scratch_count("old") == 1);
    unlink(path);
}

static void obeys_the_umask(void)
{
    static const mode_t masks[] = { 0, 022, 027, 077, 0177 };
    const char *path = scratch_path("mode");
    mode_t before = umask(0);

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        for (mode_t mode = 0600; mode <= 0666; mode += 066) {
            struct outfile f;

            umask(masks[i]);
            open_it(&f, path, mode);
            CHECK(umask(masks[i]) == masks[i]);
            publish(&f);
            CHECK(mode_of(path) == (mode & ~masks[i]));
            unlink(path);
        }
    umask(before);
}

static void is_refused(const char *path, enum hagg_status status, const char *what)
{
    struct hagg_err err = { 0 };
    struct outfile f;
    char want[8192];

    CHECK(outfile_open(&f, path, 0600, false, &err) == -1 && err.status == status);
    snprintf(want, sizeof want, "%s: %s", path, what);
    CHECK_STR(err.text, want);
    CHECK(f.path == NULL && f.fd == -1);
}

static void refuses_links(void)
{
    static const char what[] = "is a symbolic link, and an output never follows one: name the file "
                               "itself, or remove the link";
    const char *link = scratch_path("link"), *path = scratch_path("target");

    scratch_write(path, "old", 3);
    CHECK(symlink("target", link) == 0);
    is_refused(link, HAGG_E_PRIVACY, what);
    CHECK(unlink(link) == 0 && symlink("nowhere", link) == 0);
    is_refused(link, HAGG_E_PRIVACY, what);
    CHECK(unlink(link) == 0 && symlink("/dev/null", link) == 0);
    is_refused(link, HAGG_E_PRIVACY, what);
    CHECK(unlink(link) == 0 && symlink("/dev/fd/1", link) == 0);
    is_refused(link, HAGG_E_PRIVACY, what);
    unlink(link);
    CHECK(scratch_holds(path, "old", 3));
    unlink(path);
}

/* The owner of links and files can be changed only by root. */
static void refuses_what_belongs_to_others(void)
{
    static const char what[] = "belongs to another user: remove it, or name another output";
    const char *path = scratch_path("theirs"), *link = scratch_path("way");
    struct outfile f;
    char want[8192];

    if (geteuid() != 0) {
        is_refused("/etc/passwd", HAGG_E_PRIVACY, what);
        return;
    }
    scratch_write(path, "theirs", 6);
    CHECK(chown(path, 12345, 0) == 0);
    is_refused(path, HAGG_E_PRIVACY, what);
    CHECK(symlink(".", link) == 0 && scratch_count("new") == 0);
    open_it(&f, scratch_path("way/new"), 0600);
    publish(&f);
    CHECK(unlink(scratch_path("new")) == 0 && lchown(link, 12345, 0) == 0);
    snprintf(want, sizeof want, "%s is a symbolic link of another user: name the directory itself",
             link);
    is_refused(scratch_path("way/new"), HAGG_E_PRIVACY, want);
    unlink(link);
    unlink(path);
}

static void refuses_inputs(void)
{
    static const char what[] = "is also an input of this command: name another output";
    const char *path = scratch_path("input"), *link = scratch_path("same");
    int saved = dup(STDOUT_FILENO), fd;
    struct hagg_err err = { 0 };
    struct outfile f;

    scratch_write(path, "read", 4);
    open_it(&f, path, 0600); /* was not read yet */
    fd = infile_open(path, &err);
    CHECK(fd >= 0);
    CHECK(outfile_publish((struct outfile *[]){ &f }, 1, &err) == -1 && err.status == HAGG_E_USAGE);
    outfile_discard(&f);
    infile_close(fd);
    is_refused(path, HAGG_E_USAGE, what);
    CHECK(linkat(AT_FDCWD, path, AT_FDCWD, link, 0) == 0);
    is_refused(link, HAGG_E_USAGE, what);
    CHECK(scratch_holds(path, "read", 4) && scratch_count("input") == 1);
    fflush(stdout);
    fd = __real_open(path, O_WRONLY | O_APPEND);
    CHECK(dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
    CHECK(outfile_open(&f, "-", 0600, false, &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "standard output: is also an input of this command: name another output");
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    unlink(link);
    unlink(path);
}

/* A device or a descriptor of the process is written in place; a FIFO with a name is refused. */
static void writes_in_place(void)
{
    const char *fifo = scratch_path("fifo"), *path = scratch_path("shell");
    struct hagg_err err = { 0 };
    struct outfile f;
    struct stat st;
    char got[8], name[64];
    int ends[2], fd;

    CHECK(mkfifo(fifo, 0600) == 0);
    is_refused(fifo, HAGG_E_PRIVACY,
               "is not a regular file, so others could read the output: remove it, or name another "
               "output");
    CHECK(scratch_count("fifo") == 1);
    unlink(fifo);
    CHECK(pipe(ends) == 0);
    for (int way = 0; way < 2; way++) {
        snprintf(name, sizeof name, "%s%d", way ? "/proc/self/fd/" : "/dev/fd/", ends[1]);
        open_it(&f, name, 0600);
        CHECK(!f.is_new && write(f.fd, "piped", 5) == 5);
        publish(&f);
        CHECK(read(ends[0], got, sizeof got) == 5 && memcmp(got, "piped", 5) == 0);
    }
    close(ends[0]);
    close(ends[1]);
    CHECK(outfile_open(&f, name, 0600, false, &err) == -1 && err.status == HAGG_E_SYSTEM);
    /* a file that the shell has opened is continued */
    scratch_write(path, "one ", 4);
    fd = __real_open(path, O_WRONLY | O_APPEND);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    open_it(&f, name, 0600);
    CHECK(write(f.fd, "two", 3) == 3);
    publish(&f);
    CHECK(scratch_holds(path, "one two", 7) && scratch_count("shell") == 1);
    close(fd);
    unlink(path);
    open_it(&f, "/dev/null", 0600);
    CHECK(!f.is_new);
    publish(&f);
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
    CHECK(outfile_open(&f, scratch_path(""), 0600, false, &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM && strstr(err.text, ": is a directory: name a file in it") &&
          f.path == NULL);
}

static ino_t number_of(const char *path)
{
    struct stat st;

    return stat(path, &st) ? 0 : st.st_ino;
}

/* The third of four files cannot be published: the other three are as before. */
static void publishes_all_or_none(void)
{
    const char *new = scratch_path("all-new"), *old = scratch_path("all-old"),
               *taken = scratch_path("all-taken"), *last = scratch_path("all-last");
    const char *const paths[] = { new, old, taken, last };
    struct outfile files[4], *list[4];
    struct hagg_err err = { 0 };
    ino_t number;

    scratch_write(old, "old", 3);
    chmod(old, 0604);
    number = number_of(old);
    for (int way = 0; way < 3; way++) {
        for (size_t i = 0; i < 4; i++) {
            list[i] = &files[i];
            open_it(&files[i], paths[i], 0600);
            CHECK(write(files[i].fd, "new", 3) == 3);
        }
        if (way == 0)
            CHECK(mkdir(taken, 0700) == 0);
        if (way == 1) {
            /* found only when the others are already published */
            CHECK(outfile_set_exclusive(&files[2], &err) == 0);
            scratch_write(taken, "theirs", 6);
        }
        CHECK(outfile_publish(list, 4, &err) == (way < 2 ? -1 : 0));
        for (size_t i = 0; i < 4; i++)
            outfile_discard(&files[i]);
        if (way == 2)
            continue;
        CHECK(err.status == HAGG_E_SYSTEM && strstr(err.text, "all-taken: "));
        CHECK(scratch_count("all-") == 2 && access(new, F_OK) == -1 && access(last, F_OK) == -1);
        CHECK(scratch_holds(old, "old", 3) && mode_of(old) == 0604 && number_of(old) == number);
        CHECK((way == 0 ? rmdir(taken) : unlink(taken)) == 0);
    }
    CHECK(scratch_count("all-") == 4 && mode_of(old) == 0600);
    for (size_t i = 0; i < 4; i++)
        CHECK(scratch_holds(paths[i], "new", 3) && unlink(paths[i]) == 0);
}

static void says_what_cannot_be(void)
{
    const char *path = scratch_path("missing/file");
    struct hagg_err err = { 0 };
    struct outfile f;
    char want[8192];

    CHECK(outfile_open(&f, path, 0600, false, &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: cannot be written, because its directory does not exist",
             path);
    CHECK_STR(err.text, want);
    CHECK(outfile_sync_directory(path, &err) == -1);
    snprintf(want, sizeof want, "%s: No such file or directory", path);
    CHECK_STR(err.text, want);
    /* a directory of that name is created in the meantime */
    path = scratch_path("taken");
    open_it(&f, path, 0600);
    CHECK(mkdir(path, 0700) == 0);
    CHECK(outfile_publish((struct outfile *[]){ &f }, 1, &err) == -1 &&
          err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: is a directory: name a file in it", path);
    CHECK_STR(err.text, want);
    outfile_discard(&f);
    CHECK(scratch_count("taken") == 1 && rmdir(path) == 0);
}

static void temporary_name(char *name, size_t size, unsigned i)
{
    snprintf(name, size, "busy.%06u", (unsigned)getpid() % 1000 * 1000 + i);
}

/* Existing temporary files are neither used nor removed. */
static void finds_a_free_name(void)
{
    char *path = strdup(scratch_path("busy"));
    struct hagg_err err = { 0 };
    struct outfile f;
    char name[64];

    for (unsigned i = 0; i < 5; i++) {
        temporary_name(name, sizeof name, i);
        scratch_write(scratch_path(name), "theirs", 6);
    }
    open_it(&f, path, 0600);
    CHECK(write(f.fd, "ours", 4) == 4);
    publish(&f);
    CHECK(scratch_holds(path, "ours", 4) && scratch_count("busy.") == 5);
    for (unsigned i = 5; i < 1000; i++) {
        temporary_name(name, sizeof name, i);
        scratch_write(scratch_path(name), "theirs", 6);
    }
    open_it(&f, path, 0600);
    CHECK(outfile_publish((struct outfile *[]){ &f }, 1, &err) == -1);
    outfile_discard(&f);
    CHECK(scratch_count("busy.") == 1000);
    CHECK(scratch_holds(path, "ours", 4));
    for (unsigned i = 0; i < 1000; i++) {
        temporary_name(name, sizeof name, i);
        CHECK(scratch_holds(scratch_path(name), "theirs", 6));
        unlink(scratch_path(name));
    }
    unlink(path);
    free(path);
}

static void knows_standard_output(void)
{
    int saved = dup(STDOUT_FILENO), terminal = posix_openpt(O_RDWR | O_NOCTTY), other;
    struct hagg_err err = { 0 };
    struct outfile f;

    fflush(stdout);
    CHECK(dup2(__real_open("/dev/null", O_WRONLY), STDOUT_FILENO) == STDOUT_FILENO);
    CHECK(outfile_open(&f, "-", 0600, false, &err) == 0);
    CHECK(f.fd == STDOUT_FILENO && !f.is_new);
    CHECK_STR(f.path, "standard output");
    publish(&f);
    CHECK(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
    CHECK(outfile_open(&f, "-", 0600, false, &err) == 0);
    outfile_discard(&f);
    CHECK(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
    CHECK(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    other = __real_open(ptsname(terminal), O_RDWR | O_NOCTTY);
    CHECK(other >= 0 && dup2(other, STDOUT_FILENO) == STDOUT_FILENO);
    CHECK(outfile_open(&f, "-", 0600, false, &err) == -1 && err.status == HAGG_E_USAGE);
    outfile_discard(&f);
    CHECK(outfile_open(&f, "-", 0600, true, &err) == 0);
    outfile_discard(&f);
    close(other);
    close(terminal);
    dup2(saved, STDOUT_FILENO);
    close(saved);
}

static void fails_cleanly_without_memory(void)
{
    const char *path = scratch_path("memory");

    for (unsigned long at = 0; at < 10; at++) {
        struct hagg_err err = { 0 };
        struct outfile f;
        int status;

        alloc_refuse(at);
        status = outfile_open(&f, path, 0600, false, &err);
        CHECK(status == 0 || (alloc_refused() && err.status == HAGG_E_SYSTEM));
        outfile_discard(&f);
        alloc_watch();
        CHECK(scratch_count("memory") == 0);
    }
}

int main(void)
{
    struct outfile zero = { 0 };

    outfile_discard(&zero);
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    for (int way = 0; way < 2; way++) {
        no_tmpfile = way;
        appears_complete();
        keeps_what_was_there();
        obeys_the_umask();
        refuses_links();
        refuses_what_belongs_to_others();
        refuses_inputs();
        writes_in_place();
        publishes_all_or_none();
        says_what_cannot_be();
        finds_a_free_name();
        fails_cleanly_without_memory();
    }
    knows_standard_output();
    return check_end();
}
