#include "records/inspect.h"

#include <stdio.h>

#include "records/describe.h"
#include "base/json.h"

static const char *result_name(enum verify_result result)
{
    return result == VERIFY_OK ? "ok" : result == VERIFY_SEALED ? "sealed" : "digest";
}

/* For instance "share of padded" or "share of padded, as a seed". */
static void put_kind(struct text *t, const struct header *h)
{
    text_printf(t, "%s", header_kind_name(h->kind));
    if (header_has_vector(h))
        text_printf(t, " of %s", header_secret_name(h->secret));
    if (h->seed)
        text_printf(t, ", as a seed");
}

static int count_word(struct tally *tally, struct text *word, struct hagg_err *err)
{
    int status;

    if (!text_ok(word))
        return err_errno(err, "no memory for a summary");
    status = tally_add(tally, word->bytes, err);
    text_reset(word);
    return status;
}

int inspect_count(struct inspect_summary *s, const struct reader *r, enum verify_result result,
                  struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct text word = { 0 };
    int status;

    s->n_records++;
    s->n_unchecked += result == VERIFY_NO_PLUGIN;
    s->n_sealed += reader_is_sealed(r);
    put_kind(&word, h);
    status = count_word(&s->kinds, &word, err);
    if (header_has_vector(h)) {
        text_printf(&word, "%s", h->field);
        status = status ? status : count_word(&s->fields, &word, err);
    }
    if (h->has_round) {
        text_printf(&word, "%llu", (unsigned long long)h->round);
        status = status ? status : count_word(&s->rounds, &word, err);
    }
    if (header_is_sharing(h)) {
        describe_route(&word, h);
        status = status ? status : count_word(&s->patterns, &word, err);
    }
    text_free(&word);
    for (size_t i = 0; i < h->n_clients && status == 0; i++)
        status = rangeset_append(&s->clients, h->clients[i].first, h->clients[i].last, err);
    return status;
}

void inspect_summary_free(struct inspect_summary *s)
{
    tally_free(&s->kinds);
    tally_free(&s->fields);
    tally_free(&s->rounds);
    tally_free(&s->patterns);
    rangeset_free(&s->clients);
    *s = (struct inspect_summary){ 0 };
}

#define ROW "%4s %-8s %-6s %-12s %6s %12s %-14s %-12s %-12s %-6s "

void inspect_heading(struct text *t)
{
    text_printf(t, ROW "%s\n", "REC", "KIND", "OF", "FIELD", "ROUND", "LENGTH", "SCHEME", "HOLDER",
                "CLIENTS", "CHECK", "FILE");
}

/* A file name may contain anything. Replaces characters that a terminal would not print, including
 * the control characters U+0080 to U+009F. */
static void put_printable(struct text *t, const char *name)
{
    for (const unsigned char *s = (const unsigned char *)name; *s; s++) {
        bool is_c1 = s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f;

        text_printf(t, "%c", is_c1 || *s < 0x20 || *s == 0x7f ? '?' : *s);
        s += is_c1;
    }
}

static const char *or_empty(const struct text *t)
{
    return t->bytes ? t->bytes : "";
}

void inspect_row(struct text *t, const char *file, const struct reader *r,
                 enum verify_result result)
{
    const struct header *h = reader_header(r);
    struct text scheme = { 0 }, holder = { 0 }, clients = { 0 };
    char record[24], length[24] = "-", round[24] = "-";
    bool has_vector = header_has_vector(h);

    snprintf(record, sizeof record, "%llu", (unsigned long long)reader_record(r));
    if (has_vector)
        snprintf(length, sizeof length, "%llu", (unsigned long long)h->length);
    if (h->has_round)
        snprintf(round, sizeof round, "%llu", (unsigned long long)h->round);
    describe_scheme(&scheme, h);
    describe_holder(&holder, h);
    describe_ranges(&clients, h->clients, h->n_clients);
    text_printf(t, ROW, record, h->seed ? "seed" : header_kind_name(h->kind),
                has_vector ? header_secret_name(h->secret) : "-", has_vector ? h->field : "-",
                round, length, or_empty(&scheme), or_empty(&holder), or_empty(&clients),
                result_name(result));
    put_printable(t, file);
    text_printf(t, "\n");
    t->failed = t->failed || !text_ok(&scheme) || !text_ok(&holder) || !text_ok(&clients);
    text_free(&scheme);
    text_free(&holder);
    text_free(&clients);
}

