#include "cost/count/bytes.h"

#include "cost/count/sheet.h"

void bytes_init(struct bytes *b)
{
    for (size_t i = 0; i < N_LINKS; i++)
        mpz_init(b->links[i]);
    mpz_init(b->total);
}

void bytes_clear(struct bytes *b)
{
    for (size_t i = 0; i < N_LINKS; i++)
        mpz_clear(b->links[i]);
    mpz_clear(b->total);
}

int bytes_of_round(const struct plan *p, const struct bytes_options *o, struct bytes *b,
                   struct hagg_err *err)
{
    uint64_t length = o->length > 0 ? o->length : p->topology.length;
    struct sheet sheet;
    int status;

    sheet_init(&sheet);
    sheet.records = o;
    status = sheet_add_round(&sheet, p, length + p->topology.samples, NULL, err);
    sheet_close(&sheet);
    for (size_t i = 0; i < N_LINKS; i++)
        mpz_add(b->links[i], b->links[i], sheet.links[i].n_bytes);
    mpz_add(b->total, b->total, sheet.total.n_bytes);
    sheet_clear(&sheet);
    return status;
}
