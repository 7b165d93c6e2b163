/*===- step_wide_blocks.c - --tt-step-wide-blocks -----------------------------------------------===
 *
 * Has a kernel whose blocks L1 cannot hold go over them in steps.
 *
 *   before  linalg.generic (sum over j) ins(%X[%i, 0] [32, 8192]) outs(%sum : 32)
 *   after   scf.for %j = 0 to 8192 step 512 {
 *             linalg.generic (sum over j) ins(%X[%i, %j] [32, 512]) outs(%sum : 32)
 *           }
 *
 * So a norm of any number of columns is taken: each of its ops goes over the row for itself, which
 * is read as often. What ops leave to others in wide buffers they compute again (take_again.c).
 *
 * Whether L1 holds the blocks is found out by trying: the passes that follow, up to where circular
 * buffers share L1, compile a copy of the kernel, as it is and then in steps of 512 elements,
 * 256, … 32, and the first form that fits is taken. Kernels whose blocks are small are not tried.
 * Sums go on from step to step, in the same order of elements.
 *
 * Requires no grid (B2), before C1. Runs without optimizations, too: a kernel that needs it could
 * not be compiled otherwise.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/op_loop.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/step_together.h"
#include "Transforms/Raise/take_again.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/share_buffers.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

static const char *const pass = "tt-step-wide-blocks";

enum { MOST = 512, LEAST = TT_TILE };

/*===- Steps ----------------------------------------------------------------------------------===*/

/* The extent of a loop that goes along tensors, and nothing else; 0 where it is another one. */
static int64_t extent_of(const TtOpLoop *l) {
  int64_t extent = 0;
  for (intptr_t i = 0; i < l->n; ++i) {
    if (l->along[i] < 0) continue;
    MlirValue operand = mlirOperationGetOperand(l->op, i);
    int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(operand), l->along[i]);
    if (size == INT64_MIN || !tt_is_part_of_tensor(operand)) return 0;
    extent = size;
  }
  return extent;
}

/* Whether an op takes a tensor that it writes to in another place: a step would see what those
 * before it wrote. */
static bool crosses(const TtOpLoop *l) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(l->op);
  intptr_t inputs = tt_linalg_num_inputs(l->op);
  for (intptr_t o = inputs; o < l->n; ++o)
    for (intptr_t i = 0; i < inputs; ++i) {
      MlirValue from = mlirOperationGetOperand(l->op, i), to = mlirOperationGetOperand(l->op, o);
      if (tt_value_eq(tt_view_root(from), tt_view_root(to)) &&
          !(tt_value_eq(from, to) &&
            mlirAttributeEqual(mlirArrayAttrGetElement(maps, i), mlirArrayAttrGetElement(maps, o))))
        return true;
    }
  return false;
}

/* As many steps of `size` as there are, in a loop, and one with what is left. */
static void step(TtArena *arena, const TtOpLoop *l, int64_t extent, int64_t size) {
  MlirLocation loc = mlirOperationGetLocation(l->op);
  MlirValue none = {NULL};
  int64_t whole = extent / size * size;
  TtBuilder b = tt_builder_before(l->op);
  MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, 0), tt_index(&b, loc, whole),
                              tt_index(&b, loc, size), "from");
  if (whole < extent) {
    TtBuilder after = tt_builder_after(loop);
    MlirOperation rest = tt_builder_insert(&after, mlirOperationClone(l->op));
    TtBuilder before = tt_builder_before(rest);
    tt_take_steps(arena, l, rest, tt_index(&before, loc, whole), extent - whole, none);
  }
  mlirOperationMoveBefore(l->op, mlirBlockGetTerminator(tt_for_body(loop)));
  tt_take_steps(arena, l, l->op, tt_for_iv(loop), size, none);
}

/* The most elements of a step up to `most`, whole tiles, of which the loop has no rest; `most`
 * where those are few. */
static int64_t even_step(int64_t extent, int64_t most) {
  for (int64_t size = most; 2 * size > most; size -= TT_TILE)
    if (extent % size == 0) return size;
  return most;
}

/* Steps along the longest of the loops that can be taken so. */
static void step_op(TtArena *arena, MlirOperation op, int64_t size) {
  TtOpLoop longest = {.op = op};
  int64_t most = size;
  intptr_t loops = tt_num_op_loops(op);
  for (intptr_t d = 0; d < loops; ++d) {
    TtOpLoop l;
    int64_t extent = tt_op_loop_of(op, d, &l) ? extent_of(&l) : 0;
    if (extent > most && !crosses(&l)) most = extent, longest = l;
  }
  if (most > size) step(arena, &longest, most, even_step(most, size));
}

/* What a loop goes on with from step to step is gone over with all ops that do so. */
static void step_together(TtArena *arena, MlirOperation func, int64_t size) {
  TtRun run;
  for (intptr_t d = 0; d < TT_MAX_RANK; ++d) {
    for (TtRuns runs = tt_runs_of(arena, func); tt_next_run(&runs, &run);) {
      int64_t extent = run.in_loop && run.reads_again ? tt_run_extent(&run, d) : 0;
      if (extent > size) tt_step_run(arena, &run, d, even_step(extent, size));
    }
  }
}

/* Keeps what loops go on with in buffers of the core. */
static void keep_runs(TtArena *arena, MlirOperation func) {
  TtRun run;
  for (TtRuns runs = tt_runs_of(arena, func); tt_next_run(&runs, &run);)
    if (run.in_loop && run.reads_again) tt_keep_run(arena, &run);
}

static void step_in_kernel(TtArena *arena, MlirOperation func, int64_t size) {
  tt_take_again(arena, func, size);
  tt_part_runs(arena, func);
  step_together(arena, func, size);
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_linalg(ops.data[i])) step_op(arena, ops.data[i], size);
  keep_runs(arena, func);
}

