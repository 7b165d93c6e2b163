/*===- apart_loads.c - neighbors that clamps keep inside, in buffers of their own -------------===
 *
 *   for %i for %j { %n = load %J[max(%i - 1, 0), %j]   %s = load %J[min(%i + 1, 23), %j]   … f }
 * = for %i for %j { store (load %J[max(%i - 1, 0), %j]), %N[%i, %j] }
 *   for %i for %j { store (load %J[min(%i + 1, 23), %j]), %S[%i, %j] }
 *   for %i for %j { %n = load %N[%i, %j]   %s = load %S[%i, %j]   … f }
 *
 * Where an index is clamped, loops are cut in parts (split_ranges.c): all that stands in them once
 * for each corner, each side and the middle. So only what moves is cut, along one dimension each.
 * A tensor that the kernel only reads has repeated edges instead (repeat_edges.c).
 *
 * So are elements of which floats say both indices, as of an image that is made larger by 2.583,
 * along the rows and then along the columns:
 *
 *   for %i for %j { load %X[fptosi(%i * 0.387), fptosi(%j * 0.387)] }
 * = for %i for %c { store (load %X[fptosi(%i * 0.387), %c]), %R[%i, %c] }
 *   for %i for %j { store (load %R[%i, fptosi(%j * 0.387)]), %N[%i, %j] }
 *   for %i for %j { load %N[%i, %j] }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Transforms/Raise/index_table.h"
#include "Transforms/Raise/loop_dims.h"
#include "Transforms/Tile/block.h"

enum {
  MOST_LOOPS = 3,
  FEWEST_CUTS = 2,    /* along either dimension, from either side */
  LONGEST_PERIOD = 8, /* of an index that is quotients and rests */
  DEEPEST = 8,
  MOST_ELEMENTS = 64 * 1024 /* of a buffer */
};

/* Loops in each other, of which the innermost one has all loads and stores. */
typedef struct Loops {
  TtLoopDim dims[MOST_LOOPS];
  intptr_t n;
} Loops;

static bool touches_memory(MlirOperation op) {
  return tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store") ||
         tt_op_is(op, "memref.copy") || tt_is_linalg(op) || tt_op_is(op, "memref.alloc");
}

/* The one loop in a block that has nothing else but numbers; null where it is the innermost one. */
static bool loop_in(MlirBlock block, MlirOperation *loop) {
  bool memory = false;
  *loop = (MlirOperation){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !tt_is_terminator(op);
       op = tt_next(op)) {
    bool inner = tt_op_is(op, "scf.for");
    if ((inner && !mlirOperationIsNull(*loop)) || (!inner && mlirOperationGetNumRegions(op) > 0))
      return false;
    if (inner) *loop = op;
    memory |= touches_memory(op);
  }
  return mlirOperationIsNull(*loop) || !memory;
}

static bool find_loops(MlirOperation top, Loops *l) {
  int64_t elements = 1;
  l->n = 0;
  for (MlirOperation loop = top; !mlirOperationIsNull(loop);) {
    if (l->n == MOST_LOOPS || mlirOperationGetNumResults(loop) > 0 ||
        !tt_loop_dim(loop, 0, &l->dims[l->n]))
      return false;
    elements *= l->dims[l->n++].extent;
    if (elements < 1 || elements > MOST_ELEMENTS || !loop_in(tt_for_body(loop), &loop))
      return false;
  }
  return l->n > 1;
}

static bool is_stored_in(TtArena *arena, MlirOperation op, MlirValue memref) {
  TtOps stores = tt_collect(arena, op, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i)
    if (tt_value_eq(mlirOperationGetOperand(stores.data[i], 1), memref)) return true;
  return false;
}

/* Notes from which sides the indices of a load are clamped: bit 2 d from below, 2 d + 1 from above.
 */
