/*===- check_order.c - reads that must see writes ------------------------------------------===
 *
 * After the split, data movement runs ahead of what is computed: a read does not wait
 * for a write to the same tensor. In place, block by block, is safe,
 *
 *   tt.read_to_cb %A[%m, %n], %a   …   tt.write_from_cb %b, %A[%m, %n]
 *
 * since what is written depends on what was read, and no other step touches the
 * block. So is what the engine takes in earlier loops of the cell,
 *
 *   for %j { tt.read_to_cb %A[%m, %j], %a … }   for %j { … tt.write_from_cb %b, %A[%m, %j] }
 *
 * as it works in order: by the time that it gives what is written, it had what was read, if it
 * computes that behind those loops. So is what lies
 * beside what is written in every step, as halves of a head that a rotation replaces, or the rest
 * of a tensor behind its whole blocks. Everything else is refused, as are parts of tiles whose
 * reads would take bytes along that another step writes: DRAM gives 32 or 64 of them at once.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/box.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kernel.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Transforms/Split/split.h"

/* How many steps a loop has at most; -1 where that is not known. */
static int64_t most_steps(MlirOperation loop) {
  int64_t lower, upper, step;
  if (!tt_constant(mlirOperationGetOperand(loop, 0), &lower) ||
      !tt_constant(mlirOperationGetOperand(loop, 2), &step))
    return -1;
  if (!tt_constant(mlirOperationGetOperand(loop, 1), &upper)) {
    upper = tt_index_bound(mlirOperationGetOperand(loop, 1));
    if (upper < 0) return -1;
  }
  return step > 0 && upper > lower ? (upper - lower + step - 1) / step : 0;
}

/* Whether each step of a counted loop moves the block by at least its `extent` so far,
 * in exactly one dimension; then the extent grows to what all steps cover, which is anything where
 * their number is not known. */
static bool separates_steps(TtArena *arena, MlirOperation loop, MlirOperation write, intptr_t rank,
                            int64_t extent[TT_MAX_RANK]) {
  int64_t steps = most_steps(loop), step, factor[TT_MAX_RANK];
  if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step <= 0) return false;
  if (steps == 0 || steps == 1) return true;
  intptr_t moved = 0, d = 0;
  for (intptr_t i = 0; i < rank; ++i) {
    if (!tt_index_factor(arena, tt_write_from_cb_offsets(write, i), tt_for_iv(loop), &factor[i]))
      return false;
    if (factor[i] != 0) ++moved, d = i;
  }
  if (moved != 1) return false;
  int64_t move = (factor[d] < 0 ? -factor[d] : factor[d]) * step;
  if (move < extent[d]) return false;
  if (steps < 0 || __builtin_mul_overflow(move, steps - 1, &move) ||
      __builtin_add_overflow(extent[d], move, &extent[d]))
    extent[d] = INT64_MAX;
  return true;
}

/* The loop over a core's units has runtime arguments for bounds, which are no sizes of tensors. It
 * stands for a grid, whose cells are independent. */
static bool is_unit_loop(MlirOperation loop) {
  for (int i = 0; i < 2; ++i) {
    MlirOperation from = tt_defining_op(mlirOperationGetOperand(loop, i));
    if (tt_runtime_arg_isa(from) && !tt_is_dim_name(tt_string(tt_runtime_arg_name(from))))
      return true;
  }
  return false;
}

bool tt_writes_own_blocks(TtArena *arena, MlirOperation write) {
  MlirType cb = mlirValueGetType(tt_write_from_cb_cb(write));
  int64_t extent[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(tt_write_from_cb_tensor(write)));
  MlirAttribute box = tt_write_from_cb_box(write), strides = tt_write_from_cb_strides(write);
  for (intptr_t d = 0; d < rank; ++d) {
    extent[d] = !mlirAttributeIsNull(box) ? mlirDenseI64ArrayGetElement(box, d)
                : d < rank - 2            ? 1
                                          : tt_cb_type_shape(cb, d - rank + 2) * TT_TILE;
    if (!mlirAttributeIsNull(strides))
      extent[d] = (extent[d] - 1) * mlirDenseI64ArrayGetElement(strides, d) + 1;
  }
  for (MlirOperation p = tt_parent(write); !mlirOperationIsNull(p); p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.for") || is_unit_loop(p)) continue;
    if (!separates_steps(arena, p, write, rank, extent)) return false;
  }
  return true;
}

