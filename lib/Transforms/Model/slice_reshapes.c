/*===- slice_reshapes.c - --tt-slice-reshapes ------------------------------------------------===
 *
 * Blocks of a reshaped tensor become blocks of the tensor, and what the grid writes has the
 * shape in which it is read: split and merged heads are columns of one matrix, and nothing moves.
 *
 *   before  %e = tensor.expand_shape %q [[0], [1, 2]] : tensor<128x256xbf16> into
 * tensor<128x4x64xbf16> %b = tensor.extract_slice %e[%t, %h, 0] [32, 1, 64] [1, 1, 1] after   %0 =
 * affine.apply (d0) -> (d0 * 64)(%h) %s = tensor.extract_slice %q[%t, %0] [32, 64] [1, 1] %b =
 * tensor.expand_shape %s [[0], [1, 2]] : tensor<32x64xbf16> into tensor<32x1x64xbf16>
 *
 *   before  %r = scf.forall … shared_outs(%o = %0) -> tensor<128x4x64xbf16>
 *             { tensor.parallel_insert_slice %x into %o[%t, %h, 0] [32, 1, 64] }
 *           %c = tensor.collapse_shape %r [[0], [1, 2]]
 *   after   %c = scf.forall … shared_outs(%o = %0) -> tensor<128x256xbf16>
 *             { tensor.parallel_insert_slice %x' into %o[%t, %h * 64] [32, 64] }
 *
 * A block must be of one piece in each dimension of the tensor, and keep its elements in their
 * tiles; others keep their reshapes.
 *
 * Requires --tt-schedule-model.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Target/formats.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

/* The dimensions of the larger shape that make one of the smaller: [first, first + n). */
typedef struct Group {
  intptr_t first, n;
} Group;

static intptr_t read_groups(MlirAttribute reassociation, Group *groups) {
  intptr_t n = mlirArrayAttrGetNumElements(reassociation), at = 0;
  for (intptr_t i = 0; i < n && i < TT_SLICE_RANK; ++i) {
    groups[i] = (Group){at, mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(reassociation, i))};
    at += groups[i].n;
  }
  return n;
}

static MlirValue apply(TtBuilder *b, MlirLocation loc, MlirAffineExpr expr, intptr_t n,
                       const MlirValue *operands) {
  TtOpState s = tt_op_state("affine.apply", loc);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, operands[i]);
  MlirAffineMap map = mlirAffineMapGet(b->context, n, 0, 1, &expr);
  tt_op_state_attr(&s, b->context, "map", mlirAffineMapAttrGet(map));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* value * factor */
static TtSize times(TtBuilder *b, MlirLocation loc, TtSize size, int64_t factor) {
  if (tt_is_null_value(size.value)) return (TtSize){{NULL}, size.number * factor};
  if (factor == 1) return size;
  MlirAffineExpr d0 = mlirAffineDimExprGet(b->context, 0),
                 c = mlirAffineConstantExprGet(b->context, factor);
  return (TtSize){apply(b, loc, mlirAffineMulExprGet(d0, c), 1, &size.value), 0};
}

static TtSize sum(TtBuilder *b, MlirLocation loc, TtSize x, TtSize y) {
  bool cx = tt_is_null_value(x.value), cy = tt_is_null_value(y.value);
  if (cx && cy) return (TtSize){{NULL}, x.number + y.number};
  if (cx && x.number == 0) return y;
  if (cy && y.number == 0) return x;
  MlirValue operands[2];
  intptr_t n = 0;
  MlirAffineExpr terms[2];
  for (int i = 0; i < 2; ++i) {
    TtSize t = i ? y : x;
    terms[i] = tt_is_null_value(t.value) ? mlirAffineConstantExprGet(b->context, t.number)
                                         : mlirAffineDimExprGet(b->context, n);
    if (!tt_is_null_value(t.value)) operands[n++] = t.value;
  }
  return (TtSize){apply(b, loc, mlirAffineAddExprGet(terms[0], terms[1]), n, operands), 0};
}

/* Whether a block of `slice` is one range of what the dimensions of `group` make: the last ones
 * are whole, one has some elements, and those before it have one. */
static bool is_range(const TtSlice *slice, MlirType type, Group group) {
  bool closed = false;
  for (intptr_t d = group.first + group.n; d-- > group.first;) {
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    bool constant = tt_is_null_value(slice->size[d].value);
    if (closed && !(constant && slice->size[d].number == 1)) return false;
    if (extent < 0 && d > group.first) return false;
    closed = closed || !constant || slice->size[d].number != extent;
  }
  return true;
}

