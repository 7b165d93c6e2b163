/*===- partial.c - blocks whose size is known when the kernel runs only -----------------------===
 *
 * Tiling leaves a smaller block at the end of a tensor. On the core every block has the size
 * that it has at most; what the sizes are stays beside, for what must not count elements
 * behind the end:
 *
 *   %n = affine.min (160 - %m, 64)                              bound 64, size %n
 *   %a = memref.subview %A[%m, 0] [%n, 32]                    = the same of [64, 32], partial
 *   %s = memref.alloc(%n) : memref<?x32xbf16>                 = memref<64x32xbf16>
 *   %v = memref.subview %b[0, 0] [%n, 32]     (%b of 64x32)   = %b
 *   linalg.generic … (%s, %v)                                 = the same on whole blocks, and
 *                                                               (op, operand, dimension): %n
 *
 * A block of a tensor is partial where the tensor ends; where a table gives it another size, that
 * goes with the move (tt_block_sizes). Between C1 and C2 the sizes stand in the IR, as
 * memref.subview of the whole blocks.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/partial.h"

#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Analysis/kept_dims.h"

#include <string.h>

typedef struct Pass {
  TtArena *arena;
  MlirOperation func;
  TtArgs args;
  TtSizes *sizes;
} Pass;

MlirValue tt_size_of(const TtSizes *sizes, MlirOperation op, intptr_t operand, intptr_t dim) {
  for (const TtSize *s = sizes->first; s; s = s->next)
    if (s->operand == operand && s->dim == dim && tt_op_eq(s->op, op)) return s->value;
  return (MlirValue){NULL};
}

static void note_size(Pass *p, MlirOperation op, intptr_t operand, intptr_t dim, MlirValue value) {
  TtSize *s = tt_arena_alloc(p->arena, sizeof *s);
  *s = (TtSize){op, operand, dim, value, p->sizes->first};
  p->sizes->first = s;
}

/* The dimension that `dim` is of what `collapse` gives, where it is alone in its group; or -1. */
static intptr_t collapsed_dim(MlirOperation collapse, intptr_t dim) {
  MlirAttribute groups = tt_op_attr(collapse, "reassociation");
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    if (mlirArrayAttrGetNumElements(group) == 1 && tt_int(mlirArrayAttrGetElement(group, 0)) == dim)
      return g;
  }
  return -1;
}

/* What linalg ops know of dimension `dim` of `memref`. */
static void note_users(Pass *p, MlirValue memref, intptr_t dim, MlirValue size) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memref); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t collapsed = tt_op_is(op, "memref.collapse_shape") ? collapsed_dim(op, dim) : -1;
    if (collapsed >= 0) note_users(p, mlirOperationGetResult(op, 0), collapsed, size);
    if (tt_is_linalg(op) && !tt_is_copy(op))
      note_size(p, op, mlirOpOperandGetOperandNumber(use), dim, size);
  }
}

static bool bounded(MlirOperation op, MlirValue size, int64_t *bound) {
  bool constant = tt_constant(size, bound);
  if (!constant) *bound = tt_index_bound(size);
  /* None or one, as a tensor says: as a side of one element, there always would be one. */
  if (!constant && *bound == 1 && tt_is_loaded(size)) *bound = 2;
  if (*bound > 0) return true;
  return tt_error(
      op, "this size has no constant bound, and buffers of a core are of constant size; tile the "
          "dimension, and write the size of a block as affine.min or arith.minui of a "
          "constant and of what is left");
}

/* `type` with another shape. */
static MlirType reshaped(MlirType type, const int64_t *shape, bool plain) {
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), mlirShapedTypeGetRank(type), shape,
                           plain ? mlirAttributeGetNull() : mlirMemRefTypeGetLayout(type),
                           mlirMemRefTypeGetMemorySpace(type));
}

/*===- Buffers of the core ------------------------------------------------------------------===*/

static bool is_corner(MlirOperation op, intptr_t rank);

/* The constant size that all views of a buffer have along `d`; its own where they differ. */
static int64_t size_of_views(MlirValue memref, intptr_t d) {
  MlirType type = mlirValueGetType(memref);
  int64_t own = mlirShapedTypeGetDimSize(type, d), common = -1;
  for (MlirOpOperand use = mlirValueGetFirstUse(memref); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool corner = tt_op_is(op, "memref.subview") && is_corner(op, mlirShapedTypeGetRank(type)) &&
                  mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
                      mlirShapedTypeGetRank(type);
    int64_t size = corner ? mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_sizes"), d) : -1;
    if (size <= 0 || (common > 0 && size != common)) return own;
    common = size;
  }
  return common > 0 ? common : own;
}

