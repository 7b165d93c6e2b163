/*===- program.c - finding one's way in a tt.program -----------------------------------===*/

#include "stage_d.h"

#include "tilewright/verify.h"

MlirOperation tt_program_function(MlirOperation program, TtKernelRole role) {
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(program));
  for (; !mlirOperationIsNull(op); op = tt_next(op)) {
    if (!tt_op_is(op, "func.func")) continue;
    MlirAttribute attr = tt_get_attr(op, "tt.kernel_role");
    if (!mlirAttributeIsNull(attr) && tt_str_eq(tt_string(attr), tt_kernel_role_str((int)role)))
      return op;
  }
  return op;
}

MlirOperation tt_program_of(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_program_isa(op)) op = tt_parent(op);
  return op;
}

MlirOperation tt_cb_decl(MlirOperation program, MlirValue cb) {
  MlirOperation get = tt_defining_op(cb), op = {NULL};
  if (!tt_get_cb_isa(get)) return op;
  MlirStringRef name = tt_string(tt_get_cb_name(get));
  for (op = mlirBlockGetFirstOperation(tt_body(program)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_circular_buffer_isa(op) && mlirStringRefEqual(tt_symbol_name(op), name)) return op;
  return op;
}

bool tt_require_programs(MlirOperation module) {
  TtArena *arena = tt_arena_create();
  TtOps kernels = tt_kernels(arena, module);
  MlirOperation kernel = kernels.n ? kernels.data[0] : (MlirOperation){NULL};
  tt_arena_destroy(arena);
  if (mlirOperationIsNull(kernel)) return true;
  return tt_error(kernel, "the kernel is not split into reader, compute and writer: run "
                          "--tt-split-device-kernel first");
}

bool tt_is_tile_math(MlirOperation op) {
  return metalium_matmul_tiles_isa(op) || metalium_add_tiles_isa(op) ||
         metalium_sub_tiles_isa(op) || metalium_mul_tiles_isa(op) || metalium_copy_tile_isa(op) ||
         tt_is_sfpu_tile(op);
}

bool tt_is_sfpu_tile(MlirOperation op) {
  return metalium_sfpu_tile_isa(op) || metalium_sfpu_tiles_isa(op);
}

bool tt_is_block_compute(MlirOperation op) {
  TtOpInfo info = tt_op_info(op);
  return info.level == TT_LEVEL_PROTOCOL_FREE && info.role == TT_ROLE_COMPUTE;
}

TtSubBlock tt_sub_block(int64_t r, int64_t c, int64_t capacity) {
  TtSubBlock s = {1, c};
  if (c <= capacity) { /* whole rows */
    for (int64_t rows = 1; rows <= r; ++rows)
      if (r % rows == 0 && rows * c <= capacity) s.rows = rows;
    return s;
  }
  for (int64_t cols = 1; cols <= capacity; ++cols) /* pieces of one row */
    if (c % cols == 0) s.cols = cols;
  return s;
}
