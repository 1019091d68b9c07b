#include <string.h>

#include "decode_state.h"

/* Stations and identities of masks, of all shares that are masked or of their total. */
struct found {
    struct rangeset stations;
    bool known; /* all have an identity */
    uint8_t masks[16];
};

static int collect_stations(struct found *f, const struct header *h, struct hagg_err *err)
{
    for (size_t i = 0; i < h->n_stations; i++)
        if (rangeset_add(&f->stations, h->stations[i].first, h->stations[i].last, err))
            return -1;
    return 0;
}

static void collect_identity(struct found *f, const struct header *h)
{
    f->known = f->known && h->has_masks;
    for (size_t i = 0; i < sizeof f->masks; i++)
        f->masks[i] ^= h->masks[i];
}

/* Whether two shares are of the same total, as far as they say. */
static bool same_masks(const struct header *a, const struct header *b)
{
    struct header_range other;
    bool in_a;

    return a->has_masks == b->has_masks && memcmp(a->masks, b->masks, sizeof a->masks) == 0 &&
           !rangeset_difference(a->stations, a->n_stations, b->stations, b->n_stations, &other,
                                &in_a);
}

/* Shares of the total all hold the same masks, so that one of them stands for all. */
static int collect(const struct decode *d, struct found *masked, struct found *total,
                   struct hagg_err *err)
{
    for (const struct piece *p = d->pieces; p; p = p->next) {
        bool is_value = decode_is_value(decode_header_of(p));

        for (size_t i = 0; i < p->pattern.n_shares; i++) {
            const struct pattern_share *share = &p->pattern.shares[i];

            if (collect_stations(is_value ? masked : total, &share->header, err))
                return -1;
            if (is_value)
                collect_identity(masked, &share->header);
            else if (i == 0)
                collect_identity(total, &share->header);
            else if (!same_masks(&share->header, decode_header_of(p)))
                return err_set(err, HAGG_E_MISMATCH, "%s: holds a share of other masks than %s",
                               filecache_name(&d->files, share->stored.file), decode_file_of(d, p));
        }
    }
    return 0;
}

int decode_check_masks(const struct decode *d, struct hagg_err *err)
{
    struct found masked = { .known = true }, total = { .known = true };
    struct header_range other;
    bool in_masked;
    int status = collect(d, &masked, &total, err);

    if (status == 0 &&
        rangeset_difference(masked.stations.ranges, masked.stations.n, total.stations.ranges,
                            total.stations.n, &other, &in_masked))
        status = err_set(err, HAGG_E_MISMATCH,
                         "%s: station %u %s in the total of the masks: get the total from the last "
                         "station again",
                         decode_file_of(d, d->anchors[1]), other.first,
                         in_masked ? "has masked sums, but is not" : "has masked no sum, but is");
    if (status == 0 && masked.known && total.known &&
        memcmp(masked.masks, total.masks, sizeof masked.masks))
        status = err_set(err, HAGG_E_MISMATCH,
                         "%s: is a total of other masks than those in the sums: a station has used "
                         "masks of two runs of hagg-keygen",
                         decode_file_of(d, d->anchors[1]));
    rangeset_free(&masked.stations);
    rangeset_free(&total.stations);
    return status;
}
