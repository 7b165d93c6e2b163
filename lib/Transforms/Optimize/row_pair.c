/*===- row_pair.c - rows that are read one by one, and written one by one ----------------------===
 *
 *   for %i < 32 { … tt.read_to_cb %table[%r, 0], %cb box = [1, 512] }
 *   for %i < 32 { tt.write_from_cb %cb, %C[%m * 32 + %i, 0] box = [1, 512] }      whole tiles of %C
 *
 * The loops of both make the same steps, nobody else uses the circular buffer, nor moves anything
 * of what is written; and where a step goes is a row, or the columns after those of the step
 * before.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/row_pair.h"

#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"

#include <string.h>

/*===- What moves ----------------------------------------------------------------------------===*/

static bool is_arithmetic(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return name.length > 6 && strncmp(name.data, "arith.", 6) == 0;
}

/* Whether `loop` counts from 0 and does nothing but `inner`, and what finds its indices. */
static bool does_only(MlirOperation loop, MlirOperation inner, int64_t *trips, bool *ends) {
  int64_t lower, step;
  if (!tt_op_is(loop, "scf.for") || mlirOperationGetNumResults(loop) > 0 ||
      !tt_constant(mlirOperationGetOperand(loop, 0), &lower) || lower != 0 ||
      !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1)
    return false;
  *ends = !tt_constant(mlirOperationGetOperand(loop, 1), trips);
  if (*ends) *trips = tt_index_bound(mlirOperationGetOperand(loop, 1));
  if (*trips < 1) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op))
    if (!tt_op_eq(op, inner) && !is_arithmetic(op) && !tt_fetch_index_isa(op)) return false;
  return true;
}

static void find_loops(TtRowNest *nest) {
  MlirOperation inner = nest->move;
  for (nest->n = 0; nest->n < TT_ROW_LOOPS; ++nest->n) {
    MlirOperation loop = tt_parent(inner);
    if (!does_only(loop, inner, &nest->trips[nest->n], &nest->ends[nest->n])) return;
    nest->loops[nest->n] = inner = loop;
    if (nest->ends[nest->n]) {
      ++nest->n;
      return;
    }
  }
}

/* Whether a move has part of a row of a matrix, of whole rows of faces. */
static bool moves_row(const TtBlockMove *m) {
  if (!m->boxed || (m->in && m->partial) || m->rank < 2 || tt_lies_in_rows(m->arena, m->tensor))
    return false;
  for (intptr_t d = 0; d < m->rank; ++d) {
    if (m->box.stride[d] != 1 || !tt_is_null_value(m->sizes[d])) return false;
    if (d < m->rank - 1 && m->box.size[d] != 1) return false;
  }
  return m->box.size[m->rank - 1] % TT_FACE == 0 && m->box.cols[m->rank - 1] == 1;
}

/* The name of the tensor that a move is of. */
static const char *name_of(TtArena *arena, MlirOperation kernel, MlirValue tensor) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(arena, kernel), tensor);
  return arg ? arg->name : "";
}

/* Whether an op of `kernel` but `move` moves blocks of the tensor called `name`. */
static bool moves_tensor(TtArena *arena, MlirOperation kernel, MlirOperation move,
                         const char *name) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  TtMove other;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!tt_op_eq(ops.data[i], move) && tt_move_of(ops.data[i], &other) &&
        strcmp(name_of(arena, kernel, other.tensor), name) == 0)
      return true;
  return false;
}

static bool uses_cb(const TtRowPair *p, MlirOperation op) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
    MlirValue value = mlirOperationGetOperand(op, j);
    if (tt_cb_type_isa(mlirValueGetType(value)) && tt_op_eq(tt_cb_decl(p->program, value), p->cb))
      return true;
  }
  return false;
}

/* Finds the only op that fills the circular buffer of the write, which is the only one that takes
 * from it. */
