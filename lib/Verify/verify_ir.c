/*===- verify_ir.c - --tt-verify-ir ---------------------------------------------------===
 *
 * Checks what the stages left, and changes nothing:
 *
 *   - levels: no protocol op in a kernel that is not split, none but protocol ops
 *     in one that is;
 *   - roles: every op stands in the kernel that it belongs to;
 *   - limits: circular buffers, L1, runtime arguments, data formats;
 *   - marks: what each pass of stage D leaves is there;
 *   - what compute kernels are set to (engine_config.c);
 *   - protocol: an abstract run of each program (protocol_run.c).
 *
 * A program is run with the arguments of each core that differs from the others;
 * one of dynamic sizes, with some sizes, and by tt-run with those that it gets.
 * With strict=true, as in --tt-pipeline, untidiness that the hardware forgives in
 * hand-written programs is an error.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/ranges.h"
#include "Analysis/runtime_args.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/verify.h"
#include "Passes/passes_decl.h"
#include "Verify/protocol.h"

#include <string.h>

/* A kernel before stage D. */
static bool verify_kernel(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirStringRef name = tt_op_name(ops.data[i]);
    if (tt_op_info(ops.data[i])->level == TT_LEVEL_PROTOCOL)
      return tt_error(ops.data[i],
                      "%.*s is a protocol op, but the kernel is not split; before stage D "
                      "there are none",
                      (int)name.length, name.data);
  }
  return true;
}

/* Whether an op of a role may stand in a kernel of another. */
static bool belongs(TtRole op, TtKernelRole kernel) {
  static const TtRole roles[] = {TT_ROLE_READER, TT_ROLE_COMPUTE, TT_ROLE_WRITER};
  return op == TT_ROLE_ANY || op == roles[kernel] ||
         (op == TT_ROLE_MOVER && kernel != TT_KERNEL_ROLE_COMPUTE);
}

static bool verify_levels(TtArena *arena, MlirOperation func, TtKernelRole role) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    const TtOpInfo *info = tt_op_info(ops.data[i]);
    MlirStringRef name = tt_op_name(ops.data[i]);
    if (info->level == TT_LEVEL_PROTOCOL_FREE)
      return tt_error(ops.data[i],
                      "%.*s is no protocol op; after stage D there are protocol ops only: "
                      "run --tt-stage-d",
                      (int)name.length, name.data);
    if (info->level == TT_LEVEL_PROTOCOL && !belongs(info->role, role))
      return tt_error(ops.data[i], "%.*s does not belong in a %s kernel", (int)name.length,
                      name.data, tt_kernel_role_str((int)role));
  }
  return true;
}

static bool verify_limits(TtArena *arena, MlirOperation program) {
  const TtChip *chip = tt_target_of(program).chip;
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer");
  int64_t bytes = 0;
  int64_t most = tt_target_of(program).cbs;
  const char *has = tt_has_cbs(program);
  if (cbs.n > most)
    return tt_error(program, "[rule 8] %jd circular buffers, but %s %jd", (intmax_t)cbs.n, has,
                    (intmax_t)most);
  for (intptr_t i = 0; i < cbs.n; ++i) {
    int64_t id = tt_int(tt_circular_buffer_id(cbs.data[i]));
    if (id >= most)
      return tt_error(cbs.data[i], "[rule 8] CB id %jd, but %s %jd", (intmax_t)id, has,
                      (intmax_t)most);
    if (tt_int(tt_circular_buffer_pages(cbs.data[i])) > UINT16_MAX)
      return tt_error(cbs.data[i], "[rule 7] %jd pages, but the chip counts them with 16 bits",
                      (intmax_t)tt_int(tt_circular_buffer_pages(cbs.data[i])));
    bytes += tt_cb_bytes(cbs.data[i]);
  }
  int64_t tensors = tt_program_tensor_bytes(arena, program);
  if (bytes > tt_usable_l1(chip))
    return tt_error(program, "[rule 8] the circular buffers need %jd bytes, but L1 has %jd",
                    (intmax_t)bytes, (intmax_t)tt_usable_l1(chip));
  return tensors <= tt_usable_l1(chip) - bytes ||
         tt_error(program,
                  "[rule 8] the circular buffers need %jd bytes and the tensors in L1 %jd, but L1 "
                  "has %jd; keep a "
                  "tensor in DRAM, or use smaller blocks",
                  (intmax_t)bytes, (intmax_t)tensors, (intmax_t)tt_usable_l1(chip));
}

