/*===- reference.c - the kernel by MLIR's own JIT --------------------------------------------===
 *
 * A level-1 kernel is plain MLIR, so MLIR runs it. The copy that runs has no memory
 * spaces; buffers of private space and all arithmetic are f32; values are rounded
 * where they are stored in tensors and shared buffers. A host function runs with its kernels.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/run.h"

#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void print_error(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stderr);
}

static bool run_passes(MlirModule module, const char *pipeline) {
  MlirOperation op = mlirModuleGetOperation(module);
  MlirPassManager pm = mlirPassManagerCreate(mlirOperationGetContext(op));
  MlirOpPassManager top = mlirPassManagerGetAsOpPassManager(pm);
  bool ok = mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(top, tt_str(pipeline), print_error, NULL));
  ok = ok && mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, op));
  mlirPassManagerDestroy(pm);
  return ok;
}

/*===- Copies -----------------------------------------------------------------------------===*/

static void generalize_copies(TtArena *arena, MlirOperation kernel) {
  TtOps copies = tt_collect(arena, kernel, "memref.copy");
  for (intptr_t i = 0; i < copies.n; ++i) {
    MlirOperation op = copies.data[i];
    TtBuilder b = tt_builder_before(op);
    MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
    tt_named_op(&b, mlirOperationGetLocation(op), "linalg.copy", 1, operands);
    mlirOperationDestroy(op);
  }
}

/*===- Arithmetic in f32 --------------------------------------------------------------------===*/

static bool is_narrow(MlirType type) { return mlirTypeIsABF16(type) || mlirTypeIsAF16(type); }

static void widen_arguments(MlirOperation op, MlirBlock body, MlirType f32) {
  MlirOperation first = mlirBlockGetFirstOperation(body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue arg = mlirBlockGetArgument(body, i);
    MlirType operand = mlirValueGetType(mlirOperationGetOperand(op, i));
    mlirBlockArgumentSetType(arg, tt_is_memref(operand) ? mlirShapedTypeGetElementType(operand)
                                                        : operand);
    if (!is_narrow(mlirValueGetType(arg)) || !tt_has_uses(arg)) continue;
    TtBuilder b = {mlirOperationGetContext(op), body, first};
    MlirValue wide = tt_cast(&b, mlirOperationGetLocation(op), "arith.extf", arg, f32);
    MlirOperation extension = tt_defining_op(wide);
    mlirValueReplaceAllUsesExcept(arg, wide, 1, &extension);
  }
}

static void widen_constant(MlirOperation op, MlirType f32) {
  double value = mlirFloatAttrGetValueDouble(tt_op_attr(op, "value"));
  mlirOperationSetInherentAttributeByName(
      op, tt_str("value"), mlirFloatAttrDoubleGet(mlirOperationGetContext(op), f32, value));
}

/* Constants from outside of the body, where folding has put them. */
static void widen_captured(MlirOperation inner, MlirBlock body, MlirType f32) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(inner); ++j) {
    MlirValue operand = mlirOperationGetOperand(inner, j);
    if (!is_narrow(mlirValueGetType(operand)) || mlirValueIsABlockArgument(operand)) continue;
    if (mlirBlockEqual(mlirOperationGetBlock(tt_defining_op(operand)), body)) continue;
    TtBuilder b = tt_builder_before(inner);
    mlirOperationSetOperand(
        inner, j, tt_cast(&b, mlirOperationGetLocation(inner), "arith.extf", operand, f32));
  }
}

/* Replaces a truncation, whose result is f32 now: by its operand where that is yielded, which
 * rounds as it is stored, else by what rounding to the narrow type leaves. */
static void round_truncated(MlirOperation op, MlirType narrow, MlirOperation yield) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue whole = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    if (tt_value_eq(mlirOperationGetOperand(yield, i), result))
      mlirOperationSetOperand(yield, i, whole);
  MlirValue part = tt_cast(&b, loc, "arith.truncf", whole, narrow);
  tt_replace(op, tt_cast(&b, loc, "arith.extf", part, mlirValueGetType(whole)));
}

/* What a body loads has the type of its tensor, or of a buffer that is f32 now, and is extended
 * behind the load where that is narrow. */