/* A buffer of which only a smaller corner is used is as large as that. */
static void shrink_alloc(MlirOperation op) {
  MlirValue memref = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(memref);
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool smaller = false;
  for (intptr_t d = 0; d < rank && rank <= TT_MAX_RANK; ++d) {
    shape[d] = size_of_views(memref, d);
    smaller |= shape[d] != mlirShapedTypeGetDimSize(type, d);
  }
  if (!smaller) return;
  TtBuilder b = tt_builder_before(op);
  tt_replace(op, tt_static_alloc(&b, mlirOperationGetLocation(op), reshaped(type, shape, true)));
}

static bool fix_alloc(Pass *p, MlirOperation op) {
  MlirValue memref = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(memref);
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type), operand = 0;
  if (mlirShapedTypeHasStaticShape(type)) return shrink_alloc(op), true;
  for (intptr_t d = 0; d < rank && rank <= TT_MAX_RANK; ++d) {
    shape[d] = mlirShapedTypeGetDimSize(type, d);
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    MlirValue size = mlirOperationGetOperand(op, operand++);
    int64_t constant;
    if (!bounded(op, size, &shape[d])) return false;
    if (!tt_constant(size, &constant) && tt_index_known(size) < 0) note_users(p, memref, d, size);
  }
  TtBuilder b = tt_builder_before(op);
  MlirValue buffer = tt_static_alloc(&b, mlirOperationGetLocation(op), reshaped(type, shape, true));
  tt_replace(op, buffer);
  return true;
}

/* Whether a subview starts where its source does, with all steps 1. */
static bool is_corner(MlirOperation op, intptr_t rank) {
  MlirAttribute offsets = tt_op_attr(op, "static_offsets"),
                strides = tt_op_attr(op, "static_strides");
  for (intptr_t d = 0; d < rank; ++d)
    if (mlirDenseI64ArrayGetElement(offsets, d) != 0 ||
        mlirDenseI64ArrayGetElement(strides, d) != 1)
      return false;
  return true;
}

static bool is_dynamic_subview(MlirOperation op) {
  MlirAttribute sizes = tt_op_attr(op, "static_sizes");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(sizes); ++d)
    if (mlirDenseI64ArrayGetElement(sizes, d) == INT64_MIN) return true;
  return false;
}

static MlirValue size_operand(MlirOperation subview, intptr_t d) {
  MlirAttribute offsets = tt_op_attr(subview, "static_offsets"),
                sizes = tt_op_attr(subview, "static_sizes");
  intptr_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(offsets); ++i)
    operand += mlirDenseI64ArrayGetElement(offsets, i) == INT64_MIN;
  for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(sizes, i) == INT64_MIN;
  return mlirOperationGetOperand(subview, operand);
}

/* A smaller block in the corner of a buffer: the whole buffer, with its sizes beside. */
static bool fix_corner(Pass *p, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0), view = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(source);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAttribute sizes = tt_op_attr(op, "static_sizes");
  bool whole = mlirShapedTypeGetRank(mlirValueGetType(view)) == rank && is_corner(op, rank);
  for (intptr_t d = 0; whole && d < rank; ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d);
    int64_t known = size == INT64_MIN ? tt_index_known(size_operand(op, d)) : size;
    if (known < 0) note_users(p, view, d, size_operand(op, d));
    else whole = known == mlirShapedTypeGetDimSize(type, d);
  }
  if (!whole)
    return tt_error(
        op, "a part of a core's buffer whose size is known only when it runs is taken from its "
            "first element on, and whole in each dimension of constant size; of a row or a column "
            "inside, take as many elements as the buffer has, since what is behind the last one is "
            "not stored, or give it a buffer of its own");
  tt_replace(op, source);
  return true;
}

/* A view of all of a core's buffer, of constant size. */
static bool is_whole(MlirOperation op) {
  if (!tt_op_is(op, "memref.subview") || is_dynamic_subview(op)) return false;
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirOperation root = tt_defining_op(source);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t rank = mlirShapedTypeGetRank(from);
  bool buffer =
      tt_op_is(root, "memref.alloc") || tt_op_is(root, "memref.alloca") || tt_cb_view_isa(root);
  bool whole = buffer && rank == mlirShapedTypeGetRank(to) && is_corner(op, rank);
  for (intptr_t d = 0; whole && d < rank; ++d)
    whole = mlirShapedTypeGetDimSize(from, d) == mlirShapedTypeGetDimSize(to, d);
  return whole;
}