/* Whether elements of a block stay in their tiles when the dimensions of `group` are one: of
 * several that the block has elements of, the inner ones are whole tiles, where rows or columns
 * are. */
static bool keeps_tiles(const TtSlice *slice, MlirType type, Group group) {
  if (group.first + group.n <= mlirShapedTypeGetRank(type) - 2) return true;
  int64_t inner = 1;
  for (intptr_t d = group.first + group.n; d-- > group.first;) {
    int64_t size = tt_is_null_value(slice->size[d].value) ? slice->size[d].number : -1;
    if (size == 1) continue;
    if (inner != 1 && (inner < 0 || inner % TT_TILE != 0)) return false;
    inner *= size;
  }
  return true;
}

/* Whether all that a block has several elements of are dimensions of `group`, and two or more: its
 * rows and columns would be of one dimension. */
static bool is_cut(const TtSlice *slice, Group group) {
  intptr_t inside = 0;
  for (intptr_t d = 0; d < slice->rank; ++d) {
    if (tt_is_null_value(slice->size[d].value) && slice->size[d].number == 1) continue;
    if (d < group.first || d >= group.first + group.n) return false;
    ++inside;
  }
  return inside > 1;
}

static void join(TtBuilder *b, MlirLocation loc, const TtSlice *slice, MlirType type, Group group,
                 TtSize *offset, TtSize *size) {
  int64_t stride = 1;
  *offset = (TtSize){{NULL}, 0};
  *size = (TtSize){{NULL}, 1};
  bool closed = false;
  for (intptr_t d = group.first + group.n; d-- > group.first;) {
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    if (!closed) *size = times(b, loc, slice->size[d], stride);
    closed = !tt_is_null_value(slice->size[d].value) || slice->size[d].number != extent;
    *offset = sum(b, loc, *offset, times(b, loc, slice->offset[d], stride));
    stride *= extent;
  }
}

/*===- Blocks ------------------------------------------------------------------------------===*/

static MlirType with_shape(MlirType type, intptr_t rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/* `slice`, of a tensor of type `type`, as one of `whole`, of which groups of its dimensions make
 * one each. False where a block is of several pieces. */
static bool merge(TtBuilder *b, MlirLocation loc, TtSlice *slice, MlirType type, MlirValue whole,
                  intptr_t n, const Group *groups) {
  for (intptr_t i = 0; i < n; ++i)
    if (!is_range(slice, type, groups[i])) return false;
  TtSlice merged = {.part = slice->part, .whole = whole, .rank = n};
  for (intptr_t i = 0; i < n; ++i)
    join(b, loc, slice, type, groups[i], &merged.offset[i], &merged.size[i]);
  *slice = merged;
  return true;
}

static MlirType block_type(MlirType type, const TtSlice *slice) {
  int64_t shape[TT_SLICE_RANK];
  for (intptr_t i = 0; i < slice->rank; ++i)
    shape[i] = tt_is_null_value(slice->size[i].value) ? slice->size[i].number
                                                      : mlirShapedTypeGetDynamicSize();
  return with_shape(type, slice->rank, shape);
}

static bool slice_expanded(MlirOperation op) {
  MlirOperation expand = tt_defining_op(mlirOperationGetOperand(op, 0));
  TtSlice slice;
  if (!tt_op_is(expand, "tensor.expand_shape") || !tt_slice_read(op, &slice)) return false;
  MlirType type = mlirValueGetType(slice.whole),
           block = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirShapedTypeGetRank(block) != slice.rank) return false;
  Group groups[TT_SLICE_RANK];
  MlirAttribute reassociation = tt_op_attr(expand, "reassociation");
  intptr_t n = read_groups(reassociation, groups);
  for (intptr_t i = 0; i < n; ++i)
    if (!keeps_tiles(&slice, type, groups[i]) || is_cut(&slice, groups[i])) return false;
  TtSlice before = slice;
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!merge(&b, loc, &slice, type, mlirOperationGetOperand(expand, 0), n, groups)) return false;
  MlirOperation placeholder = tt_builder_insert(&b, mlirOperationClone(op));
  MlirOperation made = tt_slice_replace(placeholder, &slice, block_type(type, &slice));
  tt_replace(op, tt_reshape(&b, loc, mlirOperationGetResult(made, 0), block, reassociation, true,
                            &before));
  return true;
}