static void widen_loaded(MlirOperation load, MlirType f32) {
  MlirValue loaded = mlirOperationGetResult(load, 0);
  mlirValueSetType(
      loaded, mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(load, 0))));
  if (!is_narrow(mlirValueGetType(loaded))) return;
  TtBuilder b = tt_builder_after(load);
  MlirValue wide = tt_cast(&b, mlirOperationGetLocation(load), "arith.extf", loaded, f32);
  MlirOperation extension = tt_defining_op(wide);
  mlirValueReplaceAllUsesExcept(loaded, wide, 1, &extension);
}

static void widen_body(TtArena *arena, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirType f32 = mlirF32TypeGet(context);
  MlirBlock body = tt_body(op);
  widen_arguments(op, body, f32);
  TtOps ops = tt_collect(arena, op, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation inner = ops.data[i];
    bool extends = tt_op_is(inner, "arith.extf");
    if (!extends && mlirBlockEqual(mlirOperationGetBlock(inner), body))
      widen_captured(inner, body, f32);
    if (mlirOperationGetNumResults(inner) != 1) continue;
    MlirValue result = mlirOperationGetResult(inner, 0);
    MlirType before = mlirValueGetType(result);
    bool extend = tt_op_is(inner, "arith.extf"), truncate = tt_op_is(inner, "arith.truncf");
    if (is_narrow(before) && (tt_op_is(inner, "memref.load") || tt_op_is(inner, "affine.load"))) {
      widen_loaded(inner, f32);
      continue;
    }
    if (tt_op_is(inner, "arith.constant") && is_narrow(before)) widen_constant(inner, f32);
    if (is_narrow(before)) mlirValueSetType(result, f32);
    if (!(extend || truncate) || !mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(inner, 0)),
                                                mlirValueGetType(result)))
      continue;
    if (truncate) round_truncated(inner, before, mlirBlockGetTerminator(body));
    else tt_replace(inner, mlirOperationGetOperand(inner, 0));
  }
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t inputs = tt_linalg_num_inputs(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirType element =
        mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, inputs + i)));
    MlirValue value = mlirOperationGetOperand(yield, i);
    TtBuilder b = tt_builder_before(yield);
    if (is_narrow(element) && mlirTypeIsAF32(mlirValueGetType(value)))
      value = tt_cast(&b, mlirOperationGetLocation(op), "arith.truncf", value, element);
    else if (mlirTypeIsAF32(element) && is_narrow(mlirValueGetType(value)))
      value = tt_cast(&b, mlirOperationGetLocation(op), "arith.extf", value, f32);
    mlirOperationSetOperand(yield, i, value);
  }
}

/*===- Running -----------------------------------------------------------------------------===*/

static void strip_attributes(TtArena *arena, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (name.length > 3 && memcmp(name.data, "tt.", 3) == 0)
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
  if (!tt_op_is(op, "func.func") || mlirAttributeIsNull(tt_op_attr(op, "arg_attrs"))) return;
  MlirContext context = mlirOperationGetContext(op);
  intptr_t n = mlirArrayAttrGetNumElements(tt_op_attr(op, "arg_attrs"));
  MlirAttribute *none = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *none);
  for (intptr_t i = 0; i < n; ++i) none[i] = mlirDictionaryAttrGet(context, 0, NULL);
  mlirOperationSetInherentAttributeByName(op, tt_str("arg_attrs"),
                                          mlirArrayAttrGet(context, n, none));
}

static bool prepare(TtArena *arena, MlirModule module, MlirOperation entry) {
  MlirOperation root = mlirModuleGetOperation(module);
  MlirContext context = mlirOperationGetContext(root);
  TtOps kernels = tt_kernels(arena, root);
  for (intptr_t i = 0; i < kernels.n; ++i) generalize_copies(arena, kernels.data[i]);
  tt_set_attr(entry, "llvm.emit_c_interface", mlirUnitAttrGet(context));
  if (!run_passes(module, "tt-expand-named,func.func(linalg-generalize-named-ops)")) return false;
  for (intptr_t i = 0; i < kernels.n; ++i) {
    tt_reference_buffers(arena, kernels.data[i]);
    TtOps generics = tt_collect(arena, kernels.data[i], "linalg.generic");
    for (intptr_t j = 0; j < generics.n; ++j) widen_body(arena, generics.data[j]);
    tt_reference_free(arena, kernels.data[i]);
  }
  tt_reference_fp8(arena, root);
  if (!tt_is_kernel(entry) && tt_collect(arena, entry, "memref.dealloc").n == 0)
    tt_reference_free(arena, entry);
  TtOps all = tt_collect(arena, root, NULL);
  for (intptr_t i = 0; i < all.n; ++i) strip_attributes(arena, all.data[i]);
  strip_attributes(arena, root);
  return true;
}

