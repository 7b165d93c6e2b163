/*===- blend_pixels.c - images that are resized between their pixels ----------------------------===
 *
 *   %y = tosa.resize %x, [4, 2, 4, 2], [-1, -1], … {BILINEAR} : 1x8x16xC to 1x16x32xC
 * = %t(n, y, w, c) = sum over h of R(y, h) * %x(n, h, w, c)      R : 16x8 constant
 *   %y(n, y, x, c) = sum over w of Q(x, w) * %t(n, y, w, c)      Q : 32x16 constant
 *
 * A new pixel is at most two of a column, and of a row, each by how near it is: position
 * (i * d + offset) / n, of which the whole part is a pixel and the rest what the next one counts,
 * within the image. That is a product with a matrix whose rows hold two numbers that sum up to one.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/model.h"

#include "Dialect/shapes.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/Dialect/Linalg.h"

enum { OFFSET = 2, LARGEST = 1 << 12 };

static int64_t size_of(MlirValue image, intptr_t d) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(image), d);
}

/* Along dimension 0 (height) or 1: new pixel i is at (i * step + offset) / scale. */
typedef struct Line {
  int64_t scale, step, offset, in, out;
} Line;

static bool line_along(MlirOperation op, intptr_t dim, Line *line) {
  line->in = size_of(mlirOperationGetOperand(op, 0), dim + 1);
  line->out = size_of(mlirOperationGetResult(op, 0), dim + 1);
  return tt_shape_number(op, 1, 2 * dim, &line->scale) &&
         tt_shape_number(op, 1, 2 * dim + 1, &line->step) &&
         tt_shape_number(op, OFFSET, dim, &line->offset) && line->scale >= 1 && line->step >= 1 &&
         line->scale <= LARGEST && line->step <= LARGEST && line->offset <= LARGEST &&
         line->offset >= -LARGEST && line->in >= 1 && line->out >= 1 && line->in <= LARGEST &&
         line->out <= LARGEST;
}

bool tt_blends_pixels(MlirOperation op) {
  if (!tt_op_is(op, "tosa.resize") || mlirOperationGetNumOperands(op) != 4) return false;
  MlirAttribute bilinear =
      mlirAttributeParseGet(mlirOperationGetContext(op), tt_str("#tosa.resize_mode<BILINEAR>"));
  MlirType in = mlirValueGetType(mlirOperationGetOperand(op, 0)),
           out = mlirValueGetType(mlirOperationGetResult(op, 0));
  Line line;
  return mlirTypeIsARankedTensor(in) && mlirTypeIsARankedTensor(out) &&
         mlirShapedTypeGetRank(in) == 4 && mlirShapedTypeGetRank(out) == 4 &&
         mlirShapedTypeHasStaticShape(in) && mlirShapedTypeHasStaticShape(out) &&
         mlirTypeIsAFloat(mlirShapedTypeGetElementType(in)) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(in), mlirShapedTypeGetElementType(out)) &&
         mlirAttributeEqual(tt_op_attr(op, "mode"), bilinear) && line_along(op, 0, &line) &&
         line_along(op, 1, &line);
}

static int64_t within(int64_t i, int64_t n) { return i < 0 ? 0 : i > n - 1 ? n - 1 : i; }

