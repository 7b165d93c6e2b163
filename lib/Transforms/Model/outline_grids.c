/*===- outline_grids.c - --tt-outline-grids --------------------------------------------------===
 *
 * In a model with loops or copies, each grid becomes a kernel, and the model the host function that
 * calls it where the grid stood: loops run on the host, and give kernels their numbers.
 *
 *   before  func.func @f(%x, %c) attributes {tt.model} {
 *             scf.for %i = 0 to 8 { %v = memref.subview %c[%i, 0] …  scf.forall … { … %v … } } }
 *   after   func.func @f_0(%x, %c, %i: index) attributes {tt.kernel} {
 *             %v = memref.subview %c[%i, 0] …  scf.forall … { … %v … } }
 *           func.func @f(%x, %c) attributes {tt.host} {
 *             scf.for %i = 0 to 8 { call @f_0(%x, %c, %i) } }
 *
 * Reshapes that move elements between tiles (moved_views.c) stay in the host function.
 *
 * Copies of parts of tensors are kernels, too: of a core for each step of what is outside of their
 * matrices.
 *
 * Requires --tt-name-kernels. Leaves models without loops and copies to --tt-model-to-kernels.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/grids.h"
#include "Transforms/Raise/moved_views.h"

#include <string.h>

/* What a kernel takes from around its grid: values that are its arguments, in order, and copies of
 * what it computes itself. */
typedef struct Outline {
  TtArena *arena;
  MlirOperation grid, kernel;
  MlirBlock body;
  TtBuilder at; /* before the grid's copy */
  MlirValue *outside, *inside;
  intptr_t n, capacity;
} Outline;

/* Views and arithmetic, which the kernel does itself. */
static bool is_computed(MlirOperation op) {
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) > 0)
    return false;
  MlirStringRef name = tt_op_name(op);
  bool arithmetic = (name.length > 6 && memcmp(name.data, "arith.", 6) == 0) ||
                    (name.length > 7 && memcmp(name.data, "affine.", 7) == 0);
  return arithmetic || tt_op_is(op, "memref.subview") || tt_op_is(op, "memref.cast") ||
         tt_op_is(op, "memref.expand_shape") || tt_op_is(op, "memref.collapse_shape") ||
         tt_op_is(op, "memref.dim") || tt_op_is(op, "memref.load");
}

static void remember(Outline *o, MlirValue outside, MlirValue inside) {
  if (o->n == o->capacity) {
    intptr_t capacity = 2 * o->capacity + 16;
    MlirValue *values = tt_arena_alloc(o->arena, 2 * (size_t)capacity * sizeof *values);
    for (intptr_t i = 0; i < o->n; ++i) {
      values[i] = o->outside[i];
      values[capacity + i] = o->inside[i];
    }
    o->outside = values;
    o->inside = values + capacity;
    o->capacity = capacity;
  }
  o->outside[o->n] = outside;
  o->inside[o->n++] = inside;
}

/* What `value`, from around the grid, is in the kernel. */
static MlirValue in_kernel(Outline *o, MlirValue value) {
  for (intptr_t i = 0; i < o->n; ++i)
    if (tt_value_eq(o->outside[i], value)) return o->inside[i];
  MlirOperation op = tt_defining_op(value);
  MlirValue inside;
  if (is_computed(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(copy, i, in_kernel(o, mlirOperationGetOperand(op, i)));
    inside = mlirOperationGetResult(tt_builder_insert(&o->at, copy), 0);
  } else {
    inside =
        mlirBlockAddArgument(o->body, mlirValueGetType(value), mlirOperationGetLocation(o->grid));
  }
  remember(o, value, inside);
  return inside;
}

/* Has the grid's copy use the kernel's values. */
static void redirect(Outline *o, MlirOperation copy) {
  TtOps ops = tt_collect(o->arena, copy, NULL);
  tt_ops_add(o->arena, &ops, copy);
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j) {
      MlirValue value = mlirOperationGetOperand(ops.data[i], j);
      if (!tt_is_defined_in(copy, value))
        mlirOperationSetOperand(ops.data[i], j, in_kernel(o, value));
    }
}

