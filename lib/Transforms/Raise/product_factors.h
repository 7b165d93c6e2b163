/* Terms of a sum as two operands of a matrix product (product_factors.c). */
#ifndef TILEWRIGHT_PRODUCT_FACTORS_H
#define TILEWRIGHT_PRODUCT_FACTORS_H

#include "Analysis/kernel.h"

#include "mlir-c/AffineMap.h"

enum { TT_MOST_FACTORS = 16, TT_MOST_DIMS = 8, TT_MOST_INPUTS = 12 };

/* Factors of one operand of the product, and the loops that they move along. */
typedef struct TtFactors {
  MlirValue factors[TT_MOST_FACTORS];
  intptr_t n;
  unsigned dims;
} TtFactors;

typedef struct TtProduct {
  TtArena *arena;
  MlirOperation op;
  MlirBlock body;
  intptr_t inputs, num_dims, k; /* k: the loop that sums */
  MlirAffineMap maps[TT_MOST_INPUTS + 1];
  MlirValue operands[TT_MOST_INPUTS + 1]; /* the output is the last one */
  int64_t extent[TT_MOST_DIMS];           /* INT64_MIN: `size` */
  MlirValue size[TT_MOST_DIMS];
  unsigned sums;
  bool integers;
  MlirValue factors[TT_MOST_FACTORS];
  intptr_t num_factors;
  MlirOperation choice; /* the arith.select of the term or zero; null where all terms count */
  TtFactors group[2];
} TtProduct;

/* Reads a linalg.generic that sums products of which an operand is computed first; false where it
 * does something else. */
bool tt_read_product(TtProduct *p, MlirOperation op);
/* The argument of the body that `value` is, or -1; whether `op` stands in the body. */
intptr_t tt_factor_argument_of(const TtProduct *p, MlirValue value);
bool tt_factor_is_in_body(const TtProduct *p, MlirOperation op);
/* What `value` is a cast of: of a float to a wider one, of 8 bits to more. */
MlirValue tt_factor_narrow_of(const TtProduct *p, MlirValue value);
/* The input that factors are, as it comes; -1 where they are something else. */
intptr_t tt_factor_plain_input(const TtProduct *p, const TtFactors *g);
/* The largest size of an integer of 8 bits or fewer that is made wider, or of that less a constant;
 * 0 for something else. */
int64_t tt_factor_size_of_narrow(const TtProduct *p, MlirValue factor);

#endif
