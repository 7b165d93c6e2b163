/*===- configure_compute.c - --tt-configure-compute -------------------------------------------===
 *
 * Says of each compute kernel what its processors are set to, and of its inits which one only
 * repeats the startup:
 *
 *   before  tt.kernel @compute() on @all processor = compute … {
 *             tt.engine.init_common matmul, %a, %b -> %c
 *             tt.fpu.matmul_init %a, %b, %c
 *   after   tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4,
 *               fp32_dest_acc = false, math_approx = false> … {
 *             tt.engine.init_common matmul, %a, %b -> %c
 *             tt.fpu.matmul_init %a, %b, %c {tt.in_startup}
 *
 * The configuration is what tt.math_fidelity, tt.fp32_dest_acc and tt.math_approx of the program
 * ask for; a circular buffer of 32-bit elements that the kernel only copies to a DST of 32 bits
 * goes there past the source registers. A configuration that is there stays. An era whose startup
 * covers a marked init leaves it out; the others print it. keep_exponents.c has what Float32 needs
 * beside integers.
 *
 * Requires stage D. Leaves a `config` on each compute kernel.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/compute_config.h"
#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/keep_exponents.h"

/* The circular buffers that go to DST as they are, or null. */
static MlirAttribute unpacked_to_dest(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps cbs = tt_unpacked_to_dst(arena, kernel);
  MlirAttribute *names = tt_arena_alloc(arena, (size_t)(cbs.n + 1) * sizeof *names);
  MlirContext context = mlirOperationGetContext(program);
  for (intptr_t i = 0; i < cbs.n; ++i)
    names[i] = mlirFlatSymbolRefAttrGet(context, tt_symbol_name(cbs.data[i]));
  return cbs.n ? mlirArrayAttrGet(context, cbs.n, names) : mlirAttributeGetNull();
}

static bool configure_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(program));
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (tt_op_info(ops.data[i])->level == TT_LEVEL_PROTOCOL_FREE)
      return tt_error(ops.data[i], "this is no protocol op: run --tt-stage-d first");
    if (!tt_why_not_in_startup(arena, ops.data[i])) tt_set_attr(ops.data[i], "tt.in_startup", unit);
  }
  if (mlirAttributeIsNull(tt_kernel_config(kernel)))
    mlirOperationSetInherentAttributeByName(
        kernel, tt_str("config"),
        tt_asked_config(program, unpacked_to_dest(arena, program, kernel)));
  return tt_keep_exponents(arena, program, kernel);
}

static bool configure(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!configure_kernel(arena, program, kernels.data[i])) return false;
  return true;
}

bool tt_run_configure_compute(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, configure);
}
