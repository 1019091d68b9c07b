#include <stdlib.h>
#include <string.h>

#include "certificate/certificate_histogram.h"
#include "certificate/certificate_network.h"
#include "certificate/certificate_sections.h"
#include "certificate/html.h"

#define LEFT      86  /* room for the names of the tiers */
#define ROW       118 /* distance of two tiers */
#define TOP       30
#define HALF      15 /* half the height of a box */
#define NODE_SLOT 46
#define BOX_SLOT  62 /* for a class of clients */

struct canvas {
    const struct network *n;
    int width;
    struct text *text;
};

static int slot_of(const struct network *n)
{
    return n->classes ? BOX_SLOT : NODE_SLOT;
}

static int width_of(const struct network *n)
{
    size_t clients = n->n_boxes * (size_t)slot_of(n), others = n->n_stations;

    others = (others > n->n_relays ? others : n->n_relays) * NODE_SLOT;
    others = clients > others ? clients : others;
    return LEFT + 10 + (others < 330 ? 330 : (int)others);
}

/* The middle of node i of n in its row. */
static double x_of(const struct canvas *c, size_t i, size_t n)
{
    return LEFT + (c->width - LEFT - 10) * ((double)i + .5) / (double)n;
}

static int y_of(int row)
{
    return TOP + row * ROW;
}

static int last_row(const struct network *n)
{
    return n->n_relays > 0 ? 3 : 2;
}

/* Lines between two rows, one for each kind of content. */
static void put_link(const struct canvas *c, double x1, int row1, double x2, int row2, uint8_t what,
                     const char *plain)
{
    if (what & NETWORK_SHARES)
        text_printf(c->text, "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
                    plain, x1, y_of(row1) + HALF, x2, y_of(row2) - HALF);
    if (what & NETWORK_KEYS)
        text_printf(c->text, "<line class=\"keys\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
                    x1 + 4, y_of(row1) + HALF, x2 + 4, y_of(row2) - HALF);
}

static void put_links(const struct canvas *c)
{
    const struct network *n = c->n;

    for (size_t i = 0; i < n->n_boxes; i++)
        for (size_t j = 0; j < n->n_stations; j++)
            put_link(c, x_of(c, i, n->n_boxes), 0, x_of(c, j, n->n_stations), 1, n->up[i][j],
                     "shares");
    for (size_t i = 0; i < n->n_stations; i++) {
        double x = x_of(c, i, n->n_stations);

        for (size_t j = 0; j < n->n_relays; j++)
            put_link(c, x, 1, x_of(c, j, n->n_relays), 2, n->relayed[i][j], "sums");
        put_link(c, x, 1, x_of(c, 0, 1), last_row(n), n->stations_down[i], "sums");
    }
    for (size_t i = 0; i < n->n_relays; i++)
        put_link(c, x_of(c, i, n->n_relays), 2, x_of(c, 0, 1), 3, n->relays_down[i], "sums");
}

/* Keys along the chain are arcs below the stations; masks are a rail that all of them share. */
static void put_across(const struct canvas *c)
{
    const struct network *n = c->n;
    double first = 0, last = 0;
    int y = y_of(1) + HALF;
    bool masks = false;

    for (size_t i = 0; i < n->n_stations; i++)
        for (size_t j = 0; j < n->n_stations; j++) {
            double x1 = x_of(c, i, n->n_stations), x2 = x_of(c, j, n->n_stations);

            if (n->across[i][j] & NETWORK_KEYS)
                text_printf(c->text, "<path class=\"keys\" d=\"M%.1f %dQ%.1f %d %.1f %d\"/>\n", x1,
                            y, (x1 + x2) / 2, y + 26, x2, y);
            if (!(n->across[i][j] & NETWORK_MASKS) || i == j)
                continue;
            first = !masks || x1 < first ? x1 : first;
            first = x2 < first ? x2 : first;
            last = !masks || x1 > last ? x1 : last;
            last = x2 > last ? x2 : last;
            masks = true;
        }
    if (masks)
        text_printf(c->text,
                    "<path class=\"masks\" d=\"M%.1f %dV%dH%.1fV%d\"/>\n"
                    "<text class=\"tier\" x=\"%.1f\" y=\"%d\" text-anchor=\"end\">masks</text>\n",
                    first, y + 2, y + 16, last, y + 2, first - 8, y + 20);
}

