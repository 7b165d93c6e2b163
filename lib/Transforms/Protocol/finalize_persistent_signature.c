/*===- finalize_persistent_signature.c - E1: --tt-finalize-persistent-signature --------------===
 *
 * Fixes the runtime arguments of each kernel: addresses of its tensors, scalars, sizes of
 * dynamic dimensions, then the canonical names that it uses, in their order. Checks that the
 * metadata is whole, and that what is there already says the same.
 *
 *   before  %count = tt.runtime_arg "count" : index       in a reader of A and B
 *   after   tt.kernel @reader(…) … attributes {tt.runtime_args =
 *             ["A_addr", "B_addr", "start_id", "count"], …}
 *           %count = tt.runtime_arg "count" at 3 : index
 *
 * Requires stage D. Leaves tt.runtime_args on every kernel of every program.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Analysis/runtime_args.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Verify/protocol.h"

static bool check_metadata(TtArena *arena, MlirOperation program) {
  static const struct {
    const char *name, *pass;
  } required[] = {{"tt.partition_mode", "tt-layout-aware-work-partition"},
                  {"tt.grid", "tt-layout-aware-work-partition"},
                  {"tt.grid_tiles", "tt-layout-aware-work-partition"},
                  {"tt.core_grid", "tt-layout-aware-work-partition"},
                  {"tt.core_ranges", "tt-layout-aware-work-partition"},
                  {"tt.work_partition", "tt-layout-aware-work-partition"},
                  {"tt.runtime_args", "tt-layout-aware-work-partition"},
                  {"tt.args", "tt-split-device-kernel"}};
  static const char *const kinds[] = {"buffer", "cb", "tensor_accessor"};
  for (size_t i = 0; i < sizeof required / sizeof *required; ++i)
    if (mlirAttributeIsNull(tt_get_attr(program, required[i].name)))
      return tt_error(program, "the program has no %s: run --%s first", required[i].name,
                      required[i].pass);
  MlirAttribute args = tt_get_attr(program, "tt.args");
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  if (mlirArrayAttrGetNumElements(args) != mlirFunctionTypeGetNumInputs(type))
    return tt_error(program, "tt.args has %jd names, but the program takes %jd arguments",
                    (intmax_t)mlirArrayAttrGetNumElements(args),
                    (intmax_t)mlirFunctionTypeGetNumInputs(type));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(args); ++i) {
    if (!tt_is_memref(mlirFunctionTypeGetInput(type, i))) continue;
    char *name = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(args, i)));
    for (size_t j = 0; j < sizeof kinds / sizeof *kinds; ++j)
      if (mlirAttributeIsNull(tt_named_attr(program, kinds[j], name)))
        return tt_error(program, "tensor '%s' has no tt.%s.%s: run --tt-stage-a first", name,
                        kinds[j], name);
  }
  return tt_check_metadata(program);
}

/* Gives each tt.runtime_arg its place. */
static bool number_reads(TtArena *arena, MlirOperation func, const TtRuntimeArgs *args) {
  MlirContext context = mlirOperationGetContext(func);
  TtOps reads = tt_collect(arena, func, "tt.runtime_arg");
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirStringRef name = tt_string(tt_runtime_arg_name(reads.data[i]));
    intptr_t place = tt_runtime_arg_place(args, name);
    if (place < 0)
      return tt_error(reads.data[i], "no core gets a runtime argument '%.*s'", (int)name.length,
                      name.data);
    mlirOperationSetInherentAttributeByName(reads.data[i], tt_str("index"),
                                            tt_i64_attr(context, place));
  }
  return true;
}

static bool finalize_kernel(TtArena *arena, MlirOperation func) {
  TtRuntimeArgs args = tt_runtime_args_of(arena, func);
  if (!tt_check_bindings(arena, func) || !tt_check_runtime_args(arena, func, &args) ||
      !number_reads(arena, func, &args))
    return false;
  tt_set_attr(func, "tt.runtime_args",
              tt_strings_attr(arena, mlirOperationGetContext(func), args.n, args.names));
  return true;
}

/* The marks that stage D's last passes leave. */
static bool check_protocol(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    const TtOpInfo *info = tt_op_info(ops.data[i]);
    if (info->does == TT_ACT_PACK_BLOCK)
      return tt_error(ops.data[i], "DST is not managed: run --tt-insert-dst-management first");
    if (info->level == TT_LEVEL_PROTOCOL_FREE)
      return tt_error(ops.data[i], "this is no protocol op: run --tt-lower-cb-intrinsics first");
  }
  return true;
}

static bool finalize(TtArena *arena, MlirOperation program) {
  if (!check_metadata(arena, program)) return false;
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!check_protocol(arena, kernels.data[i]) || !finalize_kernel(arena, kernels.data[i]))
      return false;
  return true;
}

bool tt_run_finalize_persistent_signature(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, finalize);
}