static bool is_in_place(TtArena *arena, MlirOperation read, MlirOperation write) {
  if (!mlirBlockEqual(mlirOperationGetBlock(read), mlirOperationGetBlock(write)) ||
      !tt_is_before(read, write) ||
      !mlirTypeEqual(mlirValueGetType(tt_read_to_cb_cb(read)),
                     mlirValueGetType(tt_write_from_cb_cb(write))) ||
      !mlirAttributeEqual(tt_read_to_cb_strides(read), tt_write_from_cb_strides(write)) ||
      tt_read_to_cb_num_offsets(read) != tt_write_from_cb_num_offsets(write) ||
      !mlirAttributeEqual(tt_read_to_cb_box(read), tt_write_from_cb_box(write)))
    return false;
  for (intptr_t i = 0; i < tt_write_from_cb_num_offsets(write); ++i)
    if (!tt_same_index(arena, tt_read_to_cb_offsets(read, i), tt_write_from_cb_offsets(write, i)))
      return false;
  return tt_writes_own_blocks(arena, write);
}

/*===- What was read in earlier loops -------------------------------------------------------===*/

/* How many elements of a dimension a move of a block takes. */
static int64_t side(MlirAttribute box, MlirAttribute strides, MlirType cb, intptr_t rank,
                    intptr_t d) {
  int64_t n = !mlirAttributeIsNull(box) ? mlirDenseI64ArrayGetElement(box, d)
              : d < rank - 2            ? 1
                                        : tt_cb_type_shape(cb, d - rank + 2) * TT_TILE;
  return mlirAttributeIsNull(strides) ? n : (n - 1) * mlirDenseI64ArrayGetElement(strides, d) + 1;
}

/* Whether a step of `loop` reads and writes elsewhere than any other one: both begin at the same
 * place in a dimension along which nothing but this loop moves, by as much as either takes. */
static bool parts_steps(TtArena *arena, MlirOperation loop, MlirOperation read,
                        MlirOperation write) {
  int64_t step;
  intptr_t rank = tt_write_from_cb_num_offsets(write);
  if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step <= 0 || rank > TT_MAX_RANK ||
      rank != tt_read_to_cb_num_offsets(read))
    return false;
  MlirType in = mlirValueGetType(tt_read_to_cb_cb(read)),
           out = mlirValueGetType(tt_write_from_cb_cb(write));
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue from = tt_read_to_cb_offsets(read, d), to = tt_write_from_cb_offsets(write, d);
    int64_t factor, other,
        most = side(tt_read_to_cb_box(read), tt_read_to_cb_strides(read), in, rank, d),
        written = side(tt_write_from_cb_box(write), tt_write_from_cb_strides(write), out, rank, d);
    if (written > most) most = written;
    if (!tt_same_index(arena, from, to) || !tt_index_factor(arena, to, tt_for_iv(loop), &factor) ||
        (factor < 0 ? -factor : factor) * step < most)
      continue;
    bool alone = true;
    for (MlirOperation p = tt_parent(loop); alone && !mlirOperationIsNull(p); p = tt_parent(p))
      if (tt_op_is(p, "scf.for") && !is_unit_loop(p))
        alone = tt_index_factor(arena, to, tt_for_iv(p), &other) && other == 0;
    for (MlirOperation p = tt_parent(write); alone && !tt_op_eq(p, loop); p = tt_parent(p))
      if (tt_op_is(p, "scf.for"))
        alone = tt_index_factor(arena, to, tt_for_iv(p), &other) && other == 0;
    if (alone) return true;
  }
  return false;
}

/* Whether the engine fills what `write` takes behind `taker` alone, or `taker` does: what was
 * filled before, or is brought by data movement, may leave while blocks are still read. */
