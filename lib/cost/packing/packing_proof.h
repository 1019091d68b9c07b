/*
 * packing_proof.h - proves in exact arithmetic that a basis of the packing program is optimal.
 */
#ifndef HAGG_COST_PACKING_PROOF_H
#define HAGG_COST_PACKING_PROOF_H

#include "cost/packing/packing.h"
#include "cost/packing/packing_basis.h"

/* Sets *proved. If it is true, optimum is the value of a feasible y and of a feasible x. Large
 * bases are not tried. */
int packing_prove(mpq_t optimum, bool *proved, const struct packing *p,
                  const struct packing_basis *b, struct hagg_err *err);

#endif