/* Forgets what the kernel computes itself. */
static void keep_arguments(Outline *o) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < o->n; ++i) {
    if (!mlirValueIsABlockArgument(o->inside[i])) continue;
    o->outside[n] = o->outside[i];
    o->inside[n++] = o->inside[i];
  }
  o->n = n;
}

/* Reshapes that move elements between tiles are the host function's: it gives the kernel their
 * results. */
static void move_views(Outline *o, MlirOperation copy) {
  TtOps grids = {NULL, 0, 0};
  tt_ops_add(o->arena, &grids, copy);
  TtOps moved = tt_moved_views(o->arena, o->kernel, grids);
  for (intptr_t i = 0; i < moved.n; ++i) {
    MlirOperation view = moved.data[i];
    MlirValue result = mlirOperationGetResult(view, 0);
    intptr_t k = 0;
    while (k < o->n && !tt_value_eq(o->inside[k], mlirOperationGetOperand(view, 0))) ++k;
    if (k == o->n) continue;
    TtBuilder b = tt_builder_before(o->grid);
    MlirOperation there = tt_builder_insert(&b, mlirOperationClone(view));
    mlirOperationSetOperand(there, 0, o->outside[k]);
    MlirValue inside =
        mlirBlockAddArgument(o->body, mlirValueGetType(result), mlirOperationGetLocation(o->grid));
    mlirValueReplaceAllUsesOfWith(result, inside);
    mlirOperationDestroy(view);
    remember(o, mlirOperationGetResult(there, 0), inside);
  }
}

/* "x" of an argument of the model that has that name, else "between0" and so on. */
static MlirAttribute attrs_of(Outline *o, MlirOperation func, MlirValue outside,
                              intptr_t *between) {
  MlirContext context = mlirOperationGetContext(func);
  if (mlirValueIsABlockArgument(outside) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(outside), tt_body(func))) {
    intptr_t i = mlirBlockArgumentGetArgNumber(outside);
    MlirAttribute all = tt_op_attr(func, "arg_attrs");
    return mlirAttributeIsNull(all) ? mlirDictionaryAttrGet(context, 0, NULL)
                                    : mlirArrayAttrGetElement(all, i);
  }
  if (!mlirTypeIsAShaped(mlirValueGetType(outside))) return mlirDictionaryAttrGet(context, 0, NULL);
  MlirNamedAttribute name = {
      mlirIdentifierGet(context, tt_str("tt.name")),
      tt_string_attr(context, tt_arena_printf(o->arena, "between%jd", (intmax_t)(*between)++))};
  return mlirDictionaryAttrGet(context, 1, &name);
}

/* An empty function before `func`. */
static MlirOperation make_function(MlirOperation func, MlirLocation loc) {
  TtBuilder b = tt_builder_before(func);
  TtOpState s = tt_op_state("func.func", loc), end = tt_op_state("func.return", loc);
  tt_op_state_region(&s);
  tt_op_state_attr(&s, b.context, "sym_name", tt_string_attr(b.context, ""));
  tt_op_state_attr(&s, b.context, "function_type",
                   mlirTypeAttrGet(mlirFunctionTypeGet(b.context, 0, NULL, 0, NULL)));
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirBlockAppendOwnedOperation(tt_body(made), tt_op_state_finish(&end));
  return made;
}

