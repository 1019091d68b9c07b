/* What a state directory remembers, and what it does with damage, crashes and other processes. */
#include "state/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"
#include "state/state_sum.h"

static uint8_t plan_a[64] = { 0xaa, 1 }, plan_b[64] = { 0xbb, 2 };

static struct state_key key_of(const uint8_t *plan, const char *tier, uint32_t number,
                               const char *what, uint64_t round)
{
    struct state_key key = { .plan = plan, .what = what, .round = round };

    key.node.number = number;
    snprintf(key.node.tier, sizeof key.node.tier, "%s", tier);
    return key;
}

/* Claims clients 1 .. last for station 2, in a process of its own as it were. */
static int claim(const char *directory, const uint8_t *plan, uint64_t round, uint32_t last,
                 struct hagg_err *err)
{
    struct state_key key = key_of(plan, "station", 2, STATE_SHARES, round);
    struct state *s = state_new(directory, false, err);
    struct rangeset set = { 0 };
    int status = rangeset_add(&set, 1, last, err);

    *err = (struct hagg_err){ 0 };
    if (status == 0)
        status = state_claim_sum(s, &key, &set, NULL, err);
    if (status == 0)
        status = state_commit(s, err);
    rangeset_free(&set);
    state_free(s);
    return status;
}

static int count_entries(void *n, const struct state_entry *entry, struct hagg_err *err)
{
    (void)entry;
    (void)err;
    ++*(size_t *)n;
    return 0;
}

static int list(const char *directory, size_t *n, struct hagg_err *err)
{
    struct state *s = state_new(directory, false, err);
    int status;

    *n = 0;
    *err = (struct hagg_err){ 0 };
    status = state_each(s, "", count_entries, n, err);
    state_free(s);
    return status;
}

static void accepts_the_same_and_refuses_another(void)
{
    const char *dir = scratch_path("one");
    struct hagg_err err;
    struct stat st;
    char want[600];
    size_t n;

    CHECK(claim(dir, plan_a, 7, 5, &err) == 0);
    CHECK(stat(dir, &st) == 0 && (st.st_mode & 07777) == 0700);
    CHECK(stat(scratch_path("one/index"), &st) == 0 && (st.st_mode & 07777) == 0600);
    CHECK(claim(dir, plan_a, 7, 5, &err) == 0);
    CHECK(claim(dir, plan_a, 7, 4, &err) == -1 && err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "station 2 already sent sums of round 7 over clients 1-5, and this is over 1-4: two "
             "totals reveal their difference, so use the roster of the round if there is one, or "
             "start a new round, with new vectors or with the clients of the old round (state in "
             "%s)",
             dir);
    CHECK_STR(err.text, want);
    CHECK(claim(dir, plan_a, 7, 5, &err) == 0);
    /* another round, or another plan, is another entry */
    CHECK(claim(dir, plan_a, 8, 4, &err) == 0 && claim(dir, plan_a, 8, 5, &err) == -1);
    CHECK(claim(dir, plan_b, 7, 4, &err) == 0 && claim(dir, plan_b, 7, 5, &err) == -1);
    /* listed with the clients of each round, which are the same for all nodes */
    CHECK(list(dir, &n, &err) == 0 && n == 6);
}

