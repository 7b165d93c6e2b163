/*===- keep_rest.c - tensors of which a kernel writes a part -----------------------------------===
 *
 *   scf.forall (%i) in (4) { memref.copy %x, %C[%i * 32, 0] [32, 32] }      C: memref<256x32xf32>
 *
 * = tt.keeps = ["C"]: what the host brings of C stays where no cell writes
 *
 * The blocks that all steps of all cells write are counted, each once: where they have fewer
 * elements than the tensor, some of them keep their values; so they may where a table says which
 * are written. Where steps or places are known only when the kernel runs, a step is taken to write
 * a block that no other one does.
 *
 *   scf.forall (%i) = (32) to (%C_d0) step (32) { memref.copy %x, %C[%i, 0] [32, 32] }
 *                                                                           C: memref<?x32xf32>
 *
 * Of a tensor of open size they are counted with two sizes, along whose dimensions only what ends
 * where a size says counts, so that a larger size is written as well. Where one of them leaves
 * elements out, or is not counted, the tensor keeps what it holds.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_value.h"
#include "Analysis/touches.h"
#include "Dialect/shapes.h"
#include "Transforms/Partition/partition.h"

#include <stdlib.h>
#include <string.h>

/*===- Blocks, step by step -----------------------------------------------------------------===*/

enum { MAX_AROUND = 24, MAX_BLOCKS = 1 << 16, MAX_STEPS = 1 << 19 };
enum { SMALL = 41, LARGE = 293 }; /* sizes that blocks do not divide */

/* Where a block of a tensor begins, and how it goes on. */
typedef struct Block {
  int64_t start[TT_MAX_RANK], size[TT_MAX_RANK], stride[TT_MAX_RANK];
} Block;

typedef struct Blocks {
  TtArena *arena;
  Block *data; /* those that are alike may stand here several times */
  intptr_t n, capacity;
  int64_t steps;
  int64_t open; /* what sizes that only a run knows are taken for; 0 where they are not known */
} Blocks;

/* A write in one step of the loops around it, outermost first. */
typedef struct Step {
  const TtTouch *write;
  MlirOperation around[MAX_AROUND];
  intptr_t n;
  TtKnown known;
  Blocks *blocks;
} Step;

static Block *next_block(Blocks *b) {
  if (b->n == b->capacity) {
    b->capacity = b->capacity ? 4 * b->capacity : 64;
    Block *more = tt_arena_alloc(b->arena, (size_t)b->capacity * sizeof *more);
    if (b->n > 0) memcpy(more, b->data, (size_t)b->n * sizeof *more);
    b->data = more;
  }
  memset(&b->data[b->n], 0, sizeof *b->data);
  return &b->data[b->n];
}

/* The size of a dimension, -1 where it is not known. */
static int64_t size_of(MlirType type, intptr_t d, int64_t open) {
  if (!mlirShapedTypeIsDynamicDim(type, d)) return mlirShapedTypeGetDimSize(type, d);
  return open > 0 ? open : -1;
}

/* How many elements of `whole` a write has along dimension `d`, whichever begin it; -1 where that
 * is not known. */
static int64_t length_of(const Step *s, intptr_t d, int64_t whole) {
  const TtTouch *t = s->write;
  int64_t n;
  if (mlirValueIsNull(t->length[d])) return t->size[d] < 0 ? whole : t->size[d];
  if (!tt_index_value(&s->known, t->length[d], &n)) return t->size[d];
  return n < 1 ? 0 : (n - 1) * t->stride[d] + 1;
}