static bool verify_arguments(TtArena *arena, MlirOperation func) {
  TtRuntimeArgs args = tt_runtime_args_of(arena, func);
  return tt_check_runtime_args(arena, func, &args) && tt_check_bindings(arena, func);
}

static bool verify_work(MlirOperation program) {
  MlirAttribute work = tt_get_attr(program, "tt.work_partition");
  bool local = tt_str_eq(tt_string(tt_get_attr(program, "tt.partition_mode")), "local_shard");
  MlirAttribute grid = tt_get_attr(program, "tt.grid");
  int64_t next = 0, units = 1;
  for (intptr_t i = 0; !mlirAttributeIsNull(work) && i < mlirArrayAttrGetNumElements(work); ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    int64_t count = tt_work_attr_count(w);
    if (tt_work_attr_start_id(w) != next)
      return tt_error(program,
                      "core %jd starts with unit %jd, but unit %jd is the next one that nobody "
                      "has",
                      (intmax_t)i, (intmax_t)tt_work_attr_start_id(w), (intmax_t)next);
    if (!local) next += count; /* in mode local_shard each core numbers its own */
  }
  for (int i = 0; !mlirAttributeIsNull(grid) && i < 3; ++i)
    if (__builtin_mul_overflow(units, mlirDenseI64ArrayGetElement(grid, i), &units)) units = -1;
  if (next == 0 || mlirAttributeIsNull(grid) || next == units) return true;
  return tt_error(program,
                  "tt.work_partition gives %jd units of work to cores, but tt.grid has %jd; each "
                  "unit has one core",
                  (intmax_t)next, (intmax_t)units);
}

static bool has_dynamic_args(MlirOperation program) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (tt_is_memref(mlirFunctionTypeGetInput(type, i)) &&
        !mlirShapedTypeHasStaticShape(mlirFunctionTypeGetInput(type, i)))
      return true;
  return false;
}

enum { TRIES = 4 }; /* sizes and scalars with which a program is checked */

/* Integers that steps may depend on. */
static TtSizes find_scalars(TtArena *arena, MlirOperation program) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  TtSizes scalars = {.names = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *scalars.names)};
  scalars.sizes = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *scalars.sizes);
  for (intptr_t i = 0; !mlirAttributeIsNull(names) && i < n; ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (mlirTypeIsAIndex(input) || mlirTypeIsAInteger(input))
      scalars.names[scalars.n++] =
          tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)));
  }
  return scalars;
}

static MlirType scalar_type(MlirOperation program, const char *name) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  intptr_t i = 0;
  while (!tt_str_eq(tt_string(mlirArrayAttrGetElement(names, i)), name)) ++i;
  return mlirFunctionTypeGetInput(type, i);
}

/* The least and the greatest that they may be, the one after the least, and one in the middle. */
static void set_scalars(TtArena *arena, MlirOperation program, TtSizes *scalars, int which) {
  int64_t *values = tt_arena_alloc(arena, (size_t)(scalars->n + 1) * sizeof *values);
  for (intptr_t i = 0; i < scalars->n; ++i) {
    TtRange r =
        tt_program_range(program, scalars->names[i], scalar_type(program, scalars->names[i]));
    int64_t middle = r.lo / 2 + r.hi / 2;
    values[i] = which == 0 ? r.lo : which == 1 ? r.hi : which == 2 ? middle : r.lo + (r.lo < r.hi);
  }
  scalars->sizes = values;
}

