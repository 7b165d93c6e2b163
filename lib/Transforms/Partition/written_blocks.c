/*===- written_blocks.c - which blocks of a tensor a kernel writes -----------------------------===
 *
 *   scf.forall (%i) in (4) { memref.copy %x, %C[%i * 32, 0] [32, 32] }
 *
 * = rows 0 ... 31, 32 ... 63, 64 ... 95 and 96 ... 127 of %C
 *
 * Every loop around a write is gone through, every condition evaluated: a write whose places, or
 * whose branch, a run alone knows has no blocks here. Loops whose variable says nothing about the
 * block have one step.
 *
 * Blocks may meet. Where they begin and end cuts each dimension of the tensor, and so the tensor
 * into parts, of which a block has all elements or none. All of the tensor is written where every
 * part is in some block:
 *
 *   rows 0 ... 31 and 16 ... 47 of 64   = parts 0 ... 15, 16 ... 31, 32 ... 47, 48 ... 63; the last
 *                                         one is in none
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Partition/written_blocks.h"

#include "Analysis/index_expr.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_AROUND = 24, MAX_BLOCKS = 1 << 16, MAX_STEPS = 1 << 19 };
enum { MAX_PARTS = 1 << 22, MAX_MARKS = 1 << 24 };

/* Where a block of a tensor begins, and how it goes on. */
struct TtWrittenBlock {
  int64_t start[TT_MAX_RANK], size[TT_MAX_RANK], stride[TT_MAX_RANK];
};

/*===- Blocks, step by step -----------------------------------------------------------------===*/

/* A write in one step of the loops around it, outermost first. */
typedef struct Step {
  TtWritten *written;
  const TtTouch *write;
  MlirOperation around[MAX_AROUND];
  bool idle[MAX_AROUND]; /* a loop in whose steps the write does not differ */
  intptr_t n;
  TtKnown known;
} Step;

static TtWrittenBlock *next_block(TtWritten *w) {
  if (w->n == w->capacity) {
    w->capacity = w->capacity ? 4 * w->capacity : 64;
    TtWrittenBlock *more = tt_arena_alloc(w->arena, (size_t)w->capacity * sizeof *more);
    if (w->n > 0) memcpy(more, w->blocks, (size_t)w->n * sizeof *more);
    w->blocks = more;
  }
  memset(&w->blocks[w->n], 0, sizeof *w->blocks);
  return &w->blocks[w->n];
}

/* How many elements of `whole` a write has along dimension `d`, whichever begin it; -1 where that
 * is not known. */
static int64_t length_of(const Step *s, intptr_t d, int64_t whole) {
  const TtTouch *t = s->write;
  int64_t n;
  if (mlirValueIsNull(t->length[d])) return t->size[d] < 0 ? whole : t->size[d];
  if (!tt_index_value(&s->known, t->length[d], &n)) return -1;
  return n < 1 ? 0 : (n - 1) * t->stride[d] + 1;
}

static bool add_block(Step *s) {
  const TtTouch *t = s->write;
  if (s->written->n == MAX_BLOCKS) return false;
  TtWrittenBlock *block = next_block(s->written);
  bool empty = false;
  for (intptr_t d = 0; d < t->rank; ++d) {
    int64_t whole = s->written->whole[d], sum = t->start[d], term;
    int64_t length = length_of(s, d, whole);
    for (int i = 0; i < t->num_terms[d]; ++i)
      if (!tt_index_value(&s->known, t->terms[d][i], &term) ||
          __builtin_add_overflow(sum, term, &sum))
        return false;
    if (length < 0 || sum < 0 || whole < 0) return false;
    block->start[d] = sum, block->stride[d] = t->stride[d];
    block->size[d] = sum >= whole ? 0 : length < whole - sum ? length : whole - sum;
    empty |= block->size[d] == 0;
  }
  if (!empty) ++s->written->n;
  return true;
}

static bool walk(Step *s, intptr_t level);

/* Every value of a loop's variable, the last one known, from `lower` to `upper`. */
static bool walk_range(Step *s, intptr_t level, int64_t lower, int64_t upper, int64_t step) {
  for (int64_t i = lower; i < upper; i += step) {
    s->known.at[s->known.n - 1] = i;
    if (!walk(s, level + 1)) return false;
  }
  return true;
}

static bool walk_for(Step *s, intptr_t level, MlirOperation loop) {
  int64_t bound[3];
  for (intptr_t i = 0; i < 3; ++i)
    if (!tt_index_value(&s->known, mlirOperationGetOperand(loop, i), &bound[i])) return false;
  if (bound[2] < 1 || s->known.n == TT_MAX_KNOWN) return false;
  if (s->idle[level] && bound[1] > bound[0]) bound[1] = bound[0] + 1;
  s->known.values[s->known.n++] = tt_for_iv(loop);
  bool ok = walk_range(s, level, bound[0], bound[1], bound[2]);
  --s->known.n;
  return ok;
}