static bool is_filled_behind(MlirOperation taker, MlirOperation at, MlirOperation write) {
  MlirValue cb = tt_write_from_cb_cb(write);
  MlirBlock block = mlirOperationGetBlock(at);
  bool any = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), in = tt_ancestor_in(block, user);
    MlirValue filled = tt_op_fills(user);
    if (tt_is_null_value(filled) || !tt_value_eq(filled, cb)) continue;
    const TtOpInfo *info = tt_op_info(user);
    if (!info || info->role != TT_ROLE_COMPUTE || mlirOperationIsNull(in)) return false;
    if (!tt_op_eq(user, taker) && !tt_is_before(at, in)) return false;
    any = true;
  }
  return any;
}

/* Whether an op of the engine takes what `read` brings, in `from` or behind it, before `until`, and
 * before the engine fills what `write` takes. */
static bool is_taken(MlirOperation read, MlirOperation write, MlirOperation from,
                     MlirOperation until) {
  MlirBlock block = mlirOperationGetBlock(until);
  for (MlirOpOperand use = mlirValueGetFirstUse(tt_read_to_cb_cb(read)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), at = tt_ancestor_in(block, user);
    const TtOpInfo *info = tt_op_info(user);
    if (info && info->role == TT_ROLE_COMPUTE && !mlirOperationIsNull(at) &&
        tt_is_before(at, until) && !tt_is_before(at, from) && is_filled_behind(user, at, write))
      return true;
  }
  return false;
}

/* Whether the engine has what `read` brings before it gives `write` its block, in each step of the
 * loops that both have. */
static bool is_read_before(TtArena *arena, MlirOperation read, MlirOperation write) {
  MlirBlock block = mlirOperationGetBlock(write);
  MlirOperation from = tt_ancestor_in(block, read), to = write;
  while (mlirOperationIsNull(from)) {
    to = mlirBlockGetParentOperation(block);
    if (mlirOperationIsNull(to)) return false;
    block = mlirOperationGetBlock(to);
    if (mlirBlockIsNull(block)) return false;
    from = tt_ancestor_in(block, read);
  }
  if (!tt_is_before(from, to) || !is_taken(read, write, from, to)) return false;
  for (MlirOperation p = tt_parent(to); !mlirOperationIsNull(p); p = tt_parent(p)) {
    if (tt_op_is(p, "scf.while")) return false;
    if (tt_op_is(p, "scf.for") && !is_unit_loop(p) && !parts_steps(arena, p, read, write))
      return false;
  }
  return true;
}

/* Whether a block lies where an integer of a tensor says. */
static bool is_listed(MlirOperation read) {
  for (intptr_t i = 0; i < tt_read_to_cb_num_offsets(read); ++i)
    if (tt_is_loaded(tt_read_to_cb_offsets(read, i))) return true;
  return false;
}

/* Whether what begins at `at`, or before, ends before `other`. */
static bool ends_before(int64_t at, int64_t size, int64_t other) {
  int64_t end;
  return !__builtin_add_overflow(at, size, &end) && end <= other;
}

/*===- Places side by side --------------------------------------------------------------------===*/

/* Whether `at` begins, but for a constant, at multiples of `n` or of a power of two beyond it. */
static bool goes_by(TtArena *arena, TtBuilder *b, MlirValue at, int64_t n) {
  enum { MOST = 1 << 12 };
  int64_t constant;
  for (MlirOperation op = tt_defining_op(at); tt_op_is(op, "arith.addi"); op = tt_defining_op(at)) {
    MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
    if (!tt_constant(x, &constant) && !tt_constant(y, &constant)) break;
    at = tt_constant(x, &constant) ? y : x;
  }
  if (tt_is_multiple(arena, b, at, n)) return true;
  for (int64_t p = 1; p <= MOST; p *= 2)
    if (p > n && tt_is_multiple(arena, b, at, p)) return true;
  return false;
}

/* Whether in some dimension the read and the write lie side by side, one after the other, in strips
 * that are as long as both: halves of a head that a rotation replaces; or all that any step reads
 * lies beside all that any writes, as the rest of a tensor behind its whole blocks. No step meets
 * another's. */
