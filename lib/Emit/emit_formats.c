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

#include "Analysis/program.h"
#include "Dialect/target.h"
#include "Target/formats.h"

/* Of a kernel that has bytes in a circular buffer, whatever else it has there. */
const char *tt_emit_reconfig_option(TtEmitter *e) {
  if (!tt_compute_config_attr_fp32_dest_acc(tt_kernel_config(e->func))) return "";
  MlirOperation program = tt_program_of(e->func);
  TtOps handles = tt_collect(e->arena, e->func, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i) {
    TtDataFormat format = tt_cb_format(tt_cb_decl(program, tt_get_cb_cb(handles.data[i])));
    if (tt_format_is_byte(tt_format((TtDType)format))) return "<true>";
  }
  return "";
}
