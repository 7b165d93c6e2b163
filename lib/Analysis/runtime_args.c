/*===- runtime_args.c - the runtime arguments of a kernel -------------------------------------===
 *
 *   tt.kernel @reader(%A, %B) { … tt.runtime_arg "count" … }       A_addr, B_addr, count
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/runtime_args.h"

#include "Analysis/core_args.h"
#include "Analysis/program.h"
#include "Support/text.h"

typedef struct Reads {
  TtOps ops; /* tt.runtime_arg */
  TtRuntimeArgs args;
} Reads;

static void add_if_read(Reads *r, const char *name) {
  for (intptr_t i = 0; i < r->ops.n; ++i)
    if (tt_str_eq(tt_string(tt_runtime_arg_name(r->ops.data[i])), name)) {
      r->args.names[r->args.n++] = name;
      return;
    }
}

TtRuntimeArgs tt_runtime_args_of(TtArena *arena, MlirOperation kernel) {
  MlirOperation program = tt_program_of(kernel), given = tt_program_core_args(program);
  TtArgs own = tt_kernel_args(arena, kernel);
  Reads r = {.ops = tt_collect(arena, kernel, "tt.runtime_arg")};
  intptr_t num_sizes;
  const char **sizes = tt_core_arg_sizes(arena, program, &num_sizes);
  MlirAttribute names =
      mlirOperationIsNull(given) ? mlirAttributeGetNull() : tt_core_args_names(given);
  r.args.names = tt_arena_alloc(arena, (size_t)(own.n + r.ops.n + 1) * sizeof *r.args.names);
  for (int scalars = 0; scalars < 2; ++scalars)
    for (intptr_t i = 0; i < own.n; ++i)
      if (own.data[i].is_tensor == !scalars)
        r.args.names[r.args.n++] =
            scalars ? own.data[i].name : tt_arena_printf(arena, "%s_addr", own.data[i].name);
  for (intptr_t i = 0; i < num_sizes; ++i) add_if_read(&r, sizes[i]);
  for (intptr_t i = 0; !mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names); ++i)
    add_if_read(&r, tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i))));
  return r.args;
}

intptr_t tt_runtime_arg_place(const TtRuntimeArgs *args, MlirStringRef name) {
  for (intptr_t i = 0; i < args->n; ++i)
    if (tt_str_eq(name, args->names[i])) return i;
  return -1;
}

static bool is_list(MlirAttribute listed, const TtRuntimeArgs *args) {
  if (mlirArrayAttrGetNumElements(listed) != args->n) return false;
  for (intptr_t i = 0; i < args->n; ++i)
    if (!tt_str_eq(tt_string(mlirArrayAttrGetElement(listed, i)), args->names[i])) return false;
  return true;
}

static bool wrong_list(MlirOperation kernel, MlirAttribute listed, const TtRuntimeArgs *args) {
  TtText has = {NULL, 0, 0}, takes = {NULL, 0, 0};
  tt_text_printf(&has, "%s", "");
  tt_text_printf(&takes, "%s", "");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(listed); ++i) {
    MlirStringRef name = tt_string(mlirArrayAttrGetElement(listed, i));
    tt_text_printf(&has, "%s%.*s", i ? ", " : "", (int)name.length, name.data);
  }
  for (intptr_t i = 0; i < args->n; ++i)
    tt_text_printf(&takes, "%s%s", i ? ", " : "", args->names[i]);
  tt_error(kernel,
           "[rule 20] tt.runtime_args lists [%.*s], but the kernel takes [%.*s]; remove the list "
           "and the places (`at`), and --tt-stage-e makes them",
           (int)has.n, has.n ? has.data : "", (int)takes.n, takes.n ? takes.data : "");
  tt_text_free(&has);
  tt_text_free(&takes);
  return false;
}

/* A read stands where the list has its name. */
static bool check_read(MlirOperation read, const TtRuntimeArgs *args, MlirAttribute listed) {
  MlirAttribute index = tt_runtime_arg_index(read);
  MlirStringRef name = tt_string(tt_runtime_arg_name(read));
  if (mlirAttributeIsNull(index)) return true; /* before stage E */
  bool has_list = !mlirAttributeIsNull(listed);
  int64_t i = tt_int(index), n = has_list ? mlirArrayAttrGetNumElements(listed) : args->n;
  if (i < 0 || i >= n)
    return tt_error(
        read, "[rule 20] reads runtime argument %jd, but tt.runtime_args of the kernel lists %jd",
        (intmax_t)i, (intmax_t)n);
  MlirStringRef there =
      has_list ? tt_string(mlirArrayAttrGetElement(listed, i)) : tt_str(args->names[i]);
  return mlirStringRefEqual(there, name) ||
         tt_error(read,
                  "[rule 20] reads '%.*s' as runtime argument %jd, but tt.runtime_args of the "
                  "kernel has '%.*s' there",
                  (int)name.length, name.data, (intmax_t)i, (int)there.length, there.data);
}

bool tt_check_runtime_args(TtArena *arena, MlirOperation kernel, const TtRuntimeArgs *args) {
  MlirAttribute listed = tt_get_attr(kernel, "tt.runtime_args");
  int64_t limit = tt_target_of(kernel).chip->runtime_args;
  intptr_t n = mlirAttributeIsNull(listed) ? args->n : mlirArrayAttrGetNumElements(listed);
  if (n > limit)
    return tt_error(kernel, "[rule 20] %jd runtime arguments, but a kernel takes at most %jd",
                    (intmax_t)n, (intmax_t)limit);
  TtOps reads = tt_collect(arena, kernel, "tt.runtime_arg");
  for (intptr_t i = 0; i < reads.n; ++i)
    if (!check_read(reads.data[i], args, listed)) return false;
  return mlirAttributeIsNull(listed) || is_list(listed, args) || wrong_list(kernel, listed, args);
}
