/*===- core_args.c - the runtime arguments of a core, as a function of where it is -----------===
 *
 *   tt.work_partition = [(0, 0): 0, 5   (1, 0): 5, 5   (2, 0): 10, 4   (3, 0): 14, 4]
 *
 *   tt.core_args (%x, %y) -> ["start_id", "count"] {
 *     %first = arith.cmpi ult, %x, %c2
 *     %start = arith.select %first, %x * 5, %x * 4 + 2
 *     %count = arith.select %first, %c5, %c4
 *
 * Cores count row by row. What they get is a formula of their number where a few will do, or of
 * their row and column among the shards; else a choice among all. A grid that is known when the
 * kernel runs is computed from the sizes of tensors, and split in the same way.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/core_args.h"
#include "Transforms/Split/core_places.h"

#include "Analysis/core_args.h"
#include "Analysis/program.h"
#include "Dialect/target.h"

#include "mlir-c/AffineMap.h"

#include <string.h>

enum { FEW = 2 }; /* runs of cores that are written one by one in any case */

typedef struct Maker {
  TtArena *arena;
  MlirOperation program;
  MlirLocation loc;
  TtBuilder b;
  MlirValue x, y, number; /* of the core, row by row */
  MlirValue sy, sx;       /* of its shard */
  MlirValue grid[3];
  MlirValue start, count;
  const char **sizes;
  intptr_t num_sizes;
  MlirBlock body;
} Maker;

static MlirValue constant(Maker *m, int64_t value) { return tt_index(&m->b, m->loc, value); }

static MlirValue below(Maker *m, MlirValue x, int64_t limit) {
  return tt_less(&m->b, m->loc, x, constant(m, limit));
}

/* x * factor + more, which may be negative. */
static MlirValue line(Maker *m, MlirValue x, int64_t factor, int64_t more) {
  MlirValue product = tt_mul(&m->b, m->loc, x, constant(m, factor));
  if (more < 0) return tt_sub(&m->b, m->loc, product, constant(m, -more));
  return tt_add(&m->b, m->loc, product, constant(m, more));
}

static int64_t element(MlirOperation op, const char *name, intptr_t i, int64_t otherwise) {
  MlirAttribute a = tt_get_attr(op, name);
  return mlirAttributeIsNull(a) ? otherwise : mlirDenseI64ArrayGetElement(a, i);
}

static bool is_local(const Maker *m) {
  return tt_str_eq(tt_string(tt_get_attr(m->program, "tt.partition_mode")), "local_shard");
}

static void name(MlirValue value, const char *variable) {
  MlirOperation op = tt_defining_op(value);
  int64_t c;
  if (!mlirOperationIsNull(op) && !tt_constant(value, &c)) tt_name_hint(op, variable);
}

/*===- Where a core is ------------------------------------------------------------------------===*/

/* A row of `width` cores is core (0, y) to (width - 1, y). */
static void number_cores(Maker *m, int64_t width, int64_t cores) {
  if (width == 1) m->number = m->y;
  else if (cores <= width) m->number = m->x;
  else m->number = tt_add(&m->b, m->loc, tt_mul(&m->b, m->loc, m->y, constant(m, width)), m->x);
}

static void find_shard(Maker *m, int64_t width, int64_t across, int64_t down) {
  bool in_place = across == width;
  m->sy = down == 1  ? constant(m, 0)
          : in_place ? m->y
                     : tt_div(&m->b, m->loc, m->number, constant(m, across));
  m->sx = across == 1 ? constant(m, 0)
          : in_place  ? m->x
                      : tt_rem(&m->b, m->loc, m->number, constant(m, across));
  name(m->sy, "sy");
  name(m->sx, "sx");
}

/*===- A grid that is known ---------------------------------------------------------------------*/

typedef struct Work {
  int64_t start, count;
} Work;
typedef struct Run { /* of cores whose counts are equal and whose starts follow each other */
  int64_t from, to;
  Work first;
} Run;

static intptr_t find_runs(const Work *work, int64_t n, bool local, Run *runs) {
  intptr_t num = 0;
  for (int64_t i = 0; i < n; ++i) {
    Run *last = num ? &runs[num - 1] : NULL;
    int64_t next =
        last ? last->first.start + (local ? 0 : (i - last->from) * last->first.count) : 0;
    if (last && last->first.count == work[i].count && next == work[i].start) last->to = i + 1;
    else runs[num++] = (Run){i, i + 1, work[i]};
  }
  return num;
}

