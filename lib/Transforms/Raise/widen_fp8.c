/*===- widen_fp8.c - --tt-widen-fp8 -------------------------------------------------------------===
 *
 * Tensors of fp8 that kernels read are bf16 on the device, or f16 where other tensors of the kernel
 * are: both hold both kinds of fp8 exactly, and a kernel is built for exponents of one width. The
 * host program makes it of their files.
 *
 *   before  %A: memref<64x64xf8E4M3FN>                     … arith.extf %a : f8E4M3FN to f32
 *   after   %A: memref<64x64xbf16> {tt.file = f8E4M3FN}    … arith.extf %a : bf16 to f32
 *
 * Requires nothing. Leaves no fp8 in kernels.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"

static MlirType element_of(MlirType type) {
  return tt_is_memref(type) ? mlirShapedTypeGetElementType(type) : type;
}

/* What stands for fp8 in a kernel. */
static MlirType wide_type(MlirContext context, TtArgs args) {
  bool half = false;
  for (intptr_t i = 0; i < args.n; ++i) {
    MlirType element = element_of(args.data[i].type);
    if (mlirTypeIsABF16(element)) return element;
    half |= mlirTypeIsAF16(element);
  }
  return half ? mlirF16TypeGet(context) : mlirBF16TypeGet(context);
}

static MlirType widened(TtArena *arena, MlirType type, MlirType wide) {
  if (!tt_is_memref(type)) return wide;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(wide, rank, shape, mlirMemRefTypeGetLayout(type),
                           mlirMemRefTypeGetMemorySpace(type));
}

static void widen(TtArena *arena, MlirValue value, MlirType wide) {
  MlirType type = mlirValueGetType(value);
  if (tt_is_f8(element_of(type))) mlirValueSetType(value, widened(arena, type, wide));
}

/* An extension of what is of 16 bits now. */
static void widen_extension(MlirOperation op, MlirType wide) {
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirTypeEqual(type, wide)) {
    tt_replace(op, from);
    return;
  }
  if (!mlirTypeIsAF16(type) && !mlirTypeIsABF16(type)) return;
  TtBuilder b = tt_builder_before(op);
  TtOpState whole = tt_op_state("arith.extf", mlirOperationGetLocation(op)),
            half = tt_op_state("arith.truncf", mlirOperationGetLocation(op));
  tt_op_state_operand(&whole, from);
  tt_op_state_result(&whole, mlirF32TypeGet(b.context));
  tt_op_state_operand(&half,
                      mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&whole)), 0));
  tt_op_state_result(&half, type);
  tt_replace(op, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&half)), 0));
}

/* Numbers of fp8, which a fill may have. */
static void widen_constant(MlirOperation op, MlirType wide) {
  MlirAttribute value = tt_op_attr(op, "value");
  if (!mlirAttributeIsAFloat(value)) return;
  double number = mlirFloatAttrGetValueDouble(value);
  mlirOperationSetInherentAttributeByName(
      op, tt_str("value"), mlirFloatAttrDoubleGet(mlirOperationGetContext(op), wide, number));
}

static void widen_op(TtArena *arena, MlirOperation op, MlirType wide) {
  if (tt_op_is(op, "arith.constant") && tt_is_f8(mlirValueGetType(mlirOperationGetResult(op, 0))))
    widen_constant(op, wide);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    widen(arena, mlirOperationGetResult(op, i), wide);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        widen(arena, mlirBlockGetArgument(block, i), wide);
}

static bool check(TtArgs args, TtOps ops) {
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].written && tt_is_f8(element_of(args.data[i].type)))
      return tt_error(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(args.data[i].value)),
                      "the kernel writes tensor '%s' of fp8; kernels read fp8, and write bf16, f16 "
                      "or f32",
                      args.data[i].name);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_is(op, "arith.truncf") && tt_is_f8(mlirValueGetType(mlirOperationGetResult(op, 0))))
      return tt_error(op, "rounds to fp8, for which the chip's vector unit has no function; "
                          "kernels read fp8, and round to bf16 or f16");
  }
  return true;
}

static bool widen_fp8(TtArena *arena, MlirOperation kernel) {
  MlirContext context = mlirOperationGetContext(kernel);
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps ops = tt_collect(arena, kernel, NULL), extensions = {NULL, 0, 0};
  bool any = false;
  for (intptr_t i = 0; i < args.n; ++i) any |= tt_is_f8(element_of(args.data[i].type));
  if (!any) return true;
  MlirType wide = wide_type(context, args);
  if (!check(args, ops)) return false;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "arith.extf") &&
        tt_is_f8(mlirValueGetType(mlirOperationGetOperand(ops.data[i], 0))))
      tt_ops_add(arena, &extensions, ops.data[i]);
  MlirType *types = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *types);
  for (intptr_t i = 0; i < args.n; ++i) {
    MlirType element = element_of(args.data[i].type);
    if (tt_is_f8(element)) tt_set_arg_attr(kernel, i, "tt.file", mlirTypeAttrGet(element));
    widen(arena, args.data[i].value, wide);
    types[i] = mlirValueGetType(args.data[i].value);
  }
  for (intptr_t i = 0; i < ops.n; ++i) widen_op(arena, ops.data[i], wide);
  for (intptr_t i = 0; i < extensions.n; ++i) widen_extension(extensions.data[i], wide);
  mlirOperationSetInherentAttributeByName(
      kernel, tt_str("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, args.n, types, 0, NULL)));
  return true;
}

bool tt_run_widen_fp8(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, widen_fp8);
}
