/*===- kernel.c - what a kernel does with its arguments -------------------------===*/

#include "Analysis/kernel.h"

#include "Dialect/op_info.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

bool tt_is_linalg(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return name.length > 7 && memcmp(name.data, "linalg.", 7) == 0;
}

char *tt_take_grid_notes(TtArena *arena, MlirOperation grid, MlirOperation kernel,
                         char *otherwise) {
  static const char *const notes[] = {"tt.fuses", "tt.sums"};
  MlirAttribute name = tt_get_attr(grid, "tt.kernel_name");
  for (size_t i = 0; i < sizeof notes / sizeof *notes; ++i) {
    MlirAttribute note = tt_get_attr(grid, notes[i]);
    if (!mlirAttributeIsNull(note)) tt_set_attr(kernel, notes[i], note);
    tt_remove_attr(grid, notes[i]);
  }
  char *called = mlirAttributeIsNull(name) ? otherwise : tt_arena_str(arena, tt_string(name));
  tt_remove_attr(grid, "tt.kernel_name");
  return called;
}

static intptr_t num_loops(MlirOperation linalg) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(linalg);
  return mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)));
}

bool tt_is_integer_contraction(MlirOperation op) {
  if (!tt_is_linalg(op) || !mlirLinalgIsAContractionOp(op)) return false;
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirType out = mlirValueGetType(mlirOperationGetOperand(op, last));
  return tt_is_memref(out) && mlirTypeIsAInteger(mlirShapedTypeGetElementType(out));
}

bool tt_is_contraction(MlirOperation op) {
  if (!tt_is_linalg(op) || !mlirLinalgIsAContractionOp(op) || tt_is_integer_contraction(op))
    return false;
  MlirLinalgContractionDimensions dims = mlirLinalgInferContractionDimensions(op);
  if (mlirAttributeIsNull(dims.batch) || mlirDenseArrayGetNumElements(dims.batch) > 0) return false;
  intptr_t m = mlirDenseArrayGetNumElements(dims.m), n = mlirDenseArrayGetNumElements(dims.n),
           k = mlirDenseArrayGetNumElements(dims.k);
  /* No product has a loop that is summed over and lies along one factor only; one with two loops of
   * sums has a side that stays. */
  return m + n + k == num_loops(op) && (m + n > 0 || k == 1);
}

bool tt_check_stored_as(MlirOperation op, const char *tensor, MlirType memref, TtDType stored) {
  TtDType own = TT_D_TYPE_BF16;
  bool known = tt_dtype_of(mlirShapedTypeGetElementType(memref), &own);
  if (known && own == stored) return true;
  if (known && tt_format(own)->is_float && tt_format(stored)->is_float) return true;
  bool integers = (own == TT_D_TYPE_INT32 || own == TT_D_TYPE_UINT8) &&
                  (stored == TT_D_TYPE_INT32 || stored == TT_D_TYPE_UINT8);
  if (known && integers) return true;
  return tt_error(
      op,
      "tensor '%s' is stored as %s, but its elements are %s; floats are stored as bf16, fp16, "
      "fp32, bfp8_b or bfp4_b, i32 and i8 as int32 or uint8",
      tensor, tt_d_type_str((int)stored), known ? tt_d_type_str((int)own) : "of no known format");
}

intptr_t tt_linalg_num_inputs(MlirOperation op) {
  MlirAttribute segments = tt_op_attr(op, "operandSegmentSizes");
  intptr_t operands = mlirOperationGetNumOperands(op);
  if (mlirAttributeIsNull(
          segments)) /* map has one output; reduce, transpose, … as many as inputs */
    return tt_op_is(op, "linalg.map") ? operands - 1 : operands / 2;
  return mlirDenseI32ArrayGetElement(segments, 0);
}

static bool is_view(MlirOperation op) {
  static const char *const views[] = {"memref.subview",          "memref.cast",
                                      "memref.reinterpret_cast", "memref.collapse_shape",
                                      "memref.expand_shape",     "memref.memory_space_cast",
                                      "memref.transpose"};
  for (size_t i = 0; i < sizeof views / sizeof *views; ++i)
    if (tt_op_is(op, views[i])) return true;
  return false;
}

