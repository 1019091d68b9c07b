#include "records/tally.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"

static void counts_in_order_of_coming(void)
{
    static const char *const words[] = { "m31", "gf256", "m31", "", "m31", "M31", "", "gf256 " };
    static const struct {
        const char *word;
        uint64_t count;
    } want[] = { { "m31", 3 }, { "gf256", 1 }, { "", 2 }, { "M31", 1 }, { "gf256 ", 1 } };
    struct hagg_err err = { 0 };
    struct tally t = { 0 };
    const struct tally_word *w;
    char word[16];
    size_t i = 0;

    for (i = 0; i < sizeof words / sizeof *words; i++) {
        strcpy(word, words[i]); /* the tally must copy it */
        CHECK(tally_add(&t, word, &err) == 0);
        memset(word, '!', sizeof word - 1);
    }
    CHECK(t.n_words == 5);
    for (w = t.first, i = 0; w && i < 5; w = w->next, i++) {
        CHECK_STR(w->word, want[i].word);
        CHECK(w->count == want[i].count);
    }
    CHECK(w == NULL && i == 5);
    tally_free(&t);
    CHECK(t.first == NULL && t.last == NULL && t.n_words == 0 && t.tree == NULL);
    tally_free(&t);
}

/* Word i occurs i + 1 times, in rounds through the words in alternating directions. */
static void counts_many(void)
{
    enum { WORDS = 300 };
    struct hagg_err err = { 0 };
    struct tally t = { 0 };
    char word[16];
    unsigned n = 0;

    for (unsigned round = 0; round < WORDS; round++)
        for (unsigned at = round; at < WORDS; at++) {
            unsigned i = round % 2 ? WORDS - 1 - (at - round) : at;

            snprintf(word, sizeof word, "%u", i * 7919 % WORDS);
            CHECK(tally_add(&t, word, &err) == 0);
        }
    CHECK(t.n_words == WORDS);
    for (const struct tally_word *w = t.first; w; w = w->next, n++) {
        snprintf(word, sizeof word, "%u", n * 7919 % WORDS);
        CHECK_STR(w->word, word);
        CHECK(w->count == n + 1);
    }
    CHECK(n == WORDS);
    tally_free(&t);
}

static void fails_cleanly_without_memory(void)
{
    struct hagg_err err = { 0 };
    struct tally t = { 0 };

    CHECK(tally_add(&t, "old", &err) == 0);
    for (unsigned long at = 0; at < 2; at++) {
        alloc_refuse(at);
        CHECK(tally_add(&t, "new", &err) == -1);
        CHECK(alloc_refused() && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "no memory to count 'new': Cannot allocate memory");
    }
    alloc_watch();
    CHECK(t.n_words == 1 && t.first->next == NULL);
    CHECK(tally_add(&t, "new", &err) == 0 && tally_add(&t, "old", &err) == 0);
    CHECK(t.n_words == 2 && t.first->count == 2 && t.first->next->count == 1);
    tally_free(&t);
}

int main(void)
{
    counts_in_order_of_coming();
    counts_many();
    fails_cleanly_without_memory();
    return check_end();
}
