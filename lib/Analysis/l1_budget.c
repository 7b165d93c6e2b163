/*===- l1_budget.c - what the circular buffers of a kernel take of L1 -----------------------===*/

#include "Analysis/l1_budget.h"

#include "Analysis/shards.h"
#include "Dialect/target.h"

TtDType tt_cb_dtype(const TtDfg *dfg, const TtCB *cb) {
  TtDType dtype = TT_D_TYPE_BF16;
  MlirAttribute buffer =
      cb->tensor ? tt_named_attr(dfg->func, "buffer", cb->tensor->name) : mlirAttributeGetNull();
  tt_dtype_of(tt_cb_type_element_type(cb->type), &dtype);
  if (tt_buffer_attr_isa(buffer)) return tt_buffer_attr_dtype(buffer);
  int exponent = tt_format(dtype)->exponent; /* others become Float32, which goes with all (D1) */
  return !exponent || exponent == tt_kernel_exponent(dfg->func) ? dtype : TT_D_TYPE_FP32;
}

int64_t tt_cb_page_bytes(const TtDfg *dfg, const TtCB *cb) {
  return tt_format(tt_cb_dtype(dfg, cb))->tile_bytes;
}

int64_t tt_exponents_bytes(const TtDfg *dfg) {
  bool floats = false;
  for (intptr_t i = 0; i < dfg->n; ++i) {
    TtDType dtype = tt_cb_dtype(dfg, &dfg->cbs[i]);
    if (tt_format(dtype)->exponent) return 0;
    floats |= dtype == TT_D_TYPE_FP32;
  }
  return floats ? tt_format(TT_D_TYPE_BF16)->tile_bytes : 0;
}

/* Of the circular buffers that are left where some take turns; those have as many blocks as the
 * deepest of them. */
static int64_t bytes_in_turns(const TtDfg *dfg, const TtTurns *turns) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < dfg->n; ++i) {
    const TtCB *cb = &dfg->cbs[i];
    if (turns->to[i] == i)
      bytes += tt_depth_in_turns(dfg, turns, i) * tt_cb_tiles(cb->type) * tt_cb_page_bytes(dfg, cb);
  }
  return bytes;
}

int64_t tt_l1_left_in_turns(const TtDfg *dfg, const TtTurns *turns) {
  TtTarget target = tt_target_of(dfg->func);
  int64_t left = tt_usable_l1(target.chip) - tt_l1_beside(dfg->func) - tt_exponents_bytes(dfg) -
                 bytes_in_turns(dfg, turns);
  for (intptr_t i = 0; i < dfg->num_spills; ++i)
    left -= dfg->spills[i].depth * tt_cb_tiles(dfg->spills[i].type) *
            tt_cb_page_bytes(dfg, &dfg->spills[i]);
  for (intptr_t i = 0; i < dfg->args.n; ++i)
    if (dfg->args.data[i].is_tensor)
      left -= tt_l1_bytes_of(tt_named_attr(dfg->func, "buffer", dfg->args.data[i].name),
                             dfg->args.data[i].type, target);
  return left;
}

int64_t tt_l1_left(const TtDfg *dfg) {
  TtTurns turns = tt_find_turns(dfg, false);
  return tt_l1_left_in_turns(dfg, &turns);
}