/* Where axis `d` of a grid ends; -1 where that is not known. */
static int64_t end_of(const Step *s, MlirOperation grid, intptr_t d) {
  MlirAttribute upper = tt_op_attr(grid, "staticUpperBound");
  int64_t to = mlirDenseI64ArrayGetElement(upper, d);
  if (to != INT64_MIN) return to;
  intptr_t operand = 0;
  for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(upper, i) == INT64_MIN;
  return tt_index_value(&s->known, mlirOperationGetOperand(grid, operand), &to) ? to : -1;
}

/* Cells of a grid from axis `d` on. */
static bool walk_grid(Step *s, intptr_t level, MlirOperation grid, intptr_t d) {
  MlirAttribute lower = tt_op_attr(grid, "staticLowerBound"), by = tt_op_attr(grid, "staticStep");
  if (d == mlirDenseArrayGetNumElements(by)) return walk(s, level + 1);
  int64_t from = mlirDenseI64ArrayGetElement(lower, d), to = end_of(s, grid, d),
          step = mlirDenseI64ArrayGetElement(by, d);
  if (from < 0 || to < 0 || step < 1 || s->known.n == TT_MAX_KNOWN) return false;
  intptr_t at = s->known.n++;
  s->known.values[at] = mlirBlockGetArgument(tt_body(grid), d);
  bool ok = true;
  for (int64_t i = from; ok && i < to; i += step) {
    s->known.at[at] = i;
    ok = walk_grid(s, level, grid, d + 1);
  }
  --s->known.n;
  return ok;
}

/* Whether `op` is in the first of the branches of `branch`. */
static bool is_in_then(MlirOperation branch, MlirOperation op) {
  return !mlirOperationIsNull(tt_ancestor_in(tt_body(branch), op));
}

static bool is_same_value(MlirValue a, MlirValue b) {
  return mlirValueIsNull(a) ? mlirValueIsNull(b) : !mlirValueIsNull(b) && tt_value_eq(a, b);
}

static bool is_same_place(const TtTouch *a, const TtTouch *b) {
  if (a->tensor != b->tensor || a->whole || b->whole) return false;
  for (intptr_t d = 0; d < a->rank; ++d) {
    if (a->num_terms[d] != b->num_terms[d] || a->start[d] != b->start[d] ||
        a->size[d] != b->size[d] || a->stride[d] != b->stride[d] ||
        !is_same_value(a->length[d], b->length[d]))
      return false;
    for (int i = 0; i < a->num_terms[d]; ++i)
      if (!tt_value_eq(a->terms[d][i], b->terms[d][i])) return false;
  }
  return true;
}

/* Whether both branches of an scf.if write the block. */
static bool is_written_either_way(const Step *s, MlirOperation branch) {
  const TtTouches *all = s->written->touches;
  if (!tt_op_eq(tt_parent(s->write->op), branch)) return false;
  for (intptr_t i = 0; i < all->n; ++i) {
    const TtTouch *t = &all->data[i];
    if (t->writes && tt_op_eq(tt_parent(t->op), branch) &&
        is_in_then(branch, t->op) != is_in_then(branch, s->write->op) && is_same_place(t, s->write))
      return true;
  }
  return false;
}

/* The steps of what is around the write from `level` on; false where they are not known. */
static bool walk(Step *s, intptr_t level) {
  if (++s->written->steps > MAX_STEPS) return false;
  if (level == s->n) return add_block(s);
  MlirOperation op = s->around[level];
  int64_t chosen;
  if (tt_op_is(op, "scf.forall")) return walk_grid(s, level, op, 0);
  if (tt_op_is(op, "scf.for")) return walk_for(s, level, op);
  if (!tt_op_is(op, "scf.if")) return false;
  if (!tt_index_value(&s->known, mlirOperationGetOperand(op, 0), &chosen))
    return is_written_either_way(s, op) && walk(s, level + 1);
  return (chosen != 0) != is_in_then(op, s->write->op) || walk(s, level + 1);
}

/* Whether `value` may depend on the variable `of`; `*visits` bounds the search. */
static bool may_depend(MlirValue value, MlirValue of, int *visits) {
  enum { MAX_VISITS = 200 };
  if (tt_value_eq(value, of) || ++*visits > MAX_VISITS) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) { /* what a loop carries may be anything */
    op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (tt_op_is(op, "scf.for")) return !tt_value_eq(tt_for_iv(op), value);
    return !tt_op_is(op, "scf.forall") && !tt_is_function(op);
  }
  if (mlirOperationGetNumRegions(op) > 0) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (may_depend(mlirOperationGetOperand(op, i), of, visits)) return true;
  return false;
}

