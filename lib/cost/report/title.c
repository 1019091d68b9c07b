#include "cost/report/title.h"

static void print_count(struct text *text, const char *before, uint64_t n, const char *what)
{
    text_printf(text, "%s%llu %s%s", before, (unsigned long long)n, what, n == 1 ? "" : "s");
}

/* "1 client, 2 stations and 1 relay"; tiers with count 0 are omitted. */
static void print_counts(struct text *text, const uint32_t n[3])
{
    static const char *const what[] = { "client", "station", "relay" };
    const char *before = "";

    for (size_t i = 0; i < 3; i++)
        if (n[i] > 0) {
            bool more = false;

            for (size_t j = i + 1; j < 3; j++)
                more = more || n[j] > 0;
            print_count(text, *before && !more ? " and " : before, n[i], what[i]);
            before = ", ";
        }
}

/* Without seeds privacy is information-theoretic, which is the usual case and not stated. */
static void print_privacy(struct text *text, const struct topology *t)
{
    uint64_t n = 0;

    for (size_t i = 0; i < t->n_clients; i++)
        n += t->groups[t->clients[i].group].computational;
    if (t->computational)
        text_printf(text, ", computational privacy");
    else if (n > 0)
        print_count(text, ", computational privacy of ", n, "client");
}

int title_of_plan(char **title, const struct plan *p, uint64_t length, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const uint32_t collude[] = { t->collude_clients, t->collude_stations, t->collude_relays };
    const uint32_t drop[] = { t->drop_clients, t->drop_stations, t->drop_relays };
    struct text text = { 0 };

    print_count(&text, "", t->n_clients, "client");
    print_count(&text, ", ", t->n_stations, "station");
    if (t->n_relays > 0)
        print_count(&text, ", ", t->n_relays, "relay");
    if (collude[0] + collude[1] + collude[2] > 0) {
        text_printf(&text, ", %s collusion of ", t->full ? "full" : "partial");
        print_counts(&text, collude);
        for (size_t i = 0; i < t->n_tolerated; i++)
            text_printf(&text, "%s %u/%u at %u", i == 0 ? ", tolerating" : " and",
                        t->tolerated[i].num, t->tolerated[i].den, t->tolerated[i].stations);
    } else
        text_printf(&text, ", no collusion");
    if (drop[0] + drop[1] + drop[2] > 0) {
        text_printf(&text, ", ");
        print_counts(&text, drop);
        text_printf(&text, " may be missing");
    }
    if (t->groups)
        print_privacy(&text, t);
    text_printf(&text, ", field %s", t->field);
    if (length > 0)
        print_count(&text, ", vectors of ", length, "element");
    if (!text_ok(&text)) {
        text_free(&text);
        return err_errno(err, "%s", p->name);
    }
    *title = text.bytes;
    return 0;
}
