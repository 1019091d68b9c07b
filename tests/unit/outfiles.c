#include "records/outfiles.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "sample.h"
#include "scratch.h"

static void write_sample(struct writer *w)
{
    static const unsigned char elems[] = { 1, 2, 255 };
    struct hagg_err err = { 0 };
    struct header h;

    sample_vector_header(&h);
    CHECK(w && writer_begin(w, &h, 1, 3, &err) == 0);
    CHECK(writer_elems(w, elems, 3, &err) == 0 && writer_end(w, &err) == 0);
}

static bool holds_samples(const char *path, size_t n)
{
    unsigned char want[4 * SAMPLE_VECTOR_BYTES];

    for (size_t i = 0; i < n; i++)
        memcpy(want + i * SAMPLE_VECTOR_BYTES, sample_vector, SAMPLE_VECTOR_BYTES);
    return scratch_holds(path, want, n * SAMPLE_VECTOR_BYTES);
}

static struct outfiles *new_set(const char *template)
{
    struct hagg_err err = { 0 };
    struct outfiles *s = outfiles_new(template, false, &err);

    CHECK(s != NULL);
    return s;
}

static void fills_in_numbers(void)
{
    static const struct {
        const char *template, *names[3];
    } cases[] = {
        { "f{}", { "f1", "f20", "f4294967295" } },
        { "{}{}-{}.x", { "11-1.x", "2020-20.x", "42949672954294967295-4294967295.x" } },
        { "d{}/{}.x", { "d1/1.x", "d20/20.x", "d4294967295/4294967295.x" } },
        { "d{}/e/f{}/x", { "d1/e/f1/x", "d20/e/f20/x", "d4294967295/e/f4294967295/x" } },
        { "{}{{}}", { "1{1}", "20{20}", "4294967295{4294967295}" } },
    };
    static const uint32_t numbers[] = { 1, 20, UINT32_MAX };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outfiles *s = new_set(scratch_path(cases[i].template));
        struct hagg_err err = { 0 };
        struct writer *writers[3];
        struct stat st;

        CHECK(!outfiles_is_single(s));
        for (int j = 0; j < 3; j++) {
            writers[j] = outfiles_writer(s, numbers[j], &err);
            CHECK_STR(err.text, "");
        }
        for (int j = 0; j < 3; j++) {
            CHECK(outfiles_writer(s, numbers[j], &err) == writers[j]);
            write_sample(writers[j]);
            if (j == 1)
                write_sample(writers[j]);
        }
        for (int j = 0; j < 3; j++)
            CHECK(access(scratch_path(cases[i].names[j]), F_OK) == -1);
        CHECK(outfiles_publish(s, &err) == 0);
        for (int j = 0; j < 3; j++) {
            CHECK(holds_samples(scratch_path(cases[i].names[j]), j == 1 ? 2 : 1));
            CHECK(stat(scratch_path(cases[i].names[j]), &st) == 0 && (st.st_mode & 07777) == 0600);
            unlink(scratch_path(cases[i].names[j]));
        }
        outfiles_free(s);
    }
}

static void keeps_what_was_there(void)
{
    struct outfiles *s = new_set(scratch_path("keep{}"));
    struct hagg_err err = { 0 };

    scratch_write(scratch_path("keep2"), "old", 3);
    write_sample(outfiles_writer(s, 1, &err));
    write_sample(outfiles_writer(s, 2, &err));
    outfiles_free(s);
    CHECK(scratch_count("keep") == 1 && scratch_holds(scratch_path("keep2"), "old", 3));
    s = new_set(scratch_path("keep{}"));
    write_sample(outfiles_writer(s, 2, &err));
    CHECK(outfiles_publish(s, &err) == 0);
    outfiles_free(s);
    CHECK(scratch_count("keep") == 1 && holds_samples(scratch_path("keep2"), 1));
}

/* Reserving too much space and starting the sync early do not change the file. */
static void takes_hints(void)
{
    struct outfiles *s = new_set(scratch_path("hinted-{}"));
    struct hagg_err err = { 0 };
    struct writer *w = outfiles_writer(s, 1, &err);
    struct stat st;

    outfiles_reserve(s, (uint64_t)4 << 20);
    write_sample(w);
    outfiles_start_sync(s);
    write_sample(w);
    CHECK(outfiles_publish(s, &err) == 0);
    CHECK(holds_samples(scratch_path("hinted-1"), 2));
    CHECK(stat(scratch_path("hinted-1"), &st) == 0 && st.st_size == 2 * SAMPLE_VECTOR_BYTES);
    outfiles_free(s);
}

static void writes_one_file(void)
{
    struct outfiles *s = new_set(scratch_path("single"));
    struct hagg_err err = { 0 };
    struct writer *w = outfiles_writer(s, 3, &err);

    CHECK(outfiles_is_single(s) && outfiles_writer(s, 4, &err) == w);
    write_sample(w);
    write_sample(w);
    write_sample(w);
    CHECK(outfiles_publish(s, &err) == 0 && holds_samples(scratch_path("single"), 3));
    outfiles_free(s);
    outfiles_free(NULL);
}

