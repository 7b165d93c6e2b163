/*===- own_rows.c - buffers of which each step of a loop has a row ----------------------------===
 *
 *   %m = alloc : memref<4x32xf32>                    for %h = 0 to 4 {
 *   for %h = 0 to 4 {                                  %m = alloc : memref<32xf32>
 *     linalg.fill … outs(%m[%h, 0] [1, 32])        =   linalg.fill … outs(%m)
 *     for %j { f outs(%m[%h, 0] [1, 32]) }             for %j { f outs(%m) }
 *     copy %m[%h, 0] [1, 32], %C[%h, 0]                copy %m, %C[%h, 0]
 *   }                                                }
 *
 * where nothing else uses the buffer, also where a step takes the first elements of its row, as
 * many as a run says: no step sees what another one leaves. A row of a buffer would be selected
 * among all of it, in each op.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/slices.h"

/*===- Uses ---------------------------------------------------------------------------------===*/

/* The operand of `op` from which on indices, or offsets, in `buffer` stand; -1 for other ops. */
static intptr_t first_index(MlirOperation op, MlirValue buffer) {
  if (tt_op_is(op, "memref.load")) return 1;
  bool stored = tt_op_is(op, "memref.store") &&
                tt_value_eq(mlirOperationGetOperand(op, 1), buffer) &&
                !tt_value_eq(mlirOperationGetOperand(op, 0), buffer);
  if (stored) return 2;
  return tt_op_is(op, "memref.subview") ? 1 : -1;
}

static int64_t static_of(MlirOperation view, const char *name, intptr_t d) {
  return mlirDenseI64ArrayGetElement(tt_op_attr(view, name), d);
}

/* The index, or the offset, of `op` in dimension `d`; null where that is a constant of a view. */
static MlirValue index_in(MlirOperation op, intptr_t first, intptr_t d) {
  if (!tt_op_is(op, "memref.subview")) return mlirOperationGetOperand(op, first + d);
  if (static_of(op, "static_offsets", d) != INT64_MIN) return (MlirValue){NULL};
  for (intptr_t i = 0; i < d; ++i) first += static_of(op, "static_offsets", i) == INT64_MIN;
  return mlirOperationGetOperand(op, first);
}

/* Whether a view is one step's part of dimension `d`, and drops no other dimension than that. */
static bool is_row(MlirOperation view, intptr_t d, intptr_t rank) {
  if (static_of(view, "static_sizes", d) != 1 ||
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(view, 0))) != rank - 1)
    return false;
  for (intptr_t i = 0; i < rank; ++i)
    if (static_of(view, "static_strides", i) != 1 ||
        (i != d && static_of(view, "static_sizes", i) == 1))
      return false;
  return true;
}

/* The loop whose variable is the index in dimension `d` of all uses of `buffer`, which stand in it;
 * null where there is none. */
static MlirOperation loop_of_rows(MlirOperation alloc, MlirValue buffer, intptr_t d) {
  MlirOperation loop = {NULL}, none = {NULL};
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(buffer));
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t first = first_index(op, buffer);
    MlirValue at = first < 0 ? (MlirValue){NULL} : index_in(op, first, d);
    if (tt_is_null_value(at) || !mlirValueIsABlockArgument(at) ||
        (tt_op_is(op, "memref.subview") && !is_row(op, d, rank)))
      return none;
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(at));
    if (!mlirOperationIsNull(loop) && !tt_op_eq(loop, around)) return none;
    loop = around;
    if (!tt_op_is(loop, "scf.for") || !tt_value_eq(tt_for_iv(loop), at) ||
        !mlirBlockEqual(mlirOperationGetBlock(loop), mlirOperationGetBlock(alloc)))
      return none;
  }
  return loop;
}

/*===- Rows ---------------------------------------------------------------------------------===*/