/*===- Blocks of tensors --------------------------------------------------------------------===*/

/* The dimension of the source that dimension `i` of a subview is. */
static intptr_t source_dim(MlirOperation op, intptr_t i) {
  intptr_t rank = mlirDenseArrayGetNumElements(tt_op_attr(op, "static_sizes"));
  bool keeps[TT_MAX_RANK];
  for (intptr_t d = 0; tt_subview_keeps(op, keeps) && d < rank; ++d)
    if (keeps[d] && i-- == 0) return d;
  return rank - 1;
}

/* Whether the block always has `bound` elements along `d`: it divides the tensor. */
static bool always_whole(Pass *p, TtBuilder *b, MlirOperation op, MlirType tensor, intptr_t d,
                         int64_t bound) {
  if (mlirShapedTypeIsDynamicDim(tensor, d) || mlirShapedTypeGetDimSize(tensor, d) % bound)
    return false;
  return !tt_is_null_value(tt_exact_quotient(p->arena, b, mlirOperationGetLocation(op),
                                             tt_subview_offset(b, op, d), bound));
}

/* `symbol` is the size of dimension `d` of the tensor, or of one that must be as large. */
static bool assume_equal(Pass *p, MlirOperation op, intptr_t d, MlirValue symbol) {
  MlirOperation arg = tt_defining_op(symbol);
  if (!tt_runtime_arg_isa(arg) || !tt_is_dim_name(tt_string(tt_runtime_arg_name(arg))))
    return false;
  const TtArg *tensor = tt_arg_of(p->args, mlirOperationGetOperand(op, 0));
  char *own = tt_dim_name(p->arena, tensor->name, d),
       *other = tt_arena_str(p->arena, tt_string(tt_runtime_arg_name(arg)));
  if (strcmp(own, other) != 0) tt_assume_equal_dims(p->arena, p->func, own, other);
  return true;
}

static bool ends_with_tensor(Pass *p, TtBuilder *b, MlirOperation op, MlirType tensor, intptr_t d) {
  MlirValue symbol = {NULL};
  int64_t whole = mlirShapedTypeIsDynamicDim(tensor, d) ? -1 : mlirShapedTypeGetDimSize(tensor, d);
  return tt_is_rest(p->arena, size_operand(op, d), tt_subview_offset(b, op, d), whole, &symbol) &&
         (whole >= 0 || assume_equal(p, op, d, symbol));
}

/* Of a block of a tensor: what tt_size_of knows it by. */
enum { OF_TENSOR = -1 };

bool tt_block_sizes(const TtSizes *sizes, MlirValue view, intptr_t rank, MlirValue *values) {
  bool any = false;
  for (intptr_t d = 0; d < rank; ++d) values[d] = (MlirValue){NULL};
  for (MlirOperation op = tt_defining_op(view); tt_op_is(op, "memref.subview");
       op = tt_defining_op(mlirOperationGetOperand(op, 0)))
    for (intptr_t d = 0; d < rank && tt_is_null_value(values[d]); ++d) {
      values[d] = tt_size_of(sizes, op, OF_TENSOR, d);
      any |= !tt_is_null_value(values[d]);
    }
  return any;
}

/* Whether integers of a tensor say how large a block is: what is not written keeps its values
 * (keep_rest.c). */
static bool is_by_table(TtBuilder *b, MlirOperation op, intptr_t d) {
  return tt_is_loaded(size_operand(op, d)) || tt_is_loaded(tt_subview_offset(b, op, d));
}

/* Whether ops only read a view. */
static bool is_only_read(MlirValue view) {
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t i = mlirOpOperandGetOperandNumber(use);
    bool copied = tt_op_is(op, "memref.copy") && i == 0;
    if (tt_op_is(op, "memref.collapse_shape") && is_only_read(mlirOperationGetResult(op, 0)))
      continue;
    if (!copied && (!tt_is_linalg(op) || i >= tt_linalg_num_inputs(op))) return false;
  }
  return true;
}

