/*===- widen_fp8.c - --tt-widen-fp8 -------------------------------------------------------------===
 *
 * Tensors and buffers of fp8 are bf16 on the device, or f16 where other tensors of the kernel are:
 * both hold both kinds of fp8 exactly, and a kernel is built for exponents of one width. The host
 * program makes it of their files, and their files of it. What rounds to fp8 does so on the device.
 * Kernels that a host function calls have the type that its tensors ask for; constants become of
 * that type, too. In a model, the same with tensors.
 *
 *   before  %A: memref<64x64xf8E4M3FN>                     … arith.extf %a : f8E4M3FN to f32
 *           %q = arith.truncf %x : f32 to f8E4M3FN         … linalg.yield %q : f8E4M3FN
 *           linalg.copy ins(%x : f32) outs(%q : f8E4M3FN)
 *   after   %A: memref<64x64xbf16> {tt.file = f8E4M3FN}    … arith.extf %a : bf16 to f32
 *           %r = arith.truncf %x : f32 to f8E4M3FN, %q = arith.extf %r : f8E4M3FN to bf16
 *           linalg.generic of such a body
 *
 * Requires nothing; of a model, that no op of TOSA is left. Leaves fp8 only between such two casts.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/host_values.h"
#include "Analysis/kernel.h"
#include "Analysis/weights.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Support/fp8.h"

static bool is_tensor(MlirType type) { return tt_is_memref(type) || mlirTypeIsARankedTensor(type); }

static MlirType element_of(MlirType type) {
  return is_tensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

static MlirType signature(MlirOperation func) {
  return mlirTypeAttrGetValue(tt_op_attr(func, "function_type"));
}

/* What stands for fp8 in a function. */
static MlirType wide_type(MlirOperation func) {
  MlirType type = signature(func);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type),
           n = inputs + mlirFunctionTypeGetNumResults(type);
  MlirContext context = mlirOperationGetContext(func);
  bool half = false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirType element = element_of(i < inputs ? mlirFunctionTypeGetInput(type, i)
                                             : mlirFunctionTypeGetResult(type, i - inputs));
    if (mlirTypeIsABF16(element)) return element;
    half |= mlirTypeIsAF16(element);
  }
  return half ? mlirF16TypeGet(context) : mlirBF16TypeGet(context);
}

static MlirType widened(TtArena *arena, MlirType type, MlirType wide) {
  if (!is_tensor(type)) return wide;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDimSize(type, i);
  if (!tt_is_memref(type))
    return mlirRankedTensorTypeGet(rank, shape, wide, mlirRankedTensorTypeGetEncoding(type));
  return mlirMemRefTypeGet(wide, rank, shape, mlirMemRefTypeGetLayout(type),
                           mlirMemRefTypeGetMemorySpace(type));
}

/* `type`, if it is not of fp8. */
static MlirType stored(TtArena *arena, MlirType type, MlirType wide) {
  return tt_is_f8(element_of(type)) ? widened(arena, type, wide) : type;
}