/* Creates all missing folders, with or without {} in their names, with the default mode. */
static void makes_folders(void)
{
    struct outfiles *s = new_set(scratch_path("made/deep/n{}/x"));
    struct hagg_err err = { 0 };
    mode_t mask = umask(027);
    struct stat st;

    write_sample(outfiles_writer(s, 1, &err));
    write_sample(outfiles_writer(s, 2, &err));
    umask(mask);
    CHECK(outfiles_publish(s, &err) == 0);
    outfiles_free(s);
    CHECK(holds_samples(scratch_path("made/deep/n1/x"), 1));
    CHECK(holds_samples(scratch_path("made/deep/n2/x"), 1));
    CHECK(stat(scratch_path("made"), &st) == 0 && (st.st_mode & 07777) == 0750);
    CHECK(stat(scratch_path("made/deep/n2"), &st) == 0 && (st.st_mode & 07777) == 0750);
    s = new_set(scratch_path("made/flat/{}"));
    write_sample(outfiles_writer(s, 7, &err));
    CHECK(outfiles_publish(s, &err) == 0);
    outfiles_free(s);
    CHECK(holds_samples(scratch_path("made/flat/7"), 1));
}

/* Removes only folders that it created, and only if they are empty. */
static void removes_folders_that_stay_empty(void)
{
    struct outfiles *s = new_set(scratch_path("gone/n{}/deep/x"));
    struct hagg_err err = { 0 };

    write_sample(outfiles_writer(s, 1, &err));
    write_sample(outfiles_writer(s, 2, &err));
    CHECK(access(scratch_path("gone/n2/deep"), F_OK) == 0);
    outfiles_free(s);
    CHECK(scratch_count("gone") == 0);

    CHECK(mkdir(scratch_path("gone"), 0700) == 0 && mkdir(scratch_path("gone/n1"), 0700) == 0);
    s = new_set(scratch_path("gone/n{}/deep/x"));
    write_sample(outfiles_writer(s, 1, &err));
    write_sample(outfiles_writer(s, 2, &err));
    scratch_write(scratch_path("gone/n2/other"), "theirs", 6);
    outfiles_free(s);
    CHECK(rmdir(scratch_path("gone/n1")) == 0);
    CHECK(access(scratch_path("gone/n2/deep"), F_OK) == -1);
    CHECK(scratch_holds(scratch_path("gone/n2/other"), "theirs", 6));

    /* folders of published files are kept, even if the files were moved away since */
    s = new_set(scratch_path("done/{}"));
    write_sample(outfiles_writer(s, 1, &err));
    CHECK(outfiles_publish(s, &err) == 0 && unlink(scratch_path("done/1")) == 0);
    outfiles_free(s);
    CHECK(rmdir(scratch_path("done")) == 0);
}

static void says_what_cannot_be(void)
{
    struct outfiles *s = new_set(scratch_path("missing/x"));
    struct hagg_err err = { 0 };
    char want[8192];

    /* without {} folders are not created */
    CHECK(outfiles_writer(s, 1, &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK(strstr(err.text, "missing/x: cannot be written, because its directory does not exist") !=
          NULL);
    outfiles_free(s);
    CHECK(access(scratch_path("missing"), F_OK) == -1);
    scratch_write(scratch_path("file1"), "", 0);
    snprintf(want, sizeof want, "%s: is not a directory: move it away, or name another output",
             scratch_path("file1"));
    s = new_set(scratch_path("file{}/x"));
    CHECK(outfiles_writer(s, 1, &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, want);
    outfiles_free(s);
    s = new_set(scratch_path("file1/y-{}/z"));
    CHECK(outfiles_writer(s, 1, &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, want);
    outfiles_free(s);
    /* a broken link instead of a folder */
    CHECK(symlink("nowhere", scratch_path("dangling")) == 0);
    s = new_set(scratch_path("dangling/{}"));
    CHECK(outfiles_writer(s, 1, &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK(strstr(err.text, "dangling/1: cannot be written, because its directory does not exist") !=
          NULL);
    outfiles_free(s);
    s = new_set("/proc/self/none/{}");
    CHECK(outfiles_writer(s, 1, &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK(strncmp(err.text, "/proc/self/none: ", 17) == 0);
    outfiles_free(s);
    /* a name that is taken while the files are written */
    s = new_set(scratch_path("late{}"));
    write_sample(outfiles_writer(s, 1, &err));
    CHECK(mkdir(scratch_path("late1"), 0700) == 0);
    CHECK(outfiles_publish(s, &err) == -1 && err.status == HAGG_E_SYSTEM);
    outfiles_free(s);
    CHECK(scratch_count("late") == 1);
}

static void takes_devices(void)
{
    struct outfiles *s = new_set("/dev/null");
    struct hagg_err err = { 0 };

    write_sample(outfiles_writer(s, 1, &err));
    CHECK(outfiles_publish(s, &err) == 0);
    outfiles_free(s);
    s = new_set("/dev/full");
    {
        struct writer *w = outfiles_writer(s, 1, &err);
        struct header h;

        sample_vector_header(&h);
        CHECK(writer_begin(w, &h, 1, 3, &err) == 0 && writer_elems(w, "abc", 3, &err) == 0);
        CHECK(writer_end(w, &err) == -1);
        CHECK_STR(err.text, "/dev/full: No space left on device");
    }
    outfiles_free(s);
}

static void fails_cleanly_without_memory(void)
{
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        struct outfiles *s;
        bool refused;

        alloc_refuse(at);
        s = outfiles_new(scratch_path("mem/n{}/{}"), false, &err);
        if (s)
            outfiles_writer(s, 7, &err);
        refused = alloc_refused();
        alloc_watch();
        CHECK(refused || err.status == HAGG_OK);
        outfiles_free(s);
        CHECK(scratch_count("mem") == 0);
        if (!refused)
            break;
        CHECK(at < 50);
    }
}

int main(void)
{
    fills_in_numbers();
    keeps_what_was_there();
    takes_hints();
    writes_one_file();
    makes_folders();
    removes_folders_that_stay_empty();
    says_what_cannot_be();
    takes_devices();
    fails_cleanly_without_memory();
    return check_end();
}
