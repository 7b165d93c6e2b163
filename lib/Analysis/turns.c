/*===- turns.c - which circular buffers may take turns in one -----------------------------------===
 *
 *   f -> %x; g(%x) -> %o; h -> %y; k(%y) -> %p        %x is empty when %y is filled
 *
 * A value is alive from the op that packs it (of a product: from the first step of its sum, since
 * the last one may pack) to the end of the section of DST that reads it last: an elementwise op
 * packs a tile of its result when it has taken one of each operand. All values of a circular buffer
 * are so within the block of its first one, and none is left when that block ends, so that a
 * range of ops in program order, with all of the loops in it, says when it is not empty.
 *
 * One that the kernel itself opens and closes (tt.cb_open) may be empty between, as scratch is that
 * several ops take: it has a range from each fill to the close that empties it, in any block.
 *
 * Circular buffers whose ranges do not meet are one first-in-first-out queue: it is filled and
 * taken from in program order by the same processors, and it is empty between. They have blocks of
 * one shape and format, so that no block wraps around its end, and 32 bits go one way to DST, past
 * the source registers or through them.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/turns.h"

#include "Analysis/l1_budget.h"
#include "Analysis/sums.h"
#include "Dialect/op_info.h"

/* Places of ops from one to another, which is one of them, too. */
typedef struct Range {
  int start, end;
} Range;

/* When a circular buffer is not empty. */
typedef struct Life {
  bool known;
  bool whole; /* 32 bits that go past the source registers */
  Range *ranges;
  intptr_t n;
} Life;

typedef struct Lives {
  const TtDfg *dfg;
  TtArena *arena;
  TtOps ops;
  TtOpMap places;
  int *last;      /* of each op, the place of the last one in it */
  int *before;    /* of each op, the place of the last one beside it that computes; -1 for none */
  TtOpMap begins; /* of what packs a sum, the place of its first product */
} Lives;

/*===- Places -------------------------------------------------------------------------------===*/

static int place_of(const Lives *l, MlirOperation op) { return tt_op_map_get(&l->places, op); }

static int last_in(const Lives *l, MlirOperation op) { return l->last[place_of(l, op)]; }

static bool is_hold(MlirOperation op) {
  TtAct does = tt_op_info(op)->does;
  return does == TT_ACT_OPEN || does == TT_ACT_CLOSE;
}

/* Ops are listed in their order, each before those behind it in its block. */
static void note_computations(Lives *l) {
  l->before = tt_arena_alloc(l->arena, (size_t)(l->ops.n + 1) * sizeof *l->before);
  for (intptr_t i = 0; i < l->ops.n; ++i) l->before[i] = -1;
  for (intptr_t i = 0; i < l->ops.n; ++i) {
    MlirOperation op = l->ops.data[i], next = tt_next(op);
    int at = mlirOperationIsNull(next) ? -1 : place_of(l, next);
    if (at >= 0) l->before[at] = tt_is_block_compute(op) && !is_hold(op) ? (int)i : l->before[i];
  }
}

static void number_ops(Lives *l) {
  l->ops = tt_collect(l->arena, l->dfg->func, NULL);
  l->last = tt_arena_alloc(l->arena, (size_t)(l->ops.n + 1) * sizeof *l->last);
  for (intptr_t i = 0; i < l->ops.n; ++i)
    tt_op_map_set(l->arena, &l->places, l->ops.data[i], (int)i);
  for (intptr_t i = 0; i < l->ops.n; ++i) l->last[i] = (int)i;
  for (intptr_t i = l->ops.n; i-- > 1;) {
    int outer = place_of(l, tt_parent(l->ops.data[i]));
    if (outer >= 0 && l->last[outer] < l->last[i]) l->last[outer] = l->last[i];
  }
  note_computations(l);
  for (intptr_t i = 0; l->dfg->sums && i < l->ops.n; ++i) {
    if (!tt_mm_mma_isa(l->ops.data[i])) continue;
    MlirOperation pack = tt_pack_after(l->dfg->sums, l->ops.data[i]);
    if (!mlirOperationIsNull(pack) && tt_op_map_get(&l->begins, pack) < 0)
      tt_op_map_set(l->arena, &l->begins, pack, (int)i);
  }
}

/* Where what `op` leaves in DST is packed. */
static int end_of_section(const Lives *l, MlirOperation op) {
  int never = (int)l->ops.n;
  for (; !mlirOperationIsNull(op); op = tt_next(op)) {
    if (tt_packs_block(op)) return place_of(l, op);
    if (!tt_mm_mma_isa(op)) continue;
    MlirOperation pack = tt_pack_after(l->dfg->sums, op);
    return mlirOperationIsNull(pack) ? never : place_of(l, pack);
  }
  return never;
}

/* A block that is closed amid a section is closed after it. */
static int end_of_hold(const Lives *l, MlirOperation hold) {
  int before = l->before[place_of(l, hold)];
  bool open = before >= 0 && !tt_packs_block(l->ops.data[before]);
  return open ? end_of_section(l, l->ops.data[before]) : place_of(l, hold);
}

