/*===- widen_fp8.c - --tt-widen-fp8 -------------------------------------------------------------===
 *
 * Tensors and buffers of fp8 are bf16 on the device, or f16 where other tensors of the kernel are:
 * both hold both kinds of fp8 exactly, and a kernel is built for exponents of one width. The host
 * program makes it of their files, and their files of it. What rounds to fp8 does so on the device.
 *
 *   before  %A: memref<64x64xf8E4M3FN>                     … arith.extf %a : f8E4M3FN to f32
 *           %q = arith.truncf %x : f32 to f8E4M3FN         … linalg.yield %q : f8E4M3FN
 *           linalg.copy ins(%x : f32) outs(%q : f8E4M3FN)
 *   after   %A: memref<64x64xbf16> {tt.file = f8E4M3FN}    … arith.extf %a : bf16 to f32
 *           %r = arith.truncf %x : f32 to f8E4M3FN, %q = arith.extf %r : f8E4M3FN to bf16
 *           linalg.generic of such a body
 *
 * Requires nothing. Leaves fp8 in kernels only between such two casts.
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

/*===- Rounding -------------------------------------------------------------------------------===*/

static bool is_rounding(MlirOperation op) {
  return tt_op_is(op, "arith.truncf") && tt_is_f8(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* What a truncation to fp8 leaves, as a number of 16 bits. */
static void keep_rounding(MlirOperation op, MlirType wide) {
  MlirValue rounded = mlirOperationGetResult(op, 0);
  TtBuilder b = tt_builder_before(tt_next(op));
  TtOpState s = tt_op_state("arith.extf", mlirOperationGetLocation(op));
  tt_op_state_operand(&s, rounded);
  tt_op_state_result(&s, wide);
  MlirOperation extension = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirValueReplaceAllUsesExcept(rounded, mlirOperationGetResult(extension, 0), 1, &extension);
}

/* Whether `op` copies wider floats to a buffer of fp8. */
static bool is_rounding_copy(MlirOperation op) {
  if (!tt_op_is(op, "linalg.copy") || mlirOperationGetNumOperands(op) != 2) return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
           to = mlirValueGetType(mlirOperationGetOperand(op, 1));
  return tt_is_memref(from) && tt_is_memref(to) && mlirShapedTypeGetRank(to) <= TT_MAX_RANK &&
         tt_is_f8(element_of(to)) && !mlirTypeEqual(element_of(from), element_of(to));
}

/* Such a copy as an op with a body. */
static void open_copy(MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op), places[2] = {loc, loc};
  MlirContext context = mlirOperationGetContext(op);
  MlirType types[2];
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 1)));
  MlirAttribute kinds[TT_MAX_RANK],
      whole = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank));
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (int i = 0; i < 2; ++i) {
    types[i] = element_of(mlirValueGetType(mlirOperationGetOperand(op, i)));
    tt_op_state_operand(&s, mlirOperationGetOperand(op, i));
  }
  for (intptr_t d = 0; d < rank; ++d)
    kinds[d] = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>"));
  tt_op_state_attr(&s, context, "indexing_maps",
                   mlirArrayAttrGet(context, 2, (MlirAttribute[]){whole, whole}));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, rank, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){1, 1}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(2, types, places);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtBuilder b = tt_builder_before(op);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  TtBuilder in = tt_builder_at_end(body);
  TtOpState cast = tt_op_state("arith.truncf", loc), yield = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&cast, mlirBlockGetArgument(body, 0));
  tt_op_state_result(&cast, types[1]);
  MlirOperation rounding = tt_builder_insert(&in, tt_op_state_finish(&cast));
  tt_op_state_operand(&yield, mlirOperationGetResult(rounding, 0));
  tt_builder_insert(&in, tt_op_state_finish(&yield));
  mlirOperationDestroy(op);
}

/* Whether `op` leaves fp8 in a way that keeps it: moves it, chooses of it, or rounds to it. */
static bool keeps_fp8(MlirOperation op) {
  if (tt_op_is(op, "linalg.yield") || tt_op_is(op, "linalg.index")) return true;
  if (tt_is_linalg(op) && !tt_op_is(op, "linalg.generic")) {
    intptr_t n = mlirOperationGetNumOperands(op);
    MlirType from =
        n == 2 ? element_of(mlirValueGetType(mlirOperationGetOperand(op, 0))) : (MlirType){NULL};
    for (intptr_t i = tt_linalg_num_inputs(op); i < n; ++i)
      if (tt_is_f8(element_of(mlirValueGetType(mlirOperationGetOperand(op, i))))) {
        bool moves = tt_op_is(op, "linalg.copy") || tt_op_is(op, "linalg.fill") ||
                     tt_op_is(op, "linalg.transpose") || tt_op_is(op, "linalg.broadcast");
        if (!moves || n != 2 || !tt_is_f8(from)) return false;
      }
    return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (tt_is_f8(type) && !is_rounding(op) && !tt_op_is(op, "arith.constant") &&
        !tt_op_is(op, "arith.select") && !tt_op_is(op, "memref.load"))
      return false;
  }
  return true;
}

static bool check(TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!keeps_fp8(ops.data[i]))
      return tt_error(ops.data[i],
                      "computes in fp8; extend to f32 by arith.extf, and round by arith.truncf");
  return true;
}

static bool holds_fp8(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tt_is_f8(element_of(mlirValueGetType(mlirOperationGetResult(op, i))))) return true;
  return false;
}

static bool widen_fp8(TtArena *arena, MlirOperation kernel) {
  MlirContext context = mlirOperationGetContext(kernel);
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps copies = tt_collect(arena, kernel, "linalg.copy"), extensions = {NULL, 0, 0},
        roundings = {NULL, 0, 0};
  for (intptr_t i = 0; i < copies.n; ++i)
    if (is_rounding_copy(copies.data[i])) open_copy(copies.data[i]);
  TtOps ops = tt_collect(arena, kernel, NULL);
  bool any = false;
  for (intptr_t i = 0; i < args.n; ++i) any |= tt_is_f8(element_of(args.data[i].type));
  for (intptr_t i = 0; i < ops.n; ++i) any |= holds_fp8(ops.data[i]);
  if (!any) return true;
  MlirType wide = wide_type(context, args);
  if (!check(ops)) return false;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "arith.extf") &&
        tt_is_f8(mlirValueGetType(mlirOperationGetOperand(ops.data[i], 0))))
      tt_ops_add(arena, &extensions, ops.data[i]);
    else if (is_rounding(ops.data[i])) tt_ops_add(arena, &roundings, ops.data[i]);
  MlirType *types = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *types);
  for (intptr_t i = 0; i < args.n; ++i) {
    MlirType element = element_of(args.data[i].type);
    if (tt_is_f8(element)) tt_set_arg_attr(kernel, i, "tt.file", mlirTypeAttrGet(element));
    widen(arena, args.data[i].value, wide);
    types[i] = mlirValueGetType(args.data[i].value);
  }
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!is_rounding(ops.data[i])) widen_op(arena, ops.data[i], wide);
  for (intptr_t i = 0; i < roundings.n; ++i) keep_rounding(roundings.data[i], wide);
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
