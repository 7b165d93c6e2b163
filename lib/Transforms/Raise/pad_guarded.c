/*===- pad_guarded.c - --tt-pad-guarded -----------------------------------------------------===
 *
 * Loads that a branch keeps inside of a tensor, as at the border of a convolution, read a copy of
 * the tensor that has zeros around it: ops on blocks read what the branch does not take, too.
 *
 *   before  scf.if %t + %k - 3 >= 0 { … = load %X[%d, %t + %k - 3] … }     %X : memref<64x160xf32>
 *   after   %P = memref.alloc() : memref<64x192xf32>
 *           scf.forall … { fill %P with zeros }    scf.forall … { copy %X to %P[0, 32] [64, 160] }
 *           scf.if … { … = load %P[%d, %t + %k + 29] … }
 *
 * Along the last two dimensions what is added before are whole tiles, so that the copy moves tiles.
 * Loops that go as far as another one's variable says get branches first (square_loops.c), as those
 * over a window that ends where the tensor does (window_loops.c); loops that end where their
 * branches do, as those of a masked product, end there (bound_elements.c), and need no copy. A load
 * is padded for where its index may be outside, as the bounds of the loops around say.
 *
 * Loads that a clamp keeps inside, min(max(%i, 0), 23), read a copy with repeated edges
 * (repeat_edges.c).
 *
 * Requires raised loops. Leaves tensors that the kernel writes, that have dynamic sizes, or that
 * are read outside of a grid.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/inline_text.h"

enum { MAX_TENSORS = 16, MAX_PAD = 4096 };

/*===- What to pad ---------------------------------------------------------------------------===*/

typedef struct Padded {
  MlirValue tensor;
  intptr_t rank;
  int64_t before[TT_MAX_RANK], after[TT_MAX_RANK]; /* elements that are added */
  TtOps loads;                                     /* which then read the padded one */
} Padded;

static bool is_guarded(MlirOperation load) {
  bool branch = false;
  for (MlirOperation op = tt_parent(load); !mlirOperationIsNull(op); op = tt_parent(op)) {
    branch |= tt_op_is(op, "scf.if");
    if (tt_op_is(op, "scf.forall")) return branch && tt_op_is(tt_parent(op), "func.func");
    if (tt_op_is(op, "func.func")) return branch && tt_is_one_loop(op);
  }
  return false;
}

/* Whether a load stands outside of the loops over elements and becomes an index: it is done where
 * its branch is taken only, and by itself. */
static bool steers(const TtOps *nests, MlirOperation load) {
  for (intptr_t i = 0; i < nests->n; ++i)
    for (MlirOperation op = load; !mlirOperationIsNull(op); op = tt_parent(op))
      if (tt_op_eq(op, nests->data[i])) return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(load, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tt_op_is(user, "arith.index_cast") && !tt_op_is(user, "arith.index_castui")) return false;
  }
  return true;
}

static Padded *entry_for(Padded *all, intptr_t *n, MlirValue tensor) {
  for (intptr_t i = 0; i < *n; ++i)
    if (tt_value_eq(all[i].tensor, tensor)) return &all[i];
  if (*n == MAX_TENSORS) return NULL;
  all[*n] = (Padded){.tensor = tensor, .rank = mlirShapedTypeGetRank(mlirValueGetType(tensor))};
  return &all[(*n)++];
}

