/*===- l1_budget.c - what the circular buffers of a kernel take of L1
 * ---------------------------===*/

#include "Analysis/l1_budget.h"

#include "Analysis/shards.h"
#include "Dialect/target.h"

/* The format in which a circular buffer's tensor is stored. */
static TtDType dtype_of(const TtDfg *dfg, const TtCB *cb) {
  TtDType dtype = TT_D_TYPE_BF16;
  MlirAttribute buffer =
      cb->tensor ? tt_named_attr(dfg->func, "buffer", cb->tensor->name) : mlirAttributeGetNull();
  tt_dtype_of(tt_cb_type_element_type(cb->type), &dtype);
  if (tt_buffer_attr_isa(buffer)) dtype = tt_buffer_attr_dtype(buffer);
  return dtype;
}

int64_t tt_cb_page_bytes(const TtDfg *dfg, const TtCB *cb) {
  return tt_format(dtype_of(dfg, cb))->tile_bytes;
}

/* Of a page that --tt-configure-compute may add for Float32 beside integers. */
static int64_t exponents_bytes(const TtDfg *dfg) {
  bool floats = false;
  for (intptr_t i = 0; i < dfg->n; ++i) {
    TtDType dtype = dtype_of(dfg, &dfg->cbs[i]);
    if (tt_format(dtype)->exponent) return 0;
    floats |= dtype == TT_D_TYPE_FP32;
  }
  return floats ? tt_format(TT_D_TYPE_BF16)->tile_bytes : 0;
}

int64_t tt_l1_left(const TtDfg *dfg) {
  TtTarget target = tt_target_of(dfg->func);
  int64_t left = tt_usable_l1(target.chip) - exponents_bytes(dfg);
  for (intptr_t i = 0; i < dfg->n; ++i)
    left -= dfg->cbs[i].depth * tt_cb_tiles(dfg->cbs[i].type) * tt_cb_page_bytes(dfg, &dfg->cbs[i]);
  for (intptr_t i = 0; i < dfg->num_spills; ++i)
    left -= dfg->spills[i].depth * tt_cb_tiles(dfg->spills[i].type) *
            tt_cb_page_bytes(dfg, &dfg->spills[i]);
  for (intptr_t i = 0; i < dfg->args.n; ++i)
    if (dfg->args.data[i].is_tensor)
      left -= tt_l1_bytes_of(tt_named_attr(dfg->func, "buffer", dfg->args.data[i].name),
                             dfg->args.data[i].type, target);
  return left;
}
