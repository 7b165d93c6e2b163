/*===- keep_outputs.c - --tt-keep-outputs ---------------------------------------------------===
 *
 * A block of a result that ops of a cell write, and others read after that, is a buffer of the core
 * until the cell ends: the tensor itself may be read before it is written only.
 *
 *   before  scf.forall (%h) { %o = subview %O[%h, 0] [1, 64]     after  %b = memref.alloc()
 *             fill %o   for %p { %o += … }   %o = %o / %l }               fill %b  for %p { %b += …
 * } %b = %b / %l copy %b, %o
 *
 * What the cell does not overwrite first is copied to the buffer before. Ops may also work on parts
 * of the block, such as a column in each step of a loop, which become parts of the buffer. Requires
 * that loops over elements are raised, and all uses in the cell to be of one block.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kept_dims.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/slices.h"

enum { MOST_VIEWS = 64 };

typedef struct Kept {
  TtArena *arena;
  MlirBlock cell;
  MlirValue tensor, block; /* a view of the tensor that has all others in it, or itself */
  TtOps users;             /* in their order */
} Kept;

static bool same_array(MlirOperation a, MlirOperation b, const char *name) {
  return mlirAttributeEqual(tt_op_attr(a, name), tt_op_attr(b, name));
}

static bool same_view(TtArena *arena, MlirValue x, MlirValue y) {
  MlirOperation a = tt_defining_op(x), b = tt_defining_op(y);
  if (tt_value_eq(x, y)) return true;
  intptr_t n = mlirOperationIsNull(a) ? 0 : mlirOperationGetNumOperands(a);
  bool same = tt_op_is(a, "memref.subview") && tt_op_is(b, "memref.subview") &&
              n == mlirOperationGetNumOperands(b) && same_array(a, b, "static_offsets") &&
              same_array(a, b, "static_sizes") && same_array(a, b, "static_strides") &&
              mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y));
  for (intptr_t i = 1; same && i < n; ++i)
    same = tt_same_index(arena, mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i));
  return same;
}

/* Whether the operands of a view are there wherever the block of the cell goes on. */
static bool is_of_cell(const Kept *k, MlirValue view) {
  MlirOperation op = tt_defining_op(view);
  for (intptr_t i = 1; tt_op_is(op, "memref.subview") && i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, i));
    MlirOperation at = mlirOperationIsNull(from) ? from : tt_ancestor_in(k->cell, from);
    bool loop =
        mlirOperationIsNull(from) &&
        !mlirBlockEqual(mlirBlockArgumentGetOwner(mlirOperationGetOperand(op, i)), k->cell) &&
        !mlirOperationIsNull(
            tt_ancestor_in(k->cell, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(
                                        mlirOperationGetOperand(op, i)))));
    if (loop || (!mlirOperationIsNull(at) && !tt_op_eq(at, from))) return false;
  }
  return true;
}

static bool reads(MlirOperation op, MlirValue block) {
  if (tt_op_is(op, "memref.copy")) return tt_value_eq(mlirOperationGetOperand(op, 0), block);
  intptr_t inputs = tt_linalg_num_inputs(op);
  MlirBlock body = tt_body(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(op, i), block)) continue;
    if (i < inputs) return true;
    bool argument = !mlirBlockIsNull(body) && i < mlirBlockGetNumArguments(body);
    if (argument && tt_has_uses(mlirBlockGetArgument(body, i))) return true;
  }
  return false;
}

static bool writes(MlirOperation op, MlirValue block) {
  if (tt_op_is(op, "memref.copy")) return tt_value_eq(mlirOperationGetOperand(op, 1), block);
  for (intptr_t i = tt_linalg_num_inputs(op); i < mlirOperationGetNumOperands(op); ++i)
    if (tt_value_eq(mlirOperationGetOperand(op, i), block)) return true;
  return false;
}

/*===- Parts of the block --------------------------------------------------------------------===*/

/* What a view takes along a dimension of the tensor; `view`: the tensor itself, too. */
typedef struct Extent {
  MlirValue offset; /* null: `start` */
  int64_t start, size;
} Extent;

