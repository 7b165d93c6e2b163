/*===- check_accumulation.c - sums start from zero, once -----------------------------------===
 *
 * Acquiring DST gives zero, so the first step of a sum needs no code, and
 * `accumulate` must be false there and true in all others. The loops that a sum
 * runs over are those between the tt.mm.mma and the tt.pack_to_cb that packs it.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
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

/*===- Sums that go on with what is there --------------------------------------------------===*/

/* Tiles of DST, as the products of a block meet them. */
typedef struct Tile {
  int64_t dst;
  struct Tile *next;
} Tile;

typedef struct Adding {
  TtArena *arena;
  TtOpMap products; /* those that add to an earlier one, or to what was computed in their tile */
} Adding;

static bool has_tile(const Tile *list, int64_t dst) {
  while (list && list->dst != dst) list = list->next;
  return list != NULL;
}

static void add_tile(TtArena *arena, Tile **list, int64_t dst) {
  if (has_tile(*list, dst)) return;
  Tile *tile = tt_arena_alloc(arena, sizeof *tile);
  *tile = (Tile){dst, *list};
  *list = tile;
}

static void remove_tile(Tile **list, int64_t dst) {
  while (*list && (*list)->dst != dst) list = &(*list)->next;
  if (*list) *list = (*list)->next;
}

/* Several products may sum in one place, until it is packed, and to what was computed there;
 * all but the first always add. `packed` gains the tiles that a tt.pack_to_cb takes. */
static void find_sums(Adding *a, MlirBlock block, Tile **packed) {
  Tile *sums = NULL;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (tt_mm_mma_isa(op) && has_tile(sums, tt_int(tt_mm_mma_dst(op))))
      tt_op_map_set(a->arena, &a->products, op, 1);
    Tile *here = NULL;
    if (tt_op_info(op)->does == TT_ACT_PACK_BLOCK) add_tile(a->arena, &here, tt_op_dst(op));
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
      for (MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
           !mlirBlockIsNull(body); body = mlirBlockGetNextInRegion(body))
        find_sums(a, body, &here);
    for (const Tile *tile = here; tile; tile = tile->next) {
      remove_tile(&sums, tile->dst);
      add_tile(a->arena, packed, tile->dst);
    }
    if (tt_packs_block(op)) sums = NULL;
    else if (tt_op_info(op)->does == TT_ACT_COMPUTE) add_tile(a->arena, &sums, tt_op_dst(op));
  }
}

/*===- Flags -------------------------------------------------------------------------------===*/

static bool check(const TtSumMap *all, const Adding *adding, MlirOperation mma) {
  MlirValue flag = tt_mm_mma_accumulate(mma), out = tt_mm_mma_out(mma);
  MlirOperation pack = tt_is_null_value(out) ? tt_pack_after(all, mma) : mma;
  bool adds = tt_op_map_get(&adding->products, mma) >= 0;
  int64_t constant;
  bool is_constant = tt_constant(flag, &constant);
  if (mlirOperationIsNull(pack))
    return tt_error(mma,
                    "the result of this product is never packed to a circular buffer: no op takes "
                    "it, or its step packs something else behind it; compute that before it");
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
  bool fine =
      is_constant ? (constant ? adds : loops == 0 && !adds) : count_tests(flag) == loops && !adds;
  if (fine) return true;
  return tt_error(mma,
                  "'accumulate' does not fit the %d loop(s) that this product sums over: it must "
                  "be false in their first step only",
                  loops);
}

bool tt_check_accumulation(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "tt.mm.mma");
  TtSumMap sums = tt_analyze_sums(arena, func);
  Adding adding = {.arena = arena};
  Tile *packed = NULL;
  find_sums(&adding, tt_body(func), &packed);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!check(&sums, &adding, ops.data[i])) return false;
  return true;
}