static bool find_read(TtRowPair *p, TtOps kernels) {
  const char *written = name_of(p->arena, p->write.kernel, p->write.m.tensor);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps ops = tt_collect(p->arena, kernels.data[k], NULL);
    if (moves_tensor(p->arena, kernels.data[k], p->write.move, written)) return false;
    for (intptr_t i = 0; i < ops.n; ++i) {
      MlirOperation op = ops.data[i];
      if (tt_op_eq(op, p->write.move) || !uses_cb(p, op)) continue;
      if (!tt_read_to_cb_isa(op) || !mlirOperationIsNull(p->read.move) ||
          tt_op_eq(kernels.data[k], p->write.kernel))
        return false;
      p->read.move = op, p->read.kernel = kernels.data[k];
    }
  }
  return !mlirOperationIsNull(p->read.move);
}

/*===- Legality ------------------------------------------------------------------------------===*/

/* Whether elements that are `each` side by side, and `step[l]` apart for loop l, leave no gap; how
 * many they are goes to `all`. A loop with a step of 0 goes another way. */
static bool leaves_no_gap(const TtRowPair *p, const int64_t *step, int64_t each, int64_t *all) {
  bool done[TT_ROW_LOOPS] = {false};
  *all = each;
  for (intptr_t left = p->loops, l; left > 0; --left) {
    for (l = 0; l < p->loops && (done[l] || step[l] == 0); ++l) continue;
    if (l == p->loops) return true; /* only those are left */
    for (l = 0; l < p->loops && (done[l] || step[l] != *all); ++l) continue;
    if (l == p->loops) return false;
    done[l] = true;
    *all *= p->write.trips[l];
  }
  return true;
}

/* How far down and right of a block a step of each loop goes; outer dimensions stay. */
static bool find_steps(TtRowPair *p) {
  const TtBlockMove *m = &p->write.m;
  for (intptr_t l = 0; l < p->loops; ++l)
    for (intptr_t d = 0; d < m->rank; ++d) {
      int64_t factor;
      if (!tt_index_factor(p->arena, m->offsets[d], tt_for_iv(p->write.loops[l]), &factor) ||
          factor < 0 || (d < m->rank - 2 && factor != 0))
        return false;
      if (d == m->rank - 2) p->down[l] = factor;
      if (d == m->rank - 1) p->right[l] = factor;
    }
  for (intptr_t l = 0; l < p->loops; ++l)
    if ((p->down[l] == 0) == (p->right[l] == 0)) return false;
  return true;
}

/* The sum of what `steps` say for the loops of a nest. */
MlirValue tt_row_place(TtBuilder *b, const TtRowPair *p, const TtRowNest *nest,
                       const int64_t *steps) {
  MlirLocation loc = mlirOperationGetLocation(nest->move);
  MlirValue at = tt_index(b, loc, 0);
  for (intptr_t l = 0; l < p->loops; ++l)
    at = tt_add(b, loc, at, tt_mul(b, loc, tt_for_iv(nest->loops[l]), tt_index(b, loc, steps[l])));
  return at;
}

/* The write of the first step of the loops, before these, in a copy of its own. */
static MlirOperation copy_first_step(const TtRowPair *p) {
  MlirOperation root = p->write.loops[p->loops - 1], write = {NULL};
  TtBuilder b = tt_builder_before(root);
  MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(root)), loop = copy, inner;
  for (; !mlirOperationIsNull(loop); loop = inner) {
    inner = (MlirOperation){NULL};
    b = tt_builder_before(root);
    mlirValueReplaceAllUsesOfWith(tt_for_iv(loop), tt_index(&b, mlirOperationGetLocation(loop), 0));
    for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)), next;
         !tt_is_terminator(op); op = next) {
      next = tt_next(op);
      if (tt_op_is(op, "scf.for")) inner = op;
      else mlirOperationMoveBefore(op, root);
      if (tt_write_from_cb_isa(op)) write = op;
    }
  }
  mlirOperationDestroy(copy);
  return write;
}