static bool lie_apart(TtArena *arena, MlirOperation read, MlirOperation write) {
  intptr_t rank = tt_write_from_cb_num_offsets(write);
  if (rank > TT_MAX_RANK || rank != tt_read_to_cb_num_offsets(read)) return false;
  MlirType in = mlirValueGetType(tt_read_to_cb_cb(read)),
           out = mlirValueGetType(tt_write_from_cb_cb(write));
  TtBuilder b = tt_builder_before(read);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue from = tt_read_to_cb_offsets(read, d), to = tt_write_from_cb_offsets(write, d);
    int64_t apart,
        first = side(tt_read_to_cb_box(read), tt_read_to_cb_strides(read), in, rank, d),
        last = side(tt_write_from_cb_box(write), tt_write_from_cb_strides(write), out, rank, d);
    TtIndexRange reads, writes;
    if (tt_index_range(arena, from, &reads) && tt_index_range(arena, to, &writes) &&
        (ends_before(reads.most, first, writes.least) ||
         ends_before(writes.most, last, reads.least)))
      return true;
    if (!tt_index_difference(arena, to, from, &apart) || apart == INT64_MIN) continue;
    if (apart < 0) { /* the write comes first */
      int64_t other = first;
      first = last, last = other, apart = -apart, from = to;
    }
    int64_t period;
    if (apart >= first && !__builtin_add_overflow(apart, last, &period) &&
        goes_by(arena, &b, from, period))
      return true;
  }
  return false;
}

/*===- Parts of tiles -------------------------------------------------------------------------===*/

enum { FACE = TT_TILE / 2 }; /* elements of a tile that lie side by side */

/* How many rows and columns of a tile DRAM gives at once. */
static void read_units(TtArena *arena, MlirOperation read, MlirAttribute buffer, int64_t unit[2]) {
  TtDType dtype = TT_D_TYPE_BF16;
  MlirType type = mlirValueGetType(tt_read_to_cb_tensor(read));
  tt_dtype_of(mlirShapedTypeGetElementType(type), &dtype);
  if (tt_buffer_attr_isa(buffer)) dtype = tt_buffer_attr_dtype(buffer);
  int64_t at_once = tt_target_of(read).chip->noc_read_align,
          bytes = tt_format(dtype)->datum_bits / 8, row = FACE * bytes;
  unit[0] = unit[1] = 1;
  if (bytes == 0 || tt_lies_in_rows(arena, tt_read_to_cb_tensor(read))) return;
  unit[1] = FACE; /* a read takes all of them that a face has in a row */
  if (!mlirAttributeIsNull(tt_read_to_cb_strides(read))) unit[0] = unit[1] = TT_TILE;
  else if (at_once > row) unit[0] = at_once / row;
}

/* Whether `at` may move with loops that `read` and `write` are both in; `*whole`: where it does, by
 * multiples of `n`. In loops of its own all of what is read comes before the first write. */
static bool moves_with_both(TtArena *arena, MlirOperation read, MlirOperation write, MlirValue at,
                            int64_t n, bool *whole) {
  bool moves = false;
  *whole = true;
  for (MlirOperation p = tt_parent(read); !mlirOperationIsNull(p); p = tt_parent(p)) {
    int64_t factor, step;
    if (!tt_op_is(p, "scf.for") || mlirOperationIsNull(tt_ancestor_in(tt_for_body(p), write)))
      continue;
    bool known = tt_index_factor(arena, at, tt_for_iv(p), &factor);
    if (known && factor == 0) continue;
    moves = true;
    *whole &= known && tt_constant(mlirOperationGetOperand(p, 2), &step) && factor * step % n == 0;
  }
  return moves;
}

/* Of a box that is updated in place: whether no other step writes what its read takes along, as
 * all of them begin at multiples of that. What begins at one place in all steps has others `beside`
 * it or not. */
