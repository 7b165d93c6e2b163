/*===- keep_rest.c - tensors of which a kernel writes a part -----------------------------------===
 *
 * The device's memory of a result holds anything before a kernel runs. Where the kernel writes all
 * of it, that does no harm. Where it may not, the host must bring what the tensor held before, so
 * that the rest is still there when it fetches the result:
 *
 *   scf.forall (%i) in (4) { memref.copy %x, %C[%i * 32, 0] [32, 32] }      C: memref<256x32xf32>
 *
 * = tt.keeps = ["C"]: of C, rows 128 ... 255 are not written
 *
 * Bringing a tensor that is written in whole takes time only; not bringing one that is not gives
 * wrong numbers. So a tensor keeps what it holds unless it is shown to be written in whole:
 *
 *   - its sizes are known: all blocks that the kernel writes, found step by step, are together all
 *     of it (written_blocks.c);
 *   - there are too many steps, or a number that only a run knows says where they write: the steps
 *     of one write, which no branch leaves out, follow each other through all of it;
 *
 *       scf.for %i = 0 to 4 { memref.copy %x, %C[%p + %i * 32, 0] [32, 32] }       C: 128x32
 *
 *   - it has sizes that only a run knows: with each of a few numbers for them, the blocks are all
 *     of it (open_sizes.c).
 *
 * Where integers of a tensor say what is written, nothing is shown.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Dialect/shapes.h"
#include "Transforms/Partition/open_sizes.h"
#include "Transforms/Partition/partition.h"

/*===- One write, all steps at once ---------------------------------------------------------===*/

enum { MAX_LOOPS = 24 };

/* The variable of a loop, or of an axis of a grid, moves a block `by` elements along `dim` in each
 * of its `n` steps; along none where `dim` is -1. */
typedef struct Move {
  MlirValue variable;
  intptr_t dim;
  int64_t by, n;
} Move;

typedef struct Moves {
  TtArena *arena;
  const TtTouch *write;
  Move data[MAX_LOOPS];
  intptr_t n;
} Moves;

/* Adds a variable that begins at 0; false where it does not move the block along one dimension,
 * forwards, or where the write may have no step. */
static bool add_move(Moves *m, MlirValue variable, int64_t lower, int64_t upper, int64_t step) {
  const TtTouch *t = m->write;
  if (m->n == MAX_LOOPS || lower != 0 || upper < 1 || step < 1) return false;
  Move *move = &m->data[m->n++];
  *move = (Move){variable, -1, 0, (upper - 1) / step + 1};
  for (intptr_t d = 0; d < t->rank; ++d) {
    int64_t sum = 0, factor;
    for (int i = 0; i < t->num_terms[d]; ++i)
      if (!tt_index_factor(m->arena, t->terms[d][i], variable, &factor) ||
          __builtin_add_overflow(sum, factor, &sum))
        return false;
    if (sum == 0) continue;
    if (move->dim >= 0 || sum < 0 || __builtin_mul_overflow(sum, step, &move->by)) return false;
    move->dim = d;
  }
  return true;
}

static bool add_moves_of(Moves *m, MlirOperation p) {
  int64_t bound[3];
  if (tt_op_is(p, "scf.for")) {
    for (intptr_t i = 0; i < 3; ++i)
      if (!tt_constant(mlirOperationGetOperand(p, i), &bound[i])) return false;
    return add_move(m, tt_for_iv(p), bound[0], bound[1], bound[2]);
  }
  if (!tt_op_is(p, "scf.forall")) return false; /* a branch may not be taken */
  MlirAttribute lower = tt_op_attr(p, "staticLowerBound"),
                upper = tt_op_attr(p, "staticUpperBound"), step = tt_op_attr(p, "staticStep");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(step); ++d)
    if (!add_move(m, mlirBlockGetArgument(tt_body(p), d), mlirDenseI64ArrayGetElement(lower, d),
                  mlirDenseI64ArrayGetElement(upper, d), mlirDenseI64ArrayGetElement(step, d)))
      return false;
  return true;
}

