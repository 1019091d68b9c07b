#include "plan/plan_identities.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "crypto/sha256.h"
#include "scratch.h"

static const char base[] = "collude partial stations=1\nlength 4\nstations 3\nclient 1-3 via 1-3\n";

/* sha256sum of "client 1\n" */
#define DIGEST "a14a9e2c91e5ae5bf8e39deb6e0e2a4a55bb01b9e42dd06dd2bfa1da7be29d58"

/* Writes a plan with this line, and loads it. */
static int load(struct plan *plan, const char *name, const char *line, struct hagg_err *err)
{
    char text[1000];
    int n = snprintf(text, sizeof text, "%s%s", base, line);

    *err = (struct hagg_err){ 0 };
    *plan = (struct plan){ 0 };
    scratch_write(scratch_path(name), text, (size_t)n);
    return plan_load(plan, scratch_path(name), err);
}

static void write_ids(const char *name, const char *text)
{
    scratch_write(scratch_path(name), text, strlen(text));
}

static void has_none_without_a_line(void)
{
    struct hagg_err err;
    struct plan plan;

    CHECK(load(&plan, "none.topo", "", &err) == 0 && !plan_identities_given(&plan));
    CHECK(!plan.topology.has_identities_digest);
    plan_free(&plan);
}

/* The plan gets the digest of the file, and its own digest covers it. */
static void sets_the_digest(void)
{
    uint8_t want[SHA256_BYTES], first[SHA256_BYTES];
    struct text text = { 0 };
    char *path = NULL, line[200];
    struct hagg_err err;
    struct plan plan;

    write_ids("ids", "client 1\n");
    CHECK(sha256_bytes(want, "client 1\n", 9, &err) == 0);
    CHECK(load(&plan, "p.topo", "identities ids\n", &err) == 0 && plan_identities_given(&plan));
    CHECK(plan.topology.has_identities_digest);
    CHECK(memcmp(plan.topology.identities_digest, want, sizeof want) == 0);
    memcpy(first, plan.digest, sizeof first);
    CHECK(plan_identities_read(&plan, &text, &path, &err) == 0);
    CHECK(text.len == 9 && memcmp(text.bytes, "client 1\n", 9) == 0);
    CHECK_STR(path, scratch_path("ids"));
    text_free(&text);
    free(path);
    plan_free(&plan);
    /* the same if the line has the digest, as hagg-plan writes it; then the file is not needed */
    text_printf(&text, "identities ids ");
    text_hex(&text, want, sizeof want);
    snprintf(line, sizeof line, "%s\n", text.bytes);
    text_free(&text);
    unlink(scratch_path("ids"));
    CHECK(load(&plan, "p.topo", line, &err) == 0);
    CHECK(memcmp(plan.digest, first, sizeof first) == 0);
    plan_free(&plan);
    /* another one if the file is another one, or has another name */
    write_ids("ids", "client 2\n");
    CHECK(load(&plan, "p.topo", "identities ids\n", &err) == 0);
    CHECK(memcmp(plan.digest, first, sizeof first) != 0);
    plan_free(&plan);
    CHECK(load(&plan, "p.topo", "", &err) == 0);
    CHECK(memcmp(plan.digest, first, sizeof first) != 0);
    plan_free(&plan);
}

