/*===- check_cells.c - cells of a grid that meet in a tensor ---------------------------------===
 *
 * Cells run on different cores, in no order. So no cell may write what another one reads or
 * writes:
 *
 *   scf.forall (%b, %s) in (4, 2) {                   %s does not tell where C is written:
 *     memref.copy %acc, C[%b * 32, 0] [32, 32]        an error
 *   }
 *
 * For two steps of the grid that differ along an axis, the boxes that two ops touch must not
 * meet, which is a question of integer points: offsets are index expressions of grid, loops and
 * sizes. Where they are not (or hang on values that are loaded), the answer is a warning, and
 * the emulated device sees what happens.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/box.h"
#include "Analysis/constraints.h"
#include "Analysis/index_expr.h"
#include "Analysis/shards.h"
#include "Analysis/touches.h"
#include "Transforms/Partition/partition.h"

#include <stdio.h>
#include <string.h>

/* Pairs of ops that are looked at in one kernel; a pair takes some ten microseconds. */
enum { MAX_PAIRS = 4000 };

typedef struct Check {
  TtArena *arena;
  MlirOperation func;
  const TtGrid *grid;
  const TtTouch *write, *other;
} Check;

/* A problem of two steps of the grid, with what is known of both ops. */
typedef struct Meeting {
  TtConstraints c;
  TtLinear cell[2][3], from[TT_MAX_RANK]; /* steps of the grid by axis; the write's offsets */
} Meeting;

static TtLinear start_of(TtConstraints *c, const TtTouch *t, intptr_t d, int run) {
  TtLinear sum = {.constant = t->start[d]};
  for (int i = 0; i < t->num_terms[d]; ++i)
    sum = tt_linear_add(sum, tt_linear_of(c, t->terms[d][i], run), 1);
  return sum;
}

/* a <= b + size - 1, where the size is known. */
static void require_reach(TtConstraints *c, TtLinear a, TtLinear b, int64_t size) {
  if (size < 0) return;
  TtLinear room = tt_linear_add(b, a, -1), reach = {.constant = size - 1};
  tt_require(c, tt_linear_add(room, reach, 1));
}

/* a and b are any number of steps apart. */
static void require_steps(TtConstraints *c, TtLinear a, TtLinear b, int64_t step) {
  if (step == 1) return;
  TtLinear apart = tt_linear_add(a, b, -1), none = {.constant = 0};
  TtLinear steps = tt_linear_add(none, tt_linear_quotient(c, apart, step), step);
  tt_require(c, tt_linear_add(steps, apart, -1));
}

/* Both reach into one tile of dimension `d`. */
static void require_tile(Meeting *m, const Check *check, intptr_t d, TtLinear a, TtLinear b) {
  TtLinear ends[2] = {{.constant = check->write->size[d] - 1},
                      {.constant = check->other->size[d] - 1}},
           last[2] = {tt_linear_add(a, ends[0], 1), tt_linear_add(b, ends[1], 1)}, tile[2][2];
  tile[0][0] = tt_linear_quotient(&m->c, a, TT_TILE);
  tile[1][0] = tt_linear_quotient(&m->c, b, TT_TILE);
  for (int i = 0; i < 2; ++i) tile[i][1] = tt_linear_quotient(&m->c, last[i], TT_TILE);
  for (int i = 0; i < 2; ++i) tt_require(&m->c, tt_linear_add(tile[i][1], tile[!i][0], -1));
}

/* With `tiles`, the boxes need not meet, but reach into one tile. Without `conditions`, of branches
 * around the ops either way may be taken. */
static Meeting meeting_of(const Check *check, bool tiles, bool conditions) {
  Meeting m = {.c = tt_constraints(check->arena, check->grid->loop)};
  for (int run = 0; run < 2; ++run)
    for (int axis = 0; axis < check->grid->dims; ++axis) {
      intptr_t d = check->grid->dims - 1 - axis;
      MlirValue iv = mlirBlockGetArgument(tt_body(check->grid->loop), d);
      m.cell[run][axis] = tt_linear_of(&m.c, iv, run);
    }
  if (conditions) {
    tt_require_conditions(&m.c, check->write->op, 0);
    tt_require_conditions(&m.c, check->other->op, 1);
  }
  for (intptr_t d = 0; d < check->write->rank; ++d) {
    TtLinear a = start_of(&m.c, check->write, d, 0), b = start_of(&m.c, check->other, d, 1);
    m.from[d] = a;
    if (tiles && d >= check->write->rank - 2 && check->write->size[d] > 0 &&
        check->other->size[d] > 0) {
      require_tile(&m, check, d, a, b);
      continue;
    }
    require_reach(&m.c, a, b, check->other->size[d]);
    require_reach(&m.c, b, a, check->write->size[d]);
    if (check->write->stride[d] == check->other->stride[d])
      require_steps(&m.c, a, b, check->write->stride[d]);
  }
  return m;
}

