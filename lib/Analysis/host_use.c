/*===- host_use.c - where the tensors of a kernel come from ---------------------------------===
 *
 *   call @first(%A, %t)       %t is written by a kernel, so what pads its tiles is not zero
 *   call @second(%t, %C)      where second reads it
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"

/* Whether the kernel or program that `call` names may write operand `i`. */
static bool may_write(TtArena *arena, TtOps kernels, MlirOperation call, intptr_t i) {
  if (!tt_op_is(call, "func.call")) return true;
  for (intptr_t k = 0; k < kernels.n; ++k)
    if (mlirStringRefEqual(tt_symbol_name(kernels.data[k]), tt_string(tt_op_attr(call, "callee"))))
      return tt_kernel_args(arena, kernels.data[k]).data[i].written;
  return true;
}

static bool is_written(TtArena *arena, TtOps kernels, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool call = tt_op_is(op, "func.call") || tt_launch_isa(op);
    if (call && may_write(arena, kernels, op, mlirOpOperandGetOperandNumber(use))) return true;
  }
  return false;
}

bool tt_is_filled_by_host(TtArena *arena, MlirOperation func, MlirValue tensor) {
  MlirOperation module = tt_parent(func);
  if (mlirOperationIsNull(module) || !mlirValueIsABlockArgument(tensor)) return true;
  intptr_t arg = mlirBlockArgumentGetArgNumber(tensor);
  TtOps hosts = tt_hosts(arena, module), kernels = tt_kernels(arena, module);
  for (intptr_t i = 0; i < hosts.n; ++i) {
    TtOps calls = tt_collect(arena, hosts.data[i], "func.call");
    for (intptr_t j = 0; j < calls.n; ++j) {
      if (!mlirStringRefEqual(tt_string(tt_op_attr(calls.data[j], "callee")),
                              tt_symbol_name(func)) ||
          arg >= mlirOperationGetNumOperands(calls.data[j]))
        continue;
      MlirValue value = mlirOperationGetOperand(calls.data[j], arg);
      if (!mlirValueIsABlockArgument(value) || is_written(arena, kernels, value)) return false;
    }
  }
  return true;
}