/* The memref descriptor of MLIR's C interface. */
typedef struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, sizes_and_strides[16];
} Descriptor;

static Descriptor describe(MlirType type, void *data) {
  Descriptor d = {data, data, 0, {0}};
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t stride = 1;
  for (intptr_t i = rank; i-- > 0;) {
    d.sizes_and_strides[i] = mlirShapedTypeGetDimSize(type, i);
    d.sizes_and_strides[rank + i] = stride;
    stride *= d.sizes_and_strides[i];
  }
  return d;
}

/* LLVM leaves loops of such functions as they are. Its vectorizer walks each way through the values
 * of a step, and a chain of n choices has 2^n; the loops are no slower without it, since nothing
 * says that arguments lie apart, and sums keep their order. */
static void forbid_vectors(MlirModule module) {
  TtArena *arena = tt_arena_create();
  MlirOperation root = mlirModuleGetOperation(module);
  MlirAttribute plain =
      mlirAttributeParseGet(mlirOperationGetContext(root), tt_str("[\"noimplicitfloat\"]"));
  TtOps functions = tt_collect(arena, root, "func.func");
  for (intptr_t i = 0; i < functions.n; ++i) tt_set_attr(functions.data[i], "passthrough", plain);
  tt_arena_destroy(arena);
}

/* What upstream expands, but for powf: that would be exp(y log(x)), NaN where x is below zero. */
#define EXPANDED                                                                                   \
  "ctlz,sinh,cosh,tan,tanh,asinh,acosh,atanh,fma,ceil,exp2,fpowi,round,roundeven,rsqrt,clampf"

/* Lowers what is left of loops and memrefs. */
static bool lower(MlirModule module) {
  forbid_vectors(module);
  return run_passes(
      module,
      "func.func(scf-forall-to-for,convert-linalg-to-loops),"
      "expand-strided-metadata,lower-affine,convert-scf-to-cf,arith-expand{include-bf16=true},"
      "math-expand-ops{ops=" EXPANDED "},convert-math-to-llvm,convert-math-to-libm,"
      "finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
      "convert-cf-to-llvm,reconcile-unrealized-casts");
}

/* The host stops a division that has no result; the device goes on with any. */
static void report_division(int signal) {
  static const char text[] =
      "error: the reference divides an integer by zero, or the smallest one by -1, which has no "
      "result; say by tt.range = [lo, hi] at the argument what the divisor may be, or give it by "
      "--input\n";
  (void)signal;
  _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

/* Runs function `name` of a lowered module on arguments of these types. */
static bool invoke(TtArena *arena, MlirModule module, const char *name, intptr_t n,
                   const MlirType *types, void *const *data) {
  Descriptor *descriptors = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *descriptors);
  Descriptor **pointers = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *pointers);
  void **args = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *args);
  for (intptr_t i = 0; i < n; ++i) {
    args[i] = data[i];
    if (!mlirTypeIsAShaped(types[i])) continue;
    descriptors[i] = describe(types[i], data[i]);
    pointers[i] = &descriptors[i];
    args[i] = &pointers[i];
  }
  MlirStringRef library = tt_str(TW_FLOAT16_UTILS);
  int libraries = access(TW_FLOAT16_UTILS, R_OK) == 0;
  MlirExecutionEngine jit = mlirExecutionEngineCreate(module, 3, libraries, &library, false, false);
  struct sigaction divided = {.sa_handler = report_division}, before;
  sigaction(SIGFPE, &divided, &before);
  bool ok = !mlirExecutionEngineIsNull(jit) &&
            mlirLogicalResultIsSuccess(mlirExecutionEngineInvokePacked(jit, tt_str(name), args));
  sigaction(SIGFPE, &before, NULL);
  if (!mlirExecutionEngineIsNull(jit)) mlirExecutionEngineDestroy(jit);
  return ok;
}

