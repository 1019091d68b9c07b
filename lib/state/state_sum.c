#include "state/state_sum.h"

#include <string.h>

#include "base/text.h"

/* Everything that distinguishes the sums that a node makes in one round. A different type or shape
 * of the vectors does not make a different sum. */
static void put_identity(struct text *t, const struct header *h)
{
    text_printf(t, "%d %d %s %u %u %u %u", (int)h->kind, (int)h->secret, h->scheme.name,
                h->scheme.n, h->scheme.k, h->scheme.z, h->scheme.index);
    for (size_t i = 0; i < h->n_route; i++) {
        text_printf(t, ";%s", h->route[i].name);
        for (size_t j = 0; j < h->route[i].n_numbers; j++)
            text_printf(t, " %u", h->route[i].numbers[j]);
    }
    for (size_t i = 0; i < h->n_layout; i++)
        text_printf(t, "/%u", h->layout[i]);
}

void state_parts_join(struct state_parts *p, const struct state_parts *other)
{
    unsigned carry = 0;

    /* modulo 2^256 */
    for (size_t i = 0; i < 4; i++) {
        uint64_t sum = p->words[i] + other->words[i];
        unsigned over = sum < p->words[i];

        p->words[i] = sum + carry;
        carry = over | (p->words[i] < sum);
    }
}

int state_parts_add(struct state_parts *p, struct mac *mac, bool dealers, struct header_range range,
                    const uint8_t id[16], struct hagg_err *err)
{
    struct {
        uint32_t dealers, first, last;
        uint8_t id[16];
    } part = { dealers, range.first, range.last, { 0 } };
    struct state_parts digest;

    _Static_assert(sizeof digest.words == MAC_BYTES, "a digest has four words");
    if (id)
        memcpy(part.id, id, sizeof part.id);
    if (mac_add(mac, &part, sizeof part, err) || mac_end(mac, (uint8_t *)digest.words, err))
        return -1;
    state_parts_join(p, &digest);
    return 0;
}

int state_sum_describe(struct mac *mac, const struct header *header,
                       const struct state_parts *parts, struct state_sum *sum, struct hagg_err *err)
{
    uint8_t digest[MAC_BYTES];
    struct text identity = { 0 };
    int status;

    put_identity(&identity, header);
    status = text_ok(&identity) ? mac_add(mac, identity.bytes, identity.len, err)
                                : err_errno(err, "no memory for a sum");
    text_free(&identity);
    if (status || mac_end(mac, digest, err))
        return -1;
    memcpy(sum->id, digest, sizeof sum->id);
    if (mac_add(mac, parts->words, sizeof parts->words, err))
        return -1;
    if (mac_end(mac, digest, err))
        return -1;
    memcpy(sum->digest, digest, sizeof sum->digest);
    return 0;
}

struct state_key state_sum_key(const struct header *header, struct header_node node)
{
    return (struct state_key){
        .plan = header->plan,
        .node = node,
        .what = header->secret == HEADER_KEY ? STATE_KEYS : STATE_SHARES,
        .round = header->round,
    };
}

bool state_sum_counts(const struct header *header)
{
    return header->has_plan && header->has_round;
}
