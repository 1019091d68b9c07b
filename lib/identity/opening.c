#include "identity/opening.h"

#include "identity/seal_info.h"
#include "plan/plan_digest.h"
#include "reader.h"

/* Checks everything that the header claims. Only opening the payload proves that it is true. */
static int check_header(struct opening *o, const struct header *h, const struct seal_head *head,
                        struct hagg_err *err)
{
    const struct plan *plan = keyring_plan(o->keyring);

    if (!head)
        return err_set(err, HAGG_E_PRIVACY,
                       "is not sealed, but the nodes of %s have identities: get it sealed from its "
                       "sender",
                       plan->name);
    if (!plan_digest_is(plan, h))
        return err_set(err, HAGG_E_PRIVACY,
                       "was sealed under a different plan than %s: get the record of this plan",
                       plan->name);
    if (o->has_round && !h->has_round)
        return err_set(err, HAGG_E_PRIVACY,
                       "was sealed without a round, but this is round %llu: let the sender use "
                       "--round",
                       (unsigned long long)o->round);
    if (h->has_round && o->has_round && h->round != o->round)
        return err_set(err, HAGG_E_PRIVACY,
                       "was sealed in round %llu, but this is round %llu: get the record of this "
                       "round",
                       (unsigned long long)h->round, (unsigned long long)o->round);
    return 0;
}

/* All records are of one round. Not that of a record that stays closed, because it may be false. */
static void note_round(struct opening *o, const struct header *h)
{
    if (header_has_vector(h) && h->has_round) {
        o->has_round = true;
        o->round = h->round;
    }
}

/* Returns true if the record is from a client, for another station, and may pass through this one.
 */
static bool is_carried(const struct opening *o, const struct header *h, struct node from,
                       struct node to)
{
    const struct topology *t = &keyring_plan(o->keyring)->topology;
    const struct topology_client *client =
        from.tier == NODE_CLIENT ? topology_client(t, from.number) : NULL;

    return client && header_has_vector(h) && to.tier == NODE_STATION &&
           topology_carries(&t->groups[client->group], o->courier, to.number);
}

static int fail_receiver(const struct keyring *k, const struct header *h, struct hagg_err *err)
{
    struct node self;

    if (keyring_self(k, &self, err))
        return err_set(err, HAGG_E_PRIVACY, "is sealed to %s %u, which is not in the plan",
                       h->to.tier, h->to.number);
    return err_set(err, HAGG_E_PRIVACY, "is sealed to %s %u, but this is %s %u", h->to.tier,
                   h->to.number, node_tier_name(self.tier), self.number);
}

/* A key id that the node does not have in the identities. */
static int fail_id(const struct keyring *k, const struct header_node *node,
                   const uint8_t id[SEAL_KEY_ID_BYTES], const char *how, struct hagg_err *err)
{
    struct text digits = { 0 };

    text_hex(&digits, id, SEAL_KEY_ID_BYTES);
    err_set(err, HAGG_E_PRIVACY, "is sealed %s key %s, which is not a key of %s %u in %s", how,
            text_ok(&digits) ? digits.bytes : "", node->tier, node->number,
            identities_name(keyring_identities(k)));
    text_free(&digits);
    return -1;
}

/* The receiver has several keys, and this process has another one. */
static int fail_other_key(const struct header *h, const struct identity *wanted,
                          struct hagg_err *err)
{
    struct text digits = { 0 };

    text_hex(&digits, wanted->id, sizeof wanted->id);
    err_set(err, HAGG_E_PRIVACY,
            "is sealed to another key of %s %u: give the private key with the id %s; if the node "
            "never had it, the list of identities is false: stop, and compare it with the others",
            h->to.tier, h->to.number, text_ok(&digits) ? digits.bytes : "");
    text_free(&digits);
    return -1;
}

static int begin(struct opener *opener, const struct header *h, const struct seal_head *head,
                 struct seal **seal, struct hagg_err *err)
{
    struct opening *o = (struct opening *)opener;
    const struct identities *ids = keyring_identities(o->keyring);
    const struct identity *sender = NULL, *receiver;
    const struct x25519 *private_key;
    uint8_t info[SEAL_INFO_BYTES];
    struct hpke *context = NULL;
    struct node from, to;
    bool is_known, carried;
    int status;

    *seal = NULL;
    if (check_header(o, h, head, err))
        return -1;
    is_known = keyring_node(&h->to, &to) == 0 && identities_of(ids, to);
    if (keyring_node(&h->from, &from))
        from = (struct node){ 0 };
    carried = is_known && is_carried(o, h, from, to);
    if (!carried && (!is_known || !keyring_acts_as(o->keyring, to)))
        return h->kind == HEADER_ROSTER ? 0 : fail_receiver(o->keyring, h, err);
    if (from.number > 0)
        sender = identities_find(ids, from, head->from_key);
    if (!sender)
        return fail_id(o->keyring, &h->from, head->from_key, "with", err);
    receiver = identities_find(ids, to, head->to_key);
    if (!receiver)
        return fail_id(o->keyring, &h->to, head->to_key, "to", err);
    if (carried)
        return 0;
    note_round(o, h);
    private_key = keyring_private(o->keyring, to, err);
    if (!private_key)
        return -1;
    if (identities_owner(ids, x25519_public(private_key)) != receiver)
        return fail_other_key(h, receiver, err);
    if (seal_info(info, h, head, err))
        return -1;
    status = hpke_receive(&context, private_key, sender->key, info, sizeof info, head->enc, err);
    if (status == 0)
        return err_set(err, HAGG_E_PRIVACY, "%s", READER_NOT_AUTHENTIC);
    if (status < 0)
        return -1;
    *seal = seal_info_open(context, err);
    return *seal ? 0 : -1;
}

void opening_init(struct opening *o, struct keyring *keyring, const uint64_t *round)
{
    *o = (struct opening){
        .base = { begin },
        .keyring = keyring,
        .has_round = round != NULL,
        .round = round ? *round : 0,
    };
}