/*===- Whether it is needed -------------------------------------------------------------------===*/

/* Of more elements than any L1 has, so many. */
static int64_t bytes_of(MlirType type) {
  const int64_t most = INT64_C(1) << 40;
  if (!tt_is_memref(type)) return 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t elements = 1, bits = 32;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (size < 0) size = 1; /* open sizes come in small blocks */
    if (size > most) return most;
    if (__builtin_mul_overflow(elements, d + 2 >= rank ? tt_tiles(size) * TT_TILE : size,
                               &elements) ||
        elements > most)
      return most;
  }
  if (rank < 2) elements *= TT_TILE;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsABF16(element) || mlirTypeIsAF16(element)) bits = 16;
  return elements * bits / 8;
}

/* The largest operand of an op whose body computes in several steps, in f32: what it may keep
 * between them. */
static int64_t bytes_between(MlirOperation op) {
  enum { STEPS = 2 };
  int64_t most = 0, steps = 0;
  if (tt_is_copy(op) || tt_is_contraction(op) || mlirOperationGetNumRegions(op) == 0) return 0;
  MlirBlock body = tt_body(op);
  for (MlirOperation in = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(in);
       in = tt_next(in))
    steps += !tt_is_terminator(in);
  for (intptr_t i = 0; steps >= STEPS && i < mlirOperationGetNumOperands(op); ++i) {
    int64_t bytes = bytes_of(mlirValueGetType(mlirOperationGetOperand(op, i)));
    if (bytes > most) most = bytes;
  }
  return 2 * most;
}

/* Whether the kernel may have more blocks than L1 holds, two of each that is moved. */
static bool may_be_large(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  int64_t bytes = 0;
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_is(op, "memref.alloc"))
      bytes += 2 * bytes_of(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!tt_is_linalg(op)) continue;
    bytes += bytes_between(op);
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      if (tt_is_memref(mlirValueGetType(operand)) && tt_is_part_of_tensor(operand))
        bytes += 2 * bytes_of(mlirValueGetType(operand));
    }
  }
  TtRun run; /* brought, kept and written */
  for (TtRuns runs = tt_runs_of(arena, func); tt_next_run(&runs, &run);)
    for (intptr_t i = 0; run.in_loop && run.reads_again && i < run.n_blocks; ++i)
      bytes += 4 * bytes_of(mlirValueGetType(run.blocks[i]));
  return bytes > tt_usable_l1(tt_target_of(func).chip);
}

/*===- Trying ---------------------------------------------------------------------------------===*/

typedef struct Trial {
  MlirOperation module;
  const char *optimize; /* the passes that follow, as the pipeline's option says */
} Trial;

/* Runs what follows up to where circular buffers share L1, but for `but`. */
static bool compile(const Trial *t, MlirOperation module, const char *but) {
  const TtPassOptions none = {{"", "", "", "", ""}};
  bool ok = true, on = false;
  for (size_t i = 0; ok && i < tt_num_passes; ++i) {
    const TtPass *p = &tt_passes[i];
    bool last = strcmp(p->flag, "tt-share-buffers") == 0;
    if (last) break;
    if (on && strcmp(p->flag, but) != 0 &&
        (!p->optimizes || tt_optimizes(t->optimize, p->flag) > 0))
      ok = p->run(module, &none);
    on |= strcmp(p->flag, pass) == 0;
  }
  return ok;
}

/* Whether a kernel fits in steps of `size` (0: as it is). True where that is not known, since it
 * has errors. */
static bool fits(const Trial *t, TtArena *arena, intptr_t kernel, int64_t size) {
  MlirOperation copy = mlirOperationClone(t->module);
  TtOps kernels = tt_kernels(arena, copy);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (i != kernel) mlirOperationDestroy(kernels.data[i]);
  if (size > 0) step_in_kernel(arena, kernels.data[kernel], size);
  else keep_runs(arena, kernels.data[kernel]);
  bool silent = tt_silence(true);
  bool known = compile(t, copy, size > 0 ? "tt-lower-depths" : "");
  bool ok = !known || tt_buffers_fit(arena, kernels.data[kernel], 0);
  tt_silence(silent);
  mlirOperationDestroy(copy);
  return size > 0 ? known && ok : ok;
}

static void step_kernel(const Trial *t, TtArena *arena, intptr_t number, MlirOperation func) {
  if (!may_be_large(arena, func) || fits(t, arena, number, 0)) {
    keep_runs(arena, func);
    return;
  }
  for (int64_t size = MOST; size >= LEAST; size /= 2) {
    if (!fits(t, arena, number, size)) continue;
    tt_remark(func, TT_REMARK_PASSED, pass,
              "ops go over blocks in steps of at most %jd elements, since L1 has no room for them",
              (intmax_t)size);
    step_in_kernel(arena, func, size);
    return;
  }
  tt_remark(func, TT_REMARK_MISSED, pass,
            "L1 has no room for the blocks, nor for steps of them: products keep sums, or ops take "
            "what buffers of the core hold");
}

bool tt_run_step_wide_blocks(MlirOperation module, const TtPassOptions *options) {
  TtArena *arena = tt_arena_create();
  Trial t = {module, options->values[0]};
  TtOps kernels = tt_kernels(arena, module);
  bool ok = tt_optimizes(t.optimize, pass) >= 0;
  if (!ok)
    tt_error(module, "optimize=%s: expected none, all, or names of optimizations", t.optimize);
  for (intptr_t i = 0; ok && i < kernels.n; ++i) step_kernel(&t, arena, i, kernels.data[i]);
  tt_arena_destroy(arena);
  return ok;
}