MlirValue tt_view_root(MlirValue value) {
  for (MlirOperation op = tt_defining_op(value); is_view(op); op = tt_defining_op(value))
    value = mlirOperationGetOperand(op, 0);
  return value;
}

int64_t tt_stages_around(MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p)) {
    MlirAttribute stages = tt_get_attr(p, "tt.num_stages");
    if (!mlirAttributeIsNull(stages)) return tt_int(stages);
  }
  return TT_DEFAULT_DEPTH;
}

/*===- Reads and writes -----------------------------------------------------===*/

static void note_use(TtArg *arg, MlirOperation op, unsigned operand) {
  bool reads = false, writes = false;
  if (is_view(op)) {
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      note_use(arg, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use));
    return;
  }
  if (tt_op_is(op, "memref.copy")) reads = operand == 0, writes = operand == 1;
  else if (tt_is_linalg(op)) {
    writes = operand >= tt_linalg_num_inputs(op);
    reads = !writes;
  } else if (tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store")) {
    writes = tt_op_is(op, "memref.store");
    reads = !writes;
  } else if (tt_load_index_isa(op) || tt_fetch_index_isa(op)) {
    reads = true;
  } else {
    reads = tt_op_info(op)->does == TT_ACT_LOAD;
    writes = tt_op_info(op)->does == TT_ACT_STORE;
  }
  if (reads && !arg->read) arg->depth = tt_stages_around(op);
  arg->read |= reads;
  arg->written |= writes;
}

TtArgs tt_kernel_args(TtArena *arena, MlirOperation func) {
  TtArgs args = {NULL, tt_num_args(func)};
  args.data = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *args.data);
  for (intptr_t i = 0; i < args.n; ++i) {
    TtArg *arg = &args.data[i];
    arg->value = tt_arg(func, i);
    arg->type = mlirValueGetType(arg->value);
    arg->is_tensor = tt_is_memref(arg->type);
    arg->name = tt_arg_name(arena, func, i);
    arg->depth = TT_DEFAULT_DEPTH;
    if (!arg->is_tensor) continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(arg->value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      note_use(arg, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use));
  }
  return args;
}

TtArg *tt_arg_of(TtArgs args, MlirValue value) {
  value = tt_view_root(value);
  for (intptr_t i = 0; i < args.n; ++i)
    if (tt_value_eq(args.data[i].value, value)) return &args.data[i];
  return NULL;
}

const TtArg *tt_first_output(TtArgs args) {
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].written) return &args.data[i];
  return NULL;
}

/*===- DST ------------------------------------------------------------------===*/

typedef struct Search {
  bool five; /* the kernel is built with exponents of 5 bits */
  bool found;
} Search;

/* Integers of any width are 32 bits wide in DST. So is f16 in a kernel that is built with exponents
 * of 8 bits: DST of 16 bits holds bf16 there. */
static bool is_32bit(MlirType type, bool five) {
  return mlirTypeIsAF32(type) || (mlirTypeIsAF16(type) && !five) || mlirTypeIsAInteger(type);
}

/* A memref or circular buffer of elements that DST of 32 bits is for. */
static bool holds_32bit(MlirType type, bool five) {
  if (tt_cb_type_isa(type)) return is_32bit(tt_cb_type_element_type(type), five);
  return tt_is_memref(type) && is_32bit(mlirShapedTypeGetElementType(type), five);
}

/* A value of f32 that is not held, but computed amid a body: DST of fp16 has not its range. */
static bool computes_f32(MlirOperation op) {
  bool found = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    found |= mlirTypeIsAF32(mlirValueGetType(mlirOperationGetResult(op, i)));
  return found && !tt_op_is(op, "arith.constant");
}