/* Whether `n` elements from where a move begins along dimension `d` are whole tiles, or all up to
 * the tensor's end. */
static bool fills_tiles(const TtBlockMove *m, TtBuilder *b, intptr_t d, int64_t n) {
  int64_t first, size = mlirShapedTypeGetDimSize(mlirValueGetType(m->tensor), d);
  MlirValue tile =
      tt_exact_quotient(m->arena, b, mlirOperationGetLocation(m->op), m->offsets[d], TT_TILE);
  if (tt_is_null_value(tile)) return false;
  return n % TT_TILE == 0 || (tt_constant(tile, &first) && first * TT_TILE + n == size);
}

/* Whether values of two kernels are made in the same way: of the same numbers of the core. */
static bool is_same(MlirValue a, MlirValue b, int depth) {
  enum { MOST = 32 };
  int64_t m, n;
  MlirOperation x = tt_defining_op(a), y = tt_defining_op(b);
  if (depth > MOST || mlirOperationIsNull(x) != mlirOperationIsNull(y)) return false;
  if (tt_constant(a, &m)) return tt_constant(b, &n) && m == n;
  intptr_t operands = 3;
  if (mlirOperationIsNull(x)) { /* variables of loops with the same bounds */
    x = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(a));
    y = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(b));
    if (!tt_op_is(x, "scf.for") || !tt_op_is(y, "scf.for")) return false;
  } else {
    operands = mlirOperationGetNumOperands(x);
    if (!mlirStringRefEqual(tt_op_name(x), tt_op_name(y)) ||
        operands != mlirOperationGetNumOperands(y) ||
        !mlirAttributeIsNull(tt_op_attr(x, "predicate")))
      return false;
    if (tt_runtime_arg_isa(x))
      return mlirAttributeEqual(tt_op_attr(x, "name"), tt_op_attr(y, "name")) &&
             mlirAttributeEqual(tt_op_attr(x, "index"), tt_op_attr(y, "index"));
    if (!is_arithmetic(x)) return false;
  }
  for (intptr_t i = 0; i < operands; ++i)
    if (!is_same(mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i), depth + 1))
      return false;
  return true;
}

/* Whether the `p->loops` loops of both make the same steps. Those of one that ends with the tensor
 * are rows up to there; it is the last. */
static bool make_same_steps(const TtRowPair *p) {
  for (intptr_t l = 0; l < p->loops; ++l) {
    if (p->read.trips[l] != p->write.trips[l] || p->read.ends[l] != p->write.ends[l]) return false;
    if (p->read.ends[l] && !is_same(mlirOperationGetOperand(p->read.loops[l], 1),
                                    mlirOperationGetOperand(p->write.loops[l], 1), 0))
      return false;
  }
  return true;
}

/* The number of steps of the loop that ends with the tensor; null where there is none. */
static MlirValue open_steps(const TtRowPair *p) {
  if (!p->write.ends[p->loops - 1]) return (MlirValue){NULL};
  return mlirOperationGetOperand(p->write.loops[p->loops - 1], 1);
}

/* Whether the loop that ends with the tensor makes rows, one a step, up to there. */
static bool ends_with_tensor(const TtRowPair *p) {
  MlirValue steps = open_steps(p), symbol;
  const TtBlockMove *m = &p->first;
  if (tt_is_null_value(steps)) return true;
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(m->tensor), m->rank - 2);
  return p->down[p->loops - 1] == 1 && p->rows == p->write.trips[p->loops - 1] && size > 0 &&
         tt_is_rest(p->arena, steps, m->offsets[m->rank - 2], size, &symbol);
}

/* Whether the `p->loops` innermost loops of both are one block of whole tiles; `p->first` is what
 * the first of their steps writes then. */