/* What is collapsed of a block has the sizes of the block. */
static void fix_collapses(TtArena *arena, MlirValue block) {
  MlirType from = mlirValueGetType(block);
  TtOps users = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(block); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tt_op_is(mlirOpOperandGetOwner(use), "memref.collapse_shape"))
      tt_ops_add(arena, &users, mlirOpOperandGetOwner(use));
  for (intptr_t i = 0; i < users.n; ++i) {
    MlirOperation op = users.data[i];
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    int64_t shape[TT_MAX_RANK];
    for (intptr_t g = 0; g < mlirShapedTypeGetRank(type); ++g)
      shape[g] = mlirShapedTypeGetDimSize(type, g);
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(from); ++d) {
      intptr_t g = collapsed_dim(op, d);
      if (g >= 0) shape[g] = mlirShapedTypeGetDimSize(from, d);
    }
    TtBuilder b = tt_builder_before(op);
    TtOpState s = tt_op_state("memref.collapse_shape", mlirOperationGetLocation(op));
    tt_op_state_operand(&s, block);
    tt_op_state_attr(&s, b.context, "reassociation", tt_op_attr(op, "reassociation"));
    tt_op_state_result(&s, reshaped(type, shape, false));
    tt_replace(op, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
  }
}

/* The size may be what the kernel has of `if (i < len) C[i] = x[i]`, element by element. */
static bool refuse_size(MlirOperation op, intptr_t d) {
  return tt_error(
      op,
      "a block that is written ends along dimension %jd where a number of the kernel says, as in "
      "'if i < len', not where the tensor ends; write min(block, size of the dimension - offset) "
      "elements, and to keep some of them, write those as they are: arith.select of the new value "
      "and of the one that is loaded from there",
      (intmax_t)d);
}

/* The same block with its greatest sizes, marked as partial. */
static bool fix_block(Pass *p, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0), view = mlirOperationGetResult(op, 0);
  MlirType tensor = mlirValueGetType(source), type = mlirValueGetType(view);
  intptr_t rank = mlirShapedTypeGetRank(tensor), view_rank = mlirShapedTypeGetRank(type);
  MlirAttribute sizes = tt_op_attr(op, "static_sizes");
  MlirContext context = mlirOperationGetContext(op);
  int64_t fixed[TT_MAX_RANK], shape[TT_MAX_RANK];
  bool partial = false, sized[TT_MAX_RANK] = {false};
  if (rank > TT_MAX_RANK) return tt_error(op, "a tensor of more than %d dimensions", TT_MAX_RANK);
  TtBuilder b = tt_builder_before(op);
  for (intptr_t d = 0; d < rank; ++d) {
    fixed[d] = mlirDenseI64ArrayGetElement(sizes, d);
    if (fixed[d] != INT64_MIN) continue;
    if (!bounded(op, size_operand(op, d), &fixed[d])) return false;
    if (tt_index_known(size_operand(op, d)) > 0) continue;
    sized[d] = !ends_with_tensor(p, &b, op, tensor, d);
    bool table = sized[d] && is_by_table(&b, op, d);
    if (!table && (!sized[d] || is_only_read(view)) &&
        always_whole(p, &b, op, tensor, d, fixed[d])) {
      sized[d] = false; /* more comes than is used */
      continue;
    }
    if (sized[d] && !table && !is_only_read(view)) return refuse_size(op, d);
    partial = true;
    for (intptr_t i = 0; i < view_rank; ++i)
      if (source_dim(op, i) == d) note_users(p, view, i, size_operand(op, d));
  }
  for (intptr_t i = 0; i < view_rank; ++i) shape[i] = fixed[source_dim(op, i)];
  TtOpState s = tt_op_state("memref.subview", mlirOperationGetLocation(op));
  MlirAttribute offsets = tt_op_attr(op, "static_offsets");
  int32_t segments[4] = {1, 0, 0, 0};
  tt_op_state_operand(&s, source);
  for (intptr_t d = 0; d < rank; ++d)
    if (mlirDenseI64ArrayGetElement(offsets, d) == INT64_MIN)
      tt_op_state_operand(&s, tt_subview_offset(&b, op, d)), ++segments[1];
  tt_op_state_attr(&s, context, "static_offsets", offsets);
  tt_op_state_attr(&s, context, "static_sizes", mlirDenseI64ArrayGet(context, rank, fixed));
  tt_op_state_attr(&s, context, "static_strides", tt_op_attr(op, "static_strides"));
  tt_op_state_attr(&s, context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments));
  if (partial) tt_op_state_attr(&s, context, "partial", mlirUnitAttrGet(context));
  tt_op_state_result(&s, reshaped(type, shape, false));
  MlirOperation block = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (intptr_t d = 0; d < rank; ++d)
    if (sized[d]) note_size(p, block, OF_TENSOR, d, size_operand(op, d));
  tt_replace(op, mlirOperationGetResult(block, 0));
  fix_collapses(p->arena, mlirOperationGetResult(block, 0));
  return true;
}

