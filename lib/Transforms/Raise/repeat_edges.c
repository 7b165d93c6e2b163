/*===- repeat_edges.c - loads that are kept inside of a tensor by clamps ----------------------===
 *
 *   %k = min(max(%y + %i - 2, 0), 23)   … = load %X[%k, %x]        %X : memref<24x40xf32>
 * = %P = memref.alloc() : memref<28x40xf32>      %P[%j, %x] = %X[min(max(%j - 2, 0), 23), %x]
 *   … = load %P[%y + %i, %x]
 *
 * A copy of the tensor with its first and last elements repeated: ops on blocks read windows of
 * it. Where one loop alone moves the index, its steps are taken apart (split_ranges.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Transforms/Raise/inline_text.h"

enum { MOST_LOADS = 64, MOST_MORE = 4096, DEEPEST = 8 };

/* An index of a load: `of`, from `least` to `most`, but not below `lo` or above `hi`. */
typedef struct Clamp {
  MlirValue of; /* null: the index is none */
  int64_t least, most, lo, hi;
} Clamp;

typedef struct Edges {
  MlirOperation load;
  MlirValue copy; /* once made */
  intptr_t rank;
  Clamp dims[TT_MAX_RANK];
} Edges;

/* Takes casts, maxima and minima with constants from `value`; how many of the latter. */
static int open_clamp(MlirValue value, Clamp *c) {
  int found = 0;
  *c = (Clamp){.of = value, .lo = INT64_MIN, .hi = INT64_MAX};
  for (int depth = 0; depth < DEEPEST; ++depth) {
    MlirOperation op = tt_defining_op(c->of);
    bool max = tt_op_is(op, "arith.maxsi"), min = tt_op_is(op, "arith.minsi");
    if (tt_op_is(op, "arith.index_cast")) {
      c->of = mlirOperationGetOperand(op, 0);
      continue;
    }
    if (!max && !min) break;
    int64_t bound;
    intptr_t at = tt_constant(mlirOperationGetOperand(op, 1), &bound)   ? 1
                  : tt_constant(mlirOperationGetOperand(op, 0), &bound) ? 0
                                                                        : -1;
    if (at < 0) break;
    /* What is taken last counts: an inner bound that the outer one cuts is that. */
    if (max && bound > c->lo) c->lo = bound;
    if (min && bound < c->hi) c->hi = bound;
    c->of = mlirOperationGetOperand(op, 1 - at), ++found;
  }
  return found;
}

/* Whether several loops, or the grid and a loop in it, move an index. */
static bool has_several_loops(TtArena *arena, MlirOperation load, MlirValue index) {
  int moves = 0;
  for (MlirOperation p = tt_parent(load); !tt_op_is(p, "func.func"); p = tt_parent(p)) {
    bool loop = tt_op_is(p, "scf.for"), moved = false;
    intptr_t n = loop ? 1 : tt_op_is(p, "scf.forall") ? mlirBlockGetNumArguments(tt_body(p)) : 0;
    for (intptr_t i = 0; i < n; ++i) {
      int64_t factor;
      moved |= !tt_index_factor(arena, index, mlirBlockGetArgument(tt_body(p), i), &factor) ||
               factor != 0;
    }
    moves += moved;
  }
  return moves > 1;
}

/* Whether what is loaded becomes an index: it is taken where it is, by itself. */
static bool steers(MlirOperation load) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(load, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui")) return true;
  }
  return false;
}

