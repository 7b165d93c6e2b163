/*===- order_by_columns.c - --tt-order-by-columns -----------------------------------------------===
 *
 * Has tiles of a block that products transpose stand in its circular buffer column by column, which
 * are the rows of what the engine multiplies by.
 *
 *   before  tt.circular_buffer @cb_in1 … !tt.cb<4x8xbf16> …
 *           for i < 4, j < 8 { noc_async_read_tile …, %l1 + (i * 8 + j) * tile }
 *           for j < 4, l < 8 { matmul_tiles %a, %b, l, j * 8 + l, j transpose }
 *   after   tt.circular_buffer @cb_in1 … !tt.cb<4x8xbf16> … by_columns
 *           for i < 4, j < 8 { noc_async_read_tile …, %l1 + (j * 4 + i) * tile }
 *           for j < 4, l < 8 { matmul_tiles %a, %b, l, l * 4 + j, j transpose }
 *
 * Then --tt-block-products finds the tiles of a row of the result behind each other, as with an
 * operand that is not transposed: a weight that a layer stores as outputs x inputs, or keys. Tiles
 * are read in the same order, and only put elsewhere; processors that send the block send it as it
 * is. Legal where nothing but reads of whole tiles fills the circular buffer, and nothing but
 * products takes it, as their second operand, transposed: what a product starts from goes to DST
 * row by row. Changes no result.
 *
 * Requires D1, before D3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/move.h"

static const char *const pass = "tt-order-by-columns";

/* A circular buffer, and whether its blocks can stand by columns. */
typedef struct Buffer {
  MlirOperation decl, product; /* that takes it; null for none */
  bool can, filled;
} Buffer;

typedef struct Buffers {
  MlirOperation program;
  Buffer data[TT_MAX_CBS];
  intptr_t n;
} Buffers;

static Buffer *buffer_of(Buffers *all, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(all->program, cb);
  for (intptr_t i = 0; i < all->n; ++i)
    if (tt_op_eq(all->data[i].decl, decl)) return &all->data[i];
  return NULL;
}

static bool is_handle(MlirValue value) { return tt_get_cb_isa(tt_defining_op(value)); }

/* Notes what `op` does with the circular buffer of its operand `i`. */
static void note_use(Buffer *buffer, MlirOperation op, intptr_t i) {
  TtBox box;
  MlirValue cb = mlirOperationGetOperand(op, i);
  if (tt_read_to_cb_isa(op)) {
    buffer->filled = true;
    if (tt_box_of(op, &box) || !mlirAttributeIsNull(tt_op_attr(op, "first_rows")))
      buffer->can = false;
  } else if (tt_mm_mma_isa(op)) {
    buffer->product = op;
    if (mlirAttributeIsNull(tt_mm_mma_transpose_b(op)) || !tt_value_eq(cb, tt_mm_mma_b(op)) ||
        tt_value_eq(tt_mm_mma_a(op), tt_mm_mma_b(op)) || tt_value_eq(cb, tt_mm_mma_out(op)))
      buffer->can = false;
  } else if (tt_relay_isa(op)) {
    if (tt_value_eq(cb, tt_relay_to(op))) buffer->filled = true;
  } else if (!tt_cb_open_isa(op) && !tt_cb_close_isa(op)) {
    buffer->can = false;
  }
}

/* What one processor hands to the other stands in both circular buffers in the same way; true where
 * that was not so. */
static bool settle_relay(Buffers *all, MlirOperation relay) {
  Buffer *from = buffer_of(all, tt_relay_from(relay)), *to = buffer_of(all, tt_relay_to(relay));
  bool can = from && to && from->can && to->can;
  bool changed = (from && from->can != can) || (to && to->can != can);
  if (from) from->can = can;
  if (to) to->can = can;
  return changed;
}

/* Circular buffers whose blocks have several rows and columns of tiles. */
static Buffers find_buffers(TtArena *arena, MlirOperation program) {
  Buffers all = {.program = program};
  TtOps decls = tt_collect(arena, program, "tt.circular_buffer");
  for (intptr_t i = 0; i < decls.n && all.n < TT_MAX_CBS; ++i) {
    MlirType type = mlirTypeAttrGetValue(tt_circular_buffer_type(decls.data[i]));
    bool local = !mlirAttributeIsNull(tt_circular_buffer_on_shard(decls.data[i]));
    if (tt_cb_rows(type) > 1 && tt_cb_cols(type) > 1)
      all.data[all.n++] = (Buffer){.decl = decls.data[i], .can = !local};
  }
  return all;
}

/* What a product starts from, or goes on with, is in a buffer that it has a symbol of. */
static void note_parts(Buffers *all, MlirOperation op) {
  MlirAttribute parts = tt_mm_mma_isa(op) ? tt_mm_mma_spill(op) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(parts)) return;
  MlirOperation decl = tt_program_cb(all->program, tt_string(parts));
  for (intptr_t i = 0; i < all->n; ++i)
    if (tt_op_eq(decl, all->data[i].decl)) all->data[i].can = false;
}

static void note_uses(TtArena *arena, Buffers *all) {
  TtOps ops = tt_collect(arena, all->program, NULL);
  for (intptr_t k = 0; k < ops.n; ++k) {
    note_parts(all, ops.data[k]);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(ops.data[k]); ++i) {
      MlirValue value = mlirOperationGetOperand(ops.data[k], i);
      Buffer *buffer = is_handle(value) ? buffer_of(all, value) : NULL;
      if (buffer) note_use(buffer, ops.data[k], i);
    }
  }
}

static bool order_in_program(TtArena *arena, MlirOperation program) {
  Buffers all = find_buffers(arena, program);
  if (all.n == 0) return true;
  note_uses(arena, &all);
  for (intptr_t i = 0; i < all.n; ++i)
    if (!all.data[i].filled) all.data[i].can = false;
  TtOps relays = tt_collect(arena, program, "tt.relay");
  for (bool changed = true; changed;) {
    changed = false;
    for (intptr_t i = 0; i < relays.n; ++i) changed |= settle_relay(&all, relays.data[i]);
  }
  for (intptr_t i = 0; i < all.n; ++i) {
    Buffer *buffer = &all.data[i];
    bool product = !mlirOperationIsNull(buffer->product);
    if (buffer->can)
      mlirOperationSetInherentAttributeByName(buffer->decl, tt_str("by_columns"),
                                              mlirUnitAttrGet(mlirOperationGetContext(program)));
    if (product && buffer->can)
      tt_remark(buffer->product, TT_REMARK_PASSED, pass,
                "tiles of what is transposed stand column by column");
    else if (product && !mlirAttributeIsNull(tt_mm_mma_transpose_b(buffer->product)))
      tt_remark(buffer->product, TT_REMARK_MISSED, pass,
                "tiles of what is transposed stand row by row: its block is computed, assembled of "
                "elements, on a shard, or taken by other ops as well");
  }
  return true;
}

bool tt_run_order_by_columns(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, order_in_program);
}