static void widen(TtArena *arena, MlirValue value, MlirType wide) {
  MlirType type = mlirValueGetType(value), now = stored(arena, type, wide);
  if (!mlirTypeEqual(type, now)) mlirValueSetType(value, now);
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

/* Elements of `value`, of a tensor type of fp8, as those of `wide`; null after an error at `op`. */
static MlirAttribute widened_elements(TtArena *arena, MlirOperation op, MlirAttribute value,
                                      MlirType wide) {
  TtElements e;
  MlirType type = mlirAttributeGetType(value);
  if (!tt_elements(op, value, type, "this constant", &e)) return mlirAttributeGetNull();
  uint16_t *bits = tt_arena_alloc(arena, (e.n + 1) * sizeof *bits);
  tt_fp8_bits16(mlirTypeIsAFloat8E5M2(element_of(type)), mlirTypeIsAF16(wide),
                (const uint8_t *)e.data, (int64_t)e.n, bits);
  return mlirDenseElementsAttrRawBufferGet(widened(arena, type, wide), e.n * sizeof *bits, bits);
}

/* Numbers of fp8, which a fill may have, and tensors. */
static bool widen_constant(TtArena *arena, MlirOperation op, MlirType wide) {
  MlirAttribute value = tt_op_attr(op, "value");
  if (mlirAttributeIsAFloat(value))
    value = mlirFloatAttrDoubleGet(mlirOperationGetContext(op), wide,
                                   mlirFloatAttrGetValueDouble(value));
  else value = widened_elements(arena, op, value, wide);
  if (mlirAttributeIsNull(value)) return false;
  mlirOperationSetInherentAttributeByName(op, tt_str("value"), value);
  return true;
}

/* The global of fp8 that `get` names. */
static bool widen_global(TtArena *arena, MlirOperation get, MlirType wide) {
  MlirOperation global = tt_global_of(get);
  if (mlirOperationIsNull(global)) return true;
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(global, "type"));
  MlirAttribute value = tt_op_attr(global, "initial_value");
  if (!tt_is_f8(element_of(type))) return true;
  if (!mlirAttributeIsNull(value) && !mlirAttributeIsAUnit(value)) {
    value = widened_elements(arena, get, value, wide);
    if (mlirAttributeIsNull(value)) return false;
    mlirOperationSetInherentAttributeByName(global, tt_str("initial_value"), value);
  }
  mlirOperationSetInherentAttributeByName(global, tt_str("type"),
                                          mlirTypeAttrGet(widened(arena, type, wide)));
  return true;
}

static bool widen_op(TtArena *arena, MlirOperation op, MlirType wide) {
  if (tt_op_is(op, "arith.constant") &&
      tt_is_f8(element_of(mlirValueGetType(mlirOperationGetResult(op, 0)))) &&
      !widen_constant(arena, op, wide))
    return false;
  if (tt_op_is(op, "memref.get_global") && !widen_global(arena, op, wide)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    widen(arena, mlirOperationGetResult(op, i), wide);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        widen(arena, mlirBlockGetArgument(block, i), wide);
  return true;
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
        !tt_op_is(op, "arith.select") && !tt_op_is(op, "memref.load") &&
        !tt_op_is(op, "affine.load") && !tt_op_is(op, "scf.if") && !tt_op_is(op, "tensor.extract"))
      return false;
  }
  return true;
}

static bool check(TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_is(op, "arith.bitcast") &&
        (tt_is_f8(mlirValueGetType(mlirOperationGetOperand(op, 0))) ||
         tt_is_f8(mlirValueGetType(mlirOperationGetResult(op, 0)))))
      return tt_error(op,
                      "takes the bits of an fp8, which a core holds as a bf16; let the tensor be "
                      "one of i8, and compute with its bytes");
    if (!keeps_fp8(op))
      return tt_error(op,
                      "computes in fp8; extend to f32 by arith.extf, and round by arith.truncf");
  }
  return true;
}

static bool holds_fp8(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tt_is_f8(element_of(mlirValueGetType(mlirOperationGetResult(op, i))))) return true;
  return false;
}

/* Tensors that a host function returns are arguments later, whose files are as they are here. */
static bool note_files(MlirOperation func) {
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    MlirType element = element_of(mlirValueGetType(tt_arg(func, i)));
    if (tt_is_f8(element)) tt_set_arg_attr(func, i, "tt.file", mlirTypeAttrGet(element));
  }
  MlirOperation end = mlirBlockGetTerminator(tt_body(func));
  for (intptr_t i = 0; tt_op_is(end, "func.return") && i < mlirOperationGetNumOperands(end); ++i) {
    MlirValue value = mlirOperationGetOperand(end, i);
    MlirType element = element_of(mlirValueGetType(value));
    MlirOperation alloc = tt_defining_op(value);
    if (!tt_is_f8(element) || mlirValueIsABlockArgument(value) || tt_is_model(func)) continue;
    if (!tt_op_is(alloc, "memref.alloc"))
      return tt_error(end,
                      "returns a view of a tensor of fp8; return the tensor, or give one as an "
                      "argument that is written");
    tt_set_attr(alloc, "tt.file", mlirTypeAttrGet(element));
  }
  return true;
}

