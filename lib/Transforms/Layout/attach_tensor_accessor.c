/*===- attach_tensor_accessor.c - A3: --tt-attach-tensor-accessor ------------------===
 *
 * Attaches to every tensor an abstract accessor, which D2 binds.
 *
 *   before  tt.buffer.A = #tt.buffer<…>
 *   after   tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A",
 *             layout_ref = "tt.buffer.A", stride_mode = tiled>
 *
 * Requires tt.buffer.* (A1) and tt.cb.* (A2). Leaves tt.tensor_accessor.*.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"

static bool attach(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < args.n; ++i) {
    const char *name = args.data[i].name;
    if (!args.data[i].is_tensor) continue;
    MlirAttribute buffer = tt_named_attr(func, "buffer", name);
    if (!tt_buffer_attr_isa(buffer))
      return tt_error(func, "tensor '%s' has no tt.buffer.%s: run --tt-infer-layout first", name,
                      name);
    if (!tt_cb_attr_isa(tt_named_attr(func, "cb", name)))
      return tt_error(func, "tensor '%s' has no tt.cb.%s: run --tt-propagate-layout first", name,
                      name);
    bool sharded = tt_buffer_attr_layout(buffer) == TT_LAYOUT_SHARDED;
    MlirAttribute accessor = tt_tensor_accessor_attr_get(
        mlirOperationGetContext(func), TT_ACCESSOR_KIND_ABSTRACT, tt_str(name),
        tt_str(tt_arena_printf(arena, "tt.buffer.%s", name)),
        sharded ? TT_STRIDE_MODE_SHARDED : TT_STRIDE_MODE_TILED, tt_buffer_attr_nd_shard(buffer),
        mlirAttributeGetNull());
    tt_set_named_attr(func, "tensor_accessor", name, accessor);
  }
  return true;
}

bool tt_run_attach_tensor_accessor(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, attach);
}