static bool is_dealer(const struct network *n, size_t station)
{
    for (size_t i = 0; i < n->n_stations; i++)
        if (n->across[station][i] & NETWORK_MASKS)
            return true;
    return false;
}

static void put_box(const struct canvas *c, double x, int row, double width, const char *class,
                    const char *label)
{
    text_printf(c->text,
                "<rect%s x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"6\"/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                class, x - width / 2, y_of(row) - HALF, width, 2 * HALF, x, y_of(row) + 5, label);
}

static void put_row(const struct canvas *c, int row, const char *tier, size_t n)
{
    text_printf(c->text, "<text class=\"tier\" x=\"0\" y=\"%d\">%s</text>\n", y_of(row) + 5, tier);
    for (size_t i = 0; i < n; i++) {
        bool box = row == 0 && c->n->classes, federator = row == last_row(c->n);
        struct text label = { 0 };

        if (federator)
            text_printf(&label, "federator");
        else if (row == 0)
            html_count(&label, c->n->numbers[i]);
        else
            text_printf(&label, "%zu", i + 1);
        if (text_ok(&label) && label.bytes)
            put_box(c, x_of(c, i, n), row, federator ? 96 : (box ? BOX_SLOT : NODE_SLOT) - 10,
                    row == 1 && is_dealer(c->n, i) ? " class=\"dealer\"" : "", label.bytes);
        else
            c->text->failed = true;
        text_free(&label);
    }
}

/* True if some station or relay sends nothing. */
static bool has_idle(const struct network *n)
{
    bool idle = false;

    for (size_t i = 0; i < n->n_stations; i++) {
        bool sends = n->stations_down[i] != 0;

        for (size_t j = 0; j < n->n_relays; j++)
            sends = sends || n->relayed[i][j];
        idle = idle || !sends;
    }
    for (size_t i = 0; i < n->n_relays; i++)
        idle = idle || !n->relays_down[i];
    return idle;
}

/* What the reader sees in the picture, in words. */
static void put_caption(const struct network *n, const struct topology *t, struct text *text)
{
    bool masks = false, keys = false, chain = false;

    for (size_t i = 0; i < n->n_stations; i++) {
        masks = masks || is_dealer(n, i);
        for (size_t j = 0; j < n->n_stations; j++)
            chain = chain || (n->across[i][j] & NETWORK_KEYS);
        for (size_t j = 0; j < n->n_boxes; j++)
            keys = keys || (n->up[j][i] & NETWORK_KEYS);
    }
    if (n->classes)
        text_printf(text, "Each box in the first row stands for all clients that use the same "
                          "stations, and shows how many they are. ");
    text_printf(text, "Solid blue lines are shares of vectors, grey lines are sums. ");
    if (keys)
        text_printf(text, "Dashed lines are keys: random vectors that are added to the vectors and "
                          "subtracted from the sum. ");
    if (chain)
        text_printf(text, "The stations add up the keys one after the other. ");
    if (masks)
        text_printf(text, "The dotted line stands for masks, random vectors that add up to nothing "
                          "and that the stations with a thick border send to all others. ");
    if (t->n_relays > 0)
        text_printf(text, "Relays belong to the side of the federator. ");
    if (has_idle(n))
        text_printf(text, "Nodes without lines are not used. ");
}

static void draw_nodes(const struct network *n, const struct topology *t, struct text *text)
{
    struct canvas c = { n, width_of(n), text };
    int height = TOP + last_row(n) * ROW + HALF + 6;

    text_printf(text,
                "<figure%s>\n<svg viewBox=\"0 0 %d %d\" style=\"max-width:%dpx\" "
                "role=\"img\" aria-labelledby=\"network-title network-text\">\n"
                "<title id=\"network-title\">The network: ",
                c.width > 520 ? " class=\"large\"" : "", c.width, height, c.width);
    certificate_nodes(t, text);
    text_printf(text, "</title>\n");
    put_links(&c);
    put_across(&c);
    put_row(&c, 0, "clients", n->n_boxes);
    put_row(&c, 1, "stations", n->n_stations);
    if (n->n_relays > 0)
        put_row(&c, 2, "relays", n->n_relays);
    put_row(&c, last_row(n), "", 1);
    text_printf(text, "</svg>\n<figcaption id=\"network-text\">");
    put_caption(n, t, text);
    text_printf(text, "</figcaption>\n</figure>\n");
}

/* How many clients use how many stations, and each station. */
struct reach {
    uint64_t *sizes;    /* clients by number of stations */
    uint64_t *stations; /* clients by station number */
    size_t least, most;
};

static int reach_new(struct reach *r, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *r = (struct reach){ .sizes = calloc((size_t)t->n_stations + 1, sizeof *r->sizes),
                         .stations = calloc((size_t)t->n_stations + 1, sizeof *r->stations),
                         .least = SIZE_MAX };
    if (!r->sizes || !r->stations)
        return err_errno(err, "%s", p->name);
    for (size_t i = 0; i < t->n_clients; i++) {
        struct plan_route route;
        const struct topology_list *list;

        plan_route(p, &t->groups[t->clients[i].group], PLAN_SHARES, &route);
        list = route.lists[0];
        r->sizes[list->n]++;
        r->least = list->n < r->least ? list->n : r->least;
        r->most = list->n > r->most ? list->n : r->most;
        for (size_t j = 0; j < list->n; j++)
            r->stations[list->numbers[j]]++;
    }
    return 0;
}

/* One tier of a large network, and what it sends on. */
static void put_tier(struct text *text, int row, uint64_t n, const char *one, const char *sends)
{
    int y = TOP - 6 + row * 84;

    text_printf(text,
                "<rect x=\"20\" y=\"%d\" width=\"190\" height=\"38\" rx=\"8\"/>\n"
                "<text x=\"115\" y=\"%d\" text-anchor=\"middle\">",
                y - 19, y + 5);
    if (n > 0)
        html_counted(text, n, one);
    else
        text_printf(text, "%s", one);
    text_printf(text, "</text>\n");
    if (sends)
        text_printf(text,
                    "<line x1=\"115\" y1=\"%d\" x2=\"115\" y2=\"%d\"/>\n"
                    "<path class=\"head\" d=\"M110 %dh10l-5 8z\"/>\n"
                    "<text class=\"tier\" x=\"132\" y=\"%d\">%s</text>\n",
                    y + 19, y + 58, y + 57, y + 46, sends);
}

static void draw_tiers(const struct reach *r, const struct topology *t, struct text *text)
{
    struct text sends = { 0 };
    int rows = t->n_relays > 0 ? 4 : 3;

    if (r->least == r->most)
        text_printf(&sends, "each sends shares to %zu stations", r->most);
    else
        text_printf(&sends, "each sends shares to %zu to %zu stations", r->least, r->most);
    if (!text_ok(&sends) || !sends.bytes) {
        text->failed = true;
        return;
    }
    text_printf(text,
                "<figure>\n<svg viewBox=\"0 0 480 %d\" style=\"max-width:480px\" role=\"img\" "
                "aria-labelledby=\"network-title\">\n<title id=\"network-title\">The network by "
                "kinds of nodes, from clients to the federator</title>\n",
                rows * 84 - 30);
    put_tier(text, 0, t->n_clients, "client", sends.bytes);
    put_tier(text, 1, t->n_stations, "station", "each sends sums of what it received");
    if (t->n_relays > 0)
        put_tier(text, 2, t->n_relays, "relay", "each combines the sums or passes them on");
    put_tier(text, rows - 1, 0, "federator", NULL);
    text_printf(text, "</svg>\n<figcaption>The network is too large to draw every node. The charts "
                      "show how clients and stations are connected.</figcaption>\n</figure>\n");
    text_free(&sends);
}

int certificate_drawing(const struct certificate *c, struct text *text, struct hagg_err *err)
{
    const struct topology *t = &c->plan->topology;
    struct network n;
    struct reach r = { 0 };
    bool fits;
    int status = network_new(&n, &fits, c->plan, err);

    if (status == 0 && fits)
        draw_nodes(&n, t, text);
    else if (status == 0) {
        status = reach_new(&r, c->plan, err);
        if (status == 0) {
            draw_tiers(&r, t, text);
            histogram_draw(r.sizes, r.least, r.most, true, "chart-sizes",
                           "Number of clients by the number of stations that they use",
                           "stations that a client uses", text);
            histogram_draw(r.stations, 1, t->n_stations, false, "chart-stations",
                           "Number of clients that use each station", "number of the station",
                           text);
        }
    }
    free(r.sizes);
    free(r.stations);
    return status;
}
