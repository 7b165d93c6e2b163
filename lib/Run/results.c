/*===- results.c - what a run has left, and what it should have -------------------------------===
 *
 *   result: max abs error 0.01, relative RMS 0.001 (at most 0.012), PCC 0.9999995 (…): ok
 *
 * The tolerance is that of the program's own arithmetic: of its fidelity, its DST, what it sums and
 * stores.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/compute_config.h"
#include "Dialect/op_info.h"
#include "Run/session.h"

#include <math.h>
#include <string.h>

/* What the first compute kernel of a program is set to. */
static MlirAttribute config_of(TtRun *r, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(r->arena, program, TT_KERNEL_ROLE_COMPUTE);
  return kernels.n ? tt_config_of(kernels.data[0])
                   : tt_asked_config(program, mlirAttributeGetNull());
}

/* The longest sum of a kernel of dynamic sizes may run over any of them. */
static int64_t longest_size(const TtRun *r) {
  int64_t tiles = 1;
  for (intptr_t i = 0; i < r->dims.dims.n; ++i)
    if (tt_tiles(r->sizes[i]) > tiles) tiles = tt_tiles(r->sizes[i]);
  return tiles;
}

static bool has_fast_exponentials(TtRun *r, MlirOperation program) {
  TtOps calls = tt_collect(r->arena, program, "metalium.sfpu_tile");
  for (intptr_t i = 0; i < calls.n; ++i) switch (metalium_sfpu_tile_op(calls.data[i])) {
    case TT_SFPU_EXP_FAST:
    case TT_SFPU_EXP_FAST_COLUMN:
    case TT_SFPU_EXP_BELOW:
    case TT_SFPU_EXP_SIGNED: return true;
    default: break;
    }
  return false;
}

static TtTolerance rounding_of(TtRun *r, MlirOperation program) {
  MlirAttribute kt = tt_get_attr(program, "tt.kt"), config = config_of(r, program);
  int phases = (int)tt_compute_config_attr_math_fidelity(config) + 1;
  bool is_wide = tt_compute_config_attr_fp32_dest_acc(config) && !tt_is_narrow_in_memory(program);
  int64_t accumulated = mlirAttributeIsNull(kt) ? 1 : tt_int(kt), longest = longest_size(r);
  if (longest > accumulated) accumulated = longest;
  if (is_wide && tt_rounds_between_ops(program)) return tt_rounded_tolerance(phases);
  return tt_tolerance(is_wide, phases, accumulated);
}

static TtTolerance tolerance_of(TtRun *r, MlirOperation program) {
  TtTolerance t = rounding_of(r, program);
  return has_fast_exponentials(r, program) ? tt_fast_exp_tolerance(t) : t;
}

/* What all launches may add, each for every product and sum of a model that it does, and all
 * tensors between them that are stored as block floats. */
static TtTolerance whole_tolerance(TtRun *r, int bits) {
  TtTolerance all = {.rms = 0, .pcc = 1};
  for (intptr_t i = 0; i < r->programs.n; ++i) {
    TtTolerance t = tolerance_of(r, r->programs.data[i]);
    MlirAttribute sums = tt_get_attr(r->programs.data[i], "tt.sums");
    double n = mlirAttributeIsNull(sums) ? 1 : (double)tt_int(sums);
    all.rms += n * t.rms, all.pcc -= n * (1 - t.pcc);
  }
  for (intptr_t i = r->n; i < r->args.n; ++i) {
    bool used = !mlirAttributeIsNull(r->args.data[i].buffer);
    if (used && tt_block_bits(&r->args.data[i]))
      all = tt_stored_tolerance(all, tt_block_bits(&r->args.data[i]));
  }
  return bits ? tt_stored_tolerance(all, bits) : all;
}

static TtSpecials specials_of(TtRun *r, const TtTensor *tensor) {
  TtDType stored = TT_D_TYPE_FP32;
  if (!mlirAttributeIsNull(tensor->buffer)) stored = tt_stored_type(tensor);
  else tt_dtype_of(mlirShapedTypeGetElementType(tensor->type), &stored);
  TtSpecials s = {true, stored != TT_D_TYPE_FP32, stored == TT_D_TYPE_FP16};
  for (intptr_t i = 0; i < r->programs.n; ++i) s.keeps_nan &= tt_keeps_nan(r->programs.data[i]);
  s.keeps_nan &= !s.f16;
  return s;
}