static unsigned clamps_of(MlirOperation load) {
  unsigned sides = 0;
  for (intptr_t d = 1; d < mlirOperationGetNumOperands(load) && d <= TT_MAX_RANK; ++d) {
    MlirOperation op = tt_defining_op(mlirOperationGetOperand(load, d));
    for (bool below; (below = tt_op_is(op, "arith.maxsi")) || tt_op_is(op, "arith.minsi");
         op = tt_defining_op(mlirOperationGetOperand(op, 0)))
      sides |= 1U << (2 * (d - 1) + !below);
  }
  return sides;
}

static TtOps clamped_loads(TtArena *arena, MlirOperation kernel, const Loops *l) {
  TtOps loads = tt_collect(arena, l->dims[0].op, "memref.load"), clamped = {NULL, 0, 0};
  unsigned sides = 0;
  int cuts = 0;
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirValue memref = mlirOperationGetOperand(loads.data[i], 0);
    unsigned of = clamps_of(loads.data[i]);
    if (of == 0 || !is_stored_in(arena, kernel, memref) ||
        is_stored_in(arena, l->dims[0].op, memref))
      continue;
    tt_ops_add(arena, &clamped, loads.data[i]);
    sides |= of;
  }
  for (; sides != 0; sides &= sides - 1) ++cuts;
  if (cuts < FEWEST_CUTS) clamped.n = 0;
  return clamped;
}

/* memref.store of `value` in `memref`, or memref.load from it, at the variables of `loops`. */
static MlirOperation access(TtBuilder *b, MlirLocation loc, MlirValue value, MlirValue memref,
                            const TtOps *loops) {
  bool store = !tt_is_null_value(value);
  TtOpState s = tt_op_state(store ? "memref.store" : "memref.load", loc);
  if (store) tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, memref);
  for (intptr_t i = 0; i < loops->n; ++i) tt_op_state_operand(&s, tt_for_iv(loops->data[i]));
  if (!store) tt_op_state_result(&s, mlirShapedTypeGetElementType(mlirValueGetType(memref)));
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The loops of a nest, the outermost first. */
static TtOps all_loops(TtArena *arena, MlirOperation top) {
  TtOps loops = {NULL, 0, 0}, inner = tt_collect(arena, top, "scf.for");
  tt_ops_add(arena, &loops, top);
  for (intptr_t i = 0; i < inner.n; ++i) tt_ops_add(arena, &loops, inner.data[i]);
  return loops;
}

/* Has the loops again, before, for the load alone. */
static void take_apart(TtArena *arena, const Loops *l, MlirOperation load) {
  MlirOperation top = l->dims[0].op, copy = mlirOperationClone(top);
  MlirLocation loc = mlirOperationGetLocation(load);
  TtBuilder b = tt_builder_before(top);
  int64_t shape[MOST_LOOPS];
  for (intptr_t i = 0; i < l->n; ++i) shape[i] = l->dims[i].extent;
  MlirAttribute none = {NULL};
  MlirValue buffer =
      tt_static_alloc(&b, loc,
                      mlirMemRefTypeContiguousGet(mlirValueGetType(mlirOperationGetResult(load, 0)),
                                                  l->n, shape, none));
  tt_builder_insert(&b, copy);
  TtOps own = tt_collect(arena, top, "memref.load"), same = tt_collect(arena, copy, "memref.load"),
        stores = tt_collect(arena, copy, "memref.store"), loops = all_loops(arena, copy);
  for (intptr_t i = 0; i < stores.n; ++i) mlirOperationDestroy(stores.data[i]);
  for (intptr_t i = 0; i < own.n; ++i) {
    if (!tt_op_eq(own.data[i], load)) continue;
    TtBuilder after = tt_builder_after(same.data[i]);
    access(&after, loc, mlirOperationGetResult(same.data[i], 0), buffer, &loops);
  }
  TtBuilder at = tt_builder_before(load);
  loops = all_loops(arena, top);
  tt_replace(load, mlirOperationGetResult(access(&at, loc, (MlirValue){NULL}, buffer, &loops), 0));
}