bool tt_is_partial(MlirValue view) {
  MlirValue root = tt_view_root(view);
  for (; !tt_value_eq(view, root); view = mlirOperationGetOperand(tt_defining_op(view), 0))
    if (!mlirAttributeIsNull(tt_get_attr(tt_defining_op(view), "partial"))) return true;
  return false;
}

/*===- Both ways ------------------------------------------------------------------------------===*/

/* A cast to a type with less constant sizes says nothing. */
static bool hides_sizes(MlirOperation op) {
  return tt_op_is(op, "memref.cast") &&
         !mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

bool tt_fix_sizes(TtArena *arena, MlirOperation func, TtSizes *sizes) {
  Pass p = {arena, func, tt_kernel_args(arena, func), sizes};
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool ok = true;
    if (tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca")) ok = fix_alloc(&p, op);
    else if (hides_sizes(op)) tt_replace(op, mlirOperationGetOperand(op, 0));
    else if (is_whole(op)) tt_replace(op, mlirOperationGetOperand(op, 0));
    else if (tt_op_is(op, "memref.subview") && is_dynamic_subview(op)) {
      TtArg *arg = tt_arg_of(p.args, mlirOperationGetOperand(op, 0));
      bool direct = arg && tt_value_eq(arg->value, mlirOperationGetOperand(op, 0));
      if (arg && !direct)
        return tt_error(op, "a block of dynamic size of a view; take it from the tensor itself");
      ok = arg ? fix_block(&p, op) : fix_corner(&p, op);
    }
    if (!ok) return false;
  }
  return true;
}

/* The corner of `memref` that has the sizes which `op` knows of operand `j`. */
static MlirValue corner(const TtSizes *sizes, MlirOperation op, intptr_t j, MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  MlirContext context = mlirOperationGetContext(op);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t zeros[TT_MAX_RANK] = {0}, ones[TT_MAX_RANK], shape[TT_MAX_RANK], strides[TT_MAX_RANK],
          stride = 1;
  int32_t segments[4] = {1, 0, 0, 0};
  TtOpState s = tt_op_state("memref.subview", mlirOperationGetLocation(op));
  tt_op_state_operand(&s, memref);
  for (intptr_t d = rank; d-- > 0;) {
    ones[d] = 1, strides[d] = stride;
    stride *= mlirShapedTypeGetDimSize(type, d);
  }
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue size = tt_size_of(sizes, op, j, d);
    shape[d] = tt_is_null_value(size) ? mlirShapedTypeGetDimSize(type, d) : INT64_MIN;
    if (!tt_is_null_value(size)) tt_op_state_operand(&s, size), ++segments[2];
  }
  if (segments[2] == 0) return memref;
  tt_op_state_attr(&s, context, "static_offsets", mlirDenseI64ArrayGet(context, rank, zeros));
  tt_op_state_attr(&s, context, "static_sizes", mlirDenseI64ArrayGet(context, rank, shape));
  tt_op_state_attr(&s, context, "static_strides", mlirDenseI64ArrayGet(context, rank, ones));
  tt_op_state_attr(&s, context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments));
  tt_op_state_result(&s, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, shape,
                                           mlirStridedLayoutAttrGet(context, 0, rank, strides),
                                           mlirMemRefTypeGetMemorySpace(type)));
  TtBuilder b = tt_builder_before(op);
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}

void tt_show_sizes(const TtSizes *sizes) {
  for (const TtSize *s = sizes->first; s; s = s->next) {
    if (s->operand < 0) continue;
    MlirValue memref = mlirOperationGetOperand(s->op, s->operand);
    MlirOperation op = tt_defining_op(memref);
    if (tt_op_is(op, "memref.subview")) continue; /* another dimension of it was first */
    mlirOperationSetOperand(s->op, s->operand, corner(sizes, s->op, s->operand, memref));
  }
}
