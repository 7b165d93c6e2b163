/*===- kernel.c - what a kernel does with its arguments -------------------------===*/

#include "tilewright/kernel.h"

#include "Dialect/op_info.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

int64_t tt_tiles(int64_t elements) { return (elements + TT_TILE - 1) / TT_TILE; }

bool tt_is_linalg(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return name.length > 7 && memcmp(name.data, "linalg.", 7) == 0;
}

bool tt_is_contraction(MlirOperation op) {
  if (!tt_is_linalg(op) || !mlirLinalgIsAContractionOp(op)) return false;
  MlirAttribute batch = mlirLinalgInferContractionDimensions(op).batch;
  return !mlirAttributeIsNull(batch) && mlirDenseArrayGetNumElements(batch) == 0;
}

TtProductShape tt_product_shape(MlirOperation mma) {
  MlirType a = mlirValueGetType(tt_mm_mma_a(mma)), b = mlirValueGetType(tt_mm_mma_b(mma));
  bool transposed = !mlirAttributeIsNull(tt_mm_mma_transpose_b(mma));
  return (TtProductShape){tt_cb_rows(a), tt_cb_cols(a), transposed ? tt_cb_rows(b) : tt_cb_cols(b),
                          transposed ? tt_cb_cols(b) : tt_cb_rows(b)};
}

TtMatrices tt_matrices(MlirType memref) {
  TtMatrices m = {1, 1, 1};
  intptr_t rank = mlirShapedTypeGetRank(memref);
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirShapedTypeIsDynamicDim(memref, d) ? -1 : mlirShapedTypeGetDimSize(memref, d);
    if (d == rank - 1) m.cols = size;
    else if (d == rank - 2) m.rows = size;
    else m.count *= size;
  }
  return m;
}

int64_t tt_tensor_tiles(MlirType memref) {
  TtMatrices m = tt_matrices(memref);
  return m.count * tt_tiles(m.rows) * tt_tiles(m.cols);
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

/*===- Access ---------------------------------------------------------------===*/

static const char *const broadcasts[] = {
    [TT_ACCESS_ROWS] = "rows", [TT_ACCESS_COLS] = "cols", [TT_ACCESS_SCALAR] = "scalar"};

const char *tt_access_bcast(TtAccess access) {
  return access <= TT_ACCESS_SCALAR ? broadcasts[access] : NULL;
}

static TtAccess access_of_bcast(MlirAttribute bcast) {
  for (int a = TT_ACCESS_ROWS; !mlirAttributeIsNull(bcast) && a <= TT_ACCESS_SCALAR; ++a)
    if (tt_str_eq(tt_string(bcast), broadcasts[a])) return (TtAccess)a;
  return TT_ACCESS_FULL;
}

static bool is_row_reduction(MlirOperation op) {
  MlirStringRef name = tt_string(tt_fpu_reduce_op(op));
  return tt_str_eq(name, "sum_row") || tt_str_eq(name, "max_row");
}

/* Of a copy: each tile, the one that there is, or turned ones. */
static TtAccess access_of_copy(MlirOperation op) {
  if (!mlirAttributeIsNull(tt_op_attr(op, "repeat"))) return TT_ACCESS_CONSTANT;
  return mlirAttributeIsNull(tt_op_attr(op, "transpose")) ? TT_ACCESS_FULL : TT_ACCESS_TURNED;
}

TtAccess tt_access(MlirOperation op, intptr_t i) {
  switch (tt_op_info(op)->takes[i]) {
  case TT_TAKES_ONE: return TT_ACCESS_CONSTANT;
  case TT_TAKES_BCAST: return access_of_bcast(tt_op_attr(op, "bcast"));
  case TT_TAKES_TURNED: return access_of_copy(op);
  case TT_TAKES_REDUCED:
    return is_row_reduction(op) ? TT_ACCESS_REDUCED_ROW : TT_ACCESS_REDUCED_COL;
  default: return TT_ACCESS_FULL;
  }
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
                                      "memref.expand_shape",     "memref.memory_space_cast"};
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

/* Integers of any width are 32 bits wide in DST. So are f16 unless one asks for less: DST of 16
 * bits holds either them or bf16, which indices, masks and constants are. */
static bool is_32bit(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsAF16(type) || mlirTypeIsAInteger(type);
}

/* A memref or circular buffer of elements that DST of 32 bits is for. */
static bool holds_32bit(MlirType type) {
  if (tt_cb_type_isa(type)) return is_32bit(tt_cb_type_element_type(type));
  return tt_is_memref(type) && is_32bit(mlirShapedTypeGetElementType(type));
}

typedef struct Search {
  bool found;
} Search;

static MlirWalkResult find_32bit(MlirOperation op, void *data) {
  Search *search = data;
  const TtOpInfo *info = tt_op_info(op);
  bool compute = (info->does == TT_ACT_COMPUTE && info->num_reads > 0) ||
                 (tt_is_linalg(op) && !tt_op_is(op, "linalg.copy") && !tt_op_is(op, "linalg.fill"));
  for (intptr_t i = 0; compute && i < mlirOperationGetNumOperands(op); ++i)
    search->found |= holds_32bit(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Tensors that are stored in 32 bits, or as halves, whatever their elements are. */
static bool holds_stored_32bit(MlirOperation func) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(func); ++i) {
    MlirAttribute buffer = mlirOperationGetDiscardableAttribute(func, i).attribute;
    if (!tt_buffer_attr_isa(buffer)) continue;
    TtDType dtype = tt_buffer_attr_dtype(buffer);
    if (dtype == TT_D_TYPE_FP32 || dtype == TT_D_TYPE_FP16) return true;
  }
  return false;
}

bool tt_dst_is_32bit(MlirOperation func) {
  MlirAttribute asked = tt_get_attr(func, "tt.fp32_dest_acc");
  if (!mlirAttributeIsNull(asked))
    return mlirAttributeIsAUnit(asked) || mlirBoolAttrGetValue(asked);
  Search search = {holds_stored_32bit(func)};
  if (!search.found) mlirOperationWalk(func, find_32bit, &search, MlirWalkPreOrder);
  return search.found;
}

int64_t tt_dst_capacity(MlirOperation func) {
  TtTarget target = tt_target_of(func);
  return tt_dst_is_32bit(func) ? target.chip->dst_tiles_32 : target.chip->dst_tiles_16;
}