/* Reads the indices of a load; false where none is a clamp that is to be taken off. */
static bool read_edges(TtArena *arena, MlirOperation load, Edges *e) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0));
  bool any = false;
  *e = (Edges){.load = load, .rank = mlirOperationGetNumOperands(load) - 1};
  if (e->rank > TT_MAX_RANK || !mlirShapedTypeHasStaticShape(type)) return false;
  for (intptr_t d = 0; d < e->rank; ++d) {
    Clamp *c = &e->dims[d];
    TtIndexRange range;
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    bool clamped = open_clamp(mlirOperationGetOperand(load, d + 1), c) > 0 &&
                   mlirTypeIsAIndex(mlirValueGetType(c->of)) &&
                   has_several_loops(arena, load, c->of) && tt_index_range(arena, c->of, &range) &&
                   range.most - range.least < MOST_MORE;
    if (clamped) c->least = range.least, c->most = range.most;
    if (clamped && c->lo < c->least) c->lo = c->least;
    if (clamped && c->hi > c->most) c->hi = c->most;
    clamped = clamped && c->lo >= 0 && c->lo <= c->hi && c->hi < size;
    if (!clamped) *c = (Clamp){{NULL}, 0, size - 1, 0, size - 1};
    any |= clamped;
  }
  return any;
}

static bool same_copy(const Edges *a, const Edges *b) {
  bool same = tt_value_eq(mlirOperationGetOperand(a->load, 0), mlirOperationGetOperand(b->load, 0));
  for (intptr_t d = 0; same && d < a->rank; ++d) {
    const Clamp *x = &a->dims[d], *y = &b->dims[d];
    same = tt_is_null_value(x->of) == tt_is_null_value(y->of) && x->least == y->least &&
           x->most == y->most && x->lo == y->lo && x->hi == y->hi;
  }
  return same;
}

/*===- Copies --------------------------------------------------------------------------------===*/

/* A function of the tensor that makes the copy, of type `to`. */
static char *copy_text(TtArena *arena, const Edges *e, MlirType from, MlirType to) {
  const char *x = tt_type_text(arena, from), *p = tt_type_text(arena, to), *at = "", *lower = "",
             *upper = "", *step = "", *source = "";
  char *text = tt_arena_printf(arena,
                               "func.func @edges(%%x: %s) -> %s {\n"
                               " %%c0 = arith.constant 0 : index\n"
                               " %%c1 = arith.constant 1 : index\n %%p = memref.alloc() : %s\n",
                               x, p, p);
  char *body = tt_arena_printf(arena, "%s", "");
  for (intptr_t d = 0; d < e->rank; ++d) {
    const Clamp *c = &e->dims[d];
    const char *comma = d ? ", " : "";
    intmax_t n = (intmax_t)d;
    text = tt_arena_printf(arena,
                           "%s %%n%jd = arith.constant %jd : index\n"
                           " %%s%jd = arith.constant %jd : index\n"
                           " %%l%jd = arith.constant %jd : index\n"
                           " %%h%jd = arith.constant %jd : index\n",
                           text, n, (intmax_t)(c->most - c->least + 1), n, (intmax_t)c->least, n,
                           (intmax_t)c->lo, n, (intmax_t)c->hi);
    if (!tt_is_null_value(c->of))
      body = tt_arena_printf(arena,
                             "%s  %%a%jd = arith.addi %%i%jd, %%s%jd : index\n"
                             "  %%b%jd = arith.maxsi %%a%jd, %%l%jd : index\n"
                             "  %%f%jd = arith.minsi %%b%jd, %%h%jd : index\n",
                             body, n, n, n, n, n, n, n, n, n);
    at = tt_arena_printf(arena, "%s%s%%i%jd", at, comma, n);
    lower = tt_arena_printf(arena, "%s%s%%c0", lower, comma);
    upper = tt_arena_printf(arena, "%s%s%%n%jd", upper, comma, n);
    step = tt_arena_printf(arena, "%s%s%%c1", step, comma);
    source = tt_arena_printf(arena, "%s%s%%%s%jd", source, comma,
                             tt_is_null_value(c->of) ? "i" : "f", n);
  }
  MlirType element = mlirShapedTypeGetElementType(from);
  const char *number =
      tt_arena_printf(arena, " %%zero = arith.constant %s : %s\n",
                      mlirTypeIsAFloat(element) ? "0.0" : "0", tt_type_text(arena, element));
  /* Parts of tiles are put into what their tiles hold: zeros, at first. */
  text = tt_arena_printf(arena,
                         "%s%s scf.parallel (%s) = (%s) to (%s) step (%s) {\n"
                         "  memref.store %%zero, %%p[%s] : %s\n  scf.reduce\n }\n",
                         text, number, at, lower, upper, step, at, p);
  return tt_arena_printf(arena,
                         "%s scf.parallel (%s) = (%s) to (%s) step (%s) {\n%s"
                         "  %%v = memref.load %%x[%s] : %s\n  memref.store %%v, %%p[%s] : %s\n"
                         "  scf.reduce\n }\n return %%p : %s\n}\n",
                         text, at, lower, upper, step, body, source, x, at, p, p);
}

