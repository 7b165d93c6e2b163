/*===- return_by_argument.c - --tt-return-by-argument ------------------------------------------===
 *
 * Makes what host functions return arguments of theirs, which the host program writes to files.
 *
 *   before  func.func @f(%A: memref<64x64xf32>) -> memref<64x64xf32> attributes {tt.host} {
 *             %t = memref.alloc() : memref<64x64xf32>
 *             call @k(%A, %t)
 *             return %t }
 *   after   func.func @f(%A: memref<64x64xf32>, %t: memref<64x64xf32> {tt.name = "result"})
 *               attributes {tt.host} { call @k(%A, %t)  return }
 *
 * What is no allocation of the function itself is copied there. An argument that is returned was
 * updated in place. A layout and a name of the allocation go to the argument.
 *
 * Requires nothing. Leaves host functions without results.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/host_values.h"
#include "Passes/passes_decl.h"

#include <string.h>

typedef struct Return {
  TtArena *arena;
  MlirOperation func, end;
  MlirContext context;
} Return;

static bool is_taken(Return *r, const char *name) {
  for (intptr_t i = 0; i < tt_num_args(r->func); ++i)
    if (strcmp(tt_arg_name(r->arena, r->func, i), name) == 0) return true;
  return false;
}

/* `wish`, or one like it that no argument has. */
static const char *free_name(Return *r, const char *wish) {
  const char *name = wish;
  for (int i = 1; is_taken(r, name); ++i) name = tt_arena_printf(r->arena, "%s%d", wish, i);
  return name;
}

/* Adds an argument; the type of the function follows when all are there. */
static MlirValue add_argument(Return *r, MlirType type, const char *name, MlirAttribute layout) {
  intptr_t n = tt_num_args(r->func);
  MlirValue value = mlirBlockAddArgument(tt_body(r->func), type, mlirOperationGetLocation(r->func));
  MlirType *types = tt_arena_alloc(r->arena, (size_t)(n + 2) * sizeof *types);
  MlirAttribute old = tt_op_attr(r->func, "arg_attrs"),
                *attrs = tt_arena_alloc(r->arena, (size_t)(n + 2) * sizeof *attrs);
  for (intptr_t i = 0; i <= n; ++i) {
    types[i] = mlirValueGetType(tt_arg(r->func, i));
    attrs[i] = i < n && !mlirAttributeIsNull(old) ? mlirArrayAttrGetElement(old, i)
                                                  : mlirDictionaryAttrGet(r->context, 0, NULL);
  }
  MlirType func_type = mlirFunctionTypeGet(r->context, n + 1, types, 0, NULL);
  mlirOperationSetInherentAttributeByName(r->func, tt_str("function_type"),
                                          mlirTypeAttrGet(func_type));
  mlirOperationSetInherentAttributeByName(r->func, tt_str("arg_attrs"),
                                          mlirArrayAttrGet(r->context, n + 1, attrs));
  tt_set_arg_attr(r->func, n, "tt.name", tt_string_attr(r->context, name));
  if (!mlirAttributeIsNull(layout)) tt_set_arg_attr(r->func, n, "tt.layout", layout);
  return value;
}

/* An allocation of the function's own block, which nothing frees. */
static bool is_own_alloc(Return *r, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return !mlirOperationIsNull(op) && tt_op_is(op, "memref.alloc") &&
         mlirBlockEqual(mlirOperationGetBlock(op), tt_body(r->func));
}

/* The sizes of a result are those of arguments, as the command line gives them. */
static bool name_sizes(Return *r, MlirValue value, const char *name) {
  MlirType type = mlirValueGetType(value);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    intptr_t arg, dim;
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    if (!tt_find_host_size(r->func, value, d, &arg, &dim) ||
        !mlirShapedTypeIsDynamicDim(mlirValueGetType(tt_arg(r->func, arg)), dim))
      return tt_error(r->end,
                      "dimension %jd of what is returned is no dynamic size of an argument "
                      "(memref.dim), so that nobody knows how large a file it needs; give its "
                      "tensor as an argument that is written",
                      (intmax_t)d);
    tt_assume_equal_dims(r->arena, r->func,
                         tt_dim_name(r->arena, tt_arg_name(r->arena, r->func, arg), dim),
                         tt_dim_name(r->arena, name, d));
  }
  return true;
}

static bool return_value(Return *r, MlirValue value, const char *wish) {
  MlirType type = mlirValueGetType(value);
  if (!tt_is_memref(type))
    return tt_error(r->end, "a host function returns a number, which no file holds; return a "
                            "tensor of one element");
  if (mlirValueIsABlockArgument(value) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(r->func)))
    return true; /* updated in place */
  bool own = is_own_alloc(r, value);
  MlirAttribute name = own ? tt_get_attr(tt_defining_op(value), "tt.name") : (MlirAttribute){NULL},
                layout =
                    own ? tt_get_attr(tt_defining_op(value), "tt.layout") : (MlirAttribute){NULL};
  const char *text =
      free_name(r, mlirAttributeIsNull(name) ? wish : tt_arena_str(r->arena, tt_string(name)));
  if (!name_sizes(r, value, text)) return false;
  MlirValue arg = add_argument(r, type, text, layout);
  MlirAttribute file = own ? tt_get_attr(tt_defining_op(value), "tt.file") : (MlirAttribute){NULL};
  if (!mlirAttributeIsNull(file))
    tt_set_arg_attr(r->func, tt_num_args(r->func) - 1, "tt.file", file);
  if (own) {
    tt_replace(tt_defining_op(value), arg);
    return true;
  }
  TtBuilder b = tt_builder_before(r->end);
  TtOpState s = tt_op_state("memref.copy", mlirOperationGetLocation(r->end));
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, arg);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  return true;
}

static bool return_by_argument(TtArena *arena, MlirOperation func) {
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0)))) return true;
  Return r = {arena, func, mlirBlockGetTerminator(tt_body(func)), mlirOperationGetContext(func)};
  if (!tt_op_is(r.end, "func.return")) return true;
  intptr_t n = mlirOperationGetNumOperands(r.end);
  if (n == 0) return true;
  for (intptr_t i = 0; i < n; ++i) {
    const char *wish = n == 1 ? "result" : tt_arena_printf(arena, "result%jd", (intmax_t)i);
    if (!return_value(&r, mlirOperationGetOperand(r.end, i), wish)) return false;
  }
  TtBuilder b = tt_builder_before(r.end);
  TtOpState s = tt_op_state("func.return", mlirOperationGetLocation(r.end));
  tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirOperationDestroy(r.end);
  intptr_t args = tt_num_args(func);
  MlirType *types = tt_arena_alloc(arena, (size_t)(args + 1) * sizeof *types);
  for (intptr_t i = 0; i < args; ++i) types[i] = mlirValueGetType(tt_arg(func, i));
  mlirOperationSetInherentAttributeByName(
      func, tt_str("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(r.context, args, types, 0, NULL)));
  if (!mlirAttributeIsNull(tt_op_attr(func, "res_attrs")))
    mlirOperationSetInherentAttributeByName(func, tt_str("res_attrs"),
                                            mlirArrayAttrGet(r.context, 0, NULL));
  return true;
}

bool tt_run_return_by_argument(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps hosts = tt_hosts(arena, module);
  bool ok = true;
  for (intptr_t i = 0; ok && i < hosts.n; ++i) ok = return_by_argument(arena, hosts.data[i]);
  tt_arena_destroy(arena);
  return ok;
}