static void put_list(struct text *t, const char *title, const struct tally *tally)
{
    for (const struct tally_word *w = tally->first; w; w = w->next)
        text_printf(t, "%-9s %s (%llu)\n", w == tally->first ? title : "", w->word,
                    (unsigned long long)w->count);
}

void inspect_summary_table(struct text *t, struct inspect_summary *s)
{
    rangeset_settle(&s->clients);
    text_printf(t, "\n%llu record%s in %llu file%s", (unsigned long long)s->n_records,
                s->n_records == 1 ? "" : "s", (unsigned long long)s->n_files,
                s->n_files == 1 ? "" : "s");
    if (s->n_unchecked > 0)
        text_printf(t, ", %llu not fully checked because a plugin is missing",
                    (unsigned long long)s->n_unchecked);
    if (s->n_sealed > 0)
        text_printf(t, ", %llu sealed", (unsigned long long)s->n_sealed);
    text_printf(t, "\n");
    put_list(t, "kinds", &s->kinds);
    put_list(t, "fields", &s->fields);
    put_list(t, "rounds", &s->rounds);
    put_list(t, "patterns", &s->patterns);
    text_printf(t, "%-9s ", "clients");
    describe_ranges(t, s->clients.ranges, s->clients.n);
    text_printf(t, "\n");
}

static void json_scheme(struct json *j, const char *name, const struct header_scheme *s)
{
    json_open(j, name, '{');
    json_string(j, "name", s->name);
    json_uint(j, "n", s->n);
    json_uint(j, "k", s->k);
    json_uint(j, "z", s->z);
    json_uint(j, "index", s->index);
    if (s->has_point)
        json_uint(j, "point", s->point);
    json_close(j, '}');
}

static void json_aligned(struct json *j, const struct header *h)
{
    json_uint(j, "segments", h->n_segments);
    json_open(j, "blocks", '[');
    for (size_t i = 0; i < h->n_blocks; i++)
        json_uint(j, NULL, h->blocks[i]);
    json_close(j, ']');
    if (h->chunks > 0)
        json_uint(j, "chunks", h->chunks);
}

static void json_sharing(struct json *j, const struct header *h)
{
    json_scheme(j, "scheme", &h->scheme);
    json_open(j, "route", '[');
    for (size_t i = 0; i < h->n_route; i++) {
        json_open(j, NULL, '[');
        json_string(j, NULL, h->route[i].name);
        json_open(j, NULL, '[');
        for (size_t k = 0; k < h->route[i].n_numbers; k++)
            json_uint(j, NULL, h->route[i].numbers[k]);
        json_close(j, ']');
        json_close(j, ']');
    }
    json_close(j, ']');
    if (h->n_layout > 0) {
        json_open(j, "layout", '[');
        for (size_t i = 0; i < h->n_layout; i++)
            json_uint(j, NULL, h->layout[i]);
        json_close(j, ']');
    }
    if (h->symbols.end > 0) {
        json_open(j, "symbols", '[');
        json_uint(j, NULL, h->symbols.first);
        json_uint(j, NULL, h->symbols.end);
        json_close(j, ']');
    }
    if (h->n_segments > 0)
        json_aligned(j, h);
    if (h->source.name[0])
        json_scheme(j, "source", &h->source);
    if (h->has_carrier)
        json_uint(j, "carrier", h->carrier);
}

static void json_ranges(struct json *j, const char *name, const struct header_range *ranges,
                        size_t n)
{
    if (n > 0)
        describe_ranges_json(j, name, ranges, n);
}