static bool check_units(TtArena *arena, MlirOperation read, MlirOperation write,
                        MlirAttribute buffer, const char *name, bool beside) {
  intptr_t rank = tt_read_to_cb_num_offsets(read);
  int64_t unit[2];
  read_units(arena, read, buffer, unit);
  TtBuilder b = tt_builder_before(read);
  bool together = mlirBlockEqual(mlirOperationGetBlock(read), mlirOperationGetBlock(write));
  for (intptr_t d = rank < 2 ? 0 : rank - 2; d < rank; ++d) {
    MlirValue at = tt_read_to_cb_offsets(read, d);
    int64_t n = unit[d - rank + 2];
    bool whole, moves = moves_with_both(arena, read, write, at, n, &whole);
    if ((!beside && !moves) || (!together && whole) || tt_is_multiple(arena, &b, at, n)) continue;
    return tt_error(read,
                    "updates parts of tiles of tensor '%s' in place, which begin at any %s; a read "
                    "takes %jd of them at once here, of which other steps write some meanwhile. "
                    "Let the parts begin at multiples of %jd %ss, or write to another tensor",
                    name, d == rank - 1 ? "column" : "row", (intmax_t)n, (intmax_t)n,
                    d == rank - 1 ? "column" : "row");
  }
  return true;
}

/* What is stored row by row has no tiles to move. */
static bool check_rows(TtArena *arena, MlirOperation func, MlirOperation op, MlirValue tensor) {
  if (!tt_lies_in_rows(arena, tensor) || !mlirAttributeIsNull(tt_op_attr(op, "box"))) return true;
  const TtArg *arg = tt_arg_of(tt_kernel_args(arena, func), tensor);
  return tt_error(op,
                  "moves tiles of tensor '%s', which is stored row by row and has none; say which "
                  "of its elements by a box, as box = [32, 64] rows = [1, 0] cols = [0, 1]",
                  arg ? arg->name : "?");
}

bool tt_check_order(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb"),
        writes = tt_collect(arena, func, "tt.write_from_cb");
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < reads.n; ++i)
    if (!check_rows(arena, func, reads.data[i], tt_read_to_cb_tensor(reads.data[i]))) return false;
  for (intptr_t i = 0; i < writes.n; ++i)
    if (!check_rows(arena, func, writes.data[i], tt_write_from_cb_tensor(writes.data[i])))
      return false;
  for (intptr_t i = 0; i < reads.n; ++i)
    for (intptr_t j = 0; j < writes.n; ++j) {
      MlirValue tensor = tt_read_to_cb_tensor(reads.data[i]);
      if (!tt_value_eq(tensor, tt_write_from_cb_tensor(writes.data[j]))) continue;
      /* A box may share its tiles with those that other cells write: only its rows are read. */
      bool box = !mlirAttributeIsNull(tt_op_attr(reads.data[i], "box"));
      const TtArg *arg = tt_arg_of(args, tensor);
      MlirAttribute buffer = tt_named_attr(func, "buffer", arg ? arg->name : "");
      if (box)
        tt_set_attr(reads.data[i], TT_ROWS_ALONE, mlirUnitAttrGet(mlirOperationGetContext(func)));
      bool beside = lie_apart(arena, reads.data[i], writes.data[j]);
      if (beside || is_in_place(arena, reads.data[i], writes.data[j]) ||
          (!is_listed(reads.data[i]) && is_read_before(arena, reads.data[i], writes.data[j]))) {
        if (box && !check_units(arena, reads.data[i], writes.data[j], buffer, arg ? arg->name : "?",
                                beside))
          return false;
        continue;
      }
      if (is_listed(reads.data[i]))
        return tt_error(reads.data[i],
                        "reads tensor '%s' where a list says, and writes it as well, which data "
                        "movement runs ahead of; store what is there plus a term, or the larger or "
                        "smaller of both, or let a cell have a row of '%s' and go over the list, "
                        "with a choice by %%list[%%i] == %%row",
                        arg ? arg->name : "?", arg ? arg->name : "?");
      return tt_error(reads.data[i],
                      "reads tensor '%s', which the kernel writes as well; only a block that is "
                      "read and then written at the same place may be updated in place. Write to "
                      "another tensor, or use two kernels",
                      arg ? arg->name : "?");
    }
  return true;
}