/* False where it is no plain view of the tensor of constant size. */
static bool extent_of(MlirValue view, intptr_t d, Extent *e) {
  MlirOperation op = tt_defining_op(view);
  if (mlirOperationIsNull(op)) {
    *e = (Extent){{NULL}, 0, mlirShapedTypeGetDimSize(mlirValueGetType(view), d)};
    return e->size >= 0;
  }
  if (!tt_op_is(op, "memref.subview") ||
      !mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0)) ||
      mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_strides"), d) != 1)
    return false;
  MlirAttribute offsets = tt_op_attr(op, "static_offsets");
  *e = (Extent){{NULL},
                mlirDenseI64ArrayGetElement(offsets, d),
                mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_sizes"), d)};
  intptr_t operand = 1;
  for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(offsets, i) == INT64_MIN;
  if (e->start == INT64_MIN) e->offset = mlirOperationGetOperand(op, operand), e->start = 0;
  return e->size >= 0;
}

static bool keeps_of(const Kept *k, MlirValue view, bool *keeps) {
  MlirOperation op = tt_defining_op(view);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(k->tensor));
  for (intptr_t d = 0; d < rank; ++d) keeps[d] = true;
  return mlirOperationIsNull(op) || tt_subview_keeps(op, keeps);
}

/* Whether `view` lies in `block`: along each dimension it is as that is, or a part of all of it. */
static bool is_part(const Kept *k, MlirValue block, MlirValue view) {
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(k->tensor));
  bool has[TT_MAX_RANK], keeps[TT_MAX_RANK];
  if (rank > TT_MAX_RANK || !keeps_of(k, block, has) || !keeps_of(k, view, keeps)) return false;
  for (intptr_t d = 0; d < rank; ++d) {
    Extent all, part;
    if (!extent_of(block, d, &all) || !extent_of(view, d, &part) || (keeps[d] && !has[d]))
      return false;
    bool plain = tt_is_null_value(all.offset) && tt_is_null_value(part.offset),
         same = plain ? all.start == part.start
                      : !tt_is_null_value(all.offset) && !tt_is_null_value(part.offset) &&
                            tt_same_index(k->arena, all.offset, part.offset);
    if (same && all.size == part.size) continue;
    if (!has[d] || !tt_is_null_value(all.offset) || all.start != 0) return false;
    TtIndexRange at = {part.start, part.start};
    bool known = tt_is_null_value(part.offset) || tt_index_range(k->arena, part.offset, &at);
    if (!known || at.least < 0 || at.most + part.size > all.size) return false;
  }
  return true;
}

/* What `view` is of the buffer, before `user`. */
static MlirValue part_of(const Kept *k, MlirOperation user, MlirValue view, MlirValue buffer) {
  if (same_view(k->arena, k->block, view)) return buffer;
  TtBuilder b = tt_builder_before(user);
  MlirLocation loc = mlirOperationGetLocation(user);
  bool has[TT_MAX_RANK], keeps[TT_MAX_RANK], own[TT_MAX_RANK];
  MlirValue at[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  intptr_t n = 0;
  keeps_of(k, k->block, has), keeps_of(k, view, keeps);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(k->tensor)); ++d) {
    Extent all, part;
    if (!has[d]) continue;
    extent_of(k->block, d, &all), extent_of(view, d, &part);
    bool whole = all.size == part.size;
    at[n] = whole || tt_is_null_value(part.offset) ? tt_index(&b, loc, whole ? 0 : part.start)
                                                   : part.offset;
    sizes[n] = part.size, own[n++] = keeps[d];
  }
  return tt_subview(&b, loc, buffer, at, sizes, own);
}

/* Notes the uses of the tensor in the cell; false where they are not all of one block. */
static bool find_uses(Kept *k) {
  TtOps all = tt_collect(k->arena, mlirBlockGetParentOperation(k->cell), NULL);
  MlirValue views[MOST_VIEWS];
  intptr_t n = 0;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      if (!tt_is_memref(mlirValueGetType(operand)) ||
          !tt_value_eq(tt_view_root(operand), k->tensor))
        continue;
      if (tt_op_is(op, "memref.subview") && tt_value_eq(operand, k->tensor)) break;
      bool known = tt_is_linalg(op) || tt_op_is(op, "memref.copy");
      if (!known || n == MOST_VIEWS) return false;
      views[n++] = operand;
      if (k->users.n == 0 || !tt_op_eq(k->users.data[k->users.n - 1], op))
        tt_ops_add(k->arena, &k->users, op);
    }
  }
  if (k->users.n < 2) return false;
  for (intptr_t i = 0; i < n; ++i) {
    bool block = is_of_cell(k, views[i]);
    for (intptr_t j = 0; j < n && block; ++j)
      block = (same_view(k->arena, views[i], views[j]) && is_of_cell(k, views[j])) ||
              is_part(k, views[i], views[j]);
    if (block) return k->block = views[i], true;
  }
  return false;
}

