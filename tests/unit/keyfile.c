#include "secrets/keyfile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "reader.h"
#include "scratch.h"

static struct plan plan, other_plan;

static void load_plan(struct plan *p, const char *name, const char *text)
{
    struct hagg_err err = { 0 };

    scratch_write(scratch_path(name), text, strlen(text));
    CHECK(plan_load(p, scratch_path(name), &err) == 0);
    CHECK_STR(err.text, "");
}

static void write_key(const char *path, const struct keyfile_need *need, bool append)
{
    int fd = open(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), 0600);
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);
    struct writer *w = writer_new(fd, path, &err);

    CHECK(keyfile_write(need, random, w, &err) == 0);
    CHECK_STR(err.text, "");
    writer_free(w);
    random_free(random);
    close(fd);
}

static void comes_back(uint64_t length)
{
    struct keyfile_need need = { .plan = &plan, .client = 3, .round = 5, .length = length };
    const char *path = scratch_path("key");
    struct keyfile_key key;
    unsigned char *read;
    struct hagg_err err = { 0 };
    const struct header *h;
    struct reader *r;
    size_t got;

    write_key(path, &need, false);
    CHECK(keyfile_load(path, &need, &key, &err) == 0);
    CHECK_STR(err.text, "");
    r = reader_open(path, NULL, &err);
    CHECK(reader_next(r, &err) == 1);
    h = reader_header(r);
    CHECK(h->kind == HEADER_VECTOR && h->secret == HEADER_KEY && h->has_id && h->has_plan);
    CHECK(memcmp(h->id, key.id, 16) == 0 && memcmp(h->plan, plan.digest, sizeof h->plan) == 0);
    CHECK(h->has_round && h->round == 5 && h->n_clients == 1 && h->clients[0].first == 3);
    CHECK(h->length == length && h->samples && strcmp(h->field, "m31") == 0);
    CHECK(!h->has_shape && h->type[0] == 0 && h->quant.bits == 0 && h->to.tier[0] == 0);
    read = malloc(length * 4 + 4);
    CHECK(reader_read(r, read, length + 1, &got, &err) == 0 && got == length);
    CHECK(memcmp(read, key.elems, length * 4) == 0);
    CHECK(field_check(plan.field, key.elems, length) == length);
    free(read);
    reader_free(r);
    keyfile_forget(&key);
}

static void refuses(const struct keyfile_need *need, enum hagg_status status, const char *want)
{
    struct keyfile_key key = { .elems = (unsigned char *)1 };
    struct hagg_err err = { 0 };

    CHECK(keyfile_load(scratch_path("key"), need, &key, &err) == -1);
    CHECK(err.status == status && key.elems == NULL);
    if (!CHECK(strstr(err.text, want) != NULL))
        fprintf(stderr, "%s\n", err.text);
    CHECK(strstr(err.text, scratch_path("key")) == err.text);
}

static void is_for_one_purpose(void)
{
    struct keyfile_need need = { .plan = &plan, .client = 3, .round = 5, .length = 10 },
                        other = need;
    uint64_t elems[10] = { 0 };
    struct header h = { .kind = HEADER_VECTOR, .length = 10 };

    write_key(scratch_path("key"), &need, false);
    other.client = 4;
    refuses(&other, HAGG_E_MISMATCH, "key belongs to client 3, but this is client 4");
    other = need;
    other.round = 6;
    refuses(&other, HAGG_E_MISMATCH, "key is for round 5, but this is round 6");
    other = need;
    other.length = 11;
    refuses(&other, HAGG_E_MISMATCH, "key has 10 elements, but the vector has 11");
    other = need;
    other.plan = &other_plan;
    refuses(&other, HAGG_E_MISMATCH, "key was made under a different plan than ");
    write_key(scratch_path("key"), &need, true);
    refuses(&need, HAGG_E_MISMATCH, "record 2 (byte ");
    refuses(&need, HAGG_E_MISMATCH, "is an extra record: a key file contains one");
    scratch_write(scratch_path("key"), "", 0);
    refuses(&need, HAGG_E_MALFORMED, "is empty: it contains no key");
    strcpy(h.field, "m31");
    scratch_record(scratch_path("key"), &h, 4, elems, 10);
    refuses(&need, HAGG_E_MISMATCH, "is not a key: make one with hagg-keygen");
}

