/*===- float_tensor_bounds.c - what floats of tensors may be ------------------------------------===
 *
 *   an argument, tt.range = [0, 40]      [0, 40]
 *   a constant                           its least element and its largest
 *   what a linalg op gives               what its body yields (float_bounds.c)
 *   padded, sliced, reshaped, joined     what it is made of
 *   all others                           unknown
 *
 * So a sum of 48 flags is in [0, 48], and so are sums of products with flags.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Transforms/Raise/integer_bounds.h"
#include "Transforms/Tile/block.h"

#include <math.h>

/* Elements of a constant that are looked at. */
enum { MOST_ELEMENTS = 1 << 20 };

static void join(TtFloatBounds *all, TtFloatBounds b, bool first) {
  all->lo = first ? b.lo : fmin(all->lo, b.lo);
  all->hi = first ? b.hi : fmax(all->hi, b.hi);
  all->pole = b.pole || (!first && all->pole);
}

static bool of_argument(MlirValue tensor, TtFloatBounds *b) {
  MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(tensor));
  if (!tt_is_function(func)) return false; /* what a loop carries */
  TtRange range = tt_arg_range(func, mlirBlockArgumentGetArgNumber(tensor));
  return *b = (TtFloatBounds){(double)range.lo, (double)range.hi, false}, range.given;
}

/* False where its elements are elsewhere, too many, or, unless all are one, not of f32. */
static bool of_constant(MlirAttribute value, MlirType element, TtFloatBounds *b) {
  if (!mlirAttributeIsADenseElements(value)) return false;
  if (mlirDenseElementsAttrIsSplat(value)) {
    double x = mlirFloatAttrGetValueDouble(mlirDenseElementsAttrGetSplatValue(value));
    return *b = (TtFloatBounds){x, x, false}, !isnan(x);
  }
  intptr_t n = (intptr_t)mlirElementsAttrGetNumElements(value);
  if (!mlirTypeIsAF32(element) || n < 1 || n > MOST_ELEMENTS) return false;
  for (intptr_t i = 0; i < n; ++i) {
    double x = (double)mlirDenseElementsAttrGetFloatValue(value, i);
    if (isnan(x)) return false;
    join(b, (TtFloatBounds){x, x, false}, i == 0);
  }
  return true;
}

/* Of what a linalg op yields for result `i`. */
static bool of_linalg(MlirOperation op, intptr_t i, TtFloatBounds *b, int *left) {
  MlirBlock body = tt_body(op);
  if (mlirBlockIsNull(body)) return false;
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (i >= mlirOperationGetNumOperands(yield)) return false;
  tt_float_bounds_within(op, mlirOperationGetOperand(yield, i), b, left);
  return true;
}

/* Of all that it moves, and of what it pads with. */
static bool of_moved(MlirOperation op, TtFloatBounds *b, int *left) {
  bool any = false, pads = tt_op_is(op, "tensor.pad");
  intptr_t n = pads || tt_op_is(op, "tensor.reshape") ? 1 : mlirOperationGetNumOperands(op);
  TtFloatBounds one, all = {0, 0, false};
  if (pads) {
    MlirValue with = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), 0);
    tt_float_bounds_within(op, with, &all, left);
    any = true;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue from = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsATensor(mlirValueGetType(from))) continue; /* a place, or a size */
    if (!tt_float_bounds_of_tensor(from, &one, left)) return false;
    join(&all, one, !any);
    any = true;
  }
  return any && (*b = all, true);
}

bool tt_float_bounds_of_tensor(MlirValue tensor, TtFloatBounds *b, int *left) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(tensor));
  if (--*left < 0 || !mlirTypeIsAFloat(element)) return false;
  if (mlirValueIsABlockArgument(tensor)) return of_argument(tensor, b);
  MlirOperation op = tt_defining_op(tensor);
  if (tt_op_is(op, "arith.constant")) return of_constant(tt_op_attr(op, "value"), element, b);
  if (tt_moves_tensors(op)) return of_moved(op, b, left);
  return tt_is_linalg(op) && of_linalg(op, mlirOpResultGetResultNumber(tensor), b, left);
}