static void json_array_description(struct json *j, const struct header *h)
{
    json_uint(j, "length", h->length);
    if (h->has_shape) {
        json_open(j, "shape", '[');
        for (size_t i = 0; i < h->n_shape; i++)
            json_uint(j, NULL, h->shape[i]);
        json_close(j, ']');
    }
    if (h->type[0])
        json_string(j, "type", h->type);
    if (h->samples)
        json_bool(j, "samples", true);
    if (header_has_quant(&h->quant))
        describe_quant_json(j, "quant", &h->quant);
}

void inspect_json(struct text *t, const char *file, const struct reader *r,
                  enum verify_result result)
{
    const struct header *h = reader_header(r);
    struct json j = { .text = t };

    json_open(&j, NULL, '{');
    json_string(&j, "file", file);
    json_uint(&j, "record", reader_record(r));
    json_uint(&j, "offset", reader_offset(r));
    json_uint(&j, "v", HEADER_VERSION);
    json_string(&j, "kind", header_kind_name(h->kind));
    if (header_has_vector(h)) {
        json_string(&j, "of", header_secret_name(h->secret));
        json_string(&j, "field", h->field);
        json_array_description(&j, h);
    }
    if (header_is_sharing(h))
        json_sharing(&j, h);
    describe_node_json(&j, "from", &h->from);
    describe_node_json(&j, "to", &h->to);
    if (h->has_round)
        json_uint(&j, "round", h->round);
    json_ranges(&j, "clients", h->clients, h->n_clients);
    json_ranges(&j, "dealers", h->dealers, h->n_dealers);
    json_ranges(&j, "stations", h->stations, h->n_stations);
    json_ranges(&j, "basis", h->basis, h->n_basis);
    if (h->has_plan)
        json_hex(&j, "plan", h->plan, sizeof h->plan);
    if (h->has_id)
        json_hex(&j, "id", h->id, sizeof h->id);
    if (h->has_mix)
        json_hex(&j, "mix", h->mix, sizeof h->mix);
    if (h->n_extensions > 0) {
        json_open(&j, "extensions", '[');
        for (size_t i = 0; i < h->n_extensions; i++)
            json_string(&j, NULL, h->extensions[i].name);
        json_close(&j, ']');
    }
    if (h->has_part)
        json_uint(&j, "part", h->part);
    if (h->last)
        json_bool(&j, "last", true);
    if (h->seed)
        json_bool(&j, "seed", true);
    if (reader_is_sealed(r))
        json_bool(&j, "sealed", true);
    json_uint(&j, "elements", reader_n_elems(r));
    json_uint(&j, "elem_size", reader_elem_size(r));
    json_hex(&j, "digest", reader_digest(r), 16);
    json_string(&j, "check", result_name(result));
    json_close(&j, '}');
    text_printf(t, "\n");
}

static void json_tally(struct json *j, const char *name, const struct tally *tally)
{
    json_open(j, name, '{');
    for (const struct tally_word *w = tally->first; w; w = w->next)
        json_uint(j, w->word, w->count);
    json_close(j, '}');
}

void inspect_summary_json(struct text *t, struct inspect_summary *s)
{
    struct json j = { .text = t };

    rangeset_settle(&s->clients);
    json_open(&j, NULL, '{');
    json_open(&j, "summary", '{');
    json_uint(&j, "files", s->n_files);
    json_uint(&j, "records", s->n_records);
    json_uint(&j, "unchecked", s->n_unchecked);
    json_uint(&j, "sealed", s->n_sealed);
    json_tally(&j, "kinds", &s->kinds);
    json_tally(&j, "fields", &s->fields);
    json_tally(&j, "rounds", &s->rounds);
    json_tally(&j, "patterns", &s->patterns);
    describe_ranges_json(&j, "clients", s->clients.ranges, s->clients.n);
    json_close(&j, '}');
    json_close(&j, '}');
    text_printf(t, "\n");
}