/* Whether neither the block nor whether it is written differs in the steps of `around[level]`. */
static bool is_idle(const Step *s, intptr_t level) {
  const TtTouch *t = s->write;
  int visits = 0;
  if (!tt_op_is(s->around[level], "scf.for")) return false;
  MlirValue of = tt_for_iv(s->around[level]);
  for (intptr_t i = level + 1; i < s->n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(s->around[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(s->around[i], j);
      MlirType type = mlirValueGetType(operand);
      if ((mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)) && may_depend(operand, of, &visits))
        return false;
    }
  for (intptr_t d = 0; d < t->rank; ++d) {
    if (!mlirValueIsNull(t->length[d]) && may_depend(t->length[d], of, &visits)) return false;
    for (int i = 0; i < t->num_terms[d]; ++i)
      if (may_depend(t->terms[d][i], of, &visits)) return false;
  }
  return true;
}

bool tt_add_written(TtWritten *w, const TtTouch *write) {
  Step s = {.written = w, .write = write, .known = w->sizes};
  intptr_t before = w->n;
  MlirOperation outward[MAX_AROUND];
  if (write->whole) return false;
  for (MlirOperation p = tt_parent(write->op); !tt_op_eq(p, w->func); p = tt_parent(p)) {
    if (s.n == MAX_AROUND) return false;
    outward[s.n++] = p;
  }
  for (intptr_t i = 0; i < s.n; ++i) s.around[i] = outward[s.n - 1 - i];
  for (intptr_t i = 0; i < s.n; ++i) s.idle[i] = is_idle(&s, i);
  if (walk(&s, 0)) return true;
  w->n = before;
  return false;
}

/*===- All of them --------------------------------------------------------------------------===*/

/* Where parts begin along a dimension, and where the last one ends. */
typedef struct Cuts {
  int64_t *at;
  intptr_t n;
} Cuts;

typedef struct Parts {
  Cuts cuts[TT_MAX_RANK];
  intptr_t rank;
  bool *written;
  int64_t left, marks;
} Parts;

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Of elements with a stride, each is a part. False where they are too many. */
static bool cut(const TtWritten *w, intptr_t d, Cuts *cuts) {
  intptr_t most = 2, n = 0;
  for (intptr_t i = 0; i < w->n; ++i) {
    const TtWrittenBlock *b = &w->blocks[i];
    int64_t pieces = b->stride[d] == 1 ? 1 : (b->size[d] - 1) / b->stride[d] + 1;
    if (pieces > MAX_PARTS || (most += 2 * pieces) > MAX_PARTS) return false;
  }
  int64_t *at = tt_arena_alloc(w->arena, (size_t)most * sizeof *at);
  at[n++] = 0, at[n++] = w->whole[d];
  for (intptr_t i = 0; i < w->n; ++i) {
    const TtWrittenBlock *b = &w->blocks[i];
    int64_t end = b->start[d] + b->size[d], by = b->stride[d];
    for (int64_t x = b->start[d]; x < end; x = by == 1 ? end : x + by)
      at[n++] = x, at[n++] = by == 1 ? end : x + 1;
  }
  qsort(at, (size_t)n, sizeof *at, compare);
  *cuts = (Cuts){at, 0};
  for (intptr_t i = 0; i < n; ++i)
    if (cuts->n == 0 || at[cuts->n - 1] != at[i]) at[cuts->n++] = at[i];
  return true;
}

static intptr_t index_of(const Cuts *cuts, int64_t x) {
  return (int64_t *)bsearch(&x, cuts->at, (size_t)cuts->n, sizeof x, compare) - cuts->at;
}

/* Marks the parts of a block from dimension `d` on, `at` the number of those before. */
static bool mark(Parts *p, const TtWrittenBlock *b, intptr_t d, int64_t at) {
  if (d == p->rank) {
    p->left -= !p->written[at];
    p->written[at] = true;
    return ++p->marks <= MAX_MARKS;
  }
  const Cuts *c = &p->cuts[d];
  int64_t start = b->start[d], end = start + b->size[d];
  for (intptr_t i = index_of(c, start); c->at[i] < end; ++i)
    if ((c->at[i] - start) % b->stride[d] == 0 && !mark(p, b, d + 1, at * (c->n - 1) + i))
      return false;
  return true;
}

bool tt_is_all_written(const TtWritten *w) {
  Parts p = {.rank = w->rank, .left = 1};
  for (intptr_t d = 0; d < w->rank; ++d) {
    if (w->whole[d] == 0) return true;
    if (!cut(w, d, &p.cuts[d])) return false;
    p.left *= p.cuts[d].n - 1;
    if (p.left > MAX_PARTS) return false;
  }
  p.written = tt_arena_alloc(w->arena, (size_t)p.left * sizeof *p.written);
  memset(p.written, 0, (size_t)p.left * sizeof *p.written);
  for (intptr_t i = 0; i < w->n; ++i)
    if (!mark(&p, &w->blocks[i], 0, 0)) return false;
  return p.left == 0;
}
