/*===- configure_tensor_accessor.c - D2: --tt-configure-tensor-accessor ---------------------===
 *
 * Binds the accessors of reader and writer to their runtime arguments: a kernel
 * takes the addresses of its tensors first, in order.
 *
 *   before  tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, …>
 *   after   tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, …, runtime_binding =
 *             <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>
 *
 * Requires tt.program (D1). Leaves bound accessors, of which D3 makes values.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Passes/passes_decl.h"

static bool bind(TtArena *arena, MlirOperation program, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  int64_t index = 0;
  for (intptr_t i = 0; i < args.n; ++i) {
    const char *name = args.data[i].name;
    if (!args.data[i].is_tensor) continue;
    MlirAttribute abstract = tt_named_attr(func, "tensor_accessor", name),
                  buffer = tt_named_attr(program, "buffer", name);
    if (!tt_tensor_accessor_attr_isa(abstract) || !tt_buffer_attr_isa(buffer))
      return tt_error(func,
                      "tensor '%s' has no tt.tensor_accessor.%s: run "
                      "--tt-attach-tensor-accessor first",
                      name, name);
    MlirContext context = mlirOperationGetContext(func);
    MlirAttribute binding =
        tt_runtime_binding_attr_get(context, index++, 0, tt_page_bytes(buffer, args.data[i].type));
    MlirAttribute bound = tt_tensor_accessor_attr_get(
        context, TT_ACCESSOR_KIND_BOUND, tt_tensor_accessor_attr_buffer_name(abstract),
        tt_tensor_accessor_attr_layout_ref(abstract), tt_tensor_accessor_attr_stride_mode(abstract),
        tt_tensor_accessor_attr_nd_shard(abstract), binding);
    tt_set_named_attr(func, "tensor_accessor", name, bound);
  }
  return true;
}

static bool configure(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (tt_role_of(kernels.data[i]) != TT_KERNEL_ROLE_COMPUTE &&
        !bind(arena, program, kernels.data[i]))
      return false;
  return true;
}

bool tt_run_configure_tensor_accessor(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, configure);
}