/* Says of infinities and NaN that one of the two alone has how many there are, and where. */
static void print_unlike(const char *name, const TtArray *result, const TtArray *reference,
                         const TtComparison *c) {
  const float *have = result->data, *want = reference->data;
  int64_t rest = c->first, at[8];
  for (int d = result->rank; d-- > 0; rest /= result->shape[d]) at[d] = rest % result->shape[d];
  printf(
      "%s: %jd of %jd elements are infinite or NaN in the result or in the reference only, from [",
      name, (intmax_t)c->unlike, (intmax_t)result->n);
  for (int d = 0; d < result->rank; ++d) printf(d ? ", %jd" : "%jd", (intmax_t)at[d]);
  printf(
      "] on, which is %g instead of %g: here numbers overflow, or an op leaves its domain, where "
      "the chip is not exact (docs/accuracy.md); such inputs need a guard in the kernel, or "
      "others by --input\n",
      (double)have[c->first], (double)want[c->first]);
}

/*===- A reference that rounds more than the device may be off
 * ---------------------------------===*/

/* What it takes to evaluate the kernel again, with sums of 32 bits. */
typedef struct Again {
  MlirModule module; /* null where there is no such evaluation */
  void **data;       /* before the first one; then the results */
  bool done, ok;
} Again;

static MlirType element_of(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static MlirOperation entry_of(TtRun *r, MlirModule module) {
  MlirOperation root = mlirModuleGetOperation(module);
  TtOps hosts = tt_hosts(r->arena, root);
  return hosts.n ? hosts.data[0] : tt_kernels(r->arena, root).data[0];
}

static Again keep_for_again(TtRun *r) {
  Again again = {.data = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *again.data)};
  for (intptr_t i = 0; i < r->n; ++i) {
    again.data[i] = r->data[i];
    if (!r->args.data[i].written) continue;
    again.data[i] = tt_arena_alloc(r->arena, tt_raw_bytes(r, i) + 1);
    memcpy(again.data[i], r->data[i], tt_raw_bytes(r, i));
  }
  again.module = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(r->reference)));
  return again;
}

/* Output `i` of that evaluation, rounded as it is stored; false where there is none. */
static bool evaluate_again(TtRun *r, Again *again, intptr_t i, TtArray *wide) {
  MlirType element = element_of(r->types[i]);
  if (mlirModuleIsNull(again->module) || !(mlirTypeIsABF16(element) || mlirTypeIsAF16(element)))
    return false;
  if (!again->done)
    again->ok = tt_reference_wide(r, again->module, entry_of(r, again->module), again->data);
  again->done = true;
  if (!again->ok) return false;
  *wide = tt_array_for(r, i);
  void *stored = tt_arena_alloc(r->arena, tt_raw_bytes(r, i) + 1);
  TtArray floats = *wide;
  floats.data = again->data[i];
  tt_to_elements(element, &floats, stored);
  tt_from_elements(element, stored, wide);
  tt_round_as_stored(r, i, wide);
  return true;
}

/* Where the reference is itself further from an evaluation with sums of 32 bits than a result may
 * be, `*c` becomes how the result compares with that, which is said. */
static bool judge_again(TtRun *r, Again *again, intptr_t i, const TtArray *result,
                        const TtArray *reference, TtTolerance t, TtComparison *c) {
  TtArray wide;
  TtSpecials specials = specials_of(r, &r->args.data[i]);
  if (!evaluate_again(r, again, i, &wide)) return false;
  if (specials.f16) tt_flush_small(&wide);
  TtComparison own = tt_compare(reference->data, wide.data, wide.n, t, specials);
  if (own.within) return false;
  printf("%s: the reference, which rounds sums to 16 bits at each term, is itself off by relative "
         "RMS %.3g; judged by one that adds in 32 bits\n",
         r->args.data[i].name, own.rms);
  *c = tt_compare(result->data, wide.data, wide.n, t, specials);
  bool narrow =
      r->programs.n && !tt_compute_config_attr_fp32_dest_acc(config_of(r, r->programs.data[0]));
  if (!c->within && narrow)
    printf("%s: DST has 16 bits, to which the device rounds at each tile of a sum; "
           "tt.fp32_dest_acc = true adds in 32\n",
           r->args.data[i].name);
  return true;
}

/* Says where results that are off are rounded as they are made. */
static void print_rounding(TtRun *r, const char *name) {
  for (intptr_t i = 0; i < r->programs.n; ++i) {
    MlirOperation program = r->programs.data[i];
    bool narrow = !tt_compute_config_attr_fp32_dest_acc(config_of(r, program));
    if (!narrow && !tt_rounds_between_ops(program)) continue;
    printf("%s: what one op computes and another goes on with is rounded to 16 bits, %s, which "
           "adds up where steps of a loop do so, as in a running sum; keep it in f32%s "
           "(docs/accuracy.md)\n",
           name,
           narrow ? "as DST has no more" : "halves away from zero and in the reference to even",
           narrow ? ", and ask for tt.fp32_dest_acc = true" : "");
    return;
  }
}

