/*===- write_as_packed.c - --tt-write-as-packed ----------------------------------------------===
 *
 * Writes a block that is larger than DST in the parts in which it is packed, each as soon as it is
 * there, and waits for all writes at the end only.
 *
 *   before  tt.write_from_cb %cb, %C[%m, %n]                             (8x8 tiles, 4 in DST)
 *   after   for %i < 8, %j < 2 {
 *             cb_wait_front %cb, 4
 *             %l1 = get_read_ptr %cb
 *             for %t < 4 { noc_async_write_tile id(%m + %i, %n + %j * 4 + %t), %l1 + … }
 *             noc_async_writes_flushed
 *             cb_pop_front %cb, 4
 *           }
 *           …
 *           noc_async_write_barrier                                      at the end of the kernel
 *
 * Elements of a tile that go to the tensor as they are (boxes that are runs) leave in the same way,
 * a block after the other in the loops around.
 *
 * The parts of tt_part_of() follow each other in the circular buffer, so this takes pages in
 * their order. Pages whose writes have left may be filled again; that no other write goes to the
 * same tiles before they have arrived, and nothing reads them, needs a block of its own for each
 * step of the loops around, and no other op of the kernel on that tensor.
 *
 * Requires bound accessors (D2), before D3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/move.h"
#include "Transforms/Split/split.h"

static const char *const pass = "tt-write-as-packed";

static bool write_part(TtBuilder *b, TtBlockMove *m, intptr_t n) {
  (void)n; /* one */
  MlirLocation loc = mlirOperationGetLocation(m->op);
  metalium_cb_wait_front_create(b, loc, m->cb, tt_move_pages(b, m));
  m->addr = tt_named_pointer(m, metalium_get_read_ptr_create(b, loc, m->cb), "read_ptr");
  if (!tt_transfer_tiles(*b, m)) return false;
  metalium_noc_async_writes_flushed_create(b, loc);
  metalium_cb_pop_front_create(b, loc, m->cb, tt_move_pages(b, m));
  return true;
}

static bool write_parts(TtBlockMove *m, TtSubBlock part) {
  TtBuilder b = tt_builder_before(m->op);
  return part.rows < m->rows || part.cols < m->cols ? tt_move_in_parts(b, m, 1, part, write_part)
                                                    : write_part(&b, m, 1);
}

/* Whether another op of the kernel moves blocks of what `m` writes to, maybe the same ones. */
static bool is_shared(TtArena *arena, MlirOperation kernel, const TtBlockMove *m) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtMove other;
    if (!tt_op_eq(ops.data[i], m->op) && tt_move_of(ops.data[i], &other) &&
        tt_value_eq(other.tensor, m->tensor))
      return true;
  }
  return false;
}

static bool is_in_loop(MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    if (tt_op_is(p, "scf.for")) return true;
  return false;
}

static bool write_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps writes = tt_collect(arena, kernel, "tt.write_from_cb");
  bool any = false;
  for (intptr_t i = 0; i < writes.n; ++i) {
    TtBlockMove m;
    if (!tt_read_move(arena, kernel, writes.data[i], &m)) return false;
    TtSubBlock part = tt_part_of(m.rows, m.cols, tt_dst_capacity(program));
    int64_t parts = tt_num_parts(m.rows, m.cols, part);
    bool flows = m.boxed && mlirValueIsNull(m.scratch) && is_in_loop(m.op);
    if (!flows && (parts == 1 || m.rank < 2 || m.boxed)) continue;
    if (is_shared(arena, kernel, &m)) {
      tt_remark(m.op, TT_REMARK_MISSED, pass,
                "a block is written as a whole: another op moves blocks of the tensor");
      continue;
    }
    if (!tt_writes_own_blocks(arena, m.op)) {
      tt_remark(m.op, TT_REMARK_MISSED, pass,
                "a block is written as a whole: steps of a loop may write to the same place");
      continue;
    }
    if (flows) tt_remark(m.op, TT_REMARK_PASSED, pass, "a block's elements leave without a wait");
    else
      tt_remark(m.op, TT_REMARK_PASSED, pass, "a block is written in %jd parts", (intmax_t)parts);
    if (flows) part = (TtSubBlock){.rows = m.rows, .cols = m.cols};
    if (!write_parts(&m, part)) return false;
    mlirOperationDestroy(m.op);
    any = true;
  }
  if (any) tt_end_with_barrier(kernel);
  return true;
}

static bool write_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (tt_role_of(kernels.data[i]) != TT_KERNEL_ROLE_COMPUTE &&
        !write_in_kernel(arena, program, kernels.data[i]))
      return false;
  return true;
}

bool tt_run_write_as_packed(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, write_in_program);
}