static int end_of_use(const Lives *l, MlirOperation op) {
  if (is_hold(op)) return end_of_hold(l, op);
  return tt_is_block_compute(op) ? end_of_section(l, op) : place_of(l, op);
}

/*===- Lives --------------------------------------------------------------------------------===*/

/* Where `op` begins to fill its circular buffer. */
static int begin_of(const Lives *l, MlirOperation op) {
  int begin = tt_op_map_get(&l->begins, op);
  return begin >= 0 ? begin : place_of(l, op);
}

/* The values in `cb` after a block, given those before it; -1 where that is not the same each
 * time, or one is taken that is not there. Notes in `life` from where to where there are some. */
static int count_values(const Lives *l, MlirOperation first, MlirValue cb, int n, Life *life) {
  for (MlirOperation op = first; n >= 0 && !mlirOperationIsNull(op); op = tt_next(op)) {
    bool branch = tt_op_is(op, "scf.if");
    int after[2] = {n, n};
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
      if (mlirBlockIsNull(inner)) continue;
      int left = count_values(l, mlirBlockGetFirstOperation(inner), cb, n, life);
      if (branch && i < 2) after[i] = left;
      else if (left != n) return -1;
    }
    if (after[0] != after[1]) return -1;
    n = after[0];
    MlirValue filled = tt_op_fills(op);
    if (!tt_is_null_value(filled) && tt_value_eq(filled, cb) && n++ == 0)
      life->ranges[life->n++] = (Range){begin_of(l, op), place_of(l, op)};
    bool closes =
        tt_op_info(op)->does == TT_ACT_CLOSE && tt_value_eq(mlirOperationGetOperand(op, 0), cb);
    if (closes && --n == 0) life->ranges[life->n - 1].end = end_of_hold(l, op);
  }
  return n;
}

/* Adds a use: the range that it lies in goes on to its end. False where it lies in none. */
static bool goes_on(Life *life, int at, int end) {
  bool found = false;
  for (intptr_t i = 0; i < life->n; ++i) {
    Range *r = &life->ranges[i];
    if (at < r->start || at > r->end) continue;
    if (end > r->end) r->end = end;
    found = true;
  }
  return found;
}

/* Whether a block that is read goes to a tensor as it is: the writer takes it, not compute. */
static bool is_only_moved(const TtCB *cb) {
  for (intptr_t i = 0; i < cb->consumers.n; ++i)
    if (tt_write_from_cb_isa(cb->consumers.data[i])) return true;
  return false;
}

/* What data movement does with a block of compute: SENT, a core's part goes to other cores; PUT,
 * the parts of all are put together. */
enum { SENT = 1, PUT };

static int is_gathered(const TtCB *cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_gather_parts_isa(op))
      return tt_value_eq(tt_gather_parts_part(op), cb->value) ? SENT : PUT;
  }
  return 0;
}

/* Whether compute, or the writer, takes all blocks of `cb` in the way that its fillers give them.
 */
static bool may_move(const TtDfg *dfg, const TtCB *cb, bool moved) {
  if (cb->role == TT_CB_ROLE_INTERMEDIATE)
    return is_gathered(cb) != SENT; /* not taken by compute */
  bool shards = tt_str_eq(tt_string(tt_get_attr(dfg->func, "tt.partition_mode")), "local_shard");
  if (!moved || shards || !cb->tensor || cb->fillers.n != 1 || cb->held) return false;
  if (cb->role == TT_CB_ROLE_INPUT) return tt_read_to_cb_isa(cb->producer) && !is_only_moved(cb);
  return cb->consumers.n == 1 && tt_write_from_cb_isa(cb->consumers.data[0]) &&
         mlirBlockEqual(mlirOperationGetBlock(cb->consumers.data[0]),
                        mlirOperationGetBlock(cb->producer));
}

bool tt_copies_tiles(MlirOperation op) {
  return (tt_copy_to_dst_isa(op) && mlirAttributeIsNull(tt_copy_to_dst_transpose(op))) ||
         tt_part_to_dst_isa(op) || tt_inset_to_dst_isa(op);
}

bool tt_keeps_32_bits(const TtDfg *dfg, const TtCB *cb) {
  if (!tt_dst_is_32bit(dfg->func) || tt_format(tt_cb_dtype(dfg, cb))->datum_bits != 32)
    return false;
  for (intptr_t i = 0; i < cb->consumers.n; ++i)
    if (tt_is_block_compute(cb->consumers.data[i]) && !tt_copies_tiles(cb->consumers.data[i]))
      return false;
  return true;
}

/* Of one that the kernel opens and closes. In a branch it may be filled and left for the other
 * side: a range goes on through what is counted twice, and ends at the last close. */
