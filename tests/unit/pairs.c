#include "base/pairs.h"

#include <string.h>

#include "check.h"

/* Checks the pairs of the text; want has each in brackets, with the value after a bar. */
static void splits(const char *text, const char *want)
{
    char copy[80], got[160] = "", *rest = copy;
    struct pair pair;

    snprintf(copy, sizeof copy, "%s", text);
    while (pairs_next(&rest, &pair)) {
        size_t n = strlen(got);

        snprintf(got + n, sizeof got - n, "[%.*s|%s]", (int)pair.name_len, pair.text,
                 pair.value ? pair.value : "-");
    }
    CHECK_STR(got, want);
}

static void splits_at_commas_and_blanks(void)
{
    splits("", "");
    splits(" ,\t,", "");
    splits("full", "[full|-]");
    splits("full,clients=1,stations=2", "[full|-][clients|1][stations|2]");
    splits("full clients=1\tstations=2", "[full|-][clients|1][stations|2]");
    splits(" full,  clients=1 ,stations=2,", "[full|-][clients|1][stations|2]");
    splits("stations=2,5,clients=3-4,federator", "[stations|2,5][clients|3-4][federator|-]");
    splits("stations=2 5 clients=3", "[stations|2 5][clients|3]");
    splits("stations=2, 5,clients=3", "[stations|2, 5][clients|3]");
    /* a number continues a value only */
    splits("full,5", "[full|-][5|-]");
    splits("a=b=c,=1,=", "[a|b=c][|1][|]");
}

static const char *const names[] = { "full", "clients=", "stations=", "relays=", NULL };

static void finds(const char *word, int place, const char *message)
{
    struct hagg_err err = { 0 };
    struct pair pair = pairs_of(word);

    CHECK(pairs_find(&pair, names, &err) == place);
    CHECK(err.status == (place < 0 ? HAGG_E_USAGE : HAGG_OK));
    CHECK_STR(err.text, message);
}

static void finds_names(void)
{
    finds("full", 0, "");
    finds("clients=1", 1, "");
    finds("relays=", 3, "");
    finds("stations", -1, "'stations' needs a value, as in stations=1");
    finds("full=1", -1, "'full' does not accept a value");
    finds("station=2", -1, "unknown word 'station': did you mean 'stations'?");
    finds("Stations=2", -1, "unknown word 'Stations': did you mean 'stations'?");
    finds("realys=2", -1, "unknown word 'realys': did you mean 'relays'?");
    finds("ful", -1, "unknown word 'ful': did you mean 'full'?");
    finds("half", -1, "unknown word 'half': use full, clients=, stations= or relays=");
    finds("", -1, "unknown word '': use full, clients=, stations= or relays=");
    finds("stationsstationsstationsstations=1", -1,
          "unknown word 'stationsstationsstationsstations': use full, clients=, stations= or "
          "relays=");
}

int main(void)
{
    splits_at_commas_and_blanks();
    finds_names();
    return check_end();
}
