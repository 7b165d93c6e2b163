/*===- unit_order.c - in which order units of work follow the shards of a tensor -----------===
 *
 * A grid dimension runs along rows (m) or columns (n) of a tensor where the blocks that
 * the kernel takes of it move with that dimension. Shards then have whole units:
 *
 *   scf.forall (%by, %bx) in (8, 4) { … %C[%by * 32, %bx * 64] … }     C in shards of 64x128
 *     m = by, n = bx, Sm = 2, Sn = 2 units a shard
 *
 * A dimension that runs along neither takes the place of a side that none runs along, and
 * its cells are divided among the shards; if there is no such side, it is an outer one.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Partition/partition.h"

#include "Analysis/index_expr.h"
#include "Analysis/shards.h"

typedef struct Search {
  TtArena *arena;
  MlirOperation func;
  const TtGrid *grid;
  const TtArg *tensor;
  TtShards shards;
  int64_t factor[TT_MAX_RANK][3]; /* elements that a step of a grid dimension moves a block */
} Search;

/*===- The tensor that decides ----------------------------------------------------===*/

static TtShardOrder order_of(MlirAttribute buffer) {
  return tt_nd_shard_attr_order(tt_buffer_attr_nd_shard(buffer));
}

/* In mode local_shard the first tensor in L1 shards, in mode global the first whose order
 * is not row_major; what is written goes first. NULL where there is none. */
static const TtArg *deciding_tensor(MlirOperation func, TtArgs args, bool local) {
  for (int written = 1; written >= 0; --written)
    for (intptr_t i = 0; i < args.n; ++i) {
      if (!args.data[i].is_tensor || args.data[i].written != written) continue;
      MlirAttribute buffer = tt_named_attr(func, "buffer", args.data[i].name);
      if (local ? tt_is_l1_sharded(buffer)
                : tt_is_sharded(buffer) && order_of(buffer) != TT_SHARD_ORDER_ROW_MAJOR)
        return &args.data[i];
    }
  return NULL;
}

static bool same_shards(TtShards a, TtShards b) {
  return a.grid_rows == b.grid_rows && a.grid_cols == b.grid_cols && a.shard_rows == b.shard_rows &&
         a.shard_cols == b.shard_cols;
}

/* A core has one place in the shard grid. */
static bool check_agreement(Search *s, TtArgs args) {
  for (intptr_t i = 0; i < args.n; ++i) {
    const TtArg *other = &args.data[i];
    MlirAttribute buffer =
        other->is_tensor ? tt_named_attr(s->func, "buffer", other->name) : mlirAttributeGetNull();
    if (!tt_is_l1_sharded(buffer)) continue;
    TtShards t = tt_shards_of(buffer, other->type);
    if (!same_shards(s->shards, t))
      return tt_error(
          s->func,
          "in mode local_shard the tensors in L1 shards have the same shards, but '%s' has "
          "%jdx%jd of %jdx%jd tiles and '%s' %jdx%jd of %jdx%jd; change one, or remove "
          "tt.partition_mode",
          s->tensor->name, (intmax_t)s->shards.grid_rows, (intmax_t)s->shards.grid_cols,
          (intmax_t)s->shards.shard_rows, (intmax_t)s->shards.shard_cols, other->name,
          (intmax_t)t.grid_rows, (intmax_t)t.grid_cols, (intmax_t)t.shard_rows,
          (intmax_t)t.shard_cols);
  }
  return true;
}

/*===- How blocks move with the grid ------------------------------------------------===*/

/* The offset of a subview in dimension `d`; null where it is a constant. */
static MlirValue dynamic_offset(MlirOperation subview, intptr_t d) {
  MlirAttribute starts = tt_op_attr(subview, "static_offsets");
  intptr_t operand = 1;
  for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(starts, i) == INT64_MIN;
  return mlirDenseI64ArrayGetElement(starts, d) == INT64_MIN
             ? mlirOperationGetOperand(subview, operand)
             : (MlirValue){NULL};
}

