/*===- push_as_read.c - --tt-push-as-read -------------------------------------------------------===
 *
 * Gives a block to compute when it is there, where it waited for the next one that is read.
 *
 *   before  cb_reserve_back %k, 16   cb_reserve_back %v, 16
 *           … noc_async_read_tile to %k …   … noc_async_read_tile to %v …
 *           noc_async_read_barrier   cb_push_back %k, 16   cb_push_back %v, 16
 *   after   cb_reserve_back %k, 16   … noc_async_read_tile to %k …
 *           noc_async_read_barrier   cb_push_back %k, 16
 *           cb_reserve_back %v, 16   … noc_async_read_tile to %v …
 *           noc_async_read_barrier   cb_push_back %v, 16
 *
 * Done where compute gives something to a circular buffer between its first wait for the one block
 * and that for the other, as attention does, whose scores need no values: all cores that begin at
 * the same time ask for the first blocks, and DRAM serves those that compute needs first. Not done
 * where the first block is shorter on its way than a read's latency, which the barrier costs.
 * Changes no result.
 *
 * Requires D3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"

static const char *const pass = "tt-push-as-read";

enum { MOST_BLOCKS = 8 };

/* Blocks that are read before one barrier, in the order in which they are. */
typedef struct Reads {
  TtArena *arena;
  MlirOperation program, kernel, barrier;
  MlirOperation reserve[MOST_BLOCKS], pointer[MOST_BLOCKS], push[MOST_BLOCKS];
  int n;
} Reads;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

static MlirOperation decl_of(const Reads *r, MlirOperation op) {
  return tt_cb_decl(r->program, mlirOperationGetOperand(op, 0));
}

/*===- What is read --------------------------------------------------------------------------===*/

/* The pointer that an address comes from. */
static MlirOperation pointer_of(MlirValue address) {
  MlirOperation op = tt_defining_op(address);
  while (metalium_l1_offset_isa(op)) op = tt_defining_op(mlirOperationGetOperand(op, 0));
  return op;
}

/* Whether all that `op` and the ops in it transfer are reads to `pointer`. */
static bool reads_to(const Reads *r, MlirOperation op, MlirOperation pointer) {
  TtOps inside = tt_collect(r->arena, op, NULL);
  tt_ops_add(r->arena, &inside, op);
  for (intptr_t i = 0; i < inside.n; ++i) {
    MlirOperation at = inside.data[i];
    if (tt_is_terminator(at) || tt_is_index_op(at) || act_of(at) == TT_ACT_OFFSET ||
        tt_op_is(at, "scf.for"))
      continue;
    if (act_of(at) != TT_ACT_READ || !metalium_noc_async_read_tile_isa(at) ||
        !tt_op_eq(pointer_of(metalium_noc_async_read_tile_addr(at)), pointer))
      return false;
  }
  return true;
}

/* The pushes behind the barrier. */
static bool find_pushes(Reads *r) {
  for (MlirOperation op = tt_next(r->barrier); !mlirOperationIsNull(op); op = tt_next(op)) {
    if (tt_is_index_op(op) && !tt_is_terminator(op)) continue;
    if (act_of(op) != TT_ACT_PUSH) break;
    int64_t pages;
    if (r->n == MOST_BLOCKS || !tt_constant(mlirOperationGetOperand(op, 1), &pages)) return false;
    r->push[r->n++] = op;
  }
  return r->n > 1;
}

/* Which of the blocks `op` reserves, or has the pointer of; -1 for none. */
static int block_of(const Reads *r, MlirOperation op) {
  for (int i = 0; i < r->n; ++i)
    if (tt_op_eq(decl_of(r, op), decl_of(r, r->push[i]))) return i;
  return -1;
}

/* From the barrier back to the first reservation: reservations, pointers, and the reads of each
 * block behind its pointer, in the order in which the blocks are pushed. */
