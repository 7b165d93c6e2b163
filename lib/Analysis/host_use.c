/*===- host_use.c - where the tensors of a kernel come from ---------------------------------===
 *
 *   call @first(%A, %t)       %t is written by a kernel, so what pads its tiles is not zero
 *   call @second(%t, %C)      where second reads it
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/host_values.h"
#include "Analysis/kernel.h"

/* Whether the kernel or program that `call` names may write operand `i`. */
static bool may_write(TtArena *arena, TtOps kernels, MlirOperation call, intptr_t i) {
  if (!tt_op_is(call, "func.call")) return true;
  for (intptr_t k = 0; k < kernels.n; ++k)
    if (mlirStringRefEqual(tt_symbol_name(kernels.data[k]), tt_string(tt_op_attr(call, "callee"))))
      return tt_kernel_args(arena, kernels.data[k]).data[i].written;
  return true;
}

/* Whether the host program has filled tensor `at`, with zeros behind its ends, and no kernel writes
 * it, nor one that may be the same. */
static bool is_given(TtArena *arena, TtOps kernels, TtOps calls, const TtHostValues *values,
                     intptr_t at) {
  intptr_t same = values->data[at].same;
  for (intptr_t i = 0; i < values->n; ++i)
    if (values->data[i].same == same &&
        (values->data[i].kind == TT_HOST_ALLOC || values->data[i].kind == TT_HOST_CARRIED))
      return false;
  for (intptr_t i = 0; i < calls.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(calls.data[i]); ++j) {
      intptr_t t = tt_host_tensor(values, mlirOperationGetOperand(calls.data[i], j));
      if (t >= 0 && values->data[t].same == same && may_write(arena, kernels, calls.data[i], j))
        return false;
    }
  return true;
}

bool tt_is_filled_by_host(TtArena *arena, MlirOperation func, MlirValue tensor) {
  MlirOperation module = tt_parent(func);
  if (mlirOperationIsNull(module) || !mlirValueIsABlockArgument(tensor)) return true;
  intptr_t arg = mlirBlockArgumentGetArgNumber(tensor);
  TtOps hosts = tt_hosts(arena, module), kernels = tt_kernels(arena, module);
  for (intptr_t i = 0; i < hosts.n; ++i) {
    TtOps calls = tt_collect(arena, hosts.data[i], "func.call");
    TtHostValues values = tt_host_values(arena, hosts.data[i]);
    for (intptr_t j = 0; j < calls.n; ++j) {
      if (!mlirStringRefEqual(tt_string(tt_op_attr(calls.data[j], "callee")),
                              tt_symbol_name(func)) ||
          arg >= mlirOperationGetNumOperands(calls.data[j]))
        continue;
      intptr_t at = tt_host_tensor(&values, mlirOperationGetOperand(calls.data[j], arg));
      if (at < 0 || !is_given(arena, kernels, calls, &values, at)) return false;
    }
  }
  return true;
}
