/*===- engine_config.c - what compute kernels say that they are set to ------------------------===
 *
 *   tt.kernel @compute() … config = <math_fidelity = HiFi4, fp32_dest_acc = true, …,
 *                                    unpack_to_dest = [@cb_in0]>
 *   tt.fpu.matmul_init %a, %b, %c {tt.in_startup}
 *
 * Emission prints both and decides nothing, so they are there, agree with what the program says,
 * and are right for what the kernel does.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/compute_config.h"
#include "Analysis/core_args.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "Verify/protocol.h"

static const char *word(bool flag) { return flag ? "true" : "false"; }

/* Where the program's metadata says something, the kernel's configuration says the same. */
static bool check_agreement(MlirOperation program, MlirOperation kernel, MlirAttribute config) {
  MlirAttribute asked = tt_asked_config(program, mlirAttributeGetNull());
  TtMathFidelity fidelity = tt_compute_config_attr_math_fidelity(config),
                 asked_fidelity = tt_compute_config_attr_math_fidelity(asked);
  if (fidelity != asked_fidelity && !mlirAttributeIsNull(tt_get_attr(program, "tt.math_fidelity")))
    return tt_error(kernel,
                    "config has math_fidelity = %s, but tt.math_fidelity of the program is \"%s\"; "
                    "let them agree",
                    tt_math_fidelity_str((int)fidelity), tt_math_fidelity_str((int)asked_fidelity));
  bool wide = tt_compute_config_attr_fp32_dest_acc(config),
       approx = tt_compute_config_attr_math_approx(config);
  if (wide != tt_compute_config_attr_fp32_dest_acc(asked) &&
      !mlirAttributeIsNull(tt_get_attr(program, "tt.fp32_dest_acc")))
    return tt_error(kernel,
                    "config has fp32_dest_acc = %s, but tt.fp32_dest_acc of the program is %s; let "
                    "them agree",
                    word(wide), word(!wide));
  if (approx != tt_compute_config_attr_math_approx(asked) &&
      !mlirAttributeIsNull(tt_get_attr(program, "tt.math_approx")))
    return tt_error(kernel,
                    "config has math_approx = %s, but tt.math_approx of the program is %s; let "
                    "them agree",
                    word(approx), word(!approx));
  return true;
}

/* What is unpacked to DST as it is may be. */
static bool check_unpacked(TtArena *arena, MlirOperation program, MlirOperation kernel,
                           MlirAttribute config) {
  MlirAttribute names = tt_compute_config_attr_unpack_to_dest(config);
  if (mlirAttributeIsNull(names)) return true;
  TtUnpackUses uses = tt_unpack_uses(arena, program, kernel);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
    for (intptr_t j = 0; j < uses.n; ++j) {
      MlirStringRef name = tt_symbol_name(uses.data[j].cb);
      if (!mlirStringRefEqual(name, tt_string(mlirArrayAttrGetElement(names, i)))) continue;
      const char *why =
          tt_why_not_to_dst(arena, &uses.data[j], tt_compute_config_attr_fp32_dest_acc(config));
      if (why)
        return tt_error(
            kernel,
            "unpack_to_dest of the config has @%.*s, but %s; only what is copied alone, "
            "32 bits to 32 bits, goes past the source registers: remove it",
            (int)name.length, name.data, why);
    }
  return true;
}

static bool check_inits(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (mlirAttributeIsNull(tt_get_attr(ops.data[i], "tt.in_startup"))) continue;
    const char *why = tt_why_not_in_startup(arena, ops.data[i]);
    if (why)
      return tt_error(ops.data[i],
                      "[rule 11] tt.in_startup says that the startup may do this, but %s; remove "
                      "it, and all eras have the init",
                      why);
  }
  return true;
}

/* A kernel is built for exponents of one width. */
static bool check_exponents(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer");
  MlirOperation cores = tt_core_set_of(program, kernel), first = {NULL};
  for (intptr_t i = 0; i < cbs.n; ++i) {
    int64_t x, y;
    TtDataFormat format = tt_cb_format(cbs.data[i]);
    int exponent = tt_format((TtDType)format)->exponent;
    if (!exponent || !tt_core_sets_meet(cores, tt_core_set_of(program, cbs.data[i]), &x, &y))
      continue;
    if (mlirOperationIsNull(first)) first = cbs.data[i];
    TtDataFormat other = tt_cb_format(first);
    if (tt_format((TtDType)other)->exponent == exponent) continue;
    MlirStringRef a = tt_symbol_name(first), b = tt_symbol_name(cbs.data[i]);
    return tt_error(kernel,
                    "[rule 12] its core (%jd, %jd) has @%.*s of %s and @%.*s of %s, but kernels "
                    "are built for exponents of one width; make one of them float32, which goes "
                    "with both",
                    (intmax_t)x, (intmax_t)y, (int)a.length, a.data, tt_data_format_str((int)other),
                    (int)b.length, b.data, tt_data_format_str((int)format));
  }
  return true;
}

bool tt_check_config(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  MlirAttribute config = tt_kernel_config(kernel);
  if (mlirAttributeIsNull(config))
    return tt_error(kernel, "the compute kernel says not what it is set to: run "
                            "--tt-configure-compute (stage E), or write config = <math_fidelity = "
                            "HiFi4, fp32_dest_acc = false, math_approx = false> behind its "
                            "processor");
  return check_agreement(program, kernel, config) && check_exponents(arena, program, kernel) &&
         check_unpacked(arena, program, kernel, config) && check_inits(arena, kernel);
}
