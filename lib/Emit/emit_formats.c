/*===- emit_formats.c - how a kernel sets source registers to other formats
 * ----------------------===
 *
 * The matrix engine has one setting more than formats: whether it takes what the source registers
 * hold for integers. Up to 2026-03 a reconfiguration changes that only if it is told to, which it
 * can be where DST has 32 bits:
 *
 *   tt.fpu.… %cb_in1 (ui8), then %cb_in3 (bf16)
 *   -> reconfig_data_format_srca<true>(cb_in1); … reconfig_data_format_srca<true>(cb_in3);
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emitter.h"

#include "Analysis/compute_config.h"

const char *tt_emit_reconfig_option(TtEmitter *e) {
  return tt_tells_integers(e->arena, e->func) ? "<true>" : "";
}
