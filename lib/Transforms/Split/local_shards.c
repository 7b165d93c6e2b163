/*===- local_shards.c - circular buffers that lie on a core's own shard -----------------------===
 *
 * In mode local_shard a core works on its own shards. Where it takes the blocks of one of
 * them in the order in which they lie there, nothing has to move:
 *
 *   tt.circular_buffer @cb_in0 input … pages = <tiles of the shard> buffer = "A" on_shard = read
 *   tt.read_to_cb %A[…], %cb_in0     =     tt.shard_to_cb %cb_in0
 *
 * A shard is stored row by row, in tiles. So its blocks follow each other if they are as
 * wide as the shard, or one tile high:
 *
 *   m = sy * Sm + unit / Sn,  n = sx * Sn + unit % Sn
 *   row of the block = m * its height,  column = n * its width,  in tiles
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/local_shards.h"

#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"

typedef struct Shard {
  TtArena *arena;
  MlirOperation func;
  TtMove move;
  TtShards shards;
} Shard;

static intptr_t num_moves(TtArena *arena, MlirOperation func, MlirValue tensor, TtMove *move) {
  TtOps ops = tt_collect(arena, func, NULL);
  intptr_t n = 0;
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtMove found;
    if (!tt_move_of(ops.data[i], &found) || !tt_value_eq(found.tensor, tensor)) continue;
    *move = found;
    ++n;
  }
  return n;
}

/* The unit of work of a move that runs once for each; false where it does not. */
static bool unit_of(TtBuilder *b, MlirOperation move, MlirOperation func, MlirValue *unit) {
  MlirOperation loop = tt_parent(move);
  if (tt_op_eq(loop, func)) {
    *unit = tt_index(b, mlirOperationGetLocation(move), 0);
    return true;
  }
  MlirOperation count = {NULL};
  if (tt_op_is(loop, "scf.for") && tt_op_eq(tt_parent(loop), func))
    count = tt_defining_op(mlirOperationGetOperand(loop, 1));
  *unit = tt_for_iv(loop);
  return tt_runtime_arg_isa(count) && tt_str_eq(tt_string(tt_runtime_arg_name(count)), "count");
}

/* Runtime argument `name` of the kernel, or 0 where it takes none. */
static MlirValue argument(TtBuilder *b, const Shard *s, const char *name) {
  TtOps args = tt_collect(s->arena, s->func, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i)
    if (tt_str_eq(tt_string(tt_runtime_arg_name(args.data[i])), name))
      return tt_runtime_arg_value(args.data[i]);
  return tt_index(b, mlirOperationGetLocation(s->move.op), 0);
}

/* Where the block of a move starts, in tiles of the stacked matrices. */
static bool start_of(TtBuilder *b, const Shard *s, MlirValue *row, MlirValue *col) {
  MlirLocation loc = mlirOperationGetLocation(s->move.op);
  MlirType type = mlirValueGetType(s->move.tensor);
  intptr_t rank = s->move.rank;
  *row = *col = tt_index(b, loc, 0);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue at = tt_move_offset(&s->move, d);
    bool in_tiles = d >= rank - 2;
    if (in_tiles) at = tt_exact_quotient(s->arena, b, loc, at, TT_TILE);
    if (tt_is_null_value(at)) return false;
    if (d == rank - 1) {
      *col = at;
      continue;
    }
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    *row = tt_add(b, loc, tt_mul(b, loc, *row, tt_index(b, loc, in_tiles ? tt_tiles(size) : size)),
                  at);
  }
  return true;
}

static bool takes_shard_in_order(const Shard *s) {
  MlirOperation move = s->move.op;
  MlirType block = mlirValueGetType(s->move.cb);
  if (!mlirAttributeIsNull(tt_op_attr(move, "partial")) ||
      !mlirAttributeIsNull(tt_move_box(&s->move)))
    return false;
  int64_t rows = tt_cb_rows(block), cols = tt_cb_cols(block);
  if (s->shards.shard_rows % rows || s->shards.shard_cols % cols) return false;
  int64_t down = s->shards.shard_rows / rows, across = s->shards.shard_cols / cols;
  MlirLocation loc = mlirOperationGetLocation(move);
  TtBuilder b = tt_builder_before(move);
  MlirValue unit, row, col;
  if ((across > 1 && rows > 1) || !unit_of(&b, move, s->func, &unit) ||
      !start_of(&b, s, &row, &col))
    return false;
  MlirValue width = tt_index(&b, loc, across), sy = argument(&b, s, "sy"),
            sx = argument(&b, s, "sx");
  MlirValue m = tt_add(&b, loc, tt_mul(&b, loc, sy, tt_index(&b, loc, down)),
                       tt_div(&b, loc, unit, width)),
            n = tt_add(&b, loc, tt_mul(&b, loc, sx, width), tt_rem(&b, loc, unit, width));
  return tt_same_index(s->arena, row, tt_mul(&b, loc, m, tt_index(&b, loc, rows))) &&
         tt_same_index(s->arena, col, tt_mul(&b, loc, n, tt_index(&b, loc, cols)));
}

TtLocalShard tt_local_shard(TtArena *arena, MlirOperation func, TtDfg *dfg, const TtCB *cb) {
  TtLocalShard none = {NULL, 0, false};
  MlirAttribute mode = tt_get_attr(func, "tt.partition_mode");
  if (mlirAttributeIsNull(mode) || !tt_str_eq(tt_string(mode), "local_shard")) return none;
  for (intptr_t i = 0; i < dfg->args.n; ++i) {
    const TtArg *arg = &dfg->args.data[i];
    if (!arg->is_tensor || arg->read == arg->written) continue;
    MlirAttribute buffer = tt_named_attr(func, "buffer", arg->name);
    Shard s = {.arena = arena, .func = func};
    if (!tt_is_l1_sharded(buffer) || num_moves(arena, func, arg->value, &s.move) != 1) continue;
    s.shards = tt_shards_of(buffer, arg->type);
    if (!tt_value_eq(s.move.cb, cb->value) || !takes_shard_in_order(&s)) continue;
    return (TtLocalShard){arg, s.shards.shard_rows * s.shards.shard_cols, arg->written};
  }
  return none;
}

void tt_stay_on_shards(TtArena *arena, MlirOperation program, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtMove move;
    if (!tt_move_of(op, &move)) continue;
    MlirAttribute on_shard = tt_circular_buffer_on_shard(tt_cb_decl(program, move.cb));
    if (mlirAttributeIsNull(on_shard) ||
        tt_int(on_shard) != (move.in ? TT_SHARD_USE_READ : TT_SHARD_USE_WRITTEN))
      continue;
    TtBuilder b = tt_builder_before(op);
    if (move.in) tt_shard_to_cb_create(&b, mlirOperationGetLocation(op), move.cb);
    else tt_shard_from_cb_create(&b, mlirOperationGetLocation(op), move.cb);
    mlirOperationDestroy(op);
  }
}
