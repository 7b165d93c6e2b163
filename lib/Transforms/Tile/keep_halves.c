/*===- keep_halves.c - --tt-keep-halves ---------------------------------------------------------===
 *
 * Has copies of f16 that a core makes keep their bits, where DST has 32.
 *
 *   before  %b = tt.alloc_cb "b" depth = 1 : !tt.cb<1x1xf16>
 *           tt.copy_to_dst %a transpose, dst = 0 -> %b : !tt.cb<1x1xf16>, !tt.cb<1x1xf16>
 *   after   %b = tt.alloc_cb "b" depth = 1 : !tt.cb<1x1xf32>
 *           tt.copy_to_dst %a transpose, dst = 0 -> %b : !tt.cb<1x1xf16>, !tt.cb<1x1xf32>
 *
 * From DST of 32 bits the packer makes f16 of bf16: of the 11 bits of a number that is only copied
 * or transposed, 8 arrive. In f32 all do, and source registers hold them. What a kernel computes is
 * rounded to 16 bits as before. Where L1 or the chip's number of circular buffers then do not do,
 * nothing is changed.
 *
 * Requires tile intrinsics (C2), before the graph of C3. Runs without optimizations, too.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dfg.h"
#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Tile/share_buffers.h"

static const char *const pass = "tt-keep-halves";

static bool holds_halves(MlirType type) {
  return tt_cb_type_isa(type) && mlirTypeIsAF16(tt_cb_type_element_type(type));
}

/* A tile of f16 goes through DST as it is, or transposed, into one of f16. */
static bool copies_halves(MlirOperation op) {
  return tt_op_is(op, "tt.copy_to_dst") && holds_halves(mlirValueGetType(tt_copy_to_dst_a(op))) &&
         holds_halves(mlirValueGetType(tt_copy_to_dst_out(op)));
}

/* Whether copies fill a buffer of the core, and besides them only functions, as a fill of zeros. */
static bool is_of_copies(const TtCB *cb) {
  if (cb->role != TT_CB_ROLE_INTERMEDIATE || !holds_halves(cb->type)) return false;
  bool any = false;
  for (intptr_t i = 0; i < cb->fillers.n; ++i) {
    bool copies = copies_halves(cb->fillers.data[i]);
    if (!copies && !tt_op_is(cb->fillers.data[i], "tt.sfpu.unary")) return false;
    any |= copies;
  }
  return any;
}

static void set_element(const TtCB *cb, MlirType element) {
  int64_t shape[2] = {tt_cb_rows(cb->type), tt_cb_cols(cb->type)};
  mlirValueSetType(cb->value,
                   tt_cb_type_get(mlirOperationGetContext(cb->alloc), 2, shape, element));
}

static bool keep_in_kernel(TtArena *arena, MlirOperation func) {
  if (!tt_dst_is_32bit(func)) return true;
  TtOps copies = tt_collect(arena, func, "tt.copy_to_dst");
  bool any = false;
  for (intptr_t i = 0; i < copies.n; ++i)
    any |= !tt_is_null_value(tt_copy_to_dst_out(copies.data[i])) && copies_halves(copies.data[i]);
  if (!any) return true;

  TtDfg dfg;
  if (!tt_complete_short_form(arena, func) || !tt_analyze_dfg(arena, func, &dfg)) return false;
  bool *wide = tt_arena_alloc(arena, (size_t)dfg.n + 1), fitted = tt_buffers_fit(arena, func, 0);
  MlirContext context = mlirOperationGetContext(func);
  for (intptr_t i = 0; i < dfg.n; ++i) wide[i] = is_of_copies(&dfg.cbs[i]);
  for (intptr_t i = 0; i < dfg.n; ++i)
    if (wide[i]) set_element(&dfg.cbs[i], mlirF32TypeGet(context));
  bool fits = !fitted || tt_buffers_fit(arena, func, 0);
  for (intptr_t i = 0; i < dfg.n; ++i) {
    if (!wide[i]) continue;
    if (!fits) set_element(&dfg.cbs[i], mlirF16TypeGet(context));
    tt_remark(dfg.cbs[i].alloc, fits ? TT_REMARK_PASSED : TT_REMARK_MISSED, pass,
              fits ? "copies of f16 keep their bits in a buffer of f32"
                   : "copies of f16 keep 8 of their 11 bits: L1 has no room for f32");
  }
  return true;
}

bool tt_run_keep_halves(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, keep_in_kernel);
}
