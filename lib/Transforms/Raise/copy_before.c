/*===- copy_before.c - --tt-copy-before -----------------------------------------------------===
 *
 * A kernel that moves what a tensor holds to other places of it, as a state whose columns move up
 * by one, reads a copy that is made before: data movement takes more than the elements that are
 * asked for, and runs ahead of what is written.
 *
 *   before  affine.parallel (%d) { store load %S[%d, 1], %S[%d, 0]
 *                                  store load %S[%d, 2], %S[%d, 1] }
 *   after   %P = memref.alloc() : memref<128x3xf32>
 *           scf.forall … { copy %S to %P }
 *           scf.forall … { store load %P[%d, 1], %S[%d, 0]
 *                          store load %P[%d, 2], %S[%d, 1] }
 *
 * That is right where no load sees what a store has written: of a load and a store that touch one
 * element, the load is done first, in all steps of the loops around, and cells have elements of
 * their own. Others stay, and are refused later on, as are tensors of dynamic sizes. What is read
 * and written at the same places, or side by side in multiples of 16 columns, needs no copy.
 *
 * Requires raised loops over elements.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_leaves.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/inline_text.h"

enum { FACE = TT_TILE / 2 }; /* columns of a tile that a read takes at once */

/*===- A load and a store --------------------------------------------------------------------===*/

typedef struct Pair {
  TtArena *arena;
  MlirOperation load, store, grid; /* or the kernel, where there is none */
  intptr_t rank;
  MlirOperation loops[TT_NEST_LOOPS]; /* counted loops around both */
  intptr_t n;
} Pair;

static MlirValue index_of(const Pair *p, intptr_t d, bool store) {
  return mlirOperationGetOperand(store ? p->store : p->load, d + 1 + store);
}

/* Whether an index follows `iv`, or may. */
static bool follows(const Pair *p, MlirValue index, MlirValue iv) {
  int64_t factor;
  return !tt_index_factor(p->arena, index, iv, &factor) || factor != 0;
}

/* Whether an index changes while the cell is worked on. */
static bool changes_in_cell(const Pair *p, MlirOperation op, MlirValue index) {
  for (MlirOperation at = tt_parent(op); !tt_op_eq(at, p->grid); at = tt_parent(at))
    if (tt_op_is(at, "scf.for") && follows(p, index, tt_for_iv(at))) return true;
  return false;
}

static bool is_around(MlirOperation loop, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_op_eq(op, loop)) op = tt_parent(op);
  return !mlirOperationIsNull(op);
}

/* Whether cells have elements of their own: each variable of the grid moves both in some dimension,
 * where they are at the same place. */
static bool cells_part(const Pair *p) {
  MlirBlock body = tt_body(p->grid);
  for (intptr_t g = 0; tt_op_is(p->grid, "scf.forall") && g < mlirBlockGetNumArguments(body); ++g) {
    bool parts = false, moves = false;
    for (intptr_t d = 0; d < p->rank; ++d) {
      MlirValue from = index_of(p, d, false), to = index_of(p, d, true);
      bool own = follows(p, from, mlirBlockGetArgument(body, g)) ||
                 follows(p, to, mlirBlockGetArgument(body, g));
      moves |= own, parts |= own && tt_same_index(p->arena, from, to);
    }
    if (moves && !parts) return false;
  }
  return true;
}

/* Whether in no two steps of `loop` a later one loads what an earlier one has stored: along some
 * dimension, which only this loop moves, a load is not behind the store. */
static bool loads_ahead(const Pair *p, MlirOperation loop, bool *same) {
  for (intptr_t d = 0; d < p->rank; ++d) {
    MlirValue from = index_of(p, d, false), to = index_of(p, d, true);
    int64_t factor, apart;
    bool alone = tt_index_difference(p->arena, from, to, &apart) &&
                 tt_index_factor(p->arena, to, tt_for_iv(loop), &factor) && factor > 0;
    for (MlirOperation at = tt_parent(p->load); alone && !tt_op_eq(at, p->grid); at = tt_parent(at))
      alone = !tt_op_is(at, "scf.for") || tt_op_eq(at, loop) || !follows(p, from, tt_for_iv(at));
    for (MlirOperation at = tt_parent(p->store); alone && !tt_op_eq(at, p->grid);
         at = tt_parent(at))
      alone = !tt_op_is(at, "scf.for") || tt_op_eq(at, loop) || !follows(p, to, tt_for_iv(at));
    if (!alone || apart < 0) continue;
    *same &= apart == 0;
    return true;
  }
  return false;
}

