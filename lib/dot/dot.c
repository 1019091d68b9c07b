#include "dot/dot.h"

#include <math.h>
#include <string.h>

#include "records/describe.h"
#include "dot/dot_lines.h"
#include "cost/count/fraction.h"
#include "base/rangeset.h"

/* Characters per line of a label. */
#define LABEL_WIDTH 24

/* Escapes s for a quoted string. */
static void print_quoted(struct text *text, const char *s)
{
    for (; *s; s++)
        text_printf(text, "%s%c", *s == '"' || *s == '\\' ? "\\" : "",
                    (unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s);
}

/* The node's label lists its clients as ranges. */
static int print_client(const struct plan *p, const struct dot_lines *d, size_t node,
                        struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct rangeset members = { 0 };
    struct text words = { 0 };
    char *rest, *word;
    size_t width = 0;
    int status = 0;

    for (size_t i = node; i < t->n_clients && status == 0; i++)
        if (d->node[i] == node)
            status = rangeset_add(&members, t->clients[i].number, t->clients[i].number, err);
    describe_ranges(&words, members.ranges, members.n);
    if (status == 0 && !text_ok(&words))
        status = err_errno(err, "%s", p->name);
    text_printf(text, "  c%u [label=\"client%s", t->clients[node].number,
                rangeset_count(&members) > 1 ? "s" : "");
    for (rest = words.bytes; status == 0 && (word = strsep(&rest, " "));) {
        text_printf(text, "%s%s", width > LABEL_WIDTH ? "\\n" : " ", word);
        width = (width > LABEL_WIDTH ? 0 : width) + strlen(word) + 1;
    }
    text_printf(text, "\"]\n");
    text_free(&words);
    rangeset_free(&members);
    return status;
}

/* One column, ordered by number from the top. */
static int print_clients(const struct plan *p, const struct dot_lines *d, struct text *text,
                         struct hagg_err *err)
{
    const char *before = "";

    for (size_t i = 0; i < p->topology.n_clients; i++)
        if (d->node[i] == i && print_client(p, d, i, text, err))
            return -1;
    text_printf(text, "  { rank=same; edge [style=invis]; ");
    for (size_t i = 0; i < p->topology.n_clients; i++)
        if (d->node[i] == i) {
            text_printf(text, "%sc%u", before, p->topology.clients[i].number);
            before = " -> ";
        }
    text_printf(text, " }\n");
    return 0;
}

/* "2/3", "1 seed" or "2/3 + 4 seeds" */
static void print_sent(struct text *text, const struct sheet_line *sent)
{
    if (mpz_sgn(sent->n_seeds) == 0 || mpq_sgn(sent->times) > 0)
        fraction_print_exact(sent->times, text);
    if (mpz_sgn(sent->n_seeds) == 0)
        return;
    text_printf(text, "%s", mpq_sgn(sent->times) > 0 ? " + " : "");
    fraction_print_integer(sent->n_seeds, text);
    text_printf(text, " seed%s", mpz_cmp_ui(sent->n_seeds, 1) == 0 ? "" : "s");
}

/* The masks of a station are in its label. */
static void print_masks(struct text *text, const struct dot_lines *d, uint32_t station)
{
    const char *before = "\\nmasks:";

    for (size_t i = 0; i < d->n; i++) {
        const struct dot_line *line = d->lines[i];
        bool sends = line->from.number == station;

        if (!dot_lines_masks(line) || (!sends && line->to.number != station))
            continue;
        text_printf(text, "%s %s ", before, sends ? "sends" : "gets");
        print_sent(text, &line->sent);
        before = ",";
    }
}

/* The same for stations or relays. */
static void print_tier(struct text *text, const struct dot_lines *d, enum node_tier which,
                       uint32_t n)
{
    const char *tier = node_tier_name(which);

    if (n == 0)
        return;
    for (uint32_t i = 1; i <= n; i++) {
        text_printf(text, "  %c%u [label=\"%s %u", *tier, i, tier, i);
        if (which == NODE_STATION)
            print_masks(text, d, i);
        text_printf(text, "\"]\n");
    }
    text_printf(text, "  { rank=same; edge [style=invis]; ");
    for (uint32_t i = 1; i <= n; i++)
        text_printf(text, "%s%c%u", i > 1 ? " -> " : "", *tier, i);
    text_printf(text, " }\n");
}

static void print_style(struct text *text, const struct dot_line *line)
{
    const char *color = line->is_keys                                          ? "#b35900"
                        : line->from.tier == NODE_CLIENT || line->is_passed_on ? "#1f5fa8"
                                                                               : "#000000";

    /* puts the labels of two lines between the same nodes side by side */
    text_printf(text, " style=%s color=\"%s\" fontcolor=\"%s\" labeldistance=%d",
                line->is_keys || line->is_passed_on ? "dashed" : "solid", color, color,
                line->is_keys ? 5 : 9);
}

static size_t count_nodes(const struct plan *p, const struct dot_lines *d, enum node_tier tier)
{
    return tier == NODE_CLIENT    ? d->n_client_nodes
           : tier == NODE_STATION ? p->topology.n_stations
           : tier == NODE_RELAY   ? p->topology.n_relays
                                  : 1;
}

static bool has_couriers(const struct dot_lines *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->lines[i]->is_passed_on)
            return true;
    return false;
}

/* The label is at the end in the tier with more nodes, where fewer lines meet. */
static void print_line(struct text *text, const struct plan *p, const struct dot_lines *d,
                       const struct dot_line *line)
{
    enum node_tier from = line->from.tier, to = line->to.tier;
    const char *end = from == to                                         ? "x"
                      : count_nodes(p, d, from) >= count_nodes(p, d, to) ? "tail"
                                                                         : "head";

    text_printf(text, "  %c%u -> %c%u [%slabel=\"", *node_tier_name(from), line->from.number,
                *node_tier_name(to), line->to.number, end);
    print_sent(text, &line->sent);
    text_printf(text, "\"");
    print_style(text, line);
    text_printf(text, " penwidth=%.2f]\n", 1 + log2(1 + mpq_get_d(line->sent.times)));
}

int dot_print(const struct plan *p, const struct protocol_presence *presence, struct text *text,
              struct hagg_err *err)
{
    struct dot_lines d;
    int status;

    if (dot_lines_new(&d, p, presence, err))
        return -1;
    text_printf(text, "digraph round {\n  label=\"");
    print_quoted(text, p->name);
    text_printf(text, ": ");
    fraction_print(d.total, text);
    text_printf(
        text,
        " times the vector\\nblue: shares, black: sums of shares%s%s; numbers: multiples of "
        "the vector\"\n",
        p->topology.aligned ? "" : ", dashed: keys and sums of keys",
        has_couriers(&d) ? ", dashed blue: shares that couriers pass on" : "");
    text_printf(text, "  rankdir=LR\n  ranksep=4\n  nodesep=0.8\n  fontname=Helvetica\n"
                      "  node [shape=box style=rounded fontname=Helvetica]\n"
                      "  edge [fontname=Helvetica fontsize=11 arrowsize=0.6 labelangle=0]\n");
    status = print_clients(p, &d, text, err);
    print_tier(text, &d, NODE_STATION, p->topology.n_stations);
    print_tier(text, &d, NODE_RELAY, p->topology.n_relays);
    text_printf(text, "  f1 [label=\"federator\"]\n");
    for (size_t i = 0; i < d.n && status == 0; i++)
        if (!dot_lines_masks(d.lines[i]))
            print_line(text, p, &d, d.lines[i]);
    text_printf(text, "}\n");
    dot_lines_free(&d);
    return status;
}
