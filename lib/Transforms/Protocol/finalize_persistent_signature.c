/*===- finalize_persistent_signature.c - E1: --tt-finalize-persistent-signature --------------===
 *
 * Fixes the runtime arguments of each kernel: addresses of its tensors, scalars, sizes of
 * dynamic dimensions, then the canonical names that it uses, in their order. Checks that the
 * metadata is whole.
 *
 *   before  %count = tt.runtime_arg "count" : index       in a reader of A and B
 *   after   tt.kernel @reader(…) … attributes {tt.runtime_args =
 *             ["A_addr", "B_addr", "start_id", "count"], …}
 *           %count = tt.runtime_arg "count" at 3 : index
 *
 * Requires stage D. Leaves tt.runtime_args on every kernel of every program.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/core_args.h"
#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Verify/protocol.h"

#include <string.h>

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

/* Gives the runtime arguments of that name their place; false where there is none. */
static bool number(TtOps args, const char *name, intptr_t place) {
  bool used = false;
  for (intptr_t j = 0; j < args.n; ++j) {
    if (!tt_str_eq(tt_string(tt_runtime_arg_name(args.data[j])), name)) continue;
    mlirOperationSetInherentAttributeByName(
        args.data[j], tt_str("index"), tt_i64_attr(mlirOperationGetContext(args.data[j]), place));
    used = true;
  }
  return used;
}

/* Sizes of dynamic dimensions, in the order of the program's arguments. */
static intptr_t number_dims(TtArena *arena, MlirOperation func, TtOps args, const char **names,
                            intptr_t n) {
  MlirOperation program = tt_program_of(func);
  MlirAttribute tensors = tt_get_attr(program, "tt.args");
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType tensor = mlirFunctionTypeGetInput(type, i);
    for (intptr_t d = 0; tt_is_memref(tensor) && d < mlirShapedTypeGetRank(tensor); ++d) {
      char *name = tt_dim_name(
          arena, tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(tensors, i))), d);
      if (mlirShapedTypeIsDynamicDim(tensor, d) && number(args, name, n)) names[n++] = name;
    }
  }
  return n;
}

/* What tt.core_args gives, in its order. */
static intptr_t number_core_args(TtArena *arena, MlirOperation func, TtOps args, const char **names,
                                 intptr_t n) {
  MlirOperation core_args = tt_program_core_args(tt_program_of(func));
  MlirAttribute given =
      mlirOperationIsNull(core_args) ? mlirAttributeGetNull() : tt_core_args_names(core_args);
  for (intptr_t i = 0; !mlirAttributeIsNull(given) && i < mlirArrayAttrGetNumElements(given); ++i) {
    const char *name = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(given, i)));
    if (number(args, name, n)) names[n++] = name;
  }
  return n;
}

static bool finalize_kernel(TtArena *arena, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  TtArgs args = tt_kernel_args(arena, func);
  TtOps ops = tt_collect(arena, func, "tt.runtime_arg");
  const char **names = tt_arena_alloc(
      arena, ((size_t)args.n + (size_t)ops.n + tt_num_runtime_arg_names) * sizeof *names);
  intptr_t n = 0;
  for (intptr_t i = 0; i < args.n; ++i) {
    if (!args.data[i].is_tensor) continue;
    MlirAttribute accessor = tt_named_attr(func, "tensor_accessor", args.data[i].name);
    if (!tt_tensor_accessor_attr_isa(accessor) ||
        tt_tensor_accessor_attr_type(accessor) != TT_ACCESSOR_KIND_BOUND)
      return tt_error(func,
                      "the accessor of tensor '%s' is not bound: run "
                      "--tt-configure-tensor-accessor first",
                      args.data[i].name);
    names[n++] = tt_arena_printf(arena, "%s_addr", args.data[i].name);
  }
  for (intptr_t i = 0; i < args.n; ++i)
    if (!args.data[i].is_tensor) names[n++] = args.data[i].name;
  n = number_dims(arena, func, ops, names, n);
  n = number_core_args(arena, func, ops, names, n);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirStringRef name = tt_string(tt_runtime_arg_name(ops.data[i]));
    bool known = false;
    for (intptr_t j = 0; j < n && !known; ++j) known = tt_str_eq(name, names[j]);
    if (!known)
      return tt_error(ops.data[i], "no core gets a runtime argument '%.*s'", (int)name.length,
                      name.data);
  }
  tt_set_attr(func, "tt.runtime_args", tt_strings_attr(arena, context, n, names));
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