/* Whether the load is done before the store in a step of all loops around both. */
static bool comes_first(const Pair *p) {
  MlirBlock block = p->n > 0 ? tt_for_body(p->loops[0]) : tt_body(p->grid);
  MlirOperation load = tt_ancestor_in(block, p->load), store = tt_ancestor_in(block, p->store);
  while (tt_op_eq(load, store)) { /* in one branch */
    MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(load));
    if (mlirBlockIsNull(inner) || mlirOperationIsNull(tt_ancestor_in(inner, p->load)) ||
        mlirOperationIsNull(tt_ancestor_in(inner, p->store)))
      return false;
    load = tt_ancestor_in(inner, p->load), store = tt_ancestor_in(inner, p->store);
  }
  return tt_is_before(load, store);
}

/* Whether load and store are of different elements, whatever cell and step. */
static bool never_meet(const Pair *p, bool *close) {
  bool apart = false;
  for (intptr_t d = 0; d < p->rank; ++d) {
    MlirValue from = index_of(p, d, false), to = index_of(p, d, true);
    int64_t by;
    if (!tt_index_difference(p->arena, from, to, &by) || by == 0 ||
        changes_in_cell(p, p->load, from) || changes_in_cell(p, p->store, to))
      continue;
    bool grid = false;
    MlirBlock cells = tt_body(p->grid);
    for (intptr_t g = 0; tt_op_is(p->grid, "scf.forall") && g < mlirBlockGetNumArguments(cells);
         ++g)
      grid |= follows(p, to, mlirBlockGetArgument(cells, g));
    if (grid) continue;
    apart = true;
    *close |= d + 1 == p->rank && by % FACE != 0;
  }
  return apart;
}

/* An expression of loops where these are 0. */
static int64_t at_zero(MlirAffineExpr e, intptr_t n) {
  MlirContext context = mlirAffineExprGetContext(e);
  MlirAffineExpr zeros[TT_MAX_LEAVES];
  for (intptr_t i = 0; i < n; ++i) zeros[i] = mlirAffineConstantExprGet(context, 0);
  MlirAffineExpr c = mlirAffineExprCompose(e, mlirAffineMapGet(context, 0, 0, n, zeros));
  return mlirAffineExprIsAConstant(c) ? mlirAffineConstantExprGetValue(c) : 0;
}

static bool is_multiple_but_for(MlirAffineExpr e, int64_t constant, int64_t of) {
  MlirContext context = mlirAffineExprGetContext(e);
  e = mlirAffineAddExprGet(e, mlirAffineConstantExprGet(context, -constant));
  return mlirAffineExprIsMultipleOf(e, of);
}

/* Whether load and store take turns along a dimension, as the even elements and the odd ones do. */
static bool take_turns(const Pair *p) {
  enum { MOST = TT_TILE };
  for (intptr_t d = 0; d < p->rank; ++d) {
    const MlirValue *leaves;
    MlirAffineMap map;
    intptr_t n;
    if (!tt_index_map(p->arena, (MlirValue[]){index_of(p, d, false), index_of(p, d, true)}, 2, &map,
                      &leaves, &n))
      continue;
    MlirAffineExpr from = mlirAffineMapGetResult(map, 0), to = mlirAffineMapGetResult(map, 1);
    int64_t first = at_zero(from, n), second = at_zero(to, n);
    for (int64_t by = 2; by <= MOST; ++by)
      if ((first - second) % by != 0 && is_multiple_but_for(from, first, by) &&
          is_multiple_but_for(to, second, by))
        return true;
  }
  return false;
}

/* Whether what cells and steps have begins inside of what a read takes, as with eight columns each:
 * some index of the grid, or of a loop, goes on by what is no multiple of a face. */
static bool shares_faces(const Pair *p) {
  MlirValue column = index_of(p, p->rank - 1, true);
  const MlirValue *leaves;
  MlirAffineMap map;
  intptr_t n;
  if (!tt_index_map(p->arena, &column, 1, &map, &leaves, &n)) return false;
  for (intptr_t i = 0; i < n; ++i) {
    int64_t factor;
    if (tt_index_factor(p->arena, column, leaves[i], &factor) && factor != 1 && factor % FACE != 0)
      return true;
  }
  return false;
}

/* Whether the load never sees what the store has written; `*moves`: whether data movement would
 * read what is written beside it, or another place of it. */
static bool sees_nothing(Pair *p, bool *moves) {
  bool close = false, same = true;
  if (never_meet(p, &close)) return *moves |= close, true;
  if (take_turns(p)) return *moves = true;
  for (MlirOperation at = tt_parent(p->load); !tt_op_eq(at, p->grid); at = tt_parent(at)) {
    if (!tt_op_is(at, "scf.for") || !is_around(at, p->store)) continue;
    if (p->n == TT_NEST_LOOPS) return false;
    p->loops[p->n++] = at;
  }
  if (!cells_part(p)) return false;
  for (intptr_t i = 0; i < p->n; ++i)
    if (!loads_ahead(p, p->loops[i], &same)) return false;
  for (intptr_t d = 0; d < p->rank; ++d)
    *moves |= !tt_same_index(p->arena, index_of(p, d, false), index_of(p, d, true)) && p->n > 0;
  *moves |= p->rank > 0 && shares_faces(p);
  return !same || comes_first(p);
}

