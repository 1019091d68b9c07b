#include "records/agree.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "sample.h"

static struct header a, b;

static void differs(const char *want)
{
    struct hagg_err err = { 0 };

    CHECK(agree_on_round(&a, "a.cbor", &b, "b.cbor", &err) == -1);
    CHECK(err.status == HAGG_E_MISMATCH);
    CHECK_STR(err.text, want);
    header_clear(&b);
    sample_share_header(&b);
}

static void agrees(void)
{
    struct hagg_err err = { 0 };

    CHECK(agree_on_round(&a, "a.cbor", &b, "b.cbor", &err) == 0);
    CHECK_STR(err.text, "");
    header_clear(&b);
    sample_share_header(&b);
}

static void names_each_difference(void)
{
    agrees();
    b.round = 13;
    differs("b.cbor: round is 13, but a.cbor has 12");
    b.has_round = false;
    differs("b.cbor: round is none, but a.cbor has 12");
    strcpy(b.field, "m61");
    differs("b.cbor: field is m61, but a.cbor has m31");
    b.plan[HEADER_PLAN_BYTES - 1] = 0xff;
    differs("b.cbor: plan is 0001 0203 0405 0607..., but a.cbor has 0001 0203 0405 0607...");
    b.plan[0] = 0xff;
    differs("b.cbor: plan is ff01 0203 0405 0607..., but a.cbor has 0001 0203 0405 0607...");
    b.has_plan = false;
    differs("b.cbor: plan is none, but a.cbor has 0001 0203 0405 0607...");
    b.length = 6;
    differs("b.cbor: length is 6, but a.cbor has 5");
    b.shape[0] = 4;
    b.shape[1] = 1;
    differs("b.cbor: shape is (4, 1), but a.cbor has (2, 2)");
    b.n_shape = 1;
    b.shape[0] = 4;
    differs("b.cbor: shape is (4), but a.cbor has (2, 2)");
    b.has_shape = false;
    b.n_shape = 0;
    differs("b.cbor: shape is (not specified), but a.cbor has (2, 2)");
    strcpy(b.type, "f8");
    differs("b.cbor: type is f8, but a.cbor has f4");
    b.type[0] = 0;
    differs("b.cbor: type is field elements, but a.cbor has f4");
    b.quant.bits = 17;
    differs("b.cbor: quantisation is 17 bits, clip 1.5, stochastic, but a.cbor has 16 bits, clip "
            "1.5, stochastic");
    b.quant.clip = 0.1;
    differs("b.cbor: quantisation is 16 bits, clip 0.10000000000000001, stochastic, but a.cbor has "
            "16 bits, clip 1.5, stochastic");
    b.quant.rounding = HEADER_NEAREST;
    differs("b.cbor: quantisation is 16 bits, clip 1.5, nearest, but a.cbor has 16 bits, clip 1.5, "
            "stochastic");
    b.quant.bits = 0;
    differs("b.cbor: quantisation is none, but a.cbor has 16 bits, clip 1.5, stochastic");
    b.samples = false;
    differs("b.cbor: sample count is no, but a.cbor has yes");
}

/* Sender, addressee and share index do not matter for the round. */
static void lets_shares_differ(void)
{
    b.scheme.index = 2;
    b.scheme.point = 3;
    b.clients[0].last = 2;
    b.from.number = 9;
    b.to.number = 5;
    b.secret = HEADER_PLAIN;
    b.id[3] = 0;
    b.seed = true;
    b.n_extensions = 0;
    free(b.extensions[0].value);
    free(b.extensions[1].value);
    agrees();
}

/* A key does not describe the vector, but has everything else. */
static void lets_keys_say_less(void)
{
    b.secret = HEADER_KEY;
    b.type[0] = 0;
    b.quant.bits = 0;
    b.has_shape = false;
    b.n_shape = 0;
    agrees();
    b.secret = HEADER_KEY;
    b.samples = false;
    differs("b.cbor: sample count is no, but a.cbor has yes");
    b.secret = HEADER_KEY;
    b.length = 4;
    differs("b.cbor: length is 4, but a.cbor has 5");
}

/* Changes a property that must be equal for payloads to be added; the last three may differ within
 * a sharing. */
static void change(unsigned what)
{
    switch (what) {
    case 0:
        b.kind = HEADER_VECTOR;
        break;
    case 1:
        b.secret = HEADER_KEY;
        break;
    case 2:
        strcpy(b.scheme.name, "rams");
        break;
    case 3:
        b.scheme.n++;
        break;
    case 4:
        b.scheme.k++;
        break;
    case 5:
        b.scheme.z--;
        break;
    case 6:
        free(b.route[--b.n_route].numbers);
        break;
    case 7:
        b.route[1].numbers[2] = 3;
        break;
    case 8:
        strcpy(b.route[0].name, "stations");
        break;
    case 9:
        b.route[0].n_numbers--;
        break;
    case 10:
        b.scheme.index++;
        break;
    case 11:
        b.scheme.point++;
        break;
    default:
        b.scheme.has_point = false;
        break;
    }
}