/* Wrong and unusual records. */
static void checks_what_it_reads(void)
{
    struct keyfile_need need = { .plan = &plan, .client = 3, .round = 5, .length = 10 };
    struct header_range client = { 3, 3 };
    struct header h = {
        .kind = HEADER_VECTOR,
        .secret = HEADER_KEY,
        .length = 10,
        .samples = true,
        .has_round = true,
        .round = 5,
        .clients = &client,
        .n_clients = 1,
        .has_plan = true,
        .has_id = true,
    };
    uint64_t elems[10] = { 0 };
    struct stat st;

    strcpy(h.field, "m31");
    memcpy(h.plan, plan.digest, sizeof h.plan);
    elems[9] = 0x7fffffff;
    unlink(scratch_path("key"));
    scratch_record(scratch_path("key"), &h, 4, elems, 10);
    refuses(&need, HAGG_E_MALFORMED, "key has values that are not elements of field 'm31'");
    elems[9] = 0;
    strcpy(h.field, "m61");
    unlink(scratch_path("key"));
    scratch_record(scratch_path("key"), &h, 8, elems, 10);
    refuses(&need, HAGG_E_MALFORMED, "key is not over the plan's field");
    strcpy(h.field, "prime:p=1000003");
    unlink(scratch_path("key"));
    scratch_record(scratch_path("key"), &h, 4, elems, 10);
    refuses(&need, HAGG_E_MALFORMED, "key is not over the plan's field");
    strcpy(h.field, "m31");
    client.last = 4;
    unlink(scratch_path("key"));
    scratch_record(scratch_path("key"), &h, 4, elems, 10);
    refuses(&need, HAGG_E_MISMATCH, "is a sum of keys, not the key of a client");
    client.last = 3;
    unlink(scratch_path("key"));
    scratch_record(scratch_path("key"), &h, 4, elems, 10);
    CHECK(stat(scratch_path("key"), &st) == 0 &&
          truncate(scratch_path("key"), st.st_size - 1) == 0);
    refuses(&need, HAGG_E_MALFORMED, "");
}

/* Two keys differ in their elements and their ids. */
static void is_fresh(void)
{
    struct keyfile_need need = { .plan = &plan, .client = 3, .round = 5, .length = 100 };
    struct keyfile_key keys[2];
    struct hagg_err err = { 0 };

    for (int i = 0; i < 2; i++) {
        write_key(scratch_path("key"), &need, false);
        CHECK(keyfile_load(scratch_path("key"), &need, &keys[i], &err) == 0);
    }
    CHECK(memcmp(keys[0].id, keys[1].id, 16) != 0 &&
          memcmp(keys[0].elems, keys[1].elems, 400) != 0);
    keyfile_forget(&keys[0]);
    keyfile_forget(&keys[1]);
}

/* A client that sends seeds has a key that is the expansion of one. */
static void is_a_seed(void)
{
    struct keyfile_need need = { .client = 3, .round = 5, .length = 10000, .room = 10002 };
    unsigned char *want = calloc(need.length, 4);
    struct keyfile_key key = { 0 };
    struct hagg_err err = { 0 };
    struct plan seeds;
    struct expand *e;

    load_plan(&seeds, "seeds",
              "protocol keys\nprivacy computational\nstations 3\nclient 1-4 via 1-3\n"
              "identities ids 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    need.plan = &seeds;
    write_key(scratch_path("key"), &need, false);
    CHECK(keyfile_load(scratch_path("key"), &need, &key, &err) == 0);
    e = expand_new(seeds.field, key.seed, &err);
    CHECK(e && expand_elems(e, 0, want, need.length, &err) == 0);
    CHECK(memcmp(key.elems, want, need.length * 4) == 0);
    expand_free(e);
    keyfile_forget(&key);
    free(want);
    need.plan = &plan; /* another plan, whose keys are no seeds */
    CHECK(keyfile_load(scratch_path("key"), &need, &key, &err) == -1);
    plan_free(&seeds);
}

/* Seeds are sent sealed only, so there is no key under a plan without identities. */
static void is_no_seed_without_identities(void)
{
    struct keyfile_need need = { .client = 3, .round = 5, .length = 10 };
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);
    int fd = open("/dev/null", O_WRONLY);
    struct writer *w = writer_new(fd, "key", &err);
    struct plan bare;

    load_plan(&bare, "bare",
              "protocol keys\nprivacy computational\nstations 3\nclient 1-4 via 1-3");
    need.plan = &bare;
    CHECK(random && w && keyfile_write(&need, random, w, &err) == -1);
    CHECK(err.status == HAGG_E_PRIVACY);
    plan_free(&bare);
    writer_free(w);
    random_free(random);
    close(fd);
}

int main(void)
{
    load_plan(&plan, "plan", "protocol keys\nstations 3\nsamples\nclient 1-4 via 1-3");
    load_plan(&other_plan, "other", "protocol keys\nstations 3\nclient 1-4 via 1-3");
    comes_back(1);
    comes_back(300000);
    is_for_one_purpose();
    checks_what_it_reads();
    is_fresh();
    is_a_seed();
    is_no_seed_without_identities();
    plan_free(&plan);
    plan_free(&other_plan);
    return check_end();
}
