/*===- host_layouts.c - one layout for a tensor that several kernels share --------------------===
 *
 *   %t = memref.alloc() {tt.layout = {memory = "L1"}} : memref<64x64xbf16>
 *   call @first(%A, %t)             first's and second's parameters for %t
 *   call @second(%t, %C)      =>    get tt.layout = {memory = "L1"}
 *
 * The layout may stand on the allocation, on the host function's argument, or on the
 * parameter of any kernel that gets the tensor; A1 gives it to all of them first.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Layout/host_layouts.h"

#include "Analysis/host_values.h"

static MlirAttribute layout_of_value(MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return tt_op_is(func, "func.func")
               ? tt_arg_attr(func, mlirBlockArgumentGetArgNumber(value), "tt.layout")
               : mlirAttributeGetNull();
  }
  return tt_get_attr(tt_defining_op(value), "tt.layout");
}

static void set_layout(const TtHostTensor *t, MlirAttribute layout) {
  if (t->kind == TT_HOST_ARGUMENT)
    tt_set_arg_attr(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(t->value)),
                    mlirBlockArgumentGetArgNumber(t->value), "tt.layout", layout);
  else if (t->kind != TT_HOST_CARRIED) tt_set_attr(tt_defining_op(t->value), "tt.layout", layout);
}

/* That of the first of the tensors that may be the same. */
static MlirAttribute layout_of(const TtHostValues *values, intptr_t at) {
  for (intptr_t i = 0; i < values->n; ++i) {
    if (values->data[i].same != values->data[at].same) continue;
    MlirAttribute layout = layout_of_value(values->data[i].value);
    if (!mlirAttributeIsNull(layout)) return layout;
  }
  return mlirAttributeGetNull();
}

static MlirOperation called_kernel(TtOps kernels, MlirOperation call) {
  MlirStringRef callee = tt_string(tt_op_attr(call, "callee"));
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (mlirStringRefEqual(tt_symbol_name(kernels.data[i]), callee)) return kernels.data[i];
  return (MlirOperation){NULL};
}

/* What a kernel says that its argument holds, a tensor or number of the host function holds. */
static void share_range(const TtHostValues *values, MlirOperation host, MlirOperation call,
                        MlirOperation kernel, intptr_t i) {
  MlirAttribute range = tt_arg_attr(kernel, i, "tt.range");
  intptr_t at = tt_host_tensor(values, mlirOperationGetOperand(call, i));
  if (mlirAttributeIsNull(range) || at < 0 || values->data[at].kind != TT_HOST_ARGUMENT) return;
  intptr_t arg = mlirBlockArgumentGetArgNumber(values->data[at].value);
  if (mlirAttributeIsNull(tt_arg_attr(host, arg, "tt.range")))
    tt_set_arg_attr(host, arg, "tt.range", range);
}

/* Brings the layouts of an operand and its parameter together; counts what it changed. */
static bool share(const TtHostValues *values, MlirOperation call, MlirOperation kernel, intptr_t i,
                  int *changed) {
  MlirValue value = mlirOperationGetOperand(call, i);
  intptr_t at = tt_host_tensor(values, value);
  if (!tt_is_memref(mlirValueGetType(value)) || at < 0) return true;
  MlirAttribute outer = layout_of(values, at), inner = tt_arg_attr(kernel, i, "tt.layout");
  bool has_outer = !mlirAttributeIsNull(outer), has_inner = !mlirAttributeIsNull(inner);
  MlirStringRef name = tt_symbol_name(kernel);
  if (has_outer && has_inner && !mlirAttributeEqual(outer, inner))
    return tt_error(
        call,
        "operand %jd of '%.*s' has a layout of its own, which differs from the parameter's; "
        "keep one tt.layout, or call a copy of the kernel",
        (intmax_t)i, (int)name.length, name.data);
  if (has_outer == has_inner) return true;
  ++*changed;
  if (!has_outer && values->data[at].kind == TT_HOST_CARRIED) at = values->data[at].same;
  if (has_outer) tt_set_arg_attr(kernel, i, "tt.layout", outer);
  else set_layout(&values->data[at], inner);
  return true;
}

bool tt_share_host_layouts(MlirOperation module) {
  TtArena *arena = tt_arena_create();
  TtOps hosts = tt_hosts(arena, module), kernels = tt_kernels(arena, module);
  bool ok = true;
  for (int changed = 1; ok && changed > 0;) {
    changed = 0;
    for (intptr_t i = 0; ok && i < hosts.n; ++i) {
      TtOps calls = tt_collect(arena, hosts.data[i], "func.call");
      TtHostValues values = tt_host_values(arena, hosts.data[i]);
      for (intptr_t j = 0; ok && j < calls.n; ++j) {
        MlirOperation kernel = called_kernel(kernels, calls.data[j]);
        for (intptr_t k = 0; ok && !mlirOperationIsNull(kernel) && k < tt_num_args(kernel); ++k) {
          share_range(&values, hosts.data[i], calls.data[j], kernel, k);
          ok = share(&values, calls.data[j], kernel, k, &changed);
        }
      }
    }
  }
  tt_arena_destroy(arena);
  return ok;
}
