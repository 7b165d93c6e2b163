/*===- protocol_read_engine.c - the steps of the engine ---------------------------------------===
 *
 *   metalium.matmul_init %in0, %in1               FPU_INIT  unit 3
 *   metalium.matmul_tiles %in0, %in1, %i, %j, %d  MATH      cb_in0, cb_in1, unit 3, to tile %d of
 * DST metalium.pack_tile %d, %out                   PACK      cb_out0, of tile %d
 *
 * Settings are numbered: what an op needs is compared with what the engine was set to last.
 *
 *===----------------------------------------------------------------------===*/

#include "Target/sfpu.h"
#include "Verify/protocol_read.h"

#include <string.h>

static const TtStepKind settings[TT_NUM_UNITS] = {[TT_UNIT_SOURCE_A] = TT_STEP_SRCA,
                                                  [TT_UNIT_SOURCE_B] = TT_STEP_SRCB,
                                                  [TT_UNIT_FPU] = TT_STEP_FPU_INIT,
                                                  [TT_UNIT_SFPU] = TT_STEP_SFPU_INIT,
                                                  [TT_UNIT_PACKER] = TT_STEP_PACKER};

static int unit(TtReader *r, const char *name) {
  TtProtocol *p = r->p;
  for (int i = 0; i < p->num_units; ++i)
    if (strcmp(p->units[i], name) == 0) return i;
  p->units = tt_grow(p->arena, p->units, p->num_units, &p->units_capacity, sizeof *p->units);
  p->units[p->num_units] = name;
  return p->num_units++;
}

/* Functions that share an init in all eras are one setting: add_scalar and mul_scalar, say. */
static int sfpu_unit(TtReader *r, MlirOperation op) {
  int function = (int)tt_int(tt_op_attr(op, "op")), first = 0;
  while (!tt_sfpu_shares_init(first, function)) ++first;
  return unit(r, tt_sfpu_functions[first].name);
}

/* The number of the setting that an op needs, or makes. */
static int setting(TtReader *r, MlirOperation op) {
  return tt_op_info(op)->unit == TT_UNIT_SFPU ? sfpu_unit(r, op)
                                              : unit(r, tt_setting(r->p->arena, op));
}

static void read_startup(TtReader *r, MlirOperation op) {
  TtStep *s = tt_new_step(r, TT_STEP_STARTUP, op);
  bool reverse = tt_engine_init_common_kind(op) == TT_STARTUP_MATMUL;
  intptr_t n = tt_engine_init_common_num_inputs(op);
  int a = tt_cb_index(r, tt_engine_init_common_inputs(op, 0)),
      b = tt_cb_index(r, tt_engine_init_common_inputs(op, n - 1));
  s->cb[0] = reverse ? b : a, s->cb[1] = reverse ? a : b;
  s->cb[2] = tt_cb_index(r, tt_engine_init_common_out(op));
}

/* One step for each tile that it touches. */
static void read_sfpu(TtReader *r, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  const TtSfpuFunction *function = &tt_sfpu_functions[tt_int(tt_op_attr(op, "op"))];
  intptr_t first = tt_operand_number(op, info->dst),
           end = info->all_dst ? mlirOperationGetNumOperands(op) : first + 1;
  for (intptr_t i = first; i < end; ++i) {
    int dst = tt_read_operand(r, op, i);
    TtStep *s = tt_new_step(r, TT_STEP_SFPU, op);
    s->unit = setting(r, op);
    s->index[2] = dst;
    s->takes_dst = i - first < function->inputs;
  }
}

static void read_math(TtReader *r, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  int index[3] = {-1, -1, -1};
  for (int i = 0; i < info->num_reads; ++i) index[i] = tt_read_tile(r, op, i);
  index[2] = tt_read_operand(r, op, tt_operand_number(op, info->dst));
  TtStep *s = tt_new_step(r, TT_STEP_MATH, op);
  for (int i = 0; i < info->num_reads; ++i) s->cb[i] = tt_cb_index(r, tt_op_reads(op, i));
  memcpy(s->index, index, sizeof index);
  s->source_of[0] = tt_source_read(op, TT_UNIT_SOURCE_A);
  s->source_of[1] = tt_source_read(op, TT_UNIT_SOURCE_B);
  s->integers = info->takes_integers;
  s->unit = setting(r, op);
  if (metalium_reduce_block_max_row_isa(op))
    s->last[0] = tt_int(metalium_reduce_block_max_row_ct(op)) - 1;
  if (!metalium_matmul_block_isa(op)) return;
  /* The last tiles of its operands and of its result. */
  int64_t ct = tt_int(metalium_matmul_block_ct(op)), rt = tt_int(metalium_matmul_block_rt(op)),
          kt = tt_int(metalium_matmul_block_kt(op));
  s->last[0] = (rt - 1) * kt, s->last[1] = ct - 1, s->last[2] = rt * ct - 1;
}

/* The formats of sources and packer come from circular buffers, other settings from the op. */
static void read_setting(TtReader *r, MlirOperation op) {
  TtUnit u = tt_op_info(op)->unit;
  TtStep *s = tt_new_step(r, settings[u], op);
  if (u == TT_UNIT_FPU || u == TT_UNIT_SFPU) s->unit = setting(r, op);
  else tt_set_cbs(r, s, op, 1);
}

static void read_pack(TtReader *r, MlirOperation op) {
  int dst = tt_read_operand(r, op, tt_operand_number(op, tt_op_info(op)->dst));
  MlirValue at = metalium_pack_tile_place(op);
  int place = mlirValueIsNull(at) ? -1 : tt_read_index(r, at);
  TtStep *s = tt_new_step(r, TT_STEP_PACK, op);
  s->index[0] = place;
  s->cb[0] = tt_cb_index(r, tt_op_fills(op));
  s->index[2] = dst;
}

static void read_l1_acc(TtReader *r, MlirOperation op) {
  int on = tt_read_index(r, metalium_pack_reconfig_l1_acc_on(op));
  tt_new_step(r, TT_STEP_L1_ACC, op)->index[0] = on;
}

bool tt_read_engine(TtReader *r, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  switch (info->does) {
  case TT_ACT_STARTUP: read_startup(r, op); return true;
  case TT_ACT_SET:
  case TT_ACT_SET_TO_END: read_setting(r, op); return true;
  case TT_ACT_END: tt_new_step(r, TT_STEP_REDUCE_END, op); return true;
  case TT_ACT_MATH:
    if (info->unit == TT_UNIT_SFPU) read_sfpu(r, op);
    else read_math(r, op);
    return true;
  case TT_ACT_PACK: read_pack(r, op); return true;
  default: return metalium_pack_reconfig_l1_acc_isa(op) && (read_l1_acc(r, op), true);
  }
}
