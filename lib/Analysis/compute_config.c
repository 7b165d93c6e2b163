/*===- compute_config.c - what a compute kernel is set to ---------------------------------===
 *
 *   tt.circular_buffer @cb_in0 … format = float32          copied only: past the source registers,
 *   metalium.copy_tile %in0, …                             which hold 19 bits
 *
 *   tt.engine.init_common matmul, %a, %b -> %c
 *   tt.fpu.matmul_init %a, %b, %c                          in the startup of the older eras
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/compute_config.h"

#include "Dialect/api_row.h"
#include "Dialect/op_info.h"
#include "Support/value_map.h"

/*===- Past the source registers ----------------------------------------------------------===*/

static void note_use(TtUnpackUses *uses, const TtOpMap *places, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  if (!tt_is_tile_math(op) || tt_is_sfpu_tile(op)) return;
  for (int i = 0; i < info->num_reads; ++i) {
    int at = tt_op_map_get(places, tt_defining_op(tt_op_reads(op, i)));
    if (at >= 0) *(info->unpacks_to_dst ? &uses->data[at].copies : &uses->data[at].feeds) = op;
  }
}

TtUnpackUses tt_unpack_uses(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer"),
        handles = tt_collect(arena, kernel, "tt.get_cb"), ops = tt_collect(arena, kernel, NULL);
  TtUnpackUses uses = {tt_arena_alloc(arena, (size_t)(cbs.n + 1) * sizeof *uses.data), cbs.n};
  TtOpMap places = {NULL, 0, 0};
  for (intptr_t i = 0; i < cbs.n; ++i) uses.data[i].cb = cbs.data[i];
  for (intptr_t i = 0; i < handles.n; ++i)
    for (intptr_t j = 0; j < cbs.n; ++j)
      if (mlirStringRefEqual(tt_symbol_name(cbs.data[j]),
                             tt_string(tt_get_cb_name(handles.data[i]))))
        tt_op_map_set(arena, &places, handles.data[i], (int)j);
  for (intptr_t i = 0; i < ops.n; ++i) note_use(&uses, &places, ops.data[i]);
  return uses;
}

const char *tt_why_not_to_dst(TtArena *arena, const TtUnpackUse *use, bool wide) {
  const TtFormat *format = tt_format((TtDType)tt_cb_format(use->cb));
  if (!wide) return "DST holds 16 bits";
  if (format->datum_bits != 32)
    return tt_arena_printf(arena, "its elements have %jd bits", (intmax_t)format->datum_bits);
  if (!mlirOperationIsNull(use->feeds)) {
    MlirStringRef name = tt_op_name(use->feeds);
    return tt_arena_printf(arena, "%.*s takes its tiles through the source registers",
                           (int)name.length, name.data);
  }
  return mlirOperationIsNull(use->copies) ? "the kernel copies none of its tiles to DST" : NULL;
}

static bool names(MlirAttribute list, MlirOperation cb) {
  intptr_t n = mlirAttributeIsNull(list) ? 0 : mlirArrayAttrGetNumElements(list);
  for (intptr_t i = 0; i < n; ++i)
    if (mlirStringRefEqual(tt_string(mlirArrayAttrGetElement(list, i)), tt_symbol_name(cb)))
      return true;
  return false;
}

TtOps tt_unpacked_to_dst(TtArena *arena, MlirOperation kernel) {
  MlirOperation program = tt_program_of(kernel);
  MlirAttribute config = tt_kernel_config(kernel);
  TtUnpackUses uses = tt_unpack_uses(arena, program, kernel);
  TtOps to_dst = {NULL, 0, 0};
  for (intptr_t i = 0; i < uses.n; ++i) {
    MlirOperation cb = uses.data[i].cb;
    if (mlirAttributeIsNull(config)
            ? !tt_why_not_to_dst(arena, &uses.data[i], tt_dst_is_32bit(program))
            : names(tt_compute_config_attr_unpack_to_dest(config), cb))
      tt_ops_add(arena, &to_dst, cb);
  }
  return to_dst;
}

/*===- Configuration ----------------------------------------------------------------------===*/

static bool is_set(MlirAttribute flag) {
  return !mlirAttributeIsNull(flag) && (mlirAttributeIsAUnit(flag) || mlirBoolAttrGetValue(flag));
}

