/*===- block_products.c - --tt-block-products -------------------------------------------------===
 *
 * Makes loops over the tiles of a product calls that multiply a block.
 *
 *   before  for %i < 2, %j < 2, %l < 8 {
 *             matmul_tiles %a, %b, %i * 8 + %l, %l * 4 + %j, %i * 2 + %j
 *           }
 *   after   for %l < 8 { matmul_block %a, %b, %l, %l * 4, 0  ct = 2 rt = 2 kt = 8 }
 *
 * An operand stays in its register, and a call does the work of many. What a loop is follows from
 * how the three indices depend on its variable: rows move the tile of a by a row and the tile of
 * DST by the width of the block, columns move those of b and of DST by one; all others are summed
 * over, and stay, in their order, so that each tile of DST adds the same products in the same
 * order. Changes no result.
 *
 * Requires D3, before D4. Leaves a loop alone that is not such a product, or of one tile only.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unwrap.h"

static const char *const pass = "tt-block-products";

enum { MAX_LOOPS = 8 };

/* A loop around a product, with nothing else in it. */
typedef struct Loop {
  MlirOperation op;
  int64_t trips, a, b, dst; /* how much a step moves each index */
} Loop;

typedef struct Nest {
  TtArena *arena;
  MlirOperation product;
  Loop loops[MAX_LOOPS]; /* from the innermost */
  int n, row, col;       /* the loops over rows and columns; -1: none */
} Nest;

/* Whether the loop does nothing but `inner` and index arithmetic. */
static bool holds_only(MlirOperation loop, MlirOperation inner) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (tt_op_eq(op, inner)) continue;
    if (mlirOperationGetNumRegions(op) > 0 || mlirOperationGetNumResults(op) == 0) return false;
  }
  return true;
}

static bool read_loop(Nest *n, MlirOperation op, Loop *loop) {
  int64_t lower, step;
  MlirValue iv = tt_for_iv(op);
  *loop = (Loop){.op = op};
  return tt_constant(mlirOperationGetOperand(op, 0), &lower) && lower == 0 &&
         tt_constant(mlirOperationGetOperand(op, 1), &loop->trips) &&
         tt_constant(mlirOperationGetOperand(op, 2), &step) && step == 1 &&
         tt_index_factor(n->arena, metalium_matmul_tiles_ia(n->product), iv, &loop->a) &&
         tt_index_factor(n->arena, metalium_matmul_tiles_ib(n->product), iv, &loop->b) &&
         tt_index_factor(n->arena, metalium_matmul_tiles_dst(n->product), iv, &loop->dst);
}

/* The loops that hold nothing but the product, with what each of them is. */
static void read_nest(Nest *n) {
  MlirOperation inner = n->product;
  n->row = n->col = -1;
  for (MlirOperation p = tt_parent(inner); tt_op_is(p, "scf.for") && n->n < MAX_LOOPS;
       inner = p, p = tt_parent(p)) {
    Loop *loop = &n->loops[n->n];
    if (!holds_only(p, inner) || !read_loop(n, p, loop)) return;
    if (loop->a == 0 && loop->b == 1 && loop->dst == 1 && n->col < 0) n->col = n->n;
    else if (loop->b == 0 && loop->a > 0 && loop->dst > 0 && n->row < 0) n->row = n->n;
    else if (loop->dst != 0) return;
    ++n->n;
  }
}

/* Lines of DST follow each other: a row is as long as the block is wide. */
static bool is_block(const Nest *n) {
  if (n->row < 0) return n->col >= 0;
  return n->loops[n->row].dst == (n->col < 0 ? 1 : n->loops[n->col].trips);
}

static void make_block(Nest *n) {
  MlirOperation op = n->product;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue a = metalium_matmul_tiles_a(op), b = metalium_matmul_tiles_b(op), index[3];
  int64_t ct = n->col < 0 ? 1 : n->loops[n->col].trips,
          rt = n->row < 0 ? 1 : n->loops[n->row].trips,
          kt = n->row < 0 ? tt_cb_cols(mlirValueGetType(a)) : n->loops[n->row].a;
  for (int i = 0; i < n->n; ++i)
    if (i == n->row || i == n->col) tt_unwrap(n->loops[i].op);
  TtBuilder before = tt_builder_before(op);
  for (int i = 0; i < 3; ++i) { /* a, b, ia, ib, dst: in their simplest form */
    MlirValue old = mlirOperationGetOperand(op, 2 + i),
              simple = tt_exact_quotient(n->arena, &before, loc, old, 1);
    index[i] = tt_is_null_value(simple) ? old : simple;
  }
  metalium_matmul_block_create(&before, loc, a, b, index[0], index[1], index[2],
                               metalium_matmul_tiles_transpose_b(op), ct, rt, kt);
  tt_remark(op, TT_REMARK_PASSED, pass, "%jd x %jd tiles are a product of blocks", (intmax_t)rt,
            (intmax_t)ct);
  mlirOperationDestroy(op);
}

static void visit(TtArena *arena, MlirOperation product) {
  Nest n = {.arena = arena, .product = product};
  read_nest(&n);
  if (is_block(&n)) make_block(&n);
  else
    tt_remark(product, TT_REMARK_MISSED, pass,
              "no product of blocks: tiles of its operands and of its result do not follow each "
              "other, or it has one");
}

static bool block_products(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    TtOps products = tt_collect(arena, kernels.data[i], "metalium.matmul_tiles");
    for (intptr_t j = 0; j < products.n; ++j) visit(arena, products.data[j]);
    if (products.n > 0) tt_erase_dead(kernels.data[i]);
  }
  return true;
}

bool tt_run_block_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, block_products);
}