/* How much each pixel counts for each new one, a row a new one. */
static MlirValue weights(TtArena *arena, TtBuilder *b, MlirLocation loc, const Line *l) {
  int64_t shape[] = {l->out, l->in};
  float *r = tt_arena_alloc(arena, (size_t)(l->out * l->in) * sizeof *r);
  for (int64_t i = 0; i < l->out * l->in; ++i) r[i] = 0;
  for (int64_t i = 0; i < l->out; ++i) {
    int64_t at = i * l->step + l->offset,
            whole = at >= 0 ? at / l->scale : -((l->scale - 1 - at) / l->scale);
    float next = (float)(at - whole * l->scale) / (float)l->scale;
    r[i * l->in + within(whole, l->in)] += 1 - next;
    r[i * l->in + within(whole + 1, l->in)] += next;
  }
  MlirType type =
      mlirRankedTensorTypeGet(2, shape, mlirF32TypeGet(b->context), mlirAttributeGetNull());
  TtOpState s = tt_op_state("arith.constant", loc);
  tt_op_state_attr(&s, b->context, "value", mlirDenseElementsAttrFloatGet(type, l->out * l->in, r));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirType image_of(TtBuilder *b, intptr_t rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet(rank, shape, mlirF32TypeGet(b->context), mlirAttributeGetNull());
}

/* The region of a sum of products of its first two arguments. */
static MlirRegion sum_of_products(TtBuilder *b, MlirLocation loc) {
  MlirType f32 = mlirF32TypeGet(b->context);
  MlirBlock body = mlirBlockCreate(3, (MlirType[]){f32, f32, f32}, (MlirLocation[]){loc, loc, loc});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirValue last = {NULL};
  static const char *const names[] = {"arith.mulf", "arith.addf", "linalg.yield"};
  for (int i = 0; i < 3; ++i) {
    TtOpState s = tt_op_state(names[i], loc);
    if (i == 0) tt_op_state_operand(&s, mlirBlockGetArgument(body, 0));
    if (i < 2) tt_op_state_operand(&s, mlirBlockGetArgument(body, i == 0 ? 1 : 2));
    if (i > 0) tt_op_state_operand(&s, last);
    if (i < 2) tt_op_state_result(&s, f32);
    MlirOperation op = tt_op_state_finish(&s);
    mlirBlockAppendOwnedOperation(body, op);
    if (i < 2) last = mlirOperationGetResult(op, 0);
  }
  return region;
}

static MlirAttribute map_of(TtBuilder *b, intptr_t n, const intptr_t *dims) {
  enum { LOOPS = 4 };
  MlirAffineExpr results[3];
  for (intptr_t i = 0; i < n; ++i) results[i] = mlirAffineDimExprGet(b->context, dims[i]);
  return mlirAffineMapAttrGet(mlirAffineMapGet(b->context, LOOPS, 0, n, results));
}

/* sum over h of r(o, h) * images(n, h, c), for all (n, o, c). */
static MlirValue product(TtBuilder *b, MlirLocation loc, MlirValue r, MlirValue images) {
  int64_t shape[] = {size_of(images, 0), size_of(r, 0), size_of(images, 2)};
  MlirType type = image_of(b, 3, shape);
  TtOpState fill = tt_op_state("linalg.fill", loc);
  tt_op_state_operand(&fill, tt_zero(b, loc, mlirF32TypeGet(b->context)));
  tt_op_state_operand(&fill, tt_empty(b, loc, type));
  tt_op_state_attr(&fill, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){1, 1}));
  tt_op_state_result(&fill, type);
  MlirRegion none = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&fill, 1, &none);
  MlirOperation zeros = tt_builder_insert(b, tt_op_state_finish(&fill));
  mlirLinalgFillBuiltinNamedOpRegion(zeros);
  MlirAttribute maps[] = {map_of(b, 2, (intptr_t[]){1, 3}), map_of(b, 3, (intptr_t[]){0, 3, 2}),
                          map_of(b, 3, (intptr_t[]){0, 1, 2})},
                kinds[4];
  for (int i = 0; i < 4; ++i)
    kinds[i] =
        mlirAttributeParseGet(b->context, tt_str(i < 3 ? "#linalg.iterator_type<parallel>"
                                                       : "#linalg.iterator_type<reduction>"));
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, r);
  tt_op_state_operand(&s, images);
  tt_op_state_operand(&s, mlirOperationGetResult(zeros, 0));
  tt_op_state_attr(&s, b->context, "indexing_maps", mlirArrayAttrGet(b->context, 3, maps));
  tt_op_state_attr(&s, b->context, "iterator_types", mlirArrayAttrGet(b->context, 4, kinds));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){2, 1}));
  tt_op_state_result(&s, type);
  MlirRegion region = sum_of_products(b, loc);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirValue cast(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type) {
  return tt_cast(b, loc, "tosa.cast", value, type);
}

static void blend(TtArena *arena, MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = mlirOperationGetOperand(op, 0);
  Line rows, columns;
  if (!line_along(op, 0, &rows) || !line_along(op, 1, &columns)) return;
  int64_t n = size_of(x, 0), c = size_of(x, 3);
  MlirAttribute lines = mlirAttributeParseGet(b.context, tt_str("[[0], [1], [2, 3]]")),
                images = mlirAttributeParseGet(b.context, tt_str("[[0, 1], [2], [3]]"));
  x = cast(&b, loc, x, image_of(&b, 4, (int64_t[]){n, rows.in, columns.in, c}));
  x = tt_reshape(&b, loc, x, image_of(&b, 3, (int64_t[]){n, rows.in, columns.in * c}), lines, false,
                 NULL);
  x = product(&b, loc, weights(arena, &b, loc, &rows), x);
  x = tt_reshape(&b, loc, x, image_of(&b, 4, (int64_t[]){n, rows.out, columns.in, c}), lines, true,
                 NULL);
  x = tt_reshape(&b, loc, x, image_of(&b, 3, (int64_t[]){n * rows.out, columns.in, c}), images,
                 false, NULL);
  x = product(&b, loc, weights(arena, &b, loc, &columns), x);
  x = tt_reshape(&b, loc, x, image_of(&b, 4, (int64_t[]){n, rows.out, columns.out, c}), images,
                 true, NULL);
  tt_replace(op, cast(&b, loc, x, mlirValueGetType(mlirOperationGetResult(op, 0))));
}

void tt_blend_pixels(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "tosa.resize");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_blends_pixels(ops.data[i])) blend(arena, ops.data[i]);
}
