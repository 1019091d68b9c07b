#include "infile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "scratch.h"

/* Enough that the table of inputs grows. */
#define MANY 100

static bool was_read(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && infile_was_read(&st);
}

static void fails(const char *path, const char *what)
{
    struct hagg_err err = { 0 };
    char want[8192];

    CHECK(infile_open(path, &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: %s", path, what);
    CHECK_STR(err.text, want);
}

static void opens(const char *path)
{
    struct hagg_err err = { 0 };
    int fd = infile_open(path, &err);
    struct stat st;

    CHECK_STR(err.text, "");
    /* reading waits, as usual */
    CHECK(fd >= 0 && fstat(fd, &st) == 0);
    CHECK(S_ISREG(st.st_mode) || (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) || fd == STDIN_FILENO);
    infile_close(fd);
}

static void opens_files(void)
{
    const char *path = scratch_path("file"), *link = scratch_path("link");
    struct hagg_err err = { 0 };
    char got[8];
    int fd;

    scratch_write(path, "bytes", 5);
    CHECK(symlink("file", link) == 0);
    fd = infile_open(link, &err);
    CHECK(fd >= 0 && read(fd, got, sizeof got) == 5 && memcmp(got, "bytes", 5) == 0);
    infile_close(fd);
    CHECK(fcntl(fd, F_GETFD) == -1);
    fails(scratch_path("missing"), "No such file or directory");
    fails(scratch_path(""), "is a directory: name a file in it");
    unlink(link);
    unlink(path);
}

/* A FIFO in an inbox would wait for a writer when it is opened, and for bytes when it is read. */
static void refuses_what_may_never_end(void)
{
    static const char what[] = "is not a regular file: a pipe or a device in its place could stop "
                               "the command; read a pipe from standard input";
    const char *fifo = scratch_path("fifo"), *link = scratch_path("way");
    int writer;

    CHECK(mkfifo(fifo, 0600) == 0);
    alarm(10);
    fails(fifo, what);
    writer = open(fifo, O_RDWR | O_CLOEXEC);
    fails(fifo, what);
    CHECK(symlink("fifo", link) == 0);
    fails(link, what);
    CHECK(unlink(link) == 0 && symlink("/dev/zero", link) == 0);
    fails(link, what);
    CHECK(unlink(link) == 0 && symlink("/dev/fd/0", link) == 0);
    CHECK(writer >= 0 && dup2(writer, STDIN_FILENO) == STDIN_FILENO);
    fails(link, what);
    alarm(0);
    close(writer);
    unlink(link);
    unlink(fifo);
}

static void opens_what_its_path_says(void)
{
    char name[64];
    int ends[2];

    CHECK(pipe(ends) == 0);
    for (int way = 0; way < 2; way++) {
        snprintf(name, sizeof name, "%s%d", way ? "/proc/self/fd/" : "/dev/fd/", ends[0]);
        opens(name);
    }
    CHECK(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    opens("/dev/stdin");
    opens("-");
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    opens("/dev/null");
    opens("/dev/urandom");
}

static void knows_descriptors(void)
{
    static const char *const none[] = { "",           "-",           "/dev/fd/",        "/dev/fd/x",
                                        "/dev/fd/1/", "/dev/fd/-1",  "/dev/fd/+1",      "dev/fd/1",
                                        "/dev/null",  "/dev/stdin/", "/dev/fd/99999999" };

    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(infile_descriptor(none[i]) == -1);
    CHECK(infile_descriptor("/dev/stdin") == 0 && infile_descriptor("/dev/stderr") == 2);
    CHECK(infile_descriptor("/dev/fd/63") == 63 && infile_descriptor("/proc/self/fd/7") == 7);
    CHECK(infile_is_device("/dev/null") && !infile_is_device("/dev/fd/0"));
    CHECK(!infile_is_device("/dev") && !infile_is_device("/etc/passwd"));
}

static void remembers_inputs(void)
{
    struct hagg_err err = { 0 };
    char name[32];

    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "in-%d", i);
        scratch_write(scratch_path(name), "", 0);
        CHECK(!was_read(scratch_path(name)));
    }
    for (int i = 0; i < MANY; i += 2) {
        snprintf(name, sizeof name, "in-%d", i);
        opens(scratch_path(name));
        opens(scratch_path(name));
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "in-%d", i);
        CHECK(was_read(scratch_path(name)) == (i % 2 == 0));
    }
    CHECK(!was_read("/dev/null") && !was_read(scratch_path("")));
    /* as standard input */
    close(STDIN_FILENO);
    CHECK(open(scratch_path("in-1"), O_RDONLY) == STDIN_FILENO);
    opens("-");
    CHECK(was_read(scratch_path("in-1")));
    close(STDIN_FILENO);
    CHECK(infile_open("-", &err) == STDIN_FILENO); /* an error when it is read */
    CHECK(open("/dev/null", O_RDONLY) == STDIN_FILENO);
}

static void refuses_loose_secrets(void)
{
    const char *path = scratch_path("secret");
    char want[8192];

    scratch_write(path, "key", 3);
    for (mode_t mode = 0400; mode <= 0777; mode++) {
        struct hagg_err err = { 0 };
        int fd, status;

        CHECK(chmod(path, mode) == 0);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        status = infile_check_private(fd, path, &err);
        close(fd);
        CHECK(status == (mode & 077 ? -1 : 0));
        if (status == 0)
            continue;
        snprintf(
            want, sizeof want,
            "%s: is secret, but others have permissions for it (mode %04o): if nobody has read "
            "it, use chmod 600 %s; otherwise make a new one",
            path, mode, path);
        CHECK_STR(err.text, want);
        CHECK(err.status == HAGG_E_PRIVACY);
    }
    unlink(path);
}

/* The first input needs memory; so does one of the many later, when the table grows. */
static void fails_cleanly_without_memory(void)
{
    struct hagg_err err = { 0 };
    int n_failed = 0;

    for (int i = 0; i < MANY; i++) {
        char name[32];
        int fd;

        snprintf(name, sizeof name, "memory-%d", i);
        scratch_write(scratch_path(name), "", 0);
        alloc_refuse(0);
        fd = infile_open(scratch_path(name), &err);
        CHECK(fd >= 0 || (alloc_refused() && err.status == HAGG_E_SYSTEM));
        n_failed += fd < 0;
        alloc_watch();
        if (fd < 0)
            opens(scratch_path(name));
        infile_close(fd);
    }
    CHECK(n_failed > 3 && n_failed < 10);
}

int main(void)
{
    fails_cleanly_without_memory();
    opens_files();
    refuses_what_may_never_end();
    opens_what_its_path_says();
    knows_descriptors();
    remembers_inputs();
    refuses_loose_secrets();
    return check_end();
}