/* A slice of a slice is one of what that is of. */
static bool slice_slice(MlirOperation op) {
  MlirOperation source = tt_defining_op(mlirOperationGetOperand(op, 0));
  TtSlice outer, inner;
  if (!tt_op_is(source, "tensor.extract_slice") || !tt_slice_read(source, &outer) ||
      !tt_slice_read(op, &inner) || inner.rank != outer.rank)
    return false;
  TtBuilder b = tt_builder_before(op);
  for (intptr_t d = 0; d < inner.rank; ++d)
    inner.offset[d] = sum(&b, mlirOperationGetLocation(op), inner.offset[d], outer.offset[d]);
  inner.whole = outer.whole;
  tt_slice_replace(op, &inner, mlirValueGetType(mlirOperationGetResult(op, 0)));
  return true;
}

/* The size of dimension `d` of `value`, where an op before says it. */
static bool size_of(MlirValue value, intptr_t d, TtSize *size) {
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(value), d);
  *size = (TtSize){{NULL}, n};
  if (n >= 0) return true;
  while (mlirValueIsABlockArgument(value)) { /* of a loop: what it starts with */
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t i = mlirBlockArgumentGetArgNumber(value);
    if (!tt_op_is(loop, "scf.for") || i < 1) return false;
    value = mlirOperationGetOperand(loop, 2 + i);
  }
  MlirOperation op = tt_defining_op(value);
  if (tt_op_is(op, "scf.for"))
    return size_of(mlirOperationGetOperand(op, 3 + mlirOpResultGetResultNumber(value)), d, size);
  if (tt_is_linalg(op) && mlirOperationGetNumResults(op) == 1)
    return size_of(mlirOperationGetOperand(op, tt_linalg_num_inputs(op)), d, size);
  TtSlice slice;
  if (!tt_is_extraction(op) || !tt_slice_read(op, &slice) ||
      mlirShapedTypeGetRank(mlirValueGetType(value)) != slice.rank)
    return false;
  *size = slice.size[d];
  return true;
}

/* Whether a slice is all of its whole. */
static bool is_whole(const TtSlice *slice) {
  for (intptr_t d = 0; d < slice->rank; ++d) {
    TtSize all, part = slice->size[d];
    if (!tt_is_null_value(slice->offset[d].value) || slice->offset[d].number != 0 ||
        !size_of(slice->whole, d, &all))
      return false;
    bool constant = tt_is_null_value(part.value);
    if (constant != tt_is_null_value(all.value) ||
        (constant ? part.number != all.number : !tt_value_eq(part.value, all.value)))
      return false;
  }
  return true;
}

/* A slice that is all of its whole is that, and so is what it is put into. */
static void drop_whole_slice(MlirOperation op) {
  TtSlice slice;
  MlirValue other = mlirOperationGetOperand(op, 0);
  if (tt_op_is(op, "tensor.parallel_insert_slice") || !tt_slice_read(op, &slice) ||
      !is_whole(&slice) ||
      !mlirTypeEqual(mlirValueGetType(other), mlirValueGetType(mlirOperationGetResult(op, 0))))
    return;
  tt_replace(op, other);
}

/*===- What grids write ----------------------------------------------------------------------===*/

/* The one op that uses `value`, a collapse_shape; null where there is another. */
static MlirOperation only_collapse(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  MlirOperation none = {NULL};
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return none;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return tt_op_is(user, "tensor.collapse_shape") ? user : none;
}

/* A slice of a grid's output, and the op that takes or inserts it. */
typedef struct Use {
  MlirOperation op;
  TtSlice slice;
} Use;

/* All uses of a grid's output `arg`; NULL where one is no slice, or none that is one range of each
 * dimension of what `groups` make. */
static Use *slices_of(TtArena *arena, MlirValue arg, intptr_t n, const Group *groups,
                      intptr_t *num_uses) {
  TtOps users = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    tt_ops_add(arena, &users, mlirOpOperandGetOwner(use));
  Use *uses = tt_arena_alloc(arena, (size_t)(users.n + 1) * sizeof *uses);
  for (intptr_t i = 0; i < users.n; ++i) {
    uses[i].op = users.data[i];
    bool slices = tt_is_insertion(uses[i].op) || tt_is_extraction(uses[i].op);
    if (!slices || !tt_slice_read(uses[i].op, &uses[i].slice)) return NULL;
    for (intptr_t g = 0; g < n; ++g)
      if (!is_range(&uses[i].slice, mlirValueGetType(arg), groups[g])) return NULL;
  }
  *num_uses = users.n;
  return uses;
}

