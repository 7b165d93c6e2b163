/*===- sources.c - what the source registers of the matrix engine are set to ------------------===
 *
 * Each has a format, and both together a mode: whether the engine takes what they hold for
 * integers. A startup sets all of it. Up to 2026-03 a reconfiguration changes the mode only if it
 * is told to, and it is then that of the source that was set last:
 *
 *   compute_kernel_hw_startup(bytes, out);       integers
 *   reconfig_data_format_srca(floats);           the format, but integers still
 *   reconfig_data_format_srca<true>(floats);     the format, and floats
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include "Target/formats.h"

int emu_source_format(Risc *risc, uint32_t cb) {
  int format = (int)emu_cb(risc, cb)->format;
  bool to_dst = format == TTEMU_FLOAT32 && cb != TTEMU_ANY_CB && risc->kernel->unpack_to_dest[cb];
  return to_dst ? FLOAT32_TO_DST : format;
}

static bool sets_integers(Risc *risc, uint32_t cb) {
  const TtFormat *format = tt_format_of_code((int)emu_cb(risc, cb)->format);
  return format && tt_format_sets_integers(format);
}

void emu_set_integers(Risc *risc, uint32_t a, uint32_t b) {
  risc->integers = sets_integers(risc, a) || sets_integers(risc, b);
}

static Risc *reconfigure(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == UNPACK) emu_work(risc, emu.costs->step[TT_COST_reconfig_source]);
  return risc;
}

void ttemu_reconfig_srca(uint32_t cb, uint32_t line) {
  Risc *risc = reconfigure(line);
  risc->srca = emu_source_format(risc, cb);
}

void ttemu_reconfig_srcb(uint32_t cb, uint32_t line) {
  Risc *risc = reconfigure(line);
  risc->srcb = emu_source_format(risc, cb);
}

void ttemu_reconfig_integers(uint32_t a, uint32_t b, bool asked, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (asked && !risc->kernel->fp32_dest)
    emu_error(risc, 12,
              "a reconfiguration to or from integers needs DST of 32 bits; set fp32_dest_acc_en");
  emu_set_integers(risc, a, b);
}

bool ttemu_same_source(uint32_t old, uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  return emu_source_format(risc, old) == emu_source_format(risc, cb);
}

void emu_check_format(Risc *risc, uint32_t cb, int set, const char *source) {
  if (cb == TTEMU_ANY_CB) return;
  int needs = emu_source_format(risc, cb);
  if (needs == set) return;
  bool floats = needs == TTEMU_FLOAT32 || needs == FLOAT32_TO_DST;
  if (floats && (set == TTEMU_FLOAT32 || set == FLOAT32_TO_DST))
    emu_error(risc, 12,
              "source %s is set to another format than circular buffer %u has with its "
              "unpack_to_dest_mode, Float32 to DST or Tf32; reconfigure it",
              source, cb);
  emu_error(risc, 12,
            "source %s is set to another data format than that of circular buffer %u; "
            "reconfigure it",
            source, cb);
}

void emu_check_integers(Risc *risc, bool bytes) {
  if (risc->integers == bytes) return;
  if (bytes)
    emu_error(risc, 12,
              "the matrix engine takes bytes for floats here; say reconfig_data_format_srca<true> "
              "where source A is set to them");
  emu_error(risc, 12,
            "the matrix engine still takes what the source registers hold for integers, as the "
            "circular buffer was that it was set to last; say reconfig_data_format_srca<true> "
            "where they are set to floats");
}
