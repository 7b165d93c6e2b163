/*===- assemble_tiles.c - --tt-assemble-tiles --------------------------------------------------===
 *
 * Rows that come one by one from anywhere, and together are whole tiles of a result, are put
 * together in L1: each row of a face goes where it belongs, and the tiles are written whole.
 *
 *   before  for %i < 32 { %r = fetch_index …
 *             tt.read_to_cb %table[%r, 0], %cb box = [1, 512] through %parts }
 *           for %i < 32 { tt.write_from_cb %cb, %C[%m * 32 + %i, 0] box = [1, 512] }
 *   after   cb_reserve_back %cb, 16
 *           for %i < 32 { %r = fetch_index …
 *             for %s < 32 { noc_async_read_run id(%r / 32, %s / 2) [%r % 32, …], %cb [%i, %s * 16]
 * }} noc_async_read_barrier   cb_push_back %cb, 16 cb_wait_front %cb, 16   for %j < 16 {
 * noc_async_write_tile id(%m, %j) }   cb_pop_front
 *
 * Without it each row waits for its own read, is copied by the processor, and goes to DRAM half a
 * row of a tile at a time, where each transfer takes a bank as long as a larger one would. What of
 * a tile is behind the tensor's end becomes zero. Changes no result.
 *
 * Requires bound accessors (D2), before D3. The loops around both moves have as many steps; rows of
 * faces begin where the NoC reads: of 16-bit elements on Wormhole, of 32-bit ones on both chips.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/cb_room.h"
#include "Transforms/Optimize/row_pair.h"

static const char *const pass = "tt-assemble-tiles";

/*===- Assembly ------------------------------------------------------------------------------===*/

/* The tile of the tensor that (row, col) is in. */
static MlirValue tile_id(TtBuilder *b, const TtBlockMove *m, MlirLocation loc, MlirValue col) {
  MlirType type = mlirValueGetType(m->tensor);
  MlirValue id = tt_index(b, loc, 0);
  for (intptr_t d = 0; d < m->rank; ++d) {
    MlirValue at = d == m->rank - 1 ? col : m->offsets[d];
    if (d >= m->rank - 2) at = tt_div(b, loc, at, tt_index(b, loc, TT_TILE));
    if (d > 0) id = tt_mul(b, loc, id, tt_tiles_along(b, m, type, d));
    id = tt_add(b, loc, id, at);
  }
  return id;
}

/* The rows of faces of one move, each to its place. */
static void read_runs(TtBuilder b, const TtRowPair *p, MlirValue block) {
  const TtBlockMove *m = &p->read.m;
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirValue down = tt_row_place(&b, p, &p->read, p->down),
            right = tt_row_place(&b, p, &p->read, p->right),
            s = tt_counted_loop(&b, loc, m->box.size[m->rank - 1] / TT_FACE, "s"),
            run = tt_mul(&b, loc, s, tt_index(&b, loc, TT_FACE)), side = tt_index(&b, loc, TT_TILE),
            col = tt_add(&b, loc, m->offsets[m->rank - 1], run), page;
  right = tt_add(&b, loc, right, run);
  page = tt_mul(&b, loc, tt_div(&b, loc, down, side), tt_index(&b, loc, tt_tiles(p->cols)));
  page = tt_add(&b, loc, page, tt_div(&b, loc, right, side));
  if (tt_row_tiles(p) > 1)
    block = metalium_l1_offset_addr(
        metalium_l1_offset_create(&b, loc, block, tt_mul(&b, loc, page, tt_move_tile_size(m))));
  MlirOperation read = metalium_noc_async_read_run_create(
      &b, loc, tile_id(&b, m, loc, col), m->accessor, block,
      tt_rem(&b, loc, m->offsets[m->rank - 2], side), tt_rem(&b, loc, col, side),
      tt_rem(&b, loc, down, side), tt_rem(&b, loc, right, side), tt_row_element_bytes(p));
  if (tt_row_has_rest(p)) tt_set_attr(read, TT_PAGE_FILLED, mlirUnitAttrGet(b.context));
}

/* What no element of the tensor is for would be what was there before. */
static void fill_rest(TtBuilder b, const TtRowPair *p, MlirValue block) {
  if (!tt_row_has_rest(p)) return;
  MlirLocation loc = mlirOperationGetLocation(p->read.move);
  MlirValue bytes = tt_move_tile_size(&p->read.m),
            t = tt_counted_loop(&b, loc, tt_row_tiles(p), "t");
  if (tt_row_tiles(p) > 1)
    block = metalium_l1_offset_addr(
        metalium_l1_offset_create(&b, loc, block, tt_mul(&b, loc, t, bytes)));
  metalium_fill_zeros_create(&b, loc, block, bytes);
}