enum { MOST_LOADED = 4096 }; /* of what tables hold, for which a dynamic dimension is made longer */

/* What dynamic dimensions have at least, so that blocks of constant size lie in them, and integers
 * of tables, whose greatest is said, may be indices of them: a kernel is not called with less. */
static int64_t least_size(TtArena *arena, MlirOperation program, TtOps loads) {
  int64_t least = tt_largest_least_size(arena, program);
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirAttribute ranged = tt_op_attr(loads.data[i], "ranged");
    int64_t hi = tt_int(tt_op_attr(loads.data[i], "hi"));
    if (!mlirAttributeIsNull(ranged) && hi > least && hi <= MOST_LOADED) least = hi;
  }
  return least;
}

static bool verify_program(TtArena *arena, MlirOperation program, TtCheckOptions options) {
  if (!tt_check_metadata(program)) return false;
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!verify_levels(arena, kernels.data[i], tt_role_of(kernels.data[i])) ||
        !verify_arguments(arena, kernels.data[i]) ||
        (tt_role_of(kernels.data[i]) == TT_KERNEL_ROLE_COMPUTE &&
         !tt_check_config(arena, program, kernels.data[i])))
      return false;
  if (!verify_limits(arena, program) || !verify_work(program)) return false;
  /* Sizes of dynamic dimensions: less than a tile, and some that leave a rest. */
  static const int64_t sizes[TRIES] = {1, 70, 200, 4099};
  bool dynamic =
      !mlirAttributeIsNull(tt_get_attr(program, "tt.grid_map")) || has_dynamic_args(program);
  TtSizes scalars = find_scalars(arena, program);
  TtOps loads = tt_collect(arena, program, "metalium.load_word");
  for (int i = 0; i < (dynamic || loads.n > 0 || scalars.n > 0 ? TRIES : 1); ++i) {
    scalars.loaded = i;
    set_scalars(arena, program, &scalars, i);
    scalars.others = sizes[i] + least_size(arena, program, loads);
    if (!tt_protocol_check(arena, program, options, &scalars)) return false;
  }
  return true;
}

/* Host functions have their form once their kernels are programs. */
static bool verify_hosts(MlirOperation module) {
  TtArena *arena = tt_arena_create();
  TtOps hosts = tt_hosts(arena, module);
  bool ok = true;
  for (intptr_t i = 0; ok && tt_collect(arena, module, "tt.program").n > 0 && i < hosts.n; ++i)
    ok = tt_verify_host(arena, hosts.data[i]);
  tt_arena_destroy(arena);
  return ok;
}

/* An option that is true or false, false where it is not given. */
static bool read_flag(MlirOperation module, const char *name, const char *value, bool *flag) {
  *flag = strcmp(value, "true") == 0;
  return *flag || !*value || strcmp(value, "false") == 0 ||
         tt_error(module, "%s=%s: expected true or false", name, value);
}

static bool verify_programs(MlirOperation module, TtCheckOptions options) {
  TtArena *list = tt_arena_create();
  TtOps programs = tt_collect(list, module, "tt.program");
  bool ok = true;
  for (intptr_t i = 0; ok && i < programs.n; ++i) {
    TtArena *arena = tt_arena_create();
    ok = verify_program(arena, programs.data[i], options);
    tt_arena_destroy(arena);
  }
  tt_arena_destroy(list);
  return ok;
}

bool tt_run_verify_ir(MlirOperation module, const TtPassOptions *options) {
  TtCheckOptions check;
  return read_flag(module, "strict", options->values[0], &check.strict) &&
         read_flag(module, "exhaustive", options->values[1], &check.exhaustive) &&
         tt_for_each_kernel(module, verify_kernel) && verify_programs(module, check) &&
         verify_hosts(module);
}
