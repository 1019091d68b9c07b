#include "identity/private_key.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "scratch.h"

/* A new file has a key of its own, in PEM, that only the owner can read, whatever the umask. */
static void makes_a_file(void)
{
    static const mode_t masks[] = { 0, 022, 077, 0177 };
    struct hagg_err err = { 0 };
    struct x25519 *key, *again;

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        const char *path = scratch_path("new.pem");
        struct stat st;

        key = private_key_make(path, &err);
        umask(before);
        CHECK(key && stat(path, &st) == 0 && S_ISREG(st.st_mode));
        CHECK((st.st_mode & 07777) == 0600 && st.st_size == 119);
        again = private_key_load(path, &err);
        CHECK(again && memcmp(x25519_public(key), x25519_public(again), X25519_BYTES) == 0);
        x25519_free(again);
        /* the second time it is only read */
        again = private_key_make(path, &err);
        CHECK(again && memcmp(x25519_public(key), x25519_public(again), X25519_BYTES) == 0);
        x25519_free(again);
        x25519_free(key);
        CHECK(scratch_count("new") == 1);
        unlink(path);
    }
}

static void refuses(const char *path, enum hagg_status status, const char *message)
{
    struct hagg_err err = { 0 };
    struct x25519 *key = private_key_make(path, &err);

    CHECK(key == NULL && err.status == status);
    CHECK_STR(err.text, message);
    x25519_free(key);
}

/* A file that exists is never replaced, not even one that is no key. */
static void keeps_what_is_there(void)
{
    const char *path = scratch_path("there.pem");
    char want[400];

    scratch_write(path, "something\n", 10);
    chmod(path, 0600);
    snprintf(want, sizeof want,
             "%s: is not a private key in PEM: make one with hagg-keygen --identity", path);
    refuses(path, HAGG_E_MALFORMED, want);
    CHECK(scratch_holds(path, "something\n", 10));
    unlink(path);
    /* a link to nowhere is not followed */
    CHECK(symlink(scratch_path("elsewhere.pem"), path) == 0);
    snprintf(want, sizeof want, "%s: No such file or directory", path);
    refuses(path, HAGG_E_SYSTEM, want);
    CHECK(scratch_count("elsewhere") == 0);
    unlink(path);
}

/* "-" is a key that standard input has. It is never made, because standard output is for the public
 * key. */
static void reads_standard_input(void)
{
    const char *path = scratch_path("stdin.pem");
    struct hagg_err err = { 0 };
    struct x25519 *key = private_key_make(path, &err), *again;

    CHECK(key && freopen(path, "r", stdin));
    again = private_key_make("-", &err);
    CHECK(again && memcmp(x25519_public(key), x25519_public(again), X25519_BYTES) == 0);
    x25519_free(again);
    x25519_free(key);
    CHECK(freopen("/dev/null", "r", stdin) != NULL);
    refuses("-", HAGG_E_MALFORMED,
            "standard input: is not a private key in PEM: make one with hagg-keygen --identity");
}

static void needs_the_directory(void)
{
    char want[400];
    const char *path = scratch_path("no/such.pem");

    snprintf(want, sizeof want, "%s: cannot be written, because its directory does not exist",
             path);
    refuses(path, HAGG_E_SYSTEM, want);
}

/* The text of the key is wiped before its memory is freed. */
static void wipes_the_text(void)
{
    const char *path = scratch_path("wiped.pem");
    struct hagg_err err = { 0 };

    alloc_expect_wiped(120, 120, 119);
    x25519_free(private_key_make(path, &err));
    CHECK(alloc_n_wiped() == 1);
    alloc_expect_wiped(SIZE_MAX, 0, 0);
}

static void reports_missing_memory(void)
{
    const char *path = scratch_path("memory.pem");
    unsigned long at = 0;

    for (bool refused = true; refused; at++) {
        struct hagg_err err = { 0 };
        struct x25519 *key;

        alloc_refuse(at);
        key = private_key_make(path, &err);
        refused = alloc_refused();
        alloc_watch();
        /* some memory is not needed: a file with a name replaces one without */
        CHECK(key ? err.status == HAGG_OK : err.status == HAGG_E_SYSTEM && refused);
        CHECK(scratch_count("memory") == (key != NULL));
        x25519_free(key);
        unlink(path);
    }
    CHECK(at > 3);
}

int main(void)
{
    makes_a_file();
    keeps_what_is_there();
    reads_standard_input();
    needs_the_directory();
    wipes_the_text();
    reports_missing_memory();
    return check_end();
}
