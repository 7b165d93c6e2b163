/*===- join_steps.c - --tt-join-steps -----------------------------------------------------------===
 *
 * Has one loop take the steps of several sums of products that read the same blocks.
 *
 *   before  scf.for %k { linalg.contract ins(%A[%m, %k], %B[%n, %k]) outs(%b) }
 *           scf.for %k { linalg.contract ins(%A[%m, %k], %C[%n, %k]) outs(%c) }
 *   after   scf.for %k {
 *             linalg.contract ins(%A[%m, %k], %B[%n, %k]) outs(%b)
 *             linalg.contract ins(%A[%m, %k], %C[%n, %k]) outs(%c)
 *           }
 *
 * A block of %A is fetched once for both then. Legal where the loops take the same steps, neither
 * writes what the other one touches, and what stands between them can go before the first one, or
 * does not meet the second one. Done where DST holds the sums together, or a step packs no more
 * tiles of sums, and takes them back, than are not fetched again, and L1 holds these parts. Each
 * sum adds up the same in the same order: no result changes.
 *
 * Requires a kernel of level 1, before C1.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/meeting_ops.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"

static const char *const pass = "tt-join-steps";

/* Two loops, and ops of the second that the first one has as well. */
typedef struct Pair {
  TtArena *arena;
  MlirOperation first, second;
  TtOps known, own; /* of the second, and what it is in the first */
  int64_t share;    /* tiles of the blocks among them */
} Pair;

/*===- Sums of products -----------------------------------------------------------------------===*/

/* Sums of loops: their tiles; bytes of the blocks that a step reads. */
typedef struct Sums {
  int64_t tiles, blocks, n;
} Sums;

/* The first of the operands that are sizes of a memref.alloc or memref.subview. */
static intptr_t first_size(MlirOperation op) {
  if (tt_op_is(op, "memref.alloc")) return 0;
  MlirAttribute offsets = mlirOperationGetAttributeByName(op, tt_str("static_offsets"));
  intptr_t n = 1; /* behind the source */
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(offsets); ++d)
    n += mlirShapedTypeIsDynamicStrideOrOffset(mlirDenseI64ArrayGetElement(offsets, d));
  return n;
}

/* The tiles of a memref; 0 where a dimension of it has no known bound. */
static int64_t most_tiles(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  MlirType type = mlirValueGetType(value);
  bool sized = tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.subview");
  intptr_t rank = mlirShapedTypeGetRank(type), open = sized ? first_size(op) : 0;
  int64_t tiles = 1;
  for (intptr_t d = 0; d < rank; ++d) {
    bool dynamic = mlirShapedTypeIsDynamicDim(type, d);
    if (dynamic && !sized) return 0;
    int64_t size = dynamic ? tt_index_bound(mlirOperationGetOperand(op, open++))
                           : mlirShapedTypeGetDimSize(type, d);
    if (size <= 0 || __builtin_mul_overflow(tiles, d < rank - 2 ? size : tt_tiles(size), &tiles))
      return 0;
  }
  return tiles;
}

static int64_t bytes_of(MlirValue value, int64_t tiles) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(value));
  int64_t bytes;
  return __builtin_mul_overflow(tiles, tt_element_bytes(element) * TT_TILE * TT_TILE, &bytes)
             ? INT64_MAX / 8
             : bytes;
}

/* Whether a loop does nothing but add products to buffers of the core. */
static bool is_sum(MlirOperation loop, Sums *sums) {
  *sums = (Sums){.n = 1};
  if (!tt_op_is(loop, "scf.for") || mlirOperationGetNumResults(loop) > 0) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (tt_only_views(op)) continue;
    if (!tt_is_linalg(op) || !tt_is_contraction(op)) return false;
    intptr_t inputs = tt_linalg_num_inputs(op);
    MlirValue out = mlirOperationGetOperand(op, inputs);
    if (!tt_op_is(tt_defining_op(out), "memref.alloc") || tt_is_defined_in(loop, out)) return false;
    int64_t own = most_tiles(out);
    if (own == 0) return false;
    sums->tiles += own;
    for (intptr_t i = 0; i < inputs; ++i) {
      MlirValue block = mlirOperationGetOperand(op, i);
      int64_t bytes = bytes_of(block, most_tiles(block));
      if (sums->blocks < INT64_MAX / 8)
        sums->blocks += bytes < INT64_MAX / 8 ? bytes : INT64_MAX / 8;
    }
  }
  return sums->tiles > 0;
}

static bool same_number(MlirValue a, MlirValue b) {
  int64_t x, y;
  return tt_value_eq(a, b) || (tt_constant(a, &x) && tt_constant(b, &y) && x == y);
}

static bool same_steps(MlirOperation a, MlirOperation b) {
  for (intptr_t i = 0; i < 3; ++i) /* the bounds and the step */
    if (!same_number(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i))) return false;
  return true;
}

/*===- What both have -------------------------------------------------------------------------===*/

/* What a value of the second loop is in the first one. */
static MlirValue in_first(const Pair *p, MlirValue value) {
  if (tt_value_eq(value, tt_for_iv(p->second))) return tt_for_iv(p->first);
  MlirOperation from = tt_defining_op(value);
  for (intptr_t i = 0; i < p->known.n; ++i)
    if (tt_op_eq(p->known.data[i], from)) return mlirOperationGetResult(p->own.data[i], 0);
  return value;
}