static bool compare_output(TtRun *r, Again *again, intptr_t i, TtArray *result,
                           TtArray *reference) {
  const TtTensor *tensor = &r->args.data[i];
  const char *name = tensor->name;
  TtTolerance t = whole_tolerance(r, tt_block_bits(tensor));
  if (!mlirTypeIsNull(tensor->file)) t = tt_fp8_tolerance(t, mlirTypeIsAFloat8E5M2(tensor->file));
  if (result->type != TT_NPY_F32) {
    bool rounded = r->rounds_to_integers;
    return tt_compare_integers(r->arena, name, result, reference, rounded ? &t : NULL);
  }
  TtSpecials specials = specials_of(r, tensor);
  int64_t small = 0;
  if (specials.f16) {
    small = tt_flush_small(reference);
    tt_flush_small(result); /* Blackhole packs some that are too small as others */
  }
  TtComparison c = tt_compare(result->data, reference->data, result->n, t, specials);
  bool said = !c.within && judge_again(r, again, i, result, reference, t, &c);
  char pcc[32] = "constant reference";
  if (!isnan(c.pcc)) snprintf(pcc, sizeof pcc, "PCC %.7f", c.pcc);
  if (small)
    printf(
        "%s: %jd of %jd elements are below 2^-14 in the reference, which is zero in the chip's f16 "
        "(docs/accuracy.md)\n",
        name, (intmax_t)small, (intmax_t)result->n);
  printf("%s: max abs error %.3g, relative RMS %.3g (at most %.2g), %s (at least %.4g): %s\n", name,
         c.max_abs, c.rms, t.rms, pcc, c.pcc_needed, c.within ? "ok" : "OUT OF TOLERANCE");
  if (!c.within && !said && !c.unlike) print_rounding(r, name);
  if (c.unlike) print_unlike(name, result, reference, &c);
  if (c.not_judged)
    printf("%s: %jd of %jd elements are NaN in the reference, which the chip need not have "
           "(docs/accuracy.md), and are not judged\n",
           name, (intmax_t)c.not_judged, (intmax_t)result->n);
  return c.within;
}

bool tt_finish(TtRun *r) {
  bool ok = true;
  TtArray *results = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *results);
  for (intptr_t i = 0; i < r->n; ++i) {
    MlirType type = r->args.data[i].type;
    if (!r->args.data[i].written) continue;
    results[i] = tt_array_for(r, i);
    bool small = !mlirTypeIsNull(r->args.data[i].file);
    size_t bytes = small ? (size_t)results[i].n : tt_raw_bytes(r, i);
    void *raw = tt_arena_alloc(r->arena, bytes + 1);
    if (!tt_read_raw(r, tt_raw_name(r, i), raw, bytes)) return false;
    if (small)
      tt_from_fp8(mlirTypeIsAFloat8E5M2(r->args.data[i].file), raw, results[i].n, results[i].data);
    else tt_from_elements(mlirShapedTypeGetElementType(type), raw, &results[i]);
    for (int j = 0; j < r->options.num_outputs; ++j)
      if (strcmp(r->options.outputs[j].name, r->args.data[i].name) == 0)
        ok = tt_npy_write(r->options.outputs[j].value, &results[i]) && ok;
  }
  if (!r->options.check || !ok) return ok;
  tt_progress("running the reference");
  MlirOperation module = mlirModuleGetOperation(r->reference);
  r->rounds_to_integers = tt_rounds_to_integers(r->arena, module);
  MlirOperation model = tt_model_of(r, r->reference);
  if (r->options.against && !tt_compare_against(r, results)) return false;
  Again again = {.module = {NULL}};
  if (mlirOperationIsNull(model)) again = keep_for_again(r);
  if (mlirOperationIsNull(model)
          ? !tt_reference_run(r->reference, entry_of(r, r->reference), r->types, r->data)
          : !tt_reference_run_model(r->reference, model, r->types, r->data, TT_PRECISION_GIVEN))
    return false;
  tt_progress("");
  for (intptr_t i = 0; i < r->n; ++i) {
    if (!r->args.data[i].written) continue;
    TtArray reference = tt_array_for(r, i);
    tt_from_elements(mlirShapedTypeGetElementType(r->args.data[i].type), r->data[i], &reference);
    tt_round_as_stored(r, i, &reference);
    ok = compare_output(r, &again, i, &results[i], &reference) && ok;
  }
  if (!mlirModuleIsNull(again.module)) mlirModuleDestroy(again.module);
  for (intptr_t i = 0; !ok && i < r->n; ++i) /* what numbers it was run with may be the reason */
    if (r->numbers[i])
      printf("with %s = %s; --input %s=NUMBER gives another\n", r->args.data[i].name, r->numbers[i],
             r->args.data[i].name);
  return ok;
}
