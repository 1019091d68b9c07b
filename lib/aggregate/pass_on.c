#include "aggregate/pass_on.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/record_check.h"
#include "records/stream.h"

#define BLOCK_BYTES 65536

/* A record that was passed on. */
struct passed {
    uint32_t client, station;
    enum header_secret secret;
    const char *path;
};

struct pass_on {
    const struct pass_on_options *options;
    struct protocol *round;
    const char *path; /* of the file that is being read */
    void *tree;       /* of struct passed */
    struct pass_on_report report;
    uint8_t block[BLOCK_BYTES];
};

struct pass_on *pass_on_new(const struct pass_on_options *options, struct hagg_err *err)
{
    struct pass_on *p = calloc(1, sizeof *p);

    if (!p) {
        err_errno(err, "cannot set up a courier");
        return NULL;
    }
    p->options = options;
    p->round = protocol_open(options->plan, NULL, err);
    if (!p->round) {
        pass_on_free(p);
        return NULL;
    }
    return p;
}

void pass_on_free(struct pass_on *p)
{
    if (!p)
        return;
    tdestroy(p->tree, free);
    rangeset_free(&p->report.clients);
    rangeset_free(&p->report.stations);
    protocol_free(p->round);
    free(p);
}

static int compare(const void *left, const void *right)
{
    const struct passed *a = left, *b = right;

    if (a->client != b->client)
        return a->client < b->client ? -1 : 1;
    if (a->station != b->station)
        return a->station < b->station ? -1 : 1;
    return a->secret < b->secret ? -1 : a->secret > b->secret;
}

/* Notes the record, which must be the first of its kind from this client to this station. */
static int note(struct pass_on *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct passed *own = calloc(1, sizeof *own), **found;

    if (!own)
        return err_errno(err, "%s", reader_name(r));
    *own = (struct passed){ h->from.number, h->to.number, h->secret, p->path };
    found = tsearch(own, &p->tree, compare);
    if (!found)
        err_errno(err, "%s", reader_name(r));
    else if (*found != own)
        reader_fail(r, err, HAGG_E_MISMATCH,
                    "is a second record of client %u for station %u: see %s, and remove one of "
                    "them",
                    own->client, own->station, (*found)->path);
    else
        return rangeset_append(&p->report.clients, own->client, own->client, err) ||
                       rangeset_add(&p->report.stations, own->station, own->station, err)
                   ? -1
                   : 0;
    free(own);
    return -1;
}

static int copy(struct pass_on *p, struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct writer *w = outfiles_writer(p->options->out, h->to.number, err);
    size_t n;

    if (!w || writer_begin_closed(w, h, reader_seal(r), err))
        return -1;
    do {
        if (reader_read_closed(r, p->block, sizeof p->block, &n, err) ||
            writer_elems(w, p->block, n, err))
            return -1;
    } while (n > 0);
    return writer_end(w, err);
}

static int visit(void *pass_on, struct reader *r, struct hagg_err *err)
{
    struct pass_on *p = pass_on;
    const struct header *h = reader_header(r);
    uint32_t courier = p->options->station;

    /* the reader verifies the digest of a record that is ignored, too */
    if (!node_is(&h->to, (struct node){ NODE_STATION, h->to.number }) || h->to.number == courier)
        return 0;
    if (record_check_carried(p->round, r, courier, err) ||
        record_check_round(p->options->round, r, err) || note(p, r, err) || copy(p, r, err))
        return -1;
    if (p->report.n_records++ == 0) {
        p->report.has_round = h->has_round;
        p->report.round = h->round;
    }
    return 0;
}

int pass_on_add(struct pass_on *p, const char *path, struct hagg_err *err)
{
    p->path = path;
    /* a file from a client is never empty unless it is damaged */
    return stream_each(path, strcmp(path, "-") ? 0 : STREAM_EMPTY, NULL, visit, p, err);
}

const struct pass_on_report *pass_on_report(struct pass_on *p)
{
    rangeset_settle(&p->report.clients);
    return &p->report;
}