MlirAttribute tt_asked_config(MlirOperation program, MlirAttribute unpack_to_dest) {
  TtMathFidelity fidelity = TT_MATH_FIDELITY_HIFI4;
  tt_math_fidelity_parse(tt_string(tt_get_attr(program, "tt.math_fidelity")), &fidelity);
  return tt_compute_config_attr_get(mlirOperationGetContext(program), fidelity,
                                    tt_dst_is_32bit(program),
                                    is_set(tt_get_attr(program, "tt.math_approx")), unpack_to_dest);
}

MlirAttribute tt_config_of(MlirOperation kernel) {
  MlirAttribute config = tt_kernel_config(kernel);
  return mlirAttributeIsNull(config)
             ? tt_asked_config(tt_program_of(kernel), mlirAttributeGetNull())
             : config;
}

/* Whether a compute kernel with DST of 32 bits has a circular buffer whose format is of a kind. */
static bool has_beside_words(TtArena *arena, MlirOperation kernel, bool (*is)(TtDType)) {
  if (!tt_compute_config_attr_fp32_dest_acc(tt_config_of(kernel))) return false;
  MlirOperation program = tt_program_of(kernel);
  TtOps handles = tt_collect(arena, kernel, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i)
    if (is((TtDType)tt_cb_format(tt_cb_decl(program, tt_get_cb_cb(handles.data[i]))))) return true;
  return false;
}

static bool sets_integers(TtDType type) { return tt_format_sets_integers(tt_format(type)); }

static bool is_uint16(TtDType type) { return type == TT_D_TYPE_UINT16; }

bool tt_tells_integers(TtArena *arena, MlirOperation kernel) {
  return has_beside_words(arena, kernel, sets_integers);
}

bool tt_has_halves_of_words(TtArena *arena, MlirOperation kernel) {
  return has_beside_words(arena, kernel, is_uint16);
}

int64_t tt_kernel_dst_capacity(MlirOperation kernel) {
  const TtChip *chip = tt_target_of(kernel).chip;
  return tt_compute_config_attr_fp32_dest_acc(tt_config_of(kernel)) ? chip->dst_tiles_32
                                                                    : chip->dst_tiles_16;
}

/*===- What the startup covers --------------------------------------------------------------===*/

static bool sets_fpu(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  return info->unit == TT_UNIT_FPU && (info->does == TT_ACT_SET || info->does == TT_ACT_SET_TO_END);
}

/* An init that says the same again changes nothing. */
static bool is_same_init(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumOperands(a);
  if (!mlirStringRefEqual(tt_op_name(a), tt_op_name(b)) || n != mlirOperationGetNumOperands(b))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!tt_value_eq(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i))) return false;
  return tt_api_row(a) == tt_api_row(b);
}

/* Whether the startup of one era at least does what this op does. */
static bool is_in_a_startup(MlirOperation init) {
  const TtApiRow *row = sets_fpu(init) ? tt_api_row(init) : NULL;
  for (int api = 0; row && api < TT_API_COUNT; ++api)
    if (row->in_startup[api]) return true;
  return false;
}

const char *tt_why_not_in_startup(TtArena *arena, MlirOperation init) {
  if (!is_in_a_startup(init)) return "no startup does what this does";
  MlirOperation startup = mlirBlockGetFirstOperation(mlirOperationGetBlock(init));
  while (!mlirOperationIsNull(startup) && !tt_op_eq(startup, init) &&
         tt_op_info(startup)->does != TT_ACT_STARTUP)
    startup = tt_next(startup);
  if (mlirOperationIsNull(startup) || tt_op_eq(startup, init))
    return "no startup stands before it in its block";
  for (MlirOperation p = tt_next(startup); !tt_op_eq(p, init); p = tt_next(p))
    if (mlirOperationGetNumRegions(p) > 0 || (sets_fpu(p) && !is_same_init(p, init))) {
      MlirStringRef name = tt_op_name(p);
      return tt_arena_printf(arena, "%.*s stands between", (int)name.length, name.data);
    }
  if (tt_engine_init_common_kind(startup) != tt_startup(init))
    return "the startup is that of another op";
  for (intptr_t i = 0; i < tt_engine_init_common_num_inputs(startup); ++i)
    if (!tt_value_eq(mlirOperationGetOperand(init, i), mlirOperationGetOperand(startup, i)))
      return "the startup is on other circular buffers";
  return NULL;
}