/* Notes a load that may leave its tensor. */
static void note(TtArena *arena, Padded *all, intptr_t *n, MlirOperation load) {
  MlirValue tensor = mlirOperationGetOperand(load, 0);
  MlirType type = mlirValueGetType(tensor);
  int64_t before[TT_MAX_RANK], after[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool leaves = false;
  if (rank > TT_MAX_RANK) return;
  for (intptr_t d = 0; d < rank; ++d) {
    TtIndexRange range;
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (!tt_index_range(arena, mlirOperationGetOperand(load, d + 1), &range)) return;
    before[d] = range.least < 0 ? -range.least : 0;
    after[d] = range.most >= size ? range.most - size + 1 : 0;
    if (before[d] > MAX_PAD || after[d] > MAX_PAD) return;
    leaves |= before[d] > 0 || after[d] > 0;
  }
  Padded *p = leaves ? entry_for(all, n, tensor) : NULL;
  if (!p) return;
  for (intptr_t d = 0; d < rank; ++d) {
    if (before[d] > p->before[d]) p->before[d] = before[d];
    if (after[d] > p->after[d]) p->after[d] = after[d];
  }
  tt_ops_add(arena, &p->loads, load);
}

/*===- Padding -------------------------------------------------------------------------------===*/

static int64_t whole_tiles(int64_t n) { return (n + TT_TILE - 1) / TT_TILE * TT_TILE; }

/* "%i0, %i1", or for each dimension what `values` has: "%c4, %c64". */
static void list(TtText *text, intptr_t rank, const char *prefix, const int64_t *values) {
  for (intptr_t d = 0; d < rank; ++d)
    tt_text_printf(text, "%s%%%s%jd", d ? ", " : "", prefix,
                   (intmax_t)(values ? values[d] : (int64_t)d));
}

static void constant_text(TtText *text, int64_t *known, intptr_t *n, int64_t value) {
  for (intptr_t i = 0; i < *n; ++i)
    if (known[i] == value) return;
  known[(*n)++] = value;
  tt_text_printf(text, " %%c%jd = arith.constant %jd : index\n", (intmax_t)value, (intmax_t)value);
}

/* A loop over elements, all of which `sizes` has. */
static void loop_text(TtText *text, intptr_t rank, const int64_t *sizes) {
  int64_t zeros[TT_MAX_RANK] = {0}, ones[TT_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d) ones[d] = 1;
  tt_text_printf(text, " scf.parallel (");
  list(text, rank, "i", NULL);
  tt_text_printf(text, ") = (");
  list(text, rank, "c", zeros);
  tt_text_printf(text, ") to (");
  list(text, rank, "c", sizes);
  tt_text_printf(text, ") step (");
  list(text, rank, "c", ones);
  tt_text_printf(text, ") {\n");
}

/* Where the copy of a dimension begins and how long it is: whole tiles, or, with `rest`, what is
 * left behind those. */
static TtIndexRange part_of(const Padded *p, intptr_t d, bool rest) {
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(p->tensor), d),
          whole = size / TT_TILE * TT_TILE;
  if (d + 2 < p->rank) return (TtIndexRange){0, rest ? 0 : size};
  return rest ? (TtIndexRange){whole, size - whole} : (TtIndexRange){0, whole};
}

/* Copies the tensor: of its last two dimensions, whole tiles or the rest, as the bits of `corner`
 * say, so that all blocks of a loop have one size. */
static void copy_text(TtText *text, const Padded *p, const char *from, const char *to, int corner) {
  int64_t lengths[TT_MAX_RANK];
  for (intptr_t d = 0; d < p->rank; ++d) {
    bool rest = (d + 1 == p->rank && corner & 1) || (d + 2 == p->rank && corner & 2);
    lengths[d] = part_of(p, d, rest).most;
    if (lengths[d] == 0) return;
  }
  if (p->rank == 1 && corner & 2) return;
  loop_text(text, p->rank, lengths);
  for (intptr_t d = 0; d < p->rank; ++d) {
    bool rest = (d + 1 == p->rank && corner & 1) || (d + 2 == p->rank && corner & 2);
    int64_t start = part_of(p, d, rest).least;
    tt_text_printf(text,
                   "  %%f%jd = arith.addi %%i%jd, %%c%jd : index\n"
                   "  %%j%jd = arith.addi %%i%jd, %%c%jd : index\n",
                   (intmax_t)d, (intmax_t)d, (intmax_t)start, (intmax_t)d, (intmax_t)d,
                   (intmax_t)(start + p->before[d]));
  }
  tt_text_printf(text, "  %%v = memref.load %%x[");
  list(text, p->rank, "f", NULL);
  tt_text_printf(text, "] : %s\n  memref.store %%v, %%p[", from);
  list(text, p->rank, "j", NULL);
  tt_text_printf(text, "] : %s\n  scf.reduce\n }\n", to);
}

/* A function of the tensor that makes the padded one. */
static void padding_text(TtArena *arena, TtText *text, const Padded *p, MlirType padded) {
  MlirType type = mlirValueGetType(p->tensor), element = mlirShapedTypeGetElementType(type);
  const char *from = tt_type_text(arena, type), *to = tt_type_text(arena, padded),
             *zero = mlirTypeIsAFloat(element) ? "0.0" : "0";
  int64_t all[TT_MAX_RANK], known[8 * TT_MAX_RANK + 2];
  intptr_t n = 0, rank = p->rank;
  tt_text_printf(text, "func.func @pad(%%x: %s) -> %s {\n", from, to);
  tt_text_printf(text, " %%zero = arith.constant %s : %s\n", zero, tt_type_text(arena, element));
  constant_text(text, known, &n, 0), constant_text(text, known, &n, 1);
  for (intptr_t d = 0; d < rank; ++d) {
    constant_text(text, known, &n, all[d] = mlirShapedTypeGetDimSize(padded, d));
    for (int rest = 0; rest < 2; ++rest) {
      TtIndexRange part = part_of(p, d, rest);
      constant_text(text, known, &n, part.most), constant_text(text, known, &n, part.least);
      constant_text(text, known, &n, part.least + p->before[d]);
    }
  }
  tt_text_printf(text, " %%p = memref.alloc() : %s\n", to);
  loop_text(text, rank, all);
  tt_text_printf(text, "  memref.store %%zero, %%p[");
  list(text, rank, "i", NULL);
  tt_text_printf(text, "] : %s\n  scf.reduce\n }\n", to);
  for (int corner = 0; corner < 4; ++corner) copy_text(text, p, from, to, corner);
  tt_text_printf(text, " return %%p : %s\n}\n", to);
}

