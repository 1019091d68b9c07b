#include "cost/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cost/count/clusters.h"
#include "cost/count/peers.h"

struct report_row *report_add(struct report *r, const char *name, const char *sets,
                              const char *against, struct hagg_err *err)
{
    struct report_row *row;

    if (r->n_rows == REPORT_ROWS) {
        err_set(err, HAGG_E_USAGE, "%s: a report has no room for more than %d rows", name,
                REPORT_ROWS);
        return NULL;
    }
    row = &r->rows[r->n_rows++];
    *row = (struct report_row){
        .name = name,
        .sets = sets,
        .against = against,
        .has_links = true,
        .has_draws = true,
        .has_bound = true,
    };
    sheet_init(&row->sheet);
    row->sheet.prices = r->prices;
    row->sheet.records = r->record_type ? &r->records : NULL;
    return row;
}

void report_drop_last(struct report *r)
{
    sheet_clear(&r->rows[--r->n_rows].sheet);
}

struct report_value *report_add_value(struct report *r, const char *name, const char *row,
                                      const char *sets, struct hagg_err *err)
{
    struct report_value *v;

    if (r->n_values == REPORT_VALUES) {
        err_set(err, HAGG_E_USAGE, "%s: a report has no room for more than %d values", name,
                REPORT_VALUES);
        return NULL;
    }
    v = &r->values[r->n_values++];
    *v = (struct report_value){ .name = name, .row = row, .sets = sets };
    mpq_inits(v->value, v->low, v->high, NULL);
    return v;
}

static void clear_value(struct report_value *v)
{
    mpq_clears(v->value, v->low, v->high, NULL);
}

const struct report_row *report_find(const struct report *r, const char *name, const char *sets)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (strcmp(r->rows[i].name, name) == 0 && strcmp(r->rows[i].sets, sets) == 0)
            return &r->rows[i];
    return NULL;
}

/* True if the name, of n characters, is in the comma-separated list. */
static bool is_listed(const char *names, const char *name, size_t n)
{
    for (const char *at = names; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    }
    return false;
}

bool report_lists(const char *names, const char *name)
{
    return is_listed(names, name, strlen(name));
}

void report_keep(struct report *r, const char *names)
{
    size_t n_rows = 0, n_values = 0;

    for (size_t i = 0; i < r->n_rows; i++)
        if (report_lists(names, r->rows[i].name))
            r->rows[n_rows++] = r->rows[i];
        else
            sheet_clear(&r->rows[i].sheet);
    for (size_t i = 0; i < r->n_values; i++)
        if (report_lists(names, r->values[i].row))
            r->values[n_values++] = r->values[i];
        else
            clear_value(&r->values[i]);
    r->n_rows = n_rows;
    r->n_values = n_values;
    if (!report_lists(names, "plan"))
        loads_free(&r->loads);
    if (!report_lists(names, "aligned"))
        r->no_aligned = (struct hagg_err){ 0 };
}

const char *const report_names[] = {
    "plan",
    "plan worst case",
    "plan stand-by",
    "aligned",
    "aligned seeds",
    "c1",
    "c1 worst case",
    "c1 seeds",
    "c2",
    "c2 worst case",
    "c3",
    "c3 worst case",
    "bare",
    "bare worst case",
    "direct",
    "direct worst case",
    "transport",
    "no privacy",
    "bound",
    "sharper",
    "hsa common",
    "hsa pairs",
    "zhao-sun",
    "zhao-sun pairs",
    "zhao-sun drop",
    "swiftagg+",
    "lightsecagg",
    "bonawitz",
    NULL,
};

const char *report_worst_name(const char *name)
{
    size_t n = strlen(name), i = 0;

    while (report_names[i] && (strncmp(report_names[i], name, n) != 0 ||
                               strcmp(report_names[i] + n, " worst case") != 0))
        i++;
    return report_names[i];
}

static bool is_name(const char *name, size_t n)
{
    size_t i = 0;

    while (report_names[i] && (strncmp(report_names[i], name, n) || report_names[i][n]))
        i++;
    return report_names[i];
}