static void orders_patterns(void)
{
    CHECK(agree_compare(&a, &b) == 0 && agree_compare_pattern(&a, &b) == 0);
    b.seed = true; /* a seed is expanded before it is added */
    CHECK(agree_compare(&a, &b) == 0 && agree_compare_pattern(&a, &b) == 0);
    b.seed = false;
    for (unsigned what = 0; what <= 12; what++) {
        int forth, back;

        change(what);
        forth = agree_compare(&a, &b);
        back = agree_compare(&b, &a);
        CHECK((forth < 0 && back > 0) || (forth > 0 && back < 0));
        CHECK((agree_compare_pattern(&a, &b) == 0) == (what >= 10));
        header_clear(&b);
        sample_share_header(&b);
    }
    b.round++;
    b.to.number++;
    CHECK(agree_compare(&a, &b) == 0);
    header_clear(&b);
    sample_share_header(&b);
}

static uint32_t parts[2];

/* Changes a property that transfers must have in common, or one of the new sharing that may
 * differ. */
static void change_transfer(unsigned what)
{
    switch (what) {
    case 0:
        b.kind = HEADER_SHARE;
        break;
    case 1:
        b.n_layout = 1;
        break;
    case 2:
        parts[1]++;
        break;
    case 3:
        strcpy(b.source.name, "rams");
        break;
    case 4:
        b.source.n++;
        break;
    case 5:
        b.source.k++;
        break;
    case 6:
        b.source.z--;
        break;
    case 7:
        b.source.index--;
        break;
    case 8:
        b.source.point++;
        break;
    case 9:
        b.source.has_point = false;
        break;
    case 10:
        b.source.name[0] = 0;
        break;
    case 11:
        b.has_carrier = false;
        break;
    case 12:
        b.carrier++;
        break;
    case 13:
        b.scheme.index--;
        break;
    default:
        b.scheme.point--;
        break;
    }
}

static void orders_transfers(void)
{
    struct header one;

    sample_transfer_header(&one);
    for (unsigned what = 0; what <= 14; what++) {
        int forth, back;

        b = one;
        memcpy(parts, one.layout, sizeof parts);
        b.layout = parts;
        CHECK(agree_compare(&one, &b) == 0 && agree_compare_pattern(&one, &b) == 0);
        change_transfer(what);
        forth = agree_compare(&one, &b);
        back = agree_compare(&b, &one);
        CHECK((forth < 0 && back > 0) || (forth > 0 && back < 0));
        CHECK((agree_compare_pattern(&one, &b) == 0) == (what >= 13));
    }
    /* the run does not matter for the comparison */
    b = one;
    b.mix[0] ^= 1;
    CHECK(agree_compare(&one, &b) == 0);
    b = (struct header){ 0 };
    header_clear(&one);
}

static void copies(void)
{
    struct hagg_err err = { 0 };
    struct header copy = { 0 }, known = a;

    CHECK(agree_copy(&copy, &a, &err) == 0 && sample_equal(&copy, &a));
    CHECK(copy.route != a.route && copy.route[0].numbers != a.route[0].numbers);
    CHECK(copy.clients != a.clients && copy.shape != a.shape);
    header_clear(&copy);
    CHECK(a.n_extensions > 0 && agree_copy_known(&copy, &a, &err) == 0);
    CHECK(copy.n_extensions == 0 && copy.clients != a.clients && !sample_equal(&copy, &a));
    known.n_extensions = 0;
    CHECK(sample_equal(&copy, &known));
    header_clear(&copy);
    sample_vector_header(&b);
    CHECK(agree_copy(&copy, &b, &err) == 0 && sample_equal(&copy, &b));
    header_clear(&copy);
    sample_transfer_header(&b);
    CHECK(agree_copy(&copy, &b, &err) == 0 && sample_equal(&copy, &b));
    CHECK(copy.layout != b.layout);
    header_clear(&copy);
    header_clear(&b);
}

/* A copy is the same record; what is made from it and others is not the expansion of its seed. */
static void copies_seeds(void)
{
    static struct header_range client = { 3, 3 };
    struct header of_client = a, copy = { 0 };
    struct hagg_err err = { 0 };

    of_client.clients = &client;
    of_client.n_clients = 1;
    of_client.from = (struct header_node){ "client", 3 };
    of_client.seed = true;
    CHECK(agree_copy(&copy, &of_client, &err) == 0 && copy.seed);
    CHECK(sample_equal(&copy, &of_client));
    header_clear(&copy);
    CHECK(agree_copy_known(&copy, &of_client, &err) == 0 && !copy.seed && of_client.seed);
    header_clear(&copy);
}

static void fails_cleanly_without_memory(void)
{
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        struct header copy = { 0 };
        int status;

        alloc_refuse(at);
        status = agree_copy(&copy, &a, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        header_clear(&copy);
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
}

int main(void)
{
    sample_share_header(&a);
    sample_share_header(&b);
    names_each_difference();
    lets_shares_differ();
    lets_keys_say_less();
    orders_patterns();
    header_clear(&b);
    orders_transfers();
    copies();
    copies_seeds();
    fails_cleanly_without_memory();
    header_clear(&a);
    return check_end();
}