static bool could_run(bool ok) {
  if (!ok) fprintf(stderr, "error: MLIR's JIT could not run the kernel as a reference\n");
  return ok;
}

bool tt_reference_run(MlirModule module, MlirOperation kernel, const MlirType *types,
                      void *const *data) {
  TtArena *arena = tt_arena_create();
  intptr_t n = tt_num_args(kernel);
  char *name = tt_arena_str(arena, tt_symbol_name(kernel));
  bool ok = prepare(arena, module, kernel) && lower(module) &&
            invoke(arena, module, name, n, types, data);
  tt_arena_destroy(arena);
  return could_run(ok);
}

/* `type` with the sizes that it has in this run. `seen` has them in the same order, without some
 * dimensions of one element, and what stands for fp8. `wide`: with f64 for floats. */
static MlirType sized(TtArena *arena, MlirType type, MlirType seen, bool wide) {
  MlirType f64 = mlirF64TypeGet(mlirTypeGetContext(type));
  if (!mlirTypeIsAShaped(type)) return wide && mlirTypeIsAFloat(type) ? f64 : type;
  intptr_t rank = mlirShapedTypeGetRank(type), n = mlirShapedTypeGetRank(seen), next = 0;
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t d = 0; d < rank; ++d) {
    bool open = mlirShapedTypeIsDynamicDim(type, d);
    int64_t there = next < n ? mlirShapedTypeGetDimSize(seen, next) : 1;
    shape[d] = open ? there : mlirShapedTypeGetDimSize(type, d);
    next += open || there == shape[d];
  }
  MlirType element =
      mlirShapedTypeGetElementType(tt_is_f8(mlirShapedTypeGetElementType(type)) ? seen : type);
  return mlirMemRefTypeContiguousGet(wide && mlirTypeIsAFloat(element) ? f64 : element, rank, shape,
                                     mlirAttributeGetNull());
}

/* Functions on tensors, by upstream's own way to loops; results are the last arguments. */
bool tt_reference_run_model(MlirModule module, MlirOperation model, const MlirType *seen,
                            void *const *data, TtPrecision precision) {
  TtArena *arena = tt_arena_create();
  char *name = tt_arena_str(arena, tt_symbol_name(model));
  MlirOperation root = mlirModuleGetOperation(module);
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(model, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type),
           n = inputs + mlirFunctionTypeGetNumResults(type);
  MlirType *types = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *types);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = sized(arena,
                     i < inputs ? mlirFunctionTypeGetInput(type, i)
                                : mlirFunctionTypeGetResult(type, i - inputs),
                     seen[i], precision == TT_PRECISION_F64);
  TtOps asserts = tt_collect(arena, root, "cf.assert"); /* one that fails would end this process */
  for (intptr_t i = 0; i < asserts.n; ++i) mlirOperationDestroy(asserts.data[i]);
  bool ok = run_passes(module, "tt-decompose-ops"); /* what has no loops of its own */
  tt_set_attr(model, "llvm.emit_c_interface", mlirUnitAttrGet(mlirOperationGetContext(root)));
  ok =
      ok && run_passes(module,
                       "func.func(tosa-optional-decompositions,tosa-to-linalg-named,tosa-to-linalg,"
                       "tosa-to-tensor,tosa-to-arith{include-apply-rescale=true},convert-"
                       "elementwise-to-linalg,linalg-"
                       "generalize-named-ops,canonicalize,cse),"
                       "tt-widen-fp8");
  if (ok) tt_reference_fp8(arena, root);
  ok = ok && tt_reference_precision(arena, model, precision);
  TtOps all = tt_collect(arena, root, NULL);
  for (intptr_t i = 0; i < all.n; ++i) strip_attributes(arena, all.data[i]);
  strip_attributes(arena, root);
  ok = ok &&
       run_passes(module, "one-shot-bufferize{bufferize-function-boundaries "
                          "allow-return-allocs-from-loops "
                          "function-boundary-type-conversion=identity-layout-map},"
                          "buffer-results-to-out-params{modify-public-functions},canonicalize");
  if (ok) generalize_copies(arena, root);
  ok = ok && lower(module) && invoke(arena, module, name, n, types, data);
  tt_arena_destroy(arena);
  return could_run(ok);
}