static void follow_runs(Maker *m, const Run *runs, intptr_t n, bool local) {
  for (intptr_t r = n; r-- > 0;) {
    Work w = runs[r].first;
    MlirValue count = constant(m, w.count),
              start = local ? constant(m, w.start)
                            : line(m, m->number, w.count, w.start - runs[r].from * w.count);
    if (r == n - 1) {
      m->count = count, m->start = start;
      continue;
    }
    MlirValue here = below(m, m->number, runs[r].to);
    m->count = tt_select(&m->b, m->loc, here, count, m->count);
    m->start = tt_select(&m->b, m->loc, here, start, m->start);
  }
}

/* The last row and the last column of shards may have less: false where it is not so. */
static bool follow_shards(Maker *m, const Work *work, int64_t n, int64_t across, bool local) {
  int64_t down = n / across;
  if (n % across || down < 2 || across < 2) return false;
  int64_t count[2][2] = {{work[0].count, work[across - 1].count},
                         {work[n - across].count, work[n - 1].count}};
  int64_t row = count[0][0] * (across - 1) + count[0][1];
  for (int64_t i = 0; i < n; ++i) {
    int64_t y = i / across, x = i % across;
    int64_t c = count[y == down - 1][x == across - 1],
            start = local ? 0 : y * row + x * count[y == down - 1][0];
    if (work[i].count != c || work[i].start != start) return false;
  }
  MlirValue last_row[2], width[2];
  for (int i = 0; i < 2; ++i) {
    last_row[i] = tt_select(&m->b, m->loc, below(m, m->sx, across - 1), constant(m, count[i][0]),
                            constant(m, count[i][1]));
    width[i] = constant(m, count[i][0]);
  }
  MlirValue upper = below(m, m->sy, down - 1);
  m->count = tt_select(&m->b, m->loc, upper, last_row[0], last_row[1]);
  m->start = constant(m, 0);
  if (!local)
    m->start =
        tt_add(&m->b, m->loc, line(m, m->sy, row, 0),
               tt_mul(&m->b, m->loc, m->sx, tt_select(&m->b, m->loc, upper, width[0], width[1])));
  return true;
}

/* How many cores the program runs on; as many as are named where nothing says it. */
static int64_t cores_in_ranges(const Maker *m) {
  MlirAttribute ranges = tt_get_attr(m->program, "tt.core_ranges");
  if (mlirAttributeIsNull(ranges))
    return mlirArrayAttrGetNumElements(tt_get_attr(m->program, "tt.work_partition"));
  int64_t cores = 0;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    cores += (tt_core_range_attr_end(r, 0) - tt_core_range_attr_start(r, 0) + 1) *
             (tt_core_range_attr_end(r, 1) - tt_core_range_attr_start(r, 1) + 1);
  }
  return cores;
}

static void split_known(Maker *m, MlirAttribute partition, int64_t width, int64_t across) {
  intptr_t n = mlirArrayAttrGetNumElements(partition);
  Work *work = tt_arena_alloc(m->arena, (size_t)(n + 1) * sizeof *work);
  Run *runs = tt_arena_alloc(m->arena, (size_t)(n + 1) * sizeof *runs);
  bool row_by_row = true, local = is_local(m);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(partition, i);
    work[i] = (Work){tt_work_attr_start_id(w), tt_work_attr_count(w)};
    row_by_row &= tt_work_attr_core(w, 0) == i % width && tt_work_attr_core(w, 1) == i / width;
  }
  bool all_named = cores_in_ranges(m) == n;
  if (!row_by_row || !all_named) {
    tt_follow_places(&m->b, m->loc, m->x, m->y, partition, all_named, local, &m->start, &m->count);
    return;
  }
  intptr_t num_runs = find_runs(work, n, local, runs);
  if (num_runs > FEW && follow_shards(m, work, n, across, local)) return;
  follow_runs(m, runs, num_runs, local);
}

/*===- A grid that is computed ------------------------------------------------------------------*/

