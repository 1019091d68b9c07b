#include "state/state_sum.h"

#include <string.h>

#include <hagg/plugin.h>

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
    uint8_t part[3 * sizeof(uint32_t) + 16] = { 0 }, digest[MAC_BYTES];
    struct state_parts words;

    _Static_assert(sizeof words.words == MAC_BYTES, "a digest has four words");
    hagg_store(part, 0, sizeof(uint32_t), dealers);
    hagg_store(part, 1, sizeof(uint32_t), range.first);
    hagg_store(part, 2, sizeof(uint32_t), range.last);
    if (id)
        memcpy(part + 3 * sizeof(uint32_t), id, 16);
    if (mac_add(mac, part, sizeof part, err) || mac_end(mac, digest, err))
        return -1;
    for (size_t i = 0; i < 4; i++)
        words.words[i] = hagg_load(digest, i, sizeof(uint64_t));
    state_parts_join(p, &words);
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
    if (mac_add_numbers(mac, parts->words, 4, err))
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