/*===- Copies --------------------------------------------------------------------------------===*/

/* A function that copies the tensor. */
static char *copy_text(TtArena *arena, MlirType type) {
  const char *t = tt_type_text(arena, type), *at = "", *from = "", *to = "", *step = "";
  char *sizes = tt_arena_printf(arena, " %%c0 = arith.constant 0 : index\n"
                                       " %%c1 = arith.constant 1 : index\n");
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    const char *comma = d ? ", " : "";
    sizes = tt_arena_printf(arena, "%s %%n%jd = arith.constant %jd : index\n", sizes, (intmax_t)d,
                            (intmax_t)mlirShapedTypeGetDimSize(type, d));
    at = tt_arena_printf(arena, "%s%s%%i%jd", at, comma, (intmax_t)d);
    from = tt_arena_printf(arena, "%s%s%%c0", from, comma);
    to = tt_arena_printf(arena, "%s%s%%n%jd", to, comma, (intmax_t)d);
    step = tt_arena_printf(arena, "%s%s%%c1", step, comma);
  }
  return tt_arena_printf(arena,
                         "func.func @copy(%%x: %s) -> %s {\n%s %%p = memref.alloc() : %s\n"
                         " scf.parallel (%s) = (%s) to (%s) step (%s) {\n"
                         "  %%v = memref.load %%x[%s] : %s\n  memref.store %%v, %%p[%s] : %s\n"
                         "  scf.reduce\n }\n return %%p : %s\n}\n",
                         t, t, sizes, t, at, from, to, step, at, t, at, t, t);
}

static bool copy_before(TtArena *arena, MlirOperation grid, MlirValue tensor, const TtOps *loads) {
  TtBuilder b = tt_builder_before(grid);
  MlirType type = mlirValueGetType(tensor);
  TtOpState s = tt_op_state("builtin.unrealized_conversion_cast",
                            mlirOperationGetLocation(loads->data[0])); /* takes a place */
  tt_op_state_operand(&s, tensor);
  tt_op_state_result(&s, type);
  MlirOperation place = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (intptr_t i = 0; i < loads->n; ++i)
    mlirOperationSetOperand(loads->data[i], 0, mlirOperationGetResult(place, 0));
  return tt_inline_text(arena, place, copy_text(arena, type));
}

/* The loads and stores of a tensor in the grid; false where it is used in other ways. */
static bool find_uses(MlirValue tensor, MlirOperation grid, TtArena *arena, TtOps *loads,
                      TtOps *stores) {
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool load = tt_op_is(op, "memref.load");
    if ((!load && !tt_op_is(op, "memref.store")) || !is_around(grid, op)) return false;
    tt_ops_add(arena, load ? loads : stores, op);
  }
  return loads->n > 0 && stores->n > 0;
}

/* Whether a copy is needed, and right. */
static bool needs_copy(TtArena *arena, MlirOperation grid, const TtOps *loads,
                       const TtOps *stores) {
  bool moves = false;
  for (intptr_t i = 0; i < loads->n; ++i)
    for (intptr_t j = 0; j < stores->n; ++j) {
      Pair p = {.arena = arena, .load = loads->data[i], .store = stores->data[j], .grid = grid};
      p.rank = mlirOperationGetNumOperands(p.load) - 1;
      if (!sees_nothing(&p, &moves)) return false;
    }
  return moves;
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps grids = tt_collect(arena, kernel, "scf.forall");
  TtArgs args = tt_kernel_args(arena, kernel);
  bool any = false, one = tt_is_one_loop(kernel);
  if (!one && (grids.n != 1 || !tt_op_eq(tt_parent(grids.data[0]), kernel))) return true;
  MlirOperation cell = one ? kernel : grids.data[0];
  for (intptr_t i = 0; i < args.n; ++i) {
    TtOps loads = {NULL, 0, 0}, stores = {NULL, 0, 0};
    if (!args.data[i].is_tensor || !args.data[i].written ||
        !mlirShapedTypeHasStaticShape(args.data[i].type) ||
        !find_uses(args.data[i].value, cell, arena, &loads, &stores) ||
        !needs_copy(arena, cell, &loads, &stores))
      continue;
    if (one && !any) {
      tt_give_cells(arena, kernel);
      grids = tt_collect(arena, kernel, "scf.forall");
    }
    if (!copy_before(arena, grids.data[0], args.data[i].value, &loads)) return false;
    any = true;
  }
  return !any || tt_raise_kernel_loops(arena, kernel);
}

bool tt_run_copy_before(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
