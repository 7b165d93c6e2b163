/*===- rounding.c - where a kernel rounds between its ops -------------------------------------===
 *
 *   tile_regs_acquire(); add_tiles(…); … pack_tile(0, cb_intermed0)      (bf16)
 *
 * What a section computes and packs to an intermediate circular buffer of 16 bits is rounded
 * there, half away from zero, where the reference rounds half to even: even with 32-bit DST
 * such a kernel is as precise as 16 bits are. Constants and copies are not rounded.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/program.h"
#include "Run/run.h"

#include "Dialect/op_info.h"
#include "Dialect/verify.h"

static bool computes(MlirOperation op) {
  if (metalium_copy_tile_isa(op) || metalium_transpose_wh_tile_isa(op)) return false;
  bool fill = metalium_sfpu_tile_isa(op) && metalium_sfpu_tile_op(op) == TT_SFPU_FILL;
  return tt_is_tile_math(op) && !fill;
}

static bool is_16bit_intermediate(MlirOperation program, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(program, cb);
  if (mlirOperationIsNull(decl) || tt_circular_buffer_role(decl) != TT_CB_ROLE_INTERMEDIATE)
    return false;
  TtDataFormat format = tt_cb_format(decl);
  return format == TT_DATA_FORMAT_BFLOAT16 || format == TT_DATA_FORMAT_FLOAT16;
}

bool tt_is_narrow_in_memory(MlirOperation program) {
  bool stored_wider = false, f32 = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(program)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (!tt_circular_buffer_isa(op)) continue;
    MlirType element = tt_cb_type_element_type(mlirTypeAttrGetValue(tt_circular_buffer_type(op)));
    TtDataFormat format = tt_cb_format(op);
    f32 |= mlirTypeIsAF32(element);
    stored_wider |= mlirTypeIsABF16(element) &&
                    (format == TT_DATA_FORMAT_FLOAT32 || format == TT_DATA_FORMAT_FLOAT16);
  }
  return stored_wider && !f32;
}

bool tt_rounds_between_ops(MlirOperation program) {
  TtArena *arena = tt_arena_create();
  TtOps ops = tt_collect(arena, program, NULL);
  bool computed = false, rounds = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (tt_op_info(ops.data[i])->does == TT_ACT_DST_ACQUIRE) computed = false;
    else if (computes(ops.data[i])) computed = true;
    else if (metalium_pack_tile_isa(ops.data[i]))
      rounds |= computed && is_16bit_intermediate(program, metalium_pack_tile_out(ops.data[i]));
  }
  tt_arena_destroy(arena);
  return rounds;
}