/* Makes a use one of the flat output, which `arg` is by now; `type` is what it was. */
static void flatten(MlirBlock body, Use *use, MlirValue arg, MlirType type, intptr_t n,
                    const Group *groups, MlirAttribute reassociation) {
  MlirOperation op = use->op;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtSlice slice = use->slice;
  if (tt_is_extraction(op)) {
    TtBuilder b = tt_builder_before(op);
    merge(&b, loc, &slice, type, arg, n, groups);
    MlirType shape = mlirValueGetType(mlirOperationGetResult(op, 0));
    MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(op));
    MlirOperation made = tt_slice_replace(copy, &slice, block_type(type, &slice));
    tt_replace(op, tt_reshape(&b, loc, mlirOperationGetResult(made, 0), shape, reassociation, true,
                              &use->slice));
    return;
  }
  /* Numbers are computed before the grid's end, which holds insertions only. */
  TtBuilder b = tt_builder_at_terminator(body);
  merge(&b, loc, &slice, type, arg, n, groups);
  slice.part =
      tt_reshape(&b, loc, slice.part, block_type(type, &slice), reassociation, false, NULL);
  tt_slice_replace(op, &slice, (MlirType){NULL});
}

/* Whether dimensions of open size are made one with no others. */
static bool keeps_open_dims(MlirType type, intptr_t n, const Group *groups) {
  for (intptr_t i = 0; i < n; ++i)
    for (intptr_t d = groups[i].first; groups[i].n > 1 && d < groups[i].first + groups[i].n; ++d)
      if (mlirShapedTypeIsDynamicDim(type, d)) return false;
  return true;
}

/* Output `i` of a grid, which is empty before, gets the shape of `collapse`. */
static void collapse_output(TtArena *arena, MlirOperation grid, intptr_t i,
                            MlirOperation collapse) {
  MlirBlock body = tt_body(grid);
  intptr_t outputs = mlirOperationGetNumResults(grid), num_uses,
           first = mlirOperationGetNumOperands(grid) - outputs;
  MlirValue arg = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - outputs + i);
  MlirOperation empty = tt_defining_op(mlirOperationGetOperand(grid, first + i));
  MlirType type = mlirValueGetType(arg),
           flat = mlirValueGetType(mlirOperationGetResult(collapse, 0));
  Group groups[TT_SLICE_RANK];
  MlirAttribute reassociation = tt_op_attr(collapse, "reassociation");
  intptr_t n = read_groups(reassociation, groups);
  if (!tt_op_is(empty, "tensor.empty") || !keeps_open_dims(type, n, groups)) return;
  Use *uses = slices_of(arena, arg, n, groups, &num_uses);
  if (!uses) return;
  mlirValueSetType(arg, flat);
  mlirValueSetType(mlirOperationGetResult(grid, i), flat);
  TtBuilder before = tt_builder_before(grid);
  TtOpState room = tt_op_state("tensor.empty", mlirOperationGetLocation(empty));
  for (intptr_t d = 0; d < mlirOperationGetNumOperands(empty); ++d)
    tt_op_state_operand(&room, mlirOperationGetOperand(empty, d));
  tt_op_state_result(&room, flat);
  mlirOperationSetOperand(
      grid, first + i,
      mlirOperationGetResult(tt_builder_insert(&before, tt_op_state_finish(&room)), 0));
  for (intptr_t u = 0; u < num_uses; ++u)
    flatten(body, &uses[u], arg, type, n, groups, reassociation);
  tt_replace(collapse, mlirOperationGetResult(grid, i));
}

static bool slice_reshapes(TtArena *arena, MlirOperation func) {
  TtOps grids = tt_collect(arena, func, "scf.forall");
  for (intptr_t i = 0; i < grids.n; ++i)
    for (intptr_t r = 0; r < mlirOperationGetNumResults(grids.data[i]); ++r) {
      MlirOperation collapse = only_collapse(mlirOperationGetResult(grids.data[i], r));
      if (!mlirOperationIsNull(collapse)) collapse_output(arena, grids.data[i], r, collapse);
    }
  TtOps all = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_is_extraction(all.data[i]) || tt_is_insertion(all.data[i]))
      drop_whole_slice(all.data[i]);
  TtOps slices = tt_collect(arena, func, "tensor.extract_slice");
  for (intptr_t i = 0; i < slices.n; ++i) slice_slice(slices.data[i]);
  slices = tt_collect(arena, func, "tensor.extract_slice");
  for (intptr_t i = 0; i < slices.n; ++i) slice_expanded(slices.data[i]);
  tt_erase_dead(func);
  return true;
}

bool tt_run_slice_reshapes(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, slice_reshapes);
}
