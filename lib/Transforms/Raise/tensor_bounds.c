/*===- tensor_bounds.c - what integers of tensors may be --------------------------------------===
 *
 *   an argument, tt.range = [0, 40]      [0, 40]
 *   a constant                           its least element and its largest
 *   what a linalg op gives               what its body yields (integer_bounds.c)
 *   padded, sliced, reshaped, joined     what it is made of
 *   all others                           what 32 bits hold, since the device has no more of it:
 * what is not proven to stay there is refused where it is computed
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Transforms/Raise/integer_bounds.h"

/* Elements of a constant that are looked at. */
enum { MOST_ELEMENTS = 1 << 20 };

static void join(TtBounds *all, TtBounds b, bool first) {
  if (first || b.lo < all->lo) all->lo = b.lo;
  if (first || b.hi > all->hi) all->hi = b.hi;
}

static bool of_argument(MlirValue tensor, TtBounds *b) {
  MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(tensor));
  if (!tt_is_function(func)) return true; /* what a loop carries */
  TtRange range = tt_arg_range(func, mlirBlockArgumentGetArgNumber(tensor));
  if (range.given) *b = (TtBounds){range.lo, range.hi};
  return true;
}

static int64_t element_at(MlirAttribute elements, intptr_t i, unsigned width) {
  switch (width) {
  case 8: return mlirDenseElementsAttrGetInt8Value(elements, i);
  case 16: return mlirDenseElementsAttrGetInt16Value(elements, i);
  case 32: return mlirDenseElementsAttrGetInt32Value(elements, i);
  default: return mlirDenseElementsAttrGetInt64Value(elements, i);
  }
}

/* False where its elements are of other widths, elsewhere, or too many. */
static bool of_constant(MlirAttribute value, MlirType element, TtBounds *b) {
  unsigned width = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element) : 0;
  if (!mlirAttributeIsADenseElements(value) || (width != 8 && width != 16 && width % 32 != 0) ||
      width == 0 || width > 64)
    return false;
  intptr_t n = (intptr_t)mlirElementsAttrGetNumElements(value);
  if (mlirDenseElementsAttrIsSplat(value)) n = n < 1 ? n : 1;
  if (n < 1 || n > MOST_ELEMENTS) return false;
  for (intptr_t i = 0; i < n; ++i) {
    int64_t x = element_at(value, i, width);
    join(b, (TtBounds){x, x}, i == 0);
  }
  return true;
}

/* Of what a linalg op yields for result `i`. */
static bool of_linalg(MlirOperation op, intptr_t i, TtBounds *b, int *left) {
  MlirBlock body = tt_body(op);
  if (mlirBlockIsNull(body)) return false;
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (i >= mlirOperationGetNumOperands(yield)) return false;
  return tt_integer_bounds_within(op, mlirOperationGetOperand(yield, i), b, left);
}

bool tt_moves_tensors(MlirOperation op) {
  static const char *const names[] = {
      "tensor.extract_slice", "tensor.insert_slice", "tensor.collapse_shape", "tensor.expand_shape",
      "tensor.cast",          "tensor.concat",       "tensor.reshape",        "tensor.pad"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

/* Of all that it moves, and of what it pads with. */
static bool of_moved(MlirOperation op, TtBounds *b, int *left) {
  bool any = false, pads = tt_op_is(op, "tensor.pad");
  intptr_t n = pads || tt_op_is(op, "tensor.reshape") ? 1 : mlirOperationGetNumOperands(op);
  TtBounds one, all = {0, 0};
  if (pads) {
    MlirValue with = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), 0);
    if (!tt_integer_bounds_within(op, with, &all, left)) return false;
    any = true;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue from = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsATensor(mlirValueGetType(from))) continue; /* a place, or a size */
    if (!tt_bounds_of_tensor(from, &one, left)) return false;
    join(&all, one, !any);
    any = true;
  }
  return any && (*b = all, true);
}

bool tt_bounds_of_tensor(MlirValue tensor, TtBounds *b, int *left) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(tensor));
  if (--*left < 0 || (!mlirTypeIsAInteger(element) && !mlirTypeIsAIndex(element))) return false;
  tt_bounds_of_type(element, b);
  TtBounds found = *b, own = *b;
  if (mlirValueIsABlockArgument(tensor)) return of_argument(tensor, b);
  MlirOperation op = tt_defining_op(tensor);
  bool ok = false;
  if (tt_op_is(op, "arith.constant")) ok = of_constant(tt_op_attr(op, "value"), element, &found);
  else if (tt_moves_tensors(op)) ok = of_moved(op, &found, left);
  else if (tt_is_linalg(op)) ok = of_linalg(op, mlirOpResultGetResultNumber(tensor), &found, left);
  /* What needs more than the device has is refused where it is computed. */
  if (ok && found.lo >= own.lo && found.hi <= own.hi) *b = found;
  return true;
}
