/*===- read_in_parts.c - --tt-read-in-parts ----------------------------------------------------===
 *
 * Reads a block whose tiles are taken one by one in parts, each of which goes on as soon as it is
 * there.
 *
 *   before  tt.read_to_cb %A[%m, %n], %cb                                (8x8 tiles)
 *   after   for %i < 8 {
 *             cb_reserve_back %cb, 8
 *             %l1 = get_write_ptr %cb
 *             for %t < 8 { noc_async_read_tile id(%m + %i, %n + %t), %l1 + … }
 *             noc_async_read_barrier
 *             cb_push_back %cb, 8
 *           }
 *
 * So reading, computing and writing overlap within a block. 31 tiles are three parts of 8, and 7.
 * Who waits for the whole block waits for all of its parts, so that this is always legal; it gains
 * where elementwise ops and reductions take the block, and nothing where a product does, whose
 * operands are taken again and again. Blocks of one size that are read one after the other go
 * together, part by part. A block that cores share is left to --tt-share-operands. Changes no
 * result.
 *
 * Requires bound accessors (D2), before --tt-share-operands.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Protocol/move.h"

static const char *const pass = "tt-read-in-parts";

typedef struct Reader {
  TtArena *arena;
  MlirOperation program, kernel;
  const TtCoreTable *cores; /* NULL where what they get is known only when the kernel runs */
} Reader;

/* The ops of the compute kernels that take the block which `read` fills. */
static TtOps takers_of(const Reader *r, MlirOperation read) {
  MlirOperation decl = tt_cb_decl(r->program, tt_read_to_cb_cb(read));
  TtOps kernels = tt_program_kernels_of(r->arena, r->program, TT_KERNEL_ROLE_COMPUTE),
        takers = {NULL, 0, 0};
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps ops = tt_collect(r->arena, kernels.data[k], NULL);
    for (intptr_t i = 0; i < ops.n; ++i)
      for (int j = 0; j < tt_op_info(ops.data[i])->num_reads; ++j)
        if (tt_op_eq(tt_cb_decl(r->program, tt_op_reads(ops.data[i], j)), decl))
          tt_ops_add(r->arena, &takers, ops.data[i]);
  }
  return takers;
}

static bool is_shared(const Reader *r, MlirOperation read, const TtBlockMove *m) {
  if (!r->cores) return false;
  TtSharing sharing = tt_find_sharing(r->arena, r->cores, read);
  if (sharing.reason) return false;
  MlirOperation decl = tt_cb_decl(r->program, m->cb);
  return tt_sharing_pays(tt_sharing_cost(tt_target_of(r->program).chip, &sharing, m->rows * m->cols,
                                         tt_int(tt_circular_buffer_page_bytes(decl))));
}

/* Why a block is read as a whole; NULL where it is not. */
static const char *why_not(const Reader *r, const TtBlockMove *m) {
  TtOps takers = takers_of(r, m->op);
  if (m->boxed) return "it is assembled of elements";
  if (m->rank < 2) return "it is a vector";
  for (intptr_t i = 0; i < takers.n; ++i)
    if (tt_op_info(takers.data[i])->node == TT_DFG_NODE_KIND_MATMUL)
      return "a product takes its tiles again and again";
  return is_shared(r, m->op, m) ? "cores share it" : NULL;
}

/* Whether a circular buffer is filled from `op` up to before `next`: they are of two sections. */
static bool is_packed_between(MlirOperation op, MlirOperation next) {
  if (!mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(next))) return true;
  for (; !mlirOperationIsNull(op) && !tt_op_eq(op, next); op = tt_next(op))
    if (!tt_is_null_value(tt_op_fills(op))) return true;
  return false;
}

/* Whether compute takes all tiles of a block, and then again. */
static bool is_taken_again(const Reader *r, const TtBlockMove *m) {
  TtOps takers = takers_of(r, m->op);
  for (intptr_t i = 1; i < takers.n; ++i)
    if (is_packed_between(takers.data[i - 1], takers.data[i])) return true;
  return false;
}

/* The part of a block where `n` of its size are read together. A bank of DRAM loses time where it
 * turns from reads to writes: kernels that read more than they write gain by long runs of reads,
 * up to half of a block, and others by short ones, which writes join early. None do where a block
 * is taken again after all of it has been. */
static TtSubBlock part_of(const Reader *r, const TtBlockMove *m, intptr_t n) {
  int64_t most = (m->rows * m->cols + 1) / 2;
  bool joined = n == 1 && !is_taken_again(r, m);
  if (joined || most < TT_LEAST_PART) most = TT_LEAST_PART;
  if (most > TT_MOST_PART) most = TT_MOST_PART;
  return tt_part_of(m->rows, m->cols, most);
}

static bool is_in_parts(const Reader *r, const TtBlockMove *m) {
  TtSubBlock part = part_of(r, m, 1);
  int64_t parts = tt_num_parts(m->rows, m->cols, part);
  if (parts == 1) return false;
  const char *reason = why_not(r, m);
  if (reason) {
    tt_remark(m->op, TT_REMARK_MISSED, pass, "a block is read as a whole: %s", reason);
    return false;
  }
  tt_remark(m->op, TT_REMARK_PASSED, pass, "a block is read in %jd parts", (intmax_t)parts);
  return true;
}

static bool read_parts(const Reader *r, TtBlockMove *moves, intptr_t n) {
  TtBuilder b = tt_builder_before(moves[n - 1].op);
  if (!tt_move_in_parts(b, moves, n, part_of(r, &moves[0], n), tt_read_blocks)) return false;
  for (intptr_t i = 0; i < n; ++i) mlirOperationDestroy(moves[i].op);
  return true;
}

/* Reads that follow each other, those of one size together. */
static bool read_neighbors(const Reader *r, const MlirOperation *reads, intptr_t n) {
  TtBlockMove *moves = tt_arena_alloc(r->arena, (size_t)n * sizeof *moves);
  intptr_t same = 0;
  for (intptr_t i = 0; i < n; ++i) {
    TtBlockMove m;
    if (!tt_read_move(r->arena, r->kernel, reads[i], &m)) return false;
    bool in_parts = is_in_parts(r, &m);
    bool joins = in_parts && (same == 0 || (m.rows == moves[0].rows && m.cols == moves[0].cols));
    if (!joins && same > 0 && !read_parts(r, moves, same)) return false;
    if (!joins) same = 0;
    if (in_parts) moves[same++] = m;
  }
  return same == 0 || read_parts(r, moves, same);
}

static bool read_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  TtCoreTable cores;
  bool known = tt_program_cores(arena, program, &cores);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    if (tt_role_of(kernels.data[k]) == TT_KERNEL_ROLE_COMPUTE) continue;
    Reader r = {arena, program, kernels.data[k], known ? &cores : NULL};
    TtOps reads = tt_collect(arena, r.kernel, "tt.read_to_cb");
    for (intptr_t i = 0, n; i < reads.n; i += n) {
      n = tt_neighbors(reads, i);
      if (!read_neighbors(&r, reads.data + i, n)) return false;
    }
  }
  return true;
}

bool tt_run_read_in_parts(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, read_in_program);
}
