/*===- propagate_layout.c - A2: --tt-propagate-layout ------------------------------===
 *
 * Derives the geometry of the circular buffer of each tensor: a page is a tile.
 *
 *   before  tt.buffer.A = #tt.buffer<memory = DRAM, …, dtype = bf16>
 *   after   tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>
 *
 * Ids go by arguments, inputs from 0 and outputs from 16; D1 decides. The depth
 * is tt.num_stages of the loop that reads the tensor, else 2. What is there already stays, if it
 * has the tensor's format.
 *
 * Requires tt.buffer.* (A1). Leaves tt.cb.*.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"

enum { FIRST_OUTPUT = 16 };

/* What is said already has the format in which the tensor is stored. */
static bool check_present(MlirOperation func, const char *name, MlirAttribute cb, TtDType dtype) {
  TtDataFormat format = tt_cb_attr_data_format(cb), stored = tt_data_format_of(dtype);
  return format == stored ||
         tt_error(func,
                  "tt.cb.%s has data_format = %s, but the tensor is stored as %s; remove tt.cb.%s, "
                  "or let them agree",
                  name, tt_data_format_str((int)format), tt_data_format_str((int)stored), name);
}

static bool propagate(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  int64_t inputs = 0, outputs = FIRST_OUTPUT;
  for (intptr_t i = 0; i < args.n; ++i) {
    TtArg *arg = &args.data[i];
    if (!arg->is_tensor) continue;
    MlirAttribute buffer = tt_named_attr(func, "buffer", arg->name);
    if (!tt_buffer_attr_isa(buffer))
      return tt_error(func, "tensor '%s' has no tt.buffer.%s: run --tt-infer-layout first",
                      arg->name, arg->name);
    TtDType dtype = tt_buffer_attr_dtype(buffer);
    bool output = arg->written && !arg->read;
    int64_t id = output ? outputs++ : inputs++;
    MlirAttribute present = tt_named_attr(func, "cb", arg->name);
    if (!mlirAttributeIsNull(present)) {
      if (!check_present(func, arg->name, present, dtype)) return false;
      continue;
    }
    tt_set_named_attr(func, "cb", arg->name,
                      tt_cb_attr_get(mlirOperationGetContext(func), id,
                                     tt_format(dtype)->tile_bytes, arg->depth,
                                     tt_data_format_of(dtype)));
  }
  return true;
}

bool tt_run_propagate_layout(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, propagate);
}
