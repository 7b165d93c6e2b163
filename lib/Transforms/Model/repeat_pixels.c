/*===- repeat_pixels.c - images that are resized by repeating pixels --------------------------===
 *
 *   %y = tosa.resize %x, [4, 2, 4, 2], [-1, -1], … {NEAREST_NEIGHBOR} : 1x8x16xC to 1x16x32xC
 * = %b = linalg.generic (n, h, i, w, j, c) ins(%x at (n, h, w, c)) -> 1x8x2x16x2xC
 *   %y = tensor.collapse_shape %b [[0], [1, 2], [3, 4], [5]]
 *
 * The nearest pixel of each new one, as TOSA has it: of the position (i * d + offset) / n the whole
 * part, one more from a half on, within the image. Where these are all pixels, each as often as the
 * others, they are repeated; which is what exporters write for an upsampling by whole numbers.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/model.h"

#include "Dialect/shapes.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

bool tt_shape_number(MlirOperation op, intptr_t operand, intptr_t i, int64_t *number) {
  MlirOperation shape = tt_defining_op(mlirOperationGetOperand(op, operand));
  if (!tt_op_is(shape, "tosa.const_shape")) return false;
  MlirAttribute values = tt_op_attr(shape, "values");
  if (!mlirAttributeIsADenseElements(values) || mlirElementsAttrGetNumElements(values) <= i)
    return false;
  *number = (int64_t)mlirDenseElementsAttrGetIndexValue(values, i);
  return true;
}

/* How often each pixel is repeated along `dim`, 0 (height) or 1; 0 where it is something else. */
static int64_t times_along(MlirOperation op, intptr_t dim) {
  enum { OFFSET = 2, LARGEST = 1 << 16 };
  int64_t n, d, offset,
      in = mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(op, 0)), dim + 1),
      out = mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetResult(op, 0)), dim + 1);
  if (!tt_shape_number(op, 1, 2 * dim, &n) || !tt_shape_number(op, 1, 2 * dim + 1, &d) ||
      !tt_shape_number(op, OFFSET, dim, &offset))
    return 0;
  if (n < 1 || d < 1 || n > LARGEST || d > LARGEST || offset > LARGEST || offset < -LARGEST ||
      in < 1 || out < 1 || out > LARGEST || out % in != 0)
    return 0;
  for (int64_t i = 0; i < out; ++i) {
    int64_t at = i * d + offset, whole = at >= 0 ? at / n : -((n - 1 - at) / n),
            nearest = whole + (2 * (at - whole * n) >= n);
    if (nearest < 0) nearest = 0;
    if (nearest > in - 1) nearest = in - 1;
    if (nearest != i / (out / in)) return 0;
  }
  return out / in;
}

bool tt_repeats_pixels(MlirOperation op) {
  if (!tt_op_is(op, "tosa.resize") || mlirOperationGetNumOperands(op) != 4) return false;
  MlirAttribute nearest = mlirAttributeParseGet(mlirOperationGetContext(op),
                                                tt_str("#tosa.resize_mode<NEAREST_NEIGHBOR>"));
  MlirType in = mlirValueGetType(mlirOperationGetOperand(op, 0)),
           out = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirTypeIsARankedTensor(in) && mlirTypeIsARankedTensor(out) &&
         mlirShapedTypeGetRank(in) == 4 && mlirShapedTypeGetRank(out) == 4 &&
         mlirShapedTypeHasStaticShape(in) && mlirShapedTypeHasStaticShape(out) &&
         mlirAttributeEqual(tt_op_attr(op, "mode"), nearest) && times_along(op, 0) > 0 &&
         times_along(op, 1) > 0;
}

enum { LOOPS = 6 };

/* `image`, of which loops 2 and 4 repeat each pixel. */
static MlirValue broadcast(TtBuilder *b, MlirLocation loc, MlirValue image, MlirType type) {
  static const intptr_t read[] = {0, 1, 3, 5};
  MlirAffineExpr results[4];
  for (int i = 0; i < 4; ++i) results[i] = mlirAffineDimExprGet(b->context, read[i]);
  return tt_read_by(b, loc, image, mlirAffineMapGet(b->context, LOOPS, 0, 4, results),
                    tt_empty(b, loc, type));
}

static void repeat(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue image = mlirOperationGetOperand(op, 0);
  MlirType in = mlirValueGetType(image), out = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t shape[LOOPS] = {mlirShapedTypeGetDimSize(in, 0),
                          mlirShapedTypeGetDimSize(in, 1),
                          times_along(op, 0),
                          mlirShapedTypeGetDimSize(in, 2),
                          times_along(op, 1),
                          mlirShapedTypeGetDimSize(in, 3)};
  MlirType type = mlirRankedTensorTypeGet(LOOPS, shape, mlirShapedTypeGetElementType(in),
                                          mlirAttributeGetNull());
  MlirAttribute groups = mlirAttributeParseGet(b.context, tt_str("[[0], [1, 2], [3, 4], [5]]"));
  tt_replace(op, tt_reshape(&b, loc, broadcast(&b, loc, image, type), out, groups, false, NULL));
}

void tt_repeat_pixels(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "tosa.resize");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_repeats_pixels(ops.data[i])) repeat(ops.data[i]);
}
