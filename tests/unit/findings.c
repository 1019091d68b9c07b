#include "audit/findings.h"

#include "check.h"

static void add(struct rangeset *set, uint32_t first, uint32_t last)
{
    struct hagg_err err = { 0 };

    CHECK(rangeset_add(set, first, last, &err) == 0);
}

/* Checks the words for rank / cut of these clients. */
static void check_part(enum learnt_kind kind, size_t rank, uint32_t cut, uint32_t first,
                       uint32_t last, const char *want)
{
    struct learnt l = { .cut = cut };
    struct learnt_part part = { .kind = kind, .rank = rank };
    struct text text = { 0 };

    add(&part.clients, first, last);
    findings_put_part(&l, &part, &text);
    CHECK_STR(text.bytes, want);
    rangeset_free(&part.clients);
    text_free(&text);
}

static void describes_amounts(void)
{
    check_part(LEARNT_EACH, 6, 6, 3, 3, "client 3: its whole vector");
    check_part(LEARNT_EACH, 1, 1, 3, 4, "clients 3 and 4: their whole vectors");
    check_part(LEARNT_EACH, 2, 6, 1, 5, "clients 1-5: a third of each vector");
    check_part(LEARNT_EACH, 1, 2, 7, 7, "client 7: a half of its vector");
    check_part(LEARNT_EACH, 1, 8, 7, 7, "client 7: an eighth of its vector");
    check_part(LEARNT_EACH, 9, 12, 7, 7, "client 7: three quarters of its vector");
    check_part(LEARNT_EACH, 9, 10, 7, 7, "client 7: nine tenths of its vector");
    check_part(LEARNT_EACH, 10, 24, 7, 7, "client 7: 5/12 of its vector");
    check_part(LEARNT_SUM, 4, 4, 2, 3, "the sum of the vectors of clients 2 and 3");
    check_part(LEARNT_SUM, 2, 4, 2, 4, "a half of the sum of the vectors of clients 2-4");
    check_part(LEARNT_COMBINATION, 4, 4, 2, 4, "a combination of the vectors of clients 2-4");
    check_part(LEARNT_COMBINATION, 2, 4, 2, 4,
               "a combination of the vectors of clients 2-4, a half of their length");
    check_part(LEARNT_COMBINATION, 6, 4, 2, 4,
               "combinations of the vectors of clients 2-4, 3/2 times their length");
    check_part(LEARNT_COMBINATION, 8, 4, 2, 4,
               "combinations of the vectors of clients 2-4, 2 times their length");
}

/* Checks the words for a set of numbers and frees it. */
static void check_numbers(struct rangeset *set, const char *want)
{
    struct text text = { 0 };

    findings_put_numbers(set, &text);
    CHECK_STR(text.bytes, want);
    rangeset_free(set);
    *set = (struct rangeset){ 0 };
    text_free(&text);
}

static void lists_numbers(void)
{
    struct rangeset set = { 0 };

    add(&set, 7, 7);
    check_numbers(&set, "7");
    add(&set, 1, 3);
    add(&set, 5, 5);
    add(&set, 9, 10);
    check_numbers(&set, "1-3, 5, 9 and 10");
    for (uint32_t i = 0; i < 12; i++)
        add(&set, 10 * i + 1, 10 * i + 1);
    check_numbers(&set, "1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 101 and 111");
    for (uint32_t i = 0; i < 12; i++)
        add(&set, 10 * i + 1, 10 * i + 1);
    add(&set, 1001, 3000);
    check_numbers(&set, "1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 101, 111 and 2000 more");
}

/* Checks the words for a coalition and frees it. */
static void check_who(struct findings_who *w, uint64_t n, const char *want)
{
    struct text text = { 0 };

    CHECK(findings_who_count(w) == n);
    findings_put_who(w, &text);
    CHECK_STR(text.bytes, want);
    findings_who_free(w);
    *w = (struct findings_who){ 0 };
    text_free(&text);
}

static void names_coalitions(void)
{
    struct findings_who w = { 0 };

    check_who(&w, 0, "an observer");
    w.federator = true;
    check_who(&w, 1, "the federator");
    w.federator = true;
    add(&w.tiers[FINDINGS_STATIONS], 3, 3);
    check_who(&w, 2, "station 3 and the federator");
    add(&w.tiers[FINDINGS_CLIENTS], 1, 1);
    add(&w.tiers[FINDINGS_STATIONS], 3, 3);
    check_who(&w, 2, "client 1 and station 3");
    w.federator = true;
    add(&w.tiers[FINDINGS_CLIENTS], 1, 2);
    check_who(&w, 3, "clients 1 and 2, and the federator");
    add(&w.tiers[FINDINGS_CLIENTS], 1, 4);
    add(&w.tiers[FINDINGS_STATIONS], 2, 2);
    add(&w.tiers[FINDINGS_RELAYS], 5, 6);
    add(&w.tiers[FINDINGS_MISSING], 9, 9);
    check_who(&w, 7, "clients 1-4, station 2, and relays 5 and 6, with client 9 missing,");
}

int main(void)
{
    describes_amounts();
    lists_numbers();
    names_coalitions();
    return check_end();
}