/* Whether nothing but constants and the variables is in `value`. */
static bool is_of_moves(const Moves *m, MlirValue value) {
  int64_t constant;
  MlirOperation op = tt_defining_op(value);
  for (intptr_t i = 0; i < m->n; ++i)
    if (tt_value_eq(m->data[i].variable, value)) return true;
  if (mlirOperationIsNull(op)) return false;
  if (tt_constant(value, &constant)) return true;
  if (mlirOperationGetNumOperands(op) == 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_of_moves(m, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/* Whether the blocks have as many elements along `d` as they have at most, or, where steps alone
 * say where they begin, end with the tensor. */
static bool has_length(const Moves *m, intptr_t d, int64_t whole) {
  const TtTouch *t = m->write;
  MlirValue symbol = {NULL};
  if (mlirValueIsNull(t->length[d])) return true;
  return t->num_terms[d] == 1 && is_of_moves(m, t->terms[d][0]) &&
         tt_is_rest(m->arena, t->length[d], t->terms[d][0], whole, &symbol);
}

/* Whether blocks that begin at 0, or where a run says, follow each other along `d` for `whole`
 * elements: the steps of the loop that moves them least, of the one that moves them by more ... */
static bool covers(const Moves *m, intptr_t d, int64_t whole) {
  const TtTouch *t = m->write;
  int64_t length = t->size[d];
  bool used[MAX_LOOPS] = {false};
  if (t->start[d] != 0 || t->stride[d] != 1 || !has_length(m, d, whole)) return false;
  while (length > 0 && length < whole) {
    intptr_t next = -1;
    for (intptr_t i = 0; i < m->n; ++i)
      if (!used[i] && m->data[i].dim == d && (next < 0 || m->data[i].by < m->data[next].by))
        next = i;
    if (next < 0 || m->data[next].by > length) return false;
    int64_t by = m->data[next].by, more;
    if (__builtin_mul_overflow(by, m->data[next].n - 1, &more) ||
        __builtin_add_overflow(length, more, &length))
      return false;
    used[next] = true;
  }
  return length >= whole;
}

static bool covers_alone(const TtWritten *w, const TtTouch *t) {
  Moves moves = {.arena = w->arena, .write = t};
  if (t->whole) return false;
  for (MlirOperation p = tt_parent(t->op); !tt_op_eq(p, w->func); p = tt_parent(p))
    if (!add_moves_of(&moves, p)) return false;
  for (intptr_t d = 0; d < t->rank; ++d)
    if (!covers(&moves, d, w->whole[d])) return false;
  return true;
}

/* Whether integers of a tensor say what an op writes of `tensor`, or whether it does. */
static bool is_by_table(const TtTouch *t, MlirOperation func) {
  for (MlirOperation p = tt_parent(t->op); !tt_op_eq(p, func); p = tt_parent(p))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(p); ++i)
      if (tt_is_loaded(mlirOperationGetOperand(p, i))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(t->op); ++i) {
    MlirValue view = mlirOperationGetOperand(t->op, i);
    if (!tt_value_eq(tt_view_root(view), t->tensor->value)) continue;
    for (MlirOperation op = tt_defining_op(view); !mlirOperationIsNull(op);
         op = tt_defining_op(mlirOperationGetOperand(op, 0)))
      for (intptr_t j = 1; j < mlirOperationGetNumOperands(op); ++j)
        if (tt_is_loaded(mlirOperationGetOperand(op, j))) return true;
  }
  return false;
}

/*===- All ----------------------------------------------------------------------------------===*/

/* Whether all of a tensor is written, where its sizes are those of `w`: of an open one, those that
 * are tried. */
static bool writes_all_of(TtWritten *w, const TtArg *arg, bool is_open) {
  const TtTouches *all = w->touches;
  for (intptr_t i = 0; i < all->n; ++i) {
    const TtTouch *t = &all->data[i];
    if (!t->writes || !tt_value_eq(t->tensor->value, arg->value)) continue;
    if (is_by_table(t, w->func)) return false;
    bool again = false; /* a fill, and the sum that starts from it */
    for (intptr_t j = 0; j < i && !again; ++j) again = tt_same_box(&all->data[j], t);
    if (again || (is_open && !tt_grows(t)) || tt_add_written(w, t)) continue;
    if (!is_open && covers_alone(w, t)) return true;
  }
  return tt_is_all_written(w);
}

static bool writes_all(TtArena *arena, const TtTouches *all, const TtArg *arg, MlirOperation func) {
  bool is_open = !mlirShapedTypeHasStaticShape(arg->type);
  for (int trial = 0; trial < (is_open ? TT_SIZE_TRIALS : 1); ++trial) {
    TtWritten w = {.arena = arena, .func = func, .touches = all};
    w.rank = mlirShapedTypeGetRank(arg->type);
    if (w.rank > TT_MAX_RANK) return false;
    for (intptr_t d = 0; d < w.rank; ++d) w.whole[d] = mlirShapedTypeGetDimSize(arg->type, d);
    if (is_open) tt_try_sizes(&w, arg, trial);
    if (!writes_all_of(&w, arg, is_open)) return false;
  }
  return true;
}

void tt_keep_rest(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  TtTouches all = tt_touches(arena, func, args);
  const char **names = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *names);
  intptr_t n = 0;
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor && args.data[i].written &&
        !writes_all(arena, &all, &args.data[i], func))
      names[n++] = args.data[i].name;
  if (n > 0)
    tt_set_attr(func, "tt.keeps", tt_strings_attr(arena, mlirOperationGetContext(func), n, names));
}
