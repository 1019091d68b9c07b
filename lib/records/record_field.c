#include "records/record_field.h"

#include <string.h>

int record_field(struct field **field, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct hagg_err cause = { 0 };

    /* an invalid specification is an error in the record, not on the command line */
    if (!*field && !(*field = field_open(h->field, &cause)))
        return reader_fail(r, err, cause.status == HAGG_E_USAGE ? HAGG_E_MALFORMED : cause.status,
                           "%s", cause.text);
    if (strcmp((*field)->spec, h->field))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is over field '%s', but others are over '%s'",
                           h->field, (*field)->spec);
    if (!h->seed && reader_elem_size(r) != field_elem_size(*field))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has elements of %zu bytes, but field '%s' has %zu",
                           reader_elem_size(r), (*field)->spec, field_elem_size(*field));
    return 0;
}