/* Whether an index is made of floats, and of the variable of `loop`, in no short period. */
static bool is_uneven(TtArena *arena, const TtLoopDim *loop, MlirValue index) {
  int64_t n = loop->extent, by, *table = tt_arena_alloc(arena, (size_t)n * sizeof *table);
  return tt_is_of_floats(index, DEEPEST) && tt_tabulate(index, loop->iv, n, table) &&
         tt_table_run(table, n) != n && tt_table_period(table, n, LONGEST_PERIOD, &by) == 0;
}

/* Of a load at a row that one loop says and a column that the other does, both by floats: the load
 * at that column of a buffer that has the row of each step. */
static MlirOperation take_row_apart(TtArena *arena, const Loops *l, MlirOperation load) {
  MlirOperation top = l->dims[0].op, copy = mlirOperationClone(top);
  MlirLocation loc = mlirOperationGetLocation(load);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0)),
           element = mlirShapedTypeGetElementType(type);
  MlirAttribute none = {NULL};
  TtBuilder b = tt_builder_before(top);
  int64_t shape[] = {l->dims[0].extent, mlirShapedTypeGetDimSize(type, 1)};
  MlirValue buffer = tt_static_alloc(&b, loc, mlirMemRefTypeContiguousGet(element, 2, shape, none));
  tt_builder_insert(&b, copy);
  TtOps own = tt_collect(arena, top, "memref.load"), same = tt_collect(arena, copy, "memref.load"),
        stores = tt_collect(arena, copy, "memref.store"), loops = all_loops(arena, copy);
  for (intptr_t i = 0; i < stores.n; ++i) mlirOperationDestroy(stores.data[i]);
  TtLoopDim inner;
  tt_loop_dim(loops.data[1], 0, &inner);
  for (intptr_t i = 0; i < own.n; ++i) {
    if (!tt_op_eq(own.data[i], load)) continue;
    mlirOperationSetOperand(same.data[i], 2, inner.iv);
    TtBuilder after = tt_builder_after(same.data[i]);
    access(&after, loc, mlirOperationGetResult(same.data[i], 0), buffer, &loops);
  }
  tt_set_extent(&inner, shape[1]);
  TtBuilder at = tt_builder_before(load);
  TtOpState s = tt_op_state("memref.load", loc);
  tt_op_state_operand(&s, buffer);
  tt_op_state_operand(&s, l->dims[0].iv);
  tt_op_state_operand(&s, mlirOperationGetOperand(load, 2));
  tt_op_state_result(&s, element);
  MlirOperation of_row = tt_builder_insert(&at, tt_op_state_finish(&s));
  tt_replace(load, mlirOperationGetResult(of_row, 0));
  return of_row;
}

static bool take_uneven(TtArena *arena, const Loops *l) {
  TtOps loads = tt_collect(arena, l->dims[0].op, "memref.load");
  bool any = false;
  for (intptr_t i = 0; i < loads.n && l->n == 2; ++i) {
    MlirOperation load = loads.data[i];
    MlirValue memref = mlirOperationGetOperand(load, 0);
    MlirType type = mlirValueGetType(memref);
    if (mlirShapedTypeGetRank(type) != 2 || !mlirShapedTypeHasStaticShape(type) ||
        is_stored_in(arena, l->dims[0].op, memref) ||
        !is_uneven(arena, &l->dims[0], mlirOperationGetOperand(load, 1)) ||
        !is_uneven(arena, &l->dims[1], mlirOperationGetOperand(load, 2)))
      continue;
    take_apart(arena, l, take_row_apart(arena, l, load));
    any = true;
  }
  return any;
}

void tt_take_loads_apart(TtArena *arena, MlirOperation kernel) {
  TtOps tops = tt_collect(arena, kernel, "scf.for");
  bool any = false;
  for (intptr_t i = 0; i < tops.n; ++i) {
    Loops l;
    if (!find_loops(tops.data[i], &l)) continue;
    TtOps loads = clamped_loads(arena, kernel, &l);
    for (intptr_t j = 0; j < loads.n; ++j) take_apart(arena, &l, loads.data[j]);
    any |= loads.n > 0;
    any |= take_uneven(arena, &l);
  }
  if (any) tt_erase_dead(kernel);
}