/* "(bx = 1, by = 0)": a step of the grid in a solution, counted in cells. */
static const char *cell_text(const Check *check, const Meeting *m, int run, const int64_t *x) {
  char *text = tt_arena_printf(check->arena, "(");
  for (int axis = 0; axis < check->grid->dims; ++axis) {
    intptr_t d = check->grid->dims - 1 - axis;
    int64_t step = mlirDenseI64ArrayGetElement(tt_op_attr(check->grid->loop, "staticStep"), d),
            lower =
                mlirDenseI64ArrayGetElement(tt_op_attr(check->grid->loop, "staticLowerBound"), d);
    int64_t at = (tt_linear_at(&m->c, &m->cell[run][axis], x) - lower) / step;
    text = tt_arena_printf(check->arena, "%s%sb%c = %jd", text, axis ? ", " : "", "xyz"[axis],
                           (intmax_t)at);
  }
  return tt_arena_printf(check->arena, "%s)", text);
}

static const char *place_text(const Check *check, const Meeting *m, const int64_t *x) {
  char *text = tt_arena_printf(check->arena, "%s[", check->write->tensor->name);
  for (intptr_t d = 0; d < check->write->rank; ++d)
    text = tt_arena_printf(check->arena, "%s%s%jd", text, d ? ", " : "",
                           (intmax_t)tt_linear_at(&m->c, &m->from[d], x));
  return tt_arena_printf(check->arena, "%s]", text);
}

static bool report(const Check *check, const Meeting *m, const int64_t *x) {
  const char *a = cell_text(check, m, 0, x), *b = cell_text(check, m, 1, x),
             *place = place_text(check, m, x);
  bool writes = check->other->writes;
  MlirLocation where = mlirOperationGetLocation(check->other->op);
  const char *note = writes ? "and it is written here" : "and it is read here";
  return tt_error_with_notes(
      check->write->op, tt_op_eq(check->write->op, check->other->op) ? 0 : 1, &where, &note,
      writes ? "two cells of the grid write the same block: %s and %s both write from %s on, in no "
               "order; let one cell do all of it (a sum over a grid axis becomes an scf.for "
               "inside of the cell)"
             : "one cell of the grid writes what another one reads: %s writes from %s on, and %s "
               "reads there, in no order; write to another tensor, or make it two kernels",
      a, writes ? b : place, writes ? place : b);
}

/* Whether --tt-check-elements has said it of the loops that the op comes from. */
static bool is_said(const Check *check) {
  MlirAttribute said = tt_get_attr(check->func, "tt.may_meet");
  for (intptr_t i = 0; !mlirAttributeIsNull(said) && i < mlirArrayAttrGetNumElements(said); ++i)
    if (tt_str_eq(tt_string(mlirArrayAttrGetElement(said, i)), check->write->tensor->name))
      return true;
  return false;
}

static void warn(const Check *check) {
  if (check->other->writes && is_said(check)) return;
  tt_warning(check->write->op,
             "cannot tell whether two cells of the grid meet here in tensor '%s'%s: its offsets "
             "are no sums of grid, loops and sizes; the emulated device checks it as it runs",
             check->write->tensor->name,
             check->other->writes ? "" : ", which the kernel reads as well");
}

/* Whether the elements of a write are no runs that the NoC writes: then the core that writes them
 * reads their tile, changes it and writes it back (tt_box_has_runs()). */
static bool rewrites_tiles(const Check *check, const TtTouch *t) {
  TtDType dtype = TT_D_TYPE_BF16;
  MlirAttribute buffer = tt_named_attr(check->func, "buffer", t->tensor->name);
  tt_dtype_of(mlirShapedTypeGetElementType(t->tensor->type), &dtype);
  if (tt_buffer_attr_isa(buffer)) dtype = tt_buffer_attr_dtype(buffer);
  int64_t bytes = tt_format(dtype)->datum_bits / 8, unit = bytes ? tt_box_unit(t->op, bytes) : 1;
  intptr_t last = t->rank - 1;
  if (tt_is_row_major(buffer)) unit = TT_TILE;
  if (t->whole || last < 0) return false;
  if (t->turned) return true;
  TtBuilder b = tt_builder_before(t->op);
  for (int i = 0; i < t->num_terms[last]; ++i)
    if (!tt_is_multiple(check->arena, &b, t->terms[last][i], unit)) return true;
  if (t->start[last] % unit != 0 || t->stride[last] != 1) return true;
  for (intptr_t d = 0; d < last; ++d) /* rows are read with those between them */
    if (t->stride[d] != 1) return true;
  bool ends = !t->reshaped && t->num_terms[last] == 0 &&
              !mlirShapedTypeIsDynamicDim(t->tensor->type, last) &&
              t->start[last] + t->size[last] == mlirShapedTypeGetDimSize(t->tensor->type, last);
  return t->size[last] % unit != 0 && !ends;
}