/* A round has one set of clients for all nodes, whatever they do. */
static void has_one_set_for_all_nodes(void)
{
    const char *dir = scratch_path("nodes");
    struct hagg_err err = { 0 };
    struct state *s = state_new(dir, false, &err);
    struct rangeset five = { 0 }, four = { 0 };
    struct state_key keys[] = {
        key_of(plan_a, "station", 2, STATE_KEYS, 7),
        key_of(plan_a, "station", 3, STATE_SHARES, 7),
        key_of(plan_a, "relay", 2, STATE_SHARES, 7),
        key_of(plan_a, "station", 0, STATE_KEYS, 7),
        key_of(plan_a, "federator", 1, STATE_TOTAL, 7),
        key_of(plan_a, "federator", 1, STATE_ROSTER, 7),
    };
    char want[512];

    CHECK(rangeset_add(&five, 1, 5, &err) == 0 && rangeset_add(&four, 1, 4, &err) == 0);
    CHECK(state_claim_clients(s, plan_a, 7, &five, &err) == 0 && state_commit(s, &err) == 0);
    snprintf(want, sizeof want,
             "round 7 already has clients 1-5, and this is over 1-4: two totals reveal their "
             "difference, so use the roster of the round if there is one, or start a new round, "
             "with new vectors or with the clients of the old round (state in %s)",
             dir);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        CHECK(state_claim_sum(s, &keys[i], &four, NULL, &err) == -1 &&
              err.status == HAGG_E_PRIVACY);
        CHECK_STR(err.text, want);
        state_drop(s);
        CHECK(state_claim_sum(s, &keys[i], &five, NULL, &err) == 0 && state_commit(s, &err) == 0);
    }
    CHECK(state_claim_clients(s, plan_a, 7, &four, &err) == -1);
    state_drop(s);
    /* what was dropped after a check is not remembered */
    CHECK(state_claim_clients(s, plan_a, 8, &five, &err) == 0);
    state_drop(s);
    CHECK(state_claim_clients(s, plan_a, 8, &four, &err) == 0 && state_commit(s, &err) == 0);
    CHECK(state_claim_clients(s, plan_b, 7, &four, &err) == 0 && state_commit(s, &err) == 0);
    state_free(s);
    rangeset_free(&five);
    rangeset_free(&four);
}

