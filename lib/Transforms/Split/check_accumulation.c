/*===- check_accumulation.c - sums start from zero, once -----------------------------------===
 *
 * Acquiring DST gives zero, so the first step of a sum needs no code, and
 * `accumulate` must be false there and true in all others. The loops that a sum
 * runs over are those between the tt.mm.mma and the tt.pack_to_cb that packs it.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/split.h"

/* `flag` compares the variable of `loop` with its start, or is an `or` of such. */
static bool tests_loop(MlirValue flag, MlirOperation loop) {
  MlirOperation op = tt_defining_op(flag);
  if (tt_op_is(op, "arith.ori"))
    return tests_loop(mlirOperationGetOperand(op, 0), loop) ||
           tests_loop(mlirOperationGetOperand(op, 1), loop);
  if (!tt_op_is(op, "arith.cmpi")) return false;
  enum { NE = 1, SGT = 4, UGT = 8 }; /* of arith::CmpIPredicate */
  int64_t predicate = tt_int(tt_op_attr(op, "predicate")), x, y;
  MlirValue lb = mlirOperationGetOperand(loop, 0), a = mlirOperationGetOperand(op, 0),
            b = mlirOperationGetOperand(op, 1);
  bool same_start = tt_value_eq(b, lb) || (tt_constant(b, &x) && tt_constant(lb, &y) && x == y);
  return tt_value_eq(a, tt_for_iv(loop)) && same_start &&
         (predicate == NE || predicate == SGT || predicate == UGT);
}

static int count_tests(MlirValue flag) {
  MlirOperation op = tt_defining_op(flag);
  if (!tt_op_is(op, "arith.ori")) return 1;
  return count_tests(mlirOperationGetOperand(op, 0)) + count_tests(mlirOperationGetOperand(op, 1));
}

typedef struct Search {
  int64_t dst;
  bool packed;
} Search;

static MlirWalkResult find_pack(MlirOperation op, void *data) {
  Search *search = data;
  search->packed |= tt_pack_to_cb_isa(op) && tt_int(tt_pack_to_cb_dst(op)) == search->dst;
  return search->packed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Several products may sum in one place, until it is packed, and to what was copied there;
 * all but the first always add. */
static bool adds_to_earlier(MlirOperation mma) {
  bool sums = false;
  int64_t dst = tt_int(tt_mm_mma_dst(mma));
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(mma));
  for (; !tt_op_eq(op, mma); op = tt_next(op)) {
    Search search = {dst, false};
    mlirOperationWalk(op, find_pack, &search, MlirWalkPreOrder);
    bool packs = tt_is_block_compute(op) && !tt_is_null_value(tt_traffic(op).out);
    if (search.packed || packs) sums = false;
    else if ((tt_mm_mma_isa(op) || tt_copy_to_dst_isa(op)) && tt_int(tt_op_attr(op, "dst")) == dst)
      sums = true;
  }
  return sums;
}

static bool check(MlirOperation mma) {
  MlirValue flag = tt_mm_mma_accumulate(mma), out = tt_mm_mma_out(mma);
  MlirOperation pack = tt_is_null_value(out) ? tt_pack_after(mma) : mma;
  int64_t constant;
  bool is_constant = tt_constant(flag, &constant);
  if (mlirOperationIsNull(pack))
    return tt_error(mma, "the result of this product is never packed to a circular buffer");
  int loops = 0;
  for (MlirOperation p = mma;
       !mlirBlockEqual(mlirOperationGetBlock(p), mlirOperationGetBlock(pack));) {
    p = tt_parent(p);
    if (!tt_op_is(p, "scf.for"))
      return tt_error(mma, "sums under a condition; only counted loops may stand between a product "
                           "and the op that packs it");
    ++loops;
    if (!is_constant && !tests_loop(flag, p))
      return tt_error(mma, "'accumulate' must be false in the first step of the loops that are "
                           "summed over, and true in all others: make it an 'or' of 'iv != lower "
                           "bound' of each");
  }
  bool fine = is_constant ? (constant ? adds_to_earlier(mma) : loops == 0 && !adds_to_earlier(mma))
                          : count_tests(flag) == loops && !adds_to_earlier(mma);
  if (fine) return true;
  return tt_error(mma,
                  "'accumulate' does not fit the %d loop(s) that this product sums over: it must "
                  "be false in their first step only",
                  loops);
}

bool tt_check_accumulation(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "tt.mm.mma");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!check(ops.data[i])) return false;
  return true;
}