static bool add_block(Step *s) {
  const TtTouch *t = s->write;
  if (s->blocks->n == MAX_BLOCKS) return false;
  Block *block = next_block(s->blocks);
  for (intptr_t d = 0; d < t->rank; ++d) {
    int64_t whole = size_of(t->tensor->type, d, s->blocks->open), sum = t->start[d], term;
    int64_t length = length_of(s, d, whole);
    for (int i = 0; i < t->num_terms[d]; ++i)
      if (!tt_index_value(&s->known, t->terms[d][i], &term) ||
          __builtin_add_overflow(sum, term, &sum))
        return false;
    if (length < 0 || sum < 0 || whole < 0) return false;
    block->start[d] = sum, block->stride[d] = t->stride[d];
    block->size[d] = sum >= whole ? 0 : length < whole - sum ? length : whole - sum;
  }
  return ++s->blocks->n, true;
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

/* The steps of what is around the write from `level` on; false where they are not known. */
static bool walk(Step *s, intptr_t level) {
  if (++s->blocks->steps > MAX_STEPS) return false;
  if (level == s->n) return add_block(s);
  MlirOperation op = s->around[level];
  int64_t chosen;
  if (tt_op_is(op, "scf.forall")) return walk_grid(s, level, op, 0);
  if (tt_op_is(op, "scf.for")) return walk_for(s, level, op);
  if (!tt_op_is(op, "scf.if") ||
      !tt_index_value(&s->known, mlirOperationGetOperand(op, 0), &chosen))
    return false;
  return (chosen != 0) != is_in_then(op, s->write->op) || walk(s, level + 1);
}

/* Takes all sizes that only a run knows for the same. */
static void know_sizes(Step *s, MlirOperation func) {
  TtOps sizes = tt_collect(s->blocks->arena, func, "tt.runtime_arg");
  for (intptr_t i = 0; i < sizes.n && s->known.n < TT_MAX_KNOWN; ++i) {
    if (!tt_is_dim_name(tt_string(tt_runtime_arg_name(sizes.data[i])))) continue;
    s->known.values[s->known.n] = tt_runtime_arg_value(sizes.data[i]);
    s->known.at[s->known.n++] = s->blocks->open;
  }
}

/* Adds the blocks that a write has in all of its steps; false, and none, where they are not known.
 */
static bool add_blocks(const TtTouch *write, MlirOperation func, Blocks *blocks) {
  Step s = {.write = write, .blocks = blocks};
  intptr_t before = blocks->n;
  MlirOperation outward[MAX_AROUND];
  if (write->whole) return false;
  for (MlirOperation p = tt_parent(write->op); !tt_op_eq(p, func); p = tt_parent(p)) {
    if (s.n == MAX_AROUND) return false;
    outward[s.n++] = p;
  }
  for (intptr_t i = 0; i < s.n; ++i) s.around[i] = outward[s.n - 1 - i];
  if (blocks->open > 0) know_sizes(&s, func);
  if (walk(&s, 0)) return true;
  blocks->n = before;
  return false;
}

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof(Block)); }

/* The elements of all blocks, of those that are alike once. */
static int64_t elements_of(const Blocks *blocks, intptr_t rank) {
  int64_t sum = 0;
  if (blocks->n > 0) qsort(blocks->data, (size_t)blocks->n, sizeof *blocks->data, compare);
  for (intptr_t i = 0; i < blocks->n; ++i) {
    const Block *b = &blocks->data[i];
    int64_t n = 1;
    if (i > 0 && compare(b - 1, b) == 0) continue;
    for (intptr_t d = 0; d < rank; ++d) n *= (b->size[d] + b->stride[d] - 1) / b->stride[d];
    if (__builtin_add_overflow(sum, n, &sum)) return INT64_MAX;
  }
  return sum;
}

/*===- Steps that are known when the kernel runs --------------------------------------------===*/

/* How often an op runs at most; false where that is not known. */
static bool runs_of(MlirOperation op, MlirOperation func, const TtGrid *grid, int64_t *runs) {
  *runs = 1;
  for (MlirOperation p = tt_parent(op); !tt_op_eq(p, func); p = tt_parent(p)) {
    int64_t n = 1, lower, upper, step;
    if (tt_op_is(p, "scf.forall")) {
      if (tt_is_dynamic_grid(grid)) return false;
      n = grid->cells[0] * grid->cells[1] * grid->cells[2];
    } else if (tt_op_is(p, "scf.for")) {
      if (!tt_constant(mlirOperationGetOperand(p, 0), &lower) ||
          !tt_constant(mlirOperationGetOperand(p, 1), &upper) ||
          !tt_constant(mlirOperationGetOperand(p, 2), &step) || step < 1)
        return false;
      n = upper > lower ? (upper - lower + step - 1) / step : 0;
    } else if (!tt_op_is(p, "scf.if")) {
      return false;
    }
    if (__builtin_mul_overflow(*runs, n, runs)) return false;
  }
  return true;
}

