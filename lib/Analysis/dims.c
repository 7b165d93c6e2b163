/*===- dims.c - sizes of tensors that are known when a kernel runs ------------------===*/

#include "Analysis/dims.h"

#include <stdlib.h>
#include <string.h>

char *tt_dim_name(TtArena *arena, const char *tensor, intptr_t dim) {
  return tt_arena_printf(arena, "%s_d%jd", tensor, (intmax_t)dim);
}

MlirValue tt_named_arg(TtArena *arena, MlirOperation func, const char *name) {
  TtOps args = tt_collect(arena, func, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i)
    if (tt_str_eq(tt_string(tt_runtime_arg_name(args.data[i])), name) &&
        mlirBlockEqual(mlirOperationGetBlock(args.data[i]), tt_body(func))) {
      TtBuilder top = tt_builder_at_start(tt_body(func));
      if (!tt_op_eq(top.before, args.data[i])) mlirOperationMoveBefore(args.data[i], top.before);
      return tt_runtime_arg_value(args.data[i]);
    }
  TtBuilder b = tt_builder_at_start(tt_body(func));
  MlirOperation op =
      tt_runtime_arg_create(&b, mlirOperationGetLocation(func), name, mlirAttributeGetNull());
  tt_name_hint(op, name);
  return tt_runtime_arg_value(op);
}

MlirValue tt_dim_value(TtArena *arena, MlirOperation func, TtBuilder *b, const char *name,
                       MlirType type, intptr_t dim) {
  if (!mlirShapedTypeIsDynamicDim(type, dim))
    return tt_index(b, mlirOperationGetLocation(func), mlirShapedTypeGetDimSize(type, dim));
  return tt_named_arg(arena, func, tt_dim_name(arena, name, dim));
}

bool tt_name_dims(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "memref.dim");
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirValue memref = mlirOperationGetOperand(op, 0);
    int64_t dim;
    const TtArg *arg = NULL;
    for (intptr_t j = 0; j < args.n; ++j)
      if (tt_value_eq(args.data[j].value, memref)) arg = &args.data[j];
    if (!arg) continue;
    if (!tt_constant(mlirOperationGetOperand(op, 1), &dim) || dim < 0 ||
        dim >= mlirShapedTypeGetRank(arg->type))
      return tt_error(
          op,
          "asks for a dimension that is no constant below the rank of '%s'; name it by a "
          "constant",
          arg->name);
    TtBuilder b = tt_builder_before(op);
    tt_replace(op, tt_dim_value(arena, func, &b, arg->name, arg->type, dim));
  }
  return true;
}

void tt_assume_equal_dims(TtArena *arena, MlirOperation func, const char *a, const char *b) {
  MlirContext context = mlirOperationGetContext(func);
  MlirAttribute before = tt_get_attr(func, "tt.equal_dims");
  intptr_t n = mlirAttributeIsNull(before) ? 0 : mlirArrayAttrGetNumElements(before);
  const char *text = tt_arena_printf(arena, "%s=%s", a, b);
  const char **texts = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *texts);
  for (intptr_t i = 0; i < n; ++i) {
    texts[i] = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(before, i)));
    if (strcmp(texts[i], text) == 0) return;
  }
  texts[n] = text;
  tt_set_attr(func, "tt.equal_dims", tt_strings_attr(arena, context, n + 1, texts));
}

static bool has_dim(TtArena *arena, MlirOperation func, const char *name) {
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    MlirType type = mlirValueGetType(tt_arg(func, i));
    for (intptr_t d = 0; tt_is_memref(type) && d < mlirShapedTypeGetRank(type); ++d)
      if (strcmp(tt_dim_name(arena, tt_arg_name(arena, func, i), d), name) == 0) return true;
  }
  return false;
}

void tt_keep_known_dims(TtArena *arena, MlirOperation func) {
  MlirAttribute all = tt_get_attr(func, "tt.equal_dims");
  if (mlirAttributeIsNull(all)) return;
  tt_remove_attr(func, "tt.equal_dims");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); ++i) {
    char *a = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(all, i))), *b = strchr(a, '=');
    if (!b) continue;
    *b++ = '\0';
    if (has_dim(arena, func, a) && has_dim(arena, func, b)) tt_assume_equal_dims(arena, func, a, b);
  }
}

const char *tt_least_size(TtArena *arena, MlirAttribute text, int64_t *least) {
  char *name = tt_arena_str(arena, tt_string(text)), *at = strstr(name, ">=");
  *least = 0;
  if (!at) return name;
  *at = 0;
  *least = strtoll(at + 2, NULL, 10);
  return name;
}

int64_t tt_largest_least_size(TtArena *arena, MlirOperation func) {
  MlirAttribute all = tt_get_attr(func, "tt.least_sizes");
  int64_t largest = 0, least;
  for (intptr_t i = 0; !mlirAttributeIsNull(all) && i < mlirArrayAttrGetNumElements(all); ++i) {
    tt_least_size(arena, mlirArrayAttrGetElement(all, i), &least);
    if (least > largest) largest = least;
  }
  return largest;
}
