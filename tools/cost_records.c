#include "cost_records.h"

#include <stdio.h>
#include <string.h>

#include "vector/vector.h"

void cost_records_parse_shape(const struct argp_state *state, const char *arg,
                              struct cost_records *r)
{
    char number[24];

    r->has_shape = true;
    r->n_shape = 0;
    for (size_t n; *arg; arg += n + (arg[n] == ',' && arg[n + 1])) {
        n = strcspn(arg, ",");
        if (r->n_shape == LIMIT_DIMENSIONS)
            argp_error(state, "--shape: at most %d dimensions are possible", LIMIT_DIMENSIONS);
        snprintf(number, sizeof number, "%.*s", (int)(n < sizeof number ? n : sizeof number), arg);
        r->shape[r->n_shape++] = cli_options_number(state, "--shape", number, 0, LIMIT_LENGTH);
    }
}

bool cost_records_given(const struct cost_records *r, const struct cli_options *common)
{
    return r->has_shape || common->has_round || common->type;
}

void cost_records_settle(const struct argp_state *state, const struct cost_records *r,
                         const struct cli_options *common, struct parameters *parameters,
                         struct bytes_options *records)
{
    size_t length;

    *records = (struct bytes_options){
        .round = common->has_round ? common->round : 1,
        .type = common->type,
        .shape = r->has_shape ? r->shape : NULL,
        .n_shape = r->n_shape,
    };
    if (!r->has_shape)
        return;
    if (parameters->given[PARAMETER_LENGTH])
        argp_error(state, "--shape sets the length: omit --length");
    if (!vector_count(r->shape, r->n_shape, &length) || length == 0)
        argp_error(state, "--shape: a vector has between 1 and 2^48 elements");
    parameters->values[PARAMETER_LENGTH] = length;
    parameters->given[PARAMETER_LENGTH] = true;
}
