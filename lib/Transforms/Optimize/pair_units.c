/*===- pair_units.c - --tt-pair-units -----------------------------------------------------------===
 *
 * Deals units by their work, where this grows along the grid: a core has a short unit with each
 * long one.
 *
 *   before  16 blocks of queries on four cores, each of which sees the keys up to its own: the
 *           first core has blocks 0 1 2 3, and the last one 12 13 14 15
 *           %bx = %tid % 16; scf.for %key = 0 to (%bx + 1) * 64 …
 *   after   the first core has blocks 0 7 8 15, and the last one 3 4 11 12
 *           %core = %bx / 4; %turn = %bx % 4
 *           %block = %turn * 4 + (%turn % 2 ? 3 - %core : %core)
 *
 * Cores take turns from the first to the last, and back. Done where bounds of a loop within a unit
 * depend on the unit's place along the innermost axis of the grid, all cores have as many units,
 * and these are of one line of the grid. Where some have fewer than the others, as 4 of 130 cores
 * for 256 units, those that are not needed go without: the longest core has no unit more.
 * Results do not depend on who has a unit.
 *
 * Requires units of work (B1, B2), before D1.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_axes.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/shards.h"
#include "Analysis/sharing.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Partition/partition.h"

static const char *const pass = "tt-pair-units";

/* Whether a value is computed from another one, outside of what `value` loops over. */
static bool depends_on(MlirValue value, MlirValue on) {
  if (tt_value_eq(value, on)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) > 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (depends_on(mlirOperationGetOperand(op, i), on)) return true;
  return false;
}

static bool grows_with(TtArena *arena, MlirOperation func, MlirValue place) {
  TtOps loops = tt_collect(arena, func, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i)
    for (intptr_t bound = 0; bound < 2; ++bound)
      if (depends_on(mlirOperationGetOperand(loops.data[i], bound), place)) return true;
  return false;
}

/* The place of a unit along the innermost axis of the grid: its number, or what is left of it. */
static MlirValue find_place(MlirValue unit, int64_t cells, int64_t units) {
  if (cells == units) return unit;
  for (MlirOpOperand use = mlirValueGetFirstUse(unit); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    int64_t by;
    if (tt_op_is(op, "arith.remui") && tt_value_eq(mlirOperationGetOperand(op, 0), unit) &&
        tt_constant(mlirOperationGetOperand(op, 1), &by) && by == cells)
      return mlirOperationGetResult(op, 0);
  }
  return (MlirValue){NULL};
}

/* How many units each core has, from a multiple of that on; 0 where they differ. */
static int64_t units_of_each(const TtCoreTable *cores) {
  int64_t each = cores->n > 0 ? cores->values[1] : 0;
  for (int64_t i = 0; i < cores->n; ++i) {
    const int64_t *given = &cores->values[i * cores->num_names];
    if (given[1] != each || each == 0 || given[0] % each != 0) return 0;
  }
  return each;
}

/* Whether units go to cores in their order, row by row of all cores, some of which have one unit
 * less; how many they have at most. */
static int64_t most_in_order(const TtCoreTable *cores, int64_t width) {
  int64_t next = 0, most = cores->n > 0 ? cores->values[1] : 0;
  for (int64_t i = 0; i < cores->n; ++i) {
    const int64_t *given = &cores->values[i * cores->num_names];
    if (given[0] != next || given[1] > most || given[1] < most - 1 ||
        cores->cores[i].x != i % width || cores->cores[i].y != i / width)
      return 0;
    next += given[1];
  }
  return most;
}

/* Gives as many units to each of fewer cores, where those of a line divide so; else 0. */
static int64_t even_out(TtArena *arena, MlirOperation func, const TtCoreTable *cores,
                        const int64_t cells[3]) {
  int64_t width = tt_target_of(func).grid_x, most = most_in_order(cores, width);
  if (most < 2 || cells[0] % most != 0 || cells[0] == most) return 0;
  int64_t needed = cells[0] * cells[1] * cells[2] / most;
  tt_set_units_on(arena, func, cells, needed, width < needed ? width : needed);
  return most;
}

static void deal(MlirValue place, int64_t cells, int64_t each) {
  MlirOperation old = tt_defining_op(place), copy = mlirOperationClone(old);
  MlirLocation loc = mlirOperationGetLocation(old);
  TtBuilder b = tt_builder_before(old);
  MlirValue at = mlirOperationGetResult(tt_builder_insert(&b, copy), 0),
            turns = tt_index(&b, loc, each), cores = tt_index(&b, loc, cells / each),
            core = tt_div(&b, loc, at, turns), turn = tt_rem(&b, loc, at, turns),
            back = tt_rem(&b, loc, turn, tt_index(&b, loc, 2)),
            other = tt_sub(&b, loc, tt_index(&b, loc, cells / each - 1), core);
  /* in a turn back, the way from `core` to `other` */
  MlirValue here = tt_mul(&b, loc, tt_sub(&b, loc, tt_index(&b, loc, 1), back), core),
            there = tt_mul(&b, loc, back, other);
  MlirValue block = tt_add(&b, loc, tt_mul(&b, loc, turn, cores), tt_add(&b, loc, here, there));
  tt_name_hint(tt_defining_op(block), "block");
  tt_replace(old, block);
}

static bool pair_units(TtArena *arena, MlirOperation func) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  TtCoreTable cores;
  MlirValue unit;
  if (mlirAttributeIsNull(grid) || !mlirAttributeIsADenseI64Array(grid) ||
      mlirDenseArrayGetNumElements(grid) != 3 || tt_follows_shards(arena, func) ||
      !tt_unit_cores(arena, func, &cores) || !tt_find_unit(arena, func, &unit))
    return true;
  int64_t sides[3], each = units_of_each(&cores);
  for (int i = 0; i < 3; ++i) sides[i] = mlirDenseI64ArrayGetElement(grid, i);
  int64_t cells = sides[0];
  MlirValue place = find_place(unit, cells, cells * sides[1] * sides[2]);
  if (tt_is_null_value(place) || !grows_with(arena, func, place)) return true;
  if (each == 0) each = even_out(arena, func, &cores, sides);
  if (each < 2 || cells % each != 0 || cells == each) {
    tt_remark(func, TT_REMARK_MISSED, pass, "units of several lengths are dealt as they come: %s",
              each == 1 ? "a core has one" : "cores have not the same number of them in a row");
    return true;
  }
  deal(place, cells, each);
  tt_remark(func, TT_REMARK_PASSED, pass,
            "units of several lengths are dealt in turn to %jd cores, and back, %jd to each",
            (intmax_t)(cells / each), (intmax_t)each);
  return true;
}

bool tt_run_pair_units(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, pair_units);
}