/* Each sum has one content; a sum that was not sent the first time may follow. */
static void knows_each_sum(void)
{
    struct hagg_err err = { 0 };
    struct state *s = state_new(scratch_path("sums"), false, &err);
    struct state_key key = key_of(plan_a, "station", 1, STATE_KEYS, 0);
    struct state_sum first = { .id = { 1 }, .digest = { 1 } }, second = { .id = { 2 } };
    struct state_sum other = { .id = { 1 }, .digest = { 2 } };
    struct rangeset set = { 0 };
    size_t n;

    CHECK(rangeset_add(&set, 3, 3, &err) == 0 && rangeset_add(&set, 5, 9, &err) == 0);
    CHECK(state_claim_sum(s, &key, &set, &first, &err) == 0 && state_commit(s, &err) == 0);
    CHECK(state_claim_sum(s, &key, &set, &first, &err) == 0);
    CHECK(state_claim_sum(s, &key, &set, &second, &err) == 0 && state_commit(s, &err) == 0);
    CHECK(state_claim_sum(s, &key, &set, &other, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strncmp(err.text, "station 1 already sent a sum of round 0 with other records: ", 60) ==
          0);
    state_free(s);
    /* what was not committed is not remembered */
    s = state_new(scratch_path("sums"), false, &err);
    key.round = 1;
    CHECK(state_claim_sum(s, &key, &set, &other, &err) == 0);
    state_free(s);
    CHECK(list(scratch_path("sums"), &n, &err) == 0 && n == 2);
    rangeset_free(&set);
}

/* In a process of its own as it were. */
static int share(const uint8_t *plan, uint32_t client, uint64_t round, uint8_t vector, uint8_t use,
                 bool again, struct hagg_err *err)
{
    struct state *s = state_new(scratch_path("vectors"), false, err);
    struct state_key key = key_of(plan, "client", client, STATE_VECTOR, round);
    uint8_t v[MAC_BYTES] = { 0x3f, vector }, u[MAC_BYTES] = { use };
    int status;

    *err = (struct hagg_err){ 0 };
    status = state_claim_vector(s, &key, v, u, again, "v.txt", err);
    if (status == 0)
        status = state_commit(s, err);
    state_free(s);
    return status;
}

static void knows_vectors(void)
{
    struct hagg_err err;

    CHECK(share(plan_a, 1, 1, 1, 1, false, &err) == 0);
    CHECK(share(plan_a, 1, 1, 1, 1, false, &err) == 0);
    /* another vector, or another key, in the same round */
    CHECK(share(plan_a, 1, 1, 2, 2, false, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(share(plan_a, 1, 1, 1, 2, true, &err) == -1 && err.status == HAGG_E_PRIVACY);
    /* the vector in another round, or under another plan */
    CHECK(share(plan_a, 1, 2, 1, 3, false, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "v.txt: this vector was already shared, in round 1 of this plan") ==
          err.text);
    CHECK(share(plan_b, 4, 1, 1, 3, false, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "in round 1 of another plan") != NULL);
    CHECK(share(plan_a, 1, 2, 1, 3, true, &err) == 0);
    /* allowed once, the same again is allowed */
    CHECK(share(plan_a, 1, 2, 1, 3, true, &err) == 0);
    /* the vector of another client of the plan is somebody else's */
    CHECK(share(plan_a, 2, 5, 1, 4, false, &err) == 0);
    /* a refused vector is not remembered */
    CHECK(share(plan_a, 1, 9, 2, 5, false, &err) == 0);
}

static int make_key(const uint8_t *plan, uint32_t client, uint64_t round, uint8_t key,
                    struct hagg_err *err)
{
    struct state_key entry = key_of(plan, "client", client, STATE_KEY, round);
    struct state *s = state_new(scratch_path("keys"), false, err);
    uint8_t digest[MAC_BYTES] = { key };
    int status = state_claim_key(s, &entry, digest, "bytes", err);

    if (status == 0)
        status = state_commit(s, err);
    state_free(s);
    return status;
}

static void knows_keys(void)
{
    struct hagg_err err = { 0 };

    CHECK(make_key(plan_a, 1, 1, 7, &err) == 0);
    CHECK(make_key(plan_a, 1, 1, 7, &err) == 0); /* the command is repeated */
    CHECK(make_key(plan_a, 1, 2, 8, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(make_key(plan_a, 1, 2, 7, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strncmp(err.text,
                  "bytes: its bytes were already used, for the key of client 1 in round 1 of this "
                  "plan: ",
                  85) == 0);
    /* unlike a vector, a key is never somebody else's */
    CHECK(make_key(plan_a, 2, 1, 7, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(make_key(plan_b, 1, 1, 7, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "in round 1 of another plan") != NULL);
    CHECK(make_key(plan_a, 1, 1, 7, &err) == 0);
}

static void remembers_nothing(void)
{
    struct hagg_err err = { 0 };
    struct state *s = state_new(NULL, false, &err);
    struct state_key key = key_of(plan_a, "federator", 1, STATE_TOTAL, 0);
    struct rangeset set = { 0 };

    CHECK(!state_was_asked(s));
    CHECK(state_claim_sum(s, &key, &set, NULL, &err) == 0 && state_commit(s, &err) == 0);
    CHECK(state_was_asked(s) && !state_new_directory(s));
    state_free(s);
    CHECK(state_claim_sum(NULL, &key, &set, NULL, &err) == 0 && state_commit(NULL, &err) == 0);
    CHECK(!state_was_asked(NULL) && !state_remembers(NULL));
    state_free(NULL);
}

/* Many processes at once, which all create the directory; each has other clients. */
static void lets_one_of_many_win(void)
{
    enum { PROCESSES = 24 };
    char name[32];
    int won, refused;

    for (int trial = 0; trial < 5; trial++) {
        pid_t pids[PROCESSES];
        int go[2];

        snprintf(name, sizeof name, "race-%d", trial);
        won = refused = 0;
        if (!CHECK(pipe(go) == 0))
            return;
        for (uint32_t i = 0; i < PROCESSES; i++) {
            pids[i] = fork();
            if (pids[i] == 0) {
                struct hagg_err err;
                char byte;

                close(go[1]);
                if (read(go[0], &byte, 1) < 0) /* until the parent closes it */
                    _exit(99);
                _exit(claim(scratch_path(name), plan_a, 1, 1 + i, &err) ? err.status : 0);
            }
        }
        close(go[0]);
        close(go[1]);
        for (int i = 0; i < PROCESSES; i++) {
            int status;

            waitpid(pids[i], &status, 0);
            won += WIFEXITED(status) && WEXITSTATUS(status) == 0;
            refused += WIFEXITED(status) && WEXITSTATUS(status) == HAGG_E_PRIVACY;
        }
        CHECK(won == 1 && refused == PROCESSES - 1);
    }
}

/* Processes that add different entries to the same files lose none of them. */
static void loses_no_entry(void)
{
    enum { PROCESSES = 8, ROUNDS = 20 };
    struct hagg_err err;
    pid_t pids[PROCESSES];
    size_t n;

    for (uint32_t i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            int failed = 0;

            for (uint32_t r = 0; r < ROUNDS; r++)
                failed |= claim(scratch_path("many"), plan_a, r * PROCESSES + i, 3, &err) != 0;
            _exit(failed);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;

        waitpid(pids[i], &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    CHECK(list(scratch_path("many"), &n, &err) == 0 && n == (size_t)2 * PROCESSES * ROUNDS);
}

static char *read_all(const char *path, size_t *n)
{
    static char bytes[8192];
    int fd = open(path, O_RDONLY);
    ssize_t got = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;

    if (fd >= 0)
        close(fd);
    CHECK(got > 0);
    *n = got > 0 ? (size_t)got : 0;
    return bytes;
}

/* Prints the name of the folder of plan_a and of one file in it. */
static void name_files(char *files, char *entry, size_t size, const char *dir)
{
    size_t n = sizeof(((struct header *)0)->plan);
    char hex[2 * 64 + 1];

    for (size_t i = 0; i < n; i++)
        sprintf(hex + 2 * i, "%02x", plan_a[i]);
    snprintf(files, size, "%s/%s/files", dir, hex);
    snprintf(entry, size, "%s/%s/station-2.shares.0", dir, hex);
}

static void notices_damage(void)
{
    char files[512], entry[512], index[512];
    const char *const paths[] = { index, files, entry };
    struct hagg_err err;
    size_t n;

    snprintf(index, sizeof index, "damage/index");
    name_files(files, entry, sizeof files, "damage");
    CHECK(claim(scratch_path("damage"), plan_a, 1, 5, &err) == 0);
    for (size_t f = 0; f < 3; f++) {
        char *path = strdup(scratch_path(paths[f])), *dir = strdup(scratch_path("damage"));
        char *bytes = read_all(path, &n);
        size_t entries;

        for (size_t i = 0; i < n; i++) {
            bytes[i] ^= 1;
            scratch_write(path, bytes, n);
            bytes[i] ^= 1;
            CHECK(claim(dir, plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_MALFORMED);
            scratch_write(path, bytes, i);
            CHECK(claim(dir, plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_MALFORMED);
        }
        CHECK(unlink(path) == 0);
        CHECK(claim(dir, plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK(strstr(err.text, "is missing") != NULL);
        CHECK(list(dir, &entries, &err) == -1 && err.status == HAGG_E_MALFORMED);
        scratch_write(path, bytes, n);
        CHECK(claim(dir, plan_a, 1, 5, &err) == 0);
        CHECK(claim(dir, plan_a, 1, 4, &err) == -1 && err.status == HAGG_E_PRIVACY);
        free(path);
        free(dir);
    }
    /* the remains of a killed process are nothing */
    strcat(entry, ".new");
    scratch_write(scratch_path(entry), "1 1-", 4);
    CHECK(claim(scratch_path("damage"), plan_a, 1, 5, &err) == 0);
    CHECK(claim(scratch_path("damage"), plan_a, 2, 5, &err) == 0);
}

/* A file of one place in another. */
static void notices_exchanged_files(void)
{
    char files[512], entry[512], moved[520];
    struct hagg_err err;

    CHECK(claim(scratch_path("moved"), plan_a, 1, 5, &err) == 0);
    CHECK(claim(scratch_path("moved"), plan_a, 1500, 4, &err) == 0);
    name_files(files, entry, sizeof files, "moved");
    snprintf(moved, sizeof moved, "%.*s1", (int)strlen(entry) - 1, entry);
    CHECK(rename(scratch_path(moved), scratch_path(entry)) == 0);
    CHECK(claim(scratch_path("moved"), plan_a, 1, 4, &err) == -1 && err.status == HAGG_E_MALFORMED);
}

static void refuses_unsafe_directories(void)
{
    const char *dir = scratch_path("unsafe");
    struct hagg_err err;

    CHECK(claim(dir, plan_a, 1, 5, &err) == 0);
    for (mode_t bit = 0002; bit <= 0020; bit <<= 3) {
        CHECK(chmod(dir, 0700 | bit) == 0);
        CHECK(claim(dir, plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_PRIVACY);
        CHECK(strstr(err.text, "other users can write") != NULL);
    }
    CHECK(chmod(dir, 0740) == 0 && claim(dir, plan_a, 1, 5, &err) == -1);
    CHECK(err.status == HAGG_E_PRIVACY && strstr(err.text, "other users can read") != NULL);
    CHECK(chmod(dir, 0700) == 0 && claim(dir, plan_a, 1, 5, &err) == 0);
    if (geteuid() == 0)
        CHECK(chown(dir, 1, (gid_t)-1) == 0);
    else
        dir = "/";
    CHECK(claim(dir, plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "belongs to another user") != NULL);
    scratch_write(scratch_path("file"), "", 0);
    CHECK(claim(scratch_path("file"), plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(claim(scratch_path("no/where"), plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(claim(scratch_path("file/x"), plan_a, 1, 5, &err) == -1 && err.status == HAGG_E_SYSTEM);
}

/* As a user without privileges, who cannot read what has no permissions. */
static void refuses_what_it_cannot_read(void)
{
    pid_t pid;
    int status = -1;

    CHECK(mkdir(scratch_path("user"), 0777) == 0 && chmod(scratch_path("user"), 0777) == 0);
    CHECK(chmod(scratch_path("."), 0755) == 0);
    pid = fork();
    if (pid == 0) {
        const char *dir = scratch_path("user/state");
        struct hagg_err err;
        int bad = 0;

        if (geteuid() == 0 && setresuid(65534, 65534, 65534))
            _exit(90);
        bad |= claim(dir, plan_a, 1, 5, &err) != 0;
        bad |= 2 * (chmod(scratch_path("user/state/index"), 0) != 0);
        bad |= 4 * !(claim(dir, plan_a, 1, 4, &err) == -1 && err.status == HAGG_E_SYSTEM);
        chmod(scratch_path("user/state/index"), 0600);
        chmod(dir, 0);
        bad |= 8 * !(claim(dir, plan_a, 1, 4, &err) == -1 && err.status == HAGG_E_SYSTEM);
        chmod(dir, 0700);
        bad |= 16 * !(claim(dir, plan_a, 1, 4, &err) == -1 && err.status == HAGG_E_PRIVACY);
        _exit(bad);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void creates_the_default_directory(void)
{
    struct hagg_err err = { 0 };
    struct state *s = state_new(scratch_path("home/.local/state/hagg"), true, &err);
    struct state_key key = key_of(plan_a, "federator", 1, STATE_TOTAL, 0);
    struct rangeset set = { 0 };
    struct stat st;

    CHECK(rangeset_add(&set, 1, 2, &err) == 0);
    CHECK(!state_new_directory(s));
    CHECK(state_claim_sum(s, &key, &set, NULL, &err) == 0 && state_commit(s, &err) == 0);
    CHECK_STR(state_new_directory(s), scratch_path("home/.local/state/hagg"));
    state_free(s);
    CHECK(stat(scratch_path("home/.local"), &st) == 0 && (st.st_mode & 07777) == 0700);
    s = state_new(scratch_path("home/.local/state/hagg"), true, &err);
    CHECK(state_claim_sum(s, &key, &set, NULL, &err) == 0 && !state_new_directory(s));
    state_free(s);
    rangeset_free(&set);
}

/* Adds up the files of a folder. */
static size_t count_files(const char *path, off_t *largest)
{
    DIR *d = opendir(path);
    struct dirent *e;
    size_t n = 0;

    *largest = 0;
    while (d && (e = readdir(d))) {
        char file[1024];
        struct stat st;

        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        if (stat(file, &st) == 0 && S_ISREG(st.st_mode)) {
            n++;
            *largest = st.st_size > *largest ? st.st_size : *largest;
        }
    }
    if (d)
        closedir(d);
    return n;
}

/* With 10^5 rounds of a station, and many of a client, every file is small, so that the next entry
 * costs no more than the first one. */
static void stays_small(uint64_t n_rounds, uint64_t n_vectors)
{
    struct hagg_err err = { 0 };
    struct state *s = state_new(scratch_path("large"), false, &err);
    struct state_sum sum = { .id = { 1 } };
    char files[512], entry[512], folder[512];
    struct rangeset set = { 0 };
    off_t largest;
    size_t n;

    CHECK(rangeset_add(&set, 1, 100, &err) == 0);
    for (uint64_t r = 0; r < n_rounds; r++) {
        struct state_key station = key_of(plan_a, "station", 2, STATE_SHARES, r);
        struct state_key client = key_of(plan_a, "client", 1, STATE_VECTOR, r);
        uint8_t v[MAC_BYTES] = { (uint8_t)(r * 167), (uint8_t)(r >> 4), (uint8_t)r,
                                 (uint8_t)(r >> 8), (uint8_t)(r >> 16) };

        if (state_claim_sum(s, &station, &set, &sum, &err) ||
            (r < n_vectors && state_claim_vector(s, &client, v, v, false, "v", &err)) ||
            (r % 1024 == 1023 && state_commit(s, &err)))
            CHECK_STR(err.text, "");
    }
    CHECK(state_commit(s, &err) == 0);
    state_free(s);
    name_files(files, entry, sizeof files, "large");
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(files) - strlen("/files")), files);
    n = count_files(scratch_path(folder), &largest);
    CHECK(n == 2 * ((n_rounds + 1023) / 1024) + (n_vectors + 127) / 128 + 1);
    CHECK(largest < 1024 * 80);
    n = count_files(scratch_path("large/vectors"), &largest);
    CHECK(n <= 256 + 1 && largest < 64 * 1024);
    CHECK(claim(scratch_path("large"), plan_a, n_rounds, 5, &err) == 0);
    CHECK(claim(scratch_path("large"), plan_a, n_rounds / 2, 5, &err) == -1 &&
          err.status == HAGG_E_PRIVACY);
    rangeset_free(&set);
}

/* Describes a sum of these clients, in this order, all from run `run`. */
static struct state_sum sum_of(struct state *s, const uint32_t *clients, size_t n, uint8_t run,
                               uint32_t dealer)
{
    struct header h = { .kind = HEADER_SHARE };
    struct state_parts parts = { 0 }, more = { 0 };
    struct hagg_err err = { 0 };
    struct mac *mac = state_mac(s, &err);
    struct state_sum sum = { 0 };
    uint8_t id[16] = { run };

    for (size_t i = 0; i < n; i++)
        CHECK(state_parts_add(i % 2 ? &more : &parts, mac, false,
                              (struct header_range){ clients[i], clients[i] }, id, &err) == 0);
    if (dealer > 0)
        CHECK(state_parts_add(&parts, mac, true, (struct header_range){ dealer, dealer }, id,
                              &err) == 0);
    state_parts_join(&parts, &more);
    CHECK(state_sum_describe(mac, &h, &parts, &sum, &err) == 0);
    mac_free(mac);
    return sum;
}

/* The order of the parts does not matter; everything else does. */
static void describes_sums(void)
{
    struct hagg_err err = { 0 };
    struct state *s = state_new(scratch_path("parts"), false, &err);
    struct state_sum a = sum_of(s, (uint32_t[]){ 1, 2, 3, 9 }, 4, 7, 0);
    const struct state_sum others[] = {
        sum_of(s, (uint32_t[]){ 1, 2, 3 }, 3, 7, 0),
        sum_of(s, (uint32_t[]){ 1, 2, 3, 8 }, 4, 7, 0),
        sum_of(s, (uint32_t[]){ 1, 2, 3, 9 }, 4, 6, 0),
        sum_of(s, (uint32_t[]){ 1, 2, 3 }, 3, 7, 9),
        sum_of(s, (uint32_t[]){ 1, 2, 3, 9 }, 4, 7, 1),
        sum_of(s, NULL, 0, 7, 0),
    };
    struct state_sum b = sum_of(s, (uint32_t[]){ 9, 3, 1, 2 }, 4, 7, 0);

    CHECK(memcmp(a.digest, b.digest, sizeof a.digest) == 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(memcmp(a.id, others[i].id, sizeof a.id) == 0);
        CHECK(memcmp(a.digest, others[i].digest, sizeof a.digest));
    }
    state_free(s);
}

static int claim_clients(uint32_t first, uint32_t last, uint8_t use, struct hagg_err *err)
{
    struct state *s = state_new(scratch_path("many"), false, err);
    int status = 0;

    for (uint32_t i = first; i <= last && status == 0; i++) {
        struct state_key key = key_of(plan_a, "client", i, STATE_VECTOR, 5);
        uint8_t v[MAC_BYTES] = { (uint8_t)(i * 37), (uint8_t)i, (uint8_t)(i >> 8) };
        uint8_t u[MAC_BYTES] = { use, (uint8_t)i };

        status = state_claim_vector(s, &key, v, u, false, "v", err);
    }
    if (status == 0)
        status = state_commit(s, err);
    state_free(s);
    return status;
}

/* So many entries that all files are synced at once. Those of each client are found again. */
static void enters_many_at_once(void)
{
    struct hagg_err err = { 0 };

    CHECK(claim_clients(1, 1000, 1, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(claim_clients(1, 1000, 1, &err) == 0);
    for (uint32_t i = 1; i <= 1000; i += 37) {
        CHECK(claim_clients(i, i, 2, &err) == -1 && err.status == HAGG_E_PRIVACY);
        CHECK(claim_clients(i, i, 1, &err) == 0);
    }
    /* nothing of a batch in which one is refused */
    CHECK(claim_clients(1000, 1010, 3, &err) == -1);
    CHECK(claim_clients(1001, 1010, 4, &err) == 0);
}

static void prunes(void)
{
    struct hagg_err err = { 0 };
    char files[512], entry[512];
    struct state *s;
    struct stat st;
    size_t n;

    for (uint64_t r = 0; r < 3000; r += 500)
        CHECK(claim(scratch_path("prune"), plan_a, r, 5, &err) == 0);
    CHECK(claim(scratch_path("prune"), plan_b, 0, 5, &err) == 0);
    s = state_new(scratch_path("prune"), false, &err);
    CHECK(state_prune(s, "cc", 1, &n, &err) == -1 && err.status == HAGG_E_MISMATCH);
    CHECK(state_prune(s, "", 1, &n, &err) == -1 && err.status == HAGG_E_MISMATCH);
    CHECK(state_prune(s, "aa01", 1500, &n, &err) == 0 && n == 6);
    /* an earlier round does not bring anything back */
    CHECK(state_prune(s, "aa01", 1, &n, &err) == 0 && n == 0);
    state_free(s);
    name_files(files, entry, sizeof files, "prune");
    CHECK(stat(scratch_path(entry), &st) == -1 && errno == ENOENT);
    CHECK(list(scratch_path("prune"), &n, &err) == 0 && n == 8);
    CHECK(claim(scratch_path("prune"), plan_a, 1500, 5, &err) == 0);
    CHECK(claim(scratch_path("prune"), plan_a, 1500, 4, &err) == -1);
    CHECK(claim(scratch_path("prune"), plan_a, 1499, 5, &err) == -1 &&
          err.status == HAGG_E_PRIVACY);
    CHECK(claim(scratch_path("prune"), plan_b, 0, 5, &err) == 0);
    CHECK(list(scratch_path("absent"), &n, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(stat(scratch_path("absent"), &st) == -1 && errno == ENOENT);
}

int main(int argc, char **argv)
{
    (void)argv;
    accepts_the_same_and_refuses_another();
    has_one_set_for_all_nodes();
    knows_each_sum();
    knows_vectors();
    knows_keys();
    remembers_nothing();
    lets_one_of_many_win();
    loses_no_entry();
    notices_damage();
    notices_exchanged_files();
    refuses_unsafe_directories();
    refuses_what_it_cannot_read();
    creates_the_default_directory();
    stays_small(argc > 1 ? 3000 : 100000, argc > 1 ? 1000 : 20000);
    describes_sums();
    enters_many_at_once();
    prunes();
    return check_end();
}