static void widen_signature(TtArena *arena, MlirOperation func, MlirType wide) {
  MlirType old = signature(func);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old), n = mlirFunctionTypeGetNumResults(old);
  MlirType *types = tt_arena_alloc(arena, (size_t)(inputs + n + 1) * sizeof *types);
  for (intptr_t i = 0; i < inputs; ++i) {
    widen(arena, tt_arg(func, i), wide);
    types[i] = stored(arena, mlirFunctionTypeGetInput(old, i), wide);
  }
  for (intptr_t i = 0; i < n; ++i)
    types[inputs + i] = stored(arena, mlirFunctionTypeGetResult(old, i), wide);
  mlirOperationSetInherentAttributeByName(
      func, tt_str("function_type"),
      mlirTypeAttrGet(
          mlirFunctionTypeGet(mlirOperationGetContext(func), inputs, types, n, types + inputs)));
}

static bool has_fp8(MlirOperation func, TtOps ops) {
  for (intptr_t i = 0; i < tt_num_args(func); ++i)
    if (tt_is_f8(element_of(mlirValueGetType(tt_arg(func, i))))) return true;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (holds_fp8(ops.data[i])) return true;
  return false;
}

static bool widen_function(TtArena *arena, MlirOperation func, MlirType wide) {
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0)))) return true;
  TtOps copies = tt_collect(arena, func, "linalg.copy"), extensions = {NULL, 0, 0},
        roundings = {NULL, 0, 0};
  for (intptr_t i = 0; i < copies.n; ++i)
    if (is_rounding_copy(copies.data[i])) open_copy(copies.data[i]);
  TtOps ops = tt_collect(arena, func, NULL);
  if (!has_fp8(func, ops)) return true;
  if (!check(ops) || !note_files(func)) return false;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "arith.extf") &&
        tt_is_f8(mlirValueGetType(mlirOperationGetOperand(ops.data[i], 0))))
      tt_ops_add(arena, &extensions, ops.data[i]);
    else if (is_rounding(ops.data[i])) tt_ops_add(arena, &roundings, ops.data[i]);
  widen_signature(arena, func, wide);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!is_rounding(ops.data[i]) && !widen_op(arena, ops.data[i], wide)) return false;
  for (intptr_t i = 0; i < roundings.n; ++i) keep_rounding(roundings.data[i], wide);
  for (intptr_t i = 0; i < extensions.n; ++i) widen_extension(extensions.data[i], wide);
  return true;
}

/* The host function that calls a kernel, or the kernel. */
static MlirOperation caller(TtArena *arena, TtOps hosts, MlirOperation kernel) {
  for (intptr_t i = 0; i < hosts.n; ++i) {
    TtOps calls = tt_collect(arena, hosts.data[i], "func.call");
    for (intptr_t j = 0; j < calls.n; ++j)
      if (mlirStringRefEqual(mlirFlatSymbolRefAttrGetValue(tt_op_attr(calls.data[j], "callee")),
                             tt_symbol_name(kernel)))
        return hosts.data[i];
  }
  return kernel;
}

bool tt_run_widen_fp8(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps funcs = tt_collect(arena, module, "func.func"), kernels = tt_kernels(arena, module),
        hosts = tt_hosts(arena, module);
  bool ok = true;
  MlirType *wide = tt_arena_alloc(arena, (size_t)(kernels.n + 1) * sizeof *wide);
  for (intptr_t i = 0; i < kernels.n; ++i)
    wide[i] = wide_type(caller(arena, hosts, kernels.data[i]));
  for (intptr_t i = 0; ok && i < kernels.n; ++i)
    ok = widen_function(arena, kernels.data[i], wide[i]);
  for (intptr_t i = 0; ok && i < hosts.n; ++i)
    ok = widen_function(arena, hosts.data[i], wide_type(hosts.data[i]));
  for (intptr_t i = 0; ok && i < funcs.n; ++i)
    if (tt_is_model(funcs.data[i]))
      ok = widen_function(arena, funcs.data[i], wide_type(funcs.data[i]));
  tt_arena_destroy(arena);
  return ok;
}
