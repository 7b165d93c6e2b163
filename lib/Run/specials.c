/*===- specials.c - what a kernel does to infinities and NaN ----------------------------------===
 *
 *   log_tile(0)                        NaN in DST stays NaN
 *   add_tiles(…), max_tile(…)          it becomes some number
 *   pack_tile(0, cb_out)               to bf16 it becomes infinity; fp16 has neither, and nothing
 *                                      between 0 and 2^-14
 *
 * docs/accuracy.md has the table, and test/execution/special-kinds.test tries it.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/run.h"

#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/verify.h"

#include <math.h>

/* Of the vector unit: what gives a number where an operand is none. */
static const TtSfpu lose_nan[] = {
    TT_SFPU_EXP,        TT_SFPU_EXP2,      TT_SFPU_EXPM1,      TT_SFPU_TANH, TT_SFPU_ERF,
    TT_SFPU_ERFC,       TT_SFPU_SIGMOID,   TT_SFPU_SILU,       TT_SFPU_GELU, TT_SFPU_GELU_EXACT,
    TT_SFPU_SOFTPLUS,   TT_SFPU_RELU,      TT_SFPU_MAX,        TT_SFPU_MIN,  TT_SFPU_MAX_SCALAR,
    TT_SFPU_MIN_SCALAR, TT_SFPU_DIV,       TT_SFPU_POWER,      TT_SFPU_SIGN, TT_SFPU_ATANH,
    TT_SFPU_F32_TO_I32, TT_SFPU_F32_TO_U8, TT_SFPU_EXP_COLUMN,
};

static bool loses_nan(MlirOperation op) {
  if (metalium_copy_tile_isa(op) || metalium_transpose_wh_tile_isa(op)) return false;
  if (!metalium_sfpu_tile_isa(op)) return tt_is_tile_math(op);
  for (size_t i = 0; i < sizeof lose_nan / sizeof *lose_nan; ++i)
    if (metalium_sfpu_tile_op(op) == lose_nan[i]) return true;
  return false;
}

bool tt_keeps_nan(MlirOperation program) {
  TtArena *arena = tt_arena_create();
  TtOps ops = tt_collect(arena, program, NULL);
  bool keeps = true;
  for (intptr_t i = 0; i < ops.n; ++i) keeps &= !loses_nan(ops.data[i]);
  tt_arena_destroy(arena);
  return keeps;
}

bool tt_are_alike(float a, float b, TtSpecials s) {
  if (!isnan(b) && !isinf(b)) return false;
  if (isnan(b)) return isnan(a) || (s.narrow && isinf(a));
  if (s.f16 && (isnan(a) || fabsf(a) >= 65504)) return signbit(a) == signbit(b);
  return a == b;
}

int64_t tt_flush_small(TtArray *array) {
  static const float least = 0x1p-14f;
  float *data = array->data;
  int64_t n = 0;
  for (int64_t i = 0; i < array->n; ++i) {
    if (!(fabsf(data[i]) < least) || data[i] == 0) continue;
    data[i] = 0;
    ++n;
  }
  return n;
}
