/*===- emit_formats.c - how a kernel sets source registers to other formats -------------------===
 *
 * The matrix engine has one setting more than formats: whether it takes what the source registers
 * hold for integers. Up to 2026-03 a reconfiguration changes that only if it is told to, which it
 * can be where DST has 32 bits:
 *
 *   tt.fpu.… %cb_in1 (ui8), then %cb_in3 (bf16)
 *   -> reconfig_data_format_srca<true>(cb_in1); … reconfig_data_format_srca<true>(cb_in3);
 *
 * UInt16 in DST of 32 bits is a matter of bit 11 of DBG_FEATURE_DISABLE, up to 2026-03: with it,
 * accesses of 16 bits go to the upper halves of words, without it to rows that tiles of words
 * overlap. Unpack clears it before a kernel starts; math sets it in a startup with UInt16 and may
 * come before that; unpack sets it once more with a copy of 32 bits, when math may be at work on
 * UInt16. So unpack sets it in front of all that, in a kernel that has UInt16:
 *
 *   tt.engine.init_common %cb_in0 (ui16) -> unary_op_init_common(cb_in0, cb_out0);
 *                                           UNPACK((llk_unpack_dbg_feature_disable()));
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emitter.h"

#include "Analysis/compute_config.h"

const char *tt_emit_reconfig_option(TtEmitter *e) {
  return tt_tells_integers(e->arena, e->func) ? "<true>" : "";
}

void tt_emit_halves_of_words(TtEmitter *e) {
  const char *call = tt_api_text(TT_API_HALVES_OF_WORDS, e->api);
  if (!*call || !tt_has_halves_of_words(e->arena, e->func)) return;
  tt_emit_line(
      e, "// UInt16 goes to the upper halves of words of DST from here on, whoever is first.");
  tt_emit_line(e, "%s", call);
}