/* By sums whose low bits count. */
static bool rounds_to_fp8(MlirOperation op) {
  return tt_op_is(op, "arith.truncf") && tt_is_f8(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* A number that no op computes on is made in DST all the same. */
static bool fills_integers(MlirOperation op) {
  return tt_op_is(op, "linalg.fill") &&
         mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

static MlirWalkResult find_32bit(MlirOperation op, void *data) {
  Search *search = data;
  search->found |= (search->five && computes_f32(op)) || rounds_to_fp8(op) || fills_integers(op);
  const TtOpInfo *info = tt_op_info(op);
  bool compute = (info->does == TT_ACT_COMPUTE && info->num_reads > 0) ||
                 (tt_is_linalg(op) && !tt_op_is(op, "linalg.copy") && !tt_op_is(op, "linalg.fill"));
  for (intptr_t i = 0; compute && i < mlirOperationGetNumOperands(op); ++i)
    search->found |= holds_32bit(mlirValueGetType(mlirOperationGetOperand(op, i)), search->five);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Tensors that are stored in 32 bits, or as halves in a kernel of bf16, whatever their elements. */
static bool holds_stored_32bit(MlirOperation func, bool five) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(func); ++i) {
    MlirAttribute buffer = mlirOperationGetDiscardableAttribute(func, i).attribute;
    if (!tt_buffer_attr_isa(buffer)) continue;
    TtDType dtype = tt_buffer_attr_dtype(buffer);
    if (dtype == TT_D_TYPE_FP32 || (dtype == TT_D_TYPE_FP16 && !five)) return true;
  }
  return false;
}

bool tt_is_of_f32(MlirOperation func) {
  bool found = false;
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(func); ++i) {
    MlirAttribute buffer = mlirOperationGetDiscardableAttribute(func, i).attribute;
    if (!tt_buffer_attr_isa(buffer)) continue;
    if (tt_format(tt_buffer_attr_dtype(buffer))->exponent) return false; /* a narrower float */
    found |= tt_buffer_attr_dtype(buffer) == TT_D_TYPE_FP32;
  }
  return found;
}

int tt_kernel_exponent(MlirOperation func) {
  TtDType own;
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(func); ++i) {
    MlirAttribute buffer = mlirOperationGetDiscardableAttribute(func, i).attribute;
    int exponent =
        tt_buffer_attr_isa(buffer) ? tt_format(tt_buffer_attr_dtype(buffer))->exponent : 0;
    if (exponent) return exponent;
  }
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    MlirType type = mlirValueGetType(tt_arg(func, i));
    if (tt_is_memref(type) && tt_dtype_of(mlirShapedTypeGetElementType(type), &own) &&
        tt_format(own)->exponent)
      return tt_format(own)->exponent;
  }
  return tt_format(TT_D_TYPE_BF16)->exponent;
}

MlirType tt_narrow_float(MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  bool f16 = tt_kernel_exponent(func) == tt_format(TT_D_TYPE_FP16)->exponent;
  return f16 ? mlirF16TypeGet(context) : mlirBF16TypeGet(context);
}

bool tt_dst_is_32bit(MlirOperation func) {
  MlirAttribute asked = tt_get_attr(func, "tt.fp32_dest_acc");
  if (!mlirAttributeIsNull(asked))
    return mlirAttributeIsAUnit(asked) || mlirBoolAttrGetValue(asked);
  Search search = {.five = tt_kernel_exponent(func) == tt_format(TT_D_TYPE_FP16)->exponent};
  search.found = holds_stored_32bit(func, search.five);
  if (!search.found) mlirOperationWalk(func, find_32bit, &search, MlirWalkPreOrder);
  return search.found;
}

int64_t tt_dst_capacity(MlirOperation func) {
  TtTarget target = tt_target_of(func);
  return tt_dst_is_32bit(func) ? target.chip->dst_tiles_32 : target.chip->dst_tiles_16;
}

bool tt_is_model(MlirOperation func) {
  return tt_op_is(func, "func.func") && !mlirAttributeIsNull(tt_get_attr(func, "tt.model")) &&
         !mlirBlockIsNull(tt_body(func));
}