static MlirOperation alloc_row(MlirOperation alloc, MlirOperation loop, intptr_t d) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  intptr_t rank = mlirShapedTypeGetRank(type), n = 0;
  int64_t shape[TT_MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i)
    if (i != d) shape[n++] = mlirShapedTypeGetDimSize(type, i);
  TtBuilder b = tt_builder_at_start(tt_for_body(loop));
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(alloc));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), n, shape,
                                                     mlirMemRefTypeGetMemorySpace(type)));
  return tt_builder_insert(&b, tt_op_state_finish(&s));
}

/* A load or a store, without index `d`. */
static void drop_index(MlirOperation op, intptr_t first, intptr_t d, MlirValue row) {
  TtBuilder b = tt_builder_before(op);
  bool load = first == 1;
  TtOpState s = tt_op_state(load ? "memref.load" : "memref.store", mlirOperationGetLocation(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (i != first + d)
      tt_op_state_operand(&s, i == first - 1 ? row : mlirOperationGetOperand(op, i));
  if (load) tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, 0)));
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  if (load) tt_replace(op, mlirOperationGetResult(made, 0));
  else mlirOperationDestroy(op);
}

/* Whether a view, but for dimension `d`, is all of its buffer; `open`: or as much of it from the
 * start on as a run says. */
static bool is_whole_row(MlirOperation view, intptr_t d, MlirType type, bool open) {
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    int64_t size = static_of(view, "static_sizes", i);
    if (i != d && (static_of(view, "static_offsets", i) != 0 ||
                   (size != mlirShapedTypeGetDimSize(type, i) && !(open && size == INT64_MIN))))
      return false;
  }
  return true;
}

/* All uses are whole rows, or the first elements of rows, or elements. */
static bool takes_whole_rows(MlirValue buffer, intptr_t d) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "memref.subview") && !is_whole_row(op, d, mlirValueGetType(buffer), true))
      return false;
  }
  return true;
}

/* What a view, which is a row, or the first elements of one, is of a buffer of that row. */
static MlirValue of_row(MlirOperation view, intptr_t d, MlirValue row) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(view, 0));
  if (is_whole_row(view, d, type, false)) return row;
  TtBuilder b = tt_builder_before(view);
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirValue at[TT_MAX_RANK], given[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  intptr_t n = 0, open = 1; /* its operands: the buffer, offsets, sizes */
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i) open += static_of(view, "static_offsets", i) == INT64_MIN;
  for (intptr_t i = 0; i < rank; ++i) {
    if (i == d) continue;
    at[n] = given[n] = (MlirValue){NULL}, keeps[n] = true;
    sizes[n] = static_of(view, "static_sizes", i);
    if (sizes[n] == INT64_MIN) given[n] = mlirOperationGetOperand(view, open++);
    ++n;
  }
  return tt_open_subview(&b, loc, row, at, sizes, given, keeps);
}

static bool own_rows(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > TT_MAX_RANK) return false;
  for (intptr_t d = 0; d < rank; ++d) {
    bool constant = true; /* but for the number of rows */
    for (intptr_t i = 0; i < rank; ++i) constant &= i == d || !mlirShapedTypeIsDynamicDim(type, i);
    if (!constant) continue;
    MlirOperation loop = loop_of_rows(alloc, buffer, d);
    if (mlirOperationIsNull(loop) || !takes_whole_rows(buffer, d)) continue;
    MlirValue row = mlirOperationGetResult(alloc_row(alloc, loop, d), 0);
    while (tt_has_uses(buffer)) {
      MlirOperation op = mlirOpOperandGetOwner(mlirValueGetFirstUse(buffer));
      if (tt_op_is(op, "memref.subview")) tt_replace(op, of_row(op, d, row));
      else drop_index(op, first_index(op, buffer), d, row);
    }
    mlirOperationDestroy(alloc);
    return true;
  }
  return false;
}

void tt_own_rows(TtArena *arena, MlirOperation kernel) {
  for (bool any = true; any;) {
    TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
    any = false;
    for (intptr_t i = 0; i < allocs.n; ++i) any |= own_rows(allocs.data[i]);
  }
}