static MlirValue affine(Maker *m, MlirAffineExpr e, MlirAttribute symbols) {
  if (mlirAffineExprIsAConstant(e)) return constant(m, mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e)) {
    MlirStringRef size =
        tt_string(mlirArrayAttrGetElement(symbols, mlirAffineDimExprGetPosition(e)));
    for (intptr_t i = 0; i < m->num_sizes; ++i)
      if (tt_str_eq(size, m->sizes[i])) return mlirBlockGetArgument(m->body, 2 + i);
    return constant(m, 1);
  }
  MlirValue a = affine(m, mlirAffineBinaryOpExprGetLHS(e), symbols),
            b = affine(m, mlirAffineBinaryOpExprGetRHS(e), symbols);
  if (mlirAffineExprIsAAdd(e)) return tt_add(&m->b, m->loc, a, b);
  if (mlirAffineExprIsAMul(e)) return tt_mul(&m->b, m->loc, a, b);
  if (mlirAffineExprIsAMod(e)) return tt_rem(&m->b, m->loc, a, b);
  if (mlirAffineExprIsACeilDiv(e))
    a = tt_add(&m->b, m->loc, a, tt_sub(&m->b, m->loc, b, constant(m, 1)));
  return tt_div(&m->b, m->loc, a, b);
}

static void find_grid(Maker *m) {
  static const char *const names[3] = {"gx", "gy", "gz"};
  MlirAttribute map = tt_get_attr(m->program, "tt.grid_map"),
                symbols = tt_get_attr(m->program, "tt.grid_symbols");
  for (int axis = 0; axis < 3; ++axis) {
    m->grid[axis] =
        mlirAttributeIsNull(map)
            ? constant(m, element(m->program, "tt.grid", axis, 1))
            : affine(m, mlirAffineMapGetResult(mlirAffineMapAttrGetValue(map), axis), symbols);
    name(m->grid[axis], names[axis]);
  }
}

/* The first cores get one unit more where they cannot be divided evenly. */
static void split_evenly(Maker *m, int64_t cores) {
  MlirValue units =
                tt_mul(&m->b, m->loc, m->grid[0], tt_mul(&m->b, m->loc, m->grid[1], m->grid[2])),
            each = tt_div(&m->b, m->loc, units, constant(m, cores)),
            more = tt_rem(&m->b, m->loc, units, constant(m, cores));
  name(units, "units");
  name(each, "each");
  name(more, "more");
  MlirValue has_more = tt_less(&m->b, m->loc, m->number, more);
  m->count = tt_add(&m->b, m->loc, each,
                    tt_select(&m->b, m->loc, has_more, constant(m, 1), constant(m, 0)));
  m->start = tt_add(&m->b, m->loc, tt_mul(&m->b, m->loc, m->number, each),
                    tt_min(&m->b, m->loc, m->number, more));
}

/* How many units the shard of a core has along a side: what is left of the grid there. */
static MlirValue units_along(Maker *m, int side) {
  MlirValue units = constant(m, 1), whole;
  int64_t most = element(m->program, "tt.shard_units", side, 0);
  for (int axis = 0; axis < 3; ++axis)
    if (element(m->program, "tt.unit_axes", axis, -1) == side)
      units = tt_mul(&m->b, m->loc, units, m->grid[axis]);
  if (most == 0) return units;
  if (most == 1) return constant(m, 1); /* no shard is empty */
  whole = constant(m, most);
  MlirValue before = tt_mul(&m->b, m->loc, side ? m->sx : m->sy, whole);
  return tt_min(&m->b, m->loc, whole, tt_sub(&m->b, m->loc, units, before));
}

static void split_by_shard(Maker *m) {
  m->start = constant(m, 0);
  m->count = tt_mul(&m->b, m->loc, units_along(m, 0), units_along(m, 1));
  for (int axis = 0; axis < 3; ++axis)
    if (element(m->program, "tt.unit_axes", axis, -1) < 0)
      m->count = tt_mul(&m->b, m->loc, m->count, m->grid[axis]);
}

/*===- Names ----------------------------------------------------------------------------------===*/

