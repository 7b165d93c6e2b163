/*===- against.c - --against -------------------------------------------------------------------===
 *
 *   result against f64: relative RMS 0.0021, PCC 0.9999978
 *
 * Results beside evaluations of the model that round otherwise than the reference that judges them:
 * figures, no verdict.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

#include <math.h>
#include <string.h>

static MlirType element_of(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

/* Floats of argument `i`, as doubles (`to`) or back. */
static void convert(TtRun *r, intptr_t i, double *numbers, bool to) {
  TtArray a = tt_array_for(r, i);
  MlirType element = element_of(r->types[i]);
  if (to) tt_from_elements(element, r->data[i], &a);
  for (int64_t j = 0; j < a.n; ++j)
    if (to) numbers[j] = ((float *)a.data)[j];
    else ((float *)a.data)[j] = (float)numbers[j];
  if (!to) tt_to_elements(element, &a, r->data[i]);
}

static void print(TtRun *r, intptr_t i, const char *type, const TtArray *result) {
  TtArray other = tt_array_for(r, i);
  tt_from_elements(element_of(r->types[i]), r->data[i], &other);
  if (other.type != TT_NPY_F32) return;
  TtComparison c = tt_compare(result->data, other.data, result->n, (TtTolerance){.rms = INFINITY},
                              (TtSpecials){.keeps_nan = false});
  double rms = c.unlike ? INFINITY : c.rms;
  printf("%s against %s: relative RMS %.3g, PCC %.7f\n", r->args.data[i].name, type, rms, c.pcc);
}

bool tt_compare_against(TtRun *r, const TtArray *results) {
  static const char *const names[] = {"f64", "bf16"};
  void **data = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *data), **own = r->data;
  for (int p = 0; p < 2; ++p) {
    TtPrecision precision = p == 0 ? TT_PRECISION_F64 : TT_PRECISION_BF16;
    if (!(r->options.against & precision)) continue;
    MlirModule copy =
        mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(r->reference)));
    for (intptr_t i = 0; i < r->n; ++i) {
      size_t bytes = tt_raw_bytes(r, i);
      bool wide = precision == TT_PRECISION_F64 && mlirTypeIsAFloat(element_of(r->types[i]));
      data[i] = tt_arena_alloc(r->arena, 4 * bytes + sizeof(double));
      if (wide) convert(r, i, data[i], true);
      else memcpy(data[i], own[i], bytes);
    }
    bool ok = tt_reference_run_model(copy, tt_model_of(r, copy), r->types, data, precision);
    mlirModuleDestroy(copy);
    if (!ok) return false;
    for (intptr_t i = 0; i < r->n; ++i) {
      if (!r->args.data[i].written) continue;
      bool wide = precision == TT_PRECISION_F64 && mlirTypeIsAFloat(element_of(r->types[i]));
      size_t bytes = tt_raw_bytes(r, i);
      void *kept = own[i], *room = tt_arena_alloc(r->arena, bytes + 1);
      memcpy(room, own[i], bytes);
      r->data[i] = room;
      if (wide) convert(r, i, data[i], false);
      else memcpy(room, data[i], bytes);
      print(r, i, names[p], &results[i]);
      r->data[i] = kept;
    }
  }
  return true;
}