/* Gives the kernel the type of its block, and calls it where the grid is, with its arguments. */
static void call(Outline *o, MlirOperation func, const char *name) {
  MlirContext context = mlirOperationGetContext(func);
  intptr_t n = mlirBlockGetNumArguments(o->body), between = 0;
  MlirType *types = tt_arena_alloc(o->arena, (size_t)(n + 1) * sizeof *types);
  MlirAttribute *attrs = tt_arena_alloc(o->arena, (size_t)(n + 1) * sizeof *attrs);
  TtOpState call = tt_op_state("func.call", mlirOperationGetLocation(o->grid));
  tt_op_state_attr(&call, context, "callee", mlirFlatSymbolRefAttrGet(context, tt_str(name)));
  for (intptr_t i = 0, arg = 0; i < o->n; ++i) {
    if (!mlirValueIsABlockArgument(o->inside[i])) continue;
    types[arg] = mlirValueGetType(o->inside[i]);
    attrs[arg++] = attrs_of(o, func, o->outside[i], &between);
    tt_op_state_operand(&call, o->outside[i]);
  }
  mlirOperationSetInherentAttributeByName(o->kernel, tt_str("sym_name"),
                                          tt_string_attr(context, name));
  mlirOperationSetInherentAttributeByName(
      o->kernel, tt_str("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, n, types, 0, NULL)));
  mlirOperationSetInherentAttributeByName(o->kernel, tt_str("arg_attrs"),
                                          mlirArrayAttrGet(context, n, attrs));
  tt_set_attr(o->kernel, "tt.kernel", mlirUnitAttrGet(context));
  TtBuilder there = tt_builder_before(o->grid);
  tt_builder_insert(&there, tt_op_state_finish(&call));
  mlirOperationDestroy(o->grid);
}

/* Makes `grid` a kernel, and a call of it. */
static void outline(TtArena *arena, MlirOperation func, MlirOperation grid, char *otherwise) {
  Outline o = {.arena = arena, .grid = grid};
  o.kernel = make_function(func, mlirOperationGetLocation(grid));
  o.body = tt_body(o.kernel);
  const char *name = tt_take_grid_notes(arena, grid, o.kernel, otherwise);
  o.at = tt_builder_at_terminator(o.body);
  MlirOperation copy = tt_builder_insert(&o.at, mlirOperationClone(grid));
  o.at = tt_builder_before(copy);
  redirect(&o, copy);
  tt_prepare_grid(arena, copy);
  keep_arguments(&o);
  move_views(&o, copy);
  call(&o, func, name);
}

/* A copy by the host that is of parts of tensors; of whole ones --tt-outline-copies makes
 * kernels. */
static bool copies_part(MlirOperation op) {
  return tt_op_is(op, "memref.copy") && !(tt_is_whole(mlirOperationGetOperand(op, 0)) &&
                                          tt_is_whole(mlirOperationGetOperand(op, 1)));
}

/* What a kernel of one op is of, as --tt-name-kernels notes it. */
static void note_word(MlirOperation op, const char *word) {
  MlirAttribute name = tt_string_attr(mlirOperationGetContext(op), word);
  tt_set_attr(op, "tt.fuses", mlirArrayAttrGet(mlirOperationGetContext(op), 1, &name));
}

static bool outline_all(TtArena *arena, MlirOperation func) {
  if (!tt_needs_host(arena, func)) return true;
  if (mlirFunctionTypeGetNumResults(mlirTypeAttrGetValue(tt_op_attr(func, "function_type"))) > 0)
    return tt_error(func, "a host function returns nothing, but this model returns values; run "
                          "--tt-write-results before --tt-outline-grids");
  char *name = tt_arena_str(arena, tt_symbol_name(func));
  TtOps grids = tt_host_ops(arena, func);
  for (intptr_t i = 0, n = 0; i < grids.n; ++i) {
    bool copy = copies_part(grids.data[i]);
    if (!copy && !tt_op_is(grids.data[i], "scf.forall")) continue;
    const char *moves = copy ? tt_move_word(arena, grids.data[i]) : NULL;
    MlirOperation grid = copy ? tt_spread_copy(grids.data[i]) : grids.data[i];
    if (copy) note_word(grid, moves);
    outline(arena, func, grid,
            tt_arena_printf(arena, "%s_%s%jd", name, copy ? "copy" : "", (intmax_t)n++));
  }
  tt_erase_dead(func);
  tt_remove_attr(func, "tt.model");
  tt_set_attr(func, "tt.host", mlirUnitAttrGet(mlirOperationGetContext(func)));
  return true;
}

bool tt_run_outline_grids(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, outline_all);
}