static MlirType padded_type(Padded *p) {
  MlirType type = mlirValueGetType(p->tensor);
  int64_t shape[TT_MAX_RANK];
  for (intptr_t d = 0; d < p->rank; ++d) {
    bool side = d + 2 >= p->rank;
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (side) p->before[d] = whole_tiles(p->before[d]);
    shape[d] = p->before[d] + size + p->after[d];
    if (side && p->after[d] > 0) shape[d] = whole_tiles(shape[d]);
  }
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), p->rank, shape,
                                     mlirAttributeGetNull());
}

static bool pad(TtArena *arena, MlirOperation first_grid, Padded *p) {
  MlirType type = padded_type(p);
  MlirLocation loc = mlirOperationGetLocation(p->loads.data[0]);
  TtBuilder b = tt_builder_before(first_grid);
  TtOpState s = tt_op_state("builtin.unrealized_conversion_cast", loc); /* takes a place */
  tt_op_state_operand(&s, p->tensor);
  tt_op_state_result(&s, type);
  MlirOperation place = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (intptr_t i = 0; i < p->loads.n; ++i) {
    MlirOperation load = p->loads.data[i];
    TtBuilder at = tt_builder_before(load);
    mlirOperationSetOperand(load, 0, mlirOperationGetResult(place, 0));
    for (intptr_t d = 0; d < p->rank; ++d) {
      MlirLocation here = mlirOperationGetLocation(load);
      MlirValue index = mlirOperationGetOperand(load, d + 1);
      mlirOperationSetOperand(load, d + 1,
                              tt_add(&at, here, index, tt_index(&at, here, p->before[d])));
    }
  }
  TtText text = {NULL, 0, 0};
  padding_text(arena, &text, p, type);
  bool ok = tt_inline_text(arena, place, text.data);
  tt_text_free(&text);
  return ok;
}

static bool run(TtArena *arena, MlirOperation kernel) {
  Padded all[MAX_TENSORS];
  intptr_t n = 0;
  bool edges;
  if (!tt_repeat_edges(arena, kernel, &edges)) return false;
  if (edges && !tt_raise_kernel_loops(arena, kernel)) return false;
  TtOps nests = {NULL, 0, 0};
  tt_find_nests(arena, tt_body(kernel), &nests);
  for (intptr_t i = 0; i < nests.n; ++i) {
    tt_open_windows(arena, nests.data[i]);
    tt_square_loops(arena, nests.data[i]);
    tt_bound_elements(arena, nests.data[i]);
  }
  nests.n = 0;
  tt_find_nests(arena, tt_body(kernel), &nests);
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps loads = tt_collect(arena, kernel, "memref.load");
  for (intptr_t i = 0; i < loads.n; ++i) {
    const TtArg *arg = tt_arg_of(args, mlirOperationGetOperand(loads.data[i], 0));
    bool plain = arg && !arg->written &&
                 tt_value_eq(arg->value, mlirOperationGetOperand(loads.data[i], 0)) &&
                 mlirShapedTypeHasStaticShape(arg->type) && is_guarded(loads.data[i]) &&
                 !steers(&nests, loads.data[i]);
    if (plain) note(arena, all, &n, loads.data[i]);
  }
  if (n > 0 && tt_is_one_loop(kernel)) tt_give_cells(arena, kernel);
  MlirOperation grid = mlirBlockGetFirstOperation(tt_body(kernel));
  while (n > 0 && !tt_op_is(grid, "scf.forall")) grid = tt_next(grid);
  for (intptr_t i = 0; i < n; ++i)
    if (!pad(arena, grid, &all[i])) return false;
  return n == 0 || tt_raise_kernel_loops(arena, kernel);
}

bool tt_run_pad_guarded(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