static bool note_subview(Search *s, MlirOperation subview) {
  intptr_t rank = mlirShapedTypeGetRank(s->tensor->type);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue offset = dynamic_offset(subview, d);
    for (int axis = 0; axis < s->grid->dims && !tt_is_null_value(offset); ++axis) {
      intptr_t dim = s->grid->dims - 1 - axis;
      int64_t factor = 0,
              step = mlirDenseI64ArrayGetElement(tt_op_attr(s->grid->loop, "staticStep"), dim);
      MlirValue iv = mlirBlockGetArgument(tt_body(s->grid->loop), dim);
      if (!tt_index_factor(s->arena, offset, iv, &factor))
        return tt_error(subview,
                        "tensor '%s' is sharded, and how its blocks follow the grid cannot be "
                        "seen; make their offsets sums of grid indices times constants, or "
                        "leave the order row_major in mode global",
                        s->tensor->name);
      if (factor == 0) continue;
      if (s->factor[d][axis] != 0 && s->factor[d][axis] != factor * step)
        return tt_error(subview,
                        "blocks of tensor '%s' follow the grid at two paces; units of work then "
                        "have no one place in its shards",
                        s->tensor->name);
      s->factor[d][axis] = factor * step;
    }
  }
  return true;
}

static bool find_factors(Search *s) {
  for (MlirOpOperand use = mlirValueGetFirstUse(s->tensor->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "memref.subview") && !note_subview(s, op)) return false;
  }
  return true;
}

/*===- Sides --------------------------------------------------------------------------===*/

static bool has_axis(const TtUnitSide *side, int axis) {
  for (int i = 0; i < side->n; ++i)
    if (side->axes[i] == axis) return true;
  return false;
}

/* The grid dimensions along tensor dimensions [from, to), outermost first. */
static void collect_axes(const Search *s, intptr_t from, intptr_t to, TtUnitSide *side) {
  side->units = 1;
  for (intptr_t d = from; d < to; ++d)
    for (int axis = s->grid->dims - 1; axis >= 0; --axis)
      if (s->factor[d][axis] && !has_axis(side, axis) && side->n < 3) {
        side->axes[side->n++] = axis;
        side->units *= s->grid->cells[axis];
      }
}

/* Tiles that a unit covers along dimension `d`: what its innermost axis moves, or all. */
static int64_t unit_tiles(const Search *s, intptr_t d, int64_t all) {
  for (int axis = 0; axis < s->grid->dims; ++axis)
    if (s->factor[d][axis]) return s->factor[d][axis] % TT_TILE ? -1 : s->factor[d][axis] / TT_TILE;
  return all;
}

/* How many units of work a shard has along a side. */
static bool measure(const Search *s, const char *what, int64_t unit, int64_t shard, bool own,
                    bool local, TtUnitSide *side) {
  if (side->n == 0 && !local) side->shards = 1; /* each unit takes them all */
  side->shard_units = (side->units + side->shards - 1) / side->shards;
  if (side->shards == 1) return true;
  if (side->units == 0 && !own)
    return tt_error(
        s->func,
        "tensor '%s': cells of a grid dimension that is known when the kernel runs only "
        "cannot be divided among its shards along %s; make it constant",
        s->tensor->name, what);
  if (side->n == 0)
    return tt_error(s->func,
                    "tensor '%s' is cut into %jd shards along its %s, but no dimension of the "
                    "grid runs along them, so that each unit of work needs them all; cut it "
                    "the other way",
                    s->tensor->name, (intmax_t)side->shards, what);
  if (own && (unit <= 0 || shard % unit))
    return tt_error(s->func,
                    "tensor '%s': blocks divide a shard, but one shard has %jd tiles along its "
                    "%s and a block %jd; change one of them",
                    s->tensor->name, (intmax_t)shard, what, (intmax_t)unit);
  if (own) side->shard_units = shard / unit;
  if (side->units == 0) return true; /* the host program checks it */
  int64_t most = side->shards * side->shard_units;
  if (side->units <= most && side->units > most - side->shard_units) return true;
  return tt_error(s->func,
                  "tensor '%s': the grid has %jd units of work along its %s, which do not go "
                  "into %jd shards of %jd; make the grid cover the tensor",
                  s->tensor->name, (intmax_t)side->units, what, (intmax_t)side->shards,
                  (intmax_t)side->shard_units);
}

/* An axis that runs along no side takes the place of a side without one: first of one that is
 * cut. */