/* The operand of a user that is the block, under whichever name. */
static MlirValue own_name(const Kept *k, MlirOperation user) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(user); ++j) {
    MlirValue operand = mlirOperationGetOperand(user, j);
    if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), k->tensor))
      return operand;
  }
  return (MlirValue){NULL};
}

/* Whether an op reads what another one, that does more than to fill, has written. */
static bool is_read_again(const Kept *k) {
  bool written = false;
  for (intptr_t i = 0; i < k->users.n; ++i) {
    MlirOperation op = k->users.data[i];
    MlirValue name = own_name(k, op);
    if (written && reads(op, name)) return true;
    written |= writes(op, name) && !tt_op_is(op, "linalg.fill");
  }
  return false;
}

static void copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The block again, at `b`. */
static MlirValue view_at(const Kept *k, TtBuilder *b) {
  MlirOperation view = tt_defining_op(k->block);
  if (mlirOperationIsNull(view)) return k->block;
  return mlirOperationGetResult(tt_builder_insert(b, mlirOperationClone(view)), 0);
}

/* Adds the sizes of the block that are not constant; false where the view does not say them. */
static bool add_sizes(const Kept *k, MlirType type, TtOpState *s, int32_t *n) {
  MlirOperation view = tt_defining_op(k->block);
  intptr_t rank = mlirShapedTypeGetRank(type), operand = 1, open = 0;
  for (intptr_t d = 0; d < rank; ++d) open += mlirShapedTypeIsDynamicDim(type, d);
  *n = 0;
  if (open == 0) return true;
  if (!tt_op_is(view, "memref.subview")) return false;
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                sizes = tt_op_attr(view, "static_sizes");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(offsets); ++d)
    operand += mlirDenseI64ArrayGetElement(offsets, d) == INT64_MIN;
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(sizes); ++d) {
    if (mlirDenseI64ArrayGetElement(sizes, d) != INT64_MIN) continue;
    MlirValue size = mlirOperationGetOperand(view, operand++);
    if (tt_index_bound(size) < 0) return false; /* a buffer has room for the most that it may be */
    if (s) tt_op_state_operand(s, size);
    ++*n;
  }
  return *n == open;
}

static void keep(Kept *k) {
  MlirOperation first = tt_ancestor_in(k->cell, k->users.data[0]);
  MlirLocation loc = mlirOperationGetLocation(k->users.data[0]);
  MlirType type = mlirValueGetType(k->block);
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  TtBuilder before = tt_builder_before(first),
            end = tt_builder_before(mlirBlockGetTerminator(k->cell));
  TtOpState s = tt_op_state("memref.alloc", loc);
  int32_t sizes;
  add_sizes(k, type, &s, &sizes);
  tt_op_state_attr(&s, before.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(before.context, 2, (int32_t[]){sizes, 0}));
  tt_op_state_result(
      &s, mlirMemRefTypeContiguousGet(
              mlirShapedTypeGetElementType(type), rank, shape,
              mlirAttributeParseGet(before.context, tt_str("#gpu.address_space<private>"))));
  MlirValue buffer = mlirOperationGetResult(tt_builder_insert(&before, tt_op_state_finish(&s)), 0);
  bool overwritten = tt_op_eq(first, k->users.data[0]) && !reads(first, own_name(k, first)) &&
                     same_view(k->arena, k->block, own_name(k, first));
  copy(&end, loc, buffer, view_at(k, &end));
  if (!overwritten) copy(&before, loc, view_at(k, &before), buffer);
  for (intptr_t i = 0; i < k->users.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(k->users.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(k->users.data[i], j);
      if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), k->tensor))
        mlirOperationSetOperand(k->users.data[i], j, part_of(k, k->users.data[i], operand, buffer));
    }
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps grids = tt_collect(arena, kernel, "scf.forall");
  for (intptr_t i = 0; i < args.n; ++i) {
    if (!args.data[i].is_tensor || !args.data[i].written) continue;
    for (intptr_t g = 0; g < (grids.n ? grids.n : 1); ++g) {
      Kept k = {.arena = arena,
                .cell = tt_body(grids.n ? grids.data[g] : kernel),
                .tensor = args.data[i].value};
      int32_t sizes;
      if (find_uses(&k) && is_read_again(&k) &&
          add_sizes(&k, mlirValueGetType(k.block), NULL, &sizes) &&
          mlirShapedTypeGetRank(mlirValueGetType(k.block)) <= TT_MAX_RANK)
        keep(&k);
    }
  }
  return true;
}

bool tt_run_keep_outputs(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
