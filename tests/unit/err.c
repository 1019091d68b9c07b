#include "err.h"

#include <errno.h>

#include "check.h"

static void says_what_it_is_told(void)
{
    struct hagg_err err = { 0 };

    CHECK(err_set(&err, HAGG_E_MISMATCH, "%s: client %d is already in the sum", "c7.cbor", 7) ==
          -1);
    CHECK(err.status == HAGG_E_MISMATCH);
    CHECK_STR(err.text, "c7.cbor: client 7 is already in the sum");
    CHECK(err_set(&err, HAGG_E_PRIVACY, "%s", "") == -1);
    CHECK(err.status == HAGG_E_PRIVACY);
    CHECK_STR(err.text, "");
}

static void has_the_exit_statuses_of_the_manual(void)
{
    CHECK(HAGG_OK == 0 && HAGG_E_SYSTEM == 1 && HAGG_E_USAGE == 2 && HAGG_E_MALFORMED == 3);
    CHECK(HAGG_E_MISMATCH == 4 && HAGG_E_TOO_FEW == 5 && HAGG_E_PRIVACY == 6);
}

static void adds_the_cause(void)
{
    struct hagg_err err = { 0 };

    errno = ENOENT;
    CHECK(err_errno(&err, "%s", "a\tb") == -1);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "a?b: No such file or directory");
    errno = ENOSPC;
    CHECK(err_errno(&err, "out") == -1);
    CHECK_STR(err.text, "out: No space left on device");
    errno = EISDIR;
    CHECK(err_errno(&err, "%s", "station-2") == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "station-2: is a directory: name a file in it");
}

/* Every byte alone, between two letters, in the place of a file's name. */
static void hides_control_characters(void)
{
    for (int byte = 1; byte < 256; byte++) {
        char name[] = { 'a', (char)byte, 'b', 0 }, want[] = { 'a', (char)byte, 'b', 0 };
        struct hagg_err err = { 0 };

        if (byte < 0x20 || byte == 0x7f)
            want[1] = '?';
        err_set(&err, HAGG_E_SYSTEM, "%s", name);
        CHECK_STR(err.text, want);
        errno = EIO;
        err_errno(&err, "%s", name);
        CHECK(strncmp(err.text, want, 3) == 0);
    }
}

/* U+0080 to U+009F, of which U+009B begins a command to the terminal; U+00A0 and later are text. */
static void hides_control_characters_in_utf8(void)
{
    for (int low = 0x80; low < 0xc0; low++) {
        char name[] = { 'a', (char)0xc2, (char)low, 'b', 0 };
        char hidden[] = "a??b";
        struct hagg_err err = { 0 };

        err_set(&err, HAGG_E_SYSTEM, "%s", name);
        CHECK_STR(err.text, low < 0xa0 ? hidden : name);
    }
    for (int end = 0xc0; end <= 0xc3; end++) {
        char name[] = { 'a', (char)end, 0 };
        struct hagg_err err = { 0 };

        err_set(&err, HAGG_E_SYSTEM, "%s", name);
        CHECK_STR(err.text, name);
    }
}

static void cuts_what_is_too_long(void)
{
    struct hagg_err err = { 0 };
    char name[2000];

    for (size_t len = 500; len < 530; len++) {
        size_t kept = len < sizeof err.text ? len : sizeof err.text - 1;

        memset(name, 'x', len);
        name[len] = 0;
        memset(&err, 0x55, sizeof err);
        CHECK(err_set(&err, HAGG_E_USAGE, "%s", name) == -1);
        CHECK(strlen(err.text) == kept && memcmp(err.text, name, kept) == 0);
        errno = EIO;
        memset(&err, 0x55, sizeof err);
        CHECK(err_errno(&err, "%s", name) == -1);
        CHECK(strlen(err.text) <= sizeof err.text - 1);
        CHECK(memcmp(err.text, name, kept) == 0);
        /* as much of the cause as there is room for */
        CHECK(strncmp(err.text + kept, ": Input/output error", sizeof err.text - 1 - kept) == 0);
    }
}

int main(void)
{
    says_what_it_is_told();
    has_the_exit_statuses_of_the_manual();
    adds_the_cause();
    hides_control_characters();
    hides_control_characters_in_utf8();
    cuts_what_is_too_long();
    return check_end();
}