static void take_free_axes(const TtGrid *grid, TtUnitOrder *o) {
  TtUnitSide *sides[2] = {&o->n, &o->m};
  if (o->n.shards == 1 && o->m.shards > 1) sides[0] = &o->m, sides[1] = &o->n;
  o->outer = 1;
  o->outer_axis = -1;
  for (int axis = 0; axis < grid->dims; ++axis) {
    if (has_axis(&o->m, axis) || has_axis(&o->n, axis)) continue;
    bool taken = false;
    for (int i = 0; i < 2 && !taken; ++i)
      if (sides[i]->n == 0) {
        sides[i]->axes[sides[i]->n++] = axis;
        sides[i]->units = grid->cells[axis];
        taken = true;
      }
    if (!taken) o->outer_axis = axis, o->outer = grid->cells[axis];
  }
}

/* Steps of outer dimensions lie one below the other: each is one cell, of whole units. */
static bool check_outer(const Search *s, intptr_t rank, int64_t unit, int64_t rows) {
  for (intptr_t d = 0; d + 2 < rank; ++d)
    for (int axis = 0; axis < s->grid->dims; ++axis) {
      if (s->factor[d][axis] == 0) continue;
      if (s->factor[d][axis] == 1 && (s->shards.grid_rows == 1 || (unit > 0 && rows % unit == 0)))
        continue;
      return tt_error(
          s->func,
          "tensor '%s': its shards go through dimension %jd, and blocks of %jd tiles do "
          "not divide the %jd of a matrix, or a cell takes several matrices",
          s->tensor->name, (intmax_t)d, (intmax_t)unit, (intmax_t)rows);
    }
  return true;
}

bool tt_find_unit_order(TtArena *arena, MlirOperation func, const TtGrid *grid, TtUnitOrder *o) {
  MlirAttribute mode = tt_get_attr(func, "tt.partition_mode");
  TtArgs args = tt_kernel_args(arena, func);
  *o = (TtUnitOrder){.local =
                         !mlirAttributeIsNull(mode) && tt_str_eq(tt_string(mode), "local_shard")};
  const TtArg *tensor = deciding_tensor(func, args, o->local);
  if (!tensor && o->local)
    return tt_error(func,
                    "mode local_shard gives each core the work of its own shards, but no tensor is "
                    "in L1 shards; give one tt.layout = {memory = \"L1\", layout = \"sharded\", "
                    "nd_shard = …}, or remove tt.partition_mode");
  if (!tensor) return true;
  if (tt_is_dynamic_grid(grid) && !o->local)
    return tt_error(
        grid->loop,
        "units of work follow the shards of tensor '%s', and the grid is known when the "
        "kernel runs only; make its extents constant, or use mode local_shard",
        tensor->name);
  MlirAttribute buffer = tt_named_attr(func, "buffer", tensor->name);
  Search s = {.arena = arena,
              .func = func,
              .grid = grid,
              .tensor = tensor,
              .shards = tt_shards_of(buffer, tensor->type)};
  intptr_t rank = mlirShapedTypeGetRank(tensor->type), rows = rank > 1 ? rank - 1 : 0;
  if (rank > TT_MAX_RANK)
    return tt_error(func, "tensor '%s' has more than %d dimensions", tensor->name, TT_MAX_RANK);
  if ((o->local && !check_agreement(&s, args)) || !find_factors(&s)) return false;
  TtMatrices m = tt_matrices(tensor->type);
  int64_t unit_rows = rank > 1 ? unit_tiles(&s, rank - 2, tt_tiles(m.rows)) : 1;
  o->follows = true;
  o->in_l1 = tt_is_l1_sharded(buffer);
  o->shards = s.shards;
  o->block = tt_nd_shard_attr_block(tt_buffer_attr_nd_shard(buffer));
  o->m.shards = s.shards.grid_rows, o->n.shards = s.shards.grid_cols;
  collect_axes(&s, 0, rows, &o->m);
  o->n.units = 1;
  if (rank > 0) collect_axes(&s, rank - 1, rank, &o->n);
  bool own_m = o->m.n > 0, own_n = o->n.n > 0;
  take_free_axes(grid, o);
  return check_outer(&s, rank, unit_rows, tt_tiles(m.rows)) &&
         measure(&s, "rows", unit_rows, s.shards.shard_rows, own_m, o->local, &o->m) &&
         measure(&s, "columns", rank > 0 ? unit_tiles(&s, rank - 1, s.shards.cols) : 1,
                 s.shards.shard_cols, own_n, o->local, &o->n);
}
