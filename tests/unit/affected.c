#include "audit/affected.h"

#include "audit/findings.h"
#include "check.h"

#define CLIENTS 4
#define PARTS   2

/* A combination of the vectors of four clients, each a profile of its own and cut into two parts:
 * factors by client and part. */
typedef int form[CLIENTS][PARTS];

static const struct field *f;

static void put_rows(struct exposed_rows *r, const form *forms, size_t n, struct hagg_err *err)
{
    size_t size = field_elem_size(f);

    for (size_t i = 0; i < n; i++) {
        for (size_t client = 0; client < CLIENTS; client++)
            for (size_t part = 0; part < PARTS; part++) {
                int64_t factor = forms[i][client][part];
                unsigned char packed[8];

                hagg_store(packed, 0, size, (uint64_t)factor);
                if (factor)
                    echelon_term(&r->rows, (PARTS + part) * CLIENTS + client, packed);
            }
        CHECK(echelon_add_row(&r->rows, NULL, err) == 0);
    }
    CHECK(echelon_reduce(&r->rows, CLIENTS * PARTS, err) == 0);
}

/* Checks what is reported if these n forms are learnt. If allowed is true, the first two of them
 * are the sum that may be learnt. */
static void check_forms(const form *forms, size_t n, bool allowed, const char *want)
{
    uint32_t numbers[CLIENTS] = { 1, 2, 3, 4 };
    struct model_profile profiles[CLIENTS];
    struct model m = {
        .field = f, .profiles = profiles, .n_profiles = CLIENTS, .n_clients = CLIENTS
    };
    uint8_t states[CLIENTS] = { 0 };
    bool present[CLIENTS] = { true, true, true, true };
    struct coalition c = { .clients = states };
    struct exposed_rows r = { .m = &m, .c = &c, .profile_present = present, .cut = PARTS };
    struct affected a = { 0 };
    struct learnt l = { .cut = PARTS };
    struct hagg_err err = { 0 };
    struct text text = { 0 };

    for (size_t i = 0; i < CLIENTS; i++)
        profiles[i] = (struct model_profile){ &numbers[i], 1, 1, i };
    CHECK(echelon_init(&r.rows, f, 2 * CLIENTS * PARTS, &err) == 0);
    put_rows(&r, forms, n, &err);
    CHECK(affected_begin(&a, &r, &err) == 0);
    CHECK(affected_parts(&a, &r, allowed, &l, &err) == 0);
    for (size_t i = 0; i < l.n_parts; i++) {
        text_printf(&text, "%s", i > 0 ? "; " : "");
        findings_put_part(&l, &l.parts[i], &text);
    }
    CHECK_STR(text.bytes ? text.bytes : "", want);
    text_free(&text);
    affected_free(&a);
    learnt_free(&l);
    echelon_free(&r.rows);
}

#define TOTAL                                                                                      \
    { { 1 }, { 1 }, { 1 }, { 1 } },                                                                \
    {                                                                                              \
        { 0, 1 }, { 0, 1 }, { 0, 1 },                                                              \
        {                                                                                          \
            0, 1                                                                                   \
        }                                                                                          \
    }

static void divides_what_is_learnt(void)
{
    check_forms((const form[]){ { { 1, 5 } } }, 1, false, "client 1: a half of its vector");
    check_forms((const form[]){ { { 1, 5 } }, { { 1, 6 } }, { { 0 }, { 0 }, { 1, 1 } } }, 3, false,
                "client 1: its whole vector; client 3: a half of its vector");
    check_forms((const form[]){ { { 1, 2 }, { 1, 2 } } }, 1, false,
                "a half of the sum of the vectors of clients 1 and 2");
    check_forms((const form[]){ { { 1 }, { 1 } }, { { 0, 1 }, { 0, 1 } } }, 2, false,
                "the sum of the vectors of clients 1 and 2");
    /* the same columns, with other factors */
    check_forms((const form[]){ { { 1 }, { 2 } } }, 1, false,
                "a combination of the vectors of clients 1 and 2, a half of their length");
    check_forms((const form[]){ { { 1 }, { 0, 1 } } }, 1, false,
                "a combination of the vectors of clients 1 and 2, a half of their length");
    check_forms((const form[]){ { { 1, 0 }, { 1, 1 } } }, 1, false,
                "a combination of the vectors of clients 1 and 2, a half of their length");
    /* a combination of several clients that, with another one, is about one of them */
    check_forms((const form[]){ { { 1 }, { 2 } }, { { 1 }, { 3 } } }, 2, false,
                "clients 1 and 2: a half of each vector");
    check_forms((const form[]){ { { 1 }, { 1 } }, { { 0 }, { 0 }, { 1 }, { 1 } } }, 2, false,
                "a half of the sum of the vectors of clients 1 and 2; "
                "a half of the sum of the vectors of clients 3 and 4");
    check_forms((const form[]){ { { 1 }, { 2 }, { 1 } },
                                { { 0, 1 }, { 0, 3 }, { 1 } },
                                { { 1, 1 }, { 1 }, { 1 } } },
                3, false, "combinations of the vectors of clients 1-3, 3/2 times their length");
}

static void does_not_list_what_is_allowed(void)
{
    check_forms((const form[]){ TOTAL }, 2, true, "");
    check_forms((const form[]){ TOTAL }, 2, false, "the sum of the vectors of clients 1-4");
    /* what remains of the total follows */
    check_forms((const form[]){ TOTAL, { { 1 } }, { { 0, 1 } } }, 4, true,
                "client 1: its whole vector");
    check_forms((const form[]){ TOTAL, { { 1 } } }, 3, true, "client 1: a half of its vector");
    check_forms((const form[]){ TOTAL, { { 1, 7 } } }, 3, true, "client 1: a half of its vector");
    check_forms((const form[]){ TOTAL, { { 1 }, { 1 } }, { { 0, 1 }, { 0, 1 } } }, 4, true,
                "the sum of the vectors of clients 1 and 2; "
                "the sum of the vectors of clients 3 and 4");
    check_forms((const form[]){ TOTAL, { { 1 }, { 2 }, { 3 }, { 4 } } }, 3, true,
                "a combination of the vectors of clients 1-4, a half of their length");
}

int main(void)
{
    struct hagg_err err = { 0 };
    struct field *field = field_open("m31", &err);

    if (!CHECK(field))
        return check_end();
    f = field;
    divides_what_is_learnt();
    does_not_list_what_is_allowed();
    field_free(field);
    return check_end();
}
