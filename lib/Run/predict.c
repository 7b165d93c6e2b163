/*===- predict.c - what each kernel of a run is expected to take ------------------------------===
 *
 * Analysis/timing.c predicts a program from the sizes of its tensors, and from its scalars. Those
 * of a kernel by itself are on the command line. A host function gives its kernels tensors of its
 * own: an open size is that of the host function's argument, where all launches of the kernel
 * agree.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/host_values.h"
#include "Analysis/program.h"
#include "Run/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes by name; one that has two values is known no more. */
typedef struct Known {
  TtArena *arena;
  TtSizes sizes;
  int64_t *values;
  intptr_t room;
  bool clear; /* whether all are known, and have one value */
} Known;

static Known known_of(TtArena *arena, intptr_t room) {
  Known k = {.arena = arena, .room = room, .clear = true};
  k.values = tt_arena_alloc(arena, (size_t)(room + 1) * sizeof *k.values);
  k.sizes.names = tt_arena_alloc(arena, (size_t)(room + 1) * sizeof *k.sizes.names);
  k.sizes.sizes = k.values, k.sizes.others = 1;
  return k;
}

static void note(Known *k, char *name, int64_t value) {
  if (tt_has_size(&k->sizes, tt_str(name))) {
    k->clear = k->clear && tt_size_named(&k->sizes, tt_str(name)) == value;
    return;
  }
  if (k->sizes.n == k->room) return;
  k->sizes.names[k->sizes.n] = name;
  k->values[k->sizes.n++] = value;
}

TtSizes tt_sizes_of_run(TtRun *r) {
  Known k = known_of(r->arena, r->dims.dims.n + r->n);
  for (intptr_t i = 0; i < r->dims.dims.n; ++i) note(&k, r->dims.dims.names[i], r->sizes[i]);
  for (intptr_t i = 0; i < r->n; ++i) /* and its scalars */
    if (r->numbers[i] && !mlirTypeIsAFloat(r->types[i]))
      note(&k, r->args.data[i].name, strtoll(r->numbers[i], NULL, 10));
  return k.sizes;
}

/*===- Kernels of a host function ------------------------------------------------------------===*/

static bool is_number_of_host(const TtRun *r, MlirValue value, intptr_t *arg) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(r->subject)))
    return false;
  *arg = mlirBlockArgumentGetArgNumber(value);
  return *arg < r->n && r->numbers[*arg];
}

/* The sizes of what a launch gives its program's argument `i`. */
static void note_argument(TtRun *r, Known *k, MlirOperation program, MlirOperation launch,
                          intptr_t i) {
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(program, "function_type")),
           input = mlirFunctionTypeGetInput(type, i);
  char *name = tt_arena_str(r->arena,
                            tt_string(mlirArrayAttrGetElement(tt_get_attr(program, "tt.args"), i)));
  MlirValue given = mlirOperationGetOperand(launch, i);
  intptr_t arg, dim;
  if (!tt_is_memref(input)) {
    if (is_number_of_host(r, given, &arg) && !mlirTypeIsAFloat(input))
      note(k, name, strtoll(r->numbers[arg], NULL, 10));
    return; /* floats steer nothing; where others do that are not known, there is no prediction */
  }
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(input); ++d) {
    if (!mlirShapedTypeIsDynamicDim(input, d)) continue;
    if (tt_find_host_size(r->subject, given, d, &arg, &dim) && arg < r->n)
      note(k, tt_dim_name(r->arena, name, d), mlirShapedTypeGetDimSize(r->types[arg], dim));
    else k->clear = false;
  }
}

static Known sizes_of_kernel(TtRun *r, MlirOperation program) {
  TtOps launches = tt_collect(r->arena, r->subject, "tt.launch");
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(program, "function_type"));
  Known k = known_of(r->arena, 8 * mlirFunctionTypeGetNumInputs(type));
  for (intptr_t i = 0; i < launches.n; ++i)
    if (tt_op_eq(tt_launched_program(launches.data[i]), program))
      for (intptr_t a = 0; a < mlirFunctionTypeGetNumInputs(type); ++a)
        note_argument(r, &k, program, launches.data[i], a);
  return k;
}

/*===- Predictions ---------------------------------------------------------------------------===*/

/* Whether all is known that decides what cores do. */
static bool knows_sizes(TtArena *arena, MlirOperation program, const TtSizes *sizes) {
  intptr_t n;
  const char **names = tt_core_arg_sizes(arena, program, &n);
  for (intptr_t i = 0; i < n; ++i)
    if (!tt_has_size(sizes, tt_str(names[i]))) return false;
  return true;
}

bool tt_predict_kernel(TtRun *r, MlirOperation program, TtTiming *timing) {
  Known k = {.sizes = {.n = 0}, .clear = true};
  if (tt_op_eq(program, r->subject)) k.sizes = tt_sizes_of_run(r);
  else k = sizes_of_kernel(r, program);
  return k.clear && !mlirOperationIsNull(tt_program_core_args(program)) &&
         knows_sizes(r->arena, program, &k.sizes) &&
         tt_predict(r->arena, program, &k.sizes, timing);
}

void tt_announce_prediction(TtRun *r) {
  const char *all = "";
  unsetenv("TTEMU_PREDICTED");
  setenv("TTEMU_CLOCK", "clk", 1);
  unlink(tt_arena_printf(r->arena, "%s/clk", r->folder)); /* of an earlier run with --keep */
  for (intptr_t i = 0; i < r->programs.n; ++i) {
    TtTiming t;
    if (tt_predict_kernel(r, r->programs.data[i], &t))
      all = tt_arena_printf(r->arena, "%s%s=%.0f,", all,
                            tt_arena_identifier(r->arena, tt_symbol_name(r->programs.data[i])),
                            t.predicted);
  }
  if (*all) setenv("TTEMU_PREDICTED", all, 1);
}