static bool report_tile(const Check *check, const Meeting *m, const int64_t *x) {
  MlirLocation where = mlirOperationGetLocation(check->other->op);
  const char *note = "and parts of the same tiles are written here";
  return tt_error_with_notes(
      check->write->op, tt_op_eq(check->write->op, check->other->op) ? 0 : 1, &where, &note,
      "two cells of the grid write parts of one tile of 32x32: %s and %s, the first from %s on. "
      "Elements are written alone only in runs of 16 bytes along the last dimension, at multiples "
      "of 16 bytes; let one cell write all of the tile, or make the parts such runs",
      cell_text(check, m, 0, x), cell_text(check, m, 1, x), place_text(check, m, x));
}

/* False after an error. */
static bool check_pair(const Check *check, bool tiles) {
  Meeting base = meeting_of(check, tiles, true);
  bool same = check->write == check->other;
  int64_t x[TT_MAX_COLUMNS];
  for (int axis = 0; axis < check->grid->dims; ++axis)
    for (int sign = same ? 1 : -1; sign <= 1; sign += 2) {
      if (base.c.overflow) return warn(check), true;
      Meeting m = base;
      TtLinear apart = tt_linear_add(m.cell[1][axis], m.cell[0][axis], -1), row = {.constant = -1};
      tt_require(&m.c, tt_linear_add(row, apart, sign));
      if (!tt_solve(&m.c, x)) continue;
      if (m.c.exact && !check->write->whole && !check->other->whole)
        return tiles ? report_tile(check, &m, x) : report(check, &m, x);
      return warn(check), true;
    }
  return true;
}

/* The axes along which two different cells may be, both of which reach into one tile: whatever
 * branches do that hang on what is loaded, as of rows that do not count. */
static unsigned axes_of(const Check *check) {
  Meeting base = meeting_of(check, true, true);
  unsigned axes = 0;
  if (!base.c.exact) base = meeting_of(check, true, false);
  int64_t x[TT_MAX_COLUMNS];
  for (int axis = 0; axis < check->grid->dims && !base.c.overflow; ++axis)
    for (int sign = -1; sign <= 1; sign += 2) {
      Meeting m = base;
      TtLinear apart = tt_linear_add(m.cell[1][axis], m.cell[0][axis], -1), row = {.constant = -1};
      tt_require(&m.c, tt_linear_add(row, apart, sign));
      if (tt_solve(&m.c, x) && m.c.exact) axes |= 1u << axis;
    }
  return axes;
}

/* Keeps one of touches that are alike next to each other, and those of tensors that the kernel
 * writes. */
static void unite(TtTouches *all) {
  intptr_t kept = 0;
  for (intptr_t i = 0; i < all->n; ++i) {
    if (!all->data[i].tensor->written) continue;
    bool known = false;
    for (intptr_t j = kept; j-- > 0 && kept - j <= 8 && !known;)
      known = tt_same_box(&all->data[j], &all->data[i]);
    if (!known) all->data[kept++] = all->data[i];
  }
  all->n = kept;
}

/* Pairs of writes, or of a write and a read. False after an error. */
static bool check_pairs(TtArena *arena, MlirOperation func, const TtGrid *grid,
                        const TtTouches *all, bool writes, bool tiles, intptr_t *pairs) {
  for (intptr_t i = 0; i < all->n; ++i)
    for (intptr_t j = 0; all->data[i].writes && j < all->n && *pairs <= MAX_PAIRS; ++j) {
      Check check = {arena, func, grid, &all->data[i], &all->data[j]};
      if (check.other->tensor != check.write->tensor || check.other->writes != writes ||
          (writes && j < i))
        continue;
      if (++*pairs > MAX_PAIRS) break;
      if (!check_pair(&check, false)) return false;
      bool rewrites = tiles && writes &&
                      (rewrites_tiles(&check, check.write) || rewrites_tiles(&check, check.other));
      if (rewrites && !check_pair(&check, true)) return false;
    }
  return true;
}

bool tt_check_cells(TtArena *arena, MlirOperation func, const TtGrid *grid, bool tiles) {
  if (mlirOperationIsNull(grid->loop)) return true;
  TtTouches all = tt_touches(arena, func, tt_kernel_args(arena, func));
  intptr_t pairs = 0;
  unite(&all);
  if (!check_pairs(arena, func, grid, &all, true, tiles, &pairs) ||
      !check_pairs(arena, func, grid, &all, false, tiles, &pairs))
    return false;
  if (pairs > MAX_PAIRS)
    tt_warning(func, "the kernel touches the tensors that it writes at so many places that not all "
                     "pairs of them were checked for cells that meet");
  return true;
}

unsigned tt_axes_sharing_tiles(TtArena *arena, MlirOperation func, const TtGrid *grid) {
  TtTouches all = tt_touches(arena, func, tt_kernel_args(arena, func));
  intptr_t pairs = 0;
  unsigned axes = 0;
  unite(&all);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = i; all.data[i].writes && j < all.n && pairs <= MAX_PAIRS; ++j) {
      Check check = {arena, func, grid, &all.data[i], &all.data[j]};
      if (!check.other->writes || check.other->tensor != check.write->tensor) continue;
      if (!rewrites_tiles(&check, check.write) && !rewrites_tiles(&check, check.other)) continue;
      axes |= axes_of(&check);
      ++pairs;
    }
  return axes;
}