static void refuses_another_file(void)
{
    struct text text = { 0 };
    char *path = NULL, want[400];
    struct hagg_err err;
    struct plan plan;

    write_ids("ids", "client 1\n");
    CHECK(load(&plan, "p.topo", "identities ids\n", &err) == 0);
    write_ids("ids", "client 1 \n");
    CHECK(plan_identities_read(&plan, &text, &path, &err) == -1 && err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "%s: does not have the SHA-256 of the identities in %s: get the file that the plan "
             "was made with",
             scratch_path("ids"), scratch_path("p.topo"));
    CHECK_STR(err.text, want);
    text_free(&text);
    free(path);
    unlink(scratch_path("ids"));
    path = NULL;
    CHECK(plan_identities_read(&plan, &text, &path, &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want,
             "%s: is missing: %s names it, so get it from the author of the plan, into the same "
             "directory",
             scratch_path("ids"), scratch_path("p.topo"));
    CHECK_STR(err.text, want);
    text_free(&text);
    free(path);
    plan_free(&plan);
}

static void needs_the_file_to_compute_the_digest(void)
{
    struct hagg_err err;
    struct plan plan;
    char want[400];

    unlink(scratch_path("ids"));
    CHECK(load(&plan, "p.topo", "identities ids\n", &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want,
             "%s: is missing: %s names it, so get it from the author of the plan, into the same "
             "directory",
             scratch_path("ids"), scratch_path("p.topo"));
    CHECK_STR(err.text, want);
    plan_free(&plan);
}

/* The file is beside the plan, not in the working directory. */
static void looks_beside_the_plan(void)
{
    struct hagg_err err;
    struct plan plan;

    CHECK(mkdir(scratch_path("deep"), 0700) == 0);
    write_ids("deep/ids", "client 7\n");
    write_ids("ids", "client 1\n");
    CHECK(load(&plan, "deep/p.topo", "identities ids\n", &err) == 0);
    write_ids("ids", "client 2\n");
    plan_free(&plan);
    CHECK(chdir(scratch_path("deep")) == 0);
    CHECK(plan_load(&plan, "p.topo", &err) == 0 && plan_identities_given(&plan));
    plan_free(&plan);
    unlink(scratch_path("deep/ids"));
    CHECK(plan_load(&plan, "p.topo", &err) == -1);
    CHECK_STR(err.text,
              "ids: is missing: p.topo names it, so get it from the author of the plan, into the "
              "same directory");
    plan_free(&plan);
}

/* A plan from others must not name a file elsewhere. */
static void refuses_other_names(void)
{
    static const char *const names[] = { "../ids", "/etc/passwd", ".ids", "..",    ".",   "-",
                                         "-ids",   "a/b",         "a/",   "i\\ds", "id*", "a:b" };
    struct hagg_err err;
    struct plan plan;
    char line[400], want[600];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(line, sizeof line, "identities %s\n", names[i]);
        CHECK(load(&plan, "p.topo", line, &err) == -1 && err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want,
                 "%s:5: '%s': needs the name of a file in the same directory, of at most 64 "
                 "letters, digits, '.', '_' and '-'",
                 scratch_path("p.topo"), names[i]);
        CHECK_STR(err.text, want);
        plan_free(&plan);
    }
    CHECK(load(&plan, "p.topo", "identities\n", &err) == -1 && err.status == HAGG_E_MALFORMED);
    plan_free(&plan);
    memset(line, 'a', sizeof line);
    memcpy(line, "identities ", 11);
    strcpy(line + 11 + LIMIT_NAME + 1, "\n");
    CHECK(load(&plan, "p.topo", line, &err) == -1 && err.status == HAGG_E_MALFORMED);
    plan_free(&plan);
}

static void refuses_wrong_digests(void)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        { "identities ids " DIGEST "0\n",
          "'a14a9e2c91e5ae5bf8e39deb6e0e2a4a55bb01b9': is not a SHA-256, which has 64 hexadecimal "
          "digits" },
        { "identities ids a14a\n", "'a14a': is not a SHA-256, which has 64 hexadecimal digits" },
        { "identities ids " DIGEST " 5\n", "'5': is an extra word" },
    };
    struct hagg_err err;
    struct plan plan;

    write_ids("ids", "client 1\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(load(&plan, "p.topo", cases[i].line, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED);
        CHECK_STR(strstr(err.text, ":5: ") + 4, cases[i].message);
        plan_free(&plan);
    }
    CHECK(load(&plan, "p.topo", "identities ids\nidentities ids\n", &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, ":6: "));
    plan_free(&plan);
}

int main(void)
{
    has_none_without_a_line();
    sets_the_digest();
    refuses_another_file();
    needs_the_file_to_compute_the_digest();
    refuses_other_names();
    refuses_wrong_digests();
    looks_beside_the_plan();
    return check_end();
}