static bool is_block(TtRowPair *p) {
  const TtBlockMove *m = &p->write.m;
  if (!make_same_steps(p)) return false;
  if (!find_steps(p) || !leaves_no_gap(p, p->down, 1, &p->rows) ||
      !leaves_no_gap(p, p->right, m->box.size[m->rank - 1], &p->cols))
    return false;
  MlirOperation first = copy_first_step(p);
  TtBuilder b = tt_builder_before(first);
  if (tt_read_move(p->arena, p->write.kernel, first, &p->first) &&
      fills_tiles(&p->first, &b, m->rank - 2, p->rows) &&
      fills_tiles(&p->first, &b, m->rank - 1, p->cols) && ends_with_tensor(p))
    return true;
  mlirOperationDestroy(first);
  return false;
}

int64_t tt_row_element_bytes(const TtRowPair *p) {
  return tt_int(tt_circular_buffer_page_bytes(p->cb)) / (TT_TILE * TT_TILE);
}

int64_t tt_row_tiles(const TtRowPair *p) { return tt_tiles(p->rows) * tt_tiles(p->cols); }

/* Whether a row of a face can go anywhere in L1 where another one may stand. */
static bool has_runs(const TtRowPair *p) {
  const TtBlockMove *m = &p->read.m;
  TtBuilder b = tt_builder_before(m->op);
  int64_t page = tt_int(tt_circular_buffer_page_bytes(p->cb)),
          align = tt_target_of(p->program).chip->noc_read_align;
  MlirValue col = m->offsets[m->rank - 1];
  return page % (TT_TILE * TT_TILE) == 0 && tt_row_element_bytes(p) * TT_FACE % align == 0 &&
         !tt_is_null_value(
             tt_exact_quotient(p->arena, &b, mlirOperationGetLocation(m->op), col, TT_FACE));
}

/* How many blocks there is room for: two, one, or none. */
int64_t tt_row_blocks(const TtRowPair *p) {
  int64_t page = tt_int(tt_circular_buffer_page_bytes(p->cb)), n = tt_row_tiles(p),
          type = tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(p->cb))),
          room = tt_program_l1_left(p->arena, p->program) / page +
                 tt_int(tt_circular_buffer_pages(p->cb));
  if (n % type != 0 || n > UINT16_MAX / 2) return 0;
  return room >= 2 * n ? 2 : room >= n ? 1 : 0;
}

/* Whether tiles have places for no element of the tensor. */
bool tt_row_has_rest(const TtRowPair *p) {
  return p->rows % TT_TILE != 0 || p->cols % TT_TILE != 0 || !tt_is_null_value(open_steps(p));
}

/* Accessors stand in the order of arguments, as D3 makes them. */
static void make_accessors(TtArena *arena, MlirOperation kernel) {
  TtArgs args = tt_kernel_args(arena, kernel);
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor) tt_accessor_of(arena, kernel, args.data[i].value);
}

static bool read_nest(TtArena *arena, TtRowNest *nest) {
  make_accessors(arena, nest->kernel);
  find_loops(nest);
  return tt_read_move(arena, nest->kernel, nest->move, &nest->m);
}

/* Finds what is read for `p->write`, and the most loops that together are a block. */
bool tt_find_rows(TtRowPair *p, TtOps kernels, bool *ok) {
  if (!(*ok = read_nest(p->arena, &p->write)) || !moves_row(&p->write.m)) return false;
  p->cb = tt_cb_decl(p->program, p->write.m.cb);
  if (mlirOperationIsNull(p->cb) || !find_read(p, kernels)) return false;
  if (!(*ok = read_nest(p->arena, &p->read)) || !moves_row(&p->read.m) || !has_runs(p))
    return false;
  const TtBlockMove *in = &p->read.m, *out = &p->write.m;
  if (in->box.size[in->rank - 1] != out->box.size[out->rank - 1]) return false;
  p->loops = p->read.n < p->write.n ? p->read.n : p->write.n;
  for (; p->loops > 0; --p->loops)
    if (is_block(p)) return true;
  return false;
}
