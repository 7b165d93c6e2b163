/*===- generalize_integers.c - --tt-generalize-integers --------------------------------------===
 *
 * Named ops of linalg on integers become linalg.generic, whose bodies the passes behind this one
 * read: products of integers of 8 bits are made exact there, of whatever signs, and flags are
 * bytes.
 *
 *   before  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c :
 * memref<64x64xi32>) after   linalg.generic {indexing_maps = [...], iterator_types = [...]} ins(%a,
 * %b) outs(%c) { ^bb0(%x: i8, %y: i8, %old: i32): … %p = arith.muli … ; %s = arith.addi %old, %p …
 * }
 *
 * Done with products (each index is a loop, and some loop sums) of which an operand holds integers,
 * and with ops on what has less than 8 bits. Convolutions are taken step by step, so that each is a
 * product of matrices (window_products.c). Others, and other windows, stay as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/window_products.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

enum { MOST_OPERANDS = 8, MOST_LOOPS = 16 };

static MlirAffineMap map_of(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

/* Whether an index of some operand is loop `d`. */
static bool has_loop(MlirAffineMap map, intptr_t d) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), d)) return true;
  return false;
}

/* Whether the op sums products: two inputs, indices that are loops, and one that its output has
 * not. */
static bool sums_products(MlirAttribute maps, intptr_t inputs, intptr_t operands) {
  bool sums = false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!mlirAffineMapIsProjectedPermutation(map_of(maps, i))) return false;
  MlirAffineMap out = map_of(maps, operands - 1);
  for (intptr_t d = 0; d < mlirAffineMapGetNumDims(out); ++d) sums |= !has_loop(out, d);
  return inputs >= 2 && sums;
}

static MlirType element_of(MlirOperation op, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
  return tt_is_memref(type) ? mlirShapedTypeGetElementType(type) : type;
}

/* What is general, or is taken by name whatever it moves. */
static bool is_move(MlirOperation op) {
  static const char *const names[] = {"linalg.generic", "linalg.fill", "linalg.copy",
                                      "linalg.transpose", "linalg.broadcast"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

/* Whether it is one to be made general. */
static bool suits(MlirOperation op, MlirAttribute *maps) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  bool integers = false, narrow = false;
  if (!tt_is_linalg(op) || is_move(op) || mlirOperationGetNumResults(op) > 0 ||
      mlirOperationGetNumRegions(op) != 1)
    return false;
  for (intptr_t i = 0; i < operands; ++i) {
    MlirType element = element_of(op, i);
    bool integer = mlirTypeIsAInteger(element);
    integers |= integer, narrow |= integer && mlirIntegerTypeGetWidth(element) < 8;
  }
  *maps = mlirLinalgGetIndexingMapsAttribute(op);
  return integers && !mlirAttributeIsNull(*maps) &&
         mlirArrayAttrGetNumElements(*maps) == operands && operands <= MOST_OPERANDS &&
         mlirAffineMapGetNumDims(map_of(*maps, 0)) <= MOST_LOOPS &&
         operands - tt_linalg_num_inputs(op) == 1 &&
         mlirBlockGetNumArguments(tt_body(op)) == operands &&
         (narrow || sums_products(*maps, tt_linalg_num_inputs(op), operands) ||
          tt_is_window_product(op, *maps));
}

static MlirAttribute kinds_of(MlirContext context, MlirAttribute maps, intptr_t operands) {
  MlirAttribute kinds[MOST_LOOPS];
  MlirAffineMap out = map_of(maps, operands - 1);
  intptr_t loops = mlirAffineMapGetNumDims(out);
  for (intptr_t d = 0; d < loops; ++d)
    kinds[d] = mlirAttributeParseGet(context,
                                     tt_str(has_loop(out, d) ? "#linalg.iterator_type<parallel>"
                                                             : "#linalg.iterator_type<reduction>"));
  return mlirArrayAttrGet(context, loops, kinds);
}

/* Numbers, as zero points, are the body's from outside. */
static void generalize(MlirOperation op, MlirAttribute maps) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  intptr_t operands = mlirOperationGetNumOperands(op), n = 0;
  MlirAttribute kept[MOST_OPERANDS];
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (intptr_t i = 0; i < operands; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!tt_is_memref(mlirValueGetType(operand))) continue;
    tt_op_state_operand(&s, operand);
    kept[n++] = mlirArrayAttrGetElement(maps, i);
  }
  tt_op_state_attr(&s, b.context, "indexing_maps", mlirArrayAttrGet(b.context, n, kept));
  tt_op_state_attr(&s, b.context, "iterator_types", kinds_of(b.context, maps, operands));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){(int32_t)n - 1, 1}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(made, 0), mlirOperationGetRegion(op, 0));
  MlirBlock body = tt_body(made);
  for (intptr_t i = operands; i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (tt_is_memref(mlirValueGetType(operand))) continue;
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), operand);
    mlirBlockEraseArgument(body, (unsigned)i);
  }
  mlirOperationDestroy(op);
}

bool tt_run_generalize_integers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps ops = tt_collect(arena, module, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirAttribute maps;
    MlirOperation func = tt_parent(ops.data[i]);
    while (!mlirOperationIsNull(func) && !tt_op_is(func, "func.func")) func = tt_parent(func);
    if (!mlirOperationIsNull(func) && tt_is_kernel(func) && suits(ops.data[i], &maps))
      generalize(ops.data[i], maps);
  }
  TtOps kernels = tt_kernels(arena, module);
  for (intptr_t i = 0; i < kernels.n; ++i) tt_step_window_products(arena, kernels.data[i]);
  tt_arena_destroy(arena);
  return true;
}