/* Adds the elements that a write covers to `*sum`; false where they are not known. */
static bool add_elements(const TtTouch *t, MlirOperation func, const TtGrid *grid, int64_t *sum) {
  int64_t n;
  if (t->whole || !runs_of(t->op, func, grid, &n)) return false;
  for (intptr_t d = 0; d < t->rank; ++d)
    if (t->size[d] < 0 ||
        __builtin_mul_overflow(n, (t->size[d] + t->stride[d] - 1) / t->stride[d], &n))
      return false;
  return !__builtin_add_overflow(*sum, n, sum);
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

/* Whether `value` is made of a size that only a run knows, or of steps up to one. */
static bool is_by_size(MlirValue value, int left) {
  if (left == 0) return false;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (tt_is_function(loop)) return false;
    op = loop; /* whose operands are its bounds */
  }
  if (tt_op_is(op, "tt.runtime_arg")) return tt_is_dim_name(tt_string(tt_runtime_arg_name(op)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_by_size(mlirOperationGetOperand(op, i), left - 1)) return true;
  return false;
}

/* Whether a write goes on where a larger tensor does, along all dimensions of open size. */
static bool grows(const TtTouch *t) {
  enum { DEEP = 12 };
  for (intptr_t d = 0; d < t->rank; ++d) {
    if (!mlirShapedTypeIsDynamicDim(t->tensor->type, d)) continue;
    bool by_size = mlirValueIsNull(t->length[d]) ? t->size[d] < 0 : is_by_size(t->length[d], DEEP);
    for (int i = 0; i < t->num_terms[d]; ++i) by_size |= is_by_size(t->terms[d][i], DEEP);
    if (!by_size) return false;
  }
  return true;
}

/* Whether all of a tensor is written where open sizes are `open`. */
static bool writes_all_of(TtArena *arena, const TtTouches *all, const TtArg *arg,
                          MlirOperation func, int64_t open) {
  int64_t elements = 1;
  Blocks blocks = {.arena = arena, .open = open};
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(arg->type); ++d)
    if (__builtin_mul_overflow(elements, size_of(arg->type, d, open), &elements)) return false;
  for (intptr_t i = 0; i < all->n; ++i) {
    const TtTouch *t = &all->data[i];
    bool mine = t->writes && tt_value_eq(t->tensor->value, arg->value);
    if (mine && is_by_table(t, func)) return false;
    bool again = false; /* a fill, and the sum that starts from it */
    for (intptr_t j = 0; j < i && !again; ++j) again = tt_same_box(&all->data[j], t);
    if (mine && !again && grows(t)) add_blocks(t, func, &blocks);
  }
  return elements_of(&blocks, mlirShapedTypeGetRank(arg->type)) >= elements;
}

static bool writes_all(TtArena *arena, const TtTouches *all, const TtArg *arg, MlirOperation func,
                       const TtGrid *grid) {
  int64_t sum = 0, elements = 1;
  Blocks blocks = {.arena = arena};
  if (!mlirShapedTypeHasStaticShape(arg->type))
    return writes_all_of(arena, all, arg, func, SMALL) &&
           writes_all_of(arena, all, arg, func, LARGE);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(arg->type); ++d)
    elements *= mlirShapedTypeGetDimSize(arg->type, d);
  for (intptr_t i = 0; i < all->n; ++i) {
    const TtTouch *t = &all->data[i];
    bool mine = t->writes && tt_value_eq(t->tensor->value, arg->value);
    if (mine && is_by_table(t, func)) return false;
    bool again = false; /* a fill, and the sum that starts from it */
    for (intptr_t j = 0; j < i && !again; ++j) again = tt_same_box(&all->data[j], t);
    if (!mine || again || add_blocks(t, func, &blocks)) continue;
    if (!add_elements(t, func, grid, &sum)) return false;
  }
  int64_t known = elements_of(&blocks, mlirShapedTypeGetRank(arg->type));
  return known >= elements || sum >= elements - known;
}

void tt_keep_rest(TtArena *arena, MlirOperation func, const TtGrid *grid) {
  TtArgs args = tt_kernel_args(arena, func);
  TtTouches all = tt_touches(arena, func, args);
  const char **names = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *names);
  intptr_t n = 0;
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor && args.data[i].written &&
        !writes_all(arena, &all, &args.data[i], func, grid))
      names[n++] = args.data[i].name;
  if (n > 0)
    tt_set_attr(func, "tt.keeps", tt_strings_attr(arena, mlirOperationGetContext(func), n, names));
}