/* Whether an op of the second loop gives what one of the first does. */
static bool are_alike(const Pair *p, MlirOperation own, MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op), attrs = mlirOperationGetNumAttributes(op);
  if (!mlirIdentifierEqual(mlirOperationGetName(own), mlirOperationGetName(op)) ||
      operands != mlirOperationGetNumOperands(own) || attrs != mlirOperationGetNumAttributes(own) ||
      mlirOperationGetNumResults(own) != 1 || mlirOperationGetNumResults(op) != 1 ||
      !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(own, 0)),
                     mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!same_number(mlirOperationGetOperand(own, i), in_first(p, mlirOperationGetOperand(op, i))))
      return false;
  for (intptr_t i = 0; i < attrs; ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    if (!mlirAttributeEqual(attr.attribute,
                            mlirOperationGetAttributeByName(own, mlirIdentifierStr(attr.name))))
      return false;
  }
  return true;
}

static void find_known(Pair *p) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(p->second)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (!tt_only_views(op) || tt_op_is(op, "memref.alloc")) continue;
    MlirOperation own = mlirBlockGetFirstOperation(tt_for_body(p->first));
    while (!tt_is_terminator(own) && !are_alike(p, own, op)) own = tt_next(own);
    if (tt_is_terminator(own)) continue;
    tt_ops_add(p->arena, &p->known, op);
    tt_ops_add(p->arena, &p->own, own);
    if (tt_op_is(op, "memref.subview")) p->share += most_tiles(mlirOperationGetResult(op, 0));
  }
}

/*===- Whether they can be one ----------------------------------------------------------------===*/

/* Whether what `op` needs stands before the first loop. */
static bool has_values(const Pair *p, MlirOperation op) {
  TtOps all = tt_collect(p->arena, op, NULL);
  tt_ops_add(p->arena, &all, op);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(all.data[i]); ++j) {
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(all.data[i], j));
      if (!mlirOperationIsNull(from) &&
          mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(p->first)) &&
          !tt_is_before(from, p->first))
        return false;
    }
  return true;
}

/* Whether `op` meets none from the first loop on to where it stands. */
static bool can_pass(const Pair *p, MlirOperation op) {
  for (MlirOperation other = p->first; !tt_op_eq(other, op); other = tt_next(other))
    if (!tt_only_views(other) && tt_ops_meet(p->arena, other, op)) return false;
  return true;
}

/* Puts views, numbers and buffers between the two before the first one, with their first values. */
static void raise_values(const Pair *p) {
  for (MlirOperation op = tt_next(p->first), next; !tt_op_eq(op, p->second); op = next) {
    next = tt_next(op);
    bool fill = tt_op_is(op, "linalg.fill") && mlirOperationGetNumResults(op) == 0;
    if ((tt_only_views(op) || (fill && can_pass(p, op))) && has_values(p, op))
      mlirOperationMoveBefore(op, p->first);
  }
}

/* Whether L1 holds the parts of all sums, where they are packed and as they are taken, and two of
 * each block. */
static bool has_room(const Sums *sums, int64_t l1) {
  const int64_t tile = sizeof(float) * TT_TILE * TT_TILE;
  return sums->tiles <= l1 / (2 * tile) && sums->blocks <= (l1 - 2 * sums->tiles * tile) / 2;
}

/* Why not. */
static const char *join(Pair *p, const Sums *sums, int64_t capacity, int64_t l1) {
  find_known(p);
  if (!p->share) return "they have no block in common";
  if (sums->tiles > capacity && sums->tiles > p->share * (sums->n - 1))
    return "DST has no room for all sums, of which a step would pack more than is not fetched "
           "again";
  if (sums->tiles > capacity && !has_room(sums, l1))
    return "L1 has no room for the parts of all sums, and for their blocks";
  raise_values(p);
  if (!has_values(p, p->second) || !can_pass(p, p->second))
    return "one needs what is done after the other";
  for (intptr_t i = 0; i < p->known.n; ++i)
    tt_replace(p->known.data[i], mlirOperationGetResult(p->own.data[i], 0));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(p->second), tt_for_iv(p->first));
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(p->first));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(p->second)), next;
       !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, end);
  }
  mlirOperationDestroy(p->second);
  return NULL;
}

static Sums add(const Sums *a, const Sums *b) {
  return (Sums){a->tiles + b->tiles, a->blocks + b->blocks, a->n + b->n};
}

/* Joins to a loop what follows it in its block. */
static void join_to(TtArena *arena, MlirOperation first, int64_t capacity, int64_t l1) {
  Sums joined, more;
  if (!is_sum(first, &joined)) return;
  for (MlirOperation op = tt_next(first), next; !mlirOperationIsNull(op); op = next) {
    next = tt_next(op);
    if (!is_sum(op, &more) || !same_steps(first, op)) continue;
    Pair p = {.arena = arena, .first = first, .second = op};
    Sums both = add(&joined, &more);
    const char *reason = join(&p, &both, capacity, l1);
    if (!reason) joined = both;
    tt_remark(first, reason ? TT_REMARK_MISSED : TT_REMARK_PASSED, pass,
              reason ? "two sums of products go on in loops of their own: %s"
                     : "the steps of two sums of products that read the same are taken in one "
                       "loop%s",
              reason ? reason : "");
  }
}

static void join_in(TtArena *arena, MlirBlock block, int64_t capacity, int64_t l1) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    join_to(arena, op, capacity, l1);
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      MlirRegion region = mlirOperationGetRegion(op, i);
      for (MlirBlock in = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(in);
           in = mlirBlockGetNextInRegion(in))
        if (!tt_is_linalg(op)) join_in(arena, in, capacity, l1);
    }
  }
}

static bool join_steps(TtArena *arena, MlirOperation func) {
  join_in(arena, tt_body(func), tt_dst_capacity(func), tt_usable_l1(tt_target_of(func).chip));
  return true;
}

bool tt_run_join_steps(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, join_steps);
}