static bool find_reads(Reads *r) {
  int reserved = 0, begun = r->n;
  TtOps pending = {NULL, 0, 0};
  for (MlirOperation op = tt_previous(r->barrier); !mlirOperationIsNull(op) && reserved < r->n;
       op = tt_previous(op)) {
    if (tt_is_index_op(op)) continue;
    if (act_of(op) == TT_ACT_RESERVE || act_of(op) == TT_ACT_WRITE_POINTER) {
      int i = block_of(r, op);
      if (i < 0) return false;
      MlirOperation *known = act_of(op) == TT_ACT_RESERVE ? &r->reserve[i] : &r->pointer[i];
      if (!mlirOperationIsNull(*known)) return false;
      *known = op;
      if (act_of(op) == TT_ACT_RESERVE) {
        ++reserved;
        continue;
      }
      if (i != --begun || pending.n == 0) return false;
      for (intptr_t k = 0; k < pending.n; ++k)
        if (!reads_to(r, pending.data[k], op)) return false;
      pending.n = 0;
    } else {
      tt_ops_add(r->arena, &pending, op);
    }
  }
  return reserved == r->n && begun == 0 && pending.n == 0;
}

/*===- Whether it pays -----------------------------------------------------------------------===*/

/* Whether compute gives something to a circular buffer between its first waits for both. */
static bool works_between(const Reads *r, int first, int second) {
  TtOps kernels = tt_program_kernels_of(r->arena, r->program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps ops = tt_collect(r->arena, kernels.data[k], NULL);
    bool waits = false, pushes = false;
    for (intptr_t i = 0; i < ops.n; ++i) {
      MlirOperation op = ops.data[i];
      if (act_of(op) == TT_ACT_PUSH) pushes |= waits;
      if (act_of(op) != TT_ACT_WAIT) continue;
      waits |= block_of(r, op) == first;
      if (block_of(r, op) == second) return pushes;
    }
  }
  return false;
}

/* Whether the block takes longer to come than a read that is alone. */
static bool is_long(const Reads *r, int i) {
  const TtChip *chip = tt_target_of(r->program).chip;
  MlirOperation decl = decl_of(r, r->push[i]);
  int64_t pages = 0;
  tt_constant(mlirOperationGetOperand(r->push[i], 1), &pages);
  return pages * tt_int(tt_circular_buffer_page_bytes(decl)) >
         (int64_t)(chip->read_latency[TT_NUM_READS - 1] * chip->noc_bytes_per_clk);
}

/*===- Kernels -------------------------------------------------------------------------------===*/

/* Blocks up to `i` are given to compute before the next ones are asked for. */
static void part_at(const Reads *r, int first, int i) {
  MlirOperation next = r->pointer[i + 1];
  for (int k = i + 1; k < r->n; ++k) mlirOperationMoveBefore(r->reserve[k], next);
  TtBuilder b = tt_builder_before(r->reserve[i + 1]);
  metalium_noc_async_read_barrier_create(&b, mlirOperationGetLocation(r->barrier));
  for (int k = first; k <= i; ++k) {
    int64_t pages = 0;
    tt_constant(mlirOperationGetOperand(r->push[k], 1), &pages);
    mlirOperationSetOperand(r->push[k], 1,
                            tt_index(&b, mlirOperationGetLocation(r->push[k]), pages));
    mlirOperationMoveBefore(r->push[k], r->reserve[i + 1]);
  }
}

static void push_in_kernel(Reads r) {
  TtOps barriers = tt_collect(r.arena, r.kernel, "metalium.noc_async_read_barrier");
  for (intptr_t i = 0; i < barriers.n; ++i) {
    Reads at = {.arena = r.arena, .program = r.program, .kernel = r.kernel};
    at.barrier = barriers.data[i];
    if (!find_pushes(&at) || !find_reads(&at)) continue;
    for (int k = 0, first = 0; k + 1 < at.n; ++k) {
      const char *reason = !is_long(&at, k) ? "it comes no later than a read alone"
                           : !works_between(&at, k, k + 1)
                               ? "compute packs nothing between its waits for both"
                               : NULL;
      if (reason) {
        tt_remark(at.push[k], TT_REMARK_MISSED, pass, "a block waits for the next one: %s", reason);
        continue;
      }
      tt_remark(at.push[k], TT_REMARK_PASSED, pass, "a block does not wait for the next one");
      part_at(&at, first, k);
      first = k + 1;
    }
  }
}

static bool push_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_collect(arena, program, "tt.kernel");
  for (intptr_t i = 0; i < kernels.n; ++i)
    push_in_kernel((Reads){.arena = arena, .program = program, .kernel = kernels.data[i]});
  return true;
}

bool tt_run_push_as_read(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, push_in_program);
}
