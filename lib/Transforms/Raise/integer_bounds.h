/* What integers in the body of a linalg op may be (integer_bounds.c). */
#ifndef TILEWRIGHT_INTEGER_BOUNDS_H
#define TILEWRIGHT_INTEGER_BOUNDS_H

#include "tilewright/ir.h"

#include "mlir-c/AffineExpr.h"

typedef struct TtBounds {
  int64_t lo, hi; /* both included */
} TtBounds;

/* Of `value`, with its sign, in the body of `linalg` or outside of it; false where nothing is
 * known, or it may not fit 64 bits. */
bool tt_integer_bounds(MlirOperation linalg, MlirValue value, TtBounds *bounds);
/* The same, as a part of a search that looks at `left` values more. */
bool tt_integer_bounds_within(MlirOperation linalg, MlirValue value, TtBounds *bounds, int *left);
/* Of the elements of a tensor, by what gives it (tensor_bounds.c). */
bool tt_bounds_of_tensor(MlirValue tensor, TtBounds *bounds, int *left);
/* What an integer or index of this type holds, of 64 bits what the device has of it. */
bool tt_bounds_of_type(MlirType type, TtBounds *bounds);
/* Whether each element of the result is one of an operand that is a tensor. */
bool tt_moves_tensors(MlirOperation op);

/* What a float may be, unless it is a NaN; what is not known is infinite. `pole`: it may be
 * infinite as well, or computed of that. */
typedef struct TtFloatBounds {
  double lo, hi;
  bool pole;
} TtFloatBounds;

/* Of `value`, a float in the body of `linalg` or outside of it (float_bounds.c). */
void tt_float_bounds_within(MlirOperation linalg, MlirValue value, TtFloatBounds *bounds,
                            int *left);
/* Of the elements of a tensor of floats, by what gives it; false where nothing is known
 * (float_tensor_bounds.c). */
bool tt_float_bounds_of_tensor(MlirValue tensor, TtFloatBounds *bounds, int *left);
/* Of the integers that `value`, a float of the body, may become; false where 32 bits may not hold
 * them (float_bounds.c). */
bool tt_bounds_of_float(MlirOperation linalg, MlirValue value, TtBounds *bounds, int *left);
/* Whether `value`, a float, is known to stay where 32 bits hold it as an integer: constants keep
 * it, it is of 16 bits, a function of small values, or was an integer. */
bool tt_float_fits_32_bits(MlirOperation linalg, MlirValue value);

/* Of an affine expression over `dims` dimensions, and symbols, whose bounds are `operands`; false
 * where 64 bits do not hold them, or it is no linear one (affine_bounds.c). */
bool tt_affine_bounds(MlirAffineExpr e, intptr_t dims, const TtBounds *operands, TtBounds *bounds);
/* Of the number of a step of an scf.for or scf.forall whose bounds are constant; else false. */
bool tt_loop_bounds(MlirValue iv, TtBounds *bounds);
/* How many steps loop `dim` has, where operand `i` is a view (memref.subview) of such a size; null
 * where it does not say. */
MlirValue tt_computed_size(MlirOperation linalg, intptr_t i, int64_t dim);

#endif