static bool make_copy(TtArena *arena, MlirOperation grid, Edges *all, intptr_t n, Edges *e) {
  MlirValue tensor = mlirOperationGetOperand(e->load, 0);
  MlirType from = mlirValueGetType(tensor);
  int64_t shape[TT_MAX_RANK];
  for (intptr_t d = 0; d < e->rank; ++d) shape[d] = e->dims[d].most - e->dims[d].least + 1;
  MlirType to = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(from), e->rank, shape,
                                            mlirAttributeGetNull());
  TtBuilder b = tt_builder_before(grid);
  TtOpState s = tt_op_state("builtin.unrealized_conversion_cast",
                            mlirOperationGetLocation(e->load)); /* takes a place */
  tt_op_state_operand(&s, tensor);
  tt_op_state_result(&s, to);
  MlirOperation place = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (Edges *o = e; o < all + n; ++o)
    if (tt_is_null_value(o->copy) && same_copy(e, o)) o->copy = mlirOperationGetResult(place, 0);
  for (Edges *o = e; o < all + n; ++o) {
    if (!tt_value_eq(o->copy, mlirOperationGetResult(place, 0))) continue;
    TtBuilder at = tt_builder_before(o->load);
    MlirLocation loc = mlirOperationGetLocation(o->load);
    mlirOperationSetOperand(o->load, 0, o->copy);
    for (intptr_t d = 0; d < o->rank; ++d)
      if (!tt_is_null_value(o->dims[d].of))
        mlirOperationSetOperand(
            o->load, d + 1, tt_sub(&at, loc, o->dims[d].of, tt_index(&at, loc, o->dims[d].least)));
  }
  return tt_inline_text(arena, place, copy_text(arena, e, from, to));
}

bool tt_repeat_edges(TtArena *arena, MlirOperation kernel, bool *any) {
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps loads = tt_collect(arena, kernel, "memref.load");
  Edges *all = tt_arena_alloc(arena, MOST_LOADS * sizeof *all);
  intptr_t n = 0;
  *any = false;
  for (intptr_t i = 0; i < loads.n && n < MOST_LOADS; ++i) {
    const TtArg *arg = tt_arg_of(args, mlirOperationGetOperand(loads.data[i], 0));
    bool plain =
        arg && !arg->written && tt_value_eq(arg->value, mlirOperationGetOperand(loads.data[i], 0));
    if (plain && !steers(loads.data[i]) && read_edges(arena, loads.data[i], &all[n])) ++n;
  }
  if (n == 0) return true;
  if (tt_is_one_loop(kernel)) tt_give_cells(arena, kernel);
  MlirOperation grid = mlirBlockGetFirstOperation(tt_body(kernel));
  while (!mlirOperationIsNull(grid) && !tt_op_is(grid, "scf.forall")) grid = tt_next(grid);
  if (mlirOperationIsNull(grid)) return true;
  *any = true;
  for (intptr_t i = 0; i < n; ++i)
    if (tt_is_null_value(all[i].copy) && !make_copy(arena, grid, all, n, &all[i])) return false;
  tt_erase_dead(kernel);
  return true;
}
