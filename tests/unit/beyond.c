#include "audit/beyond.h"

#include <string.h>

#include "audit/model_build.h"
#include "check.h"
#include "feed.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

/* Prints the amounts of all rows: "3 1/4 1/2; 3f ..". A bound begins with <. */
static void put_rows(const struct beyond *b, struct text *text)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct beyond_row *r = &b->rows[i];
        const struct beyond_amount *of[] = { &r->single, &r->total };

        text_printf(text, "%s%u%s%s", i > 0 ? "; " : "", r->colluders,
                    r->party == AUDIT_RELAYS ? "r" : "", r->federator ? "f" : "");
        for (size_t j = 0; j < 2; j++) {
            uint64_t num = of[j]->num, den = of[j]->den;

            for (uint64_t d = 2; d <= den; d++)
                while (num % d == 0 && den % d == 0) {
                    num /= d;
                    den /= d;
                }
            text_printf(text, " %s%llu", of[j]->at_most ? "<" : "", (unsigned long long)num);
            if (den > 1)
                text_printf(text, "/%llu", (unsigned long long)den);
            CHECK((of[j]->who.nodes != NULL) == (num > 0 && !of[j]->at_most));
        }
    }
}

static void learns(const char *topology, uint32_t more, const char *want)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    struct audit_bounds bounds;
    struct beyond b;
    struct model m;
    struct plan p;

    CHECK(plan_load(&p, feed_file(topology, strlen(topology)), &err) == 0);
    CHECK_STR(err.text, "");
    bounds = audit_bounds_of(&p);
    CHECK(model_build_sums(&m, &p, 0, &err) == 0);
    CHECK(beyond_new(&b, &m, &bounds, more, &err) == 0);
    CHECK_STR(err.text, "");
    put_rows(&b, &text);
    CHECK_STR(text.bytes, want);
    text_free(&text);
    beyond_free(&b);
    model_free(&m);
    plan_free(&p);
}

int main(void)
{
    /* a ramp sharing with four parts: each further station learns one of them */
    learns("collude partial stations=2\nstations 6\nclient 1-3 via 1-6\n", 9,
           "3 1/4 3/4; 4 1/2 3/2; 5 3/4 9/4; 6 1 3");
    learns("collude partial stations=2\nstations 6\nprotocol keys\nclient 1-3 via 1-6\n", 1,
           "3 1/4 3/4");
    /* the sum is allowed, so a third of what is learnt is known anyway */
    learns("collude full stations=2\nstations 6\nclient 1-3 via 1-6\n", 1, "3 1/4 3/4; 3f 1/4 1/2");
    /* a spare station makes parts longer */
    learns("collude partial stations=2\ndrop stations=1\nstations 6\nclient 1-3 via 1-6\n", 1,
           "3 1/3 1");
    /* the last block is short, and is learnt as much as the others */
    learns("collude partial stations=1\nstations 4\nsegments 4\nclient 1-3 via 1-4\n", 2,
           "2 1/2 3/2; 3 3/4 9/4");
    /* two halves, a third and a whole vector, and one of which nothing is learnt */
    learns("collude partial clients=1 stations=2\n" SIX, 1, "3 1 17/6");
    /* masks of stations that all deal are made for two colluders, so sums are learnt, too */
    learns("collude full clients=1 stations=2\n" SIX, 1, "3 1 17/6; 3f 1 53/18");
    /* relays: of protocol aligned they see no more than the federator */
    learns("collude full stations=2\nstations 6\nrelays 2\nstation 1-6 via 1 2\n"
           "client 1-3 via 1-6\n",
           1, "3 1/4 3/4; 3f 1/4 1/2");
    /* one relay has the total of the keys, so two of them learn a half of the sum */
    learns("collude partial stations=1 relays=1\nprotocol keys\nstations 3\nrelays 3\n"
           "station 1-3 via 1-3\nclient 1-3 via 1-3 relays 1-3\n",
           1, "2 1/2 3/2; 2r 0 1/2; 2rf 0 0");
    /* there are no more */
    learns("collude partial stations=2\nstations 3\nclient 1-3 via 1-3\n", 5, "3 1 3");
    return check_end();
}
