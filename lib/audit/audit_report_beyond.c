#include "audit/beyond.h"

#include <stdlib.h>

#include "audit/audit_report.h"
#include "audit/findings.h"

static const char *const headings[BEYOND_COLUMNS] = { "colluding", "of one vector", "learnt by",
                                                      "in all", "learnt by" };

static void put_amount(const struct beyond_amount *a, struct text *text)
{
    size_t num = a->num, den = a->den;

    findings_lowest(&num, &den);
    text_printf(text, "%s%zu", a->at_most ? "at most " : "", num);
    if (den > 1)
        text_printf(text, "/%zu", den);
    if (a->client > 0)
        text_printf(text, " (client %u)", a->client);
}

static void put_who(const struct beyond_amount *a, const struct model *m, struct text *text)
{
    struct findings_who who = { 0 };
    struct hagg_err err = { 0 };

    if (!a->who.nodes)
        text_printf(text, "-");
    else if (findings_who_new(&who, &a->who, m, &err))
        text->failed = true;
    else
        findings_put_who(&who, text);
    findings_who_free(&who);
}

void beyond_cells(struct beyond_cells *c, const struct beyond_row *row, const struct model *m)
{
    *c = (struct beyond_cells){ 0 };
    for (size_t i = 0; i < BEYOND_COLUMNS && !row; i++)
        text_printf(&c->text[i], "%s", headings[i]);
    if (!row)
        return;
    text_printf(&c->text[0], "%u %s%s%s", row->colluders,
                row->party == AUDIT_STATIONS ? "station" : "relay", row->colluders == 1 ? "" : "s",
                row->federator ? " and the federator" : "");
    put_amount(&row->single, &c->text[1]);
    put_who(&row->single, m, &c->text[2]);
    put_amount(&row->total, &c->text[3]);
    put_who(&row->total, m, &c->text[4]);
}

void beyond_cells_free(struct beyond_cells *c)
{
    for (size_t i = 0; i < BEYOND_COLUMNS; i++)
        text_free(&c->text[i]);
}

static void put_row(const struct beyond_cells *c, const size_t *widths, struct text *text)
{
    for (size_t i = 0; i < BEYOND_COLUMNS; i++) {
        text->failed = text->failed || !text_ok(&c->text[i]);
        if (!text->failed)
            text_printf(text, "%-*s%s", i + 1 < BEYOND_COLUMNS ? (int)widths[i] : 0,
                        c->text[i].bytes, i + 1 < BEYOND_COLUMNS ? "  " : "\n");
    }
}

void beyond_put(const struct beyond *b, const struct model *m, struct text *text)
{
    struct beyond_cells *cells = calloc(b->n_rows + 1, sizeof *cells);
    size_t widths[BEYOND_COLUMNS] = { 0 };

    if (!cells) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i <= b->n_rows; i++)
        beyond_cells(&cells[i], i > 0 ? &b->rows[i - 1] : NULL, m);
    for (size_t i = 0; i <= b->n_rows; i++)
        for (size_t j = 0; j < BEYOND_COLUMNS; j++)
            widths[j] = cells[i].text[j].len > widths[j] ? cells[i].text[j].len : widths[j];
    text_printf(text, b->n_rows > 0 ? "beyond the plan, at worst, in lengths of a vector:\n"
                                    : "beyond the plan there are no coalitions\n");
    for (size_t i = 0; i <= b->n_rows; i++) {
        if (b->n_rows > 0)
            put_row(&cells[i], widths, text);
        beyond_cells_free(&cells[i]);
    }
    free(cells);
}

static void json_amount(struct json *j, const char *name, const struct beyond_amount *a,
                        const struct model *m)
{
    size_t num = a->num, den = a->den;
    struct findings_who who = { 0 };
    struct hagg_err err = { 0 };

    findings_lowest(&num, &den);
    json_open(j, name, '{');
    json_uint(j, "numerator", num);
    json_uint(j, "denominator", den);
    json_bool(j, "exact", !a->at_most);
    if (a->client > 0)
        json_uint(j, "client", a->client);
    if (a->who.nodes && findings_who_new(&who, &a->who, m, &err) == 0) {
        json_open(j, "coalition", '{');
        audit_report_who(j, &who);
        json_close(j, '}');
    }
    j->text->failed = j->text->failed || err.status;
    findings_who_free(&who);
    json_close(j, '}');
}

void beyond_json(const struct beyond *b, const struct model *m, struct json *j)
{
    json_open(j, "beyond", '[');
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct beyond_row *row = &b->rows[i];

        json_open(j, NULL, '{');
        json_uint(j, row->party == AUDIT_STATIONS ? "stations" : "relays", row->colluders);
        json_bool(j, "federator", row->federator);
        json_amount(j, "one_vector", &row->single, m);
        json_amount(j, "in_all", &row->total, m);
        json_close(j, '}');
    }
    json_close(j, ']');
}