/* The value of a canonical name; null where nothing gives it. */
static MlirValue value_of(Maker *m, const char *arg) {
  MlirAttribute kt = tt_get_attr(m->program, "tt.kt");
  static const struct {
    const char *arg, *attr;
    int at;
  } known[] = {{"Mt", "tt.grid_tiles", 0},        {"Nt", "tt.grid_tiles", 1},
               {"Sm", "tt.local_shape_tiles", 0}, {"Sn", "tt.local_shape_tiles", 1},
               {"Gy", "tt.shard_grid", 0},        {"Gx", "tt.shard_grid", 1}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strcmp(arg, known[i].arg) == 0 &&
        !mlirAttributeIsNull(tt_get_attr(m->program, known[i].attr)))
      return constant(m, element(m->program, known[i].attr, known[i].at, 0));
  if (strcmp(arg, "Kt") == 0 && !mlirAttributeIsNull(kt)) return constant(m, tt_int(kt));
  if (strcmp(arg, "start_id") == 0) return m->start;
  if (strcmp(arg, "count") == 0) return m->count;
  if (strcmp(arg, "sy") == 0) return m->sy;
  if (strcmp(arg, "sx") == 0) return m->sx;
  if (strcmp(arg, "gx") == 0) return m->grid[0];
  return strcmp(arg, "gy") == 0 ? m->grid[1] : (MlirValue){NULL};
}

/* Of every program: the plan says it. */
static bool is_always_given(const Maker *m, const char *arg) {
  return strcmp(arg, "start_id") == 0 || strcmp(arg, "count") == 0 ||
         (is_local(m) && (strcmp(arg, "sy") == 0 || strcmp(arg, "sx") == 0));
}

static bool yield(Maker *m, MlirOperation op, MlirOperation func) {
  TtOps reads = tt_collect(m->arena, func, "tt.runtime_arg");
  MlirValue *values = tt_arena_alloc(m->arena, tt_num_runtime_arg_names * sizeof *values);
  const char **names = tt_arena_alloc(m->arena, tt_num_runtime_arg_names * sizeof *names);
  intptr_t n = 0;
  for (size_t i = 0; i < tt_num_runtime_arg_names; ++i) {
    MlirOperation reader = {NULL};
    for (intptr_t j = 0; j < reads.n; ++j)
      if (tt_str_eq(tt_string(tt_runtime_arg_name(reads.data[j])), tt_runtime_arg_names[i]))
        reader = reads.data[j];
    if (mlirOperationIsNull(reader) && !is_always_given(m, tt_runtime_arg_names[i])) continue;
    values[n] = value_of(m, tt_runtime_arg_names[i]);
    names[n] = tt_runtime_arg_names[i];
    if (tt_is_null_value(values[n++]))
      return tt_error(reader, "a core gets no '%s': it has one in mode local_shard only",
                      tt_runtime_arg_names[i]);
  }
  tt_yield_create(&m->b, m->loc, n, values);
  mlirOperationSetInherentAttributeByName(op, tt_str("names"),
                                          tt_strings_attr(m->arena, m->b.context, n, names));
  tt_erase_dead(op);
  return true;
}

bool tt_create_core_args(TtArena *arena, TtBuilder *members, MlirOperation program,
                         MlirOperation func) {
  Maker m = {.arena = arena, .program = program, .loc = mlirOperationGetLocation(func)};
  MlirAttribute partition = tt_get_attr(program, "tt.work_partition");
  m.sizes = tt_core_arg_sizes(arena, program, &m.num_sizes);
  MlirOperation op =
      tt_core_args_create(members, m.loc, mlirArrayAttrGet(members->context, 0, NULL));
  m.body = tt_body(op);
  for (intptr_t i = 0; i < 2 + m.num_sizes; ++i)
    mlirBlockAddArgument(m.body, mlirIndexTypeGet(members->context), m.loc);
  m.b = tt_builder_at_end(m.body);
  m.x = mlirBlockGetArgument(m.body, 0), m.y = mlirBlockGetArgument(m.body, 1);

  TtTarget target = tt_target_of(program);
  bool local = is_local(&m), dynamic = mlirArrayAttrGetNumElements(partition) == 0;
  int64_t width = element(program, "tt.core_grid", 0, 1),
          across = local ? element(program, "tt.shard_grid", 1, 1) : width,
          down = element(program, "tt.shard_grid", 0, 1),
          cores = !dynamic ? mlirArrayAttrGetNumElements(partition)
                  : local  ? across * down
                           : target.grid_x * target.grid_y;
  number_cores(&m, width, cores);
  name(m.number, "core_id");
  find_shard(&m, width, across, local ? down : (cores + width - 1) / width);
  find_grid(&m);
  if (!dynamic) split_known(&m, partition, width, across);
  else if (local) split_by_shard(&m);
  else split_evenly(&m, cores);
  if (!local) m.sy = m.sx = (MlirValue){NULL}; /* a shard of its own is not what a core has */
  name(m.start, "start_id");
  name(m.count, "count");
  return yield(&m, op, func);
}
