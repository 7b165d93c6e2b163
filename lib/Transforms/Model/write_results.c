/*===- write_results.c - --tt-write-results --------------------------------------------------===
 *
 * What holds a result of a bufferized model until the end is the result's tensor itself, seen in
 * its shape, and what bufferization copies to itself is left out.
 *
 *   before  %0 = memref.alloc() : memref<128x64xf32>   scf.forall … { … %0 … }
 *           %1 = memref.expand_shape %0 : … into memref<1x128x64xf32>   memref.copy %1, %result
 *   after   %0 = memref.collapse_shape %result : … into memref<128x64xf32>   scf.forall … { … %0 …
 * }
 *
 * Sizes of views become those of what they view, so that open ones of results are known by those of
 * arguments.
 *
 * Requires bufferization, with results as the last arguments. Refuses results that nothing
 * computes.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/host_values.h"
#include "Passes/passes_decl.h"
#include "Support/input_op.h"
#include "Transforms/Model/model.h"
#include "Transforms/Raise/slices.h"

static bool is_reshape(MlirOperation op) {
  return tt_op_is(op, "memref.expand_shape") || tt_op_is(op, "memref.collapse_shape");
}

/* The opposite of reshape `op`, of `value`, which has the type of its result. */
static MlirValue undo(TtArena *arena, TtBuilder *b, MlirOperation op, MlirValue value) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  bool expand = tt_op_is(op, "memref.collapse_shape");
  TtOpState s = tt_op_state(expand ? "memref.expand_shape" : "memref.collapse_shape",
                            mlirOperationGetLocation(op));
  tt_op_state_operand(&s, value);
  tt_op_state_attr(&s, b->context, "reassociation", tt_op_attr(op, "reassociation"));
  if (expand) {
    intptr_t rank = mlirShapedTypeGetRank(type);
    int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
    for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
    tt_op_state_attr(&s, b->context, "static_output_shape",
                     mlirDenseI64ArrayGet(b->context, rank, shape));
  }
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Open sizes of a result are those of the arguments that its buffer's are of. Another one is
 * refused: nobody knows how large a file such a result needs. */
static bool name_sizes(TtArena *arena, MlirOperation func, MlirOperation alloc, MlirValue source,
                       MlirValue result) {
  intptr_t number = mlirBlockArgumentGetArgNumber(result), arg, dim;
  const char *name = tt_arg_name(arena, func, number);
  MlirType type = mlirValueGetType(result);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    if (!tt_find_host_size(func, source, d, &arg, &dim) ||
        !mlirShapedTypeIsDynamicDim(mlirValueGetType(tt_arg(func, arg)), dim))
      return tt_error(alloc,
                      "dimension %jd of '%s' is no size of an argument, so that nobody knows how "
                      "large it is; return it in a shape whose open sizes are those of arguments",
                      (intmax_t)d, name);
    tt_assume_equal_dims(arena, func, tt_dim_name(arena, tt_arg_name(arena, func, arg), dim),
                         tt_dim_name(arena, name, d));
  }
  return true;
}

/* Puts tensor `result` in the place of the buffer that `copy` copies to it. */
static bool write_directly(TtArena *arena, MlirOperation func, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0), result = mlirOperationGetOperand(copy, 1);
  TtOps views = {NULL, 0, 0};
  MlirValue root = source;
  while (is_reshape(tt_defining_op(root))) {
    tt_ops_add(arena, &views, tt_defining_op(root));
    root = mlirOperationGetOperand(tt_defining_op(root), 0);
  }
  MlirOperation alloc = tt_defining_op(root);
  bool of_op = tt_input_op(mlirOperationGetLocation(copy)).length > 0;
  if (!tt_op_is(alloc, "memref.alloc") && of_op) return true; /* --tt-check-grids names it */
  if (!tt_op_is(alloc, "memref.alloc"))
    return tt_error(func,
                    "a result of this function is an argument or a constant of it, or another "
                    "of its results; leave it out, since nothing computes it");
  if (!name_sizes(arena, func, alloc, source, result)) return false;
  TtBuilder b = tt_builder_before(alloc);
  for (intptr_t i = 0; i < views.n; ++i) result = undo(arena, &b, views.data[i], result);
  mlirOperationDestroy(copy);
  mlirValueReplaceAllUsesOfWith(root, result);
  mlirOperationDestroy(alloc);
  return true;
}

/* A copy at the end of the function, of a result. */
static bool is_of_result(MlirOperation func, MlirOperation copy) {
  return tt_op_eq(tt_parent(copy), func) &&
         mlirValueIsABlockArgument(mlirOperationGetOperand(copy, 1)) &&
         !tt_value_eq(mlirOperationGetOperand(copy, 0), mlirOperationGetOperand(copy, 1));
}

static const char *const mark = "bufferize.result"; /* of upstream, on arguments for results */

/* Calls results "result", or "result0" and so on. */
static void name_results(TtArena *arena, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  int n = 0, results = 0;
  intptr_t args = tt_num_args(func);
  MlirAttribute old = tt_op_attr(func, "arg_attrs"),
                *attrs = tt_arena_alloc(arena, (size_t)(args + 1) * sizeof *attrs);
  for (intptr_t i = 0; i < args; ++i) results += !mlirAttributeIsNull(tt_arg_attr(func, i, mark));
  for (intptr_t i = 0; i < args && results > 0; ++i) {
    attrs[i] = mlirArrayAttrGetElement(old, i);
    if (mlirAttributeIsNull(tt_arg_attr(func, i, mark))) continue;
    char *name = results == 1 ? "result" : tt_arena_printf(arena, "result%d", n++);
    MlirNamedAttribute attr = {mlirIdentifierGet(context, tt_str("tt.name")),
                               tt_string_attr(context, name)};
    attrs[i] = mlirDictionaryAttrGet(context, 1, &attr);
  }
  if (results > 0)
    mlirOperationSetInherentAttributeByName(func, tt_str("arg_attrs"),
                                            mlirArrayAttrGet(context, args, attrs));
}

static bool write_results(TtArena *arena, MlirOperation func) {
  TtOps copies = tt_collect(arena, func, "memref.copy");
  tt_name_view_dims(arena, func);
  name_results(arena, func);
  for (intptr_t i = 0; i < copies.n; ++i) {
    MlirOperation copy = copies.data[i];
    MlirValue from = mlirOperationGetOperand(copy, 0), to = mlirOperationGetOperand(copy, 1);
    if (tt_value_eq(from, to)) mlirOperationDestroy(copy);
    else if (is_of_result(func, copy) && !write_directly(arena, func, copy)) return false;
  }
  return true;
}

bool tt_run_write_results(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, write_results);
}