static int refuse_name(const char *name, size_t n, struct hagg_err *err)
{
    struct text known = { 0 };

    text_choices(&known, report_names);
    err_set(err, HAGG_E_USAGE, "unknown protocol '%.*s': use %s", (int)n, name,
            text_ok(&known) ? known.bytes : "another");
    text_free(&known);
    return -1;
}

int report_check_names(const char *names, struct hagg_err *err)
{
    for (const char *at = names;; at++) {
        size_t n = strcspn(at, ",");

        if (n == 0 || !is_name(at, n))
            return refuse_name(at, n, err);
        at += n;
        if (*at == '\0')
            return 0;
    }
}

static int add_peers(struct report *r, const struct topology *t, struct hagg_err *err)
{
    struct peer_setting s = {
        .n_clients = r->n_clients,
        .n_colluding =
            t->collude_clients > t->collude_stations ? t->collude_clients : t->collude_stations,
        .n_missing = t->drop_clients,
        .length = r->length,
        .elem_bytes = r->elem_bytes,
    };

    if (t->n_relays == 0 && t->drop_stations == 0 && clusters_count(t, &s.n_clusters, err))
        return -1;
    for (size_t i = 0; i < n_peers; i++) {
        struct report_row *row = report_add(r, peers[i].name, "", peers[i].against, err);

        if (!row)
            return -1;
        row->has_links = peers[i].has_links;
        row->has_draws = peers[i].has_draws;
        row->has_bound = false;
        row->sheet.prices = NULL;
        if (peers[i].cost(&row->sheet, &s)) {
            sheet_line_close(&row->sheet.total);
            sheet_close(&row->sheet);
        } else
            report_drop_last(r);
    }
    return 0;
}

bool report_has_price(const struct report *r, const struct report_row *row)
{
    return r->price_unit > 0 && row->has_bound;
}

static int add_bound(struct report *r, const char *name, const mpq_t bound, const mpq_t price,
                     struct hagg_err *err)
{
    struct report_row *row = report_add(r, name, "", "", err);

    if (!row)
        return -1;
    row->has_links = row->has_draws = false;
    mpq_set(row->sheet.total.times, bound);
    mpq_set_ui(row->sheet.total.price, r->price_unit, 1);
    mpq_mul(row->sheet.total.price, row->sheet.total.price, price);
    return 0;
}

/* The row, and the range of the optimum. */
static int add_sharper(struct report *r, struct hagg_err *err)
{
    struct report_value *v = report_add_value(r, "sharper", "sharper", "", err);

    if (!v)
        return -1;
    v->has_range = true;
    mpq_set(v->low, r->sharper_low);
    mpq_set(v->high, r->sharper_high);
    return add_bound(r, "sharper", r->sharper_low, r->sharper_price, err);
}

void report_begin(struct report *r, const struct plan *p)
{
    *r = (struct report){
        .n_clients = p->topology.n_clients,
        .elem_bytes = field_elem_size(p->field),
        .length = p->topology.length,
        .prices = &p->topology.prices,
        .price_unit = p->topology.prices.unit,
    };
    r->samples = r->length && p->topology.samples;
    r->length += r->samples;
    mpq_inits(r->bound, r->sharper_low, r->sharper_high, r->price_bound, r->sharper_price, NULL);
}

int report_finish(struct report *r, const struct topology *t, struct hagg_err *err)
{
    for (size_t i = 0; i < r->n_rows; i++)
        sheet_close(&r->rows[i].sheet);
    if (add_bound(r, "bound", r->bound, r->price_bound, err) ||
        (r->has_sharper && add_sharper(r, err)))
        return -1;
    return add_peers(r, t, err);
}

void report_free(struct report *r)
{
    while (r->n_rows > 0)
        report_drop_last(r);
    for (size_t i = 0; i < r->n_values; i++)
        clear_value(&r->values[i]);
    mpq_clears(r->bound, r->sharper_low, r->sharper_high, r->price_bound, r->sharper_price, NULL);
    loads_free(&r->loads);
    free(r->title);
    *r = (struct report){ 0 };
}