static Life life_of_held(const Lives *l, const TtCB *cb) {
  Life life = {.known = false};
  intptr_t uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    ++uses;
  life.ranges = tt_arena_alloc(l->arena, (size_t)(uses + 1) * sizeof *life.ranges);
  MlirOperation first = mlirBlockGetFirstOperation(tt_body(l->dfg->func));
  life.known = count_values(l, first, cb->value, 0, &life) == 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    life.known &= goes_on(&life, place_of(l, op), end_of_use(l, op));
  }
  return life;
}

static Life life_of(const Lives *l, const TtCB *cb, bool moved) {
  Life life = {.known = false};
  if (!may_move(l->dfg, cb, moved)) return life;
  MlirOperation first = cb->producer;
  MlirBlock home = mlirOperationGetBlock(first);
  if (cb->held) {
    life = life_of_held(l, cb);
    life.whole = tt_keeps_32_bits(l->dfg, cb);
    return life;
  }
  Range all = {begin_of(l, first), begin_of(l, first)};
  for (MlirOpOperand use = mlirValueGetFirstUse(cb->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use), at = tt_ancestor_in(home, op);
    if (mlirOperationIsNull(at) || (!tt_op_eq(at, first) && !tt_is_before(first, at))) return life;
    int end = end_of_use(l, op);
    if (last_in(l, at) > end) end = last_in(l, at);
    if (end > all.end) all.end = end;
  }
  life.ranges = tt_arena_alloc(l->arena, sizeof *life.ranges);
  *life.ranges = all, life.n = 1;
  life.whole = tt_keeps_32_bits(l->dfg, cb);
  life.known = true;
  return life;
}

/*===- Turns --------------------------------------------------------------------------------===*/

/* Whether one circular buffer may hold both: they are of one kind, and one processor fills it. */
static bool are_alike(const TtDfg *dfg, const TtCB *a, const Life *x, const TtCB *b,
                      const Life *y) {
  return a->role == b->role && mlirTypeEqual(a->type, b->type) && x->whole == y->whole &&
         is_gathered(a) == is_gathered(b) && tt_cb_dtype(dfg, a) == tt_cb_dtype(dfg, b);
}

static bool never_meet(const Life *x, const Life *y) {
  for (intptr_t i = 0; i < x->n; ++i)
    for (intptr_t j = 0; j < y->n; ++j)
      if (x->ranges[i].start <= y->ranges[j].end && y->ranges[j].start <= x->ranges[i].end)
        return false;
  return true;
}

/* What is alive when either is. */
static void join(const Lives *l, Life *x, const Life *y) {
  Range *ranges = tt_arena_alloc(l->arena, (size_t)(x->n + y->n) * sizeof *ranges);
  for (intptr_t i = 0; i < x->n; ++i) ranges[i] = x->ranges[i];
  for (intptr_t i = 0; i < y->n; ++i) ranges[x->n + i] = y->ranges[i];
  x->ranges = ranges, x->n += y->n;
}

static int start_of(const Life *life) { return life->n > 0 ? life->ranges[0].start : -1; }

/* The graph's circular buffers, by where their lives start. */
static intptr_t *by_start(const Lives *l, const Life *lives) {
  intptr_t *order = tt_arena_alloc(l->arena, (size_t)(l->dfg->n + 1) * sizeof *order);
  for (intptr_t i = 0; i < l->dfg->n; ++i) {
    intptr_t j = i;
    for (; j > 0 && start_of(&lives[order[j - 1]]) > start_of(&lives[i]); --j)
      order[j] = order[j - 1];
    order[j] = i;
  }
  return order;
}

TtTurns tt_find_turns(const TtDfg *dfg, bool moved) {
  Lives l = {.dfg = dfg, .arena = dfg->arena};
  size_t n = (size_t)(dfg->n + 1);
  TtTurns turns = {tt_arena_alloc(l.arena, n * sizeof *turns.to), dfg->n};
  Life *lives = tt_arena_alloc(l.arena, n * sizeof *lives);
  number_ops(&l);
  for (intptr_t i = 0; i < dfg->n; ++i) lives[i] = life_of(&l, &dfg->cbs[i], moved);
  intptr_t *order = by_start(&l, lives);
  for (intptr_t i = 0; i < dfg->n; ++i) {
    intptr_t at = order[i], j = 0;
    turns.to[at] = at;
    if (!lives[at].known) continue;
    for (; j < i; ++j) {
      intptr_t home = order[j];
      if (turns.to[home] == home && lives[home].known && never_meet(&lives[home], &lives[at]) &&
          are_alike(dfg, &dfg->cbs[home], &lives[home], &dfg->cbs[at], &lives[at]))
        break;
    }
    if (j == i) continue;
    turns.to[at] = order[j];
    join(&l, &lives[order[j]], &lives[at]);
    --turns.n;
  }
  return turns;
}

int64_t tt_depth_in_turns(const TtDfg *dfg, const TtTurns *turns, intptr_t cb) {
  int64_t depth = 1;
  for (intptr_t i = 0; i < dfg->n; ++i)
    if (turns->to[i] == cb && dfg->cbs[i].depth > depth) depth = dfg->cbs[i].depth;
  return depth;
}
