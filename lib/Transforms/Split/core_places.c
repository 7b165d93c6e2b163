/*===- core_places.c - the units of cores that are not numbered row by row ----------------------===
 *
 *   tt.work_partition = [(0, 0): 0, 1   (0, 1): 1, 1   (1, 0): 2, 1   (1, 1): 3, 1 …]
 *
 *   %start = (%y / 2 * 13 + %x) * 2 + %y % 2        13 columns of two cores beside each other
 *   %count = arith.constant 1
 *
 * Rectangles beside each other, each row by row, and columns beside each other have a formula, and
 * so have boxes of one size, or of one size on each side of a cut (core_boxes.c); else it is a
 * choice among all cores.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/core_places.h"

#include "Dialect/target.h"

typedef struct Places {
  TtBuilder *b;
  MlirLocation loc;
  MlirValue x, y, start, count;
} Places;

static MlirValue constant(Places *m, int64_t value) { return tt_index(m->b, m->loc, value); }

/* x * factor + more. */
static MlirValue line(Places *m, MlirValue x, int64_t factor, int64_t more) {
  MlirValue product = tt_mul(m->b, m->loc, x, constant(m, factor));
  return tt_add(m->b, m->loc, product, constant(m, more));
}

static MlirValue equal(Places *m, MlirValue x, int64_t y) {
  TtOpState s = tt_op_state("arith.cmpi", m->loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, constant(m, y));
  tt_op_state_attr(&s, m->b->context, "predicate", tt_i64_attr(m->b->context, 0)); /* eq */
  tt_op_state_result(&s, mlirIntegerTypeGet(m->b->context, 1));
  return mlirOperationGetResult(tt_builder_insert(m->b, tt_op_state_finish(&s)), 0);
}

/* How many columns (side 0) or rows (side 1) the cores of a partition span. */
static int64_t span_of(MlirAttribute partition, int side) {
  int64_t span = 0;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(partition); ++i) {
    int64_t at = tt_work_attr_core(mlirArrayAttrGetElement(partition, i), side);
    if (at >= span) span = at + 1;
  }
  return span;
}

/* Rectangles of `across` x `down` cores beside each other, each row by row, all with as many units:
 * false where it is not so. */
static bool follow_rectangles(Places *m, MlirAttribute partition) {
  intptr_t n = mlirArrayAttrGetNumElements(partition), across = 0;
  int64_t down = span_of(partition, 1),
          count = n ? tt_work_attr_count(mlirArrayAttrGetElement(partition, 0)) : 0;
  while (across < n && tt_work_attr_core(mlirArrayAttrGetElement(partition, across), 1) == 0)
    ++across;
  if (across == 0 || down == 0) return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(partition, i);
    int64_t x = tt_work_attr_core(w, 0), y = tt_work_attr_core(w, 1);
    if (tt_work_attr_count(w) != count ||
        tt_work_attr_start_id(w) != ((x / across * down + y) * across + x % across) * count)
      return false;
  }
  MlirValue wide = constant(m, across),
            row = tt_add(m->b, m->loc, line(m, tt_div(m->b, m->loc, m->x, wide), down, 0), m->y);
  MlirValue place = tt_add(m->b, m->loc, line(m, row, across, 0), tt_rem(m->b, m->loc, m->x, wide));
  m->count = constant(m, count);
  m->start = line(m, place, count, 0);
  return true;
}

/* Columns of `down` cores beside each other, `across` of them in a row, all with as many units:
 * false where it is not so. */
static bool follow_columns(Places *m, MlirAttribute partition) {
  intptr_t n = mlirArrayAttrGetNumElements(partition), down = 0;
  int64_t across = span_of(partition, 0),
          count = n ? tt_work_attr_count(mlirArrayAttrGetElement(partition, 0)) : 0;
  while (down < n && tt_work_attr_core(mlirArrayAttrGetElement(partition, down), 0) == 0) ++down;
  if (down == 0) return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(partition, i);
    int64_t x = tt_work_attr_core(w, 0), y = tt_work_attr_core(w, 1);
    if (tt_work_attr_count(w) != count ||
        tt_work_attr_start_id(w) != ((y / down * across + x) * down + y % down) * count)
      return false;
  }
  MlirValue tall = constant(m, down), row = tt_div(m->b, m->loc, m->y, tall),
            column = tt_add(m->b, m->loc, line(m, row, across, 0), m->x),
            place =
                tt_add(m->b, m->loc, line(m, column, down, 0), tt_rem(m->b, m->loc, m->y, tall));
  m->count = constant(m, count);
  m->start = line(m, place, count, 0);
  return true;
}

/* Cores in any order: a choice among all. */
static void choose_core(Places *m, MlirAttribute partition) {
  intptr_t n = mlirArrayAttrGetNumElements(partition);
  m->start = m->count = constant(m, 0);
  for (intptr_t i = n; i-- > 0;) {
    MlirAttribute w = mlirArrayAttrGetElement(partition, i);
    MlirValue in_column = equal(m, m->x, tt_work_attr_core(w, 0)),
              here = tt_and(m->b, m->loc, in_column, equal(m, m->y, tt_work_attr_core(w, 1)));
    m->start = tt_select(m->b, m->loc, here, constant(m, tt_work_attr_start_id(w)), m->start);
    m->count = tt_select(m->b, m->loc, here, constant(m, tt_work_attr_count(w)), m->count);
  }
}

void tt_follow_places(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y,
                      MlirAttribute partition, bool all_named, bool local, MlirValue *start,
                      MlirValue *count) {
  Places m = {.b = b, .loc = loc, .x = x, .y = y};
  if (local || !all_named ||
      (!follow_rectangles(&m, partition) && !follow_columns(&m, partition) &&
       !tt_follow_boxes(b, loc, x, y, partition, &m.start, &m.count)))
    choose_core(&m, partition);
  *start = m.start, *count = m.count;
}