static void read_block(TtRowPair *p) {
  TtBlockMove *m = &p->read.m;
  MlirOperation root = p->read.loops[p->loops - 1];
  MlirLocation loc = mlirOperationGetLocation(m->op);
  TtBuilder b = tt_builder_before(root), after = tt_builder_after(root);
  MlirValue pages = tt_index(&b, loc, tt_row_tiles(p));
  metalium_cb_reserve_back_create(&b, loc, m->cb, pages);
  m->addr = tt_named_pointer(m, metalium_get_write_ptr_create(&b, loc, m->cb), "write_ptr");
  fill_rest(b, p, m->addr);
  read_runs(tt_builder_before(m->op), p, m->addr);
  metalium_noc_async_read_barrier_create(&after, loc);
  metalium_cb_push_back_create(&after, loc, m->cb, pages);
  mlirOperationDestroy(m->op);
}

static bool write_block(TtRowPair *p) {
  TtBlockMove *m = &p->first;
  m->boxed = false;
  m->rows = m->block_rows = tt_tiles(p->rows), m->cols = m->block_cols = tt_tiles(p->cols);
  MlirLocation loc = mlirOperationGetLocation(m->op);
  TtBuilder b = tt_builder_before(m->op);
  metalium_cb_wait_front_create(&b, loc, m->cb, tt_move_pages(&b, m));
  m->addr = tt_named_pointer(m, metalium_get_read_ptr_create(&b, loc, m->cb), "read_ptr");
  if (!tt_transfer_tiles(b, m)) return false;
  metalium_noc_async_write_barrier_create(&b, loc);
  metalium_cb_pop_front_create(&b, loc, m->cb, tt_move_pages(&b, m));
  mlirOperationDestroy(m->op);
  mlirOperationDestroy(p->write.loops[p->loops - 1]);
  return true;
}

/* A circular buffer for tiles that elements were copied from, where nobody needs it any more. */
static void erase_scratch(TtArena *arena, MlirOperation program, MlirAttribute name) {
  if (mlirAttributeIsNull(name)) return;
  TtOps ops = tt_collect(arena, program, NULL);
  MlirOperation handle = {NULL};
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (tt_get_cb_isa(ops.data[i]) && mlirAttributeEqual(tt_get_cb_name(ops.data[i]), name)) {
      if (tt_has_uses(tt_get_cb_cb(ops.data[i])) || !mlirOperationIsNull(handle)) return;
      handle = ops.data[i];
    } else if (mlirAttributeEqual(tt_op_attr(ops.data[i], "scratch"), name)) return;
  }
  if (!mlirOperationIsNull(handle)) mlirOperationDestroy(handle);
  mlirOperationDestroy(tt_program_cb(program, tt_string(name)));
}

static bool assemble(TtRowPair *p, int64_t blocks) {
  MlirAttribute scratch = tt_op_attr(p->read.move, "scratch");
  tt_grow_cb(p->arena, p->program, p->cb, blocks * tt_row_tiles(p), tt_row_tiles(p));
  tt_remark(p->read.move, TT_REMARK_PASSED, pass,
            "%jd x %jd elements are put together in L1, and written as whole tiles",
            (intmax_t)p->rows, (intmax_t)p->cols);
  read_block(p);
  if (!write_block(p)) return false;
  erase_scratch(p->arena, p->program, scratch);
  return true;
}

static bool assemble_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  bool ok = true;
  for (intptr_t k = 0; k < kernels.n && ok; ++k) {
    if (tt_role_of(kernels.data[k]) == TT_KERNEL_ROLE_COMPUTE) continue;
    TtOps writes = tt_collect(arena, kernels.data[k], "tt.write_from_cb");
    for (intptr_t i = 0; i < writes.n && ok; ++i) {
      TtBox box;
      TtRowPair p = {.arena = arena, .program = program};
      p.write.kernel = kernels.data[k], p.write.move = writes.data[i];
      if (!tt_box_of(writes.data[i], &box) || !tt_find_rows(&p, kernels, &ok)) continue;
      int64_t blocks = tt_row_blocks(&p);
      if (blocks > 0) {
        ok = assemble(&p, blocks);
        continue;
      }
      mlirOperationDestroy(p.first.op);
      tt_remark(p.write.move, TT_REMARK_MISSED, pass,
                "rows are written one by one: a block of %jd x %jd elements does not fit L1",
                (intmax_t)p.rows, (intmax_t)p.cols);
    }
    if (ok) tt_erase_dead(kernels.data[k]);
  }
  return ok;
}

bool tt_run_assemble_tiles(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, assemble_in_program);
}
